// Work made by the PPU's own threads (tests/kernels/work_queue.cl) on every kind of device: nothing lost, nothing twice, on
// every lap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "driver/driver_internal.h"
#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 3000000u

static struct tandem_module *load_kernels(struct tandem_device *device) {
    struct compiler_result result;
    cr_assert(compiler_compile_file("tests/kernels/work_queue.cl", NULL, &result), "%s", result.messages);
    struct tandem_module *module = NULL;
    must(device, TANDEM_OK, tandem_module_load(device, result.elf, result.elf_size, &module));
    compiler_result_free(&result);
    return module;
}

struct bench {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
};

static struct bench begin(const char *name, uint32_t entries, uint32_t pieces) {
    struct bench b = {.device = open_device(name)};
    const struct tandem_work_queue sizes = {.entries = entries, .pieces = pieces};
    must(b.device, TANDEM_OK, tandem_channel_open(b.device, 8, 0, &b.channel));
    must(b.device, TANDEM_OK, tandem_work_queue_open(b.channel, &sizes));
    b.module = load_kernels(b.device);
    return b;
}

static void end(struct bench *b) {
    must(b->device, TANDEM_OK, tandem_channel_close(b->channel));
    tandem_module_unload(b->module);
    close_device(b->device);
}

// The queue is ready for the next launch and nothing has been lost of it.
static void check_queue(struct bench *b) {
    struct tandem_work_queue_state state;
    must(b->device, TANDEM_OK, tandem_run(b->device, 1000));  // the last GP_GET
    must(b->device, TANDEM_OK, tandem_work_queue_state(b->channel, &state));
    cr_assert(state.consistent,
              "after %u launches: GP_GET %u, soft GP_PUT %u, shadow GP_PUT %u, outstanding %u, parked 0x%x, %u free",
              state.launches, state.gp_get, state.soft_put, state.shadow_put, state.outstanding, state.parked,
              state.free);
}

static void run(struct bench *b, const char *kernel, uint32_t global, uint32_t local,
                const struct tandem_argument *arguments, size_t count) {
    const struct tandem_range range = {.dimensions = 1, .global = {global}, .local = {local}};
    must(b->device, TANDEM_OK, tandem_launch(b->channel, b->module, kernel, &range, arguments, count));
    enum tandem_status st = tandem_finish(b->channel, DEADLINE);
    if (st != TANDEM_OK) {//DBGX
        struct tandem_work_queue_state state; tandem_work_queue_state(b->channel, &state);//DBGX
        printf("GP_GET %u, soft GP_PUT %u, shadow GP_PUT %u, outstanding %u, parked 0x%x, %u free\n", state.gp_get, state.soft_put, state.shadow_put, state.outstanding, state.parked,state.free);//DBGX
        for (int i = 0; i < 40; i++) { tandem_run(b->device, 7); for (unsigned w = 0; w < 2; w++) { tandem_reg_write(b->device, REG_WARP_SELECT, w); printf("w%u pc %u mask %08x st %x  ", w, tandem_reg_read(b->device, REG_WARP_PC), tandem_reg_read(b->device, REG_WARP_MASK_LO), tandem_reg_read(b->device, REG_WARP_STATE)); } printf("\n"); }//DBGX
    }//DBGX
    cr_assert_eq(st, TANDEM_OK, "%s", tandem_message(b->device));
}

// `threads` work-items make `each` pieces; returns how many got in. Each of these ran once and no other.
static uint32_t adders(struct bench *b, uint32_t threads, uint32_t local, uint32_t each, uint32_t mode) {
    const uint32_t total = threads * each;
    tandem_addr done = new_words(b->device, total), order = new_words(b->device, total + 1),
                results = new_words(b->device, total);
    const struct tandem_argument arguments[] = {{&done, 4}, {&order, 4}, {&results, 4}, {&each, 4}, {&mode, 4}};
    run(b, "adders", threads, local, arguments, 5);
    check_queue(b);
    uint32_t *counts = malloc(4 * total), *answers = malloc(4 * total), in = 0;
    must(b->device, TANDEM_OK, tandem_read(b->device, done, counts, 4 * total));
    must(b->device, TANDEM_OK, tandem_read(b->device, results, answers, 4 * total));
    for (uint32_t i = 0; i < total; i++) {
        cr_assert_eq(counts[i], answers[i] == WORK_OK ? 1 : 0, "piece %u, answered %d, ran %u times", i,
                     (int)answers[i], counts[i]);
        in += answers[i] == WORK_OK;
    }
    cr_assert_eq(read_word(b->device, order), in);
    free(counts);
    free(answers);
    must(b->device, TANDEM_OK, tandem_free(b->device, done));
    must(b->device, TANDEM_OK, tandem_free(b->device, order));
    must(b->device, TANDEM_OK, tandem_free(b->device, results));
    return in;
}

static void few(const char *name) {
    struct bench b = begin(name, 16, 64);
    cr_assert_eq(adders(&b, 1, 1, 1, WORK_WAIT), 1);
    cr_assert_eq(adders(&b, 4, 4, 1, WORK_WAIT), 4);
    cr_assert_eq(adders(&b, 1, 1, 0, WORK_WAIT), 0);
    end(&b);
}
ON_DEVICES(work_queue, few, "WQ-10 WQ-11 WQ-12 WQ-13 WQ-16 WQ-17 WQ-20 WQ-21 WQ-27 a few pieces, then none")

// 64 warps at once, hundreds of laps of the ring. mode: what who finds no room does.
static void many(const char *name, uint32_t entries, uint32_t mode) {
    struct bench b = begin(name, entries, 4096);
    struct tandem_info info;
    struct tandem_statistics statistics;
    tandem_get_info(b.device, &info);
    const uint32_t in = adders(&b, 64 * info.threads, info.threads, 1, mode);
    if (mode == WORK_FAIL) {
        cr_assert(in >= 1 && in < 64 * info.threads, "%u", in);
    } else {
        cr_assert_eq(in, 64 * info.threads);
    }
    tandem_get_statistics(b.device, &statistics);
    printf("%s, %u entries, mode %u: %u pieces, %llu cycles\n", name, entries, mode, in, (unsigned long long)statistics.cycles);
    end(&b);
}
static void dbg(const char *name) {
    const char *e = getenv("DBG");
    uint32_t entries = 16, threads = 32, each = 1, mode = WORK_FAIL;
    if (e) sscanf(e, "%u,%u,%u,%u", &entries, &threads, &each, &mode);
    struct bench b = begin(name, entries, 4096);
    uint32_t in = adders(&b, threads, threads < 32 ? threads : 32, each, mode);
    printf("in %u\n", in);
    end(&b);
}
ON_DEVICES(work_queue, dbg, "WQ-22")
static void park_16(const char *name) { many(name, 16, WORK_PARK); }
static void park_12(const char *name) { many(name, 12, WORK_PARK); }
static void park_4(const char *name) { many(name, 4, WORK_PARK); }
static void fail_16(const char *name) { many(name, 16, WORK_FAIL); }
static void wait_16(const char *name) { many(name, 16, WORK_WAIT); }
ON_DEVICES(work_queue, park_16, "WQ-22")
ON_DEVICES(work_queue, park_12, "WQ-22")
ON_DEVICES(work_queue, park_4, "WQ-22")
ON_DEVICES(work_queue, fail_16, "WQ-22")
ON_DEVICES(work_queue, wait_16, "WQ-22")

static void deep(const char *name) {
    struct bench b = begin(name, 16, 8);
    tandem_addr out = new_words(b.device, 1001);
    const uint32_t left = 1000;
    const struct tandem_argument arguments[] = {{&out, 4}, {&left, 4}};
    run(&b, "chain", 1, 1, arguments, 2);
    check_queue(&b);
    for (uint32_t i = 0; i <= 1000; i++) cr_assert_eq(read_word(b.device, out + 4 * i), i);
    struct tandem_statistics statistics;
    tandem_get_statistics(b.device, &statistics);
    printf("%s, chain: %llu cycles\n", name, (unsigned long long)statistics.cycles);
    end(&b);
}
ON_DEVICES(work_queue, deep, "WQ-26")
