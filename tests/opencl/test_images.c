// Images and samplers as objects: made, asked, released; what is refused.
#include <stdio.h>
#include <string.h>

#include "opencl/image_objects.h"

static struct world world;

static void open_small(void) {
    world_open(&world, NULL, 0);
}
static void close_world(void) {
    world_close(&world);
}

TestSuite(images, .init = open_small, .fini = close_world);

Test(images, told, .description = "CL-2 images tell their sizes, pitches and formats [model]") {
    for (size_t k = 0; k < IMAGE_KINDS; k++) {
        const struct image_kind *kind = &image_kinds[k];
        const cl_image_desc desc = image_describe(kind);
        cl_mem image = image_make(&world, 0, &image_bytes4, &desc, NULL);
        cl_mem_object_type type = 0;
        cl_image_format format = {0, 0};
        cl_uint references = 0, levels = 1;
        cl_mem_flags flags = 0;
        size_t size = 0;
        const bool slices = kind->depth > 0 || kind->layers > 0;
        cr_expect_eq(image_asked(image, CL_IMAGE_WIDTH), kind->width);
        cr_expect_eq(image_asked(image, CL_IMAGE_HEIGHT), kind->height);
        cr_expect_eq(image_asked(image, CL_IMAGE_DEPTH), kind->depth);
        cr_expect_eq(image_asked(image, CL_IMAGE_ARRAY_SIZE), kind->layers);
        cr_expect_eq(image_asked(image, CL_IMAGE_ELEMENT_SIZE), 4);
        cr_expect_eq(image_asked(image, CL_IMAGE_ROW_PITCH), 44);
        cr_expect_eq(image_asked(image, CL_IMAGE_SLICE_PITCH), slices ? 44 * (kind->height > 0 ? kind->height : 1) : 0);
        GOOD(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, &size));
        cr_expect(size == sizeof format && format.image_channel_order == CL_RGBA);
        cr_expect_eq(format.image_channel_data_type, CL_UNORM_INT8);
        GOOD(clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels, NULL));
        cr_expect_eq(levels, 0);
        GOOD(clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL));
        cr_expect_eq(type, kind->type);
        GOOD(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof size, &size, NULL));
        cr_expect_eq(size, 4 * kind->region[0] * kind->region[1] * kind->region[2]);
        GOOD(clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
        cr_expect_eq(flags, CL_MEM_READ_WRITE);
        GOOD(clRetainMemObject(image));
        GOOD(clGetMemObjectInfo(image, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL));
        cr_expect_eq(references, 2);
        BAD(CL_INVALID_VALUE, clGetImageInfo(image, CL_MEM_TYPE, sizeof size, &size, NULL));
        BAD(CL_INVALID_VALUE, clGetImageInfo(image, CL_IMAGE_FORMAT, 4, &format, NULL));
        GOOD(clReleaseMemObject(image));
        GOOD(clReleaseMemObject(image));
    }
    cl_mem buffer = world_buffer(&world, 0, 64, NULL);
    size_t size = 0;
    BAD(CL_INVALID_MEM_OBJECT, clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof size, &size, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clGetImageInfo(NULL, CL_IMAGE_WIDTH, sizeof size, &size, NULL));
    GOOD(clReleaseMemObject(buffer));
}

// ---- what is refused ----

Test(images, refused, .description = "CL-2 images that cannot be: each error [model]") {
    unsigned char host[4096];
    cl_int error = CL_SUCCESS;
    const cl_image_desc good = image_plane(16, 8);
    cl_image_desc bad = good;
    cr_expect_null(clCreateImage(NULL, 0, &image_bytes4, &good, NULL, &error));
    BAD(CL_INVALID_CONTEXT, error);
    const cl_mem_properties unknown[] = {0x1234, 1, 0};
    cr_expect_null(clCreateImageWithProperties(world.context, unknown, 0, &image_bytes4, &good, NULL, &error));
    BAD(CL_INVALID_PROPERTY, error);
    image_refused(&world, CL_INVALID_VALUE, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &image_bytes4, &good, NULL);
    image_refused(&world, CL_INVALID_VALUE, CL_MEM_KERNEL_READ_AND_WRITE, &image_bytes4, &good, NULL);
    image_refused(&world, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, NULL, &good, NULL);
    image_refused(&world, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &(cl_image_format){0x9999, CL_FLOAT}, &good, NULL);
    image_refused(&world, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &(cl_image_format){CL_RGBA, 0x9999}, &good, NULL);
    image_refused(&world, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &(cl_image_format){CL_RGBA, CL_UNORM_SHORT_565}, &good,
                  NULL);
    image_refused(&world, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &(cl_image_format){CL_BGRA, CL_FLOAT}, &good, NULL);
    image_refused(&world, CL_INVALID_IMAGE_DESCRIPTOR, 0, &image_bytes4, NULL, NULL);
    bad.image_type = CL_MEM_OBJECT_BUFFER;
    image_refused(&world, CL_INVALID_IMAGE_DESCRIPTOR, 0, &image_bytes4, &bad, NULL);
    bad = good, bad.num_mip_levels = 1;
    image_refused(&world, CL_INVALID_IMAGE_DESCRIPTOR, 0, &image_bytes4, &bad, NULL);
    bad = good, bad.num_samples = 1;
    image_refused(&world, CL_INVALID_IMAGE_DESCRIPTOR, 0, &image_bytes4, &bad, NULL);
    bad = good, bad.image_height = 0;
    image_refused(&world, CL_INVALID_IMAGE_DESCRIPTOR, 0, &image_bytes4, &bad, NULL);
    bad = good, bad.image_row_pitch = 64;  // without host memory
    image_refused(&world, CL_INVALID_IMAGE_DESCRIPTOR, 0, &image_bytes4, &bad, NULL);
    bad.image_row_pitch = 60;
    image_refused(&world, CL_INVALID_IMAGE_DESCRIPTOR, CL_MEM_COPY_HOST_PTR, &image_bytes4, &bad, host);
    bad.image_row_pitch = 66;
    image_refused(&world, CL_INVALID_IMAGE_DESCRIPTOR, CL_MEM_COPY_HOST_PTR, &image_bytes4, &bad, host);
    bad = good, bad.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    image_refused(&world, CL_INVALID_IMAGE_DESCRIPTOR, 0, &image_bytes4, &bad, NULL);
    bad = image_plane(16385, 1);
    image_refused(&world, CL_INVALID_IMAGE_SIZE, 0, &image_bytes4, &bad, NULL);
    bad = image_plane(16384, 16384);
    image_refused(&world, CL_INVALID_IMAGE_SIZE, 0, &(cl_image_format){CL_RGBA, CL_FLOAT}, &bad, NULL);
    bad =
        (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 2049, .image_height = 1, .image_depth = 1};
    image_refused(&world, CL_INVALID_IMAGE_SIZE, 0, &image_bytes4, &bad, NULL);
    image_refused(&world, CL_INVALID_HOST_PTR, CL_MEM_COPY_HOST_PTR, &image_bytes4, &good, NULL);
    image_refused(&world, CL_INVALID_HOST_PTR, 0, &image_bytes4, &good, host);
    image_refused(&world, CL_IMAGE_FORMAT_NOT_SUPPORTED, 0, &(cl_image_format){CL_RGBx, CL_UNORM_SHORT_565}, &good,
                  NULL);
    image_refused(&world, CL_IMAGE_FORMAT_NOT_SUPPORTED, CL_MEM_WRITE_ONLY, &(cl_image_format){CL_sRGBA, CL_UNORM_INT8},
                  &good, NULL);
    bad = good, bad.image_type = CL_MEM_OBJECT_IMAGE3D, bad.image_depth = 2;
    image_refused(&world, CL_IMAGE_FORMAT_NOT_SUPPORTED, 0, &(cl_image_format){CL_DEPTH, CL_FLOAT}, &bad, NULL);
    cl_mem buffer = world_buffer(&world, CL_MEM_READ_ONLY, 511, NULL);
    bad = good, bad.mem_object = buffer;  // 512 bytes
    image_refused(&world, CL_INVALID_IMAGE_DESCRIPTOR, 0, &image_bytes4, &bad, NULL);
    bad.image_height = 7;
    image_refused(&world, CL_INVALID_VALUE, CL_MEM_READ_WRITE, &image_bytes4, &bad, NULL);
    image_refused(&world, CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR, &image_bytes4, &bad, NULL);
    image_refused(&world, CL_INVALID_HOST_PTR, CL_MEM_COPY_HOST_PTR, &image_bytes4, &bad, host);
    bad.image_type = CL_MEM_OBJECT_IMAGE3D, bad.image_depth = 1;
    image_refused(&world, CL_INVALID_IMAGE_DESCRIPTOR, 0, &image_bytes4, &bad, NULL);
    GOOD(clReleaseMemObject(buffer));
    cr_expect_null(clCreateImage2D(world.context, 0, &image_bytes4, 0, 4, 0, NULL, &error));
    BAD(CL_INVALID_IMAGE_SIZE, error);
    cl_mem old = clCreateImage2D(world.context, CL_MEM_COPY_HOST_PTR, &image_bytes4, 8, 4, 40, host, &error);
    GOOD(error);
    GOOD(clReleaseMemObject(old));
    old = clCreateImage3D(world.context, 0, &image_bytes4, 8, 4, 2, 0, 0, NULL, &error);
    GOOD(error);
    cr_expect_eq(image_asked(old, CL_IMAGE_DEPTH), 2);
    GOOD(clReleaseMemObject(old));
}

Test(images, formats, .description = "CL-2 the formats that every device must have are there; misuse [model]") {
    static const cl_channel_order must[] = {CL_R, CL_RG, CL_RGBA};
    static const cl_channel_type types[] = {CL_UNORM_INT8,     CL_UNORM_INT16,    CL_SNORM_INT8,   CL_SNORM_INT16,
                                            CL_SIGNED_INT8,    CL_SIGNED_INT16,   CL_SIGNED_INT32, CL_UNSIGNED_INT8,
                                            CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
    static const cl_mem_flags uses[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE,
                                        CL_MEM_KERNEL_READ_AND_WRITE};
    cl_image_format list[256];
    cl_uint count = 0, again = 0;
    for (size_t u = 0; u < 4; u++)
        for (cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D; type <= CL_MEM_OBJECT_IMAGE1D_BUFFER; type++) {
            GOOD(clGetSupportedImageFormats(world.context, uses[u], type, 256, list, &count));
            GOOD(clGetSupportedImageFormats(world.context, uses[u], type, 0, NULL, &again));
            cr_expect_eq(count, again);
            for (size_t k = 0; k < 36 + 1; k++) {
                const cl_image_format wanted = {k == 36 ? CL_BGRA : must[k / 12],
                                                k == 36 ? CL_UNORM_INT8 : types[k % 12]};
                bool found = false;
                for (cl_uint f = 0; f < count; f++)
                    found |= memcmp(&list[f], &wanted, sizeof wanted) == 0;
                cr_expect(found, "order %x, type %x", wanted.image_channel_order, wanted.image_channel_data_type);
            }
        }
    BAD(CL_INVALID_CONTEXT, clGetSupportedImageFormats(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 256, list, &count));
    BAD(CL_INVALID_VALUE, clGetSupportedImageFormats(world.context, 0, CL_MEM_OBJECT_BUFFER, 256, list, &count));
    BAD(CL_INVALID_VALUE, clGetSupportedImageFormats(world.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, list, &count));
    BAD(CL_INVALID_VALUE, clGetSupportedImageFormats(world.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                                     CL_MEM_OBJECT_IMAGE2D, 256, list, &count));
}

Test(images, samplers, .description = "CL-2 samplers: made, told, counted, refused [model]") {
    cl_int error = CL_SUCCESS;
    cl_uint value = 99;
    cl_context context = NULL;
    cl_sampler_properties told[8] = {0};
    size_t size = 0;
    const cl_sampler_properties given[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE,
                                           CL_FILTER_LINEAR, 0};
    const cl_sampler_properties unknown[] = {0x1234, 1, 0};
    cl_sampler sampler = clCreateSamplerWithProperties(world.context, given, &error);
    GOOD(error);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, sizeof value, &value, NULL));
    cr_expect_eq(value, CL_FILTER_LINEAR);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof value, &value, NULL));
    cr_expect_eq(value, CL_ADDRESS_CLAMP);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_NORMALIZED_COORDS, sizeof value, &value, NULL));
    cr_expect_eq(value, CL_TRUE);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_CONTEXT, sizeof(cl_context), &context, NULL));
    cr_expect_eq(context, world.context);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof told, told, &size));
    cr_expect(size == sizeof given && memcmp(told, given, size) == 0);
    BAD(CL_INVALID_VALUE, clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 8, told, &size));
    BAD(CL_INVALID_VALUE, clGetSamplerInfo(sampler, CL_MEM_TYPE, sizeof told, told, &size));
    GOOD(clRetainSampler(sampler));
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_REFERENCE_COUNT, sizeof value, &value, NULL));
    cr_expect_eq(value, 2);
    GOOD(clReleaseSampler(sampler));
    GOOD(clReleaseSampler(sampler));
    BAD(CL_INVALID_SAMPLER, clRetainSampler(NULL));
    BAD(CL_INVALID_SAMPLER, clReleaseSampler((cl_sampler)(void *)world.context));
    BAD(CL_INVALID_SAMPLER, clGetSamplerInfo(NULL, CL_SAMPLER_FILTER_MODE, sizeof value, &value, NULL));
    cr_expect_null(clCreateSamplerWithProperties(NULL, given, &error));
    BAD(CL_INVALID_CONTEXT, error);
    cr_expect_null(clCreateSamplerWithProperties(world.context, twice, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateSamplerWithProperties(world.context, unknown, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateSampler(world.context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateSampler(world.context, CL_TRUE, 0x1234, CL_FILTER_NEAREST, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateSampler(world.context, CL_TRUE, CL_ADDRESS_CLAMP, 0x1234, &error));
    BAD(CL_INVALID_VALUE, error);
}
