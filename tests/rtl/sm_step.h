// A clock cycle of the world of sm_bench, and the run of tasks to their end.
#ifndef TANDEM_TESTS_RTL_SM_STEP_H
#define TANDEM_TESTS_RTL_SM_STEP_H

#include "sm_glue.h"

static const uint32_t STOP_LIMIT = 3000000;
static const uint64_t STILL =
    60000;  // of random tasks all may wait for each other until they are stopped, sooner than that
static const uint64_t SETTLED = 8 + 4 * WARPS;  // in so many cycles the mover of tokens has gone round

// What the memory answers in this cycle.
static void give_answers(world &w) {
    Vsm &u = w.unit;
    memory_port *ports[3] = {&w.fetch, &w.data, &w.token};
    static const uint32_t numbers[3] = {FETCH_PORT, DATA_PORT, TOKEN_PORT};
    for (uint32_t i = 0; i < 3; i++) {
        std::deque<answer> &answers = ports[i]->answers;
        const bool due = !answers.empty() && answers.front().at <= w.cycle;
        answer a;
        memset(&a, 0, sizeof a);
        if (due) {
            a = answers.front();
            answers.pop_front();
            if (i == 2) w.token_used = w.cycle;
        }
        if (due && a.fault == ANSWER_BUS_ERROR) {
            trace_event e;
            memset(&e, 0, sizeof e);
            e.kind = TRACE_BUS_ERROR;
            e.cycle = w.cycle;
            e.bus_error.port = numbers[i];
            e.bus_error.after = (uint32_t)answers.size();
            e.bus_error.addr = a.line;
            follow_event(w.follow, e);
        }
        for (uint32_t k = 0; k < 8; k++)
            (i == 0 ? u.if_rsp_data_i : i == 1 ? u.ls_rsp_data_i : u.token_rsp_data_i)[k] = a.data[k];
        (i == 0 ? u.if_rsp_valid_i : i == 1 ? u.ls_rsp_valid_i : u.token_rsp_valid_i) = due;
        (i == 0 ? u.if_rsp_fault_i : i == 1 ? u.ls_rsp_fault_i : u.token_rsp_fault_i) = (uint8_t)a.fault;
    }
}

// As the memory unit: two requests of a line are under way only when both read, or are atomics; nothing is performed behind
// an atomic that fails.
static bool may_touch(const memory_port &port, uint32_t line, uint32_t op) {
    for (const answer &a : port.answers)
        if (a.line == line && a.fault != ANSWER_OUTSIDE && (a.op != op || op == REQUEST_WRITE)) return false;
    return true;
}
static bool may_perform(const world &w, const memory_port &port) {
    if (port.requests.empty() || port.requests.front().at > w.cycle) return false;
    const struct request &r = port.requests.front();
    const uint32_t line = physical(w, port, r) & ~31u;
    for (const answer &a : port.answers)
        if (a.op == REQUEST_ATOMIC && a.fault == ANSWER_BUS_ERROR) return false;
    return may_touch(w.fetch, line, r.op) && may_touch(w.data, line, r.op) && may_touch(w.token, line, r.op);
}

// One request is performed, or somebody else writes. Returns the byte that somebody else is to write, or MEMORY_BYTES.
static uint32_t use_memory(world &w) {
    Vsm &u = w.unit;
    uint32_t line = 0, foreign = MEMORY_BYTES;
    const bool fetch = may_perform(w, w.fetch), data = may_perform(w, w.data);
    u.snoop_valid_i = u.snoop_addr_i = 0;
    if (may_perform(w, w.token)) {  // before others
        u.snoop_valid_i = perform(w, w.token, &line);
    } else if (fetch || data) {
        u.snoop_valid_i = perform(w, fetch && (!data || bench_chance(w.bench, 1, 2)) ? w.fetch : w.data, &line);
    } else if (w.foreign.bytes != 0 && bench_chance(w.bench, 1, 8)) {
        const uint32_t at = w.foreign.from + bench_below(w.bench, w.foreign.bytes);
        if (!may_touch(w.data, at & ~31u, REQUEST_WRITE) || inside(w.bad, at, 1)) return foreign;
        foreign = at;
        u.snoop_valid_i = 1;
        line = foreign & ~31u;
    }
    u.snoop_addr_i = line;
    return foreign;
}

// Offers CTAs, slot by slot; those that come back before new ones.
static void offer(world &w) {
    Vsm &u = w.unit;
    const uint32_t closed = u.slot_kill_i | u.slot_stop_i;
    // An offer that is taken back: another slot's comes after a cycle without one.
    const bool taken_back = w.offering && (closed >> w.offered_slot & 1);
    if (taken_back) w.offering = false;
    for (uint32_t k = 0; k < TASK_SLOTS && !w.offering && !taken_back; k++) {
        const uint32_t s = (k + (uint32_t)w.cycle) % TASK_SLOTS;
        const task &t = w.tasks[s];
        if (!t.used || t.next >= t.total || t.start > w.cycle || (closed >> s & 1)) continue;
        w.offering = true;
        w.offered_slot = s;
    }
    u.cta_valid_i = w.offering;
    if (!w.offering) return;
    const task &t = w.tasks[w.offered_slot];
    u.cta_slot_i = (uint8_t)w.offered_slot;
    u.cta_resume_i = t.back != 0;
    const uint32_t place = t.back != 0 ? 0 : t.place;
    u.cta_x_i = place % t.grid[0];
    u.cta_y_i = (uint16_t)(place / t.grid[0] % t.grid[1]);
    u.cta_z_i = (uint16_t)(place / t.grid[0] / t.grid[1]);
}

static void take_cta(world &w) {
    Vsm &u = w.unit;
    if (!u.cta_valid_i || !u.cta_ready_o) return;
    if (!sm_can_take_cta(w.follow.sm, w.offered_slot))
        bench_fail(w.bench, "cycle %lu: a CTA of slot %u is taken, the model has no room for it",
                   (unsigned long)w.cycle, w.offered_slot);
    sm_take_cta(w.follow.sm, w.offered_slot, u.cta_x_i, u.cta_y_i, u.cta_z_i, u.cta_resume_i);
    task &t = w.tasks[w.offered_slot];
    t.next++;
    (u.cta_resume_i ? t.back-- : t.place++);
    w.offering = false;
}

// Children that end: those that were launched, and now and then one that nobody knows.
static void end_children(world &w) {
    Vsm &u = w.unit;
    u.child_ended_valid_i = 0;
    for (size_t i = 0; i < w.children.size(); i++) {
        if (w.children[i].at > w.cycle) continue;
        u.child_ended_valid_i = 1;
        u.child_ended_warp_i = (uint8_t)w.children[i].warp;
        u.child_ended_channel_i = (uint8_t)w.children[i].channel;
        w.children.erase(w.children.begin() + (std::ptrdiff_t)i);
        return;
    }
    if (!bench_chance(w.bench, w.orphans, 1000)) return;
    u.child_ended_valid_i = 1;
    u.child_ended_warp_i = (uint8_t)bench_below(w.bench, WARPS);
    u.child_ended_channel_i = (uint8_t)bench_below(w.bench, CHANNELS);
}

// The model is told before the events of the cycle: what has no child yet does not count one.
static void follow_end_of_child(world &w) {
    Vsm &u = w.unit;
    follower &f = w.follow;
    if (!u.child_ended_valid_i) return;
    const uint32_t warp = u.child_ended_warp_i, channel = u.child_ended_channel_i;
    sm_child_ended(f.sm, warp, channel);
    f.last_event = w.cycle;
    if ((f.live >> warp & 1) != 0 && f.waits[warp] != 0 && f.slot[f.in[warp]].channel == channel) {
        f.waits[warp]--;
        f.last[warp] = w.cycle;
    }
}

// Software moves the tokens of a warp that are in memory, for the RTL and for the model.
static void move_tokens(world &w, uint32_t warp, int32_t places) {
    const uint32_t ends = sm_deque_ends(w.follow.sm, warp), kept = sm_deque_kept(w.follow.sm, warp);
    const uint32_t all = HALF << w.follow.settings.deque_size, queue = QUEUES + warp * all * TOKEN_BYTES;
    const uint32_t first = (ends & 0xFFFF) + (kept & 0xFFFF), end = all - (ends >> 16) - (kept >> 16);
    if (first >= end) return;
    const size_t bytes = (size_t)(end - first) * TOKEN_BYTES;
    uint8_t *const from = &w.memory[queue + first * TOKEN_BYTES];
    uint8_t *const to = from + places * (int32_t)TOKEN_BYTES;
    memmove(to, from, bytes);
    mem_put(w.follow.mem, (uint64_t)(to - &w.memory[0]), to, bytes);
}

static void serve_held(world &w) {
    Vsm &u = w.unit;
    struct server &s = w.server;
    follower &f = w.follow;
    if (s.asked && (u.deque_valid_i || !s.late)) {
        s.late = !u.deque_valid_i;
        return;
    }
    if (s.asked) {  // done two cycles ago
        s.asked = s.late = false;
        if (sm_warp_held(f.sm, s.warp) &&
            (u.deque_ends_o != sm_deque_ends(f.sm, s.warp) || u.deque_kept_o != sm_deque_kept(f.sm, s.warp)))
            bench_fail(w.bench, "cycle %lu: deque of warp %u: ends %08x, kept %08x, model %08x %08x",
                       (unsigned long)w.cycle, s.warp, u.deque_ends_o, u.deque_kept_o, sm_deque_ends(f.sm, s.warp),
                       sm_deque_kept(f.sm, s.warp));
    }
    if (!s.busy) {
        if (f.held == 0) return;
        s.busy = true;
        do
            s.warp = bench_below(w.bench, WARPS);
        while ((f.held >> s.warp & 1) == 0);
        s.wait = bench_below(w.bench, 60);
        u.warp_select_i = (uint8_t)s.warp;
        const uint32_t ends = sm_deque_ends(f.sm, s.warp), front = ends & 0xFFFF, back = ends >> 16;
        const uint32_t step = 1 + bench_below(w.bench, front == 0 ? back : front);
        // What moves nothing: past either end.
        if (bench_chance(w.bench, 1, 3)) s.todo.push_back({DEQUE_MOVE, back + 1 + bench_below(w.bench, 8)});
        if (bench_chance(w.bench, 1, 3)) s.todo.push_back({DEQUE_MOVE, 0u - (front + 1)});
        s.todo.push_back({DEQUE_MOVE, front == 0 ? step : 0u - step});
        s.todo.push_back({DEQUE_RESUME, 1});
    }
    if (s.wait != 0) {
        s.wait--;
        return;
    }
    if (s.todo.empty() || !sm_warp_held(f.sm, s.warp)) {
        s.todo.clear();
        s.busy = false;
        return;
    }
    const deque_operation o = s.todo.front();
    s.todo.pop_front();
    if (o.op == DEQUE_MOVE) {
        if (s.todo.size() == 1) move_tokens(w, s.warp, (int32_t)o.places);
        sm_deque_move(f.sm, s.warp, (int32_t)o.places);
    } else {
        sm_deque_resume(f.sm, s.warp);
    }
    s.asked = true;
    s.wait = bench_below(w.bench, 3);
    u.deque_valid_i = 1;
    u.deque_op_i = (uint8_t)o.op;
    u.deque_places_i = (uint16_t)o.places;
}

static void deque_answered(world &w) {
    Vsm &u = w.unit;
    if (!u.deque_valid_i || !u.deque_ready_o) return;
    if (u.deque_op_i == DEQUE_RESUME) w.follow.held &= ~(UINT64_C(1) << w.server.warp);
    w.follow.last[w.server.warp] = w.cycle;
}

// What the SM tells those above it in this cycle, against what the model has told.
static void compare_signals(world &w) {
    Vsm &u = w.unit;
    follower &f = w.follow;
    const unsigned long cycle = (unsigned long)w.cycle;
    if (f.faults.size() != u.sm_fault_valid_o)
        bench_fail(w.bench, "cycle %lu: the RTL tells %u faults, the model %zu", cycle, u.sm_fault_valid_o,
                   f.faults.size());
    for (const fault &m : f.faults) {
        const fault r = {u.sm_fault_slot_o, u.sm_fault_code_o, u.sm_fault_info_o, u.sm_fault_pc_o};
        if (r.slot != m.slot || r.code != m.code || r.info != m.info || r.pc != m.pc)
            bench_fail(w.bench, "cycle %lu: fault %u info %08x pc %u of slot %u, model %u %08x %u of %u", cycle, r.code,
                       r.info, r.pc, r.slot, m.code, m.info, m.pc, m.slot);
        w.faults.push_back(r);
    }
    f.faults.clear();
    const bool launches = u.child_valid_o && u.child_ready_i;
    if (f.children.size() != launches)
        bench_fail(w.bench, "cycle %lu: the RTL launches %u children, the model %zu", cycle, launches,
                   f.children.size());
    for (const sm_child &m : f.children) {
        if (u.child_slot_o != m.slot || u.child_tmd_o != m.number || u.child_warp_o != m.warp ||
            (u.child_wait_o != 0) != m.wait)
            bench_fail(w.bench, "cycle %lu: child %08x of slot %u, warp %u, waits %u; model %08x %u %u %u", cycle,
                       u.child_tmd_o, u.child_slot_o, u.child_warp_o, u.child_wait_o, m.number, m.slot, m.warp, m.wait);
        if (m.wait) w.children.push_back({cycle + 1 + bench_below(w.bench, 300), m.warp, f.slot[m.slot].channel});
    }
    f.children.clear();
    if (u.warp_held_o != f.held_now)
        bench_fail(w.bench, "cycle %lu: the RTL tells %u held warps, the model %u", cycle, u.warp_held_o, f.held_now);
    f.held_now = 0;
    if (u.cta_done_valid_o) {
        const uint32_t slot = u.cta_done_slot_o;
        const bool left = u.cta_done_left_o;
        uint32_t &due = (left ? f.left : f.done)[slot];
        if (due == 0)
            bench_fail(w.bench, "cycle %lu: a CTA of slot %u is told to %s, the model has none", cycle, slot,
                       left ? "have left" : "be done");
        due--;
        w.left += left;
        task &t = w.tasks[slot];
        t.ended++;
        if (left && t.returns) t.back++, t.total++;
    }
}

// Registers that show state, at the beginning of a cycle.
static void compare_state(world &w) {
    Vsm &u = w.unit;
    follower &f = w.follow;
    if (u.live_o != f.live)
        bench_fail(w.bench, "cycle %lu: live warps %x, model %x", (unsigned long)w.cycle, (unsigned)u.live_o,
                   (unsigned)f.live);
    if (u.held_o != f.held)
        bench_fail(w.bench, "cycle %lu: held warps %x, model %x", (unsigned long)w.cycle, (unsigned)u.held_o,
                   (unsigned)f.held);
}

// Registers of a warp, when nothing has happened for so long that both must say the same.
static void compare_looked(world &w) {
    Vsm &u = w.unit;
    follower &f = w.follow;
    if (w.cycle - f.last_event != 40 || u.slot_kill_i != 0 || w.server.asked || f.live == 0 ||
        !sm_quiescent(f.sm, {nullptr, 0}))
        return;
    const unsigned long cycle = (unsigned long)w.cycle;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        const bool rests = u.slot_rests_o >> k & 1, waits = u.slot_waits_o >> k & 1,
                   trapped = u.slot_trapped_o >> k & 1;
        const bool leaving = u.slot_stop_i >> k & 1;  // one that is to stop waits no longer for its children
        if ((!leaving && (rests != sm_slot_rests(f.sm, k) || waits != sm_slot_waits(f.sm, k))) ||
            trapped != sm_slot_trapped(f.sm, k))
            bench_fail(w.bench, "cycle %lu: slot %u: rests %u waits %u trapped %u, model %u %u %u", cycle, k, rests,
                       waits, trapped, sm_slot_rests(f.sm, k), sm_slot_waits(f.sm, k), sm_slot_trapped(f.sm, k));
    }
    // The task unit takes nothing for stuck while a slot is to stop.
    if (u.slot_stop_i == 0 && (u.waiting_o != sm_waiting(f.sm) || u.stuck_o != sm_stuck(f.sm)))
        bench_fail(w.bench, "cycle %lu: waiting %u stuck %u, model %u %u", cycle, u.waiting_o, u.stuck_o,
                   sm_waiting(f.sm), sm_stuck(f.sm));
    const uint32_t selected = u.warp_select_i;
    for (uint32_t i = 0; i <= WARPS + 1; i++) {  // and two that are none
        uint32_t pc, state;
        uint64_t mask;
        u.warp_select_i = (uint8_t)(i <= WARPS ? i : 255);
        u.eval();
        sm_warp_registers(f.sm, u.warp_select_i, &pc, &mask, &state);
        const bool waits = i < WARPS && (f.live >> i & 1) != 0 && f.waits[i] != 0;
        if (waits) state = (state & ~0xFu) | REG_WARP_STATE_STATE_EXECUTING;
        const uint32_t kind = REG_WARP_STATE_STATE_OF(state);
        // One that is to stop waits no longer for its children or at a barrier: that is heard with what it does next.
        if ((waits || kind == REG_WARP_STATE_STATE_AT_A_BARRIER) &&
            (u.slot_stop_i >> REG_WARP_STATE_TASK_SLOT_OF(state) & 1) != 0)
            continue;
        const bool stands = waits || kind == REG_WARP_STATE_STATE_AT_A_BARRIER || kind == REG_WARP_STATE_STATE_HELD;
        if (stands) pc = f.pc[i];
        const bool live = i < WARPS && (f.live >> i & 1) != 0 && kind != REG_WARP_STATE_STATE_FAULTED;
        // A ready warp may be on its way through the front end; one that is not there shows what was there.
        const bool settled = stands || i >= WARPS;
        if (((settled || live) && (u.warp_pc_o != pc || u.warp_mask_o != mask)) || (settled && u.warp_state_o != state))
            bench_fail(w.bench, "cycle %lu: warp %u: pc %x mask %lx state %x, model %x %lx %x", cycle, i, u.warp_pc_o,
                       (unsigned long)u.warp_mask_o, u.warp_state_o, pc, (unsigned long)mask, state);
    }
    u.warp_select_i = (uint8_t)selected;
    u.eval();
    w.looked++;
}

// All warps of a slot have to leave, until none is there or the slot is killed.
static void send_away(world &w, uint32_t k) {
    Vsm &u = w.unit;
    task &t = w.tasks[k];
    const bool killed = u.slot_kill_i >> k & 1;
    bool stops = u.slot_stop_i >> k & 1;
    if (stops && (killed || t.next == t.ended)) {
        stops = false;
        t.leave = bench_chance(w.bench, 1, 3) ? w.cycle + 1 + bench_below(w.bench, 2000) : 0;
    } else if (t.used && t.leave != 0 && t.leave <= w.cycle && !killed && t.next != t.ended) {
        stops = true;
    }
    u.slot_stop_i = (uint8_t)((u.slot_stop_i & ~(1u << k)) | (uint32_t)stops << k);
    w.follow.slot[k].stop = stops;
}

// Now and then the task of another slot is stopped while a warp leaves: what ends by its own will, and what for its slot's sake?
static void stop_beside(world &w) {
    for (const trace_event &e : w.follow.events) {
        if (e.kind != TRACE_INSTR || isa_opcode(e.instr.word) != OP_TLEAVE || !bench_chance(w.bench, 1, 4)) continue;
        for (uint32_t k = 0; k < TASK_SLOTS; k++)
            if (k != w.follow.in[e.instr.warp] && w.tasks[k].used) w.tasks[k].stop = w.cycle + 1;
    }
}

static void step(world &w) {
    Vsm &u = w.unit;
    follower &f = w.follow;
    give_answers(w);
    u.if_req_ready_i = w.fetch.requests.size() < 8 && bench_below(w.bench, 100) < w.ready_percent;
    u.ls_req_ready_i = w.data.requests.size() < 8 && bench_below(w.bench, 100) < w.ready_percent;
    u.token_req_ready_i = w.token.requests.size() < 8 && bench_below(w.bench, 100) < w.ready_percent;
    u.child_ready_i = bench_below(w.bench, 100) < w.ready_percent;
    u.icache_invalidate_i = bench_chance(w.bench, w.invalidates, 1000);
    u.changed_i = bench_chance(w.bench, w.changes, 1000);
    if (u.changed_i && w.foreign.bytes != 0) {  // the CPU has written before this cycle
        const uint32_t at = w.foreign.from + bench_below(w.bench, w.foreign.bytes);
        if (!inside(w.bad, at, 1)) foreign_write(w, at);
    }
    u.sm_index_i = SM_INDEX;
    u.cycle_i = w.cycle + CLOCK;
    serve_held(w);
    end_children(w);
    offer(w);
    u.eval();
    compare_state(w);
    compare_looked(w);

    // What happens at the edge.
    take_cta(w);
    if (u.if_req_valid_o && u.if_req_ready_i)
        accept(w, w.fetch, u.if_req_op_o, 0, u.if_req_channel_o, u.if_req_addr_o, 0, u.if_req_wdata_o);
    if (u.ls_req_valid_o && u.ls_req_ready_i)
        accept(w, w.data, u.ls_req_op_o, u.ls_req_atom_o, u.ls_req_channel_o, u.ls_req_addr_o, u.ls_req_wstrb_o,
               u.ls_req_wdata_o);
    if (u.token_req_valid_o) w.token_used = w.cycle;
    if (u.token_req_valid_o && u.token_req_ready_i) {
        accept(w, w.token, u.token_req_op_o, 0, 0, u.token_req_addr_o, u.token_req_wstrb_o, u.token_req_wdata_o);
    }
    const uint32_t foreign = use_memory(w);
    u.eval();
    trace_read_sm<LANES>(u, [&](trace_event &e) {
        e.cycle = w.cycle;
        f.events.push_back(e);
    });
    for (const trace_event &e : f.events) {
        w.ended_warps += e.kind == TRACE_WARP_END;
        w.killed_warps += e.kind == TRACE_WARP_END && e.warp_end.killed != 0;
        w.barriers += e.kind == TRACE_BARRIER;
        w.instructions += e.kind == TRACE_INSTR;
        w.portions += e.kind == TRACE_WB || e.kind == TRACE_PWB;
        w.hits += e.kind == TRACE_L1_HIT;
        w.misses += e.kind == TRACE_PERFORM && e.perform.port == DATA_PORT && e.perform.op == REQUEST_READ;
    }
    check_glue(w);
    stop_beside(w);
    follow_end_of_child(w);
    follow_events(f, TRACE_WB);
    if (foreign < MEMORY_BYTES) foreign_write(w, foreign);
    follow_events(f, TRACE_KIND_COUNT);
    compare_signals(w);
    if (u.icache_invalidate_i) sm_icache_invalidate(f.sm);
    check_patience(f, w.cycle);
    deque_answered(w);
    const bool deque_done = u.deque_ready_o;
    tick(u);
    if (deque_done) u.deque_valid_i = 0;
    w.cycle++;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        bool stops = w.tasks[k].used && w.tasks[k].stop != 0 && w.tasks[k].stop <= w.cycle;
        for (const fault &g : w.faults)
            stops = stops || g.slot == k;
        if (!stops) continue;
        u.slot_kill_i = (uint8_t)(u.slot_kill_i | 1u << k);
        f.slot[k].kill = true;
    }
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        send_away(w, k);
}

// Everything has ended: nothing is due, memory is the same, counters say what has happened.
static void compare_all(world &w) {
    Vsm &u = w.unit;
    follower &f = w.follow;
    char text[256] = "";
    const struct why why = {text, sizeof text};
    if (!sm_quiescent(f.sm, why)) bench_fail(w.bench, "the RTL has not shown what the model has done: %s", text);
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        if (f.done[k] + f.left[k] != 0)
            bench_fail(w.bench, "slot %u: the ends of %u CTAs were not told", k, f.done[k] + f.left[k]);
    const uint8_t *model = mem_bytes(f.mem);
    if (memcmp(&w.memory[0], model, ALL_BYTES) != 0) {
        uint32_t at = 0;
        while (w.memory[at] == model[at])
            at++;
        bench_fail(w.bench, "[%08x] is %02x, the model has %02x", at, w.memory[at], model[at]);
    }
    uint32_t passes, conflicts;
    sm_shared_counters(f.sm, &passes, &conflicts);
    const struct {
        const char *what;
        uint32_t rtl, model;
    } counts[] = {{"instructions issued", u.count_issued_o, sm_issued(f.sm)},
                  {"level 1 hits", u.count_l1_hits_o, (uint32_t)w.hits},
                  {"level 1 misses", u.count_l1_misses_o, (uint32_t)w.misses},
                  {"shared memory passes", u.count_shared_passes_o, passes},
                  {"shared memory conflicts", u.count_shared_conflicts_o, conflicts},
                  {"signature", u.count_signature_o, sm_signature(f.sm)},
                  {"signature limit", u.count_signature_limit_o, sm_signature_limit(f.sm)}};
    for (const auto &c : counts)
        if (c.rtl != c.model) bench_fail(w.bench, "counter of %s: %u, model %u", c.what, c.rtl, c.model);
}

static bool ended(const world &w, uint32_t k) {
    const task &t = w.tasks[k];
    return !t.used || t.ended >= ((w.unit.slot_kill_i >> k & 1) != 0 ? t.next : t.total);
}

// Runs the tasks that are in the table to their ends.
static void run_tasks(world &w) {
    Vsm &u = w.unit;
    memcpy(mem_bytes(w.follow.mem), &w.memory[0], ALL_BYTES);
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        w.follow.slot[k] = task_slot();
        if (w.tasks[k].used) set_slot(w, k, w.tasks[k]);
    }
    u.icache_invalidate_i = 1;
    u.changed_i = 1;
    u.settings_l1_enable_i = bench_chance(w.bench, 3, 4);
    u.settings_yield_seed_i = w.follow.settings.yield_seed;
    u.settings_deque_serve_i = w.follow.settings.deque_serve;
    u.settings_sv_order_i = (uint8_t)w.follow.settings.sv_order;
    u.settings_sv_threshold_i = w.follow.settings.sv_threshold;
    u.settings_policy_i = (uint8_t)w.follow.settings.warp_policy;
    u.slot_kill_i = u.slot_stop_i = 0;
    u.cta_resume_i = 0;
    u.cta_valid_i = u.snoop_valid_i = u.if_rsp_valid_i = u.ls_rsp_valid_i = u.token_rsp_valid_i =
        u.child_ended_valid_i = 0;
    tick(u);
    w.cycle++;
    sm_icache_invalidate(w.follow.sm);
    w.faults.clear();
    w.ended_warps = w.killed_warps = w.barriers = 0;
    w.offering = false;
    const uint64_t start = w.cycle;
    bool busy = true;
    while (busy) {
        step(w);
        busy = false;
        for (uint32_t k = 0; k < TASK_SLOTS; k++)
            busy = busy || !ended(w, k);
        if (w.cycle - std::max(start, w.follow.last_event) > STILL)
            bench_fail(w.bench, "cycle %lu: nothing happens any more", (unsigned long)w.cycle);
        if (w.cycle - start > STOP_LIMIT)
            bench_fail(w.bench, "hang after %lu cycles", (unsigned long)(w.cycle - start));
    }
    // Reads that a stopped warp has begun, its tokens that go on to memory, children, the operation of software.
    for (uint32_t i = 0; i < 12 || !w.fetch.requests.empty() || !w.fetch.answers.empty() || w.server.busy ||
                         !w.token.requests.empty() || !w.token.answers.empty() || w.cycle - w.token_used < SETTLED;
         i++)
        step(w);
    w.children.clear();
    uint32_t started = 0;
    for (const task &t : w.tasks)
        started += t.next * ((t.ntid[0] * t.ntid[1] * t.ntid[2] + THREADS - 1) / THREADS);
    if (w.ended_warps != started) bench_fail(w.bench, "%u warps ended, %u started", w.ended_warps, started);
    compare_all(w);
}

// Runs one task (or the same in several slots). Registers and data as the caller has set them.
static void run(world &w, const program &code, task t, uint32_t copies = 1) {
    if (CODE + code.size() * 8 > BANK0) bench_fail(w.bench, "program too long");
    for (size_t i = 0; i < code.size(); i++)
        memcpy(&w.memory[CODE + 8 * i], &code[i], 8);
    t.code_size = (uint32_t)code.size() * 8;
    t.used = true;
    t.total = t.grid[0] * t.grid[1] * t.grid[2];
    for (uint32_t c = 0; c < CHANNELS; c++)
        set_space(w, c, 0, w.space_size);
    w.tasks.assign(TASK_SLOTS, task());
    const uint32_t first = bench_below(w.bench, TASK_SLOTS);
    for (uint32_t c = 0; c < copies; c++) {
        const uint32_t k = (first + c) % TASK_SLOTS;
        t.channel = k % CHANNELS;
        t.tmd = 0x700 + k;
        w.tasks[k] = t;
    }
    run_tasks(w);
}

#endif
