// Loads, stores, atomics and address arithmetic.
#include "compiler/select/memory.h"

#include <stdlib.h>

#include "compiler/select/values.h"
#include "gen/isa.h"

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

// The register part of a pointer, or NONE, and the number that is to be added to it.
static uint32_t base_of(struct selection *s, LLVMValueRef p, uint32_t *number) {
    if (constant_of(s, p, number)) return NONE;
    *number = 0;
    if (!LLVMIsAGetElementPtrInst(p)) return reg_of(s, p);
    const struct value *value = value_of(s, p);
    *number = value->bias;
    return value->parts[0];
}

// Whether all readers take an offset: accesses, and addresses that begin with this one.
static bool offsets_do(LLVMValueRef p) {
    for (LLVMUseRef use = LLVMGetFirstUse(p); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const bool reads = LLVMIsALoadInst(user) || LLVMIsAAtomicRMWInst(user) || LLVMIsAAtomicCmpXchgInst(user) ||
                           LLVMIsAGetElementPtrInst(user);
        if (!reads && !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != p)) return false;
    }
    return true;
}

static void select_gep(struct selection *s, LLVMValueRef i) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    LLVMTargetDataRef layout = s->module->layout;
    uint32_t total, address = base_of(s, LLVMGetOperand(i, 0), &total);
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
    define(s, i, address, 0);
    value_of(s, i)->bias = total;
    if (total == 0 || offsets_do(i)) return;
    const uint32_t whole = reg_of(s, i);
    define(s, i, whole, 0);
    value_of(s, i)->bias = 0;
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

struct address address_of(struct selection *s, LLVMValueRef p) {
    struct address at = {.memory = points_to(&s->pointers, p)};
    uint32_t step, number;
    for (;; p = LLVMGetOperand(p, 0)) {
        if (LLVMIsAGetElementPtrInst(p) && all_constant(s, p, &step)) {
            at.offset += step;
        } else if (!LLVMIsAAddrSpaceCastInst(p)) {
            break;
        }
    }
    at.base = base_of(s, p, &number);
    at.offset += number;
    bool window = LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == SPACE_GENERIC;
    switch (at.memory) {
        case MEMORY_NONE: at.memory = MEMORY_GLOBAL; break;
        case MEMORY_PRIVATE: at.offset -= window ? GENERIC_PRIVATE : 0; break;
        case MEMORY_LOCAL: at.offset -= window ? GENERIC_LOCAL : 0; break;
        case MEMORY_MIXED: unsupported(s, "a pointer that may lead into different memories is not supported"); break;
        default: break;
    }
    return at;
}

// ---- loads and stores ----

static bool size_fits(struct selection *s, LLVMTypeRef type, const char *what) {
    unsigned width = width_of(type);
    if (width == 8 || width == 16 || width == 32 || width == 64 || width == 1) return true;
    unsupported(s, "%s of a %u-bit value is not supported", what, width);
    return false;
}

// Of a register's part of the value.
static unsigned bytes_of(LLVMTypeRef type) {
    unsigned width = width_of(type);
    return width <= 8 ? 1 : width > 32 ? 4 : width / 8;
}

static bool used_signed_only(LLVMValueRef i) {
    for (LLVMUseRef use = LLVMGetFirstUse(i); use != NULL; use = LLVMGetNextUse(use))
        if (!LLVMIsASExtInst(LLVMGetUser(use)) && !LLVMIsASIToFPInst(LLVMGetUser(use))) return false;
    return LLVMGetFirstUse(i) != NULL;
}

// What is volatile is accessed part by part.
static unsigned alignment_of(LLVMValueRef i, unsigned size) {
    unsigned alignment = LLVMGetAlignment(i);
    return LLVMGetVolatile(i) && alignment > size ? size : alignment;
}

static void select_load(struct selection *s, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (!size_fits(s, type, "a load")) return;
    struct address at = address_of(s, LLVMGetOperand(i, 0));
    struct value *value = value_of(s, i);
    unsigned size = bytes_of(type), alignment = alignment_of(i, size);
    bool is_signed = value->count == 1 && size < 4 && used_signed_only(i);
    if (is_signed) {
        value->parts[0] = load_value(s, &at, 0, size, alignment, true);
    } else {
        load_parts(s, &at, size, alignment, value->parts, value->count);
    }
    value->known = is_signed ? KNOWN_SIGN : KNOWN_ZEROS;
    if (is_flag(i)) define_flag(s, i, emit_compare_imm(s, CMP_NE, emit_ri(s, OP_AND, value->parts[0], 1), 0));
}

static void select_store(struct selection *s, LLVMValueRef i) {
    LLVMValueRef data = LLVMGetOperand(i, 0);
    LLVMTypeRef type = LLVMTypeOf(data);
    if (!size_fits(s, type, "a store")) return;
    struct address at = address_of(s, LLVMGetOperand(i, 1));
    if (is_buffer(&at)) {
        unsupported(s, "a store to a constant, or to a structure that was passed by value, is not supported");
        return;
    }
    unsigned count = part_count(type) * word_count(type);
    uint32_t *parts = take(count, sizeof *parts);
    for (unsigned k = 0; k < count; k++)
        parts[k] = part_of(s, data, k);
    store_parts(s, &at, bytes_of(type), alignment_of(i, bytes_of(type)), parts, count);
    free(parts);
}

// ---- copies ----

static unsigned copy_unit(unsigned alignment, uint32_t size, uint32_t done, unsigned most) {
    unsigned unit = alignment < most ? alignment : most;
    while (unit > size - done || (done & (unit - 1)) != 0)
        unit /= 2;
    return unit;
}

// All is read before anything is written: the areas may overlap. At most COPY_UNITS registers.
void select_copy(struct selection *s, LLVMValueRef to, LLVMValueRef from, uint32_t size, unsigned alignment) {
    struct address target = address_of(s, to), source = address_of(s, from);
    unsigned most = access_most(&target), least = access_most(&source);
    uint32_t *values = take(size, sizeof *values);
    for (uint32_t done = 0, unit; done < size; done += unit) {
        unit = copy_unit(alignment, size, done, most);
        unsigned step = unit < least ? unit : least;
        values[done] = new_tuple(s->function, unit > 4 ? unit / 4 : 1);
        for (unsigned k = 0; k < unit; k += step)
            load_to(s, &source, done + k, step, false, values[done] + k / 4);
    }
    for (uint32_t done = 0, unit; done < size; done += unit) {
        unit = copy_unit(alignment, size, done, most);
        store_from(s, &target, done, unit, values[done]);
    }
    free(values);
}

void select_fill(struct selection *s, LLVMValueRef to, LLVMValueRef byte, uint32_t size, unsigned alignment) {
    struct address target = address_of(s, to);
    uint32_t value = emit_ri(s, OP_IMUL, reg_zeros(s, byte), 0x01010101u);
    for (uint32_t done = 0; done < size;) {
        unsigned unit = copy_unit(alignment, size, done, 4);
        store_from(s, &target, done, unit, value);
        done += unit;
    }
}

// Null is 0 in every space; what is made from a variable is not null, and need not be asked.
void select_space_cast(struct selection *s, LLVMValueRef i) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    uint32_t step = window_step(from, i);
    struct value *value = value_of(s, i);
    for (unsigned k = 0; k < value->count; k++) {
        uint32_t address = part_of(s, from, k);
        value->parts[k] = address;
        if (step == 0) continue;
        uint32_t moved = address == NONE ? emit_constant(s, step) : emit_ri(s, OP_IADD, address, step);
        if (value->count > 1 || !pointer_not_null(from)) {
            struct predicate null = emit_compare_imm(s, CMP_EQ, address, 0);
            moved = emit_select_imm(s, (struct predicate){null.reg, true}, moved, 0);
        }
        value->parts[k] = moved;
    }
}

bool select_memory(struct selection *s, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
        case LLVMGetElementPtr:
            if (!only_offsets(s, i)) select_gep(s, i);
            return true;
        case LLVMLoad: select_load(s, i); return true;
        case LLVMStore: select_store(s, i); return true;
        case LLVMFence: emit(s, make(OP_MEMBAR)); return true;
        case LLVMAlloca: return true;  // has its place already
        default: return false;
    }
}
