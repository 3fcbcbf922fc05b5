// Functions of whole work-groups and of sub-groups, and shuffles, of halfs.
#include "half_type.h"
#include "groups.h"

static inline ulong word_half(half x) { return as_ushort(x); }
static inline half word_to_half(ulong x) { return as_half((ushort)x); }
static inline half from_half(half x, uint lane) { return SHUFFLE(half, x, lane); }

#define HALF_LESS(a, b) ((half)__builtin_fminf((float)(a), (float)(b)))
#define HALF_MORE(a, b) ((half)__builtin_fmaxf((float)(a), (float)(b)))

RESULTS(half)
OPERATION(half, add, SUM, 0)
OPERATION(half, min, HALF_LESS, (half)__builtin_inff())
OPERATION(half, max, HALF_MORE, (half)-__builtin_inff())
BROADCAST(half)
SHUFFLE_FUNCTIONS(half)
