// One clock cycle of a verilated unit in a unit bench.
#ifndef TANDEM_TESTS_RTL_TICK_H
#define TANDEM_TESTS_RTL_TICK_H

// The rising edge, with the inputs as they stand; then the outputs follow. Inputs change while the clock is high: a clock
// that is gated (rtl/sm/clock_gate.sv) asks at the falling edge whether there will be a rising one.
template <class Unit>
void tick(Unit &unit) {
    unit.clk_i = 0;
    unit.eval();
    unit.clk_i = 1;
    unit.eval();
}

// What is made from now on comes up with registers, and inputs, as the seed says: what a unit does not reset it may not
// rely on.
static inline void registers_at_random(uint64_t seed) {
    Verilated::randReset(2);
    Verilated::randSeed((int)(seed * 2654435761u >> 1 & 0x7ffffffe) | 1);
}

// Reset for a few cycles.
template <class Unit>
void reset(Unit &unit) {
    unit.clk_i = 0;
    unit.rst_i = 1;
    unit.eval();
    for (int i = 0; i < 3; i++)
        tick(unit);
    unit.rst_i = 0;
    unit.eval();
}

#endif
