// The assembly programs of tests/programs on every kind of device, and programs that the reader must refuse.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "on_devices.h"
#include "programs/program.h"
#include "programs/program_variant.h"

#define FOLDER "tests/programs"
#define PROGRAMS_MAX 512u

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t find_programs(char *names[PROGRAMS_MAX]) {
    size_t count = 0;
    DIR *folder = opendir(FOLDER);
    cr_assert_not_null(folder, "%s: run the tests from the project's root", FOLDER);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL && count < PROGRAMS_MAX;) {
        const size_t length = strlen(entry->d_name);
        char path[640];
        if (length < 3 || strcmp(entry->d_name + length - 2, ".s") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", FOLDER, entry->d_name);
        names[count++] = strdup(path);
        char variants[PROGRAM_VARIANTS_MAX][PROGRAM_VARIANT_NAME_MAX];
        size_t variant_count;
        cr_assert(program_variants(path, variants, &variant_count), "%s: a line `variant` is malformed", path);
        for (size_t v = 0; v < variant_count && count < PROGRAMS_MAX; v++) {
            snprintf(path, sizeof path, "%s/%s:%.31s", FOLDER, entry->d_name, variants[v]);
            names[count++] = strdup(path);
        }
    }
    closedir(folder);
    qsort(names, count, sizeof names[0], by_name);
    return count;
}

// What the programs say that they show (`// shows: IDs`) goes into the results beside what the test itself shows.
static void tell_shown(const char *test, const char *device, bool good, const char *shown) {
    const char *path = getenv("TANDEM_RESULTS");
    FILE *file = path != NULL && shown[0] != 0 ? fopen(path, "a") : NULL;
    if (file == NULL) return;
    fprintf(file, "%s programs/%s 0.00%s [%.*s]\n", good ? "PASS" : "FAIL", test, shown, (int)strcspn(device, ":"),
            device);
    fclose(file);
}

// Appends " IDs" of the program to the list, those that do not stand there yet.
static void add_shown(const char *path, char *list, size_t size) {
    struct program program;
    char error[1024], *rest = NULL;
    if (!program_read(path, &program, error, sizeof error)) return;
    for (char *id = strtok_r(program.shows, " ", &rest); id != NULL; id = strtok_r(NULL, " ", &rest)) {
        const size_t length = strlen(list);
        char word[32];
        snprintf(word, sizeof word, " %.30s", id);
        const char *found = strstr(list, word);
        while (found != NULL && found[strlen(word)] != ' ' && found[strlen(word)] != 0)
            found = strstr(found + 1, word);
        if (found == NULL) snprintf(list + length, size - length, "%s", word);
    }
    program_free(&program);
}

// Every program has a device of its own. All are run; then the failures are told.
static void run_programs(const char *test, const char *device) {
    static char shown[2048], not_shown[2048];
    char *names[PROGRAMS_MAX];
    const size_t count = find_programs(names);
    size_t failed = 0;
    cr_assert_gt(count, 30);
    for (size_t i = 0; i < count; i++) {
        char error[1024] = "";
        if (!program_run_file(names[i], device, error, sizeof error)) {
            fprintf(stderr, "%s: %s\n", device, error);
            failed++;
            add_shown(names[i], not_shown, sizeof not_shown);
        } else {
            add_shown(names[i], shown, sizeof shown);
        }
        free(names[i]);
    }
    tell_shown(test, device, true, shown);
    tell_shown(test, device, false, not_shown);
    cr_assert_eq(failed, 0, "%zu of %zu programs failed on %s", failed, count, device);
}

#define SHOWS "TD-5 TD-6 TD-7 TD-8 TD-9 TD-10 TD-11 TD-12 TD-16 TD-18 assembly programs"

Test(programs, model_nano, .description = SHOWS " [model]") {
    run_programs("model_nano", "model:nano,mem=8");
}
Test(programs, model_small, .description = SHOWS " [model]") {
    run_programs("model_small", "model:small,mem=8");
}
Test(programs, model_full, .description = SHOWS " [model]") {
    run_programs("model_full", "model:full,mem=8,seed=7");
}
Test(programs, tandem_nano, .description = SHOWS " [tandem]") {
    run_programs("tandem_nano", "tandem:nano,mem=8");
}
Test(programs, tandem_small, .description = SHOWS " [tandem]") {
    run_programs("tandem_small", "tandem:small,mem=8");
}
Test(programs, tandem_full, .description = SHOWS " [tandem]") {
    run_programs("tandem_full", "tandem:full,mem=8");
}

// ---- the reader ----
static bool read_text(const char *text, const char *variant, char *error, size_t error_size) {
    char path[] = "/tmp/tandem-program-XXXXXX", name[64];
    struct program program;
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    snprintf(name, sizeof name, "%s%s", path, variant);
    const bool good = program_read(name, &program, error, error_size);
    if (good) program_free(&program);
    unlink(path);
    return good;
}

#define LAUNCH "// launch: grid 1 1 1 cta 1 1 1\n"
#define OUT "// arg out global 16 zero\n"
#define KERNEL ".kernel k\n.arg global out\nEXIT\n"

Test(programs, malformed_programs_are_refused, .description = "with file, line and what is wrong") {
    const struct {
        const char *text, *word;
    } cases[] = {
        {OUT "// expect out: 1\n" KERNEL, "launch"},
        {LAUNCH OUT KERNEL, "cannot fail"},
        {"// launch: grid 1 1 0 cta 1 1 1\n" OUT "// expect out: 1\n" KERNEL, "launch"},
        {LAUNCH "// expect out: 1\n" KERNEL, "number of arguments"},
        {LAUNCH "// arg in global 16 zero\n// expect in: 1\n" KERNEL, "names"},
        {LAUNCH OUT "// expect in: 1\n" KERNEL, "no global argument"},
        {LAUNCH OUT "// expect out: 1 2 3 4 5\n" KERNEL, "large enough"},
        {LAUNCH OUT "// expect out: 1 (2 x 3\n" KERNEL, "bracket"},
        {LAUNCH OUT "// expect out: 1 2) x 3\n" KERNEL, "bracket"},
        {LAUNCH OUT "// expect out: one\n" KERNEL, "number"},
        {LAUNCH OUT "// expect out: 0x100000000\n" KERNEL, "32 bits"},
        {LAUNCH OUT "// expect out: 0..9 step -1\n" KERNEL, "step"},
        {LAUNCH OUT "// expect out: 1 x 0\n" KERNEL, "count"},
        {LAUNCH OUT "// expect out:\n" KERNEL, "no words"},
        {LAUNCH OUT "// more: 1\n" KERNEL, "more"},
        {LAUNCH OUT "// fault NO_SUCH\n" KERNEL, "no fault"},
        {LAUNCH "// arg out global 15 zero\n// expect out: 1\n" KERNEL, "multiple of 4"},
        {LAUNCH OUT "// expect out: 1\n.kernel k\n.arg global out\nNOSUCH\n", "NOSUCH"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char error[1024] = "";
        cr_assert_not(read_text(cases[i].text, "", error, sizeof error), "case %zu was accepted", i);
        cr_assert(strstr(error, cases[i].word) != NULL, "case %zu: %s", i, error);
    }
    char error[1024] = "";
    cr_assert(read_text(LAUNCH OUT "// expect out: 0\n" KERNEL, "", error, sizeof error), "%s", error);
}

#define LOOP ".kernel k\n.arg global out\nloop: YIELD\n@P0 BRA loop\nEXIT\n"

Test(programs, malformed_variants_are_refused, .description = "with file, line and what is wrong") {
    const struct {
        const char *lines, *variant, *word;
    } cases[] = {
        {"// variant plain: without YIELD\n", ":other", "no such variant"},
        {"", ":plain", "no such variant"},
        {"// variant plain: YIELD\n", ":plain", "expected: variant"},
        {"// variant plain: without\n", ":plain", "expected: variant"},
        {"// variant plain: for YIELD\n", ":plain", "expected: variant"},
        {"// variant without YIELD\n", ":plain", "expected: variant"},
        {"// variant plain: YIELD\n", "", "expected: variant"},
        {"// variant plain: without NOP\n", ":plain", "does not change"},
        {"// variant plain: YIELD for YIELD\n", ":plain", "does not change"},
        {"// variant plain: NOSUCH for YIELD\n", ":plain", "NOSUCH"},
        {"// variant plain: without YIELD\n// variant plain: without YIELD\n", ":plain", "twice"},
        {"// variant plain: without YIELD\n// fault NO_SUCH\n", ":plain", "no fault"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char error[1024] = "", text[600];
        snprintf(text, sizeof text, LAUNCH OUT "// expect out: 0\n%s" LOOP, cases[i].lines);
        cr_assert_not(read_text(text, cases[i].variant, error, sizeof error), "case %zu was accepted", i);
        cr_assert(strstr(error, cases[i].word) != NULL, "case %zu: %s", i, error);
    }
}

Test(programs, variants,
     .description = "which instructions a variant has, and which expectations and limits are its own") {
    const char *const text = LAUNCH OUT
        "// expect out: 1 2\n// shows: A\n"
        "// variant plain: without YIELD\n// hangs\n// deadline 77\n// shows: B\n"
        "// variant nth: YIELD.NTH 3 for YIELD NOP\n"
        "// variant none: without YIELD BRA\n// expect out: 9\n" LOOP;
    char path[] = "/tmp/tandem-program-XXXXXX", error[1024] = "";
    char names[PROGRAM_VARIANTS_MAX][PROGRAM_VARIANT_NAME_MAX];
    size_t count;
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    cr_assert(program_variants(path, names, &count));
    cr_assert_eq(count, 3);
    cr_expect_str_eq(names[2], "none");
    const struct {
        const char *variant, *shows;
        size_t instructions, expects;
        uint32_t first;
        bool hangs;
    } cases[] = {{"", "A", 3, 1, 1, false},
                 {":plain", "B", 2, 0, 0, true},
                 {":nth", "A", 3, 1, 1, false},
                 {":none", "A", 1, 1, 9, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program program;
        char name[64];
        snprintf(name, sizeof name, "%s%s", path, cases[i].variant);
        cr_assert(program_read(name, &program, error, sizeof error), "%s", error);
        cr_expect_eq(program.object.text_words, cases[i].instructions, "%s", name);
        cr_expect_eq(program.expect_count, cases[i].expects, "%s", name);
        if (program.expect_count != 0) cr_expect_eq(program.expects[0].words.words[0], cases[i].first, "%s", name);
        cr_expect_eq(program.hangs, cases[i].hangs, "%s", name);
        cr_expect_eq(program.deadline, cases[i].hangs ? 77u : 2000000u, "%s", name);
        cr_expect_str_eq(program.shows, cases[i].shows);
        program_free(&program);
    }
    unlink(path);
}

Test(programs, wrong_results_are_found,
     .description = "a wrong word, a fault that does not come, one that does, a program that ends") {
    const char *const texts[] = {
        LAUNCH OUT "// expect out: 0 0 1\n" KERNEL,
        LAUNCH OUT "// fault MEMORY_BOUNDS\n" KERNEL,
        LAUNCH OUT "// hangs\n" KERNEL,
        LAUNCH OUT "// expect out: 0\n.kernel k\n.arg global out\nBRA +9\n",
        LAUNCH OUT "// fault PROGRAM_BOUNDS info 4\n.kernel k\n.arg global out\nNOP\n",
        LAUNCH OUT "// fault PROGRAM_BOUNDS pc 2\n.kernel k\n.arg global out\nNOP\n",
        LAUNCH OUT "// deadline 1000\n// expect out: 0\n.kernel k\n.arg global out\nloop: BRA loop\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char path[] = "/tmp/tandem-program-XXXXXX", error[1024] = "";
        const int file = mkstemp(path);
        cr_assert_geq(file, 0);
        cr_assert_eq(write(file, texts[i], strlen(texts[i])), (ssize_t)strlen(texts[i]));
        close(file);
        cr_assert_not(program_run_file(path, "model:nano", error, sizeof error), "case %zu passed", i);
        cr_assert_neq(error[0], 0);
        unlink(path);
    }
}
