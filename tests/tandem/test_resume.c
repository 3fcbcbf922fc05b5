// Recorded runs: from its last checkpoint, wherever it is, a run goes on as it did, event for event, in model, RTL and
// tandem; a mismatch comes back; files that are cut off, damaged or of something else are told from whole ones.
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/recording.h"
#include "common/seed.h"
#include "driver/resume.h"
#include "programs.h"
#include "random_numbers.h"
#include "trace/trace_file.h"

#define LINE 2048u

static char folder[] = "/tmp/test-resume-XXXXXX";
static char first[64], again[64], run_file[64], other[64];
static uint64_t seed;

static void begin(void) {
    cr_assert_not_null(mkdtemp(folder));
    snprintf(first, sizeof first, "%s/first.events", folder);
    snprintf(again, sizeof again, "%s/again.events", folder);
    snprintf(run_file, sizeof run_file, "%s/run", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    setenv("TANDEM_REPORTS", folder, 1);
    seed = seed_from_environment();
    printf("seed %llu\n", (unsigned long long)seed);
}
static void end(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(resume, .init = begin, .fini = end);

static const struct resume_options nothing = {.until = UINT64_MAX};

// The fixed programs, or one, on such a device, recorded.
static enum tandem_status record(const char *device, const char *only, uint32_t every, const char *trace, char *why,
                                 size_t why_size) {
    char name[256];
    snprintf(name, sizeof name, "%s,mem=4,checkpoint=%s,checkpoint_every=%u%s%s", device, run_file, every,
             trace != NULL ? ",trace=" : "", trace != NULL ? trace : "");
    return fixed_programs_run(name, only[0] != '\0' ? only : NULL, why, why_size);
}

// The trace as lines: events, and the CPU's accesses to memory. *cycle: of the events; *end: of the run.
struct line {
    char *text;
    uint64_t cycle;
};
static struct line *lines_of(const char *path, size_t *count, uint64_t *end_cycle) {
    struct trace_head head;
    struct trace_item item;
    char why[256] = "", text[LINE];
    struct line *lines = NULL;
    size_t room = 0;
    uint64_t cycle = 0;
    struct trace_reader *reader = trace_reader_open(path, &head, why, sizeof why);
    cr_assert_not_null(reader, "%s", why);
    *count = 0;
    while (trace_reader_next(reader, &item, why, sizeof why) == TRACE_READ_ITEM) {
        if (item.kind == TRACE_ITEM_END) *end_cycle = item.cycle;
        if (item.kind == TRACE_ITEM_END) continue;
        if (item.kind == TRACE_ITEM_EVENT) {
            trace_event_print(&item.event, text, sizeof text);
            cycle = item.event.cycle;
        } else {
            uint32_t sum = 0;
            for (size_t i = 0; i < item.size; i++)
                sum = sum * 31 + item.bytes[i];
            snprintf(text, sizeof text, "memory %d at 0x%llx, %zu bytes, sum %08x", (int)item.kind,
                     (unsigned long long)item.address, item.size, sum);
        }
        if (*count == room) {
            room = room == 0 ? 4096 : 2 * room;
            lines = realloc(lines, room * sizeof *lines);
            cr_assert_not_null(lines);
        }
        lines[*count] = (struct line){.text = strdup(text), .cycle = cycle};
        (*count)++;
    }
    cr_assert_str_empty(why);
    trace_reader_close(reader);
    return lines;
}
static void free_lines(struct line *lines, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(lines[i].text);
    free(lines);
}

// What came behind the checkpoint has come again, all of it and nothing else.
static void same_end(uint64_t from) {
    size_t all, tail;
    uint64_t all_end = 0, tail_end = 1;
    struct line *whole = lines_of(first, &all, &all_end), *part = lines_of(again, &tail, &tail_end);
    cr_assert(tail <= all && tail > 0, "%zu of %zu", tail, all);
    cr_expect_eq(all_end, tail_end);
    if (tail < all) cr_expect_leq(whole[all - tail - 1].cycle, from);
    for (size_t i = 0; i < tail; i++)
        cr_assert_str_eq(part[i].text, whole[all - tail + i].text, "line %zu of %zu", i, tail);
    cr_expect_geq(part[0].cycle, from);
    free_lines(whole, all);
    free_lines(part, tail);
}

struct name {
    char text[40];  // Criterion hands parameters to other processes
    char only[16];  // a program, or "": all of them, which several SMs do not take
};
static struct name devices[] = {{"model:nano", ""},
                                {"model:small,native=0", ""},
                                {"rtl:nano", ""},
                                {"rtl:full", "contention"},
                                {"tandem:nano", ""},
                                {"tandem:small,latency=40", ""},
                                {"tandem:full,seed=7", "atomics"}};

ParameterizedTestParameters(resume, goes_on) {
    return cr_make_param_array(struct name, devices, sizeof devices / sizeof *devices);
}

ParameterizedTest(struct name *device, resume, goes_on,
                  .description = "GM-3 the rest of a run, event for event [model] [rtl] [tandem]") {
    char why[1024] = "";
    struct resume_result result;
    // From the beginning, which tells how long it is; then from somewhere behind its middle.
    cr_assert_eq(record(device->text, device->only, UINT32_MAX, first, why, sizeof why), TANDEM_OK, "%s", why);
    struct resume_options options = nothing;
    options.trace = again;
    cr_assert_eq(resume(run_file, &options, &result), RESUME_DONE, "%s", result.message);
    cr_expect(result.from == 0 && result.calls > 40 && !result.cut_off, "from %llu, %llu calls",
              (unsigned long long)result.from, (unsigned long long)result.calls);
    same_end(0);
    const uint32_t cycles = (uint32_t)result.to, every = cycles / 2 + random_below(&seed, cycles / 5 * 2);
    cr_assert_eq(record(device->text, device->only, every, first, why, sizeof why), TANDEM_OK, "%s", why);
    cr_assert_eq(resume(run_file, &options, &result), RESUME_DONE, "every %u: %s", every, result.message);
    cr_expect(result.from >= every && result.calls > 3 && !result.cut_off, "from %llu, %llu calls",
              (unsigned long long)result.from, (unsigned long long)result.calls);
    same_end(result.from);
    if (strncmp(device->text, "tandem", 6) != 0) {
        options.rtl_alone = true;
        cr_expect_eq(resume(run_file, &options, &result), RESUME_OPTIONS);
        return;
    }
    options.rtl_alone = true;
    cr_assert_eq(resume(run_file, &options, &result), RESUME_DONE, "every %u: %s", every, result.message);
}

Test(resume, stops_and_goes_beyond, .description = "GM-3 until a cycle, and past the record [rtl]") {
    char why[1024] = "";
    struct resume_result all, some;
    struct resume_options options = nothing;
    cr_assert_eq(record("rtl:nano", "", 4000, NULL, why, sizeof why), TANDEM_OK, "%s", why);
    cr_assert_eq(resume(run_file, &options, &all), RESUME_DONE, "%s", all.message);
    options.until = all.from + (all.to - all.from) / 2;
    cr_assert_eq(resume(run_file, &options, &some), RESUME_DONE, "%s", some.message);
    cr_expect(some.to >= options.until && some.to < all.to, "to %llu", (unsigned long long)some.to);
    options = nothing;
    options.beyond = 5000;
    cr_assert_eq(resume(run_file, &options, &some), RESUME_DONE, "%s", some.message);
    cr_expect_eq(some.to, all.to + 5000);
    options.beyond = 0;
    options.until = 1;  // before the checkpoint
    cr_assert_eq(resume(run_file, &options, &some), RESUME_DONE, "%s", some.message);
    cr_expect(some.to == some.from && some.calls == 0);
}

static struct name broken[] = {
    {"tandem:nano,inject_model=102", ""}, {"tandem:small,inject_model=107", ""}, {"tandem:nano_inject,inject=2", ""}};

ParameterizedTestParameters(resume, mismatch_comes_back) {
    return cr_make_param_array(struct name, broken, sizeof broken / sizeof *broken);
}

ParameterizedTest(struct name *device, resume, mismatch_comes_back,
                  .description = "GM-3 the same mismatch in the same cycle; the RTL alone goes past it [tandem]") {
    char why[1024] = "";
    struct resume_result result;
    cr_assert_eq(record(device->text, device->only, 2500, NULL, why, sizeof why), TANDEM_MISMATCH, "%s", why);
    struct resume_options options = nothing;
    options.command = "the command";
    cr_assert_eq(resume(run_file, &options, &result), RESUME_FAILED, "%s", result.message);
    // All but the name of the report, behind the last parenthesis or comma.
    char *report = strstr(result.message, "tandem-mismatch");
    cr_assert_not_null(report, "%s", result.message);
    *report = '\0';
    cr_expect_not_null(strstr(why, result.message), "\"%s\" is not in \"%s\"", result.message, why);
    options.rtl_alone = true;
    cr_expect_eq(resume(run_file, &options, &result), RESUME_DONE, "%s", result.message);
}

// The recorded run again, with the result of call `number` changed. Returns the number of calls.
static uint64_t copy_with_lie(uint64_t number) {
    struct recording_reader reader;
    struct recording_writer writer = {0};
    struct recorded call;
    char why[256] = "";
    uint64_t calls = 0;
    cr_assert(recording_open(&reader, run_file, why, sizeof why), "%s", why);
    snprintf(writer.path, sizeof writer.path, "%s", other);
    snprintf(writer.device, sizeof writer.device, "%s", reader.device);
    cr_assert(recording_begin(&writer, reader.cycle, reader.state, reader.state_size, why, sizeof why), "%s", why);
    while (recording_next(&reader, &call, why, sizeof why) == 1) {
        recording_call(&writer, call.call, call.a, call.b, call.bytes);
        const bool lies = calls++ >= number && (call.call == RECORDED_REG_READ || call.call == RECORDED_MEM_READ);
        if (lies) number = UINT64_MAX;
        recording_result(&writer, call.result ^ (lies ? 4 : 0));
    }
    cr_assert_str_empty(why);
    recording_close(&reader);
    cr_assert(recording_end(&writer));
    return calls;
}

Test(resume, another_way_is_told, .description = "GM-3 results are compared with the record's [model] [rtl]") {
    static const char *const kinds[] = {"model:nano", "rtl:nano"};
    for (size_t k = 0; k < 2; k++) {
        char why[1024] = "";
        struct resume_result result;
        cr_assert_eq(record(kinds[k], "", 4000, NULL, why, sizeof why), TANDEM_OK, "%s", why);
        const uint64_t calls = copy_with_lie(UINT64_MAX);
        cr_expect_eq(resume(other, &nothing, &result), RESUME_DONE, "%s", result.message);
        for (unsigned i = 0; i < 4; i++) {
            (void)copy_with_lie(random_below(&seed, (uint32_t)calls * 3 / 4));
            cr_expect_eq(resume(other, &nothing, &result), RESUME_DIFFERS, "%s", result.message);
            cr_expect_not_null(strstr(result.message, "and now 0x"), "%s", result.message);
        }
    }
}

static size_t content(char **to) {
    FILE *file = fopen(run_file, "rb");
    cr_assert_not_null(file);
    *to = malloc(32 << 20);
    const size_t size = fread(*to, 1, 32 << 20, file);
    fclose(file);
    return size;
}
static enum resume_status resume_bytes(const char *bytes, size_t size, struct resume_result *result) {
    FILE *file = fopen(other, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
    return resume(other, &nothing, result);
}

Test(resume, broken_files, .description = "GM-3 cut off, damaged, of something else: one line, no device [model]") {
    char why[1024] = "", *bytes;
    struct resume_result result;
    struct recording_reader reader;
    cr_assert_eq(record("model:nano", "", 4000, NULL, why, sizeof why), TANDEM_OK, "%s", why);
    const size_t size = content(&bytes);
    cr_assert(recording_open(&reader, run_file, why, sizeof why), "%s", why);
    const size_t calls_at = 560 + reader.state_size;
    recording_close(&reader);
    cr_assert_lt(calls_at, size);
    cr_expect_eq(resume("/no/such/file", &nothing, &result), RESUME_FILE);
    cr_expect_not_null(strstr(result.message, "No such file"));
    cr_expect_eq(resume(folder, &nothing, &result), RESUME_FILE);
    static const struct {
        size_t size;
        const char *wanted;
    } cuts[] = {{0, "no recorded run"}, {7, "no recorded run"}, {300, "within its head"}, {5000, "within its state"}};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        cr_expect_eq(resume_bytes(bytes, cuts[i].size, &result), RESUME_FILE);
        cr_expect_not_null(strstr(result.message, cuts[i].wanted), "%s", result.message);
    }
    // A program that was killed leaves such a file. One that ends between two calls is whole: that few of them do.
    unsigned cut_off = 0;
    for (unsigned i = 0; i < 12; i++) {
        const size_t cut = calls_at + random_below(&seed, (uint32_t)(size - calls_at));
        cr_expect_eq(resume_bytes(bytes, cut, &result), RESUME_DONE, "%zu of %zu: %s", cut, size, result.message);
        cut_off += result.cut_off;
    }
    cr_expect_geq(cut_off, 9);
    for (unsigned i = 0; i < 40; i++) {
        const size_t at = i < 20 ? calls_at + random_below(&seed, (uint32_t)(size - calls_at))
                                 : 16 + random_below(&seed, (uint32_t)size - 16);
        bytes[at] = (char)(bytes[at] ^ (1 << i % 8));
        const enum resume_status status = resume_bytes(bytes, size, &result);
        cr_expect(status == RESUME_FILE && strstr(result.message, "damaged") != NULL, "byte %zu: status %d, %s", at,
                  (int)status, result.message);
        bytes[at] = (char)(bytes[at] ^ (1 << i % 8));
    }
    bytes[8] ^= 2;
    cr_expect_eq(resume_bytes(bytes, size, &result), RESUME_FILE);
    cr_expect_not_null(strstr(result.message, "another version"), "%s", result.message);
    free(bytes);
}

Test(resume, names_are_checked, .description = "GM-3 devices without checkpoints, places that cannot be [model]") {
    static const struct {
        const char *name, *wanted;
    } wrong[] = {
        {"model:nano,checkpoint=", "file name"},
        {"model:nano,checkpoint_every=5000", "needs checkpoint=FILE"},
        {"model:nano,checkpoint=x,checkpoint_every=999", "not a number from 1000"},
        {"systemc:nano,checkpoint=x", "only model:, rtl: and tandem:"},
        {"tandem-board:rtl:nano,checkpoint=x", "only model:, rtl: and tandem:"},
        {"uart:/dev/null,checkpoint=x", "has no option checkpoint"},
        {"model:nano,mem=4,checkpoint=/no/such/folder/x", "No such file"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct tandem_device *device = NULL;
        char message[1024] = "";
        cr_expect_eq(tandem_open(wrong[i].name, &device, message, sizeof message), TANDEM_NO_DEVICE);
        cr_expect_not_null(strstr(message, wrong[i].wanted), "%s: %s", wrong[i].name, message);
    }
}
