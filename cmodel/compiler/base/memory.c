// Memory that is there or ends the compilation: see memory.h.
#include "compiler/base/memory.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/shortage.h"

void *take(size_t count, size_t size) {
    void *memory = calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);
    if (memory == NULL) shortage_end();
    return memory;
}

void *grow(void *array, size_t count, size_t *capacity, size_t element) {
    if (count < *capacity) return array;
    size_t wanted = *capacity < 8 ? 8 : *capacity * 2;
    void *moved = take(wanted, element);
    if (*capacity > 0) memcpy(moved, array, *capacity * element);
    free(array);
    *capacity = wanted;
    return moved;
}
