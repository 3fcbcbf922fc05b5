// A variant on trial: launches of the first compile and of the variant, in turns, compared by the device's own cycles.
#ifndef TANDEM_DRIVER_TRIAL_H
#define TANDEM_DRIVER_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

enum trial_side { TRIAL_FIRST, TRIAL_VARIANT, TRIAL_SIDES };
enum { TRIAL_SAMPLES = 3, TRIAL_POOL = 16, TRIAL_KINDS = 8, TRIAL_LAUNCHES = 64 };

// Launches of one kind do the same work: they have the same range and the same values as arguments.
struct trial_kind {
    uint64_t key;
    uint64_t used;  // by the trial's count of launches; 0: free
    unsigned put[TRIAL_SIDES], count[TRIAL_SIDES];
    uint64_t cycles[TRIAL_SIDES][TRIAL_SAMPLES];
};
// All-zero: at its begin.
struct trial {
    struct trial_kind kinds[TRIAL_KINDS];
    struct {
        unsigned put, count;
        uint64_t cycles, threads;
    } all[TRIAL_SIDES];
    uint64_t launches, turns;
};

enum trial_verdict { TRIAL_OPEN, TRIAL_FASTER, TRIAL_NO_FASTER, TRIAL_UNKNOWN };
struct trial_result {
    enum trial_verdict verdict;
    double first, variant;  // cycles of a launch, or of 1000 work-items
    bool of_items;
    unsigned samples;  // of each side
};

// A launch of the first compile, before there is a variant.
void trial_before(struct trial *trial, uint64_t key);
// What the next launch of this kind is to run, so that both sides have as many; counts it.
enum trial_side trial_turn(struct trial *trial, uint64_t key);
// A launch that ran alone took so long.
void trial_add(struct trial *trial, enum trial_side side, uint64_t key, uint64_t cycles, uint64_t threads);
// Open until one kind has TRIAL_SAMPLES of each side (the medians decide), or all kinds together TRIAL_POOL (the cycles
// of a work-item decide); unknown when TRIAL_LAUNCHES turns have gone by without.
struct trial_result trial_result(const struct trial *trial);

#endif
