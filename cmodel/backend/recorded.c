// Devices that write checkpoints: model, rtl or tandem behind calls that are recorded (recording.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/recorded.h"
#include "backend/recording.h"
#include "base/checksum.h"
#include "base/image.h"

struct recorded_device {
    const struct backend_ops *ops;
    void *backend;
    struct recording_writer writer;
    uint64_t every, last;  // cycles between checkpoints, of the last one
    char failed[600];      // the recording, not the device
};

static uint64_t cycles(const struct recorded_device *device) {
    struct tandem_statistics statistics = {0};
    device->ops->statistics(device->backend, &statistics);
    return statistics.cycles;
}

// False: it cannot be; one line in why.
static bool checkpoint(struct recorded_device *device, char *why, size_t why_size) {
    struct image image = {0};
    device->ops->image(device->backend, &image);
    const uint64_t now = cycles(device);
    bool good = !image.failed;
    if (!good) (void)snprintf(why, why_size, "the host has no memory for a checkpoint");
    if (good) good = recording_begin(&device->writer, now, image.bytes, image.size, why, why_size);
    free(image.bytes);
    device->last = now;
    return good;
}

// Before each call: a checkpoint, when one is due. A device that has failed is left as it is, and its last checkpoint stands.
static void call(struct recorded_device *device, enum recorded_call what, uint64_t a, uint64_t b, const void *bytes) {
    if (device->failed[0] == '\0' && device->ops->failed(device->backend) == NULL &&
        cycles(device) - device->last >= device->every)
        (void)checkpoint(device, device->failed, sizeof device->failed);
    recording_call(&device->writer, what, a, b, bytes);
}

static void *open_recorded(struct backend_options *options, char *message, size_t message_size) {
    struct recorded_device *device = calloc(1, sizeof *device);
    if (device == NULL) {
        (void)snprintf(message, message_size, "out of memory");
        return NULL;
    }
    device->ops = options->recorded;
    device->every = options->checkpoint_every;
    (void)snprintf(device->writer.path, sizeof device->writer.path, "%s", options->checkpoint);
    (void)snprintf(device->writer.device, sizeof device->writer.device, "%s", options->replay);
    device->backend = device->ops->open(options, message, message_size);
    char why[600];
    if (device->backend != NULL && !checkpoint(device, why, sizeof why)) {
        (void)snprintf(message, message_size, "checkpoint=%s: %s", options->checkpoint, why);
        (void)device->ops->close(device->backend);
        device->backend = NULL;
    }
    if (device->backend == NULL) {
        free(device);
        return NULL;
    }
    return device;
}

static bool close_recorded(void *self) {
    struct recorded_device *device = self;
    bool differed = device->ops->failed(device->backend) != NULL;
    call(device, RECORDED_CLOSE, 0, 0, NULL);
    bool good = device->ops->close(device->backend);
    differed |= !good;
    recording_result(&device->writer, good);
    const bool whole = recording_end(&device->writer);
    if (!whole || device->failed[0] != '\0') {
        fprintf(stderr, "checkpoint: %s: %s\n", device->writer.path,
                device->failed[0] != '\0' ? device->failed : "not all of the run could be recorded");
        good = false;
    } else if (differed) {
        fprintf(stderr, "%s: `tandem resume %s --wave FILE.fst` goes over it again from cycle %llu\n",
                device->ops->name, device->writer.path, (unsigned long long)device->last);
    }
    free(device);
    return good;
}

static uint32_t reg_read(void *self, uint32_t offset) {
    struct recorded_device *device = self;
    call(device, RECORDED_REG_READ, offset, 0, NULL);
    const uint32_t value = device->ops->reg_read(device->backend, offset);
    recording_result(&device->writer, value);
    return value;
}

static void reg_write(void *self, uint32_t offset, uint32_t value) {
    struct recorded_device *device = self;
    call(device, RECORDED_REG_WRITE, offset, value, NULL);
    device->ops->reg_write(device->backend, offset, value);
    recording_result(&device->writer, 0);
}

static bool mem_read(void *self, uint64_t addr, void *to, size_t size) {
    struct recorded_device *device = self;
    call(device, RECORDED_MEM_READ, addr, size, NULL);
    const bool good = device->ops->mem_read(device->backend, addr, to, size);
    recording_result(&device->writer, good ? RECORDED_DONE | checksum(0, to, size) : 0);
    return good;
}

static bool mem_write(void *self, uint64_t addr, const void *from, size_t size) {
    struct recorded_device *device = self;
    call(device, RECORDED_MEM_WRITE, addr, size, from);
    const bool good = device->ops->mem_write(device->backend, addr, from, size);
    recording_result(&device->writer, good ? RECORDED_DONE : 0);
    return good;
}

static bool mem_clear(void *self, uint64_t addr, size_t size) {
    struct recorded_device *device = self;
    if (device->ops->mem_clear == NULL) return false;
    call(device, RECORDED_MEM_CLEAR, addr, size, NULL);
    const bool good = device->ops->mem_clear(device->backend, addr, size);
    recording_result(&device->writer, good ? RECORDED_DONE : 0);
    return good;
}

static void bus_errors(void *self, uint64_t base, uint64_t size, bool writes_only) {
    struct recorded_device *device = self;
    call(device, writes_only ? RECORDED_WRITE_ERRORS : RECORDED_BUS_ERRORS, base, size, NULL);
    device->ops->bus_errors(device->backend, base, size, writes_only);
    recording_result(&device->writer, 0);
}

// In pieces that end where a checkpoint is due.
static uint64_t run(void *self, uint64_t wanted) {
    struct recorded_device *device = self;
    uint64_t done = 0, piece, last;
    do {
        const uint64_t since = cycles(device) - device->last, left = wanted - done;
        piece = since >= device->every ? device->every : device->every - since;
        if (piece > left) piece = left;
        call(device, RECORDED_RUN, piece, 0, NULL);
        last = device->ops->run(device->backend, piece);
        recording_result(&device->writer, last);
        done += last;
    } while (done < wanted && last == piece && device->ops->failed(device->backend) == NULL);
    return done;
}

static void statistics(void *self, struct tandem_statistics *to) {
    const struct recorded_device *device = self;
    device->ops->statistics(device->backend, to);
}

static bool irq(void *self) {
    const struct recorded_device *device = self;
    return device->ops->irq(device->backend);
}

static const char *failed(void *self) {
    const struct recorded_device *device = self;
    const char *of_device = device->ops->failed(device->backend);
    return of_device != NULL || device->failed[0] == '\0' ? of_device : device->failed;
}

#define RECORDED(kind, speed)                                                                               \
    {                                                                                                       \
        .name = kind, .cycles_per_second = speed, .open = open_recorded, .close = close_recorded,           \
        .reg_read = reg_read, .reg_write = reg_write, .mem_read = mem_read, .mem_write = mem_write,         \
        .mem_clear = mem_clear, .bus_errors = bus_errors, .run = run, .statistics = statistics, .irq = irq, \
        .failed = failed                                                                                    \
    }
static const struct backend_ops recorded[] = {RECORDED("model", 15000000), RECORDED("rtl", 300000),
                                              RECORDED("tandem", 300000)};

const struct backend_ops *recorded_ops(const struct backend_ops *ops) {
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
        if (strcmp(recorded[i].name, ops->name) == 0) return &recorded[i];
    }
    return NULL;
}
