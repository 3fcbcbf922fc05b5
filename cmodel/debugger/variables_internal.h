// What the files share that know variables.
#ifndef TANDEM_DEBUGGER_VARIABLES_INTERNAL_H
#define TANDEM_DEBUGGER_VARIABLES_INTERNAL_H

#include <elfutils/libdw.h>

#include "debugger/variables.h"
#include "debugger_internal.h"

enum { VALUE_BYTES = 256, SCOPES_MAX = 64, TYPES_DEEP = 32 };

// Spaces, as the compiler numbers them.
enum {
    SPACE_PRIVATE = 0,
    SPACE_GLOBAL = 1,
    SPACE_CONSTANT = 2,
    SPACE_LOCAL = 3,
    SPACE_GENERIC = 4,
    SPACE_BUFFER0 = 16,
    SPACE_BUFFER1 = 17,
    SPACE_PROGRAM = 18
};

struct variables {
    const struct debugger *debugger;
    const struct code_object *object;
    void *image;
    Elf *elf;
    Dwarf *dwarf;
};

struct variable_value {
    const struct debugger *debugger;
    struct debugger_thread who;
    Dwarf_Die type;  // behind typedefs and qualifiers, but `named`
    Dwarf_Die named;
    bool untyped;    // void
    bool in_memory;  // at `address` of `space`; else in `bytes`
    unsigned space;
    uint32_t address;
    uint8_t bytes[VALUE_BYTES];
    bool known[VALUE_BYTES];  // the others are optimized out
};

// variables_places.c. False: why.
bool value_locate(struct variable_value *value, Dwarf_Die *variable, uint32_t address, char *why, size_t why_size);
bool thread_memory(const struct debugger *debugger, const struct debugger_thread *who, unsigned space, uint32_t address,
                   void *to, uint32_t size);

// variables_types.c
bool type_of(Dwarf_Die *die, Dwarf_Die *type);  // its DW_AT_type; false: void
bool type_plain(Dwarf_Die *type);               // without typedefs and qualifiers; false: void is left
uint32_t type_size(Dwarf_Die *type);            // bytes
uint32_t type_count(Dwarf_Die *type);           // elements of an array
bool type_is_vector(Dwarf_Die *type);
uint64_t type_number(Dwarf_Die *die, unsigned name, uint64_t otherwise);  // an attribute
void type_name(Dwarf_Die *type, bool untyped, char *to, size_t size);
// Bytes of the value, as many as fit; false: they cannot be read, or some of them are optimized out.
bool value_bytes(const struct variable_value *value, uint32_t offset, void *to, uint32_t size, bool *optimized_out);
// The part of a value at this offset, of this type.
struct variable_value *value_part(const struct variable_value *value, uint32_t offset, Dwarf_Die *type, bool untyped);
// What a pointer leads to, the element `index` there. NULL: why.
struct variable_value *value_behind(const struct variable_value *value, int64_t index, char *why, size_t why_size);

// variables.c
bool variables_find(struct variables *variables, uint32_t address, const char *name, Dwarf_Die *found);

#endif
