// How often something stands in the machine code that the compiler keeps as text.
#ifndef TANDEM_TESTS_MACHINE_TEXT_H
#define TANDEM_TESTS_MACHINE_TEXT_H

#include <stddef.h>

// Without overlaps; 0 of a text that is not there.
unsigned count_of(const char *text, const char *what);

// A kernel that begins with a head all rows share, and how often the instruction (how its text begins) is in it.
struct instruction_row {
    const char *name, *body, *instruction;
    unsigned times;
};

// Fails the running test for each row whose kernel has another number.
void expect_instructions(const char *head, const struct instruction_row *rows, size_t count);

#endif
