// Random kernels, compiled plainly and in other ways: every way must give the same bits. Nobody else is asked.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_maker.h"
#include "runs.h"
#include "shrink.h"
#include "way.h"

// The configuration in the name of a device (model:full,seed=7).
static const char *target_of(const char *device) {
    static const char *const names[] = {"nano", "full"};
    const char *colon = strchr(device, ':');
    for (unsigned k = 0; colon != NULL && k < 2; k++) {
        if (strncmp(colon + 1, names[k], strlen(names[k])) == 0) return names[k];
    }
    return "small";
}

static unsigned features_of(const struct options *o, const struct way *way) {
    return (unsigned)o->features & ~(way->no_locks ? (unsigned)FEATURE_LOCAL : 0u);
}

static void report(const struct options *o, uint64_t seed, uint64_t number, const struct question *q,
                   const struct answer *answer, const char *in_words) {
    char path[512];
    fprintf(stderr, "second-opinion: seed %llu, way %llu (%s): %s\n", (unsigned long long)seed,
            (unsigned long long)number, in_words, answer->error);
    char *small = shrink(q, answer->verdict, o->tries);
    const char *left = small != NULL ? small : q->text;
    snprintf(path, sizeof path, "%s/random-way-%llu-%llu.cl", o->out, (unsigned long long)seed,
             (unsigned long long)number);
    (void)text_file_write(path, left);
    fprintf(stderr, "second-opinion: what is left of it, in %s (groups of %u):\n%s", path, q->kernels->local[0], left);
    fprintf(stderr,
            "replay: second-opinion ways --device %s --count 1 --ways 1 --seed %llu --way %llu --features %llu\n",
            o->device, (unsigned long long)seed, (unsigned long long)number, (unsigned long long)o->features);
    free(small);
}

// The kernels of `count` seeds in one program and one way; with several, those that fail are asked again alone. plain:
// the program of all features, compiled plainly; NULL: it is compiled here.
static bool ask_way(const struct options *o, uint64_t first, size_t count, uint64_t number,
                    const struct compiler_result *plain) {
    struct answer answers[KERNELS_MAX];
    struct asked kernels[KERNELS_MAX];
    struct made made[KERNELS_MAX] = {0};
    uint64_t seeds[KERNELS_MAX] = {0};
    struct way way;
    way_make(number, target_of(o->device), &way);
    for (size_t k = 0; k < count; k++)
        seeds[k] = first + k;
    char *text = kernel_program(seeds, count, features_of(o, &way), made);
    if (text == NULL) {
        fprintf(stderr, "second-opinion: no memory\n");
        return false;
    }
    for (size_t k = 0; k < count; k++)
        kernels[k] = asked_line(made[k].name, made[k].local);
    const struct question q = {.device = o->device,
                               .text = text,
                               .seed = first,
                               .kernels = kernels,
                               .count = count,
                               .other_way = &way.options,
                               .elf = plain != NULL && !way.no_locks ? plain->elf : NULL,
                               .elf_size = plain != NULL && !way.no_locks ? plain->elf_size : 0};
    memset(answers, 0, sizeof answers);
    compare(&q, answers, NULL);
    bool good = true, alone = true;
    for (size_t k = 0; k < count && good; k++) {
        if (answers[k].verdict == SAME) continue;
        good = false;
        if (count > 1) {
            alone = ask_way(o, seeds[k], 1, number, NULL);
        } else if (answers[k].verdict == NOT_COMPARED) {
            fprintf(stderr, "second-opinion: seed %llu: plainly compiled: %s\n", (unsigned long long)first,
                    answers[k].error);
        } else {
            report(o, first, number, &q, &answers[k], way.text);
        }
        // It fails only beside the others.
        if (count > 1 && alone)
            fprintf(stderr,
                    "second-opinion: %s, way %llu (%s): %s; alone it is the same\nreplay: second-opinion ways --device "
                    "%s --count %zu --batch %zu --ways 1 --seed %llu --way %llu --features %llu\n",
                    kernels[k].name, (unsigned long long)number, way.text, answers[k].error, o->device, count, count,
                    (unsigned long long)first, (unsigned long long)number, (unsigned long long)o->features);
    }
    free(text);
    return good;
}

// The program compiled plainly, once for all its ways. Without an ELF: ask_way() finds out why.
static struct compiler_result compile_plainly(const struct options *o, uint64_t first, size_t count) {
    struct compiler_result result = {0};
    struct made made[KERNELS_MAX];
    uint64_t seeds[KERNELS_MAX];
    for (size_t k = 0; k < count; k++)
        seeds[k] = first + k;
    char *text = kernel_program(seeds, count, (unsigned)o->features, made);
    if (text != NULL) (void)compiler_compile(text, strlen(text), "kernel.cl", NULL, &result);
    free(text);
    return result;
}

struct way_run {
    const struct options *options;
};

static int way_job(void *context, uint64_t job) {
    const struct options *o = ((const struct way_run *)context)->options;
    bool good = true;
    for (uint64_t at = job * o->batch; at < o->count && good; at += o->jobs * o->batch) {
        const uint64_t count = o->count - at < o->batch ? o->count - at : o->batch, first = o->seed + at;
        struct compiler_result plain = compile_plainly(o, first, count);
        for (uint64_t w = 0; w < o->ways && good; w++) {
            // Numbers follow the seeds, so each program has ways of its own.
            const uint64_t number = o->way != 0 ? o->way + w : first * 64 + w + 1;
            good = ask_way(o, first, count, number, &plain);
        }
        compiler_result_free(&plain);
    }
    return good ? 0 : 1;
}

int run_ways(const struct options *o) {
    struct way_run run = {.options = o};
    printf("%llu random kernels on %s, each compiled plainly and in %llu other ways, --seed %llu repeats them\n",
           (unsigned long long)o->count, o->device, (unsigned long long)o->ways, (unsigned long long)o->seed);
    const bool good = jobs_run(o->jobs, way_job, NULL, &run);
    printf("%s\n", good ? "all agree" : "FAIL");
    return good ? 0 : 1;
}
