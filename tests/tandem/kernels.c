#include "kernels.h"

#include <stdio.h>

#include "code_builder.h"

// Every arithmetic instruction on in[2 gid], in[2 gid + 1], results to out[32 gid ..].
static void make_arithmetic(struct builder *b) {
    static const unsigned two[] = {OP_IADD, OP_ISUB, OP_IMUL, OP_IMULHI, OP_UMULHI, OP_AND,  OP_OR,  OP_XOR,
                                   OP_SHL,  OP_SHR,  OP_SAR,  OP_IMIN,   OP_IMAX,   OP_UMIN, OP_UMAX};
    static const unsigned one[] = {OP_POPC, OP_CLZ, OP_BREV, OP_MOV};
    static const unsigned with_imm[] = {OP_IADD_I, OP_ISUB_I, OP_IMUL_I, OP_AND_I, OP_SAR_I, OP_UMIN_I};
    begin_kernel(b, "arithmetic");
    preamble(b);
    imm(b, OP_SHL_I, 4, GID, 0, 3);
    reg(b, OP_IADD, 4, 4, 0, IN, RZ);
    imm(b, OP_LDG, 6, 4, SIZE_64, 0);
    out_address(b, 5, 128);
    uint32_t at = 0;
    for (size_t i = 0; i < sizeof two / sizeof two[0]; i++, at += 4) {
        reg(b, two[i], 8, 6, 0, 7, RZ);
        imm(b, OP_STG, 8, 5, SIZE_32, at);
    }
    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++, at += 4) {
        reg(b, one[i], 8, RZ, 0, 6, RZ);
        imm(b, OP_STG, 8, 5, SIZE_32, at);
    }
    for (size_t i = 0; i < sizeof with_imm / sizeof with_imm[0]; i++, at += 4) {
        imm(b, with_imm[i], 8, 6, 0, 0x80000013u);
        imm(b, OP_STG, 8, 5, SIZE_32, at);
    }
    // Predicates: all comparisons gathered by P2R, PSETP, R2P, SEL.
    static const unsigned comparisons[] = {CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_ULT, CMP_UGE};
    for (unsigned i = 0; i < 6; i++)
        reg(b, OP_ISETP, i, 6, comparisons[i], 7, RZ);
    reg(b, OP_PSETP, 6, 2, 2, 4, RZ);  // p6 = p2 xor p4
    imm(b, OP_P2R, 8, RZ, 0, 0);
    imm(b, OP_STG, 8, 5, SIZE_32, at);
    at += 4;
    imm(b, OP_R2P, RZ, 6, 0, 0x7F);
    reg(b, OP_SEL, 9, 6, 1, 7, RZ);
    reg(when(b, 2), OP_IADD, 9, 9, 0, 8, RZ);
    imm(unless(b, 5), OP_XOR_I, 9, 9, 0, 0x5A5A5A5A);
    imm(b, OP_STG, 9, 5, SIZE_32, at);
    finish(b);
}

// out[gid] = gid & 7, counted by a loop whose threads leave one after the other.
static void make_loop(struct builder *b) {
    begin_kernel(b, "loop");
    preamble(b);
    out_address(b, 4, 4);
    imm(b, OP_AND_I, 6, GID, 0, 7);
    size_t ssy = to_label(b, OP_SSY);
    size_t top = b->count;
    reg(b, OP_ISETP, 0, 7, CMP_GE, 6, RZ);
    size_t leave = (when(b, 0), to_label(b, OP_BRA));
    imm(b, OP_IADD_I, 7, 7, 0, 1);
    back_to(b, OP_BRA, top);
    label(b, leave);
    size_t sync = to_label(b, OP_SYNC);
    label(b, ssy);
    label(b, sync);
    imm(b, OP_STG, 7, 4, SIZE_32, 0);
    finish(b);
}

// Break, continue, call and return, an early exit, a long jump: out[gid] is a value of its own for each way taken.
static void make_branches(struct builder *b) {
    begin_kernel(b, "branches");
    preamble(b);
    out_address(b, 4, 4);
    imm(b, OP_AND_I, 6, GID, 0, 15);
    // for (r7 = 0; r7 != 6; r7++) { if (r7 == r6) break; if (r7 & 2) continue; r8 += 10; }
    size_t pbrk = to_label(b, OP_PBRK);
    size_t top = b->count;
    size_t pcont = to_label(b, OP_PCONT);
    reg(b, OP_ISETP, 0, 7, CMP_EQ, 6, RZ);
    size_t brk = (when(b, 0), to_label(b, OP_BRK));
    imm(b, OP_R2P, RZ, 7, 0, 2);  // bit 1, to predicate 1
    size_t cont = (when(b, 1), to_label(b, OP_CONT));
    imm(b, OP_IADD_I, 8, 8, 0, 10);
    size_t cont_all = to_label(b, OP_CONT);
    label(b, pcont);
    label(b, cont);
    label(b, cont_all);
    imm(b, OP_IADD_I, 7, 7, 0, 1);
    imm(b, OP_ISETP_I, 2, 7, CMP_ULT, 6);
    (void)when(b, 2);
    back_to(b, OP_BRA, top);
    size_t brk_all = to_label(b, OP_BRK);
    label(b, pbrk);
    label(b, brk);
    label(b, brk_all);
    // A call in which some threads return early.
    size_t call = to_label(b, OP_CAL);
    // A long jump out of it all.
    size_t plong = to_label(b, OP_PLONGJMP);
    imm(b, OP_ISETP_I, 3, 6, CMP_EQ, 9);
    imm(when(b, 3), OP_LONGJMP, RZ, RZ, 0, 0);
    imm(b, OP_IADD_I, 8, 8, 0, 100000);
    imm(b, OP_LONGJMP, RZ, RZ, 0, 0);
    label(b, plong);
    // Early exit of some threads.
    imm(b, OP_ISETP_I, 4, 6, CMP_EQ, 11);
    imm(when(b, 4), OP_EXIT, RZ, RZ, 0, 0);
    imm(b, OP_STG, 8, 4, SIZE_32, 0);
    imm(b, OP_EXIT, RZ, RZ, 0, 0);
    label(b, call);
    imm(b, OP_ISETP_I, 3, 6, CMP_LT, 5);
    imm(when(b, 3), OP_RET, RZ, RZ, 0, 0);
    imm(b, OP_IADD_I, 8, 8, 0, 1000);
    imm(b, OP_RET, RZ, RZ, 0, 0);
    end_kernel(b);
}

// A lock taken by every thread in turn: out[0] lock, out[1] (4 bytes on) counter.
static void make_lock(struct builder *b) {
    begin_kernel(b, "lock");
    preamble(b);
    imm(b, OP_MOV_I, 5, RZ, 0, 1);
    size_t ssy = to_label(b, OP_SSY);
    size_t top = b->count;
    reg(b, OP_ATOMG, 6, OUT, ATOM_CAS, RZ, 5);
    imm(b, OP_ISETP_I, 0, 6, CMP_EQ, 0);
    size_t got = (when(b, 0), to_label(b, OP_BRA));
    imm(b, OP_YIELD, RZ, RZ, YIELD_ALWAYS, 0);
    back_to(b, OP_BRA, top);
    label(b, got);
    imm(b, OP_LDG, 7, OUT, SIZE_32, 4);
    imm(b, OP_IADD_I, 7, 7, 0, 1);
    imm(b, OP_STG, 7, OUT, SIZE_32, 4);
    imm(b, OP_MEMBAR, RZ, RZ, 0, 0);
    reg(b, OP_ATOMG, RZ, OUT, ATOM_XCHG, RZ, RZ);
    size_t sync = to_label(b, OP_SYNC);
    label(b, ssy);
    label(b, sync);
    finish(b);
}

// Every atomic on words that threads share; the old values to out[16 gid ..], the words at in.
static void make_atomics(struct builder *b) {
    begin_kernel(b, "atomics");
    preamble(b);
    out_address(b, 4, 64);
    imm(b, OP_AND_I, 5, GID, 0, 3);
    imm(b, OP_SHL_I, 5, 5, 0, 2);
    reg(b, OP_IADD, 5, 5, 0, IN, RZ);
    imm(b, OP_IMUL_I, 6, GID, 0, 0x9E3779B1u);
    imm(b, OP_IADD_I, 7, 6, 0, 77);
    for (unsigned op = ATOM_ADD; op <= ATOM_SUB; op++) {
        reg(b, OP_ATOMG, 8, 5, op, 6, 7);
        imm(b, OP_STG, 8, 4, SIZE_32, 4 * op);
        imm(b, OP_IADD_I, 5, 5, 0, 16);
    }
    // Without a result, all threads on one word: the number of threads.
    imm(b, OP_MOV_I, 6, RZ, 0, 1);
    reg(b, OP_ATOMG, RZ, 5, ATOM_ADD, 6, RZ);
    finish(b);
}

// Loads and stores of every size; threads overlap: bytes from in + gid, 128-bit pieces, stores of many threads to one
// word.
static void make_sizes(struct builder *b) {
    begin_kernel(b, "sizes");
    preamble(b);
    out_address(b, 4, 64);
    reg(b, OP_IADD, 5, IN, 0, GID, RZ);
    imm(b, OP_LDG, 8, 5, SIZE_U8, 1);
    imm(b, OP_LDG, 9, 5, SIZE_S8, 2);
    reg(b, OP_IADD, 5, 5, 0, GID, RZ);
    imm(b, OP_LDG, 10, 5, SIZE_U16, 2);
    imm(b, OP_LDG, 11, 5, SIZE_S16, 4);
    imm(b, OP_STG, 8, 4, SIZE_128, 0);
    imm(b, OP_SHL_I, 5, GID, 0, 4);
    reg(b, OP_IADD, 5, 5, 0, IN, RZ);
    imm(b, OP_LDG, 12, 5, SIZE_128, 0);
    imm(b, OP_STG, 14, 4, SIZE_64, 16);
    imm(b, OP_STG, 12, 4, SIZE_32, 24);
    imm(b, OP_STG, 13, 4, SIZE_U16, 28);
    imm(b, OP_STG, 13, 4, SIZE_U8, 31);
    imm(b, OP_STG, RZ, 4, SIZE_128, 32);
    imm(b, OP_LDG, 16, 5, SIZE_64, 8);
    imm(b, OP_STG, 16, 4, SIZE_64, 48);
    // All threads write the same word; the highest of a request wins.
    imm(b, OP_LDG, 18, OUT, SIZE_32, 60);
    reg(b, OP_IADD, 18, 18, 0, GID, RZ);
    imm(b, OP_STG, 18, OUT, SIZE_32, 60);
    imm(b, OP_LDC, 19, RZ, SIZE_U8, 0x40);
    imm(b, OP_STG, 19, 4, SIZE_U8, 61);
    finish(b);
}

// Warps that read and warps that write the same few lines, all the time: even CTAs read, odd ones write. Then the first
// thread of each writes a line that is on its way, and all read it again.
static void make_contention(struct builder *b) {
    begin_kernel(b, "contention");
    preamble(b);
    imm(b, OP_S2R, 4, RZ, 0, SR_CTAID_X);
    imm(b, OP_R2P, RZ, 4, 0, 1);
    imm(b, OP_AND_I, 5, GID, 0, 7);
    imm(b, OP_SHL_I, 5, 5, 0, 2);
    reg(b, OP_IADD, 5, 5, 0, IN, RZ);
    size_t top = b->count;
    for (uint32_t line = 0; line < 4; line++) {
        imm(when(b, 0), OP_STG, 7, 5, SIZE_32, 32 * line);
        imm(unless(b, 0), OP_LDG, 8, 5, SIZE_32, 32 * (3 - line));
        reg(unless(b, 0), OP_XOR, 9, 9, 0, 8, RZ);
    }
    imm(b, OP_IADD_I, 7, 7, 0, 1);
    imm(b, OP_ISETP_I, 1, 7, CMP_ULT, 24);
    (void)when(b, 1);
    back_to(b, OP_BRA, top);
    out_address(b, 4, 4);
    imm(b, OP_STG, 9, 4, SIZE_32, 0);
    reg(b, OP_ISETP, 2, 5, CMP_EQ, IN, RZ);
    imm(b, OP_LDG, 10, 4, SIZE_32, 4096);
    imm(when(b, 2), OP_STG, 5, 4, SIZE_32, 4096);
    imm(b, OP_LDG, 11, 4, SIZE_32, 4096);
    imm(b, OP_STG, 11, 4, SIZE_32, 8192);
    finish(b);
}

// Two warps exchange values through memory and a barrier: out[tid] = value of the thread `ntid - 1 - tid` of its CTA.
static void make_barrier(struct builder *b) {
    begin_kernel(b, "barrier");
    preamble(b);
    imm(b, OP_SHL_I, 4, GID, 0, 2);
    reg(b, OP_IADD, 4, 4, 0, IN, RZ);
    imm(b, OP_IMUL_I, 5, GID, 0, 3);
    imm(b, OP_STG, 5, 4, SIZE_32, 0);
    imm(b, OP_MEMBAR, RZ, RZ, 0, 0);
    imm(b, OP_BAR, RZ, RZ, 0, 0);
    imm(b, OP_S2R, 6, RZ, 0, SR_NTID_X);
    imm(b, OP_S2R, 7, RZ, 0, SR_TID_X);
    imm(b, OP_S2R, 8, RZ, 0, SR_CTAID_X);
    reg(b, OP_IMAD, 9, 8, 0, 6, 6);  // ctaid * ntid + ntid
    imm(b, OP_ISUB_I, 9, 9, 0, 1);
    reg(b, OP_ISUB, 9, 9, 0, 7, RZ);
    imm(b, OP_SHL_I, 9, 9, 0, 2);
    reg(b, OP_IADD, 9, 9, 0, IN, RZ);
    imm(b, OP_LDG, 10, 9, SIZE_32, 0);
    out_address(b, 4, 4);
    imm(b, OP_STG, 10, 4, SIZE_32, 0);
    finish(b);
}

// Shared memory: words of one bank, mirrored in the CTA of 32 threads, stored and by an atomic; zeros before.
static void make_shared(struct builder *b) {
    begin_kernel(b, "shared");
    b->kernels[b->kernel_count].shared_bytes = 2048;
    preamble(b);
    imm(b, OP_SHL_I, 6, 5, 0, 6);
    imm(b, OP_IMUL_I, 7, GID, 0, 3);
    imm(b, OP_STS, 7, 6, SIZE_32, 4);
    imm(b, OP_BAR, RZ, RZ, 0, 0);
    imm(b, OP_MOV_I, 8, RZ, 0, 31);
    reg(b, OP_ISUB, 8, 8, 0, 5, RZ);
    imm(b, OP_SHL_I, 8, 8, 0, 6);
    imm(b, OP_LDS, 9, 8, SIZE_32, 4);
    imm(b, OP_IADD_I, 8, 8, 0, 8);
    reg(b, OP_ATOMS, RZ, 8, ATOM_ADD, 7, RZ);
    imm(b, OP_BAR, RZ, RZ, 0, 0);
    imm(b, OP_LDS, 10, 6, SIZE_64, 8);
    out_address(b, 4, 16);
    imm(b, OP_STG, 9, 4, SIZE_32, 0);
    imm(b, OP_STG, 10, 4, SIZE_64, 8);
    finish(b);
}

// Every special register that does not depend on time, of a three-dimensional launch.
static void make_special(struct builder *b) {
    begin_kernel(b, "special");
    preamble(b);
    const size_t sequence = to_label(b, OP_SVSTART);  // each portion for itself
    imm(b, OP_IADD_I, 20, GID, 0, 1);
    put(b, isa_encode_reg(OP_SVEND, ISA_PT, false, 0, 0, 0, 0, 0, 0));
    label(b, sequence);
    // linear = ((ctaid.z * nctaid.y + ctaid.y) * nctaid.x + ctaid.x) * threads of a CTA + tid
    imm(b, OP_S2R, 4, RZ, 0, SR_CTAID_Z);
    imm(b, OP_S2R, 5, RZ, 0, SR_NCTAID_Y);
    imm(b, OP_S2R, 6, RZ, 0, SR_CTAID_Y);
    reg(b, OP_IMAD, 4, 4, 0, 5, 6);
    imm(b, OP_S2R, 5, RZ, 0, SR_NCTAID_X);
    imm(b, OP_S2R, 6, RZ, 0, SR_CTAID_X);
    reg(b, OP_IMAD, 4, 4, 0, 5, 6);
    imm(b, OP_S2R, 5, RZ, 0, SR_NTID_Z);
    imm(b, OP_S2R, 6, RZ, 0, SR_TID_Z);
    reg(b, OP_IMAD, 4, 4, 0, 5, 6);
    imm(b, OP_S2R, 5, RZ, 0, SR_NTID_Y);
    imm(b, OP_S2R, 6, RZ, 0, SR_TID_Y);
    reg(b, OP_IMAD, 4, 4, 0, 5, 6);
    imm(b, OP_S2R, 5, RZ, 0, SR_NTID_X);
    imm(b, OP_S2R, 6, RZ, 0, SR_TID_X);
    reg(b, OP_IMAD, 4, 4, 0, 5, 6);
    imm(b, OP_MOV_I, 5, RZ, 0, 8);
    reg(b, OP_IMAD, 5, 4, 0, 5, OUT);
    imm(b, OP_STG, 4, 5, SIZE_32, 0);
    imm(b, OP_S2R, 7, RZ, 0, SR_LANEID);
    imm(b, OP_S2R, 8, RZ, 0, SR_NCTAID_Z);
    // One, through a scalar register: R2S, SRD.
    reg(b, OP_R2S, 2, 8, 0, RZ, RZ);
    reg(b, OP_SRD, 8, RZ, 0, 2, RZ);
    reg(b, OP_IADD, 7, 7, 0, 8, RZ);
    imm(b, OP_STG, 7, 5, SIZE_32, 4);
    finish(b);
}

// A spin that lasts until *in is not zero: outlives whoever stops its channel.
static void make_spin(struct builder *b) {
    begin_kernel(b, "spin");
    preamble(b);
    size_t top = b->count;
    imm(b, OP_LDG, 4, IN, SIZE_32, 0);
    imm(b, OP_ISETP_I, 0, 4, CMP_EQ, 0);
    (void)when(b, 0);
    back_to(b, OP_BRA, top);
    finish(b);
}

// Each thread launches the child whose TMD's number is in[gid], if that is not 0, and waits for it.
static void make_parent(struct builder *b) {
    begin_kernel(b, "parent");
    preamble(b);
    imm(b, OP_SHL_I, 4, GID, 0, 2);
    reg(b, OP_IADD, 4, 4, 0, IN, RZ);
    imm(b, OP_LDG, 5, 4, SIZE_32, 0);
    imm(b, OP_ISETP_I, 0, 5, CMP_NE, 0);
    put(b, isa_encode_reg(OP_LAUNCH, 0, false, 0, 5, 1, 0, 0, 0));
    finish(b);
}

// Kernels that fault, one for each code; the first thread's access is good, so that one is performed.
static void make_faults(struct builder *b) {
    begin_kernel(b, "fault_bounds");
    preamble(b);
    imm(b, OP_MOV_I, 4, RZ, 0, 0xF0000000u);
    imm(b, OP_ISETP_I, 0, GID, CMP_EQ, 3);
    reg(unless(b, 0), OP_MOV, 4, RZ, 0, OUT, RZ);
    imm(b, OP_STG, GID, 4, SIZE_32, 0);
    finish(b);

    begin_kernel(b, "fault_alignment");
    preamble(b);
    reg(b, OP_IADD, 4, OUT, 0, GID, RZ);
    imm(b, OP_LDG, 5, 4, SIZE_32, 0);
    finish(b);

    begin_kernel(b, "fault_illegal");
    preamble(b);
    put(b, 0x6AULL);
    finish(b);

    begin_kernel(b, "fault_register");
    preamble(b);
    imm(b, OP_IADD_I, BUILDER_REGISTERS, GID, 0, 1);
    finish(b);

    begin_kernel(b, "fault_constant");
    preamble(b);
    imm(b, OP_SHL_I, 4, GID, 0, 3);
    imm(b, OP_LDC, 5, 4, SIZE_32, 0x40);
    finish(b);

    // One word past the end of the space, which the value names.
    begin_kernel(b, "fault_end");
    preamble(b);
    imm(b, OP_STG, GID, VALUE, SIZE_32, 0);
    finish(b);

    begin_kernel(b, "fault_deque");
    preamble(b);
    back_to(b, OP_CAL, b->count);
    finish(b);

    begin_kernel(b, "fault_barrier");
    preamble(b);
    imm(b, OP_ISETP_I, 0, GID, CMP_EQ, 5);
    imm(when(b, 0), OP_BAR, RZ, RZ, 0, 0);
    finish(b);

    begin_kernel(b, "fault_program");
    preamble(b);
    imm(b, OP_BRA, RZ, RZ, 0, 0x7000);
    finish(b);
}

bool kernels_make(unsigned nops, void **elf, size_t *size, char *error, size_t error_size) {
    struct builder *b = builder_create();
    if (b == NULL) {
        snprintf(error, error_size, "out of memory");
        return false;
    }
    begin_kernel(b, "nops");
    for (unsigned i = 0; i < nops; i++)
        imm(b, OP_NOP, RZ, RZ, 0, 0);
    finish(b);
    make_arithmetic(b);
    make_loop(b);
    make_branches(b);
    make_lock(b);
    make_atomics(b);
    make_sizes(b);
    make_contention(b);
    make_barrier(b);
    make_shared(b);
    make_special(b);
    make_spin(b);
    make_parent(b);
    make_faults(b);
    bool good = builder_write(b, elf, size, error, error_size);
    builder_free(b);
    return good;
}
