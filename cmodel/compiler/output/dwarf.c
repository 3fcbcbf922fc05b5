// .debug_info and what belongs to it: types, functions, blocks and variables as DWARF's tree. See dwarf.h.
#include "compiler/output/dwarf.h"

#include <stdlib.h>

#include "compiler/output/dwarf_bytes.h"

enum {
    TAG_ARRAY = 0x01,
    TAG_ENUM = 0x04,
    TAG_PARAMETER = 0x05,
    TAG_BLOCK = 0x0b,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_UNIT = 0x11,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_INLINED = 0x1d,
    TAG_SUBRANGE = 0x21,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_FUNCTION = 0x2e,
    TAG_VARIABLE = 0x34,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_UNSPECIFIED = 0x3b,

    AT_LOCATION = 0x02,
    AT_NAME = 0x03,
    AT_BYTE_SIZE = 0x0b,
    AT_STMT_LIST = 0x10,
    AT_LOW_PC = 0x11,
    AT_HIGH_PC = 0x12,
    AT_LANGUAGE = 0x13,
    AT_INLINE = 0x20,
    AT_PRODUCER = 0x25,
    AT_ORIGIN = 0x31,
    AT_ADDRESS_CLASS = 0x33,
    AT_COUNT = 0x37,
    AT_MEMBER_LOCATION = 0x38,
    AT_DECL_FILE = 0x3a,
    AT_DECL_LINE = 0x3b,
    AT_ENCODING = 0x3e,
    AT_TYPE = 0x49,
    AT_RANGES = 0x55,
    AT_CALL_FILE = 0x58,
    AT_CALL_LINE = 0x59,
    AT_VECTOR = 0x2107,  // of GNU, known everywhere

    FORM_ADDR = 0x01,
    FORM_DATA4 = 0x06,
    FORM_STRP = 0x0e,
    FORM_UDATA = 0x0f,
    FORM_REF4 = 0x13,
    FORM_SEC_OFFSET = 0x17,
    FORM_EXPRLOC = 0x18,
    FORM_PRESENT = 0x19,

    LANGUAGE_OPENCL = 0x15,
    VERSION = 5,
    UNIT_COMPILE = 1,
    ATTRIBUTES_MAX = 12
};

struct reference {
    size_t at;
    uint32_t type;
};

struct writer {
    const struct debug_program *program;
    struct text info, abbreviations, strings, locations, ranges;
    struct abbreviation {
        struct text shape;
    } * known;
    size_t known_count, known_capacity;
    struct reference *references;  // to types whose place is not known yet
    size_t reference_count, reference_capacity;
    uint32_t *type_places;
    struct abstract {
        const char *name;
        uint32_t line, place;
    } * abstracts;
    size_t abstract_count, abstract_capacity;
    // The entry in hand: what it looks like, and its values.
    struct text shape, values;
    struct reference held[ATTRIBUTES_MAX];
    size_t held_count;
};

// ---- entries of the tree

static void entry_begin(struct writer *w, unsigned tag, bool children) {
    w->shape.size = w->values.size = w->held_count = 0;
    put_uleb(&w->shape, tag);
    put_u8(&w->shape, children);
}

static void attribute(struct writer *w, unsigned name, unsigned form) {
    put_uleb(&w->shape, name);
    put_uleb(&w->shape, form);
}

static void add_number(struct writer *w, unsigned name, uint32_t value) {
    attribute(w, name, FORM_UDATA);
    put_uleb(&w->values, value);
}

static void add_string(struct writer *w, unsigned name, const char *text) {
    attribute(w, name, FORM_STRP);
    put_u32(&w->values, (uint32_t)w->strings.size);
    text_add(&w->strings, text, strlen(text) + 1);
}

static void add_word(struct writer *w, unsigned name, unsigned form, uint32_t value) {
    attribute(w, name, form);
    put_u32(&w->values, value);
}

static void add_type(struct writer *w, uint32_t type) {
    if (type == NONE) return;
    w->held[w->held_count++] = (struct reference){.at = w->values.size, .type = type};
    add_word(w, AT_TYPE, FORM_REF4, 0);
}

// Puts it; returns its place in the unit.
static uint32_t entry_end(struct writer *w) {
    put_uleb(&w->shape, 0);
    put_uleb(&w->shape, 0);
    size_t number = 0;
    while (number < w->known_count && (w->known[number].shape.size != w->shape.size ||
                                       memcmp(w->known[number].shape.data, w->shape.data, w->shape.size) != 0))
        number++;
    if (number == w->known_count) {
        w->known = grow(w->known, w->known_count, &w->known_capacity, sizeof *w->known);
        w->known[w->known_count++] = (struct abbreviation){0};
        text_add(&w->known[number].shape, w->shape.data, w->shape.size);
        put_uleb(&w->abbreviations, (uint32_t)number + 1);
        text_add(&w->abbreviations, w->shape.data, w->shape.size);
    }
    const uint32_t place = (uint32_t)w->info.size;
    put_uleb(&w->info, (uint32_t)number + 1);
    for (size_t k = 0; k < w->held_count; k++) {
        w->references = grow(w->references, w->reference_count, &w->reference_capacity, sizeof *w->references);
        w->references[w->reference_count++] =
            (struct reference){.at = w->info.size + w->held[k].at, .type = w->held[k].type};
    }
    text_add(&w->info, w->values.data != NULL ? w->values.data : "", w->values.size);
    return place;
}

static void end_children(struct writer *w) {
    put_uleb(&w->info, 0);
}

// ---- types

static void put_members(struct writer *w, const struct debug_type *type) {
    for (size_t k = 0; k < type->member_count; k++) {
        entry_begin(w, TAG_MEMBER, false);
        add_string(w, AT_NAME, type->members[k].name);
        add_type(w, type->members[k].type);
        add_number(w, AT_MEMBER_LOCATION, type->members[k].offset);
        (void)entry_end(w);
    }
    end_children(w);
}

static void put_type(struct writer *w, uint32_t number) {
    static const uint8_t tags[] = {
        [DEBUG_BASE] = TAG_BASE,         [DEBUG_POINTER] = TAG_POINTER, [DEBUG_STRUCT] = TAG_STRUCT,
        [DEBUG_UNION] = TAG_UNION,       [DEBUG_ARRAY] = TAG_ARRAY,     [DEBUG_VECTOR] = TAG_ARRAY,
        [DEBUG_TYPEDEF] = TAG_TYPEDEF,   [DEBUG_CONST] = TAG_CONST,     [DEBUG_VOLATILE] = TAG_VOLATILE,
        [DEBUG_RESTRICT] = TAG_RESTRICT, [DEBUG_ENUM] = TAG_ENUM,       [DEBUG_UNKNOWN] = TAG_UNSPECIFIED};
    const struct debug_type *type = &w->program->types[number];
    const bool members = type->kind == DEBUG_STRUCT || type->kind == DEBUG_UNION;
    const bool array = type->kind == DEBUG_ARRAY || type->kind == DEBUG_VECTOR;
    entry_begin(w, tags[type->kind], members || array);
    if (type->name[0] != 0) add_string(w, AT_NAME, type->name);
    add_type(w, type->of);
    if (type->kind == DEBUG_BASE || type->kind == DEBUG_POINTER || type->kind == DEBUG_ENUM || members || array)
        add_number(w, AT_BYTE_SIZE, type->size);
    if (type->kind == DEBUG_BASE) add_number(w, AT_ENCODING, type->encoding);
    if (type->kind == DEBUG_POINTER) add_number(w, AT_ADDRESS_CLASS, type->space);
    if (type->kind == DEBUG_VECTOR) attribute(w, AT_VECTOR, FORM_PRESENT);
    w->type_places[number] = entry_end(w);
    if (members) put_members(w, type);
    if (!array) return;
    entry_begin(w, TAG_SUBRANGE, false);
    add_number(w, AT_COUNT, type->count);
    (void)entry_end(w);
    end_children(w);
}

// ---- variables

static bool has_spans(const struct debug_program *program, const struct debug_variable *variable) {
    for (uint32_t s = variable->first; s != NONE; s = program->slices[s].next)
        if (program->slices[s].span_count > 0) return true;
    return false;
}

// A place for the whole program, or NULL.
static const struct debug_value *lasting(const struct debug_program *program, const struct debug_variable *variable) {
    if (variable->first == NONE) return NULL;
    const struct debug_slice *only = &program->slices[variable->first];
    if (only->next != NONE || only->size != 0 || only->span_count != 1 || only->spans[0].to != NONE) return NULL;
    return only->spans[0].value;
}

static void put_variable(struct writer *w, const struct debug_variable *variable) {
    const struct debug_value *everywhere = lasting(w->program, variable);
    entry_begin(w, variable->argument != 0 ? TAG_PARAMETER : TAG_VARIABLE, false);
    add_string(w, AT_NAME, variable->name);
    add_number(w, AT_DECL_FILE, 1);
    add_number(w, AT_DECL_LINE, variable->line);
    add_type(w, variable->type);
    if (everywhere != NULL) {
        struct text expression = {0};
        dwarf_expression(&expression, everywhere, 0);
        attribute(w, AT_LOCATION, FORM_EXPRLOC);
        put_block(&w->values, &expression);
        free(expression.data);
    } else if (has_spans(w->program, variable)) {
        add_word(w, AT_LOCATION, FORM_SEC_OFFSET, dwarf_location_list(&w->locations, w->program, variable));
    }
    (void)entry_end(w);
}

// Arguments first, in their order.
static void put_variables(struct writer *w, uint32_t scope) {
    uint32_t most = 0;
    for (size_t v = 0; v < w->program->variable_count; v++)
        if (w->program->variables[v].scope == scope && w->program->variables[v].argument > most)
            most = w->program->variables[v].argument;
    for (uint32_t a = 1; a <= most + 1; a++)
        for (size_t v = 0; v < w->program->variable_count; v++)
            if (w->program->variables[v].scope == scope && w->program->variables[v].argument == a % (most + 1))
                put_variable(w, &w->program->variables[v]);
}

// ---- functions and blocks

static void put_scope(struct writer *w, uint32_t number);

static uint32_t abstract_of(const struct writer *w, const struct debug_scope *scope) {
    for (size_t k = 0; k < w->abstract_count; k++)
        if (w->abstracts[k].line == scope->line && strcmp(w->abstracts[k].name, scope->name) == 0)
            return w->abstracts[k].place;
    return 0;
}

static void put_abstracts(struct writer *w) {
    for (size_t k = 0; k < w->program->scope_count; k++) {
        const struct debug_scope *scope = &w->program->scopes[k];
        if (scope->name == NULL || scope->parent == NONE || abstract_of(w, scope) != 0) continue;
        entry_begin(w, TAG_FUNCTION, false);
        add_string(w, AT_NAME, scope->name);
        add_number(w, AT_DECL_FILE, 1);
        add_number(w, AT_DECL_LINE, scope->line);
        add_number(w, AT_INLINE, 1);
        const uint32_t place = entry_end(w);
        w->abstracts = grow(w->abstracts, w->abstract_count, &w->abstract_capacity, sizeof *w->abstracts);
        w->abstracts[w->abstract_count++] = (struct abstract){.name = scope->name, .line = scope->line, .place = place};
    }
}

static void put_children(struct writer *w, uint32_t number) {
    put_variables(w, number);
    for (uint32_t k = 0; k < w->program->scope_count; k++)
        if (w->program->scopes[k].parent == number) put_scope(w, k);
    end_children(w);
}

// What no instruction is left of is nowhere in the program.
static void put_scope(struct writer *w, uint32_t number) {
    const struct debug_scope *scope = &w->program->scopes[number];
    if (scope->range_count == 0) return;
    if (scope->name == NULL) {
        entry_begin(w, TAG_BLOCK, true);
    } else if (scope->parent != NONE) {
        entry_begin(w, TAG_INLINED, true);
        add_word(w, AT_ORIGIN, FORM_REF4, abstract_of(w, scope));
        add_number(w, AT_CALL_FILE, 1);
        add_number(w, AT_CALL_LINE, scope->call);
    } else {
        entry_begin(w, TAG_FUNCTION, true);
        add_string(w, AT_NAME, scope->name);
        add_number(w, AT_DECL_FILE, 1);
        add_number(w, AT_DECL_LINE, scope->line);
    }
    add_word(w, AT_RANGES, FORM_SEC_OFFSET, dwarf_range_list(&w->ranges, scope->ranges, scope->range_count));
    (void)entry_end(w);
    put_children(w, number);
}

static void put_unit(struct writer *w, const struct code_object *object) {
    put_u32(&w->info, 0);
    put_u16(&w->info, VERSION);
    put_u8(&w->info, UNIT_COMPILE);
    put_u8(&w->info, 4);
    put_u32(&w->info, 0);
    entry_begin(w, TAG_UNIT, true);
    add_string(w, AT_PRODUCER, "tandem cc");
    add_number(w, AT_LANGUAGE, LANGUAGE_OPENCL);
    add_string(w, AT_NAME, w->program->file);
    add_word(w, AT_STMT_LIST, FORM_SEC_OFFSET, 0);
    add_word(w, AT_LOW_PC, FORM_ADDR, 0);
    add_word(w, AT_HIGH_PC, FORM_DATA4, (uint32_t)object->text_words * 8);
    (void)entry_end(w);
    for (uint32_t k = 0; k < w->program->type_count; k++)
        put_type(w, k);
    put_abstracts(w);
    put_variables(w, NONE);
    for (uint32_t k = 0; k < w->program->scope_count; k++)
        if (w->program->scopes[k].parent == NONE) put_scope(w, k);
    end_children(w);
    for (size_t k = 0; k < w->reference_count; k++)
        fix_u32(&w->info, w->references[k].at, w->type_places[w->references[k].type]);
    fix_u32(&w->info, 0, (uint32_t)(w->info.size - 4));
}

static void add_section(struct code_object *object, const char *name, const struct text *bytes) {
    object->debug = grow(object->debug, object->debug_count, &object->debug_capacity, sizeof *object->debug);
    struct code_section *section = &object->debug[object->debug_count++];
    section->size = bytes->size;
    section->bytes = (uint8_t *)bytes->data;
    (void)strncpy(section->name, name, sizeof section->name - 1);
}

void dwarf_write(const struct debug_program *program, struct code_object *object) {
    struct writer w = {.program = program, .type_places = take(program->type_count + 1, sizeof(uint32_t))};
    struct text lines = {0};
    put_u8(&w.strings, 0);
    dwarf_lists_begin(&w.locations);
    dwarf_lists_begin(&w.ranges);
    put_unit(&w, object);
    put_uleb(&w.abbreviations, 0);
    dwarf_lists_end(&w.locations);
    dwarf_lists_end(&w.ranges);
    dwarf_lines(&lines, object, program->file);
    add_section(object, ".debug_info", &w.info);
    add_section(object, ".debug_abbrev", &w.abbreviations);
    add_section(object, ".debug_str", &w.strings);
    add_section(object, ".debug_loclists", &w.locations);
    add_section(object, ".debug_rnglists", &w.ranges);
    add_section(object, ".debug_line", &lines);
}
