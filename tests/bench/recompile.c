// What the second compile gains (`make bench-recompile`): cycles per element with the first compile and with the
// second, what the second costs, and after how many launches it has paid. Figures, never a verdict; but results are
// compared.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "driver/command.h"
#include "driver/program.h"
#include "gen/config.h"

static const char help[] =
    "usage: recompile [--log] [DEVICE [TURNS]]\n"
    "For kernels of tests/kernels and relations of their buffers: cycles per element, first compile and second "
    "compile, "
    "on DEVICE\n"
    "(rtl:nano), TURNS (32) elements for each of 32 work-items. --log: why, after each program.\n"
    "Break-even: launches of this size until the cycles saved, at the configuration's clock, are worth the compile.\n";

// Cycles are the device's own: a release before a launch and one after it write the time, and nothing else is under
// way. The first of these launches finds cold caches and is not counted.
enum { REPEAT = 3, ITEMS = 32, SPACE = 1 << 17, ARGUMENTS_MAX = 5, STAMP = 16 };

struct row {
    const char *file, *kernel, *what;
    unsigned buffers;
    uint32_t size[4];     // bytes of each buffer for an element, 0: 1024 in all
    int32_t distance[4];  // from buffer 0; 0: the same
    bool one_item;        // overlaps carry values from turn to turn: defined for one work-item only
};

enum { FAR = 30000 };

static const struct row rows[] = {
    {"compute_output", "compute_output", "apart", 4, {1, 0, 1, 0}, {0, 2 * FAR, FAR, 3 * FAR}, false},
    {"compute_output", "compute_output", "same", 4, {1, 0, 1, 0}, {0, 2 * FAR, 0, 3 * FAR}, false},
    {"compute_output", "compute_output", "overlap +64", 4, {1, 0, 1, 0}, {0, 2 * FAR, 64, 3 * FAR}, true},
    {"compute_output", "compute_output", "overlap +2", 4, {1, 0, 1, 0}, {0, 2 * FAR, 2, 3 * FAR}, true},
    {"compute_output", "compute_output", "overlap -16", 4, {1, 0, 1, 0}, {0, 2 * FAR, -16, 3 * FAR}, true},
    {"aliasing", "saxpy", "apart", 2, {4, 4}, {0, FAR}, false},
    {"aliasing", "pieces", "apart", 2, {4, 4}, {0, FAR}, false},
    {"aliasing", "pieces", "overlap +16", 2, {4, 4}, {0, 16}, true},
    {"aliasing", "pieces", "overlap +8", 2, {4, 4}, {0, 8}, true},
    {"aliasing", "pieces", "overlap -64", 2, {4, 4}, {0, -64}, true},
    {"aliasing", "strided", "apart", 2, {12, 4}, {0, FAR}, true},
    {"aliasing", "scan", "apart", 2, {4, 4}, {0, FAR}, true},
    {"aliasing", "stencil", "apart", 2, {4, 4}, {0, FAR}, true},
    {"aliasing", "gather", "apart", 3, {4, 4, 4}, {0, FAR, 2 * FAR}, true},
    {"aliasing", "windows", "apart", 3, {8, 4, 4}, {0, FAR, 2 * FAR}, true},
};

struct session {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_program *program;
    tandem_addr space, stamps;
    uint32_t ns_per_cycle;
    uint32_t items, turns;
    const struct row *row;
};

static bool good(const struct session *s, enum tandem_status status) {
    if (status == TANDEM_OK) return true;
    fprintf(stderr, "recompile: %s: %s: %s\n", s->row->kernel, tandem_status_name(status), tandem_message(s->device));
    return false;
}

static unsigned values_of(const struct row *row, uint32_t turns, uint32_t items, uint32_t values[2]) {
    values[0] = values[1] = turns;
    if (strcmp(row->kernel, "saxpy") == 0) return values[0] = 3, values[1] = turns * items, 2;
    if (strcmp(row->kernel, "compute_output") == 0) return values[0] = turns * items, 1;
    if (strcmp(row->kernel, "strided") == 0) return values[0] = 3, 2;
    if (strcmp(row->kernel, "scan") == 0) return values[0] = 0, 2;
    if (strcmp(row->kernel, "gather") == 0) return values[1] = 15, 2;
    return 1;
}

// A release of 16 bytes, when all before it has ended: value and time, in nanoseconds.
static bool stamp(const struct session *s, unsigned number) {
    const uint32_t words[4] = {0, s->stamps + STAMP * number, number, SEMAPHORED_RELEASE};
    for (uint32_t k = 0; k < 4; k++)
        if (!good(s, tandem_method(s->channel, 0, HOST_SEMAPHOREA + 4 * k, words[k]))) return false;
    return true;
}

static bool cycles_between(const struct session *s, unsigned first, unsigned second, uint64_t *cycles) {
    uint64_t times[2];
    if (!good(s, tandem_read(s->device, s->stamps + STAMP * first + 8, &times[0], 8)) ||
        !good(s, tandem_read(s->device, s->stamps + STAMP * second + 8, &times[1], 8)))
        return false;
    *cycles = (times[1] - times[0]) / s->ns_per_cycle;
    return true;
}

// One launch from the same memory each time. `after`: the memory it leaves.
static bool launch(const struct session *s, bool known, uint8_t *after, uint64_t *cycles) {
    const struct row *row = s->row;
    uint32_t random = 7, values[2], count = values_of(row, s->turns, s->items, values);
    for (size_t k = 0; k < SPACE; k++)
        after[k] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
    for (uint32_t v = 0; v < 256; v++) {
        uint32_t sum = (v + 1) * (s->turns * s->items) / 256;
        memcpy(after + 256 + 2 * FAR + 4 * v, &sum, 4);
    }
    tandem_addr pointers[4];
    struct tandem_argument arguments[ARGUMENTS_MAX + 1];
    struct tandem_region regions[ARGUMENTS_MAX + 1] = {{0}};
    for (unsigned k = 0; k < row->buffers; k++) {
        uint32_t size = row->size[k] != 0 ? row->size[k] * s->turns * s->items : 1024;
        pointers[k] = s->space + 256 + (uint32_t)row->distance[k];
        regions[k] = (struct tandem_region){pointers[k], size, 0};
        arguments[k] = (struct tandem_argument){&pointers[k], 4};
    }
    for (unsigned k = 0; k < count; k++)
        arguments[row->buffers + k] = (struct tandem_argument){&values[k], 4};
    const struct tandem_range range = {.dimensions = 1, .global = {s->items}, .local = {s->items}};
    if (!good(s, tandem_write(s->device, s->space, after, SPACE))) return false;
    for (unsigned k = 0; k <= REPEAT; k++) {
        if (!stamp(s, k) || !good(s, tandem_program_launch(s->channel, s->program, row->kernel, &range, arguments,
                                                           known ? regions : NULL, row->buffers + count)))
            return false;
    }
    if (!stamp(s, REPEAT + 1) || !good(s, tandem_finish(s->channel, 0)) || !cycles_between(s, 1, REPEAT + 1, cycles))
        return false;
    *cycles /= REPEAT;
    tandem_program_cycles(s->program, *cycles);
    return good(s, tandem_read(s->device, s->space, after, SPACE));
}

static bool read_source(struct compiler_source *source, const struct row *row, char *path, size_t path_size) {
    static char text[65536];
    snprintf(path, path_size, "tests/kernels/%s.cl", row->file);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "recompile: cannot open %s; run it in the project's folder\n", path);
        return false;
    }
    *source = (struct compiler_source){.text = text, .name = path, .size = fread(text, 1, sizeof text, file)};
    fclose(file);
    return true;
}

static void print_row(const struct session *s, uint64_t first, uint64_t second) {
    const struct tandem_program_counts counts = tandem_program_counts(s->program);
    const double elements = (double)s->turns * s->items;
    printf("  %-14s %-12s %5.0f %9.2f", s->row->kernel, s->row->what, elements, (double)first / elements);
    if (counts.first == counts.launches) {
        printf("         -  first compile for all\n");
        return;
    }
    printf(" %9.2f %6.2f %8.0f", (double)second / elements, (double)first / (double)second, counts.seconds * 1e3);
    const double saved = ((double)first - (double)second) * s->ns_per_cycle * 1e-9;
    if (saved > 0) {
        printf(" %10.0f\n", counts.seconds / saved);
    } else {
        printf("      never\n");
    }
}

static bool measure(const struct row *row, const char *device, uint32_t turns, bool log) {
    static uint8_t first[SPACE], second[SPACE];
    struct session s = {.row = row, .turns = turns, .items = row->one_item ? 1 : ITEMS};
    if (row->one_item) s.turns = turns * 8;
    struct compiler_source source;
    char path[128], message[512];
    if (!read_source(&source, row, path, sizeof path)) return false;
    if (tandem_open(device, &s.device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "recompile: %s\n", message);
        return false;
    }
    struct tandem_info info;
    tandem_get_info(s.device, &info);
    s.ns_per_cycle = ppu_config_find(info.config)->ns_per_cycle;
    uint64_t before = 0, after = 0;
    bool done = good(&s, tandem_channel_open(s.device, 16, 0, &s.channel)) &&
                good(&s, tandem_program_build(s.device, compiler_alias_compile, &source, NULL, &s.program)) &&
                good(&s, tandem_alloc(s.device, SPACE, 256, &s.space)) &&
                good(&s, tandem_alloc(s.device, STAMP * (REPEAT + 2), 16, &s.stamps)) &&
                launch(&s, false, first, &before) && launch(&s, true, second, &after);
    if (done) {
        print_row(&s, before, after);
        if (memcmp(first, second, SPACE) != 0) {
            fprintf(stderr, "recompile: %s, %s: the results differ\n", row->kernel, row->what);
            done = false;
        }
        char *text = log ? tandem_program_log(s.program) : NULL;
        if (text != NULL) printf("%s\n", text);
        free(text);
    }
    if (s.channel != NULL) tandem_channel_close(s.channel);
    tandem_program_free(s.program);
    return tandem_close(s.device) == TANDEM_OK && done;
}

int main(int argc, char **argv) {
    bool log = argc > 1 && strcmp(argv[1], "--log") == 0;
    argc -= log, argv += log;
    if (argc > 1 && argv[1][0] == '-') {
        fputs(help, stdout);
        return strcmp(argv[1], "--help") == 0 ? 0 : 1;
    }
    const char *device = argc > 1 ? argv[1] : "rtl:nano";
    const unsigned long turns = argc > 2 ? strtoul(argv[2], NULL, 10) : 32;
    if (turns < 8 || turns > 200) {
        fprintf(stderr, "recompile: TURNS must be 8 to 200\n");
        return 1;
    }
    printf("%s, cycles per element of a launch, first and second compile\n", device);
    printf("  %-14s %-12s %5s %9s %9s %6s %8s %10s\n", "kernel", "buffers", "elem.", "first", "second", "gain", "ms",
           "break-even");
    bool all = true;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        all = measure(&rows[k], device, (uint32_t)turns, log) && all;
    return all ? 0 : 1;
}
