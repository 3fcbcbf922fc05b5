// Conversions of printf's formats: see printf_format.h.
#include "printf_format.h"

#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static enum printf_step wrong(char *error, const char *format, ...) {
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    vsnprintf(error, PRINTF_ERROR_SIZE, format, arguments);
    __builtin_va_end(arguments);
    return PRINTF_WRONG;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// A decimal number; -1: too large.
static int number(const char **at) {
    int value = 0;
    for (; is_digit(**at); (*at)++) {
        if (value >= 0) value = value * 10 + (**at - '0');
        if (value > PRINTF_WIDTH_MAX) value = -1;
    }
    return value;
}

static enum printf_step take_width(const char **at, struct printf_conversion *c, char *error) {
    for (size_t count = 0; **at != 0 && strchr("-+ #0", **at) != NULL; (*at)++) {
        if (strchr(c->flags, **at) == NULL) c->flags[count++] = **at;
    }
    if (**at == '*') return wrong(error, "'*' as a width is not supported: it must be a number");
    c->width = is_digit(**at) ? number(at) : -2;
    c->precision = -2;
    if (**at == '.') {
        (*at)++;
        if (**at == '*') return wrong(error, "'*' as a precision is not supported: it must be a number");
        c->precision = number(at);  // none behind the point means 0
    }
    if (c->width == -1 || c->precision == -1) return wrong(error, "a width or precision is above %d", PRINTF_WIDTH_MAX);
    if (c->width == -2) c->width = -1;
    if (c->precision == -2) c->precision = -1;
    return PRINTF_CONVERSION;
}

static enum printf_step take_vector(const char **at, struct printf_conversion *c, char *error) {
    if (**at != 'v') return PRINTF_CONVERSION;
    (*at)++;
    const int count = is_digit(**at) ? number(at) : 0;
    if (count != 2 && count != 3 && count != 4 && count != 8 && count != 16)
        return wrong(error, "a vector has 2, 3, 4, 8 or 16 elements: v2, v3, v4, v8 or v16");
    c->vector = (unsigned)count;
    return PRINTF_CONVERSION;
}

static void take_length(const char **at, struct printf_conversion *c) {
    static const struct {
        const char *text;
        enum printf_length length;
    } lengths[] = {{"hh", LENGTH_CHAR},
                   {"hl", LENGTH_VECTOR_INT},
                   {"h", LENGTH_SHORT},
                   {"ll", LENGTH_LONG},  // not of OpenCL C, where a long has 64 bits, but of many programs
                   {"l", LENGTH_LONG}};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        const size_t size = strlen(lengths[k].text);
        if (strncmp(*at, lengths[k].text, size) != 0) continue;
        c->length = lengths[k].length;
        *at += size;
        return;
    }
}

static bool is_float(char letter) {
    return strchr("fFeEgGaA", letter) != NULL;
}

// What may not stand together.
static enum printf_step check(const struct printf_conversion *c, char *error) {
    const int size = (int)c->size;
    if (c->letter == 0) return wrong(error, "'%.*s' ends before its conversion", size, c->text);
    if (c->letter == '%') {
        if (c->size == 2) return PRINTF_CONVERSION;
        return wrong(error, "'%.*s': a percent sign is written %%%%", size, c->text);
    }
    if (strchr("diouxXcsp", c->letter) == NULL && !is_float(c->letter)) {
        return wrong(error, "'%.*s': there is no conversion '%c'; there are d i o u x X c s p f F e E g G a A and %%",
                     size, c->text, c->letter);
    }
    if (strchr("csp", c->letter) != NULL && (c->vector != 0 || c->length != LENGTH_NONE))
        return wrong(error, "'%.*s': %c takes no vector and no length", size, c->text, c->letter);
    if (c->length == LENGTH_VECTOR_INT && c->vector == 0)
        return wrong(error, "'%.*s': the length hl is for vectors only", size, c->text);
    if (is_float(c->letter) && (c->length == LENGTH_CHAR || (c->length == LENGTH_SHORT && c->vector == 0)))
        return wrong(error, "'%.*s': there is no floating point of this length", size, c->text);
    return PRINTF_CONVERSION;
}

enum printf_step printf_next(const char **at, struct printf_conversion *c, char *error) {
    error[0] = 0;
    const char *start = strchr(*at, '%');
    if (start == NULL) {
        *at += strlen(*at);
        return PRINTF_END;
    }
    *c = (struct printf_conversion){.text = start, .width = -1, .precision = -1};
    *at = start + 1;
    if (take_width(at, c, error) == PRINTF_WRONG || take_vector(at, c, error) == PRINTF_WRONG) return PRINTF_WRONG;
    take_length(at, c);
    c->letter = **at;
    if (c->letter != 0) (*at)++;
    c->size = (size_t)(*at - start);
    return check(c, error);
}

const char *printf_letters(const struct printf_conversion *c) {
    switch (c->letter) {
        case '%': return "";
        case 'c': return "i";
        case 's': return "s";
        case 'p': return "p";
        default: break;
    }
    if (is_float(c->letter)) return c->vector == 0 ? "fd" : c->length == LENGTH_LONG ? "d" : "f";
    if (c->length == LENGTH_LONG) return "l";
    return c->vector != 0 && c->length == LENGTH_NONE ? "il" : "i";
}

bool printf_type(const char **at, unsigned *count, char *letter) {
    const char *from = *at;
    const int elements = is_digit(*from) ? number(&from) : 1;
    if (elements < 1 || elements > 16 || *from == 0 || strchr("ildfps", *from) == NULL) return false;
    *count = (unsigned)elements;
    *letter = *from;
    *at = from + 1;
    return true;
}

unsigned printf_type_words(unsigned count, char letter) {
    return letter == 'l' || letter == 'd' ? 2 * count : count;
}

unsigned printf_record_words(const char *format, const char *types, char *error) {
    struct printf_conversion c;
    unsigned words = 1, count = 0;
    char letter = 0;
    if (strlen(types) > PRINTF_TYPES_MAX) {
        wrong(error, "it takes too many arguments (more than %u characters of types)", PRINTF_TYPES_MAX);
        return 0;
    }
    for (;;) {
        const enum printf_step step = printf_next(&format, &c, error);
        if (step == PRINTF_WRONG) return 0;
        if (step == PRINTF_END) break;
        if (c.letter == '%') continue;
        if (!printf_type(&types, &count, &letter) || strchr(printf_letters(&c), letter) == NULL ||
            count != (c.vector != 0 ? c.vector : 1)) {
            wrong(error, "'%.*s' has no fitting type", (int)c.size, c.text);
            return 0;
        }
        words += printf_type_words(count, letter);
        if (words > PRINTF_WORDS_MAX) {
            wrong(error, "its arguments take more than %u words", PRINTF_WORDS_MAX);
            return 0;
        }
    }
    if (*types == 0) return words;
    wrong(error, "there are more types than conversions, or unknown ones");
    return 0;
}
