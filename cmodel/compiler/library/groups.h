// What functions of whole work-groups and of sub-groups are made of, for numbers of every type: word_TYPE gives a number as
// a word of 64 bits, word_to_TYPE gives it back.
//
// Threads fill the warps of their group in the order of their linear ids, so that those of a warp which are there are its
// first ones. Within a warp numbers go from thread to thread by shuffles; from warp to warp over a few words of the
// group's local memory, one for each warp.
#ifndef TANDEM_LIBRARY_GROUPS_H
#define TANDEM_LIBRARY_GROUPS_H

#include "tandem.h"
#include "team.h"

#define WORDS_MAX 32  // warps of a group at most: `tandem_group_words` has so many

__local ulong *tandem_group_words(void);
uint OVERLOAD get_local_linear_id(void);
uint OVERLOAD __attribute__((const)) get_local_id(uint dimension);
uint OVERLOAD __attribute__((const)) get_local_size(uint dimension);
void OVERLOAD __attribute__((convergent)) barrier(uint flags);

#define LOCAL_FENCE 1u

// ---- where a thread stands ----

static inline uint group_size(void) {
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

// A warp has a power of two.
static inline uint in_warps(uint threads) {
    return threads >> (31u - clz(__tandem_team_threads()));
}

static inline uint group_warp(void) {
    return in_warps(get_local_linear_id());
}

static inline uint group_warps(void) {
    return in_warps(group_size() + __tandem_team_threads() - 1);
}

// Threads of the group in a warp.
static inline uint warp_size(uint warp) {
    const uint threads = __tandem_team_threads(), left = group_size() - warp * threads;
    return left < threads ? left : threads;
}

// Waits until all threads of the group that are in this warp are here.
static inline void warp_meet(void) {
    const uint size = warp_size(group_warp()), most = team_half();
    const uint low = size < most ? size : most, high = size - low;
    team_meet((team_t)((uint)((1ul << low) - 1), (uint)((1ul << high) - 1)));
}

// Behind a barrier all threads of a warp are together; not where they take turns, since what the turn before did may have
// parted them.
uint __tandem_takes_turns(void);
static inline void turn_meet(void) {
    if (__tandem_takes_turns() != 0) warp_meet();
}

static inline ulong shuffle_word(ulong x, uint lane, bool wide) {
    const uint low = __tandem_shuffle((uint)x, lane);
    return wide ? low | (ulong)__tandem_shuffle((uint)(x >> 32), lane) << 32 : low;
}
#define SHUFFLE(type, x, lane) word_to_##type(shuffle_word(word_##type(x), lane, sizeof(type) == 8))

// ---- reductions and scans ----

#define SUM(a, b) ((a) + (b))
#define LESS(a, b) ((b) < (a) ? (b) : (a))
#define MORE(a, b) ((a) < (b) ? (b) : (a))

// Of the threads before this one, of those up to it, of all.
#define RESULTS(type)                   \
    struct results_##type {             \
        type exclusive, inclusive, all; \
    };

#define OPERATION(type, name, operation, identity)                                                         \
    static inline struct results_##type warp_##name##_##type(type x) {                                     \
        struct results_##type r;                                                                           \
        const uint lane = __tandem_team_lane(), threads = __tandem_team_threads();                         \
        for (uint distance = 1; distance < threads; distance <<= 1) {                                      \
            const type before = SHUFFLE(type, x, lane - distance), both = operation(before, x);            \
            x = lane >= distance ? both : x;                                                               \
        }                                                                                                  \
        const type before = SHUFFLE(type, x, lane - 1);                                                    \
        r.inclusive = x;                                                                                   \
        r.exclusive = lane != 0 ? before : (type)(identity);                                               \
        return r;                                                                                          \
    }                                                                                                      \
    static inline struct results_##type group_##name##_##type(type x) {                                    \
        __local ulong *words = tandem_group_words();                                                       \
        barrier(LOCAL_FENCE); /* the words of the call before have been read */                            \
        turn_meet();                                                                                       \
        const uint warp = group_warp(), warps = group_warps();                                             \
        struct results_##type r = warp_##name##_##type(x);                                                 \
        const type here = SHUFFLE(type, r.inclusive, warp_size(warp) - 1);                                 \
        if (__tandem_team_lane() == 0) words[warp] = word_##type(here);                                    \
        barrier(LOCAL_FENCE);                                                                              \
        type before = identity, all = identity;                                                            \
        for (uint k = 0; k < warps; k++) {                                                                 \
            before = k == warp ? all : before;                                                             \
            const type one = word_to_##type(words[k]);                                                     \
            all = k == 0 ? one : operation(all, one);                                                      \
        }                                                                                                  \
        const type inclusive = operation(before, r.inclusive), exclusive = operation(before, r.exclusive); \
        r.inclusive = warp == 0 ? r.inclusive : inclusive;                                                 \
        r.exclusive = warp == 0 ? r.exclusive : exclusive;                                                 \
        r.all = all;                                                                                       \
        return r;                                                                                          \
    }                                                                                                      \
    type OVERLOAD work_group_reduce_##name(type x) {                                                       \
        return group_##name##_##type(x).all;                                                               \
    }                                                                                                      \
    type OVERLOAD work_group_scan_inclusive_##name(type x) {                                               \
        return group_##name##_##type(x).inclusive;                                                         \
    }                                                                                                      \
    type OVERLOAD work_group_scan_exclusive_##name(type x) {                                               \
        return group_##name##_##type(x).exclusive;                                                         \
    }                                                                                                      \
    type OVERLOAD sub_group_reduce_##name(type x) {                                                        \
        warp_meet();                                                                                       \
        const type up_to = warp_##name##_##type(x).inclusive;                                              \
        return SHUFFLE(type, up_to, warp_size(group_warp()) - 1);                                          \
    }                                                                                                      \
    type OVERLOAD sub_group_scan_inclusive_##name(type x) {                                                \
        warp_meet();                                                                                       \
        return warp_##name##_##type(x).inclusive;                                                          \
    }                                                                                                      \
    type OVERLOAD sub_group_scan_exclusive_##name(type x) {                                                \
        warp_meet();                                                                                       \
        return warp_##name##_##type(x).exclusive;                                                          \
    }

// ---- broadcasts ----

#define BROADCAST(type)                                                                           \
    static inline type group_broadcast_##type(type x, bool speaks) {                              \
        __local ulong *words = tandem_group_words();                                              \
        barrier(LOCAL_FENCE);                                                                     \
        if (speaks) words[0] = word_##type(x);                                                    \
        barrier(LOCAL_FENCE);                                                                     \
        return word_to_##type(words[0]);                                                          \
    }                                                                                             \
    type OVERLOAD work_group_broadcast(type x, uint a) {                                          \
        return group_broadcast_##type(x, get_local_id(0) == a);                                   \
    }                                                                                             \
    type OVERLOAD work_group_broadcast(type x, uint a, uint b) {                                  \
        return group_broadcast_##type(x, get_local_id(0) == a && get_local_id(1) == b);           \
    }                                                                                             \
    type OVERLOAD work_group_broadcast(type x, uint a, uint b, uint c) {                          \
        const bool speaks = get_local_id(0) == a && get_local_id(1) == b && get_local_id(2) == c; \
        return group_broadcast_##type(x, speaks);                                                 \
    }                                                                                             \
    type OVERLOAD sub_group_broadcast(type x, uint from) {                                        \
        warp_meet();                                                                              \
        return SHUFFLE(type, x, from);                                                            \
    }

// ---- shuffles and votes of those who are at the same place ----

// from_TYPE(x, lane): another thread's number.
#define SHUFFLE_FUNCTIONS(type)                                     \
    type OVERLOAD sub_group_shuffle(type x, uint lane) {            \
        return from_##type(x, lane);                                \
    }                                                               \
    type OVERLOAD sub_group_shuffle_xor(type x, uint mask) {        \
        return from_##type(x, __tandem_team_lane() ^ mask);         \
    }                                                               \
    type OVERLOAD sub_group_shuffle_up(type x, uint distance) {     \
        return from_##type(x, __tandem_team_lane() - distance);     \
    }                                                               \
    type OVERLOAD sub_group_shuffle_down(type x, uint distance) {   \
        return from_##type(x, __tandem_team_lane() + distance);     \
    }                                                               \
    int OVERLOAD sub_group_non_uniform_all_equal(type x) {          \
        const type other = from_##type(x, team_first(team_here())); \
        return __tandem_vote(x != other) == 0;                      \
    }

#endif
