// The section .tandem.kernels: what a launch must know of each kernel, as text that people can read with `readelf -p`.
//
// The first line is "tandem-kernels 2" (2: the version of this format). Then for each kernel these lines, all of them,
// in this order; words are separated by one blank, numbers are decimal, every line ends with a line feed:
//
//     kernel NAME
//     entry BYTES                 offset of the first instruction in .text
//     code_size BYTES
//     registers N                 vector registers of a thread
//     shared_rows N
//     shared_bytes N
//     local_bytes N
//     spill_bytes N
//     barriers N
//     wavefront N                 0: any warp width
//     constant_bytes N            size of constant buffer 0
//     work_queue N                1: the kernel makes work itself
//     non_uniform N               1: a range's work-groups may differ in size
//     saves 1                     only when its CTAs can step aside: .text begins with the handler (save_handler.s)
//     reqd_local X Y Z            0 0 0: any
//     hints TEXT                  the rest of the line; only when there are any
//     argument KIND OFFSET SIZE NAME TYPE      one line an argument, none or more; KIND: value, global, constant or
//                                              local, and behind it +const, +restrict, +volatile, in this order; NAME: - when it has none; TYPE: the rest of the line, may be empty
//     end
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_object_internal.h"

#define FIRST_LINE "tandem-kernels 2"
#define SAVES_LINE "saves 1"

static const char *const qualifier_names[] = {"+const", "+restrict", "+volatile", "+read", "+write"};
#define QUALIFIER_COUNT (sizeof qualifier_names / sizeof qualifier_names[0])

// The single-number lines, in their order.
static const struct {
    const char *key;
    size_t offset;
} numbers[] = {
    {"entry", offsetof(struct code_kernel, entry)},
    {"code_size", offsetof(struct code_kernel, code_size)},
    {"registers", offsetof(struct code_kernel, registers)},
    {"shared_rows", offsetof(struct code_kernel, shared_rows)},
    {"shared_bytes", offsetof(struct code_kernel, shared_bytes)},
    {"local_bytes", offsetof(struct code_kernel, local_bytes)},
    {"spill_bytes", offsetof(struct code_kernel, spill_bytes)},
    {"barriers", offsetof(struct code_kernel, barriers)},
    {"wavefront", offsetof(struct code_kernel, wavefront)},
    {"constant_bytes", offsetof(struct code_kernel, constant_bytes)},
    {"work_queue", offsetof(struct code_kernel, work_queue)},
    {"non_uniform", offsetof(struct code_kernel, non_uniform)},
};
#define NUMBER_COUNT (sizeof numbers / sizeof numbers[0])

struct reader {
    const char *text;
    size_t size, at;        // at: start of the next line
    const char *line;       // the line being read, without its line feed
    size_t length, column;  // column: what of it has been taken
    unsigned number;        // of the line, from 1
    struct message message;
};

static bool bad(const struct reader *reader, const char *what) {
    return refuse(reader->message, ".tandem.kernels line %u: %s", reader->number, what);
}

// Goes to the next line. False at the end of the section, or, with a message, when the line is malformed.
static bool next_line(struct reader *reader, bool *malformed) {
    *malformed = false;
    if (reader->at == reader->size) return false;
    reader->number++;
    const char *start = reader->text + reader->at;
    const char *end = memchr(start, '\n', reader->size - reader->at);
    if (end == NULL) {
        *malformed = true;
        return bad(reader, "the line does not end");
    }
    reader->line = start;
    reader->length = (size_t)(end - start);
    reader->column = 0;
    reader->at += reader->length + 1;
    for (size_t i = 0; i < reader->length; i++) {
        unsigned char c = (unsigned char)start[i];
        if (c < 0x20 || c == 0x7F) {
            *malformed = true;
            return bad(reader, "it has a control character");
        }
    }
    return true;
}

static bool need_line(struct reader *reader, const char *what) {
    bool malformed;
    if (next_line(reader, &malformed)) return true;
    return malformed ? false : refuse(reader->message, ".tandem.kernels: ends before '%s'", what);
}

// The next word of the line and the blank behind it; an empty word when there is none.
static void take_word(struct reader *reader, const char **word, size_t *length) {
    *word = reader->line + reader->column;
    *length = 0;
    while (reader->column < reader->length && reader->line[reader->column] != ' ') {
        reader->column++;
        (*length)++;
    }
    if (reader->column < reader->length) reader->column++;
}

static bool take_key(struct reader *reader, const char *key) {
    const char *word;
    size_t length;
    take_word(reader, &word, &length);
    if (length == strlen(key) && memcmp(word, key, length) == 0) return true;
    return refuse(reader->message, ".tandem.kernels line %u: expected '%s'", reader->number, key);
}

static bool take_number(struct reader *reader, uint32_t *value) {
    const char *word;
    size_t length;
    take_word(reader, &word, &length);
    uint64_t number = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9') return bad(reader, "expected a decimal number");
        number = number * 10 + (uint64_t)(word[i] - '0');
        if (number > UINT32_MAX) return bad(reader, "a number does not fit in 32 bits");
    }
    if (length == 0) return bad(reader, "a number is missing");
    *value = (uint32_t)number;
    return true;
}

static bool take_text(struct reader *reader, const char *word, size_t length, char *to, size_t size) {
    if (length >= size)
        return refuse(reader->message, ".tandem.kernels line %u: longer than %zu bytes", reader->number, size - 1);
    memcpy(to, word, length);
    to[length] = 0;
    return true;
}

static bool at_end(const struct reader *reader) {
    return reader->column >= reader->length ? true : bad(reader, "something stands behind the last word");
}

// "global+const": how much of the word is the kind; *qualifiers: what stands behind it.
static size_t split_kind(const char *word, size_t length, uint32_t *qualifiers) {
    *qualifiers = 0;
    for (size_t k = QUALIFIER_COUNT; k-- > 0;) {
        const size_t size = strlen(qualifier_names[k]);
        if (length <= size || memcmp(word + length - size, qualifier_names[k], size) != 0) continue;
        *qualifiers |= 1u << k;
        length -= size;
    }
    return length;
}

static bool parse_argument(struct reader *reader, struct code_kernel *kernel) {
    const char *word;
    size_t length, kind = 0;
    struct code_argument argument = {.kind = ARG_VALUE};
    take_word(reader, &word, &length);
    length = split_kind(word, length, &argument.qualifiers);
    for (; kind < ARG_KINDS; kind++) {
        const char *name = code_argument_kind_name((enum code_argument_kind)kind);
        if (strlen(name) == length && memcmp(word, name, length) == 0) break;
    }
    if (kind == ARG_KINDS) return bad(reader, "unknown kind of argument");
    argument.kind = (enum code_argument_kind)kind;
    if (!take_number(reader, &argument.offset) || !take_number(reader, &argument.size)) return false;
    take_word(reader, &word, &length);
    if (length == 0) return bad(reader, "the argument's name is missing");
    if (length == 1 && word[0] == '-') length = 0;
    if (!take_text(reader, word, length, argument.name, sizeof argument.name)) return false;
    if (!take_text(reader, reader->line + reader->column, reader->length - reader->column, argument.type,
                   sizeof argument.type)) {
        return false;
    }
    if (kernel->argument_count == MAX_ARGUMENTS) return bad(reader, "too many arguments");
    struct code_argument *more = realloc(kernel->arguments, (kernel->argument_count + 1) * sizeof *more);
    if (more == NULL) return bad(reader, "out of memory");
    kernel->arguments = more;
    more[kernel->argument_count++] = argument;
    return true;
}

static bool parse_kernel(struct reader *reader, struct code_kernel *kernel) {
    const char *word;
    size_t length;
    if (!take_key(reader, "kernel")) return false;
    take_word(reader, &word, &length);
    if (length == 0) return bad(reader, "the kernel's name is missing");
    if (!take_text(reader, word, length, kernel->name, sizeof kernel->name) || !at_end(reader)) return false;
    for (size_t i = 0; i < NUMBER_COUNT; i++) {
        uint32_t value;
        if (!need_line(reader, numbers[i].key) || !take_key(reader, numbers[i].key) || !take_number(reader, &value) ||
            !at_end(reader)) {
            return false;
        }
        memcpy((char *)kernel + numbers[i].offset, &value, sizeof value);
    }
    if (!need_line(reader, "reqd_local")) return false;
    if (reader->length == strlen(SAVES_LINE) && memcmp(reader->line, SAVES_LINE, reader->length) == 0) {
        kernel->saves = 1;
        if (!need_line(reader, "reqd_local")) return false;
    }
    if (!take_key(reader, "reqd_local")) return false;
    for (int i = 0; i < 3; i++) {
        if (!take_number(reader, &kernel->reqd_local[i])) return false;
    }
    if (!at_end(reader)) return false;
    for (bool first = true;; first = false) {
        if (!need_line(reader, "end")) return false;
        if (reader->length == 3 && memcmp(reader->line, "end", 3) == 0) return true;
        if (first && reader->length > 6 && memcmp(reader->line, "hints ", 6) == 0) {
            if (!take_text(reader, reader->line + 6, reader->length - 6, kernel->hints, sizeof kernel->hints))
                return false;
            continue;
        }
        if (!take_key(reader, "argument") || !parse_argument(reader, kernel)) return false;
    }
}

bool kernels_parse(const char *text, size_t size, struct code_object *object, struct message message) {
    struct reader reader = {.text = text, .size = size, .message = message};
    bool malformed;
    if (!need_line(&reader, FIRST_LINE)) return false;
    if (reader.length != strlen(FIRST_LINE) || memcmp(reader.line, FIRST_LINE, reader.length) != 0) {
        return bad(&reader, "expected '" FIRST_LINE "'");
    }
    while (next_line(&reader, &malformed)) {
        if (object->kernel_count == MAX_KERNELS) return bad(&reader, "too many kernels");
        struct code_kernel *more = realloc(object->kernels, (object->kernel_count + 1) * sizeof *more);
        if (more == NULL) return bad(&reader, "out of memory");
        object->kernels = more;
        memset(&more[object->kernel_count], 0, sizeof *more);
        object->kernel_count++;  // before it is read, so that what it allocates is freed on failure
        if (!parse_kernel(&reader, &more[object->kernel_count - 1])) return false;
    }
    return !malformed;
}

char *kernels_print(const struct code_object *object, size_t *size) {
    char *text = NULL;
    FILE *to = open_memstream(&text, size);
    if (to == NULL) return NULL;
    fputs(FIRST_LINE "\n", to);
    for (size_t k = 0; k < object->kernel_count; k++) {
        const struct code_kernel *kernel = &object->kernels[k];
        fprintf(to, "kernel %s\n", kernel->name);
        for (size_t i = 0; i < NUMBER_COUNT; i++) {
            uint32_t value;
            memcpy(&value, (const char *)kernel + numbers[i].offset, sizeof value);
            fprintf(to, "%s %" PRIu32 "\n", numbers[i].key, value);
        }
        if (kernel->saves != 0) fputs(SAVES_LINE "\n", to);
        fprintf(to, "reqd_local %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", kernel->reqd_local[0], kernel->reqd_local[1],
                kernel->reqd_local[2]);
        if (kernel->hints[0] != 0) fprintf(to, "hints %s\n", kernel->hints);
        for (size_t i = 0; i < kernel->argument_count; i++) {
            const struct code_argument *argument = &kernel->arguments[i];
            fprintf(to, "argument %s", code_argument_kind_name(argument->kind));
            for (size_t k = 0; k < QUALIFIER_COUNT; k++)
                if ((argument->qualifiers >> k & 1) != 0) fputs(qualifier_names[k], to);
            fprintf(to, " %" PRIu32 " %" PRIu32 " %s %s\n", argument->offset, argument->size,
                    argument->name[0] != 0 ? argument->name : "-", argument->type);
        }
        fputs("end\n", to);
    }
    bool failed = ferror(to) != 0;
    if (fclose(to) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
