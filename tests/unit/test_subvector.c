// Which order a sub-vector sequence is executed in, and what is learned about its region.
#include <criterion/criterion.h>

#include "gen/isa.h"
#include "gen/registers.h"
#include "sm/subvector.h"

enum { WARPS = 4, LINES = 32, REGIONS = 4, WINDOW = 2 * LINES, QUARTER = 0x4000 };

static struct subvector_answer start(struct subvector *s, uint32_t warp, uint32_t address, uint32_t mod,
                                     uint32_t setting, uint32_t threshold, bool shares) {
    const struct subvector_request request = {
        .warp = warp, .address = address, .mod = mod, .setting = setting, .threshold = threshold, .shares = shares};
    return subvector_start(s, &request);
}

static bool second(uint32_t mod, uint32_t setting, uint32_t threshold, bool shares) {
    struct subvector s;
    subvector_init(&s, WARPS, LINES, REGIONS);
    return start(&s, 0, 0x100, mod, setting, threshold, shares).second;
}

Test(subvector, by_program,
     .description = "SV-3: SVSTART.ALWAYS takes the second order, SVSTART.AUTO at first the first") {
    cr_expect(second(SV_ALWAYS, 0, QUARTER, false));
    cr_expect(second(SV_ALWAYS, 0, 0x1FFFF, false));
    cr_expect_not(second(SV_AUTO, 0, QUARTER, false));
    cr_expect(second(SV_AUTO, 0, 0, false), "every rate is that high");
    cr_expect_not(second(SV_AUTO, 0, 0x10001, false), "no rate is that high");
}

Test(subvector, by_setting, .description = "SV-3: the setting of software comes before the program and the misses") {
    cr_expect_not(second(SV_ALWAYS, REG_SV_ORDER_ORDER_FIRST, 0, false));
    cr_expect_not(second(SV_AUTO, REG_SV_ORDER_ORDER_FIRST, 0, false));
    cr_expect(second(SV_AUTO, REG_SV_ORDER_ORDER_SECOND, 0x1FFFF, false));
}

Test(subvector, shared_rows, .description = "SV-4: with shared rows there is only the second order") {
    cr_expect(second(SV_AUTO, REG_SV_ORDER_ORDER_FIRST, 0x1FFFF, true));
    cr_expect(second(SV_AUTO, 0, QUARTER, true));
    cr_expect(second(SV_ALWAYS, 0, 0, true));
}

// ---- windows ----
static uint32_t enter(struct subvector *s, uint32_t warp, uint32_t address) {
    const struct subvector_answer answer = start(s, warp, address, SV_AUTO, 0, QUARTER, false);
    cr_assert_neq(answer.region, SUBVECTOR_NONE);
    cr_assert(answer.watch);
    return answer.region;
}

// A whole window: so many of its reads miss, and it takes so many cycles. All warps then take a turn of their loop.
static struct subvector_window window(struct subvector *s, uint32_t region, uint32_t misses, uint32_t cycles) {
    struct subvector_window result;
    for (uint32_t k = 0; k < WINDOW; k++) {
        cr_assert(subvector_read(s, region));
        if (k >= misses) subvector_hit(s);
    }
    cr_assert_not(subvector_read(s, region), "the window has ended");
    cr_assert(subvector_window(s, region, cycles, QUARTER, &result));
    cr_expect_eq(result.reads, WINDOW);
    cr_expect_eq(result.misses, misses);
    for (uint32_t w = 0; w < WARPS; w++)
        subvector_turn(s, w, false);
    return result;
}

static void windows(struct subvector *s, uint32_t region, uint32_t count, uint32_t misses, uint32_t cycles,
                    bool order) {
    for (uint32_t k = 0; k < count; k++) {
        const struct subvector_window result = window(s, region, misses, cycles);
        cr_assert_not(result.trial, "window %u", k);
        cr_assert_eq(result.second, order, "window %u", k);
    }
}

// A region that has come to the second order: 1000 cycles a window there, 2000 in the first.
static uint32_t learn_second(struct subvector *s, uint32_t address) {
    const uint32_t region = enter(s, 0, address);
    window(s, region, WINDOW, 2500);
    cr_assert(window(s, region, WINDOW, 2000).trial);
    window(s, region, WINDOW, 1500);
    const struct subvector_window stays = window(s, region, 4, 1000);
    cr_assert(stays.second && !stays.trial);
    return region;
}

Test(subvector, rate,
     .description = "SV-3 SV-20: the second order is tried from the threshold on, by a window of the region's reads") {
    struct subvector s;
    subvector_init(&s, WARPS, LINES, REGIONS);
    const uint32_t region = enter(&s, 0, 0x100);
    windows(&s, region, 1, WINDOW, 900, false);          // the cache held other lines: not used
    windows(&s, region, 3, WINDOW / 4 - 1, 900, false);  // just below
    const struct subvector_window high = window(&s, region, WINDOW / 4, 900);
    cr_expect(high.second && high.trial, "a quarter, whatever was before");
    cr_expect(subvector_order(&s, 0).second);
}

Test(subvector, trial,
     .description =
         "SV-23: a trial stays when its window takes fewer cycles, else it is over, and the next one waits longer") {
    struct subvector s;
    subvector_init(&s, WARPS, LINES, REGIONS);
    const uint32_t region = enter(&s, 0, 0x100);
    windows(&s, region, 1, WINDOW, 3000, false);
    for (uint32_t wait = 128; wait <= 512; wait *= 2) {
        struct subvector_window result = window(&s, region, WINDOW, 2000);
        cr_expect(result.second && result.trial);
        cr_expect(window(&s, region, WINDOW, 9000).trial, "its first window is not used");
        result = window(&s, region, 3, 2000);  // no miss is worth what takes as long
        cr_expect_not(result.second);
        windows(&s, region, (wait > 256 ? 256 : wait) + 1, WINDOW, 2000, false);  // the first of them is not used
    }
    const struct subvector_window result = window(&s, region, WINDOW, 2000);
    cr_expect(result.trial);
    window(&s, region, WINDOW, 2500);
    cr_expect(window(&s, region, WINDOW, 1999).second);
}

Test(subvector, doubt,
     .description =
         "SV-23: an order that takes an eighth more for two windows than the one before did, or than it did when a "
         "trial "
         "failed, is doubted at once; behind several trials that failed, a quarter") {
    struct subvector s;
    subvector_init(&s, WARPS, LINES, REGIONS);
    const uint32_t region = enter(&s, 0, 0x100);
    windows(&s, region, 1, WINDOW, 3000, false);
    cr_assert(window(&s, region, WINDOW, 2000).trial);
    window(&s, region, WINDOW, 1900);
    cr_assert(window(&s, region, 3, 1600).second, "a trial that stays");
    cr_expect_not(window(&s, region, 3, 2251).trial, "one window alone");
    cr_expect_not(window(&s, region, 3, 2250).trial, "2000 and an eighth");
    cr_expect_not(window(&s, region, 3, 2300).trial, "the first again");
    struct subvector_window result = window(&s, region, 3, 2251);
    cr_expect(result.trial && !result.second, "the second in a row; on average 2222");
    window(&s, region, WINDOW, 1000);
    cr_expect(window(&s, region, WINDOW, 9000).second, "it was not the order");
    window(&s, region, 3, 9000);  // the first one is not used
    cr_expect_not(window(&s, region, 3, 2600).trial, "nor does it make doubts");
    cr_expect_not(window(&s, region, 3, 2499).trial, "2222, which the trial did not beat, and an eighth");
    window(&s, region, 3, 2600);
    cr_expect(window(&s, region, 3, 2600).trial, "on average 2563");
    window(&s, region, WINDOW, 1000);
    cr_expect(window(&s, region, WINDOW, 9000).second, "it was not the order");
    window(&s, region, 3, 9000);             // the first one is not used
    windows(&s, region, 60, 3, 3203, true);  // behind two trials that failed: 2563 and a quarter
    window(&s, region, 3, 3204);
    cr_expect(window(&s, region, 3, 3204).trial);
}

Test(subvector, begun,
     .description =
         "SV-23: a window in which a warp comes while none is in the region says nothing: what the one before "
         "it said stands; one that comes beside others changes nothing") {
    struct subvector s;
    subvector_init(&s, WARPS, LINES, REGIONS);
    const uint32_t region = enter(&s, 0, 0x100);
    windows(&s, region, 1, WINDOW, 3000, false);
    cr_assert(window(&s, region, WINDOW, 2000).trial);
    window(&s, region, WINDOW, 1900);
    cr_assert(window(&s, region, 3, 1600).second, "a trial that stays");
    subvector_leave(&s, 0);
    cr_assert_eq(enter(&s, 1, 0x100), region);
    cr_expect_not(window(&s, region, 3, 9000).trial);
    cr_expect_not(window(&s, region, 3, 3000).trial, "it was no first dear window");
    subvector_leave(&s, 1);
    cr_assert_eq(enter(&s, 1, 0x100), region);
    cr_assert_eq(enter(&s, 0, 0x100), region);
    cr_expect_not(window(&s, region, 3, 9000).trial, "nor is it a second one");
    subvector_leave(&s, 0);
    cr_assert_eq(enter(&s, 0, 0x100), region, "beside another");
    cr_expect(window(&s, region, 3, 9000).trial, "the one before the launch was the first, and this is the second");
}

Test(subvector, stays_after_failures,
     .description = "SV-20: a trial that stays forgets those before it that failed: the next one is 32 windows away") {
    struct subvector s;
    subvector_init(&s, WARPS, LINES, REGIONS);
    const uint32_t region = enter(&s, 0, 0x100);
    window(&s, region, WINDOW, 3000);
    cr_assert(window(&s, region, WINDOW, 2000).trial);
    window(&s, region, WINDOW, 1900);
    cr_assert_not(window(&s, region, WINDOW, 9000).second, "it fails");
    window(&s, region, WINDOW, 2000);  // the first one is not used
    windows(&s, region, 128, WINDOW, 2000, false);
    cr_assert(window(&s, region, WINDOW, 2000).trial);
    window(&s, region, WINDOW, 1900);
    cr_assert(window(&s, region, 3, 1000).second, "it stays");
    windows(&s, region, 32, 3, 1000, true);
    cr_expect(window(&s, region, 3, 1000).trial);
}

Test(subvector, trial_makes_no_doubt,
     .description = "SV-23: that a trial takes more than an order long ago did is no reason for a doubt") {
    struct subvector s;
    subvector_init(&s, WARPS, LINES, REGIONS);
    const uint32_t region = enter(&s, 0, 0x100);
    window(&s, region, WINDOW, 3000);
    cr_assert(window(&s, region, WINDOW, 2000).trial);
    window(&s, region, WINDOW, 1900);
    cr_assert(window(&s, region, 3, 1600).second, "it stays");
    window(&s, region, 3, 9000);
    cr_assert(window(&s, region, 3, 9000).trial, "doubted");
    window(&s, region, WINDOW, 1000);
    cr_assert_not(window(&s, region, WINDOW, 3000).second, "stays: on average 7150 before, and 2000 before that");
    cr_expect_not(window(&s, region, WINDOW, 9000).trial, "one window alone");
    cr_expect(window(&s, region, WINDOW, 9000).trial);
}

Test(subvector, late, .description = "SV-23: a trial is over as soon as it has taken as long as the order before") {
    struct subvector s;
    struct subvector_window result;
    subvector_init(&s, WARPS, LINES, REGIONS);
    const uint32_t region = enter(&s, 0, 0x100);
    window(&s, region, WINDOW, 3000);
    cr_assert(window(&s, region, WINDOW, 2000).trial);
    subvector_turn(&s, 0, false);
    cr_assert(subvector_read(&s, region));
    cr_expect_not(subvector_window(&s, region, 999, QUARTER, &result));
    cr_expect(subvector_window(&s, region, 1000, QUARTER, &result), "the window that is not used: half as long");
    cr_expect(result.trial && result.second && result.reads == 1);
    for (uint32_t k = 0; k < WINDOW - 1; k++)
        subvector_read(&s, region);
    cr_expect_not(subvector_window(&s, region, 1999, QUARTER, &result));
    cr_expect(subvector_window(&s, region, 2000, QUARTER, &result));
    cr_expect_not(result.trial || result.second);
}

Test(
    subvector, first_again,
    .description = "SV-20: the first order is tried again now and then, since misses of the second say nothing of it") {
    struct subvector s;
    subvector_init(&s, WARPS, LINES, REGIONS);
    const uint32_t region = learn_second(&s, 0x100);
    windows(&s, region, 32, 0, 1000, true);
    const struct subvector_window result = window(&s, region, 0, 1000);
    cr_expect(result.trial && !result.second);
    window(&s, region, 0, 1500);
    cr_expect_not(window(&s, region, 0, 900).second, "it is faster by now, and stays");
}

Test(subvector, last_time, .description = "SV-20: a region begins as it was left; others know nothing of it") {
    struct subvector s;
    subvector_init(&s, WARPS, LINES, REGIONS);
    learn_second(&s, 0x100);
    subvector_leave(&s, 0);
    cr_expect_eq(subvector_order(&s, 0).region, SUBVECTOR_NONE);
    cr_expect(start(&s, 2, 0x100, SV_AUTO, 0, QUARTER, false).second);
    cr_expect_not(start(&s, 1, 0x108, SV_AUTO, 0, QUARTER, false).second, "another region");
    const struct subvector_request other = {
        .warp = 3, .channel = 1, .address = 0x100, .threshold = QUARTER, .mod = SV_AUTO};
    cr_expect_not(subvector_start(&s, &other).second, "another channel's program");
}

Test(subvector, places, .description = "SV-20: a region's place goes to another only when no warp is in it") {
    struct subvector s;
    subvector_init(&s, WARPS, LINES, REGIONS);
    for (uint32_t w = 0; w < WARPS; w++)
        enter(&s, w, 0x100 + 8 * w);
    subvector_leave(&s, 2);
    cr_expect_eq(start(&s, 2, 0x200, SV_AUTO, 0, QUARTER, false).region, SUBVECTOR_NONE, "the oldest is in use");
    cr_expect_eq(start(&s, 2, 0x200, SV_AUTO, 0, QUARTER, false).region, SUBVECTOR_NONE);
    cr_expect_eq(start(&s, 2, 0x200, SV_AUTO, 0, QUARTER, false).region, 2, "nobody is in this one");
    cr_expect_eq(start(&s, 3, 0x108, SV_AUTO, 0, QUARTER, false).region, 1);
}

Test(subvector, two_places, .description = "SV-20: a configuration with two regions goes round two places") {
    struct subvector s;
    subvector_init(&s, WARPS, LINES, 2);
    cr_expect_eq(enter(&s, 0, 0x100), 0);
    cr_expect_eq(enter(&s, 1, 0x108), 1);
    cr_expect_eq(start(&s, 2, 0x110, SV_AUTO, 0, QUARTER, false).region, SUBVECTOR_NONE, "both are in use");
    subvector_leave(&s, 1);
    cr_expect_eq(start(&s, 2, 0x110, SV_AUTO, 0, QUARTER, false).region, 1, "the place after the one that was in use");
    subvector_leave(&s, 0);
    cr_expect_eq(start(&s, 0, 0x108, SV_AUTO, 0, QUARTER, false).region, 0, "it is not known any more");
}

Test(subvector, strangers,
     .description = "SV-20: nothing is counted while a warp of the region runs in the other order") {
    struct subvector s;
    struct subvector_window result;
    subvector_init(&s, WARPS, LINES, REGIONS);
    const uint32_t region = learn_second(&s, 0x100);
    windows(&s, region, 32, 0, 1000, true);
    enter(&s, 1, 0x100);
    for (uint32_t k = 0; k < WINDOW; k++)
        subvector_read(&s, region);
    cr_assert(subvector_window(&s, region, 1000, QUARTER, &result) && !result.second);
    subvector_turn(&s, 0, false);
    subvector_turn(&s, 1, true);  // portions of it wait
    for (uint32_t k = 0; k < 2 * WINDOW; k++)
        cr_assert(subvector_read(&s, region));
    cr_expect_not(subvector_window(&s, region, 0, QUARTER, &result));
    subvector_leave(&s, 1);
    cr_assert(subvector_read(&s, region));
    cr_expect(subvector_window(&s, region, 1000, QUARTER, &result));
    cr_expect_eq(result.reads, 1);
}

Test(subvector, shares,
     .description =
         "SV-21: a region of warps with shared rows begins in the second order, is measured, and tells when the first "
         "is wanted") {
    struct subvector s;
    struct subvector_window result = {0};
    subvector_init(&s, WARPS, LINES, REGIONS);
    const struct subvector_answer answer = start(&s, 0, 0x100, SV_AUTO, 0, QUARTER, true);
    cr_assert(answer.second && !answer.watch && answer.region != SUBVECTOR_NONE);
    cr_expect_not(subvector_looks_first(&s, 0, QUARTER, 0, 0x80, 0x100));
    for (uint32_t w = 0; w < 3 && !result.trial; w++)
        result = window(&s, answer.region, 0, 1000);
    cr_assert(result.trial && !result.second);
    cr_expect(subvector_order(&s, 0).region == answer.region && !subvector_order(&s, 0).watch);
    cr_expect(subvector_looks_first(&s, 0, QUARTER, 0, 0x80, 0x100), "launches take private rows");
    cr_expect_not(subvector_looks_first(&s, REG_SV_ORDER_ORDER_SECOND, QUARTER, 0, 0x80, 0x100),
                  "unless the order is set");
    cr_expect_not(subvector_looks_first(&s, 0, QUARTER, 0, 0x80, 0x80), "another kernel");
    cr_expect_not(subvector_looks_first(&s, 0, QUARTER, 0, 0x108, 0x80));
    cr_expect_not(subvector_looks_first(&s, 0, QUARTER, 1, 0x80, 0x100), "another channel");
    subvector_leave(&s, 0);
    start(&s, 1, 0x100, SV_AUTO, 0, QUARTER, false);
    window(&s, answer.region, 0, 900);
    cr_expect_not(window(&s, answer.region, 0, 900).second, "it stays");
}
