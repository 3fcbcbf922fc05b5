// Execute: ALU instructions of a whole warp at once.
#ifndef TANDEM_SM_EXECUTE_H
#define TANDEM_SM_EXECUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "decode.h"

#define WARP_THREADS_MAX 64u

// What the lanes see of a warp.
struct execute_state {
    unsigned threads;      // 32 or 64
    uint32_t *registers;   // [register][thread]
    uint64_t *predicates;  // 8 masks of threads; [ISA_PT] is all ones and is never written
    uint64_t exec;         // not zero
};

// Executes d, an instruction of the lanes (d->alu) other than S2R, with registers that are in bounds.
void execute_alu(const struct decoded *d, const struct execute_state *state);

// Writes result[thread] to register rd of the threads of exec; nothing for RZ.
void execute_write(const struct execute_state *state, unsigned rd, const uint32_t *result);

// The values of register `reg` of all threads; zeros for RZ.
const uint32_t *execute_read(const struct execute_state *state, unsigned reg);

#endif
