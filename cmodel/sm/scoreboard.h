// What instructions in flight have still to write: portions of vector registers and of predicates. Used in tandem: an
// instruction that the RTL issues although something that it reads or writes is pending is refused.
#ifndef TANDEM_CMODEL_SM_SCOREBOARD_H
#define TANDEM_CMODEL_SM_SCOREBOARD_H

#include <stdbool.h>
#include <stdint.h>

#define SCOREBOARD_PREDICATES 7u

enum scoreboard_names {  // which registers an instruction reads or writes
    SCOREBOARD_RA = 1,
    SCOREBOARD_RB = 2,
    SCOREBOARD_RC = 4,
    SCOREBOARD_RD = 8
};

#define SCOREBOARD_SHARED (UINT32_C(1) << 31)

// An instruction: places in the register file of its ra, rb, rc, rd (those not named mean nothing), and of rd + 1 to
// rd + more of a wide access. A private one is its register number (below scoreboard.registers); a shared one a row
// for all portions: SCOREBOARD_SHARED | row.
struct scoreboard_request {
    uint32_t names;  // enum scoreboard_names, a bit each
    uint32_t reg_a, reg_b, reg_c, reg_d;
    uint32_t more;
};

struct scoreboard {
    uint32_t registers, warps, portions;
    uint16_t *rows;   // [register]: a bit for each portion (row) that is still to be written
    uint16_t *preds;  // [warp][predicate]: how many portions are still to be written
};

// False: no memory.
bool scoreboard_init(struct scoreboard *scoreboard, uint32_t registers, uint32_t portions, uint32_t warps);
void scoreboard_free(struct scoreboard *scoreboard);
// Something that the instruction names is pending: the first such register in *reg, in the order ra, rb, rc, rd.
bool scoreboard_wait(const struct scoreboard *scoreboard, const struct scoreboard_request *request, uint32_t *reg);
// The predicates of the warp with something pending, a bit each.
uint32_t scoreboard_preds(const struct scoreboard *scoreboard, uint32_t warp);
// The instruction is issued and will write these portions of rd to rd + more, and of the predicates in `preds`.
void scoreboard_set(struct scoreboard *scoreboard, const struct scoreboard_request *request, bool writes_reg,
                    uint32_t warp, uint32_t preds, uint32_t portions);
// A portion of a register (a shared one has one), of a predicate is written. True: it was the last one pending.
bool scoreboard_row(struct scoreboard *scoreboard, uint32_t reg, uint32_t portion);
bool scoreboard_pred(struct scoreboard *scoreboard, uint32_t warp, uint32_t pred);
// Launching: nothing is pending of the register (all its rows), of the warp's predicates.
void scoreboard_clear(struct scoreboard *scoreboard, uint32_t reg);
void scoreboard_start(struct scoreboard *scoreboard, uint32_t warp);

#endif
