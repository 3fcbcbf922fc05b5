#include "decode.h"

#include "sm/divergence_unit.h"
#include "sm/scalar_unit.h"
#include "sm/scoreboard.h"
#include "sm/trap.h"

uint32_t decode_access_bytes(uint32_t size) {
    static const uint8_t bytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};
    return size < 8 ? bytes[size] : 0;
}

static void name(struct decoded *d, enum scoreboard_names operand, unsigned reg, unsigned count) {
    if (reg != ISA_RZ) d->names = (uint8_t)(d->names | operand);
    if (reg != ISA_RZ && reg + count > d->registers_needed) d->registers_needed = (uint16_t)(reg + count);
}

static void name_registers(struct decoded *d, enum isa_format format) {
    switch (format) {
        case FORMAT_B:
        case FORMAT_CVT:
        case FORMAT_RND: name(d, SCOREBOARD_RD, d->rd, 1); break;
        case FORMAT_B2:
        case FORMAT_CALLX:
        case FORMAT_SELP:
        case FORMAT_CARRY:
            name(d, SCOREBOARD_RD, d->rd, 1);
            name(d, SCOREBOARD_RA, d->ra, 1);
            break;
        case FORMAT_R3:
        case FORMAT_R3S:
            name(d, SCOREBOARD_RD, d->rd, 1);
            name(d, SCOREBOARD_RA, d->ra, 1);
            name(d, SCOREBOARD_RC, d->rc, 1);
            break;
        case FORMAT_CMP:
        case FORMAT_FCMP:
        case FORMAT_RA:
        case FORMAT_RP:
        case FORMAT_RELR:
        case FORMAT_ABSR:
        case FORMAT_RETR: name(d, SCOREBOARD_RA, d->ra, 1); break;
        case FORMAT_SS:
            if (d->opcode == OP_SRD) name(d, SCOREBOARD_RD, d->rd, 1);
            if (d->opcode == OP_R2S) name(d, SCOREBOARD_RA, d->ra, 1);
            break;
        case FORMAT_PR:
            if (d->opcode != OP_VOTE) name(d, SCOREBOARD_RD, d->rd, 1);
            break;
        case FORMAT_SR:
        case FORMAT_CALLR: name(d, SCOREBOARD_RD, d->rd, 1); break;
        case FORMAT_LD:
        case FORMAT_ST:
        case FORMAT_LDC: {
            unsigned count = d->bytes > 4 ? d->bytes / 4u : 1u;
            name(d, SCOREBOARD_RA, d->ra, 1);
            name(d, SCOREBOARD_RD, d->rd, count);
            if (d->rd != ISA_RZ && d->rd % count != 0) d->registers_needed = DECODE_MISALIGNED;
            break;
        }
        case FORMAT_ATOM:
            name(d, SCOREBOARD_RD, d->rd, 1);
            name(d, SCOREBOARD_RA, d->ra, 1);
            name(d, SCOREBOARD_RB, d->rb, 1);
            if (d->mod == ATOM_CAS) name(d, SCOREBOARD_RC, d->rc, 1);
            break;
        default: break;
    }
    bool has_b = format == FORMAT_B || format == FORMAT_B2 || format == FORMAT_SELP || format == FORMAT_R3 ||
                 format == FORMAT_R3S || format == FORMAT_CARRY || format == FORMAT_CMP || format == FORMAT_FCMP ||
                 format == FORMAT_CVT || format == FORMAT_RND;
    if (has_b && !d->immediate) name(d, SCOREBOARD_RB, d->rb, 1);
    if (!scalar_registers_exist(d->word)) d->registers_needed = DECODE_MISALIGNED;
}

// What the instruction has to wait for, and what later ones have to.
static void note_hazards(struct decoded *d, enum isa_format format) {
    const unsigned pd = (1u << (d->rd & 7u)) & 0x7Fu, pm = (1u << (d->mod & 7u)) & 0x7Fu;
    const bool store = format == FORMAT_ST;
    d->more = (uint8_t)(d->bytes > 4 ? d->bytes / 4u - 1 : 0);
    switch (format) {
        case FORMAT_SELP: d->preds = (uint8_t)pm; break;
        case FORMAT_CARRY: d->preds = d->writes_preds = (uint8_t)pm; break;
        case FORMAT_CMP:
        case FORMAT_FCMP: d->preds = d->writes_preds = (uint8_t)pd; break;
        case FORMAT_PLOP:
            d->preds = (uint8_t)((pd | 1u << (d->ra & 7u) | 1u << (d->rb & 7u)) & 0x7Fu);
            d->writes_preds = (uint8_t)pd;
            break;
        case FORMAT_PR: d->preds = d->opcode == OP_VOTE ? 0 : 0x7F; break;
        case FORMAT_RP: d->preds = d->writes_preds = (uint8_t)(d->imm & 0x7Fu); break;
        default: break;
    }
    d->writes = d->registers != 0 && !store && (d->alu || d->bytes != 0);
    const bool control = divergence_executes(d->opcode) || (scalar_executes(d->opcode) && d->rd >= ISA_SCALARS) ||
                         d->opcode == OP_SVLOOP_BEGIN || d->opcode == OP_SVLOOP_END;
    d->alone = d->opcode == OP_BAR || d->opcode == OP_MEMBAR || d->opcode == OP_R2S || d->opcode == OP_LAUNCH ||
               (control && !divergence_pushes(d->opcode) && d->opcode != OP_BRA && d->opcode != OP_JMP);
}

void decode(uint64_t word, struct decoded *to) {
    const unsigned opcode = isa_opcode(word);
    const struct isa_info *info = &isa_table[opcode];
    *to = (struct decoded){
        .word = word,
        .opcode = (uint8_t)opcode,
        .guard = (uint8_t)isa_guard(word),
        .guard_negated = isa_guard_neg(word) != 0,
        .rd = (uint8_t)isa_rd(word),
        .ra = (uint8_t)isa_ra(word),
        .rb = (uint8_t)isa_rb(word),
        .rc = (uint8_t)isa_rc(word),
        .mod = (uint8_t)isa_mod(word),
        .ext = isa_ext(word),
        .imm = isa_imm(word),
        .immediate = (opcode & 0x80u) != 0,
    };
    to->legal = isa_legal(word);
    if (!to->legal) return;
    const enum isa_format format = info->format;
    const bool moves = format == FORMAT_LD || format == FORMAT_ST || format == FORMAT_LDC;
    if (moves) to->bytes = (uint8_t)decode_access_bytes(to->mod);
    if (format == FORMAT_ATOM) to->bytes = 4;
    if (format == FORMAT_R3S && to->rb == ISA_RZ) {
        to->immediate = true;
        to->imm = (uint32_t)to->ext & 0xFFFFu;
    }
    to->shared = opcode == OP_LDS || opcode == OP_STS || opcode == OP_ATOMS;
    to->generic = opcode == OP_LD || opcode == OP_ST || opcode == OP_ATOM;
    to->atomic = format == FORMAT_ATOM;
    to->store = format == FORMAT_ST;
    to->local = opcode == OP_LDL || opcode == OP_STL;
    to->alu = format == FORMAT_B || format == FORMAT_B2 || format == FORMAT_R3 || format == FORMAT_CMP ||
              format == FORMAT_SELP || format == FORMAT_PLOP || (format == FORMAT_PR && opcode != OP_VOTE) ||
              format == FORMAT_RP || opcode == OP_SRD || format == FORMAT_SR || format == FORMAT_CARRY ||
              format == FORMAT_R3S || format == FORMAT_FCMP || format == FORMAT_CVT || format == FORMAT_RND;
    const bool writes_rd =
        (to->alu && format != FORMAT_CMP && format != FORMAT_FCMP && format != FORMAT_PLOP && format != FORMAT_RP) ||
        to->bytes != 0 || format == FORMAT_CALLR || format == FORMAT_CALLX;
    if (writes_rd && to->rd != ISA_RZ) to->registers = (uint8_t)(to->bytes > 4 ? to->bytes / 4u : 1u);
    to->trap_only = trap_only(opcode);
    to->trap_never = trap_never(opcode, to->mod, to->rd);
    to->trap_scalar = (opcode == OP_SRD && trap_reads(to->rb)) || (opcode == OP_R2S && trap_writes(to->rd));
    name_registers(to, format);
    note_hazards(to, format);
}
