// What the driver needs of a kind of device. One struct backend_ops each: model (cmodel/backend/backend_model.c), rtl
// and tandem (tb/), systemc (tb/systemc), boards behind a wire (cmodel/backend/backend_board.c).
#ifndef TANDEM_DRIVER_BACKEND_H
#define TANDEM_DRIVER_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/tandem.h"
#include "gen/config.h"

struct backend_ops;
struct image;
struct memory_outside;
struct ppu;

// cycle: as struct tandem_statistics counts them. It only looks at the model, and may take its time.
typedef void backend_watch(void *context, uint64_t cycle);

// Of systemc: what stands in the platform.
struct platform_options {
    const struct backend_ops *core;  // model, rtl or tandem
    uint32_t quantum;                // cycles that the model may run ahead
    uint32_t link_errors;            // damaged packets of a million
    uint32_t link_credits;           // headers of each kind that fit into a receiver
    uint32_t link_tags;              // reads under way at once
};

struct backend_options {
    const struct ppu_config *config;  // of a board: NULL until it is open
    char config_name[16];
    uint64_t seed;
    size_t mem_bytes;
    size_t space_bytes;  // of it, the device's own space; less when token queues need it
    uint32_t tokens;     // places of a warp's token queue
    uint32_t latency;    // mean memory latency in cycles, 0: the default
    // The link between CPU and PPU: nanoseconds until a read's answer is there (0: no time passes), bytes a
    // microsecond.
    uint32_t link_ns, link_rate;
    char wave[256], trace[256], timeline[256];
    char checkpoint[256];                // where it writes checkpoints of itself, or ""
    uint64_t checkpoint_every;           // .. cycles
    const struct backend_ops *recorded;  // of a device that writes checkpoints: what it is
    uint64_t error_base, error_size;     // memory that answers the PPU with errors
    uint32_t inject, inject_model;
    bool slow;                             // the model does instructions one by one, though nobody looks
    bool put_software;                     // the CPU moves GP_PUT of work queues
    uint32_t again;                        // second compiles: enum tandem_recompile
    char place[256];                       // of a board: the serial port, or HOST[:PORT]
    uint32_t baud;                         // of a serial port, 0: the default
    const struct backend_ops *leader;      // of tandem-board: the device that is compared with the model
    const struct memory_outside *outside;  // memory that the device does not have itself, or NULL
    struct platform_options platform;
    void *listener;       // of a model that is compared with: where its events go, or NULL
    char replay[512];     // the device name as given: a mismatch report shows it
    const char *command;  // that repeats the run, for such a report, or NULL
};

struct backend_ops {
    const char *name;
    bool place;  // it is named by a place, and says itself what config and mem_bytes are
    // Cycles that it does in a second, about; 0: as many as the configuration's clock says.
    uint32_t cycles_per_second;
    // NULL on failure with one line in message.
    void *(*open)(struct backend_options *options, char *message, size_t message_size);
    // False: something differed (tandem) - the report has been written.
    bool (*close)(void *self);
    uint32_t (*reg_read)(void *self, uint32_t offset);
    void (*reg_write)(void *self, uint32_t offset, uint32_t value);
    bool (*mem_read)(void *self, uint64_t addr, void *to, size_t size);
    bool (*mem_write)(void *self, uint64_t addr, const void *from, size_t size);
    // All of it becomes 0, at once; NULL or false: nothing was done, write zeros.
    bool (*mem_clear)(void *self, uint64_t addr, size_t size);
    // From now on [base, base + size) of memory answers the PPU with errors, with writes_only only its writes.
    void (*bus_errors)(void *self, uint64_t base, uint64_t size, bool writes_only);
    // Runs up to `cycles`; returns those done. 0 with the model: nothing can go on without the CPU.
    uint64_t (*run)(void *self, uint64_t cycles);
    void (*statistics)(void *self, struct tandem_statistics *to);
    // Level of the interrupt line; NULL: there is none to look at.
    bool (*irq)(void *self);
    // NULL while all is well; else one line: the first mismatch and where its report is.
    const char *(*failed)(void *self);
    // From now on `watch` is called after each step of the device's model, and now and then while it takes none; NULL: no
    // more. The model, whose state is the device's; NULL, or no function: the device has none that could be watched.
    const struct ppu *(*watch)(void *self, backend_watch *watch, void *context);
    // The whole device between two calls, for checkpoints (base/image.h), loaded into one that was opened with the same
    // options; NULL: it has none. An image of tandem begins with that of rtl.
    void (*image)(void *self, struct image *image);
};

extern const struct backend_ops backend_model, backend_rtl, backend_tandem, backend_uart, backend_etherbone,
    backend_tandem_board, backend_systemc;

#endif
