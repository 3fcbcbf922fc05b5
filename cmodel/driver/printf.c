// What threads print: a buffer of records for each program that prints (compiler/library/printf_buffer.h), which waits
// empty. A record that is not written yet ends the reading; the next wait goes on there. The buffer begins anew when
// nothing on the device can write to it.
#include "driver/printf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/library/printf_buffer.h"
#include "driver/launched.h"
#include "driver/printf_text.h"
#include "driver/work_queue.h"
#include "isa/printf_format.h"

#define BYTES_MIN 16u

enum tandem_status printf_set_bytes(struct tandem_device *device, uint32_t bytes) {
    enum tandem_status status = driver_check(device);
    if (status != TANDEM_OK) return status;
    if (bytes % 4 != 0 || bytes < BYTES_MIN || bytes > PRINTF_PUT_MAX) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT,
                           "printf buffer of %u bytes: must be a multiple of 4 from %u to %u", bytes, BYTES_MIN,
                           PRINTF_PUT_MAX);
    }
    device->printf_bytes = bytes;
    return TANDEM_OK;
}

// The first `used` bytes of records and the buffer's head as before the first launch.
static enum tandem_status begin(struct tandem_module *module, uint32_t used) {
    struct tandem_device *device = module->device;
    const struct printf_buffer head = {.capacity = module->print.capacity, .records = module->print.records};
    enum tandem_status status = space_write(module->space, module->print.buffer, &head, sizeof head);
    if (status != TANDEM_OK || used == 0) return status;
    void *zeros = calloc(1, used);
    if (zeros == NULL) return driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for a printf buffer");
    status = space_write(module->space, module->print.records, zeros, used);
    free(zeros);
    module->print.read = module->print.dropped = 0;
    return status;
}

enum tandem_status printf_load(struct tandem_module *module) {
    struct tandem_device *device = module->device;
    if (module->object.format_count == 0) return TANDEM_OK;
    const uint32_t before = (uint32_t)sizeof(struct printf_buffer) + PRINTF_SPARE;
    module->print.capacity = device->printf_bytes;
    enum tandem_status status =
        space_alloc(module->space, (size_t)before + device->printf_bytes, 32, &module->print.buffer);
    if (status != TANDEM_OK) return status;
    module->print.records = module->print.buffer + before;
    module->print.next = module->space->printing;
    module->space->printing = module;
    return begin(module, module->print.capacity);
}

void printf_unload(struct tandem_module *module) {
    struct tandem_device *device = module->device;
    if (module->print.buffer == 0) return;
    if (device->backend != NULL && !module->space->closed) (void)space_print(module->space);
    struct tandem_module **place = &module->space->printing;
    while (*place != NULL && *place != module)
        place = &(*place)->print.next;
    if (*place != NULL) *place = module->print.next;
    if (device->backend != NULL) heap_free(&module->space->data, module->print.buffer);
}

static void hand_out(struct tandem_device *device, const char *text, size_t size) {
    device->printed++;
    if (device->print != NULL) {
        device->print(device->print_context, text, size);
    } else {
        fwrite(text, 1, size, stdout);
    }
}

static void lose(struct tandem_module *module, uint32_t records) {
    struct tandem_device *device = module->device;
    device->print_dropped += records;
    if (device->print == NULL && records > 0)
        fprintf(stderr, "tandem: printf: %u records lost, the buffer of %u bytes was full\n", records,
                module->print.capacity);
}

// Hands out the records in `words`, which stand at module->print.read in the buffer.
static enum tandem_status hand_out_records(struct tandem_module *module, const uint32_t *words, size_t count) {
    struct tandem_device *device = module->device;
    const struct code_object *object = &module->object;
    for (size_t at = 0; at < count && words[at] != 0;) {
        const uint32_t number = words[at] - 1;
        char why[PRINTF_ERROR_SIZE];
        const bool known = number < object->format_count && strcmp(object->formats[number].types, PRINTF_STRING) != 0;
        const unsigned size =
            known ? printf_record_words(object->formats[number].text, object->formats[number].types, why) : 0;
        if (size == 0 || size > count - at) {
            const uint32_t place = module->print.records + module->print.read;
            module->print.read = module->print.capacity;  // what comes behind cannot be found
            return driver_fail(device, TANDEM_BAD_CODE,
                               "the printf buffer holds no record of the program at 0x%08x but the word 0x%08x; it was "
                               "overwritten",
                               place, words[at]);
        }
        size_t length = 0;
        char *text = printf_text(object, number, words + at + 1, &length);
        if (text == NULL) return driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for what printf prints");
        module->print.read += 4 * size;
        at += size;
        hand_out(device, text, length);
        free(text);
    }
    return TANDEM_OK;
}

// Whether no launch is under way that could write to a buffer.
static bool is_idle(const struct tandem_space *space) {
    struct tandem_device *device = space->device;
    for (uint32_t k = 0; k < device->options.config->channels; k++) {
        struct tandem_channel *channel = device->channels[k];
        if (channel == NULL || channel->space != space) continue;
        channel_reap_launches(channel, false);
        if (channel->launches != NULL || !work_queue_idle(channel)) return false;
    }
    return true;
}

static enum tandem_status print_of(struct tandem_module *module, bool idle) {
    struct tandem_device *device = module->device;
    struct printf_buffer head;
    enum tandem_status status = space_read(module->space, module->print.buffer, &head, sizeof head);
    if (status != TANDEM_OK) return status;
    const uint32_t end = head.put < module->print.capacity ? head.put : module->print.capacity;
    if (end > module->print.read) {
        const uint32_t size = (end - module->print.read) & ~3u;
        uint32_t *words = malloc(size);
        if (words == NULL)
            return driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for what printf prints");
        status = space_read(module->space, module->print.records + module->print.read, words, size);
        if (status == TANDEM_OK) status = hand_out_records(module, words, size / 4);
        free(words);
    }
    lose(module, head.dropped - module->print.dropped);
    module->print.dropped = head.dropped;
    if (status != TANDEM_OK || !idle) return status;
    // A fault can end a thread within its record: nothing behind it can be told apart.
    if (module->print.read < end && head.dropped == 0) device->print_dropped++;
    module->print.used = false;
    return head.put != 0 ? begin(module, end) : TANDEM_OK;
}

enum tandem_status space_print(struct tandem_space *space) {
    bool wanted = false, idle = false;
    for (struct tandem_module *module = space->printing; module != NULL; module = module->print.next)
        wanted |= module->print.used;
    if (wanted) idle = is_idle(space);  // asked first: what a launch has written by then is read below
    for (struct tandem_module *module = space->printing; wanted && module != NULL; module = module->print.next) {
        enum tandem_status status = module->print.used ? print_of(module, idle) : TANDEM_OK;
        if (status != TANDEM_OK) return status;
    }
    return TANDEM_OK;
}
