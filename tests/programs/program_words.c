#include "program_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NESTING_MAX 8u

struct parser {
    const char *at;
    struct program_words *to;
    const char *what;
};

static bool fail(struct parser *parser, const char *what) {
    if (parser->what == NULL) parser->what = what;
    return false;
}

static void skip_blanks(struct parser *parser) {
    while (*parser->at == ' ' || *parser->at == '\t')
        parser->at++;
}

static bool append(struct parser *parser, uint32_t word) {
    struct program_words *to = parser->to;
    if (to->count == PROGRAM_WORDS_MAX) return fail(parser, "more than 1048576 words");
    if ((to->count & (to->count - 1)) == 0) {  // the room is the next power of two
        void *more = realloc(to->words, (to->count == 0 ? 1 : 2 * to->count) * sizeof *to->words);
        if (more == NULL) return fail(parser, "out of memory");
        to->words = more;
    }
    to->words[to->count++] = word;
    return true;
}

static bool number(struct parser *parser, int64_t *value) {
    char *end;
    skip_blanks(parser);
    errno = 0;
    *value = strtoll(parser->at, &end, 0);
    if (end == parser->at) return fail(parser, "expected a number");
    if (errno != 0 || *value < INT32_MIN || *value > UINT32_MAX) return fail(parser, "a number does not fit 32 bits");
    parser->at = end;
    return true;
}

static bool word_is(struct parser *parser, const char *word) {
    const size_t length = strlen(word);
    skip_blanks(parser);
    if (strncmp(parser->at, word, length) != 0) return false;
    parser->at += length;
    return true;
}

static bool repeat(struct parser *parser, size_t from) {
    int64_t times;
    const size_t count = parser->to->count - from;
    if (!word_is(parser, "x")) return true;
    if (!number(parser, &times)) return false;
    if (times < 1) return fail(parser, "x needs a count of 1 or more");
    for (int64_t t = 1; t < times; t++) {
        for (size_t i = 0; i < count; i++) {
            if (!append(parser, parser->to->words[from + i])) return false;
        }
    }
    return true;
}

static bool range(struct parser *parser) {
    int64_t first, last, step;
    if (!number(parser, &first)) return false;
    if (!word_is(parser, "..")) return append(parser, (uint32_t)first);
    if (!number(parser, &last)) return false;
    step = last >= first ? 1 : -1;
    if (word_is(parser, "step") && !number(parser, &step)) return false;
    if (step == 0 || (last >= first) != (step > 0)) return fail(parser, "this step never comes to the range's end");
    for (int64_t value = first; step > 0 ? value <= last : value >= last; value += step) {
        if (!append(parser, (uint32_t)value)) return false;
    }
    return true;
}

static bool list(struct parser *parser, unsigned depth) {
    if (depth == NESTING_MAX) return fail(parser, "brackets nest too deeply");
    for (;;) {
        const size_t from = parser->to->count;
        skip_blanks(parser);
        if (*parser->at == 0 || *parser->at == ')') return true;
        if (word_is(parser, "(")) {
            if (!list(parser, depth + 1)) return false;
            if (!word_is(parser, ")")) return fail(parser, "a bracket is not closed");
        } else if (!range(parser)) {
            return false;
        }
        if (!repeat(parser, from)) return false;
    }
}

bool program_words_parse(const char *text, struct program_words *to, const char **what) {
    struct parser parser = {.at = text, .to = to};
    const size_t before = to->count;
    bool good = list(&parser, 0) && (*parser.at == 0 || fail(&parser, "a bracket too many"));
    if (good && to->count == before) good = fail(&parser, "no words");
    *what = parser.what;
    return good;
}
