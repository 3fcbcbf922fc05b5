// host_registers alone: reads, writes, writes of a part of a word, of all registers and of the holes between them, while the other units
// of the host, the task unit and the SMs change what is shown, report faults and raise interrupts; every output in every cycle. What
// registers hold and do is said by the C twin, when something is taken by the rules that the unit's head states. A device is reset again
// and again, with registers as they were, and lives at any time of its clock. An operation is an access.
// Compiled with -DBENCH_CONFIG="name" and the parameters of the configuration that the unit was verilated with.
#include <verilated.h>

#include "Vhost_registers.h"
#include "Vhost_registers___024root.h"
#include "bench.h"
#include "bench_config.h"
#include "gen/bundles.h"
#include "gen/trace_ports.h"
#include "host_registers_world.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "host/host_actions.h"
}

namespace {

constexpr size_t MEMORY = 4096;
constexpr uint32_t LIFE = 1500;  // cycles from one reset to the next, about

// What the unit takes in this cycle.
struct taken {
    uint32_t fault;  // channel whose fault is told, CHANNELS: none
    bool write_waits, write, whole, read;
};

taken due(registers_run *run) {
    const Vhost_registers &rtl = *run->rtl;
    const bool busy = run->deque || run->deque_late;
    const uint32_t waiting = waiting_fault(run);
    taken t;
    t.write_waits = rtl.s_axil_awvalid_i && rtl.s_axil_wvalid_i && !run->answered && !busy;
    t.fault = rtl.quiet_i ? waiting : CHANNELS;
    t.write = rtl.quiet_i && t.write_waits && waiting == CHANNELS;
    t.whole = t.write && rtl.s_axil_wstrb_i == 15;
    t.read = rtl.s_axil_arvalid_i && !run->reading && !run->shown && !t.write && !busy;
    return t;
}

void compare_handshakes(registers_run *run, const taken &t) {
    const bench *b = &run->b;
    const Vhost_registers &rtl = *run->rtl;
    const bool hold = t.write_waits || waiting_fault(run) != CHANNELS;
    if (rtl.s_axil_awready_o != t.write || rtl.s_axil_wready_o != t.write)
        bench_fail(b, "write is taken: %u %u, not %u", rtl.s_axil_awready_o, rtl.s_axil_wready_o, t.write);
    if (rtl.s_axil_arready_o != t.read) bench_fail(b, "read is taken: %u, not %u", rtl.s_axil_arready_o, t.read);
    if (rtl.hold_o != hold) bench_fail(b, "hold_o is %u", rtl.hold_o);
    if (rtl.s_axil_bvalid_o != run->answered || (run->answered && rtl.s_axil_bresp_o != (run->error ? 2 : 0)))
        bench_fail(b, "answer of a write: %u %u, not %u, error %u", rtl.s_axil_bvalid_o, rtl.s_axil_bresp_o,
                   run->answered, run->error);
    if (rtl.s_axil_rvalid_o != run->shown) bench_fail(b, "answer of a read: %u", rtl.s_axil_rvalid_o);
    if (run->shown && (rtl.s_axil_rdata_o != run->shown_data || rtl.s_axil_rresp_o != 0))
        bench_fail(b, "rdata 0x%08x, not 0x%08x; rresp %u", rtl.s_axil_rdata_o, run->shown_data, rtl.s_axil_rresp_o);
}

// ---- writes
bool is_register(uint32_t addr, uint32_t global) {
    return (addr & ~3u) == global;
}
// The channel in whose block a register lies, CHANNELS: it is another.
uint32_t block_of(uint32_t addr, uint32_t offset) {
    for (uint32_t c = 0; c < CHANNELS; c++)
        if (is_register(addr, REG_CHANNEL_BASE + c * REG_CHANNEL_STRIDE + offset)) return c;
    return CHANNELS;
}

// What a write tells SMs: the twin's tell it to theirs, the unit says it at its ports.
void check_told(registers_run *run, uint32_t addr, uint32_t value, const standin_told *before) {
    const bench *b = &run->b;
    const Vhost_registers &rtl = *run->rtl;
    const bool held = selected_held(run), signs = all_idle(run) && addr >= REG_SIGNATURE && addr < REG_SIGNATURE + 32;
    const bool move = held && is_register(addr, REG_DEQUE_MOVE), resume = held && is_register(addr, REG_DEQUE_RESUME);
    const bool moved = block_of(addr, CHANNEL_SPACE_BASE) != CHANNELS;
    const uint32_t place = addr / 4 % 8;
    if (rtl.signing_write_o != signs || (signs && (rtl.signing_place_o != place || rtl.signing_data_o != value)))
        bench_fail(b, "write of a signature: %u, not %u; place %u", rtl.signing_write_o, signs, rtl.signing_place_o);
    for (uint32_t s = 0; s < SMS; s++) {
        standin_told told = before[s];
        const standin_told &has = run->model->sm[s]->told;
        if (signs && place <= SIGNING_PLACE_PLACE) told.signatures++, told.place = addr & ~3u, told.value = value;
        told.invalidates += moved;
        if (s == run->model->host->warp_select >> 8) {
            told.moves += move;
            told.resumes += resume;
            if (move || resume) told.warp = run->model->host->warp_select & 255;
            if (move) told.places = static_cast<int16_t>(value);
        }
        if (memcmp(&told, &has, sizeof told) != 0)
            bench_fail(b, "write 0x%05x 0x%08x: the model tells SM %u something else", addr, value, s);
    }
    if (move || resume) {
        run->deque_op = move ? DEQUE_MOVE : DEQUE_RESUME;
        run->deque_places = value & 0xFFFF;
        run->moves++;
    }
    run->deque = move || resume;
    run->space_moved = moved;
}

// A channel that is reset begins nothing anew; what its units hold of it is theirs to forget.
void check_reset(registers_run *run, uint32_t c, bool accepted, const host_channel &before) {
    const bench *b = &run->b;
    const host_channel &ch = channel_of(run, c);
    if (run->rtl->ring_reset_o != (accepted ? 1u << c : 0)) bench_fail(b, "ring_reset_o is %u", run->rtl->ring_reset_o);
    const bool empty = !ch.busy && ch.line == HOST_LINE_NONE && ch.own_code == 0 && ch.own_info == 0;
    const bool as_before = ch.busy == before.busy && ch.line == before.line && ch.own_code == before.own_code &&
                           ch.own_info == before.own_info;
    if (!(accepted ? empty : as_before)) bench_fail(b, "reset %u of channel %u in the model", accepted, c);
    run->resets += accepted;
}

void do_write(registers_run *run) {
    const uint32_t addr = run->write.addr, value = run->write.value;
    host *twin = run->model->host;
    const uint32_t control = block_of(addr, CHANNEL_CONTROL), c = control != CHANNELS ? control : 0;
    const host_channel before = channel_of(run, c);
    const bool accepted =
        control != CHANNELS && CHANNEL_CONTROL_RESET_OF(value) != 0 && run->model->task->outstanding[c] == 0;
    standin_told told[SMS];
    for (uint32_t s = 0; s < SMS; s++)
        told[s] = run->model->sm[s]->told;
    trace_event event;
    if (!trace_read_reg_write(*run->rtl, event) || event.reg_write.addr != (addr & ~3u) ||
        event.reg_write.data != value)
        bench_fail(&run->b, "no event REG_WRITE 0x%05x 0x%08x", addr, value);
    host_reg_write(twin, addr, value);
    check_reset(run, c, accepted, before);
    check_told(run, addr, value, told);
}

// ---- reads
bool while_idle(uint32_t addr) {
    static const uint32_t such[] = {REG_SHARED_PASSES, REG_SHARED_CONFLICTS, REG_ISSUED, REG_SIGNATURE,
                                    REG_SIGNATURE_LIMIT};
    for (const uint32_t one : such)
        if (is_register(addr, one)) return true;
    return false;
}

// What only the unit counts.
bool counted(const registers_run *run, uint32_t addr, uint32_t *value) {
    const rtl_counts none = {}, &counts = sm_there(run) ? run->counts[selected_sm(run)->number] : none;
    switch (addr & ~3u) {
        case REG_L1_HITS: *value = counts.l1_hits; return true;
        case REG_L1_MISSES: *value = counts.l1_misses; return true;
        case REG_IDLE_MEMORY: *value = counts.idle_memory; return true;
        case REG_IDLE_SCORE: *value = counts.idle_score; return true;
        case REG_IDLE_NONE: *value = counts.idle_none; return true;
        default: return false;
    }
}

void do_read(registers_run *run) {
    bench *b = &run->b;
    const uint32_t addr = run->read.addr, anything = random_word(b);
    const uint32_t twin = host_reg_read(run->model->host, addr);
    uint32_t value = twin;
    if (counted(run, addr, &value) && twin != 0) bench_fail(b, "the model counts 0x%08x at 0x%05x", twin, addr);
    trace_event event;
    if (!trace_read_reg_read(*run->rtl, event) || event.reg_read.addr != (addr & ~3u))
        bench_fail(b, "no event REG_READ 0x%05x", addr);
    if (event.reg_read.data != value)
        bench_fail(b, "read of 0x%05x: 0x%08x, not 0x%08x", addr, event.reg_read.data, value);
    // In tandem the word is the RTL's where it may be another than the model's.
    const bool any = while_idle(addr) && !all_idle(run);
    if (host_reg_follow(run->model->host, addr, anything) != (any ? anything : twin))
        bench_fail(b, "in tandem the model reads something else at 0x%05x", addr);
    run->idle_only += any;
    run->shown_data = value;
}

// ---- what others do: the model has it too
void follow_units(registers_run *run) {
    host *twin = run->model->host;
    const units &now = run->now;
    if (now.get) {
        host_channel &ch = channel_of(run, now.get_channel);
        if (ch.ppu_owned) ch.gp_put = ch.gp_get;
        ch.gp_get = now.get_value;
    }
    if (now.reference) channel_of(run, now.reference_channel).reference = now.reference_value;
    if (now.interrupt) host_registers_raise(twin, REG_INTR_STATUS_CHANNEL(1u << now.interrupt_channel));
    if (now.held) host_warp_held(twin);
}

void follow_faults(registers_run *run, const taken &t) {
    const bench *b = &run->b;
    const units &now = run->now;
    trace_event rtl, twin;
    memset(&twin, 0, sizeof twin);
    const bool told = trace_read_fault(*run->rtl, rtl);
    if (t.fault != CHANNELS)
        host_registers_stop(run->model->host, t.fault, FAULT_NONE, 0, &twin);
    else if (now.fault)
        host_registers_stop(run->model->host, now.own.channel, now.own.code, now.own.info, &twin);
    if (told != (t.fault != CHANNELS || now.fault)) bench_fail(b, "event FAULT: %u", told);
    if (told) {
        if (twin.kind != TRACE_FAULT || trace_event_compare(&rtl, &twin) >= 0)
            bench_fail(b, "FAULT of channel %u code %u info 0x%08x pc 0x%08x, not %u %u 0x%08x 0x%08x",
                       rtl.fault.channel, rtl.fault.code, rtl.fault.info, rtl.fault.pc, twin.fault.channel,
                       twin.fault.code, twin.fault.info, twin.fault.pc);
        run->faults++;
    }
    if (now.report) host_fault(run->model->host, &now.task);
}

void follow_interrupt(registers_run *run) {
    trace_event rtl, twin;
    memset(&twin, 0, sizeof twin);
    const bool told = trace_read_interrupt(*run->rtl, rtl);
    host_interrupt(run->model->host, &twin);
    if (told != (twin.interrupt.bits != 0) || (told && rtl.interrupt.bits != twin.interrupt.bits))
        bench_fail(&run->b, "INTERRUPT %u 0x%08x, not 0x%08x", told, told ? rtl.interrupt.bits : 0,
                   twin.interrupt.bits);
}

// ---- what stands at the ports from one cycle to the next
void compare_channel(registers_run *run, uint32_t c) {
    const bench *b = &run->b;
    const Vhost_registers &rtl = *run->rtl;
    const host_channel &ch = channel_of(run, c);
    const struct host_outputs &outputs = run->model->host->outputs;
    const struct {
        const char *name;
        uint64_t rtl, twin;
    } all[] = {
        {"enable", get_bits(rtl.ring_enable_o, c, 1), ch.enable},
        {"faulted", get_bits(rtl.ring_faulted_o, c, 1), outputs.channel_halt[c]},
        {"suspend", get_bits(rtl.task_suspend_o, c, 1), outputs.suspend[c].on},
        {"priority", get_bits(rtl.ring_priority_o, 2 * c, 2), ch.priority},
        {"base", word_of(rtl.ring_base_o, c), ch.gp_base},
        {"entries", word_of(rtl.ring_entries_o, c), ch.gp_entries},
        {"put", word_of(rtl.ring_put_o, c), ch.gp_put},
        {"get", get_bits(rtl.ring_get_o, 16 * c, 16), ch.gp_get},
        {"space_base", word_of(rtl.space_base_o, c), outputs.space[c].base},
        {"space_size", word_of(rtl.space_size_o, c), outputs.space[c].size},
        {"acquire_retry", word_of(rtl.acquire_retry_o, c), ch.acquire_retry},
        {"acquire_timeout", word_of(rtl.acquire_timeout_o, c), ch.acquire_timeout},
    };
    for (const auto &one : all)
        if (one.rtl != one.twin)
            bench_fail(b, "channel %u: %s is 0x%" PRIx64 ", not 0x%" PRIx64, c, one.name, one.rtl, one.twin);
}

void compare_outputs(registers_run *run) {
    const bench *b = &run->b;
    const Vhost_registers &rtl = *run->rtl;
    const host *twin = run->model->host;
    const sm_settings &sms = twin->outputs.sm;
    for (uint32_t c = 0; c < CHANNELS; c++)
        compare_channel(run, c);
    const struct {
        const char *name;
        uint64_t rtl, twin;
    } all[] = {
        {"cycle", rtl.cycle_o, twin->run->cycles},
        {"time", rtl.time_o, host_time(twin)},
        {"irq", rtl.irq_o, host_irq(twin)},
        {"warp_select", rtl.warp_select_o, twin->warp_select},
        {"l1_enable", rtl.settings_l1_enable_o, twin->l1_enable},
        {"deque_serve", rtl.settings_deque_serve_o, sms.deque_serve},
        {"deque_size", rtl.settings_deque_size_o, sms.deque_size},
        {"deque_base", uint64_t{rtl.deque_base_o} << 12, sms.deque_base},
        {"yield_seed", rtl.settings_yield_seed_o, sms.yield_seed},
        {"sv_order", rtl.settings_sv_order_o, sms.sv_order},
        {"sv_threshold", rtl.settings_sv_threshold_o, sms.sv_threshold},
        {"policy", rtl.settings_policy_o, sms.warp_policy},
        {"round_robin", rtl.task_round_robin_o, twin->outputs.round_robin},
        {"slice", rtl.task_slice_o, twin->outputs.slice},
        {"space_moved", rtl.space_moved_o, run->space_moved},
        {"deque_valid", rtl.deque_valid_o, run->deque},
        {"deque_op", run->deque ? rtl.deque_op_o : 0u, run->deque ? run->deque_op : 0},
        {"deque_places", run->deque ? rtl.deque_places_o : 0u, run->deque ? run->deque_places : 0},
    };
    for (const auto &one : all)
        if (one.rtl != one.twin) bench_fail(b, "%s is 0x%" PRIx64 ", not 0x%" PRIx64, one.name, one.rtl, one.twin);
}

// SUSPEND as it stood before this cycle, to those of the model who ask in its events.
void check_suspend(registers_run *run) {
    for (uint32_t c = 0; c < CHANNELS; c++) {
        const task_suspend &suspend = run->model->host->outputs.suspend[c];
        const bool before = run->model->run.cycles <= suspend.since ? suspend.before : suspend.on;
        if (get_bits(run->rtl->task_suspend_o, c, 1) != before)
            bench_fail(&run->b, "SUSPEND of channel %u before this cycle is %u in the model", c, before);
    }
}

// ---- a cycle, a life
void handshakes(registers_run *run, const taken &t) {
    const Vhost_registers &rtl = *run->rtl;
    if (t.write) {
        run->write.here = false;
        run->answered = true;
        run->error = !t.whole;
        run->writes++;
        run->parts += !t.whole;
    } else if (rtl.s_axil_bready_i) {
        run->answered = false;
    }
    if (run->reading)
        run->shown = true;
    else if (rtl.s_axil_rready_i)
        run->shown = false;
    run->reading = t.read;
    if (t.read) run->read.here = false;
    run->reads += t.read;
    if ((t.write || t.read) && run->b.op < run->b.ops) bench_more(&run->b);
}

void one_cycle(registers_run *run) {
    Vhost_registers &rtl = *run->rtl;
    world_cycle(run);
    rtl.eval();
    const taken t = due(run);
    compare_handshakes(run, t);
    run->space_moved = false;
    const bool deque = run->deque;
    if (rtl.deque_ready_i) run->deque = false;
    if (t.whole)
        do_write(run);
    else if (rtl.trace_reg_write_valid_o || rtl.signing_write_o || rtl.ring_reset_o != 0)
        bench_fail(&run->b, "something is written");
    if (t.read)
        do_read(run);
    else if (rtl.trace_reg_read_valid_o)
        bench_fail(&run->b, "something is read");
    check_suspend(run);
    follow_units(run);
    follow_faults(run, t);
    follow_interrupt(run);
    handshakes(run, t);
    run->deque_late = deque;
    ppu_counters &counters = run->model->run.counters;
    if (counters.resident > counters.resident_peak) counters.resident_peak = counters.resident;
    run->model->run.cycles++;
    tick(rtl);
    compare_outputs(run);
}

// It has run for long.
void clock_ahead(registers_run *run, uint64_t by) {
    uint64_t &cycles = run->model->run.cycles;
    if (cycles + by < cycles) return;
    cycles += by;
    run->rtl->rootp->host_registers__DOT__cycles_q = cycles;
    run->rtl->rootp->host_registers__DOT__time_q = cycles * NS_PER_CYCLE;
}

// The reset, in the middle of anything. What is written meanwhile does nothing.
void new_life(registers_run *run) {
    bench *b = &run->b;
    Vhost_registers &rtl = *run->rtl;
    if (run->model != nullptr) ppu_destroy(run->model);
    run->model = ppu_create(bench_config(), MEMORY, run->lives++);
    if (run->model == nullptr) bench_fail(b, "no memory for the model");
    if (CHANNELS < HOST_MAX_CHANNELS) run->model->task->outstanding[CHANNELS] = 1;  // nobody may ask for it
    rtl.rst_i = 1;
    for (uint32_t cycles = 1 + bench_below(b, 3); cycles != 0; cycles--) {
        world_cycle(run);
        if (bench_chance(b, 1, 3)) rtl.s_axil_awaddr_i = REG_CHANNEL_BASE + CHANNEL_SPACE_BASE;
        tick(rtl);
    }
    rtl.rst_i = 0;
    run->write = run->read = cpu_access();
    run->answered = run->error = run->reading = run->shown = false;
    run->deque = run->deque_late = run->space_moved = false;
    run->model->run.counters.resident = run->model->run.counters.resident_peak = 0;
    rtl.eval();
    compare_outputs(run);
    if (bench_chance(b, 1, 2)) clock_ahead(run, bench_random(b) >> (bench_chance(b, 1, 2) ? 0 : bench_below(b, 40)));
}

}  // namespace

int main(int argc, char **argv) {
    static registers_run run;
    bench_begin(&run.b, argc, argv, 100000);
    registers_at_random(run.b.seed);
    Vhost_registers rtl;
    run.rtl = &rtl;
    rtl.clk_i = 0;
    while (run.b.op < run.b.ops) {
        new_life(&run);
        for (uint32_t left = 1 + bench_below(&run.b, 2 * LIFE); left != 0 && run.b.op < run.b.ops; left--) {
            one_cycle(&run);
            if (bench_chance(&run.b, 1, 100)) clock_ahead(&run, bench_random(&run.b) >> (8 + bench_below(&run.b, 56)));
        }
    }
    ppu_destroy(run.model);
    printf("%" PRIu64 " writes, %" PRIu64 " of a part of a word, %" PRIu64 " reads, %" PRIu64 " lives, %" PRIu64
           " faults, %" PRIu64 " resets of channels, %" PRIu64 " moves, %" PRIu64 " reads of counters at work\n",
           run.writes, run.parts, run.reads, run.lives, run.faults, run.resets, run.moves, run.idle_only);
    if (run.b.ops >= 20000 && (run.parts == 0 || run.faults == 0 || run.resets == 0 || run.moves == 0))
        bench_fail(&run.b, "the stream has missed something");
    return bench_end(&run.b);
}
