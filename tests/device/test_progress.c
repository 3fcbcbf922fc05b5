// OpenCL C whose threads wait for one another inside a warp (tests/kernels/progress.cl): it ends, with the right
// results, for 2 to 64 threads; without YIELD it stands still.
#include <stdio.h>
#include <string.h>

#include "compiler/compiler.h"
#include "on_devices.h"

enum { THREADS_MAX = 64, WORDS = 1024, STUCK_AFTER = 60000, CELLS = 8 };

struct progress {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    uint32_t shared[WORDS], out[THREADS_MAX];
};

static void begin(struct progress *p, const char *name, bool no_yields) {
    const struct compiler_options options = {.no_yields = no_yields};
    struct compiler_result result;
    p->device = open_device(name);
    cr_assert(compiler_compile_file("tests/kernels/progress.cl", &options, &result), "%s", result.messages);
    must(p->device, TANDEM_OK, tandem_module_load(p->device, result.elf, result.elf_size, &p->module));
    compiler_result_free(&result);
    must(p->device, TANDEM_OK, tandem_channel_open(p->device, 8, 0, &p->channel));
}

static void end(struct progress *p) {
    tandem_channel_close(p->channel);
    tandem_module_unload(p->module);
    close_device(p->device);
}

// The task still runs, and a channel that is closed waits long for it while its device is there. Here the device goes
// first.
static void end_hanging(struct progress *p) {
    tandem_module_unload(p->module);
    close_device(p->device);
    tandem_channel_close(p->channel);
}

// One work-group of this many threads. deadline: in cycles, 0: none.
static enum tandem_status run(struct progress *p, const char *kernel, uint32_t threads, uint32_t rounds,
                              uint64_t deadline) {
    tandem_addr shared = new_words(p->device, WORDS), out = new_words(p->device, THREADS_MAX);
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    const struct tandem_argument arguments[] = {{&shared, 4}, {&out, 4}, {&rounds, 4}};
    must(p->device, TANDEM_OK, tandem_launch(p->channel, p->module, kernel, &range, arguments, 3));
    enum tandem_status status = tandem_finish(p->channel, deadline);
    if (status != TANDEM_OK) return status;
    must(p->device, TANDEM_OK, tandem_read(p->device, shared, p->shared, sizeof p->shared));
    must(p->device, TANDEM_OK, tandem_read(p->device, out, p->out, sizeof p->out));
    must(p->device, TANDEM_OK, tandem_free(p->device, shared));
    must(p->device, TANDEM_OK, tandem_free(p->device, out));
    return status;
}

typedef void check_results(const struct progress *p, uint32_t threads, uint32_t rounds);

static void spin_lock(const struct progress *p, uint32_t threads, uint32_t rounds) {
    cr_assert_eq(p->shared[0], 0);
    cr_assert_eq(p->shared[1], threads * rounds, "%u of %u", p->shared[1], threads * rounds);
    for (uint32_t i = 0; i < threads; i++)
        cr_assert_eq(p->out[i], rounds, "thread %u: %u", i, p->out[i]);
}

static void try_lock(const struct progress *p, uint32_t threads, uint32_t rounds) {
    spin_lock(p, threads, rounds);
}

static void try_seldom(const struct progress *p, uint32_t threads, uint32_t rounds) {
    spin_lock(p, threads, rounds);
}

static void try_and_return(const struct progress *p, uint32_t threads, uint32_t rounds) {
    spin_lock(p, threads, rounds);
}

static void lock_every_third(const struct progress *p, uint32_t threads, uint32_t rounds) {
    spin_lock(p, threads, rounds);
}

static void lock_at_random(const struct progress *p, uint32_t threads, uint32_t rounds) {
    spin_lock(p, threads, rounds);
}

static void ticket_lock(const struct progress *p, uint32_t threads, uint32_t rounds) {
    bool seen[THREADS_MAX * 4] = {0};
    for (uint32_t k = 0; k < 3; k++)
        cr_assert_eq(p->shared[k], threads * rounds, "word %u: %u of %u", k, p->shared[k], threads * rounds);
    for (uint32_t i = 0; i < threads; i++) {
        cr_assert(p->out[i] < threads * rounds && !seen[p->out[i]], "thread %u: ticket %u", i, p->out[i]);
        seen[p->out[i]] = true;
    }
}

static void lock_in_function(const struct progress *p, uint32_t threads, uint32_t rounds) {
    cr_assert_eq(p->shared[1], rounds * ((threads + 1) / 2 + threads / 2 * 1000), "%u", p->shared[1]);
    for (uint32_t i = 0; i < threads; i++)
        cr_assert_eq(p->out[i], rounds * (1 + (i & 1)), "thread %u: %u", i, p->out[i]);
}

static void producer_consumer(const struct progress *p, uint32_t threads, uint32_t rounds) {
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t digest = 0;
        for (uint32_t k = 0; k < rounds && i % 2 == 1; k++)
            digest = digest * 31 + (i - 1) * 100 + k;
        cr_assert_eq(p->out[i], digest, "thread %u: %u, expected %u", i, p->out[i], digest);
    }
}

// Every key is in its bucket once.
static void check_lists(const struct progress *p, uint32_t keys, bool sorted) {
    uint32_t found = 0;
    for (uint32_t bucket = 0; bucket < 4; bucket++) {
        uint32_t length = 0, last = 0;
        cr_assert_eq(p->shared[bucket], 0, "bucket %u is locked", bucket);
        for (uint32_t at = p->shared[4 + bucket]; at != 0; at = p->shared[at + 1]) {
            cr_assert(at >= 16 && at < 16 + 2 * keys && ++length <= keys, "bucket %u: node %u", bucket, at);
            uint32_t number = (at - 16) / 2, key = p->shared[at];
            if (sorted) {
                cr_assert_eq(key, (number * 7919 & 0xFFFF) + 1);
                cr_assert(number % 4 == bucket && last < key, "bucket %u: %u after %u", bucket, key, last);
            } else {
                cr_assert(key == number + 1 && key * 2654435761u >> 30 == bucket, "bucket %u: key %u", bucket, key);
            }
            last = key;
        }
        cr_assert_eq(p->shared[8 + bucket], length, "bucket %u: %u, counted %u", bucket, length, p->shared[8 + bucket]);
        found += length;
    }
    cr_assert_eq(found, keys, "%u of %u keys", found, keys);
}

static void hash_table(const struct progress *p, uint32_t threads, uint32_t rounds) {
    check_lists(p, threads * rounds, false);
    for (uint32_t i = 0; i < threads; i++)
        cr_assert_eq(p->out[i], i + 1);
}

static void sorted_lists(const struct progress *p, uint32_t threads, uint32_t rounds) {
    check_lists(p, threads * rounds, true);
}

// Returns how many locks have been taken.
static uint32_t check_ranges(const uint32_t *shared, const uint32_t *out, uint32_t threads, uint32_t rounds) {
    uint32_t cells[CELLS] = {0}, taken = 0;
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < rounds; k++)
            for (uint32_t first = (i * 3 + k) % CELLS, at = first; at < CELLS && at < first + 1 + i % 4; at++, sum++)
                cells[at]++;
        cr_assert_eq(out[i], sum, "thread %u: %u, expected %u", i, out[i], sum);
        taken += sum;
    }
    for (uint32_t at = 0; at < CELLS; at++)
        cr_assert(shared[at] == 0 && shared[CELLS + at] == cells[at], "cell %u: %u, expected %u", at,
                  shared[CELLS + at], cells[at]);
    return taken;
}

static void range_locks(const struct progress *p, uint32_t threads, uint32_t rounds) {
    check_ranges(p->shared, p->out, threads, rounds);
}

static void lock_then_barrier(const struct progress *p, uint32_t threads, uint32_t rounds) {
    uint32_t digest = 0;
    for (uint32_t k = 1; k <= rounds; k++)
        digest = digest * 7 + k * (threads * (threads + 1) / 2);
    for (uint32_t i = 0; i < threads; i++)
        cr_assert_eq(p->out[i], digest, "thread %u: %u, expected %u", i, p->out[i], digest);
}

// The simulated RTL is slow: there one number of threads, one round.
static bool is_model(const char *name) {
    return strncmp(name, "model", 5) == 0;
}

static void ends(const char *name, const char *kernel, check_results *check) {
    static const uint32_t sizes[] = {2, 3, 8, 31, 32, 33, 64};
    static struct progress p;
    begin(&p, name, false);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        if (!is_model(name) && sizes[k] != 8) continue;
        if (sizes[k] % 2 == 1 && check == producer_consumer) continue;
        const uint32_t rounds = is_model(name) ? 3 : 2;
        enum tandem_status status = run(&p, kernel, sizes[k], rounds, 20000000);
        cr_assert_eq(status, TANDEM_OK, "%s, %u threads: %s", kernel, sizes[k], tandem_message(p.device));
        check(&p, sizes[k], rounds);
    }
    end(&p);
}

static void stands(const char *name, const char *kernel) {
    static struct progress p;
    begin(&p, name, true);
    enum tandem_status status = run(&p, kernel, 8, 2, is_model(name) ? STUCK_AFTER : STUCK_AFTER / 4);
    cr_assert_eq(status, TANDEM_TIMEOUT, "%s: %s", kernel, tandem_status_name(status));
    if (is_model(name)) {
        end(&p);
    } else {
        end_hanging(&p);
    }
}

// A single thread waits for nobody: it ends without YIELD as well.
static void alone(const char *name) {
    static struct progress p;
    begin(&p, name, true);
    must(p.device, TANDEM_OK, run(&p, "spin_lock", 1, 2, STUCK_AFTER));
    spin_lock(&p, 1, 2);
    end(&p);
}
ON_DEVICES(progress, alone, "TD-16 OpenCL C without YIELD: a single thread takes a lock")

#define PROGRESS(kernel, what)                                                       \
    static void kernel##_ends(const char *name) {                                    \
        ends(name, #kernel, kernel);                                                 \
    }                                                                                \
    static void kernel##_stands(const char *name) {                                  \
        stands(name, #kernel);                                                       \
    }                                                                                \
    ON_DEVICES(progress, kernel##_ends, "TD-11 TD-14 TD-16 OpenCL C: " what " ends") \
    ON_DEVICES(progress, kernel##_stands, "TD-16 OpenCL C without YIELD: " what " stands still")

PROGRESS(spin_lock, "a lock that each thread takes in turn")
PROGRESS(try_lock, "TD-20 a lock that is tried, at most 100000 times")
PROGRESS(try_seldom, "TD-20 a lock that is tried, at most 5000 times")
PROGRESS(try_and_return, "TD-20 the same in a loop left by return")
PROGRESS(lock_every_third, "TD-22 a lock whose loop yields every third time")
PROGRESS(lock_at_random, "TD-22 a lock whose loop yields at random")
PROGRESS(ticket_lock, "a ticket lock")
PROGRESS(lock_in_function, "a lock taken in a function called from both arms of an if")
PROGRESS(producer_consumer, "producer and consumer in the arms of one if")
PROGRESS(hash_table, "a hash table with a lock for each bucket")
PROGRESS(sorted_lists, "sorted lists with a lock each")
PROGRESS(range_locks, "locks of ranges")
// A kernel of loops with bounds, and one with a lock, in one program; run with and without YIELD. The first has the same cycles, however the threads
// part: what the mechanism costs is nothing where nobody waits.
static uint64_t cycles_of(const char *name, const char *file, const char *kernel, bool no_yields,
                          uint64_t *instructions) {
    const struct compiler_options options = {.no_yields = no_yields};
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel;
    struct tandem_module *module;
    struct compiler_result result;
    struct tandem_statistics before, after;
    cr_assert(compiler_compile_file(file, &options, &result), "%s", result.messages);
    must(device, TANDEM_OK, tandem_module_load(device, result.elf, result.elf_size, &module));
    compiler_result_free(&result);
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    const tandem_addr in = new_words(device, WORDS), out = new_words(device, WORDS);
    for (uint32_t k = 0; k < WORDS; k++)
        write_word(device, in + 4 * k, k * 2654435761u);
    const uint32_t n = 40;
    const struct tandem_range range = {.dimensions = 1, .global = {64}, .local = {32}};
    const struct tandem_argument arguments[] = {{&in, 4}, {&out, 4}, {&n, 4}};
    tandem_get_statistics(device, &before);
    must(device, TANDEM_OK, tandem_launch(channel, module, kernel, &range, arguments, 3));
    must(device, TANDEM_OK, tandem_finish(channel, 20000000));
    tandem_get_statistics(device, &after);
    *instructions = after.warp_instructions - before.warp_instructions;
    tandem_module_unload(module);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
    return after.cycles - before.cycles;
}

static void cost(const char *name) {
    uint64_t with, without, yields, none;
    with = cycles_of(name, "tests/kernels/bounded.cl", "bounded", false, &yields);
    without = cycles_of(name, "tests/kernels/bounded.cl", "bounded", true, &none);
    fprintf(stderr, "%s: loops with bounds: %llu instructions, %llu cycles with YIELD; %llu, %llu without\n", name,
            (unsigned long long)yields, (unsigned long long)with, (unsigned long long)none,
            (unsigned long long)without);
    cr_expect_eq(yields, none);
    cr_expect_eq(with, without);
    // A loop over data counts its turns in the branch back.
    with = cycles_of(name, "tests/kernels/bounded.cl", "over_data", false, &yields);
    without = cycles_of(name, "tests/kernels/bounded.cl", "over_data", true, &none);
    fprintf(stderr, "%s: a loop over data: %llu instructions, %llu cycles with YIELD; %llu, %llu without\n", name,
            (unsigned long long)yields, (unsigned long long)with, (unsigned long long)none,
            (unsigned long long)without);
    cr_expect_leq(yields, none + none / 100);
    cr_expect_leq(with, without + without / 100);
    // So that the comparison can fail.
    cycles_of(name, "tests/kernels/bounded.cl", "every_time", false, &yields);
    cr_expect_gt(yields, none + none / 100);
}
ON_DEVICES(progress, cost,
           "TD-14 TD-17 what YIELD costs programs that wait for nobody: nothing where loops have bounds, "
           "else 1 % at most")

// The oftener threads let others go on, the more often they part, and the more instructions a loop takes that they leave at different times.
static void asked_for(const char *name) {
    uint64_t seldom, third, each;
    cycles_of(name, "tests/kernels/bounded.cl", "over_data", false, &seldom);
    cycles_of(name, "tests/kernels/bounded.cl", "every_third", false, &third);
    cycles_of(name, "tests/kernels/bounded.cl", "every_time", false, &each);
    fprintf(stderr,
            "%s: instructions with a YIELD that fires every 256th time %llu, every third %llu, each time %llu\n", name,
            (unsigned long long)seldom, (unsigned long long)third, (unsigned long long)each);
    cr_expect_lt(seldom, third);
    cr_expect_lt(third, each);
}
ON_DEVICES(progress, asked_for, "TD-13 TD-22 a loop has the kind of YIELD that it asks for")

static void lock_then_barrier_ends(const char *name) {
    ends(name, "lock_then_barrier", lock_then_barrier);
}
ON_DEVICES(progress, lock_then_barrier_ends,
           "TD-12 TD-14 OpenCL C: threads that a lock has parted meet before a barrier")

// What each lock of range_locks costs that is taken, with work-groups of 32: instructions of warps, cycles.
struct lock_cost {
    double instructions, cycles;
};

static struct lock_cost wide_locks(const char *name, uint32_t threads) {
    enum { THREADS_WIDE = 1024 };
    static struct progress p;
    static uint32_t inside[THREADS_WIDE];
    const uint32_t rounds = 2;
    struct tandem_statistics before, after;
    begin(&p, name, false);
    const tandem_addr shared = new_words(p.device, 2 * CELLS), out = new_words(p.device, THREADS_WIDE);
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {32}};
    const struct tandem_argument arguments[] = {{&shared, 4}, {&out, 4}, {&rounds, 4}};
    tandem_get_statistics(p.device, &before);
    must(p.device, TANDEM_OK, tandem_launch(p.channel, p.module, "range_locks", &range, arguments, 3));
    must(p.device, TANDEM_OK, tandem_finish(p.channel, 100000000));
    tandem_get_statistics(p.device, &after);
    must(p.device, TANDEM_OK, tandem_read(p.device, shared, p.shared, 2 * CELLS * sizeof *p.shared));
    must(p.device, TANDEM_OK, tandem_read(p.device, out, inside, sizeof inside));
    const uint32_t taken = check_ranges(p.shared, inside, threads, rounds);
    end(&p);
    const struct lock_cost cost = {.instructions = (double)(after.warp_instructions - before.warp_instructions) / taken,
                                   .cycles = (double)(after.cycles - before.cycles) / taken};
    fprintf(stderr, "%s: %u threads: %.0f instructions, %.0f cycles a lock\n", name, threads, cost.instructions,
            cost.cycles);
    return cost;
}

Test(progress, wide_locks_model,
     .description = "TD-23 a lock that 1024 threads want costs the model at most twice what it costs with 64 [model]") {
    cr_expect_leq(wide_locks("model:full", 1024).instructions, 2 * wide_locks("model:full", 64).instructions);
}

Test(progress, wide_locks_full,
     .description = "TD-23 .. that 512 want: at most two and a half times as many cycles [rtl]") {
    cr_expect_leq(wide_locks("rtl:full", 512).cycles, 2.5 * wide_locks("rtl:full", 64).cycles);
}
