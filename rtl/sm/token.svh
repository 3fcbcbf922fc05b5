// Wide state of the divergence hardware, packed and unpacked in one place.
//
// A token as software sees it (divergence.md):
//   THREADS 32,  64 bits: kind 3:0, mask 35:4, address 57:36, flags 61:58, 63:62 zero
//   THREADS 64, 128 bits: address 31:0, mask 95:32, kind 103:96 (high half zero), flags 107:104, rest zero
// In memory the yield flag's place and the two behind it say what stands below of SYNC, BRK, CONT: 63:61, and 109:107.
// The RAM keeps the bits that are not always zero: kind, mask, address, flags but for the yield flag, SYNC, BRK, CONT below, from bit 0 on.
// For 32 threads that is the token in memory.
`ifndef TANDEM_TOKEN_SVH
`define TANDEM_TOKEN_SVH

`include "gen/bundles.svh"

`define TOKEN_ADDR_W 22

// A token in the RAM.
`define TOKEN_BITS(threads) ((threads) + 4 + `TOKEN_ADDR_W + 6)
`define TOKEN_PACK(threads, kind, mask, addr, flags, below) {below, flags, addr, mask, kind}
`define TOKEN_KIND(token, threads)  token[3:0]
`define TOKEN_MASK(token, threads)  token[4 +: (threads)]
`define TOKEN_ADDR(token, threads)  token[4 + (threads) +: `TOKEN_ADDR_W]
`define TOKEN_FLAGS(token, threads) token[4 + (threads) + `TOKEN_ADDR_W +: 3]
`define TOKEN_BELOW(token, threads) token[4 + (threads) + `TOKEN_ADDR_W + 3 +: 3]

// The same as software sees it, 128 bits; 32 threads: the high half is zero. yields: its yield flag as it is now.
`define TOKEN_FORMAT(token, yields, threads) \
    ((threads) == 64 ? {20'd0, yields, `TOKEN_FLAGS(token, threads), 4'd0, `TOKEN_KIND(token, threads), 64'(`TOKEN_MASK(token, threads)), \
                        10'd0, `TOKEN_ADDR(token, threads)} \
                     : 128'({yields, `TOKEN_FLAGS(token, threads), `TOKEN_ADDR(token, threads), `TOKEN_MASK(token, threads), \
                             `TOKEN_KIND(token, threads)}))

// The same in memory, 128 bits, of which 32 threads have 64; and back.
`define TOKEN_BYTES(threads) ((threads) == 64 ? 16 : 8)
`define TOKEN_TO_MEMORY(token, threads) \
    ((threads) == 64 ? {18'd0, `TOKEN_BELOW(token, threads), `TOKEN_FLAGS(token, threads), 4'd0, `TOKEN_KIND(token, threads), \
                        64'(`TOKEN_MASK(token, threads)), 10'd0, `TOKEN_ADDR(token, threads)} \
                     : 128'(token))
`define TOKEN_FROM_MEMORY(memory, threads) \
    ((threads) == 64 ? `TOKEN_BITS(threads)'({memory[109:104], memory[21:0], memory[95:32], memory[99:96]}) : `TOKEN_BITS(threads)'(memory[63:0]))

// Summary flags: what stands below a token.
`define TOKEN_FLAG_SYNC  0
`define TOKEN_FLAG_DIV   1
`define TOKEN_FLAG_CALL  2
`define TOKEN_FLAG_YIELD 3

// The family of a kind, as a flag.
`define TOKEN_FAMILY(kind) \
    {(kind) == `KIND_YIELD, \
     (kind) == `KIND_RET, \
     (kind) == `KIND_DIV || (kind) == `KIND_CALLX || (kind) == `KIND_PORTION, \
     (kind) == `KIND_SYNC || (kind) == `KIND_BRK || (kind) == `KIND_CONT || (kind) == `KIND_EXIT || (kind) == `KIND_LONGJMP || \
     (kind) == `KIND_SVEND}

// SYNC, BRK, CONT: the kinds that instructions ask for and that no flag tells.
`define TOKEN_ASKED(kind) {(kind) == `KIND_CONT, (kind) == `KIND_BRK, (kind) == `KIND_SYNC}

// Opcodes that are legal in a trap alone.
`define TRAP_ONLY(op) ((op) == `OP_TRET || (op) == `OP_TPOP || (op) == `OP_TPUSH || (op) == `OP_TREASON || \
    (op) == `OP_TLEAVE || (op) == `OP_TFAIL || (op) == `OP_TEXIT)

// A special register that is the time: the model knows what a warp has read of it when it is written, so nobody goes on before that.
`define IS_TIME(special) ((special) == `SR_CLOCK_LO || (special) == `SR_CLOCK_HI)

// It does no more than push a token: it changes no threads, so loads and stores may be on their way.
`define DIVERGENCE_PUSHES(op) \
    ((op) == `OP_SSY || (op) == `OP_PBRK || (op) == `OP_PCONT || (op) == `OP_PEXIT || (op) == `OP_PLONGJMP)

// Opcodes that the divergence unit executes.
`define DIVERGENCE_EXECUTES(op) \
    (`DIVERGENCE_PUSHES(op) || \
     (op) == `OP_CAL || (op) == `OP_JCAL || (op) == `OP_SYNC || (op) == `OP_BRK || (op) == `OP_CONT || (op) == `OP_RET || \
     (op) == `OP_LONGJMP || (op) == `OP_EXIT || (op) == `OP_BRA || (op) == `OP_JMP || (op) == `OP_BRX || (op) == `OP_JMX || \
     (op) == `OP_JCALX || (op) == `OP_YIELD || (op) == `OP_SVSTART || (op) == `OP_SVEND || (op) == `OP_TRAP || `TRAP_ONLY(op))

`endif
