// The twin of rtl/sm/backoff.sv. What a program computes does not depend on it.
#include "sm/backoff.h"

#include <assert.h>
#include <string.h>

void backoff_init(struct backoff *backoff, uint32_t every) {
    assert(every >= 1);
    memset(backoff, 0, sizeof *backoff);
    backoff->every = every;
    backoff->fresh = ~UINT64_C(0);
}

void backoff_step(struct backoff *backoff) {
    const uint64_t behind = backoff->waits & ~backoff->passed, from = behind != 0 ? behind : backoff->waits;
    if (from == 0 || backoff->left != 0) {
        if (backoff->left != 0) backoff->left--;
        return;
    }
    const uint64_t next = from & (~from + 1);
    backoff->waits &= ~next;
    backoff->passed = next | (next - 1);
    backoff->left = backoff->every - 1;
}

void backoff_go(struct backoff *backoff, uint32_t warp, uint32_t instructions, bool writes) {
    const uint32_t since = backoff->since[warp] + instructions;
    backoff->since[warp] = (uint8_t)(writes || since > BACKOFF_OTHER ? BACKOFF_OTHER : since);
}

void backoff_yield(struct backoff *backoff, uint32_t warp) {
    const uint64_t bit = UINT64_C(1) << warp;
    const bool fresh = (backoff->fresh & bit) != 0;
    const uint8_t since = backoff->since[warp];
    if (fresh || since == BACKOFF_OTHER || since != backoff->last[warp]) {
        backoff->fails[warp] = 0;
    } else if (backoff->fails[warp] < BACKOFF_TRIES) {
        backoff->fails[warp]++;
    } else {
        backoff->waits |= bit;
    }
    backoff->last[warp] = fresh ? BACKOFF_OTHER : since;
    backoff->since[warp] = 0;
    backoff->fresh &= ~bit;
}

void backoff_lost(struct backoff *backoff, uint64_t warps) {
    backoff->fresh |= warps;
    backoff->waits &= ~warps;
}
