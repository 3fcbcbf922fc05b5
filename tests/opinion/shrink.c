#include "shrink.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 4096u

struct shrink {
    const struct question *question;
    enum verdict verdict;
    uint64_t tries;
    char *line[LINES_MAX];
    bool kept[LINES_MAX];
    size_t count;
};

static bool still_fails(struct shrink *s) {
    struct answer answer;
    size_t size = 1;
    for (size_t i = 0; i < s->count; i++)
        size += s->kept[i] ? strlen(s->line[i]) + 1 : 0;
    char *text = calloc(1, size), *to = text;
    if (text == NULL || s->tries == 0) {
        free(text);
        return false;
    }
    s->tries--;
    for (size_t i = 0; i < s->count; i++) {
        if (s->kept[i]) to += sprintf(to, "%s\n", s->line[i]);
    }
    struct question smaller = *s->question;
    smaller.text = text;
    smaller.elf = NULL;
    compare(&smaller, &answer, NULL);
    free(text);
    return answer.verdict == s->verdict;
}

// The line that closes the block that line `head` opens; head itself when it opens none.
static size_t end_of(const struct shrink *s, size_t head) {
    int depth = 0;
    for (size_t i = head; i < s->count; i++) {
        if (!s->kept[i]) continue;
        for (const char *at = s->line[i]; *at != '\0'; at++)
            depth += (*at == '{') - (*at == '}');
        if (depth <= 0) return i;
    }
    return head;
}

static bool try_without(struct shrink *s, size_t first, size_t last, bool inside) {
    bool before[LINES_MAX];
    memcpy(before, s->kept, sizeof before);
    for (size_t i = first; i <= last; i++) {
        if (inside || i == first || i == last) s->kept[i] = false;
    }
    if (still_fails(s)) return true;
    memcpy(s->kept, before, sizeof before);
    return false;
}

char *shrink(const struct question *question, enum verdict verdict, uint64_t tries) {
    struct shrink *s = calloc(1, sizeof *s);
    char *copy = strdup(question->text);
    if (s == NULL || copy == NULL) {
        free(s);
        free(copy);
        return NULL;
    }
    s->question = question;
    s->verdict = verdict;
    s->tries = tries;
    for (char *at = copy; at != NULL && *at != '\0' && s->count < LINES_MAX;) {
        char *end = strchr(at, '\n');
        if (end != NULL) *end = '\0';
        s->line[s->count] = at;
        s->kept[s->count++] = true;
        at = end != NULL ? end + 1 : NULL;
    }
    for (bool any = true; any && s->tries > 0;) {
        any = false;
        for (size_t i = s->count; i-- > 0 && s->tries > 0;) {
            if (!s->kept[i] || strstr(s->line[i], "__kernel") != NULL) continue;
            const size_t end = end_of(s, i);
            if (try_without(s, i, end, true) || (end > i && try_without(s, i, end, false))) any = true;
        }
    }
    char *small = calloc(1, strlen(question->text) + 1), *to = small;
    for (size_t i = 0; small != NULL && i < s->count; i++) {
        if (s->kept[i]) to += sprintf(to, "%s\n", s->line[i]);
    }
    free(copy);
    free(s);
    return small;
}
