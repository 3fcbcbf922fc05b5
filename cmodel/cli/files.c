// What the commands share: messages, files, numbers.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

// A process runs one command.
static const char *speaker;

void speak_as(const char *command) {
    speaker = command;
}

void complain(const char *command, const char *format, ...) {
    va_list arguments;
    if (speaker != NULL) command = speaker;
    va_start(arguments, format);
    fprintf(stderr, "tandem %s: ", command);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

int usage_error(const struct command *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *name = speaker != NULL ? speaker : command->name;
    fprintf(stderr, "tandem %s: ", name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "; see tandem %s --help\n", name);
    va_end(arguments);
    return EXIT_USAGE;
}

void *read_file(const char *command, const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        complain(command, "%s: %s", path, strerror(errno));
        return NULL;
    }
    char *bytes = NULL;
    size_t used = 0, room = 0;
    for (;;) {
        if (used + 65536 + 1 > room) {
            room = 2 * room + 65536 + 1;
            char *more = realloc(bytes, room);
            if (more == NULL) break;
            bytes = more;
        }
        size_t got = fread(bytes + used, 1, 65536, file);
        used += got;
        if (got > 0) continue;
        bool failed = ferror(file) != 0;
        int reason = errno;
        fclose(file);
        if (failed) {
            complain(command, "%s: %s", path, strerror(reason));
            free(bytes);
            return NULL;
        }
        bytes[used] = '\0';
        *size = used;
        return bytes;
    }
    complain(command, "%s: too large for the host's memory", path);
    fclose(file);
    free(bytes);
    return NULL;
}

bool write_file(const char *command, const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(bytes, 1, size, file) == size;
    int reason = errno;
    if (file != NULL && fclose(file) != 0) {
        reason = errno;
        good = false;
    }
    if (!good) complain(command, "%s: %s", path, strerror(reason));
    return good;
}

// Decimal or 0x hexadecimal. A leading 0 is refused: some take such numbers for octal ones.
bool parse_number(const char *text, uint64_t *value) {
    const char *digits = *text == '-' ? text + 1 : text;
    const bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (*digits < '0' || *digits > '9' || (digits[0] == '0' && digits[1] != '\0' && !hexadecimal)) return false;
    char *end = NULL;
    errno = 0;
    *value = *text == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    return *end == '\0' && errno == 0;
}
