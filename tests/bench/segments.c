// What segments in sub-vector order gain or cost (`make bench-segments`): warps resident, cycles, reads of the level 1
// cache that went to memory, for kernels that need many registers and for kernels whose work-items walk along rows of
// their own. Figures, never a verdict; but results are compared with C.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "driver/tandem.h"
#include "gen/registers.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "kernels/as_c.h"

#include "kernels/segments.cl"
#pragma GCC diagnostic pop

static const char help[] =
    "usage: segments [DEVICE]...\n"
    "For tests/kernels/segments.cl on each DEVICE (rtl:nano rtl:small rtl:full), in regular order and in each way of\n"
    "sub-vector order: warps resident (over all SMs), cycles, reads of the level 1 caches that went to memory.\n";

enum { ROW = 72, WAVES = 4, ITEMS_MAX = 4096 };  // WAVES: work for so many times the warps of the device

typedef void common_kernel(const uint *in, uint *out, uint n);

struct session {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_info info;
    uint32_t items;
    uint32_t *data, *expected, *got;
    tandem_addr in, out;
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

static bool launch(struct session *s, struct tandem_module *module, const char *kernel, uint32_t n,
                   struct figures *to) {
    const struct tandem_range range = {.dimensions = 1, .global = {s->items}, .local = {s->info.threads}};
    const struct tandem_argument arguments[] = {{&s->in, 4}, {&s->out, 4}, {&n, 4}};
    struct tandem_statistics begin, end;
    memset(s->got, 0, s->items * sizeof *s->got);
    if (!good(s, tandem_write(s->device, s->out, s->got, s->items * sizeof *s->got), "output")) return false;
    tandem_reg_write(s->device, REG_WARPS_RESIDENT, 0);
    uint32_t hits = sum_of(s, REG_L1_HITS), misses = sum_of(s, REG_L1_MISSES);
    tandem_get_statistics(s->device, &begin);
    if (!good(s, tandem_launch(s->channel, module, kernel, &range, arguments, 3), kernel) ||
        !good(s, tandem_finish(s->channel, 0), kernel))
        return false;
    tandem_get_statistics(s->device, &end);
    to->cycles = end.cycles - begin.cycles;
    to->hits = sum_of(s, REG_L1_HITS) - hits;
    to->misses = sum_of(s, REG_L1_MISSES) - misses;
    to->resident = tandem_reg_read(s->device, REG_WARPS_RESIDENT) >> 16;
    if (!good(s, tandem_read(s->device, s->out, s->got, s->items * sizeof *s->got), "output")) return false;
    if (memcmp(s->got, s->expected, s->items * sizeof *s->got) == 0) return true;
    fprintf(stderr, "segments: %s: results differ from C's\n", kernel);
    return false;
}

static bool measure(struct session *s, const char *kernel, uint32_t n, const struct subvector_options *subvector,
                    struct figures *to) {
    const struct compiler_options options = {.subvector = *subvector};
    struct compiler_result result;
    struct code_object object;
    struct tandem_module *module = NULL;
    char error[256];
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
               launch(s, module, kernel, n, to);
        if (module != NULL) tandem_module_unload(module);
    }
    compiler_result_free(&result);
    return done;
}

struct row {
    const char *what, *kernel;
    common_kernel *same;
    uint32_t n;  // 0: the number of work-items
    struct subvector_options options;
};

#define LOOPS(w) .way = SUBVECTOR_##w, .cut = CUT_LOOPS, .threshold_kind = THRESHOLD_SET
static const struct row rows[] = {
    {"regular", "many_alive", many_alive, 0, {.way = SUBVECTOR_OFF}},
    {"instructions, computed threshold", "many_alive", many_alive, 0, {.way = SUBVECTOR_INSTRUCTIONS}},
    {"instructions, rows private",
     "many_alive",
     many_alive,
     0,
     {.way = SUBVECTOR_INSTRUCTIONS, .no_shared_rows = true}},
    {"regular", "row_sums", row_sums, 64, {.way = SUBVECTOR_OFF}},
    {"instructions around the loop", "row_sums", row_sums, 64, {LOOPS(INSTRUCTIONS)}},
    {"copies of the loop", "row_sums", row_sums, 64, {LOOPS(COPIES)}},
    {"loop over halves", "row_sums", row_sums, 64, {LOOPS(LOOP)}},
    {"by miss rate", "row_sums", row_sums, 64, {LOOPS(AUTO)}},
};

static bool begin(struct session *s, const char *name) {
    char message[512] = "";
    if (tandem_open(name, &s->device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "segments: %s: %s\n", name, message);
        return false;
    }
    tandem_get_info(s->device, &s->info);
    s->items = WAVES * s->info.warps * s->info.sms * s->info.threads;
    if (s->items > ITEMS_MAX) s->items = ITEMS_MAX;
    for (uint32_t k = 0; k < ITEMS_MAX * ROW; k++)
        s->data[k] = k * 2654435761u ^ k >> 3;
    return good(s, tandem_channel_open(s->device, 16, 0, &s->channel), "channel") &&
           good(s, tandem_alloc(s->device, (size_t)s->items * ROW * 4, 64, &s->in), "input") &&
           good(s, tandem_alloc(s->device, (size_t)s->items * 4, 64, &s->out), "output") &&
           good(s, tandem_write(s->device, s->in, s->data, (size_t)s->items * ROW * 4), "input");
}

static bool measure_row(struct session *s, const struct row *row) {
    struct figures f;
    struct subvector_options options = row->options;
    options.target = s->info.config;
    const uint32_t n = row->n != 0 ? row->n : s->items;
    for (uint32_t item = 0; item < s->items; item++) {
        this_item = (struct work_item){.global_id = {item}, .global_size = {s->items, 1, 1}, .dimensions = 1};
        row->same(s->data, s->expected, n);
    }
    // Without shared registers a lane may have too few.
    const uint32_t lane = s->info.vgpr_rows / (s->info.threads / s->info.lanes);
    if (strcmp(row->kernel, "many_alive") == 0 && (options.way == SUBVECTOR_OFF || options.no_shared_rows) &&
        lane < 80) {
        printf("  %-10s %-32s    does not fit: a lane has %u registers\n", row->kernel, row->what, lane);
        return true;
    }
    if (!measure(s, row->kernel, n, &options, &f)) return false;
    printf("  %-10s %-32s %4u %4u %6u %9llu %8u %8u\n", row->kernel, row->what, f.registers, f.shared, f.resident,
           (unsigned long long)f.cycles, f.hits + f.misses, f.misses);
    return true;
}

static bool run(const char *name) {
    struct session s = {
        .data = calloc(ITEMS_MAX * ROW, 4), .expected = calloc(ITEMS_MAX, 4), .got = calloc(ITEMS_MAX, 4)};
    bool done = s.data != NULL && s.expected != NULL && s.got != NULL && begin(&s, name);
    if (done)
        printf("%s, %u work-items:            registers shared resident cycles    reads   misses\n", name, s.items);
    for (size_t k = 0; k < sizeof rows / sizeof *rows && done; k++)
        done = measure_row(&s, &rows[k]);
    if (s.channel != NULL) tandem_channel_close(s.channel);
    if (s.device != NULL) done = tandem_close(s.device) == TANDEM_OK && done;
    free(s.data);
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
    bool done = true;
    for (int k = 1; k < argc && done; k++)
        done = run(argv[k]);
    for (size_t k = 0; k < 3 && argc == 1 && done; k++)
        done = run(all[k]);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
