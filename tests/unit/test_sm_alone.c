// The SM alone: what it is made of, whose turn it is and for how long, which events an instruction makes, in which order.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"
#include "mem/mem.h"
#include "random_numbers.h"
#include "sm/sm_internal.h"

enum { WARPS = 4, SLOTS = 4, REGION = 0x1000, EVENTS = 512, NUMBER = 1, THREADS = 32 };

static uint64_t seed;
static struct run run;
static struct mem *mem;
static struct sm *sm;
static struct task_slot slot[SLOTS];
static const struct task_slot *slots[SLOTS] = {&slot[0], &slot[1], &slot[2], &slot[3]};
static struct sm_settings settings;
static const struct mem_space space[8] = {{0, 0x8000}};
static struct trace_event events[EVENTS];
static uint32_t event_count;
static uint32_t faults, launched, ended;
static bool can_launch;

static uint32_t below(uint32_t n) {
    return random_below(&seed, n);
}
static bool one_of(uint32_t n) {
    return below(n) == 0;
}

static void on_event(void *context, const struct trace_event *event) {
    (void)context;
    cr_assert_lt(event_count, EVENTS);
    events[event_count++] = *event;
}
static void on_cta_done(void *context, uint32_t number, uint32_t slot_number, bool left) {
    (void)context, (void)slot_number, (void)left;
    cr_assert_eq(number, NUMBER);
    ended++;
}
static void on_fault(void *context, uint32_t slot_number, uint32_t code, uint32_t info, uint32_t pc) {
    (void)context, (void)slot_number, (void)code, (void)info, (void)pc;
    faults++;
}
static bool may_launch(const void *context) {
    (void)context;
    return can_launch;
}
static void on_launch(void *context, const struct sm_child *child) {
    (void)context, (void)child;
    launched++;
}
static void on_held(void *context) {
    (void)context;
}

// What stands at which program counter.
enum code {
    MOVES,
    COMPARES,
    CARRIES,
    SCALAR,
    BARRIER,
    ORDERED,
    ATOMIC,
    LOADS,
    STORES,
    PUSHES,
    LEAVES,
    TRAPS,
    STARTS,
    BAD,
    OUTSIDE,
    LAUNCHES,
    NOTHING,
    CODES
};
static uint64_t code_word(enum code code) {
    switch (code) {
        case MOVES: return isa_encode_imm(OP_MOV_I, ISA_PT, false, 1, 0, 0, 5);
        case COMPARES: return isa_encode_imm(OP_ISETP_I, ISA_PT, false, 0, ISA_RZ, CMP_EQ, 0);
        case CARRIES: return isa_encode_imm(OP_IADDO_I, ISA_PT, false, 2, 1, 3, 7);
        case SCALAR: return isa_encode_imm(OP_SMOV_I, ISA_PT, false, 3, 0, 0, 9);
        case BARRIER: return isa_encode_imm(OP_BAR, ISA_PT, false, 0, 0, 0, 0);
        case ORDERED: return isa_encode_imm(OP_MEMBAR, ISA_PT, false, 0, 0, 0, 0);
        case ATOMIC: return isa_encode_reg(OP_ATOMG, ISA_PT, false, 4, ISA_RZ, ATOM_ADD, 1, 0, 0x4000);
        case LOADS: return isa_encode_imm(OP_LDG, ISA_PT, false, 4, ISA_RZ, SIZE_64, 0x4000);
        case STORES: return isa_encode_imm(OP_STG, ISA_PT, false, 1, ISA_RZ, SIZE_32, 0x4000);
        case PUSHES: return isa_encode_imm(OP_SSY, ISA_PT, false, 0, 0, 0, 1);
        case LEAVES: return isa_encode_imm(OP_EXIT, ISA_PT, false, 0, 0, 0, 0);
        case TRAPS: return isa_encode_imm(OP_TRAP, ISA_PT, false, 0, 0, 0, 0);
        case STARTS: return isa_encode_imm(OP_SVSTART, ISA_PT, false, 0, 0, SV_ALWAYS, 1);
        case BAD: return 0;
        case OUTSIDE: return isa_encode_imm(OP_LDG, ISA_PT, false, 4, ISA_RZ, SIZE_32, 0x8000);
        case LAUNCHES: return isa_encode_imm(OP_LAUNCH, ISA_PT, false, 0, 1, 0, 0);
        default: return isa_encode_imm(OP_NOP, ISA_PT, false, 0, 0, 0, 0);
    }
}

static void begin(void) {
    seed = seed_from_environment();
    fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", seed);
    struct ppu_config config = *ppu_config_find("nano");
    config.warps = WARPS;
    config.sms = 2;
    run_init(&run, &config, seed);
    mem = mem_create(&run, 0x10000, NULL);
    sm = sm_create(&run, mem, NUMBER);
    cr_assert(mem != NULL && sm != NULL);
    mem_connect(mem, &(struct mem_wires){.space = space});
    sm_connect(sm, &(struct sm_wires){.slot = slots,
                                      .settings = &settings,
                                      .can_launch_child = may_launch,
                                      .launch_child = on_launch,
                                      .cta_done = on_cta_done,
                                      .warp_fault = on_fault,
                                      .warp_held = on_held});
    for (uint32_t c = 0; c < CODES; c++) {
        const uint64_t word = code_word(c);
        mem_put(mem, REGION + 8 * c, &word, sizeof word);
    }
    for (uint32_t s = 0; s < SLOTS; s++)
        slot[s] = (struct task_slot){
            .busy = true, .region = REGION, .code_base = REGION, .code_size = 8 * CODES, .registers = 8, .threads = 32};
}

static void end(void) {
    sm_destroy(sm);
    mem_destroy(mem);
}

// A warp of its own CTA and slot, at this instruction.
static void start(uint32_t w, enum code code) {
    struct warp *warp = &sm->warps[w];
    divergence_start(&warp->divergence, UINT32_MAX);
    warp->running = true;
    warp->faulted = warp->at_barrier = warp->held = warp->resume = false;
    memset(&warp->children, 0, sizeof warp->children);
    memset(&warp->due, 0, sizeof warp->due);
    memset(&warp->access, 0, sizeof warp->access);
    warp->slot = warp->cta = w;
    warp->pc = code;
    warp->privates = 8;
    warp->predicates[ISA_PT] = UINT64_MAX;
    scalar_unit_start(&warp->scalar_unit, THREADS);
    register_file_give(sm, warp, 32 * w, 32, 8);
    sm->ctas[w] = (struct cta){.busy = true, .slot = w, .warps = 1, .started = 1};
    slot[w].kill = slot[w].stop = false;
    warp_update_ready(sm, w);
}

static void quiet(uint32_t w) {
    sm->warps[w].running = false;
    warp_update_ready(sm, w);
}

static uint32_t length_of(uint64_t random) {
    const uint64_t most = random % 4 == 0 ? 1 : random % 4 == 1 ? 8 : 128;
    return 1 + (uint32_t)(random / 4 % most);
}

// ---- events of one instruction
static uint32_t at;
static struct trace_event *next_event(enum trace_kind kind) {
    cr_assert_lt(at, event_count, "no %s", trace_kind_name(kind));
    struct trace_event *event = &events[at++];
    cr_assert_eq(event->kind, kind, "%s, not %s", trace_kind_name(event->kind), trace_kind_name(kind));
    cr_assert_eq(event->cycle, run.cycles, "%s", trace_kind_name(kind));
    if (kind != TRACE_PERFORM) cr_assert_eq(event->sm, NUMBER, "%s", trace_kind_name(kind));
    return event;
}

static void requests(uint32_t count, uint64_t threads) {
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(next_event(TRACE_MEM_REQ)->mem_req.threads,
                     threads << (i * (uint32_t)__builtin_popcountll(threads)));
        cr_assert_eq(next_event(TRACE_PERFORM)->perform.port, MEM_PORT_SM + 2 * NUMBER + 1);
    }
}

static void write_backs(uint32_t first, uint32_t count, uint32_t predicate) {
    for (uint32_t p = 0; p < THREADS / run.config.lanes; p++) {
        if (predicate < ISA_PT) {
            const struct trace_pwb *pwb = &next_event(TRACE_PWB)->pwb;
            cr_assert(pwb->pred == predicate && pwb->portion == p);
        }
        for (uint32_t r = 0; r < count; r++) {
            const struct trace_wb *wb = &next_event(TRACE_WB)->wb;
            cr_assert(wb->rd == first + r && wb->portion == p);
        }
    }
}

static void check_events(uint32_t w, enum code code, bool trap) {
    const uint32_t portions = THREADS / run.config.lanes;
    const uint64_t portion = (UINT64_C(1) << run.config.lanes) - 1;
    at = 0;
    if (code == BAD) {
        const struct trace_warp_fault *fault = &next_event(TRACE_WARP_FAULT)->warp_fault;
        cr_assert(fault->warp == w && fault->code == FAULT_ILLEGAL_INSTRUCTION && fault->pc == BAD);
    } else if (code != TRAPS || !trap) {
        const struct trace_instr *instr = &next_event(TRACE_INSTR)->instr;
        cr_assert(instr->warp == w && instr->pc == code && instr->word == code_word(code));
    }
    switch (code) {
        case MOVES: write_backs(1, 1, ISA_PT); break;
        case COMPARES: write_backs(0, 0, 0); break;
        case CARRIES: write_backs(2, 1, 3); break;
        case SCALAR: cr_assert_eq(next_event(TRACE_SWB)->swb.rd, 3); break;
        case BARRIER: cr_assert_eq(next_event(TRACE_BARRIER)->barrier.cta, w); break;
        case ATOMIC:
            requests(THREADS, 1);
            write_backs(4, 1, ISA_PT);
            break;
        case LOADS:
            requests(portions, portion);
            write_backs(4, 2, ISA_PT);
            break;
        case STORES: requests(portions, portion); break;
        case PUSHES: (void)next_event(TRACE_TOKEN); break;
        case LEAVES: {
            const struct trace_warp_end *end_of = &next_event(TRACE_WARP_END)->warp_end;
            cr_assert(end_of->warp == w && !end_of->killed);
            break;
        }
        case STARTS:
            cr_assert_eq(next_event(TRACE_SV_MODE)->sv_mode.warp, w);
            (void)next_event(TRACE_TOKEN);
            (void)next_event(TRACE_TOKEN);
            break;
        case OUTSIDE: {
            requests(1, portion);
            const struct trace_warp_fault *fault = &next_event(TRACE_WARP_FAULT)->warp_fault;
            cr_assert(fault->warp == w && fault->code == FAULT_MEMORY_BOUNDS && fault->pc == OUTSIDE);
            break;
        }
        default: break;
    }
    while (at < event_count && events[at].kind == TRACE_TOKEN_MOVE)  // the token mover's
        at += 2;
    cr_assert_eq(at, event_count, "instruction %u: %u events, not %u", code, event_count, at);
}

static bool ends_turn(enum code code) {
    return code == BARRIER || code == ORDERED || code == ATOMIC || code == LAUNCHES;
}

Test(
    sm_alone, instructions, .init = begin, .fini = end,
    .description = "the events of an instruction, in their order, and how long the turn lasts that it begins [model]") {
    for (uint32_t turn = 0; turn < 4000; turn++) {
        const bool traced = !one_of(4), signs = traced && one_of(3), trap = one_of(2);
        const uint32_t w = below(WARPS);
        const enum code code = below(CODES);
        struct run before;
        for (uint32_t other = 0; other < WARPS; other++)
            quiet(other);
        start(w, code);
        sm->trap.on = trap;
        run.cycles = 1000 + turn;
        run.sink = traced ? on_event : NULL;
        event_count = faults = ended = 0;
        before = run;
        sm_signature_write(sm, REG_SIGNATURE_KINDS, signs);
        cr_assert_eq(run.signing, signs);
        cr_assert(sm_step(sm));
        const uint32_t length = length_of(run_random(&before));
        cr_assert_eq(run.random, before.random, "one number for the length of the turn");
        const bool waits = code == TRAPS && trap;
        cr_assert_eq(run.turn, code == BAD ? length : ends_turn(code) || waits ? 0 : length - 1, "%u", code);
        cr_assert_eq(run.turn_sm, NUMBER);
        cr_assert_eq(sm->scheduler.last, w);
        cr_assert_eq(faults, code == BAD || code == OUTSIDE);
        cr_assert_eq(ended, code == LEAVES);
        cr_assert_eq(sm->warps[w].running, code != LEAVES);
        cr_assert_not(sm->warps[w].at_barrier, "it is alone");
        cr_assert_eq(sm->warps[w].access.pending, 0);
        cr_assert_eq(sm->warps[w].pc, code == BAD || waits ? code : sm->warps[w].pc);
        if (traced) check_events(w, code, trap);
        cr_assert(traced || event_count == 0);
        quiet(w);
    }
}

// ---- whose turn it is
Test(sm_alone, schedule, .init = begin, .fini = end,
     .description = "the warp that the policy names, after a start elsewhere by one number of eight [model]") {
    for (uint32_t turn = 0; turn < 4000; turn++) {
        uint64_t ready = 0;
        uint32_t expected;
        for (uint32_t w = 0; w < WARPS; w++) {
            start(w, NOTHING);
            if (one_of(3)) quiet(w);
            ready |= (uint64_t)sm->warps[w].running << w;
        }
        settings.warp_policy = below(3);
        const enum warp_policy policy = settings.warp_policy == 1 ? WARP_POLICY_GREEDY : WARP_POLICY_ROUND_ROBIN;
        struct warp_scheduler scheduler = sm->scheduler;
        struct run before = run;
        const bool went = sm_step(sm);
        cr_assert_eq(went, ready != 0);
        if (ready == 0) continue;
        if ((ready & (ready - 1)) != 0) {
            const uint64_t random = run_random(&before);
            if (random % 8 == 0) warp_scheduler_grant(&scheduler, 0, (uint32_t)(random / 8 % WARPS));
            cr_assert(warp_scheduler_pick(&scheduler, policy, ready, &expected));
        } else {
            expected = (uint32_t)__builtin_ctzll(ready);
        }
        warp_scheduler_grant(&scheduler, policy == WARP_POLICY_GREEDY ? ready : 0, expected);
        cr_assert_eq(memcmp(&sm->scheduler, &scheduler, sizeof scheduler), 0);
        for (uint32_t w = 0; w < WARPS; w++)
            cr_assert_eq(sm->warps[w].pc, NOTHING + (w == expected), "warp %u", w);
        (void)run_random(&before);
        cr_assert_eq(run.random, before.random);
    }
}

Test(sm_alone, held, .init = begin, .fini = end,
     .description = "TU-12 who is held ends, launches a child, is stopped, before others go on [model]") {
    run.sink = on_event;
    for (uint32_t turn = 0; turn < 8000; turn++) {
        uint32_t killed = WARPS, launches = WARPS, stops = WARPS, goes = WARPS;
        for (uint32_t w = 0; w < WARPS; w++) {
            start(w, NOTHING);
            struct warp *warp = &sm->warps[w];
            if (one_of(3)) {
                warp->at_barrier = true;
                sm->ctas[w].waiting = 1;
                sm->ctas[w].warps = 2;
            }
            warp->faulted = one_of(6);
            warp->children.left = one_of(4) ? 6 : 0;
            slot[w].kill = one_of(6);
            slot[w].stop = one_of(4);
            if (one_of(3)) warp->running = false;
            warp_update_ready(sm, w);
        }
        sm->trap.on = one_of(3);
        can_launch = one_of(2);
        for (uint32_t w = WARPS; w-- > 0;) {
            const struct warp *warp = &sm->warps[w];
            const bool held = warp->faulted || warp->at_barrier || warp->children.left != 0;
            const bool stop = slot[w].stop && !slot[w].kill && !warp->faulted && !sm->trap.on;
            if (!warp->running) continue;
            if (!held) goes = w;
            if (held && slot[w].kill) killed = w;
            if (held && warp->children.left != 0 && can_launch) launches = w;
            if (held && stop && warp->children.left == 0) stops = w;
        }
        event_count = launched = at = 0;
        const bool went = sm_step(sm);
        const uint32_t chosen = sm->scheduler.last;
        if (killed < WARPS) {
            const struct trace_warp_end *event = &next_event(TRACE_WARP_END)->warp_end;
            cr_assert(event->warp == killed && event->killed && !sm->warps[killed].running);
        } else if (launches < WARPS) {
            cr_assert_eq(next_event(TRACE_CHILD_LAUNCH)->child_launch.warp, launches);
            cr_assert_eq(launched, 1);
        } else if (stops < WARPS) {
            cr_assert_eq(next_event(TRACE_WARP_STOP)->warp_stop.warp, stops);
            cr_assert(sm->trap.on && sm->warps[stops].divergence.trapped);
        } else if (goes == WARPS) {
            cr_assert_not(went);
        } else if (slot[chosen].kill) {
            const struct trace_warp_end *event = &next_event(TRACE_WARP_END)->warp_end;
            cr_assert(event->warp == chosen && event->killed);
        } else if (slot[chosen].stop && !sm->warps[chosen].divergence.trapped) {
            cr_assert(sm->trap.on, "another's trap, for whose end it waits");
        } else if (slot[chosen].stop) {
            cr_assert_eq(next_event(TRACE_WARP_STOP)->warp_stop.warp, chosen);
        } else {
            cr_assert_eq(next_event(TRACE_INSTR)->instr.warp, chosen);
        }
        cr_assert_eq(went, killed < WARPS || launches < WARPS || stops < WARPS || goes < WARPS);
        cr_assert_eq(at, event_count);
        for (uint32_t w = 0; w < WARPS; w++)
            sm->warps[w].divergence.trapped = false;
    }
}

Test(sm_alone, untraced, .init = begin, .fini = end, .description = "what nobody looks at is the same [model]") {
    start(0, NOTHING);
    start(1, LEAVES);
    sm->warps[0].at_barrier = true;
    sm->warps[0].cta = 1;
    sm->ctas[1] = (struct cta){.busy = true, .slot = 1, .warps = 2, .started = 2, .waiting = 1};
    warp_update_ready(sm, 0);
    cr_assert(sm_step(sm));
    cr_assert(!sm->warps[1].running && !sm->warps[0].at_barrier, "the barrier is for who is left");
    cr_assert_eq(sm_issued(sm), 1);
}

Test(sm_alone, first_thread, .init = begin, .fini = end, .description = "a store of the first thread alone [model]") {
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t word = 0;
        start(1, STORES);
        divergence_start(&sm->warps[1].divergence, 1);
        sm->warps[1].registers[THREADS] = 77 + i;
        run.sink = i != 0 ? on_event : NULL;
        cr_assert(sm_step(sm));
        mem_get(mem, 0x4000, &word, sizeof word);
        cr_assert_eq(word, 77 + i);
    }
}

// ---- the turn
static uint32_t limit, gives[2], calls;  // of the first two calls
static uint64_t since;
static uint32_t native_stand_in(struct sm *of, uint32_t warp, uint32_t most) {
    cr_assert(of == sm && warp == sm->scheduler.last);
    cr_assert_eq(most, limit - (run.cycles - since), "all that is left");
    const uint32_t steps = calls >= 2 ? 0 : gives[calls] < most ? gives[calls] : most;
    calls++;
    run.cycles += steps;
    return steps;  // fewer than asked: the next one is not for it
}

Test(sm_alone, turns, .init = begin, .fini = end,
     .description = "a turn goes on for so many instructions, the quick way where nobody looks [model]") {
    sm->native = native_stand_in;
    for (uint32_t turn = 0; turn < 4000; turn++) {
        const uint32_t w = below(WARPS), before = below(12), most = below(12);
        since = run.cycles;
        limit = before < most ? before : most;
        for (uint32_t other = 0; other < WARPS; other++)
            start(other, NOTHING);
        slot[w].code_size = 0x6000;  // behind it zeros: it faults there
        struct warp *warp = &sm->warps[w];
        warp->pc = MOVES;
        sm->scheduler.last = w;
        run.turn = before;
        run.native = !one_of(3);
        run.sink = one_of(4) ? on_event : NULL;
        event_count = calls = 0;
        gives[0] = below(8);
        gives[1] = gives[0] == 0 ? 0 : below(4);
        const uint32_t given = gives[0] + gives[1];
        const bool killed = one_of(8), stopped = one_of(8), bar = one_of(8);
        slot[w].kill = killed;
        slot[w].stop = stopped;
        if (bar) warp->at_barrier = true;
        warp_update_ready(sm, w);
        warp->divergence.trapped = one_of(4);
        sm->trap.on = warp->divergence.trapped;
        const bool quick = run.native && run.sink == NULL && !warp->divergence.trapped;
        // Four instructions one behind the other that do not end it: MOV, ISETP, IADDO, SMOV; then BAR does.
        const uint64_t done = sm_turn(sm, most);
        cr_assert_eq(run.cycles, since + done);
        if (limit == 0) {
            cr_assert(done == 0 && run.turn == before && calls == 0);
        } else if (killed || bar || (stopped && !warp->divergence.trapped)) {
            cr_assert(done == 0 && run.turn == 0 && calls == 0);
        } else {
            const uint32_t quickly = !quick ? 0 : given < limit ? given : limit, slowly = limit - quickly;
            cr_assert_eq(done, quickly + (slowly > 5 ? 5 : slowly), "%u of %u, quick %u", (unsigned)done, limit,
                         quickly);
            const bool faulted = warp->divergence.trapped && slowly >= 5;  // there is no BAR in a trap
            cr_assert_eq(warp->pc, faulted ? 4 : slowly > 5 ? 5 : slowly);
            if (!faulted) cr_assert_eq(run.turn, slowly >= 5 ? 0 : before - done);
            cr_assert_eq(calls != 0, quick);
        }
        slot[w].code_size = 8 * CODES;
    }
}

// ---- what it is made of
#ifndef __SANITIZE_ADDRESS__
static uint32_t allocations, failing;
void *__libc_calloc(size_t count, size_t size);
void *calloc(size_t count, size_t size) {
    if (++allocations == failing) return NULL;
    return __libc_calloc(count, size);
}
#endif

static void has(void *memory, size_t bytes) {  // no less, and hardly more
    const size_t room = malloc_usable_size(memory);
    cr_assert(room >= bytes && room <= bytes + 8192, "%zu bytes, not %zu", room, bytes);
}

Test(sm_alone, parts, .description = "an SM has what its configuration says [model]") {
    for (uint32_t i = 0; i < PPU_CONFIG_COUNT; i++) {
        const struct ppu_config *config = ppu_config_find(ppu_config_names[i]);
        struct run its;
        run_init(&its, config, 1);
        struct sm *made = sm_create(&its, NULL, 3);
        cr_assert_not_null(made);
        has(made, sizeof *made);
        cr_assert(made->run == &its && made->number == 3 && made->config == &its.config && made->native != NULL);
        cr_assert_eq(made->portions, config->threads / config->lanes);
        cr_assert_eq(made->all_threads, UINT64_MAX >> (64 - config->threads));
        cr_assert_eq(made->flight_room, 4 * config->lsu_depth);
        has(made->warps, config->warps * sizeof(struct warp));
        has(made->ctas, config->warps * sizeof(struct cta));
        has(made->register_file, config->warps * REGISTERS_MAX * config->threads * 4);
        has(made->shared_memory, config->shared_bytes);
        has(made->decoded, DECODE_ENTRIES * sizeof(struct decoded));
        has(made->flights, 4 * config->lsu_depth * sizeof(struct flight));
        const struct scoreboard *board = &made->scoreboard;
        cr_assert(board->warps == config->warps && board->portions == made->portions);
        cr_assert_eq(board->registers, config->vgpr_rows / made->portions);
        cr_assert_eq(made->fetch_cache.lines, config->icache_lines);
        cr_assert_eq(made->scheduler.warps, config->warps);
        cr_assert(made->subvector.warps == config->warps && made->subvector.region_count == config->sv_regions);
        for (uint32_t w = 0; w < config->warps; w++) {
            cr_assert(made->warps[w].divergence.threads == config->threads && made->warps[w].older[0] != NULL);
            cr_assert_eq(made->warps[w].divergence.lanes, config->lanes);
        }
        sm_destroy(made);
    }
    sm_destroy(NULL);
}

#ifndef __SANITIZE_ADDRESS__  // which has allocations of its own, and finds what is left behind by itself
Test(sm_alone, memory, .description = "an SM for which there is no memory is none, and leaves nothing behind [model]") {
    struct run its;
    run_init(&its, ppu_config_find("nano"), 1);
    sm_destroy(sm_create(&its, NULL, 0));
    uint32_t failed = 0;
    // Small pieces that have been given back are kept by malloc, and count.
    for (bool whole = false; !whole; failed++) {
        const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
        allocations = 0;
        failing = failed + 1;
        struct sm *made = sm_create(&its, NULL, 0);
        failing = 0;
        whole = made != NULL;
        cr_assert_eq(whole, allocations <= failed, "allocation %u of %u", failed, allocations);
        sm_destroy(made);
        const size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
        cr_assert_leq(after, before + 4096, "%zu bytes are left, after allocation %u", after - before, failed);
    }
    cr_assert_gt(failed, 20);
    // Nobody's is what stands behind the last warp.
    its.config.warps = 3;
    const size_t before = mallinfo2().uordblks;
    struct sm *made = sm_create(&its, NULL, 0);
    its.config.warps = 2;
    sm_destroy(made);
    cr_assert_geq(mallinfo2().uordblks, before + IN_FLIGHT_MAX * sizeof(struct in_flight));
}
#endif
