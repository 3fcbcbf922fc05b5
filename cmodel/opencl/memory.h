// Memory objects: buffers, and sub-buffers, which are a part of one.
//
// A buffer has a place in the space of each device of its context; `valid` says on which devices what it holds is
// current. What the host sees of it (maps, CL_MEM_USE_HOST_PTR) is its mirror, of the size of the buffer.
#ifndef TANDEM_OPENCL_MEMORY_H
#define TANDEM_OPENCL_MEMORY_H

#include "opencl/context.h"

struct mapping {
    struct mapping *next;
    char *pointer;
    size_t offset, size;  // of the whole buffer
    cl_map_flags flags;
};

struct memory_destructor {
    struct memory_destructor *next;
    void(CL_CALLBACK *call)(cl_mem memory, void *user_data);
    void *user_data;
};

struct _cl_mem {
    struct object object;
    cl_context context;
    struct _cl_mem *whole;  // of a sub-buffer: the buffer; else itself
    size_t origin, size;
    cl_mem_flags flags;
    void *host_pointer;  // as it was given
    cl_mem_properties properties[1];
    bool has_properties;
    struct memory_destructor *destructors;  // under the context's lock
    pthread_mutex_t lock;                   // of what follows
    struct mapping *mappings;
    cl_uint map_count;
    // Of the whole buffer:
    struct {
        tandem_addr address;
        bool allocated, valid;
    } copies[DEVICES_MAX];
    char *mirror;  // NULL: none yet
    bool mirror_given;
};

bool memory_is_buffer(cl_mem memory);
// Makes what the buffer holds current on the place. writes: it will be changed there, and is current nowhere else then.
cl_int memory_bring(cl_mem memory, struct place *place, bool writes);
// Address of the (sub-)buffer there.
tandem_addr memory_address(cl_mem memory, const struct place *place);
// Bytes [offset, offset + size) of the (sub-)buffer, on a place where it is current.
cl_int buffer_read(cl_mem memory, const struct place *place, size_t offset, void *to, size_t size);
cl_int buffer_write(cl_mem memory, const struct place *place, size_t offset, const void *from, size_t size);
// The host's view of the (sub-)buffer; NULL: the host has no memory.
char *memory_mirror(cl_mem memory);

#endif
