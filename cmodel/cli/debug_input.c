// Where the commands of `tandem debug` come from: scripts, then standard input.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug.h"

enum line { LINE_THERE, LINE_NONE, LINE_WRONG };

static enum line from_script(struct debug_input *input, const char **line) {
    while (input->open != NULL || input->next < input->count) {
        if (input->open != NULL) {
            *line = input->line;
            if (getline(&input->line, &input->room, input->open) >= 0) {
                *line = input->line;
                return LINE_THERE;
            }
            fclose(input->open);
            input->open = NULL;
            continue;
        }
        const struct debug_script *script = &input->scripts[input->next++];
        if (!script->file) {
            *line = script->text;
            return LINE_THERE;
        }
        input->open = fopen(script->text, "r");
        if (input->open != NULL) continue;
        complain("debug", "%s: %s", script->text, strerror(errno));
        return LINE_WRONG;
    }
    return LINE_NONE;
}

static enum line from_user(struct debug_input *input, const char **line) {
    const bool prompt = isatty(STDIN_FILENO);
    while (!debug_terminated()) {
        if (prompt) fputs("(tandem) ", stdout);
        fflush(stdout);
        errno = 0;
        if (getline(&input->line, &input->room, stdin) >= 0) {
            *line = input->line;
            return LINE_THERE;
        }
        if (errno != EINTR) break;
        clearerr(stdin);
        if (prompt) putchar('\n');
    }
    return LINE_NONE;
}

enum debug_result debug_converse(struct debug_program *program) {
    struct debug_input *input = &program->input;
    while (!debug_terminated()) {
        const char *line = "";
        enum line found = from_script(input, &line);
        if (found == LINE_NONE && !input->batch) found = from_user(input, &line);
        if (found == LINE_NONE) break;
        const enum debug_result result = found == LINE_THERE ? debug_command(program, line) : DEBUG_WRONG;
        fflush(stdout);
        if (result == DEBUG_GO || result == DEBUG_QUIT) return result;
        if (result == DEBUG_WRONG && input->batch) {
            input->wrong = true;
            break;
        }
    }
    return DEBUG_QUIT;
}

void debug_input_free(struct debug_input *input) {
    if (input->open != NULL) fclose(input->open);
    free(input->line);
}
