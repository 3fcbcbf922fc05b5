// Queues on the device: what kernels launch themselves, through the API; and what the API says of such queues.
#include <string.h>
#include <time.h>

#include "opencl/world.h"

#define ITEMS 64

static struct world world;

static void close_world(void) {
    world_close(&world);
}

TestSuite(device_queues, .fini = close_world);

static const char source[] =
    "__kernel void twice(__global int *to, queue_t queue, int n) {\n"
    "    const int mine = get_global_id(0);\n"
    "    void (^plus)(void) = ^{ to[get_global_id(0)] = mine + 3 * (int)get_global_id(0); };\n"
    "    if (mine != 0) return;\n"
    "    const int first = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), plus);\n"
    "    const int second = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n, n, 1),\n"
    "                                      ^{ to[get_global_id(0)] = 7; });\n"
    "    to[2 * n] = first, to[2 * n + 1] = second;\n"
    "}\n"
    // A tree: every launch makes two of the next level.
    "void grow(__global int *sum, queue_t queue, int level) {\n"
    "    atomic_add(sum, 1);\n"
    "    if (level == 0) return;\n"
    "    for (int k = 0; k < 2; k++)\n"
    "        if (enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ grow(sum, get_default_queue(), "
    "level - 1); }) != 0)\n"
    "            atomic_add(sum + 1, 1);\n"
    "}\n"
    "__kernel void busy(__global int *sum, int n) {\n"
    "    for (int k = 0; k < n; k++) atomic_add(sum, k & 1);\n"
    "}\n"
    "__kernel void hold(__global volatile int *words, int begun) {\n"
    "    words[0] = begun;\n"
    "    while (atomic_or(words + 1, 0) == 0);\n"
    "}\n"
    "__kernel void tree(__global int *sum, int level) { grow(sum, get_default_queue(), level); }\n"
    // A chain by events, its end behind a marker, and how long the first one took.
    "__kernel void chain(__global int *to, __global ulong *times, int n) {\n"
    "    queue_t queue = get_default_queue();\n"
    "    clk_event_t begin = create_user_event(), last = begin, next;\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        const int error = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &last, &next,\n"
    "                                         ^{ to[0] = to[0] * 3 + k; });\n"
    "        if (error != CLK_SUCCESS) { to[1] = error; break; }\n"
    "        if (k == 0) capture_event_profiling_info(next, CLK_PROFILING_COMMAND_EXEC_TIME, times);\n"
    "        release_event(last);\n"
    "        last = next;\n"
    "    }\n"
    "    clk_event_t marker;\n"
    "    if (enqueue_marker(queue, 1, &last, &marker) != CLK_SUCCESS) to[1] = 1;\n"
    "    release_event(last);\n"
    "    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &marker, 0, ^{ to[2] = to[0]; });\n"
    "    release_event(marker);\n"
    "    set_user_event_status(begin, CL_COMPLETE);\n"
    "    if (to[1] != 0) to[2] = to[1];\n"
    "}\n"
    "__kernel void many(__global int *to, int n) {\n"
    "    clk_event_t begin = create_user_event(), one;\n"
    "    to[0] = 0;\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        to[1] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &begin, &one,\n"
    "                               ^{ atomic_inc((volatile __global int *)to); });\n"
    "        if (to[1] != 0) break;\n"
    "        release_event(one);\n"
    "    }\n"
    "    set_user_event_status(begin, CL_COMPLETE);\n"
    "    release_event(begin);\n"
    "}\n"
    "__kernel void groups(__global uint *to) {\n"
    "    void (^block)(void) = ^{ to[0] = get_local_size(0); };\n"
    "    size_t global_size[2] = {64, 2}, local_size[2] = {17, 2};\n"
    "    to[1] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(64, 16), block);\n"
    "    to[2] = get_kernel_max_sub_group_size_for_ndrange(ndrange_2D(global_size, local_size), block);\n"
    "    to[3] = get_kernel_sub_group_count_for_ndrange(ndrange_2D(global_size, local_size), block);\n"
    "    to[4] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(1), block);\n"
    "    to[5] = get_kernel_work_group_size(block);\n"
    "    to[6] = get_kernel_preferred_work_group_size_multiple(block);\n"
    "}\n"
    "__kernel void child_faults(__global int *to, int place) {\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ *((__global int *)place) = "
    "1; });\n"
    "    to[0] = 5;\n"
    "}\n";

// A block that captures more than usual pieces have room for.
static const char large[] =
    "struct much { int values[150]; };\n"
    "__kernel void capture(__global int *to, struct much much) {\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(150),\n"
    "                   ^{ to[get_global_id(0)] = much.values[get_global_id(0)]; });\n"
    "}\n";

static cl_command_queue new_queue(cl_queue_properties flags, cl_int *error) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | flags, 0};
    return clCreateCommandQueueWithProperties(world.context, world.devices[0], list, error);
}

static cl_kernel kernel_of(cl_program program, const char *name) {
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    GOOD(error);
    return kernel;
}

static void launch(cl_command_queue queue, cl_kernel kernel, size_t items, cl_event *event) {
    GOOD(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, event));
}

static void read_words(cl_mem from, void *to, size_t count) {
    GOOD(clEnqueueReadBuffer(world.queue, from, CL_TRUE, 0, 4 * count, to, 0, NULL, NULL));
}

static void clear(cl_mem memory, size_t bytes) {
    const cl_int zero = 0;
    GOOD(clEnqueueFillBuffer(world.queue, memory, &zero, sizeof zero, 0, bytes, 0, NULL, NULL));
}

// CL-3: every way for work to come from a kernel.
static void all_ways(const char *devices, cl_int levels, cl_int events) {
    enum { WORDS = 2 * ITEMS + 2 };
    cl_int error, words[WORDS], n = ITEMS, expected = 0;
    world_open(&world, devices, CL_QUEUE_PROFILING_ENABLE);
    cl_program program = world_program(&world, source, "-cl-std=CL3.0");
    cl_command_queue queue = new_queue(CL_QUEUE_ON_DEVICE_DEFAULT, &error);
    GOOD(error);
    cl_mem memory = world_buffer(&world, CL_MEM_READ_WRITE, sizeof words, NULL);
    cl_mem times = world_buffer(&world, CL_MEM_READ_WRITE, 16, NULL);

    cl_kernel twice = kernel_of(program, "twice");
    clear(memory, sizeof words);
    GOOD(clSetKernelArg(twice, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(twice, 1, sizeof queue, &queue));
    GOOD(clSetKernelArg(twice, 2, sizeof n, &n));
    launch(world.queue, twice, ITEMS, NULL);
    read_words(memory, words, WORDS);
    cr_assert(words[2 * ITEMS] == 0 && words[2 * ITEMS + 1] == 0);
    for (int k = 0; k < ITEMS; k++)
        cr_assert(words[k] == 3 * k && words[ITEMS + k] == 7, "item %d: %d and %d", k, words[k], words[ITEMS + k]);

    cl_kernel tree = kernel_of(program, "tree");
    clear(memory, sizeof words);
    GOOD(clSetKernelArg(tree, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(tree, 1, sizeof levels, &levels));
    launch(world.queue, tree, 1, NULL);
    read_words(memory, words, 2);
    cr_assert(words[0] == (2 << levels) - 1 && words[1] == 0, "%d nodes, %d refused", words[0], words[1]);

    cl_kernel chain = kernel_of(program, "chain");
    cl_event event;
    cl_ulong took[2], start, end, complete;
    clear(memory, sizeof words);
    GOOD(clSetKernelArg(chain, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(chain, 1, sizeof times, &times));
    GOOD(clSetKernelArg(chain, 2, sizeof events, &events));
    launch(world.queue, chain, 1, &event);
    read_words(memory, words, 3);
    for (cl_int k = 0; k < events; k++)
        expected = (cl_int)((cl_uint)expected * 3 + (cl_uint)k);
    cr_assert(words[0] == expected && words[1] == 0 && words[2] == expected,
              "%d, error %d, %d behind the marker; expected %d", words[0], words[1], words[2], expected);
    GOOD(clEnqueueReadBuffer(world.queue, times, CL_TRUE, 0, sizeof took, took, 0, NULL, NULL));
    GOOD(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
    GOOD(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    GOOD(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_COMPLETE, sizeof complete, &complete, NULL));
    cr_assert(took[0] > 0 && took[1] >= took[0] && end > start && complete >= end && took[1] <= complete - start);
    GOOD(clReleaseEvent(event));

    cl_uint answers[7] = {0}, warp, most;
    cl_kernel groups = kernel_of(program, "groups");
    GOOD(clSetKernelArg(groups, 0, sizeof memory, &memory));
    launch(world.queue, groups, 1, NULL);
    read_words(memory, answers, 7);
    size_t size;
    GOOD(clGetKernelWorkGroupInfo(groups, world.devices[0], CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof size,
                                  &size, NULL));
    warp = (cl_uint)size;
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof size, &size, NULL));
    most = (cl_uint)size;
    cr_assert(answers[1] == 16 && answers[2] == (warp < 34 ? warp : 34) && answers[3] == (34 + warp - 1) / warp);
    cr_assert(answers[4] == 1 && answers[5] >= warp && answers[5] <= most && answers[6] == warp);
    clReleaseKernel(groups);
    clReleaseKernel(chain);
    clReleaseKernel(tree);
    clReleaseKernel(twice);
    clReleaseMemObject(times);
    clReleaseMemObject(memory);
    clReleaseCommandQueue(queue);
    clReleaseProgram(program);
}

Test(device_queues, ways_model) {
    all_ways("model:full", 9, 40);
}

Test(device_queues, ways_nano) {
    all_ways("tandem:nano", 3, 4);
}

// CL-3: as many events at once as the device says; then large blocks on what was made for small ones.
Test(device_queues, many) {
    cl_int words[150], error;
    cl_uint most;
    world_open(&world, "model:nano", 0);
    cl_program program = world_program(&world, source, "-cl-std=CL2.0"),
               other = world_program(&world, large, "-cl-std=CL3.0");
    cl_mem memory = world_buffer(&world, CL_MEM_READ_WRITE, sizeof words, NULL);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_MAX_ON_DEVICE_EVENTS, sizeof most, &most, NULL));
    cr_assert_geq(most, 1024);
    cl_kernel many = kernel_of(program, "many"), capture = kernel_of(other, "capture");
    const cl_int n = (cl_int)most - 1;  // the user's event is one too
    GOOD(clSetKernelArg(many, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(many, 1, sizeof n, &n));
    launch(world.queue, many, 1, NULL);
    read_words(memory, words, 2);
    cr_assert(words[0] == n && words[1] == 0, "%d of %d launches, error %d", words[0], n, words[1]);
    // More only with a queue that is large enough.
    const cl_int more = 6000;
    GOOD(clSetKernelArg(many, 1, sizeof more, &more));
    launch(world.queue, many, 1, NULL);
    read_words(memory, words, 2);
    cr_assert(words[0] >= n && words[0] < more && words[1] != 0, "%d launches, error %d", words[0], words[1]);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof most, &most, NULL));
    const cl_queue_properties sized[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_SIZE, most, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(world.context, world.devices[0], sized, &error);
    GOOD(error);
    launch(world.queue, many, 1, NULL);
    read_words(memory, words, 2);
    cr_assert(words[0] == more && words[1] == 0, "%d of %d launches, error %d", words[0], more, words[1]);
    GOOD(clReleaseCommandQueue(queue));
    for (int k = 0; k < 150; k++)
        words[k] = k * k;
    GOOD(clSetKernelArg(capture, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(capture, 1, sizeof words, words));
    launch(world.queue, capture, 1, NULL);
    memset(words, 0, sizeof words);
    read_words(memory, words, 150);
    for (int k = 0; k < 150; k++)
        cr_assert_eq(words[k], k * k);
    clReleaseKernel(many);
    clReleaseKernel(capture);
    clReleaseMemObject(memory);
    clReleaseProgram(program);
    clReleaseProgram(other);
}

// CL-3: nano has two channels. Launches of one queue hold one for a while, each of the others needs both.
Test(device_queues, side_by_side) {
    enum { QUEUES = 4, TIMES = 6 };
    cl_command_queue queues[QUEUES];
    cl_kernel kernels[QUEUES];
    cl_mem memories[QUEUES];
    cl_int error, words[2], levels = 3, n = 3000;
    world_open(&world, "model:nano", 0);
    cl_program program = world_program(&world, source, "-cl-std=CL3.0");
    for (int k = 0; k < QUEUES; k++) {
        queues[k] = clCreateCommandQueue(world.context, world.devices[0], 0, &error);
        GOOD(error);
        memories[k] = world_buffer(&world, CL_MEM_READ_WRITE, 8, NULL);
        clear(memories[k], 8);
        kernels[k] = kernel_of(program, k == 0 ? "busy" : "tree");
        GOOD(clSetKernelArg(kernels[k], 0, sizeof memories[k], &memories[k]));
        GOOD(clSetKernelArg(kernels[k], 1, sizeof(cl_int), k == 0 ? &n : &levels));
    }
    GOOD(clFinish(world.queue));
    for (int t = 0; t < TIMES; t++)
        for (int k = 0; k < QUEUES; k++)
            launch(queues[k], kernels[k], k == 0 ? 4 * ITEMS : 1, NULL);
    for (int k = 0; k < QUEUES; k++) {
        GOOD(clFinish(queues[k]));
        read_words(memories[k], words, 2);
        cr_assert(words[0] == TIMES * (k == 0 ? 4 * ITEMS * n / 2 : 15) && words[1] == 0,
                  "queue %d: %d nodes, %d refused", k, words[0], words[1]);
        clReleaseKernel(kernels[k]);
        clReleaseMemObject(memories[k]);
        clReleaseCommandQueue(queues[k]);
    }
    clReleaseProgram(program);
}

// CL-3: nano has two channels. While one is surely held, a kernel that makes work, and so needs both, waits; it does not
// get the one that is left and fail for want of the other.
Test(device_queues, waits_for_both_channels) {
    const struct timespec moment = {.tv_nsec = 1000000};
    cl_int error, words[2], begun = 1, levels = 3, status = CL_QUEUED;
    cl_event held, grown;
    world_open(&world, "model:nano", 0);
    cl_program program = world_program(&world, source, "-cl-std=CL3.0");
    cl_kernel hold = kernel_of(program, "hold"), tree = kernel_of(program, "tree");
    cl_command_queue other = clCreateCommandQueue(world.context, world.devices[0], 0, &error),
                     third = clCreateCommandQueue(world.context, world.devices[0], 0, &error);
    cl_mem flags = world_buffer(&world, CL_MEM_READ_WRITE, 8, NULL),
           memory = world_buffer(&world, CL_MEM_READ_WRITE, 8, NULL);
    clear(flags, 8);
    clear(memory, 8);
    GOOD(clSetKernelArg(hold, 0, sizeof flags, &flags));
    GOOD(clSetKernelArg(hold, 1, sizeof begun, &begun));
    GOOD(clSetKernelArg(tree, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(tree, 1, sizeof levels, &levels));
    launch(world.queue, hold, 1, &held);
    GOOD(clFlush(world.queue));
    for (words[0] = 0; words[0] != begun;)
        GOOD(clEnqueueReadBuffer(third, flags, CL_TRUE, 0, 8, words, 0, NULL, NULL));
    launch(other, tree, 1, &grown);
    GOOD(clFlush(other));
    for (int k = 0; k < 300 && status >= 0; k++) {  // a moment in which it could fail
        GOOD(clGetEventInfo(grown, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        cr_assert_neq(status, CL_COMPLETE, "with one channel");
        (void)nanosleep(&moment, NULL);
    }
    cr_assert_geq(status, 0, "failed (%d) in place of waiting", status);
    GOOD(clEnqueueWriteBuffer(third, flags, CL_TRUE, 4, 4, &begun, 0, NULL, NULL));
    const cl_event both[] = {held, grown};
    GOOD(clWaitForEvents(2, both));
    read_words(memory, words, 2);
    cr_assert(words[0] == 15 && words[1] == 0, "%d nodes, %d refused", words[0], words[1]);
    clReleaseEvent(held);
    clReleaseEvent(grown);
    clReleaseMemObject(flags);
    clReleaseMemObject(memory);
    clReleaseCommandQueue(other);
    clReleaseCommandQueue(third);
    clReleaseKernel(hold);
    clReleaseKernel(tree);
    clReleaseProgram(program);
}

// CL-4: a fault of a launch that a kernel has made is its command's; what comes behind works.
Test(device_queues, fault) {
    cl_int words[2], place = 0x3FFFFFF0, levels = 2, status;
    cl_event event;
    world_open(&world, "model:small", 0);
    cl_program program = world_program(&world, source, "-cl-std=CL3.0");
    cl_mem memory = world_buffer(&world, CL_MEM_READ_WRITE, 8, NULL);
    cl_kernel faults = kernel_of(program, "child_faults"), tree = kernel_of(program, "tree");
    place = -16;  // no address of any space
    GOOD(clSetKernelArg(faults, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(faults, 1, sizeof place, &place));
    launch(world.queue, faults, 1, &event);
    cr_assert_eq(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    GOOD(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    cr_assert(status < 0 && world.tells == 1, "status %d, told %d times", status, world.tells);
    (void)clFinish(world.queue);  // gives the error once more
    clear(memory, 8);
    GOOD(clSetKernelArg(tree, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(tree, 1, sizeof levels, &levels));
    launch(world.queue, tree, 1, NULL);
    read_words(memory, words, 2);
    cr_assert(words[0] == 7 && words[1] == 0);
    clReleaseEvent(event);
    clReleaseKernel(faults);
    clReleaseKernel(tree);
    clReleaseMemObject(memory);
    clReleaseProgram(program);
}

// CL-2: made, asked, replaced, released.
// Local memory of a block's arguments lies as that of a kernel's does.
static const char locals[] =
    "__kernel void locals(__global uint *to) {\n"
    "    to[3] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),\n"
    "                           ^(__local void *a, __local void *b, __local void *c) {\n"
    "                               to[0] = (uint)a; to[1] = (uint)b; to[2] = (uint)c; }, 5u, 96u, 256u);\n"
    "}\n";

// CL-3
Test(device_queues, local_alignment) {
    cl_int error;
    cl_uint words[4];
    world_open(&world, NULL, 0);
    cl_program program = world_program(&world, locals, "-cl-std=CL3.0");
    cl_command_queue queue = new_queue(CL_QUEUE_ON_DEVICE_DEFAULT, &error);
    GOOD(error);
    cl_mem memory = world_buffer(&world, CL_MEM_READ_WRITE, sizeof words, NULL);
    cl_kernel kernel = kernel_of(program, "locals");
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    launch(world.queue, kernel, 1, NULL);
    read_words(memory, words, 4);
    cr_assert(words[3] == 0 && words[1] % 32 == 0 && words[2] % 128 == 0, "%d: 0x%x, 0x%x", (int)words[3], words[1],
              words[2]);
    cr_assert(words[1] >= words[0] + 5 && words[2] >= words[1] + 96);
    clReleaseKernel(kernel);
    clReleaseMemObject(memory);
    clReleaseCommandQueue(queue);
    clReleaseProgram(program);
}

Test(device_queues, queues) {
    cl_int error;
    cl_command_queue answer;
    cl_uint size, count, most;
    world_open(&world, NULL, 0);
    cl_device_id device = world.devices[0];
    GOOD(clGetCommandQueueInfo(world.queue, CL_QUEUE_DEVICE_DEFAULT, sizeof answer, &answer, NULL));
    cr_assert_null(answer);
    cl_command_queue first = new_queue(CL_QUEUE_ON_DEVICE_DEFAULT, &error),
                     same = new_queue(CL_QUEUE_ON_DEVICE_DEFAULT, &error);
    cr_assert(first != NULL && same == first);
    GOOD(clGetCommandQueueInfo(first, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL));
    cr_assert_eq(count, 2);
    cl_command_queue other = new_queue(0, &error);
    cr_assert(other != NULL && other != first);
    GOOD(clGetCommandQueueInfo(other, CL_QUEUE_DEVICE_DEFAULT, sizeof answer, &answer, NULL));
    cr_assert_eq(answer, first);
    GOOD(clSetDefaultDeviceCommandQueue(world.context, device, other));
    GOOD(clGetCommandQueueInfo(world.queue, CL_QUEUE_DEVICE_DEFAULT, sizeof answer, &answer, NULL));
    cr_assert_eq(answer, other);
    GOOD(clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, sizeof size, &size, NULL));
    GOOD(clGetCommandQueueInfo(other, CL_QUEUE_SIZE, sizeof count, &count, NULL));
    cr_assert_eq(count, size);
    BAD(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(world.queue, CL_QUEUE_SIZE, sizeof count, &count, NULL));
    // No command of the host is for them.
    const cl_int zero = 0;
    cl_mem memory = world_buffer(&world, CL_MEM_READ_WRITE, 64, NULL);
    BAD(CL_INVALID_COMMAND_QUEUE, clEnqueueFillBuffer(other, memory, &zero, sizeof zero, 0, 64, 0, NULL, NULL));
    BAD(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(other, 0, NULL, NULL));
    BAD(CL_INVALID_COMMAND_QUEUE, clFinish(other));
    BAD(CL_INVALID_COMMAND_QUEUE, clFlush(other));
    BAD(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(world.context, device, world.queue));
    BAD(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(world.context, device, NULL));
    BAD(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(world.context, NULL, other));
    BAD(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(NULL, device, other));
    GOOD(clReleaseCommandQueue(other));
    GOOD(clGetCommandQueueInfo(world.queue, CL_QUEUE_DEVICE_DEFAULT, sizeof answer, &answer, NULL));
    cr_assert_null(answer);
    GOOD(clReleaseCommandQueue(first));
    GOOD(clReleaseCommandQueue(first));
    // Properties that go together, and sizes.
    static const struct {
        cl_queue_properties list[5];
        cl_int error;
    } lists[] = {
        {{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}, CL_INVALID_VALUE},
        {{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
         CL_INVALID_VALUE},
        {{CL_QUEUE_SIZE, 4096, 0}, CL_INVALID_VALUE},
        {{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_SIZE, 1u << 30, 0},
         CL_INVALID_QUEUE_PROPERTIES},
        {{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_SIZE, 65536, 0},
         CL_SUCCESS},
    };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        cl_command_queue made = clCreateCommandQueueWithProperties(world.context, device, lists[k].list, &error);
        cr_assert(error == lists[k].error && (made != NULL) == (error == CL_SUCCESS), "list %zu: error %d", k, error);
        if (made == NULL) continue;
        GOOD(clGetCommandQueueInfo(made, CL_QUEUE_SIZE, sizeof size, &size, NULL));
        cr_assert_eq(size, lists[k].list[3]);
        GOOD(clReleaseCommandQueue(made));
    }
    // As many as the device says, beside a default one.
    cl_command_queue queues[64];
    GOOD(clGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof most, &most, NULL));
    cr_assert(most > 0 && most < 64);
    for (cl_uint k = 0; k <= most; k++) {
        queues[k] = new_queue(k == 0 ? CL_QUEUE_ON_DEVICE_DEFAULT : 0, &error);
        GOOD(error);
    }
    for (cl_uint k = 0; k <= most; k++)
        GOOD(clReleaseCommandQueue(queues[k]));
    clReleaseMemObject(memory);
}

// CL-2: arguments of the type queue_t, and which kernels a program has.
Test(device_queues, arguments) {
    char names[256];
    cl_int error;
    size_t count;
    cl_uint made;
    cl_kernel kernels[16];
    world_open(&world, NULL, 0);
    cl_program program = world_program(&world, source, "-cl-std=CL3.0");
    cl_command_queue queue = new_queue(0, &error);
    cl_kernel twice = kernel_of(program, "twice");
    cl_mem memory = world_buffer(&world, CL_MEM_READ_WRITE, 64, NULL);
    GOOD(clSetKernelArg(twice, 1, sizeof queue, &queue));
    BAD(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(twice, 1, sizeof world.queue, &world.queue));
    BAD(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(twice, 1, sizeof memory, &memory));
    BAD(CL_INVALID_ARG_SIZE, clSetKernelArg(twice, 1, 4, &queue));
    BAD(CL_INVALID_ARG_VALUE, clSetKernelArg(twice, 1, sizeof queue, NULL));
    GOOD(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    cr_assert_null(strstr(names, "block"), "%s", names);
    GOOD(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    GOOD(clCreateKernelsInProgram(program, 16, kernels, &made));
    cr_assert(count == 8 && made == count, "%zu kernels, %u made", count, made);
    for (cl_uint k = 0; k < made; k++)
        GOOD(clReleaseKernel(kernels[k]));
    BAD(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 7, kernels, NULL));
    cr_assert_null(clCreateKernel(program, "__twice_block_invoke_kernel", &error));
    cr_assert_eq(error, CL_INVALID_KERNEL_NAME);
    clReleaseKernel(twice);
    clReleaseMemObject(memory);
    clReleaseCommandQueue(queue);
    clReleaseProgram(program);
}
