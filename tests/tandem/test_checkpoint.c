// Checkpoints: a run that was saved and loaded, at any place, is the run that it would have been. The fixed programs run
// in tandem once and leave a trace; models follow it, or run alone on what its CPU does.
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "common/seed.h"
#include "model/model_internal.h"
#include "programs.h"
#include "random_numbers.h"
#include "trace/trace_file.h"

#define STEPS_MOST 20000u  // alone, after an access of the CPU

static char folder[] = "/tmp/test-checkpoint-XXXXXX";
static char trace[128], checkpoint[128];
static uint64_t seed;

static void begin(void) {
    cr_assert_not_null(mkdtemp(folder));
    snprintf(checkpoint, sizeof checkpoint, "%s/device", folder);
    seed = seed_from_environment();
    printf("seed %llu\n", (unsigned long long)seed);
}
static void begin_with_trace(void) {
    char why[1024] = "", name[256];
    begin();
    snprintf(trace, sizeof trace, "%s/run.events", folder);
    snprintf(name, sizeof name, "tandem:nano,mem=4,trace=%s", trace);
    cr_assert_eq(fixed_programs_run(name, NULL, why, sizeof why), TANDEM_OK, "%s", why);
}
static void end(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

static tandem_model *create(void) {
    const tandem_model_options options = {.size = sizeof options, .config = "nano", .memory_bytes = 4 << 20, .seed = 3};
    tandem_model *model;
    cr_assert_eq(tandem_model_create(&options, &model, NULL, 0), TANDEM_MODEL_OK);
    return model;
}

// The device in a file, its end, and the device from the file.
static tandem_model *again(tandem_model *model) {
    char message[256];
    cr_assert_eq(tandem_model_save(model, checkpoint), TANDEM_MODEL_OK, "%s", tandem_model_message(model));
    tandem_model_destroy(model);
    cr_assert_eq(tandem_model_load(checkpoint, NULL, &model, message, sizeof message), TANDEM_MODEL_OK, "%s", message);
    return model;
}

static struct trace_reader *open_trace(void) {
    struct trace_head head;
    char why[256];
    struct trace_reader *reader = trace_reader_open(trace, &head, why, sizeof why);
    cr_assert_not_null(reader, "%s", why);
    return reader;
}

// Follows the trace; saves and loads at about one event of `every`; the first instruction from event `lie` on has
// another program counter.
static tandem_model_status follow(uint32_t every, uint64_t lie, uint64_t *followed, uint64_t *loaded) {
    struct trace_reader *reader = open_trace();
    struct trace_item item;
    char why[256];
    tandem_model *model = create();
    tandem_model_status status = tandem_model_follow_begin(model, NULL);
    bool lied = false;
    *followed = *loaded = 0;
    while (status == TANDEM_MODEL_OK && trace_reader_next(reader, &item, why, sizeof why) == TRACE_READ_ITEM) {
        if (item.kind == TRACE_ITEM_WRITE)
            status = tandem_model_memory_write(model, item.address, item.bytes, item.size);
        if (item.kind == TRACE_ITEM_READ)
            status = tandem_model_follow_memory(model, item.address, item.bytes, item.size);
        if (item.kind != TRACE_ITEM_EVENT) continue;
        if (random_below(&seed, every) == 0) {
            model = again(model);
            cr_assert_eq(tandem_model_step(model, 1, NULL), TANDEM_MODEL_STATE);
            cr_assert_eq(tandem_model_register_write(model, 0, 0), TANDEM_MODEL_STATE);
            cr_assert_eq(tandem_model_follow_begin(model, NULL), TANDEM_MODEL_OK);
            (*loaded)++;
        }
        if (!lied && *followed >= lie && item.event.kind == TRACE_INSTR) {
            item.event.instr.pc ^= 8;
            lied = true;
        }
        tandem_model_event event;
        model_event_out(&item.event, &event);
        status = tandem_model_follow(model, &event);
        if (status == TANDEM_MODEL_OK) (*followed)++;
    }
    if (status != TANDEM_MODEL_OK && lie == UINT64_MAX) cr_log_warn("%s", tandem_model_message(model));
    tandem_model_destroy(model);
    trace_reader_close(reader);
    return status;
}

struct sum {
    uint64_t events;
    uint32_t crc;
};

static void add(void *context, const tandem_model_event *event) {
    struct sum *sum = context;
    sum->crc = checksum(sum->crc, event, sizeof *event);
    sum->events++;
}

// Runs alone on what the trace's CPU does; saves and loads after about one chunk of `every`.
static struct sum alone(uint32_t every, bool listens, uint64_t *loaded) {
    struct trace_reader *reader = open_trace();
    struct trace_item item;
    struct sum sum = {0};
    char why[256];
    tandem_model *model = create();
    if (listens) cr_assert_eq(tandem_model_listen(model, add, &sum), TANDEM_MODEL_OK);
    *loaded = 0;
    while (trace_reader_next(reader, &item, why, sizeof why) == TRACE_READ_ITEM) {
        if (item.kind == TRACE_ITEM_WRITE)
            cr_assert_eq(tandem_model_memory_write(model, item.address, item.bytes, item.size), TANDEM_MODEL_OK);
        if (item.kind != TRACE_ITEM_EVENT || item.event.kind != TRACE_REG_WRITE) continue;
        cr_assert_eq(tandem_model_register_write(model, item.event.reg_write.addr, item.event.reg_write.data),
                     TANDEM_MODEL_OK);
        for (uint32_t steps = 0; steps < STEPS_MOST; steps += 7) {
            if (tandem_model_step(model, 7, NULL) == TANDEM_MODEL_IDLE) break;
            if (every == 0 || random_below(&seed, every) != 0) continue;
            model = again(model);
            if (listens) cr_assert_eq(tandem_model_listen(model, add, &sum), TANDEM_MODEL_OK);
            (*loaded)++;
        }
    }
    static uint8_t memory[4 << 20];
    cr_assert_eq(tandem_model_memory_read(model, 0, memory, sizeof memory), TANDEM_MODEL_OK);
    sum.crc = checksum(sum.crc, memory, sizeof memory);
    tandem_model_destroy(model);
    trace_reader_close(reader);
    return sum;
}

TestSuite(checkpoint, .init = begin_with_trace, .fini = end);
TestSuite(checkpoint_file, .init = begin, .fini = end);

Test(checkpoint, following_goes_on, .description = "GM-3 in the middle of anything [tandem]") {
    uint64_t followed, loaded;
    cr_assert_eq(follow(150, UINT64_MAX, &followed, &loaded), TANDEM_MODEL_OK, "after event %u, %u loads",
                 (unsigned)followed, (unsigned)loaded);
    cr_expect(followed > 2000 && loaded > 5, "%u events, %u loads", (unsigned)followed, (unsigned)loaded);
}

Test(checkpoint, lies_are_found_after_it, .description = "GM-3 the state is compared, not forgotten [tandem]") {
    uint64_t followed, loaded, all;
    cr_assert_eq(follow(UINT32_MAX, UINT64_MAX, &all, &loaded), TANDEM_MODEL_OK);
    for (unsigned i = 0; i < 6; i++) {
        const uint64_t lie = random_below(&seed, (uint32_t)all / 2);
        cr_expect_eq(follow(600, lie, &followed, &loaded), TANDEM_MODEL_DIFFERS, "the lie at event %u is not found",
                     (unsigned)lie);
        cr_expect_geq(followed, lie);
    }
}

Test(checkpoint, alone_goes_on, .description = "GM-3 the same events and the same memory [model]") {
    uint64_t loaded;
    const struct sum whole = alone(0, true, &loaded), parts = alone(120, true, &loaded);
    cr_expect(loaded > 3, "%u loads", (unsigned)loaded);
    cr_expect(whole.events > 1000 && whole.events == parts.events && whole.crc == parts.crc);
    const struct sum quick = alone(0, false, &loaded), quick_parts = alone(120, false, &loaded);
    cr_expect_eq(quick.crc, quick_parts.crc);
}

static size_t content(const char *path, char **to) {
    FILE *file = fopen(path, "rb");
    *to = malloc(16 << 20);
    const size_t size = fread(*to, 1, 16 << 20, file);
    fclose(file);
    return size;
}
static void refused(const char *bytes, size_t size, const char *wanted) {
    char message[512] = "";
    tandem_model *model = NULL;
    FILE *file = fopen(checkpoint, "wb");
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
    cr_expect_eq(tandem_model_load(checkpoint, NULL, &model, message, sizeof message), TANDEM_MODEL_FILE);
    cr_expect(model == NULL && strchr(message, '\n') == NULL && strstr(message, wanted) != NULL, "\"%s\", not \"%s\"",
              message, wanted);
}

Test(checkpoint_file, broken, .description = "GM-3 one line, no device [model]") {
    char message[512], *bytes;
    tandem_model *model = create();
    cr_assert_eq(tandem_model_save(model, checkpoint), TANDEM_MODEL_OK);
    cr_expect_eq(tandem_model_save(model, "/no/such/folder/file"), TANDEM_MODEL_FILE);
    tandem_model_destroy(model);
    const size_t size = content(checkpoint, &bytes);
    refused("", 0, "no checkpoint");
    refused("TANDEMTR and more", 17, "no checkpoint");
    refused(bytes, 50, "within its head");
    for (size_t cut = 96; cut < size; cut += 1 + size / 23)
        refused(bytes, cut, "cut off");
    for (unsigned i = 0; i < 60; i++) {
        const size_t at = i < 30 ? 12 + i : random_below(&seed, (uint32_t)size - 12) + 12;
        bytes[at] = (char)(bytes[at] ^ (1 << i % 8));
        refused(bytes, size, "damaged");
        bytes[at] = (char)(bytes[at] ^ (1 << i % 8));
    }
    bytes[8] ^= 3;
    refused(bytes, size, "another version");
    bytes[8] ^= 3;
    // Another release: its head is whole.
    bytes[12] ^= 1;
    const uint32_t crc = checksum(0, bytes, 92);
    char was[4];
    memcpy(was, bytes + 92, 4);
    memcpy(bytes + 92, &crc, 4);
    refused(bytes, size, "another release");
    memcpy(bytes + 92, was, 4);
    bytes[12] ^= 1;
    bytes[size] = 'x';
    refused(bytes, size + 1, "behind its end");
    free(bytes);
    cr_expect_eq(tandem_model_load("/no/such/file", NULL, &model, message, sizeof message), TANDEM_MODEL_FILE);
    cr_expect_not_null(strstr(message, "No such file"));
    cr_expect_eq(tandem_model_load(folder, NULL, &model, message, sizeof message), TANDEM_MODEL_FILE);
}

static uint8_t given[4 << 20];

Test(checkpoint_file, memory_of_others,
     .description = "GM-3 all of it is written; what is given wrongly is refused [model]") {
    const tandem_model_memory memory = {.size = sizeof memory, .bytes = given}, none = {.size = sizeof none};
    const uint32_t word = 0x12345678;
    uint32_t back;
    char message[512];
    tandem_model *model = create();
    cr_assert_eq(tandem_model_memory_write(model, 0x5000, &word, 4), TANDEM_MODEL_OK);
    cr_assert_eq(tandem_model_save(model, checkpoint), TANDEM_MODEL_OK);
    tandem_model_destroy(model);
    memset(given, 0xFF, sizeof given);
    cr_assert_eq(tandem_model_load(checkpoint, &memory, &model, message, sizeof message), TANDEM_MODEL_OK, "%s",
                 message);
    memcpy(&back, given + 0x5000, 4);
    cr_expect_eq(back, word);
    memcpy(&back, given + 0x9000, 4);
    cr_expect_eq(back, 0);
    tandem_model_destroy(model);
    cr_expect_neq(tandem_model_load(checkpoint, &none, &model, message, sizeof message), TANDEM_MODEL_OK);
    cr_expect(model == NULL && message[0] != '\0');
}
