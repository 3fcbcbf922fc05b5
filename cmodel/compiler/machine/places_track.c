// Where each variable is before each instruction: a walk over the flow graph with, for each slice of a variable, the value
// that it has been given last, and, for each virtual register that such a value names, whether the real register (the slot
// in memory) that was given to it holds it now. What is not the same on all ways to a place is not known there, unless the
// ways come together in one register.
#include <stdlib.h>
#include <string.h>

#include "compiler/machine/flow_graph.h"
#include "compiler/machine/places_state.h"
#include "gen/isa.h"

struct spot {
    uint32_t index, binding;  // before which instruction of the block, drop_moves() not counted
};

struct track {
    struct machine_function *function;
    struct places *places;
    struct watching watching;
    struct spot **spots;  // of each block, in order
    size_t *spot_counts;
    struct state *entries;  // of each block
    bool *entered;
    const struct debug_value **told;  // of each slice
};

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
            if (block->code[k].order != 0 && is_register(&binding->value->parts[p]) &&
                writes(&block->code[k], binding->value->parts[p].number))
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

// ---- the walk

typedef void tell(struct track *t, const struct state *state, uint32_t block, size_t index);

static void walk_block(struct track *t, struct state *state, uint32_t b, tell *tell) {
    const struct machine_block *block = &t->function->blocks[b];
    size_t next = 0;
    for (size_t k = 0; k <= block->count; k++) {
        for (; next < t->spot_counts[b] && t->spots[b][next].index == k; next++)
            state_bind(&t->watching, state, t->spots[b][next].binding);
        if (tell != NULL) tell(t, state, b, k);
        if (k < block->count) state_execute(&t->watching, state, &block->code[k]);
    }
    for (size_t k = 0; k < t->places->join_count; k++)
        if (t->places->joins[k].block == b) state_join(&t->watching, state, &t->places->joins[k]);
}

static bool arrive(struct track *t, uint32_t block, const struct state *state) {
    if (t->entered[block]) return state_meet(&t->watching, &t->entries[block], state);
    t->entered[block] = true;
    state_copy(&t->watching, &t->entries[block], state);
    return true;
}

static void solve(struct track *t, const uint32_t *order, size_t count) {
    struct state state = state_make(&t->watching);
    state_begin(&t->watching, &t->entries[0]);
    t->entered[0] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < count; k++) {
            const struct machine_block *block = &t->function->blocks[order[k]];
            if (!t->entered[order[k]]) continue;
            state_copy(&t->watching, &state, &t->entries[order[k]]);
            walk_block(t, &state, order[k], NULL);
            for (unsigned s = 0; s < successor_count(block); s++)
                changed |= arrive(t, block->target[s], &state);
        }
    }
    state_free(&state);
}

// ---- what comes out

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
        if (is_register(&parts[k]) && !state_place(&t->watching, state, &parts[k])) return false;
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
    places->told_count = places->binding_count;
    struct track t = {.function = function, .places = places, .watching = watching_make(function)};
    uint32_t *order = take(function->block_count, sizeof *order);
    const size_t count = flow_order(function, order);
    find_spots(&t);
    t.entries = take(function->block_count, sizeof *t.entries);
    t.entered = take(function->block_count, sizeof *t.entered);
    for (size_t b = 0; b < function->block_count; b++)
        t.entries[b] = state_make(&t.watching);
    solve(&t, order, count);
    struct state state = state_make(&t.watching);
    t.told = take(places->program->slice_count, sizeof(const struct debug_value *));
    for (size_t k = 0; k < count; k++) {
        state_copy(&t.watching, &state, &t.entries[order[k]]);
        walk_block(&t, &state, order[k], note);
    }
    for (size_t b = 0; b < function->block_count; b++)
        state_free(&t.entries[b]);
    state_free(&state);
    free(order);
}
