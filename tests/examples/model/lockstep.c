// Two devices of libtandem-model: one leads, one follows every event of it. The command that they execute releases a
// semaphore. A third device is told a lie and says so.
//
//   cc lockstep.c $(pkg-config --cflags --libs tandem-model) && ./a.out
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tandem_model.h>
#include <tandem_model_registers.h>

enum { SPACE = 0x10000, RING = 0x1000, COMMANDS = 0x2000, SEMAPHORE = 0x3000, PAYLOAD = 77, EVENTS_MAX = 4096 };

struct record {
    tandem_model_event events[EVENTS_MAX];
    unsigned count;
};

static void keep(void *context, const tandem_model_event *event) {
    struct record *record = context;
    if (record->count < EVENTS_MAX) record->events[record->count++] = *event;
}

static void must(tandem_model *model, tandem_model_status status) {
    if (status == TANDEM_MODEL_OK) return;
    fprintf(stderr, "lockstep: %s\n", tandem_model_message(model));
    exit(1);
}

static tandem_model *create(void) {
    const tandem_model_options options = {.size = sizeof options, .config = "nano", .memory_bytes = 1 << 20};
    tandem_model *model;
    char message[256];
    if (tandem_model_create(&options, &model, message, sizeof message) != TANDEM_MODEL_OK) {
        fprintf(stderr, "lockstep: %s\n", message);
        exit(1);
    }
    return model;
}

// What the CPU writes: a command block (SEMAPHOREA to SEMAPHORED: release without waiting, 4 bytes), and the ring's
// entry that names it.
static void write_commands(tandem_model *model) {
    const uint32_t commands[] = {1u << 29 | 4u << 16 | 0x10 / 4, 0, SEMAPHORE, PAYLOAD, 2 | 1u << 20 | 1u << 24};
    const uint32_t entry[] = {COMMANDS, (uint32_t)(sizeof commands / 4) << 10};
    must(model, tandem_model_memory_write(model, SPACE + COMMANDS, commands, sizeof commands));
    must(model, tandem_model_memory_write(model, SPACE + RING, entry, sizeof entry));
}

static void start(tandem_model *model) {
    const uint32_t writes[][2] = {
        {REG_CHANNEL_BASE + CHANNEL_SPACE_BASE, SPACE}, {REG_CHANNEL_BASE + CHANNEL_SPACE_SIZE, 0x10000},
        {REG_CHANNEL_BASE + CHANNEL_GP_BASE, RING},     {REG_CHANNEL_BASE + CHANNEL_GP_ENTRIES, 4},
        {REG_CHANNEL_BASE + CHANNEL_CONTROL, 1},        {REG_USERD_BASE + USERD_GP_PUT, 1}};
    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        must(model, tandem_model_register_write(model, writes[i][0], writes[i][1]));
}

int main(void) {
    static struct record record;
    tandem_model *leader = create(), *follower = create(), *deceived = create();
    tandem_model_event released;
    write_commands(leader);
    must(leader, tandem_model_listen(leader, keep, &record));
    start(leader);
    must(leader, tandem_model_run_until_event(leader, tandem_model_kind("SEMAPHORE"), 1000, &released));
    (void)tandem_model_run_until_idle(leader, 1000, NULL);
    uint64_t payload;
    uint32_t word;
    must(leader, tandem_model_event_get(&released, "payload", &payload));
    must(leader, tandem_model_memory_read(leader, SPACE + SEMAPHORE, &word, sizeof word));

    // The model reads no instructions here; who has no events for that says no_fetches.
    const tandem_model_follow_options options = {.size = sizeof options, .name = "leader", .no_fetches = 1};
    must(follower, tandem_model_follow_begin(follower, &options));
    write_commands(follower);
    for (unsigned i = 0; i < record.count; i++)
        must(follower, tandem_model_follow(follower, &record.events[i]));
    must(follower, tandem_model_follow_end(follower));
    must(follower, tandem_model_follow_memory(follower, SPACE + SEMAPHORE, &word, sizeof word));

    must(deceived, tandem_model_follow_begin(deceived, &options));
    write_commands(deceived);
    tandem_model_status status = TANDEM_MODEL_OK;
    for (unsigned i = 0; i < record.count && status == TANDEM_MODEL_OK; i++) {
        tandem_model_event event = record.events[i];
        if (event.kind == released.kind) must(deceived, tandem_model_event_set(&event, "payload", payload + 1));
        status = tandem_model_follow(deceived, &event);
    }
    printf("released %" PRIu64 ", memory has %" PRIu32 ", %u events, %" PRIu64 " equal\nlie: %s\n", payload, word,
           record.count, tandem_model_followed(follower), tandem_model_message(deceived));
    const int good = payload == PAYLOAD && word == PAYLOAD && status == TANDEM_MODEL_DIFFERS &&
                     tandem_model_followed(follower) == record.count;
    tandem_model_destroy(leader);
    tandem_model_destroy(follower);
    tandem_model_destroy(deceived);
    puts(good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
