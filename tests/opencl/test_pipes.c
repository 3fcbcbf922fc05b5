// Pipes: made and asked by the host; written and read by kernels, one after the other and at the same time.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/world.h"

static struct world world;

static void close_world(void) {
    world_close(&world);
}

TestSuite(pipes, .fini = close_world);

static const char source[] =
    "#ifndef __opencl_c_pipes\n"
    "#error no pipes\n"
    "#endif\n"
    "typedef struct { char a; ulong b; float4 c; } record;\n"
    "typedef struct { char text[5]; } letters;\n"
    "#define ONE_BY_ONE(type, make, number) \\\n"
    "__kernel void put_##type(write_only pipe type p, __global int *results) { \\\n"
    "    const uint i = get_global_id(0); \\\n"
    "    type packet = make; \\\n"
    "    results[i] = write_pipe(p, &packet); \\\n"
    "} \\\n"
    "__kernel void take_##type(read_only pipe type p, __global int *results) { \\\n"
    "    const uint i = get_global_id(0); \\\n"
    "    type packet; \\\n"
    "    results[i] = read_pipe(p, &packet) == 0 ? (int)(number) : -1; \\\n"
    "}\n"
    "ONE_BY_ONE(uchar, (uchar)i, packet)\n"
    "ONE_BY_ONE(short, (short)i, packet)\n"
    "ONE_BY_ONE(uint, i, packet)\n"
    "ONE_BY_ONE(ulong, (ulong)i << 32 | 7, packet >> 32)\n"
    "ONE_BY_ONE(float4, ((float4)(i, 2 * i, 3 * i, 4)), packet.y / 2 + packet.z - 3 * packet.x)\n"
    "ONE_BY_ONE(letters, ((letters){{1, 2, 3, (char)i, (char)(i >> 8)}}), (packet.text[3] & 255) + packet.text[4] * "
    "256)\n"
    "ONE_BY_ONE(record, ((record){(char)i, (ulong)i << 20, (float4)(i)}), \\\n"
    "           packet.a == (char)(packet.b >> 20) && packet.c.w == packet.c.x ? packet.b >> 20 : 999999)\n"
    // Each work-item its own reservation, of one to three packets.
    "__kernel void put_alone(write_only pipe uint p, __global int *results) {\n"
    "    const uint i = get_global_id(0), n = i % 3 + 1;\n"
    "    reserve_id_t id = reserve_write_pipe(p, n);\n"
    "    results[i] = -1;\n"
    "    if (!is_valid_reserve_id(id)) return;\n"
    "    for (uint k = n; k-- > 0;) {\n"
    "        uint packet = i * 4 + k;\n"
    "        results[i] = write_pipe(p, id, k, &packet);\n"
    "    }\n"
    "    uint more = 0;\n"
    "    if (write_pipe(p, id, n, &more) == 0) results[i] = 77;\n"
    "    commit_write_pipe(p, id);\n"
    "}\n"
    "__kernel void take_alone(read_only pipe uint p, __global int *results, uint n) {\n"
    "    const uint i = get_global_id(0);\n"
    "    reserve_id_t id = reserve_read_pipe(p, n);\n"
    "    for (uint k = 0; k < n; k++) results[i * n + k] = -1;\n"
    "    if (!is_valid_reserve_id(id)) return;\n"
    "    for (uint k = 0; k < n; k++) {\n"
    "        uint packet;\n"
    "        if (read_pipe(p, id, k, &packet) == 0) results[i * n + k] = (int)packet;\n"
    "    }\n"
    "    commit_read_pipe(p, id);\n"
    "}\n"
    "#define TOGETHER(whose, number, size, which) \\\n"
    "__kernel void put_##whose(write_only pipe uint p, __global int *results) { \\\n"
    "    const uint i = get_global_id(0), at = number, n = size; \\\n"
    "    reserve_id_t id = whose##_reserve_write_pipe(p, n); \\\n"
    "    uint packet = i; \\\n"
    "    results[i] = is_valid_reserve_id(id) ? write_pipe(p, id, n - 1 - at, &packet) : -1; \\\n"
    "    whose##_commit_write_pipe(p, id); \\\n"
    "} \\\n"
    "__kernel void take_##whose(read_only pipe uint p, __global int *results) { \\\n"
    "    const uint i = get_global_id(0), at = number, n = size; \\\n"
    "    reserve_id_t id = whose##_reserve_read_pipe(p, n); \\\n"
    "    uint packet; \\\n"
    "    results[i] = is_valid_reserve_id(id) && read_pipe(p, id, at, &packet) == 0 ? (int)packet : -1; \\\n"
    "    whose##_commit_read_pipe(p, id); \\\n"
    "}\n"
    "TOGETHER(work_group, get_local_linear_id(), get_local_size(0), get_group_id(0))\n"
    "TOGETHER(sub_group, get_sub_group_local_id(), get_sub_group_size(), 0)\n"
    // One after the other.
    "__kernel void order(write_only pipe uint p, __global int *results) {\n"
    "    uint packet = 1;\n"
    "    reserve_id_t first = reserve_write_pipe(p, 2), second = reserve_write_pipe(p, 3), none = "
    "CLK_NULL_RESERVE_ID;\n"
    "    results[0] = is_valid_reserve_id(first) && is_valid_reserve_id(second);\n"
    "    results[1] = is_valid_reserve_id(reserve_write_pipe(p, 4)) || is_valid_reserve_id(none);\n"
    "    for (uint k = 0; k < 3; k++) { packet = 10 + k; write_pipe(p, second, k, &packet); }\n"
    "    commit_write_pipe(p, second);\n"
    "    results[2] = (int)get_pipe_num_packets(p);\n"
    "    for (uint k = 0; k < 2; k++) { packet = k; write_pipe(p, first, k, &packet); }\n"
    "    commit_write_pipe(p, first);\n"
    "    results[3] = (int)get_pipe_num_packets(p);\n"
    "    results[4] = (int)get_pipe_max_packets(p);\n"
    "    results[5] = write_pipe(p, none, 0, &packet);\n"
    "    commit_write_pipe(p, none);\n"
    "}\n"
    // At the same time: nobody gives up.
    "__kernel void produce(write_only pipe uint p, __global int *results, uint n) {\n"
    "    const uint i = get_global_id(0);\n"
    "    for (uint k = 0; k < n; k++) {\n"
    "        uint packet = i * n + k;\n"
    "        while (write_pipe(p, &packet) != 0) {}\n"
    "    }\n"
    "    results[i] = 0;\n"
    "}\n"
    "__kernel void consume(read_only pipe uint p, __global int *results, uint n) {\n"
    "    const uint i = get_global_id(0);\n"
    "    for (uint k = 0; k < n; k++) {\n"
    "        uint packet;\n"
    "        while (read_pipe(p, &packet) != 0) {}\n"
    "        results[i * n + k] = (int)packet;\n"
    "    }\n"
    "}\n";

static cl_program program;

static void open_on(const char *device) {
    world_open(&world, device, 0);
    program = world_program(&world, source, "-cl-std=CL3.0 -cl-kernel-arg-info");
}

static cl_mem new_pipe(cl_uint packet_bytes, cl_uint packets) {
    cl_int error = CL_SUCCESS;
    cl_mem pipe = clCreatePipe(world.context, 0, packet_bytes, packets, NULL, &error);
    GOOD(error);
    return pipe;
}

static cl_kernel prepare(const char *name, cl_mem pipe, cl_mem results, const cl_uint *number) {
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    GOOD(error);
    GOOD(clSetKernelArg(kernel, 0, sizeof pipe, &pipe));
    GOOD(clSetKernelArg(kernel, 1, sizeof results, &results));
    if (number != NULL) GOOD(clSetKernelArg(kernel, 2, sizeof *number, number));
    return kernel;
}

// Runs a kernel of `items` work-items in groups of `local` (0: any), and gets its results.
static void run(const char *name, cl_mem pipe, size_t items, size_t local, cl_int *results, size_t count,
                const cl_uint *number) {
    cl_mem to = world_buffer(&world, 0, count * sizeof *results, NULL);
    cl_kernel kernel = prepare(name, pipe, to, number);
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &items, local != 0 ? &local : NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, to, CL_TRUE, 0, count * sizeof *results, results, 0, NULL, NULL));
    GOOD(clReleaseMemObject(to));
    GOOD(clReleaseKernel(kernel));
}

static size_t count_of(const cl_int *results, size_t count, cl_int value) {
    size_t found = 0;
    for (size_t k = 0; k < count; k++)
        found += results[k] == value;
    return found;
}

// ---- one by one ----

enum { ITEMS_MAX = 1024 };

// What is written comes out once, however full the pipe was; `laps` go round the ring.
static void one_by_one(const char *type, cl_uint bytes, cl_uint packets, size_t items, unsigned laps) {
    static cl_int written[ITEMS_MAX], taken[ITEMS_MAX];
    char put[32], take[32];
    const size_t fit = items < packets ? items : packets;
    cl_mem pipe = new_pipe(bytes, packets);
    snprintf(put, sizeof put, "put_%s", type);
    snprintf(take, sizeof take, "take_%s", type);
    for (unsigned lap = 0; lap < laps; lap++) {
        run(put, pipe, items, 0, written, items, NULL);
        cr_expect_eq(count_of(written, items, 0), fit, "%s: %zu of %zu fit into %u", type, count_of(written, items, 0),
                     items, packets);
        cr_expect_eq(count_of(written, items, -1), items - fit, "%s: results other than 0 and -1", type);
        run(take, pipe, items, 0, taken, items, NULL);
        cr_expect_eq(count_of(taken, items, -1), items - fit, "%s: %zu were not there", type,
                     count_of(taken, items, -1));
        for (size_t k = 0; k < items; k++)
            if (written[k] == 0)
                cr_expect_eq(count_of(taken, items, (cl_int)k), 1, "%s: packet %zu came %zu times", type, k,
                             count_of(taken, items, (cl_int)k));
    }
    GOOD(clReleaseMemObject(pipe));
}

Test(pipes, every_size,
     .description = "CL-3 packets of all sizes come out of a pipe once, more than it holds [model]") {
    open_on("model:full");
    one_by_one("uint", 4, 1, 64, 3);
    one_by_one("uint", 4, 700, 1000, 4);
    one_by_one("uint", 4, 256, 64, 9);
    one_by_one("uchar", 1, 100, 256, 4);
    one_by_one("short", 2, 333, 500, 4);
    one_by_one("ulong", 8, 77, 100, 4);
    one_by_one("float4", 16, 129, 300, 4);
    one_by_one("letters", 5, 1000, 700, 4);
    one_by_one("record", 32, 65, 128, 4);
    GOOD(clReleaseProgram(program));
}

// ---- reservations ----

// Packets of a reservation stand in a row, in their order.
static void alone(size_t items, cl_uint packets) {
    static cl_int written[ITEMS_MAX], taken[4 * ITEMS_MAX];
    const cl_uint one = 1;
    cl_mem pipe = new_pipe(4, packets);
    for (unsigned lap = 0; lap < 3; lap++) {
        run("put_alone", pipe, items, 0, written, items, NULL);
        // One reader after the other, so that what it gets is in the pipe's order.
        for (size_t at = 0; at < packets; at++)
            run("take_alone", pipe, 1, 0, &taken[at], 1, &one);
        size_t there = 0;
        for (size_t k = 0; k < items; k++)
            there += written[k] == 0 ? k % 3 + 1 : 0;
        cr_expect_leq(there, packets);
        cr_expect_gt(there + 3, items * 2 < packets ? 0 : packets);
        cr_expect_eq(count_of(written, items, 77), 0, "a packet behind the reservation was taken");
        cr_expect_eq(count_of(taken, packets, -1), packets - there);
        for (size_t at = 0; at < there;) {
            const cl_int item = taken[at] / 4;
            const size_t n = (size_t)item % 3 + 1;
            cr_assert(item >= 0 && (size_t)item < items && written[item] == 0, "packet %zu: %d", at, taken[at]);
            for (size_t k = 0; k < n; k++)
                cr_assert_eq(taken[at + k], item * 4 + (cl_int)k, "packet %zu of item %d: %d", k, item, taken[at + k]);
            at += n;
        }
    }
    GOOD(clReleaseMemObject(pipe));
}

// Readers that reserve several get neighbours.
static void alone_many(size_t items) {
    static cl_int written[ITEMS_MAX], taken[4 * ITEMS_MAX];
    const cl_uint three = 3;
    cl_mem pipe = new_pipe(4, (cl_uint)items);
    for (unsigned lap = 0; lap < 3; lap++) {
        run("put_uint", pipe, items, 0, written, items, NULL);
        run("take_alone", pipe, items / 3 + 5, 0, taken, (items / 3 + 5) * 3, &three);
        for (size_t k = 0; k < items / 3 + 5; k++)
            cr_assert((taken[3 * k] < 0) == (taken[3 * k + 1] < 0) && (taken[3 * k] < 0) == (taken[3 * k + 2] < 0));
        cr_expect_eq(count_of(taken, (items / 3 + 5) * 3, -1), (items / 3 + 5) * 3 - items / 3 * 3);
        run("take_uint", pipe, 3, 0, taken, 3, NULL);  // what is left over
        cr_expect_eq(count_of(taken, 3, -1), 3 - items % 3);
    }
    GOOD(clReleaseMemObject(pipe));
}

// A group's packets stand in a row, in the order opposite to that of its items, who get them back.
static void together(const char *whose, size_t items, size_t local, size_t unit) {
    static cl_int written[ITEMS_MAX], taken[ITEMS_MAX];
    char put[32], take[32];
    cl_mem pipe = new_pipe(4, (cl_uint)(items - unit));  // the last one does not fit
    snprintf(put, sizeof put, "put_%s", whose);
    snprintf(take, sizeof take, "take_%s", whose);
    for (unsigned lap = 0; lap < 3; lap++) {
        run(put, pipe, items, local, written, items, NULL);
        cr_expect_eq(count_of(written, items, 0), items - unit, "%s: %zu", whose, count_of(written, items, 0));
        cr_expect_eq(count_of(written, items, -1), unit);
        run(take, pipe, items, local, taken, items, NULL);
        cr_expect_eq(count_of(taken, items, -1), unit);
        for (size_t k = 0; k < items; k++) {
            if (taken[k] < 0) continue;
            const size_t from = (size_t)taken[k];
            cr_assert_lt(from, items);
            cr_expect_eq(from % unit, unit - 1 - k % unit, "%s: item %zu got packet %zu", whose, k, from);
            cr_expect_eq(from / unit, (size_t)taken[k / unit * unit] / unit, "%s: of several groups", whose);
            cr_expect_eq(written[from], 0);
        }
    }
    GOOD(clReleaseMemObject(pipe));
}

static size_t warp_threads(void) {
    size_t warp = 0;
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof warp, &warp, NULL));
    return warp;
}

static void order(void) {
    cl_int results[6], taken[6];
    const cl_int wanted[6] = {1, 0, 0, 5, 7, -1}, packets[6] = {0, 1, 10, 11, 12, -1};
    const cl_uint one = 1;
    cl_mem pipe = new_pipe(4, 7);
    run("order", pipe, 1, 0, results, 6, NULL);
    for (unsigned k = 0; k < 6; k++)
        cr_expect_eq(results[k], wanted[k], "result %u: %d", k, results[k]);
    for (unsigned k = 0; k < 6; k++)
        run("take_alone", pipe, 1, 0, &taken[k], 1, &one);
    for (unsigned k = 0; k < 6; k++)
        cr_expect_eq(taken[k], packets[k], "packet %u: %d", k, taken[k]);
    GOOD(clReleaseMemObject(pipe));
}

Test(pipes, reservations,
     .description =
         "CL-3 reservations of work-items, sub-groups and work-groups: rows, their order, what is full [model]") {
    open_on("model:full");
    order();
    alone(100, 151);
    alone_many(500);
    together("work_group", 512, 64, 64);
    together("work_group", 400, 100, 100);
    together("sub_group", 512, 128, warp_threads());
    GOOD(clReleaseProgram(program));
}

Test(pipes, large_groups,
     .description = "CL-3 reservations of groups larger than what is resident, whose threads take turns [model]") {
    open_on("model:nano");
    together("work_group", 512, 256, 256);
    together("sub_group", 512, 256, warp_threads());
    one_by_one("uint", 4, 700, 1000, 2);
    GOOD(clReleaseProgram(program));
}

Test(pipes, devices, .description = "CL-3 CL-2 what one device of a context wrote another one reads [model]") {
    static cl_int written[100], taken[100];
    cl_int error = CL_SUCCESS;
    open_on("model:small;model:nano");
    cl_mem pipe = new_pipe(4, 80);
    cl_command_queue first = world.queue, second = clCreateCommandQueue(world.context, world.devices[1], 0, &error);
    GOOD(error);
    for (unsigned lap = 0; lap < 2; lap++) {
        world.queue = lap == 0 ? first : second;
        run("put_uint", pipe, 100, 0, written, 100, NULL);
        world.queue = lap == 0 ? second : first;
        run("take_uint", pipe, 100, 0, taken, 100, NULL);
        cr_expect_eq(count_of(written, 100, 0), 80);
        for (cl_int k = 0; k < 100; k++)
            cr_expect_eq(count_of(taken, 100, k), written[k] == 0, "packet %d", k);
    }
    world.queue = first;
    GOOD(clReleaseCommandQueue(second));
    GOOD(clReleaseMemObject(pipe));
    GOOD(clReleaseProgram(program));
}

Test(pipes, tandem_nano, .description = "CL-3 pipes in tandem: hardware and model agree, nano [tandem]") {
    open_on("tandem:nano,mem=64");
    one_by_one("uint", 4, 20, 64, 2);
    one_by_one("letters", 5, 64, 32, 1);
    order();
    together("work_group", 64, 32, 32);
    together("sub_group", 64, 32, warp_threads());
    GOOD(clReleaseProgram(program));
}

// ---- at the same time ----

// Producers and consumers in two queues, through a pipe that holds less than they move.
static void at_once(size_t producers, cl_uint each, size_t consumers, cl_uint packets) {
    static cl_int taken[8 * ITEMS_MAX];
    static unsigned char came[8 * ITEMS_MAX];
    const size_t all = producers * each;
    const cl_uint share = (cl_uint)(all / consumers);
    cl_int error = CL_SUCCESS;
    cl_command_queue other = clCreateCommandQueueWithProperties(world.context, world.devices[0], NULL, &error);
    GOOD(error);
    cl_mem pipe = new_pipe(4, packets), to = world_buffer(&world, 0, all * sizeof *taken, NULL),
           done = world_buffer(&world, 0, producers * sizeof *taken, NULL);
    cl_kernel reads = prepare("consume", pipe, to, &share), writes = prepare("produce", pipe, done, &each);
    GOOD(clEnqueueNDRangeKernel(world.queue, reads, 1, NULL, &consumers, NULL, 0, NULL, NULL));
    GOOD(clFlush(world.queue));
    GOOD(clEnqueueNDRangeKernel(other, writes, 1, NULL, &producers, NULL, 0, NULL, NULL));
    GOOD(clFinish(other));
    GOOD(clEnqueueReadBuffer(world.queue, to, CL_TRUE, 0, all * sizeof *taken, taken, 0, NULL, NULL));
    memset(came, 0, sizeof came);
    for (size_t k = 0; k < all; k++) {
        cr_assert(taken[k] >= 0 && (size_t)taken[k] < all, "packet %zu: %d", k, taken[k]);
        came[taken[k]]++;
    }
    for (size_t k = 0; k < all; k++)
        cr_expect_eq(came[k], 1, "packet %zu came %u times", k, came[k]);
    // What one work-item wrote comes to one reader in its order.
    for (size_t reader = 0; reader < consumers; reader++) {
        cl_int last[ITEMS_MAX];
        memset(last, -1, sizeof last);
        for (size_t k = 0; k < share; k++) {
            const cl_int packet = taken[reader * share + k];
            cl_int *before = &last[(size_t)packet / each];
            cr_expect_gt(packet, *before, "reader %zu got %d after %d", reader, packet, *before);
            *before = packet;
        }
    }
    GOOD(clReleaseMemObject(pipe));
    GOOD(clReleaseMemObject(to));
    GOOD(clReleaseMemObject(done));
    GOOD(clReleaseKernel(reads));
    GOOD(clReleaseKernel(writes));
    GOOD(clReleaseCommandQueue(other));
}

Test(pipes, at_once,
     .description = "CL-3 kernels of two queues write and read a pipe at once, many work-items each [model]",
     .timeout = 120) {
    setenv("TANDEM_DEADLINE", "400000000", 1);
    open_on("model:full");
    at_once(1, 200, 1, 4);
    at_once(64, 20, 32, 16);
    at_once(256, 8, 256, 100);
    GOOD(clReleaseProgram(program));
}

// ---- the host ----

Test(pipes, told, .description = "CL-2 what devices, pipes and arguments of kernels say; what is refused [model]") {
    cl_int error = CL_SUCCESS;
    cl_uint number = 0;
    cl_bool yes = CL_FALSE;
    size_t size = 0;
    cl_mem_object_type type = 0;
    cl_mem_flags flags = 0;
    cl_kernel_arg_type_qualifier qualifier = 0;
    cl_kernel_arg_access_qualifier access = 0;
    char text[32];
    const cl_pipe_properties properties[] = {0};
    open_on("model:small");
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_PIPE_SUPPORT, sizeof yes, &yes, NULL));
    cr_expect(yes);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_MAX_PIPE_ARGS, sizeof number, &number, NULL));
    cr_expect_geq(number, 16);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, sizeof number, &number, NULL));
    cr_expect_geq(number, 1);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof number, &number, NULL));
    cr_expect_geq(number, 1024);
    cl_mem pipe = new_pipe(12, 345), buffer = world_buffer(&world, 0, 64, NULL);
    GOOD(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof number, &number, &size));
    cr_expect_eq(number, 12);
    cr_expect_eq(size, sizeof number);
    GOOD(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof number, &number, NULL));
    cr_expect_eq(number, 345);
    GOOD(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, NULL, &size));
    cr_expect_eq(size, 0);
    BAD(CL_INVALID_VALUE, clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, 3, &number, NULL));
    BAD(CL_INVALID_VALUE, clGetPipeInfo(pipe, CL_MEM_TYPE, sizeof number, &number, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clGetPipeInfo(buffer, CL_PIPE_MAX_PACKETS, sizeof number, &number, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clGetPipeInfo(NULL, CL_PIPE_MAX_PACKETS, sizeof number, &number, NULL));
    GOOD(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, NULL));
    cr_expect_eq(type, CL_MEM_OBJECT_PIPE);
    GOOD(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    cr_expect_eq(flags, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
    // What no pipe is made of.
    cr_expect_null(clCreatePipe(NULL, 0, 4, 4, NULL, &error));
    BAD(CL_INVALID_CONTEXT, error);
    cr_expect_null(clCreatePipe(world.context, CL_MEM_COPY_HOST_PTR, 4, 4, NULL, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreatePipe(world.context, CL_MEM_READ_ONLY, 4, 4, NULL, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreatePipe(world.context, 0, 4, 4, properties, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreatePipe(world.context, 0, 0, 4, NULL, &error));
    BAD(CL_INVALID_PIPE_SIZE, error);
    cr_expect_null(clCreatePipe(world.context, 0, 4, 0, NULL, &error));
    BAD(CL_INVALID_PIPE_SIZE, error);
    cr_expect_null(clCreatePipe(world.context, 0, 1 << 20, 4, NULL, &error));
    BAD(CL_INVALID_PIPE_SIZE, error);
    cr_expect_null(clCreatePipe(world.context, 0, 65536, 1u << 31, NULL, &error));
    BAD(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
    // The host sees nothing of it, and kernels take it where they take a pipe.
    BAD(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(world.queue, pipe, CL_TRUE, 0, 4, &number, 0, NULL, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clEnqueueWriteBuffer(world.queue, pipe, CL_TRUE, 0, 4, &number, 0, NULL, NULL));
    cr_expect_null(clEnqueueMapBuffer(world.queue, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &error));
    BAD(CL_INVALID_MEM_OBJECT, error);
    cl_kernel kernel = clCreateKernel(program, "put_uint", &error);
    GOOD(error);
    BAD(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    BAD(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 1, sizeof pipe, &pipe));
    BAD(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &pipe));
    BAD(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof pipe, NULL));
    GOOD(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
    cr_expect_eq(qualifier, CL_KERNEL_ARG_TYPE_PIPE);
    GOOD(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
    cr_expect_eq(access, CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
    GOOD(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
    cr_expect_str_eq(text, "uint");
    // Packets of another size: nothing is written.
    cl_int results[8];
    run("put_uint", pipe, 8, 0, results, 8, NULL);
    cr_expect_eq(count_of(results, 8, -1), 8);
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseMemObject(pipe));
    GOOD(clReleaseMemObject(buffer));
    GOOD(clReleaseProgram(program));
}

Test(pipes, refused,
     .description = "CL-3 programs that use a pipe against its direction, or where there are none [model]") {
    static const struct {
        const char *text, *options;
    } wrong[] = {
        {"__kernel void f(write_only pipe int p) { int x; read_pipe(p, &x); }", "-cl-std=CL3.0"},
        {"__kernel void f(read_only pipe int p) { int x = 1; write_pipe(p, &x); }", "-cl-std=CL3.0"},
        {"__kernel void f(read_only pipe int p) { float x; read_pipe(p, &x); }", "-cl-std=CL3.0"},
        {"__kernel void f(read_only pipe int p) { int x; read_pipe(p, &x); }", "-cl-std=CL1.2"},
    };
    world_open(&world, "model:small", 0);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        cl_int error = CL_SUCCESS;
        cl_program bad = clCreateProgramWithSource(world.context, 1, (const char *[]){wrong[k].text}, NULL, &error);
        GOOD(error);
        cr_expect_eq(clBuildProgram(bad, 1, world.devices, wrong[k].options, NULL, NULL), CL_BUILD_PROGRAM_FAILURE,
                     "%s", wrong[k].text);
        GOOD(clReleaseProgram(bad));
    }
}
