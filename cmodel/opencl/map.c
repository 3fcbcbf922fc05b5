// Maps: the host's view of a memory object is its mirror. A map that reads brings the device's bytes there, the unmap of
// one that writes brings them back.
#include <stdlib.h>
#include <string.h>

#include "opencl/image.h"
#include "opencl/transfer.h"

static cl_int remember(cl_mem memory, const struct mapping *what) {
    struct mapping *mapping = malloc(sizeof *mapping);
    if (mapping == NULL) return CL_OUT_OF_HOST_MEMORY;
    *mapping = *what;
    pthread_mutex_lock(&memory->lock);
    mapping->next = memory->mappings;
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

static cl_int check_flags(cl_mem memory, cl_map_flags flags) {
    const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if ((flags & ~known) != 0) return CL_INVALID_VALUE;
    if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0 && (flags & (CL_MAP_READ | CL_MAP_WRITE)) != 0)
        return CL_INVALID_VALUE;
    if ((flags & CL_MAP_READ) != 0 && host_may(memory, false) != CL_SUCCESS) return CL_INVALID_OPERATION;
    if ((flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0) return host_may(memory, true);
    return CL_SUCCESS;
}

// The mirror has the object's own pitches. moves: bytes are moved at all.
static struct rectangle *new_rectangle(cl_command_queue queue, cl_command_type type, const struct mapping *mapping,
                                       cl_mem from, cl_mem to, bool moves) {
    const size_t nothing[3] = {mapping->region[0], mapping->region[1], 0};
    struct rectangle *rectangle = rectangle_new(queue, type, moves ? mapping->region : nothing, from, to);
    if (rectangle == NULL) return NULL;
    struct box host = mapping->box;
    host.start = 0;
    rectangle->from_box = from != NULL ? mapping->box : host;
    rectangle->to_box = to != NULL ? mapping->box : host;
    rectangle->host_from = rectangle->host_to = mapping->pointer;
    return rectangle;
}

// mapping: all but the pointer.
static void *map(cl_command_queue queue, cl_command_type type, cl_mem memory, struct mapping *mapping, bool blocking,
                 cl_uint num_events, const cl_event *event_wait_list, cl_event *event, cl_int *error) {
    char *mirror = memory_mirror(memory);
    struct rectangle *rectangle = NULL;
    if (mirror != NULL) {
        mapping->pointer = mirror + mapping->box.start;
        // A map for writing alone keeps what is not written: the bytes come to the host too.
        rectangle =
            new_rectangle(queue, type, mapping, memory, NULL, (mapping->flags & (CL_MAP_READ | CL_MAP_WRITE)) != 0);
    }
    *error = rectangle != NULL ? remember(memory, mapping) : CL_MAP_FAILURE;
    if (*error != CL_SUCCESS) {
        if (rectangle != NULL) command_free(&rectangle->command);
        return NULL;
    }
    *error = command_enqueue(&rectangle->command, num_events, event_wait_list, event, blocking);
    return *error == CL_SUCCESS ? mapping->pointer : NULL;
}

static cl_int check_buffer(cl_command_queue queue, cl_mem buffer, cl_map_flags flags, size_t offset, size_t size,
                           cl_uint num_events, const cl_event *event_wait_list) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!memory_is_buffer(buffer)) return CL_INVALID_MEM_OBJECT;
    if (buffer->context != queue->context) return CL_INVALID_CONTEXT;
    const cl_int error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    return part_inside(buffer, offset, size) && size > 0 ? check_flags(buffer, flags) : CL_INVALID_VALUE;
}

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_map,
                                     cl_map_flags map_flags, size_t offset, size_t size, cl_uint num_events,
                                     const cl_event *event_wait_list, cl_event *event, cl_int *errcode_ret) {
    struct mapping mapping = {.box = {offset, size, size}, .region = {size, 1, 1}, .flags = map_flags};
    void *pointer = NULL;
    cl_int error = check_buffer(queue, buffer, map_flags, offset, size, num_events, event_wait_list);
    if (error == CL_SUCCESS)
        pointer = map(queue, CL_COMMAND_MAP_BUFFER, buffer, &mapping, blocking_map, num_events, event_wait_list, event,
                      &error);
    set_error(errcode_ret, error);
    return pointer;
}

void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking_map, cl_map_flags map_flags,
                                    const size_t *origin, const size_t *region, size_t *image_row_pitch,
                                    size_t *image_slice_pitch, cl_uint num_events, const cl_event *event_wait_list,
                                    cl_event *event, cl_int *errcode_ret) {
    struct mapping mapping = {.flags = map_flags};
    void *pointer = NULL;
    cl_int error = image_check(queue, image, origin, region, &mapping.box, mapping.region);
    if (error == CL_SUCCESS && (image_row_pitch == NULL || (image_has_slices(image) && image_slice_pitch == NULL)))
        error = CL_INVALID_VALUE;
    if (error == CL_SUCCESS) error = check_flags(image, map_flags);
    if (error == CL_SUCCESS) error = events_check(queue->context, num_events, event_wait_list);
    if (error == CL_SUCCESS) {
        *image_row_pitch = image->image->row_pitch;
        if (image_slice_pitch != NULL) *image_slice_pitch = image_has_slices(image) ? image->image->slice_pitch : 0;
        pointer =
            map(queue, CL_COMMAND_MAP_IMAGE, image, &mapping, blocking_map, num_events, event_wait_list, event, &error);
    }
    set_error(errcode_ret, error);
    return pointer;
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memobj, void *mapped_ptr, cl_uint num_events,
                                           const cl_event *event_wait_list, cl_event *event) {
    struct mapping mapping = {.pointer = NULL};
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!object_is(memobj, OBJECT_MEMORY)) return CL_INVALID_MEM_OBJECT;
    if (memobj->context != queue->context) return CL_INVALID_CONTEXT;
    cl_int error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    if (mapped_ptr == NULL || !forget(memobj, mapped_ptr, &mapping)) return CL_INVALID_VALUE;
    const bool moves = (mapping.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
    struct rectangle *rectangle =
        new_rectangle(queue, CL_COMMAND_UNMAP_MEM_OBJECT, &mapping, NULL, moves ? memobj : NULL, moves);
    if (rectangle == NULL) return CL_OUT_OF_HOST_MEMORY;
    return command_enqueue(&rectangle->command, num_events, event_wait_list, event, false);
}
