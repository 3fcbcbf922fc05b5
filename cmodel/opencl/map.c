// Maps: the host's view of a buffer is its mirror. A map that reads brings the device's bytes there, the unmap of one
// that writes brings them back.
#include <stdlib.h>

#include "opencl/transfer.h"

struct map_command {
    struct command command;
    cl_mem memory;
    size_t offset, size;
    char *mirror;  // of the part
    bool moves;    // bytes are moved at all
};

static void drop(struct command *command) {
    object_drop(((struct map_command *)command)->memory);
}

static cl_int run_map(struct command *command) {
    struct map_command *map = (struct map_command *)command;
    struct place *place = command->queue->place;
    if (!map->moves) return CL_SUCCESS;
    const cl_int error = memory_bring(map->memory, place, false);
    return error == CL_SUCCESS ? buffer_read(map->memory, place, map->offset, map->mirror, map->size) : error;
}

static cl_int run_unmap(struct command *command) {
    struct map_command *map = (struct map_command *)command;
    struct place *place = command->queue->place;
    if (!map->moves) return CL_SUCCESS;
    const cl_int error = memory_bring(map->memory, place, true);
    return error == CL_SUCCESS ? buffer_write(map->memory, place, map->offset, map->mirror, map->size) : error;
}

static cl_int remember(cl_mem memory, char *pointer, size_t offset, size_t size, cl_map_flags flags) {
    struct mapping *mapping = malloc(sizeof *mapping);
    if (mapping == NULL) return CL_OUT_OF_HOST_MEMORY;
    pthread_mutex_lock(&memory->lock);
    *mapping = (struct mapping){memory->mappings, pointer, offset, size, flags};
    memory->mappings = mapping;
    memory->map_count++;
    pthread_mutex_unlock(&memory->lock);
    return CL_SUCCESS;
}

// The last one that gave this pointer. False: none did.
static bool forget(cl_mem memory, const void *pointer, struct mapping *found) {
    pthread_mutex_lock(&memory->lock);
    struct mapping **at = &memory->mappings;
    while (*at != NULL && (*at)->pointer != pointer)
        at = &(*at)->next;
    struct mapping *mapping = *at;
    if (mapping != NULL) {
        *at = mapping->next;
        *found = *mapping;
        memory->map_count--;
    }
    pthread_mutex_unlock(&memory->lock);
    free(mapping);
    return mapping != NULL;
}

static cl_int check_map(cl_command_queue queue, cl_mem buffer, cl_map_flags flags, size_t offset, size_t size,
                        cl_uint num_events, const cl_event *event_wait_list) {
    const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!memory_is_buffer(buffer)) return CL_INVALID_MEM_OBJECT;
    if (buffer->context != queue->context) return CL_INVALID_CONTEXT;
    const cl_int error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    if (!part_inside(buffer, offset, size) || size == 0 || (flags & ~known) != 0) return CL_INVALID_VALUE;
    if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0 && (flags & (CL_MAP_READ | CL_MAP_WRITE)) != 0)
        return CL_INVALID_VALUE;
    if ((flags & CL_MAP_READ) != 0 && host_may(buffer, false) != CL_SUCCESS) return CL_INVALID_OPERATION;
    if ((flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0) return host_may(buffer, true);
    return CL_SUCCESS;
}

static struct map_command *new_command(cl_command_queue queue, cl_command_type type, cl_mem memory, size_t offset,
                                       size_t size, cl_int (*run)(struct command *command)) {
    struct map_command *map = command_new(queue, type, sizeof *map, run, drop);
    if (map == NULL) return NULL;
    object_hold(memory);
    map->memory = memory;
    map->offset = offset;
    map->size = size;
    return map;
}

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_map,
                                     cl_map_flags map_flags, size_t offset, size_t size, cl_uint num_events,
                                     const cl_event *event_wait_list, cl_event *event, cl_int *errcode_ret) {
    cl_int error = check_map(queue, buffer, map_flags, offset, size, num_events, event_wait_list);
    set_error(errcode_ret, error);
    if (error != CL_SUCCESS) return NULL;
    char *mirror = memory_mirror(buffer);
    struct map_command *map = NULL;
    if (mirror != NULL) map = new_command(queue, CL_COMMAND_MAP_BUFFER, buffer, offset, size, run_map);
    error = map != NULL ? remember(buffer, mirror + offset, offset, size, map_flags) : CL_MAP_FAILURE;
    if (error != CL_SUCCESS) {
        if (map != NULL) command_free(&map->command);
        set_error(errcode_ret, error);
        return NULL;
    }
    map->mirror = mirror + offset;
    // A map for writing alone keeps what is not written: the bytes come to the host too.
    map->moves = (map_flags & (CL_MAP_READ | CL_MAP_WRITE)) != 0;
    error = command_enqueue(&map->command, num_events, event_wait_list, event, blocking_map);
    set_error(errcode_ret, error);
    return error == CL_SUCCESS ? mirror + offset : NULL;
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memobj, void *mapped_ptr, cl_uint num_events,
                                           const cl_event *event_wait_list, cl_event *event) {
    struct mapping mapping = {.size = 0};
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!object_is(memobj, OBJECT_MEMORY)) return CL_INVALID_MEM_OBJECT;
    if (memobj->context != queue->context) return CL_INVALID_CONTEXT;
    cl_int error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    if (mapped_ptr == NULL || !forget(memobj, mapped_ptr, &mapping)) return CL_INVALID_VALUE;
    struct map_command *map =
        new_command(queue, CL_COMMAND_UNMAP_MEM_OBJECT, memobj, mapping.offset, mapping.size, run_unmap);
    if (map == NULL) return CL_OUT_OF_HOST_MEMORY;
    map->mirror = mapping.pointer;
    map->moves = (mapping.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
    return command_enqueue(&map->command, num_events, event_wait_list, event, false);
}
