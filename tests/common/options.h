// Options of test programs: "--name VALUE", numbers within limits or text.
#ifndef TANDEM_TESTS_OPTIONS_H
#define TANDEM_TESTS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct option_row {
    const char *name;
    uint64_t *number, least, most;  // NULL: the value is text
    const char **text;
};

// Sets what the arguments say. What begins with no '-' goes to others[], in order (room for argc; NULL: there must be
// none), *other_count of them. False: one line about the first wrong argument has been printed, `program` in front.
bool options_parse(const char *program, const struct option_row *rows, size_t row_count, int argc, char **argv,
                   char **others, int *other_count);

#endif
