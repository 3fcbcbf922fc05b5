// Making a failing program small: leave out runs of lines, half of the program first, then smaller ones, as long as the
// rest still fails in the same way. A rest that does not assemble, or that hangs where the whole one did not, fails in
// another way and is not taken.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random_case.h"

// A cut-down program that loops where the whole one ended need not be watched for long: twice as long as the whole one
// needs to fail, which is found by doubling from here.
#define FIRST_DEADLINE 4096u

struct lines {
    char *copy;  // of the text, cut at the line ends
    char **line;
    bool *kept;
    size_t count;
};

static bool split(const char *text, struct lines *to) {
    size_t count = 1;
    for (const char *at = text; *at != '\0'; at++)
        count += *at == '\n';
    char *copy = malloc(strlen(text) + 1);
    *to = (struct lines){copy, calloc(count, sizeof *to->line), calloc(count, sizeof *to->kept), 0};
    if (copy == NULL || to->line == NULL || to->kept == NULL) {
        free(copy);
        free(to->line);
        free(to->kept);
        return false;
    }
    strcpy(copy, text);
    for (char *at = copy; at != NULL;) {
        char *end = strchr(at, '\n');
        if (end != NULL) *end = '\0';
        to->line[to->count] = at;
        to->kept[to->count++] = true;
        at = end != NULL ? end + 1 : NULL;
    }
    return true;
}

static char *join(const struct lines *lines) {
    size_t size = 1;
    for (size_t i = 0; i < lines->count; i++)
        size += lines->kept[i] ? strlen(lines->line[i]) + 1 : 0;
    char *text = malloc(size);
    char *to = text;
    for (size_t i = 0; text != NULL && i < lines->count; i++) {
        if (!lines->kept[i]) continue;
        const size_t length = strlen(lines->line[i]);
        memcpy(to, lines->line[i], length);
        to[length] = '\n';
        to += length + 1;
    }
    if (text != NULL) *to = '\0';
    return text;
}

static bool is_instruction(const char *line) {
    line += strspn(line, " \t");
    return *line != '\0' && *line != '.' && *line != '#' && *line != ';' && strncmp(line, "//", 2) != 0 &&
           line[strlen(line) - 1] != ':';
}

unsigned random_case_instructions(const char *text) {
    struct lines lines;
    unsigned count = 0;
    if (!split(text, &lines)) return 0;
    for (size_t i = 0; i < lines.count; i++)
        count += is_instruction(lines.line[i]);
    free(lines.copy);
    free(lines.line);
    free(lines.kept);
    return count;
}

static bool still_fails(const struct random_case *c, const struct lines *lines, enum random_verdict verdict) {
    char error[1024];
    char *text = join(lines);
    if (text == NULL) return false;
    struct random_case smaller = *c;
    smaller.text = text;
    const bool fails = random_case_run(&smaller, NULL, error, sizeof error) == verdict;
    free(text);
    return fails;
}

// Leaves out runs of `length` lines of the wanted sort. Returns whether anything went.
static bool pass(const struct random_case *c, struct lines *lines, enum random_verdict verdict, size_t length,
                 bool labels, unsigned *tries) {
    bool any = false;
    size_t *chosen = malloc(length * sizeof *chosen);
    if (chosen == NULL) return false;
    for (size_t at = 0; at<lines->count && * tries> 0;) {
        size_t taken = 0, next = at;
        while (next < lines->count && taken < length) {
            const char *line = lines->line[next];
            const bool label = line[0] != '\0' && line[strlen(line) - 1] == ':';
            if (lines->kept[next] && (is_instruction(line) || (labels && label))) chosen[taken++] = next;
            next++;
        }
        if (taken == 0) break;
        for (size_t i = 0; i < taken; i++)
            lines->kept[chosen[i]] = false;
        --*tries;
        if (still_fails(c, lines, verdict)) {
            any = true;
        } else {
            for (size_t i = 0; i < taken; i++)
                lines->kept[chosen[i]] = true;
        }
        at = next;
    }
    free(chosen);
    return any;
}

// Each failing run tells of itself on stderr and writes a report; of the hundreds made here nobody wants to read.
struct silence {
    int stderr_before;
    char reports_before[512];  // empty: it was not set
    char folder[64];
};

static void silence(struct silence *s) {
    fflush(stderr);
    s->stderr_before = dup(STDERR_FILENO);
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0) {
        (void)dup2(null, STDERR_FILENO);
        close(null);
    }
    const char *reports = getenv("TANDEM_REPORTS");
    snprintf(s->reports_before, sizeof s->reports_before, "%s", reports != NULL ? reports : "");
    strcpy(s->folder, "/tmp/tandem-shrink-XXXXXX");
    if (mkdtemp(s->folder) == NULL) s->folder[0] = '\0';
    if (s->folder[0] != '\0') (void)setenv("TANDEM_REPORTS", s->folder, 1);
}

static void remove_folder(const char *folder) {
    DIR *dir = opendir(folder);
    char path[512];
    if (dir == NULL) return;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        (void)unlink(path);
    }
    closedir(dir);
    (void)rmdir(folder);
}

static void speak(struct silence *s) {
    fflush(stderr);
    if (s->stderr_before >= 0) {
        (void)dup2(s->stderr_before, STDERR_FILENO);
        close(s->stderr_before);
    }
    if (s->folder[0] != '\0') {
        remove_folder(s->folder);
        if (s->reports_before[0] != '\0') {
            (void)setenv("TANDEM_REPORTS", s->reports_before, 1);
        } else {
            (void)unsetenv("TANDEM_REPORTS");
        }
    }
}

char *random_case_shrink(const struct random_case *c, enum random_verdict verdict, unsigned tries) {
    struct lines lines;
    if (!split(c->text, &lines)) return NULL;
    struct silence quiet;
    silence(&quiet);
    struct random_case watched = *c;
    if (verdict != RANDOM_HANGS) {
        watched.deadline = FIRST_DEADLINE;
        while (watched.deadline < c->deadline && !still_fails(&watched, &lines, verdict))
            watched.deadline *= 2;
        watched.deadline = watched.deadline * 2 < c->deadline ? watched.deadline * 2 : c->deadline;
    }
    size_t length = lines.count / 2;
    while (length > 0 && tries > 0) {
        const bool any = pass(&watched, &lines, verdict, length, false, &tries);
        if (length == 1 && !any) break;
        length = length > 1 ? length / 2 : 1;
    }
    (void)pass(&watched, &lines, verdict, 1, true, &tries);
    speak(&quiet);
    char *text = join(&lines);
    free(lines.copy);
    free(lines.line);
    free(lines.kept);
    return text;
}
