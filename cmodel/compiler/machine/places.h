// Where variables of the source are while a function goes through the back end.
//
// Selection says which virtual registers are which variable from which instruction on. What happens to registers later is
// told here: one is replaced by another, kept in memory, made again. When all registers are real ones, places_track() finds
// out where each variable is before each instruction; output/ turns that into stretches of the program. Nothing here
// changes an instruction: the code is the same whether somebody asks or not.
#ifndef TANDEM_COMPILER_MACHINE_PLACES_H
#define TANDEM_COMPILER_MACHINE_PLACES_H

#include "compiler/debug/debug.h"
#include "compiler/machine/machine.h"

struct places {
    struct debug_program *program;
    // From the instruction of this order on, in the block that it was selected into, the slice has this value.
    struct place_binding {
        uint32_t block, order, slice;
        struct debug_value *value;  // NULL: it is nowhere
        bool later;                 // once that is made, in the same block or behind it
    } * bindings;
    size_t binding_count, binding_capacity;
    size_t told_count;       // of them, by selection; places_track() adds some
    size_t selected_blocks;  // those with higher numbers were made later
    uint32_t *slots;         // of each register as far as it goes: its place in memory, NONE: it has none
    size_t slot_count;
    // Two registers with one place in memory: at the end of the block one gets the other's value without an instruction.
    struct place_join {
        uint32_t block, to, from;
    } * joins;
    size_t join_count, join_capacity;
    // By places_track(): in each block, before which instruction (the block's count: before its end) a slice gets another
    // value. At the start of a block all are nowhere.
    struct place_change {
        uint32_t block, index, slice;
        const struct debug_value *value;  // with real registers; NULL: nowhere
    } * changes;
    size_t change_count, change_capacity;
};

void places_bind(struct machine_function *function, uint32_t block, uint32_t order, uint32_t slice,
                 struct debug_value *value);
// Readers of one register read the other from now on, and nothing writes the first.
void places_rename(struct machine_function *function, uint32_t from, uint32_t to);
// The value is in the thread's memory from now on.
void places_spill(struct machine_function *function, uint32_t number, uint32_t address);
void places_join(struct machine_function *function, uint32_t block, uint32_t to, uint32_t from);
// The register is made again by this instruction where it is read.
void places_remake(struct machine_function *function, uint32_t number, const struct machine_instruction *by);
// Registers are assigned, moves that do nothing still stand there; is_nothing() says which go.
void places_track(struct machine_function *function);
// Whether the instruction does nothing now that registers are assigned.
bool is_nothing(const struct machine_function *function, const struct machine_instruction *at);

#endif
