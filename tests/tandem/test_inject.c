// Does the tandem check find what it is there for? Each deliberate defect of the RTL (configuration nano_inject) and of
// the model must end the fixed programs in a mismatch; without a defect they must pass. The defects tried are the rows
// of the tables "Deliberate defects" in the README.md of each folder of rtl/ and cmodel/, and each number that rtl/
// compares inject_i with must be among them.
#define _POSIX_C_SOURCE 200809L

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "programs.h"

#define SEEDS 3u  // a defect may need a certain timing: this many are tried

struct defect {
    unsigned number;
    bool model;  // else of the RTL
};

static const char *const folders[] = {"host", "task", "sm", "mem"};
#define FOLDERS (sizeof folders / sizeof folders[0])

// Rows "| number | .." below "## Deliberate defects".
static size_t read_readme(const char *path, bool model, struct defect *to, size_t room) {
    FILE *file = fopen(path, "r");
    char line[1024];
    size_t count = 0;
    bool inside = false;
    while (file != NULL && count < room && fgets(line, sizeof line, file) != NULL) {
        unsigned number = 0;
        if (strncmp(line, "## ", 3) == 0) inside = strncmp(line, "## Deliberate defects", 21) == 0;
        if (inside && sscanf(line, "| %u |", &number) == 1)
            to[count++] = (struct defect){.number = number, .model = model};
    }
    if (file != NULL) fclose(file);
    return count;
}

// Tests run in the project's top folder.
static size_t read_tables(struct defect *to, size_t room) {
    size_t count = 0;
    for (size_t i = 0; i < 2 * FOLDERS; i++) {
        bool model = i >= FOLDERS;
        char path[64];
        snprintf(path, sizeof path, "%s/%s/README.md", model ? "cmodel" : "rtl", folders[i % FOLDERS]);
        count += read_readme(path, model, to + count, room - count);
    }
    return count;
}

static char folder[64];
static void make_folder(void) {
    strcpy(folder, "/tmp/tandem-inject-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    setenv("TANDEM_REPORTS", folder, 1);
}
static unsigned remove_reports(void) {
    unsigned count = 0;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && unlink(path) == 0) count++;
    }
    if (list != NULL) closedir(list);
    return count;
}
static void remove_folder(void) {
    (void)remove_reports();
    rmdir(folder);
}

TestSuite(inject, .init = make_folder, .fini = remove_folder);

Test(inject, no_defect_no_mismatch,
     .description =
         "WQ-1 WQ-2 WQ-5 WQ-6 WQ-7 WQ-8 WQ-15 TU-1 TU-6 TU-9 TU-11 TD-6 TD-7 TD-8 TD-9 TD-10 TD-11 TD-12 "
         "the fixed programs pass in lockstep [tandem]") {
    static const char *const devices[] = {"tandem:nano,mem=4,seed=", "tandem:nano_inject,mem=4,seed="};
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        for (unsigned seed = 1; seed <= SEEDS; seed++) {
            char name[64], why[1024] = "";
            snprintf(name, sizeof name, "%s%u", devices[i], seed);
            enum tandem_status status = fixed_programs_run(name, NULL, why, sizeof why);
            cr_expect_eq(status, TANDEM_OK, "%s: %s: %s", name, tandem_status_name(status), why);
        }
    }
    cr_expect_eq(remove_reports(), 0);
}

static bool is_listed(const struct defect *all, size_t count, unsigned number) {
    for (size_t i = 0; i < count; i++) {
        if (!all[i].model && all[i].number == number) return true;
    }
    return false;
}

// Checks the numbers of one source file against the tables; returns how many it names.
static size_t check_source(const char *path, const struct defect *all, size_t count) {
    FILE *file = fopen(path, "r");
    char line[1024];
    size_t found = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        for (const char *at = line; (at = strstr(at, "inject_i == 8'd")) != NULL; at++) {
            unsigned number = (unsigned)atoi(at + strlen("inject_i == 8'd"));
            cr_expect(is_listed(all, count, number), "%s: defect %u is in no table", path, number);
            found++;
        }
    }
    if (file != NULL) fclose(file);
    return found;
}

Test(inject, tables_name_every_defect, .description = "no deliberate defect of the RTL is left out") {
    static struct defect all[256];
    size_t count = read_tables(all, 256), model = 0, found = 0;
    for (size_t i = 0; i < count; i++)
        model += all[i].model;
    for (size_t i = 0; i < FOLDERS; i++) {
        char path[64];
        snprintf(path, sizeof path, "rtl/%s", folders[i]);
        DIR *list = opendir(path);
        cr_assert_not_null(list, "%s: run this in the project's top folder", path);
        for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
            char source[512];
            snprintf(source, sizeof source, "%s/%s", path, entry->d_name);
            size_t length = strlen(source);
            if (length > 3 && strcmp(source + length - 3, ".sv") == 0) found += check_source(source, all, count);
        }
        closedir(list);
    }
    cr_expect(found >= 25 && count - model >= 25 && model >= 8,
              "%zu places in the RTL, %zu defects of it listed, %zu of the model", found, count - model, model);
}

static void free_parameters(struct criterion_test_params *parameters) {
    cr_free(parameters->params);
}

ParameterizedTestParameters(inject, defect_is_found) {
    struct defect *all = cr_malloc(256 * sizeof *all);
    size_t count = read_tables(all, 256);
    return cr_make_param_array(struct defect, all, count, free_parameters);
}

ParameterizedTest(struct defect *defect, inject, defect_is_found) {
    char name[96], why[1024] = "";
    enum tandem_status status = TANDEM_OK;
    for (unsigned seed = 1; seed <= SEEDS && status == TANDEM_OK; seed++) {
        snprintf(name, sizeof name, "tandem:nano,mem=4,seed=%u,%s=%u", seed, defect->model ? "inject_model" : "inject",
                 defect->number);
        status = fixed_programs_run(name, NULL, why, sizeof why);
    }
    cr_expect_eq(status, TANDEM_MISMATCH, "defect %u of the %s was not found by %s: %s %s", defect->number,
                 defect->model ? "model" : "RTL", name, tandem_status_name(status), why);
    cr_expect_geq(remove_reports(), 1, "defect %u: no report", defect->number);
}
