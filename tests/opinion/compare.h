// One kernel, both opinions of it.
#ifndef TANDEM_TESTS_OPINION_COMPARE_H
#define TANDEM_TESTS_OPINION_COMPARE_H

#include <stdint.h>

// Room for what a kernel of ITEMS work-items reads and writes.
enum { ITEMS = 128, IN_WORDS = 1024, OUT_WORDS = ITEMS * 128, ERROR_SIZE = 4096 };

enum verdict {
    SAME,
    DIFFERENT,
    REFUSED,       // Tandem does not compile or run what the other does, or breaks down on it
    NOT_COMPARED,  // the other one does not take it (nobody does, perhaps)
};

struct question {
    const char *device;       // Tandem's: model:small, ..
    const char *text, *name;  // of the program; of its kernel (in, out, n)
    uint32_t local;           // work-items of a group; ITEMS in all
    uint64_t seed;            // of what `in` holds
    uint32_t limit;           // ulp that the words may differ by as floats; 0: they must be equal
};

// Both run in a child process: whoever breaks down or hangs there is told in the answer. error says what is not the
// same.
enum verdict compare(const struct question *question, char error[ERROR_SIZE]);

// Is there another implementation? Its name, or what is missing, goes to text.
int other_there(char text[ERROR_SIZE]);

#endif
