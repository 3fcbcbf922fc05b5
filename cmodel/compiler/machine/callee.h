// A function of a kernel's tree of calls, as its callers see it.
#ifndef TANDEM_COMPILER_MACHINE_CALLEE_H
#define TANDEM_COMPILER_MACHINE_CALLEE_H

#include "compiler/machine/machine.h"

// The words of the arguments lie in the lowest registers, those that do not fit in the callee's frame; the words of the
// result likewise. A function in which threads may YIELD gets its return address in R0.
enum { CALL_REGISTERS = 16 };

// A function that has been through the back end, or is going to: what its callers need.
struct machine_callee {
    const char *name;
    uint32_t argument_words, result_words;
    bool keeps_return;      // it may lose its call token, so it returns by address
    uint32_t in_registers;  // words of arguments (and of results) that are handed over in registers
    uint32_t frame;         // byte address of its frame in private memory: arguments, results, variables, spills
    uint32_t frame_end;     // the same of the first byte that it and what it calls leave alone
    uint32_t registers;     // it and what it calls use R0 .. R(registers - 1)
    bool uses_work_queue;   // it or what it calls
    enum { FIT_UNKNOWN, FIT, UNFIT } fit;  // whether segments may call it: segments/chains.c
    struct machine_function *code;
    size_t entry, end;  // words in the text, when emitted
};

#endif
