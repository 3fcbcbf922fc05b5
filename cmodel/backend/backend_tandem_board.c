// Backend "tandem-board": a device at full speed (a board, or the RTL alone) and the model, compared by their signatures. The device is the program's;
// the model does the same, by the journal, whenever the device has come to rest.
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/signature_search.h"
#include "gen/registers.h"
#include "isa/disassembler.h"

#define SEEDS 3u  // other schedules of the model that a difference is looked at with

struct pair {
    struct signed_device device, model;
    struct backend_options options;  // for models
    struct journal journal;
    size_t followed;           // entries that the model has done
    size_t rest;               // where both rested the last time: nothing of the journal, or a JOURNAL_REST
    bool dirty;                // something has been done to the device since
    bool works;                // it has got work since
    uint32_t enabled;          // channels, by bits
    bool judged;               // false: the program's values depend on its timing
    uint64_t alike, unjudged;  // places of rest that were compared, and that were not
    struct tandem_statistics statistics;
    char failed[1024];
};

static bool same(const struct signatures *a, const struct signatures *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static void *open_pair(struct backend_options *options, char *message, size_t message_size) {
    struct pair *self = calloc(1, sizeof *self);
    if (self == NULL) {
        snprintf(message, message_size, "the host has no memory for a device");
        return NULL;
    }
    self->device = (struct signed_device){.ops = options->leader, .options = *options};
    if (!signed_device_open(&self->device)) {
        snprintf(message, message_size, "%s", self->device.why);
        free(self);
        return NULL;
    }
    *options = self->device.options;
    self->options = *options;
    self->judged = true;
    reference_make(&self->model, &self->options, NULL);
    if (!signed_device_open(&self->model)) {
        snprintf(message, message_size, "%s", self->model.why);
        (void)signed_device_close(&self->device);
        free(self);
        return NULL;
    }
    signed_device_choose(&self->device, &signed_everything);
    signed_device_choose(&self->model, &signed_everything);
    return self;
}

// ---- a difference
// Something that is asked of a device at the end of the journal.
typedef bool question(struct signed_device *device, const void *what, const void *answer);

// Does the program itself, on a good device, answer otherwise at another time? The model with other seeds tells, and the device with another order
// among its warps and without its cache. of_model, of_device: what they have answered.
static bool depends_on_timing(struct pair *self, question *same_answer, const void *what, const void *of_model,
                              const void *of_device) {
    struct signatures unused;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        struct signed_device other;
        struct backend_options options = self->options;
        options.seed += seed;
        reference_make(&other, &options, NULL);
        const bool same =
            signature_ask(&other, &self->journal, 0, self->journal.count, &signed_everything, NULL, &unused) &&
            same_answer(&other, what, of_model);
        (void)signed_device_close(&other);
        if (!same) return true;
    }
    if (!signed_device_close(&self->device) || !signed_device_open(&self->device)) return false;
    signed_device_reg_write(&self->device, REG_WARP_POLICY, REG_WARP_POLICY_POLICY_GREEDY);
    signed_device_reg_write(&self->device, REG_L1_CONTROL, 0);
    signed_device_choose(&self->device, &signed_everything);
    if (!signed_device_play(&self->device, &self->journal, 0, self->journal.count)) return false;
    return !same_answer(&self->device, what, of_device);
}

static bool same_signatures(struct signed_device *device, const void *what, const void *answer) {
    struct signatures now;
    (void)what;
    signed_device_read(device, &signed_everything, &now);
    return same(&now, answer);
}

struct range {
    uint64_t address;
    size_t size;
};

static bool same_memory(struct signed_device *device, const void *what, const void *answer) {
    const struct range *range = what;
    uint8_t *now = malloc(range->size);
    const bool alike = now != NULL && device->ops->mem_read(device->backend, range->address, now, range->size) &&
                       memcmp(now, answer, range->size) == 0;
    free(now);
    return alike;
}

static void write_report(struct pair *self, const struct signature_search *search, const char *replay) {
    const char *folder = getenv("TANDEM_REPORTS");
    char path[400];
    FILE *to = NULL;
    if (folder == NULL || folder[0] == '\0') folder = ".";
    for (unsigned n = 1; to == NULL && n < 1000; n++) {
        snprintf(path, sizeof path, "%.300s/tandem-mismatch-%ld-%u.txt", folder, (long)getpid(), n);
        to = fopen(path, "wx");
    }
    const size_t used = strlen(self->failed);
    if (to == NULL) {
        snprintf(self->failed + used, sizeof self->failed - used, " (no report: cannot make a file in %.200s)", folder);
        return;
    }
    const char *program = getenv("TANDEM_REPLAY");
    fprintf(to,
            "the device and the model differ\n\n== what\n  %s\n  after %" PRIu64
            " places of rest that were alike; narrowed by running %u times again\n\n== the event\n%s\n== device\n  %s, "
            "configuration %s, seed %" PRIu64 " of the model\n  replay: %s\n",
            search->line, self->alike, search->runs, search->text, replay, self->options.config_name,
            self->options.seed, program != NULL ? program : "the same program with this device name");
    const bool good = fclose(to) == 0;
    snprintf(self->failed + used, sizeof self->failed - used, "; report%s: %.300s", good ? "" : " (cut off)", path);
}

static void narrow(struct pair *self) {
    struct signature_search search = {.device = &self->device,
                                      .model = &self->options,
                                      .journal = &self->journal,
                                      .begin = self->rest,
                                      .end = self->journal.count};
    (void)signature_search(&search);
    snprintf(self->failed, sizeof self->failed, "the signatures differ: %s", search.line);
    write_report(self, &search, self->options.replay);
}

// From here on values may legally differ.
static void give_up(struct pair *self, const char *why) {
    self->judged = false;
    fprintf(stderr, "tandem-board: not judged from here on (%" PRIu64 " places of rest were alike): %s\n", self->alike,
            why);
}

static void differs_in(struct pair *self, const struct signatures *device, const struct signatures *model) {
    uint32_t channel = 0;
    while (channel < SIGNED_CHANNELS_MAX && device->methods[channel] == model->methods[channel])
        channel++;
    if (channel < SIGNED_CHANNELS_MAX) {
        // A program that writes to a channel while it works may be overtaken by it, or not.
        self->unjudged++;
        give_up(self, "a channel has executed other methods than on the model, or not as many when it was reset");
    } else if (depends_on_timing(self, same_signatures, NULL, model, device)) {
        self->unjudged++;
        give_up(self,
                "what the program computes depends on its timing: the model with another seed, or the device with "
                "another order of warps, has other signatures");
    } else {
        narrow(self);
    }
}

static const char *failed(void *context) {
    struct pair *self = context;
    if (self->failed[0] != '\0') return self->failed;
    return self->device.backend == NULL ? self->device.why : self->device.ops->failed(self->device.backend);
}

// When the device rests: the model goes there too, and both are compared.
static void look(struct pair *self) {
    struct signatures device, model;
    bool faulted;
    if (!self->dirty || failed(self) != NULL || !signed_device_rests(&self->device, &faulted)) return;
    if (self->judged && faulted) give_up(self, "a channel has faulted, and its tasks have ended wherever they were");
    if (!self->judged) {
        self->unjudged++;
        self->dirty = false;
        return;
    }
    journal_rest(&self->journal);
    if (self->journal.failed) {
        snprintf(self->failed, sizeof self->failed, "the host has no memory for what the program has done");
        return;
    }
    if (!signed_device_play(&self->model, &self->journal, self->followed, self->journal.count)) {
        snprintf(self->failed, sizeof self->failed, "the model: %.300s", self->model.why);
        return;
    }
    self->followed = self->journal.count;
    signed_device_read(&self->device, &signed_everything, &device);
    signed_device_read(&self->model, &signed_everything, &model);
    if (failed(self) != NULL) return;
    if (!same(&device, &model)) {
        differs_in(self, &device, &model);
    } else {
        self->alike++;
        self->rest = self->journal.count;
    }
    self->dirty = self->works = false;
}

// ---- the program's accesses
// How far each channel has come, before the program writes what it may only write then: its next commands, for example.
static void note_progress(struct pair *self) {
    for (uint32_t c = 0; self->judged && self->works && c < self->options.config->channels; c++) {
        const uint32_t at = REG_CHANNEL_BASE + c * REG_CHANNEL_STRIDE + CHANNEL_SIGNATURE;
        if ((self->enabled >> c & 1u) != 0)
            journal_reg_read(&self->journal, self->options.config->channels, at,
                             signed_device_reg_read(&self->device, at));
    }
}

static uint32_t reg_read(void *context, uint32_t offset) {
    struct pair *self = context;
    if (failed(self) != NULL) return UINT32_MAX;
    const uint32_t value = signed_device_reg_read(&self->device, offset);
    if (self->judged) journal_reg_read(&self->journal, self->options.config->channels, offset, value);
    return value;
}

static void reg_write(void *context, uint32_t offset, uint32_t value) {
    struct pair *self = context;
    uint32_t channel;
    const struct register_info *info = register_find(offset, self->options.config->channels, &channel);
    if (failed(self) != NULL) return;
    // New work, or a channel that begins anew: what was before it is compared first.
    if (info != NULL && info->block != REGISTER_GLOBAL) look(self);
    if (failed(self) != NULL) return;
    if (info != NULL && info->block == REGISTER_CHANNEL && info->offset == CHANNEL_CONTROL) {
        note_progress(self);
        self->enabled = (self->enabled & ~(1u << channel)) | CHANNEL_CONTROL_ENABLE_OF(value) << channel;
    }
    if (self->judged) journal_reg_write(&self->journal, offset, value);
    if (info != NULL && info->block != REGISTER_GLOBAL) self->dirty = true;
    if (info != NULL && info->block == REGISTER_USERD) self->works = true;
    signed_device_reg_write(&self->device, offset, value);
}

// Memory differs, though the warps have done the same: the last who wrote there on the model.
static void name_writer(struct pair *self, uint64_t address, uint32_t of_device, uint32_t of_model) {
    struct signature_search search = {0};
    struct reference_log *log = calloc(1, sizeof *log);
    struct signed_device model;
    struct signatures unused;
    char text[DISASSEMBLY_MAX] = "";
    if (log != NULL) {
        log->watches = true;
        log->watched = address;
        reference_make(&model, &self->options, log);
        (void)signature_ask(&model, &self->journal, 0, self->journal.count, &signed_everything, log, &unused);
        (void)signed_device_close(&model);
    }
    snprintf(search.line, sizeof search.line, "memory at 0x%08" PRIx64 " is 0x%02x, model 0x%02x", address, of_device,
             of_model);
    if (log != NULL && log->written) {
        disassemble_instruction(log->writer.word, text);
        const size_t used = strlen(search.line);
        snprintf(search.line + used, sizeof search.line - used, "; written last by SM %u warp %u pc 0x%x %s",
                 log->writer_sm, log->writer.warp, log->writer.pc, text);
    }
    if (log != NULL) reference_log_free(log);
    free(log);
    snprintf(self->failed, sizeof self->failed, "%s", search.line);
    write_report(self, &search, self->options.replay);
}

// What the program reads at rest, and threads have written, is compared with the model's memory too.
static bool compare_memory(struct pair *self, uint64_t addr, const uint8_t *of_device, size_t size) {
    uint8_t *of_model = malloc(size);
    size_t at = size;
    if (of_model != NULL && signed_device_play(&self->model, &self->journal, self->followed, self->journal.count) &&
        self->model.ops->mem_read(self->model.backend, addr, of_model, size)) {
        self->followed = self->journal.count;
        for (at = 0; at < size && (of_model[at] == of_device[at] || !reference_judges(&self->model, addr + at)); at++)
            continue;
    }
    if (at < size) {
        const struct range byte = {addr + at, 1};
        if (depends_on_timing(self, same_memory, &byte, of_model + at, of_device + at)) {
            give_up(self, "what the program leaves in memory depends on its timing");
            at = size;
        } else {
            name_writer(self, addr + at, of_device[at], of_model[at]);
        }
    }
    free(of_model);
    return at >= size;
}

static bool mem_read(void *context, uint64_t addr, void *to, size_t size) {
    struct pair *self = context;
    if (failed(self) != NULL) return false;
    const bool bulk = size > JOURNAL_WAIT_BYTES;
    if (bulk) look(self);
    if (failed(self) != NULL || !self->device.ops->mem_read(self->device.backend, addr, to, size)) return false;
    if (!self->judged) return true;
    journal_mem_read(&self->journal, (uint32_t)addr, to, size);
    return self->dirty || !bulk || compare_memory(self, addr, to, size);
}

static bool mem_write(void *context, uint64_t addr, const void *from, size_t size) {
    struct pair *self = context;
    if (failed(self) != NULL) return false;
    note_progress(self);
    if (self->judged) journal_mem_write(&self->journal, (uint32_t)addr, from, size);
    self->dirty = true;  // a channel may wait for it
    return self->device.ops->mem_write(self->device.backend, addr, from, size);
}

static void bus_errors(void *context, uint64_t base, uint64_t size, bool writes_only) {
    struct pair *self = context;
    self->device.ops->bus_errors(self->device.backend, base, size, writes_only);
    self->model.ops->bus_errors(self->model.backend, base, size, writes_only);
}

static uint64_t run(void *context, uint64_t cycles) {
    struct pair *self = context;
    return failed(self) == NULL ? self->device.ops->run(self->device.backend, cycles) : 0;
}

static void statistics(void *context, struct tandem_statistics *to) {
    struct pair *self = context;
    if (self->device.backend != NULL) self->device.ops->statistics(self->device.backend, &self->statistics);
    *to = self->statistics;
    to->compared = self->alike;
    to->mismatches = self->failed[0] != '\0';
}

static bool close_pair(void *context) {
    struct pair *self = context;
    look(self);
    bool good = failed(self) == NULL;
    fprintf(stderr, "tandem-board: %" PRIu64 " places of rest alike, %" PRIu64 " not judged%s%s\n", self->alike,
            self->unjudged, good ? "" : ": ", good ? "" : failed(self));
    good &= signed_device_close(&self->device);
    (void)signed_device_close(&self->model);
    journal_free(&self->journal);
    free(self);
    return good;
}

const struct backend_ops backend_tandem_board = {.name = "tandem-board",
                                                 .open = open_pair,
                                                 .close = close_pair,
                                                 .reg_read = reg_read,
                                                 .reg_write = reg_write,
                                                 .mem_read = mem_read,
                                                 .mem_write = mem_write,
                                                 .bus_errors = bus_errors,
                                                 .run = run,
                                                 .statistics = statistics,
                                                 .failed = failed};
