// Which options there are, and what becomes of them: most go to the front end as they are.
#include "opencl/build_options.h"

#include <stdlib.h>
#include <string.h>

enum kind {
    FRONT,    // the front end knows it
    VALUE,    // so too; its value may be the next word
    NOTHING,  // nothing is to be done: it is so anyway, or a promise that is not needed
    LIBRARY,
    LINK_OPTIONS,
};

static const struct {
    const char *word;
    bool begins;  // the word is what the option begins with
    enum kind kind;
    unsigned steps;
} known[] = {
    {"-D", true, VALUE, BUILD_COMPILES},
    {"-U", true, VALUE, BUILD_COMPILES},
    {"-I", true, VALUE, BUILD_COMPILES},
    {"-isystem", false, VALUE, BUILD_COMPILES},
    {"-include", false, VALUE, BUILD_COMPILES},
    {"-cl-std=", true, FRONT, BUILD_COMPILES},
    {"-cl-single-precision-constant", false, FRONT, BUILD_COMPILES},
    {"-cl-fp32-correctly-rounded-divide-sqrt", false, NOTHING, BUILD_COMPILES},
    {"-cl-opt-disable", false, FRONT, BUILD_COMPILES},
    {"-cl-strict-aliasing", false, FRONT, BUILD_COMPILES},
    {"-cl-uniform-work-group-size", false, FRONT, BUILD_COMPILES},
    {"-cl-no-subgroup-ifp", false, NOTHING, BUILD_COMPILES | BUILD_LINKS},
    {"-cl-denorms-are-zero", false, FRONT, BUILD_COMPILES | BUILD_LINKS},
    {"-cl-mad-enable", false, FRONT, BUILD_COMPILES | BUILD_LINKS},
    {"-cl-no-signed-zeros", false, FRONT, BUILD_COMPILES | BUILD_LINKS},
    {"-cl-unsafe-math-optimizations", false, FRONT, BUILD_COMPILES | BUILD_LINKS},
    {"-cl-finite-math-only", false, FRONT, BUILD_COMPILES | BUILD_LINKS},
    {"-cl-fast-relaxed-math", false, FRONT, BUILD_COMPILES | BUILD_LINKS},
    {"-cl-kernel-arg-info", false, NOTHING, BUILD_COMPILES},
    {"-create-library", false, LIBRARY, BUILD_LINKS},
    {"-enable-link-options", false, LINK_OPTIONS, BUILD_LINKS},
    {"-g", true, FRONT, BUILD_COMPILES},
    {"-w", false, FRONT, BUILD_COMPILES},
    {"-W", true, FRONT, BUILD_COMPILES},
    {"-O", true, FRONT, BUILD_COMPILES},
    {"-f", true, FRONT, BUILD_COMPILES},
};

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

// The next word, taken out of its quotes in place; NULL: there is none. *at goes behind it.
static char *next_word(char **at) {
    char *from = *at;
    while (is_space(*from))
        from++;
    if (*from == '\0') return NULL;
    char *word = from, *to = from, quote = '\0';
    for (; *from != '\0' && (quote != '\0' || !is_space(*from)); from++) {
        if (quote == '\0' && (*from == '"' || *from == '\'')) {
            quote = *from;
        } else if (*from == quote && quote != '\0') {
            quote = '\0';
        } else {
            if (*from == '\\' && (from[1] == '"' || from[1] == '\\' || from[1] == ' ')) from++;
            *to++ = *from;
        }
    }
    *at = *from != '\0' ? from + 1 : from;
    *to = '\0';
    return word;
}

bool build_options_add(struct build_options *to, const char *word) {
    if (to->count == BUILD_OPTIONS_MAX) return false;
    to->front[to->count++] = word;
    to->front[to->count] = NULL;
    return true;
}

static bool take(struct build_options *to, char *word, char **at, unsigned steps) {
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const size_t length = strlen(known[k].word);
        const bool fits =
            known[k].begins ? strncmp(word, known[k].word, length) == 0 : strcmp(word, known[k].word) == 0;
        if (!fits || (known[k].steps & steps) == 0) continue;
        to->create_library |= known[k].kind == LIBRARY;
        to->enable_link_options |= known[k].kind == LINK_OPTIONS;
        if (known[k].kind != FRONT && known[k].kind != VALUE) return true;
        if (!build_options_add(to, word)) return false;
        if (known[k].kind == FRONT) return true;
        to->reads_files |= word[1] == 'I' || word[1] == 'i';
        if (word[length] != '\0') return true;
        const char *value = next_word(at);
        return value != NULL && build_options_add(to, value);
    }
    return false;
}

bool build_options_read(struct build_options *to, const char *options, unsigned steps) {
    *to = (struct build_options){.count = 0};
    if (options == NULL) return true;
    to->text = malloc(strlen(options) + 1);
    if (to->text == NULL) return false;
    strcpy(to->text, options);
    char *at = to->text, *word;
    bool good = true;
    while (good && (word = next_word(&at)) != NULL)
        good = take(to, word, &at, steps);
    // What makes a library of options that are for linking only, and the other way round, is no use.
    if (to->enable_link_options && !to->create_library) good = false;
    if (!good) build_options_free(to);
    return good;
}

void build_options_free(struct build_options *options) {
    free(options->text);
    *options = (struct build_options){.count = 0};
}
