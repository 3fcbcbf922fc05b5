// Devices: opening and closing, statistics, time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/deque.h"
#include "driver/device.h"
#include "driver/device_name.h"
#include "driver/inspect.h"
#include "driver/kernel_task.h"
#include "driver/space.h"

#define SERVE_CYCLES 8192u
#define LOOK_CYCLES 1024u   // between two looks at queues whose GP_PUT the CPU moves
#define SHARED_CYCLES 512u  // of a run while other threads wait for their turn
#define PRINTF_BYTES (256u << 10)

static void driver_destroy(struct tandem_device *device) {
    if (device->own != NULL) space_destroy(device->own);
    heap_destroy(&device->memory);
    driver_lock_free(device->lock);
    free(device->channels);
    free(device);
}

enum tandem_status tandem_open(const char *name, struct tandem_device **result, char *message, size_t message_size) {
    char scratch[DRIVER_MESSAGE_SIZE];
    if (message == NULL || message_size == 0) {
        message = scratch;
        message_size = sizeof scratch;
    }
    *message = '\0';
    *result = NULL;
    const struct backend_ops *ops = NULL;
    struct backend_options options;
    if (!device_name_parse(name, &ops, &options, message, message_size)) return TANDEM_NO_DEVICE;

    struct tandem_device *device = calloc(1, sizeof *device);
    enum tandem_status status = TANDEM_NO_MEMORY;
    if (device != NULL) {
        *device = (struct tandem_device){.ops = ops,
                                         .options = options,
                                         .printf_bytes = PRINTF_BYTES,
                                         .lock = driver_lock_new(),
                                         .destroy = driver_destroy};
        device->again.options.when = (enum tandem_recompile)options.again;
        device->backend = device->lock != NULL ? ops->open(&device->options, message, message_size) : NULL;
        // A board says what it is only now.
        if (device->backend != NULL) {
            device->channels = calloc(device->options.config->channels, sizeof *device->channels);
            const enum tandem_status chosen = driver_choose_queues(device, message, message_size);
            const size_t left = device->options.mem_bytes - device->queue_bytes;
            if (chosen != TANDEM_OK) {
                status = chosen;
            } else if (device->channels != NULL && heap_init(&device->memory, 0, left)) {
                if (device->options.space_bytes > left) device->options.space_bytes = left;
                device->own = space_new(device, device->options.space_bytes, &status);
            }
            if (device->own != NULL) {
                driver_open_queues(device);
                if (options.error_size != 0)
                    ops->bus_errors(device->backend, options.error_base, options.error_size, false);
                *result = device;
                return TANDEM_OK;
            }
            (void)ops->close(device->backend);
        } else if (device->lock != NULL) {
            status = TANDEM_NO_DEVICE;
        }
        driver_destroy(device);
    }
    if (status == TANDEM_NO_MEMORY)
        snprintf(message, message_size, "device \"%s\": the host has no memory for it", name);
    return status;
}

enum tandem_status device_close(struct tandem_device *device) {
    if (device->backend == NULL) return TANDEM_CLOSED;
    enum tandem_status status = driver_check(device);
    if (!device->ops->close(device->backend)) status = device->ops->place ? TANDEM_LOST : TANDEM_MISMATCH;
    device->backend = NULL;
    driver_release(device);
    return status;
}

void device_info(const struct tandem_device *device, struct tandem_info *info) {
    const struct ppu_config *config = device->options.config;
    *info = (struct tandem_info){
        .threads = config->threads,
        .lanes = config->lanes,
        .warps = config->warps,
        .sms = config->sms,
        .channels = config->channels,
        .task_slots = config->task_slots,
        .deque_entries = device->queue_places,
        .vgpr_rows = config->vgpr_rows,
        .const_banks = config->const_banks,
        .shared_bytes = config->shared_bytes,
        .group_max = kernel_group_most(device),
        .ns_per_cycle = config->ns_per_cycle,
        .memory_bytes = device->options.mem_bytes,
        .memory_free = heap_available(&device->own->data),
    };
    snprintf(info->backend, sizeof info->backend, "%s", device->ops->name);
    snprintf(info->config, sizeof info->config, "%s", device->options.config_name);
}

void device_statistics(const struct tandem_device *device, struct tandem_statistics *statistics) {
    *statistics = (struct tandem_statistics){0};
    if (device->backend != NULL) device->ops->statistics(device->backend, statistics);
    statistics->seconds = device->seconds;
    statistics->printed = device->printed;
    statistics->print_dropped = device->print_dropped;
    statistics->put_moves = device->put_moves;
    statistics->link_words = device->link_words;
    statistics->link_transfers = device->link_transfers;
}

enum tandem_status device_set_bus_errors(struct tandem_device *device, tandem_addr address, size_t size,
                                         bool writes_only) {
    enum tandem_status status = driver_check(device);
    if (status != TANDEM_OK) return status;
    if (size > device->options.mem_bytes || address > device->options.mem_bytes - size)
        return driver_fail(device, TANDEM_BAD_ARGUMENT,
                           "bus errors of %zu bytes at 0x%08x: outside the device's %zu bytes", size, address,
                           device->options.mem_bytes);
    device->ops->bus_errors(device->backend, address, size, writes_only);
    return TANDEM_OK;
}

uint64_t device_advance(struct tandem_device *device, uint64_t cycles) {
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    uint64_t left = cycles;
    while (left > 0) {
        // Held warps are not kept waiting longer than this.
        const uint64_t most = device->serve_queues != NULL ? LOOK_CYCLES : SERVE_CYCLES;
        const uint64_t done = device->ops->run(device->backend, left < most ? left : most);
        bool served = driver_serve_queues(device);
        if (device->serve_queues != NULL) served |= device->serve_queues(device);
        if (!served && done == 0) break;
        left -= done < left ? done : left;
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    device->seconds += (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    return cycles - left;
}

enum tandem_status device_run(struct tandem_device *device, uint64_t cycles) {
    enum tandem_status status = driver_check(device);
    while (status == TANDEM_OK && cycles > 0 && !device->interrupted) {
        const uint64_t most = driver_lock_wanted(device->lock) ? SHARED_CYCLES : SERVE_CYCLES;
        const uint64_t done = device_advance(device, cycles < most ? cycles : most);
        if (done == 0) break;
        cycles -= done;
        driver_lock_yield(device->lock);
        status = driver_check(device);
    }
    if (status == TANDEM_OK && device->interrupted) return driver_fail(device, TANDEM_INTERRUPTED, "interrupted");
    return status;
}

const struct ppu *tandem_watch(struct tandem_device *device, void (*watch)(void *context, uint64_t cycle),
                               void *context) {
    if (device->backend == NULL || device->ops->watch == NULL) return NULL;
    return device->ops->watch(device->backend, watch, context);
}
