// Selection of instructions, LLVM IR to machine program: see select.c.
#ifndef TANDEM_COMPILER_SELECT_SELECT_H
#define TANDEM_COMPILER_SELECT_SELECT_H

#include "compiler/ir/debug_variables.h"
#include "compiler/ir/globals.h"
#include "compiler/ir/module.h"
#include "compiler/machine/machine.h"
#include "compiler/select/kernel_tree.h"

// The kernel of the tree (its last node) or a function that it calls; the latter first. Returns the machine program
// (with phis) or NULL after errors. debug: the source's variables, whose places it is told, or NULL.
struct machine_function *select_function(struct module *module, struct globals *globals, struct globals *variables,
                                         struct debug_records *debug, struct kernel_tree *tree, size_t node);

#endif
