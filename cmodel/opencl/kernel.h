// Kernels: a name in a program, and arguments.
#ifndef TANDEM_OPENCL_KERNEL_H
#define TANDEM_OPENCL_KERNEL_H

#include "opencl/memory.h"
#include "opencl/program.h"

// What clSetKernelArg has said.
struct kernel_argument {
    bool set;
    void *value;    // a copy, of arguments by value
    size_t size;    // of the value; of a pointer to local memory: the bytes it points to
    cl_mem memory;  // watched, of a launch's copy held; NULL: a null pointer
};

struct _cl_kernel {
    struct object object;
    cl_program program;
    char *name;
    cl_uint count;
    struct kernel_argument *arguments;
};

// The kernel as the device of the place has it; NULL: it was not built for that.
const struct code_kernel *kernel_on(cl_kernel kernel, const struct place *place);
// On any device.
const struct code_kernel *kernel_any(cl_kernel kernel);
// Copies all arguments; false: the host has no memory. kernel_arguments_free() takes back.
bool kernel_arguments_copy(struct kernel_argument *to, const struct kernel_argument *from, cl_uint count);
void kernel_arguments_free(struct kernel_argument *arguments, cl_uint count);
// The same for a launch, which keeps the memory objects of its arguments. CL_INVALID_KERNEL_ARGS: one was released since
// it was set: a kernel keeps none.
cl_int launch_arguments_copy(struct kernel_argument *to, const struct kernel_argument *from, cl_uint count);
void launch_arguments_free(struct kernel_argument *arguments, cl_uint count);

#endif
