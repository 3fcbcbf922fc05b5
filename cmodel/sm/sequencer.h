// Which portions of a warp an instruction goes through, in which order. Twin of rtl/sm/sequencer.sv.
#ifndef TANDEM_CMODEL_SM_SEQUENCER_H
#define TANDEM_CMODEL_SM_SEQUENCER_H

#include <stdbool.h>
#include <stdint.h>

struct sequencer {
    uint32_t lanes;  // threads of a portion: a divisor of the warp's threads, 1 to 64
    uint64_t mask;   // threads of portions not yet done
};

// Begins an instruction for the threads of exec.
void sequencer_start(struct sequencer *sequencer, uint32_t lanes, uint64_t exec);
// The next portion that has a thread, lowest first: its number and the mask of its lanes; it is the last when mask is 0
// then. False: none is left.
bool sequencer_next(struct sequencer *sequencer, uint32_t *portion, uint64_t *lanes);

#endif
