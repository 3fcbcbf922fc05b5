// Launches: constant buffer 0, the TMD, the methods that hand it over (TU-1, TU-6, WQ-6).
#include "driver/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/library/child_task.h"
#include "compiler/library/local_place.h"
#include "compiler/library/range_part.h"
#include "driver/command.h"
#include "driver/kernel_task.h"
#include "driver/launched.h"
#include "driver/local_memory.h"
#include "driver/save_pool.h"
#include "driver/timing.h"
#include "driver/turns.h"
#include "driver/variants.h"
#include "driver/work_queue.h"
#include "task/tmd.h"

#define LEVEL_MAX 63u
#define LEVELS_OF_A_PRIORITY 16u

// The largest divisor of n that is at most `most`.
static uint32_t largest_divisor(uint32_t n, uint32_t most) {
    for (uint32_t d = most < n ? most : n; d > 1; d--) {
        if (n % d == 0) return d;
    }
    return 1;
}

static enum tandem_status choose_local(struct tandem_device *device, const struct code_kernel *kernel,
                                       const struct tandem_range *range, uint32_t local[3]) {
    const uint32_t limit = kernel_threads_limit(device, kernel);
    const uint32_t usual = limit > 0 ? limit : device->options.config->threads;
    for (unsigned i = 0; i < 3; i++)
        local[i] = i < range->dimensions ? range->local[i] : 1;
    if (range->local[0] == 0) {
        for (unsigned i = 0; i < range->dimensions; i++) {
            bool required = kernel->reqd_local[0] != 0;
            local[i] = required ? kernel->reqd_local[i] : i == 0 ? largest_divisor(range->global[0], usual) : 1;
        }
    }
    for (unsigned i = 0; i < range->dimensions; i++) {
        const uint32_t groups_limit = i == 0 ? UINT32_MAX : UINT16_MAX;
        const bool divides = local[i] != 0 && (range->global[i] % local[i] == 0 || kernel->non_uniform != 0);
        if (range->global[i] == 0)
            return driver_fail(device, TANDEM_BAD_ARGUMENT, "kernel %s: the global size in dimension %u is 0",
                               kernel->name, i);
        if (!divides || range->global[i] / local[i] > groups_limit) {
            return driver_fail(device, TANDEM_BAD_ARGUMENT,
                               "kernel %s: in dimension %u the local size %u %s the global size %u, with at most %u "
                               "groups",
                               kernel->name, i, local[i],
                               kernel->non_uniform != 0 ? "must not be 0, and fit into" : "must divide",
                               range->global[i], groups_limit);
        }
        if (kernel->reqd_local[0] != 0 && local[i] != kernel->reqd_local[i]) {
            return driver_fail(device, TANDEM_BAD_ARGUMENT,
                               "kernel %s: was compiled for local size %u in dimension %u, not %u", kernel->name,
                               kernel->reqd_local[i], i, local[i]);
        }
    }
    return turns_check(device, kernel, local);
}

static enum tandem_status check_arguments(struct tandem_device *device, const struct code_kernel *kernel,
                                          const struct tandem_argument *arguments, size_t count) {
    if (count != kernel->argument_count) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "kernel %s: takes %zu arguments, was given %zu", kernel->name,
                           kernel->argument_count, count);
    }
    for (size_t i = 0; i < count; i++) {
        const struct code_argument *wanted = &kernel->arguments[i];
        if (wanted->kind == ARG_LOCAL) {
            if (arguments[i].data == NULL && arguments[i].size != 0) continue;
            return driver_fail(device, TANDEM_BAD_ARGUMENT,
                               "kernel %s: argument %zu (%s %s) points to local memory: it takes a size and no data",
                               kernel->name, i, wanted->type, wanted->name);
        }
        if (arguments[i].size != wanted->size || arguments[i].data == NULL) {
            return driver_fail(device, TANDEM_BAD_ARGUMENT,
                               "kernel %s: argument %zu (%s %s) has %u bytes, was given %zu", kernel->name, i,
                               wanted->type, wanted->name, wanted->size,
                               arguments[i].data != NULL ? arguments[i].size : 0);
        }
    }
    return TANDEM_OK;
}

// Shared memory of a CTA: the kernel's own, behind it what its arguments point to, in their order.
static enum tandem_status shared_size(struct tandem_device *device, const struct code_kernel *kernel,
                                      const struct tandem_argument *arguments, uint32_t *size) {
    const uint32_t most = device->options.config->shared_bytes;
    uint64_t end = kernel->shared_bytes;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        if (kernel->arguments[i].kind != ARG_LOCAL) continue;
        const uint64_t bytes = arguments[i].size > UINT32_MAX ? UINT32_MAX : arguments[i].size;
        end = bytes > most || end > most ? end + bytes : local_place((uint32_t)end, (uint32_t)bytes) + bytes;
    }
    if (end > most) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT,
                           "kernel %s: its local memory takes %llu bytes (%u of its variables, the rest of its "
                           "arguments), more than the %u bytes that a multiprocessor of this device has",
                           kernel->name, (unsigned long long)end, kernel->shared_bytes, most);
    }
    *size = (uint32_t)end;
    return TANDEM_OK;
}

static void fill_tmd(uint32_t tmd[TMD_WORDS], const struct tandem_module *module, const struct code_kernel *kernel,
                     const uint32_t grid[3], const uint32_t *threads, uint32_t shared, uint32_t local_bytes,
                     tandem_addr block) {
    kernel_fill_tmd(tmd, module, kernel);
    tmd_set(tmd, TMD_LOCAL_MEMORY_LOW, 0, local_bytes);
    tmd_set(tmd, TMD_SHARED_MEMORY_SIZE, 0, shared);
    tmd_set(tmd, TMD_CTA_RASTER_WIDTH, 0, grid[0]);
    tmd_set(tmd, TMD_CTA_RASTER_HEIGHT, 0, grid[1]);
    tmd_set(tmd, TMD_CTA_RASTER_DEPTH, 0, grid[2]);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION0, 0, threads[0]);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION1, 0, threads[1]);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION2, 0, threads[2]);
    tmd_set(tmd, TMD_SEMAPHORE_RELEASE_ENABLE0, 0, 1);
    tmd_set(tmd, TMD_RELEASE_ADDRESS_LOWER, 0, block + LAUNCH_DONE);
    tmd_set(tmd, TMD_RELEASE_PAYLOAD, 0, 1);
    tmd_set(tmd, TMD_CONSTANT_BUFFER_ADDR_LOWER, 0, block + LAUNCH_CONSTANTS);
}

// What a launch asks for, checked against kernel and device.
struct shape {
    struct tandem_range range;  // with the local size that it has
    uint32_t threads[3];        // of a group: the local size, unless they take turns
    uint32_t shared, level;
    bool at_head;
    bool turns;  // the local size is more than what is resident
    // Of a launch that is a part of its range (range_part.h), else 0; asked: as LAUNCH_WORK_DIM has it.
    uint32_t asked, before[3], beside[3];
};

static void fill_constants(uint8_t *constants, const struct tandem_channel *channel, const struct tandem_module *module,
                           const struct code_kernel *kernel, const struct shape *shape,
                           const struct tandem_argument *arguments) {
    const struct tandem_range *range = &shape->range;
    const uint32_t first = range->dimensions | shape->asked;
    memcpy(constants + LAUNCH_WORK_DIM, &first, 4);
    const uint32_t threads = module->device->options.config->threads | (channel->number + 1) << 16;
    memcpy(constants + LAUNCH_WARP_THREADS, &threads, 4);
    memcpy(constants + LAUNCH_DATA, &module->data, 4);
    memcpy(constants + LAUNCH_PRINTF, &module->print.buffer, 4);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t offset = i < range->dimensions ? range->offset[i] : 0;
        memcpy(constants + LAUNCH_GLOBAL_OFFSET + 4 * i, &offset, 4);
        memcpy(constants + LAUNCH_GROUPS_BEFORE + 4 * i, &shape->before[i], 4);
        memcpy(constants + LAUNCH_ITEMS_BESIDE + 4 * i, &shape->beside[i], 4);
    }
    uint32_t end = kernel->shared_bytes;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        if (kernel->arguments[i].kind == ARG_LOCAL) {  // its address in the CTA's shared memory
            const uint32_t place = local_place(end, (uint32_t)arguments[i].size);
            memcpy(constants + kernel->arguments[i].offset, &place, sizeof place);
            end = place + (uint32_t)arguments[i].size;
        } else {
            memcpy(constants + kernel->arguments[i].offset, arguments[i].data, arguments[i].size);
        }
    }
}

// The kernel called name; NULL: there is none, *status is set.
static const struct code_kernel *find_kernel(struct tandem_channel *channel, const struct tandem_module *module,
                                             const char *name, enum tandem_status *status) {
    struct tandem_device *device = channel->device;
    *status = channel_check(channel);
    if (*status != TANDEM_OK) return NULL;
    const struct code_kernel *kernel = code_object_find(&module->object, name);
    if (kernel == NULL) *status = driver_fail(device, TANDEM_BAD_CODE, "the program has no kernel \"%s\"", name);
    return kernel;
}

// Whether the local size divides the global size.
static bool is_whole(const struct tandem_range *range) {
    for (unsigned i = 0; i < range->dimensions; i++)
        if (range->global[i] % range->local[i] != 0) return false;
    return true;
}

static enum tandem_status find_shape(struct tandem_channel *channel, const struct tandem_module *module,
                                     const struct code_kernel *kernel, const struct tandem_range *range,
                                     const struct tandem_scheduling *scheduling,
                                     const struct tandem_argument *arguments, size_t count, struct shape *shape) {
    struct tandem_device *device = channel->device;
    const char *name = kernel->name;
    const struct tandem_scheduling plain = {TANDEM_LEVEL_OF_CHANNEL, false};
    if (scheduling == NULL) scheduling = &plain;
    if (module->space != channel->space)
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "kernel %s: was loaded %s", name,
                           module->device != device ? "on another device" : "in another space");
    const uint32_t level =
        scheduling->level != TANDEM_LEVEL_OF_CHANNEL ? scheduling->level : LEVELS_OF_A_PRIORITY * channel->priority;
    if (level > LEVEL_MAX) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "kernel %s: priority level %u; must be 0 to %u", name, level,
                           LEVEL_MAX);
    }
    if (range->dimensions < 1 || range->dimensions > 3) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "kernel %s: %u dimensions; must be 1 to 3", name,
                           range->dimensions);
    }
    if (kernel->wavefront != 0 && kernel->wavefront != device->options.config->threads) {
        return driver_fail(device, TANDEM_BAD_CODE,
                           "kernel %s: was compiled for warps of %u threads, the device has %u", name,
                           kernel->wavefront, device->options.config->threads);
    }
    *shape = (struct shape){.range = *range, .level = level, .at_head = scheduling->at_head};
    enum tandem_status status = choose_local(device, kernel, range, shape->range.local);
    if (status == TANDEM_OK) status = check_arguments(device, kernel, arguments, count);
    memcpy(shape->threads, shape->range.local, sizeof shape->threads);
    shape->turns = status == TANDEM_OK && turns_wanted(device, kernel, shape->threads);
    return status == TANDEM_OK ? shared_size(device, kernel, arguments, &shape->shared) : status;
}

// Threads copy such tasks and write the arguments of the copy.
_Static_assert(CHILD_TMD_BYTES == 4 * TMD_WORDS && CHILD_ARGUMENTS == LAUNCH_ARGUMENTS, "library/child_task.h");
// TMD and constants of a task, in a new block of device memory. timed: its end is stamped.
static enum tandem_status make_task(struct tandem_channel *channel, struct tandem_module *module,
                                    const struct code_kernel *kernel, const struct shape *shape,
                                    const struct tandem_argument *arguments, bool timed, tandem_addr *to) {
    struct tandem_device *device = channel->device;
    const struct tandem_range *range = &shape->range;
    const uint32_t *local = range->local;
    uint32_t grid[3], local_bytes = 0;
    for (unsigned i = 0; i < 3; i++)
        grid[i] = i < range->dimensions ? range->global[i] / local[i] : 1;
    enum tandem_status status = channel_set_local(channel, module, kernel, &local_bytes);
    if (status != TANDEM_OK) return status;
    const size_t size = (LAUNCH_CONSTANTS + kernel->constant_bytes + 31) & ~31u;
    uint64_t block = 0;
    uint8_t *bytes = calloc(1, size);
    if (bytes == NULL || !heap_alloc(&channel->space->data, size, 256, &block)) {
        free(bytes);
        return driver_fail(device, TANDEM_NO_MEMORY, "kernel %s: no memory for its launch; wait for earlier ones",
                           kernel->name);
    }
    uint32_t tmd[TMD_WORDS] = {0};
    fill_tmd(tmd, module, kernel, grid, shape->threads, shape->shared, local_bytes, (tandem_addr)block);
    tmd_set(tmd, TMD_RELEASE_STRUCTURE_SIZE, 0,
            timed ? TMD_RELEASE_STRUCTURE_SIZE_FOUR_WORDS : TMD_RELEASE_STRUCTURE_SIZE_ONE_WORD);
    tmd_set(tmd, TMD_QMD_GROUP_ID, 0, shape->level);
    tmd_set(tmd, TMD_ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST, 0, shape->at_head);
    status = save_pool_set(channel, kernel, tmd);
    memcpy(bytes, tmd, sizeof tmd);
    fill_constants(bytes + LAUNCH_CONSTANTS, channel, module, kernel, shape, arguments);
    if (status == TANDEM_OK && kernel->work_queue != 0) {
        uint32_t words[3] = {0};
        struct work_task *task = (struct work_task *)(void *)bytes;  // its words in the TMD
        const uint32_t width = device->options.config->threads, threads = local[0] * local[1] * local[2];
        task->level = shape->level;
        task->warps = grid[0] * grid[1] * grid[2] * ((threads + width - 1) / width);
        status = work_queue_prepare(channel, module, (tandem_addr)block, words, task);
        memcpy(bytes + LAUNCH_CONSTANTS + LAUNCH_CONSTANT_QUEUE, words, sizeof words);
    }
    if (status == TANDEM_OK) status = space_write(channel->space, (tandem_addr)block, bytes, size);
    free(bytes);
    if (status != TANDEM_OK) heap_free(&channel->space->data, block);
    *to = (tandem_addr)block;
    return status;
}

static enum tandem_status build_task(struct tandem_channel *channel, struct tandem_module *module,
                                     const struct code_kernel *kernel, const struct tandem_range *range,
                                     const struct tandem_scheduling *scheduling,
                                     const struct tandem_argument *arguments, size_t count, tandem_addr *to) {
    struct shape shape = {.level = 0};
    enum tandem_status status = find_shape(channel, module, kernel, range, scheduling, arguments, count, &shape);
    if (status == TANDEM_OK && shape.turns) {
        status = driver_fail(channel->device, TANDEM_BAD_ARGUMENT,
                             "kernel %s: a work-group of more than %u work-items is done in turns, which only launches "
                             "by the host can be; build this task with smaller work-groups",
                             kernel->name, kernel_threads_limit(channel->device, kernel));
    }
    if (status == TANDEM_OK && !is_whole(&shape.range)) {
        status = driver_fail(channel->device, TANDEM_BAD_ARGUMENT,
                             "kernel %s: the local size does not divide the global size, which only launches by the "
                             "host can do; build a task of whole work-groups",
                             kernel->name);
    }
    if (status != TANDEM_OK) return status;
    channel_reap_launches(channel, false);
    return make_task(channel, module, kernel, &shape, arguments, false, to);
}

enum tandem_status launch_build_task(struct tandem_channel *channel, struct tandem_module *module, const char *name,
                                     const struct tandem_range *range, const struct tandem_scheduling *scheduling,
                                     const struct tandem_argument *arguments, size_t count, tandem_addr *to) {
    enum tandem_status status;
    const struct code_kernel *kernel = find_kernel(channel, module, name, &status);
    if (kernel == NULL) return status;
    if (kernel->work_queue != 0) {
        return driver_fail(channel->device, TANDEM_BAD_CODE,
                           "kernel %s: adds to a work queue, so only the host can launch it", name);
    }
    return build_task(channel, module, kernel, range, scheduling, arguments, count, to);
}

enum tandem_status launch_build(struct tandem_channel *channel, struct tandem_module *module, const char *name,
                                const struct tandem_range *range, const struct tandem_scheduling *scheduling,
                                const struct tandem_argument *arguments, size_t count, struct built_task *task) {
    enum tandem_status status;
    *task = (struct built_task){0};
    task->kernel = find_kernel(channel, module, name, &status);
    if (task->kernel == NULL) return status;
    return build_task(channel, module, task->kernel, range, scheduling, arguments, count, &task->block);
}

void launch_drop(struct tandem_channel *channel, const struct built_task *task) {
    heap_free(&channel->space->data, task->block);
}

// timed: takes over one of its owners; NULL: the launch is not timed.
static enum tandem_status start(struct tandem_channel *channel, struct tandem_module *module,
                                const struct built_task *task, struct timing *timing) {
    struct tandem_device *device = channel->device;
    enum tandem_status status = TANDEM_OK;
    struct launch *launch = malloc(sizeof *launch);
    if (launch == NULL)
        status = driver_fail(device, TANDEM_NO_MEMORY, "kernel %s: no memory for its launch", task->kernel->name);
    if (status == TANDEM_OK) status = channel_set_region(channel, module->text);
    if (status == TANDEM_OK && timing != NULL) status = command_time_stamp(channel, task->block + LAUNCH_BEGIN);
    if (status == TANDEM_OK) status = command_launch_tmd(channel, task->block);
    if (status == TANDEM_OK && task->kernel->work_queue != 0) status = work_queue_follow(channel);
    if (launch == NULL || status != TANDEM_OK) {
        launch_drop(channel, task);
        free(launch);
        timing_end(timing, NULL, 1);
        return status;
    }
    *launch = (struct launch){channel->launches, task->block, timing};
    channel->launches = launch;
    module->print.used = true;
    return TANDEM_OK;
}

enum tandem_status launch_task(struct tandem_channel *channel, const struct tandem_module *module, tandem_addr tmd) {
    enum tandem_status status = channel_check(channel);
    if (status == TANDEM_OK && module->space != channel->space)
        status =
            driver_fail(channel->device, TANDEM_BAD_ARGUMENT, "task at 0x%08x: its module is of another space", tmd);
    if (status == TANDEM_OK) status = channel_set_region(channel, module->text);
    return status == TANDEM_OK ? command_launch_tmd(channel, tmd) : status;
}

enum tandem_status launch_start(struct tandem_channel *channel, struct tandem_module *module,
                                const struct built_task *task) {
    timing_launch(channel);
    return start(channel, module, task, NULL);
}

// What was chosen, or the first compile when that does not get through.
static enum tandem_status launch_chosen(struct tandem_channel *channel, struct tandem_module *module,
                                        const struct code_kernel *kernel, const struct shape *shape,
                                        const struct tandem_argument *arguments, struct variant_choice *choice) {
    const bool alone = timing_launch(channel);
    struct timing *timing = alone && choice->variant != NULL ? timing_new() : NULL;
    struct built_task task = {.kernel = kernel};
    enum tandem_status status = TANDEM_OK;
    if (choice->module != module) {
        task.kernel = code_object_find(&choice->module->object, kernel->name);
        status = make_task(channel, choice->module, task.kernel, shape, arguments, timing != NULL, &task.block);
        if (status != TANDEM_OK) {
            *choice = (struct variant_choice){.module = module};
            timing_release(timing);
            timing_end(timing, NULL, 1);
            timing = NULL;
            task.kernel = kernel;
        }
    }
    if (choice->module == module)
        status = make_task(channel, module, kernel, shape, arguments, timing != NULL, &task.block);
    if (status != TANDEM_OK) {
        timing_release(timing);
        timing_end(timing, NULL, 1);
        return status;
    }
    status = start(channel, choice->module, &task, timing);
    if (status == TANDEM_OK) {
        variants_launched(module, choice, timing);
    } else {
        timing_release(timing);
    }
    return status;
}

// A task that is not started yet, and the program that it is of.
struct ready_task {
    struct tandem_module *module;
    struct built_task task;
};

// The form of the kernel whose threads take turns.
static enum tandem_status make_turns(struct tandem_channel *channel, struct tandem_module *module,
                                     const struct code_kernel *kernel, struct shape *shape,
                                     const struct tandem_argument *arguments, struct ready_task *ready) {
    const struct turned *turned = NULL;
    enum tandem_status status = turns_find(module, kernel, shape->range.local, &turned);
    if (status == TANDEM_OK) status = shared_size(channel->device, turned->own, arguments, &shape->shared);
    if (status != TANDEM_OK) return status;
    memcpy(shape->threads, (uint32_t[3]){turned->resident, 1, 1}, sizeof shape->threads);
    *ready = (struct ready_task){turned->module, {.kernel = turned->own}};
    return make_task(channel, turned->module, turned->own, shape, arguments, false, &ready->task.block);
}

static enum tandem_status launch_turns(struct tandem_channel *channel, struct tandem_module *module,
                                       const struct code_kernel *kernel, struct shape *shape,
                                       const struct tandem_argument *arguments) {
    struct ready_task ready;
    const enum tandem_status status = make_turns(channel, module, kernel, shape, arguments, &ready);
    if (status != TANDEM_OK) return status;
    timing_launch(channel);
    return start(channel, ready.module, &ready.task, NULL);
}

// The part of that number; false: there is none.
static bool shape_part(const struct tandem_device *device, const struct code_kernel *kernel, const struct shape *whole,
                       unsigned number, struct shape *part) {
    *part = *whole;
    for (unsigned i = 0; i < whole->range.dimensions; i++) {
        const uint32_t local = whole->range.local[i];
        const struct range_part one = range_part(whole->range.global[i], local, number >> i & 1);
        if (one.groups == 0) return false;
        part->range.global[i] = one.groups * one.local_size;
        part->range.local[i] = part->threads[i] = one.local_size;
        part->range.offset[i] += one.first;
        part->before[i] = one.before;
        part->beside[i] = one.beside;
        part->asked |= (local - 1) << (LAUNCH_LOCAL_LOW + LAUNCH_LOCAL_BITS * i);
    }
    part->turns = turns_wanted(device, kernel, part->threads);
    return number >> whole->range.dimensions == 0;
}

// Work-groups of different sizes: the parts of the range are tasks side by side. All are made before the first is started.
static enum tandem_status launch_parts(struct tandem_channel *channel, struct tandem_module *module,
                                       const struct code_kernel *kernel, const struct shape *whole,
                                       const struct tandem_argument *arguments) {
    struct ready_task ready[RANGE_PARTS];
    size_t count = 0, started = 0;
    enum tandem_status status = TANDEM_OK;
    for (unsigned number = 0; number < RANGE_PARTS && status == TANDEM_OK; number++) {
        struct shape part;
        if (!shape_part(channel->device, kernel, whole, number, &part)) continue;
        ready[count] = (struct ready_task){module, {.kernel = kernel}};
        status = part.turns ? make_turns(channel, module, kernel, &part, arguments, &ready[count])
                            : make_task(channel, module, kernel, &part, arguments, false, &ready[count].task.block);
        if (status == TANDEM_OK) count++;
    }
    timing_launch(channel);
    while (started < count && status == TANDEM_OK) {
        status = start(channel, ready[started].module, &ready[started].task, NULL);
        started++;  // start() drops what it does not start
    }
    while (count-- > started)
        launch_drop(channel, &ready[count].task);
    return status;
}

enum tandem_status launch_kernel(struct tandem_channel *channel, struct tandem_module *module, const char *name,
                                 const struct tandem_range *range, const struct tandem_scheduling *scheduling,
                                 const struct tandem_argument *arguments, const struct tandem_region *regions,
                                 size_t count) {
    enum tandem_status status;
    const struct code_kernel *kernel = find_kernel(channel, module, name, &status);
    if (kernel == NULL) return status;
    struct shape shape = {.level = 0};
    struct variant_choice choice;
    status = find_shape(channel, module, kernel, range, scheduling, arguments, count, &shape);
    if (status != TANDEM_OK) return status;
    channel_reap_launches(channel, false);
    if (!is_whole(&shape.range)) return launch_parts(channel, module, kernel, &shape, arguments);
    if (shape.turns) return launch_turns(channel, module, kernel, &shape, arguments);
    status = variants_choose(channel, module, kernel, &shape.range, arguments, regions, &choice);
    return status == TANDEM_OK ? launch_chosen(channel, module, kernel, &shape, arguments, &choice) : status;
}
