// What host_interface_bench has around the unit: the memory behind ports 0 and 1, the CPU's accesses, and the model, which does
// every event of the unit. Included by the bench alone, and by what it is asked in its own files.
#ifndef TANDEM_TESTS_RTL_HOST_INTERFACE_WORLD_H
#define TANDEM_TESTS_RTL_HOST_INTERFACE_WORLD_H

#include <deque>
#include <vector>

#include "Vhost_interface.h"
#include "bench.h"
#include "gen/trace_ports.h"
#include "host_program.h"
#include "port_bits.h"

#include "../unit/host_standins.h"

namespace {

constexpr uint32_t SPACES = 3;                               // places where channels' spaces start: some share one
constexpr size_t MEMORY = SPACES * PROGRAM_SPACE + 0x10000;  // a bit more; a space may go past its end: bus errors
constexpr uint64_t HANG = 400000;                            // cycles without a method

struct request {
    bool performed;
    mem_request what;
    mem_response answer;
};

struct reg_access {
    bool write;
    uint32_t addr, data;
};

// The CPU's side of a channel.
struct cpu_channel {
    program work;
    uint32_t entries, put;
    bool broken;  // a bad setting has been made on purpose: wait for the fault
    bool owned;   // CONTROL.PPU_OWNED: all of the ring is filled beforehand and goes round and round
};

struct world {
    bench b;
    Vhost_interface top;
    ppu *model;
    std::vector<uint8_t> memory;  // the RTL's; the model has its own
    uint64_t cycle, last_method;
    std::deque<request> port[2];
    std::deque<reg_access> registers;
    int aw_taken, w_taken;
    std::vector<cpu_channel> cpu;
    uint32_t channels, rd_outstanding;
    std::vector<std::pair<uint32_t, bool>> ending;  // tasks whose end is an event of this cycle
    uint64_t faults, resets, stops, wakes;
    bool quiet;         // nothing random from the CPU, from others and from the task unit, whose tasks do not end
    bool silent[2];     // the memory does not answer this port
    uint32_t read;      // what the CPU has read last
    bool moves, moved;  // a SPACE_BASE is written in this cycle, was in the one before
};

[[noreturn]] void fail(world &w, const trace_event *rtl, const trace_event *twin, const char *why) {
    char text[1024] = "", other[1024] = "", state[2048] = "";
    if (rtl != nullptr) trace_event_print(rtl, text, sizeof text);
    if (twin != nullptr) trace_event_print(twin, other, sizeof other);
    uint32_t channel = 0;
    if (rtl != nullptr && rtl->kind == TRACE_PERFORM)
        channel = rtl->perform.channel;
    else if (rtl != nullptr && rtl->kind > TRACE_TASK_REFUSED)
        channel = rtl->method.channel;
    ppu_describe_channel(w.model, channel, state, sizeof state);
    bench_fail(&w.b, "cycle %" PRIu64 ": %s\n  RTL:   %s\n  model: %s\n%s", w.cycle, why, text, other, state);
}

// One event of the RTL: the model does it too, and both are compared.
void follow(world &w, trace_event &rtl) {
    trace_event twin;
    char why[512];
    rtl.cycle = w.cycle;
    if (getenv("HOST_BENCH_TRACE") != nullptr) {
        char text[1024];
        trace_event_print(&rtl, text, sizeof text);
        printf("%8" PRIu64 " %s\n", w.cycle, text);
    }
    if (!ppu_follow(w.model, &rtl, &twin, why, sizeof why)) fail(w, &rtl, nullptr, why);
    const int field = trace_event_compare(&rtl, &twin);
    if (field >= 0) fail(w, &rtl, &twin, trace_field_name(rtl.kind, field));
}

trace_event event_of(trace_kind kind) {
    trace_event event;
    memset(&event, 0, sizeof event);
    event.kind = kind;
    return event;
}

// ---- memory behind ports 0 and 1
void perform(world &w, uint32_t port, request &r) {
    const mem_space &space = host_outputs(w.model->host)->space[r.what.channel];
    const uint32_t size = r.what.op == MEM_ATOMIC ? 4 : LINE_BYTES;
    const uint64_t physical = uint64_t{space.base} + r.what.addr;
    memset(&r.answer, 0, sizeof r.answer);
    r.performed = true;
    trace_event event = event_of(TRACE_PERFORM);
    event.perform.port = port;
    event.perform.op = r.what.op;
    event.perform.channel = r.what.channel;
    event.perform.addr = r.what.addr;
    event.perform.wstrb = r.what.op == MEM_WRITE ? r.what.wstrb : 0;
    if (uint64_t{r.what.addr} + size > space.size)
        r.answer.fault = event.perform.fault = 1;
    else if (physical + size > w.memory.size())
        r.answer.fault = 2;
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        if (r.what.op == MEM_ATOMIC ? i < 8 : r.what.op == MEM_WRITE && (r.what.wstrb >> i & 1) != 0)
            event.perform.wdata[i] = r.what.wdata[i];
    }
    follow(w, event);
    if (r.answer.fault != 0) return;
    uint8_t *at = &w.memory[physical];
    if (r.what.op == MEM_READ) {
        memcpy(r.answer.data, at, LINE_BYTES);
        return;
    }
    if (r.what.op == MEM_ATOMIC) {
        uint32_t old, operand;
        memcpy(&old, at, 4);
        memcpy(&operand, r.what.wdata, 4);
        memcpy(r.answer.data, &old, 4);
        const uint32_t result = atomic_unit_result(r.what.atom, old, operand, 0);
        memcpy(at, &result, 4);
    } else {
        for (unsigned i = 0; i < LINE_BYTES; i++) {
            if ((r.what.wstrb >> i & 1) != 0) at[i] = r.what.wdata[i];
        }
    }
    w.top.snoop_valid_i = 1;
    w.top.snoop_addr_i = static_cast<uint32_t>(physical) & ~31u;
}

void memory_inputs(world &w) {
    Vhost_interface &t = w.top;
    t.mem_req_ready_i = bench_below(&w.b, 4);
    t.mem_rsp_valid_i = 0;
    t.snoop_valid_i = 0;
    for (uint32_t p = 0; p < 2; p++) {
        if (w.port[p].empty()) continue;
        request &r = w.port[p].front();
        if (w.silent[p]) continue;
        if (!r.performed && !t.snoop_valid_i && bench_chance(&w.b, 1, 4)) perform(w, p, r);
        if (r.performed && bench_chance(&w.b, 1, 3)) {
            t.mem_rsp_valid_i |= static_cast<uint8_t>(1u << p);
            t.mem_rsp_fault_i = static_cast<uint8_t>((t.mem_rsp_fault_i & ~(3u << 2 * p)) | r.answer.fault << 2 * p);
            memcpy(reinterpret_cast<uint8_t *>(&t.mem_rsp_data_i) + p * LINE_BYTES, r.answer.data, LINE_BYTES);
            w.port[p].pop_front();
        }
    }
}

uint64_t bits(uint64_t value, unsigned low, unsigned width) {
    return value >> low & ((uint64_t{1} << width) - 1);
}

void memory_requests(world &w) {
    const Vhost_interface &t = w.top;
    unsigned channel_w = 1;
    while ((1u << channel_w) < w.channels)
        channel_w++;
    for (uint32_t p = 0; p < 2; p++) {
        if (((t.mem_req_valid_o & t.mem_req_ready_i) >> p & 1) == 0) continue;
        request r;
        memset(&r, 0, sizeof r);
        r.what.op = static_cast<mem_op>(bits(t.mem_req_op_o, 2 * p, 2));
        r.what.atom = static_cast<uint32_t>(bits(t.mem_req_atom_o, 4 * p, 4));
        r.what.channel = static_cast<uint32_t>(bits(t.mem_req_channel_o, channel_w * p, channel_w));
        r.what.addr = static_cast<uint32_t>(bits(t.mem_req_addr_o, 32 * p, 32));
        r.what.wstrb = static_cast<uint32_t>(bits(t.mem_req_wstrb_o, 32 * p, 32));
        memcpy(r.what.wdata, reinterpret_cast<const uint8_t *>(&t.mem_req_wdata_o) + p * LINE_BYTES, LINE_BYTES);
        if (!w.port[p].empty()) bench_fail(&w.b, "two requests at once on port %u", p);
        w.port[p].push_back(r);
    }
}

// ---- the CPU
void write_memory(world &w, uint32_t channel, uint32_t addr, const void *from, size_t size) {
    const uint64_t physical = uint64_t{host_outputs(w.model->host)->space[channel].base} + addr;
    memcpy(&w.memory[physical], from, size);
    if (!ppu_mem_write(w.model, physical, from, size)) bench_fail(&w.b, "the bench writes outside its memory");
}

void reg_write(world &w, uint32_t addr, uint32_t data) {
    w.registers.push_back({true, addr, data});
}

uint32_t block_reg(uint32_t channel, uint32_t offset) {
    return REG_CHANNEL_BASE + channel * REG_CHANNEL_STRIDE + offset;
}

uint32_t userd_reg(uint32_t channel, uint32_t offset) {
    return REG_USERD_BASE + channel * REG_USERD_STRIDE + offset;
}

// A clock cycle: what comes in, the events, what goes out.
void one_cycle(world &w);

}  // namespace

#endif
