// Linked launches: those that wait for others, that others wait for, or that make work themselves, of the plain kind: one
// dimension, captures that a straight piece has room for. The task unit counts and starts them; their memory comes back as
// that of straight ones. The compiler (enqueue.c) calls this.
#include "local_place.h"
#include "straight.h"

enum { OUT_OF_RESOURCES = -5, INVALID_EVENT_WAIT_LIST = -57, EVENT_ALLOCATION_FAILURE = -100, DEVICE_QUEUE_FULL = -161 };
enum { LOCALS_MOST = 3 };  // arguments between the block's address and what it captures

// A piece for the kernel when the one that was looked at is in use (taken is 0) or filled in for another: of the linked ones,
// else of those of the pool, which is made like them. 0: all are in use.
CALLED uint tandem_linked_find(uint taken, uint with, uint tag, bool works) {
    work_queue_t q = work_queue();
    uint piece = taken & ~WORK_STRAIGHT_TAG, place;
    if (taken == 0) {
        uint next = atomic_add((work_words)&q->linked_next, LOOKS);
        for (uint more = LOOKS; taken == 0 && more != 0; more--, next++)
            taken = atomic_xchg((work_words)q->linked + (next & (WORK_STRAIGHT - 1)), 0u);
        piece = taken & ~WORK_STRAIGHT_TAG;
    }
    if (taken != 0) {
        if ((taken & WORK_STRAIGHT_TAG) != tag) tandem_straight_fill(piece, with, tag & WORK_STRAIGHT_TAG, works ? piece : 0);
        return piece;
    }
    piece = tandem_work_take(&place);
    if (piece == 0) return 0;
    work_quads words = (work_quads)piece;
    for (uint k = 0; k < (WORK_STRAIGHT_LITERAL - 4) / 16; k++) words[k] = (uint4)(0);
    work_words word = (work_words)piece, constants = word + WORK_STRAIGHT_CONSTANTS / 4;
    word[TMD_CTA_RASTER_HEIGHT_WORD] = 1u << TMD_CTA_RASTER_HEIGHT_LOW | 1u << TMD_CTA_RASTER_DEPTH_LOW;
    word[TMD_CTA_THREAD_DIMENSION1_WORD] = 1u << TMD_CTA_THREAD_DIMENSION1_LOW | 1u << TMD_CTA_THREAD_DIMENSION2_LOW;
    word[TMD_RELEASE_ADDRESS_LOWER_WORD] = place;
    word[TMD_RELEASE_STRUCTURE_SIZE_WORD] = 1u << TMD_RELEASE_STRUCTURE_SIZE_LOW;
    word[TMD_CONSTANT_BUFFER_ADDR_LOWER_WORD] = piece + WORK_STRAIGHT_CONSTANTS;
    constants[0] = 1;
    tandem_straight_fill(piece, with, 0, works ? piece : 0);
    return piece;
}

// Bits beside those of tandem_event_wait(): there is no such event.
enum { WAIT_INVALID = 8 };

// Names the piece in an event, as tandem_event_wait() does, which most often finds nobody else at it.
static uint wait_for(uint piece, uint event, uint4 events) {
    if (!work_among_events(event, events) || event % WORK_EVENT_BYTES != 0) return WAIT_COME | WAIT_INVALID;
    const uint found = atomic_cmpxchg(work_counter(event), 1u, 2u);
    uint told = WAIT_TOLD;
    if (found > 1) return tandem_event_wait(piece, event);
    if (found == 1) {
        if (atomic_cmpxchg(work_dependent(event, 0), 0u, work_named(piece)) != 0) told = tandem_event_name(piece, event);
        if (atomic_sub(work_counter(event), 1u) == 1) tandem_launch(event);
        return ((work_event_t)event)->error != 0 ? told | WAIT_ERROR : told;
    }
    const uint references = *work_reference(event, events), error = ((work_event_t)event)->error;
    return references == 0 ? WAIT_COME | WAIT_INVALID : error != 0 ? WAIT_COME | WAIT_ERROR : WAIT_COME;
}

// What a launch asks the memory for.
struct asked {
    uint piece, event;
    uint2 known, own;  // tag and threads_max of the kernel; level and scope of this launch
    uint4 events;
};

static uint2 own_words(void) { return *(const __global uint2 *)(uint)&((__global struct work_task *)work_task())->level; }

// All that it must ask for, before the first answer is looked at. False: something is not as it is most often; then nothing is
// taken.
static bool ask(const __private struct launch *l, uint local_size, bool works, __private struct asked *to) {
    const uint clock = __tandem_clock(), with = (uint)work_kernel(l->number);
    // Kernels have places of their own, as far as there are some, so that pieces are filled in for them more often.
    const uint taken = atomic_xchg(straight_place((uint)work_queue()->linked, clock, 15u << 4, l->number & 3), 0u);
    bool good = true;
    to->events = work_events();
    to->event = 0;
    if (l->result != 0) {
        const uint mine = __tandem_lane() + clock;
        to->event = to->events.x + (mine * WORK_EVENT_BYTES & (to->events.y - 1));
        good = atomic_cmpxchg(work_reference(to->event, to->events), 0u, 2u) == 0;
    }
    to->known = straight_known(with);
    to->own = own_words();
    to->piece = taken & ~WORK_STRAIGHT_TAG;
    if ((taken & WORK_STRAIGHT_TAG) != to->known.x) to->piece = tandem_linked_find(taken, with, to->known.x, works);
    if (to->piece != 0 && good && local_size <= to->known.y) return true;
    if (to->piece != 0) tandem_work_drop(to->piece);
    if (l->result != 0 && good) *work_reference(to->event, to->events) = 0;
    return false;
}

// Some waits end otherwise than by counting: returns what enqueue_kernel answers.
CALLED int tandem_linked_refused(uint piece, uint told, uint error) {
    tandem_work_cancel(piece, error);
    return (told & WAIT_INVALID) != 0 ? INVALID_EVENT_WAIT_LIST
           : (told & WAIT_NO_MEMORY) == WAIT_NO_MEMORY ? OUT_OF_RESOURCES : SUCCESS;
}

// Fills in what differs from launch to launch, and launches. at: places of local memory, `shared` bytes in all.
static int launch(const __private struct launch *l, uint grid, uint local_size, bool works, const __private struct asked *a,
                  const __private uint *at, uint shared) {
    const uint asked = l->flags >> TANDEM_ENQUEUE_LEVEL_LOW, piece = a->piece, event = a->event;
    const uint level = asked == 0 ? a->own.x : asked <= 64u ? asked - 1 : 63u;
    uint scope = a->own.y;
    // The outer event has one more to wait for: the piece, or its event.
    if (scope != 0) atomic_add(work_counter(work_name_of(scope)), 1u);
    if (l->result != 0) {
        work_fill_event(event, WORK_EVENT_OF_LAUNCHES, 1, scope, level, 0);
        scope = work_named(event);
    }
    const uint offset = l->range->offset[0];
    const bool behind = (l->flags & 3u) != 0, waits = l->wait_count != 0;
    work_words words = (work_words)piece, constants = (work_words)(piece + WORK_STRAIGHT_CONSTANTS);
    work_task_t task = work_task_of(piece);
    words[TMD_QMD_GROUP_ID_WORD] = level << TMD_QMD_GROUP_ID_LOW | 1u << TMD_SEMAPHORE_RELEASE_ENABLE0_LOW;
    words[TMD_CTA_THREAD_DIMENSION0_WORD] = TMD_QMD_VERSION_CURRENT << TMD_QMD_VERSION_LOW |
                                            TMD_QMD_MAJOR_VERSION_CURRENT << TMD_QMD_MAJOR_VERSION_LOW |
                                            local_size << TMD_CTA_THREAD_DIMENSION0_LOW;
    words[TMD_CTA_RASTER_WIDTH_WORD] = grid;
    // The rest of struct work_task, and what the task unit writes, is 0, and is again at the end of a task.
    if (works) {
        const uint warp_threads = __tandem_team_threads();
        const uint warps = local_size <= 32 ? 1 : (local_size + warp_threads - 1) >> (31 - __builtin_clz(warp_threads));
        task->warps = grid * warps;
        *(__global uint2 *)&((__global struct work_task *)piece)->level = (uint2)(level, scope);
    }
    if (works || waits) task->event = event;
    if (waits) task->counter = l->wait_count + 1;
    task->dependents[0] = scope;
    if (behind) task->link = 0;
    if (l->local_count != 0) {
        words[TMD_SHARED_MEMORY_SIZE_WORD] = shared;
        for (uint k = 0; k < l->local_count; k++) constants[17 + k] = at[k];
    }
    if (offset != 0) {  // the next one finds 0 again
        constants[1] = offset;
        words[TMD_RELEASE_PAYLOAD_WORD] &= ~task->unclean;
    }
    __builtin_memcpy((__global uint *)(piece + WORK_STRAIGHT_LITERAL) + HEADER_WORDS, l->block + HEADER_WORDS,
                     l->block[0] - 4 * HEADER_WORDS);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    int status = SUCCESS;
    uint told = 0, come = 0;
    for (uint k = 0; k < l->wait_count; k++) {
        // An event that was given back may have had the place that this launch's event has now: nobody waits for himself.
        const uint waited = l->wait[k], one = waited == event ? WAIT_COME | WAIT_INVALID : wait_for(piece, waited, a->events);
        told |= one;
        come += one & WAIT_COME;
    }
    if (told > WAIT_COME) {
        uint error = 0;
        for (uint k = 0; k < l->wait_count && (told & WAIT_INVALID) == 0; k++)
            if (((work_event_t)l->wait[k])->error != 0) error = ((work_event_t)l->wait[k])->error;
        status = tandem_linked_refused(piece, told, error);
        if (l->result != 0) *l->result = status == SUCCESS ? event : 0;
        if (status != SUCCESS && l->result != 0) tandem_event_let_go(event);
    } else if (l->result != 0) {
        *l->result = event;  // where one of those may be that were waited for
    }
    if (behind) {
        if (waits && come != 0) atomic_sub(work_counter(piece), come);
        const uint link = waits ? piece : piece | WORK_CHILD_FREE;
        if (atomic_cmpxchg((work_words)&work_task()->children, 0u, link) != 0) tandem_work_behind(piece, link);
    } else if (!waits || atomic_sub(work_counter(piece), come + 1) == come + 1) {
        tandem_launch(piece);
    }
    return status;
}

// Where local memory of arguments lies, `shared` bytes with the kernel's own. False: there is not so much.
static bool place_locals(const __private struct launch *l, __private uint *at, __private uint *shared) {
    const __global struct work_kernel *of = (const __global struct work_kernel *)work_kernel(l->number);
    bool good = true;
    *shared = 0;
    if (l->local_count == 0) return true;
    *shared = of->straight.shared_bytes;
    for (uint k = 0; k < l->local_count; k++) {
        const uint bytes = l->local_bytes[k];
        good = good && bytes != 0 && bytes <= of->straight.shared_max;
        at[k] = local_place(*shared, bytes);
        *shared = at[k] + bytes;
    }
    return good && *shared <= of->straight.shared_max;
}

static uint local_of(const __private struct range *range) {
    return range->local_size[0] == 0 ? range->global_size[0] : range->local_size[0];
}

// Work-groups: one, or of a power of two; 0: it is none of the plain kind.
static uint plain_grid(const __private struct launch *l, uint local_size) {
    const uint global_size = l->range->global_size[0], offset = l->range->offset[0];
    const uint grid = local_size == global_size ? 1 : global_size >> (31 - __builtin_clz(local_size | 1));
    const bool good = ((l->queue ^ __tandem_work_queue()) | (l->range->dimensions ^ 1)) == 0 && global_size != 0 &&
                      grid * local_size == global_size && grid < 1u << 26 && offset + (global_size - 1) >= offset;
    return good ? grid : 0;
}

// The same where something is not as it is most often; and all that is not of the plain kind.
CALLED int tandem_enqueue_seldom(const __private struct launch *l, bool works) {
    const uint local_size = local_of(l->range), grid = plain_grid(l, local_size), with = (uint)work_kernel(l->number);
    struct asked a = {.known = straight_known(with), .own = own_words(), .events = work_events()};
    uint at[LOCALS_MOST], shared;
    if (grid == 0 || local_size > a.known.y || !place_locals(l, at, &shared)) return tandem_enqueue_any(l);
    if (l->result != 0) *l->result = 0;
    a.piece = tandem_linked_find(0, with, a.known.x, works);
    if (a.piece == 0) return DEVICE_QUEUE_FULL;
    if (l->result != 0) {
        a.event = tandem_event_search(2);
        if (a.event == 0) {
            tandem_work_drop(a.piece);
            return EVENT_ALLOCATION_FAILURE;
        }
    }
    return launch(l, grid, local_size, works, &a, at, shared);
}

// What goes another way goes with copies, so that all else can stay in registers.
static int enqueue(const __private struct launch *l, bool works) {
    const uint size = l->block[0], local_size = local_of(l->range), grid = plain_grid(l, local_size);
    // Known while compiling.
    if (size > WORK_STRAIGHT_LITERAL_BYTES || l->local_count > LOCALS_MOST || l->range->dimensions != 1)
        return tandem_enqueue_any(l);
    if (l->wait_count > WORK_WAITS_MAX || (l->wait_count != 0) != (l->wait != 0)) {
        if (l->result != 0) *l->result = 0;
        return INVALID_EVENT_WAIT_LIST;
    }
    struct asked a;
    uint at[LOCALS_MOST], shared;
    if (grid != 0 && place_locals(l, at, &shared) && ask(l, local_size, works, &a))
        return launch(l, grid, local_size, works, &a, at, shared);
    const struct range copy = *l->range;
    uint literal[WORK_STRAIGHT_LITERAL_BYTES / 4], locals[LOCALS_MOST], waits[WORK_WAITS_MAX], result = 0;
    __builtin_memcpy(literal, l->block, size);
    for (uint k = 0; k < l->local_count; k++) locals[k] = l->local_bytes[k];
    for (uint k = 0; k < l->wait_count; k++) waits[k] = l->wait[k];
    const struct launch other = {.queue = l->queue, .flags = l->flags, .wait_count = l->wait_count, .number = l->number,
                                 .local_count = l->local_count, .range = &copy, .wait = l->wait_count != 0 ? waits : 0,
                                 .block = literal, .result = l->result != 0 ? &result : 0, .local_bytes = locals};
    const int done = tandem_enqueue_seldom(&other, works);
    if (l->result != 0) *l->result = result;
    return done;
}

CALLED int tandem_enqueue_linked(uint queue, uint flags, const __private struct range *range,
                                 const GENERIC uint *kernel_number, const GENERIC uint *block) {
    const struct launch l = {
        .queue = queue, .flags = flags, .number = (uint)kernel_number, .range = range, .block = block};
    return enqueue(&l, false);
}

// clang's functions, for kernels that make work and for kernels that make none.
int basic(uint queue, uint flags, struct range range, const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_enqueue_kernel_basic_working");
int basic(uint queue, uint flags, struct range range, const GENERIC uint *kernel_number, const GENERIC uint *block) {
    const struct launch l = {
        .queue = queue, .flags = flags, .number = (uint)kernel_number, .range = &range, .block = block};
    return enqueue(&l, true);
}

#define EVENTS(name, works)                                                                                               \
    int events_##name(uint queue, uint flags, const __private struct range *range, uint wait_count,                       \
                      const GENERIC uint *wait, GENERIC uint *result, const GENERIC uint *kernel_number,                  \
                      const GENERIC uint *block) __asm__("tandem_enqueue_kernel_basic_events_" #name);                    \
    int events_##name(uint queue, uint flags, const __private struct range *range, uint wait_count,                       \
                      const GENERIC uint *wait, GENERIC uint *result, const GENERIC uint *kernel_number,                  \
                      const GENERIC uint *block) {                                                                        \
        const struct launch l = {.queue = queue, .flags = flags, .wait_count = wait_count, .number = (uint)kernel_number, \
                                 .range = range, .wait = wait, .block = block, .result = result};                         \
        return enqueue(&l, works);                                                                                        \
    }                                                                                                                     \
    int locals_##name(uint queue, uint flags, const __private struct range *range, const GENERIC uint *kernel_number,     \
                      const GENERIC uint *block, uint count, const __private uint *sizes)                                 \
        __asm__("tandem_enqueue_kernel_varargs_" #name);                                                                  \
    int locals_##name(uint queue, uint flags, const __private struct range *range, const GENERIC uint *kernel_number,     \
                      const GENERIC uint *block, uint count, const __private uint *sizes) {                               \
        const struct launch l = {.queue = queue, .flags = flags, .number = (uint)kernel_number, .local_count = count,     \
                                 .range = range, .block = block, .local_bytes = sizes};                                   \
        return enqueue(&l, works);                                                                                        \
    }                                                                                                                     \
    int both_##name(uint queue, uint flags, const __private struct range *range, uint wait_count,                         \
                    const GENERIC uint *wait, GENERIC uint *result, const GENERIC uint *kernel_number,                    \
                    const GENERIC uint *block, uint count, const __private uint *sizes)                                   \
        __asm__("tandem_enqueue_kernel_events_varargs_" #name);                                                           \
    int both_##name(uint queue, uint flags, const __private struct range *range, uint wait_count,                         \
                    const GENERIC uint *wait, GENERIC uint *result, const GENERIC uint *kernel_number,                    \
                    const GENERIC uint *block, uint count, const __private uint *sizes) {                                 \
        const struct launch l = {.queue = queue, .flags = flags, .wait_count = wait_count, .number = (uint)kernel_number, \
                                 .local_count = count, .range = range, .wait = wait, .block = block, .result = result,    \
                                 .local_bytes = sizes};                                                                   \
        return enqueue(&l, works);                                                                                        \
    }
EVENTS(linked, false)
EVENTS(working, true)
