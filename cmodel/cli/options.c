// Options of a command: see options.h.
#include "options.h"

#include <string.h>

#define HELP_COLUMN 26

const struct option *option_find(const struct option *table, const char *name) {
    for (; table->name != NULL; table++)
        if (strcmp(table->name, name) == 0) return table;
    return NULL;
}

static bool number_between(const char *text, const struct option *row, uint64_t *value) {
    return *text != '-' && parse_number(text, value) && *value >= row->least && *value <= row->most;
}

static bool set_sizes(const char *text, const struct option *row, struct option_sizes *to) {
    char copy[96];
    if (strlen(text) >= sizeof copy) return false;
    strcpy(copy, text);
    *to = (struct option_sizes){0};
    for (char *part = copy, *next; part != NULL; part = next) {
        next = strchr(part, ',');
        if (next != NULL) *next++ = '\0';
        uint64_t value = 0;
        if (to->count == 3 || !number_between(part, row, &value)) return false;
        to->size[to->count++] = (uint32_t)value;
    }
    return true;
}

// All words of a list: "a, b or c".
static void list_words(const char *const *words, char *to, size_t size) {
    *to = '\0';
    for (size_t k = 0; words[k] != NULL; k++) {
        const size_t used = strlen(to);
        const char *between = k == 0 ? "" : words[k + 1] == NULL ? " or " : ", ";
        snprintf(to + used, size - used, "%s%s", between, words[k]);
    }
}

static int set_word(const struct command *command, const struct option *row, const char *value, int *to) {
    for (int k = 0; row->words[k] != NULL; k++) {
        if (strcmp(value, row->words[k]) != 0) continue;
        *to = k;
        return EXIT_OK;
    }
    char known[256];
    list_words(row->words, known, sizeof known);
    return usage_error(command, "%s %s: must be %s", row->name, value, known);
}

int option_set(const struct command *command, const struct option *row, int argc, char **argv, int *i, void *to) {
    char *field = (char *)to + row->offset;
    if (row->kind == OPTION_SWITCH) {
        *(bool *)(void *)field = true;
        return EXIT_OK;
    }
    if (*i + 1 >= argc) return usage_error(command, "%s needs a value: %s", row->name, row->value);
    const char *value = argv[++*i];
    switch (row->kind) {
        case OPTION_TEXT:
            if (*value == '\0') return usage_error(command, "%s: the value is empty", row->name);
            *(const char **)(void *)field = value;
            return EXIT_OK;
        case OPTION_WORD: return set_word(command, row, value, (int *)(void *)field);
        case OPTION_SIZES:
            if (set_sizes(value, row, (struct option_sizes *)(void *)field)) return EXIT_OK;
            return usage_error(command, "%s %s: must be one to three numbers from %llu to %llu with commas", row->name,
                               value, (unsigned long long)row->least, (unsigned long long)row->most);
        default: break;
    }
    uint64_t number = 0;
    if (!number_between(value, row, &number)) {
        return usage_error(command, "%s %s: must be a number from %llu to %llu", row->name, value,
                           (unsigned long long)row->least, (unsigned long long)row->most);
    }
    *(uint64_t *)(void *)field = number;
    return EXIT_OK;
}

void option_help(const struct option *table, FILE *to) {
    for (; table->name != NULL; table++) {
        const int used = fprintf(to, "  %s%s%s", table->name, table->value != NULL ? " " : "",
                                 table->value != NULL ? table->value : "");
        int column = used;
        if (column > HELP_COLUMN - 2) {
            fputc('\n', to);
            column = 0;
        }
        for (const char *line = table->help; line != NULL;) {
            const char *end = strchr(line, '\n');
            const int length = end != NULL ? (int)(end - line) : (int)strlen(line);
            fprintf(to, "%*s%.*s\n", HELP_COLUMN - column, "", length, line);
            column = 0;
            line = end != NULL ? end + 1 : NULL;
        }
    }
}
