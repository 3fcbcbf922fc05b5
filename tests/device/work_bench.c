#include "work_bench.h"

#include <stdio.h>

#include "compiler/compiler.h"

struct work_bench work_begin(const char *device, uint32_t entries, uint32_t pieces, const char *file,
                             const char *options) {
    struct work_bench b = {.device = open_device(device)};
    const struct tandem_work_queue sizes = {.entries = entries, .pieces = pieces};
    const struct compiler_options compiler = {.clang_options = options, .time_limit = 600};
    struct compiler_result result;
    char path[128];
    snprintf(path, sizeof path, "tests/kernels/%s", file);
    cr_assert(compiler_compile_file(path, &compiler, &result), "%s", result.messages);
    must(b.device, TANDEM_OK, tandem_module_load(b.device, result.elf, result.elf_size, &b.module));
    compiler_result_free(&result);
    must(b.device, TANDEM_OK, tandem_channel_open(b.device, 8, 0, &b.channel));
    if (entries != 0) must(b.device, TANDEM_OK, tandem_work_queue_open(b.channel, &sizes));
    return b;
}

void work_end(struct work_bench *b) {
    must(b->device, TANDEM_OK, tandem_channel_close(b->channel));
    tandem_module_unload(b->module);
    close_device(b->device);
}

void work_check_queue(struct work_bench *b) {
    struct tandem_work_queue_state state;
    must(b->device, TANDEM_OK, tandem_run(b->device, 1000));  // the last GP_GET
    must(b->device, TANDEM_OK, tandem_work_queue_state(b->channel, &state));
    cr_assert(state.consistent,
              "after %u launches: GP_GET %u, soft GP_PUT %u, shadow GP_PUT %u, outstanding %u, parked 0x%x, %u free",
              state.launches, state.gp_get, state.soft_put, state.shadow_put, state.outstanding, state.parked,
              state.free);
}

void work_run(struct work_bench *b, const char *kernel, uint32_t global, uint32_t local,
              const struct tandem_argument *arguments, size_t count) {
    const struct tandem_range range = {.dimensions = 1, .global = {global}, .local = {local}};
    must(b->device, TANDEM_OK, tandem_launch(b->channel, b->module, kernel, &range, arguments, count));
    must(b->device, TANDEM_OK, tandem_finish(b->channel, WORK_DEADLINE));
    work_check_queue(b);
}
