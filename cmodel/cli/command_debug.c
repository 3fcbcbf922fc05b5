// tandem debug: `tandem run` under the debugger.
#include <stdlib.h>
#include <string.h>

#include "debug.h"
#include "interrupt.h"

static void help(FILE *to) {
    fputs(
        "usage: tandem debug FILE [OPTION]...\n"
        "Runs kernels of FILE as tandem run does, with the same options, and stops, steps and looks. It begins before "
        "the\n"
        "first launch. Commands come from the options below, then from standard input; Ctrl-C stops what runs.\n"
        "  -x, --command FILE      take commands from FILE\n"
        "  --do COMMAND            one command; both may be given several times, in the order in which they are done\n"
        "  --dap                   speak the Debug Adapter Protocol on standard input and output, for editors; FILE "
        "and\n"
        "                          options may also stand in the launch request: \"program\", \"args\": [..]\n"
        "  --batch                 end after these; the first wrong one is the last, with exit code 1\n"
        "The device must be model: or tandem:, whose model follows the hardware: rtl:X is debugged as tandem:X. "
        "Programs\n"
        "are not compiled again (--again never).\n"
        "Commands:\n",
        to);
    debug_commands_help(to);
    fputs("Exit code: that of tandem run; 0 when the session is ended before the program.\n", to);
}

static int parse(int argc, char **argv, struct debug_input *input, char **rest, int *rest_count) {
    for (int i = 0; i < argc; i++) {
        const bool file = strcmp(argv[i], "-x") == 0 || strcmp(argv[i], "--command") == 0;
        if (strcmp(argv[i], "--dap") == 0) {
            input->dap = true;
        } else if (strcmp(argv[i], "--batch") == 0) {
            input->batch = true;
        } else if (file || strcmp(argv[i], "--do") == 0) {
            if (i + 1 == argc) return usage_error(&command_debug, "%s needs a value", argv[i]);
            if (input->count == DEBUG_SCRIPTS_MAX)
                return usage_error(&command_debug, "more than %u of -x and --do", DEBUG_SCRIPTS_MAX);
            input->scripts[input->count++] = (struct debug_script){argv[++i], file};
        } else {
            rest[(*rest_count)++] = argv[i];
        }
    }
    if (input->dap && (input->batch || input->count != 0))
        return usage_error(&command_debug, "with --dap an editor gives the commands: no -x, --do, --batch");
    return EXIT_OK;
}

// What runs must be what was read.
int debug_check_again(struct run_options *run) {
    const char *named = strstr(run->device, "again=");
    if ((run->again >= 0 && run->again != 1) || (named != NULL && strncmp(named, "again=never", 11) != 0))
        return usage_error(&command_debug, "programs are debugged as they are, not compiled again: leave again away");
    if (named == NULL) run->again = 1;
    return EXIT_OK;
}

static int debug_main(int argc, char **argv) {
    struct debug_program *program = calloc(1, sizeof *program);
    char **rest = calloc((size_t)argc + 1, sizeof *rest);
    int rest_count = 0, result = EXIT_FAILED;
    speak_as("debug");
    if (program == NULL || rest == NULL) {
        complain("debug", "the host has no memory");
    } else {
        result = parse(argc, argv, &program->input, rest, &rest_count);
        const bool dap = result == EXIT_OK && program->input.dap;
        if (dap) result = debug_dap(program, rest_count, rest);
        if (result == EXIT_OK && !dap) result = run_options_parse(rest_count, rest, &program->run);
        if (result == EXIT_OK && !dap) result = debug_check_again(&program->run);
        if (result == EXIT_OK && !dap) {
            debug_watch(program);
            result = run_file(&program->run, &program->watch);
            if (program->input.wrong && result == EXIT_OK) result = EXIT_FAILED;
        }
        compile_options_free(&program->run.compile);
        debug_input_free(&program->input);
    }
    free(rest);
    free(program);
    return debug_terminated() != 0 ? EXIT_SIGNAL(debug_terminated()) : result;
}

const struct command command_debug = {"debug", "stop, step and look at kernels on a device", help, debug_main};
