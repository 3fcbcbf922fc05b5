// The call: starts the child that compiles, collects its frames, and turns whatever happens to it into a result.
#include "compiler/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/again_section.h"
#include "compiler/base/compilation.h"
#include "compiler/base/shortage.h"
#include "compiler/base/watch.h"
#include "compiler/child.h"
#include "compiler/front/bitcode.h"

enum { DEFAULT_TIME_LIMIT = 60, SOURCE_MAX = 64 << 20 };

struct incoming {
    unsigned char *data;
    size_t size, capacity;
};

static void set_message(struct compiler_result *result, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void set_message(struct compiler_result *result, const char *name, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const char *before = result->messages != NULL ? result->messages : "";
    size_t size = strlen(before) + strlen(name) + strlen(line) + 16;
    char *text = malloc(size);
    if (text == NULL) return;
    snprintf(text, size, "%s%s: error: %s\n", before, name, line);
    free(result->messages);
    result->messages = text;
}

static bool receive(struct incoming *to, int from, bool *ended) {
    if (to->capacity - to->size < 65536) {
        size_t wanted = to->capacity == 0 ? 262144 : to->capacity * 2;
        unsigned char *moved = realloc(to->data, wanted);
        if (moved == NULL) return false;
        to->data = moved;
        to->capacity = wanted;
    }
    ssize_t got = read(from, to->data + to->size, to->capacity - to->size);
    if (got < 0) return errno == EINTR;
    *ended = got == 0;
    to->size += (size_t)got;
    return true;
}

// All that the child says until it ends. False: errno says why, the child still lives.
static bool collect(struct incoming *to, int from) {
    for (bool ended = false; !ended;)
        if (!receive(to, from, &ended)) return false;
    return true;
}

// Waits for the child, and ends what it has left behind in its process group.
static int wait_for(pid_t child) {
    siginfo_t ended;
    int status = 0;
    while (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        continue;
    kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

static char *copy_text(const unsigned char *data, size_t size) {
    char *text = malloc(size + 1);
    if (text == NULL) return NULL;
    memcpy(text, data, size);
    text[size] = 0;
    return text;
}

// Takes the frames apart. True when the last one says that the child came to its end.
static bool take_frames(const struct incoming *from, struct compiler_result *result) {
    for (size_t at = 0; from->size - at >= 5;) {
        const unsigned char *head = from->data + at;
        size_t size = (size_t)head[1] | (size_t)head[2] << 8 | (size_t)head[3] << 16 | (size_t)head[4] << 24;
        at += 5;
        if (size > from->size - at) return false;
        const unsigned char *data = from->data + at;
        at += size;
        char **text = NULL;
        switch (head[0]) {
            case FRAME_END: return true;
            case FRAME_MESSAGES: text = &result->messages; break;
            case FRAME_REPORT: text = &result->report; break;
            case FRAME_IR: text = &result->ir; break;
            case FRAME_MACHINE: text = &result->machine; break;
            case FRAME_LOOPS: text = &result->loops; break;
            case FRAME_SEGMENTS: text = &result->segments; break;
            case FRAME_CALLS: text = &result->calls; break;
            case FRAME_ELF:
                free(result->elf);
                result->elf = copy_text(data, size);
                result->elf_size = size;
                break;
            default: return false;
        }
        if (text != NULL) {
            free(*text);
            *text = copy_text(data, size);
        }
    }
    return false;
}

// Signals by which a process ends that has gone wrong by itself.
static const int defects[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
enum { DEFECTS = sizeof defects / sizeof *defects };

static unsigned time_limit(const struct compiler_options *options) {
    return options->time_limit == 0 ? DEFAULT_TIME_LIMIT : options->time_limit;
}

static bool ended_with(int status, int code) {
    return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

static _Noreturn void run_child(const char *source, size_t size, const char *name,
                                const struct compiler_options *options, int to) {
    setpgid(0, 0);
    // The caller's handlers, and those of sanitizers, would hide from the parent how the child ends.
    for (unsigned k = 0; k < DEFECTS; k++)
        (void)signal(defects[k], SIG_DFL);
    watch_begin(time_limit(options));
    shortage_begin();
    struct compilation compilation = {
        .options = options, .name = name, .source = source, .source_size = size, .to_parent = to};
    compilation_run(&compilation);
    compilation_end(&compilation);
}

// How one child came to its end. STOOD_STILL (see watch.h): *result is as it was.
enum ending { GOOD, BAD, STOOD_STILL };

// One child from its start to its end.
static enum ending attempt(const char *source, size_t size, const char *name, const struct compiler_options *options,
                           struct compiler_result *result) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        set_message(result, name, "cannot start the compiler: %s", strerror(errno));
        return BAD;
    }
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(source, size, name, options, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        set_message(result, name, "cannot start the compiler: %s", strerror(errno));
        close(ends[0]);
        return BAD;
    }
    setpgid(child, child);  // both sides do it, so that it is done before either goes on
    struct incoming incoming = {0};
    const bool collected = collect(&incoming, ends[0]);
    const int reason = errno;
    close(ends[0]);
    if (!collected) kill(-child, SIGKILL);
    const int status = wait_for(child);
    const bool stuck = collected && ended_with(status, WATCH_STUCK);
    if (stuck) {
        free(incoming.data);
        return STOOD_STILL;
    }
    bool ended = take_frames(&incoming, result);
    free(incoming.data);
    if (!collected) {
        set_message(result, name, "cannot read what the compiler says: %s", strerror(reason));
    } else if (ended_with(status, SHORTAGE)) {
        set_message(result, name, "out of memory while compiling");
    } else if (ended_with(status, WATCH_LATE)) {
        set_message(result, name, "the compilation took longer than %u s of processor time and was stopped",
                    time_limit(options));
    } else if (ended_with(status, WATCH_STILL)) {
        set_message(result, name, "the front end stood still for %u s and was stopped", time_limit(options));
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
        set_message(result, name, "the compiler was killed from outside, perhaps for want of memory");
    } else if (WIFSIGNALED(status) && bitcode_given(source, size)) {
        set_message(result, name, "the bitcode is damaged: LLVM's process died of signal %d (%s) over it",
                    WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (WIFSIGNALED(status)) {
        set_message(result, name, "the compiler died of signal %d (%s); this is a defect of the compiler",
                    WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (!ended) {
        set_message(result, name, "the compiler ended with status %d without a result", WEXITSTATUS(status));
    }
    const bool good = collected && ended && ended_with(status, EXIT_SUCCESS) && result->elf != NULL;
    return good ? GOOD : BAD;
}

bool compiler_compile(const char *source, size_t size, const char *name, const struct compiler_options *options,
                      struct compiler_result *result) {
    static const struct compiler_options defaults = {0};
    if (options == NULL) options = &defaults;
    memset(result, 0, sizeof *result);
    enum ending ending = STOOD_STILL;
    for (unsigned tries = 0; ending == STOOD_STILL && tries < WATCH_ATTEMPTS; tries++)
        ending = attempt(source, size, name, options, result);
    if (ending == STOOD_STILL)
        set_message(result, name, "the compiler's process stood still, %d times", WATCH_ATTEMPTS);
    if (ending != GOOD) {
        free(result->elf);
        result->elf = NULL;
        result->elf_size = 0;
    }
    if (result->messages == NULL) result->messages = calloc(1, 1);
    return ending == GOOD;
}

bool compiler_compile_file(const char *path, const struct compiler_options *options, struct compiler_result *result) {
    memset(result, 0, sizeof *result);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        set_message(result, path, "cannot open the source: %s", strerror(errno));
        return false;
    }
    char *source = NULL;
    size_t size = 0, capacity = 0;
    bool good = true;
    for (;;) {
        if (capacity - size < 4096) {
            capacity = capacity == 0 ? 65536 : capacity * 2;
            char *moved = realloc(source, capacity);
            if (moved == NULL) {
                set_message(result, path, "out of memory");
                good = false;
                break;
            }
            source = moved;
        }
        size_t got = fread(source + size, 1, capacity - size, file);
        size += got;
        if (got == 0) break;
        if (size > SOURCE_MAX) {
            set_message(result, path, "the source is longer than %d MiB", SOURCE_MAX >> 20);
            good = false;
            break;
        }
    }
    if (good && ferror(file)) {
        set_message(result, path, "cannot read the source: %s", strerror(errno));
        good = false;
    }
    fclose(file);
    if (good) good = compiler_compile(source, size, path, options, result);
    free(source);
    return good;
}

bool compiler_compile_again(void *context, const void *program, size_t size, const struct alias_metadata *metadata,
                            struct alias_compiled *to) {
    (void)context;
    struct again_section section;
    struct compiler_result result;
    *to = (struct alias_compiled){.elf = NULL};
    if (!again_section_read(program, size, &section) || !bitcode_given(section.bitcode, section.bitcode_size)) {
        free(section.name);
        to->text = strdup("the section .tandem.again is damaged, or of another version of the compiler\n");
        return false;
    }
    section.options.metadata = metadata;
    section.options.once = true;
    const uint32_t most = metadata != NULL && metadata->turns != NULL ? metadata->turns->registers : 0;
    if (most != 0 && (section.options.register_limit == 0 || section.options.register_limit > most))
        section.options.register_limit = most;
    const bool good = compiler_compile(section.bitcode, section.bitcode_size, section.name, &section.options, &result);
    free(section.name);
    *to = (struct alias_compiled){result.elf, result.elf_size, good ? result.report : result.messages};
    result.elf = NULL;
    if (good) {
        result.report = NULL;
    } else {
        result.messages = NULL;
    }
    compiler_result_free(&result);
    return good;
}

void compiler_result_free(struct compiler_result *result) {
    free(result->elf);
    free(result->messages);
    free(result->ir);
    free(result->report);
    free(result->machine);
    free(result->loops);
    free(result->segments);
    free(result->calls);
    memset(result, 0, sizeof *result);
}
