// Texts that grow.
#ifndef TANDEM_COMPILER_BASE_TEXT_H
#define TANDEM_COMPILER_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct text {
    char *data;  // always ends in a 0 once something was added
    size_t size, capacity;
};

void text_add(struct text *to, const char *data, size_t size);
// At most 2047 characters at a time.
void text_format(struct text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vformat(struct text *to, const char *format, va_list arguments);

static inline bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

#endif
