// A device as the driver's files see it: the struct behind the handle, messages, whether it is still good.
#ifndef TANDEM_DRIVER_DEVICE_H
#define TANDEM_DRIVER_DEVICE_H

#include <signal.h>

#include "backend/backend.h"
#include "driver/heap.h"
#include "driver/recompile.h"
#include "driver/tandem.h"

#define DRIVER_MESSAGE_SIZE 1024u

// What second compiles have gained so far: the part of a launch's time, from 0 up; those that gained nothing count 0.
struct gains {
    double sum;
    unsigned count;
};

struct tandem_device {
    const struct backend_ops *ops;
    void *backend;  // NULL once closed
    struct backend_options options;
    volatile sig_atomic_t interrupted;
    unsigned references;  // the device itself, its channels and modules
    struct heap code, data;
    uint32_t code_generation;          // goes up with each module loaded: channels then forget cached instructions
    struct tandem_channel **channels;  // config->channels places, NULL: free
    uint32_t busy_channels;            // closed before their tasks had ended: bits
    tandem_progress *progress;
    void *progress_context;
    tandem_printf *print;
    void *print_context;
    uint32_t printf_bytes;           // of the buffers of programs to come
    struct tandem_module *printing;  // modules that print
    uint64_t printed, print_dropped;
    struct {  // second compiles (recompile.c, variants.c)
        struct tandem_recompile_options options;
        bool compiler_set, log_set;
        alias_compile *compile;
        void *compile_context;
        tandem_recompile_log *log;
        void *log_context;
        struct gains gains;
    } again;
    double seconds;
    uint64_t link_words, link_transfers;
    uint64_t deques_moved;  // token deques that the driver has moved to the middle
    char message[DRIVER_MESSAGE_SIZE];
};

// ---- access.c
// Leaves the message and returns the status.
enum tandem_status driver_fail(struct tandem_device *device, enum tandem_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// TANDEM_CLOSED when the device has been closed, TANDEM_MISMATCH when model and RTL have parted, else TANDEM_OK.
enum tandem_status driver_check(struct tandem_device *device);

// ---- device.c
// A handle of the device is gone: its channel or module, or itself. With the last one its memory is given back.
void driver_release(struct tandem_device *device);

#endif
