#include "host/host_actions.h"

void host_semaphore_access(struct host *host, uint32_t c, uint64_t time, struct trace_event *event) {
    struct host_channel *channel = &host->channel_state[c];
    const struct semaphore_operation op = host_semaphore_operation(channel);
    const struct mem_request request = semaphore_unit_request(&op, c, time, host->run->inject);
    if (semaphore_unit_is_acquire(&op)) {
        channel->blocked_addr = (uint32_t)op.addr;
        channel->blocked_payload = op.payload;
    }
    mem_perform_event(host->mem, MEM_PORT_SEMAPHORE, &request, &channel->answer, event);
    channel->time = semaphore_unit_release_16(&op) ? time : 0;
    if (channel->time != 0) host->last_time = channel->time;
    if (channel->answer.fault != 0) {
        host_semaphore_failed(host, c, channel->answer.fault);
    } else {
        channel->tried = true;
    }
}

void host_semaphore_failed(struct host *host, uint32_t c, uint32_t fault) {
    struct host_channel *channel = &host->channel_state[c];
    channel->tried = false;
    channel->own_code = fault == ANSWER_BUS_ERROR ? FAULT_BUS_ERROR : FAULT_SEMAPHORE_ADDRESS;
    channel->own_info = (uint32_t)host_semaphore_operation(channel).addr;
}

void host_semaphore_result(struct host *host, uint32_t c, struct trace_event *event) {
    struct host_channel *channel = &host->channel_state[c];
    const struct semaphore_operation op = host_semaphore_operation(channel);
    const uint32_t value = semaphore_unit_value(&op, &channel->answer);
    const bool done = semaphore_unit_done(&op, value, host->run->inject);
    event->kind = TRACE_SEMAPHORE;
    event->semaphore = (struct trace_semaphore){.channel = c,
                                                .operation = semaphore_unit_kind(&op),
                                                .addr = op.addr,
                                                .payload = op.payload,
                                                .value = value,
                                                .done = done,
                                                .time = channel->time};
    channel->tried = false;
    if (done) {
        host->run->counters.semaphores++;
        channel->blocked = false;
        channel->passed = true;
    } else {
        if (!channel->blocked) channel->blocked_since = host->run->cycles;
        channel->blocked = true;
        channel->line = HOST_LINE_NONE;  // the channel is left, and the line with it
    }
}

void host_interrupt(struct host *host, struct trace_event *event) {
    event->kind = TRACE_INTERRUPT;
    event->interrupt.bits = host->raised;
    host->raised = 0;
}
