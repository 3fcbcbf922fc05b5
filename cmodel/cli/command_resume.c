// tandem resume: a recorded run again from its last checkpoint.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "driver/resume.h"
#include "options.h"

#define RESUME_FIELD(field) offsetof(struct resume_options, field)
static const struct option resume_table[] = {
    {"--wave", "FILE", "the signals of the RTL, as FST", OPTION_TEXT, RESUME_FIELD(wave), 0, 0, NULL},
    {"--trace", "FILE", "the events, as text or (FILE.events) binary", OPTION_TEXT, RESUME_FIELD(trace), 0, 0, NULL},
    {"--timeline", "FILE", "the run as tracks for Perfetto", OPTION_TEXT, RESUME_FIELD(timeline), 0, 0, NULL},
    {"--until", "CYCLE", "stop in this cycle (default: where the record ends)", OPTION_NUMBER, RESUME_FIELD(until), 1,
     UINT64_MAX - 1, NULL},
    {"--beyond", "CYCLES", "go on where the record ends, with a CPU that does nothing", OPTION_NUMBER,
     RESUME_FIELD(beyond), 1, UINT32_MAX, NULL},
    {"--rtl", NULL, "of a run of tandem: the RTL alone, which goes on past a mismatch", OPTION_SWITCH,
     RESUME_FIELD(rtl_alone), 0, 0, NULL},
    {NULL, NULL, NULL, OPTION_SWITCH, 0, 0, 0, NULL},
};

static void help(FILE *to) {
    fputs(
        "usage: tandem resume FILE [OPTION]...\n"
        "Goes over a run again from its last checkpoint, without its program: a device with checkpoint=FILE in its "
        "name\n"
        "(model:, rtl:, tandem:; checkpoint_every=CYCLES, default 1000000) writes its whole state there, and what the\n"
        "CPU does to it. Cycle by cycle it is the same run, so a failure after hours comes back in seconds, with "
        "waves.\n",
        to);
    option_help(resume_table, to);
    fputs("Exit codes: 0 done, 1 the device failed, or the file is broken or of another build, 2 wrong usage.\n", to);
}

static int resume_main(int argc, char **argv) {
    struct resume_options options = {.until = UINT64_MAX};
    struct resume_result result;
    const char *path = NULL;
    char command[600];
    for (int i = 1; i < argc; i++) {
        const struct option *row = option_find(resume_table, argv[i]);
        if (row != NULL) {
            const int wrong = option_set(&command_resume, row, argc, argv, &i, &options);
            if (wrong != EXIT_OK) return wrong;
        } else if (argv[i][0] == '-') {
            return usage_error(&command_resume, "no option %s", argv[i]);
        } else if (path != NULL) {
            return usage_error(&command_resume, "one run at a time");
        } else {
            path = argv[i];
        }
    }
    if (path == NULL) return usage_error(&command_resume, "which file?");
    (void)snprintf(command, sizeof command, "tandem resume %s", path);
    options.command = command;
    const enum resume_status status = resume(path, &options, &result);
    if (status == RESUME_DONE) {
        printf("%s: %s from cycle %llu to %llu, %llu calls of the CPU%s\n", path, result.device,
               (unsigned long long)result.from, (unsigned long long)result.to, (unsigned long long)result.calls,
               result.cut_off && options.until == UINT64_MAX ? "; its program ended without closing it" : "");
        return EXIT_OK;
    }
    complain("resume", "%s", result.message);
    return status == RESUME_OPTIONS ? EXIT_USAGE : EXIT_FAILED;
}

const struct command command_resume = {"resume", "go over a run again from its last checkpoint", help, resume_main};
