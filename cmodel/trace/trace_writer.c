#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "trace/trace_binary.h"
#include "trace/trace_file.h"

#define TEXT_BYTES_MAX 256u  // of memory in a line

struct trace_writer {
    FILE *file;
    bool binary, failed;
    uint32_t crc;
    uint64_t events;
};

static void put(struct trace_writer *self, const void *bytes, size_t size) {
    self->crc = checksum(self->crc, bytes, size);
    if (fwrite(bytes, 1, size, self->file) != size) self->failed = true;
}

static void write_head(struct trace_writer *self, const struct trace_head *head) {
    if (!self->binary) {
        if (fprintf(self->file,
                    "# tandem trace %u: config=%s memory=%" PRIu64 " seed=%" PRIu64 " latency=%u fetches=%u "
                    "events=%08x\n",
                    TRACE_FILE_VERSION, head->config, head->memory, head->seed, head->latency, head->no_fetches ? 0 : 1,
                    TRACE_FINGERPRINT) < 0)
            self->failed = true;
        return;
    }
    uint8_t bytes[BINARY_HEAD] = BINARY_MAGIC;
    put_u32(bytes + BINARY_VERSION_AT, TRACE_FILE_VERSION);
    put_u32(bytes + BINARY_TABLE_AT, TRACE_FINGERPRINT);
    put_u32(bytes + BINARY_FLAGS_AT, head->no_fetches ? BINARY_NO_FETCHES : 0);
    put_u32(bytes + BINARY_LATENCY_AT, head->latency);
    put_u64(bytes + BINARY_MEMORY_AT, head->memory);
    put_u64(bytes + BINARY_SEED_AT, head->seed);
    memcpy(bytes + BINARY_CONFIG_AT, head->config, sizeof head->config);
    put_u32(bytes + BINARY_CRC_AT, checksum(0, bytes, BINARY_CRC_AT));
    put(self, bytes, sizeof bytes);
}

struct trace_writer *trace_writer_open(const char *path, const struct trace_head *head, char *why, size_t why_size) {
    struct trace_writer *self = calloc(1, sizeof *self);
    const size_t length = strlen(path), suffix = strlen(TRACE_BINARY_SUFFIX);
    if (self != NULL) self->file = fopen(path, "wb");
    if (self == NULL || self->file == NULL) {
        (void)snprintf(why, why_size, "%s", self == NULL ? "out of memory" : strerror(errno));
        free(self);
        return NULL;
    }
    self->binary = length >= suffix && strcmp(path + length - suffix, TRACE_BINARY_SUFFIX) == 0;
    write_head(self, head);
    return self;
}

void trace_writer_event(struct trace_writer *self, const struct trace_event *event) {
    self->events++;
    if (!self->binary) {
        char line[2048];
        (void)trace_event_print(event, line, sizeof line);
        if (fprintf(self->file, "%s\n", line) < 0) self->failed = true;
        return;
    }
    uint32_t words[TRACE_WORDS_MAX];
    uint8_t bytes[12 + 4 * TRACE_WORDS_MAX];
    const unsigned count = trace_event_words(event->kind);
    trace_event_pack(event, words);
    bytes[0] = BINARY_EVENT;
    bytes[1] = (uint8_t)event->kind;
    bytes[2] = (uint8_t)event->sm;
    bytes[3] = 0;
    put_u64(bytes + 4, event->cycle);
    for (unsigned i = 0; i < count; i++)
        put_u32(bytes + 12 + 4 * i, words[i]);
    put(self, bytes, 12 + 4 * count);
}

static void write_piece(struct trace_writer *self, bool write, uint64_t address, const uint8_t *bytes, size_t size) {
    if (self->binary) {
        uint8_t head[16] = {write ? BINARY_WRITE : BINARY_READ};
        put_u32(head + 4, (uint32_t)size);
        put_u64(head + 8, address);
        put(self, head, sizeof head);
        put(self, bytes, size);
        return;
    }
    char text[2 * TEXT_BYTES_MAX + 1];
    for (size_t i = 0; i < size; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    if (fprintf(self->file, "memory %s 0x%" PRIx64 " %s\n", write ? "write" : "read", address, text) < 0)
        self->failed = true;
}

void trace_writer_memory(struct trace_writer *self, bool write, uint64_t address, const void *bytes, size_t size) {
    const size_t most = self->binary ? BINARY_BYTES_MAX : TEXT_BYTES_MAX;
    const uint8_t *at = bytes;
    for (size_t piece; size != 0; size -= piece, at += piece, address += piece) {
        piece = size < most ? size : most;
        write_piece(self, write, address, at, piece);
    }
}

bool trace_writer_failed(const struct trace_writer *self) {
    return self->failed;
}

bool trace_writer_close(struct trace_writer *self, uint64_t cycle) {
    if (self == NULL) return true;
    if (self->binary) {
        uint8_t bytes[24] = {BINARY_END};
        put_u64(bytes + 4, cycle);
        put_u64(bytes + 12, self->events);
        put(self, bytes, 20);
        put_u32(bytes, self->crc);
        put(self, bytes, 4);
    } else if (fprintf(self->file, "# end: cycle=%" PRIu64 " events=%" PRIu64 "\n", cycle, self->events) < 0) {
        self->failed = true;
    }
    const bool good = !self->failed && ferror(self->file) == 0;
    const bool closed = fclose(self->file) == 0;
    free(self);
    return good && closed;
}
