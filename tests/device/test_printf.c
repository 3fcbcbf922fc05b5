// printf of OpenCL C (tests/kernels/printing.cl) on every kind of device: the texts are those of the host's own printf.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work_bench.h"

// What was printed: the texts one behind the other, and how many.
struct printed {
    char text[16384];
    size_t size;
    unsigned calls;
};

static void collect(void *context, const char *text, size_t size) {
    struct printed *to = context;
    cr_assert_lt(to->size + size, sizeof to->text);
    memcpy(to->text + to->size, text, size);
    to->size += size;
    to->text[to->size] = 0;
    to->calls++;
}

static struct work_bench begin(const char *name, struct printed *printed) {
    struct work_bench b = work_begin(name, 0, 0, "printing.cl", NULL);
    *printed = (struct printed){0};
    tandem_set_printf(b.device, collect, printed);
    return b;
}

static void run(struct work_bench *b, const char *kernel, uint32_t global, const struct tandem_argument *arguments,
                size_t count) {
    const struct tandem_range range = {.dimensions = 1, .global = {global}};
    must(b->device, TANDEM_OK, tandem_launch(b->channel, b->module, kernel, &range, arguments, count));
    must(b->device, TANDEM_OK, tandem_finish(b->channel, WORK_DEADLINE));
}

static tandem_addr place(struct work_bench *b, const void *bytes, size_t size) {
    tandem_addr address = 0;
    must(b->device, TANDEM_OK, tandem_alloc(b->device, size, 64, &address));
    must(b->device, TANDEM_OK, tandem_write(b->device, address, bytes, size));
    return address;
}

static void expect_text(const struct printed *printed, unsigned calls, const char *wanted) {
    cr_expect_eq(printed->calls, calls, "%u records", printed->calls);
    cr_expect_str_eq(printed->text, wanted);
}

static void conversions(const char *name) {
    static struct printed printed;
    struct work_bench b = begin(name, &printed);
    const int n[] = {42, -7, 'T'};
    const float f[] = {3.25f, -1.0e-20f, 1.0f / 3.0f, INFINITY, NAN, -INFINITY};
    const long long w[] = {-1234567890123456789, 0x0123456789ABCDEF};
    const tandem_addr at[] = {place(&b, n, sizeof n), place(&b, f, sizeof f), place(&b, w, sizeof w)};
    const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&at[2], 4}};
    run(&b, "conversions", 1, arguments, 3);
    char wanted[4096];
    int used = sprintf(wanted, "plain\n100%%|%d|%i|%5d|%-5d|%05d|%+d|% d|%.4d\n", n[0], n[1], n[0], n[0], n[0], n[0],
                       n[0], n[0]);
    used += sprintf(wanted + used, "%u|%o|%#o|%x|%#X|%c|%hhd|%hu\n", (unsigned)n[1], (unsigned)n[0], (unsigned)n[0],
                    (unsigned)n[1], (unsigned)n[0], n[2], (signed char)n[1], (unsigned short)n[1]);
    used += sprintf(wanted + used, "%lld|%llu|%llx|%20lld|\n", w[0], (unsigned long long)w[0], (unsigned long long)w[1],
                    w[1]);
    used += sprintf(wanted + used, "%f|%e|%g|%.2f|%10.3e|%G|%+.1f|%a\n", (double)f[0], (double)f[0], (double)f[0],
                    (double)f[0], (double)f[1], (double)f[1], (double)f[0], (double)f[2]);
    used += sprintf(wanted + used, "inf INF nan NAN  -inf|-inf  |\n");
    used += sprintf(wanted + used, "[string][constants][yes     ][st]\n");
    used += sprintf(wanted + used, "0x00001234|    0x00000010|0x00000000\n");
    sprintf(wanted + used, "table 42 of constants\n");
    expect_text(&printed, 9, wanted);
    work_end(&b);
}
ON_DEVICES(printf, conversions, "every conversion of printf, inf and nan, strings")

static void lengths(const char *name) {
    static struct printed printed;
    struct work_bench b = begin(name, &printed);
    const int n[] = {42, -7};
    const long long w[] = {-1234567890123456789, 0x0123456789ABCDEF, 'T'};
    const tandem_addr at[] = {place(&b, n, sizeof n), place(&b, w, sizeof w)};
    const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}};
    run(&b, "lengths", 1, arguments, 2);
    char wanted[512];
    int used = sprintf(wanted, "%d|%u|%x|T|%hd|   84|\n", (int)w[0], (unsigned)w[0], (unsigned)w[1], (short)w[1]);
    used += sprintf(wanted + used, "-7|4294967289|fffffff9|   42|\n");
    sprintf(wanted + used, "%lld|%llu|%llx|-7\n", w[0], (unsigned long long)w[0], (unsigned long long)w[1]);
    expect_text(&printed, 3, wanted);
    work_end(&b);
}
ON_DEVICES(printf, lengths, "integers under conversions of printf of another length")

static void vectors(const char *name) {
    static struct printed printed;
    struct work_bench b = begin(name, &printed);
    const float f[] = {1.5f, -2.25f, 1.0e10f, 0.0f};
    const int n[] = {1, -2, 300, 70000};
    const long long w[] = {-5, 1ll << 40};
    const tandem_addr at[] = {place(&b, f, sizeof f), place(&b, n, sizeof n), place(&b, w, sizeof w)};
    const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&at[2], 4}};
    run(&b, "vectors", 1, arguments, 3);
    expect_text(&printed, 5,
                "1.500000,-2.250000,10000000000.000000,0.000000|1.50,-2.25,10000000000.00,0.00|1.5,-2.25,1e+10|"
                "1.500000e+00,-2.250000e+00\n"
                "1,-2,300,70000|0x1,0xfffffffe,0x12c,0x11170|1,-2|    1,   -2,  300|\n"
                "1,-2,44,112|1,254,44,112|1,-2|1,fffe,12c,1170,1,fffe,12c,1170\n"
                "-5,1099511627776|18446744073709551611,1099511627776\n"
                "1,fe,2c,70,1,fe,2c,70,1,fe,2c,70,1,fe,2c,70\n");
    work_end(&b);
}
ON_DEVICES(printf, vectors, "vectors of printf in every length")

// How often a line stands in the text; every character of it is then gone.
static unsigned take_line(struct printed *from, const char *line) {
    unsigned found = 0;
    for (char *at; (at = strstr(from->text, line)) != NULL; found++)
        memmove(at, at + strlen(line), strlen(at + strlen(line)) + 1);
    return found;
}

static void threads(const char *name) {
    enum { COUNT = 72 };
    static struct printed printed;
    struct work_bench b = begin(name, &printed);
    for (unsigned round = 1; round <= 2; round++) {  // the second launch finds the buffer begun anew
        const tandem_addr results = new_words(b.device, COUNT);
        const struct tandem_argument argument = {&results, 4};
        printed = (struct printed){0};
        run(&b, "threads", COUNT, &argument, 1);
        cr_expect_eq(printed.calls, COUNT / 4 * 4, "%u records", printed.calls);
        for (unsigned i = 0; i < COUNT; i++) {
            char line[64], before[64] = "";
            for (unsigned k = 0; i % 2 == 1 && k < i % 4; k++) {
                sprintf(line, i % 4 == 1 ? "one %u\n" : "three %u.%u\n", i, k);
                const char *at = strstr(printed.text, line);
                cr_assert_not_null(at, "%s", line);
                if (before[0] != 0) cr_expect_leq(strstr(printed.text, before), at, "%s before %s", before, line);
                strcpy(before, line);
            }
            cr_expect_eq(read_word(b.device, results + 4 * i), i % 2 == 1 ? 0u : 7u, "result of %u", i);
        }
        for (unsigned i = 0; i < COUNT; i++) {
            char line[64];
            for (unsigned k = 0; i % 2 == 1 && k < i % 4; k++) {
                sprintf(line, i % 4 == 1 ? "one %u\n" : "three %u.%u\n", i, k);
                cr_expect_eq(take_line(&printed, line), 1, "%s", line);
            }
        }
        cr_expect_str_eq(printed.text, "");
        struct tandem_statistics statistics;
        tandem_get_statistics(b.device, &statistics);
        cr_expect_eq(statistics.printed, (uint64_t)round * COUNT);
        cr_expect_eq(statistics.print_dropped, 0);
    }
    work_end(&b);
}
ON_DEVICES(printf, threads, "threads that go apart print each of their lines once, a thread's own in order")

// A buffer for 10 records of 2 words: what does not fit is counted, its thread gets -1, the next launch prints again.
static void overflow(const char *name) {
    static struct printed printed;
    struct work_bench b = begin(name, &printed);
    must(b.device, TANDEM_BAD_ARGUMENT, tandem_set_printf_bytes(b.device, 12));
    must(b.device, TANDEM_BAD_ARGUMENT, tandem_set_printf_bytes(b.device, 18));
    must(b.device, TANDEM_BAD_ARGUMENT, tandem_set_printf_bytes(b.device, 0x40000004));
    must(b.device, TANDEM_OK, tandem_set_printf_bytes(b.device, 80));
    tandem_module_unload(b.module);
    work_load(&b, "printing.cl", NULL);
    for (unsigned round = 1; round <= 2; round++) {
        const tandem_addr results = new_words(b.device, 160);
        const struct tandem_argument argument = {&results, 4};
        printed = (struct printed){0};
        run(&b, "short_lines", 25, &argument, 1);
        unsigned good = 0, bad = 0;
        for (unsigned i = 0; i < 25; i++) {
            const uint32_t result = read_word(b.device, results + 4 * i);
            char line[16];
            sprintf(line, "<%u>", i);
            cr_expect_eq(strstr(printed.text, line) != NULL, result == 0, "thread %u: %u", i, result);
            good += result == 0;
            bad += result == UINT32_MAX;
        }
        cr_expect_eq(good, 10, "%u fit", good);
        cr_expect_eq(bad, 15, "%u did not fit", bad);
        cr_expect_eq(printed.calls, 10);
        struct tandem_statistics statistics;
        tandem_get_statistics(b.device, &statistics);
        cr_expect_eq(statistics.printed, 10u * round);
        cr_expect_eq(statistics.print_dropped, 15u * round);
    }
    work_end(&b);
}
ON_DEVICES(printf, overflow, "records that do not fit are dropped and counted, printf gives -1, others stay whole")

static void launched(const char *name) {
    static struct printed printed;
    struct work_bench b = work_begin(name, 16, 64, "printing_launched.cl", "-cl-std=CL2.0");
    printed = (struct printed){0};
    tandem_set_printf(b.device, collect, &printed);
    const int children = 3;
    const struct tandem_argument argument = {&children, 4};
    work_run(&b, "parent", 4, 4, &argument, 1);
    cr_expect_eq(printed.calls, 4 + 4 * 3, "%u records", printed.calls);
    for (unsigned i = 0; i < 4; i++) {
        char line[64];
        sprintf(line, "parent %u\n", i);
        cr_expect_eq(take_line(&printed, line), 1, "%s", line);
        for (unsigned k = 0; k < 3; k++) {
            sprintf(line, "child %u.%u counted\n", i, k);
            cr_expect_eq(take_line(&printed, line), 1, "%s", line);
        }
    }
    cr_expect_str_eq(printed.text, "");
    work_end(&b);
}
ON_DEVICES(printf, launched, "WQ-10 launched work prints too, and has the program's variables")

// What was printed before a fault is handed out, and the channel prints again after its reset.
static void fault(const char *name) {
    static struct printed printed;
    struct work_bench b = begin(name, &printed);
    const tandem_addr nowhere = 0xF0000000;
    const struct tandem_argument argument = {&nowhere, 4};
    const struct tandem_range range = {.dimensions = 1, .global = {1}};
    must(b.device, TANDEM_OK, tandem_launch(b.channel, b.module, "faults", &range, &argument, 1));
    must(b.device, TANDEM_CHANNEL_FAULT, tandem_finish(b.channel, WORK_DEADLINE));
    expect_text(&printed, 1, "before 1\n");
    must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));
    const tandem_addr somewhere = new_words(b.device, 1);
    const struct tandem_argument good = {&somewhere, 4};
    run(&b, "faults", 1, &good, 1);
    expect_text(&printed, 3, "before 1\nbefore 1\nbehind\n");
    work_end(&b);
}
ON_DEVICES(printf, fault, "what was printed before a fault comes out")

// A program that writes into the buffer itself: the record that is none is named, and nothing is read past it.
Test(printf, overwritten_model, .description = "a record that the program cannot have written is refused [model]") {
    static struct printed printed;
    struct work_bench b = {.device = open_device("model:nano")};
    tandem_set_printf(b.device, collect, &printed);
    b.module = load_assembly(b.device,
                             ".printf i \"%d\\n\"\n.string \"text\"\n.kernel f\n"
                             "LDC.32 R0, c[0][RZ + 0x2C]\n"  // the buffer
                             "MOV R1, 8\nSTG.32 [R0], R1\n"  // bytes of records
                             "LDG.32 R2, [R0 + 12]\n"        // the records
                             "MOV R1, 2\nSTG.32 [R2], R1\n"  // entry 1 is no format
                             "EXIT\n");
    must(b.device, TANDEM_OK, tandem_channel_open(b.device, 8, 0, &b.channel));
    const struct tandem_range range = {.dimensions = 1, .global = {1}};
    must(b.device, TANDEM_OK, tandem_launch(b.channel, b.module, "f", &range, NULL, 0));
    must(b.device, TANDEM_BAD_CODE, tandem_finish(b.channel, WORK_DEADLINE));
    cr_expect_not_null(strstr(tandem_message(b.device), "but the word 0x00000002"), "%s", tandem_message(b.device));
    cr_expect_eq(printed.calls, 0);
    work_end(&b);
}
