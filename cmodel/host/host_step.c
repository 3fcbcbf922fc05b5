// The host interface of the model running alone: chooses a channel, and does one thing that is to be seen.
#include <string.h>

#include "host/host_actions.h"

#define TURN_METHODS 64u

// Would the blocked acquire get its value now? So that it is tried only when there is a point: it waits for a write,
// not for time.
static bool acquire_would_pass(const struct host *host, uint32_t c) {
    const struct semaphore_operation op = host_semaphore_operation(&host->channel_state[c]);
    uint64_t physical;
    uint32_t word;
    if (!address_space_translate(host->mem, c, (uint32_t)op.addr, 4, &physical) || physical + 4 > mem_size(host->mem))
        return true;
    mem_get(host->mem, physical, &word, 4);
    return semaphore_unit_done(&op, word, host->run->inject);
}

static bool timed_out(const struct host *host, const struct host_channel *channel) {
    return channel->acquire_timeout != 0 && host->run->cycles - channel->blocked_since >= channel->acquire_timeout;
}

enum readiness { NOT_READY, READY, WAITS_FOR_TIME };

static enum readiness readiness(const struct host *host, uint32_t c) {
    const struct host_channel *channel = &host->channel_state[c];
    struct host_fault_found fault;
    if (channel->fault_pending) return READY;
    const enum host_due due = gp_fetch_due(host, c, &fault);
    if (due == HOST_DUE_NOTHING || due == HOST_DUE_WAIT) return NOT_READY;
    if (due != HOST_DUE_SEMAPHORE_ACCESS || !channel->blocked) return READY;
    if (acquire_would_pass(host, c) || timed_out(host, channel)) return READY;
    return channel->acquire_timeout != 0 ? WAITS_FOR_TIME : NOT_READY;
}

// A channel that is to be stopped stays where it is.
static void advance(struct host *host, uint32_t c) {
    if (!host->channel_state[c].fault_pending) gp_fetch_advance(host, c);
}

static bool choose(struct host *host, bool *time_passes) {
    uint8_t priority[HOST_MAX_CHANNELS];
    uint32_t ready = 0;
    *time_passes = false;
    for (uint32_t c = 0; c < host->channels; c++) {
        advance(host, c);
        const enum readiness found = readiness(host, c);
        if (found == WAITS_FOR_TIME) *time_passes = true;
        if (found == READY) ready |= 1u << c;
        priority[c] = (uint8_t)host->channel_state[c].priority;
    }
    if (!channel_choice_pick(&host->choice, host->channels, ready, priority, &host->channel)) return false;
    channel_choice_take(&host->choice, host->channel);
    host->turn = 0;
    host->serving = true;
    return true;
}

static void leave(struct host *host) {
    struct host_channel *channel = &host->channel_state[host->channel];
    host->serving = false;
    if (channel->line == HOST_LINE_BLOCK) channel->line = HOST_LINE_NONE;
}

static void emit(struct host *host, struct trace_event *event) {
    event->cycle = host->run->cycles;
    if (RUN_TRACING(host->run)) mem_emit(host->mem, event);
    memset(event, 0, sizeof *event);
}

// Does what is due. Returns whether it was something to be seen from outside (else: a read on the way to it).
static bool act(struct host *host, uint32_t c, enum host_due due, const struct host_fault_found *fault) {
    struct host_channel *channel = &host->channel_state[c];
    struct trace_event event;
    memset(&event, 0, sizeof event);
    bool seen = true;
    switch (due) {
        case HOST_DUE_READ_ENTRY:
        case HOST_DUE_READ_BLOCK:
            gp_fetch_read(host, c, due == HOST_DUE_READ_ENTRY, &event);
            seen = false;
            break;
        case HOST_DUE_ENTRY: gp_fetch_begin(host, c, &event); break;
        case HOST_DUE_SEMAPHORE_ACCESS:
            host_semaphore_access(host, c, host_time(host), &event);
            seen = false;
            break;
        case HOST_DUE_SEMAPHORE:
            host_semaphore_result(host, c, &event);
            if (channel->blocked) leave(host);
            break;
        case HOST_DUE_METHOD:
            method_parser_execute(host, c, &event);
            host->turn++;
            if (host->turn >= TURN_METHODS || method_parser_is_yield(&channel->method)) leave(host);
            break;
        case HOST_DUE_GP_GET:
            gp_fetch_finish(host, c, &event);
            leave(host);
            break;
        default:
            host_registers_stop(host, c, fault->code, fault->info, &event);
            leave(host);
            break;
    }
    emit(host, &event);
    if (host->raised != 0) {
        host_interrupt(host, &event);
        emit(host, &event);
    }
    return seen;
}

bool host_step(struct host *host) {
    bool time_passes = false;
    if (host->serving) {
        advance(host, host->channel);
        if (readiness(host, host->channel) != READY) leave(host);
    }
    if (!host->serving && !choose(host, &time_passes)) return time_passes;
    const uint32_t c = host->channel;
    struct host_channel *channel = &host->channel_state[c];
    for (;;) {
        struct host_fault_found fault = {FAULT_NONE, 0};
        gp_fetch_advance(host, c);
        enum host_due due = gp_fetch_due(host, c, &fault);
        if (channel->fault_pending) {
            due = HOST_DUE_FAULT;
            fault.code = FAULT_NONE;  // the one that waits
        } else if (due == HOST_DUE_SEMAPHORE_ACCESS && channel->blocked && timed_out(host, channel) &&
                   !acquire_would_pass(host, c)) {
            due = HOST_DUE_FAULT;
            fault = (struct host_fault_found){FAULT_ACQUIRE, channel->blocked_addr};
        }
        if (due == HOST_DUE_NOTHING || due == HOST_DUE_WAIT) {
            leave(host);
            return true;
        }
        if (act(host, c, due, &fault)) return true;
    }
}
