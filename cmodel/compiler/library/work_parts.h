// What the parts of work queues share: work_queue.cl (the ring), work_pieces.cl (memory, what a launch consists of),
// work_events.cl (what waits for what, ends) and enqueue.cl. A program calls what work_queue.h declares.
#ifndef TANDEM_WORK_PARTS_H
#define TANDEM_WORK_PARTS_H

#include "gen/tmd.h"
#include "generic.h"
#include "team.h"
#include "work_queue.h"

typedef volatile __global uint *work_words;
typedef __global uint4 *work_quads;  // at addresses that are multiples of 16
typedef volatile __global struct work_queue *work_queue_t;
typedef volatile __global struct work_task *work_task_t;
typedef volatile __global struct work_event *work_event_t;
typedef const __global struct work_kernel *work_kernel_t;  // never changes

uint __tandem_work_queue(void);
uint __tandem_work_task(void);
uint __tandem_work_kernels(void);
uint __tandem_printf_buffer(void);
uint __tandem_data(void);
uint __tandem_launch_word(void);
uint __tandem_clock(void);
uint __tandem_work_profiles(void);  // whether the program captures profiling information
uint __tandem_work_rings(void);     // whether it adds to the ring
uint __tandem_lane(void);           // the thread's number in its warp, the warp's in its multiprocessor
uint __tandem_warp(void);
void tandem_launch(uint tmd);  // LAUNCH: by each thread that comes here, whose memory operations are performed

static inline work_queue_t work_queue(void) {
    return (work_queue_t)__tandem_work_queue();
}
static inline work_task_t work_task(void) {
    return (work_task_t)__tandem_work_task();
}
static inline work_task_t work_task_of(uint piece) {
    return (work_task_t)piece;
}
static inline work_kernel_t work_kernel(uint number) {
    return (work_kernel_t)__tandem_work_kernels() + number;
}

// These stay calls: most are seldom come to, and what they need in registers is not needed around them.
#define CALLED __attribute__((noinline))

// What never changes of the queue's events: events, event_bytes, references.
static inline uint4 work_events(void) {
    return *(const __global uint4 *)(__tandem_work_queue() + 176);
}
static inline work_words work_reference(uint event, uint4 events) {
    return (work_words)(events.z + event / 64);
}
static inline bool work_among_events(uint tmd, uint4 events) {
    return tmd - events.x < events.y;
}

// Words that TMDs of tasks and of events have at the same places.
static inline work_words work_counter(uint tmd) {
    return (work_words)tmd + TMD_DEPENDENCE_COUNTER_WORD;
}
static inline work_words work_dependent(uint tmd, uint number) {
    return (work_words)tmd + TMD_DEPENDENT_QMD_POINTER_WORD + number;
}
// What is written there to name a task.
static inline uint work_named(uint tmd) {
    return tmd >> 8 | 1u << TMD_DEPENDENT_QMD_SCHEDULE_ENABLE_LOW;
}
static inline uint work_name_of(uint word) {
    return word << 8;
}

// Beside the level: an event comes before tasks that are pending, and gives a reference to itself back.
#define WORK_EVENT_FLAGS (1u << TMD_ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST_LOW | 1u << TMD_SEMAPHORE_RELEASE_ENABLE0_LOW)

// ---- work_pieces.cl ----
// A piece of memory, 0: all are in use. *place: the word that is to have its address when it is free again.
uint tandem_work_take(__private uint *place);
// Where the thread begins to look for a place: threads of a warp each at one of its own.
static inline uint work_first_look(void) {
    return __tandem_lane() + 17 * __tandem_warp() + (__tandem_clock() >> 5);
}

// ---- work_queue.cl ----
// Puts pieces into the queue, which are ready to run and counted in `outstanding`: of each thread of the team `count`
// (0: none) linked ones, from `piece` on. leader: the lane of its first thread. number, total: how many the threads before
// this one bring, and all. The team may have come apart, and may come apart.
// Returns the first of the thread's that did not get in, the others behind it; 0: all did. WORK_PARK: all do.
CALLED uint tandem_work_submit(team_t team, uint leader, uint number, uint total, uint piece, uint count, uint mode);
// The same for a piece of a thread that is alone. False: there is no room, and nothing is changed.
CALLED bool tandem_work_submit_alone(uint piece, uint mode);
// Puts the lists that threads of the team bring, from `first` (0: none) to `last`, in front of the one whose head is at
// `head`, which is the same for all of them. The team is together, before and after.
CALLED void tandem_work_push(team_t team, work_words head, uint first, uint last);
// Adds parked pieces while there is room. For one thread.
CALLED void tandem_work_unpark(void);
// Appends {WFI; release Y; acquire X}: no more work is to come. For one thread.
CALLED void tandem_work_tail(void);

// ---- work_events.cl ----
// Takes one off the counter of a task or an event, which has counted it; who finds that it was the last starts it.
void tandem_work_count_off(uint tmd);
// In a program that profiles: a launch, or one that a launch has made, has ended. The last one completes the event, which is
// one of those that the next event outwards waits for, and so on.
CALLED void tandem_work_leave(uint event);
// The launch that the piece is part of completes with it, or what this launch is part of: the piece is counted there.
// own: its event, which counts it already, or 0.
void tandem_work_join(uint piece, uint own);
// Of a new event the number of references becomes `references`, not 0; 0: no memory.
CALLED uint tandem_event_search(uint references);
// The rest of an event whose references are there. outer: as in struct work_event; pending: of a program that profiles.
static inline void work_fill_event(uint event, uint kind, uint count, uint outer, uint level, uint pending) {
    work_quads words = (work_quads)event;
    ((work_words)event)[TMD_QMD_GROUP_ID_WORD] = level << TMD_QMD_GROUP_ID_LOW | WORK_EVENT_FLAGS;
    words[8] = (uint4)(0, kind, outer, 0);                       // error, kind, outer, walk
    if (pending != 0) words[9] = (uint4)(0, 0, pending, 0);      // capture, started, pending
    words[15] = (uint4)(0, count, 0, pending == 0 ? outer : 0);  // parent, counter, dependents
}
// A new event, 0: no memory. count: what it stands for; outer: the event that it is part of (struct work_event), or 0.
uint tandem_event_make(uint references, uint kind, uint count, uint outer, uint level);
// Whether it is one now. The others do nothing with what is none.
bool tandem_event_is(uint event);
void tandem_event_release(uint event);
CALLED void tandem_event_let_go(uint event);  // the same, where it is seldom come to
void tandem_event_retain(uint event);
// A user event ends.
void tandem_event_end(uint event, int status);
// Where the times of its launch are to be written when they are known: four words.
void tandem_event_capture(uint event, uint to);
// What `tmd`, a task or an event which has counted it, waits for. TOLD: it will be counted off; COME: the event has come;
// NO_MEMORY: for one more name. TOLD_ERROR, COME_ERROR: likewise, and the event ends with an error.
enum { WAIT_TOLD = 0, WAIT_COME = 1, WAIT_NO_MEMORY = 3, WAIT_ERROR = 4 };
CALLED uint tandem_event_wait(uint tmd, uint event);
// Its part for who holds the event already, so that it cannot come, and has found its first name given: WAIT_TOLD or
// WAIT_NO_MEMORY.
CALLED uint tandem_event_name(uint tmd, uint event);
// A task that has not started, because somebody holds it, is not to be launched: it will end without. Its event ends with
// the error (0: as it is).
CALLED void tandem_work_cancel(uint piece, uint error);
// Puts a piece, with or without WORK_CHILD_FREE, into the list of those that wait for the end of this launch.
CALLED void tandem_work_behind(uint piece, uint child);
// Launches the pieces (0: the thread has none) of all threads of the team, which may have come apart, when the events that
// they wait for have come, or, for_this_launch, when this launch has ended, too. own: the piece's event, which counts it
// already. False: there is no memory for that; nothing will be launched.
bool tandem_work_launch(team_t team, uint piece, uint own, bool for_this_launch, uint wait_count,
                        const GENERIC uint *wait);

// ---- enqueue.cl ----

struct range {  // ndrange_t
    uint dimensions, offset[3], global_size[3], local_size[3];
};

struct launch {
    uint queue, flags, wait_count, number, local_count;
    const __private struct range *range;
    const GENERIC uint *wait, *block;
    GENERIC uint *result;
    const __private uint *local_bytes;
};

// enqueue_kernel of any kind. Kept out of the way: what it needs in registers would push out what shorter ways have there.
CALLED int tandem_enqueue_any(const __private struct launch *l);

#endif
