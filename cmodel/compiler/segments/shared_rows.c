// Registers that live only inside a segment in sub-vector order: portions use their rows one after the other.
#include "compiler/segments/shared_rows.h"

#include <stdlib.h>

#include "compiler/segments/segments.h"

static bool shares(const struct machine_function *function) {
    const struct segments *segments = function->segments;
    if (segments == NULL || segments->group_count == 0) return false;
    const struct subvector_options *options = segments->options;
    return options->way == SUBVECTOR_INSTRUCTIONS ? !options->no_shared_rows
                                                  : options->way == SUBVECTOR_AUTO && options->shared_rows;
}

// Ranges end where a register is not alive, so one that crosses a segment's start or end covers a position outside.
uint32_t *segment_rows_inside(const struct machine_function *function, const struct live_range *ranges,
                              const uint32_t *order, size_t order_count) {
    if (!shares(function)) return NULL;
    uint32_t end = 0, position = 0;
    for (size_t k = 0; k < order_count; k++)
        end += 2 * (uint32_t)(function->blocks[order[k]].count + 1);
    uint32_t *group = take(end + 1u, sizeof *group), *change = take(end + 1u, sizeof *change);
    for (size_t k = 0; k < order_count; k++) {
        const struct machine_block *block = &function->blocks[order[k]];
        for (size_t i = 0; i < 2 * (block->count + 1); i++)
            group[position++] = block->segment;
    }
    change[end] = end;  // the next position of another group
    for (uint32_t k = end; k-- > 0;)
        change[k] = k + 1 < end && group[k + 1] == group[k] ? change[k + 1] : k + 1;
    uint32_t *inside = take(function->register_count, sizeof *inside);
    for (size_t r = 0; r < function->register_count; r++) {
        const struct live_range *range = &ranges[r];
        for (size_t k = 0; k < range->count; k++) {
            const struct stretch *s = &range->stretches[k];
            uint32_t here = change[s->start] >= s->end ? group[s->start] : 0;
            inside[r] = k == 0 || inside[r] == here ? here : 0;
            if (inside[r] == 0) break;
        }
    }
    free(group);
    free(change);
    return inside;
}

// In a loop of the segment a move costs more than a private register is worth.
bool segment_rows_keep_move(const struct machine_function *function, const struct loops *loops, uint32_t block) {
    uint32_t group = function->blocks[block].segment;
    if (group == 0) return false;
    for (uint32_t l = loops->innermost[block]; l != NONE; l = loops->loops[l].parent)
        if (function->blocks[loops->loops[l].header].segment == group) return false;
    return true;
}
