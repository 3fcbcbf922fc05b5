// Random states of the task table: a device with three SMs, two warps each, and four slots; tables have a slot and a warp
// more, at which nobody may look; wires of its own; what the rules say is worked out in `wanted` and held against the unit with check().
#ifndef TANDEM_TESTS_TASK_SLOTS_H
#define TANDEM_TESTS_TASK_SLOTS_H

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "gen/isa.h"
#include "gen/registers.h"
#include "ppu_internal.h"
#include "random_numbers.h"
#include "sm/sm_internal.h"
#include "task/task_internal.h"

#define SLOTS 4u
#define SMS 3u
#define WARPS 2u
#define CHANNELS 2u
#define PENDING 3u
#define SPACE 0x1000u   // of channel 0; channel 1 has as much behind it, and as much again where no memory is
#define MEMORY 0x2000u  // bytes
#define MASK 0x7FFFFFFFu
#define NO_FAULT UINT32_MAX

// All that the unit may change, and what the rules make of it.
struct state {
    struct running_task slots[SLOTS];
    uint32_t done[SMS * SLOTS][2], outstanding[CHANNELS];
    uint32_t last_slot, last_sm, queued;
    uint64_t last_time, tasks, ctas;
    struct launch queue[PENDING];
    bool taking;
    struct pending_list lists[CHANNELS * TASK_LEVELS];
    uint32_t pending, epoch[CHANNELS], last_level, last_channel;
    uint32_t launch_count[SMS];
    struct cta_launch launched[SMS];  // the last of each SM
    struct fault_report fault;        // told last; channel NO_FAULT: none
    uint8_t memory[MEMORY];
};

static uint64_t seed;
static struct ppu *ppu;
static struct task *task;
static struct state wanted, found;
static struct fault_report told;
static bool halt[CHANNELS + 1], round_robin;  // behind the last channel it is said that it stands faulted
static uint32_t slice;
static struct task_suspend suspend[CHANNELS];
#define EMITS 32u
static struct trace_event emitted[EMITS];
static uint32_t emits;

static inline uint32_t below(uint32_t n) {
    return random_below(&seed, n);
}
static inline bool one_of(uint32_t n) {
    return below(n) == 0;
}

static void take_event(void *context, const struct trace_event *event) {
    (void)context;
    cr_assert_lt(emits, EMITS);
    emitted[emits++] = *event;
}
static void take_fault(void *context, const struct fault_report *fault) {
    cr_assert_eq(context, &told);
    told = *fault;
}

static inline void set_up(void) {
    struct ppu_config config = *ppu_config_find("nano");
    config.sms = SMS;
    config.warps = 2 * WARPS;  // not all are used
    config.task_slots = SLOTS;
    config.pending_tasks = PENDING;
    seed = seed_from_environment();
    fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", seed);
    ppu = ppu_create(&config, MEMORY, 5);
    cr_assert_not_null(ppu);
    ppu->run.config.warps = WARPS;
    task = ppu->task;
    ppu_set_trace(ppu, take_event, NULL);
    for (uint32_t c = 0; c < CHANNELS; c++) {
        const uint32_t at = REG_CHANNEL_BASE + c * REG_CHANNEL_STRIDE;
        ppu_reg_write(ppu, at + CHANNEL_SPACE_BASE, c * SPACE);
        ppu_reg_write(ppu, at + CHANNEL_SPACE_SIZE, (c + 1) * SPACE);
    }
    ppu->run.following = true;
    free(task->slots);
    free(task->done);
    free(task->lists);
    task->slots = calloc(SLOTS + 1, sizeof task->slots[0]);
    task->done = calloc((SMS + 1) * SLOTS, sizeof task->done[0]);
    task->lists = calloc(CHANNELS * TASK_LEVELS + 1, sizeof task->lists[0]);
    halt[CHANNELS] = true;
    cr_assert(task->slots != NULL && task->done != NULL && task->lists != NULL);
    for (uint32_t k = 0; k < SLOTS; k++)
        task->slot[k] = &task->slots[k].task.slot;
    task_connect(task, &(struct task_wires){.channel_halt = halt,
                                            .round_robin = &round_robin,
                                            .slice = &slice,
                                            .suspend = suspend,
                                            .fault = take_fault,
                                            .context = &told});
}

static inline void tear_down(void) {
    ppu->run.config.warps = 2 * WARPS;
    ppu_destroy(ppu);
}

// ---- random states
static void random_release(struct running_task *r, unsigned i) {
    struct task_release *release = &r->task.release[i];
    release->enable = !one_of(3);
    release->reduce = one_of(3);
    release->is_signed = one_of(2);
    release->one_word = one_of(2);
    release->op = below(8);
    release->addr =
        (one_of(6) ? (1 + below(2)) * SPACE : 0x800) + 16 * below(4) + (release->one_word ? 4 * below(4) : 0);
    release->payload = one_of(3) ? UINT32_MAX - below(3) : one_of(2) ? below(4) : (uint32_t)random_bits(&seed);
    r->release_left[i] = release->enable && !one_of(3);
    r->task.frees[i] = one_of(4);
    r->task.frees_tmd[i] =
        (one_of(6) ? 0x800 + 16 * below(4) : 0x100 * (1 + below(4))) + (one_of(6) ? (1 + below(2)) * SPACE : 0);
    r->frees_left[i] = r->task.frees[i] && !one_of(3);
}

static void random_slot(struct running_task *r) {
    const bool rests = one_of(2);  // nothing of it runs any more
    memset(r, 0, sizeof *r);
    r->task.slot.busy = !one_of(8);
    r->task.slot.kill = one_of(6);
    r->task.slot.stop = one_of(4);
    r->task.slot.channel = below(CHANNELS);
    r->task.slot.tmd = 0x100 * below(16);
    r->task.slot.threads = 32 * (1 + below(2));
    r->task.slot.registers = 4;
    r->task.slot.code_base = 8 * below(100);
    r->task.slot.region = 8 * below(2);
    for (uint32_t i = 0; i < 3; i++) {
        r->task.slot.grid[i] = 1 + below(3);
        r->next[i] = one_of(2) ? r->task.slot.grid[i] - 1 : below(r->task.slot.grid[i]);
        r->task.next[i] = below(4);
    }
    r->task.group = one_of(2) ? 5 : below(8);
    r->task.sequential = one_of(3);
    r->task.save = one_of(2);
    r->task.saved = below(3);
    r->task.launched = one_of(2);
    r->task.parent = (one_of(2) ? PARENT_WAITS : 0) | (one_of(2) ? PARENT_SAVES : 0) | below(16) | below(64) << 24;
    r->task.queue = one_of(4);
    r->task.open = one_of(2);
    r->task.put = below(6);
    r->launched = rests || one_of(3);
    r->saved = rests || one_of(2) ? 0 : 1 + below(3);
    r->running = rests || one_of(2) ? 0 : 1 + below(2);
    if (r->task.queue) {
        r->next[0] = one_of(2) ? MASK - below(3) : below(100);
        r->put = (r->next[0] + (rests ? 0 : below(4))) & MASK;
        r->get = one_of(4) ? (r->next[0] - 1) & MASK : r->next[0];
        r->open = !rests && one_of(2);
    }
    r->evicted = one_of(5);
    r->leaving = one_of(4);
    r->stuck = one_of(4);
    r->faulted = one_of(6);
    if (r->faulted) r->task.slot.kill = !one_of(4);
    r->release_code = r->faulted && one_of(2) ? FAULT_BUS_ERROR : FAULT_NONE;
    r->release_info = r->release_code != FAULT_NONE ? 1 + below(100) : 0;
    r->children = one_of(3) ? 1 + below(3) : 0;
    r->begun = below(1000);
    r->woken = below(1000);
    for (unsigned i = 0; i < 2; i++)
        random_release(r, i);
    r->frees_left[PARENT] = one_of(3);
    r->freeing = one_of(6);
    r->freeing_tmd = 0x100 * below(16);
}

static inline void random_table(void) {
    struct run *run = &ppu->run;
    run->cycles = 1000 + below(3);
    for (uint32_t c = 0; c < CHANNELS; c++) {
        halt[c] = one_of(4);
        suspend[c] = (struct task_suspend){.on = one_of(5), .before = one_of(5), .since = 999 + below(5)};
        task->outstanding[c] = 1 + below(5);
    }
    round_robin = one_of(2);
    slice = below(3);
    for (uint32_t k = 0; k <= SLOTS; k++)
        random_slot(&task->slots[k]);
    for (uint32_t i = 0; i < (SMS + 1) * SLOTS; i++) {
        for (uint32_t left = 0; left < 2; left++)
            task->done[i][left] = one_of(6) ? 1 + below(2) : 0;
    }
    for (uint32_t s = 0; s < SMS; s++) {
        struct sm *sm = task->sms[s];
        sm->launch_count = one_of(2) ? below(2) : LAUNCHES_MAX - below(2);
        memset(sm->launches, 0, sizeof sm->launches);
        for (uint32_t l = 0; l < sm->launch_count; l++)
            sm->launches[l] = (struct cta_launch){.slot = below(SLOTS)};
        for (uint32_t w = 0; w <= WARPS; w++) {
            sm->warps[w].running = one_of(4);
            sm->warps[w].row = 64 * w;
            sm->warps[w].rows = 32;
        }
    }
    task->queued = below(PENDING + 1);
    memset(task->queue, 0, PENDING * sizeof task->queue[0]);
    for (uint32_t i = 0; i < task->queued; i++)
        task->queue[i].tmd = 0x100 * below(16);
    task->last_slot = below(SLOTS);
    task->last_sm = below(SMS);
    task->last_time = below(4) * 100;
    for (uint32_t at = 0; at < MEMORY; at += at % SPACE == 0x83C ? SPACE - 0x3C : 4) {  // where releases go
        if (at < 0x800) at = 0x800;
        const uint32_t word = below(8);
        memcpy(mem_bytes(ppu->mem) + at, word > 4 ? &(uint32_t){word - 8} : &word, 4);
    }
    told = (struct fault_report){.channel = NO_FAULT};
    emits = 0;
}

static void look(struct state *s) {
    memset(s, 0, sizeof *s);
    memcpy(s->slots, task->slots, sizeof s->slots);
    memcpy(s->done, task->done, sizeof s->done);
    memcpy(s->outstanding, task->outstanding, sizeof s->outstanding);
    s->last_slot = task->last_slot;
    s->last_sm = task->last_sm;
    s->last_time = task->last_time;
    s->queued = task->queued;
    memcpy(s->queue, task->queue, task->queued * sizeof s->queue[0]);
    s->taking = task->taking;
    memcpy(s->lists, task->lists, sizeof s->lists);
    s->pending = task->pending;
    memcpy(s->epoch, task->epoch, sizeof s->epoch);
    s->last_level = task->last_level;
    s->last_channel = task->last_channel;
    s->tasks = ppu->run.counters.tasks;
    s->ctas = ppu->run.counters.ctas;
    for (uint32_t i = 0; i < SMS; i++) {
        s->launch_count[i] = task->sms[i]->launch_count;
        if (s->launch_count[i] != 0) s->launched[i] = task->sms[i]->launches[s->launch_count[i] - 1];
    }
    s->fault = told;
    memcpy(s->memory, mem_bytes(ppu->mem), MEMORY);
}

static inline void random_state(void) {
    random_table();
    look(&wanted);
}

// Nothing but what is wanted has changed.
static inline void check(void) {
    look(&found);
    for (uint32_t k = 0; k < SLOTS; k++)
        cr_assert_eq(memcmp(&found.slots[k], &wanted.slots[k], sizeof found.slots[k]), 0, "slot %u", k);
    cr_assert_eq(memcmp(found.done, wanted.done, sizeof found.done), 0);
    cr_assert_eq(memcmp(found.outstanding, wanted.outstanding, sizeof found.outstanding), 0);
    cr_assert_eq(memcmp(found.memory, wanted.memory, sizeof found.memory), 0);
    cr_assert_eq(memcmp(&found.fault, &wanted.fault, sizeof found.fault), 0);
    cr_assert_eq(memcmp(found.launched, wanted.launched, sizeof found.launched), 0);
    cr_assert_eq(memcmp(&found, &wanted, sizeof found), 0);
}

// An event of the unit as it must be, choices of timing too.
static inline struct trace_event event_now(enum trace_kind kind) {
    struct trace_event event;
    memset(&event, 0, sizeof event);
    event.kind = kind;
    event.cycle = ppu->run.cycles;
    return event;
}
static inline void check_event(const struct trace_event *is, const struct trace_event *must) {
    cr_assert_eq(is->kind, must->kind, "%s, not %s", trace_kind_name(is->kind), trace_kind_name(must->kind));
    cr_assert_eq(memcmp(is, must, sizeof *is), 0, "%s", trace_kind_name(must->kind));
}

// The unit took the event, and told what it must (why NULL), or refused it with these words.
#define REASON 200u
static inline void check_taken(bool taken, const char *says, const char *why) {
    cr_assert_eq(taken, why == NULL, "%s", why == NULL ? says : why);
    if (why != NULL) cr_assert_not_null(strstr(says, why), "\"%s\" does not say \"%s\"", says, why);
}

// ---- rules that several tests need
static inline bool is_suspended(uint32_t channel) {
    const struct task_suspend *s = &suspend[channel];
    return ppu->run.cycles > s->since ? s->on : s->before;
}
static inline bool in_memory(const struct running_task *r) {  // OUTER_GET, of a queue
    return !r->task.queue || r->get == r->next[0];
}
static inline uint32_t entries(const struct running_task *r) {
    const uint32_t there = (r->put - r->next[0]) & MASK;
    return there > r->task.slot.grid[1] ? r->task.slot.grid[1] : there;
}
static inline bool more_ctas(const struct running_task *r) {
    return r->saved > 0 || !r->launched;
}
static inline bool may_go_out(const struct running_task *r) {
    if (!r->task.slot.busy || r->evicted || !more_ctas(r) || is_suspended(r->task.slot.channel)) return false;
    if (r->task.sequential && r->running > 0) return false;
    return !r->task.queue || entries(r) > 0;
}

#endif
