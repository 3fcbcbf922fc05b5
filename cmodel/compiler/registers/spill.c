// Spilling: values that do not find a register live in the thread's own memory instead. Each write of such a value is
// followed by a store, each read preceded by a load into a register of its own; a value that is cheap to make again (a
// constant, a special register, an argument) is made again instead. What goes is what costs least for the room it
// gives: the price counts reads and writes by the depth of their loops, the gain is the part of the program with too
// many live values that it covers.
#include "compiler/registers/spill.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/machine/flow_graph.h"
#include "compiler/machine/machine.h"
#include "compiler/machine/places.h"
#include "compiler/registers/fixed.h"
#include "gen/isa.h"

enum { DEPTH_MOST = 6, ROOM_FOR_RELOADS = 4 };

struct candidate {
    uint32_t number;  // representative of merged registers
    double price;     // of spilling, for each place that it would relieve
};

struct spilling {
    struct machine_function *function;
    const struct live_range *ranges;
    const uint32_t *merged;  // representative of each register
    size_t known;            // registers; later ones are made here
    uint32_t *pressure;      // live values at each position
    uint32_t positions;
    double *cost;  // of each representative
    uint32_t *writes;
    struct machine_instruction *remake;  // of each representative: how to make it again; op 0: it cannot be
    uint32_t *slot;                      // NONE: stays in a register
    struct live_range *slots;
    size_t slot_count, slot_capacity;
};

static bool is_vector_source(const struct machine_instruction *at, unsigned s) {
    return at->src[s] != NONE && source_class(at, s) == CLASS_VECTOR;
}

static bool writes_vector(const struct machine_instruction *at) {
    return at->dst != NONE && !writes_predicate(at);
}

static bool can_remake(const struct machine_instruction *at) {
    if (at->guard != NONE) return false;
    switch (at->op) {
        case OP_MOV_I: return true;
        case OP_S2R: return at->imm != SR_CLOCK_LO && at->imm != SR_CLOCK_HI;
        case OP_LDC: return at->src[0] == NONE;
        default: return false;
    }
}

static void count_block(struct spilling *s, const struct machine_block *block, double weight) {
    for (size_t k = 0; k < block->count; k++) {
        const struct machine_instruction *at = &block->code[k];
        for (unsigned i = 0; i < 3; i++)
            if (is_vector_source(at, i)) s->cost[s->merged[at->src[i]]] += weight;
        if (!writes_vector(at)) continue;
        uint32_t number = s->merged[at->dst];
        s->remake[number] = *at;
        if (s->writes[number]++ > 0 || !can_remake(at)) s->remake[number].op = 0;
        s->cost[number] += weight;
    }
}

static void count_all(struct spilling *s) {
    struct loops loops;
    flow_loops(s->function, &loops);
    for (uint32_t b = 0; b < s->function->block_count; b++) {
        uint32_t loop = loops.innermost[b], depth = loop == NONE ? 0 : loops.loops[loop].depth;
        double weight = 1;
        for (uint32_t d = 0; d < depth && d < DEPTH_MOST; d++)
            weight *= 8;
        count_block(s, &s->function->blocks[b], weight);
    }
    // Making it again takes no memory access and no store.
    for (size_t r = 0; r < s->known; r++)
        if (s->remake[r].op != 0) s->cost[r] *= s->remake[r].op == OP_LDC ? 0.5 : 0.1;
}

static void measure(struct spilling *s) {
    for (size_t r = 0; r < s->known; r++)
        if (s->ranges[r].count > 0 && s->ranges[r].stretches[s->ranges[r].count - 1].end > s->positions)
            s->positions = s->ranges[r].stretches[s->ranges[r].count - 1].end;
    const struct reserved *reserved = s->function->reserved;
    for (unsigned r = 0; r < reserved->count; r++)
        if (reserved->of[r].count > 0 && reserved->of[r].stretches[reserved->of[r].count - 1].end > s->positions)
            s->positions = reserved->of[r].stretches[reserved->of[r].count - 1].end;
    s->pressure = take(s->positions + 1u, sizeof *s->pressure);
    for (unsigned r = 0; r < reserved->count; r++) {
        for (size_t k = 0; k < reserved->of[r].count; k++) {
            s->pressure[reserved->of[r].stretches[k].start]++;
            s->pressure[reserved->of[r].stretches[k].end]--;
        }
    }
    for (uint32_t r = 0; r < s->known; r++) {
        if (s->merged[r] != r || reserved_has(reserved, r)) continue;
        for (size_t k = 0; k < s->ranges[r].count; k++) {
            s->pressure[s->ranges[r].stretches[k].start]++;
            s->pressure[s->ranges[r].stretches[k].end]--;
        }
    }
    for (uint32_t p = 1; p <= s->positions; p++)
        s->pressure[p] += s->pressure[p - 1];
}

// Places of the range where more than `limit` values are alive.
static uint32_t relieved(const struct spilling *s, uint32_t number, uint32_t limit) {
    uint32_t count = 0;
    for (size_t k = 0; k < s->ranges[number].count; k++)
        for (uint32_t p = s->ranges[number].stretches[k].start; p < s->ranges[number].stretches[k].end; p++)
            count += s->pressure[p] > limit;
    return count;
}

static int cheaper(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    if (a->price != b->price) return a->price < b->price ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static uint32_t length_of(const struct live_range *range) {
    uint32_t length = 0;
    for (size_t k = 0; k < range->count; k++)
        length += range->stretches[k].end - range->stretches[k].start;
    return length;
}

static void give_slot(struct spilling *s, uint32_t number) {
    size_t to = 0;
    if (s->remake[number].op != 0) {
        s->slot[number] = 0;
        return;
    }
    while (to < s->slot_count && ranges_meet(&s->slots[to], &s->ranges[number]))
        to++;
    if (to == s->slot_count) {
        s->slots = grow(s->slots, s->slot_count, &s->slot_capacity, sizeof *s->slots);
        s->slots[s->slot_count++] = (struct live_range){0};
    }
    range_add(&s->slots[to], &s->ranges[number]);
    s->slot[number] = s->function->private_bytes + 4 * (uint32_t)to;
}

// How many representatives were chosen.
static size_t choose(struct spilling *s, uint32_t limit) {
    struct candidate *candidates = take(s->known, sizeof *candidates);
    size_t count = 0, chosen = 0;
    for (uint32_t r = 0; r < s->known; r++) {
        // What lives from one instruction to the next would only be moved about. Reloads do.
        if (s->merged[r] != r || s->ranges[r].count == 0 || length_of(&s->ranges[r]) <= 3) continue;
        if (r < s->function->reload_count && s->function->reloads[r]) continue;
        if (reserved_has(s->function->reserved, r)) continue;
        uint32_t places = relieved(s, r, limit);
        if (places > 0) candidates[count++] = (struct candidate){.number = r, .price = s->cost[r] / places};
    }
    qsort(candidates, count, sizeof *candidates, cheaper);
    for (size_t k = 0; k < count; k++) {
        uint32_t number = candidates[k].number;
        if (relieved(s, number, limit) == 0) continue;
        give_slot(s, number);
        chosen++;
        for (size_t i = 0; i < s->ranges[number].count; i++)
            for (uint32_t p = s->ranges[number].stretches[i].start; p < s->ranges[number].stretches[i].end; p++)
                s->pressure[p]--;
    }
    free(candidates);
    return chosen;
}

// ---- rewriting ----

static uint32_t new_reload(struct machine_function *function) {
    uint32_t number = new_register(function, CLASS_VECTOR);
    while (function->reload_count <= number) {
        function->reloads =
            grow(function->reloads, function->reload_count, &function->reload_capacity, sizeof *function->reloads);
        function->reloads[function->reload_count++] = false;
    }
    function->reloads[number] = true;
    return number;
}

static bool is_spilled(const struct spilling *s, uint32_t number) {
    return number < s->known && s->slot[s->merged[number]] != NONE;
}

static void put(struct machine_block *to, struct machine_instruction instruction) {
    insert(to, to->count, instruction);
}

static uint32_t put_reload(struct spilling *s, struct machine_block *to, uint32_t number, uint32_t line) {
    uint32_t from = s->merged[number];
    struct machine_instruction load = make(OP_LDL);
    if (s->remake[from].op != 0) load = s->remake[from];
    if (load.op == OP_LDL) {
        load.mod = SIZE_32;
        load.imm = s->slot[from];
    }
    load.dst = new_reload(s->function);
    load.line = line;
    put(to, load);
    return load.dst;
}

static void rewrite_instruction(struct spilling *s, uint32_t block, struct machine_block *to,
                                struct machine_instruction at) {
    bool writes = writes_vector(&at) && is_spilled(s, at.dst);
    if (writes && s->remake[s->merged[at.dst]].op != 0) return;  // it is made where it is read
    if (writes && at.op == OP_NOP) return;
    if (writes && at.op == OP_MOV && at.guard == NONE && is_spilled(s, at.src[1]) &&
        s->merged[at.src[1]] == s->merged[at.dst]) {
        places_join(s->function, block, at.dst, at.src[1]);
        return;
    }
    const struct machine_instruction before = at;
    for (unsigned i = 0; i < 3; i++) {
        if (!is_vector_source(&before, i) || !is_spilled(s, before.src[i])) continue;
        unsigned same = 0;
        while (same < i && !(is_vector_source(&before, same) && before.src[same] == before.src[i]))
            same++;
        at.src[i] = same < i ? at.src[same] : put_reload(s, to, before.src[i], at.line);
    }
    if (writes) at.dst = new_reload(s->function);
    put(to, at);
    if (!writes) return;
    struct machine_instruction store = make(OP_STL);
    store.mod = SIZE_32;
    store.imm = s->slot[s->merged[before.dst]];
    store.src[1] = at.dst;
    store.guard = at.guard;
    store.guard_negated = at.guard_negated;
    store.line = at.line;
    store.scope = at.scope;
    store.kept = before.dst;
    put(to, store);
}

// Where values are that have left their registers, for a debugger.
static void tell_places(const struct spilling *s) {
    for (uint32_t r = 0; r < s->known; r++) {
        const uint32_t number = s->merged[r];
        if (s->function->classes[r] != CLASS_VECTOR || s->slot[number] == NONE) continue;
        if (s->remake[number].op != 0)
            places_remake(s->function, r, &s->remake[number]);
        else
            places_spill(s->function, r, s->slot[number]);
    }
}

static void rewrite(struct spilling *s) {
    for (size_t b = 0; b < s->function->block_count; b++) {
        struct machine_block *block = &s->function->blocks[b], fresh = {0};
        for (size_t k = 0; k < block->count; k++)
            rewrite_instruction(s, (uint32_t)b, &fresh, block->code[k]);
        free(block->code);
        block->code = fresh.code;
        block->count = fresh.count;
        block->capacity = fresh.capacity;
    }
}

bool registers_spill(struct machine_function *function, const struct live_range *ranges, const uint32_t *merged,
                     unsigned limit) {
    struct spilling s = {.function = function, .ranges = ranges, .merged = merged, .known = function->register_count};
    s.cost = take(s.known, sizeof *s.cost);
    s.writes = take(s.known, sizeof *s.writes);
    s.remake = take(s.known, sizeof *s.remake);
    s.slot = take(s.known, sizeof *s.slot);
    for (size_t r = 0; r < s.known; r++)
        s.slot[r] = NONE;
    function->private_bytes = (function->private_bytes + 3u) & ~3u;
    count_all(&s);
    measure(&s);
    size_t chosen = choose(&s, limit > ROOM_FOR_RELOADS ? limit - ROOM_FOR_RELOADS : 1);
    if (chosen > 0) {
        if (function->places != NULL) tell_places(&s);
        rewrite(&s);
    }
    function->private_bytes += 4 * (uint32_t)s.slot_count;
    function->spill_bytes += 4 * (uint32_t)s.slot_count;
    free(s.pressure);
    free(s.cost);
    free(s.writes);
    free(s.remake);
    free(s.slot);
    return chosen > 0;
}
