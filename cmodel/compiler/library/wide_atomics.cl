// Atomic operations of 64 bits: under one of the space's locks (wide_atomics.h). A thread holds one lock at most, and for
// a few instructions; those that wait give way.
//
// The number's halves are read and written by atomic operations, which see what other multiprocessors have written.
#include "wide_atomics.h"

#include "tandem.h"
#include "team.h"

uint __tandem_launch_word(void);  // of constant buffer 0: above bit 16 the channel's number + 1
uint OVERLOAD __attribute__((const)) get_group_id(uint dimension);
void OVERLOAD mem_fence(uint flags);

// clang knows of no atomic operation of this target at all.
#pragma clang diagnostic ignored "-Watomic-alignment"

#define GENERIC __attribute__((address_space(4)))
#define BOTH_FENCES 3u

// Neighbours have different locks; so have the same places of different groups' local memory, more often than not.
static inline uint lock_of(uint number) { return LOCKS_BEGIN + 4 * ((number ^ number >> 8 ^ number >> 16) & (LOCKS - 1)); }
static inline uint lock_of_global(uint address) { return lock_of(address >> 3); }
static inline uint lock_of_local(uint address) {
    return lock_of((address >> 3) + get_group_id(0) * 29 + get_group_id(1) * 101 + get_group_id(2) * 167);
}
static inline uint lock_of_generic(uint address) {
    return address >> 24 == WIDE_WINDOW_SHARED ? lock_of_local(address & 0xFFFFFF) : lock_of_global(address);
}

static inline ulong result_of(uint operation, ulong old, ulong x, ulong put) {
    switch (operation) {
        case WIDE_XCHG: return x;
        case WIDE_ADD: return old + x;
        case WIDE_SUB: return old - x;
        case WIDE_AND: return old & x;
        case WIDE_OR: return old | x;
        case WIDE_XOR: return old ^ x;
        case WIDE_MIN: return (long)x < (long)old ? x : old;
        case WIDE_MAX: return (long)x > (long)old ? x : old;
        case WIDE_UMIN: return x < old ? x : old;
        case WIDE_UMAX: return x > old ? x : old;
        case WIDE_CAS: return old == x ? put : old;
        default: return old;
    }
}

// The old number. x: the operand, of CAS what is expected; put: what CAS puts there.
#define OPERATION(name, space, lock)                                                              \
    ulong name(space uint *p, ulong x, ulong put, uint operation) {                               \
        __global uint *taken = (__global uint *)lock((uint)p);                                    \
        const uint owner = __tandem_launch_word() >> 16;                                          \
        ulong old = 0;                                                                            \
        bool done = false;                                                                        \
        while (!done) {                                                                           \
            if (__sync_val_compare_and_swap(taken, 0u, owner) == 0) {                             \
                const uint low = __atomic_fetch_or(&p[0], 0u, __ATOMIC_SEQ_CST);                  \
                const uint high = __atomic_fetch_or(&p[1], 0u, __ATOMIC_SEQ_CST);                 \
                old = low | (ulong)high << 32;                                                    \
                if (operation != WIDE_LOAD) {                                                     \
                    const ulong now = result_of(operation, old, x, put);                          \
                    __atomic_exchange_n(&p[0], (uint)now, __ATOMIC_SEQ_CST);                      \
                    __atomic_exchange_n(&p[1], (uint)(now >> 32), __ATOMIC_SEQ_CST);              \
                }                                                                                 \
                mem_fence(BOTH_FENCES);                                                           \
                __atomic_exchange_n(taken, 0u, __ATOMIC_SEQ_CST);                                 \
                done = true;                                                                      \
            } else {                                                                              \
                __tandem_yield();                                                                 \
            }                                                                                     \
        }                                                                                         \
        return old;                                                                               \
    }

OPERATION(tandem_wide_atomic_global, __global, lock_of_global)
OPERATION(tandem_wide_atomic_local, __local, lock_of_local)
OPERATION(tandem_wide_atomic_generic, GENERIC, lock_of_generic)

// A thread's own memory, which nobody else can change.
ulong tandem_wide_atomic_private(__private ulong *p, ulong x, ulong put, uint operation) {
    const ulong old = *p;
    *p = result_of(operation, old, x, put);
    return old;
}

// ---- the functions of cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics ----

#define FUNCTION(type, space, name, builtin) \
    type OVERLOAD name(volatile space type *p, type x) { return builtin(p, x, __ATOMIC_SEQ_CST); }
#define FUNCTIONS(type, space)                                                                            \
    FUNCTION(type, space, atom_add, __atomic_fetch_add)                                                   \
    FUNCTION(type, space, atom_sub, __atomic_fetch_sub)                                                   \
    FUNCTION(type, space, atom_xchg, __atomic_exchange_n)                                                 \
    FUNCTION(type, space, atom_min, __atomic_fetch_min)                                                   \
    FUNCTION(type, space, atom_max, __atomic_fetch_max)                                                   \
    FUNCTION(type, space, atom_and, __atomic_fetch_and)                                                   \
    FUNCTION(type, space, atom_or, __atomic_fetch_or)                                                     \
    FUNCTION(type, space, atom_xor, __atomic_fetch_xor)                                                   \
    type OVERLOAD atom_inc(volatile space type *p) { return __atomic_fetch_add(p, (type)1, __ATOMIC_SEQ_CST); } \
    type OVERLOAD atom_dec(volatile space type *p) { return __atomic_fetch_sub(p, (type)1, __ATOMIC_SEQ_CST); } \
    type OVERLOAD atom_cmpxchg(volatile space type *p, type expected, type put) {                         \
        return __sync_val_compare_and_swap(p, expected, put);                                             \
    }
FUNCTIONS(long, __global)
FUNCTIONS(ulong, __global)
FUNCTIONS(long, __local)
FUNCTIONS(ulong, __local)
