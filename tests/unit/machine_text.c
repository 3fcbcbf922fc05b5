#include "machine_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "compiler/compiler.h"

unsigned count_of(const char *text, const char *what) {
    unsigned count = 0;
    for (const char *at = text; at != NULL && (at = strstr(at, what)) != NULL; at += strlen(what))
        count++;
    return count;
}

void expect_instructions(const char *head, const struct instruction_row *rows, size_t count) {
    for (size_t k = 0; k < count; k++) {
        char source[2048], instruction[32];
        const struct compiler_options options = {.keep_asm = true};
        struct compiler_result result;
        snprintf(source, sizeof source, "%s%s", head, rows[k].body);
        snprintf(instruction, sizeof instruction, "    %s", rows[k].instruction);
        cr_assert(compiler_compile(source, strlen(source), "table.cl", &options, &result), "%s", result.messages);
        const unsigned times = count_of(result.machine, instruction);
        cr_expect_eq(times, rows[k].times, "%s: %s is there %u times, not %u\n%s", rows[k].name, rows[k].instruction,
                     times, rows[k].times, result.machine);
        compiler_result_free(&result);
    }
}
