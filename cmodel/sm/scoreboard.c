#include "sm/scoreboard.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool scoreboard_init(struct scoreboard *scoreboard, uint32_t registers, uint32_t portions, uint32_t warps) {
    scoreboard->registers = registers;
    scoreboard->portions = portions;
    scoreboard->warps = warps;
    scoreboard->early_count = 0;
    scoreboard->rows = calloc(registers, sizeof scoreboard->rows[0]);
    scoreboard->preds = calloc((size_t)warps * SCOREBOARD_PREDICATES, sizeof scoreboard->preds[0]);
    return scoreboard->rows != NULL && scoreboard->preds != NULL;
}

void scoreboard_free(struct scoreboard *scoreboard) {
    free(scoreboard->rows);
    free(scoreboard->preds);
}

// Where the bits of a register are, and which.
static uint32_t word_of(const struct scoreboard *scoreboard, uint32_t reg, uint32_t *bits) {
    *bits = 0xFFFFu;
    if ((reg & SCOREBOARD_SHARED) == 0) return reg;
    const uint32_t row = reg & ~SCOREBOARD_SHARED;
    *bits = 1u << (row % scoreboard->portions);
    return row / scoreboard->portions;
}

// A bit for each row of it.
static uint32_t pending(const struct scoreboard *scoreboard, uint32_t reg) {
    uint32_t bits;
    const uint32_t word = word_of(scoreboard, reg, &bits);
    return scoreboard->rows[word] & bits;
}

bool scoreboard_wait(const struct scoreboard *scoreboard, const struct scoreboard_request *request, uint32_t *reg) {
    const uint32_t named[3] = {request->reg_a, request->reg_b, request->reg_c};
    for (unsigned i = 0; i < 3; i++) {
        *reg = named[i];
        if ((request->names >> i & 1u) != 0 && pending(scoreboard, *reg) != 0) return true;
    }
    for (uint32_t i = 0; (request->names & SCOREBOARD_RD) != 0 && i <= request->more; i++) {
        *reg = request->reg_d + i;
        if (pending(scoreboard, *reg) != 0) return true;
    }
    return false;
}

struct scoreboard_early *scoreboard_early(struct scoreboard *scoreboard, uint32_t reg, uint32_t warp, uint64_t cycle) {
    if (scoreboard->early_count == SCOREBOARD_EARLY) return NULL;
    struct scoreboard_early *early = &scoreboard->early[scoreboard->early_count++];
    *early = (struct scoreboard_early){.reg = reg, .bits = pending(scoreboard, reg), .warp = warp, .cycle = cycle};
    uint32_t mask;
    uint16_t *rows = &scoreboard->rows[word_of(scoreboard, reg, &mask)];
    *rows = (uint16_t)(*rows & ~early->bits);
    return early;
}

const struct scoreboard_early *scoreboard_late(const struct scoreboard *scoreboard, uint64_t cycle) {
    for (uint32_t i = 0; i < scoreboard->early_count; i++) {
        if (scoreboard->early[i].cycle + 1 < cycle) return &scoreboard->early[i];
    }
    return NULL;
}

uint32_t scoreboard_preds(const struct scoreboard *scoreboard, uint32_t warp) {
    uint32_t preds = 0;
    for (uint32_t p = 0; p < SCOREBOARD_PREDICATES; p++) {
        if (scoreboard->preds[warp * SCOREBOARD_PREDICATES + p] != 0) preds |= 1u << p;
    }
    return preds;
}

void scoreboard_set(struct scoreboard *scoreboard, const struct scoreboard_request *request, bool writes_reg,
                    uint32_t warp, uint32_t preds, uint32_t portions) {
    for (uint32_t i = 0; writes_reg && i <= request->more; i++) {
        uint32_t bits;
        const uint32_t word = word_of(scoreboard, request->reg_d + i, &bits);
        assert(word < scoreboard->registers);
        const uint32_t set = bits == 0xFFFFu ? portions : portions != 0 ? bits : 0;
        scoreboard->rows[word] = (uint16_t)(scoreboard->rows[word] | set);  // nothing was pending of it
    }
    for (uint32_t p = 0; p < SCOREBOARD_PREDICATES; p++) {
        if ((preds >> p & 1u) != 0)
            scoreboard->preds[warp * SCOREBOARD_PREDICATES + p] = (uint16_t)__builtin_popcount(portions);
    }
}

// The oldest one that wants the portion early; early_count: none.
static uint32_t find_early(const struct scoreboard *scoreboard, uint32_t reg, uint32_t portion) {
    uint32_t mask, found = scoreboard->early_count;
    (void)word_of(scoreboard, reg, &mask);
    const uint32_t bits = mask == 0xFFFFu ? 1u << portion : mask;
    for (uint32_t i = scoreboard->early_count; i-- > 0;) {
        if (scoreboard->early[i].reg == reg && (scoreboard->early[i].bits & bits) != 0) found = i;
    }
    return found;
}

const uint32_t *scoreboard_values(const struct scoreboard *scoreboard, uint32_t reg, uint32_t portion) {
    const uint32_t i = find_early(scoreboard, reg, portion);
    return i == scoreboard->early_count ? NULL : scoreboard->early[i].values;
}

bool scoreboard_row(struct scoreboard *scoreboard, uint32_t reg, uint32_t portion) {
    uint32_t mask;
    uint16_t *left = &scoreboard->rows[word_of(scoreboard, reg, &mask)];
    const uint32_t bits = mask == 0xFFFFu ? 1u << portion : mask, i = find_early(scoreboard, reg, portion);
    if (i == scoreboard->early_count) {
        *left = (uint16_t)(*left & ~bits);
        return (*left & mask) == 0;
    }
    struct scoreboard_early *early = &scoreboard->early[i];
    early->bits &= ~bits;
    if (early->bits != 0) return false;
    scoreboard->early_count--;
    memmove(early, early + 1, (scoreboard->early_count - i) * sizeof *early);
    return true;
}

bool scoreboard_pred(struct scoreboard *scoreboard, uint32_t warp, uint32_t pred) {
    uint16_t *left = &scoreboard->preds[warp * SCOREBOARD_PREDICATES + pred];
    if (*left != 0) --*left;
    return *left == 0;
}

void scoreboard_clear(struct scoreboard *scoreboard, uint32_t reg) {
    scoreboard->rows[reg] = 0;
}

void scoreboard_start(struct scoreboard *scoreboard, uint32_t warp) {
    for (uint32_t p = 0; p < SCOREBOARD_PREDICATES; p++)
        scoreboard->preds[warp * SCOREBOARD_PREDICATES + p] = 0;
}
