// second-opinion: kernels run by Tandem and by another OpenCL implementation, compared word for word.
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compare.h"
#include "kernel_maker.h"
#include "shrink.h"

static const char help[] =
    "usage: second-opinion random [OPTION]...     random kernels\n"
    "       second-opinion files FILE.cl...       every kernel (in, out, n) of these files\n"
    "Each kernel is run by Tandem and by the OpenCL implementation of this machine (PoCL); what they write must be "
    "equal.\n"
    "In files, a comment \"// limit: N ulp\" before a kernel lets the floats it writes differ by so much.\n"
    "  --device NAME   default model:small\n"
    "  --count N       random kernels (default 500)\n"
    "  --seed N        of the first (default: from time and process)\n"
    "  --jobs N        at a time (default 1)\n"
    "  --features N    sum of 1 float, 2 64-bit integers, 4 vectors, 8 local memory, 16 private arrays, 32 functions\n"
    "                  (default 63)\n"
    "  --tries N       runs spent on making a failing kernel small (default 150)\n"
    "  --out FOLDER    where failing kernels are written (default: the current one)\n"
    "Exit status 1 when an answer differs, 2 when an option is wrong or there is no other implementation.\n";

#define JOBS_MAX 64u

struct options {
    const char *device, *out;
    uint64_t count, seed, jobs, features, tries;
    char **files;
    int file_count;
};

static bool parse_number(const char *text, uint64_t *to) {
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 0);
    if (*text == '\0' || *text == '-' || *end != '\0' || errno != 0) return false;
    *to = number;
    return true;
}

static bool parse(int argc, char **argv, struct options *o) {
    const struct {
        const char *name;
        uint64_t *number, least, most;
        const char **text;
    } table[] = {
        {"--device", NULL, 0, 0, &o->device},        {"--out", NULL, 0, 0, &o->out},
        {"--count", &o->count, 1, UINT32_MAX, NULL}, {"--seed", &o->seed, 0, UINT64_MAX, NULL},
        {"--jobs", &o->jobs, 1, JOBS_MAX, NULL},     {"--features", &o->features, 0, FEATURE_ALL, NULL},
        {"--tries", &o->tries, 0, 100000, NULL},
    };
    for (int i = 2; i < argc; i++) {
        if (argv[i][0] != '-') {
            o->files[o->file_count++] = argv[i];
            continue;
        }
        size_t k = 0;
        while (k < sizeof table / sizeof table[0] && strcmp(argv[i], table[k].name) != 0)
            k++;
        if (k == sizeof table / sizeof table[0] || i + 1 == argc) {
            fprintf(stderr, "second-opinion: option %s is unknown or has no value; see --help\n", argv[i]);
            return false;
        }
        const char *value = argv[++i];
        if (table[k].text != NULL) {
            *table[k].text = value;
        } else if (!parse_number(value, table[k].number) || *table[k].number < table[k].least ||
                   *table[k].number > table[k].most) {
            fprintf(stderr, "second-opinion: %s %s: not a number from %llu to %llu\n", table[k].name, value,
                    (unsigned long long)table[k].least, (unsigned long long)table[k].most);
            return false;
        }
    }
    return true;
}

static void report(const struct options *o, const struct question *q, enum verdict verdict, const char *error) {
    char path[512];
    fprintf(stderr, "second-opinion: seed %llu: %s\n", (unsigned long long)q->seed, error);
    char *small = shrink(q, verdict, o->tries);
    const char *left = small != NULL ? small : q->text;
    snprintf(path, sizeof path, "%s/random-kernel-%llu.cl", o->out, (unsigned long long)q->seed);
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fputs(left, file);
        (void)fclose(file);
    }
    fprintf(stderr, "second-opinion: what is left of it, in %s (groups of %u):\n%s", path, q->local, left);
    fprintf(stderr, "replay: second-opinion random --device %s --count 1 --seed %llu --features %llu\n", o->device,
            (unsigned long long)q->seed, (unsigned long long)o->features);
    free(small);
}

// ---- the two ways to run ----
// How many of this job's kernels were compared; ends at the first that is not answered alike.
static int random_worker(const struct options *o, uint64_t job) {
    char error[ERROR_SIZE];
    unsigned asked = 0, skipped = 0;
    for (uint64_t i = job; i < o->count; i += o->jobs) {
        struct question q = {.device = o->device, .name = KERNEL_MAKER_NAME, .seed = o->seed + i};
        char *text = kernel_make(q.seed, (unsigned)o->features, &q.local);
        if (text == NULL) return 1;
        q.text = text;
        asked++;
        const enum verdict verdict = compare(&q, error);
        if (verdict == NOT_COMPARED) {
            skipped++;
            fprintf(stderr, "second-opinion: seed %llu not compared: %.300s\n", (unsigned long long)q.seed, error);
        } else if (verdict != SAME) {
            report(o, &q, verdict, error);
            free(text);
            return 1;
        }
        free(text);
    }
    // That the other one does not take a kernel now and then is its own affair; often, it would be no comparison.
    if (skipped * 5 <= asked) return 0;
    fprintf(stderr, "second-opinion: %u of %u kernels not compared, too many\n", skipped, asked);
    return 1;
}

static int run_random(const struct options *o) {
    pid_t children[JOBS_MAX];
    int result = 0;
    printf("%llu random kernels on %s, --seed %llu repeats them\n", (unsigned long long)o->count, o->device,
           (unsigned long long)o->seed);
    fflush(stdout);
    for (uint64_t j = 0; j < o->jobs; j++) {
        children[j] = fork();
        if (children[j] == 0) _exit(random_worker(o, j));
    }
    for (uint64_t j = 0; j < o->jobs; j++) {
        int status = 1;
        if (children[j] > 0) (void)waitpid(children[j], &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) result = 1;
    }
    printf("%s\n", result == 0 ? "all agree" : "FAIL");
    return result;
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (file == NULL) return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    (void)fclose(file);
    return text;
}

// Goes from kernel to kernel: `__kernel [attributes] void NAME(TYPE in, TYPE out, uint n)`.
static int run_file(const struct options *o, const char *path, unsigned *compared) {
    char *text = read_text(path), error[ERROR_SIZE];
    int failed = 0;
    if (text == NULL) {
        fprintf(stderr, "second-opinion: %s: %s\n", path, strerror(errno));
        return 1;
    }
    uint32_t limit = 0;
    for (char *at = text; *at != '\0'; at++) {
        unsigned number = 0;
        if (strncmp(at, "// limit:", 9) == 0 && sscanf(at + 9, "%u", &number) == 1) limit = number;
        if (strncmp(at, "__kernel", 8) != 0) continue;
        const char *name = strstr(at, "void ");
        const char *open = name != NULL ? strchr(name, '(') : NULL;
        const char *close = open != NULL ? strchr(open, ')') : NULL;
        char kernel[128];
        if (close == NULL || open - name - 5 >= (long)sizeof kernel) break;
        snprintf(kernel, sizeof kernel, "%.*s", (int)(open - name - 5), name + 5);
        unsigned commas = 0;
        for (const char *c = open; c < close; c++)
            commas += *c == ',';
        const uint32_t mine = limit;
        limit = 0;
        if (commas != 2 || memcmp(close - 1, "n", 1) != 0) continue;
        const struct question q = {o->device, text, kernel, 32, o->seed, mine};
        const enum verdict verdict = compare(&q, error);
        if (verdict != SAME) fprintf(stderr, "second-opinion: %s: %s: %s\n", path, kernel, error);
        failed += verdict == DIFFERENT || verdict == REFUSED;
        *compared += verdict == SAME;
    }
    free(text);
    return failed;
}

static int run_files(const struct options *o, const char *other) {
    unsigned compared = 0;
    int failed = 0;
    for (int f = 0; f < o->file_count; f++)
        failed += run_file(o, o->files[f], &compared);
    printf("%u kernels agree with %s, %d do not; --seed %llu repeats it\n", compared, other, failed,
           (unsigned long long)o->seed);
    return failed > 0 || compared == 0;
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
        const int there = other_there(text);
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
                        .seed = (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid(),
                        .jobs = 1,
                        .features = FEATURE_ALL,
                        .tries = 150};
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    const bool random = argc >= 2 && strcmp(argv[1], "random") == 0, files = argc >= 2 && strcmp(argv[1], "files") == 0;
    if (!random && !files) {
        fprintf(stderr, "second-opinion: say random or files; see --help\n");
        return 2;
    }
    o.files = calloc((size_t)argc, sizeof *o.files);
    int result = 2;
    char other[ERROR_SIZE];
    if (o.files != NULL && parse(argc, argv, &o)) {
        if (random && o.file_count > 0) {
            fprintf(stderr, "second-opinion: random takes no files\n");
        } else if (files && o.file_count == 0) {
            fprintf(stderr, "second-opinion: files: name one at least\n");
        } else if (!find_other(other)) {
            fprintf(stderr, "second-opinion: %s\n", other);
        } else {
            result = random ? run_random(&o) : run_files(&o, other);
        }
    }
    free(o.files);
    return result;
}
