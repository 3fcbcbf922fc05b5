// Registers that must follow one another, because an access of 64 or 128 bits names only the first: tuples.
//
// Selection gives the registers of a tuple consecutive virtual numbers. Which tuples there are is read from the
// accesses themselves; nothing else is kept in the machine program, so a pass that changes an access changes its tuple.
#ifndef TANDEM_COMPILER_REGISTERS_TUPLES_H
#define TANDEM_COMPILER_REGISTERS_TUPLES_H

#include "compiler/machine/liveness.h"

struct tuple {
    uint32_t lanes[TUPLE_MAX];  // representatives of merged registers
    unsigned size;              // 2 or 4: also what the first real register is a multiple of; 0: taken up by another
};

struct tuples {
    struct tuple *list;
    size_t count, capacity;
    uint32_t *owner;  // of each register that is a representative: number of its tuple, or NONE
    uint8_t *lane;    // and its place in it
};

// The tuples of the function, before anything is merged.
struct tuples tuples_find(const struct machine_function *function);
void tuples_free(struct tuples *tuples);
// Makes `from` one register with `to` (both representatives, not the same) when their ranges and those of the tuples
// they belong to allow it: two tuples become one, lane by lane. False: nothing was done.
bool tuples_merge(struct tuples *tuples, struct live_range *ranges, uint32_t *merged, uint32_t to, uint32_t from);
// How many accesses of 64 and 128 bits there are.
unsigned tuples_accesses(const struct machine_function *function);
// Accesses of words in place of all wide ones, and no moves that only brought values into tuples. For when registers
// are short: what is alone is placed and spilled more easily. False: there was no wide access.
bool tuples_split(struct machine_function *function);

#endif
