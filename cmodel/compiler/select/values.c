// Values in registers: see select.h.
#include <stdlib.h>
#include <string.h>

#include "compiler/select/select.h"
#include "gen/isa.h"
#include "isa/code_object.h"

unsigned part_count(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

LLVMTypeRef part_type(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

unsigned width_of(LLVMTypeRef type) {
    type = part_type(type);
    if (LLVMGetTypeKind(type) == LLVMHalfTypeKind) return 16;
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 32;
}

unsigned word_count(LLVMTypeRef type) {
    return width_of(type) > 32 ? 2 : 1;
}

bool is_flag(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static size_t hash(const void *key, size_t slots) {
    return (size_t)(((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> 20) & (slots - 1);
}

static void widen(struct selection *s) {
    size_t slots = s->value_slots == 0 ? 1024 : s->value_slots * 2;
    struct value **values = take(slots, sizeof *values);
    for (size_t k = 0; k < s->value_slots; k++) {
        if (s->values[k] == NULL) continue;
        size_t at = hash(s->values[k]->key, slots);
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
    size_t at = hash(v, s->value_slots);
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

// ---- emitting ----

struct machine_instruction *emit(struct selection *s, struct machine_instruction instruction) {
    instruction.line = s->line;
    instruction.inlined = s->inlined;
    return append(s->function, s->block, instruction);
}

static uint32_t emit_to_fresh(struct selection *s, struct machine_instruction instruction) {
    instruction.dst = new_register(s->function, CLASS_VECTOR);
    emit(s, instruction);
    return instruction.dst;
}

uint32_t emit_rr(struct selection *s, uint8_t op, uint32_t a, uint32_t b) {
    struct machine_instruction i = make(op);
    i.src[0] = a;
    i.src[1] = b;
    return emit_to_fresh(s, i);
}

uint32_t emit_ri(struct selection *s, uint8_t op, uint32_t a, uint32_t imm) {
    struct machine_instruction i = make((uint8_t)(op | 0x80u));
    i.src[0] = a;
    i.imm = imm;
    return emit_to_fresh(s, i);
}

uint32_t emit_rrr(struct selection *s, uint8_t op, uint32_t a, uint32_t b, uint32_t c) {
    struct machine_instruction i = make(op);
    i.src[0] = a;
    i.src[1] = b;
    i.src[2] = c;
    return emit_to_fresh(s, i);
}

uint32_t emit_rir(struct selection *s, uint8_t op, uint32_t a, uint32_t number, uint32_t c) {
    struct machine_instruction i = make(op);
    i.src[0] = a;
    i.imm = number;
    i.src[2] = c;
    return emit_to_fresh(s, i);
}

uint32_t emit_mod(struct selection *s, uint8_t op, unsigned mod, uint32_t b) {
    struct machine_instruction i = make(op);
    i.mod = (uint8_t)mod;
    i.src[1] = b;
    return emit_to_fresh(s, i);
}

uint32_t emit_constant(struct selection *s, uint32_t value) {
    return value == 0 ? NONE : emit_ri(s, OP_MOV, NONE, value);
}

uint32_t emit_select(struct selection *s, struct predicate p, uint32_t a, uint32_t b) {
    struct machine_instruction i = make(OP_SEL);
    i.src[0] = a;
    i.src[1] = b;
    i.src[2] = p.reg;
    i.negated[2] = p.negated;
    return emit_to_fresh(s, i);
}

uint32_t emit_select_imm(struct selection *s, struct predicate p, uint32_t a, uint32_t imm) {
    struct machine_instruction i = make(OP_SEL_I);
    i.src[0] = a;
    i.imm = imm;
    i.src[2] = p.reg;
    i.negated[2] = p.negated;
    return emit_to_fresh(s, i);
}

static struct predicate emit_predicate(struct selection *s, struct machine_instruction i) {
    i.dst = new_register(s->function, CLASS_PREDICATE);
    emit(s, i);
    return (struct predicate){.reg = i.dst};
}

struct predicate emit_compare(struct selection *s, unsigned comparison, uint32_t a, uint32_t b) {
    struct machine_instruction i = make(OP_ISETP);
    i.mod = (uint8_t)comparison;
    i.src[0] = a;
    i.src[1] = b;
    return emit_predicate(s, i);
}

struct predicate emit_compare_imm(struct selection *s, unsigned comparison, uint32_t a, uint32_t imm) {
    struct machine_instruction i = make(OP_ISETP_I);
    i.mod = (uint8_t)comparison;
    i.src[0] = a;
    i.imm = imm;
    return emit_predicate(s, i);
}

struct predicate emit_logic(struct selection *s, unsigned operation, struct predicate a, struct predicate b) {
    struct machine_instruction i = make(OP_PSETP);
    i.mod = (uint8_t)operation;
    i.src[0] = a.reg;
    i.negated[0] = a.negated;
    i.src[1] = b.reg;
    i.negated[1] = b.negated;
    return emit_predicate(s, i);
}

// ---- constants ----

static uint32_t low_bits(unsigned width) {
    return width >= 32 ? 0xFFFFFFFFu : (1u << width) - 1u;
}

static bool constant_bits(LLVMValueRef v, unsigned from, unsigned width, uint32_t *value);

// The same of a vector, gathered from its elements.
static bool vector_bits(LLVMValueRef v, unsigned from, unsigned width, uint32_t *value) {
    const unsigned each = width_of(LLVMTypeOf(v));
    *value = 0;
    for (unsigned done = 0, taken; done < width; done += taken) {
        const unsigned at = (from + done) % each;
        LLVMValueRef element = LLVMGetAggregateElement(v, (from + done) / each);
        uint32_t bits;
        taken = each - at < width - done ? each - at : width - done;
        if (element == NULL || !constant_bits(element, at, taken, &bits)) return false;
        *value |= bits << done;
    }
    return true;
}

// Bits [from, from + width) of a constant without an address, as memory holds it: expressions of casts between vectors,
// which nobody folded because their result depends on the byte order. width is 1 to 32.
static bool constant_bits(LLVMValueRef v, unsigned from, unsigned width, uint32_t *value) {
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    if (LLVMIsNull(v) || LLVMIsUndef(v) || LLVMIsPoison(v)) {
        *value = 0;
        return true;
    }
    if (LLVMIsAConstantInt(v) && from < 64) {
        *value = (uint32_t)(LLVMConstIntGetZExtValue(v) >> from) & low_bits(width);
        return true;
    }
    if (LLVMIsAConstantFP(v) && (kind == LLVMFloatTypeKind || kind == LLVMHalfTypeKind)) {
        LLVMTypeRef integer = LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)), width_of(LLVMTypeOf(v)));
        return constant_bits(LLVMConstBitCast(v, integer), from, width, value);
    }
    if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMBitCast)
        return constant_bits(LLVMGetOperand(v, 0), from, width, value);
    if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMExtractElement) {
        LLVMValueRef vector = LLVMGetOperand(v, 0), index = LLVMGetOperand(v, 1);
        if (!LLVMIsAConstantInt(index)) return false;
        const unsigned each = width_of(LLVMTypeOf(v));
        return constant_bits(vector, (unsigned)LLVMConstIntGetZExtValue(index) * each + from, width, value);
    }
    return kind == LLVMVectorTypeKind && !LLVMIsAConstantExpr(v) && vector_bits(v, from, width, value);
}

static bool folded(struct selection *s, LLVMValueRef v, uint32_t *value);

// Address of a constant expression of globals.
static bool constant_address(struct selection *s, LLVMValueRef v, uint32_t *value) {
    if (LLVMIsAGlobalVariable(v) && LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == SPACE_LOCAL) {
        *value = place_local(s, v);
        return true;
    }
    if (LLVMIsAGlobalVariable(v)) {
        struct location at = s->instruction != NULL ? location_of(s->instruction) : (struct location){0};
        if (globals_place(s->globals, s->module, v, at, value)) return true;
        if (globals_place(s->variables, s->module, v, at, value)) {
            s->relative = true;
        } else {
            size_t length;
            unsupported(s, "the variable '%s' cannot be given a place", LLVMGetValueName2(v, &length));
            *value = 0;
        }
        return true;
    }
    if (!LLVMIsAConstantExpr(v)) return false;
    switch (LLVMGetConstOpcode(v)) {
        case LLVMIntToPtr:
        case LLVMPtrToInt:
        case LLVMBitCast: return folded(s, LLVMGetOperand(v, 0), value);
        case LLVMAddrSpaceCast: {
            LLVMValueRef from = LLVMGetOperand(v, 0);
            if (!folded(s, from, value)) return false;
            if (!LLVMIsNull(from)) *value += region_step(from, v);
            return true;
        }
        case LLVMAdd:
        case LLVMSub: {
            uint32_t a, b;
            if (!folded(s, LLVMGetOperand(v, 0), &a) || !folded(s, LLVMGetOperand(v, 1), &b)) return false;
            *value = LLVMGetConstOpcode(v) == LLVMAdd ? a + b : a - b;
            return true;
        }
        case LLVMGetElementPtr: {
            if (!folded(s, LLVMGetOperand(v, 0), value)) return false;
            LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
            LLVMTargetDataRef layout = s->module->layout;
            for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(v); k++) {
                uint32_t index;
                if (!folded(s, LLVMGetOperand(v, k), &index)) return false;
                if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
                    *value += (uint32_t)LLVMOffsetOfElement(layout, type, index);
                    type = LLVMStructGetTypeAtIndex(type, index);
                    continue;
                }
                if (k > 1) type = LLVMGetElementType(type);
                *value += index * (uint32_t)LLVMABISizeOfType(layout, type);
            }
            return true;
        }
        default: return false;
    }
}

static bool folded(struct selection *s, LLVMValueRef v, uint32_t *value) {
    if (LLVMIsAAllocaInst(v)) {
        *value = value_of(s, v)->place;
        return true;
    }
    if (!LLVMIsConstant(v)) return false;
    if (LLVMIsAConstantInt(v)) {
        *value = (uint32_t)LLVMConstIntGetZExtValue(v) & low_bits(LLVMGetIntTypeWidth(LLVMTypeOf(v)));
        return true;
    }
    if (LLVMIsAConstantFP(v) && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMFloatTypeKind) {
        LLVMValueRef bits = LLVMConstBitCast(v, LLVMInt32TypeInContext(s->module->context));
        *value = (uint32_t)LLVMConstIntGetZExtValue(bits);
        return true;
    }
    if (LLVMIsNull(v) || LLVMIsUndef(v) || LLVMIsPoison(v)) {
        *value = 0;
        return true;
    }
    if (constant_address(s, v, value)) return true;
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    if (kind != LLVMIntegerTypeKind && kind != LLVMFloatTypeKind && kind != LLVMHalfTypeKind) return false;
    const unsigned width = width_of(LLVMTypeOf(v));
    return constant_bits(v, 0, width < 32 ? width : 32, value);
}

bool constant_of(struct selection *s, LLVMValueRef v, uint32_t *value) {
    s->relative = false;
    bool known = folded(s, v, value);
    s->relative &= known;
    return known && !s->relative;
}

bool constant_wide(struct selection *s, LLVMValueRef v, uint64_t *value) {
    if (LLVMIsAConstantInt(v)) {
        *value = LLVMConstIntGetZExtValue(v);
        return true;
    }
    uint32_t low, high;
    if (LLVMIsAConstantExpr(v) && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
        LLVMGetIntTypeWidth(LLVMTypeOf(v)) == 64 && constant_bits(v, 0, 32, &low) && constant_bits(v, 32, 32, &high)) {
        *value = (uint64_t)high << 32 | low;
        return true;
    }
    bool known = constant_of(s, v, &low);
    *value = known ? low : 0;
    return known;
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
    return part < value->count ? value->parts[part] : NONE;
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
