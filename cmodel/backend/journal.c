// What a program has done to a device, and doing it again.
#include "backend/journal.h"

#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"

void journal_free(struct journal *journal) {
    for (size_t i = 0; i < journal->count; i++)
        free(journal->entries[i].data);
    free(journal->entries);
    *journal = (struct journal){0};
}

static void add(struct journal *journal, struct journal_entry entry, const void *data) {
    if (journal->failed) return;
    if (journal->count == journal->room) {
        const size_t room = journal->room == 0 ? 256 : 2 * journal->room;
        struct journal_entry *entries = realloc(journal->entries, room * sizeof *entries);
        if (entries == NULL) {
            journal->failed = true;
            return;
        }
        journal->entries = entries;
        journal->room = room;
    }
    if (data != NULL) {
        entry.data = malloc(entry.size);
        if (entry.data == NULL) {
            journal->failed = true;
            return;
        }
        memcpy(entry.data, data, entry.size);
    }
    journal->entries[journal->count++] = entry;
}

void journal_reg_write(struct journal *journal, uint32_t offset, uint32_t value) {
    add(journal, (struct journal_entry){.kind = JOURNAL_REG_WRITE, .address = offset, .value = value}, NULL);
}

void journal_mem_write(struct journal *journal, uint32_t address, const void *from, size_t size) {
    add(journal, (struct journal_entry){.kind = JOURNAL_MEM_WRITE, .address = address, .size = size}, from);
}

// Who asks again and again waits for the last answer: between two writes each place has one.
static struct journal_entry *asked(struct journal *journal, enum journal_kind kind, uint32_t address, size_t size) {
    for (size_t i = journal->count; i-- > 0;) {
        struct journal_entry *entry = &journal->entries[i];
        if (entry->kind != JOURNAL_REG_WAIT && entry->kind != JOURNAL_MEM_WAIT) break;
        if (entry->kind == kind && entry->address == address && entry->size == size) return entry;
    }
    return NULL;
}

static bool is_waited_for(uint32_t channels, uint32_t offset, uint32_t value) {
    uint32_t channel;
    const struct register_info *info = register_find(offset, channels, &channel);
    if (info == NULL) return false;
    if (info->block == REGISTER_CHANNEL && info->offset == CHANNEL_STATUS)
        return CHANNEL_STATUS_TASKS_OF(value) == 0 && CHANNEL_STATUS_STATE_OF(value) != CHANNEL_STATUS_STATE_FETCHING &&
               CHANNEL_STATUS_STATE_OF(value) != CHANNEL_STATUS_STATE_EXECUTING;
    return info->check == CHECK_SAME;
}

void journal_reg_read(struct journal *journal, uint32_t channels, uint32_t offset, uint32_t value) {
    if (!is_waited_for(channels, offset, value)) return;
    struct journal_entry *before = asked(journal, JOURNAL_REG_WAIT, offset, 0);
    if (before != NULL)
        before->value = value;
    else
        add(journal, (struct journal_entry){.kind = JOURNAL_REG_WAIT, .address = offset, .value = value}, NULL);
}

void journal_mem_read(struct journal *journal, uint32_t address, const void *data, size_t size) {
    if (size > JOURNAL_WAIT_BYTES || size == 0) return;
    struct journal_entry *before = asked(journal, JOURNAL_MEM_WAIT, address, size);
    if (before != NULL)
        memcpy(before->data, data, size);
    else
        add(journal, (struct journal_entry){.kind = JOURNAL_MEM_WAIT, .address = address, .size = size}, data);
}

void journal_rest(struct journal *journal) {
    add(journal, (struct journal_entry){.kind = JOURNAL_REST}, NULL);
}

static bool has_come(const struct journal_entry *entry, const struct journal_device *device) {
    uint8_t data[JOURNAL_WAIT_BYTES];
    if (entry->kind == JOURNAL_REG_WAIT) return device->reg_read(device->context, entry->address) == entry->value;
    if (entry->kind == JOURNAL_REST) return false;
    return device->mem_read(device->context, entry->address, data, entry->size) &&
           memcmp(data, entry->data, entry->size) == 0;
}

bool journal_play(const struct journal *journal, size_t from, size_t to, const struct journal_device *device) {
    for (size_t i = from; i < to && !device->failed(device->context); i++) {
        const struct journal_entry *entry = &journal->entries[i];
        switch (entry->kind) {
            case JOURNAL_REG_WRITE: device->reg_write(device->context, entry->address, entry->value); break;
            case JOURNAL_MEM_WRITE:
                (void)device->mem_write(device->context, entry->address, entry->data, entry->size);
                break;
            default:
                while (!has_come(entry, device) && device->step(device->context))
                    continue;
        }
    }
    return !device->failed(device->context);
}
