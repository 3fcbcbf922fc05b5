// scalar_unit: random SMOV, VOTE, SVLOOP_BEGIN, SVLOOP_END, SRD and R2S of random warps with random masks, RTL against
// the C twin. Compiled with -DTHREADS= -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vscalar_unit.h"
#include "bench.h"
#include "tick.h"

extern "C" {
#include "sm/scalar_unit.h"
#include "sm/trap.h"
}

static uint32_t scalar_number(struct bench *bench, bool exec_too) {
    if (exec_too && bench_chance(bench, 1, 3)) return bench_chance(bench, 1, 2) ? SCALAR_EXEC_LO : SCALAR_EXEC_HI;
    return bench_below(bench, bench_chance(bench, 1, 2) ? 2 : ISA_SCALARS);
}

static uint64_t random_word(struct bench *bench) {
    const uint32_t value = (uint32_t)bench_mask(bench, 32);
    switch (bench_below(bench, 6)) {
        case 0: return isa_encode_imm(OP_SMOV_I, 7, false, scalar_number(bench, true), 0, 0, value);
        case 1:
            return isa_encode_reg(OP_SMOV, 7, false, scalar_number(bench, true), 0, 0, scalar_number(bench, true), 0,
                                  0);
        case 2: return isa_encode_reg(OP_VOTE, 7, false, scalar_number(bench, true) & 0xFEu, 0, 0, 0, 0, 0);
        // Loops have no register of their own: the unit takes S0, whatever stands there.
        case 3: return isa_encode_imm(OP_SVLOOP_BEGIN, 7, false, scalar_number(bench, true), 0, 0, value);
        case 4: return isa_encode_imm(OP_SVLOOP_END, 7, false, scalar_number(bench, true), 0, 0, value);
        default: {
            const bool trap = bench_chance(bench, 1, 6);
            return isa_encode_reg(OP_SRD, 7, false, 1, 0, 0,
                                  trap ? SCALAR_TPC + bench_below(bench, 4) : scalar_number(bench, true), 0, 0);
        }
    }
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    registers_at_random(bench.seed);
    Vscalar_unit rtl;
    struct scalar_unit model[WARPS];
    for (uint32_t w = 0; w < WARPS; w++)
        scalar_unit_start(&model[w], THREADS);
    rtl.scalar_go_i = 0;
    rtl.write_valid_i = 0;
    rtl.clear_i = 0;
    reset(rtl);
    while (bench_more(&bench)) {
        const uint32_t w = bench_below(&bench, WARPS);
        const uint64_t word = random_word(&bench);
        const uint32_t opcode = isa_opcode(word);
        if (!scalar_registers_exist(word)) bench_fail(&bench, "word %016llx is no legal one", (unsigned long long)word);
        struct scalar_request request = {};
        request.word = word;
        request.active = bench_mask(&bench, THREADS);
        // The issue stage keeps away an SMOV whose guard holds for nobody.
        request.exec = bench_chance(&bench, 1, 2) || opcode != OP_VOTE ? request.active
                                                                       : request.active & bench_mask(&bench, THREADS);
        const bool r2s = bench_chance(&bench, 1, 4);
        const bool starts = bench_chance(&bench, 1, 64);
        struct scalar_result from = {};
        from.writes = true;
        from.rd = scalar_number(&bench, false);
        from.data = (uint32_t)bench_mask(&bench, 32);
        const uint32_t write_warp = bench_below(&bench, WARPS), start_warp = bench_below(&bench, WARPS);
        rtl.scalar_warp_i = w;
        rtl.scalar_opcode_i = opcode;
        rtl.scalar_rd_i = isa_rd(word);
        rtl.scalar_imm_i = isa_imm(word);
        rtl.scalar_active_i = request.active;
        rtl.scalar_exec_i = request.exec;
        const bool tpc = r2s && bench_chance(&bench, 1, 6);  // kept elsewhere; the event is of this unit
        if (tpc) from.rd = SCALAR_TPC;
        rtl.trap_value_i = (uint32_t)bench_mask(&bench, 32);
        rtl.write_valid_i = r2s;
        rtl.write_warp_i = write_warp;
        rtl.write_rd_i = tpc ? 16 : r2s ? from.rd : bench_below(&bench, 32);
        rtl.write_data_i = (uint32_t)from.data;
        rtl.scalar_go_i = 0;
        rtl.eval();
        if (rtl.scalar_free_o == r2s) bench_fail(&bench, "scalar_free_o %u with R2S %u", rtl.scalar_free_o, r2s);
        const bool executes = opcode != OP_SRD;
        if (scalar_executes(opcode) != executes || scalar_executes(OP_R2S) || scalar_executes(OP_IADD))
            bench_fail(&bench, "the model executes others");
        const bool go = executes && !r2s && bench_chance(&bench, 3, 4);
        // A warp that starts is none that executes.
        rtl.clear_i = starts && start_warp != w && start_warp != write_warp;
        rtl.clear_warp_i = start_warp;
        rtl.scalar_go_i = go;
        rtl.eval();
        struct scalar_result result = {};
        if (executes) {
            scalar_execute(&model[w], &request, &result);
            const bool loops = opcode == OP_SVLOOP_BEGIN || opcode == OP_SVLOOP_END;
            if (result.writes_exec != (loops || isa_rd(word) >= ISA_SCALARS))
                bench_fail(&bench, "%s: the model writes EXEC %u", isa_table[opcode].mnemonic, result.writes_exec);
            if (result.writes_exec && rtl.scalar_wanted_o != result.wanted)
                bench_fail(&bench, "%s active %llx: wanted %llx, model %llx", isa_table[opcode].mnemonic,
                           (unsigned long long)request.active, (unsigned long long)rtl.scalar_wanted_o,
                           (unsigned long long)result.wanted);
            if (loops && rtl.scalar_taken_o != result.taken)
                bench_fail(&bench, "%s: taken %u, model %u", isa_table[opcode].mnemonic, rtl.scalar_taken_o,
                           result.taken);
        } else {
            const uint32_t value =
                trap_reads(isa_rb(word)) ? rtl.trap_value_i : scalar_read(&model[w], isa_rb(word), request.active);
            if (rtl.scalar_value_o != value)
                bench_fail(&bench, "warp %u: scalar register %u is %08x, model %08x", w, isa_rb(word),
                           rtl.scalar_value_o, value);
        }
        const struct scalar_result *written = r2s ? &from : go && result.writes ? &result : NULL;
        const uint32_t at = r2s ? write_warp : w;
        if (rtl.trace_swb_valid_o != (written != NULL)) bench_fail(&bench, "event SWB %u", rtl.trace_swb_valid_o);
        if (written != NULL && (rtl.trace_swb_warp_o != at || rtl.trace_swb_rd_o != written->rd ||
                                rtl.trace_swb_pair_o != written->pair || rtl.trace_swb_data_o != written->data))
            bench_fail(&bench, "event SWB S%u %llx pair %u, model S%u %llx pair %u", rtl.trace_swb_rd_o,
                       (unsigned long long)rtl.trace_swb_data_o, rtl.trace_swb_pair_o, written->rd,
                       (unsigned long long)written->data, written->pair);
        if (written != NULL && !tpc) scalar_write(&model[at], written);
        if (rtl.clear_i) scalar_unit_start(&model[start_warp], THREADS);
        tick(rtl);
    }
    rtl.final();
    printf("shows: SV-8 [rtl]\n");
    return bench_end(&bench);
}
