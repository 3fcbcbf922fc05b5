// What the parts of work queues share: work_queue.cl (the ring), work_pieces.cl (memory, what a launch consists of),
// work_events.cl (what waits for what, ends) and enqueue.cl. A program calls what work_queue.h declares.
#ifndef TANDEM_WORK_PARTS_H
#define TANDEM_WORK_PARTS_H

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
uint __tandem_lane(void);  // the thread's number in its warp, the warp's in its multiprocessor
uint __tandem_warp(void);
void tandem_launch(uint tmd);  // LAUNCH: by each thread that comes here, whose memory operations are performed

static inline work_queue_t work_queue(void) {
    return (work_queue_t)__tandem_work_queue();
}
static inline work_task_t work_task(void) {
    return (work_task_t)__tandem_work_task();
}
static inline work_task_t work_task_of(uint piece) {
    return (work_task_t)(piece + WORK_TASK);
}
static inline work_kernel_t work_kernel(uint number) {
    return (work_kernel_t)__tandem_work_kernels() + number;
}

// These stay calls: most are seldom come to, and what they need in registers is not needed around them.
#define CALLED __attribute__((noinline))

// ---- work_pieces.cl ----
// A piece of memory for each thread of the team, which is together; 0: all are in use. The team may come apart.
uint tandem_work_take(team_t team);
void tandem_work_give(uint piece);

// ---- work_queue.cl ----
// Puts pieces into the queue, which are ready to run and counted in `outstanding`: of each thread of the team `count`
// (0: none) linked ones, from `piece` on. leader: the lane of its first thread. number, total: how many the threads before
// this one bring, and all. The team may have come apart, and may come apart.
// Returns the first of the thread's that did not get in, the others behind it; 0: all did. WORK_PARK: all do.
CALLED uint tandem_work_submit(team_t team, uint leader, uint number, uint total, uint piece, uint count, uint mode);
// Puts the lists that threads of the team bring, from `first` (0: none) to `last`, in front of the one whose head is at
// `head`, which is the same for all of them. The team is together, before and after.
CALLED void tandem_work_push(team_t team, work_words head, uint first, uint last);
// Adds parked pieces while there is room. For one thread.
CALLED void tandem_work_unpark(void);
// Appends {WFI; release Y; acquire X}: no more work is to come. For one thread.
CALLED void tandem_work_tail(void);

// ---- work_events.cl ----
// For each thread of the team a list of pieces (0: none), each of which waits for one thing less than before. The team may
// have come apart.
CALLED void tandem_work_go_on(team_t team, uint list);
// A launch, or one that a launch has made, has ended: the last one completes the event, which is one of those that the
// next event outwards waits for, and so on. Returns the pieces that waited.
CALLED uint tandem_work_leave(uint event, uint status);
// A new event for each thread that comes here, 0: no memory.
uint tandem_event_make(uint references, bool user);
// Whether it is one now. The others do nothing with what is none.
bool tandem_event_is(uint event);
void tandem_event_release(uint event);
void tandem_event_retain(uint event);
// A user event ends.
void tandem_event_end(uint event, int status);
// Where the times of its launch are to be written when they are known: four words.
void tandem_event_capture(uint event, uint to);
// Launches the pieces (0: the thread has none) of all threads of the team, which may have come apart: when their events
// have come, if they have any, or, for_this_launch, when this launch has ended, too.
void tandem_work_launch(team_t team, uint piece, bool for_this_launch, bool has_events);

// ---- enqueue.cl ----

struct range {  // ndrange_t
    uint dimensions, offset[3], global_size[3], local_size[3];
};

// enqueue_kernel with neither events nor local memory.
int tandem_enqueue_basic(uint queue, uint flags, struct range range, const GENERIC uint *kernel_number,
                         const GENERIC uint *block) __asm__("tandem_enqueue_kernel_basic");

#endif
