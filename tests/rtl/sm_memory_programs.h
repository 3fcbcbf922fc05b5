// Programs of sm_bench about memory: loads, stores, constant buffers, atomics, barriers, shared memory.
#ifndef TANDEM_TESTS_RTL_SM_MEMORY_PROGRAMS_H
#define TANDEM_TESTS_RTL_SM_MEMORY_PROGRAMS_H

// Loads and stores of every size; the addresses of a thread's access are random but its own.
static void test_memory(world &w) {
    static const uint32_t bytes[] = {1, 1, 2, 2, 4, 8, 16};
    randomize(w);
    shape s = random_shape(w, 16);
    uint32_t from = bench_below(w.bench, 7), to = bench_below(w.bench, 7);
    program p = head();
    load(w, p, 2, 0);
    p.push_back(im(OP_AND_I, 2, 2, 0xFFFu & ~(bytes[from] - 1)));
    p.push_back(im(OP_IADD_I, 2, 2, DATA + IN_B));
    for (unsigned r = 4; r < 8; r++)
        p.push_back(im(OP_MOV_I, r, 0, 0x11111111u * r));
    p.push_back(im(OP_LDG, 4, 2, 0, from));  // gather
    p.push_back(im(OP_SHL_I, 3, 0, 2));      // 16 bytes a thread
    p.push_back(im(OP_STG, 4, 3, DATA + OUT, to));
    p.push_back(im(OP_SHR_I, 3, 0, 2));
    p.push_back(im(OP_IMUL_I, 3, 3, bytes[to]));  // bytes[to] bytes a thread, side by side
    p.push_back(im(OP_STG, 4, 3, DATA + 0x8000, to));
    p.push_back(im(OP_EXIT, 0, 0, 0));
    for (uint32_t i = 0; i < 16 * s.all; i += 4)
        poke(w, DATA + OUT + i, 0xABABABAB);
    std::vector<uint8_t> before = w.memory;
    run(w, p, grid(s.threads, 1, 1, s.ctas, 1, 1, 16));
    no_fault(w, "memory");
    for (uint32_t t = 0; t < s.all; t++) {
        uint32_t in, r[4] = {0x44444444, 0x55555555, 0x66666666, 0x77777777};
        memcpy(&in, &before[DATA + 4 * t], 4);
        uint32_t at = (in & 0xFFFu & ~(bytes[from] - 1)) + DATA + IN_B;
        int8_t s8 = (int8_t)before[at];
        int16_t s16;
        memcpy(&s16, &before[at], 2);
        switch (from) {
            case SIZE_U8: r[0] = (uint8_t)s8; break;
            case SIZE_S8: r[0] = (uint32_t)s8; break;
            case SIZE_U16: r[0] = (uint16_t)s16; break;
            case SIZE_S16: r[0] = (uint32_t)s16; break;
            default: memcpy(r, &before[at], bytes[from]); break;
        }
        uint8_t want[16];
        memset(want, 0xAB, 16);
        memcpy(want, r, bytes[to]);
        if (memcmp(want, &w.memory[DATA + OUT + 16 * t], 16))
            bench_fail(w.bench, "load size %u store size %u, thread %u: %08x", from, to, t,
                       peek(w, DATA + OUT + 16 * t));
        if (memcmp(r, &w.memory[DATA + 0x8000 + bytes[to] * t], bytes[to]))
            bench_fail(w.bench, "side by side, size %u, thread %u", to, t);
    }
}

// Two threads of a request store to one byte: the higher wins. Then loads of them all.
static void test_collide(world &w) {
    program p = head();
    p.push_back(im(OP_S2R, 3, 0, SR_LANEID));
    p.push_back(im(OP_AND_I, 4, 3, 3));
    p.push_back(im(OP_STG, 3, 4, DATA + OUT, SIZE_U8));
    p.push_back(im(OP_EXIT, 0, 0, 0));
    poke(w, DATA + OUT, 0);
    run(w, p, grid(THREADS, 1, 1, 1, 1, 1, 5));
    no_fault(w, "collide");
    for (uint32_t b = 0; b < 4; b++)
        if (w.memory[DATA + OUT + b] != THREADS - 4 + b)
            bench_fail(w.bench, "byte %u is %u", b, w.memory[DATA + OUT + b]);
}

static void test_constant(world &w) {
    randomize(w);
    for (uint32_t i = 0; i < 0x800; i += 4)
        poke(w, BANK0 + i, (uint32_t)bench_random(w.bench));
    shape s = random_shape(w, 8);
    program p = head();
    load(w, p, 3, 0);
    p.push_back(im(OP_AND_I, 3, 3, 0x3C));
    p.push_back(isa_encode_imm(OP_LDC, PT, false, 4, RZ, SIZE_32, 0x10));
    p.push_back(isa_encode_imm(OP_LDC, PT, false, 5, 3, SIZE_32, 1u << 16 | 4));
    p.push_back(isa_encode_imm(OP_LDC, PT, false, 6, RZ, SIZE_64, 0x20));
    for (unsigned r = 4; r < 8; r++)
        store(p, r, OUT + (r - 4) * STEP);
    p.push_back(im(OP_EXIT, 0, 0, 0));
    run(w, p, grid(s.threads, 1, 1, s.ctas, 1, 1, 8));
    no_fault(w, "constant");
    for (uint32_t t = 0; t < s.all; t++) {
        expect(w, "LDC", DATA + OUT + 4 * t, peek(w, BANK0 + 0x10));
        expect(w, "LDC indexed", DATA + OUT + STEP + 4 * t, peek(w, BANK1 + 4 + (peek(w, DATA + 4 * t) & 0x3C)));
        expect(w, "LDC.64 low", DATA + OUT + 2 * STEP + 4 * t, peek(w, BANK0 + 0x20));
        expect(w, "LDC.64 high", DATA + OUT + 3 * STEP + 4 * t, peek(w, BANK0 + 0x24));
    }
}

// Every thread takes a ticket; tickets are all different. CAS by all on one word: one wins.
static void test_atomic(world &w) {
    shape s = random_shape(w, 8);
    program p = head();
    p.push_back(im(OP_MOV_I, 3, 0, 1));
    p.push_back(im(OP_MOV_I, 6, 0, DATA + 0x7000));
    p.push_back(isa_encode_reg(OP_ATOMG, PT, false, 4, 6, ATOM_ADD, 3, RZ, -16));
    p.push_back(isa_encode_reg(OP_ATOMG, PT, false, 5, 6, ATOM_CAS, RZ, 3, 0));
    p.push_back(isa_encode_reg(OP_ATOMG, PT, false, RZ, 6, ATOM_UMAX, 1, RZ, 4));
    store(p, 4, OUT);
    store(p, 5, OUT + STEP);
    p.push_back(im(OP_EXIT, 0, 0, 0));
    for (uint32_t i = 0; i < 64; i += 4)
        poke(w, DATA + 0x7000 - 32 + i, 0);
    run(w, p, grid(s.threads, 1, 1, s.ctas, 1, 1, 7));
    no_fault(w, "atomic");
    std::vector<bool> seen(s.all);
    uint32_t winners = 0;
    for (uint32_t t = 0; t < s.all; t++) {
        uint32_t ticket = peek(w, DATA + OUT + 4 * t);
        if (ticket >= s.all || seen[ticket]) bench_fail(w.bench, "ticket %u of thread %u", ticket, t);
        seen[ticket] = true;
        winners += peek(w, DATA + OUT + STEP + 4 * t) == 0;
    }
    if (winners != 1) bench_fail(w.bench, "%u winners", winners);
    expect(w, "counter", DATA + 0x7000 - 16, s.all);
    expect(w, "flag", DATA + 0x7000, 1);
    expect(w, "maximum", DATA + 0x7004, DATA + 4 * (s.all - 1));
}

// Values handed from thread to thread of a CTA across barriers.
static void test_barrier(world &w) {
    shape s = random_shape(w, 8);
    program p = head();
    p.push_back(im(OP_S2R, 3, 0, SR_NTID_X));
    p.push_back(im(OP_S2R, 4, 0, SR_TID_X));
    p.push_back(r3(OP_ISUB, 3, 3, 4));
    p.push_back(r3(OP_ISUB, 3, 3, 4));
    p.push_back(im(OP_ISUB_I, 3, 3, 1));
    p.push_back(im(OP_SHL_I, 3, 3, 2));
    p.push_back(r3(OP_IADD, 3, 3, 1));  // the mirrored thread's word
    p.push_back(im(OP_MOV_I, 5, 0, 12345));
    p.push_back(r3(OP_IADD, 5, 5, 0));
    store(p, 5, 0);
    for (int i = 0; i < 3; i++) {
        p.push_back(im(OP_BAR, 0, 0, 0));
        p.push_back(im(OP_LDG, 6, 3, 0, SIZE_32));
        p.push_back(im(OP_BAR, 0, 0, 0));
        p.push_back(im(OP_IADD_I, 6, 6, 3));
        store(p, 6, 0);
    }
    p.push_back(im(OP_EXIT, 0, 0, 0));
    run(w, p, grid(s.threads, 1, 1, s.ctas, 1, 1, 8));
    no_fault(w, "barrier");
    if (w.barriers != 6 * s.ctas) bench_fail(w.bench, "%u barriers", w.barriers);
    for (uint32_t c = 0; c < s.ctas; c++)
        for (uint32_t t = 0; t < s.threads; t++)
            expect(w, "barrier", DATA + 4 * (c * s.threads + t), 12345 + 4 * (c * s.threads + (s.threads - 1 - t)) + 9);
}

// Shared memory of several CTAs at once: it is zero first, then each thread's word is its mirrored thread's, and a
// counter has counted the CTA's threads; a thread that reaches past the end faults.
static void test_shared(world &w) {
    shape s = random_shape(w, 12);
    const bool outside = bench_chance(w.bench, 1, 8);
    task t = grid(s.threads, 1, 1, s.ctas, 1, 1, 12);
    const uint32_t need = 4 * s.threads + 4, stride = need * 3 <= SHARED_BYTES ? bench_below(w.bench, 3) : 0;
    t.shared = (4 * s.threads << stride) + 4;
    if (t.shared > SHARED_BYTES) return;
    program p = head();
    p.push_back(im(OP_S2R, 3, 0, SR_TID_X));
    p.push_back(im(OP_S2R, 4, 0, SR_NTID_X));
    p.push_back(im(OP_SHL_I, 5, 3, 2 + stride));  // mine
    p.push_back(im(OP_LDS, 6, 5, 4, SIZE_32));
    p.push_back(im(OP_IADD_I, 7, 0, 777));
    p.push_back(im(OP_STS, 7, 5, outside ? 8u << stride : 4, SIZE_32));
    p.push_back(im(OP_MOV_I, 8, 0, 1));
    p.push_back(isa_encode_reg(OP_ATOMS, PT, false, 9, RZ, ATOM_ADD, 8, RZ, 0));
    p.push_back(im(OP_BAR, 0, 0, 0));
    p.push_back(r3(OP_ISUB, 4, 4, 3));
    p.push_back(im(OP_ISUB_I, 4, 4, 1));
    p.push_back(im(OP_SHL_I, 4, 4, 2 + stride));
    p.push_back(im(OP_LDS, 10, 4, 4, SIZE_32));
    p.push_back(r3(OP_IADD, 10, 10, 6));  // 6 is zero
    p.push_back(im(OP_LDS, 11, RZ, 0, SIZE_32));
    store(p, 10, OUT);
    store(p, 11, OUT + STEP);
    p.push_back(im(OP_EXIT, 0, 0, 0));
    run(w, p, t);
    if (outside) {
        if (w.faults.empty() || w.faults[0].code != FAULT_SHARED_BOUNDS || w.faults[0].pc != 8 + 11)
            bench_fail(w.bench, "no SHARED_BOUNDS");
        return;
    }
    no_fault(w, "shared");
    for (uint32_t c = 0; c < s.ctas; c++)
        for (uint32_t i = 0; i < s.threads; i++) {
            const uint32_t at = DATA + OUT + 4 * (c * s.threads + i);
            expect(w, "shared", at, 777 + 4 * (c * s.threads + s.threads - 1 - i));
            expect(w, "shared counter", at + STEP, s.threads);
        }
}

// Generic addresses: each thread's own word is in the memory that its data say, in one instruction; now and then all are
// in one memory, or one thread reaches past its local memory and nothing is done.
static void test_generic(world &w) {
    randomize(w);
    shape s = random_shape(w, 12);
    const uint32_t mask = bench_chance(w.bench, 1, 3) ? 0 : 3, always = bench_below(w.bench, 3);
    const bool outside = bench_chance(w.bench, 1, 8);
    task t = grid(s.threads, 1, 1, s.ctas, 1, 1, 12);
    t.shared = 4 * s.threads;
    if (t.shared > SHARED_BYTES) return;
    program p = head();
    load(w, p, 3, 0);
    p.push_back(im(OP_AND_I, 4, 3, mask));
    p.push_back(im(OP_IADD_I, 4, 4, mask == 0 ? always : 0));
    p.push_back(im(OP_ISETP_I, 1, 4, 1, CMP_EQ));
    p.push_back(im(OP_ISETP_I, 2, 4, 2, CMP_EQ));
    p.push_back(im(OP_S2R, 6, 0, SR_TID_X));
    p.push_back(im(OP_SHL_I, 6, 6, 2));
    p.push_back(im(OP_IADD_I, 7, 1, OUT + 4 * STEP));
    p.push_back(guarded(im(OP_IADD_I, 7, 6, (uint32_t)WINDOW_SHARED << 24), 1, false));
    p.push_back(guarded(im(OP_MOV_I, 7, 0, ((uint32_t)WINDOW_LOCAL << 24) + (outside ? LOCAL_BYTES : 8)), 2, false));
    const uint32_t at = (uint32_t)p.size();
    p.push_back(im(OP_ST, 3, 7, 0, SIZE_32));
    p.push_back(im(OP_LD, 8, 7, 0, SIZE_32));
    p.push_back(im(OP_IADD_I, 9, 3, 5));
    p.push_back(isa_encode_reg(OP_ATOM, PT, false, 10, 7, ATOM_ADD, 9, RZ, 0));
    p.push_back(im(OP_LD, 11, 7, 0, SIZE_32));
    p.push_back(im(OP_LD, 4, 7, 0, SIZE_U8));
    store(p, 8, OUT);
    store(p, 10, OUT + STEP);
    store(p, 11, OUT + 2 * STEP);
    store(p, 4, OUT + 3 * STEP);
    p.push_back(im(OP_EXIT, 0, 0, 0));
    std::vector<uint32_t> in(s.all);
    bool some_local = false;
    for (uint32_t i = 0; i < s.all; i++) {
        in[i] = peek(w, DATA + 4 * i);
        some_local = some_local || (mask == 0 ? always : in[i] & 3) == 2;
        poke(w, DATA + OUT + 4 * STEP + 4 * i, 0xABABABAB);
    }
    run(w, p, t);
    if (outside && some_local) {
        if (w.faults.empty() || w.faults[0].code != FAULT_LOCAL_BOUNDS || w.faults[0].pc != 8 + at ||
            w.faults[0].info != ((uint32_t)WINDOW_LOCAL << 24) + LOCAL_BYTES)
            bench_fail(w.bench, "generic: no LOCAL_BOUNDS");
        return;
    }
    no_fault(w, "generic");
    for (uint32_t i = 0; i < s.all; i++) {
        const uint32_t kind = mask == 0 ? always : in[i] & 3, out = DATA + OUT + 4 * i, sum = 2 * in[i] + 5;
        expect(w, "generic load", out, in[i]);
        expect(w, "generic atomic", out + STEP, in[i]);
        expect(w, "generic sum", out + 2 * STEP, sum);
        expect(w, "generic byte", out + 3 * STEP, sum & 0xFF);
        expect(w, "generic in global memory", out + 4 * STEP, kind == 1 || kind == 2 ? 0xABABABAB : sum);
    }
}

#endif
