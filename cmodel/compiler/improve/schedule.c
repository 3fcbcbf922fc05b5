// Loads well before their readers. Instructions of a warp are issued in their order, so one that reads what is still on
// its way stops all that follow. In each stretch of a block without barriers, calls and the like loads are issued as
// early as their addresses and the stores and counts before them allow, while fewer than FLYING words wait for their first reader.
// All else keeps its order, but for what makes an address.
#include "compiler/improve/schedule.h"

#include <stdlib.h>

#include "compiler/machine/machine.h"
#include "gen/isa.h"

enum {
    FLYING = 8,    // words: each is a register for longer
    AHEAD = 64,    // instructions that are looked through for a load
    MADE_MAX = 3,  // instructions that make an address
};

struct schedule {
    struct machine_function *function;
    const bool *fixed;       // registers beside a call
    uint32_t *written_at;    // index in the stretch of what writes each register, NONE: nothing in it
    uint32_t *first_reader;  // of each instruction of the stretch that is a load, NONE: none
    bool *done;
    struct machine_instruction *code, *to;
    size_t count, put;
    unsigned flying;
};

static bool is_load(const struct machine_instruction *at) {
    return isa_table[at->op].format == FORMAT_LD || isa_table[at->op].format == FORMAT_LDC;
}

static bool is_store(const struct machine_instruction *at) {
    return isa_table[at->op].format == FORMAT_ST;
}

// An atomic operation in local memory whose result nobody reads: no other thread can tell when it was, beside loads of
// global memory that nothing orders.
static bool is_count(const struct machine_instruction *at) {
    return at->op == OP_ATOMS && at->dst == NONE;
}

// Of other threads' registers a SHFL reads what is there when it is executed.
static bool is_arithmetic(const struct machine_instruction *at) {
    return is_pure(at) && at->op != OP_SHFL && at->op != OP_SHFL_I;
}

static bool touches_fixed(const struct schedule *s, const struct machine_instruction *at) {
    if (at->dst != NONE && s->fixed[at->dst]) return true;
    for (unsigned k = 0; k < 3; k++)
        if (at->src[k] < UNDEFINED && s->fixed[at->src[k]]) return true;
    return false;
}

static bool belongs(const struct schedule *s, const struct machine_instruction *at) {
    return !at->ordered && !touches_fixed(s, at) && (is_load(at) || is_store(at) || is_count(at) || is_arithmetic(at));
}

static unsigned bytes_of(const struct machine_instruction *at) {
    static const uint8_t bytes[] = {
        [SIZE_U8] = 1, [SIZE_S8] = 1, [SIZE_U16] = 2, [SIZE_S16] = 2, [SIZE_32] = 4, [SIZE_64] = 8, [SIZE_128] = 16};
    return bytes[at->mod];
}

static enum opcode_space {
    SPACE_OF_NONE,
    SPACE_OF_GLOBAL,
    SPACE_OF_SHARED,
    SPACE_OF_PRIVATE,
    SPACE_OF_ANY
} space_of(const struct machine_instruction *at) {
    switch (at->op) {
        case OP_LDG:
        case OP_STG: return SPACE_OF_GLOBAL;
        case OP_LDS:
        case OP_ATOMS:
        case OP_STS: return SPACE_OF_SHARED;
        case OP_LDL:
        case OP_STL: return SPACE_OF_PRIVATE;
        case OP_LDC: return SPACE_OF_NONE;
        default: return SPACE_OF_ANY;
    }
}

// Whether a load may come before the store that stands before it.
static bool passes(const struct machine_instruction *load, const struct machine_instruction *store) {
    const enum opcode_space a = space_of(load), b = space_of(store);
    if (a == SPACE_OF_NONE || (a != b && a != SPACE_OF_ANY && b != SPACE_OF_ANY)) return true;
    if (a != b || is_count(store) || load->src[0] != store->src[0]) return false;
    // From the same register: apart when neither reaches into the other.
    return load->imm - store->imm >= bytes_of(store) && store->imm - load->imm >= bytes_of(load);
}

static bool is_ready(const struct schedule *s, uint32_t number) {
    return number >= UNDEFINED || s->written_at[number] == NONE || s->done[s->written_at[number]];
}

static void put(struct schedule *s, size_t k) {
    const struct machine_instruction *at = &s->code[k];
    s->to[s->put++] = *at;
    s->done[k] = true;
    if (is_load(at) && s->first_reader[k] != NONE) s->flying += result_words(at);
    for (unsigned i = 0; i < 3; i++) {
        if (at->src[i] >= UNDEFINED) continue;
        for (unsigned w = 0; w < source_words(at, i); w++) {
            const uint32_t from = s->written_at[at->src[i] + w];
            if (from == NONE || !is_load(&s->code[from]) || s->first_reader[from] == NONE) continue;
            s->flying -= result_words(&s->code[from]);
            s->first_reader[from] = NONE;
        }
    }
}

// Puts what makes the register, at most *left instructions of it that may move. False: nothing was put for it that is
// not good in any case.
static bool make_register(struct schedule *s, uint32_t number, unsigned *left) {
    if (is_ready(s, number)) return true;
    const size_t k = s->written_at[number];
    const struct machine_instruction *at = &s->code[k];
    if (*left == 0 || is_load(at) || !is_arithmetic(at) || at->guard != NONE || at->carry != NONE ||
        writes_predicate(at))
        return false;
    --*left;
    for (unsigned i = 0; i < 3; i++) {
        if (at->src[i] == NONE) continue;
        if (source_class(at, i) == CLASS_PREDICATE || !make_register(s, at->src[i], left)) return false;
    }
    put(s, k);
    return true;
}

// The next load that can be issued now, put with what makes its address. False: there is none.
static bool put_load(struct schedule *s, size_t from) {
    for (size_t k = from, seen = 0; k < s->count && seen < AHEAD; k++) {
        const struct machine_instruction *at = &s->code[k];
        if (s->done[k]) continue;
        seen++;
        if (!is_load(at) || at->guard != NONE) continue;
        if (s->flying + result_words(at) > FLYING) return false;
        bool free_way = true;
        for (size_t before = from; before < k && free_way; before++)
            free_way = s->done[before] || !(is_store(&s->code[before]) || is_count(&s->code[before])) ||
                       passes(at, &s->code[before]);
        unsigned left = MADE_MAX;
        if (!free_way || !make_register(s, at->src[0], &left)) continue;
        put(s, k);
        return true;
    }
    return false;
}

static void find_readers(struct schedule *s) {
    for (size_t k = 0; k < s->count; k++) {
        const struct machine_instruction *at = &s->code[k];
        s->done[k] = false;
        s->first_reader[k] = NONE;
        for (unsigned i = 0; i < 3; i++) {
            if (at->src[i] >= UNDEFINED) continue;
            for (unsigned w = 0; w < source_words(at, i); w++) {
                const uint32_t from = s->written_at[at->src[i] + w];
                if (from != NONE && s->first_reader[from] == NONE) s->first_reader[from] = (uint32_t)k;
            }
        }
        for (unsigned w = 0; at->dst != NONE && w < result_words(at); w++)
            s->written_at[at->dst + w] = (uint32_t)k;
        if (at->carry != NONE) s->written_at[at->carry] = (uint32_t)k;
    }
}

static void forget(struct schedule *s) {
    for (size_t k = 0; k < s->count; k++) {
        const struct machine_instruction *at = &s->code[k];
        for (unsigned w = 0; at->dst != NONE && w < result_words(at); w++)
            s->written_at[at->dst + w] = NONE;
        if (at->carry != NONE) s->written_at[at->carry] = NONE;
    }
}

static void order_stretch(struct schedule *s, struct machine_instruction *code, size_t count) {
    s->code = take(count, sizeof *s->code);
    s->to = code;
    s->first_reader = take(count, sizeof *s->first_reader);
    s->done = take(count, sizeof *s->done);
    for (size_t k = 0; k < count; k++)
        s->code[k] = code[k];
    s->count = count;
    s->put = 0;
    s->flying = 0;
    find_readers(s);
    for (size_t k = 0; k < count; k++) {
        while (!s->done[k] && put_load(s, k))
            continue;
        if (!s->done[k]) put(s, k);
    }
    forget(s);
    free(s->code);
    free(s->first_reader);
    free(s->done);
}

void loads_schedule(struct machine_function *function) {
    struct schedule s = {.function = function};
    bool *fixed = take(function->register_count, sizeof *fixed);
    for (size_t k = 0; k < function->fixed_count; k++)
        fixed[function->fixed[k].number] = true;
    s.fixed = fixed;
    s.written_at = take(function->register_count, sizeof *s.written_at);
    for (size_t r = 0; r < function->register_count; r++)
        s.written_at[r] = NONE;
    for (size_t b = 0; b < function->block_count; b++) {
        struct machine_block *block = &function->blocks[b];
        for (size_t from = 0, to; from < block->count; from = to + 1) {
            for (to = from; to < block->count && belongs(&s, &block->code[to]); to++)
                continue;
            if (to > from + 2) order_stretch(&s, &block->code[from], to - from);
        }
    }
    free(s.written_at);
    free(fixed);
}
