// Images: memory objects whose bytes are texels, row after row. Devices keep them as the host sees them: no tiles. A kernel
// gets the address of an image's words (compiler/library/image.h), which are written once on each device.
#ifndef TANDEM_OPENCL_IMAGE_H
#define TANDEM_OPENCL_IMAGE_H

#include "opencl/memory.h"
#include "opencl/queue.h"

#define IMAGE_SIDE_MAX 16384u  // of 1D and 2D images
#define IMAGE_DEPTH_MAX 2048u  // all sides of 3D images; layers of arrays
#define IMAGE_BUFFER_MAX (1u << 27)
#define IMAGE_ARGUMENTS_MAX 128u  // of a kernel
#define SAMPLERS_MAX 16u

struct image {
    cl_image_format format;
    cl_mem_object_type type;
    size_t texel_bytes;
    size_t width, height, depth;  // 1: there is none; depth: also the layers of arrays
    size_t row_pitch, slice_pitch;
    cl_mem from;  // whose memory it has, held; NULL: its own
    struct {
        tandem_addr address;
        bool allocated;
    } words[DEVICES_MAX];
};

// What belongs to the image of a memory object that goes.
void image_free(cl_mem memory);
// Slices or layers, so that a slice pitch means something.
bool image_has_slices(cl_mem image);
// The part of an image that begins at origin, as bytes. CL_INVALID_VALUE: it is not inside, or not one of such an image.
cl_int image_box(cl_mem image, const size_t *origin, const size_t *region, struct box *box, size_t *bytes);
// The checks that commands on a part of an image begin with, and image_box().
cl_int image_check(cl_command_queue queue, cl_mem image, const size_t *origin, const size_t *region, struct box *box,
                   size_t *bytes);
// The words that a kernel on the place gets the address of.
tandem_addr image_words(cl_mem image, const struct place *place);

// image_formats.c

// Of a texel. 0: there are no such.
size_t image_texel_bytes(const cl_image_format *format);
// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR: OpenCL has no such format; CL_IMAGE_FORMAT_NOT_SUPPORTED: for such images and uses
// it is not there.
cl_int image_format_check(const cl_image_format *format, cl_mem_object_type type, cl_mem_flags flags);
// Is it a type of images?
bool image_type_is(cl_mem_object_type type);

// image_color.c

// A texel of one color: four floats, or integers for integer formats; of depths one float.
void image_color(const cl_image_format *format, const void *color, unsigned char *texel);

// sampler.c
struct _cl_sampler {
    struct object object;
    cl_context context;
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    cl_sampler_properties properties[7];
    size_t property_count;
};
// As kernels have it.
cl_uint sampler_number(cl_sampler sampler);

#endif
