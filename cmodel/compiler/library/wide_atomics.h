// Atomic operations of 64 bits, on a machine that has those of 32: under a lock each. Said once for the threads
// (wide_atomics.cl), the compiler (lower/wide_atomics.c) and the driver (driver/locks.c).
//
// The locks are words of the first page of each address space, which holds nothing else; all programs that run in a space
// have the same ones. A word is 0, or the number + 1 of the channel whose thread holds the lock: when a channel is reset,
// the driver gives back what its threads held.
#ifndef TANDEM_WIDE_ATOMICS_H
#define TANDEM_WIDE_ATOMICS_H

#define LOCKS_BEGIN 0xC00u  // behind what a pointer to nothing reaches with a member's offset
#define LOCKS 256u          // a power of two

#define WIDE_WINDOW_SHARED 254u  // WINDOW_SHARED of gen/isa.h, which OpenCL C cannot read

#define WIDE_XCHG 0u
#define WIDE_ADD 1u
#define WIDE_SUB 2u
#define WIDE_AND 3u
#define WIDE_OR 4u
#define WIDE_XOR 5u
#define WIDE_MIN 6u
#define WIDE_MAX 7u
#define WIDE_UMIN 8u
#define WIDE_UMAX 9u
#define WIDE_CAS 10u
#define WIDE_LOAD 11u

#endif
