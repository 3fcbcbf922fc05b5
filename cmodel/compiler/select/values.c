// Values in registers: see values.h.
#include "compiler/select/values.h"

#include <stdlib.h>

#include "compiler/base/pointer_set.h"
#include "compiler/select/access.h"
#include "gen/isa.h"
#include "isa/code_object.h"

static void widen(struct selection *s) {
    size_t slots = s->value_slots == 0 ? 1024 : s->value_slots * 2;
    struct value **values = take(slots, sizeof *values);
    for (size_t k = 0; k < s->value_slots; k++) {
        if (s->values[k] == NULL) continue;
        size_t at = pointer_hash(s->values[k]->key, slots);
        while (values[at] != NULL)
            at = (at + 1) & (slots - 1);
        values[at] = s->values[k];
    }
    free(s->values);
    s->values = values;
    s->value_slots = slots;
}

static struct value *make_value(LLVMValueRef v, unsigned count) {
    struct value *value = take(1, sizeof *value);
    *value = (struct value){.key = v, .count = count, .predicate_stretch = NONE, .predicate = {.reg = NONE}};
    value->parts = take(count, sizeof *value->parts);
    for (unsigned k = 0; k < count; k++)
        value->parts[k] = NONE;
    return value;
}

struct value *value_of(struct selection *s, LLVMValueRef v) {
    if (s->value_count * 2 >= s->value_slots) widen(s);
    size_t at = pointer_hash(v, s->value_slots);
    while (s->values[at] != NULL && s->values[at]->key != v)
        at = (at + 1) & (s->value_slots - 1);
    if (s->values[at] == NULL) {
        s->values[at] = make_value(v, part_count(LLVMTypeOf(v)) * word_count(LLVMTypeOf(v)));
        s->value_count++;
    }
    return s->values[at];
}

struct value *value_new(struct selection *s, LLVMValueRef v, unsigned count) {
    struct value *value = value_of(s, v);
    if (value->count != count) {
        value->parts = take(count, sizeof *value->parts);
        value->count = count;
        for (unsigned k = 0; k < count; k++)
            value->parts[k] = NONE;
    }
    return value;
}

// ---- reading values ----

// Of a variable of the program in global memory: the driver says where they begin.
static uint32_t variable_address(struct selection *s, uint32_t offset) {
    struct machine_instruction read = make(OP_LDC);
    read.mod = SIZE_32;
    read.imm = LAUNCH_DATA;
    uint32_t start = emit_to_fresh(s, read);
    return offset == 0 ? start : emit_ri(s, OP_IADD, start, offset);
}

// The 0-or-1 form of a flag that has only a predicate, or an element of a constant vector, or a constant.
uint32_t part_of(struct selection *s, LLVMValueRef v, unsigned part) {
    uint32_t number = 0;
    if (LLVMIsConstant(v)) {
        unsigned words = word_count(LLVMTypeOf(v));
        LLVMValueRef element =
            part_count(LLVMTypeOf(v)) > 1 && !LLVMIsNull(v) ? LLVMGetAggregateElement(v, part / words) : v;
        uint64_t both;
        if (element != NULL && part % words == 1 && constant_wide(s, element, &both))
            return emit_constant(s, (uint32_t)(both >> 32));
        if (element != NULL && constant_of(s, element, &number)) return emit_constant(s, number);
        if (element != NULL && s->relative) return variable_address(s, number);
        if (element == NULL) {
            const unsigned each = width_of(LLVMTypeOf(v));
            const unsigned from = part / words * each + part % words * 32;
            if (constant_bits(v, from, each < 32 ? each : 32, &number)) return emit_constant(s, number);
        }
        char *text = LLVMPrintValueToString(v);
        unsupported(s, "a constant of this kind is not supported: %.200s", text);
        LLVMDisposeMessage(text);
        return NONE;
    }
    if (LLVMIsAAllocaInst(v)) return emit_constant(s, value_of(s, v)->place);
    struct value *value = value_of(s, v);
    if (is_flag(v) && value->parts[0] == NONE && value->predicate_stretch == s->stretch) {
        struct predicate p = value->predicate;
        return emit_select_imm(s, (struct predicate){.reg = p.reg, .negated = !p.negated}, NONE, 1);
    }
    if (part >= value->count) return NONE;
    if (value->bias == 0) return value->parts[part];
    return value->parts[part] == NONE ? emit_constant(s, value->bias)
                                      : emit_ri(s, OP_IADD, value->parts[part], value->bias);
}

uint32_t reg_of(struct selection *s, LLVMValueRef v) {
    return part_of(s, v, 0);
}

uint32_t reg_zeros(struct selection *s, LLVMValueRef v) {
    unsigned width = width_of(LLVMTypeOf(v));
    uint32_t number;
    if (width >= 32 || width == 1) return reg_of(s, v);
    if (constant_of(s, v, &number)) return emit_constant(s, number);
    uint32_t reg = reg_of(s, v);
    if (reg == NONE || (value_of(s, v)->known & KNOWN_ZEROS) != 0) return reg;
    return emit_ri(s, OP_AND, reg, low_bits(width));
}

uint32_t reg_sign(struct selection *s, LLVMValueRef v) {
    unsigned width = width_of(LLVMTypeOf(v));
    uint32_t number;
    if (width >= 32) return reg_of(s, v);
    if (constant_of(s, v, &number)) {
        uint32_t sign = 1u << (width - 1);
        return emit_constant(s, (number ^ sign) - sign);
    }
    if (width == 1) {
        struct predicate p = predicate_of(s, v);
        return emit_select_imm(s, (struct predicate){.reg = p.reg, .negated = !p.negated}, NONE, 0xFFFFFFFFu);
    }
    uint32_t reg = reg_of(s, v);
    if (reg == NONE || (value_of(s, v)->known & KNOWN_SIGN) != 0) return reg;
    return sign_extended(s, reg, width);
}

struct predicate predicate_of(struct selection *s, LLVMValueRef v) {
    uint32_t number;
    if (constant_of(s, v, &number)) return (struct predicate){.reg = NONE, .negated = (number & 1u) == 0};
    struct value *value = value_of(s, v);
    if (value->predicate_stretch == s->stretch) return value->predicate;
    value->predicate = emit_compare_imm(s, CMP_NE, value->parts[0], 0);
    value->predicate_stretch = s->stretch;
    return value->predicate;
}

// ---- defining values ----

void define(struct selection *s, LLVMValueRef v, uint32_t reg, unsigned known) {
    struct value *value = value_of(s, v);
    value->parts[0] = reg;
    value->known = (uint8_t)known;
}

// Whether somebody in another block, a phi, or somebody behind a call reads it: then it has to be in a vector register.
static bool lives_on(struct selection *s, LLVMValueRef v) {
    if (s->block_calls) return true;  // one may come before the reader
    for (LLVMUseRef use = LLVMGetFirstUse(v); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || LLVMIsAPHINode(user)) return true;
        if (LLVMIsAExtractValueInst(user)) return true;
        if (block_number(s, LLVMGetInstructionParent(user)) != s->block) return true;
    }
    return false;
}

void flag_result(struct selection *s, struct value *value, LLVMValueRef v, struct predicate p) {
    value->predicate = p;
    value->predicate_stretch = s->stretch;
    if (lives_on(s, v))
        value->parts[0] = emit_select_imm(s, (struct predicate){.reg = p.reg, .negated = !p.negated}, NONE, 1);
}

void define_flag(struct selection *s, LLVMValueRef v, struct predicate p) {
    flag_result(s, value_of(s, v), v, p);
}
