// clEnqueueFillBuffer.
#include <stdlib.h>
#include <string.h>

#include "opencl/transfer.h"

#define PATTERN_MAX 128u
#define CHUNK_BYTES ((size_t)64 << 10)

struct fill {
    struct command command;
    cl_mem memory;
    size_t offset, size, pattern_size;
    char pattern[PATTERN_MAX];
};

static void drop(struct command *command) {
    object_drop(((struct fill *)command)->memory);
}

static cl_int run(struct command *command) {
    struct fill *fill = (struct fill *)command;
    struct place *place = command->queue->place;
    const size_t most = fill->size < CHUNK_BYTES ? fill->size : CHUNK_BYTES;
    char *bytes = malloc(most);
    cl_int error = bytes != NULL ? memory_bring(fill->memory, place, true) : CL_OUT_OF_HOST_MEMORY;
    for (size_t at = 0; bytes != NULL && at < most; at += fill->pattern_size)
        memcpy(bytes + at, fill->pattern, fill->pattern_size);
    for (size_t at = 0; error == CL_SUCCESS && at < fill->size; at += most)
        error = buffer_write(fill->memory, place, fill->offset + at, bytes,
                             fill->size - at < most ? fill->size - at : most);
    free(bytes);
    return error;
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                                       size_t offset, size_t size, cl_uint num_events, const cl_event *event_wait_list,
                                       cl_event *event) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!memory_is_buffer(buffer)) return CL_INVALID_MEM_OBJECT;
    if (buffer->context != queue->context) return CL_INVALID_CONTEXT;
    if (!part_inside(buffer, offset, size) || pattern == NULL) return CL_INVALID_VALUE;
    if (pattern_size == 0 || pattern_size > PATTERN_MAX || (pattern_size & (pattern_size - 1)) != 0)
        return CL_INVALID_VALUE;
    if (offset % pattern_size != 0 || size % pattern_size != 0) return CL_INVALID_VALUE;
    const cl_int error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    struct fill *fill = command_new(queue, CL_COMMAND_FILL_BUFFER, sizeof *fill, run, drop);
    if (fill == NULL) return CL_OUT_OF_HOST_MEMORY;
    object_hold(buffer);
    fill->memory = buffer;
    fill->offset = offset;
    fill->size = size;
    fill->pattern_size = pattern_size;
    memcpy(fill->pattern, pattern, pattern_size);
    return command_enqueue(&fill->command, num_events, event_wait_list, event, false);
}
