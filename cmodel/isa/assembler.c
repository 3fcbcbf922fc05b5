// The assembler: lines, labels and directives. One instruction is parsed in assembler_instruction.c.
#include "assembler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assembler_internal.h"
#include "code_object_internal.h"
#include "printf_format.h"
#include "save_handler.h"

struct label {
    char name[ASSEMBLER_WORD_MAX];
    size_t index;  // of the instruction behind it
    unsigned line;
};

struct fixup {
    size_t index;  // of the instruction that names the label
    unsigned line;
    bool absolute;
    char label[ASSEMBLER_WORD_MAX];
};

struct assembler {
    struct code_object *to;
    struct cursor cursor;
    unsigned line;
    bool outside;                // behind .end: code that belongs to no kernel
    struct code_kernel *kernel;  // the open one, last of to->kernels; NULL: none
    bool registers_given;
    unsigned registers_used;
    size_t text_room, rodata_room, data_room, pointers_room, label_room, fixup_room;
    struct label *labels;  // of the open kernel
    size_t label_count;
    struct fixup *fixups;  // of the open kernel
    size_t fixup_count;
};

static bool fail_memory(struct assembler *as) {
    return cursor_fail(&as->cursor, "out of memory");
}

// Makes room for one more element. *room counts elements.
static bool grow(void **array, size_t *room, size_t count, size_t element) {
    if (count < *room) return true;
    size_t wanted = *room == 0 ? 64 : 2 * *room;
    void *more = realloc(*array, wanted * element);
    if (more == NULL) return false;
    *array = more;
    *room = wanted;
    return true;
}

static bool emit(struct assembler *as, uint64_t word) {
    struct code_object *to = as->to;
    if (to->text_words == MAX_TEXT_WORDS) return cursor_fail(&as->cursor, "more than %u instructions", MAX_TEXT_WORDS);
    void *text = to->text, *lines = to->lines;
    size_t lines_room = as->text_room;
    bool good = grow(&text, &as->text_room, to->text_words, sizeof *to->text);
    to->text = text;
    good = good && grow(&lines, &lines_room, to->text_words, sizeof *to->lines);
    to->lines = lines;
    if (!good) return fail_memory(as);
    to->lines[to->text_words] = as->line;
    to->text[to->text_words++] = word;
    return true;
}

static bool emit_instruction(struct assembler *as, uint64_t word) {
    if (as->kernel == NULL && !as->outside) return cursor_fail(&as->cursor, "an instruction before the first .kernel");
    return emit(as, word);
}

static bool add_label(struct assembler *as, const char *name) {
    if (name[0] >= '0' && name[0] <= '9')
        return cursor_fail(&as->cursor, "a label cannot begin with a digit: '%.40s'", name);
    if (as->kernel == NULL) return cursor_fail(&as->cursor, "label '%.40s' stands outside a kernel", name);
    void *labels = as->labels;
    if (!grow(&labels, &as->label_room, as->label_count, sizeof *as->labels)) return fail_memory(as);
    as->labels = labels;
    struct label *label = &as->labels[as->label_count++];
    *label = (struct label){.index = as->to->text_words, .line = as->line};
    memcpy(label->name, name, strlen(name) + 1);
    return true;
}

static bool add_instruction(struct assembler *as) {
    struct instruction instruction;
    if (!parse_instruction(&as->cursor, &instruction)) return false;
    if (instruction.has_label) {
        if (as->kernel == NULL) return cursor_fail(&as->cursor, "labels can be used in kernels only");
        void *fixups = as->fixups;
        if (!grow(&fixups, &as->fixup_room, as->fixup_count, sizeof *as->fixups)) return fail_memory(as);
        as->fixups = fixups;
        struct fixup *fixup = &as->fixups[as->fixup_count++];
        *fixup = (struct fixup){.index = as->to->text_words, .line = as->line, .absolute = instruction.absolute};
        memcpy(fixup->label, instruction.label, sizeof fixup->label);
    }
    if (instruction.registers > as->registers_used) as->registers_used = instruction.registers;
    return emit_instruction(as, instruction.word);
}

// ---- the end of a kernel ----

static int compare_labels(const void *a, const void *b) {
    const struct label *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

static int compare_name(const void *name, const void *label) {
    return strcmp(name, ((const struct label *)label)->name);
}

static bool resolve(struct assembler *as) {
    if (as->label_count > 0) qsort(as->labels, as->label_count, sizeof *as->labels, compare_labels);
    for (size_t i = 1; i < as->label_count; i++) {
        if (strcmp(as->labels[i - 1].name, as->labels[i].name) != 0) continue;
        as->line = as->labels[i].line;
        return cursor_fail(&as->cursor, "label '%.40s' stands in line %u already", as->labels[i].name,
                           as->labels[i - 1].line);
    }
    for (size_t i = 0; i < as->fixup_count; i++) {
        const struct fixup *fixup = &as->fixups[i];
        const struct label *label =
            as->label_count > 0 ? bsearch(fixup->label, as->labels, as->label_count, sizeof *as->labels, compare_name)
                                : NULL;
        if (label == NULL) {
            as->line = fixup->line;
            return cursor_fail(&as->cursor, "no label '%.40s' in kernel %.40s", fixup->label, as->kernel->name);
        }
        uint32_t target = (uint32_t)label->index;
        uint32_t imm = fixup->absolute ? target : target - (uint32_t)(fixup->index + 1);
        as->to->text[fixup->index] |= (uint64_t)imm << 32;
    }
    as->label_count = as->fixup_count = 0;
    return true;
}

static bool close_kernel(struct assembler *as) {
    struct code_kernel *kernel = as->kernel;
    if (kernel == NULL) return true;
    if (!resolve(as)) return false;
    kernel->code_size = (uint32_t)(as->to->text_words * 8) - kernel->entry;
    if (kernel->code_size == 0) return cursor_fail(&as->cursor, "kernel %.40s has no instructions", kernel->name);
    if (!as->registers_given) kernel->registers = as->registers_used > 0 ? as->registers_used : 1;
    uint32_t end = LAUNCH_ARGUMENTS;
    if (kernel->argument_count > 0) {
        const struct code_argument *last = &kernel->arguments[kernel->argument_count - 1];
        end = last->offset + last->size;
    }
    if (kernel->constant_bytes == 0) kernel->constant_bytes = end;
    as->kernel = NULL;
    return true;
}

// ---- directives ----

static bool directive_kernel(struct assembler *as) {
    char name[ASSEMBLER_WORD_MAX];
    struct code_object *to = as->to;
    if (!cursor_word(&as->cursor, name)) return cursor_fail(&as->cursor, "expected .kernel NAME");
    if (!cursor_finish(&as->cursor) || !close_kernel(as)) return false;
    if (code_object_find(to, name) != NULL) return cursor_fail(&as->cursor, "kernel %.40s stands twice", name);
    if (to->kernel_count == MAX_KERNELS) return cursor_fail(&as->cursor, "more than %u kernels", MAX_KERNELS);
    struct code_kernel *more = realloc(to->kernels, (to->kernel_count + 1) * sizeof *more);
    if (more == NULL) return fail_memory(as);
    to->kernels = more;
    as->kernel = &more[to->kernel_count++];
    memset(as->kernel, 0, sizeof *as->kernel);
    memcpy(as->kernel->name, name, strlen(name) + 1);
    as->kernel->entry = (uint32_t)(to->text_words * 8);
    as->registers_given = as->outside = false;
    as->registers_used = 0;
    return true;
}

// .arg KIND NAME [SIZE [OFFSET]] [: TYPE]
static bool directive_arg(struct assembler *as) {
    struct cursor *cursor = &as->cursor;
    struct code_kernel *kernel = as->kernel;
    char word[ASSEMBLER_WORD_MAX];
    unsigned kind = 0;
    if (!cursor_word(cursor, word)) return cursor_fail(cursor, "expected .arg KIND NAME");
    while (kind < ARG_KINDS && strcmp(word, code_argument_kind_name((enum code_argument_kind)kind)) != 0)
        kind++;
    if (kind == ARG_KINDS) return cursor_fail(cursor, "'%.40s' is not a kind of argument: " ARG_KINDS_TEXT, word);
    struct code_argument argument = {.kind = (enum code_argument_kind)kind, .size = 4};
    if (!cursor_take(cursor, '-')) {  // - : without a name
        if (!cursor_word(cursor, word)) return cursor_fail(cursor, "expected the argument's name");
        if (strlen(word) >= sizeof argument.name) {
            return cursor_fail(cursor, "an argument's name has at most %zu characters", sizeof argument.name - 1);
        }
        memcpy(argument.name, word, strlen(word) + 1);
    }
    int64_t size = 4, offset = -1;
    bool type = cursor_take(cursor, ':');
    if (!type && !cursor_at_end(cursor)) {
        if (!cursor_number(cursor, 1, MAX_CONSTANT_BYTES, "a size", &size)) return false;
        type = cursor_take(cursor, ':');
        if (!type && !cursor_at_end(cursor)) {
            if (!cursor_number(cursor, LAUNCH_ARGUMENTS, MAX_CONSTANT_BYTES, "an offset", &offset)) return false;
            type = cursor_take(cursor, ':');
        }
    }
    if (type) {
        cursor_skip_blanks(cursor);
        while (cursor->end > cursor->at && strchr(" \t\r", cursor->end[-1]) != NULL)
            cursor->end--;
        size_t length = (size_t)(cursor->end - cursor->at);
        if (length >= sizeof argument.type) {
            return cursor_fail(cursor, "a type has at most %zu characters", sizeof argument.type - 1);
        }
        memcpy(argument.type, cursor->at, length);
        cursor->at = cursor->end;
    }
    if (!cursor_finish(cursor)) return false;
    if (kernel->argument_count == MAX_ARGUMENTS) return cursor_fail(cursor, "more than %u arguments", MAX_ARGUMENTS);
    uint32_t free_from = LAUNCH_ARGUMENTS;
    if (kernel->argument_count > 0) {
        const struct code_argument *last = &kernel->arguments[kernel->argument_count - 1];
        free_from = last->offset + last->size;
    }
    argument.size = (uint32_t)size;
    uint32_t align = argument.size & (0u - argument.size);  // the power of two that divides the size
    if (align > 16) align = 16;
    argument.offset = offset >= 0 ? (uint32_t)offset : (free_from + align - 1) / align * align;
    struct code_argument *more = realloc(kernel->arguments, (kernel->argument_count + 1) * sizeof *more);
    if (more == NULL) return fail_memory(as);
    kernel->arguments = more;
    more[kernel->argument_count++] = argument;
    return true;
}

// .byte and .int N, N, ..: bytes of .rodata. .data N, N, ..: bytes of .data. .pointer N, N, ..: which of its words are
// addresses.
enum data_kind { DATA_CONSTANTS, DATA_VARIABLES, DATA_POINTERS };

static bool directive_data(struct assembler *as, size_t bytes, enum data_kind kind) {
    static const char *const names[] = {"constants", "variables", "pointers"};
    struct code_object *to = as->to;
    uint8_t **const all[] = {&to->rodata, &to->data, &to->pointers}, **data = all[kind];
    size_t *const sizes[] = {&to->rodata_size, &to->data_size, &to->pointers_size}, *size = sizes[kind];
    size_t *const rooms[] = {&as->rodata_room, &as->data_room, &as->pointers_room}, *room = rooms[kind];
    const unsigned most = kind == DATA_CONSTANTS ? MAX_RODATA_BYTES : MAX_DATA_BYTES;
    do {
        int64_t value;
        if (!cursor_number(&as->cursor, bytes == 1 ? -128 : INT32_MIN, bytes == 1 ? 255 : UINT32_MAX, "a number",
                           &value))
            return false;
        if (*size + bytes > most) return cursor_fail(&as->cursor, "more than %u bytes of %s", most, names[kind]);
        for (size_t i = 0; i < bytes; i++) {
            void *moved = *data;
            if (!grow(&moved, room, *size, 1)) return fail_memory(as);
            *data = moved;
            (*data)[(*size)++] = (uint8_t)((uint64_t)value >> 8 * i);
        }
    } while (cursor_take(&as->cursor, ','));
    return cursor_finish(&as->cursor);
}

static bool directive_word(struct assembler *as) {
    char word[ASSEMBLER_WORD_MAX];
    char *end = word;
    errno = 0;
    unsigned long long value = 0;
    if (cursor_word(&as->cursor, word) && word[0] >= '0' && word[0] <= '9') {
        bool hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
        value = strtoull(word, &end, hex ? 16 : 10);
    }
    if (end == word || *end != 0 || errno != 0) return cursor_fail(&as->cursor, "expected .word and a 64-bit number");
    return cursor_finish(&as->cursor) && emit_instruction(as, value);
}

// .handler: the text begins with it, for kernels that save.
static bool directive_handler(struct assembler *as) {
    if (as->to->text_words != 0 || as->kernel != NULL)
        return cursor_fail(&as->cursor, ".handler must stand before the first .kernel and instruction");
    if (!cursor_finish(&as->cursor)) return false;
    size_t count;
    uint64_t *words = save_handler_make(&count);
    if (words == NULL) return fail_memory(as);
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        good = emit(as, words[i]);
    free(words);
    return good;
}

// The directives that set one number of the kernel.
static const struct {
    const char *name;
    size_t offset;
    uint32_t low, high;
} settings[] = {
    {".registers", offsetof(struct code_kernel, registers), 1, 255},
    {".shared_rows", offsetof(struct code_kernel, shared_rows), 0, UINT32_MAX},
    {".shared_bytes", offsetof(struct code_kernel, shared_bytes), 0, UINT32_MAX},
    {".local_bytes", offsetof(struct code_kernel, local_bytes), 0, UINT32_MAX},
    {".spill_bytes", offsetof(struct code_kernel, spill_bytes), 0, UINT32_MAX},
    {".barriers", offsetof(struct code_kernel, barriers), 0, UINT32_MAX},
    {".wavefront", offsetof(struct code_kernel, wavefront), 0, MAX_WAVEFRONT},
    {".constant_bytes", offsetof(struct code_kernel, constant_bytes), LAUNCH_ARGUMENTS, MAX_CONSTANT_BYTES},
    {".work_queue", offsetof(struct code_kernel, work_queue), 0, 1},
    {".non_uniform", offsetof(struct code_kernel, non_uniform), 0, 1},
    {".saves", offsetof(struct code_kernel, saves), 0, 1},
};

static bool directive_reqd_local(struct assembler *as) {
    for (int i = 0; i < 3; i++) {
        int64_t value;
        if (!cursor_number(&as->cursor, 1, UINT16_MAX, "a size", &value)) return false;
        as->kernel->reqd_local[i] = (uint32_t)value;
    }
    return cursor_finish(&as->cursor);
}

// "text" with C's escapes, octal ones among them; what is not ASCII stands for itself.
static bool quoted(struct cursor *cursor, char *to) {
    static const char plain[] = "n\nt\tr\ra\ab\bf\fv\v\\\\\"\"";
    if (!cursor_take(cursor, '"')) return cursor_fail(cursor, "expected a text in quotes");
    while (cursor->at < cursor->end && *cursor->at != '"') {
        char c = *cursor->at++;
        if (c == '\\') {
            if (cursor->at == cursor->end) break;
            c = *cursor->at++;
            unsigned value = 0, digits = 0;
            for (cursor->at--; digits < 3 && cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '7';
                 digits++)
                value = value * 8 + (unsigned)(*cursor->at++ - '0');
            size_t k = 0;
            while (digits == 0 && plain[k] != 0 && plain[k] != c)
                k += 2;
            if ((digits == 0 && plain[k] == 0) || (digits > 0 && (value == 0 || value > 255)))
                return cursor_fail(cursor, "an unknown escape in a text");
            if (digits == 0) cursor->at++;
            c = digits > 0 ? (char)value : plain[k + 1];
        }
        *to++ = c;
    }
    *to = 0;
    return cursor_take(cursor, '"') || cursor_fail(cursor, "the text has no end");
}

// .hints "text"
static bool directive_hints(struct assembler *as) {
    struct cursor *cursor = &as->cursor;
    cursor_skip_blanks(cursor);
    char *text = malloc((size_t)(cursor->end - cursor->at) + 1);
    if (text == NULL) return fail_memory(as);
    bool good = quoted(cursor, text) && cursor_finish(cursor);
    if (good && strlen(text) >= sizeof as->kernel->hints)
        good = cursor_fail(cursor, "hints have at most %zu characters", sizeof as->kernel->hints - 1);
    if (good) strcpy(as->kernel->hints, text);
    free(text);
    return good;
}

// .printf [TYPES] "format" and .string "text": the next entry of what printf prints.
static bool directive_format(struct assembler *as, bool string) {
    struct cursor *cursor = &as->cursor;
    char types[ASSEMBLER_WORD_MAX] = "";
    cursor_skip_blanks(cursor);
    if (!string && cursor->at < cursor->end && *cursor->at != '"' && !cursor_word(cursor, types))
        return cursor_fail(cursor, "expected .printf [TYPES] \"format\"");
    cursor_skip_blanks(cursor);
    char *text = malloc((size_t)(cursor->end - cursor->at) + 1);
    if (text == NULL) return fail_memory(as);
    bool good = quoted(cursor, text) && cursor_finish(cursor) &&
                (formats_add(as->to, string ? PRINTF_STRING : types, text) || fail_memory(as));
    free(text);
    return good;
}

static bool directive(struct assembler *as, const char *name) {
    if (strcmp(name, ".kernel") == 0) return directive_kernel(as);
    if (strcmp(name, ".word") == 0) return directive_word(as);
    if (strcmp(name, ".byte") == 0) return directive_data(as, 1, DATA_CONSTANTS);
    if (strcmp(name, ".data") == 0) return directive_data(as, 1, DATA_VARIABLES);
    if (strcmp(name, ".pointer") == 0) return directive_data(as, 4, DATA_POINTERS);
    if (strcmp(name, ".int") == 0) return directive_data(as, 4, DATA_CONSTANTS);
    if (strcmp(name, ".printf") == 0) return directive_format(as, false);
    if (strcmp(name, ".string") == 0) return directive_format(as, true);
    if (strcmp(name, ".handler") == 0) return directive_handler(as);
    if (strcmp(name, ".end") == 0) {
        as->outside = true;
        return cursor_finish(&as->cursor) && close_kernel(as);
    }
    bool arg = strcmp(name, ".arg") == 0, reqd_local = strcmp(name, ".reqd_local") == 0;
    bool hints = strcmp(name, ".hints") == 0;
    size_t setting = 0, count = sizeof settings / sizeof settings[0];
    while (setting < count && strcmp(name, settings[setting].name) != 0)
        setting++;
    if (!arg && !reqd_local && !hints && setting == count)
        return cursor_fail(&as->cursor, "unknown directive '%.40s'", name);
    if (as->kernel == NULL) return cursor_fail(&as->cursor, "%s stands outside a kernel", name);
    if (arg) return directive_arg(as);
    if (reqd_local) return directive_reqd_local(as);
    if (hints) return directive_hints(as);
    int64_t value;
    if (!cursor_number(&as->cursor, settings[setting].low, settings[setting].high, "a number", &value)) return false;
    uint32_t number = (uint32_t)value;
    memcpy((char *)as->kernel + settings[setting].offset, &number, sizeof number);
    if (setting == 0) as->registers_given = true;
    return cursor_finish(&as->cursor);
}

// ---- lines ----

static const char *without_comment(const char *line, const char *end) {
    bool within = false;  // a text in quotes
    for (const char *c = line; c < end; c++) {
        if (within && *c == '\\' && c + 1 < end) {
            c++;
            continue;
        }
        if (*c == '"') within = !within;
        if (within) continue;
        if (*c == '#' || *c == ';' || (*c == '/' && c + 1 < end && c[1] == '/')) return c;
    }
    return end;
}

static bool parse_line(struct assembler *as) {
    struct cursor *cursor = &as->cursor;
    while (!cursor_at_end(cursor)) {
        const char *start = cursor->at;
        char word[ASSEMBLER_WORD_MAX];
        cursor->error[0] = 0;
        if (cursor_word(cursor, word)) {
            if (cursor_take(cursor, ':')) {
                if (!add_label(as, word)) return false;
                continue;
            }
            if (word[0] == '.') return directive(as, word);
        } else if (cursor->error[0] != 0) {
            return false;
        }
        cursor->at = start;
        return add_instruction(as);
    }
    return true;
}

static bool parse_lines(struct assembler *as, const char *source, size_t size) {
    const char *at = source, *end = source + size;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (line_end == NULL) line_end = end;
        as->line++;
        as->cursor.at = at;
        as->cursor.end = without_comment(at, line_end);
        if (!parse_line(as)) return false;
        at = line_end < end ? line_end + 1 : end;
    }
    return close_kernel(as);
}

bool assemble(const char *source, size_t size, const char *name, struct code_object *to, char *error,
              size_t error_size) {
    char why[512] = "";
    memset(to, 0, sizeof *to);
    struct assembler as = {.to = to, .cursor = {.error = why, .error_size = sizeof why}};
    bool good = parse_lines(&as, source, size);
    if (good && to->text_words > 0) {
        to->file = strdup(name);
        good = to->file != NULL || fail_memory(&as);
    }
    good = good && code_object_check(to, (struct message){why, sizeof why});
    free(as.labels);
    free(as.fixups);
    if (good) return true;
    code_object_free(to);
    return refuse((struct message){error, error_size}, "%s:%u: %s", name, as.line, why);
}

bool assemble_file(const char *path, struct code_object *to, char *error, size_t error_size) {
    struct message message = {error, error_size};
    memset(to, 0, sizeof *to);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return refuse(message, "%s: cannot be opened: %s", path, strerror(errno));
    char *text = NULL;
    size_t size = 0, room = 0, got = 1;
    void *bytes = NULL;
    bool good = true;
    while (good && got > 0) {
        good = size < MAX_FILE_BYTES && grow(&bytes, &room, size, 1);
        text = bytes;
        got = good ? fread(text + size, 1, room - size, file) : 0;
        size += got;
    }
    if (!good) refuse(message, "%s: too large", path);
    if (good && ferror(file) != 0) good = refuse(message, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    good = good && assemble(size > 0 ? text : "", size, path, to, error, error_size);
    free(text);
    return good;
}
