// What the passes tell about registers that hold variables: see places.h.
#include "compiler/machine/places.h"

#include <string.h>

#include "gen/isa.h"

void places_bind(struct machine_function *function, uint32_t block, uint32_t order, uint32_t slice,
                 struct debug_value *value) {
    struct places *places = function->places;
    places->bindings =
        grow(places->bindings, places->binding_count, &places->binding_capacity, sizeof *places->bindings);
    places->bindings[places->binding_count++] =
        (struct place_binding){.block = block, .order = order, .slice = slice, .value = value};
}

// All parts of values that are in this register become the place.
static void replace(struct places *places, uint32_t number, struct debug_place place) {
    for (size_t b = 0; b < places->binding_count; b++) {
        struct debug_value *value = places->bindings[b].value;
        for (unsigned k = 0; value != NULL && k < value->count; k++)
            if (value->parts[k].where == DEBUG_REGISTER && value->parts[k].number == number) value->parts[k] = place;
    }
}

void places_rename(struct machine_function *function, uint32_t from, uint32_t to) {
    if (function->places == NULL || from == to) return;
    replace(function->places, from, (struct debug_place){.where = DEBUG_REGISTER, .number = to});
}

void places_spill(struct machine_function *function, uint32_t number, uint32_t address) {
    struct places *places = function->places;
    if (places == NULL) return;
    if (places->slot_count <= number) {
        uint32_t *longer = take(function->register_count, sizeof *longer);
        for (size_t k = 0; k < function->register_count; k++)
            longer[k] = k < places->slot_count ? places->slots[k] : NONE;
        places->slots = longer;
        places->slot_count = function->register_count;
    }
    places->slots[number] = address;
}

void places_join(struct machine_function *function, uint32_t block, uint32_t to, uint32_t from) {
    struct places *places = function->places;
    if (places == NULL) return;
    places->joins = grow(places->joins, places->join_count, &places->join_capacity, sizeof *places->joins);
    places->joins[places->join_count++] = (struct place_join){.block = block, .to = to, .from = from};
}

void places_remake(struct machine_function *function, uint32_t number, const struct machine_instruction *by) {
    if (function->places == NULL) return;
    struct debug_place place = {.where = DEBUG_NOWHERE};
    if (by->op == OP_MOV_I) place = (struct debug_place){.where = DEBUG_NUMBER, .number = by->imm};
    replace(function->places, number, place);
}

bool is_nothing(const struct machine_function *function, const struct machine_instruction *at) {
    if (at->op == OP_NOP) return true;
    return at->op == OP_MOV && at->src[1] != NONE && at->guard == NONE &&
           function->assigned[at->dst] == function->assigned[at->src[1]];
}
