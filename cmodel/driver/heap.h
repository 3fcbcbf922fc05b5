// First-fit allocator of device memory. It keeps its books on the host; device memory itself is not touched.
#ifndef TANDEM_DRIVER_HEAP_H
#define TANDEM_DRIVER_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_piece {
    uint64_t start, size;
    bool used;
};

struct heap {
    struct heap_piece *pieces;  // in order of address, together the whole range
    size_t count, room;
};

// The range [start, start + size). False when host memory is short.
bool heap_init(struct heap *heap, uint64_t start, uint64_t size);
void heap_destroy(struct heap *heap);
// alignment: a power of two. False: no piece is large enough (or host memory is short).
bool heap_alloc(struct heap *heap, uint64_t size, uint64_t alignment, uint64_t *start);
// False: start was not given out by heap_alloc, or is free already.
bool heap_free(struct heap *heap, uint64_t start);
// The piece that is given out and has this address. False: there is none.
bool heap_find(const struct heap *heap, uint64_t address, uint64_t *start, uint64_t *size);
uint64_t heap_available(const struct heap *heap);

#endif
