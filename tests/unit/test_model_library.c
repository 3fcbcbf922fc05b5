// libtandem-model by its public header: devices, memory of others, running alone, following, wrong use.
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/seed.h"
#include "gen/registers.h"
#include "gen/trace.h"
#include "model/tandem_model.h"
#include "random_numbers.h"

#define MEMORY (1u << 20)
#define SPACE 0x10000u
#define RING 0x1000u
#define COMMANDS 0x2000u
#define TARGET 0x3000u
#define EVENTS_MAX 4096u

struct record {
    uint32_t count;
    tandem_model_event events[EVENTS_MAX];
};

static void keep(void *context, const tandem_model_event *event) {
    struct record *record = context;
    cr_assert_lt(record->count, EVENTS_MAX);
    record->events[record->count++] = *event;
}

static tandem_model *create(const tandem_model_memory *memory, uint64_t seed) {
    const tandem_model_options options = {
        .size = sizeof options, .config = "nano", .memory_bytes = MEMORY, .seed = seed, .memory = memory};
    tandem_model *model;
    char message[256];
    cr_assert_eq(tandem_model_create(&options, &model, message, sizeof message), TANDEM_MODEL_OK, "%s", message);
    return model;
}

// A ring of four entries, each of them a release of `payload + i` and a reduction that adds 1 to the word behind it.
static void write_commands(tandem_model *model, uint32_t payload) {
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t word = TARGET + 16 * i, at = COMMANDS + 64 * i;
        const uint32_t commands[] = {1u << 29 | 4u << 16 | 4u, 0, word,     payload + i, 2 | 1u << 20 | 1u << 24,
                                     1u << 29 | 4u << 16 | 4u, 0, word + 4, 1,           16 | 1u << 20 | 5u << 27};
        const uint32_t entry[] = {at, (uint32_t)(sizeof commands / 4) << 10};
        cr_assert_eq(tandem_model_memory_write(model, SPACE + at, commands, sizeof commands), TANDEM_MODEL_OK);
        cr_assert_eq(tandem_model_memory_write(model, SPACE + RING + 8 * i, entry, sizeof entry), TANDEM_MODEL_OK);
    }
}

static const uint32_t start_writes[][2] = {
    {REG_CHANNEL_BASE + CHANNEL_SPACE_BASE, SPACE}, {REG_CHANNEL_BASE + CHANNEL_SPACE_SIZE, 0x10000},
    {REG_CHANNEL_BASE + CHANNEL_GP_BASE, RING},     {REG_CHANNEL_BASE + CHANNEL_GP_ENTRIES, 5},
    {REG_CHANNEL_BASE + CHANNEL_CONTROL, 1},        {REG_USERD_BASE + USERD_GP_PUT, 4}};

static void start(tandem_model *model) {
    for (size_t i = 0; i < sizeof start_writes / sizeof start_writes[0]; i++)
        cr_assert_eq(tandem_model_register_write(model, start_writes[i][0], start_writes[i][1]), TANDEM_MODEL_OK);
}

static uint32_t word_at(tandem_model *model, uint64_t address) {
    uint32_t word;
    cr_assert_eq(tandem_model_memory_read(model, address, &word, 4), TANDEM_MODEL_OK);
    return word;
}

static void check_done(tandem_model *model, uint32_t payload) {
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert_eq(word_at(model, SPACE + TARGET + 16 * i), payload + i);
        cr_assert_eq(word_at(model, SPACE + TARGET + 16 * i + 4), 1);
    }
}

static void run_and_record(struct record *record, uint32_t payload) {
    tandem_model *model = create(NULL, 1);
    record->count = 0;
    write_commands(model, payload);
    cr_assert_eq(tandem_model_listen(model, keep, record), TANDEM_MODEL_OK);
    start(model);
    cr_assert_eq(tandem_model_run_until_idle(model, 10000, NULL), TANDEM_MODEL_IDLE);
    check_done(model, payload);
    tandem_model_destroy(model);
}

static tandem_model *follower(uint32_t payload) {
    const tandem_model_follow_options options = {.size = sizeof options, .name = "test", .no_fetches = 1};
    tandem_model *model = create(NULL, 1);
    cr_assert_eq(tandem_model_follow_begin(model, &options), TANDEM_MODEL_OK);
    write_commands(model, payload);
    return model;
}

static tandem_model_status follow_all(tandem_model *model, const struct record *record) {
    tandem_model_status status = TANDEM_MODEL_OK;
    for (uint32_t i = 0; i < record->count && status == TANDEM_MODEL_OK; i++)
        status = tandem_model_follow(model, &record->events[i]);
    return status == TANDEM_MODEL_OK ? tandem_model_follow_end(model) : status;
}

Test(model_library, many_devices, .description = "GM-1 each has a state of its own [model]") {
    enum { DEVICES = 24 };
    tandem_model *models[DEVICES];
    for (uint32_t d = 0; d < DEVICES; d++) {
        models[d] = create(NULL, d);
        write_commands(models[d], 100 * d);
        start(models[d]);
    }
    bool going = true;
    while (going) {  // a step of each in turn
        going = false;
        for (uint32_t d = 0; d < DEVICES; d++)
            going = tandem_model_step(models[d], 1, NULL) == TANDEM_MODEL_OK || going;
    }
    for (uint32_t d = 0; d < DEVICES; d++) {
        uint64_t methods;
        check_done(models[d], 100 * d);
        cr_expect(tandem_model_counter(models[d], "methods", &methods) == TANDEM_MODEL_OK && methods == 32);
        tandem_model_destroy(models[d]);
    }
}

static uint8_t outside[MEMORY];
static uint64_t outside_calls;
static void read_outside(void *context, uint64_t address, void *to, size_t bytes) {
    cr_assert(context == outside && address <= MEMORY && bytes <= MEMORY - address);
    memcpy(to, outside + address, bytes);
    outside_calls++;
}
static void write_outside(void *context, uint64_t address, const void *from, size_t bytes) {
    cr_assert(context == outside && address <= MEMORY && bytes <= MEMORY - address);
    memcpy(outside + address, from, bytes);
    outside_calls++;
}

Test(model_library, memory_of_others, .description = "GM-1 all bytes, or two functions: the same events [model]") {
    static struct record own, bytes, functions;
    run_and_record(&own, 7);
    const tandem_model_memory given[2] = {
        {.size = sizeof given[0], .bytes = outside},
        {.size = sizeof given[0], .context = outside, .read = read_outside, .write = write_outside}};
    for (unsigned way = 0; way < 2; way++) {
        struct record *record = way == 0 ? &bytes : &functions;
        memset(outside, 0, sizeof outside);
        tandem_model *model = create(&given[way], 1);
        write_commands(model, 7);
        cr_assert_eq(tandem_model_listen(model, keep, record), TANDEM_MODEL_OK);
        start(model);
        cr_assert_eq(tandem_model_run_until_idle(model, 10000, NULL), TANDEM_MODEL_IDLE);
        check_done(model, 7);
        uint32_t word;
        memcpy(&word, outside + SPACE + TARGET, 4);
        cr_expect_eq(word, 7);
        tandem_model_destroy(model);
        cr_assert_eq(record->count, own.count);
        cr_expect_eq(memcmp(record->events, own.events, own.count * sizeof own.events[0]), 0);
    }
    cr_expect_gt(outside_calls, 20);
    // The memory is the caller's still.
    outside[0] = 1;
}

Test(model_library, follows, .description = "GM-1 what another device committed is right [model]") {
    static struct record record;
    run_and_record(&record, 40);
    tandem_model *model = follower(40);
    cr_assert_eq(follow_all(model, &record), TANDEM_MODEL_OK, "%s", tandem_model_message(model));
    cr_expect_eq(tandem_model_followed(model), record.count);
    check_done(model, 40);
    uint32_t word = 40;
    cr_expect_eq(tandem_model_follow_memory(model, SPACE + TARGET, &word, 4), TANDEM_MODEL_OK);
    word = 41;
    cr_expect_eq(tandem_model_follow_memory(model, SPACE + TARGET, &word, 4), TANDEM_MODEL_DIFFERS);
    tandem_model_difference difference = {.size = sizeof difference};
    cr_expect_eq(tandem_model_difference_of(model, &difference), TANDEM_MODEL_OK);
    cr_expect(strcmp(difference.verdict, "memory") == 0 && difference.about_event == 0);
    tandem_model_destroy(model);
}

// Every field that is compared, of every event, one bit changed: found at that event, by that field.
Test(model_library, every_lie_is_found, .description = "GM-1 by its first field, and both sides are told [model]") {
    static struct record record;
    run_and_record(&record, 40);
    uint32_t lies = 0;
    for (uint32_t e = 0; e < record.count; e++) {
        const tandem_model_event was = record.events[e];
        for (unsigned f = 0; f < tandem_model_field_count(was.kind); f++) {
            tandem_model_field field = {.size = sizeof field};
            cr_assert_eq(tandem_model_field_of(was.kind, f, &field), TANDEM_MODEL_OK);
            if (field.choice != 0) continue;
            record.events[e].words[field.word] ^= 1;
            tandem_model *model = follower(40);
            tandem_model_difference difference = {.size = sizeof difference};
            const char *name = tandem_model_kind_name(was.kind);
            cr_expect_eq(follow_all(model, &record), TANDEM_MODEL_DIFFERS, "%s.%s", name, field.name);
            cr_assert_eq(tandem_model_difference_of(model, &difference), TANDEM_MODEL_OK);
            cr_expect(difference.about_event == 1 && difference.number == e, "%s.%s: at event %u, found at %u", name,
                      field.name, e, (unsigned)difference.number);
            if (strcmp(difference.verdict, "differs") == 0) {
                cr_expect(strcmp(difference.field, field.name) == 0, "%s.%s: %s", name, field.name, difference.field);
                cr_expect_eq(difference.model.words[field.word], was.words[field.word]);
                cr_expect_eq(difference.theirs.words[field.word], was.words[field.word] ^ 1);
            }
            // It stays so.
            cr_expect_eq(tandem_model_follow(model, &was), TANDEM_MODEL_DIFFERS);
            cr_expect_eq(tandem_model_memory_write(model, 0, &lies, 4), TANDEM_MODEL_DIFFERS);
            tandem_model_destroy(model);
            record.events[e] = was;
            lies++;
        }
    }
    cr_expect_gt(lies, 150);
}

Test(model_library, a_forgotten_event_is_found, .description = "GM-1 each one that is left out [model]") {
    static struct record record;
    uint32_t at_end = 0;
    run_and_record(&record, 40);
    for (uint32_t e = 0; e < record.count; e++) {
        const bool read = tandem_model_kind("REG_WRITE") == record.events[e].kind;
        tandem_model *model = follower(40);
        tandem_model_status status = TANDEM_MODEL_OK;
        for (uint32_t i = 0; i < record.count && status == TANDEM_MODEL_OK; i++)
            if (i != e) status = tandem_model_follow(model, &record.events[i]);
        if (status == TANDEM_MODEL_OK) {
            status = tandem_model_follow_end(model);
            if (status == TANDEM_MODEL_DIFFERS) at_end++;
        }
        if (status == TANDEM_MODEL_OK) status = tandem_model_follow_cycle(model, 1000000);
        // The last write of a register is the CPU's choice: without it nothing was to be done.
        if (!read)
            cr_expect_eq(status, TANDEM_MODEL_DIFFERS, "event %u, %s", e,
                         tandem_model_kind_name(record.events[e].kind));
        tandem_model_destroy(model);
    }
    cr_expect_gt(at_end, 0, "nothing was missed at the end");
}

// A channel waits in an acquire; the other implementation tries it again, or the CPU hands over work, at the end of a
// long silence. What has just begun is no silence; what never ends is one.
static uint32_t kind_of(const struct record *record, const char *name) {
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < record->count; i++) {
        if (record->events[i].kind == tandem_model_kind(name)) found = i;
    }
    cr_assert_neq(found, UINT32_MAX, "no %s", name);
    return found;
}

static tandem_model *blocked_follower(struct record *record) {
    // SEMAPHOREA to SEMAPHORED: acquire of 7, which nobody writes; one entry.
    const uint32_t commands[] = {1u << 29 | 4u << 16 | 4u, 0, TARGET, 7, 1};
    const uint32_t entry[] = {COMMANDS, (uint32_t)(sizeof commands / 4) << 10};
    tandem_model *leader = create(NULL, 1), *model = follower(40), *both[] = {leader, model};
    record->count = 0;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(tandem_model_memory_write(both[i], SPACE + COMMANDS, commands, sizeof commands), TANDEM_MODEL_OK);
        cr_assert_eq(tandem_model_memory_write(both[i], SPACE + RING, entry, sizeof entry), TANDEM_MODEL_OK);
    }
    cr_assert_eq(tandem_model_listen(leader, keep, record), TANDEM_MODEL_OK);
    start(leader);
    (void)tandem_model_run_until_idle(leader, 1000, NULL);
    tandem_model_destroy(leader);
    for (uint32_t i = 0; i < record->count; i++)
        cr_assert_eq(tandem_model_follow(model, &record->events[i]), TANDEM_MODEL_OK, "%s",
                     tandem_model_message(model));
    return model;
}

enum { QUIET = 20000 };

static tandem_model_status follow_at(tandem_model *model, const tandem_model_event *event, uint64_t cycle) {
    tandem_model_event now = *event;
    now.cycle = cycle;
    return tandem_model_follow(model, &now);
}

Test(model_library, a_try_at_the_end_of_a_silence,
     .description = "GM-1 is no alarm, but one that is never told [model]") {
    static struct record record;
    tandem_model *model = blocked_follower(&record);
    const tandem_model_event *performs = &record.events[kind_of(&record, "PERFORM")];
    const tandem_model_event *told = &record.events[kind_of(&record, "SEMAPHORE")];
    uint64_t cycle = 100;
    for (; cycle < 5 * QUIET; cycle += 97) {  // each silence ends within a try, sooner or later
        cr_assert_eq(follow_at(model, performs, cycle), TANDEM_MODEL_OK, "%s", tandem_model_message(model));
        for (uint64_t c = cycle; c < cycle + 60; c++)
            cr_assert_eq(tandem_model_follow_cycle(model, c), TANDEM_MODEL_OK, "%s", tandem_model_message(model));
        cr_assert_eq(follow_at(model, told, cycle + 60), TANDEM_MODEL_OK, "%s", tandem_model_message(model));
        cr_assert_eq(tandem_model_follow_cycle(model, cycle + 60), TANDEM_MODEL_OK, "%s", tandem_model_message(model));
    }
    cr_assert_eq(follow_at(model, performs, cycle), TANDEM_MODEL_OK);
    tandem_model_status status = TANDEM_MODEL_OK;
    uint64_t end = cycle;
    for (; status == TANDEM_MODEL_OK && end < cycle + 5 * QUIET; end += 64)
        status = tandem_model_follow_cycle(model, end);
    cr_expect_eq(status, TANDEM_MODEL_DIFFERS);
    cr_expect(strstr(tandem_model_message(model), "SEMAPHORE is due") != NULL, "%s", tandem_model_message(model));
    cr_expect_lt(end, cycle + 3 * QUIET);
    tandem_model_destroy(model);
}

Test(model_library, work_at_the_end_of_a_silence,
     .description = "GM-1 is no alarm, but work that never begins [model]") {
    static struct record record;
    for (uint64_t late = 1; late < 200; late += 11) {
        tandem_model *model = follower(40);
        record.count = 0;
        run_and_record(&record, 40);
        const uint32_t puts = sizeof start_writes / sizeof start_writes[0] - 1;  // the last of the writes: GP_PUT
        for (uint32_t i = 0; i < puts; i++)
            cr_assert_eq(follow_at(model, &record.events[i], 0), TANDEM_MODEL_OK);
        cr_assert_eq(tandem_model_follow_cycle(model, QUIET - late), TANDEM_MODEL_OK);
        cr_assert_eq(follow_at(model, &record.events[puts], QUIET - late), TANDEM_MODEL_OK);
        tandem_model_status status = TANDEM_MODEL_OK;
        uint64_t cycle = QUIET - late;
        for (; cycle < QUIET + 200; cycle++)
            cr_assert_eq(tandem_model_follow_cycle(model, cycle), TANDEM_MODEL_OK, "%s", tandem_model_message(model));
        for (; status == TANDEM_MODEL_OK && cycle < 6 * QUIET; cycle += 64)
            status = tandem_model_follow_cycle(model, cycle);
        cr_expect_eq(status, TANDEM_MODEL_DIFFERS);
        cr_expect(strstr(tandem_model_message(model), "GP entries 0 to 4") != NULL, "%s", tandem_model_message(model));
        cr_expect_lt(cycle, 3 * QUIET);
        tandem_model_destroy(model);
    }
}

// Anything may come from outside: each event is taken or refused, and nothing breaks.
Test(model_library, nonsense_is_refused, .description = "GM-1 random events, choices as well [model]") {
    static struct record record;
    uint64_t random = seed_from_environment();
    printf("seed %llu\n", (unsigned long long)random);
    run_and_record(&record, 40);
    for (unsigned round = 0; round < 3000; round++) {
        tandem_model *model = follower(40);
        const uint32_t e = random_below(&random, record.count);
        tandem_model_status status = TANDEM_MODEL_OK;
        for (uint32_t i = 0; i < e; i++)
            cr_assert_eq(tandem_model_follow(model, &record.events[i]), TANDEM_MODEL_OK);
        tandem_model_event event = record.events[e];
        if (round % 2 == 0) event.kind = random_below(&random, TRACE_KIND_COUNT + 2);
        if (round % 3 == 0) event.sm = random_below(&random, 20);
        for (unsigned w = 0; w < 8; w++)
            if (random_below(&random, 3) == 0)
                event.words[w] = (uint32_t)random_bits(&random) >> random_below(&random, 32);
        status = tandem_model_follow(model, &event);
        cr_expect(status == TANDEM_MODEL_OK || tandem_model_message(model)[0] != '\0');
        cr_expect(strchr(tandem_model_message(model), '\n') == NULL);
        tandem_model_destroy(model);
    }
}

Test(model_library, wrong_options, .description = "GM-1 one line, no device [model]") {
    static uint8_t memory[4096];
    const tandem_model_memory both = {
        .size = sizeof both, .bytes = memory, .read = read_outside, .write = write_outside};
    const tandem_model_memory half = {.size = sizeof half, .read = read_outside};
    const tandem_model_memory none = {.size = sizeof none};
    const tandem_model_memory small = {.size = 8, .bytes = memory};
    const tandem_model_options wrong[] = {
        {.size = 0, .config = "nano"},
        {.size = 4, .config = "nano"},
        {.size = sizeof wrong[0]},
        {.size = sizeof wrong[0], .config = "tiny"},
        {.size = sizeof wrong[0], .config = "nano", .memory_bytes = 4095},
        {.size = sizeof wrong[0], .config = "nano", .memory_bytes = UINT64_C(1) << 32},
        {.size = sizeof wrong[0], .config = "nano", .memory_bytes = 4096, .memory = &both},
        {.size = sizeof wrong[0], .config = "nano", .memory_bytes = 4096, .memory = &half},
        {.size = sizeof wrong[0], .config = "nano", .memory_bytes = 4096, .memory = &none},
        {.size = sizeof wrong[0], .config = "nano", .memory_bytes = 4096, .memory = &small},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tandem_model *model = (tandem_model *)&memory;
        char message[256] = "";
        cr_expect_eq(tandem_model_create(&wrong[i], &model, message, sizeof message), TANDEM_MODEL_INVALID, "%zu", i);
        cr_expect(model == NULL && message[0] != '\0' && strchr(message, '\n') == NULL, "%zu: %s", i, message);
    }
    tandem_model *model;
    cr_expect_eq(tandem_model_create(NULL, &model, NULL, 0), TANDEM_MODEL_INVALID);
    // A program of an older release, whose options had no memory yet.
    const tandem_model_options older = {
        .size = offsetof(tandem_model_options, memory), .config = "nano", .memory_bytes = 4096, .memory = &none};
    cr_expect_eq(tandem_model_create(&older, &model, NULL, 0), TANDEM_MODEL_OK);
    tandem_model_destroy(model);
    tandem_model_destroy(NULL);
}

Test(model_library, not_now,
     .description = "GM-1 calls in the wrong order are refused, and the device goes on [model]") {
    tandem_model *alone = create(NULL, 1), *follows = follower(1);
    tandem_model_event event = {.kind = tandem_model_kind("INTERRUPT")};
    tandem_model_difference difference = {.size = sizeof difference};
    uint32_t value;
    cr_expect_eq(tandem_model_follow(alone, &event), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_follow_end(alone), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_follow_cycle(alone, 1), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_follow_memory(alone, 0, &value, 4), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_difference_of(alone, &difference), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_report(alone, "/tmp/never"), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_follow_begin(follows, NULL), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_step(follows, 1, NULL), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_run_until_event(follows, 0, 1, NULL), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_listen(follows, keep, NULL), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_register_write(follows, 0x10, 1), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_difference_of(follows, &difference), TANDEM_MODEL_STATE);
    for (unsigned i = 0; i < 2; i++) {
        tandem_model *model = i == 0 ? alone : follows;
        cr_expect_eq(tandem_model_register_read(model, 2, &value), TANDEM_MODEL_INVALID);
        cr_expect_eq(tandem_model_register_read(model, 1 << 20, &value), TANDEM_MODEL_INVALID);
        cr_expect_eq(tandem_model_memory_write(model, MEMORY - 3, &value, 4), TANDEM_MODEL_INVALID);
        cr_expect_eq(tandem_model_memory_read(model, UINT64_MAX, &value, 4), TANDEM_MODEL_INVALID);
    }
    // Both still work.
    write_commands(alone, 9);
    start(alone);
    cr_expect_eq(tandem_model_run_until_idle(alone, 10000, NULL), TANDEM_MODEL_IDLE);
    check_done(alone, 9);
    static struct record record;
    run_and_record(&record, 1);
    cr_expect_eq(follow_all(follows, &record), TANDEM_MODEL_OK);
    tandem_model_destroy(alone);
    tandem_model_destroy(follows);
}

// What ran alone for a while follows from there, also when it comes from a file.
Test(model_library, follows_from_the_middle, .description = "GM-3 GM-1 after any number of steps [model]") {
    static struct record record;
    char path[] = "/tmp/test-middle-XXXXXX", message[256];
    close(mkstemp(path));
    for (uint32_t steps = 0; steps < 60; steps += 3) {
        tandem_model *leader = create(NULL, 5), *follows = create(NULL, 5);
        for (unsigned i = 0; i < 2; i++) {
            write_commands(i == 0 ? leader : follows, 50);
            start(i == 0 ? leader : follows);
            cr_assert_neq(tandem_model_step(i == 0 ? leader : follows, steps, NULL), TANDEM_MODEL_STATE);
        }
        if (steps % 2 == 0) {
            cr_assert_eq(tandem_model_save(follows, path), TANDEM_MODEL_OK);
            tandem_model_destroy(follows);
            cr_assert_eq(tandem_model_load(path, NULL, &follows, message, sizeof message), TANDEM_MODEL_OK, "%s",
                         message);
        }
        record.count = 0;
        cr_assert_eq(tandem_model_listen(leader, keep, &record), TANDEM_MODEL_OK);
        cr_assert_eq(tandem_model_run_until_idle(leader, 10000, NULL), TANDEM_MODEL_IDLE);
        const tandem_model_follow_options options = {.size = sizeof options, .no_fetches = 1};
        cr_assert_eq(tandem_model_follow_begin(follows, &options), TANDEM_MODEL_OK);
        cr_expect_eq(follow_all(follows, &record), TANDEM_MODEL_OK, "%u steps: %s", steps,
                     tandem_model_message(follows));
        check_done(follows, 50);
        tandem_model_destroy(leader);
        tandem_model_destroy(follows);
    }
    unlink(path);
}

Test(model_library, until_an_event, .description = "GM-1 it stops behind it, or says why not [model]") {
    tandem_model *model = create(NULL, 1);
    tandem_model_event event;
    const uint32_t semaphore = tandem_model_kind("SEMAPHORE");
    write_commands(model, 3);
    start(model);
    cr_assert_eq(tandem_model_run_until_event(model, semaphore, 10000, &event), TANDEM_MODEL_OK);
    uint64_t payload;
    cr_assert_eq(tandem_model_event_get(&event, "payload", &payload), TANDEM_MODEL_OK);
    cr_expect_eq(payload, 3);
    cr_expect_eq(word_at(model, SPACE + TARGET), 3);
    cr_expect_eq(word_at(model, SPACE + TARGET + 4), 0);
    cr_expect_eq(tandem_model_run_until_event(model, semaphore, 1, &event), TANDEM_MODEL_STATE);
    cr_expect_eq(tandem_model_run_until_event(model, tandem_model_kind("INTERRUPT"), 10000, &event), TANDEM_MODEL_IDLE);
    cr_expect_eq(tandem_model_run_until_event(model, 1000, 10000, &event), TANDEM_MODEL_INVALID);
    check_done(model, 3);
    tandem_model_destroy(model);
}

Test(model_library, events_by_name, .description = "GM-1 kinds, fields, text [model]") {
    cr_expect_eq(tandem_model_kind("NONE"), TANDEM_MODEL_NO_KIND);
    cr_expect_eq(tandem_model_kind(NULL), TANDEM_MODEL_NO_KIND);
    cr_expect_null(tandem_model_kind_name(TRACE_KIND_COUNT));
    for (uint32_t kind = 0; tandem_model_kind_name(kind) != NULL; kind++) {
        tandem_model_event event = {.kind = kind, .cycle = 12}, back;
        cr_expect_eq(tandem_model_kind(tandem_model_kind_name(kind)), kind);
        for (unsigned f = 0; f < tandem_model_field_count(kind); f++) {
            tandem_model_field field = {.size = sizeof field};
            uint64_t value;
            cr_assert_eq(tandem_model_field_of(kind, f, &field), TANDEM_MODEL_OK);
            const bool wide = field.bits > 64;
            cr_expect_eq(tandem_model_event_set(&event, field.name, 1), wide ? TANDEM_MODEL_INVALID : TANDEM_MODEL_OK);
            if (wide) continue;
            cr_expect_eq(tandem_model_event_get(&event, field.name, &value), TANDEM_MODEL_OK);
            cr_expect_eq(value, 1);
            if (field.bits < 64)
                cr_expect_eq(tandem_model_event_set(&event, field.name, UINT64_C(1) << field.bits),
                             TANDEM_MODEL_INVALID);
        }
        cr_expect_eq(tandem_model_event_set(&event, "no_such_field", 1), TANDEM_MODEL_INVALID);
        char line[2048], why[256];
        (void)tandem_model_event_print(&event, line, sizeof line);
        cr_assert_eq(tandem_model_event_parse(line, &back, why, sizeof why), TANDEM_MODEL_OK, "%s: %s", line, why);
        cr_expect_eq(memcmp(&event, &back, sizeof event), 0, "%s", line);
    }
    tandem_model_event event;
    char why[256];
    cr_expect_eq(tandem_model_event_parse("cycle 1 NONE", &event, why, sizeof why), TANDEM_MODEL_INVALID);
    cr_expect_not_null(strstr(why, "NONE"));
}

Test(model_library, a_report, .description = "GM-1 both sides, the last events, the command [model]") {
    static struct record record;
    char path[] = "/tmp/test-report-XXXXXX", text[65536];
    close(mkstemp(path));
    run_and_record(&record, 40);
    tandem_model *model = create(NULL, 1);
    const tandem_model_follow_options options = {
        .size = sizeof options, .name = "their device", .replay = "make their-test", .no_fetches = 1};
    cr_assert_eq(tandem_model_follow_begin(model, &options), TANDEM_MODEL_OK);
    write_commands(model, 41);
    cr_assert_eq(follow_all(model, &record), TANDEM_MODEL_DIFFERS);
    cr_expect_not_null(strstr(tandem_model_message(model), "RTL 0x28, model 0x29"), "%s", tandem_model_message(model));
    cr_assert_eq(tandem_model_report(model, path), TANDEM_MODEL_OK);
    FILE *file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    static const char *const parts[] = {"their device", "replay     make their-test\n", "the last events",
                                        "[channel 0]", "REG_WRITE addr="};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        cr_expect_not_null(strstr(text, parts[i]), "%s", parts[i]);
    cr_expect_eq(tandem_model_report(model, "/no/such/folder/file"), TANDEM_MODEL_FILE);
    tandem_model_destroy(model);
}
