// Host registers: the register map of registers.tbl, faults and interrupts. The twin of rtl/host/host_registers.sv.
#include <string.h>

#include "host/host_internal.h"

uint64_t host_time(const struct host *host) {
    return host->run->cycles * host->run->config.ns_per_cycle;
}

void host_registers_raise(struct host *host, uint32_t bits) {
    host->raised |= bits;
    host->intr_status |= bits;
}

bool host_irq(const struct host *host) {
    return (host->intr_status & host->intr_enable) != 0;
}

void host_fault(struct host *host, const struct fault_report *fault) {
    struct host_channel *ch = &host->channel_state[fault->channel];
    if (host->outputs.channel_halt[fault->channel] || ch->fault_pending) return;
    ch->fault_pending = true;
    ch->fault_code = fault->code;
    ch->fault_info = fault->info;
    ch->fault_pc = fault->pc;
}

void host_registers_stop(struct host *host, uint32_t channel, uint32_t code, uint32_t info, struct trace_event *event) {
    struct host_channel *ch = &host->channel_state[channel];
    if (code != FAULT_NONE) {
        ch->fault_code = code;
        ch->fault_info = info;
        ch->fault_pc = 0;
    }
    host->outputs.channel_halt[channel] = true;
    task_halt(host->task, channel);
    ch->fault_pending = false;
    host_registers_raise(host, REG_INTR_STATUS_FAULT(1u << channel));
    event->kind = TRACE_FAULT;
    event->fault =
        (struct trace_fault){.channel = channel, .code = ch->fault_code, .info = ch->fault_info, .pc = ch->fault_pc};
}

static void channel_reset(struct host *host, uint32_t channel) {
    struct host_channel *ch = &host->channel_state[channel];
    if (!task_channel_idle(host->task, channel)) return;
    host->outputs.channel_halt[channel] = false;
    ch->gp_get = ch->gp_put = 0;
    ch->busy = false;
    ch->line = HOST_LINE_NONE;
    ch->own_code = ch->own_info = 0;
    method_parser_reset(ch);
}

void host_icache_invalidate(struct host *host) {
    for (uint32_t s = 0; s < host->run->config.sms; s++)
        sm_icache_invalidate(host->sms[s]);
}

// In place of a fault of the task unit that waits: the RTL's may not have come to the host yet.
static void channel_stop(struct host *host, uint32_t channel) {
    struct host_channel *ch = &host->channel_state[channel];
    if (host->outputs.channel_halt[channel]) return;
    ch->fault_pending = true;
    ch->fault_code = FAULT_STOPPED;
    ch->fault_info = ch->fault_pc = 0;
}

static void suspend(struct host *host, uint32_t channel, bool on) {
    struct task_suspend *state = &host->outputs.suspend[channel];
    if (host->run->cycles != state->since) state->before = state->on;
    state->on = on;
    state->since = host->run->cycles;
}

static void channel_write(struct host *host, uint32_t channel, uint32_t offset, uint32_t value) {
    struct host_channel *ch = &host->channel_state[channel];
    switch (offset) {
        case CHANNEL_CONTROL:
            ch->enable = CHANNEL_CONTROL_ENABLE_OF(value) != 0;
            if (CHANNEL_CONTROL_RESET_OF(value) != 0)
                channel_reset(host, channel);
            else if (CHANNEL_CONTROL_STOP_OF(value) != 0)
                channel_stop(host, channel);
            suspend(host, channel, CHANNEL_CONTROL_SUSPEND_OF(value) != 0);
            ch->ppu_owned = CHANNEL_CONTROL_PPU_OWNED_OF(value) != 0;
            if (ch->ppu_owned) ch->gp_put = ch->gp_get == 0 ? ch->gp_entries - 1 : ch->gp_get - 1;
            break;
        case CHANNEL_PRIORITY: ch->priority = value & 3; break;
        case CHANNEL_GP_BASE: ch->gp_base = value & ~7u; break;
        case CHANNEL_GP_ENTRIES: ch->gp_entries = value; break;
        case CHANNEL_SPACE_BASE:
            host->outputs.space[channel].base = value & ~4095u;
            host_icache_invalidate(host);
            break;
        case CHANNEL_SPACE_SIZE: host->outputs.space[channel].size = value & ~4095u; break;
        case CHANNEL_ACQUIRE_RETRY: ch->acquire_retry = value; break;
        case CHANNEL_ACQUIRE_TIMEOUT: ch->acquire_timeout = value; break;
        default: break;
    }
}

void host_warp_held(struct host *host) {
    host_registers_raise(host, REG_INTR_STATUS_WARP_HELD(1u));
}

static bool all_idle(const struct host *host) {
    for (uint32_t c = 0; c < host->channels; c++) {
        if (!task_channel_idle(host->task, c)) return false;
    }
    return true;
}

// The warp that WARP_SELECT names; false unless it is held.
static bool selected_held(const struct host *host, uint32_t *sm, uint32_t *warp) {
    *sm = REG_WARP_SELECT_SM_OF(host->warp_select);
    *warp = REG_WARP_SELECT_WARP_OF(host->warp_select);
    return *sm < host->run->config.sms && *warp < host->run->config.warps && sm_warp_held(host->sms[*sm], *warp);
}

static void set_token_memory(struct host *host, uint32_t value) {
    const struct ppu_config *config = &host->run->config;
    const uint32_t size = REG_DEQUE_MEMORY_SIZE_OF(value);
    if ((uint64_t)config->deque_entries / 2 << size > config->deque_most) return;
    host->outputs.sm.deque_size = size;
    host->outputs.sm.deque_base = REG_DEQUE_MEMORY_BASE_OF(value) * 4096;
}

static void deque_write(struct host *host, uint32_t offset, uint32_t value) {
    uint32_t sm, warp;
    if (offset == REG_DEQUE_CONTROL && all_idle(host))
        host->outputs.sm.deque_serve = REG_DEQUE_CONTROL_SERVE_OF(value) != 0;
    if (offset == REG_DEQUE_MEMORY && all_idle(host)) set_token_memory(host, value);
    if (offset == REG_YIELD_SEED && all_idle(host)) host->outputs.sm.yield_seed = value;
    if (offset == REG_WARPS_RESIDENT) host->run->counters.resident_peak = host->run->counters.resident;
    if (offset == REG_SV_ORDER && all_idle(host)) host->outputs.sm.sv_order = REG_SV_ORDER_ORDER_OF(value);
    if (offset == REG_SV_THRESHOLD && all_idle(host)) host->outputs.sm.sv_threshold = value & 0x1FFFFu;
    if (offset == REG_L1_CONTROL) host->l1_enable = REG_L1_CONTROL_ENABLE_OF(value) != 0;
    if (offset == REG_TASK_SCHEDULE && all_idle(host)) {
        host->outputs.round_robin = REG_TASK_SCHEDULE_ROUND_ROBIN_OF(value) != 0;
        host->outputs.slice = REG_TASK_SCHEDULE_SLICE_OF(value);
    }
    if (offset == REG_WARP_POLICY) host->outputs.sm.warp_policy = REG_WARP_POLICY_POLICY_OF(value);
    if (offset >= REG_SIGNATURE && offset <= REG_SIGNATURE_PLACE && all_idle(host)) {
        for (uint32_t s = 0; s < host->run->config.sms; s++)
            sm_signature_write(host->sms[s], offset, value);
    }
    if (!selected_held(host, &sm, &warp)) return;
    switch (offset) {
        case REG_DEQUE_MOVE: sm_deque_move(host->sms[sm], warp, (int16_t)(value & 0xFFFF)); break;
        case REG_DEQUE_RESUME: sm_deque_resume(host->sms[sm], warp); break;
        default: break;
    }
}

static uint32_t deque_read(const struct host *host, uint32_t offset) {
    uint32_t sm, warp;
    switch (offset) {
        case REG_DEQUE_CONTROL: return host->outputs.sm.deque_serve ? 1 : 0;
        case REG_YIELD_SEED: return host->outputs.sm.yield_seed;
        case REG_WARPS_RESIDENT:
            return REG_WARPS_RESIDENT_MOST(host->run->counters.resident_peak) |
                   REG_WARPS_RESIDENT_NOW(host->run->counters.resident);
        case REG_SV_ORDER: return host->outputs.sm.sv_order;
        case REG_SV_THRESHOLD: return host->outputs.sm.sv_threshold;
        case REG_L1_CONTROL: return host->l1_enable ? 1 : 0;
        case REG_TASK_SCHEDULE:
            return REG_TASK_SCHEDULE_ROUND_ROBIN(host->outputs.round_robin ? 1u : 0u) |
                   REG_TASK_SCHEDULE_SLICE(host->outputs.slice);
        case REG_WARP_POLICY: return host->outputs.sm.warp_policy;
        case REG_ISSUED:
            sm = REG_WARP_SELECT_SM_OF(host->warp_select);
            return sm < host->run->config.sms ? sm_issued(host->sms[sm]) : 0;
        case REG_SIGNATURE:
            sm = REG_WARP_SELECT_SM_OF(host->warp_select);
            return sm < host->run->config.sms ? sm_signature(host->sms[sm]) : 0;
        case REG_SIGNATURE_LIMIT:
            sm = REG_WARP_SELECT_SM_OF(host->warp_select);
            return sm < host->run->config.sms ? sm_signature_limit(host->sms[sm]) : 0;
        case REG_DEQUE_HELD:
            for (uint32_t s = 0; s < host->run->config.sms; s++) {
                for (uint32_t w = 0; w < host->run->config.warps; w++) {
                    if (sm_warp_held(host->sms[s], w))
                        return REG_DEQUE_HELD_HELD(1u) | REG_DEQUE_HELD_SM(s) | REG_DEQUE_HELD_WARP(w);
                }
            }
            return 0;
        case REG_DEQUE_ENDS: return selected_held(host, &sm, &warp) ? sm_deque_ends(host->sms[sm], warp) : 0;
        case REG_DEQUE_KEPT: return selected_held(host, &sm, &warp) ? sm_deque_kept(host->sms[sm], warp) : 0;
        case REG_DEQUE_MEMORY:
            return REG_DEQUE_MEMORY_SIZE(host->outputs.sm.deque_size) |
                   REG_DEQUE_MEMORY_BASE(host->outputs.sm.deque_base / 4096);
        default: return 0;
    }
}

void host_reg_write(struct host *host, uint32_t offset, uint32_t value) {
    uint32_t channel = 0;
    offset &= 0xFFFFCu;
    const struct register_info *info = register_find(offset, host->channels, &channel);
    if (info == NULL) return;
    if (info->block == REGISTER_CHANNEL) {
        channel_write(host, channel, info->offset, value);
    } else if (info->block == REGISTER_USERD) {
        if (info->offset == USERD_GP_PUT && !host->channel_state[channel].ppu_owned)
            host->channel_state[channel].gp_put = value;
    } else {
        switch (info->offset) {
            case REG_SCRATCH: host->scratch = value; break;
            case REG_INTR_STATUS: host->intr_status &= ~value; break;
            case REG_INTR_ENABLE: host->intr_enable = value; break;
            case REG_WARP_SELECT: host->warp_select = value & 0xFFFF; break;
            default: deque_write(host, info->offset, value); break;
        }
    }
}

static uint32_t status(const struct host *host, uint32_t channel) {
    const struct host_channel *ch = &host->channel_state[channel];
    uint32_t state = CHANNEL_STATUS_STATE_IDLE;
    if (host->outputs.channel_halt[channel])
        state = CHANNEL_STATUS_STATE_FAULTED;
    else if (ch->blocked)
        state = CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE;
    else if (ch->held)
        state = task_channel_idle(host->task, channel) ? CHANNEL_STATUS_STATE_WAITING_FOR_THE_TASK_UNIT
                                                       : CHANNEL_STATUS_STATE_WAITING_FOR_IDLE;
    else if (ch->busy)
        state = CHANNEL_STATUS_STATE_EXECUTING;
    else if (ch->enable && ch->gp_put != ch->gp_get)
        state = CHANNEL_STATUS_STATE_FETCHING;
    const bool suspended = host->outputs.suspend[channel].on && task_settled(host->task, channel);
    return CHANNEL_STATUS_TASKS(task_outstanding(host->task, channel)) | CHANNEL_STATUS_STATE(state) |
           CHANNEL_STATUS_SUSPENDED(suspended ? 1u : 0u);
}

static uint32_t channel_read(const struct host *host, uint32_t channel, uint32_t offset) {
    const struct host_channel *ch = &host->channel_state[channel];
    switch (offset) {
        case CHANNEL_CONTROL:
            return CHANNEL_CONTROL_ENABLE(ch->enable ? 1u : 0u) | CHANNEL_CONTROL_PPU_OWNED(ch->ppu_owned ? 1u : 0u) |
                   CHANNEL_CONTROL_SUSPEND(host->outputs.suspend[channel].on ? 1u : 0u);
        case CHANNEL_STATUS: return status(host, channel);
        case CHANNEL_PRIORITY: return ch->priority;
        case CHANNEL_GP_BASE: return ch->gp_base;
        case CHANNEL_GP_ENTRIES: return ch->gp_entries;
        case CHANNEL_SPACE_BASE: return host->outputs.space[channel].base;
        case CHANNEL_SPACE_SIZE: return host->outputs.space[channel].size;
        case CHANNEL_ACQUIRE_RETRY: return ch->acquire_retry;
        case CHANNEL_ACQUIRE_TIMEOUT: return ch->acquire_timeout;
        case CHANNEL_FAULT_CODE: return host->outputs.channel_halt[channel] ? ch->fault_code : 0;
        case CHANNEL_FAULT_INFO: return host->outputs.channel_halt[channel] ? ch->fault_info : 0;
        case CHANNEL_FAULT_PC: return host->outputs.channel_halt[channel] ? ch->fault_pc : 0;
        case CHANNEL_BLOCKED_ADDR: return ch->blocked_addr;
        case CHANNEL_BLOCKED_PAYLOAD: return ch->blocked_payload;
        case CHANNEL_SIGNATURE: return ch->signature;
        default: return 0;
    }
}

static uint32_t userd_read(const struct host *host, uint32_t channel, uint32_t offset) {
    const struct host_channel *ch = &host->channel_state[channel];
    switch (offset) {
        case USERD_PUT:
        case USERD_GET: return ch->block;
        case USERD_REFERENCE: return ch->reference;
        case USERD_GP_GET: return ch->gp_get;
        case USERD_GP_PUT: return ch->gp_put;
        default: return 0;
    }
}

static uint32_t warp_read(struct host *host, uint32_t offset) {
    const uint32_t sm = REG_WARP_SELECT_SM_OF(host->warp_select), warp = REG_WARP_SELECT_WARP_OF(host->warp_select);
    uint32_t pc = 0, state = 0;
    uint64_t mask = 0;
    if (sm < host->run->config.sms && warp < host->run->config.warps)
        sm_warp_registers(host->sms[sm], warp, &pc, &mask, &state);
    switch (offset) {
        case REG_WARP_PC: return pc;
        case REG_WARP_MASK_LO: return (uint32_t)mask;
        case REG_WARP_MASK_HI: return (uint32_t)(mask >> 32);
        default: return state;
    }
}

static uint32_t shared_read(const struct host *host, uint32_t offset) {
    const uint32_t sm = REG_WARP_SELECT_SM_OF(host->warp_select);
    uint32_t passes = 0, conflicts = 0;
    if (sm < host->run->config.sms) sm_shared_counters(host->sms[sm], &passes, &conflicts);
    return offset == REG_SHARED_PASSES ? passes : conflicts;
}

static uint32_t global_read(struct host *host, uint32_t offset) {
    const struct ppu_config *config = &host->run->config;
    switch (offset) {
        case REG_MAGIC: return REG_MAGIC_RESET;
        case REG_ABI_VERSION: return REG_ABI_VERSION_RESET;
        case REG_CONFIG0:
            return REG_CONFIG0_THREADS(config->threads) | REG_CONFIG0_LANES(config->lanes) |
                   REG_CONFIG0_WARPS(config->warps) | REG_CONFIG0_SMS(config->sms);
        case REG_CONFIG1:
            return REG_CONFIG1_CHANNELS(config->channels) | REG_CONFIG1_TASK_SLOTS(config->task_slots) |
                   REG_CONFIG1_DEQUE_ENTRIES(config->deque_entries);
        case REG_CONFIG2:
            return REG_CONFIG2_VGPR_ROWS(config->vgpr_rows) | REG_CONFIG2_CONST_BANKS(config->const_banks) |
                   REG_CONFIG2_PENDING_TASKS(config->pending_tasks);
        case REG_SCRATCH: return host->scratch;
        case REG_INTR_STATUS: return host->intr_status;
        case REG_INTR_ENABLE: return host->intr_enable;
        case REG_CYCLES_LO: host->cycles_hi = (uint32_t)(host->run->cycles >> 32); return (uint32_t)host->run->cycles;
        case REG_CYCLES_HI: return host->cycles_hi;
        case REG_TIME_LO: host->time_hi = (uint32_t)(host_time(host) >> 32); return (uint32_t)host_time(host);
        case REG_TIME_HI: return host->time_hi;
        case REG_WARP_SELECT: return host->warp_select;
        case REG_WARP_PC:
        case REG_WARP_MASK_LO:
        case REG_WARP_MASK_HI:
        case REG_WARP_STATE: return warp_read(host, offset);
        case REG_SHARED_PASSES:
        case REG_SHARED_CONFLICTS: return shared_read(host, offset);
        default: return deque_read(host, offset);
    }
}

uint32_t host_reg_read(struct host *host, uint32_t offset) {
    uint32_t channel = 0;
    offset &= 0xFFFFCu;
    const struct register_info *info = register_find(offset, host->channels, &channel);
    if (info == NULL) return 0;
    if (info->block == REGISTER_CHANNEL) return channel_read(host, channel, info->offset);
    if (info->block == REGISTER_USERD) return userd_read(host, channel, info->offset);
    return global_read(host, info->offset);
}

uint32_t host_reg_follow(struct host *host, uint32_t offset, uint32_t rtl) {
    const struct register_info *info = register_find(offset & 0xFFFFCu, host->channels, NULL);
    if (info != NULL && info->check == CHECK_IDLE && !all_idle(host)) return rtl;
    return host_reg_read(host, offset);
}
