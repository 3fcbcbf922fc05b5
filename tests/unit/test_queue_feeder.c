// What feeds a queue's CTAs, held against its rules said once more: random slots of the task table, counters in memory
// that fit them and some that do not, requests of the RTL that are due and some that are not.
#include <inttypes.h>
#include <stdio.h>

#include "common/seed.h"
#include "random_numbers.h"
#include "task_world.h"

#define MASK 0x7FFFFFFFu
#define SLOTS 2u  // of nano
#define TURNS 30000u
#define OUTSIDE SPACE_SIZE  // behind the space of a channel

static uint64_t state;
static struct ppu *ppu;
static struct task *task;
static struct running_task wanted[SLOTS];
static struct world world;

static uint32_t below(uint32_t n) {
    return random_below(&state, n);
}
static bool one_of(uint32_t n) {
    return below(n) == 0;
}

static void set_up(void) {
    state = seed_from_environment();
    fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", state);
    ppu = new_ppu();
    task = ppu->task;
    world.events = calloc(MAX_EVENTS, sizeof world.events[0]);
    ppu_set_trace(ppu, sink, &world);
    // One slot more than there are: nobody may look at it.
    free(task->slots);
    task->slots = calloc(SLOTS + 1, sizeof task->slots[0]);
    cr_assert(world.events != NULL && task->slots != NULL);
    for (uint32_t k = 0; k < SLOTS; k++)
        task->slot[k] = &task->slots[k].task.slot;
}

static void tear_down(void) {
    ppu_destroy(ppu);
    free(world.events);
}

// ---- random slots, and what memory says of them
static void random_slot(struct running_task *r) {
    static const uint32_t places[] = {0x2000, 0x2000, 0x2000, 0x2100, 0x6000, OUTSIDE};
    memset(r, 0, sizeof *r);
    r->task.slot.busy = !one_of(8);
    r->task.slot.kill = one_of(6);
    r->task.slot.channel = below(2);
    r->task.slot.tmd = places[below(6)] + (one_of(3) ? below(256) : 0);
    r->task.queue = !one_of(8);
    r->task.slot.grid[0] = 1u << below(5);
    r->task.slot.grid[1] = 1 + below(5);
    r->task.slot.grid[2] = below(5);
    r->open = !one_of(4);
    r->next[0] = (one_of(2) ? MASK - below(3) : (uint32_t)random_bits(&state)) & MASK;
    r->next[1] = below(5);
    r->get = (r->next[0] - (one_of(2) ? 0 : below(4))) & MASK;
    r->put = (r->next[0] + below(7)) & MASK;
    r->put_before = (r->put - below(3)) & MASK;
    r->launched = one_of(2);
    r->running = one_of(2) ? 0 : 1 + below(3);
    r->evicted = one_of(3);
    r->release_code = one_of(2) ? FAULT_NONE : FAULT_BUS_ERROR;
    r->release_info = below(100);
    r->task.open = one_of(2);
    r->task.next[0] = one_of(2) ? r->next[0] : (uint32_t)random_bits(&state) & MASK;
    r->task.next[1] = below(5);
    r->task.put = one_of(2) ? r->next[0] : (uint32_t)random_bits(&state) & MASK;
}

static uint32_t line_of(const struct running_task *r) {
    return r->task.slot.tmd & ~255u;
}
static bool outside(const struct running_task *r) {
    return line_of(r) >= SPACE_SIZE;
}

static void random_memory(const struct running_task *r) {
    if (outside(r)) return;
    uint32_t words[8];
    for (uint32_t i = 0; i < 8; i++)
        words[i] = (uint32_t)random_bits(&state);
    uint32_t put = r->put + (one_of(2) ? 0 : below(3));
    if (one_of(6)) put = (one_of(2) ? r->get : r->next[0]) + r->task.slot.grid[0] + below(2);
    if (one_of(12)) put = r->next[0] - 1;
    words[0] = (words[0] & ~MASK) | (put & MASK);
    words[6] = (words[6] & ~0x100u) | (one_of(3) ? 0 : 0x100u);
    write_space(ppu, r->task.slot.channel, line_of(r), words, sizeof words);
}

static void random_slots(void) {
    for (uint32_t k = 0; k <= SLOTS; k++) {
        random_slot(&task->slots[k]);
        if (k != 0 && one_of(3)) {
            task->slots[k].task.slot.tmd = task->slots[0].task.slot.tmd;
            task->slots[k].task.slot.channel = task->slots[0].task.slot.channel;
        }
        random_memory(&task->slots[k]);
    }
    const struct task_slot *slot = &task->slots[below(SLOTS)].task.slot;
    task->taking = one_of(3);
    task->taken.lines = below(2);
    task->taken.tmd = one_of(2) ? slot->tmd : 0x9900;
    memcpy(wanted, task->slots, sizeof wanted);
    world.count = 0;
}

// ---- the rules
static uint32_t there(const struct running_task *r) {
    return (r->put - r->next[0]) & MASK;
}
static bool wants_read(const struct running_task *r) {
    return r->task.slot.busy && r->task.queue && r->open && there(r) < r->task.slot.grid[1];
}
static bool wants_write(const struct running_task *r) {
    return r->task.slot.busy && r->task.queue && r->running == 0 && r->get != r->next[0];
}
static void fails(struct running_task *r, uint32_t code) {
    r->faulted = r->task.slot.kill = true;
    r->release_code = code;
    r->release_info = r->task.slot.tmd;
}
static uint32_t word_of(const struct running_task *r, uint32_t number) {
    return outside(r) ? 0 : read_word(ppu, r->task.slot.channel, line_of(r) + 4 * number);
}
static void reads(struct running_task *r) {
    const uint32_t put = word_of(r, 0) & MASK, size = r->task.slot.grid[0];
    if (outside(r)) {
        fails(r, FAULT_BUS_ERROR);
    } else if (((put - r->get) & MASK) > size || ((put - r->next[0]) & MASK) > size) {
        fails(r, FAULT_TMD_GET_PUT_TOO_LARGE);
    } else {
        r->put_before = r->put;
        r->put = put;
        r->open = (word_of(r, 6) & 0x100) != 0;
        r->launched = !r->open && put == r->next[0];
    }
}
static void writes(struct running_task *r) {
    r->get = r->next[0];
    if (outside(r)) fails(r, FAULT_BUS_ERROR);
}

// After the request of the slot (SLOTS: none): the table, memory, and the event that tells it.
static void check(uint32_t slot, bool write, const struct trace_event *event, uint32_t get_before) {
    for (uint32_t k = 0; k < SLOTS; k++)
        cr_assert_eq(memcmp(&task->slots[k], &wanted[k], sizeof wanted[k]), 0, "slot %u", k);
    if (slot == SLOTS) return;
    const struct running_task *r = &wanted[slot];
    uint32_t words[8] = {0, write ? r->next[0] : 0};
    cr_assert_eq(event->kind, TRACE_PERFORM);
    cr_assert_eq(event->perform.port, MEM_PORT_TASK);
    cr_assert_eq(event->perform.op, write ? MEM_WRITE : MEM_READ);
    cr_assert_eq(event->perform.channel, r->task.slot.channel);
    cr_assert_eq(event->perform.addr, line_of(r));
    cr_assert_eq(event->perform.wstrb, write ? 0xF0 : 0);
    cr_assert_eq(memcmp(event->perform.wdata, words, sizeof words), 0);
    cr_assert_eq(event->perform.fault, outside(r) ? ANSWER_OUTSIDE : ANSWER_GOOD);
    if (!outside(r)) cr_assert_eq(word_of(r, 1), write ? r->next[0] : get_before);
}

// ---- tests
Test(queue_feeder, counts, .init = set_up, .fini = tear_down,
     .description = "the entries of the next CTA, and what a start and a CTA make of them") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        random_slots();
        struct running_task *r = &task->slots[0], *own = &wanted[0];
        const uint32_t per_cta = r->task.slot.grid[1], count = there(r) < per_cta ? there(r) : per_cta;
        cr_assert_eq(queue_feeder_count(r), count);
        cr_assert_eq(queue_feeder_synced(r), !r->task.queue || r->get == r->next[0]);
        queue_feeder_next(r);
        own->next[0] = (own->next[0] + count) & MASK;
        own->launched = !own->open && own->put == own->next[0];
        r = &task->slots[1], own = &wanted[1];
        queue_feeder_start(r);
        own->open = own->task.open, own->put = own->task.put, own->get = own->task.next[0];
        if (own->task.queue) own->launched = !own->open && own->put == own->next[0];
        check(SLOTS, false, NULL, 0);
    }
}

Test(queue_feeder, failed, .init = set_up, .fini = tear_down,
     .description = "an answer with an error: what was read is nothing, unless the task stands faulted already") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        random_slots();
        const uint32_t k = below(SLOTS);
        const bool write = one_of(2);
        queue_feeder_failed(&task->slots[k], write);
        if (!write && wanted[k].release_code == FAULT_NONE) {
            wanted[k].put = wanted[k].put_before;
            wanted[k].open = true;
            wanted[k].launched = false;
        }
        fails(&wanted[k], FAULT_BUS_ERROR);
        check(SLOTS, false, NULL, 0);
    }
}

static void random_request(struct trace_event *rtl) {
    const struct running_task *r = &task->slots[below(SLOTS + 1)];
    struct trace_perform *perform = &rtl->perform;
    uint32_t words[8] = {0, r->next[0]};
    memset(rtl, 0, sizeof *rtl);
    rtl->kind = TRACE_PERFORM;
    perform->port = MEM_PORT_TASK;
    perform->op = one_of(8) ? MEM_ATOMIC : one_of(2) ? MEM_WRITE : MEM_READ;
    perform->channel = r->task.slot.channel ^ one_of(8);
    perform->addr = line_of(r) ^ (one_of(8) ? 32u << below(4) : 0);
    perform->wstrb = one_of(8) ? 1u << below(32) : 0xF0;
    if (one_of(8)) words[below(8)] ^= 1u << below(32);
    memcpy(perform->wdata, words, sizeof words);
}

static bool due(const struct running_task *r, const struct trace_perform *perform) {
    const uint32_t words[8] = {0, r->next[0]};
    if (perform->addr != line_of(r) || perform->channel != r->task.slot.channel) return false;
    if (perform->op == MEM_READ)
        return wants_read(r) && !(task->taking && task->taken.lines == 0 && task->taken.tmd == r->task.slot.tmd);
    return perform->op == MEM_WRITE && wants_write(r) && perform->wstrb == 0xF0 &&
           memcmp(perform->wdata, words, sizeof words) == 0;
}

Test(queue_feeder, follow, .init = set_up, .fini = tear_down,
     .description = "a request of the RTL belongs to the first slot for which it is due") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event rtl, model;
        random_slots();
        random_request(&rtl);
        uint32_t k = 0;
        while (k < SLOTS && !due(&wanted[k], &rtl.perform))
            k++;
        const bool write = rtl.perform.op == MEM_WRITE;
        const uint32_t before = k < SLOTS ? word_of(&wanted[k], 1) : 0;
        if (k < SLOTS) (write ? writes : reads)(&wanted[k]);
        cr_assert_eq(queue_feeder_follow(task, &rtl, &model), k < SLOTS);
        check(k, write, &model, before);
    }
}

// Alone nothing is read that says nothing new.
static bool news(const struct running_task *r) {
    return outside(r) || (word_of(r, 0) & MASK) != r->put || (word_of(r, 6) & 0x100) == 0;
}

Test(queue_feeder, step, .init = set_up, .fini = tear_down,
     .description = "alone: the first slot that writes or reads something new, none that is killed") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        random_slots();
        uint32_t k = 0;
        bool write = false;
        for (; k < SLOTS; k++) {
            const struct running_task *r = &wanted[k];
            if (r->task.slot.kill) continue;
            write = wants_write(r);
            if (write || (wants_read(r) && !r->evicted && news(r))) break;
        }
        const uint32_t before = k < SLOTS ? word_of(&wanted[k], 1) : 0;
        if (k < SLOTS) (write ? writes : reads)(&wanted[k]);
        cr_assert_eq(queue_feeder_step(task), k < SLOTS);
        cr_assert_eq(world.count, k < SLOTS ? 1 : 0);
        check(k, write, &world.events[0], before);
    }
}
