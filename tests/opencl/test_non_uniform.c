// Ranges whose work-groups differ in size, by the host and by kernels: what work-items are told, that each runs once,
// barriers in the small groups; who may not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/world.h"

static struct world world;

static void close_world(void) {
    world_close(&world);
}

TestSuite(non_uniform, .fini = close_world);

// What a work-item tells, in this order: eight functions of three dimensions, four numbers.
enum { VALUES = 8 * 3 + 4, TIMES = VALUES, RECORD = VALUES + 1 };
static const char source[] =
    "#define TELL(k, f) for (uint d = 0; d < 3; d++) to[3 * k + d] = f(d)\n"
    "void tell(__global uint *all) {\n"
    "    const uint at = get_global_id(0) - get_global_offset(0) + get_global_size(0) *\n"
    "        (get_global_id(1) - get_global_offset(1) + get_global_size(1) * (get_global_id(2) - "
    "get_global_offset(2)));\n"
    "    __global uint *to = all + 29 * at;\n"
    "    TELL(0, get_global_id); TELL(1, get_local_id); TELL(2, get_group_id); TELL(3, get_global_size);\n"
    "    TELL(4, get_local_size); TELL(5, get_enqueued_local_size); TELL(6, get_num_groups); TELL(7, "
    "get_global_offset);\n"
    "    to[24] = get_global_linear_id(); to[25] = get_local_linear_id(); to[26] = get_work_dim();\n"
    "    to[27] = get_num_sub_groups();\n"
    // Full groups take longer: whoever takes the end of the others for that of all is found out.
    "    if (get_local_size(0) == get_enqueued_local_size(0)) for (int k = 0; k < 60; k++) atomic_or(to + 28, 0u);\n"
    "    atomic_inc(to + 28);\n"
    "}\n"
    "__kernel void tells(__global uint *all) { tell(all); }\n"
    "__kernel void enqueues(__global uint *all, int dimensions, uint3 offset, uint3 size, uint3 local_size, int ways) "
    "{\n"
    "    const size_t o[] = {offset.x, offset.y, offset.z}, g[] = {size.x, size.y, size.z};\n"
    "    const size_t l[] = {local_size.x, local_size.y, local_size.z};\n"
    "    const ndrange_t range = dimensions == 1 ? ndrange_1D(offset.x, size.x, local_size.x)\n"
    "        : dimensions == 2 ? ndrange_2D(o, g, l) : ndrange_3D(o, g, l);\n"
    "    const uint end = 29 * size.x * (dimensions > 1 ? size.y : 1) * (dimensions > 2 ? size.z : 1);\n"
    "    clk_event_t first = create_user_event(), all_parts;\n"
    "    int error;\n"
    "    if (ways == 0) {\n"
    "        all[end] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range, ^{ tell(all); });\n"
    "        set_user_event_status(first, CL_COMPLETE);\n"
    "        release_event(first);\n"
    "        return;\n"
    "    }\n"
    // The second launch must come behind all parts of the first, which waits for `first`.
    "    all[end] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, range, 1, &first, &all_parts,\n"
    "                              ^{ tell(all); });\n"
    "    all[end + 1] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &all_parts, "
    "0,\n"
    "                                  ^{ uint n = 0; for (uint k = 28; k < end; k += 29) n += all[k]; all[end + 2] = "
    "n; });\n"
    "    set_user_event_status(first, CL_COMPLETE);\n"
    "    release_event(first);\n"
    "    release_event(all_parts);\n"
    "}\n"
    "__kernel void sums(__global const uint *from, __global uint *to) {\n"
    "    __local uint words[512];\n"
    "    const uint i = get_local_id(0), n = get_local_size(0), own = from[get_global_id(0)];\n"
    "    words[i] = own;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    uint sum = 0;\n"
    "    for (uint k = 0; k < n; k++) sum += words[k];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    words[n - 1 - i] = own + sum;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    to[get_global_id(0)] = words[i] + work_group_reduce_add(own);\n"
    "}\n";

struct range {
    cl_uint dimensions;
    size_t global[3], local[3], offset[3];
};
static const struct range ranges[] = {
    {1, {10, 1, 1}, {4, 1, 1}, {0}},      {1, {3, 1, 1}, {8, 1, 1}, {5}},     {1, {75, 1, 1}, {32, 1, 1}, {1000}},
    {1, {96, 1, 1}, {32, 1, 1}, {7}},     {2, {10, 7, 1}, {4, 3, 1}, {0, 3}}, {2, {8, 5, 1}, {4, 2, 1}, {2, 0}},
    {2, {3, 9, 1}, {7, 4, 1}, {1, 1}},    {3, {5, 6, 7}, {2, 4, 3}, {0}},     {3, {9, 2, 5}, {4, 2, 2}, {100, 200, 1}},
    {3, {2, 3, 1}, {4, 4, 2}, {0, 0, 9}},
};
enum { RANGES = sizeof ranges / sizeof *ranges };

static size_t items_of(const struct range *r) {
    return r->global[0] * r->global[1] * r->global[2];
}

// Of the work-item at this place; width: threads of a warp.
static void expect(const struct range *r, const size_t at[3], cl_uint width, cl_uint values[VALUES]) {
    size_t sizes[3], locals[3];
    for (unsigned d = 0; d < 3; d++) {
        const size_t group = at[d] / r->local[d], left = r->global[d] - group * r->local[d];
        sizes[d] = left < r->local[d] ? left : r->local[d];
        locals[d] = at[d] - group * r->local[d];
        const size_t told[] = {at[d] + r->offset[d],
                               locals[d],
                               group,
                               r->global[d],
                               sizes[d],
                               r->local[d],
                               (r->global[d] + r->local[d] - 1) / r->local[d],
                               r->offset[d]};
        for (unsigned k = 0; k < 8; k++)
            values[3 * k + d] = (cl_uint)told[k];
    }
    values[24] = (cl_uint)(at[0] + r->global[0] * (at[1] + r->global[1] * at[2]));
    values[25] = (cl_uint)(locals[0] + sizes[0] * (locals[1] + sizes[1] * locals[2]));
    values[26] = r->dimensions;
    values[27] = (cl_uint)((sizes[0] * sizes[1] * sizes[2] + width - 1) / width);
}

static void check(const struct range *r, const cl_uint *told, cl_uint width, const char *who) {
    for (size_t k = 0; k < items_of(r); k++) {
        const size_t at[3] = {k % r->global[0], k / r->global[0] % r->global[1], k / r->global[0] / r->global[1]};
        cl_uint values[VALUES];
        expect(r, at, width, values);
        cr_assert_eq(told[RECORD * k + TIMES], 1, "%s, range %d: item %zu ran %u times", who, (int)(r - ranges), k,
                     told[RECORD * k + TIMES]);
        for (unsigned v = 0; v < VALUES; v++)
            cr_assert_eq(told[RECORD * k + v], values[v], "%s, range %d, item %zu, value %u: %u, not %u", who,
                         (int)(r - ranges), k, v, told[RECORD * k + v], values[v]);
    }
}

static cl_uint warp_width(cl_kernel kernel) {
    size_t width = 0;
    GOOD(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof width, &width,
                                  NULL));
    return (cl_uint)width;
}

static cl_kernel kernel_of(cl_program program, const char *name) {
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    GOOD(error);
    return kernel;
}

static void zero(cl_mem memory, size_t size) {
    const cl_uint none = 0;
    GOOD(clEnqueueFillBuffer(world.queue, memory, &none, 4, 0, size, 0, NULL, NULL));
}

// By the host all ranges from `first` on, a multiple of `step` apart.
static void by_host(const char *device, unsigned first, unsigned step) {
    world_open(&world, device, 0);
    cl_program program = world_program(&world, source, "-cl-std=CL3.0");
    cl_kernel kernel = kernel_of(program, "tells");
    for (unsigned k = first; k < RANGES; k += step) {
        const struct range *r = &ranges[k];
        const size_t size = 4 * RECORD * items_of(r);
        cl_mem memory = world_buffer(&world, CL_MEM_READ_WRITE, size, NULL);
        cl_uint *told = malloc(size);
        zero(memory, size);
        GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
        GOOD(clEnqueueNDRangeKernel(world.queue, kernel, r->dimensions, r->offset, r->global, r->local, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, size, told, 0, NULL, NULL));
        check(r, told, warp_width(kernel), device);
        free(told);
        clReleaseMemObject(memory);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

#define BY_HOST(name, device, first, step)                                                             \
    Test(non_uniform, name,                                                                            \
         .description = "CL-2 work-groups of different sizes: what work-items are told [" #name "]") { \
        by_host(device, first, step);                                                                  \
    }
BY_HOST(nano, "model:nano", 0, 1)
BY_HOST(small, "model:small", 0, 1)
BY_HOST(full, "model:full", 0, 1)
BY_HOST(tandem_nano, "tandem:nano,seed=5", 1, 3)

static void by_kernels(const char *device, unsigned first, unsigned step) {
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        0};
    const size_t one = 1;
    cl_int error;
    world_open(&world, device, 0);
    cl_command_queue queue = clCreateCommandQueueWithProperties(world.context, world.devices[0], list, &error);
    GOOD(error);
    cl_program program = world_program(&world, source, "-cl-std=CL3.0");
    cl_kernel kernel = kernel_of(program, "enqueues");
    for (unsigned k = first; k < RANGES; k += step) {
        const struct range *r = &ranges[k];
        const size_t end = RECORD * items_of(r), size = 4 * (end + 3);
        cl_mem memory = world_buffer(&world, CL_MEM_READ_WRITE, size, NULL);
        cl_uint *told = malloc(size);
        const cl_int dimensions = (cl_int)r->dimensions, ways = k != 0;
        GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
        GOOD(clSetKernelArg(kernel, 1, sizeof dimensions, &dimensions));
        const size_t *const sizes[] = {r->offset, r->global, r->local};
        for (cl_uint s = 0; s < 3; s++) {
            const cl_uint3 words = {{(cl_uint)sizes[s][0], (cl_uint)sizes[s][1], (cl_uint)sizes[s][2]}};
            GOOD(clSetKernelArg(kernel, 2 + s, sizeof words, &words));
        }
        GOOD(clSetKernelArg(kernel, 5, sizeof ways, &ways));
        zero(memory, size);
        GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, size, told, 0, NULL, NULL));
        cr_assert_eq(told[end] | told[end + 1], 0, "range %u: errors %d, %d", k, (int)told[end], (int)told[end + 1]);
        cr_assert_eq(told[end + 2], ways == 0 ? 0 : items_of(r), "range %u: %u before the event", k, told[end + 2]);
        check(r, told, warp_width(kernel), "a kernel");
        free(told);
        clReleaseMemObject(memory);
    }
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

#define BY_KERNELS(name, device, first, step)                                                                   \
    Test(non_uniform, name, .description = "CL-4 kernels enqueue work-groups of different sizes [" #name "]") { \
        by_kernels(device, first, step);                                                                        \
    }
BY_KERNELS(enqueued_nano, "model:nano", 0, 1)
BY_KERNELS(enqueued_small, "model:small", 0, 1)
BY_KERNELS(enqueued_full, "model:full", 0, 1)

// Barriers and work-group functions in groups of all sizes, also where threads take turns.
static void barriers(const char *device, size_t local, size_t size) {
    world_open(&world, device, 0);
    cl_program program = world_program(&world, source, "-cl-std=CL3.0");
    cl_kernel kernel = kernel_of(program, "sums");
    cl_uint *values = malloc(4 * size), *sums = malloc(4 * size);
    for (size_t k = 0; k < size; k++)
        values[k] = (cl_uint)(k * 2654435761u >> 7);
    cl_mem from = world_buffer(&world, CL_MEM_COPY_HOST_PTR, 4 * size, values),
           to = world_buffer(&world, CL_MEM_READ_WRITE, 4 * size, NULL);
    GOOD(clSetKernelArg(kernel, 0, sizeof from, &from));
    GOOD(clSetKernelArg(kernel, 1, sizeof to, &to));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &size, &local, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, to, CL_TRUE, 0, 4 * size, sums, 0, NULL, NULL));
    for (size_t begin = 0; begin < size; begin += local) {
        const size_t end = begin + local < size ? begin + local : size;
        cl_uint sum = 0;
        for (size_t k = begin; k < end; k++)
            sum += values[k];
        for (size_t k = begin; k < end; k++)
            cr_assert_eq(sums[k], values[begin + end - 1 - k] + 2 * sum, "%s: item %zu of %zu", device, k, size);
    }
    free(values);
    free(sums);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}
Test(non_uniform, barriers, .description = "CL-3 barriers in work-groups of different sizes [model]") {
    barriers("model:small", 48, 48 * 5 + 17);
}
Test(non_uniform, turns, .description = "CL-3 work-groups of different sizes, larger than what is resident [model]") {
    barriers("model:nano", 200, 200 * 2 + 130);
}

Test(non_uniform, refused, .description = "CL-2 kernels whose work-groups have one size [model]") {
    static const char *const options[] = {"-cl-std=CL1.2", "-cl-std=CL3.0 -cl-uniform-work-group-size", ""};
    const size_t size = 10, local = 4, none = 0, large = 100000;
    cl_bool can = CL_FALSE;
    world_open(&world, "model:small", 0);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof can, &can, NULL));
    cr_assert_eq(can, CL_TRUE);
    static const char plain[] = "__kernel void k(__global uint *to) { to[get_global_id(0)] = get_local_size(0); }\n";
    cl_mem memory = world_buffer(&world, CL_MEM_READ_WRITE, 4 * size, NULL);
    for (unsigned k = 0; k < 4; k++) {
        cl_program program = world_program(&world, plain, k < 3 ? options[k] : "-cl-std=CL2.0");
        cl_kernel kernel = kernel_of(program, "k");
        GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
        cl_int error = clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &size, &local, 0, NULL, NULL);
        cr_assert_eq(error, k < 3 ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS, "program %u: %d", k, error);
        error = clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &size, &none, 0, NULL, NULL);
        cr_assert_eq(error, CL_INVALID_WORK_GROUP_SIZE, "program %u: %d", k, error);
        error = clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &size, &large, 0, NULL, NULL);
        cr_assert_eq(error, CL_INVALID_WORK_ITEM_SIZE, "program %u: %d", k, error);
        GOOD(clFinish(world.queue));
        clReleaseKernel(kernel);
        clReleaseProgram(program);
    }
    clReleaseMemObject(memory);
}
