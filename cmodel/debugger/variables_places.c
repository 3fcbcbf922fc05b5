// Where a variable is in a thread: DWARF's expressions, with the registers and memories of the model. See
// cmodel/compiler/output/dwarf_places.c for what the compiler writes.
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "variables_internal.h"

enum { STACK_MAX = 32, EXPRESSIONS_MAX = 4, FIRST_PREDICATE = 256, LAUNCH_VARIABLES = LAUNCH_DATA };

// ---- memory

static bool read_program(const struct debugger *debugger, const struct channel_look *channel,
                         const struct warp_look *warp, uint32_t address, void *to, uint32_t size) {
    uint32_t start;
    return ppu_mem_read(debugger->ppu, (uint64_t)channel->space + warp->constants + LAUNCH_VARIABLES, &start,
                        sizeof start) &&
           ppu_mem_read(debugger->ppu, (uint64_t)channel->space + start + address, to, size);
}

bool thread_memory(const struct debugger *debugger, const struct debugger_thread *who, unsigned space, uint32_t address,
                   void *to, uint32_t size) {
    const struct code_object *object = debugger->options.object;
    struct warp_look warp;
    struct channel_look channel = {0};
    if (!ppu_look_warp(debugger->ppu, who->sm, who->warp, &warp)) return false;
    (void)ppu_look_channel(debugger->ppu, warp.place.channel, &channel);
    switch (space) {
        case SPACE_PRIVATE: return ppu_look_local(debugger->ppu, who->sm, who->warp, who->thread, address, to, size);
        case SPACE_LOCAL: return ppu_look_shared(debugger->ppu, who->sm, who->warp, address, to, size);
        case SPACE_GENERIC:
            if (address >= 0xFF000000u)
                return thread_memory(debugger, who, SPACE_PRIVATE, address - 0xFF000000u, to, size);
            if (address >= 0xFE000000u)
                return thread_memory(debugger, who, SPACE_LOCAL, address - 0xFE000000u, to, size);
            return ppu_mem_read(debugger->ppu, (uint64_t)channel.space + address, to, size);
        case SPACE_GLOBAL:
        case SPACE_CONSTANT: return ppu_mem_read(debugger->ppu, (uint64_t)channel.space + address, to, size);
        case SPACE_BUFFER0:
            return address <= warp.constant_bytes && size <= warp.constant_bytes - address &&
                   ppu_mem_read(debugger->ppu, (uint64_t)channel.space + warp.constants + address, to, size);
        case SPACE_BUFFER1:
            if (address > object->rodata_size || size > object->rodata_size - address) return false;
            memcpy(to, object->rodata + address, size);
            return true;
        case SPACE_PROGRAM: return read_program(debugger, &channel, &warp, address, to, size);
        default: return false;
    }
}

// ---- expressions

struct machine {
    const struct debugger *debugger;
    const struct debugger_thread *who;
    uint32_t stack[STACK_MAX];
    unsigned depth;
    // What the last operations have left.
    enum { HAS_NOTHING, HAS_REGISTER, HAS_MEMORY, HAS_VALUE } has;
    unsigned space;
    uint32_t word;  // the register's content
};

static bool register_read(const struct machine *m, uint64_t number, uint32_t *word) {
    const struct debugger_thread *who = m->who;
    struct warp_look warp;
    if (number < FIRST_PREDICATE)
        return ppu_look_register(m->debugger->ppu, who->sm, who->warp, who->thread, (unsigned)number, word);
    if (number - FIRST_PREDICATE >= LOOK_PREDICATES || !ppu_look_warp(m->debugger->ppu, who->sm, who->warp, &warp))
        return false;
    *word = (uint32_t)(warp.predicates[number - FIRST_PREDICATE] >> who->thread & 1u);
    return true;
}

static bool push(struct machine *m, uint32_t word) {
    if (m->depth == STACK_MAX) return false;
    m->stack[m->depth++] = word;
    m->has = HAS_VALUE;
    return true;
}

static uint32_t shifted(uint32_t value, uint32_t by, unsigned atom) {
    if (atom == DW_OP_shra) return (uint32_t)((int32_t)value >> (by < 31 ? by : 31));
    if (by >= 32) return 0;
    return atom == DW_OP_shl ? value << by : value >> by;
}

static bool binary(struct machine *m, unsigned atom) {
    if (m->depth < 2) return false;
    const uint32_t b = m->stack[--m->depth], a = m->stack[--m->depth];
    const int32_t x = (int32_t)a, y = (int32_t)b;
    switch (atom) {
        case DW_OP_plus: return push(m, a + b);
        case DW_OP_minus: return push(m, a - b);
        case DW_OP_mul: return push(m, a * b);
        case DW_OP_and: return push(m, a & b);
        case DW_OP_or: return push(m, a | b);
        case DW_OP_xor: return push(m, a ^ b);
        case DW_OP_shl:
        case DW_OP_shr:
        case DW_OP_shra: return push(m, shifted(a, b, atom));
        case DW_OP_eq: return push(m, x == y);
        case DW_OP_ne: return push(m, x != y);
        case DW_OP_lt: return push(m, x < y);
        case DW_OP_le: return push(m, x <= y);
        case DW_OP_gt: return push(m, x > y);
        case DW_OP_ge: return push(m, x >= y);
        case DW_OP_swap: return push(m, b) && push(m, a);
        case DW_OP_xderef:  // the address is on top
            m->space = a;
            if (!push(m, b)) return false;
            m->has = HAS_MEMORY;
            return true;
        default: return false;
    }
}

static bool execute(struct machine *m, const Dwarf_Op *op) {
    uint32_t word;
    if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) return push(m, op->atom - DW_OP_lit0);
    switch (op->atom) {
        case DW_OP_constu:
        case DW_OP_consts: return push(m, (uint32_t)op->number);
        case DW_OP_regx: m->has = HAS_REGISTER; return register_read(m, op->number, &m->word);
        case DW_OP_bregx: return register_read(m, op->number, &word) && push(m, word + (uint32_t)op->number2);
        case DW_OP_plus_uconst: return m->depth > 0 && push(m, m->stack[--m->depth] + (uint32_t)op->number);
        case DW_OP_not: return m->depth > 0 && push(m, ~m->stack[--m->depth]);
        case DW_OP_neg: return m->depth > 0 && push(m, 0u - m->stack[--m->depth]);
        case DW_OP_dup: return m->depth > 0 && push(m, m->stack[m->depth - 1]);
        case DW_OP_stack_value: m->has = HAS_VALUE; return m->depth > 0;
        default: return binary(m, op->atom);
    }
}

// What the operations before a piece, or the end, have left goes into bytes of the value.
static bool put_piece(struct machine *m, struct variable_value *value, uint32_t at, uint32_t size) {
    uint8_t bytes[VALUE_BYTES];
    if (m->has == HAS_NOTHING) return true;
    if (at > VALUE_BYTES || size > VALUE_BYTES - at) return false;
    if (m->has == HAS_MEMORY) {
        if (!thread_memory(m->debugger, m->who, m->space, m->stack[m->depth - 1], bytes, size)) return false;
    } else {
        const uint32_t word = m->has == HAS_REGISTER ? m->word : m->stack[m->depth - 1];
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, &word, sizeof word);
    }
    for (uint32_t k = 0; k < size; k++) {
        // A register has four bytes; a type that is longer is not all there.
        value->known[at + k] = m->has == HAS_MEMORY || k < 4;
        value->bytes[at + k] = bytes[k];
    }
    return true;
}

static bool evaluate(struct variable_value *value, const Dwarf_Op *ops, size_t count) {
    struct machine m = {.debugger = value->debugger, .who = &value->who};
    uint32_t at = 0;
    bool pieces = false;
    for (size_t k = 0; k < count; k++) {
        if (ops[k].atom != DW_OP_piece) {
            if (!execute(&m, &ops[k])) return false;
            continue;
        }
        if (!put_piece(&m, value, at, (uint32_t)ops[k].number)) return false;
        at += (uint32_t)ops[k].number;
        pieces = true;
        m.depth = 0;
        m.has = HAS_NOTHING;
    }
    if (pieces) return true;
    if (m.has == HAS_MEMORY) {
        value->in_memory = true;
        value->space = m.space;
        value->address = m.stack[m.depth - 1];
        return true;
    }
    const uint32_t size = type_size(&value->type);
    return m.has != HAS_NOTHING && put_piece(&m, value, 0, size < VALUE_BYTES ? size : VALUE_BYTES);
}

// Where it is to be found instead: the first stretch behind the address, or before it.
static void tell_stretch(Dwarf_Attribute *attribute, uint32_t address, char *to, size_t size) {
    Dwarf_Addr base, start, end, from = 0, until = 0;
    Dwarf_Op *ops;
    size_t count;
    for (ptrdiff_t at = 0; (at = dwarf_getlocations(attribute, at, &base, &start, &end, &ops, &count)) > 0;) {
        from = start;
        until = end;
        if (start > address) break;
    }
    (void)snprintf(to, size, "0x%" PRIx64 " to 0x%" PRIx64, (uint64_t)from, (uint64_t)until);
}

bool value_locate(struct variable_value *value, Dwarf_Die *variable, uint32_t address, char *why, size_t why_size) {
    Dwarf_Attribute attribute;
    Dwarf_Op *ops[EXPRESSIONS_MAX];
    size_t counts[EXPRESSIONS_MAX];
    const char *name = dwarf_diename(variable);
    if (dwarf_attr(variable, DW_AT_location, &attribute) == NULL) {
        (void)snprintf(why, why_size, "%s is optimized out", name);
        return false;
    }
    const int found = dwarf_getlocation_addr(&attribute, address, ops, counts, EXPRESSIONS_MAX);
    if (found < 0) {
        (void)snprintf(why, why_size, "%s: its debug information cannot be read: %s", name, dwarf_errmsg(-1));
        return false;
    }
    if (found == 0 || counts[0] == 0) {
        char stretch[64];
        tell_stretch(&attribute, address, stretch, sizeof stretch);
        (void)snprintf(why, why_size, "%s has no value at 0x%x, where the thread stands; it has one from %s", name,
                       address, stretch);
        return false;
    }
    if (evaluate(value, ops[0], counts[0])) return true;
    (void)snprintf(why, why_size, "%s: the place that its debug information names is not there", name);
    return false;
}
