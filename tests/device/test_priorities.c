// Priorities: a channel's is the level of its tasks, and of those that their threads make.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work_bench.h"

#define LOWS 100u
// Long enough that tasks wait for a slot, not for the entry that brings them.
#define TURNS 120u
// With children: fewer and longer ones, since their parent needs some thousand cycles for each.
#define LONG_LOWS 60u
#define LONG_TURNS 900u
#define CHILDREN 12u
#define DEADLINE 40000000u

static void launch(struct work_bench *b, struct tandem_channel *channel, const char *kernel,
                   const struct tandem_argument *arguments, size_t count) {
    const struct tandem_range range = {.dimensions = 1, .global = {1}, .local = {1}};
    must(b->device, TANDEM_OK, tandem_launch(channel, b->module, kernel, &range, arguments, count));
}

// So many tasks in a channel, an entry of its ring each: the pending lists are full of them.
static void fill(struct work_bench *b, struct tandem_channel *channel, uint32_t tasks, uint32_t turns,
                 tandem_addr ended) {
    const struct tandem_argument arguments[] = {{&ended, 4}, {&turns, 4}};
    for (uint32_t k = 0; k < tasks; k++) {
        launch(b, channel, "task", arguments, 2);
        must(b->device, TANDEM_OK, tandem_submit(channel));
    }
}

// Two channels with kernels alone; how many of the first one's 100 end until the 40 of the second have ended.
static uint32_t overtaken(const char *name, uint32_t priority, uint32_t other) {
    struct work_bench b = work_begin(name, 0, 0, "priorities.elf", "");
    must(b.device, TANDEM_OK, tandem_channel_close(b.channel));  // nano has two channels
    struct tandem_channel *first = NULL, *second = NULL;
    must(b.device, TANDEM_OK, tandem_channel_open(b.device, LOWS + 1, priority, &first));
    must(b.device, TANDEM_OK, tandem_channel_open(b.device, LOWS + 1, other, &second));
    const tandem_addr ended = new_words(b.device, 16);
    fill(&b, first, LOWS, TURNS, ended);
    must(b.device, TANDEM_OK, tandem_run(b.device, 3000));
    const uint32_t before = read_word(b.device, ended);
    fill(&b, second, 40, TURNS, ended + 32);
    must(b.device, TANDEM_OK, tandem_finish(second, DEADLINE));
    const uint32_t until = read_word(b.device, ended);
    cr_assert_eq(read_word(b.device, ended + 32), 40);
    must(b.device, TANDEM_OK, tandem_finish(first, DEADLINE));
    cr_assert_eq(read_word(b.device, ended), LOWS);
    must(b.device, TANDEM_OK, tandem_channel_close(first));
    must(b.device, TANDEM_OK, tandem_channel_close(second));
    tandem_module_unload(b.module);
    must(b.device, TANDEM_OK, tandem_close(b.device));
    free(b.elf);
    return until - before;
}

static void channels(const char *name) {
    const uint32_t high = overtaken(name, 0, 3), equal = overtaken(name, 1, 1), low = overtaken(name, 3, 0);
    printf("%s: tasks of a channel that end before 40 of another, of higher priority %u, equal %u, lower %u\n", name,
           high, equal, low);
    cr_expect_lt(2 * high, equal);
    cr_expect_gt(low, equal);
}
ON_DEVICES(priorities, channels, "WQ-8 WQ-9 kernels of a channel of higher priority overtake those of others")

// Two channels with entries alone, which the host unit does itself: each leaves its number in the channel's word. How many of the first one's 120 are
// done when the 120 of the second are.
static uint32_t entries_done(const char *name, uint32_t priority, uint32_t other) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *first = NULL, *second = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 128, priority, &first));
    must(device, TANDEM_OK, tandem_channel_open(device, 128, other, &second));
    const tandem_addr words = new_words(device, 16);
    for (uint32_t k = 1; k <= 120; k++) {
        must(device, TANDEM_OK, tandem_semaphore_release(first, words, k, false));
        must(device, TANDEM_OK, tandem_submit(first));
    }
    for (uint32_t k = 1; k <= 120; k++) {
        must(device, TANDEM_OK, tandem_semaphore_release(second, words + 32, k, false));
        must(device, TANDEM_OK, tandem_submit(second));
    }
    for (uint32_t k = 0; k < 100000 && read_word(device, words + 32) != 120; k++)
        must(device, TANDEM_OK, tandem_run(device, 20));
    cr_assert_eq(read_word(device, words + 32), 120);
    const uint32_t done = read_word(device, words);
    must(device, TANDEM_OK, tandem_wait(first, words, 120, DEADLINE));
    must(device, TANDEM_OK, tandem_channel_close(first));
    must(device, TANDEM_OK, tandem_channel_close(second));
    close_device(device);
    return done;
}

static void entries(const char *name) {
    const uint32_t high = entries_done(name, 0, 3), equal = entries_done(name, 1, 1), low = entries_done(name, 3, 0);
    printf("%s: entries of a channel that are done before 120 of another, of higher priority %u, equal %u, lower %u\n",
           name, high, equal, low);
    cr_expect_gt(high, 4, "the lowest priority starves");
    cr_expect_lt(2 * high, equal);
    cr_expect_geq(low, equal);
}
ON_DEVICES(priorities, entries,
           "WQ-8 entries of a channel of higher priority are done first, and others are not forgotten")

// The same for tasks that threads make: `level` 0, or one more than what they ask for.
static uint32_t overtaken_by_children(const char *name, uint32_t level) {
    struct work_bench b = work_begin(name, 0, 0, "priorities.elf", "");
    struct tandem_channel *low = NULL, *high = NULL;
    must(b.device, TANDEM_OK, tandem_channel_close(b.channel));
    must(b.device, TANDEM_OK, tandem_channel_open(b.device, LOWS + 1, 0, &low));
    must(b.device, TANDEM_OK, tandem_channel_open(b.device, 16, 2, &high));
    const tandem_addr ended = new_words(b.device, 16), made = ended + 32;
    fill(&b, low, LONG_LOWS, LONG_TURNS, ended);
    const uint32_t turns = 1, children = CHILDREN;
    const struct tandem_argument arguments[] = {{&made, 4}, {&turns, 4}, {&children, 4}, {&level, 4}};
    launch(&b, high, "parent", arguments, 4);
    must(b.device, TANDEM_OK, tandem_finish(high, DEADLINE));
    const uint32_t until = read_word(b.device, ended);
    cr_assert_eq(read_word(b.device, made), children);
    must(b.device, TANDEM_OK, tandem_finish(low, DEADLINE));
    must(b.device, TANDEM_OK, tandem_channel_close(low));
    must(b.device, TANDEM_OK, tandem_channel_close(high));
    tandem_module_unload(b.module);
    must(b.device, TANDEM_OK, tandem_close(b.device));
    free(b.elf);
    return until;
}

static void children(const char *name) {
    const uint32_t parents = overtaken_by_children(name, 0), lowest = overtaken_by_children(name, 1 + 0);
    printf("%s: low tasks that end before the children of a parent of level 32: %u; where they ask for level 0: %u\n",
           name, parents, lowest);
    cr_expect_lt(parents + CHILDREN / 2, lowest);
}
Test(priorities, children_model, .description = "WQ-9 work of threads has its parent's level or its own [model]") {
    children("model:small");
}
Test(priorities, children_small, .description = "WQ-9 work of threads has its parent's level or its own [tandem]") {
    children("tandem:small");
}
Test(priorities, children_full, .description = "WQ-9 work of threads has its parent's level or its own [tandem]") {
    children("tandem:full");
}

Test(priorities, levels, .description = "WQ-9 a level that there is not is refused [model]") {
    struct work_bench b = work_begin("model:nano", 16, 64, "priorities.elf", "");
    const tandem_addr ended = new_words(b.device, 1);
    const uint32_t turns = 1;
    const struct tandem_argument arguments[] = {{&ended, 4}, {&turns, 4}};
    const struct tandem_range range = {.dimensions = 1, .global = {1}};
    const struct tandem_scheduling wrong = {.level = 64};
    must(b.device, TANDEM_BAD_ARGUMENT,
         tandem_launch_scheduled(b.channel, b.module, "task", &range, &wrong, arguments, 2));
    cr_expect(strstr(tandem_message(b.device), "level 64") != NULL, "%s", tandem_message(b.device));
    work_end(&b);
}
