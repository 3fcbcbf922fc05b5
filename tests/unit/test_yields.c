// Which loops the compiler bounds: a table of loops, and that YIELD is in the others alone.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "compiler/compiler.h"
#include "isa/code_object.h"
#include "kernel_runner.h"
#include "machine_text.h"

enum verdict { BOUNDED, UNBOUNDED, MEETS, ASKS };

// Bodies of a kernel with these arguments; a loop a row (several loops: the verdicts from the outermost on).
#define KERNEL                                                                                                        \
    "__kernel void k(__global uint *a, __global int *b, uint n, int m, ushort h, ulong w, __local uint *l, uint z) {" \
    " uint s = 0; int t = 0; uint lid = get_local_id(0); "
#define END " a[get_global_id(0)] = s + (uint)t; }"

static const struct row {
    const char *name, *body;
    enum verdict verdicts[3];
    unsigned loops;
} rows[] = {
    {"constant", "for (uint i = 0; i < 100; i++) s = s * 3 + a[i];", {BOUNDED}, 1},
    {"up to an argument", "for (uint i = 0; i < n; i++) s = s * 3 + a[i];", {BOUNDED}, 1},
    {"signed", "for (int i = 0; i < m; i++) t = t * 3 + b[i];", {BOUNDED}, 1},
    {"signed, or equal", "for (int i = 0; i <= m; i++) t = t * 3 + b[i];", {BOUNDED}, 1},
    {"signed, steps of three", "for (int i = 0; i < m; i += 3) t = t * 3 + b[i];", {BOUNDED}, 1},
    {"signed, a constant up to which it does not hit",
     "for (int i = 0; i < 100; i += 7) t = t * 3 + b[i];",
     {BOUNDED},
     1},
    {"unsigned, or equal: n may be the largest number",
     "for (uint i = 0; i <= n; i++) s = s * 3 + a[i & 7];",
     {UNBOUNDED},
     1},
    {"unsigned, or equal to 16 bits", "for (uint i = 0; i <= h; i++) s = s * 3 + a[i];", {BOUNDED}, 1},
    {"unsigned, steps of 64", "for (uint i = lid; i < n; i += 64) s = s * 3 + a[i];", {BOUNDED}, 1},
    {"unsigned, steps of 64 to a small number",
     "for (uint i = lid; i < (n & 0xFFFF); i += 64) s = s * 3 + a[i];",
     {BOUNDED},
     1},
    {"steps of the work-group", "for (uint i = lid; i < 4096; i += get_local_size(0)) s = s * 3 + a[i];", {BOUNDED}, 1},
    {"steps of the launch",
     "for (uint i = get_global_id(0); i < n; i += get_global_size(0)) s = s * 3 + a[i];",
     {BOUNDED},
     1},
    {"steps of three, away from the limit: may pass the end",
     "for (uint i = z; i > n; i += 3) s = s * 3 + a[i & 7];",
     {UNBOUNDED},
     1},
    {"signed steps that are not: 16 bits against 32",
     "for (ushort i = 0; i < n; i += 2) s = s * 3 + a[i];",
     {UNBOUNDED},
     1},
    {"a step that is an argument may be 0", "for (uint i = lid; i < 4096; i += n) s = s * 3 + a[i];", {UNBOUNDED}, 1},
    {"down to 0", "for (uint i = n; i > 0; i--) s = s * 3 + a[i];", {BOUNDED}, 1},
    {"down by while", "uint i = n; while (i--) s = s * 3 + a[i];", {BOUNDED}, 1},
    {"down, signed", "for (int i = m; i >= 0; i--) t = t * 3 + b[i];", {BOUNDED}, 1},
    {"down by two, signed, to a number", "for (int i = m; i > 5; i -= 2) t = t * 3 + b[i];", {BOUNDED}, 1},
    {"not equal, step 1", "for (uint i = m; i != n; i++) s = s * 3 + a[i & 7];", {BOUNDED}, 1},
    {"not equal, odd step: comes by every number",
     "for (uint i = 0; i != n; i += 3) s = s * 3 + a[i & 7];",
     {BOUNDED},
     1},
    {"not equal, step 2: passes odd numbers", "for (uint i = 0; i != n; i += 2) s = s * 3 + a[i & 7];", {UNBOUNDED}, 1},
    {"not equal, step 2 to an even number", "for (uint i = 0; i != n * 2; i += 2) s = s * 3 + a[i & 7];", {BOUNDED}, 1},
    {"not equal, step 4 from an odd number",
     "for (uint i = 1; i != n * 4; i += 4) s = s * 3 + a[i & 7];",
     {UNBOUNDED},
     1},
    {"addresses", "for (__global uint *p = a; p != a + n; p++) s = s * 3 + *p;", {BOUNDED}, 1},
    {"addresses, below", "for (__global uint *p = a; p < a + n; p += 2) s = s * 3 + *p;", {BOUNDED}, 1},
    {"8 bits against 32: may never come there", "for (uchar i = 0; i < m; i++) s = s * 3 + a[i];", {UNBOUNDED}, 1},
    {"16 bits against 16", "for (ushort i = 0; i < h; i++) s = s * 3 + a[i];", {BOUNDED}, 1},
    {"64 bits", "for (ulong i = 0; i < w; i++) s = s * 3 + a[(uint)i];", {BOUNDED}, 1},
    {"shifted right", "for (uint x = n; x != 0; x >>= 1) s = s * 3 + a[x & 7];", {BOUNDED}, 1},
    {"halved, unsigned", "for (uint x = n; x > 0; x /= 2) s = s * 3 + a[x & 7];", {BOUNDED}, 1},
    {"digits", "uint x = n; do { s = s * 3 + a[x % 10]; x /= 10; } while (x != 0);", {BOUNDED}, 1},
    {"digits, signed", "for (int x = m; x != 0; x /= 10) t = t * 3 + b[x & 7];", {BOUNDED}, 1},
    {"shifted right, signed: stays at -1", "for (int x = m; x != 0; x >>= 1) t = t * 3 + b[x & 7];", {UNBOUNDED}, 1},
    {"shifted right, signed, while positive", "for (int x = m; x > 0; x >>= 1) t = t * 3 + b[x & 7];", {BOUNDED}, 1},
    {"shifted left until nothing is left", "for (uint x = n; x != 0; x <<= 1) s = s * 3 + a[x >> 29];", {BOUNDED}, 1},
    {"shifted left below n: becomes 0 for large ones",
     "for (uint x = 1; x < n; x <<= 1) s = s * 3 + a[x];",
     {UNBOUNDED},
     1},
    {"shifted left below a small number",
     "for (uint x = 1; x < (n & 0xFFFF); x <<= 1) s = s * 3 + a[x];",
     {BOUNDED},
     1},
    {"doubled, signed", "for (int x = 1; x < m; x *= 2) t = t * 3 + b[x];", {BOUNDED}, 1},
    {"halved until above", "for (uint x = n; x >= z; x /= 2) s = s * 3 + a[x & 7];", {UNBOUNDED}, 1},
    {"lowest bit taken away", "for (uint x = n; x != 0; x &= x - 1) s = s * 3 + a[x & 7];", {BOUNDED}, 1},
    {"Euclid", "uint x = n, y = z; while (y != 0) { uint r = x % y; x = y; y = r; } s = x;", {BOUNDED}, 1},
    {"counts in either arm",
     "for (uint i = 0; i < 1000;) { if (a[i] > 5) { i += 2; s ^= a[i]; } else { i += 1; s += a[i + 1]; } }",
     {BOUNDED},
     1},
    {"counts in one arm only",
     "for (uint i = 0; i < 1000;) { if (a[i] > 5) i++; s = s * 3 + a[i + 1]; a[i] = s; }",
     {UNBOUNDED},
     1},
    {"up or down",
     "for (int i = 0; i < 1000;) { if (b[i & 7] > 5) i++; else i--; t = t * 3 + b[i & 63]; b[i & 7] = t; }",
     {UNBOUNDED},
     1},
    {"continue", "for (uint i = 0; i < n; i++) { if (a[i] == 7) continue; s = s * 3 + a[i]; a[i] = s; }", {BOUNDED}, 1},
    {"break as well", "for (uint i = 0; i < n; i++) { if (a[i] == 7) break; s = s * 3 + a[i]; }", {BOUNDED}, 1},
    {"return as well", "for (uint i = 0; i < n; i++) { if (a[i] == 7) return; s = s * 3 + a[i]; }", {BOUNDED}, 1},
    {"two conditions", "for (uint i = 0; i < n && a[i] != 7; i++) s = s * 3 + a[i];", {BOUNDED}, 1},
    {"either condition", "for (uint i = 0; i < n || a[i & 7] != 7; i++) s = s * 3 + a[i & 7];", {UNBOUNDED}, 1},
    {"tries, at most 100", "for (int i = 0; i < 100 && atomic_cmpxchg(a, 0u, 1u) != 0; i++) s++;", {UNBOUNDED}, 1},
    {"tries, and a flag says so",
     "bool got = false; for (int i = 0; i < 100000 && !got; i++) got = atomic_cmpxchg(a, 0u, 1u) == 0; t = got;",
     {UNBOUNDED},
     1},
    {"tries, and returns",
     "for (int i = 0; i < 200; i++) if (atomic_cmpxchg(a, 0u, 1u) == 0) { b[0]++; atomic_xchg(a, 0u); return; }",
     {UNBOUNDED},
     1},
    {"a count of what was got ends it",
     "uint got = 0; for (uint i = 0; i < n && got < 3; i++) if (atomic_cmpxchg(a, 0u, 1u) == 0) got++; s = got;",
     {UNBOUNDED},
     1},
    {"an exit in the arm that an atomic opens",
     "for (uint i = 0; i < n; i++) if (atomic_inc(a) == 3) { if (b[i] == 9) break; b[i]++; }",
     {UNBOUNDED},
     1},
    {"a volatile word, at most n times",
     "for (uint i = 0; i < n; i++) { s++; if (*(volatile __global uint *)a == 7) break; }",
     {UNBOUNDED},
     1},
    {"the same word again, at most n times",
     "for (uint i = 0; i < n; i++) { b[i] = 1; if (a[0] == 7) break; }",
     {UNBOUNDED},
     1},
    {"the same word again, of local memory",
     "for (uint i = 0; i < n; i++) { l[i] = 1; if (l[0] == 7) break; }",
     {UNBOUNDED},
     1},
    {"an atomic that decides what is added",
     "for (uint i = 0; i < n; i++) { uint x = atomic_inc(a); if (x > 5) s += x; else s ^= i; }",
     {BOUNDED},
     1},
    {"what an atomic gave before the loop",
     "uint x = atomic_inc(a); for (uint i = 0; i < n; i++) { s = s * 3 + b[i]; if (s == x) break; }",
     {BOUNDED},
     1},
    {"waits in a counted loop, which does not",
     "for (uint i = 0; i < n; i++) { while (atomic_cmpxchg(a, 0u, 1u) != 0) continue; s++; atomic_xchg(a, 0u); }",
     {BOUNDED, UNBOUNDED},
     2},
    {"65536 rounds", "for (uint i = 0; i < 65536; i++) s = s * 3 + a[i & 7];", {BOUNDED}, 1},
    {"a hundred thousand rounds", "for (uint i = 0; i < 100000; i++) s = s * 3 + a[i & 7];", {UNBOUNDED}, 1},
    {"a million, down by three", "for (int i = 1000000; i > 0; i -= 3) t = t * 3 + b[i & 7];", {UNBOUNDED}, 1},
    {"asks for a YIELD", "for (uint i = 0; i < 9; i++) { s = s * 3 + a[i]; tandem_yield(); }", {ASKS}, 1},
    {"atomics in a counted loop", "for (uint i = 0; i < n; i++) s += atomic_add(a + i, 1u);", {BOUNDED}, 1},
    {"the bound is read again", "for (uint i = 0; i < a[0]; i++) { s = s * 3 + i; a[i] = s; }", {UNBOUNDED}, 1},
    {"the bound grows",
     "uint e = n; for (uint i = 0; i < e; i++) { s = s * 3 + a[i]; e += a[i] & 1; }",
     {UNBOUNDED},
     1},
    {"the bound is volatile",
     "for (uint i = 0; i < *(volatile __global uint *)a; i++) s = s * 3 + a[i];",
     {UNBOUNDED},
     1},
    {"list", "for (uint at = n; at != 0; at = a[at]) s = s * 3 + at;", {UNBOUNDED}, 1},
    {"until memory holds it", "while (*(volatile __global uint *)a != n) s++;", {UNBOUNDED}, 1},
    {"lock", "while (atomic_cmpxchg(a, 0u, 1u) != 0) continue;", {UNBOUNDED}, 1},
    {"ticket",
     "uint mine = atomic_add(a, 1u); while (*(volatile __global uint *)(a + 1) != mine) continue;",
     {UNBOUNDED},
     1},
    {"Collatz", "for (uint x = n; x != 1; s++) x = (x & 1) != 0 ? 3 * x + 1 : x / 2;", {UNBOUNDED}, 1},
    {"binary search",
     "uint lo = 0, hi = n; while (lo < hi) { uint mid = (lo + hi) / 2; if (a[mid] < 7) lo = mid + 1; else hi = mid; } "
     "s = lo;",
     {UNBOUNDED},
     1},
    {"goto back by data", "again: s = s * 3 + a[s & 7]; if (s % 7 != 3) goto again;", {UNBOUNDED}, 1},
    {"goto back, counted", "uint i = 0; again: s = s * 3 + a[i]; if (++i < n) goto again;", {BOUNDED}, 1},
    {"without an exit", "if (n == 7) for (;;) atomic_add(a, 1u);", {UNBOUNDED}, 1},
    {"float counter", "for (float x = 0; x < 10.0f; x += 0.3f) s = s * 3 + a[(uint)x];", {UNBOUNDED}, 1},
    {"the exit is not passed each time",
     "for (uint i = 0;;) { i++; if (a[i & 7] == 3) { a[i & 7] = 0; if (i == n) break; } }",
     {UNBOUNDED},
     1},
    {"counted in counted",
     "for (uint i = 0; i < n; i++) for (uint j = 0; j < i; j++) s = s * 3 + a[j];",
     {BOUNDED, BOUNDED},
     2},
    {"list in counted",
     "for (uint i = 0; i < n; i++) for (uint at = i; at != 0; at = a[at]) s = s * 3 + at;",
     {BOUNDED, UNBOUNDED},
     2},
    {"counted in list",
     "for (uint at = n; at != 0; at = a[at]) for (uint j = 0; j < 9; j++) s = s * 3 + a[at + j];",
     {UNBOUNDED, BOUNDED},
     2},
    {"barrier each time",
     "do { l[lid] = a[lid]; barrier(CLK_LOCAL_MEM_FENCE); s += l[lid ^ 1]; a[lid] = s; barrier(CLK_LOCAL_MEM_FENCE); } "
     "while (a[0] != n);",
     {MEETS},
     1},
    {"lock between barriers",
     "do { barrier(CLK_LOCAL_MEM_FENCE); while (atomic_cmpxchg(a, 0u, 1u) != 0) continue; s++; atomic_xchg(a, 0u); } "
     "while (*(volatile __global uint *)(a + 1) != n);",
     {MEETS, UNBOUNDED},
     2},
};

static void compile(const char *source, const struct compiler_options *options, struct compiler_result *result) {
    bool good = compiler_compile(source, strlen(source), "loops.cl", options, result);
    cr_assert(good, "%s\ndoes not compile:\n%s", source, result->messages);
}

static const char *expected_text(enum verdict verdict) {
    switch (verdict) {
        case BOUNDED: return ": bounded: ";
        case UNBOUNDED: return ": unbounded, YIELD: ";
        case ASKS: return ": bounded, YIELD: the loop asks for it";
        default: return ": unbounded, no YIELD: all threads meet";
    }
}

// How many YIELDs a code object's machine code has.
static unsigned yields_in(const struct compiler_result *result) {
    return count_of(result->machine, " YIELD -> ") + count_of(result->machine, "BRA.NTH ");
}

static void check_row(const struct row *row) {
    char source[2048];
    const struct compiler_options options = {.keep_asm = true};
    struct compiler_result result;
    unsigned wanted = 0;
    snprintf(source, sizeof source, "%s%s%s", KERNEL, row->body, END);
    compile(source, &options, &result);
    cr_expect_eq(count_of(result.loops, "\n"), row->loops, "%s: %s", row->name, result.loops);
    // A loop inside a YIELD loop is not told by name, but in order, the outermost first.
    const char *at = result.loops;
    for (unsigned k = 0; k < row->loops && at != NULL; k++) {
        const char *end = strchr(at, '\n'), *found = strstr(at, expected_text(row->verdicts[k]));
        cr_expect(found != NULL && found < end, "%s: expected \"%s\": %s", row->name, expected_text(row->verdicts[k]),
                  at);
        at = end != NULL ? end + 1 : NULL;
        wanted += row->verdicts[k] == UNBOUNDED || row->verdicts[k] == ASKS;
    }
    // The kernel that meets at a barrier after it was parted waits there with one YIELD more.
    unsigned meetings = row->loops == 2 && row->verdicts[0] == MEETS ? 1 : 0;
    cr_expect_eq(yields_in(&result), wanted + meetings, "%s: %u YIELDs\n%s", row->name, yields_in(&result),
                 result.machine);
    compiler_result_free(&result);
}

#define PART(number)                                                                                      \
    Test(yields, table_##number,                                                                          \
         .description = "TD-14 TD-20 a table of loops, with and without a bound, part [text] " #number) { \
        for (size_t k = number; k < sizeof rows / sizeof *rows; k += 4)                                   \
            check_row(&rows[k]);                                                                          \
    }
PART(0)
PART(1)
PART(2)
PART(3)

Test(yields, off, .description = "TD-14 switched off: YIELD in no loop, and the verdict says so [text]") {
    static const char source[] = KERNEL "while (atomic_cmpxchg(a, 0u, 1u) != 0) continue;" END;
    const struct compiler_options options = {.keep_asm = true, .no_yields = true};
    struct compiler_result result;
    compile(source, &options, &result);
    cr_assert_eq(yields_in(&result), 0);
    cr_assert_not_null(strstr(result.loops, ": unbounded, no YIELD: switched off"));
    compiler_result_free(&result);
}

// Bodies with one unbounded loop: whether it can wait for another thread.
static const struct waiting {
    const char *body;
    bool waits;
} waiting[] = {
    {"for (uint x = n; x != 1; s++) x = (x & 1) != 0 ? 3 * x + 1 : x / 2;", false},
    {"for (uint at = n; at != 0; at = a[at]) s = s * 3 + at;", false},
    {"for (uint at = n; at != 0; at = a[at]) b[at] = 1;", false},
    {"while (*(volatile __global uint *)a != n) s++;", true},
    {"uint x = n; while (x != 1) { x = (x & 1) != 0 ? 3 * x + 1 : x / 2; *(volatile __global uint *)a = x; }", true},
    {"while (atomic_cmpxchg(a, 0u, 1u) != 0) continue;", true},
    {"for (uint i = 0; i < n; i++) { b[i] = 1; if (a[0] == 7) break; }", true},
    {"for (uint i = 0; i < 100000; i++) s = s * 3 + a[i & 7];", false},
    {"for (uint at = n; at != 0; at = a[at]) atomic_inc(a + at);", true},
    {"for (uint at = n; at != 0; at = a[at]) mem_fence(CLK_GLOBAL_MEM_FENCE);", true},
};

Test(yields, seldom,
     .description =
         "TD-13 TD-14 the YIELD of a loop that waits for nobody fires at every 256th execution, others each time "
         "[text]") {
    for (size_t k = 0; k < sizeof waiting / sizeof *waiting; k++) {
        char source[2048];
        const struct compiler_options options = {.keep_asm = true};
        struct compiler_result result;
        snprintf(source, sizeof source, "%s%s%s", KERNEL, waiting[k].body, END);
        compile(source, &options, &result);
        cr_expect_eq(yields_in(&result), 1);
        cr_expect_eq(strstr(result.machine, " YIELD -> every 1\n") != NULL, waiting[k].waits, "%s", waiting[k].body);
        cr_expect_eq(strstr(result.machine, "BRA.NTH ") != NULL, !waiting[k].waits, "%s", waiting[k].body);
        cr_expect_eq(strstr(result.loops, "; it waits for nobody, so seldom\n") != NULL, !waiting[k].waits, "%s",
                     result.loops);
        compiler_result_free(&result);
    }
}

// Kinds of YIELD: by the option for all loops, by a call for one.
static const struct kind {
    const char *option, *body, *yield;  // yield: as the machine code is printed
} kinds[] = {
    {"plain", "while (atomic_cmpxchg(a, 0u, 1u) != 0) continue;", "every 1\n"},
    {"nth=7", "while (atomic_cmpxchg(a, 0u, 1u) != 0) continue;", "every 7\n"},
    {"nth=256", "while (atomic_cmpxchg(a, 0u, 1u) != 0) continue;", "every 256\n"},
    {"random=32768", "while (atomic_cmpxchg(a, 0u, 1u) != 0) continue;", "with 32768 in 65536\n"},
    {"plain", "for (uint at = n; at != 0; at = a[at]) s = s * 3 + at;", "every 1\n"},
    {"auto", "while (atomic_cmpxchg(a, 0u, 1u) != 0) tandem_yield_nth(3);", "every 3\n"},
    {"auto", "while (atomic_cmpxchg(a, 0u, 1u) != 0) tandem_yield_random(1000);", "with 1000 in 65536\n"},
    {"nth=9", "while (atomic_cmpxchg(a, 0u, 1u) != 0) tandem_yield();", "every 1\n"},
    {"random=9", "for (uint at = n; at != 0; at = a[at]) { s += at; tandem_yield_nth(200 + 56); }", "every 256\n"},
};

Test(yields, kinds, .description = "TD-22 the kind of YIELD, for a program and for a loop [text]") {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char source[2048], line[64];
        const char *expected;
        struct compiler_options options = {.keep_asm = true};
        struct compiler_result result;
        cr_assert(yield_set(&options.yield, kinds[k].option, &expected));
        snprintf(source, sizeof source, "%s%s%s", KERNEL, kinds[k].body, END);
        // One of every 256th time is in the branch back.
        if (strcmp(kinds[k].yield, "every 256\n") == 0)
            strcpy(line, "BRA.NTH ");
        else
            snprintf(line, sizeof line, " YIELD -> %s", kinds[k].yield);
        compile(source, &options, &result);
        cr_expect_eq(yields_in(&result), 1, "%s", result.machine);
        cr_expect_not_null(strstr(result.machine, line), "%s %s:\n%s", kinds[k].option, kinds[k].body, result.machine);
        cr_expect_null(strstr(result.machine, "tandem_yield"));
        compiler_result_free(&result);
    }
}

Test(yields, inner_kind, .description = "TD-22 a call asks for the innermost loop around it [text]") {
    static const char source[] = KERNEL
        "for (uint at = n; at != 0; at = a[at]) {"
        "    for (uint next = a[at]; next != 0; next = a[next]) { s += next; tandem_yield_nth(5); } }" END;
    const struct compiler_options options = {.keep_asm = true};
    struct compiler_result result;
    compile(source, &options, &result);
    cr_expect_eq(yields_in(&result), 2);
    cr_expect_eq(count_of(result.machine, " YIELD -> every 5\n"), 1, "%s", result.machine);
    cr_expect_eq(count_of(result.machine, "BRA.NTH "), 1, "%s", result.machine);
    compiler_result_free(&result);
}

Test(yields, asked_off, .description = "TD-22 switched off means those that loops ask for as well [text]") {
    static const char source[] = KERNEL "while (atomic_cmpxchg(a, 0u, 1u) != 0) tandem_yield_nth(3);" END;
    const struct compiler_options options = {.keep_asm = true, .no_yields = true};
    struct compiler_result result;
    compile(source, &options, &result);
    cr_expect_eq(yields_in(&result), 0);
    compiler_result_free(&result);
}

// Numbers that cannot be, and a call that has no loop.
static void refuse(const char *body, const struct compiler_options *options, const char *message) {
    char source[2048];
    struct compiler_result result;
    snprintf(source, sizeof source, "%s\n%s%s", KERNEL, body, END);
    cr_expect_not(compiler_compile(source, strlen(source), "loops.cl", options, &result), "%s compiles", body);
    cr_expect_not_null(strstr(result.messages, message), "%s: %s", body, result.messages);
    compiler_result_free(&result);
}

Test(yields, refused, .description = "TD-22 numbers that no YIELD has are refused with their place [text]") {
    static const char nth[] = "loops.cl:2:", must[] = "must be from 1 to 256, and known when the program is compiled";
    refuse("while (atomic_inc(a) != 0) tandem_yield_nth(0);", NULL, nth);
    refuse("while (atomic_inc(a) != 0) tandem_yield_nth(0);", NULL, must);
    refuse("while (atomic_inc(a) != 0) tandem_yield_nth(257);", NULL, must);
    refuse("while (atomic_inc(a) != 0) tandem_yield_nth(n);", NULL, must);
    refuse("while (atomic_inc(a) != 0) tandem_yield_random(65536);", NULL, "must be from 1 to 65535");
    static const struct compiler_options none = {.yield = {.kind = YIELD_KIND_NTH}};
    static const struct compiler_options many = {.yield = {.kind = YIELD_KIND_RANDOM, .number = 65536}};
    refuse("while (atomic_inc(a) != 0) continue;", &none, "kind of YIELD: its number is 0, must be from 1 to 256");
    refuse("while (atomic_inc(a) != 0) continue;", &many, "its number is 65536, must be from 1 to 65535");
    static const char *const words[] = {"",       "always", "nth",      "nth=",         "nth=0",     "nth=257",
                                        "nth= 3", "nth=3x", "random=0", "random=65536", "random=-1", "PLAIN"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        struct yield_options options = {.kind = YIELD_KIND_PLAIN};
        const char *expected = NULL;
        cr_expect_not(yield_set(&options, words[k], &expected), "%s", words[k]);
        cr_expect(expected != NULL && options.kind == YIELD_KIND_PLAIN);
    }
}

Test(yields, no_loop, .description = "TD-22 a call that stands in no loop is told [text]") {
    struct compiler_result result;
    compile(KERNEL "tandem_yield(); s++;" END, NULL, &result);
    cr_expect_not_null(strstr(result.messages, "warning: tandem_yield stands in no loop, so it does nothing"), "%s",
                       result.messages);
    compiler_result_free(&result);
}

// A thread in a long loop that waits for nobody, and the others of its warp wait for it.
Test(yields, awaited,
     .description = "TD-16 threads that wait for one in a loop with a seldom YIELD, and it for their end") {
    enum { THREADS = 32 };
    static const char source[] =
        "__kernel void k(__global uint *a, uint n) {\n"
        "    uint i = get_local_id(0);\n"
        "    if (i == 5) {\n"
        "        uint x = n, s = 0;\n"
        "        while (x != 1) { x = (x & 1) != 0 ? 3 * x + 1 : x / 2; s++; }\n"
        "        a[1] = s;\n"
        "        mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
        "        atomic_xchg(a, 1u);\n"
        "    } else {\n"
        "        while (atomic_add(a, 0u) == 0) continue;\n"
        "        a[1 + i + 1] = ((volatile __global uint *)a)[1];\n"
        "    }\n"
        "}\n";
    static uint32_t got[THREADS + 2];
    struct runner runner;
    runner_open_text(&runner, "model:small", source, NULL);
    const tandem_addr to = runner_buffer(&runner, NULL, sizeof got);
    const uint32_t n = 837799;  // 524 steps
    const struct tandem_argument arguments[] = {{&to, 4}, {&n, 4}};
    const struct tandem_range range = {.dimensions = 1, .global = {THREADS}, .local = {THREADS}};
    runner_launch(&runner, "k", &range, arguments, 2);
    runner_read(&runner, to, got, sizeof got);
    for (uint32_t i = 0; i < THREADS; i++)
        cr_expect_eq(got[i + 2], i == 5 ? 0 : 524, "thread %u: %u", i, got[i + 2]);
    runner_close(&runner);
}

Test(yields, line, .description = "TD-14 the verdict names file, line and kernel [text]") {
    static const char source[] =
        "__kernel void first(__global uint *a) {\n    a[0]++;\n}\n"
        "__kernel void second(__global uint *a) {\n    uint s = 0;\n\n"
        "    for (uint at = a[0]; at != 0; at = a[at])\n        s += at;\n    a[0] = s;\n}\n";
    struct compiler_result result;
    compile(source, NULL, &result);
    cr_assert_eq(strncmp(result.loops, "loops.cl:7: kernel second, loop of depth 1: unbounded, YIELD: ", 61), 0, "%s",
                 result.loops);
    compiler_result_free(&result);
}

Test(yields, none, .description = "TD-17 a program without loops has nothing to tell [text]") {
    struct compiler_result result;
    compile("__kernel void k(__global uint *a) { a[get_global_id(0)]++; }", NULL, &result);
    cr_assert_null(result.loops);
    compiler_result_free(&result);
}

// TD-17: kernels whose loops are all bounded are the same program with and without; all others are not.
static void same_code(const char *file, bool all_bounded) {
    char path[128];
    const struct compiler_options off = {.no_yields = true};
    struct compiler_result with, without;
    snprintf(path, sizeof path, "tests/kernels/%s", file);
    cr_assert(compiler_compile_file(path, NULL, &with), "%s", with.messages);
    cr_assert(compiler_compile_file(path, &off, &without), "%s", without.messages);
    struct code_object a, b;
    char error[256];
    cr_assert(code_object_read(with.elf, with.elf_size, &a, error, sizeof error), "%s", error);
    cr_assert(code_object_read(without.elf, without.elf_size, &b, error, sizeof error), "%s", error);
    bool same = a.text_words == b.text_words && memcmp(a.text, b.text, a.text_words * sizeof *a.text) == 0;
    code_object_free(&a);
    code_object_free(&b);
    bool bounded = with.loops == NULL || strstr(with.loops, "unbounded, YIELD") == NULL;
    cr_expect_eq(bounded, all_bounded, "%s:\n%s", file, with.loops);
    cr_expect_eq(same, all_bounded, "%s: %s", file, same ? "the same code" : "other code");
    compiler_result_free(&with);
    compiler_result_free(&without);
}

Test(yields, same_code,
     .description = "TD-17 programs whose loops are all bounded are the same with and without YIELD [text]") {
    static const char *const files[] = {"arithmetic.cl", "floats.cl",         "private.cl",
                                        "vectors.cl",    "compute_output.cl", "histogram.cl"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        same_code(files[k], true);
}

Test(yields, other_code, .description = "TD-14 programs with loops over data, or that wait, are not [text]") {
    same_code("progress.cl", false);
    same_code("flow.cl", false);
    same_code("memory.cl", false);  // one reads the same word again before each round
}
