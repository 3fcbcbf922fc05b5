// enqueue_kernel of OpenCL C 2.0 (tests/kernels/device_enqueue.cl) on every kind of device.
#include <stdio.h>
#include <string.h>

#include "compiler/library/work_queue.h"
#include "work_bench.h"

#define WORDS 512u

static struct work_bench begin(const char *name, const char *test) {
    return work_begin(name, 16, 64, "device_enqueue.cl", test);
}

// Runs a kernel whose first argument is a buffer of zeros and, if there is one, whose second is a number.
static void run(struct work_bench *b, const char *kernel, uint32_t global, const uint32_t *number,
                uint32_t out[WORDS]) {
    tandem_addr buffer = new_words(b->device, WORDS);
    const struct tandem_argument arguments[] = {{&buffer, 4}, {number, 4}};
    work_run(b, kernel, global, global, arguments, number != NULL ? 2 : 1);
    must(b->device, TANDEM_OK, tandem_read(b->device, buffer, out, 4 * WORDS));
    must(b->device, TANDEM_OK, tandem_free(b->device, buffer));
}

static void captures(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_captures");
    uint32_t out[WORDS];
    const uint32_t base = 5000000;
    run(&b, "captures", 6, &base, out);
    for (uint32_t i = 0; i < 6; i++) {
        cr_expect_eq(out[48 + i], 0, "enqueue_kernel of %u: %d", i, (int)out[48 + i]);
        for (uint32_t k = 0; k < 8; k++)
            cr_expect_eq(out[8 * i + k], base + (1000 + i) * 100 + (i + 1) * 10 + k, "%u %u: %u", i, k, out[8 * i + k]);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, captures, "WQ-10 WQ-12 WQ-17 WQ-20 WQ-25 blocks with captured variables")

// Entries of the ring that the launches took: one more is taken with them, and two by the end of it all.
static uint32_t entries_taken(struct work_bench *b, const char *kernel, uint32_t items, const uint32_t *number,
                              uint32_t out[WORDS]) {
    struct tandem_work_queue_state before, after;
    must(b->device, TANDEM_OK, tandem_work_queue_state(b->channel, &before));
    run(b, kernel, items, number, out);
    must(b->device, TANDEM_OK, tandem_work_queue_state(b->channel, &after));
    return after.soft_put - before.soft_put - 2;
}

// Launches do not go through the ring, be the block one that makes work itself or not, the range plain or not.
// More launches than the memory of plain ones has places, so that these come back.
static void straight(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_captures -DTEST_straight -DTEST_events");
    uint32_t out[WORDS];
    const uint32_t base = 7000, many = 100;
    cr_expect_eq(entries_taken(&b, "captures", 6, &base, out), 0);
    for (uint32_t i = 0; i < 6; i++)
        cr_expect_eq(out[8 * i + 7], base + (1000 + i) * 100 + (i + 1) * 10 + 7);
    cr_expect_eq(entries_taken(&b, "straight_many", 1, &many, out), 0);
    for (uint32_t i = 0; i < many; i++)
        cr_expect_eq(out[i], 2 * i + 1, "launch %u: %u", i, out[i]);
    cr_expect_eq(entries_taken(&b, "straight_kinds", 1, NULL, out), 0);
    const uint32_t wanted[] = {12, 4, 99, 3, 5};
    for (uint32_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        cr_expect_eq(out[i], wanted[i], "kind %u: %u", i, out[i]);
    for (uint32_t i = 0; i < 6; i++)
        cr_expect_eq((int32_t)out[16 + i], i == 5 ? -160 : 0, "answer %u: %d", i, (int)out[16 + i]);
    cr_expect_eq(entries_taken(&b, "events", 1, NULL, out), 0);
    work_end(&b);
}
ON_DEVICES(device_enqueue, straight, "WQ-31 a launch needs no ring, with a wait list or without")

static void straight_changes(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_straight");
    const uint32_t many = 60;  // on nano none of the 120 starts before the parent ends, and there is memory for 128
    uint32_t out[WORDS], wanted[WORDS] = {0};
    for (uint32_t i = 0; i < many; i++) {
        for (uint32_t k = 0; k < 2 + i % 2 * 2; k++)
            wanted[i % 3 + k] += 2;
        for (uint32_t k = 0; k < 1 + i % 2; k++)
            wanted[16 + k] += i;
    }
    cr_expect_eq(entries_taken(&b, "straight_changes", 1, &many, out), 0);
    for (uint32_t k = 0; k < 18; k++)
        cr_expect_eq(out[k], wanted[k], "word %u: %u, not %u", k, out[k], wanted[k]);
    work_end(&b);
}
ON_DEVICES(device_enqueue, straight_changes, "WQ-31 a piece serves launches of other kernels, sizes and offsets")

// Of more kernels than there are tags the last ones fill pieces in anew at each launch.
Test(device_enqueue, straight_without_tags_model, .description = "WQ-31 more kernels are loaded than places can name") {
    struct work_bench b = begin("model:small", "-cl-std=CL2.0 -DTEST_straight");
    const uint32_t many = 70;
    for (uint32_t loaded = 0; loaded <= WORK_STRAIGHT_TAG; loaded += 3) {  // that many kernels it has, and some blocks
        tandem_module_unload(b.module);
        must(b.device, TANDEM_OK, tandem_module_load(b.device, b.elf, b.elf_size, &b.module));
    }
    uint32_t out[WORDS];
    cr_expect_eq(entries_taken(&b, "straight_many", 1, &many, out), 0);
    for (uint32_t i = 0; i < many; i++)
        cr_expect_eq(out[i], 2 * i + 1, "launch %u: %u", i, out[i]);
    work_end(&b);
}

// Pieces of a queue that the driver opens for a launch have what launches of the program's first block have in common before
// any thread has launched it; launches find it good, and those of the next program in the same channel find it is not theirs.
static void ready(const char *name) {
    struct work_bench b = work_begin(name, 0, 0, "device_enqueue.cl", "-cl-std=CL2.0 -DTEST_captures -DTEST_straight");
    uint32_t out[WORDS];
    struct tandem_work_queue_state state;
    struct work_queue record;
    for (uint32_t many = 0; many <= 70; many += 70) {
        run(&b, "straight_many", 1, &many, out);
        for (uint32_t i = 0; i < many; i++)
            cr_expect_eq(out[i], 2 * i + 1, "launch %u: %u", i, out[i]);
        must(b.device, TANDEM_OK, tandem_work_queue_state(b.channel, &state));
        must(b.device, TANDEM_OK, tandem_read(b.device, state.record, &record, sizeof record));
        for (uint32_t k = 0; k < WORK_STRAIGHT; k++) {
            cr_expect_neq(record.straight[k] & WORK_STRAIGHT_TAG, 0, "piece %u is not made", k);
        }
    }
    tandem_module_unload(b.module);
    work_load(&b, "device_enqueue.cl", "-cl-std=CL2.0 -DTEST_captures");
    const uint32_t base = 7000;
    run(&b, "captures", 6, &base, out);
    for (uint32_t i = 0; i < 6; i++)
        cr_expect_eq(out[8 * i + 7], base + (1000 + i) * 100 + (i + 1) * 10 + 7);
    work_end(&b);
}
ON_DEVICES(device_enqueue, ready, "WQ-31 memory of straight launches is made for the first block before it is launched")

static uint32_t turned(uint32_t seed, uint32_t n) {
    uint32_t words[24], sum = 0;
    for (uint32_t k = 0; k < 24; k++)
        words[k] = seed * 100 + k;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t from = (seed + 7 * k) % 24, to = (5 * k + 3) % 24, word = words[from];
        words[from] = words[to];
        words[to] = word;
    }
    for (uint32_t k = 0; k < 24; k++)
        sum = sum * 31 + words[(k + n) % 24];
    return sum;
}

// A child has its parent's base of private memory, so all launches of a program that makes work share one, those of the CPU
// among them; launches in between of a kernel that makes none have the channel's.
static void private_memory(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_private");
    uint32_t out[WORDS];
    for (uint32_t n = 5; n < 8; n++) {
        cr_expect_eq(entries_taken(&b, "private_memory", 8, &n, out), 0, "launches went through the ring");
        for (uint32_t i = 0; i < 8; i++) {
            cr_expect_eq(out[i], turned(i, n), "n %u, thread %u: %u", n, i, out[i]);
            cr_expect_eq(out[96 + i], turned(3000 + i, n), "n %u, launch %u: %u", n, i, out[96 + i]);
            cr_expect_eq(out[128 + i] | out[136 + i], 0, "n %u, thread %u was refused", n, i);
        }
        for (uint32_t i = 0; i < 32; i++)
            cr_expect_eq(out[32 + i], turned(1000 + i, n), "n %u, straight %u: %u", n, i, out[32 + i]);
        for (uint32_t i = 0; i < 16; i++)
            cr_expect_eq(out[64 + i], turned(2000 + i, n), "n %u, child's child %u: %u", n, i, out[64 + i]);
        run(&b, "private_plain", 8, &n, out);
        for (uint32_t i = 0; i < 8; i++)
            cr_expect_eq(out[i], turned(i, n), "n %u, plain thread %u: %u", n, i, out[i]);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, private_memory, "WQ-31 launches by threads with private memory need no ring either")

static void ranges(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_ranges");
    uint32_t out[WORDS], wanted[WORDS] = {0};
    run(&b, "ranges", 1, NULL, out);
    for (uint32_t x = 2; x < 8; x++)
        wanted[x] = 10301;
    for (uint32_t y = 0; y < 2; y++)
        for (uint32_t x = 0; x < 4; x++)
            wanted[128 + 8 * y + x] = 20201;
    for (uint32_t z = 1; z < 3; z++)
        for (uint32_t y = 1; y < 3; y++)
            for (uint32_t x = 1; x < 5; x++)
                wanted[256 + (z * 4 + y) * 8 + x] = 30401;
    for (uint32_t x = 0; x < 6; x++)
        wanted[384 + x] = x < 4 ? 10401 : 10201;
    wanted[392] = wanted[393] = (uint32_t)-160;  // CLK_INVALID_NDRANGE
    for (uint32_t i = 0; i < 394; i++)
        cr_expect_eq(out[i], wanted[i], "word %u: %u, expected %u", i, out[i], wanted[i]);
    work_end(&b);
}
ON_DEVICES(device_enqueue, ranges, "WQ-20 TU-6 ranges of one to three dimensions, and such as are refused")

static void flags(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_flags");
    uint32_t out[WORDS], sum = 0;
    run(&b, "flags", 40, NULL, out);
    for (uint32_t i = 0; i < 40; i++)
        sum += 20 * (i + 1);
    cr_expect_eq(out[40], sum, "%u, expected %u", out[40], sum);
    cr_expect_eq(out[41], 20);
    work_end(&b);
}
ON_DEVICES(device_enqueue, flags, "WQ-17 WQ-24 what waits for its parent sees all of its work")

static void local_arguments(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_local_arguments");
    uint32_t out[WORDS];
    const uint32_t n = 32;
    run(&b, "local_arguments", 1, &n, out);
    for (uint32_t i = 0; i < 2 * n; i++) {
        const uint32_t from = n - 1 - i % n;
        cr_expect_eq(out[i], from * from + i / n, "%u: %u", i, out[i]);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, local_arguments, "WQ-20 blocks with local memory as arguments")

static void events(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_events");
    uint32_t out[WORDS];
    for (uint32_t i = 0; i < 3; i++) {
        run(&b, "events", 1, NULL, out);
        const uint32_t wanted[] = {4, 40, 45, 0, 0, 0, 0, 0, 1};
        for (uint32_t k = 0; k < sizeof wanted / 4; k++)
            cr_expect_eq(out[k], wanted[k], "launch %u, word %u: %u", i, k, out[k]);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, events, "WQ-28 events between launches, user events, on every launch again")

// Structures of 100 and of 1000 words among the captured variables: the queue that the driver opens has room for them.
static void large_captures(const char *name) {
    // The structures lie in private memory, of which every thread that could be resident has its own: 17 MiB on full.
    char larger[64];
    snprintf(larger, sizeof larger, "%s,mem=64", name);
    struct work_bench b = work_begin(larger, 0, 0, "device_enqueue.cl", "-cl-std=CL2.0 -DTEST_large_captures");
    uint32_t out[WORDS];
    const uint32_t n = 3;
    run(&b, "large_captures", 1, &n, out);
    cr_expect_eq(out[0], 0, "%d", (int)out[0]);
    cr_expect_eq(out[1], 0, "%d", (int)out[1]);
    for (uint32_t k = 0; k < 100; k++) {
        cr_expect_eq(out[8 + k], 3 * k, "%u: %u", k, out[8 + k]);
        cr_expect_eq(out[128 + k], 3 * (900 + k) + k % 8, "%u: %u", k, out[128 + k]);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, large_captures, "WQ-20 blocks that capture structures of 400 and 4000 bytes")

static void bad_ranges(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_bad_ranges");
    uint32_t out[WORDS];
    for (uint32_t i = 0; i < 2; i++) {  // the second launch finds all as it was
        run(&b, "bad_ranges", 1, NULL, out);
        for (uint32_t k = 0; k < 7; k++) {
            cr_expect_eq(out[k], (uint32_t)-160, "range %u: %d", k, (int)out[k]);  // CLK_INVALID_NDRANGE
            cr_expect_eq(out[16 + k], 0, "range %u ran", k);
        }
        cr_expect_eq(out[7], 0, "%d", (int)out[7]);
        cr_expect_eq(out[23], 2);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, bad_ranges, "WQ-20 ranges whose sizes wrap or that no device has are refused, nothing stops")

static void markers(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_markers");
    uint32_t out[WORDS];
    for (uint32_t i = 0; i < 3; i++) {
        run(&b, "markers", 1, NULL, out);
        const uint32_t wanted[] = {0, 0, 0, 0, (uint32_t)-57, (uint32_t)-57, 0, 0, 12, 112};
        for (uint32_t k = 0; k < sizeof wanted / 4; k++)
            cr_expect_eq(out[k], wanted[k], "launch %u, word %u: %d", i, k, (int)out[k]);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, markers, "WQ-28 markers of launches, of markers and of nothing, on every launch again")

static void one_variable(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_one_variable");
    uint32_t out[WORDS];
    for (uint32_t i = 0; i < 3; i++) {
        run(&b, "one_variable", 1, NULL, out);
        const uint32_t wanted[] = {0, 0, 0, 0, 0, 0, 0, 0, 123, 369, 370};
        for (uint32_t k = 0; k < sizeof wanted / 4; k++)
            cr_expect_eq(out[k], wanted[k], "launch %u, word %u: %d", i, k, (int)out[k]);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, one_variable, "WQ-28 the event that is made goes where the one was that it waits for")

static void errors(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_errors");
    uint32_t out[WORDS];
    for (uint32_t i = 0; i < 3; i++) {
        run(&b, "errors", 1, NULL, out);
        for (uint32_t k = 0; k < 5; k++)
            cr_expect_eq(out[k], k == 3 ? 1 : 0, "launch %u, word %u: %u", i, k, out[k]);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, errors, "WQ-28 what waits for a user event that ends with an error does not run")

// The event has come when what its launch has made has ended; the times are there then.
static void profiling(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_profiling");
    uint32_t out[WORDS];
    for (uint32_t i = 0; i < 2; i++) {
        run(&b, "profiling", 1, NULL, out);
        cr_expect_eq(out[2], 32 * 40, "%u", out[2]);
        cr_expect_eq(out[3], 200, "%u", out[3]);
        cr_expect(out[4] == out[8] && out[5] == out[10] && out[9] == 0 && out[11] == 0);
        // 40 rounds cannot be had in fewer cycles; the launch inside ends after the one around it.
        cr_expect_gt(out[8], 40, "%u ns", out[8]);
        cr_expect_gt(out[10], out[8] + 200, "%u ns, %u ns", out[8], out[10]);
        cr_expect_lt(out[10], 100000000, "%u ns", out[10]);
        for (uint32_t k = 12; k < 16; k++)
            cr_expect_eq(out[k], 0);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, profiling,
           "WQ-26 WQ-28 an event comes when its launch and its launches have ended, with what they took")

static void validity(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_validity");
    uint32_t out[WORDS];
    for (uint32_t i = 0; i < 3; i++) {
        run(&b, "validity", 1, NULL, out);
        const uint32_t wanted[] = {1, 0, 1, (uint32_t)-57, 0, 0, 0, 0, 0, 1};
        for (uint32_t k = 0; k < sizeof wanted / 4; k++)
            cr_expect_eq(out[k], wanted[k], "launch %u, word %u: %d", i, k, (int)out[k]);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, validity, "WQ-28 events given back are none, and harm nobody; a user event ends once")

static void queue_argument(const char *name) {
    struct work_bench b = begin(name, "-cl-std=CL2.0 -DTEST_queue_argument");
    uint32_t out[WORDS];
    const uint32_t any = 0;
    run(&b, "queue_argument", 1, &any, out);
    for (uint32_t k = 0; k < 5; k++)
        cr_expect_eq(out[k], k < 4 ? 7 : 9, "word %u: %u", k, out[k]);
    run(&b, "queue_left_alone", 1, &any, out);
    cr_expect_eq(out[0], 5);
    work_end(&b);
}
ON_DEVICES(device_enqueue, queue_argument, "WQ-20 a queue as an argument of the kernel")

// 64 leaves, 127 launches, 128 pieces of memory, because all may be pending at once; the second run has those that the
// first gave back.
static void tree(const char *name) {
    struct work_bench b = work_begin(name, 16, 128, "device_enqueue.cl", "-cl-std=CL2.0 -DTEST_tree");
    uint32_t out[WORDS];
    const uint32_t count = 64;
    for (unsigned round = 0; round < 2; round++) {
        run(&b, "tree", 1, &count, out);
        for (uint32_t i = 0; i < count; i++)
            cr_expect_eq(out[i], i + 1, "round %u, %u: %u", round, i, out[i]);
    }
    work_end(&b);
}
ON_DEVICES(device_enqueue, tree, "WQ-26 WQ-29 work made by work made by work, each launch splits in two")

static void questions(const char *name) {
    struct work_bench b = work_begin(name, 0, 0, "device_enqueue.cl", "-cl-std=CL2.0 -DTEST_questions");
    struct tandem_info info;
    uint32_t out[WORDS];
    tandem_get_info(b.device, &info);
    run(&b, "questions", 1, NULL, out);
    cr_expect(out[0] >= info.threads && out[0] <= 1024 && out[0] % info.threads == 0, "%u", out[0]);
    cr_expect_eq(out[1], info.threads);
    cr_expect_eq(out[2], 0);
    work_end(&b);
}
ON_DEVICES(device_enqueue, questions, "WQ-10 what a program can ask about a block; the queue is made by itself")
