// The command line tool `tandem`: one function per command, each in a file of its own (command_<name>.c).
#ifndef TANDEM_CLI_H
#define TANDEM_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "isa/code_object.h"

// Exit codes of every command.
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct command {
    const char *name, *summary;
    void (*help)(FILE *to);
    int (*main)(int argc, char **argv);  // argv[0] is the command's name
};
extern const struct command command_cc, command_as, command_dis, command_run, command_info, command_probe,
    command_memtest, command_selftest, command_where, command_check, command_resume, command_debug;

// One line on stderr: "tandem NAME: ...".
void complain(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
int usage_error(const struct command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

// From now on complaints carry this name: of a command that uses another one's functions.
void speak_as(const char *command);

// The whole file, malloc'ed, with a 0 byte after it. NULL after a complaint.
void *read_file(const char *command, const char *path, size_t *size);
bool write_file(const char *command, const char *path, const void *bytes, size_t size);
bool parse_number(const char *text, uint64_t *value);

// A program from a file of any kind: OpenCL C (.cl, with the options for it, NULL: none), assembly (.s) or a code
// object (ELF, known by its first bytes). False after a complaint.
struct compile_options;
bool load_program(const char *command, const char *path, const struct compile_options *options,
                  struct code_object *object);
// What a device has counted since it was opened, as a table on stdout.
struct tandem_device;
void print_run_stats(struct tandem_device *device);
// What a launch of the kernel takes and is given, as text.
struct code_kernel;
void print_kernel(const struct code_kernel *kernel);

#endif
