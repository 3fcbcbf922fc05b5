// Work-groups larger than what is resident: each thread does several work-items in turns (driver/turns.c,
// compiler/again/turns.c). The same kernels run on a device where the group is resident, and all words are compared.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "driver/recompile.h"
#include "on_devices.h"

enum { WORDS = 256, ITEMS_MAX = 4096 };

struct world {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    struct tandem_info info;
    tandem_addr in, out;
};

static struct tandem_module *load(struct tandem_device *device, const char *file, const char *options, bool once) {
    struct compiler_result result;
    struct tandem_module *module = NULL;
    const struct compiler_options how = {.clang_options = options, .once = once};
    cr_assert(compiler_compile_file(file, &how, &result), "%s", result.messages);
    must(device, TANDEM_OK, tandem_module_load(device, result.elf, result.elf_size, &module));
    compiler_result_free(&result);
    return module;
}

static void open_world(struct world *w, const char *name, const char *file) {
    uint32_t words[WORDS];
    memset(w, 0, sizeof *w);
    w->device = open_device(name);
    tandem_get_info(w->device, &w->info);
    must(w->device, TANDEM_OK, tandem_channel_open(w->device, 16, 0, &w->channel));
    w->module = load(w->device, file, "-cl-std=CL3.0", false);
    w->in = new_words(w->device, WORDS);
    w->out = new_words(w->device, ITEMS_MAX);
    for (uint32_t k = 0; k < WORDS; k++)
        words[k] = (k * 2654435761u) ^ (k << 3) ^ 0x1234567u;
    must(w->device, TANDEM_OK, tandem_write(w->device, w->in, words, sizeof words));
}

static void close_world(struct world *w) {
    tandem_channel_close(w->channel);
    tandem_module_unload(w->module);
    close_device(w->device);
}

static uint32_t items_of(const uint32_t sizes[3]) {
    return sizes[0] * sizes[1] * sizes[2];
}

static enum tandem_status launch(struct world *w, const char *kernel, const struct tandem_range *range) {
    const uint32_t n = WORDS;
    const struct tandem_argument arguments[] = {{&w->in, 4}, {&w->out, 4}, {&n, 4}, {NULL, 4 * items_of(range->local)}};
    return tandem_launch(w->channel, w->module, kernel, range, arguments, strcmp(kernel, "copies") == 0 ? 4 : 3);
}

static void refused(struct world *w, enum tandem_status status, const char *words, enum tandem_status got) {
    cr_assert_eq(got, status, "%d, wanted %d (%s)", got, status, words);
    cr_assert_not_null(strstr(tandem_message(w->device), words), "%s", tandem_message(w->device));
}

static void run(struct world *w, const char *kernel, const struct tandem_range *range, uint32_t *to) {
    const uint32_t items = items_of(range->global);
    memset(to, 0xEE, 4 * ITEMS_MAX);
    must(w->device, TANDEM_OK, tandem_write(w->device, w->out, to, 4 * ITEMS_MAX));
    must(w->device, TANDEM_OK, launch(w, kernel, range));
    must(w->device, TANDEM_OK, tandem_finish(w->channel, 0));
    must(w->device, TANDEM_OK, tandem_read(w->device, w->out, to, 4 * items));
}

struct shape {
    uint32_t local[3], groups[3];
};
static const struct shape shapes[] = {
    {{256, 1, 1}, {3, 1, 1}},  // whole turns
    {{25, 9, 1}, {1, 2, 1}},   // 225: the last turn has less than a warp
    {{7, 5, 6}, {1, 1, 1}},    // 210
    {{150, 1, 1}, {4, 1, 1}}, {{32, 8, 1}, {2, 2, 1}},
};
static const struct shape shapes_large[] = {{{1024, 1, 1}, {2, 1, 1}}, {{31, 31, 1}, {1, 2, 1}}};

static const char *const kernels[] = {"plain",     "places", "reduce", "loops",  "ifs",    "privates",
                                      "divergent", "whole",  "copies", "counts", "leaves", "meets"};

static void compare(struct world *w, struct world *reference, const char *kernel, const struct shape *shape) {
    static uint32_t got[ITEMS_MAX], wanted[ITEMS_MAX];
    struct tandem_range range = {.dimensions = 3};
    for (unsigned d = 0; d < 3; d++) {
        range.local[d] = shape->local[d];
        range.global[d] = shape->local[d] * shape->groups[d];
        range.offset[d] = d;
    }
    if (strcmp(kernel, "copies") == 0 && 4 * items_of(shape->local) > w->info.shared_bytes) return;
    run(reference, kernel, &range, wanted);
    run(w, kernel, &range, got);
    for (uint32_t k = 0; k < items_of(range.global); k++)
        cr_assert_eq(got[k], wanted[k], "%s, %u x %u x %u, work-item %u: 0x%08x, resident 0x%08x", kernel,
                     shape->local[0], shape->local[1], shape->local[2], k, got[k], wanted[k]);
}

static void same(const char *name) {
    static struct world w, reference;
    open_world(&w, name, "tests/kernels/large_groups.cl");
    open_world(&reference, "model:full", "tests/kernels/large_groups.cl");
    const bool larger = w.info.group_max >= 1024;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        compare(&w, &reference, kernels[k], &shapes[0]);
        compare(&w, &reference, kernels[k], &shapes[1]);
        compare(&w, &reference, kernels[k], &shapes[2 + k % 3]);
        if (larger) compare(&w, &reference, kernels[k], &shapes_large[k % 2]);
    }
    close_world(&reference);
    close_world(&w);
}

// On simulated hardware: few, and short.
static void same_simulated(const char *name) {
    static struct world w, reference;
    open_world(&w, name, "tests/kernels/large_groups.cl");
    open_world(&reference, "model:full", "tests/kernels/large_groups.cl");
    compare(&w, &reference, "privates", &shapes[1]);
    compare(&w, &reference, "ifs", &shapes[0]);
    compare(&w, &reference, "meets", &shapes[2]);
    close_world(&reference);
    close_world(&w);
}

#define SAME "TU-6 work-groups larger than what is resident compute what resident ones do"
Test(large_groups, same_nano, .description = SAME " [model]") {
    same("model:nano");
}
Test(large_groups, same_small, .description = SAME " [model]") {
    same("model:small");
}
Test(large_groups, same_rtl, .description = SAME " [rtl]") {
    same_simulated("rtl:nano");
}
Test(large_groups, same_tandem_nano, .description = SAME " [tandem]") {
    same_simulated("tandem:nano");
}
Test(large_groups, same_tandem_small, .description = SAME " [tandem]") {
    same_simulated("tandem:small");
}

Test(large_groups, parts, .description = "TU-6 CL-3 sub-groups of groups whose threads take turns [model]") {
    static uint32_t got[ITEMS_MAX];
    static struct world w;
    open_world(&w, "model:nano", "tests/kernels/large_groups.cl");
    static const uint32_t sizes[] = {256, 200, 66};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const struct tandem_range range = {1, {0}, {2 * sizes[s], 1, 1}, {sizes[s], 1, 1}};
        run(&w, "parts", &range, got);
        for (uint32_t k = 0; k < 2 * sizes[s]; k++)
            cr_assert_eq(got[k], 0xFF, "groups of %u, work-item %u: 0x%x", sizes[s], k, got[k]);
        run(&w, "shuffled", &range, got);
        for (uint32_t k = 0; k < 2 * sizes[s]; k++)
            cr_assert_eq(got[k], 8, "shuffled, groups of %u, work-item %u: %u", sizes[s], k, got[k]);
    }
    close_world(&w);
}

Test(large_groups, many_registers,
     .description =
         "TU-6 a kernel of which not even one warp fits runs with fewer registers, in groups of any size [model]") {
    static struct world w, reference;
    static const struct shape sizes[] = {{{32, 1, 1}, {3, 1, 1}}, {{5, 1, 1}, {3, 1, 1}}, {{200, 1, 1}, {2, 1, 1}}};
    static uint32_t got[ITEMS_MAX], wanted[ITEMS_MAX];
    const struct tandem_range chosen = {.dimensions = 1, .global = {96, 1, 1}}, same = {1, {0}, {96, 1, 1}, {32, 1, 1}};
    struct tandem_kernel_info info;
    open_world(&w, "model:nano", "tests/kernels/large_groups.cl");
    open_world(&reference, "model:full", "tests/kernels/large_groups.cl");
    must(w.device, TANDEM_OK, tandem_get_kernel_info(w.module, "many", &info));
    cr_assert(info.threads == 0 && info.group_max == 256, "%u threads, groups of %u", info.threads, info.group_max);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        compare(&w, &reference, "many", &sizes[s]);
    run(&w, "many", &chosen, got);
    run(&reference, "many", &same, wanted);
    cr_assert_arr_eq(got, wanted, 96 * sizeof *got);
    close_world(&reference);
    close_world(&w);
}

Test(large_groups, required, .description = "TU-6 CL-2 a required size larger than what is resident [model]") {
    static uint32_t got[ITEMS_MAX], in[WORDS];
    static struct world w;
    open_world(&w, "model:nano", "tests/kernels/large_groups.cl");
    const struct tandem_range chosen = {.dimensions = 1, .global = {500, 1, 1}};
    const struct tandem_range other = {1, {0}, {500, 1, 1}, {125, 1, 1}};
    must(w.device, TANDEM_OK, tandem_read(w.device, w.in, in, sizeof in));
    run(&w, "required", &chosen, got);
    for (uint32_t k = 0; k < 500; k++)
        cr_assert_eq(got[k], in[(249 - k % 250) & (WORDS - 1)], "work-item %u", k);
    refused(&w, TANDEM_BAD_ARGUMENT, "was compiled for local size 250", launch(&w, "required", &other));
    close_world(&w);
}

Test(large_groups, limits, .description = "TU-6 CL-2 how large a group may be is told, and one more refused [model]") {
    static const struct {
        const char *device;
        uint32_t most;
    } all[] = {{"model:nano", 256}, {"model:small", 1024}, {"model:full", 1024}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        static struct world w;
        struct tandem_kernel_info info;
        open_world(&w, all[k].device, "tests/kernels/large_groups.cl");
        cr_assert_eq(w.info.group_max, all[k].most);
        must(w.device, TANDEM_OK, tandem_get_kernel_info(w.module, "plain", &info));
        cr_assert_eq(info.group_max, all[k].most);
        const uint32_t more = all[k].most + 1;
        const struct tandem_range range = {1, {0}, {more, 1, 1}, {more, 1, 1}};
        refused(&w, TANDEM_BAD_ARGUMENT, "work-items does not fit", launch(&w, "plain", &range));
        refused(&w, TANDEM_BAD_ARGUMENT, "work-items does not fit",
                tandem_prepare_group(w.module, "plain", (uint32_t[]){more, 1, 1}));
        refused(&w, TANDEM_BAD_ARGUMENT, "work-items does not fit",
                tandem_prepare_group(w.module, "plain", (uint32_t[]){65536, 65536, 65536}));
        refused(&w, TANDEM_BAD_CODE, "no kernel \"none\"",
                tandem_prepare_group(w.module, "none", (uint32_t[]){1, 1, 1}));
        must(w.device, TANDEM_OK, tandem_prepare_group(w.module, "plain", (uint32_t[]){16, 8, 2}));
        must(w.device, TANDEM_OK, tandem_prepare_group(w.module, "plain", (uint32_t[]){1, 1, 1}));
        close_world(&w);
    }
}

Test(large_groups, beside_work,
     .description = "TU-6 kernels that make work have small groups, those beside them any [model]") {
    static struct world w;
    static uint32_t got[ITEMS_MAX], in[WORDS];
    static const struct tandem_range range = {1, {0}, {512, 1, 1}, {256, 1, 1}};
    struct tandem_kernel_info info;
    open_world(&w, "model:nano", "tests/kernels/large_groups_queue.cl");
    must(w.device, TANDEM_OK, tandem_read(w.device, w.in, in, sizeof in));
    run(&w, "beside", &range, got);
    for (uint32_t k = 0; k < 512; k++)
        cr_assert_eq(got[k], in[255 - k % 256], "work-item %u", k);
    refused(&w, TANDEM_BAD_CODE, "its threads add to a work queue", launch(&w, "makes_work", &range));
    must(w.device, TANDEM_OK, tandem_get_kernel_info(w.module, "makes_work", &info));
    cr_assert_leq(info.group_max, 64);
    close_world(&w);
}

static void shares_variables(const char *name) {
    static struct world w;
    static uint32_t got[ITEMS_MAX], in[WORDS];
    static const uint32_t sizes[] = {256, 64, 200, 256};
    static const struct tandem_range one = {1, {0}, {64, 1, 1}, {64, 1, 1}};
    struct tandem_kernel_info info;
    uint32_t wanted[4] = {1, 2, 3, 4}, calls = 100, first = 40, byte = 3;
    open_world(&w, name, "tests/kernels/large_groups_variables.cl");
    must(w.device, TANDEM_OK, tandem_read(w.device, w.in, in, sizeof in));
    must(w.device, TANDEM_OK, tandem_get_kernel_info(w.module, "counts", &info));
    cr_assert_eq(info.group_max, w.info.group_max);
    for (uint32_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const uint32_t size = sizes[s];
        const struct tandem_range range = {1, {0}, {size, 1, 1}, {size, 1, 1}};
        run(&w, "counts", &range, got);
        calls++;
        cr_assert_eq(got[0], calls, "groups of %u: %u calls, wanted %u", size, got[0], calls);
        for (uint32_t k = 0; k < size; k++) {
            wanted[k % 4]++;
            const uint32_t word = first + byte + 1000 * (k % 3 + 1) + in[k & (WORDS - 1)];
            cr_assert(k == 0 || got[k] == word, "groups of %u, work-item %u: %u, wanted %u", size, k, got[k], word);
        }
        run(&w, "changes", &one, got);
        first = in[0];
        byte = 200;
        run(&w, "tells", &one, got);
        for (uint32_t k = 0; k < 4; k++)
            cr_assert_eq(got[k], wanted[k], "groups of %u: counted[%u] is %u, wanted %u", size, k, got[k], wanted[k]);
        cr_assert_eq(got[4], 5 + (s + 1) * WORDS + first);
    }
    close_world(&w);
}

#define VARIABLES "TU-6 CL-2 groups of any size share the program's variables in global memory"
Test(large_groups, variables_nano, .description = VARIABLES " [model]") {
    shares_variables("model:nano");
}
Test(large_groups, variables_tandem, .description = VARIABLES " [tandem]") {
    shares_variables("tandem:nano");
}

Test(large_groups, never, .description = "TU-6 what cannot be done in turns is refused, with its reason [model]") {
    static struct world w;
    static const struct tandem_range range = {1, {0}, {256, 1, 1}, {256, 1, 1}},
                                     fits = {1, {0}, {64, 1, 1}, {64, 1, 1}};
    struct tandem_kernel_info info;
    tandem_addr task = 0;
    open_world(&w, "model:nano", "tests/kernels/large_groups.cl");
    tandem_module_unload(w.module);
    w.module = load(w.device, "tests/kernels/large_groups.cl", "-cl-std=CL3.0", true);
    must(w.device, TANDEM_OK, tandem_get_kernel_info(w.module, "plain", &info));
    cr_assert_eq(info.group_max, 64);
    refused(&w, TANDEM_BAD_CODE, "cannot be done in turns: its code object keeps nothing", launch(&w, "plain", &range));
    must(w.device, TANDEM_OK, launch(&w, "plain", &fits));
    tandem_module_unload(w.module);

    w.module = load(w.device, "tests/kernels/large_groups.cl", "-cl-std=CL3.0", false);
    const uint32_t n = WORDS;
    const struct tandem_argument arguments[] = {{&w.in, 4}, {&w.out, 4}, {&n, 4}};
    refused(&w, TANDEM_BAD_ARGUMENT, "only launches by the host",
            tandem_task_build(w.channel, w.module, "plain", &range, NULL, arguments, 3, &task));
    close_world(&w);
}
