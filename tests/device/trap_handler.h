// A trap handler as assembly: it stores all that a warp is (registers, predicates, scalar registers, what its threads are
// off for, its tokens, where it goes on) in its threads' local memory, ruins what it has stored, brings it back and goes
// on. So a program with TRAPs anywhere computes what it computes without.
#ifndef TANDEM_TESTS_TRAP_HANDLER_H
#define TANDEM_TESTS_TRAP_HANDLER_H

#include <stdint.h>

#define TRAP_TOKENS 64u  // that it has room for; a warp with more faults LOCAL_BOUNDS

// Bytes of local memory that the handler of a program with so many registers needs of each thread, a multiple of 16.
uint32_t trap_handler_bytes(uint32_t registers);

// The handler, from its label `trap_handler` on; it uses the bytes from `local` on. registers: of the program, 10 or
// more, none of them shared. malloc'ed, the caller frees.
char *trap_handler_text(uint32_t registers, uint32_t local);

#endif
