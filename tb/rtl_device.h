// A verilated ppu behind a C interface that is the same for every configuration: rtl_device.cpp is compiled once per
// configuration and exports one struct rtl_ops. A device is the ppu, the clock, an AXI memory and an AXI-Lite driver;
// nothing is shared between devices. Calls on one device must not overlap; different devices may live on different
// threads.
#ifndef TANDEM_TB_RTL_DEVICE_H
#define TANDEM_TB_RTL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/memory_outside.h"
#include "gen/config.h"
#include "gen/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct image;

// Percent of the cycles in which the memory holds back a channel of its port (axi_memory_options.backpressure): some,
// always, because a board's does too.
#define RTL_BACKPRESSURE 10u

struct rtl_options {
    size_t mem_bytes;                      // device memory, multiple of 4096, zeroed
    uint64_t seed;                         // memory timing, and what uninitialized state of the RTL holds
    uint32_t latency;                      // mean memory latency in cycles, 0: the memory's default
    const struct memory_outside *outside;  // where the memory is, NULL: the device has its own
};

// Gets each event of a cycle, in the order of tb/trace_events.tbl, once the cycle has been clocked. False:
// rtl_ops.run() stops after this cycle (the cycle's other events are still handed over).
typedef bool rtl_event_sink(void *context, const struct trace_event *event);

struct rtl_ops {
    const char *name;    // of the configuration library: "nano", "nano_inject", ..
    const char *config;  // of rtl/configs.tbl: "nano", ..
    bool can_inject;     // built with INJECT = 1

    // In reset and out of it again. NULL with one line in message on failure. The caller owns it: destroy.
    void *(*create)(const struct rtl_options *options, char *message, size_t message_size);
    void (*destroy)(void *self);
    void (*set_sink)(void *self, rtl_event_sink *sink, void *context);

    // Clocks up to `cycles`; returns those done (fewer: the sink said stop).
    uint64_t (*run)(void *self, uint64_t cycles);
    uint64_t (*cycle)(const void *self);  // clock cycles since reset

    // Drive the AXI-Lite port, clocking as long as the access takes. False: no answer, or an error answer, within
    // rtl_bus_cycles().
    bool (*reg_read)(void *self, uint32_t offset, uint32_t *value);
    bool (*reg_write)(void *self, uint32_t offset, uint32_t value);
    bool (*irq)(const void *self);

    // Memory behind the PPU's back; the caller waits until rmw_busy is low. False: not all inside, nothing done.
    bool (*mem_read)(void *self, uint64_t addr, void *to, size_t size);
    bool (*mem_write)(void *self, uint64_t addr, const void *from, size_t size);
    const uint8_t *(*mem)(void *self);   // all of it, for comparing, with every write that has been performed
    bool (*rmw_busy)(const void *self);  // or a write that fails is under way
    // From now on [base, base + size) of memory answers the PPU with errors, with writes_only only its writes; size 0:
    // nothing does.
    void (*bus_errors)(void *self, uint64_t base, uint64_t size, bool writes_only);

    // NULL while the RTL keeps its own rules and the bus's; else one line: a failed assertion, a broken rule of AXI.
    const char *(*error)(const void *self);

    // Starts an FST wave file; NULL ends it. False with the reason in why: the file cannot be made, or is not whole.
    bool (*wave)(void *self, const char *path, char *why, size_t why_size);
    // All of the device between two cycles, for a checkpoint (base/image.h); wave and sink are not of it. It is loaded into
    // a device with the same options, of the same build.
    void (*image)(void *self, struct image *image);
    // Switches on a defect (listed in the README.md of each folder of rtl/), 0: none. False: not built in.
    bool (*inject)(void *self, unsigned defect);
};

// How long an access to a register may take: the unit that takes it may have to wait for a request of its own, which
// stands behind others in memory. latency: struct rtl_options.
static inline uint32_t rtl_bus_cycles(uint32_t latency) {
    return 1000u + 64u * latency;
}

// The configuration libraries this program is linked with (rtl_registry.c). NULL: no such.
const struct rtl_ops *rtl_ops_find(const char *name);
// Their names, separated by spaces, for messages.
const char *rtl_ops_names(void);

#ifdef __cplusplus
}
#endif
#endif
