// Atomic operations of 64 bits: each operation against the host, sums under contention, what is left of a kernel that dies.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "opencl/world.h"

static struct world world;

static void close_world(void) {
    world_close(&world);
}

TestSuite(wide_atomics, .fini = close_world);

static uint64_t begin_random(void) {
    const uint64_t seed = seed_from_environment();
    printf("test_wide_atomics: TANDEM_SEED=%llu repeats this run\n", (unsigned long long)seed);
    return seed;
}
static uint64_t draw(uint64_t *random) {
    *random ^= *random << 13, *random ^= *random >> 7, *random ^= *random << 17;
    return *random;
}

enum { OPERATIONS = 11, ITEMS_MAX = 512 };
// Every operation of the two extensions, long and ulong, global and local; each work-item has a number of its own.
static const char extensions[] =
    "#if !defined(cl_khr_int64_base_atomics) || !defined(cl_khr_int64_extended_atomics)\n"
    "#error they are not told\n"
    "#endif\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
    "#define ALL(p, x, y) \\\n"
    "    old[0] = atom_add(p, x), now[0] = *p; old[1] = atom_sub(p, y), now[1] = *p; \\\n"
    "    old[2] = atom_min(p, x), now[2] = *p; old[3] = atom_max(p, y), now[3] = *p; \\\n"
    "    old[4] = atom_xor(p, x), now[4] = *p; old[5] = atom_or(p, y), now[5] = *p; \\\n"
    "    old[6] = atom_and(p, x), now[6] = *p; old[7] = atom_inc(p), now[7] = *p; \\\n"
    "    old[8] = atom_cmpxchg(p, now[7], y), now[8] = *p; old[9] = atom_cmpxchg(p, y + 1, x), now[9] = *p; \\\n"
    "    old[10] = atom_xchg(p, x) + atom_dec(p) * 3, now[10] = *p;\n"
    "#define KERNELS(type) \\\n"
    "__kernel void global_##type(__global type *places, __global const type *from, __global type *to) { \\\n"
    "    const size_t i = get_global_id(0); \\\n"
    "    __global type *old = to + i * 22, *now = old + 11; \\\n"
    "    volatile __global type *p = &places[i]; \\\n"
    "    *p = from[3 * i]; \\\n"
    "    ALL(p, from[3 * i + 1], from[3 * i + 2]) \\\n"
    "} \\\n"
    "__kernel void local_##type(__global type *places, __global const type *from, __global type *to) { \\\n"
    "    __local type mine[64]; \\\n"
    "    const size_t i = get_global_id(0); \\\n"
    "    __global type *old = to + i * 22, *now = old + 11; \\\n"
    "    volatile __local type *p = &mine[get_local_id(0)]; \\\n"
    "    *p = from[3 * i]; \\\n"
    "    ALL(p, from[3 * i + 1], from[3 * i + 2]) \\\n"
    "    places[i] = *p; \\\n"
    "}\n"
    "KERNELS(long) KERNELS(ulong)\n";

static void three_buffers(cl_kernel kernel, cl_mem buffers[3]) {
    for (cl_uint k = 0; k < 3; k++)
        GOOD(clSetKernelArg(kernel, k, sizeof buffers[k], &buffers[k]));
}

static void check_operations(cl_program program, const char *name, bool is_signed, size_t items, uint64_t *random) {
    static cl_ulong from[ITEMS_MAX * 3], to[ITEMS_MAX * 2 * OPERATIONS];
    const size_t group = items < 32 ? items : 32;
    cl_int error = CL_SUCCESS;
    for (size_t k = 0; k < 3 * items; k++)  // often near, often with both halves
        from[k] = draw(random) % 3 == 0 ? draw(random) % 5 + UINT32_MAX - 2 : draw(random);
    cl_kernel kernel = clCreateKernel(program, name, &error);
    GOOD(error);
    cl_mem buffers[3] = {world_buffer(&world, 0, items * 8, NULL),
                         world_buffer(&world, CL_MEM_COPY_HOST_PTR, 3 * items * 8, from),
                         world_buffer(&world, 0, items * 2 * OPERATIONS * 8, NULL)};
    three_buffers(kernel, buffers);
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, buffers[2], CL_TRUE, 0, items * 2 * OPERATIONS * 8, to, 0, NULL, NULL));
    for (size_t i = 0; i < items; i++) {
        const cl_ulong start = from[3 * i], x = from[3 * i + 1], y = from[3 * i + 2];
        const bool less_x = is_signed ? (cl_long)x < (cl_long)(start + x - y) : x < start + x - y;
        const cl_ulong low = less_x ? x : start + x - y;
        const bool more_y = is_signed ? (cl_long)y > (cl_long)low : y > low;
        const cl_ulong high = more_y ? y : low, mixed = ((high ^ x) | y) & x;
        const cl_ulong now[OPERATIONS] = {start + x, start + x - y, low, high, high ^ x, (high ^ x) | y,
                                          mixed,     mixed + 1,     y,   y,    x - 1};
        for (size_t k = 0; k < OPERATIONS; k++) {
            cl_ulong old = k == 0 ? start : now[k - 1];
            if (k == 10) old += x * 3;
            cr_assert_eq(to[i * 22 + k], old, "%s %zu of item %zu: old 0x%llx, not 0x%llx", name, k, i,
                         (unsigned long long)to[i * 22 + k], (unsigned long long)old);
            cr_assert_eq(to[i * 22 + 11 + k], now[k], "%s %zu of item %zu: now 0x%llx, not 0x%llx", name, k, i,
                         (unsigned long long)to[i * 22 + 11 + k], (unsigned long long)now[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        GOOD(clReleaseMemObject(buffers[k]));
    GOOD(clReleaseKernel(kernel));
}

// All work-items at a few places; numbers that carry into the upper half at nearly every step.
static const char contention[] =
    "#define STEP 0x9FFFFFFFul\n"
    "__kernel void sums(__global ulong *places, __global ulong *tickets, __global uint *torn, uint mask, uint laps) {\n"
    "    __local atomic_ulong ours;\n"
    "    __local atomic_long least;\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (get_local_id(0) == 0) { atomic_init(&ours, 0xFFFFFFF0ul); atomic_init(&least, 0x7000000000000000l); }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint k = 0; k < laps; k++) {\n"
    "        atomic_fetch_add_explicit((__global atomic_ulong *)&places[(i + k) & mask], STEP + i, "
    "memory_order_relaxed,\n"
    "                                  memory_scope_device);\n"
    "        tickets[i * laps + k] = atomic_fetch_add((__global atomic_ulong *)&places[16], 0x40000000ul);\n"
    "        atomic_fetch_add_explicit(&ours, 0x80000000ul, memory_order_acq_rel, memory_scope_work_group);\n"
    "        atomic_fetch_min(&least, (long)i - 5000000000l);\n"
    // The two halves of what is stored are always alike.
    "        const ulong pair = (ulong)(i * laps + k) << 32 | (i * laps + k);\n"
    "        atomic_store((__global atomic_ulong *)&places[17], pair);\n"
    "        const ulong seen = atomic_load((__global atomic_ulong *)&places[17]);\n"
    "        if ((uint)seen != (uint)(seen >> 32)) atomic_inc(torn);\n"
    // Anything by compare and swap, through a generic pointer.
    "        atomic_ulong *any = (i & 1) ? (atomic_ulong *)&ours : (atomic_ulong *)&places[18];\n"
    "        ulong before = atomic_load(any);\n"
    "        while (!atomic_compare_exchange_strong(any, &before, before + 0x100000001ul));\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0) {\n"
    "        atomic_fetch_xor((__global atomic_ulong *)&places[19], atomic_load(&ours) * (get_group_id(0) * 2 + 1));\n"
    "        atomic_fetch_min((__global atomic_long *)&places[20], atomic_load(&least));\n"
    "    }\n"
    "}\n";
enum { PLACES = 21, LAPS = 4 };

static int by_value(const void *a, const void *b) {
    const cl_ulong x = *(const cl_ulong *)a, y = *(const cl_ulong *)b;
    return x < y ? -1 : x > y;
}

static void check_contention(cl_program program, size_t items, size_t group, cl_uint mask) {
    static cl_ulong tickets[ITEMS_MAX * LAPS];
    cl_ulong places[PLACES] = {0}, wanted[PLACES] = {0};
    const cl_uint laps = LAPS;
    cl_uint torn = 0;
    cl_int error = CL_SUCCESS;
    places[20] = INT64_MAX;
    cl_kernel kernel = clCreateKernel(program, "sums", &error);
    GOOD(error);
    cl_mem buffers[3] = {world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof places, places),
                         world_buffer(&world, 0, items * LAPS * 8, NULL),
                         world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof torn, &torn)};
    three_buffers(kernel, buffers);
    GOOD(clSetKernelArg(kernel, 3, sizeof mask, &mask));
    GOOD(clSetKernelArg(kernel, 4, sizeof laps, &laps));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, buffers[0], CL_TRUE, 0, sizeof places, places, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, buffers[1], CL_TRUE, 0, items * LAPS * 8, tickets, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, buffers[2], CL_TRUE, 0, sizeof torn, &torn, 0, NULL, NULL));
    for (size_t i = 0; i < items; i++)
        for (size_t k = 0; k < LAPS; k++)
            wanted[(i + k) & mask] += 0x9FFFFFFFu + i;
    for (size_t k = 0; k <= mask; k++)
        cr_assert_eq(places[k], wanted[k], "place %zu of %u: 0x%llx, not 0x%llx", k, mask + 1,
                     (unsigned long long)places[k], (unsigned long long)wanted[k]);
    cr_assert_eq(places[16], items * LAPS * 0x40000000u);
    qsort(tickets, items * LAPS, sizeof *tickets, by_value);
    for (size_t k = 0; k < items * LAPS; k++)
        cr_assert_eq(tickets[k], k * 0x40000000u, "ticket %zu is 0x%llx", k, (unsigned long long)tickets[k]);
    cr_assert_eq(torn, 0, "%u loads have seen half of a store", torn);
    cr_assert_eq(places[17] >> 32, places[17] & UINT32_MAX);
    cr_assert_eq(places[18], items / 2 * LAPS * 0x100000001u);
    cl_ulong mixed = 0;
    for (size_t g = 0; g < items / group; g++)
        mixed ^= (0xFFFFFFF0u + group * LAPS * 0x80000000u + group / 2 * LAPS * 0x100000001u) * (g * 2 + 1);
    cr_assert_eq(places[19], mixed);
    cr_assert_eq((cl_long)places[20], -5000000000);
    for (int k = 0; k < 3; k++)
        GOOD(clReleaseMemObject(buffers[k]));
    GOOD(clReleaseKernel(kernel));
}

static void all_on(const char *device, size_t items, size_t group, size_t most) {
    static const char *const names[] = {"global_long", "global_ulong", "local_long", "local_ulong"};
    uint64_t random = begin_random() | 1;
    world_open(&world, device, 0);
    cl_program program = world_program(&world, extensions, NULL);
    for (size_t k = 0; k < 4; k++)
        check_operations(program, names[k], k % 2 == 0, items, &random);
    GOOD(clReleaseProgram(program));
    program = world_program(&world, contention, "-cl-std=CL2.0");
    check_contention(program, most, group, 0);
    check_contention(program, most, group, 7);
    GOOD(clReleaseProgram(program));
}

Test(wide_atomics, model, .description = "CL-3 each operation of 64 bits, alone and under contention [model]") {
    all_on("model:full", 256, 64, ITEMS_MAX);
}
Test(wide_atomics, tandem_nano, .description = "CL-3 the same, nano [tandem]") {
    all_on("tandem:nano,mem=64", 16, 32, 64);
}
Test(wide_atomics, tandem_small, .description = "CL-3 the same, small [tandem]") {
    all_on("tandem:small,mem=64", 16, 32, 128);
}

// Many work-items take and give back locks for ever, one faults: what its fellows held is free again.
Test(wide_atomics, fault,
     .description = "CL-3 CL-4 a kernel that dies in the middle of its operations holds nobody up [model]") {
    static const char source[] =
        "__kernel void die(__global ulong *p, __global uint *far, __global uint *unused) {\n"
        "    for (uint k = 0; ; k++) {\n"
        "        atom_add(&p[k & 255], 1ul);\n"
        "        if (get_global_id(0) == 300 && k == 20) far[0x30000000] = 1;\n"
        "    }\n"
        "}\n"
        "__kernel void count(__global ulong *p, __global uint *far, __global uint *unused) {\n"
        "    for (uint k = 0; k < 256; k++) atom_add(&p[k], 0x100000000ul);\n"
        "}\n";
    static cl_ulong zeros[256];
    cl_ulong numbers[256];
    const size_t items = 512, few = 64;
    cl_int error = CL_SUCCESS;
    setenv("TANDEM_DEADLINE", "50000000", 1);  // what waits for ever fails
    world_open(&world, "model:full", 0);
    cl_program program = world_program(&world, source, NULL);
    cl_kernel die = clCreateKernel(program, "die", &error), count = clCreateKernel(program, "count", &error);
    for (int lap = 0; lap < 4; lap++) {
        cl_mem places = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros);
        cl_mem buffers[3] = {places, places, places};
        three_buffers(die, buffers);
        three_buffers(count, buffers);
        GOOD(clEnqueueNDRangeKernel(world.queue, die, 1, NULL, &items, NULL, 0, NULL, NULL));
        cr_assert_neq(clFinish(world.queue), CL_SUCCESS);
        GOOD(clEnqueueWriteBuffer(world.queue, places, CL_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL));
        GOOD(clEnqueueNDRangeKernel(world.queue, count, 1, NULL, &few, NULL, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(world.queue, places, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
        for (int k = 0; k < 256; k++)
            cr_assert_eq(numbers[k], (cl_ulong)few << 32);
        GOOD(clReleaseMemObject(places));
    }
    GOOD(clReleaseKernel(die));
    GOOD(clReleaseKernel(count));
    GOOD(clReleaseProgram(program));
}

// Two programs, two queues, one buffer: the locks are the space's.
Test(wide_atomics, two_programs, .description = "CL-3 two programs at once at the same numbers [model]") {
    static const char source[] =
        "__kernel void add(__global ulong *p) {\n"
        "    for (uint k = 0; k < 64; k++) atom_add(&p[k & 3], AMOUNT);\n"
        "}\n";
    cl_ulong numbers[4] = {0};
    const size_t items = 256;
    cl_int error = CL_SUCCESS;
    world_open(&world, "model:full", 0);
    cl_command_queue queues[2] = {world.queue, clCreateCommandQueue(world.context, world.devices[0], 0, &error)};
    cl_mem places = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
    cl_kernel kernels[2];
    for (int k = 0; k < 2; k++) {
        cl_program program = world_program(&world, source, k == 0 ? "-DAMOUNT=0x80000000ul" : "-DAMOUNT=0xC0000001ul");
        kernels[k] = clCreateKernel(program, "add", &error);
        GOOD(error);
        GOOD(clReleaseProgram(program));
        GOOD(clSetKernelArg(kernels[k], 0, sizeof places, &places));
    }
    for (int k = 0; k < 2; k++) {
        GOOD(clEnqueueNDRangeKernel(queues[k], kernels[k], 1, NULL, &items, NULL, 0, NULL, NULL));
        GOOD(clFlush(queues[k]));
    }
    for (int k = 0; k < 2; k++)
        GOOD(clFinish(queues[k]));
    GOOD(clEnqueueReadBuffer(world.queue, places, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (int k = 0; k < 4; k++)
        cr_assert_eq(numbers[k], items * 16 * ((cl_ulong)0x80000000u + 0xC0000001u));
    for (int k = 0; k < 2; k++)
        GOOD(clReleaseKernel(kernels[k]));
    GOOD(clReleaseMemObject(places));
    GOOD(clReleaseCommandQueue(queues[1]));
}

Test(wide_atomics, told, .description = "CL-2 CL-3 the extensions are told; what is wrong does not build [model]") {
    static const char *const wrong[] = {
        "__kernel void f(__constant ulong *p) { atom_add(p, 1ul); }",
        "__kernel void f(__global ulong *p) { atom_add(p); }",
        "__kernel void f(__global ulong *p) { ulong x = *p; atom_add(&x, 1ul); *p = x; }",
    };
    char text[1024] = "";
    cl_int error = CL_SUCCESS;
    world_open(&world, NULL, 0);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    cr_expect_not_null(strstr(text, "cl_khr_int64_base_atomics"));
    cr_expect_not_null(strstr(text, "cl_khr_int64_extended_atomics"));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *source = wrong[k];
        cl_program program = clCreateProgramWithSource(world.context, 1, &source, NULL, &error);
        GOOD(error);
        BAD(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
        GOOD(clReleaseProgram(program));
    }
}
