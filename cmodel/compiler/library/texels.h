// What texels.cl gives images.cl. An image is the words of image.h, at an address of constant memory.
#ifndef TANDEM_TEXELS_H
#define TANDEM_TEXELS_H

#include "image.h"
#include "tandem.h"

typedef const __constant uint *image_t;

// The texel at an address, as floats and as integers (those without sign too).
float4 tandem_texel_float(image_t image, uint address);
uint4 tandem_texel_int(image_t image, uint address);
void tandem_texel_put_float(image_t image, uint address, float4 v);
void tandem_texel_put_int(image_t image, uint address, uint4 v);

#endif
