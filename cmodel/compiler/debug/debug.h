// What a debugger is to be told of the source: types, scopes and variables, and where a variable's value is while which
// instructions run. Nothing of LLVM in it and nothing of DWARF: ir/debug_variables.c fills in the source, select/ and
// machine/ the places, output/dwarf.c writes it.
#ifndef TANDEM_COMPILER_DEBUG_DEBUG_H
#define TANDEM_COMPILER_DEBUG_DEBUG_H

#include "compiler/base/memory.h"
#include "compiler/base/text.h"

// Address spaces as debug information numbers them: LLVM's, and the two constant buffers, whose bytes have no address.
enum debug_space {
    DEBUG_SPACE_PRIVATE = 0,
    DEBUG_SPACE_GLOBAL = 1,
    DEBUG_SPACE_CONSTANT = 2,
    DEBUG_SPACE_LOCAL = 3,
    DEBUG_SPACE_GENERIC = 4,
    DEBUG_SPACE_BUFFER0 = 16,  // a launch's arguments
    DEBUG_SPACE_BUFFER1 = 17,  // the program's constant tables
    DEBUG_SPACE_PROGRAM = 18   // the program's variables, from where the driver has put them
};

enum debug_kind {
    DEBUG_BASE,
    DEBUG_POINTER,
    DEBUG_STRUCT,
    DEBUG_UNION,
    DEBUG_ARRAY,
    DEBUG_VECTOR,  // an array of two or more of a base type
    DEBUG_TYPEDEF,
    DEBUG_CONST,
    DEBUG_VOLATILE,
    DEBUG_RESTRICT,
    DEBUG_ENUM,
    DEBUG_UNKNOWN
};

struct debug_type {
    enum debug_kind kind;
    const char *name;  // "": none
    uint32_t size;     // bytes
    uint32_t of;       // the type that it is made of, NONE: void
    uint8_t encoding;  // of a base type: DW_ATE_*
    uint8_t space;     // of a pointer: where it leads
    uint32_t count;    // elements
    struct debug_member {
        const char *name;
        uint32_t type, offset;  // bytes
    } * members;
    size_t member_count, member_capacity;
};

// A function, a block of it, or a function where it was expanded.
struct debug_scope {
    uint32_t parent;   // NONE: a function of its own
    const char *name;  // of a function, NULL: a block
    uint32_t line;     // of a function
    uint32_t call;     // the line of the call that was expanded, 0: none was
    struct debug_range {
        uint32_t from, to;  // instructions
    } * ranges;
    size_t range_count, range_capacity;
};

enum debug_where { DEBUG_NOWHERE, DEBUG_REGISTER, DEBUG_PREDICATE, DEBUG_NUMBER, DEBUG_MEMORY };
struct debug_place {
    enum debug_where where;
    bool negated;     // a predicate
    uint8_t space;    // enum debug_space, of memory
    uint32_t number;  // of the register (virtual at first), the number itself, or an address
};

enum { DEBUG_WORDS_MAX = 16 };
// A value: parts of the same size, one behind the other.
struct debug_value {
    struct debug_place *parts;
    uint8_t count, bytes;  // bytes of each part: 1, 2 or 4; whatever lies in memory at once is one part of 0 bytes
    // DW_OP_*, what is done with a value of one part to get the variable's; count 0: it is the variable's.
    struct debug_operation {
        uint16_t code;
        uint32_t number;
    } * operations;
    uint8_t operation_count;
};

struct debug_variable {
    const char *name;
    uint32_t type, scope, line;  // scope NONE: of the program
    uint32_t argument;           // 1 + which of its function, 0: it is none
    uint32_t first;              // of its slices, NONE: it is nowhere
};

// A variable, or a part of it that has places of its own.
struct debug_slice {
    uint32_t variable, offset, size;  // bytes; size 0: all of it
    uint32_t next;                    // of the same variable, NONE: no more
    struct debug_span {
        uint32_t from, to;  // instructions; all of them: 0 to NONE
        const struct debug_value *value;
    } * spans;
    size_t span_count, span_capacity;
};

struct debug_program {
    const char *file;
    struct debug_type *types;
    struct debug_scope *scopes;
    struct debug_variable *variables;
    struct debug_slice *slices;
    size_t type_count, type_capacity, scope_count, scope_capacity;
    size_t variable_count, variable_capacity, slice_count, slice_capacity;
};

uint32_t debug_add_type(struct debug_program *program, struct debug_type type);
void debug_add_member(struct debug_type *type, const char *name, uint32_t of, uint32_t offset);
uint32_t debug_add_scope(struct debug_program *program, uint32_t parent, const char *name, uint32_t line);
uint32_t debug_add_variable(struct debug_program *program, struct debug_variable variable);
// The slice of these bytes, made when there is none.
uint32_t debug_slice_of(struct debug_program *program, uint32_t variable, uint32_t offset, uint32_t size);
bool debug_slices_overlap(const struct debug_slice *a, const struct debug_slice *b);
// Instructions of the scope, and with them of all around it. Adjacent ranges become one.
void debug_add_range(struct debug_program *program, uint32_t scope, uint32_t from, uint32_t to);
void debug_add_span(struct debug_slice *slice, uint32_t from, uint32_t to, const struct debug_value *value);
struct debug_value *debug_new_value(unsigned count, unsigned bytes);
bool debug_values_equal(const struct debug_value *a, const struct debug_value *b);

#endif
