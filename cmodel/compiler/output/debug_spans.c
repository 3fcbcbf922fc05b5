// Scopes and values by instruction words: see debug_spans.h.
#include "compiler/output/debug_spans.h"

#include <stdlib.h>

// The first of a block's changes, NONE: it has none.
static uint32_t *first_changes(const struct machine_function *function) {
    const struct places *places = function->places;
    uint32_t *first = take(function->block_count, sizeof *first);
    for (size_t b = 0; b < function->block_count; b++)
        first[b] = NONE;
    for (size_t k = places->change_count; k-- > 0;)
        first[places->changes[k].block] = (uint32_t)k;
    return first;
}

struct open_span {
    const struct debug_value *value;
    uint32_t from;
};

static void close(struct debug_program *program, struct open_span *open, uint32_t slice, uint32_t at) {
    if (open[slice].value != NULL) debug_add_span(&program->slices[slice], open[slice].from, at, open[slice].value);
    open[slice].value = NULL;
}

static void block_values(const struct machine_function *function, uint32_t b, uint32_t first, uint32_t start,
                         uint32_t end, struct open_span *open) {
    const struct places *places = function->places;
    for (size_t k = first; k < places->change_count && places->changes[k].block == b; k++) {
        const struct place_change *change = &places->changes[k];
        const uint32_t at = start + change->index < end ? start + change->index : end;
        close(places->program, open, change->slice, at);
        open[change->slice] = (struct open_span){.value = change->value, .from = at};
    }
    for (uint32_t s = 0; s < places->program->slice_count; s++)
        close(places->program, open, s, end);
}

// What has no scope of its own belongs to what stands before it.
static void block_scopes(const struct machine_function *function, uint32_t b, uint32_t start, uint32_t end,
                         uint32_t *scope) {
    const struct machine_block *block = &function->blocks[b];
    uint32_t from = start;
    for (size_t k = 0; k < block->count; k++) {
        if (block->code[k].scope == 0 || block->code[k].scope - 1 == *scope) continue;
        debug_add_range(function->places->program, *scope, from, start + (uint32_t)k);
        *scope = block->code[k].scope - 1;
        from = start + (uint32_t)k;
    }
    debug_add_range(function->places->program, *scope, from, end);
}

static uint32_t function_scope(const struct machine_function *function) {
    const struct debug_program *program = function->places->program;
    for (size_t b = 0; b < function->block_count; b++) {
        for (size_t k = 0; k < function->blocks[b].count; k++) {
            uint32_t scope = function->blocks[b].code[k].scope;
            if (scope == 0) continue;
            for (scope--; program->scopes[scope].parent != NONE;)
                scope = program->scopes[scope].parent;
            return scope;
        }
    }
    return NONE;
}

void debug_spans(const struct machine_function *function, const uint32_t *layout, size_t count, const size_t *start,
                 size_t end) {
    const struct places *places = function->places;
    if (places == NULL) return;
    uint32_t *first = first_changes(function), scope = function_scope(function);
    struct open_span *open = take(places->program->slice_count + 1, sizeof *open);
    for (size_t k = 0; k < count; k++) {
        const uint32_t from = (uint32_t)start[layout[k]], to = (uint32_t)(k + 1 < count ? start[layout[k + 1]] : end);
        if (first[layout[k]] != NONE) block_values(function, layout[k], first[layout[k]], from, to, open);
        block_scopes(function, layout[k], from, to, &scope);
    }
    free(first);
    free(open);
}
