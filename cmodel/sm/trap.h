// The warp of an SM that is in a trap: between TRAP and TRET all its threads execute, whatever they are off for, and it
// may read and write what its threads and tokens are. One warp at a time. Twin of rtl/sm/trap.sv.
#ifndef TANDEM_CMODEL_SM_TRAP_H
#define TANDEM_CMODEL_SM_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#include "sm/divergence_unit.h"

struct trap {
    bool on;
    uint32_t warp;
    bool saved;           // its last instruction was TLEAVE
    uint32_t pc;          // TPC, an instruction index
    struct token popped;  // by the last TPOP; stays when the warp leaves
};

// Whether the opcode is one of a trap alone (TRET, TPOP, TPUSH, TREASON, TLEAVE, TFAIL,
// TEXIT).
bool trap_only(uint32_t opcode);
// Whether a trap may have none of it: other control instructions than branches of the whole warp, BAR, LAUNCH, TRAP.
// mod, rd: of its word.
bool trap_never(uint32_t opcode, uint32_t mod, uint32_t rd);

// What a trap sees of its warp's CTA.
struct trap_cta {
    uint32_t record, alive;  // CTA_RECORD, CTA_ALIVE
};

// Scalar registers of a trap: whether the number is one that SRD reads, or R2S writes; what SRD reads there, of a warp
// whose threads are `warp`.
bool trap_reads(uint32_t number);
bool trap_writes(uint32_t number);
uint32_t trap_read(const struct trap *trap, const struct divergence *warp, const struct trap_cta *cta, uint32_t number);

#endif
