// Programs of sm_bench that bring about what random ones seldom do: warps that wait for children while nobody else goes on, sequences of one thread,
// CTAs that are offered while regions of sequences come and go. What must come out is the model's business, and that of the bench's checks.
#ifndef TANDEM_TESTS_RTL_SM_CORNER_PROGRAMS_H
#define TANDEM_TESTS_RTL_SM_CORNER_PROGRAMS_H

// One thread of one warp, often the highest of the SM, launches a child and waits for it; the other warps have ended, or stand at a barrier.
static void test_wait(world &w) {
    const bool barrier = bench_chance(w.bench, 1, 2), launches_first = bench_chance(w.bench, 3, 4);
    const uint32_t warp = bench_chance(w.bench, 1, 2) ? WARPS - 1 : bench_below(w.bench, WARPS);
    program p;
    p.push_back(im(OP_S2R, 0, 0, SR_TID_X));
    p.push_back(im(OP_ISETP_I, 0, 0, warp * THREADS + bench_below(w.bench, THREADS), CMP_EQ));
    if (barrier && !launches_first) p.push_back(im(OP_BAR, 0, 0, 0));
    p.push_back(guarded(r3(OP_LAUNCH, 0, 0, 0, 0, 1), 0, false));
    if (barrier) p.push_back(im(OP_BAR, 0, 0, 0));
    p.push_back(im(OP_EXIT, 0, 0, 0));
    run(w, p, grid(WARPS * THREADS, 1, 1, 1 + bench_below(w.bench, 3), 1, 1, 4));
    no_fault(w, "wait");
}

// Of each warp one thread is left, often the last one: it goes through sequences, turns and a trap.
static void test_alone(world &w) {
    const uint32_t thread = bench_chance(w.bench, 1, 2) ? THREADS - 1 : bench_below(w.bench, THREADS);
    program p;
    p.push_back(im(OP_S2R, 0, 0, SR_LANEID));
    p.push_back(im(OP_ISETP_I, 0, 0, thread, CMP_EQ));
    p.push_back(guarded(im(OP_EXIT, 0, 0, 0), 0, true));
    for (uint32_t i = 1 + bench_below(w.bench, 3); i > 0; i--) {
        p.push_back(im(OP_SVSTART, 0, 0, 3, bench_chance(w.bench, 1, 4) ? SV_ALWAYS : SV_AUTO));
        p.push_back(im(OP_IADD_I, 1, 1, 1));
        p.push_back(im(OP_BRA, 0, 0, 0, BRA_TURN));
        p.push_back(im(OP_SVEND, 0, 0, 0));
    }
    p.push_back(im(OP_TRAP, 0, 0, 1));
    p.push_back(im(OP_EXIT, 0, 0, 0));
    p.push_back(r3(OP_SRD, 1, 0, SCALAR_TPC));
    p.push_back(im(OP_TRET, 0, 0, 0));
    run(w, p, grid(WARPS * THREADS, 1, 1, 1, 1, 1, 4));
    no_fault(w, "alone");
}

// Many small CTAs, each of which goes through more sequences than the SM watches regions.
static void test_regions(world &w) {
    program p;
    for (uint32_t i = SV_REGIONS + 1 + bench_below(w.bench, 3); i > 0; i--) {
        p.push_back(im(OP_SVSTART, 0, 0, 1, SV_AUTO));
        p.push_back(im(OP_SVEND, 0, 0, 0));
        if (bench_chance(w.bench, 1, 3)) p.push_back(im(OP_NOP, 0, 0, 0));
    }
    p.push_back(im(OP_EXIT, 0, 0, 0));
    run(w, p, grid(1 + bench_below(w.bench, THREADS), 1, 1, 50 + bench_below(w.bench, 100), 1, 1, 1));
    no_fault(w, "regions");
}

#endif
