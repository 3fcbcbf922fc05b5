// Which functions stay calls: see kept_calls.c.
#ifndef TANDEM_COMPILER_LOWER_KEPT_CALLS_H
#define TANDEM_COMPILER_LOWER_KEPT_CALLS_H

#include "compiler/ir/module.h"

// Chooses the functions that stay calls, marks them and tells why (compilation->calls); the others are to be expanded.
// A marked one stays marked.
void calls_choose(struct module *module);
// Behind the optimization: a function whose pointers lead into different constant memories is unmarked after all.
// Returns whether there were any; they are then to be expanded.
bool calls_settle(struct module *module);
// Structures passed by value to functions that stay calls become copies of the caller's.
void calls_own_copies(struct module *module);

#endif
