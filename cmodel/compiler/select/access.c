// Loads and stores of values: several parts of a value in one access where the alignment allows; narrow parts as fields
// of words.
#include "compiler/select/access.h"

#include <stdlib.h>

#include "compiler/select/values.h"
#include "gen/isa.h"

enum { WIDEST = 4 * TUPLE_MAX };

bool is_buffer(const struct address *at) {
    return at->memory == MEMORY_BUFFER0 || at->memory == MEMORY_BUFFER1;
}

unsigned access_most(const struct address *at) {
    return at->memory == MEMORY_GLOBAL || at->memory == MEMORY_LOCAL ? WIDEST : 4;
}

// ---- one access ----

// Whether the access in hand is one of the source that others must not pass.
static bool is_ordered(const struct selection *s) {
    LLVMValueRef i = s->instruction;
    if (i == NULL || (LLVMIsALoadInst(i) == NULL && LLVMIsAStoreInst(i) == NULL)) return false;
    return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

static uint8_t size_code(unsigned size, bool is_signed) {
    switch (size) {
        case 1: return is_signed ? SIZE_S8 : SIZE_U8;
        case 2: return is_signed ? SIZE_S16 : SIZE_U16;
        case 4: return SIZE_32;
        case 8: return SIZE_64;
        default: return SIZE_128;
    }
}

void load_to(struct selection *s, const struct address *at, uint32_t offset, unsigned size, bool is_signed,
             uint32_t to) {
    struct machine_instruction load = make(at->memory == MEMORY_LOCAL     ? OP_LDS
                                           : at->memory == MEMORY_PRIVATE ? OP_LDL
                                           : at->memory == MEMORY_GENERIC ? OP_LD
                                           : is_buffer(at)                ? OP_LDC
                                                                          : OP_LDG);
    load.mod = size_code(size, is_signed);
    load.ordered = is_ordered(s);
    load.src[0] = at->base;
    load.imm = at->offset + offset;
    if (is_buffer(at)) {
        if (load.imm > 0xFFFFu) {
            uint32_t step = emit_constant(s, load.imm);
            load.src[0] = load.src[0] == NONE ? step : emit_rr(s, OP_IADD, load.src[0], step);
            load.imm = 0;
        }
        load.imm |= (at->memory == MEMORY_BUFFER1 ? 1u : 0u) << 16;
    }
    load.dst = to;
    emit(s, load);
}

void store_from(struct selection *s, const struct address *at, uint32_t offset, unsigned size, uint32_t from) {
    struct machine_instruction store = make(at->memory == MEMORY_LOCAL     ? OP_STS
                                            : at->memory == MEMORY_PRIVATE ? OP_STL
                                            : at->memory == MEMORY_GENERIC ? OP_ST
                                                                           : OP_STG);
    store.mod = size_code(size, false);
    store.ordered = is_ordered(s);
    store.src[0] = at->base;
    store.src[1] = from;
    store.imm = at->offset + offset;
    emit(s, store);
}

// ---- one value ----

static uint32_t load_piece(struct selection *s, const struct address *at, uint32_t offset, unsigned size,
                           bool is_signed) {
    uint32_t to = new_register(s->function, CLASS_VECTOR);
    load_to(s, at, offset, size, is_signed, to);
    return to;
}

uint32_t load_value(struct selection *s, const struct address *at, uint32_t offset, unsigned size, unsigned alignment,
                    bool is_signed) {
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
    for (unsigned k = 0; k < size; k += alignment)
        store_from(s, at, offset + k, alignment, k == 0 || value == NONE ? value : emit_ri(s, OP_SHR, value, 8 * k));
}

// ---- where values came from ----

static struct origin *origin_of(struct selection *s, uint32_t number) {
    while (s->origin_count <= number) {
        s->origins = grow(s->origins, s->origin_count, &s->origin_capacity, sizeof *s->origins);
        s->origins[s->origin_count++] = (struct origin){.word = NONE};
    }
    return &s->origins[number];
}

uint32_t sign_extended(struct selection *s, uint32_t number, unsigned width) {
    const struct origin *from = origin_of(s, number);
    if (from->word != NONE && from->bytes * 8u == width)
        return emit_ri(s, OP_IBFE, from->word, width << 8 | from->shift);
    return emit_ri(s, OP_IBFE, number, width << 8);
}

// Whether the registers are those of a tuple, or of half of one, in their order.
static bool is_tuple(struct selection *s, const uint32_t *words, unsigned count) {
    if (words[0] == NONE) return false;
    for (unsigned k = 1; k < count; k++)
        if (words[k] != words[0] + k) return false;
    const struct origin *first = origin_of(s, words[0]);
    return first->size != 0 && first->lane % count == 0 && first->lane + count <= first->size;
}

static uint32_t load_tuple(struct selection *s, const struct address *at, uint32_t offset, unsigned words) {
    uint32_t first = new_tuple(s->function, words);
    for (unsigned k = 0; k < words && words > 1; k++) {
        struct origin *origin = origin_of(s, first + k);
        origin->lane = (uint8_t)k;
        origin->size = (uint8_t)words;
    }
    load_to(s, at, offset, 4 * words, false, first);
    return first;
}

static void store_words(struct selection *s, const struct address *at, uint32_t offset, const uint32_t *words,
                        unsigned count) {
    bool zero = true;
    for (unsigned k = 0; k < count; k++)
        zero = zero && words[k] == NONE;
    uint32_t first = words[0];
    if (count > 1 && !zero && !is_tuple(s, words, count)) {
        first = new_tuple(s->function, count);
        for (unsigned k = 0; k < count; k++) {
            struct machine_instruction move = make(words[k] == NONE ? OP_MOV_I : OP_MOV);
            move.dst = first + k;
            move.src[1] = words[k];
            emit(s, move);
        }
    }
    store_from(s, at, offset, 4 * count, first);
}

// ---- several parts ----

// The widest access at this place: what lies there is aligned, and all of it is wanted.
static unsigned unit_at(unsigned alignment, unsigned most, uint32_t offset, uint32_t total) {
    unsigned unit = alignment < most ? alignment : most;
    while (unit > 1 && (unit > total - offset || (offset & (unit - 1)) != 0))
        unit /= 2;
    return unit;
}

static unsigned parts_in_word(unsigned size) {
    return size == 1 ? 4 : size == 2 ? 2 : 1;
}

void load_parts(struct selection *s, const struct address *at, unsigned size, unsigned alignment, uint32_t *parts,
                unsigned count) {
    if (alignment == 0) alignment = size;
    for (unsigned done = 0, wide; done < count; done += wide) {
        const uint32_t offset = done * size;
        unsigned unit = unit_at(alignment, access_most(at), offset, count * size);
        wide = unit <= size ? 1 : unit * parts_in_word(size) / 4;
        if (wide == 1) {
            parts[done] = load_value(s, at, offset, size, unit, false);
            continue;
        }
        uint32_t first = unit < 4 ? load_piece(s, at, offset, unit, false) : load_tuple(s, at, offset, unit / 4);
        for (unsigned k = 0; k < wide; k++) {
            unsigned shift = k * size % 4 * 8;
            uint32_t word = first + k * size / 4, *to = &parts[done + k];
            *to = size == 4 ? word : emit_ri(s, OP_UBFE, word, size * 8 << 8 | shift);
            if (size < 4)
                *origin_of(s, *to) = (struct origin){.word = word, .shift = (uint8_t)shift, .bytes = (uint8_t)size};
        }
    }
}

// The word that holds `count` parts of `size` bytes.
static uint32_t pack(struct selection *s, const uint32_t *parts, unsigned size, unsigned count) {
    if (size == 4) return parts[0];
    uint32_t from = parts[0] == NONE ? NONE : origin_of(s, parts[0])->word;
    for (unsigned k = 0; k < count && from != NONE; k++) {
        const struct origin *origin = parts[k] == NONE ? NULL : origin_of(s, parts[k]);
        if (origin == NULL || origin->word != from || origin->bytes != size || origin->shift != k * size * 8)
            from = NONE;
    }
    if (from != NONE) return from;
    uint32_t word = parts[0];
    bool zero = word == NONE;
    for (unsigned k = 1; k < count; k++) {
        zero = zero && parts[k] == NONE;
        if (!zero) word = emit_rir(s, OP_BFI, parts[k], size * 8 << 8 | k * size * 8, word);
    }
    return word;
}

void store_parts(struct selection *s, const struct address *at, unsigned size, unsigned alignment,
                 const uint32_t *parts, unsigned count) {
    if (alignment == 0) alignment = size;
    const unsigned in_word = parts_in_word(size);
    for (unsigned done = 0, wide; done < count; done += wide) {
        const uint32_t offset = done * size, *from = &parts[done];
        unsigned unit = unit_at(alignment, access_most(at), offset, count * size);
        wide = unit <= size ? 1 : unit * in_word / 4;
        if (wide == 1) {
            store_value(s, at, offset, size, unit, *from);
        } else if (unit < 4) {
            store_from(s, at, offset, unit, pack(s, from, size, wide));
        } else {
            uint32_t words[TUPLE_MAX] = {NONE};
            for (unsigned k = 0; k < unit / 4; k++)
                words[k] = pack(s, from + k * in_word, size, in_word);
            store_words(s, at, offset, words, unit / 4);
        }
    }
}
