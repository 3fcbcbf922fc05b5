// What segments in sub-vector order gain or cost (`make bench-segments`): warps resident, cycles, reads of the level 1
// cache that went to memory, for kernels that need many registers and for kernels whose work-items walk along rows of
// their own. Figures, never a verdict; but every way must leave what regular order leaves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "driver/tandem.h"
#include "gen/registers.h"

static const char help[] =
    "usage: segments [--only KERNEL] [DEVICE]...\n"
    "For tests/kernels/segments.cl on each DEVICE (rtl:nano rtl:small rtl:full; with ,latency=N for a slower memory), "
    "in\n"
    "regular order and in each way of sub-vector order: vector registers, how many of them are shared, warps resident\n"
    "(most, over all SMs), cycles, reads of the level 1 caches and how many of them went to memory.\n";

enum { WAVES = 3, ITEMS_MAX = 8192, WORDS = 1 << 17, STEP = 64, STEPS_MAX = 1 << 20 };

// For each configuration: values alive at once, words of a row, and warps of an SM that walk along rows at once, such
// that the cache of the SM holds what one portion of each reads, and not what all portions read.
static const struct shape {
    const char *config;
    unsigned values, row, warps;
} shapes[] = {{"nano", 20, 73, 2}, {"small", 80, 73, 4}, {"full", 80, 76, 2}};

struct session {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_info info;
    const struct shape *shape;
    uint32_t *expected, *got;
    tandem_addr in, out, done;
};

struct figures {
    uint32_t registers, shared, resident, hits, misses;
    uint64_t cycles;
};

static bool good(const struct session *s, enum tandem_status status, const char *what) {
    if (status == TANDEM_OK) return true;
    fprintf(stderr, "segments: %s: %s: %s\n", what, tandem_status_name(status), tandem_message(s->device));
    return false;
}

static uint32_t sum_of(const struct session *s, uint32_t offset) {
    uint32_t sum = 0;
    for (uint32_t sm = 0; sm < s->info.sms; sm++) {
        tandem_reg_write(s->device, REG_WARP_SELECT, sm << 8);
        sum += tandem_reg_read(s->device, offset);
    }
    return sum;
}

// Waits of the driver look at the device only every few thousand cycles.
static bool wait_closely(struct session *s) {
    uint32_t word = 0;
    if (!good(s, tandem_write(s->device, s->done, &word, sizeof word), "semaphore") ||
        !good(s, tandem_semaphore_release(s->channel, s->done, 1, true), "release") ||
        !good(s, tandem_submit(s->channel), "submit"))
        return false;
    for (uint32_t k = 0; k < STEPS_MAX && word == 0; k++)
        if (!good(s, tandem_run(s->device, STEP), "run") ||
            !good(s, tandem_read(s->device, s->done, &word, sizeof word), "semaphore"))
            return false;
    return good(s, tandem_finish(s->channel, 0), "launch");
}

static bool launch(struct session *s, struct tandem_module *module, const char *kernel, uint32_t items, uint32_t n,
                   struct figures *to) {
    const struct tandem_range range = {.dimensions = 1, .global = {items}, .local = {s->info.threads}};
    const struct tandem_argument arguments[] = {{&s->in, 4}, {&s->out, 4}, {&n, 4}};
    struct tandem_statistics begin, end;
    memset(s->got, 0, items * sizeof *s->got);
    if (!good(s, tandem_write(s->device, s->out, s->got, items * sizeof *s->got), "output")) return false;
    tandem_reg_write(s->device, REG_WARPS_RESIDENT, 0);
    uint32_t hits = sum_of(s, REG_L1_HITS), misses = sum_of(s, REG_L1_MISSES);
    tandem_get_statistics(s->device, &begin);
    if (!good(s, tandem_launch(s->channel, module, kernel, &range, arguments, 3), kernel) || !wait_closely(s))
        return false;
    tandem_get_statistics(s->device, &end);
    to->cycles = end.cycles - begin.cycles;
    to->hits = sum_of(s, REG_L1_HITS) - hits;
    to->misses = sum_of(s, REG_L1_MISSES) - misses;
    to->resident = tandem_reg_read(s->device, REG_WARPS_RESIDENT) >> 16;
    return good(s, tandem_read(s->device, s->out, s->got, items * sizeof *s->got), "output");
}

static bool measure(struct session *s, const char *kernel, uint32_t items, uint32_t n,
                    const struct subvector_options *subvector, struct figures *to) {
    char macros[64], error[256];
    snprintf(macros, sizeof macros, "-DVALUES=%u -DROW=%u", s->shape->values, s->shape->row);
    const struct compiler_options options = {.clang_options = macros, .subvector = *subvector};
    struct compiler_result result;
    struct code_object object;
    struct tandem_module *module = NULL;
    bool done = false;
    memset(to, 0, sizeof *to);
    if (!compiler_compile_file("tests/kernels/segments.cl", &options, &result)) {
        fprintf(stderr, "segments: %s", result.messages);
    } else if (!code_object_read(result.elf, result.elf_size, &object, error, sizeof error)) {
        fprintf(stderr, "segments: %s\n", error);
    } else {
        const struct code_kernel *found = code_object_find(&object, kernel);
        to->registers = found->registers;
        to->shared = found->shared_rows;
        code_object_free(&object);
        done = good(s, tandem_module_load(s->device, result.elf, result.elf_size, &module), kernel) &&
               launch(s, module, kernel, items, n, to);
        if (module != NULL) tandem_module_unload(module);
    }
    compiler_result_free(&result);
    return done;
}

#define REGULAR .way = SUBVECTOR_OFF
#define LOOPS(w) .way = SUBVECTOR_##w, .cut = CUT_LOOPS, .threshold_kind = THRESHOLD_SET, .all_segments = true
static const struct row {
    const char *kernel, *what;
    uint32_t n;  // 0: the number of work-items
    struct subvector_options options;
} rows[] = {
    {"wait_and_mix", "regular", 96, {REGULAR}},
    {"wait_and_mix", "instructions, computed threshold", 96, {.way = SUBVECTOR_INSTRUCTIONS}},
    {"many_alive", "regular", 0, {REGULAR}},
    {"many_alive", "instructions, computed threshold", 0, {.way = SUBVECTOR_INSTRUCTIONS}},
    {"row_sums", "regular", 64, {REGULAR}},
    {"row_sums", "instructions around the loop", 64, {LOOPS(INSTRUCTIONS)}},
    {"row_sums", "copies of the loop", 64, {LOOPS(COPIES)}},
    {"row_sums", "loop over halves", 64, {LOOPS(LOOP)}},
    {"row_sums", "by miss rate", 64, {LOOPS(AUTO)}},
};

static bool measure_row(struct session *s, const struct row *row, bool first) {
    struct figures f;
    struct subvector_options options = row->options;
    options.target = s->info.config;
    const bool walks = strcmp(row->kernel, "row_sums") == 0;
    const uint32_t items = s->info.threads * s->info.sms * (walks ? s->shape->warps : WAVES * s->info.warps);
    if (!measure(s, row->kernel, items, row->n != 0 ? row->n : items, &options, &f)) return false;
    if (first) memcpy(s->expected, s->got, items * sizeof *s->got);
    if (memcmp(s->got, s->expected, items * sizeof *s->got) != 0) {
        fprintf(stderr, "segments: %s, %s: not what regular order leaves\n", row->kernel, row->what);
        return false;
    }
    printf("  %-12s %-32s %9u %6u %8u %8llu %7u %7u\n", row->kernel, row->what, f.registers, f.shared, f.resident,
           (unsigned long long)f.cycles, f.hits + f.misses, f.misses);
    return true;
}

static bool begin(struct session *s, const char *name) {
    char message[512] = "";
    if (tandem_open(name, &s->device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "segments: %s: %s\n", name, message);
        return false;
    }
    tandem_get_info(s->device, &s->info);
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (strcmp(shapes[k].config, s->info.config) == 0) s->shape = &shapes[k];
    uint32_t *data = malloc(WORDS * sizeof *data);
    s->expected = malloc(ITEMS_MAX * sizeof *s->expected);
    s->got = malloc(ITEMS_MAX * sizeof *s->got);
    if (data == NULL || s->expected == NULL || s->got == NULL || s->shape == NULL) {
        fprintf(stderr, "segments: %s: %s\n", name, s->shape == NULL ? "not a configuration known here" : "no memory");
        free(data);
        return false;
    }
    for (uint32_t k = 0; k < WORDS; k++)
        data[k] = k * 2654435761u ^ k >> 3;
    bool done = good(s, tandem_channel_open(s->device, 16, 0, &s->channel), "channel") &&
                good(s, tandem_alloc(s->device, WORDS * sizeof *data, 64, &s->in), "input") &&
                good(s, tandem_alloc(s->device, ITEMS_MAX * sizeof *s->got, 64, &s->out), "output") &&
                good(s, tandem_alloc(s->device, 64, 64, &s->done), "semaphore") &&
                good(s, tandem_write(s->device, s->in, data, WORDS * sizeof *data), "input");
    free(data);
    return done;
}

static bool run(const char *name, const char *only) {
    struct session s = {0};
    bool done = begin(&s, name);
    if (done) {
        printf("%s:\n  %-12s %-32s %9s %6s %8s %8s %7s %7s\n", name, "kernel", "order", "registers", "shared",
               "resident", "cycles", "reads", "misses");
    }
    for (size_t k = 0; k < sizeof rows / sizeof *rows && done; k++)
        done = (only != NULL && strcmp(only, rows[k].kernel) != 0) ||
               measure_row(&s, &rows[k], k == 0 || strcmp(rows[k].kernel, rows[k - 1].kernel) != 0);
    if (s.channel != NULL) tandem_channel_close(s.channel);
    if (s.device != NULL) done = tandem_close(s.device) == TANDEM_OK && done;
    free(s.expected);
    free(s.got);
    return done;
}

int main(int argc, char **argv) {
    static const char *const all[] = {"rtl:nano", "rtl:small", "rtl:full"};
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return EXIT_SUCCESS;
    }
    const char *only = NULL;
    bool done = true;
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "--only") == 0) {
        bool known = false;
        only = argv[2];
        first = 3;
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            known |= strcmp(only, rows[k].kernel) == 0;
        if (!known) {
            fprintf(stderr, "segments: --only %s: wait_and_mix, many_alive or row_sums\n", only);
            return EXIT_FAILURE;
        }
    }
    for (int k = first; k < argc && done; k++)
        done = run(argv[k], only);
    for (size_t k = 0; k < 3 && argc == first && done; k++)
        done = run(all[k], only);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
