// Diagnostics and the pipe to the parent: see compilation.h.
#include "compiler/base/compilation.h"
#include "compiler/base/watch.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { ERRORS_MAX = 20 };

// One line each: what a damaged program has in its names must not break it.
static void report(struct compilation *compilation, struct location at, const char *severity, const char *format,
                   va_list arguments) {
    struct text *to = &compilation->messages;
    const size_t start = to->size;
    text_format(to, "%s:", at.file != NULL ? at.file : compilation->name);
    if (at.line != 0) text_format(to, "%u:%u:", at.line, at.column);
    text_format(to, " %s: ", severity);
    text_vformat(to, format, arguments);
    for (size_t k = start; k < to->size; k++)
        if ((unsigned char)to->data[k] < ' ' || to->data[k] == '\x7F') to->data[k] = '?';
    text_add(to, "\n", 1);
}

void report_error(struct compilation *compilation, struct location at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(compilation, at, "error", format, arguments);
    va_end(arguments);
    if (++compilation->errors >= ERRORS_MAX) {
        text_format(&compilation->messages, "%s: error: too many errors, giving up\n", compilation->name);
        compilation_end(compilation);
    }
}

void report_warning(struct compilation *compilation, struct location at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(compilation, at, "warning", format, arguments);
    va_end(arguments);
}

void report_fatal(struct compilation *compilation, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(compilation, (struct location){0}, "error", format, arguments);
    va_end(arguments);
    compilation->errors++;
    compilation_end(compilation);
}

static bool write_all(int to, const void *data, size_t size) {
    const char *at = data;
    while (size > 0) {
        watch_pause(true);
        ssize_t done = write(to, at, size);
        watch_pause(false);
        if (done < 0) {
            if (errno == EINTR) continue;
            return false;
        }
        at += done;
        size -= (size_t)done;
    }
    return true;
}

bool send_frame(int to, enum frame kind, const void *data, size_t size) {
    unsigned char head[5] = {(unsigned char)kind, (unsigned char)size, (unsigned char)(size >> 8),
                             (unsigned char)(size >> 16), (unsigned char)(size >> 24)};
    return write_all(to, head, sizeof head) && write_all(to, data, size);
}

void compilation_end(struct compilation *compilation) {
    send_frame(compilation->to_parent, FRAME_MESSAGES, compilation->messages.data, compilation->messages.size);
    send_frame(compilation->to_parent, FRAME_END, "", 0);
    _exit(compilation->errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
