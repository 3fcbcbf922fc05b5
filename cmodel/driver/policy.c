// The rule of whoever can rent or buy and does not know for how long: buy once the rent paid is the price. Rent is what
// the first compile's launches take longer than a second compile's would, the price is the second compile, which takes
// about as long as the first did. Whatever launches come, that costs at most twice what was possible.
#include "driver/policy.h"

// A second compile is expected to save a launch this part of its time: a cautious figure from `make bench-recompile`.
static const double expected_gain = 0.2;

uint64_t policy_threads(const struct tandem_range *range) {
    uint64_t threads = 1;
    for (unsigned i = 0; i < range->dimensions && i < 3; i++)
        threads *= range->global[i];
    return threads;
}

double policy_launch_seconds(const struct ppu_config *config, uint32_t instructions, const struct measured *measured,
                             uint64_t threads) {
    double cycles = (double)threads * instructions / ((double)config->sms * config->lanes);
    if (measured->threads > 0) cycles = (double)measured->cycles * (double)threads / (double)measured->threads;
    return cycles * config->ns_per_cycle * 1e-9;
}

bool policy_is_worth(double spent, double compile) {
    return spent * expected_gain >= compile;
}
