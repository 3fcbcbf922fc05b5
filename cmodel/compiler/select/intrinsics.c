// Calls: the functions that the compiler gives itself, barriers and fences, and LLVM's intrinsics on integers.
#include "compiler/select/intrinsics.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/ir/names.h"
#include "compiler/library/work_queue.h"
#include "compiler/select/floats.h"
#include "compiler/select/function_calls.h"
#include "compiler/select/memory.h"
#include "compiler/select/values.h"
#include "compiler/select/wide_intrinsics.h"
#include "gen/isa.h"
#include "isa/code_object.h"

static bool number_argument(struct selection *s, LLVMValueRef i, unsigned k, uint32_t *number) {
    return constant_of(s, LLVMGetOperand(i, k), number);
}

// Of the pair of scalar registers that VOTE writes; software sub-vector loops have S0.
enum { SCALAR_VOTE = 2 };

// A word that belongs to the whole warp.
static uint32_t scalar(struct selection *s, uint32_t number) {
    struct machine_instruction read = make(OP_SRD);
    read.imm = number;
    read.dst = new_register(s->function, CLASS_VECTOR);
    emit(s, read);
    return read.dst;
}

// What threads of a warp know of each other.
static bool select_warp(struct selection *s, LLVMValueRef i, const char *name) {
    if (strcmp(name, NAME_EXEC_LO) == 0 || strcmp(name, NAME_EXEC_HI) == 0) {
        define(s, i, scalar(s, strcmp(name, NAME_EXEC_LO) == 0 ? SCALAR_EXEC_LO : SCALAR_EXEC_HI), 0);
        return true;
    }
    if (strcmp(name, NAME_VOTE) == 0) {
        const struct predicate is = emit_compare_imm(s, CMP_NE, reg_of(s, LLVMGetOperand(i, 0)), 0);
        struct machine_instruction vote = make(OP_VOTE);
        vote.guard = is.reg;
        vote.guard_negated = is.negated;
        vote.imm = SCALAR_VOTE;
        emit(s, vote);
        struct value *value = value_new(s, i, 2);
        value->parts[0] = scalar(s, SCALAR_VOTE);
        value->parts[1] = scalar(s, SCALAR_VOTE + 1);
        return true;
    }
    if (strcmp(name, NAME_TEAM_LANE) == 0 || strcmp(name, NAME_TEAM_THREADS) == 0) {
        const bool lane = strcmp(name, NAME_TEAM_LANE) == 0;
        struct machine_instruction read = make(lane ? OP_S2R : OP_LDC);
        read.mod = lane ? 0 : SIZE_U16;
        read.imm = lane ? SR_LANEID : LAUNCH_WARP_THREADS;
        read.dst = new_register(s->function, CLASS_VECTOR);
        emit(s, read);
        define(s, i, read.dst, 0);
        return true;
    }
    if (strcmp(name, NAME_SHUFFLE) == 0) {
        const uint32_t value = reg_of(s, LLVMGetOperand(i, 0));
        define(s, i, emit_rr(s, OP_SHFL, value, reg_of(s, LLVMGetOperand(i, 1))), 0);
        return true;
    }
    return false;
}

static bool select_own(struct selection *s, LLVMValueRef i, const char *name) {
    uint32_t number = 0;
    if (select_float_own(s, i, name) || select_warp(s, i, name)) return true;
    if (strcmp(name, NAME_SPECIAL) == 0 || strcmp(name, NAME_CONSTANT) == 0) {
        if (!number_argument(s, i, 0, &number)) return false;
        if (strcmp(name, NAME_CONSTANT) == 0 && number == LAUNCH_CONSTANT_QUEUE) s->function->uses_work_queue = true;
        bool special = strcmp(name, NAME_SPECIAL) == 0;
        struct machine_instruction read = make(special ? OP_S2R : OP_LDC);
        read.mod = special ? 0 : SIZE_32;
        read.imm = number;
        read.dst = new_register(s->function, CLASS_VECTOR);
        emit(s, read);
        define(s, i, read.dst, 0);
        return true;
    }
    if (strcmp(name, NAME_IABSD) == 0 || strcmp(name, NAME_UABSD) == 0) {
        uint32_t left = reg_of(s, LLVMGetOperand(i, 0));
        uint8_t op = strcmp(name, NAME_IABSD) == 0 ? OP_IABSD : OP_UABSD;
        define(s, i, emit_rr(s, op, left, reg_of(s, LLVMGetOperand(i, 1))), 0);
        return true;
    }
    if (strcmp(name, NAME_YIELD) == 0) {
        s->function->blocks[s->block].spins = s->function->blocks[s->block].waits = true;
        return true;
    }
    if (strcmp(name, NAME_YIELD_NTH) == 0 || strcmp(name, NAME_YIELD_RANDOM) == 0) {
        struct machine_block *block = &s->function->blocks[s->block];
        block->spins = true;
        block->yield = strcmp(name, NAME_YIELD_NTH) == 0 ? YIELD_NTH : YIELD_RANDOM;
        return number_argument(s, i, 0, &block->seldom);
    }
    if (strcmp(name, NAME_CLOCK) == 0 || strcmp(name, NAME_CLOCK_HI) == 0) {
        struct machine_instruction read = make(OP_S2R);
        read.imm = strcmp(name, NAME_CLOCK) == 0 ? SR_CLOCK_LO : SR_CLOCK_HI;
        read.dst = new_register(s->function, CLASS_VECTOR);
        emit(s, read);
        define(s, i, read.dst, 0);
        return true;
    }
    if (strcmp(name, NAME_LAUNCH) == 0 || strcmp(name, NAME_LAUNCH_WAIT) == 0) {
        struct machine_instruction launch = make(OP_LAUNCH);
        launch.mod = strcmp(name, NAME_LAUNCH_WAIT) == 0;
        launch.src[0] = emit_ri(s, OP_SHR, reg_of(s, LLVMGetOperand(i, 0)), 8);
        emit(s, launch);
        return true;
    }
    if (strcmp(name, NAME_UMULHI) == 0 || strcmp(name, NAME_SMULHI) == 0) {
        uint8_t op = strcmp(name, NAME_UMULHI) == 0 ? OP_UMULHI : OP_IMULHI;
        LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
        if (number_argument(s, i, 0, &number)) {
            LLVMValueRef held = a;
            a = b;
            b = held;
        }
        uint32_t left = reg_of(s, a);
        define(s, i, constant_of(s, b, &number) ? emit_ri(s, op, left, number) : emit_rr(s, op, left, reg_of(s, b)), 0);
        return true;
    }
    if (strcmp(name, "_Z7barrierj") == 0 || starts(name, "_Z18work_group_barrierj")) {
        emit(s, make(OP_MEMBAR));
        emit(s, make(OP_BAR));
        s->function->uses_barrier = true;
        return true;
    }
    if (strcmp(name, "_Z9mem_fencej") == 0 || strcmp(name, "_Z14read_mem_fencej") == 0 ||
        strcmp(name, "_Z15write_mem_fencej") == 0) {
        emit(s, make(OP_MEMBAR));
        return true;
    }
    return false;
}

// ---- intrinsics ----

static unsigned width_at(LLVMValueRef i) {
    return width_of(LLVMTypeOf(i));
}

static uint32_t mask_of(unsigned width) {
    return width >= 32 ? 0xFFFFFFFFu : (1u << width) - 1u;
}

static void minimum_or_maximum(struct selection *s, LLVMValueRef i, uint8_t op, bool is_signed) {
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    uint32_t number;
    uint32_t left = is_signed ? reg_sign(s, a) : reg_zeros(s, a);
    if (width_at(i) == 32 && constant_of(s, b, &number)) {
        define(s, i, emit_ri(s, op, left, number), 0);
        return;
    }
    uint32_t right = is_signed ? reg_sign(s, b) : reg_zeros(s, b);
    define(s, i, emit_rr(s, op, left, right), is_signed ? KNOWN_SIGN : KNOWN_ZEROS);
}

static uint32_t one_operand(struct selection *s, uint8_t op, uint32_t from) {
    return emit_rr(s, op, NONE, from);
}

static void count_zeros(struct selection *s, LLVMValueRef i, bool leading) {
    unsigned width = width_at(i);
    uint32_t from = reg_zeros(s, LLVMGetOperand(i, 0)), count;
    if (leading) {
        count = one_operand(s, OP_CLZ, from);
        if (width < 32) count = emit_ri(s, OP_ISUB, count, 32 - width);
    } else {
        if (width < 32) from = emit_ri(s, OP_OR, from, 1u << width);  // stops the count at the width
        count = one_operand(s, OP_CLZ, one_operand(s, OP_BREV, from));
    }
    define(s, i, count, KNOWN_ZEROS);
}

static void swap_bytes(struct selection *s, LLVMValueRef i) {
    // Four numbers of bytes, the lowest byte's last; 4 is a byte of RZ.
    uint32_t from = reg_of(s, LLVMGetOperand(i, 0));
    define(s, i, emit_rir(s, OP_PRMT, from, width_at(i) == 16 ? 0x4401 : 0x0123, NONE), KNOWN_ZEROS);
}

// The upper (fshl) or lower (fshr) word of the pair {a, b}, shifted by c modulo the width.
static bool funnel_shift(struct selection *s, LLVMValueRef i, bool left) {
    unsigned width = width_at(i);
    LLVMValueRef va = LLVMGetOperand(i, 0), vb = LLVMGetOperand(i, 1), vc = LLVMGetOperand(i, 2);
    uint32_t number;
    if (width != 8 && width != 16 && width != 32) return false;
    uint32_t a = reg_of(s, va), b = reg_zeros(s, vb);
    bool fixed = constant_of(s, vc, &number);
    if (width < 32) {
        uint32_t pair = emit_rr(s, OP_OR, emit_ri(s, OP_SHL, a, width), b);
        uint32_t amount = fixed ? NONE : emit_ri(s, OP_AND, reg_of(s, vc), width - 1);
        uint8_t op = left ? OP_SHL : OP_SHR;
        if (width == 16 && left) {
            // The pair fills the register: shift left, then take the upper half.
            uint32_t moved = fixed ? emit_ri(s, op, pair, number & 15u) : emit_rr(s, op, pair, amount);
            define(s, i, emit_ri(s, OP_SHR, moved, 16), KNOWN_ZEROS);
            return true;
        }
        uint32_t moved = fixed ? emit_ri(s, op, pair, number & (width - 1)) : emit_rr(s, op, pair, amount);
        define(s, i, left ? emit_ri(s, OP_SHR, moved, width) : moved, 0);
        return true;
    }
    uint8_t op = left ? OP_FSHL : OP_FSHR;
    define(s, i, fixed ? emit_rir(s, op, a, number & 31u, b) : emit_rrr(s, op, a, reg_of(s, vc), b), 0);
    return true;
}

static void saturate(struct selection *s, LLVMValueRef i, bool is_signed, bool add) {
    LLVMValueRef va = LLVMGetOperand(i, 0), vb = LLVMGetOperand(i, 1);
    unsigned width = width_at(i);
    uint32_t a = is_signed ? reg_sign(s, va) : reg_zeros(s, va), b = is_signed ? reg_sign(s, vb) : reg_zeros(s, vb);
    if (width == 32) {
        uint8_t op = is_signed ? (add ? OP_IADDSAT : OP_ISUBSAT) : add ? OP_UADDSAT : OP_USUBSAT;
        define(s, i, emit_rr(s, op, a, b), 0);
    } else if (is_signed) {
        uint32_t most = mask_of(width - 1), result = emit_rr(s, add ? OP_IADD : OP_ISUB, a, b);
        define(s, i, emit_ri(s, OP_IMAX, emit_ri(s, OP_IMIN, result, most), ~most), KNOWN_SIGN);
    } else if (add) {
        define(s, i, emit_ri(s, OP_UMIN, emit_rr(s, OP_IADD, a, b), mask_of(width)), KNOWN_ZEROS);
    } else {
        define(s, i, emit_rr(s, OP_USUBSAT, a, b), KNOWN_ZEROS);
    }
}

// Negative: the signed result of a + b (a - b) has wrapped.
static uint32_t wrapped(struct selection *s, bool add, uint32_t a, uint32_t b, uint32_t result) {
    uint32_t x = emit_rr(s, OP_XOR, a, add ? result : b), y = emit_rr(s, OP_XOR, add ? b : a, result);
    return emit_rr(s, OP_AND, x, y);
}

static bool with_overflow(struct selection *s, LLVMValueRef i, const char *operation) {
    LLVMValueRef va = LLVMGetOperand(i, 0), vb = LLVMGetOperand(i, 1);
    unsigned width = width_at(va);
    bool is_signed = operation[0] == 's';
    char kind = operation[1];  // add, sub, mul
    uint32_t a = is_signed ? reg_sign(s, va) : reg_zeros(s, va), b = is_signed ? reg_sign(s, vb) : reg_zeros(s, vb);
    uint32_t result = emit_rr(s, kind == 'a' ? OP_IADD : kind == 's' ? OP_ISUB : OP_IMUL, a, b);
    struct predicate over;
    if (width < 32) {
        if (kind == 'm' && width > 16) return false;
        uint32_t cut = is_signed ? emit_ri(s, OP_SAR, emit_ri(s, OP_SHL, result, 32 - width), 32 - width)
                                 : emit_ri(s, OP_AND, result, mask_of(width));
        over = emit_compare(s, CMP_NE, cut, result);
    } else if (kind == 'm') {
        uint32_t high = emit_rr(s, is_signed ? OP_IMULHI : OP_UMULHI, a, b);
        over = emit_compare(s, CMP_NE, high, is_signed ? emit_ri(s, OP_SAR, result, 31) : NONE);
    } else if (is_signed) {
        over = emit_compare_imm(s, CMP_LT, wrapped(s, kind == 'a', a, b, result), 0);
    } else {
        over = kind == 'a' ? emit_compare(s, CMP_ULT, result, a) : emit_compare(s, CMP_ULT, a, b);
    }
    struct value *value = value_new(s, i, 1);
    value->parts[0] = result;
    value->overflow = take(1, sizeof *value->overflow);
    value->overflow->parts = take(1, sizeof *value->overflow->parts);
    value->overflow->parts[0] = NONE;
    flag_result(s, value->overflow, i, over);
    return true;
}

static void three_way(struct selection *s, LLVMValueRef i, bool is_signed) {
    LLVMValueRef va = LLVMGetOperand(i, 0), vb = LLVMGetOperand(i, 1);
    uint32_t a = is_signed ? reg_sign(s, va) : reg_zeros(s, va), b = is_signed ? reg_sign(s, vb) : reg_zeros(s, vb);
    struct predicate not_greater = emit_compare(s, is_signed ? CMP_LE : CMP_ULE, a, b);
    struct predicate not_less = emit_compare(s, is_signed ? CMP_GE : CMP_UGE, a, b);
    uint32_t greater = emit_select_imm(s, not_greater, NONE, 1);
    define(s, i, emit_rr(s, OP_ISUB, greater, emit_select_imm(s, not_less, NONE, 1)), KNOWN_SIGN);
}

static void copy_or_fill(struct selection *s, LLVMValueRef i, const char *name) {
    uint32_t size;
    if (!number_argument(s, i, 2, &size)) {
        unsupported(s, "a copy of an area whose size is not constant is not supported here");
        return;
    }
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5), alignment = 16;
    bool fill = starts(name, "llvm.memset");
    for (unsigned k = 1; k <= (fill ? 1u : 2u); k++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(i, k, kind);
        unsigned known = attribute != NULL ? (unsigned)LLVMGetEnumAttributeValue(attribute) : 1;
        if (known < alignment) alignment = known;
    }
    if (fill) {
        select_fill(s, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), size, alignment);
    } else {
        select_copy(s, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), size, alignment);
    }
}

// All elements of a vector into one value.
static bool reduce(struct selection *s, LLVMValueRef i, const char *operation) {
    static const struct {
        const char *name;
        uint8_t op;
        bool zeros, sign;  // how the elements have to be extended
    } operations[] = {
        {"add.", OP_IADD, false, false}, {"mul.", OP_IMUL, false, false}, {"and.", OP_AND, false, false},
        {"or.", OP_OR, false, false},    {"xor.", OP_XOR, false, false},  {"smin.", OP_IMIN, false, true},
        {"smax.", OP_IMAX, false, true}, {"umin.", OP_UMIN, true, false}, {"umax.", OP_UMAX, true, false},
    };
    LLVMValueRef vector = LLVMGetOperand(i, 0);
    unsigned width = width_at(i), spare = 32 - width;
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++) {
        if (!starts(operation, operations[k].name)) continue;
        uint32_t result = NONE;
        for (unsigned e = 0; e < part_count(LLVMTypeOf(vector)); e++) {
            uint32_t element = part_of(s, vector, e);
            if (width < 32 && operations[k].zeros) element = emit_ri(s, OP_AND, element, mask_of(width));
            if (width < 32 && operations[k].sign)
                element = emit_ri(s, OP_SAR, emit_ri(s, OP_SHL, element, spare), spare);
            result = e == 0 ? element : emit_rr(s, operations[k].op, result, element);
        }
        if (width == 1) {
            define_flag(s, i, emit_compare_imm(s, CMP_NE, emit_ri(s, OP_AND, result, 1), 0));
        } else {
            define(s, i, result, 0);
        }
        return true;
    }
    return false;
}

static bool select_intrinsic(struct selection *s, LLVMValueRef i, const char *name) {
    static const char *const nothing[] = {"lifetime.", "assume",    "dbg.", "experimental.noalias.scope",
                                          "donothing", "invariant."};
    const char *what = name + strlen("llvm.");
    for (size_t k = 0; k < sizeof nothing / sizeof *nothing; k++)
        if (starts(what, nothing[k])) return true;
    if (starts(what, "memcpy") || starts(what, "memset") || starts(what, "memmove")) {
        copy_or_fill(s, i, name);
        return true;
    }
    if (select_wide_intrinsic(s, i, what)) return true;
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind && width_at(i) > 32) return false;
    if (strstr(what, ".with.overflow") != NULL && strchr("su", what[0]) != NULL) return with_overflow(s, i, what);
    if (select_float_intrinsic(s, i, what)) return true;
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind) return false;
    if (starts(what, "vector.reduce.")) return reduce(s, i, what + strlen("vector.reduce."));
    if (starts(what, "smin.")) return minimum_or_maximum(s, i, OP_IMIN, true), true;
    if (starts(what, "smax.")) return minimum_or_maximum(s, i, OP_IMAX, true), true;
    if (starts(what, "umin.")) return minimum_or_maximum(s, i, OP_UMIN, false), true;
    if (starts(what, "umax.")) return minimum_or_maximum(s, i, OP_UMAX, false), true;
    if (starts(what, "ctlz.")) return count_zeros(s, i, true), true;
    if (starts(what, "cttz.")) return count_zeros(s, i, false), true;
    if (starts(what, "bswap.")) return swap_bytes(s, i), true;
    if (starts(what, "fshl.")) return funnel_shift(s, i, true);
    if (starts(what, "fshr.")) return funnel_shift(s, i, false);
    if (starts(what, "uadd.sat.")) return saturate(s, i, false, true), true;
    if (starts(what, "usub.sat.")) return saturate(s, i, false, false), true;
    if (starts(what, "sadd.sat.")) return saturate(s, i, true, true), true;
    if (starts(what, "ssub.sat.")) return saturate(s, i, true, false), true;
    if (starts(what, "scmp.")) return three_way(s, i, true), true;
    if (starts(what, "ucmp.")) return three_way(s, i, false), true;
    if (starts(what, "abs.")) {
        uint32_t from = reg_sign(s, LLVMGetOperand(i, 0));
        define(s, i, emit_rr(s, OP_IMAX, from, emit_rr(s, OP_ISUB, NONE, from)), 0);
        return true;
    }
    if (starts(what, "ctpop.")) {
        define(s, i, one_operand(s, OP_POPC, reg_zeros(s, LLVMGetOperand(i, 0))), KNOWN_ZEROS);
        return true;
    }
    if (starts(what, "bitreverse.")) {
        uint32_t reversed = one_operand(s, OP_BREV, reg_of(s, LLVMGetOperand(i, 0)));
        define(s, i, width_at(i) < 32 ? emit_ri(s, OP_SHR, reversed, 32 - width_at(i)) : reversed, KNOWN_ZEROS);
        return true;
    }
    if (starts(what, "expect.")) {
        if (is_flag(i)) {
            define_flag(s, i, predicate_of(s, LLVMGetOperand(i, 0)));
        } else {
            define(s, i, reg_of(s, LLVMGetOperand(i, 0)), 0);
        }
        return true;
    }
    return false;
}

void select_call(struct selection *s, LLVMValueRef i) {
    LLVMValueRef called = LLVMGetCalledValue(i);
    if (LLVMIsAInlineAsm(called)) {
        unsupported(s, "inline assembly is not supported");
        return;
    }
    if (!LLVMIsAFunction(called)) {
        unsupported(s, "a call through a pointer is not supported");
        return;
    }
    const char *name = name_of(called);
    char readable[CODE_OBJECT_NAME_MAX];
    readable_name(name, readable, sizeof readable);
    if (starts(name, "llvm.")) {
        if (!select_intrinsic(s, i, name)) unsupported(s, "the operation %s is not supported", name + strlen("llvm."));
    } else if (LLVMIsDeclaration(called)) {
        if (!select_own(s, i, name)) unsupported(s, "the function %s is not supported, or nowhere defined", readable);
    } else {
        select_called(s, i, called);
    }
}
