// Annealing of a placement on an ECP5: what stands in the places of its tiles changes places at random, and a change that
// makes things worse is taken the more rarely the colder it is. Called by refine_placement.py, whose arrays these are.
#pragma once

#include <stdint.h>

enum { ANNEAL_SLOTS = 8 };  // of a tile: its slices A to D, two LUTs and their registers each

enum anneal_kind { ANNEAL_OTHER, ANNEAL_LUT, ANNEAL_REGISTER };

// A design and where it stands. Numbers of cells, tiles, arcs, outputs and nets count from 0, -1 is none; ns, and tiles as
// nextpnr counts them. The caller's, all of it; what is const stays, the rest is where things stand and is changed.
struct anneal_design {
    int32_t tiles, cells, arcs, outputs, steps, nets, blocks, rams;

    // tiles of logic; slot s of tile t is t * ANNEAL_SLOTS + s
    const int32_t *tile_x, *tile_y;
    int32_t *lut, *reg;   // of each slot: the LUT, the register
    int32_t *ram_writer;  // of each tile: the cell that writes its LUT RAM

    // cells
    int32_t *x, *y;
    const int32_t *kind;        // enum anneal_kind
    const uint8_t *movable;     // alone: a LUT that is only that, a register
    const uint8_t *takes_lut;   // a register that its LUT's output goes to, with no wire between
    const uint8_t *takes_m;     // a LUT that uses the input M of its slot, which registers use too
    const int32_t *tile_sign;   // of a register: those of a tile have the same (clock, reset)
    const int32_t *slice_sign;  // .. those of a slice (enable)

    // arcs: from an output to each that its wire goes to
    const int32_t *driver, *driver_cell, *sink;
    const uint8_t *joined;  // no wire between
    const uint8_t *ends;    // a path ends there

    // time: where paths begin, and steps from arc to output through a cell, in the order of the paths
    const double *start;  // of each output
    const int32_t *step_arc, *step_output;
    const double *step_delay;

    // nets: cells whose half perimeter counts; of net n they are pin[net_begin[n]] up to pin[net_begin[n + 1] - 1]
    const int32_t *net_begin, *pin;

    // blocks: carry chains and LUT RAM. They fill slots from the first one of a tile on, going on in the tile to the right
    int32_t *block_tile;
    const int32_t *block_slots;

    // block RAMs: places that one of them stands in, and which
    const int32_t *ram_x, *ram_y;
    int32_t *ram;
};

struct anneal_schedule {
    double perimeter;                // its share of the cost; the rest is the times of wires
    double crowd;                    // tiles of half perimeters that the square of each pin too many in a tile costs
    double first_power, last_power;  // a wire counts with this power of its path's part of the longest one; rises
    double smooth;                   // part of that weight that is of the turn before
    double begin;                    // part of the changes for the worse that is taken at first
    double cooling;                  // of the temperature, each turn
    double aimed;                    // part of the changes that bring something on a long path to where its wires end
    int32_t warm, cold;              // turns; at a temperature of 0 at last
    int32_t reach;                   // tiles, at first
    int32_t moves, block_moves;      // tries of each cell and block in a turn
    uint64_t seed;
};

// ns of a wire over so many tiles, as nextpnr estimates it.
double anneal_wire(int dx, int dy);

// The longest path, ns; below 0 when there is no memory.
double anneal_longest(const struct anneal_design *design);

// Moves what may move, and leaves the design as it stood after that of the cold turns whose longest path was the shortest,
// the last one of these; as it was when all of them were longer than at first. say, if not NULL, hears a line now and then.
// The same seed does the same. Returns the longest path, ns; below 0 when there is no memory, and nothing has moved then.
double anneal_run(struct anneal_design *design, const struct anneal_schedule *schedule, void (*say)(const char *line));
