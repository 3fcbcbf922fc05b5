// Which channel orders and types images may have.
#include "opencl/image.h"
#include "opencl/info.h"

enum use {
    READS = 1,
    WRITES = 2,
};

// Bits of the channel types of one size and kind, from CL_SNORM_INT8 on.
#define TYPE(type) (1u << ((type)-CL_SNORM_INT8))
#define FRACTIONS (TYPE(CL_SNORM_INT8) | TYPE(CL_SNORM_INT16) | TYPE(CL_UNORM_INT8) | TYPE(CL_UNORM_INT16))
#define FLOATS (TYPE(CL_HALF_FLOAT) | TYPE(CL_FLOAT))
#define BYTES (TYPE(CL_SNORM_INT8) | TYPE(CL_UNORM_INT8) | TYPE(CL_SIGNED_INT8) | TYPE(CL_UNSIGNED_INT8))
#define INTEGERS                                                                                     \
    (TYPE(CL_SIGNED_INT8) | TYPE(CL_SIGNED_INT16) | TYPE(CL_SIGNED_INT32) | TYPE(CL_UNSIGNED_INT8) | \
     TYPE(CL_UNSIGNED_INT16) | TYPE(CL_UNSIGNED_INT32))
#define PACKED (TYPE(CL_UNORM_SHORT_565) | TYPE(CL_UNORM_SHORT_555) | TYPE(CL_UNORM_INT_101010))
#define USUAL (FRACTIONS | FLOATS | INTEGERS)

static const struct order {
    cl_channel_order order;
    unsigned channels;
    unsigned types;    // that OpenCL lets it have
    unsigned offered;  // of them
    unsigned uses;
} orders[] = {
    {CL_RGBA, 4, USUAL | TYPE(CL_UNORM_INT_101010_2), USUAL, READS | WRITES},
    {CL_BGRA, 4, BYTES, BYTES, READS | WRITES},
    {CL_R, 1, USUAL, USUAL, READS | WRITES},
    {CL_RG, 2, USUAL, USUAL, READS | WRITES},
    {CL_ARGB, 4, BYTES, BYTES, READS | WRITES},
    {CL_ABGR, 4, BYTES, BYTES, READS | WRITES},
    {CL_A, 1, USUAL, USUAL, READS | WRITES},
    {CL_RA, 2, USUAL, USUAL, READS | WRITES},
    {CL_INTENSITY, 1, FRACTIONS | FLOATS, FRACTIONS | FLOATS, READS | WRITES},
    {CL_LUMINANCE, 1, FRACTIONS | FLOATS, FRACTIONS | FLOATS, READS | WRITES},
    {CL_RGB, 3, PACKED, PACKED, READS | WRITES},
    {CL_sRGBA, 4, TYPE(CL_UNORM_INT8), TYPE(CL_UNORM_INT8), READS},
    {CL_sBGRA, 4, TYPE(CL_UNORM_INT8), TYPE(CL_UNORM_INT8), READS},
    {CL_DEPTH, 1, TYPE(CL_UNORM_INT16) | TYPE(CL_FLOAT), TYPE(CL_UNORM_INT16) | TYPE(CL_FLOAT), READS | WRITES},
    // Not offered:
    {CL_Rx, 2, USUAL, 0, 0},
    {CL_RGx, 3, USUAL, 0, 0},
    {CL_RGBx, 3, PACKED, 0, 0},
    {CL_sRGB, 3, TYPE(CL_UNORM_INT8), 0, 0},
    {CL_sRGBx, 4, TYPE(CL_UNORM_INT8), 0, 0},
};
#define ORDER_COUNT (sizeof orders / sizeof *orders)

bool image_type_is(cl_mem_object_type type) {
    return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

static const struct order *find(cl_channel_order order) {
    for (size_t k = 0; k < ORDER_COUNT; k++)
        if (orders[k].order == order) return &orders[k];
    return NULL;
}

static unsigned type_bit(cl_channel_type type) {
    return type >= CL_SNORM_INT8 && type <= CL_UNORM_INT_101010_2 ? TYPE(type) : 0;
}

static bool offered(const struct order *order, cl_mem_object_type type, cl_mem_flags flags) {
    const bool flat = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    const unsigned needed = (flags & CL_MEM_READ_ONLY) != 0    ? READS
                            : (flags & CL_MEM_WRITE_ONLY) != 0 ? WRITES
                                                               : READS | WRITES;
    return (order->uses & needed) == needed && (order->order != CL_DEPTH || flat);
}

cl_int image_format_check(const cl_image_format *format, cl_mem_object_type type, cl_mem_flags flags) {
    const struct order *order = format != NULL ? find(format->image_channel_order) : NULL;
    const unsigned bit = order != NULL ? type_bit(format->image_channel_data_type) : 0;
    if (bit == 0 || (order->types & bit) == 0) return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    return (order->offered & bit) != 0 && offered(order, type, flags) ? CL_SUCCESS : CL_IMAGE_FORMAT_NOT_SUPPORTED;
}

size_t image_texel_bytes(const cl_image_format *format) {
    const struct order *order = find(format->image_channel_order);
    const size_t channels = order != NULL ? order->channels : 0;
    switch (format->image_channel_data_type) {
        case CL_UNORM_SHORT_565:
        case CL_UNORM_SHORT_555: return 2;
        case CL_UNORM_INT_101010: return 4;
        case CL_SNORM_INT8:
        case CL_UNORM_INT8:
        case CL_SIGNED_INT8:
        case CL_UNSIGNED_INT8: return channels;
        case CL_SNORM_INT16:
        case CL_UNORM_INT16:
        case CL_SIGNED_INT16:
        case CL_UNSIGNED_INT16:
        case CL_HALF_FLOAT: return 2 * channels;
        default: return 4 * channels;
    }
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
                                              cl_uint num_entries, cl_image_format *image_formats,
                                              cl_uint *num_image_formats) {
    cl_uint count = 0;
    if (!object_lives(context, OBJECT_CONTEXT)) return CL_INVALID_CONTEXT;
    // Images that one kernel reads and writes have a flag of their own here.
    if (memory_flags_check(flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE) != CL_SUCCESS ||
        !image_type_is(image_type) || (num_entries == 0 && image_formats != NULL))
        return CL_INVALID_VALUE;
    for (size_t k = 0; k < ORDER_COUNT; k++) {
        if (!offered(&orders[k], image_type, flags)) continue;
        for (cl_channel_type type = CL_SNORM_INT8; type <= CL_UNORM_INT_101010_2; type++) {
            if ((orders[k].offered & TYPE(type)) == 0) continue;
            if (image_formats != NULL && count < num_entries)
                image_formats[count] = (cl_image_format){orders[k].order, type};
            count++;
        }
    }
    if (num_image_formats != NULL) *num_image_formats = count;
    return CL_SUCCESS;
}
