// Variables and their registers: see debug_values.h. Nothing here makes an instruction, a register or a place in memory:
// what a value has not got by itself it does not get for a debugger.
#include "compiler/select/debug_values.h"

#include <string.h>

#include "compiler/ir/arguments.h"
#include "compiler/machine/places.h"
#include "compiler/select/values.h"

enum { DWARF_CONSTU = 0x10, DWARF_AND = 0x1a, DWARF_PLUS_UCONST = 0x23 };

void debug_values_begin(struct selection *s) {
    if (s->debug == NULL) return;
    s->function->places = take(1, sizeof *s->function->places);
    s->function->places->program = debug_program_of(s->debug);
    s->function->places->selected_blocks = s->block_count;
}

static struct debug_value *memory(enum debug_space space, uint32_t address) {
    struct debug_value *value = debug_new_value(1, 0);
    value->parts[0] = (struct debug_place){.where = DEBUG_MEMORY, .space = (uint8_t)space, .number = address};
    return value;
}

static bool names_global(LLVMValueRef v) {
    if (LLVMIsAGlobalValue(v)) return true;
    if (!LLVMIsAConstantExpr(v)) return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
        if (names_global(LLVMGetOperand(v, k))) return true;
    return false;
}

// The number of an address that names no variable.
static bool plain_address(struct selection *s, LLVMValueRef v, uint32_t *number) {
    return LLVMIsConstant(v) && !names_global(v) && constant_of(s, v, number);
}

// A kernel's argument stays in constant buffer 0 whatever becomes of the register it was read into.
static struct debug_value *argument(struct selection *s, LLVMValueRef v, bool by_value) {
    uint32_t address;
    if (LLVMIsALoadInst(v) && LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) == SPACE_ARGUMENTS &&
        plain_address(s, LLVMGetOperand(v, 0), &address))
        return memory(DEBUG_SPACE_BUFFER0, address);
    if (!LLVMIsAArgument(v) || s->function->is_called) return NULL;
    for (unsigned k = 0; k < LLVMCountParams(s->source); k++)
        if (LLVMGetParam(s->source, k) == v && (argument_by_value(s->source, k) != NULL) == by_value)
            return memory(DEBUG_SPACE_BUFFER0, s->offsets[k]);
    return NULL;
}

static struct debug_value *constant(struct selection *s, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    const unsigned elements = part_count(type), words = word_count(type), width = width_of(type);
    if (elements * words > DEBUG_WORDS_MAX) return NULL;
    struct debug_value *value = debug_new_value(elements * words, width >= 32 ? 4 : width > 8 ? 2 : 1);
    for (unsigned k = 0; k < elements * words; k++) {
        const unsigned from = k / words * width + k % words * 32;
        value->parts[k].where = DEBUG_NUMBER;
        if (LLVMGetTypeKind(type) == LLVMPointerTypeKind
                ? !plain_address(s, v, &value->parts[k].number)
                : !constant_bits(v, from, width < 32 ? width : 32, &value->parts[k].number))
            return NULL;
    }
    return value;
}

static bool put_first(struct debug_value *value, uint16_t code, uint32_t number) {
    if (value->count != 1) return false;
    struct debug_operation *longer = take(value->operation_count + 1u, sizeof *longer);
    if (value->operation_count > 0) memcpy(longer + 1, value->operations, value->operation_count * sizeof *longer);
    longer[0] = (struct debug_operation){.code = code, .number = number};
    value->operations = longer;
    value->operation_count++;
    return true;
}

static struct debug_value *in_registers(struct selection *s, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    const struct value *known = value_of(s, v);
    const unsigned width = width_of(type);
    if (known->count == 0 || known->count > DEBUG_WORDS_MAX) return NULL;
    struct debug_value *value = debug_new_value(known->count, width >= 32 ? 4 : width > 8 ? 2 : 1);
    bool any = false;
    for (unsigned k = 0; k < known->count; k++) {
        any |= known->parts[k] != NONE;
        value->parts[k].where = known->parts[k] == NONE ? DEBUG_NUMBER : DEBUG_REGISTER;
        if (known->parts[k] != NONE) value->parts[k].number = known->parts[k];
    }
    if (!any && is_flag(v) && known->predicate_stretch == s->stretch && known->predicate.reg != NONE) {
        value->parts[0] = (struct debug_place){
            .where = DEBUG_PREDICATE, .number = known->predicate.reg, .negated = known->predicate.negated};
        any = true;
    }
    if (any && known->bias != 0 && !put_first(value, DWARF_PLUS_UCONST, known->bias)) return NULL;
    return any ? value : NULL;
}

static bool is_scalar(LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
    switch (LLVMGetTypeKind(type)) {
        case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 64;
        case LLVMHalfTypeKind:
        case LLVMFloatTypeKind:
        case LLVMDoubleTypeKind:
        case LLVMPointerTypeKind: return true;
        default: return false;
    }
}

// Where a variable is that the value leads to.
static struct debug_value *behind(struct selection *s, LLVMValueRef v) {
    if (LLVMIsAAllocaInst(v)) {
        const struct value *known = value_of(s, v);
        return known->placed ? memory(DEBUG_SPACE_PRIVATE, known->place) : NULL;
    }
    return LLVMIsAArgument(v) ? argument(s, v, true) : NULL;
}

static struct debug_value *value_for(struct selection *s, const struct debug_mark *mark) {
    LLVMValueRef v = mark->value;
    if (v == NULL) return NULL;
    if (mark->address) return mark->operation_count == 0 ? behind(s, v) : NULL;
    if (!is_scalar(LLVMTypeOf(v))) return NULL;
    struct debug_value *value = LLVMIsConstant(v)            ? constant(s, v)
                                : mark->operation_count == 0 ? argument(s, v, false)
                                                             : NULL;
    if (value == NULL && LLVMIsAAllocaInst(v)) {
        const struct value *known = value_of(s, v);
        if (!known->placed) return NULL;
        value = debug_new_value(1, 4);
        value->parts[0] = (struct debug_place){.where = DEBUG_NUMBER, .number = known->place};
    }
    if (value == NULL && !LLVMIsConstant(v)) value = in_registers(s, v);
    if (value == NULL || mark->operation_count == 0) return value;
    // What is calculated is a word, of which the value may be the lowest bits only.
    const unsigned width = width_of(LLVMTypeOf(v));
    if (value->count != 1 || value->parts[0].where == DEBUG_MEMORY) return NULL;
    struct debug_operation *list = take(value->operation_count + mark->operation_count + 2u, sizeof *list);
    unsigned count = 0;
    for (unsigned k = 0; k < value->operation_count; k++)
        list[count++] = value->operations[k];
    if (width < 32) {
        list[count++] = (struct debug_operation){.code = DWARF_CONSTU, .number = low_bits(width)};
        list[count++] = (struct debug_operation){.code = DWARF_AND};
    }
    for (unsigned k = 0; k < mark->operation_count; k++)
        list[count++] = mark->operations[k];
    value->operations = list;
    value->operation_count = (uint8_t)count;
    value->bytes = 4;
    return value;
}

// LLVM moves instructions down past the record of their value: it is one only behind them.
static bool is_later(const struct selection *s, const struct debug_mark *mark, LLVMValueRef before) {
    if (mark->value == NULL || mark->address || !LLVMIsAInstruction(mark->value)) return false;
    const uint32_t block = block_number(s, LLVMGetInstructionParent(mark->value));
    if (block != s->block) return block != NONE && block > s->block;
    for (LLVMValueRef i = before; i != NULL; i = LLVMGetNextInstruction(i))
        if (i == mark->value) return true;
    return false;
}

void debug_values_before(struct selection *s, LLVMValueRef instruction) {
    if (s->debug == NULL) return;
    s->scope = debug_scope_at(s->debug, instruction) + 1;  // NONE becomes 0
    for (const struct debug_mark *mark = debug_marks_before(s->debug, instruction); mark != NULL;
         mark = debug_next_mark(s->debug, mark)) {
        struct debug_value *value = value_for(s, mark);
        // An argument is there before the first instruction.
        const bool launched = s->block == 0 && value != NULL && value->parts[0].where == DEBUG_MEMORY &&
                              value->parts[0].space == DEBUG_SPACE_BUFFER0;
        if (value == NULL && is_later(s, mark, instruction)) {
            s->later = grow(s->later, s->later_count, &s->later_capacity, sizeof *s->later);
            s->later[s->later_count++] =
                (struct later_mark){.mark = mark, .binding = s->function->places->binding_count};
        }
        places_bind(s->function, s->block, launched ? 1 : s->order, mark->slice, value);
    }
}

void debug_values_end(struct selection *s) {
    for (size_t k = 0; k < s->later_count; k++) {
        struct place_binding *binding = &s->function->places->bindings[s->later[k].binding];
        binding->value = value_for(s, s->later[k].mark);
        binding->later = true;
    }
}

// ---- variables that stay where they are

static void place_for_good(struct debug_records *debug, LLVMValueRef global, enum debug_space space, uint32_t place) {
    size_t count;
    const struct debug_global *globals = debug_globals(debug, &count);
    struct debug_program *program = debug_program_of(debug);
    for (size_t k = 0; k < count; k++)
        if (globals[k].global == global && program->slices[globals[k].slice].span_count == 0)
            debug_add_span(&program->slices[globals[k].slice], 0, NONE, memory(space, place));
}

void debug_place_locals(struct debug_records *debug, const struct kernel_tree *tree) {
    for (size_t k = 0; debug != NULL && k < tree->local_count; k++)
        place_for_good(debug, tree->locals[k].variable, DEBUG_SPACE_LOCAL, tree->locals[k].place);
}

void debug_place_globals(struct debug_records *debug, const struct globals *globals, enum debug_space space) {
    for (size_t k = 0; debug != NULL && k < globals->count; k++)
        place_for_good(debug, globals->places[k].global, space, globals->places[k].offset);
}
