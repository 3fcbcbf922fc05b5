// Which order a sub-vector sequence is executed in.
#include <criterion/criterion.h>

#include "gen/isa.h"
#include "sm/subvector.h"

static bool second(uint32_t mod, uint32_t setting, uint32_t threshold, uint32_t accesses, uint32_t misses,
                   uint32_t shared_rows) {
    const struct subvector_request request = {.mod = mod,
                                              .setting = setting,
                                              .threshold = threshold,
                                              .shared_rows = shared_rows,
                                              .accesses = accesses,
                                              .misses = misses};
    return subvector_second(&request);
}

Test(subvector, by_program, .description = "SV-3: SVSTART.ALWAYS takes the second order, whatever the misses") {
    cr_expect(second(SV_ALWAYS, 0, 0x4000, 0, 0, 0));
    cr_expect(second(SV_ALWAYS, 0, 0x1FFFF, 1000, 0, 0));
}

Test(subvector, by_miss_rate,
     .description = "SV-3: SVSTART.AUTO takes the second order at or above the threshold, the first below it") {
    cr_expect(second(SV_AUTO, 0, 0x4000, 400, 100, 0), "a quarter");
    cr_expect_not(second(SV_AUTO, 0, 0x4000, 400, 99, 0), "just below");
    cr_expect_not(second(SV_AUTO, 0, 0x4001, 400, 100, 0));
    cr_expect(second(SV_AUTO, 0, 0x10000, 65535, 65535, 0), "all miss");
    cr_expect_not(second(SV_AUTO, 0, 0x10001, 65535, 65535, 0), "no rate is that high");
    cr_expect_not(second(SV_AUTO, 0, 1, 0, 0, 0), "no access, no rate");
    cr_expect(second(SV_AUTO, 0, 0, 0, 0, 0));
}

Test(subvector, by_setting, .description = "SV-3: the setting of software comes before the program and the misses") {
    cr_expect_not(second(SV_ALWAYS, 1, 0, 10, 10, 0));
    cr_expect_not(second(SV_AUTO, 1, 0, 10, 10, 0));
    cr_expect(second(SV_AUTO, 2, 0x1FFFF, 10, 0, 0));
}

Test(subvector, shared_rows, .description = "SV-4: with shared rows there is only the second order") {
    cr_expect(second(SV_AUTO, 1, 0x1FFFF, 10, 0, 1));
    cr_expect(second(SV_ALWAYS, 1, 0, 0, 0, 200));
}
