// Work made by the PPU's own threads: what a launch waits for, and what its end brings. The task unit counts ends and starts
// what has waited for the last of them. cmodel/driver/work_queue.md tells the protocol, tests/formal/work_events.pml is it for
// the model checker.
#include "work_parts.h"

uint __tandem_clock_hi(void);

// ---- events ----

// What is none, or has been given back, is nobody's: such a word is left alone.
bool tandem_event_is(uint event) {
    const uint4 events = work_events();
    return work_among_events(event, events) && event % WORK_EVENT_BYTES == 0 && *work_reference(event, events) != 0;
}

// An event without references is free, and nothing else need be told: the last one may be given back by its TMD's release.
CALLED uint tandem_event_search(uint references) {
    const uint4 events = work_events();
    uint event = events.x + (work_first_look() * WORK_EVENT_BYTES & (events.y - 1));
    if (atomic_cmpxchg(work_reference(event, events), 0u, references) == 0) return event;
    for (uint k = WORK_EVENT_BYTES; k < events.y; k += WORK_EVENT_BYTES) {
        event = events.x + (event - events.x + WORK_EVENT_BYTES & (events.y - 1));
        work_words word = work_reference(event, events);
        if (*word == 0 && atomic_cmpxchg(word, 0u, references) == 0) return event;
    }
    return 0;
}

static work_words work_pending(uint event) { return (work_words)&((work_event_t)event)->pending; }

// Of a program that profiles, software counts off what a launch's event stands for, all as one.
uint tandem_event_make(uint references, uint kind, uint count, uint outer, uint level) {
    const uint event = tandem_event_search(references);
    if (event == 0) return 0;
    const bool software = __tandem_work_profiles() != 0 && kind == WORK_EVENT_OF_LAUNCHES;
    work_fill_event(event, kind, software ? 1 : count, outer, level, software ? count : 0);
    const uint around = work_name_of(outer);
    if (outer != 0) atomic_add(software ? work_pending(around) : work_counter(around), 1u);
    return event;
}

void tandem_event_retain(uint event) {
    if (tandem_event_is(event)) atomic_add(work_reference(event, work_events()), 1u);
}

// There was no reference; or one is left, which is the event's own, until it has come.
CALLED void tandem_event_last(uint event, uint references) {
    work_event_t e = (work_event_t)event;
    work_words word = work_reference(event, work_events());
    if (references == 0) atomic_add(word, 1u);
    // A user's event that nobody can end any more, and for which nobody waits.
    if (references == 0 || e->kind != WORK_EVENT_OF_USER || e->counter != 1 || (e->dependents[0] | e->dependents[1]) != 0 ||
        atomic_cmpxchg((work_words)&e->kind, WORK_EVENT_OF_USER, WORK_EVENT_ENDED) != WORK_EVENT_OF_USER)
        return;
    e->counter = 0;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_sub(word, 1u);
}

void tandem_event_release(uint event) {
    const uint4 events = work_events();
    if (!work_among_events(event, events) || event % WORK_EVENT_BYTES != 0) return;
    const uint references = atomic_sub(work_reference(event, events), 1u);
    if ((references & ~2u) == 0) tandem_event_last(event, references);
}

CALLED void tandem_event_let_go(uint event) { tandem_event_release(event); }

// ---- what an event's launch took ----

// The clock's two words, read at one moment.
static ulong work_clock(void) {
    uint high, low, again = __tandem_clock_hi();
    do {
        high = again;
        low = __tandem_clock();
        again = __tandem_clock_hi();
    } while (again != high);
    return (ulong)high << 32 | low;
}

static void work_keep_time(volatile __global uint *to, ulong time) {
    to[0] = (uint)time;
    to[1] = (uint)(time >> 32);
}

static ulong work_time(volatile __global uint *from) { return (ulong)from[1] << 32 | from[0]; }

// CLK_PROFILING_COMMAND_EXEC_TIME: nanoseconds from the launch's first thread to its last, and to the last of all that it
// launched.
static void work_write_times(work_event_t event) {
    const uint to = event->capture, ns = work_queue()->ns_per_cycle;
    if (to == 0) return;
    const bool ran = event->started != 0;  // else it was not launched, because of an error
    const ulong from = work_time(event->start);
    work_keep_time((work_words)to, ran ? (work_time(event->end) - from) * ns : 0);
    work_keep_time((work_words)to + 2, ran ? (work_time(event->complete) - from) * ns : 0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}

// Either the event's end finds the address, or this finds that the end has been; both write the same.
void tandem_event_capture(uint event, uint to) {
    if (!tandem_event_is(event)) return;
    const uint kind = ((work_event_t)event)->kind;
    if (kind == WORK_EVENT_MARKER) {  // it takes no time
        work_keep_time((work_words)to, 0);
        work_keep_time((work_words)to + 2, 0);
    }
    if (kind != WORK_EVENT_OF_LAUNCHES) return;
    ((work_event_t)event)->capture = to;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (((work_event_t)event)->counter == 0) work_write_times((work_event_t)event);
}

// ---- what waits for what ----

void tandem_work_count_off(uint tmd) {
    if (atomic_sub(work_counter(tmd), 1u) == 1) tandem_launch(tmd);
}

// While somebody holds it an event does not come. False: it has come.
static bool work_hold(uint event) {
    uint seen = 1, found;
    while ((found = atomic_cmpxchg(work_counter(event), seen, seen + 1)) != seen) {
        if (found == 0) return false;
        seen = found;
    }
    return true;
}

// The event is held, and its first name is given. The second is free, or becomes that of a relay, which has the new name and
// what has stood there.
CALLED uint tandem_event_name(uint tmd, uint event) {
    const uint name = work_named(tmd);
    if (atomic_cmpxchg(work_dependent(event, 1), 0u, name) == 0) return WAIT_TOLD;
    const uint relay = tandem_event_search(1);
    if (relay == 0) return WAIT_NO_MEMORY;
    ((work_words)relay)[TMD_QMD_GROUP_ID_WORD] = ((work_words)event)[TMD_QMD_GROUP_ID_WORD];
    ((work_event_t)relay)->kind = WORK_EVENT_RELAY;
    *work_counter(relay) = 1;
    *work_dependent(relay, 1) = name;
    uint old = *work_dependent(event, 1);
    for (;;) {
        *work_dependent(relay, 0) = old;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        const uint found = atomic_cmpxchg(work_dependent(event, 1), old, work_named(relay));
        if (found == old) return WAIT_TOLD;
        old = found;
    }
}

CALLED uint tandem_event_wait(uint tmd, uint event) {
    uint result = WAIT_COME;
    if (work_hold(event)) {
        result = WAIT_TOLD;
        if (atomic_cmpxchg(work_dependent(event, 0), 0u, work_named(tmd)) != 0) result = tandem_event_name(tmd, event);
        tandem_work_count_off(event);
    }
    // Behind the name: who tells an error on has either found that, or told the error before.
    return ((work_event_t)event)->error != 0 ? result | WAIT_ERROR : result;
}

// ---- errors ----

// True: the event had none.
static bool work_set_error(uint event, uint error) {
    return atomic_cmpxchg((work_words)&((work_event_t)event)->error, 0u, error) == 0;
}

CALLED void tandem_work_cancel(uint piece, uint error) {
    work_words words = (work_words)piece;
    work_task_t task = work_task_of(piece);
    if (error != 0 && task->event != 0) (void)work_set_error(task->event, error);
    // A queue task without entries; only one makes it that.
    if (atomic_xchg(&words[TMD_CIRCULAR_QUEUE_SIZE_WORD], 1u) != 0) return;
    words[TMD_CIRCULAR_QUEUE_ENTRY_SIZE_WORD] = 1u << TMD_CIRCULAR_QUEUE_ENTRY_SIZE_LOW;
    words[TMD_RELEASE_PAYLOAD_WORD] &= ~task->unclean;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (task->counted != 0) atomic_sub((work_words)&work_queue()->outstanding, 1u);
    if (task->leaves != 0) tandem_work_leave(task->leaves);
}

static bool work_is_event(uint tmd) { return work_among_events(tmd, work_events()); }

// What waits for an event is told of its error: a launch is cancelled; returns its event, or a marker itself, if it had no
// error before.
static uint work_tell_one(uint tmd, uint outer, uint error) {
    if (tmd == 0 || tmd == outer) return 0;
    if (work_is_event(tmd)) return work_set_error(tmd, error) ? tmd : 0;
    const uint own = work_task_of(tmd)->event;
    const bool first = own != 0 && work_set_error(own, error);
    tandem_work_cancel(tmd, error);
    return first ? own : 0;
}

// The event ends with an error, and so does what waits for it, and so on. None of these can come meanwhile, since the first
// has not come, and who names itself later finds the error.
static void work_tell_error(uint event, uint error) {
    uint list = work_set_error(event, error) ? event : 0;
    while (list != 0) {
        const uint now = list, outer = work_name_of(((work_event_t)now)->outer);
        list = ((work_event_t)now)->walk;
        uint at = *work_dependent(now, 1);
        uint next = *work_dependent(now, 0);
        while ((at | next) != 0) {
            const uint found = work_tell_one(work_name_of(next), outer, error);
            if (found != 0) {
                ((work_event_t)found)->walk = list;
                list = found;
            }
            const uint tmd = work_name_of(at);
            next = at;
            at = 0;
            if (tmd != 0 && work_is_event(tmd) && ((work_event_t)tmd)->kind == WORK_EVENT_RELAY) {
                next = *work_dependent(tmd, 1);
                at = *work_dependent(tmd, 0);
            }
        }
    }
}

void tandem_event_end(uint event, int status) {
    if (!tandem_event_is(event) || status > 0 ||
        atomic_cmpxchg((work_words)&((work_event_t)event)->kind, WORK_EVENT_OF_USER, WORK_EVENT_ENDED) != WORK_EVENT_OF_USER)
        return;
    if (status < 0) work_tell_error(event, (uint)status);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    tandem_work_count_off(event);
}

// ---- what completes with what ----

void tandem_work_join(uint piece, uint own) {
    work_task_t task = work_task_of(piece);
    const uint name = own != 0 ? work_named(own) : work_task()->scope, scope = work_name_of(name);
    task->scope = name;
    task->event = own;
    if (name == 0) return;
    if (__tandem_work_profiles() != 0) {
        task->leaves = scope;
        if (own == 0) atomic_add(work_pending(scope), 1u);
    } else {
        task->dependents[0] = name;
        if (own == 0) atomic_add(work_counter(scope), 1u);
    }
}

CALLED void tandem_work_leave(uint event) {
    while (event != 0 && atomic_sub(work_pending(event), 1u) == 1) {
        const uint outer = work_name_of(((work_event_t)event)->outer);
        if (((work_event_t)event)->started != 0) work_keep_time(((work_event_t)event)->complete, work_clock());
        work_write_times((work_event_t)event);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        // Its own reference is here still: tandem_event_capture() looks at the counter.
        atomic_add(work_reference(event, work_events()), 1u);
        tandem_work_count_off(event);
        work_write_times((work_event_t)event);
        tandem_event_release(event);
        event = outer;
    }
}

// ---- launches ----

CALLED void tandem_work_behind(uint piece, uint child) {
    work_words head = (work_words)&work_task()->children;
    uint old = *head, found;
    for (;;) {
        work_task_of(piece)->link = old;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        found = atomic_cmpxchg(head, old, child);
        if (found == old) return;
        old = found;
    }
}

bool tandem_work_launch(team_t team, uint piece, uint own, bool for_this_launch, uint wait_count, const GENERIC uint *wait) {
    bool good = true;
    if (__tandem_work_rings() != 0) {  // else the ring's end is the end of the launch by the CPU
        team_meet(team);
        const team_t here = team_here(), with_piece = team_vote(here, piece != 0);
        const uint total = team_size(with_piece);
        if (__tandem_team_lane() == team_first(here) && total != 0)
            atomic_add((work_words)&work_queue()->outstanding, total);
        if (piece != 0) work_task_of(piece)->counted = 1;
        team_meet(here);
    }
    if (piece == 0) return true;
    tandem_work_join(piece, own);
    uint come = 0, error = 0;
    const bool waits = for_this_launch || wait_count != 0;
    if (waits) work_task_of(piece)->counter = wait_count + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (!waits) {
        // A child of this task (LAUNCH): the task unit's own affair. It has the parent's program region and base of private
        // memory, which all launches of a program share.
        tandem_launch(piece);
        return true;
    }
    for (uint k = 0; k < wait_count; k++) {
        const uint told = tandem_event_wait(piece, wait[k]);
        if ((told & 3) != WAIT_TOLD) come++;
        if ((told & 3) == WAIT_NO_MEMORY) good = false;
        if ((told & WAIT_ERROR) != 0) error = ((work_event_t)wait[k])->error;
    }
    if (error != 0 || !good) tandem_work_cancel(piece, error);
    if (for_this_launch) {
        if (come != 0) atomic_sub(work_counter(piece), come);
        tandem_work_behind(piece, piece);
    } else if (atomic_sub(work_counter(piece), come + 1) == come + 1) {
        tandem_launch(piece);
    }
    return good;
}

int tandem_work_enqueue(uint piece, uint mode) {
    work_task_of(piece)->link = 0;
    return tandem_work_enqueue_list(piece, mode) == 1 ? WORK_OK : WORK_FULL;
}

void tandem_work_link(uint piece, uint next) { work_task_of(piece)->link = next; }

uint tandem_work_enqueue_list(uint first, uint mode) {
    work_queue_t q = work_queue();
    const team_t all = team_here();
    const uint scope = work_name_of(work_task()->scope);
    uint count = 0, left = 0, rest = 0;
    for (uint at = first; at != 0; at = work_task_of(at)->link) {
        tandem_work_join(at, 0);
        work_task_of(at)->counted = 1;
        count++;
    }
    // Lists of different lengths have parted the threads. Those that ask for the same go together.
    team_meet(all);
    if (team_size(all) == 1 && count == 1) {
        atomic_add((work_words)&q->outstanding, 1u);
        if (tandem_work_submit_alone(first, mode)) return 1;
        atomic_sub((work_words)&q->outstanding, 1u);
    }
    for (bool asked = false; !asked;) {
        asked = mode == __tandem_shuffle(mode, team_first(team_here()));
        if (asked) {
            const team_t team = team_here();
            uint total;
            const uint number = team_sum(team, count, &total);
            const uint leader = team_first(team);
            // This thread's own launch is counted too, so it is not zero before.
            if (__tandem_team_lane() == leader) atomic_add((work_words)&q->outstanding, total);
            rest = tandem_work_submit(team, leader, number, total, first, count, mode);
        }
    }
    while (rest != 0) {
        const uint next = work_task_of(rest)->link;
        tandem_work_drop(rest);
        rest = next;
        left++;
    }
    if (left != 0) {
        atomic_sub((work_words)&q->outstanding, left);
        // This launch is counted there too, so that none of these is the last.
        if (scope != 0)
            atomic_sub(__tandem_work_profiles() != 0 ? work_pending(scope) : work_counter(scope), left);
    }
    return count - left;
}

// ---- the end ----

// The threads of the warp, to be asked for at the kernel's beginning, where all are together.
uint2 tandem_work_warp(void) {
    if (__tandem_work_profiles() != 0 && __tandem_team_lane() == 0 && __tandem_work_task() != 0 &&
        work_task()->event != 0) {
        work_event_t event = (work_event_t)work_task()->event;
        if (atomic_xchg((work_words)&event->started, 1u) == 0) work_keep_time(event->start, work_clock());
    }
    return team_here();
}

// All threads of the warp come together here, also those that a wait has parted from the others.
void tandem_work_meet(uint2 warp) { team_meet(warp); }

// Every work-item's last act in a kernel that the CPU launches, or where something waits for its end. The last warp that
// comes here ends the piece.
void tandem_work_end(uint2 warp) {
    if (__tandem_work_task() == 0) return;
    work_task_t task = work_task();
    team_meet(warp);
    if (__tandem_team_lane() != 0) return;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    uint child = task->children;
    const uint counted = task->counted;
    if (task->warps != 1) {
        if (atomic_sub((work_words)&task->warps, 1u) != 1) return;
        child = task->children;
    }
    if (__tandem_work_profiles() != 0 && task->event != 0)
        work_keep_time(((work_event_t)task->event)->end, work_clock());
    if (child != 0) task->children = 0;  // for the next launch in this memory
    while (child != 0) {
        const uint piece = child & ~WORK_CHILD_FREE, next = work_task_of(piece)->link;
        if (child != piece) tandem_launch(piece);
        else tandem_work_count_off(piece);
        child = next;
    }
    if (__tandem_work_profiles() != 0) tandem_work_leave(task->leaves);
    if (counted == 0) return;
    if (__tandem_work_rings() != 0 && work_queue()->parked != 0) tandem_work_unpark();
    if (atomic_sub((work_words)&work_queue()->outstanding, 1u) == 1) tandem_work_tail();
}
