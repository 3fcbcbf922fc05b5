// Images whose texels are halfs to the program: the functions of floats (images.cl), rounded. By the names that clang
// calls both by.
#include "texels.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

static inline half4 rounded(float4 v) {
    return (half4)((half)v.x, (half)v.y, (half)v.z, (half)v.w);
}

static inline float4 widened(half4 v) {
    return (float4)((float)v.x, (float)v.y, (float)v.z, (float)v.w);
}

// name: of the functions here; kind: the image's in the symbol; mark: the coordinates' there.
#define SAMPLED(name, kind, type, mark)                                                                                \
    float4 name##_sampled_float(image_t image, uint sampler, type c)                                                   \
        __asm__("_Z11read_imagef" kind "_ro11ocl_sampler" mark);                                                       \
    half4 name##_sampled(image_t image, uint sampler, type c) __asm__("_Z11read_imageh" kind "_ro11ocl_sampler" mark); \
    half4 name##_sampled(image_t image, uint sampler, type c) {                                                        \
        return rounded(name##_sampled_float(image, sampler, c));                                                       \
    }
#define READ(name, kind, type, mark, access)                                                                           \
    float4 name##access##_float(image_t image, type c) __asm__("_Z11read_imagef" kind #access mark);                   \
    half4 name##access(image_t image, type c) __asm__("_Z11read_imageh" kind #access mark);                            \
    half4 name##access(image_t image, type c) {                                                                        \
        return rounded(name##access##_float(image, c));                                                                \
    }
#define WRITE(name, kind, type, mark, access)                                                                          \
    void name##access##_put_float(image_t image, type c, float4 v)                                                     \
        __asm__("_Z12write_imagef" kind #access mark "Dv4_f");                                                         \
    void name##access##_put(image_t image, type c, half4 v) __asm__("_Z12write_imageh" kind #access mark "Dv4_Dh");    \
    void name##access##_put(image_t image, type c, half4 v) {                                                          \
        name##access##_put_float(image, c, widened(v));                                                                \
    }
#define PLAIN(name, kind, type, mark)                                                                                  \
    READ(name, kind, type, mark, _ro)                                                                                  \
    READ(name, kind, type, mark, _rw)                                                                                  \
    WRITE(name, kind, type, mark, _wo)                                                                                 \
    WRITE(name, kind, type, mark, _rw)

SAMPLED(line, "14ocl_image1d", int, "i")
SAMPLED(lines, "20ocl_image1d_array", int2, "Dv2_i")
SAMPLED(plane, "14ocl_image2d", int2, "Dv2_i")
SAMPLED(planes, "20ocl_image2d_array", int4, "Dv4_i")
SAMPLED(room, "14ocl_image3d", int4, "Dv4_i")
SAMPLED(along_line, "14ocl_image1d", float, "f")
SAMPLED(along_lines, "20ocl_image1d_array", float2, "Dv2_f")
SAMPLED(within_plane, "14ocl_image2d", float2, "Dv2_f")
SAMPLED(within_planes, "20ocl_image2d_array", float4, "Dv4_f")
SAMPLED(within_room, "14ocl_image3d", float4, "Dv4_f")
PLAIN(line, "14ocl_image1d", int, "i")
PLAIN(buffer, "21ocl_image1d_buffer", int, "i")
PLAIN(lines, "20ocl_image1d_array", int2, "Dv2_i")
PLAIN(plane, "14ocl_image2d", int2, "Dv2_i")
PLAIN(planes, "20ocl_image2d_array", int4, "Dv4_i")
PLAIN(room, "14ocl_image3d", int4, "Dv4_i")
