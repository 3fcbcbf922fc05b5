// Memory in a checkpoint: pages that hold anything, and what an error of the memory may take back.
#include <string.h>

#include "mem/mem_internal.h"

#define PAGE_BYTES 4096u

static void own_pointers(struct mem *to, const struct mem *from) {
    to->run = from->run;
    to->wires = from->wires;
    to->given = from->given;
    to->bytes = from->bytes;
    to->own = from->own;
    to->records = from->records;
}

static void page(struct mem *mem, struct image *image, uint64_t at) {
    static const uint8_t zeros[PAGE_BYTES];
    uint8_t bytes[PAGE_BYTES];
    mem_get(mem, at, bytes, sizeof bytes);
    uint8_t there = memcmp(bytes, zeros, sizeof bytes) != 0;
    const bool was = there != 0;
    image_part(image, &there, 1);
    image_must(image, there <= 1);
    if (there == 0) memset(bytes, 0, sizeof bytes);
    if (there != 0) image_part(image, bytes, sizeof bytes);
    if (image->loading && !image->failed && (there != 0 || was)) mem_put(mem, at, bytes, sizeof bytes);
}

void mem_image(struct mem *mem, struct image *image) {
    static const struct mem none;
    struct mem copy;
    const size_t size = mem->size;
    memcpy(&copy, mem, sizeof copy);
    own_pointers(&copy, &none);
    image_part(image, &copy, sizeof copy);
    own_pointers(&copy, mem);
    image_must(image, copy.size == size);
    if (image->failed) return;
    memcpy(mem, &copy, sizeof copy);
    uint8_t records = mem->records != NULL;
    image_part(image, &records, 1);
    image_must(image, records <= 1);
    if (records != 0) mem_records_image(mem, image);
    for (uint64_t at = 0; at < size && !image->failed; at += PAGE_BYTES)
        page(mem, image, at);
}
