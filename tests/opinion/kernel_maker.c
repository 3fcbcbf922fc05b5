// What makes the result defined: signed arithmetic goes through unsigned, divisors are not zero, indexes are masked,
// floats only use operations that are rounded correctly, FP_CONTRACT is off, a NaN is written as one number and zeros
// lose their sign where the language leaves it open; barriers stand where all work-items of a group come.
//
// One statement a line, a block's head ends in "{" and its end is a line "}": so a failing kernel can be cut down line
// by line.
#include "kernel_maker.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (1u << 17)
#define VARIABLES_MAX 14u
#define DEPTH_MAX 3u

enum base { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT };

struct type {
    enum base base;
    unsigned width;  // elements: 1, 2, 3, 4, 8, 16
};

static const struct base_info {
    const char *name, *is_unsigned;  // the unsigned type that arithmetic goes through
    unsigned bytes;
    bool is_signed;
} bases[] = {
    [CHAR] = {"char", "uchar", 1, true},    [UCHAR] = {"uchar", "uchar", 1, false},
    [SHORT] = {"short", "ushort", 2, true}, [USHORT] = {"ushort", "ushort", 2, false},
    [INT] = {"int", "uint", 4, true},       [UINT] = {"uint", "uint", 4, false},
    [LONG] = {"long", "ulong", 8, true},    [ULONG] = {"ulong", "ulong", 8, false},
    [FLOAT] = {"float", "float", 4, true},
};

struct maker {
    char *text;
    size_t used;
    uint64_t random;
    unsigned features;
    unsigned depth, loops, statements;
    struct type variables[VARIABLES_MAX];
    unsigned count;
    bool uniform;  // all work-items of the group are here
    uint32_t local;
};

static uint32_t pick(struct maker *m, uint32_t below) {
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return (uint32_t)(m->random >> 20) % below;
}

static __attribute__((format(printf, 2, 3))) void put(struct maker *m, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(m->text + m->used, TEXT_MAX - m->used, format, arguments);
    va_end(arguments);
    if (length < 0 || m->used + (size_t)length + 1 > TEXT_MAX) abort();  // statements are counted: they fit
    m->used += (size_t)length;
}

static void indent(struct maker *m) {
    put(m, "%*s", (int)(4 * (m->depth + 1)), "");
}

static const char *name_of(struct type type, char to[16]) {
    snprintf(to, 16, type.width > 1 ? "%s%u" : "%s", bases[type.base].name, type.width);
    return to;
}

static struct type any_type(struct maker *m) {
    static const unsigned widths[] = {2, 4, 3, 8, 16, 2, 4, 4};
    struct type type = {INT, 1};
    const uint32_t what = pick(m, 12);
    if (what < 6) {
        type.base = (enum base)pick(m, 6);
    } else if (what < 8 && (m->features & FEATURE_WIDE) != 0) {
        type.base = pick(m, 2) ? LONG : ULONG;
    } else if (what < 11 && (m->features & FEATURE_FLOAT) != 0) {
        type.base = FLOAT;
    } else {
        type.base = pick(m, 2) ? INT : UINT;
    }
    if ((m->features & FEATURE_VECTOR) != 0 && pick(m, 4) == 0) type.width = widths[pick(m, 8)];
    return type;
}

static void expression(struct maker *m, struct type type, unsigned depth);

static void constant(struct maker *m, struct type type) {
    static const char *const floats[] = {"0.0f", "1.0f", "-1.5f", "0.1f", "1e-40f", "3.4e38f", "-7.25e5f", "1e20f"};
    static const uint32_t corners[] = {0,    1,      2,      7,      31,         0x7F,      0x80,
                                       0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000};
    char name[16];
    const uint32_t value = pick(m, 2) ? corners[pick(m, 13)] : pick(m, UINT32_MAX);
    if (type.base == FLOAT) {
        put(m, "((%s)(%s))", name_of(type, name), floats[pick(m, 8)]);
    } else if (bases[type.base].bytes == 8) {
        put(m, "((%s)(0x%x%08xUL))", name_of(type, name), pick(m, 2) ? pick(m, UINT32_MAX) : 0, value);
    } else {
        put(m, "((%s)((%s)0x%xu))", name_of(type, name), bases[type.base].name, value);
    }
}

static void variable(struct maker *m, struct type type) {
    unsigned same[VARIABLES_MAX], count = 0;
    char name[16];
    for (unsigned v = 0; v < m->count; v++) {
        if (m->variables[v].base == type.base && m->variables[v].width == type.width) same[count++] = v;
    }
    if (count > 0) {
        put(m, "v%u", same[pick(m, count)]);
        return;
    }
    // Another variable, converted: scalars of any base, spread over the elements.
    for (unsigned tries = 0; tries < 4 && m->count > 0; tries++) {
        const unsigned v = pick(m, m->count);
        const struct type from = m->variables[v];
        if (from.width != 1 && from.width != type.width) continue;
        // A float outside the integer's range has no defined conversion but the saturating one.
        const char *saturate = from.base == FLOAT && type.base != FLOAT ? "_sat" : "";
        if (from.width == type.width) {
            put(m, "convert_%s%s(v%u)", name_of(type, name), saturate, v);
        } else {
            const struct type scalar = {type.base, 1};
            char scalar_name[16];
            put(m, "((%s)(convert_%s%s(v%u)))", name_of(type, name), name_of(scalar, scalar_name), saturate, v);
        }
        return;
    }
    constant(m, type);
}

static const char *const relations[] = {"<", "<=", ">", ">=", "==", "!="};

static void condition(struct maker *m, unsigned depth) {
    struct type type = any_type(m);
    type.width = 1;
    put(m, "(");
    expression(m, type, depth);
    put(m, " %s ", relations[pick(m, 6)]);
    expression(m, type, depth);
    put(m, ")");
}

// Through unsigned, so that no overflow is left open by the language; what C promotes comes back to the type.
static void arithmetic(struct maker *m, struct type type, unsigned depth) {
    static const char *const operators[] = {"+", "-", "*", "&", "|", "^"};
    char name[16], plain[16];
    const struct base_info *info = &bases[type.base];
    (void)name_of(type, name);
    if (type.width == 1) {
        const char *through = info->bytes < 4 ? "uint" : info->is_unsigned;
        put(m, "((%s)((%s)(", name, through);
        expression(m, type, depth);
        put(m, ") %s (%s)(", operators[pick(m, 6)], through);
        expression(m, type, depth);
        put(m, ")))");
        return;
    }
    snprintf(plain, sizeof plain, "%s%u", info->is_unsigned, type.width);
    put(m, "as_%s(as_%s(", name, plain);
    expression(m, type, depth);
    put(m, ") %s as_%s(", operators[pick(m, 6)], plain);
    expression(m, type, depth);
    put(m, "))");
}

static void integer_call(struct maker *m, struct type type, unsigned depth) {
    static const char *const two[] = {"min", "max", "add_sat", "sub_sat", "hadd", "rhadd", "rotate", "mul_hi"};
    char name[16];
    (void)name_of(type, name);
    switch (pick(m, 8)) {
        case 0: put(m, "clz("); break;
        case 1: put(m, "popcount("); break;
        case 2:
            put(m, "bitselect(");
            expression(m, type, depth);
            put(m, ", ");
            expression(m, type, depth);
            put(m, ", ");
            break;
        case 3: {
            put(m, "as_%s(abs_diff(", name);
            expression(m, type, depth);
            put(m, ", ");
            expression(m, type, depth);
            put(m, "))");
            return;
        }
        default:
            put(m, "%s(", two[pick(m, 8)]);
            expression(m, type, depth);
            put(m, ", ");
            break;
    }
    expression(m, type, depth);
    put(m, ")");
}

static void integer(struct maker *m, struct type type, unsigned depth) {
    char name[16];
    const unsigned bits = bases[type.base].bytes * 8;
    bool left = false;
    (void)name_of(type, name);
    switch (pick(m, 10)) {
        case 0:  // shifts take the low bits of their amount
            left = !bases[type.base].is_signed && pick(m, 2) != 0;
            put(m, "((%s)(%s", name, left && type.width == 1 && bits < 32 ? "(uint)" : "");
            expression(m, type, depth);
            put(m, " %s (", left ? "<<" : ">>");
            expression(m, type, depth);
            put(m, " & (%s)%u)))", name, bits - 1);
            break;
        case 1:
            // small positive divisors: no quotient overflows
            put(m, "((%s)(", name);
            expression(m, type, depth);
            put(m, " %s ((", pick(m, 2) ? "/" : "%");
            expression(m, type, depth);
            put(m, " & (%s)0x3f) | (%s)1)))", bases[type.base].name, bases[type.base].name);
            break;
        case 2:
            put(m, "((%s)(~", name);
            expression(m, type, depth);
            put(m, "))");
            break;
        case 3:
        case 4:
        case 5: integer_call(m, type, depth); break;
        case 6:
            if (type.width == 1) {
                put(m, "((%s)(", name_of(type, name));
                condition(m, depth);
                put(m, " ? ");
                expression(m, type, depth);
                put(m, " : ");
                expression(m, type, depth);
                put(m, "))");
                break;
            }
            put(m, "as_%s((", name);
            expression(m, type, depth);
            put(m, " %s ", relations[pick(m, 6)]);
            expression(m, type, depth);
            put(m, "))");
            break;
        default: arithmetic(m, type, depth); break;
    }
}

static void floating(struct maker *m, struct type type, unsigned depth) {
    static const char *const one[] = {"floor", "ceil", "trunc", "rint", "round", "fabs"};
    char name[16];
    switch (pick(m, 8)) {
        case 0:
            put(m, "%s(", one[pick(m, 6)]);
            expression(m, type, depth);
            put(m, ")");
            break;
        case 1:
            put(m, "fma(");
            expression(m, type, depth);
            put(m, ", ");
            expression(m, type, depth);
            put(m, ", ");
            expression(m, type, depth);
            put(m, ")");
            break;
        case 2:  // the sign of a zero is open
            put(m, "(%s(", pick(m, 2) ? "fmin" : "fmax");
            expression(m, type, depth);
            put(m, ", ");
            expression(m, type, depth);
            put(m, ") + 0.0f)");
            break;
        case 3:
            put(m, "(-");
            expression(m, type, depth);
            put(m, ")");
            break;
        case 4:
            if (type.width == 1) {
                put(m, "((%s)(", name_of(type, name));
                condition(m, depth);
                put(m, " ? ");
                expression(m, type, depth);
                put(m, " : ");
                expression(m, type, depth);
                put(m, "))");
                break;
            }
            variable(m, type);
            break;
        default:
            put(m, "(");
            expression(m, type, depth);
            put(m, " %s ", (const char *[]){"+", "-", "*"}[pick(m, 3)]);
            expression(m, type, depth);
            put(m, ")");
            break;
    }
}

static void expression(struct maker *m, struct type type, unsigned depth) {
    if (depth == 0 || pick(m, 4) == 0) {
        if (pick(m, 4) == 0) {
            constant(m, type);
        } else {
            variable(m, type);
        }
        return;
    }
    if (type.width > 1 && pick(m, 6) == 0) {  // from its elements
        const struct type scalar = {type.base, 1};
        char name[16];
        put(m, "((%s)(", name_of(type, name));
        for (unsigned e = 0; e < type.width; e++) {
            if (e > 0) put(m, ", ");
            expression(m, scalar, 0);
        }
        put(m, "))");
    } else if (type.base == FLOAT) {
        floating(m, type, depth - 1);
    } else {
        integer(m, type, depth - 1);
    }
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

static void loop(struct maker *m) {
    const bool uniform = m->uniform;
    const unsigned l = m->loops++;
    indent(m);
    if (pick(m, 2)) {
        put(m, "for (uint i%u = 0; i%u < %uu; i%u++)", l, l, 1 + pick(m, 6), l);
    } else {  // as often as each work-item's own data says
        m->uniform = false;
        put(m, "for (uint i%u = (uint)in[(k + %uu) %% n] & 7u; i%u > 0; i%u--)", l, pick(m, 100), l, l);
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
    m->uniform = uniform;
}

static void many_ways(struct maker *m) {
    const bool uniform = m->uniform;
    const unsigned ways = 2 + pick(m, 4);
    m->uniform = false;
    indent(m);
    put(m, "switch (in[(k * 3u + %uu) %% n] & 7u)", pick(m, 100));
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

static void array(struct maker *m) {
    indent(m);
    switch (pick(m, 4)) {
        case 0:
            put(m, "array[");
            expression(m, (struct type){UINT, 1}, 1);
            put(m, " & 15u] = ");
            expression(m, (struct type){UINT, 1}, 2);
            put(m, ";\n");
            break;
        case 1:
            put(m, "pair.a += array[");
            expression(m, (struct type){UINT, 1}, 1);
            put(m, " & 15u];\n");
            break;
        case 2:
            put(m, "pair.b[");
            expression(m, (struct type){UINT, 1}, 1);
            put(m, " & 3u] = (ushort)(pair.a ^ array[k & 15u]);\n");
            break;
        default: put(m, "pair = turned(pair, array[%u]);\n", pick(m, 16)); break;
    }
}

static void statement(struct maker *m) {
    const uint32_t what = pick(m, 20);
    const bool nests = m->depth < DEPTH_MAX && m->statements < 60;
    m->statements++;
    if (what < 3 && nests) {
        choice(m);
    } else if (what < 5 && nests) {
        loop(m);
    } else if (what == 5 && nests) {
        many_ways(m);
    } else if (what == 6 && m->uniform && (m->features & FEATURE_LOCAL) != 0) {
        exchange(m);
    } else if (what < 9 && (m->features & FEATURE_PRIVATE) != 0) {
        array(m);
    } else if (what == 9 && (m->features & FEATURE_FUNCTION) != 0) {
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
        (void)name_of(type, name);
        indent(m);
        put(m, "%s v%u = ", name, v);
        if (type.base == FLOAT) {
            put(m, "convert_%s(", name);
            const struct type whole = {INT, type.width};
            put(m, "(%s)(", name_of(whole, name));
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

// Every variable goes into the sum that is written, element by element.
static void finish(struct maker *m) {
    unsigned word = 0;
    for (unsigned v = 0; v < m->count; v++) {
        const struct type type = m->variables[v];
        uint32_t weight = 1;
        indent(m);
        put(m, "out[k * %uu + %uu] = 0", KERNEL_MAKER_OUT, word++);
        for (unsigned e = 0; e < type.width; e++, weight *= 31) {
            char element[24];
            if (type.width > 1) {
                snprintf(element, sizeof element, "v%u.s%x", v, e);
            } else {
                snprintf(element, sizeof element, "v%u", v);
            }
            if (type.base == FLOAT) {
                put(m, " + bits(%s) * %uu", element, weight);
            } else if (bases[type.base].bytes == 8) {
                put(m, " + ((uint)%s + (uint)(%s >> 32) * 7u) * %uu", element, element, weight);
            } else {
                put(m, " + (uint)%s * %uu", element, weight);
            }
        }
        put(m, ";\n");
    }
    if ((m->features & FEATURE_PRIVATE) != 0) {
        indent(m);
        put(m, "out[k * %uu + %uu] = pair.a + pair.b[0] + pair.b[1] * 3u + pair.b[2] * 5u + pair.b[3] * 7u;\n",
            KERNEL_MAKER_OUT, word++);
        indent(m);
        put(m, "for (uint i = 0; i < 16u; i++) out[k * %uu + %uu] = out[k * %uu + %uu] * 31u + array[i];\n",
            KERNEL_MAKER_OUT, word, KERNEL_MAKER_OUT, word);
        word++;
    }
    indent(m);
    put(m, "out[k * %uu + %uu] = mixed;\n", KERNEL_MAKER_OUT, word);
}

char *kernel_make(uint64_t seed, unsigned features, uint32_t *local) {
    static const uint32_t sizes[] = {1, 4, 8, 16, 32, 64};
    struct maker m = {.random = seed * UINT64_C(0x9E3779B97F4A7C15) + 12345, .features = features, .uniform = true};
    if (m.random == 0) m.random = 1;
    m.text = malloc(TEXT_MAX);
    if (m.text == NULL) return NULL;
    for (unsigned i = 0; i < 5; i++)
        (void)pick(&m, 2);
    m.local = sizes[pick(&m, 6)];
    *local = m.local;
    put(&m, "#pragma OPENCL FP_CONTRACT OFF\n");
    if ((features & FEATURE_FLOAT) != 0)
        put(&m, "uint bits(float f) { return isnan(f) ? 0x7fc00000u : as_uint(f); }\n");
    if ((features & FEATURE_PRIVATE) != 0) {
        put(&m,
            "struct pair { uint a; ushort b[4]; };\n"
            "struct pair turned(struct pair p, uint by) {\n    struct pair q = p;\n    q.a = rotate(p.a, by) + p.b[by "
            "& "
            "3u];\n"
            "    for (uint i = 0; i < 4u; i++) q.b[i] = p.b[(i + by) & 3u];\n    return q;\n}\n");
    }
    if ((features & FEATURE_FUNCTION) != 0)
        put(&m,
            "uint mix(uint a, uint rounds) {\n    for (uint i = 0; i < rounds; i++) a = (a ^ (a >> 7)) * 0x9E3779B1u + "
            "i;\n"
            "    return a;\n}\n");
    put(&m, "__kernel void %s(__global const uint *in, __global uint *out, uint n) {\n", KERNEL_MAKER_NAME);
    put(&m, "    uint k = (uint)get_global_id(0);\n    uint l = (uint)get_local_id(0);\n    uint mixed = k + l;\n");
    if ((features & FEATURE_LOCAL) != 0) put(&m, "    __local uint shared[%u];\n", m.local);
    if ((features & FEATURE_PRIVATE) != 0) {
        put(&m,
            "    struct pair pair = {in[k %% n], {1, 2, 3, 4}};\n"
            "    uint array[16]; for (uint i = 0; i < 16u; i++) array[i] = in[(k + i * 3u) %% n];\n");
    }
    declare(&m);
    block(&m, 16);
    block(&m, 16);
    finish(&m);
    put(&m, "}\n");
    return m.text;
}
