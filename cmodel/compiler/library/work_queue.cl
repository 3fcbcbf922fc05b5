// Work made by the PPU's own threads: adding to a PPU-owned queue, the memory of pieces of work, their ends.
// cmodel/driver/work_queue.md tells the protocol.
#include "work_queue.h"

#include "gen/methods.h"
#include "gen/tmd.h"

typedef volatile __global uint *work_words;
typedef __global uint4 *work_quads;  // at addresses that are multiples of 16
typedef volatile __global struct work_queue *work_queue_t;
typedef volatile __global struct work_task *work_task_t;

uint __tandem_work_queue(void);
uint __tandem_work_task(void);
uint __tandem_work_kernels(void);
uint __tandem_printf_buffer(void);
uint __tandem_data(void);
void __tandem_yield(void);  // makes a loop one that waits for others
uint __tandem_exec_lo(void);
uint __tandem_exec_hi(void);
uint __tandem_lane(void);

static work_queue_t work_queue(void) { return (work_queue_t)__tandem_work_queue(); }
static work_task_t work_task_of(uint piece) { return (work_task_t)(piece + WORK_TASK); }

// The place of a position in the ring.
static uint work_place(work_queue_t q, uint position) {
    const uint n = q->entries;
    return (n & (n - 1)) == 0 ? position & (n - 1) : position % n;
}

// ---- taking entries ----

static bool work_free_to(work_queue_t q, uint end) { return (int)(q->shadow_put - end) >= 0; }

// Takes `count` entries with one atomic addition; *first is the position of the first. False: there is no room, and
// soft GP_PUT is as if nothing had been asked. Who does not want to wait gives back what is not free, which works only
// while nobody has taken entries behind it: then these give theirs back first, or there is room in the end.
static bool work_take(work_queue_t q, uint count, bool wait, uint *first) {
    if (!wait && !work_free_to(q, q->soft_put + count)) return false;
    const uint position = atomic_add((volatile __global uint *)&q->soft_put, count);
    bool given_back = false;
    while (!given_back && !work_free_to(q, position + count)) {
        __tandem_yield();
        if (wait) {
            // The channel may stand before X, which is released only when this launch has ended: let it go on.
            if (q->x != q->launch) q->x = q->launch;
            given_back = q->stopped != 0;
        } else {
            given_back = atomic_cmpxchg((volatile __global uint *)&q->soft_put, position + count, position) == position + count;
        }
    }
    *first = position;
    return !given_back;
}

// ---- command blocks ----

#define WORK_HOST(count, method) DMA_HEADER(DMA_SEC_OP_INC_METHOD, count, 0u, method)
#define WORK_COMPUTE(count, method) DMA_HEADER(DMA_SEC_OP_INC_METHOD, count, COMPUTE_SUBCHANNEL, method)
#define WORK_RELEASE                                                    \
    (HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_RELEASE) |     \
     HOST_SEMAPHORED_RELEASE_WFI(HOST_SEMAPHORED_RELEASE_WFI_DIS) |     \
     HOST_SEMAPHORED_RELEASE_SIZE(HOST_SEMAPHORED_RELEASE_SIZE_4BYTE))
#define WORK_ACQUIRE                                                \
    (HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_ACQUIRE) | \
     HOST_SEMAPHORED_ACQUIRE_SWITCH(HOST_SEMAPHORED_ACQUIRE_SWITCH_ENABLED))

static uint work_semaphore(work_words block, uint at, uint address, uint payload, uint operation) {
    block[at] = WORK_HOST(4u, HOST_SEMAPHOREA);
    block[at + 1] = 0;
    block[at + 2] = address;
    block[at + 3] = payload;
    block[at + 4] = operation;
    return at + 5;
}

static work_words work_block(work_queue_t q, uint place) { return (work_words)(q->blocks + place * WORK_BLOCK_BYTES); }

static void work_entry(work_queue_t q, uint place, uint words) {
    work_words entry = (work_words)(q->ring + 8 * place);
    entry[0] = q->blocks + place * WORK_BLOCK_BYTES;
    entry[1] = GP_ENTRY1_LENGTH(words);
}

// Every block begins so: the entries before this one are free again, `give_back` being the first position that is not.
// With WORK_ERASE the entry, and the acquire of the adder before, become unwritten again; the host has read them.
static uint work_begin_block(work_queue_t q, work_words block, uint place, bool first, uint give_back) {
    uint at = 0;
    if ((q->flags & WORK_ERASE) != 0) {
        const uint before = place == 0 ? q->entries - 1 : place - 1;
        at = work_semaphore(block, at, q->ring + 8 * place + 4, WORK_UNWRITTEN1, WORK_RELEASE);
        if (first) at = work_semaphore(block, at, q->ring + 8 * before + 4, WORK_UNWRITTEN1, WORK_RELEASE);
    }
    return work_semaphore(block, at, q->given_back, give_back, WORK_RELEASE);
}

static void work_acquire_entry(work_queue_t q, uint place, uint payload) {
    work_entry(q, place, work_semaphore(work_block(q, place), 0, q->semaphores + 4 * place, payload, WORK_ACQUIRE));
}

// All is written: the acquire that the adder before left is released.
static void work_hand_over(work_queue_t q, uint first) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    ((work_words)q->semaphores)[work_place(q, first - 1)] = first - 1;
}

static void work_launch_entry(work_queue_t q, uint position, uint place, bool first, uint piece) {
    work_words block = work_block(q, place);
    uint at = work_begin_block(q, block, place, first, position + q->entries);
    block[at] = WORK_COMPUTE(2u, COMPUTE_SET_PROGRAM_REGION_A);  // and B
    block[at + 1] = 0;
    block[at + 2] = work_task_of(piece)->region;
    at += 3;
    if (work_task_of(piece)->private_memory != 0) {
        block[at] = WORK_COMPUTE(2u, COMPUTE_SET_SHADER_LOCAL_MEMORY_A);  // and B
        block[at + 1] = 0;
        block[at + 2] = work_task_of(piece)->private_memory;
        at += 3;
    }
    block[at] = WORK_COMPUTE(1u, COMPUTE_SEND_PCAS_A);
    block[at + 1] = piece >> 8;
    block[at + 2] = WORK_COMPUTE(1u, COMPUTE_SEND_SIGNALING_PCAS_B);
    block[at + 3] = COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE(COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE_TRUE);
    work_entry(q, place, at + 4);
}

// Adds `count` pieces, which are linked, as one: `count` entries with a launch each and one that acquires the semaphore of
// its own place. False: no room, nothing has changed.
static bool work_add(work_queue_t q, uint piece, uint count, bool wait) {
    uint first;
    if (!work_take(q, count + 1, wait, &first)) return false;
    uint place = work_place(q, first);
    for (uint k = 0; k < count; k++) {
        const uint next = work_task_of(piece)->link;
        work_launch_entry(q, first + k, place, k == 0, piece);
        piece = next;
        place = place + 1 == q->entries ? 0 : place + 1;
    }
    work_acquire_entry(q, place, first + count);
    work_hand_over(q, first);
    return true;
}

// ---- pieces that found no room ----

// Puts the list first .. last in front of the list whose head is at `head`.
static void work_push(work_words head, uint first, uint last) {
    uint old;
    do {
        old = *head;
        work_task_of(last)->link = old;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    } while (atomic_cmpxchg(head, old, first) != old);
}

// Adds parked pieces while there is room. What is left when somebody goes away is added at the end of a piece that is in
// the ring now: there is one, because the ring is full, and the room that it leaves is told before it starts. When the
// CPU tells it that may be long after the last of them has ended: so whoever ends waits until all parked ones are in.
static void work_unpark(work_queue_t q) {
    const bool wait = (q->flags & WORK_PUT_SOFTWARE) != 0;
    while (q->parked != 0 && (wait ? q->stopped == 0 : work_free_to(q, q->soft_put + 2))) {
        uint piece = atomic_xchg((work_words)&q->parked, 0u);
        bool room = true;
        while (piece != 0 && room) {
            const uint next = work_task_of(piece)->link;
            room = work_add(q, piece, 1, wait);
            if (room) piece = next;
        }
        // Back with the rest: as it is when nobody has parked anything meanwhile.
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (piece != 0 && atomic_cmpxchg((work_words)&q->parked, 0u, piece) != 0) {
            uint last = piece;
            while (work_task_of(last)->link != 0) last = work_task_of(last)->link;
            work_push((work_words)&q->parked, piece, last);
        }
    }
}

// A piece that is ready to run goes into the queue. It must be counted in `outstanding`.
static int work_submit(work_queue_t q, uint piece, uint mode) {
    work_task_of(piece)->link = 0;
    if (work_add(q, piece, 1, mode == WORK_WAIT)) return WORK_OK;
    if (mode != WORK_PARK) return WORK_FULL;
    work_push((work_words)&q->parked, piece, piece);
    return WORK_OK;
}

// ---- memory of pieces ----

// 0: all are in use.
static uint work_alloc(work_queue_t q) {
    if ((int)atomic_sub((work_words)&q->free_count, 1u) <= 0) {
        atomic_add((work_words)&q->free_count, 1u);
        return 0;
    }
    work_words slot = (work_words)q->free_slots + (atomic_add((work_words)&q->free_head, 1u) & (q->pieces - 1));
    uint piece;
    do {
        __tandem_yield();
        piece = atomic_xchg(slot, 0u);  // whoever has just counted it may not have written it yet
    } while (piece == 0);
    return piece;
}

static void work_free(work_queue_t q, uint piece) {
    work_words slot = (work_words)q->free_slots + (atomic_add((work_words)&q->free_tail, 1u) & (q->pieces - 1));
    while (atomic_cmpxchg(slot, 0u, piece) != 0) __tandem_yield();
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_add((work_words)&q->free_count, 1u);
}

// ---- the end ----

// No more work is to come: {WFI; release Y; acquire X} of the next launch. Nobody else adds now, so here positions can be
// taken back before they come near 2^32.
static void work_tail(work_queue_t q) {
    const uint launch = q->launch;
    uint first;
    if (!work_take(q, 2, true, &first)) return;
    const uint place = work_place(q, first), next = place + 1 == q->entries ? 0 : place + 1;
    uint new_first = first;
    if (first >= q->rebase && (q->flags & WORK_PUT_SOFTWARE) == 0) {  // else the driver begins anew
        new_first = q->entries + place;
        q->soft_put = new_first + 2;
        for (uint k = 0; k < q->entries; k++) ((work_words)q->semaphores)[k] = 0;
    }
    work_words block = work_block(q, place);
    block[0] = WORK_HOST(1u, HOST_WFI);
    block[1] = 0;
    uint at = 2 + work_begin_block(q, block + 2, place, true, new_first + q->entries);
    // The acquire just passed had an old position; its semaphore must not wait for the day when that number comes again.
    if (new_first != first)
        at = work_semaphore(block, at, q->semaphores + 4 * work_place(q, first - 1), 0, WORK_RELEASE);
    at = work_semaphore(block, at, (uint)&q->y, launch, WORK_RELEASE);
    at = work_semaphore(block, at, (uint)&q->x, launch + 1, WORK_ACQUIRE);
    work_entry(q, place, at);
    work_acquire_entry(q, next, new_first + 1);
    q->outstanding = 1;
    q->launch = launch + 1;
    work_hand_over(q, first);
}

// ---- what a piece waits for ----

typedef volatile __global struct work_event *work_event_t;

void tandem_event_release(uint event) {
    if (atomic_sub((work_words)&((work_event_t)event)->references, 1u) == 1) work_free(work_queue(), event);
}

// A piece that is not to be launched, a marker or one that waited for an error, is through: its event has come. Returns
// the list of pieces that waited for it. This launch is still outstanding, so nobody need look at the count.
static uint work_skip(work_queue_t q, uint piece) {
    work_task_t task = work_task_of(piece);
    const uint event = task->event;
    uint list = 0;
    if (event != 0) {
        ((work_event_t)event)->status = task->error;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        list = atomic_xchg((work_words)&((work_event_t)event)->waiting, WORK_COMPLETE);
        tandem_event_release(event);
    }
    work_free(q, piece);
    atomic_sub((work_words)&q->outstanding, 1u);
    return list;
}

// Waits for the next event of the piece that has not come; without one, puts the piece into the queue. Returns a list of
// pieces that can go on with that.
static uint work_go_on(work_queue_t q, uint piece) {
    work_task_t task = work_task_of(piece);
    bool waits = false;
    while (!waits && task->waits != 0) {
        const uint event = task->events[task->waits - 1];
        work_words head = (work_words)&((work_event_t)event)->waiting;
        uint old = *head;
        while (!waits && old != WORK_COMPLETE) {
            task->link = old;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            const uint found = atomic_cmpxchg(head, old, piece);
            waits = found == old;
            old = found;
        }
        // Once it stands in the list the piece is somebody else's.
        if (!waits) {
            if ((int)((work_event_t)event)->status < 0) task->error = ((work_event_t)event)->status;
            task->waits--;
            tandem_event_release(event);
        }
    }
    if (waits) return 0;
    if (task->region == 0 || task->error != 0) return work_skip(q, piece);
    work_submit(q, piece, WORK_PARK);
    return 0;
}

static void work_go_on_all(work_queue_t q, uint piece) {
    while (piece != 0) {
        const uint next = work_task_of(piece)->link, more = work_go_on(q, piece);
        if (more != 0) {
            uint last = more;
            while (work_task_of(last)->link != 0) last = work_task_of(last)->link;
            work_task_of(last)->link = next;
        }
        piece = more != 0 ? more : next;
    }
}

void tandem_event_complete(uint event) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    work_go_on_all(work_queue(), atomic_xchg((work_words)&((work_event_t)event)->waiting, WORK_COMPLETE));
}

// A new event, 0: no memory.
uint tandem_event_make(uint references, uint user) {
    const uint event = work_alloc(work_queue());
    if (event == 0) return 0;
    work_event_t made = (work_event_t)event;
    made->references = references;
    made->waiting = 0;
    made->status = 2;  // CL_SUBMITTED
    made->user = user;
    return event;
}

// A piece that waits for the end of this launch, or only for its events. It is counted as outstanding from now on.
void tandem_work_defer(uint piece, bool for_this_launch) {
    work_queue_t q = work_queue();
    atomic_add((work_words)&q->outstanding, 1u);
    if (for_this_launch) {
        work_push((work_words)&((work_task_t)__tandem_work_task())->children, piece, piece);
    } else {
        work_go_on_all(q, piece);
    }
}

static void work_finished(work_queue_t q) {
    if (atomic_sub((work_words)&q->outstanding, 1u) == 1) work_tail(q);
}

// The threads of the warp, to be asked for at the kernel's beginning, where all are together.
uint2 tandem_work_warp(void) { return (uint2)(__tandem_exec_lo(), __tandem_exec_hi()); }

// All threads of the warp come together here, also those that a wait has parted from the others.
void tandem_work_meet(uint2 warp) {
    while (__tandem_exec_lo() != warp.x || __tandem_exec_hi() != warp.y) __tandem_yield();
}

// Every work-item's last act in a kernel that makes work, or is made by a thread. The last warp that comes here ends the piece.
void tandem_work_end(uint2 warp) {
    work_queue_t q = work_queue();
    work_task_t task = (work_task_t)__tandem_work_task();
    tandem_work_meet(warp);
    if (__tandem_lane() != 0) return;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_sub((work_words)&task->warps, 1u) != 1) return;
    const uint piece = task->piece, event = task->event;
    work_go_on_all(q, task->children);
    if (event != 0) {
        ((work_event_t)event)->status = 0;  // CL_COMPLETE
        tandem_event_complete(event);
        tandem_event_release(event);
    }
    work_unpark(q);
    if (piece != 0) work_free(q, piece);
    work_finished(q);
}

// ---- making a piece ----

// Which kernel of the program: its place in alphabetical order.
static volatile __global struct work_kernel *work_kernel(uint number) {
    return (volatile __global struct work_kernel *)__tandem_work_kernels() + number;
}

// The driver's template has nothing else in that word: kernel_fill_tmd() of cmodel/driver/kernel_task.c.
void tandem_work_level(uint piece, uint level) {
    const uint wanted = level < 63u ? level : 63u;
    ((work_words)piece)[TMD_QMD_GROUP_ID_WORD] = wanted << TMD_QMD_GROUP_ID_LOW;
    work_task_of(piece)->level = wanted;
}

// Each size for itself first: a product may wrap.
bool tandem_work_fits(uint3 local_size, uint most) {
    return local_size.x <= most && local_size.y <= most && local_size.z <= most && local_size.x * local_size.y <= most &&
           local_size.x * local_size.y * local_size.z <= most;
}

uint tandem_work_make(uint number, uint dimensions, uint3 offset, uint3 global_size, uint3 local_size, uint shared,
                      __private int *why) {
    work_queue_t q = work_queue();
    volatile __global struct work_kernel *with = work_kernel(number);
    const uint3 grid = global_size / local_size;
    *why = WORK_BAD;
    if (!tandem_work_fits(local_size, with->threads_max) || shared > with->shared_max || grid.y > 0xFFFFu ||
        grid.z > 0xFFFFu || WORK_CONSTANTS + with->constant_bytes > q->piece_bytes)
        return 0;
    const uint piece = work_alloc(q);
    *why = piece == 0 ? WORK_NO_MEMORY : WORK_OK;
    if (piece == 0) return 0;
    // Four words at a time: this is most of what a launch by a thread costs. Nobody else looks at the piece before
    // work_hand_over() or a list's atomic, with fences before them.
    work_quads tmd = (work_quads)piece, constants = (work_quads)(piece + WORK_CONSTANTS);
    work_quads task = (work_quads)work_task_of(piece), from = (work_quads)with->tmd;
    for (uint k = 0; k < 16; k += 2) {  // more of them at once would take more registers than the smallest device has
        const uint4 a = from[k], b = from[k + 1];
        tmd[k] = a;
        tmd[k + 1] = b;
    }
    work_words word = (work_words)piece;
    const uint threads = local_size.x * local_size.y * local_size.z;
    word[TMD_CTA_RASTER_WIDTH_WORD] = grid.x;
    word[TMD_CTA_RASTER_HEIGHT_WORD] = grid.y << TMD_CTA_RASTER_HEIGHT_LOW | grid.z << TMD_CTA_RASTER_DEPTH_LOW;
    word[TMD_SHARED_MEMORY_SIZE_WORD] = shared;
    // QMD_VERSION stands beside the first dimension.
    word[TMD_CTA_THREAD_DIMENSION0_WORD] =
        with->tmd[TMD_CTA_THREAD_DIMENSION0_WORD] | local_size.x << TMD_CTA_THREAD_DIMENSION0_LOW;
    word[TMD_CTA_THREAD_DIMENSION1_WORD] =
        local_size.y << TMD_CTA_THREAD_DIMENSION1_LOW | local_size.z << TMD_CTA_THREAD_DIMENSION2_LOW;
    word[TMD_CONSTANT_BUFFER_ADDR_LOWER_WORD] = piece + WORK_CONSTANTS;
    const uint warps = grid.x * grid.y * grid.z * ((threads + with->warp_threads - 1) / with->warp_threads);
    task[0] = (uint4)(piece, with->region, warps, 0);  // piece, region, warps, link
    task[1] = (uint4)(0);                              // parent, waits, children, event
    work_task_of(piece)->error = 0;
    work_task_of(piece)->private_memory = with->private_memory;
    tandem_work_level(piece, ((work_task_t)__tandem_work_task())->level);
    // Constant buffer 0, see code_object.h.
    constants[0] = (uint4)(dimensions, offset);
    constants[1] = (uint4)(global_size, 0);
    constants[2] = (uint4)(local_size, __tandem_printf_buffer());
    constants[3] = (uint4)((uint)q, piece + WORK_TASK, __tandem_work_kernels(), __tandem_data());
    return piece;
}

uint tandem_work_marker(void) {
    const uint piece = work_alloc(work_queue());
    if (piece == 0) return 0;
    work_task_t task = work_task_of(piece);
    task->piece = piece;
    task->region = task->link = task->waits = task->children = task->event = task->error = 0;
    return piece;
}

void tandem_work_argument(uint piece, uint at, uint value) { *(work_words)(piece + WORK_CONSTANTS + at) = value; }

void tandem_work_drop(uint piece) { work_free(work_queue(), piece); }

int tandem_work_enqueue(uint piece, uint mode) {
    work_queue_t q = work_queue();
    atomic_add((work_words)&q->outstanding, 1u);  // this thread's own launch is counted too, so it is not zero before
    const int result = work_submit(q, piece, mode);
    if (result != WORK_OK) {
        work_free(q, piece);
        atomic_sub((work_words)&q->outstanding, 1u);
    }
    return result;
}
