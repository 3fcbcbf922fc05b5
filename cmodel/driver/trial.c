// Variants on trial: see trial.h.
#include "driver/trial.h"

#include <stddef.h>

static struct trial_kind *find(struct trial *trial, uint64_t key) {
    for (size_t k = 0; k < TRIAL_KINDS; k++)
        if (trial->kinds[k].used != 0 && trial->kinds[k].key == key) return &trial->kinds[k];
    return NULL;
}

// In place of the one that has not come for the longest time.
static struct trial_kind *add(struct trial *trial, uint64_t key) {
    struct trial_kind *oldest = &trial->kinds[0];
    for (size_t k = 1; k < TRIAL_KINDS; k++)
        if (trial->kinds[k].used < oldest->used) oldest = &trial->kinds[k];
    *oldest = (struct trial_kind){.key = key};
    return oldest;
}

static struct trial_kind *kind_of(struct trial *trial, uint64_t key) {
    struct trial_kind *kind = find(trial, key);
    if (kind == NULL) kind = add(trial, key);
    kind->used = ++trial->launches;
    return kind;
}

void trial_before(struct trial *trial, uint64_t key) {
    kind_of(trial, key)->put[TRIAL_FIRST]++;
    trial->all[TRIAL_FIRST].put++;
}

enum trial_side trial_turn(struct trial *trial, uint64_t key) {
    struct trial_kind *kind = kind_of(trial, key);
    trial->turns++;
    enum trial_side side = kind->put[TRIAL_VARIANT] < kind->put[TRIAL_FIRST] ? TRIAL_VARIANT : TRIAL_FIRST;
    if (kind->put[TRIAL_VARIANT] == kind->put[TRIAL_FIRST])
        side = trial->all[TRIAL_FIRST].put < trial->all[TRIAL_VARIANT].put ? TRIAL_FIRST : TRIAL_VARIANT;
    kind->put[side]++;
    trial->all[side].put++;
    return side;
}

void trial_add(struct trial *trial, enum trial_side side, uint64_t key, uint64_t cycles, uint64_t threads) {
    struct trial_kind *kind = find(trial, key);
    trial->all[side].count++;
    trial->all[side].cycles += cycles;
    trial->all[side].threads += threads;
    if (kind != NULL && kind->count[side] < TRIAL_SAMPLES) kind->cycles[side][kind->count[side]++] = cycles;
}

// Of TRIAL_SAMPLES, which are three.
static uint64_t median(const uint64_t *of) {
    const uint64_t low = of[0] < of[1] ? of[0] : of[1], high = of[0] < of[1] ? of[1] : of[0];
    return of[2] < low ? low : of[2] > high ? high : of[2];
}

static struct trial_result judged(double first, double variant, bool of_items, unsigned samples) {
    return (struct trial_result){variant < first ? TRIAL_FASTER : TRIAL_NO_FASTER, first, variant, of_items, samples};
}

struct trial_result trial_result(const struct trial *trial) {
    for (size_t k = 0; k < TRIAL_KINDS; k++) {
        const struct trial_kind *kind = &trial->kinds[k];
        if (kind->count[TRIAL_FIRST] == TRIAL_SAMPLES && kind->count[TRIAL_VARIANT] == TRIAL_SAMPLES)
            return judged((double)median(kind->cycles[TRIAL_FIRST]), (double)median(kind->cycles[TRIAL_VARIANT]), false,
                          TRIAL_SAMPLES);
    }
    if (trial->all[TRIAL_FIRST].count >= TRIAL_POOL && trial->all[TRIAL_VARIANT].count >= TRIAL_POOL) {
        double each[TRIAL_SIDES];
        for (unsigned side = 0; side < TRIAL_SIDES; side++)
            each[side] = 1000.0 * (double)trial->all[side].cycles / (double)trial->all[side].threads;
        return judged(each[TRIAL_FIRST], each[TRIAL_VARIANT], true, TRIAL_POOL);
    }
    return (struct trial_result){.verdict = trial->turns >= TRIAL_LAUNCHES ? TRIAL_UNKNOWN : TRIAL_OPEN};
}
