// Backends "uart" and "etherbone": a board behind a wire. The configuration and the size of memory are the board's own. Time goes on by itself: run()
// waits until the board's clock has gone on, and memory holds what was there before.
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/backend.h"
#include "gen/registers.h"
#include "wire/board.h"

#define LONGEST_NAP_NS 5000000u

struct board_backend {
    struct board board;
    uint64_t cycles, began;  // of the board's clock: when asked last, when opened
    uint32_t issued;         // ISSUED of all SMs when opened
    uint32_t sms;
    bool failed;
    char why[900];
};

static bool noted(struct board_backend *self, bool good) {
    if (good || self->failed) return good;
    self->failed = true;
    snprintf(self->why, sizeof self->why, "%s", wire_why(&self->board.wire));
    return false;
}

static uint32_t reg_read(void *context, uint32_t offset) {
    struct board_backend *self = context;
    uint32_t value = UINT32_MAX;
    if (self->failed || !noted(self, board_reg_read(&self->board, offset, &value))) return UINT32_MAX;
    return value;
}

static void reg_write(void *context, uint32_t offset, uint32_t value) {
    struct board_backend *self = context;
    if (!self->failed) (void)noted(self, board_reg_write(&self->board, offset, value));
}

static bool mem_read(void *context, uint64_t addr, void *to, size_t size) {
    struct board_backend *self = context;
    return !self->failed && noted(self, board_mem_read(&self->board, (uint32_t)addr, to, size));
}

static bool mem_write(void *context, uint64_t addr, const void *from, size_t size) {
    struct board_backend *self = context;
    return !self->failed && noted(self, board_mem_write(&self->board, (uint32_t)addr, from, size));
}

static uint64_t clock_now(struct board_backend *self) {
    const uint32_t low = reg_read(self, REG_CYCLES_LO);
    const uint32_t high = reg_read(self, REG_CYCLES_HI);
    if (!self->failed) self->cycles = (uint64_t)high << 32 | low;
    return self->cycles;
}

// The configuration that has just these parameters.
static const struct ppu_config *find_config(struct board_backend *self) {
    const uint32_t config0 = reg_read(self, REG_CONFIG0), config1 = reg_read(self, REG_CONFIG1),
                   config2 = reg_read(self, REG_CONFIG2);
    for (size_t i = 0; i < PPU_CONFIG_COUNT; i++) {
        const struct ppu_config *c = &ppu_configs[i];
        if (c->threads == REG_CONFIG0_THREADS_OF(config0) && c->lanes == REG_CONFIG0_LANES_OF(config0) &&
            c->warps == REG_CONFIG0_WARPS_OF(config0) && c->sms == REG_CONFIG0_SMS_OF(config0) &&
            c->channels == REG_CONFIG1_CHANNELS_OF(config1) && c->task_slots == REG_CONFIG1_TASK_SLOTS_OF(config1) &&
            c->deque_entries == REG_CONFIG1_DEQUE_ENTRIES_OF(config1) &&
            c->vgpr_rows == REG_CONFIG2_VGPR_ROWS_OF(config2))
            return c;
    }
    return NULL;
}

static bool take_over(struct board_backend *self, struct backend_options *options, char *message, size_t message_size) {
    if (!noted(self, board_reset(&self->board))) {
        snprintf(message, message_size, "%s", self->why);
        return false;
    }
    const uint32_t magic = reg_read(self, REG_MAGIC), version = reg_read(self, REG_ABI_VERSION);
    if (magic != REG_MAGIC_RESET || version >> 16 != REG_ABI_VERSION_RESET >> 16) {
        snprintf(message, message_size,
                 "the board's PPU says 0x%08x, version 0x%08x, and not 0x%08x, 0x%08x: build its gateware anew", magic,
                 version, REG_MAGIC_RESET, REG_ABI_VERSION_RESET);
        return false;
    }
    options->config = find_config(self);
    if (options->config == NULL) {
        snprintf(message, message_size,
                 "the board's PPU has a configuration that this program does not know: build one of the two anew");
        return false;
    }
    snprintf(options->config_name, sizeof options->config_name, "%s", options->config->name);
    options->mem_bytes = options->space_bytes = self->board.identity.memory_bytes;
    self->sms = options->config->sms;
    self->began = clock_now(self);
    if (self->failed) snprintf(message, message_size, "%s", self->why);
    return !self->failed;
}

static void *open_board(struct backend_options *options, bool serial, char *message, size_t message_size) {
    struct board_backend *self = calloc(1, sizeof *self);
    struct wire wire;
    if (self == NULL) {
        snprintf(message, message_size, "the host has no memory for a device");
        return NULL;
    }
    const bool wired =
        serial ? wire_open_serial(&wire, options->place, options->baud != 0 ? options->baud : WIRE_DEFAULT_BAUD,
                                  message, message_size)
               : wire_open_etherbone(&wire, options->place, message, message_size);
    if (wired && board_open(&self->board, wire, message, message_size)) {
        if (take_over(self, options, message, message_size)) return self;
        board_close(&self->board);
    }
    free(self);
    return NULL;
}

static void *open_uart(struct backend_options *options, char *message, size_t message_size) {
    return open_board(options, true, message, message_size);
}

static void *open_etherbone(struct backend_options *options, char *message, size_t message_size) {
    return open_board(options, false, message, message_size);
}

static bool close_board(void *context) {
    struct board_backend *self = context;
    // What still runs on the board ends here; the next one finds it in reset state.
    if (!self->failed) (void)noted(self, board_reset(&self->board));
    const bool good = !self->failed;
    board_close(&self->board);
    free(self);
    return good;
}

static void bus_errors(void *context, uint64_t base, uint64_t size, bool writes_only) {
    (void)context, (void)base, (void)size, (void)writes_only;  // a board's memory has none on order
}

static uint64_t run(void *context, uint64_t cycles) {
    struct board_backend *self = context;
    const uint64_t before = self->cycles;
    uint64_t now = clock_now(self);
    if (!self->failed && now - before < cycles) {
        uint64_t ns = (cycles - (now - before)) * 1000000000u / self->board.identity.clock_hz;
        if (ns > LONGEST_NAP_NS) ns = LONGEST_NAP_NS;
        const struct timespec nap = {.tv_nsec = (long)ns};
        (void)nanosleep(&nap, NULL);
        now = clock_now(self);
    }
    return now > before ? now - before : 1;
}

static void statistics(void *context, struct tandem_statistics *to) {
    struct board_backend *self = context;
    to->cycles = self->cycles - self->began;
}

static const char *failed(void *context) {
    struct board_backend *self = context;
    return self->failed ? self->why : NULL;
}

#define BOARD_OPS(kind, opens)                                                                                      \
    {                                                                                                               \
        .name = kind, .place = true, .open = opens, .close = close_board, .reg_read = reg_read,                     \
        .reg_write = reg_write, .mem_read = mem_read, .mem_write = mem_write, .bus_errors = bus_errors, .run = run, \
        .statistics = statistics, .failed = failed                                                                  \
    }
const struct backend_ops backend_uart = BOARD_OPS("uart", open_uart),
                         backend_etherbone = BOARD_OPS("etherbone", open_etherbone);
