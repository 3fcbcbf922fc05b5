// Warps that wait for other warps for long try again one after the other. The twin of rtl/sm/backoff.sv, whose head says what for.
#ifndef TANDEM_SM_BACKOFF_H
#define TANDEM_SM_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

#define BACKOFF_WARPS_MAX 64
#define BACKOFF_TRIES 8u
#define BACKOFF_OTHER 0x80u

struct backoff {
    uint32_t every;                    // steps from turn to turn
    uint64_t fresh;                    // bit w: no YIELD of warp w yet, what stands of it below means nothing
    uint8_t since[BACKOFF_WARPS_MAX];  // instructions since the last YIELD, or BACKOFF_OTHER
    uint8_t last[BACKOFF_WARPS_MAX];   // .. between that and the one before
    uint8_t fails[BACKOFF_WARPS_MAX];  // tries alike, one behind the other; BACKOFF_TRIES at most
    uint64_t waits;                    // not to be picked
    uint64_t passed;                   // the last one whose turn it was, and those below it
    uint32_t left;                     // steps until the next turn
};

// every: steps (of the RTL: cycles) from turn to turn, at least 1.
void backoff_init(struct backoff *backoff, uint32_t every);
// A step goes by; it may be the turn of a warp that waits. Before what is told of the same step.
void backoff_step(struct backoff *backoff);
// `warp` executes so many instructions, none of which is a YIELD; writes: some store, or are atomic operations without result.
void backoff_go(struct backoff *backoff, uint32_t warp, uint32_t instructions, bool writes);
// It executes a YIELD.
void backoff_yield(struct backoff *backoff, uint32_t warp);
// Warps (bit w: warp w) have ended.
void backoff_lost(struct backoff *backoff, uint64_t warps);

#endif
