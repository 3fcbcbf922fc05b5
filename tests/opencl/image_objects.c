// What tests of images begin with.
#include "opencl/image_objects.h"

const cl_image_format image_bytes4 = {CL_RGBA, CL_UNORM_INT8}, image_shorts = {CL_R, CL_UNSIGNED_INT16};

void image_fill(unsigned char *to, size_t size, unsigned start) {
    for (size_t k = 0; k < size; k++)
        to[k] = (unsigned char)(start + k * 7 + k / 256);
}

cl_image_desc image_plane(size_t width, size_t height) {
    return (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
}

cl_mem image_make(const struct world *world, cl_mem_flags flags, const cl_image_format *format,
                  const cl_image_desc *desc, void *host) {
    cl_int error = CL_SUCCESS;
    cl_mem image = clCreateImage(world->context, flags, format, desc, host, &error);
    GOOD(error);
    return image;
}

void image_refused(const struct world *world, cl_int error, cl_mem_flags flags, const cl_image_format *format,
                   const cl_image_desc *desc, void *host) {
    cl_int got = CL_SUCCESS;
    cr_expect_null(clCreateImage(world->context, flags, format, desc, host, &got));
    cr_expect_eq(got, error, "%d, not %d", got, error);
}

size_t image_asked(cl_mem image, cl_image_info what) {
    size_t value = 0;
    GOOD(clGetImageInfo(image, what, sizeof value, &value, NULL));
    return value;
}

const struct image_kind image_kinds[IMAGE_KINDS] = {
    {CL_MEM_OBJECT_IMAGE1D, 11, 0, 0, 0, {11, 1, 1}}, {CL_MEM_OBJECT_IMAGE1D_ARRAY, 11, 0, 0, 5, {11, 5, 1}},
    {CL_MEM_OBJECT_IMAGE2D, 11, 6, 0, 0, {11, 6, 1}}, {CL_MEM_OBJECT_IMAGE2D_ARRAY, 11, 6, 0, 4, {11, 6, 4}},
    {CL_MEM_OBJECT_IMAGE3D, 11, 6, 4, 0, {11, 6, 4}},
};

cl_image_desc image_describe(const struct image_kind *kind) {
    return (cl_image_desc){.image_type = kind->type,
                           .image_width = kind->width,
                           .image_height = kind->height,
                           .image_depth = kind->depth,
                           .image_array_size = kind->layers};
}
