// A device whose signatures are asked for: a board, the RTL, or the model, as a program's journal is played on it.
#ifndef TANDEM_BACKEND_SIGNED_DEVICE_H
#define TANDEM_BACKEND_SIGNED_DEVICE_H

#include "backend/backend.h"
#include "backend/journal.h"

#define SIGNED_SMS_MAX 16u
#define SIGNED_CHANNELS_MAX 16u

// What counts: the registers SIGNATURE_*.
struct signed_choice {
    uint32_t kinds, name, name_mask, place, limit;
};

// What is read of them, of all SMs together, and what each channel's methods were.
struct signatures {
    uint32_t sum, count;
    uint32_t methods[SIGNED_CHANNELS_MAX];
};

struct signed_device {
    const struct backend_ops *ops;
    struct backend_options options;
    void *backend;
    const struct ppu_config *config;
    uint32_t selected;  // WARP_SELECT, as the program has written it
    bool is_model;
    uint64_t rest_seconds;  // how long it may take to come to rest
    char why[600];          // not empty: it has failed
};

// Everything of every warp.
extern const struct signed_choice signed_everything;

// From its reset on. False with one line in why.
bool signed_device_open(struct signed_device *device);
bool signed_device_close(struct signed_device *device);
uint32_t signed_device_reg_read(struct signed_device *device, uint32_t offset);
void signed_device_reg_write(struct signed_device *device, uint32_t offset, uint32_t value);

// No channel does anything.
// *faulted: some channel stands faulted.
bool signed_device_rests(struct signed_device *device, bool *faulted);
// At rest: the sums begin anew, by this choice; and what they are.
void signed_device_choose(struct signed_device *device, const struct signed_choice *choice);
void signed_device_read(struct signed_device *device, const struct signed_choice *choice, struct signatures *to);
// Entries [from, to) of the journal. False: it has failed, or does not come to rest.
bool signed_device_play(struct signed_device *device, const struct journal *journal, size_t from, size_t to);

#endif
