// Scalar registers of a warp, and the instructions that the warp executes once: SMOV, VOTE, SVLOOP_BEGIN, SVLOOP_END;
// R2S and SRD use its registers. Twin of rtl/sm/scalar_unit.sv.
//
// EXEC_LO and EXEC_HI are the active mask: its low and its high half, THREADS / 2 bits each. They are no storage of
// their own: who writes them asks the divergence unit to switch threads off with reason HELD, and HELD ones on again.
#ifndef TANDEM_CMODEL_SM_SCALAR_UNIT_H
#define TANDEM_CMODEL_SM_SCALAR_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/isa.h"

struct scalar_unit {
    uint32_t threads;               // 32 or 64
    uint32_t scalars[ISA_SCALARS];  // S0 ..; zero when the warp starts
};

struct scalar_request {
    uint64_t word;
    uint64_t active, exec;
};

struct scalar_result {
    bool writes;       // scalar registers
    uint32_t rd;       // the first of them
    bool pair;         // rd + 1 as well
    uint64_t data;     // 31:0 for rd, 63:32 for rd + 1
    bool writes_exec;  // wanted is the active mask that is asked for
    uint64_t wanted;
    bool taken;  // SVLOOP_*: goes to the label
};

// A warp starts.
void scalar_unit_start(struct scalar_unit *unit, uint32_t threads);

// True for the opcodes that scalar_execute() does.
bool scalar_executes(uint32_t opcode);

// Whether the scalar registers that the word names exist and may stand where they stand; true for words that name none.
// Those of a trap exist there alone, which the word does not say.
bool scalar_registers_exist(uint64_t word);

// Scalar register `number`, which exists; active: the warp's active mask.
uint32_t scalar_read(const struct scalar_unit *unit, uint32_t number, uint64_t active);

// What an instruction does, without doing it. An SMOV whose guard holds for none of the active threads does nothing; a
// warp without an active thread executes SMOV, VOTE and SVLOOP_* all the same.
void scalar_execute(const struct scalar_unit *unit, const struct scalar_request *request, struct scalar_result *result);

// Writes what `result` says to the scalar registers.
void scalar_write(struct scalar_unit *unit, const struct scalar_result *result);

#endif
