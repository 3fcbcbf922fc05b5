// Buffers: made, read, written, copied, filled, mapped, in parts; what is refused.
#include <stdlib.h>
#include <string.h>

#include "opencl/world.h"

static struct world world;

static void open_small(void) {
    world_open(&world, NULL, 0);
}
static void close_world(void) {
    world_close(&world);
}

TestSuite(memory, .init = open_small, .fini = close_world);

static void fill_numbers(unsigned char *to, size_t size, unsigned start) {
    for (size_t k = 0; k < size; k++)
        to[k] = (unsigned char)(start + k * 7);
}

Test(memory, there_and_back, .description = "CL-1 what is written is read, copied, filled [model]") {
    unsigned char from[300], to[300];
    const unsigned short pattern = 0xBEEF;
    fill_numbers(from, sizeof from, 3);
    cl_mem one = world_buffer(&world, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof from, from);
    cl_mem two = world_buffer(&world, CL_MEM_READ_WRITE, sizeof from, NULL);
    GOOD(clEnqueueCopyBuffer(world.queue, one, two, 10, 20, 200, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, two, CL_TRUE, 20, 200, to, 0, NULL, NULL));
    cr_expect_eq(memcmp(to, from + 10, 200), 0);
    GOOD(clEnqueueFillBuffer(world.queue, two, &pattern, 2, 40, 100, 0, NULL, NULL));
    GOOD(clEnqueueWriteBuffer(world.queue, two, CL_FALSE, 60, 3, "abc", 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, two, CL_TRUE, 38, 104, to, 0, NULL, NULL));
    cr_expect_eq(to[0], from[28]);
    cr_expect_eq(to[2], 0xEF);
    cr_expect_eq(to[3], 0xBE);
    cr_expect_eq(memcmp(to + 22, "abc", 3), 0);
    cr_expect_eq(to[25], 0xBE);
    cr_expect_eq(to[103], from[131]);
    GOOD(clReleaseMemObject(one));
    GOOD(clReleaseMemObject(two));
}

Test(memory, rectangles, .description = "CL-2 boxes of bytes go where they belong [model]") {
    unsigned char from[4 * 5 * 6], to[sizeof from], expected[sizeof from];
    const size_t buffer_origin[3] = {1, 2, 1}, host_origin[3] = {2, 0, 0}, region[3] = {2, 2, 2};
    fill_numbers(from, sizeof from, 1);
    memset(to, 0xAA, sizeof to);
    memset(expected, 0xAA, sizeof expected);
    cl_mem memory = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof from, from);
    // The buffer is 4 x 5 x 6, the host's rows have 8 bytes, its slices 24.
    for (size_t z = 0; z < 2; z++)
        for (size_t y = 0; y < 2; y++)
            memcpy(expected + z * 24 + y * 8 + 2, from + (z + 1) * 20 + (y + 2) * 4 + 1, 2);
    GOOD(clEnqueueReadBufferRect(world.queue, memory, CL_TRUE, buffer_origin, host_origin, region, 4, 20, 8, 24, to, 0,
                                 NULL, NULL));
    cr_expect_eq(memcmp(to, expected, sizeof to), 0);
    GOOD(clEnqueueWriteBufferRect(world.queue, memory, CL_TRUE, host_origin, buffer_origin, region, 4, 20, 8, 24, from,
                                  0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof to, to, 0, NULL, NULL));
    for (size_t z = 0; z < 2; z++)
        for (size_t y = 0; y < 2; y++)
            cr_expect_eq(memcmp(to + z * 20 + y * 4 + 2, from + (z + 1) * 24 + (y + 2) * 8 + 1, 2), 0);
    const size_t zero[3] = {0, 0, 0}, far[3] = {2, 3, 4}, empty[3] = {2, 0, 2};
    GOOD(clEnqueueCopyBufferRect(world.queue, memory, memory, zero, far, region, 4, 20, 4, 20, 0, NULL, NULL));
    BAD(CL_MEM_COPY_OVERLAP,
        clEnqueueCopyBufferRect(world.queue, memory, memory, zero, zero, region, 4, 20, 4, 20, 0, NULL, NULL));
    const size_t near[3] = {1, 1, 1}, beside[3] = {2, 0, 0}, over[3] = {3, 4, 5};
    BAD(CL_MEM_COPY_OVERLAP,
        clEnqueueCopyBufferRect(world.queue, memory, memory, zero, near, region, 4, 20, 4, 20, 0, NULL, NULL));
    GOOD(clEnqueueCopyBufferRect(world.queue, memory, memory, zero, beside, region, 4, 20, 4, 20, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE,
        clEnqueueCopyBufferRect(world.queue, memory, memory, zero, over, region, 4, 20, 4, 20, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE,
        clEnqueueReadBufferRect(world.queue, memory, CL_TRUE, zero, zero, empty, 4, 20, 8, 24, to, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE,
        clEnqueueReadBufferRect(world.queue, memory, CL_TRUE, zero, zero, region, 1, 20, 8, 24, to, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE,
        clEnqueueReadBufferRect(world.queue, memory, CL_TRUE, zero, zero, region, 4, 7, 8, 24, to, 0, NULL, NULL));
    GOOD(clReleaseMemObject(memory));
}

Test(memory, maps,
     .description = "CL-2 maps show what the device has, and unmaps bring back what was written [model]") {
    unsigned char from[256], to[256];
    cl_int error = CL_SUCCESS;
    cl_uint count = 0;
    fill_numbers(from, sizeof from, 9);
    cl_mem memory = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof from, from);
    unsigned char *mapped =
        clEnqueueMapBuffer(world.queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 16, 64, 0, NULL, NULL, &error);
    GOOD(error);
    cr_assert_eq(memcmp(mapped, from + 16, 64), 0);
    GOOD(clGetMemObjectInfo(memory, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    cr_expect_eq(count, 1);
    mapped[5] = 0x55;
    GOOD(clEnqueueUnmapMemObject(world.queue, memory, mapped, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof to, to, 0, NULL, NULL));
    from[21] = 0x55;
    cr_expect_eq(memcmp(to, from, sizeof to), 0);
    BAD(CL_INVALID_VALUE, clEnqueueUnmapMemObject(world.queue, memory, mapped, 0, NULL, NULL));
    cr_expect_null(clEnqueueMapBuffer(world.queue, memory, CL_TRUE, CL_MAP_READ, 200, 57, 0, NULL, NULL, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clEnqueueMapBuffer(world.queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4,
                                      0, NULL, NULL, &error));
    BAD(CL_INVALID_VALUE, error);
    // What is mapped for reading only stays as it is on the device.
    mapped = clEnqueueMapBuffer(world.queue, memory, CL_TRUE, CL_MAP_READ, 0, 8, 0, NULL, NULL, &error);
    mapped[0] ^= 0xFF;
    GOOD(clEnqueueUnmapMemObject(world.queue, memory, mapped, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, 1, to, 0, NULL, NULL));
    cr_expect_eq(to[0], from[0]);
    GOOD(clReleaseMemObject(memory));
}

Test(memory, host_pointer, .description = "CL-2 CL_MEM_USE_HOST_PTR: maps are the given memory [model]") {
    unsigned char host[128], other[128];
    cl_int error = CL_SUCCESS;
    void *pointer = NULL;
    fill_numbers(host, sizeof host, 2);
    cl_mem memory = world_buffer(&world, CL_MEM_USE_HOST_PTR, sizeof host, host);
    GOOD(clGetMemObjectInfo(memory, CL_MEM_HOST_PTR, sizeof(void *), &pointer, NULL));
    cr_expect_eq(pointer, host);
    fill_numbers(other, sizeof other, 77);
    GOOD(clEnqueueWriteBuffer(world.queue, memory, CL_TRUE, 0, sizeof other, other, 0, NULL, NULL));
    unsigned char *mapped = clEnqueueMapBuffer(world.queue, memory, CL_TRUE, CL_MAP_READ, 8, 16, 0, NULL, NULL, &error);
    cr_expect_eq(mapped, host + 8);
    cr_expect_eq(memcmp(host + 8, other + 8, 16), 0);
    GOOD(clEnqueueUnmapMemObject(world.queue, memory, mapped, 0, NULL, NULL));
    GOOD(clReleaseMemObject(memory));
}

Test(memory, parts, .description = "CL-2 sub-buffers: the same bytes, aligned, with rights inherited [model]") {
    unsigned char from[512], to[64];
    cl_int error = CL_SUCCESS;
    cl_mem_flags flags = 0;
    cl_mem whole = NULL;
    size_t offset = 0;
    fill_numbers(from, sizeof from, 5);
    cl_mem memory = world_buffer(&world, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof from, from);
    cl_buffer_region region = {128, 64};
    cl_mem part = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    GOOD(error);
    GOOD(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    cr_expect((flags & CL_MEM_READ_ONLY) != 0);
    GOOD(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &whole, NULL));
    cr_expect_eq(whole, memory);
    GOOD(clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    cr_expect_eq(offset, 128);
    BAD(CL_INVALID_VALUE, clEnqueueReadBuffer(world.queue, part, CL_TRUE, 1, 64, to, 0, NULL, NULL));
    cr_expect_null(clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    BAD(CL_INVALID_MEM_OBJECT, error);
    region = (cl_buffer_region){130, 8};
    cr_expect_null(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    BAD(CL_MISALIGNED_SUB_BUFFER_OFFSET, error);
    region = (cl_buffer_region){384, 129};
    cr_expect_null(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    BAD(CL_INVALID_VALUE, error);
    region = (cl_buffer_region){128, 0};
    cr_expect_null(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    BAD(CL_INVALID_BUFFER_SIZE, error);
    region = (cl_buffer_region){128, 4};
    cr_expect_null(clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    BAD(CL_INVALID_VALUE, error);
    GOOD(clReleaseMemObject(memory));  // the part keeps it
    GOOD(clEnqueueReadBuffer(world.queue, part, CL_TRUE, 0, 64, to, 0, NULL, NULL));
    cr_expect_eq(memcmp(to, from + 128, 64), 0);
    GOOD(clReleaseMemObject(part));
}

Test(memory, refused, .description = "CL-2 buffers and transfers: the error of each bad argument [model]") {
    char bytes[16];
    cl_int error = CL_SUCCESS;
    cl_mem_properties unknown[] = {1, 2, 0}, none[] = {0};
    cr_expect_null(clCreateBuffer(NULL, 0, 16, NULL, &error));
    BAD(CL_INVALID_CONTEXT, error);
    cr_expect_null(clCreateBuffer(world.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, NULL, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateBuffer(world.context, 0, 0, NULL, &error));
    BAD(CL_INVALID_BUFFER_SIZE, error);
    cr_expect_null(clCreateBuffer(world.context, 0, (size_t)1 << 40, NULL, &error));
    BAD(CL_INVALID_BUFFER_SIZE, error);
    cr_expect_null(clCreateBuffer(world.context, CL_MEM_COPY_HOST_PTR, 16, NULL, &error));
    BAD(CL_INVALID_HOST_PTR, error);
    cr_expect_null(clCreateBuffer(world.context, 0, 16, bytes, &error));
    BAD(CL_INVALID_HOST_PTR, error);
    cr_expect_null(clCreateBuffer(world.context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, bytes, &error));
    BAD(CL_INVALID_VALUE, error);
    cr_expect_null(clCreateBufferWithProperties(world.context, unknown, 0, 16, NULL, &error));
    BAD(CL_INVALID_PROPERTY, error);
    cl_mem memory = clCreateBufferWithProperties(world.context, none, CL_MEM_HOST_NO_ACCESS, 16, NULL, &error);
    GOOD(error);
    BAD(CL_INVALID_OPERATION, clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
    BAD(CL_INVALID_OPERATION, clEnqueueWriteBuffer(world.queue, memory, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 14, 4, bytes, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, 4, NULL, 0, NULL, NULL));
    BAD(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(world.queue, NULL, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
    BAD(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(NULL, memory, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
    BAD(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, 4, bytes, 1, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueFillBuffer(world.queue, memory, bytes, 3, 0, 6, 0, NULL, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueFillBuffer(world.queue, memory, bytes, 4, 2, 8, 0, NULL, NULL));
    BAD(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(world.queue, memory, memory, 0, 4, 8, 0, NULL, NULL));
    GOOD(clEnqueueCopyBuffer(world.queue, memory, memory, 0, 8, 8, 0, NULL, NULL));
    cl_context other = clCreateContext(NULL, 1, world.devices, NULL, NULL, &error);
    cl_mem stranger = clCreateBuffer(other, 0, 16, NULL, &error);
    BAD(CL_INVALID_CONTEXT, clEnqueueCopyBuffer(world.queue, memory, stranger, 0, 0, 8, 0, NULL, NULL));
    GOOD(clReleaseMemObject(stranger));
    GOOD(clReleaseContext(other));
    GOOD(clReleaseMemObject(memory));
}

static char order[8];
static void CL_CALLBACK ended(cl_mem memory, void *data) {
    (void)memory;
    strcat(order, data);
}

Test(memory, destructors,
     .description = "CL-2 destructor callbacks come in the opposite order, when nothing uses the buffer [model]") {
    char bytes[16] = "";
    cl_mem memory = world_buffer(&world, 0, 16, NULL);
    GOOD(clSetMemObjectDestructorCallback(memory, ended, "a"));
    GOOD(clSetMemObjectDestructorCallback(memory, ended, "b"));
    BAD(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(memory, NULL, NULL));
    GOOD(clEnqueueWriteBuffer(world.queue, memory, CL_FALSE, 0, 16, bytes, 0, NULL, NULL));
    GOOD(clReleaseMemObject(memory));
    GOOD(clFinish(world.queue));
    cr_expect_str_eq(order, "ba");
}

Test(alone, used_up,
     .description = "CL-2 more than there is: CL_MEM_OBJECT_ALLOCATION_FAILURE, and all comes back [model]") {
    cl_mem list[64];
    cl_int error = CL_SUCCESS;
    cl_ulong most = 0;
    world_open(&world, "model:nano,mem=64", 0);
    GOOD(clGetDeviceInfo(world.devices[0], CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    for (int lap = 0; lap < 2; lap++) {
        int count = 0;
        while (count < 64 && (list[count] = clCreateBuffer(world.context, 0, most, NULL, &error)) != NULL)
            count++;
        BAD(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
        cr_expect_geq(count, 2);
        while (count-- > 0)
            GOOD(clReleaseMemObject(list[count]));
    }
    world_close(&world);
}
