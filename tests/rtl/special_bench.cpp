// special: random special registers of random task slots and CTAs, what is alike for all threads, against the C twin. The ids of the threads,
// which come from elsewhere in the RTL, are the twin's alone: here they are counted, x, then y, then z.
// Compiled with -DTHREADS= -DTASK_SLOTS= -DWARPS= as the unit was verilated, and -DBENCH_CONFIG=.
#include <verilated.h>

#include "Vspecial.h"
#include "bench.h"
#include "bench_config.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "base/run.h"
#include "gen/isa.h"
#include "mem/mem.h"
#include "sm/sm_internal.h"
}
#include "gen/bundles.h"

struct twin {
    struct run run;
    struct mem *mem;
    struct sm *sm;
    struct task_slot slots[TASK_SLOTS];
    const struct task_slot *wires[TASK_SLOTS];
};

// Ids of threads, as they are counted: only so many are there.
static void check_ids(struct bench *bench, const struct twin *twin, const struct warp *warp, uint32_t number,
                      const uint32_t *result) {
    const struct task_slot &s = twin->slots[warp->slot];
    uint32_t id[3] = {0, 0, 0};
    const uint32_t first = warp->index * THREADS;
    for (uint32_t t = 0; t < first + THREADS; t++) {
        const uint32_t wanted = t < s.threads ? id[number - SR_TID_X] : 0;
        if (t >= first && result[t - first] != wanted)
            bench_fail(bench, "register %u of thread %u is %u, not %u", number, t, result[t - first], wanted);
        id[0]++;
        for (uint32_t i = 0; i < 2 && id[i] == s.ntid[i]; i++) {
            id[i] = 0;
            id[i + 1]++;
        }
    }
}

static void step(struct bench *bench, Vspecial &rtl, struct twin *twin) {
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        struct task_slot &s = twin->slots[k];
        for (uint32_t i = 0; i < 3; i++) {
            s.ntid[i] = 1 + bench_below(bench, bench_chance(bench, 1, 2) ? 9 : (1u << 16) - 1);
            s.grid[i] = i == 0 ? (uint32_t)bench_random(bench) : bench_below(bench, 1u << 16);
        }
        s.threads = bench_chance(bench, 1, 2) ? bench_below(bench, WARPS * THREADS) : s.ntid[0] * s.ntid[1] * s.ntid[2];
        s.tmd = (uint32_t)bench_random(bench);
        set_bits(rtl.slot_ntid_x_i, k * 16, 16, s.ntid[0]);
        set_bits(rtl.slot_ntid_y_i, k * 16, 16, s.ntid[1]);
        set_bits(rtl.slot_ntid_z_i, k * 16, 16, s.ntid[2]);
        set_bits(rtl.slot_grid_x_i, k * 32, 32, s.grid[0]);
        set_bits(rtl.slot_grid_y_i, k * 16, 16, s.grid[1]);
        set_bits(rtl.slot_grid_z_i, k * 16, 16, s.grid[2]);
        set_bits(rtl.slot_tmd_i, k * 32, 32, s.tmd);
    }
    const uint32_t number = bench_chance(bench, 1, 8) ? bench_below(bench, 256) : bench_below(bench, SR_CLOCK_HI + 2);
    const uint32_t k = bench_below(bench, TASK_SLOTS), cta = bench_below(bench, WARPS);
    struct warp warp = {};
    warp.slot = k;
    warp.cta = cta;
    warp.index = bench_below(bench, WARPS);
    struct cta &place = twin->sm->ctas[cta];
    place.x = (uint32_t)bench_random(bench);
    place.y = bench_below(bench, 1u << 16);
    place.z = bench_below(bench, 1u << 16);
    twin->run.cycles = bench_random(bench);
    twin->sm->number = bench_below(bench, 256);
    rtl.number_i = (uint8_t)number;
    rtl.slot_i = (uint8_t)k;
    rtl.index_i = (uint8_t)warp.index;
    rtl.sm_index_i = (uint8_t)twin->sm->number;
    rtl.cycle_i = twin->run.cycles;
    rtl.cta_i = number == SR_CTAID_X ? place.x : place.z << 16 | place.y;
    rtl.eval();
    const uint32_t behind = (uint32_t)bench_random(bench);
    uint32_t result[WARP_THREADS_MAX + 1];
    result[THREADS] = behind;
    special_value(twin->sm, &warp, number, result);
    if (result[THREADS] != behind) bench_fail(bench, "register %u of a thread that is not there", number);
    if (number <= SR_TID_Z) return check_ids(bench, twin, &warp, number, result);
    for (uint32_t t = 0; t < THREADS; t++) {
        const uint32_t is = number == SR_LANEID ? t : rtl.value_o;
        if (is != result[t]) bench_fail(bench, "register %u is %08x, model %08x", number, is, result[t]);
    }
    // Which word of its CTA: for those that are of the CTA, and for the scalar registers of a trap, whose numbers are 128 and on.
    if (number >= 128 || number == SR_CTAID_X || number == SR_CTAID_Y || number == SR_CTAID_Z) {
        const uint32_t word = number >= 128 ? CTA_WORD_RECORD : number == SR_CTAID_X ? CTA_WORD_X : CTA_WORD_YZ;
        if (rtl.cta_word_o != word) bench_fail(bench, "register %u: word %u, not %u", number, rtl.cta_word_o, word);
    }
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 20000);
    Vspecial rtl;
    rtl.inject_i = 0;
    static struct twin twin;
    run_init(&twin.run, bench_config(), bench.seed);
    twin.mem = mem_create(&twin.run, 4096, nullptr);
    twin.sm = twin.mem == nullptr ? nullptr : sm_create(&twin.run, twin.mem, 0);
    if (twin.sm == nullptr) bench_fail(&bench, "no memory for the model");
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        twin.wires[k] = &twin.slots[k];
    struct sm_wires wires = {};
    wires.slot = twin.wires;
    sm_connect(twin.sm, &wires);
    while (bench_more(&bench))
        step(&bench, rtl, &twin);
    rtl.final();
    sm_destroy(twin.sm);
    mem_destroy(twin.mem);
    return bench_end(&bench);
}
