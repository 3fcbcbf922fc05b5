// What a kernel knows of an image: its argument is the address of one of these, which the runtime writes into memory of
// the context when the image is made. Said once for the threads (images.cl) and the runtime (opencl/image.c); words only.
#ifndef TANDEM_IMAGE_H
#define TANDEM_IMAGE_H

#define IMAGE_WORDS 16u

enum image_word {
    IMAGE_TEXELS,       // address of the first
    IMAGE_ROW_PITCH,    // bytes
    IMAGE_SLICE_PITCH,  // bytes; of arrays: from layer to layer
    IMAGE_WIDTH,
    IMAGE_HEIGHT,       // 1: there is none
    IMAGE_DEPTH,        // of arrays: the layers; 1: there is none
    IMAGE_ORDER,        // CL_RGBA and its like
    IMAGE_TYPE,         // CL_FLOAT and its like
    IMAGE_TEXEL_BYTES,  // 1, 2, 4, 8, 16
    IMAGE_CHANNELS,     // in memory: 1 to 4
    IMAGE_BORDER,       // alpha of what lies outside: 0 or 1
    IMAGE_FAST,         // 1: four floats, red first; reads of it take no detour
};

// Channel orders and types, by OpenCL's numbers.
#define IMAGE_R 0x10B0u
#define IMAGE_A 0x10B1u
#define IMAGE_RG 0x10B2u
#define IMAGE_RA 0x10B3u
#define IMAGE_RGB 0x10B4u
#define IMAGE_RGBA 0x10B5u
#define IMAGE_BGRA 0x10B6u
#define IMAGE_ARGB 0x10B7u
#define IMAGE_INTENSITY 0x10B8u
#define IMAGE_LUMINANCE 0x10B9u
#define IMAGE_SRGBA 0x10C1u
#define IMAGE_SBGRA 0x10C2u
#define IMAGE_ABGR 0x10C3u

#define IMAGE_SNORM8 0x10D0u
#define IMAGE_SNORM16 0x10D1u
#define IMAGE_UNORM8 0x10D2u
#define IMAGE_UNORM16 0x10D3u
#define IMAGE_565 0x10D4u
#define IMAGE_555 0x10D5u
#define IMAGE_101010 0x10D6u
#define IMAGE_INT8 0x10D7u
#define IMAGE_INT16 0x10D8u
#define IMAGE_INT32 0x10D9u
#define IMAGE_UINT8 0x10DAu
#define IMAGE_UINT16 0x10DBu
#define IMAGE_UINT32 0x10DCu
#define IMAGE_HALF 0x10DDu
#define IMAGE_FLOAT 0x10DEu

// Samplers, as clang numbers them.
#define SAMPLER_NORMALIZED 1u
#define SAMPLER_ADDRESSING 0xEu
#define SAMPLER_NONE 0u
#define SAMPLER_CLAMP_TO_EDGE 2u
#define SAMPLER_CLAMP 4u
#define SAMPLER_REPEAT 6u
#define SAMPLER_MIRRORED_REPEAT 8u
#define SAMPLER_NEAREST 0x10u
#define SAMPLER_LINEAR 0x20u

#endif
