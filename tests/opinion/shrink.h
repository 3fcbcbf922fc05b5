// Makes a kernel small that is not answered alike.
#ifndef TANDEM_TESTS_OPINION_SHRINK_H
#define TANDEM_TESTS_OPINION_SHRINK_H

#include "compare.h"

// Takes lines and blocks out of question->text, which has one kernel, as long as the verdict stays; at most `tries`
// comparisons. The result is malloc'ed, the caller frees; NULL when memory is short.
char *shrink(const struct question *question, enum verdict verdict, uint64_t tries);

#endif
