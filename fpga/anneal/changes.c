// What may change places, by the rules of an ECP5's tiles: the registers of a tile have one clock and one reset, those of a
// slice one enable; a register that takes its LUT's output stays with it; none comes beside a LUT RAM; carries follow each
// other tile by tile.
#include <stdlib.h>

#include "annealing.h"

enum { MOST_ENDS = 64 };  // of a cell's wires that are asked where it should stand

static void swap(int32_t *values, int32_t a, int32_t b) {
    const int32_t value = values[a];
    values[a] = values[b];
    values[b] = value;
}

// Whether the registers of a tile may stand there together.
static bool registers_agree(const struct anneal_design *d, int32_t tile) {
    int32_t first = -1;
    for (int32_t slot = tile * ANNEAL_SLOTS; slot < (tile + 1) * ANNEAL_SLOTS; slot++) {
        const int32_t here = d->reg[slot], beside = d->reg[slot ^ 1];
        if (here < 0) continue;
        if (first < 0) first = here;
        if (d->tile_sign[here] != d->tile_sign[first]) return false;
        if (beside >= 0 && d->slice_sign[here] != d->slice_sign[beside]) return false;
    }
    return true;
}

// Whether the LUT of a slot, or none, may change without its register.
static bool lut_alone(const struct anneal_design *d, int32_t slot) {
    const int32_t lut = d->lut[slot], reg = d->reg[slot];
    return (lut < 0 || d->movable[lut]) && (reg < 0 || !d->takes_lut[reg]);
}

static bool register_alone(const struct anneal_design *d, int32_t slot) {
    const int32_t lut = d->lut[slot], reg = d->reg[slot];
    return (reg < 0 || (d->movable[reg] && !d->takes_lut[reg])) && (lut < 0 || !d->takes_m[lut]);
}

static bool whole(const struct anneal_design *d, int32_t slot) {
    const int32_t lut = d->lut[slot], reg = d->reg[slot];
    return (lut < 0 || d->movable[lut]) && (reg < 0 || d->movable[reg]);
}

// What writes a LUT RAM takes the LUTs of slice C.
static bool lut_may_stand(const struct anneal_design *d, int32_t slot) {
    return d->ram_writer[slot / ANNEAL_SLOTS] < 0 || slot % ANNEAL_SLOTS / 2 != 2;
}

static void exchange(struct annealing *w, const struct trial *trial) {
    struct anneal_design *d = w->design;
    for (int32_t k = 0; k < trial->count; k++) {
        if (trial->luts) swap(d->lut, trial->from[k], trial->to[k]);
        if (trial->registers) swap(d->reg, trial->from[k], trial->to[k]);
        swap(w->block, trial->from[k], trial->to[k]);
    }
    if (trial->ram) swap(d->ram_writer, trial->from[0] / ANNEAL_SLOTS, trial->to[0] / ANNEAL_SLOTS);
}

// Whether registers may stand where they have come to; beside a LUT RAM none comes.
static bool registers_may_stand(const struct anneal_design *d, const int32_t *slots, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        const int32_t tile = slots[k] / ANNEAL_SLOTS;
        if (d->reg[slots[k]] >= 0 && d->ram_writer[tile] >= 0) return false;
        if ((k == 0 || tile != slots[k - 1] / ANNEAL_SLOTS) && !registers_agree(d, tile)) return false;
    }
    return true;
}

// What has come to a slot goes there.
static void come(struct annealing *w, const struct trial *trial, int32_t slot) {
    const struct anneal_design *d = w->design;
    const int32_t tile = slot / ANNEAL_SLOTS;
    if (trial->luts && d->lut[slot] >= 0) shift(w, d->lut[slot], d->tile_x[tile], d->tile_y[tile]);
    if (trial->registers && d->reg[slot] >= 0) shift(w, d->reg[slot], d->tile_x[tile], d->tile_y[tile]);
    if (trial->ram && slot % ANNEAL_SLOTS == 0 && d->ram_writer[tile] >= 0)
        shift(w, d->ram_writer[tile], d->tile_x[tile], d->tile_y[tile]);
}

static void settle(struct annealing *w, const struct trial *trial, int32_t slot) {
    const struct anneal_design *d = w->design;
    if (trial->luts && d->lut[slot] >= 0) w->slot[d->lut[slot]] = slot;
    if (trial->registers && d->reg[slot] >= 0) w->slot[d->reg[slot]] = slot;
}

static enum outcome try_trial(struct annealing *w, const struct trial *trial) {
    exchange(w, trial);
    // Tiles that change as a whole are as legal as before.
    if (trial->registers && !trial->ram &&
        !(registers_may_stand(w->design, trial->from, trial->count) &&
          registers_may_stand(w->design, trial->to, trial->count))) {
        exchange(w, trial);
        return REFUSED;
    }
    begin_change(w);
    for (int32_t k = 0; k < trial->count; k++) {
        come(w, trial, trial->from[k]);
        come(w, trial, trial->to[k]);
    }
    if (!stays(w)) {
        exchange(w, trial);
        return WORSE;
    }
    for (int32_t k = 0; k < trial->count; k++) {
        settle(w, trial, trial->from[k]);
        settle(w, trial, trial->to[k]);
    }
    return TAKEN;
}

enum outcome try_cell(struct annealing *w, int32_t cell, int32_t to) {
    const struct anneal_design *d = w->design;
    const int32_t from = w->slot[cell];
    struct trial *trial = &w->trial;
    if (from == to) return REFUSED;
    const bool is_lut = d->kind[cell] == ANNEAL_LUT;
    const bool alone =
        is_lut ? lut_alone(d, from) && lut_alone(d, to) : register_alone(d, from) && register_alone(d, to);
    if (!alone && !(whole(d, from) && whole(d, to))) return REFUSED;
    trial->count = 1;
    trial->from[0] = from;
    trial->to[0] = to;
    trial->luts = is_lut || !alone;
    trial->ram = false;
    if (trial->luts && !((d->lut[from] < 0 || lut_may_stand(d, to)) && (d->lut[to] < 0 || lut_may_stand(d, from))))
        return REFUSED;
    trial->registers = !(is_lut && alone) && (d->reg[from] >= 0 || d->reg[to] >= 0);
    return try_trial(w, trial);
}

int32_t tile_there(const struct annealing *w, int32_t x, int32_t y) {
    return x < 0 || y < 0 || x > w->right || y > w->bottom ? -1 : w->tile_at[y * (w->right + 1) + x];
}

bool slots_at(const struct annealing *w, int32_t x, int32_t y, int32_t count, int32_t *slots) {
    for (int32_t k = 0; k < count; k++) {
        const int32_t tile = tile_there(w, x + k / ANNEAL_SLOTS, y);
        if (tile < 0) return false;
        slots[k] = tile * ANNEAL_SLOTS + k % ANNEAL_SLOTS;
    }
    return true;
}

enum outcome try_block(struct annealing *w, int32_t block, int32_t x, int32_t y) {
    struct anneal_design *d = w->design;
    struct trial *trial = &w->trial;
    const int32_t count = d->block_slots[block], tile = d->block_tile[block];
    if (y == d->tile_y[tile] && abs(x - d->tile_x[tile]) * ANNEAL_SLOTS < count) return REFUSED;
    if (!slots_at(w, x, y, count, trial->to)) return REFUSED;
    (void)slots_at(w, d->tile_x[tile], d->tile_y[tile], count, trial->from);
    const int32_t other = w->block[trial->to[0]];
    if (other >= 0 && (d->block_slots[other] != count || d->block_tile[other] != trial->to[0] / ANNEAL_SLOTS))
        return REFUSED;
    trial->ram = d->ram_writer[tile] >= 0;
    for (int32_t k = 0; k < count; k++) {
        const int32_t to = trial->to[k], reg = d->reg[trial->from[k]], other_reg = d->reg[to];
        const bool may = other < 0 ? whole(d, to) : other_reg < 0 || d->movable[other_reg];
        if (w->block[to] != other || !may || (reg >= 0 && !d->movable[reg])) return REFUSED;
        if (!trial->ram && d->ram_writer[to / ANNEAL_SLOTS] >= 0) return REFUSED;
    }
    trial->count = count;
    trial->luts = trial->registers = true;
    const enum outcome outcome = try_trial(w, trial);
    if (outcome == TAKEN) {
        d->block_tile[block] = trial->to[0] / ANNEAL_SLOTS;
        if (other >= 0) d->block_tile[other] = tile;
    }
    return outcome;
}

enum outcome try_rams(struct annealing *w, int32_t place, int32_t other) {
    struct anneal_design *d = w->design;
    begin_change(w);
    shift(w, d->ram[place], d->ram_x[other], d->ram_y[other]);
    shift(w, d->ram[other], d->ram_x[place], d->ram_y[place]);
    if (!stays(w)) return WORSE;
    swap(d->ram, place, other);
    return TAKEN;
}

static int32_t median(const int32_t *values, const double *weights, int32_t count) {
    int32_t order[MOST_ENDS] = {0};
    double total = 0, sum = 0;
    for (int32_t k = 0; k < count; k++) {
        int32_t at = k;
        for (; at > 0 && values[order[at - 1]] > values[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
        total += weights[k];
    }
    for (int32_t k = 0; k < count; k++) {
        sum += weights[order[k]];
        if (2 * sum >= total) return values[order[k]];
    }
    return values[order[count - 1]];
}

bool aim(const struct annealing *w, int32_t cell, int32_t *x, int32_t *y) {
    const struct anneal_design *d = w->design;
    int32_t xs[MOST_ENDS], ys[MOST_ENDS], count = 0;
    double weights[MOST_ENDS];
    for (int32_t k = w->arcs_begin[cell]; k < w->arcs_begin[cell + 1] && count < MOST_ENDS; k++) {
        const int32_t arc = w->arcs_of[k], other = d->sink[arc] == cell ? d->driver_cell[arc] : d->sink[arc];
        if (w->weight[arc] < NOTHING) continue;
        xs[count] = d->x[other];
        ys[count] = d->y[other];
        weights[count++] = w->weight[arc];
    }
    if (count == 0) return false;
    *x = median(xs, weights, count);
    *y = median(ys, weights, count);
    return true;
}
