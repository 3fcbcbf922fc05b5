// Takes CTAs and starts their warps, frees what they held when they have ended.
#include <string.h>

#include "sm_internal.h"

static uint32_t cta_warps(const struct sm *sm, const struct task_slot *slot) {
    return (slot->threads + sm->config->threads - 1) / sm->config->threads;
}

uint32_t cta_launcher_rows(const struct sm *sm, uint32_t slot, bool shares) {
    const struct task_slot *s = sm_slot(sm, slot);
    const uint32_t rows = shares ? s->shared_rows : 0;
    const uint32_t units = s->registers - rows + (rows + sm->portions - 1) / sm->portions;
    return units * sm->portions;
}

// Rows are shared in the second order only: where the first is expected and all private registers fit, none are.
static bool cta_shares(const struct sm *sm, const struct task_slot *slot) {
    const struct sm_settings *settings = sm->wires.settings;
    if (slot->shared_rows == 0) return false;
    const bool fits = cta_warps(sm, slot) * slot->registers * sm->portions <= sm->config->vgpr_rows;
    return !(fits && subvector_looks_first(&sm->subvector, settings->sv_order, settings->sv_threshold, slot->channel,
                                           slot->code_base, slot->code_size));
}

bool sm_can_take_cta(const struct sm *sm, uint32_t slot) {
    if (sm->launch_count == LAUNCHES_MAX) return false;
    uint32_t idle = 0, promised = 0;
    for (uint32_t w = 0; w < sm->config->warps; w++)
        idle += !sm->warps[w].running;
    for (uint32_t l = 0; l < sm->launch_count; l++)
        promised += sm->launches[l].warps - sm->launches[l].started;
    const uint32_t need = cta_warps(sm, sm_slot(sm, slot));
    uint32_t base, shared = shared_memory_need(sm, slot);
    for (uint32_t l = 0; l < sm->launch_count; l++) {
        if (sm->launches[l].started == 0) shared += shared_memory_need(sm, sm->launches[l].slot);
    }
    if (!shared_memory_find(sm, shared, &base)) return false;
    // All warps of a CTA want equally many rows, so any placement fits when the pieces do.
    return idle >= promised + need &&
           register_file_room(sm, cta_launcher_rows(sm, slot, cta_shares(sm, sm_slot(sm, slot)))) >= need;
}

void cta_launcher_start(struct sm *sm, uint32_t number, uint32_t cta_number, uint32_t row, uint32_t shared,
                        struct trace_event *event) {
    struct cta_launch *launch = &sm->launches[0];
    const struct task_slot *slot = sm_slot(sm, launch->slot);
    struct cta *cta = &sm->ctas[cta_number];
    if (launch->started == 0) {
        launch->cta = cta_number;
        *cta = (struct cta){
            .busy = true, .slot = launch->slot, .x = launch->x, .y = launch->y, .z = launch->z, .warps = launch->warps};
        shared_memory_give(sm, cta, shared, shared_memory_need(sm, launch->slot));
    }
    struct warp *warp = &sm->warps[number];
    const uint32_t index = launch->started;
    const uint32_t left = slot->threads - index * sm->config->threads;
    const uint64_t mask = left >= sm->config->threads ? sm->all_threads : (UINT64_C(1) << left) - 1;
    warp->running = true;
    warp->faulted = warp->at_barrier = warp->held = false;
    warp->resume = launch->resumed;
    warp->slot = launch->slot;
    warp->cta = cta_number;
    warp->index = index;
    warp->pc = launch->resumed ? 0 : ((slot->code_base - slot->region) / 8u) & PROGRAM_COUNTER_MASK;
    warp->instr_pc = warp->pc;
    warp->due = (struct due){0};
    warp->access.pending = warp->access.in_flight = 0;
    warp->children.left = warp->children.running = 0;
    scalar_unit_start(&warp->scalar_unit, sm->config->threads);
    memset(warp->predicates, 0, sizeof warp->predicates);
    warp->predicates[ISA_PT] = ~UINT64_C(0);
    token_mover_size(sm, &warp->divergence.token_deque);
    divergence_start(&warp->divergence, mask);
    // As the CTA has come: a warp of it that has started may have written CTA_X and CTA_YZ.
    divergence_seed(&warp->divergence,
                    sm->wires.settings->yield_seed ^ launch->x ^ launch->y << 12 ^ launch->z << 20 ^ index << 26);
    signature_start(&sm->signature, number,
                    signature_name(slot->tmd, (const uint32_t[]){launch->x, launch->y, launch->z}, index));
    warp->shares = launch->shares;
    warp->privates = slot->registers - (launch->shares ? slot->shared_rows : 0);
    register_file_give(sm, warp, row, cta_launcher_rows(sm, launch->slot, launch->shares), slot->registers);
    for (uint32_t r = 0; r < warp->rows / sm->portions; r++)
        scoreboard_clear(&sm->scoreboard, row / sm->portions + r);
    scoreboard_start(&sm->scoreboard, number);
    warp->fetched_since = warp->fetched_last = sm->fetch_cache.time;
    warp->program = (struct program){slot->channel, slot->code_base, slot->code_size};
    warp_scheduler_start(&sm->scheduler, number);
    warp_update_ready(sm, number);
    cta->started++;
    launch->started++;
    sm->run->counters.warps++;
    sm->run->counters.resident++;
    if (sm->run->counters.resident > sm->run->counters.resident_peak)
        sm->run->counters.resident_peak = sm->run->counters.resident;
    if (event != NULL) {
        event->kind = TRACE_WARP_START;
        event->warp_start = (struct trace_warp_start){.warp = number,
                                                      .slot = warp->slot,
                                                      .cta = cta_number,
                                                      .index = index,
                                                      .mask = mask,
                                                      .pc = warp->pc,
                                                      .row = row,
                                                      .rows = warp->rows,
                                                      .shared = cta->shared_base};
    }
    if (launch->started == launch->warps) {
        sm->launch_count--;
        memmove(&sm->launches[0], &sm->launches[1], sm->launch_count * sizeof sm->launches[0]);
    }
}

// Alone, all warps of a CTA start at once, each in the first place that is free.
static void start_all(struct sm *sm) {
    uint32_t cta = 0, warp = 0;
    while (sm->ctas[cta].busy)
        cta++;
    while (sm->launch_count > 0) {
        uint32_t row, shared = sm->ctas[cta].shared_base;
        while (sm->warps[warp].running)
            warp++;
        const struct cta_launch *launch = &sm->launches[0];
        if (!register_file_find(sm, cta_launcher_rows(sm, launch->slot, launch->shares), &row)) return;
        if (launch->started == 0 && !shared_memory_find(sm, shared_memory_need(sm, launch->slot), &shared)) return;
        struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
        cta_launcher_start(sm, warp, cta, row, shared, &event);
        if (RUN_TRACING(sm->run)) run_emit(sm->run, &event);
    }
}

void sm_take_cta(struct sm *sm, uint32_t slot, uint32_t x, uint32_t y, uint32_t z, bool resumed) {
    const struct task_slot *s = sm_slot(sm, slot);
    sm->launches[sm->launch_count++] = (struct cta_launch){.slot = slot,
                                                           .x = x,
                                                           .y = y,
                                                           .z = z,
                                                           .warps = cta_warps(sm, s),
                                                           .shares = cta_shares(sm, s),
                                                           .resumed = resumed};
    if (!sm->run->following) start_all(sm);
}

void cta_launcher_write(struct cta *cta, uint32_t number, uint32_t value) {
    switch (number) {
        case SCALAR_CTA_RECORD: cta->record = value; return;
        case SCALAR_CTA_X: cta->x = value; return;
        case SCALAR_CTA_YZ:
            cta->y = value & 0xFFFFu;
            cta->z = value >> 16;
            return;
        default: return;
    }
}

void cta_launcher_warp_ended(struct sm *sm, uint32_t number, bool killed) {
    struct warp *warp = &sm->warps[number];
    struct cta *cta = &sm->ctas[warp->cta];
    if (warp->at_barrier) cta->waiting--;
    if (warp->divergence.trapped && sm->trap.saved && !killed) cta->left = true;
    warp->running = warp->faulted = warp->at_barrier = false;
    if (sm->trap.warp == number) sm->trap.on = false;
    subvector_leave(&sm->subvector, number);
    sm->run->counters.resident--;
    warp->due = (struct due){0};
    warp->access.pending = warp->access.in_flight = 0;
    warp->children.left = warp->children.running = 0;
    warp->older_count = 0;
    warp_update_ready(sm, number);
    cta->ended++;
    if (cta->ended == cta->warps) {
        const uint32_t slot = cta->slot;
        cta->busy = false;
        sm->wires.cta_done(sm->wires.context, sm->number, slot, cta->left);
    }
}
