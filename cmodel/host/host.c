// The host interface as a whole: the twin of rtl/host/host_interface.sv. Two ways to drive it: host_follow.c takes the
// order of things from the RTL's events, host_step.c has its own. Both do the same actions; what an action is due is
// said by gp_fetch_due().
#include <stdio.h>
#include <stdlib.h>

#include "host/host_internal.h"

struct host *host_create(struct run *run, struct mem *mem, struct sm *const *sms, struct task *task) {
    const struct ppu_config *config = &run->config;
    if (config->channels > HOST_MAX_CHANNELS) return NULL;
    struct host *host = calloc(1, sizeof *host);
    if (host == NULL) return NULL;
    host->run = run;
    host->mem = mem;
    host->sms = sms;
    host->task = task;
    host->channels = config->channels;
    host->outputs.sm.yield_seed = REG_YIELD_SEED_RESET;
    host->outputs.sm.sv_threshold = REG_SV_THRESHOLD_RESET;
    host->l1_enable = REG_L1_CONTROL_RESET != 0;
    for (uint32_t c = 0; c < host->channels; c++)
        host->channel_state[c].acquire_retry = CHANNEL_ACQUIRE_RETRY_RESET;
    return host;
}

void host_destroy(struct host *host) {
    free(host);
}

const struct host_outputs *host_outputs(const struct host *host) {
    return &host->outputs;
}

struct semaphore_operation host_semaphore_operation(const struct host_channel *channel) {
    return (struct semaphore_operation){.word = channel->method.data,
                                        .addr = (uint64_t)channel->semaphore_a << 32 | channel->semaphore_b,
                                        .payload = channel->semaphore_c};
}

const char *host_due_name(enum host_due due) {
    switch (due) {
        case HOST_DUE_NOTHING: return "nothing";
        case HOST_DUE_WAIT: return "a wait for the channel's tasks or for the task unit";
        case HOST_DUE_READ_ENTRY: return "the read of a GP entry";
        case HOST_DUE_READ_BLOCK: return "the read of a command block";
        case HOST_DUE_ENTRY: return "GP_ENTRY";
        case HOST_DUE_SEMAPHORE_ACCESS: return "the access to a semaphore";
        case HOST_DUE_SEMAPHORE: return "SEMAPHORE";
        case HOST_DUE_METHOD: return "METHOD";
        case HOST_DUE_GP_GET: return "GP_GET";
        case HOST_DUE_FAULT: return "FAULT";
    }
    return "?";
}

bool host_quiescent(const struct host *host, struct why why) {
    if (host->raised != 0) return why_refuse(why, "INTERRUPT 0x%08x is due", host->raised);
    for (uint32_t c = 0; c < host->channels; c++) {
        const struct host_channel *ch = &host->channel_state[c];
        if (host->outputs.channel_halt[c]) continue;
        if (ch->fault_pending) return why_refuse(why, "channel %u: FAULT %s is due", c, fault_name(ch->fault_code));
        if (!ch->enable) continue;  // stopped between two words: goes on when it is enabled again
        if (ch->own_code != 0) return why_refuse(why, "channel %u: FAULT %s is due", c, fault_name(ch->own_code));
        if (!ch->busy && ch->line == HOST_LINE_RING)
            return why_refuse(why, "channel %u: GP_ENTRY %u is due", c, ch->gp_get);
        if (ch->tried) return why_refuse(why, "channel %u: SEMAPHORE is due", c);
        if (ch->passed) return why_refuse(why, "channel %u: METHOD of a semaphore is due", c);
        if (ch->busy && ch->left == 0 && !ch->held)
            return why_refuse(why, "channel %u: GP_GET after entry %u is due", c, ch->gp_get);
    }
    return true;
}

void host_describe_channel(const struct host *host, unsigned channel, char *to, size_t size) {
    if (size == 0) return;
    if (channel >= host->channels) {
        (void)snprintf(to, size, "channel %u: there are %u\n", channel, host->channels);
        return;
    }
    const struct host_channel *ch = &host->channel_state[channel];
    const struct mem_space *space = &host->outputs.space[channel];
    const char *waits = ch->blocked ? ", blocked on an acquire" : ch->held ? ", a method waits" : "";
    (void)snprintf(to, size,
                   "channel %u: %s%s%s, priority %u, space 0x%08x + 0x%08x\n"
                   "  ring 0x%08x, %u entries, GP_GET %u, GP_PUT %u, entry %s, next word at 0x%08x, %u left\n"
                   "  running method: subchannel %u, address 0x%04x, %u words to come; held: 0x%04x data 0x%08x%s\n"
                   "  semaphore 0x%02x%08x payload 0x%08x; reference %u; TMD 0x%x00; program region 0x%08x; "
                   "local memory 0x%08x\n"
                   "  fault %s info 0x%08x pc 0x%08x\n",
                   channel, ch->enable ? "enabled" : "disabled", host->outputs.channel_halt[channel] ? ", faulted" : "",
                   waits, ch->priority, space->base, space->size, ch->gp_base, ch->gp_entries, ch->gp_get, ch->gp_put,
                   ch->busy ? "begun" : "not begun", ch->block, ch->left, ch->subchannel, ch->address << 2, ch->count,
                   ch->method.addr << 2, ch->method.data, ch->held ? "" : " (done)", ch->semaphore_a, ch->semaphore_b,
                   ch->semaphore_c, ch->reference, ch->pcas_a, ch->region, ch->local,
                   fault_name(host->outputs.channel_halt[channel] ? ch->fault_code : FAULT_NONE), ch->fault_info,
                   ch->fault_pc);
}

void host_look_channel(const struct host *host, unsigned channel, struct channel_look *look) {
    const struct host_channel *ch = &host->channel_state[channel];
    *look = (struct channel_look){.enabled = ch->enable,
                                  .faulted = host->outputs.channel_halt[channel],
                                  .blocked = ch->blocked,
                                  .held = ch->held,
                                  .code = ch->fault_code,
                                  .info = ch->fault_info,
                                  .pc = ch->fault_pc,
                                  .get = ch->gp_get,
                                  .put = ch->gp_put,
                                  .blocked_address = ch->blocked_addr,
                                  .blocked_payload = ch->blocked_payload,
                                  .space = host->outputs.space[channel].base,
                                  .tasks = task_outstanding(host->task, channel)};
}
