// clEnqueueNDRangeKernel: the arguments as they stand now, checked; the launch, when its time has come.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/library/local_place.h"
#include "compiler/library/range_part.h"
#include "driver/recompile.h"
#include "opencl/device_queue.h"
#include "opencl/environment.h"
#include "opencl/image.h"
#include "opencl/kernel.h"
#include "opencl/queue.h"
#include "opencl/statistics.h"
#include "opencl/timer.h"

#define LOCAL_USUAL 256u  // work-items of a group that nobody has chosen; less than its SMALL_SHARE are few
#define SMALL_SHARE 4u
#define GROUPS_MAX 65535u  // in y and z
#define NO_DEADLINE UINT64_MAX

struct ndrange {
    struct command command;
    cl_kernel kernel;
    struct kernel_argument *arguments;
    struct tandem_range range;
    bool nothing;          // a size is 0
    uint32_t piece_bytes;  // of a kernel that makes work itself, else 0
};

static void drop(struct command *command) {
    struct ndrange *launch = (struct ndrange *)command;
    if (launch->kernel != NULL) launch_arguments_free(launch->arguments, launch->kernel->count);
    free(launch->arguments);
    object_drop(launch->kernel);
}

// What the device gets of the arguments; addresses: room for those of pointers.
static void describe(const struct ndrange *launch, const struct place *place, const struct code_kernel *code,
                     struct tandem_argument *arguments, struct tandem_region *regions, tandem_addr *addresses) {
    for (cl_uint k = 0; k < launch->kernel->count; k++) {
        const struct kernel_argument *from = &launch->arguments[k];
        const enum code_argument_kind kind = code->arguments[k].kind;
        if (kind == ARG_VALUE || kind == ARG_SAMPLER) {
            arguments[k] = (struct tandem_argument){from->value, from->size};
        } else if (kind == ARG_LOCAL) {
            arguments[k] = (struct tandem_argument){NULL, from->size};
        } else if (kind == ARG_IMAGE) {
            // No region: what kernels reach by it is no pointer argument's memory, so it may be anybody's.
            addresses[k] = image_words(from->memory, place);
            arguments[k] = (struct tandem_argument){&addresses[k], sizeof addresses[k]};
        } else {
            addresses[k] = from->memory != NULL ? memory_address(from->memory, place) : 0;
            arguments[k] = (struct tandem_argument){&addresses[k], sizeof addresses[k]};
            if (from->memory != NULL)
                regions[k] = (struct tandem_region){addresses[k], (uint32_t)from->memory->size, 0};
        }
    }
}

static cl_int bring_memory(const struct ndrange *launch, struct place *place, const struct code_kernel *code) {
    cl_int error = CL_SUCCESS;
    for (cl_uint k = 0; k < launch->kernel->count && error == CL_SUCCESS; k++) {
        cl_mem memory = launch->arguments[k].memory;
        if (memory == NULL) continue;
        const struct code_argument *argument = &code->arguments[k];
        const bool reads_only = argument->kind == ARG_CONSTANT || (memory->flags & CL_MEM_READ_ONLY) != 0 ||
                                (argument->kind == ARG_IMAGE && (argument->qualifiers & QUALIFIER_WRITE) == 0);
        error = memory_bring(memory, place, !reads_only);
    }
    return error;
}

// Between two time stamps of the device.
static enum tandem_status submit(struct lease *lease, struct tandem_module *module, const char *name,
                                 const struct tandem_range *range, const struct tandem_argument *arguments,
                                 const struct tandem_region *regions, cl_uint count) {
    struct tandem_channel *channel = lease->channel;
    enum tandem_status status = tandem_time_stamp(channel, lease->stamps);
    if (status == TANDEM_OK)
        status = tandem_launch_regions(channel, module, name, range, NULL, arguments, regions, count);
    if (status == TANDEM_OK) status = tandem_wfi(channel);
    if (status == TANDEM_OK) status = tandem_time_stamp(channel, lease->stamps + 16);
    if (status == TANDEM_OK) status = tandem_finish(channel, environment_number("TANDEM_DEADLINE", NO_DEADLINE));
    return status;
}

static cl_int perform(struct ndrange *launch, struct lease *lease, struct tandem_module *module,
                      const struct code_kernel *code) {
    cl_command_queue queue = launch->command.queue;
    struct place *place = queue->place;
    const size_t room = launch->kernel->count + 1;
    struct tandem_argument *arguments = calloc(room, sizeof *arguments);
    struct tandem_region *regions = calloc(room, sizeof *regions);
    tandem_addr *addresses = calloc(room, sizeof *addresses);
    cl_int error = CL_OUT_OF_HOST_MEMORY;
    if (arguments != NULL && regions != NULL && addresses != NULL) {
        char what[CODE_OBJECT_NAME_MAX + 16];
        struct measured before;
        describe(launch, place, code, arguments, regions, addresses);
        statistics_begin(place->device, &before);
        const enum tandem_status status =
            submit(lease, module, launch->kernel->name, &launch->range, arguments, regions, launch->kernel->count);
        snprintf(what, sizeof what, "kernel %s", launch->kernel->name);
        error = context_error(queue->context, place->device, what, status);
        uint32_t words[8] = {0};
        if (error == CL_SUCCESS && tandem_space_read(place->space, lease->stamps, words, sizeof words) == TANDEM_OK) {
            const uint64_t start = words[2] | (uint64_t)words[3] << 32, end = words[6] | (uint64_t)words[7] << 32;
            const uint64_t began = device_time_of(place->device, start);
            pthread_mutex_lock(&queue->context->lock);
            launch->command.event->times[TIME_START] = began;
            launch->command.event->times[TIME_END] = began + (end - start);
            pthread_mutex_unlock(&queue->context->lock);
            statistics_end(place->device, launch->kernel->name, &before, end - start);
        }
    }
    free(arguments);
    free(regions);
    free(addresses);
    return error;
}

static cl_int run(struct command *command) {
    struct ndrange *launch = (struct ndrange *)command;
    cl_command_queue queue = command->queue;
    const struct code_kernel *code = kernel_on(launch->kernel, queue->place);
    struct lease *lease = NULL;
    if (launch->nothing) return CL_SUCCESS;
    cl_int error = bring_memory(launch, queue->place, code);
    if (error == CL_SUCCESS)
        error =
            lease_take(queue->place, queue->priority, device_queue_needs(queue->place, launch->piece_bytes), &lease);
    if (error != CL_SUCCESS) return error;
    error = perform(launch, lease, program_build_of(launch->kernel->program, queue->place)->module, code);
    lease_give(lease, error != CL_SUCCESS);
    return error;
}

// The largest divisor of n that is at most `most`.
static uint32_t largest_divisor(uint32_t n, uint32_t most) {
    for (uint32_t d = most < n ? most : n; d > 1; d--)
        if (n % d == 0) return d;
    return 1;
}

static void choose_local(struct tandem_range *range, const struct tandem_kernel_info *info) {
    const uint32_t most = info->threads > 0 ? info->threads : info->group_max;
    uint32_t left = most < LOCAL_USUAL ? most : LOCAL_USUAL;
    for (uint32_t d = 0; d < range->dimensions; d++) {
        range->local[d] = info->reqd_local[0] != 0 ? info->reqd_local[d] : largest_divisor(range->global[d], left);
        // Where groups may differ in size, better one small group than many.
        if (d == 0 && info->reqd_local[0] == 0 && info->non_uniform && range->global[d] > left &&
            SMALL_SHARE * range->local[d] < left)
            range->local[d] = left;
        left /= range->local[d] > 0 ? range->local[d] : 1;
    }
}

static cl_int check_local(const struct tandem_range *range, const struct tandem_kernel_info *info, bool given) {
    uint64_t threads = 1;
    if (info->group_max == 0) return CL_OUT_OF_RESOURCES;
    for (uint32_t d = 0; d < range->dimensions; d++) {
        const uint32_t global = range->global[d], local = range->local[d];
        if (info->reqd_local[0] != 0 && (!given || local != info->reqd_local[d])) return CL_INVALID_WORK_GROUP_SIZE;
        if (local == 0 || (global % local != 0 && !info->non_uniform)) return CL_INVALID_WORK_GROUP_SIZE;
        threads *= local;
        if (threads > info->group_max) return CL_INVALID_WORK_GROUP_SIZE;
        if (d > 0 && global / local > GROUPS_MAX) return CL_OUT_OF_RESOURCES;
    }
    return CL_SUCCESS;
}

static uint64_t group_of(const struct tandem_range *range) {
    uint64_t items = 1;
    for (uint32_t d = 0; d < range->dimensions; d++)
        items *= range->local[d];
    return items;
}

// Groups of more items than threads: what cannot be done is known now, not when the command runs.
static cl_int prepare_groups(struct tandem_module *module, cl_kernel kernel, const struct tandem_range *range) {
    for (uint32_t number = 0; number < RANGE_PARTS; number++) {
        uint32_t local[3] = {1, 1, 1}, groups = number >> range->dimensions == 0;
        for (uint32_t d = 0; d < range->dimensions && groups != 0; d++) {
            const struct range_part part = range_part(range->global[d], range->local[d], number >> d & 1);
            local[d] = part.local_size;
            groups = part.groups;
        }
        const enum tandem_status status = groups != 0 ? tandem_prepare_group(module, kernel->name, local) : TANDEM_OK;
        if (status != TANDEM_OK) return status == TANDEM_NO_MEMORY ? CL_OUT_OF_RESOURCES : CL_INVALID_WORK_GROUP_SIZE;
    }
    return CL_SUCCESS;
}

static cl_int make_range(struct ndrange *launch, cl_command_queue queue, cl_uint work_dim, const size_t *offset,
                         const size_t *global, const size_t *local) {
    struct tandem_range *range = &launch->range;
    struct tandem_kernel_info info;
    struct tandem_module *module = program_build_of(launch->kernel->program, queue->place)->module;
    if (work_dim < 1 || work_dim > 3) return CL_INVALID_WORK_DIMENSION;
    range->dimensions = work_dim;
    for (cl_uint d = 0; d < work_dim; d++) {
        const size_t begin = offset != NULL ? offset[d] : 0, size = global != NULL ? global[d] : 0;
        launch->nothing |= size == 0;
        if (size > UINT32_MAX) return CL_INVALID_GLOBAL_WORK_SIZE;
        if (begin > UINT32_MAX || begin + size > (uint64_t)UINT32_MAX + 1) return CL_INVALID_GLOBAL_OFFSET;
        range->offset[d] = (uint32_t)begin;
        range->global[d] = (uint32_t)size;
    }
    if (launch->nothing) return CL_SUCCESS;
    if (tandem_get_kernel_info(module, launch->kernel->name, &info) != TANDEM_OK) return CL_INVALID_PROGRAM_EXECUTABLE;
    launch->piece_bytes = info.piece_bytes;
    for (cl_uint d = 0; d < work_dim && local != NULL; d++) {
        const size_t most = queue->place->device->info.group_max;
        if (local[d] > most) return local[d] > UINT32_MAX ? CL_INVALID_WORK_GROUP_SIZE : CL_INVALID_WORK_ITEM_SIZE;
        range->local[d] = (uint32_t)local[d];
    }
    if (local == NULL) choose_local(range, &info);
    cl_int error = check_local(range, &info, local != NULL);
    if (error == CL_SUCCESS && group_of(range) > info.threads) error = prepare_groups(module, launch->kernel, range);
    return error;
}

// Local memory of the kernel and of its arguments.
static bool local_memory_fits(cl_kernel kernel, const struct place *place) {
    const struct code_kernel *code = kernel_on(kernel, place);
    const uint32_t most = place->device->info.shared_bytes;
    uint64_t bytes = code->shared_bytes;
    for (cl_uint k = 0; k < kernel->count; k++)
        if (code->arguments[k].kind == ARG_LOCAL && bytes <= most)
            bytes = local_place((uint32_t)bytes, (uint32_t)kernel->arguments[k].size) + kernel->arguments[k].size;
    return bytes <= most;
}

static bool arguments_set(cl_kernel kernel) {
    for (cl_uint k = 0; k < kernel->count; k++)
        if (!kernel->arguments[k].set) return false;
    return true;
}

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, cl_command_type type, cl_uint work_dim,
                      const size_t *offset, const size_t *global, const size_t *local, cl_uint num_events,
                      const cl_event *event_wait_list, cl_event *event) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!object_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    if (kernel->program->context != queue->context) return CL_INVALID_CONTEXT;
    if (kernel_on(kernel, queue->place) == NULL) return CL_INVALID_PROGRAM_EXECUTABLE;
    if (!arguments_set(kernel)) return CL_INVALID_KERNEL_ARGS;
    struct ndrange *launch = command_new(queue, type, sizeof *launch, run, drop);
    if (launch == NULL) return CL_OUT_OF_HOST_MEMORY;
    object_hold(kernel);
    launch->kernel = kernel;
    cl_int error = make_range(launch, queue, work_dim, offset, global, local);
    if (error == CL_SUCCESS && !local_memory_fits(kernel, queue->place)) error = CL_OUT_OF_RESOURCES;
    if (error == CL_SUCCESS) error = events_check(queue->context, num_events, event_wait_list);
    if (error == CL_SUCCESS) {
        launch->arguments = calloc(kernel->count + 1, sizeof *launch->arguments);
        error = launch->arguments == NULL ? CL_OUT_OF_HOST_MEMORY
                                          : launch_arguments_copy(launch->arguments, kernel->arguments, kernel->count);
    }
    if (error != CL_SUCCESS) {
        command_free(&launch->command);
        return error;
    }
    return command_enqueue(&launch->command, num_events, event_wait_list, event, false);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                                          const size_t *global_work_offset, const size_t *global_work_size,
                                          const size_t *local_work_size, cl_uint num_events,
                                          const cl_event *event_wait_list, cl_event *event) {
    return enqueue(queue, kernel, CL_COMMAND_NDRANGE_KERNEL, work_dim, global_work_offset, global_work_size,
                   local_work_size, num_events, event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint num_events,
                                 const cl_event *event_wait_list, cl_event *event) {
    const size_t one = 1;
    return enqueue(queue, kernel, CL_COMMAND_TASK, 1, NULL, &one, &one, num_events, event_wait_list, event);
}
