// What the CPU does to a device: memory and registers, and the messages of what fails.
#include <stdarg.h>
#include <stdio.h>

#include "driver/device.h"

const char *tandem_status_name(enum tandem_status status) {
    switch (status) {
        case TANDEM_OK: return "ok";
        case TANDEM_BAD_ARGUMENT: return "bad argument";
        case TANDEM_NO_DEVICE: return "no device";
        case TANDEM_NO_MEMORY: return "no memory";
        case TANDEM_FULL: return "full";
        case TANDEM_TIMEOUT: return "timeout";
        case TANDEM_CHANNEL_FAULT: return "channel fault";
        case TANDEM_MISMATCH: return "mismatch";
        case TANDEM_BAD_CODE: return "bad code";
        case TANDEM_CLOSED: return "closed";
        case TANDEM_INTERRUPTED: return "interrupted";
        case TANDEM_LOST: return "board lost";
    }
    return "unknown status";
}

enum tandem_status driver_fail(struct tandem_device *device, enum tandem_status status, const char *format, ...) {
    char *message = driver_lock_message(device->lock, DRIVER_MESSAGE_SIZE);
    if (message == NULL) return status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, DRIVER_MESSAGE_SIZE, format, arguments);
    va_end(arguments);
    return status;
}

void driver_hold(struct tandem_device *device) {
    driver_lock_hold(device->lock);
}

void driver_release(struct tandem_device *device) {
    if (driver_lock_release(device->lock)) device->destroy(device);
}

void driver_enter(struct tandem_device *device, unsigned *calls) {
    driver_lock_enter(device->lock, calls);
}

void driver_leave(struct tandem_device *device, unsigned *calls) {
    if (driver_lock_leave(device->lock, calls)) device->destroy(device);
}

enum tandem_status driver_check(struct tandem_device *device) {
    if (device->backend == NULL) return driver_fail(device, TANDEM_CLOSED, "the device has been closed");
    const char *failure = device->ops->failed(device->backend);
    if (failure != NULL) return driver_fail(device, device->ops->place ? TANDEM_LOST : TANDEM_MISMATCH, "%s", failure);
    return TANDEM_OK;
}

// What the CPU does goes over the link, where every device has one: counted always, and with link=NS it takes time that
// the device goes on in: all of it for a read, for a write only until the bytes have left.
static void over_link(struct tandem_device *device, size_t bytes, bool read) {
    const struct backend_options *o = &device->options;
    device->link_transfers++;
    device->link_words += (bytes + 3) / 4;
    if (o->link_ns == 0) return;
    const uint64_t ns = (read ? o->link_ns : 0) + (uint64_t)bytes * 1000 / o->link_rate;
    (void)device->ops->run(device->backend, (ns + o->config->ns_per_cycle - 1) / o->config->ns_per_cycle);
}

enum tandem_status memory_write(struct tandem_device *device, uint64_t to, const void *from, size_t size) {
    over_link(device, size, false);
    if (!device->ops->mem_write(device->backend, to, from, size)) {
        enum tandem_status status = driver_check(device);
        if (status != TANDEM_OK) return status;
        return driver_fail(device, TANDEM_TIMEOUT, "write of %zu bytes at 0x%08llx: the memory did not become free",
                           size, (unsigned long long)to);
    }
    return driver_check(device);
}

enum tandem_status memory_read(struct tandem_device *device, uint64_t from, void *to, size_t size) {
    over_link(device, size, true);
    if (!device->ops->mem_read(device->backend, from, to, size)) {
        enum tandem_status status = driver_check(device);
        if (status != TANDEM_OK) return status;
        return driver_fail(device, TANDEM_TIMEOUT, "read of %zu bytes at 0x%08llx: the memory did not become free",
                           size, (unsigned long long)from);
    }
    return driver_check(device);
}

uint32_t register_read(struct tandem_device *device, uint32_t offset) {
    if (device->backend == NULL) return UINT32_MAX;
    over_link(device, 4, true);
    return device->ops->reg_read(device->backend, offset);
}

void register_write(struct tandem_device *device, uint32_t offset, uint32_t value) {
    if (device->backend == NULL) return;
    over_link(device, 4, false);
    device->ops->reg_write(device->backend, offset, value);
}
