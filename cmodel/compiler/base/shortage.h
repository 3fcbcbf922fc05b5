// What becomes of the compilation's child process when there is no more memory: it ends with SHORTAGE, whoever asked
// for it, and the parent says so. (C++ would throw what nobody catches, LLVM would abort: neither can be told from a
// defect.)
#ifndef TANDEM_COMPILER_BASE_SHORTAGE_H
#define TANDEM_COMPILER_BASE_SHORTAGE_H

#define SHORTAGE 96  // exit status

// Called in the child before LLVM.
void shortage_begin(void);
_Noreturn void shortage_end(void);

#endif
