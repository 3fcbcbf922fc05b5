// Loads, stores, atomics and address arithmetic.
#include <stdlib.h>

#include "compiler/select.h"
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

// Which memory a generic address leads into. The whole sum is looked at: base and offset alone may lie elsewhere.
static void tell_apart(struct selection *s, struct address *at) {
    if (at->base == NONE) {
        at->region = at->offset >= WINDOW_PRIVATE ? REGION_PRIVATE
                     : at->offset >= WINDOW_LOCAL ? REGION_LOCAL
                                                  : REGION_MEMORY;
        at->offset -= at->region == REGION_PRIVATE ? WINDOW_PRIVATE : at->region == REGION_LOCAL ? WINDOW_LOCAL : 0;
        return;
    }
    if (at->offset != 0) at->base = emit_ri(s, OP_IADD, at->base, at->offset);
    at->offset = 0;
    at->global = emit_compare_imm(s, CMP_ULT, at->base, WINDOW_LOCAL);
    at->private = emit_compare_imm(s, CMP_UGE, at->base, WINDOW_PRIVATE);
    at->local = emit_logic(s, 1, at->global, at->private);
    at->local.negated = true;
}

struct address address_of(struct selection *s, LLVMValueRef p) {
    struct address at = {.region = region_of(&s->regions, p)};
    uint32_t step, number;
    for (;; p = LLVMGetOperand(p, 0)) {
        if (LLVMIsAGetElementPtrInst(p) && all_constant(s, p, &step)) {
            at.offset += step;
        } else if (!LLVMIsAAddrSpaceCastInst(p)) {
            break;
        }
    }
    if (constant_of(s, p, &number)) {
        at.base = NONE;
        at.offset += number;
    } else {
        at.base = reg_of(s, p);
    }
    bool window = LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == SPACE_GENERIC;
    switch (at.region) {
        case REGION_NONE: at.region = REGION_MEMORY; break;
        case REGION_PRIVATE: at.offset -= window ? WINDOW_PRIVATE : 0; break;
        case REGION_LOCAL: at.offset -= window ? WINDOW_LOCAL : 0; break;
        case REGION_GENERIC: tell_apart(s, &at); break;
        case REGION_MIXED: unsupported(s, "a pointer that may lead into different memories is not supported"); break;
        default: break;
    }
    return at;
}

// ---- loads and stores ----

bool is_buffer(const struct address *at) {
    return at->region == REGION_BUFFER0 || at->region == REGION_BUFFER1;
}

// Emits an access once, or once for each memory that a generic address may be in.
static void emit_access(struct selection *s, const struct address *at, struct machine_instruction access,
                        const uint8_t ops[3]) {
    if ((at->region == REGION_PRIVATE || at->region == REGION_GENERIC) && !isa_table[OP_LDL].built)
        unsupported(s, "private memory, or a generic pointer that may lead there, is not supported by this device");
    const struct predicate guards[3] = {at->global, at->local, at->private};
    const uint32_t windows[3] = {0, WINDOW_LOCAL, WINDOW_PRIVATE};
    if (at->region != REGION_GENERIC) {
        access.op = ops[at->region == REGION_LOCAL ? 1 : at->region == REGION_PRIVATE ? 2 : 0];
        emit(s, access);
        return;
    }
    const uint32_t offset = access.imm;
    for (unsigned k = 0; k < 3; k++) {
        access.op = ops[k];
        access.guard = guards[k].reg;
        access.guard_negated = guards[k].negated;
        access.imm = offset - windows[k];
        emit(s, access);
    }
}

static uint32_t load_piece(struct selection *s, const struct address *at, uint32_t offset, unsigned size,
                           bool is_signed) {
    static const uint8_t memory[3] = {OP_LDG, OP_LDS, OP_LDL}, buffer[3] = {OP_LDC, OP_LDC, OP_LDC};
    struct machine_instruction load = make(OP_LDG);
    load.mod = (uint8_t)(size == 4   ? SIZE_32
                         : size == 2 ? (is_signed ? SIZE_S16 : SIZE_U16)
                         : is_signed ? SIZE_S8
                                     : SIZE_U8);
    load.src[0] = at->base;
    load.imm = at->offset + offset;
    if (is_buffer(at)) {
        if (load.imm > 0xFFFFu) {
            load.src[0] = sum(s, load.src[0], emit_constant(s, load.imm));
            load.imm = 0;
        }
        load.imm |= (at->region == REGION_BUFFER1 ? 1u : 0u) << 16;
    }
    load.dst = new_register(s->function, CLASS_VECTOR);
    emit_access(s, at, load, is_buffer(at) ? buffer : memory);
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
        static const uint8_t memory[3] = {OP_STG, OP_STS, OP_STL};
        struct machine_instruction store = make(OP_STG);
        store.mod = (uint8_t)(alignment == 4 ? SIZE_32 : alignment == 2 ? SIZE_U16 : SIZE_U8);
        store.src[0] = at->base;
        store.src[1] = k == 0 || value == NONE ? value : emit_ri(s, OP_SHR, value, 8 * k);
        store.imm = at->offset + offset + k;
        emit_access(s, at, store, memory);
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

static void select_load(struct selection *s, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (!size_fits(s, type, "a load")) return;
    struct address at = address_of(s, LLVMGetOperand(i, 0));
    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        s->function->blocks[s->block].spins = true;
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
    if (LLVMGetVolatile(i)) s->function->blocks[s->block].spins = true;
    if (is_buffer(&at)) {
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

// All is read before anything is written: the areas may overlap. At most COPY_UNITS registers.
void select_copy(struct selection *s, LLVMValueRef to, LLVMValueRef from, uint32_t size, unsigned alignment) {
    struct address target = address_of(s, to), source = address_of(s, from);
    uint32_t *values = take(size, sizeof *values);
    for (uint32_t done = 0; done < size; done += copy_unit(alignment, size, done))
        values[done] = load_piece(s, &source, done, copy_unit(alignment, size, done), false);
    for (uint32_t done = 0; done < size;) {
        unsigned unit = copy_unit(alignment, size, done);
        store_value(s, &target, done, unit, unit, values[done]);
        done += unit;
    }
    free(values);
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

// Null is 0 in every space; what is made from a variable is not null, and need not be asked.
void select_space_cast(struct selection *s, LLVMValueRef i) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    uint32_t step = region_step(from, i);
    struct value *value = value_of(s, i);
    for (unsigned k = 0; k < value->count; k++) {
        uint32_t address = part_of(s, from, k);
        value->parts[k] = address;
        if (step == 0) continue;
        uint32_t moved = address == NONE ? emit_constant(s, step) : emit_ri(s, OP_IADD, address, step);
        if (value->count > 1 || !region_not_null(from)) {
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
