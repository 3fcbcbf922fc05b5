// The rule of whoever can rent or buy and does not know for how long: buy once the rent paid is the price. Rent is what
// the first compile's launches take longer than a second compile's would, the price is the second compile. Whatever
// launches come, that costs at most twice what was possible.
//
// Nothing here looks at the CPU's clock, so that a run can be repeated: the price is reckoned from the program's size.
#include "driver/policy.h"

// Seconds of processor time, measured on programs of 140 to 16,000 instructions: the process with the device library,
// and each instruction of the program.
static const double compile_start = 0.025, compile_instruction = 20e-6;

// What second compiles save on the RTL: the mean that `make bench-recompile` ends with (tests/bench/README.md). It is
// what is expected as long as nothing has been measured, and counts as much as two that were.
static const struct gains measured_on_rtl = {2 * 0.27, 2};

double policy_launch_cycles(const struct ppu_config *config, uint32_t instructions, const struct measured *measured,
                            uint64_t threads) {
    if (measured->threads > 0) return (double)measured->cycles * (double)threads / (double)measured->threads;
    return (double)threads * instructions / ((double)config->sms * config->lanes);
}

double policy_price(const struct tandem_device *device, uint64_t instructions) {
    const double speed = device->ops->cycles_per_second != 0 ? (double)device->ops->cycles_per_second
                                                             : 1e9 / device->options.config->ns_per_cycle;
    return speed * (compile_start + compile_instruction * (double)instructions);
}

double policy_expected(const struct gains *kernel, const struct gains *device) {
    const double elsewhere = (measured_on_rtl.sum + device->sum) / (double)(measured_on_rtl.count + device->count);
    return (elsewhere + kernel->sum) / (1.0 + kernel->count);
}

bool policy_is_worth(double spent, double expected, double price) {
    return spent * expected >= price;
}
