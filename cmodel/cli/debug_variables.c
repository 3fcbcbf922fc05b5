// Variables of the source in `tandem debug`: print, row, locals, info args.
#include <stdlib.h>
#include <string.h>

#include "debug.h"
#include "gen/isa.h"

#define ROW_WIDTH 8u  // values of a row in a line, where they are short
#define SHORT_VALUE 12u

// The first name of an expression, if it begins with one behind * and brackets.
static void first_name(const char *expression, char *to, size_t size) {
    expression += strspn(expression, " \t*(");
    (void)snprintf(to, size, "%.*s", (int)strcspn(expression, " \t.-[])"), expression);
}

bool debug_print(struct debug_program *program, const char *expression, char *to, size_t size, char *why,
                 size_t why_size) {
    char name[VARIABLE_NAME_MAX];
    uint32_t address;
    first_name(expression, name, sizeof name);
    if (variables_has(program->variables, &program->at, name)) {
        struct variable_value *value = variables_evaluate(program->variables, &program->at, expression, why, why_size);
        if (value == NULL) return false;
        variable_text(value, to, size);
        free(value);
        return true;
    }
    if (debug_value(program, expression, to, size)) return true;
    const bool stands = variables_place(program->debugger, &program->at, &address);
    (void)snprintf(why, why_size,
                   "no variable in scope%s, argument of the kernel or register (R0.., P0.., S0..), or the %s",
                   program->variables != NULL ? "" : " (the program has none: compile it with -g)",
                   stands ? "warp does not run" : "thread stands nowhere");
    return false;
}

bool debug_show_print(struct debug_program *program, const char *expression) {
    char value[VARIABLE_TEXT_MAX], why[DEBUGGER_TEXT_MAX];
    if (debug_print(program, expression, value, sizeof value, why, sizeof why)) {
        printf("%s = %s\n", expression, value);
        return true;
    }
    complain("debug", "print %s: %s", expression, why);
    return false;
}

// One line of each variable that is in scope.
static bool show_all(struct debug_program *program, bool arguments) {
    char name[VARIABLE_NAME_MAX], type[VARIABLE_NAME_MAX], text[VARIABLE_TEXT_MAX], why[DEBUGGER_TEXT_MAX];
    bool argument, any = false;
    for (size_t n = 0; variables_listed(program->variables, &program->at, n, name, sizeof name, &argument); n++) {
        if (argument != arguments) continue;
        struct variable_value *value = variables_evaluate(program->variables, &program->at, name, why, sizeof why);
        any = true;
        if (value == NULL) {
            printf("  %s\n", why);
            continue;
        }
        variable_type(value, type, sizeof type);
        variable_text(value, text, sizeof text);
        printf("  %s %s = %s\n", type, name, text);
        free(value);
    }
    if (!any) printf("no %s in scope\n", arguments ? "arguments" : "variables");
    return true;
}

// A warp that runs, and a thread of it that stands somewhere.
static bool stands(const struct debug_program *program) {
    const struct debugger_thread *at = &program->at;
    struct warp_place place;
    uint32_t address;
    if (!ppu_look_place(debugger_ppu(program->debugger), at->sm, at->warp, &place)) {
        complain("debug", "warp %u.%u does not run; info warps lists those that do, continue or stepi goes on", at->sm,
                 at->warp);
        return false;
    }
    if (variables_place(program->debugger, at, &address)) return true;
    complain("debug", "thread %u of warp %u.%u stands nowhere: info threads says why it is off", at->thread, at->sm,
             at->warp);
    return false;
}

bool debug_show_locals(struct debug_program *program, const char *rest) {
    (void)rest;
    if (program->variables == NULL) {
        complain("debug", "locals: the program has no variables; compile it with -g");
        return false;
    }
    return stands(program) && show_all(program, false);
}

bool debug_show_args(struct debug_program *program) {
    return stands(program) && show_all(program, true);
}

bool debug_show_row(struct debug_program *program, const char *expression) {
    const unsigned usual = program->at.thread;
    char text[VARIABLE_TEXT_MAX], why[DEBUGGER_TEXT_MAX];
    struct warp_look warp;
    unsigned in_line = 0;
    bool any = false;
    if (*expression == '\0') {
        complain("debug", "row: of what? write a variable, an argument or a register");
        return false;
    }
    if (!stands(program) || !ppu_look_warp(debugger_ppu(program->debugger), program->at.sm, program->at.warp, &warp))
        return false;
    for (unsigned t = 0; t < warp.threads; t++) {
        program->at.thread = t;
        if ((warp.reason[KIND_ABSENT] >> t & 1u) != 0) continue;
        const bool good = debug_print(program, expression, text, sizeof text, why, sizeof why);
        any |= good;
        if (!good) (void)snprintf(text, sizeof text, "-");
        if (strlen(text) > SHORT_VALUE) {
            printf("%s  %2u: %s\n", in_line > 0 ? "\n" : "", t, text);
            in_line = 0;
            continue;
        }
        if (in_line == 0) printf("  %2u:", t);
        printf(" %s", text);
        in_line = (in_line + 1) % ROW_WIDTH;
        if (in_line == 0) putchar('\n');
    }
    if (in_line > 0) putchar('\n');
    program->at.thread = usual;
    if (!any) complain("debug", "row %s: %s", expression, why);
    return any;
}
