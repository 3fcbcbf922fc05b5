#include "sm/trap.h"

#include "gen/isa.h"
#include "sm/scalar_unit.h"

bool trap_only(uint32_t opcode) {
    return opcode == OP_TRET || opcode == OP_TPOP || opcode == OP_TPUSH || opcode == OP_TREASON ||
           opcode == OP_TLEAVE || opcode == OP_TFAIL || opcode == OP_TEXIT;
}

bool trap_never(uint32_t opcode, uint32_t mod, uint32_t rd) {
    if (trap_only(opcode) || opcode == OP_JMP || (opcode == OP_BRA && mod == BRA_PLAIN)) return false;
    if (divergence_executes(opcode) || opcode == OP_BAR || opcode == OP_LAUNCH) return true;
    const bool loop = opcode == OP_SVLOOP_BEGIN || opcode == OP_SVLOOP_END;
    return scalar_executes(opcode) && (loop || rd >= ISA_SCALARS);
}

bool trap_reads(uint32_t number) {
    return number >= SCALAR_TPC && number <= SCALAR_REASON3_HI && number != SCALAR_CTA_X && number != SCALAR_CTA_YZ;
}

bool trap_writes(uint32_t number) {
    return number == SCALAR_TPC || number == SCALAR_CTA_RECORD || number == SCALAR_CTA_X || number == SCALAR_CTA_YZ;
}

// Bit `bit` of the reason of each thread.
static uint64_t plane(const struct divergence *warp, uint32_t bit) {
    uint64_t mask = 0;
    for (uint32_t reason = 0; reason < 16; reason++) {
        if ((reason >> bit & 1u) != 0) mask |= warp->reason[reason];
    }
    return mask;
}

uint32_t trap_read(const struct trap *trap, const struct divergence *warp, const struct trap_cta *cta,
                   uint32_t number) {
    switch (number) {
        case SCALAR_TPC: return trap->pc;
        case SCALAR_TOKEN: return trap->popped.kind << 28 | trap->popped.addr;
        case SCALAR_TOKEN_LO: return (uint32_t)trap->popped.mask;
        case SCALAR_TOKEN_HI: return (uint32_t)(trap->popped.mask >> 32);
        case SCALAR_CTA_RECORD: return cta->record;
        case SCALAR_CTA_ALIVE: return cta->alive;
        default: {
            const uint64_t mask = plane(warp, (number - SCALAR_REASON0_LO) / 2);
            return (uint32_t)((number - SCALAR_REASON0_LO) % 2 != 0 ? mask >> 32 : mask);
        }
    }
}
