// The options that say how OpenCL C is compiled, and the compiler called with them.
#include "compile_options.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "options.h"

static const char *const call_words[] = {
    [COMPILER_CALLS_AUTO] = "auto", [COMPILER_CALLS_NEVER] = "never", [COMPILER_CALLS_ALWAYS] = "always", NULL};

static const struct option table[] = {
    {"--registers", "N",
     "at most N vector registers a thread (1 to 255); further values are kept in\n"
     "memory. Default: 255, and what lets one warp, or a reqd_work_group_size, run\n"
     "on the configuration of --sv-target; tandem run: what lets --local run on --device",
     OPTION_NUMBER, offsetof(struct compile_options, registers), 1, 255, NULL},
    {"--no-yield", NULL, "no YIELD in any loop of the program", OPTION_SWITCH,
     offsetof(struct compile_options, no_yields), 0, 0, NULL},
    {"--calls", "auto|never|always",
     "auto (default): keep as calls the functions marked noinline and those that would\n"
     "make a kernel much longer; never: expand all where they are called;\n"
     "always: keep all that can be called",
     OPTION_WORD, offsetof(struct compile_options, calls), 0, 0, call_words},
    {"--time-limit", "SECONDS",
     "give up a program whose compilation takes more processor time (1 to 86400, default 60)", OPTION_NUMBER,
     offsetof(struct compile_options, time_limit), 1, 86400, NULL},
    {"--once", NULL, "keep nothing in the code object for a second compile (its section .tandem.again)", OPTION_SWITCH,
     offsetof(struct compile_options, once), 0, 0, NULL},
    {"--saves", NULL,
     "the CTAs of its kernels can step aside: their state can go to memory and come back, for others\n"
     "of a higher level or that they wait for",
     OPTION_SWITCH, offsetof(struct compile_options, saves), 0, 0, NULL},
    {"--segments", NULL, "print the report of segments: registers, threshold, order, rows saved", OPTION_SWITCH,
     offsetof(struct compile_options, tell_segments), 0, 0, NULL},
    {"--loops", NULL, "print which loops are bounded (the others get a YIELD) and which functions stay calls",
     OPTION_SWITCH, offsetof(struct compile_options, tell_loops), 0, 0, NULL},
    {NULL, NULL, NULL, OPTION_SWITCH, 0, 0, 0, NULL},
};

static const char words_help[] =
    "  --yield KIND            of loops without a bound: auto (default: plain where the loop waits for other\n"
    "                          threads, else nth=256), plain, nth=N (at every N-th execution, 1 to 256),\n"
    "                          random=P (with a probability of P in 65536). A loop that calls tandem_yield(),\n"
    "                          tandem_yield_nth(N) or tandem_yield_random(P) gets that kind\n"
    "  --sv-way WAY            segments with many registers run in sub-vector order, by: instructions\n"
    "                          (SVSTART .. SVEND; what lives only inside gets shared registers), auto (as the\n"
    "                          miss rate says), copies (a copy of the code for each portion), loop (the halves\n"
    "                          of the warp one after the other), off (default)\n"
    "  --sv-cut CUT            what a segment is: pressure (maximal run over the threshold; default), loop,\n"
    "                          function, run\n"
    "  --sv-threshold T        registers: computed (default: so that most warps are resident), fixed (32), N, or\n"
    "                          N% of the registers that a lane has for a thread\n"
    "  --sv-default O          regular (default), or subvector: regular order only around segments under the\n"
    "                          threshold\n"
    "  --sv-rows R             shared (default), or private: no shared registers\n"
    "  --sv-cost C             warps (default): segments that let no more warps be resident are left alone, where "
    "they\n"
    "                          would share rows; none: they are not\n"
    "  --sv-target C           the configuration to reckon with: pico, nano, small (default), full; tandem run: of "
    "--device\n"
    "  -D NAME[=VALUE], -I DIR, -include FILE, -cl-std=CL2.0, and every other option of clBuildProgram\n";

void compile_options_help(FILE *to) {
    option_help(table, to);
    fputs(words_help, to);
}

static bool add_front(struct compile_options *options, const char *word) {
    const char **more = realloc(options->front, (options->front_count + 2) * sizeof *more);
    if (more == NULL) return false;
    options->front = more;
    options->front[options->front_count++] = word;
    options->front[options->front_count] = NULL;
    return true;
}

int compile_option(const struct command *command, int argc, char **argv, int *i, struct compile_options *options,
                   bool *taken) {
    static const char *const with_value[] = {"-D", "-U", "-I", "-isystem", "-include"};
    const char *word = argv[*i];
    const struct option *row = option_find(table, word);
    *taken = true;
    if (row != NULL) return option_set(command, row, argc, argv, i, options);
    if (strncmp(word, "--sv-", 5) == 0) {
        const char *expected = NULL;
        if (*i + 1 >= argc) return usage_error(command, "%s needs a value", word);
        const char *value = argv[++*i];
        if (subvector_set(&options->subvector, word + 5, value, &expected)) return EXIT_OK;
        return usage_error(command, "%s %s: %s", word, value, expected);
    }
    if (strcmp(word, "--yield") == 0) {
        const char *expected = NULL;
        if (*i + 1 >= argc) return usage_error(command, "%s needs a value", word);
        const char *value = argv[++*i];
        if (yield_set(&options->yield, value, &expected)) return EXIT_OK;
        return usage_error(command, "%s %s: %s", word, value, expected);
    }
    *taken = word[0] == '-' && word[1] != '-' && word[1] != '\0';
    if (!*taken) return EXIT_OK;
    bool good = add_front(options, word);
    for (size_t k = 0; good && k < sizeof with_value / sizeof *with_value; k++) {
        if (strcmp(word, with_value[k]) != 0) continue;
        if (*i + 1 >= argc) return usage_error(command, "%s needs a value", word);
        good = add_front(options, argv[++*i]);
    }
    if (!good) complain(command->name, "the host has no memory");
    return good ? EXIT_OK : EXIT_FAILED;
}

void compile_options_free(struct compile_options *options) {
    free(options->front);
    *options = (struct compile_options){0};
}

static void print_part(bool wanted, const char *text) {
    if (wanted && text != NULL) fputs(text, stdout);
}

bool compile_file(const char *command, const char *path, const struct compile_options *options, const char *dump,
                  void **elf, size_t *size) {
    (void)command;  // the compiler's messages name the file
    const bool ir = dump != NULL && strcmp(dump, "ir") == 0;
    const bool machine = dump != NULL && strcmp(dump, "machine") == 0;
    const struct compiler_options compiler = {.arguments = options->front,
                                              .keep_ir = ir,
                                              .keep_asm = machine,
                                              .time_limit = (unsigned)options->time_limit,
                                              .register_limit = (unsigned)options->registers,
                                              .subvector = options->subvector,
                                              .no_yields = options->no_yields,
                                              .yield = options->yield,
                                              .once = options->once,
                                              .saves = options->saves != 0,
                                              .calls = (enum compiler_calls)options->calls};
    struct compiler_result result;
    const bool good = compiler_compile_file(path, &compiler, &result);
    if (result.messages != NULL && *result.messages != '\0') {
        fprintf(stderr, "%s%s", result.messages, result.messages[strlen(result.messages) - 1] == '\n' ? "" : "\n");
    }
    if (good) {
        print_part(options->tell_loops, result.calls);
        print_part(options->tell_loops, result.loops);
        print_part(options->tell_segments, result.segments);
        print_part(ir, result.ir);
        print_part(machine, result.machine);
        *elf = result.elf;
        *size = result.elf_size;
        result.elf = NULL;
    }
    compiler_result_free(&result);
    return good;
}
