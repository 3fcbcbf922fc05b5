// What is known of variables at one place of a function: see places_state.h.
#include "compiler/machine/places_state.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/machine/callee.h"
#include "gen/isa.h"

bool is_register(const struct debug_place *place) {
    return place->where == DEBUG_REGISTER || place->where == DEBUG_PREDICATE;
}

static uint32_t slot_of(const struct watching *w, uint32_t number) {
    return number < w->places->slot_count ? w->places->slots[number] : NONE;
}

static uint32_t key_of(const struct watching *w, uint32_t number) {
    if (slot_of(w, number) != NONE) return KEY_SLOTS + slot_of(w, number);
    const uint32_t real = w->function->assigned[number];
    return w->function->classes[number] == CLASS_PREDICATE ? KEY_PREDICATES + real : real;
}

// ---- registers that are watched: those that are variables, and those that several ways come together in

static void watch(struct watching *w, uint32_t number) {
    if (w->watch[number] != NONE) return;
    const uint32_t own = w->watch[number] = (uint32_t)w->watch_count++, key = key_of(w, number);
    w->watched[own] = number;
    if (key >= KEY_SLOTS) {
        w->with_slot[w->with_slot_count++] = own;
    } else {
        w->next[own] = w->first[key];
        w->first[key] = own;
    }
}

static bool is_any_move(const struct machine_instruction *at) {
    return (at->op == OP_MOV || at->op == OP_MOV_I) && at->guard == NONE && at->dst != NONE;
}

struct watching watching_make(struct machine_function *function) {
    const size_t registers = function->register_count;
    struct watching w = {.function = function, .places = function->places};
    w.watch = take(registers, sizeof *w.watch);
    w.watched = take(registers, sizeof *w.watched);
    w.next = take(registers, sizeof *w.next);
    w.with_slot = take(registers, sizeof *w.with_slot);
    memset(w.watch, 0xFF, registers * sizeof *w.watch);
    memset(w.next, 0xFF, registers * sizeof *w.next);
    memset(w.first, 0xFF, sizeof w.first);
    for (size_t b = 0; b < w.places->binding_count; b++) {
        const struct debug_value *value = w.places->bindings[b].value;
        for (unsigned k = 0; value != NULL && k < value->count; k++)
            if (is_register(&value->parts[k])) watch(&w, value->parts[k].number);
    }
    uint8_t *moves = take(registers, 1);
    for (size_t b = 0; b < function->block_count; b++) {
        for (size_t k = 0; k < function->blocks[b].count; k++) {
            const struct machine_instruction *at = &function->blocks[b].code[k];
            if (!is_any_move(at)) continue;
            if (moves[at->dst] == 1) watch(&w, at->dst);
            moves[at->dst] = 1;
        }
    }
    free(moves);
    return w;
}

// ---- states

struct state state_make(const struct watching *w) {
    const size_t slices = w->places->program->slice_count;
    return (struct state){.bound = take(slices, sizeof(uint32_t)),
                          .joined = take(slices, sizeof(uint32_t)),
                          .holds = take(w->watch_count + 1, 1),
                          .copies = take(KEY_PREDICATES, sizeof(uint32_t))};
}

void state_begin(const struct watching *w, struct state *state) {
    const size_t slices = w->places->program->slice_count;
    memset(state->bound, 0xFF, slices * sizeof *state->bound);
    memset(state->joined, 0xFF, slices * sizeof *state->joined);
    memset(state->holds, 0, w->watch_count + 1);
    memset(state->copies, 0xFF, KEY_PREDICATES * sizeof *state->copies);
}

void state_copy(const struct watching *w, struct state *to, const struct state *from) {
    const size_t slices = w->places->program->slice_count;
    memcpy(to->bound, from->bound, slices * sizeof *to->bound);
    memcpy(to->joined, from->joined, slices * sizeof *to->joined);
    memcpy(to->holds, from->holds, w->watch_count + 1);
    memcpy(to->copies, from->copies, KEY_PREDICATES * sizeof *to->copies);
}

void state_free(struct state *state) {
    free(state->bound);
    free(state->joined);
    free(state->holds);
    free(state->copies);
}

// ---- writing registers

static uint32_t copy_of(const struct state *state, uint32_t own) {
    for (uint32_t real = 0; real < KEY_PREDICATES; real++)
        if (state->copies[real] == own) return real;
    return NONE;
}

static bool names(const struct debug_value *value, uint32_t number) {
    for (unsigned k = 0; k < value->count; k++)
        if (is_register(&value->parts[k]) && value->parts[k].number == number) return true;
    return false;
}

// The register has another value now. What was bound to it before is so no more, unless it was bound to what comes.
static void define(const struct watching *w, struct state *state, uint32_t number) {
    const uint32_t own = w->watch[number], copy = own != NONE ? copy_of(state, own) : NONE;
    if (own == NONE) return;
    const bool had = state->holds[own] || copy != NONE;
    for (size_t s = 0; s < w->places->program->slice_count; s++) {
        if (state->joined[s] == number) state->joined[s] = NONE;
        if (had && state->bound[s] != UNBOUND && names(w->places->bindings[state->bound[s]].value, number))
            state->bound[s] = UNBOUND;
    }
    state->holds[own] = 1;
    if (copy != NONE) state->copies[copy] = NONE;
}

static void lose(const struct watching *w, struct state *state, uint32_t own, uint32_t key, uint32_t but) {
    if (state->holds[own] && w->watched[own] != but && key_of(w, w->watched[own]) == key) state->holds[own] = 0;
}

static void write(const struct watching *w, struct state *state, uint32_t number) {
    const uint32_t key = key_of(w, number);
    if (key < KEY_PREDICATES) state->copies[key] = NONE;
    if (key < KEY_SLOTS) {
        for (uint32_t own = w->first[key]; own != NONE; own = w->next[own])
            lose(w, state, own, key, number);
    } else {
        for (size_t k = 0; k < w->with_slot_count; k++)
            lose(w, state, w->with_slot[k], key, number);
    }
    define(w, state, number);
}

// A called function uses registers and predicates of its own.
static void call(const struct watching *w, struct state *state, unsigned registers) {
    for (uint32_t key = 0; key < KEY_SLOTS; key++) {
        if (key >= registers && key < KEY_PREDICATES) continue;
        for (uint32_t own = w->first[key]; own != NONE; own = w->next[own])
            state->holds[own] = 0;
        if (key < KEY_PREDICATES) state->copies[key] = NONE;
    }
}

// Behind a move its target is the variable too that its source is.
static void follow_move(const struct watching *w, struct state *state, const struct machine_instruction *at) {
    if (slot_of(w, at->dst) != NONE) return;
    const uint32_t from = at->op == OP_MOV_I ? NONE : at->src[1];
    for (size_t s = 0; s < w->places->program->slice_count && w->watch[at->dst] != NONE; s++) {
        if (state->bound[s] == UNBOUND) continue;
        const struct debug_value *value = w->places->bindings[state->bound[s]].value;
        if (value->count != 1 || value->operation_count != 0) continue;
        const struct debug_place *place = &value->parts[0];
        const bool same = from == NONE
                              ? place->where == DEBUG_NUMBER && place->number == (at->op == OP_MOV_I ? at->imm : 0)
                              : place->where == DEBUG_REGISTER && place->number == from;
        if (same) state->joined[s] = at->dst;
    }
    if (from == NONE || w->watch[from] == NONE || !state->holds[w->watch[from]]) return;
    const uint32_t real = key_of(w, at->dst);
    if (real < KEY_PREDICATES && real != key_of(w, from)) state->copies[real] = w->watch[from];
}

void state_execute(const struct watching *w, struct state *state, const struct machine_instruction *at) {
    if (at->op == OP_CAL) {
        call(w, state, w->function->callees[at->imm].registers);
        return;
    }
    if (at->kept != NONE) {
        write(w, state, at->kept);
        return;
    }
    if (at->carry != NONE) write(w, state, at->carry);
    if (at->dst == NONE) return;
    if (at->op == OP_MOV && is_nothing(w->function, at) && slot_of(w, at->dst) == NONE &&
        slot_of(w, at->src[1]) == NONE) {
        define(w, state, at->dst);  // the value is where it was, and both names are good
    } else {
        for (unsigned k = 0; k < result_words(at); k++)
            if (slot_of(w, at->dst + k) == NONE) write(w, state, at->dst + k);
    }
    if (is_any_move(at)) follow_move(w, state, at);
}

void state_join(const struct watching *w, struct state *state, const struct place_join *join) {
    const uint32_t from = w->watch[join->from];
    if (w->watch[join->to] == NONE) return;
    define(w, state, join->to);
    state->holds[w->watch[join->to]] = from == NONE ? 0 : state->holds[from];
}

void state_bind(const struct watching *w, struct state *state, uint32_t number) {
    const struct debug_program *program = w->places->program;
    const struct place_binding *binding = &w->places->bindings[number];
    const struct debug_slice *slice = &program->slices[binding->slice];
    for (uint32_t s = program->variables[slice->variable].first; s != NONE; s = program->slices[s].next) {
        if (!debug_slices_overlap(&program->slices[s], slice)) continue;
        state->bound[s] = UNBOUND;
        state->joined[s] = NONE;
    }
    if (binding->value == NULL) return;
    state->bound[binding->slice] = number;
    for (unsigned k = 0; binding->later && k < binding->value->count; k++) {
        if (!is_register(&binding->value->parts[k])) continue;
        const uint32_t own = w->watch[binding->value->parts[k].number], copy = copy_of(state, own);
        state->holds[own] = 0;
        if (copy != NONE) state->copies[copy] = NONE;
    }
}

// ---- ways that come together

// The binding of a slice to the register alone, made when there is none.
static uint32_t binding_to(const struct watching *w, uint32_t slice, uint32_t number) {
    struct places *places = w->places;
    for (uint32_t b = (uint32_t)places->binding_count; b-- > places->told_count;)
        if (places->bindings[b].slice == slice && places->bindings[b].value->parts[0].number == number) return b;
    struct debug_value *value = debug_new_value(1, 4);
    value->parts[0] = (struct debug_place){.where = DEBUG_REGISTER, .number = number};
    places_bind(w->function, 0, 0, slice, value);
    return (uint32_t)places->binding_count - 1;
}

static const struct debug_value *value_of(const struct watching *w, uint32_t binding) {
    return binding == UNBOUND ? NULL : w->places->bindings[binding].value;
}

// The register that a slice is in by itself on this way, or NONE.
static bool is_in(const struct watching *w, const struct state *state, size_t s, uint32_t number) {
    const struct debug_value *value = value_of(w, state->bound[s]);
    if (value == NULL) return false;
    return state->joined[s] == number || (value->count == 1 && value->operation_count == 0 &&
                                          value->parts[0].where == DEBUG_REGISTER && value->parts[0].number == number);
}

static bool meet_slice(const struct watching *w, struct state *state, const struct state *with, uint32_t s) {
    const struct debug_value *a = value_of(w, state->bound[s]), *b = value_of(w, with->bound[s]);
    const uint32_t joined = state->joined[s];
    bool changed = false;
    if (joined != NONE && with->joined[s] != joined) {
        state->joined[s] = NONE;
        changed = true;
    }
    if (a == NULL || (b != NULL && debug_values_equal(a, b))) return changed;
    // It is in a register here, and in the same one on the other way.
    if (a->count == 1 && a->operation_count == 0 && a->parts[0].where == DEBUG_REGISTER &&
        is_in(w, with, s, a->parts[0].number))
        return changed;
    const uint32_t into = joined != NONE && is_in(w, with, s, joined) ? joined : NONE;
    state->bound[s] = into == NONE ? UNBOUND : binding_to(w, s, into);
    return true;
}

bool state_meet(const struct watching *w, struct state *state, const struct state *with) {
    bool changed = false;
    for (uint32_t s = 0; s < w->places->program->slice_count; s++)
        changed |= meet_slice(w, state, with, s);
    for (size_t own = 0; own < w->watch_count; own++) {
        if (!state->holds[own] || with->holds[own]) continue;
        state->holds[own] = 0;
        changed = true;
    }
    for (uint32_t real = 0; real < KEY_PREDICATES; real++) {
        if (state->copies[real] == NONE || state->copies[real] == with->copies[real]) continue;
        state->copies[real] = NONE;
        changed = true;
    }
    return changed;
}

bool state_place(const struct watching *w, const struct state *state, struct debug_place *place) {
    const uint32_t own = w->watch[place->number], slot = slot_of(w, place->number);
    if (!state->holds[own]) {
        const uint32_t copy = copy_of(state, own);
        if (copy == NONE) return false;
        place->number = copy;
    } else if (slot != NONE) {
        *place = (struct debug_place){.where = DEBUG_MEMORY, .space = DEBUG_SPACE_PRIVATE, .number = slot};
    } else {
        place->number = w->function->assigned[place->number];
    }
    return true;
}
