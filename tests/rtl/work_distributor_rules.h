// What work_distributor does in each cycle, with eviction, parents, stuck and cta_ends: each slot of the task table is a record. look(): what
// follows in this cycle from the records and from what the unit is told; tick(): the next cycle.
#ifndef TANDEM_TESTS_RTL_WORK_DISTRIBUTOR_RULES_H
#define TANDEM_TESTS_RTL_WORK_DISTRIBUTOR_RULES_H

static const uint32_t CHANNEL_W = CHANNELS > 1 ? index_bits(CHANNELS) : 1, SLOT_W = TASK_SLOTS > 1
                                                                                        ? index_bits(TASK_SLOTS)
                                                                                        : 1;
static const uint32_t OFFER_CYCLES = 2 * WARPS + 8, PATIENCE = 1u << index_bits(4 * SMS * OFFER_CYCLES);
static const uint32_t PARENT_BITS = 0xC0FFFFFF | ((1u << (index_bits(SMS) + index_bits(WARPS))) - 1) << 24;

enum ending { IDLE, NEXT, ASK, ANSWER, FAIL, END, FREE, READ };

struct task_in {
    uint32_t group, saved, channel, tmd, parent, grid[3], next[3], code_base, region, local;
    bool sequential, save, launched, queue;
    bool enable[2], red[2], is_signed[2], one_word[2], frees[2];
    uint32_t op[2], addr[2], payload[2], frees_tmd[2];
};
struct queue {
    bool here, ready, last, synced, hold, bad, wants;  // wants: a CTA goes out, but for hold
    uint32_t count, code;
};
struct seen {
    bool reset, start, queue_busy, busy, pick, round_robin, fault_hold, freed_ready, granted, req_ready, taken;
    bool done_leaving, answer;
    struct task_in task;
    struct queue queue[TASK_SLOTS];
    uint32_t ready, faulted, child, waiting, stuck, halt, suspend, pick_level, slice, answer_fault, answer_data;
    bool done[SMS], done_left[SMS];
    uint32_t done_slot[SMS];
    uint64_t rests, waits, trapped;
};
struct slot {
    bool busy, kill, launched, evict, rested, leaving, save;
    uint32_t running, saved, children, parent, next[3];
    struct task_in task;
    bool young, over, steady;  // of its slice; it has rested through the window so far
};
struct look {
    bool launched, settled, has, resting, suspended, halted, candidate, stays, rested, leaves, here;
};

struct rules {
    struct slot slots[TASK_SLOTS];
    bool offer_valid, went_on, done, done_left;
    uint32_t offer_slot, offer_sm, offer_age, last, done_slot;
    uint32_t ends[SMS][TASK_SLOTS][2];
    enum ending ending;
    uint32_t ending_slot, left, fault, offered, window, part, parts, still;
    bool old_0, old_1;
    uint64_t time, release_time;
    struct {
        struct look slots[TASK_SLOTS];
        bool offer, accepted, withdrawn, fed, end, end_left, evict, evicted_valid, ended, failed, hears, stuck;
        bool finished, best_valid, quiet, rested;
        uint32_t end_sm, end_slot, victim, evicted, holder, finished_slot, best, best_group;
    } now;

    uint32_t free() const {
        uint32_t k = 0;
        while (k < TASK_SLOTS && slots[k].busy)
            k++;
        return k;
    }

    // ---- what is due at an end: bits of left: RELEASE0, RELEASE1, DEPENDENT_QMD0, DEPENDENT_QMD1, the parent ----
    uint32_t due() const {
        return left == 0 ? 5 : (uint32_t)__builtin_ctz(left);
    }
    bool frees() const {
        return due() >= 2;
    }
    uint32_t number() const {
        return due() % 2;
    }
    bool wants() const {
        return ending == ASK || ending == ANSWER;
    }
    uint32_t address() const {
        const struct slot &s = slots[ending_slot];
        if (!frees()) return s.task.addr[number()];
        return (due() == 4 ? s.parent : s.task.frees_tmd[number()]) << 8 | TMD_DEPENDENCE_COUNTER_WORD * 4;
    }
    uint32_t payload() const {
        return frees() ? 0xFFFFFFFF : slots[ending_slot].task.payload[number()];
    }
    uint32_t atom() const {
        const struct task_in &t = slots[ending_slot].task;
        if (frees()) return ATOM_ADD;
        const bool is_signed = t.is_signed[number()];
        switch (t.op[number()]) {
            case TMD_RELEASE_RED_OP_ADD: return ATOM_ADD;
            case TMD_RELEASE_RED_OP_MIN: return is_signed ? ATOM_MIN : ATOM_UMIN;
            case TMD_RELEASE_RED_OP_MAX: return is_signed ? ATOM_MAX : ATOM_UMAX;
            case TMD_RELEASE_RED_OP_INC: return ATOM_INC;
            case TMD_RELEASE_RED_OP_DEC: return ATOM_DEC;
            case TMD_RELEASE_RED_OP_AND: return ATOM_AND;
            case TMD_RELEASE_RED_OP_OR: return ATOM_OR;
            default: return ATOM_XOR;
        }
    }
    uint32_t fault_code(const struct seen &in) const {
        const struct queue &q = in.queue[ending_slot];
        if (q.here && q.bad) return q.code;
        if (fault == ANSWER_GOOD) return FAULT_TMD_DEPENDENCE_COUNTER;
        if (fault == ANSWER_BUS_ERROR) return FAULT_BUS_ERROR;
        return frees() ? FAULT_TMD_DEPENDENT_QMD : FAULT_SEMAPHORE_ADDRESS;
    }
    uint32_t fault_info(const struct seen &in) const {
        const struct queue &q = in.queue[ending_slot];
        if (q.here && q.bad) return slots[ending_slot].task.tmd;
        return frees() ? address() >> 8 << 8 : address();
    }

    // ---- this cycle ----
    void look(const struct seen &in) {
        now = {};
        const struct slot &e = slots[ending_slot];
        now.failed = ending == FAIL && !in.fault_hold;
        now.ended = ending == END || now.failed;
        const bool waits_for = (e.parent >> 30) == 3;
        bool here = false, leaving = false;
        for (uint32_t k = 0; k < TASK_SLOTS; k++) {
            const struct slot &s = slots[k];
            const struct queue &q = in.queue[k];
            struct look &l = now.slots[k];
            l.launched = q.here ? q.last : s.launched;
            l.settled = !q.here || (q.synced && !q.hold);
            l.has = !l.launched || s.saved != 0;
            l.resting = s.running == 0;
            l.suspended = in.suspend >> s.task.channel & 1;
            l.halted = in.halt >> s.task.channel & 1;
            l.candidate = s.busy && !s.kill && l.has && !s.evict && !l.suspended && (!q.here || q.ready) &&
                          (!s.task.sequential || l.resting);
            l.stays = s.kill && s.save && s.children != 0 && !l.halted;
            l.rested = s.evict && s.busy && !s.kill && l.has && l.settled && l.resting;
            l.leaves = s.rested && s.evict && s.busy && !s.kill && !(q.here && q.hold);
            l.here = s.busy && s.task.channel == e.task.channel && s.task.tmd >> 8 == (e.parent & 0xFFFFFF);
            here = here || (l.here && !(s.evict && s.save));
            leaving = leaving || s.leaving;
            if (!now.finished && s.busy && !s.leaving && !l.leaves && !l.stays && l.resting &&
                ((!l.has && l.settled) || (s.kill && !q.hold))) {
                now.finished = true;
                now.finished_slot = k;
            }
        }
        now.hears = e.parent >> 31 && (!waits_for || here);
        now.evicted = TASK_SLOTS;
        for (uint32_t k = 0; k < TASK_SLOTS; k++)
            if (leaving ? slots[k].leaving : now.slots[k].leaves) now.evicted = std::min(now.evicted, k);
        if (now.evicted == TASK_SLOTS) now.evicted = 0;
        now.evicted_valid = now.slots[now.evicted].leaves && !leaving &&
                            !(waits_for && now.slots[now.evicted].here && (ending == END || ending == FAIL));
        look_offer(in);
        look_ends();
        look_evict(in);
        look_stuck(in);
    }

    void look_offer(const struct seen &in) {
        for (uint32_t i = 1; i <= TASK_SLOTS; i++) {  // behind the one served last
            const uint32_t k = (last + i) % TASK_SLOTS;
            if (!now.slots[k].candidate) continue;
            if (!now.best_valid || slots[k].task.group > now.best_group) {
                now.best = k;
                now.best_group = slots[k].task.group;
            }
            now.best_valid = true;
        }
        const struct slot &s = slots[offer_slot];
        now.offer =
            offer_valid && !s.kill && !s.evict && !now.slots[offer_slot].suspended && !in.queue[offer_slot].hold;
        now.accepted = now.offer && (in.ready >> offer_sm & 1);
        const bool higher = now.best_valid && now.best_group > s.task.group;
        now.withdrawn = offer_valid && (!now.offer || higher || (SMS > 1 && offer_age == OFFER_CYCLES - 1));
        now.fed = now.accepted || !(offer_valid || now.best_valid) || (offer_valid && higher);
    }

    void look_ends() {
        if (SMS == 1) {
            now.end = done;
            now.end_slot = done_slot;
            now.end_left = done_left;
            return;
        }
        for (uint32_t s = SMS; s-- > 0;)
            for (uint32_t k = 2 * TASK_SLOTS; k-- > 0;)
                if (ends[s][k / 2][k % 2] != 0) {
                    now.end = true;
                    now.end_sm = s;
                    now.end_slot = k / 2;
                    now.end_left = k % 2;
                }
    }

    bool rests(const struct seen &in, uint32_t k) const {
        const struct slot &s = slots[k];
        bool all = true, some = false, others = false;
        for (uint32_t m = 0; m < SMS; m++) {
            all = all && (in.rests >> (m * TASK_SLOTS + k) & 1);
            some = some || (in.waits >> (m * TASK_SLOTS + k) & 1);
        }
        for (uint32_t i = 0; i < TASK_SLOTS; i++)
            others = others || (i != k && now.slots[i].candidate);
        return s.busy && s.save && !s.kill && !s.evict && s.running != 0 && all && some &&
               ((free() == TASK_SLOTS && in.pick) || (offered >= PATIENCE && others));
    }

    void look_evict(const struct seen &in) {
        const bool full = free() == TASK_SLOTS, crowded = offered >= PATIENCE;
        bool saves = false, saving_leaves = false, some_leaves = false;
        for (const slot &s : slots) {
            saves = saves || (s.busy && s.save);
            saving_leaves = saving_leaves || (s.evict && s.save);
            some_leaves = some_leaves || s.evict;
        }
        const bool higher = crowded && offered % 2 == 1 && offer_valid && !in.round_robin && saves;
        const uint32_t offer_group = slots[offer_slot].task.group;
        for (uint32_t k = 0; k < TASK_SLOTS; k++)
            now.rested = now.rested || (window == 63 && slots[k].steady && rests(in, k));
        uint32_t best_reason = 3, best_order = 0;
        for (uint32_t k = 0; k < TASK_SLOTS; k++) {
            const struct slot &s = slots[k];
            const struct look &l = now.slots[k];
            const uint32_t group = s.task.group, order = group + (s.save ? 0 : 64);
            if (!s.busy || s.kill || s.evict || (s.save ? saving_leaves : some_leaves) ||
                !(l.has || (s.save && !l.resting)))
                continue;
            uint32_t reason = 3;
            const bool pending = full && in.pick;
            if (in.slice != 0 && s.over && s.save && !l.resting &&
                ((pending && (in.round_robin || in.pick_level == group)) ||
                 (crowded && offer_valid && offer_slot != k && (in.round_robin || offer_group == group))))
                reason = 2;
            if (higher ? group < offer_group && s.save && !l.resting
                       : group < in.pick_level && pending && !in.round_robin)
                reason = 1;
            if (l.suspended || (now.rested && s.steady && rests(in, k))) reason = 0;
            if (reason > best_reason || reason == 3 || (reason == best_reason && order >= best_order)) continue;
            best_reason = reason;
            best_order = order;
            now.victim = k;
        }
        now.evict = best_reason < 3 && !(now.accepted || in.queue_busy);
    }

    void look_stuck(const struct seen &in) {
        bool queues = false, stops = false, some = false;
        for (uint32_t k = 0; k < TASK_SLOTS; k++) {
            const struct slot &s = slots[k];
            queues = queues || (s.busy && in.queue[k].here && !s.kill);
            stops = stops || (s.evict && s.save && !s.kill);
            if (!s.busy || s.kill || s.running == 0) continue;
            if (!some || s.task.group < slots[now.holder].task.group) now.holder = k;
            some = true;
        }
        now.quiet = in.waiting != 0 && in.stuck == (1u << SMS) - 1 && !queues && !stops && in.suspend == 0 &&
                    !in.busy && !now.end && !went_on && ending == IDLE;
        now.stuck = still == 4095 && now.quiet && some && ending != FAIL && !in.fault_hold;
    }

    // ---- the next one ----
    void tick(const struct seen &in) {
        if (in.reset) {
            forget();
            return;
        }
        const struct rules before = *this;
        tick_evict(in, before);
        tick_offer();
        tick_ending(in, before);
        for (uint32_t k = 0; k < TASK_SLOTS; k++)
            tick_slot(in, before, k);
        for (uint32_t s = 0; s < SMS; s++)
            if (in.done[s]) ends[s][in.done_slot[s]][in.done_left[s]]++;
        if (SMS > 1 && now.end) ends[now.end_sm][now.end_slot][now.end_left]--;
        done = in.done[0];
        done_slot = in.done_slot[0];
        done_left = in.done_left[0];
        went_on = now.accepted || now.finished;
        still = !now.quiet || now.stuck ? 0 : std::min(still + 1, 4095u);
        time += NS_PER_CYCLE;
    }

    void forget() {
        const bool finished = now.finished, accepted = now.accepted;
        for (slot &s : slots)
            s.busy = s.kill = s.launched = s.evict = s.leaving = s.steady = false, s.running = s.saved = 0;
        memset(ends, 0, sizeof ends);
        offer_valid = done = old_0 = old_1 = false;
        offer_slot = offer_sm = offer_age = last = ending_slot = left = offered = window = part = still = 0;
        went_on = finished || accepted;
        parts = 1;
        ending = IDLE;
        time = 0;
    }

    void tick_evict(const struct seen &in, const struct rules &before) {
        const bool slice_ends = part == 1023 && parts >= in.slice, opens = !now.rested || now.evict;
        for (uint32_t k = 0; k < TASK_SLOTS; k++) {
            struct slot &s = slots[k];
            bool trapped = false;
            for (uint32_t m = 0; m < SMS; m++)
                trapped = trapped || (in.trapped >> (m * TASK_SLOTS + k) & 1);
            if ((now.accepted && offer_slot == k && s.running == 0) || trapped) {
                s.young = true;
                s.over = false;
            } else if (slice_ends) {
                s.over = !s.young;
                s.young = false;
            }
            s.steady = before.rests(in, k) && ((window == 63 && opens) || before.slots[k].steady);
        }
        if (part == 1023) parts = slice_ends ? 1 : (parts + 1) % 256;
        part = (part + 1) % 1024;
        if (opens) window = (window + 1) % 64;
        offered = now.fed ? 0 : offered >= PATIENCE ? offered ^ 1 : offered + 1;
    }

    void tick_offer() {
        if (offer_valid) {
            offer_age++;
            if (now.accepted) last = offer_slot;
            offer_valid = !now.accepted && !now.withdrawn;
        } else if (now.best_valid) {
            offer_valid = true;
            offer_slot = now.best;
            offer_age = 0;
            offer_sm = (offer_sm + 1) % SMS;
        }
    }

    void tick_ending(const struct seen &in, const struct rules &before) {
        const struct slot &s = slots[ending_slot];
        bool here = false, going = false;
        switch (ending) {
            case IDLE:
                if (!now.finished) return;
                ending = NEXT;
                ending_slot = now.finished_slot;
                left = 0;
                for (uint32_t i = 0; i < 2; i++) {
                    left |= (uint32_t)slots[ending_slot].task.enable[i] << i;
                    left |= (uint32_t)slots[ending_slot].task.frees[i] << (2 + i);
                }
                left |= (uint32_t)(slots[ending_slot].parent >> 30 == 3) << 4;
                old_0 = old_1 = false;
                return;
            case NEXT:
                for (uint32_t k = 0; k < TASK_SLOTS; k++) {
                    const bool goes = (now.slots[k].leaves && before.slots[k].save) || before.slots[k].leaving;
                    here = here || now.slots[k].here;
                    going = going || (now.slots[k].here && goes);
                }
                release_time = time;
                if (old_0 || (in.queue[ending_slot].here && in.queue[ending_slot].bad))
                    ending = FAIL;
                else if (old_1)
                    ending = FREE;
                else if (s.kill || left == 0)
                    ending = END;
                else if (due() != 4 || !here)
                    ending = READ;
                else
                    ending = going ? NEXT : END;
                return;
            case READ: ending = ASK; return;
            case ASK:
                if (in.granted && in.req_ready) ending = ANSWER;
                return;
            case ANSWER:
                if (!in.answer) return;
                fault = in.answer_fault;
                ending = fault != ANSWER_GOOD ? FAIL : NEXT;
                if (fault != ANSWER_GOOD) return;
                old_0 = frees() && in.answer_data == 0;
                old_1 = frees() && in.answer_data == 1;
                if (!old_0 && !old_1) left &= left - 1;
                return;
            case FREE:
                if (!in.freed_ready) return;
                ending = NEXT;
                old_1 = false;
                left &= left - 1;
                return;
            case FAIL:
                if (!in.fault_hold) ending = IDLE;
                return;
            default: ending = IDLE; return;
        }
    }

    void tick_slot(const struct seen &in, const struct rules &before, uint32_t k) {
        struct slot &s = slots[k];
        const struct slot &was = before.slots[k];
        const struct queue &q = in.queue[k];
        const bool launch = now.accepted && before.offer_slot == k, ends_here = now.end && now.end_slot == k;
        const bool from_saved = launch && was.saved != 0;
        s.rested = now.slots[k].rested;
        if (in.start && before.free() == k) {
            const bool young = s.young, over = s.over, steady = s.steady;
            s = {};
            s.young = young;
            s.over = over;
            s.steady = steady;
            s.busy = true;
            s.task = in.task;
            s.save = in.task.save;
            s.launched = in.task.launched;
            s.saved = in.task.saved;
            s.parent = in.task.parent & PARENT_BITS;
            memcpy(s.next, in.task.next, sizeof s.next);
            return;
        }
        s.children += (in.child >> k & 1) && was.save;
        if (now.ended && before.slots[before.ending_slot].parent >> 30 == 3 && now.slots[k].here && was.children != 0)
            s.children--;
        if (now.evict && now.victim == k) s.evict = true;
        if (in.taken && now.evicted == k) s.leaving = true;
        if ((now.ended && before.ending_slot == k) || (in.done_leaving && was.leaving))
            s.busy = s.kill = s.evict = s.leaving = false;
        else if (was.busy && ((in.faulted >> k & 1) || (q.here && q.bad) || now.slots[k].halted))
            s.kill = true;
        s.running = was.running + launch - ends_here;
        s.saved = was.saved + (ends_here && now.end_left) - from_saved;
        if (!launch || from_saved) return;
        if (q.here) {
            s.next[0] = (was.next[0] + q.count) & 0x7FFFFFFF;
            return;
        }
        for (uint32_t i = 0; i < 3; i++) {
            if (++s.next[i] != was.task.grid[i]) return;
            s.next[i] = 0;
        }
        s.next[2] = was.task.grid[2] & 0xFFFF;  // behind the last one
        s.launched = true;
    }
};

#endif
