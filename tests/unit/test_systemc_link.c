// The link of the SystemC platform alone: what may overtake what, credits, damaged packets, under random traffic.
// TANDEM_SEED=N repeats a run.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"
#include "random_numbers.h"
#include "systemc/link.h"

#define TRANSFERS 600u
#define MEMORY 4096u

// A host that writes and reads, a device with memory, and what each has seen.
struct bench {
    struct link *link;
    uint64_t random, now;
    uint8_t memory[MEMORY];    // of the device
    uint8_t expected[MEMORY];  // as the host has written it
    uint64_t writes_sent, writes_seen, reads_sent, reads_done;
    struct {
        bool used;
        uint32_t at, left, size;
        uint64_t behind;  // writes that were sent before the read
    } read[LINK_TAGS_MAX];
    uint32_t under_way, held_most;
    bool slow;       // the device answers when it likes
    uint32_t pause;  // the longest between two steps, in picoseconds: that of sixteen bytes on the wire, and some
};

// Each write has its number in front, so that a lost, doubled or overtaken one shows.
static void host_writes(struct bench *b) {
    struct link_packet packet = {.kind = LINK_POSTED, .addr = 8 * random_below(&b->random, MEMORY / 8), .size = 8};
    memcpy(packet.data, &b->writes_sent, 8);
    if (!link_send(b->link, LINK_DOWN, &packet)) return;
    memcpy(b->expected + packet.addr, &b->writes_sent, 8);
    b->writes_sent++;
}

static void host_reads(struct bench *b) {
    const uint32_t tag = random_below(&b->random, LINK_TAGS_MAX);
    if (b->read[tag].used) return;
    const uint32_t size = 1 + random_below(&b->random, LINK_PAYLOAD), at = random_below(&b->random, MEMORY - size);
    const struct link_packet packet = {.kind = LINK_READ, .tag = tag, .addr = at, .size = size};
    if (!link_send(b->link, LINK_DOWN, &packet)) return;
    b->read[tag].used = true;
    b->read[tag].at = at;
    b->read[tag].size = b->read[tag].left = size;
    b->read[tag].behind = b->writes_sent;
    b->reads_sent++;
}

static void device_takes_write(struct bench *b) {
    const struct link_packet *packet = link_received(b->link, LINK_DOWN, LINK_POSTED);
    if (packet == NULL) return;
    uint64_t number = 0;
    memcpy(&number, packet->data, 8);
    cr_assert_eq(number, b->writes_seen, "write %llu came where %llu was due: lost, twice or overtaken",
                 (unsigned long long)number, (unsigned long long)b->writes_seen);
    memcpy(b->memory + packet->addr, packet->data, packet->size);
    b->writes_seen++;
    link_take(b->link, LINK_DOWN, LINK_POSTED);
}

static void device_takes_read(struct bench *b) {
    const struct link_packet *packet = link_received(b->link, LINK_DOWN, LINK_READ);
    if (packet == NULL || link_room(b->link, LINK_UP, LINK_COMPLETION) < 2) return;
    cr_assert(b->read[packet->tag].used, "a read that nobody has sent, or that has been answered");
    cr_assert_geq(b->writes_seen, b->read[packet->tag].behind, "a read overtook a write");
    struct link_packet answer = {.kind = LINK_COMPLETION, .tag = packet->tag, .left = packet->size};
    const uint32_t first = packet->size > 1 ? 1 + random_below(&b->random, packet->size - 1) : 1;
    for (uint32_t at = 0; at < packet->size; at += answer.size) {
        answer.left = packet->size - at;
        answer.size = at == 0 ? first : answer.left;
        memcpy(answer.data, b->memory + packet->addr + at, answer.size);
        cr_assert(link_send(b->link, LINK_UP, &answer));
    }
    // A word to the host behind it.
    const struct link_packet message = {.kind = LINK_POSTED, .message = true, .size = 1};
    (void)link_send(b->link, LINK_UP, &message);
    link_take(b->link, LINK_DOWN, LINK_READ);
}

static void host_takes(struct bench *b) {
    if (link_received(b->link, LINK_UP, LINK_POSTED) != NULL) link_take(b->link, LINK_UP, LINK_POSTED);
    const struct link_packet *packet = link_received(b->link, LINK_UP, LINK_COMPLETION);
    if (packet == NULL) return;
    const uint32_t tag = packet->tag;
    cr_assert(b->read[tag].used && packet->left == b->read[tag].left && packet->size <= packet->left,
              "tag %u: %u bytes before the end came, %u were due: out of order, lost or twice", tag, packet->left,
              b->read[tag].left);
    b->read[tag].left -= packet->size;
    if (b->read[tag].left == 0) {
        b->read[tag].used = false;
        b->reads_done++;
    }
    link_take(b->link, LINK_UP, LINK_COMPLETION);
}

static void step(struct bench *b, bool more) {
    if (more && random_below(&b->random, 3) == 0) host_writes(b);
    if (more && random_below(&b->random, 3) == 0) host_reads(b);
    if (!b->slow || random_below(&b->random, 8) == 0) device_takes_write(b);
    if (!b->slow || random_below(&b->random, 8) == 0) device_takes_read(b);
    if (!b->slow || random_below(&b->random, 4) == 0) host_takes(b);
    // What the link does next, or a while.
    const uint64_t next = link_next(b->link), pause = b->now + 1 + random_below(&b->random, b->pause);
    b->now = next < pause ? next : pause;
    link_advance(b->link, b->now);
    cr_assert_null(link_error(b->link), "%s", link_error(b->link));
}

static struct link_figures traffic(const struct link_options *options, bool slow, uint64_t seed) {
    struct bench b = {
        .random = seed, .slow = slow, .pause = 200000 + 16 * 1000000 / options->rate, .link = link_create(options)};
    struct link_figures figures;
    cr_assert_not_null(b.link);
    while (b.writes_sent < TRANSFERS || b.reads_sent < TRANSFERS)
        step(&b, true);
    for (uint32_t i = 0; !link_idle(b.link); i++) {
        cr_assert_lt(i, 1000000u, "the link does not come to rest");
        step(&b, false);
    }
    cr_assert_eq(b.writes_seen, b.writes_sent);
    cr_assert_eq(b.reads_done, b.reads_sent);
    cr_assert_arr_eq(b.memory, b.expected, MEMORY);
    link_get_figures(b.link, &figures);
    link_destroy(b.link);
    return figures;
}

Test(link, random_traffic,
     .description = "GM-2 a link loses nothing, doubles nothing and keeps its order, whatever happens") {
    const uint64_t seed = seed_from_environment();
    printf("seed %llu\n", (unsigned long long)seed);
    uint64_t random = seed;
    uint64_t overtaken = 0, stalls = 0, again = 0, twice = 0, timeouts = 0;
    static const uint32_t errors[] = {0, 1000, 50000, 300000};
    for (uint32_t i = 0; i < 32; i++) {
        const struct link_options options = {.seed = random_bits(&random),
                                             .latency = random_below(&random, 1000000),
                                             .rate = 1 + random_below(&random, 16000),
                                             .errors = errors[i % 4],
                                             .credits = 1 + random_below(&random, i % 8 < 4 ? 3 : LINK_CREDITS_MAX)};
        const struct link_figures figures = traffic(&options, i % 3 == 0, random_bits(&random));
        if (options.errors == 0) {
            cr_assert_eq(figures.damaged, 0);
            cr_assert_eq(figures.sent_again, 0, "sent again without an error, %llu of %llu",
                         (unsigned long long)figures.sent_again, (unsigned long long)figures.sent);
        }
        if (options.errors >= 50000) cr_assert_gt(figures.damaged, 0);
        overtaken += figures.overtaken;
        stalls += figures.stalls;
        again += figures.sent_again;
        twice += figures.twice;
        timeouts += figures.timeouts;
    }
    // All of it has happened.
    cr_assert(overtaken > 0 && stalls > 0 && again > 0 && twice > 0 && timeouts > 0,
              "overtaken %llu, stalls %llu, again %llu, twice %llu, timeouts %llu", (unsigned long long)overtaken,
              (unsigned long long)stalls, (unsigned long long)again, (unsigned long long)twice,
              (unsigned long long)timeouts);
}

Test(link, credits, .description = "GM-2 a sender without a credit waits, and others go past") {
    const struct link_options options = {.seed = 1, .latency = 1000, .rate = 1000, .credits = 2};
    struct link *link = link_create(&options);
    for (uint32_t i = 0; i < 5; i++)
        cr_assert(link_send(link, LINK_DOWN, &(struct link_packet){.kind = LINK_READ, .tag = i, .size = 4}));
    link_advance(link, 1000000000);
    // Two reads stand at the device, three have no credit; a posted packet gets past them.
    struct link_figures figures;
    link_get_figures(link, &figures);
    cr_assert_eq(figures.sent, 2);
    cr_assert(link_send(link, LINK_DOWN, &(struct link_packet){.kind = LINK_POSTED, .size = 4}));
    link_advance(link, 2000000000);
    cr_assert_not_null(link_received(link, LINK_DOWN, LINK_POSTED));
    link_take(link, LINK_DOWN, LINK_POSTED);
    link_take(link, LINK_DOWN, LINK_READ);
    link_advance(link, 3000000000);
    link_get_figures(link, &figures);
    cr_assert_eq(figures.sent, 4, "a place that is free again is a credit: %llu sent",
                 (unsigned long long)figures.sent);
    cr_assert_null(link_error(link));
    link_destroy(link);
}

Test(link, time, .description = "GM-2 a packet takes its bytes at the link's rate, and the latency") {
    const struct link_options options = {.seed = 1, .latency = 500000, .rate = 1000, .credits = 8};
    struct link *link = link_create(&options);
    // 24 bytes around 76 of data: 100 bytes at 1000 a microsecond are 100 ns.
    cr_assert(link_send(link, LINK_DOWN, &(struct link_packet){.kind = LINK_POSTED, .size = 76}));
    link_advance(link, 599999);
    cr_assert_null(link_received(link, LINK_DOWN, LINK_POSTED));
    link_advance(link, 600000);
    cr_assert_not_null(link_received(link, LINK_DOWN, LINK_POSTED));
    link_destroy(link);
}

Test(link, room, .description = "GM-2 a queue that is full takes nothing; options out of range make no link") {
    struct link_options options = {.seed = 1, .rate = 1, .credits = 1};
    struct link *link = link_create(&options);
    for (uint32_t i = 0; i < LINK_QUEUE; i++)
        cr_assert(link_send(link, LINK_UP, &(struct link_packet){.kind = LINK_POSTED, .size = 1}));
    cr_assert_eq(link_room(link, LINK_UP, LINK_POSTED), 0);
    cr_assert_not(link_send(link, LINK_UP, &(struct link_packet){.kind = LINK_POSTED, .size = 1}));
    link_destroy(link);
    options.credits = 0;
    cr_assert_null(link_create(&options));
    options.credits = LINK_CREDITS_MAX + 1;
    cr_assert_null(link_create(&options));
    options = (struct link_options){.credits = 1};
    cr_assert_null(link_create(&options));
    options = (struct link_options){.credits = 1, .rate = 1, .errors = 500001};
    cr_assert_null(link_create(&options));
}
