// Variables of the source, of a program that was compiled with -g: which there are where a thread stands, and what they
// hold. What the compiler has written as DWARF is read by elfutils' libdw.
#ifndef TANDEM_DEBUGGER_VARIABLES_H
#define TANDEM_DEBUGGER_VARIABLES_H

#include "debugger/debugger.h"

#define VARIABLE_NAME_MAX 96u
#define VARIABLE_TEXT_MAX 1024u

struct variables;
struct variable_value;  // a variable or a part of it, in one thread

// NULL: the program has none; why says so in one line. It outlives neither the debugger nor the object.
struct variables *variables_open(const struct debugger *debugger, const struct code_object *object, char *why,
                                 size_t why_size);
void variables_close(struct variables *variables);

// Where the thread stands, a byte address of the program: where its warp does, or where it goes on once it is no longer off.
// False: nowhere.
bool variables_place(const struct debugger *debugger, const struct debugger_thread *who, uint32_t *address);

// What an expression gives in that thread: NAME, and . -> [] * in front of and behind it. NULL: why says what is wrong, or that
// the variable has no value where the thread stands. The caller frees with free().
struct variable_value *variables_evaluate(struct variables *variables, const struct debugger_thread *who,
                                          const char *expression, char *why, size_t why_size);
// The variable number n that is in scope where the thread stands, inner ones first: its name, and whether it is an argument.
// False: there are no more.
bool variables_listed(struct variables *variables, const struct debugger_thread *who, size_t n, char *name,
                      size_t name_size, bool *argument);
// False: no variable of this name is in scope there.
bool variables_has(struct variables *variables, const struct debugger_thread *who, const char *name);

// In text, as far as there is room.
void variable_text(const struct variable_value *value, char *to, size_t size);
void variable_type(const struct variable_value *value, char *to, size_t size);
// How many parts an array, a vector or a structure has, and a pointer to something: 1. Others: 0.
size_t variable_parts(const struct variable_value *value);
// Part n, and what is written behind the whole's expression to name it: ".a", "[3]"; of a pointer "*" in front. NULL: there is none.
struct variable_value *variable_part(const struct variable_value *value, size_t n, char *name, size_t name_size);

#endif
