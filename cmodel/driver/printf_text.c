// Text of a record of printf: the format's conversions one by one, each by the host's own formatter.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/printf_text.h"
#include "isa/printf_format.h"

// The conversion as the host's printf has it, with a length that fits what is handed over.
static void host_format(const struct printf_conversion *c, const char *length, char letter, char to[64]) {
    int used = snprintf(to, 64, "%%%s", c->flags);
    if (c->width >= 0) used += snprintf(to + used, 64 - (size_t)used, "%d", c->width);
    if (c->precision >= 0) used += snprintf(to + used, 64 - (size_t)used, ".%d", c->precision);
    snprintf(to + used, 64 - (size_t)used, "%s%c", length, letter);
}

static void put_value(FILE *to, const struct printf_conversion *c, char type, const uint32_t *words) {
    char format[64], address[16];
    const char *length = "";
    switch (type) {
        case 'f': {
            float single;
            memcpy(&single, words, sizeof single);
            host_format(c, "", c->letter, format);
            fprintf(to, format, (double)single);
            break;
        }
        case 'd': {
            const uint64_t bits = (uint64_t)words[1] << 32 | words[0];
            double number;
            memcpy(&number, &bits, sizeof number);
            host_format(c, "", c->letter, format);
            fprintf(to, format, number);
            break;
        }
        case 'l':
            host_format(c, "ll", c->letter, format);
            fprintf(to, format, (unsigned long long)words[0] | (unsigned long long)words[1] << 32);
            break;
        case 'p': {
            struct printf_conversion text = {.width = c->width, .precision = -1};
            if (strchr(c->flags, '-') != NULL) text.flags[0] = '-';
            snprintf(address, sizeof address, "0x%08x", words[0]);
            host_format(&text, "", 's', format);
            fprintf(to, format, address);
            break;
        }
        default:
            if (c->length == LENGTH_CHAR) length = "hh";
            if (c->length == LENGTH_SHORT) length = "h";
            host_format(c, length, c->letter, format);
            fprintf(to, format, words[0]);
            break;
    }
}

static void put_argument(FILE *to, const struct code_object *object, const struct printf_conversion *c, unsigned count,
                         char type, const uint32_t *words) {
    if (type == 's') {
        char format[64];
        const bool known =
            words[0] < object->format_count && strcmp(object->formats[words[0]].types, PRINTF_STRING) == 0;
        host_format(c, "", 's', format);
        fprintf(to, format, known ? object->formats[words[0]].text : "(no string)");
        return;
    }
    for (unsigned k = 0; k < count; k++) {
        if (k > 0) fputc(',', to);
        put_value(to, c, type, words + (size_t)k * printf_type_words(1, type));
    }
}

char *printf_text(const struct code_object *object, uint32_t number, const uint32_t *words, size_t *size) {
    char *text = NULL, error[PRINTF_ERROR_SIZE];
    FILE *to = open_memstream(&text, size);
    if (to == NULL) return NULL;
    const char *at = object->formats[number].text, *types = object->formats[number].types, *from = at;
    struct printf_conversion c;
    while (printf_next(&at, &c, error) == PRINTF_CONVERSION) {
        fwrite(from, 1, (size_t)(c.text - from), to);
        from = at;
        unsigned count = 0;
        char type = 0;
        if (c.letter == '%') {
            fputc('%', to);
        } else if (printf_type(&types, &count, &type)) {
            put_argument(to, object, &c, count, type, words);
            words += printf_type_words(count, type);
        }
    }
    fputs(from, to);
    const bool failed = ferror(to) != 0;
    if (fclose(to) == 0 && !failed) return text;
    free(text);
    return NULL;
}
