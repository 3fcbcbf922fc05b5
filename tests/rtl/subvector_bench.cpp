// subvector: the order of random sequences by program, setting, miss rate (at the threshold too) and shared rows, RTL
// against the C twin. Compiled with -DWARPS= -DTASK_SLOTS= as the unit was verilated.
#include <verilated.h>

#include "Vsubvector.h"
#define BENCH_SHOWS "SV-3"
#include "bench.h"
#include "port_bits.h"

extern "C" {
#include "gen/isa.h"
#include "sm/subvector.h"
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    Vsubvector rtl;
    uint64_t second = 0, at_threshold = 0;
    while (bench_more(&bench)) {
        for (uint32_t w = 0; w < WARPS; w++) {
            const uint32_t accesses = bench_below(&bench, bench_chance(&bench, 1, 2) ? 20 : 65536);
            set_bits(rtl.l1_accesses_i, w * 16, 16, accesses);
            set_bits(rtl.l1_misses_i, w * 16, 16, bench_below(&bench, accesses + 1));
        }
        for (uint32_t k = 0; k < TASK_SLOTS; k++)
            set_bits(rtl.slot_shared_rows_i, k * 8, 8, bench_chance(&bench, 1, 4) ? bench_below(&bench, 256) : 0);
        const uint32_t warp = bench_below(&bench, WARPS), slot = bench_below(&bench, TASK_SLOTS);
        struct subvector_request request = {};
        request.mod = bench_chance(&bench, 4, 5) ? SV_AUTO : SV_ALWAYS;
        request.setting = bench_chance(&bench, 2, 3) ? 0 : bench_below(&bench, 4);
        request.accesses = (uint32_t)get_bits(rtl.l1_accesses_i, warp * 16, 16);
        request.misses = (uint32_t)get_bits(rtl.l1_misses_i, warp * 16, 16);
        request.shared_rows = (uint32_t)get_bits(rtl.slot_shared_rows_i, slot * 8, 8);
        request.threshold = bench_chance(&bench, 1, 8) ? 0 : bench_below(&bench, 0x20000);
        const bool exact = request.accesses != 0 && bench_chance(&bench, 1, 2);
        if (exact) request.threshold = (request.misses << 16) / request.accesses + bench_below(&bench, 2);
        rtl.go_i = bench_chance(&bench, 1, 2);
        rtl.warp_i = warp;
        rtl.slot_i = slot;
        rtl.mod_i = request.mod;
        rtl.setting_i = request.setting;
        rtl.threshold_i = request.threshold;
        rtl.eval();
        const bool model = subvector_second(&request);
        if (rtl.second_o != model)
            bench_fail(&bench, "%u misses of %u, threshold %u, setting %u, mod %u, %u shared rows: second %u, model %u",
                       request.misses, request.accesses, request.threshold, request.setting, request.mod,
                       request.shared_rows, rtl.second_o, model);
        if (rtl.trace_sv_mode_valid_o != rtl.go_i || rtl.trace_sv_mode_warp_o != warp ||
            rtl.trace_sv_mode_accesses_o != request.accesses || rtl.trace_sv_mode_misses_o != request.misses ||
            rtl.trace_sv_mode_second_o != model)
            bench_fail(&bench, "event SV_MODE of warp %u", rtl.trace_sv_mode_warp_o);
        second += model;
        at_threshold += exact;
    }
    rtl.final();
    if (bench.ops >= 1000 && (second == 0 || second == bench.ops || at_threshold == 0))
        bench_fail(&bench, "always the same order");
    return bench_end(&bench);
}
