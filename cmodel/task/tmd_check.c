// Takes a TMD apart and checks it: the twin of rtl/task/tmd_check.sv, which says the order of the checks.
#include <string.h>

#include "gen/registers.h"
#include "task/task_internal.h"

// Instructions are numbered from the program region with 22 bits.
#define PROGRAM_BYTES_MAX (UINT64_C(8) << 22)

static void read_fields(const struct launch *launch, struct checked_task *to) {
    const uint32_t *w = launch->words;
    struct task_slot *slot = &to->slot;
    memset(to, 0, sizeof *to);
    to->group = tmd_get(w, TMD_QMD_GROUP_ID, 0);
    to->add_to_head = tmd_get(w, TMD_ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST, 0) != 0;
    to->next[0] = tmd_get(w, TMD_CTA_RASTER_WIDTH_RESUME, 0);
    to->next[1] = tmd_get(w, TMD_CTA_RASTER_HEIGHT_RESUME, 0);
    to->next[2] = tmd_get(w, TMD_CTA_RASTER_DEPTH_RESUME, 0);
    to->parent = launch->parent;
    to->queue = tmd_get(w, TMD_CIRCULAR_QUEUE_SIZE, 0) != 0;
    to->waits = tmd_get(w, TMD_DEPENDENCE_COUNTER, 0) != 0;
    to->sequential = tmd_get(w, TMD_SEQUENTIALLY_RUN_CTAS, 0) != 0;
    to->save = tmd_get(w, TMD_TANDEM_SAVE_ENABLE, 0) != 0;
    to->saved = tmd_get(w, TMD_TANDEM_SAVED, 0);
    slot->channel = launch->channel;
    slot->tmd = launch->tmd;
    slot->region = launch->region;
    slot->code_base = launch->region + tmd_get(w, TMD_PROGRAM_OFFSET, 0);
    slot->code_size = tmd_get(w, TMD_TANDEM_CODE_SIZE, 0);
    slot->ntid[0] = tmd_get(w, TMD_CTA_THREAD_DIMENSION0, 0);
    slot->ntid[1] = tmd_get(w, TMD_CTA_THREAD_DIMENSION1, 0);
    slot->ntid[2] = tmd_get(w, TMD_CTA_THREAD_DIMENSION2, 0);
    slot->grid[0] = tmd_get(w, TMD_CTA_RASTER_WIDTH, 0);
    slot->grid[1] = tmd_get(w, TMD_CTA_RASTER_HEIGHT, 0);
    slot->grid[2] = tmd_get(w, TMD_CTA_RASTER_DEPTH, 0);
    if (to->queue) {
        to->open = tmd_get(w, TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE, 0) != 0;
        to->put = tmd_get(w, TMD_OUTER_PUT, 0);
        to->next[0] = tmd_get(w, TMD_OUTER_GET, 0);
        to->next[1] = to->next[2] = 0;
        slot->grid[0] = tmd_get(w, TMD_CIRCULAR_QUEUE_SIZE, 0);
        slot->grid[1] = tmd_get(w, TMD_QUEUE_ENTRIES_PER_CTA_MINUS_ONE, 0) + 1;
        slot->grid[2] = tmd_get(w, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 0);
    }
    slot->registers = tmd_get(w, TMD_REGISTER_COUNT, 0);
    slot->shared_rows = tmd_get(w, TMD_TANDEM_SHARED_ROWS, 0);
    slot->shared_bytes = tmd_get(w, TMD_SHARED_MEMORY_SIZE, 0);
    slot->local = launch->local;
    slot->local_bytes = tmd_get(w, TMD_LOCAL_MEMORY_LOW, 0);
    slot->const_valid = tmd_get(w, TMD_CONSTANT_BUFFER_VALID, 0);
    for (unsigned b = 0; b < 8; b++) {
        slot->const_addr[b] = tmd_get(w, TMD_CONSTANT_BUFFER_ADDR_LOWER, b);
        slot->const_size[b] = tmd_get(w, TMD_CONSTANT_BUFFER_SIZE, b);
    }
    for (unsigned r = 0; r < 2; r++) {
        struct task_release *release = &to->release[r];
        release->enable = tmd_get(w, r == 0 ? TMD_SEMAPHORE_RELEASE_ENABLE0 : TMD_SEMAPHORE_RELEASE_ENABLE1, 0) != 0;
        release->reduce = tmd_get(w, TMD_RELEASE_RED_ENABLE, r) != 0;
        release->is_signed = (tmd_get(w, TMD_RELEASE_FORMAT, r) & 1) == TMD_RELEASE_FORMAT_SIGNED_32;
        release->one_word = tmd_get(w, TMD_RELEASE_STRUCTURE_SIZE, r) == TMD_RELEASE_STRUCTURE_SIZE_ONE_WORD;
        release->op = tmd_get(w, TMD_RELEASE_RED_OP, r);
        release->addr = tmd_get(w, TMD_RELEASE_ADDRESS_LOWER, r);
        release->payload = tmd_get(w, TMD_RELEASE_PAYLOAD, r);
        to->frees[r] = tmd_get(w, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, r) != 0;
        to->frees_tmd[r] = tmd_get(w, TMD_DEPENDENT_QMD_POINTER, r) << 8;
    }
}

// Something this PPU does not have.
static bool unknown_kind(const struct ppu_config *config, const uint32_t *w, const struct checked_task *task) {
    static const enum tmd_field must_be_zero[] = {
        TMD_LOCAL_MEMORY_HIGH,
        TMD_TANDEM_SUBVECTOR,
    };
    for (size_t i = 0; i < sizeof must_be_zero / sizeof must_be_zero[0]; i++) {
        if (tmd_get(w, must_be_zero[i], 0) != 0) return true;
    }
    if (tmd_get(w, TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE, 0) != 0 && !task->queue) return true;
    // What a trap does not reach: registers of one portion, and entries of a ring.
    if (task->save && (task->slot.shared_rows != 0 || task->queue)) return true;
    const uint32_t wavefront = tmd_get(w, TMD_TANDEM_WAVEFRONT, 0);
    if ((wavefront != 0 && wavefront != config->threads) || tmd_get(w, TMD_BARRIER_COUNT, 0) > 1) return true;
    for (unsigned r = 0; r < 2; r++) {
        const struct task_release *release = &task->release[r];
        if (!release->enable) continue;
        if (tmd_get(w, TMD_RELEASE_FORMAT, r) > 1 || (release->reduce && !release->one_word)) return true;
    }
    return false;
}

static bool program_inside(uint32_t space_size, const struct launch *launch, const struct task_slot *slot) {
    const uint64_t offset = tmd_get(launch->words, TMD_PROGRAM_OFFSET, 0), end = offset + slot->code_size;
    return offset % 8 == 0 && launch->region % 8 == 0 && slot->code_size % 8 == 0 && slot->code_size != 0 &&
           end <= PROGRAM_BYTES_MAX && launch->region + end <= space_size;
}

// Every place where a warp can run has its own piece of local memory.
static bool local_memory_good(const struct ppu_config *config, uint32_t space_size, const struct task_slot *slot) {
    const uint64_t threads = (uint64_t)config->sms * config->warps * config->threads;
    return slot->local_bytes % 16 == 0 && slot->local != 0 && slot->local % LINE_BYTES == 0 &&
           slot->local + threads * slot->local_bytes <= space_size;
}

// The lowest constant buffer that cannot be used, or 8.
static unsigned bad_constant_buffer(const struct ppu_config *config, uint32_t space_size, const uint32_t *w,
                                    const struct task_slot *slot) {
    for (unsigned b = 0; b < 8; b++) {
        if ((slot->const_valid >> b & 1) == 0) continue;
        if (b >= config->const_banks || tmd_get(w, TMD_CONSTANT_BUFFER_ADDR_UPPER, b) != 0) return b;
        if ((uint64_t)slot->const_addr[b] + slot->const_size[b] > space_size) return b;
    }
    return 8;
}

static uint32_t release_fault(uint32_t space_size, const uint32_t *w, const struct task_release *release,
                              unsigned number) {
    const uint32_t size = release->one_word ? 4 : 16;
    if (!release->enable) return FAULT_NONE;
    if (release->addr % size != 0) return FAULT_SEMAPHORE;
    if (tmd_get(w, TMD_RELEASE_ADDRESS_UPPER, number) != 0 || (uint64_t)release->addr + size > space_size)
        return FAULT_SEMAPHORE_ADDRESS;
    return FAULT_NONE;
}

// Is this what the link to it promises: pending in the list that it was taken from?
static bool link_good(const struct launch *launch) {
    const uint32_t *w = launch->words;
    const uint32_t state = tmd_get(w, TMD_TANDEM_STATE, 0);
    return launch->fault == 0 && state >> 8 == launch->epoch && (state >> 2 & 63) == launch->level &&
           ((state & 3) == TASK_PENDING || (state & 3) == TASK_EVICTED) &&
           tmd_get(w, TMD_QMD_GROUP_ID, 0) == launch->level &&
           (launch->last || tmd_get(w, TMD_SCHEDULER_NEXT_QMD_POINTER, 0) >> 24 == 0);
}

// The first fault of a queue's own fields, or FAULT_NONE.
static uint32_t queue_fault(uint32_t space_size, const uint32_t *w, const struct checked_task *task, uint32_t *info) {
    const uint32_t size = task->slot.grid[0], entry = task->slot.grid[2];
    const uint32_t at = tmd_get(w, TMD_CIRCULAR_QUEUE_ADDR_LOWER, 0);
    if (!task->queue) return FAULT_NONE;
    if ((size & (size - 1)) != 0 || entry == 0) {
        *info = size;
        return FAULT_TMD_CIRCULAR_QUEUE_SIZE;
    }
    if (tmd_get(w, TMD_CIRCULAR_QUEUE_ADDR_UPPER, 0) != 0 || (uint64_t)size * entry + at > space_size) {
        *info = at;
        return FAULT_TMD_CIRCULAR_QUEUE_ADDR;
    }
    return ((task->put - task->next[0]) & 0x7FFFFFFF) > size ? FAULT_TMD_GET_PUT_TOO_LARGE : FAULT_NONE;
}

static bool active(const struct launch *launch) {
    const uint32_t state = tmd_get(launch->words, TMD_TANDEM_STATE, 0);
    return !launch->listed && !launch->resumed && state >> 8 == launch->epoch && (state & 3) != 0;
}

// It was evicted: it comes from its list, or its children have ended.
static bool resumed(const struct launch *launch) {
    const uint32_t state = tmd_get(launch->words, TMD_TANDEM_STATE, 0);
    if (launch->listed) return (state & 3) == TASK_EVICTED;
    return (state & 3) == TASK_PARKED && launch->freed && state >> 8 == launch->epoch &&
           (state >> 2 & 63) == launch->checked.group;
}

// Does it go on inside of its grid, or behind it when only CTAs that come back are left?
static bool resume_good(const struct ppu_config *config, const struct checked_task *task) {
    const uint32_t *next = task->next, *grid = task->slot.grid;
    if (task->saved >> task_bits(config->sms * config->warps + 1) != 0) return false;
    return next[0] < grid[0] && next[1] < grid[1] && (next[2] < grid[2] || task->launched);
}

// What this PPU keeps of TANDEM_PARENT.
static uint32_t parent_of(const struct ppu_config *config, const uint32_t *w) {
    const uint32_t place_bits = task_bits(config->sms) + task_bits(config->warps);
    const uint32_t place = ((1u << place_bits) - 1) << PARENT_PLACE_LOW;
    return tmd_get(w, TMD_TANDEM_PARENT, 0) & (PARENT_WAITS | PARENT_SAVES | place | PARENT_TMD);
}

void tmd_check(const struct ppu_config *config, uint32_t space_size, struct launch *launch) {
    struct checked_task *task = &launch->checked;
    struct task_slot *slot = &task->slot;
    const uint32_t *w = launch->words;
    if (launch->listed || launch->freed) {
        launch->region = tmd_get(w, TMD_TANDEM_REGION, 0);
        launch->local = tmd_get(w, TMD_TANDEM_LOCAL, 0);
        launch->parent = parent_of(config, w);
    }
    read_fields(launch, task);
    launch->resumed = resumed(launch);
    task->launched = launch->resumed && task->saved != 0 && task->next[2] == slot->grid[2];
    launch->code = FAULT_NONE;
    launch->info = launch->tmd;
    if (launch->fault == ANSWER_BUS_ERROR) {
        launch->code = FAULT_BUS_ERROR;
        return;
    }
    if (launch->listed && !link_good(launch)) {
        launch->code = FAULT_TMD_LINK;
        return;
    }
    if (launch->fault != 0) {
        launch->code = FAULT_TMD_FETCH;
        return;
    }
    if (tmd_get(w, TMD_QMD_VERSION, 0) != TMD_QMD_VERSION_CURRENT ||
        tmd_get(w, TMD_QMD_MAJOR_VERSION, 0) != TMD_QMD_MAJOR_VERSION_CURRENT) {
        launch->code = FAULT_TMD_VERSION;
        return;
    }
    if (active(launch)) {
        launch->code = FAULT_TMD_ACTIVE;
        return;
    }
    const uint32_t *resume = w + TMD_CTA_RASTER_WIDTH_RESUME_WORD;
    if (unknown_kind(config, w, task) || (!launch->resumed && (resume[0] | resume[1]) != 0) ||
        (task->saved != 0 && !(launch->resumed && task->save))) {
        launch->code = FAULT_TMD_KIND;
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (slot->ntid[i] == 0 || (slot->grid[i] == 0 && !task->queue)) {
            launch->code = FAULT_TMD_CTA_THREAD_DIMENSION_ZERO;
            return;
        }
    }
    if (!task->queue && !resume_good(config, task)) {
        launch->code = FAULT_TMD_RESUME;
        return;
    }
    launch->code = queue_fault(space_size, w, task, &launch->info);
    if (launch->code != FAULT_NONE) return;
    const uint64_t threads = (uint64_t)slot->ntid[0] * slot->ntid[1] * slot->ntid[2];
    if (threads > (uint64_t)config->warps * config->threads) {
        launch->code = FAULT_TMD_TOTAL_THREADS;
        launch->info = threads > UINT32_MAX ? UINT32_MAX : (uint32_t)threads;
        return;
    }
    slot->threads = (uint32_t)threads;
    const uint32_t warps = (slot->threads + config->threads - 1) / config->threads;
    // Private registers, then the shared rows, in whole registers.
    const uint32_t portions = config->threads / config->lanes;
    const uint32_t units = slot->registers - slot->shared_rows + (slot->shared_rows + portions - 1) / portions;
    if (slot->registers <= slot->shared_rows || warps * units * portions > config->vgpr_rows) {
        launch->code = FAULT_TMD_REGISTER_COUNT;
        launch->info = slot->registers;
        return;
    }
    if (slot->shared_bytes > config->shared_bytes) {
        launch->code = FAULT_TMD_SHARED_MEMORY_SIZE;
        launch->info = slot->shared_bytes;
        return;
    }
    if (slot->local_bytes != 0 && !local_memory_good(config, space_size, slot)) {
        launch->code = FAULT_TMD_LOCAL_MEMORY;
        launch->info = slot->local_bytes;
        return;
    }
    if (!program_inside(space_size, launch, slot)) {
        launch->code = FAULT_TMD_PROGRAM_OFFSET;
        launch->info = tmd_get(w, TMD_PROGRAM_OFFSET, 0);
        return;
    }
    const unsigned bank = bad_constant_buffer(config, space_size, w, slot);
    if (bank < 8) {
        launch->code = FAULT_TMD_CONSTANT_BUFFER;
        launch->info = bank;
        return;
    }
    for (unsigned r = 0; r < 2 && launch->code == FAULT_NONE; r++) {
        launch->code = release_fault(space_size, w, &task->release[r], r);
        launch->info = task->release[r].addr;
    }
    for (unsigned i = 0; i < 2 && launch->code == FAULT_NONE; i++) {
        const uint64_t end = (tmd_get(w, TMD_DEPENDENT_QMD_POINTER, i) + UINT64_C(1)) * TMD_BYTES;
        if (!task->frees[i] || end <= space_size) continue;
        launch->code = FAULT_TMD_DEPENDENT_QMD;
        launch->info = task->frees_tmd[i];
    }
}
