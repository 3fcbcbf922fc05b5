// Images: made of a description, with memory of their own or of a buffer or of another image.
#include "opencl/image.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/library/image.h"
#include "opencl/info.h"
#include "opencl/transfer.h"

#define WORDS_ALIGNMENT 64u

tandem_addr image_words(cl_mem image, const struct place *place) {
    return image->image->words[context_index(image->context, place)].address;
}

bool image_has_slices(cl_mem image) {
    return image->image->type == CL_MEM_OBJECT_IMAGE3D || image->image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
           image->image->type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

void image_free(cl_mem memory) {
    cl_context context = memory->context;
    struct image *image = memory->image;
    for (cl_uint k = 0; k < context->count && !devices_ending(); k++)
        if (image->words[k].allocated) (void)tandem_space_free(context->places[k].space, image->words[k].address);
    object_drop(image->from);
    free(image);
    memory->image = NULL;
}

cl_int image_box(cl_mem memory, const size_t *origin, const size_t *region, struct box *box, size_t *bytes) {
    const struct image *image = memory->image;
    const bool lines = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const size_t sizes[3] = {image->width, lines ? image->depth : image->height, lines ? 1 : image->depth};
    if (origin == NULL || region == NULL) return CL_INVALID_VALUE;
    for (size_t d = 0; d < 3; d++)
        if (region[d] == 0 || origin[d] >= sizes[d] || region[d] > sizes[d] - origin[d]) return CL_INVALID_VALUE;
    const size_t row_pitch = lines ? image->slice_pitch : image->row_pitch;
    *box = (struct box){origin[0] * image->texel_bytes + origin[1] * row_pitch + origin[2] * image->slice_pitch,
                        row_pitch, image->slice_pitch};
    bytes[0] = region[0] * image->texel_bytes;
    bytes[1] = region[1];
    bytes[2] = region[2];
    return CL_SUCCESS;
}

cl_int image_check(cl_command_queue queue, cl_mem image, const size_t *origin, const size_t *region, struct box *box,
                   size_t *bytes) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!memory_is_image(image)) return CL_INVALID_MEM_OBJECT;
    if (image->context != queue->context) return CL_INVALID_CONTEXT;
    return image_box(image, origin, region, box, bytes);
}

// ---- made ----

// Of orders without alpha in memory what lies outside is opaque.
static cl_uint border_of(cl_channel_order order) {
    return order == CL_R || order == CL_RG || order == CL_RGB || order == CL_LUMINANCE ? 1 : 0;
}

// The words on every device.
static cl_int write_words(cl_mem memory) {
    struct image *image = memory->image;
    const cl_channel_order order = image->format.image_channel_order;
    const cl_channel_type type = image->format.image_channel_data_type;
    const cl_image_format one = {CL_R, type};
    cl_context context = memory->context;
    cl_int error = CL_SUCCESS;
    for (cl_uint k = 0; k < context->count && error == CL_SUCCESS; k++) {
        struct place *place = &context->places[k];
        const cl_uint words[IMAGE_WORDS] = {
            [IMAGE_TEXELS] = memory_address(memory, place),
            [IMAGE_ROW_PITCH] = (cl_uint)image->row_pitch,
            [IMAGE_SLICE_PITCH] = (cl_uint)image->slice_pitch,
            [IMAGE_WIDTH] = (cl_uint)image->width,
            [IMAGE_HEIGHT] = (cl_uint)image->height,
            [IMAGE_DEPTH] = (cl_uint)image->depth,
            [IMAGE_ORDER] = order,
            [IMAGE_TYPE] = type,
            [IMAGE_TEXEL_BYTES] = (cl_uint)image->texel_bytes,
            [IMAGE_CHANNELS] = order == CL_RGB ? 3 : (cl_uint)(image->texel_bytes / image_texel_bytes(&one)),
            [IMAGE_BORDER] = border_of(order),
            [IMAGE_FAST] = order == CL_RGBA && type == CL_FLOAT,
        };
        enum tandem_status status =
            tandem_space_alloc(place->space, sizeof words, WORDS_ALIGNMENT, &image->words[k].address);
        image->words[k].allocated = status == TANDEM_OK;
        if (status == TANDEM_OK)
            status = tandem_space_write(place->space, image->words[k].address, words, sizeof words);
        error = device_error(place->device, status);
    }
    return error;
}

// The host's texels without the gaps between its rows and slices. NULL: the host has no memory.
static char *without_gaps(const struct image *image, const char *from, size_t row_pitch, size_t slice_pitch) {
    char *bytes = malloc(image->slice_pitch * image->depth);
    for (size_t z = 0; bytes != NULL && z < image->depth; z++)
        for (size_t y = 0; y < image->height; y++)
            memcpy(bytes + z * image->slice_pitch + y * image->row_pitch, from + z * slice_pitch + y * row_pitch,
                   image->width * image->texel_bytes);
    return bytes;
}

struct request {
    cl_context context;
    cl_mem_flags flags;
    const cl_image_format *format;
    const cl_image_desc *description;
    void *host;
    struct image image;
};

static bool in_memory_of(const struct request *request) {
    return request->description->mem_object != NULL;
}

// Sides that the type has not are 1.
static cl_int check_sides(struct request *request) {
    const cl_image_desc *from = request->description;
    struct image *image = &request->image;
    image->type = from->image_type;
    image->width = from->image_width;
    image->height = image->depth = 1;
    switch (from->image_type) {
        case CL_MEM_OBJECT_IMAGE2D: image->height = from->image_height; break;
        case CL_MEM_OBJECT_IMAGE3D:
            image->height = from->image_height;
            image->depth = from->image_depth;
            break;
        case CL_MEM_OBJECT_IMAGE2D_ARRAY:
            image->height = from->image_height;
            image->depth = from->image_array_size;
            break;
        case CL_MEM_OBJECT_IMAGE1D_ARRAY: image->depth = from->image_array_size; break;
        default: break;
    }
    return image->width > 0 && image->height > 0 && image->depth > 0 ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR;
}

// Those of the host, or of the buffer that the image lies in; 0: as narrow as can be.
static cl_int check_pitches(const struct request *request, size_t *row_pitch, size_t *slice_pitch) {
    const cl_image_desc *from = request->description;
    const struct image *image = &request->image;
    const size_t row = image->width * image->texel_bytes;
    const bool given = request->host != NULL || (in_memory_of(request) && image->type == CL_MEM_OBJECT_IMAGE2D);
    *row_pitch = from->image_row_pitch != 0 ? from->image_row_pitch : row;
    *slice_pitch = from->image_slice_pitch != 0 ? from->image_slice_pitch : *row_pitch * image->height;
    if (!given && (from->image_row_pitch != 0 || from->image_slice_pitch != 0)) return CL_INVALID_IMAGE_DESCRIPTOR;
    if (*row_pitch < row || *row_pitch % image->texel_bytes != 0) return CL_INVALID_IMAGE_DESCRIPTOR;
    if (*slice_pitch < *row_pitch * image->height || *slice_pitch % *row_pitch != 0) return CL_INVALID_IMAGE_DESCRIPTOR;
    return CL_SUCCESS;
}

static cl_int check_size(const struct request *request, size_t bytes) {
    const struct image *image = &request->image;
    const size_t side = image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? IMAGE_BUFFER_MAX
                        : image->type == CL_MEM_OBJECT_IMAGE3D      ? IMAGE_DEPTH_MAX
                                                                    : IMAGE_SIDE_MAX;
    if (image->width > side || image->height > side || image->depth > IMAGE_DEPTH_MAX) return CL_INVALID_IMAGE_SIZE;
    return in_memory_of(request) || memory_size_good(request->context, bytes) ? CL_SUCCESS : CL_INVALID_IMAGE_SIZE;
}

// May an image of the one order show the memory of one of the other?
static bool orders_alike(cl_channel_order a, cl_channel_order b) {
    static const cl_channel_order alike[][2] = {
        {CL_sRGBA, CL_RGBA}, {CL_sBGRA, CL_BGRA}, {CL_DEPTH, CL_R}, {CL_sRGB, CL_RGB}};
    for (size_t k = 0; k < sizeof alike / sizeof *alike; k++)
        if ((a == alike[k][0] && b == alike[k][1]) || (a == alike[k][1] && b == alike[k][0])) return true;
    return a == b;
}

// An image of a buffer's memory, or of another image's.
static cl_int check_memory(struct request *request, size_t *row_pitch) {
    const cl_image_desc *description = request->description;
    cl_mem from = description->mem_object;
    const struct image *image = &request->image;
    const bool plane = image->type == CL_MEM_OBJECT_IMAGE2D;
    if (!plane && image->type != CL_MEM_OBJECT_IMAGE1D_BUFFER) return CL_INVALID_IMAGE_DESCRIPTOR;
    if (memory_is_image(from)) {
        const struct image *other = from->image;
        if (!plane || other->type != CL_MEM_OBJECT_IMAGE2D || from->context != request->context)
            return CL_INVALID_IMAGE_DESCRIPTOR;
        if (other->width != image->width || other->height != image->height ||
            (description->image_row_pitch != 0 && description->image_row_pitch != other->row_pitch) ||
            other->format.image_channel_data_type != request->format->image_channel_data_type ||
            !orders_alike(other->format.image_channel_order, request->format->image_channel_order))
            return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
        *row_pitch = other->row_pitch;
        return CL_SUCCESS;
    }
    if (!memory_is_buffer(from) || from->context != request->context) return CL_INVALID_IMAGE_DESCRIPTOR;
    return *row_pitch * image->height <= from->size ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR;
}

// In the order in which the specification has the errors. host_pitches: of rows and slices.
static cl_int check(struct request *request, size_t host_pitches[2]) {
    const cl_image_desc *description = request->description;
    struct image *image = &request->image;
    const bool pointer = (request->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    if (memory_flags_check(request->flags) != CL_SUCCESS) return CL_INVALID_VALUE;
    const cl_mem_object_type type = description != NULL ? description->image_type : CL_MEM_OBJECT_IMAGE2D;
    const cl_int format = image_format_check(request->format, type, request->flags);
    if (format == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) return format;
    if (description == NULL || !image_type_is(type) || description->num_mip_levels != 0 ||
        description->num_samples != 0 || (type == CL_MEM_OBJECT_IMAGE1D_BUFFER && description->mem_object == NULL))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    image->format = *request->format;
    image->texel_bytes = image_texel_bytes(request->format);
    cl_int error = check_sides(request);
    if (error == CL_SUCCESS) error = check_pitches(request, &host_pitches[0], &host_pitches[1]);
    if (error == CL_SUCCESS && in_memory_of(request)) error = check_memory(request, &host_pitches[0]);
    if (error != CL_SUCCESS) return error;
    // What lies in memory of others, or is the host's own, keeps its pitches.
    const bool keeps = in_memory_of(request) || (request->flags & CL_MEM_USE_HOST_PTR) != 0;
    image->row_pitch = keeps ? host_pitches[0] : image->width * image->texel_bytes;
    image->slice_pitch = keeps && !in_memory_of(request) ? host_pitches[1] : image->row_pitch * image->height;
    error = check_size(request, image->slice_pitch * image->depth);
    if (error != CL_SUCCESS) return error;
    if (in_memory_of(request)) {
        if (request->host != NULL) return CL_INVALID_HOST_PTR;
        error = memory_part_flags(description->mem_object, &request->flags);
    } else if ((request->host != NULL) != pointer) {
        error = CL_INVALID_HOST_PTR;
    } else if ((request->flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)) == 0) {
        request->flags |= CL_MEM_READ_WRITE;
    }
    return error == CL_SUCCESS ? format : error;
}

// What was checked.
static cl_int make(const struct request *request, const size_t host_pitches[2], cl_mem *made) {
    cl_mem from = request->description->mem_object;
    const struct image *image = &request->image;
    const size_t bytes = image->slice_pitch * image->depth;
    cl_mem memory = *made = memory_new(request->context, from != NULL ? from->whole : NULL, request->flags, bytes);
    struct image *own = malloc(sizeof *own);
    if (memory == NULL || own == NULL) {
        free(own);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *own = *image;
    memory->image = own;
    if (from != NULL) {
        object_hold(from);
        own->from = from;
        memory->origin = from->origin;
        memory->host_pointer = from->host_pointer;
        return write_words(memory);
    }
    char *content = request->host, *packed = NULL;
    if ((request->flags & CL_MEM_USE_HOST_PTR) != 0) {
        memory->host_pointer = memory->mirror = content;
        memory->mirror_given = true;
    } else if (content != NULL) {
        content = packed = without_gaps(image, content, host_pitches[0], host_pitches[1]);
        if (packed == NULL) return CL_OUT_OF_HOST_MEMORY;
    }
    const cl_int error = memory_allocate(memory, content);
    free(packed);
    return error == CL_SUCCESS ? write_words(memory) : error;
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                                               cl_mem_flags flags, const cl_image_format *image_format,
                                               const cl_image_desc *image_desc, void *host_ptr, cl_int *errcode_ret) {
    struct request request = {context, flags, image_format, image_desc, host_ptr, {.from = NULL}};
    size_t host_pitches[2] = {0, 0};
    cl_mem memory = NULL;
    cl_int error = CL_SUCCESS;
    if (!object_lives(context, OBJECT_CONTEXT)) {
        error = CL_INVALID_CONTEXT;
    } else if (properties != NULL && properties[0] != 0) {
        error = CL_INVALID_PROPERTY;  // there are none
    } else {
        error = check(&request, host_pitches);
    }
    if (error == CL_SUCCESS) error = make(&request, host_pitches, &memory);
    set_error(errcode_ret, error);
    if (error != CL_SUCCESS) {
        object_drop(memory);
        return NULL;
    }
    memory->has_properties = properties != NULL;
    return memory;
}

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                 const cl_image_desc *image_desc, void *host_ptr, cl_int *errcode_ret) {
    return clCreateImageWithProperties(context, NULL, flags, image_format, image_desc, host_ptr, errcode_ret);
}

// The functions of OpenCL 1.1 had one error for all that is wrong with sizes.
static cl_mem create_old(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                         const cl_image_desc *description, void *host_ptr, cl_int *errcode_ret) {
    cl_int error = CL_SUCCESS;
    cl_mem memory = clCreateImage(context, flags, format, description, host_ptr, &error);
    set_error(errcode_ret, error == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error);
    return memory;
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                   size_t image_width, size_t image_height, size_t image_row_pitch, void *host_ptr,
                                   cl_int *errcode_ret) {
    const cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                       .image_width = image_width,
                                       .image_height = image_height,
                                       .image_row_pitch = image_row_pitch};
    return create_old(context, flags, image_format, &description, host_ptr, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                   size_t image_width, size_t image_height, size_t image_depth, size_t image_row_pitch,
                                   size_t image_slice_pitch, void *host_ptr, cl_int *errcode_ret) {
    const cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                       .image_width = image_width,
                                       .image_height = image_height,
                                       .image_depth = image_depth,
                                       .image_row_pitch = image_row_pitch,
                                       .image_slice_pitch = image_slice_pitch};
    return create_old(context, flags, image_format, &description, host_ptr, errcode_ret);
}

// ---- asked ----

cl_int CL_API_CALL clGetImageInfo(cl_mem memory, cl_image_info param_name, size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    if (!memory_is_image(memory)) return CL_INVALID_MEM_OBJECT;
    const struct image *image = memory->image;
    const cl_mem_object_type type = image->type;
    const bool array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    const bool line =
        type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER || type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    switch (param_name) {
        case CL_IMAGE_FORMAT: return answer_bytes(&answer, &image->format, sizeof image->format);
        case CL_IMAGE_ELEMENT_SIZE: return answer_size(&answer, image->texel_bytes);
        case CL_IMAGE_ROW_PITCH: return answer_size(&answer, image->row_pitch);
        case CL_IMAGE_SLICE_PITCH: return answer_size(&answer, image_has_slices(memory) ? image->slice_pitch : 0);
        case CL_IMAGE_WIDTH: return answer_size(&answer, image->width);
        case CL_IMAGE_HEIGHT: return answer_size(&answer, line ? 0 : image->height);
        case CL_IMAGE_DEPTH: return answer_size(&answer, type == CL_MEM_OBJECT_IMAGE3D ? image->depth : 0);
        case CL_IMAGE_ARRAY_SIZE: return answer_size(&answer, array ? image->depth : 0);
        case CL_IMAGE_BUFFER:
            return answer_pointer(&answer, image->from != NULL && image->from->image == NULL ? image->from : NULL);
        case CL_IMAGE_NUM_MIP_LEVELS:
        case CL_IMAGE_NUM_SAMPLES: return answer_uint(&answer, 0);
        default: return CL_INVALID_VALUE;
    }
}
