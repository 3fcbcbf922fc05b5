#include "dap_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "debug.h"

#define MESSAGE_MAX (1u << 20)
#define HEADER_MAX 256u
#define WAKE_NANOSECONDS 200000000  // a signal does not wake who waits for a message

struct message {
    struct json *value;
    struct message *next;
};

struct dap_stream {
    FILE *to;
    pthread_t reader;
    pthread_mutex_t lock;  // of all that follows, up to seen
    pthread_cond_t came;
    struct message *first, **last;
    struct debugger *debugger;
    bool ended;
    char why[128];
    int real[2], printed[2];  // standard output and error, and the files that stand in for them
    off_t seen[2];
    int64_t sent;
    pthread_mutex_t writing;
};

// ---- reading, in a thread of its own
static bool read_all(char *to, size_t size) {
    while (size != 0) {
        int state;
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);  // here, and nowhere with a lock
        const ssize_t got = read(STDIN_FILENO, to, size);
        pthread_setcancelstate(state, NULL);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        to += got;
        size -= (size_t)got;
    }
    return true;
}

// The size of the message that follows; 0: there is none, why says what is wrong unless the stream has just ended.
static size_t read_header(char *why, size_t why_size) {
    size_t size = 0;
    for (bool first = true;; first = false) {
        char line[HEADER_MAX];
        size_t used = 0;
        why[0] = '\0';
        while (used + 1 < sizeof line) {
            if (!read_all(&line[used], 1)) {
                if (!first || used != 0) (void)snprintf(why, why_size, "the stream ends inside a message");
                return 0;
            }
            if (line[used++] == '\n') break;
        }
        line[used] = '\0';
        if (line[used - 1] != '\n') {
            (void)snprintf(why, why_size, "a line of a message's header has more than %u bytes", HEADER_MAX);
            return 0;
        }
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0') break;
        uint64_t number;
        if (strncmp(line, "Content-Length:", 15) != 0) continue;
        if (!parse_number(line + 15 + strspn(line + 15, " "), &number) || number == 0 || number > MESSAGE_MAX) {
            (void)snprintf(why, why_size, "Content-Length is not a number from 1 to %u", MESSAGE_MAX);
            return 0;
        }
        size = (size_t)number;
    }
    if (size == 0) (void)snprintf(why, why_size, "a message without Content-Length");
    return size;
}

static void put(struct dap_stream *stream, struct json *value) {
    struct message *message = malloc(sizeof *message);
    pthread_mutex_lock(&stream->lock);
    if (message != NULL) {
        *message = (struct message){.value = value};
        *stream->last = message;
        stream->last = &message->next;
    } else {
        json_free(value);
    }
    if (stream->debugger != NULL) debugger_interrupt(stream->debugger);
    pthread_cond_signal(&stream->came);
    pthread_mutex_unlock(&stream->lock);
}

static void *read_messages(void *context) {
    struct dap_stream *stream = context;
    char *text = malloc(MESSAGE_MAX), why[128] = "the host has no memory";
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cleanup_push(free, text);
    size_t size;
    while (text != NULL && (size = read_header(why, sizeof why)) != 0) {
        char wrong[256];
        if (!read_all(text, size)) {
            (void)snprintf(why, sizeof why, "the stream ends inside a message");
            break;
        }
        struct json *value = json_parse(text, size, wrong, sizeof wrong);
        if (value != NULL) {
            put(stream, value);
        } else {
            dap_send(stream, dap_response(stream, NULL, wrong));
        }
    }
    pthread_mutex_lock(&stream->lock);
    stream->ended = true;
    (void)snprintf(stream->why, sizeof stream->why, "%s", why);
    if (stream->debugger != NULL) debugger_interrupt(stream->debugger);
    pthread_cond_signal(&stream->came);
    pthread_mutex_unlock(&stream->lock);
    pthread_cleanup_pop(1);
    return NULL;
}

struct json *dap_take(struct dap_stream *stream, bool wait, char *why, size_t why_size) {
    struct json *value = NULL;
    pthread_mutex_lock(&stream->lock);
    while (wait && stream->first == NULL && !stream->ended && !debug_terminated()) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WAKE_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_cond_timedwait(&stream->came, &stream->lock, &until);
    }
    struct message *message = stream->first;
    if (message != NULL) {
        value = message->value;
        stream->first = message->next;
        if (stream->first == NULL) stream->last = &stream->first;
    }
    (void)snprintf(why, why_size, "%s", stream->why);
    pthread_mutex_unlock(&stream->lock);
    free(message);
    return value;
}

bool dap_ended(struct dap_stream *stream) {
    pthread_mutex_lock(&stream->lock);
    const bool ended = (stream->ended && stream->first == NULL) || debug_terminated();
    pthread_mutex_unlock(&stream->lock);
    return ended;
}

void dap_interrupts(struct dap_stream *stream, struct debugger *debugger) {
    pthread_mutex_lock(&stream->lock);
    stream->debugger = debugger;
    if (debugger != NULL && (stream->first != NULL || stream->ended)) debugger_interrupt(debugger);
    pthread_mutex_unlock(&stream->lock);
}

// ---- writing
static struct json_writer *begin(struct dap_stream *stream, const char *type) {
    struct json_writer *message = json_writer_create();
    pthread_mutex_lock(&stream->writing);
    json_open(message, NULL, false);
    json_add_number(message, "seq", ++stream->sent);
    json_add_text(message, "type", type);
    return message;
}

struct json_writer *dap_event(struct dap_stream *stream, const char *event) {
    struct json_writer *message = begin(stream, "event");
    json_add_text(message, "event", event);
    json_open(message, "body", false);
    return message;
}

struct json_writer *dap_response(struct dap_stream *stream, const struct json *request, const char *why) {
    struct json_writer *message = begin(stream, "response");
    char *command = json_text(json_member(request, "command"));
    json_add_number(message, "request_seq", json_number(json_member(request, "seq"), 0));
    json_add_text(message, "command", command != NULL ? command : "");
    free(command);
    json_add_truth(message, "success", why == NULL);
    if (why != NULL) json_add_text(message, "message", why);
    json_open(message, "body", false);
    return message;
}

void dap_send(struct dap_stream *stream, struct json_writer *message) {
    size_t size;
    json_close(message, false);
    json_close(message, false);
    const char *text = json_written(message, &size);
    fprintf(stream->to, "Content-Length: %zu\r\n\r\n%s", size, text);
    fflush(stream->to);
    json_writer_destroy(message);
    pthread_mutex_unlock(&stream->writing);
}

// ---- what is printed
char *dap_printed(struct dap_stream *stream, bool errors) {
    struct stat status;
    fflush(errors ? stderr : stdout);
    if (fstat(stream->printed[errors], &status) != 0 || status.st_size <= stream->seen[errors]) return NULL;
    const size_t size = (size_t)(status.st_size - stream->seen[errors]);
    char *text = malloc(size + 1);
    if (text == NULL) return NULL;
    const ssize_t got = pread(stream->printed[errors], text, size, stream->seen[errors]);
    text[got > 0 ? got : 0] = '\0';
    stream->seen[errors] += got > 0 ? got : 0;
    return text;
}

static bool take_output(struct dap_stream *stream) {
    for (int k = 0; k < 2; k++) {
        const int fd = k == 0 ? STDOUT_FILENO : STDERR_FILENO;
        FILE *file = tmpfile();
        fflush(k == 0 ? stdout : stderr);
        stream->real[k] = dup(fd);
        if (file == NULL || stream->real[k] < 0) {
            if (file != NULL) fclose(file);
            return false;
        }
        stream->printed[k] = dup(fileno(file));
        fclose(file);
        if (stream->printed[k] < 0 || fcntl(stream->printed[k], F_SETFL, O_APPEND) < 0 ||
            dup2(stream->printed[k], fd) < 0)
            return false;
    }
    stream->to = fdopen(dup(stream->real[0]), "w");
    return stream->to != NULL;
}

struct dap_stream *dap_stream_open(void) {
    struct dap_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        complain("debug", "the host has no memory");
        return NULL;
    }
    stream->last = &stream->first;
    pthread_mutex_init(&stream->lock, NULL);
    pthread_mutex_init(&stream->writing, NULL);
    pthread_cond_init(&stream->came, NULL);
    if (take_output(stream) && pthread_create(&stream->reader, NULL, read_messages, stream) == 0) return stream;
    complain("debug", "--dap: %s", strerror(errno));
    free(stream);
    return NULL;
}

void dap_stream_close(struct dap_stream *stream) {
    pthread_cancel(stream->reader);
    pthread_join(stream->reader, NULL);
    for (int k = 0; k < 2; k++) {
        fflush(k == 0 ? stdout : stderr);
        (void)dup2(stream->real[k], k == 0 ? STDOUT_FILENO : STDERR_FILENO);
        close(stream->real[k]);
        close(stream->printed[k]);
    }
    fclose(stream->to);
    while (stream->first != NULL) {
        struct message *message = stream->first;
        stream->first = message->next;
        json_free(message->value);
        free(message);
    }
    pthread_mutex_destroy(&stream->lock);
    pthread_mutex_destroy(&stream->writing);
    pthread_cond_destroy(&stream->came);
    free(stream);
}
