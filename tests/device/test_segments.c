// Kernels that the compiler has put into sub-vector order, on every kind of device, against C.
#include <stdio.h>
#include <string.h>

#include "compiler/compiler.h"
#include "gen/registers.h"
#include "on_devices.h"

#pragma GCC diagnostic push
#include "kernels/as_c.h"

#include "kernels/segments.cl"
#pragma GCC diagnostic pop

#define DEADLINE 20000000u

enum { ITEMS = 128, LENGTH = 16, IN_WORDS = ITEMS * ROW };

typedef void common_kernel(const uint *in, uint *out, uint n);

struct session {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_info info;
    tandem_addr in, out;
    uint32_t data[IN_WORDS];
};

static void begin(struct session *s, const char *name) {
    s->device = open_device(name);
    tandem_get_info(s->device, &s->info);
    must(s->device, TANDEM_OK, tandem_channel_open(s->device, 16, 0, &s->channel));
    for (uint32_t k = 0; k < IN_WORDS; k++)
        s->data[k] = k * 2654435761u ^ k >> 3;
    s->in = new_words(s->device, IN_WORDS);
    s->out = new_words(s->device, ITEMS);
    must(s->device, TANDEM_OK, tandem_write(s->device, s->in, s->data, sizeof s->data));
}

static void end(struct session *s) {
    must(s->device, TANDEM_OK, tandem_channel_close(s->channel));
    close_device(s->device);
}

// Returns the most warps that were resident.
static uint32_t run(struct session *s, struct tandem_module *module, const char *kernel, common_kernel *same,
                    uint32_t n, const char *what) {
    static uint32_t expected[ITEMS], got[ITEMS];
    for (uint32_t item = 0; item < ITEMS; item++) {
        this_item = (struct work_item){.global_id = {item}, .global_size = {ITEMS, 1, 1}, .dimensions = 1};
        same(s->data, expected, n);
    }
    memset(got, 0, sizeof got);
    must(s->device, TANDEM_OK, tandem_write(s->device, s->out, got, sizeof got));
    tandem_reg_write(s->device, REG_WARPS_RESIDENT, 0);
    const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {s->info.threads}};
    const struct tandem_argument arguments[] = {{&s->in, 4}, {&s->out, 4}, {&n, 4}};
    must(s->device, TANDEM_OK, tandem_launch(s->channel, module, kernel, &range, arguments, 3));
    must(s->device, TANDEM_OK, tandem_finish(s->channel, DEADLINE));
    must(s->device, TANDEM_OK, tandem_read(s->device, s->out, got, sizeof got));
    for (uint32_t k = 0; k < ITEMS; k++)
        cr_assert_eq(got[k], expected[k], "%s, %s: item %u: %08x, C has %08x", kernel, what, k, got[k], expected[k]);
    return tandem_reg_read(s->device, REG_WARPS_RESIDENT) >> 16;
}

static struct tandem_module *load(struct session *s, const struct subvector_options *subvector) {
    const struct compiler_options options = {.subvector = *subvector};
    struct compiler_result result;
    struct tandem_module *module;
    cr_assert(compiler_compile_file("tests/kernels/segments.cl", &options, &result), "%s", result.messages);
    must(s->device, TANDEM_OK, tandem_module_load(s->device, result.elf, result.elf_size, &module));
    compiler_result_free(&result);
    return module;
}

static void ways(const char *name) {
    static struct session s;
    begin(&s, name);
    for (unsigned way = SUBVECTOR_INSTRUCTIONS; way <= SUBVECTOR_LOOP; way++) {
        const bool copies = way == SUBVECTOR_COPIES;
        const struct subvector_options options = {.way = (enum subvector_way)way,
                                                  .cut = copies ? CUT_LOOPS : CUT_PRESSURE,
                                                  .threshold_kind = THRESHOLD_SET,
                                                  .threshold = copies                          ? 5
                                                               : way == SUBVECTOR_INSTRUCTIONS ? 20
                                                                                               : 0,
                                                  .all_segments = true,
                                                  .target = s.info.config};
        char what[32];
        snprintf(what, sizeof what, "way %u", way);
        struct tandem_module *module = load(&s, &options);
        run(&s, module, "row_sums", row_sums, LENGTH, what);
        // Without shared registers the other kernel needs more than a lane of nano has.
        if (way == SUBVECTOR_INSTRUCTIONS || strcmp(s.info.config, "nano") != 0)
            run(&s, module, "many_alive", many_alive, ITEMS, what);
        tandem_module_unload(module);
    }
    end(&s);
}
ON_DEVICES(segments, ways, "SV-13 SV-14 SV-16 kernels in sub-vector order, in each way")

static void resident(const char *name) {
    static struct session s;
    begin(&s, name);
    if (strcmp(s.info.config, "nano") != 0) {
        struct tandem_module *regular = load(&s, &(struct subvector_options){.way = SUBVECTOR_OFF});
        struct tandem_module *segments =
            load(&s, &(struct subvector_options){.way = SUBVECTOR_INSTRUCTIONS, .target = s.info.config});
        uint32_t before = run(&s, regular, "many_alive", many_alive, ITEMS, "regular"),
                 now = run(&s, segments, "many_alive", many_alive, ITEMS, "segments");
        const uint32_t warps = ITEMS / s.info.threads;
        cr_expect_eq(now, warps < s.info.warps * s.info.sms ? warps : s.info.warps * s.info.sms, "%u resident", now);
        cr_expect_leq(before, now);
        tandem_module_unload(regular);
        tandem_module_unload(segments);
    }
    end(&s);
}
ON_DEVICES(segments, resident, "SV-16 SV-19 with segments all warps are resident")

static void calls(const char *name) {
    static struct session s;
    begin(&s, name);
    struct tandem_module *module = load(&s, &(struct subvector_options){.way = SUBVECTOR_INSTRUCTIONS,
                                                                        .threshold_kind = THRESHOLD_SET,
                                                                        .threshold = 20,
                                                                        .all_segments = true,
                                                                        .target = s.info.config});
    run(&s, module, "calls_alive", calls_alive, ITEMS, "segments with calls");
    tandem_module_unload(module);
    end(&s);
}
ON_DEVICES(segments, calls,
           "SV-22 SV-16 segments with calls of a function that is kept, registers shared above its own")
