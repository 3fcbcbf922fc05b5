#include "work_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"

enum { ELF_MOST = 1 << 20 };

// A code object that make has compiled (scripts/make/tests.mk).
static void load_built(struct work_bench *b, const char *file) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", KERNELS_BUILT, file);
    FILE *built = fopen(path, "rb");
    cr_assert(built != NULL, "%s: cannot be opened; make builds it", path);
    b->elf = malloc(ELF_MOST);
    b->elf_size = fread(b->elf, 1, ELF_MOST, built);
    fclose(built);
    cr_assert_lt(b->elf_size, ELF_MOST);
    must(b->device, TANDEM_OK, tandem_module_load(b->device, b->elf, b->elf_size, &b->module));
}

void work_load(struct work_bench *b, const char *file, const char *options) {
    free(b->elf);
    b->elf = NULL;
    if (strstr(file, ".elf") != NULL) {
        load_built(b, file);
        return;
    }
    struct tandem_info info;
    tandem_get_info(b->device, &info);
    const struct compiler_options compiler = {
        .clang_options = options, .time_limit = 600, .subvector = {.target = info.config}};
    struct compiler_result result;
    char path[128];
    snprintf(path, sizeof path, "tests/kernels/%s", file);
    cr_assert(compiler_compile_file(path, &compiler, &result), "%s", result.messages);
    must(b->device, TANDEM_OK, tandem_module_load(b->device, result.elf, result.elf_size, &b->module));
    b->elf = result.elf;
    b->elf_size = result.elf_size;
    result.elf = NULL;
    compiler_result_free(&result);
}

static void open_queue(struct work_bench *b, uint32_t entries, uint32_t pieces) {
    const struct tandem_work_queue sizes = {.entries = entries, .pieces = pieces};
    must(b->device, TANDEM_OK, tandem_channel_open(b->device, 8, 0, &b->channel));
    if (entries != 0) must(b->device, TANDEM_OK, tandem_work_queue_open(b->channel, &sizes));
}

struct work_bench work_begin(const char *device, uint32_t entries, uint32_t pieces, const char *file,
                             const char *options) {
    struct work_bench b = {.name = device, .device = open_device(device)};
    work_load(&b, file, options);
    open_queue(&b, entries, pieces);
    return b;
}

static void close_bench(struct work_bench *b) {
    must(b->device, TANDEM_OK, tandem_channel_close(b->channel));
    tandem_module_unload(b->module);
    close_device(b->device);
}

void work_again(struct work_bench *b, uint32_t entries, uint32_t pieces) {
    close_bench(b);
    b->device = open_device(b->name);
    must(b->device, TANDEM_OK, tandem_module_load(b->device, b->elf, b->elf_size, &b->module));
    open_queue(b, entries, pieces);
}

void work_end(struct work_bench *b) {
    close_bench(b);
    free(b->elf);
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
