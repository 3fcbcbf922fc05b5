// Options of a command, said once: what they are parsed by is what --help shows.
#ifndef TANDEM_CLI_OPTIONS_H
#define TANDEM_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli.h"

enum option_kind {
    OPTION_SWITCH,  // takes no value; sets a bool
    OPTION_TEXT,    // a const char *: the word as it stands in argv
    OPTION_NUMBER,  // a uint64_t from least to most
    OPTION_WORD,    // an int: the place of the value in `words`
    OPTION_SIZES,   // a struct option_sizes: one to three numbers from least to most, with commas
};

struct option_sizes {
    uint32_t count;  // 0: not given
    uint32_t size[3];
};

struct option {
    const char *name, *value;  // "--level", "N"; value NULL: a switch
    const char *help;          // one or more lines
    enum option_kind kind;
    size_t offset;  // of what it sets, in the struct that is filled in
    uint64_t least, most;
    const char *const *words;  // NULL-terminated
};

// The row of the table with this name, or NULL. The table ends with a row without a name.
const struct option *option_find(const struct option *table, const char *name);
// Sets the option argv[*i] in `to`, taking its value from argv[*i + 1] where it has one; *i is then the last word
// taken. EXIT_OK, or EXIT_USAGE after a complaint that says what the value must be.
int option_set(const struct command *command, const struct option *row, int argc, char **argv, int *i, void *to);
// A line or more for each row, in the table's order.
void option_help(const struct option *table, FILE *to);

#endif
