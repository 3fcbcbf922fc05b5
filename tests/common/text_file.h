// Whole files of text.
#ifndef TANDEM_TESTS_TEXT_FILE_H
#define TANDEM_TESTS_TEXT_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// NULL: it cannot be read, or is empty; errno says why. The caller frees it.
static inline char *text_file_read(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (file == NULL) return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    (void)fclose(file);
    return text;
}

// False: it cannot be written whole; errno says why.
static inline bool text_file_write(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (file == NULL) return false;
    const bool good = fputs(text, file) >= 0;
    return fclose(file) == 0 && good;
}

#endif
