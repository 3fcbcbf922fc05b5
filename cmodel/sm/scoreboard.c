#include "sm/scoreboard.h"

#include <assert.h>
#include <stdlib.h>

bool scoreboard_init(struct scoreboard *scoreboard, uint32_t registers, uint32_t warps) {
    scoreboard->registers = registers;
    scoreboard->warps = warps;
    scoreboard->rows = calloc(registers, sizeof scoreboard->rows[0]);
    scoreboard->preds = calloc((size_t)warps * SCOREBOARD_PREDICATES, sizeof scoreboard->preds[0]);
    return scoreboard->rows != NULL && scoreboard->preds != NULL;
}

void scoreboard_free(struct scoreboard *scoreboard) {
    free(scoreboard->rows);
    free(scoreboard->preds);
}

bool scoreboard_wait(const struct scoreboard *scoreboard, const struct scoreboard_request *request, uint32_t *reg) {
    const uint16_t *rows = scoreboard->rows;
    bool waits = false;
    uint32_t first = scoreboard->registers;
    const uint32_t named[3] = {request->ra, request->rb, request->rc};
    for (unsigned i = 0; i < 3; i++) {
        if ((request->names >> i & 1u) == 0 || rows[named[i]] == 0) continue;
        waits = true;
        if (named[i] < first) first = named[i];
    }
    for (uint32_t r = request->rd; (request->names & SCOREBOARD_RD) != 0 && r <= request->rd + request->more; r++) {
        if (rows[r] == 0) continue;
        waits = true;
        if (r < first) first = r;
    }
    *reg = first;
    return waits;
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
    for (uint32_t r = request->rd; writes_reg && r <= request->rd + request->more; r++) {
        assert(r < scoreboard->registers);
        scoreboard->rows[r] = (uint16_t)portions;
    }
    for (uint32_t p = 0; p < SCOREBOARD_PREDICATES; p++) {
        if ((preds >> p & 1u) != 0) scoreboard->preds[warp * SCOREBOARD_PREDICATES + p] = (uint16_t)portions;
    }
}

static bool cross_off(uint16_t *pending, uint32_t portion) {
    *pending = (uint16_t)(*pending & ~(1u << portion));
    return *pending == 0;
}

bool scoreboard_row(struct scoreboard *scoreboard, uint32_t reg, uint32_t portion) {
    return cross_off(&scoreboard->rows[reg], portion);
}

bool scoreboard_pred(struct scoreboard *scoreboard, uint32_t warp, uint32_t pred, uint32_t portion) {
    return cross_off(&scoreboard->preds[warp * SCOREBOARD_PREDICATES + pred], portion);
}

void scoreboard_clear(struct scoreboard *scoreboard, uint32_t reg) {
    scoreboard->rows[reg] = 0;
}

void scoreboard_start(struct scoreboard *scoreboard, uint32_t warp) {
    for (uint32_t p = 0; p < SCOREBOARD_PREDICATES; p++)
        scoreboard->preds[warp * SCOREBOARD_PREDICATES + p] = 0;
}
