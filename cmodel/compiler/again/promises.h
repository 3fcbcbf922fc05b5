// What a program promises itself, without metadata: see promises.c.
#ifndef TANDEM_COMPILER_AGAIN_PROMISES_H
#define TANDEM_COMPILER_AGAIN_PROMISES_H

#include "compiler/ir/module.h"

// Of a prepared module that is not settled. True: work-items have neighbouring elements now, which takes registers, and *plain is the
// module without that. Threads that take turns (turns.c) have nothing of it: what each of them promises is not true of the
// one that they become.
bool promises_use(struct module *module, struct module *plain);

#endif
