// The world of the task unit's tests: the model of a nano device whose tasks are launched as the host does it; their
// programs are a single EXIT (or something that faults), and the events tell what happened.
#ifndef TANDEM_TESTS_TASK_WORLD_H
#define TANDEM_TESTS_TASK_WORLD_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "gen/isa.h"
#include "gen/registers.h"
#include "ppu_internal.h"
#include "task/task_internal.h"

#define SPACE_SIZE 0x10000u
#define REGION 0x1000u
#define GOOD_CODE 0x0u   // offsets from the region
#define BAD_CODE 0x40u   // an illegal instruction
#define LOOP_CODE 0x80u  // never ends
#define RELEASE 0x5000u
#define MAX_EVENTS 20000u

struct world {
    struct ppu *ppu;
    struct trace_event *events;
    uint32_t count;
};

static inline void sink(void *context, const struct trace_event *event) {
    struct world *w = context;
    cr_assert_lt(w->count, MAX_EVENTS);
    w->events[w->count++] = *event;
}

static inline void channel_register(struct ppu *ppu, uint32_t channel, uint32_t offset, uint32_t value) {
    ppu_reg_write(ppu, REG_CHANNEL_BASE + channel * REG_CHANNEL_STRIDE + offset, value);
}
static inline uint32_t channel_read(struct ppu *ppu, uint32_t channel, uint32_t offset) {
    return ppu_reg_read(ppu, REG_CHANNEL_BASE + channel * REG_CHANNEL_STRIDE + offset);
}

static inline void write_space(struct ppu *ppu, uint32_t channel, uint32_t addr, const void *from, size_t size) {
    cr_assert(ppu_mem_write(ppu, (uint64_t)channel * SPACE_SIZE + addr, from, size));
}
static inline uint32_t read_word(struct ppu *ppu, uint32_t channel, uint32_t addr) {
    uint32_t word;
    cr_assert(ppu_mem_read(ppu, (uint64_t)channel * SPACE_SIZE + addr, &word, 4));
    return word;
}

static inline struct ppu *new_ppu(void) {
    struct ppu *ppu = ppu_create(ppu_config_find("nano"), 2 * SPACE_SIZE, 5);
    cr_assert_not_null(ppu);
    const uint64_t code[] = {isa_encode_imm(OP_EXIT, ISA_PT, false, 0, 0, 0, 0), 0xFFu << 8 | 0x01u,
                             isa_encode_imm(OP_BRA, ISA_PT, false, 0, 0, 0, UINT32_MAX)};
    for (uint32_t c = 0; c < 2; c++) {
        channel_register(ppu, c, CHANNEL_SPACE_BASE, c * SPACE_SIZE);
        channel_register(ppu, c, CHANNEL_SPACE_SIZE, SPACE_SIZE);
        write_space(ppu, c, REGION + GOOD_CODE, &code[0], 8);
        write_space(ppu, c, REGION + BAD_CODE, &(uint64_t){UINT64_MAX}, 8);
        write_space(ppu, c, REGION + LOOP_CODE, &code[2], 8);
    }
    return ppu;
}

static inline struct world *begin(void) {
    struct world *w = calloc(1, sizeof *w);
    cr_assert_not_null(w);
    w->events = calloc(MAX_EVENTS, sizeof w->events[0]);
    w->ppu = new_ppu();
    ppu_set_trace(w->ppu, sink, w);
    return w;
}

static inline void end(struct world *w) {
    ppu_destroy(w->ppu);
    free(w->events);
    free(w);
}

static inline void make_tmd(uint32_t tmd[TMD_WORDS], uint32_t code, uint32_t x, uint32_t y, uint32_t z) {
    memset(tmd, 0, TMD_BYTES);
    tmd_set(tmd, TMD_QMD_VERSION, 0, 6);
    tmd_set(tmd, TMD_QMD_MAJOR_VERSION, 0, 1);
    tmd_set(tmd, TMD_PROGRAM_OFFSET, 0, code);
    tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, 8);
    tmd_set(tmd, TMD_CTA_RASTER_WIDTH, 0, x);
    tmd_set(tmd, TMD_CTA_RASTER_HEIGHT, 0, y);
    tmd_set(tmd, TMD_CTA_RASTER_DEPTH, 0, z);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION0, 0, 32);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION1, 0, 1);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION2, 0, 1);
    tmd_set(tmd, TMD_REGISTER_COUNT, 0, 4);
}

static inline void launch_tmd(struct ppu *ppu, uint32_t channel, uint32_t addr, const uint32_t tmd[TMD_WORDS]) {
    write_space(ppu, channel, addr, tmd, TMD_BYTES);
    cr_assert(task_can_launch(ppu->task));
    task_launch(ppu->task, channel, addr, REGION, 0);
}

static inline void run(struct ppu *ppu) {
    for (unsigned i = 0; i < 1000; i++) {
        if (ppu_step(ppu, 100) < 100) return;
    }
    cr_assert_fail("the device does not come to rest");
}

// The n-th event of a kind, or NULL.
static const struct trace_event *nth(const struct world *w, enum trace_kind kind, uint32_t n) {
    for (uint32_t i = 0; i < w->count; i++) {
        if (w->events[i].kind == kind && n-- == 0) return &w->events[i];
    }
    return NULL;
}
static inline uint32_t number_of(const struct world *w, enum trace_kind kind) {
    uint32_t n = 0;
    while (nth(w, kind, n) != NULL)
        n++;
    return n;
}

// Takes the first launch and reads its TMD.
static inline void take_in(struct ppu *ppu) {
    const struct trace_event take = {.kind = TRACE_TASK_TAKE};
    struct trace_event event;
    char why[200] = "";
    cr_assert(task_follow(ppu->task, &take, &event, (struct why){why, sizeof why}), "%s", why);
    while (task_management_fetch(ppu->task, &event))
        continue;
}

// Takes all launches in while every slot of the table is busy: they go into the lists.
static inline void make_pending(struct ppu *ppu) {
    for (uint32_t k = 0; k < ppu->run.config.task_slots; k++)
        ppu->task->slots[k].task.slot.busy = true;
    while (ppu->task->queued != 0)
        cr_assert(task_management_step(ppu->task));
    cr_assert_not(task_management_step(ppu->task), "no slot, nothing to do");
    for (uint32_t k = 0; k < ppu->run.config.task_slots; k++)
        ppu->task->slots[k].task.slot.busy = false;
}

static inline void launch_group(struct world *w, uint32_t channel, uint32_t addr, uint32_t group, bool at_head) {
    uint32_t tmd[TMD_WORDS];
    make_tmd(tmd, GOOD_CODE, 1, 1, 1);
    tmd_set(tmd, TMD_QMD_GROUP_ID, 0, group);
    tmd_set(tmd, TMD_ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST, 0, at_head);
    launch_tmd(w->ppu, channel, addr, tmd);
}

static inline uint32_t field_at(const struct world *w, uint32_t channel, uint32_t addr, enum tmd_field field) {
    uint32_t tmd[TMD_WORDS];
    cr_assert(ppu_mem_read(w->ppu, (uint64_t)channel * SPACE_SIZE + addr, tmd, TMD_BYTES));
    return tmd_get(tmd, field, 0);
}

static inline uint32_t pending_in(const struct world *w, uint32_t channel, uint32_t level) {
    return w->ppu->task->lists[channel * TASK_LEVELS + level].count;
}

#endif
