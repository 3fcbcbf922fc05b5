// Short ways round become guarded instructions: see guards.c.
#ifndef TANDEM_COMPILER_REGISTERS_GUARDS_H
#define TANDEM_COMPILER_REGISTERS_GUARDS_H

struct machine_function;

void ways_guard(struct machine_function *function);

#endif
