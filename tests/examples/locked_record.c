// Runs locked_record.s, in which threads take a lock: an assembly program from its text to its result.
// usage: locked_record FILE.s [DEVICE]      DEVICE: model:small (default), rtl:nano, tandem:nano and so on
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "driver/tandem.h"
#include "isa/assembler.h"

enum { WORK_GROUP = 48, THREADS = 4 * WORK_GROUP };

struct record {
    uint32_t count, sum, smallest, largest;
};

static bool good(struct tandem_device *device, enum tandem_status status, const char *what) {
    if (status == TANDEM_OK) return true;
    fprintf(stderr, "locked_record: %s: %s: %s\n", what, tandem_status_name(status), tandem_message(device));
    return false;
}

// Assembles the file and loads what it makes.
static bool load(struct tandem_device *device, const char *path, struct tandem_module **module) {
    struct code_object object;
    char error[512];
    void *elf = NULL;
    size_t size = 0;
    bool done = assemble_file(path, &object, error, sizeof error);
    if (done) {
        done = code_object_write(&object, &elf, &size, error, sizeof error);
        code_object_free(&object);
    }
    if (!done) {
        fprintf(stderr, "locked_record: %s\n", error);
        return false;
    }
    done = good(device, tandem_module_load(device, elf, size, module), "load");
    free(elf);
    return done;
}

static bool buffer(struct tandem_device *device, const void *contents, size_t size, tandem_addr *address) {
    return good(device, tandem_alloc(device, size, 64, address), "allocate") &&
           good(device, tandem_write(device, *address, contents, size), "write");
}

static bool enter(struct tandem_device *device, struct tandem_channel *channel, struct tandem_module *module,
                  const uint32_t *numbers, struct record *record) {
    const uint32_t unlocked = 0;
    tandem_addr lock, record_there, numbers_there;
    if (!buffer(device, &unlocked, sizeof unlocked, &lock) || !buffer(device, record, sizeof *record, &record_there) ||
        !buffer(device, numbers, THREADS * sizeof *numbers, &numbers_there))
        return false;
    const struct tandem_argument arguments[] = {
        {&lock, sizeof lock}, {&record_there, sizeof record_there}, {&numbers_there, sizeof numbers_there}};
    const struct tandem_range range = {.dimensions = 1, .global = {THREADS}, .local = {WORK_GROUP}};
    return good(device, tandem_launch(channel, module, "locked_record", &range, arguments, 3), "launch") &&
           good(device, tandem_finish(channel, 0), "finish") &&
           good(device, tandem_read(device, record_there, record, sizeof *record), "read");
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: locked_record FILE.s [DEVICE]\n");
        return 2;
    }
    const char *name = argc > 2 ? argv[2] : "model:small";
    uint32_t numbers[THREADS];
    struct record expected = {0, 0, UINT32_MAX, 0}, record = expected;
    for (uint32_t i = 0; i < THREADS; i++) {
        numbers[i] = 100u + i * 7919u % 997u;
        expected.count++;
        expected.sum += numbers[i];
        if (numbers[i] < expected.smallest) expected.smallest = numbers[i];
        if (numbers[i] > expected.largest) expected.largest = numbers[i];
    }
    struct tandem_device *device;
    struct tandem_channel *channel = NULL;
    struct tandem_module *module = NULL;
    char message[512];
    if (tandem_open(name, &device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "locked_record: %s\n", message);
        return 1;
    }
    bool done = good(device, tandem_channel_open(device, 16, 0, &channel), "open a channel") &&
                load(device, argv[1], &module) && enter(device, channel, module, numbers, &record);
    tandem_module_unload(module);
    if (channel != NULL) tandem_channel_close(channel);
    if (tandem_close(device) != TANDEM_OK) done = false;
    if (!done) return 1;

    bool right = record.count == expected.count && record.sum == expected.sum && record.smallest == expected.smallest &&
                 record.largest == expected.largest;
    printf("locked_record: %u numbers on %s, sum %u, from %u to %u: %s\n", record.count, name, record.sum,
           record.smallest, record.largest, right ? "right" : "WRONG");
    return !right;
}
