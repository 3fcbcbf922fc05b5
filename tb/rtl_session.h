// What the backends rtl and tandem share: a verilated device opened from backend options, its trace file, its counters,
// and the CPU's accesses to it. The listener, if any, gets every event after it has been counted and traced.
#ifndef TANDEM_TB_RTL_SESSION_H
#define TANDEM_TB_RTL_SESSION_H

#include "backend/backend.h"
#include "backend/timeline.h"
#include "rtl_device.h"
#include "trace/trace_file.h"

struct rtl_session {
    const struct rtl_ops *ops;
    void *device;
    bool wave;                   // a wave file is being written
    struct trace_writer *trace;  // NULL: no trace wanted
    struct timeline *timeline;   // NULL: none wanted
    rtl_event_sink *listener;
    void *listener_context;
    uint64_t warp_instructions, thread_instructions, local_accesses;
    uint64_t events;                   // of the host, semaphores, tasks and tokens
    double seconds;                    // inside the device
    uint32_t bus_cycles, line_cycles;  // bounds, which follow the memory's latency
    char failed[512];                  // one line; empty while all is well
};

// Configuration, wave, trace, memory timing and the RTL's injected defect are taken from options. False with one line
// in message.
bool rtl_session_open(struct rtl_session *self, const struct backend_options *options, char *message,
                      size_t message_size);
void rtl_session_close(struct rtl_session *self);

// Both fail (and say so in self->failed) when the bus does not answer within its bound; a failed read gives all ones.
uint32_t rtl_session_reg_read(struct rtl_session *self, uint32_t offset);
void rtl_session_reg_write(struct rtl_session *self, uint32_t offset, uint32_t value);
// Clocks until no atomic holds a line open, so that a CPU access falls between two operations on memory. False: not
// within self->line_cycles, see self->failed.
bool rtl_session_wait_rmw(struct rtl_session *self);
bool rtl_session_mem_read(struct rtl_session *self, uint64_t addr, void *to, size_t size);
bool rtl_session_mem_write(struct rtl_session *self, uint64_t addr, const void *from, size_t size);
void rtl_session_bus_errors(struct rtl_session *self, uint64_t base, uint64_t size, bool writes_only);
uint64_t rtl_session_run(struct rtl_session *self, uint64_t cycles);
// For a checkpoint (base/image.h): the device and what has been counted, not the files that are written.
void rtl_session_image(struct rtl_session *self, struct image *image);
void rtl_session_statistics(const struct rtl_session *self, struct tandem_statistics *to);

// An event that counts in tandem_statistics.events: the host's own, semaphores, tasks, tokens (not register accesses).
bool rtl_session_counts_as_event(enum trace_kind kind);

#endif
