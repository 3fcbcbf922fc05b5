#include "sm/yield_counts.h"

#include <string.h>

#include "gen/isa.h"

void yield_counts_start(struct yield_counts *counts) {
    memset(counts->count, 0, sizeof counts->count);
    counts->count_bound = 0;
    counts->random = 1;
}

void yield_counts_seed(struct yield_counts *counts, uint32_t seed) {
    counts->random = seed == 0 ? 1 : seed;
}

static uint32_t next_random(uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

bool yield_counts_fire(const struct yield_counts *counts, uint32_t mod, uint32_t target, uint64_t exec) {
    const uint32_t count = counts->count[__builtin_ctzll(exec)];
    switch (mod) {
        case YIELD_NTH: return count + 1 >= target || count == UINT8_MAX;
        case YIELD_RANDOM: return next_random(counts->random) >> 16 < target;
        default: return true;
    }
}

void yield_counts_done(struct yield_counts *counts, uint32_t mod, uint64_t exec, uint64_t threads, bool fired) {
    if (mod == YIELD_RANDOM) counts->random = next_random(counts->random);
    if (mod != YIELD_NTH) return;
    const uint32_t count = fired ? 0 : counts->count[__builtin_ctzll(exec)] + 1u;
    for (uint64_t left = exec; left != 0; left &= left - 1)
        counts->count[__builtin_ctzll(left)] = (uint8_t)count;
    if (fired ? exec == threads : count > counts->count_bound) counts->count_bound = (uint8_t)count;
}
