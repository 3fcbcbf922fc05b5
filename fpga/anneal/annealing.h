// An annealing that goes on: what anneal.c, changes.c and costs.c share.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "anneal.h"

enum { LONGEST_BLOCK = 256 };  // slots
#define NOTHING 1e-4           // a weight that does not count

struct box {
    int32_t x0, x1, y0, y1;
};

// Slots that change with each other, one by one.
struct trial {
    int32_t count;
    int32_t from[LONGEST_BLOCK], to[LONGEST_BLOCK];
    bool luts, registers;
    bool ram;  // whole tiles, one of which has a LUT RAM
};

// What became of a change: the rules are against it, it is too bad, it stays.
enum outcome { REFUSED, WORSE, TAKEN };

struct annealing {
    struct anneal_design *design;
    void *rooms[48];
    int32_t room_count;
    bool no_memory;
    // of each arc
    double *wire, *weight, *longest, *old_wire;
    int32_t *touched_arc;
    uint64_t *arc_mark;  // the change that has touched it last
    // of each output
    double *arrival, *rest;
    // of each net
    struct box *box, *old_box;
    double *crossing;  // more pins take more wire than the half perimeter
    int32_t *touched_net;
    uint64_t *net_mark;
    // of each cell
    int32_t *slot, *arcs_begin, *nets_begin, *moved, *old_x, *old_y, *movable, *on_long, *long_mark;
    int32_t *arcs_of, *nets_of;
    int32_t *pins;   // of its wires
    int32_t *crowd;  // of each tile: pins of what stands there
    // of each slot, and of each place in the rectangle of all tiles
    int32_t *block, *tile_at;
    int32_t right, bottom;
    // what the change that is tried has touched
    int32_t arcs, nets, cells;
    uint64_t mark;
    double d_perimeter, d_time, d_crowd;
    // of the turn
    double perimeter_factor, time_factor, crowd_factor, temperature, perimeter, time;
    int32_t movables, longs;
    uint64_t random;
    struct trial trial;
};

// costs.c

// A number of 0 to n - 1; one of 0 up to 1; one of middle - reach to middle + reach.
int32_t below(struct annealing *w, int32_t n);
double share(struct annealing *w);
int32_t around(struct annealing *w, int32_t middle, int32_t reach);

// The times of all wires as all stands, and of each arc the longest path through it; returns the longest of all, ns.
double measure(struct annealing *w);

// What nets of so many pins take for each tile of their half perimeters.
double crossing_of(int32_t pins);

// What all costs as it stands, with the weights that there are; measure() comes before.
void add_up(struct annealing *w);

// A change: begin_change(), shift() for each cell that goes to another tile, which brings costs up to date, and then
// whether it stays; if not, cells and costs are as before.
void begin_change(struct annealing *w);
void shift(struct annealing *w, int32_t cell, int32_t x, int32_t y);
double change_of(const struct annealing *w);  // what it costs, all in all
bool stays(struct annealing *w);

// changes.c

// The tile at (x, y); -1 where there is none.
int32_t tile_there(const struct annealing *w, int32_t x, int32_t y);

// The slots of a block that begins at (x, y); false when it has no room there.
bool slots_at(const struct annealing *w, int32_t x, int32_t y, int32_t count, int32_t *slots);

// What stands in a cell's slot, as much of it as must go with it, changes with what stands in slot `to`.
enum outcome try_cell(struct annealing *w, int32_t cell, int32_t to);

// A block changes with what stands at (x, y): another one that is as long, or what may all move.
enum outcome try_block(struct annealing *w, int32_t block, int32_t x, int32_t y);

// The block RAMs of two places change.
enum outcome try_rams(struct annealing *w, int32_t place, int32_t other);

// Where the times of a cell's wires would be least; false when none of them counts.
bool aim(const struct annealing *w, int32_t cell, int32_t *x, int32_t *y);
