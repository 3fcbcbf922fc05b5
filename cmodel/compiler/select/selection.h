// What the parts of selection share while one function is being selected.
//
// An integer of fewer than 32 bits lies in a register with unknown bits above its own, unless `known` says that they
// are zeros or copies of the sign. i1 is a predicate inside its block and 0 or 1 in a vector register elsewhere. A
// vector has a register for each element.
#ifndef TANDEM_COMPILER_SELECT_SELECTION_H
#define TANDEM_COMPILER_SELECT_SELECTION_H

#include "compiler/ir/debug_variables.h"
#include "compiler/ir/globals.h"
#include "compiler/ir/module.h"
#include "compiler/ir/points_to.h"
#include "compiler/machine/machine.h"
#include "compiler/select/kernel_tree.h"

enum known { KNOWN_ZEROS = 1, KNOWN_SIGN = 2 };

struct predicate {
    uint32_t reg;  // NONE: always true
    bool negated;
};

struct value {
    LLVMValueRef key;
    uint32_t *parts;  // vector registers, word_count() for each element, the low word first; for i1 the 0-or-1 form;
                      // NONE: zero, or not made
    unsigned count;
    uint8_t known;               // enum known, of all parts
    struct predicate predicate;  // i1
    uint32_t predicate_stretch;  // where the predicate is valid, NONE: nowhere
    struct value *overflow;      // second part of an operation with overflow or a cmpxchg
    bool placed;                 // a variable in private or local memory, at
    uint32_t place;
    uint32_t bias;  // of an address that only accesses and other addresses read: what is still to be added to its part
};

// Where a register's value came from, when it was loaded: then a copy needs no more than the words.
struct origin {
    uint32_t word;  // narrow parts: the loaded word that this is a field of, or NONE
    uint8_t shift, bytes;
    uint8_t lane, size;  // of a tuple; size 0: of none
};

struct selection {
    struct compilation *compilation;
    struct module *module;
    struct globals *globals, *variables;
    bool relative;  // the last constant looked at counts from the place of the program's variables
    struct machine_function *function;
    struct kernel_tree *tree;
    struct machine_callee *self;  // in the tree
    uint32_t return_address;      // register, when the function keeps it
    uint32_t stretch;             // number of the stretch of a block without calls: a predicate is valid in one
    bool block_calls;             // the block has calls of functions
    LLVMValueRef source;          // the kernel, or a function that it calls
    uint32_t *offsets;            // of its arguments
    struct value **values;        // hash table by key
    size_t value_count, value_slots;
    LLVMBasicBlockRef *blocks;  // by block number
    size_t block_count;
    struct block_number {
        LLVMBasicBlockRef key;
        uint32_t number;
    } * numbers;  // hash table
    size_t number_slots;
    struct pointers pointers;
    struct origin *origins;  // of each register, as far as there are any: access.c
    size_t origin_count, origin_capacity;
    uint32_t private_end, local_end;  // bytes that its variables take
    uint32_t block;                   // where instructions go now
    uint32_t line;
    uint32_t inlined, scope, order;  // as in struct machine_instruction
    struct debug_records *debug;     // NULL: nobody asks for variables
    struct later_mark {              // of values that were not selected yet
        const struct debug_mark *mark;
        size_t binding;
    } * later;
    size_t later_count, later_capacity;
    LLVMValueRef instruction;    // being selected
    struct location last_error;  // one message for a place is enough
};

// Number of the machine block that an LLVM block becomes; NONE: it is not reached.
uint32_t block_number(const struct selection *s, LLVMBasicBlockRef block);
// Gives the reached blocks their numbers, and the function its blocks.
void number_blocks(struct selection *s);
// Reports that the instruction in hand cannot be compiled.
void unsupported(struct selection *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
