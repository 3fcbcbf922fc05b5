// How two regions lie to each other.
#include "driver/recompile.h"

static uint64_t end_of(const struct tandem_region *region) {
    return (uint64_t)region->address + region->size;
}

struct tandem_relation tandem_relate(const struct tandem_region *first, const struct tandem_region *second) {
    struct tandem_relation found = {.relation = ALIAS_UNKNOWN};
    if (first->size == 0 || second->size == 0) return found;
    found.distance = (int64_t)second->address + second->offset - ((int64_t)first->address + (int64_t)first->offset);
    const struct tandem_region *low = first->address <= second->address ? first : second,
                               *high = low == first ? second : first;
    if (end_of(low) <= high->address) {
        found.relation = ALIAS_APART;
        found.gap = (uint32_t)(high->address - end_of(low));
        return found;
    }
    const uint64_t end = end_of(low) < end_of(high) ? end_of(low) : end_of(high);
    bool same = first->address == second->address && first->size == second->size && first->offset == second->offset;
    found.relation = same ? ALIAS_SAME : ALIAS_OVERLAP;
    found.start = high->address;
    found.bytes = (uint32_t)(end - high->address);
    found.end = found.start + found.bytes;
    return found;
}
