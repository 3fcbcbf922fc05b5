// The syntax of each format, and of the few opcodes that differ from their format.
#include "isa_syntax.h"

#include <stddef.h>

#define IMMEDIATE_BIT 0x80u

static const char *const plop_names[16] = {"AND", "OR", "XOR"};
static const char *const launch_names[16] = {[1] = "WAIT"};

static const struct isa_syntax formats[] = {
    [FORMAT_NONE] = {"", NULL, -1},
    [FORMAT_B] = {"dB", NULL, -1},
    [FORMAT_B2] = {"daB", NULL, -1},
    [FORMAT_R3] = {"dabc", NULL, -1},
    [FORMAT_CMP] = {"paB", isa_cmp_names, -1},
    [FORMAT_SELP] = {"daBm", NULL, -1},
    [FORMAT_PLOP] = {"pqr", plop_names, -1},
    [FORMAT_PR] = {"d", NULL, -1},
    [FORMAT_RP] = {"ai", NULL, -1},
    [FORMAT_SR] = {"ds", NULL, -1},
    [FORMAT_LD] = {"dM", isa_size_names, -1},
    [FORMAT_ST] = {"Md", isa_size_names, -1},
    [FORMAT_LDC] = {"dK", isa_size_names, -1},
    [FORMAT_ATOM] = {"dXbC", isa_atom_names, -1},
    [FORMAT_REL] = {"l", NULL, -1},
    [FORMAT_RELR] = {"al", NULL, -1},
    [FORMAT_ABS] = {"L", NULL, -1},
    [FORMAT_ABSR] = {"aL", NULL, -1},
    [FORMAT_CALLR] = {"dl", NULL, -1},
    [FORMAT_CALLX] = {"daL", NULL, -1},
    [FORMAT_RETR] = {"a", NULL, -1},
    [FORMAT_YIELD] = {"n", isa_yield_names, YIELD_ALWAYS},
    [FORMAT_SS] = {"DF", NULL, -1},
    [FORMAT_RA] = {"a", launch_names, 0},
    [FORMAT_CARRY] = {"daBk", NULL, -1},
    [FORMAT_R3S] = {"daSc", NULL, -1},
    [FORMAT_FCMP] = {"paB", isa_fcmp_names, -1},
    [FORMAT_CVT] = {"dB", isa_cvt_names, -1},
    [FORMAT_RND] = {"dB", isa_round_names, -1},
    [FORMAT_SV] = {"l", isa_sv_names, SV_ALWAYS},
    [FORMAT_KIND] = {"", isa_kind_names, -1},
    [FORMAT_BRA] = {"l", isa_bra_names, BRA_PLAIN},
};

const struct isa_syntax *isa_syntax_of(uint32_t opcode) {
    static const struct isa_syntax optional_label = {"o", NULL, -1};
    static const struct isa_syntax call_absolute = {"dL", NULL, -1};
    static const struct isa_syntax to_scalar = {"Da", NULL, -1};
    static const struct isa_syntax from_scalar = {"dE", NULL, -1};
    static const struct isa_syntax vote = {"D", NULL, -1};
    if (opcode > 255 || isa_table[opcode].mnemonic == NULL) return NULL;
    switch (opcode) {
        case OP_SYNC:
        case OP_BRK:
        case OP_CONT: return &optional_label;
        case OP_JCAL: return &call_absolute;
        case OP_R2S: return &to_scalar;
        case OP_SRD: return &from_scalar;
        case OP_VOTE: return &vote;
        default: return &formats[isa_table[opcode].format];
    }
}

uint64_t isa_syntax_used_bits(const struct isa_syntax *syntax, uint64_t word) {
    const uint64_t rd = 0xFFull << 12, ra = 0xFFull << 20, mod = 0xFull << 28, rb = 0xFFull << 32, rc = 0xFFull << 40;
    const uint64_t ext = 0xFFFFull << 48, imm = 0xFFFFFFFFull << 32;
    bool immediate = (word & IMMEDIATE_BIT) != 0;
    uint64_t used = 0xFFF;  // opcode and guard
    if (syntax->mods != NULL) used |= mod;
    for (const char *operand = syntax->operands; *operand != 0; operand++) {
        switch ((enum isa_operand) * operand) {
            case OPERAND_RD:
            case OPERAND_SD: used |= rd; break;
            case OPERAND_RA: used |= ra; break;
            case OPERAND_RB:
            case OPERAND_SB: used |= rb; break;
            case OPERAND_RC: used |= rc; break;
            case OPERAND_RC_OF_CAS: used |= isa_mod(word) == ATOM_CAS ? rc : 0; break;
            case OPERAND_B:
            case OPERAND_SB_OR_IMM: used |= immediate ? imm : rb; break;
            case OPERAND_PD: used |= 0x7ull << 12; break;
            case OPERAND_PA: used |= 0xFull << 20; break;
            case OPERAND_PB: used |= 0xFull << 32; break;
            case OPERAND_PM: used |= mod; break;
            case OPERAND_CARRY: used |= 0x7ull << 28; break;
            case OPERAND_RB_OR_EXT: used |= isa_rb(word) == ISA_RZ ? rb | ext : rb; break;
            case OPERAND_IMM7: used |= 0x7Full << 32; break;
            case OPERAND_SPECIAL: used |= 0xFFull << 32; break;
            case OPERAND_MEMORY: used |= ra | imm; break;
            case OPERAND_MEMORY_EXT: used |= ra | ext; break;
            case OPERAND_CONSTANT: used |= ra | 0xFFFFFull << 32; break;
            case OPERAND_OPTIONAL_IMM:
            case OPERAND_RELATIVE:
            case OPERAND_OPTIONAL_RELATIVE:
            case OPERAND_ABSOLUTE: used |= imm; break;
        }
    }
    return used;
}
