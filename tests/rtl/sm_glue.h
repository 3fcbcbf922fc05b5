// What sm does itself in each cycle, between its parts, where no event shows it: who has waited for a unit, and whose row goes to the write port.
// The signals are those of scripts/verilate-sm.vlt.
#ifndef TANDEM_TESTS_RTL_SM_GLUE_H
#define TANDEM_TESTS_RTL_SM_GLUE_H

#define INSIDE(name) (w.unit.rootp->sm__DOT__##name)

// Rows of load_store and of shared memory: each that is taken is taken from one of them, and neither goes twice while the other has one.
static void check_rows(world &w) {
    const bool load = INSIDE(ls_wb_valid) != 0, shared = INSIDE(shared_wb_valid) != 0;
    const bool load_goes = load && INSIDE(ls_wb_ready) != 0, shared_goes = shared && INSIDE(shared_wb_ready) != 0;
    const bool goes = (load || shared) && INSIDE(wb_ready) != 0;
    const bool of_shared = shared && (!load || !w.shared_row);
    if ((INSIDE(shared_turn_q) != 0) == w.shared_row)
        bench_fail(w.bench, "cycle %lu: turn of shared memory's rows: %u", (unsigned long)w.cycle,
                   INSIDE(shared_turn_q));
    if (load_goes != (goes && !of_shared) || shared_goes != (goes && of_shared))
        bench_fail(w.bench,
                   "cycle %lu: rows of load_store and shared memory: there %u %u, taken %u %u, the last was shared "
                   "memory's: %u",
                   (unsigned long)w.cycle, load, shared, load_goes, shared_goes, w.shared_row);
    if (goes) w.shared_row = of_shared;
    w.rows_meet += goes && load && shared;
}

// A warp waits for its turn of a unit when it was sent back for want of that, not of a value.
static void check_sent_back(world &w) {
    const bool must = INSIDE(issue_retry) != 0 && INSIDE(issue_retry_score) == 0;
    if ((INSIDE(sent_back) != 0) != must)
        bench_fail(w.bench, "cycle %lu: sent back for want of a unit: %u, not %u", (unsigned long)w.cycle,
                   INSIDE(sent_back), must);
}

static void check_glue(world &w) {
    check_rows(w);
    check_sent_back(w);
}

#endif
