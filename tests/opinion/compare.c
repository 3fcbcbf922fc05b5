#include "compare.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opinion.h"

#define TIME_LIMIT 300u  // seconds that one comparison may take
#define BUILD_OPTIONS "-cl-std=CL1.2"

// Shared with the child process.
struct answer {
    enum verdict verdict;
    bool tandem_ran, done;
    char error[ERROR_SIZE];
};

// Numbers of mixed sizes: any, small ones, ends of the range, floats of all sorts.
static void fill(uint32_t in[IN_WORDS], uint64_t seed) {
    static const uint32_t ends[] = {0,    1,      0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x3F800000,
                                    0x80, 0x8000, 0x7F800000, 0x00800000, 0xBF000000, 0x00000001};
    uint64_t state = seed ^ 0x1234567u;
    for (unsigned k = 0; k < IN_WORDS; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint32_t number = (uint32_t)(state >> 32);
        switch (state >> 24 & 7u) {
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

static unsigned first_difference(const uint32_t *ours, const uint32_t *theirs, uint32_t limit) {
    unsigned k = 0;
    while (k < OUT_WORDS && (ours[k] == theirs[k] || (limit > 0 && ulps(ours[k], theirs[k]) <= limit)))
        k++;
    return k;
}

static enum verdict ask(const struct question *q, struct answer *answer) {
    static uint32_t in[IN_WORDS], ours[OUT_WORDS], theirs[OUT_WORDS];
    struct opinion_job job = {q->text, q->name, ITEMS, q->local, in, IN_WORDS, ours, OUT_WORDS, IN_WORDS};
    char why[ERROR_SIZE - 512];
    fill(in, q->seed);
    const enum opinion_result mine = tandem_opinion(&job, q->device, NULL, why, sizeof why);
    answer->tandem_ran = true;
    if (mine != OPINION_RAN) snprintf(answer->error, sizeof answer->error, "Tandem: %s", why);
    be_quiet();  // PoCL's compiler counts its warnings there
    struct other *other = other_open(why, sizeof why);
    if (other == NULL) {
        snprintf(answer->error, sizeof answer->error, "%s", why);
        return NOT_COMPARED;
    }
    job.out = theirs;
    const enum opinion_result other_result = other_opinion(other, &job, BUILD_OPTIONS, why, sizeof why);
    // What nobody takes is the fault of who wrote the kernel.
    if (mine != OPINION_RAN) return other_result == OPINION_RAN ? REFUSED : NOT_COMPARED;
    if (other_result != OPINION_RAN) {
        snprintf(answer->error, sizeof answer->error, "%s: %s", other_name(other), why);
        return NOT_COMPARED;
    }
    const unsigned k = first_difference(ours, theirs, q->limit);
    if (k == OUT_WORDS) return SAME;
    snprintf(answer->error, sizeof answer->error, "word %u (%u * 32 + %u): Tandem 0x%08x, %s 0x%08x%s", k, k / 32,
             k % 32, ours[k], other_name(other), theirs[k], q->limit > 0 ? " (beyond the limit)" : "");
    // Its optimizer has faults of its own. Whoever gives two answers is no judge.
    if (other_opinion(other, &job, BUILD_OPTIONS " -cl-opt-disable", why, sizeof why) != OPINION_RAN ||
        first_difference(ours, theirs, q->limit) < OUT_WORDS)
        return DIFFERENT;
    strcat(answer->error, ", but the same as Tandem without its optimizer");
    return NOT_COMPARED;
}
enum verdict compare(const struct question *question, char error[ERROR_SIZE]) {
    struct answer *answer = mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (answer == MAP_FAILED) {
        snprintf(error, ERROR_SIZE, "no memory");
        return NOT_COMPARED;
    }
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        (void)alarm(TIME_LIMIT);
        answer->verdict = ask(question, answer);
        answer->done = true;
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        snprintf(error, ERROR_SIZE, "no child process");
        (void)munmap(answer, sizeof *answer);
        return NOT_COMPARED;
    }
    enum verdict verdict = answer->verdict;
    snprintf(error, ERROR_SIZE, "%s", answer->error);
    if (!answer->done) {  // it broke down
        const char *who = answer->tandem_ran ? "the other implementation" : "Tandem";
        verdict = answer->tandem_ran ? NOT_COMPARED : REFUSED;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
            snprintf(error, ERROR_SIZE, "%s has no end after %u s", who, TIME_LIMIT);
        } else {
            snprintf(error, ERROR_SIZE, "%s breaks down (%s %d)", who, WIFSIGNALED(status) ? "signal" : "exit status",
                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        }
    }
    (void)munmap(answer, sizeof *answer);
    return verdict;
}

int other_there(char text[ERROR_SIZE]) {
    struct other *other = other_open(text, ERROR_SIZE);
    if (other == NULL) return 0;
    snprintf(text, ERROR_SIZE, "%s", other_name(other));
    other_close(other);
    return 1;
}
