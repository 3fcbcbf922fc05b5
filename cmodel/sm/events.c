// The SM's events, and what of them is still due.
#include <string.h>

#include "sm_internal.h"

void event_instr(const struct warp *warp, uint32_t number, const struct decoded *d, uint64_t exec,
                 struct trace_event *event) {
    event->kind = TRACE_INSTR;
    event->instr = (struct trace_instr){
        .warp = number, .pc = warp->pc, .word = d->word, .active = divergence_active(&warp->divergence), .exec = exec};
}

bool event_wb(const struct sm *sm, uint32_t number, uint32_t reg, uint32_t portion, struct trace_event *event) {
    struct warp *warp = &sm->warps[number];
    const uint64_t written = warp->due.wb[reg] & portion_mask(sm, portion), shared = written & warp->due.shared;
    const uint64_t mask = shared != 0 ? shared : written;
    const uint64_t others = warp->due.exec & ~warp->due.shared & portion_mask(sm, portion);
    const uint32_t first = portion * sm->config->lanes;
    event->kind = TRACE_WB;
    event->wb = (struct trace_wb){
        .warp = number, .rd = warp->due.rd + reg, .portion = portion, .mask = (uint32_t)(mask >> first)};
    memcpy(event->wb.data, &warp->registers[(warp->due.rd + reg) * sm->config->threads + first],
           sm->config->lanes * sizeof event->wb.data[0]);
    warp->due.wb[reg] &= ~mask;
    return shared == 0 || others == 0;
}

void event_pwb(const struct sm *sm, uint32_t number, uint32_t pred, uint32_t portion, struct trace_event *event) {
    struct warp *warp = &sm->warps[number];
    const uint64_t mask = warp->due.pwb[pred] & portion_mask(sm, portion);
    const uint32_t first = portion * sm->config->lanes;
    event->kind = TRACE_PWB;
    event->pwb = (struct trace_pwb){.warp = number,
                                    .pred = pred,
                                    .portion = portion,
                                    .mask = (uint32_t)(mask >> first),
                                    .data = (uint32_t)((warp->predicates[pred] & mask) >> first)};
    warp->due.pwb[pred] &= ~mask;
}

void event_swb(const struct sm *sm, uint32_t number, struct trace_event *event) {
    struct warp *warp = &sm->warps[number];
    const uint32_t rd = warp->due.swb_rd, *scalars = warp->scalar_unit.scalars;
    event->kind = TRACE_SWB;
    event->swb = (struct trace_swb){.warp = number,
                                    .rd = rd,
                                    .pair = warp->due.swb_pair,
                                    .data = trap_writes(rd) ? warp->due.swb_trap : scalars[rd]};
    if (warp->due.swb_pair) event->swb.data |= (uint64_t)scalars[rd + 1] << 32;
    warp->due.swb = false;
}

void event_token(const struct sm *sm, uint32_t number, struct trace_event *event) {
    struct warp *warp = &sm->warps[number];
    const struct token_move *move = &warp->divergence.moves[warp->due.token++];
    event->kind = TRACE_TOKEN;
    event->token = (struct trace_token){.warp = number, .op = move->op};
    token_pack(sm->config->threads, &move->token, &event->token.token_lo, &event->token.token_hi);
}

void event_mem_req(uint32_t number, uint64_t threads, const struct mem_request *request, struct trace_event *event) {
    event->kind = TRACE_MEM_REQ;
    event->mem_req = (struct trace_mem_req){.warp = number,
                                            .op = request->op,
                                            .atom = request->atom,
                                            .addr = request->addr,
                                            .threads = threads,
                                            .wstrb = request->wstrb};
    memcpy(event->mem_req.wdata, request->wdata, sizeof event->mem_req.wdata);
}

void event_fetch(uint32_t port, const struct mem_request *request, uint32_t fault, struct trace_event *event) {
    event->kind = TRACE_PERFORM;
    event->perform = (struct trace_perform){
        .port = port, .op = request->op, .channel = request->channel, .addr = request->addr, .fault = fault};
}

bool due_of(const struct due *due, const struct access *access) {
    uint64_t left = access->pending | access->in_flight;
    for (unsigned i = 0; i < REGISTERS_PER_ACCESS_MAX; i++)
        left |= due->wb[i];
    for (unsigned p = 0; p < ISA_PT; p++)
        left |= due->pwb[p];
    return left != 0 || due->token != due->tokens || due->end || due->hold || due->fault || due->swb || due->order;
}

bool due_anything(const struct warp *warp) {
    return warp->older_count != 0 || warp->children.left != 0 || due_of(&warp->due, &warp->access);
}

static bool name_first(const struct sm *sm, uint32_t number, const struct due *due, const struct access *access,
                       uint32_t pc, struct why why) {
    const struct warp *warp = &sm->warps[number];
    const uint32_t lanes = sm->config->lanes;
    if (!due_of(due, access)) return false;
    if (due->order) {
        why_refuse(why, "warp %u: due is SV_MODE of the instruction at pc 0x%x", number, pc);
        return true;
    }
    if (due->token != due->tokens) {
        const struct token_move *move = &warp->divergence.moves[due->token];
        why_refuse(why, "warp %u: due is TOKEN op %u kind %u addr 0x%x of the instruction at pc 0x%x", number,
                   (unsigned)move->op, move->token.kind, move->token.addr, pc);
        return true;
    }
    for (unsigned p = 0; p < ISA_PT; p++) {
        if (due->pwb[p] == 0) continue;
        why_refuse(why, "warp %u: due is PWB of P%u portion %u of the instruction at pc 0x%x", number, p,
                   (uint32_t)__builtin_ctzll(due->pwb[p]) / lanes, pc);
        return true;
    }
    for (unsigned i = 0; i < REGISTERS_PER_ACCESS_MAX; i++) {
        if (due->wb[i] == 0) continue;
        why_refuse(why, "warp %u: due is WB of R%u portion %u of the instruction at pc 0x%x", number, due->rd + i,
                   (uint32_t)__builtin_ctzll(due->wb[i]) / lanes, pc);
        return true;
    }
    if (due->swb) {
        why_refuse(why, "warp %u: due is SWB of S%u of the instruction at pc 0x%x", number, due->swb_rd, pc);
        return true;
    }
    if (due->hold) {
        why_refuse(why, "warp %u: due is WARP_HELD at pc 0x%x", number, pc);
    } else if (due->fault) {
        why_refuse(why, "warp %u: due is WARP_FAULT %s info 0x%x at pc 0x%x", number, fault_name(due->fault_code),
                   due->fault_info, pc);
    } else if (access->in_flight != 0) {
        why_refuse(why, "warp %u: due is PERFORM for threads 0x%llx of the instruction at pc 0x%x", number,
                   (unsigned long long)access->in_flight, pc);
    } else if (access->pending != 0) {
        why_refuse(why, "warp %u: due is MEM_REQ for threads 0x%llx of the instruction at pc 0x%x", number,
                   (unsigned long long)access->pending, pc);
    } else {
        why_refuse(why, "warp %u: due is WARP_END after the instruction at pc 0x%x", number, pc);
    }
    return true;
}

bool due_first(const struct sm *sm, uint32_t number, struct why why) {
    const struct warp *warp = &sm->warps[number];
    for (uint32_t i = 0; i < warp->older_count; i++) {
        const struct in_flight *older = warp->older[i];
        if (name_first(sm, number, &older->due, &older->access, older->pc, why)) return true;
    }
    if (warp->children.left != 0) {
        why_refuse(why, "warp %u: due is CHILD_LAUNCH for threads 0x%llx of the instruction at pc 0x%x", number,
                   (unsigned long long)warp->children.left, warp->instr_pc);
        return true;
    }
    return name_first(sm, number, &warp->due, &warp->access, warp->instr_pc, why);
}
