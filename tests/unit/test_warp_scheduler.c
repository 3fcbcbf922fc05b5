// The warp scheduler and the sequencer of portions.
#include <criterion/criterion.h>

#include "random_numbers.h"
#include "sm/sequencer.h"
#include "sm/warp_scheduler.h"

Test(warp_scheduler, goes_around,
     .description = "with all warps ready each is granted once before any is granted again, warp 0 first") {
    for (uint32_t warps = 1; warps <= 64; warps++) {
        struct warp_scheduler scheduler;
        warp_scheduler_init(&scheduler, warps);
        const uint64_t all = warps == 64 ? ~UINT64_C(0) : (UINT64_C(1) << warps) - 1;
        for (uint32_t i = 0; i < 3 * warps; i++) {
            uint32_t warp;
            cr_assert(warp_scheduler_pick(&scheduler, WARP_POLICY_ROUND_ROBIN, all, &warp));
            cr_assert_eq(warp, i % warps);
            warp_scheduler_grant(&scheduler, 0, warp);
        }
    }
}

Test(warp_scheduler, passes_over,
     .description = "warps that are not ready are passed over; a pick that is not used changes nothing") {
    struct warp_scheduler scheduler;
    uint32_t warp;
    warp_scheduler_init(&scheduler, 8);
    for (int i = 0; i < 3; i++) {
        cr_assert(warp_scheduler_pick(&scheduler, WARP_POLICY_ROUND_ROBIN, 0x24, &warp));
        cr_assert_eq(warp, 2);
    }
    warp_scheduler_grant(&scheduler, 0, 2);
    cr_assert(warp_scheduler_pick(&scheduler, WARP_POLICY_ROUND_ROBIN, 0x24, &warp));
    cr_assert_eq(warp, 5);
    warp_scheduler_grant(&scheduler, 0, 5);
    cr_assert(warp_scheduler_pick(&scheduler, WARP_POLICY_ROUND_ROBIN, 0x24, &warp));
    cr_assert_eq(warp, 2);
    cr_assert(warp_scheduler_pick(&scheduler, WARP_POLICY_ROUND_ROBIN, 0x20, &warp));
    cr_assert_eq(warp, 5, "alone it is granted again and again");
}

Test(warp_scheduler, nobody_ready,
     .description = "no ready warp: no grant, and the next one is where it would have been") {
    struct warp_scheduler scheduler;
    uint32_t warp = 77;
    warp_scheduler_init(&scheduler, 4);
    warp_scheduler_grant(&scheduler, 0, 1);
    cr_assert_not(warp_scheduler_pick(&scheduler, WARP_POLICY_ROUND_ROBIN, 0, &warp));
    cr_assert(warp_scheduler_pick(&scheduler, WARP_POLICY_ROUND_ROBIN, 0xF, &warp));
    cr_assert_eq(warp, 2);
}

Test(warp_scheduler, nobody_starves,
     .description = "a warp that stays ready is granted after at most WARPS - 1 others, whatever the others do") {
    struct warp_scheduler scheduler;
    uint64_t state = 1;
    warp_scheduler_init(&scheduler, 16);
    for (uint32_t victim = 0; victim < 16; victim++) {
        uint32_t waited = 0;
        for (int i = 0; i < 5000; i++) {
            uint32_t warp;
            const uint64_t random = random_bits(&state);
            cr_assert(warp_scheduler_pick(&scheduler, WARP_POLICY_ROUND_ROBIN,
                                          (random & 0xFFFF) | UINT64_C(1) << victim, &warp));
            warp_scheduler_grant(&scheduler, 0, warp);
            waited = warp == victim ? 0 : waited + 1;
            cr_assert_lt(waited, 16);
        }
    }
}

Test(sequencer, every_thread_once,
     .description = "the portions of a mask are its threads, each once, in ascending order, without empty portions") {
    const struct { uint32_t threads, lanes; } shapes[] = {{32, 4}, {32, 8}, {64, 32}, {64, 16}, {32, 32}, {64, 64}};
    uint64_t state = 1;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (int i = 0; i < 2000; i++) {
            const uint64_t random = random_bits(&state);
            const uint64_t all = shapes[s].threads == 64 ? ~UINT64_C(0) : UINT32_MAX;
            const uint64_t exec =
                i == 0 ? all : random & (random >> 21 | random << 43) & (i % 3 == 0 ? random << 11 : all) & all;
            struct sequencer sequencer;
            uint64_t lanes, seen = 0;
            uint32_t portion, next = 0;
            sequencer_start(&sequencer, shapes[s].lanes, exec);
            while (sequencer_next(&sequencer, &portion, &lanes)) {
                cr_assert_geq(portion, next);
                cr_assert_neq(lanes, 0);
                cr_assert_eq(seen & lanes << (portion * shapes[s].lanes), 0);
                seen |= lanes << (portion * shapes[s].lanes);
                cr_assert_eq(sequencer.mask == 0, seen == exec);
                next = portion + 1;
            }
            cr_assert_eq(seen, exec);
        }
    }
}

Test(sequencer, nothing, .description = "an empty mask has no portion") {
    struct sequencer sequencer;
    uint64_t lanes;
    uint32_t portion;
    sequencer_start(&sequencer, 8, 0);
    cr_assert_not(sequencer_next(&sequencer, &portion, &lanes));
}
