// Lists of types, scopes, variables: see debug.h.
#include "compiler/debug/debug.h"

uint32_t debug_add_type(struct debug_program *program, struct debug_type type) {
    program->types = grow(program->types, program->type_count, &program->type_capacity, sizeof *program->types);
    program->types[program->type_count] = type;
    return (uint32_t)program->type_count++;
}

void debug_add_member(struct debug_type *type, const char *name, uint32_t of, uint32_t offset) {
    type->members = grow(type->members, type->member_count, &type->member_capacity, sizeof *type->members);
    type->members[type->member_count++] = (struct debug_member){.name = name, .type = of, .offset = offset};
}

uint32_t debug_add_scope(struct debug_program *program, uint32_t parent, const char *name, uint32_t line) {
    program->scopes = grow(program->scopes, program->scope_count, &program->scope_capacity, sizeof *program->scopes);
    program->scopes[program->scope_count] = (struct debug_scope){.parent = parent, .name = name, .line = line};
    return (uint32_t)program->scope_count++;
}

uint32_t debug_add_variable(struct debug_program *program, struct debug_variable variable) {
    program->variables =
        grow(program->variables, program->variable_count, &program->variable_capacity, sizeof *program->variables);
    variable.first = NONE;
    program->variables[program->variable_count] = variable;
    return (uint32_t)program->variable_count++;
}

uint32_t debug_slice_of(struct debug_program *program, uint32_t variable, uint32_t offset, uint32_t size) {
    for (uint32_t s = program->variables[variable].first; s != NONE; s = program->slices[s].next)
        if (program->slices[s].offset == offset && program->slices[s].size == size) return s;
    program->slices = grow(program->slices, program->slice_count, &program->slice_capacity, sizeof *program->slices);
    program->slices[program->slice_count] = (struct debug_slice){
        .variable = variable, .offset = offset, .size = size, .next = program->variables[variable].first};
    program->variables[variable].first = (uint32_t)program->slice_count;
    return (uint32_t)program->slice_count++;
}

bool debug_slices_overlap(const struct debug_slice *a, const struct debug_slice *b) {
    if (a->variable != b->variable) return false;
    if (a->size == 0 || b->size == 0) return true;
    return a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

void debug_add_range(struct debug_program *program, uint32_t scope, uint32_t from, uint32_t to) {
    for (; scope != NONE && from < to; scope = program->scopes[scope].parent) {
        struct debug_scope *at = &program->scopes[scope];
        struct debug_range *last = at->range_count > 0 ? &at->ranges[at->range_count - 1] : NULL;
        if (last != NULL && last->to == from) {
            last->to = to;
            continue;
        }
        at->ranges = grow(at->ranges, at->range_count, &at->range_capacity, sizeof *at->ranges);
        at->ranges[at->range_count++] = (struct debug_range){.from = from, .to = to};
    }
}

void debug_add_span(struct debug_slice *slice, uint32_t from, uint32_t to, const struct debug_value *value) {
    struct debug_span *last = slice->span_count > 0 ? &slice->spans[slice->span_count - 1] : NULL;
    if (from >= to) return;
    if (last != NULL && last->to == from && debug_values_equal(last->value, value)) {
        last->to = to;
        return;
    }
    slice->spans = grow(slice->spans, slice->span_count, &slice->span_capacity, sizeof *slice->spans);
    slice->spans[slice->span_count++] = (struct debug_span){.from = from, .to = to, .value = value};
}

struct debug_value *debug_new_value(unsigned count, unsigned bytes) {
    struct debug_value *value = take(1, sizeof *value);
    value->parts = take(count, sizeof *value->parts);
    value->count = (uint8_t)count;
    value->bytes = (uint8_t)bytes;
    return value;
}

bool debug_values_equal(const struct debug_value *a, const struct debug_value *b) {
    if (a == b) return true;
    if (a->count != b->count || a->bytes != b->bytes || a->operation_count != b->operation_count) return false;
    for (unsigned k = 0; k < a->count; k++) {
        const struct debug_place *x = &a->parts[k], *y = &b->parts[k];
        if (x->where != y->where || x->negated != y->negated || x->space != y->space || x->number != y->number)
            return false;
    }
    for (unsigned k = 0; k < a->operation_count; k++)
        if (a->operations[k].code != b->operations[k].code || a->operations[k].number != b->operations[k].number)
            return false;
    return true;
}
