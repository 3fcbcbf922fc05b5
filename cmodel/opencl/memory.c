// Memory objects: made, copied between devices, released.
#include "opencl/memory.h"

#include <stdlib.h>
#include <string.h>

#include "opencl/environment.h"
#include "opencl/image.h"

#define ALIGNMENT 128u  // of buffers: CL_DEVICE_MEM_BASE_ADDR_ALIGN
#define COPY_BYTES ((size_t)1 << 20)

bool memory_is_buffer(cl_mem memory) {
    return object_is(memory, OBJECT_MEMORY) && memory->image == NULL && memory->pipe == NULL;
}

bool memory_is_image(cl_mem memory) {
    return object_is(memory, OBJECT_MEMORY) && memory->image != NULL;
}

bool memory_is_pipe(cl_mem memory) {
    return object_is(memory, OBJECT_MEMORY) && memory->pipe != NULL;
}

tandem_addr memory_address(cl_mem memory, const struct place *place) {
    const cl_uint index = context_index(memory->context, place);
    return memory->whole->copies[index].address + (tandem_addr)memory->origin;
}

cl_int buffer_read(cl_mem memory, const struct place *place, size_t offset, void *to, size_t size) {
    const enum tandem_status status =
        tandem_space_read(place->space, memory_address(memory, place) + (tandem_addr)offset, to, size);
    return context_error(memory->context, place->device, "reading a buffer", status);
}

cl_int buffer_write(cl_mem memory, const struct place *place, size_t offset, const void *from, size_t size) {
    const enum tandem_status status =
        tandem_space_write(place->space, memory_address(memory, place) + (tandem_addr)offset, from, size);
    return context_error(memory->context, place->device, "writing a buffer", status);
}

// From one device of the context to another, over the host.
static cl_int carry(cl_mem whole, const struct place *from, const struct place *to) {
    const size_t most = whole->size < COPY_BYTES ? whole->size : COPY_BYTES;
    char *bytes = malloc(most);
    cl_int error = bytes != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (size_t at = 0; error == CL_SUCCESS && at < whole->size; at += most) {
        const size_t size = whole->size - at < most ? whole->size - at : most;
        error = buffer_read(whole, from, at, bytes, size);
        if (error == CL_SUCCESS) error = buffer_write(whole, to, at, bytes, size);
    }
    free(bytes);
    return error;
}

cl_int memory_bring(cl_mem memory, struct place *place, bool writes) {
    cl_mem whole = memory->whole;
    cl_context context = whole->context;
    const cl_uint index = context_index(context, place);
    cl_int error = CL_SUCCESS;
    if (context->count == 1) return CL_SUCCESS;
    pthread_mutex_lock(&whole->lock);
    if (!whole->copies[index].valid) {
        cl_uint from = 0;
        while (from < context->count && !whole->copies[from].valid)
            from++;
        error = carry(whole, &context->places[from], place);
        whole->copies[index].valid = error == CL_SUCCESS;
    }
    for (cl_uint k = 0; writes && error == CL_SUCCESS && k < context->count; k++)
        whole->copies[k].valid = k == index;
    pthread_mutex_unlock(&whole->lock);
    return error;
}

char *memory_mirror(cl_mem memory) {
    cl_mem whole = memory->whole;
    pthread_mutex_lock(&whole->lock);
    if (whole->mirror == NULL)
        whole->mirror = aligned_alloc(ALIGNMENT, (whole->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    char *mirror = whole->mirror;
    pthread_mutex_unlock(&whole->lock);
    return mirror != NULL ? mirror + memory->origin : NULL;
}

static void free_whole(cl_mem memory) {
    cl_context context = memory->context;
    for (cl_uint k = 0; k < context->count && !devices_ending(); k++)
        if (memory->copies[k].allocated) (void)tandem_space_free(context->places[k].space, memory->copies[k].address);
    if (!memory->mirror_given) free(memory->mirror);
}

static void destroy(void *object) {
    cl_mem memory = object;
    cl_context context = memory->context;
    // In the order opposite to that in which they were registered: the list has the last one first.
    for (struct memory_destructor *at = memory->destructors, *next; at != NULL; at = next) {
        next = at->next;
        at->call(memory, at->user_data);
        free(at);
    }
    for (struct mapping *at = memory->mappings, *next; at != NULL; at = next) {
        next = at->next;
        free(at);
    }
    if (memory->image != NULL) image_free(memory);
    if (memory->whole == memory) {
        free_whole(memory);
    } else {
        object_drop(memory->whole);
    }
    pthread_mutex_destroy(&memory->lock);
    free(memory->pipe);
    object_unwatch(memory);
    object_drop(context);
}

cl_mem memory_new(cl_context context, cl_mem whole, cl_mem_flags flags, size_t size) {
    struct _cl_mem *memory = calloc(1, sizeof *memory);
    if (memory == NULL) return NULL;
    object_begin(&memory->object, OBJECT_MEMORY, destroy);
    object_hold(context);
    if (whole != NULL) object_hold(whole);
    memory->context = context;
    memory->whole = whole != NULL ? whole : memory;
    memory->flags = flags;
    memory->size = size;
    pthread_mutex_init(&memory->lock, NULL);
    return memory;
}

cl_int memory_allocate(cl_mem memory, const void *content) {
    cl_context context = memory->context;
    cl_int error = CL_SUCCESS;
    for (cl_uint k = 0; k < context->count && error == CL_SUCCESS; k++) {
        struct place *place = &context->places[k];
        enum tandem_status status =
            tandem_space_alloc(place->space, memory->size, ALIGNMENT, &memory->copies[k].address);
        if (status == TANDEM_OK) {
            memory->copies[k].allocated = memory->copies[k].valid = true;
            if (content != NULL) error = buffer_write(memory, place, 0, content, memory->size);
        } else {
            error = device_error(place->device, status);
        }
    }
    return error;
}

static bool one_at_most(cl_mem_flags flags, cl_mem_flags of) {
    flags &= of;
    return (flags & (flags - 1)) == 0;
}

#define ACCESS_FLAGS (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)
#define HOST_ACCESS_FLAGS (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)
#define POINTER_FLAGS (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

static bool flags_good(cl_mem_flags flags) {
    return (flags & ~(cl_mem_flags)(ACCESS_FLAGS | HOST_ACCESS_FLAGS | POINTER_FLAGS)) == 0 &&
           one_at_most(flags, ACCESS_FLAGS) && one_at_most(flags, HOST_ACCESS_FLAGS) &&
           ((flags & CL_MEM_USE_HOST_PTR) == 0 || (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0);
}

cl_int memory_flags_check(cl_mem_flags flags) {
    return flags_good(flags) ? CL_SUCCESS : CL_INVALID_VALUE;
}

bool memory_size_good(cl_context context, size_t size) {
    for (cl_uint k = 0; k < context->count; k++)
        if (size > context->places[k].device->alloc) return false;
    return size > 0;
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                                cl_mem_flags flags, size_t size, void *host_ptr, cl_int *errcode_ret) {
    cl_int error = CL_SUCCESS;
    cl_mem memory = NULL;
    if (!object_lives(context, OBJECT_CONTEXT)) {
        error = CL_INVALID_CONTEXT;
    } else if (properties != NULL && properties[0] != 0) {
        error = CL_INVALID_PROPERTY;  // there are none
    } else if (!flags_good(flags)) {
        error = CL_INVALID_VALUE;
    } else if (!memory_size_good(context, size)) {
        error = CL_INVALID_BUFFER_SIZE;
    } else if ((host_ptr != NULL) != ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0)) {
        error = CL_INVALID_HOST_PTR;
    } else {
        if ((flags & ACCESS_FLAGS) == 0) flags |= CL_MEM_READ_WRITE;
        memory = memory_new(context, NULL, flags, size);
        error = memory != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    }
    if (error == CL_SUCCESS) {
        memory->has_properties = properties != NULL;
        if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
            memory->host_pointer = host_ptr;
            memory->mirror = host_ptr;
            memory->mirror_given = true;
        }
        error = memory_allocate(memory, host_ptr);
    }
    set_error(errcode_ret, error);
    if (error == CL_SUCCESS) return memory;
    object_drop(memory);
    return NULL;
}

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                                  cl_int *errcode_ret) {
    return clCreateBufferWithProperties(context, NULL, flags, size, host_ptr, errcode_ret);
}

cl_int memory_part_flags(cl_mem whole, cl_mem_flags *flags) {
    if ((*flags & POINTER_FLAGS) != 0 || !flags_good(*flags)) return CL_INVALID_VALUE;
    if ((whole->flags & CL_MEM_WRITE_ONLY) != 0 && (*flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) != 0)
        return CL_INVALID_VALUE;
    if ((whole->flags & CL_MEM_READ_ONLY) != 0 && (*flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) != 0)
        return CL_INVALID_VALUE;
    if ((whole->flags & CL_MEM_HOST_WRITE_ONLY) != 0 && (*flags & CL_MEM_HOST_READ_ONLY) != 0) return CL_INVALID_VALUE;
    if ((whole->flags & CL_MEM_HOST_READ_ONLY) != 0 && (*flags & CL_MEM_HOST_WRITE_ONLY) != 0) return CL_INVALID_VALUE;
    if ((whole->flags & CL_MEM_HOST_NO_ACCESS) != 0 && (*flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) != 0)
        return CL_INVALID_VALUE;
    if ((*flags & ACCESS_FLAGS) == 0) *flags |= whole->flags & ACCESS_FLAGS;
    if ((*flags & HOST_ACCESS_FLAGS) == 0) *flags |= whole->flags & HOST_ACCESS_FLAGS;
    *flags |= whole->flags & POINTER_FLAGS;
    return CL_SUCCESS;
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type buffer_create_type,
                                     const void *buffer_create_info, cl_int *errcode_ret) {
    const cl_buffer_region *region = buffer_create_info;
    cl_int error = CL_SUCCESS;
    cl_mem memory = NULL;
    if (!memory_is_buffer(buffer) || buffer->whole != buffer) {
        error = CL_INVALID_MEM_OBJECT;
    } else if (memory_part_flags(buffer, &flags) != CL_SUCCESS || buffer_create_type != CL_BUFFER_CREATE_TYPE_REGION ||
               region == NULL) {
        error = CL_INVALID_VALUE;
    } else if (region->size == 0) {
        error = CL_INVALID_BUFFER_SIZE;
    } else if (region->origin > buffer->size || region->size > buffer->size - region->origin) {
        error = CL_INVALID_VALUE;
    } else if (region->origin % ALIGNMENT != 0) {
        error = CL_MISALIGNED_SUB_BUFFER_OFFSET;
    } else {
        memory = memory_new(buffer->context, buffer, flags, region->size);
        error = memory != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    }
    set_error(errcode_ret, error);
    if (memory == NULL) return NULL;
    memory->origin = region->origin;
    if (buffer->host_pointer != NULL) memory->host_pointer = (char *)buffer->host_pointer + region->origin;
    return memory;
}

cl_int CL_API_CALL clRetainMemObject(cl_mem memory) {
    if (!object_is(memory, OBJECT_MEMORY)) return CL_INVALID_MEM_OBJECT;
    object_retain(memory);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem memory) {
    if (!object_is(memory, OBJECT_MEMORY)) return CL_INVALID_MEM_OBJECT;
    if (object_release(memory)) object_drop(memory);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memory,
                                                    void(CL_CALLBACK *pfn_notify)(cl_mem memory, void *user_data),
                                                    void *user_data) {
    if (!object_is(memory, OBJECT_MEMORY)) return CL_INVALID_MEM_OBJECT;
    if (pfn_notify == NULL) return CL_INVALID_VALUE;
    struct memory_destructor *destructor = malloc(sizeof *destructor);
    if (destructor == NULL) return CL_OUT_OF_HOST_MEMORY;
    pthread_mutex_lock(&memory->context->lock);
    *destructor = (struct memory_destructor){memory->destructors, pfn_notify, user_data};
    memory->destructors = destructor;
    pthread_mutex_unlock(&memory->context->lock);
    return CL_SUCCESS;
}
