// second-opinion: kernels run by Tandem and by another OpenCL implementation, compared word for word.
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/options.h"
#include "common/seed.h"
#include "kernel_maker.h"
#include "runs.h"

static const char help[] =
    "usage: second-opinion random [OPTION]...     random kernels\n"
    "       second-opinion files FILE.cl...       every kernel (in, out, n) or (in, out, n, local) of these files\n"
    "       second-opinion ways [OPTION]...       random kernels, compiled plainly and with other options\n"
    "Each kernel is run by Tandem and by the OpenCL implementation of this machine (PoCL); what they write must be "
    "equal.\n"
    "With ways nobody else is asked: sub-vector segments, calls, few registers, YIELDs must change no bit.\n"
    "In files, a comment \"// limit of GLOB: N ulp\" lets the floats that kernels of such names write differ by so\n"
    "much; \"// range of GLOB: 8 x 4 x 4 in groups of 4 x 2 x 2\" says how they are launched.\n"
    "  --device NAME   default model:small\n"
    "  --count N       random kernels (default 500)\n"
    "  --seed N        of the first (default: what TANDEM_SEED says, else a fresh one)\n"
    "  --jobs N        at a time (default 1)\n"
    "  --batch N       random kernels in one program (default 25)\n"
    "  --features N    sum of 1 float, 2 64-bit integers, 4 vectors, 8 local memory, 16 private arrays, 32 functions,\n"
    "                  64 structures, 128 loops without a bound (default 255)\n"
    "  --tries N       runs spent on making a failing kernel small (default 150)\n"
    "  --out FOLDER    where failing kernels are written (default: the current one)\n"
    "  --cache FOLDER  PoCL keeps what it has built there, for the next time (default: nowhere)\n"
    "  --ways N        other ways that each program of a batch is compiled in (default 2)\n"
    "  --way N         the number of the first of them (default: from the seed)\n"
    "  --times 1       tells the processor time of each part\n"
    "  --errors 1      tells the largest difference of each kernel of a file that has a limit\n"
    "Exit status 1 when an answer differs, 2 when an option is wrong or there is no other implementation.\n";

static bool parse(int argc, char **argv, struct options *o) {
    const struct option_row rows[] = {
        {"--device", NULL, 0, 0, &o->device},
        {"--out", NULL, 0, 0, &o->out},
        {"--cache", NULL, 0, 0, &o->cache},
        {"--count", &o->count, 1, UINT32_MAX, NULL},
        {"--seed", &o->seed, 0, UINT64_MAX, NULL},
        {"--jobs", &o->jobs, 1, JOBS_MAX, NULL},
        {"--features", &o->features, 0, FEATURE_ALL, NULL},
        {"--tries", &o->tries, 0, 100000, NULL},
        {"--batch", &o->batch, 1, KERNELS_MAX, NULL},
        {"--ways", &o->ways, 1, 64, NULL},
        {"--way", &o->way, 1, UINT64_MAX, NULL},
        {"--times", &o->times, 0, 1, NULL},
        {"--errors", &o->errors, 0, 1, NULL},
    };
    return options_parse("second-opinion", rows, sizeof rows / sizeof rows[0], argc - 1, argv + 1, o->files,
                         &o->file_count);
}

void tell_times(const struct spent *spent) {
    printf("processor seconds: Tandem compiling %.1f, running %.1f; the other building %.1f, running %.1f\n",
           spent->compiling, spent->running, spent->other_building, spent->other_running);
}

// In a process of its own: what an implementation starts (threads) must not be there when compare() forks.
static bool find_other(char text[ERROR_SIZE]) {
    int ends[2];
    if (pipe(ends) != 0) {
        snprintf(text, ERROR_SIZE, "no pipe: %s", strerror(errno));
        return false;
    }
    const pid_t child = fork();
    if (child == 0) {
        const bool there = other_there(text);
        const ssize_t written = write(ends[1], text, strlen(text));
        _exit(there && written > 0 ? 0 : 1);
    }
    (void)close(ends[1]);
    const ssize_t size = read(ends[0], text, ERROR_SIZE - 1);
    text[size > 0 ? size : 0] = '\0';
    (void)close(ends[0]);
    int status = 1;
    if (size <= 0) snprintf(text, ERROR_SIZE, "the other implementation breaks down when it is opened");
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv) {
    struct options o = {.device = "model:small",
                        .out = ".",
                        .count = 500,
                        .seed = seed_from_environment(),
                        .jobs = 1,
                        .batch = 25,
                        .features = FEATURE_ALL,
                        .tries = 150,
                        .ways = 2};
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    const char *what = argc >= 2 ? argv[1] : "";
    const bool random = strcmp(what, "random") == 0, files = strcmp(what, "files") == 0,
               ways = strcmp(what, "ways") == 0;
    if (!random && !files && !ways) {
        fprintf(stderr, "second-opinion: say random, files or ways; see --help\n");
        return 2;
    }
    o.files = calloc((size_t)argc, sizeof *o.files);
    int result = 2;
    char other[ERROR_SIZE];
    if (o.files != NULL && parse(argc, argv, &o)) {
        if (o.cache != NULL) (void)setenv("POCL_CACHE_DIR", o.cache, 1);
        (void)setenv("POCL_KERNEL_CACHE", o.cache != NULL ? "1" : "0", o.cache != NULL);
        if (!files && o.file_count > 0) {
            fprintf(stderr, "second-opinion: %s takes no files\n", what);
        } else if (files && o.file_count == 0) {
            fprintf(stderr, "second-opinion: files: name one at least\n");
        } else if (ways) {
            result = run_ways(&o);
        } else if (!find_other(other)) {
            fprintf(stderr, "second-opinion: %s\n", other);
        } else {
            result = random ? run_random_kernels(&o) : run_files(&o, other);
        }
    }
    free(o.files);
    return result;
}
