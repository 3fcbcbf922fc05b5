// tandem cc: OpenCL C to a code object.
#include "command_cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"

static const char help[] =
    "usage: tandem cc FILE.cl [-o FILE.elf] [-v] [--registers N] [--no-yield] [--calls auto|never|always] [--sv-NAME "
    "VALUE]... [--segments] "
    "[--dump ir|machine] [-D NAME[=VALUE]] "
    "[-I DIR] [OPTION OF clBuildProgram]...\n"
    "Compiles OpenCL C to a code object for the PPU (default: FILE.elf beside FILE.cl).\n"
    "  -v               print registers, memory, spilled registers and arguments of each kernel, which functions stay\n"
    "                   calls and why, which loops are bounded (the others get a YIELD), and the report of segments\n"
    "  --registers N    at most N vector registers a thread (default 255, and with reqd_work_group_size what lets\n"
    "                   that group run on the configuration of --sv-target); further values are kept in memory\n"
    "  --no-yield       no YIELD in any loop of the program\n"
    "  --calls auto     keep as calls the functions marked noinline and those that would make a kernel much longer;\n"
    "                   never: expand all where they are called, always: keep all that can be called\n"
    "  --sv-way WAY     segments with many registers run in sub-vector order, by: instructions (SVSTART .. SVEND; "
    "what\n"
    "                   lives only inside gets shared registers), auto (as the miss rate says), copies (a copy of the\n"
    "                   code for each portion), loop (the halves of the warp one after the other), off (default)\n"
    "  --sv-cut CUT     what a segment is: pressure (maximal run over the threshold; default), loop, function, run\n"
    "  --sv-threshold T registers: computed (default: so that most warps are resident), fixed (32), N, or N% of the\n"
    "                   registers that a lane has for a thread\n"
    "  --sv-default O   regular (default), or subvector: regular order only around segments under the threshold\n"
    "  --sv-rows R      shared (default), or private: no shared registers\n"
    "  --sv-target C    the configuration to reckon with: nano, small (default), full\n"
    "  --segments       print the report: each segment with its registers, threshold, order, rows saved\n"
    "  --dump ir        print the LLVM IR that is selected from\n"
    "  --dump machine   print the machine code with blocks, registers and tokens\n"
    "`tandem dis FILE.elf` shows the result, `tandem info FILE.elf` its kernels.\n";

// The options as one text, split again at white space by the compiler.
static char *join(const char *const *options) {
    size_t size = 1;
    for (size_t i = 0; options != NULL && options[i] != NULL; i++)
        size += strlen(options[i]) + 1;
    char *text = calloc(1, size);
    for (size_t i = 0; text != NULL && options != NULL && options[i] != NULL; i++) {
        if (i > 0) strcat(text, " ");
        strcat(text, options[i]);
    }
    return text;
}

bool compile_file(const char *command, const char *path, const struct load_options *options, void **elf, size_t *size) {
    char *words = join(options->compiler_options);
    if (words == NULL) {
        complain(command, "the host has no memory");
        return false;
    }
    bool ir = options->dump != NULL && strcmp(options->dump, "ir") == 0;
    bool machine = options->dump != NULL && strcmp(options->dump, "machine") == 0;
    struct compiler_options compiler = {.clang_options = words,
                                        .keep_ir = ir,
                                        .keep_asm = machine,
                                        .register_limit = options->registers,
                                        .subvector = options->subvector,
                                        .no_yields = options->no_yields,
                                        .calls = (enum compiler_calls)options->calls};
    struct compiler_result result;
    bool good = compiler_compile_file(path, &compiler, &result);
    free(words);
    if (result.messages != NULL && *result.messages != '\0') {
        fprintf(stderr, "%s%s", result.messages, result.messages[strlen(result.messages) - 1] == '\n' ? "" : "\n");
    }
    if (good && options->tell_loops && result.calls != NULL) fputs(result.calls, stdout);
    if (good && options->tell_loops && result.loops != NULL) fputs(result.loops, stdout);
    if (good && options->tell_segments && result.segments != NULL) fputs(result.segments, stdout);
    if (good && ir && result.ir != NULL) fputs(result.ir, stdout);
    if (good && machine && result.machine != NULL) fputs(result.machine, stdout);
    if (good) {
        *elf = result.elf;
        *size = result.elf_size;
        result.elf = NULL;
    }
    compiler_result_free(&result);
    return good;
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

static const char *const call_words[] = {
    [COMPILER_CALLS_AUTO] = "auto", [COMPILER_CALLS_NEVER] = "never", [COMPILER_CALLS_ALWAYS] = "always", NULL};

// Place of a word in a list, or -1.
static int find_word(const char *word, const char *const *words) {
    for (int k = 0; words[k] != NULL; k++)
        if (strcmp(word, words[k]) == 0) return k;
    return -1;
}

static int cc_main(int argc, char **argv) {
    const char *in = NULL, *out = NULL, *dump = NULL;
    bool verbose = false, no_yields = false, segments = false;
    struct subvector_options subvector = {0};
    uint64_t registers = 0;
    int calls = COMPILER_CALLS_AUTO;
    const char **options = calloc((size_t)argc + 1, sizeof *options);
    if (options == NULL) return EXIT_FAILED;
    size_t count = 0;
    int result = EXIT_OK;
    for (int i = 1; i < argc && result == EXIT_OK; i++) {
        bool takes_value = strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--dump") == 0 || strcmp(argv[i], "-D") == 0 ||
                           strcmp(argv[i], "-I") == 0 || strcmp(argv[i], "--registers") == 0 ||
                           strcmp(argv[i], "--calls") == 0 || strncmp(argv[i], "--sv-", 5) == 0;
        if (takes_value && i + 1 >= argc) {
            result = usage_error(&command_cc, "%s needs a value", argv[i]);
        } else if (strcmp(argv[i], "-o") == 0) {
            out = argv[++i];
        } else if (strcmp(argv[i], "-v") == 0) {
            verbose = true;
        } else if (strcmp(argv[i], "--no-yield") == 0) {
            no_yields = true;
        } else if (strcmp(argv[i], "--segments") == 0) {
            segments = true;
        } else if (strncmp(argv[i], "--sv-", 5) == 0) {
            const char *expected;
            if (!subvector_set(&subvector, argv[i] + 5, argv[i + 1], &expected))
                result = usage_error(&command_cc, "%s %s: %s", argv[i], argv[i + 1], expected);
            i++;
        } else if (strcmp(argv[i], "--registers") == 0) {
            if (!parse_number(argv[++i], &registers) || registers < 1 || registers > 255)
                result = usage_error(&command_cc, "--registers %s: 1 to 255", argv[i]);
        } else if (strcmp(argv[i], "--calls") == 0) {
            calls = find_word(argv[++i], call_words);
            if (calls < 0) result = usage_error(&command_cc, "--calls %s: auto, never or always", argv[i]);
        } else if (strcmp(argv[i], "--dump") == 0) {
            dump = argv[++i];
            if (strcmp(dump, "ir") != 0 && strcmp(dump, "machine") != 0)
                result = usage_error(&command_cc, "--dump %s: ir or machine", dump);
        } else if (takes_value) {
            options[count++] = argv[i];
            options[count++] = argv[++i];
        } else if (argv[i][0] == '-') {
            options[count++] = argv[i];
        } else if (in != NULL) {
            result = usage_error(&command_cc, "one file at a time, not %s and %s", in, argv[i]);
        } else {
            in = argv[i];
        }
    }
    if (result == EXIT_OK && in == NULL) result = usage_error(&command_cc, "no file to compile");
    if (result == EXIT_OK && in != NULL) {
        char name[4096];
        size_t stem = strlen(in);
        if (stem > 3 && strcmp(in + stem - 3, ".cl") == 0) stem -= 3;
        if (out == NULL) {
            snprintf(name, sizeof name, "%.*s.elf", (int)stem, in);
            out = name;
        }
        void *elf = NULL;
        size_t size = 0;
        struct load_options load = {.compiler_options = options,
                                    .dump = dump,
                                    .registers = (unsigned)registers,
                                    .no_yields = no_yields,
                                    .subvector = subvector,
                                    .tell_segments = verbose || segments,
                                    .calls = calls,
                                    .tell_loops = verbose};
        bool good = compile_file("cc", in, &load, &elf, &size) && write_file("cc", out, elf, size);
        if (good && verbose) good = print_kernels(elf, size);
        free(elf);
        result = good ? EXIT_OK : EXIT_FAILED;
    }
    free(options);
    return result;
}

const struct command command_cc = {"cc", "compile OpenCL C", help, cc_main};
