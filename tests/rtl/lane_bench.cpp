// lane: every integer operation in random order, a new one in every cycle or with gaps, corner and random operands, RTL
// against the C twin. In small the lane is one of those that share special units: the bench hands over their results.
#include <verilated.h>

#include "Vlane.h"
#include "bench.h"
#include "tick.h"

extern "C" {
#include "gen/isa.h"
#include "sm/lane.h"
}

static const uint8_t operations[] = {
    OP_MOV,   OP_IADD,  OP_ISUB,  OP_IMUL,    OP_IMULHI,  OP_UMULHI,  OP_AND,     OP_OR,    OP_XOR,   OP_SHL,  OP_SHR,
    OP_SAR,   OP_IMIN,  OP_IMAX,  OP_UMIN,    OP_UMAX,    OP_ISETP,   OP_SEL,     OP_POPC,  OP_CLZ,   OP_BREV, OP_IADDC,
    OP_IADDO, OP_ISUBO, OP_ISUBC, OP_IADDSAT, OP_UADDSAT, OP_ISUBSAT, OP_USUBSAT, OP_UBFE,  OP_IBFE,  OP_IMAD, OP_PRMT,
    OP_FSHL,  OP_BFI,   OP_FSHR,  OP_IMADHI,  OP_UMADHI,  OP_PSETP,   OP_R2P,     OP_IABSD, OP_UABSD,
};
static const bool shared = strcmp(BENCH_CONFIG, "small") == 0;  // scripts/verilate-unit
#define OPERATIONS (sizeof operations / sizeof operations[0])

// What is under way: number 0 was started in the last cycle.
struct expected {
    bool valid;
    uint8_t opcode;
    uint32_t mod, a, b, c, p;
    bool has_result, has_pred;
    bool handed;  // another unit does it
    uint32_t result, pred;
};

static uint32_t operand(struct bench *bench) {
    static const uint32_t corners[] = {0,          1,          2,          31,         32,      33,         0xFF,
                                       0x100,      0x7FFF,     0x8000,     0xFFFF,     0x10000, 0x7FFFFFFF, 0x80000000,
                                       0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x55555555, 0x2000,  0x1F1F};
    const uint32_t random = (uint32_t)bench_random(bench);
    switch (bench_below(bench, 4)) {
        case 0: return corners[bench_below(bench, sizeof corners / sizeof corners[0])];
        case 1: return random >> bench_below(bench, 32);
        default: return random;
    }
}

static struct expected next_operation(struct bench *bench) {
    struct expected e = {};
    e.valid = true;
    e.opcode = operations[bench_below(bench, OPERATIONS)];
    e.a = operand(bench);
    e.b = bench_chance(bench, 1, 8) ? e.a : operand(bench);  // equal operands are a corner of comparisons
    const bool funnel = e.opcode == OP_FSHL || e.opcode == OP_FSHR;
    e.c = funnel && bench_chance(bench, 1, 2) ? e.a : operand(bench);
    e.p = bench_below(bench, 4);
    e.mod = bench_below(bench, 16);
    e.has_result = true;
    uint32_t c = e.c;
    switch (e.opcode) {
        case OP_ISETP:
            while (isa_cmp_names[e.mod] == NULL)
                e.mod = bench_below(bench, 16);
            e.has_result = false;
            e.has_pred = true;
            e.pred = lane_execute(e.opcode, e.mod, e.a, e.b, 0);
            return e;
        case OP_PSETP:
            e.mod = bench_below(bench, 3);
            e.has_result = false;
            e.has_pred = true;
            e.pred = lane_execute(e.opcode, e.mod, e.p & 1u, e.p >> 1, 0);
            return e;
        case OP_R2P:
            e.has_result = false;
            e.has_pred = true;
            e.pred = e.p & 1u;
            return e;
        case OP_IADDO:
        case OP_IADDC:
        case OP_ISUBO:
        case OP_ISUBC:
            e.has_pred = true;
            e.pred = lane_carry(e.opcode, e.a, e.b, e.p & 1u);
            c = e.p;
            break;
        case OP_SEL: c = e.p; break;
        default: break;
    }
    e.result = lane_execute(e.opcode, e.mod, e.a, e.b, c);
    return e;
}

static void check(struct bench *bench, const char *what, const struct expected &e, uint32_t rtl, uint32_t model) {
    if (rtl == model) return;
    bench_fail(bench, "%s %s mod %u a 0x%08x b 0x%08x c 0x%08x p %u: 0x%08x, model 0x%08x",
               isa_table[e.opcode].mnemonic, what, e.mod, e.a, e.b, e.c, e.p, rtl, model);
}

// Every integer operation that the table has as built must be tried here.
static void check_complete(struct bench *bench) {
    for (uint32_t opcode = OP_MOV; opcode < OP_SMOV; opcode++) {
        const struct isa_info *info = &isa_table[opcode];
        if (info->mnemonic == NULL || !info->built || opcode == OP_SHFL || opcode == OP_P2R) continue;
        if (info->mnemonic[0] == 'F' && opcode != OP_FSHL && opcode != OP_FSHR) continue;
        bool found = false;
        for (size_t i = 0; i < OPERATIONS; i++)
            found = found || operations[i] == opcode;
        if (!found) bench_fail(bench, "%s is built but not tried by this bench", info->mnemonic);
    }
}

// Is it an operation of the units that lanes share?
static bool is_special(uint32_t opcode) {
    switch (opcode) {
        case OP_PRMT:
        case OP_POPC:
        case OP_CLZ:
        case OP_BREV:
        case OP_UBFE:
        case OP_IBFE:
        case OP_BFI:
        case OP_FSHL:
        case OP_FSHR: return true;
        default: return false;
    }
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    check_complete(&bench);
    registers_at_random(bench.seed);
    Vlane rtl;
    struct expected pipe[3] = {};
    rtl.clk_i = 0;
    rtl.inject_i = 0;
    rtl.eval();
    uint64_t started = 0;
    while (bench_more(&bench)) {
        struct expected e = {};
        if (bench_chance(&bench, 7, 8)) e = next_operation(&bench);
        started += e.valid;
        // A rotation may be told as one, or not.
        const bool funnel = e.valid && (e.opcode == OP_FSHL || e.opcode == OP_FSHR);
        rtl.rotate_i = (!funnel || e.a == e.c) && bench_chance(&bench, 3, 4);
        e.handed = shared && e.valid && is_special(e.opcode) && !(funnel && rtl.rotate_i);
        const bool own = e.valid && !e.handed;
        rtl.valid_i = own;
        // The unit gets the register form's opcode, also for R2P; without valid_i nothing may matter.
        rtl.op_i = own ? e.opcode & 0x7Fu : bench_below(&bench, 128);
        rtl.mod_i = own ? e.mod : bench_below(&bench, 16);
        rtl.a_i = own ? e.a : operand(&bench);
        rtl.b_i = own ? e.b : operand(&bench);
        rtl.c_i = own ? e.c : operand(&bench);
        rtl.p_i = own ? e.p : bench_below(&bench, 4);
        // A lane that has all operations itself does not look at what is handed over.
        const bool hands = pipe[1].valid && pipe[1].handed;
        rtl.special_valid_i = shared ? hands : bench_chance(&bench, 1, 4);
        rtl.special_i = hands ? pipe[1].result : operand(&bench);
        tick(rtl);
        pipe[2] = pipe[1];
        pipe[1] = pipe[0];
        pipe[0] = e;
        if (pipe[0].valid && pipe[0].has_pred) check(&bench, "predicate", pipe[0], rtl.pred_o, pipe[0].pred);
        if (pipe[2].valid && pipe[2].has_result) check(&bench, "result", pipe[2], rtl.result_o, pipe[2].result);
    }
    if (bench.ops >= 100 && started == 0) bench_fail(&bench, "no operation was started");
    rtl.final();
    return bench_end(&bench);
}
