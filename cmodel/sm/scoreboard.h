// What instructions in flight have still to write: portions of vector registers and of predicates. Used in tandem: an
// instruction that the RTL issues although something that it reads or writes is pending is refused. The RTL's
// scoreboard hears of a row two cycles before it is written, since who reads it in that very cycle gets it past the
// register file. So an instruction may be issued a cycle before the last row of what it names is written (early): what
// is not written by then is late.
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

#define SCOREBOARD_THREADS 64u
#define SCOREBOARD_EARLY 8u  // two rows an instruction, of one a cycle, and as many again

// Rows of a register that an instruction of the warp, issued in a cycle, wants to be written in the next one.
struct scoreboard_early {
    uint32_t reg, bits, warp;
    uint64_t cycle;
    uint32_t values[SCOREBOARD_THREADS];  // what is written; the instruction may have written the register itself
};

struct scoreboard {
    uint32_t registers, warps, portions;
    uint32_t early_count;
    struct scoreboard_early early[SCOREBOARD_EARLY];
    uint16_t *rows;   // [register]: a bit for each portion (row) that is still to be written
    uint16_t *preds;  // [warp][predicate]: how many portions are still to be written
};

// False: no memory.
bool scoreboard_init(struct scoreboard *scoreboard, uint32_t registers, uint32_t portions, uint32_t warps);
void scoreboard_free(struct scoreboard *scoreboard);
// Something that the instruction names is pending: the first such register in *reg, in the order ra, rb, rc, rd.
bool scoreboard_wait(const struct scoreboard *scoreboard, const struct scoreboard_request *request, uint32_t *reg);
// An instruction of the warp that names the register is issued in this cycle all the same: it is no more pending, but
// early; the caller fills in the values. NULL: more rows than can be on their way.
struct scoreboard_early *scoreboard_early(struct scoreboard *scoreboard, uint32_t reg, uint32_t warp, uint64_t cycle);
// Of a row that is written: the values of all threads, if it was wanted early; NULL: it was not.
const uint32_t *scoreboard_values(const struct scoreboard *scoreboard, uint32_t reg, uint32_t portion);
// What was wanted before the cycle and is not written; NULL: nothing.
const struct scoreboard_early *scoreboard_late(const struct scoreboard *scoreboard, uint64_t cycle);
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
