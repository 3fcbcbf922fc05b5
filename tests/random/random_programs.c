// random-programs: any number of random programs on a device; a failing one is made small and written to a file.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/jobs.h"
#include "common/options.h"
#include "common/seed.h"
#include "common/text_file.h"
#include "device/random_program.h"
#include "driver/tandem.h"
#include "random_case.h"

static const char help[] =
    "usage: random-programs [OPTION]...\n"
    "Runs random assembly programs and expects each to end, without a mismatch on tandem devices.\n"
    "  --device NAME   model:, rtl: or tandem:, without seed= and mem= (default tandem:nano)\n"
    "  --count N       how many (default 500)\n"
    "  --seed N        of the first; each further one has the next number (default: what TANDEM_SEED says, else a\n"
    "                  fresh one)\n"
    "  --jobs N        at a time (default 1)\n"
    "  --tries N       runs spent on making a failing program small (default 400; 0: leave it as it is)\n"
    "  --out FOLDER    where failing programs are written (default: the current one)\n"
    "  --file F --grid N --cta N --seed N   runs this program instead, as a failure's replay command does\n"
    "Exit status 1 when a program failed, 2 when an option is wrong.\n";

#define DEADLINE 3000000u

struct options {
    const char *device, *out, *file;
    uint64_t count, seed, jobs, tries, grid, cta;
};

// What the jobs do, and tell in memory that all share.
struct random_run {
    const struct options *options;
    uint32_t threads;
    struct progress {
        uint64_t done, failed, current;
    } * progress;
};

static bool parse(int argc, char **argv, struct options *o) {
    const struct option_row rows[] = {
        {"--device", NULL, 0, 0, &o->device},      {"--out", NULL, 0, 0, &o->out},
        {"--file", NULL, 0, 0, &o->file},          {"--count", &o->count, 1, UINT32_MAX, NULL},
        {"--seed", &o->seed, 0, UINT64_MAX, NULL}, {"--jobs", &o->jobs, 1, JOBS_MAX, NULL},
        {"--tries", &o->tries, 0, 1000000, NULL},  {"--grid", &o->grid, 1, 65535, NULL},
        {"--cta", &o->cta, 1, 1024, NULL},
    };
    return options_parse("random-programs", rows, sizeof rows / sizeof rows[0], argc, argv, NULL, NULL);
}

static void report(const struct options *o, const struct random_case *c, enum random_verdict verdict,
                   const char *error) {
    char path[512];
    snprintf(path, sizeof path, "%s/random-%llu.s", o->out, (unsigned long long)c->seed);
    fprintf(stderr, "random-programs: seed %llu: %s: %s\n", (unsigned long long)c->seed, random_verdict_name(verdict),
            error);
    if (verdict == RANDOM_NO_DEVICE) return;
    char *small = NULL;
    if (verdict != RANDOM_BROKEN && o->tries > 0) {
        fprintf(stderr, "random-programs: making it small (at most %llu runs) ...\n", (unsigned long long)o->tries);
        small = random_case_shrink(c, verdict, (unsigned)o->tries);
    }
    const char *text = small != NULL ? small : c->text;
    if (!text_file_write(path, text)) fprintf(stderr, "random-programs: %s: %s\n", path, strerror(errno));
    fprintf(stderr,
            "random-programs: %u instructions are left, in %s:\n%s"
            "replay: random-programs --device %s --file %s --grid %u --cta %u --seed %llu\n",
            random_case_instructions(text), path, text, c->device, path, c->grid, c->cta, (unsigned long long)c->seed);
    free(small);
}

static bool run_seed(const struct options *o, uint64_t seed, uint32_t threads) {
    struct random_program program;
    char error[1024] = "";
    random_program_make(seed, threads, &program);
    const struct random_case c = {o->device, seed, program.text, program.grid, program.cta, DEADLINE};
    const enum random_verdict verdict = random_case_run(&c, NULL, error, sizeof error);
    if (verdict != RANDOM_GOOD) report(o, &c, verdict, error);
    free(program.text);
    return verdict == RANDOM_GOOD;
}

static int random_job(void *context, uint64_t job) {
    const struct random_run *run = context;
    const struct options *o = run->options;
    volatile struct progress *p = &run->progress[job];
    for (uint64_t i = job; i < o->count; i += o->jobs) {
        p->current = o->seed + i;
        if (!run_seed(o, p->current, run->threads)) {
            p->failed++;
            return 1;  // the first failure of a job is enough to look at
        }
        p->done++;
    }
    return 0;
}

static void random_died(void *context, uint64_t job, int signal) {
    const struct random_run *run = context;
    struct progress *p = &run->progress[job];
    fprintf(stderr,
            "random-programs: seed %llu: the program ended with signal %d\n"
            "replay: random-programs --device %s --count 1 --seed %llu\n",
            (unsigned long long)p->current, signal, run->options->device, (unsigned long long)p->current);
    p->failed++;
}

static int run_all(const struct options *o, uint32_t threads) {
    struct random_run run = {o, threads, jobs_memory(o->jobs, sizeof *run.progress)};
    if (run.progress == NULL) {
        fprintf(stderr, "random-programs: no memory\n");
        return 1;
    }
    const bool good = jobs_run(o->jobs, random_job, random_died, &run);
    uint64_t done = 0, failed = 0;
    for (uint64_t j = 0; j < o->jobs; j++) {
        done += run.progress[j].done;
        failed += run.progress[j].failed;
    }
    jobs_memory_free(run.progress, o->jobs, sizeof *run.progress);
    printf("%s: %llu random programs agree, %llu failed (seeds from %llu)\n", o->device, (unsigned long long)done,
           (unsigned long long)failed, (unsigned long long)o->seed);
    return good && done == o->count ? 0 : 1;
}

static int run_file(const struct options *o) {
    char error[1024] = "";
    errno = 0;
    char *text = text_file_read(o->file);
    if (text == NULL) {
        fprintf(stderr, "random-programs: %s: %s\n", o->file, errno != 0 ? strerror(errno) : "empty");
        return 1;
    }
    const struct random_case c = {o->device, o->seed, text, (uint32_t)o->grid, (uint32_t)o->cta, DEADLINE};
    const enum random_verdict verdict = random_case_run(&c, NULL, error, sizeof error);
    printf("%s on %s: %s%s%s\n", o->file, o->device, random_verdict_name(verdict), error[0] != '\0' ? ": " : "", error);
    free(text);
    return verdict == RANDOM_GOOD ? 0 : 1;
}

// Opens the device as the first program will have it. NULL: it cannot be had, and one line has said why.
static struct tandem_device *open_first(const struct options *o) {
    static const char *const boards[] = {"uart:", "etherbone:"};
    const struct random_case first = {.device = o->device, .seed = o->seed};
    struct tandem_device *device = NULL;
    char name[256], message[512] = "";
    for (size_t k = 0; k < sizeof boards / sizeof *boards; k++) {
        if (strncmp(o->device, boards[k], strlen(boards[k])) != 0) continue;
        fprintf(stderr,
                "random-programs: %s: a board has no seed= and mem=, which each program is run with; write "
                "model:, rtl: or tandem:\n",
                o->device);
        return NULL;
    }
    random_case_device(&first, name, sizeof name);
    if (tandem_open(name, &device, message, sizeof message) == TANDEM_OK) return device;
    fprintf(stderr, "random-programs: %s\n", message);
    return NULL;
}

int main(int argc, char **argv) {
    struct options o = {.device = "tandem:nano",
                        .out = ".",
                        .count = 500,
                        .seed = seed_from_environment(),
                        .jobs = 1,
                        .tries = 400,
                        .grid = 1,
                        .cta = 32};
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    if (!parse(argc, argv, &o)) return 2;
    struct tandem_device *device = open_first(&o);
    if (device == NULL) return 2;
    if (o.file != NULL) {
        (void)tandem_close(device);
        return run_file(&o);
    }
    struct tandem_info info;
    tandem_get_info(device, &info);
    (void)tandem_close(device);
    printf("shows: TD-5 TD-7 TD-8 TD-9 TD-11 TD-18 [%s]\n", info.backend);
    printf("%s: %llu random programs, --seed %llu repeats them\n", o.device, (unsigned long long)o.count,
           (unsigned long long)o.seed);
    fflush(stdout);
    return run_all(&o, info.threads * 2);
}
