// The world around host_registers alone: a CPU that reads and writes registers and the holes between them, other units of the host, a
// task unit and SMs that change what is shown, report faults, raise interrupts. What there is to see stands in the model, with stand-ins
// for task unit and SMs, and comes to the unit's ports from there.
#ifndef TANDEM_TESTS_RTL_HOST_REGISTERS_WORLD_H
#define TANDEM_TESTS_RTL_HOST_REGISTERS_WORLD_H

#include "Vhost_registers.h"
#include "bench.h"
#include "port_bits.h"

#include "../unit/host_standins.h"

// An access that the CPU makes; each of address and data is there until it is taken.
struct cpu_access {
    bool here, address, data;
    uint32_t addr, value, strobes;
};

// Counters of an SM that the model does not have.
struct rtl_counts {
    uint32_t l1_hits, l1_misses, idle_memory, idle_score, idle_none;
};

// What the other units do in this cycle.
struct units {
    bool get, reference, interrupt, fault, report, held;
    uint32_t get_channel, get_value, reference_channel, reference_value, interrupt_channel;
    fault_report own, task;
};

struct registers_run {
    struct bench b;
    Vhost_registers *rtl;
    ppu *model;
    cpu_access write, read;
    rtl_counts counts[SMS];
    units now;
    // the unit's handshakes
    bool answered, error, reading, shown, deque, deque_late, space_moved;
    uint32_t shown_data, deque_op, deque_places;
    uint64_t writes, parts, reads, lives, faults, resets, moves, idle_only;
};

static host_channel &channel_of(registers_run *run, uint32_t c) {
    return run->model->host->channel_state[c];
}
static bool all_idle(const registers_run *run) {
    for (uint32_t c = 0; c < CHANNELS; c++)
        if (run->model->task->outstanding[c] != 0) return false;
    return true;
}
static bool sm_there(const registers_run *run) {
    return run->model->host->warp_select >> 8 < SMS;
}
static bool warp_there(const registers_run *run) {
    return sm_there(run) && (run->model->host->warp_select & 255) < WARPS;
}
static sm *selected_sm(const registers_run *run) {
    return run->model->sm[run->model->host->warp_select >> 8];
}
static const standin_warp *selected_warp(const registers_run *run) {
    return &selected_sm(run)->warps[run->model->host->warp_select & 255];
}
static bool selected_held(const registers_run *run) {
    return warp_there(run) && selected_warp(run)->held;
}
// The lowest channel with a fault that waits; CHANNELS: none.
static uint32_t waiting_fault(registers_run *run) {
    for (uint32_t c = 0; c < CHANNELS; c++)
        if (channel_of(run, c).fault_pending) return c;
    return CHANNELS;
}
static uint32_t random_word(bench *b) {
    return static_cast<uint32_t>(bench_random(b));
}
// A word of a port with one for each channel.
template <class Port>
static uint32_t word_of(const Port &port, uint32_t channel) {
    uint32_t word;
    memcpy(&word, reinterpret_cast<const char *>(&port) + 4 * channel, sizeof word);
    return word;
}
template <class Port>
static void set_word(Port &port, uint32_t channel, uint32_t word) {
    memcpy(reinterpret_cast<char *>(&port) + 4 * channel, &word, sizeof word);
}

// ---- the CPU
// A register, of a channel that there is or of the next one; now and then with a wrong bit in its address.
static uint32_t random_address(bench *b) {
    const register_info &info = registers[bench_below(b, static_cast<uint32_t>(register_count))];
    uint32_t addr = info.offset;
    if (info.block == REGISTER_CHANNEL)
        addr += REG_CHANNEL_BASE + bench_below(b, CHANNELS + 1) * REG_CHANNEL_STRIDE;
    else if (info.block == REGISTER_USERD)
        addr += REG_USERD_BASE + bench_below(b, CHANNELS + 1) * REG_USERD_STRIDE;
    else if (bench_chance(b, 1, 12))
        addr = bench_chance(b, 1, 2) ? uint32_t{REG_SIGNATURE} + 4 * bench_below(b, 8)
                                     : uint32_t{REG_DEQUE_MOVE} + 4 * bench_below(b, 2);
    if (bench_chance(b, 1, 10))
        addr = REG_CHANNEL_BASE + bench_below(b, CHANNELS) * REG_CHANNEL_STRIDE + CHANNEL_CONTROL;
    if (bench_chance(b, 1, 4)) addr ^= 1u << (bench_chance(b, 1, 3) ? 19 : bench_below(b, 20));
    if (bench_chance(b, 1, 60)) addr = random_word(b);
    return (addr ^ (bench_chance(b, 1, 3) ? bench_below(b, 4) : 0)) & 0xFFFFF;
}

static uint32_t random_value(registers_run *run, uint32_t addr) {
    bench *b = &run->b;
    if ((addr & ~3u) == REG_WARP_SELECT && bench_chance(b, 7, 8))
        return (bench_below(b, WARPS + 1) | bench_below(b, SMS + 1) << 8 | random_word(b) << 16) ^
               (bench_chance(b, 1, 3) ? 1u << bench_below(b, 16) : 0);
    if (bench_chance(b, 1, 3)) return bench_below(b, 32) | (bench_chance(b, 1, 2) ? 0 : random_word(b) << 16);
    return bench_chance(b, 1, 2) ? random_word(b) : static_cast<uint32_t>(bench_mask(b, 32));
}

static void cpu(registers_run *run) {
    bench *b = &run->b;
    Vhost_registers &rtl = *run->rtl;
    cpu_access &write = run->write, &read = run->read;
    if (!write.here && bench_chance(b, 1, 4)) {
        const uint32_t addr = random_address(b);
        write = {true, false, false, addr, random_value(run, addr), bench_chance(b, 1, 10) ? bench_below(b, 16) : 15};
    }
    if (!read.here && bench_chance(b, 1, 3)) read = {true, false, false, random_address(b), 0, 0};
    write.address = write.here && (write.address || bench_chance(b, 1, 2));
    write.data = write.here && (write.data || bench_chance(b, 1, 2));
    rtl.s_axil_awvalid_i = write.address;
    rtl.s_axil_awaddr_i = write.here ? write.addr : random_word(b) & 0xFFFFF;
    rtl.s_axil_wvalid_i = write.data;
    rtl.s_axil_wdata_i = write.here ? write.value : random_word(b);
    rtl.s_axil_wstrb_i = static_cast<uint8_t>(write.here ? write.strobes : bench_below(b, 16));
    rtl.s_axil_arvalid_i = read.here;
    rtl.s_axil_araddr_i = read.here ? read.addr : random_address(b);
    rtl.s_axil_bready_i = bench_chance(b, 2, 3);
    rtl.s_axil_rready_i = bench_chance(b, 2, 3);
}

// ---- what is shown of others
static void change_channel(registers_run *run) {
    bench *b = &run->b;
    const uint32_t c = bench_below(b, CHANNELS);
    host_channel &ch = channel_of(run, c);
    task *tasks = run->model->task;
    ch.busy = bench_chance(b, 1, 2);
    ch.held = bench_chance(b, 1, 2);
    ch.blocked = bench_chance(b, 1, 3);
    ch.line = bench_chance(b, 1, 2) ? HOST_LINE_RING : HOST_LINE_NONE;
    ch.own_code = bench_below(b, 3);
    ch.own_info = ch.own_code == 0 ? 0 : random_word(b);
    ch.block = random_word(b);
    ch.signature = random_word(b);
    ch.blocked_addr = random_word(b);
    ch.blocked_payload = random_word(b);
    tasks->unsettled[c] = bench_chance(b, 1, 2);
    tasks->outstanding[c] = 0;
    if (bench_chance(b, 1, 1 + CHANNELS)) tasks->outstanding[c] = 1 + (random_word(b) & 0xFFFFFF) % 0xFFFFFF;
}

static void change_sm(registers_run *run) {
    bench *b = &run->b;
    const uint32_t s = bench_below(b, SMS);
    sm *its = run->model->sm[s];
    standin_warp &warp = its->warps[bench_below(b, WARPS + 1)];
    warp = {bench_chance(b, 1, 2), random_word(b), random_word(b) & 0xFFFF,
            random_word(b),        random_word(b), bench_random(b)};
    its->issued = random_word(b);
    its->signature = random_word(b);
    its->signature_limit = random_word(b);
    its->passes = random_word(b);
    its->conflicts = random_word(b);
    run->counts[s] = {random_word(b), random_word(b), random_word(b), random_word(b), random_word(b)};
}

// As the fetch unit says it. The channel's own registers are those that the unit puts out.
static uint32_t status_of(registers_run *run, uint32_t c) {
    const host_channel &ch = channel_of(run, c);
    const Vhost_registers &rtl = *run->rtl;
    if (ch.blocked) return CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE;
    if (ch.held)
        return run->model->task->outstanding[c] == 0 ? CHANNEL_STATUS_STATE_WAITING_FOR_THE_TASK_UNIT
                                                     : CHANNEL_STATUS_STATE_WAITING_FOR_IDLE;
    if (ch.busy) return CHANNEL_STATUS_STATE_EXECUTING;
    const bool more = word_of(rtl.ring_put_o, c) != get_bits(rtl.ring_get_o, 16 * c, 16);
    return (rtl.ring_enable_o >> c & 1) != 0 && more ? CHANNEL_STATUS_STATE_FETCHING : CHANNEL_STATUS_STATE_IDLE;
}

static uint32_t first_held(const registers_run *run) {
    for (uint32_t s = 0; s < SMS; s++)
        for (uint32_t w = 0; w < WARPS; w++)
            if (run->model->sm[s]->warps[w].held) return 0x80000000u | s << 8 | w;
    return 0;
}

static void show_channels(registers_run *run) {
    Vhost_registers &rtl = *run->rtl;
    const task *tasks = run->model->task;
    for (uint32_t c = 0; c < CHANNELS; c++) {
        const host_channel &ch = channel_of(run, c);
        set_bits(rtl.status_i, 4 * c, 4, status_of(run, c));
        set_word(rtl.get_i, c, ch.block);
        set_word(rtl.signature_i, c, ch.signature);
        set_word(rtl.blocked_addr_i, c, ch.blocked_addr);
        set_word(rtl.blocked_payload_i, c, ch.blocked_payload);
        set_bits(rtl.channel_idle_i, c, 1, tasks->outstanding[c] == 0);
        set_bits(rtl.tasks_outstanding_i, 24 * c, 24, tasks->outstanding[c]);
        set_bits(rtl.task_settled_i, c, 1, tasks->outstanding[c] == 0 && !tasks->unsettled[c]);
    }
}

// Of an SM that is not there anything may be shown; of a warp that is not there nothing.
static void show_selected(registers_run *run) {
    bench *b = &run->b;
    Vhost_registers &rtl = *run->rtl;
    sm other = {};
    rtl_counts counts = {random_word(b), random_word(b), random_word(b), random_word(b), random_word(b)};
    other.issued = other.signature = other.signature_limit = other.passes = other.conflicts = random_word(b);
    if (sm_there(run)) {
        other = *selected_sm(run);
        counts = run->counts[selected_sm(run)->number];
    }
    standin_warp warp = {false,          random_word(b), random_word(b) & 0xFFFF,
                         random_word(b), random_word(b), bench_random(b)};
    if (sm_there(run)) warp = warp_there(run) ? *selected_warp(run) : standin_warp();
    rtl.count_issued_i = other.issued;
    rtl.count_signature_i = other.signature;
    rtl.count_signature_limit_i = other.signature_limit;
    rtl.count_shared_passes_i = other.passes;
    rtl.count_shared_conflicts_i = other.conflicts;
    rtl.count_l1_hits_i = counts.l1_hits;
    rtl.count_l1_misses_i = counts.l1_misses;
    rtl.count_idle_memory_i = counts.idle_memory;
    rtl.count_idle_score_i = counts.idle_score;
    rtl.count_idle_none_i = counts.idle_none;
    rtl.warp_pc_i = warp.pc;
    rtl.warp_mask_i = warp.mask;
    rtl.warp_state_i = static_cast<uint16_t>(warp.state);
    rtl.deque_ends_i = warp.ends;
    rtl.deque_kept_i = warp.kept;
    rtl.deque_selected_i = selected_held(run);
    rtl.deque_held_i = first_held(run);
}

// ---- what others do. Quiet: the host's own units find nothing in this cycle.
static void others(registers_run *run) {
    bench *b = &run->b;
    Vhost_registers &rtl = *run->rtl;
    const ppu *model = run->model;
    units &now = run->now;
    memset(&now, 0, sizeof now);
    rtl.quiet_i = bench_chance(b, 1, 2);
    const uint32_t c = bench_below(b, CHANNELS), reporter = bench_below(b, CHANNELS);
    now.get = !rtl.quiet_i && bench_chance(b, 1, 6);
    now.get_channel = bench_below(b, CHANNELS);
    now.get_value = bench_chance(b, 1, 3) ? bench_below(b, 3) : static_cast<uint32_t>(bench_mask(b, 16));
    if (bench_chance(b, 1, 8)) now.get_value = 0x8000;
    const host_channel &ring = channel_of(run, now.get_channel);
    if (ring.ppu_owned && ring.gp_get == now.get_value && ring.gp_entries != 1) now.get_value ^= 1;  // never empty
    now.reference = !rtl.quiet_i && bench_chance(b, 1, 10);
    now.reference_channel = bench_below(b, CHANNELS);
    now.reference_value = random_word(b);
    now.interrupt = !rtl.quiet_i && bench_chance(b, 1, 12);
    now.interrupt_channel = bench_below(b, CHANNELS);
    now.fault = !rtl.quiet_i && !model->host->outputs.channel_halt[c] && bench_chance(b, 1, 60);
    now.own = {c, 1 + bench_below(b, 255), random_word(b), 0};
    // A fault of the task unit is one of a task of the channel.
    now.report = model->task->outstanding[reporter] != 0 && bench_chance(b, 1, 20);
    now.task = {reporter, 1 + bench_below(b, 255), random_word(b), random_word(b)};
    now.held = bench_chance(b, 1, 30);
    rtl.gp_get_valid_i = now.get;
    rtl.gp_get_channel_i = static_cast<uint8_t>(now.get_channel);
    rtl.gp_get_value_i = static_cast<uint16_t>(now.get_value);
    rtl.reference_valid_i = now.reference;
    rtl.reference_channel_i = static_cast<uint8_t>(now.reference_channel);
    rtl.reference_value_i = now.reference_value;
    rtl.interrupt_valid_i = now.interrupt;
    rtl.interrupt_channel_i = static_cast<uint8_t>(now.interrupt_channel);
    rtl.host_fault_valid_i = now.fault;
    rtl.host_fault_channel_i = static_cast<uint8_t>(now.own.channel);
    rtl.host_fault_code_i = static_cast<uint8_t>(now.own.code);
    rtl.host_fault_info_i = now.own.info;
    rtl.fault_valid_i = now.report;
    rtl.fault_channel_i = static_cast<uint8_t>(now.task.channel);
    rtl.fault_code_i = static_cast<uint8_t>(now.task.code);
    rtl.fault_info_i = now.task.info;
    rtl.fault_pc_i = now.task.pc;
    rtl.warp_held_i = now.held;
    rtl.deque_ready_i = bench_chance(b, 1, 2);
    ppu_counters &counters = run->model->run.counters;
    if (bench_chance(b, 1, 6)) counters.resident = bench_chance(b, 1, 3) ? random_word(b) & 0xFFFF : bench_below(b, 64);
    rtl.resident_i = static_cast<uint16_t>(counters.resident);
}

// All inputs of a cycle.
static void world_cycle(registers_run *run) {
    cpu(run);
    if (bench_chance(&run->b, 1, 3)) change_channel(run);
    if (bench_chance(&run->b, 1, 3)) change_sm(run);
    show_channels(run);
    show_selected(run);
    others(run);
}

#endif
