// enqueue_kernel and what belongs to it, on the functions of work_queue.cl. The compiler (enqueue.c) makes numbers of kernels and
// of opaque types, and calls of these functions of clang's.
#include "tandem.h"
#include "work_queue.h"

#define GENERIC __attribute__((address_space(4)))

enum { FLAG_NO_WAIT = 0, FLAG_WAIT_KERNEL = 1, FLAG_WAIT_WORK_GROUP = 2 };
enum {
    SUCCESS = 0,
    OUT_OF_RESOURCES = -5,
    INVALID_ARG_SIZE = -51,
    INVALID_EVENT_WAIT_LIST = -57,
    EVENT_ALLOCATION_FAILURE = -100,
    ENQUEUE_FAILURE = -101,
    INVALID_QUEUE = -102,
    INVALID_NDRANGE = -160,
    DEVICE_QUEUE_FULL = -161
};

struct range {
    uint dimensions, offset[3], global_size[3], local_size[3];
};

typedef volatile __global uint *words_t;

uint __tandem_work_queue(void);
uint __tandem_work_kernels(void);
void tandem_event_release(uint event);
void tandem_event_complete(uint event);
uint tandem_event_make(uint references, uint user);
void tandem_work_defer(uint piece, bool for_this_launch);

static volatile __global struct work_kernel *kernel_at(uint number) {
    return (volatile __global struct work_kernel *)__tandem_work_kernels() + number;
}

// ---- ranges ----

static struct range range_of(uint dimensions, uint3 offset, uint3 global_size, uint3 local_size) {
    struct range r = {dimensions, {offset.x, offset.y, offset.z}, {global_size.x, global_size.y, global_size.z},
                      {local_size.x, local_size.y, local_size.z}};
    return r;
}

#define SIZES const __private uint *
#define TWO(p) (uint3)((p)[0], (p)[1], 0)
#define THREE(p) (uint3)((p)[0], (p)[1], (p)[2])
#define NONE3 (uint3)(0)

struct range range_1(uint g) __asm__("_Z10ndrange_1Dj");
struct range range_1(uint g) { return range_of(1, NONE3, (uint3)(g, 0, 0), NONE3); }
struct range range_1l(uint g, uint l) __asm__("_Z10ndrange_1Djj");
struct range range_1l(uint g, uint l) { return range_of(1, NONE3, (uint3)(g, 0, 0), (uint3)(l, 0, 0)); }
struct range range_1o(uint o, uint g, uint l) __asm__("_Z10ndrange_1Djjj");
struct range range_1o(uint o, uint g, uint l) {
    return range_of(1, (uint3)(o, 0, 0), (uint3)(g, 0, 0), (uint3)(l, 0, 0));
}
struct range range_2(SIZES g) __asm__("_Z10ndrange_2DPKj");
struct range range_2(SIZES g) { return range_of(2, NONE3, TWO(g), NONE3); }
struct range range_2l(SIZES g, SIZES l) __asm__("_Z10ndrange_2DPKjS0_");
struct range range_2l(SIZES g, SIZES l) { return range_of(2, NONE3, TWO(g), TWO(l)); }
struct range range_2o(SIZES o, SIZES g, SIZES l) __asm__("_Z10ndrange_2DPKjS0_S0_");
struct range range_2o(SIZES o, SIZES g, SIZES l) { return range_of(2, TWO(o), TWO(g), TWO(l)); }
struct range range_3(SIZES g) __asm__("_Z10ndrange_3DPKj");
struct range range_3(SIZES g) { return range_of(3, NONE3, THREE(g), NONE3); }
struct range range_3l(SIZES g, SIZES l) __asm__("_Z10ndrange_3DPKjS0_");
struct range range_3l(SIZES g, SIZES l) { return range_of(3, NONE3, THREE(g), THREE(l)); }
struct range range_3o(SIZES o, SIZES g, SIZES l) __asm__("_Z10ndrange_3DPKjS0_S0_");
struct range range_3o(SIZES o, SIZES g, SIZES l) { return range_of(3, THREE(o), THREE(g), THREE(l)); }

// ---- events ----

uint user_event(void) __asm__("_Z17create_user_eventv");
uint user_event(void) { return tandem_event_make(1, 1); }
void retain(uint event) __asm__("_Z12retain_event12ocl_clkevent");
void retain(uint event) {
    if (event != 0) atomic_add(&((volatile __global struct work_event *)event)->references, 1u);
}
void release(uint event) __asm__("_Z13release_event12ocl_clkevent");
void release(uint event) {
    if (event != 0) tandem_event_release(event);
}
bool is_valid(uint event) __asm__("_Z14is_valid_event12ocl_clkevent");
bool is_valid(uint event) { return event != 0; }
void set_status(uint event, int status) __asm__("_Z21set_user_event_status12ocl_clkeventi");
void set_status(uint event, int status) {
    volatile __global struct work_event *user = (volatile __global struct work_event *)event;
    // CL_COMPLETE or an error; either is an end.
    if (event == 0 || user->user == 0 || status > 0) return;
    user->status = (uint)status;
    tandem_event_complete(event);
}
uint default_queue(void) __asm__("_Z17get_default_queuev");
uint default_queue(void) { return __tandem_work_queue(); }

// ---- enqueue_kernel ----

static uint3 sizes_of(const __private uint *from, uint dimensions, uint otherwise) {
    return (uint3)(from[0], dimensions > 1 ? from[1] : otherwise, dimensions > 2 ? from[2] : otherwise);
}

// A work-group's sizes where the program leaves the choice to us: in the first dimension all, or a power of two.
static uint3 chosen_local(uint3 global_size, uint most) {
    uint x = global_size.x;
    if (x > most) {
        x = x & (0 - x);
        while (x > most) x >>= 1;
    }
    return (uint3)(x, 1, 1);
}

static bool divides(uint3 a, uint3 b) { return b.x % a.x == 0 && b.y % a.y == 0 && b.z % a.z == 0; }

// Whether the PPU can launch so many work-groups; warps are counted in a word.
static bool grid_fits(uint3 grid) {
    const uint most = 1u << 26;  // a work-group has at most 64 warps
    return grid.y <= 0xFFFFu && grid.z <= 0xFFFFu && grid.x < most && mul_hi(grid.x, grid.y) == 0 &&
           grid.x * grid.y < most && mul_hi(grid.x * grid.y, grid.z) == 0 && grid.x * grid.y * grid.z < most;
}

static bool wraps(uint offset, uint size) { return offset + (size - 1) < offset; }

// What a piece waits for.
static void wait_for(volatile __global struct work_task *task, uint count, const GENERIC uint *events) {
    task->waits = count;
    for (uint k = 0; k < count; k++) {
        task->events[k] = events[k];
        retain(events[k]);
    }
}

static int enqueue(uint queue, uint flags, const __private struct range *range, uint wait_count, const GENERIC uint *wait,
                   GENERIC uint *result, uint number, const GENERIC uint *block, uint local_count,
                   const __private uint *local_bytes) {
    volatile __global struct work_kernel *with = kernel_at(number);
    const uint dimensions = range->dimensions;
    if (result != 0) *result = 0;
    if (queue != __tandem_work_queue()) return INVALID_QUEUE;
    if (dimensions < 1 || dimensions > 3) return INVALID_NDRANGE;
    const uint3 global_size = sizes_of(range->global_size, dimensions, 1), offset = sizes_of(range->offset, dimensions, 0);
    uint3 local_size = sizes_of(range->local_size, dimensions, 1);
    if (global_size.x == 0 || global_size.y == 0 || global_size.z == 0) return INVALID_NDRANGE;
    if (range->local_size[0] == 0) local_size = chosen_local(global_size, with->threads_max);
    if (local_size.y == 0 || local_size.z == 0 || !divides(local_size, global_size)) return INVALID_NDRANGE;
    if (!tandem_work_fits(local_size, with->threads_max) || !grid_fits(global_size / local_size)) return INVALID_NDRANGE;
    if (wraps(offset.x, global_size.x) || wraps(offset.y, global_size.y) || wraps(offset.z, global_size.z))
        return INVALID_NDRANGE;
    if (wait_count > WORK_WAITS_MAX || (wait_count != 0) != (wait != 0)) return INVALID_EVENT_WAIT_LIST;
    // Local memory: the kernel's own, behind it what its arguments point to, each at a multiple of 16.
    uint shared = with->shared_bytes;
    for (uint k = 0; k < local_count; k++) {
        if (local_bytes[k] == 0 || local_bytes[k] > with->shared_max) return INVALID_ARG_SIZE;
        shared = ((shared + 15) & ~15u) + local_bytes[k];
    }
    // Behind the arguments; constant_bytes counts it too, as far as it is known when the program is compiled.
    const uint literal = WORK_CONSTANTS + ((0x44 + 4 * local_count + 15) & ~15u), size = block[0];
    if (literal + size > ((volatile __global struct work_queue *)queue)->piece_bytes) return OUT_OF_RESOURCES;

    int why;
    const uint piece = tandem_work_make(number, dimensions, offset, global_size, local_size, shared, &why);
    if (piece == 0) return why == WORK_BAD ? OUT_OF_RESOURCES : DEVICE_QUEUE_FULL;
    uint event = 0;
    if (result != 0) {
        event = tandem_event_make(2, 0);
        if (event == 0) {
            tandem_work_drop(piece);
            return EVENT_ALLOCATION_FAILURE;
        }
        *result = event;
    }
    if (flags >> TANDEM_ENQUEUE_LEVEL_LOW != 0) tandem_work_level(piece, (flags >> TANDEM_ENQUEUE_LEVEL_LOW) - 1);
    volatile __global struct work_task *task = (volatile __global struct work_task *)(piece + WORK_TASK);
    task->event = event;
    wait_for(task, wait_count, wait);
    words_t copy = (words_t)(piece + literal);
    for (uint k = 0; k < size / 4; k++) copy[k] = block[k];
    for (uint k = size & ~3u; k < size; k++)
        ((volatile __global uchar *)copy)[k] = ((const GENERIC uchar *)block)[k];
    tandem_work_argument(piece, 0x40, piece + literal);
    shared = with->shared_bytes;
    for (uint k = 0; k < local_count; k++) {
        shared = (shared + 15) & ~15u;
        tandem_work_argument(piece, 0x44 + 4 * k, shared);
        shared += local_bytes[k];
    }
    // The end of the work-group is told with the end of the launch: later than asked for, which is allowed.
    tandem_work_defer(piece, (flags & 3u) != FLAG_NO_WAIT);
    return SUCCESS;
}

int enqueue_basic(uint queue, uint flags, struct range range, const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_enqueue_kernel_basic");
int enqueue_basic(uint queue, uint flags, struct range range, const GENERIC uint *kernel_number, const GENERIC uint *block) {
    return enqueue(queue, flags, &range, 0, 0, 0, (uint)kernel_number, block, 0, 0);
}

int enqueue_events(uint queue, uint flags, const __private struct range *range, uint wait_count, const GENERIC uint *wait,
                   GENERIC uint *result, const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_enqueue_kernel_basic_events");
int enqueue_events(uint queue, uint flags, const __private struct range *range, uint wait_count, const GENERIC uint *wait,
                   GENERIC uint *result, const GENERIC uint *kernel_number, const GENERIC uint *block) {
    return enqueue(queue, flags, range, wait_count, wait, result, (uint)kernel_number, block, 0, 0);
}

int enqueue_varargs(uint queue, uint flags, const __private struct range *range, const GENERIC uint *kernel_number,
                    const GENERIC uint *block, uint count, const __private uint *sizes)
    __asm__("tandem_enqueue_kernel_varargs");
int enqueue_varargs(uint queue, uint flags, const __private struct range *range, const GENERIC uint *kernel_number,
                    const GENERIC uint *block, uint count, const __private uint *sizes) {
    return enqueue(queue, flags, range, 0, 0, 0, (uint)kernel_number, block, count, sizes);
}

int enqueue_events_varargs(uint queue, uint flags, const __private struct range *range, uint wait_count,
                           const GENERIC uint *wait, GENERIC uint *result, const GENERIC uint *kernel_number,
                           const GENERIC uint *block, uint count, const __private uint *sizes)
    __asm__("tandem_enqueue_kernel_events_varargs");
int enqueue_events_varargs(uint queue, uint flags, const __private struct range *range, uint wait_count,
                           const GENERIC uint *wait, GENERIC uint *result, const GENERIC uint *kernel_number,
                           const GENERIC uint *block, uint count, const __private uint *sizes) {
    return enqueue(queue, flags, range, wait_count, wait, result, (uint)kernel_number, block, count, sizes);
}

uint group_size(const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_get_kernel_work_group_size_impl");
uint group_size(const GENERIC uint *kernel_number, const GENERIC uint *block) {
    (void)block;
    return kernel_at((uint)kernel_number)->threads_max;
}

uint group_multiple(const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_get_kernel_preferred_work_group_size_multiple_impl");
uint group_multiple(const GENERIC uint *kernel_number, const GENERIC uint *block) {
    (void)block;
    return kernel_at((uint)kernel_number)->warp_threads;
}

// Its event comes when all of these have come, with the error of one of them if there is one. Without an event it does
// nothing.
int enqueue_marker_on(uint queue, uint wait_count, const GENERIC uint *wait, GENERIC uint *result)
    __asm__("_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_");
int enqueue_marker_on(uint queue, uint wait_count, const GENERIC uint *wait, GENERIC uint *result) {
    if (result != 0) *result = 0;
    if (queue != __tandem_work_queue()) return INVALID_QUEUE;
    if (wait_count > WORK_WAITS_MAX || (wait_count != 0) != (wait != 0)) return INVALID_EVENT_WAIT_LIST;
    if (result == 0) return SUCCESS;
    const uint piece = tandem_work_marker();
    if (piece == 0) return DEVICE_QUEUE_FULL;
    const uint event = tandem_event_make(2, 0);
    if (event == 0) {
        tandem_work_drop(piece);
        return EVENT_ALLOCATION_FAILURE;
    }
    *result = event;
    volatile __global struct work_task *task = (volatile __global struct work_task *)(piece + WORK_TASK);
    task->event = event;
    wait_for(task, wait_count, wait);
    tandem_work_defer(piece, false);
    return SUCCESS;
}
