// `make bench`: how many cycles the host interface takes. Figures, never a verdict.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/tandem.h"
#include "gen/config.h"
#include "rtl_device.h"

static const char help[] =
    "usage: speed\n"
    "Prints cycles of the host interface on the simulated RTL: from a release to the acquire it wakes, and of a GP "
    "entry.\n"
    "What the multiprocessor and the simulation take: sm-bench.\n";

static bool check(struct tandem_device *device, enum tandem_status status) {
    if (status == TANDEM_OK) return true;
    fprintf(stderr, "speed: %s: %s\n", tandem_status_name(status), tandem_message(device));
    return false;
}

// Cycle numbers of the events of a trace whose text holds `what`, from line `from` on; the first such.
static bool find_event(FILE *trace, const char *kind, const char *field, uint64_t *cycle) {
    char line[4096];
    while (fgets(line, sizeof line, trace) != NULL) {
        if (strstr(line, kind) == NULL || (field != NULL && strstr(line, field) == NULL)) continue;
        char *digits = strpbrk(line, "0123456789");
        if (digits == NULL) continue;
        *cycle = strtoull(digits, NULL, 10);
        return true;
    }
    return false;
}

// Channel 0 waits on a semaphore, channel 1 releases it: cycles from the release (performed) to the acquire (done).
static bool measure_wake(void) {
    printf("from a release to the acquire it wakes (another channel's, no poll: ACQUIRE_RETRY is 1000000):\n");
    for (unsigned c = 0; c < PPU_CONFIG_COUNT; c++) {
        if (rtl_ops_find(ppu_config_names[c]) == NULL) continue;  // not built
        char name[256], path[] = "/tmp/tandem-speed-XXXXXX", message[512];
        int descriptor = mkstemp(path);
        if (descriptor < 0) return false;
        close(descriptor);
        snprintf(name, sizeof name, "rtl:%s,trace=%s", ppu_config_names[c], path);
        struct tandem_device *device = NULL;
        struct tandem_channel *waiting = NULL, *releasing = NULL;
        tandem_addr gate = 0;
        if (tandem_open(name, &device, message, sizeof message) != TANDEM_OK) return false;
        bool good = check(device, tandem_alloc(device, 4, 32, &gate)) &&
                    check(device, tandem_channel_open(device, 8, 0, &waiting)) &&
                    check(device, tandem_channel_open(device, 8, 0, &releasing));
        tandem_reg_write(device, 0x1000 + 0x1C, 1000000);
        good = good && check(device, tandem_semaphore_acquire(waiting, gate, 1)) &&
               check(device, tandem_submit(waiting)) && check(device, tandem_run(device, 2000)) &&
               check(device, tandem_semaphore_release(releasing, gate, 1, false)) &&
               check(device, tandem_submit(releasing)) && check(device, tandem_finish(waiting, 100000));
        if (waiting != NULL) tandem_channel_close(waiting);
        if (releasing != NULL) tandem_channel_close(releasing);
        good = tandem_close(device) == TANDEM_OK && good;
        FILE *trace = good ? fopen(path, "r") : NULL;
        uint64_t released = 0, acquired = 0;
        if (trace != NULL && find_event(trace, "SEMAPHORE", "operation=0x2 ", &released) &&
            find_event(trace, "SEMAPHORE", "done=0x1", &acquired)) {
            printf("  %-6s %llu cycles\n", ppu_config_names[c], (unsigned long long)(acquired - released));
        } else {
            printf("  %-6s not seen in the trace\n", ppu_config_names[c]);
        }
        if (trace != NULL) fclose(trace);
        remove(path);
        if (!good) return false;
    }
    return true;
}

static bool measure_entries(void) {
    printf("GP entries, each a block of one semaphore release (no WFI), memory latency 12 cycles:\n");
    for (unsigned c = 0; c < PPU_CONFIG_COUNT; c++) {
        if (rtl_ops_find(ppu_config_names[c]) == NULL) continue;  // not built
        enum { ENTRIES = 500 };
        char name[64], message[512];
        snprintf(name, sizeof name, "rtl:%s,latency=12", ppu_config_names[c]);
        struct tandem_device *device = NULL;
        struct tandem_channel *channel = NULL;
        tandem_addr gate = 0, word = 0;
        if (tandem_open(name, &device, message, sizeof message) != TANDEM_OK) return false;
        bool good = check(device, tandem_alloc(device, 4, 32, &gate)) &&
                    check(device, tandem_alloc(device, 4, 32, &word)) &&
                    check(device, tandem_channel_open(device, 1024, 0, &channel)) &&
                    check(device, tandem_semaphore_acquire(channel, gate, 1)) && check(device, tandem_submit(channel));
        for (uint32_t i = 1; i <= ENTRIES && good; i++) {
            good = check(device, tandem_semaphore_release(channel, word, i, false)) &&
                   check(device, tandem_submit(channel));
        }
        struct tandem_statistics before, after;
        tandem_get_statistics(device, &before);
        uint32_t one = 1;
        good = good && check(device, tandem_write(device, gate, &one, 4)) &&
               check(device, tandem_wait(channel, word, ENTRIES, 0));
        tandem_get_statistics(device, &after);
        const double cycles = (double)(after.cycles - before.cycles) / ENTRIES;
        printf("  %-6s %.1f cycles/entry, %.0f entries/s at %u ns a cycle\n", ppu_config_names[c], cycles,
               1e9 / (cycles * ppu_configs[c].ns_per_cycle), ppu_configs[c].ns_per_cycle);
        if (channel != NULL) tandem_channel_close(channel);
        good = tandem_close(device) == TANDEM_OK && good;
        if (!good) return false;
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    if (argc > 1) {
        fprintf(stderr, "speed: %s: there are no options but --help\n", argv[1]);
        return 2;
    }
    return measure_wake() && measure_entries() ? 0 : 1;
}
