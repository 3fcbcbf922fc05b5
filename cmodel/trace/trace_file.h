// Files of events: what a device did, and what the CPU did to its memory, so that another device can follow. As text, a
// line each, or binary (README.md has both forms). Nothing here knows the model.
#ifndef TANDEM_TRACE_FILE_H
#define TANDEM_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/trace.h"

#define TRACE_FILE_VERSION 1u
#define TRACE_BINARY_SUFFIX ".events"  // a file of this name is written binary

// What the first line, or the head of a binary file, says.
struct trace_head {
    char config[16];        // "": not said, as in text without a head
    uint64_t memory, seed;  // bytes of device memory; 0: not said
    uint32_t latency;       // of the memory, in cycles: how long silence lasts
    bool no_fetches;        // no events tell what the instruction cache reads
};

enum trace_item_kind {
    TRACE_ITEM_EVENT,
    TRACE_ITEM_WRITE,  // the CPU has written device memory
    TRACE_ITEM_READ,   // and read it
    TRACE_ITEM_END     // the run has come to its end, in this cycle
};

struct trace_item {
    enum trace_item_kind kind;
    struct trace_event event;
    uint64_t address;
    const uint8_t *bytes;  // until the next call
    size_t size;
    uint64_t cycle;  // of the end
};

// ---- writing
struct trace_writer;
// NULL with one line in why.
struct trace_writer *trace_writer_open(const char *path, const struct trace_head *head, char *why, size_t why_size);
void trace_writer_event(struct trace_writer *self, const struct trace_event *event);
void trace_writer_memory(struct trace_writer *self, bool write, uint64_t address, const void *bytes, size_t size);
// Ends the file in this cycle. False: it could not be written whole. NULL is allowed.
bool trace_writer_close(struct trace_writer *self, uint64_t cycle);
bool trace_writer_failed(const struct trace_writer *self);

// ---- reading
struct trace_reader;
// Of either form. NULL with one line in why: it cannot be read, is none, or of another version or table of events.
struct trace_reader *trace_reader_open(const char *path, struct trace_head *head, char *why, size_t why_size);
enum trace_read { TRACE_READ_ITEM, TRACE_READ_DONE, TRACE_READ_BROKEN };
// The next item; DONE behind the last one; BROKEN with one line in why.
enum trace_read trace_reader_next(struct trace_reader *self, struct trace_item *item, char *why, size_t why_size);
void trace_reader_close(struct trace_reader *self);

// ---- one line of text (trace_text.c)
// An event as trace_event_print() writes it. False with one line in why.
bool trace_event_parse(const char *line, struct trace_event *event, char *why, size_t why_size);

#endif
