// What task_management does in each cycle: launches that wait, the task that is taken, what is read and written of its TMD and where it goes. Its lists are
// those of task_lists_rules.h; what is found in a TMD tmd_check.c says, when it is found is counted here, step by step.
#ifndef TANDEM_TESTS_RTL_TASK_MANAGEMENT_RULES_H
#define TANDEM_TESTS_RTL_TASK_MANAGEMENT_RULES_H

#include <cstring>
#include <deque>
#include <vector>

#include "task_lists_rules.h"

extern "C" {
#include "gen/bundles.h"
#include "gen/isa.h"
#include "gen/registers.h"
#include "task/task_internal.h"
}

struct request {
    uint32_t op, channel, addr, wstrb;
    uint8_t bytes[32];

    void put(uint32_t word, uint32_t value) {
        memcpy(bytes + word % 8 * 4, &value, 4);
        wstrb |= 0xFu << word % 8 * 4;
    }
};

struct evicted_task {
    bool valid;
    uint32_t slot, channel, level, tmd, region, local, place[3], parent, saved, children;
};

// What the unit is told in a cycle.
struct management_seen {
    struct lists_seen lists;  // of it reset, round_robin, halt, suspend
    uint32_t slice;
    bool launch, child, granted, ready, answered, slot_free, hold;
    struct launch launched, born;  // from the host; a child
    uint32_t words[8], answer;
    struct evicted_task evicted;
};

// The steps of tmd_check's program (tmd_program.svh), while the lines come: one a cycle, when its line is there.
class check_time {
   public:
    void begin() {
        at = lines = left = 0;
        runs = true;
        done = 0;
    }
    void line_comes() {
        lines++;
    }
    // A cycle with so many lines there; whether the verdict is told in it.
    bool cycle(const uint32_t *words) {
        const bool told = done == 1;
        if (done != 0) done--;
        if (!runs || (lines != TMD_LINES && line[at] >= lines)) return told;
        if (at == AFTER_LINES) {
            if (left == 0) left = steps_left(words);
            if (--left != 0) return told;
            runs = false;
            done = 2;
            return told;
        }
        const bool queue = tmd_get(words, TMD_CIRCULAR_QUEUE_SIZE, 0) != 0;
        at = at == 2 && queue ? 7 : at == 9 && !queue ? 17 : at + 1;
        return told;
    }

   private:
    static constexpr uint32_t AFTER_LINES = 25;
    uint32_t at, lines, left, done;
    bool runs;

    static constexpr uint8_t line[AFTER_LINES + 1] = {0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1,
                                                      1, 0, 0, 0, 2, 2, 2, 2, 2, 2, 5, 6, 7};
    // Registers, shared memory, local memory, the program, banks, releases, tasks that are freed.
    static uint32_t steps_left(const uint32_t *words) {
        const uint32_t banks = tmd_get(words, TMD_CONSTANT_BUFFER_VALID, 0);
        uint32_t steps = 2 + (tmd_get(words, TMD_LOCAL_MEMORY_LOW, 0) != 0 ? 5 : 1) + 8 + 1;
        for (uint32_t b = 0; b < 8; b++) {
            steps += (banks >> b & 1) != 0 && b < CONST_BANKS ? 2 : 1;
            if (banks >> b == 0) break;
        }
        for (uint32_t r = 0; r < 2; r++) {
            const enum tmd_field enable = r == 0 ? TMD_SEMAPHORE_RELEASE_ENABLE0 : TMD_SEMAPHORE_RELEASE_ENABLE1;
            steps += tmd_get(words, enable, 0) != 0 ? 3 : 1;
            steps += tmd_get(words, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, r) != 0 ? 3 : 1;
        }
        return steps;
    }
};

class management_rules {
   public:
    static constexpr uint32_t PATIENCE = 63;  // cycles that a launch may wait for a slot
    enum state { NEXT, DROPS, TAKES, FRONT, READS, CHECKS, DECIDES, PLACES, ASKS, AWAITS, WRITTEN, STARTS };

    const struct ppu_config *config;
    uint32_t space_size[CHANNELS];
    struct lists_rules lists;
    std::deque<struct launch> queue;
    struct launch t;  // the task that is taken
    enum state now;
    uint32_t epoch[CHANNELS];
    std::vector<struct request> writes;
    uint32_t patience;
    bool to_head;

    // ---- what it says in this cycle ----
    bool full() const {
        return queue.size() == PENDING_TASKS;
    }
    bool launch_ready(const struct management_seen &in) const {
        return !full() && !(in.child && child_next);
    }
    bool child_ready(const struct management_seen &in) const {
        return !full() && !(in.launch && !child_next);
    }
    bool busy(const struct management_seen &in) {
        return now != NEXT || !queue.empty() || lists.drop(in.lists);
    }
    bool coming(uint32_t channel) const {
        return !queue.empty() || (now != NEXT && t.channel == channel);
    }
    bool wants() const {
        return now == READS || now == ASKS || now == AWAITS;
    }
    // The request that stands there, if memory is granted.
    bool asks(struct request *request) const {
        if (now == ASKS) *request = writes.front();
        if (now == READS) *request = {REQUEST_READ, t.channel, (t.tmd & ~255u) + 32 * asked, 0, {}};
        return now == ASKS || (now == READS && asked < TMD_LINES);
    }
    // Who is taken now: FROM_LAUNCH, .. or nobody.
    bool takes(const struct management_seen &in, struct launch *who, uint32_t *from) {
        memset(who, 0, sizeof *who);
        if (now == TAKES && taken(in)) {
            *who = t;
            who->tmd = lists.shown.head << 8;
            *from = FROM_LIST;
            return true;
        }
        if (now != NEXT || !lists.settled(in.lists) || lists.drop(in.lists)) return false;
        if (in.evicted.valid) {
            who->channel = in.evicted.channel;
            who->level = in.evicted.level;
            who->tmd = in.evicted.tmd;
            who->slot = in.evicted.slot;
            *from = FROM_SLOT;
            return true;
        }
        if (!first_there || queue.empty() || (lists.pick(in.lists) && in.slot_free)) return false;
        *who = queue.front();
        *from = FROM_LAUNCH;
        return true;
    }
    // Refused, and with which fault.
    bool refuses(const struct management_seen &in, uint32_t *code, uint32_t *info) const {
        const bool stands = halted(in);
        *code = FAULT_NONE;
        *info = 0;
        if (now == FRONT && !t.listed && t.beyond) *code = FAULT_TMD_FETCH, *info = t.tmd;
        if (now == DECIDES) *code = t.code, *info = t.info;
        if (now == WRITTEN && bad()) {
            *info = t.tmd;
            *code = t.write_fault == ANSWER_GOOD      ? FAULT_TMD_DEPENDENCE_COUNTER
                    : t.write_fault == ANSWER_OUTSIDE ? FAULT_TMD_FETCH
                                                      : FAULT_BUS_ERROR;
        }
        const bool fault = *code != FAULT_NONE;
        if (stands) *code = FAULT_NONE, *info = 0;
        if (stands && (now == FRONT || now == DECIDES)) return !t.listed;
        return fault && (stands || !in.hold);
    }
    bool parks() const {
        return now == WRITTEN && parking && !bad() && !last_counted();
    }
    bool becomes_pending() const {
        return now == WRITTEN && !parking && !t.listed && t.write_fault == ANSWER_GOOD;
    }
    uint32_t new_count() const {
        return now == DROPS ? 0 : t.listed ? lists.shown.count - 1 : lists.shown.count + 1;
    }

    // ---- and what becomes of it ----
    void clock(const struct management_seen &in) {
        struct lists_seen to_lists = in.lists;
        struct launch who;
        uint32_t from = FROM_LIST, code, info;
        const bool takes_one = takes(in, &who, &from), refused = refuses(in, &code, &info),
                   settled = lists.settled(in.lists);
        const bool drop = lists.drop(in.lists), pick = lists.pick(in.lists);
        to_lists.read = (now == NEXT && settled) || (now == DECIDES && !t.listed);
        to_lists.read_channel = now == DECIDES     ? t.channel
                                : drop             ? lists.drop_channel
                                : in.evicted.valid ? in.evicted.channel
                                                   : lists.pick_channel;
        to_lists.read_level = now == DECIDES     ? t.checked.group
                              : drop             ? lists.drop_level
                              : in.evicted.valid ? in.evicted.level
                                                 : lists.pick_level;
        to_lists.taken = takes_one && from == FROM_LIST;
        to_lists.write = now == DROPS || (t.listed && (refused || now == STARTS)) || becomes_pending();
        change(&to_lists);
        queue_clock(in, takes_one && from == FROM_LAUNCH);
        const bool verdict = check.cycle(t.words);
        if (in.answered && now == READS) check.line_comes();
        if (in.lists.reset) {
            now = NEXT;
            memset(epoch, 0, sizeof epoch);
        } else {
            step(in, takes_one ? &who : nullptr, refused, settled, drop, pick, verdict);
        }
        lists.clock(to_lists);
    }

   private:
    bool first_there, child_next;
    bool parking;  // its launch is being counted; or it leaves with children
    uint32_t asked;
    class check_time check;

    bool halted(const struct management_seen &in) const {
        return (in.lists.halt >> t.channel & 1) != 0;
    }
    bool counts() const {
        return parking && !t.evicted;
    }
    bool bad() const {
        return t.write_fault != ANSWER_GOOD || (counts() && t.counter == 0);
    }
    bool last_counted() const {
        return counts() && t.counter == 1;
    }
    bool taken(const struct management_seen &in) const {
        return !halted(in) && lists.settled(in.lists);
    }
    bool at_head(const struct management_seen &in) const {
        return t.evicted ? in.slice == 0 : t.resumed || t.checked.add_to_head;
    }

    // The list of the task: it leaves it, or goes into it.
    void change(struct lists_seen *to) const {
        const struct pending_tasks &list = lists.shown;
        const uint32_t place = t.tmd >> 8;
        to->write_channel = t.channel;
        to->write_level = t.level;
        to->count = new_count();
        to->head = list.head;
        to->tail = list.tail;
        if (t.listed) {
            to->head = t.fault == ANSWER_GOOD ? t.words[TMD_SCHEDULER_NEXT_QMD_POINTER_WORD] & 0xFFFFFF : 0;
        } else {
            if (to_head || list.count == 0) to->head = place;
            if (!to_head || list.count == 0) to->tail = place;
        }
    }

    void queue_clock(const struct management_seen &in, bool pop) {
        const bool from_host = in.launch && launch_ready(in), child = in.child && child_ready(in);
        first_there = !queue.empty() && !pop;
        if (pop) queue.pop_front();
        if (from_host) queue.push_back(in.launched);
        if (child) queue.push_back(in.born);
        if (from_host || child) child_next = from_host;
        if (!in.lists.reset) return;
        queue.clear();
        first_there = child_next = false;
    }

    // ---- writes ----
    struct request write_to(uint32_t addr) const {
        return {REQUEST_WRITE, t.channel, addr, 0, {}};
    }
    // Who has launched it, where the TMD does not say that already; and the state.
    struct request launcher(bool with_state, uint32_t kind) const {
        struct request w = write_to((t.tmd & ~255u) + 7 * 32);
        if (!t.listed && !t.freed) {
            w.put(TMD_TANDEM_REGION_WORD, t.region);
            w.put(TMD_TANDEM_LOCAL_WORD, t.local);
            w.put(TMD_TANDEM_PARENT_WORD, t.parent);
        }
        if (with_state) w.put(TMD_TANDEM_STATE_WORD, t.listed ? 0 : epoch[t.channel] << 8 | t.level << 2 | kind);
        return w;
    }
    static void put_saved(struct request *w, uint32_t saved) {
        w->bytes[3] = (uint8_t)saved;
        w->wstrb |= 8;
    }
    struct request resume(uint32_t x, uint32_t y, uint32_t z) const {
        struct request w = write_to((t.tmd & ~255u) + 32);
        w.put(TMD_CTA_RASTER_WIDTH_RESUME_WORD, x);
        w.put(TMD_CTA_RASTER_HEIGHT_RESUME_WORD, z << 16 | y);
        return w;
    }
    void count_launch() {
        struct request w = {REQUEST_ATOMIC, t.channel, (t.tmd & ~255u) + 4 * TMD_DEPENDENCE_COUNTER_WORD, 0, {}};
        memset(w.bytes, 0xFF, 4);
        writes = {launcher(false, 0), w};
    }
    void leave_list() {
        writes = {launcher(true, 0)};
        if (!t.resumed) return;
        put_saved(&writes[0], 0);
        writes.push_back(resume(0, 0, 0));
    }
    void enter_list(const struct management_seen &in) {
        const struct evicted_task &e = in.evicted;
        const struct pending_tasks &list = lists.shown;
        to_head = at_head(in);
        writes = {launcher(true, parking ? TASK_PARKED : t.evicted || t.resumed ? TASK_EVICTED : TASK_PENDING)};
        if (list.count != 0 && !parking) {
            struct request w = write_to(to_head ? t.tmd & ~255u : list.tail << 8);
            w.put(TMD_SCHEDULER_NEXT_QMD_POINTER_WORD, to_head ? list.head : t.tmd >> 8);
            writes.push_back(w);
        }
        if (!t.evicted) return;
        writes.push_back(resume(e.place[0], e.place[1], e.place[2]));
        if (e.saved == 0) return;
        struct request w = write_to((t.tmd & ~255u) + 7 * 32);
        put_saved(&w, e.saved);
        w.put(TMD_DEPENDENCE_COUNTER_WORD, e.children);
        writes.push_back(w);
    }

    // ---- from state to state ----
    void next(const struct management_seen &in, const struct launch *launch, bool settled, bool drop, bool pick) {
        const struct evicted_task &e = in.evicted;
        if (!settled) return;
        patience = PATIENCE;
        asked = 0;
        if (drop) {
            memset(&t, 0, sizeof t);
            t.channel = lists.drop_channel;
            t.level = lists.drop_level;
            now = DROPS;
        } else if (e.valid) {
            memset(&t, 0, sizeof t);
            t.channel = e.channel;
            t.level = e.level;
            t.tmd = e.tmd;
            t.region = e.region;
            t.local = e.local;
            t.parent = e.parent;
            t.evicted = true;
            now = PLACES;
        } else if (pick && in.slot_free) {
            memset(&t, 0, sizeof t);
            t.channel = lists.pick_channel;
            t.level = lists.pick_level;
            t.listed = true;
            now = TAKES;
        } else if (launch != nullptr) {
            t = *launch;
            now = FRONT;
        }
    }
    void decide(const struct management_seen &in, bool refused) {
        const bool suspended = (in.lists.suspend >> t.channel & 1) != 0, pick = lists.pick(in.lists);
        if (refused || halted(in)) {
            now = NEXT;
            return;
        }
        if (t.code != FAULT_NONE) return;
        if (!t.listed) t.level = t.checked.group;
        parking = t.checked.waits && !t.listed && !t.freed && !t.counted;
        const bool waits = !in.slot_free && !pick && !suspended && !in.evicted.valid && patience != 0;
        if (patience != 0) patience--;
        if (t.listed) {
            leave_list();
            now = ASKS;
        } else if (parking) {
            count_launch();
            now = ASKS;
        } else if (t.resumed) {
            now = PLACES;
        } else if (!waits) {
            now = in.slot_free && !pick && !suspended ? STARTS : PLACES;
        }
    }
    void answer(const struct management_seen &in) {
        if (t.write_fault == ANSWER_GOOD) t.write_fault = in.answer;
        if (writes.front().op == REQUEST_ATOMIC) t.counter = in.words[0];
        writes.erase(writes.begin());
        now = writes.empty() ? WRITTEN : ASKS;
    }
    void step(const struct management_seen &in, const struct launch *taken, bool refused, bool settled, bool drop,
              bool pick, bool verdict) {
        struct request request;
        switch (now) {
            case NEXT: next(in, taken, settled, drop, pick); break;
            case DROPS:
                epoch[t.channel] = (epoch[t.channel] + 1) & 0xFFFFFF;
                now = NEXT;
                break;
            case TAKES:
                t.tmd = lists.shown.head << 8;
                t.last = lists.shown.count == 1;
                now = taken != nullptr ? FRONT : NEXT;
                break;
            case FRONT:
                parking = false;
                if (refused) now = NEXT;
                if (refused || t.beyond) break;
                t.epoch = epoch[t.channel];
                t.lines = 0;
                check.begin();
                now = READS;
                break;
            case READS:
                if (in.granted && in.ready && asks(&request)) asked++;
                if (!in.answered) break;
                memcpy(t.words + 8 * t.lines, in.words, 32);
                if (t.fault == ANSWER_GOOD) t.fault = in.answer;
                if (++t.lines != TMD_LINES) break;
                tmd_check(config, space_size[t.channel], &t);
                now = CHECKS;
                break;
            case CHECKS:
                if (verdict) now = DECIDES;
                break;
            case DECIDES: decide(in, refused); break;
            case PLACES:
                parking = t.evicted && in.evicted.saved != 0 && in.evicted.children != 0;
                enter_list(in);
                now = ASKS;
                break;
            case ASKS:
                if (in.granted && in.ready) now = AWAITS;
                break;
            case AWAITS:
                if (in.answered) answer(in);
                break;
            case WRITTEN:
                if (refused)
                    now = NEXT;
                else if (!bad())
                    now = t.listed ? STARTS : last_counted() ? DECIDES : NEXT;
                if (now == DECIDES) t.counted = true;
                break;
            case STARTS: now = NEXT; break;
        }
    }
};

#endif
