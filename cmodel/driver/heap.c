#include "driver/heap.h"

#include <stdlib.h>
#include <string.h>

bool heap_init(struct heap *heap, uint64_t start, uint64_t size) {
    *heap = (struct heap){.pieces = malloc(16 * sizeof *heap->pieces), .room = 16};
    if (heap->pieces == NULL) return false;
    heap->pieces[heap->count++] = (struct heap_piece){start, size, false};
    return true;
}

void heap_destroy(struct heap *heap) {
    free(heap->pieces);
    *heap = (struct heap){0};
}

// Cuts piece i in two at `size` bytes; both halves keep its state.
static void split(struct heap *heap, size_t i, uint64_t size) {
    struct heap_piece *piece = &heap->pieces[i];
    if (size == 0 || size == piece->size) return;
    memmove(piece + 2, piece + 1, (heap->count - i - 1) * sizeof *piece);
    piece[1] = (struct heap_piece){piece->start + size, piece->size - size, piece->used};
    piece->size = size;
    heap->count++;
}

bool heap_alloc(struct heap *heap, uint64_t size, uint64_t alignment, uint64_t *start) {
    if (heap->count + 2 > heap->room) {
        struct heap_piece *more = realloc(heap->pieces, 2 * heap->room * sizeof *more);
        if (more == NULL) return false;
        heap->pieces = more;
        heap->room *= 2;
    }
    if (size == 0) size = 1;
    for (size_t i = 0; i < heap->count; i++) {
        const struct heap_piece *piece = &heap->pieces[i];
        uint64_t first = (piece->start + alignment - 1) & ~(alignment - 1);
        uint64_t skipped = first - piece->start;
        if (piece->used || skipped > piece->size || piece->size - skipped < size) continue;
        if (skipped > 0) split(heap, i++, skipped);
        split(heap, i, size);
        heap->pieces[i].used = true;
        *start = first;
        return true;
    }
    return false;
}

static void join_with_next(struct heap *heap, size_t i) {
    if (i + 1 >= heap->count || heap->pieces[i].used || heap->pieces[i + 1].used) return;
    heap->pieces[i].size += heap->pieces[i + 1].size;
    memmove(&heap->pieces[i + 1], &heap->pieces[i + 2], (heap->count - i - 2) * sizeof heap->pieces[0]);
    heap->count--;
}

bool heap_free(struct heap *heap, uint64_t start) {
    for (size_t i = 0; i < heap->count; i++) {
        if (heap->pieces[i].start != start || !heap->pieces[i].used) continue;
        heap->pieces[i].used = false;
        join_with_next(heap, i);
        if (i > 0) join_with_next(heap, i - 1);
        return true;
    }
    return false;
}

bool heap_find(const struct heap *heap, uint64_t address, uint64_t *start, uint64_t *size) {
    size_t low = 0, high = heap->count;  // the piece, if there is one, is one of these
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (heap->pieces[middle].start <= address) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const struct heap_piece *piece = &heap->pieces[low];
    if (low == high || !piece->used || address < piece->start || address - piece->start >= piece->size) return false;
    *start = piece->start;
    *size = piece->size;
    return true;
}

uint64_t heap_available(const struct heap *heap) {
    uint64_t sum = 0;
    for (size_t i = 0; i < heap->count; i++)
        sum += heap->pieces[i].used ? 0 : heap->pieces[i].size;
    return sum;
}
