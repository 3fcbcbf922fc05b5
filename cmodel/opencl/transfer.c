// Commands that move bytes between host and buffers, and from buffer to buffer.
#include "opencl/transfer.h"

#include <stdlib.h>

#define COPY_BYTES ((size_t)1 << 20)

struct transfer {
    struct command command;
    cl_mem memory, to;  // to: of a copy
    void *host;
    const void *host_from;
    size_t offset, to_offset, size;
};

bool part_inside(cl_mem memory, size_t offset, size_t size) {
    return offset <= memory->size && size <= memory->size - offset;
}

cl_int host_may(cl_mem memory, bool writes) {
    const cl_mem_flags against = CL_MEM_HOST_NO_ACCESS | (writes ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY);
    return (memory->flags & against) != 0 ? CL_INVALID_OPERATION : CL_SUCCESS;
}

static void drop(struct command *command) {
    struct transfer *transfer = (struct transfer *)command;
    object_drop(transfer->memory);
    object_drop(transfer->to);
}

static cl_int run_read(struct command *command) {
    struct transfer *t = (struct transfer *)command;
    struct place *place = command->queue->place;
    const cl_int error = memory_bring(t->memory, place, false);
    return error == CL_SUCCESS ? buffer_read(t->memory, place, t->offset, t->host, t->size) : error;
}

static cl_int run_write(struct command *command) {
    struct transfer *t = (struct transfer *)command;
    struct place *place = command->queue->place;
    const cl_int error = memory_bring(t->memory, place, true);
    return error == CL_SUCCESS ? buffer_write(t->memory, place, t->offset, t->host_from, t->size) : error;
}

static cl_int run_copy(struct command *command) {
    struct transfer *t = (struct transfer *)command;
    struct place *place = command->queue->place;
    const size_t most = t->size < COPY_BYTES ? t->size : COPY_BYTES;
    char *bytes = malloc(most);
    cl_int error = bytes != NULL ? memory_bring(t->memory, place, false) : CL_OUT_OF_HOST_MEMORY;
    if (error == CL_SUCCESS) error = memory_bring(t->to, place, true);
    for (size_t at = 0; error == CL_SUCCESS && at < t->size; at += most) {
        const size_t size = t->size - at < most ? t->size - at : most;
        error = buffer_read(t->memory, place, t->offset + at, bytes, size);
        if (error == CL_SUCCESS) error = buffer_write(t->to, place, t->to_offset + at, bytes, size);
    }
    free(bytes);
    return error;
}

static struct transfer *new_transfer(cl_command_queue queue, cl_command_type type, cl_mem memory, size_t offset,
                                     size_t size, cl_int (*run)(struct command *command)) {
    struct transfer *transfer = command_new(queue, type, sizeof *transfer, run, drop);
    if (transfer == NULL) return NULL;
    object_hold(memory);
    transfer->memory = memory;
    transfer->offset = offset;
    transfer->size = size;
    return transfer;
}

static cl_int check(cl_command_queue queue, cl_mem buffer, size_t offset, const void *host, size_t size) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!memory_is_buffer(buffer)) return CL_INVALID_MEM_OBJECT;
    if (buffer->context != queue->context) return CL_INVALID_CONTEXT;
    if (!part_inside(buffer, offset, size) || host == NULL || size == 0) return CL_INVALID_VALUE;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_read, size_t offset,
                                       size_t size, void *ptr, cl_uint num_events, const cl_event *event_wait_list,
                                       cl_event *event) {
    cl_int error = check(queue, buffer, offset, ptr, size);
    if (error == CL_SUCCESS) error = enqueue_check(queue, buffer->context, num_events, event_wait_list);
    if (error == CL_SUCCESS) error = host_may(buffer, false);
    if (error != CL_SUCCESS) return error;
    struct transfer *transfer = new_transfer(queue, CL_COMMAND_READ_BUFFER, buffer, offset, size, run_read);
    if (transfer == NULL) return CL_OUT_OF_HOST_MEMORY;
    transfer->host = ptr;
    return command_enqueue(&transfer->command, num_events, event_wait_list, event, blocking_read);
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_write, size_t offset,
                                        size_t size, const void *ptr, cl_uint num_events,
                                        const cl_event *event_wait_list, cl_event *event) {
    cl_int error = check(queue, buffer, offset, ptr, size);
    if (error == CL_SUCCESS) error = enqueue_check(queue, buffer->context, num_events, event_wait_list);
    if (error == CL_SUCCESS) error = host_may(buffer, true);
    if (error != CL_SUCCESS) return error;
    struct transfer *transfer = new_transfer(queue, CL_COMMAND_WRITE_BUFFER, buffer, offset, size, run_write);
    if (transfer == NULL) return CL_OUT_OF_HOST_MEMORY;
    transfer->host_from = ptr;
    return command_enqueue(&transfer->command, num_events, event_wait_list, event, blocking_write);
}

// Do the two parts lie in one buffer and overlap?
static bool parts_overlap(cl_mem from, size_t from_offset, cl_mem to, size_t to_offset, size_t size) {
    if (from->whole != to->whole) return false;
    const size_t a = from->origin + from_offset, b = to->origin + to_offset;
    return a < b + size && b < a + size;
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                                       size_t dst_offset, size_t size, cl_uint num_events,
                                       const cl_event *event_wait_list, cl_event *event) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!memory_is_buffer(src_buffer) || !memory_is_buffer(dst_buffer)) return CL_INVALID_MEM_OBJECT;
    if (src_buffer->context != queue->context || dst_buffer->context != queue->context) return CL_INVALID_CONTEXT;
    cl_int error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    if (size == 0 || !part_inside(src_buffer, src_offset, size) || !part_inside(dst_buffer, dst_offset, size))
        return CL_INVALID_VALUE;
    if (parts_overlap(src_buffer, src_offset, dst_buffer, dst_offset, size)) return CL_MEM_COPY_OVERLAP;
    struct transfer *transfer = new_transfer(queue, CL_COMMAND_COPY_BUFFER, src_buffer, src_offset, size, run_copy);
    if (transfer == NULL) return CL_OUT_OF_HOST_MEMORY;
    object_hold(dst_buffer);
    transfer->to = dst_buffer;
    transfer->to_offset = dst_offset;
    return command_enqueue(&transfer->command, num_events, event_wait_list, event, false);
}
