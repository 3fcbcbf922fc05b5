// Events, order, waits, callbacks, profiling; faults.
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "opencl/world.h"

static struct world world;

static void open_small(void) {
    world_open(&world, NULL, CL_QUEUE_PROFILING_ENABLE);
}
static void close_world(void) {
    world_close(&world);
}

TestSuite(events, .init = open_small, .fini = close_world);

static cl_int status_of(cl_event event) {
    cl_int status = 77;
    GOOD(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

Test(events, user_event,
     .description = "CL-2 a command waits for a user event, and another queue goes on meanwhile [model]") {
    cl_int error = CL_SUCCESS;
    cl_event gate = clCreateUserEvent(world.context, &error), event = NULL;
    GOOD(error);
    cl_command_queue other = clCreateCommandQueue(world.context, world.devices[0], 0, &error);
    cl_uint value = 5, read = 0;
    cl_mem memory = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof read, &read);
    GOOD(clEnqueueWriteBuffer(world.queue, memory, CL_FALSE, 0, 4, &value, 1, &gate, &event));
    GOOD(clEnqueueReadBuffer(other, memory, CL_TRUE, 0, 4, &read, 0, NULL, NULL));
    cr_expect_eq(read, 0);
    cr_expect_gt(status_of(event), CL_COMPLETE);
    BAD(CL_INVALID_VALUE, clSetUserEventStatus(gate, CL_RUNNING));
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    BAD(CL_INVALID_OPERATION, clSetUserEventStatus(gate, CL_COMPLETE));
    BAD(CL_INVALID_EVENT, clSetUserEventStatus(event, CL_COMPLETE));
    GOOD(clEnqueueReadBuffer(other, memory, CL_TRUE, 0, 4, &read, 1, &event, NULL));
    cr_expect_eq(read, 5);
    GOOD(clReleaseEvent(event));
    GOOD(clReleaseEvent(gate));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseCommandQueue(other));
}

Test(events, failed_wait, .description = "CL-2 what waits for an event that fails does not run, and says so [model]") {
    cl_int error = CL_SUCCESS;
    cl_uint value = 5, read = 1;
    cl_event gate = clCreateUserEvent(world.context, &error), event = NULL;
    cl_mem memory = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof read, &read);
    GOOD(clEnqueueWriteBuffer(world.queue, memory, CL_FALSE, 0, 4, &value, 1, &gate, &event));
    GOOD(clSetUserEventStatus(gate, -5));
    BAD(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    cr_expect_lt(status_of(event), 0);
    BAD(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, 4, &read, 1, &gate, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, 4, &read, 0, NULL, NULL));
    cr_expect_eq(read, 1);
    GOOD(clReleaseEvent(event));
    GOOD(clReleaseEvent(gate));
    GOOD(clReleaseMemObject(memory));
}

Test(events, out_of_order,
     .description = "CL-2 an out-of-order queue goes on past what waits; barriers and markers hold [model]") {
    cl_int error = CL_SUCCESS;
    cl_uint one = 1, two = 2, three = 3, read[3] = {0};
    cl_command_queue queue =
        clCreateCommandQueue(world.context, world.devices[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    cl_event gate = clCreateUserEvent(world.context, &error), past = NULL, marker = NULL, behind = NULL;
    cl_mem memory = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof read, read);
    GOOD(clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, 4, &one, 1, &gate, NULL));
    GOOD(clEnqueueWriteBuffer(queue, memory, CL_FALSE, 4, 4, &two, 0, NULL, &past));
    GOOD(clWaitForEvents(1, &past));
    GOOD(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
    GOOD(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    GOOD(clEnqueueWriteBuffer(queue, memory, CL_FALSE, 8, 4, &three, 0, NULL, &behind));
    usleep(20000);
    cr_expect_gt(status_of(marker), CL_COMPLETE, "a marker waits for all in front of it");
    cr_expect_gt(status_of(behind), CL_COMPLETE, "nothing passes a barrier");
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    GOOD(clFinish(queue));
    cr_expect_eq(status_of(marker), CL_COMPLETE);
    GOOD(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof read, read, 0, NULL, NULL));
    cr_expect(read[0] == 1 && read[1] == 2 && read[2] == 3);
    GOOD(clReleaseEvent(past));
    GOOD(clReleaseEvent(marker));
    GOOD(clReleaseEvent(behind));
    GOOD(clReleaseEvent(gate));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseCommandQueue(queue));
}

static _Atomic int called[3];
static void CL_CALLBACK count_call(cl_event event, cl_int status, void *data) {
    (void)event;
    if (status <= CL_SUBMITTED) called[*(int *)data]++;
}

Test(events, callbacks,
     .description = "CL-2 callbacks for submitted, running, complete come once each, late ones at once [model]") {
    static int numbers[3] = {0, 1, 2};
    cl_int error = CL_SUCCESS;
    cl_event gate = clCreateUserEvent(world.context, &error), event = NULL;
    GOOD(clEnqueueMarkerWithWaitList(world.queue, 1, &gate, &event));
    GOOD(clSetEventCallback(event, CL_SUBMITTED, count_call, &numbers[2]));
    GOOD(clSetEventCallback(event, CL_RUNNING, count_call, &numbers[1]));
    GOOD(clSetEventCallback(event, CL_COMPLETE, count_call, &numbers[0]));
    BAD(CL_INVALID_VALUE, clSetEventCallback(event, CL_QUEUED, count_call, NULL));
    BAD(CL_INVALID_VALUE, clSetEventCallback(event, CL_COMPLETE, NULL, NULL));
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    GOOD(clFinish(world.queue));
    for (int wait = 0; wait < 1000 && called[0] == 0; wait++)
        usleep(1000);
    cr_expect(called[0] == 1 && called[1] == 1 && called[2] == 1);
    GOOD(clSetEventCallback(event, CL_COMPLETE, count_call, &numbers[0]));
    cr_expect_eq(called[0], 2);
    GOOD(clReleaseEvent(event));
    GOOD(clReleaseEvent(gate));
}

Test(events, profiling,
     .description = "CL-2 times come from the device's clock, in their order; none without the flag [model]") {
    static const char source[] =
        "__kernel void k(__global uint *p, uint n) { uint v = 0; for (uint i = 0; i < n; i++) v = v * 3 + p[i & 7]; "
        "p[get_global_id(0) + 8] = v; }";
    cl_ulong times[4] = {0}, length[2] = {0};
    cl_int error = CL_SUCCESS;
    cl_uint numbers[72] = {1};
    const size_t global = 64;
    cl_kernel kernel = world_kernel(&world, source, "k");
    cl_mem memory = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    for (cl_uint k = 0; k < 2; k++) {
        const cl_uint laps = k == 0 ? 50 : 500;
        cl_event event = NULL;
        GOOD(clSetKernelArg(kernel, 1, sizeof laps, &laps));
        GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
        GOOD(clWaitForEvents(1, &event));
        for (cl_uint t = 0; t < 4; t++)
            GOOD(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + t, sizeof(cl_ulong), &times[t], NULL));
        cr_expect(times[0] <= times[1] && times[1] <= times[2] && times[2] < times[3]);
        length[k] = times[3] - times[2];
        BAD(CL_INVALID_VALUE, clGetEventProfilingInfo(event, 0x7777, sizeof(cl_ulong), times, NULL));
        GOOD(clReleaseEvent(event));
    }
    cr_expect_gt(length[1], 5 * length[0], "ten times the work: %lu and %lu ns", length[0], length[1]);
    cl_command_queue plain = clCreateCommandQueue(world.context, world.devices[0], 0, &error);
    cl_event event = NULL;
    GOOD(clEnqueueMarkerWithWaitList(plain, 0, NULL, &event));
    GOOD(clFinish(plain));
    BAD(CL_PROFILING_INFO_NOT_AVAILABLE,
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(cl_ulong), times, NULL));
    GOOD(clReleaseEvent(event));
    GOOD(clReleaseCommandQueue(plain));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
}

static void read_times(cl_event event, cl_ulong times[4]) {
    GOOD(clWaitForEvents(1, &event));
    for (cl_uint t = 0; t < 4; t++)
        GOOD(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + t, sizeof *times, &times[t], NULL));
    cr_expect(times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]);
    GOOD(clReleaseEvent(event));
}

Test(events, timers,
     .description = "CL-2 the device's time goes on without work as the host's does; profiling is told in it [model]") {
    static const char source[] =
        "__kernel void k(__global uint *p) { uint v = 0; for (uint i = 0; i < 900; i++) v = v * 3 + p[i & 7]; "
        "p[get_global_id(0) + 8] = v; }";
    const struct timespec pause = {0, 20000000};
    const size_t global = 64;
    cl_uint numbers[72] = {1};
    cl_ulong device[2], host[3], last = 0, times[4];
    cl_device_id id = world.devices[0];
    GOOD(clGetDeviceAndHostTimer(id, &device[0], &host[0]));
    nanosleep(&pause, NULL);
    GOOD(clGetDeviceAndHostTimer(id, &device[1], &host[1]));
    GOOD(clGetHostTimer(id, &host[2]));
    cr_expect_geq(host[1] - host[0], 20000000);
    cr_expect_geq(host[2], host[1]);
    cr_expect_eq(device[1] - device[0], host[1] - host[0], "%lu and %lu ns", device[1] - device[0], host[1] - host[0]);
    cl_kernel kernel = world_kernel(&world, source, "k");
    cl_mem memory = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    for (cl_uint k = 0; k < 8; k++) {
        cl_event launch = NULL, copy = NULL;
        cl_ulong before, after;
        GOOD(clGetDeviceAndHostTimer(id, &before, &host[0]));
        cr_expect_geq(before, last);
        GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &global, NULL, 0, NULL, &launch));
        GOOD(clEnqueueReadBuffer(world.queue, memory, CL_FALSE, 0, sizeof numbers, numbers, 0, NULL, &copy));
        // Asked for while it runs, too.
        for (cl_uint lap = 0; lap < 20; lap++) {
            GOOD(clGetDeviceAndHostTimer(id, &after, &host[1]));
            cr_expect_geq(after, before);
            before = lap == 0 ? before : after;
        }
        read_times(launch, times);
        cr_expect_geq(times[0], last);
        last = times[3];
        read_times(copy, times);
        cr_expect_geq(times[2], last);
        GOOD(clGetDeviceAndHostTimer(id, &after, &host[1]));
        cr_expect_geq(after, times[3]);
        last = after;
    }
    BAD(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(NULL, &device[0], &host[0]));
    BAD(CL_INVALID_VALUE, clGetDeviceAndHostTimer(id, NULL, &host[0]));
    BAD(CL_INVALID_VALUE, clGetDeviceAndHostTimer(id, &device[0], NULL));
    BAD(CL_INVALID_DEVICE, clGetHostTimer(NULL, &host[0]));
    BAD(CL_INVALID_VALUE, clGetHostTimer(id, NULL));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
}

static const char hostile[] =
    "__kernel void wild(__global uint *p) { p[0x3F000000u + get_global_id(0)] = 1; }\n"
    "__kernel void tame(__global uint *p) { p[get_global_id(0)] = 7; }\n";

Test(events, fault,
     .description =
         "CL-4 a kernel that faults gives its event and queue an error and its context the sentence; the next one "
         "runs, other contexts too [model]") {
    struct world other;
    cl_int error = CL_SUCCESS;
    cl_uint numbers[4] = {0}, elsewhere[4] = {1, 2, 3, 4};
    const size_t one = 1;
    cl_event event = NULL;
    world_open(&other, NULL, 0);
    cl_mem there = world_buffer(&other, CL_MEM_COPY_HOST_PTR, sizeof elsewhere, elsewhere);
    cl_program program = world_program(&world, hostile, NULL);
    cl_kernel wild = clCreateKernel(program, "wild", &error), tame = clCreateKernel(program, "tame", &error);
    cl_mem memory = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
    GOOD(clSetKernelArg(wild, 0, sizeof memory, &memory));
    GOOD(clSetKernelArg(tame, 0, sizeof memory, &memory));
    GOOD(clEnqueueNDRangeKernel(world.queue, wild, 1, NULL, &one, NULL, 0, NULL, &event));
    BAD(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    BAD(CL_OUT_OF_RESOURCES, status_of(event));
    cr_expect_eq(world.tells, 1);
    cr_expect_not_null(strstr(world.told, "kernel wild"), "%s", world.told);
    cr_expect_eq(other.tells, 0);
    // Whoever only waits for the result hears of it, once.
    BAD(CL_OUT_OF_RESOURCES,
        clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    GOOD(clFinish(world.queue));
    GOOD(clEnqueueNDRangeKernel(world.queue, tame, 1, NULL, &one, NULL, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(world.queue, memory, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    cr_expect_eq(numbers[0], 7);
    GOOD(clEnqueueReadBuffer(other.queue, there, CL_TRUE, 0, sizeof elsewhere, elsewhere, 0, NULL, NULL));
    cr_expect(elsewhere[0] == 1 && elsewhere[3] == 4);
    GOOD(clReleaseEvent(event));
    GOOD(clReleaseKernel(wild));
    GOOD(clReleaseKernel(tame));
    GOOD(clReleaseProgram(program));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseMemObject(there));
    world_close(&other);
}

Test(events, reach, .description = "CL-4 no address of one context reaches the memory of another [model]") {
    static const char source[] =
        "__kernel void sweep(uint at) { *(__global uint *)(at + 4 * get_global_id(0)) = 0xDEADBEEF; }";
    struct world other;
    cl_uint secret[1024], back[1024];
    const size_t global = 64;
    world_open(&other, NULL, 0);
    memset(secret, 0x5A, sizeof secret);
    cl_mem there = world_buffer(&other, CL_MEM_COPY_HOST_PTR, sizeof secret, secret);
    cl_kernel kernel = world_kernel(&world, source, "sweep");
    // Addresses all over what the 32 bits reach; some hit this context's own memory, some fault.
    for (cl_uint k = 0; k < 48; k++) {
        const cl_uint at = k * 0x05000000u + 0x2000000u;
        GOOD(clSetKernelArg(kernel, 0, sizeof at, &at));
        GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        (void)clFinish(world.queue);
    }
    cr_expect_geq(world.tells, 30);
    GOOD(clEnqueueReadBuffer(other.queue, there, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    cr_expect_eq(memcmp(secret, back, sizeof back), 0);
    GOOD(clReleaseKernel(kernel));
    GOOD(clReleaseMemObject(there));
    world_close(&other);
}

Test(events, endless, .description = "CL-4 TANDEM_DEADLINE ends a kernel that would never end; others go on [model]") {
    static const char source[] = "__kernel void hang(__global volatile uint *p) { while (p[0] == 0) {} }";
    cl_uint zero = 0;
    const size_t one = 1;
    setenv("TANDEM_DEADLINE", "20000", 1);
    cl_kernel kernel = world_kernel(&world, source, "hang");
    cl_mem memory = world_buffer(&world, CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    GOOD(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    BAD(CL_OUT_OF_RESOURCES, clFinish(world.queue));
    cr_expect_not_null(strstr(world.told, "waited 20000 cycles"), "%s", world.told);
    zero = 1;
    GOOD(clEnqueueWriteBuffer(world.queue, memory, CL_FALSE, 0, 4, &zero, 0, NULL, NULL));
    GOOD(clEnqueueNDRangeKernel(world.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    GOOD(clFinish(world.queue));
    GOOD(clReleaseMemObject(memory));
    GOOD(clReleaseKernel(kernel));
}

Test(events, refused, .description = "CL-2 events: the error of each bad argument [model]") {
    cl_int error = CL_SUCCESS, status = 0;
    cl_event none = NULL;
    BAD(CL_INVALID_VALUE, clWaitForEvents(0, NULL));
    BAD(CL_INVALID_EVENT, clWaitForEvents(1, &none));
    BAD(CL_INVALID_EVENT, clRetainEvent(NULL));
    BAD(CL_INVALID_EVENT, clGetEventInfo(NULL, CL_EVENT_CONTEXT, sizeof status, &status, NULL));
    cr_expect_null(clCreateUserEvent(NULL, &error));
    BAD(CL_INVALID_CONTEXT, error);
    cl_event event = clCreateUserEvent(world.context, &error);
    BAD(CL_INVALID_VALUE, clGetEventInfo(event, 0x7777, sizeof status, &status, NULL));
    BAD(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(world.queue, 1, &none, NULL));
    BAD(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(world.queue, 0, &event, NULL));
    BAD(CL_INVALID_VALUE, clEnqueueMarker(world.queue, NULL));
    cl_context other = clCreateContext(NULL, 1, world.devices, NULL, NULL, &error);
    cl_event stranger = clCreateUserEvent(other, &error);
    BAD(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(world.queue, 1, &stranger, NULL));
    cl_event both[] = {event, stranger};
    BAD(CL_INVALID_CONTEXT, clWaitForEvents(2, both));
    GOOD(clReleaseEvent(stranger));
    GOOD(clReleaseContext(other));
    GOOD(clReleaseEvent(event));
}
