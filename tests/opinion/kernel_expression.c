#include "kernel_expression.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "random_numbers.h"

const struct base_info bases[] = {
    [CHAR] = {"char", "uchar", 1, true},    [UCHAR] = {"uchar", "uchar", 1, false},
    [SHORT] = {"short", "ushort", 2, true}, [USHORT] = {"ushort", "ushort", 2, false},
    [INT] = {"int", "uint", 4, true},       [UINT] = {"uint", "uint", 4, false},
    [LONG] = {"long", "ulong", 8, true},    [ULONG] = {"ulong", "ulong", 8, false},
    [FLOAT] = {"float", "float", 4, true},
};

uint32_t pick(struct maker *m, uint32_t below) {
    return random_below(&m->random, below);
}

void put(struct maker *m, const char *format, ...) {
    if (m->text == NULL) return;
    for (;;) {
        va_list arguments;
        va_start(arguments, format);
        const int length = vsnprintf(m->text + m->used, m->size - m->used, format, arguments);
        va_end(arguments);
        if (length >= 0 && m->used + (size_t)length < m->size) {
            m->used += (size_t)length;
            return;
        }
        char *moved = length >= 0 ? realloc(m->text, 2 * m->size + (size_t)length) : NULL;
        if (moved == NULL) free(m->text);
        m->text = moved;
        if (moved == NULL) return;
        m->size = 2 * m->size + (size_t)length;
    }
}

const char *type_name(struct type type, char to[16]) {
    snprintf(to, 16, type.width > 1 ? "%s%u" : "%s", bases[type.base].name, type.width);
    return to;
}

struct type any_type(struct maker *m) {
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

static void constant(struct maker *m, struct type type) {
    static const char *const floats[] = {"0.0f", "1.0f", "-1.5f", "0.1f", "1e-40f", "3.4e38f", "-7.25e5f", "1e20f"};
    static const uint32_t corners[] = {0,    1,      2,      7,      31,         0x7F,      0x80,
                                       0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000};
    char name[16];
    const uint32_t value = pick(m, 2) ? corners[pick(m, 13)] : pick(m, UINT32_MAX);
    if (type.base == FLOAT) {
        put(m, "((%s)(%s))", type_name(type, name), floats[pick(m, 8)]);
    } else if (bases[type.base].bytes == 8) {
        put(m, "((%s)(0x%x%08xUL))", type_name(type, name), pick(m, 2) ? pick(m, UINT32_MAX) : 0, value);
    } else {
        put(m, "((%s)((%s)0x%xu))", type_name(type, name), bases[type.base].name, value);
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
            put(m, "convert_%s%s(v%u)", type_name(type, name), saturate, v);
        } else {
            const struct type scalar = {type.base, 1};
            char scalar_name[16];
            put(m, "((%s)(convert_%s%s(v%u)))", type_name(type, name), type_name(scalar, scalar_name), saturate, v);
        }
        return;
    }
    constant(m, type);
}

static const char *const relations[] = {"<", "<=", ">", ">=", "==", "!="};

void own_number(struct maker *m) {
    if (m->in_helper) {
        put(m, "(uint)(");
        expression(m, (struct type){UINT, 1}, 1);
        put(m, ")");
    } else {
        put(m, "in[(k * 3u + %uu) %% n]", pick(m, 100));
    }
}

void condition(struct maker *m, unsigned depth) {
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
    (void)type_name(type, name);
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
    (void)type_name(type, name);
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
            // The other implementation subtracts as signed: of constants further apart than that, LLVM makes anything.
            const char *const half = bases[type.base].is_signed ? " >> 1" : "";
            put(m, "as_%s(abs_diff((%s)(", name, name);
            expression(m, type, depth);
            put(m, "%s), (%s)(", half, name);
            expression(m, type, depth);
            put(m, "%s)))", half);
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

// A function of the program, or a field of the kernel's structures, when there is one of this type.
static bool program_part(struct maker *m, struct type type, unsigned depth) {
    for (unsigned f = 0; f < m->function_count; f++) {
        if (m->functions[f].base != type.base || m->functions[f].width != type.width || pick(m, 3) == 0) continue;
        put(m, "f%u_%llu(", f, (unsigned long long)m->seed);
        expression(m, type, depth);
        put(m, ", ");
        expression(m, type, depth);
        put(m, ")");
        return true;
    }
    for (unsigned f = 0; f < m->field_count && !m->in_helper; f++) {
        const struct field *field = &m->fields[f];
        if (field->type.base != type.base || field->type.width != type.width || pick(m, 2) == 0) continue;
        put(m, "rows[");
        own_number(m);
        put(m, " & 3u].m%u", f);
        if (field->times > 1) put(m, "[%u]", pick(m, field->times));
        return true;
    }
    return false;
}

static void integer(struct maker *m, struct type type, unsigned depth) {
    char name[16];
    const unsigned bits = bases[type.base].bytes * 8;
    bool left = false;
    (void)type_name(type, name);
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
                put(m, "((%s)(", type_name(type, name));
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
                put(m, "((%s)(", type_name(type, name));
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

void expression(struct maker *m, struct type type, unsigned depth) {
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
        put(m, "((%s)(", type_name(type, name));
        for (unsigned e = 0; e < type.width; e++) {
            if (e > 0) put(m, ", ");
            expression(m, scalar, 0);
        }
        put(m, "))");
    } else if (pick(m, 6) == 0 && program_part(m, type, depth - 1)) {
        return;
    } else if (type.base == FLOAT) {
        floating(m, type, depth - 1);
    } else {
        integer(m, type, depth - 1);
    }
}
