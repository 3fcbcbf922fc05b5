// Linked into every Criterion program: appends one line for each finished test to the file that TANDEM_RESULTS names,
// for `make trace`:
//   PASS|FAIL <suite>/<test> <seconds> <description>
#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <stdio.h>
#include <stdlib.h>

ReportHook(POST_TEST)(struct criterion_test_stats *stats) {
    const char *path = getenv("TANDEM_RESULTS");
    if (path == NULL) return;
    FILE *file = fopen(path, "a");
    if (file == NULL) return;
    const char *description = stats->test->data->description;
    fprintf(file, "%s %s/%s %.2f %s\n", stats->test_status == CR_STATUS_PASSED ? "PASS" : "FAIL", stats->test->category,
            stats->test->name, (double)stats->elapsed_time, description != NULL ? description : "");
    fclose(file);
}
