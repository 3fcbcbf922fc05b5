#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "trace/trace_binary.h"
#include "trace/trace_file.h"

struct trace_reader {
    FILE *file;
    bool binary, headed, ended;
    uint32_t crc;
    uint64_t events, line_number;
    char *line;  // of text; getline() keeps it
    size_t line_size;
    uint8_t *bytes;  // of memory
};

struct reason {
    char *text;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static enum trace_read broken(struct reason why, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(why.text, why.size, format, arguments);
    va_end(arguments);
    return TRACE_READ_BROKEN;
}

static bool same_table(uint32_t version, uint32_t table, struct reason why) {
    if (version != TRACE_FILE_VERSION) {
        (void)broken(why, "a trace of version %u; this is for version %u", version, TRACE_FILE_VERSION);
        return false;
    }
    if (table != TRACE_FINGERPRINT) {
        (void)broken(why, "its events are those of another version (table %08x, here %08x)", table, TRACE_FINGERPRINT);
        return false;
    }
    return true;
}

// ---- binary
static bool get(struct trace_reader *self, void *to, size_t size) {
    if (fread(to, 1, size, self->file) != size) return false;
    self->crc = checksum(self->crc, to, size);
    return true;
}

static bool binary_head(struct trace_reader *self, struct trace_head *head, struct reason why) {
    uint8_t bytes[BINARY_HEAD];
    if (!get(self, bytes, sizeof bytes)) {
        (void)broken(why, "it ends within its head");
        return false;
    }
    // A head of another version may be built otherwise: its version comes first.
    if (get_u32(bytes + BINARY_VERSION_AT) == TRACE_FILE_VERSION &&
        checksum(0, bytes, BINARY_CRC_AT) != get_u32(bytes + BINARY_CRC_AT)) {
        (void)broken(why, "its head is damaged");
        return false;
    }
    if (!same_table(get_u32(bytes + BINARY_VERSION_AT), get_u32(bytes + BINARY_TABLE_AT), why)) return false;
    head->no_fetches = (get_u32(bytes + BINARY_FLAGS_AT) & BINARY_NO_FETCHES) != 0;
    head->latency = get_u32(bytes + BINARY_LATENCY_AT);
    head->memory = get_u64(bytes + BINARY_MEMORY_AT);
    head->seed = get_u64(bytes + BINARY_SEED_AT);
    memcpy(head->config, bytes + BINARY_CONFIG_AT, sizeof head->config);
    head->config[sizeof head->config - 1] = '\0';
    return true;
}

static enum trace_read binary_event(struct trace_reader *self, const uint8_t *start, struct trace_item *item,
                                    struct reason why) {
    uint8_t bytes[8 + 4 * TRACE_WORDS_MAX];
    uint32_t words[TRACE_WORDS_MAX];
    const enum trace_kind kind = (enum trace_kind)start[1];
    if (kind >= TRACE_KIND_COUNT || start[3] != 0 || (!trace_kind_per_sm(kind) && start[2] != 0))
        return broken(why, "record %" PRIu64 " is no event", self->events);
    const unsigned count = trace_event_words(kind);
    if (!get(self, bytes, 8 + 4 * count)) return broken(why, "it ends within event %" PRIu64, self->events);
    item->kind = TRACE_ITEM_EVENT;
    memset(&item->event, 0, sizeof item->event);
    item->event.kind = kind;
    item->event.sm = start[2];
    item->event.cycle = get_u64(bytes);
    for (unsigned i = 0; i < count; i++)
        words[i] = get_u32(bytes + 8 + 4 * i);
    const int wrong = trace_event_unpack(&item->event, words);
    if (wrong >= 0)
        return broken(why, "event %" PRIu64 ", %s.%s: more than %u bits", self->events, trace_kind_name(kind),
                      trace_field_name(kind, wrong), trace_field_width(kind, wrong));
    self->events++;
    return TRACE_READ_ITEM;
}

static enum trace_read binary_memory(struct trace_reader *self, bool write, struct trace_item *item,
                                     struct reason why) {
    uint8_t head[12];
    if (!get(self, head, sizeof head)) return broken(why, "it ends after event %" PRIu64, self->events);
    item->kind = write ? TRACE_ITEM_WRITE : TRACE_ITEM_READ;
    item->size = get_u32(head);
    item->address = get_u64(head + 4);
    item->bytes = self->bytes;
    if (item->size == 0 || item->size > BINARY_BYTES_MAX)
        return broken(why, "after event %" PRIu64 ": %zu bytes of memory", self->events, item->size);
    if (!get(self, self->bytes, item->size)) return broken(why, "it ends after event %" PRIu64, self->events);
    return TRACE_READ_ITEM;
}

static enum trace_read binary_end(struct trace_reader *self, struct trace_item *item, struct reason why) {
    uint8_t bytes[16], crc[4];
    if (!get(self, bytes, sizeof bytes) || fread(crc, 1, sizeof crc, self->file) != sizeof crc)
        return broken(why, "it ends within its last record");
    if (get_u32(crc) != self->crc) return broken(why, "it is damaged: its checksum is another");
    if (get_u64(bytes + 8) != self->events)
        return broken(why, "it has %" PRIu64 " events, its end says %" PRIu64, self->events, get_u64(bytes + 8));
    if (fgetc(self->file) != EOF) return broken(why, "something stands behind its end");
    item->kind = TRACE_ITEM_END;
    item->cycle = get_u64(bytes);
    self->ended = true;
    return TRACE_READ_ITEM;
}

static enum trace_read next_binary(struct trace_reader *self, struct trace_item *item, struct reason why) {
    uint8_t start[4];
    if (!get(self, start, sizeof start)) return broken(why, "it ends after event %" PRIu64, self->events);
    switch (start[0]) {
        case BINARY_EVENT: return binary_event(self, start, item, why);
        case BINARY_WRITE: return binary_memory(self, true, item, why);
        case BINARY_READ: return binary_memory(self, false, item, why);
        case BINARY_END: return binary_end(self, item, why);
        default: return broken(why, "a record of type %u after event %" PRIu64, start[0], self->events);
    }
}

// ---- text
static bool text_head(struct trace_reader *self, struct trace_head *head, struct reason why) {
    unsigned version = 0, fetches = 1, table = 0;
    int all = 0;
    (void)sscanf(self->line, "# tandem trace %u:", &version);
    if (version == TRACE_FILE_VERSION &&
        (sscanf(self->line,
                "# tandem trace %u: config=%15s memory=%" SCNu64 " seed=%" SCNu64 " latency=%u fetches=%u events=%x%n",
                &version, head->config, &head->memory, &head->seed, &head->latency, &fetches, &table, &all) != 7 ||
         (self->line[all] != '\n' && self->line[all] != '\r'))) {
        (void)broken(why, "its first line is not understood");
        return false;
    }
    head->no_fetches = fetches == 0;
    return same_table(version, table, why);
}

static enum trace_read text_memory(struct trace_reader *self, struct trace_item *item, struct reason why) {
    char word[8];
    int at = 0;
    if (sscanf(self->line, "memory %7s 0x%" SCNx64 " %n", word, &item->address, &at) != 2 || at == 0 ||
        (strcmp(word, "write") != 0 && strcmp(word, "read") != 0))
        return broken(why, "line %" PRIu64 ": not \"memory write 0xADDRESS BYTES\" or \"memory read ..\"",
                      self->line_number);
    item->kind = word[0] == 'w' ? TRACE_ITEM_WRITE : TRACE_ITEM_READ;
    item->bytes = self->bytes;
    item->size = 0;
    const char *digits = self->line + at;
    const size_t length = strcspn(digits, "\r\n");
    if (length == 0 || length % 2 != 0 || length / 2 > BINARY_BYTES_MAX ||
        strspn(digits, "0123456789abcdefABCDEF") != length)
        return broken(why, "line %" PRIu64 ": its bytes are not pairs of hexadecimal digits", self->line_number);
    for (; item->size < length / 2; item->size++) {
        const char pair[3] = {digits[2 * item->size], digits[2 * item->size + 1], '\0'};
        self->bytes[item->size] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return TRACE_READ_ITEM;
}

static enum trace_read text_end(struct trace_reader *self, struct trace_item *item, struct reason why) {
    uint64_t events = 0;
    int all = 0;
    if (sscanf(self->line, "# end: cycle=%" SCNu64 " events=%" SCNu64 "%n", &item->cycle, &events, &all) != 2 ||
        self->line[all] != '\n')
        return broken(why, "line %" PRIu64 ": its end is not understood", self->line_number);
    if (events != self->events)
        return broken(why, "it has %" PRIu64 " events, its end says %" PRIu64, self->events, events);
    if (fgetc(self->file) != EOF) return broken(why, "something stands behind its end");
    item->kind = TRACE_ITEM_END;
    self->ended = true;
    return TRACE_READ_ITEM;
}

static bool next_line(struct trace_reader *self, struct reason why) {
    const ssize_t length = getline(&self->line, &self->line_size, self->file);
    if (length < 0) return false;
    self->line_number++;
    if (strlen(self->line) == (size_t)length) return true;
    (void)broken(why, "line %" PRIu64 " is no text", self->line_number);
    return false;
}

static enum trace_read next_text(struct trace_reader *self, struct trace_item *item, struct reason why) {
    why.text[0] = '\0';
    while (next_line(self, why)) {
        const size_t length = strlen(self->line);
        if (self->headed && self->line[length - 1] != '\n') break;
        if (strncmp(self->line, "# end:", 6) == 0) return text_end(self, item, why);
        if (self->line[0] == '#' || self->line[strspn(self->line, " \r\n")] == '\0') continue;
        if (strncmp(self->line, "memory ", 7) == 0) return text_memory(self, item, why);
        char reason[256];
        if (!trace_event_parse(self->line, &item->event, reason, sizeof reason))
            return broken(why, "line %" PRIu64 ": %s", self->line_number, reason);
        item->kind = TRACE_ITEM_EVENT;
        self->events++;
        return TRACE_READ_ITEM;
    }
    if (why.text[0] != '\0') return TRACE_READ_BROKEN;
    if (ferror(self->file) != 0) return broken(why, "%s", strerror(errno));
    if (self->headed) return broken(why, "it ends after event %" PRIu64 ", without its last line", self->events);
    if (self->events == 0) return broken(why, "it has no events");
    return TRACE_READ_DONE;
}

// ---- both
static bool open_form(struct trace_reader *self, struct trace_head *head, struct reason why) {
    char magic[sizeof BINARY_MAGIC - 1];
    const size_t length = fread(magic, 1, sizeof magic, self->file);
    if (ferror(self->file) != 0) {
        (void)broken(why, "%s", strerror(errno));
        return false;
    }
    rewind(self->file);
    self->binary = length == sizeof magic && memcmp(magic, BINARY_MAGIC, sizeof magic) == 0;
    if (length == 0) {
        (void)broken(why, "it is empty");
        return false;
    }
    if (self->binary) return binary_head(self, head, why);
    why.text[0] = '\0';
    if (!next_line(self, why)) return false;
    self->headed = strncmp(self->line, "# tandem trace", 14) == 0;
    if (self->headed) return text_head(self, head, why);
    rewind(self->file);
    self->line_number = 0;
    return true;
}

struct trace_reader *trace_reader_open(const char *path, struct trace_head *head, char *why, size_t why_size) {
    const struct reason reason = {why, why_size};
    struct trace_reader *self = calloc(1, sizeof *self);
    *head = (struct trace_head){0};
    if (self != NULL) self->bytes = malloc(BINARY_BYTES_MAX);
    if (self == NULL || self->bytes == NULL) {
        (void)broken(reason, "out of memory");
        trace_reader_close(self);
        return NULL;
    }
    self->file = fopen(path, "rb");
    if (self->file == NULL) (void)broken(reason, "%s", strerror(errno));
    if (self->file == NULL || !open_form(self, head, reason)) {
        trace_reader_close(self);
        return NULL;
    }
    return self;
}

enum trace_read trace_reader_next(struct trace_reader *self, struct trace_item *item, char *why, size_t why_size) {
    const struct reason reason = {why, why_size};
    if (self->ended) return TRACE_READ_DONE;
    return self->binary ? next_binary(self, item, reason) : next_text(self, item, reason);
}

void trace_reader_close(struct trace_reader *self) {
    if (self == NULL) return;
    if (self->file != NULL) (void)fclose(self->file);
    free(self->line);
    free(self->bytes);
    free(self);
}
