// Commands that move boxes of bytes: clEnqueueReadBufferRect and its like.
#include <stdlib.h>
#include <string.h>

#include "opencl/transfer.h"

cl_int box_make(struct box *box, const size_t *origin, const size_t *region, size_t row_pitch, size_t slice_pitch) {
    if (row_pitch == 0) row_pitch = region[0];
    if (row_pitch < region[0]) return CL_INVALID_VALUE;
    if (slice_pitch == 0) slice_pitch = region[1] * row_pitch;
    if (slice_pitch < region[1] * row_pitch || slice_pitch % row_pitch != 0) return CL_INVALID_VALUE;
    *box = (struct box){origin[2] * slice_pitch + origin[1] * row_pitch + origin[0], row_pitch, slice_pitch};
    return CL_SUCCESS;
}

size_t box_end(const struct box *box, const size_t *region) {
    return box->start + (region[2] - 1) * box->slice_pitch + (region[1] - 1) * box->row_pitch + region[0];
}

static void drop(struct command *command) {
    struct rectangle *rectangle = (struct rectangle *)command;
    object_drop(rectangle->from);
    object_drop(rectangle->to);
}

#define COPY_BYTES ((size_t)1 << 20)  // at a time, from memory to memory

// One row, or all that lie one behind the other; bytes: room for COPY_BYTES.
static cl_int move_row(struct rectangle *r, const struct place *place, size_t from, size_t to, size_t size,
                       char *bytes) {
    cl_int error = CL_SUCCESS;
    if (r->to == NULL) return buffer_read(r->from, place, from, r->host_to + to, size);
    if (r->from == NULL) return buffer_write(r->to, place, to, r->host_from + from, size);
    for (size_t at = 0; at < size && error == CL_SUCCESS; at += COPY_BYTES) {
        const size_t part = size - at < COPY_BYTES ? size - at : COPY_BYTES;
        error = buffer_read(r->from, place, from + at, bytes, part);
        if (error == CL_SUCCESS) error = buffer_write(r->to, place, to + at, bytes, part);
    }
    return error;
}

static bool without_gaps(const struct rectangle *r, size_t bytes) {
    return r->from_box.row_pitch == bytes && r->to_box.row_pitch == bytes;
}

static cl_int run(struct command *command) {
    struct rectangle *r = (struct rectangle *)command;
    struct place *place = command->queue->place;
    const bool copies = r->from != NULL && r->to != NULL;
    const size_t bytes = r->region[0], joined = without_gaps(r, bytes) ? r->region[1] : 1;
    char *room = copies ? malloc(bytes * joined < COPY_BYTES ? bytes * joined : COPY_BYTES) : NULL;
    cl_int error = copies && room == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
    if (error == CL_SUCCESS && r->from != NULL) error = memory_bring(r->from, place, false);
    if (error == CL_SUCCESS && r->to != NULL) error = memory_bring(r->to, place, true);
    for (size_t slice = 0; slice < r->region[2]; slice++)
        for (size_t row = 0; row < r->region[1] && error == CL_SUCCESS; row += joined)
            error = move_row(
                r, place, r->from_box.start + slice * r->from_box.slice_pitch + row * r->from_box.row_pitch,
                r->to_box.start + slice * r->to_box.slice_pitch + row * r->to_box.row_pitch, bytes * joined, room);
    free(room);
    return error;
}

bool region_given(const size_t *region) {
    return region != NULL && region[0] != 0 && region[1] != 0 && region[2] != 0;
}

struct rectangle *rectangle_new(cl_command_queue queue, cl_command_type type, const size_t *region, cl_mem from,
                                cl_mem to) {
    struct rectangle *rectangle = command_new(queue, type, sizeof *rectangle, run, drop);
    if (rectangle == NULL) return NULL;
    memcpy(rectangle->region, region, sizeof rectangle->region);
    if (from != NULL) object_hold(from);
    if (to != NULL) object_hold(to);
    rectangle->from = from;
    rectangle->to = to;
    return rectangle;
}

// Between a buffer and the host: the checks that both directions share.
static cl_int check_host(cl_command_queue queue, cl_mem buffer, const size_t *buffer_origin, const size_t *host_origin,
                         const size_t *region, const size_t pitches[4], const void *ptr, struct box *box,
                         struct box *host) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!memory_is_buffer(buffer)) return CL_INVALID_MEM_OBJECT;
    if (buffer->context != queue->context) return CL_INVALID_CONTEXT;
    if (buffer_origin == NULL || host_origin == NULL || !region_given(region) || ptr == NULL) return CL_INVALID_VALUE;
    if (box_make(box, buffer_origin, region, pitches[0], pitches[1]) != CL_SUCCESS ||
        box_make(host, host_origin, region, pitches[2], pitches[3]) != CL_SUCCESS)
        return CL_INVALID_VALUE;
    return box_end(box, region) > buffer->size ? CL_INVALID_VALUE : CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking_read,
                                           const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                                           size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                                           size_t host_slice_pitch, void *ptr, cl_uint num_events,
                                           const cl_event *event_wait_list, cl_event *event) {
    const size_t pitches[4] = {buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch};
    struct box box, host;
    cl_int error = check_host(queue, buffer, buffer_origin, host_origin, region, pitches, ptr, &box, &host);
    if (error == CL_SUCCESS) error = events_check(queue->context, num_events, event_wait_list);
    if (error == CL_SUCCESS) error = host_may(buffer, false);
    if (error != CL_SUCCESS) return error;
    struct rectangle *rectangle = rectangle_new(queue, CL_COMMAND_READ_BUFFER_RECT, region, buffer, NULL);
    if (rectangle == NULL) return CL_OUT_OF_HOST_MEMORY;
    rectangle->from_box = box;
    rectangle->to_box = host;
    rectangle->host_to = ptr;
    return command_enqueue(&rectangle->command, num_events, event_wait_list, event, blocking_read);
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking_write,
                                            const size_t *buffer_origin, const size_t *host_origin,
                                            const size_t *region, size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                            size_t host_row_pitch, size_t host_slice_pitch, const void *ptr,
                                            cl_uint num_events, const cl_event *event_wait_list, cl_event *event) {
    const size_t pitches[4] = {buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch};
    struct box box, host;
    cl_int error = check_host(queue, buffer, buffer_origin, host_origin, region, pitches, ptr, &box, &host);
    if (error == CL_SUCCESS) error = events_check(queue->context, num_events, event_wait_list);
    if (error == CL_SUCCESS) error = host_may(buffer, true);
    if (error != CL_SUCCESS) return error;
    struct rectangle *rectangle = rectangle_new(queue, CL_COMMAND_WRITE_BUFFER_RECT, region, NULL, buffer);
    if (rectangle == NULL) return CL_OUT_OF_HOST_MEMORY;
    rectangle->to_box = box;
    rectangle->from_box = host;
    rectangle->host_from = ptr;
    return command_enqueue(&rectangle->command, num_events, event_wait_list, event, blocking_write);
}

// Boxes of the same pitches in one buffer: does any row of one meet a row of the other?
static bool boxes_overlap(size_t from, size_t to, const struct box *box, const size_t *region) {
    const size_t distance = from < to ? to - from : from - to;
    // The distance in slices, rows and bytes; a box that begins within the other one's shadow in all three meets it.
    for (size_t slices = distance / box->slice_pitch, s = 0; s < 2; s++, slices++) {
        if (slices >= region[2]) continue;
        const long long rest = (long long)distance - (long long)(slices * box->slice_pitch);
        const long long pitch = (long long)box->row_pitch;
        for (long long rows = rest / pitch - 1; rows <= rest / pitch + 1; rows++) {
            const long long bytes = rest - rows * pitch;
            if (llabs(rows) < (long long)region[1] && llabs(bytes) < (long long)region[0]) return true;
        }
    }
    return false;
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem src_buffer, cl_mem dst_buffer,
                                           const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                           size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                                           size_t dst_slice_pitch, cl_uint num_events, const cl_event *event_wait_list,
                                           cl_event *event) {
    struct box from, to;
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!memory_is_buffer(src_buffer) || !memory_is_buffer(dst_buffer)) return CL_INVALID_MEM_OBJECT;
    if (src_buffer->context != queue->context || dst_buffer->context != queue->context) return CL_INVALID_CONTEXT;
    cl_int error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    if (src_origin == NULL || dst_origin == NULL || !region_given(region)) return CL_INVALID_VALUE;
    if (box_make(&from, src_origin, region, src_row_pitch, src_slice_pitch) != CL_SUCCESS ||
        box_make(&to, dst_origin, region, dst_row_pitch, dst_slice_pitch) != CL_SUCCESS ||
        box_end(&from, region) > src_buffer->size || box_end(&to, region) > dst_buffer->size)
        return CL_INVALID_VALUE;
    if (src_buffer == dst_buffer && (from.row_pitch != to.row_pitch || from.slice_pitch != to.slice_pitch))
        return CL_INVALID_VALUE;
    if (src_buffer->whole == dst_buffer->whole && from.row_pitch == to.row_pitch &&
        from.slice_pitch == to.slice_pitch &&
        boxes_overlap(src_buffer->origin + from.start, dst_buffer->origin + to.start, &from, region))
        return CL_MEM_COPY_OVERLAP;
    struct rectangle *rectangle = rectangle_new(queue, CL_COMMAND_COPY_BUFFER_RECT, region, src_buffer, dst_buffer);
    if (rectangle == NULL) return CL_OUT_OF_HOST_MEMORY;
    rectangle->from_box = from;
    rectangle->to_box = to;
    return command_enqueue(&rectangle->command, num_events, event_wait_list, event, false);
}
