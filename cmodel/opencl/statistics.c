// TANDEM_STATS: a table per kernel.
#include "opencl/statistics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"
#include "opencl/environment.h"

struct kernel_statistics {
    struct kernel_statistics *next;
    uint64_t launches, cycles, warp_instructions, thread_instructions, misses;
    char name[];
};

// Of level 1, all multiprocessors.
static uint64_t count_misses(cl_device_id device) {
    uint64_t misses = 0;
    for (uint32_t sm = 0; sm < device->info.sms; sm++) {
        tandem_reg_write(device->device, REG_WARP_SELECT, sm << 8);
        misses += tandem_reg_read(device->device, REG_L1_MISSES);
    }
    tandem_reg_write(device->device, REG_WARP_SELECT, 0);
    return misses;
}

static void measure(cl_device_id device, struct measured *to) {
    struct tandem_statistics now;
    tandem_get_statistics(device->device, &now);
    *to = (struct measured){true, now.warp_instructions, now.thread_instructions, count_misses(device)};
}

void statistics_begin(cl_device_id device, struct measured *before) {
    *before = (struct measured){.on = environment_text("TANDEM_STATS") != NULL};
    if (before->on) measure(device, before);
}

void statistics_end(cl_device_id device, const char *kernel, const struct measured *before, uint64_t nanoseconds) {
    struct measured after;
    if (!before->on) return;
    measure(device, &after);
    pthread_mutex_lock(&device->lock);
    struct kernel_statistics **at = &device->statistics;
    while (*at != NULL && strcmp((*at)->name, kernel) != 0)
        at = &(*at)->next;
    if (*at == NULL && (*at = calloc(1, sizeof **at + strlen(kernel) + 1)) != NULL) strcpy((*at)->name, kernel);
    if (*at != NULL) {
        (*at)->launches++;
        (*at)->cycles += nanoseconds / device->info.ns_per_cycle;
        (*at)->warp_instructions += after.warp_instructions - before->warp_instructions;
        (*at)->thread_instructions += after.thread_instructions - before->thread_instructions;
        (*at)->misses += after.misses - before->misses;
    }
    pthread_mutex_unlock(&device->lock);
}

static void print_row(cl_device_id device, const struct kernel_statistics *row) {
    const double room = (double)row->warp_instructions * device->info.threads;
    fprintf(stderr, "%-24s %9" PRIu64 " %14" PRIu64 " %14" PRIu64 " %8.1f %12" PRIu64 "\n", row->name, row->launches,
            row->cycles, row->warp_instructions, room > 0 ? 100 * (double)row->thread_instructions / room : 0,
            row->misses);
}

void statistics_print(cl_device_id device) {
    if (device->statistics != NULL)
        fprintf(stderr, "tandem-opencl: %s\n%-24s %9s %14s %14s %8s %12s\n", device->name, "kernel", "launches",
                "cycles", "instructions", "useful %", "L1 misses");
    for (struct kernel_statistics *at = device->statistics, *next; at != NULL; at = next) {
        next = at->next;
        print_row(device, at);
        free(at);
    }
    device->statistics = NULL;
}
