#include "base/image.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct image *image, size_t size) {
    if (size <= image->room - image->at) return true;
    const size_t room = 2 * image->room + size;
    uint8_t *bytes = realloc(image->bytes, room);
    if (bytes == NULL) return false;
    image->bytes = bytes;
    image->room = room;
    return true;
}

void image_part(struct image *image, void *part, size_t size) {
    if (image->failed || size == 0) return;
    image->failed = image->loading ? size > image->size - image->at : !make_room(image, size);
    if (image->failed) return;
    if (image->loading) {
        memcpy(part, image->bytes + image->at, size);
    } else {
        memcpy(image->bytes + image->at, part, size);
    }
    image->at += size;
    if (!image->loading) image->size = image->at;
}

void image_memory(struct image *image, uint8_t *memory, size_t size) {
    static const uint8_t zeros[IMAGE_PAGE_BYTES];
    for (size_t at = 0; at < size && !image->failed; at += IMAGE_PAGE_BYTES) {
        const bool was = memcmp(&memory[at], zeros, sizeof zeros) != 0;
        uint8_t there = was ? 1 : 0;
        image_part(image, &there, 1);
        image_must(image, there <= 1);
        if (there != 0) image_part(image, &memory[at], IMAGE_PAGE_BYTES);
        if (there == 0 && was) memset(&memory[at], 0, IMAGE_PAGE_BYTES);
    }
}

uint32_t image_machine(void) {
    const uint16_t order = 1;
    uint8_t first;
    memcpy(&first, &order, 1);
    return (uint32_t)sizeof(void *) << 8 | first;
}
