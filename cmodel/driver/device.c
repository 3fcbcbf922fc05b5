// Devices: opening and closing, giving out memory, statistics, time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/deque.h"
#include "driver/device.h"
#include "driver/device_name.h"
#include "gen/isa.h"

// Code has a part of device memory to itself, so that data never comes between programs.
#define CODE_LIMIT (8u << 20)
// From here on generic addresses stand for shared and local memory: nothing is allocated there.
#define DATA_END ((uint32_t)WINDOW_SHARED << 24)
#define SERVE_CYCLES 8192u
#define PRINTF_BYTES (256u << 10)

void driver_release(struct tandem_device *device) {
    if (--device->references > 0) return;
    heap_destroy(&device->code);
    heap_destroy(&device->data);
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
    if (device != NULL) {
        *device = (struct tandem_device){.ops = ops, .options = options, .printf_bytes = PRINTF_BYTES, .references = 1};
        device->again.options.when = (enum tandem_recompile)options.again;
        device->channels = calloc(options.config->channels, sizeof *device->channels);
        // The first page stays free, so that address 0 is never a valid pointer.
        uint64_t code_end = options.mem_bytes / 8 < CODE_LIMIT ? options.mem_bytes / 8 : CODE_LIMIT;
        uint64_t data_end = options.mem_bytes < DATA_END ? options.mem_bytes : DATA_END;
        if (device->channels != NULL && heap_init(&device->code, 4096, code_end - 4096) &&
            heap_init(&device->data, code_end, data_end - code_end)) {
            device->backend = ops->open(&device->options, message, message_size);
            if (device->backend != NULL) {
                driver_open_deques(device);
                if (options.error_size != 0)
                    ops->bus_errors(device->backend, options.error_base, options.error_size, false);
                *result = device;
                return TANDEM_OK;
            }
            driver_release(device);
            return TANDEM_NO_DEVICE;
        }
        driver_release(device);
    }
    snprintf(message, message_size, "device \"%s\": the host has no memory for it", name);
    return TANDEM_NO_MEMORY;
}

enum tandem_status tandem_close(struct tandem_device *device) {
    if (device == NULL) return TANDEM_OK;
    if (device->backend == NULL) return TANDEM_CLOSED;
    enum tandem_status status = driver_check(device);
    if (!device->ops->close(device->backend)) status = TANDEM_MISMATCH;
    device->backend = NULL;
    driver_release(device);
    return status;
}

const char *tandem_message(const struct tandem_device *device) {
    return device->message;
}

void tandem_get_info(const struct tandem_device *device, struct tandem_info *info) {
    const struct ppu_config *config = device->options.config;
    *info = (struct tandem_info){
        .threads = config->threads,
        .lanes = config->lanes,
        .warps = config->warps,
        .sms = config->sms,
        .channels = config->channels,
        .task_slots = config->task_slots,
        .deque_entries = config->deque_entries,
        .vgpr_rows = config->vgpr_rows,
        .const_banks = config->const_banks,
        .shared_bytes = config->shared_bytes,
        .memory_bytes = device->options.mem_bytes,
        .memory_free = heap_available(&device->data),
    };
    snprintf(info->backend, sizeof info->backend, "%s", device->ops->name);
    snprintf(info->config, sizeof info->config, "%s", device->options.config_name);
}

void tandem_get_statistics(const struct tandem_device *device, struct tandem_statistics *statistics) {
    *statistics = (struct tandem_statistics){0};
    if (device->backend != NULL) device->ops->statistics(device->backend, statistics);
    statistics->seconds = device->seconds;
    statistics->printed = device->printed;
    statistics->print_dropped = device->print_dropped;
    statistics->link_words = device->link_words;
    statistics->link_transfers = device->link_transfers;
}

void tandem_set_progress(struct tandem_device *device, tandem_progress *call, void *context) {
    device->progress = call;
    device->progress_context = context;
}

enum tandem_status tandem_alloc(struct tandem_device *device, size_t size, size_t alignment, tandem_addr *address) {
    enum tandem_status status = driver_check(device);
    if (status != TANDEM_OK) return status;
    if (alignment == 0) alignment = 32;
    if ((alignment & (alignment - 1)) != 0 || alignment > 4096) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "alignment %zu: not a power of two up to 4096", alignment);
    }
    uint64_t start = 0;
    // A byte more, so that an address just behind the allocation is no address of another one (regions.c).
    if (!heap_alloc(&device->data, size + 1, alignment, &start)) {
        return driver_fail(
            device, TANDEM_NO_MEMORY,
            "no room for %zu bytes in device memory (%llu bytes free); open the device with a larger mem=", size,
            (unsigned long long)heap_available(&device->data));
    }
    *address = (tandem_addr)start;
    return TANDEM_OK;
}

enum tandem_status tandem_free(struct tandem_device *device, tandem_addr address) {
    enum tandem_status status = driver_check(device);
    if (status != TANDEM_OK) return status;
    if (!heap_free(&device->data, address)) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "free of 0x%08x: not an address that tandem_alloc gave",
                           address);
    }
    return TANDEM_OK;
}

enum tandem_status tandem_set_bus_errors(struct tandem_device *device, tandem_addr address, size_t size,
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

void tandem_interrupt(struct tandem_device *device) {
    device->interrupted = 1;
}

enum tandem_status tandem_run(struct tandem_device *device, uint64_t cycles) {
    enum tandem_status status = driver_check(device);
    if (status != TANDEM_OK) return status;
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    while (cycles > 0 && !device->interrupted) {
        // Held warps are not kept waiting longer than this.
        uint64_t done = device->ops->run(device->backend, cycles < SERVE_CYCLES ? cycles : SERVE_CYCLES);
        if (!driver_serve_deques(device) && done == 0) break;
        cycles -= done < cycles ? done : cycles;
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    device->seconds += (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    status = driver_check(device);
    if (status == TANDEM_OK && device->interrupted) return driver_fail(device, TANDEM_INTERRUPTED, "interrupted");
    return status;
}
