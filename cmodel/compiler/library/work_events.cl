// Work made by the PPU's own threads: what a launch waits for, and what its end brings.
// cmodel/driver/work_queue.md tells the rules.
#include "work_parts.h"

uint __tandem_clock(void);
uint __tandem_clock_hi(void);
uint __tandem_work_profiles(void);  // whether the program captures profiling information

// ---- events ----

// What is none, or has been given back, is nobody's: such a word is left alone.
bool tandem_event_is(uint event) {
    work_queue_t q = work_queue();
    const uint at = event - q->pool;
    return at < q->pieces * q->piece_bytes && (event & 255) == 0 && ((work_event_t)event)->mark == WORK_EVENT_MARK(event);
}

uint tandem_event_make(uint references, bool user) {
    const uint event = tandem_work_take(team_here());
    if (event != 0) {
        work_event_t made = (work_event_t)event;
        made->references = references;
        made->waiting = 0;
        made->status = 2;  // CL_SUBMITTED
        made->user = user;
        made->pending = 1;
        made->outer = 0;
        made->started = 0;
        made->capture = 0;
        made->mark = WORK_EVENT_MARK(event);
    }
    return event;
}

void tandem_event_retain(uint event) {
    if (tandem_event_is(event)) atomic_add((work_words)&((work_event_t)event)->references, 1u);
}

void tandem_event_release(uint event) {
    if (!tandem_event_is(event)) return;
    if (atomic_sub((work_words)&((work_event_t)event)->references, 1u) != 1) return;
    ((work_event_t)event)->mark = 0;
    tandem_work_give(event);
}

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
    if (!tandem_event_is(event) || ((work_event_t)event)->user != 0) return;
    ((work_event_t)event)->capture = to;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (((work_event_t)event)->waiting == WORK_COMPLETE) work_write_times((work_event_t)event);
}

// ---- what waits for what ----

// The event has come: returns the list of pieces that waited for it.
static uint work_come(uint event, uint status) {
    work_event_t come = (work_event_t)event;
    come->status = status;
    work_write_times(come);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const uint list = atomic_xchg((work_words)&come->waiting, WORK_COMPLETE);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    work_write_times(come);
    return list;
}

// Puts one list behind another.
static uint work_join(uint first, uint second) {
    if (first == 0) return second;
    uint last = first;
    while (work_task_of(last)->link != 0) last = work_task_of(last)->link;
    work_task_of(last)->link = second;
    return first;
}

uint tandem_work_leave(uint event, uint status) {
    uint list = 0;
    while (event != 0 && atomic_sub((work_words)&((work_event_t)event)->pending, 1u) == 1) {
        const uint outer = ((work_event_t)event)->outer;
        if (__tandem_work_profiles() != 0 && ((work_event_t)event)->started != 0)
            work_keep_time(((work_event_t)event)->complete, work_clock());
        list = work_join(work_come(event, status), list);
        tandem_event_release(event);
        event = outer;
        status = 0;  // CL_COMPLETE
    }
    return list;
}

// A piece that is not to be launched, a marker or one that waited for an error, is through. This launch is still
// outstanding, so nobody need look at the count.
static uint work_skip(uint piece) {
    work_task_t task = work_task_of(piece);
    const uint list = tandem_work_leave(task->scope, task->event != 0 ? task->error : 0);
    tandem_work_give(piece);
    atomic_sub((work_words)&work_queue()->outstanding, 1u);
    return list;
}

// Whether the piece stands in the list of an event that has not come; it is somebody else's then.
static bool work_waits(uint piece) {
    work_task_t task = work_task_of(piece);
    while (task->waits != 0) {
        const uint event = task->events[task->waits - 1];
        work_words head = (work_words)&((work_event_t)event)->waiting;
        uint old = *head;
        while (old != WORK_COMPLETE) {
            task->link = old;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            const uint found = atomic_cmpxchg(head, old, piece);
            if (found == old) return true;
            old = found;
        }
        if ((int)((work_event_t)event)->status < 0) task->error = ((work_event_t)event)->status;
        task->waits--;
        tandem_event_release(event);
    }
    return false;
}

// Of a list of pieces, those that wait for nothing more and are to be launched, linked, and their number.
static uint work_ready(uint piece, __private uint *count) {
    uint ready = 0;
    *count = 0;
    while (piece != 0) {
        const uint next = work_task_of(piece)->link;
        if (work_waits(piece)) {
            piece = next;
        } else if (work_task_of(piece)->region == 0 || work_task_of(piece)->error != 0) {
            piece = work_join(work_skip(piece), next);
        } else {
            work_task_of(piece)->link = ready;
            ready = piece;
            ++*count;
            piece = next;
        }
    }
    return ready;
}

void tandem_work_go_on(team_t team, uint list) {
    uint count, total;
    const uint ready = work_ready(list, &count);
    team_meet(team);
    const uint number = team_sum(team, count, &total);
    tandem_work_submit(team, team_first(team), number, total, ready, count, WORK_PARK);
}

void tandem_event_end(uint event, int status) {
    const team_t team = team_here();
    uint list = 0;
    if (tandem_event_is(event) && ((work_event_t)event)->user != 0 && status <= 0 &&
        ((work_event_t)event)->waiting != WORK_COMPLETE)
        list = work_come(event, (uint)status);
    tandem_work_go_on(team, list);
}

// The launch that this piece is part of completes with it, or the event of others that it joins.
static void work_part(uint piece) {
    const uint joined = work_task_of(piece)->scope, own = joined != 0 ? 0 : work_task_of(piece)->event;
    const uint scope = joined != 0 ? joined : work_task()->scope;
    if (scope != 0) atomic_add((work_words)&((work_event_t)scope)->pending, 1u);
    if (own != 0) ((work_event_t)own)->outer = scope;
    work_task_of(piece)->scope = own != 0 ? own : scope;
}

void tandem_work_launch(team_t team, uint piece, bool for_this_launch, bool has_events) {
    team_meet(team);
    // Threads that want the same of those that came together.
    const bool now = !for_this_launch && !has_events;
    for (uint way = 0; way < 2; way++) {
        if (now != (way == 0)) continue;
        const team_t here = team_here(), with_piece = team_vote(here, piece != 0);
        const uint leader = team_first(here), total = team_size(with_piece);
        if (__tandem_team_lane() == leader && total != 0) atomic_add((work_words)&work_queue()->outstanding, total);
        if (piece != 0) work_part(piece);
        if (way == 0) {
            // A child of this task (LAUNCH): the task unit's own affair. It has the parent's program region and base of
            // private memory, which all launches of a program share. Not before all are counted.
            team_meet(here);
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            if (piece != 0) tandem_launch(piece);
        } else {
            team_meet(here);
            if (for_this_launch) tandem_work_push(team_here(), (work_words)&work_task()->children, piece, piece);
            else tandem_work_go_on(team_here(), piece);
        }
    }
}

int tandem_work_enqueue(uint piece, uint mode) {
    work_task_of(piece)->link = 0;
    return tandem_work_enqueue_list(piece, mode) == 1 ? WORK_OK : WORK_FULL;
}

void tandem_work_link(uint piece, uint next) { work_task_of(piece)->link = next; }

uint tandem_work_enqueue_list(uint first, uint mode) {
    work_queue_t q = work_queue();
    const team_t all = team_here();
    const uint scope = work_task()->scope;
    uint count = 0, left = 0, rest = 0;
    for (uint at = first; at != 0; at = work_task_of(at)->link) {
        work_task_of(at)->scope = scope;
        count++;
    }
    if (count != 0 && scope != 0) atomic_add((work_words)&((work_event_t)scope)->pending, count);
    // Lists of different lengths have parted the threads. Those that ask for the same go together.
    team_meet(all);
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
        tandem_work_give(rest);
        rest = next;
        left++;
    }
    if (left != 0) {
        atomic_sub((work_words)&q->outstanding, left);
        if (scope != 0) atomic_sub((work_words)&((work_event_t)scope)->pending, left);
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

// Every work-item's last act in a kernel that makes work, or is made by a thread. The last warp that comes here ends the
// piece.
void tandem_work_end(uint2 warp) {
    work_queue_t q = work_queue();
    work_task_t task = work_task();
    if (__tandem_work_task() == 0) return;  // a straight launch: nobody counts
    team_meet(warp);
    if (__tandem_team_lane() != 0) return;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_sub((work_words)&task->warps, 1u) != 1) return;
    const uint piece = task->piece, event = task->event;
    if (__tandem_work_profiles() != 0 && event != 0) work_keep_time(((work_event_t)event)->end, work_clock());
    const uint children = task->children, scope = task->scope;
    if ((children | scope) != 0) tandem_work_go_on(team_here(), work_join(children, tandem_work_leave(scope, 0)));
    if (q->parked != 0) tandem_work_unpark();
    if (piece != 0) tandem_work_give(piece);
    if (atomic_sub((work_words)&q->outstanding, 1u) == 1) tandem_work_tail();
}
