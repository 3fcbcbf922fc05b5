// Selection of instructions, LLVM IR to machine program. The parts: select.c (blocks, control flow, dispatch),
// values.c (values in registers), arithmetic.c, memory.c, intrinsics.c. Used by them alone, but
// for select_function().
//
// An integer of fewer than 32 bits lies in a register with unknown bits above its own, unless `known` says that they
// are zeros or copies of the sign. i1 is a predicate inside its block and 0 or 1 in a vector register elsewhere. A
// vector has a register for each element.
#ifndef TANDEM_COMPILER_SELECT_SELECT_H
#define TANDEM_COMPILER_SELECT_SELECT_H

#include "compiler/ir/globals.h"
#include "compiler/ir/module.h"
#include "compiler/ir/points_to.h"
#include "compiler/lower/calls.h"
#include "compiler/machine/machine.h"

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
    struct regions regions;
    struct origin *origins;  // of each register, as far as there are any: access.c
    size_t origin_count, origin_capacity;
    uint32_t private_end, local_end;  // bytes that its variables take
    uint32_t block;                   // where instructions go now
    uint32_t line;
    uint32_t inlined;            // as in struct machine_instruction
    LLVMValueRef instruction;    // being selected
    struct location last_error;  // one message for a place is enough
};

// select.c. The kernel of the tree (its last node) or a function that it calls; the latter first. Returns the machine
// program (with phis) or NULL after errors.
struct machine_function *select_function(struct module *module, struct globals *globals, struct globals *variables,
                                         struct kernel_tree *tree, size_t node);
uint32_t block_number(const struct selection *s, LLVMBasicBlockRef block);
void unsupported(struct selection *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

// values.c
struct value *value_of(struct selection *s, LLVMValueRef v);  // of an instruction or argument, made when needed
struct value *value_new(struct selection *s, LLVMValueRef v, unsigned count);
unsigned part_count(LLVMTypeRef type);  // elements of a vector, else 1
LLVMTypeRef part_type(LLVMTypeRef type);
unsigned word_count(LLVMTypeRef type);  // registers of an element
unsigned width_of(LLVMTypeRef type);    // bits of an integer or pointer (or vector's element)
bool is_flag(LLVMValueRef v);           // i1
bool constant_of(struct selection *s, LLVMValueRef v, uint32_t *value);  // zero-extended; addresses of constants too
bool constant_wide(struct selection *s, LLVMValueRef v, uint64_t *value);
uint32_t part_of(struct selection *s, LLVMValueRef v, unsigned part);  // register, unknown bits above
uint32_t reg_of(struct selection *s, LLVMValueRef v);
uint32_t reg_zeros(struct selection *s, LLVMValueRef v);  // zero-extended to 32 bits
uint32_t reg_sign(struct selection *s, LLVMValueRef v);   // sign-extended
struct predicate predicate_of(struct selection *s, LLVMValueRef v);
void define(struct selection *s, LLVMValueRef v, uint32_t reg, unsigned known);
void define_flag(struct selection *s, LLVMValueRef v, struct predicate p);
void flag_result(struct selection *s, struct value *value, LLVMValueRef v, struct predicate p);

// Emitting one instruction; each returns its fresh result.
uint32_t emit_rr(struct selection *s, uint8_t op, uint32_t a, uint32_t b);
uint32_t emit_ri(struct selection *s, uint8_t op, uint32_t a, uint32_t imm);            // op in its register form
uint32_t emit_select(struct selection *s, struct predicate p, uint32_t a, uint32_t b);  // p ? a : b
uint32_t emit_select_imm(struct selection *s, struct predicate p, uint32_t a, uint32_t imm);
struct predicate emit_compare(struct selection *s, unsigned comparison, uint32_t a, uint32_t b);
struct predicate emit_compare_imm(struct selection *s, unsigned comparison, uint32_t a, uint32_t imm);
struct predicate emit_logic(struct selection *s, unsigned operation, struct predicate a, struct predicate b);
uint32_t emit_constant(struct selection *s, uint32_t value);
uint32_t emit_rrr(struct selection *s, uint8_t op, uint32_t a, uint32_t b, uint32_t c);
uint32_t emit_rir(struct selection *s, uint8_t op, uint32_t a, uint32_t number, uint32_t c);  // format R3S
uint32_t emit_mod(struct selection *s, uint8_t op, unsigned mod, uint32_t b);                 // formats CVT, RND
struct machine_instruction *emit(struct selection *s, struct machine_instruction instruction);

// The others. Each returns false when the instruction is not its own.
bool select_arithmetic(struct selection *s, LLVMValueRef i);
bool select_memory(struct selection *s, LLVMValueRef i);
bool select_atomic(struct selection *s, LLVMValueRef i);
// wide.c: integers of more than 32 bits.
bool select_wide(struct selection *s, LLVMValueRef i);
bool select_wide_intrinsic(struct selection *s, LLVMValueRef i, const char *what);
// floats.c: instructions, intrinsics (name without "llvm."), and the library's single instructions ("tandem.x").
bool select_float(struct selection *s, LLVMValueRef i);
bool select_float_intrinsic(struct selection *s, LLVMValueRef i, const char *what);
bool select_float_own(struct selection *s, LLVMValueRef i, const char *name);
bool select_call(struct selection *s, LLVMValueRef i);
// function_calls.c: a call of a function with a body; the arguments at a function's beginning; what it returns.
void select_called(struct selection *s, LLVMValueRef i, LLVMValueRef f);
void select_parameters(struct selection *s);
void select_return(struct selection *s, LLVMValueRef end);
// An address for loads and stores.
struct address {
    uint32_t base, offset;
    enum region region;
    struct predicate global, local, private;  // REGION_GENERIC: which memory the address is in
};
struct address address_of(struct selection *s, LLVMValueRef pointer);
bool is_buffer(const struct address *at);  // a constant buffer
// access.c. Bytes of the widest access there is to this memory: 4, or 16 where there are tuples (tuples.h).
unsigned access_most(const struct address *at);
// One access of `size` bytes (1, 2, 4, 8 or 16, at most access_most()), `offset` behind the address; its alignment must
// be known. The register, or the first of the tuple, is given.
void load_to(struct selection *s, const struct address *at, uint32_t offset, unsigned size, bool is_signed,
             uint32_t to);
void store_from(struct selection *s, const struct address *at, uint32_t offset, unsigned size, uint32_t from);
// A value of 1, 2 or 4 bytes, of which `alignment` is known: less than the size means piece by piece.
uint32_t load_value(struct selection *s, const struct address *at, uint32_t offset, unsigned size, unsigned alignment,
                    bool is_signed);
// `count` parts of `size` bytes (1, 2 or 4) that lie one behind the other, in as few accesses as the alignment allows
// (of the first part; 0: the part's own). Narrow parts come extended by zeros.
void load_parts(struct selection *s, const struct address *at, unsigned size, unsigned alignment, uint32_t *parts,
                unsigned count);
void store_parts(struct selection *s, const struct address *at, unsigned size, unsigned alignment,
                 const uint32_t *parts, unsigned count);
// The sign of `width` bits of the register in all bits above them.
uint32_t sign_extended(struct selection *s, uint32_t number, unsigned width);
// A pointer from one space in another.
void select_space_cast(struct selection *s, LLVMValueRef i);

enum { NULL_RESERVE = 16 };  // bytes left free at address 0 where null matters
// variables.c: where the private variables that stayed in memory lie, for all of them, before selection; and where a
// __local variable of the kernel lies, on its first use.
void place_private(struct selection *s);
uint32_t place_local(struct selection *s, LLVMValueRef global);

// Copies size bytes between two pointers / sets them (llvm.memcpy, llvm.memset).
void select_copy(struct selection *s, LLVMValueRef to, LLVMValueRef from, uint32_t size, unsigned alignment);
void select_fill(struct selection *s, LLVMValueRef to, LLVMValueRef byte, uint32_t size, unsigned alignment);

#endif
