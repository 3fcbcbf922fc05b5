// Short runs that the manual's pictures show: `runs NAME DEVICE`. The same name and device give the same cycles, so a
// picture that is made from such a run stays as it is until the hardware changes. What a run is about is said beside
// each function.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/tandem.h"
#include "isa/assembler.h"

#define DEADLINE 200000u

static struct tandem_device *device;
static struct tandem_module *module;

static void must(enum tandem_status status) {
    if (status == TANDEM_OK) return;
    fprintf(stderr, "runs: %s: %s\n", tandem_status_name(status), tandem_message(device));
    exit(1);
}

static struct tandem_channel *new_channel(void) {
    struct tandem_channel *channel;
    must(tandem_channel_open(device, 8, 0, &channel));
    return channel;
}

// `count` words of zero, each in a line of its own so that nothing else touches it.
static tandem_addr new_words(uint32_t count) {
    static const unsigned char zero[256];
    tandem_addr address;
    must(tandem_alloc(device, sizeof zero, 32, &address));
    must(tandem_write(device, address, zero, count * 4));
    return address;
}

static void launch(struct tandem_channel *channel, const char *kernel, uint32_t ctas, uint32_t level,
                   uint32_t argument) {
    const struct tandem_range range = {.dimensions = 1, .global = {ctas}, .local = {1}};
    const struct tandem_scheduling scheduling = {.level = level};
    const struct tandem_argument arguments[] = {{&argument, sizeof argument}};
    must(tandem_launch_scheduled(channel, module, kernel, &range, &scheduling, arguments, 1));
}

// A launch of one thread that adds 1 to a word in memory: the handshakes from the method to the warp, and the addition.
static void run_launch(void) {
    struct tandem_channel *channel = new_channel();
    tandem_addr word = new_words(1);
    launch(channel, "add", 1, 0, word);
    must(tandem_submit(channel));
    must(tandem_finish(channel, DEADLINE));
}

// Channel 0 acquires a semaphore that channel 1 releases later.
static void run_acquire(void) {
    struct tandem_channel *waits = new_channel(), *wakes = new_channel();
    tandem_addr semaphore = new_words(1);
    must(tandem_semaphore_acquire(waits, semaphore, 1));
    must(tandem_submit(waits));
    must(tandem_run(device, 400));
    must(tandem_semaphore_release(wakes, semaphore, 1, false));
    must(tandem_submit(wakes));
    must(tandem_finish(waits, DEADLINE));
    must(tandem_finish(wakes, DEADLINE));
}

// Two tasks of level 0 fill both slots of nano, then one of level 9 comes.
static void run_eviction(void) {
    struct tandem_channel *low = new_channel(), *high = new_channel();
    launch(low, "count", 3, 0, 12);
    launch(low, "count", 3, 0, 12);
    must(tandem_submit(low));
    must(tandem_run(device, 200));
    launch(high, "count", 1, 9, 6);
    must(tandem_submit(high));
    must(tandem_finish(high, DEADLINE));
    must(tandem_finish(low, DEADLINE));
}

static const struct {
    const char *name;
    void (*run)(void);
} runs[] = {{"launch", run_launch}, {"acquire", run_acquire}, {"eviction", run_eviction}};

int main(int argc, char **argv) {
    size_t which = 0;
    while (argc == 3 && which < sizeof runs / sizeof runs[0] && strcmp(runs[which].name, argv[1]) != 0)
        which++;
    if (argc != 3 || which == sizeof runs / sizeof runs[0]) {
        fprintf(stderr, "usage: runs launch|acquire|eviction DEVICE\n");
        return 2;
    }
    char message[512];
    struct code_object code;
    if (!assemble_file("tests/pictures/programs.s", &code, message, sizeof message)) {
        fprintf(stderr, "runs: %s\n", message);
        return 1;
    }
    void *elf = NULL;
    size_t size = 0;
    if (!code_object_write(&code, &elf, &size, message, sizeof message) ||
        tandem_open(argv[2], &device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "runs: %s\n", message);
        return 1;
    }
    must(tandem_module_load(device, elf, size, &module));
    runs[which].run();
    must(tandem_close(device));
    tandem_module_unload(module);
    free(elf);
    code_object_free(&code);
    return 0;
}
