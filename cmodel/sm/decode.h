// Decode: what an instruction word says, once for each word. A pure function of the word, so a decoded instruction
// stays true for as long as the word in memory is the same; sm.c keeps a table of them that needs no invalidation.
#ifndef TANDEM_SM_DECODE_H
#define TANDEM_SM_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/isa.h"

// The registers_needed of a wide access whose rd is not a multiple of its registers, or of a scalar register that does
// not exist.
#define DECODE_MISALIGNED 256u

struct decoded {
    uint64_t word;
    uint32_t imm;
    int32_t ext;
    uint16_t registers_needed;  // one past the highest vector register named, 0: none; more than any REGISTER_COUNT:
                                // never right
    uint8_t opcode;
    uint8_t guard, rd, ra, rb, rc, mod;
    uint8_t bytes;      // of a memory access: 1, 2, 4, 8, 16; else 0
    uint8_t registers;  // that a memory access moves: 1, 2, 4 (0 when rd is RZ); ALU with rd: 1 or 0
    bool guard_negated;
    bool immediate;        // operand B is imm
    bool shared;           // LDS, STS, ATOMS
    bool generic;          // LD, ST, ATOM
    bool atomic, store;    // of any space
    bool local;            // LDL, STL
    bool legal;            // false: ILLEGAL_INSTRUCTION
    bool trap_only;        // .. except in a trap
    bool trap_never;       // .. in a trap
    bool trap_scalar;      // names a scalar register of a trap
    uint8_t names;         // vector registers that it reads or writes: enum scoreboard_names, a bit each, none for RZ
    uint8_t more;          // registers behind rd that it reads or writes too
    uint8_t preds;         // predicates that it reads or writes beside the guard, a bit each
    bool alone;            // issued when nothing of the warp is in flight; BRA and JMP only when they diverge
    bool writes;           // lanes and loads: rd is written when the warp has gone on
    uint8_t writes_preds;  // likewise
    bool alu;              // executed by the lanes, portion by portion, with a result in rd or a predicate
};

void decode(uint64_t word, struct decoded *to);

// Bytes that one thread moves by `size` (table size); 0: not in the table.
uint32_t decode_access_bytes(uint32_t size);

#endif
