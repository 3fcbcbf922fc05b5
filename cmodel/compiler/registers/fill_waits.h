// Instructions into the time that others wait: see fill_waits.c.
#ifndef TANDEM_COMPILER_REGISTERS_FILL_WAITS_H
#define TANDEM_COMPILER_REGISTERS_FILL_WAITS_H

struct machine_function;

void waits_fill(struct machine_function *function);

#endif
