// A device as the driver's files see it: the struct behind the handle, messages, whether it is still good.
#ifndef TANDEM_DRIVER_DEVICE_H
#define TANDEM_DRIVER_DEVICE_H

#include <stdatomic.h>

#include "backend/backend.h"
#include "driver/heap.h"
#include "driver/lock.h"
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
    atomic_int interrupted;
    struct driver_lock *lock;                       // also counts what keeps the device: itself, its spaces, calls
    void (*destroy)(struct tandem_device *device);  // what the last who lets go of it calls
    struct heap memory;                             // of all spaces
    struct tandem_space *own;                       // what calls without a space mean
    struct tandem_channel **channels;               // config->channels places, NULL: free
    bool (*serve_queues)(struct tandem_device *);   // work queues whose GP_PUT the CPU moves; NULL: there was none
    uint64_t put_moves;
    uint32_t work_tags;      // kernels that threads can launch, as they were loaded: the last tag given
    uint32_t busy_channels;  // closed, but their tasks could not be ended: bits
    tandem_progress *progress;
    void *progress_context;
    tandem_printf *print;
    void *print_context;
    uint32_t printf_bytes;  // of the buffers of programs to come
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
    uint32_t queue_places;             // of each warp's token queue
    uint64_t queue_base, queue_bytes;  // of all of them, in device memory
    uint64_t deques_moved;             // token queues that the driver has moved to the middle
};

// ---- access.c
// Leaves the message, for the calling thread, and returns the status.
enum tandem_status driver_fail(struct tandem_device *device, enum tandem_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// TANDEM_CLOSED when the device has been closed, TANDEM_MISMATCH when model and RTL have parted, else TANDEM_OK.
enum tandem_status driver_check(struct tandem_device *device);
// Device memory and registers over the link. The range is the caller's matter.
enum tandem_status memory_write(struct tandem_device *device, uint64_t to, const void *from, size_t size);
enum tandem_status memory_read(struct tandem_device *device, uint64_t from, void *to, size_t size);
// A closed device reads all ones.
uint32_t register_read(struct tandem_device *device, uint32_t offset);
void register_write(struct tandem_device *device, uint32_t offset, uint32_t value);

// ---- device.c
// Around a call of tandem.h: one thread after the other (lock.h). calls: of the handle, NULL: none.
void driver_enter(struct tandem_device *device, unsigned *calls);
void driver_leave(struct tandem_device *device, unsigned *calls);
void driver_hold(struct tandem_device *device);
// What kept the device is gone: a handle, or itself. With the last one its memory is given back.
void driver_release(struct tandem_device *device);
enum tandem_status device_close(struct tandem_device *device);
// Runs up to `cycles`; returns those done. Fewer: the device can do nothing more by itself, or is lost.
uint64_t device_advance(struct tandem_device *device, uint64_t cycles);
// That, letting other threads have their turns; what a caller knew of the device before may not hold any more.
enum tandem_status device_run(struct tandem_device *device, uint64_t cycles);
void device_info(const struct tandem_device *device, struct tandem_info *info);
void device_statistics(const struct tandem_device *device, struct tandem_statistics *statistics);
enum tandem_status device_set_bus_errors(struct tandem_device *device, tandem_addr address, size_t size,
                                         bool writes_only);

#endif
