// A failing random program is made small by itself; and the generator makes as many programs as it gets seeds.
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/random_program.h"
#include "random/random_case.h"

#define SEEDS 2000u

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t hash(const struct random_program *program) {
    uint64_t h = 1469598103934665603u;
    for (const char *at = program->text; *at != '\0'; at++)
        h = (h ^ (uint8_t)*at) * 1099511628211u;
    return h;
}

Test(shrink, every_seed_another_program, .description = "2000 seeds make 2000 different programs") {
    static uint64_t hashes[SEEDS];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct random_program program;
        random_program_make(seed, 64, &program);
        hashes[seed] = hash(&program);
        free(program.text);
    }
    qsort(hashes, SEEDS, sizeof hashes[0], by_number);
    for (unsigned i = 1; i < SEEDS; i++)
        cr_assert_neq(hashes[i], hashes[i - 1], "two seeds make the same program");
}

// The first random program that shows the defect, made small, still shows it and is a few instructions long.
static void shrinks(const char *device, const char *must_have) {
    char error[1024];
    for (uint64_t seed = 1; seed < 200; seed++) {
        struct random_program program;
        random_program_make(seed, 32, &program);
        struct random_case c = {device, seed, program.text, program.grid, program.cta, 3000000};
        const enum random_verdict verdict = random_case_run(&c, NULL, error, sizeof error);
        if (verdict != RANDOM_MISMATCH) {
            cr_assert_eq(verdict, RANDOM_GOOD, "seed %u: %s", (unsigned)seed, error);
            free(program.text);
            continue;
        }
        const unsigned before = random_case_instructions(program.text);
        char *small = random_case_shrink(&c, verdict, 600);
        cr_assert_not_null(small);
        const unsigned after = random_case_instructions(small);
        cr_assert(after <= 12 && after < before, "%u instructions of %u are left:\n%s", after, before, small);
        cr_assert_not_null(strstr(small, must_have), "no %s in\n%s", must_have, small);
        c.text = small;
        cr_assert_eq(random_case_run(&c, NULL, error, sizeof error), RANDOM_MISMATCH, "%s", small);
        free(small);
        free(program.text);
        return;
    }
    cr_assert_fail("no random program shows the defect");
}

Test(shrink, defect_of_the_rtl, .description = "a lost SAR sign is shrunk to a few instructions [tandem]") {
    shrinks("tandem:nano,inject=5", "SAR");
}
Test(shrink, defect_of_the_model, .description = "a wrong UMAX is shrunk to a few instructions [tandem]") {
    shrinks("tandem:nano,inject_model=104", "UMAX");
}

Test(shrink, broken_program, .description = "what does not assemble is told apart from a mismatch") {
    char error[1024] = "";
    const struct random_case c = {"model:nano", 1, ".kernel random\n.registers 4\nFLY R1\n", 1, 1, 1000};
    cr_assert_eq(random_case_run(&c, NULL, error, sizeof error), RANDOM_BROKEN);
    cr_assert_not_null(strstr(error, "3"), "%s", error);
}
Test(shrink, no_device, .description = "a device that cannot be opened is no verdict on the program") {
    char error[1024] = "";
    const struct random_case c = {"model:nano,seed=3", 1, ".kernel random\n.registers 4\nEXIT\n", 1, 1, 1000};
    cr_assert_eq(random_case_run(&c, NULL, error, sizeof error), RANDOM_NO_DEVICE, "%s", error);
    cr_assert_not_null(strstr(error, "seed"), "%s", error);
}
Test(shrink, hanging_program, .description = "what does not end is told apart from a mismatch") {
    char error[1024] = "";
    const struct random_case c = {
        "model:nano", 1, ".kernel random\n.registers 4\n.arg global data\nagain: BRA again\nEXIT\n", 1, 1, 1000};
    cr_assert_eq(random_case_run(&c, NULL, error, sizeof error), RANDOM_HANGS, "%s", error);
}
