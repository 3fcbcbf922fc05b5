// The host interface as the rest of the model sees it: the twin of rtl/host/host_interface.sv.
#ifndef TANDEM_CMODEL_HOST_H
#define TANDEM_CMODEL_HOST_H

#include "base/fault.h"
#include "base/look.h"
#include "base/run.h"
#include "base/why.h"
#include "mem/mem.h"
#include "sm/sm.h"
#include "task/task.h"

#define HOST_MAX_CHANNELS 16u

// What the units below read of the host interface: outputs of rtl/host/host_registers.sv. They stay where they are.
struct host_outputs {
    struct mem_space space[HOST_MAX_CHANNELS];       // CHANNEL_SPACE_BASE, _SIZE
    bool channel_halt[HOST_MAX_CHANNELS];            // the channel stands faulted
    bool round_robin;                                // TASK_SCHEDULE.ROUND_ROBIN
    uint32_t slice;                                  // TASK_SCHEDULE.SLICE
    struct task_suspend suspend[HOST_MAX_CHANNELS];  // CONTROL.SUSPEND
    struct sm_settings sm;
};

// sms: run->config.sms of them. Everything given must outlive it. NULL: memory is short, or too many channels. The
// caller owns it: host_destroy.
struct host;
struct host *host_create(struct run *run, struct mem *mem, struct sm *const *sms, struct task *task);
void host_destroy(struct host *host);
const struct host_outputs *host_outputs(const struct host *host);

// ---- the CPU's side
uint32_t host_reg_read(struct host *host, uint32_t offset);
void host_reg_write(struct host *host, uint32_t offset, uint32_t value);
bool host_irq(const struct host *host);

// ---- what the units below tell
// A fault of memory, task unit or warp: the first of a channel is kept, event FAULT then is due.
void host_fault(struct host *host, const struct fault_report *fault);
void host_warp_held(struct host *host);  // raises its interrupt

void host_image(struct host *host, struct image *image);  // as mem_image()

// ---- running
// Alone: one action of the host on some channel (seeded choice, priorities obeyed). False: nothing to do.
bool host_step(struct host *host);
// In tandem: events REG_WRITE, REG_READ, GP_ENTRY, METHOD, SEMAPHORE, GP_GET, FAULT, INTERRUPT, and PERFORM on ports 0
// and 1.
bool host_follow(struct host *host, const struct trace_event *rtl, struct trace_event *model, struct why why);
// In tandem: the memory has answered a request of the host (ports 0 and 1) with an error.
void host_bus_error(struct host *host, uint32_t port, const struct mem_request *request);
// False: something is due that the RTL has not told; why names it.
bool host_quiescent(const struct host *host, struct why why);
// For mismatch reports: the state of a channel as text, at most size bytes with the final 0.
void host_describe_channel(const struct host *host, unsigned channel, char *to, size_t size);
// For a debugger; channel: one that the device has.
void host_look_channel(const struct host *host, unsigned channel, struct channel_look *look);

#endif
