// What tests of images begin with: a few formats and kinds, and images made, asked and refused.
#ifndef TANDEM_TESTS_OPENCL_IMAGE_OBJECTS_H
#define TANDEM_TESTS_OPENCL_IMAGE_OBJECTS_H

#include "opencl/world.h"

struct image_kind {
    cl_mem_object_type type;
    size_t width, height, depth, layers;
    size_t region[3];  // the whole
};
enum { IMAGE_KINDS = 5, IMAGE_BYTES_MAX = 11 * 6 * 4 * 4 };

extern const cl_image_format image_bytes4, image_shorts;
extern const struct image_kind image_kinds[IMAGE_KINDS];  // with and without layers, of one to three dimensions

// Bytes that differ from place to place, and by `start`.
void image_fill(unsigned char *to, size_t size, unsigned start);
cl_image_desc image_plane(size_t width, size_t height);
cl_image_desc image_describe(const struct image_kind *kind);
cl_mem image_make(const struct world *world, cl_mem_flags flags, const cl_image_format *format,
                  const cl_image_desc *desc, void *host);
// Asserts that there is no such image, with this error.
void image_refused(const struct world *world, cl_int error, cl_mem_flags flags, const cl_image_format *format,
                   const cl_image_desc *desc, void *host);
size_t image_asked(cl_mem image, cl_image_info what);

#endif
