// Method parser: headers, and the methods of the host class (B06F) and the compute class (A0C0). The twin of
// rtl/host/method_parser.sv.
#include <string.h>

#include "gen/methods.h"
#include "host/host_internal.h"

#define END_PB_SEGMENT DMA_SEC_OP(DMA_SEC_OP_END_PB_SEGMENT)

void method_parser_reset(struct host_channel *channel) {
    channel->count = 0;
    channel->object = false;
    channel->semaphore_a = channel->semaphore_b = channel->semaphore_c = 0;
    channel->pcas_a = channel->region = channel->local = 0;
    channel->held = false;
    channel->tried = false;
    channel->passed = false;
    channel->blocked = false;
    channel->blocked_addr = channel->blocked_payload = 0;
}

enum parsed method_parser_word(struct host_channel *channel, uint32_t word) {
    if (channel->count != 0) {
        channel->method = (struct host_method){channel->subchannel, channel->address, word};
        channel->count--;
        if (channel->mode != HOST_MODE_NON_INC) channel->address = (channel->address + 1) & 0xFFF;
        if (channel->mode == HOST_MODE_ONE_INC) channel->mode = HOST_MODE_NON_INC;
        return PARSED_METHOD;
    }
    const uint32_t subchannel = DMA_METHOD_SUBCHANNEL_OF(word), address = DMA_METHOD_ADDRESS_OF(word);
    if (word == 0) return PARSED_NOTHING;
    if (word == END_PB_SEGMENT) return PARSED_END;
    switch (DMA_SEC_OP_OF(word)) {
        case DMA_SEC_OP_IMMD_DATA_METHOD:
            channel->method = (struct host_method){subchannel, address, DMA_IMMD_DATA_OF(word)};
            return PARSED_METHOD;
        case DMA_SEC_OP_INC_METHOD: channel->mode = HOST_MODE_INC; break;
        case DMA_SEC_OP_NON_INC_METHOD: channel->mode = HOST_MODE_NON_INC; break;
        case DMA_SEC_OP_ONE_INC: channel->mode = HOST_MODE_ONE_INC; break;
        default: return PARSED_ERROR;
    }
    channel->count = DMA_METHOD_COUNT_OF(word);
    channel->address = address;
    channel->subchannel = subchannel;
    return PARSED_NOTHING;
}

static enum host_due fault_due(struct host_fault_found *fault, uint32_t code, uint32_t info) {
    fault->code = code;
    fault->info = info;
    return HOST_DUE_FAULT;
}

static enum host_due when_idle(const struct host *host, uint32_t c) {
    return task_channel_idle(host->task, c) ? HOST_DUE_METHOD : HOST_DUE_WAIT;
}

static enum host_due semaphore_due(const struct host *host, uint32_t c, struct host_fault_found *fault) {
    const struct host_channel *channel = &host->channel_state[c];
    const struct semaphore_operation op = host_semaphore_operation(channel);
    if (channel->passed) return HOST_DUE_METHOD;
    if (channel->tried) return HOST_DUE_SEMAPHORE;
    if (semaphore_unit_waits_for_idle(&op) && !task_channel_idle(host->task, c)) return HOST_DUE_WAIT;
    const uint32_t code = semaphore_unit_check(&op);
    return code != FAULT_NONE ? fault_due(fault, code, (uint32_t)op.addr) : HOST_DUE_SEMAPHORE_ACCESS;
}

enum host_due method_parser_due(const struct host *host, uint32_t c, struct host_fault_found *fault) {
    const struct host_channel *channel = &host->channel_state[c];
    const struct host_method *m = &channel->method;
    const uint32_t method_info = m->subchannel << 16 | m->addr << 2;
    if (4 * m->addr >= COMPUTE_FIRST && (m->subchannel != COMPUTE_SUBCHANNEL || !channel->object)) {
        return fault_due(fault, FAULT_DEVICE, m->subchannel);
    }
    switch (4 * m->addr) {
        case HOST_NOP:
        case HOST_SEMAPHOREA:
        case HOST_SEMAPHOREB:
        case HOST_SEMAPHOREC:
        case HOST_NON_STALL_INTERRUPT:
        case HOST_YIELD:
        case COMPUTE_NO_OPERATION:
        case COMPUTE_INVALIDATE_SHADER_CACHES:
        case COMPUTE_SEND_PCAS_A:
        case COMPUTE_SET_SHADER_LOCAL_MEMORY_B:
        case COMPUTE_SET_PROGRAM_REGION_B: return HOST_DUE_METHOD;
        case HOST_SET_OBJECT:
            if (HOST_SET_OBJECT_NVCLASS_OF(m->data) == COMPUTE_CLASS && m->subchannel == COMPUTE_SUBCHANNEL)
                return HOST_DUE_METHOD;
            return fault_due(fault, FAULT_METHOD, method_info);
        case HOST_SEMAPHORED: return semaphore_due(host, c, fault);
        case HOST_SET_REFERENCE:
        case HOST_WFI:
        case COMPUTE_WAIT_FOR_IDLE: return when_idle(host, c);
        case COMPUTE_SET_SHADER_LOCAL_MEMORY_A:
        case COMPUTE_SET_PROGRAM_REGION_A:  // not zero: an address beyond 32 bits
            return m->data == 0 ? HOST_DUE_METHOD : fault_due(fault, FAULT_METHOD, method_info);
        case COMPUTE_SEND_SIGNALING_PCAS_B:
            if (COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE_OF(m->data) == COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE_FALSE)
                return HOST_DUE_METHOD;
            if (channel->pcas_a >> 24 != 0) return fault_due(fault, FAULT_TMD_FETCH, channel->pcas_a << 8);
            return task_can_launch(host->task) ? HOST_DUE_METHOD : HOST_DUE_WAIT;
        default: return fault_due(fault, FAULT_METHOD, method_info);
    }
}

bool method_parser_is_yield(const struct host_method *method) {
    return 4 * method->addr == HOST_YIELD && HOST_YIELD_OP_OF(method->data) != HOST_YIELD_OP_NOP;
}

void method_parser_execute(struct host *host, uint32_t c, struct trace_event *event) {
    struct host_channel *channel = &host->channel_state[c];
    const struct host_method *m = &channel->method;
    event->kind = TRACE_METHOD;
    event->method = (struct trace_method){.channel = c, .subchannel = m->subchannel, .addr = m->addr, .data = m->data};
    channel->signature =
        (channel->signature << 1 | channel->signature >> 31) ^ m->data ^ m->subchannel << 28 ^ m->addr << 16;
    host->run->counters.methods++;
    channel->held = false;
    channel->passed = false;
    switch (4 * m->addr) {
        case HOST_SET_OBJECT: channel->object = true; break;
        case HOST_SEMAPHOREA: channel->semaphore_a = HOST_SEMAPHOREA_OFFSET_UPPER_OF(m->data); break;
        case HOST_SEMAPHOREB: channel->semaphore_b = m->data; break;
        case HOST_SEMAPHOREC: channel->semaphore_c = m->data; break;
        case HOST_NON_STALL_INTERRUPT: host_registers_raise(host, 1u << c); break;
        case HOST_SET_REFERENCE: channel->reference = m->data; break;
        case COMPUTE_INVALIDATE_SHADER_CACHES: host_icache_invalidate(host); break;
        case COMPUTE_SEND_PCAS_A: channel->pcas_a = m->data; break;
        case COMPUTE_SET_SHADER_LOCAL_MEMORY_B: channel->local = m->data; break;
        case COMPUTE_SET_PROGRAM_REGION_B: channel->region = m->data; break;
        case COMPUTE_SEND_SIGNALING_PCAS_B:
            if (COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE_OF(m->data) == COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE_TRUE)
                task_launch(host->task, c, channel->pcas_a << 8, channel->region, channel->local);
            break;
        default: break;
    }
}
