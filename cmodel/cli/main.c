// tandem: compile, assemble, disassemble and run programs for the PPU.
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "streams.h"

// Said in the Makefile, which gives it here.
#ifndef TANDEM_VERSION
#define TANDEM_VERSION "without a version"
#endif

static const struct command *const commands[] = {&command_cc,    &command_as,    &command_dis,     &command_run,
                                                 &command_info,  &command_probe, &command_memtest, &command_selftest,
                                                 &command_where, &command_check, &command_resume,  &command_debug};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void print_help(FILE *to) {
    fprintf(to, "usage: tandem COMMAND [OPTION]...\n       tandem --version\n\ncommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(to, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(to,
            "\n`tandem COMMAND --help` tells more. Exit codes: 0 done, 1 failed, 2 wrong usage,\n"
            "128 + N ended by signal N.\n");
}

static int run_command(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("tandem " TANDEM_VERSION);
        return EXIT_OK;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i]->name) != 0) continue;
        for (int a = 2; a < argc; a++) {
            if (strcmp(argv[a], "--help") != 0 && strcmp(argv[a], "-h") != 0) continue;
            commands[i]->help(stdout);
            return EXIT_OK;
        }
        return commands[i]->main(argc - 1, argv + 1);
    }
    fprintf(stderr, "tandem: no command \"%s\"; `tandem --help` lists them\n", argv[1]);
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    streams_begin();
    const int result = run_command(argc, argv);
    return streams_end("tandem") || result != EXIT_OK ? result : EXIT_FAILED;
}
