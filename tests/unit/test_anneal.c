// Annealing of placements (fpga/anneal) on small designs made here; tests/cli/test_refine_placement.py has it through its Python.
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../fpga/anneal/anneal.h"

enum {
    WIDE = 7,
    TILES = WIDE * WIDE,
    SLOTS = TILES * ANNEAL_SLOTS,
    CELLS = 2 * SLOTS,
    ARCS = 4 * CELLS,
    PINS = 2 * ARCS
};

// A design and the arrays behind it. Cell 2 * slot is the LUT of a slot, the one behind it its register.
struct example {
    struct anneal_design design;
    int32_t tile_x[TILES], tile_y[TILES], lut[SLOTS], reg[SLOTS], ram_writer[TILES], x[CELLS + 1], y[CELLS + 1],
        kind[CELLS + 1];
    uint8_t movable[CELLS + 1], takes_lut[CELLS + 1], takes_m[CELLS + 1], joined[ARCS], ends[ARCS];
    int32_t tile_sign[CELLS + 1], slice_sign[CELLS + 1], driver[ARCS], driver_cell[ARCS], sink[ARCS];
    double start[CELLS + 1], step_delay[ARCS];
    int32_t step_arc[ARCS], step_output[ARCS], net_begin[ARCS + 1], pin[PINS], block_tile[2], block_slots[2], ram_x[1],
        ram_y[1], ram[1];
};

static const struct anneal_schedule brief = {.perimeter = 0.5,
                                             .crowd = 0.1,
                                             .first_power = 8,
                                             .last_power = 30,
                                             .smooth = 0.9,
                                             .begin = 0.1,
                                             .cooling = 0.8,
                                             .aimed = 0.2,
                                             .warm = 10,
                                             .cold = 10,
                                             .reach = 4,
                                             .moves = 20,
                                             .block_moves = 40,
                                             .seed = 1};

static struct example *empty(void) {
    struct example *e = calloc(1, sizeof *e);
    cr_assert_not_null(e);
    e->design = (struct anneal_design){.tiles = TILES,
                                       .cells = CELLS + 1,
                                       .outputs = CELLS + 1,
                                       .tile_x = e->tile_x,
                                       .tile_y = e->tile_y,
                                       .lut = e->lut,
                                       .reg = e->reg,
                                       .ram_writer = e->ram_writer,
                                       .x = e->x,
                                       .y = e->y,
                                       .kind = e->kind,
                                       .movable = e->movable,
                                       .takes_lut = e->takes_lut,
                                       .takes_m = e->takes_m,
                                       .tile_sign = e->tile_sign,
                                       .slice_sign = e->slice_sign,
                                       .driver = e->driver,
                                       .driver_cell = e->driver_cell,
                                       .sink = e->sink,
                                       .joined = e->joined,
                                       .ends = e->ends,
                                       .start = e->start,
                                       .step_arc = e->step_arc,
                                       .step_output = e->step_output,
                                       .step_delay = e->step_delay,
                                       .net_begin = e->net_begin,
                                       .pin = e->pin,
                                       .block_tile = e->block_tile,
                                       .block_slots = e->block_slots,
                                       .ram_x = e->ram_x,
                                       .ram_y = e->ram_y,
                                       .ram = e->ram};
    for (int32_t tile = 0; tile < TILES; tile++) {
        e->tile_x[tile] = tile % WIDE;
        e->tile_y[tile] = tile / WIDE;
        e->ram_writer[tile] = -1;
    }
    for (int32_t slot = 0; slot < SLOTS; slot++)
        e->lut[slot] = e->reg[slot] = -1;
    return e;
}

static int32_t put(struct example *e, int32_t slot, bool is_register) {
    const int32_t cell = 2 * slot + is_register, tile = slot / ANNEAL_SLOTS;
    (is_register ? e->reg : e->lut)[slot] = cell;
    e->kind[cell] = is_register ? ANNEAL_REGISTER : ANNEAL_LUT;
    e->movable[cell] = 1;
    e->x[cell] = e->tile_x[tile];
    e->y[cell] = e->tile_y[tile];
    e->start[cell] = is_register ? 0.5 : 0;
    return cell;
}

// A wire, as a net of its own; into a LUT a path goes on, anywhere else it ends.
static void wire(struct example *e, int32_t from, int32_t to) {
    struct anneal_design *d = &e->design;
    const int32_t arc = d->arcs++;
    e->driver[arc] = e->driver_cell[arc] = from;
    e->sink[arc] = to;
    e->ends[arc] = e->kind[to] != ANNEAL_LUT;
    if (!e->ends[arc]) {
        e->step_arc[d->steps] = arc;
        e->step_output[d->steps] = to;
        e->step_delay[d->steps++] = 0.25;
    }
    e->pin[2 * d->nets] = from;
    e->pin[2 * d->nets + 1] = to;
    d->nets++;
    e->net_begin[d->nets] = 2 * d->nets;
}

Test(anneal, wires_as_nextpnr_estimates_them, .description = "BU-3: the first tiles count twice") {
    cr_assert_float_eq(anneal_wire(0, 0), 0.384, 1e-9);
    cr_assert_float_eq(anneal_wire(-1, 0), 0.512, 1e-9);
    cr_assert_float_eq(anneal_wire(5, -5), 0.064 * 26, 1e-9);
    cr_assert_float_eq(anneal_wire(0, 30), 0.064 * (6 + 10 + 25), 1e-9);
}

Test(anneal, the_longest_path, .description = "BU-3: from register to register, through LUTs") {
    struct example *e = empty();
    const int32_t first = put(e, 0, true), lut = put(e, ANNEAL_SLOTS * (WIDE - 1), false), last = put(e, 2, true);
    wire(e, first, lut);
    wire(e, lut, last);
    cr_assert_float_eq(anneal_longest(&e->design), 0.5 + 0.25 + 2 * anneal_wire(WIDE - 1, 0), 1e-9);
    cr_assert_float_eq(anneal_run(&e->design, &brief, NULL), 0.5 + 0.25 + 2 * anneal_wire(0, 0), 1e-9);
    cr_assert_float_eq(anneal_longest(&e->design), 0.5 + 0.25 + 2 * anneal_wire(0, 0), 1e-9);
    free(e);
}

Test(anneal, nothing_moves, .description = "BU-3: of a design without cells that may move, and of one without wires") {
    struct example *e = empty();
    cr_assert_float_eq(anneal_run(&e->design, &brief, NULL), 0, 1e-9);
    const int32_t first = put(e, 0, true), last = put(e, SLOTS - 1, true);
    wire(e, first, last);
    e->movable[first] = e->movable[last] = 0;
    cr_assert_float_eq(anneal_run(&e->design, &brief, NULL), 0.5 + anneal_wire(WIDE - 1, WIDE - 1), 1e-9);
    cr_assert_eq(e->reg[0], first);
    cr_assert_eq(e->reg[SLOTS - 1], last);
    free(e);
}

static int32_t any(unsigned *seed, int32_t n) {
    *seed = *seed * 1103515245U + 12345U;
    return (int32_t)((*seed >> 16) % (unsigned)n);
}

enum { CHAIN = 12, CHAIN_TILE = 2 * WIDE + 1, RAM_TILE = 4 * WIDE + 3 };

static void put_blocks(struct example *e) {
    e->kind[CELLS] = ANNEAL_OTHER;
    e->ram_writer[RAM_TILE] = CELLS;
    e->x[CELLS] = e->tile_x[RAM_TILE];
    e->y[CELLS] = e->tile_y[RAM_TILE];
    e->block_tile[0] = CHAIN_TILE;
    e->block_slots[0] = CHAIN;
    e->block_tile[1] = RAM_TILE;
    e->block_slots[1] = ANNEAL_SLOTS;
    e->design.blocks = 2;
}

// LUTs and registers of two resets and two enables, some joined, some fixed, some LUTs with the input that registers use too; a carry chain over
// two tiles and a LUT RAM.
static struct example *random_example(unsigned seed) {
    struct example *e = empty();
    int32_t sources[CELLS], count = 0;
    for (int32_t slot = 0; slot < SLOTS; slot++) {
        const int32_t tile = slot / ANNEAL_SLOTS, in_chain = slot - CHAIN_TILE * ANNEAL_SLOTS;
        const bool chain = in_chain >= 0 && in_chain < CHAIN, ram = tile == RAM_TILE && slot % ANNEAL_SLOTS < 6;
        const bool lut = chain || ram || any(&seed, 2), reg = tile != RAM_TILE && any(&seed, 3) == 0;
        if (lut) {
            const int32_t cell = put(e, slot, false);
            e->takes_m[cell] = !chain && !ram && !reg && any(&seed, 8) == 0;
            e->movable[cell] = !chain && !ram && !e->takes_m[cell] && any(&seed, 20) > 0;
        }
        if (reg) {
            const int32_t cell = put(e, slot, true);
            e->tile_sign[cell] = tile % 2;
            e->slice_sign[cell] = slot / 2 % 2;
            e->takes_lut[cell] = lut && any(&seed, 2) > 0;
            sources[count++] = cell;
        }
    }
    put_blocks(e);
    for (int32_t slot = 0; slot < SLOTS; slot++) {
        if (e->lut[slot] < 0) continue;
        for (int k = 0; k < 3; k++)
            wire(e, sources[any(&seed, count)], e->lut[slot]);
        wire(e, e->lut[slot], sources[any(&seed, count)]);
        if (e->reg[slot] >= 0 && e->takes_lut[e->reg[slot]]) {
            wire(e, e->lut[slot], e->reg[slot]);
            e->joined[e->design.arcs - 1] = 1;
        }
    }
    return e;
}

static void check_rules(const struct example *e, const struct example *before) {
    bool seen[CELLS] = {false};
    for (int32_t slot = 0; slot < SLOTS; slot++) {
        const int32_t tile = slot / ANNEAL_SLOTS, here[] = {e->lut[slot], e->reg[slot]};
        for (int k = 0; k < 2; k++) {
            if (here[k] < 0) continue;
            cr_assert(!seen[here[k]], "cell %d stands in two places", here[k]);
            seen[here[k]] = true;
            cr_assert(e->x[here[k]] == e->tile_x[tile] && e->y[here[k]] == e->tile_y[tile], "cell %d", here[k]);
            cr_assert_eq(e->kind[here[k]], k == 0 ? ANNEAL_LUT : ANNEAL_REGISTER);
        }
        if (here[1] < 0) continue;
        if (e->takes_lut[here[1]]) cr_assert_eq(here[0], here[1] - 1, "register %d has left its LUT", here[1]);
        cr_assert(here[0] < 0 || !e->takes_m[here[0]], "register %d has come to a LUT that takes M", here[1]);
        cr_assert_lt(e->ram_writer[tile], 0, "register %d has come beside a LUT RAM", here[1]);
        for (int32_t other = tile * ANNEAL_SLOTS; other < slot; other++) {
            if (e->reg[other] < 0) continue;
            cr_assert_eq(e->tile_sign[e->reg[other]], e->tile_sign[here[1]], "tile %d", tile);
            if (other / 2 == slot / 2)
                cr_assert_eq(e->slice_sign[e->reg[other]], e->slice_sign[here[1]], "slot %d", slot);
        }
    }
    for (int32_t slot = 0; slot < SLOTS; slot++) {
        cr_assert(before->lut[slot] < 0 || seen[before->lut[slot]]);
        cr_assert(before->reg[slot] < 0 || seen[before->reg[slot]]);
    }
    for (int32_t k = 0; k < CHAIN; k++)
        cr_assert_eq(e->lut[e->block_tile[0] * ANNEAL_SLOTS + k], before->lut[CHAIN_TILE * ANNEAL_SLOTS + k],
                     "carry %d", k);
    for (int32_t k = 0; k < 6; k++)
        cr_assert_eq(e->lut[e->block_tile[1] * ANNEAL_SLOTS + k], before->lut[RAM_TILE * ANNEAL_SLOTS + k], "RAM %d",
                     k);
    cr_assert_eq(e->ram_writer[e->block_tile[1]], CELLS);
    cr_assert_eq(e->x[CELLS], e->tile_x[e->block_tile[1]]);
    for (int32_t cell = 0; cell < CELLS; cell++) {
        const int32_t slot = cell / 2, tile = slot / ANNEAL_SLOTS;
        const bool block =
            tile == RAM_TILE || (slot >= CHAIN_TILE * ANNEAL_SLOTS && slot < CHAIN_TILE * ANNEAL_SLOTS + CHAIN);
        if (e->kind[cell] == ANNEAL_LUT && !e->movable[cell] && !block)
            cr_assert_eq(e->lut[slot], cell, "LUT %d may not move", cell);
    }
}

Test(anneal, rules,
     .description = "BU-3: what has moved stands where it may; the longest path is shorter, and what was told") {
    for (unsigned seed = 1; seed <= 6; seed++) {
        struct example *e = random_example(seed), *before = random_example(seed);
        check_rules(before, before);
        const double was = anneal_longest(&before->design), now = anneal_run(&e->design, &brief, NULL);
        cr_assert_lt(now, was);
        cr_assert_float_eq(now, anneal_longest(&e->design), 1e-9);
        check_rules(e, before);
        free(e);
        free(before);
    }
}

Test(anneal, blocks, .description = "BU-3: a carry chain and a LUT RAM go where their wires end, as a whole") {
    struct example *e = empty(), *before = empty();
    const int32_t far = put(e, SLOTS - 2, true);
    e->movable[far] = 0;
    for (int32_t k = 0; k < CHAIN + 6; k++) {
        const int32_t slot = k < CHAIN ? CHAIN_TILE * ANNEAL_SLOTS + k : RAM_TILE * ANNEAL_SLOTS + k - CHAIN;
        const int32_t lut = put(e, slot, false);
        before->lut[slot] = lut;
        e->movable[lut] = 0;
        wire(e, far, lut);
        wire(e, lut, far);
    }
    put_blocks(e);
    const double was = anneal_longest(&e->design), now = anneal_run(&e->design, &brief, NULL);
    cr_assert_lt(now, was);
    check_rules(e, before);
    cr_assert_geq(e->tile_y[e->block_tile[0]], WIDE - 2);
    cr_assert_geq(e->tile_y[e->block_tile[1]], WIDE - 2);
    free(e);
    free(before);
}

static int32_t most_luts_of_a_tile(const struct example *e) {
    int32_t most = 0;
    for (int32_t tile = 0; tile < TILES; tile++) {
        int32_t count = 0;
        for (int32_t slot = tile * ANNEAL_SLOTS; slot < (tile + 1) * ANNEAL_SLOTS; slot++)
            count += e->lut[slot] >= 0;
        if (count > most) most = count;
    }
    return most;
}

Test(anneal, crowds, .description = "BU-3: pins that are too many for a tile go to others, where that counts") {
    for (int counts = 0; counts < 2; counts++) {
        struct example *e = empty();
        const int32_t first = put(e, ANNEAL_SLOTS * (TILES / 2), true);
        e->movable[first] = 0;
        for (int32_t k = 0; k < ANNEAL_SLOTS; k++) {
            const int32_t lut = put(e, k, false);
            for (int input = 0; input < 7; input++)
                wire(e, first, lut);
        }
        struct anneal_schedule schedule = brief;
        schedule.crowd = counts ? 100 : 0;
        (void)anneal_run(&e->design, &schedule, NULL);
        // Seven inputs of each: four fill a tile. Without that all stand around the register, which is one pin.
        cr_assert(counts ? most_luts_of_a_tile(e) <= 4 : most_luts_of_a_tile(e) > 4, "%d", most_luts_of_a_tile(e));
        free(e);
    }
}

Test(anneal, seeds, .description = "BU-3: the same seed does the same, another one does not") {
    struct example *a = random_example(1), *b = random_example(1), *c = random_example(1);
    struct anneal_schedule other = brief;
    other.seed = 2;
    (void)anneal_run(&a->design, &brief, NULL);
    (void)anneal_run(&b->design, &brief, NULL);
    (void)anneal_run(&c->design, &other, NULL);
    cr_assert_eq(memcmp(a->lut, b->lut, sizeof a->lut), 0);
    cr_assert_eq(memcmp(a->reg, b->reg, sizeof a->reg), 0);
    cr_assert_neq(memcmp(a->lut, c->lut, sizeof a->lut), 0);
    free(a);
    free(b);
    free(c);
}
