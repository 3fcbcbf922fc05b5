// sm_select: SMs that show random things, of which software selects random ones, those that there are not as well: all that registers show, and
// which SM gets an operation on a token deque, against rules of its own. There is no C twin: the model reads where it is asked. Compiled with
// -DSMS= -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vsm_select.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t COUNTS = 10;

// What an SM shows.
struct sm {
    bool live[WARPS], held[WARPS];
    bool will_hold, ready;
    uint32_t ends, kept, pc, state, counts[COUNTS];
    uint64_t mask;
};

struct run {
    struct bench bench;
    Vsm_select rtl;
    struct sm sm[SMS];
    uint32_t resident;  // of the cycle before
    uint64_t taken[SMS], selected[SMS][WARPS], first[SMS][WARPS], none, all;
};

static void same(struct run *run, const char *what, uint64_t rtl, uint64_t rule) {
    if (rtl != rule)
        bench_fail(&run->bench, "WARP_SELECT is %04x: %s is %" PRIx64 ", not %" PRIx64, run->rtl.warp_select_i, what,
                   rtl, rule);
}

static void show(struct run *run, uint32_t s) {
    struct bench *bench = &run->bench;
    Vsm_select &rtl = run->rtl;
    struct sm *sm = &run->sm[s];
    const uint64_t live = bench_mask(bench, WARPS), held = bench_chance(bench, 1, 3) ? 0 : bench_mask(bench, WARPS);
    for (uint32_t w = 0; w < WARPS; w++) {
        sm->live[w] = live >> w & 1;
        sm->held[w] = held >> w & 1;
        set_bits(rtl.sm_live_i, s * WARPS + w, 1, sm->live[w]);
        set_bits(rtl.sm_held_i, s * WARPS + w, 1, sm->held[w]);
    }
    sm->will_hold = bench_chance(bench, 1, 3);
    sm->ready = bench_chance(bench, 1, 2);
    sm->ends = (uint32_t)bench_random(bench);
    sm->kept = (uint32_t)bench_random(bench);
    sm->pc = (uint32_t)bench_random(bench);
    sm->state = (uint32_t)bench_random(bench) & 0xFFFF;
    sm->mask = bench_random(bench);
    for (uint32_t &count : sm->counts)
        count = (uint32_t)bench_random(bench);
    set_bits(rtl.sm_warp_held_i, s, 1, sm->will_hold);
    set_bits(rtl.sm_deque_ready_i, s, 1, sm->ready);
    set_bits(rtl.sm_deque_ends_i, 32 * s, 32, sm->ends);
    set_bits(rtl.sm_deque_kept_i, 32 * s, 32, sm->kept);
    set_bits(rtl.sm_warp_pc_i, 32 * s, 32, sm->pc);
    set_bits(rtl.sm_warp_mask_i, 64 * s, 64, sm->mask);
    set_bits(rtl.sm_warp_state_i, 16 * s, 16, sm->state);
    set_bits(rtl.sm_count_issued_i, 32 * s, 32, sm->counts[0]);
    set_bits(rtl.sm_count_idle_memory_i, 32 * s, 32, sm->counts[1]);
    set_bits(rtl.sm_count_idle_score_i, 32 * s, 32, sm->counts[2]);
    set_bits(rtl.sm_count_idle_none_i, 32 * s, 32, sm->counts[3]);
    set_bits(rtl.sm_count_l1_hits_i, 32 * s, 32, sm->counts[4]);
    set_bits(rtl.sm_count_l1_misses_i, 32 * s, 32, sm->counts[5]);
    set_bits(rtl.sm_count_shared_passes_i, 32 * s, 32, sm->counts[6]);
    set_bits(rtl.sm_count_shared_conflicts_i, 32 * s, 32, sm->counts[7]);
    set_bits(rtl.sm_count_signature_i, 32 * s, 32, sm->counts[8]);
    set_bits(rtl.sm_count_signature_limit_i, 32 * s, 32, sm->counts[9]);
}

// A number below n, or one that differs from such a number in a bit, or any.
static uint32_t about(struct bench *bench, uint32_t n) {
    switch (bench_below(bench, 8)) {
        case 0: return bench_below(bench, 256);
        case 1: return bench_below(bench, n) ^ 1u << bench_below(bench, 8);
        default: return bench_below(bench, n);
    }
}

// The first held warp of the first SM that has one, as DEQUE_HELD shows it.
static uint32_t first_held(struct run *run) {
    for (uint32_t s = 0; s < SMS; s++)
        for (uint32_t w = 0; w < WARPS; w++)
            if (run->sm[s].held[w]) {
                run->first[s][w]++;
                return 0x80000000u | s << 8 | w;
            }
    run->none++;
    return 0;
}

static void check_all(struct run *run) {
    const Vsm_select &rtl = run->rtl;
    bool any = false;
    for (const struct sm &sm : run->sm)
        any = any || sm.will_hold;
    same(run, "resident_o", rtl.resident_o, run->resident);
    same(run, "warp_held_o", rtl.warp_held_o, any);
    same(run, "deque_held_o", rtl.deque_held_o, first_held(run));
}

static void check_counts(struct run *run, const struct sm &sm) {
    const Vsm_select &rtl = run->rtl;
    const uint32_t shown[COUNTS] = {rtl.count_issued_o,         rtl.count_idle_memory_o,      rtl.count_idle_score_o,
                                    rtl.count_idle_none_o,      rtl.count_l1_hits_o,          rtl.count_l1_misses_o,
                                    rtl.count_shared_passes_o,  rtl.count_shared_conflicts_o, rtl.count_signature_o,
                                    rtl.count_signature_limit_o};
    for (uint32_t i = 0; i < COUNTS; i++)
        same(run, "a count", shown[i], sm.counts[i]);
}

static void check_selected(struct run *run, uint32_t s, uint32_t w) {
    const Vsm_select &rtl = run->rtl;
    const struct sm &sm = run->sm[s < SMS ? s : 0];
    const bool held = s < SMS && w < WARPS && sm.held[w];
    check_counts(run, sm);
    same(run, "warp_pc_o", rtl.warp_pc_o, sm.pc);
    same(run, "warp_mask_o", rtl.warp_mask_o, sm.mask);
    same(run, "warp_state_o", rtl.warp_state_o, sm.state);
    same(run, "deque_ends_o", rtl.deque_ends_o, sm.ends);
    same(run, "deque_kept_o", rtl.deque_kept_o, sm.kept);
    same(run, "deque_selected_o", rtl.deque_selected_o, held);
    same(run, "deque_ready_o", rtl.deque_ready_o, s < SMS && sm.ready);
    if (held) run->selected[s][w]++;
    for (uint32_t k = 0; k < SMS; k++) {
        const bool goes = rtl.deque_valid_i && k == s;
        same(run, "sm_deque_valid_o", get_bits(rtl.sm_deque_valid_o, k, 1), goes);
        same(run, "sm_deque_op_o", get_bits(rtl.sm_deque_op_o, k, 1), rtl.deque_op_i);
        same(run, "sm_deque_places_o", get_bits(rtl.sm_deque_places_o, 16 * k, 16), rtl.deque_places_i);
        run->taken[k] += goes && sm.ready;
    }
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vsm_select &rtl = run->rtl;
    const uint32_t s = about(bench, SMS), w = about(bench, WARPS);
    rtl.rst_i = bench_chance(bench, 1, 100);
    for (uint32_t k = 0; k < SMS; k++)
        show(run, k);
    rtl.warp_select_i = (uint16_t)(s << 8 | w);
    rtl.deque_valid_i = s < SMS && bench_chance(bench, 1, 2);
    rtl.deque_op_i = bench_below(bench, 2);
    rtl.deque_places_i = (uint16_t)bench_random(bench);
    rtl.eval();
    check_all(run);
    check_selected(run, s, w);
    run->resident = 0;
    for (const struct sm &sm : run->sm)
        for (bool live : sm.live)
            run->resident += live;
    run->all += run->resident == SMS * WARPS;
    if (rtl.rst_i) run->resident = 0;
    tick(rtl);
}

static bool all_seen(const struct run *run) {
    bool all = run->none != 0 && run->all != 0;
    for (uint32_t s = 0; s < SMS; s++) {
        all = all && run->taken[s] != 0;
        for (uint32_t w = 0; w < WARPS; w++)
            all = all && run->selected[s][w] != 0 && run->first[s][w] != 0;
    }
    return all;
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 20000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.deque_valid_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops >= 20000 && !all_seen(&run)) bench_fail(&run.bench, "something never took place");
    return bench_end(&run.bench);
}
