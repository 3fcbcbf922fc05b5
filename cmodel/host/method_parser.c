// Method parser: headers, and the methods of the host class (B06F) and the compute class (A0C0). The twin of
// rtl/host/method_parser.sv.
#include <string.h>

#include "host.h"

// Header: SEC_OP, bits 31:29.
enum { SEC_OP_INC = 1, SEC_OP_NON_INC = 3, SEC_OP_IMMD_DATA = 4, SEC_OP_ONE_INC = 5 };
#define END_PB_SEGMENT 0xE0000000u

// Methods: byte addresses / 4.
enum {
    SET_OBJECT = 0x00 / 4,
    NOP = 0x08 / 4,
    SEMAPHOREA = 0x10 / 4,
    SEMAPHOREB = 0x14 / 4,
    SEMAPHOREC = 0x18 / 4,
    SEMAPHORED = 0x1C / 4,
    NON_STALL_INTERRUPT = 0x20 / 4,
    SET_REFERENCE = 0x50 / 4,
    WFI = 0x78 / 4,
    YIELD = 0x80 / 4,
    HOST_END = 0x100 / 4,  // from here on methods belong to the subchannel's object
    NO_OPERATION = 0x100 / 4,
    WAIT_FOR_IDLE = 0x110 / 4,
    INVALIDATE_SHADER_CACHES = 0x21C / 4,
    SEND_PCAS_A = 0x2B4 / 4,
    SEND_SIGNALING_PCAS_B = 0x2BC / 4,
    SET_SHADER_LOCAL_MEMORY_A = 0x790 / 4,
    SET_SHADER_LOCAL_MEMORY_B = 0x794 / 4,
    SET_PROGRAM_REGION_A = 0x1608 / 4,
    SET_PROGRAM_REGION_B = 0x160C / 4,
};
#define CLASS_COMPUTE 0xA0C0u
#define SUBCHANNEL_COMPUTE 1u

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

enum parsed method_parser_word(struct ppu *ppu, struct host_channel *channel, uint32_t word) {
    (void)ppu;
    if (channel->count != 0) {
        channel->method = (struct host_method){channel->subchannel, channel->address, word};
        channel->count--;
        if (channel->mode != HOST_MODE_NON_INC) channel->address = (channel->address + 1) & 0xFFF;
        if (channel->mode == HOST_MODE_ONE_INC) channel->mode = HOST_MODE_NON_INC;
        return PARSED_METHOD;
    }
    const uint32_t sec_op = word >> 29, count = word >> 16 & 0x1FFF, subchannel = word >> 13 & 7,
                   address = word & 0xFFF;
    if (word == 0) return PARSED_NOTHING;
    if (word == END_PB_SEGMENT) return PARSED_END;
    switch (sec_op) {
        case SEC_OP_IMMD_DATA: channel->method = (struct host_method){subchannel, address, count}; return PARSED_METHOD;
        case SEC_OP_INC: channel->mode = HOST_MODE_INC; break;
        case SEC_OP_NON_INC: channel->mode = HOST_MODE_NON_INC; break;
        case SEC_OP_ONE_INC: channel->mode = HOST_MODE_ONE_INC; break;
        default: return PARSED_ERROR;
    }
    channel->count = count;
    channel->address = address;
    channel->subchannel = subchannel;
    return PARSED_NOTHING;
}

static enum host_due fault_due(struct host_fault_found *fault, uint32_t code, uint32_t info) {
    fault->code = code;
    fault->info = info;
    return HOST_DUE_FAULT;
}

static enum host_due when_idle(struct ppu *ppu, uint32_t c) {
    return task_channel_idle(ppu->task, c) ? HOST_DUE_METHOD : HOST_DUE_WAIT;
}

static enum host_due semaphore_due(struct ppu *ppu, uint32_t c, struct host_fault_found *fault) {
    const struct host_channel *channel = &ppu->host->channel_state[c];
    const struct semaphore_operation op = host_semaphore_operation(channel);
    if (channel->passed) return HOST_DUE_METHOD;
    if (channel->tried) return HOST_DUE_SEMAPHORE;
    if (semaphore_unit_waits_for_idle(&op) && !task_channel_idle(ppu->task, c)) return HOST_DUE_WAIT;
    const uint32_t code = semaphore_unit_check(&op);
    return code != FAULT_NONE ? fault_due(fault, code, (uint32_t)op.addr) : HOST_DUE_SEMAPHORE_ACCESS;
}

enum host_due method_parser_due(struct ppu *ppu, uint32_t c, struct host_fault_found *fault) {
    const struct host_channel *channel = &ppu->host->channel_state[c];
    const struct host_method *m = &channel->method;
    const uint32_t method_info = m->subchannel << 16 | m->addr << 2;
    if (m->addr >= HOST_END && (m->subchannel != SUBCHANNEL_COMPUTE || !channel->object)) {
        return fault_due(fault, FAULT_DEVICE, m->subchannel);
    }
    switch (m->addr) {
        case NOP:
        case SEMAPHOREA:
        case SEMAPHOREB:
        case SEMAPHOREC:
        case NON_STALL_INTERRUPT:
        case YIELD:
        case NO_OPERATION:
        case INVALIDATE_SHADER_CACHES:
        case SEND_PCAS_A:
        case SET_SHADER_LOCAL_MEMORY_B:
        case SET_PROGRAM_REGION_B: return HOST_DUE_METHOD;
        case SET_OBJECT:
            if ((m->data & 0xFFFF) == CLASS_COMPUTE && m->subchannel == SUBCHANNEL_COMPUTE) return HOST_DUE_METHOD;
            return fault_due(fault, FAULT_METHOD, method_info);
        case SEMAPHORED: return semaphore_due(ppu, c, fault);
        case SET_REFERENCE:
        case WFI:
        case WAIT_FOR_IDLE: return when_idle(ppu, c);
        case SET_SHADER_LOCAL_MEMORY_A:
        case SET_PROGRAM_REGION_A:  // not zero: an address beyond 32 bits
            return m->data == 0 ? HOST_DUE_METHOD : fault_due(fault, FAULT_METHOD, method_info);
        case SEND_SIGNALING_PCAS_B:
            if ((m->data & 2) == 0) return HOST_DUE_METHOD;
            if (channel->pcas_a >> 24 != 0) return fault_due(fault, FAULT_TMD_FETCH, channel->pcas_a << 8);
            return task_can_launch(ppu->task) ? HOST_DUE_METHOD : HOST_DUE_WAIT;
        default: return fault_due(fault, FAULT_METHOD, method_info);
    }
}

bool method_parser_is_yield(const struct host_method *method) {
    return method->addr == YIELD && (method->data & 3) != 0;
}

void method_parser_execute(struct ppu *ppu, uint32_t c, struct trace_event *event) {
    struct host_channel *channel = &ppu->host->channel_state[c];
    const struct host_method *m = &channel->method;
    event->kind = TRACE_METHOD;
    event->method = (struct trace_method){.channel = c, .subchannel = m->subchannel, .addr = m->addr, .data = m->data};
    ppu->counters.methods++;
    channel->held = false;
    channel->passed = false;
    switch (m->addr) {
        case SET_OBJECT: channel->object = true; break;
        case SEMAPHOREA: channel->semaphore_a = m->data & 0xFF; break;
        case SEMAPHOREB: channel->semaphore_b = m->data; break;
        case SEMAPHOREC: channel->semaphore_c = m->data; break;
        case NON_STALL_INTERRUPT: host_registers_raise(ppu->host, 1u << c); break;
        case SET_REFERENCE: channel->reference = m->data; break;
        case SEND_PCAS_A: channel->pcas_a = m->data; break;
        case SET_SHADER_LOCAL_MEMORY_B: channel->local = m->data; break;
        case SET_PROGRAM_REGION_B: channel->region = m->data; break;
        case SEND_SIGNALING_PCAS_B:
            if ((m->data & 2) != 0) task_launch(ppu, c, channel->pcas_a << 8, channel->region, channel->local);
            break;
        default: break;
    }
}
