// Warps that wait for others for long try one after the other.
#include <criterion/criterion.h>

#include "sm/backoff.h"

enum { EVERY = 10, LOOP = 5 };

// A try of so many instructions, YIELD included.
static void try(struct backoff *b, uint32_t warp, uint32_t length) {
    backoff_go(b, warp, length - 1, false);
    backoff_yield(b, warp);
}

// As many as a warp may fail at before it waits: `others` come first, to compare with.
static void fail(struct backoff *b, uint32_t warp, uint32_t others) {
    for (uint32_t k = 0; k < others + BACKOFF_TRIES; k++) {
        cr_assert_eq(b->waits >> warp & 1, 0, "after %u tries", k);
        try(b, warp, LOOP);
    }
}

Test(backoff, short_waits, .description = "TD-23 nobody waits before the ninth try that is like the one before") {
    struct backoff b;
    backoff_init(&b, EVERY);
    fail(&b, 3, 2);
    cr_assert_eq(b.waits, 0);
    try(&b, 3, LOOP);
    cr_assert_eq(b.waits, 1 << 3);
}

Test(backoff, turns,
     .description = "TD-23 of those that wait one goes on every so many steps, around the circle, the first at once") {
    struct backoff b;
    backoff_init(&b, EVERY);
    const uint32_t warps[] = {2, 5, 63};
    for (uint32_t w = 0; w < 3; w++) {
        fail(&b, warps[w], 2);
        try(&b, warps[w], LOOP);
    }
    for (uint32_t turn = 0; turn < 9; turn++) {
        const uint32_t warp = warps[turn % 3];
        const uint64_t before = b.waits;
        for (uint32_t k = 0; turn != 0 && k + 1 < EVERY; k++) {
            backoff_step(&b);
            cr_assert_eq(b.waits, before, "turn %u, step %u", turn, k);
        }
        backoff_step(&b);
        cr_assert_eq(b.waits, before & ~(UINT64_C(1) << warp), "turn %u", turn);
        try(&b, warp, LOOP);  // fails again
        cr_assert_eq(b.waits, before);
    }
}

Test(backoff, another_way, .description = "TD-23 who has gone another way, or written, has eight tries again") {
    struct backoff b;
    backoff_init(&b, EVERY);
    fail(&b, 0, 2);
    try(&b, 0, LOOP + 1);
    fail(&b, 0, 1);
    backoff_go(&b, 0, LOOP - 1, true);
    backoff_yield(&b, 0);
    fail(&b, 0, 1);
    cr_assert_eq(b.waits, 0);
    // Ways that are longer than can be counted are never alike.
    for (uint32_t k = 0; k < 100; k++)
        try(&b, 1, 200);
    cr_assert_eq(b.waits, 0);
}

Test(backoff, ends,
     .description = "TD-23 a warp that has ended waits no more, and the next one in its place begins anew") {
    struct backoff b;
    backoff_init(&b, EVERY);
    fail(&b, 7, 2);
    try(&b, 7, LOOP);
    backoff_lost(&b, 1 << 7);
    cr_assert_eq(b.waits, 0);
    fail(&b, 7, 2);
    cr_assert_eq(b.waits, 0);
}
