// Loads, stores, atomics and address arithmetic.
#include "compiler/arguments.h"
#include "compiler/select.h"
#include "gen/isa.h"

// Where a pointer leads: memory, or one of the two constant buffers.
enum region { REGION_NONE, REGION_MEMORY, REGION_BUFFER0, REGION_BUFFER1, REGION_PRIVATE, REGION_LOCAL, REGION_MIXED };

struct address {
    uint32_t base, offset;
    enum region region;
};

static enum region both(enum region a, enum region b) {
    if (a == REGION_NONE || a == b) return b;
    return b == REGION_NONE ? a : REGION_MIXED;
}

// Follows a pointer to what it was made from. depth bounds the walk through phis.
static enum region region_of(LLVMValueRef p, unsigned depth) {
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(p))) {
        case SPACE_GLOBAL: return REGION_MEMORY;
        case SPACE_LOCAL: return REGION_LOCAL;
        case SPACE_ARGUMENTS: return REGION_BUFFER0;
        default: break;
    }
    if (depth == 0) return REGION_NONE;
    if (LLVMIsAGlobalVariable(p)) return REGION_BUFFER1;
    if (LLVMIsAArgument(p))
        return LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == SPACE_PRIVATE ? REGION_BUFFER0 : REGION_MEMORY;
    if (LLVMIsAAllocaInst(p)) return REGION_PRIVATE;
    if (LLVMIsUndef(p) || LLVMIsPoison(p) || LLVMIsNull(p)) return REGION_NONE;
    if (LLVMIsAPHINode(p)) {
        enum region region = REGION_NONE;
        for (unsigned k = 0; k < LLVMCountIncoming(p); k++)
            region = both(region, region_of(LLVMGetIncomingValue(p, k), depth - 1));
        return region;
    }
    if (LLVMIsASelectInst(p))
        return both(region_of(LLVMGetOperand(p, 1), depth - 1), region_of(LLVMGetOperand(p, 2), depth - 1));
    bool expression = LLVMIsAConstantExpr(p) != NULL;
    if (!expression && !LLVMIsAInstruction(p)) return REGION_MIXED;
    switch (expression ? LLVMGetConstOpcode(p) : LLVMGetInstructionOpcode(p)) {
        case LLVMGetElementPtr:
        case LLVMBitCast:
        case LLVMFreeze:
        case LLVMAddrSpaceCast: return region_of(LLVMGetOperand(p, 0), depth - 1);
        // A __constant pointer argument: an address in memory, as the driver passes it.
        case LLVMLoad:
            return LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == SPACE_CONSTANT ? REGION_MEMORY : REGION_MIXED;
        default: return REGION_MIXED;
    }
}

// ---- address arithmetic ----

static bool all_constant(struct selection *s, LLVMValueRef gep, uint32_t *total) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    LLVMTargetDataRef layout = s->module->layout;
    *total = 0;
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(gep); k++) {
        uint32_t index;
        if (!LLVMIsAConstantInt(LLVMGetOperand(gep, k))) return false;
        index = (uint32_t)LLVMConstIntGetSExtValue(LLVMGetOperand(gep, k));
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *total += (uint32_t)LLVMOffsetOfElement(layout, type, index);
            type = LLVMStructGetTypeAtIndex(type, index);
            continue;
        }
        if (k > 1) type = LLVMGetElementType(type);
        *total += index * (uint32_t)LLVMABISizeOfType(layout, type);
    }
    return true;
}

static uint32_t scaled(struct selection *s, uint32_t index, uint32_t by) {
    if (by == 1 || index == NONE) return index;
    if ((by & (by - 1)) == 0) return emit_ri(s, OP_SHL, index, (uint32_t)__builtin_ctz(by));
    return emit_ri(s, OP_IMUL, index, by);
}

static uint32_t sum(struct selection *s, uint32_t a, uint32_t b) {
    if (a == NONE || b == NONE) return a == NONE ? b : a;
    return emit_rr(s, OP_IADD, a, b);
}

static void select_gep(struct selection *s, LLVMValueRef i) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    LLVMTargetDataRef layout = s->module->layout;
    uint32_t total = 0, address = reg_of(s, LLVMGetOperand(i, 0));
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef index = LLVMGetOperand(i, k);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned element = (unsigned)LLVMConstIntGetZExtValue(index);
            total += (uint32_t)LLVMOffsetOfElement(layout, type, element);
            type = LLVMStructGetTypeAtIndex(type, element);
            continue;
        }
        if (k > 1) type = LLVMGetElementType(type);
        uint32_t stride = (uint32_t)LLVMABISizeOfType(layout, type);
        if (LLVMIsAConstantInt(index)) {
            total += (uint32_t)LLVMConstIntGetSExtValue(index) * stride;
        } else if (stride != 0) {
            address = sum(s, address, scaled(s, reg_sign(s, index), stride));
        }
    }
    if (total != 0) address = address == NONE ? emit_constant(s, total) : emit_ri(s, OP_IADD, address, total);
    define(s, i, address, 0);
}

// A constant step from another pointer goes into the offset of the instruction that uses it.
static bool only_offsets(struct selection *s, LLVMValueRef gep) {
    uint32_t total;
    if (!all_constant(s, gep, &total)) return false;
    for (LLVMUseRef use = LLVMGetFirstUse(gep); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user)) continue;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != gep) continue;
        return false;
    }
    return true;
}

static struct address address_of(struct selection *s, LLVMValueRef p) {
    struct address at = {.region = region_of(p, 64)};
    uint32_t step, number;
    while (LLVMIsAGetElementPtrInst(p) && all_constant(s, p, &step)) {
        at.offset += step;
        p = LLVMGetOperand(p, 0);
    }
    if (constant_of(s, p, &number)) {
        at.base = NONE;
        at.offset += number;
    } else {
        at.base = reg_of(s, p);
    }
    switch (at.region) {
        case REGION_NONE: at.region = REGION_MEMORY; break;
        case REGION_PRIVATE:
            unsupported(s,
                        "a private array or variable that does not fit in registers (indexed, or its address taken) is "
                        "not supported");
            break;
        case REGION_LOCAL: unsupported(s, "local memory is not supported"); break;
        case REGION_MIXED: unsupported(s, "a pointer that may lead into different memories is not supported"); break;
        default: break;
    }
    return at;
}

// ---- loads and stores ----

static uint32_t load_piece(struct selection *s, const struct address *at, uint32_t offset, unsigned size,
                           bool is_signed) {
    bool memory = at->region != REGION_BUFFER0 && at->region != REGION_BUFFER1;
    struct machine_instruction load = make(memory ? OP_LDG : OP_LDC);
    load.mod = (uint8_t)(size == 4   ? SIZE_32
                         : size == 2 ? (is_signed ? SIZE_S16 : SIZE_U16)
                         : is_signed ? SIZE_S8
                                     : SIZE_U8);
    load.src[0] = at->base;
    load.imm = at->offset + offset;
    if (!memory) {
        if (load.imm > 0xFFFFu) {
            load.src[0] = sum(s, load.src[0], emit_constant(s, load.imm));
            load.imm = 0;
        }
        load.imm |= (at->region == REGION_BUFFER1 ? 1u : 0u) << 16;
    }
    load.dst = new_register(s->function, CLASS_VECTOR);
    emit(s, load);
    return load.dst;
}

// size 1, 2 or 4 bytes, of which `alignment` is known: less than the size means piece by piece.
static uint32_t load_value(struct selection *s, const struct address *at, uint32_t offset, unsigned size,
                           unsigned alignment, bool is_signed) {
    if (alignment >= size) return load_piece(s, at, offset, size, is_signed);
    uint32_t whole = NONE;
    for (unsigned k = 0; k < size; k += alignment) {
        uint32_t piece = load_piece(s, at, offset + k, alignment, is_signed && k + alignment == size);
        if (k > 0) piece = emit_ri(s, OP_SHL, piece, 8 * k);
        whole = k == 0 ? piece : emit_rr(s, OP_OR, whole, piece);
    }
    return whole;
}

static void store_value(struct selection *s, const struct address *at, uint32_t offset, unsigned size,
                        unsigned alignment, uint32_t value) {
    if (alignment > size) alignment = size;
    for (unsigned k = 0; k < size; k += alignment) {
        struct machine_instruction store = make(OP_STG);
        store.mod = (uint8_t)(alignment == 4 ? SIZE_32 : alignment == 2 ? SIZE_U16 : SIZE_U8);
        store.src[0] = at->base;
        store.src[1] = k == 0 || value == NONE ? value : emit_ri(s, OP_SHR, value, 8 * k);
        store.imm = at->offset + offset + k;
        emit(s, store);
    }
}

static bool size_fits(struct selection *s, LLVMTypeRef type, const char *what) {
    unsigned width = width_of(type);
    if (width == 8 || width == 16 || width == 32 || width == 1) return true;
    unsupported(s, "%s of a %u-bit value is not supported", what, width);
    return false;
}

static unsigned bytes_of(LLVMTypeRef type) {
    unsigned width = width_of(type);
    return width <= 8 ? 1 : width / 8;
}

// The alignment of element k of an access, at most 4.
static unsigned element_alignment(unsigned alignment, unsigned size, unsigned k) {
    if (alignment == 0) alignment = size;
    unsigned at = k * size;
    while (alignment > 4 || (at & (alignment - 1)) != 0)
        alignment /= 2;
    return alignment;
}

static bool used_signed_only(LLVMValueRef i) {
    for (LLVMUseRef use = LLVMGetFirstUse(i); use != NULL; use = LLVMGetNextUse(use))
        if (!LLVMIsASExtInst(LLVMGetUser(use)) && !LLVMIsASIToFPInst(LLVMGetUser(use))) return false;
    return LLVMGetFirstUse(i) != NULL;
}

// An access that a loop may be waiting with.
static void may_spin(struct selection *s) {
    if (s->function->compilation->options->yield_in_spin_loops) s->function->blocks[s->block].spins = true;
}

static void select_load(struct selection *s, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (!size_fits(s, type, "a load")) return;
    struct address at = address_of(s, LLVMGetOperand(i, 0));
    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) may_spin(s);
    struct value *value = value_of(s, i);
    unsigned size = bytes_of(type);
    bool is_signed = value->count == 1 && size < 4 && used_signed_only(i);
    for (unsigned k = 0; k < value->count; k++)
        value->parts[k] =
            load_value(s, &at, k * size, size, element_alignment(LLVMGetAlignment(i), size, k), is_signed);
    value->known = is_signed ? KNOWN_SIGN : KNOWN_ZEROS;
    if (is_flag(i)) define_flag(s, i, emit_compare_imm(s, CMP_NE, emit_ri(s, OP_AND, value->parts[0], 1), 0));
}

static void select_store(struct selection *s, LLVMValueRef i) {
    LLVMValueRef data = LLVMGetOperand(i, 0);
    LLVMTypeRef type = LLVMTypeOf(data);
    if (!size_fits(s, type, "a store")) return;
    struct address at = address_of(s, LLVMGetOperand(i, 1));
    if (LLVMGetVolatile(i)) may_spin(s);
    if (at.region == REGION_BUFFER0 || at.region == REGION_BUFFER1) {
        unsupported(s, "a store to a constant, or to a structure that was passed by value, is not supported");
        return;
    }
    unsigned size = bytes_of(type);
    for (unsigned k = 0; k < part_count(type); k++)
        store_value(s, &at, k * size, size, element_alignment(LLVMGetAlignment(i), size, k), part_of(s, data, k));
}

// ---- copies ----

static unsigned copy_unit(unsigned alignment, uint32_t size, uint32_t done) {
    unsigned unit = alignment >= 4 ? 4 : alignment >= 2 ? 2 : 1;
    while (unit > size - done)
        unit /= 2;
    return unit;
}

void select_copy(struct selection *s, LLVMValueRef to, LLVMValueRef from, uint32_t size, unsigned alignment) {
    struct address target = address_of(s, to), source = address_of(s, from);
    // All is read before anything is written in each piece of 16 bytes; memcpy's areas do not overlap or are the same.
    for (uint32_t done = 0; done < size;) {
        unsigned unit = copy_unit(alignment, size, done);
        uint32_t value = load_piece(s, &source, done, unit, false);
        store_value(s, &target, done, unit, unit, value);
        done += unit;
    }
}

void select_fill(struct selection *s, LLVMValueRef to, LLVMValueRef byte, uint32_t size, unsigned alignment) {
    struct address target = address_of(s, to);
    uint32_t value = emit_ri(s, OP_IMUL, reg_zeros(s, byte), 0x01010101u);
    for (uint32_t done = 0; done < size;) {
        unsigned unit = copy_unit(alignment, size, done);
        store_value(s, &target, done, unit, unit, value);
        done += unit;
    }
}

// ---- atomics ----

static struct machine_instruction make_atomic(struct selection *s, LLVMValueRef pointer, unsigned operation,
                                              LLVMValueRef i) {
    struct address at = address_of(s, pointer);
    struct machine_instruction atomic = make(OP_ATOMG);
    if (at.region == REGION_BUFFER0 || at.region == REGION_BUFFER1)
        unsupported(s, "an atomic operation on a constant is not supported");
    may_spin(s);
    atomic.mod = (uint8_t)operation;
    atomic.src[0] = at.base;
    atomic.imm = at.offset;
    if ((int32_t)at.offset < INT16_MIN || (int32_t)at.offset > INT16_MAX) {
        atomic.src[0] = sum(s, at.base, emit_constant(s, at.offset));
        atomic.imm = 0;
    }
    if (LLVMGetFirstUse(i) != NULL) atomic.dst = new_register(s->function, CLASS_VECTOR);
    return atomic;
}

static bool atomic_size_fits(struct selection *s, LLVMTypeRef type) {
    if (width_of(type) == 32 && part_count(type) == 1) return true;
    unsupported(s, "an atomic operation on a %u-bit value is not supported, only on 32 bits", width_of(type));
    return false;
}

static void select_atomic(struct selection *s, LLVMValueRef i) {
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
    if (!atomic_size_fits(s, LLVMTypeOf(i))) return;
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++) {
        if (operations[k].from != operation) continue;
        uint32_t operand = reg_of(s, LLVMGetOperand(i, 1));
        struct machine_instruction atomic = make_atomic(s, LLVMGetOperand(i, 0), operations[k].to, i);
        atomic.src[1] = operand;
        emit(s, atomic);
        define(s, i, atomic.dst, 0);
        return;
    }
    unsupported(s, "this atomic operation is not supported");
}

static void select_exchange(struct selection *s, LLVMValueRef i) {
    LLVMValueRef expected = LLVMGetOperand(i, 1), wanted = LLVMGetOperand(i, 2);
    if (!atomic_size_fits(s, LLVMTypeOf(expected))) return;
    uint32_t compare = reg_of(s, expected), put = reg_of(s, wanted);
    struct machine_instruction atomic = make_atomic(s, LLVMGetOperand(i, 0), ATOM_CAS, i);
    atomic.src[1] = compare;
    atomic.src[2] = put;
    emit(s, atomic);
    struct value *value = value_new(s, i, 1);
    value->parts[0] = atomic.dst;
    value->overflow = take(1, sizeof *value->overflow);
    value->overflow->parts = take(1, sizeof *value->overflow->parts);
    value->overflow->parts[0] = NONE;
    if (atomic.dst != NONE) flag_result(s, value->overflow, i, emit_compare(s, CMP_EQ, atomic.dst, compare));
}

bool select_memory(struct selection *s, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
        case LLVMGetElementPtr:
            if (!only_offsets(s, i)) select_gep(s, i);
            return true;
        case LLVMLoad: select_load(s, i); return true;
        case LLVMStore: select_store(s, i); return true;
        case LLVMAtomicRMW: select_atomic(s, i); return true;
        case LLVMAtomicCmpXchg: select_exchange(s, i); return true;
        case LLVMFence: emit(s, make(OP_MEMBAR)); return true;
        case LLVMAlloca: return true;  // reported where it is used
        default: return false;
    }
}
