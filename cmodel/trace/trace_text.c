// An event from its line: `cycle N [sm S] KIND field=0x.. field=[lane:0x.. ..] ..`, all fields in the table's order.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace_file.h"

struct text {
    const char *at;
    char *why;
    size_t why_size;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text->why, text->why_size, format, arguments);
    va_end(arguments);
    return false;
}

static void skip_spaces(struct text *text) {
    while (*text->at == ' ')
        text->at++;
}

static bool take(struct text *text, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(text->at, word, length) != 0) return false;
    text->at += length;
    return true;
}

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool decimal(struct text *text, uint64_t most, uint64_t *value) {
    const char *start = text->at;
    *value = 0;
    for (; *text->at >= '0' && *text->at <= '9'; text->at++) {
        const uint64_t next = (uint64_t)(*text->at - '0');
        if (*value > (most - next) / 10) return false;
        *value = 10 * *value + next;
    }
    return text->at != start;
}

// 0x and digits, of at most width bits, to words, lowest first.
static bool hexadecimal(struct text *text, unsigned width, uint32_t *words) {
    if (!take(text, "0x")) return false;
    const char *start = text->at;
    while (digit(*text->at) >= 0)
        text->at++;
    const size_t digits = (size_t)(text->at - start);
    if (digits == 0) return false;
    memset(words, 0, (width + 31) / 32 * sizeof *words);
    for (size_t i = 0; i < digits; i++) {
        const uint32_t value = (uint32_t)digit(text->at[-1 - (ptrdiff_t)i]);
        const size_t bit = 4 * i;
        if (value == 0) continue;
        if (bit >= width || (width - bit < 4 && value >> (width - bit) != 0)) return false;
        words[bit / 32] |= value << bit % 32;
    }
    return true;
}

// [lane:0x.. lane:0x..]: the lanes of the mask, the others are 0.
static bool lanes(struct text *text, uint32_t *words) {
    memset(words, 0, 32 * sizeof *words);
    if (!take(text, "[")) return false;
    while (!take(text, "]")) {
        uint64_t lane;
        skip_spaces(text);
        if (!decimal(text, 31, &lane) || !take(text, ":") || !hexadecimal(text, 32, &words[lane])) return false;
        skip_spaces(text);
    }
    return true;
}

// Up to so many characters of what stands there, without the line's end: for messages.
struct quoted {
    char text[24];
};
static struct quoted quote(const char *from) {
    struct quoted quoted = {""};
    for (size_t i = 0; i < sizeof quoted.text - 1 && from[i] != '\0'; i++)
        quoted.text[i] = (unsigned char)from[i] >= ' ' && from[i] != 0x7F ? from[i] : ' ';
    return quoted;
}

static bool fields(struct text *text, struct trace_event *event) {
    uint32_t words[TRACE_WORDS_MAX];
    for (int i = 0; i < trace_field_count(event->kind); i++) {
        const char *name = trace_field_name(event->kind, i);
        const unsigned width = trace_field_width(event->kind, i);
        uint32_t *to = &words[trace_field_word(event->kind, i)];
        skip_spaces(text);
        if (!take(text, name) || !take(text, "="))
            return refuse(text, "%s: \"%s=\" is expected at \"%s\"", trace_kind_name(event->kind), name,
                          quote(text->at).text);
        if (width == 1024 ? !lanes(text, to) : !hexadecimal(text, width, to))
            return refuse(text, "%s.%s: not a number of %u bits", trace_kind_name(event->kind), name, width);
    }
    (void)trace_event_unpack(event, words);
    return true;
}

bool trace_event_parse(const char *line, struct trace_event *event, char *why, size_t why_size) {
    struct text text = {line, why, why_size};
    uint64_t sm = 0;
    char name[32];
    size_t length = 0;
    memset(event, 0, sizeof *event);
    skip_spaces(&text);
    if (!take(&text, "cycle ") || !decimal(&text, UINT64_MAX, &event->cycle))
        return refuse(&text, "no event: \"%s\" does not begin with \"cycle NUMBER\"", quote(line).text);
    skip_spaces(&text);
    const bool of_sm = take(&text, "sm ");
    if (of_sm && !decimal(&text, UINT32_MAX, &sm)) return refuse(&text, "\"sm\" without a number");
    skip_spaces(&text);
    while (text.at[length] != '\0' && text.at[length] != ' ' && text.at[length] != '\n' && length < sizeof name - 1)
        length++;
    memcpy(name, text.at, length);
    name[length] = '\0';
    text.at += length;
    event->kind = trace_kind_find(name);
    event->sm = (uint32_t)sm;
    if (event->kind == TRACE_KIND_COUNT) return refuse(&text, "there is no event \"%s\"", quote(name).text);
    if (of_sm != trace_kind_per_sm(event->kind))
        return refuse(&text, "%s %s", name, of_sm ? "is no event of an SM" : "is an event of an SM, and none is named");
    if (!fields(&text, event)) return false;
    skip_spaces(&text);
    // A METHOD has its name behind it.
    if (*text.at != '\0' && *text.at != '\n' && *text.at != '\r' && *text.at != '(')
        return refuse(&text, "%s: what is \"%s\"?", name, quote(text.at).text);
    return true;
}
