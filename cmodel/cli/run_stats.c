// tandem run --stats: what the device has counted, per multiprocessor. The device is fresh, so that it is all of this
// run.
#include <stdio.h>

#include "cli.h"
#include "driver/tandem.h"
#include "gen/registers.h"

// Of the SM that WARP_SELECT names.
static const struct counter {
    const char *name;
    uint32_t offset;
} counters[] = {
    {"L1 hits", REG_L1_HITS},
    {"L1 misses", REG_L1_MISSES},
    {"bank passes", REG_SHARED_PASSES},
    {"bank conflicts", REG_SHARED_CONFLICTS},
};
enum { COUNTERS = sizeof counters / sizeof *counters };

static void print_head(const struct tandem_info *info, const struct tandem_statistics *s, uint32_t resident) {
    const double instructions = (double)s->warp_instructions;
    printf("warp instructions    %llu\n", (unsigned long long)s->warp_instructions);
    printf("thread instructions  %llu", (unsigned long long)s->thread_instructions);
    if (s->warp_instructions != 0)
        printf(" (%.1f of %u threads an instruction)", (double)s->thread_instructions / instructions, info->threads);
    printf("\n");
    printf("local accesses       %llu by threads, to memory of their own\n", (unsigned long long)s->local_accesses);
    if (info->backend[0] != 'm') {  // the model alone has steps, no clock
        printf("cycles               %llu", (unsigned long long)s->cycles);
        if (s->cycles != 0)
            printf(" (%.4f instructions/cycle of a multiprocessor; its lanes have room for %.4f)",
                   instructions / (double)s->cycles / info->sms, (double)info->lanes / info->threads);
        printf("\n");
    }
    printf("resident warps       %u at a time, of %u\n", resident, info->warps * info->sms);
}

void print_run_stats(struct tandem_device *device) {
    struct tandem_info info;
    struct tandem_statistics statistics;
    uint64_t sums[COUNTERS] = {0};
    tandem_get_info(device, &info);
    tandem_get_statistics(device, &statistics);
    print_head(&info, &statistics, tandem_reg_read(device, REG_WARPS_RESIDENT) >> 16);
    printf("%-16s", "multiprocessor");
    for (size_t k = 0; k < COUNTERS; k++)
        printf(" %14s", counters[k].name);
    printf("\n");
    for (uint32_t sm = 0; sm < info.sms; sm++) {
        tandem_reg_write(device, REG_WARP_SELECT, sm << 8);
        printf("%-16u", sm);
        for (size_t k = 0; k < COUNTERS; k++) {
            const uint32_t value = tandem_reg_read(device, counters[k].offset);
            sums[k] += value;
            printf(" %14u", value);
        }
        printf("\n");
    }
    tandem_reg_write(device, REG_WARP_SELECT, 0);
    if (info.sms > 1) {
        printf("%-16s", "all");
        for (size_t k = 0; k < COUNTERS; k++)
            printf(" %14llu", (unsigned long long)sums[k]);
        printf("\n");
    }
    if (info.backend[0] == 'm') printf("(the model alone has no level 1 cache)\n");
}
