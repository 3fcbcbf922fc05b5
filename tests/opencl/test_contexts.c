// Many contexts of one process, and what stays apart between them.
#include <stdlib.h>
#include <string.h>

#include "opencl/world.h"

#define MANY 64
#define ITEMS 64
#define BYTES (256u << 10)

static struct world world;

static void close_world(void) {
    world_close(&world);
}

TestSuite(contexts, .fini = close_world);

struct one {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem memory;
    cl_uint tells;
};

static unsigned char binary[65536];
static size_t binary_size;

static void CL_CALLBACK told(const char *text, const void *more, size_t size, void *user) {
    (void)text, (void)more, (void)size;
    ((struct one *)user)->tells++;
}

static const char source[] =
    "__kernel void mark(__global uint *p, uint with) { p[get_global_id(0)] = with + (uint)get_global_id(0); }\n"
    "__kernel void sweep(__global uint *p, uint at) { *(__global uint *)(at + 4 * (uint)get_global_id(0)) = (uint)p; }";

static void open_one(struct one *one) {
    const char *text = source;
    cl_int error = CL_SUCCESS;
    one->context = clCreateContext(NULL, 1, world.devices, told, one, &error);
    GOOD(error);
    one->queue = clCreateCommandQueue(one->context, world.devices[0], 0, &error);
    GOOD(error);
    // Compiled once only.
    const unsigned char *binaries = binary;
    one->program = binary_size == 0 ? clCreateProgramWithSource(one->context, 1, &text, NULL, &error)
                                    : clCreateProgramWithBinary(one->context, 1, world.devices, &binary_size, &binaries,
                                                                NULL, &error);
    GOOD(error);
    GOOD(clBuildProgram(one->program, 0, NULL, NULL, NULL, NULL));
    if (binary_size == 0) {
        unsigned char *to = binary;
        GOOD(clGetProgramInfo(one->program, CL_PROGRAM_BINARY_SIZES, sizeof binary_size, &binary_size, NULL));
        cr_assert_leq(binary_size, sizeof binary);
        GOOD(clGetProgramInfo(one->program, CL_PROGRAM_BINARIES, sizeof to, &to, NULL));
    }
    one->kernel = clCreateKernel(one->program, "mark", &error);
    GOOD(error);
    one->memory = clCreateBuffer(one->context, 0, BYTES, NULL, &error);
    GOOD(error);
}

static void close_one(struct one *one) {
    GOOD(clReleaseMemObject(one->memory));
    GOOD(clReleaseKernel(one->kernel));
    GOOD(clReleaseProgram(one->program));
    GOOD(clReleaseCommandQueue(one->queue));
    GOOD(clReleaseContext(one->context));
}

static void launch(struct one *one, cl_uint number) {
    const size_t items = ITEMS;
    GOOD(clSetKernelArg(one->kernel, 0, sizeof one->memory, &one->memory));
    GOOD(clSetKernelArg(one->kernel, 1, sizeof number, &number));
    GOOD(clEnqueueNDRangeKernel(one->queue, one->kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
}

static void check(struct one *one, cl_uint number) {
    static cl_uint back[BYTES / 4];
    GOOD(clEnqueueReadBuffer(one->queue, one->memory, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    for (cl_uint k = 0; k < BYTES / 4; k++)
        cr_assert_eq(back[k], k < ITEMS ? number + k : 0x55555555u, "context %u, word %u: 0x%x", number, k, back[k]);
}

static void open_many(const char *device, struct one *all, cl_uint count) {
    const cl_uint pattern = 0x55555555u;
    world_open(&world, device, 0);
    for (cl_uint k = 0; k < count; k++) {
        open_one(&all[k]);
        GOOD(clEnqueueFillBuffer(all[k].queue, all[k].memory, &pattern, sizeof pattern, 0, BYTES, 0, NULL, NULL));
    }
    for (cl_uint k = 0; k < count; k++)
        launch(&all[k], k * 1000);
    for (cl_uint k = 0; k < count; k++)
        check(&all[k], k * 1000);
}

// One of them writes all over its address space; the others keep what they have, and go on.
static void stay_apart(struct one *all, cl_uint count, cl_uint hostile) {
    const size_t items = ITEMS;
    struct one *one = &all[hostile];
    cl_int error = CL_SUCCESS;
    cl_kernel sweep = clCreateKernel(one->program, "sweep", &error);
    GOOD(error);
    for (cl_uint k = 0; k < 24; k++) {
        const cl_uint at = 0x800000u + k * 0x0A000000u;
        GOOD(clSetKernelArg(sweep, 0, sizeof one->memory, &one->memory));
        GOOD(clSetKernelArg(sweep, 1, sizeof at, &at));
        GOOD(clEnqueueNDRangeKernel(one->queue, sweep, 1, NULL, &items, NULL, 0, NULL, NULL));
        (void)clFinish(one->queue);
    }
    cr_expect_geq(one->tells, 20);
    GOOD(clReleaseKernel(sweep));
    for (cl_uint k = 0; k < count; k++) {
        if (k == hostile) continue;
        check(&all[k], k * 1000);
        launch(&all[k], k * 1000 + 7);
        check(&all[k], k * 1000 + 7);
        cr_expect_eq(all[k].tells, 0);
    }
}

Test(contexts, many, .description = "CL-2 CL-4 64 contexts at once, none reaches another's memory [model]") {
    static struct one all[MANY];
    open_many("model:full", all, MANY);
    stay_apart(all, MANY, MANY / 2);
    // Gaps of those that end serve new ones, whose memory is clear.
    for (cl_uint k = 0; k < MANY; k += 2)
        close_one(&all[k]);
    for (cl_uint k = 0; k < MANY; k += 2) {
        static cl_uint back[BYTES / 4];
        memset(&all[k], 0, sizeof all[k]);
        open_one(&all[k]);
        GOOD(clEnqueueReadBuffer(all[k].queue, all[k].memory, CL_TRUE, 0, BYTES, back, 0, NULL, NULL));
        for (cl_uint w = 0; w < BYTES / 4; w++)
            cr_assert_eq(back[w], 0, "context %u, word %u: 0x%x is another's", k, w, back[w]);
    }
    for (cl_uint k = 0; k < MANY; k++)
        close_one(&all[k]);
}

Test(contexts, tandem, .description = "CL-4 6 contexts on two channels, nano [tandem]") {
    static struct one all[6];
    open_many("tandem:nano,mem=128", all, 6);
    stay_apart(all, 6, 3);
    for (cl_uint k = 0; k < 6; k++)
        close_one(&all[k]);
}

Test(contexts, too_many, .description = "CL-2 a context for which no memory is left is refused, others go on [model]") {
    static cl_context all[64];
    cl_uint count = 0;
    cl_int error = CL_SUCCESS;
    struct one last = {0};
    world_open(&world, "model:nano,mem=32", 0);
    while (count < 64 && error == CL_SUCCESS) {
        all[count] = clCreateContext(NULL, 1, world.devices, NULL, NULL, &error);
        count += error == CL_SUCCESS;
    }
    BAD(CL_OUT_OF_RESOURCES, error);
    cr_expect_geq(count, 2);
    GOOD(clReleaseContext(all[--count]));
    open_one(&last);
    launch(&last, 5);
    GOOD(clFinish(last.queue));
    close_one(&last);
    while (count > 0)
        GOOD(clReleaseContext(all[--count]));
}

// As many as there is memory for, each with a queue that has done something.
static cl_uint open_all(cl_context *all, cl_command_queue *queues, cl_uint most) {
    for (cl_uint k = 0; k < most; k++) {
        cl_int error = CL_SUCCESS;
        all[k] = clCreateContext(NULL, 1, world.devices, NULL, NULL, &error);
        if (error != CL_SUCCESS) return k;
        queues[k] = clCreateCommandQueue(all[k], world.devices[0], 0, &error);
        GOOD(error);
        GOOD(clEnqueueMarkerWithWaitList(queues[k], 0, NULL, NULL));
        GOOD(clFinish(queues[k]));
    }
    return most;
}

Test(contexts, again, .description = "CL-2 what contexts had that were released, new ones get at once [model]") {
    static cl_context all[64];
    static cl_command_queue queues[64];
    cl_uint first = 0;
    world_open(&world, "model:nano,mem=32", 0);
    for (cl_uint round = 0; round < 50; round++) {
        const cl_uint count = open_all(all, queues, 64);
        if (round == 0) first = count;
        cr_expect_eq(count, first, "round %u: %u contexts, of %u before", round, count, first);
        for (cl_uint k = 0; k < count; k++) {
            GOOD(clReleaseCommandQueue(queues[k]));
            GOOD(clReleaseContext(all[k]));
        }
    }
    cr_expect_geq(first, 2);
}
