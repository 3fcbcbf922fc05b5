// The state of a device as bytes, for checkpoints: what one device has written another one of the same make reads. Each
// unit writes its structs as they are, without what belongs to one process: pointers.
#ifndef TANDEM_BASE_IMAGE_H
#define TANDEM_BASE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image {
    bool loading;
    bool failed;     // saving: no memory; loading: it ended too early, or something in it cannot be
    uint8_t *bytes;  // saving: malloc'ed, the caller's
    size_t size, at, room;
};

// Saves or loads these bytes. When it has failed nothing is done.
void image_part(struct image *image, void *part, size_t size);
// Memory, page by page without those of zeros; size: a multiple of IMAGE_PAGE_BYTES.
#define IMAGE_PAGE_BYTES 4096u
void image_memory(struct image *image, uint8_t *memory, size_t size);
// Size of a pointer and order of bytes: files with images are of one kind of machine.
uint32_t image_machine(void);
// Says of something loaded that it cannot be.
static inline void image_must(struct image *image, bool good) {
    if (image->loading && !good) image->failed = true;
}

#endif
