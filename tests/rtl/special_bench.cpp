// special: random special registers of random task slots, against what the table of special registers (cmodel/isa/isa.tbl) says of each.
// The C twin reads them of its own records of tasks and CTAs; here a record of each is drawn.
// Compiled with -DTASK_SLOTS= as the unit was verilated.
#include <verilated.h>

#include "Vspecial.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "gen/isa.h"
}

static const uint32_t RECORD = 0, X = 2, YZ = 3;  // CTA_WORD_* of rtl/bundles.tbl

struct slot {
    uint32_t ntid[3], grid[3], tmd;
};

static void step(struct bench *bench, Vspecial &rtl) {
    struct slot slots[TASK_SLOTS];
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        struct slot &s = slots[k];
        for (uint32_t i = 0; i < 3; i++) {
            s.ntid[i] = bench_below(bench, 1u << 16);
            s.grid[i] = i == 0 ? (uint32_t)bench_random(bench) : bench_below(bench, 1u << 16);
        }
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
    const uint32_t k = bench_below(bench, TASK_SLOTS), cta = (uint32_t)bench_random(bench);
    const struct slot &s = slots[k];
    rtl.number_i = (uint8_t)number;
    rtl.slot_i = (uint8_t)k;
    rtl.index_i = (uint8_t)bench_random(bench);
    rtl.sm_index_i = (uint8_t)bench_random(bench);
    rtl.cta_i = cta;
    rtl.cycle_i = bench_random(bench);
    rtl.eval();
    uint32_t wanted = 0;
    switch (number) {
        case SR_CTAID_X: wanted = cta; break;
        case SR_CTAID_Y: wanted = cta & 0xFFFF; break;
        case SR_CTAID_Z: wanted = cta >> 16; break;
        case SR_NTID_X: wanted = s.ntid[0]; break;
        case SR_NTID_Y: wanted = s.ntid[1]; break;
        case SR_NTID_Z: wanted = s.ntid[2]; break;
        case SR_NCTAID_X: wanted = s.grid[0]; break;
        case SR_NCTAID_Y: wanted = s.grid[1]; break;
        case SR_NCTAID_Z: wanted = s.grid[2]; break;
        case SR_WARPID: wanted = rtl.index_i; break;
        case SR_SMID: wanted = rtl.sm_index_i; break;
        case SR_TMD: wanted = s.tmd; break;
        case SR_CLOCK_LO: wanted = (uint32_t)rtl.cycle_i; break;
        case SR_CLOCK_HI: wanted = (uint32_t)(rtl.cycle_i >> 32); break;
        default: break;
    }
    if (rtl.value_o != wanted) bench_fail(bench, "register %u is %08x, not %08x", number, rtl.value_o, wanted);
    // Which word of its CTA: for those that are of the CTA, and for the scalar registers of a trap, whose numbers are 128 and on.
    if (number >= 128 || number == SR_CTAID_X || number == SR_CTAID_Y || number == SR_CTAID_Z) {
        const uint32_t word = number >= 128 ? RECORD : number == SR_CTAID_X ? X : YZ;
        if (rtl.cta_word_o != word) bench_fail(bench, "register %u: word %u, not %u", number, rtl.cta_word_o, word);
    }
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 20000);
    Vspecial rtl;
    rtl.inject_i = 0;
    while (bench_more(&bench))
        step(&bench, rtl);
    rtl.final();
    return bench_end(&bench);
}
