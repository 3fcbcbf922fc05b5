// The SMs beside task_unit_bench's unit: they take CTAs when they please, end them at random times and sometimes fault.
// CTAs of some tasks launch children and wait for them; those of tasks that can step aside leave when they are asked to,
// or by themselves, and come back.
#ifndef TANDEM_TESTS_RTL_TASK_UNIT_SMS_H
#define TANDEM_TESTS_RTL_TASK_UNIT_SMS_H

static struct expected *task_in(struct test *t, uint32_t slot) {
    return &t->tasks.at(t->in_slot[slot]);
}

// The TMD of a child, good but for few, in a free place. False: there is none.
static bool prepare_child(struct test *t, uint32_t sm, struct cta *c) {
    struct bench *bench = t->bench;
    const uint32_t channel = t->in_slot[c->slot].first, place = bench_below(bench, TMD_PLACES);
    if (t->place_used[channel][place] || t->halted[channel]) return false;
    const struct tmd_space space = {SPACE_BYTES, REGION, LOCAL, RELEASES + 256 * (place % 8)};
    struct expected x = {};
    tmd_random_good(bench, &t->run.config, &space, x.words);
    if (tmd_get(x.words, TMD_CIRCULAR_QUEUE_SIZE, 0) == 0) {
        tmd_set(x.words, TMD_CTA_RASTER_WIDTH, 0, 1 + bench_below(bench, 2));
        tmd_set(x.words, TMD_CTA_RASTER_HEIGHT, 0, 1);
        tmd_set(x.words, TMD_CTA_RASTER_DEPTH, 0, 1);
    }
    x.code = bench_chance(bench, 1, 200) ? tmd_spoil(bench, &t->run.config, &space, x.words) : (uint32_t)FAULT_NONE;
    x.local = LOCAL;
    x.parent = bench_chance(bench, 1, 3);
    x.depth = task_in(t, c->slot)->depth + 1;
    x.awaited = c->wait;
    x.parent_tmd = t->in_slot[c->slot].second;
    x.parent_sm = sm;
    x.parent_warp = c->warp;
    x.parent_saves = tmd_get(task_in(t, c->slot)->words, TMD_TANDEM_SAVE_ENABLE, 0) != 0;
    c->child = place * TMD_BYTES;
    t->place_used[channel][place] = true;
    memcpy(t->memory + channel * SPACE_BYTES + c->child, x.words, TMD_BYTES);
    memcpy(mem_bytes(t->mem) + channel * SPACE_BYTES + c->child, x.words, TMD_BYTES);
    t->tasks[{channel, c->child}] = x;
    return true;
}

// It hands over no more of them.
static void launch_no_more(struct test *t, struct cta *c) {
    if (c->to_launch != 0) forget_task(t, t->in_slot[c->slot].first, c->child);
    c->to_launch = 0;
}

static void end_cta(struct test *t, uint32_t s, uint32_t at, bool left) {
    t->done[s] = true;
    t->left[s] = left;
    t->done_slot[s] = t->ctas[s][at].slot;
    t->ctas[s].erase(t->ctas[s].begin() + at);
}

static void fault_cta(struct test *t, uint32_t s, struct cta *c) {
    Vtask_unit &u = t->unit;
    t->faulting[s] = true;
    c->faulty = false;
    // Others may do the same.
    for (std::vector<struct cta> &ctas : t->ctas)
        for (struct cta &other : ctas)
            if (&other != c && bench_chance(t->bench, 1, 2)) other.faulty = true;
    set_bits(u.sm_fault_slot_i, index_bits(TASK_SLOTS) * s, index_bits(TASK_SLOTS), c->slot);
    set_bits(u.sm_fault_code_i, 8 * s, 8, 32 + bench_below(t->bench, 8));
    set_bits(u.sm_fault_info_i, 32 * s, 32, static_cast<uint32_t>(bench_random(t->bench)));
    set_bits(u.sm_fault_pc_i, 32 * s, 32, static_cast<uint32_t>(bench_random(t->bench)));
}

// What a CTA does in a cycle.
static void cta_drive(struct test *t, uint32_t s, uint32_t at, bool more) {
    struct bench *bench = t->bench;
    struct cta *c = &t->ctas[s][at];
    const struct expected *x = task_in(t, c->slot);
    const bool killed = get_bits(t->unit.slot_kill_o, c->slot, 1) != 0;
    const bool stop = get_bits(t->unit.slot_stop_o, c->slot, 1) != 0;
    const bool saves = tmd_get(x->words, TMD_TANDEM_SAVE_ENABLE, 0) != 0;
    if (killed) {
        // What has gone wrong in a warp may be told when the slot is killed already.
        launch_no_more(t, c);
        if (c->faulty && bench_chance(bench, 1, 2))
            fault_cta(t, s, c);
        else if (bench_chance(bench, 1, 3))
            end_cta(t, s, at, saves && bench_chance(bench, 1, 4));
    } else if (c->to_launch != 0) {
        return;
    } else if (c->faulty && bench_chance(bench, 1, 2)) {
        fault_cta(t, s, c);
    } else if (c->waits != 0) {
        c->must_leave = stop;
        if (stop) c->waits = 0;
    } else if (c->faulty) {
        return;
    } else if (stop || c->must_leave) {
        if (bench_chance(bench, 1, 6)) end_cta(t, s, at, c->must_leave || bench_chance(bench, 7, 8));
    } else if (saves && bench_chance(bench, 1, 600)) {
        end_cta(t, s, at, true);  // it leaves by itself
    } else if (bench_chance(bench, 1, t->cycle >> 12 & 1 ? 150 : 12)) {
        end_cta(t, s, at, false);
    } else if (x->parent && more && bench_chance(bench, 1, 30)) {
        for (const struct cta &other : t->ctas[s]) {
            if (other.to_launch != 0) return;
        }
        c->wait = bench_chance(bench, 7, 8);
        if (prepare_child(t, s, c)) c->to_launch = 1 + bench_below(bench, 2);
    }
}

static void sm_drive(struct test *t, bool more) {
    Vtask_unit &u = t->unit;
    const uint32_t slot_bits = index_bits(TASK_SLOTS);
    for (uint32_t s = 0; s < SMS; s++) {
        set_bits(u.cta_ready_i, s, 1, t->ctas[s].size() < SM_CTAS && bench_chance(t->bench, 1, 2));
        t->done[s] = t->faulting[s] = false;
        // What stands there without a fault means nothing.
        if (bench_chance(t->bench, 1, 50))
            set_bits(u.sm_fault_slot_i, slot_bits * s, slot_bits, bench_below(t->bench, TASK_SLOTS));
        if (!t->ctas[s].empty()) cta_drive(t, s, bench_below(t->bench, static_cast<uint32_t>(t->ctas[s].size())), more);
        set_bits(u.sm_fault_valid_i, s, 1, t->faulting[s]);
        set_bits(u.cta_done_valid_i, s, 1, t->done[s]);
        set_bits(u.cta_done_left_i, s, 1, t->done[s] && t->left[s]);
        set_bits(u.cta_done_slot_i, slot_bits * s, slot_bits, t->done[s] ? t->done_slot[s] : 0);
        set_bits(u.child_valid_i, s, 1, 0);
        for (const struct cta &c : t->ctas[s]) {
            if (c.to_launch == 0 || get_bits(u.slot_kill_o, c.slot, 1) != 0) continue;
            set_bits(u.child_valid_i, s, 1, 1);
            set_bits(u.child_slot_i, slot_bits * s, slot_bits, c.slot);
            set_bits(u.child_tmd_i, 32 * s, 32, c.child / TMD_BYTES);
            set_bits(u.child_wait_i, s, 1, c.wait);
            set_bits(u.child_warp_i, 8 * s, 8, c.warp);
        }
        set_bits(u.sm_waiting_i, s, 1, slot_waits(t, s, TASK_SLOTS));
        set_bits(u.sm_stuck_i, s, 1, slot_rests(t, s, TASK_SLOTS));
        for (uint32_t k = 0; k < TASK_SLOTS; k++) {
            set_bits(u.sm_slot_rests_i, s * TASK_SLOTS + k, 1, slot_rests(t, s, k));
            set_bits(u.sm_slot_waits_i, s * TASK_SLOTS + k, 1, slot_waits(t, s, k));
            set_bits(u.sm_slot_trapped_i, s * TASK_SLOTS + k, 1, bench_chance(t->bench, 1, 5000));
        }
    }
}

static void take_cta(struct test *t, uint32_t s, uint32_t slot) {
    struct cta c = {};
    c.slot = slot;
    c.faulty = bench_chance(t->bench, 1, (t->cycle >> 13 & 3) == 1 ? 60 : 1000);
    // The lowest place that is free.
    for (bool taken = true; taken; c.warp += taken) {
        taken = false;
        for (const struct cta &other : t->ctas[s])
            taken = taken || other.warp == c.warp;
    }
    t->ctas[s].push_back(c);
}

// A child goes over.
static void events_of_children(struct test *t) {
    Vtask_unit &u = t->unit;
    for (uint32_t s = 0; s < SMS; s++) {
        if (get_bits(u.child_valid_i, s, 1) == 0 || get_bits(u.child_ready_o, s, 1) == 0) continue;
        if (!task_can_launch(t->task)) bench_fail(t->bench, "a child is taken for which the model has no room");
        for (struct cta &c : t->ctas[s]) {
            if (c.to_launch == 0) continue;
            const struct sm_child child = {c.slot, c.child / TMD_BYTES, s, c.warp, c.wait};
            task_launch_child(t->task, &child);
            struct expected *x = task_in(t, c.slot);
            const uint32_t depth = x->depth + 1;
            if (c.wait) x->children++, c.waits++;
            if (depth > t->deepest) t->deepest = depth;
            if (--c.to_launch != 0 && !prepare_child(t, s, &c)) c.to_launch = 0;
            break;
        }
        t->last_event = t->cycle;
    }
}

// The task at tmd has ended: who is told? Called before it is forgotten.
static void child_ends(struct test *t, uint32_t channel, const struct expected *x) {
    if (!x->awaited) return;
    const auto parent = t->tasks.find({channel, x->parent_tmd});
    bool told = !x->parent_saves;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        const struct running_task *r = &t->task->slots[k];
        if (!x->parent_saves || !r->task.slot.busy || t->in_slot[k] != std::make_pair(channel, x->parent_tmd)) continue;
        told = !r->evicted;
    }
    if (parent != t->tasks.end() && parent->second.children != 0) parent->second.children--;
    if (told) t->known.insert(std::make_tuple(x->parent_sm, x->parent_warp, channel));
}

// The warps that wait hear of the ends of children.
static void check_told(struct test *t) {
    Vtask_unit &u = t->unit;
    for (uint32_t s = 0; s < SMS; s++) {
        if (get_bits(u.child_ended_valid_o, s, 1) == 0) continue;
        const uint32_t warp = static_cast<uint32_t>(get_bits(u.child_ended_warp_o, 8 * s, 8));
        const uint32_t bits = index_bits(CHANNELS);
        const uint32_t channel = static_cast<uint32_t>(get_bits(u.child_ended_channel_o, bits * s, bits));
        t->told.insert(std::make_tuple(s, warp, channel));
        for (struct cta &c : t->ctas[s]) {
            if (c.warp == warp && t->in_slot[c.slot].first == channel && c.waits != 0) c.waits--;
        }
    }
    if (t->told != t->model_told || t->told != t->known)
        bench_fail(t->bench, "of a child's end %zu warps are told, by the model %zu, wanted are %zu", t->told.size(),
                   t->model_told.size(), t->known.size());
    t->told.clear();
    t->model_told.clear();
    t->known.clear();
}

static void events_of_sms(struct test *t) {
    Vtask_unit &u = t->unit;
    for (uint32_t s = 0; s < SMS; s++) {
        if (t->faulting[s]) {
            t->telling_warp = true;
            task_warp_fault(
                t->task,
                static_cast<uint32_t>(get_bits(u.sm_fault_slot_i, index_bits(TASK_SLOTS) * s, index_bits(TASK_SLOTS))),
                static_cast<uint32_t>(get_bits(u.sm_fault_code_i, 8 * s, 8)),
                static_cast<uint32_t>(get_bits(u.sm_fault_info_i, 32 * s, 32)),
                static_cast<uint32_t>(get_bits(u.sm_fault_pc_i, 32 * s, 32)));
            t->telling_warp = false;
        }
        if (t->done[s]) task_cta_done(t->task, s, t->done_slot[s], t->left[s]);
    }
    trace_event e;
    if (!trace_read_cta_end(u, e)) return;
    follow(t, &e);
    if (e.cta_end.left == 0) return;
    task_in(t, e.cta_end.slot)->saved++;
    t->started[e.cta_end.slot] = t->cycle;
    t->leavings++;
}

#endif
