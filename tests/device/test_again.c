// Second compiles that launches make by themselves: when, whether they are kept, what they take from the heap, what the
// log tells. Nothing here asks for a second compile but by launching.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "driver/recompile.h"
#include "gen/config.h"
#include "gen/methods.h"
#include "on_devices.h"

enum { LOG_BYTES = 16384, WORDS = 96, PRICE = 1500 };

// Slower, by a loop that a second compile cannot take out; the same result.
// Where its counter begins differs between work-items, for all that the first compile knows: it does not unroll it.
static const char source[] =
    "kernel void thrice(global const uint *in, global uint *out, uint n) {\n"
    "    for (uint i = (uint)get_global_id(0); i < n; i++) out[i] = in[i] * 3u + 1u;\n"
    "}\n";
static const char slow_source[] =
    "kernel void thrice(global const uint *in, global uint *out, uint n) {\n"
    "    for (uint i = 0; i < n; i++) {\n"
    "        uint sum = 1u;\n"
    "        for (uint k = 0; k < 3u; k++) { sum += in[i]; if (sum == 0x12345678u) out[i] = sum; }\n"
    "        out[i] = sum;\n"
    "    }\n"
    "}\n";

struct world {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    char log[LOG_BYTES];
    size_t log_size;
};

static void keep_line(void *context, const char *line) {
    struct world *w = context;
    const size_t room = sizeof w->log - w->log_size;
    const int length = snprintf(w->log + w->log_size, room, "%s\n", line);
    w->log_size += (size_t)length < room ? (size_t)length : room - 1;
}

static struct tandem_module *load(struct world *w, const char *text) {
    struct compiler_result result;
    struct tandem_module *module = NULL;
    cr_assert(compiler_compile(text, strlen(text), "again.cl", NULL, &result), "%s", result.messages);
    must(w->device, TANDEM_OK, tandem_module_load(w->device, result.elf, result.elf_size, &module));
    compiler_result_free(&result);
    return module;
}

static void set_price(struct world *w, uint64_t price) {
    const struct tandem_recompile_options options = {.when = TANDEM_RECOMPILE_AUTO, .price = price};
    tandem_set_recompile(w->device, &options);
}

static void open_world(struct world *w, const char *name, const char *text) {
    memset(w, 0, sizeof *w);
    w->device = open_device(name);
    tandem_set_recompile_log(w->device, keep_line, w);
    must(w->device, TANDEM_OK, tandem_channel_open(w->device, 16, 0, &w->channel));
    if (text != NULL) w->module = load(w, text);
}

static void close_world(struct world *w) {
    tandem_channel_close(w->channel);
    tandem_module_unload(w->module);
    close_device(w->device);
}

static void check_log(const struct world *w, const char *line, bool wanted) {
    cr_assert((strstr(w->log, line) != NULL) == wanted, "\"%s\" is %s the log:\n%s", line, wanted ? "not in" : "in",
              w->log);
}

static const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};

static void put(struct world *w, tandem_addr in, tandem_addr out, uint32_t n) {
    const struct tandem_argument arguments[] = {{&in, 4}, {&out, 4}, {&n, 4}};
    must(w->device, TANDEM_OK, tandem_launch(w->channel, w->module, "thrice", &one, arguments, 3));
}

static void launch(struct world *w, tandem_addr in, tandem_addr out, uint32_t n, uint32_t seed) {
    uint32_t words[WORDS], got[WORDS];
    for (uint32_t i = 0; i < n; i++)
        words[i] = seed * 77 + i * i;
    must(w->device, TANDEM_OK, tandem_write(w->device, in, words, 4 * n));
    put(w, in, out, n);
    must(w->device, TANDEM_OK, tandem_finish(w->channel, 0));
    must(w->device, TANDEM_OK, tandem_read(w->device, out, got, 4 * n));
    for (uint32_t i = 0; i < n; i++)
        cr_assert_eq(got[i], words[i] * 3 + 1, "launch %u, element %u", seed, i);
}

// A release of four words when all before it has ended: value and time, in nanoseconds.
static void stamp(struct world *w, tandem_addr at) {
    const uint32_t words[4] = {0, at, 0, HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_RELEASE)};
    for (uint32_t k = 0; k < 4; k++)
        must(w->device, TANDEM_OK, tandem_method(w->channel, 0, HOST_SEMAPHOREA + 4 * k, words[k]));
}

// Cycles from before a launch of the first compile until after it, by time stamps of the test's own.
static double cycles_of_first(struct world *w, tandem_addr in, tandem_addr out) {
    struct tandem_info info;
    tandem_get_info(w->device, &info);
    const tandem_addr stamps = new_words(w->device, 8);
    uint64_t times[2];
    const struct tandem_recompile_options never = {.when = TANDEM_RECOMPILE_NEVER};
    tandem_set_recompile(w->device, &never);
    for (unsigned k = 0; k < 2; k++) {  // the second has warm caches
        stamp(w, stamps);
        put(w, in, out, WORDS);
        stamp(w, stamps + 16);
        must(w->device, TANDEM_OK, tandem_finish(w->channel, 0));
    }
    for (uint32_t k = 0; k < 2; k++)
        must(w->device, TANDEM_OK, tandem_read(w->device, stamps + 16 * k + 8, &times[k], 8));
    return (double)(times[1] - times[0]) / ppu_config_find(info.config)->ns_per_cycle;
}

// Waits until it pays, is tried, and is kept.
static void kept(const char *name) {
    static struct world w;
    open_world(&w, name, source);
    const tandem_addr in = new_words(w.device, WORDS), out = new_words(w.device, WORDS);
    const double first = cycles_of_first(&w, in, out);
    set_price(&w, PRICE);
    for (uint32_t k = 0; k < 12; k++)
        launch(&w, in, out, WORDS, k);
    const struct tandem_recompile_counts counts = tandem_recompile_counts(w.module);
    cr_assert(counts.launches == 14 && counts.compiles == 1 && counts.refused == 0 && counts.dropped == 0, "%s", w.log);
    cr_assert(counts.first >= 5 && counts.first <= 8 && counts.hits >= 5, "%llu first\n%s",
              (unsigned long long)counts.first, w.log);
    check_log(&w, "kernel thrice: in, out: apart, gap ", true);
    check_log(&w, "kernel thrice: waits: a compile costs 1500 cycles and should save 27 %", true);
    check_log(&w, "kernel thrice: compiled again in ", true);
    check_log(&w, "kernel thrice: allowed: 1 pairs apart", true);
    check_log(&w, "kernel thrice: done: 1 loops unrolled, the most by 4", true);
    check_log(&w, "; on trial\n", true);
    // By the device's own cycles: the figures are there, and the second is smaller.
    double before = 0, after = 0;
    const char *verdict = strstr(w.log, "kernel thrice: kept: ");
    cr_assert_not_null(verdict, "%s", w.log);
    cr_assert_eq(
        sscanf(verdict, "kernel thrice: kept: %lf cycles before, %lf after, for the same launch (3 ", &before, &after),
        2, "%s", w.log);
    cr_assert(before > 500 && after > 100 && after < before, "%s", w.log);
    cr_assert(before < first + 300 && before > first - 300, "%.0f by the test's own time stamps\n%s", first, w.log);
    close_world(&w);
}
ON_DEVICES(again, kept,
           "AM-12 AM-14 AM-15 AM-16 plain launches compile a kernel again when it pays, and keep what is faster")

// In place of a second compile.
static bool compile_slow(void *context, const void *program, size_t size, const struct alias_metadata *metadata,
                         struct alias_compiled *result) {
    struct compiler_result compiled;
    (void)context, (void)program, (void)size, (void)metadata;
    const bool good = compiler_compile(slow_source, strlen(slow_source), "slow.cl", NULL, &compiled);
    *result = (struct alias_compiled){.elf = compiled.elf, .elf_size = compiled.elf_size};
    compiled.elf = NULL;
    compiler_result_free(&compiled);
    return good;
}

static void dropped(const char *name) {
    static struct world w;
    open_world(&w, name, source);
    tandem_set_compiler(w.device, compile_slow, NULL);
    set_price(&w, 1);
    const tandem_addr in = new_words(w.device, WORDS), out = new_words(w.device, WORDS);
    for (uint32_t k = 0; k < 12; k++)
        launch(&w, in, out, WORDS, k);
    struct tandem_recompile_counts counts = tandem_recompile_counts(w.module);
    cr_assert(counts.compiles == 1 && counts.dropped == 1 && counts.refused == 0, "%s", w.log);
    cr_assert_eq(counts.first, 9, "%llu launches ran the first compile\n%s", (unsigned long long)counts.first, w.log);
    double before = 0, after = 0;
    const char *verdict = strstr(w.log, "kernel thrice: dropped: ");
    cr_assert_not_null(verdict, "%s", w.log);
    cr_assert_eq(sscanf(verdict, "kernel thrice: dropped: %lf cycles before, %lf after", &before, &after), 2);
    cr_assert_gt(after, before, "%s", w.log);
    // What has been dropped is not tried again, and less is expected of the next one.
    const size_t then = w.log_size;
    launch(&w, in + 4, out, WORDS - 1, 99);
    cr_assert_null(strstr(w.log + then, "kernel thrice: waits: "), "%s", w.log);
    set_price(&w, 1000000);
    launch(&w, in + 8, out, WORDS - 2, 99);
    check_log(&w, "kernel thrice: waits: a compile costs 1000000 cycles and should save 9 %", true);
    close_world(&w);
}
ON_DEVICES(again, dropped, "AM-12 AM-16 a second compile that proves slower is dropped")

// The log without the CPU's time, which no decision may hang on.
static char *choices(const char *name) {
    static struct world w;
    open_world(&w, name, source);
    set_price(&w, PRICE);
    const tandem_addr in = new_words(w.device, WORDS), out = new_words(w.device, WORDS);
    for (uint32_t k = 0; k < 20; k++)
        launch(&w, in, out + (k % 2 == 0 ? 0 : 4), WORDS - 1, k);
    close_world(&w);
    for (char *at = w.log; (at = strstr(at, "compiled again in ")) != NULL;) {
        at += strlen("compiled again in ");
        memset(at, '#', strcspn(at, " "));
        memmove(at + 1, at + strcspn(at, " "), strlen(at + strcspn(at, " ")) + 1);
    }
    return strdup(w.log);
}

static void repeats(const char *name) {
    char seeded[64];
    snprintf(seeded, sizeof seeded, "%s,seed=7", name);
    char *first = choices(seeded), *second = choices(seeded);
    cr_assert_not_null(strstr(first, "kernel thrice: kept: "), "%s", first);
    cr_assert_str_eq(first, second, "%s", name);
    free(first);
    free(second);
}
ON_DEVICES(again, repeats,
           "AM-15 AM-16 the same calls on a device of the same name make the same choices, to the cycle")

// Launches that run beside others are not timed.
static void beside_others(const char *name) {
    static struct world w;
    open_world(&w, name, source);
    struct tandem_channel *other = NULL;
    must(w.device, TANDEM_OK, tandem_channel_open(w.device, 16, 0, &other));
    set_price(&w, 1);
    const tandem_addr in = new_words(w.device, 4), out = new_words(w.device, 4), more = new_words(w.device, 4);
    struct tandem_channel *const first = w.channel;
    for (uint32_t k = 0; k < 70; k++) {
        put(&w, in, out, 4);
        must(w.device, TANDEM_OK, tandem_submit(first));
        w.channel = other;
        put(&w, in, more, 4);
        must(w.device, TANDEM_OK, tandem_submit(other));
        must(w.device, TANDEM_OK, tandem_finish(other, 0));
        w.channel = first;
        must(w.device, TANDEM_OK, tandem_finish(first, 0));
    }
    check_log(&w, "kernel thrice: kept without a figure: too few of 64 launches ran alone\n", true);
    check_log(&w, "cycles before", false);
    tandem_channel_close(other);
    close_world(&w);
}
ON_DEVICES(again, beside_others, "AM-16 launches that do not run alone are no samples")

// ---- on the model: what is decided without the device's time ----

Test(again, short_programs, .description = "AM-15 a short program makes no second compile [model]") {
    static struct world w;
    open_world(&w, "model:small", source);
    const tandem_addr in = new_words(w.device, WORDS), out = new_words(w.device, WORDS);
    for (uint32_t k = 0; k < 5; k++)
        launch(&w, in, out, 8, k);
    cr_assert_eq(tandem_recompile_counts(w.module).compiles, 0);
    check_log(&w, "kernel thrice: waits: ", true);
    close_world(&w);
}

Test(again, in_the_name, .description = "AM-15 the device's name switches second compiles off and on [model]") {
    static struct world w;
    open_world(&w, "model:small,again=never", source);
    tandem_addr in = new_words(w.device, WORDS), out = new_words(w.device, WORDS);
    launch(&w, in, out, 8, 1);
    cr_assert_eq(tandem_recompile_counts(w.module).first, 1);
    cr_assert_eq(w.log_size, 0, "%s", w.log);
    close_world(&w);
    open_world(&w, "model:small,again=always", source);
    in = new_words(w.device, WORDS), out = new_words(w.device, WORDS);
    launch(&w, in, out, 8, 1);
    cr_assert_eq(tandem_recompile_counts(w.module).first, 0);
    check_log(&w, "; in use\n", true);
    close_world(&w);
    static const char *const wrong[] = {"model:small,again=", "model:small,again=on", "model:,again=auto,again=auto"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char message[256];
        struct tandem_device *none = NULL;
        cr_assert_eq(tandem_open(wrong[k], &none, message, sizeof message), TANDEM_NO_DEVICE);
        cr_assert_not_null(strstr(message, "again"), "%s", message);
    }
}

Test(again, heap, .description = "AM-2 AM-3 AM-4 AM-15 regions are the heap's allocations [model]") {
    static struct world w;
    open_world(&w, "model:small,again=always", source);
    const tandem_addr a = new_words(w.device, 64), b = new_words(w.device, 64);
    cr_assert(b > a && b - a < 1024);
    char line[128];
    launch(&w, a, b, 16, 1);
    // Between two allocations are at least the byte that tandem_alloc() keeps free.
    snprintf(line, sizeof line, "in, out: apart, gap %u bytes\n", b - a - 256);
    check_log(&w, line, true);
    put(&w, a, a, 16);  // the same: nothing is found
    must(w.device, TANDEM_OK, tandem_finish(w.channel, 0));
    cr_assert_eq(tandem_recompile_counts(w.module).first, 1);
    launch(&w, a, a + 128, 16, 2);
    snprintf(line, sizeof line, "in, out: overlap of 256 bytes, 0x%08x to 0x%08x, distance 128 bytes\n", a, a + 256);
    check_log(&w, line, true);
    // Just behind an allocation: of that one, not of the next; and memory that nobody has is not known.
    const size_t before = w.log_size;
    put(&w, a + 256, a, 0);
    must(w.device, TANDEM_OK, tandem_finish(w.channel, 0));
    cr_assert_not_null(strstr(w.log + before, "distance -256 bytes\n"), "%s", w.log + before);
    struct tandem_space_info space;
    tandem_space_get_info(tandem_device_space(w.device), &space);
    const tandem_addr nobodys = (tandem_addr)space.bytes - 4096;
    const uint64_t first = tandem_recompile_counts(w.module).first;
    put(&w, nobodys, a, 16);
    must(w.device, TANDEM_OK, tandem_finish(w.channel, 0));
    cr_assert_eq(tandem_recompile_counts(w.module).first, first + 1);
    // Freed and given out anew: two where one was.
    must(w.device, TANDEM_OK, tandem_free(w.device, a));
    const tandem_addr c = new_words(w.device, 16), d = new_words(w.device, 16);
    cr_assert(c >= a && d < b, "the first place that fits");
    const size_t again = w.log_size;
    put(&w, c + 4, d, 8);
    must(w.device, TANDEM_OK, tandem_finish(w.channel, 0));
    cr_assert_not_null(strstr(w.log + again, "in, out: apart, gap "), "%s", w.log + again);
    close_world(&w);
}

static void never(const char *text, const char *kernel, const char *why) {
    static struct world w;
    char line[256];
    open_world(&w, "model:small,again=always", NULL);
    struct compiler_result result;
    const struct compiler_options options = {.clang_options = "-cl-std=CL2.0", .once = strstr(why, "keeps") != NULL};
    cr_assert(compiler_compile(text, strlen(text), "again.cl", &options, &result), "%s", result.messages);
    must(w.device, TANDEM_OK, tandem_module_load(w.device, result.elf, result.elf_size, &w.module));
    compiler_result_free(&result);
    if (strstr(why, "no compiler") != NULL) tandem_set_compiler(w.device, NULL, NULL);
    const tandem_addr in = new_words(w.device, 16), out = new_words(w.device, 16);
    const struct tandem_argument arguments[] = {{&in, 4}, {&out, 4}};
    for (unsigned k = 0; k < 2; k++) {
        must(w.device, TANDEM_OK, tandem_launch(w.channel, w.module, kernel, &one, arguments, 2));
        must(w.device, TANDEM_OK, tandem_finish(w.channel, 0));
    }
    snprintf(line, sizeof line, "kernel %s: never compiled again: %s\n", kernel, why);
    cr_assert_str_eq(w.log, line);  // once
    cr_assert_eq(tandem_recompile_counts(w.module).first, 2);
    close_world(&w);
}

Test(again, never,
     .description = "AM-12 AM-15 programs that cannot be compiled again run, and the log says why [model]") {
    never("kernel void k(global uint *a, global uint *b) { for (uint i = 0; i < 8; i++) b[i] = a[i]; }\n", "k",
          "its code object keeps nothing for a second compile");
    never("kernel void k(global uint *a, global uint *b) { for (uint i = 0; i < 8; i++) b[i] = a[i]; }\n", "k",
          "this program has no compiler linked into it");
    never("global uint calls;\nkernel void k(global uint *a, global uint *b) { b[0] = a[0] + calls++; }\n", "k",
          "its program has variables in global memory");
    never("kernel void k(global uint *a, global uint *b) { b[0] = a[0]; if (a[0] == 7) printf(\"seven\\n\"); }\n", "k",
          "its program prints");
    never(
        "kernel void k(global uint *a, global uint *b) {\n"
        "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ b[0] = a[0]; });\n}\n",
        "k", "its threads launch tasks");
}

Test(again, damaged, .description = "AM-9 AM-12 a damaged section .tandem.again is no fault of the launch [model]") {
    static struct world w;
    struct compiler_result result;
    struct code_object object;
    char error[256];
    for (unsigned way = 0; way < 4; way++) {
        open_world(&w, "model:small,again=always", NULL);
        cr_assert(compiler_compile(source, strlen(source), "again.cl", NULL, &result));
        cr_assert(code_object_read(result.elf, result.elf_size, &object, error, sizeof error), "%s", error);
        switch (way) {
            case 0: object.again[0] ^= 1; break;                        // another version
            case 1: object.again_size = 40; break;                      // no end of the line
            case 2: object.again_size -= object.again_size / 2; break;  // half of the bitcode
            default: memset(object.again + object.again_size / 2, 0x5A, object.again_size / 4); break;
        }
        void *elf = NULL;
        size_t size = 0;
        cr_assert(code_object_write(&object, &elf, &size, error, sizeof error), "%s", error);
        must(w.device, TANDEM_OK, tandem_module_load(w.device, elf, size, &w.module));
        free(elf);
        code_object_free(&object);
        compiler_result_free(&result);
        const tandem_addr in = new_words(w.device, WORDS), out = new_words(w.device, WORDS);
        launch(&w, in, out, 16, way);
        launch(&w, in, out, 16, way);
        check_log(
            &w,
            way < 2 ? "kernel thrice: the section .tandem.again is damaged" : "kernel thrice: again.cl: error: ", true);
        check_log(&w, "kernel thrice: refused: the second compile failed\n", true);
        cr_assert_eq(tandem_recompile_counts(w.module).first, 2);
        close_world(&w);
    }
}
