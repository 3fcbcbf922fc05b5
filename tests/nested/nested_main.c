// nested: programs that make their own work on the PPU, to be looked at; and what nested launches cost.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/interrupt.h"
#include "cli/streams.h"
#include "common/options.h"
#include "nested.h"

static const char help[] =
    "usage: nested mandelbrot [OPTION]... OUT.pgm    a picture by recursive subdivision, written to OUT.pgm\n"
    "       nested quicksort [OPTION]...             keys sorted by a kernel that launches its own halves\n"
    "       nested search [OPTION]...                breadth-first search, each level launched by the one before\n"
    "       nested cost [OPTION]...                  nested launches by the PPU's threads and by the CPU, compared\n"
    "Each result is compared with plain C.\n"
    "  --device NAME   default tandem:small\n"
    "  --size N        width of the picture (256, cost: 64), keys (10000), vertices (2000)\n"
    "  --limit N       iterations of the picture, up to 255 (default 64)\n"
    "  --seed N        of keys and graph (default 1)\n"
    "  --kernels DIR   where nested.cl is (default tests/kernels)\n"
    "  --entries N     of the ring that threads fill, 4 to 65536 (default 256)\n"
    "  --deadline N    give up after N cycles (default 4294967296)\n"
    "cost: the device gets a link of 1000 ns and 2 bytes a nanosecond unless its name has link=. With put=software in\n"
    "its name the CPU moves GP_PUT of the queue that threads fill.\n"
    "Exit status 0 PASS, 1 FAIL, 2 wrong usage, 128 + N ended by signal N.\n";

struct options {
    const char *what, *device, *kernels, *out;
    uint64_t size, limit, seed, deadline, entries;
};

static bool parse(int argc, char **argv, struct options *o) {
    static const char *const whats[] = {"mandelbrot", "quicksort", "search", "cost"};
    *o = (struct options){.device = "tandem:small", .kernels = "tests/kernels", .limit = 64, .seed = 1};
    const struct option_row rows[] = {
        {"--device", NULL, 0, 0, &o->device},      {"--kernels", NULL, 0, 0, &o->kernels},
        {"--size", &o->size, 0, UINT32_MAX, NULL}, {"--limit", &o->limit, 0, UINT32_MAX, NULL},
        {"--seed", &o->seed, 0, UINT64_MAX, NULL}, {"--deadline", &o->deadline, 0, UINT64_MAX, NULL},
        {"--entries", &o->entries, 4, 65536, NULL}};
    char *others[64];
    int count = 0;
    if (argc > 64 || !options_parse("nested", rows, sizeof rows / sizeof rows[0], argc, argv, others, &count))
        return false;
    for (size_t w = 0; w < sizeof whats / sizeof whats[0] && count > 0; w++) {
        if (strcmp(others[0], whats[w]) == 0) o->what = whats[w];
    }
    if (count > 1) o->out = others[1];
    if (o->what == NULL || count > 2 || (strcmp(o->what, "mandelbrot") == 0) != (o->out != NULL)) {
        fprintf(stderr, "nested: say mandelbrot with a file for the picture, quicksort, search or cost; see --help\n");
        return false;
    }
    return true;
}

static bool write_picture(const char *path, const uint8_t *picture, uint32_t size, uint32_t limit) {
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fprintf(file, "P5 %u %u %u\n", size, size, limit) > 0 &&
                fwrite(picture, 1, (size_t)size * size, file) == (size_t)size * size;
    if (file != NULL && fclose(file) != 0) good = false;
    if (!good) fprintf(stderr, "nested: %s: %s\n", path, strerror(errno));
    return good;
}

static bool mandelbrot(struct nested *n, const struct options *o) {
    const uint32_t size = o->size != 0 ? (uint32_t)o->size : 256;
    uint8_t *picture = size <= 1024 ? malloc((size_t)size * size) : calloc(1, 1);
    uint32_t launches = 0;
    const bool good = picture != NULL && nested_mandelbrot(n, size, (uint32_t)o->limit, picture);
    if (good) {
        mandelbrot_plainly(size, (uint32_t)o->limit, picture, &launches);
        printf("%u x %u, %u launches, ", size, size, launches);
    }
    const bool written = good && write_picture(o->out, picture, size, (uint32_t)o->limit);
    free(picture);
    return written;
}

// Every half a minute: where it is.
static void progress(void *context, const struct tandem_statistics *s) {
    time_t *shown = context;
    const time_t now = time(NULL);
    if (now - *shown < 30) return;
    *shown = now;
    fprintf(stderr, "nested: %llu cycles, %llu warp instructions\n", (unsigned long long)s->cycles,
            (unsigned long long)s->warp_instructions);
}

static bool cost(struct nested *n, const struct options *o) {
    const uint32_t size = o->size != 0 ? (uint32_t)o->size : 64;
    struct nested_cost costs[2];
    for (int by_cpu = 0; by_cpu < 2; by_cpu++) {
        if (!nested_mandelbrot_cost(n, size, (uint32_t)o->limit, by_cpu != 0, &costs[by_cpu])) return false;
    }
    printf("%-34s %14s %14s\n", o->device, "by the PPU", "by the CPU");
    printf("%-34s %14u %14u\n", "nested launches", costs[0].launches, costs[1].launches);
    printf("%-34s %14.0f %14.0f\n", "cycles from creation to start", costs[0].cycles_to_start,
           costs[1].cycles_to_start);
    printf("%-34s %14llu %14llu\n", "CPU wake-ups", (unsigned long long)costs[0].cpu_wakeups,
           (unsigned long long)costs[1].cpu_wakeups);
    printf("%-34s %14.1f %14.1f\n", "words over the link a launch", (double)costs[0].link_words / costs[0].launches,
           (double)costs[1].link_words / costs[1].launches);
    printf("%-34s %14.1f %14.1f\n", "transfers over the link a launch",
           (double)costs[0].link_transfers / costs[0].launches, (double)costs[1].link_transfers / costs[1].launches);
    printf("%-34s %14llu %14llu\n", "cycles in all", (unsigned long long)costs[0].cycles,
           (unsigned long long)costs[1].cycles);
    return true;
}

static int run(int argc, char **argv) {
    struct options o;
    struct nested n;
    char name[600];
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    if (!parse(argc, argv, &o)) return 2;
    const bool costs = strcmp(o.what, "cost") == 0, sorts = strcmp(o.what, "quicksort") == 0;
    snprintf(name, sizeof name, "%.500s%s", o.device, costs && strstr(o.device, "link=") == NULL ? ",link=1000" : "");
    const struct tandem_work_queue queue = {.entries = (uint32_t)o.entries};
    if (!nested_open(&n, name, o.kernels, o.entries != 0 ? &queue : NULL)) {
        fprintf(stderr, "nested: %s\n", n.error);
        return 1;
    }
    interrupt_begin(n.device);
    time_t shown = time(NULL);
    tandem_set_progress(n.device, progress, &shown);
    n.deadline = o.deadline;
    bool good;
    uint32_t levels = 0;
    if (strcmp(o.what, "mandelbrot") == 0) {
        good = mandelbrot(&n, &o);
    } else if (sorts) {
        const uint32_t keys = o.size != 0 ? (uint32_t)o.size : 10000;
        good = nested_quicksort(&n, keys, o.seed);
        if (good) printf("%u keys, ", keys);
    } else if (costs) {
        good = cost(&n, &o);
    } else {
        const uint32_t vertices = o.size != 0 ? (uint32_t)o.size : 2000;
        good = nested_search(&n, vertices, o.seed, &levels);
        if (good) printf("%u vertices, %u levels, ", vertices, levels);
    }
    if (!good && n.error[0] != '\0') fprintf(stderr, "nested: %s\n", n.error);
    struct tandem_statistics s;
    tandem_get_statistics(n.device, &s);
    interrupt_closing();
    if (!nested_close(&n)) {
        fprintf(stderr, "nested: %s\n", n.error);
        good = false;
    }
    const int number = interrupt_end();
    printf("%s: %s cycles=%llu warp-instructions=%llu events=%llu mismatches=%llu\n", o.device, good ? "PASS" : "FAIL",
           (unsigned long long)s.cycles, (unsigned long long)s.warp_instructions, (unsigned long long)s.events,
           (unsigned long long)s.mismatches);
    if (number != 0) return EXIT_SIGNAL(number);
    return good ? 0 : 1;
}

int main(int argc, char **argv) {
    streams_begin();
    const int result = run(argc, argv);
    return streams_end("nested") || result != 0 ? result : 1;
}
