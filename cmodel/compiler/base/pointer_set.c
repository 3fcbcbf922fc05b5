// Sets of addresses, as open hash tables that are at most half full: see pointer_set.h.
#include "compiler/base/pointer_set.h"

#include <stdlib.h>

enum { SLOTS_FIRST = 64 };

size_t pointer_hash(const void *key, size_t slots) {
    return (size_t)(((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> 20) & (slots - 1);
}

static size_t slot_of(const struct pointer_set *set, const void *pointer) {
    size_t at = pointer_hash(pointer, set->slot_count);
    while (set->slots[at] != NULL && set->slots[at] != pointer)
        at = (at + 1) & (set->slot_count - 1);
    return at;
}

bool pointer_set_add(struct pointer_set *set, const void *pointer) {
    if (set->count * 2 >= set->slot_count) {
        struct pointer_set wider = {.count = set->count,
                                    .slot_count = set->slot_count == 0 ? SLOTS_FIRST : 2 * set->slot_count};
        wider.slots = take(wider.slot_count, sizeof *wider.slots);
        for (size_t k = 0; k < set->slot_count; k++)
            if (set->slots[k] != NULL) wider.slots[slot_of(&wider, set->slots[k])] = set->slots[k];
        free(set->slots);
        *set = wider;
    }
    size_t at = slot_of(set, pointer);
    if (set->slots[at] != NULL) return false;
    set->slots[at] = pointer;
    set->count++;
    return true;
}

void pointer_set_free(struct pointer_set *set) {
    free(set->slots);
    *set = (struct pointer_set){0};
}
