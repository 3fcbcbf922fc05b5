// Between which limits an integer of the LLVM IR lies, as far as one look at how it was made tells.
#include "compiler/ir/ir_range.h"

#include <string.h>

#include "compiler/ir/module.h"
#include "compiler/ir/names.h"
#include "gen/isa.h"

enum { DEPTH = 8, POINTER_BITS = 32, GROUP_MAX = 65535 };

unsigned ir_width(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return POINTER_BITS;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64) return 0;
    return LLVMGetIntTypeWidth(type);
}

struct ir_range ir_range_full(unsigned width, bool is_signed) {
    if (is_signed) return (struct ir_range){-power_of_two(width - 1), power_of_two(width - 1) - 1};
    return (struct ir_range){0, power_of_two(width) - 1};
}

static struct ir_range both(struct ir_range a, struct ir_range b) {
    return (struct ir_range){a.lowest < b.lowest ? a.lowest : b.lowest, a.highest > b.highest ? a.highest : b.highest};
}

static struct ir_range range(LLVMValueRef v, bool is_signed, unsigned depth);

// Sizes and numbers of work-items.
static struct ir_range of_call(LLVMValueRef v, struct ir_range full, unsigned depth) {
    LLVMValueRef f = LLVMGetCalledValue(v);
    size_t length;
    if (f == NULL || LLVMIsAFunction(f) == NULL) return full;
    const char *name = LLVMGetValueName2(f, &length);
    if (strncmp(name, "llvm.umin.", 10) == 0) {
        struct ir_range a = range(LLVMGetOperand(v, 0), false, depth), b = range(LLVMGetOperand(v, 1), false, depth);
        return (struct ir_range){a.lowest < b.lowest ? a.lowest : b.lowest,
                                 a.highest < b.highest ? a.highest : b.highest};
    }
    if (strcmp(name, NAME_SPECIAL) != 0 || LLVMIsAConstantInt(LLVMGetOperand(v, 0)) == NULL) return full;
    switch (LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0))) {
        case SR_TID_X:
        case SR_TID_Y:
        case SR_TID_Z:
        case SR_LANEID: return (struct ir_range){0, GROUP_MAX};
        case SR_NTID_X:
        case SR_NTID_Y:
        case SR_NTID_Z: return (struct ir_range){1, GROUP_MAX};
        default: return full;
    }
}

static bool is_special(LLVMValueRef v, unsigned first) {
    struct ir_range found = {0, 0};
    size_t length;
    if (!LLVMIsACallInst(v) || !LLVMIsAFunction(LLVMGetCalledValue(v)) ||
        strcmp(LLVMGetValueName2(LLVMGetCalledValue(v), &length), NAME_SPECIAL) != 0)
        return false;
    found = ir_range(LLVMGetOperand(v, 0), false);
    return found.lowest == found.highest && found.lowest >= first && found.lowest <= first + 2;
}

// A constant: where threads take turns.
static bool is_local_size(LLVMValueRef v) {
    return is_special(v, SR_NTID_X) || (LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) - 1 < GROUP_MAX);
}

// get_global_size(): as the driver takes launches.
static bool is_global_size(LLVMValueRef v) {
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    return LLVMGetInstructionOpcode(v) == LLVMMul &&
           ((is_local_size(a) && is_special(b, SR_NCTAID_X)) || (is_local_size(b) && is_special(a, SR_NCTAID_X)));
}

static struct ir_range unsigned_range(LLVMValueRef v, unsigned depth) {
    struct ir_range full = ir_range_full(ir_width(v), false);
    if (LLVMIsACallInst(v)) return of_call(v, full, depth);
    if (LLVMIsAZExtInst(v)) return range(LLVMGetOperand(v, 0), false, depth);
    if (LLVMIsABinaryOperator(v) == NULL) return full;
    if (is_global_size(v)) return (struct ir_range){1, full.highest};
    if (LLVMIsAConstantInt(LLVMGetOperand(v, 1)) == NULL) return full;
    wide_number c = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    struct ir_range from = range(LLVMGetOperand(v, 0), false, depth);
    switch (LLVMGetInstructionOpcode(v)) {
        case LLVMAnd: return (struct ir_range){0, c < from.highest ? c : from.highest};
        case LLVMLShr:
            if (c >= ir_width(v)) return full;
            return (struct ir_range){from.lowest >> c, from.highest >> c};
        case LLVMUDiv: return c == 0 ? full : (struct ir_range){from.lowest / c, from.highest / c};
        case LLVMURem: return c == 0 ? full : (struct ir_range){0, c - 1};
        default: return full;
    }
}

static struct ir_range range(LLVMValueRef v, bool is_signed, unsigned depth) {
    unsigned width = ir_width(v);
    struct ir_range full = ir_range_full(width, is_signed);
    if (LLVMIsAConstantInt(v)) {
        wide_number number = is_signed ? (wide_number)LLVMConstIntGetSExtValue(v) : LLVMConstIntGetZExtValue(v);
        return (struct ir_range){number, number};
    }
    if (depth == 0 || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind) return full;
    if (LLVMIsASelectInst(v))
        return both(range(LLVMGetOperand(v, 1), is_signed, depth - 1),
                    range(LLVMGetOperand(v, 2), is_signed, depth - 1));
    if (LLVMIsASExtInst(v)) {
        struct ir_range inner = range(LLVMGetOperand(v, 0), true, depth - 1);
        return is_signed || inner.lowest >= 0 ? inner : full;
    }
    struct ir_range found = unsigned_range(v, depth - 1);
    return !is_signed || found.highest < power_of_two(width - 1) ? found : full;
}

struct ir_range ir_range(LLVMValueRef value, bool is_signed) {
    return range(value, is_signed, DEPTH);
}

static unsigned zeros_of(uint64_t number) {
    return number == 0 ? 64 : (unsigned)__builtin_ctzll(number);
}

static unsigned zeros_below(LLVMValueRef v, unsigned depth) {
    if (LLVMIsAConstantInt(v)) return zeros_of(LLVMConstIntGetZExtValue(v));
    if (depth == 0) return 0;
    if (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v)) return zeros_below(LLVMGetOperand(v, 0), depth - 1);
    if (LLVMIsABinaryOperator(v) == NULL) return 0;
    unsigned a = zeros_below(LLVMGetOperand(v, 0), depth - 1), b = zeros_below(LLVMGetOperand(v, 1), depth - 1);
    switch (LLVMGetInstructionOpcode(v)) {
        case LLVMAdd:
        case LLVMSub:
        case LLVMOr: return a < b ? a : b;
        case LLVMAnd: return a > b ? a : b;
        case LLVMMul: return a + b;
        case LLVMShl:
            return LLVMIsAConstantInt(LLVMGetOperand(v, 1)) != NULL &&
                           LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) < 64
                       ? a + (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1))
                       : a;
        default: return 0;
    }
}

unsigned ir_zeros_below(LLVMValueRef value) {
    return zeros_below(value, DEPTH);
}
