// Expressions of a user: a name, and what . -> [] * make of it.
#include <ctype.h>
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "variables_internal.h"

enum { DEEP_MAX = 32 };

struct parser {
    struct variables *variables;
    const struct debugger_thread *who;
    const char *at;
    char *why;
    size_t why_size;
    unsigned deep;
};

static struct variable_value *parse(struct parser *p);

static void skip(struct parser *p) {
    p->at += strspn(p->at, " \t");
}

static bool take(struct parser *p, const char *text) {
    skip(p);
    if (strncmp(p->at, text, strlen(text)) != 0) return false;
    p->at += strlen(text);
    return true;
}

static bool take_name(struct parser *p, char *to, size_t size) {
    size_t length = 0;
    skip(p);
    while (isalnum((unsigned char)p->at[length]) || p->at[length] == '_')
        length++;
    if (length == 0 || isdigit((unsigned char)p->at[0]) || length >= size) {
        (void)snprintf(p->why, p->why_size, "%s: a name is expected", *p->at != '\0' ? p->at : "the end");
        return false;
    }
    memcpy(to, p->at, length);
    to[length] = '\0';
    p->at += length;
    return true;
}

static struct variable_value *variable(struct parser *p) {
    char name[VARIABLE_NAME_MAX];
    Dwarf_Die found;
    uint32_t address;
    if (!take_name(p, name, sizeof name)) return NULL;
    if (!variables_place(p->variables->debugger, p->who, &address)) {
        (void)snprintf(p->why, p->why_size, "thread %u of warp %u.%u stands nowhere", p->who->thread, p->who->sm,
                       p->who->warp);
        return NULL;
    }
    if (!variables_find(p->variables, address, name, &found)) {
        (void)snprintf(p->why, p->why_size, "%s: no variable of this name is in scope at 0x%x", name, address);
        return NULL;
    }
    struct variable_value *value = calloc(1, sizeof *value);
    if (value == NULL) return NULL;
    *value = (struct variable_value){.debugger = p->variables->debugger, .who = *p->who};
    value->untyped = !type_of(&found, &value->type);
    value->named = value->type;
    if (!value->untyped) value->untyped = !type_plain(&value->type);
    if (value_locate(value, &found, address, p->why, p->why_size)) return value;
    free(value);
    return NULL;
}

// x, y, z, w, and s0 to sf of vectors. Else -1.
static int component(const char *name, uint32_t count) {
    static const char letters[] = "xyzw", digits[] = "0123456789abcdef";
    const char *at = NULL;
    ptrdiff_t number = -1;
    if (name[0] != '\0' && name[1] == '\0' && (at = strchr(letters, name[0])) != NULL) number = at - letters;
    if (name[0] == 's' && name[1] != '\0' && name[2] == '\0' &&
        (at = strchr(digits, tolower((unsigned char)name[1]))) != NULL)
        number = at - digits;
    return number >= 0 && number < (ptrdiff_t)count ? (int)number : -1;
}

static struct variable_value *member(struct parser *p, struct variable_value *of) {
    char name[VARIABLE_NAME_MAX], known[VARIABLE_NAME_MAX];
    struct variable_value *part = NULL;
    Dwarf_Die type = of->type;
    if (!take_name(p, name, sizeof name)) {
        free(of);
        return NULL;
    }
    if (!of->untyped && type_is_vector(&type)) {
        const int n = component(name, type_count(&type));
        if (n >= 0) part = variable_part(of, (size_t)n, known, sizeof known);
    }
    const bool structure =
        !of->untyped && (dwarf_tag(&type) == DW_TAG_structure_type || dwarf_tag(&type) == DW_TAG_union_type);
    for (size_t n = 0; structure && part == NULL && n < variable_parts(of); n++) {
        part = variable_part(of, n, known, sizeof known);
        if (part != NULL && strcmp(known + 1, name) == 0) break;
        free(part);
        part = NULL;
    }
    if (part == NULL) {
        char text[128];
        variable_type(of, text, sizeof text);
        (void)snprintf(p->why, p->why_size, "%s: %s has no such member", name, text);
    }
    free(of);
    return part;
}

// A number, or what an expression gives.
static bool index_of(struct parser *p, int64_t *index) {
    char *end;
    skip(p);
    if (isdigit((unsigned char)*p->at) || *p->at == '-') {
        *index = strtoll(p->at, &end, 0);
        p->at = end;
        return true;
    }
    struct variable_value *value = parse(p);
    if (value == NULL) return false;
    Dwarf_Die type = value->type;
    uint64_t raw = 0;
    bool out;
    const uint32_t size = value->untyped ? 0 : type_size(&type);
    const uint64_t encoding = value->untyped ? 0 : type_number(&type, DW_AT_encoding, 0);
    const bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    const bool integer = is_signed || encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char;
    const bool good = integer && size <= 8 && value_bytes(value, 0, &raw, size, &out);
    free(value);
    if (!good) (void)snprintf(p->why, p->why_size, "the index is no integer that can be read");
    if (!good) return false;
    const unsigned above = 64 - 8 * size;
    *index = is_signed ? (int64_t)(raw << above) >> above : (int64_t)raw;
    return true;
}

static struct variable_value *element(struct parser *p, struct variable_value *of) {
    struct variable_value *part = NULL;
    Dwarf_Die type = of->type;
    char name[VARIABLE_NAME_MAX];
    int64_t index;
    if (index_of(p, &index)) {
        if (!take(p, "]")) {
            (void)snprintf(p->why, p->why_size, "%s: ] is expected", *p->at != '\0' ? p->at : "the end");
        } else if (!of->untyped && dwarf_tag(&type) == DW_TAG_array_type) {
            const uint32_t count = type_count(&type);
            if (index >= 0 && index < (int64_t)count)
                part = variable_part(of, (size_t)index, name, sizeof name);
            else
                (void)snprintf(p->why, p->why_size, "[%" PRId64 "]: there are %u elements, numbered from 0", index,
                               count);
        } else {
            part = value_behind(of, index, p->why, p->why_size);
        }
    }
    free(of);
    return part;
}

static struct variable_value *behind(struct parser *p, struct variable_value *of) {
    struct variable_value *value = of != NULL ? value_behind(of, 0, p->why, p->why_size) : NULL;
    free(of);
    return value;
}

static struct variable_value *parse(struct parser *p) {
    struct variable_value *value;
    if (++p->deep > DEEP_MAX) {
        (void)snprintf(p->why, p->why_size, "an expression with more than %d parts in one another", DEEP_MAX);
        return NULL;
    }
    if (take(p, "*")) {
        value = behind(p, parse(p));
        p->deep--;
        return value;
    }
    if (take(p, "(")) {
        value = parse(p);
        if (value != NULL && !take(p, ")")) {
            (void)snprintf(p->why, p->why_size, "%s: ) is expected", *p->at != '\0' ? p->at : "the end");
            free(value);
            value = NULL;
        }
    } else {
        value = variable(p);
    }
    while (value != NULL) {
        if (take(p, "->")) {
            value = behind(p, value);
            if (value != NULL) value = member(p, value);
        } else if (take(p, ".")) {
            value = member(p, value);
        } else if (take(p, "[")) {
            value = element(p, value);
        } else {
            break;
        }
    }
    p->deep--;
    return value;
}

struct variable_value *variables_evaluate(struct variables *variables, const struct debugger_thread *who,
                                          const char *expression, char *why, size_t why_size) {
    struct parser p = {.variables = variables, .who = who, .at = expression, .why = why, .why_size = why_size};
    (void)snprintf(why, why_size, "the host has no memory");
    struct variable_value *value = parse(&p);
    skip(&p);
    if (value == NULL || *p.at == '\0') return value;
    (void)snprintf(why, why_size, "%s: not understood; there are NAME, . -> [] and *", p.at);
    free(value);
    return NULL;
}
