// .tandem.printf of a code object: what the program prints. For each entry its types and its text, both ending in a 0.
#include <stdlib.h>
#include <string.h>

#include "code_object_internal.h"
#include "printf_format.h"

bool formats_add(struct code_object *object, const char *types, const char *text) {
    struct code_format *more = realloc(object->formats, (object->format_count + 1) * sizeof *more);
    if (more == NULL) return false;
    object->formats = more;
    struct code_format *to = &more[object->format_count];
    *to = (struct code_format){strdup(types), strdup(text)};
    if (to->types == NULL || to->text == NULL) {
        free(to->types);
        free(to->text);
        return false;
    }
    object->format_count++;
    return true;
}

void formats_free(struct code_object *object) {
    for (size_t i = 0; i < object->format_count; i++) {
        free(object->formats[i].types);
        free(object->formats[i].text);
    }
    free(object->formats);
}

bool formats_parse(const char *bytes, size_t size, struct code_object *object, struct message message) {
    if (size == 0) return true;  // bytes may be NULL
    if (size > MAX_FORMAT_BYTES) return refuse(message, ".tandem.printf has more than %u bytes", MAX_FORMAT_BYTES);
    for (const char *at = bytes, *end = bytes + size; at < end;) {
        const char *types_end = memchr(at, 0, (size_t)(end - at));
        const char *text = types_end != NULL ? types_end + 1 : end;
        const char *text_end = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
        if (text_end == NULL) return refuse(message, ".tandem.printf: entry %zu is cut off", object->format_count);
        if (object->format_count == MAX_FORMATS)
            return refuse(message, ".tandem.printf: more than %u entries", MAX_FORMATS);
        if (!formats_add(object, at, text)) return refuse(message, "out of memory");
        at = text_end + 1;
    }
    return true;
}

char *formats_print(const struct code_object *object, size_t *size) {
    *size = 0;
    for (size_t i = 0; i < object->format_count; i++)
        *size += strlen(object->formats[i].types) + strlen(object->formats[i].text) + 2;
    char *bytes = malloc(*size + 1);
    if (bytes == NULL) return NULL;
    char *at = bytes;
    for (size_t i = 0; i < object->format_count; i++) {
        at = stpcpy(at, object->formats[i].types) + 1;
        at = stpcpy(at, object->formats[i].text) + 1;
    }
    return bytes;
}

bool formats_check(const struct code_object *object, struct message message) {
    size_t bytes = 0;
    if (object->format_count > MAX_FORMATS) return refuse(message, "more than %u formats of printf", MAX_FORMATS);
    for (size_t i = 0; i < object->format_count; i++) {
        const struct code_format *format = &object->formats[i];
        char why[PRINTF_ERROR_SIZE];
        bytes += strlen(format->types) + strlen(format->text) + 2;
        if (strcmp(format->types, PRINTF_STRING) == 0) continue;
        if (printf_record_words(format->text, format->types, why) == 0)
            return refuse(message, "format %zu of printf: %s", i, why);
    }
    if (bytes > MAX_FORMAT_BYTES)
        return refuse(message, "the formats of printf take more than %u bytes", MAX_FORMAT_BYTES);
    return true;
}
