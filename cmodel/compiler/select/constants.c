// Numbers that are known while compiling: see constants.h.
#include "compiler/select/constants.h"

#include "compiler/select/types.h"
#include "compiler/select/values.h"
#include "compiler/select/variables.h"

uint32_t low_bits(unsigned width) {
    return width >= 32 ? 0xFFFFFFFFu : (1u << width) - 1u;
}

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
bool constant_bits(LLVMValueRef v, unsigned from, unsigned width, uint32_t *value) {
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    if (LLVMIsNull(v) || LLVMIsUndef(v) || LLVMIsPoison(v)) {
        *value = 0;
        return true;
    }
    if (LLVMIsAConstantInt(v) && from < 64) {
        *value = (uint32_t)(LLVMConstIntGetZExtValue(v) >> from) & low_bits(width);
        return true;
    }
    if (LLVMIsAConstantFP(v)) {
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
            if (!LLVMIsNull(from)) *value += window_step(from, v);
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
    if (kind != LLVMIntegerTypeKind && kind != LLVMFloatTypeKind && kind != LLVMHalfTypeKind &&
        kind != LLVMDoubleTypeKind)
        return false;
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
    if ((LLVMIsAConstantExpr(v) || LLVMIsAConstantFP(v)) && LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVectorTypeKind &&
        width_of(LLVMTypeOf(v)) == 64 && constant_bits(v, 0, 32, &low) && constant_bits(v, 32, 32, &high)) {
        *value = (uint64_t)high << 32 | low;
        return true;
    }
    bool known = constant_of(s, v, &low);
    *value = known ? low : 0;
    return known;
}
