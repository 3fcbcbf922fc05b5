// The options of `tandem run`.
#include <string.h>

#include "run.h"

static const char *const sv_order_words[] = {"program", "regular", "subvector", NULL};
static const char *const policy_words[] = {"round-robin", "greedy", NULL};
static const char *const again_words[] = {"auto", "never", "always", NULL};
static const char *const put_words[] = {"hardware", "software", NULL};
static const char *const switch_words[] = {"off", "on", NULL};

#define RUN_FIELD(field) offsetof(struct run_options, field), 0, 0, NULL
#define RUN_NUMBER(field, least, most) OPTION_NUMBER, offsetof(struct run_options, field), least, most, NULL
#define RUN_WORDS(field, words) OPTION_WORD, offsetof(struct run_options, field), 0, 0, words
#define LAUNCH_SIZES(field, least) OPTION_SIZES, offsetof(struct run_launch, field), least, UINT32_MAX, NULL
#define TABLE_END \
    { NULL, NULL, NULL, OPTION_SWITCH, 0, 0, 0, NULL }

static const struct option launch_table[] = {
    {"--kernel", "NAME", "which kernel (not needed when there is one)", OPTION_TEXT,
     offsetof(struct run_launch, kernel), 0, 0, NULL},
    {"--global", "X[,Y[,Z]]", "global size (default: one work-group)", LAUNCH_SIZES(global, 1)},
    {"--local", "X[,Y[,Z]]", "local size (default: chosen)", LAUNCH_SIZES(local, 1)},
    {"--offset", "X[,Y[,Z]]", "global offset", LAUNCH_SIZES(offset, 0)},
    {"--level", "N", "level of the task, 0 to 63: the highest is started first (default: the channel's)", OPTION_NUMBER,
     offsetof(struct run_launch, level), 0, 63, NULL},
    {"--repeat", "N", "launch it N times, each when the one before has ended (default 1)", OPTION_NUMBER,
     offsetof(struct run_launch, repeat), 1, UINT32_MAX, NULL},
    {"--at-head", NULL, "the task goes in front of those that are pending in its level", OPTION_SWITCH,
     offsetof(struct run_launch, at_head), 0, 0, NULL},
    TABLE_END,
};

static const char argument_help[] =
    "  --arg ARG               the next argument of the kernel, in order. A value: 7, -1, 0x1F, 1.5, 1e-3, for a\n"
    "                          vector 1,2,3,4 or one number for all. Local memory: local:BYTES. A buffer, which\n"
    "                          NAME= in front makes known to later arguments, --show and --save:\n"
    "                            in:FILE          the file's bytes\n"
    "                            inout:FILE:OUT   the same, written to OUT afterwards\n"
    "                            out:OUT:BYTES    zeros, written to OUT afterwards (OUT -: printed as numbers)\n"
    "                            zero:BYTES       zeros\n"
    "                            list:N,N,..      numbers of the argument's type\n"
    "                            NAME             the buffer of an earlier argument\n"
    "  --then                  what follows is the next launch, of the same program in the same channel, with an\n"
    "                          own --kernel, sizes and --arg\n";

static const struct option run_table[] = {
    {"--device", "NAME", "default model:small; rtl:nano, tandem:full,seed=7 and so on", OPTION_TEXT, RUN_FIELD(device)},
    {"--seed", "N", "seed of the device's schedule and memory timing", OPTION_TEXT, RUN_FIELD(seed)},
    {"--again", "auto|never|always",
     "compile a kernel again when its arguments are known: where it should pay (auto; default),\n"
     "at its first launch (always), or never",
     RUN_WORDS(again, again_words)},
    {"--again-log", NULL, "tell on standard error what second compiles were made, and why", OPTION_SWITCH,
     RUN_FIELD(again_log)},
    {"--deadline", "CYCLES", "give up after so many cycles (default 4294967296)", RUN_NUMBER(deadline, 1, UINT64_MAX)},
    {"--stats", NULL,
     "a table of what the device has counted: instructions, local memory, cycles, cache,\n"
     "bank conflicts, warps",
     OPTION_SWITCH, RUN_FIELD(stats)},
    {"--wave", "FILE.fst", "record waves (rtl:, tandem:)", OPTION_TEXT, RUN_FIELD(wave)},
    {"--trace", "FILE", "write every event, as text or (FILE.events) binary", OPTION_TEXT, RUN_FIELD(trace)},
    {"--timeline", "FILE.json", "record channels, semaphores, tasks, CTAs and warps for Perfetto", OPTION_TEXT,
     RUN_FIELD(timeline)},
    {"--printf-bytes", "N", "bytes of the buffer that holds what the kernel prints until it ends (default 262144)",
     RUN_NUMBER(printf_bytes, 1, UINT32_MAX)},
    {"--priority", "N", "priority of the channel, 0 to 3: its tasks have level 16 * N", RUN_NUMBER(priority, 0, 3)},
    {"--ring", "ENTRIES", "entries of the channel's ring, 2 to 65536 (default 16)", RUN_NUMBER(ring_entries, 2, 65536)},
    {"--work-entries", "N", "for kernels that make work: entries of that queue's ring (default 256)",
     RUN_NUMBER(work_entries, 4, 65536)},
    {"--work-pieces", "N", "pieces of work at the same time, a power of two (default 1024)",
     RUN_NUMBER(work_pieces, 1, UINT32_MAX)},
    {"--work-piece-bytes", "N", "bytes of a piece, a multiple of 256 (default: what the program needs)",
     RUN_NUMBER(work_piece_bytes, 256, UINT32_MAX)},
    {"--work-put", "WHO", "who moves GP_PUT of that queue: hardware (default) or software (the driver)",
     RUN_WORDS(work_put, put_words)},
    {"--work-priority", "N", "priority of that queue, 0 to 3", RUN_NUMBER(work_priority, 0, 3)},
    {"--sv-order", "ORDER", "of sub-vector sequences: program (as they say; default), regular, subvector",
     RUN_WORDS(sv_order, sv_order_words)},
    {"--sv-miss-share", "N", "misses of 65536 accesses from which SVSTART.AUTO takes sub-vector order",
     RUN_NUMBER(sv_miss_share, 0, 65536)},
    {"--policy", "POLICY", "which warp issues next: round-robin (default) or greedy (then the oldest)",
     RUN_WORDS(policy, policy_words)},
    {"--round-robin", NULL, "levels of pending tasks take turns (default: the highest first)", OPTION_SWITCH,
     RUN_FIELD(round_robin)},
    {"--slice", "N",
     "kernels with .saves make place for others of their level after N * 1024 cycles (default 0: never)",
     RUN_NUMBER(slice, 0, 255)},
    {"--l1", "on|off", "the level 1 data cache (default on)", RUN_WORDS(l1, switch_words)},
    {"--yield-seed", "N", "seed of YIELD.RANDOM", RUN_NUMBER(yield_seed, 0, UINT32_MAX)},
    TABLE_END,
};

static const char show_help[] =
    "  --show NAME             print a named buffer afterwards, as numbers of its argument's type\n"
    "  --save NAME:FILE        write a named buffer to a file afterwards\n"
    "For the compiler (.cl only):\n";

void run_options_help(FILE *to) {
    fputs(
        "usage: tandem run FILE [OPTION]... [--then [OPTION]...]...\n"
        "Runs kernels of FILE (OpenCL C .cl, assembly .s, or a code object) on a device.\n"
        "Of each launch:\n",
        to);
    option_help(launch_table, to);
    fputs(argument_help, to);
    fputs("Of the run:\n", to);
    option_help(run_table, to);
    fputs(show_help, to);
    compile_options_help(to);
    fputs(
        "What the kernels print goes to standard output; lost records are told on standard error.\n"
        "Ends with a line of figures. Exit code 1 on a fault, a timeout or a mismatch between model and RTL.\n",
        to);
}

// One more word for a list of at most `most`.
static int append(const char *option, const char *value, const char **list, size_t *count, size_t most) {
    if (value == NULL) return usage_error(&command_run, "%s needs a value", option);
    if (*count == most) return usage_error(&command_run, "%s %s: more than %zu of them", option, value, most);
    list[(*count)++] = value;
    return EXIT_OK;
}

static int parse_word(int argc, char **argv, int *i, struct run_options *run) {
    struct run_launch *launch = &run->launches[run->launch_count - 1];
    const char *word = argv[*i], *value = *i + 1 < argc ? argv[*i + 1] : NULL;
    const struct option *row = option_find(launch_table, word);
    if (row != NULL) return option_set(&command_run, row, argc, argv, i, launch);
    row = option_find(run_table, word);
    if (row != NULL) return option_set(&command_run, row, argc, argv, i, run);
    if (strcmp(word, "--arg") == 0) {
        ++*i;
        return append(word, value, launch->arguments, &launch->argument_count, RUN_ARGUMENTS_MAX);
    }
    if (strcmp(word, "--show") == 0) {
        ++*i;
        return append(word, value, run->shown, &run->shown_count, RUN_BUFFERS_MAX);
    }
    if (strcmp(word, "--save") == 0) {
        ++*i;
        return append(word, value, run->saved, &run->saved_count, RUN_BUFFERS_MAX);
    }
    if (strcmp(word, "--then") == 0) {
        if (run->launch_count == RUN_LAUNCHES_MAX)
            return usage_error(&command_run, "more than %d launches", RUN_LAUNCHES_MAX);
        run->launches[run->launch_count++] = (struct run_launch){.level = RUN_NOT_GIVEN, .repeat = 1};
        return EXIT_OK;
    }
    bool taken = false;
    const int result = compile_option(&command_run, argc, argv, i, &run->compile, &taken);
    if (result != EXIT_OK || taken) return result;
    if (word[0] == '-') return usage_error(&command_run, "option %s is unknown", word);
    if (run->file != NULL) return usage_error(&command_run, "one file at a time, not %s and %s", run->file, word);
    run->file = word;
    return EXIT_OK;
}

// A file name becomes a part of the device's name, in which a comma ends it.
static int check_path(const char *option, const char *path) {
    if (path == NULL || strchr(path, ',') == NULL) return EXIT_OK;
    return usage_error(&command_run, "%s %s: a file name with a comma cannot be used here", option, path);
}

int run_options_parse(int argc, char **argv, struct run_options *run) {
    *run = (struct run_options){.device = "model:small",
                                .ring_entries = 16,
                                .again = -1,
                                .sv_order = -1,
                                .policy = -1,
                                .work_put = -1,
                                .l1 = -1,
                                .sv_miss_share = RUN_NOT_GIVEN,
                                .yield_seed = RUN_NOT_GIVEN,
                                .launches = {{.level = RUN_NOT_GIVEN, .repeat = 1}},
                                .launch_count = 1};
    for (int i = 1; i < argc; i++) {
        const int result = parse_word(argc, argv, &i, run);
        if (result != EXIT_OK) return result;
    }
    if (run->file == NULL) return usage_error(&command_run, "no file to run");
    int result = check_path("--wave", run->wave);
    if (result == EXIT_OK) result = check_path("--trace", run->trace);
    if (result == EXIT_OK) result = check_path("--timeline", run->timeline);
    return result;
}
