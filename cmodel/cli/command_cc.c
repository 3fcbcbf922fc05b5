// tandem cc: OpenCL C to a code object.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "compile_options.h"
#include "options.h"

struct cc {
    const char *in, *out;
    bool verbose;
    int dump;
    struct compile_options compile;
};

static const char *const dump_words[] = {"none", "ir", "machine", NULL};

static const struct option table[] = {
    {"-o", "FILE.elf", "where the code object goes (default: FILE.elf beside FILE.cl)", OPTION_TEXT,
     offsetof(struct cc, out), 0, 0, NULL},
    {"-v", NULL,
     "print registers, memory, spilled registers and arguments of each kernel, and what\n"
     "--loops and --segments print",
     OPTION_SWITCH, offsetof(struct cc, verbose), 0, 0, NULL},
    {"--dump", "ir|machine",
     "print the LLVM IR that is selected from, or the machine code with blocks, registers\n"
     "and tokens",
     OPTION_WORD, offsetof(struct cc, dump), 0, 0, dump_words},
    {NULL, NULL, NULL, OPTION_SWITCH, 0, 0, 0, NULL},
};

static void help(FILE *to) {
    fputs(
        "usage: tandem cc FILE.cl [-o FILE.elf] [OPTION]...\n"
        "Compiles OpenCL C to a code object for the PPU.\n",
        to);
    option_help(table, to);
    compile_options_help(to);
    fputs("`tandem dis FILE.elf` shows the result, `tandem info FILE.elf` its kernels.\n", to);
}

static bool print_kernels(const void *elf, size_t size) {
    struct code_object object;
    char error[512];
    if (!code_object_read(elf, size, &object, error, sizeof error)) {
        complain("cc", "%s", error);
        return false;
    }
    for (size_t k = 0; k < object.kernel_count; k++)
        print_kernel(&object.kernels[k]);
    code_object_free(&object);
    return true;
}

static int parse(int argc, char **argv, struct cc *cc) {
    for (int i = 1; i < argc; i++) {
        const struct option *row = option_find(table, argv[i]);
        bool taken = row != NULL;
        const int result = row != NULL ? option_set(&command_cc, row, argc, argv, &i, cc)
                                       : compile_option(&command_cc, argc, argv, &i, &cc->compile, &taken);
        if (result != EXIT_OK) return result;
        if (taken) continue;
        if (argv[i][0] == '-') return usage_error(&command_cc, "option %s is unknown", argv[i]);
        if (cc->in != NULL) return usage_error(&command_cc, "one file at a time, not %s and %s", cc->in, argv[i]);
        cc->in = argv[i];
    }
    if (cc->in == NULL) return usage_error(&command_cc, "no file to compile");
    return EXIT_OK;
}

// FILE.cl: FILE.elf. The caller frees.
static char *default_name(const char *in) {
    size_t stem = strlen(in);
    if (stem > 3 && strcmp(in + stem - 3, ".cl") == 0) stem -= 3;
    char *name = malloc(stem + 5);
    if (name != NULL) snprintf(name, stem + 5, "%.*s.elf", (int)stem, in);
    return name;
}

static bool compile(struct cc *cc) {
    char *made = cc->out == NULL ? default_name(cc->in) : NULL;
    const char *out = cc->out != NULL ? cc->out : made;
    if (out == NULL) {
        complain("cc", "the host has no memory");
        return false;
    }
    cc->compile.tell_loops |= cc->verbose;
    cc->compile.tell_segments |= cc->verbose;
    void *elf = NULL;
    size_t size = 0;
    bool good = compile_file("cc", cc->in, &cc->compile, cc->dump != 0 ? dump_words[cc->dump] : NULL, &elf, &size) &&
                write_file("cc", out, elf, size);
    if (good && cc->verbose) good = print_kernels(elf, size);
    free(elf);
    free(made);
    return good;
}

static int cc_main(int argc, char **argv) {
    struct cc cc = {0};
    int result = parse(argc, argv, &cc);
    if (result == EXIT_OK && cc.in != NULL) result = compile(&cc) ? EXIT_OK : EXIT_FAILED;
    compile_options_free(&cc.compile);
    return result;
}

const struct command command_cc = {"cc", "compile OpenCL C", help, cc_main};
