// Functions of whole work-groups and of sub-groups, against the same sums, minimums and maximums on the host.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/half_numbers.h"
#include "common/seed.h"
#include "opencl/world.h"

static struct world world;

static void close_world(void) {
    world_close(&world);
}

TestSuite(groups, .fini = close_world);

// Of every operation: the group's reduction, its scans, the same of the sub-group.
#define RESULTS 6
#define OPERATIONS 3
#define ITEMS_MAX 4096
static const char kernels[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define ALL(name, at) \\\n"
    "    to[at * 6 + 0] = work_group_reduce_##name(x); to[at * 6 + 1] = work_group_scan_inclusive_##name(x); \\\n"
    "    to[at * 6 + 2] = work_group_scan_exclusive_##name(x); to[at * 6 + 3] = sub_group_reduce_##name(x); \\\n"
    "    to[at * 6 + 4] = sub_group_scan_inclusive_##name(x); to[at * 6 + 5] = sub_group_scan_exclusive_##name(x);\n"
    "#define KERNEL(type) \\\n"
    "__kernel void on_##type(__global const type *from, __global type *results) { \\\n"
    "    const size_t i = get_global_linear_id(); \\\n"
    "    const type x = from[i]; \\\n"
    "    __global type *to = results + i * 18; \\\n"
    "    ALL(add, 0) ALL(min, 1) ALL(max, 2) \\\n"
    "}\n"
    "KERNEL(int) KERNEL(uint) KERNEL(long) KERNEL(ulong) KERNEL(float) KERNEL(double) KERNEL(half)\n"
    "__kernel void places(__global const int *from, __global uint *results, uint a, uint b, uint c) {\n"
    "    const size_t i = get_global_linear_id();\n"
    "    __global uint *to = results + i * 20;\n"
    "    const int x = from[i];\n"
    "    to[0] = get_local_linear_id();\n"
    "    to[1] = get_sub_group_size();\n"
    "    to[2] = get_max_sub_group_size();\n"
    "    to[3] = get_num_sub_groups();\n"
    "    to[4] = get_sub_group_id();\n"
    "    to[5] = get_sub_group_local_id();\n"
    "    to[6] = (uint)work_group_any(x > 990) * 8 + (uint)work_group_all(x > -990) * 4 +\n"
    "            (uint)sub_group_any(x > 990) * 2 + (uint)sub_group_all(x > -990);\n"
    "    to[7] = (uint)work_group_broadcast(x, a, b, c);\n"
    "    to[8] = (uint)work_group_broadcast((long)x, a, 0);\n"
    "    to[9] = as_uint(work_group_broadcast((float)x, 0));\n"
    "    to[10] = (uint)sub_group_broadcast(x, 0);\n"
    "    to[11] = (uint)(sub_group_broadcast((ulong)x << 32, 0) >> 32);\n"
    "    to[12] = get_enqueued_local_size(0);\n"
    "    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    to[13] = get_enqueued_num_sub_groups();\n"
    "    to[14] = (uint)(long)(work_group_broadcast((double)x * 0x1.0p-40, a, b, c) * 0x1.0p40);\n"
    "    to[15] = (uint)(long)(sub_group_broadcast((double)x * 0x1.0p-40, 0) * 0x1.0p40);\n"
    "    to[16] = (uint)(int)work_group_broadcast((half)x, a, b, c);\n"
    "    to[17] = (uint)(int)sub_group_broadcast((half)x, 0);\n"
    "    to[18] = (uint)(int)sub_group_shuffle((half)x, sub_group_broadcast(get_sub_group_local_id(), 0));\n"
    "    to[19] = (uint)sub_group_non_uniform_all_equal((half)1.0f);\n"
    "}\n"
    // Sub-groups go through different loops, their work-items part and meet again.
    "__kernel void parted(__global const int *from, __global int *results) {\n"
    "    const size_t i = get_global_id(0);\n"
    "    int sum = 0, mine = from[i];\n"
    "    for (uint k = 0; k <= get_sub_group_id(); k++) {\n"
    "        for (int j = 0; j < (from[i] & 7); j++)\n"
    "            if ((from[i + 0] >> j & 1) != 0) mine += j * 3; else mine ^= 5;\n"
    "        sum += sub_group_reduce_add(mine);\n"
    "    }\n"
    "    results[i] = work_group_reduce_max(sum) + sum;\n"
    "}\n";

static cl_program program;

static uint64_t begin_random(void) {
    const uint64_t seed = seed_from_environment();
    printf("test_groups: TANDEM_SEED=%llu repeats this run\n", (unsigned long long)seed);
    return seed;
}
static uint64_t draw(uint64_t *random) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return *random >> 33;
}

static void open_on(const char *devices) {
    world_open(&world, devices, 0);
    program = world_program(&world, kernels, "-cl-std=CL3.0");
}

// Runs a kernel of two buffers over one group after the other of this shape; results: of words of `width` bytes.
static void run(const char *name, const size_t shape[3], size_t groups, const void *from, size_t from_size,
                void *results, size_t size, const cl_uint *numbers) {
    cl_int error = CL_SUCCESS;
    const size_t global[3] = {shape[0] * groups, shape[1], shape[2]};
    cl_kernel kernel = clCreateKernel(program, name, &error);
    GOOD(error);
    cl_mem in = world_buffer(&world, CL_MEM_READ_ONLY, from_size, NULL);
    cl_mem out = world_buffer(&world, 0, size, NULL);
    GOOD(clEnqueueWriteBuffer(world.queue, in, CL_FALSE, 0, from_size, from, 0, NULL, NULL));
    GOOD(clSetKernelArg(kernel, 0, sizeof in, &in));
    GOOD(clSetKernelArg(kernel, 1, sizeof out, &out));
    for (cl_uint k = 0; numbers != NULL && k < 3; k++)
        GOOD(clSetKernelArg(kernel, 2 + k, sizeof *numbers, &numbers[k]));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 3, NULL, global, shape, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, out, CL_TRUE, 0, size, results, 0, NULL, NULL));
    GOOD(clReleaseMemObject(in));
    GOOD(clReleaseMemObject(out));
    GOOD(clReleaseKernel(kernel));
}

static size_t warp_threads(void) {
    size_t warp = 0;
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof warp, &warp, NULL));
    return warp;
}

// Where item `local` of group `group` stands in the grid, whose groups stand along x.
static size_t place_of(const size_t shape[3], size_t groups, size_t group, size_t local) {
    const size_t x = local % shape[0], y = local / shape[0] % shape[1], z = local / shape[0] / shape[1];
    return (z * shape[1] + y) * shape[0] * groups + group * shape[0] + x;
}

enum type { INT, UINT, LONG, ULONG, FLOAT, DOUBLE, HALF, TYPES };
// scale: sums of 64 bits need both halves. Of how many whole numbers operands are drawn: sums of floats, doubles and halfs
// are exact, so that every order gives the same.
static const struct {
    const char *kernel;
    size_t size;
    double lowest, highest, scale;
    bool is_signed;
    uint64_t numbers;
} types[TYPES] = {
    [INT] = {"on_int", 4, INT32_MIN, INT32_MAX, 1000, true, 2000},
    [UINT] = {"on_uint", 4, 0, UINT32_MAX, 1000, false, 2000},
    [LONG] = {"on_long", 8, (double)INT64_MIN, (double)INT64_MAX, 0x1.0p33, true, 2000},
    [ULONG] = {"on_ulong", 8, 0, (double)UINT64_MAX, 0x1.0p33, false, 2000},
    [FLOAT] = {"on_float", 4, -HUGE_VAL, HUGE_VAL, 1, true, 2000},
    [DOUBLE] = {"on_double", 8, -HUGE_VAL, HUGE_VAL, 0x1.0p-20 + 0x1.0p10, true, 2000},
    [HALF] = {"on_half", 2, -HUGE_VAL, HUGE_VAL, 1, true, 3},
};

static void put(enum type type, void *to, size_t at, double x) {
    switch (type) {
        case INT: ((cl_int *)to)[at] = (cl_int)x; return;
        case UINT: ((cl_uint *)to)[at] = (cl_uint)x; return;
        case LONG: ((cl_long *)to)[at] = (cl_long)x; return;
        case ULONG: ((cl_ulong *)to)[at] = (cl_ulong)x; return;
        case FLOAT: ((cl_float *)to)[at] = (cl_float)x; return;
        case HALF: ((cl_half *)to)[at] = (cl_half)half_of(x, FE_TONEAREST); return;
        default: ((cl_double *)to)[at] = x; return;
    }
}
static double get(enum type type, const void *from, size_t at) {
    switch (type) {
        case INT: return ((const cl_int *)from)[at];
        case UINT: return ((const cl_uint *)from)[at];
        case LONG: return (double)((const cl_long *)from)[at];
        case ULONG: return (double)((const cl_ulong *)from)[at];
        case FLOAT: return (double)((const cl_float *)from)[at];
        case HALF: return number_of_half(((const cl_half *)from)[at]);
        default: return ((const cl_double *)from)[at];
    }
}

static double one(int operation, double a, double b) {
    if (operation == 0) return a + b;
    return operation == 1 ? fmin(a, b) : fmax(a, b);
}

static void check_type(enum type type, const size_t shape[3], size_t groups, uint64_t *random) {
    static cl_ulong from[ITEMS_MAX], results[ITEMS_MAX * OPERATIONS * RESULTS];
    static double numbers[ITEMS_MAX];
    const double nothing[OPERATIONS] = {0, types[type].highest, types[type].lowest};
    const size_t size = shape[0] * shape[1] * shape[2], items = size * groups, warp = warp_threads();
    for (size_t k = 0; k < items; k++) {
        const int number = (int)(draw(random) % types[type].numbers), middle = (int)types[type].numbers / 2;
        numbers[k] = (types[type].is_signed ? number - middle : number) * types[type].scale;
        put(type, from, k, numbers[k]);
    }
    run(types[type].kernel, shape, groups, from, items * types[type].size, results,
        items * OPERATIONS * RESULTS * types[type].size, NULL);
    for (size_t item = 0; item < items; item++) {
        const size_t group = item / size, local = item % size, first = local / warp * warp, end = first + warp;
        for (int o = 0; o < OPERATIONS; o++) {
            double wanted[RESULTS];
            for (int r = 0; r < RESULTS; r++)
                wanted[r] = nothing[o];
            for (size_t k = 0; k < size; k++) {
                const bool counts[RESULTS] = {true,
                                              k <= local,
                                              k < local,
                                              k >= first && k < end,
                                              k >= first && k <= local,
                                              k >= first && k < local};
                for (int r = 0; r < RESULTS; r++)
                    if (counts[r]) wanted[r] = one(o, wanted[r], numbers[place_of(shape, groups, group, k)]);
            }
            const size_t at = (place_of(shape, groups, group, local) * OPERATIONS + (size_t)o) * RESULTS;
            for (size_t r = 0; r < RESULTS; r++)
                cr_assert_eq(get(type, results, at + r), wanted[r],
                             "%s, operation %d, result %zu, item %zu: %a, not %a", types[type].kernel, o, r, item,
                             get(type, results, at + r), wanted[r]);
        }
    }
}

static void check_places(const size_t shape[3], size_t groups, uint64_t *random) {
    static cl_int from[ITEMS_MAX];
    static cl_uint results[ITEMS_MAX * 20];
    const size_t size = shape[0] * shape[1] * shape[2], items = size * groups, warp = warp_threads();
    const cl_uint who[3] = {(cl_uint)(draw(random) % shape[0]), (cl_uint)(draw(random) % shape[1]),
                            (cl_uint)(draw(random) % shape[2])};
    for (size_t k = 0; k < items; k++)
        from[k] = (cl_int)(draw(random) % 2000) - 1000;
    run("places", shape, groups, from, items * sizeof *from, results, items * 20 * sizeof *results, who);
    for (size_t item = 0; item < items; item++) {
        const size_t group = item / size, local = item % size, first = local / warp * warp;
        const size_t here = size - first < warp ? size - first : warp;
        bool any[2] = {false, false}, all[2] = {true, true};
        for (size_t k = 0; k < size; k++) {
            const cl_int x = from[place_of(shape, groups, group, k)];
            const bool near = k >= first && k < first + here;
            any[0] |= x > 990, all[0] &= x > -990, any[1] |= near && x > 990, all[1] &= !near || x > -990;
        }
        const cl_float speaks = (cl_float)from[place_of(shape, groups, group, 0)];
        cl_uint speaks_bits;
        memcpy(&speaks_bits, &speaks, sizeof speaks_bits);
        const cl_int leader = from[place_of(shape, groups, group, first)];
        const cl_uint wanted[20] = {
            (cl_uint)local,
            (cl_uint)here,
            (cl_uint)(size < warp ? size : warp),
            (cl_uint)((size + warp - 1) / warp),
            (cl_uint)(local / warp),
            (cl_uint)(local % warp),
            any[0] * 8u + all[0] * 4u + any[1] * 2u + all[1],
            (cl_uint)from[place_of(shape, groups, group, (who[2] * shape[1] + who[1]) * shape[0] + who[0])],
            (cl_uint)from[place_of(shape, groups, group, who[0])],
            speaks_bits,
            (cl_uint)leader,
            (cl_uint)leader,
            (cl_uint)shape[0],
            (cl_uint)((size + warp - 1) / warp),
            (cl_uint)from[place_of(shape, groups, group, (who[2] * shape[1] + who[1]) * shape[0] + who[0])],
            (cl_uint)leader,
            (cl_uint)from[place_of(shape, groups, group, (who[2] * shape[1] + who[1]) * shape[0] + who[0])],
            (cl_uint)leader,
            (cl_uint)leader,
            1,
        };
        const cl_uint *got = &results[place_of(shape, groups, group, local) * 20];
        for (int k = 0; k < 20; k++) {
            // In three dimensions two or one place stands for several work-items: any of them may have spoken.
            if ((k == 8 && shape[2] > 1) || (k == 9 && (shape[1] > 1 || shape[2] > 1))) continue;
            cr_assert_eq(got[k], wanted[k], "places %d, item %zu: %u, not %u", k, item, got[k], wanted[k]);
        }
    }
}

static void check_parted(size_t size, size_t groups, uint64_t *random) {
    static cl_int from[ITEMS_MAX], results[ITEMS_MAX];
    const size_t shape[3] = {size, 1, 1}, items = size * groups, warp = warp_threads();
    for (size_t k = 0; k < items; k++)
        from[k] = (cl_int)(draw(random) % 1000);
    run("parted", shape, groups, from, items * sizeof *from, results, items * sizeof *results, NULL);
    for (size_t group = 0; group < groups; group++) {
        cl_int sums[ITEMS_MAX] = {0}, most = INT32_MIN;
        for (size_t first = 0; first < size; first += warp) {
            const size_t end = first + warp < size ? first + warp : size;
            cl_int mine[64];
            for (size_t k = first; k < end; k++)
                mine[k - first] = from[group * size + k];
            for (size_t lap = 0; lap <= first / warp; lap++) {
                cl_int sum = 0;
                for (size_t k = first; k < end; k++) {
                    const cl_int x = from[group * size + k];
                    for (int j = 0; j < (x & 7); j++)
                        mine[k - first] = (x >> j & 1) != 0 ? mine[k - first] + j * 3 : mine[k - first] ^ 5;
                    sum += mine[k - first];
                }
                for (size_t k = first; k < end; k++)
                    sums[k] += sum;
            }
        }
        for (size_t k = 0; k < size; k++)
            most = sums[k] > most ? sums[k] : most;
        for (size_t k = 0; k < size; k++)
            cr_assert_eq(results[group * size + k], most + sums[k], "parted, group %zu, item %zu: %d, not %d", group, k,
                         results[group * size + k], most + sums[k]);
    }
}

Test(groups, model, .description = "CL-3 work-group and sub-group functions in groups of all shapes [model]") {
    static const size_t shapes[][3] = {{1, 1, 1},   {5, 1, 1},   {31, 1, 1}, {32, 1, 1},  {33, 1, 1}, {64, 1, 1},
                                       {100, 1, 1}, {256, 1, 1}, {7, 5, 3},  {16, 16, 1}, {1, 1, 64}, {1024, 1, 1}};
    uint64_t random = begin_random();
    open_on("model:full");
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        for (enum type type = INT; type < TYPES; type++)
            check_type(type, shapes[k], 2, &random);
        check_places(shapes[k], 2, &random);
    }
    check_parted(100, 3, &random);
    check_parted(512, 2, &random);
    GOOD(clReleaseProgram(program));
}

// Groups larger than what is resident: threads take turns.
static void in_turns(const char *device, const size_t shapes[][3], size_t count, size_t most) {
    uint64_t random = begin_random();
    open_on(device);
    for (size_t k = 0; k < count; k++) {
        check_type(k % 2 == 0 ? INT : LONG, shapes[k], 2, &random);
        check_type(k % 2 == 0 ? DOUBLE : FLOAT, shapes[k], 1, &random);
        check_places(shapes[k], 2, &random);
    }
    check_parted(most, 2, &random);
    check_parted(most - 3, 1, &random);
    GOOD(clReleaseProgram(program));
}

Test(groups, turns_nano, .description = "CL-3 groups larger than what is resident, nano [model]") {
    static const size_t shapes[][3] = {{256, 1, 1}, {7, 5, 6}};
    in_turns("model:nano", shapes, 2, 256);
}

Test(groups, turns_small, .description = "CL-3 groups larger than what is resident, small [model]") {
    static const size_t shapes[][3] = {{1024, 1, 1}, {13, 5, 7}};
    in_turns("model:small", shapes, 2, 1024);
}

// few: work-items of a group whose kernel has many registers; many: of one with few.
static void in_tandem(const char *device, size_t few, size_t many) {
    const size_t row[3] = {few - 3, 1, 1}, box[3] = {few / 4, 2, 2};
    uint64_t random = begin_random();
    open_on(device);
    check_type(LONG, row, 2, &random);
    check_type(FLOAT, box, 1, &random);
    check_type(DOUBLE, row, 1, &random);
    check_type(HALF, box, 1, &random);
    check_places(row, 1, &random);
    check_places(box, 2, &random);
    check_parted(many, 2, &random);
    check_parted(2 * many - 5, 1, &random);
    GOOD(clReleaseProgram(program));
}

Test(groups, tandem_nano, .description = "CL-3 the same, nano [tandem]") {
    in_tandem("tandem:nano,mem=64", 32, 64);
}

Test(groups, tandem_small, .description = "CL-3 the same, small [tandem]") {
    in_tandem("tandem:small,mem=64", 64, 128);
}

Test(groups, told,
     .description = "CL-2 CL-3 what devices and kernels say of sub-groups; what is asked wrongly [model]") {
    cl_bool yes = CL_FALSE;
    cl_uint most = 0;
    size_t size = 0, three[3] = {0, 0, 0};
    const size_t shape[2] = {10, 7}, two = 2, many = 99;
    cl_int error = CL_SUCCESS;
    open_on("model:small");
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof yes, &yes, NULL));
    cr_expect(yes);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL));
    cr_expect_eq(most * warp_threads(), 1024);
    cl_kernel kernel = clCreateKernel(program, "parted", &error);
    GOOD(error);
    cl_device_id device = world.devices[0];
#define ASK(what, in_size, in, out_size, out) \
    clGetKernelSubGroupInfo(kernel, device, what, in_size, in, out_size, out, NULL)
    GOOD(ASK(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof shape, shape, sizeof size, &size));
    cr_expect_eq(size, warp_threads());
    GOOD(ASK(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof shape, shape, sizeof size, &size));
    cr_expect_eq(size, (70 + warp_threads() - 1) / warp_threads());
    GOOD(ASK(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof two, &two, sizeof three, three));
    cr_expect_eq(three[0], 2 * warp_threads());
    cr_expect_eq(three[2], 1);
    GOOD(ASK(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof many, &many, sizeof three, three));
    cr_expect_eq(three[0], 0);
    GOOD(ASK(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof size, &size));
    cr_expect_eq(size, most);
    BAD(CL_INVALID_VALUE, ASK(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 3, shape, sizeof size, &size));
    BAD(CL_INVALID_VALUE, ASK(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 0, NULL, sizeof size, &size));
    BAD(CL_INVALID_VALUE, ASK(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, 2, &size));
    BAD(CL_INVALID_VALUE, ASK(0x7777, sizeof shape, shape, sizeof size, &size));
    device = (cl_device_id)kernel;
    BAD(CL_INVALID_DEVICE, ASK(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof size, &size));
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseProgram(program));
    // Of the language before 2.0 they are no part.
    const char *source = "__kernel void f(__global int *p) { *p = work_group_any(*p); }";
    program = clCreateProgramWithSource(world.context, 1, &source, NULL, &error);
    GOOD(error);
    BAD(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "-cl-std=CL1.2", NULL, NULL));
    BAD(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    GOOD(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL));
    GOOD(clReleaseProgram(program));
    // Of the extensions of sub-groups some are there, others not.
    source = "__kernel void f(__global uint *p) { *p = sub_group_shuffle(*p, 1) + sub_group_ballot(*p).x; }";
    program = clCreateProgramWithSource(world.context, 1, &source, NULL, &error);
    GOOD(error);
    BAD(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    GOOD(clReleaseProgram(program));
}

enum { SHUFFLED = 10, SHUFFLES = 4, VOTES = 6, SHUFFLE_WORDS = SHUFFLED * SHUFFLES + VOTES };
static const char shuffles[] =
    "#if !defined(cl_khr_subgroup_shuffle) || !defined(cl_khr_subgroup_shuffle_relative) || \\\n"
    "    !defined(cl_khr_subgroup_non_uniform_vote)\n"
    "#error they are not told\n"
    "#endif\n"
    "#define ONE(type, k) { \\\n"
    "    const type x = (type)(from[i] & mask##k); \\\n"
    "    to[k * 4] = (ulong)sub_group_shuffle(x, other); to[k * 4 + 1] = (ulong)sub_group_shuffle_xor(x, 5); \\\n"
    "    to[k * 4 + 2] = (ulong)sub_group_shuffle_up(x, 3); to[k * 4 + 3] = (ulong)sub_group_shuffle_down(x, 7); }\n"
    "#define mask0 ~0ul\n#define mask1 ~0ul\n#define mask2 ~0ul\n#define mask3 ~0ul\n#define mask4 ~0ul\n"
    "#define mask5 ~0ul\n#define mask6 ~0ul\n#define mask7 ~0ul\n#define mask8 0xFFFFul\n#define mask9 0xFFFFFFFFFFul\n"
    "__kernel void shuffles(__global const ulong *from, __global ulong *results) {\n"
    "    const size_t i = get_global_linear_id();\n"
    "    __global ulong *to = results + i * 46;\n"
    "    uint other = (uint)(from[i] >> 8);\n"
    // They part, and are together again behind the loop.
    "    for (uint k = 0; k < (from[i] & 7); k++) other = (k & 1) != 0 ? other * 5 + k : other ^ (other << 3);\n"
    "    other %= get_sub_group_size();\n"
    "    ONE(char, 0) ONE(uchar, 1) ONE(short, 2) ONE(ushort, 3) ONE(int, 4) ONE(uint, 5) ONE(long, 6) ONE(ulong, 7) "
    "ONE(float, 8) ONE(double, 9)\n"
    "    for (int k = 40; k < 46; k++) to[k] = 99;\n"
    "    if ((from[i] & 16) != 0) {\n"
    "        to[40] = sub_group_elect();\n"
    "        to[41] = sub_group_non_uniform_any((from[i] & 0x1F00) == 0);\n"
    "        to[42] = sub_group_non_uniform_all((from[i] & 0x1F00) != 0);\n"
    "        to[43] = sub_group_non_uniform_all_equal((char)(from[i] & 16));\n"
    "        to[44] = sub_group_non_uniform_all_equal((from[i] & 0x3000000000) == 0x3000000000);\n"
    "        to[45] = sub_group_non_uniform_all_equal((float)(from[i] >> 63)) &&\n"
    "                 sub_group_non_uniform_all_equal((double)(from[i] >> 63));\n"
    "    }\n"
    "}\n";

static cl_ulong narrowed(int type, cl_ulong x) {
    switch (type) {
        case 0: return (cl_ulong)(cl_char)x;
        case 1: return (cl_uchar)x;
        case 2: return (cl_ulong)(cl_short)x;
        case 3: return (cl_ushort)x;
        case 4: return (cl_ulong)(cl_int)x;
        case 5: return (cl_uint)x;
        case 8: return x & 0xFFFF;
        case 9: return x & 0xFFFFFFFFFF;
        default: return x;
    }
}

static void check_shuffles(size_t size, size_t groups, uint64_t *random) {
    static cl_ulong from[ITEMS_MAX], results[ITEMS_MAX * SHUFFLE_WORDS];
    const size_t shape[3] = {size, 1, 1}, items = size * groups, warp = warp_threads();
    for (size_t k = 0; k < items; k++)
        from[k] = draw(random) << 33 ^ draw(random) << 8 ^ draw(random) % 256;
    run("shuffles", shape, groups, from, items * sizeof *from, results, items * SHUFFLE_WORDS * sizeof *results, NULL);
    for (size_t item = 0; item < items; item++) {
        const size_t local = item % size, lane = local % warp, first = item - lane;
        const size_t here = size - (local - lane) < warp ? size - (local - lane) : warp;
        const cl_ulong *got = &results[item * SHUFFLE_WORDS];
        cl_uint other = (cl_uint)(from[item] >> 8);
        for (cl_uint k = 0; k < (from[item] & 7); k++)
            other = (k & 1) != 0 ? other * 5 + k : other ^ (other << 3);
        const size_t lanes[SHUFFLES] = {other % here, lane ^ 5, lane - 3, lane + 7};
        for (int type = 0; type < SHUFFLED; type++)
            for (int k = 0; k < SHUFFLES; k++)
                if (lanes[k] < here)
                    cr_assert_eq(got[type * SHUFFLES + k], narrowed(type, from[first + lanes[k]]),
                                 "type %d, shuffle %d, item %zu: 0x%llx", type, k, item,
                                 (unsigned long long)got[type * SHUFFLES + k]);
        cl_ulong wanted[VOTES] = {1, 0, 1, 1, 1, 1};
        const bool votes = (from[item] & 16) != 0;
        for (size_t k = first; k < first + here; k++) {
            if ((from[k] & 16) == 0) continue;
            wanted[0] &= k >= item;
            wanted[1] |= (from[k] & 0x1F00) == 0;
            wanted[2] &= (from[k] & 0x1F00) != 0;
            wanted[4] &= ((from[k] & 0x3000000000) == 0x3000000000) == ((from[item] & 0x3000000000) == 0x3000000000);
            wanted[5] &= from[k] >> 63 == from[item] >> 63;
        }
        for (int k = 0; k < VOTES; k++)
            cr_assert_eq(got[SHUFFLED * SHUFFLES + k], votes ? wanted[k] : 99, "vote %d, item %zu: %llu", k, item,
                         (unsigned long long)got[SHUFFLED * SHUFFLES + k]);
    }
}

static void shuffle_on(const char *device, size_t size, size_t groups) {
    uint64_t random = begin_random();
    world_open(&world, device, 0);
    program = world_program(&world, shuffles, "-cl-std=CL3.0");
    for (int k = 0; k < 3; k++)
        check_shuffles(size - (size_t)k * 3, groups, &random);
    GOOD(clReleaseProgram(program));
}

Test(groups, shuffles_model, .description = "CL-3 shuffles of sub-groups, votes of some of their work-items [model]") {
    shuffle_on("model:full", 200, 4);
}
Test(groups, shuffles_nano, .description = "CL-3 the same, nano [tandem]") {
    shuffle_on("tandem:nano,mem=64", 32, 2);
}
Test(groups, shuffles_small, .description = "CL-3 the same, small [tandem]") {
    shuffle_on("tandem:small,mem=64", 64, 2);
}

// A condition that all work-items share is asked before a loop, which some work-items of a sub-group are never in and
// others leave, and once more before barriers: they must have met again, whatever the optimizer knows of the condition.
static const char norms[] =
    "int norm(__global const int *from, uint count, uint way, __local int *own) {\n"
    "    const uint i = get_local_id(0);\n"
    "    int mine = 0;\n"
    "    if (way == 1) for (uint k = i; k < count; k += get_local_size(0)) mine += abs(from[k]);\n"
    "    else if (way == 2) for (uint k = i; k < count; k += get_local_size(0)) mine += from[k] * from[k];\n"
    "    else if (way == 0) for (uint k = i; k < count; k += get_local_size(0)) mine = max((int)abs(from[k]), mine);\n"
    "    own[i] = mine;\n"
    "    if (way > 0) {\n"
    "        for (uint far = get_local_size(0) / 2; far > 0; far /= 2) {\n"
    "            barrier(CLK_LOCAL_MEM_FENCE);\n"
    "            if (i < far) own[i] += own[i + far];\n"
    "        }\n"
    "        return own[0];\n"
    "    }\n"
    "    for (uint far = get_local_size(0) / 2; far > 0; far /= 2) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (i < far) own[i] = max(own[i], own[i + far]);\n"
    "    }\n"
    "    return own[0];\n"
    "}\n"
    "__kernel void norms(__global const int *from, __global int *results, uint way, uint count, uint none) {\n"
    "    __local int own[128];\n"
    "    const int all = norm(from, count, way, own);\n"
    "    if (get_local_id(0) == 0) results[get_group_id(0)] = all;\n"
    "}\n";

Test(groups, conditions,
     .description = "CL-1 barriers behind loops that a part of a sub-group is in, under a condition of all [model]") {
    static const size_t shape[3] = {64, 1, 1};
    static int from[200];
    const uint64_t seed = begin_random();
    uint64_t random = seed;
    world_open(&world, "model:full", 0);
    program = world_program(&world, norms, "-cl-std=CL1.2");
    for (size_t k = 0; k < 200; k++)
        from[k] = (int)(draw(&random) % 2001) - 1000;
    for (cl_uint count = 1; count < 200; count += 1 + (cl_uint)(draw(&random) % 60)) {
        for (cl_uint way = 0; way < 3; way++) {
            const cl_uint numbers[3] = {way, count, 0};
            int wanted = 0, got[2] = {0};
            for (cl_uint k = 0; k < count; k++)
                wanted = way == 1                ? wanted + abs(from[k])
                         : way == 2              ? wanted + from[k] * from[k]
                         : abs(from[k]) > wanted ? abs(from[k])
                                                 : wanted;
            run("norms", shape, 2, from, sizeof from, got, sizeof got, numbers);
            cr_expect(got[0] == wanted && got[1] == wanted, "way %u of %u: %d and %d, not %d", way, count, got[0],
                      got[1], wanted);
        }
    }
    GOOD(clReleaseProgram(program));
}
