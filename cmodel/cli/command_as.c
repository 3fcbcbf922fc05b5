// tandem as, tandem dis: assembly to a code object, and back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "isa/assembler.h"
#include "isa/disassembler.h"

static void as_help(FILE *to) {
    fputs(
        "usage: tandem as FILE.s [-o FILE.elf]\n"
        "Assembles a program for the PPU (default: FILE.elf beside FILE.s). The language: cmodel/isa/README.md and the "
        "instruction manual.\n",
        to);
}

static void dis_help(FILE *to) {
    fputs(
        "usage: tandem dis FILE\n"
        "Prints a code object (or what an OpenCL C file compiles to) as assembly that assembles back to the same "
        "words.\n",
        to);
}

static int as_main(int argc, char **argv) {
    const char *in = NULL, *out = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0) {
            if (i + 1 >= argc) return usage_error(&command_as, "-o needs a file name");
            out = argv[++i];
        } else if (argv[i][0] == '-') {
            return usage_error(&command_as, "option %s is unknown", argv[i]);
        } else if (in != NULL) {
            return usage_error(&command_as, "one file at a time, not %s and %s", in, argv[i]);
        } else {
            in = argv[i];
        }
    }
    if (in == NULL) return usage_error(&command_as, "no file to assemble");
    char name[4096], error[1024];
    if (out == NULL) {
        size_t stem = strlen(in);
        if (stem > 2 && strcmp(in + stem - 2, ".s") == 0) stem -= 2;
        snprintf(name, sizeof name, "%.*s.elf", (int)stem, in);
        out = name;
    }
    struct code_object object;
    if (!assemble_file(in, &object, error, sizeof error)) {
        complain("as", "%s", error);
        return EXIT_FAILED;
    }
    bool good = code_object_write_file(&object, out, error, sizeof error);
    if (!good) complain("as", "%s", error);
    code_object_free(&object);
    return good ? EXIT_OK : EXIT_FAILED;
}

static int dis_main(int argc, char **argv) {
    if (argc != 2) return usage_error(&command_dis, "one file is needed");
    struct code_object object;
    if (!load_program("dis", argv[1], NULL, &object)) return EXIT_FAILED;
    char *text = disassemble(&object);
    if (text != NULL) {
        fputs(text, stdout);
    } else {
        complain("dis", "the host has no memory");
    }
    free(text);
    code_object_free(&object);
    return text != NULL ? EXIT_OK : EXIT_FAILED;
}

const struct command command_as = {"as", "assemble", as_help, as_main};
const struct command command_dis = {"dis", "disassemble", dis_help, dis_main};
