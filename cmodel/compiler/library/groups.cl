// Functions of whole work-groups and of sub-groups: votes, broadcasts, reductions, scans. A sub-group is a warp.
//
// Threads fill the warps of their group in the order of their linear ids, so that those of a warp which are there are its
// first ones. Within a warp numbers go from thread to thread by shuffles; from warp to warp over a few words of the
// group's local memory, one for each warp.
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

static inline uint group_size(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

// A warp has a power of two.
static inline uint in_warps(uint threads) { return threads >> (31u - clz(__tandem_team_threads())); }

static inline uint group_warp(void) { return in_warps(get_local_linear_id()); }

static inline uint group_warps(void) { return in_warps(group_size() + __tandem_team_threads() - 1); }

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

// ---- numbers as words and back ----

#define AS_IS(type)                                        \
    static inline ulong word_##type(type x) { return (ulong)x; } \
    static inline type word_to_##type(ulong x) { return (type)x; }
AS_IS(int)
AS_IS(uint)
AS_IS(long)
AS_IS(ulong)
static inline ulong word_float(float x) { return as_uint(x); }
static inline float word_to_float(ulong x) { return as_float((uint)x); }

static inline ulong shuffle_word(ulong x, uint lane, bool wide) {
    const uint low = __tandem_shuffle((uint)x, lane);
    return wide ? low | (ulong)__tandem_shuffle((uint)(x >> 32), lane) << 32 : low;
}
#define SHUFFLE(type, x, lane) word_to_##type(shuffle_word(word_##type(x), lane, sizeof(type) == 8))

// ---- reductions and scans ----

#define SUM(a, b) ((a) + (b))
#define LESS(a, b) ((b) < (a) ? (b) : (a))
#define MORE(a, b) ((a) < (b) ? (b) : (a))
#define FLOAT_LESS(a, b) __builtin_fminf(a, b)
#define FLOAT_MORE(a, b) __builtin_fmaxf(a, b)

// Of the threads before this one, of those up to it, of all.
#define RESULTS(type)                      \
    struct results_##type {                \
        type exclusive, inclusive, all;    \
    };
RESULTS(int)
RESULTS(uint)
RESULTS(long)
RESULTS(ulong)
RESULTS(float)

#define OPERATION(type, name, operation, identity)                                                           \
    static inline struct results_##type warp_##name##_##type(type x) {                                       \
        struct results_##type r;                                                                             \
        const uint lane = __tandem_team_lane(), threads = __tandem_team_threads();                           \
        for (uint distance = 1; distance < threads; distance <<= 1) {                                        \
            const type before = SHUFFLE(type, x, lane - distance), both = operation(before, x);              \
            x = lane >= distance ? both : x;                                                                 \
        }                                                                                                    \
        const type before = SHUFFLE(type, x, lane - 1);                                                      \
        r.inclusive = x;                                                                                     \
        r.exclusive = lane != 0 ? before : (type)(identity);                                                 \
        return r;                                                                                            \
    }                                                                                                        \
    static inline struct results_##type group_##name##_##type(type x) {                                      \
        __local ulong *words = tandem_group_words();                                                         \
        barrier(LOCAL_FENCE); /* the words of the call before have been read */                              \
        const uint warp = group_warp(), warps = group_warps();                                               \
        struct results_##type r = warp_##name##_##type(x);                                                   \
        const type here = SHUFFLE(type, r.inclusive, warp_size(warp) - 1);                                   \
        if (__tandem_team_lane() == 0) words[warp] = word_##type(here);                                      \
        barrier(LOCAL_FENCE);                                                                                \
        type before = identity, all = identity;                                                              \
        for (uint k = 0; k < warps; k++) {                                                                   \
            before = k == warp ? all : before;                                                               \
            const type one = word_to_##type(words[k]);                                                       \
            all = k == 0 ? one : operation(all, one);                                                        \
        }                                                                                                    \
        const type inclusive = operation(before, r.inclusive), exclusive = operation(before, r.exclusive);   \
        r.inclusive = warp == 0 ? r.inclusive : inclusive;                                                   \
        r.exclusive = warp == 0 ? r.exclusive : exclusive;                                                   \
        r.all = all;                                                                                         \
        return r;                                                                                            \
    }                                                                                                        \
    type OVERLOAD work_group_reduce_##name(type x) { return group_##name##_##type(x).all; }                  \
    type OVERLOAD work_group_scan_inclusive_##name(type x) { return group_##name##_##type(x).inclusive; }    \
    type OVERLOAD work_group_scan_exclusive_##name(type x) { return group_##name##_##type(x).exclusive; }    \
    type OVERLOAD sub_group_reduce_##name(type x) {                                                          \
        warp_meet();                                                                                         \
        const type up_to = warp_##name##_##type(x).inclusive;                                                \
        return SHUFFLE(type, up_to, warp_size(group_warp()) - 1);                                            \
    }                                                                                                        \
    type OVERLOAD sub_group_scan_inclusive_##name(type x) {                                                  \
        warp_meet();                                                                                         \
        return warp_##name##_##type(x).inclusive;                                                            \
    }                                                                                                        \
    type OVERLOAD sub_group_scan_exclusive_##name(type x) {                                                  \
        warp_meet();                                                                                         \
        return warp_##name##_##type(x).exclusive;                                                            \
    }

OPERATION(int, add, SUM, 0)
OPERATION(int, min, LESS, 0x7FFFFFFF)
OPERATION(int, max, MORE, -0x7FFFFFFF - 1)
OPERATION(uint, add, SUM, 0)
OPERATION(uint, min, LESS, 0xFFFFFFFF)
OPERATION(uint, max, MORE, 0)
OPERATION(long, add, SUM, 0)
OPERATION(long, min, LESS, 0x7FFFFFFFFFFFFFFF)
OPERATION(long, max, MORE, -0x7FFFFFFFFFFFFFFF - 1)
OPERATION(ulong, add, SUM, 0)
OPERATION(ulong, min, LESS, 0xFFFFFFFFFFFFFFFF)
OPERATION(ulong, max, MORE, 0)
OPERATION(float, add, SUM, 0)
OPERATION(float, min, FLOAT_LESS, __builtin_inff())
OPERATION(float, max, FLOAT_MORE, -__builtin_inff())

// ---- broadcasts ----

#define BROADCAST(type)                                                                    \
    static inline type group_broadcast_##type(type x, bool speaks) {                       \
        __local ulong *words = tandem_group_words();                                       \
        barrier(LOCAL_FENCE);                                                              \
        if (speaks) words[0] = word_##type(x);                                             \
        barrier(LOCAL_FENCE);                                                              \
        return word_to_##type(words[0]);                                                   \
    }                                                                                      \
    type OVERLOAD work_group_broadcast(type x, uint a) {                                   \
        return group_broadcast_##type(x, get_local_id(0) == a);                            \
    }                                                                                      \
    type OVERLOAD work_group_broadcast(type x, uint a, uint b) {                           \
        return group_broadcast_##type(x, get_local_id(0) == a && get_local_id(1) == b);    \
    }                                                                                      \
    type OVERLOAD work_group_broadcast(type x, uint a, uint b, uint c) {                   \
        const bool speaks = get_local_id(0) == a && get_local_id(1) == b && get_local_id(2) == c; \
        return group_broadcast_##type(x, speaks);                                          \
    }                                                                                      \
    type OVERLOAD sub_group_broadcast(type x, uint from) {                                 \
        warp_meet();                                                                       \
        return SHUFFLE(type, x, from);                                                     \
    }

BROADCAST(int)
BROADCAST(uint)
BROADCAST(long)
BROADCAST(ulong)
BROADCAST(float)

// ---- votes ----

static inline bool warp_any(bool condition) { return __tandem_vote(condition) != 0; }

static inline bool group_any(bool condition) {
    __local ulong *words = tandem_group_words();
    barrier(LOCAL_FENCE);
    const bool here = warp_any(condition);
    if (__tandem_team_lane() == 0) words[group_warp()] = here;
    barrier(LOCAL_FENCE);
    const uint warps = group_warps();
    ulong any = 0;
    for (uint k = 0; k < warps; k++)
        any |= words[k];
    return any != 0;
}

int OVERLOAD work_group_any(int condition) { return group_any(condition != 0); }
int OVERLOAD work_group_all(int condition) { return !group_any(condition == 0); }

int OVERLOAD sub_group_any(int condition) {
    warp_meet();
    return warp_any(condition != 0);
}
int OVERLOAD sub_group_all(int condition) {
    warp_meet();
    return !warp_any(condition == 0);
}

// ---- sub-groups ----

uint OVERLOAD get_sub_group_size(void) { return warp_size(group_warp()); }
uint OVERLOAD get_max_sub_group_size(void) { return warp_size(0); }
uint OVERLOAD get_num_sub_groups(void) { return group_warps(); }
uint OVERLOAD get_enqueued_num_sub_groups(void) { return group_warps(); }
uint OVERLOAD get_sub_group_id(void) { return group_warp(); }
uint OVERLOAD get_sub_group_local_id(void) { return __tandem_team_lane(); }

// Memory operations of a warp are performed in order; those of its threads meet here.
void OVERLOAD __attribute__((convergent)) mem_fence(uint flags);
void OVERLOAD sub_group_barrier(uint flags) {
    warp_meet();
    mem_fence(flags);
}
// The second one: enum memory_scope.
void tandem_sub_group_barrier(uint flags, uint scope) __asm__("_Z17sub_group_barrierj12memory_scope");
void tandem_sub_group_barrier(uint flags, uint scope) {
    (void)scope;
    sub_group_barrier(flags);
}
