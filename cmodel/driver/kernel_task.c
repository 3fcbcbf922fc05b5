// What a kernel says of its tasks: the fields of the TMD that are its own, the threads that fit.
#include "driver/kernel_task.h"

#include "compiler/library/work_queue.h"
#include "driver/again.h"
#include "task/tmd.h"

#define THREADS_PER_CTA_MAX 1024u
#define SHARED_BYTES_OF_AN_ITEM 16u

void kernel_fill_tmd(uint32_t *tmd, const struct tandem_module *module, const struct code_kernel *kernel) {
    tmd_set(tmd, TMD_QMD_VERSION, 0, 6);
    tmd_set(tmd, TMD_QMD_MAJOR_VERSION, 0, 1);
    tmd_set(tmd, TMD_PROGRAM_OFFSET, 0, kernel->entry);  // from the program region, the module's text
    tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, kernel->code_size);
    tmd_set(tmd, TMD_REGISTER_COUNT, 0, kernel->registers);
    tmd_set(tmd, TMD_TANDEM_SHARED_ROWS, 0, kernel->shared_rows);
    tmd_set(tmd, TMD_TANDEM_WAVEFRONT, 0, kernel->wavefront);
    tmd_set(tmd, TMD_BARRIER_COUNT, 0, kernel->barriers);
    uint32_t valid = 1;
    tmd_set(tmd, TMD_CONSTANT_BUFFER_SIZE, 0, kernel->constant_bytes);
    if (module->rodata != 0) {
        valid |= 2;
        tmd_set(tmd, TMD_CONSTANT_BUFFER_ADDR_LOWER, 1, module->rodata);
        tmd_set(tmd, TMD_CONSTANT_BUFFER_SIZE, 1, (uint32_t)module->object.rodata_size);
    }
    tmd_set(tmd, TMD_CONSTANT_BUFFER_VALID, 0, valid);
}

void tmd_fill_empty(uint32_t *tmd) {
    tmd_set(tmd, TMD_QMD_VERSION, 0, TMD_QMD_VERSION_CURRENT);
    tmd_set(tmd, TMD_QMD_MAJOR_VERSION, 0, TMD_QMD_MAJOR_VERSION_CURRENT);
    tmd_set(tmd, TMD_CIRCULAR_QUEUE_SIZE, 0, 1);
    tmd_set(tmd, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 0, 1);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION0, 0, 1);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION1, 0, 1);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION2, 0, 1);
    tmd_set(tmd, TMD_REGISTER_COUNT, 0, 1);
    tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, 8);
}

uint32_t kernel_threads_limit(const struct tandem_device *device, const struct code_kernel *kernel) {
    const struct ppu_config *config = device->options.config;
    uint32_t portions = config->threads / config->lanes;
    // Shared rows are given out in whole registers.
    uint32_t shared = (kernel->shared_rows + portions - 1) / portions * portions;
    uint32_t rows = (kernel->registers - kernel->shared_rows) * portions + shared;
    uint32_t warps = config->vgpr_rows / (rows > 0 ? rows : 1);
    if (warps > config->warps) warps = config->warps;
    uint32_t threads = warps * config->threads;
    return threads < THREADS_PER_CTA_MAX ? threads : THREADS_PER_CTA_MAX;
}

uint32_t kernel_piece_bytes(const struct tandem_module *module) {
    const uint32_t needed = (WORK_CONSTANTS + module->constants_max + 255) & ~255u;
    return needed > PIECE_BYTES_LEAST ? needed : PIECE_BYTES_LEAST;
}

// 16 bytes of shared memory are left for each.
uint32_t kernel_group_most(const struct tandem_device *device) {
    const uint32_t most = device->options.config->shared_bytes / SHARED_BYTES_OF_AN_ITEM;
    return most < THREADS_PER_CTA_MAX ? most : THREADS_PER_CTA_MAX;
}

const char *kernel_why_no_turns(const struct tandem_module *module, const struct code_kernel *kernel) {
    const struct code_object *object = &module->object;
    if (object->again_size == 0) return "its code object keeps nothing for a second compile (tandem cc --once)";
    if (again_compiler(module->device) == NULL) return "this program has no compiler linked into it";
    if (kernel->work_queue != 0) return "its threads add to a work queue";
    return NULL;
}

enum tandem_status kernel_info(const struct tandem_module *module, const char *name, struct tandem_kernel_info *info) {
    const struct code_kernel *kernel = code_object_find(&module->object, name);
    *info = (struct tandem_kernel_info){0};
    if (kernel == NULL) return driver_fail(module->device, TANDEM_BAD_CODE, "the program has no kernel \"%s\"", name);
    const uint32_t threads = kernel_threads_limit(module->device, kernel);
    const uint32_t most = kernel_group_most(module->device);
    const bool turns = most > threads && kernel_why_no_turns(module, kernel) == NULL;
    *info = (struct tandem_kernel_info){.threads = threads,
                                        .group_max = turns ? most : threads,
                                        .registers = kernel->registers,
                                        .shared_bytes = kernel->shared_bytes,
                                        .local_bytes = kernel->local_bytes,
                                        .non_uniform = kernel->non_uniform != 0};
    if (kernel->work_queue != 0) info->piece_bytes = kernel_piece_bytes(module);
    for (unsigned i = 0; i < 3; i++)
        info->reqd_local[i] = kernel->reqd_local[i];
    return TANDEM_OK;
}
