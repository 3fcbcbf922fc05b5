// How fast the C model and the simulated RTL run on this machine, and what the tandem check costs, on the demo's
// kernels.
#include <stdio.h>
#include <string.h>

#include "demo/ride.h"
#include "processor_time.h"
#include "sm_bench.h"

enum { MODEL_SAMPLES = 320 * 240, RTL_SAMPLES = 8192, MODEL_TIMES = 20, RUNS = 3 };

// The demo `times` times over; seconds: of it alone, without the compiler.
static bool ride(const char *backend, const struct ppu_config *config, size_t samples, unsigned times, double *seconds,
                 struct tandem_statistics *s) {
    static uint8_t in[MODEL_SAMPLES], out[MODEL_SAMPLES], expected[MODEL_SAMPLES];
    struct ride ride = {0};
    char name[64];
    uint32_t random = 1;
    for (size_t k = 0; k < samples; k++)
        in[k] = (uint8_t)(40 + 100 * (k % 320) / 320 + (bench_random(&random) & 15u));
    equalize_plainly(in, expected, samples);
    snprintf(name, sizeof name, "%s:%s", backend, config->name);
    bool good = ride_begin(&ride, name, "tests/kernels");
    const double begin = processor_time();
    for (unsigned k = 0; k < times && good; k++) {
        good = ride_equalize(&ride, in, out, samples);
        if (good && memcmp(out, expected, samples) != 0) {
            fprintf(stderr, "sm-bench: %s: the demo: wrong result\n", name);
            good = false;
        }
    }
    *seconds = processor_time() - begin;
    return ride_end(&ride, s) && good;
}

// The fastest of some runs. RTL and tandem take turns, so that both see the same machine.
bool bench_speed(const struct ppu_config *config) {
    double model = 0, rtl[2] = {0, 0}, seconds;
    struct tandem_statistics s;
    for (int run = 0; run < RUNS; run++) {
        if (!ride("model", config, MODEL_SAMPLES, MODEL_TIMES, &seconds, &s)) return false;
        if ((double)s.thread_instructions / seconds > model) model = (double)s.thread_instructions / seconds;
    }
    for (int run = 0; run < 2 * RUNS; run++) {
        if (!ride(run % 2 == 0 ? "rtl" : "tandem", config, RTL_SAMPLES, 1, &seconds, &s)) return false;
        if ((double)s.cycles / seconds > rtl[run % 2]) rtl[run % 2] = (double)s.cycles / seconds;
    }
    printf(
        "  %-6s model %6.1f million thread-instructions/s; rtl %4.0f thousand cycles/s, tandem %4.0f: the check costs "
        "%.1f %%\n",
        config->name, model * 1e-6, rtl[0] * 1e-3, rtl[1] * 1e-3, 100 * (rtl[0] / rtl[1] - 1));
    return true;
}
