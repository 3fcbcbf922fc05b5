// Images as test_texels.c and test_samplers.c have them on the host: what a texel is as a color and the other way round,
// by the specification's words, and random numbers.
#ifndef TANDEM_TESTS_OPENCL_TEXELS_H
#define TANDEM_TESTS_OPENCL_TEXELS_H

#include <stdbool.h>
#include <stdint.h>

#include "opencl/world.h"

union color {
    float f[4];
    int32_t i[4];
    uint32_t u[4];
};

size_t texel_bytes(const cl_image_format *format);
size_t channel_bytes(cl_channel_type type);
bool is_integer(cl_channel_type type);
bool is_signed(cl_channel_type type);
uint32_t half_bits(float x);
union color reference_read(const cl_image_format *format, const unsigned char *texel);
void reference_write(const cl_image_format *format, const union color *color, unsigned char *texel);

// Prints the seed that repeats the run of `name`.
void draw_begin(const char *name);
uint32_t draw(void);
float draw_between(float least, float most);

cl_mem new_image(struct world *world, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
                 void *host);
// The kernel of this name over width x height, with an image, a sampler (NULL: none) and the other memory.
void run_on_image(struct world *world, cl_program program, const char *name, size_t count, const cl_mem *memory,
                  const cl_sampler *sampler, size_t width, size_t height);

#endif
