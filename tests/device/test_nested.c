// Programs that make their own work on the PPU (tests/nested), on every kind of device, against plain C.
#include "nested/nested.h"

#include <stdio.h>
#include <stdlib.h>

#include "on_devices.h"

#define DEADLINE 400000000u

static struct nested begin(const char *device, const struct tandem_work_queue *queue) {
    struct nested n;
    cr_assert(nested_open(&n, device, KERNELS_BUILT "/nested.elf", queue), "%s", n.error);
    n.deadline = DEADLINE;
    return n;
}

static void end(struct nested *n) {
    cr_assert(nested_close(n), "%s", n->error);
}

static void mandelbrot(const char *device) {
    struct nested n = begin(device, NULL);
    uint8_t picture[32 * 32];
    cr_expect(nested_mandelbrot(&n, 32, 20, picture), "%s", n.error);
    end(&n);
}
ON_DEVICES(nested, mandelbrot, "WQ-10 WQ-17 WQ-25 WQ-26 TU-6 a picture by recursive subdivision")

// A ring far smaller than the number of launches.
static void quicksort(const char *device) {
    const struct tandem_work_queue queue = {.entries = 12, .pieces = 256};
    struct nested n = begin(device, &queue);
    cr_expect(nested_quicksort(&n, 450, 5), "%s", n.error);
    cr_expect(nested_quicksort(&n, 1, 6), "%s", n.error);
    end(&n);
}
ON_DEVICES(nested, quicksort, "WQ-15 WQ-22 WQ-26 WQ-28 WQ-29 sorting, each piece launches its halves, a ring of 12")

// The same where the CPU moves GP_PUT.
static void quicksort_software(const char *device) {
    char full[64];
    snprintf(full, sizeof full, "%s,put=software", device);
    quicksort(full);
}
ON_DEVICES(nested, quicksort_software, "WQ-18 WQ-22 WQ-29 sorting with a ring of 12 whose GP_PUT the CPU moves")

static void search(const char *device) {
    struct nested n = begin(device, NULL);
    uint32_t levels = 0;
    cr_expect(nested_search(&n, 90, 3, &levels), "%s", n.error);
    cr_expect_geq(levels, 3, "%u levels", levels);
    end(&n);
}
ON_DEVICES(nested, search, "WQ-17 WQ-25 WQ-26 breadth-first search, the frontier of a level launches the next")

// make long: 100000 of them, on every configuration.
Test(nested, many_keys,
     .description = "WQ-26 WQ-29 20000 keys sorted by a kernel that launches its own halves [model]") {
    struct nested n = begin("model:full", NULL);
    cr_expect(nested_quicksort(&n, 20000, 11), "%s", n.error);
    end(&n);
}

// The CPU's way needs a wake-up for each level and moves each launch over the link.
static void cost(const char *device) {
    struct nested n = begin(device, NULL);
    struct nested_cost ppu, cpu;
    cr_assert(nested_mandelbrot_cost(&n, 32, 16, false, &ppu), "%s", n.error);
    cr_assert(nested_mandelbrot_cost(&n, 32, 16, true, &cpu), "%s", n.error);
    cr_expect_eq(ppu.launches, cpu.launches);
    cr_expect_gt(ppu.launches, 4);
    cr_expect_lt(ppu.cpu_wakeups, cpu.cpu_wakeups);
    cr_expect_lt(ppu.link_words, cpu.link_words);
    end(&n);
}
Test(nested, cost_model,
     .description = "WQ-25 WQ-30 nested launches by the PPU and by the CPU, the same picture [model]") {
    cost("model:small,link=1000");
}
Test(nested, cost_tandem,
     .description = "WQ-25 WQ-30 nested launches by the PPU and by the CPU, the same picture [tandem]") {
    cost("tandem:small,link=1000");
}

Test(nested, wrong_sizes, .description = "sizes that the programs do not take are refused [model]") {
    struct nested n = begin("model:nano", NULL);
    uint8_t picture[64];
    uint32_t levels = 0;
    cr_expect_not(nested_mandelbrot(&n, 12, 20, picture));
    cr_expect_not(nested_mandelbrot(&n, 8, 0, picture));
    cr_expect_not(nested_quicksort(&n, 0, 1));
    cr_expect_not(nested_search(&n, 1, 1, &levels));
    end(&n);
}
