// Memory objects: buffers, sub-buffers, which are a part of one, images (image.h) and pipes.
//
// A buffer has a place in the space of each device of its context; `valid` says on which devices what it holds is
// current. What the host sees of it (maps, CL_MEM_USE_HOST_PTR) is its mirror, of the size of the buffer.
#ifndef TANDEM_OPENCL_MEMORY_H
#define TANDEM_OPENCL_MEMORY_H

#include "opencl/context.h"

struct image;

struct pipe {
    cl_uint packet_bytes, packets;
};

// A box of bytes in memory: rows of size[0] bytes, size[1] rows, size[2] slices.
struct box {
    size_t start;  // of the first byte
    size_t row_pitch, slice_pitch;
};

struct mapping {
    struct mapping *next;
    char *pointer;
    struct box box;  // of the (sub-)buffer or the image, and of its mirror
    size_t region[3];
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
    struct _cl_mem *whole;  // of a sub-buffer, and of an image in a buffer's memory: the buffer; else itself
    struct image *image;    // NULL: it is none
    struct pipe *pipe;      // NULL: it is none
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
bool memory_is_image(cl_mem memory);
bool memory_is_pipe(cl_mem memory);
// What all that make memory objects begin with. whole: that the new one is a part of, NULL: it is none.
// NULL: the host has no memory.
cl_mem memory_new(cl_context context, cl_mem whole, cl_mem_flags flags, size_t size);
// A place on every device of the context; content: what it holds at first, NULL: anything.
cl_int memory_allocate(cl_mem memory, const void *content);
// CL_INVALID_VALUE: no flags of a memory object.
cl_int memory_flags_check(cl_mem_flags flags);
// What the flags of the whole leave open, those of the part may say; the rest is inherited. CL_INVALID_VALUE: they say
// something else.
cl_int memory_part_flags(cl_mem whole, cl_mem_flags *flags);
// Can every device of the context hold so many bytes at once?
bool memory_size_good(cl_context context, size_t size);
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
