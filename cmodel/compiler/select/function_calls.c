// Calls of functions that stay functions, selected: how words get to where the callee looks for them, and back.
//
// The words of all arguments, and of the result, are numbered through. The first of them lie in registers, in fixed
// virtual ones for a short stretch before and behind the CAL (fixed.c); the others lie in the callee's frame, which has
// its place in every thread's memory for good. No function is active twice in a thread, so no stack is needed.
#include "compiler/select/function_calls.h"

#include <stdlib.h>

#include "compiler/select/values.h"
#include "gen/isa.h"

static unsigned past(const struct machine_callee *callee, unsigned words) {
    return words > callee->in_registers ? words - callee->in_registers : 0;
}

uint32_t call_frame_words(const struct machine_callee *callee) {
    return past(callee, callee->argument_words) + past(callee, callee->result_words);
}

static unsigned register_of(const struct machine_callee *callee, unsigned word) {
    return word + (callee->keeps_return ? 1u : 0u);
}

// Where a word that is not in a register lies.
static uint32_t place_of(const struct machine_callee *callee, unsigned word, bool result) {
    unsigned before = result ? past(callee, callee->argument_words) : 0;
    return callee->frame + 4 * (before + word - callee->in_registers);
}

// ---- into registers and memory, and out of them ----

struct fixed_words {  // those of one side of a call
    uint32_t registers[CALL_REGISTERS + 1];
    unsigned count;
};

static void move(struct selection *s, uint32_t to, uint32_t from) {
    struct machine_instruction move = make(from == NONE ? OP_MOV_I : OP_MOV);
    move.dst = to;
    move.src[1] = from;
    emit(s, move);
}

static void hand_over(struct selection *s, struct fixed_words *fixed, unsigned real, uint32_t from) {
    uint32_t to = new_fixed_register(s->function, real);
    if (from == UNDEFINED) return;
    move(s, to, from);
    fixed->registers[fixed->count++] = to;
}

// Nothing may come between this and the CAL or the end of the function.
static void keep(struct selection *s, const struct fixed_words *fixed) {
    for (unsigned k = 0; k < fixed->count; k += 3) {
        struct machine_instruction use = make(OP_NOP);
        for (unsigned i = 0; i < 3 && k + i < fixed->count; i++)
            use.src[i] = fixed->registers[k + i];
        emit(s, use);
    }
}

static void store_words(struct selection *s, const struct machine_callee *callee, const uint32_t *words, unsigned count,
                        bool result) {
    for (unsigned w = callee->in_registers; w < count; w++) {
        if (words[w] == UNDEFINED) continue;
        struct machine_instruction store = make(OP_STL);
        store.mod = SIZE_32;
        store.imm = place_of(callee, w, result);
        store.src[1] = words[w];
        emit(s, store);
    }
}

static uint32_t take_up(struct selection *s, unsigned real) {
    struct machine_instruction holds = make(OP_NOP);
    holds.dst = new_fixed_register(s->function, real);
    emit(s, holds);
    return holds.dst;
}

// The words that are wanted, in registers of their own; the fixed ones first, all of them, then the others.
static void take_words(struct selection *s, const struct machine_callee *callee, const bool *wanted, uint32_t *words,
                       unsigned count, bool result) {
    unsigned fixed = count < callee->in_registers ? count : callee->in_registers;
    for (unsigned w = 0; w < fixed; w++)
        if (wanted[w]) words[w] = take_up(s, register_of(callee, w));
    for (unsigned w = 0; w < fixed; w++) {
        if (!wanted[w]) continue;
        uint32_t own = new_register(s->function, CLASS_VECTOR);
        move(s, own, words[w]);
        words[w] = own;
    }
    for (unsigned w = fixed; w < count; w++) {
        if (!wanted[w]) continue;
        struct machine_instruction load = make(OP_LDL);
        load.mod = SIZE_32;
        load.imm = place_of(callee, w, result);
        words[w] = load.dst = new_register(s->function, CLASS_VECTOR);
        emit(s, load);
    }
}

static unsigned parts_of(struct selection *s, LLVMValueRef v, uint32_t *words) {
    unsigned count = part_count(LLVMTypeOf(v)) * word_count(LLVMTypeOf(v));
    for (unsigned k = 0; k < count; k++)
        words[k] = LLVMIsUndef(v) ? UNDEFINED : part_of(s, v, k);
    return count;
}

// ---- the three places ----

void select_called(struct selection *s, LLVMValueRef i, LLVMValueRef f) {
    const struct machine_callee *callee = tree_callee(s->tree, f);
    unsigned count = callee->argument_words, results = callee->result_words;
    uint32_t *words = take(count + results, sizeof *words);
    struct fixed_words fixed = {.count = 0};
    for (unsigned k = 0, at = 0; k < LLVMCountParams(f); k++)
        at += parts_of(s, LLVMGetOperand(i, k), words + at);
    store_words(s, callee, words, count, false);
    for (unsigned w = 0; w < count && w < callee->in_registers; w++)
        hand_over(s, &fixed, register_of(callee, w), words[w]);
    keep(s, &fixed);
    struct machine_instruction call = make(OP_CAL);
    call.imm = (uint32_t)(callee - s->tree->callees);
    emit(s, call);
    s->stretch++;  // the callee uses the predicates
    if (results > 0 && LLVMGetFirstUse(i) != NULL) {
        bool *wanted = take(results, sizeof *wanted);
        for (unsigned w = 0; w < results; w++)
            wanted[w] = true;
        take_words(s, callee, wanted, words, results, true);
        struct value *value = value_new(s, i, results);
        for (unsigned w = 0; w < results; w++)
            value->parts[w] = words[w];
        free(wanted);
    }
    free(words);
}

void select_parameters(struct selection *s) {
    unsigned count = s->self->argument_words;
    uint32_t *words = take(count, sizeof *words);
    bool *wanted = take(count, sizeof *wanted);
    s->block = 0;
    for (unsigned k = 0, at = 0; k < LLVMCountParams(s->source); k++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(s->source, k));
        for (unsigned end = at + words_of(type); at < end; at++)
            wanted[at] = LLVMGetFirstUse(LLVMGetParam(s->source, k)) != NULL;
    }
    if (s->self->keeps_return) s->return_address = take_up(s, 0);
    take_words(s, s->self, wanted, words, count, false);
    if (s->self->keeps_return) {
        uint32_t own = new_register(s->function, CLASS_VECTOR);
        move(s, own, s->return_address);
        s->return_address = own;
    }
    for (unsigned k = 0, at = 0; k < LLVMCountParams(s->source); k++) {
        struct value *value = value_of(s, LLVMGetParam(s->source, k));
        for (unsigned p = 0; p < value->count; p++, at++)
            if (wanted[at]) value->parts[p] = words[at];
    }
    free(words);
    free(wanted);
}

void select_return(struct selection *s, LLVMValueRef end) {
    unsigned count = s->self->result_words;
    uint32_t *words = take(count, sizeof *words);
    struct fixed_words fixed = {.count = 0};
    bool returns = LLVMIsAReturnInst(end) != NULL;
    for (unsigned w = 0; w < count; w++)
        words[w] = UNDEFINED;
    if (returns && count > 0) parts_of(s, LLVMGetOperand(end, 0), words);
    store_words(s, s->self, words, count, true);
    if (s->self->keeps_return) hand_over(s, &fixed, 0, s->return_address);
    for (unsigned w = 0; w < count && w < s->self->in_registers; w++)
        hand_over(s, &fixed, register_of(s->self, w), words[w]);
    keep(s, &fixed);
    free(words);
}
