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
