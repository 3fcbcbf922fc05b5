// Recursion in OpenCL C: a kernel launches itself for the children of its node and waits for them (tests/kernels/recursion.cl).
// What each node has seen of those below it is compared with plain C.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"
#include "work_bench.h"

enum {
    FAN = 4,            // children of a node at most: work-items of its work-group
    PLACES = 2048,      // for tasks that wait or run, for any number of nodes
    PLACE_BYTES = 512,  // a TMD, a line, constant buffer 0
    TREE_WORDS = 10,    // struct tree of recursion.cl
    DEADLINE = 2000000000
};

struct forest {
    struct work_bench bench;
    tandem_addr sums, tree, pattern;
    uint32_t nodes;
};

static uint32_t mix(uint32_t x) {
    x = (x ^ x >> 16) * 0x7FEB352Du;
    x = (x ^ x >> 15) * 0x846CA68Bu;
    return x ^ x >> 16;
}

static uint32_t begin_of(uint32_t first, uint32_t rest, uint32_t k, uint32_t fan) {
    uint32_t before = 0, all = 0;
    for (uint32_t i = 0; i < fan; i++) {
        const uint32_t weight = 1u << (mix(first * 4 + i) & 7);
        if (i < k) before += weight;
        all += weight;
    }
    return rest * before / all;
}

// Puts the sum of each node below `first` where the kernel puts it. Returns how deep it goes.
static uint32_t expect(uint32_t *sums, uint32_t first, uint32_t nodes, uint32_t fan) {
    uint32_t depth = 0;
    sums[first] = mix(first);
    for (uint32_t k = 0; k < fan; k++) {
        const uint32_t begin = begin_of(first, nodes - 1, k, fan), end = begin_of(first, nodes - 1, k + 1, fan);
        if (begin == end) continue;
        const uint32_t below = expect(sums, first + 1 + begin, end - begin, fan);
        if (below > depth) depth = below;
        sums[first] += sums[first + 1 + begin];
    }
    return depth + 1;
}

// save_bytes: of the channel's memory for CTAs that step aside, 0: as the driver chooses.
static struct forest begin(const char *config, uint32_t nodes, uint32_t places, uint32_t save_bytes) {
    char name[64];
    snprintf(name, sizeof name, "%s,mem=64", config);
    struct forest f = {.bench = work_begin(name, 0, 0, "recursion.elf", ""), .nodes = nodes};
    f.bench.name = config;
    struct tandem_device *device = f.bench.device;
    if (save_bytes != 0) must(device, TANDEM_OK, tandem_channel_save_memory(f.bench.channel, save_bytes));
    f.sums = new_words(device, nodes);
    f.tree = new_words(device, TREE_WORDS);
    const tandem_addr next = new_words(device, places);
    tandem_addr memory = 0;
    must(device, TANDEM_OK, tandem_alloc(device, (size_t)places * PLACE_BYTES, 256, &memory));
    uint32_t *links = calloc(places, 4);
    cr_assert_not_null(links);
    for (uint32_t i = 0; i + 1 < places; i++)
        links[i] = i + 2;
    must(device, TANDEM_OK, tandem_write(device, next, links, (size_t)places * 4));
    free(links);
    const uint32_t words[TREE_WORDS] = {f.sums, next, 0, memory, PLACE_BYTES, 0, 1};
    must(device, TANDEM_OK, tandem_write(device, f.tree, words, sizeof words));
    return f;
}

// The task that the threads copy has the shape of a node; its arguments are their affair. Children go in front of what is
// pending, so that the tree is gone through depth first.
static void launch(struct forest *f, uint32_t fan) {
    const struct work_bench *b = &f->bench;
    const struct tandem_range range = {.dimensions = 1, .global = {fan}, .local = {fan}};
    const struct tandem_scheduling at_head = {0, true};
    const uint32_t first = 0;
    const struct tandem_argument arguments[] = {{&f->tree, 4}, {&first, 4}, {&f->nodes, 4}};
    uint32_t *zero = calloc(f->nodes, 4);
    cr_assert_not_null(zero);
    must(b->device, TANDEM_OK, tandem_write(b->device, f->sums, zero, (size_t)f->nodes * 4));
    free(zero);
    must(b->device, TANDEM_OK,
         tandem_task_build(b->channel, b->module, "node", &range, &at_head, arguments, 3, &f->pattern));
    write_word(b->device, f->tree + 8, f->pattern);
    write_word(b->device, f->tree + 20, fan);
    must(b->device, TANDEM_OK, tandem_launch(b->channel, b->module, "node", &range, arguments, 3));
}

static void check(struct forest *f, uint32_t fan) {
    struct tandem_device *device = f->bench.device;
    uint32_t tree[TREE_WORDS], *seen = calloc(f->nodes, 4), *sums = calloc(f->nodes, 4);
    cr_assert(seen != NULL && sums != NULL);
    const uint32_t depth = expect(sums, 0, f->nodes, fan);
    must(device, TANDEM_OK, tandem_read(device, f->tree, tree, sizeof tree));
    must(device, TANDEM_OK, tandem_read(device, f->sums, seen, (size_t)f->nodes * 4));
    struct tandem_statistics statistics;
    tandem_get_statistics(device, &statistics);
    fprintf(stderr, "%s: %u nodes, %u deep, %u tasks at once, %llu cycles\n", f->bench.name, f->nodes, depth, tree[8],
            (unsigned long long)statistics.cycles);
    cr_assert_eq(tree[9], 0, "%u children found no place for their task", tree[9]);
    cr_assert_eq(tree[7], 0, "%u places have not been given back", tree[7]);
    for (uint32_t i = 0; i < f->nodes; i++)
        cr_assert_eq(seen[i], sums[i], "node %u: 0x%x, expected 0x%x", i, seen[i], sums[i]);
    free(seen);
    free(sums);
}

static void end(struct forest *f) {
    must(f->bench.device, TANDEM_OK, tandem_free(f->bench.device, f->pattern));
    work_end(&f->bench);
}

static void run(const char *config, uint32_t nodes, uint32_t fan) {
    struct forest f = begin(config, nodes, PLACES, 0);
    launch(&f, fan);
    must(f.bench.device, TANDEM_OK, tandem_finish(f.bench.channel, DEADLINE));
    check(&f, fan);
    end(&f);
}

static void deep(const char *name) {
    // As in test_step_aside: on the wide configurations less, which simulate slowly.
    run(name, strstr(name, "full") != NULL ? 40 : strstr(name, "small") != NULL ? 100 : 200, 1);
}
ON_DEVICES(recursion, deep, "TU-13 a kernel launches itself and waits, 200 deep on nano")

static void tree(const char *name) {
    run(name, strstr(name, "full") != NULL ? 100 : 300, FAN);
}
ON_DEVICES(recursion, tree, "TU-13 a kernel launches itself for each child of an uneven tree and waits")

// Memory for as many CTAs as run at once and a few more, less than the chain is deep: told in one line. With more it goes.
static void no_memory(const char *name) {
    enum { DEEP = 150 };
    struct forest f = begin(name, DEEP, PLACES, 0);
    struct work_bench *b = &f.bench;
    struct tandem_info info;
    struct tandem_fault fault;
    tandem_get_info(b->device, &info);
    must(b->device, TANDEM_OK, tandem_channel_save_memory(b->channel, info.warps * info.sms * 8192));
    launch(&f, 1);
    must(b->device, TANDEM_CHANNEL_FAULT, tandem_finish(b->channel, DEADLINE));
    cr_assert_not_null(strstr(tandem_message(b->device), "tandem_channel_save_memory"), "%s",
                       tandem_message(b->device));
    cr_assert_null(strchr(tandem_message(b->device), '\n'));
    cr_assert(tandem_channel_fault(b->channel, &fault));
    cr_assert_eq(fault.code, FAULT_CHILD_DEADLOCK, "%s", fault.text);
    end(&f);
    f = begin(name, DEEP, PLACES, info.warps * info.sms * 8192 + DEEP * 8192);
    launch(&f, 1);
    must(f.bench.device, TANDEM_OK, tandem_finish(f.bench.channel, DEADLINE));
    check(&f, 1);
    end(&f);
}
Test(recursion, no_memory_model,
     .description = "TU-12 TU-13 a chain deeper than the memory is told what to do [model]") {
    no_memory("model:small");
}
Test(recursion, no_memory_tandem,
     .description = "TU-12 TU-13 a chain deeper than the memory is told what to do [tandem]") {
    no_memory("tandem:nano");
}

Test(recursion, wide_model, .description = "TU-13 a tree of 5000 nodes, each of them a launch [model]") {
    run("model:small", 5000, FAN);
}
// The next two in make long.
Test(recursion, large_model, .description = "TU-13 a tree of 100000 nodes, each of them a launch [model]") {
    run("model:small", 100000, FAN);
}
Test(recursion, large_tandem, .description = "TU-13 a tree of 10000 nodes, each of them a launch [tandem]") {
    run("tandem:nano", 10000, FAN);
}
