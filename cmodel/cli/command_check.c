// tandem check: events that somebody else has committed, from a file, against the model.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "model/tandem_model.h"
#include "options.h"

struct check_options {
    const char *config;
    uint64_t memory;  // MiB; 0: not given
    bool running;
};

#define CHECK_FIELD(field) offsetof(struct check_options, field)
static const struct option check_table[] = {
    {"--config", "NAME", "configuration: pico, nano, small, full (default: what the trace says)", OPTION_TEXT,
     CHECK_FIELD(config), 0, 0, NULL},
    {"--memory", "MIB", "device memory, 1 to 4095 MiB (default: what the trace says, else 64)", OPTION_NUMBER,
     CHECK_FIELD(memory), 1, 4095, NULL},
    {"--running", NULL, "the trace may end in the middle of the run", OPTION_SWITCH, CHECK_FIELD(running), 0, 0, NULL},
    {NULL, NULL, NULL, OPTION_SWITCH, 0, 0, 0, NULL},
};

static void help(FILE *to) {
    fputs(
        "usage: tandem check TRACE [OPTION]...\n"
        "Checks the events that an implementation of the PPU has committed against the model, which follows them one\n"
        "by one, and reports the first difference. TRACE is a file as trace=FILE of a device writes it, text or\n"
        "(FILE.events) binary, or text of the same events from elsewhere.\n",
        to);
    option_help(check_table, to);
    fputs("Exit codes: 0 all events are right, 1 a difference or a file that is broken, 2 wrong usage.\n", to);
}

// The command that replays, as it was typed. malloc'ed; NULL: no memory.
static char *command_line(int argc, char **argv) {
    size_t size = sizeof "tandem", used;
    for (int i = 0; i < argc; i++)
        size += strlen(argv[i]) + 1;
    char *line = malloc(size);
    if (line == NULL) return NULL;
    used = (size_t)snprintf(line, size, "tandem");
    for (int i = 0; i < argc; i++)
        used += (size_t)snprintf(line + used, size - used, " %s", argv[i]);
    return line;
}

static int check(const char *path, const struct check_options *given, const char *replay) {
    const tandem_model_check_options options = {.size = sizeof options,
                                                .config = given->config,
                                                .memory_bytes = given->memory << 20,
                                                .replay = replay,
                                                .running = given->running,
                                                .report = 1};
    tandem_model_check_result result = {.size = sizeof result};
    char message[2048];
    const tandem_model_status status = tandem_model_check_file(path, &options, &result, message, sizeof message);
    const unsigned long long events = (unsigned long long)result.events;
    if (status == TANDEM_MODEL_OK) {
        printf("%s: PASS events=%llu memory=%llu cycle=%llu\n", path, events, (unsigned long long)result.bytes,
               (unsigned long long)result.cycle);
        return EXIT_OK;
    }
    complain("check", "%s: %s%s", path, status == TANDEM_MODEL_DIFFERS ? "MISMATCH: " : "", message);
    return EXIT_FAILED;
}

static int check_main(int argc, char **argv) {
    struct check_options options = {0};
    const char *path = NULL;
    for (int i = 1; i < argc; i++) {
        const struct option *row = option_find(check_table, argv[i]);
        if (row != NULL) {
            const int wrong = option_set(&command_check, row, argc, argv, &i, &options);
            if (wrong != EXIT_OK) return wrong;
        } else if (argv[i][0] == '-') {
            return usage_error(&command_check, "no option %s", argv[i]);
        } else if (path != NULL) {
            return usage_error(&command_check, "one trace at a time");
        } else {
            path = argv[i];
        }
    }
    if (path == NULL) return usage_error(&command_check, "which trace?");
    char *replay = command_line(argc, argv);
    const int result = check(path, &options, replay);
    free(replay);
    return result;
}

const struct command command_check = {"check", "check a trace of events against the model", help, check_main};
