// What is known of variables at one place of a function, and what an instruction does to that: for places_track.c.
#ifndef TANDEM_COMPILER_MACHINE_PLACES_STATE_H
#define TANDEM_COMPILER_MACHINE_PLACES_STATE_H

#include "compiler/machine/places.h"

enum {
    KEY_PREDICATES = 256,  // keys below: real vector registers
    KEY_SLOTS = 512,       // and from here on: addresses in the thread's memory
    UNBOUND = 0xFFFFFFFFu  // a slice: it has no value that is known
};

// A register's key: what was given to it. Registers with the same key overwrite each other.
struct state {
    uint32_t *bound;  // of each slice: binding
    uint32_t *
        joined;  // of each slice: a register that several ways come together in and that has its value as well, or NONE
    uint8_t *holds;    // of each watched register: its key has its value
    uint32_t *copies;  // of each real vector register: the watched register whose value it has too, or NONE
};

struct watching {
    struct machine_function *function;
    struct places *places;
    uint32_t *watch;    // of each register: its number among the watched ones, or NONE
    uint32_t *watched;  // registers
    size_t watch_count;
    uint32_t *next;             // of each watched register: another one with the same key, or NONE
    uint32_t *with_slot;        // watched registers in memory
    uint32_t first[KEY_SLOTS];  // of each key but those in memory
    size_t with_slot_count;
};

bool is_register(const struct debug_place *place);
struct watching watching_make(struct machine_function *function);
struct state state_make(const struct watching *w);
void state_copy(const struct watching *w, struct state *to, const struct state *from);
void state_free(struct state *state);
// Nothing is known at the entry of a function.
void state_begin(const struct watching *w, struct state *state);
void state_execute(const struct watching *w, struct state *state, const struct machine_instruction *at);
void state_bind(const struct watching *w, struct state *state, uint32_t binding);
void state_join(const struct watching *w, struct state *state, const struct place_join *join);
// What is still known where another way comes in. True: it is less than before.
bool state_meet(const struct watching *w, struct state *state, const struct state *with);
// The place that the register's value has now; false: none.
bool state_place(const struct watching *w, const struct state *state, struct debug_place *place);

#endif
