// fetch: random warps of random tasks that are picked, lines that fight for a place in the cache, a memory that answers late and refuses, an
// issue stage that does not take, invalidations at any time; every output in every cycle against the rules that its head states. The C
// twin has what a line may hold, and no cycles; here stages, cache and the read that is under way are records.
// Compiled with -DWARPS= -DCHANNELS= -DTASK_SLOTS= -DICACHE_LINES= as the unit was verilated.
#include <verilated.h>

#include "Vfetch.h"
#include "bench.h"
#include "port_bits.h"
#include "runs_on.h"
#include "tick.h"

#include "gen/bundles.h"

static const uint32_t CHANNEL_W = CHANNELS > 1 ? index_bits(CHANNELS) : 1;

struct slot {
    uint32_t channel, region, base, size;
};
struct line {
    bool valid;
    uint32_t channel, addr, words[8];
};
struct picked {
    bool valid;
    uint32_t warp, pc, slot, fault;
    bool ahead;
};
struct looked {
    struct picked p;
    uint32_t addr, channel;
    bool outside;
    uint32_t left;     // lines behind it that are the program's, at most AHEAD
    struct line line;  // what the cache had at its place
};
enum { AHEAD = 3 };
struct read {
    uint32_t channel, line;
    bool sent, ahead;  // ahead: for no warp
};

struct run {
    struct bench bench;
    Vfetch rtl;
    struct slot slots[TASK_SLOTS];
    struct line cache[ICACHE_LINES];
    struct picked first;
    struct looked second;
    struct read reads[2];  // under way, in order
    uint32_t count;
    bool rest;  // the first has come: the one that is left is the second
    bool stale, owed;
    uint32_t next;  // lines that are to be looked at before anybody asks for them, from this one on
    uint32_t next_channel, next_line;
    uint32_t miss_warp;
    uint64_t hits, misses, outside, refused, stales, holds, waits, drops, lost, firsts, seconds, pairs, passed,
        forgotten;
};

static uint32_t place(uint32_t addr) {
    return addr / 32 % ICACHE_LINES;
}

static void choose_slots(struct run *run) {
    struct bench *bench = &run->bench;
    for (auto &s : run->slots) {
        s.channel = bench_below(bench, CHANNELS);
        s.base = bench_chance(bench, 1, 2) ? 0x1000 : (uint32_t)bench_random(bench) & ~7u;
        s.region = s.base - 8 * (bench_chance(bench, 1, 2) ? bench_below(bench, 40) : bench_below(bench, 1u << 21));
        const uint32_t round = 32 * ICACHE_LINES;  // so many bytes on comes the same place again
        s.size = 8 * bench_below(bench, 20) + (bench_chance(bench, 1, 2) ? 0 : bench_below(bench, 4) * round);
        // A region need not be aligned, and a program may be as large as it says.
        if (bench_chance(bench, 1, 4)) s.region += bench_below(bench, 8);
        if (bench_chance(bench, 1, 6)) s.size |= (uint32_t)bench_random(bench);
    }
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        set_bits(run->rtl.slot_channel_i, k * CHANNEL_W, CHANNEL_W, run->slots[k].channel);
        set_bits(run->rtl.slot_region_i, k * 32, 32, run->slots[k].region);
        set_bits(run->rtl.slot_code_base_i, k * 32, 32, run->slots[k].base);
        set_bits(run->rtl.slot_code_size_i, k * 32, 32, run->slots[k].size);
    }
}

static void inputs(struct run *run) {
    struct bench *bench = &run->bench;
    Vfetch &rtl = run->rtl;
    rtl.rst_i = bench_chance(bench, 1, 2000);
    if (bench_chance(bench, 1, 2000) || rtl.rst_i) choose_slots(run);
    rtl.invalidate_i = bench_chance(bench, 1, 60);
    const uint32_t k = bench_below(bench, TASK_SLOTS);
    const struct slot &s = run->slots[k];
    uint32_t at = (s.base - s.region) / 8 + bench_below(bench, 16) + bench_below(bench, 3) * 4 * ICACHE_LINES;
    if (bench_chance(bench, 1, 12)) at = (s.base + s.size - s.region) / 8 + 1 - bench_below(bench, 3);
    if (bench_chance(bench, 1, 50)) at = bench_below(bench, 1u << 22);
    rtl.pick_valid_i = bench_chance(bench, 3, 4);
    rtl.pick_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.pick_pc_i = at & 0x3FFFFF;
    rtl.pick_slot_i = (uint8_t)k;
    rtl.pick_fault_i = (uint8_t)(bench_chance(bench, 1, 40) ? bench_below(bench, 3) : (uint32_t)ANSWER_GOOD);
    rtl.pick_ahead_i = bench_chance(bench, 1, 2);
    rtl.trap_on_i = bench_chance(bench, 1, 2);
    rtl.trap_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.fetch_owed_keep_i = bench_chance(bench, 15, 16);
    rtl.fetched_ready_i = bench_chance(bench, 3, 4);
    // A warp's instruction behind one that is in the issue stage: held, not to miss yet, and then dropped or not.
    rtl.hold_i = bench_chance(bench, 1, 4);
    rtl.before_i = rtl.hold_i || bench_chance(bench, 1, 4);
    rtl.drop_i = bench_chance(bench, 1, 12);
    rtl.drop_warp_i = (uint8_t)bench_below(bench, WARPS);
    if (run->second.p.valid && rtl.drop_warp_i == run->second.p.warp) rtl.before_i = rtl.before_i || rtl.drop_i;
    rtl.waits_line_i = bench_chance(bench, 1, 4);
    rtl.start_soon_i = bench_chance(bench, 1, 6);
    rtl.req_ready_i = bench_chance(bench, 1, 2);
    rtl.rsp_valid_i = run->count != 0 && run->reads[0].sent && bench_chance(bench, 1, 4);
    rtl.rsp_fault_i = (uint8_t)(bench_chance(bench, 1, 6) ? bench_below(bench, 3) : (uint32_t)ANSWER_GOOD);
    for (uint32_t i = 0; i < 8; i++)
        rtl.rsp_data_i[i] = (uint32_t)bench_random(bench);
    if (bench_chance(bench, 1, 4)) {  // what no opcode alone tells: an S2R of the time, or of something beside it
        const uint32_t at = 2 * bench_below(bench, 4);
        rtl.rsp_data_i[at] = (rtl.rsp_data_i[at] & ~0xFFu) | OP_S2R;
        rtl.rsp_data_i[at + 1] = (rtl.rsp_data_i[at + 1] & ~0xFFu) | (SR_CLOCK_LO + bench_below(bench, 4) - 1);
    }
    rtl.eval();
}

static void compare_read(struct run *run, bool fill) {
    struct bench *bench = &run->bench;
    const Vfetch &rtl = run->rtl;
    const bool busy = run->count != 0 && !run->rest;
    if (rtl.fetch_busy_o != busy || rtl.fetch_owed_o != run->owed)
        bench_fail(bench, "busy %u owed %u, not %u %u", rtl.fetch_busy_o, rtl.fetch_owed_o, busy, run->owed);
    bool prefetching = false;
    for (uint32_t k = 0; k < run->count; k++)
        prefetching = prefetching || run->reads[k].ahead;
    if (rtl.prefetching_o != prefetching) bench_fail(bench, "prefetching_o is %u", rtl.prefetching_o);
    if (run->owed && rtl.fetch_owed_warp_o != run->miss_warp)
        bench_fail(bench, "owed to warp %u, not %u", rtl.fetch_owed_warp_o, run->miss_warp);
    const struct read *asked = run->count != 0 ? &run->reads[run->count - 1] : NULL;
    const bool asks = asked != NULL && !asked->sent;
    if (rtl.req_valid_o != asks) bench_fail(bench, "request %u, not %u", rtl.req_valid_o, asks);
    uint32_t data = 0;
    for (uint32_t i = 0; i < 8; i++)
        data |= rtl.req_wdata_o[i];
    if (asks && (rtl.req_op_o != REQUEST_READ || rtl.req_channel_o != asked->channel || rtl.req_addr_o != asked->line ||
                 rtl.req_atom_o != 0 || rtl.req_wstrb_o != 0 || data != 0))
        bench_fail(bench, "request op %u of %08x channel %u, not the read of %08x %u", rtl.req_op_o, rtl.req_addr_o,
                   rtl.req_channel_o, asked->line, asked->channel);
    const bool refused = fill && rtl.rsp_fault_i != ANSWER_GOOD && !run->reads[0].ahead;
    if (rtl.fetch_refused_o != refused) bench_fail(bench, "refused %u, not %u", rtl.fetch_refused_o, refused);
    if (refused && (rtl.fetch_refused_warp_o != run->miss_warp || rtl.fetch_refused_fault_o != rtl.rsp_fault_i))
        bench_fail(bench, "refused to warp %u with %u, not %u %u", rtl.fetch_refused_warp_o, rtl.fetch_refused_fault_o,
                   run->miss_warp, rtl.rsp_fault_i);
    run->refused += refused;
}

// The instruction that the second stage shows, if its line is there.
static uint64_t word_of(const struct looked *l) {
    const uint32_t at = l->addr / 8 % 4 * 2;
    return (uint64_t)l->line.words[at + 1] << 32 | l->line.words[at];
}

// The second stage: goes on, or back.
static void compare_fetched(struct run *run, bool good, bool miss) {
    struct bench *bench = &run->bench;
    const Vfetch &rtl = run->rtl;
    const struct looked &l = run->second;
    if (rtl.fetch_miss_o != miss || (miss && rtl.fetch_miss_warp_o != l.p.warp))
        bench_fail(bench, "miss %u of warp %u, not %u of %u", rtl.fetch_miss_o, rtl.fetch_miss_warp_o, miss, l.p.warp);
    if (rtl.fetched_valid_o != good) bench_fail(bench, "fetched %u, not %u", rtl.fetched_valid_o, good);
    if (!good) return;
    if (rtl.fetched_warp_o != l.p.warp || rtl.fetched_pc_o != l.p.pc || rtl.fetched_slot_o != l.p.slot ||
        rtl.fetched_outside_o != l.outside || rtl.fetched_fault_o != l.p.fault || rtl.fetched_addr_o != (l.addr & ~7u))
        bench_fail(bench, "warp %u pc %x slot %u outside %u fault %u at %08x, not %u %x %u %u %u %08x",
                   rtl.fetched_warp_o, rtl.fetched_pc_o, rtl.fetched_slot_o, rtl.fetched_outside_o, rtl.fetched_fault_o,
                   rtl.fetched_addr_o, l.p.warp, l.p.pc, l.p.slot, l.outside, l.p.fault, l.addr & ~7u);
    const uint64_t word = word_of(&l);
    if (!l.outside && l.p.fault == ANSWER_GOOD && rtl.fetched_word_o != word)
        bench_fail(bench, "word %016llx, not %016llx", (unsigned long long)rtl.fetched_word_o,
                   (unsigned long long)word);
    run->outside += l.outside;
    run->hits++;
}

// The first stage's address, and what the cache has there before this cycle's end.
static struct looked look(const struct run *run, bool fill) {
    const Vfetch &rtl = run->rtl;
    const struct slot &s = run->slots[run->first.slot];
    struct looked l = {};
    l.p = run->first;
    l.addr = s.region + 8 * l.p.pc;
    l.channel = s.channel;
    l.outside = l.addr - s.base >= s.size && !(rtl.trap_on_i && rtl.trap_warp_i == l.p.warp);
    const uint32_t behind = (l.addr - s.base) / 32 + 1;
    l.left = behind < s.size / 32 ? s.size / 32 - behind : 0;
    if (l.left > AHEAD) l.left = AHEAD;
    l.line = run->cache[place(l.addr)];
    if (rtl.invalidate_i || (fill && place(run->reads[0].line) == place(l.addr))) l.line.valid = false;
    return l;
}

static void step(struct run *run) {
    Vfetch &rtl = run->rtl;
    inputs(run);
    const struct looked l = run->second;
    const bool no_line = l.outside || l.p.fault != ANSWER_GOOD;
    const bool hit = l.line.valid && l.line.channel == l.channel && l.line.addr == (l.addr & ~31u);
    const bool held = l.p.valid && rtl.hold_i, before = l.p.valid && rtl.before_i;
    const bool good = l.p.valid && !held && (no_line || hit), miss = l.p.valid && !before && !no_line && !hit;
    const bool fill = rtl.rsp_valid_i;
    const bool second_goes = !l.p.valid || (rtl.fetched_ready_i && good) || miss,
               first_goes = !run->first.valid || second_goes;
    if (rtl.pick_ready_o != first_goes) bench_fail(&run->bench, "pick_ready_o is %u", rtl.pick_ready_o);
    const bool runs = l.p.valid && !no_line && hit && runs_on(word_of(&l));
    if (rtl.comes_o != l.p.valid || rtl.runs_o != runs)
        bench_fail(&run->bench, "comes %u runs on %u, not %u %u", rtl.comes_o, rtl.runs_o, l.p.valid, runs);
    if (rtl.coming_valid_o != run->first.valid || (run->first.valid && rtl.coming_warp_o != run->first.warp))
        bench_fail(&run->bench, "coming %u of warp %u, not %u of %u", rtl.coming_valid_o, rtl.coming_warp_o,
                   run->first.valid, run->first.warp);
    compare_read(run, fill);
    compare_fetched(run, good, miss);
    run->holds += held;
    run->waits += before && !held && !no_line && !hit;
    run->misses += miss;

    // The lines behind. One is passed that is there, that comes, or whose place is that of the one that comes.
    const bool comes = run->count != 0 && run->reads[0].sent;
    const struct line &at = run->cache[place(run->next_line)];
    const bool next_there = (at.valid && at.channel == run->next_channel && at.addr == run->next_line) ||
                            (comes && place(run->reads[0].line) == place(run->next_line));
    const bool next_begins = run->next != 0 && !next_there && !run->owed && !miss && !rtl.start_soon_i &&
                             (run->count == 0 ? !(run->first.valid && !run->first.ahead) && !rtl.waits_line_i
                                              : comes && run->count == 1 && !run->rest && !fill);
    // What is dropped does not go on to the second stage, nor stays there.
    const auto drops = [&rtl](const struct picked &p) { return rtl.drop_i && p.valid && p.warp == rtl.drop_warp_i; };
    run->drops += drops(run->first) + drops(run->second.p);
    if (drops(run->first) || (miss && run->first.warp == l.p.warp)) run->first.valid = false;
    if (drops(run->second.p)) run->second.p.valid = false;
    // A line that is held may go meanwhile.
    if (before && (rtl.invalidate_i || (fill && place(run->reads[0].line) == place(l.addr)))) {
        run->lost += run->second.line.valid;
        run->second.line.valid = false;
    }
    const struct looked next = look(run, fill);
    if (second_goes) run->second = next;
    if (first_goes)
        run->first = {rtl.pick_valid_i && !(rtl.drop_i && rtl.pick_warp_i == rtl.drop_warp_i),
                      rtl.pick_warp_i,
                      rtl.pick_pc_i,
                      rtl.pick_slot_i,
                      rtl.pick_fault_i,
                      rtl.pick_ahead_i != 0};
    const bool stale = run->stale || rtl.invalidate_i;
    if (fill) {
        const struct read &read = run->reads[0];
        struct line &to = run->cache[place(read.line)];
        run->stales += stale;
        to = {rtl.rsp_fault_i == ANSWER_GOOD && !stale, read.channel, read.line, {0}};
        for (uint32_t i = 0; i < 8; i++)
            to.words[i] = rtl.rsp_data_i[i];
    }
    if (rtl.invalidate_i || rtl.rst_i)
        for (auto &one : run->cache)
            one.valid = false;
    const bool begins = miss && run->count == 0 && !run->owed;
    const bool paid = rtl.invalidate_i || !rtl.fetch_owed_keep_i || (l.p.valid && l.p.warp == run->miss_warp);
    run->owed = (fill && !run->reads[0].ahead) || (run->owed && !paid);
    run->stale = stale;
    if (begins || (next_begins && run->count == 0)) {
        run->rest = false;
        run->stale = rtl.invalidate_i;
        run->firsts += next_begins;
    }
    if (run->count != 0 && rtl.req_ready_i) run->reads[run->count - 1].sent = true;
    if (fill) {
        run->rest = true;
        run->pairs += run->count == 2;
        run->reads[0] = run->reads[1];
        run->count--;
    }
    if (begins) {
        run->miss_warp = l.p.warp;
        run->reads[run->count++] = {l.channel, l.addr & ~31u, false, false};
    } else if (next_begins) {
        run->seconds += run->count;
        run->reads[run->count++] = {run->next_channel, run->next_line, false, true};
    }
    if ((good && rtl.fetched_ready_i && !no_line) || begins) {
        run->next = l.left;
        run->next_channel = l.channel;
        run->next_line = (l.addr & ~31u) + 32;
    } else if (next_there || next_begins) {
        run->passed += run->next > 1 && next_there;
        if (run->next != 0) run->next--;
        run->next_line += 32;
        if (place(run->next_line) == 0) run->next = 0;
    } else if (rtl.start_soon_i) {
        run->forgotten += run->next != 0;
        run->next = 0;
    }
    if (rtl.rst_i) {
        run->next = run->count = 0;
        run->owed = run->first.valid = run->second.p.valid = false;
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 200000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.pick_valid_i = run.rtl.rsp_valid_i = run.rtl.invalidate_i = 0;
    choose_slots(&run);
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    printf("%llu fetched, %llu misses, %llu refused, %llu stale, %llu held, %llu dropped\n",
           (unsigned long long)run.hits, (unsigned long long)run.misses, (unsigned long long)run.refused,
           (unsigned long long)run.stales, (unsigned long long)run.holds, (unsigned long long)run.drops);
    if (bench.ops >= 10000 &&
        (run.hits == 0 || run.misses == 0 || run.outside == 0 || run.refused == 0 || run.stales == 0 ||
         run.holds == 0 || run.waits == 0 || run.drops == 0 || run.lost == 0 || run.firsts == 0 || run.seconds == 0 ||
         run.pairs == 0 || run.passed == 0 || run.forgotten == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
