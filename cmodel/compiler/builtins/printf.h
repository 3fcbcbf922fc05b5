// Calls of printf: see printf.c.
#ifndef TANDEM_COMPILER_BUILTINS_PRINTF_H
#define TANDEM_COMPILER_BUILTINS_PRINTF_H

#include "compiler/ir/module.h"

// They become records; what they print goes to module->printed. Ends the compilation with messages when a format or an
// argument cannot be printed. Returns whether there were any; the library is then to be brought in.
bool printf_lower(struct module *module);

#endif
