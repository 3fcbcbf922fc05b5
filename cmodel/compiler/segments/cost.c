// Which segments are worth their start and end, and the time that portions take one by one: those without which fewer
// warps of the target would be resident. What a warp takes is reckoned from liveness: where registers are alive that
// live in one group of segments only, they are shared as far as no private ones are free.
//
// Groups are judged one after the other, those that need least first; one that is left alone counts as regular order for
// those that follow.
#include "compiler/segments/cost.h"

#include <stdlib.h>

static const char no_rows[] = "it would save no row";
static const char no_warps[] = "the rows that it would save let no more warps be resident";

bool cost_counts(const struct segments *segments) {
    const struct subvector_options *options = segments->options;
    return options->way == SUBVECTOR_INSTRUCTIONS && !options->no_shared_rows && !options->everywhere &&
           !options->all_segments;
}

bool cost_is_reason(const char *reason) {
    return reason == no_rows || reason == no_warps;
}

void cost_note(struct chooser *c, const bool *set) {
    c->groups++;
    for (uint32_t b = 0; b < c->known; b++)
        if (set[b]) c->group_of[b] = c->groups;
}

const char *cost_reason(const struct chooser *c, const bool *set) {
    for (uint32_t b = 0; b < c->known; b++)
        if (set[b] && c->dropped != NULL && c->group_of[b] != 0) return c->dropped[c->group_of[b] - 1];
    return NULL;
}

// The group of each position.
static uint32_t *groups_by_position(const struct chooser *c) {
    const struct pressure *p = &c->pressure;
    uint32_t *group = take(p->positions + 1u, sizeof *group);
    for (uint32_t b = 0; b < c->known; b++) {
        uint32_t count = 2 * (uint32_t)c->function->blocks[b].count + (p->next[b] == NONE ? 2 : 0);
        for (uint32_t k = 0; k < count && p->start[b] + k < p->positions; k++)
            group[p->start[b] + k] = c->group_of[b];
    }
    return group;
}

// The group in which all of a range lies, 0: none.
static uint32_t group_of_range(const struct live_range *range, const uint32_t *group) {
    uint32_t found = range->count == 0 ? 0 : group[range->stretches[0].start];
    for (size_t k = 0; k < range->count && found != 0; k++)
        for (uint32_t at = range->stretches[k].start; at < range->stretches[k].end && found != 0; at++)
            if (group[at] != found) found = 0;
    return found;
}

struct need {
    uint32_t private, shared;
};

// What a warp needs when the groups that are not dropped share.
static struct need need_of(const struct chooser *c, const uint32_t *group, const uint32_t *owner) {
    const struct pressure *p = &c->pressure;
    uint32_t *inside = take(p->positions + 1u, sizeof *inside);
    struct need need = {.private = c->segments->called};
    for (size_t r = 0; r < p->range_count; r++) {
        if (owner[r] == 0 || c->dropped[owner[r] - 1] != NULL) continue;
        for (size_t k = 0; k < p->ranges[r].count; k++) {
            inside[p->ranges[r].stretches[k].start]++;
            inside[p->ranges[r].stretches[k].end]--;
        }
    }
    for (uint32_t k = 0; k < p->positions; k++) {
        if (k > 0) inside[k] += inside[k - 1];
        if (p->at[k] - inside[k] > need.private) need.private = p->at[k] - inside[k];
    }
    for (uint32_t k = 0; k < p->positions; k++)
        if (group[k] != 0 && c->dropped[group[k] - 1] == NULL && p->at[k] > need.private &&
            p->at[k] - need.private > need.shared)
            need.shared = p->at[k] - need.private;
    free(inside);
    return need;
}

static uint32_t rows_of(const struct segments *s, struct need need) {
    return need.private * s->portions + (need.shared + s->portions - 1) / s->portions * s->portions;
}

static uint32_t most_of_group(const struct chooser *c, uint32_t group) {
    uint32_t most = 0;
    for (uint32_t b = 0; b < c->known; b++)
        if (c->group_of[b] == group && c->pressure.needed[b] > most) most = c->pressure.needed[b];
    return most;
}

void cost_judge(struct chooser *c) {
    c->dropped = take(c->groups + 1u, sizeof *c->dropped);
    bool *judged = take(c->groups + 1u, sizeof *judged);
    uint32_t *group = groups_by_position(c), *owner = take(c->pressure.range_count + 1, sizeof *owner);
    for (size_t r = 0; r < c->pressure.range_count; r++)
        owner[r] = group_of_range(&c->pressure.ranges[r], group);
    for (uint32_t turn = 0; turn < c->groups; turn++) {
        uint32_t least = 0;
        for (uint32_t g = 1; g <= c->groups; g++)
            if (!judged[g] && (least == 0 || most_of_group(c, g) < most_of_group(c, least))) least = g;
        judged[least] = true;
        struct need with = need_of(c, group, owner);
        c->dropped[least - 1] = no_warps;
        struct need without = need_of(c, group, owner);
        if (rows_of(c->segments, with) >= rows_of(c->segments, without)) {
            c->dropped[least - 1] = no_rows;
        } else if (pressure_resident(c->segments, with.private, with.shared) >
                   pressure_resident(c->segments, without.private, without.shared)) {
            c->dropped[least - 1] = NULL;
        }
    }
    free(judged);
    free(group);
    free(owner);
}
