// Texts that grow: see text.h.
#include "compiler/base/text.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/base/memory.h"

void text_add(struct text *to, const char *data, size_t size) {
    if (to->size + size + 1 > to->capacity) {
        size_t wanted = (to->size + size + 1) * 2;
        char *moved = take(wanted, 1);
        if (to->size > 0) memcpy(moved, to->data, to->size);
        free(to->data);
        to->data = moved;
        to->capacity = wanted;
    }
    if (size > 0) memcpy(to->data + to->size, data, size);
    to->size += size;
    to->data[to->size] = 0;
}

void text_vformat(struct text *to, const char *format, va_list arguments) {
    char line[2048];
    int length = vsnprintf(line, sizeof line, format, arguments);
    if (length < 0) return;
    text_add(to, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

void text_format(struct text *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_vformat(to, format, arguments);
    va_end(arguments);
}
