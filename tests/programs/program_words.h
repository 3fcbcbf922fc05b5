// Lists of words, as expectations and buffers are written.
#ifndef TANDEM_TESTS_PROGRAMS_PROGRAM_WORDS_H
#define TANDEM_TESTS_PROGRAMS_PROGRAM_WORDS_H

#include "program.h"

#define PROGRAM_WORDS_MAX (1u << 20)

// Appends to the list. list = item {item}; item = (NUMBER [.. NUMBER [step NUMBER]] | "(" list ")") ["x" COUNT]. False:
// what has the reason.
bool program_words_parse(const char *text, struct program_words *to, const char **what);

#endif
