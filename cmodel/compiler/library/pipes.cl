// Pipes: rings in memory that any number of threads write and read at once. By the names that clang calls; it says size
// and alignment of a packet at each call.
//
// A reservation takes packets by one compare-and-swap of a counter, so that their order is that of the reservations. A
// commit leaves the number behind its last packet at its first one's place, and moves the other counter over all that
// are committed from there on: nobody waits for a reservation before its own. Counters and packets are volatile, so that
// what other multiprocessors have written is seen.
#include "pipe.h"
#include "tandem.h"
#include "team.h"

#define GENERIC __attribute__((address_space(4)))
#define NO_RESERVATION ~0u  // CLK_NULL_RESERVE_ID

typedef volatile __global uint *pipe_t;

__local ulong *tandem_group_words(void);
uint OVERLOAD get_local_linear_id(void);

// The counters and words of one direction.
struct direction {
    uint taken, done;
    uint count, end;
};
#define WRITES ((struct direction){PIPE_WRITE_TAKEN, PIPE_WRITE_DONE, PIPE_WRITE_COUNT, PIPE_WRITE_END})
#define READS ((struct direction){PIPE_READ_TAKEN, PIPE_READ_DONE, PIPE_READ_COUNT, PIPE_READ_END})

static inline pipe_t place_of(pipe_t pipe, uint number) {
    return pipe + PIPE_HEAD_WORDS + PIPE_PLACE_WORDS * (number & (pipe[PIPE_PLACES] - 1u));
}

// Packets that may be reserved behind those that are: places that are free, packets that are there. More than the pipe
// holds: `taken` is old.
static inline uint room_behind(pipe_t pipe, bool writes, uint taken) {
    if (writes) return (pipe[PIPE_READ_DONE] + pipe[PIPE_PACKETS] - taken) & PIPE_COUNTER;
    return (pipe[PIPE_WRITE_DONE] - taken) & PIPE_COUNTER;
}

// The number of the first of `count` packets, or of as many as there are with *got not NULL; NO_RESERVATION: there are not
// enough.
static inline uint reserve(pipe_t pipe, bool writes, uint count, __private uint *got) {
    const struct direction way = writes ? WRITES : READS;
    const uint most = pipe[PIPE_PACKETS];
    for (;;) {
        const uint taken = pipe[way.taken], room = room_behind(pipe, writes, taken);
        if (room > most) continue;
        const uint wanted = got != 0 && room < count ? room : count;
        if (wanted == 0u || wanted > room) return NO_RESERVATION;
        if (atomic_cmpxchg(&pipe[way.taken], taken, (taken + wanted) & PIPE_COUNTER) != taken) continue;
        place_of(pipe, taken)[way.count] = wanted;
        if (got != 0) *got = wanted;
        return taken;
    }
}

static inline void commit(pipe_t pipe, bool writes, uint first, uint count) {
    const struct direction way = writes ? WRITES : READS;
    const uint most = pipe[PIPE_PACKETS];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&place_of(pipe, first)[way.end], (first + count) & PIPE_COUNTER);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    for (;;) {
        const uint done = atomic_or(&pipe[way.done], 0u);
        const uint end = atomic_or(&place_of(pipe, done)[way.end], 0u);
        // What stands there of an earlier lap ends at `done` or before it.
        if (((end - done) & PIPE_COUNTER) - 1u >= most) return;
        atomic_cmpxchg(&pipe[way.done], done, end);
    }
}

static inline void commit_reservation(pipe_t pipe, bool writes, uint id) {
    if ((int)id < 0) return;
    commit(pipe, writes, id, place_of(pipe, id)[(writes ? WRITES : READS).count]);
}

#define COPY(type)                                                                          \
    for (uint k = 0; k < bytes / sizeof(type); k++) {                                       \
        if (writes)                                                                         \
            ((volatile __global type *)there)[k] = ((GENERIC type *)packet)[k];             \
        else                                                                                \
            ((GENERIC type *)packet)[k] = ((volatile __global type *)there)[k];             \
    }
static inline void copy_packet(pipe_t pipe, bool writes, uint number, GENERIC uchar *packet, uint bytes, uint alignment) {
    const uint place = number & (pipe[PIPE_PLACES] - 1u), there = (uint)pipe + pipe[PIPE_FIRST] + place * bytes;
    if (alignment >= 4u) {
        COPY(uint)
    } else if (alignment == 2u) {
        COPY(ushort)
    } else {
        COPY(uchar)
    }
}

// ---- packets one by one ----

// Threads of a warp that come together go together: one reservation for as many of the first as there is room for.
static inline int move_packet(pipe_t pipe, bool writes, GENERIC uchar *packet, uint bytes, uint alignment) {
    int result = -1;
    if (bytes != pipe[PIPE_PACKET_BYTES]) return -1;
    for (bool asked = false; !asked;) {
        asked = (uint)pipe == __tandem_shuffle((uint)pipe, team_first(team_here()));
        if (asked) {
            const team_t team = team_here();
            const uint leader = team_first(team), mine = team_before(team);
            uint got = 0, first = 0;
            if (mine == 0) first = reserve(pipe, writes, team_size(team), &got);
            team_meet(team);
            got = __tandem_shuffle(got, leader);
            first = __tandem_shuffle(first, leader);
            if (mine < got) {
                copy_packet(pipe, writes, first + mine, packet, bytes, alignment);
                mem_fence(CLK_GLOBAL_MEM_FENCE);
                result = 0;
            }
            team_meet(team);
            if (mine == 0 && got != 0) commit(pipe, writes, first, got);
        }
    }
    return result;
}

// ---- reservations ----

static inline uint reserve_alone(pipe_t pipe, bool writes, uint count, uint bytes) {
    return bytes == pipe[PIPE_PACKET_BYTES] ? reserve(pipe, writes, count, 0) : NO_RESERVATION;
}

static inline uint reserve_of_group(pipe_t pipe, bool writes, uint count, uint bytes) {
    __local ulong *words = tandem_group_words();
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_linear_id() == 0) words[0] = reserve_alone(pipe, writes, count, bytes);
    barrier(CLK_LOCAL_MEM_FENCE);
    return (uint)words[0];
}

static inline void commit_of_group(pipe_t pipe, bool writes, uint id) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_linear_id() == 0) commit_reservation(pipe, writes, id);
}

void OVERLOAD sub_group_barrier(uint flags);

static inline uint reserve_of_warp(pipe_t pipe, bool writes, uint count, uint bytes) {
    uint id = 0;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (__tandem_team_lane() == 0) id = reserve_alone(pipe, writes, count, bytes);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    return __tandem_shuffle(id, 0);
}

static inline void commit_of_warp(pipe_t pipe, bool writes, uint id) {
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (__tandem_team_lane() == 0) commit_reservation(pipe, writes, id);
}

static inline int move_reserved(pipe_t pipe, bool writes, uint id, uint index, GENERIC uchar *packet, uint bytes,
                                uint alignment) {
    if ((int)id < 0 || index >= place_of(pipe, id)[(writes ? WRITES : READS).count]) return -1;
    copy_packet(pipe, writes, id + index, packet, bytes, alignment);
    return 0;
}

// ---- the functions ----

bool is_valid_reservation(uint id) __asm__("_Z19is_valid_reserve_id13ocl_reserveid");
bool is_valid_reservation(uint id) {
    return (int)id >= 0;
}

#define NAMED(result, function, symbol, ...)   \
    result function(__VA_ARGS__) __asm__(symbol); \
    result function(__VA_ARGS__)
#define RESERVATION(name, whose, how, writes)                                                                          \
    NAMED(uint, whose##reserve_##name, "__" #whose "reserve_" #name "_pipe", pipe_t pipe, uint count, uint bytes,      \
          uint alignment) {                                                                                            \
        (void)alignment;                                                                                               \
        return reserve_##how(pipe, writes, count, bytes);                                                              \
    }
#define COMMIT(name, whose, how, writes)                                                                               \
    NAMED(void, whose##commit_##name, "__" #whose "commit_" #name "_pipe", pipe_t pipe, uint id, uint bytes,           \
          uint alignment) {                                                                                            \
        (void)bytes;                                                                                                   \
        (void)alignment;                                                                                               \
        how(pipe, writes, id);                                                                                         \
    }
#define DIRECTION(name, writes)                                                                                        \
    NAMED(int, name##_packet, "__" #name "_pipe_2", pipe_t pipe, GENERIC uchar *packet, uint bytes, uint alignment) {  \
        return move_packet(pipe, writes, packet, bytes, alignment);                                                    \
    }                                                                                                                  \
    NAMED(int, name##_reserved, "__" #name "_pipe_4", pipe_t pipe, uint id, uint index, GENERIC uchar *packet,         \
          uint bytes, uint alignment) {                                                                                \
        return move_reserved(pipe, writes, id, index, packet, bytes, alignment);                                       \
    }                                                                                                                  \
    RESERVATION(name, , alone, writes)                                                                                 \
    RESERVATION(name, work_group_, of_group, writes)                                                                   \
    RESERVATION(name, sub_group_, of_warp, writes)                                                                     \
    COMMIT(name, , commit_reservation, writes)                                                                         \
    COMMIT(name, work_group_, commit_of_group, writes)                                                                 \
    COMMIT(name, sub_group_, commit_of_warp, writes)
DIRECTION(write, true)
DIRECTION(read, false)

#define QUESTIONS(access)                                                                                              \
    NAMED(uint, packets##access, "__get_pipe_num_packets" #access, pipe_t pipe, uint bytes, uint alignment) {          \
        (void)bytes;                                                                                                   \
        (void)alignment;                                                                                               \
        const uint taken = pipe[PIPE_READ_TAKEN], there = (pipe[PIPE_WRITE_DONE] - taken) & PIPE_COUNTER;              \
        return there < pipe[PIPE_PACKETS] ? there : pipe[PIPE_PACKETS];                                                \
    }                                                                                                                  \
    NAMED(uint, most##access, "__get_pipe_max_packets" #access, pipe_t pipe, uint bytes, uint alignment) {             \
        (void)bytes;                                                                                                   \
        (void)alignment;                                                                                               \
        return pipe[PIPE_PACKETS];                                                                                     \
    }
QUESTIONS(_ro)
QUESTIONS(_wo)
