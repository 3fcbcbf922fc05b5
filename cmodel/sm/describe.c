// A warp's state, as text and for the registers WARP_*.
#include <stdarg.h>
#include <stdio.h>

#include "isa/disassembler.h"
#include "sm_internal.h"

#define TOKENS_SHOWN 4u

struct text {
    char *to;
    size_t size, used;
};

static __attribute__((format(printf, 2, 3))) void add(struct text *text, const char *format, ...) {
    va_list arguments;
    if (text->used + 1 >= text->size) return;
    va_start(arguments, format);
    const int length = vsnprintf(text->to + text->used, text->size - text->used, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    text->used += (size_t)length;
    if (text->used >= text->size) text->used = text->size - 1;
}

static void add_registers(struct text *text, const struct sm *sm, const struct warp *warp) {
    const struct task_slot *slot = warp_slot(sm, warp);
    for (uint32_t r = 0; r < slot->registers; r++) {
        const uint32_t *value = &warp->registers[r * sm->config->threads];
        bool any = false, same = true;
        for (uint32_t t = 0; t < sm->config->threads; t++) {
            any = any || value[t] != 0;
            same = same && value[t] == value[0];
        }
        if (!any) continue;
        if (same) {
            add(text, "  R%-3u all 0x%08x\n", r, value[0]);
            continue;
        }
        for (uint32_t t = 0; t < sm->config->threads; t += 8) {
            if (t == 0) add(text, "  R%-3u", r);
            add(text, t == 0 ? " %2u:" : "       %2u:", t);
            for (uint32_t i = t; i < t + 8 && i < sm->config->threads; i++)
                add(text, " %08x", value[i]);
            add(text, "\n");
        }
    }
}

// REG_WARP_STATE_STATE_*
static uint32_t state_of(const struct warp *warp) {
    if (!warp->running) return REG_WARP_STATE_STATE_IDLE;
    if (warp->faulted) return REG_WARP_STATE_STATE_FAULTED;
    if (warp->held) return REG_WARP_STATE_STATE_HELD;
    if (warp->at_barrier) return REG_WARP_STATE_STATE_AT_A_BARRIER;
    if ((warp->access.pending | warp->access.in_flight) != 0) return REG_WARP_STATE_STATE_WAITING_FOR_MEMORY;
    return REG_WARP_STATE_STATE_READY;
}

static const char *kind_name(uint32_t kind) {
    const char *name = isa_kind_names[kind & 15u];
    return name != NULL ? name : "?";
}

static void add_tokens(struct text *text, const struct warp *warp) {
    const struct token_deque *deque = &warp->divergence.token_deque;
    const uint32_t count = token_deque_count(deque);
    const uint32_t away = token_deque_away(deque);
    add(text, "  tokens %u%s", count, away != 0 ? "" : "\n");
    if (away != 0) add(text, ", %u of them in memory\n", away);
    for (uint32_t i = 0; i < count && i < TOKENS_SHOWN; i++) {
        const struct token token = token_deque_at(deque, deque->head + i);
        add(text, "    %u: %-7s mask 0x%016llx addr 0x%x flags 0x%x\n", i, kind_name(token.kind),
            (unsigned long long)token.mask, token.addr, token.flags);
    }
    if (count > TOKENS_SHOWN) add(text, "    .. %u more\n", count - TOKENS_SHOWN);
}

void sm_describe_warp(const struct sm *sm, unsigned w, char *to, size_t size) {
    struct text text = {.to = to, .size = size};
    if (size == 0) return;
    to[0] = 0;
    if (w >= sm->config->warps) {
        add(&text, "SM %u warp %u: there is none\n", sm->number, w);
        return;
    }
    const struct warp *warp = &sm->warps[w];
    add(&text, "SM %u warp %u: %s%s\n", sm->number, w, warp_state_name(state_of(warp)),
        warp->held ? ", its token deque stands at a bound" : "");
    if (!warp->running) return;
    const struct cta *cta = &sm->ctas[warp->cta];
    add(&text, "  task slot %u, CTA (%u, %u, %u) in CTA slot %u, warp %u of %u\n", warp->slot, cta->x, cta->y, cta->z,
        warp->cta, warp->index, cta->warps);
    uint64_t words[FETCH_WORDS];
    uint32_t code, info;
    if (fetch(sm, warp, words, &code, &info) != 0) {
        char instruction[DISASSEMBLY_MAX];
        disassemble_instruction(words[0], instruction);
        add(&text, "  pc 0x%x: %016llx %s\n", warp->pc, (unsigned long long)words[0], instruction);
    } else if (code == FAULT_NONE) {
        add(&text, "  pc 0x%x: not fetched yet\n", warp->pc);
    } else {
        add(&text, "  pc 0x%x: %s\n", warp->pc, fault_name(code));
    }
    add(&text, "  last issued pc 0x%x\n", warp->instr_pc);
    add(&text, "  active 0x%016llx\n", (unsigned long long)divergence_active(&warp->divergence));
    for (unsigned kind = 1; kind < 16; kind++) {
        if (warp->divergence.reason[kind] != 0)
            add(&text, "  off for %s 0x%016llx\n", kind_name(kind), (unsigned long long)warp->divergence.reason[kind]);
    }
    for (unsigned p = 0; p < ISA_PT; p++) {
        if (warp->predicates[p] != 0) add(&text, "  P%u 0x%016llx\n", p, (unsigned long long)warp->predicates[p]);
    }
    for (unsigned s = 0; s < ISA_SCALARS; s++) {
        if (warp->scalar_unit.scalars[s] != 0) add(&text, "  S%-3u 0x%08x\n", s, warp->scalar_unit.scalars[s]);
    }
    add_tokens(&text, warp);
    char due[160] = "";
    if (sm->run->following && due_first(sm, w, (struct why){due, sizeof due})) add(&text, "  %s\n", due);
    add_registers(&text, sm, warp);
}

void sm_warp_registers(const struct sm *sm, unsigned w, uint32_t *pc, uint64_t *mask, uint32_t *state) {
    *pc = 0;
    *mask = 0;
    *state = REG_WARP_STATE_STATE_IDLE;
    if (w >= sm->config->warps) return;
    const struct warp *warp = &sm->warps[w];
    if (!warp->running) return;
    *pc = warp->pc;
    *mask = warp->divergence.reason[KIND_NONE];
    *state = REG_WARP_STATE_STATE(state_of(warp)) | REG_WARP_STATE_TASK_SLOT(warp->slot);
}
