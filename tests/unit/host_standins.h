// Stand-ins for the task unit and the SMs, for tests of the host interface alone: all the functions that the host
// interface and the device need of them, so that the real ones are not linked. Tasks are counted and end when the test
// says so; an SM shows what the test has put into it and notes what it is told. Include it in one file of a program. C
// and C++.
#ifndef TANDEM_TESTS_UNIT_HOST_STANDINS_H
#define TANDEM_TESTS_UNIT_HOST_STANDINS_H

#ifdef __cplusplus
extern "C" {
#endif
#include "host/host_internal.h"
#include "ppu_internal.h"

struct task {
    uint32_t room;  // tasks taken in at once
    uint32_t total;
    uint32_t outstanding[HOST_MAX_CHANNELS];
    bool unsettled[HOST_MAX_CHANNELS];  // something is on its way to the task table
    uint32_t launches, last_channel, last_tmd, last_region, last_local;
};

struct task *task_create(struct run *run, struct mem *mem, struct sm *const *sms) {
    (void)mem;
    (void)sms;
    struct task *task = (struct task *)calloc(1, sizeof(struct task));
    if (task != NULL) task->room = run->config.pending_tasks;
    return task;
}
void task_connect(struct task *task, const struct task_wires *wires) {
    (void)task;
    (void)wires;
}
void task_destroy(struct task *task) {
    free(task);
}
bool task_can_launch(const struct task *task) {
    return task->total < task->room;
}
void task_launch(struct task *task, uint32_t channel, uint32_t tmd, uint32_t region, uint32_t local) {
    task->total++;
    task->outstanding[channel]++;
    task->launches++;
    task->last_channel = channel;
    task->last_tmd = tmd;
    task->last_region = region;
    task->last_local = local;
}
// The test's own: one task of the channel has ended.
static inline void standin_task_end(struct task *task, uint32_t channel) {
    task->total--;
    task->outstanding[channel]--;
}
bool task_channel_idle(const struct task *task, uint32_t channel) {
    return task->outstanding[channel] == 0;
}
bool task_settled(const struct task *task, uint32_t channel) {
    return task->outstanding[channel] == 0 && !task->unsettled[channel];
}
uint32_t task_outstanding(const struct task *task, uint32_t channel) {
    return task->outstanding[channel];
}
void task_halt(struct task *task, uint32_t channel) {
    (void)task;
    (void)channel;
}
const struct task_slot *const *task_slots(const struct task *task) {
    (void)task;
    return NULL;
}
void task_launch_child(struct task *task, const struct sm_child *child) {
    (void)task;
    (void)child;
}
void task_cta_done(struct task *task, uint32_t sm, uint32_t slot, bool left) {
    (void)task;
    (void)sm;
    (void)slot;
    (void)left;
}
void task_warp_fault(struct task *task, uint32_t slot, uint32_t code, uint32_t info, uint32_t pc) {
    (void)task;
    (void)slot;
    (void)code;
    (void)info;
    (void)pc;
}
bool task_step(struct task *task) {
    (void)task;
    return false;
}
bool task_follow(struct task *task, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    (void)task;
    (void)rtl;
    (void)model;
    return why_refuse(why, "there is no task unit here");
}
void task_bus_error(struct task *task, const struct mem_note *note) {
    (void)task;
    (void)note;
}
bool task_quiescent(const struct task *task, struct why why) {
    (void)task;
    (void)why;
    return true;
}

#define STANDIN_WARPS 32u  // more than there are
struct standin_warp {
    bool held;
    uint32_t pc, state, ends, kept;
    uint64_t mask;
};
// What software has told an SM last.
struct standin_told {
    uint32_t invalidates, signatures, moves, resumes;  // how often
    uint32_t place, value, warp;
    int32_t places;
};
struct sm {
    unsigned number;
    struct standin_warp warps[STANDIN_WARPS];
    uint32_t issued, signature, signature_limit, passes, conflicts;
    struct standin_told told;
};
struct sm *sm_create(struct run *run, struct mem *mem, unsigned number) {
    (void)run;
    (void)mem;
    struct sm *sm = (struct sm *)calloc(1, sizeof(struct sm));
    if (sm == NULL) return NULL;
    sm->number = number;
    for (uint32_t w = 0; w < STANDIN_WARPS; w++)
        sm->warps[w].pc = 0x100 * number + w;
    return sm;
}
void sm_connect(struct sm *sm, const struct sm_wires *wires) {
    (void)sm;
    (void)wires;
}
void sm_destroy(struct sm *sm) {
    free(sm);
}
bool sm_step(struct sm *sm) {
    (void)sm;
    return false;
}
uint64_t sm_turn(struct sm *sm, uint64_t most) {
    (void)sm;
    (void)most;
    return 0;
}
bool sm_follow(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    (void)sm;
    (void)rtl;
    (void)model;
    return why_refuse(why, "there is no SM here");
}
void sm_token_error(struct sm *sm, const struct mem_record *record) {
    (void)sm, (void)record;
}
bool sm_bus_error(struct sm *sm, bool fetched, const struct mem_record *record, struct why why) {
    (void)sm;
    (void)fetched;
    (void)record;
    return why_refuse(why, "there is no SM here");
}
bool sm_quiescent(const struct sm *sm, struct why why) {
    (void)sm;
    (void)why;
    return true;
}
void sm_describe_warp(const struct sm *sm, unsigned warp, char *to, size_t size) {
    (void)sm;
    (void)warp;
    if (size != 0) to[0] = '\0';
}
void sm_warp_registers(const struct sm *sm, unsigned warp, uint32_t *pc, uint64_t *mask, uint32_t *state) {
    *pc = sm->warps[warp].pc;
    *mask = sm->warps[warp].mask;
    *state = sm->warps[warp].state;
}
bool sm_warp_held(const struct sm *sm, unsigned warp) {
    return sm->warps[warp].held;
}
uint32_t sm_deque_ends(const struct sm *sm, unsigned warp) {
    return sm->warps[warp].ends;
}
void sm_icache_invalidate(struct sm *sm) {
    sm->told.invalidates++;
}
void sm_write_taken_back(struct sm *sm, const struct mem_record *record) {
    (void)sm;
    (void)record;
}
uint32_t sm_issued(const struct sm *sm) {
    return sm->issued;
}
uint32_t sm_signature(const struct sm *sm) {
    return sm->signature;
}
uint32_t sm_signature_limit(const struct sm *sm) {
    return sm->signature_limit;
}
void sm_signature_write(struct sm *sm, uint32_t offset, uint32_t value) {
    sm->told.signatures++;
    sm->told.place = offset;
    sm->told.value = value;
}
void sm_shared_counters(const struct sm *sm, uint32_t *passes, uint32_t *conflicts) {
    *passes = sm->passes;
    *conflicts = sm->conflicts;
}
void sm_look_place(const struct sm *sm, unsigned warp, struct warp_place *place) {
    (void)sm, (void)warp;
    *place = (struct warp_place){0};
}
bool sm_look_warp(const struct sm *sm, unsigned warp, struct warp_look *look) {
    (void)sm, (void)warp, (void)look;
    return false;
}
bool sm_look_register(const struct sm *sm, unsigned warp, unsigned thread, unsigned number, uint32_t *value) {
    (void)sm, (void)warp, (void)thread, (void)number, (void)value;
    return false;
}
bool sm_look_token(const struct sm *sm, unsigned warp, unsigned number, struct token_look *token) {
    (void)sm, (void)warp, (void)number, (void)token;
    return false;
}
bool sm_look_shared(const struct sm *sm, unsigned warp, uint32_t offset, void *to, uint32_t size) {
    (void)sm, (void)warp, (void)offset, (void)to, (void)size;
    return false;
}
bool sm_look_local(const struct sm *sm, unsigned warp, unsigned thread, uint32_t offset, uint32_t *address) {
    (void)sm, (void)warp, (void)thread, (void)offset, (void)address;
    return false;
}
uint32_t sm_deque_kept(const struct sm *sm, unsigned warp) {
    return sm->warps[warp].kept;
}
void sm_deque_move(struct sm *sm, unsigned warp, int32_t places) {
    sm->told.moves++;
    sm->told.warp = warp;
    sm->told.places = places;
}
void sm_deque_resume(struct sm *sm, unsigned warp) {
    sm->told.resumes++;
    sm->told.warp = warp;
}

#ifdef __cplusplus
}
#endif
#endif
