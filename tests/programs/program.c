#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text_file.h"
#include "gen/registers.h"
#include "isa/assembler.h"
#include "program_variant.h"
#include "program_words.h"

#define DEFAULT_DEADLINE 2000000u
#define LINE_MAX_BYTES 4096u

static bool fail_line(const struct program *program, unsigned line, char *error, size_t error_size, const char *what) {
    snprintf(error, error_size, "%s:%u: %s", program->path, line, what);
    return false;
}

static bool sizes(const char *text, uint32_t grid[3], uint32_t cta[3]) {
    int used = 0;
    const int count =
        sscanf(text, " grid %u %u %u cta %u %u %u %n", &grid[0], &grid[1], &grid[2], &cta[0], &cta[1], &cta[2], &used);
    if (count != 6 || text[used] != 0) return false;
    for (unsigned i = 0; i < 3; i++) {
        if (grid[i] == 0 || cta[i] == 0) return false;
    }
    return true;
}

// NAME value NUMBER | NAME local BYTES | NAME global BYTES zero | NAME global words LIST
static const char *argument(struct program *program, const char *text) {
    if (program->argument_count == PROGRAM_ARGUMENTS_MAX) return "too many arguments";
    struct program_argument *a = &program->arguments[program->argument_count];
    *a = (struct program_argument){0};
    const char *what = NULL;
    uint32_t bytes;
    long long value;
    int used = 0;
    if (sscanf(text, " %63s value %lli %n", a->name, &value, &used) == 2 && used != 0 && text[used] == 0) {
        if (value < INT32_MIN || value > UINT32_MAX) return "the value does not fit 32 bits";
        a->value = (uint32_t)value;
        program->argument_count++;
        return NULL;
    }
    used = 0;
    if (sscanf(text, " %63s local %u %n", a->name, &a->local, &used) == 2 && used != 0 && text[used] == 0) {
        program->argument_count++;
        return a->local != 0 ? NULL : "local memory of no size";
    }
    a->global = true;
    a->local = 0;
    used = 0;
    if (sscanf(text, " %63s global %u zero %n", a->name, &bytes, &used) == 2 && used != 0 && text[used] == 0) {
        if (bytes == 0 || bytes % 4 != 0 || bytes > 4 * PROGRAM_WORDS_MAX)
            return "a buffer has 4 to 4194304 bytes, a multiple of 4";
        a->buffer.count = bytes / 4;
        a->buffer.words = calloc(a->buffer.count, 4);
        if (a->buffer.words == NULL) return "out of memory";
        program->argument_count++;
        return NULL;
    }
    used = 0;
    if (sscanf(text, " %63s global words %n", a->name, &used) == 1 && used != 0) {
        program->argument_count++;
        program->last = &a->buffer;
        (void)program_words_parse(text + used, &a->buffer, &what);
        return what;
    }
    return "expected: arg NAME value NUMBER, or arg NAME local BYTES, or arg NAME global BYTES zero, or arg NAME "
           "global words LIST";
}

// NAME: LIST | NAME threads N: LIST | NAME lanes N: LIST
static const char *expect(struct program *program, const char *text, unsigned line) {
    if (program->expect_count == PROGRAM_EXPECTS_MAX) return "too many lines `expect`";
    struct program_expect *e = &program->expects[program->expect_count];
    *e = (struct program_expect){.line = line};
    const char *what = NULL;
    int used = 0;
    if (sscanf(text, " %63[^ :] threads %u :%n", e->name, &e->threads, &used) != 2 || used == 0) {
        e->threads = 0;
        used = 0;
        if (sscanf(text, " %63[^ :] lanes %u :%n", e->name, &e->lanes, &used) != 2) used = 0;
    }
    if (used == 0) {
        e->lanes = 0;
        if (sscanf(text, " %63[^ :] :%n", e->name, &used) != 1 || used == 0) return "expected: expect NAME: LIST";
    }
    program->expect_count++;
    program->last = &e->words;
    (void)program_words_parse(text + used, &e->words, &what);
    return what;
}

// NAME [info NUMBER] [pc NUMBER]
static const char *fault(struct program *program, const char *text) {
    int used = 0;
    if (sscanf(text, " %63s%n", program->fault, &used) != 1) return "expected: fault NAME";
    bool known = false;
    for (uint32_t code = 1; code < 256; code++)
        known = known || strcmp(fault_name(code), program->fault) == 0;
    if (!known || strcmp(program->fault, fault_name(0xFF)) == 0) return "no fault has this name";
    text += used;
    long long number;
    used = 0;
    if (sscanf(text, " info %lli%n", &number, &used) == 1) {
        program->has_info = true;
        program->info = (uint32_t)number;
        text += used;
    }
    used = 0;
    if (sscanf(text, " pc %lli%n", &number, &used) == 1) {
        program->has_pc = true;
        program->pc = (uint32_t)number;
        text += used;
    }
    while (*text == ' ')
        text++;
    return *text == 0 ? NULL : "expected: fault NAME [info NUMBER] [pc NUMBER]";
}

// One comment line. Comments that begin with no known word are only comments.
static const char *comment(struct program *program, const char *text, unsigned line) {
    char word[16];
    int used = 0;
    if (sscanf(text, " %15[a-z]%n", word, &used) != 1) return NULL;
    const char *rest = text + used;
    if (rest[0] == ':') rest++;
    if (strcmp(word, "launch") == 0 && text[used] == ':')
        return sizes(rest, program->grid, program->cta) ? NULL : "expected: launch: grid X Y Z cta X Y Z";
    if (strcmp(word, "arg") == 0) return argument(program, rest);
    if (strcmp(word, "expect") == 0) return expect(program, rest, line);
    if (strcmp(word, "more") == 0 && text[used] == ':') {
        const char *what = "no list goes before `more`";
        if (program->last != NULL) (void)program_words_parse(rest, program->last, &what);
        return what;
    }
    if (strcmp(word, "fault") == 0) return fault(program, rest);
    if (strcmp(word, "hangs") == 0 && rest[0] == 0) {
        program->hangs = true;
        return NULL;
    }
    if (strcmp(word, "deadline") == 0) {
        unsigned long long cycles;
        if (sscanf(rest, " %llu", &cycles) != 1 || cycles == 0) return "expected: deadline CYCLES";
        program->deadline = cycles;
        return NULL;
    }
    if (strcmp(word, "shows") == 0 && text[used] == ':') {
        while (*rest == ' ')
            rest++;
        snprintf(program->shows, sizeof program->shows, "%s", rest);
    }
    return NULL;
}

static void forget_expectations(struct program *program) {
    for (size_t e = 0; e < program->expect_count; e++)
        free(program->expects[e].words.words);
    program->expect_count = 0;
    program->fault[0] = 0;
    program->hangs = program->has_info = program->has_pc = false;
}

static bool expects(const char *text) {
    char word[16] = "";
    (void)sscanf(text, " %15[a-z]", word);
    return strcmp(word, "expect") == 0 || strcmp(word, "fault") == 0 || strcmp(word, "hangs") == 0;
}

// The comments of the program, and of the variant that is wanted those behind its line `variant`, up to the next one.
static bool read_comments(struct program *program, const char *source, const char *wanted,
                          struct program_variant *variant, char *error, size_t error_size) {
    char text[LINE_MAX_BYTES];
    unsigned line = 0;
    bool own = true, inherited = false;  // whether this line counts; whether the expectations are the program's
    for (; *source != 0; source += strcspn(source, "\n"), source += *source != 0) {
        line++;
        size_t length = strcspn(source, "\n");
        if (length >= sizeof text) return fail_line(program, line, error, error_size, "a line is too long");
        memcpy(text, source, length);
        while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
            length--;
        text[length] = 0;
        if (strncmp(text, "//", 2) != 0) continue;
        int used = 0;
        (void)sscanf(text, "// variant %n", &used);
        if (used != 0) {
            struct program_variant found;
            if (!program_variant_parse(text + used, &found))
                return fail_line(program, line, error, error_size,
                                 "expected: variant NAME: without MNEMONIC .., or variant NAME: INSTRUCTION for "
                                 "MNEMONIC ..");
            own = wanted != NULL && strcmp(found.name, wanted) == 0;
            if (own && variant->name[0] != 0)
                return fail_line(program, line, error, error_size, "this variant stands twice");
            if (own) *variant = found;
            inherited = own;
            continue;
        }
        if (!own) continue;
        if (inherited && expects(text + 2)) {
            forget_expectations(program);
            inherited = false;
        }
        const char *what = comment(program, text + 2, line);
        if (what != NULL) return fail_line(program, line, error, error_size, what);
    }
    if (wanted != NULL && variant->name[0] == 0)
        return fail_line(program, 1, error, error_size, "there is no such variant");
    return true;
}

static bool check(struct program *program, char *error, size_t error_size) {
    const struct code_kernel *kernel = &program->object.kernels[0];
    if (program->grid[0] == 0) return fail_line(program, 1, error, error_size, "no line `// launch:`");
    if (program->expect_count == 0 && program->fault[0] == 0 && !program->hangs)
        return fail_line(program, 1, error, error_size,
                         "nothing is expected: a program without `expect`, `fault` or `hangs` cannot fail");
    if (kernel->argument_count != program->argument_count)
        return fail_line(program, 1, error, error_size, "the kernel has another number of arguments");
    for (size_t i = 0; i < program->argument_count; i++) {
        if (strcmp(kernel->arguments[i].name, program->arguments[i].name) != 0)
            return fail_line(program, 1, error, error_size,
                             "the arguments have other names or another order than the kernel's");
    }
    for (size_t e = 0; e < program->expect_count; e++) {
        const struct program_expect *x = &program->expects[e];
        bool good = false;
        for (size_t i = 0; i < program->argument_count; i++) {
            const struct program_argument *a = &program->arguments[i];
            good = good || (a->global && strcmp(a->name, x->name) == 0 && x->words.count <= a->buffer.count);
        }
        if (!good)
            return fail_line(program, x->line, error, error_size,
                             "no global argument of this name that is large enough");
    }
    return true;
}

// Assembles; of a variant that does not differ from the program itself nothing is shown.
static bool assemble_variant(struct program *program, const char *source, const struct program_variant *variant,
                             char *error, size_t error_size) {
    unsigned changed = 0;
    char *text = program_variant_apply(variant, source, &changed);
    struct code_object plain;
    if (text == NULL) return fail_line(program, 1, error, error_size, "out of memory");
    bool good = assemble(text, strlen(text), program->path, &program->object, error, error_size);
    free(text);
    if (!good || variant->name[0] == 0) return good;
    if (!assemble(source, strlen(source), program->path, &plain, error, error_size)) return false;
    const bool same = plain.text_words == program->object.text_words &&
                      memcmp(plain.text, program->object.text, 8 * plain.text_words) == 0;
    code_object_free(&plain);
    return changed != 0 && !same ? true
                                 : fail_line(program, 1, error, error_size, "the variant does not change the program");
}

bool program_read(const char *path, struct program *to, char *error, size_t error_size) {
    struct program_variant variant = {0};
    char file[sizeof to->path];
    memset(to, 0, sizeof *to);
    snprintf(to->path, sizeof to->path, "%s", path);
    snprintf(file, sizeof file, "%s", path);
    to->deadline = DEFAULT_DEADLINE;
    char *wanted = strchr(file, ':');
    if (wanted != NULL) *wanted++ = 0;
    char *source = text_file_read(file);
    bool good = source != NULL || fail_line(to, 1, error, error_size, "cannot be read");
    good = good && read_comments(to, source, wanted, &variant, error, error_size);
    good = good && assemble_variant(to, source, &variant, error, error_size) && check(to, error, error_size);
    free(source);
    if (!good) program_free(to);
    return good;
}

void program_free(struct program *program) {
    for (size_t i = 0; i < program->argument_count; i++)
        free(program->arguments[i].buffer.words);
    for (size_t i = 0; i < program->expect_count; i++)
        free(program->expects[i].words.words);
    code_object_free(&program->object);
    memset(program, 0, sizeof *program);
}
