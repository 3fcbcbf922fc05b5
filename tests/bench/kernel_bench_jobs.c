// The kernels of build/kernel-bench: their inputs, launches, and what plain C comes to.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_bench.h"

enum { WORDS_MAX = 1 << 16, BINS = 256, FFT = 512, SORTED = 256, BODIES = 128 };

static const struct ppu_config *config_of(const struct kernel_run *run) {
    return run->device.config;
}

// Of all warps that can be resident.
static uint32_t threads_of(const struct ppu_config *config) {
    return config->threads * config->warps * config->sms;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool launch(struct kernel_run *run, const struct tandem_range *range, const struct tandem_argument *arguments,
                   size_t count) {
    return bench_launch(&run->device, run->kernel, range, arguments, count, &run->figures);
}

// Floats whose last bits depend on the order: relative to the largest.
static bool close_to(struct kernel_run *run, tandem_addr at, const double *expected, size_t count, double error) {
    uint32_t *got = calloc(count, sizeof *got);
    bool good = got != NULL && tandem_read(run->device.device, at, got, 4 * count) == TANDEM_OK;
    double largest = 0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(expected[k]));
    for (size_t k = 0; k < count && good; k++) {
        good = fabs((double)float_of(got[k]) - expected[k]) <= error * largest;
        if (!good)
            fprintf(stderr, "kernel-bench: %s: %s: wrong result: number %zu is %g, must be near %g\n",
                    config_of(run)->name, run->kernel, k, (double)float_of(got[k]), expected[k]);
    }
    free(got);
    return good;
}

// ---- matrix products ----

static bool matrices(struct kernel_run *run, uint32_t group_x, uint32_t group_y, uint32_t outputs) {
    const uint32_t n = run->n != 0 ? run->n : 64;
    const size_t words = (size_t)n * n;
    uint32_t *in[2] = {malloc(4 * words), malloc(4 * words)}, *out = malloc(4 * words), random = 1;
    for (size_t k = 0; k < 2 * words; k++)
        in[k & 1][k / 2] = bits_of((float)(int32_t)(bench_random(&random) % 2001 - 1000) / 64.0f);
    for (uint32_t row = 0; row < n; row++) {
        for (uint32_t column = 0; column < n; column++) {
            float sum = 0;
            for (uint32_t k = 0; k < n; k++)
                sum = fmaf(float_of(in[0][row * n + k]), float_of(in[1][k * n + column]), sum);
            out[row * n + column] = bits_of(sum);
        }
    }
    const struct tandem_range range = {
        .dimensions = 2, .global = {n / outputs, n / outputs}, .local = {group_x, group_y}};
    tandem_addr at[3];
    const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&at[2], 4}, {&n, 4}};
    const bool good = bench_buffer(&run->device, words, in[0], &at[0]) &&
                      bench_buffer(&run->device, words, in[1], &at[1]) &&
                      bench_buffer(&run->device, words, NULL, &at[2]) && launch(run, &range, arguments, 4) &&
                      bench_compare(&run->device, run->kernel, at[2], out, words);
    run->useful = (double)n * n * n;
    free(in[0]);
    free(in[1]);
    free(out);
    return good;
}

static bool sgemm_naive(struct kernel_run *run) {
    return matrices(run, config_of(run)->threads, 1, 1);
}

static bool sgemm_tiled(struct kernel_run *run) {
    const uint32_t tile = kernel_tile(config_of(run));
    return matrices(run, tile, tile, 1);
}

static bool sgemm_blocks(struct kernel_run *run) {
    return matrices(run, 8, kernel_rows(config_of(run)), 4);
}

// ---- sums ----

static bool reduction(struct kernel_run *run) {
    static uint32_t in[WORDS_MAX], out[64];
    const struct ppu_config *config = config_of(run);
    const uint32_t group = config->threads * (config->warps < 4 ? config->warps / 2 : 2);
    const uint32_t size = threads_of(config), groups = size / group;
    const uint32_t n = config->threads == 64 ? WORDS_MAX : WORDS_MAX / 4;
    uint32_t random = 2;
    memset(out, 0, sizeof out);
    for (uint32_t k = 0; k < n; k++) {
        in[k] = bench_random(&random);
        out[k % size / group] += in[k];
    }
    const struct tandem_range range = {.dimensions = 1, .global = {size}, .local = {group}};
    tandem_addr from, to;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    run->useful = 4.0 * n;
    return bench_buffer(&run->device, n, in, &from) && bench_buffer(&run->device, groups, NULL, &to) &&
           launch(run, &range, arguments, 3) && bench_compare(&run->device, run->kernel, to, out, groups);
}

static bool scan(struct kernel_run *run) {
    static uint32_t in[WORDS_MAX], out[WORDS_MAX];
    const uint32_t group = 64, groups = threads_of(config_of(run)) / group, span = 512, n = groups * span;
    uint32_t random = 3;
    for (uint32_t k = 0; k < n; k++) {
        in[k] = bench_random(&random);
        out[k] = in[k] + (k % span == 0 ? 0 : out[k - 1]);
    }
    const struct tandem_range range = {.dimensions = 1, .global = {groups * group}, .local = {group}};
    tandem_addr from, to;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&span, 4}};
    run->useful = n;
    return bench_buffer(&run->device, n, in, &from) && bench_buffer(&run->device, n, NULL, &to) &&
           launch(run, &range, arguments, 3) && bench_compare(&run->device, run->kernel, to, out, n);
}

// ---- streams ----

static bool saxpy(struct kernel_run *run) {
    static uint32_t x[8192], y[8192], out[8192];
    const struct ppu_config *config = config_of(run);
    const uint32_t n = sizeof x / sizeof *x, a = bits_of(1.5f);
    uint32_t random = 4;
    for (uint32_t k = 0; k < n; k++) {
        x[k] = bits_of((float)(bench_random(&random) % 4096));
        y[k] = bits_of((float)(bench_random(&random) % 4096));
        out[k] = bits_of(fmaf(1.5f, float_of(x[k]), float_of(y[k])));
    }
    const struct tandem_range range = {.dimensions = 1, .global = {threads_of(config)}, .local = {config->threads}};
    tandem_addr from, to;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&a, 4}, {&n, 4}};
    run->useful = 8.0 * n;
    return bench_buffer(&run->device, n, x, &from) && bench_buffer(&run->device, n, y, &to) &&
           launch(run, &range, arguments, 4) && bench_compare(&run->device, run->kernel, to, out, n);
}

static bool copy(struct kernel_run *run) {
    static uint32_t in[16384];
    const struct ppu_config *config = config_of(run);
    const uint32_t n = sizeof in / sizeof *in;
    uint32_t random = 5;
    for (uint32_t k = 0; k < n; k++)
        in[k] = bench_random(&random);
    const struct tandem_range range = {.dimensions = 1, .global = {threads_of(config)}, .local = {config->threads}};
    tandem_addr from, to;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    run->useful = 4.0 * n;
    return bench_buffer(&run->device, n, in, &from) && bench_buffer(&run->device, n, NULL, &to) &&
           launch(run, &range, arguments, 3) && bench_compare(&run->device, run->kernel, to, in, n);
}

static bool stencil(struct kernel_run *run) {
    const struct ppu_config *config = config_of(run);
    const uint32_t width = 64, height = config->threads == 64 ? 128 : 32;
    static uint32_t in[64 * 128], out[64 * 128];
    uint32_t random = 6;
    for (uint32_t k = 0; k < width * height; k++)
        in[k] = bench_random(&random) & 0xFFFFF;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t at = y * width + x;
            const bool inner = x > 0 && y > 0 && x + 1 < width && y + 1 < height;
            out[at] = inner ? (4 * in[at] + in[at - 1] + in[at + 1] + in[at - width] + in[at + width]) >> 3 : in[at];
        }
    }
    const struct tandem_range range = {.dimensions = 2, .global = {width, height}, .local = {config->threads, 1}};
    tandem_addr from, to;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&width, 4}, {&height, 4}};
    run->useful = 4.0 * width * height;
    return bench_buffer(&run->device, width * height, in, &from) &&
           bench_buffer(&run->device, width * height, NULL, &to) && launch(run, &range, arguments, 4) &&
           bench_compare(&run->device, run->kernel, to, out, width * height);
}

static bool transpose(struct kernel_run *run) {
    static uint32_t in[128 * 128], out[128 * 128];
    const uint32_t n = 128, tile = kernel_tile(config_of(run));
    uint32_t random = 7;
    for (uint32_t k = 0; k < n * n; k++) {
        in[k] = bench_random(&random);
        out[k % n * n + k / n] = in[k];
    }
    const struct tandem_range range = {.dimensions = 2, .global = {n, n}, .local = {tile, tile}};
    tandem_addr from, to;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    run->useful = 4.0 * n * n;
    return bench_buffer(&run->device, n * n, in, &from) && bench_buffer(&run->device, n * n, NULL, &to) &&
           launch(run, &range, arguments, 3) && bench_compare(&run->device, run->kernel, to, out, n * n);
}

static bool histogram(struct kernel_run *run) {
    static uint8_t in[8192];
    uint32_t words[sizeof in / 4], out[BINS] = {0}, random = 8;
    const struct ppu_config *config = config_of(run);
    const uint32_t n = sizeof in;
    for (uint32_t k = 0; k < n; k++) {
        in[k] = (uint8_t)(40 + k * 100 / n + (bench_random(&random) & 15u));
        out[in[k]]++;
    }
    memcpy(words, in, sizeof in);
    const struct tandem_range range = {.dimensions = 1, .global = {threads_of(config)}, .local = {config->threads}};
    tandem_addr from, to;
    const struct tandem_argument arguments[] = {{&from, 4}, {&n, 4}, {&to, 4}};
    run->useful = n;
    return bench_buffer(&run->device, n / 4, words, &from) && bench_buffer(&run->device, BINS, NULL, &to) &&
           launch(run, &range, arguments, 3) && bench_compare(&run->device, run->kernel, to, out, BINS);
}

// ---- arithmetic ----

static bool n_body(struct kernel_run *run) {
    static uint32_t in[4 * BODIES];
    static double out[4 * BODIES];
    const uint32_t n = BODIES;
    uint32_t random = 9;
    for (uint32_t k = 0; k < 4 * n; k++)
        in[k] = bits_of((float)(bench_random(&random) % 1000) / 100.0f);
    memset(out, 0, sizeof out);
    for (uint32_t k = 0; k < n * n; k++) {
        double d[3], square = 0.01;
        for (uint32_t c = 0; c < 3; c++) {
            d[c] = (double)float_of(in[k % n * 4 + c]) - (double)float_of(in[k / n * 4 + c]);
            square += d[c] * d[c];
        }
        for (uint32_t c = 0; c < 3; c++)
            out[k / n * 4 + c] += d[c] * (double)float_of(in[k % n * 4 + 3]) / (square * sqrt(square));
    }
    const struct tandem_range range = {.dimensions = 1, .global = {n}, .local = {config_of(run)->threads}};
    tandem_addr from, to;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    run->useful = 13.0 * n * n;  // three differences, six of the distance and its root, a pull, three sums
    return bench_buffer(&run->device, (size_t)4 * n, in, &from) &&
           bench_buffer(&run->device, (size_t)4 * n, NULL, &to) && launch(run, &range, arguments, 3) &&
           close_to(run, to, out, (size_t)4 * n, 1e-4);
}

static bool fft(struct kernel_run *run) {
    enum { MOST = 32 };
    static uint32_t in[2 * FFT * MOST], roots[FFT];
    static double out[2 * FFT * MOST];
    const double circle = 2 * acos(-1);
    const uint32_t groups = threads_of(config_of(run)) / 64;
    uint32_t random = 10;
    for (uint32_t k = 0; k < 2 * FFT * groups; k++)
        in[k] = bits_of((float)(bench_random(&random) % 2000) / 1000.0f - 1.0f);
    for (uint32_t k = 0; k < FFT / 2; k++) {
        roots[2 * k] = bits_of((float)cos(circle * k / FFT));
        roots[2 * k + 1] = bits_of((float)-sin(circle * k / FFT));
    }
    for (uint32_t k = 0; k < FFT * groups; k++) {
        double complex sum = 0;
        for (uint32_t i = 0; i < FFT; i++) {
            const uint32_t *at = &in[(k / FFT * FFT + i) * 2];
            sum += ((double)float_of(at[0]) + (double)float_of(at[1]) * I) *
                   cexp(-I * circle * (double)(i * (k % FFT) % FFT) / FFT);
        }
        out[2 * k] = creal(sum);
        out[2 * k + 1] = cimag(sum);
    }
    const struct tandem_range range = {.dimensions = 1, .global = {groups * 64}, .local = {64}};
    tandem_addr from, to, table;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&table, 4}};
    run->useful = 8.0 * (FFT / 2) * 9 * groups;  // of a butterfly: two products, two FFMAs, four sums
    return bench_buffer(&run->device, (size_t)2 * FFT * groups, in, &from) &&
           bench_buffer(&run->device, (size_t)2 * FFT * groups, NULL, &to) &&
           bench_buffer(&run->device, FFT, roots, &table) && launch(run, &range, arguments, 3) &&
           close_to(run, to, out, (size_t)2 * FFT * groups, 1e-5);
}

static int compare_words(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool radix_sort(struct kernel_run *run) {
    enum { MOST = 32 };
    static uint32_t in[SORTED * MOST], out[SORTED * MOST];
    const uint32_t groups = threads_of(config_of(run)) / 64;
    uint32_t random = 11;
    for (uint32_t k = 0; k < SORTED * groups; k++)
        in[k] = out[k] = bench_random(&random) & 0xFFFF;
    for (uint32_t g = 0; g < groups; g++)
        qsort(&out[g * SORTED], SORTED, sizeof *out, compare_words);
    const struct tandem_range range = {.dimensions = 1, .global = {groups * 64}, .local = {64}};
    tandem_addr from, to;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
    run->useful = 8.0 * SORTED * groups;  // a key's move in each pass
    return bench_buffer(&run->device, (size_t)SORTED * groups, in, &from) &&
           bench_buffer(&run->device, (size_t)SORTED * groups, NULL, &to) && launch(run, &range, arguments, 2) &&
           bench_compare(&run->device, run->kernel, to, out, (size_t)SORTED * groups);
}

static bool mandelbrot(struct kernel_run *run) {
    static uint32_t out[64 * 64];
    const struct ppu_config *config = config_of(run);
    const uint32_t width = config->threads == 64 ? 64 : 32, most = 64;
    const float cell = 3.0f / (float)width;
    double rounds = 0;
    for (uint32_t k = 0; k < width * width; k++) {
        const float x0 = fmaf((float)(k % width), cell, -2.25f), y0 = fmaf((float)(k / width), cell, -1.5f);
        float x = 0, y = 0;
        for (out[k] = 0; out[k] < most; out[k]++) {
            const float xx = x * x, yy = y * y;
            if (xx + yy > 4.0f) break;
            y = fmaf(x + x, y, y0);
            x = (xx - yy) + x0;
        }
        rounds += out[k];
    }
    const struct tandem_range range = {.dimensions = 2, .global = {width, width}, .local = {config->threads, 1}};
    tandem_addr to;
    const struct tandem_argument arguments[] = {{&to, 4}, {&width, 4}, {&most, 4}};
    run->useful = 8.0 * rounds;  // two squares, their sum, a test, x + x, an FFMA, a difference, a sum
    return bench_buffer(&run->device, (size_t)width * width, NULL, &to) && launch(run, &range, arguments, 3) &&
           bench_compare(&run->device, run->kernel, to, out, (size_t)width * width);
}

// ---- locks ----

static bool lock(struct kernel_run *run) {
    enum { THREADS = 64, ROUNDS = 2 };
    const uint32_t rounds = ROUNDS, all = THREADS * ROUNDS;
    const bool ticket = strcmp(run->kernel, "ticket_lock") == 0;
    const uint32_t state[3] = {ticket ? all : 0, all, ticket ? all : 0};
    const struct tandem_range range = {.dimensions = 1, .global = {THREADS}, .local = {THREADS}};
    tandem_addr shared, out;
    const struct tandem_argument arguments[] = {{&shared, 4}, {&out, 4}, {&rounds, 4}};
    return bench_buffer(&run->device, 64, NULL, &shared) && bench_buffer(&run->device, THREADS, NULL, &out) &&
           launch(run, &range, arguments, 3) && bench_compare(&run->device, run->kernel, shared, state, 3);
}

static const char set[] = "tests/bench/kernel_set.cl", old[] = "tests/bench/throughput.cl",
                  demo[] = "tests/kernels/histogram.cl", locks[] = "tests/kernels/progress.cl";

const struct kernel_job kernel_jobs[] = {
    {"sgemm naive", set, "sgemm_naive", FLOOR_LANES, sgemm_naive},
    {"sgemm tiled", old, "matrix_product", FLOOR_LANES, sgemm_tiled},
    {"sgemm 4x4", set, "sgemm_blocks", FLOOR_LANES, sgemm_blocks},
    {"reduction", old, "reduction", FLOOR_PORT, reduction},
    {"scan", set, "scan", FLOOR_LANES, scan},
    {"saxpy", set, "saxpy", FLOOR_PORT, saxpy},
    {"copy", set, "copy", FLOOR_PORT, copy},
    {"stencil", old, "stencil", FLOOR_PORT, stencil},
    {"transpose", set, "transpose", FLOOR_PORT, transpose},
    {"histogram", demo, "histogram", FLOOR_LANES, histogram},
    {"histogram local", set, "histogram_local", FLOOR_LANES, histogram},
    {"n-body", set, "n_body", FLOOR_LANES, n_body},
    {"FFT 512", set, "fft_512", FLOOR_LANES, fft},
    {"radix sort", set, "radix_sort", FLOOR_LANES, radix_sort},
    {"Mandelbrot", set, "mandelbrot", FLOOR_LANES, mandelbrot},
    {"spin lock", locks, "spin_lock", FLOOR_NONE, lock},
    {"ticket lock", locks, "ticket_lock", FLOOR_NONE, lock},
};
const size_t kernel_job_count = sizeof kernel_jobs / sizeof *kernel_jobs;
