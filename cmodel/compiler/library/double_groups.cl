// Functions of whole work-groups and of sub-groups, and shuffles, of doubles.
#include "groups.h"

static inline ulong word_double(double x) { return as_ulong(x); }
static inline double word_to_double(ulong x) { return as_double(x); }
static inline double from_double(double x, uint lane) { return SHUFFLE(double, x, lane); }

#define DOUBLE_LESS(a, b) __builtin_fmin(a, b)
#define DOUBLE_MORE(a, b) __builtin_fmax(a, b)

RESULTS(double)
OPERATION(double, add, SUM, 0)
OPERATION(double, min, DOUBLE_LESS, __builtin_inf())
OPERATION(double, max, DOUBLE_MORE, -__builtin_inf())
BROADCAST(double)
SHUFFLE_FUNCTIONS(double)
