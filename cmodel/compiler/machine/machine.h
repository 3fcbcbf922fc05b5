// The machine program while it is being made: instructions of the ISA on virtual registers, in a control flow graph.
//
// Stages: select.c makes it (each register written once, phis); common_subexpressions.c and divergence.c look at it;
// the latter marks the branches; peephole.c and sink.c improve it; phis.c turns phis into moves; predicates.c and
// allocate.c put numbers of real registers in place of virtual ones; reconverge.c places the tokens; emit.c makes words
// of it.
#ifndef TANDEM_COMPILER_MACHINE_MACHINE_H
#define TANDEM_COMPILER_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/compilation.h"

enum {
    NONE = 0xFFFFFFFFu,       // no register: as a source reads 0 (RZ), as a guard always true
    UNDEFINED = 0xFFFFFFFEu,  // as a source of a phi: any value will do
};

enum { REGISTERS_MAX = 255 };

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
    bool negated[3];  // predicate sources
    uint32_t guard, dst, src[3];
    // CARRY: the predicate that is written besides dst, or NONE. The instruction has one field for both predicates, so
    // the one that comes in is lost: nothing else may read it.
    uint32_t carry;
    uint32_t imm;  // immediate, offset (LDC: with the bank), ext, number of a special register
    uint32_t line;
    uint32_t inlined;  // 1 + index in the function's inlined[]: the call that brought it in; 0: the kernel's own
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
    uint32_t line;  // of the terminator

    bool spins;        // the loop around it needs a YIELD
    bool waits;        // and one that fires each time: others have to go on for the loop to end
    bool kept;         // a token names it: stays, also when it is empty
    uint32_t segment;  // group of segments (segments.h) in sub-vector order that it belongs to, 0: none
    // Tokens, by reconverge.c: pushed just before the terminator's branches, in this order.
    struct machine_token {
        uint8_t op;  // SSY, PBRK, SVSTART, SVLOOP_BEGIN, SVLOOP_END, or YIELD
        uint8_t mod;
        uint32_t label;  // block; NONE: YIELD
        uint32_t every;  // YIELD.NTH: fires at every so many executions
    } * tokens;
    size_t token_count, token_capacity;

    uint32_t *preds;  // by graph_update()
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
    // Calls (calls.h). CAL: imm is the number of the callee; what it reads and writes stands in NOPs around it.
    struct machine_callee *callees;  // of the kernel's tree
    bool is_called;                  // ends with RET
    bool keeps_return;               // by the address in R0, else by the call token alone
    struct machine_fixed {
        uint32_t number;
        uint16_t real;
    } * fixed;  // virtual registers that have to be certain real ones
    size_t fixed_count, fixed_capacity;
    struct reserved *reserved;  // during allocation: fixed.h
    bool uses_barrier;
    bool uses_work_queue;    // makes work itself
    uint32_t private_bytes;  // of each thread's memory, taken by variables
    uint32_t local_bytes;    // of the work-group's memory, taken by its __local variables
};

uint32_t new_register(struct machine_function *function, enum register_class class);
// The first of `count` vector registers that follow one another.
uint32_t new_tuple(struct machine_function *function, unsigned count);
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
// Which source operands are predicates / whether dst is one.
enum register_class source_class(const struct machine_instruction *instruction, unsigned index);
bool writes_predicate(const struct machine_instruction *instruction);
// How many registers dst, or source operand `index`, stands for: 1, or those of a tuple.
unsigned result_words(const struct machine_instruction *instruction);
unsigned source_words(const struct machine_instruction *instruction, unsigned index);
// Whether it reads the vector register.
bool reads_register(const struct machine_instruction *instruction, uint32_t number);
// The predicate that it writes, as its result or as a carry, or NONE.
uint32_t predicate_written(const struct machine_instruction *instruction);

// Appends the function as text.
void machine_print(const struct machine_function *function, struct text *to);

// flow_graph.c: predecessors; blocks that cannot be reached lose their contents.
void graph_update(struct machine_function *function);
// Reverse post-order of the reachable blocks: fills order (block_count entries), returns how many.
size_t graph_order(const struct machine_function *function, uint32_t *order);
// Puts an empty block on the edge from block `from`, successor `which`.
uint32_t graph_split_edge(struct machine_function *function, uint32_t from, unsigned which);
// Takes out empty blocks that only branch on, and conditions whose targets are the same.
void graph_clean(struct machine_function *function);

// dominance.c. A graph given as successor lists; nodes 0..count-1. immediate[n]: immediate dominator, NONE for the root
// and for nodes that cannot be reached.
struct graph {
    size_t count;
    uint32_t **next;  // successors of each node
    size_t *next_count;
};
void dominators(const struct graph *graph, uint32_t root, uint32_t *immediate);
// The same graph with every edge turned round.
struct graph graph_reverse(const struct graph *graph);
void graph_free(struct graph *graph);
// The control flow graph of a function; graph_free().
struct graph graph_of(const struct machine_function *function);
bool dominates(const uint32_t *immediate, uint32_t a, uint32_t b);

// loops.c: natural loops.
struct loop {
    uint32_t header;
    uint32_t parent;  // index of the loop around it, or NONE
    uint32_t depth;   // 1: outermost
    bool *blocks;     // members, inner loops' too
    bool *tail;       // members by loops_take_tails(), which never come round again; NULL: none
    bool spins;       // a member spins
    bool waits;       // a member waits
};
struct loops {
    struct loop *loops;  // inner loops before the loops around them
    size_t count;
    uint32_t *innermost;  // of each block, or NONE
    bool irreducible;     // there is a cycle that is no natural loop: then nothing else is filled in
};
void loops_find(const struct machine_function *function, struct loops *loops);

void divergence_analyse(struct machine_function *function);
// While each register is written once: reads values that are there instead of computing them again.
void common_subexpressions(struct machine_function *function);
// The same: products into IMAD, unread instructions dropped.
void peephole(struct machine_function *function);
// Also before the phis go: values that only go round a loop are made as late as possible.
void values_sink(struct machine_function *function);
void phis_eliminate(struct machine_function *function);
void predicates_allocate(struct machine_function *function);
// Sets registers_used. It is more than register_limit only where spilling does not help.
void registers_allocate(struct machine_function *function);
void reconverge(struct machine_function *function);

#endif
