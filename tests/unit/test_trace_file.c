// Files of events: what is written is what is read, and nothing that is broken is taken for whole.
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/seed.h"
#include "random_numbers.h"
#include "trace/trace_file.h"

static char folder[] = "/tmp/test-trace-XXXXXX";

static void begin(void) {
    cr_assert_not_null(mkdtemp(folder));
}
static void end(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}
static uint64_t seed(void) {
    const uint64_t seed = seed_from_environment();
    printf("seed %llu\n", (unsigned long long)seed);
    return seed;
}
static const char *place(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// Random fields of the right width; lanes that the mask leaves out are 0, as text has them.
static struct trace_event random_event(uint64_t *random, enum trace_kind kind, uint64_t cycle) {
    uint32_t words[TRACE_WORDS_MAX];
    struct trace_event event = {.kind = kind, .cycle = cycle};
    if (trace_kind_per_sm(kind)) event.sm = (uint32_t)random_bits(random) % 4;
    for (int f = 0; f < trace_field_count(kind); f++) {
        const unsigned width = trace_field_width(kind, f), first = trace_field_word(kind, f);
        for (unsigned w = 0; w < (width + 31) / 32; w++) {
            words[first + w] = (uint32_t)random_bits(random);
            if (32 * (w + 1) > width) words[first + w] &= (UINT32_C(1) << width % 32) - 1;
        }
    }
    cr_assert_eq(trace_event_unpack(&event, words), -1);
    for (unsigned lane = 0; kind == TRACE_WB && lane < 32; lane++) {
        if ((event.wb.mask >> lane & 1) == 0) event.wb.data[lane] = 0;
    }
    return event;
}

static bool same(const struct trace_event *a, const struct trace_event *b) {
    uint32_t left[TRACE_WORDS_MAX], right[TRACE_WORDS_MAX];
    if (a->kind != b->kind || a->sm != b->sm || a->cycle != b->cycle) return false;
    trace_event_pack(a, left);
    trace_event_pack(b, right);
    return memcmp(left, right, trace_event_words(a->kind) * sizeof left[0]) == 0;
}

// Some events of each kind, the CPU's accesses between them.
#define EVENTS (8u * TRACE_KIND_COUNT)
static struct trace_event events[EVENTS];
static uint8_t bytes[1000];

static void write_file(const char *path, uint64_t *random) {
    const struct trace_head head = {.config = "small", .memory = 1 << 20, .seed = 5, .latency = 9, .no_fetches = true};
    char why[256];
    struct trace_writer *writer = trace_writer_open(path, &head, why, sizeof why);
    cr_assert_not_null(writer, "%s", why);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_bits(random);
    trace_writer_memory(writer, true, 0x4000, bytes, sizeof bytes);
    for (uint32_t i = 0; i < EVENTS; i++) {
        events[i] = random_event(random, (enum trace_kind)(i % TRACE_KIND_COUNT), i);
        trace_writer_event(writer, &events[i]);
    }
    trace_writer_memory(writer, false, 0xFFFF0, bytes, 16);
    cr_assert(trace_writer_close(writer, EVENTS + 7));
}

static void read_file(const char *path) {
    struct trace_head head;
    struct trace_item item;
    char why[256];
    struct trace_reader *reader = trace_reader_open(path, &head, why, sizeof why);
    cr_assert_not_null(reader, "%s", why);
    cr_expect(strcmp(head.config, "small") == 0 && head.memory == 1 << 20 && head.seed == 5 && head.latency == 9 &&
              head.no_fetches);
    uint32_t count = 0;
    size_t written = 0, read = 0;
    uint64_t cycle = 0;
    while (trace_reader_next(reader, &item, why, sizeof why) == TRACE_READ_ITEM) {
        if (item.kind == TRACE_ITEM_EVENT) {
            cr_assert(same(&item.event, &events[count]), "event %u", count);
            count++;
        } else if (item.kind == TRACE_ITEM_WRITE) {
            cr_assert_eq(item.address, 0x4000 + written);
            cr_assert_eq(memcmp(item.bytes, bytes + written, item.size), 0);
            written += item.size;
        } else if (item.kind == TRACE_ITEM_READ) {
            cr_assert(item.address == 0xFFFF0 && memcmp(item.bytes, bytes, 16) == 0);
            read += item.size;
        } else {
            cycle = item.cycle;
        }
    }
    cr_expect(count == EVENTS && written == sizeof bytes && read == 16 && cycle == EVENTS + 7, "%s", why);
    cr_expect_eq(trace_reader_next(reader, &item, why, sizeof why), TRACE_READ_DONE);
    trace_reader_close(reader);
}

TestSuite(trace_file, .init = begin, .fini = end);

Test(trace_file, what_is_written_is_read, .description = "GM-1 events and memory, text and binary [model]") {
    uint64_t random = seed();
    for (unsigned round = 0; round < 20; round++) {
        write_file(place("a.trace"), &random);
        read_file(place("a.trace"));
        write_file(place("a.events"), &random);
        read_file(place("a.events"));
    }
}

// Reads all of it; false with the line.
static bool whole(const char *path, char *why, size_t why_size) {
    struct trace_head head;
    struct trace_item item;
    struct trace_reader *reader = trace_reader_open(path, &head, why, why_size);
    if (reader == NULL) return false;
    enum trace_read read;
    do {
        read = trace_reader_next(reader, &item, why, why_size);
    } while (read == TRACE_READ_ITEM);
    trace_reader_close(reader);
    return read == TRACE_READ_DONE;
}

static size_t content(const char *path, char **to) {
    FILE *file = fopen(path, "rb");
    *to = malloc(1 << 20);
    const size_t size = fread(*to, 1, 1 << 20, file);
    fclose(file);
    return size;
}
static void put_content(const char *path, const char *from, size_t size) {
    FILE *file = fopen(path, "wb");
    cr_assert_eq(fwrite(from, 1, size, file), size);
    fclose(file);
}

static void refused_in_one_line(const char *path, const char *what, size_t at) {
    char why[256] = "";
    cr_expect_not(whole(path, why, sizeof why), "%s at %zu is not noticed", what, at);
    cr_expect(why[0] != '\0' && strchr(why, '\n') == NULL, "%s at %zu: \"%s\"", what, at, why);
}

static void damage(const char *name) {
    uint64_t random = seed();
    char path[256], *was;
    snprintf(path, sizeof path, "%s", place(name));
    write_file(path, &random);
    const size_t size = content(path, &was);
    for (size_t cut = 0; cut < size; cut += 1 + cut / 40) {
        put_content(path, was, cut);
        refused_in_one_line(path, "a cut", cut);
    }
    put_content(path, was, size - 1);
    refused_in_one_line(path, "a cut", size - 1);
    put_content(path, was, size);
    FILE *file = fopen(path, "ab");
    fputc('x', file);
    fclose(file);
    refused_in_one_line(path, "more", size);
    free(was);
}

Test(trace_file, a_cut_text_is_noticed, .description = "GM-1 wherever it is cut [model]") {
    damage("b.trace");
}
Test(trace_file, a_cut_binary_is_noticed, .description = "GM-1 wherever it is cut [model]") {
    damage("b.events");
}

Test(trace_file, a_damaged_binary_is_noticed, .description = "GM-1 any bit [model]") {
    uint64_t random = seed();
    char path[256], *was;
    snprintf(path, sizeof path, "%s", place("c.events"));
    write_file(path, &random);
    const size_t size = content(path, &was);
    for (unsigned i = 0; i < 600; i++) {
        const size_t at = i < 120 ? i / 2 : random_bits(&random) % size;
        const char bit = (char)(1 << random_bits(&random) % 8);
        was[at] ^= bit;
        put_content(path, was, size);
        refused_in_one_line(path, "a flipped bit", at);
        was[at] ^= bit;
    }
    free(was);
}

Test(trace_file, lines_that_are_no_events, .description = "GM-1 each is refused, and says which line [model]") {
    static const char *const lines[] = {
        "cycle",
        "cycle x INTERRUPT bits=0x1",
        "cycle 99999999999999999999 INTERRUPT bits=0x1",
        "cycle -1 INTERRUPT bits=0x1",
        "cycle 1 INTERRUPTS bits=0x1",
        "cycle 1 sm 0 INTERRUPT bits=0x1",
        "cycle 1 BARRIER cta=0x1",
        "cycle 1 sm x BARRIER cta=0x1",
        "cycle 1 sm 0 BARRIER",
        "cycle 1 sm 0 BARRIER cta=1",
        "cycle 1 sm 0 BARRIER cta=0x",
        "cycle 1 sm 0 BARRIER cta=0x100",
        "cycle 1 sm 0 BARRIER cta=0x1 more=0x2",
        "cycle 1 sm 0 BARRIER warp=0x1",
        "cycle 1 INTERRUPT bits=0x100000000",
        "cycle 1 sm 0 WB warp=0x0 rd=0x1 portion=0x0 mask=0x1 data=[0:0x1",
        "cycle 1 sm 0 WB warp=0x0 rd=0x1 portion=0x0 mask=0x1 data=[32:0x1]",
        "cycle 1 sm 0 WB warp=0x0 rd=0x1 portion=0x0 mask=0x1 data=[0:0x100000000]",
        "cycle 1 sm 0 WB warp=0x0 rd=0x1 portion=0x0 mask=0x1 data=0x1",
        "memory write 0x0",
        "memory write 0x0 1",
        "memory write 0x0 0g",
        "memory swap 0x0 00",
        "memory write x 00",
        "hello",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[512], why[256] = "";
        const int size = snprintf(text, sizeof text, "cycle 1 INTERRUPT bits=0x1\n%s\n", lines[i]);
        put_content(place("d.trace"), text, (size_t)size);
        cr_expect_not(whole(place("d.trace"), why, sizeof why), "\"%s\" is taken", lines[i]);
        cr_expect(strncmp(why, "line 2: ", 8) == 0 && strchr(why, '\n') == NULL, "\"%s\": \"%s\"", lines[i], why);
    }
}

Test(trace_file, heads_of_others, .description = "GM-1 of another version, table, or none [model]") {
    static const struct {
        const char *text, *why;
    } heads[] = {
        {"# tandem trace 2: config=nano\n", "of version 2"},
        {"# tandem trace 1: config=nano memory=1048576 seed=1 latency=0 fetches=1 events=00000000\n",
         "another version"},
        {"# tandem trace 1: config=nano memory=1048576 seed=1\n", "first line"},
        {"# tandem trace 1: config=a_name_that_is_much_too_long memory=1 seed=1 latency=0 fetches=1 events=0\n",
         "first line"},
        {"# tandem trace\n", "of version 0"},
        {"TANDEMTR", "ends within its head"},
        {"\x7f"
         "ELF\x01\x02",
         "line 1"},
        {"", "empty"},
    };
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        char why[256] = "";
        put_content(place("e.trace"), heads[i].text, strlen(heads[i].text));
        cr_expect_not(whole(place("e.trace"), why, sizeof why), "\"%s\"", heads[i].text);
        cr_expect_not_null(strstr(why, heads[i].why), "\"%s\": \"%s\"", heads[i].text, why);
    }
    char why[256] = "";
    cr_expect_not(whole("/no/such/file", why, sizeof why));
    cr_expect_not_null(strstr(why, "No such file"), "%s", why);
    cr_expect_not(whole(folder, why, sizeof why));
    cr_expect_not_null(strstr(why, "directory"), "%s", why);
}
