// Loads well before their readers: see schedule.c.
#ifndef TANDEM_COMPILER_IMPROVE_SCHEDULE_H
#define TANDEM_COMPILER_IMPROVE_SCHEDULE_H

struct machine_function;

void loads_schedule(struct machine_function *function);

#endif
