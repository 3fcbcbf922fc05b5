// lane_special: every operation that lanes share units for, a new one in every cycle or with gaps, corner and random operands, against the C twin;
// a result stays until the next one's.
#include <verilated.h>

#include "Vlane_special.h"
#include "bench.h"
#include "tick.h"

extern "C" {
#include "gen/isa.h"
#include "sm/lane.h"
}

static const uint8_t operations[] = {OP_MOV,  OP_POPC, OP_CLZ, OP_BREV, OP_UBFE, OP_IBFE, OP_PRMT, OP_FSHL, OP_BFI,
                                     OP_FSHR, OP_F2I,  OP_I2F, OP_FRND, OP_FRCP, OP_FRSQ, OP_FEX2, OP_FLG2};

// What is under way: number 0 was started in the last cycle.
struct expected {
    bool valid;
    uint32_t opcode, mod, a, b, c, result;
};

static uint32_t operand(struct bench *bench) {
    static const uint32_t corners[] = {0,          1,          31,         32,         33,
                                       0x80000000, 0xFFFFFFFF, 0x1F00,     0x2000,     0x201F,
                                       0x3F00,     0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000,
                                       0x7FC00000, 0x007FFFFF, 0x00800000, 0x4F000000, 0x4F7FFFFF};
    const uint32_t random = (uint32_t)bench_random(bench);
    switch (bench_below(bench, 5)) {
        case 0: return corners[bench_below(bench, sizeof corners / sizeof corners[0])];
        case 1: return random >> bench_below(bench, 32);
        case 2: return (random & 0x807FFFFF) | (127 - 26 + bench_below(bench, 60)) << 23;  // of the size of an integer
        default: return random;
    }
}

static struct expected next_operation(struct bench *bench) {
    struct expected e = {
        true, operations[bench_below(bench, sizeof operations)], 0, operand(bench), operand(bench), operand(bench), 0};
    e.mod = e.opcode == OP_F2I || e.opcode == OP_I2F ? bench_below(bench, 8) : bench_below(bench, 4);
    // For SHFL, which has the value in ra.
    e.result = e.opcode == OP_MOV ? e.a : lane_execute(e.opcode, e.mod, e.a, e.b, e.c);
    return e;
}

// A unit that does so many.
static void some(struct bench *bench, uint32_t count) {
    Vlane_special rtl;
    struct expected pipe[3] = {};
    rtl.start_i = 0;
    while (count-- > 0 && bench_more(bench)) {
        struct expected e = {};
        if (bench_chance(bench, 5, 8)) e = next_operation(bench);
        rtl.start_i = e.valid;
        // Without start_i nothing matters.
        rtl.op_i = (uint8_t)(e.valid ? e.opcode : bench_below(bench, 128));
        rtl.mod_i = (uint8_t)(e.valid ? e.mod : bench_below(bench, 8));
        rtl.a_i = e.valid ? e.a : operand(bench);
        rtl.b_i = e.valid ? e.b : operand(bench);
        rtl.c_i = e.valid ? e.c : operand(bench);
        tick(rtl);
        if (pipe[1].valid) pipe[2] = pipe[1];  // its result is there until the next one's
        pipe[1] = pipe[0];
        pipe[0] = e;
        const struct expected &is = pipe[2];
        if (is.valid && rtl.result_o != is.result)
            bench_fail(bench, "%s mod %u a 0x%08x b 0x%08x c 0x%08x: 0x%08x, model 0x%08x",
                       isa_table[is.opcode].mnemonic, is.mod, is.a, is.b, is.c, rtl.result_o, is.result);
    }
    rtl.final();
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 400000);
    registers_at_random(bench.seed);
    while (bench.op < bench.ops)  // it has no reset: it is made anew now and then, and comes up otherwise
        some(&bench, 1 + bench_below(&bench, 20000));
    return bench_end(&bench);
}
