// Functions of whole work-groups and of sub-groups: votes, broadcasts, reductions, scans. A sub-group is a warp.
#include "groups.h"

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

// ---- reductions and scans ----

#define FLOAT_LESS(a, b) __builtin_fminf(a, b)
#define FLOAT_MORE(a, b) __builtin_fmaxf(a, b)

RESULTS(int)
RESULTS(uint)
RESULTS(long)
RESULTS(ulong)
RESULTS(float)

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
    turn_meet();
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

// Where kernels that shuffle take turns, the compiler calls it at the beginning of each part (../again/turns.c).
void tandem_turn_meet(void) { warp_meet(); }

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
