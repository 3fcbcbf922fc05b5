// The choice of a channel against its rule said once more: of every state, of every set of channels that can go on.
#include <criterion/criterion.h>

#include "host/channel_choice.h"
#include "random_numbers.h"

enum { MOST = 4, EIGHTH = 7, UNTOUCHED = 99 };

// The channel that comes `steps` behind `from` in the circle.
static uint32_t behind(uint32_t from, uint32_t steps, uint32_t channels) {
    return (from + steps) % channels;
}

// UNTOUCHED: none can go on.
static uint32_t wanted(const struct channel_choice *choice, uint32_t channels, uint32_t ready,
                       const uint8_t *priority) {
    for (int level = 3; level >= 0; level--) {
        const bool fair = choice->choice == EIGHTH;
        for (uint32_t steps = 1; steps <= channels; steps++) {
            const uint32_t c = behind(fair ? choice->fair : choice->last, steps, channels);
            if ((ready & 1u << c) != 0 && (fair || priority[c] == level)) return c;
        }
    }
    return UNTOUCHED;
}

static void check(const struct channel_choice *choice, uint32_t channels, uint32_t ready, const uint8_t *priority) {
    uint32_t pick = UNTOUCHED;
    const bool found = channel_choice_pick(choice, channels, ready, priority, &pick);
    cr_assert_eq(found, ready != 0);
    cr_assert_eq(pick, wanted(choice, channels, ready, priority), "choice %u, last %u, fair %u, ready %x: %u",
                 choice->choice, choice->last, choice->fair, ready, pick);
}

Test(channel_choice, pick,
     .description = "WQ-8 seven of eight choices by priority, in turn among equals; each eighth in turn [model]") {
    for (uint32_t channels = 1; channels <= MOST; channels++) {
        for (uint32_t state = 0; state < 8 * channels * channels; state++) {
            const struct channel_choice choice = {
                .choice = state % 8, .last = state / 8 % channels, .fair = state / 8 / channels};
            for (uint32_t ready = 0; ready < 1u << channels; ready++) {
                for (uint32_t p = 0; p < 256; p++) {
                    const uint8_t priority[MOST] = {p & 3, p >> 2 & 3, p >> 4 & 3, p >> 6 & 3};
                    check(&choice, channels, ready, priority);
                }
            }
        }
    }
}

Test(channel_choice, many_channels, .description = "WQ-8 of up to 32 channels [model]") {
    uint64_t seed = 1;
    for (unsigned i = 0; i < 20000; i++) {
        const uint32_t channels = 1 + random_below(&seed, 32);
        const struct channel_choice choice = {.choice = random_below(&seed, 8),
                                              .last = random_below(&seed, channels),
                                              .fair = random_below(&seed, channels)};
        uint8_t priority[32];
        for (uint32_t c = 0; c < 32; c++)
            priority[c] = (uint8_t)random_below(&seed, 4);
        check(&choice, channels, (uint32_t)(random_bits(&seed) & random_bits(&seed) & ((UINT64_C(1) << channels) - 1)),
              priority);
    }
}

Test(channel_choice, take, .description = "WQ-8 whom a choice has served is the last one of its kind [model]") {
    struct channel_choice choice = {0};
    uint32_t last = 0, fair = 0;
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t pick = 100 + i;
        cr_assert_eq(choice.choice, i % 8);
        channel_choice_take(&choice, pick);
        if (i % 8 == EIGHTH) {
            fair = pick;
        } else {
            last = pick;
        }
        cr_assert_eq(choice.last, last);
        cr_assert_eq(choice.fair, fair);
    }
}

Test(channel_choice, good, .description = "a state from outside is one that can be [model]") {
    for (uint32_t channels = 1; channels <= MOST; channels++) {
        for (uint32_t state = 0; state < 1000; state++) {
            const struct channel_choice choice = {.choice = state % 10, .last = state / 10 % 10, .fair = state / 100};
            cr_assert_eq(channel_choice_is_good(&choice, channels),
                         choice.choice < 8 && choice.last < channels && choice.fair < channels);
        }
    }
}
