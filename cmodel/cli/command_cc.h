#ifndef TANDEM_CLI_COMMAND_CC_H
#define TANDEM_CLI_COMMAND_CC_H

#include "cli.h"

// Compiles an OpenCL C file; prints the compiler's messages. True: *elf (malloc'ed) is the code object.
bool compile_file(const char *command, const char *path, const struct load_options *options, void **elf, size_t *size);

#endif
