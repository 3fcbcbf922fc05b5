#include "random_kernel.h"

#include <stdio.h>

#include "code_builder.h"
#include "random_numbers.h"

// r0 to r3: see preamble(). r4 to r14: anything. r15: addresses. r16 to r18: loop counters, by depth. r20 to r23: trip
// counts.
#define FREE_FIRST 4u
#define FREE_COUNT 11u
#define ADDRESS 15u
#define COUNTER 16u
#define TRIPS 20u
#define LINK 23u  // return addresses
#define DEPTH_MAX 4u
#define FUNCTIONS 2u
#define LOOP_PREDICATE 6u  // p0 to p5: anything

struct generator {
    struct builder *b;
    uint64_t state;
    size_t call[32];  // calls whose function comes later
    unsigned callee[32];
    size_t calls;
    bool in_function;
};

static uint32_t pick(struct generator *g, uint32_t limit) {
    return random_below(&g->state, limit);
}

static bool chance(struct generator *g, uint32_t percent) {
    return pick(g, 100) < percent;
}

static unsigned any_register(struct generator *g) {
    return chance(g, 4) ? RZ : pick(g, FREE_FIRST + FREE_COUNT);
}

static unsigned free_register(struct generator *g) {
    return FREE_FIRST + pick(g, FREE_COUNT);
}

static uint32_t any_value(struct generator *g) {
    static const uint32_t special[] = {0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x55555555, 0xFFFF};
    return chance(g, 50) ? special[pick(g, 10)] : pick(g, 0x7FFFFFFF) * 2u + pick(g, 2);
}

static void maybe_guard(struct generator *g) {
    if (!chance(g, 30)) return;
    unsigned predicate = pick(g, 6);
    (void)(chance(g, 50) ? when(g->b, predicate) : unless(g->b, predicate));
}

static void arithmetic(struct generator *g) {
    static const unsigned two[] = {OP_IADD, OP_ISUB, OP_IMUL, OP_IMULHI, OP_UMULHI, OP_AND,  OP_OR,  OP_XOR,
                                   OP_SHL,  OP_SHR,  OP_SAR,  OP_IMIN,   OP_IMAX,   OP_UMIN, OP_UMAX};
    static const unsigned more[] = {OP_FADD,    OP_FMUL,    OP_FMIN, OP_FMAX, OP_IADDSAT, OP_UADDSAT,
                                    OP_ISUBSAT, OP_USUBSAT, OP_UBFE, OP_IBFE, OP_IABSD,   OP_UABSD};
    static const unsigned one[] = {OP_POPC, OP_CLZ, OP_BREV, OP_MOV, OP_FRCP, OP_FRSQ, OP_FEX2, OP_FLG2};
    static const unsigned three[] = {OP_IMAD, OP_IMAD, OP_FFMA, OP_IMADHI, OP_UMADHI};
    static const unsigned pieces[] = {OP_PRMT, OP_FSHL, OP_FSHR, OP_BFI};
    static const unsigned carries[] = {OP_IADDO, OP_IADDC, OP_ISUBO, OP_ISUBC};
    static const unsigned comparisons[] = {CMP_EQ, CMP_NE,  CMP_LT,  CMP_LE,  CMP_GT,
                                           CMP_GE, CMP_ULT, CMP_ULE, CMP_UGT, CMP_UGE};
    struct builder *b = g->b;
    unsigned rd = free_register(g), ra = any_register(g), rb = any_register(g), rc = any_register(g);
    unsigned op = two[pick(g, 15)], op1 = one[pick(g, 8)], cmp = comparisons[pick(g, 10)];
    uint32_t value = any_value(g);
    unsigned pd = pick(g, 6), pa = pick(g, 16), pb = pick(g, 16);
    maybe_guard(g);
    switch (pick(g, 19)) {
        case 0:
        case 1:
        case 2: reg(b, op, rd, ra, 0, rb, 0); break;
        case 3:
        case 4: imm(b, op | 0x80u, rd, ra, 0, value); break;
        case 5: reg(b, op1, rd, 0, 0, rb, 0); break;
        case 6: reg(b, three[pick(g, 5)], rd, ra, 0, rb, rc); break;
        case 12:
        case 13: reg(b, more[pick(g, 12)], rd, ra, 0, rb, 0); break;
        case 14: reg(b, OP_FSETP, pd, ra, pick(g, 16), rb, 0); break;
        case 15:
            if (chance(g, 50)) {
                imm(b, more[pick(g, 12)] | 0x80u, rd, ra, 0, value);
            } else {
                imm(b, OP_FSETP_I, pd, ra, pick(g, 16), value);
            }
            break;
        case 16:
            if (chance(g, 70)) {
                reg(b, chance(g, 50) ? OP_F2I : OP_I2F, rd, 0, pick(g, 8), rb, 0);
            } else {
                reg(b, OP_FRND, rd, 0, pick(g, 4), rb, 0);
            }
            break;
        case 17: reg(b, pieces[pick(g, 4)], rd, ra, 0, rb, rc); break;
        case 18: reg(b, carries[pick(g, 4)], rd, ra, chance(g, 10) ? ISA_PT : pd, rb, 0); break;
        case 7: reg(b, OP_ISETP, pd, ra, cmp, rb, 0); break;
        case 8: imm(b, OP_ISETP_I, pd, ra, cmp, value); break;
        case 9: reg(b, OP_SEL, rd, ra, pa, rb, 0); break;
        case 10: reg(b, OP_PSETP, pd, pa, pick(g, 3), pb, 0); break;
        default:
            if (chance(g, 50)) {
                imm(b, OP_P2R, rd, 0, 0, 0);
            } else {
                imm(b, OP_R2P, 0, ra, 0, value & 0x3F);  // not the loops' predicate
            }
            break;
    }
}

// r15 = in + a multiple of `align` inside the window
static void window_address(struct generator *g, uint32_t align) {
    struct builder *b = g->b;
    imm(b, OP_AND_I, ADDRESS, any_register(g), 0, (RANDOM_WINDOW - 1) & ~(align - 1));
    if (chance(g, 30)) imm(b, OP_AND_I, ADDRESS, ADDRESS, 0, 63u & ~(align - 1));  // few lines: many threads meet
    reg(b, OP_IADD, ADDRESS, ADDRESS, 0, IN, 0);
}

static void memory(struct generator *g) {
    static const uint32_t bytes[] = {1, 1, 2, 2, 4, 8, 16};
    struct builder *b = g->b;
    unsigned size = pick(g, 7);
    unsigned align = bytes[size] > 4 ? bytes[size] / 4 : 1;
    unsigned rd = chance(g, 5) ? RZ : FREE_FIRST + pick(g, FREE_COUNT - 3) / align * align;
    switch (pick(g, 8)) {
        case 0:
        case 1:
        case 2:
            window_address(g, bytes[size]);
            maybe_guard(g);
            imm(b, OP_LDG, rd, ADDRESS, size, 0);
            break;
        case 3:
        case 4:
            window_address(g, bytes[size]);
            maybe_guard(g);
            imm(b, OP_STG, rd, ADDRESS, size, 0);
            break;
        case 5:
            window_address(g, 4);
            maybe_guard(g);
            reg(b, OP_ATOMG, chance(g, 20) ? RZ : free_register(g), ADDRESS, pick(g, ATOM_SUB + 1), any_register(g),
                any_register(g));
            break;
        case 6: imm(b, OP_LDC, free_register(g), RZ, SIZE_32, 4 * pick(g, 0x4C / 4)); break;
        default:
            if (chance(g, 50)) {
                imm(b, OP_MEMBAR, 0, 0, 0, 0);
            } else {
                imm(b, OP_S2R, free_register(g), 0, 0, pick(g, SR_SMID + 1));
            }
            break;
    }
}

static void block(struct generator *g, unsigned depth);

static void if_else(struct generator *g, unsigned depth) {
    struct builder *b = g->b;
    bool synchronized = chance(g, 85);
    size_t ssy = synchronized ? to_label(b, OP_SSY) : 0;
    (void)(chance(g, 50) ? when(b, pick(g, 6)) : unless(b, pick(g, 6)));
    size_t branch = to_label(b, OP_BRA);
    block(g, depth + 1);
    size_t first = synchronized ? to_label(b, OP_SYNC) : to_label(b, OP_BRA);
    label(b, branch);
    block(g, depth + 1);
    size_t second = synchronized ? to_label(b, OP_SYNC) : to_label(b, OP_BRA);
    if (synchronized) label(b, ssy);
    label(b, first);
    label(b, second);
}

static void loop(struct generator *g, unsigned depth) {
    struct builder *b = g->b;
    bool breaks = chance(g, 70);
    imm(b, OP_MOV_I, COUNTER + depth, 0, 0, 0);
    imm(b, OP_AND_I, TRIPS + depth, any_register(g), 0, chance(g, 50) ? 1 : 3);
    size_t pbrk = breaks ? to_label(b, OP_PBRK) : 0;
    size_t top = b->count;
    size_t pcont = breaks ? to_label(b, OP_PCONT) : 0;
    size_t brk = 0, cont = 0;
    block(g, depth + 1);
    if (breaks) {
        (void)when(b, pick(g, 6));
        brk = to_label(b, OP_BRK);
        (void)unless(b, pick(g, 6));
        cont = to_label(b, OP_CONT);
        block(g, depth + 1);
        size_t all = to_label(b, OP_CONT);
        label(b, all);
        label(b, cont);
        label(b, pcont);
    }
    if (chance(g, 20)) imm(b, OP_YIELD, 0, 0, YIELD_ALWAYS, 0);
    imm(b, OP_IADD_I, COUNTER + depth, COUNTER + depth, 0, 1);
    reg(b, OP_ISETP, LOOP_PREDICATE, COUNTER + depth, CMP_ULE, TRIPS + depth, 0);
    (void)when(b, LOOP_PREDICATE);
    back_to(b, OP_BRA, top);
    if (breaks) {
        size_t all = to_label(b, OP_BRK);
        label(b, all);
        label(b, brk);
        label(b, pbrk);
    }
}

static void block(struct generator *g, unsigned depth) {
    struct builder *b = g->b;
    unsigned items = 1 + pick(g, depth == 0 ? 10 : 4);
    for (unsigned i = 0; i < items; i++) {
        uint32_t kind = pick(g, 100);
        bool deep = depth + 1 >= DEPTH_MAX;
        if (kind < 50 || (deep && kind < 60)) {
            arithmetic(g);
        } else if (kind < 75 || (deep && kind < 95)) {
            memory(g);
        } else if (kind < 87 && !deep) {
            if_else(g, depth);
        } else if (kind < 93 && !deep && !g->in_function) {
            loop(g, depth);
        } else if (kind < 96 && !g->in_function && g->calls < 32) {
            g->callee[g->calls] = pick(g, FUNCTIONS);
            imm(b, OP_CAL, LINK, 0, 0, 0);
            g->call[g->calls++] = b->count - 1;
        } else if (kind < 98) {
            imm(b, OP_YIELD, 0, 0, YIELD_ALWAYS, 0);
        } else if (chance(g, 20)) {
            imm(when(b, pick(g, 6)), OP_EXIT, 0, 0, 0, 0);
        } else {
            imm(b, OP_NOP, 0, 0, 0, 0);
        }
    }
}

bool random_kernel_make(uint64_t seed, void **elf, size_t *size, char *error, size_t error_size) {
    struct generator store = {.b = builder_create(), .state = seed}, *g = &store;
    struct builder *b = g->b;
    if (b == NULL) {
        snprintf(error, error_size, "out of memory");
        return false;
    }
    for (int i = 0; i < 8; i++)
        (void)pick(g, 2);
    begin_kernel(b, "random");
    preamble(b);
    for (unsigned i = 0; i < FREE_COUNT; i++) {
        imm(b, OP_IMUL_I, FREE_FIRST + i, GID, 0, any_value(g));
        if (chance(g, 40)) imm(b, OP_IADD_I, FREE_FIRST + i, FREE_FIRST + i, 0, any_value(g));
    }
    for (unsigned p = 0; p < 6; p++)
        imm(b, OP_ISETP_I, p, any_register(g), CMP_ULT, any_value(g));
    bool long_jump = chance(g, 30);
    size_t plong = long_jump ? to_label(b, OP_PLONGJMP) : 0;
    block(g, 0);
    if (long_jump) {
        imm(when(b, 1), OP_LONGJMP, 0, 0, 0, 0);
        block(g, 1);
        imm(b, OP_LONGJMP, 0, 0, 0, 0);
        label(b, plong);
    }
    block(g, 0);
    // What each thread has in its registers is seen by the other side's memory too.
    out_address(b, ADDRESS, 16);
    imm(b, OP_STG, 4, ADDRESS, SIZE_128, 0);
    imm(b, OP_EXIT, 0, 0, 0, 0);
    // Return addresses are on the deque, so functions may be shared; threads whose call token has gone return to r0, a
    // constant.
    g->in_function = true;
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        for (size_t i = 0; i < g->calls; i++) {
            if (g->callee[i] == f) label(b, g->call[i]);
        }
        block(g, 1);
        imm(when(b, pick(g, 6)), OP_RET, 0, LINK, 0, 0);
        block(g, 2);
        imm(b, OP_RET, 0, LINK, 0, 0);
    }
    end_kernel(b);
    bool good = builder_write(b, elf, size, error, error_size);
    builder_free(b);
    return good;
}
