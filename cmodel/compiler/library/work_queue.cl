// Work made by the PPU's own threads: adding to the ring of a PPU-owned queue.
// cmodel/driver/work_queue.md tells the protocol.
#include "gen/methods.h"
#include "work_parts.h"

// What never changes of the ring: entries, ring, blocks, semaphores.
static uint4 work_ring(work_queue_t q) {
    return *(const __global uint4 *)q;
}

// The place of a position in the ring.
static uint work_place(uint entries, uint position) {
    return (entries & (entries - 1)) == 0 ? position & (entries - 1) : position % entries;
}

static uint work_next(uint entries, uint place) {
    return place < entries ? place : place - entries;
}

// ---- taking entries ----

static bool work_free_to(work_queue_t q, uint end) {
    return (int)(q->shadow_put - end) >= 0;
}

// Takes `count` entries with one atomic addition, and waits until they are free; *first is the position of the first.
// False: the channel is being reset.
static bool work_wait(work_queue_t q, uint count, __private uint *first) {
    const uint position = atomic_add((work_words)&q->soft_put, count);
    bool stopped = false;
    while (!stopped && !work_free_to(q, position + count)) {
        __tandem_yield();
        // The channel may stand before X, which is released only when this launch has ended: let it go on.
        if (q->x != q->launch) q->x = q->launch;
        stopped = q->stopped != 0;
    }
    *first = position;
    return !stopped;
}

// The same without waiting. False: others were faster, and soft GP_PUT is as if nothing had been asked. What is not free
// is given back, which works only while nobody has taken entries behind it: then these give theirs back first, or there is
// room in the end.
static bool work_try(work_queue_t q, uint count, __private uint *first) {
    const uint position = atomic_add((work_words)&q->soft_put, count);
    bool given_back = false;
    while (!given_back && !work_free_to(q, position + count)) {
        __tandem_yield();
        given_back = atomic_cmpxchg((work_words)&q->soft_put, position + count, position) == position + count;
    }
    *first = position;
    return !given_back;
}

// Takes entries for `wanted` launches and their acquire, or for as many as an adder can have at once; who does not wait,
// for as many as there is room. Returns how many launches, 0: there is no room.
static uint work_entries(work_queue_t q, uint entries, uint wanted, uint mode, __private uint *first) {
    const uint most = entries - 3;
    if (wanted > most) wanted = most;
    if (mode == WORK_WAIT) return work_wait(q, wanted + 1, first) ? wanted : 0;
    for (;;) {
        const int room = (int)(q->shadow_put - q->soft_put);
        if (room < 2) return 0;
        if (wanted >= (uint)room) wanted = (uint)room - 1;
        if (work_try(q, wanted + 1, first)) return wanted;
        __tandem_yield();
    }
}

// ---- command blocks ----

#define WORK_HOST(count, method) DMA_HEADER(DMA_SEC_OP_INC_METHOD, count, 0u, method)
#define WORK_RELEASE                                                \
    (HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_RELEASE) | \
     HOST_SEMAPHORED_RELEASE_WFI(HOST_SEMAPHORED_RELEASE_WFI_DIS) | \
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

static void work_entry(uint4 ring, uint place, uint address, uint words) {
    *(__global uint2 *)(ring.y + 8 * place) = (uint2)(address, GP_ENTRY1_LENGTH(words));
}

// All is written and fenced: the acquire that the adder before left is released.
static void work_release(uint4 ring, uint start, uint first) {
    ((work_words)ring.w)[start == 0 ? ring.x - 1 : start - 1] = first - 1;
}

static void work_acquire_entry(uint4 ring, uint place, uint position) {
    const uint block = ring.z + place * WORK_BLOCK_BYTES;
    ((work_words)block)[WORK_ACQUIRE_PAYLOAD] = position;
    work_entry(ring, place, block + 4 * WORK_ACQUIRE_BEGIN, WORK_ACQUIRE_END - WORK_ACQUIRE_BEGIN);
}

// The block begins with what gives back the entries before this one. With WORK_ERASE the entry, and the acquire of the
// adder before, become unwritten again; the host has read them.
static void work_launch_entry(uint4 ring, uint flags, uint position, uint place, bool first, uint piece) {
    const uint block = ring.z + place * WORK_BLOCK_BYTES;
    const uint begin = (flags & WORK_ERASE) == 0 ? WORK_LAUNCH_PLAIN : first ? WORK_LAUNCH_FIRST : WORK_LAUNCH_ERASE;
    const uint region = work_task_of(piece)->region, private_memory = work_task_of(piece)->private_memory;
    work_words words = (work_words)block;
    words[WORK_GIVE_BACK] = position + ring.x;
    words[WORK_REGION] = region;
    words[WORK_LOCAL] = private_memory;
    words[WORK_TASK_NUMBER] = piece >> 8;
    work_entry(ring, place, block + 4 * begin, WORK_LAUNCH_END - begin);
}

// ---- adding ----

// One piece of a thread that is alone: the same without a team. False: there is no room.
bool tandem_work_submit_alone(uint piece, uint mode) {
    work_queue_t q = work_queue();
    const uint4 ring = work_ring(q);
    const uint flags = q->flags;
    uint first;
    if (work_entries(q, ring.x, 1, mode, &first) == 0) return false;
    const uint start = work_place(ring.x, first);
    work_launch_entry(ring, flags, first, start, true, piece);
    work_acquire_entry(ring, work_next(ring.x, start + 1), first + 1);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    work_release(ring, start, first);
    return true;
}

// The pieces of the whole team are numbered through. One addition takes the entries of all of them and of the acquire
// behind; where these are too many, as many as fit, and so on. Each thread writes the entries of its own pieces; the last
// word is the release, when all of them stand. Returns how many of the thread's pieces found no room; *all: there was
// room for the whole team's.
static uint work_add(work_queue_t q, team_t team, uint leader, uint number, uint total, __private uint *piece,
                     uint count, uint mode, __private bool *all) {
    const bool leads = __tandem_team_lane() == leader;
    const uint4 ring = work_ring(q);
    const uint flags = q->flags;
    // number: of this thread's next piece, total: of pieces, both from the first one on that is not in.
    while (total != 0) {
        uint first = 0, taken = 0;
        if (leads) taken = work_entries(q, ring.x, total, mode, &first);
        team_meet(team);
        taken = __tandem_shuffle(taken, leader);
        if (taken == 0) break;
        first = __tandem_shuffle(first, leader);
        const uint start = work_place(ring.x, first);
        for (; count != 0 && number < taken; count--) {
            const uint now = *piece;
            *piece = work_task_of(now)->link;
            work_launch_entry(ring, flags, first + number, work_next(ring.x, start + number), number == 0, now);
            number++;
        }
        if (leads) work_acquire_entry(ring, work_next(ring.x, start + taken), first + taken);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        team_meet(team);
        if (leads) work_release(ring, start, first);
        total -= taken;
        number -= taken;
    }
    *all = total == 0;
    return count;
}

// ---- pieces that found no room ----

static uint work_last(uint piece) {
    while (work_task_of(piece)->link != 0)
        piece = work_task_of(piece)->link;
    return piece;
}

static void work_push(work_words head, uint first, uint last) {
    uint old;
    do {
        old = *head;
        work_task_of(last)->link = old;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    } while (atomic_cmpxchg(head, old, first) != old);
}

void tandem_work_push(team_t team, work_words head, uint first, uint last) {
    const team_t who = team_vote(team, first != 0), behind = team_behind(who);
    const uint next = __tandem_shuffle(first, team_first(behind)), chain_last = __tandem_shuffle(last, team_last(who));
    if (first != 0 && !team_none(behind)) work_task_of(last)->link = next;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    team_meet(team);
    if (first != 0 && team_leads(who)) work_push(head, first, chain_last);
    team_meet(team);
}

void tandem_work_unpark(void) {
    work_queue_t q = work_queue();
    // What is left when somebody goes away is added at the end of a piece that is in the ring now: there is one, because
    // the ring is full, and the room that it leaves is told before it starts. When the CPU tells it that may be long after
    // the last of them has ended: so whoever ends waits until all parked ones are in.
    const bool wait = (q->flags & WORK_PUT_SOFTWARE) != 0;
    while (q->parked != 0 && (wait ? q->stopped == 0 : work_free_to(q, q->soft_put + 2))) {
        uint piece = atomic_xchg((work_words)&q->parked, 0u), count = 0;
        const uint most = q->entries - 3;
        for (uint at = piece; at != 0 && count < most; at = work_task_of(at)->link)
            count++;
        bool all;
        work_add(q, team_here(), __tandem_team_lane(), 0, count, &piece, count, wait ? WORK_WAIT : WORK_PARK, &all);
        // Back with the rest: as it is when nobody has parked anything meanwhile.
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (piece != 0 && atomic_cmpxchg((work_words)&q->parked, 0u, piece) != 0)
            work_push((work_words)&q->parked, piece, work_last(piece));
    }
}

uint tandem_work_submit(team_t team, uint leader, uint number, uint total, uint piece, uint count, uint mode) {
    work_queue_t q = work_queue();
    bool all;
    const uint left = work_add(q, team, leader, number, total, &piece, count, mode, &all);
    if (all) return 0;
    const uint rest = left != 0 ? piece : 0;
    if (mode != WORK_PARK) return rest;
    team_meet(team);
    tandem_work_push(team, (work_words)&q->parked, rest, rest == 0 ? 0 : work_last(rest));
    return 0;
}

// ---- the end ----

// No more work is to come: {WFI; release Y; acquire X} of the next launch. Nobody else adds now, so here positions can be
// taken back before they come near 2^32.
void tandem_work_tail(void) {
    work_queue_t q = work_queue();
    const uint4 ring = work_ring(q);
    const uint launch = q->launch, entries = ring.x;
    uint first;
    if (!work_wait(q, 2, &first)) return;
    const uint place = work_place(entries, first), before = place == 0 ? entries - 1 : place - 1;
    uint new_first = first;
    if (first >= q->rebase && (q->flags & WORK_PUT_SOFTWARE) == 0) {  // else the driver begins anew
        new_first = entries + place;
        q->soft_put = new_first + 2;
        for (uint k = 0; k < entries; k++)
            ((work_words)ring.w)[k] = 0;
    }
    const uint address = ring.z + (entries + (launch & 1)) * WORK_BLOCK_BYTES;
    work_words block = (work_words)address;
    block[0] = WORK_HOST(1u, HOST_WFI);
    block[1] = 0;
    uint at = 2;
    if ((q->flags & WORK_ERASE) != 0) {
        at = work_semaphore(block, at, ring.y + 8 * before + 4, WORK_UNWRITTEN1, WORK_RELEASE);
        at = work_semaphore(block, at, ring.y + 8 * place + 4, WORK_UNWRITTEN1, WORK_RELEASE);
    }
    at = work_semaphore(block, at, q->given_back, new_first + entries, WORK_RELEASE);
    // The acquire just passed had an old position; its semaphore must not wait for the day when that number comes again.
    if (new_first != first) at = work_semaphore(block, at, ring.w + 4 * before, 0, WORK_RELEASE);
    at = work_semaphore(block, at, (uint)&q->y, launch, WORK_RELEASE);
    at = work_semaphore(block, at, (uint)&q->x, launch + 1, WORK_ACQUIRE);
    work_entry(ring, place, address, at);
    work_acquire_entry(ring, work_next(entries, place + 1), new_first + 1);
    q->outstanding = 1;
    q->launch = launch + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    work_release(ring, place, first);
}
