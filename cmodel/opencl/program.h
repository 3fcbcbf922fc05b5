// Programs: a source, or binaries, and for each device what was built of it.
#ifndef TANDEM_OPENCL_PROGRAM_H
#define TANDEM_OPENCL_PROGRAM_H

#include "isa/code_object.h"
#include "opencl/context.h"

// What one device has of a program.
struct program_build {
    bool wanted;  // the program is for this device
    cl_build_status status;
    cl_program_binary_type type;
    char *options, *log;  // NULL: ""
    // Executable: the code object as an ELF file; compiled object, library: bitcode.
    void *code;
    size_t size;
    // Of an executable:
    struct tandem_module *module;
    struct code_object object;
    bool read;  // object is
};

struct _cl_program {
    struct object object;
    cl_context context;
    char *source;  // NULL: made of binaries, or linked
    size_t source_size;
    bool binary;                               // made of binaries: its kernels tell no attributes
    struct program_build builds[DEVICES_MAX];  // by the device's index in the context
    atomic_uint kernels;                       // kernel objects, which keep it from being built anew
    pthread_mutex_t lock;                      // of the builds while one is made
};

cl_program program_new(cl_context context, cl_int *error);
// What the program has for the device of the place.
struct program_build *program_build_of(cl_program program, const struct place *place);
// Forgets what was built; status is CL_BUILD_NONE.
void program_build_clear(struct program_build *build);
// Takes the code (malloc'ed) over; an executable is read and loaded. False: it cannot be, the log says why.
bool program_build_take(cl_program program, const struct place *place, void *code, size_t size,
                        cl_program_binary_type type);
// A line for the log.
void program_build_log(struct program_build *build, const char *text);
// The devices that a call names (NULL: all of the program), as indices; CL_SUCCESS, CL_INVALID_VALUE, CL_INVALID_DEVICE.
cl_int program_devices(cl_program program, cl_uint num_devices, const cl_device_id *list, cl_uint *indices,
                       cl_uint *count);
// Any executable of the program; NULL: there is none.
const struct program_build *program_executable(cl_program program);

// ---- program_binary.c: what clGetProgramInfo hands out and clCreateProgramWithBinary takes ----
size_t binary_size(const struct program_build *build);
void binary_write(const struct program_build *build, void *to);
// Copies the code out of a binary. False: it is none of this version.
bool binary_read(const void *from, size_t size, cl_program_binary_type *type, void **code, size_t *code_size);

#endif
