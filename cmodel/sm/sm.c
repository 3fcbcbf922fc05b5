// The streaming multiprocessor: creation, and running alone.
#include <stdlib.h>

#include "sequencer.h"
#include "sm_internal.h"

// Turns of an SM's warps from one turn to the next of those that wait in backing off.
enum { BACKOFF_TURNS = 16 };

// Instructions of a turn: one, some or many, so that seeds also make schedules that are finely mixed.
static uint32_t turn_length(uint64_t random) {
    static const uint8_t most[4] = {1, 8, 128, 128};
    return 1 + (uint32_t)(random / 4 % most[random % 4]);
}

struct sm *sm_create(struct run *run, struct mem *mem, unsigned number) {
    const struct ppu_config *config = &run->config;
    struct sm *sm = calloc(1, sizeof *sm);
    if (sm == NULL) return NULL;
    sm->run = run;
    sm->native = native_choose();
    sm->mem = mem;
    sm->number = number;
    sm->config = config;
    sm->portions = config->threads / config->lanes;
    sm->all_threads = config->threads >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << config->threads) - 1;
    sm->warps = calloc(config->warps, sizeof *sm->warps);
    sm->ctas = calloc(config->warps, sizeof *sm->ctas);
    sm->register_file = calloc((size_t)config->warps * REGISTERS_MAX * config->threads, sizeof *sm->register_file);
    sm->shared_memory = calloc(config->shared_bytes, 1);
    sm->decoded = calloc(DECODE_ENTRIES, sizeof *sm->decoded);
    sm->flight_room = 4 * config->lsu_depth;
    sm->flights = calloc(sm->flight_room, sizeof *sm->flights);
    bool good = sm->warps != NULL && sm->ctas != NULL && sm->register_file != NULL && sm->shared_memory != NULL &&
                sm->decoded != NULL && sm->flights != NULL &&
                scoreboard_init(&sm->scoreboard, config->vgpr_rows / sm->portions, sm->portions, config->warps) &&
                fetch_init(&sm->fetch_cache, config->icache_lines);
    for (uint32_t w = 0; good && w < config->warps; w++) {
        good = divergence_init(&sm->warps[w].divergence, config->threads, config->lanes, config->deque_entries) &&
               in_flight_init(&sm->warps[w]);
    }
    if (!good) {
        sm_destroy(sm);
        return NULL;
    }
    warp_scheduler_init(&sm->scheduler, config->warps);
    backoff_init(&sm->backoff, BACKOFF_TURNS);
    signature_init(&sm->signature, config->lanes);
    subvector_init(&sm->subvector, config->warps, config->l1_lines, config->sv_regions);
    // Word 0 is no instruction, so the zeroed table of decoded words is right as it is.
    return sm;
}

void sm_connect(struct sm *sm, const struct sm_wires *wires) {
    sm->wires = *wires;
}

void sm_destroy(struct sm *sm) {
    if (sm == NULL) return;
    if (sm->warps != NULL) {
        for (uint32_t w = 0; w < sm->config->warps; w++) {
            divergence_free(&sm->warps[w].divergence);
            in_flight_free(&sm->warps[w]);
        }
    }
    scoreboard_free(&sm->scoreboard);
    fetch_free(&sm->fetch_cache);
    free(sm->warps);
    free(sm->ctas);
    free(sm->register_file);
    free(sm->shared_memory);
    free(sm->decoded);
    free(sm->flights);
    free(sm);
}

void sm_icache_invalidate(struct sm *sm) {
    fetch_invalidate(&sm->fetch_cache);
}

void sm_write_taken_back(struct sm *sm, const struct mem_record *record) {
    fetch_restored(&sm->fetch_cache, sm->mem, record);
}

uint32_t sm_issued(const struct sm *sm) {
    return sm->issued;
}

void sm_signature_write(struct sm *sm, uint32_t offset, uint32_t value) {
    signature_write(&sm->signature, offset, value);
    sm->run->signing = sm->signature.kinds != 0;
}

uint32_t sm_signature(const struct sm *sm) {
    return sm->signature.sum;
}

uint32_t sm_signature_limit(const struct sm *sm) {
    return sm->signature.left;
}

void sm_emit(struct sm *sm, const struct trace_event *event) {
    signature_event(&sm->signature, event);
    run_emit(sm->run, event);
}

static void emit_release(struct sm *sm, uint32_t cta) {
    if (!barrier_complete(&sm->ctas[cta])) return;
    barrier_release(sm, cta);
    if (!RUN_TRACING(sm->run)) return;
    sm_emit(sm, &(struct trace_event){
                    .kind = TRACE_BARRIER, .sm = sm->number, .cycle = sm->run->cycles, .barrier = {.cta = cta}});
}

static void end_warp(struct sm *sm, uint32_t number, bool killed) {
    const uint32_t cta = sm->warps[number].cta;
    if (RUN_TRACING(sm->run)) {
        sm_emit(sm, &(struct trace_event){.kind = TRACE_WARP_END,
                                          .sm = sm->number,
                                          .cycle = sm->run->cycles,
                                          .warp_end = {.warp = number, .killed = killed}});
    }
    cta_launcher_warp_ended(sm, number, killed);
    backoff_lost(&sm->backoff, UINT64_C(1) << number);
    emit_release(sm, cta);
}

static void fault_warp(struct sm *sm, uint32_t number, uint32_t code, uint32_t info, uint32_t pc) {
    if (RUN_TRACING(sm->run)) {
        sm_emit(sm, &(struct trace_event){.kind = TRACE_WARP_FAULT,
                                          .sm = sm->number,
                                          .cycle = sm->run->cycles,
                                          .warp_fault = {.warp = number, .code = code, .info = info, .pc = pc}});
    }
    warp_fault(sm, number, code, info, pc);
}

static void hold_warp(struct sm *sm, uint32_t number) {
    if (RUN_TRACING(sm->run)) {
        sm_emit(
            sm,
            &(struct trace_event){
                .kind = TRACE_WARP_HELD, .sm = sm->number, .cycle = sm->run->cycles, .warp_held = {.warp = number}});
    }
    warp_hold(sm, number);
}

// The memory instruction of the warp, request by request; stops at the first fault.
static void perform_requests(struct sm *sm, uint32_t number) {
    struct warp *warp = &sm->warps[number];
    while (warp->access.pending != 0 && !warp->due.fault) {
        const uint64_t threads = load_store_next(sm, warp);
        struct mem_request request;
        struct mem_response response;
        struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
        load_store_request(sm, warp, threads, &request);
        if (RUN_TRACING(sm->run)) {
            event_mem_req(number, threads, &request, &event);
            sm_emit(sm, &event);
        }
        mem_perform_event(sm->mem, MEM_PORT_SM + 2 * sm->number + 1, &request, &response, &event);
        if (RUN_TRACING(sm->run)) mem_emit(sm->mem, &event);
        load_store_answer(sm, warp, threads, &request, &response, sm->run->inject);
    }
}

static void emit_write_backs(struct sm *sm, uint32_t number) {
    struct warp *warp = &sm->warps[number];
    if (warp->due.swb) {
        struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
        event_swb(sm, number, &event);
        sm_emit(sm, &event);
    }
    struct sequencer portions;
    uint64_t threads = 0, lanes;
    for (uint32_t pred = 0; pred < ISA_PT; pred++)
        threads |= warp->due.pwb[pred];
    for (uint32_t i = 0; i < REGISTERS_PER_ACCESS_MAX; i++)
        threads |= warp->due.wb[i];
    sequencer_start(&portions, sm->config->lanes, threads);
    for (uint32_t p; sequencer_next(&portions, &p, &lanes);) {
        for (uint32_t pred = 0; pred < ISA_PT; pred++) {
            struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
            if ((warp->due.pwb[pred] & portion_mask(sm, p)) == 0) continue;
            event_pwb(sm, number, pred, p, &event);
            sm_emit(sm, &event);
        }
        for (uint32_t i = 0; i < REGISTERS_PER_ACCESS_MAX; i++) {
            while ((warp->due.wb[i] & portion_mask(sm, p)) != 0) {
                struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
                event_wb(sm, number, i, p, &event);
                sm_emit(sm, &event);
            }
        }
    }
}

// What other warps see, or wait for, ends a turn: else warps that wait for each other would do so for whole turns.
static bool ends_turn(const struct decoded *d) {
    return d->atomic || d->opcode == OP_BAR || d->opcode == OP_MEMBAR || d->opcode == OP_LAUNCH;
}

// What backing off is told of an instruction.
static void note_backoff(struct sm *sm, uint32_t number, const struct decoded *d, uint64_t exec) {
    if (d->opcode == OP_YIELD && d->mod == YIELD_ALWAYS && exec != 0) {
        backoff_yield(&sm->backoff, number);
    } else {
        backoff_go(&sm->backoff, number, 1, exec != 0 && d->bytes != 0 && (d->store || d->rd == ISA_RZ));
    }
}

static void step_warp(struct sm *sm, uint32_t number) {
    struct warp *warp = &sm->warps[number];
    const struct decoded *d;
    uint32_t code, info;
    uint64_t words[FETCH_WORDS];
    if (fetch(sm, warp, words, &code, &info) == 0 || !issue_look(sm, warp, words[0], &d, &code, &info)) {
        fault_warp(sm, number, code, info, warp->pc);
        return;
    }
    const uint64_t exec = issue_exec(warp, d);
    if (issue_trap_waits(sm, warp, d, exec)) {
        sm->run->turn = 0;
        return;
    }
    sm->run->turn = ends_turn(d) ? 0 : sm->run->turn - 1;
    if (RUN_TRACING(sm->run)) {
        struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
        event_instr(warp, number, d, exec, &event);
        sm_emit(sm, &event);
    }
    issue_execute(sm, number, d, exec);
    note_backoff(sm, number, d, exec);
    if (warp->due.order) {  // the model alone has no cache: no window ends, regions stay in the first order
        struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
        issue_order(sm, number, &event);
        if (RUN_TRACING(sm->run)) sm_emit(sm, &event);
    }
    if (warp->access.pending != 0 && (RUN_TRACING(sm->run) || !load_store_all(sm, warp))) perform_requests(sm, number);
    token_mover_run(sm, number);
    if (RUN_TRACING(sm->run)) emit_write_backs(sm, number);
    if (warp->due.hold) {
        hold_warp(sm, number);
    } else if (warp->due.fault) {
        fault_warp(sm, number, warp->due.fault_code, warp->due.fault_info, warp->instr_pc);
    } else if (warp->due.end) {
        end_warp(sm, number, false);
    } else if (warp->at_barrier) {
        emit_release(sm, warp->cta);
    }
}

// Ends one warp that stands at a barrier or faulted and whose task is being stopped.
static bool end_held(struct sm *sm) {
    for (uint64_t left = sm->held; left != 0; left &= left - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(left);
        if (!warp_killed(sm, &sm->warps[number])) continue;
        end_warp(sm, number, true);
        return true;
    }
    return false;
}

// Launches one child of a warp that has some to launch.
static bool launch_child(struct sm *sm) {
    for (uint64_t left = sm->held; left != 0; left &= left - 1) {
        struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
        if (!child_launch_next(sm, (uint32_t)__builtin_ctzll(left), &event)) continue;
        if (RUN_TRACING(sm->run)) sm_emit(sm, &event);
        return true;
    }
    return false;
}

static void stop_warp(struct sm *sm, uint32_t number) {
    struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
    warp_stop(sm, number, &event);
    if (RUN_TRACING(sm->run)) sm_emit(sm, &event);
}

// Stops one warp that waits at a barrier or for children.
static bool stop_held(struct sm *sm) {
    for (uint64_t left = sm->held; left != 0; left &= left - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(left);
        if (!warp_can_stop(sm, &sm->warps[number])) continue;
        stop_warp(sm, number);
        return true;
    }
    return false;
}

bool sm_step(struct sm *sm) {
    if (sm->held != 0 && (end_held(sm) || launch_child(sm) || stop_held(sm))) return true;
    if (sm->ready == 0) return false;
    backoff_step(&sm->backoff);
    const uint64_t ready = sm->ready & ~sm->backoff.waits;
    if (ready == 0) return true;  // a while in which nobody tries
    const enum warp_policy policy =
        sm->wires.settings->warp_policy == REG_WARP_POLICY_POLICY_GREEDY ? WARP_POLICY_GREEDY : WARP_POLICY_ROUND_ROBIN;
    uint32_t warp;
    if ((ready & (ready - 1)) == 0) {
        warp = (uint32_t)__builtin_ctzll(ready);
    } else {
        // Now and then the circle starts elsewhere, so that seeds make different schedules.
        const uint64_t random = run_random(sm->run);
        if (random % 8 == 0) warp_scheduler_grant(&sm->scheduler, 0, (uint32_t)(random / 8 % sm->config->warps));
        if (!warp_scheduler_pick(&sm->scheduler, policy, ready, &warp)) return false;
    }
    // Round robin asks nobody's patience.
    warp_scheduler_grant(&sm->scheduler, policy == WARP_POLICY_GREEDY ? ready : 0, warp);
    if (warp_killed(sm, &sm->warps[warp])) {
        end_warp(sm, warp, true);
    } else if (warp_can_stop(sm, &sm->warps[warp])) {
        stop_warp(sm, warp);
    } else if (!warp_stops(sm, &sm->warps[warp])) {  // else it waits for the end of another's trap
        sm->run->turn = turn_length(run_random(sm->run));
        sm->run->turn_sm = sm->number;
        step_warp(sm, warp);
    }
    return true;
}

uint64_t sm_turn(struct sm *sm, uint64_t most) {
    struct run *run = sm->run;
    const uint32_t number = sm->scheduler.last;
    uint64_t done = 0;
    while (done < most && run->turn != 0) {
        const struct warp *warp = &sm->warps[number];
        if (((sm->ready & ~sm->backoff.waits) >> number & 1u) == 0 || warp_killed(sm, warp) || warp_stops(sm, warp)) {
            run->turn = 0;
            break;
        }
        if (run->native && !sm_records(sm) && !warp->divergence.trapped) {
            const uint64_t left = most - done;
            const uint32_t steps = sm->native(sm, number, left < run->turn ? (uint32_t)left : run->turn);
            done += steps;
            run->turn -= steps;
            if (steps != 0) continue;
        }
        step_warp(sm, number);
        run->cycles++;
        done++;
    }
    return done;
}
