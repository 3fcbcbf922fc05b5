// `make bench`: how fast model, RTL and the tandem check are, and how many cycles the host side takes. Figures, never a
// verdict.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "demo/picture.h"
#include "demo/ride.h"
#include "driver/command.h"
#include "gen/config.h"
#include "isa/assembler.h"
#include "yields.h"

static const char help[] =
    "usage: speed [PICTURE.pgm]\n"
    "Prints speeds of the C model, the simulated RTL and the tandem check on the demo's kernels (PICTURE or a gradient "
    "with noise),\n"
    "and cycles of the host interface. About a minute. The figures depend on the machine; the ratios less so.\n";

static struct picture picture;

static void make_picture(uint32_t width, uint32_t height) {
    picture = (struct picture){
        .width = width, .height = height, .channels = 1, .maximum = 255, .size = (size_t)width * height};
    picture.samples = malloc(picture.size);
    if (picture.samples == NULL) exit(1);
    uint32_t random = 1;
    for (size_t i = 0; i < picture.size; i++) {
        random = random * 1664525 + 1013904223;
        picture.samples[i] = (uint8_t)(40 + 100 * (i % width) / width + (random >> 28));
    }
}

// The demo `times` times over; the figures of all of it.
static bool ride(const char *device, size_t samples, unsigned times, struct tandem_statistics *s) {
    struct ride ride = {0};
    uint8_t *out = malloc(picture.size);
    if (samples > picture.size) samples = picture.size;
    bool good = out != NULL && ride_begin(&ride, device, "tests/kernels");
    for (unsigned i = 0; i < times && good; i++)
        good = ride_equalize(&ride, picture.samples, out, samples);
    good = ride_end(&ride, s) && good;
    free(out);
    if (!good) fprintf(stderr, "speed: %s: the demo failed\n", device);
    return good;
}

static bool measure_model(void) {
    printf("model alone, the demo's kernels:\n");
    for (unsigned c = 0; c < PPU_CONFIG_COUNT; c++) {
        char name[64];
        struct tandem_statistics s;
        snprintf(name, sizeof name, "model:%s", ppu_config_names[c]);
        if (!ride(name, picture.size, 5, &s)) return false;
        printf("  %-6s %8.1f million thread-instructions/s  (%.1f million in %.2f s)\n", ppu_config_names[c],
               (double)s.thread_instructions / s.seconds * 1e-6, (double)s.thread_instructions * 1e-6, s.seconds);
    }
    return true;
}

// The fastest of some runs: a busy machine only ever makes a run slower. RTL and tandem take turns, so that both see
// the same machine.
static bool fastest(const struct ppu_config *config, double speeds[2], struct tandem_statistics *s) {
    static const char *const backends[2] = {"rtl", "tandem"};
    speeds[0] = speeds[1] = 0;
    for (int run = 0; run < 6; run++) {
        char name[64];
        snprintf(name, sizeof name, "%s:%s", backends[run % 2], config->name);
        if (!ride(name, 20000, 1, s)) return false;
        double speed = (double)s->cycles / s->seconds;
        if (speed > speeds[run % 2]) speeds[run % 2] = speed;
    }
    return true;
}

static bool measure_rtl(void) {
    printf("simulated RTL and the tandem check, the demo's kernels (fastest of three runs each):\n");
    for (unsigned c = 0; c < PPU_CONFIG_COUNT; c++) {
        const struct ppu_config *config = &ppu_configs[c];
        struct tandem_statistics s;
        double speeds[2];
        if (!fastest(config, speeds, &s)) return false;
        printf(
            "  %-6s rtl %7.0f cycles/s, tandem %7.0f cycles/s, cost of the check %.2f; %.4f warp-instructions/cycle\n",
            config->name, speeds[0], speeds[1], speeds[0] / speeds[1], (double)s.warp_instructions / (double)s.cycles);
    }
    return true;
}

// Arithmetic only, every warp full: how close an SM comes to a portion in every cycle.
static const char arithmetic[] =
    ".kernel arithmetic\n.registers 8\n"
    "    MOV R0, 400\n"
    "loop:\n"
    "    IMAD R1, R1, R0, R2\n    IADD R2, R1, 7\n    XOR R3, R2, R1\n    SHL R4, R3, 3\n    IADD R5, R4, R5\n    IMIN "
    "R6, R5, R4\n"
    "    ISUB R0, R0, 1\n    ISETP.NE P0, R0, 0\n    @P0 BRA loop\n    EXIT\n";

static bool check(struct tandem_device *device, enum tandem_status status) {
    if (status == TANDEM_OK) return true;
    fprintf(stderr, "speed: %s: %s\n", tandem_status_name(status), tandem_message(device));
    return false;
}

static bool measure_issue(void) {
    printf(
        "arithmetic alone, all warps full (limit: a portion in every cycle; branches need no lanes, so a little more "
        "is possible):\n");
    struct code_object object;
    char error[256];
    void *elf = NULL;
    size_t size = 0;
    if (!assemble(arithmetic, sizeof arithmetic - 1, "arithmetic", &object, error, sizeof error) ||
        !code_object_write(&object, &elf, &size, error, sizeof error)) {
        fprintf(stderr, "speed: %s\n", error);
        return false;
    }
    bool good = true;
    for (unsigned c = 0; c < PPU_CONFIG_COUNT && good; c++) {
        const struct ppu_config *config = &ppu_configs[c];
        char name[64];
        snprintf(name, sizeof name, "rtl:%s", config->name);
        struct tandem_device *device = NULL;
        struct tandem_channel *channel = NULL;
        struct tandem_module *module = NULL;
        struct tandem_statistics s;
        if (tandem_open(name, &device, error, sizeof error) != TANDEM_OK) return false;
        struct tandem_range range = {
            .dimensions = 1, .global = {config->threads * config->warps * config->sms}, .local = {config->threads}};
        good = check(device, tandem_module_load(device, elf, size, &module)) &&
               check(device, tandem_channel_open(device, 8, 0, &channel)) &&
               check(device, tandem_launch(channel, module, "arithmetic", &range, NULL, 0)) &&
               check(device, tandem_finish(channel, 0));
        tandem_get_statistics(device, &s);
        double issue = (double)s.warp_instructions / (double)s.cycles / config->sms,
               limit = (double)config->lanes / (double)config->threads;
        printf("  %-6s %.4f instructions/cycle of an SM, %.0f %% of the limit %.4f\n", config->name, issue,
               100 * issue / limit, limit);
        if (channel != NULL) tandem_channel_close(channel);
        tandem_module_unload(module);
        good = tandem_close(device) == TANDEM_OK && good;
    }
    free(elf);
    code_object_free(&object);
    return good;
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
    char error[512];
    if (argc > 1) {
        if (!picture_read(argv[1], &picture, error, sizeof error)) {
            fprintf(stderr, "speed: %s\n", error);
            return 1;
        }
    } else {
        make_picture(320, 240);
    }
    bool good =
        measure_model() && measure_rtl() && measure_issue() && measure_wake() && measure_entries() && measure_yields();
    picture_free(&picture);
    return good ? 0 : 1;
}
