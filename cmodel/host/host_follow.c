// The host interface in tandem: each event of the RTL is checked to be due, done, and told in the model's words.
#include <string.h>

#include "host/host_actions.h"

static bool not_due(struct why why, const struct trace_event *rtl, uint32_t channel, enum host_due due) {
    return why_refuse(why, "channel %u: %s, but %s is due", channel, trace_kind_name(rtl->kind), host_due_name(due));
}

static bool read_performed(struct host *host, const struct trace_event *rtl, struct trace_event *model,
                           struct why why) {
    const uint32_t c = rtl->perform.channel;
    struct host_channel *channel = &host->channel_state[c];
    struct host_fault_found fault;
    // The host may read the line it has once more: it forgets it when it turns to another channel.
    if (channel->busy && !channel->held && channel->own_code == 0 && channel->left != 0 &&
        channel->line == HOST_LINE_BLOCK && rtl->perform.addr == channel->line_addr &&
        gp_fetch_block_line(channel) == channel->line_addr) {
        gp_fetch_read(host, c, false, model);
        return true;
    }
    gp_fetch_advance(host, c);
    const enum host_due due = gp_fetch_due(host, c, &fault);
    if (due != HOST_DUE_READ_ENTRY && due != HOST_DUE_READ_BLOCK) return not_due(why, rtl, c, due);
    gp_fetch_read(host, c, due == HOST_DUE_READ_ENTRY, model);
    return true;
}

// The timestamp is the RTL's clock: taken from what it writes.
static bool timestamp(const struct host *host, const struct trace_event *rtl, const struct semaphore_operation *op,
                      uint64_t *time, struct why why) {
    *time = 0;
    if (!semaphore_unit_release_16(op)) return true;
    memcpy(time, rtl->perform.wdata + (op->addr & 16) + 8, sizeof *time);
    if (*time < host->last_time) return why_refuse(why, "the timestamp goes back");
    if (*time % host->run->config.ns_per_cycle != 0)
        return why_refuse(why, "the timestamp is not a multiple of a cycle");
    return true;
}

static bool semaphore_performed(struct host *host, const struct trace_event *rtl, struct trace_event *model,
                                struct why why) {
    const uint32_t c = rtl->perform.channel;
    struct host_fault_found fault;
    gp_fetch_advance(host, c);
    const enum host_due due = gp_fetch_due(host, c, &fault);
    if (due != HOST_DUE_SEMAPHORE_ACCESS) return not_due(why, rtl, c, due);
    const struct semaphore_operation op = host_semaphore_operation(&host->channel_state[c]);
    uint64_t time;
    if (!timestamp(host, rtl, &op, &time, why)) return false;
    host_semaphore_access(host, c, time, model);
    return true;
}

void host_bus_error(struct host *host, uint32_t port, const struct mem_request *request) {
    if (port == MEM_PORT_SEMAPHORE) {
        host_semaphore_failed(host, request->channel, 2);
    } else {
        // Of the ring, unless an entry has been begun.
        gp_fetch_failed(host, request->channel, !host->channel_state[request->channel].busy, 2);
    }
}

static bool channel_good(const struct host *host, const struct trace_event *rtl, uint32_t channel, struct why why) {
    if (channel < host->channels) return true;
    return why_refuse(why, "%s names channel %u, there are %u", trace_kind_name(rtl->kind), channel, host->channels);
}

static bool performed(struct host *host, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    if (!channel_good(host, rtl, rtl->perform.channel, why)) return false;
    return rtl->perform.port == MEM_PORT_HOST ? read_performed(host, rtl, model, why)
                                              : semaphore_performed(host, rtl, model, why);
}

static bool faulted(struct host *host, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const uint32_t c = rtl->fault.channel;
    struct host_channel *channel = &host->channel_state[c];
    struct host_fault_found fault = {0, 0};
    if (host->outputs.channel_halt[c]) return why_refuse(why, "channel %u: FAULT, but the channel stands faulted", c);
    // A fault of the task unit and one of the host's own may wait at once: the RTL has chosen.
    if (channel->fault_pending && channel->fault_code == rtl->fault.code && channel->fault_info == rtl->fault.info) {
        host_registers_stop(host, c, FAULT_NONE, 0, model);
        return true;
    }
    gp_fetch_advance(host, c);
    const enum host_due due = gp_fetch_due(host, c, &fault);
    if (due == HOST_DUE_FAULT) {
        host_registers_stop(host, c, fault.code, fault.info, model);
        return true;
    }
    // When an acquire's time is up is the RTL's clock.
    if (rtl->fault.code == FAULT_ACQUIRE && due == HOST_DUE_SEMAPHORE_ACCESS && channel->blocked &&
        channel->acquire_timeout != 0) {
        host_registers_stop(host, c, FAULT_ACQUIRE, channel->blocked_addr, model);
        return true;
    }
    if (channel->fault_pending) {
        host_registers_stop(host, c, FAULT_NONE, 0, model);
        return true;
    }
    return not_due(why, rtl, c, due);
}

// GP_ENTRY, METHOD, SEMAPHORE, GP_GET: all need what they are to be due on their channel.
static bool step(struct host *host, const struct trace_event *rtl, struct trace_event *model, uint32_t c,
                 enum host_due needed, struct why why) {
    struct host_fault_found fault;
    if (!channel_good(host, rtl, c, why)) return false;
    gp_fetch_advance(host, c);
    const enum host_due due = gp_fetch_due(host, c, &fault);
    if (due != needed) return not_due(why, rtl, c, due);
    switch (needed) {
        case HOST_DUE_ENTRY: gp_fetch_begin(host, c, model); break;
        case HOST_DUE_METHOD: method_parser_execute(host, c, model); break;
        case HOST_DUE_SEMAPHORE: host_semaphore_result(host, c, model); break;
        default: gp_fetch_finish(host, c, model); break;
    }
    return true;
}

bool host_follow(struct host *host, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    model->kind = rtl->kind;
    switch (rtl->kind) {
        case TRACE_REG_WRITE:
            model->reg_write = rtl->reg_write;
            host_reg_write(host, rtl->reg_write.addr, rtl->reg_write.data);
            return true;
        case TRACE_REG_READ:
            model->reg_read.addr = rtl->reg_read.addr;
            model->reg_read.data = host_reg_follow(host, rtl->reg_read.addr, rtl->reg_read.data);
            return true;
        case TRACE_PERFORM: return performed(host, rtl, model, why);
        case TRACE_GP_ENTRY: return step(host, rtl, model, rtl->gp_entry.channel, HOST_DUE_ENTRY, why);
        case TRACE_METHOD: return step(host, rtl, model, rtl->method.channel, HOST_DUE_METHOD, why);
        case TRACE_SEMAPHORE: return step(host, rtl, model, rtl->semaphore.channel, HOST_DUE_SEMAPHORE, why);
        case TRACE_GP_GET: return step(host, rtl, model, rtl->gp_get.channel, HOST_DUE_GP_GET, why);
        case TRACE_FAULT: return channel_good(host, rtl, rtl->fault.channel, why) && faulted(host, rtl, model, why);
        case TRACE_INTERRUPT:
            if (host->raised == 0) return why_refuse(why, "INTERRUPT, but no bit is raised");
            host_interrupt(host, model);
            return true;
        default: return why_refuse(why, "%s is no event of the host interface", trace_kind_name(rtl->kind));
    }
}
