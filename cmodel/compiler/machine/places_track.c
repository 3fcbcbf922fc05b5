// Where each variable is before each instruction: a walk over the flow graph with, for each slice of a variable, the value
// that it has been given last, and, for each virtual register that such a value names, whether the real register (the slot
// in memory) that was given to it holds it now. What is not the same on all ways to a place is not known there.
#include <stdlib.h>
#include <string.h>

#include "compiler/machine/callee.h"
#include "compiler/machine/flow_graph.h"
#include "compiler/machine/places.h"
#include "gen/isa.h"

enum {
    KEY_PREDICATES = 256,
    KEY_SLOTS = 512,
    UNBOUND = 0xFFFFFFFFu,  // a slice: it has no value that is known
};

struct state {
    uint32_t *bound;   // of each slice: binding
    uint8_t *holds;    // of each watched register
    uint32_t *copies;  // of each watched register: a key that holds its value too, or NONE
};

struct spot {
    uint32_t index, binding;  // before which instruction of the block, drop_moves() not counted
};

struct track {
    struct machine_function *function;
    struct places *places;
    uint32_t *watch;    // of each register: its number among the watched ones, or NONE
    uint32_t *watched;  // registers
    size_t watch_count;
    struct spot **spots;  // of each block, in order
    size_t *spot_counts;
    struct state *entries;  // of each block
    bool *entered;
    const struct debug_value **told;  // of each slice
};

// ---- registers that are watched

static bool is_register(const struct debug_place *place) {
    return place->where == DEBUG_REGISTER || place->where == DEBUG_PREDICATE;
}

static void find_watched(struct track *t) {
    const size_t registers = t->function->register_count;
    t->watch = take(registers, sizeof *t->watch);
    t->watched = take(registers, sizeof *t->watched);
    memset(t->watch, 0xFF, registers * sizeof *t->watch);
    for (size_t b = 0; b < t->places->binding_count; b++) {
        const struct debug_value *value = t->places->bindings[b].value;
        for (unsigned k = 0; value != NULL && k < value->count; k++) {
            if (!is_register(&value->parts[k]) || t->watch[value->parts[k].number] != NONE) continue;
            t->watch[value->parts[k].number] = (uint32_t)t->watch_count;
            t->watched[t->watch_count++] = value->parts[k].number;
        }
    }
}

static uint32_t slot_of(const struct track *t, uint32_t number) {
    return number < t->places->slot_count ? t->places->slots[number] : NONE;
}

// What the register was given: registers with the same key overwrite each other.
static uint32_t key_of(const struct track *t, uint32_t number) {
    if (slot_of(t, number) != NONE) return KEY_SLOTS + slot_of(t, number);
    const uint32_t real = t->function->assigned[number];
    return t->function->classes[number] == CLASS_PREDICATE ? KEY_PREDICATES + real : real;
}

// ---- where bindings come to stand

static bool writes(const struct machine_instruction *at, uint32_t number) {
    if (at->kept == number || at->carry == number) return true;
    return at->dst != NONE && number >= at->dst && number - at->dst < result_words(at);
}

// The first place in the block behind all that was selected before, as far as instructions have kept their order, and
// behind what makes the value.
static uint32_t place_in(const struct machine_block *block, const struct place_binding *binding) {
    size_t cost = 0, at = 0;
    for (size_t k = 0; k < block->count; k++)
        cost += block->code[k].order != 0 && block->code[k].order < binding->order;
    size_t best = cost;
    for (size_t k = 0; k < block->count; k++) {
        const uint32_t order = block->code[k].order;
        if (order == 0) continue;
        cost = order < binding->order ? cost - 1 : cost + 1;
        if (cost < best) {
            best = cost;
            at = k + 1;
        }
    }
    for (size_t k = at; binding->value != NULL && k < block->count; k++)
        for (unsigned p = 0; p < binding->value->count; p++)
            if (is_register(&binding->value->parts[p]) && writes(&block->code[k], binding->value->parts[p].number))
                at = k + 1;
    return (uint32_t)at;
}

// Orders of what was selected into the block, as far as it is still there: a block that was parted later has a part each.
static bool orders_of(const struct machine_block *block, uint32_t *first) {
    *first = 0;
    for (size_t k = 0; k < block->count; k++)
        if (block->code[k].order != 0 && (*first == 0 || block->code[k].order < *first)) *first = block->code[k].order;
    return *first != 0;
}

static int by_index(const void *left, const void *right) {
    const struct spot *a = left, *b = right;
    if (a->index != b->index) return a->index < b->index ? -1 : 1;
    return a->binding < b->binding ? -1 : a->binding > b->binding;
}

static void add_spot(struct track *t, uint32_t b, uint32_t binding, size_t *capacity) {
    t->spots[b] = grow(t->spots[b], t->spot_counts[b], capacity, sizeof *t->spots[b]);
    t->spots[b][t->spot_counts[b]++] =
        (struct spot){.index = place_in(&t->function->blocks[b], &t->places->bindings[binding]), .binding = binding};
}

// Blocks that were made later: parts and copies of selected ones. Theirs are the bindings between what they hold.
static void find_spots(struct track *t) {
    const size_t blocks = t->function->block_count;
    size_t *capacities = take(blocks, sizeof *capacities);
    uint32_t *starts = take(blocks, sizeof *starts);
    t->spots = take(blocks, sizeof(struct spot *));
    t->spot_counts = take(blocks, sizeof *t->spot_counts);
    for (size_t b = t->places->selected_blocks; b < blocks; b++)
        (void)orders_of(&t->function->blocks[b], &starts[b]);
    for (uint32_t n = 0; n < t->places->binding_count; n++) {
        const struct place_binding *binding = &t->places->bindings[n];
        uint32_t first = 0, part = 0;
        (void)orders_of(&t->function->blocks[binding->block], &first);
        for (size_t b = t->places->selected_blocks; b < blocks; b++)
            if (starts[b] != 0 && starts[b] < binding->order && starts[b] > part) part = starts[b];
        // Of all parts that begin before, the last; the block itself when that begins later still.
        bool put = false;
        for (uint32_t b = (uint32_t)t->places->selected_blocks; b < blocks && part > first; b++) {
            if (starts[b] != part) continue;
            add_spot(t, b, n, &capacities[b]);
            put = true;
        }
        if (!put) add_spot(t, binding->block, n, &capacities[binding->block]);
    }
    for (size_t b = 0; b < blocks; b++)
        if (t->spot_counts[b] > 1) qsort(t->spots[b], t->spot_counts[b], sizeof *t->spots[b], by_index);
    free(capacities);
    free(starts);
}

// ---- what an instruction does to them

static void unbind_register(struct track *t, struct state *state, uint32_t number) {
    for (size_t s = 0; s < t->places->program->slice_count; s++) {
        if (state->bound[s] == UNBOUND) continue;
        const struct debug_value *value = t->places->bindings[state->bound[s]].value;
        for (unsigned k = 0; k < value->count; k++)
            if (is_register(&value->parts[k]) && value->parts[k].number == number) state->bound[s] = UNBOUND;
    }
}

// The register has another value now. What has been bound to it before is so no more, unless it was bound to what comes.
static void define(struct track *t, struct state *state, uint32_t number) {
    const uint32_t w = t->watch[number];
    if (w == NONE) return;
    if (state->holds[w] || state->copies[w] != NONE) unbind_register(t, state, number);
    state->holds[w] = 1;
    state->copies[w] = NONE;
}

static void lose_key(struct track *t, struct state *state, uint32_t key, uint32_t but) {
    for (size_t w = 0; w < t->watch_count; w++) {
        if (state->copies[w] == key) state->copies[w] = NONE;
        if (state->holds[w] && t->watched[w] != but && key_of(t, t->watched[w]) == key) state->holds[w] = 0;
    }
}

static void write(struct track *t, struct state *state, uint32_t number) {
    lose_key(t, state, key_of(t, number), number);
    define(t, state, number);
}

static void execute(struct track *t, struct state *state, const struct machine_instruction *at) {
    if (at->op == OP_CAL) {
        const unsigned most = t->function->callees[at->imm].registers;
        for (size_t w = 0; w < t->watch_count; w++) {
            const uint32_t key = key_of(t, t->watched[w]);
            if (key < most || (key >= KEY_PREDICATES && key < KEY_SLOTS)) state->holds[w] = 0;
            if (state->copies[w] < most) state->copies[w] = NONE;
        }
        return;
    }
    if (at->kept != NONE) {
        write(t, state, at->kept);
        return;
    }
    if (at->carry != NONE) write(t, state, at->carry);
    if (at->dst == NONE) return;
    // A move from where the value is already: both names are good.
    if (at->op == OP_MOV && is_nothing(t->function, at) && slot_of(t, at->dst) == NONE &&
        slot_of(t, at->src[1]) == NONE) {
        define(t, state, at->dst);
        return;
    }
    for (unsigned w = 0; w < result_words(at); w++)
        if (slot_of(t, at->dst + w) == NONE) write(t, state, at->dst + w);
    if (at->op != OP_MOV || at->guard != NONE || at->src[1] == NONE || t->watch[at->src[1]] == NONE) return;
    const uint32_t from = t->watch[at->src[1]];
    if (state->holds[from] && slot_of(t, at->dst) == NONE) state->copies[from] = key_of(t, at->dst);
}

static void bind(struct track *t, struct state *state, uint32_t number) {
    const struct debug_program *program = t->places->program;
    const struct place_binding *binding = &t->places->bindings[number];
    const struct debug_slice *slice = &program->slices[binding->slice];
    for (uint32_t s = program->variables[slice->variable].first; s != NONE; s = program->slices[s].next)
        if (debug_slices_overlap(&program->slices[s], slice)) state->bound[s] = UNBOUND;
    if (binding->value == NULL) return;
    state->bound[binding->slice] = number;
    for (unsigned k = 0; binding->later && k < binding->value->count; k++) {
        if (!is_register(&binding->value->parts[k])) continue;
        state->holds[t->watch[binding->value->parts[k].number]] = 0;
        state->copies[t->watch[binding->value->parts[k].number]] = NONE;
    }
}

static void join(struct track *t, struct state *state, const struct place_join *join) {
    if (t->watch[join->to] == NONE) return;
    const uint32_t from = t->watch[join->from];
    unbind_register(t, state, join->to);
    state->holds[t->watch[join->to]] = from == NONE ? 0 : state->holds[from];
    state->copies[t->watch[join->to]] = NONE;
}

// ---- the walk

static struct state new_state(const struct track *t) {
    return (struct state){.bound = take(t->places->program->slice_count, sizeof(uint32_t)),
                          .holds = take(t->watch_count + 1, 1),
                          .copies = take(t->watch_count + 1, sizeof(uint32_t))};
}

static void copy_state(const struct track *t, struct state *to, const struct state *from) {
    memcpy(to->bound, from->bound, t->places->program->slice_count * sizeof *to->bound);
    memcpy(to->holds, from->holds, t->watch_count + 1);
    memcpy(to->copies, from->copies, (t->watch_count + 1) * sizeof *to->copies);
}

// True: something is known no more.
static bool meet(struct track *t, uint32_t block, const struct state *with) {
    struct state *entry = &t->entries[block];
    bool changed = !t->entered[block];
    if (!t->entered[block]) {
        t->entered[block] = true;
        copy_state(t, entry, with);
        return true;
    }
    for (size_t s = 0; s < t->places->program->slice_count; s++) {
        if (entry->bound[s] == with->bound[s] || entry->bound[s] == UNBOUND) continue;
        const struct debug_value *a = t->places->bindings[entry->bound[s]].value;
        const struct debug_value *b = with->bound[s] != UNBOUND ? t->places->bindings[with->bound[s]].value : NULL;
        if (b != NULL && debug_values_equal(a, b)) continue;
        entry->bound[s] = UNBOUND;
        changed = true;
    }
    for (size_t w = 0; w < t->watch_count; w++) {
        if (entry->copies[w] != NONE && entry->copies[w] != with->copies[w]) {
            entry->copies[w] = NONE;
            changed = true;
        }
        if (!entry->holds[w] || with->holds[w]) continue;
        entry->holds[w] = 0;
        changed = true;
    }
    return changed;
}

typedef void tell(struct track *t, const struct state *state, uint32_t block, size_t index);

static void walk_block(struct track *t, struct state *state, uint32_t b, tell *tell) {
    const struct machine_block *block = &t->function->blocks[b];
    size_t next = 0;
    for (size_t k = 0; k <= block->count; k++) {
        for (; next < t->spot_counts[b] && t->spots[b][next].index == k; next++)
            bind(t, state, t->spots[b][next].binding);
        if (tell != NULL) tell(t, state, b, k);
        if (k < block->count) execute(t, state, &block->code[k]);
    }
    for (size_t k = 0; k < t->places->join_count; k++)
        if (t->places->joins[k].block == b) join(t, state, &t->places->joins[k]);
}

static void solve(struct track *t, const uint32_t *order, size_t count) {
    struct state state = new_state(t);
    memset(t->entries[0].bound, 0xFF, t->places->program->slice_count * sizeof(uint32_t));
    memset(t->entries[0].copies, 0xFF, (t->watch_count + 1) * sizeof(uint32_t));
    t->entered[0] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < count; k++) {
            const struct machine_block *block = &t->function->blocks[order[k]];
            if (!t->entered[order[k]]) continue;
            copy_state(t, &state, &t->entries[order[k]]);
            walk_block(t, &state, order[k], NULL);
            for (unsigned s = 0; s < successor_count(block); s++)
                changed |= meet(t, block->target[s], &state);
        }
    }
    free(state.bound);
    free(state.holds);
    free(state.copies);
}

// ---- what comes out

// The place that has the register's value now; false: none has.
static bool real_place(const struct track *t, const struct state *state, struct debug_place *place) {
    const uint32_t w = t->watch[place->number], slot = slot_of(t, place->number);
    if (!state->holds[w]) {
        if (state->copies[w] >= KEY_PREDICATES) return false;
        place->number = state->copies[w];
    } else if (slot != NONE) {
        *place = (struct debug_place){.where = DEBUG_MEMORY, .space = DEBUG_SPACE_PRIVATE, .number = slot};
    } else {
        place->number = t->function->assigned[place->number];
    }
    return true;
}

// Writes the value with real places into `to`, whose parts have room. False: a part of it is nowhere now.
static bool real_value(const struct track *t, const struct state *state, uint32_t binding, struct debug_value *to) {
    if (binding == UNBOUND) return false;
    const struct debug_value *from = t->places->bindings[binding].value;
    struct debug_place *parts = to->parts;
    *to = *from;
    to->parts = parts;
    for (unsigned k = 0; k < from->count; k++) {
        parts[k] = from->parts[k];
        if (parts[k].where == DEBUG_NOWHERE) return false;
        if (is_register(&parts[k]) && !real_place(t, state, &parts[k])) return false;
    }
    return true;
}

// How many instructions before this one are left.
static uint32_t index_left(const struct track *t, uint32_t b, size_t index) {
    uint32_t left = 0;
    for (size_t k = 0; k < index; k++)
        left += !is_nothing(t->function, &t->function->blocks[b].code[k]);
    return left;
}

static void note(struct track *t, const struct state *state, uint32_t b, size_t index) {
    struct places *places = t->places;
    struct debug_place parts[DEBUG_WORDS_MAX] = {0};
    for (uint32_t s = 0; s < places->program->slice_count; s++) {
        struct debug_value now = {.parts = parts};
        const bool there = real_value(t, state, state->bound[s], &now);
        if (index == 0) t->told[s] = NULL;
        if (there ? t->told[s] != NULL && debug_values_equal(t->told[s], &now) : t->told[s] == NULL) continue;
        struct debug_value *kept = NULL;
        if (there) {
            kept = debug_new_value(now.count, now.bytes);
            memcpy(kept->parts, parts, now.count * sizeof *parts);
            kept->operations = now.operations;
            kept->operation_count = now.operation_count;
        }
        t->told[s] = kept;
        places->changes =
            grow(places->changes, places->change_count, &places->change_capacity, sizeof *places->changes);
        places->changes[places->change_count++] =
            (struct place_change){.block = b, .index = index_left(t, b, index), .slice = s, .value = kept};
    }
}

void places_track(struct machine_function *function) {
    struct places *places = function->places;
    if (places == NULL || places->binding_count == 0) return;
    struct track t = {.function = function, .places = places};
    uint32_t *order = take(function->block_count, sizeof *order);
    const size_t count = flow_order(function, order);
    find_watched(&t);
    find_spots(&t);
    t.entries = take(function->block_count, sizeof *t.entries);
    t.entered = take(function->block_count, sizeof *t.entered);
    for (size_t b = 0; b < function->block_count; b++)
        t.entries[b] = new_state(&t);
    solve(&t, order, count);
    struct state state = new_state(&t);
    t.told = take(places->program->slice_count, sizeof(const struct debug_value *));
    for (size_t k = 0; k < count; k++) {
        copy_state(&t, &state, &t.entries[order[k]]);
        walk_block(&t, &state, order[k], note);
    }
    free(order);
}
