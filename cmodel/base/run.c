// What all units of one device share.
#include "base/run.h"

#include <string.h>

void run_init(struct run *run, const struct ppu_config *config, uint64_t seed) {
    memset(run, 0, sizeof *run);
    run->config = *config;
    run->native = true;
    // Any seed must give a generator that moves: its state may not be zero.
    run->random = seed * UINT64_C(0x9E3779B97F4A7C15) + UINT64_C(0xD1B54A32D192ED03);
    if (run->random == 0) run->random = 1;
}

void run_emit(const struct run *run, const struct trace_event *event) {
    if (run->sink != NULL) run->sink(run->sink_context, event);
}

uint64_t run_random(struct run *run) {
    uint64_t x = run->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    run->random = x;
    return x * UINT64_C(0x2545F4914F6CDD1D) >> 8;
}
