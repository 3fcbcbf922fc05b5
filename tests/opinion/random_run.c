// Random kernels, several in a program so that the other implementation builds once for all of them. What is not the
// same there is asked again alone, and then made small.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_maker.h"
#include "runs.h"
#include "shrink.h"

struct random_run {
    const struct options *options;
    struct spent *spent;  // one for each job, shared by the processes
};

static void report(const struct options *o, uint64_t seed, const struct question *q, const struct answer *answer) {
    char path[512];
    fprintf(stderr, "second-opinion: seed %llu: %s\n", (unsigned long long)seed, answer->error);
    char *small = shrink(q, answer->verdict, o->tries);
    const char *left = small != NULL ? small : q->text;
    snprintf(path, sizeof path, "%s/random-kernel-%llu.cl", o->out, (unsigned long long)seed);
    (void)text_file_write(path, left);
    fprintf(stderr, "second-opinion: what is left of it, in %s (groups of %u):\n%s", path, q->kernels->local[0], left);
    fprintf(stderr, "replay: second-opinion random --device %s --count 1 --seed %llu --features %llu\n", o->device,
            (unsigned long long)seed, (unsigned long long)o->features);
    free(small);
}

// One kernel in a program of its own.
static enum verdict ask_alone(const struct options *o, uint64_t seed, struct answer *answer, struct spent *spent) {
    struct made made;
    char *text = kernel_program(&seed, 1, (unsigned)o->features, &made);
    if (text == NULL) {
        *answer = (struct answer){.verdict = NOT_COMPARED, .error = "no memory"};
        return NOT_COMPARED;
    }
    const struct asked kernel = asked_line(made.name, made.local);
    const struct question q = {.device = o->device, .text = text, .seed = seed, .kernels = &kernel, .count = 1};
    compare(&q, answer, spent);
    if (answer->verdict == DIFFERENT || answer->verdict == REFUSED) report(o, seed, &q, answer);
    free(text);
    return answer->verdict;
}

// A program of kernels of which one is answered differently, and alike when it is alone.
static void report_program(const struct options *o, uint64_t first, const char *text, const char *kernel,
                           const char *error) {
    char path[512];
    snprintf(path, sizeof path, "%s/random-program-%llu.cl", o->out, (unsigned long long)first);
    (void)text_file_write(path, text);
    fprintf(stderr,
            "second-opinion: kernel %s of program %s: %s; alone it is answered alike\n"
            "replay: second-opinion random --device %s --count %llu --seed %llu --batch %llu --features %llu\n",
            kernel, path, error, o->device, (unsigned long long)o->batch, (unsigned long long)first,
            (unsigned long long)o->batch, (unsigned long long)o->features);
}

// False: one of them is not answered alike. *skipped counts those that were not compared.
static bool ask_program(const struct options *o, uint64_t first, size_t count, unsigned *skipped, struct spent *spent) {
    static struct answer answers[KERNELS_MAX];
    struct asked kernels[KERNELS_MAX];
    struct made made[KERNELS_MAX] = {0};
    uint64_t seeds[KERNELS_MAX] = {0};
    for (size_t k = 0; k < count; k++)
        seeds[k] = first + k;
    char *text = kernel_program(seeds, count, (unsigned)o->features, made);
    if (text == NULL) {
        fprintf(stderr, "second-opinion: no memory\n");
        return false;
    }
    for (size_t k = 0; k < count; k++)
        kernels[k] = asked_line(made[k].name, made[k].local);
    const struct question q = {.device = o->device, .text = text, .seed = first, .kernels = kernels, .count = count};
    compare(&q, answers, spent);
    // A program refused is refused for all its kernels: the one that is refused alone as well is the one to report.
    size_t only_here = count;
    bool good = true;
    for (size_t k = 0; k < count && good; k++) {
        struct answer alone;
        if (answers[k].verdict == SAME) continue;
        const enum verdict verdict = ask_alone(o, seeds[k], &alone, spent);
        if (verdict == NOT_COMPARED) {
            ++*skipped;
            fprintf(stderr, "second-opinion: seed %llu not compared: %.300s\n", (unsigned long long)seeds[k],
                    alone.error);
        } else if (verdict != SAME) {
            good = false;
        } else if (answers[k].verdict != NOT_COMPARED && only_here == count) {
            only_here = k;
        }
    }
    if (good && only_here < count) {
        report_program(o, first, text, made[only_here].name, answers[only_here].error);
        good = false;
    }
    free(text);
    return good;
}

static int random_job(void *context, uint64_t job) {
    const struct random_run *run = context;
    const struct options *o = run->options;
    unsigned asked = 0, skipped = 0;
    for (uint64_t at = job * o->batch; at < o->count; at += o->jobs * o->batch) {
        const uint64_t count = o->count - at < o->batch ? o->count - at : o->batch;
        asked += (unsigned)count;
        if (!ask_program(o, o->seed + at, count, &skipped, &run->spent[job])) return 1;
    }
    // That the other one does not take a kernel now and then is its own affair; often, it would be no comparison.
    if (skipped * 5 <= asked) return 0;
    fprintf(stderr, "second-opinion: %u of %u kernels not compared, too many\n", skipped, asked);
    return 1;
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// What a kernel says, without its name.
static uint64_t text_number(const char *text, uint64_t seed) {
    char number[24];
    snprintf(number, sizeof number, "_%llu", (unsigned long long)seed);
    const size_t skip = strlen(number);
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    while (*text != '\0') {
        if (strncmp(text, number, skip) == 0) text += skip;
        if (*text == '\0') break;
        hash = (hash ^ (unsigned char)*text++) * UINT64_C(0x100000001B3);
    }
    return hash;
}

// Different seeds make different kernels, or a run compares less than it says.
static bool all_differ(const struct options *o) {
    uint64_t *numbers = calloc(o->count, sizeof *numbers), equal = 0;
    for (uint64_t i = 0; numbers != NULL && i < o->count; i++) {
        struct made made;
        const uint64_t seed = o->seed + i;
        char *text = kernel_program(&seed, 1, (unsigned)o->features, &made);
        numbers[i] = text != NULL ? text_number(text, seed) : i;
        free(text);
    }
    if (numbers != NULL) qsort(numbers, o->count, sizeof *numbers, by_value);
    for (uint64_t i = 1; numbers != NULL && i < o->count; i++)
        equal += numbers[i] == numbers[i - 1];
    if (equal > 0) fprintf(stderr, "second-opinion: %llu kernels come twice\n", (unsigned long long)equal);
    const bool good = numbers != NULL && equal == 0;
    free(numbers);
    return good;
}

int run_random_kernels(const struct options *o) {
    struct random_run run = {.options = o};
    printf("%llu random kernels on %s, --seed %llu repeats them\n", (unsigned long long)o->count, o->device,
           (unsigned long long)o->seed);
    if (!all_differ(o)) return 1;
    run.spent = jobs_memory(o->jobs, sizeof *run.spent);
    if (run.spent == NULL) {
        fprintf(stderr, "second-opinion: no memory\n");
        return 1;
    }
    const bool good = jobs_run(o->jobs, random_job, NULL, &run);
    struct spent sum = {0};
    for (uint64_t j = 0; j < o->jobs; j++) {
        sum.compiling += run.spent[j].compiling;
        sum.running += run.spent[j].running;
        sum.other_building += run.spent[j].other_building;
        sum.other_running += run.spent[j].other_running;
    }
    jobs_memory_free(run.spent, o->jobs, sizeof *run.spent);
    if (o->times != 0) tell_times(&sum);
    printf("%s\n", good ? "all agree" : "FAIL");
    return good ? 0 : 1;
}
