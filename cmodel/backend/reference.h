// The model as the device that another one is compared with: by itself, on its own schedule, and with a listener when somebody wants to know what
// exactly its warps have done.
#ifndef TANDEM_BACKEND_REFERENCE_H
#define TANDEM_BACKEND_REFERENCE_H

#include "backend/signed_device.h"
#include "gen/trace.h"

// A warp that has run: where, what it is called, what it works on.
struct reference_warp {
    uint32_t name, sm, warp, tmd, cta[3], index;
};

// Collects, while listening, the warps that start, in their order; and all INSTR, WB and MEM_REQ of warps of the name `wanted`, if there is one.
struct reference_log {
    bool listening, wants;
    uint32_t wanted;
    struct reference_warp *warps;
    size_t warp_count, warp_room;
    struct trace_event *events;
    size_t event_count, event_room;
    bool failed;  // the host has no memory for it
    // Who has written `watched` last, while it watches.
    bool watches, written;
    uint64_t watched;
    struct trace_mem_req request;
    struct trace_instr writer;
    uint32_t writer_sm;
    struct trace_instr last[SIGNED_SMS_MAX][64];  // instruction of each warp
    uint32_t slot_tmd[64];
    struct trace_cta_launch launch[SIGNED_SMS_MAX];
    uint32_t name[SIGNED_SMS_MAX][64];  // of the warps that run
};

void reference_log_free(struct reference_log *log);

// Makes of device, whose options have config, mem_bytes and seed, a model that is not open yet. log: NULL, or where its events go; outlives it.
void reference_make(struct signed_device *device, const struct backend_options *options, struct reference_log *log);

// Whether memory at this physical address is what threads have written, and so the same on every good device. device: open, and a reference.
bool reference_judges(const struct signed_device *device, uint64_t address);

#endif
