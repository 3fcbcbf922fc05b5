// The kernels of one program, both opinions of each.
#ifndef TANDEM_TESTS_OPINION_COMPARE_H
#define TANDEM_TESTS_OPINION_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct compiler_options;

// Room for what a kernel of ITEMS work-items reads and writes; of what the local memory of a fourth argument has.
enum { ITEMS = 128, IN_WORDS = 1024, OUT_WORDS = ITEMS * 128, LOCAL_BYTES = 2048, ERROR_SIZE = 4096, KERNELS_MAX = 64 };

enum verdict {
    SAME,
    DIFFERENT,
    REFUSED,       // Tandem does not compile or run what the other does, or breaks down on it
    NOT_COMPARED,  // the other one does not take it (nobody does, perhaps)
};

struct asked {
    char name[128];  // of the kernel (in, out, n) or (in, out, n, local)
    uint32_t dimensions, global[3], local[3];
    uint32_t limit;  // ulp that the words may differ by as floats; 0: they must be equal
    bool local_argument;
};

struct question {
    const char *device;  // Tandem's: model:small, ..
    const char *text;    // of the program
    const void *elf;     // what Tandem's compiler made of it; NULL: compare() compiles
    size_t elf_size;
    uint64_t seed;  // of what `in` holds
    const struct asked *kernels;
    size_t count;  // up to KERNELS_MAX
    // Not NULL: who is asked beside Tandem is not the other implementation but Tandem itself, compiling with these
    // options. What is plainly compiled and does not run is NOT_COMPARED then.
    const struct compiler_options *other_way;
};

struct answer {
    enum verdict verdict;
    char error[512];   // what is not the same
    uint32_t largest;  // ulp between words of the two, for a kernel that has a limit
};

// Processor seconds.
struct spent {
    double compiling, running, other_building, other_running;
};

// Fills in answers[question->count]. All run in a child process: whoever breaks down or hangs there is told in the
// answers; with several kernels each is then asked alone. spent may be NULL, else the times are added to it.
void compare(const struct question *question, struct answer *answers, struct spent *spent);

// Work-items 0 to ITEMS - 1 in groups of `local`.
struct asked asked_line(const char *name, uint32_t local);

// Is there another implementation? Its name, or what is missing, goes to text.
bool other_there(char text[ERROR_SIZE]);

#endif
