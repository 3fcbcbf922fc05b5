// What a placement costs: the half perimeters of all nets and the times of all wires, each weighted by how long the paths
// are that go through it. Both are kept up to date change by change.
#include <math.h>
#include <stdlib.h>

#include "annealing.h"

// nextpnr's estimate: tiles up to FAR count twice, and NEAR is never missing.
#define UNIT 0.064
enum { NEAR = 6, FAR = 5 };
enum { ROOMY = 28 };  // pins of a tile that the router finds ways to

static uint64_t next_random(struct annealing *w) {
    uint64_t x = w->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    w->random = x;
    return x * 2685821657736338717U;
}

int32_t below(struct annealing *w, int32_t n) {
    return (int32_t)(((next_random(w) >> 32) * (uint64_t)n) >> 32);
}

double share(struct annealing *w) {
    return (double)(next_random(w) >> 11) * 0x1p-53;
}

int32_t around(struct annealing *w, int32_t middle, int32_t reach) {
    return middle - reach + below(w, 2 * reach + 1);
}

double anneal_wire(int dx, int dy) {
    const int x = abs(dx), y = abs(dy);
    const int tiles =
        (x > FAR ? x - FAR : 0) + (y > FAR ? y - FAR : 0) + 2 * ((x < FAR ? x : FAR) + (y < FAR ? y : FAR));
    return UNIT * (NEAR + tiles);
}

static double wire_of(const struct anneal_design *d, int32_t arc) {
    const int32_t from = d->driver_cell[arc], to = d->sink[arc];
    return d->joined[arc] ? 0.0 : anneal_wire(d->x[from] - d->x[to], d->y[from] - d->y[to]);
}

double measure(struct annealing *w) {
    const struct anneal_design *d = w->design;
    for (int32_t k = 0; k < d->arcs; k++)
        w->wire[k] = wire_of(d, k);
    for (int32_t k = 0; k < d->outputs; k++) {
        w->arrival[k] = d->start[k];
        w->rest[k] = 0;
    }
    for (int32_t k = 0; k < d->steps; k++) {
        const int32_t arc = d->step_arc[k], to = d->step_output[k];
        w->arrival[to] = fmax(w->arrival[to], w->arrival[d->driver[arc]] + w->wire[arc] + d->step_delay[k]);
    }
    double most = 0;
    for (int32_t k = 0; k < d->arcs; k++) {
        const int32_t from = d->driver[k];
        if (d->ends[k]) w->rest[from] = fmax(w->rest[from], w->wire[k]);
        w->longest[k] = d->ends[k] ? w->arrival[from] + w->wire[k] : 0;
        most = fmax(most, w->longest[k]);
    }
    for (int32_t k = d->steps - 1; k >= 0; k--) {
        const int32_t arc = d->step_arc[k], from = d->driver[arc];
        const double behind = w->wire[arc] + d->step_delay[k] + w->rest[d->step_output[k]];
        w->rest[from] = fmax(w->rest[from], behind);
        w->longest[arc] = fmax(w->longest[arc], w->arrival[from] + behind);
    }
    return most;
}

static struct box box_of(const struct anneal_design *d, int32_t net) {
    struct box box = {INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN};
    for (int32_t k = d->net_begin[net]; k < d->net_begin[net + 1]; k++) {
        const int32_t x = d->x[d->pin[k]], y = d->y[d->pin[k]];
        if (x < box.x0) box.x0 = x;
        if (x > box.x1) box.x1 = x;
        if (y < box.y0) box.y0 = y;
        if (y > box.y1) box.y1 = y;
    }
    return box;
}

static int32_t half_perimeter(struct box box) {
    return box.x1 - box.x0 + box.y1 - box.y0;
}

void add_up(struct annealing *w) {
    w->perimeter = w->time = 0;
    for (int32_t k = 0; k < w->design->nets; k++) {
        w->box[k] = box_of(w->design, k);
        w->perimeter += w->crossing[k] * half_perimeter(w->box[k]);
    }
    for (int32_t k = 0; k < w->design->arcs; k++)
        w->time += w->weight[k] * w->wire[k];
}

// What it costs that so many pins are in a tile: the router has too few ways into it.
static double crowded(int32_t pins) {
    const double more = pins > ROOMY ? pins - ROOMY : 0;
    return more * more;
}

// So many pins come to the tile at (x, y), or go.
static void crowd(struct annealing *w, int32_t x, int32_t y, int32_t pins) {
    const int32_t tile = x > w->right || y > w->bottom ? -1 : w->tile_at[y * (w->right + 1) + x];
    if (tile < 0) return;
    w->d_crowd += crowded(w->crowd[tile] + pins) - crowded(w->crowd[tile]);
    w->crowd[tile] += pins;
}

void begin_change(struct annealing *w) {
    w->mark++;
    w->arcs = w->nets = w->cells = 0;
    w->d_perimeter = w->d_time = w->d_crowd = 0;
}

void shift(struct annealing *w, int32_t cell, int32_t x, int32_t y) {
    struct anneal_design *d = w->design;
    const int32_t old_x = d->x[cell], old_y = d->y[cell];
    if (old_x == x && old_y == y) return;
    w->moved[w->cells] = cell;
    w->old_x[w->cells] = old_x;
    w->old_y[w->cells++] = old_y;
    d->x[cell] = x;
    d->y[cell] = y;
    crowd(w, old_x, old_y, -w->pins[cell]);
    crowd(w, x, y, w->pins[cell]);
    for (int32_t k = w->arcs_begin[cell]; k < w->arcs_begin[cell + 1]; k++) {
        const int32_t arc = w->arcs_of[k];
        if (w->weight[arc] < NOTHING) continue;
        if (w->arc_mark[arc] != w->mark) {
            w->arc_mark[arc] = w->mark;
            w->touched_arc[w->arcs] = arc;
            w->old_wire[w->arcs++] = w->wire[arc];
        }
        const double now = wire_of(d, arc);
        w->d_time += w->weight[arc] * (now - w->wire[arc]);
        w->wire[arc] = now;
    }
    for (int32_t k = w->nets_begin[cell]; k < w->nets_begin[cell + 1]; k++) {
        const int32_t net = w->nets_of[k];
        const struct box was = w->box[net];
        struct box now = was;
        if (w->net_mark[net] != w->mark) {
            w->net_mark[net] = w->mark;
            w->touched_net[w->nets] = net;
            w->old_box[w->nets++] = was;
        }
        if ((old_x == was.x0 && x > old_x) || (old_x == was.x1 && x < old_x) || (old_y == was.y0 && y > old_y) ||
            (old_y == was.y1 && y < old_y)) {
            now = box_of(d, net);
        } else {
            if (x < now.x0) now.x0 = x;
            if (x > now.x1) now.x1 = x;
            if (y < now.y0) now.y0 = y;
            if (y > now.y1) now.y1 = y;
        }
        w->box[net] = now;
        w->d_perimeter += w->crossing[net] * (half_perimeter(now) - half_perimeter(was));
    }
}

double change_of(const struct annealing *w) {
    return w->perimeter_factor * w->d_perimeter + w->time_factor * w->d_time + w->crowd_factor * w->d_crowd;
}

bool stays(struct annealing *w) {
    const double worse = change_of(w);
    if (worse <= 0 || (w->temperature > 0 && share(w) < exp(-worse / w->temperature))) {
        w->perimeter += w->d_perimeter;
        w->time += w->d_time;
        return true;
    }
    for (int32_t k = w->cells; k-- > 0;) {
        const int32_t cell = w->moved[k];
        crowd(w, w->design->x[cell], w->design->y[cell], -w->pins[cell]);
        crowd(w, w->old_x[k], w->old_y[k], w->pins[cell]);
        w->design->x[w->moved[k]] = w->old_x[k];
        w->design->y[w->moved[k]] = w->old_y[k];
    }
    for (int32_t k = 0; k < w->nets; k++)
        w->box[w->touched_net[k]] = w->old_box[k];
    for (int32_t k = 0; k < w->arcs; k++)
        w->wire[w->touched_arc[k]] = w->old_wire[k];
    return false;
}

// VPR's correction for nets of many pins (Cheng, RISA: 1.0 up to 3 pins, 2.79 with 50), as a straight line.
double crossing_of(int32_t pins) {
    return pins <= 3 ? 1.0 : pins < 50 ? 1.0 + 1.79 * (pins - 3) / 47 : 2.79;
}
