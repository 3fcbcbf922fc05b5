#include "compare.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/compiler.h"
#include "opinion.h"
#include "random_numbers.h"

#define TIME_LIMIT 600u  // seconds that one comparison may take, on a busy machine too
#define BUILD_OPTIONS "-cl-std=CL1.2 -cl-opt-disable"

// Shared with the child process.
struct report {
    struct answer answers[KERNELS_MAX];
    bool tandem_ran, done;
    struct spent spent;
};

// What Tandem's compiler made of the program.
struct built {
    const void *elf;  // NULL: refused
    size_t elf_size;
    const char *refusal;
};

struct asked asked_line(const char *name, uint32_t local) {
    struct asked kernel = {.dimensions = 1, .global = {ITEMS, 1, 1}, .local = {local, 1, 1}};
    snprintf(kernel.name, sizeof kernel.name, "%s", name);
    return kernel;
}

// Numbers of mixed sizes: any, small ones, ends of the range, floats of all sorts.
static void fill(uint32_t in[IN_WORDS], uint64_t seed) {
    static const uint32_t ends[] = {0,    1,      0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x3F800000,
                                    0x80, 0x8000, 0x7F800000, 0x00800000, 0xBF000000, 0x00000001};
    uint64_t state = seed ^ 0x1234567u;
    for (unsigned k = 0; k < IN_WORDS; k++) {
        const uint64_t bits = random_bits(&state);
        const uint32_t number = (uint32_t)(bits >> 32);
        switch (bits & 7u) {
            case 0: in[k] = number & 15u; break;
            case 1: in[k] = number & 0xFFFFu; break;
            case 2: in[k] = ends[number % 12u]; break;
            case 3: in[k] = 0u - (number & 0xFFu); break;
            case 4: in[k] = (number & 0x807FFFFFu) | (0x70u + (number >> 24 & 0x1Fu)) << 23; break;
            default: in[k] = number;
        }
    }
}

// Steps between two floats on the line of all floats; NaNs are alike.
static uint32_t ulps(uint32_t a, uint32_t b) {
    const bool a_nan = (a & 0x7FFFFFFFu) > 0x7F800000u, b_nan = (b & 0x7FFFFFFFu) > 0x7F800000u;
    if (a_nan || b_nan) return a_nan && b_nan ? 0 : UINT32_MAX;
    const int64_t x = (a & 0x80000000u) != 0 ? -(int64_t)(a & 0x7FFFFFFFu) : (int64_t)a;
    const int64_t y = (b & 0x80000000u) != 0 ? -(int64_t)(b & 0x7FFFFFFFu) : (int64_t)b;
    return (uint32_t)(x > y ? x - y : y - x);
}

static void be_quiet(void) {
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) (void)dup2(nowhere, STDERR_FILENO);
}

static double processor_seconds(void) {
    double seconds = 0;
    const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (unsigned k = 0; k < 2; k++) {
        struct rusage usage;
        if (getrusage(whose[k], &usage) != 0) continue;
        seconds += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
        seconds += (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    }
    return seconds;
}

static unsigned first_difference(const uint32_t *ours, const uint32_t *theirs, uint32_t limit) {
    unsigned k = 0;
    while (k < OUT_WORDS && (ours[k] == theirs[k] || (limit > 0 && ulps(ours[k], theirs[k]) <= limit)))
        k++;
    return k;
}

static uint32_t largest_difference(const uint32_t *ours, const uint32_t *theirs) {
    uint32_t largest = 0;
    for (unsigned k = 0; k < OUT_WORDS; k++) {
        const uint32_t distance = ulps(ours[k], theirs[k]);
        largest = distance > largest ? distance : largest;
    }
    return largest;
}

static struct opinion_job job_of(const struct asked *kernel, const uint32_t *in, uint32_t *out) {
    struct opinion_job job = {.name = kernel->name,
                              .dimensions = kernel->dimensions,
                              .local_bytes = kernel->local_argument ? LOCAL_BYTES : 0,
                              .in = in,
                              .in_words = IN_WORDS,
                              .out = out,
                              .out_words = OUT_WORDS,
                              .n = IN_WORDS};
    memcpy(job.global, kernel->global, sizeof job.global);
    memcpy(job.local, kernel->local, sizeof job.local);
    return job;
}

// All answers that are still open get this one.
static void all(const struct question *q, struct answer *answers, enum verdict verdict, const char *error) {
    for (size_t k = 0; k < q->count; k++) {
        answers[k].verdict = verdict;
        snprintf(answers[k].error, sizeof answers[k].error, "%.500s", error);
    }
}

// Its optimizer has faults of its own. Whoever gives two answers is no judge.
static void ask_again(const struct question *q, struct other *other, const uint32_t *in, const uint32_t *ours,
                      struct answer *answers) {
    static uint32_t theirs[OUT_WORDS];
    char why[ERROR_SIZE];
    struct other_program *program = other_build(other, q->text, "-cl-std=CL1.2", why, sizeof why);
    if (program == NULL) return;
    for (size_t k = 0; k < q->count; k++) {
        if (answers[k].verdict != DIFFERENT) continue;
        const struct opinion_job job = job_of(&q->kernels[k], in, theirs);
        if (!other_run(program, &job, why, sizeof why) ||
            first_difference(ours + k * OUT_WORDS, theirs, q->kernels[k].limit) < OUT_WORDS)
            continue;
        answers[k].verdict = NOT_COMPARED;
        strncat(answers[k].error, ", but the same as Tandem with its optimizer",
                sizeof answers[k].error - strlen(answers[k].error) - 1);
    }
    other_free(program);
}

static void compare_one(const struct asked *kernel, struct other *other, struct other_program *program,
                        const uint32_t *in, const uint32_t *ours, struct answer *answer) {
    static uint32_t theirs[OUT_WORDS];
    char why[ERROR_SIZE];
    const struct opinion_job job = job_of(kernel, in, theirs);
    if (!other_run(program, &job, why, sizeof why)) {
        answer->verdict = NOT_COMPARED;
        snprintf(answer->error, sizeof answer->error, "%s: %.400s", other_name(other), why);
        return;
    }
    if (answer->verdict == REFUSED) return;
    const unsigned k = first_difference(ours, theirs, kernel->limit);
    if (kernel->limit > 0) answer->largest = largest_difference(ours, theirs);
    answer->verdict = k < OUT_WORDS ? DIFFERENT : SAME;
    if (k < OUT_WORDS)
        snprintf(answer->error, sizeof answer->error, "word %u (%u * 32 + %u): Tandem 0x%08x, %s 0x%08x%s", k, k / 32,
                 k % 32, ours[k], other_name(other), theirs[k], kernel->limit > 0 ? " (beyond the limit)" : "");
}

// A verdict REFUSED that is there already stays when the other one takes the kernel; what nobody takes is the fault of
// who wrote it.
static void ask_other(const struct question *q, const uint32_t *in, const uint32_t *ours, struct report *report) {
    char why[ERROR_SIZE];
    be_quiet();  // PoCL's compiler counts its warnings there
    double before = processor_seconds();
    struct other *other = other_open(why, sizeof why);
    if (other == NULL) {
        all(q, report->answers, NOT_COMPARED, why);
        return;
    }
    struct other_program *program = other_build(other, q->text, BUILD_OPTIONS, why, sizeof why);
    report->spent.other_building = processor_seconds() - before;
    if (program == NULL) {
        all(q, report->answers, NOT_COMPARED, why);
        return;
    }
    before = processor_seconds();
    bool differs = false;
    for (size_t k = 0; k < q->count; k++) {
        compare_one(&q->kernels[k], other, program, in, ours + k * OUT_WORDS, &report->answers[k]);
        differs = differs || report->answers[k].verdict == DIFFERENT;
    }
    if (differs) ask_again(q, other, in, ours, report->answers);
    report->spent.other_running = processor_seconds() - before;
}

// The same program, compiled in another way by the same compiler.
static void ask_other_way(const struct question *q, const struct built *way, const uint32_t *in, const uint32_t *ours,
                          struct report *report) {
    static uint32_t theirs[OUT_WORDS];
    for (size_t k = 0; k < q->count; k++) {
        struct answer *answer = &report->answers[k];
        const struct opinion_job job = job_of(&q->kernels[k], in, theirs);
        char why[400];
        if (answer->verdict != SAME) continue;
        answer->verdict = REFUSED;
        snprintf(why, sizeof why, "%.399s", way->refusal);
        if (way->elf == NULL || !tandem_opinion(way->elf, way->elf_size, q->device, &job, why, sizeof why)) {
            snprintf(answer->error, sizeof answer->error, "the other way: %s", why);
            continue;
        }
        const unsigned at = first_difference(ours + k * OUT_WORDS, theirs, 0);
        answer->verdict = at < OUT_WORDS ? DIFFERENT : SAME;
        if (at < OUT_WORDS)
            snprintf(answer->error, sizeof answer->error,
                     "word %u (%u * 32 + %u): plainly 0x%08x, the other way 0x%08x", at, at / 32, at % 32,
                     ours[k * OUT_WORDS + at], theirs[at]);
    }
}

static void ask(const struct question *q, const struct built *plain, const struct built *way, struct report *report) {
    static uint32_t in[IN_WORDS];
    uint32_t *ours = calloc(q->count, OUT_WORDS * sizeof *ours);
    if (ours == NULL) {
        all(q, report->answers, NOT_COMPARED, "no memory");
        return;
    }
    fill(in, q->seed);
    const double before = processor_seconds();
    for (size_t k = 0; k < q->count; k++) {
        struct answer *answer = &report->answers[k];
        const struct opinion_job job = job_of(&q->kernels[k], in, ours + k * OUT_WORDS);
        char why[400];
        snprintf(why, sizeof why, "%.399s", plain->refusal);
        if (plain->elf != NULL && tandem_opinion(plain->elf, plain->elf_size, q->device, &job, why, sizeof why))
            continue;
        answer->verdict = q->other_way != NULL ? NOT_COMPARED : REFUSED;
        snprintf(answer->error, sizeof answer->error, "Tandem: %s", why);
    }
    report->spent.running = processor_seconds() - before;
    report->tandem_ran = true;
    if (q->other_way != NULL) {
        ask_other_way(q, way, in, ours, report);
    } else {
        ask_other(q, in, ours, report);
    }
    free(ours);
}

static void broken(const struct question *q, const struct report *report, int status, struct answer *answers) {
    char error[256];
    const bool ways = q->other_way != NULL;
    const char *who = !report->tandem_ran ? "Tandem" : ways ? "the other way" : "the other implementation";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        snprintf(error, sizeof error, "%s has no end after %u s", who, TIME_LIMIT);
    } else {
        snprintf(error, sizeof error, "%s breaks down (%s %d)", who, WIFSIGNALED(status) ? "signal" : "exit status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    all(q, answers, report->tandem_ran != ways ? NOT_COMPARED : REFUSED, error);
}

// In a child process. False: somebody broke down there.
static bool ask_in_child(const struct question *q, const struct built *plain, const struct built *way,
                         struct answer *answers, struct spent *spent) {
    struct report *report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (report == MAP_FAILED) {
        all(q, answers, NOT_COMPARED, "no memory");
        return true;
    }
    fflush(stdout);
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        (void)alarm(TIME_LIMIT);
        ask(q, plain, way, report);
        report->done = true;
        _exit(0);
    }
    bool done = true;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        all(q, answers, NOT_COMPARED, "no child process");
    } else if (report->done) {
        memcpy(answers, report->answers, q->count * sizeof *answers);
    } else {
        broken(q, report, status, answers);
        done = false;
    }
    if (spent != NULL) {
        spent->running += report->spent.running;
        spent->other_building += report->spent.other_building;
        spent->other_running += report->spent.other_running;
    }
    (void)munmap(report, sizeof *report);
    return done;
}

// From the first line that tells an error on: warnings before it would fill the answer.
static const char *first_error(const char *messages) {
    const char *at = strstr(messages, "error:");
    while (at != NULL && at > messages && at[-1] != '\n')
        at--;
    return at != NULL ? at : messages;
}

static struct built build(const struct question *q, const struct compiler_options *with,
                          struct compiler_result *compiled, struct spent *spent) {
    struct compiler_options options = *with;
    options.time_limit = TIME_LIMIT;
    const double before = processor_seconds();
    (void)compiler_compile(q->text, strlen(q->text), "kernel.cl", &options, compiled);
    // Calls keep registers for their callers. Where a work-group leaves a thread too few for that, those calls are kept
    // that the compiler would keep by itself.
    if (compiled->elf == NULL && options.calls == COMPILER_CALLS_ALWAYS && compiled->messages != NULL &&
        strstr(compiled->messages, "too many registers") != NULL) {
        compiler_result_free(compiled);
        options.calls = COMPILER_CALLS_AUTO;
        (void)compiler_compile(q->text, strlen(q->text), "kernel.cl", &options, compiled);
    }
    if (spent != NULL) spent->compiling += processor_seconds() - before;
    return (struct built){compiled->elf, compiled->elf_size,
                          compiled->messages != NULL ? first_error(compiled->messages) : "no memory"};
}

void compare(const struct question *question, struct answer *answers, struct spent *spent) {
    static const struct compiler_options plainly;
    struct question q = *question;
    struct compiler_result compiled = {0}, compiled_way = {0};
    struct built plain = {q.elf, q.elf_size, "no memory"}, way = {0};
    if (q.elf == NULL) plain = build(&q, &plainly, &compiled, spent);
    if (q.other_way != NULL) way = build(&q, q.other_way, &compiled_way, spent);
    if (!ask_in_child(&q, &plain, &way, answers, spent) && q.count > 1) {
        for (size_t k = 0; k < question->count; k++) {
            q.kernels = &question->kernels[k];
            q.count = 1;
            (void)ask_in_child(&q, &plain, &way, &answers[k], spent);
        }
    }
    compiler_result_free(&compiled);
    compiler_result_free(&compiled_way);
}

bool other_there(char text[ERROR_SIZE]) {
    struct other *other = other_open(text, ERROR_SIZE);
    if (other == NULL) return false;
    snprintf(text, ERROR_SIZE, "%s", other_name(other));
    other_close(other);
    return true;
}
