// The machine program while it is being made: instructions of the ISA on virtual registers, in a control flow graph.
//
// select/ makes it (each register written once, phis); improve/ and divergence.c look at it, the latter marks the
// branches; registers/ turns phis into moves and puts numbers of real registers in place of virtual ones, around
// segments/; tokens/ places the tokens; output/ makes words of it.
#ifndef TANDEM_COMPILER_MACHINE_MACHINE_H
#define TANDEM_COMPILER_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/compilation.h"

// Numbers of virtual registers. NONE: as a source reads 0 (RZ), as a guard always true.
enum { UNDEFINED = 0xFFFFFFFEu };  // as a source of a phi: any value will do

enum { REGISTERS_MAX = 255, TUPLE_MAX = 4 };

enum register_class { CLASS_VECTOR, CLASS_PREDICATE };

// Operands by format (isa.tbl):           dst   src[0]  src[1]      src[2]
//   B2 B                                   rd    ra      rb or imm   -          (format B: ra unused)
//   R3                                     rd    ra      rb          rc
//   R3S                                    rd    ra      rb, NONE: imm  rc
//   CARRY                                  rd    ra      rb or imm   p coming in (IADDC, ISUBC); going out: carry
//   CVT RND                                rd    -       rb or imm   -
//   CMP FCMP                               pd    ra      rb or imm
//   SELP                                   rd    ra      rb or imm   p
//   PLOP                                   pd    pa      pb
//   LD LDC                                 rd    ra
//   ST                                     -     ra      rd
//   ATOM                                   rd    ra      rb          rc
// A NOP is no instruction in the end: its sources are needed until here, its dst holds something from here on.
// An access of 64 or 128 bits has 2 or 4 registers as rd, a tuple: numbers that follow one another, as virtual
// registers and as real ones (tuples.h). dst or src[1] names the first.
struct machine_instruction {
    uint8_t op;   // opcode; with bit 7 `imm` stands for rb
    uint8_t mod;  // as in the word, without the predicate of SEL
    bool guard_negated;
    bool ordered;     // an access that keeps its place among others: volatile, atomic
    bool negated[3];  // predicate sources
    uint32_t guard, dst, src[3];
    // CARRY: the predicate that is written besides dst, or NONE. The instruction has one field for both predicates, so
    // the one that comes in is lost: nothing else may read it.
    uint32_t carry;
    uint32_t imm;  // immediate, offset (LDC: with the bank), ext, number of a special register
    uint32_t line;
    uint32_t inlined;  // 1 + index in the function's inlined[]: the call that brought it in; 0: the kernel's own
    // For places.h: counts on through the function as it was selected, 0: made later; 1 + its scope of the source, 0: not
    // known; an access that keeps a spilled value: the register of which it is one, else NONE.
    uint32_t order, scope, kept;
};

struct machine_phi {
    uint32_t dst;
    uint32_t *src;   // one for each predecessor at the time of selection, NONE: zero, or UNDEFINED
    uint32_t *from;  // block numbers
    size_t count;
};

enum terminator { TERM_NONE, TERM_BRANCH, TERM_CONDITION, TERM_EXIT };
// How control goes over an edge: by branch, or by switching the threads off so that they meet others at the target.
enum edge_action { EDGE_BRANCH, EDGE_SYNC, EDGE_BREAK, EDGE_EXIT };

struct machine_block {
    struct machine_instruction *code;
    size_t count, capacity;
    struct machine_phi *phis;
    size_t phi_count, phi_capacity;

    enum terminator terminator;
    uint32_t condition;  // predicate, TERM_CONDITION: to target[0] when true, else target[1]
    bool condition_negated;
    bool divergent;  // threads of a warp may disagree about the condition
    uint32_t target[2];
    enum edge_action action[2];
    bool counts[2];  // a loop's edge back, which yields now and then: BRA.NTH
    uint32_t line;   // of the terminator

    bool spins;        // the loop around it needs a YIELD
    bool waits;        // and one that fires each time: others have to go on for the loop to end
    uint8_t yield;     // of one that spins and does not wait: mod of the YIELD, YIELD_NTH or YIELD_RANDOM
    uint32_t seldom;   // and its number
    bool kept;         // a token names it: stays, also when it is empty
    bool turns;        // header of a loop, outermost in a segment whose order may change: branches to it are its turns
    uint32_t segment;  // group of segments (segments.h) in sub-vector order that it belongs to, 0: none
    // Tokens, by reconverge.c: pushed just before the terminator's branches, in this order.
    struct machine_token {
        uint8_t op;  // SSY, PBRK, SVSTART, SVLOOP_BEGIN, SVLOOP_END, or YIELD
        uint8_t mod;
        uint32_t label;   // block; NONE: YIELD
        uint32_t number;  // YIELD.NTH: fires at every so many executions; YIELD.RANDOM: probability in 65536ths
    } * tokens;
    size_t token_count, token_capacity;

    uint32_t *preds;  // by flow_update()
    size_t pred_count, pred_capacity;
};

struct machine_function {
    struct compilation *compilation;
    const char *name;
    struct machine_block *blocks;  // 0 is the entry
    size_t block_count, block_capacity;
    uint8_t *classes;  // enum register_class of each virtual register
    size_t register_count, register_capacity;
    // After allocation: the real register of each virtual one.
    uint16_t *assigned;
    uint32_t registers_used;  // highest real vector register + 1
    uint32_t register_limit;  // more than this many are not to be used
    uint32_t spill_bytes;     // of private_bytes, taken by values that found no register
    bool *reloads;            // registers that only bring such a value back; may be shorter than the registers
    size_t reload_count, reload_capacity;
    // Calls in the kernel that were inlined, innermost ones apart: where they stood.
    struct inlined_call {
        const void *key;
        uint32_t line;
    } * inlined;
    size_t inlined_count, inlined_capacity;
    struct segments *segments;  // segments.h; NULL: all in regular order
    uint32_t shared_rows;       // of registers_used, the highest: rows that portions use one after the other
    // Calls (callee.h). CAL: imm is the number of the callee; what it reads and writes stands in NOPs around it.
    struct machine_callee *callees;  // of the kernel's tree: callee.h
    bool is_called;                  // ends with RET
    bool keeps_return;               // by the address in R0, else by the call token alone
    struct machine_fixed {
        uint32_t number;
        uint16_t real;
    } * fixed;  // virtual registers that have to be certain real ones
    size_t fixed_count, fixed_capacity;
    struct reserved *reserved;  // during allocation: fixed.h
    struct places *places;      // where the source's variables are: places.h; NULL: nobody asks
    bool uses_barrier;
    bool uses_work_queue;    // makes work itself
    uint32_t private_bytes;  // of each thread's memory, taken by variables
    uint32_t local_bytes;    // of the work-group's memory, taken by its __local variables
};

uint32_t new_register(struct machine_function *function, enum register_class class);
// The first of `count` vector registers that follow one another.
uint32_t new_tuple(struct machine_function *function, unsigned count);
// One that has to be the real register R`real`.
uint32_t new_fixed_register(struct machine_function *function, unsigned real);
uint32_t new_block(struct machine_function *function);
struct machine_instruction *append(struct machine_function *function, uint32_t block,
                                   struct machine_instruction instruction);
// Puts an instruction before position `at` of the block.
void insert(struct machine_block *block, size_t at, struct machine_instruction instruction);
// A fresh instruction: no guard, no registers.
struct machine_instruction make(uint8_t op);

static inline unsigned successor_count(const struct machine_block *block) {
    return block->terminator == TERM_CONDITION ? 2 : block->terminator == TERM_BRANCH ? 1 : 0;
}
// Whether a block does nothing but end the kernel.
bool ends_only(const struct machine_block *block);
// Which source operands are predicates / whether dst is one.
enum register_class source_class(const struct machine_instruction *instruction, unsigned index);
bool writes_predicate(const struct machine_instruction *instruction);
// How many registers dst, or source operand `index`, stands for: 1, or those of a tuple.
unsigned result_words(const struct machine_instruction *instruction);
unsigned source_words(const struct machine_instruction *instruction, unsigned index);
// What it writes follows from registers and its number alone, and it does nothing else: arithmetic, comparisons,
// shuffles, numbers of the thread; no access to memory, no clock.
bool is_pure(const struct machine_instruction *instruction);
// Whether it reads the vector register.
bool reads_register(const struct machine_instruction *instruction, uint32_t number);
// The predicate that it writes, as its result or as a carry, or NONE.
uint32_t predicate_written(const struct machine_instruction *instruction);

// Appends the function as text.
void machine_print(const struct machine_function *function, struct text *to);

#endif
