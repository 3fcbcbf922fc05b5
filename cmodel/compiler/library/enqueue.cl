// enqueue_kernel and what belongs to it, on the functions of work_queue.cl. The compiler (enqueue.c) makes numbers of kernels and
// of opaque types, and calls of these functions of clang's.
#include "local_place.h"
#include "range_part.h"
#include "tandem.h"
#include "work_parts.h"

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
uint user_event(void) { return tandem_event_make(2, WORK_EVENT_OF_USER, 1, 0, work_task()->level); }
void retain(uint event) __asm__("_Z12retain_event12ocl_clkevent");
void retain(uint event) { tandem_event_retain(event); }
void release(uint event) __asm__("_Z13release_event12ocl_clkevent");
void release(uint event) { tandem_event_release(event); }
bool is_valid(uint event) __asm__("_Z14is_valid_event12ocl_clkevent");
bool is_valid(uint event) { return tandem_event_is(event); }
// CL_COMPLETE or an error; either is an end.
void set_status(uint event, int status) __asm__("_Z21set_user_event_status12ocl_clkeventi");
void set_status(uint event, int status) { tandem_event_end(event, status); }
// There is one kind of information: CLK_PROFILING_COMMAND_EXEC_TIME.
void capture(uint event, int name, __global void *to) __asm__("_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v");
void capture(uint event, int name, __global void *to) {
    if (name == 1) tandem_event_capture(event, (uint)to);
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

// Whether the PPU can launch so many work-groups; warps are counted in a word.
static bool grid_fits(uint3 grid) {
    const uint most = 1u << 26;  // a work-group has at most 64 warps
    return grid.y <= 0xFFFFu && grid.z <= 0xFFFFu && grid.x < most && mul_hi(grid.x, grid.y) == 0 &&
           grid.x * grid.y < most && mul_hi(grid.x * grid.y, grid.z) == 0 && grid.x * grid.y * grid.z < most;
}

static bool wraps(uint offset, uint size) { return offset + (size - 1) < offset; }

static bool waits_are_good(uint count, const GENERIC uint *events) {
    if (count > WORK_WAITS_MAX || (count != 0) != (events != 0)) return false;
    for (uint k = 0; k < count; k++)
        if (!tandem_event_is(events[k])) return false;
    return true;
}

// Results of make() besides those of enqueue_kernel.
enum { IN_PARTS = 1 };

// The piece of a launch, ready but for its waits; 0: *status tells why not. IN_PARTS: work-groups would differ in size.
static uint make(const __private struct launch *l, __private int *status) {
    work_kernel_t with = work_kernel(l->number);
    const __private struct range *range = l->range;
    const uint dimensions = range->dimensions;
    *status = INVALID_QUEUE;
    if (l->queue != __tandem_work_queue()) return 0;
    *status = INVALID_NDRANGE;
    if (dimensions < 1 || dimensions > 3) return 0;
    const uint3 global_size = sizes_of(range->global_size, dimensions, 1), offset = sizes_of(range->offset, dimensions, 0);
    uint3 local_size = sizes_of(range->local_size, dimensions, 1);
    if (global_size.x == 0 || global_size.y == 0 || global_size.z == 0) return 0;
    if (range->local_size[0] == 0) local_size = chosen_local(global_size, with->threads_max);
    if (local_size.y == 0 || local_size.z == 0 || !tandem_work_fits(local_size, with->threads_max)) return 0;
    const uint3 grid = global_size / local_size;
    if (any(grid * local_size != global_size)) {
        if (with->non_uniform != 0) *status = IN_PARTS;
        return 0;
    }
    if (!grid_fits(grid)) return 0;
    if (wraps(offset.x, global_size.x) || wraps(offset.y, global_size.y) || wraps(offset.z, global_size.z)) return 0;
    *status = INVALID_EVENT_WAIT_LIST;
    if (!waits_are_good(l->wait_count, l->wait)) return 0;
    // Local memory: the kernel's own, behind it what its arguments point to.
    uint shared = with->shared_bytes;
    *status = INVALID_ARG_SIZE;
    for (uint k = 0; k < l->local_count; k++) {
        if (l->local_bytes[k] == 0 || l->local_bytes[k] > with->shared_max) return 0;
        shared = local_place(shared, l->local_bytes[k]) + l->local_bytes[k];
    }
    // Behind the arguments; constant_bytes counts it too, as far as it is known when the program is compiled.
    const uint literal = WORK_CONSTANTS + ((0x44 + 4 * l->local_count + 15) & ~15u), size = l->block[0];
    *status = OUT_OF_RESOURCES;
    if (literal + size > work_queue()->piece_bytes) return 0;
    int why;
    const uint piece = tandem_work_make(l->number, dimensions, offset, global_size, local_size, shared, &why);
    *status = piece != 0 ? SUCCESS : why == WORK_BAD ? OUT_OF_RESOURCES : DEVICE_QUEUE_FULL;
    if (piece == 0) return 0;
    if (l->flags >> TANDEM_ENQUEUE_LEVEL_LOW != 0) tandem_work_level(piece, (l->flags >> TANDEM_ENQUEUE_LEVEL_LOW) - 1);
    __builtin_memcpy((__global uint *)(piece + literal), l->block, size);
    tandem_work_argument(piece, 0x40, piece + literal);
    shared = with->shared_bytes;
    for (uint k = 0; k < l->local_count; k++) {
        shared = local_place(shared, l->local_bytes[k]);
        tandem_work_argument(piece, 0x44 + 4 * k, shared);
        shared += l->local_bytes[k];
    }
    return piece;
}

// ---- ranges whose work-groups differ in size ----
// What is called here is seldom come to, and would take registers from those who only might.

CALLED uint tandem_enqueue_make(const __private struct launch *l, __private int *status) { return make(l, status); }

// The part of that number as a range of its own; false: there is none.
CALLED bool tandem_enqueue_part_of(const __private struct range *whole, uint number, __private struct range *part) {
    bool is = number >> whole->dimensions == 0;
    *part = *whole;
    for (uint d = 0; d < whole->dimensions; d++) {
        const struct range_part one = range_part(whole->global_size[d], whole->local_size[d], number >> d & 1);
        part->offset[d] += one.first;
        part->global_size[d] = one.groups * one.local_size;
        part->local_size[d] = one.local_size;
        is = is && one.groups != 0;
    }
    return is;
}

CALLED void tandem_enqueue_tell_part(const __private struct range *whole, uint number, uint piece) {
    for (uint d = 0; d < whole->dimensions; d++)
        tandem_work_part(piece, d, whole->local_size[d],
                         range_part(whole->global_size[d], whole->local_size[d], number >> d & 1));
}

static void drop_all(__private uint *pieces) {
    for (uint k = 0; k < RANGE_PARTS; k++)
        if (pieces[k] != 0) tandem_work_drop(pieces[k]), pieces[k] = 0;
}

static int launch_all(const team_t team, const __private struct launch *l, __private uint *pieces, uint count, uint event) {
    bool good = true;
    for (uint k = 0; k < count; k++)
        good = tandem_work_launch(team, pieces[k], event, (l->flags & 3u) != FLAG_NO_WAIT, l->wait_count, l->wait) && good;
    if (good) return SUCCESS;
    tandem_event_release(event);
    return OUT_OF_RESOURCES;
}

// What stands for `count` pieces, when it is asked for.
static uint make_event(const __private struct launch *l, uint count, uint level, __private int *status) {
    if (l->result == 0) return 0;
    const uint event = tandem_event_make(2, WORK_EVENT_OF_LAUNCHES, count, work_task()->scope, level);
    if (event == 0) *status = EVENT_ALLOCATION_FAILURE;
    return event;
}

// Last of all, since it may go where one of those is that were waited for.
static void tell_event(const __private struct launch *l, uint event, bool good) {
    if (l->result != 0) *l->result = good ? event : 0;
}

// Either all parts are launched, or none. They have one event.
CALLED int tandem_enqueue_parts(const __private struct launch *l) {
    const team_t team = team_here();
    uint pieces[RANGE_PARTS], event = 0, count = 0, level = 0;
    int status = SUCCESS;
    struct range part;
    struct launch launch = *l;
    launch.range = &part;
    for (uint k = 0; k < RANGE_PARTS; k++) {
        pieces[k] = 0;
        if (status != SUCCESS || !tandem_enqueue_part_of(l->range, k, &part)) continue;
        pieces[k] = tandem_enqueue_make(&launch, &status);
        if (pieces[k] == 0) continue;
        tandem_enqueue_tell_part(l->range, k, pieces[k]);
        level = work_task_of(pieces[k])->level;
        count++;
    }
    if (status == SUCCESS) event = make_event(l, count, level, &status);
    if (status != SUCCESS) drop_all(pieces);
    const int launched = launch_all(team, l, pieces, RANGE_PARTS, event);
    tell_event(l, event, status == SUCCESS && launched == SUCCESS);
    return status != SUCCESS ? status : launched;
}

// Threads that come here together launch together, those whose launch is refused among them.
CALLED int tandem_enqueue_any(const __private struct launch *l) {
    const team_t team = team_here();
    int status;
    uint piece = make(l, &status), event = 0;
    if (piece != 0) event = make_event(l, 1, work_task_of(piece)->level, &status);
    if (piece != 0 && status != SUCCESS) tandem_work_drop(piece), piece = 0;
    // The end of the work-group is told with the end of the launch: later than asked for, which is allowed.
    const int launched = launch_all(team, l, &piece, 1, event);
    if (status == IN_PARTS) return tandem_enqueue_parts(l);
    tell_event(l, event, status == SUCCESS && launched == SUCCESS);
    return status != SUCCESS ? status : launched;
}

int enqueue_basic(uint queue, uint flags, struct range range, const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_enqueue_kernel_basic");
int enqueue_basic(uint queue, uint flags, struct range range, const GENERIC uint *kernel_number, const GENERIC uint *block) {
    const struct launch l = {
        .queue = queue, .flags = flags, .number = (uint)kernel_number, .range = &range, .block = block};
    return tandem_enqueue_any(&l);
}

int enqueue_events(uint queue, uint flags, const __private struct range *range, uint wait_count, const GENERIC uint *wait,
                   GENERIC uint *result, const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_enqueue_kernel_basic_events");
int enqueue_events(uint queue, uint flags, const __private struct range *range, uint wait_count, const GENERIC uint *wait,
                   GENERIC uint *result, const GENERIC uint *kernel_number, const GENERIC uint *block) {
    const struct launch l = {.queue = queue, .flags = flags, .wait_count = wait_count, .number = (uint)kernel_number,
                             .range = range, .wait = wait, .block = block, .result = result};
    return tandem_enqueue_any(&l);
}

int enqueue_varargs(uint queue, uint flags, const __private struct range *range, const GENERIC uint *kernel_number,
                    const GENERIC uint *block, uint count, const __private uint *sizes)
    __asm__("tandem_enqueue_kernel_varargs");
int enqueue_varargs(uint queue, uint flags, const __private struct range *range, const GENERIC uint *kernel_number,
                    const GENERIC uint *block, uint count, const __private uint *sizes) {
    const struct launch l = {.queue = queue, .flags = flags, .number = (uint)kernel_number, .local_count = count,
                             .range = range, .block = block, .local_bytes = sizes};
    return tandem_enqueue_any(&l);
}

int enqueue_events_varargs(uint queue, uint flags, const __private struct range *range, uint wait_count,
                           const GENERIC uint *wait, GENERIC uint *result, const GENERIC uint *kernel_number,
                           const GENERIC uint *block, uint count, const __private uint *sizes)
    __asm__("tandem_enqueue_kernel_events_varargs");
int enqueue_events_varargs(uint queue, uint flags, const __private struct range *range, uint wait_count,
                           const GENERIC uint *wait, GENERIC uint *result, const GENERIC uint *kernel_number,
                           const GENERIC uint *block, uint count, const __private uint *sizes) {
    const struct launch l = {.queue = queue, .flags = flags, .wait_count = wait_count, .number = (uint)kernel_number,
                             .local_count = count, .range = range, .wait = wait, .block = block, .result = result,
                             .local_bytes = sizes};
    return tandem_enqueue_any(&l);
}

uint group_size(const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_get_kernel_work_group_size_impl");
uint group_size(const GENERIC uint *kernel_number, const GENERIC uint *block) {
    (void)block;
    return work_kernel((uint)kernel_number)->threads_max;
}

uint group_multiple(const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_get_kernel_preferred_work_group_size_multiple_impl");
uint group_multiple(const GENERIC uint *kernel_number, const GENERIC uint *block) {
    (void)block;
    return work_kernel((uint)kernel_number)->warp_threads;
}

// A range without sizes of a work-group has those that its launch would get.
static uint group_threads(const __private struct range *range, uint number) {
    if (range->local_size[0] != 0)
        return range->local_size[0] * (range->dimensions > 1 ? range->local_size[1] : 1) *
               (range->dimensions > 2 ? range->local_size[2] : 1);
    return chosen_local(sizes_of(range->global_size, range->dimensions, 1), work_kernel(number)->threads_max).x;
}

uint sub_group_size(const __private struct range *range, const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_get_kernel_max_sub_group_size_for_ndrange_impl");
uint sub_group_size(const __private struct range *range, const GENERIC uint *kernel_number, const GENERIC uint *block) {
    (void)block;
    return min(group_threads(range, (uint)kernel_number), work_kernel((uint)kernel_number)->warp_threads);
}

uint sub_groups(const __private struct range *range, const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_get_kernel_sub_group_count_for_ndrange_impl");
uint sub_groups(const __private struct range *range, const GENERIC uint *kernel_number, const GENERIC uint *block) {
    const uint size = work_kernel((uint)kernel_number)->warp_threads;
    (void)block;
    return (group_threads(range, (uint)kernel_number) + size - 1) / size;
}

// Its event comes when all of these have come, with the error of one of them if there is one. Without an event it does
// nothing.
int enqueue_marker_on(uint queue, uint wait_count, const GENERIC uint *wait, GENERIC uint *result)
    __asm__("_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_");
int enqueue_marker_on(uint queue, uint wait_count, const GENERIC uint *wait, GENERIC uint *result) {
    const int status = queue != __tandem_work_queue() ? INVALID_QUEUE
                       : !waits_are_good(wait_count, wait) ? INVALID_EVENT_WAIT_LIST : SUCCESS;
    if (result == 0) return status;
    const uint event =
        status != SUCCESS ? 0 : tandem_event_make(2, WORK_EVENT_MARKER, wait_count + 1, work_task()->scope, work_task()->level);
    if (event == 0) {
        *result = 0;
        return status != SUCCESS ? status : DEVICE_QUEUE_FULL;
    }
    bool good = true;
    uint held = 1, error = 0;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    for (uint k = 0; k < wait_count; k++) {
        const uint told = tandem_event_wait(event, wait[k]);
        if ((told & 3) != WAIT_TOLD) held++;
        if ((told & 3) == WAIT_NO_MEMORY) good = false;
        if ((told & WAIT_ERROR) != 0) error = ((work_event_t)wait[k])->error;
    }
    if (error != 0) ((work_event_t)event)->error = error;
    *result = good ? event : 0;
    if (held != 1) atomic_sub(work_counter(event), held - 1);
    tandem_work_count_off(event);
    if (!good) tandem_event_release(event);
    return good ? SUCCESS : OUT_OF_RESOURCES;
}
