// Kernels of files: every kernel (in, out, n) or (in, out, n, local), as comments in the file ask for it:
//     // limit of GLOB: 4 ulp                         floats that these kernels write may differ by so much
//     // range of GLOB: 8 x 4 x 4 in groups of 4 x 2 x 2    128 work-items; without it 128 in groups of 32
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "isa/code_object.h"
#include "runs.h"

struct counts {
    unsigned compared, failed, skipped;
    struct spent spent;
};

struct file_run {
    const struct options *options;
    struct counts *counts;  // one for each job, shared by the processes
};

static bool parse_range(const char *text, struct asked *kernel) {
    uint32_t *g = kernel->global, *l = kernel->local;
    g[0] = g[1] = g[2] = l[0] = l[1] = l[2] = 1;
    if (sscanf(text, "%u x %u x %u in groups of %u x %u x %u", &g[0], &g[1], &g[2], &l[0], &l[1], &l[2]) == 6) {
        kernel->dimensions = 3;
    } else if (g[2] = l[2] = 1, sscanf(text, "%u x %u in groups of %u x %u", &g[0], &g[1], &l[0], &l[1]) == 4) {
        kernel->dimensions = 2;
    } else if (g[1] = l[1] = 1, sscanf(text, "%u in groups of %u", &g[0], &l[0]) == 2) {
        kernel->dimensions = 1;
    } else {
        return false;
    }
    return (uint64_t)g[0] * g[1] * g[2] <= ITEMS;
}

// What the comments of the file say about this kernel. False: one of them cannot be read.
static bool read_comments(const char *text, struct asked *kernel) {
    for (const char *at = strstr(text, "// "); at != NULL; at = strstr(at + 3, "// ")) {
        char what[8], glob[128];
        int used = 0;
        if (sscanf(at, "// %7s of %127[^: \n]:%n", what, glob, &used) != 2 || used == 0) continue;
        const bool limit = strcmp(what, "limit") == 0, range = strcmp(what, "range") == 0;
        if ((!limit && !range) || fnmatch(glob, kernel->name, 0) != 0) continue;
        if (limit ? sscanf(at + used, "%u ulp", &kernel->limit) != 1 : !parse_range(at + used, kernel)) return false;
    }
    return true;
}

// The kernels of the code object whose arguments fit.
static size_t find_kernels(const struct code_object *object, const char *path, const char *text, struct asked *to,
                           struct counts *counts) {
    size_t count = 0;
    for (size_t k = 0; k < object->kernel_count && count < KERNELS_MAX; k++) {
        const struct code_kernel *kernel = &object->kernels[k];
        const struct code_argument *a = kernel->arguments;
        const size_t n = kernel->argument_count;
        if (n < 3 || n > 4 || a[0].kind == ARG_VALUE || a[0].kind == ARG_LOCAL || a[1].kind != ARG_GLOBAL ||
            a[2].kind != ARG_VALUE || a[2].size != 4 || strcmp(a[2].name, "n") != 0 ||
            (n == 4 && a[3].kind != ARG_LOCAL))
            continue;
        to[count] = asked_line(kernel->name, 32);
        to[count].local_argument = n == 4;
        if (read_comments(text, &to[count])) {
            count++;
            continue;
        }
        fprintf(stderr, "second-opinion: %s: a comment about %s cannot be read\n", path, kernel->name);
        counts->failed++;
    }
    return count;
}

static void run_file(const struct options *o, const char *path, struct counts *counts) {
    static struct answer answers[KERNELS_MAX];
    static struct asked kernels[KERNELS_MAX];
    char *text = text_file_read(path), error[512] = "";
    if (text == NULL) {
        fprintf(stderr, "second-opinion: %s: %s\n", path, strerror(errno));
        counts->failed++;
        return;
    }
    struct compiler_result compiled;
    struct code_object object = {0};
    const struct compiler_options options = {.time_limit = 600};
    (void)compiler_compile(text, strlen(text), path, &options, &compiled);
    if (compiled.elf == NULL || !code_object_read(compiled.elf, compiled.elf_size, &object, error, sizeof error)) {
        fprintf(stderr, "second-opinion: %s: Tandem: %s\n", path, compiled.elf == NULL ? compiled.messages : error);
        counts->failed++;
    } else {
        struct question q = {.device = o->device,
                             .text = text,
                             .elf = compiled.elf,
                             .elf_size = compiled.elf_size,
                             .seed = o->seed,
                             .kernels = kernels};
        q.count = find_kernels(&object, path, text, kernels, counts);
        if (q.count > 0) compare(&q, answers, &counts->spent);
        for (size_t k = 0; k < q.count; k++) {
            const enum verdict verdict = answers[k].verdict;
            if (verdict != SAME)
                fprintf(stderr, "second-opinion: %s: %s: %s\n", path, kernels[k].name, answers[k].error);
            if (o->errors != 0 && kernels[k].limit > 0)
                printf("%-32s %8u ulp, limit %u\n", kernels[k].name, answers[k].largest, kernels[k].limit);
            counts->failed += verdict == DIFFERENT || verdict == REFUSED;
            counts->skipped += verdict == NOT_COMPARED;
            counts->compared += verdict == SAME;
        }
        code_object_free(&object);
    }
    compiler_result_free(&compiled);
    free(text);
}

static int file_job(void *context, uint64_t job) {
    const struct file_run *run = context;
    const struct options *o = run->options;
    for (uint64_t f = job; f < (uint64_t)o->file_count; f += o->jobs)
        run_file(o, o->files[f], &run->counts[job]);
    fflush(stdout);
    return 0;
}

int run_files(const struct options *o, const char *other) {
    struct file_run run = {.options = o};
    run.counts = jobs_memory(o->jobs, sizeof *run.counts);
    if (run.counts == NULL) {
        fprintf(stderr, "second-opinion: no memory\n");
        return 1;
    }
    const bool ended = jobs_run(o->jobs, file_job, NULL, &run);
    struct counts sum = {0};
    for (uint64_t j = 0; j < o->jobs; j++) {
        sum.compared += run.counts[j].compared;
        sum.failed += run.counts[j].failed;
        sum.skipped += run.counts[j].skipped;
        sum.spent.running += run.counts[j].spent.running;
        sum.spent.other_building += run.counts[j].spent.other_building;
        sum.spent.other_running += run.counts[j].spent.other_running;
    }
    jobs_memory_free(run.counts, o->jobs, sizeof *run.counts);
    if (o->times != 0) tell_times(&sum.spent);
    printf("%u kernels agree with %s, %u do not, %u not compared; --seed %llu repeats it\n", sum.compared, other,
           sum.failed, sum.skipped, (unsigned long long)o->seed);
    // One in twenty that the other one does not take is its own affair.
    return !ended || sum.failed > 0 || sum.compared == 0 || sum.skipped * 20 > sum.compared;
}
