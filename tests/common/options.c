#include "common/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_number(const char *text, uint64_t *to) {
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 0);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0) return false;
    *to = number;
    return true;
}

static bool take(const char *program, const struct option_row *row, const char *value) {
    uint64_t number;
    if (row->text != NULL) {
        *row->text = value;
        return true;
    }
    if (!parse_number(value, &number) || number < row->least || number > row->most) {
        fprintf(stderr, "%s: %s needs a number from %llu to %llu, not %s\n", program, row->name,
                (unsigned long long)row->least, (unsigned long long)row->most, value);
        return false;
    }
    *row->number = number;
    return true;
}

bool options_parse(const char *program, const struct option_row *rows, size_t row_count, int argc, char **argv,
                   char **others, int *other_count) {
    if (others != NULL) *other_count = 0;
    for (int i = 1; i < argc; i++) {
        if (others != NULL && argv[i][0] != '-') {
            others[(*other_count)++] = argv[i];
            continue;
        }
        size_t k = 0;
        while (k < row_count && strcmp(argv[i], rows[k].name) != 0)
            k++;
        if (k == row_count || i + 1 == argc) {
            fprintf(stderr, "%s: %s: %s; see --help\n", program, argv[i], k == row_count ? "unknown" : "needs a value");
            return false;
        }
        if (!take(program, &rows[k], argv[++i])) return false;
    }
    return true;
}
