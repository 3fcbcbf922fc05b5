// What makes the result defined: signed arithmetic goes through unsigned, divisors are not zero, indexes are masked,
// floats only use operations that are rounded correctly, FP_CONTRACT is off, a NaN is written as one number and zeros
// lose their sign where the language leaves it open; barriers stand where all work-items of a group come.
//
// One statement a line, a block's head ends in "{" and its end is a line "}": so a failing kernel can be cut down line
// by line.
#include "kernel_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_expression.h"

#define DEPTH_MAX 3u

static void indent(struct maker *m) {
    put(m, "%*s", (int)(4 * (m->depth + 1)), "");
}

static void block(struct maker *m, unsigned most);

static void assignment(struct maker *m) {
    const unsigned v = pick(m, m->count);
    struct type type = m->variables[v];
    indent(m);
    put(m, "v%u", v);
    if (type.width > 1 && pick(m, 3) == 0) {
        put(m, ".s%x", pick(m, type.width));
        type.width = 1;
    }
    put(m, " = ");
    expression(m, type, 3);
    put(m, ";\n");
}

static void open_block(struct maker *m) {
    put(m, " {\n");
    m->depth++;
}

static void close_block(struct maker *m) {
    m->depth--;
    indent(m);
    put(m, "}\n");
}

static void choice(struct maker *m) {
    const bool uniform = m->uniform;
    m->uniform = false;
    indent(m);
    put(m, "if (");
    condition(m, 2);
    put(m, ")");
    open_block(m);
    block(m, 4);
    close_block(m);
    if (pick(m, 2)) {
        m->used--;  // the line end: "} else {" stands in one line
        put(m, " else");
        open_block(m);
        block(m, 4);
        close_block(m);
    }
    m->uniform = uniform;
}

// How many turns the loops around a statement may make together. Without a bound, loops in loops around calls of
// functions with loops make kernels that run for minutes. In a function: half as many as in the one before it, which it
// may call.
#define TURNS_MAX 600u
#define TURNS_MAX_IN_HELPER 24u

static void loop(struct maker *m) {
    const bool uniform = m->uniform;
    const unsigned l = m->loops++, before = m->turns;
    const unsigned most = (m->in_helper ? TURNS_MAX_IN_HELPER >> m->function_count : TURNS_MAX) / before;
    indent(m);
    if ((m->features & FEATURE_UNBOUNDED) != 0 && most >= 24 && pick(m, 3) == 0) {
        m->uniform = false;
        m->turns *= 24;
        put(m, "for (uint i%u = (", l);
        own_number(m);
        put(m, ") & 15u; i%u < 24u; i%u += 1u + ((", l, l);
        own_number(m);
        put(m, " >> (i%u & 7u)) & 7u))", l);
    } else if (most < 7 || pick(m, 2)) {
        const unsigned turns = 1 + pick(m, most < 2 ? 2 : most < 6 ? most : 6);
        m->turns *= turns;
        put(m, "for (uint i%u = 0; i%u < %uu; i%u++)", l, l, turns, l);
    } else {  // as often as each work-item's own data says
        m->uniform = false;
        m->turns *= 7;
        put(m, "for (uint i%u = (", l);
        own_number(m);
        put(m, ") & 7u; i%u > 0; i%u--)", l, l);
    }
    open_block(m);
    block(m, 4);
    if (!m->uniform && pick(m, 3) == 0) {
        indent(m);
        put(m, "if (");
        condition(m, 1);
        put(m, ") %s;\n", pick(m, 2) ? "break" : "continue");
        block(m, 2);
    }
    close_block(m);
    m->turns = before;
    m->uniform = uniform;
}

static void many_ways(struct maker *m) {
    const bool uniform = m->uniform;
    const unsigned ways = 2 + pick(m, 4);
    m->uniform = false;
    indent(m);
    put(m, "switch ((");
    own_number(m);
    put(m, ") & 7u)");
    open_block(m);
    for (unsigned w = 0; w < ways; w++) {
        indent(m);
        put(m, "case %u:\n", w);
        block(m, 2);
        if (pick(m, 3)) {
            indent(m);
            put(m, "break;\n");
        }
    }
    indent(m);
    put(m, "default:\n");
    assignment(m);
    close_block(m);
    m->uniform = uniform;
}

// Each work-item writes its place, all meet, each reads another's. In one line: without one part it would be a race.
static void exchange(struct maker *m) {
    const unsigned v = pick(m, m->count);
    const struct type type = m->variables[v];
    indent(m);
    put(m, "shared[l] = ");
    expression(m, (struct type){UINT, 1}, 2);
    put(m, "; barrier(CLK_LOCAL_MEM_FENCE); v%u%s = ", v, type.width > 1 ? ".s0" : "");
    if (type.base == FLOAT) {
        put(m, "convert_float(shared[(l + %uu) %% %uu]);", pick(m, 64), m->local);
    } else {
        put(m, "(%s)shared[(l * %uu + 1u) %% %uu];", bases[type.base].name, pick(m, 64), m->local);
    }
    put(m, " barrier(CLK_LOCAL_MEM_FENCE);\n");
}

// What a work-group does together with atomics, the order of which does not show: bins, or a sum behind a lock. In one
// line, as exchange().
static void together(struct maker *m) {
    static const char *const atomics[] = {"add", "sub", "or", "and", "xor", "min", "max"};
    const unsigned v = pick(m, m->count);
    const struct type type = m->variables[v];
    const bool bins = pick(m, 2) != 0;
    indent(m);
    put(m, "for (uint b = l; b < 8u; b += %uu) bins[b] = %uu; if (l == 0u) lock = 0u; barrier(CLK_LOCAL_MEM_FENCE); ",
        m->local, pick(m, 2) ? 0u : 0x5Au);
    if (bins) {
        put(m, "atomic_%s(&bins[(", atomics[pick(m, 7)]);
        own_number(m);
        put(m, ") & 7u], ");
        expression(m, (struct type){UINT, 1}, 1);
        put(m, ");");
    } else {
        const unsigned bin = pick(m, 8);
        put(m,
            "for (bool waits = true; waits;) { if (atomic_xchg(&lock, 1u) == 0u) { mem_fence(CLK_LOCAL_MEM_FENCE); "
            "bins[%u] = bins[%u] + (",
            bin, bin);
        expression(m, (struct type){UINT, 1}, 1);
        put(m, "); mem_fence(CLK_LOCAL_MEM_FENCE); atomic_xchg(&lock, 0u); waits = false; } }");
    }
    put(m, " barrier(CLK_LOCAL_MEM_FENCE); v%u%s = ", v, type.width > 1 ? ".s1" : "");
    put(m, type.base == FLOAT ? "convert_float(bins[l & 7u]);" : "(%s)bins[l & 7u];", bases[type.base].name);
    put(m, " barrier(CLK_LOCAL_MEM_FENCE);\n");
}

static void array(struct maker *m) {
    indent(m);
    put(m, "array[");
    expression(m, (struct type){UINT, 1}, 1);
    put(m, " & 15u] %s ", (const char *[]){"=", "+=", "^="}[pick(m, 3)]);
    expression(m, (struct type){UINT, 1}, 2);
    if (pick(m, 2)) {
        put(m, " + sum_of(array + ((");
        own_number(m);
        put(m, ") & 7u), %uu)", 1 + pick(m, 8));
    }
    put(m, ";\n");
}

// A field is written, a whole structure copied or handed through a function.
static void record(struct maker *m) {
    const unsigned f = pick(m, m->field_count);
    indent(m);
    put(m, "rows[(");
    own_number(m);
    put(m, ") & 3u]");
    switch (pick(m, 4)) {
        case 0:
            put(m, " = rows[(");
            own_number(m);
            put(m, ") & 3u];\n");
            break;
        case 1: put(m, " = turned_%llu(rows[%u], k);\n", (unsigned long long)m->seed, pick(m, 4)); break;
        default:
            put(m, ".m%u", f);
            if (m->fields[f].times > 1) {
                put(m, "[(");
                own_number(m);
                put(m, ") %% %uu]", m->fields[f].times);
            }
            put(m, " = ");
            expression(m, m->fields[f].type, 2);
            put(m, ";\n");
    }
}

static void statement(struct maker *m) {
    const uint32_t what = pick(m, 24);
    const bool nests = m->depth < DEPTH_MAX && m->statements < 60, alone = m->in_helper;
    m->statements++;
    if (what < 3 && nests) {
        choice(m);
    } else if (what < 6 && nests) {
        loop(m);
    } else if (what == 6 && nests) {
        many_ways(m);
    } else if (what < 9 && m->uniform && !alone && (m->features & FEATURE_LOCAL) != 0) {
        if (pick(m, 2)) {
            exchange(m);
        } else {
            together(m);
        }
    } else if (what < 11 && !alone && (m->features & FEATURE_PRIVATE) != 0) {
        array(m);
    } else if (what < 13 && !alone && m->field_count > 0) {
        record(m);
    } else if (what == 13 && !alone && (m->features & FEATURE_FUNCTION) != 0) {
        indent(m);
        put(m, "mixed += mix(mixed ^ ");
        expression(m, (struct type){UINT, 1}, 1);
        put(m, ", %u);\n", pick(m, 9));
    } else {
        assignment(m);
    }
}

static void block(struct maker *m, unsigned most) {
    for (unsigned count = 1 + pick(m, most); count > 0; count--)
        statement(m);
}

static void declare(struct maker *m) {
    const unsigned count = 4 + pick(m, VARIABLES_MAX - 4);
    for (unsigned v = 0; v < count; v++) {
        const struct type type = any_type(m);
        char name[16];
        (void)type_name(type, name);
        indent(m);
        put(m, "%s v%u = ", name, v);
        if (type.base == FLOAT) {
            put(m, "convert_%s(", name);
            const struct type whole = {INT, type.width};
            put(m, "(%s)(", type_name(whole, name));
        } else {
            put(m, "(%s)(", name);
        }
        for (unsigned e = 0; e < type.width; e++) {
            put(m, "%s(%s)in[(k * %uu + %uu) %% n]", e > 0 ? ", " : "",
                type.base == FLOAT ? "int" : bases[type.base].name, 1 + pick(m, 5), pick(m, 200));
        }
        put(m, type.base == FLOAT ? ")) * 0.37f;\n" : ");\n");
        m->variables[v] = type;
        m->count = v + 1;
    }
}

// A structure and a function that takes one and returns another.
static void declare_record(struct maker *m) {
    const unsigned long long seed = m->seed;
    char name[16];
    m->field_count = 0;
    if ((m->features & FEATURE_STRUCT) == 0) return;
    const unsigned count = 2 + pick(m, FIELDS_MAX - 1);
    put(m, "struct record_%llu {\n", seed);
    for (unsigned f = 0; f < count; f++) {
        m->fields[f] = (struct field){any_type(m), pick(m, 3) ? 1 : 2 + pick(m, 2)};
        put(m, "    %s m%u", type_name(m->fields[f].type, name), f);
        if (m->fields[f].times > 1) put(m, "[%u]", m->fields[f].times);
        put(m, ";\n");
    }
    put(m, "};\nstruct record_%llu turned_%llu(struct record_%llu r, uint by) {\n    struct record_%llu s = r;\n", seed,
        seed, seed, seed);
    for (unsigned f = 0; f < count; f++) {
        const struct field *field = &m->fields[f];
        if (field->times == 1) continue;
        put(m, "    for (uint i = 0; i < %uu; i++) s.m%u[i] = r.m%u[(i + by) %% %uu];\n", field->times, f, f,
            field->times);
    }
    put(m, "    return s;\n}\n");
    m->field_count = count;
}

static void fill_record(struct maker *m) {
    char name[16];
    if (m->field_count == 0) return;
    put(m, "    struct record_%llu rows[4];\n    for (uint i = 0; i < 4u; i++) {\n", (unsigned long long)m->seed);
    for (unsigned f = 0; f < m->field_count; f++) {
        const struct type type = m->fields[f].type;
        for (unsigned e = 0; e < m->fields[f].times; e++) {
            put(m, "        rows[i].m%u", f);
            if (m->fields[f].times > 1) put(m, "[%u]", e);
            put(m, " = (%s)((%s)in[(k + i * 5u + %uu) %% n]%s);\n", type_name(type, name),
                type.base == FLOAT ? "int" : bases[type.base].name, pick(m, 200), type.base == FLOAT ? " * 0.37f" : "");
        }
    }
    put(m, "    }\n");
}

// The words of one value, each times another weight.
static void put_sum(struct maker *m, const char *value, struct type type) {
    uint32_t weight = 1;
    for (unsigned e = 0; e < type.width; e++, weight *= 31) {
        char element[48];
        snprintf(element, sizeof element, type.width > 1 ? "%s.s%x" : "%s", value, e);
        if (type.base == FLOAT) {
            put(m, " + bits(%s) * %uu", element, weight);
        } else if (bases[type.base].bytes == 8) {
            put(m, " + ((uint)%s + (uint)(%s >> 32) * 7u) * %uu", element, element, weight);
        } else {
            put(m, " + (uint)%s * %uu", element, weight);
        }
    }
}

// Every variable goes into the sum that is written, element by element.
static void finish(struct maker *m) {
    unsigned word = 0;
    char value[40];
    for (unsigned v = 0; v < m->count; v++) {
        indent(m);
        put(m, "out[k * %uu + %uu] = 0", KERNEL_MAKER_OUT, word++);
        snprintf(value, sizeof value, "v%u", v);
        put_sum(m, value, m->variables[v]);
        put(m, ";\n");
    }
    if ((m->features & FEATURE_PRIVATE) != 0) {
        indent(m);
        put(m, "for (uint i = 0; i < 16u; i++) out[k * %uu + %uu] = out[k * %uu + %uu] * 31u + array[i];\n",
            KERNEL_MAKER_OUT, word, KERNEL_MAKER_OUT, word);
        word++;
    }
    for (unsigned f = 0; f < m->field_count; f++, word++) {
        for (unsigned e = 0; e < m->fields[f].times; e++) {
            if (m->fields[f].times > 1) {
                snprintf(value, sizeof value, "rows[i].m%u[%u]", f, e);
            } else {
                snprintf(value, sizeof value, "rows[i].m%u", f);
            }
            indent(m);
            put(m, "for (uint i = 0; i < 4u; i++) out[k * %uu + %uu] = out[k * %uu + %uu] * 33u", KERNEL_MAKER_OUT,
                word, KERNEL_MAKER_OUT, word);
            put_sum(m, value, m->fields[f].type);
            put(m, ";\n");
        }
    }
    indent(m);
    put(m, "out[k * %uu + %uu] = mixed;\n", KERNEL_MAKER_OUT, word);
}

// Functions of two values, which may call those before them.
static void functions(struct maker *m) {
    const unsigned count = (m->features & FEATURE_FUNCTION) != 0 ? 1 + pick(m, FUNCTIONS_MAX) : 0;
    char name[16];
    m->in_helper = true;
    for (unsigned f = 0; f < count; f++) {
        const struct type type = any_type(m);
        (void)type_name(type, name);
        put(m, "%s f%u_%llu(%s v0, %s v1) {\n", name, f, (unsigned long long)m->seed, name, name);
        m->variables[0] = m->variables[1] = type;
        m->count = 2;
        m->statements = 55;  // few blocks
        block(m, 4);
        put(m, "    return ");
        expression(m, type, 2);
        put(m, ";\n}\n");
        m->functions[f] = type;
        m->function_count = f + 1;
    }
    m->in_helper = false;
    m->statements = m->loops = m->count = 0;
}

static void kernel(struct maker *m, struct made *made) {
    static const uint32_t sizes[] = {1, 4, 8, 16, 32, 64, 128};  // the last one: often more than is resident
    made->local = m->local = sizes[pick(m, 7)];
    snprintf(made->name, sizeof made->name, "random_%llu", (unsigned long long)m->seed);
    declare_record(m);
    functions(m);
    put(m, "__kernel __attribute__((reqd_work_group_size(%u, 1, 1))) void %s(", made->local, made->name);
    put(m, "__global const uint *in, __global uint *out, uint n) {\n");
    put(m, "    uint k = (uint)get_global_id(0);\n    uint l = (uint)get_local_id(0);\n    uint mixed = k + l;\n");
    if ((m->features & FEATURE_LOCAL) != 0)
        put(m, "    __local uint shared[%u];\n    __local uint lock;\n    __local volatile uint bins[8];\n", m->local);
    if ((m->features & FEATURE_PRIVATE) != 0)
        put(m, "    uint array[16]; for (uint i = 0; i < 16u; i++) array[i] = in[(k + i * 3u) %% n];\n");
    fill_record(m);
    declare(m);
    block(m, 16);
    block(m, 16);
    finish(m);
    put(m, "}\n");
}

char *kernel_program(const uint64_t *seeds, size_t count, unsigned features, struct made *made) {
    struct maker all = {.size = 1u << 14, .turns = 1};
    all.text = malloc(all.size);
    put(&all, "#pragma OPENCL FP_CONTRACT OFF\n");
    if ((features & FEATURE_FLOAT) != 0)
        put(&all, "uint bits(float f) { return isnan(f) ? 0x7fc00000u : as_uint(f); }\n");
    if ((features & FEATURE_PRIVATE) != 0)
        put(&all,
            "uint sum_of(const uint *p, uint count) {\n    uint s = 0;\n"
            "    for (uint i = 0; i < count; i++) s = s * 3u + p[i];\n    return s;\n}\n");
    if ((features & FEATURE_FUNCTION) != 0)
        put(&all,
            "uint mix(uint a, uint rounds) {\n"
            "    for (uint i = 0; i < rounds; i++) a = (a ^ (a >> 7)) * 0x9E3779B1u + i;\n    return a;\n}\n");
    for (size_t k = 0; k < count; k++) {
        struct maker m = all;
        m.random = seeds[k];
        m.seed = seeds[k];
        m.features = features;
        m.uniform = true;
        kernel(&m, &made[k]);
        all.text = m.text;
        all.used = m.used;
        all.size = m.size;
    }
    return all.text;
}
