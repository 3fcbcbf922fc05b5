// Which equal instructions the compiler takes together: a table of kernels and how often an instruction is in each.
#include <criterion/criterion.h>

#include "machine_text.h"

#define KERNEL                                                                                                         \
    "__kernel void k(__global uint *a, __global uint *b, __global uint *c, __local uint *l, uint n, __global uint *m," \
    " __global uint *o, __global uint *p) { uint i = get_local_id(0), x; "
// Enough to forget what was before.
#define MUCH \
    "x ^= x << 7; x += x >> 3; x ^= x << 5; x += x >> 9; x ^= x << 11; x += x >> 13; x ^= x << 3; x += x >> 6; "

static const struct instruction_row rows[] = {
    {"one index into three arrays", "c[i] = a[i] + b[i]; }", "SHL", 1},
    {"in a branch behind it", "x = a[i]; if (x > 7) b[i] = x; }", "SHL", 1},
    {"a product as an index", "b[3 * i] = a[3 * i]; }", "IMUL", 1},
    {"different indexes", "c[i] = a[i] + b[i + n]; }", "SHL", 2},
    {"not from one arm to the other", "if (n > 7) atomic_xor(m + i, n); else atomic_add(o + i, 3u); }", "SHL", 2},
    {"over a barrier, where LLVM has seen it", "l[i] = n; barrier(CLK_LOCAL_MEM_FENCE); a[i] = l[0]; }", "SHL", 1},
    {"not over a barrier", "c[0] = i; l[i] = get_local_id(1); barrier(CLK_LOCAL_MEM_FENCE); a[0] = i ^ l[0]; }", "S2R",
     2},
    {"without the barrier", "l[i] = n; a[i] = l[0]; }", "SHL", 1},
    {"far behind, where LLVM has seen it", "x = a[i]; " MUCH MUCH "b[i] = x; }", "SHL R", 1 + 8},
    {"loads are none", "volatile __global uint *v = a; b[0] = v[i]; c[0] = v[i]; }", "LDG", 2},
};

Test(common, table, .description = "equal instructions are there once, where one dominates the other and is near") {
    expect_instructions(KERNEL, rows, sizeof rows / sizeof *rows);
}
