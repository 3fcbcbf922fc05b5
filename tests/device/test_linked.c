// Launches by threads that wait for others, counted and started by the task unit (tests/kernels/linked.cl): no ring.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "compiler/library/work_queue.h"
#include "gen/registers.h"
#include "work_bench.h"

enum { WORDS = 512, BAD_WAIT_LIST = -57 };

static struct work_bench begin(const char *name, uint32_t pieces) {
    // Token queues of full take a part of the 4 MiB that devices have here else.
    char larger[64];
    snprintf(larger, sizeof larger, "%s,mem=8", name);
    struct work_bench b = work_begin(larger, 16, pieces, "linked.elf", "");
    b.name = name;
    return b;
}

struct launch {
    struct work_bench b;
    tandem_addr out, bad;
    uint32_t words[WORDS];
};

// more: a word behind out and bad, or NULL. Nothing goes through the ring but the end of the launch, and every answer is
// good.
static void run(struct launch *l, const char *kernel, uint32_t items, const uint32_t *more) {
    struct tandem_device *device = l->b.device;
    struct tandem_work_queue_state before, after;
    l->out = new_words(device, WORDS);
    l->bad = new_words(device, 1);
    const struct tandem_argument arguments[] = {{&l->out, 4}, {&l->bad, 4}, {more, 4}};
    must(device, TANDEM_OK, tandem_work_queue_state(l->b.channel, &before));
    work_run(&l->b, kernel, items, items, arguments, more != NULL ? 3 : 2);
    must(device, TANDEM_OK, tandem_work_queue_state(l->b.channel, &after));
    must(device, TANDEM_OK, tandem_read(device, l->out, l->words, sizeof l->words));
    cr_expect_eq(after.soft_put - before.soft_put, 2, "%s: %u entries of the ring", kernel,
                 after.soft_put - before.soft_put - 2);
    cr_expect_eq(read_word(device, l->bad), 0, "%s: %u launches were refused", kernel, read_word(device, l->bad));
    must(device, TANDEM_OK, tandem_free(device, l->out));
    must(device, TANDEM_OK, tandem_free(device, l->bad));
}

static bool is_slow(const char *name) {
    return strncmp(name, "model", 5) != 0;
}

// By one thread, and by all of a warp.
static void chains(const char *name) {
    struct launch l = {.b = begin(name, 256)};
    const uint32_t links = is_slow(name) ? 5 : 40;
    uint32_t wanted = 1;
    for (uint32_t k = 0; k < links; k++)
        wanted = wanted * 3 + k;
    for (uint32_t items = 1; items <= 32; items += 31) {
        const uint32_t some = items == 1 ? links : links / 4;
        uint32_t last = 1;
        for (uint32_t k = 0; k < some; k++)
            last = last * 3 + k;
        run(&l, "chain", items, &some);
        for (uint32_t i = 0; i < items; i++)
            cr_expect_eq(l.words[i], last, "%u threads, chain %u: %u", items, i, l.words[i]);
    }
    work_end(&l.b);
}
ON_DEVICES(linked, chains, "WQ-28 WQ-31 TU-15 each launch starts when the one before has ended")

// One event for one launch, for two, and for many, which need relays.
static void fans(const char *name) {
    struct launch l = {.b = begin(name, 256)};
    const uint32_t most = is_slow(name) ? 7 : 90;
    for (uint32_t count = 1; count <= most; count += count < 4 ? 1 : count < 7 ? 3 : 83) {
        run(&l, "fan", 1, &count);
        cr_expect_eq(l.words[count], 0, "%u ran before their event", l.words[count]);
        for (uint32_t k = 0; k < count; k++)
            cr_expect_eq(l.words[k], k % 2 == 0 ? 3 : 15, "%u of %u: %u", k, count, l.words[k]);
    }
    work_end(&l.b);
}
ON_DEVICES(linked, fans, "WQ-28 TU-15 any number of launches wait for one event")

static void fan_in(const char *name) {
    struct launch l = {.b = begin(name, 64)};
    run(&l, "fan_in", 1, NULL);
    cr_expect_eq(l.words[0], 0x1FFFF);
    cr_expect_eq(l.words[1], 0xFFFF, "%x", l.words[1]);
    cr_expect_eq((int32_t)l.words[2], BAD_WAIT_LIST);
    cr_expect(l.words[3] == 0 && l.words[4] == 0);
    cr_expect_eq((int32_t)l.words[5], BAD_WAIT_LIST);
    work_end(&l.b);
}
ON_DEVICES(linked, fan_in, "WQ-28 a launch waits for 16 events, and for no more")

static void diamonds(const char *name) {
    struct launch l = {.b = begin(name, 256)};
    for (uint32_t items = 1; items <= 9; items += 8) {
        run(&l, "diamond", items, NULL);
        for (uint32_t i = 0; i < items; i++)
            cr_expect_eq(l.words[4 * i + 3], 814, "%u threads, %u: %u", items, i, l.words[4 * i + 3]);
    }
    work_end(&l.b);
}
ON_DEVICES(linked, diamonds, "WQ-28 TU-15 a launch waits for two that wait for one")

static void children(const char *name) {
    struct launch l = {.b = begin(name, 256)};
    const uint32_t depth = is_slow(name) ? 2 : 6, nodes = (2u << depth) - 1;
    run(&l, "children", 1, &depth);
    cr_expect_eq(l.words[0], nodes);
    cr_expect_eq(l.words[1], nodes, "the event came after %u launches of %u", l.words[1], nodes);
    cr_expect_eq(l.words[2], nodes * 1000 + 30, "%u", l.words[2]);
    work_end(&l.b);
}
ON_DEVICES(linked, children, "WQ-26 WQ-28 TU-15 a launch counts as ended when all that it has launched has")

static void behind(const char *name) {
    struct launch l = {.b = begin(name, 64)};
    run(&l, "behind", 32, NULL);
    cr_expect_eq(l.words[0], 1032);
    cr_expect_eq(l.words[1], 1032, "%u", l.words[1]);
    for (uint32_t k = 0; k < 4; k++)
        cr_expect_eq(l.words[3 + k], (3 + (k ^ 1)) * 10000 + 1032, "%u: %u", k, l.words[3 + k]);
    work_end(&l.b);
}
ON_DEVICES(linked, behind, "WQ-17 WQ-28 a launch waits for its parent and for an event")

static void errors(const char *name) {
    struct launch l = {.b = begin(name, 64)};
    const uint32_t count = is_slow(name) ? 5 : 12;
    for (unsigned round = 0; round < 2; round++) {  // the second finds memory that was given up
        run(&l, "error", 1, &count);
        for (uint32_t k = 0; k < 7; k++)
            cr_expect_eq(l.words[k], k == 4 ? 2 : 0, "round %u, word %u: %u", round, k, l.words[k]);
    }
    work_end(&l.b);
}
ON_DEVICES(linked, errors, "WQ-28 TU-15 the error of a user's event reaches all that waits for it, and nothing else")

// Words that could be taken for events: none, the record, a piece, a word in an event, one behind all of them.
static void no_events(const char *name) {
    struct work_bench b = begin(name, 64);
    struct tandem_work_queue_state state;
    struct work_queue q;
    must(b.device, TANDEM_OK, tandem_work_queue_state(b.channel, &state));
    must(b.device, TANDEM_OK, tandem_read(b.device, state.record, &q, sizeof q));
    const uint32_t words[] = {0,
                              state.record,
                              q.pool,
                              1,
                              2,
                              q.events - 256,
                              q.events + q.event_bytes,
                              0xFFFFFFFF,
                              q.events + q.event_bytes - 1,
                              q.events + 2};
    enum { COUNT = sizeof words / sizeof words[0] };
    const tandem_addr out = new_words(b.device, WORDS), bad = new_words(b.device, 1), list = new_words(b.device, COUNT);
    const uint32_t count = COUNT;
    must(b.device, TANDEM_OK, tandem_write(b.device, list, words, sizeof words));
    const struct tandem_argument arguments[] = {{&out, 4}, {&bad, 4}, {&list, 4}, {&count, 4}};
    work_run(&b, "no_events", 1, 1, arguments, 4);
    work_run(&b, "no_events_in_lists", 1, 1, arguments, 4);
    cr_expect_eq(read_word(b.device, bad), 0);
    for (uint32_t k = 0; k < COUNT; k++) {
        for (uint32_t i = 0; i < 4; i++) {
            const int32_t got = (int32_t)read_word(b.device, out + 4 * (8 + 4 * k + i));
            cr_expect_eq(got, i == 2 ? 0 : BAD_WAIT_LIST, "word %u (0x%x), answer %u: %d", k, words[k], i, got);
        }
    }
    cr_expect_eq(read_word(b.device, out), 1);
    cr_expect_eq(read_word(b.device, out + 4), 0, "%u launches that were refused ran", read_word(b.device, out + 4));
    work_end(&b);
}
ON_DEVICES(linked, no_events, "WQ-28 words that are no events are refused in wait lists, and harm nobody")

static void no_lists(const char *name) {
    struct launch l = {.b = begin(name, 64)};
    run(&l, "no_lists", 1, NULL);
    cr_expect_eq((int32_t)l.words[0], BAD_WAIT_LIST);
    cr_expect_eq((int32_t)l.words[1], BAD_WAIT_LIST);
    cr_expect_eq(l.words[2], 0, "%u launches that were refused ran", l.words[2]);
    cr_expect_eq(l.words[3], 1);
    work_end(&l.b);
}
ON_DEVICES(linked, no_lists, "WQ-28 a wait list and its number that do not go together are refused")

// Nobody waits for ever: what waits for an event that nobody ends is left where it is.
static void never(const char *name) {
    struct work_bench b = begin(name, 64);
    const tandem_addr out = new_words(b.device, 2), bad = new_words(b.device, 1);
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument arguments[] = {{&out, 4}, {&bad, 4}};
    for (unsigned round = 0; round < 3; round++) {
        must(b.device, TANDEM_OK, tandem_launch(b.channel, b.module, "never", &one, arguments, 2));
        must(b.device, TANDEM_OK, tandem_finish(b.channel, WORK_DEADLINE));
        cr_expect(read_word(b.device, out) == 0 && read_word(b.device, out + 4) == 5 && read_word(b.device, bad) == 0);
    }
    must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));  // all memory is there again
    work_check_queue(&b);
    work_end(&b);
}
ON_DEVICES(linked, never, "WQ-28 a launch that waits for what never ends holds up nothing")

// 16 pieces and 16 events, relays among them, beside 64 pieces that stand ready.
static void many(const char *name) {
    struct launch l = {.b = begin(name, 16)};
    const uint32_t most = 100;
    for (unsigned round = 0; round < 2; round++) {
        run(&l, "many", 1, &most);
        cr_expect(l.words[1] >= 8 && l.words[1] < 16, "%u", l.words[1]);
        cr_expect_eq(l.words[0], l.words[1], "%u of %u ran", l.words[0], l.words[1]);
        cr_expect((int32_t)l.words[2] == -100 || (int32_t)l.words[2] == -5, "%d", (int32_t)l.words[2]);
    }
    work_end(&l.b);
}
ON_DEVICES(linked, many, "WQ-26 WQ-28 memory of events used up: the thread is told, nothing is lost")

static void faulty(const char *name) {
    struct work_bench b = begin(name, 64);
    struct tandem_fault fault;
    const tandem_addr out = new_words(b.device, 2), bad = new_words(b.device, 1);
    const uint32_t place = 0xFFFFFFFC;
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument arguments[] = {{&out, 4}, {&bad, 4}, {&place, 4}};
    must(b.device, TANDEM_OK, tandem_launch(b.channel, b.module, "faulty", &one, arguments, 3));
    must(b.device, TANDEM_CHANNEL_FAULT, tandem_finish(b.channel, WORK_DEADLINE));
    cr_assert(tandem_channel_fault(b.channel, &fault));
    cr_expect_eq(fault.code, FAULT_MEMORY_BOUNDS, "%s", fault.text);
    cr_expect(read_word(b.device, out) == 1 && read_word(b.device, out + 4) == 0);
    must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));
    struct launch l = {.b = b};
    run(&l, "diamond", 2, NULL);
    cr_expect_eq(l.words[3], 814);
    work_end(&l.b);
}
ON_DEVICES(linked, faulty,
           "WQ-29 TU-15 a fault in the middle of a chain: what waits for it does not run; then all is new")
