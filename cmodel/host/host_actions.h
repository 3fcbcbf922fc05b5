// The actions that both ways of driving the host interface share.
#ifndef TANDEM_CMODEL_HOST_ACTIONS_H
#define TANDEM_CMODEL_HOST_ACTIONS_H

#include "host/host_internal.h"

// The access of the channel's semaphore operation. time: for the timestamp. Fills in PERFORM.
void host_semaphore_access(struct host *host, uint32_t channel, uint64_t time, struct trace_event *event);
// Its request was answered with a fault: the channel's.
void host_semaphore_failed(struct host *host, uint32_t channel, uint32_t fault);
// Its result: SEMAPHORE.
void host_semaphore_result(struct host *host, uint32_t channel, struct trace_event *event);
// The interrupt bits raised: INTERRUPT.
void host_interrupt(struct host *host, struct trace_event *event);

#endif
