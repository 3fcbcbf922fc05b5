// Types, parts of values, and values as text.
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half_number.h"
#include "variables_internal.h"

#define ELEMENTS_SHOWN 64u
#define OUT "<optimized out>"

uint64_t type_number(Dwarf_Die *die, unsigned name, uint64_t otherwise) {
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    return dwarf_attr(die, name, &attribute) != NULL && dwarf_formudata(&attribute, &value) == 0 ? value : otherwise;
}

bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    return dwarf_attr(die, DW_AT_type, &attribute) != NULL && dwarf_formref_die(&attribute, type) != NULL;
}

bool type_plain(Dwarf_Die *type) {
    for (unsigned deep = 0; deep < TYPES_DEEP; deep++) {
        switch (dwarf_tag(type)) {
            case DW_TAG_typedef:
            case DW_TAG_const_type:
            case DW_TAG_volatile_type:
            case DW_TAG_restrict_type:
                if (!type_of(type, type)) return false;
                break;
            default: return true;
        }
    }
    return false;
}

bool type_is_vector(Dwarf_Die *type) {
    return dwarf_tag(type) == DW_TAG_array_type && dwarf_hasattr(type, DW_AT_GNU_vector) != 0;
}

uint32_t type_count(Dwarf_Die *type) {
    Dwarf_Die range;
    if (dwarf_tag(type) != DW_TAG_array_type || dwarf_child(type, &range) != 0) return 0;
    return (uint32_t)type_number(&range, DW_AT_count, 0);
}

uint32_t type_size(Dwarf_Die *type) {
    Dwarf_Die plain = *type;
    return type_plain(&plain) ? (uint32_t)type_number(&plain, DW_AT_byte_size, 0) : 0;
}

static const char *space_name(uint64_t space) {
    static const char *const names[] = {"private ", "global ", "constant ", "local ", ""};
    return space < sizeof names / sizeof *names ? names[space] : "";
}

void type_name(Dwarf_Die *type, bool untyped, char *to, size_t size) {
    Dwarf_Die of;
    char inner[128];
    const char *name = untyped ? "void" : dwarf_diename(type);
    const int tag = untyped ? 0 : dwarf_tag(type);
    if (tag == DW_TAG_pointer_type || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
        tag == DW_TAG_restrict_type || (tag == DW_TAG_array_type && name == NULL)) {
        const bool none = !type_of(type, &of);
        type_name(&of, none, inner, sizeof inner);
        if (tag == DW_TAG_pointer_type)
            (void)snprintf(to, size, "%s%.100s *", space_name(type_number(type, DW_AT_address_class, 0)), inner);
        else if (tag == DW_TAG_array_type)
            (void)snprintf(to, size, "%.100s[%u]", inner, type_count(type));
        else
            (void)snprintf(to, size, "%s%.100s",
                           tag == DW_TAG_const_type      ? "const "
                           : tag == DW_TAG_volatile_type ? "volatile "
                                                         : "",
                           inner);
        return;
    }
    const char *before = tag == DW_TAG_structure_type     ? "struct "
                         : tag == DW_TAG_union_type       ? "union "
                         : tag == DW_TAG_enumeration_type ? "enum "
                                                          : "";
    (void)snprintf(to, size, "%s%s", before, name != NULL ? name : "?");
}

void variable_type(const struct variable_value *value, char *to, size_t size) {
    Dwarf_Die type = value->named;
    type_name(&type, value->untyped, to, size);
}

// ---- bytes and parts

bool value_bytes(const struct variable_value *value, uint32_t offset, void *to, uint32_t size, bool *optimized_out) {
    *optimized_out = false;
    if (value->in_memory)
        return thread_memory(value->debugger, &value->who, value->space, value->address + offset, to, size);
    for (uint32_t k = 0; k < size; k++)
        *optimized_out |= offset + k >= VALUE_BYTES || !value->known[offset + k];
    if (*optimized_out) return false;
    memcpy(to, value->bytes + offset, size);
    return true;
}

struct variable_value *value_part(const struct variable_value *value, uint32_t offset, Dwarf_Die *type, bool untyped) {
    struct variable_value *part = calloc(1, sizeof *part);
    if (part == NULL) return NULL;
    *part = (struct variable_value){.debugger = value->debugger, .who = value->who, .untyped = untyped};
    if (!untyped) {
        part->named = part->type = *type;
        part->untyped = !type_plain(&part->type);
    }
    part->in_memory = value->in_memory;
    part->space = value->space;
    part->address = value->address + offset;
    for (uint32_t k = 0; !value->in_memory && offset + k < VALUE_BYTES; k++) {
        part->bytes[k] = value->bytes[offset + k];
        part->known[k] = value->known[offset + k];
    }
    return part;
}

struct variable_value *value_behind(const struct variable_value *value, int64_t index, char *why, size_t why_size) {
    Dwarf_Die type = value->type, of = {0};
    uint32_t address;
    bool out;
    if (value->untyped || dwarf_tag(&type) != DW_TAG_pointer_type) {
        (void)snprintf(why, why_size, "not a pointer");
        return NULL;
    }
    if (!value_bytes(value, 0, &address, sizeof address, &out)) {
        (void)snprintf(why, why_size, out ? "the pointer is optimized out" : "the pointer cannot be read");
        return NULL;
    }
    const bool untyped = !type_of(&type, &of);
    struct variable_value *behind = value_part(value, 0, &of, untyped);
    if (behind == NULL) return NULL;
    behind->in_memory = true;
    behind->space = (unsigned)type_number(&type, DW_AT_address_class, SPACE_PRIVATE);
    behind->address = address + (uint32_t)(index * (int64_t)(untyped ? 1 : type_size(&of)));
    uint8_t probe;
    if (!untyped && thread_memory(value->debugger, &value->who, behind->space, behind->address, &probe, 1))
        return behind;
    (void)snprintf(
        why, why_size,
        untyped ? "a pointer to void leads to nothing that has a type" : "nothing is at 0x%08x, where it leads",
        behind->address);
    free(behind);
    return NULL;
}

size_t variable_parts(const struct variable_value *value) {
    Dwarf_Die type = value->type, child;
    size_t count = 0;
    if (value->untyped) return 0;
    switch (dwarf_tag(&type)) {
        case DW_TAG_array_type: return type_count(&type);
        case DW_TAG_pointer_type: return type_of(&type, &child) ? 1 : 0;
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
            if (dwarf_child(&type, &child) != 0) return 0;
            do
                count += dwarf_tag(&child) == DW_TAG_member;
            while (dwarf_siblingof(&child, &child) == 0);
            return count;
        default: return 0;
    }
}

struct variable_value *variable_part(const struct variable_value *value, size_t n, char *name, size_t name_size) {
    Dwarf_Die type = value->type, of, child;
    char why[DEBUGGER_TEXT_MAX];
    if (value->untyped || n >= variable_parts(value)) return NULL;
    switch (dwarf_tag(&type)) {
        case DW_TAG_array_type:
            (void)snprintf(name, name_size, "[%zu]", n);
            return type_of(&type, &of) ? value_part(value, (uint32_t)n * type_size(&of), &of, false) : NULL;
        case DW_TAG_pointer_type: (void)snprintf(name, name_size, "*"); return value_behind(value, 0, why, sizeof why);
        default: break;
    }
    if (dwarf_child(&type, &child) != 0) return NULL;
    do {
        if (dwarf_tag(&child) != DW_TAG_member || n-- != 0) continue;
        (void)snprintf(name, name_size, ".%s", dwarf_diename(&child) != NULL ? dwarf_diename(&child) : "");
        const uint32_t offset = (uint32_t)type_number(&child, DW_AT_data_member_location, 0);
        return type_of(&child, &of) ? value_part(value, offset, &of, false) : NULL;
    } while (dwarf_siblingof(&child, &child) == 0);
    return NULL;
}

// ---- text

struct writer {
    char *to;
    size_t used, size;
};

static void add(struct writer *w, const char *text) {
    const size_t left = w->size - w->used, length = strlen(text);
    if (left <= 1) return;
    (void)snprintf(w->to + w->used, left, "%s", text);
    w->used += length < left ? length : left - 1;
}

static void add_base(struct writer *w, Dwarf_Die *type, const uint8_t *bytes, uint32_t size) {
    uint64_t raw = 0;
    char text[64];
    memcpy(&raw, bytes, size < sizeof raw ? size : sizeof raw);
    const unsigned above = size < 8 ? 64 - 8 * size : 0;
    const uint64_t encoding = type_number(type, DW_AT_encoding, DW_ATE_unsigned);
    if (encoding == DW_ATE_float && size == 4) {
        float real;
        memcpy(&real, bytes, sizeof real);
        (void)snprintf(text, sizeof text, "%.9g", (double)real);
    } else if (encoding == DW_ATE_float && size == 8) {
        double real;
        memcpy(&real, bytes, sizeof real);
        (void)snprintf(text, sizeof text, "%.17g", real);
    } else if (encoding == DW_ATE_float && size == 2) {
        (void)snprintf(text, sizeof text, "%.5g", half_to_double((uint16_t)raw));
    } else if (encoding == DW_ATE_boolean) {
        (void)snprintf(text, sizeof text, "%s", raw != 0 ? "true" : "false");
    } else if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char) {
        (void)snprintf(text, sizeof text, "%" PRId64, (int64_t)(raw << above) >> above);
    } else {
        (void)snprintf(text, sizeof text, "%" PRIu64, raw);
    }
    add(w, text);
}

static void add_value(struct writer *w, const struct variable_value *value, unsigned deep);

static void add_parts(struct writer *w, const struct variable_value *value, unsigned deep, bool vector, bool names) {
    const size_t count = variable_parts(value);
    add(w, vector ? "(" : "{");
    for (size_t k = 0; k < count && k < ELEMENTS_SHOWN; k++) {
        char name[VARIABLE_NAME_MAX];
        struct variable_value *part = variable_part(value, k, name, sizeof name);
        if (k > 0) add(w, ", ");
        if (names) {
            add(w, name + 1);
            add(w, " = ");
        }
        if (part != NULL) add_value(w, part, deep + 1);
        free(part);
    }
    if (count > ELEMENTS_SHOWN) add(w, ", ...");
    add(w, vector ? ")" : "}");
}

static void add_value(struct writer *w, const struct variable_value *value, unsigned deep) {
    Dwarf_Die type = value->type;
    uint8_t bytes[8] = {0};
    bool out;
    if (value->untyped || deep > TYPES_DEEP) {
        add(w, "void");
        return;
    }
    const int tag = dwarf_tag(&type);
    if (tag == DW_TAG_array_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type) {
        add_parts(w, value, deep, type_is_vector(&type), tag != DW_TAG_array_type);
        return;
    }
    const uint32_t size = type_size(&type);
    if (size == 0 || size > sizeof bytes || !value_bytes(value, 0, bytes, size, &out)) {
        add(w, size != 0 && size <= sizeof bytes && out ? OUT : "<not readable>");
        return;
    }
    if (tag == DW_TAG_pointer_type) {
        char text[16];
        uint32_t address;
        memcpy(&address, bytes, sizeof address);
        (void)snprintf(text, sizeof text, "0x%08x", address);
        add(w, text);
    } else {
        add_base(w, &type, bytes, size);
    }
}

void variable_text(const struct variable_value *value, char *to, size_t size) {
    struct writer w = {.to = to, .size = size};
    if (size == 0) return;
    to[0] = '\0';
    add_value(&w, value, 0);
}
