#include "dap_expanded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_REFERENCE ((int64_t)1 << 30)  // the others are smaller: dap_variables.c
#define PARTS_SHOWN 256u
#define EXPRESSION_MAX 512u

void dap_expanded_forget(struct dap_expanded *expanded) {
    for (size_t k = 0; k < expanded->count; k++)
        free(expanded->list[k].text);
    free(expanded->list);
    *expanded = (struct dap_expanded){0};
}

static const struct dap_expression *expression_of(const struct dap_expanded *expanded, int64_t reference) {
    const int64_t n = reference - FIRST_REFERENCE;
    return n >= 0 && (uint64_t)n < expanded->count ? &expanded->list[n] : NULL;
}

int64_t dap_expanded_frame(const struct dap_expanded *expanded, int64_t reference) {
    const struct dap_expression *expression = expression_of(expanded, reference);
    return expression != NULL ? expression->frame : 0;
}

// 0: the host has no memory, so nothing is there to be expanded.
static int64_t remember(struct dap_expanded *expanded, int64_t frame, unsigned thread, const char *text) {
    if (expanded->count == expanded->capacity) {
        const size_t capacity = 2 * expanded->capacity + 16;
        struct dap_expression *longer = realloc(expanded->list, capacity * sizeof *longer);
        if (longer == NULL) return 0;
        expanded->list = longer;
        expanded->capacity = capacity;
    }
    struct dap_expression *to = &expanded->list[expanded->count];
    *to = (struct dap_expression){.frame = frame, .thread = thread, .text = strdup(text)};
    return to->text != NULL ? FIRST_REFERENCE + (int64_t)expanded->count++ : 0;
}

static void add(struct dap_expanded *expanded, struct debug_program *program, struct json_writer *to, int64_t frame,
                const char *name, const char *expression, const struct variable_value *value, const char *why) {
    char text[VARIABLE_TEXT_MAX], type[VARIABLE_NAME_MAX];
    json_open(to, NULL, false);
    json_add_text(to, "name", name);
    if (value == NULL) {
        json_add_text(to, "value", why);
        json_add_number(to, "variablesReference", 0);
    } else {
        variable_text(value, text, sizeof text);
        variable_type(value, type, sizeof type);
        json_add_text(to, "value", text);
        json_add_text(to, "type", type);
        json_add_text(to, "evaluateName", expression);
        json_add_number(to, "variablesReference",
                        variable_parts(value) != 0 ? remember(expanded, frame, program->at.thread, expression) : 0);
    }
    json_close(to, false);
}

// What names a part of what the expression gives. False: it is too long.
static bool part_expression(char *to, size_t size, const char *whole, const char *part) {
    const bool behind = strcmp(part, "*") == 0;
    const int length = snprintf(to, size, "%s%s%s", behind ? "(*" : "", whole, behind ? ")" : part);
    return length > 0 && (size_t)length < size;
}

void dap_expanded_add_parts(struct dap_expanded *expanded, struct debug_program *program, struct json_writer *to,
                            int64_t reference) {
    const struct dap_expression *expression = expression_of(expanded, reference);
    const unsigned usual = program->at.thread;
    char why[DEBUGGER_TEXT_MAX], name[VARIABLE_NAME_MAX], part_text[EXPRESSION_MAX], whole_text[EXPRESSION_MAX];
    if (expression == NULL || program->variables == NULL) return;
    const int64_t frame = expression->frame;
    program->at.thread = expression->thread;
    (void)snprintf(whole_text, sizeof whole_text, "%s", expression->text);
    struct variable_value *whole = variables_evaluate(program->variables, &program->at, whole_text, why, sizeof why);
    for (size_t n = 0; whole != NULL && n < PARTS_SHOWN && n < variable_parts(whole); n++) {
        struct variable_value *part = variable_part(whole, n, name, sizeof name);
        if (part == NULL) continue;
        if (part_expression(part_text, sizeof part_text, whole_text, name))
            add(expanded, program, to, frame, name[0] == '.' ? name + 1 : name, part_text, part, "");
        free(part);
    }
    free(whole);
    program->at.thread = usual;
}

void dap_expanded_add_scope(struct dap_expanded *expanded, struct debug_program *program, struct json_writer *to,
                            int64_t frame, bool arguments) {
    char name[VARIABLE_NAME_MAX], why[DEBUGGER_TEXT_MAX];
    bool argument;
    for (size_t n = 0; program->variables != NULL &&
                       variables_listed(program->variables, &program->at, n, name, sizeof name, &argument);
         n++) {
        if (argument != arguments) continue;
        struct variable_value *value = variables_evaluate(program->variables, &program->at, name, why, sizeof why);
        add(expanded, program, to, frame, name, name, value, why);
        free(value);
    }
}

int64_t dap_expanded_of(struct dap_expanded *expanded, struct debug_program *program, int64_t frame,
                        const char *expression) {
    char why[DEBUGGER_TEXT_MAX];
    if (program->variables == NULL) return 0;
    struct variable_value *value = variables_evaluate(program->variables, &program->at, expression, why, sizeof why);
    const bool parts = value != NULL && variable_parts(value) != 0;
    free(value);
    return parts ? remember(expanded, frame, program->at.thread, expression) : 0;
}
