// Tokens that move between an SM and the warps' queues in memory, held against the rules said once more: random pushes,
// merges and pops of warps whose deques do not fit, alone and taken from an RTL, with memory that fails.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "random_numbers.h"
#include "sm/sm_internal.h"

#define WARPS 4u  // of which four are used, or three: these stand as far apart
#define SMS 2u
#define MEMORY 0x40000u
#define LINE 32u
#define LAPS 60u
#define TURNS 120u
#define PLACES_MOST 64u
#define EVENTS 4000u

static uint64_t seed;
static struct run run;
static struct mem *mem;
static struct sm *sm;
static struct sm_settings settings;
static struct mem_space space[8];
static struct task_slot slot;
static const struct task_slot *slots[8];

static struct trace_event told[EVENTS], must[EVENTS];
static uint32_t tells, musts, warps;
static uint64_t memory_end;  // what is behind it is outside

// What the rules make of the warp: what is in the SM, and the masks that have been shown.
static struct shadow {
    struct token_kept kept;
    uint64_t mask[PLACES_MOST];
    bool failed;
} wanted[WARPS];

static uint32_t below(uint32_t n) {
    return random_below(&seed, n);
}
static bool one_of(uint32_t n) {
    return below(n) == 0;
}

static void take_event(void *context, const struct trace_event *event) {
    (void)context;
    cr_assert_lt(tells, EVENTS);
    told[tells++] = *event;
}

static struct token_deque *deque_of(uint32_t warp) {
    return &sm->warps[warp].divergence.token_deque;
}
static uint32_t token_bytes(void) {
    return run.config.threads / 4;
}
static uint32_t half(void) {
    return run.config.deque_entries / 2;
}
static uint32_t all_places(void) {
    return half() << settings.deque_size;
}

// following: in tandem. number: of the SM, the other one of the device is not there.
static void open_sm(bool following) {
    static bool seeded;
    struct ppu_config config = *ppu_config_find(one_of(2) ? "nano" : "full");
    if (!seeded) {
        seeded = true;
        seed = seed_from_environment();
        fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", seed);
        config = *ppu_config_find("nano");
    }
    config.warps = WARPS;
    warps = WARPS - one_of(2);
    config.sms = SMS;
    config.deque_entries = one_of(2) ? 8 : 16;
    run_init(&run, &config, 1);
    run.sink = take_event;
    run.following = following;
    mem = mem_create(&run, MEMORY, NULL);
    sm = sm_create(&run, mem, 1);
    cr_assert(mem != NULL && sm != NULL);
    settings = (struct sm_settings){.deque_size = one_of(4) ? 0 : 1 + below(3), .deque_base = LINE * below(100)};
    if (one_of(6)) settings.deque_base = MEMORY - LINE * (60 + below(60));
    if (one_of(6)) settings.deque_base = UINT32_MAX - 31 - LINE * (60 + below(60));
    const bool ends = one_of(3);
    memory_end = ends ? MEMORY : UINT64_C(1) << 32;
    mem_set_pages(mem, ends ? MEMORY / 4096 : 0);
    slots[0] = &slot;
    mem_connect(mem, &(struct mem_wires){.space = space});
    sm_connect(sm, &(struct sm_wires){.slot = slots, .settings = &settings});
    for (uint32_t w = 0; w < WARPS; w++) {
        struct warp *warp = &sm->warps[w];
        token_mover_size(sm, &warp->divergence.token_deque);
        cr_assert_eq(warp->divergence.token_deque.places, all_places());
        cr_assert_eq(warp->divergence.token_deque.half, half());
        token_deque_reset(&warp->divergence.token_deque);
        warp->running = true;
        wanted[w] = (struct shadow){.kept = warp->divergence.token_deque.kept};
    }
    // Nobody may look at the one that is not used.
    if (warps < WARPS) deque_of(warps)->kept.tail += 4;
    run.config.warps = warps;
}

static void close_sm(void) {
    run.config.warps = WARPS;
    sm_destroy(sm);
    mem_destroy(mem);
}

// ---- an instruction: up to three tokens move
static void random_instruction(uint32_t number, uint32_t growth) {
    struct warp *warp = &sm->warps[number];
    struct token_deque *deque = &warp->divergence.token_deque;
    const uint32_t threads = run.config.threads;
    uint32_t count = 0;
    bool pops = false;  // who pops pushes no more
    for (uint32_t want = 1 + below(3); want > 0; want--) {
        struct token_move *move = &warp->divergence.moves[count];
        const uint64_t mask = threads == 64 ? random_bits(&seed) : (uint32_t)random_bits(&seed);
        bool moved = true;
        pops = pops || below(8) >= growth;
        if (pops) {
            if (token_deque_empty(deque)) continue;
            token_deque_pop(deque, one_of(2), move);
        } else if (one_of(2)) {
            moved = token_deque_push_front(deque, one_of(2) ? KIND_SYNC : KIND_DIV, mask, below(1000), move);
        } else {
            moved = token_deque_merge(deque, mask, below(one_of(2) ? 1000 : 12), move);
        }
        count += moved;
    }
    warp->divergence.move_count = count;
    warp->due = (struct due){.tokens = count, .end = one_of(2), .hold = one_of(4)};
}

// ---- the rules
static uint32_t in_memory(const struct token_kept *kept) {
    const uint32_t all = kept->tail - kept->head;
    return all == 0 ? 0 : all - 1 - kept->fronts - kept->backs;
}
static uint32_t first_in_memory(const struct token_kept *kept) {
    return kept->head + kept->fronts + 1;
}
static bool stands_there(const struct token_kept *kept, uint32_t place) {
    const uint32_t first = first_in_memory(kept);
    return in_memory(kept) != 0 && place >= first && place < first + in_memory(kept);
}

// Queues of an SM's warps, as many as the next power of two, stand behind each other, those of the second SM behind.
static uint64_t address_of(uint32_t warp, uint32_t place) {
    return settings.deque_base + (uint64_t)((4 + warp) * all_places() + place) * token_bytes();
}

static struct trace_event *expect(enum trace_kind kind) {
    struct trace_event *event = &must[musts++];
    cr_assert_lt(musts, EVENTS);
    memset(event, 0, sizeof *event);
    event->kind = kind;
    event->cycle = run.cycles;
    return event;
}

static struct token as_shown(uint32_t number, uint32_t place) {
    struct token token = token_deque_at(deque_of(number), place);
    token.mask = wanted[number].mask[place];
    return token;
}

// A request on the SM's port for tokens. False: memory has failed.
static bool is_performed(uint32_t number, enum mem_op op, uint32_t place) {
    const uint64_t address = address_of(number, place);
    if (address > UINT32_MAX) {
        wanted[number].failed = wanted[number].failed || op == MEM_WRITE;
        return false;
    }
    struct trace_event *event = expect(TRACE_PERFORM);
    const uint32_t line = (uint32_t)address / LINE * LINE, at = (uint32_t)address % LINE;
    event->perform.port = MEM_PORT_SM + 2 * SMS + 1;
    event->perform.op = op;
    event->perform.channel = MEM_PHYSICAL;
    event->perform.addr = line;
    if ((uint64_t)line + LINE > memory_end) event->perform.fault = ANSWER_OUTSIDE;
    if (op == MEM_WRITE) {
        const struct token token = as_shown(number, place);
        uint64_t words[2];
        token_pack_memory(run.config.threads, &token, &words[0], &words[1]);
        memcpy(&event->perform.wdata[at], words, token_bytes());
        for (uint32_t b = 0; b < token_bytes(); b++)
            event->perform.wstrb |= 1u << (at + b);
    }
    if ((uint64_t)line + LINE <= MEMORY) return true;
    wanted[number].failed = true;
    if (event->perform.fault == ANSWER_GOOD) {
        struct trace_event *error = expect(TRACE_BUS_ERROR);
        error->bus_error.port = event->perform.port;
        error->bus_error.addr = line;
    }
    return false;
}

static void shows(uint32_t number, const struct token_move *move) {
    struct trace_event *event = expect(TRACE_TOKEN);
    event->sm = 1;
    event->token.warp = number;
    event->token.op = move->op;
    token_pack(run.config.threads, &move->token, &event->token.token_lo, &event->token.token_hi);
    if (move->op != TOKEN_POP_USED && move->op != TOKEN_POP_THROWN) wanted[number].mask[move->place] = move->token.mask;
}

static void moves(uint32_t number, enum token_move_value way, uint32_t *place) {
    struct token_kept *kept = &wanted[number].kept;
    struct trace_event *event = expect(TRACE_TOKEN_MOVE);
    if (way == TOKEN_MOVE_OUT_FRONT) *place = kept->head + kept->fronts--;
    if (way == TOKEN_MOVE_OUT_BACK) *place = kept->tail - kept->backs--;
    if (way == TOKEN_MOVE_IN) *place = kept->head + ++kept->fronts;
    const struct token token = as_shown(number, *place);
    event->sm = 1;
    event->token_move.warp = number;
    event->token_move.way = way;
    event->token_move.place = *place;
    token_pack_memory(run.config.threads, &token, &event->token_move.token_lo, &event->token_move.token_hi);
}

// Before a yield token is pushed or joined: the lines of yield tokens in memory, from the last one towards the front.
static bool is_searched(uint32_t number, const struct token_move *move) {
    const struct token_kept *kept = &wanted[number].kept;
    const uint32_t first = first_in_memory(kept), last = first + in_memory(kept) - 1, of_line = LINE / token_bytes();
    const bool there = move->op == TOKEN_MERGE && stands_there(kept, move->place);
    if (in_memory(kept) == 0 || !(there || move->op == TOKEN_PUSH_BACK)) return true;
    if (token_deque_at(deque_of(number), last).kind != KIND_YIELD) return true;
    for (uint32_t place = last, read = UINT32_MAX;; place--) {
        if (place / of_line != read && !is_performed(number, MEM_READ, place)) return false;
        read = place / of_line;
        if (place == first || (there && place == move->place)) return true;
        if (token_deque_at(deque_of(number), place).kind != KIND_YIELD) return true;
    }
}

// The SM keeps a quarter of each half free, and half of the front one filled from memory.
static void settles(uint32_t number) {
    struct shadow *w = &wanted[number];
    const uint32_t of_line = LINE / token_bytes();
    uint32_t place;
    while (!w->failed && settings.deque_size != 0) {
        if (w->kept.fronts > half() * 3 / 4) {
            moves(number, TOKEN_MOVE_OUT_FRONT, &place);
            is_performed(number, MEM_WRITE, place);
        } else if (w->kept.backs > half() * 3 / 4) {
            moves(number, TOKEN_MOVE_OUT_BACK, &place);
            is_performed(number, MEM_WRITE, place);
        } else if (in_memory(&w->kept) > 0 && w->kept.fronts < half() / 2) {
            if (!is_performed(number, MEM_READ, first_in_memory(&w->kept))) return;
            do
                moves(number, TOKEN_MOVE_IN, &place);
            while ((place + 1) % of_line != 0 && in_memory(&w->kept) > 0 && w->kept.fronts < half() * 3 / 4);
        } else {
            return;
        }
    }
}

static void check_told(void) {
    for (uint32_t i = 0; i < tells && i < musts; i++) {
        cr_assert_eq(told[i].kind, must[i].kind, "event %u: %s, not %s", i, trace_kind_name(told[i].kind),
                     trace_kind_name(must[i].kind));
        cr_assert_eq(trace_event_compare(&told[i], &must[i]), -1, "event %u: %s", i, trace_kind_name(must[i].kind));
        if (must[i].kind == TRACE_TOKEN_MOVE)
            cr_assert(told[i].token_move.warp == must[i].token_move.warp &&
                      told[i].token_move.way == must[i].token_move.way && told[i].cycle == must[i].cycle);
        if (must[i].kind == TRACE_PERFORM) cr_assert_eq(told[i].perform.port, must[i].perform.port);
    }
    cr_assert_eq(tells, musts);
}

static void check_kept(uint32_t number) {
    const struct token_kept *is = &deque_of(number)->kept, *w = &wanted[number].kept;
    cr_assert(is->head == w->head && is->tail == w->tail && is->fronts == w->fronts && is->backs == w->backs);
    cr_assert_eq(deque_of(number)->failed, wanted[number].failed);
}

// What a shown token does to what is kept is token_deque's: here it is asked of a copy.
static void is_kept(uint32_t number, const struct token_move *move) {
    struct token_deque copy = *deque_of(number);
    copy.kept = wanted[number].kept;
    (void)token_deque_show(&copy, move);
    wanted[number].kept = copy.kept;
}

Test(token_mover, alone,
     .description =
         "TD-21 alone: tokens go to memory and come back ahead of need, yield tokens are looked for there, and "
         "memory that fails is a fault of the warp [model]") {
    uint32_t faults = 0, went = 0;
    for (uint32_t lap = 0; lap < LAPS; lap++) {
        open_sm(false);
        for (uint32_t turn = 0; turn < TURNS; turn++) {
            const uint32_t number = below(warps), growth = turn % 60 < 30 ? 7 : 2;
            struct warp *warp = &sm->warps[number];
            if (warp->divergence.token_deque.failed) continue;
            run.cycles = turn;
            random_instruction(number, growth);
            const struct due before = warp->due;
            tells = musts = 0;
            uint32_t done = 0;
            for (bool good = true; done < before.tokens && good;) {
                const struct token_move *move = &warp->divergence.moves[done];
                if (!is_searched(number, move)) break;
                shows(number, move);
                done++;
                is_kept(number, move);
                if (move->op == TOKEN_MERGE && stands_there(&wanted[number].kept, move->place))
                    is_performed(number, MEM_WRITE, move->place);
                settles(number);
                good = !wanted[number].failed;
            }
            token_mover_run(sm, number);
            check_told();
            check_kept(number);
            went += in_memory(&wanted[number].kept) > 0;
            if (done == before.tokens) {
                cr_assert(warp->due.token == before.tokens && warp->due.tokens == before.tokens);
                cr_assert(warp->due.end == before.end && warp->due.hold == before.hold && !warp->due.fault);
            } else {
                cr_assert(warp->due.token == 0 && warp->due.tokens == 0 && !warp->due.end && !warp->due.hold);
                cr_assert(warp->due.fault);
                cr_assert_eq(warp->due.fault_code, FAULT_DEQUE_MEMORY);
                cr_assert_eq(warp->due.fault_info, number);
                warp->divergence.token_deque.failed = true;
                faults++;
            }
        }
        close_sm();
    }
    cr_assert_gt(went, LAPS);
    cr_assert_gt(faults, 0);
}

// ---- in tandem
static struct write {
    uint32_t warp;
    struct trace_event event;
} writes[TOKEN_WRITES_MAX];
static uint32_t write_count;

// The token of the place is to be written; why not, or NULL.
static const char *is_to_write(uint32_t number, uint32_t place) {
    if (write_count == TOKEN_WRITES_MAX) return "writes are already to be performed";
    if (address_of(number, place) > UINT32_MAX) {
        wanted[number].failed = true;
        return NULL;
    }
    const bool failed = wanted[number].failed;
    musts = 0;
    (void)is_performed(number, MEM_WRITE, place);
    wanted[number].failed = failed;  // it is not performed yet
    writes[write_count++] = (struct write){.warp = number, .event = must[0]};
    return NULL;
}

static void check_answer(bool good, const char *says, const char *why) {
    cr_assert_eq(good, why == NULL, "%s", why == NULL ? says : why);
    if (why != NULL) cr_assert_not_null(strstr(says, why), "\"%s\" does not say \"%s\"", says, why);
}

static void follow_token(uint32_t number) {
    struct warp *warp = &sm->warps[number];
    const struct token_move *move = &warp->divergence.moves[warp->due.token];
    const char *why = NULL;
    char says[300] = "", words[200];
    struct trace_event event;
    struct token_deque copy = *deque_of(number);
    uint64_t *mask = &wanted[number].mask[move->place], before = *mask;
    copy.kept = wanted[number].kept;
    if (!token_deque_show(&copy, move)) {
        snprintf(words, sizeof words, "%u tokens at its front, %u at its back are in the SM, %u in memory",
                 copy.kept.fronts + 1, copy.kept.backs, in_memory(&copy.kept));
        why = words;
    } else {
        wanted[number].kept = copy.kept;
        if (move->op != TOKEN_POP_USED && move->op != TOKEN_POP_THROWN) *mask = move->token.mask;
        if (move->op == TOKEN_MERGE && stands_there(&wanted[number].kept, move->place))
            why = is_to_write(number, move->place);
    }
    const uint32_t token = warp->due.token;
    check_answer(token_mover_show(sm, number, (struct why){says, sizeof says}), says, why);
    cr_assert_eq(warp->due.token, token);
    if (why != NULL && move->op == TOKEN_MERGE) *mask = before;
    if (why == NULL) event_token(sm, number, &event);
}

static void follow_move(uint32_t number) {
    struct trace_event model, rtl = {.kind = TRACE_TOKEN_MOVE};
    const char *why = NULL;
    char says[300] = "";
    uint32_t place = 0;
    memset(&model, 0, sizeof model);
    model.sm = 1;
    const uint32_t way = one_of(12) ? 3 : below(3);
    rtl.token_move.warp = number;
    rtl.token_move.way = way;
    musts = 0;
    struct trace_event moved = {0};
    if (number >= warps) {
        why = "names warp";
    } else if (sm->warps[number].running && sm->warps[number].held) {
        why = "whose tokens software moves";
    } else {
        struct token_kept *kept = &wanted[number].kept;
        const bool can = way == TOKEN_MOVE_OUT_FRONT ? kept->fronts > 0
                         : way == TOKEN_MOVE_OUT_BACK
                             ? kept->backs > 0
                             : way == TOKEN_MOVE_IN && in_memory(kept) > 0 && kept->fronts < half();
        if (!can) {
            why = "tokens behind its front";
        } else {
            moves(number, (enum token_move_value)way, &place);
            moved = must[0];
            if (way != TOKEN_MOVE_IN) why = is_to_write(number, place);
        }
    }
    check_answer(token_mover_follow(sm, &rtl, &model, (struct why){says, sizeof says}), says, why);
    if (why != NULL) return;
    model.cycle = moved.cycle;
    cr_assert_eq(trace_event_compare(&model, &moved), -1);
    cr_assert(model.token_move.warp == number && model.token_move.way == way);
}

// The first warp of whose tokens in memory one is in the line, or `warps`.
static uint32_t whose_line(uint32_t line) {
    for (uint32_t w = 0; w < warps; w++) {
        const struct token_kept *kept = &wanted[w].kept;
        const uint32_t first = first_in_memory(kept), count = in_memory(kept);
        if (count == 0 || address_of(w, first + count - 1) > UINT32_MAX) continue;
        for (uint32_t place = first; place < first + count; place++) {
            if (address_of(w, place) / LINE == line / LINE) return w;
        }
    }
    return warps;
}

static void follow_request(void) {
    struct trace_event model, rtl = {.kind = TRACE_PERFORM};
    const char *why = NULL;
    char says[300] = "";
    const bool reads = one_of(2);
    const uint32_t some = below(warps), first = first_in_memory(&wanted[some].kept);
    uint32_t number;
    rtl.perform.port = MEM_PORT_SM + 2 * SMS + 1;
    rtl.perform.op = reads ? MEM_READ : MEM_WRITE;
    rtl.perform.addr = ((uint32_t)address_of(some, first + below(20) - 6)) / LINE * LINE;
    struct trace_event event;
    if (reads) {
        number = whose_line(rtl.perform.addr);
        if (number == warps) why = "no token is in line";
        event = rtl;
        event.perform.channel = MEM_PHYSICAL;
        event.perform.fault = (uint64_t)rtl.perform.addr + LINE > memory_end ? ANSWER_OUTSIDE : ANSWER_GOOD;
    } else if (write_count == 0) {
        why = "no token goes to memory";
    } else {
        number = writes[0].warp;
        event = writes[0].event;
        write_count--;
        memmove(&writes[0], &writes[1], write_count * sizeof writes[0]);
    }
    check_answer(token_mover_perform(sm, &rtl, &model, (struct why){says, sizeof says}), says, why);
    if (why != NULL) return;
    model.cycle = event.cycle;
    cr_assert_eq(trace_event_compare(&model, &event), -1);
    cr_assert_eq(model.perform.port, rtl.perform.port);
    if (event.perform.fault == ANSWER_OUTSIDE) wanted[number].failed = true;
    const struct trace_event error = {.kind = TRACE_BUS_ERROR, .bus_error = {.port = rtl.perform.port}};
    const struct mem_record *record = mem_follow_bus_error(mem, &error, &model, (struct why){0});
    if (record == NULL) return;
    cr_assert_eq(record->note.number, number);
    if (!one_of(40)) return;
    sm_token_error(sm, record);
    wanted[number].failed = true;
}

// Memory fails, and the RTL says so of an instruction that needs tokens: what it moves is its own choice.
static void follow_failure(uint32_t number) {
    struct warp *warp = &sm->warps[number];
    const struct due kept = warp->due;
    const bool failed = deque_of(number)->failed;
    struct trace_warp_fault rtl = {.code = one_of(6) ? FAULT_DEQUE_FULL : FAULT_DEQUE_MEMORY};
    warp->instr_pc = below(3);
    rtl.pc = one_of(6) ? 7 : warp->instr_pc;
    deque_of(number)->failed = !one_of(6);
    if (one_of(2)) warp->due.token = warp->due.tokens;
    warp->due.hold = one_of(3);
    warp->due.fault = one_of(3);
    warp->due.fault_code = one_of(2) ? FAULT_DEQUE_FULL : FAULT_BUS_ERROR;
    const struct due before = warp->due;
    const bool needs =
        before.token != before.tokens || before.hold || (before.fault && before.fault_code == FAULT_DEQUE_FULL);
    const bool taken = needs && deque_of(number)->failed && rtl.code == FAULT_DEQUE_MEMORY && rtl.pc == warp->instr_pc;
    token_mover_fault(sm, number, &rtl);
    if (taken) {
        cr_assert(warp->due.fault && warp->due.fault_code == FAULT_DEQUE_MEMORY && warp->due.fault_info == number);
        cr_assert(warp->due.token == 0 && warp->due.tokens == 0 && !warp->due.hold && !warp->due.end);
    } else {
        cr_assert_eq(memcmp(&warp->due, &before, sizeof before), 0);
    }
    warp->due = kept;
    deque_of(number)->failed = failed;
}

Test(token_mover, tandem,
     .description =
         "TD-21 in tandem: tokens are shown, go to memory and come back as an RTL may, else it is refused with "
         "a reason [model]") {
    for (uint32_t lap = 0; lap < LAPS; lap++) {
        open_sm(true);
        write_count = 0;
        for (uint32_t turn = 0; turn < 20 * TURNS; turn++) {
            const uint32_t number = below(warps), what = below(8);
            struct warp *warp = &sm->warps[number];
            warp->held = one_of(12);
            warp->running = !one_of(6);
            if (warp->due.token == warp->due.tokens) random_instruction(number, turn % 1000 < 500 ? 7 : 2);
            if (what < 3 && warp->due.token != warp->due.tokens) follow_token(number);
            if (what == 3 || what == 4) follow_move(one_of(16) ? warps : number);
            if (what == 5 || what == 6) follow_request();
            if (what == 7) follow_failure(number);
            for (uint32_t w = 0; w < warps; w++)
                check_kept(w);
            cr_assert_eq(sm->token_mover.writes, write_count);
        }
        close_sm();
    }
}
