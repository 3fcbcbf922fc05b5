#include "sm/subvector.h"

#include "gen/isa.h"
#include "gen/registers.h"

bool subvector_second(const struct subvector_request *request) {
    // Shared rows hold one portion's values at a time: the first order has no place for the others'.
    if (request->shared_rows != 0) return true;
    if (request->setting == REG_SV_ORDER_ORDER_FIRST) return false;
    if (request->setting == REG_SV_ORDER_ORDER_SECOND || request->mod == SV_ALWAYS) return true;
    if (request->threshold == 0) return true;
    return request->accesses != 0 &&
           (uint64_t)request->misses << 16 >= (uint64_t)request->accesses * request->threshold;
}
