// Child tasks and queue tasks from OpenCL C (tests/kernels/tasks.cl).
#include <string.h>

#include "work_bench.h"

enum { DEADLINE = 4000000, THREADS = 32, EACH = 5, RING = 16 };

static const struct tandem_scheduling plain = {0, false};

static tandem_addr child_of(struct work_bench *b, tandem_addr *count, uint32_t threads) {
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    const struct tandem_argument argument = {count, 4};
    tandem_addr tmd = 0;
    must(b->device, TANDEM_OK, tandem_task_build(b->channel, b->module, "child", &range, &plain, &argument, 1, &tmd));
    return tmd;
}

static void launch(struct work_bench *b, const char *kernel, uint32_t threads, const struct tandem_argument *arguments,
                   size_t count) {
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    must(b->device, TANDEM_OK, tandem_launch(b->channel, b->module, kernel, &range, arguments, count));
    must(b->device, TANDEM_OK, tandem_finish(b->channel, DEADLINE));
}

static void children(const char *name) {
    struct work_bench b = work_begin(name, 0, 0, "tasks.elf", "");
    tandem_addr count = new_words(b.device, 1), tasks = new_words(b.device, 8), seen = new_words(b.device, 8);
    for (uint32_t i = 0; i < 8; i++)
        write_word(b.device, tasks + 4 * i, child_of(&b, &count, 1 + i));
    const struct tandem_argument waits[] = {{&count, 4}, {&tasks, 4}, {&seen, 4}}, goes_on[] = {{&tasks, 4}};
    launch(&b, "parent", 8, waits, 3);
    for (uint32_t i = 0; i < 8; i++)
        cr_expect_eq(read_word(b.device, seen + 4 * i), 36, "thread %u saw %u", i, read_word(b.device, seen + 4 * i));
    launch(&b, "careless", 8, goes_on, 1);
    cr_expect_eq(read_word(b.device, count), 36 + 36 - 4);
    work_end(&b);
}
ON_DEVICES(tasks_in_c, children, "TU-8 tandem_launch and tandem_launch_wait in OpenCL C")

static tandem_addr launch_eater(struct work_bench *b, struct tandem_queue *queue, tandem_addr *counts) {
    const struct tandem_argument arguments[] = {{&queue->ring, 4}, {counts, 4}};
    tandem_addr tmd = 0;
    must(b->device, TANDEM_OK, tandem_launch_queue(b->channel, b->module, "eat", 4, queue, &plain, arguments, 2, &tmd));
    must(b->device, TANDEM_OK, tandem_submit(b->channel));
    return tmd;
}

// 32 threads append at once to a ring of 16: every entry runs once, who finds it full is told, and tries again.
static void appenders(const char *name) {
    struct work_bench b = work_begin(name, 0, 0, "tasks.elf", "");
    tandem_addr counts = new_words(b.device, THREADS * EACH), told = new_words(b.device, 2);
    struct tandem_queue queue = {.ring = new_words(b.device, RING), .entries = RING, .entry_bytes = 4, .per_cta = 4};
    const tandem_addr tmd = launch_eater(&b, &queue, &counts);
    const uint32_t each = EACH;
    const struct tandem_argument arguments[] = {{&tmd, 4}, {&told, 4}, {&each, 4}};
    launch(&b, "feed", THREADS, arguments, 3);
    for (uint32_t i = 0; i < THREADS * EACH; i++)
        cr_assert_eq(read_word(b.device, counts + 4 * i), 1, "entry %u ran %u times", i,
                     read_word(b.device, counts + 4 * i));
    cr_expect_eq(read_word(b.device, tmd) & 0x7FFFFFFF, THREADS * EACH, "OUTER_PUT");
    cr_expect_eq(read_word(b.device, tmd + 4), THREADS * EACH, "OUTER_GET");
    cr_expect_gt(read_word(b.device, told), 0, "32 threads, 16 entries: some find the ring full");
    work_end(&b);
}
ON_DEVICES(tasks_in_c, appenders, "TU-7 32 threads append to a queue task at once while it runs, and close it")

// Nobody takes entries out (the task has not been launched): 16 of 20 threads get one, the others are told.
static void full_ring(const char *name) {
    struct work_bench b = work_begin(name, 0, 0, "tasks.elf", "");
    tandem_addr tmd = new_words(b.device, 64), told = new_words(b.device, 20), ring = new_words(b.device, RING);
    write_word(b.device, tmd + 4 * 7, RING);       // CIRCULAR_QUEUE_SIZE
    write_word(b.device, tmd + 4 * 9, ring);       // CIRCULAR_QUEUE_ADDR_LOWER
    write_word(b.device, tmd + 4 * 10, 4u << 16);  // CIRCULAR_QUEUE_ENTRY_SIZE
    const struct tandem_argument arguments[] = {{&tmd, 4}, {&told, 4}};
    launch(&b, "fill", 20, arguments, 2);
    uint32_t in = 0;
    for (uint32_t i = 0; i < 20; i++)
        in += read_word(b.device, told + 4 * i);
    cr_expect_eq(in, RING, "%u got in", in);
    cr_expect_eq(read_word(b.device, tmd), RING, "OUTER_PUT");
    for (uint32_t i = 0; i < RING; i++)
        cr_expect_lt(read_word(b.device, ring + 4 * i), 20);
    launch(&b, "fill", 20, arguments, 2);
    for (uint32_t i = 0; i < 20; i++)
        cr_expect_eq(read_word(b.device, told + 4 * i), 0, "thread %u got into a full ring", i);
    work_end(&b);
}
ON_DEVICES(tasks_in_c, full_ring, "TU-7 who finds the ring of a queue task full is told so, and nothing is overwritten")
