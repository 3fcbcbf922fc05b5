#include "program_variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"

// "without M .." or "INSTRUCTION for M ..".
bool program_variant_parse(const char *line, struct program_variant *to) {
    int used = 0;
    memset(to, 0, sizeof *to);
    if (sscanf(line, " %31[a-z0-9_] :%n", to->name, &used) != 1 || used == 0) return false;
    const char *what = line + used + strspn(line + used, BLANKS), *from = strstr(what, " for ");
    if (strncmp(what, "without ", 8) == 0) {
        from = what + 8;
    } else if (from != NULL && (size_t)(from - what) < sizeof to->put && from != what) {
        memcpy(to->put, what, (size_t)(from - what));
        from += 5;
    } else {
        return false;
    }
    for (size_t length; (length = strcspn(from += strspn(from, BLANKS), BLANKS "\r\n")) != 0; from += length) {
        const size_t taken = strlen(to->from);
        if (taken + length + 2 > sizeof to->from) return false;
        memcpy(to->from + taken, from, length);
        to->from[taken + length] = ' ';
    }
    return to->from[0] != 0;
}

bool program_variants(const char *path, char names[PROGRAM_VARIANTS_MAX][PROGRAM_VARIANT_NAME_MAX], size_t *count) {
    char line[4096];
    bool good = true;
    FILE *file = fopen(path, "r");
    *count = 0;
    if (file == NULL) return false;
    while (good && fgets(line, sizeof line, file) != NULL) {
        struct program_variant variant;
        int used = 0;
        (void)sscanf(line, "// variant %n", &used);
        if (used == 0) continue;
        good = *count < PROGRAM_VARIANTS_MAX && program_variant_parse(line + used, &variant);
        if (good) memcpy(names[(*count)++], variant.name, PROGRAM_VARIANT_NAME_MAX);
    }
    fclose(file);
    return good;
}

static bool named(const struct program_variant *variant, const char *mnemonic, size_t length) {
    for (const char *m = variant->from; *m != 0; m += strcspn(m, " ") + 1) {
        if (strcspn(m, " ") == length && strncmp(m, mnemonic, length) == 0) return true;
    }
    return false;
}

// Where the mnemonic of a line begins: behind labels and a guard; at the line's end when there is none.
static const char *mnemonic_of(const char *line, const char *end) {
    for (;;) {
        line += strspn(line, BLANKS);
        const size_t length = strcspn(line, BLANKS "\r\n");
        if (line >= end || length == 0) return end;
        if (line[length - 1] != ':' && line[0] != '@') return line;
        line += length;
    }
}

char *program_variant_apply(const struct program_variant *variant, const char *text, unsigned *changed) {
    char *result = NULL;
    size_t size;
    FILE *to = open_memstream(&result, &size);
    *changed = 0;
    if (to == NULL) return NULL;
    while (*text != 0) {
        const char *end = text + strcspn(text, "\n"), *at = mnemonic_of(text, end);
        const size_t length = strcspn(at, BLANKS "\r\n");
        if (at != end && named(variant, at, length)) {
            // A guard goes with an instruction that is left out.
            const char *guard = memchr(text, '@', (size_t)(at - text));
            const char *keep = variant->put[0] == 0 && guard != NULL ? guard : at;
            fwrite(text, 1, (size_t)(keep - text), to);
            if (variant->put[0] != 0) fprintf(to, "%s%.*s", variant->put, (int)(end - at - (long)length), at + length);
            (*changed)++;
        } else {
            fwrite(text, 1, (size_t)(end - text), to);
        }
        if (*end != 0) fputc('\n', to);
        text = *end != 0 ? end + 1 : end;
    }
    if (fclose(to) != 0) {
        free(result);
        return NULL;
    }
    return result;
}
