// What a program has done to a device, so that it can be done again, to another device or to the same one from its reset on: registers and memory
// written, and between two writes what it has read and thereby waited for.
#ifndef TANDEM_BACKEND_JOURNAL_H
#define TANDEM_BACKEND_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum journal_kind {
    JOURNAL_REG_WRITE,
    JOURNAL_MEM_WRITE,
    JOURNAL_REG_WAIT,  // the register shows value
    JOURNAL_MEM_WAIT,  // memory holds these bytes
    JOURNAL_REST,      // the device has come to rest
};

struct journal_entry {
    enum journal_kind kind;
    uint32_t address, value;
    size_t size;
    uint8_t *data;
};

struct journal {
    struct journal_entry *entries;
    size_t count, room;
    bool failed;  // the host has no memory for it
};

#define JOURNAL_WAIT_BYTES 16u  // larger reads are no waits

void journal_free(struct journal *journal);
void journal_reg_write(struct journal *journal, uint32_t offset, uint32_t value);
void journal_mem_write(struct journal *journal, uint32_t address, const void *from, size_t size);
// A register has been read. Of those that depend on time only the end of all tasks is something that one waits for.
void journal_reg_read(struct journal *journal, uint32_t channels, uint32_t offset, uint32_t value);
void journal_mem_read(struct journal *journal, uint32_t address, const void *data, size_t size);
void journal_rest(struct journal *journal);

// A device on which a journal is played.
struct journal_device {
    void *context;
    uint32_t (*reg_read)(void *context, uint32_t offset);
    void (*reg_write)(void *context, uint32_t offset, uint32_t value);
    bool (*mem_read)(void *context, uint64_t address, void *to, size_t size);
    bool (*mem_write)(void *context, uint64_t address, const void *from, size_t size);
    // Goes on a little. False: it has come to rest.
    bool (*step)(void *context);
    bool (*failed)(void *context);
};

// Entries [from, to). What is waited for comes, or the device comes to rest. False: the device has failed.
bool journal_play(const struct journal *journal, size_t from, size_t to, const struct journal_device *device);

#endif
