// What warps have done, as a sum. The twin of rtl/sm/signature.sv, told event by event.
#include "sm/signature.h"

#include <string.h>

static uint32_t rotate(uint32_t x, unsigned by) {
    by %= 32;
    return x << by | x >> 1 >> (31 - by);
}

static uint32_t reverse(uint32_t x) {
    uint32_t y = 0;
    for (unsigned b = 0; b < 32; b++)
        y = y << 1 | (x >> b & 1u);
    return y;
}

void signature_init(struct signature *signature, uint32_t lanes) {
    memset(signature, 0, sizeof *signature);
    signature->lanes = lanes;
}

void signature_write(struct signature *signature, uint32_t offset, uint32_t value) {
    switch (offset) {
        case REG_SIGNATURE_LIMIT:
            signature->sum = 0;
            signature->left = value;
            break;
        case REG_SIGNATURE_KINDS: signature->kinds = value; break;
        case REG_SIGNATURE_NAME: signature->name = value; break;
        case REG_SIGNATURE_NAME_MASK: signature->name_mask = value; break;
        case REG_SIGNATURE_PLACE: signature->place = value; break;
        default: break;
    }
}

uint32_t signature_name(uint32_t tmd, const uint32_t cta[3], uint32_t index) {
    return cta[0] ^ cta[1] << 12 ^ cta[2] << 20 ^ index << 26 ^ reverse(tmd);
}

void signature_start(struct signature *signature, uint32_t warp, uint32_t name) {
    signature->names[warp] = name;
}

static uint32_t instr_word(const struct signature *signature, const struct trace_instr *e) {
    uint32_t x = 0;
    if (REG_SIGNATURE_KINDS_PC_OF(signature->kinds) != 0) x ^= e->pc;
    if (REG_SIGNATURE_KINDS_ACTIVE_OF(signature->kinds) != 0)
        x ^= rotate((uint32_t)e->active, 9) ^ rotate((uint32_t)(e->active >> 32), 4);
    if (REG_SIGNATURE_KINDS_EXEC_OF(signature->kinds) != 0)
        x ^= rotate((uint32_t)e->exec, 19) ^ rotate((uint32_t)(e->exec >> 32), 14);
    return x;
}

static bool result_word(const struct signature *signature, const struct trace_wb *e, uint32_t *x) {
    const uint32_t place = signature->place;
    const uint32_t thread_mask = REG_SIGNATURE_PLACE_THREAD_MASK_OF(place);
    uint32_t lanes = 0;
    if (((e->rd ^ REG_SIGNATURE_PLACE_REGISTER_OF(place)) & REG_SIGNATURE_PLACE_REGISTER_MASK_OF(place)) != 0)
        return false;
    *x = e->rd << 24 ^ e->portion << 18;
    for (uint32_t l = 0; l < signature->lanes; l++) {
        const uint32_t thread = e->portion * signature->lanes + l;
        if ((e->mask >> l & 1u) == 0 || ((thread ^ REG_SIGNATURE_PLACE_THREAD_OF(place)) & thread_mask) != 0) continue;
        lanes |= 1u << l;
        *x ^= rotate(e->data[l], 5 * l);
    }
    *x ^= lanes;
    return lanes != 0;
}

static uint32_t store_word(const struct trace_mem_req *e) {
    return e->addr ^ rotate(e->wstrb, 7);
}

bool signature_word(const struct signature *signature, const struct trace_event *event, uint32_t name, uint32_t *word) {
    const uint32_t key = (name >> 16 ^ name) & 0xFFFFu;
    switch (event->kind) {
        case TRACE_INSTR:
            if (REG_SIGNATURE_KINDS_INSTR_OF(signature->kinds) == 0) return false;
            *word = instr_word(signature, &event->instr);
            break;
        case TRACE_WB:
            if (REG_SIGNATURE_KINDS_RESULT_OF(signature->kinds) == 0 || !result_word(signature, &event->wb, word))
                return false;
            break;
        case TRACE_MEM_REQ:
            if (REG_SIGNATURE_KINDS_STORE_OF(signature->kinds) == 0 || event->mem_req.op == REQUEST_READ) return false;
            *word = store_word(&event->mem_req);
            break;
        default: return false;
    }
    *word ^= ~key << 16 | key;
    return true;
}

uint32_t signature_product(const struct signature *signature, const struct trace_event *event, uint32_t word) {
    if (REG_SIGNATURE_KINDS_RAW_OF(signature->kinds) != 0 && event->kind != TRACE_MEM_REQ) return word;
    return (word & 0xFFFFu) * (word >> 16);
}

static uint32_t warp_of(const struct trace_event *event) {
    switch (event->kind) {
        case TRACE_INSTR: return event->instr.warp;
        case TRACE_WB: return event->wb.warp;
        default: return event->mem_req.warp;
    }
}

void signature_event(struct signature *signature, const struct trace_event *event) {
    if (event->kind != TRACE_INSTR && event->kind != TRACE_WB && event->kind != TRACE_MEM_REQ) return;
    const uint32_t name = signature->names[warp_of(event)];
    uint32_t word;
    if (signature->left == 0 || ((name ^ signature->name) & signature->name_mask) != 0) return;
    if (!signature_word(signature, event, name, &word)) return;
    signature->sum += signature_product(signature, event, word);
    signature->left--;
}
