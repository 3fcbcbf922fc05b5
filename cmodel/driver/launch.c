// Launches: constant buffer 0, the TMD, the methods that hand it over (TU-1, TU-6, WQ-6).
//
// A launch owns one piece of device memory: the TMD (256 bytes), a line whose first word the task unit sets to 1 when
// the task has ended (RELEASE0 of the TMD), and constant buffer 0. The piece is given back when that word is seen set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_internal.h"
#include "task/tmd.h"

#define LAUNCH_DONE 256u
#define LAUNCH_CONSTANTS 288u
#define THREADS_PER_CTA_MAX 1024u
#define LOCAL_ALIGNMENT 16u  // of what a pointer to local memory points to

void channel_reap_launches(struct tandem_channel *channel, bool all) {
    struct launch **place = &channel->launches;
    while (*place != NULL) {
        struct launch *launch = *place;
        uint32_t done = 0;
        if (!all &&
            (tandem_read(channel->device, launch->block + LAUNCH_DONE, &done, sizeof done) != TANDEM_OK || done == 0)) {
            place = &launch->next;
            continue;
        }
        *place = launch->next;
        heap_free(&channel->device->data, launch->block);
        free(launch);
    }
    if (channel->launches == NULL) channel_drop_local(channel, false);
}

// The most threads a CTA of this kernel can have on this device.
static uint32_t threads_limit(const struct tandem_device *device, const struct code_kernel *kernel) {
    const struct ppu_config *config = device->options.config;
    uint32_t portions = config->threads / config->lanes;
    uint32_t rows = kernel->registers * portions + kernel->shared_rows;
    uint32_t warps = config->vgpr_rows / (rows > 0 ? rows : 1);
    if (warps > config->warps) warps = config->warps;
    uint32_t threads = warps * config->threads;
    return threads < THREADS_PER_CTA_MAX ? threads : THREADS_PER_CTA_MAX;
}

// The largest divisor of n that is at most `most`.
static uint32_t largest_divisor(uint32_t n, uint32_t most) {
    for (uint32_t d = most < n ? most : n; d > 1; d--) {
        if (n % d == 0) return d;
    }
    return 1;
}

static enum tandem_status choose_local(struct tandem_device *device, const struct code_kernel *kernel,
                                       const struct tandem_range *range, uint32_t local[3]) {
    uint32_t limit = threads_limit(device, kernel);
    if (limit == 0) {
        return driver_fail(device, TANDEM_BAD_CODE,
                           "kernel %s: needs %u registers a thread, more than one warp of this device has",
                           kernel->name, kernel->registers);
    }
    for (unsigned i = 0; i < 3; i++)
        local[i] = i < range->dimensions ? range->local[i] : 1;
    if (range->local[0] == 0) {
        for (unsigned i = 0; i < range->dimensions; i++) {
            bool required = kernel->reqd_local[0] != 0;
            local[i] = required ? kernel->reqd_local[i] : i == 0 ? largest_divisor(range->global[0], limit) : 1;
        }
    }
    uint64_t threads = 1;
    for (unsigned i = 0; i < range->dimensions; i++) {
        uint32_t groups_limit = i == 0 ? UINT32_MAX : UINT16_MAX;
        if (local[i] == 0 || range->global[i] == 0 || range->global[i] % local[i] != 0 ||
            range->global[i] / local[i] > groups_limit) {
            return driver_fail(
                device, TANDEM_BAD_ARGUMENT,
                "kernel %s: in dimension %u the local size %u must divide the global size %u, with at most %u groups",
                kernel->name, i, local[i], range->global[i], groups_limit);
        }
        if (kernel->reqd_local[0] != 0 && local[i] != kernel->reqd_local[i]) {
            return driver_fail(device, TANDEM_BAD_ARGUMENT,
                               "kernel %s: was compiled for local size %u in dimension %u, not %u", kernel->name,
                               kernel->reqd_local[i], i, local[i]);
        }
        threads *= local[i];
    }
    if (threads > limit) {
        return driver_fail(
            device, TANDEM_BAD_ARGUMENT,
            "kernel %s: a work-group of %llu threads does not fit; with its %u registers this device runs at most %u",
            kernel->name, (unsigned long long)threads, kernel->registers, limit);
    }
    return TANDEM_OK;
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

static uint64_t local_place(uint64_t end) {
    return (end + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
}

// Shared memory of a CTA: the kernel's own, behind it what its arguments point to, in their order.
static enum tandem_status shared_size(struct tandem_device *device, const struct code_kernel *kernel,
                                      const struct tandem_argument *arguments, uint32_t *size) {
    const uint32_t most = device->options.config->shared_bytes;
    uint64_t end = kernel->shared_bytes;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        if (kernel->arguments[i].kind != ARG_LOCAL) continue;
        end = local_place(end);
        end = arguments[i].size > UINT32_MAX ? end + UINT32_MAX : end + arguments[i].size;
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
                     const struct tandem_range *range, const uint32_t local[3], uint32_t shared, uint32_t local_bytes,
                     tandem_addr block) {
    uint32_t grid[3];
    for (unsigned i = 0; i < 3; i++)
        grid[i] = i < range->dimensions ? range->global[i] / local[i] : 1;
    tmd_set(tmd, TMD_QMD_VERSION, 0, 6);
    tmd_set(tmd, TMD_QMD_MAJOR_VERSION, 0, 1);
    tmd_set(tmd, TMD_PROGRAM_OFFSET, 0, kernel->entry);  // from the program region, the module's text
    tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, kernel->code_size);
    tmd_set(tmd, TMD_REGISTER_COUNT, 0, kernel->registers);
    tmd_set(tmd, TMD_TANDEM_SHARED_ROWS, 0, kernel->shared_rows);
    tmd_set(tmd, TMD_TANDEM_WAVEFRONT, 0, kernel->wavefront);
    tmd_set(tmd, TMD_SHARED_MEMORY_SIZE, 0, shared);
    tmd_set(tmd, TMD_LOCAL_MEMORY_LOW, 0, local_bytes);
    tmd_set(tmd, TMD_BARRIER_COUNT, 0, kernel->barriers);
    tmd_set(tmd, TMD_CTA_RASTER_WIDTH, 0, grid[0]);
    tmd_set(tmd, TMD_CTA_RASTER_HEIGHT, 0, grid[1]);
    tmd_set(tmd, TMD_CTA_RASTER_DEPTH, 0, grid[2]);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION0, 0, local[0]);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION1, 0, local[1]);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION2, 0, local[2]);
    tmd_set(tmd, TMD_SEMAPHORE_RELEASE_ENABLE0, 0, 1);
    tmd_set(tmd, TMD_RELEASE_ADDRESS_LOWER, 0, block + LAUNCH_DONE);
    tmd_set(tmd, TMD_RELEASE_STRUCTURE_SIZE, 0, 1);
    tmd_set(tmd, TMD_RELEASE_PAYLOAD, 0, 1);
    uint32_t valid = 1;
    tmd_set(tmd, TMD_CONSTANT_BUFFER_ADDR_LOWER, 0, block + LAUNCH_CONSTANTS);
    tmd_set(tmd, TMD_CONSTANT_BUFFER_SIZE, 0, kernel->constant_bytes);
    if (module->rodata != 0) {
        valid |= 2;
        tmd_set(tmd, TMD_CONSTANT_BUFFER_ADDR_LOWER, 1, module->rodata);
        tmd_set(tmd, TMD_CONSTANT_BUFFER_SIZE, 1, (uint32_t)module->object.rodata_size);
    }
    tmd_set(tmd, TMD_CONSTANT_BUFFER_VALID, 0, valid);
}

static void fill_constants(uint8_t *constants, const struct code_kernel *kernel, const struct tandem_range *range,
                           const uint32_t local[3], const struct tandem_argument *arguments) {
    memcpy(constants + LAUNCH_WORK_DIM, &range->dimensions, 4);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t offset = i < range->dimensions ? range->offset[i] : 0;
        uint32_t global = i < range->dimensions ? range->global[i] : 1;
        memcpy(constants + LAUNCH_GLOBAL_OFFSET + 4 * i, &offset, 4);
        memcpy(constants + LAUNCH_GLOBAL_SIZE + 4 * i, &global, 4);
        memcpy(constants + LAUNCH_LOCAL_SIZE + 4 * i, &local[i], 4);
    }
    uint32_t end = kernel->shared_bytes;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        if (kernel->arguments[i].kind == ARG_LOCAL) {  // its address in the CTA's shared memory
            const uint32_t place = (uint32_t)local_place(end);
            memcpy(constants + kernel->arguments[i].offset, &place, sizeof place);
            end = place + (uint32_t)arguments[i].size;
        } else {
            memcpy(constants + kernel->arguments[i].offset, arguments[i].data, arguments[i].size);
        }
    }
}

enum tandem_status tandem_launch(struct tandem_channel *channel, struct tandem_module *module, const char *name,
                                 const struct tandem_range *range, const struct tandem_argument *arguments,
                                 size_t count) {
    struct tandem_device *device = channel->device;
    enum tandem_status status = driver_check(device);
    if (status != TANDEM_OK) return status;
    const struct code_kernel *kernel = code_object_find(&module->object, name);
    if (kernel == NULL) return driver_fail(device, TANDEM_BAD_CODE, "the program has no kernel \"%s\"", name);
    if (module->device != device)
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "kernel %s: was loaded on another device", name);
    if (range->dimensions < 1 || range->dimensions > 3) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "kernel %s: %u dimensions; must be 1 to 3", name,
                           range->dimensions);
    }
    if (kernel->wavefront != 0 && kernel->wavefront != device->options.config->threads) {
        return driver_fail(device, TANDEM_BAD_CODE,
                           "kernel %s: was compiled for warps of %u threads, the device has %u", name,
                           kernel->wavefront, device->options.config->threads);
    }
    uint32_t local[3] = {1, 1, 1}, shared = 0, local_bytes = 0;
    status = choose_local(device, kernel, range, local);
    if (status == TANDEM_OK) status = check_arguments(device, kernel, arguments, count);
    if (status == TANDEM_OK) status = shared_size(device, kernel, arguments, &shared);
    if (status != TANDEM_OK) return status;

    channel_reap_launches(channel, false);
    status = channel_set_local(channel, kernel, &local_bytes);
    if (status != TANDEM_OK) return status;
    size_t size = LAUNCH_CONSTANTS + kernel->constant_bytes;
    uint64_t block = 0;
    struct launch *launch = malloc(sizeof *launch);
    uint8_t *bytes = calloc(1, size);
    if (launch == NULL || bytes == NULL || !heap_alloc(&device->data, size, 256, &block)) {
        free(launch);
        free(bytes);
        return driver_fail(device, TANDEM_NO_MEMORY, "kernel %s: no memory for its launch; wait for earlier ones",
                           name);
    }
    uint32_t tmd[TMD_WORDS] = {0};
    fill_tmd(tmd, module, kernel, range, local, shared, local_bytes, (tandem_addr)block);
    memcpy(bytes, tmd, sizeof tmd);
    fill_constants(bytes + LAUNCH_CONSTANTS, kernel, range, local, arguments);
    status = tandem_write(device, (tandem_addr)block, bytes, size);
    free(bytes);
    if (status == TANDEM_OK) status = channel_set_region(channel, module->text);
    if (status == TANDEM_OK) status = tandem_launch_tmd(channel, (tandem_addr)block);
    if (status != TANDEM_OK) {
        heap_free(&device->data, block);
        free(launch);
        return status;
    }
    *launch = (struct launch){channel->launches, (tandem_addr)block};
    channel->launches = launch;
    return TANDEM_OK;
}
