#include "sm/sequencer.h"

#include <assert.h>

void sequencer_start(struct sequencer *sequencer, uint32_t lanes, uint64_t exec) {
    assert(lanes >= 1 && lanes <= 64);
    sequencer->lanes = lanes;
    sequencer->mask = exec;
}

bool sequencer_next(struct sequencer *sequencer, uint32_t *portion, uint64_t *lanes) {
    if (sequencer->mask == 0) return false;
    const uint64_t all = sequencer->lanes == 64 ? ~UINT64_C(0) : (UINT64_C(1) << sequencer->lanes) - 1;
    const uint32_t number = (uint32_t)__builtin_ctzll(sequencer->mask) / sequencer->lanes;
    const uint32_t shift = number * sequencer->lanes;
    *portion = number;
    *lanes = sequencer->mask >> shift & all;
    sequencer->mask &= ~(all << shift);
    return true;
}
