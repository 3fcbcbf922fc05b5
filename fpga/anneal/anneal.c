// Turn by turn: weights from the paths as they are, then changes at one temperature, which falls.
#include "anneal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annealing.h"

enum {
    AIMED_REACH = 3,  // tiles around where a cell's wires end
    LEAST_REACH = 4,
    BLOCK_REACH = 6,
    RAM_MOVES = 20,  // of each block RAM in a turn
    ROUNDS = 12,     // of block RAMs at first, at most
    FIRST_TRIES = 20000,
    SAY_EVERY = 20  // turns
};
#define LONG_PATH 0.8    // part of the longest one
#define ACCEPTANCE 0.44  // reach grows and shrinks towards it

static void *room(struct annealing *w, int32_t count, size_t size) {
    void *room = calloc((size_t)(count > 0 ? count : 1), size);
    if (room == NULL) {
        w->no_memory = true;
    } else {
        w->rooms[w->room_count++] = room;
    }
    return room;
}

static void give_back(struct annealing *w) {
    for (int32_t k = 0; k < w->room_count; k++)
        free(w->rooms[k]);
    free(w);
}

static bool has_wire(const struct anneal_design *d, int32_t arc) {
    return !d->joined[arc] && d->driver_cell[arc] != d->sink[arc];
}

// The arcs and the nets of each cell.
static bool list_wires(struct annealing *w) {
    const struct anneal_design *d = w->design;
    const int32_t pins = d->net_begin[d->nets];
    int32_t wires = 0;
    for (int32_t k = 0; k < d->arcs; k++) {
        if (!has_wire(d, k)) continue;
        w->arcs_begin[d->driver_cell[k] + 1]++;
        w->arcs_begin[d->sink[k] + 1]++;
        wires += 2;
    }
    for (int32_t k = 0; k < pins; k++)
        w->nets_begin[d->pin[k] + 1]++;
    for (int32_t k = 0; k < d->cells; k++) {
        w->arcs_begin[k + 1] += w->arcs_begin[k];
        w->nets_begin[k + 1] += w->nets_begin[k];
    }
    w->arcs_of = room(w, wires, sizeof(int32_t));
    w->nets_of = room(w, pins, sizeof(int32_t));
    int32_t *next_arc = room(w, d->cells, sizeof(int32_t)), *next_net = room(w, d->cells, sizeof(int32_t));
    if (w->no_memory) return false;
    memcpy(next_arc, w->arcs_begin, sizeof(int32_t) * (size_t)d->cells);
    memcpy(next_net, w->nets_begin, sizeof(int32_t) * (size_t)d->cells);
    for (int32_t k = 0; k < d->arcs; k++) {
        if (!has_wire(d, k)) continue;
        w->arcs_of[next_arc[d->driver_cell[k]]++] = k;
        w->arcs_of[next_arc[d->sink[k]]++] = k;
    }
    for (int32_t net = 0; net < d->nets; net++)
        for (int32_t k = d->net_begin[net]; k < d->net_begin[net + 1]; k++)
            w->nets_of[next_net[d->pin[k]]++] = net;
    return true;
}

// Pins of each cell that have wires: inputs, and outputs once; and of each tile.
static void count_pins(struct annealing *w) {
    const struct anneal_design *d = w->design;
    int32_t before = -1;
    for (int32_t k = 0; k < d->arcs; k++)
        if (has_wire(d, k)) w->pins[d->sink[k]]++;
    for (int32_t cell = 0; cell < d->cells; cell++) {
        for (int32_t k = w->arcs_begin[cell]; k < w->arcs_begin[cell + 1]; k++) {
            const int32_t arc = w->arcs_of[k];
            if (d->driver_cell[arc] != cell || d->driver[arc] == before) continue;
            before = d->driver[arc];
            w->pins[cell]++;
        }
        const int32_t tile =
            d->x[cell] > w->right || d->y[cell] > w->bottom ? -1 : w->tile_at[d->y[cell] * (w->right + 1) + d->x[cell]];
        if (tile >= 0) w->crowd[tile] += w->pins[cell];
    }
}

// Which tile is where, what stands in which slot, and which slots are a block's.
static bool list_places(struct annealing *w) {
    const struct anneal_design *d = w->design;
    for (int32_t tile = 0; tile < d->tiles; tile++) {
        if (d->tile_x[tile] > w->right) w->right = d->tile_x[tile];
        if (d->tile_y[tile] > w->bottom) w->bottom = d->tile_y[tile];
    }
    const int32_t places = (w->right + 1) * (w->bottom + 1), slots = d->tiles * ANNEAL_SLOTS;
    w->tile_at = room(w, places, sizeof(int32_t));
    w->block = room(w, slots, sizeof(int32_t));
    w->crowd = room(w, d->tiles, sizeof(int32_t));
    if (w->no_memory) return false;
    for (int32_t k = 0; k < places; k++)
        w->tile_at[k] = -1;
    for (int32_t tile = 0; tile < d->tiles; tile++)
        w->tile_at[d->tile_y[tile] * (w->right + 1) + d->tile_x[tile]] = tile;
    count_pins(w);
    for (int32_t slot = 0; slot < slots; slot++) {
        w->block[slot] = -1;
        if (d->lut[slot] >= 0) w->slot[d->lut[slot]] = slot;
        if (d->reg[slot] >= 0) w->slot[d->reg[slot]] = slot;
    }
    for (int32_t block = 0; block < d->blocks; block++) {
        const int32_t tile = d->block_tile[block];
        if (!slots_at(w, d->tile_x[tile], d->tile_y[tile], d->block_slots[block], w->trial.to)) continue;
        for (int32_t k = 0; k < d->block_slots[block]; k++)
            w->block[w->trial.to[k]] = block;
    }
    return true;
}

static struct annealing *annealing_new(struct anneal_design *d, uint64_t seed) {
    struct annealing *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    w->design = d;
    w->random = seed * 0x9E3779B97F4A7C15U + 88172645463325252U;
    double **times[] = {&w->wire, &w->weight, &w->longest, &w->old_wire};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        *times[k] = room(w, d->arcs, sizeof(double));
    w->touched_arc = room(w, d->arcs, sizeof(int32_t));
    w->arc_mark = room(w, d->arcs, sizeof(uint64_t));
    w->arrival = room(w, d->outputs, sizeof(double));
    w->rest = room(w, d->outputs, sizeof(double));
    w->box = room(w, d->nets, sizeof(struct box));
    w->old_box = room(w, d->nets, sizeof(struct box));
    w->crossing = room(w, d->nets, sizeof(double));
    w->touched_net = room(w, d->nets, sizeof(int32_t));
    w->net_mark = room(w, d->nets, sizeof(uint64_t));
    int32_t **of_cells[] = {&w->slot,  &w->arcs_begin, &w->nets_begin, &w->moved,     &w->old_x,
                            &w->old_y, &w->movable,    &w->on_long,    &w->long_mark, &w->pins};
    for (size_t k = 0; k < sizeof of_cells / sizeof *of_cells; k++)
        *of_cells[k] = room(w, d->cells + 1, sizeof(int32_t));
    if (w->no_memory || !list_wires(w) || !list_places(w)) {
        give_back(w);
        return NULL;
    }
    for (int32_t k = 0; k < d->nets; k++)
        w->crossing[k] = crossing_of(d->net_begin[k + 1] - d->net_begin[k]);
    for (int32_t k = 0; k < d->cells; k++)
        if (d->movable[k] && d->kind[k] != ANNEAL_OTHER) w->movable[w->movables++] = k;
    return w;
}

double anneal_longest(const struct anneal_design *design) {
    struct anneal_design same = *design;
    struct annealing *w = annealing_new(&same, 1);
    if (w == NULL) return -1;
    const double longest = measure(w);
    give_back(w);
    return longest;
}

// Block RAMs change places until their wires get no shorter; times do not count.
static void settle_rams(struct annealing *w) {
    add_up(w);
    w->perimeter_factor = 1;
    w->time_factor = w->crowd_factor = w->temperature = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const double before = w->perimeter;
        for (int32_t k = 0; k < w->design->rams; k++)
            for (int32_t other = k + 1; other < w->design->rams; other++)
                (void)try_rams(w, k, other);
        if (w->perimeter > before - 0.5) break;
    }
}

// What a wire counts in this turn, and which cells lie on long paths.
static void weigh(struct annealing *w, double longest, double power, double smooth) {
    const struct anneal_design *d = w->design;
    w->longs = 0;
    memset(w->long_mark, 0, sizeof(int32_t) * (size_t)d->cells);
    for (int32_t arc = 0; arc < d->arcs; arc++) {
        const double now = d->joined[arc] || longest <= 0 ? 0 : pow(w->longest[arc] / longest, power);
        w->weight[arc] = smooth * w->weight[arc] + (1 - smooth) * now;
        if (w->longest[arc] <= LONG_PATH * longest) continue;
        const int32_t ends[] = {d->driver_cell[arc], d->sink[arc]};
        for (int k = 0; k < 2; k++) {
            if (w->long_mark[ends[k]] || !d->movable[ends[k]] || d->kind[ends[k]] == ANNEAL_OTHER) continue;
            w->long_mark[ends[k]] = 1;
            w->on_long[w->longs++] = ends[k];
        }
    }
}

static enum outcome move_cell(struct annealing *w, int32_t reach, double aimed) {
    const struct anneal_design *d = w->design;
    if (w->movables == 0) return REFUSED;
    const bool aims = w->longs > 0 && share(w) < aimed;
    const int32_t cell = aims ? w->on_long[below(w, w->longs)] : w->movable[below(w, w->movables)];
    const int32_t tile = w->slot[cell] / ANNEAL_SLOTS;
    int32_t x = d->tile_x[tile], y = d->tile_y[tile];
    if (aims && !aim(w, cell, &x, &y)) return REFUSED;
    if (aims) reach = AIMED_REACH;
    x = around(w, x, reach);
    y = around(w, y, reach);
    const int32_t to = tile_there(w, x, y);
    return to < 0 ? REFUSED : try_cell(w, cell, to * ANNEAL_SLOTS + below(w, ANNEAL_SLOTS));
}

// One of so many tries that make things worse, `part` of which are to be taken, gives the temperature.
static void find_temperature(struct annealing *w, int32_t reach, double part) {
    double worse = 0;
    int32_t count = 0;
    w->temperature = 0;
    for (int32_t k = 0; k < FIRST_TRIES; k++) {
        if (move_cell(w, reach, 0) != WORSE) continue;
        worse += change_of(w);
        count++;
    }
    // What they cost is spread about like an exponential of mean m, of which T / (T + m) are taken.
    w->temperature = count > 0 ? worse / count * part / (1 - part) : 0;
}

// Where things stand, to come back to.
struct standing {
    int32_t *lut, *reg, *ram_writer, *x, *y, *ram, *block_tile;
};

static bool standing_new(struct annealing *w, struct standing *s) {
    const struct anneal_design *d = w->design;
    s->lut = room(w, d->tiles * ANNEAL_SLOTS, sizeof(int32_t));
    s->reg = room(w, d->tiles * ANNEAL_SLOTS, sizeof(int32_t));
    s->ram_writer = room(w, d->tiles, sizeof(int32_t));
    s->x = room(w, d->cells, sizeof(int32_t));
    s->y = room(w, d->cells, sizeof(int32_t));
    s->ram = room(w, d->rams, sizeof(int32_t));
    s->block_tile = room(w, d->blocks, sizeof(int32_t));
    return !w->no_memory;
}

static void copy_standing(const struct anneal_design *d, const struct standing *to, const struct standing *from) {
    memcpy(to->lut, from->lut, sizeof(int32_t) * (size_t)d->tiles * ANNEAL_SLOTS);
    memcpy(to->reg, from->reg, sizeof(int32_t) * (size_t)d->tiles * ANNEAL_SLOTS);
    memcpy(to->ram_writer, from->ram_writer, sizeof(int32_t) * (size_t)d->tiles);
    memcpy(to->x, from->x, sizeof(int32_t) * (size_t)d->cells);
    memcpy(to->y, from->y, sizeof(int32_t) * (size_t)d->cells);
    memcpy(to->ram, from->ram, sizeof(int32_t) * (size_t)d->rams);
    memcpy(to->block_tile, from->block_tile, sizeof(int32_t) * (size_t)d->blocks);
}

struct counts {
    int64_t tried, taken;
};

// A turn of changes at one temperature.
static struct counts turn_around(struct annealing *w, const struct anneal_schedule *schedule, int32_t reach) {
    const struct anneal_design *d = w->design;
    struct counts counts = {0};
    for (int64_t k = (int64_t)schedule->moves * w->movables; k > 0; k--) {
        const enum outcome outcome = move_cell(w, reach, schedule->aimed);
        counts.tried += outcome != REFUSED;
        counts.taken += outcome == TAKEN;
    }
    const int32_t wide = reach > BLOCK_REACH ? reach : BLOCK_REACH;
    for (int64_t k = (int64_t)schedule->block_moves * d->blocks; k > 0; k--) {
        const int32_t block = below(w, d->blocks), tile = d->block_tile[block];
        const int32_t x = around(w, d->tile_x[tile], wide), y = around(w, d->tile_y[tile], wide);
        (void)try_block(w, block, x, y);
    }
    for (int64_t k = (int64_t)RAM_MOVES * d->rams; k > 0; k--) {
        const int32_t place = below(w, d->rams), other = below(w, d->rams);
        if (place != other) (void)try_rams(w, place, other);
    }
    return counts;
}

double anneal_run(struct anneal_design *d, const struct anneal_schedule *schedule, void (*say)(const char *line)) {
    struct annealing *w = annealing_new(d, schedule->seed);
    struct standing best;
    if (w == NULL) return -1;
    if (!standing_new(w, &best)) {
        give_back(w);
        return -1;
    }
    const struct standing now = {d->lut, d->reg, d->ram_writer, d->x, d->y, d->ram, d->block_tile};
    double longest = measure(w), shortest = longest, reach = schedule->reach;
    copy_standing(d, &best, &now);
    settle_rams(w);
    for (int32_t turn = 0; turn < schedule->warm + schedule->cold; turn++) {
        const double part = turn < schedule->warm ? (double)turn / schedule->warm : 1;
        longest = measure(w);
        weigh(w, longest, schedule->first_power + part * (schedule->last_power - schedule->first_power),
              turn == 0 ? 0 : schedule->smooth);
        add_up(w);
        w->perimeter_factor = w->perimeter > 0 ? schedule->perimeter / w->perimeter : 0;
        w->time_factor = w->time > 0 ? (1 - schedule->perimeter) / w->time : 0;
        w->crowd_factor = schedule->crowd * w->perimeter_factor;
        if (turn == 0) {
            find_temperature(w, schedule->reach, schedule->begin);
        } else {
            w->temperature = turn < schedule->warm ? w->temperature * schedule->cooling : 0;
        }
        const struct counts counts = turn_around(w, schedule, (int32_t)(reach + 0.5));
        longest = measure(w);
        if (turn >= schedule->warm && longest <= shortest) {
            shortest = longest;
            copy_standing(d, &best, &now);
        }
        if (say != NULL && turn % SAY_EVERY == SAY_EVERY - 1) {
            char line[200];
            (void)snprintf(
                line, sizeof line,
                "turn %d of %d: %.1f %% of the changes taken, half perimeters %.0f, the longest path %.1f ns",
                (int)turn + 1, (int)(schedule->warm + schedule->cold),
                counts.tried > 0 ? 100.0 * (double)counts.taken / (double)counts.tried : 0.0, w->perimeter, longest);
            say(line);
        }
        const double taken = counts.tried > 0 ? (double)counts.taken / (double)counts.tried : 0;
        reach = fmin(fmax(reach * (1 - ACCEPTANCE + taken), LEAST_REACH), schedule->reach);
    }
    copy_standing(d, &now, &best);
    give_back(w);
    return shortest;
}
