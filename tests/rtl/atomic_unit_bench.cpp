// atomic_unit: random atomics, other accesses and changes from outside at its head, a memory that takes and answers transactions when it
// likes and sometimes with errors; every output in every cycle against the rules that its head states, said here once more line by line.
// What an atomic makes of a word says the C twin; besides, a word is always what all atomics, writes and losses before have made of it.
// Compiled with -DCHANNELS= -DATOMIC_LINES= as the unit was verilated.
#include <verilated.h>

#include <deque>
#include <map>

#include "Vatomic_unit.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

#include "gen/isa.h"

extern "C" {
#include "mem/mem.h"
}

static const uint32_t LINES = 4;  // as the unit has them that is verilated alone
static const uint32_t MAX_COUNT = 127, IDLE_CLOSE = 8, MAX_OPEN = 1024;

struct line {
    bool valid, dirty, locked;
    uint32_t tag, channel, count, data[8];
};
struct words {
    uint32_t word[8];
};
struct request {
    bool atomic, other, write;
    uint32_t channel, line, word, atom, operand, swap;
};

struct atomic_run {
    struct bench bench;
    Vatomic_unit rtl;
    struct line lines[LINES];
    bool busy, tx, tx_close, tx_keep, opening, refused;
    uint32_t tx_place, tx_tag, idle, open;
    struct request head;
    // the memory: what it has, and what it has not answered
    std::map<uint32_t, words> memory;
    std::deque<uint32_t> closing;  // lines
    uint32_t tags[3];
    uint64_t atomics, opens, closes, kept, failed, refusals, expired, full, foreign, changes, written_over, sweeps;
};

static uint32_t place_of(uint32_t line) {
    return line % LINES;
}

static struct words &memory_of(struct atomic_run *run, uint32_t line) {
    const auto found = run->memory.find(line);
    if (found != run->memory.end()) return found->second;
    struct words fresh;
    for (uint32_t &w : fresh.word)
        w = (uint32_t)bench_random(&run->bench);
    return run->memory[line] = fresh;
}

// Somebody else writes the line, or memory does not take it: nobody knows what it has.
static void scramble(struct atomic_run *run, uint32_t line) {
    for (uint32_t &w : memory_of(run, line).word)
        w = (uint32_t)bench_random(&run->bench);
}

static void choose_head(struct atomic_run *run) {
    struct bench *bench = &run->bench;
    struct request &h = run->head;
    const uint32_t phase = (uint32_t)(run->bench.op >> 12) % 4;  // ordinary; always something; one line; long silences
    if (h.atomic || h.other) return;
    if (phase != 1 && phase != 2 && !bench_chance(bench, 1, phase == 3 ? 40 : 3)) return;
    const bool stays = phase == 2 && !bench_chance(bench, 1, 400);
    const bool atomic = stays || bench_chance(bench, phase == 2 ? 1 : 3, phase == 2 ? 2 : 4);
    h.atomic = atomic;
    h.other = !atomic;
    h.write = !atomic && bench_chance(bench, 1, 2);
    if (!stays) {
        h.channel = bench_below(bench, CHANNELS);
        h.line = (run->tags[bench_below(bench, 3)] * LINES + bench_below(bench, LINES)) & 0x7FFFFFF;
    }
    h.word = bench_below(bench, 8);
    h.atom = bench_below(bench, 16);
    h.operand = bench_chance(bench, 1, 3) ? bench_below(bench, 3) : (uint32_t)bench_random(bench);
    h.swap = (uint32_t)bench_random(bench);
    // Comparisons often meet the word itself.
    const struct line &l = run->lines[place_of(h.line)];
    if (l.valid && bench_chance(bench, 1, 3)) h.operand = l.data[h.word] + bench_below(bench, 3) - 1;
}

static void inputs(struct atomic_run *run) {
    struct bench *bench = &run->bench;
    Vatomic_unit &rtl = run->rtl;
    rtl.rst_i = bench_chance(bench, 1, 6000);
    choose_head(run);
    const struct request &h = run->head;
    rtl.req_valid_i = h.atomic;
    rtl.req_channel_i = (uint8_t)h.channel;
    rtl.req_word_i = h.line << 3 | h.word;
    rtl.req_atom_i = (uint8_t)h.atom;
    rtl.req_operand_i = h.operand;
    rtl.req_swap_i = h.swap;
    rtl.other_valid_i = h.other;
    rtl.other_write_i = h.other ? h.write : bench_chance(bench, 1, 2);
    rtl.hold_i = bench_chance(bench, 1, 6);
    rtl.changed_i = !run->busy && bench_chance(bench, 1, 8);
    rtl.tx_ready_i = bench_chance(bench, 1, 3);
    rtl.write_busy_i = bench_chance(bench, 1, 4);
    rtl.open_valid_i = run->opening && bench_chance(bench, 1, 6);
    rtl.open_fault_i = (uint8_t)(bench_chance(bench, 1, 6) ? 1 + bench_below(bench, 2) : 0);
    for (uint32_t w = 0; w < 8; w++)
        rtl.open_data_i[w] = rtl.open_valid_i ? memory_of(run, h.line).word[w] : (uint32_t)bench_random(bench);
    rtl.closed_valid_i = !run->closing.empty() && bench_chance(bench, 1, 8);
    rtl.closed_fault_i = bench_chance(bench, 1, 5);
    rtl.closed_line_i = (uint8_t)((rtl.closed_valid_i ? run->closing.front() : bench_below(bench, 64)) & 63);
    rtl.eval();
}

// What the head is to the line in its place, and what becomes of it in this cycle.
struct verdict {
    bool done, other_waits, decides, close, keep, expired, idle;
    uint32_t place, tag;
};
static struct verdict judge(const struct atomic_run *run) {
    const Vatomic_unit &rtl = run->rtl;
    const struct request &h = run->head;
    const struct line &l = run->lines[place_of(h.line)];
    struct verdict v = {};
    v.expired = run->open == MAX_OPEN;
    v.idle = run->idle == IDLE_CLOSE;
    const bool there = l.valid && l.tag == h.line / LINES;
    const bool own = !l.dirty || (l.channel == h.channel && l.count != MAX_COUNT);
    const bool hit = h.atomic && there && !l.locked && !rtl.changed_i && own;
    v.done = run->busy && !run->tx && !rtl.hold_i && (run->refused || (hit && !v.expired));
    v.other_waits = run->tx || (l.dirty && there);

    uint32_t dirty = 0;
    while (dirty < LINES && !run->lines[dirty].dirty)
        dirty++;
    const bool sweep = run->busy && dirty < LINES && (v.expired || (v.idle && !h.atomic));
    const bool close = l.dirty && ((h.atomic && !hit) || (h.other && there));
    const bool open = h.atomic && !there && !l.dirty && !l.locked && !run->opening && !run->refused && !v.expired;
    v.decides = !run->tx && (sweep || close || open);
    v.close = sweep || close;
    v.keep = sweep || !((h.atomic && !there) || (h.other && h.write));
    v.place = sweep ? dirty : place_of(h.line);
    v.tag = sweep ? run->lines[dirty].tag : close ? l.tag : h.line / LINES;
    return v;
}

static void compare(struct atomic_run *run, const struct verdict &v) {
    struct bench *bench = &run->bench;
    const Vatomic_unit &rtl = run->rtl;
    const struct request &h = run->head;
    if (rtl.busy_o != run->busy) bench_fail(bench, "busy_o is %u", rtl.busy_o);
    if (rtl.done_o != v.done) bench_fail(bench, "done_o is %u", rtl.done_o);
    if (h.other && rtl.other_wait_o != v.other_waits) bench_fail(bench, "other_wait_o is %u", rtl.other_wait_o);
    if (v.done) {
        const uint32_t old = run->refused ? 0 : run->lines[place_of(h.line)].data[h.word], fault = run->refused ? 2 : 0;
        if (rtl.old_o != old || rtl.fault_o != fault)
            bench_fail(bench, "old %08x fault %u, not %08x %u", rtl.old_o, rtl.fault_o, old, fault);
    }
    if (rtl.tx_valid_o != run->tx) bench_fail(bench, "tx_valid_o is %u", rtl.tx_valid_o);
    if (!run->tx) return;
    const struct line &l = run->lines[run->tx_place];
    if (rtl.tx_close_o != run->tx_close || rtl.tx_line_o != run->tx_tag * LINES + run->tx_place)
        bench_fail(bench, "close %u of line %x, not %u %x", rtl.tx_close_o, rtl.tx_line_o, run->tx_close,
                   run->tx_tag * LINES + run->tx_place);
    if (!run->tx_close) return;
    if (rtl.tx_keep_o != run->tx_keep || rtl.tx_channel_o != l.channel || rtl.tx_count_o != l.count)
        bench_fail(bench, "keep %u channel %u count %u, not %u %u %u", rtl.tx_keep_o, rtl.tx_channel_o, rtl.tx_count_o,
                   run->tx_keep, l.channel, l.count);
    for (uint32_t w = 0; w < 8; w++) {
        if (rtl.tx_data_o[w] != l.data[w])
            bench_fail(bench, "word %u to memory is %08x, not %08x", w, rtl.tx_data_o[w], l.data[w]);
    }
}

static void perform(struct atomic_run *run) {
    const struct request &h = run->head;
    struct line &l = run->lines[place_of(h.line)];
    run->atomics++;
    if (run->refused) return;
    l.count = l.dirty ? l.count + 1 : 1;
    l.channel = h.channel;
    if (h.atom > ATOM_SUB) return;  // no such operation: the word stays
    l.data[h.word] = atomic_unit_result(h.atom, l.data[h.word], h.operand, h.swap);
    l.dirty = true;
    run->full += l.count == MAX_COUNT;
}

// The memory takes what is offered.
static void take(struct atomic_run *run) {
    struct line &l = run->lines[run->tx_place];
    const uint32_t line = run->tx_tag * LINES + run->tx_place;
    if (!run->tx_close) {
        run->opening = true;
        l.valid = false;
        run->opens++;
        return;
    }
    for (uint32_t w = 0; w < 8; w++)
        memory_of(run, line).word[w] = l.data[w];
    l.dirty = false;
    run->closes++;
    if (run->tx_keep) {
        l.locked = true;
        run->closing.push_back(line);
        run->kept++;
    } else {
        l.valid = false;
    }
}

static void step(struct atomic_run *run) {
    struct bench *bench = &run->bench;
    Vatomic_unit &rtl = run->rtl;
    inputs(run);
    const struct verdict v = judge(run);
    compare(run, v);
    const struct request h = run->head;
    const struct line before = run->lines[place_of(h.line)];
    const bool there = before.valid && before.tag == h.line / LINES;
    const bool taken = run->tx && rtl.tx_ready_i, was_opening = run->opening, was_refused = run->refused;
    bool dirty = false;
    for (const struct line &l : run->lines)
        dirty = dirty || l.dirty;
    run->expired += v.expired && dirty;
    run->sweeps += v.decides && v.close && v.keep && !h.atomic && !h.other;
    run->foreign += h.atomic && there && before.dirty && before.channel != h.channel;

    if (v.done) perform(run);
    const bool other_goes = h.other && !v.other_waits;
    if (other_goes && h.write) {
        run->written_over += there;
        if (there) run->lines[place_of(h.line)].valid = false;
    }
    if (taken) take(run);
    if (rtl.closed_valid_i) {
        const uint32_t line = run->closing.front();
        run->closing.pop_front();
        struct line &l = run->lines[place_of(line)];
        l.locked = false;
        if (rtl.closed_fault_i) {
            l.valid = false;
            scramble(run, line);
            run->failed++;
        }
    }
    if (rtl.open_valid_i) {
        struct line &l = run->lines[place_of(h.line)];
        run->opening = false;
        run->refused = rtl.open_fault_i != 0;
        run->refusals += run->refused;
        l.valid = !run->refused;
        l.tag = h.line / LINES;
        for (uint32_t w = 0; w < 8; w++)
            l.data[w] = rtl.open_data_i[w];
    }
    if (v.done) run->refused = false;
    if (rtl.changed_i) {
        for (struct line &l : run->lines)
            l.valid = false;
        run->changes++;
        if (bench_chance(bench, 1, 2)) run->memory.clear();
    }
    if (!run->busy) {
        run->busy = h.atomic;
        run->open = run->idle = 0;
    } else {
        run->open += !v.expired;
        run->idle = v.done || was_opening ? 0 : v.idle ? run->idle : run->idle + 1;
        if ((v.idle || v.expired) && !dirty && !v.done && !was_opening && !was_refused && !rtl.write_busy_i &&
            !run->tx && !v.decides)
            run->busy = false;
    }
    if (!run->tx || taken) {
        run->tx = v.decides;
        if (v.decides) {
            run->tx_close = v.close;
            run->tx_keep = v.keep;
            run->tx_place = v.place;
            run->tx_tag = v.tag;
        }
    }
    // The head goes when it is performed; another access when the port takes it.
    if (v.done || (other_goes && bench_chance(bench, 1, 2))) {
        if (h.other && h.write) scramble(run, h.line);
        run->head.atomic = run->head.other = false;
    }
    if (rtl.rst_i) {
        for (struct line &l : run->lines)
            l.valid = l.dirty = l.locked = false;
        run->busy = run->tx = run->opening = run->refused = false;
        run->open = run->idle = 0;
        run->closing.clear();
        run->head.atomic = run->head.other = false;
        for (uint32_t &tag : run->tags)
            tag = (uint32_t)bench_random(bench) & ((1u << 25) - 1);
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 400000);
    registers_at_random(bench.seed);
    static struct atomic_run run;
    run.bench = bench;
    run.rtl.inject_i = 0;
    run.rtl.req_valid_i = run.rtl.other_valid_i = run.rtl.changed_i = run.rtl.open_valid_i = run.rtl.closed_valid_i = 0;
    for (uint32_t &tag : run.tags)
        tag = (uint32_t)bench_random(&run.bench) & ((1u << 25) - 1);
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    printf(
        "%llu atomics, %llu lines read, %llu written back, %llu of them kept, %llu lost, %llu refused, %llu written "
        "over\n",
        (unsigned long long)run.atomics, (unsigned long long)run.opens, (unsigned long long)run.closes,
        (unsigned long long)run.kept, (unsigned long long)run.failed, (unsigned long long)run.refusals,
        (unsigned long long)run.written_over);
    if (bench.ops >= 100000 &&
        (run.closes == 0 || run.kept == 0 || run.failed == 0 || run.refusals == 0 || run.expired == 0 ||
         run.full == 0 || run.foreign == 0 || run.changes == 0 || run.written_over == 0 || run.sweeps == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
