// Kinds of YIELD, and the loops of a program that ask for one: see yield_kinds.c.
#ifndef TANDEM_COMPILER_LOWER_YIELD_KINDS_H
#define TANDEM_COMPILER_LOWER_YIELD_KINDS_H

#include "compiler/ir/ir_graph.h"
#include "compiler/ir/module.h"

// What loop l asks for by tandem_yield() and the like, not in a loop inside it; YIELD_KIND_AUTO: nothing.
struct yield_options yield_asked(struct module *module, const struct ir_graph *graph, uint32_t l);
// Takes the calls that ask out of the function. Warns of those that stand in no loop.
void yield_asked_remove(struct module *module, const struct ir_graph *graph);
// Marks the loop as one with a YIELD of this kind (not YIELD_KIND_AUTO).
void yield_mark(struct module *module, const struct ir_graph *graph, const struct loop *loop,
                struct yield_options kind);
// For the report: "", or what is special about the kind.
const char *yield_kind_text(enum yield_kind kind);

#endif
