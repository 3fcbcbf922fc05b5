// sm: tasks of one SM, RTL and model in lockstep (sm_follow.h): random programs, several at once, over a memory that answers late and
// sometimes with errors, and small programs of which C++ says what must come out. Shown: every lane operation, loads and
// stores of all sizes, generic addresses, constant buffers, atomics, divergence, calls, traps, children,
// barriers, thread ids, several CTAs and tasks at once, every fault of a warp, kills, that registers and predicates
// start as zero, that empty portions cost nothing, that the lanes are kept busy, that no warp is passed over for
// long, and that the two memories' rows take turns. An operation of --ops is an issued instruction.
// --trace shows the events; --only NAME runs one kind of program;
// --inject N (unit built with INJECT=1) switches a defect on: the bench must then fail.
#include "sm_world.h"

static const uint32_t IN_B = 0x4000, OUT = 0x10000, STEP = 0x2000;

#include "sm_corner_programs.h"
#include "sm_memory_programs.h"
#include "sm_random_programs.h"
#include "sm_random_tasks.h"

// Every two-operand operation, both forms, and comparisons; a handful a program.
static void test_alu(world &w) {
    static const unsigned ops[] = {OP_MOV,  OP_IADD, OP_ISUB, OP_IMUL, OP_IMULHI, OP_UMULHI, OP_AND,
                                   OP_OR,   OP_XOR,  OP_SHL,  OP_SHR,  OP_SAR,    OP_IMIN,   OP_IMAX,
                                   OP_UMIN, OP_UMAX, OP_POPC, OP_CLZ,  OP_BREV};
    static const unsigned cmps[] = {CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_ULT, CMP_ULE, CMP_UGT, CMP_UGE};
    randomize(w);
    shape s = random_shape(w, 8);
    uint32_t imm = peek(w, DATA + 4 * bench_below(w.bench, 1000));
    unsigned op[4], cmp = cmps[bench_below(w.bench, 10)], pa = bench_below(w.bench, 7);
    program p = head();
    load(w, p, 3, 0);
    load(w, p, 4, IN_B);
    for (int i = 0; i < 4; i++) {
        op[i] = ops[bench_below(w.bench, 19)];
        p.push_back(i % 2 ? im(op[i] | 0x80, 5, 3, imm) : r3(op[i], 5, 3, 4));
        store(p, 5, OUT + (uint32_t)i * STEP);
    }
    p.push_back(r3(OP_IMAD, 5, 3, 4, 0));
    store(p, 5, OUT + 4 * STEP);
    p.push_back(r3(OP_ISETP, pa, 3, 4, 0, cmp));
    p.push_back(im(OP_SEL_I, 6, 3, imm, pa | 8));
    p.push_back(r3(OP_P2R, 7, 0, 0));
    store(p, 6, OUT + 5 * STEP);
    store(p, 7, OUT + 6 * STEP);
    p.push_back(im(OP_R2P, 0, 3, 0x5B));
    p.push_back(r3(OP_PSETP, 2, 0, 9, 0, 1));  // p2 = p0 or not p1
    p.push_back(r3(OP_P2R, 7, 0, 0));
    store(p, 7, OUT + 7 * STEP);
    p.push_back(im(OP_EXIT, 0, 0, 0));
    std::vector<uint32_t> a(s.all), b(s.all);
    for (uint32_t t = 0; t < s.all; t++)
        a[t] = peek(w, DATA + 4 * t), b[t] = peek(w, DATA + IN_B + 4 * t);
    run(w, p, grid(s.threads, 1, 1, s.ctas, 1, 1, 8));
    no_fault(w, "alu");
    for (uint32_t t = 0; t < s.all; t++) {
        uint32_t out = DATA + OUT + 4 * t;
        for (uint32_t i = 0; i < 4; i++) {
            char what[64];
            snprintf(what, sizeof what, "%s of %08x, %08x, thread %u", isa_table[op[i]].mnemonic, a[t],
                     i % 2 ? imm : b[t], t);
            expect(w, what, out + i * STEP, alu(op[i], a[t], i % 2 ? imm : b[t]));
        }
        expect(w, "IMAD", out + 4 * STEP, a[t] * b[t] + 4 * t);
        bool c = compare(cmp, a[t], b[t]);
        expect(w, "SEL", out + 5 * STEP, c ? imm : a[t]);
        expect(w, "P2R", out + 6 * STEP, (uint32_t)c << pa);
        uint32_t preds = (a[t] & 0x5B) | (((uint32_t)c << pa) & ~0x5Bu & 0x7F);
        bool p2 = (preds & 1) || !(preds >> 1 & 1);
        expect(w, "R2P, PSETP", out + 7 * STEP, (preds & ~4u) | (uint32_t)p2 << 2);
    }
}

// Each thread loops as often as its number says, with a break out of the middle; threads of a warp differ.
static void test_diverge(world &w) {
    randomize(w);
    shape s = random_shape(w, 8);
    program p = head();
    load(w, p, 3, 0);
    p.push_back(im(OP_AND_I, 3, 3, 15));  // trips
    p.push_back(im(OP_MOV_I, 4, 0, 0));   // sum
    p.push_back(im(OP_MOV_I, 5, 0, 0));   // i
    uint32_t pbrk = (uint32_t)p.size();
    p.push_back(0);  // PBRK out
    uint32_t loop = (uint32_t)p.size();
    p.push_back(r3(OP_ISETP, 0, 5, 3, 0, CMP_GE));
    p.push_back(guarded(im(OP_BRK, 0, 0, 0), 0, false));
    p.push_back(im(OP_AND_I, 6, 5, 1));
    p.push_back(im(OP_ISETP_I, 1, 6, 0, CMP_EQ));
    uint32_t ssy = (uint32_t)p.size();
    p.push_back(0);  // SSY join
    uint32_t bra = (uint32_t)p.size();
    p.push_back(0);                        // @p1 BRA even
    p.push_back(r3(OP_IMAD, 4, 5, 5, 4));  // odd: sum += i * i
    p.push_back(im(OP_SYNC, 0, 0, 0));
    uint32_t even = (uint32_t)p.size();
    p.push_back(im(OP_IADD_I, 4, 4, 1000));
    p.push_back(im(OP_SYNC, 0, 0, 0));
    uint32_t join = (uint32_t)p.size();
    p.push_back(im(OP_IADD_I, 5, 5, 1));
    p.push_back(im(OP_BRA, 0, 0, loop - (uint32_t)p.size() - 1));
    uint32_t out = (uint32_t)p.size();
    store(p, 4, OUT);
    p.push_back(im(OP_EXIT, 0, 0, 0));
    p[pbrk] = im(OP_PBRK, 0, 0, out - pbrk - 1);
    p[pbrk + 2] = guarded(im(OP_BRK, 0, 0, out - pbrk - 3), 0, false);
    p[ssy] = im(OP_SSY, 0, 0, join - ssy - 1);
    p[bra] = guarded(im(OP_BRA, 0, 0, even - bra - 1), 1, false);
    std::vector<uint32_t> trips(s.all);
    for (uint32_t t = 0; t < s.all; t++)
        trips[t] = peek(w, DATA + 4 * t) & 15;
    run(w, p, grid(s.threads, 1, 1, s.ctas, 1, 1, 7));
    no_fault(w, "diverge");
    for (uint32_t t = 0; t < s.all; t++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < trips[t]; i++)
            sum += i & 1 ? i * i : 1000;
        expect(w, "diverging loop", DATA + OUT + 4 * t, sum);
    }
}

// A function called from two arms of an if, and returns to both.
static void test_call(world &w) {
    randomize(w);
    shape s = random_shape(w, 8);
    program p = head();
    load(w, p, 3, 0);
    p.push_back(im(OP_AND_I, 6, 3, 1));
    p.push_back(im(OP_ISETP_I, 1, 6, 0, CMP_EQ));
    uint32_t ssy = (uint32_t)p.size();
    p.push_back(0);
    uint32_t bra = (uint32_t)p.size();
    p.push_back(0);
    p.push_back(im(OP_MOV_I, 4, 0, 100));
    uint32_t call1 = (uint32_t)p.size();
    p.push_back(0);
    p.push_back(im(OP_SYNC, 0, 0, 0));
    uint32_t even = (uint32_t)p.size();
    p.push_back(im(OP_MOV_I, 4, 0, 200));
    uint32_t call2 = (uint32_t)p.size();
    p.push_back(0);
    p.push_back(im(OP_SYNC, 0, 0, 0));
    uint32_t join = (uint32_t)p.size();
    store(p, 4, OUT);
    store(p, 7, OUT + STEP);
    p.push_back(im(OP_EXIT, 0, 0, 0));
    uint32_t function = (uint32_t)p.size();
    p.push_back(r3(OP_IADD, 4, 4, 3));
    p.push_back(im(OP_RET, 0, 7, 0));
    p[ssy] = im(OP_SSY, 0, 0, join - ssy - 1);
    p[bra] = guarded(im(OP_BRA, 0, 0, even - bra - 1), 1, false);
    p[call1] = im(OP_CAL, 7, 0, function - call1 - 1);
    p[call2] = im(OP_JCAL, 7, 0, 8 + function);  // the program begins at index 8 of its region
    std::vector<uint32_t> in(s.all);
    for (uint32_t t = 0; t < s.all; t++)
        in[t] = peek(w, DATA + 4 * t);
    run(w, p, grid(s.threads, 1, 1, s.ctas, 1, 1, 8));
    no_fault(w, "call");
    for (uint32_t t = 0; t < s.all; t++) {
        expect(w, "call", DATA + OUT + 4 * t, in[t] + (in[t] & 1 ? 100 : 200));
        expect(w, "return address", DATA + OUT + STEP + 4 * t, 8 + (in[t] & 1 ? call1 : call2) + 1);
    }
}

// RET without a call token: each thread to its own address.
static void test_return(world &w) {
    randomize(w);
    shape s = random_shape(w, 8);
    program p = head();
    load(w, p, 3, 0);
    p.push_back(im(OP_AND_I, 3, 3, 3));
    p.push_back(im(OP_SHL_I, 4, 3, 1));
    uint32_t at = (uint32_t)p.size();
    p.push_back(im(OP_IADD_I, 4, 4, 8 + at + 2));
    p.push_back(im(OP_RET, 0, 4, 0));
    for (uint32_t k = 0; k < 4; k++) {
        p.push_back(im(OP_MOV_I, 5, 0, 7 * k + 1));
        p.push_back(im(OP_BRA, 0, 0, 6 - 2 * k));
    }
    store(p, 5, OUT);
    p.push_back(im(OP_EXIT, 0, 0, 0));
    std::vector<uint32_t> in(s.all);
    for (uint32_t t = 0; t < s.all; t++)
        in[t] = peek(w, DATA + 4 * t);
    run(w, p, grid(s.threads, 1, 1, s.ctas, 1, 1, 8));
    no_fault(w, "return");
    for (uint32_t t = 0; t < s.all; t++)
        expect(w, "RET", DATA + OUT + 4 * t, 7 * (in[t] & 3) + 1);
}

// Thread and CTA ids in three dimensions; r9 and the predicates were never written.
static void test_ids(world &w) {
    uint32_t n[3], g[3], all;
    do {
        for (int i = 0; i < 3; i++)
            n[i] = 1 + bench_below(w.bench, bench_chance(w.bench, 1, 3) ? 40 : 6), g[i] = 1 + bench_below(w.bench, 3);
        all = n[0] * n[1] * n[2];
    } while ((all + THREADS - 1) / THREADS > WARPS || (all + THREADS - 1) / THREADS * 11 * P > VGPR_ROWS ||
             all * g[0] * g[1] * g[2] > 1500);
    program p;
    for (unsigned i = 0; i < 3; i++)
        p.push_back(im(OP_S2R, i, 0, SR_TID_X + i));
    p.push_back(im(OP_S2R, 3, 0, SR_NTID_X));
    p.push_back(im(OP_S2R, 4, 0, SR_NTID_Y));
    p.push_back(r3(OP_IMAD, 5, 2, 4, 1));
    p.push_back(r3(OP_IMAD, 5, 5, 3, 0));  // number in the CTA
    for (unsigned i = 0; i < 3; i++)
        p.push_back(im(OP_S2R, 6 + i, 0, SR_CTAID_X + i));
    p.push_back(im(OP_S2R, 3, 0, SR_NCTAID_X));
    p.push_back(im(OP_S2R, 4, 0, SR_NCTAID_Y));
    p.push_back(r3(OP_IMAD, 8, 8, 4, 7));
    p.push_back(r3(OP_IMAD, 8, 8, 3, 6));  // number of the CTA
    p.push_back(im(OP_IMUL_I, 8, 8, all));
    p.push_back(r3(OP_IADD, 5, 5, 8));
    p.push_back(im(OP_SHL_I, 5, 5, 4));
    p.push_back(im(OP_IADD_I, 5, 5, DATA));
    p.push_back(im(OP_S2R, 3, 0, SR_WARPID));
    p.push_back(im(OP_SHL_I, 3, 3, 8));
    p.push_back(im(OP_S2R, 4, 0, SR_LANEID));
    p.push_back(r3(OP_IADD, 3, 3, 4));
    p.push_back(im(OP_STG, 3, 5, 0, SIZE_32));
    p.push_back(r3(OP_P2R, 10, 0, 0));
    p.push_back(r3(OP_IADD, 9, 9, 10));
    p.push_back(im(OP_STG, 9, 5, 4, SIZE_32));
    p.push_back(im(OP_MOV_I, 9, 0, 0xFFFFFFFF));  // for the next warp there
    p.push_back(im(OP_R2P, 0, 9, 0x7F));
    p.push_back(im(OP_EXIT, 0, 0, 0));
    run(w, p, grid(n[0], n[1], n[2], g[0], g[1], g[2], 11), bench_chance(w.bench, 1, 2) ? 2 : 1);
    no_fault(w, "ids");
    for (uint32_t t = 0; t < all * g[0] * g[1] * g[2]; t++) {
        uint32_t in_cta = t % all;
        expect(w, "warp and lane", DATA + 16 * t, in_cta / THREADS << 8 | in_cta % THREADS);
        expect(w, "fresh register and predicates", DATA + 16 * t + 4, 0);
    }
}

static void one_fault(world &w, const char *what, uint32_t code, uint32_t info, uint32_t pc) {
    if (w.faults.empty()) bench_fail(w.bench, "%s: no fault", what);
    const fault &f = w.faults[0];
    if (f.code != code || f.info != info || f.pc != pc + 8)
        bench_fail(w.bench, "%s: fault %s info %08x pc %u, not %s info %08x pc %u", what, fault_name(f.code), f.info,
                   f.pc, fault_name(code), info, pc + 8);
    if (w.killed_warps == 0) bench_fail(w.bench, "%s: nobody was killed", what);
}

static void test_faults(world &w) {
    task t = grid(THREADS, 1, 1, 2, 1, 1, 8);
    program p = head();
    uint32_t at = (uint32_t)p.size();
    uint32_t last = DATA + 4 * (THREADS - 1);
    uint64_t bad;
    switch (bench_below(w.bench, 12)) {
        case 0:
            p.push_back(bad = im(0x77, 0, 0, 0));
            run(w, p, t);
            return one_fault(w, "illegal", FAULT_ILLEGAL_INSTRUCTION, (uint32_t)bad, at);
        case 1:
            p.push_back(bad = guarded(r3(OP_IADD, 8, 0, 0), 0, false));  // guarded off: p0 is zero
            run(w, p, t);
            return one_fault(w, "register", FAULT_REGISTER_BOUNDS, (uint32_t)bad, at);
        case 2:
            p.push_back(bad = im(OP_LDG, 5, 1, 0, SIZE_64));
            run(w, p, t);
            return one_fault(w, "odd register", FAULT_REGISTER_BOUNDS, (uint32_t)bad, at);
        case 3: run(w, p, t); return one_fault(w, "end of the program", FAULT_PROGRAM_BOUNDS, at + 8, at);
        case 4:
            p.push_back(im(OP_LDG, 4, 1, 2, SIZE_32));
            run(w, p, t);
            if (w.faults[0].info % (4 * THREADS) != (DATA + 2) % (4 * THREADS))
                bench_fail(w.bench, "alignment: info %08x", w.faults[0].info);
            return one_fault(w, "alignment", FAULT_MEMORY_ALIGNMENT, w.faults[0].info, at);
        case 5:
            p.push_back(im(OP_ISETP_I, 0, 1, last, CMP_UGE));
            p.push_back(guarded(isa_encode_imm(OP_LDC, PT, false, 4, 1, SIZE_32, 0), 0, false));
            p.push_back(im(OP_EXIT, 0, 0, 0));
            run(w, p, t);
            return one_fault(w, "constant bounds", FAULT_CONSTANT_BOUNDS,
                             w.faults[0].info >= last ? w.faults[0].info : 0, at + 1);
        case 6:
            p.push_back(isa_encode_imm(OP_LDC, PT, false, 4, RZ, SIZE_32, 15u << 16));
            run(w, p, t);
            return one_fault(w, "constant bank", FAULT_CONSTANT_BOUNDS, 0, at);
        case 7:
            p.push_back(im(OP_STG, 4, RZ, 0xFFFF0000u, SIZE_32));
            run(w, p, t);
            return one_fault(w, "memory bounds", FAULT_MEMORY_BOUNDS, 0xFFFF0000u, at);
        case 8:
            p.push_back(im(OP_ISETP_I, 0, 2, 3, CMP_ULT));
            p.push_back(guarded(im(OP_BAR, 0, 0, 0), 0, false));
            run(w, p, t);
            return one_fault(w, "barrier", FAULT_BARRIER_DIVERGED, 0xFFFFFFFFu, at + 1);
        case 9:
            p.push_back(im(OP_SSY, 0, 0, 0));
            p.push_back(im(OP_BRA, 0, 0, (uint32_t)-2));
            run(w, p, t);
            return one_fault(w, "deque full", FAULT_DEQUE_FULL, w.faults.empty() ? 0 : w.faults[0].info, at);
        case 10:
            p.push_back(im(OP_ISETP_I, 0, 2, 3, CMP_ULT));
            p.push_back(bad = guarded(im(OP_CAL, 4, 0, 0), 0, false));
            run(w, p, t);
            return one_fault(w, "call by a part", FAULT_ILLEGAL_INSTRUCTION, (uint32_t)bad, at + 1);
        default:  // the code itself is outside
            w.space_size = CODE;
            p.push_back(im(OP_EXIT, 0, 0, 0));
            run(w, p, t);
            w.space_size = MEMORY_BYTES;
            one_fault(w, "fetch", FAULT_MEMORY_BOUNDS, CODE, 0);
    }
}

// Instructions of which only the threads of one portion are left write one portion, and take less time of the lanes.
static void test_skip(world &w) {
    w.latency = 1, w.ready_percent = 100;
    const uint32_t one = bench_below(w.bench, P), repeat = 200;
    uint64_t cycles[2];
    for (uint32_t all = 0; all < 2; all++) {
        program p;
        p.push_back(im(OP_S2R, 0, 0, SR_LANEID));
        p.push_back(im(OP_SHR_I, 0, 0, (uint32_t)__builtin_ctz(LANES)));
        p.push_back(im(all != 0 ? OP_MOV_I : OP_IADD_I, 1, 0, 0));
        p.push_back(im(OP_ISETP_I, 0, 1, all != 0 ? 0 : one, CMP_EQ));
        for (uint32_t i = 0; i < repeat; i++)
            p.push_back(guarded(im(OP_IADD_I, 2 + i % 3, 2 + i % 3, 1), 0, false));
        p.push_back(im(OP_EXIT, 0, 0, 0));
        const uint64_t start = w.cycle, portions = w.portions;
        run(w, p, grid(WARPS * THREADS, 1, 1, 1, 1, 1, 5));
        no_fault(w, "skip");
        cycles[all] = w.cycle - start;
        const uint64_t want = WARPS * (4 * P + repeat * (all != 0 ? P : 1));
        if (w.portions - portions != want)
            bench_fail(w.bench, "%lu portions written, not %lu", (unsigned long)(w.portions - portions),
                       (unsigned long)want);
    }
    if (cycles[0] + WARPS * repeat * (P - 1) / 2 > cycles[1])
        bench_fail(w.bench, "one portion %lu cycles, all %lu", (unsigned long)cycles[0], (unsigned long)cycles[1]);
}

// Throughput: an arithmetic loop on as many warps as fit must write nearly a portion a cycle.
static void test_throughput(world &w) {
    w.latency = 4, w.ready_percent = 100;
    program p;
    p.push_back(im(OP_MOV_I, 0, 0, 0));
    for (unsigned i = 0; i < 100; i++)
        p.push_back(im(OP_IADD_I, i % 4, (i + 1) % 4, i));
    p.push_back(im(OP_IADD_I, 4, 4, 1));
    p.push_back(im(OP_ISETP_I, 0, 4, 20, CMP_LT));
    p.push_back(guarded(im(OP_BRA, 0, 0, (uint32_t)-103), 0, false));
    p.push_back(im(OP_EXIT, 0, 0, 0));
    const uint64_t start = w.cycle, portions = w.portions, instructions = w.instructions;
    run(w, p, grid(WARPS * THREADS, 1, 1, 1, 1, 1, 5));
    no_fault(w, "throughput");
    printf("throughput: %lu cycles, %lu instructions, %.3f portions a cycle\n", (unsigned long)(w.cycle - start),
           (unsigned long)(w.instructions - instructions), (double)(w.portions - portions) / (double)(w.cycle - start));
    if ((double)(w.portions - portions) / (double)(w.cycle - start) < 0.85)
        bench_fail(w.bench, "the lanes are not kept busy");
}

// An option of this bench, taken out of argv: its value, or itself when it has none; NULL when it is not there.
static const char *take_option(int *argc, char **argv, const char *name, bool has_value) {
    for (int i = 1; i < *argc; i++) {
        if (strcmp(argv[i], name) != 0 || (has_value && i + 1 >= *argc)) continue;
        const char *value = argv[i + (has_value ? 1 : 0)];
        const int taken = has_value ? 2 : 1;
        for (int k = i; k + taken < *argc; k++)
            argv[k] = argv[k + taken];
        *argc -= taken;
        return value;
    }
    return nullptr;
}

int main(int argc, char **argv) {
    const unsigned inject = take_inject(&argc, argv);
    const bool trace = take_option(&argc, argv, "--trace", false) != nullptr;
    const char *const only = take_option(&argc, argv, "--only", true);
    struct bench bench;
    bench_begin(&bench, argc, argv, 200000);  // an operation: an instruction issued for a warp
    registers_at_random(bench.seed);
    world w = world();
    w.bench = &bench;
    w.memory.assign(ALL_BYTES, 0);
    w.space_size = MEMORY_BYTES;
    w.delay = 1;
    w.shared_row = true;
    w.tasks.assign(TASK_SLOTS, task());
    follower_begin(w.follow, &bench, ALL_BYTES);
    w.follow.trace = trace;
    w.follow.settings.yield_seed = REG_YIELD_SEED_RESET;
    w.follow.settings.sv_threshold = REG_SV_THRESHOLD_RESET;
    set_queues(w, SIZE_MOST);
    w.unit.inject_i = (uint8_t)inject;
    w.unit.signing_write_i = w.unit.deque_valid_i = w.unit.slot_kill_i = w.unit.slot_stop_i = 0;
    w.unit.cta_valid_i = w.unit.if_rsp_valid_i = w.unit.ls_rsp_valid_i = w.unit.token_rsp_valid_i = 0;
    for (uint32_t c = 0; c < CHANNELS; c++)
        set_space(w, c, 0, w.space_size);
    Verilated::assertOn(false);  // of units that know no reset: nothing is right before it
    reset(w.unit);
    Verilated::assertOn(true);
    static const struct {
        const char *name;
        void (*run)(world &);
    } tests[] = {
        {"alu", test_alu},         {"diverge", test_diverge}, {"call", test_call},         {"return", test_return},
        {"memory", test_memory},   {"collide", test_collide}, {"constant", test_constant}, {"atomic", test_atomic},
        {"barrier", test_barrier}, {"shared", test_shared},   {"ids", test_ids},           {"faults", test_faults},
        {"skip", test_skip},       {"generic", test_generic}, {"fair", test_fair},         {"wait", test_wait},
        {"alone", test_alone},     {"regions", test_regions}, {"random", test_random}};
    const uint32_t count = sizeof tests / sizeof tests[0];
    w.portions = w.instructions = 0;
    uint64_t programs = 0;
    while (w.instructions < bench.ops && bench_more(&bench)) {
        programs++;
        w.latency = bench_chance(&bench, 1, 3) ? 1 : 1 + bench_below(&bench, 60);
        w.ready_percent = bench_chance(&bench, 1, 3) ? 100 : 20 + bench_below(&bench, 80);
        w.delay = bench_chance(&bench, 1, 3) ? 1 : 1 + bench_below(&bench, 12);
        w.invalidates = bench_chance(&bench, 1, 2) ? 2 : 0;
        w.changes = bench_chance(&bench, 1, 4) ? 4 : 0;
        // Every second program is a random one, the last of the table.
        const uint32_t which = programs % 2 == 0 && only == nullptr ? count - 1 : (uint32_t)(programs / 2) % count;
        if (only != nullptr && strcmp(only, tests[which].name) != 0) continue;
        tests[which].run(w);
    }
    if (w.unit.inject_i == 0) test_throughput(w);
    printf("%lu programs, %lu instructions, %lu cycles\n", (unsigned long)programs, (unsigned long)w.instructions,
           (unsigned long)w.cycle);
    const uint64_t moved = w.follow.compared[TRACE_TOKEN_MOVE];
    if (moved == 0 && only == nullptr && bench.ops >= 100000) bench_fail(&bench, "no token went to memory");
    printf("%lu tokens went to memory or came back, %lu CTAs left\n", (unsigned long)moved, (unsigned long)w.left);
    printf("rows of both memories met %lu times\n", (unsigned long)w.rows_meet);
    printf("a warp was passed over for at most %lu instructions, all were looked at %lu times\n",
           (unsigned long)w.follow.most, (unsigned long)w.looked);
    bench.op = w.instructions;
    w.unit.final();
    follower_end(w.follow);
    return bench_end(&bench);
}
