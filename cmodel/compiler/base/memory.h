// Memory of the child process. It serves one compilation and then ends, so not everything is freed piece by piece.
#ifndef TANDEM_COMPILER_BASE_MEMORY_H
#define TANDEM_COMPILER_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The number of none of a list's elements: no register, no block, no node.
enum { NONE = 0xFFFFFFFFu };

// Zeroed memory; ends the process when there is none (shortage.h). free() by whoever wants to.
void *take(size_t count, size_t size);
// Makes room for one more element: returns the array, moved if need be.
void *grow(void *array, size_t count, size_t *capacity, size_t element);

#endif
