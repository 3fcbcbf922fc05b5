// Several threads use the OpenCL runtime at once, on one context and on contexts of their own: results are right, nothing
// is lost. Built with ThreadSanitizer: a data race is a failure too. The program is a code object, since the compiler's
// processes are none of this test.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/compiler.h"
#include "random_numbers.h"

static const char help[] =
    "usage: opencl-threads PROGRAM.elf [--seed N] [--laps N]\n"
    "Threads share a context, its queues, buffers, kernels and events. PROGRAM.elf is tests/kernels/threads.cl, "
    "compiled.\n"
    "--laps: of each thread (default 12). Exit status 0: all as it should be.\n";

enum { WORKERS = 4, ITEMS = 64 };

struct shared {
    cl_device_id device;
    cl_context context;
    cl_program program;
    cl_command_queue queue;  // that all use
    const unsigned char *elf;
    size_t elf_size;
    uint64_t laps;
    atomic_uint failures, callbacks, expected;
};

struct worker {
    pthread_t thread;
    struct shared *shared;
    unsigned number;
    uint64_t random;
};

#define EXPECT(shared_, condition)                                                  \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "opencl-threads: line %d: %s\n", __LINE__, #condition); \
            atomic_fetch_add(&(shared_)->failures, 1);                              \
        }                                                                           \
    } while (0)

// The compiler is not linked.
bool compiler_compile(const char *source, size_t size, const char *name, const struct compiler_options *options,
                      struct compiler_result *result) {
    (void)source, (void)size, (void)name, (void)options;
    *result = (struct compiler_result){.elf = NULL};
    return false;
}
void compiler_result_free(struct compiler_result *result) {
    (void)result;
}

static void CL_CALLBACK count_call(cl_event event, cl_int status, void *data) {
    (void)event;
    struct shared *shared = data;
    EXPECT(shared, status == CL_COMPLETE);
    atomic_fetch_add(&shared->callbacks, 1);
}

// A launch and its result, through a queue of this thread or the one of all.
static void lap(struct worker *worker, cl_context context, cl_program program, cl_command_queue queue) {
    struct shared *shared = worker->shared;
    cl_int error = CL_SUCCESS;
    cl_uint numbers[ITEMS], result[ITEMS];
    const cl_uint value = (cl_uint)random_below(&worker->random, 1000);
    const size_t items = ITEMS;
    for (cl_uint k = 0; k < ITEMS; k++)
        numbers[k] = k * (worker->number + 1);
    cl_kernel kernel = clCreateKernel(program, "add", &error);
    EXPECT(shared, error == CL_SUCCESS);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof numbers, NULL, &error);
    EXPECT(shared, error == CL_SUCCESS);
    cl_event gate = clCreateUserEvent(context, &error), written = NULL, done = NULL;
    EXPECT(shared, clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, sizeof numbers, numbers, 1, &gate, &written) == 0);
    EXPECT(shared, clSetKernelArg(kernel, 0, sizeof memory, &memory) == 0);
    EXPECT(shared, clSetKernelArg(kernel, 1, sizeof value, &value) == 0);
    EXPECT(shared, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 1, &written, &done) == 0);
    EXPECT(shared, clSetEventCallback(done, CL_COMPLETE, count_call, shared) == 0);
    atomic_fetch_add(&shared->expected, 1);
    EXPECT(shared, clSetUserEventStatus(gate, CL_COMPLETE) == 0);
    EXPECT(shared, clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof result, result, 1, &done, NULL) == 0);
    for (cl_uint k = 0; k < ITEMS; k++)
        EXPECT(shared, result[k] == numbers[k] + value);
    clReleaseEvent(gate);
    clReleaseEvent(written);
    clReleaseEvent(done);
    clReleaseMemObject(memory);
    clReleaseKernel(kernel);
}

static void own_context(struct worker *worker) {
    struct shared *shared = worker->shared;
    cl_int error = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, &shared->device, NULL, NULL, &error);
    EXPECT(shared, error == CL_SUCCESS);
    cl_program program =
        clCreateProgramWithBinary(context, 1, &shared->device, &shared->elf_size, &shared->elf, NULL, &error);
    EXPECT(shared, error == CL_SUCCESS && clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == 0);
    cl_command_queue queue = clCreateCommandQueue(context, shared->device, CL_QUEUE_PROFILING_ENABLE, &error);
    lap(worker, context, program, queue);
    clReleaseCommandQueue(queue);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct shared *shared = worker->shared;
    cl_int error = CL_SUCCESS;
    for (uint64_t k = 0; k < shared->laps; k++) {
        const uint64_t kind = random_below(&worker->random, 3);
        if (kind == 0) {
            own_context(worker);
        } else if (kind == 1) {
            lap(worker, shared->context, shared->program, shared->queue);
        } else {
            const cl_command_queue_properties flags =
                random_below(&worker->random, 2) != 0 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
            cl_command_queue queue = clCreateCommandQueue(shared->context, shared->device, flags, &error);
            lap(worker, shared->context, shared->program, queue);
            clReleaseCommandQueue(queue);
        }
    }
    return NULL;
}

static unsigned char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    unsigned char *bytes = malloc((size_t)1 << 20);
    *size = bytes != NULL ? fread(bytes, 1, (size_t)1 << 20, file) : 0;
    fclose(file);
    return bytes;
}

static void run(struct shared *shared, uint64_t seed) {
    struct worker workers[WORKERS];
    cl_platform_id platform;
    cl_int error = CL_SUCCESS;
    EXPECT(shared, clGetPlatformIDs(1, &platform, NULL) == 0);
    EXPECT(shared, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &shared->device, NULL) == 0);
    shared->context = clCreateContext(NULL, 1, &shared->device, NULL, NULL, &error);
    shared->queue =
        clCreateCommandQueue(shared->context, shared->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    shared->program =
        clCreateProgramWithBinary(shared->context, 1, &shared->device, &shared->elf_size, &shared->elf, NULL, &error);
    EXPECT(shared, error == CL_SUCCESS && clBuildProgram(shared->program, 0, NULL, NULL, NULL, NULL) == 0);
    for (unsigned k = 0; k < WORKERS; k++) {
        workers[k] = (struct worker){.shared = shared, .number = k, .random = seed + 977 * k};
        pthread_create(&workers[k].thread, NULL, work, &workers[k]);
    }
    for (unsigned k = 0; k < WORKERS; k++)
        pthread_join(workers[k].thread, NULL);
    EXPECT(shared, clFinish(shared->queue) == 0);
    clReleaseProgram(shared->program);
    clReleaseCommandQueue(shared->queue);
    clReleaseContext(shared->context);
}

int main(int argc, char **argv) {
    uint64_t seed = 0;
    struct shared shared = {.laps = 12};
    const char *path = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(help, stdout) == EOF;
        if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            seed = strtoull(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--laps") == 0 && i + 1 < argc) {
            shared.laps = strtoull(argv[++i], NULL, 10);
        } else {
            path = argv[i];
        }
    }
    unsigned char *elf = path != NULL ? read_file(path, &shared.elf_size) : NULL;
    if (elf == NULL || shared.elf_size == 0) {
        fputs(help, stderr);
        free(elf);
        return 2;
    }
    printf("seed %" PRIu64 "\n", seed);
    shared.elf = elf;
    setenv("TANDEM_DEVICES", "model:nano,mem=256", 1);
    run(&shared, seed);
    // Callbacks of the last commands may still be under way.
    for (unsigned wait = 0; wait < 1000 && atomic_load(&shared.callbacks) < atomic_load(&shared.expected); wait++)
        usleep(1000);
    EXPECT(&shared, atomic_load(&shared.callbacks) == atomic_load(&shared.expected));
    free(elf);
    printf("shows: CL-2 CL-4 [model]\n%u failures in %u launches\n", atomic_load(&shared.failures),
           atomic_load(&shared.expected));
    return atomic_load(&shared.failures) != 0;
}
