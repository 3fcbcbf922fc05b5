// Commands that move texels: between images and the host, buffers and each other; fills.
#include <stdlib.h>
#include <string.h>

#include "opencl/image.h"
#include "opencl/transfer.h"

// The host's box of a region. pitches: of rows and slices, 0: as narrow as can be.
static cl_int host_box(cl_mem image, const size_t *bytes, size_t row_pitch, size_t slice_pitch, struct box *box) {
    const bool lines = image->image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    if (row_pitch != 0 && row_pitch < bytes[0]) return CL_INVALID_VALUE;
    if (slice_pitch != 0 && !image_has_slices(image)) return CL_INVALID_VALUE;
    if (row_pitch == 0) row_pitch = bytes[0];
    const size_t least = lines ? row_pitch : row_pitch * bytes[1];
    if (slice_pitch != 0 && (slice_pitch < least || slice_pitch % row_pitch != 0)) return CL_INVALID_VALUE;
    if (slice_pitch == 0) slice_pitch = least;
    *box = (struct box){0, lines ? slice_pitch : row_pitch, slice_pitch};
    return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking_read, const size_t *origin,
                                      const size_t *region, size_t row_pitch, size_t slice_pitch, void *ptr,
                                      cl_uint num_events, const cl_event *event_wait_list, cl_event *event) {
    struct box box, host;
    size_t bytes[3];
    cl_int error = image_check(queue, image, origin, region, &box, bytes);
    if (error == CL_SUCCESS) error = host_box(image, bytes, row_pitch, slice_pitch, &host);
    if (error == CL_SUCCESS && ptr == NULL) error = CL_INVALID_VALUE;
    if (error == CL_SUCCESS) error = events_check(queue->context, num_events, event_wait_list);
    if (error == CL_SUCCESS) error = host_may(image, false);
    if (error != CL_SUCCESS) return error;
    struct rectangle *rectangle = rectangle_new(queue, CL_COMMAND_READ_IMAGE, bytes, image, NULL);
    if (rectangle == NULL) return CL_OUT_OF_HOST_MEMORY;
    rectangle->from_box = box;
    rectangle->to_box = host;
    rectangle->host_to = ptr;
    return command_enqueue(&rectangle->command, num_events, event_wait_list, event, blocking_read);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking_write,
                                       const size_t *origin, const size_t *region, size_t row_pitch, size_t slice_pitch,
                                       const void *ptr, cl_uint num_events, const cl_event *event_wait_list,
                                       cl_event *event) {
    struct box box, host;
    size_t bytes[3];
    cl_int error = image_check(queue, image, origin, region, &box, bytes);
    if (error == CL_SUCCESS) error = host_box(image, bytes, row_pitch, slice_pitch, &host);
    if (error == CL_SUCCESS && ptr == NULL) error = CL_INVALID_VALUE;
    if (error == CL_SUCCESS) error = events_check(queue->context, num_events, event_wait_list);
    if (error == CL_SUCCESS) error = host_may(image, true);
    if (error != CL_SUCCESS) return error;
    struct rectangle *rectangle = rectangle_new(queue, CL_COMMAND_WRITE_IMAGE, bytes, NULL, image);
    if (rectangle == NULL) return CL_OUT_OF_HOST_MEMORY;
    rectangle->to_box = box;
    rectangle->from_box = host;
    rectangle->host_from = ptr;
    return command_enqueue(&rectangle->command, num_events, event_wait_list, event, blocking_write);
}

static bool formats_equal(cl_mem a, cl_mem b) {
    const cl_image_format *one = &a->image->format, *other = &b->image->format;
    return one->image_channel_order == other->image_channel_order &&
           one->image_channel_data_type == other->image_channel_data_type;
}

static bool regions_overlap(const size_t *a, const size_t *b, const size_t *region) {
    for (size_t d = 0; d < 3; d++)
        if (a[d] >= b[d] + region[d] || b[d] >= a[d] + region[d]) return false;
    return true;
}

// From memory to memory.
static cl_int copy(cl_command_queue queue, cl_command_type type, cl_mem from, const struct box *from_box, cl_mem to,
                   const struct box *to_box, const size_t *bytes, cl_uint num_events, const cl_event *event_wait_list,
                   cl_event *event) {
    struct rectangle *rectangle = rectangle_new(queue, type, bytes, from, to);
    if (rectangle == NULL) return CL_OUT_OF_HOST_MEMORY;
    rectangle->from_box = *from_box;
    rectangle->to_box = *to_box;
    return command_enqueue(&rectangle->command, num_events, event_wait_list, event, false);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem src_image, cl_mem dst_image,
                                      const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                      cl_uint num_events, const cl_event *event_wait_list, cl_event *event) {
    struct box from, to;
    size_t bytes[3];
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!memory_is_image(src_image) || !memory_is_image(dst_image)) return CL_INVALID_MEM_OBJECT;
    if (src_image->context != queue->context || dst_image->context != queue->context) return CL_INVALID_CONTEXT;
    if (!formats_equal(src_image, dst_image)) return CL_IMAGE_FORMAT_MISMATCH;
    cl_int error = image_box(dst_image, dst_origin, region, &to, bytes);
    if (error == CL_SUCCESS) error = image_box(src_image, src_origin, region, &from, bytes);
    if (error == CL_SUCCESS) error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    if (src_image == dst_image && regions_overlap(src_origin, dst_origin, region)) return CL_MEM_COPY_OVERLAP;
    return copy(queue, CL_COMMAND_COPY_IMAGE, src_image, &from, dst_image, &to, bytes, num_events, event_wait_list,
                event);
}

// An image and a part of a buffer, without gaps between its rows.
static cl_int check_buffer(cl_command_queue queue, cl_mem image, cl_mem buffer, const size_t *origin,
                           const size_t *region, size_t offset, struct box boxes[2], size_t *bytes) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!memory_is_image(image) || !memory_is_buffer(buffer)) return CL_INVALID_MEM_OBJECT;
    if (image->image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && image->image->from == buffer)
        return CL_INVALID_MEM_OBJECT;
    if (image->context != queue->context || buffer->context != queue->context) return CL_INVALID_CONTEXT;
    const cl_int error = image_box(image, origin, region, &boxes[0], bytes);
    if (error != CL_SUCCESS) return error;
    boxes[1] = (struct box){offset, bytes[0], bytes[0] * bytes[1]};
    return part_inside(buffer, offset, bytes[0] * bytes[1] * bytes[2]) ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem src_image, cl_mem dst_buffer,
                                              const size_t *src_origin, const size_t *region, size_t dst_offset,
                                              cl_uint num_events, const cl_event *event_wait_list, cl_event *event) {
    struct box boxes[2];
    size_t bytes[3];
    cl_int error = check_buffer(queue, src_image, dst_buffer, src_origin, region, dst_offset, boxes, bytes);
    if (error == CL_SUCCESS) error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    return copy(queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, src_image, &boxes[0], dst_buffer, &boxes[1], bytes, num_events,
                event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem src_buffer, cl_mem dst_image,
                                              size_t src_offset, const size_t *dst_origin, const size_t *region,
                                              cl_uint num_events, const cl_event *event_wait_list, cl_event *event) {
    struct box boxes[2];
    size_t bytes[3];
    cl_int error = check_buffer(queue, dst_image, src_buffer, dst_origin, region, src_offset, boxes, bytes);
    if (error == CL_SUCCESS) error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    return copy(queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, src_buffer, &boxes[1], dst_image, &boxes[0], bytes, num_events,
                event_wait_list, event);
}

// ---- fills ----

struct fill {
    struct command command;
    cl_mem image;
    struct box box;
    size_t bytes[3], texel_bytes;
    unsigned char texel[16];
};

static void drop_fill(struct command *command) {
    object_drop(((struct fill *)command)->image);
}

static cl_int run_fill(struct command *command) {
    struct fill *fill = (struct fill *)command;
    struct place *place = command->queue->place;
    unsigned char *row = malloc(fill->bytes[0]);
    cl_int error = row != NULL ? memory_bring(fill->image, place, true) : CL_OUT_OF_HOST_MEMORY;
    for (size_t at = 0; row != NULL && at < fill->bytes[0]; at += fill->texel_bytes)
        memcpy(row + at, fill->texel, fill->texel_bytes);
    for (size_t z = 0; z < fill->bytes[2]; z++)
        for (size_t y = 0; y < fill->bytes[1] && error == CL_SUCCESS; y++)
            error =
                buffer_write(fill->image, place, fill->box.start + z * fill->box.slice_pitch + y * fill->box.row_pitch,
                             row, fill->bytes[0]);
    free(row);
    return error;
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *fill_color,
                                      const size_t *origin, const size_t *region, cl_uint num_events,
                                      const cl_event *event_wait_list, cl_event *event) {
    struct box box;
    size_t bytes[3];
    cl_int error = image_check(queue, image, origin, region, &box, bytes);
    if (error == CL_SUCCESS && fill_color == NULL) error = CL_INVALID_VALUE;
    if (error == CL_SUCCESS) error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    struct fill *fill = command_new(queue, CL_COMMAND_FILL_IMAGE, sizeof *fill, run_fill, drop_fill);
    if (fill == NULL) return CL_OUT_OF_HOST_MEMORY;
    object_hold(image);
    fill->image = image;
    fill->box = box;
    fill->texel_bytes = image->image->texel_bytes;
    memcpy(fill->bytes, bytes, sizeof bytes);
    image_color(&image->image->format, fill_color, fill->texel);
    return command_enqueue(&fill->command, num_events, event_wait_list, event, false);
}
