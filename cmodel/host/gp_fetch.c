// GP fetch: the ring, the entries, the words of command blocks. The twin of rtl/host/gp_fetch.sv.
#include <string.h>

#include "gen/methods.h"
#include "host/host_internal.h"

// Defects on purpose, of the model (README.md).
#define DEFECT_ENTRY_LENGTH 112u

#define LINE_OF(addr) ((addr) & ~(LINE_BYTES - 1))
#define MAX_ENTRIES 65536u

static uint32_t line_word(const struct host_channel *channel, uint32_t addr) {
    uint32_t word;
    memcpy(&word, channel->line_bytes + addr % LINE_BYTES, sizeof word);
    return word;
}

static uint64_t entry_addr(const struct host_channel *channel) {
    return (uint64_t)channel->gp_base + 8ull * channel->gp_get;
}

uint32_t gp_fetch_entry_line(const struct host_channel *channel) {
    return LINE_OF((uint32_t)entry_addr(channel));
}

uint32_t gp_fetch_block_line(const struct host_channel *channel) {
    return LINE_OF(channel->block);
}

static enum host_due found(struct host_fault_found *fault, uint32_t code, uint32_t info) {
    fault->code = code;
    fault->info = info;
    return HOST_DUE_FAULT;
}

static enum host_due new_entry_due(const struct host_channel *channel, struct host_fault_found *fault) {
    if (channel->gp_put == channel->gp_get) return HOST_DUE_NOTHING;
    if (channel->line == HOST_LINE_RING) return HOST_DUE_ENTRY;
    if (channel->gp_entries < 2 || channel->gp_entries > MAX_ENTRIES)
        return found(fault, FAULT_GPPTR, channel->gp_entries);
    if (channel->gp_put >= channel->gp_entries) return found(fault, FAULT_GPPTR, channel->gp_put);
    if (channel->gp_get >= channel->gp_entries) return found(fault, FAULT_GPPTR, channel->gp_get);
    if (entry_addr(channel) >> 32 != 0) return found(fault, FAULT_GPFIFO, (uint32_t)entry_addr(channel));
    return HOST_DUE_READ_ENTRY;
}

static bool line_there(const struct host_channel *channel) {
    return channel->line == HOST_LINE_BLOCK && channel->line_addr == LINE_OF(channel->block);
}

void gp_fetch_advance(struct host *host, uint32_t c) {
    struct host_channel *channel = &host->channel_state[c];
    if (!channel->enable || host->outputs.channel_halt[c]) return;
    while (channel->busy && !channel->held && channel->own_code == FAULT_NONE && channel->left != 0 &&
           line_there(channel)) {
        const uint32_t word = line_word(channel, channel->block);
        channel->block += 4;
        channel->left--;
        switch (method_parser_word(channel, word)) {
            case PARSED_NOTHING: break;
            case PARSED_END: channel->left = 0; break;
            case PARSED_METHOD: channel->held = true; break;
            case PARSED_ERROR:
                channel->own_code = FAULT_PBENTRY;
                channel->own_info = word;
                break;
        }
    }
}

enum host_due gp_fetch_due(const struct host *host, uint32_t c, struct host_fault_found *fault) {
    const struct host_channel *channel = &host->channel_state[c];
    if (!channel->enable || host->outputs.channel_halt[c]) return HOST_DUE_NOTHING;
    if (channel->own_code != FAULT_NONE) return found(fault, channel->own_code, channel->own_info);
    if (channel->held) return method_parser_due(host, c, fault);
    if (!channel->busy) return new_entry_due(channel, fault);
    return channel->left != 0 ? HOST_DUE_READ_BLOCK : HOST_DUE_GP_GET;
}

void gp_fetch_failed(struct host *host, uint32_t c, bool ring, uint32_t fault) {
    struct host_channel *channel = &host->channel_state[c];
    channel->line = HOST_LINE_NONE;
    channel->own_code = fault == ANSWER_BUS_ERROR ? FAULT_BUS_ERROR : ring ? FAULT_GPFIFO : FAULT_PBFETCH;
    channel->own_info = ring ? (uint32_t)entry_addr(channel) : channel->block;
}

void gp_fetch_read(struct host *host, uint32_t c, bool ring, struct trace_event *event) {
    struct host_channel *channel = &host->channel_state[c];
    struct mem_request request;
    struct mem_response response;
    memset(&request, 0, sizeof request);
    request.op = MEM_READ;
    request.channel = c;
    request.addr = ring ? gp_fetch_entry_line(channel) : gp_fetch_block_line(channel);
    mem_perform_event(host->mem, MEM_PORT_HOST, &request, &response, event);
    if (response.fault != 0) {
        gp_fetch_failed(host, c, ring, response.fault);
        return;
    }
    channel->line = ring ? HOST_LINE_RING : HOST_LINE_BLOCK;
    channel->line_addr = request.addr;
    memcpy(channel->line_bytes, response.data, LINE_BYTES);
}

void gp_fetch_begin(struct host *host, uint32_t c, struct trace_event *event) {
    struct host_channel *channel = &host->channel_state[c];
    const uint32_t addr = (uint32_t)entry_addr(channel);
    const uint32_t entry0 = line_word(channel, addr), entry1 = line_word(channel, addr + 4);
    uint32_t length = GP_ENTRY1_LENGTH_OF(entry1);
    event->kind = TRACE_GP_ENTRY;
    event->gp_entry =
        (struct trace_gp_entry){.channel = c, .gp_get = channel->gp_get, .entry0 = entry0, .entry1 = entry1};
    host->run->counters.gp_entries++;
    if (host->run->inject == DEFECT_ENTRY_LENGTH && length > 8) length--;
    channel->busy = true;
    channel->line = HOST_LINE_NONE;
    channel->left = 0;
    // A control entry (length 0) has its OPCODE where a block has address bits 39:32: of both only 0 is good.
    if (GP_ENTRY1_GET_HI_OF(entry1) != 0) {
        channel->own_code = FAULT_GPENTRY;
        channel->own_info = entry1;
    } else if (length != 0) {
        channel->block = GP_ENTRY0_GET(GP_ENTRY0_GET_OF(entry0));
        channel->left = length;
    }
}

void gp_fetch_finish(struct host *host, uint32_t c, struct trace_event *event) {
    struct host_channel *channel = &host->channel_state[c];
    const uint32_t next = channel->gp_get + 1;
    if (channel->ppu_owned) channel->gp_put = channel->gp_get;
    channel->gp_get = next == channel->gp_entries ? 0 : next & 0xFFFF;
    channel->busy = false;
    channel->line = HOST_LINE_NONE;
    event->kind = TRACE_GP_GET;
    event->gp_get = (struct trace_gp_get){.channel = c, .value = channel->gp_get};
}
