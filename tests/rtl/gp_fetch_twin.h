// The C twin beside the unit of gp_fetch_bench: a ring's state is given to it, and it is asked what comes next. Included by the bench behind
// what it says of rings.
#ifndef TANDEM_TESTS_RTL_GP_FETCH_TWIN_H
#define TANDEM_TESTS_RTL_GP_FETCH_TWIN_H

// The model's channel, in the state of a ring.
static struct host_channel *twin(struct fetch_run *run, uint32_t c) {
    const struct ring &r = run->rings[c];
    struct host *host = run->model->host;
    struct host_channel *t = &host->channel_state[c];
    method_parser_reset(t);
    host->outputs.channel_halt[c] = r.faulted;
    t->enable = r.enable;
    t->busy = r.busy;
    t->gp_base = r.base, t->gp_entries = r.entries, t->gp_put = r.put, t->gp_get = r.get;
    t->block = r.block, t->left = r.left;
    t->line = HOST_LINE_NONE;
    t->own_code = FAULT_NONE;
    return t;
}

static void expect_fault(const struct fetch_run *run, const struct next &n, uint32_t code, uint32_t info) {
    if (n.state != FAULT || n.code != code || n.info != info)
        bench_fail(&run->bench, "fault %u %08x, the model's is %u %08x", n.code, n.info, code, info);
}

// What is due of any ring.
static void twin_due(struct fetch_run *run) {
    struct bench *bench = &run->bench;
    const uint32_t c = bench_below(bench, CHANNELS);
    const struct ring &r = run->rings[c];
    struct host_channel *t = twin(run, c);
    struct host_fault_found fault = {};
    struct next n = {ENTRY, c, 0, 0, 0, false, false, false};
    if (!r.busy && r.put != r.get) begin_entry(r, n);
    const enum host_due due = gp_fetch_due(run->model->host, c, &fault);
    enum host_due wanted = HOST_DUE_NOTHING;
    if (r.enable && !r.faulted) {
        if (r.busy)
            wanted = r.left != 0 ? HOST_DUE_READ_BLOCK : HOST_DUE_GP_GET;
        else if (r.put != r.get)
            wanted = n.state == FAULT ? HOST_DUE_FAULT : HOST_DUE_READ_ENTRY;
    }
    if (due != wanted) bench_fail(bench, "due is %s, not %s", host_due_name(due), host_due_name(wanted));
    if (due == HOST_DUE_FAULT) expect_fault(run, n, fault.code, fault.info);
    // Words of a line are gone over only by a channel that may, in an entry, and up to what is to be seen.
    t->line = HOST_LINE_BLOCK;
    t->line_addr = t->block & ~31u;
    memset(t->line_bytes, 0, sizeof t->line_bytes);
    t->held = bench_chance(bench, 1, 4);
    t->own_code = bench_chance(bench, 1, 4) ? (uint32_t)FAULT_BUS_ERROR : (uint32_t)FAULT_NONE;
    const bool goes = r.enable && !r.faulted && r.busy && !t->held && t->own_code == FAULT_NONE;
    const uint32_t words = goes ? std::min(r.left, 8 - r.block / 4 % 8) : 0;
    gp_fetch_advance(run->model->host, c);
    if (t->block != r.block + 4 * words || t->left != r.left - words)
        bench_fail(bench, "the model goes on to %08x, not by %u words", t->block, words);
}

static void twin_refused(struct fetch_run *run, const struct next &n, bool ring) {
    struct host_channel *t = twin(run, run->channel);
    t->line = HOST_LINE_BLOCK;
    gp_fetch_failed(run->model->host, run->channel, ring, run->rtl.mem_rsp_fault_i);
    expect_fault(run, n, t->own_code, t->own_info);
    if (t->line != HOST_LINE_NONE) bench_fail(&run->bench, "the model keeps a line that was refused");
}

static void twin_entry(struct fetch_run *run, const struct next &n) {
    struct host_channel *t = twin(run, run->channel);
    struct trace_event event = {};
    event.kind = TRACE_FAULT;
    const uint32_t at = (uint32_t)entry_addr(run->rings[run->channel]) / 8 % 4 * 2;
    t->line = HOST_LINE_RING;
    t->busy = false;
    for (uint32_t i = 0; i < 8; i++)
        memcpy(t->line_bytes + 4 * i, &run->line[i], 4);
    gp_fetch_begin(run->model->host, run->channel, &event);
    if (event.kind != TRACE_GP_ENTRY || event.gp_entry.channel != run->channel || event.gp_entry.gp_get != t->gp_get ||
        event.gp_entry.entry0 != run->line[at] || event.gp_entry.entry1 != run->line[at + 1] || !t->busy ||
        t->line != HOST_LINE_NONE)
        bench_fail(&run->bench, "the model begins another entry");
    if (n.state == FAULT) return expect_fault(run, n, t->own_code, t->own_info);
    if (t->own_code != FAULT_NONE || t->left != (n.begins ? GP_ENTRY1_LENGTH_OF(run->line[at + 1]) : 0) ||
        (n.begins && t->block != (run->line[at] & ~3u)))
        bench_fail(&run->bench, "the model's entry is %u words at %08x", t->left, t->block);
}

static void twin_finish(struct fetch_run *run) {
    struct host_channel *t = twin(run, run->channel);
    const struct ring &r = run->rings[run->channel];
    struct trace_event event = {};
    event.kind = TRACE_FAULT;
    t->line = HOST_LINE_BLOCK;
    t->ppu_owned = bench_chance(&run->bench, 1, 2);
    gp_fetch_finish(run->model->host, run->channel, &event);
    if (event.kind != TRACE_GP_GET || event.gp_get.channel != run->channel ||
        event.gp_get.value != run->rtl.gp_get_value_o || t->gp_get != run->rtl.gp_get_value_o ||
        t->gp_put != (t->ppu_owned ? r.get : r.put) || t->busy || t->line != HOST_LINE_NONE)
        bench_fail(&run->bench, "the model ends the entry with GP_GET %u GP_PUT %u", t->gp_get, t->gp_put);
    t->ppu_owned = false;
}

#endif
