// Which order a sub-vector sequence is executed in. Twin of rtl/sm/subvector.sv.
#ifndef TANDEM_CMODEL_SM_SUBVECTOR_H
#define TANDEM_CMODEL_SM_SUBVECTOR_H

#include <stdbool.h>
#include <stdint.h>

struct subvector_request {
    uint32_t mod;               // of SVSTART, table sv
    uint32_t setting;           // SV_ORDER
    uint32_t threshold;         // SV_THRESHOLD
    uint32_t shared_rows;       // of the task
    uint32_t accesses, misses;  // of the warp in the L1 cache, 16 bits each
};

// True: portion by portion; false: instruction by instruction.
bool subvector_second(const struct subvector_request *request);

#endif
