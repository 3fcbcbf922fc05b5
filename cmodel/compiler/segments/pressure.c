// What segments are measured by: registers alive at each instruction, and the threshold.
#include "compiler/segments/pressure.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/machine/flow_graph.h"
#include "compiler/segments/segments.h"

static uint32_t most_between(const struct pressure *p, uint32_t from, uint32_t to) {
    uint32_t most = 0;
    for (uint32_t k = from; k < to; k++)
        if (p->at[k] > most) most = p->at[k];
    return most;
}

void pressure_measure(const struct machine_function *function, struct pressure *p) {
    uint32_t *order = take(function->block_count, sizeof *order);
    size_t count = flow_order(function, order);
    memset(p, 0, sizeof *p);
    p->ranges = live_ranges(function, order, count);
    p->range_count = function->register_count;
    p->blocks = p->capacity = function->block_count;
    p->start = take(p->capacity, sizeof *p->start);
    p->needed = take(p->capacity, sizeof *p->needed);
    p->next = take(p->capacity, sizeof *p->next);
    uint32_t end = 0;
    for (size_t k = 0; k < count; k++) {
        p->start[order[k]] = end;
        end += 2 * (uint32_t)(function->blocks[order[k]].count + 1);
    }
    p->at = take(end + 1u, sizeof *p->at);
    p->positions = end;
    for (size_t r = 0; r < p->range_count; r++) {
        for (size_t k = 0; k < p->ranges[r].count; k++) {
            p->at[p->ranges[r].stretches[k].start]++;
            p->at[p->ranges[r].stretches[k].end]--;
        }
    }
    for (uint32_t k = 1; k <= end; k++)
        p->at[k] += p->at[k - 1];
    for (size_t b = 0; b < p->blocks; b++)
        p->next[b] = NONE;
    for (size_t k = 0; k < count; k++) {
        uint32_t start = p->start[order[k]];
        p->needed[order[k]] = most_between(p, start, start + 2 * (uint32_t)(function->blocks[order[k]].count + 1));
    }
    free(order);
}

static void *longer(void *array, size_t count, size_t capacity, size_t element) {
    void *moved = take(capacity, element);
    memcpy(moved, array, count * element);
    free(array);
    return moved;
}

uint32_t pressure_split(struct machine_function *function, struct pressure *p, uint32_t b, size_t at) {
    uint32_t fresh = new_block(function);
    struct machine_block *upper = &function->blocks[b], *lower = &function->blocks[fresh];
    lower->count = lower->capacity = upper->count - at;
    lower->code = take(lower->count, sizeof *lower->code);
    if (lower->count > 0) memcpy(lower->code, upper->code + at, lower->count * sizeof *lower->code);
    upper->count = at;
    lower->terminator = upper->terminator;
    lower->condition = upper->condition;
    lower->condition_negated = upper->condition_negated;
    lower->divergent = upper->divergent;
    memcpy(lower->target, upper->target, sizeof lower->target);
    memcpy(lower->action, upper->action, sizeof lower->action);
    lower->line = upper->line;
    upper->terminator = TERM_BRANCH;
    upper->condition = NONE;
    upper->divergent = false;
    upper->target[0] = fresh;
    if (p->blocks == p->capacity) {
        p->capacity *= 2;
        p->start = longer(p->start, p->blocks, p->capacity, sizeof *p->start);
        p->needed = longer(p->needed, p->blocks, p->capacity, sizeof *p->needed);
        p->next = longer(p->next, p->blocks, p->capacity, sizeof *p->next);
    }
    p->blocks++;
    p->next[fresh] = p->next[b];
    p->next[b] = fresh;
    p->start[fresh] = p->start[b] + 2 * (uint32_t)at;
    p->needed[fresh] = most_between(p, p->start[fresh], p->start[fresh] + 2 * (uint32_t)(lower->count + 1));
    p->needed[b] = most_between(p, p->start[b], p->start[fresh]);
    return fresh;
}

uint32_t pressure_resident(const struct segments *s, uint32_t private, uint32_t shared) {
    uint32_t rows = private * s->portions + (shared + s->portions - 1) / s->portions * s->portions;
    uint32_t warps = s->target->vgpr_rows / (rows == 0 ? 1 : rows);
    return warps < s->target->warps ? warps : s->target->warps;
}

// Warps that would be resident with this threshold, when what is alive only in one stretch over it is shared. Stretches
// are taken as they stand in the order of blocks: a guess, which the walk over loops and branches may fall short of.
static uint32_t resident_with(const struct segments *s, const struct pressure *p, uint32_t threshold) {
    uint32_t *end = take(p->positions + 1u, sizeof *end), *inside = take(p->positions + 1u, sizeof *inside);
    for (uint32_t k = p->positions; k-- > 0;)  // of the stretch over the threshold, 0: not over it
        end[k] = p->at[k] <= threshold ? 0 : end[k + 1] != 0 ? end[k + 1] : k + 1;
    for (size_t r = 0; r < p->range_count; r++) {
        const struct live_range *range = &p->ranges[r];
        bool in = range->count > 0;
        for (size_t k = 0; k < range->count; k++)
            in &= end[range->stretches[k].start] >= range->stretches[k].end &&
                  end[range->stretches[k].start] == end[range->stretches[0].start];
        for (size_t k = 0; k < range->count && in; k++) {
            inside[range->stretches[k].start]++;
            inside[range->stretches[k].end]--;
        }
    }
    uint32_t private = 0, shared = 0;
    for (uint32_t k = 0; k < p->positions; k++) {
        if (k > 0) inside[k] += inside[k - 1];
        if (p->at[k] - inside[k] > private) private = p->at[k] - inside[k];
        if (inside[k] > shared) shared = inside[k];
    }
    free(end);
    free(inside);
    if (private < s->called) private = s->called;
    return pressure_resident(s, private, shared);
}

uint32_t threshold_of(const struct segments *s, const struct pressure *p) {
    uint32_t lane = s->target->vgpr_rows / s->portions, best = s->needed, most = pressure_resident(s, s->needed, 0);
    if (lane > REGISTERS_MAX) lane = REGISTERS_MAX;
    switch (s->options->threshold_kind) {
        case THRESHOLD_FIXED: return THRESHOLD_REGISTERS;
        case THRESHOLD_SHARE: return lane * s->options->threshold / 100;
        case THRESHOLD_SET: return s->options->threshold;
        case THRESHOLD_COMPUTED: break;
    }
    for (uint32_t t = s->needed; t > 0 && most < s->target->warps; t--) {
        uint32_t warps = resident_with(s, p, t);
        if (warps > most) {
            most = warps;
            best = t;
        }
    }
    return best;
}
