// What the environment says: TANDEM_TIMELINE, TANDEM_TRACE and TANDEM_WAVE become keys of the devices' names.
#include "opencl/environment.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *environment_text(const char *name) {
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? text : NULL;
}

uint64_t environment_number(const char *name, uint64_t otherwise) {
    const char *text = environment_text(name);
    if (text == NULL) return otherwise;
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (errno == 0 && *end == '\0' && text[0] >= '0' && text[0] <= '9') return value;
    tell_user("%s=%s: not a decimal number of 64 bits; it is ignored", name, text);
    return otherwise;
}

bool environment_logs(const char *word) {
    const char *text = environment_text("TANDEM_LOG");
    const size_t length = strlen(word);
    while (text != NULL && *text != '\0') {
        const size_t part = strcspn(text, ", ");
        if (part == length && strncmp(text, word, length) == 0) return true;
        text += part;
        text += strspn(text, ", ");
    }
    return false;
}

static void line(const char *format, va_list arguments) {
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "tandem-opencl: %s\n", text);
}

void log_line(const char *format, ...) {
    if (!environment_logs("opencl")) return;
    va_list arguments;
    va_start(arguments, format);
    line(format, arguments);
    va_end(arguments);
}

void tell_user(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    line(format, arguments);
    va_end(arguments);
}

// FILE, or for the devices behind the first one FILE with the device's number in front of its last suffix.
static void add_file(char *to, size_t size, const char *key, const char *file, unsigned index) {
    const size_t used = strlen(to);
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash != NULL ? slash : file, '.');
    if (index == 0) {
        snprintf(to + used, size - used, ",%s=%s", key, file);
    } else if (dot != NULL) {
        snprintf(to + used, size - used, ",%s=%.*s.%u%s", key, (int)(dot - file), file, index, dot);
    } else {
        snprintf(to + used, size - used, ",%s=%s.%u", key, file, index);
    }
}

static bool has_key(const char *name, const char *key) {
    const size_t length = strlen(key);
    for (const char *at = strchr(name, ','); at != NULL; at = strchr(at + 1, ','))
        if (strncmp(at + 1, key, length) == 0 && at[1 + length] == '=') return true;
    return false;
}

bool environment_device_name(const char *name, unsigned index, char *to, size_t size) {
    static const struct {
        const char *variable, *key;
        bool rtl;  // only devices with RTL have it
    } files[] = {
        {"TANDEM_TIMELINE", "timeline", false}, {"TANDEM_TRACE", "trace", false}, {"TANDEM_WAVE", "wave", true}};
    const bool model = strncmp(name, "model:", 6) == 0;
    const bool board = !model && strncmp(name, "rtl:", 4) != 0 && strncmp(name, "tandem:", 7) != 0;
    if (snprintf(to, size, "%s", name) >= (int)size) return false;
    if (board) return true;
    if (!has_key(name, "mem")) snprintf(to + strlen(to), size - strlen(to), ",mem=4095");
    // All memory is for the contexts' spaces.
    if (!has_key(name, "space")) snprintf(to + strlen(to), size - strlen(to), ",space=0");
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const char *file = environment_text(files[k].variable);
        if (file != NULL && (!files[k].rtl || !model) && !has_key(name, files[k].key))
            add_file(to, size, files[k].key, file, index);
    }
    return strlen(to) + 1 < size;
}
