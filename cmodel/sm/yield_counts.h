// Which YIELDs of a warp fire: a count for each thread (NTH), the state of a generator (RANDOM). Twin of
// rtl/sm/yield_counts.sv, which has those of all warps of an SM.
#ifndef TANDEM_CMODEL_SM_YIELD_COUNTS_H
#define TANDEM_CMODEL_SM_YIELD_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

struct yield_counts {
    uint8_t count[64];    // of each thread
    uint8_t count_bound;  // none of them is higher; 0 again when all threads fire together
    uint32_t random;      // state of the generator
};

// A warp starts: no counts. seed: 0 counts as 1.
void yield_counts_start(struct yield_counts *counts);
void yield_counts_seed(struct yield_counts *counts, uint32_t seed);
// Does a YIELD of threads exec (one at least) switch them off? mod: as the ISA has it; target: its N or threshold.
bool yield_counts_fire(const struct yield_counts *counts, uint32_t mod, uint32_t target, uint64_t exec);
// It is done, and fired or not. threads: all that the warp has room for.
void yield_counts_done(struct yield_counts *counts, uint32_t mod, uint64_t exec, uint64_t threads, bool fired);

#endif
