// A program from a file of any kind.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "compile_options.h"
#include "isa/assembler.h"

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

bool load_program(const char *command, const char *path, const struct compile_options *options,
                  struct code_object *object) {
    char error[1024];
    size_t size = 0;
    if (ends_with(path, ".cl")) {
        void *elf = NULL;
        const struct compile_options none = {0};
        if (!compile_file(command, path, options != NULL ? options : &none, NULL, &elf, &size)) return false;
        bool good = code_object_read(elf, size, object, error, sizeof error);
        if (!good) complain(command, "%s: %s", path, error);
        free(elf);
        return good;
    }
    char *bytes = read_file(command, path, &size);
    if (bytes == NULL) return false;
    bool good = ends_with(path, ".s") ? assemble(bytes, size, path, object, error, sizeof error)
                                      : code_object_read(bytes, size, object, error, sizeof error);
    if (!good) complain(command, ends_with(path, ".s") ? "%s%s" : "%s: %s", ends_with(path, ".s") ? "" : path, error);
    free(bytes);
    return good;
}
