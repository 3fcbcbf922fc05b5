// Atomic operations of 32 bits, on global and local memory, on private memory by a load and a store, and through generic
// pointers on whatever they lead to. Those of 64 are the device library's (lower/wide_atomics.c).
#include "compiler/select/atomics.h"

#include "compiler/select/memory.h"
#include "compiler/select/values.h"
#include "gen/isa.h"

struct atomic {
    unsigned operation;
    uint32_t operand, put;  // put: the new value of CAS
    LLVMValueRef pointer;
    uint32_t result;  // NONE: nobody wants the old value
};

static struct machine_instruction instruction(const struct atomic *atomic, uint8_t op) {
    struct machine_instruction i = make(op);
    i.mod = (uint8_t)atomic->operation;
    i.src[1] = atomic->operand;
    i.src[2] = atomic->put;
    i.dst = atomic->result;
    return i;
}

static void put_address(struct selection *s, struct machine_instruction *i, uint32_t base, uint32_t offset) {
    i->src[0] = base;
    i->imm = offset;
    if ((int32_t)offset >= INT16_MIN && (int32_t)offset <= INT16_MAX) return;
    uint32_t step = emit_constant(s, offset);
    i->src[0] = base == NONE ? step : emit_rr(s, OP_IADD, base, step);
    i->imm = 0;
}

// The new value, for a thread's own memory, which nobody else can change.
static uint32_t computed(struct selection *s, const struct atomic *atomic, uint32_t old) {
    static const uint8_t simple[] = {
        [ATOM_ADD] = OP_IADD,  [ATOM_SUB] = OP_ISUB, [ATOM_MIN] = OP_IMIN, [ATOM_MAX] = OP_IMAX, [ATOM_UMIN] = OP_UMIN,
        [ATOM_UMAX] = OP_UMAX, [ATOM_AND] = OP_AND,  [ATOM_OR] = OP_OR,    [ATOM_XOR] = OP_XOR};
    switch (atomic->operation) {
        case ATOM_XCHG: return atomic->operand;
        case ATOM_CAS: return emit_select(s, emit_compare(s, CMP_EQ, old, atomic->operand), atomic->put, old);
        case ATOM_INC: {
            struct predicate again = emit_compare(s, CMP_UGE, old, atomic->operand);
            return emit_select(s, again, NONE, emit_ri(s, OP_IADD, old, 1));
        }
        case ATOM_DEC: {
            struct predicate zero = emit_compare_imm(s, CMP_EQ, old, 0);
            struct predicate above = emit_compare(s, CMP_UGT, old, atomic->operand);
            return emit_select(s, emit_logic(s, 1, zero, above), atomic->operand, emit_ri(s, OP_ISUB, old, 1));
        }
        default: return emit_rr(s, simple[atomic->operation], old, atomic->operand);
    }
}

static void emit_private(struct selection *s, const struct atomic *atomic, const struct address *at) {
    struct machine_instruction load = make(OP_LDL), store = make(OP_STL);
    load.mod = store.mod = SIZE_32;
    load.src[0] = store.src[0] = at->base;
    load.imm = store.imm = at->offset;
    load.dst = new_register(s->function, CLASS_VECTOR);
    emit(s, load);
    store.src[1] = computed(s, atomic, load.dst);
    emit(s, store);
    if (atomic->result == NONE) return;
    struct machine_instruction move = make(OP_MOV);
    move.dst = atomic->result;
    move.src[1] = load.dst;
    emit(s, move);
}

static void emit_atomic(struct selection *s, LLVMValueRef i, struct atomic *atomic) {
    struct address at = address_of(s, atomic->pointer);
    atomic->result = LLVMGetFirstUse(i) != NULL ? new_register(s->function, CLASS_VECTOR) : NONE;
    if (is_buffer(&at)) unsupported(s, "an atomic operation on a constant is not supported");
    if (at.memory == MEMORY_PRIVATE) {
        emit_private(s, atomic, &at);
        return;
    }
    struct machine_instruction one = instruction(atomic, at.memory == MEMORY_LOCAL     ? OP_ATOMS
                                                         : at.memory == MEMORY_GENERIC ? OP_ATOM
                                                                                       : OP_ATOMG);
    put_address(s, &one, at.base, at.offset);
    emit(s, one);
}

static bool size_fits(struct selection *s, LLVMTypeRef type) {
    if (width_of(type) == 32 && part_count(type) == 1) return true;
    unsupported(s, "an atomic operation on a %u-bit value is not supported, only on 32 and 64 bits", width_of(type));
    return false;
}

static void select_operation(struct selection *s, LLVMValueRef i) {
    static const struct {
        LLVMAtomicRMWBinOp from;
        uint8_t to;
    } operations[] = {
        {LLVMAtomicRMWBinOpXchg, ATOM_XCHG},    {LLVMAtomicRMWBinOpAdd, ATOM_ADD},
        {LLVMAtomicRMWBinOpSub, ATOM_SUB},      {LLVMAtomicRMWBinOpAnd, ATOM_AND},
        {LLVMAtomicRMWBinOpOr, ATOM_OR},        {LLVMAtomicRMWBinOpXor, ATOM_XOR},
        {LLVMAtomicRMWBinOpMax, ATOM_MAX},      {LLVMAtomicRMWBinOpMin, ATOM_MIN},
        {LLVMAtomicRMWBinOpUMax, ATOM_UMAX},    {LLVMAtomicRMWBinOpUMin, ATOM_UMIN},
        {LLVMAtomicRMWBinOpUIncWrap, ATOM_INC}, {LLVMAtomicRMWBinOpUDecWrap, ATOM_DEC},
    };
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(i);
    if (!size_fits(s, LLVMTypeOf(i))) return;
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++) {
        if (operations[k].from != operation) continue;
        struct atomic atomic = {.operation = operations[k].to,
                                .operand = reg_of(s, LLVMGetOperand(i, 1)),
                                .put = NONE,
                                .pointer = LLVMGetOperand(i, 0)};
        emit_atomic(s, i, &atomic);
        define(s, i, atomic.result, 0);
        return;
    }
    unsupported(s, "this atomic operation is not supported");
}

static void select_exchange(struct selection *s, LLVMValueRef i) {
    LLVMValueRef expected = LLVMGetOperand(i, 1), wanted = LLVMGetOperand(i, 2);
    if (!size_fits(s, LLVMTypeOf(expected))) return;
    struct atomic atomic = {.operation = ATOM_CAS,
                            .operand = reg_of(s, expected),
                            .put = reg_of(s, wanted),
                            .pointer = LLVMGetOperand(i, 0)};
    emit_atomic(s, i, &atomic);
    struct value *value = value_new(s, i, 1);
    value->parts[0] = atomic.result;
    value->overflow = take(1, sizeof *value->overflow);
    value->overflow->parts = take(1, sizeof *value->overflow->parts);
    value->overflow->parts[0] = NONE;
    if (atomic.result != NONE)
        flag_result(s, value->overflow, i, emit_compare(s, CMP_EQ, atomic.result, atomic.operand));
}

bool select_atomic(struct selection *s, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
        case LLVMAtomicRMW: select_operation(s, i); return true;
        case LLVMAtomicCmpXchg: select_exchange(s, i); return true;
        default: return false;
    }
}
