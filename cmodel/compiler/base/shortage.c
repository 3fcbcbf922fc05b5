#include "compiler/base/shortage.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

// LLVM's C interface has a handler for its fatal errors, but none for memory; these are
// llvm::install_bad_alloc_error_handler and std::set_new_handler by their symbols.
void install_bad_alloc_handler(void (*handler)(void *data, const char *reason, bool diagnostics),
                               void *data) __asm__("_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_");
void (*set_new_handler(void (*handler)(void)))(void) __asm__("_ZSt15set_new_handlerPFvvE");

void shortage_end(void) {
    _exit(SHORTAGE);
}

static void in_llvm(void *data, const char *reason, bool diagnostics) {
    (void)data;
    (void)reason;
    (void)diagnostics;
    shortage_end();
}

void shortage_begin(void) {
    install_bad_alloc_handler(in_llvm, NULL);
    (void)set_new_handler(shortage_end);
}
