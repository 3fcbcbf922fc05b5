// What a user says about second compiles: when, by which compiler, and who hears of it.
#include "driver/recompile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/again.h"

// The compiler, where it is linked into the program; the driver itself stands on none.
#pragma weak compiler_compile_again

void again_set_options(struct tandem_device *device, const struct tandem_recompile_options *options) {
    device->again.options = *options;
}

void again_set_compiler(struct tandem_device *device, alias_compile *compile, void *context) {
    device->again.compiler_set = true;
    device->again.compile = compile;
    device->again.compile_context = context;
}

alias_compile *again_compiler(const struct tandem_device *device) {
    return device->again.compiler_set ? device->again.compile : compiler_compile_again;
}

void again_set_log(struct tandem_device *device, tandem_recompile_log *call, void *context) {
    device->again.log_set = true;
    device->again.log = call;
    device->again.log_context = context;
}

// Whether the environment asks for lines about second compiles.
static bool asked_for(void) {
    static const char word[] = "recompile";
    const char *text = getenv("TANDEM_LOG");
    for (; text != NULL && *text != '\0'; text += text[0] == ',') {
        const size_t length = strcspn(text, ",");
        if (length == sizeof word - 1 && strncmp(text, word, length) == 0) return true;
        text += length;
    }
    return false;
}

bool again_logs(const struct tandem_device *device) {
    return device->again.log_set ? device->again.log != NULL : asked_for();
}

void again_log(struct tandem_device *device, const char *format, ...) {
    if (!again_logs(device)) return;
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (device->again.log_set) {
        device->again.log(device->again.log_context, line);
    } else {
        fprintf(stderr, "tandem: recompile: %s\n", line);
    }
}

void again_log_text(struct tandem_device *device, const struct code_kernel *kernel, const char *text) {
    for (; text != NULL && *text != '\0'; text += strcspn(text, "\n") + (strchr(text, '\n') != NULL))
        again_log(device, "kernel %s: %.*s", kernel->name, (int)strcspn(text, "\n"), text);
}
