// The bytes that DWARF is made of, and the parts of it that have files of their own.
#ifndef TANDEM_COMPILER_OUTPUT_DWARF_BYTES_H
#define TANDEM_COMPILER_OUTPUT_DWARF_BYTES_H

#include "compiler/debug/debug.h"
#include "isa/code_object.h"

void put_u8(struct text *to, unsigned value);
void put_u16(struct text *to, unsigned value);
void put_u32(struct text *to, uint32_t value);
void put_uleb(struct text *to, uint32_t value);
void put_sleb(struct text *to, int32_t value);
void put_block(struct text *to, const struct text *bytes);  // its length first
void fix_u32(struct text *to, size_t at, uint32_t value);   // one that was put as 0

// dwarf_places.c: the expression of a value in the piece of `size` bytes; size 0: the whole variable.
void dwarf_expression(struct text *to, const struct debug_value *value, uint32_t size);
// A list of the places of a variable in .debug_loclists; returns its offset.
uint32_t dwarf_location_list(struct text *lists, const struct debug_program *program,
                             const struct debug_variable *variable);
uint32_t dwarf_range_list(struct text *lists, const struct debug_range *ranges, size_t count);
void dwarf_lists_begin(struct text *lists);
void dwarf_lists_end(struct text *lists);

// dwarf_lines.c
void dwarf_lines(struct text *to, const struct code_object *object, const char *file);

#endif
