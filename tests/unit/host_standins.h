// Stand-ins for the task unit and the SMs, for tests of the host interface alone: all the functions of ppu_internal.h
// that the model needs of them, so that the real ones are not linked. Tasks are counted and end when the test says so.
// Include it in one file of a program. C and C++.
#ifndef TANDEM_TESTS_UNIT_HOST_STANDINS_H
#define TANDEM_TESTS_UNIT_HOST_STANDINS_H

#ifdef __cplusplus
extern "C" {
#endif
#include "host/host.h"
#include "ppu_internal.h"

struct task {
    uint32_t room;  // tasks taken in at once
    uint32_t total;
    uint32_t outstanding[HOST_MAX_CHANNELS];
    uint32_t launches, last_channel, last_tmd, last_region, last_local;
};

struct task *task_create(const struct ppu_config *config) {
    struct task *task = (struct task *)calloc(1, sizeof(struct task));
    if (task != NULL) task->room = config->pending_tasks;
    return task;
}
void task_destroy(struct task *task) {
    free(task);
}
bool task_can_launch(const struct task *task) {
    return task->total < task->room;
}
void task_launch(struct ppu *ppu, uint32_t channel, uint32_t tmd, uint32_t region, uint32_t local) {
    struct task *task = ppu->task;
    task->total++;
    task->outstanding[channel]++;
    task->launches++;
    task->last_channel = channel;
    task->last_tmd = tmd;
    task->last_region = region;
    task->last_local = local;
}
// The test's own: one task of the channel has ended.
static inline void standin_task_end(struct ppu *ppu, uint32_t channel) {
    ppu->task->total--;
    ppu->task->outstanding[channel]--;
}
bool task_channel_idle(const struct task *task, uint32_t channel) {
    return task->outstanding[channel] == 0;
}
uint32_t task_outstanding(const struct task *task, uint32_t channel) {
    return task->outstanding[channel];
}
const struct task_slot *task_get_slot(const struct task *task, uint32_t slot) {
    (void)task;
    (void)slot;
    return NULL;
}
void task_cta_done(struct ppu *ppu, uint32_t sm, uint32_t slot) {
    (void)ppu;
    (void)sm;
    (void)slot;
}
void task_warp_fault(struct ppu *ppu, uint32_t slot, uint32_t code, uint32_t info, uint32_t pc) {
    host_fault(ppu, slot, code, info, pc);
}
bool task_step(struct ppu *ppu) {
    (void)ppu;
    return false;
}
bool task_follow(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    (void)ppu;
    (void)rtl;
    (void)model;
    return ppu_refuse(why, "there is no task unit here");
}
void task_bus_error(struct ppu *ppu, const struct mem_note *note) {
    (void)ppu;
    (void)note;
}
bool task_quiescent(const struct ppu *ppu, struct why why) {
    (void)ppu;
    (void)why;
    return true;
}

struct sm {
    unsigned number;
};
struct sm *sm_create(const struct ppu_config *config, unsigned number) {
    (void)config;
    struct sm *sm = (struct sm *)calloc(1, sizeof(struct sm));
    if (sm != NULL) sm->number = number;
    return sm;
}
void sm_destroy(struct sm *sm) {
    free(sm);
}
bool sm_can_take_cta(const struct ppu *ppu, unsigned sm, uint32_t slot) {
    (void)ppu;
    (void)sm;
    (void)slot;
    return false;
}
void sm_take_cta(struct ppu *ppu, unsigned sm, uint32_t slot, uint32_t x, uint32_t y, uint32_t z) {
    (void)ppu;
    (void)sm;
    (void)slot;
    (void)x;
    (void)y;
    (void)z;
}
bool sm_step(struct ppu *ppu, unsigned sm) {
    (void)ppu;
    (void)sm;
    return false;
}
bool sm_follow(struct ppu *ppu, unsigned sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    (void)ppu;
    (void)sm;
    (void)rtl;
    (void)model;
    return ppu_refuse(why, "there is no SM here");
}
bool sm_bus_error(struct ppu *ppu, unsigned sm, bool fetched, const struct mem_record *record, struct why why) {
    (void)ppu;
    (void)sm;
    (void)fetched;
    (void)record;
    return ppu_refuse(why, "there is no SM here");
}
bool sm_quiescent(const struct ppu *ppu, unsigned sm, struct why why) {
    (void)ppu;
    (void)sm;
    (void)why;
    return true;
}
void sm_describe_warp(const struct ppu *ppu, unsigned sm, unsigned warp, char *to, size_t size) {
    (void)ppu;
    (void)sm;
    (void)warp;
    if (size != 0) to[0] = '\0';
}
void sm_warp_registers(struct ppu *ppu, unsigned sm, unsigned warp, uint32_t *pc, uint64_t *mask, uint32_t *state) {
    (void)ppu;
    *pc = 0x100 * sm + warp;
    *mask = 0;
    *state = 0;
}
bool sm_warp_held(const struct ppu *ppu, unsigned sm, unsigned warp) {
    (void)ppu;
    (void)sm;
    (void)warp;
    return false;
}
uint32_t sm_deque_ends(const struct ppu *ppu, unsigned sm, unsigned warp) {
    (void)ppu;
    (void)sm;
    (void)warp;
    return 0;
}
uint32_t sm_issued(const struct ppu *ppu, unsigned sm) {
    (void)ppu;
    (void)sm;
    return 0;
}
void sm_shared_counters(const struct ppu *ppu, unsigned sm, uint32_t *passes, uint32_t *conflicts) {
    (void)ppu;
    (void)sm;
    *passes = *conflicts = 0;
}
void sm_deque_token(const struct ppu *ppu, unsigned sm, uint32_t words[4]) {
    (void)ppu;
    (void)sm;
    words[0] = words[1] = words[2] = words[3] = 0;
}
void sm_deque_load(struct ppu *ppu, unsigned sm, unsigned warp, uint32_t entry) {
    (void)ppu;
    (void)sm;
    (void)warp;
    (void)entry;
}
void sm_deque_store(struct ppu *ppu, unsigned sm, unsigned warp, uint32_t entry) {
    sm_deque_load(ppu, sm, warp, entry);
}
void sm_deque_move(struct ppu *ppu, unsigned sm, unsigned warp, uint32_t head) {
    sm_deque_load(ppu, sm, warp, head);
}
void sm_deque_resume(struct ppu *ppu, unsigned sm, unsigned warp) {
    sm_deque_load(ppu, sm, warp, 0);
}

#ifdef __cplusplus
}
#endif
#endif
