// A warp in a random state on two SMs that are alike: one for issue.c, one for the rules that it is held against.
#ifndef TANDEM_TESTS_ISSUE_WORLD_H
#define TANDEM_TESTS_ISSUE_WORLD_H

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"
#include "mem/mem.h"
#include "random_numbers.h"
#include "sm/sm_internal.h"

enum { NAMED = 16, WORDS = 60, SLOTS = 2, SHARED = 256, REGION = 0x1008 };
enum way { QUIET, TRACED, TANDEM, WAYS };

struct fault {
    uint32_t count, slot, code, info, pc;
};
struct world {
    struct run run;
    struct mem *mem;
    struct sm *sm;
    struct task_slot slot[SLOTS];
    const struct task_slot *slots[SLOTS];
    struct sm_settings settings;
    struct fault fault;
};

static uint64_t seed;
static struct world is, must;
static uint32_t number;  // of the warp
static struct warp *warp, *own;

static uint32_t below(uint32_t n) {
    return random_below(&seed, n);
}
static bool one_of(uint32_t n) {
    return below(n) == 0;
}
static uint64_t some_of(uint64_t threads) {
    return threads & random_bits(&seed);
}

static void on_fault(void *context, uint32_t slot, uint32_t code, uint32_t info, uint32_t pc) {
    struct fault *fault = &((struct world *)context)->fault;
    *fault = (struct fault){.count = fault->count + 1, .slot = slot, .code = code, .info = info, .pc = pc};
}
static void on_event(void *context, const struct trace_event *event) {
    (void)context;
    (void)event;
}

static void open_world(struct world *w, const char *config) {
    memset(w, 0, sizeof *w);
    run_init(&w->run, ppu_config_find(config), 1);
    w->mem = mem_create(&w->run, 0x10000, NULL);
    w->sm = sm_create(&w->run, w->mem, 0);
    cr_assert(w->mem != NULL && w->sm != NULL);
    for (uint32_t s = 0; s < SLOTS; s++) {
        w->slots[s] = &w->slot[s];
        w->slot[s] = (struct task_slot){.channel = s,
                                        .region = REGION + 0x100 * s,
                                        .ntid = {5, 3, 4},
                                        .grid = {7, 8, 9},
                                        .threads = 60,
                                        .registers = NAMED - s,
                                        .shared_bytes = SHARED,
                                        .tmd = 0x7700 + 0x100 * s,
                                        .local = 0x8000,
                                        .local_bytes = 64,
                                        .const_valid = 1,
                                        .const_addr = {0x3000},
                                        .const_size = {128}};
    }
    sm_connect(w->sm,
               &(struct sm_wires){.slot = w->slots, .settings = &w->settings, .context = w, .warp_fault = on_fault});
    for (uint32_t n = 0; n < w->run.config.warps; n++)
        register_file_give(w->sm, &w->sm->warps[n], 0, 1, REGISTERS_MAX);
}

static void begin(const char *config) {
    seed = seed_from_environment();
    fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", seed);
    open_world(&is, config);
    open_world(&must, config);
}

static void end(void) {
    sm_destroy(is.sm);
    sm_destroy(must.sm);
    mem_destroy(is.mem);
    mem_destroy(must.mem);
}

// ---- random warps
static void random_threads(struct divergence *d) {
    static const uint32_t kinds[] = {KIND_SYNC,    KIND_BRK,   KIND_CONT,  KIND_EXIT,  KIND_RET,
                                     KIND_LONGJMP, KIND_DIV,   KIND_HELD,  KIND_CALLX, KIND_SVEND,
                                     KIND_PORTION, KIND_YIELD, KIND_ABSENT};
    const uint32_t calm = below(5);
    const uint64_t all = divergence_threads(d);
    const uint32_t counts = one_of(3) ? below(255) : 0;
    struct token_move move;
    memset(d->reason, 0, sizeof d->reason);
    for (uint32_t t = 0; t < d->threads; t++)
        d->reason[below(4) < calm ? KIND_NONE : kinds[one_of(2) ? 10 : below(13)]] |= UINT64_C(1) << t;
    if (one_of(10)) {  // the first thread alone
        d->reason[KIND_HELD] |= d->reason[KIND_NONE];
        d->reason[KIND_HELD] &= ~(d->reason[KIND_NONE] & 1u);
        d->reason[KIND_NONE] &= 1u;
    }
    if (one_of(10)) {  // the first one waits for its turn, alone
        d->reason[KIND_HELD] |= d->reason[KIND_PORTION] & ~UINT64_C(1);
        for (uint32_t r = 0; r < 16; r++)
            d->reason[r] &= ~UINT64_C(1);
        d->reason[KIND_PORTION] = 1;
    }
    token_deque_reset(&d->token_deque);
    for (uint32_t i = below(3); i > 0; i--)
        (void)token_deque_merge(&d->token_deque, random_bits(&seed) & all, below(4), &move);
    for (uint32_t i = below(one_of(2) ? 3 : 10); i > 0; i--)
        (void)token_deque_push_front(&d->token_deque, kinds[below(11)], random_bits(&seed) & all, below(4), &move);
    if (one_of(4)) token_deque_move(&d->token_deque, one_of(2) ? 8 : -8);
    d->token_deque.failed = one_of(12);
    d->inside = one_of(2) ? 0 : one_of(3) ? 1 : some_of(all);
    d->trapped = one_of(4);
    d->move_count = below(4);
    yield_counts_start(&d->yields);
    for (uint32_t t = 0; t < 64; t++)
        d->yields.count[t] = (uint8_t)(counts + below(2));
    d->yields.count_bound = (uint8_t)(counts + 1);
    d->yields.random = 1 + below(1000);
}

static void random_sm(struct sm *sm) {
    const struct ppu_config *config = sm->config;
    sm->ready = some_of((UINT64_C(1) << config->warps) - 1);
    sm->held = some_of(~sm->ready & ((UINT64_C(1) << config->warps) - 1));
    sm->trap = (struct trap){.on = one_of(2),
                             .warp = below(config->warps),
                             .saved = one_of(2),
                             .pc = below(50),
                             .popped = {.mask = 5, .addr = 6, .kind = KIND_SYNC}};
    sm->fetch_cache.time = below(1000);
    for (uint32_t w = 0; w < config->warps; w++) {
        sm->subvector.warp[w] = (struct subvector_warp){
            .inside = one_of(3), .fixed = one_of(3), .second = one_of(2), .region = below(config->sv_regions)};
        sm->ctas[w] = (struct cta){.busy = true,
                                   .slot = below(SLOTS),
                                   .x = below(9),
                                   .y = below(9),
                                   .z = below(9),
                                   .warps = 3 + below(4),
                                   .started = 1 + below(3),
                                   .ended = below(3),
                                   .waiting = below(3),
                                   .record = below(100)};
    }
    for (uint32_t r = 0; r < config->sv_regions; r++)
        sm->subvector.regions[r] = (struct subvector_region){.valid = one_of(2), .second = one_of(2)};
    for (uint32_t i = 0; i < SHARED; i++)
        sm->shared_memory[i] = (uint8_t)random_bits(&seed);
}

static uint32_t random_register(uint32_t kind) {
    switch (kind) {
        case 0: return 4 * below(64);
        case 1: return (below(3) == 0 ? WINDOW_SHARED : below(2) == 0 ? WINDOW_LOCAL : 0u) << 24 | 4 * below(16);
        case 2: return below(3) << (one_of(4) ? 22 : 0);
        case 3: return 0x200 + 16 * below(2);
        default: return (uint32_t)random_bits(&seed);
    }
}

static void random_warp(void) {
    const struct ppu_config *config = is.sm->config;
    const uint32_t threads = config->threads;
    random_sm(is.sm);
    number = below(config->warps);
    warp = &is.sm->warps[number];
    own = &must.sm->warps[number];
    warp->running = true;
    warp->faulted = warp->at_barrier = warp->held = false;
    warp->slot = below(SLOTS);
    warp->cta = below(config->warps);
    warp->index = below(3);
    warp->pc = one_of(8) ? PROGRAM_COUNTER_MASK : below(100);
    warp->instr_pc = below(100);
    warp->fetched_since = below(100);
    warp->fetched_last = warp->fetched_since + below(10);
    warp->serial = below(100);
    warp->shares = one_of(2);
    warp->privates = warp->shares ? below(NAMED) : NAMED;
    for (uint32_t r = 0; r < NAMED; r++) {
        const uint32_t kind = below(6);
        for (uint32_t t = 0; t < threads; t++)
            warp->registers[r * threads + t] =
                t != 0 && one_of(2) && kind == 2 ? warp->registers[r * threads] : random_register(kind);
    }
    for (uint32_t p = 0; p < ISA_PT; p++)
        warp->predicates[p] = one_of(6)   ? 3
                              : one_of(3) ? 0
                              : one_of(3) ? is.sm->all_threads
                                          : some_of(is.sm->all_threads);
    warp->predicates[ISA_PT] = UINT64_MAX;
    scalar_unit_start(&warp->scalar_unit, threads);
    for (uint32_t s = 0; s < ISA_SCALARS; s++)
        warp->scalar_unit.scalars[s] = (uint32_t)random_bits(&seed);
    random_threads(&warp->divergence);
    warp->due = (struct due){.exec = 9,
                             .shared = 3,
                             .token = 2,
                             .tokens = 2,
                             .end = one_of(2),
                             .hold = one_of(2),
                             .fault = one_of(2),
                             .swb = one_of(2),
                             .order = one_of(2),
                             .clock = one_of(2)};
    warp->access = (struct access){.region = 77};
    memset(&warp->children, 0, sizeof warp->children);
    is.settings = (struct sm_settings){
        .deque_serve = one_of(2), .sv_order = one_of(2) ? 0 : below(3), .sv_threshold = below(3) << 15};
    is.run.cycles = random_bits(&seed);
}

static void *same_size(void *to, const void *from, size_t bytes) {
    to = realloc(to, bytes + 1);
    cr_assert_not_null(to);
    if (bytes != 0) memcpy(to, from, bytes);
    return to;
}

// The second SM is as the first one.
static void mirror(enum way way) {
    struct token *list = own->divergence.token_deque.list;
    struct token_move *moves = own->divergence.moves;
    uint32_t *registers = own->registers;
    struct in_flight *older[IN_FLIGHT_MAX];
    is.run.sink = way == TRACED ? on_event : NULL;
    is.run.following = way == TANDEM;
    memcpy(older, own->older, sizeof older);
    *own = *warp;
    memcpy(own->older, older, sizeof older);
    own->registers = registers;
    memcpy(registers, warp->registers, REGISTERS_MAX * is.sm->config->threads * sizeof registers[0]);
    const struct token_deque *deque = &warp->divergence.token_deque;
    own->divergence.token_deque.list = same_size(list, deque->list, deque->room * sizeof *list);
    own->divergence.moves = same_size(moves, warp->divergence.moves, warp->divergence.move_room * sizeof *moves);
    must.run = is.run;
    must.settings = is.settings;
    must.fault = is.fault;
    must.sm->ready = is.sm->ready;
    must.sm->held = is.sm->held;
    must.sm->trap = is.sm->trap;
    must.sm->issued = is.sm->issued;
    must.sm->turns = is.sm->turns;
    must.sm->fetch_cache.time = is.sm->fetch_cache.time;
    must.sm->subvector = is.sm->subvector;
    memcpy(must.sm->ctas, is.sm->ctas, is.sm->config->warps * sizeof is.sm->ctas[0]);
    memcpy(must.sm->shared_memory, is.sm->shared_memory, SHARED);
}

#define SAME(a, b) cr_assert_eq(memcmp(&(a), &(b), sizeof(a)), 0, "%s: " #a, what)
#define EQUAL(member) cr_assert_eq(warp->member, own->member, "%s: " #member, what)

static void check_due(enum way way, const char *what) {
    EQUAL(due.order);
    EQUAL(due.token);
    EQUAL(due.tokens);
    EQUAL(due.end);
    EQUAL(due.hold);
    EQUAL(due.fault);
    EQUAL(due.swb);
    if (warp->due.order) EQUAL(due.word);
    if (warp->due.fault) EQUAL(due.fault_code);
    if (warp->due.fault) EQUAL(due.fault_info);
    if (way == QUIET) return;  // nobody asks for the rest
    EQUAL(due.exec);
    EQUAL(due.shared);
    EQUAL(due.clock);
    EQUAL(due.rd);
    EQUAL(due.registers);
    EQUAL(due.memory);
    SAME(warp->due.wb, own->due.wb);
    SAME(warp->due.pwb, own->due.pwb);
    EQUAL(due.swb_pair);
    EQUAL(due.swb_rd);
    EQUAL(due.swb_trap);
}

static void check(enum way way, const char *what) {
    EQUAL(pc);
    EQUAL(instr_pc);
    EQUAL(fetched_since);
    EQUAL(fetched_last);
    EQUAL(serial);
    EQUAL(running);
    EQUAL(faulted);
    EQUAL(at_barrier);
    EQUAL(held);
    check_due(way, what);
    EQUAL(access.pending);
    EQUAL(access.region);
    SAME(warp->access.address, own->access.address);
    EQUAL(children.left);
    EQUAL(children.wait);
    SAME(warp->predicates, own->predicates);
    SAME(warp->scalar_unit, own->scalar_unit);
    SAME(warp->divergence.reason, own->divergence.reason);
    EQUAL(divergence.inside);
    EQUAL(divergence.trapped);
    EQUAL(divergence.resumed);
    SAME(warp->divergence.yields, own->divergence.yields);
    EQUAL(divergence.token_deque.head);
    EQUAL(divergence.token_deque.tail);
    EQUAL(divergence.move_count);
    for (uint32_t i = 0; i < own->divergence.move_count; i++) {
        EQUAL(divergence.moves[i].op);
        EQUAL(divergence.moves[i].token.mask);
        EQUAL(divergence.moves[i].token.addr);
        EQUAL(divergence.moves[i].token.kind);
    }
    cr_assert_eq(memcmp(warp->registers, own->registers, REGISTERS_MAX * is.sm->config->threads * 4), 0, "%s", what);
    cr_assert_eq(memcmp(is.sm->shared_memory, must.sm->shared_memory, SHARED), 0, "%s", what);
    cr_assert_eq(memcmp(is.sm->ctas, must.sm->ctas, is.sm->config->warps * sizeof is.sm->ctas[0]), 0, "%s", what);
    SAME(is.sm->ready, must.sm->ready);
    SAME(is.sm->held, must.sm->held);
    SAME(is.sm->issued, must.sm->issued);
    SAME(is.sm->turns, must.sm->turns);
    SAME(is.sm->subvector, must.sm->subvector);
    const struct trap *a = &is.sm->trap, *b = &must.sm->trap;
    cr_assert(a->on == b->on && a->warp == b->warp && a->saved == b->saved && a->pc == b->pc, "%s: trap", what);
    cr_assert(a->popped.kind == b->popped.kind && a->popped.mask == b->popped.mask && a->popped.addr == b->popped.addr,
              "%s: token popped", what);
    SAME(is.run.counters, must.run.counters);
    SAME(is.fault, must.fault);
}

#endif
