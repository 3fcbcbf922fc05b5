// Threads of a warp that add work together: one addition on soft GP_PUT for all of them, counted in the trace.
// (tests/kernels/teams.cl, device_enqueue.cl)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/atomics.h"
#include "compiler/library/work_queue.h"
#include "work_bench.h"

enum { MOST = 1024 };

// A device that writes a trace.
struct teams {
    struct work_bench b;
    struct tandem_work_queue_state state;
    struct work_queue record;
    uint32_t warp;  // threads
    char name[600], trace[64];
};

static void begin_with(struct teams *t, const char *name, uint32_t entries, uint32_t pieces, const char *file,
                       const char *options) {
    struct tandem_info info;
    strcpy(t->trace, "/tmp/tandem-teams-XXXXXX");
    const int descriptor = mkstemp(t->trace);
    cr_assert_geq(descriptor, 0);
    close(descriptor);
    snprintf(t->name, sizeof t->name, "%s,trace=%s", name, t->trace);
    t->b = work_begin(t->name, entries, pieces, file, options);
    tandem_get_info(t->b.device, &info);
    t->warp = info.threads;
    must(t->b.device, TANDEM_OK, tandem_work_queue_state(t->b.channel, &t->state));
    must(t->b.device, TANDEM_OK, tandem_read(t->b.device, t->state.record, &t->record, sizeof t->record));
}

static void begin(struct teams *t, const char *name, uint32_t entries, uint32_t pieces) {
    begin_with(t, name, entries, pieces, "teams.elf", "");
}

// Ends the device; the additions on soft GP_PUT of each launch, while its own threads ran.
static void end(struct teams *t, uint64_t *additions, size_t launches) {
    struct atomics counts[16];
    cr_assert_leq(launches, 16);
    work_end(&t->b);
    cr_assert(atomics_count(t->trace, &t->state, t->record.places, t->record.pieces, false, counts, launches));
    for (size_t k = 0; k < launches; k++)
        additions[k] = counts[k].soft_put;
    remove(t->trace);
}

static uint32_t warps_of(const struct teams *t, uint32_t threads) {
    return (threads + t->warp - 1) / t->warp;
}

struct run {
    uint32_t counts[MOST];
    int32_t results[MOST];
};

// Runs a kernel of teams.cl, in work-groups of a warp, whose third argument and those behind are words.
static void run(struct teams *t, const char *kernel, uint32_t threads, const uint32_t *words, size_t count,
                struct run *r) {
    struct tandem_device *device = t->b.device;
    tandem_addr done = new_words(device, MOST), results = new_words(device, MOST);
    struct tandem_argument arguments[5] = {{&done, 4}, {&results, 4}};
    for (size_t k = 0; k < count; k++)
        arguments[2 + k] = (struct tandem_argument){&words[k], 4};
    work_run(&t->b, kernel, threads, threads < t->warp ? threads : t->warp, arguments, 2 + count);
    must(device, TANDEM_OK, tandem_read(device, done, r->counts, sizeof r->counts));
    must(device, TANDEM_OK, tandem_read(device, results, r->results, sizeof r->results));
    must(device, TANDEM_OK, tandem_free(device, done));
    must(device, TANDEM_OK, tandem_free(device, results));
}

static void expect_runs(const struct run *r, uint32_t number, bool ran, const char *what) {
    cr_assert_eq(r->counts[number], ran ? 1 : 0, "%s: piece %u, answered %d, ran %u times", what, number,
                 r->results[number], r->counts[number]);
}

// 1 to 64 threads: one addition for each warp, with room for all of them.
static void one_addition(const char *name) {
    static const uint32_t threads[] = {1, 2, 8, 31, 32, 64};
    struct teams t;
    struct run r;
    uint64_t additions[6];
    const uint32_t mode = WORK_FAIL;
    begin(&t, name, 256, 128);
    for (size_t k = 0; k < 6; k++) {
        run(&t, "together", threads[k], &mode, 1, &r);
        for (uint32_t i = 0; i < threads[k]; i++)
            expect_runs(&r, i, true, "together");
    }
    end(&t, additions, 6);
    for (size_t k = 0; k < 6; k++)
        cr_assert_eq(additions[k], warps_of(&t, threads[k]), "%u threads: %u additions", threads[k],
                     (unsigned)additions[k]);
}
ON_DEVICES(teams, one_addition, "WQ-19 WQ-20 WQ-21 WQ-23 threads of a warp take their entries with one addition")

// Threads that stand at two places, and some at none: one addition for each place.
static void two_places(const char *name) {
    static const uint32_t words[][3] = {{WORK_FAIL, 0xAAAAAAAA, 0},
                                        {WORK_FAIL, 0x0000FFFF, 0},
                                        {WORK_FAIL, 0, 0xFFFF0FF0},
                                        {WORK_FAIL, 0xF0F0F0F0, 0x11111111}};
    struct teams t;
    struct run r;
    uint64_t additions[4];
    begin(&t, name, 64, 64);
    for (size_t k = 0; k < 4; k++) {
        run(&t, "apart", 32, words[k], 3, &r);
        for (uint32_t i = 0; i < 32; i++)
            expect_runs(&r, i, (words[k][2] >> i & 1) == 0, "apart");
    }
    end(&t, additions, 4);
    for (size_t k = 0; k < 4; k++)
        cr_assert_eq(additions[k], words[k][1] == 0 ? 1 : 2, "case %zu: %u additions", k, (unsigned)additions[k]);
}
ON_DEVICES(teams, two_places, "WQ-19 threads that went apart add with one addition for each place")

// A ring with room for some of the 32: they go in together, the others are told, or parked, or wait.
static void little_room(const char *name) {
    static const struct {
        uint32_t entries, mode, in, additions;
    } cases[] = {
        {16, WORK_FAIL, 13, 1}, {16, WORK_PARK, 32, 1}, {16, WORK_WAIT, 32, 3},
        {12, WORK_FAIL, 9, 1},  {12, WORK_WAIT, 32, 4}, {7, WORK_WAIT, 32, 8},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct teams t;
        struct run r;
        uint64_t additions[2];
        begin(&t, name, cases[k].entries, 64);
        for (unsigned lap = 0; lap < 2; lap++) {  // the second begins somewhere in the ring
            uint32_t in = 0;
            run(&t, "together", 32, &cases[k].mode, 1, &r);
            for (uint32_t i = 0; i < 32; i++) {
                cr_assert(r.results[i] == WORK_OK || r.results[i] == WORK_FULL, "%d", r.results[i]);
                expect_runs(&r, i, r.results[i] == WORK_OK, "little room");
                in += r.results[i] == WORK_OK;
            }
            cr_assert_eq(in, cases[k].in, "case %zu, lap %u: %u got in", k, lap, in);
        }
        end(&t, additions, 2);
        for (unsigned lap = 0; lap < 2; lap++) {
            // Who waits lets the channel go on, so the block that ends the launch may be added before the launch has ended.
            const uint64_t wanted = cases[k].additions, tail = cases[k].mode == WORK_WAIT ? 1 : 0;
            cr_assert(additions[lap] >= wanted && additions[lap] <= wanted + tail, "case %zu, lap %u: %u additions", k,
                      lap, (unsigned)additions[lap]);
        }
    }
}
ON_DEVICES(teams, little_room, "WQ-15 WQ-19 WQ-22 32 threads and a ring of 16, 12 or 7 entries: told, parked, waiting")

// Lists of different lengths, the empty one among them: one addition for all. With little room the first get in.
static void lists(const char *name) {
    struct teams t;
    struct run r;
    uint64_t additions[2];
    const uint32_t wide[] = {WORK_FAIL, 4};
    begin(&t, name, 128, 128);
    for (unsigned lap = 0; lap < 2; lap++) {
        run(&t, "lists", 24, wide, 2, &r);
        for (uint32_t i = 0; i < 24; i++) {
            cr_assert_eq(r.results[i], i < 4 ? i : 4, "thread %u: %d", i, r.results[i]);
            for (uint32_t k = 0; k < 4; k++)
                cr_assert_eq(r.counts[4 * i + k], k < i ? 1 : 0, "piece %u of thread %u", k, i);
        }
    }
    end(&t, additions, 2);
    for (unsigned lap = 0; lap < 2; lap++)
        cr_assert_eq(additions[lap], 1, "%u additions", (unsigned)additions[lap]);

    begin(&t, name, 16, 128);
    run(&t, "lists", 8, wide, 2, &r);
    uint32_t in = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t mine = (uint32_t)r.results[i], asked = i < 4 ? i : 4, room = in + asked < 13 ? asked : 13 - in;
        cr_assert_eq(mine, room, "thread %u: %u", i, mine);
        for (uint32_t k = 0; k < 4; k++)
            cr_assert_eq(r.counts[4 * i + k], k < mine ? 1 : 0, "piece %u of thread %u", k, i);
        in += mine;
    }
    end(&t, additions, 1);
    cr_assert_eq(additions[0], 1);
}
ON_DEVICES(teams, lists, "WQ-19 WQ-22 threads that make several launches each add all of them with one addition")

// Threads that wait for room beside threads that spin, then ask for different things: nothing hangs, nothing is lost.
static void mixed(const char *name) {
    struct teams t;
    struct run r;
    uint64_t additions[1];
    begin(&t, name, 8, 64);
    const tandem_addr flag = new_words(t.b.device, 1);
    run(&t, "mixed", 24, &flag, 1, &r);
    for (uint32_t i = 0; i < 24; i++) {
        const bool may_fail = i >= 12 && i % 3 == WORK_FAIL;
        cr_assert(r.results[i] == WORK_OK || (may_fail && r.results[i] == WORK_FULL), "thread %u: %d", i, r.results[i]);
        expect_runs(&r, i, r.results[i] == WORK_OK, "mixed");
    }
    end(&t, additions, 1);
    cr_assert_lt(additions[0], 24);
}
ON_DEVICES(teams, mixed, "WQ-19 WQ-22 TD-16 threads wait for room while others of their warp spin")

// The same through enqueue_kernel: captured variables, local memory of different sizes, wait lists, refused ranges.
static void enqueue(const char *name) {
    struct teams t;
    uint64_t additions[3];
    static const char *const kernels[] = {"team_plain", "team_local", "team_waits"};
    begin_with(&t, name, 128, 256, "device_enqueue.cl", "-cl-std=CL2.0 -DTEST_teams");
    const tandem_addr out = new_words(t.b.device, 128);
    const struct tandem_argument arguments[] = {{&out, 4}};
    for (unsigned k = 0; k < 3; k++) {
        work_run(&t.b, kernels[k], 32, 32, arguments, 1);
        for (uint32_t i = 0; i < 32; i++) {
            const bool refused = k == 0 && i % 8 == 5;
            cr_expect_eq((int32_t)read_word(t.b.device, out + 4 * i), refused ? -160 : 0, "%s, thread %u: %d",
                         kernels[k], i, (int)read_word(t.b.device, out + 4 * i));
            const uint32_t wanted = refused ? 0 : (k + 1) * 1000 + i;
            cr_expect_eq(read_word(t.b.device, out + 4 * (32 + i)), wanted, "%s, launch of thread %u: %u", kernels[k],
                         i, read_word(t.b.device, out + 4 * (32 + i)));
        }
        for (uint32_t i = 0; i < 64; i++)
            write_word(t.b.device, out + 4 * i, 0);
    }
    end(&t, additions, 3);
    // None of them needs the ring: the one addition is the launch's end.
    for (unsigned k = 0; k < 3; k++)
        cr_expect_eq(additions[k], 1, "%s: %u additions", kernels[k], (unsigned)additions[k]);
}
ON_DEVICES(teams, enqueue, "WQ-19 WQ-20 enqueue_kernel by 32 threads of a warp adds nothing to the ring")
