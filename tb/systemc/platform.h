// The SystemC platform behind a C interface: a host, a link, the PPU and its memory as TLM-2.0 parts. SystemC's kernel
// has one simulation context in a process, so there is one platform in a process; it holds one device at a time.
#ifndef TANDEM_TB_SYSTEMC_PLATFORM_H
#define TANDEM_TB_SYSTEMC_PLATFORM_H

#include "backend/backend.h"
#include "systemc/link.h"

#ifdef __cplusplus
extern "C" {
#endif

// What the host's socket reaches: the registers, and the device's memory through the PPU.
#define PLATFORM_REGISTERS UINT64_C(0)
#define PLATFORM_MEMORY UINT64_C(0x100000000)

enum platform_command { PLATFORM_READ, PLATFORM_WRITE, PLATFORM_IGNORE };
// A generic payload as C sees it.
struct platform_transaction {
    enum platform_command command;
    uint64_t addr;
    uint8_t *data;  // length bytes
    uint32_t length;
    uint32_t streaming_width;     // 0: length
    const uint8_t *byte_enables;  // 0 or 0xFF each, repeated when shorter than the data; NULL: all
    uint32_t byte_enable_length;
    // what comes back
    int response;  // of tlm_response_status: 1 done, -1 an error, -2 address, -3 command, -4 burst, -5 byte enables
    bool dmi_allowed;
};

// Sockets that a transaction can be sent to.
enum platform_socket { PLATFORM_LINK, PLATFORM_PPU, PLATFORM_MEMORY_PART };

struct platform_figures {
    struct link_figures link;
    uint64_t memory_transactions, memory_bytes, direct, dmi_granted, dmi_invalidated, interrupts;
};

struct platform_ops {
    // A device in the platform. options: of the core and the platform; memory is made by the platform. NULL with one
    // line in message, also while there is another.
    void *(*open)(const struct backend_options *options, char *message, size_t message_size);
    bool (*close)(void *self);  // false: something was wrong, and has been said
    // Over the link. False: see failed().
    bool (*read)(void *self, uint64_t addr, void *to, size_t size);
    bool (*write)(void *self, uint64_t addr, const void *from, size_t size);
    // Time goes on by `cycles`; returns those in which something could happen.
    uint64_t (*run)(void *self, uint64_t cycles);
    void (*bus_errors)(void *self, uint64_t base, uint64_t size, bool writes_only);
    void (*statistics)(void *self, struct tandem_statistics *to);
    bool (*irq)(void *self);  // as the host has been told by the link
    const char *(*failed)(void *self);

    // For tests: the device that the platform holds, or NULL; a transaction to any of its sockets, from a process of
    // SystemC; a request for direct memory, whose range comes back; whether the memory grants such (what was granted is
    // invalidated when it no longer does); what was counted.
    void *(*current)(void);
    bool (*transport)(void *self, enum platform_socket socket, struct platform_transaction *transaction);
    bool (*direct)(void *self, enum platform_socket socket, uint64_t addr, uint64_t *start, uint64_t *end);
    void (*grant_direct)(void *self, bool granted);
    void (*figures)(void *self, struct platform_figures *to);
};

// In programs that are built with SystemC; in others C finds it at NULL.
#ifdef __cplusplus
extern const struct platform_ops platform_ops;
#else
extern const struct platform_ops platform_ops __attribute__((weak));
#endif

#ifdef __cplusplus
}
#endif
#endif
