// What task_unit itself does in each cycle, beside its parts: which child or freed task goes to task_management, who is told of an end, who has the memory
// port, what is asked there, which fault the host is told. The signals between the parts are those of scripts/verilate-task_unit.vlt.
#ifndef TANDEM_TESTS_RTL_TASK_UNIT_GLUE_H
#define TANDEM_TESTS_RTL_TASK_UNIT_GLUE_H

#define INSIDE(name) (t->unit.rootp->task_unit__DOT__##name)

static const uint32_t CHANNEL_BITS = CHANNELS > 1 ? index_bits(CHANNELS) : 1;
static const uint32_t SLOT_BITS = TASK_SLOTS > 1 ? index_bits(TASK_SLOTS) : 1;

template <class Port>
static uint32_t bits_at(const Port &port, uint32_t at, uint32_t width) {
    return static_cast<uint32_t>(get_bits(port, at * width, width));
}

static void same(const struct test *t, const char *what, uint64_t rtl, uint64_t must) {
    if (rtl != must) bench_fail(t->bench, "%s is 0x%" PRIx64 ", not 0x%" PRIx64, what, rtl, must);
}

// ---- children, and what is freed: they take turns ----
static void check_children(struct test *t) {
    const Vtask_unit &u = t->unit;
    const bool ready = INSIDE(child_ready) != 0;
    uint32_t first = SMS;
    for (uint32_t s = SMS; s-- > 0;)
        if (bits_at(u.child_valid_i, s, 1) != 0) first = s;
    const bool frees = INSIDE(freed_valid) != 0 && !(t->freed_last && first != SMS), child = first != SMS && !frees;
    same(t, "freed_last_q", INSIDE(freed_last_q), t->freed_last);
    same(t, "child_valid", INSIDE(child_valid), frees || child);
    same(t, "freed_ready", INSIDE(freed_ready), frees && ready);
    for (uint32_t s = 0; s < SMS; s++)
        same(t, "child_ready_o", bits_at(u.child_ready_o, s, 1), child && s == first && ready);
    uint32_t of = 0;
    if (frees) {
        same(t, "frees", INSIDE(frees), 1);
        same(t, "freed_channel", INSIDE(child_channel), INSIDE(freed_channel));
        same(t, "freed_tmd", INSIDE(child_tmd), INSIDE(freed_tmd));
    } else if (child) {
        const uint32_t slot = bits_at(u.child_slot_i, first, SLOT_BITS);
        const bool waits = bits_at(u.child_wait_i, first, 1) != 0;
        const uint32_t place = first * WARPS + bits_at(u.child_warp_i, first, 8), tmd = bits_at(u.slot_tmd_o, slot, 32);
        const uint32_t parent =
            PARENT_WAITS | bits_at(INSIDE(slot_save), slot, 1) << 30 | place << PARENT_PLACE_LOW | tmd >> 8;
        same(t, "frees", INSIDE(frees), 0);
        same(t, "child_channel", INSIDE(child_channel), bits_at(u.slot_channel_o, slot, CHANNEL_BITS));
        same(t, "child_tmd", INSIDE(child_tmd), bits_at(u.child_tmd_i, first, 32));
        same(t, "child_region", INSIDE(child_region), bits_at(u.slot_region_o, slot, 32));
        same(t, "child_local", INSIDE(child_local), bits_at(u.slot_local_base_o, slot, 32));
        same(t, "child_parent", INSIDE(child_parent), waits ? parent : 0);
        if (waits && ready) of = 1u << slot;
    }
    same(t, "child_of", INSIDE(child_of), of);
    if ((frees || child) && ready) t->freed_last = frees;
    for (uint32_t s = 0; s < SMS; s++) {
        const uint32_t parent = INSIDE(ended_parent), place = parent >> PARENT_PLACE_LOW & 63;
        const bool told = INSIDE(ended_valid) != 0 && (parent & PARENT_WAITS) != 0 && place / WARPS == s;
        same(t, "child_ended_valid_o", bits_at(u.child_ended_valid_o, s, 1), told);
        if (told) same(t, "child_ended_warp_o", bits_at(u.child_ended_warp_o, s, 8), place % WARPS);
        if (told)
            same(t, "child_ended_channel_o", bits_at(u.child_ended_channel_o, s, CHANNEL_BITS), INSIDE(ended_channel));
    }
}

// ---- the memory port ----
template <class Data>
static void check_request(struct test *t, uint32_t op, uint32_t atom, uint32_t channel, uint32_t addr, uint32_t wstrb,
                          const Data &wdata) {
    const Vtask_unit &u = t->unit;
    same(t, "req_op_o", u.req_op_o, op);
    same(t, "req_channel_o", u.req_channel_o, channel);
    same(t, "req_addr_o", u.req_addr_o, addr);
    if (op != MEM_READ) same(t, "req_wstrb_o", u.req_wstrb_o, wstrb);
    if (op == MEM_ATOMIC) same(t, "req_atom_o", u.req_atom_o, atom);
    for (uint32_t b = 0; b < 32; b++)
        if (op == MEM_ATOMIC ? b < 8 : op == MEM_WRITE && (wstrb >> b & 1) != 0)
            same(t, "req_wdata_o", bits_at(u.req_wdata_o, b, 8), bits_at(wdata, b, 8));
}

#define CHECK_REQUEST(part)                                                                      \
    check_request(t, INSIDE(part##_req_op), INSIDE(part##_req_atom), INSIDE(part##_req_channel), \
                  INSIDE(part##_req_addr), INSIDE(part##_req_wstrb), INSIDE(part##_req_wdata))

// Who has it keeps it; releases come first, queues last.
static void check_port(struct test *t) {
    const Vtask_unit &u = t->unit;
    const bool release = t->holder == HAS_RELEASES, fetch = t->holder == HAS_TMDS, queue = t->holder == HAS_QUEUES;
    same(t, "release_granted_q", INSIDE(release_granted_q), release);
    same(t, "fetch_granted_q", INSIDE(fetch_granted_q), fetch);
    same(t, "queue_granted_q", INSIDE(queue_granted_q), queue);
    const bool asks = release ? INSIDE(release_req_valid) != 0
                      : fetch ? INSIDE(fetch_req_valid) != 0
                              : queue && INSIDE(queue_req_valid) != 0;
    same(t, "req_valid_o", u.req_valid_o, asks);
    if (asks && release) CHECK_REQUEST(release);
    if (asks && fetch) CHECK_REQUEST(fetch);
    if (asks && queue) CHECK_REQUEST(queue);
    const bool wants[] = {false, INSIDE(release_want) != 0, INSIDE(fetch_want) != 0, INSIDE(queue_want) != 0};
    if (t->holder != HAS_NOBODY)
        t->holder = wants[t->holder] ? t->holder : HAS_NOBODY;
    else
        t->holder = wants[HAS_RELEASES] ? HAS_RELEASES
                    : wants[HAS_TMDS]   ? HAS_TMDS
                    : wants[HAS_QUEUES] ? HAS_QUEUES
                                        : HAS_NOBODY;
}

// What the host is told in each cycle: a warp's fault first, of one SM at once, of several from their queues, that of the lowest SM first; else what
// the model has told.
static void check_faults(struct test *t) {
    Vtask_unit &u = t->unit;
    const uint32_t slot_bits = index_bits(TASK_SLOTS), bits = index_bits(CHANNELS);
    std::vector<told_fault> must = t->unit_faults;
    bool from_queue = false;
    for (uint32_t s = 0; s < SMS && SMS > 1; s++) {
        if (from_queue || t->warp_faults[s].empty()) continue;
        from_queue = true;
        must.insert(must.begin(), t->warp_faults[s].front());
        t->warp_faults[s].pop_front();
    }
    for (uint32_t s = 0; s < SMS; s++) {
        const bool faults = get_bits(u.sm_fault_valid_i, s, 1) != 0;
        const uint32_t slot = static_cast<uint32_t>(get_bits(u.sm_fault_slot_i, slot_bits * s, slot_bits));
        if (faults && (SMS == 1 || !t->warp_told[s][slot])) {
            const told_fault f = {static_cast<uint32_t>(get_bits(u.slot_channel_o, bits * slot, bits)),
                                  static_cast<uint32_t>(get_bits(u.sm_fault_code_i, 8 * s, 8)),
                                  static_cast<uint32_t>(get_bits(u.sm_fault_info_i, 32 * s, 32)),
                                  static_cast<uint32_t>(get_bits(u.sm_fault_pc_i, 32 * s, 32))};
            if (SMS == 1)
                must.insert(must.begin(), f);
            else
                t->warp_faults[s].push_back(f);
        }
        // One fault of a slot is told, until it is not killed any more.
        for (uint32_t k = 0; k < TASK_SLOTS; k++) {
            if (faults && k == slot)
                t->warp_told[s][k] = true;
            else if (get_bits(u.slot_kill_o, k, 1) == 0)
                t->warp_told[s][k] = false;
        }
    }
    t->unit_faults.clear();
    if (must.size() > 1) bench_fail(t->bench, "%zu faults are to be told in a cycle", must.size());
    if (u.fault_valid_o != !must.empty())
        bench_fail(t->bench, "a fault is told, or not: %zu wait for that", must.size());
    if (must.empty()) return;
    const told_fault &f = must.front();
    if (u.fault_channel_o != f.channel || u.fault_code_o != f.code || u.fault_info_o != f.info || u.fault_pc_o != f.pc)
        bench_fail(t->bench, "told is fault %u info 0x%x pc 0x%x of channel %u, not %u 0x%x 0x%x of %u", u.fault_code_o,
                   u.fault_info_o, u.fault_pc_o, u.fault_channel_o, f.code, f.info, f.pc, f.channel);
}

static void check_glue(struct test *t) {
    const Vtask_unit &u = t->unit;
    uint32_t faulted = 0;
    check_children(t);
    check_port(t);
    for (uint32_t s = 0; s < SMS; s++)
        if (bits_at(u.sm_fault_valid_i, s, 1) != 0) faulted |= 1u << bits_at(u.sm_fault_slot_i, s, SLOT_BITS);
    same(t, "slot_faulted", INSIDE(slot_faulted), faulted);
    same(t, "settled_o", u.settled_o, ~(INSIDE(in_slots) | INSIDE(coming)) & ((1u << CHANNELS) - 1));
}

// Some cycles, in which a warp may seem to fault; nothing is told, and then nobody has the port. Registers may come up as anything.
static void reset_glue(struct bench *bench, Vtask_unit &u) {
    u.rst_i = 1;
    for (uint32_t i = 0; i < 4; i++) {
        set_bits(u.sm_fault_valid_i, 0, SMS, i == 3 ? 0 : bench_below(bench, 1u << SMS));
        u.clk_i = 0;
        u.eval();
        if (u.fault_valid_o) bench_fail(bench, "a fault is told in a reset");
        tick(u);
    }
    u.rst_i = 0;
    u.eval();
    if (u.rootp->task_unit__DOT__release_granted_q || u.rootp->task_unit__DOT__fetch_granted_q ||
        u.rootp->task_unit__DOT__queue_granted_q)
        bench_fail(bench, "the memory port is granted after a reset");
    if (u.rootp->task_unit__DOT__freed_last_q) bench_fail(bench, "something was freed before a reset");
}

static void resets(struct bench *bench) {
    for (uint32_t i = 0; i < 12; i++) {
        registers_at_random(bench_random(bench));
        Vtask_unit *unit = new Vtask_unit();
        reset_glue(bench, *unit);
        delete unit;
    }
}

#endif
