// The SM in tandem: one action per event of the RTL.
#include <inttypes.h>
#include <string.h>

#include "sequencer.h"
#include "sm_internal.h"

bool follow_running_warp(const struct sm *sm, uint32_t number, const char *event, struct why why) {
    if (number >= sm->config->warps)
        return why_refuse(why, "%s names warp %u, there are %u", event, number, sm->config->warps);
    if (!sm->warps[number].running) return why_refuse(why, "%s of warp %u, which is not running", event, number);
    return true;
}

static bool follow_warp_start(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const struct trace_warp_start *e = &rtl->warp_start;
    if (sm->launch_count == 0) return why_refuse(why, "WARP_START of warp %u: no CTA waits for a warp", e->warp);
    const struct cta_launch *launch = &sm->launches[0];
    if (e->warp >= sm->config->warps)
        return why_refuse(why, "WARP_START names warp %u, there are %u", e->warp, sm->config->warps);
    if (sm->warps[e->warp].running) return why_refuse(why, "WARP_START of warp %u, which is running", e->warp);
    if (e->cta >= sm->config->warps)
        return why_refuse(why, "WARP_START names CTA slot %u, there are %u", e->cta, sm->config->warps);
    if (launch->started == 0 && sm->ctas[e->cta].busy)
        return why_refuse(why, "WARP_START: CTA slot %u is in use", e->cta);
    if (launch->started != 0 && e->cta != launch->cta)
        return why_refuse(why, "WARP_START names CTA slot %u, the CTA that is being started is in %u", e->cta,
                          launch->cta);
    const uint32_t rows = cta_launcher_rows(sm, launch->slot, launch->shares);
    if (!register_file_is_free(sm, e->row, rows))
        return why_refuse(why, "WARP_START of warp %u: rows %u to %u of the register file are not free", e->warp,
                          e->row, e->row + rows - 1);
    const uint32_t shared = shared_memory_need(sm, launch->slot);
    if (launch->started == 0 && !shared_memory_is_free(sm, e->shared, shared))
        return why_refuse(why, "WARP_START of warp %u: %u bytes of shared memory at 0x%x are not free", e->warp, shared,
                          e->shared);
    if (launch->started != 0 && e->shared != sm->ctas[e->cta].shared_base)
        return why_refuse(why, "WARP_START of warp %u: shared memory at 0x%x, its CTA's is at 0x%x", e->warp, e->shared,
                          sm->ctas[e->cta].shared_base);
    cta_launcher_start(sm, e->warp, e->cta, e->row, e->shared, model);
    return true;
}

// What of the last instruction must have been shown before its warp goes on: all but results of lanes and memory.
static bool goes_on(const struct sm *sm, uint32_t number, struct why why) {
    const struct warp *warp = &sm->warps[number];
    const struct due *due = &warp->due;
    const bool shown = due->token == due->tokens && !due->swb && !due->order && warp->children.left == 0;
    if (shown && !due->hold && !due->end && (!due->fault || due->memory)) return true;
    due_first(sm, number, why);
    return false;
}

// Where a register of the warp lies in the SM's register file, as the scoreboard names it.
static uint32_t place_of(const struct sm *sm, const struct warp *warp, uint32_t reg) {
    if (reg < warp->privates) return warp->row / sm->portions + reg;
    return SCOREBOARD_SHARED | (warp->row + warp->privates * sm->portions + reg - warp->privates);
}

static struct scoreboard_request scoreboard_question(const struct sm *sm, const struct warp *warp,
                                                     const struct decoded *d) {
    return (struct scoreboard_request){.names = d->names,
                                       .reg_a = place_of(sm, warp, d->ra),
                                       .reg_b = place_of(sm, warp, d->rb),
                                       .reg_c = place_of(sm, warp, d->rc),
                                       .reg_d = place_of(sm, warp, d->rd),
                                       .more = d->more};
}

// The warp's number of the register at a place.
static uint32_t register_at(const struct sm *sm, const struct warp *warp, uint32_t place) {
    if ((place & SCOREBOARD_SHARED) == 0) return place - warp->row / sm->portions;
    return (place & ~SCOREBOARD_SHARED) - warp->row - warp->privates * sm->portions + warp->privates;
}

_Static_assert(SCOREBOARD_THREADS == WARP_THREADS_MAX, "a row that is wanted early has all threads' values");

// The result of an S2R of the time is still to be written.
static bool time_due(const struct due *due) {
    return due->clock && due->wb[0] != 0;
}

static bool is_time(const struct in_flight *older, const void *what) {
    (void)what;
    return time_due(&older->due);
}

// Nothing that the instruction reads or writes may be pending, but for rows that are written in the next cycle; the
// time that an S2R reads is known when it is written alone.
static bool no_hazard(struct sm *sm, uint32_t number, const struct decoded *d, uint64_t cycle, struct why why) {
    struct warp *warp = &sm->warps[number];
    const uint32_t needed = d->preds | (d->guard < ISA_PT ? 1u << d->guard : 0u);
    const uint32_t pending = scoreboard_preds(&sm->scoreboard, number) & needed;
    if (pending != 0)
        return why_refuse(why, "INSTR of warp %u pc 0x%x: P%u is still to be written", number, warp->pc,
                          (unsigned)__builtin_ctz(pending));
    const uint64_t exec = issue_exec(warp, d);
    const struct scoreboard_request question = scoreboard_question(sm, warp, d);
    const bool keeps_nothing = d->alu && !d->writes && d->writes_preds == 0;  // is not executed
    const bool time = time_due(&warp->due) || in_flight_find(warp, is_time, NULL) != NULL;
    for (uint32_t reg; exec != 0 && !keeps_nothing && scoreboard_wait(&sm->scoreboard, &question, &reg);) {
        const uint32_t name = register_at(sm, warp, reg);
        struct scoreboard_early *early = time ? NULL : scoreboard_early(&sm->scoreboard, reg, number, cycle);
        if (early == NULL)
            return why_refuse(why, "INSTR of warp %u pc 0x%x: R%u is still to be written", number, warp->pc, name);
        memcpy(early->values, &warp->registers[name * sm->config->threads],
               sm->config->threads * sizeof early->values[0]);
    }
    const bool diverges = (d->opcode == OP_BRA || d->opcode == OP_JMP) && exec != divergence_active(&warp->divergence);
    const bool alone = (d->alone || issue_branch_yields(warp, d, exec)) && !issue_only_counts(warp, d, exec);
    if (exec != 0 && (alone || diverges) && due_anything(warp)) {
        due_first(sm, number, why);
        return false;
    }
    return true;
}

static void note_pending(struct sm *sm, uint32_t number, const struct decoded *d, uint64_t exec) {
    const struct scoreboard_request question = scoreboard_question(sm, &sm->warps[number], d);
    struct sequencer sequencer;
    uint32_t portions = 0;
    uint64_t lanes;
    sequencer_start(&sequencer, sm->config->lanes, exec);
    for (uint32_t p; sequencer_next(&sequencer, &p, &lanes);)
        portions |= 1u << p;
    scoreboard_set(&sm->scoreboard, &question, d->writes, number, d->writes_preds, portions);
}

static bool follow_instr(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const uint32_t number = rtl->instr.warp;
    if (!follow_running_warp(sm, number, "INSTR", why)) return false;
    struct warp *warp = &sm->warps[number];
    if (!goes_on(sm, number, why)) return false;
    if (warp->faulted) return why_refuse(why, "INSTR of warp %u, which has faulted", number);
    if (warp->held) return why_refuse(why, "INSTR of warp %u, which is held", number);
    if (warp->at_barrier) return why_refuse(why, "INSTR of warp %u, which waits at a barrier", number);
    if (warp->resume) return why_refuse(why, "INSTR of warp %u, which comes back: due is WARP_STOP", number);
    if (warp->children.running != 0)
        return why_refuse(why, "INSTR of warp %u, which waits for %u child tasks", number, warp->children.running);
    const struct decoded *d;
    uint32_t code, info;
    uint64_t words[FETCH_WORDS], word;
    const unsigned count = fetch(sm, warp, words, &code, &info);
    if (count == 0 && code == FAULT_NONE)
        return why_refuse(why, "INSTR of warp %u pc 0x%x: line 0x%x is not in the instruction cache", number, warp->pc,
                          info);
    word = words[0];
    for (unsigned i = 1; i < count; i++) {
        if (words[i] == rtl->instr.word) word = words[i];
    }
    if (count == 0 || !issue_look(sm, warp, word, &d, &code, &info))
        return why_refuse(why, "INSTR of warp %u: its instruction at pc 0x%x faults with %s", number, warp->pc,
                          fault_name(code));
    if (!no_hazard(sm, number, d, rtl->cycle, why)) return false;
    const uint64_t exec = issue_exec(warp, d);
    if (issue_trap_waits(sm, warp, d, exec))
        return why_refuse(why, "INSTR of warp %u pc 0x%x: warp %u is in a trap", number, warp->pc, sm->trap.warp);
    if (!in_flight_keep(warp)) {
        due_first(sm, number, why);
        return false;
    }
    event_instr(warp, number, d, exec, model);
    issue_execute(sm, number, d, exec);
    if (exec != 0) note_pending(sm, number, d, exec);
    return true;
}

// When a warp stops is a choice; what it must have done before, and who may, is not.
static bool follow_warp_stop(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const uint32_t number = rtl->warp_stop.warp;
    if (!follow_running_warp(sm, number, "WARP_STOP", why)) return false;
    const struct warp *warp = &sm->warps[number];
    if (!warp->resume && !warp_slot(sm, warp)->stop)
        return why_refuse(why, "WARP_STOP of warp %u: nobody stops its task, nor does its CTA come back", number);
    if (warp->faulted) return why_refuse(why, "WARP_STOP of warp %u, which has faulted", number);
    if (warp->held) return why_refuse(why, "WARP_STOP of warp %u, which is held", number);
    if (sm->trap.on) return why_refuse(why, "WARP_STOP of warp %u: warp %u is in a trap", number, sm->trap.warp);
    if (warp->divergence.resumed)
        return why_refuse(why, "WARP_STOP of warp %u pc 0x%x: its instruction has been done in part", number, warp->pc);
    if (due_first(sm, number, why)) return false;
    warp_stop(sm, number, model);
    return true;
}

static bool follow_sv_mode(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const struct trace_sv_mode *e = &rtl->sv_mode;
    if (!follow_running_warp(sm, e->warp, "SV_MODE", why)) return false;
    if (!sm->warps[e->warp].due.order)
        return why_refuse(why, "SV_MODE of warp %u: the instruction at pc 0x%x does not choose an order", e->warp,
                          sm->warps[e->warp].instr_pc);
    issue_order(sm, e->warp, model);
    return true;
}

// The RTL chooses when a read hits, and has the time; what comes of it is computed here.
static bool follow_sv_window(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const struct trace_sv_window *e = &rtl->sv_window;
    struct subvector_window window;
    if (e->region >= sm->subvector.region_count)
        return why_refuse(why, "SV_WINDOW names region %u, there are %u", e->region, sm->subvector.region_count);
    if (!subvector_window(&sm->subvector, e->region, e->cycles, sm->wires.settings->sv_threshold, &window))
        return why_refuse(why, "SV_WINDOW of region %u after %u cycles: its window has not ended, with %u reads of %u",
                          e->region, e->cycles, sm->subvector.regions[e->region].reads, sm->subvector.window);
    model->kind = TRACE_SV_WINDOW;
    model->sv_window = (struct trace_sv_window){.region = e->region,
                                                .reads = window.reads,
                                                .misses = window.misses,
                                                .cycles = e->cycles,
                                                .second = window.second,
                                                .trial = window.trial};
    return true;
}

static bool follow_child_launch(struct sm *sm, const struct trace_event *rtl, struct trace_event *model,
                                struct why why) {
    const uint32_t number = rtl->child_launch.warp;
    if (!follow_running_warp(sm, number, "CHILD_LAUNCH", why)) return false;
    if (sm->warps[number].children.left == 0)
        return why_refuse(why, "CHILD_LAUNCH of warp %u: no thread has a child to launch", number);
    if (!child_launch_next(sm, number, model))
        return why_refuse(why, "CHILD_LAUNCH of warp %u, but the task unit has no room", number);
    return true;
}

// The lowest register of the instruction whose write-back of this portion is due; the one the RTL names when that is
// due.
static bool find_wb(const struct sm *sm, const struct warp *warp, uint32_t rd, uint32_t portion, uint32_t *reg) {
    bool found = false;
    for (uint32_t i = 0; i < REGISTERS_PER_ACCESS_MAX; i++) {
        if ((warp->due.wb[i] & portion_mask(sm, portion)) == 0) continue;
        if (!found || warp->due.rd + i == rd) *reg = i;
        found = true;
    }
    return found;
}

static bool write_back(struct sm *sm, struct warp *warp, const struct trace_wb *e, struct trace_event *model,
                       struct why why) {
    uint32_t reg = 0;
    if (!find_wb(sm, warp, e->rd, e->portion, &reg))
        return why_refuse(why, "WB of warp %u R%u portion %u: none is due of the instruction at pc 0x%x", e->warp,
                          e->rd, e->portion, warp->instr_pc);
    if (warp->due.clock) {
        uint32_t *to = &warp->registers[warp->due.rd * sm->config->threads];
        for (uint32_t l = 0; l < sm->config->lanes; l++) {
            const uint32_t t = e->portion * sm->config->lanes + l;
            if (((warp->due.wb[reg] >> t) & 1u) != 0) to[t] = e->data[l];
        }
        register_file_share(sm, warp, warp->due.rd, 1, warp->due.wb[reg] & portion_mask(sm, e->portion));
    }
    const bool all = event_wb(sm, e->warp, reg, e->portion, model);
    const uint32_t place = place_of(sm, warp, model->wb.rd), lanes = sm->config->lanes;
    const uint32_t *values = scoreboard_values(&sm->scoreboard, place, e->portion);
    if (values != NULL) memcpy(model->wb.data, &values[e->portion * lanes], lanes * sizeof values[0]);
    if (all) scoreboard_row(&sm->scoreboard, place, e->portion);
    return true;
}

struct place {
    const struct sm *sm;
    uint32_t rd, portion;
};

static bool has_wb(const struct in_flight *older, const void *what) {
    const struct place *place = what;
    const uint32_t i = place->rd - older->due.rd;
    return i < REGISTERS_PER_ACCESS_MAX && (older->due.wb[i] & portion_mask(place->sm, place->portion)) != 0;
}

static bool follow_wb(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const struct trace_wb *e = &rtl->wb;
    if (!follow_running_warp(sm, e->warp, "WB", why)) return false;
    struct warp *warp = &sm->warps[e->warp];
    if (e->portion >= sm->portions)
        return why_refuse(why, "WB names portion %u, there are %u", e->portion, sm->portions);
    struct in_flight *older = in_flight_find(warp, has_wb, &(struct place){sm, e->rd, e->portion});
    in_flight_exchange(warp, older);
    const bool good = write_back(sm, warp, e, model, why);
    in_flight_return(warp, older);
    return good;
}

static bool predicate_write_back(struct sm *sm, const struct warp *warp, const struct trace_pwb *e,
                                 struct trace_event *model, struct why why) {
    const uint64_t mask = portion_mask(sm, e->portion);
    uint32_t pred = ISA_PT;
    for (uint32_t p = ISA_PT; p-- > 0;) {
        if ((warp->due.pwb[p] & mask) != 0) pred = p;
    }
    if (e->pred < ISA_PT && (warp->due.pwb[e->pred] & mask) != 0) pred = e->pred;
    if (pred == ISA_PT)
        return why_refuse(why, "PWB of warp %u P%u portion %u: none is due of the instruction at pc 0x%x", e->warp,
                          e->pred, e->portion, warp->instr_pc);
    event_pwb(sm, e->warp, pred, e->portion, model);
    scoreboard_pred(&sm->scoreboard, e->warp, pred);
    return true;
}

static bool has_pwb(const struct in_flight *older, const void *what) {
    const struct place *place = what;
    return place->rd < ISA_PT && (older->due.pwb[place->rd] & portion_mask(place->sm, place->portion)) != 0;
}

static bool follow_pwb(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const struct trace_pwb *e = &rtl->pwb;
    if (!follow_running_warp(sm, e->warp, "PWB", why)) return false;
    struct warp *warp = &sm->warps[e->warp];
    if (e->portion >= sm->portions)
        return why_refuse(why, "PWB names portion %u, there are %u", e->portion, sm->portions);
    struct in_flight *older = in_flight_find(warp, has_pwb, &(struct place){sm, e->pred, e->portion});
    in_flight_exchange(warp, older);
    const bool good = predicate_write_back(sm, warp, e, model, why);
    in_flight_return(warp, older);
    return good;
}

static bool follow_swb(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    if (!follow_running_warp(sm, rtl->swb.warp, "SWB", why)) return false;
    const struct warp *warp = &sm->warps[rtl->swb.warp];
    const uint32_t reg = warp->due.swb_rd, value = warp->due.swb_trap;
    if (!warp->due.swb)
        return why_refuse(why, "SWB of warp %u S%u: none is due of the instruction at pc 0x%x", rtl->swb.warp,
                          rtl->swb.rd, warp->instr_pc);
    event_swb(sm, rtl->swb.warp, model);
    if (trap_writes(reg)) issue_write_trap(sm, rtl->swb.warp, reg, value);
    return true;
}

static bool follow_token(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    if (!follow_running_warp(sm, rtl->token.warp, "TOKEN", why)) return false;
    const struct warp *warp = &sm->warps[rtl->token.warp];
    if (warp->due.token == warp->due.tokens)
        return why_refuse(why, "TOKEN op %u of warp %u: none is due of the instruction at pc 0x%x", rtl->token.op,
                          rtl->token.warp, warp->instr_pc);
    const struct token_move *move = &warp->divergence.moves[warp->due.token];
    const bool popped = move->op == TOKEN_POP_USED || move->op == TOKEN_POP_THROWN;
    if (popped && move->token.kind == KIND_SVEND) subvector_leave(&sm->subvector, rtl->token.warp);
    if (!token_mover_show(sm, rtl->token.warp, why)) return false;
    event_token(sm, rtl->token.warp, model);
    return true;
}

static bool follow_barrier(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const uint32_t number = rtl->barrier.cta;
    if (number >= sm->config->warps || !sm->ctas[number].busy)
        return why_refuse(why, "BARRIER names CTA slot %u, which is not in use", number);
    const struct cta *cta = &sm->ctas[number];
    if (!barrier_complete(cta))
        return why_refuse(why, "BARRIER of CTA slot %u: %u of its %u warps wait, %u have ended", number, cta->waiting,
                          cta->warps, cta->ended);
    model->kind = TRACE_BARRIER;
    model->barrier.cta = number;
    barrier_release(sm, number);
    return true;
}

static bool has_fault(const struct in_flight *older, const void *what) {
    return older->due.fault && (what == NULL || older->pc == *(const uint32_t *)what);
}

// Whether the warp's next instruction, of those that it may be, faults before it is issued; as the RTL says, if one does.
static bool faults_before_issue(struct sm *sm, const struct warp *warp, const struct trace_warp_fault *rtl,
                                uint32_t *code, uint32_t *info) {
    uint64_t words[FETCH_WORDS];
    const unsigned count = fetch(sm, warp, words, code, info);
    if (count == 0 && *code != FAULT_NONE) return true;
    if (fetch_refused(sm, warp, code, info) && *code == rtl->code) return true;
    bool found = false;
    for (unsigned i = count; i-- > 0;) {
        const struct decoded *d;
        uint32_t its_code, its_info;
        if (issue_look(sm, warp, words[i], &d, &its_code, &its_info)) continue;
        found = true;
        *code = its_code;
        *info = its_info;
        if (its_code == rtl->code && its_info == rtl->info) break;
    }
    return found;
}

static bool follow_warp_fault(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const uint32_t number = rtl->warp_fault.warp;
    if (!follow_running_warp(sm, number, "WARP_FAULT", why)) return false;
    struct warp *warp = &sm->warps[number];
    uint32_t code, info, pc;
    if (warp->faulted) return why_refuse(why, "WARP_FAULT of warp %u, which has faulted already", number);
    token_mover_fault(sm, number, &rtl->warp_fault);
    // Of several faulting instructions in flight the RTL chooses.
    const bool last = warp->due.fault && warp->instr_pc == rtl->warp_fault.pc;
    struct in_flight *older = last ? NULL : in_flight_find(warp, has_fault, &rtl->warp_fault.pc);
    if (!last && older == NULL && !warp->due.fault) older = in_flight_find(warp, has_fault, NULL);
    if (warp->due.fault || older != NULL) {
        in_flight_exchange(warp, older);
        const bool tokens = warp->due.token != warp->due.tokens;
        code = warp->due.fault_code;
        info = warp->due.fault_info;
        pc = warp->instr_pc;
        if (!tokens) {
            warp->due = (struct due){0};
            warp->access.pending = 0;
        }
        in_flight_return(warp, older);
        if (tokens) {
            due_first(sm, number, why);
            return false;
        }
    } else {
        if (due_first(sm, number, why)) return false;
        if (warp->at_barrier) return why_refuse(why, "WARP_FAULT of warp %u, which waits at a barrier", number);
        const bool bus = rtl->warp_fault.code == FAULT_BUS_ERROR && bus_error_take(sm, warp, &info);
        if (bus) {
            code = FAULT_BUS_ERROR;
        } else if (!faults_before_issue(sm, warp, &rtl->warp_fault, &code, &info)) {
            return why_refuse(why, "WARP_FAULT of warp %u: its instruction at pc 0x%x does not fault", number,
                              warp->pc);
        }
        pc = warp->pc;
    }
    model->kind = TRACE_WARP_FAULT;
    model->warp_fault = (struct trace_warp_fault){.warp = number, .code = code, .info = info, .pc = pc};
    warp_fault(sm, number, code, info, pc);
    return true;
}

static bool follow_warp_held(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const uint32_t number = rtl->warp_held.warp;
    if (!follow_running_warp(sm, number, "WARP_HELD", why)) return false;
    struct warp *warp = &sm->warps[number];
    if (!warp->due.hold)
        return why_refuse(why, "WARP_HELD of warp %u: its deque does not stand at a bound that it needs", number);
    if (warp->due.token != warp->due.tokens) {
        due_first(sm, number, why);
        return false;
    }
    model->kind = TRACE_WARP_HELD;
    model->warp_held = (struct trace_warp_held){.warp = number};
    warp_hold(sm, number);
    return true;
}

static bool follow_warp_end(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const uint32_t number = rtl->warp_end.warp;
    if (!follow_running_warp(sm, number, "WARP_END", why)) return false;
    struct warp *warp = &sm->warps[number];
    if (rtl->warp_end.killed != 0) {
        if (!warp_killed(sm, warp))
            return why_refuse(why, "WARP_END of warp %u as killed: nobody stops its task", number);
        for (uint32_t f = 0; f < sm->flight_count; f++) {
            if (sm->flights[f].note.number == number)
                return why_refuse(why, "WARP_END of warp %u, which has requests in flight", number);
        }
    } else {
        if (!warp->due.end) {
            if (due_first(sm, number, why)) return false;
            return why_refuse(why, "WARP_END of warp %u: it has not ended, pc 0x%x active 0x%llx", number, warp->pc,
                              (unsigned long long)divergence_active(&warp->divergence));
        }
        warp->due.end = false;
        if (due_first(sm, number, why)) {
            warp->due.end = true;
            return false;
        }
    }
    model->kind = TRACE_WARP_END;
    model->warp_end = (struct trace_warp_end){.warp = number, .killed = rtl->warp_end.killed};
    cta_launcher_warp_ended(sm, number, rtl->warp_end.killed != 0);
    return true;
}

static bool follow(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    switch (rtl->kind) {
        case TRACE_WARP_START: return follow_warp_start(sm, rtl, model, why);
        case TRACE_INSTR: return follow_instr(sm, rtl, model, why);
        case TRACE_WARP_STOP: return follow_warp_stop(sm, rtl, model, why);
        case TRACE_SV_MODE: return follow_sv_mode(sm, rtl, model, why);
        case TRACE_SV_WINDOW: return follow_sv_window(sm, rtl, model, why);
        case TRACE_CHILD_LAUNCH: return follow_child_launch(sm, rtl, model, why);
        case TRACE_MEM_REQ: return follow_mem_req(sm, rtl, model, why);
        case TRACE_L1_HIT: return follow_l1_hit(sm, rtl, model, why);
        case TRACE_PERFORM: return follow_perform(sm, rtl, model, why);
        case TRACE_WB: return follow_wb(sm, rtl, model, why);
        case TRACE_PWB: return follow_pwb(sm, rtl, model, why);
        case TRACE_SWB: return follow_swb(sm, rtl, model, why);
        case TRACE_TOKEN_MOVE: return token_mover_follow(sm, rtl, model, why);
        case TRACE_TOKEN: return follow_token(sm, rtl, model, why);
        case TRACE_BARRIER: return follow_barrier(sm, rtl, model, why);
        case TRACE_WARP_HELD: return follow_warp_held(sm, rtl, model, why);
        case TRACE_WARP_FAULT: return follow_warp_fault(sm, rtl, model, why);
        case TRACE_WARP_END: return follow_warp_end(sm, rtl, model, why);
        default: return why_refuse(why, "%s is no event of an SM", trace_kind_name(rtl->kind));
    }
}

bool sm_follow(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const struct scoreboard_early *late = scoreboard_late(&sm->scoreboard, rtl->cycle);
    if (late != NULL)
        return why_refuse(why, "INSTR of warp %u in cycle %" PRIu64 ": R%u was still to be written, and is not yet",
                          late->warp, late->cycle, register_at(sm, &sm->warps[late->warp], late->reg));
    if (!follow(sm, rtl, model, why)) return false;
    if (sm->run->signing) signature_event(&sm->signature, model);
    return true;
}

bool sm_quiescent(const struct sm *sm, struct why why) {
    if (!sm->run->following) return true;
    if (sm->flight_count != 0) {
        const struct flight *flight = &sm->flights[0];
        return why_refuse(why, "SM %u: due is PERFORM of line 0x%x for warp %u", sm->number, flight->request.addr,
                          flight->note.number);
    }
    if (sm->token_mover.writes != 0)
        return why_refuse(why, "SM %u: due is PERFORM of line 0x%x for a token of warp %u", sm->number,
                          sm->token_mover.write[0].request.addr, sm->token_mover.write[0].warp);
    if (sm->launch_count != 0)
        return why_refuse(why, "SM %u: due is WARP_START of task slot %u, warp %u of its CTA", sm->number,
                          sm->launches[0].slot, sm->launches[0].started);
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        if (sm->warps[w].running && due_first(sm, w, why)) return false;
        if (sm->ctas[w].busy && barrier_complete(&sm->ctas[w]))
            return why_refuse(why, "SM %u: due is BARRIER of CTA slot %u", sm->number, w);
    }
    return true;
}
