// Lays constant globals out as bytes, the way the data layout says.
#include "compiler/ir/globals.h"

#include <string.h>

#define SECTION ".data"  // of variables that are kept

enum { RODATA_MAX = 65536, DATA_MAX = 16 << 20 };

struct layout {
    struct globals *globals;
    struct module *module;
    struct location at;
};

static bool put_value(struct layout *l, LLVMValueRef value, size_t offset);

static bool is_variable(LLVMValueRef global) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == SPACE_GLOBAL;
}

static void put_bytes(struct layout *l, uint64_t value, size_t offset, uint64_t size) {
    for (uint64_t k = 0; k < size && k < 8; k++)
        l->globals->data[offset + k] = (uint8_t)(value >> (8 * k));
}

// The bits, as a constant of the integer of the same size.
static bool put_float(struct layout *l, LLVMValueRef value, size_t offset) {
    LLVMContextRef context = l->module->context;
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    LLVMTypeRef bits = kind == LLVMHalfTypeKind    ? LLVMInt16TypeInContext(context)
                       : kind == LLVMFloatTypeKind ? LLVMInt32TypeInContext(context)
                                                   : LLVMInt64TypeInContext(context);
    return put_value(l, LLVMConstBitCast(value, bits), offset);
}

// The place that an address of a variable names, behind casts and steps into arrays and structures.
static bool variable_address(struct layout *l, LLVMValueRef value, uint32_t *place) {
    if (LLVMIsAGlobalVariable(value))
        return is_variable(value) && globals_place(l->globals, l->module, value, l->at, place);
    if (!LLVMIsAConstantExpr(value) || !variable_address(l, LLVMGetOperand(value, 0), place)) return false;
    const LLVMOpcode opcode = LLVMGetConstOpcode(value);
    // A pointer into any memory is the same number.
    if (opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast) return true;
    if (opcode != LLVMGetElementPtr) return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(value); k++) {
        LLVMValueRef index = LLVMGetOperand(value, k);
        if (!LLVMIsAConstantInt(index)) return false;
        const uint32_t number = (uint32_t)LLVMConstIntGetSExtValue(index);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *place += (uint32_t)LLVMOffsetOfElement(l->module->layout, type, number);
            type = LLVMStructGetTypeAtIndex(type, number);
            continue;
        }
        if (k > 1) type = LLVMGetElementType(type);
        *place += number * (uint32_t)LLVMABISizeOfType(l->module->layout, type);
    }
    return true;
}

// The driver makes an address of it.
static bool put_variable_address(struct layout *l, LLVMValueRef value, size_t offset) {
    struct globals *globals = l->globals;
    uint32_t place;
    if (offset % 4 != 0 || !variable_address(l, value, &place) || place > globals->size) return false;
    put_bytes(l, place, offset, 4);
    globals->pointers = grow(globals->pointers, globals->pointers_size + 3, &globals->pointers_capacity, 1);
    for (unsigned k = 0; k < 4; k++)
        globals->pointers[globals->pointers_size++] = (uint8_t)(offset >> 8 * k);
    return true;
}

static bool put_elements(struct layout *l, LLVMValueRef value, size_t offset, uint64_t count, LLVMTypeRef element) {
    uint64_t stride = LLVMABISizeOfType(l->module->layout, element);
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef part = LLVMGetAggregateElement(value, k);
        if (part == NULL || !put_value(l, part, offset + k * stride)) return false;
    }
    return true;
}

static bool put_value(struct layout *l, LLVMValueRef value, size_t offset) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTargetDataRef layout = l->module->layout;
    if (LLVMIsNull(value) || LLVMIsUndef(value) || LLVMIsPoison(value)) return true;  // the bytes are 0 already
    switch (LLVMGetTypeKind(type)) {
        case LLVMIntegerTypeKind:
            if (LLVMGetIntTypeWidth(type) > 64) return false;
            put_bytes(l, LLVMConstIntGetZExtValue(value), offset, LLVMABISizeOfType(layout, type));
            return true;
        case LLVMHalfTypeKind:
        case LLVMFloatTypeKind:
        case LLVMDoubleTypeKind: return LLVMIsAConstantFP(value) && put_float(l, value, offset);
        case LLVMArrayTypeKind:
            return put_elements(l, value, offset, LLVMGetArrayLength2(type), LLVMGetElementType(type));
        case LLVMVectorTypeKind:
            return put_elements(l, value, offset, LLVMGetVectorSize(type), LLVMGetElementType(type));
        case LLVMStructTypeKind:
            for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++) {
                LLVMValueRef part = LLVMGetAggregateElement(value, k);
                if (part == NULL || !put_value(l, part, offset + LLVMOffsetOfElement(layout, type, k))) return false;
            }
            return true;
        case LLVMPointerTypeKind: {
            uint32_t target;
            if (l->globals->variables) return put_variable_address(l, value, offset);
            if (!LLVMIsAGlobalVariable(value) || !globals_place(l->globals, l->module, value, l->at, &target))
                return false;
            put_bytes(l, target, offset, 4);
            return true;
        }
        default: return false;
    }
}

static void claim(struct globals *globals, size_t size) {
    if (size <= globals->size) return;
    uint8_t *moved = take(size, 1);
    if (globals->size > 0) memcpy(moved, globals->data, globals->size);
    globals->data = moved;
    globals->size = size;
}

static uint64_t aligned(LLVMValueRef global, uint64_t start) {
    const uint64_t alignment = LLVMGetAlignment(global) < 4 ? 4 : LLVMGetAlignment(global);
    return (start + alignment - 1) / alignment * alignment;
}

static bool lay_out(struct globals *globals, struct module *module, LLVMValueRef global, struct location at,
                    struct global_place *place) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    LLVMValueRef contents = LLVMGetInitializer(global);
    const uint64_t behind = globals->size > globals->reserved ? globals->size : globals->reserved;
    const uint64_t start = place->reserved ? place->offset : aligned(global, behind);
    const uint64_t end = start + LLVMABISizeOfType(module->layout, LLVMGlobalGetValueType(global));
    if (contents == NULL) {
        report_error(module->compilation, at, "'%s' is declared but nowhere defined", name);
        return false;
    }
    if (end > (globals->variables ? DATA_MAX : RODATA_MAX)) {
        report_error(module->compilation, at, "'%s': the program's %s take more than %d bytes", name,
                     globals->variables ? "variables in global memory" : "constant tables",
                     globals->variables ? DATA_MAX : RODATA_MAX);
        return false;
    }
    claim(globals, end > globals->reserved ? end : globals->reserved);
    place->offset = (uint32_t)start;
    struct layout l = {.globals = globals, .module = module, .at = at};
    if (put_value(&l, contents, start)) return true;
    report_error(module->compilation, at, "'%s' has contents that are not supported", name);
    return false;
}

void variables_keep(const struct module *module) {
    LLVMValueRef next;
    for (LLVMValueRef v = LLVMGetFirstGlobal(module->module); v != NULL; v = next) {
        next = LLVMGetNextGlobal(v);
        if (!is_variable(v) || LLVMIsDeclaration(v)) continue;
        if (LLVMGetFirstUse(v) == NULL) {
            LLVMDeleteGlobal(v);
            continue;
        }
        // In a section, and with an alignment, LLVM may not give it a larger one.
        LLVMSetLinkage(v, LLVMExternalLinkage);
        LLVMSetAlignment(v, (unsigned)aligned(v, LLVMABIAlignmentOfType(module->layout, LLVMGlobalGetValueType(v))));
        LLVMSetSection(v, SECTION);
    }
}

// Another place for a global; its index.
static size_t add_place(struct globals *globals, LLVMValueRef global) {
    globals->places = grow(globals->places, globals->count, &globals->place_capacity, sizeof *globals->places);
    globals->places[globals->count] = (struct global_place){.global = global};
    return globals->count++;
}

void variables_reserve(struct globals *variables, const struct module *module) {
    for (LLVMValueRef v = LLVMGetFirstGlobal(module->module); v != NULL; v = LLVMGetNextGlobal(v)) {
        if (!is_variable(v) || strcmp(LLVMGetSection(v), SECTION) != 0) continue;
        const uint64_t start = aligned(v, variables->reserved);
        const uint64_t end = start + LLVMABISizeOfType(module->layout, LLVMGlobalGetValueType(v));
        // One that does not fit is refused when something uses it.
        if (end > DATA_MAX) continue;
        const size_t k = add_place(variables, v);
        variables->places[k].reserved = true;
        variables->places[k].offset = (uint32_t)start;
        variables->reserved = (size_t)end;
    }
}

bool globals_place(struct globals *globals, struct module *module, LLVMValueRef global, struct location at,
                   uint32_t *offset) {
    size_t k = 0;
    while (k < globals->count && globals->places[k].global != global)
        k++;
    if (k < globals->count && !globals->places[k].reserved) {
        *offset = globals->places[k].offset;
        return globals->places[k].placed;
    }
    if (!LLVMIsAGlobalVariable(global)) return false;
    if (globals->variables ? !is_variable(global) : is_variable(global) || !LLVMIsGlobalConstant(global)) return false;
    if (k == globals->count) k = add_place(globals, global);
    // Its contents may name others, whose places move those that there are.
    struct global_place place = globals->places[k];
    globals->places[k].reserved = false;
    globals->places[k].placed = place.reserved;  // it may name itself
    place.placed = lay_out(globals, module, global, at, &place);
    place.reserved = false;
    globals->places[k] = place;
    *offset = place.offset;
    return place.placed;
}
