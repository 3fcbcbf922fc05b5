// Sets of addresses: what a walk has met already.
#ifndef TANDEM_COMPILER_BASE_POINTER_SET_H
#define TANDEM_COMPILER_BASE_POINTER_SET_H

#include "compiler/base/memory.h"

struct pointer_set {  // zero-initialized: empty
    const void **slots;
    size_t count, slot_count;
};

// False: it was there already.
bool pointer_set_add(struct pointer_set *set, const void *pointer);
void pointer_set_free(struct pointer_set *set);
// A slot of a table whose size is a power of two.
size_t pointer_hash(const void *key, size_t slots);

#endif
