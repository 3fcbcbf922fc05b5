// Several threads use one device at once: their calls take turns, nothing is lost, what one closes ends the others' waits.
// Built with ThreadSanitizer: a data race is a failure too.
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"
#include "common/seed.h"
#include "driver/tandem.h"
#include "gen/registers.h"
#include "isa/assembler.h"
#include "random_numbers.h"

static const char help[] =
    "usage: threads [--seed N] [--laps N] [--device NAME]\n"
    "Threads share a device: each with a space of its own, several on one channel, some that close, reset or "
    "interrupt\n"
    "what others wait on. --laps: of each thread (default 12). Exit status 0: all as it should be.\n";

enum { WORKERS = 3, SHARERS = 3, ITEMS = 64 };

// add: out[i] = in[i] + value; count: adds one to a word for each item; hang: never ends.
static const char program[] =
    ".kernel add\n.registers 8\n.arg global in\n.arg global out\n.arg value value\n"
    "    S2R R0, SR_CTAID_X\n    S2R R1, SR_NTID_X\n    S2R R2, SR_TID_X\n    IMAD R0, R0, R1, R2\n    SHL R0, R0, 2\n"
    "    LDC.32 R3, c[0][RZ + 0x40]\n    LDC.32 R4, c[0][RZ + 0x44]\n    LDC.32 R5, c[0][RZ + 0x48]\n"
    "    IADD R3, R3, R0\n    IADD R4, R4, R0\n    LDG.32 R6, [R3]\n    IADD R6, R6, R5\n    STG.32 [R4], R6\n    "
    "EXIT\n"
    ".kernel count\n.registers 8\n.arg global word\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    MOV R2, 1\n    ATOMG.ADD RZ, [R1], R2\n    EXIT\n"
    ".kernel hang\n.registers 4\nforever:\n    BRA forever\n    EXIT\n";

struct shared {
    struct tandem_device *device;
    void *elf;
    size_t elf_size;
    uint64_t seed, laps;
    atomic_uint failures;
};

struct worker {
    pthread_t thread;
    struct shared *shared;
    unsigned number;
    uint64_t random;
    struct tandem_channel *channel;  // that several share, or that one waits on
    struct tandem_space *space;
    struct tandem_module *module;
    tandem_addr word;
    enum tandem_status result;
    atomic_bool waits;
};

#define EXPECT(shared_, condition, ...)                      \
    do {                                                     \
        if (!(condition)) {                                  \
            fprintf(stderr, "threads: line %d: ", __LINE__); \
            fprintf(stderr, __VA_ARGS__);                    \
            fputc('\n', stderr);                             \
            atomic_fetch_add(&(shared_)->failures, 1);       \
        }                                                    \
    } while (0)
#define GOOD(shared_, call)                                                                     \
    do {                                                                                        \
        const enum tandem_status status_ = (call);                                              \
        EXPECT(shared_, status_ == TANDEM_OK, "%s: %s: %s", #call, tandem_status_name(status_), \
               tandem_message((shared_)->device));                                              \
    } while (0)

static const struct tandem_range items = {.dimensions = 1, .global = {ITEMS}, .local = {32}};

// A space of its own, opened, used and closed over and over; wrong calls in between, whose messages are its own.
static void *own_space(void *context) {
    struct worker *w = context;
    struct shared *s = w->shared;
    for (uint64_t lap = 0; lap < s->laps; lap++) {
        struct tandem_space *space = NULL;
        struct tandem_channel *channel = NULL;
        struct tandem_module *module = NULL;
        tandem_addr in = 0, out = 0;
        uint32_t from[ITEMS], to[ITEMS], value = (uint32_t)random_bits(&w->random);
        GOOD(s, tandem_space_open(s->device, TANDEM_SPACE_LEAST, &space));
        if (space == NULL) break;
        GOOD(s, tandem_space_channel_open(space, 8, w->number % 4, &channel));
        GOOD(s, tandem_space_module_load(space, s->elf, s->elf_size, &module));
        if (channel == NULL || module == NULL) break;
        GOOD(s, tandem_space_alloc(space, sizeof from, 32, &in));
        GOOD(s, tandem_space_alloc(space, sizeof to, 32, &out));
        for (uint32_t i = 0; i < ITEMS; i++)
            from[i] = (uint32_t)random_bits(&w->random);
        GOOD(s, tandem_space_write(space, in, from, sizeof from));
        const struct tandem_argument arguments[] = {{&in, 4}, {&out, 4}, {&value, 4}};
        GOOD(s, tandem_launch(channel, module, "add", &items, arguments, 3));
        GOOD(s, tandem_finish(channel, 0));
        GOOD(s, tandem_space_read(space, out, to, sizeof to));
        for (uint32_t i = 0; i < ITEMS; i++)
            EXPECT(s, to[i] == from[i] + value, "space %u, item %u: %u", w->number, i, to[i]);
        const tandem_addr wrong = 0x10000000u * (w->number + 1);
        char says[32];
        snprintf(says, sizeof says, "0x%08x", wrong);
        EXPECT(s, tandem_space_read(space, wrong, to, 4) == TANDEM_BAD_ARGUMENT, "read at %s", says);
        if (random_bits(&w->random) % 2 == 0) usleep(100);
        EXPECT(s, strstr(tandem_message(s->device), says) != NULL, "another thread's message: %s",
               tandem_message(s->device));
        if (random_bits(&w->random) % 2 == 0) GOOD(s, tandem_launch(channel, module, "hang", &items, NULL, 0));
        GOOD(s, tandem_submit(channel));
        if (random_bits(&w->random) % 2 == 0) {
            GOOD(s, tandem_channel_close(channel));
            channel = NULL;
        }
        GOOD(s, tandem_space_close(space));
        GOOD(s, tandem_channel_close(channel));
        tandem_module_unload(module);
        struct tandem_statistics statistics;
        tandem_get_statistics(s->device, &statistics);
        EXPECT(s, statistics.mismatches == 0, "mismatches");
    }
    return NULL;
}

// Several threads launch through one channel, and each waits for the end of what it has launched.
static void *one_channel(void *context) {
    struct worker *w = context;
    struct shared *s = w->shared;
    const struct tandem_argument argument = {&w->word, 4};
    for (uint64_t lap = 0; lap < s->laps; lap++) {
        const enum tandem_status status = tandem_launch(w->channel, w->module, "count", &items, &argument, 1);
        GOOD(s, status);
        GOOD(s, tandem_finish(w->channel, 0));
        if (random_bits(&w->random) % 4 == 0) GOOD(s, tandem_run(s->device, 500));
    }
    return NULL;
}

static void start(struct shared *s, struct worker *w, unsigned number, void *(*call)(void *)) {
    w->shared = s;
    w->number = number;
    w->random = s->seed + number;
    if (pthread_create(&w->thread, NULL, call, w) != 0) {
        perror("threads");
        exit(2);
    }
}

static void crowd(struct shared *s) {
    struct worker workers[WORKERS + SHARERS] = {0};
    struct tandem_channel *channel = NULL;
    struct tandem_module *module = NULL;
    tandem_addr word = 0;
    uint32_t sum = 0;
    GOOD(s, tandem_channel_open(s->device, 16, 0, &channel));
    GOOD(s, tandem_module_load(s->device, s->elf, s->elf_size, &module));
    GOOD(s, tandem_alloc(s->device, 4, 32, &word));
    GOOD(s, tandem_write(s->device, word, &sum, 4));
    for (unsigned k = 0; k < WORKERS + SHARERS; k++) {
        workers[k].channel = channel;
        workers[k].module = module;
        workers[k].word = word;
        start(s, &workers[k], k, k < WORKERS ? own_space : one_channel);
    }
    for (unsigned k = 0; k < WORKERS + SHARERS; k++)
        pthread_join(workers[k].thread, NULL);
    GOOD(s, tandem_read(s->device, word, &sum, 4));
    EXPECT(s, sum == SHARERS * s->laps * ITEMS, "%u threads have counted", sum);
    GOOD(s, tandem_channel_close(channel));
    tandem_module_unload(module);
}

// Waits for a kernel that never ends.
static void *waiter(void *context) {
    struct worker *w = context;
    atomic_store(&w->waits, true);
    w->result = tandem_finish(w->channel, 0);
    return NULL;
}

enum end { CLOSE_CHANNEL, CLOSE_SPACE, RESET, INTERRUPT, CLOSE_DEVICE };

static void ended(struct shared *s, const char *name, enum end how, enum tandem_status expected) {
    struct worker w = {0};
    char message[256] = "";
    s->device = NULL;
    if (tandem_open(name, &s->device, message, sizeof message) != TANDEM_OK) {
        EXPECT(s, false, "%s", message);
        return;
    }
    GOOD(s, tandem_space_open(s->device, TANDEM_SPACE_LEAST, &w.space));
    GOOD(s, tandem_space_channel_open(w.space, 8, 0, &w.channel));
    GOOD(s, tandem_space_module_load(w.space, s->elf, s->elf_size, &w.module));
    GOOD(s, tandem_launch(w.channel, w.module, "hang", &items, NULL, 0));
    start(s, &w, 0, waiter);
    while (!atomic_load(&w.waits))
        usleep(100);
    usleep(20000);
    switch (how) {
        case CLOSE_CHANNEL: GOOD(s, tandem_channel_close(w.channel)); break;
        case CLOSE_SPACE: GOOD(s, tandem_space_close(w.space)); break;
        case RESET: GOOD(s, tandem_channel_reset(w.channel)); break;
        case INTERRUPT: tandem_interrupt(s->device); break;
        case CLOSE_DEVICE: GOOD(s, tandem_close(s->device)); break;
    }
    pthread_join(w.thread, NULL);
    EXPECT(s, w.result == expected, "end %d: the wait ended with %s, expected %s", (int)how,
           tandem_status_name(w.result), tandem_status_name(expected));
    if (how != CLOSE_CHANNEL) GOOD(s, tandem_channel_close(w.channel));
    tandem_module_unload(w.module);
    if (how != CLOSE_SPACE) GOOD(s, tandem_space_close(w.space));
    if (how != CLOSE_DEVICE) GOOD(s, tandem_close(s->device));
    s->device = NULL;
}

static bool assemble_program(struct shared *s) {
    struct code_object object;
    char error[256] = "";
    const bool made = assemble(program, sizeof program - 1, "threads", &object, error, sizeof error) &&
                      code_object_write(&object, &s->elf, &s->elf_size, error, sizeof error);
    if (made) code_object_free(&object);
    if (!made) fprintf(stderr, "threads: %s\n", error);
    return made;
}

int main(int argc, char **argv) {
    struct shared s = {.seed = seed_from_environment(), .laps = 12};
    const char *device = "model:small,mem=4,space=1";
    char *others[2], message[256] = "";
    int count = 0;
    const struct option_row rows[] = {{"--seed", &s.seed, 0, UINT64_MAX, NULL},
                                      {"--laps", &s.laps, 1, 100000, NULL},
                                      {"--device", NULL, 0, 0, &device}};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return 0;
    }
    if (!options_parse("threads", rows, sizeof rows / sizeof rows[0], argc, argv, others, &count) || count != 0)
        return 2;
    printf("threads: seed %" PRIu64 "\n", s.seed);
    if (!assemble_program(&s)) return 2;
    if (tandem_open(device, &s.device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "threads: %s\n", message);
        return 2;
    }
    crowd(&s);
    GOOD(&s, tandem_close(s.device));
    ended(&s, device, CLOSE_CHANNEL, TANDEM_CLOSED);
    ended(&s, device, CLOSE_SPACE, TANDEM_CLOSED);
    ended(&s, device, RESET, TANDEM_CHANNEL_FAULT);
    ended(&s, device, INTERRUPT, TANDEM_INTERRUPTED);
    ended(&s, device, CLOSE_DEVICE, TANDEM_CLOSED);
    free(s.elf);
    printf("shows: SP-1 SP-3 WQ-8 [model]\n");
    const unsigned failures = atomic_load(&s.failures);
    printf("threads: %u failures\n", failures);
    return failures == 0 ? 0 : 1;
}
