// What decides about second compiles: the turns and the verdict of a trial, the price and the expectation.
#include <criterion/criterion.h>
#include <string.h>

#include "driver/policy.h"
#include "driver/trial.h"

// Launches of these kinds in turn until there is a verdict; cycles of a work-item of either side.
static struct trial_result try_out(struct trial *trial, unsigned kinds, uint64_t first, uint64_t variant,
                                   unsigned launches) {
    for (unsigned n = 0; n < launches; n++) {
        const uint64_t key = n % kinds, threads = 10 + key;
        const enum trial_side side = trial_turn(trial, key);
        trial_add(trial, side, key, threads * (side == TRIAL_FIRST ? first : variant), threads);
        if (trial_result(trial).verdict != TRIAL_OPEN) break;
    }
    return trial_result(trial);
}

Test(trial, turns, .description = "AM-16 both sides of a trial get as many launches, of each kind and in all [model]") {
    struct trial trial = {0};
    unsigned sides[2] = {0};
    for (unsigned n = 0; n < 6; n++)
        sides[trial_turn(&trial, 1)]++;
    cr_assert(sides[TRIAL_FIRST] == 3 && sides[TRIAL_VARIANT] == 3);
    memset(&trial, 0, sizeof trial);
    for (unsigned n = 0; n < 5; n++)
        trial_before(&trial, 1);
    for (unsigned n = 0; n < 5; n++)
        cr_assert_eq(trial_turn(&trial, 1), TRIAL_VARIANT, "the first compile is ahead by what ran before");
    cr_assert_eq(trial_turn(&trial, 1), TRIAL_VARIANT);
    cr_assert_eq(trial_turn(&trial, 1), TRIAL_FIRST);
    memset(&trial, 0, sizeof trial);
    memset(sides, 0, sizeof sides);
    for (uint64_t key = 0; key < 40; key++)  // of no kind twice
        sides[trial_turn(&trial, key)]++;
    cr_assert(sides[TRIAL_FIRST] == 20 && sides[TRIAL_VARIANT] == 20);
}

Test(trial, verdict,
     .description = "AM-16 the medians of three launches of one kind decide, equal is no gain [model]") {
    static const struct {
        uint64_t first[3], variant[3];
        enum trial_verdict expected;
    } all[] = {
        {{100, 100, 100}, {90, 90, 90}, TRIAL_FASTER},       {{100, 100, 100}, {110, 110, 110}, TRIAL_NO_FASTER},
        {{100, 100, 100}, {100, 100, 100}, TRIAL_NO_FASTER}, {{100, 100, 900}, {300, 90, 90}, TRIAL_FASTER},
        {{100, 20, 100}, {99, 900, 99}, TRIAL_FASTER},       {{10, 100, 20}, {90, 1, 80}, TRIAL_NO_FASTER},
        {{300, 200, 100}, {100, 200, 300}, TRIAL_NO_FASTER}, {{5, 4, 6}, {6, 4, 3}, TRIAL_FASTER},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct trial trial = {0};
        unsigned taken[2] = {0};
        for (unsigned n = 0; n < 6; n++) {
            cr_assert_eq(trial_result(&trial).verdict, TRIAL_OPEN);
            const enum trial_side side = trial_turn(&trial, 9);
            const unsigned at = taken[side]++;
            trial_add(&trial, side, 9, side == TRIAL_FIRST ? all[k].first[at] : all[k].variant[at], 1);
        }
        const struct trial_result result = trial_result(&trial);
        cr_assert_eq(result.verdict, all[k].expected, "row %zu: %.0f, %.0f", k, result.first, result.variant);
        cr_assert(!result.of_items && result.samples == 3);
    }
}

Test(trial, different_launches,
     .description =
         "AM-16 launches of many kinds are compared by the cycles of a work-item; else nothing is known [model]") {
    struct trial trial = {0};
    struct trial_result result = try_out(&trial, 40, 50, 40, 100);
    cr_assert(result.verdict == TRIAL_FASTER && result.of_items && result.samples == TRIAL_POOL);
    cr_assert(result.first == 50000 && result.variant == 40000, "%f %f", result.first, result.variant);
    cr_assert_eq(trial.turns, 2 * TRIAL_POOL);
    memset(&trial, 0, sizeof trial);
    cr_assert_eq(try_out(&trial, 40, 40, 50, 100).verdict, TRIAL_NO_FASTER);
    memset(&trial, 0, sizeof trial);
    cr_assert_eq(try_out(&trial, 3, 50, 49, 100).verdict, TRIAL_FASTER);
    cr_assert(!trial_result(&trial).of_items && trial.turns <= 18, "%u", (unsigned)trial.turns);
    memset(&trial, 0, sizeof trial);
    for (unsigned n = 0; n < TRIAL_LAUNCHES; n++) {
        cr_assert_eq(trial_result(&trial).verdict, TRIAL_OPEN);
        (void)trial_turn(&trial, 1);
    }
    cr_assert_eq(trial_result(&trial).verdict, TRIAL_UNKNOWN);
}

Test(policy, expectation,
     .description = "AM-16 what is expected of a second compile follows what others have saved [model]") {
    struct gains kernel = {0}, device = {0};
    const double before = policy_expected(&kernel, &device);
    cr_assert(before > 0.2 && before < 0.4, "%f", before);
    for (unsigned k = 0; k < 20; k++) {
        device.count++;
        const double now = policy_expected(&kernel, &device);
        cr_assert_lt(now, before, "others that gain nothing");
    }
    cr_assert_lt(policy_expected(&kernel, &device), before / 8);
    for (unsigned k = 0; k < 9; k++) {
        kernel.count++;
        kernel.sum += 0.5;
    }
    cr_assert_gt(policy_expected(&kernel, &device), 0.4, "this kernel gains a half");
    for (unsigned k = 0; k < 91; k++)
        kernel.count++;
    cr_assert_lt(policy_expected(&kernel, &device), 0.05, "and then nothing any more");
    cr_assert(!policy_is_worth(99, 0.1, 10) && policy_is_worth(100, 0.1, 10));
}

Test(policy, price,
     .description = "AM-15 a compile costs more where the device is faster, and for a larger program [model]") {
    struct tandem_device *devices[2];
    static const char *const names[] = {"model:small", "model:full"};
    for (unsigned k = 0; k < 2; k++) {
        char message[256];
        cr_assert_eq(tandem_open(names[k], &devices[k], message, sizeof message), TANDEM_OK, "%s", message);
    }
    cr_assert_gt(policy_price(devices[0], 10000), 2 * policy_price(devices[0], 100));
    struct backend_ops board = *devices[0]->ops;
    board.cycles_per_second = 0;  // the clock of the configuration, 25 and 100 MHz
    for (unsigned k = 0; k < 2; k++)
        devices[k]->ops = &board;
    cr_assert_float_eq(policy_price(devices[1], 100) / policy_price(devices[0], 100), 4, 0.01);
    // Until something is known each instruction counts once for each work-item, on all lanes; then what was measured.
    const struct ppu_config *config = devices[0]->options.config;
    cr_assert_float_eq(policy_launch_cycles(config, 50, &(struct measured){0, 0}, 800), 50.0 * 800 / config->lanes,
                       0.01);
    cr_assert_float_eq(policy_launch_cycles(config, 50, &(struct measured){9000, 300}, 800), 24000, 0.01);
    for (unsigned k = 0; k < 2; k++) {
        devices[k]->ops = &backend_model;
        tandem_close(devices[k]);
    }
}
