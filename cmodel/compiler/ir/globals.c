// Lays constant globals out as bytes, the way the data layout says.
#include "compiler/ir/globals.h"

#include <string.h>

enum { RODATA_MAX = 65536, DATA_MAX = 16 << 20 };

struct layout {
    struct globals *globals;
    struct module *module;
    struct location at;
};

static bool put_value(struct layout *l, LLVMValueRef value, size_t offset);

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
            if (l->globals->variables || !LLVMIsAGlobalVariable(value) ||
                !globals_place(l->globals, l->module, value, l->at, &target))
                return false;
            put_bytes(l, target, offset, 4);
            return true;
        }
        default: return false;
    }
}

static bool lay_out(struct globals *globals, struct module *module, LLVMValueRef global, struct location at,
                    uint32_t *offset) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    LLVMValueRef contents = LLVMGetInitializer(global);
    uint64_t size = LLVMABISizeOfType(module->layout, type), alignment = LLVMGetAlignment(global);
    if (alignment < 4) alignment = 4;
    uint64_t start = (globals->size + alignment - 1) / alignment * alignment;
    if (contents == NULL) {
        report_error(module->compilation, at, "'%s' is declared but nowhere defined", name);
        return false;
    }
    if (start + size > (globals->variables ? DATA_MAX : RODATA_MAX)) {
        report_error(module->compilation, at, "'%s': the program's %s take more than %d bytes", name,
                     globals->variables ? "variables in global memory" : "constant tables",
                     globals->variables ? DATA_MAX : RODATA_MAX);
        return false;
    }
    uint8_t *moved = take(start + size, 1);
    if (globals->size > 0) memcpy(moved, globals->data, globals->size);
    globals->data = moved;
    globals->size = start + size;
    *offset = (uint32_t)start;
    struct layout l = {.globals = globals, .module = module, .at = at};
    if (put_value(&l, contents, start)) return true;
    report_error(module->compilation, at, "'%s' has contents that are not supported", name);
    return false;
}

bool globals_place(struct globals *globals, struct module *module, LLVMValueRef global, struct location at,
                   uint32_t *offset) {
    for (size_t k = 0; k < globals->count; k++) {
        if (globals->places[k].global != global) continue;
        *offset = globals->places[k].offset;
        return globals->places[k].placed;
    }
    if (!LLVMIsAGlobalVariable(global)) return false;
    bool in_memory = LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == SPACE_GLOBAL;
    if (globals->variables ? !in_memory : in_memory || !LLVMIsGlobalConstant(global)) return false;
    globals->places = grow(globals->places, globals->count, &globals->place_capacity, sizeof *globals->places);
    size_t place = globals->count++;
    globals->places[place] = (struct global_place){.global = global};
    *offset = 0;
    bool placed = lay_out(globals, module, global, at, offset);
    globals->places[place].offset = *offset;
    globals->places[place].placed = placed;
    return placed;
}
