// gp_fetch: random rings on all channels, also such as no software should make, a memory that answers late and refuses, a parser that takes a
// word at once or later and says anything of it, registers that are written while the unit is quiet; every output in every cycle against the
// rules that its head states. The C twin has no cycles: here the unit's way is a list of states, and the twin is asked what is due of a ring,
// what an entry and an answer of the memory mean, and what the end of an entry is. The choice of a channel is the twin of channel_choice.
// Compiled with -DCHANNELS= as the unit was verilated, and -DBENCH_CONFIG=.
#include <verilated.h>

#include <algorithm>

#include "Vgp_fetch.h"
#include "bench.h"
#include "bench_config.h"
#include "gen/bundles.h"
#include "port_bits.h"
#include "tick.h"

#include "../unit/host_standins.h"

extern "C" {
#include "gen/methods.h"
#include "gen/registers.h"
#include "host/channel_choice.h"
}

static const uint32_t CHANNEL_W = CHANNELS > 1 ? index_bits(CHANNELS) : 1, TURN = 64, MOST_ENTRIES = 65536;

enum state {
    CHOOSE,
    ENTRY,
    ENTRY_REQUEST,
    ENTRY_WAIT,
    BEGIN,
    CHECK,
    RUN,
    LINE_REQUEST,
    LINE_WAIT,
    HELD,
    FINISH,
    FAULT,
    READ
};

struct ring {
    bool enable, faulted, held, held_ready;  // held: the parser keeps a method
    uint32_t priority, base, entries, put, get;
    bool busy;  // an entry is begun
    uint32_t block, left;
};
// What a cycle ends with.
struct next {
    enum state state;
    uint32_t channel, code, info, turn;
    bool consume, begins, line_valid;
};

struct fetch_run {
    struct bench bench;
    Vgp_fetch rtl;
    struct ring rings[CHANNELS];
    struct channel_choice choice;
    enum state state;
    uint32_t channel, code, info, turn, line[8], line_addr;
    bool line_valid, started, steady;
    uint32_t word;  // that is shown until it is done
    uint64_t entries, methods, faults, turns, held;
    ppu *model;
};

static uint32_t near(struct bench *bench, uint32_t bound) {
    return bound + bench_below(bench, 3) - 1;
}

static void change_ring(struct fetch_run *run, struct ring &r) {
    struct bench *bench = &run->bench;
    static const uint32_t sizes[] = {0, 1, 2, 3, 5, 16, MOST_ENTRIES - 1, MOST_ENTRIES, MOST_ENTRIES + 1};
    r.entries = sizes[bench_chance(bench, 1, 4) ? bench_below(bench, 9) : 2 + bench_below(bench, 4)];
    if (bench_chance(bench, 1, 30)) r.entries |= 1u << bench_below(bench, 32);
    r.base = bench_chance(bench, 1, 8) ? 0u - 8 * bench_below(bench, 8) : (uint32_t)bench_random(bench) & ~7u;
    r.get = (bench_chance(bench, 1, r.entries >= MOST_ENTRIES - 1 ? 2 : 6) ? near(bench, r.entries)
             : r.entries == 0                                              ? 0
                                                                           : bench_below(bench, r.entries)) &
            0xFFFF;
    r.put = bench_chance(bench, 1, 6) ? near(bench, r.entries) : r.entries == 0 ? 0 : bench_below(bench, r.entries);
    if (bench_chance(bench, 1, 30)) r.put |= 1u << bench_below(bench, 32);
    r.priority = bench_below(bench, 4);
    r.enable = bench_chance(bench, 7, 8);
    r.faulted = false;
}

static bool can_go(const struct ring &r) {
    return r.enable && !r.faulted && (r.held ? r.held_ready : r.busy || r.put != r.get);
}

static uint32_t others_ready(const struct fetch_run *run) {
    uint32_t mask = 0;
    for (uint32_t c = 0; c < CHANNELS; c++)
        if (can_go(run->rings[c])) mask |= 1u << c;
    return mask;
}

static bool line_hits(const struct fetch_run *run) {
    return run->line_valid && run->line_addr == run->rings[run->channel].block >> 5;
}

static void inputs(struct fetch_run *run) {
    struct bench *bench = &run->bench;
    Vgp_fetch &rtl = run->rtl;
    rtl.rst_i = bench_chance(bench, 1, 3000);
    rtl.hold_i = rtl.hold_i ? !bench_chance(bench, 1, 6) : bench_chance(bench, 1, 40);
    for (auto &r : run->rings)
        if (bench_chance(bench, 1, 4)) r.held_ready = bench_chance(bench, 2, 3);
    rtl.ring_enable_i = rtl.ring_faulted_i = rtl.ring_reset_i = rtl.held_i = rtl.held_ready_i = 0;
    for (uint32_t c = 0; c < CHANNELS; c++) {
        const struct ring &r = run->rings[c];
        rtl.ring_enable_i |= (uint8_t)(r.enable << c);
        rtl.ring_faulted_i |= (uint8_t)(r.faulted << c);
        rtl.held_i |= (uint8_t)(r.held << c);
        rtl.held_ready_i |= (uint8_t)(r.held_ready << c);
        set_bits(rtl.ring_priority_i, 2 * c, 2, r.priority);
        set_bits(rtl.ring_base_i, 32 * c, 32, r.base);
        set_bits(rtl.ring_entries_i, 32 * c, 32, r.entries);
        set_bits(rtl.ring_put_i, 32 * c, 32, r.put);
        set_bits(rtl.ring_get_i, 16 * c, 16, r.get);
    }
    rtl.mem_req_ready_i = bench_below(bench, 2);
    const bool waits = run->state == ENTRY_WAIT || run->state == LINE_WAIT;
    rtl.mem_rsp_valid_i = waits && bench_chance(bench, 1, 2);
    rtl.mem_rsp_fault_i = (uint8_t)(bench_chance(bench, 1, 20) ? bench_below(bench, 3) : (uint32_t)ANSWER_GOOD);
    for (uint32_t i = 0; i < 8; i++)
        rtl.mem_rsp_data_i[i] = (uint32_t)bench_random(bench);
    for (uint32_t i = 1; i < 8 && run->state == ENTRY_WAIT; i += 2) {
        uint32_t length = bench_below(bench, bench_chance(bench, 1, 3) ? 200 : 12);
        if (bench_chance(bench, 1, 20)) length = 1u << bench_below(bench, 21) | bench_below(bench, 2);
        rtl.mem_rsp_data_i[i] = (uint32_t)bench_random(bench) & ~GP_ENTRY1_LENGTH(0x1FFFFFu) & ~0xFFu;
        rtl.mem_rsp_data_i[i] |= GP_ENTRY1_LENGTH(length);
        if (bench_chance(bench, 1, 10)) rtl.mem_rsp_data_i[i] |= 1u << bench_below(bench, 8);
    }
    static const uint8_t of_words[] = {RUN_NEXT, RUN_NEXT, RUN_METHOD, RUN_METHOD, RUN_METHOD, RUN_METHOD};
    static const uint8_t rare[] = {RUN_HELD, RUN_FAULT, RUN_END, RUN_YIELD};
    static const uint8_t of_held[] = {RUN_METHOD, RUN_METHOD, RUN_HELD, RUN_FAULT, RUN_YIELD};
    if (bench_chance(bench, 1, 2000)) run->steady = !run->steady;  // the turn of a channel comes to its end
    rtl.run_done_i = bench_chance(bench, 7, 8);
    rtl.run_result_i = run->state == HELD                               ? of_held[bench_below(bench, 5)]
                       : bench_chance(bench, 1, run->steady ? 400 : 40) ? rare[bench_below(bench, 4)]
                                                                        : of_words[bench_below(bench, 6)];
    rtl.run_code_i = (uint8_t)(1 + bench_below(bench, 255));
    rtl.run_info_i = (uint32_t)bench_random(bench);
    rtl.eval();
}

static uint64_t entry_addr(const struct ring &r) {
    return (uint64_t)r.base + 8 * r.get;
}

static void compare(struct fetch_run *run, bool shows) {
    struct bench *bench = &run->bench;
    const Vgp_fetch &rtl = run->rtl;
    const struct ring &r = run->rings[run->channel];
    const enum state s = run->state;
    const bool quiet = rtl.hold_i && (s == CHOOSE || (s == RUN && !run->started));
    const bool fetching = s == ENTRY_REQUEST || s == ENTRY_WAIT || s == LINE_REQUEST || s == LINE_WAIT;
    if (rtl.quiet_o != quiet || rtl.serving_o != (s != CHOOSE) || rtl.fetching_o != fetching)
        bench_fail(bench, "state %u: quiet %u serving %u fetching %u", s, rtl.quiet_o, rtl.serving_o, rtl.fetching_o);
    if (s != CHOOSE && rtl.serving_channel_o != run->channel)
        bench_fail(bench, "state %u: serves channel %u, not %u", s, rtl.serving_channel_o, run->channel);
    for (uint32_t c = 0; c < CHANNELS; c++)
        if (get_bits(rtl.get_o, 32 * c, 32) != run->rings[c].block)
            bench_fail(bench, "channel %u stands at %08x, not %08x", c, (uint32_t)get_bits(rtl.get_o, 32 * c, 32),
                       run->rings[c].block);
    const bool asks = s == ENTRY_REQUEST || s == LINE_REQUEST;
    if (rtl.mem_req_valid_o != asks) bench_fail(bench, "state %u: request %u", s, rtl.mem_req_valid_o);
    const uint32_t addr = (s == LINE_REQUEST ? r.block : (uint32_t)entry_addr(r)) & ~31u;
    uint32_t data = 0;
    for (uint32_t i = 0; i < 8; i++)
        data |= rtl.mem_req_wdata_o[i];
    if (asks && (rtl.mem_req_op_o != REQUEST_READ || rtl.mem_req_channel_o != run->channel ||
                 rtl.mem_req_addr_o != addr || rtl.mem_req_atom_o != 0 || rtl.mem_req_wstrb_o != 0 || data != 0))
        bench_fail(bench, "state %u: request %u of %08x, not the read of %08x", s, rtl.mem_req_op_o, rtl.mem_req_addr_o,
                   addr);
    if (rtl.run_valid_o != shows) bench_fail(bench, "state %u: a word for the parser: %u, not %u", s, !shows, shows);
    if (shows && (rtl.run_channel_o != run->channel || rtl.run_held_o != (s == HELD) ||
                  (s != HELD && rtl.run_word_o != run->word)))
        bench_fail(bench, "word %08x of channel %u held %u, not %08x %u %u", rtl.run_word_o, rtl.run_channel_o,
                   rtl.run_held_o, run->word, run->channel, s == HELD);
    const uint32_t next = r.get + 1 == r.entries ? 0 : (r.get + 1) & 0xFFFF;
    if (rtl.gp_get_valid_o != (s == FINISH) || rtl.trace_gp_get_valid_o != (s == FINISH))
        bench_fail(bench, "state %u: GP_GET %u", s, rtl.gp_get_valid_o);
    if (s == FINISH && (rtl.gp_get_channel_o != run->channel || rtl.gp_get_value_o != next ||
                        rtl.trace_gp_get_channel_o != run->channel || rtl.trace_gp_get_value_o != next))
        bench_fail(bench, "GP_GET %u of channel %u, not %u of %u", rtl.gp_get_value_o, rtl.gp_get_channel_o, next,
                   run->channel);
    if (rtl.fault_valid_o != (s == FAULT)) bench_fail(bench, "state %u: fault %u", s, rtl.fault_valid_o);
    if (s == FAULT &&
        (rtl.fault_channel_o != run->channel || rtl.fault_code_o != run->code || rtl.fault_info_o != run->info))
        bench_fail(bench, "fault %u %08x of channel %u, not %u %08x of %u", rtl.fault_code_o, rtl.fault_info_o,
                   rtl.fault_channel_o, run->code, run->info, run->channel);
    if (rtl.trace_gp_entry_valid_o != (s == BEGIN))
        bench_fail(bench, "state %u: GP_ENTRY %u", s, rtl.trace_gp_entry_valid_o);
    const uint32_t at = (uint32_t)entry_addr(r) / 8 % 4 * 2;
    if (s == BEGIN &&
        (rtl.trace_gp_entry_channel_o != run->channel || rtl.trace_gp_entry_gp_get_o != r.get ||
         rtl.trace_gp_entry_entry0_o != run->line[at] || rtl.trace_gp_entry_entry1_o != run->line[at + 1]))
        bench_fail(bench, "GP_ENTRY %08x %08x, not %08x %08x", rtl.trace_gp_entry_entry0_o, rtl.trace_gp_entry_entry1_o,
                   run->line[at], run->line[at + 1]);
}

static void to_fault(struct next &n, uint32_t code, uint32_t info) {
    n.state = FAULT;
    n.code = code;
    n.info = info;
}

static void begin_entry(const struct ring &r, struct next &n) {
    if (r.entries < 2 || r.entries > MOST_ENTRIES) return to_fault(n, FAULT_GPPTR, r.entries);
    if (r.put >= r.entries) return to_fault(n, FAULT_GPPTR, r.put);
    if (r.get >= r.entries) return to_fault(n, FAULT_GPPTR, r.get);
    if (entry_addr(r) >> 32 != 0) return to_fault(n, FAULT_GPFIFO, (uint32_t)entry_addr(r));
    n.state = ENTRY_REQUEST;
}

static void check_entry(uint32_t entry1, struct next &n) {
    if (GP_ENTRY1_LENGTH_OF(entry1) == 0) {
        if (GP_ENTRY1_OPCODE_OF(entry1) != GP_ENTRY1_OPCODE_NOP) return to_fault(n, FAULT_GPENTRY, entry1);
        n.state = FINISH;
        return;
    }
    if (GP_ENTRY1_GET_HI_OF(entry1) != 0) return to_fault(n, FAULT_GPENTRY, entry1);
    n.begins = true;
    n.state = RUN;
}

#include "gp_fetch_twin.h"

// What the parser has said.
static void parsed(struct fetch_run *run, struct next &n, uint32_t ready) {
    const Vgp_fetch &rtl = run->rtl;
    switch (rtl.run_result_i) {
        case RUN_METHOD:
            n.turn = (run->turn + 1) % TURN;
            n.state = RUN;
            if (run->turn == TURN - 1 && (ready & ~(1u << run->channel)) != 0) {
                n.state = CHOOSE;
                run->turns++;
            }
            run->methods++;
            break;
        case RUN_HELD:
        case RUN_YIELD: n.state = CHOOSE; break;
        case RUN_FAULT: to_fault(n, rtl.run_code_i, rtl.run_info_i); break;
        case RUN_END: n.state = FINISH; break;
        default: break;
    }
}

static struct next rule(struct fetch_run *run, bool shows, uint32_t ready, bool chosen, uint32_t pick) {
    const Vgp_fetch &rtl = run->rtl;
    const struct ring &r = run->rings[run->channel];
    struct next n = {run->state, run->channel, run->code, run->info, run->turn, false, false, run->line_valid};
    const uint32_t refused = rtl.mem_rsp_fault_i == ANSWER_BUS_ERROR ? (uint32_t)FAULT_BUS_ERROR : 0;
    const uint32_t at = (uint32_t)entry_addr(r) / 8 % 4 * 2;
    switch (run->state) {
        case CHOOSE:
            n.line_valid = false;
            n.turn = 0;
            if (rtl.hold_i || !chosen) break;
            n.channel = pick;
            n.state = run->rings[pick].held ? HELD : run->rings[pick].busy ? RUN : ENTRY;
            break;
        case ENTRY: begin_entry(r, n); break;
        case ENTRY_REQUEST:
            if (rtl.mem_req_ready_i) n.state = ENTRY_WAIT;
            break;
        case ENTRY_WAIT:
            if (!rtl.mem_rsp_valid_i) break;
            n.state = READ;
            if (rtl.mem_rsp_fault_i == ANSWER_GOOD) break;
            to_fault(n, refused != 0 ? refused : FAULT_GPFIFO, (uint32_t)entry_addr(r));
            twin_refused(run, n, true);
            break;
        case READ: n.state = run->line_valid ? RUN : BEGIN; break;
        case BEGIN: n.state = CHECK; break;
        case CHECK:
            check_entry(run->line[at + 1], n);
            twin_entry(run, n);
            break;
        case RUN:
            if (!run->started && rtl.hold_i) break;
            if (!run->started && !(r.enable && !r.faulted && r.busy))
                n.state = CHOOSE;
            else if (r.left == 0)
                n.state = FINISH;
            else if (!line_hits(run))
                n.state = LINE_REQUEST;
            else
                n.consume = rtl.run_done_i;
            break;
        case LINE_REQUEST:
            if (rtl.mem_req_ready_i) n.state = LINE_WAIT;
            break;
        case LINE_WAIT:
            if (!rtl.mem_rsp_valid_i) break;
            n.line_valid = true;
            n.state = READ;
            if (rtl.mem_rsp_fault_i == ANSWER_GOOD) break;
            to_fault(n, refused != 0 ? refused : FAULT_PBFETCH, r.block);
            twin_refused(run, n, false);
            break;
        case HELD: break;
        case FINISH:
            twin_finish(run);
            n.state = CHOOSE;
            break;
        default: n.state = CHOOSE; break;
    }
    if (shows && rtl.run_done_i) parsed(run, n, ready);
    return n;
}

// What comes of it at the edge: the place in the entry, what registers and the parser keep.
static void edge(struct fetch_run *run, const struct next &n, bool shows) {
    const Vgp_fetch &rtl = run->rtl;
    struct ring &r = run->rings[run->channel];
    const uint32_t at = (uint32_t)entry_addr(r) / 8 % 4 * 2;
    if (run->state == BEGIN) {
        r.busy = true;
        r.left = 0;
        run->entries++;
    }
    if (n.begins) {
        r.block = run->line[at] & ~3u;
        r.left = GP_ENTRY1_LENGTH_OF(run->line[at + 1]);
    } else if (n.consume) {
        r.block += 4;
        if (run->state != BEGIN) r.left--;
    }
    if (run->state == FINISH) {
        r.busy = false;
        r.get = r.get + 1 == r.entries ? 0 : (r.get + 1) & 0xFFFF;
    }
    if (run->state == FAULT) {
        r.faulted = true;
        run->faults++;
    }
    if (shows && rtl.run_done_i) {
        r.held = rtl.run_result_i == RUN_HELD;
        run->held += r.held;
    }
    if (rtl.mem_rsp_valid_i) {
        run->line_addr = (run->state == LINE_WAIT ? r.block : (uint32_t)entry_addr(r)) >> 5;
        for (uint32_t i = 0; i < 8; i++)
            run->line[i] = rtl.mem_rsp_data_i[i];
    }
    run->started = shows && !rtl.run_done_i;
    run->state = n.state;
    run->channel = n.channel;
    run->code = n.code;
    run->info = n.info;
    run->turn = n.turn;
    run->line_valid = n.line_valid;
}

static void all_anew(struct fetch_run *run) {
    for (auto &r : run->rings) {
        r = ring();
        change_ring(run, r);
    }
    run->state = CHOOSE;
    run->started = run->line_valid = false;
    run->channel = run->turn = 0;
    run->choice = channel_choice();
}

// Software writes registers while the unit is quiet: rings, CONTROL, a reset; or a fault of the task unit stops a channel.
static uint32_t write_registers(struct fetch_run *run) {
    struct bench *bench = &run->bench;
    if (!run->rtl.quiet_o || !bench_chance(bench, 1, 2)) return CHANNELS;
    const uint32_t c = bench_below(bench, CHANNELS);
    struct ring &r = run->rings[c];
    const bool idle = !r.busy && !r.held;
    if (r.faulted || bench_chance(bench, 1, 6)) {
        run->rtl.ring_reset_i = (uint8_t)(1u << c);
        run->rtl.eval();
        return c;
    }
    if (bench_chance(bench, 1, 8)) r.faulted = true;
    if (bench_chance(bench, 1, 3)) r.enable = !r.enable;
    if (!idle && bench_chance(bench, 1, 8)) r.put = r.get;  // the block that was begun goes on
    // A ring that has another length now, while it is at work.
    if (!idle && bench_chance(bench, 1, 8))
        r.entries = (r.get + 1) ^
                    (bench_chance(bench, 1, 3) ? 0 : 1u << (bench_chance(bench, 1, 2) ? 31 : bench_below(bench, 32)));
    if (idle && bench_chance(bench, 1, 2)) change_ring(run, r);
    if (idle && r.put == r.get && r.entries > 2) r.put = bench_below(bench, r.entries);
    return CHANNELS;
}

static void step(struct fetch_run *run) {
    struct bench *bench = &run->bench;
    Vgp_fetch &rtl = run->rtl;
    inputs(run);
    const struct ring &r = run->rings[run->channel];
    const bool goes = run->started || (!rtl.hold_i && r.enable && !r.faulted && r.busy);
    const bool word = run->state == RUN && goes && r.left != 0 && line_hits(run), shows = word || run->state == HELD;
    if (word) run->word = run->line[r.block / 4 % 8];
    compare(run, shows);
    twin_due(run);
    uint8_t priority[CHANNELS];
    for (uint32_t c = 0; c < CHANNELS; c++)
        priority[c] = (uint8_t)run->rings[c].priority;
    uint32_t pick = 0;
    const uint32_t ready = others_ready(run);
    const bool chosen = channel_choice_pick(&run->choice, CHANNELS, ready, priority, &pick);
    const struct next n = rule(run, shows, ready, chosen, pick);
    if (run->state == CHOOSE && n.state != CHOOSE) channel_choice_take(&run->choice, pick);
    // A ring whose work is done gets more, sooner or later.
    for (auto &one : run->rings)
        if (!rtl.hold_i && bench_chance(bench, 1, 60) && one.put == one.get && one.entries > 2 && !one.faulted)
            one.put = bench_below(bench, one.entries);
    const uint32_t resets = write_registers(run);
    tick(rtl);
    edge(run, n, shows);
    if (resets < CHANNELS) {
        struct ring &fresh = run->rings[resets];
        const uint32_t block = fresh.block, left = fresh.left;
        fresh = ring();
        change_ring(run, fresh);
        fresh.block = block;
        fresh.left = left;
    }
    if (rtl.rst_i) all_anew(run);
}

int main(int argc, char **argv) {
    static struct fetch_run run;
    bench_begin(&run.bench, argc, argv, 300000);
    registers_at_random(run.bench.seed);
    Vgp_fetch &rtl = run.rtl;
    run.model = ppu_create(bench_config(), 1u << 16, run.bench.seed);
    rtl.hold_i = rtl.inject_i = rtl.mem_rsp_valid_i = rtl.run_done_i = 0;
    all_anew(&run);
    reset(rtl);
    while (bench_more(&run.bench))
        step(&run);
    rtl.final();
    ppu_destroy(run.model);
    printf("%llu entries, %llu methods, %llu faults, %llu turns ended, %llu methods held\n",
           (unsigned long long)run.entries, (unsigned long long)run.methods, (unsigned long long)run.faults,
           (unsigned long long)run.turns, (unsigned long long)run.held);
    if (run.bench.ops >= 100000 && (run.entries == 0 || run.turns == 0 || run.faults == 0 || run.held == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
