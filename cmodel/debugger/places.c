// Places of a program: addresses, lines and names, and the breakpoints on them.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debugger_internal.h"

#define MARKS_MAX 255u

unsigned debugger_refuse(char *why, size_t why_size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(why, why_size, format, arguments);
    va_end(arguments);
    return 0;
}

uint32_t debugger_line(const struct debugger *debugger, uint32_t address) {
    const struct code_object *object = debugger->options.object;
    return object->lines == NULL || address / 8 >= object->text_words ? 0 : object->lines[address / 8];
}

const struct code_kernel *debugger_kernel(const struct debugger *debugger, uint32_t address) {
    const struct code_object *object = debugger->options.object;
    for (size_t k = 0; k < object->kernel_count; k++) {
        const struct code_kernel *kernel = &object->kernels[k];
        if (address >= kernel->entry && address - kernel->entry < kernel->code_size) return kernel;
    }
    return NULL;
}

static const struct code_function *function_at(const struct debugger *debugger, uint32_t address) {
    const struct code_object *object = debugger->options.object;
    for (size_t k = 0; k < object->function_count; k++) {
        const struct code_function *function = &object->functions[k];
        if (address >= function->entry && address - function->entry < function->code_size) return function;
    }
    return NULL;
}

void debugger_symbol(const struct debugger *debugger, uint32_t address, char *to, size_t size) {
    const struct code_function *function = function_at(debugger, address);
    const struct code_kernel *kernel = debugger_kernel(debugger, address);
    if (function != NULL) {
        (void)snprintf(to, size, "%s+0x%x", function->name, address - function->entry);
    } else if (kernel != NULL) {
        (void)snprintf(to, size, "%s+0x%x", kernel->name, address - kernel->entry);
    } else {
        (void)snprintf(to, size, "0x%x", address);
    }
}

// ---- finding the addresses of a breakpoint
static bool add(struct breakpoint *breakpoint, uint32_t word) {
    for (size_t i = 0; i < breakpoint->count; i++)
        if (breakpoint->words[i] == word) return true;
    uint32_t *words = realloc(breakpoint->words, (breakpoint->count + 1) * sizeof *words);
    if (words == NULL) return false;
    breakpoint->words = words;
    words[breakpoint->count++] = word;
    return true;
}

static bool add_line(const struct code_object *object, uint32_t line, struct breakpoint *to) {
    for (size_t k = 0; k < object->kernel_count; k++) {
        const uint32_t first = object->kernels[k].entry / 8, count = object->kernels[k].code_size / 8;
        for (uint32_t i = 0; i < count; i++) {
            if (object->lines[first + i] != line) continue;
            if (!add(to, first + i)) return false;
            break;
        }
    }
    return true;
}

// The next line from there on that has code; 0: none has.
static uint32_t line_after(const struct code_object *object, uint32_t line) {
    uint32_t best = 0;
    for (size_t i = 0; i < object->text_words; i++)
        if (object->lines[i] > line && (best == 0 || object->lines[i] < best)) best = object->lines[i];
    return best;
}

static bool names_file(const char *text, size_t length, const char *file) {
    const size_t all = strlen(file);
    return length <= all && strncmp(file + all - length, text, length) == 0 &&
           (length == all || file[all - length - 1] == '/');
}

static bool number_of(const char *text, uint32_t *value) {
    char *end;
    if (*text < '0' || *text > '9') return false;
    const unsigned long number = strtoul(text, &end, 0);
    *value = (uint32_t)number;
    return *end == '\0' && number <= UINT32_MAX;
}

static bool find_line(const struct code_object *object, const char *where, uint32_t line, struct breakpoint *to,
                      char *why, size_t why_size) {
    const char *file = object->file != NULL ? object->file : "the program";
    if (object->lines == NULL)
        return debugger_refuse(why, why_size, "%s: the program has no line table; name a kernel or *ADDRESS", where);
    if (line == 0) return debugger_refuse(why, why_size, "%s: lines are numbered from 1", where);
    if (!add_line(object, line, to)) return debugger_refuse(why, why_size, "%s: the host has no memory", where);
    if (to->count != 0) return true;
    const uint32_t next = line_after(object, line);
    if (next == 0) return debugger_refuse(why, why_size, "%s: no code on this line of %s or behind it", where, file);
    return debugger_refuse(why, why_size, "%s: no code on this line of %s; the next that has some is %u", where, file,
                           next);
}

static bool find_name(const struct code_object *object, const char *where, struct breakpoint *to, char *why,
                      size_t why_size) {
    const struct code_kernel *kernel = code_object_find(object, where);
    bool good = kernel == NULL || add(to, kernel->entry / 8);
    for (size_t k = 0; k < object->function_count; k++)
        if (strcmp(object->functions[k].name, where) == 0) good = good && add(to, object->functions[k].entry / 8);
    if (!good) return debugger_refuse(why, why_size, "%s: the host has no memory", where);
    if (to->count != 0) return true;
    return debugger_refuse(why, why_size,
                           "%s: no kernel or function of this name; write LINE, FILE:LINE, NAME or *ADDRESS", where);
}

static bool find(const struct code_object *object, const char *where, struct breakpoint *to, char *why,
                 size_t why_size) {
    uint32_t number;
    if (where[0] == '*') {
        if (!number_of(where + 1, &number))
            return debugger_refuse(why, why_size, "%s: not an address; write *0x40", where);
        if (number % 8 != 0) return debugger_refuse(why, why_size, "%s: instructions begin at multiples of 8", where);
        if (number / 8 >= object->text_words)
            return debugger_refuse(why, why_size, "%s: the program has only 0x%zx bytes", where,
                                   8 * object->text_words);
        if (!add(to, number / 8)) return debugger_refuse(why, why_size, "%s: the host has no memory", where);
        return true;
    }
    if (number_of(where, &number)) return find_line(object, where, number, to, why, why_size);
    const char *colon = strrchr(where, ':');
    if (colon == NULL) return find_name(object, where, to, why, why_size);
    if (!number_of(colon + 1, &number))
        return debugger_refuse(why, why_size, "%s: behind the colon must stand the number of a line", where);
    if (object->file == NULL || !names_file(where, (size_t)(colon - where), object->file))
        return debugger_refuse(why, why_size, "%s: the program has no such file, but %s", where,
                               object->file != NULL ? object->file : "none that is known");
    return find_line(object, where, number, to, why, why_size);
}

// ---- breakpoints
unsigned debugger_break(struct debugger *debugger, const char *where, char *why, size_t why_size) {
    struct breakpoint found = {.used = true};
    unsigned number = 0;
    while (number < DEBUGGER_BREAKPOINTS_MAX && debugger->breakpoints[number].used)
        number++;
    if (number == DEBUGGER_BREAKPOINTS_MAX || number >= MARKS_MAX)
        return debugger_refuse(why, why_size, "%s: there are %u breakpoints already; delete some", where, number);
    if (strlen(where) >= sizeof found.where)
        return debugger_refuse(why, why_size, "a place of more than %zu characters", sizeof found.where - 1);
    strcpy(found.where, where);
    if (!find(debugger->options.object, where, &found, why, why_size)) {
        free(found.words);
        return 0;
    }
    for (size_t i = 0; i < found.count; i++)
        debugger->marked += debugger->marks[found.words[i]]++ == 0;
    debugger->breakpoints[number] = found;
    return number + 1;
}

bool debugger_delete(struct debugger *debugger, unsigned number) {
    if (number == 0 || number > DEBUGGER_BREAKPOINTS_MAX || !debugger->breakpoints[number - 1].used) return false;
    struct breakpoint *breakpoint = &debugger->breakpoints[number - 1];
    for (size_t i = 0; i < breakpoint->count; i++)
        debugger->marked -= --debugger->marks[breakpoint->words[i]] == 0;
    free(breakpoint->words);
    *breakpoint = (struct breakpoint){0};
    return true;
}

void debugger_delete_all(struct debugger *debugger) {
    for (unsigned n = 1; n <= DEBUGGER_BREAKPOINTS_MAX; n++)
        (void)debugger_delete(debugger, n);
}

bool debugger_breakpoint_of(const struct debugger *debugger, unsigned number, struct debugger_breakpoint *to) {
    if (number == 0 || number > DEBUGGER_BREAKPOINTS_MAX || !debugger->breakpoints[number - 1].used) return false;
    const struct breakpoint *from = &debugger->breakpoints[number - 1];
    *to = (struct debugger_breakpoint){.address = 8 * from->words[0],
                                       .line = debugger_line(debugger, 8 * from->words[0]),
                                       .addresses = from->count,
                                       .hits = from->hits};
    strcpy(to->where, from->where);
    return true;
}
