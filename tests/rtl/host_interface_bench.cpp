// host_interface alone: random rings, command blocks, semaphores, register accesses, faults and resets on all channels;
// a memory with random latency behind ports 0 and 1, a random task unit. Every event is given to the C model
// (ppu_follow) and compared; at the end both memories are. WQ-1, WQ-2, WQ-3, WQ-5, WQ-6, WQ-7, WQ-8, WQ-15. An
// operation is an executed method. Compiled with -DBENCH_CONFIG="name", the configuration that the unit was verilated
// with.
#include <verilated.h>

#define BENCH_SHOWS "WQ-1 WQ-2 WQ-3 WQ-5 WQ-7 WQ-8 WQ-15"
#include "bench.h"
#include "bench_config.h"
#include "host_interface_status.h"
#include "host_interface_world.h"
#include "inject.h"
#include "tick.h"

#include "../unit/host_standins.h"

namespace {

// A new life for a channel: everything set anew. The space is set only once: the CPU and others write there.
void set_up(world &w, uint32_t c, bool first) {
    bench *b = &w.b;
    cpu_channel &cpu = w.cpu[c];
    static const uint32_t powers[] = {2, 4, 8, 16, 32};
    cpu.entries = bench_chance(b, 1, 2) ? powers[bench_below(b, 5)] : 2 + bench_below(b, PROGRAM_MAX_ENTRIES - 1);
    cpu.put = 0;
    cpu.broken = false;
    cpu.work.bench = b;
    cpu.work.left_over = 0;
    cpu.work.object = false;
    if (first) {
        const uint32_t place = bench_below(b, SPACES);
        reg_write(w, block_reg(c, CHANNEL_SPACE_BASE), place * PROGRAM_SPACE | bench_below(b, 4096));
        reg_write(w, block_reg(c, CHANNEL_SPACE_SIZE),
                  PROGRAM_SPACE + (place == SPACES - 1 ? 0x20000 : 0) + bench_below(b, 4096));
    }
    uint32_t base = PROGRAM_RING + c * 0x200 % 0x1000, entries = cpu.entries, put = 0;
    if (bench_chance(b, 1, 10)) {  // something wrong
        cpu.broken = true;
        switch (bench_below(b, 6)) {
            case 0:
                base = PROGRAM_SPACE + 0x40000;
                put = 1;
                break;
            case 1:
                base = 0xFFFFFFF8;
                put = 1;
                break;
            case 2:
                entries = bench_below(b, 2);
                put = 1;
                break;
            case 3:
                entries = 65537 + bench_below(b, 100);
                put = 1;
                break;
            case 4: put = entries + bench_below(b, 1000); break;
            default: put = static_cast<uint32_t>(bench_random(b)) | 0x10000; break;
        }
    }
    reg_write(w, block_reg(c, CHANNEL_GP_BASE), base + bench_below(b, 8));
    reg_write(w, block_reg(c, CHANNEL_GP_ENTRIES), entries);
    reg_write(w, block_reg(c, CHANNEL_PRIORITY), bench_below(b, 4));
    reg_write(w, block_reg(c, CHANNEL_ACQUIRE_RETRY), bench_below(b, 100));
    reg_write(w, block_reg(c, CHANNEL_ACQUIRE_TIMEOUT), bench_chance(b, 1, 4) ? 1 + bench_below(b, 3000) : 0);
    reg_write(w, userd_reg(c, USERD_GP_PUT), put);
}

// Blocks of channels that share a space lie apart.
uint32_t block_addr(uint32_t c, uint32_t entry) {
    return PROGRAM_BLOCKS + (c * PROGRAM_MAX_ENTRIES + entry) * PROGRAM_BLOCK_BYTES;
}

void submit(world &w, uint32_t c) {
    cpu_channel &cpu = w.cpu[c];
    const uint32_t get = w.model->host->channel_state[c].gp_get;
    uint32_t added = 0;
    if (cpu.owned) {  // GP_PUT is not the CPU's: nothing happens
        if (bench_chance(&w.b, 1, 8)) reg_write(w, userd_reg(c, USERD_GP_PUT), bench_below(&w.b, cpu.entries));
        return;
    }
    for (; added < 4 && (cpu.put + 1) % cpu.entries != get; added++) {
        uint32_t entry[2];
        program_block(&cpu.work);
        const uint32_t addr = block_addr(c, cpu.put);
        if (cpu.work.count != 0) write_memory(w, c, addr, cpu.work.words, cpu.work.count * 4);
        program_entry(&cpu.work, addr, cpu.work.count, entry);
        write_memory(w, c, PROGRAM_RING + c * 0x200 % 0x1000 + 8 * cpu.put, entry, 8);
        cpu.put = cpu.put + 1 == cpu.entries ? 0 : cpu.put + 1;
    }
    if (added != 0) reg_write(w, userd_reg(c, USERD_GP_PUT), cpu.put);
}

// Every entry of the ring, before the channel is given to the PPU's threads.
void fill_ring(world &w, uint32_t c) {
    cpu_channel &cpu = w.cpu[c];
    for (uint32_t i = 0; i < cpu.entries; i++) {
        uint32_t entry[2];
        program_block(&cpu.work);
        const uint32_t addr = block_addr(c, i);
        if (cpu.work.count != 0) write_memory(w, c, addr, cpu.work.words, cpu.work.count * 4);
        program_entry(&cpu.work, addr, cpu.work.count, entry);
        write_memory(w, c, PROGRAM_RING + c * 0x200 % 0x1000 + 8 * i, entry, 8);
    }
}

void cpu_thinks(world &w) {
    bench *b = &w.b;
    if (w.quiet || !w.registers.empty()) return;
    const uint32_t c = bench_below(b, w.channels);
    const host_channel &channel = w.model->host->channel_state[c];
    if (host_outputs(w.model->host)->channel_halt[c]) {
        if (!bench_chance(b, 1, 20)) return;
        // STOP changes nothing in a channel that stands, nor beside RESET.
        const uint32_t stop = bench_chance(b, 1, 4) ? CHANNEL_CONTROL_STOP(1u) : 0;
        if (stop != 0) reg_write(w, block_reg(c, CHANNEL_CONTROL), stop);
        w.registers.push_back({false, block_reg(c, CHANNEL_FAULT_CODE), 0});
        w.registers.push_back({false, block_reg(c, CHANNEL_FAULT_INFO), 0});
        w.registers.push_back({false, block_reg(c, CHANNEL_FAULT_PC), 0});
        reg_write(w, block_reg(c, CHANNEL_CONTROL), 2 | stop);
        w.resets++;
    } else if (!channel.enable && (channel.busy || channel.gp_get != 0 || channel.gp_put != 0)) {
        // In the middle of its work: goes on with it, or is to be reset (refused while tasks run). What was handed over
        // must not change.
        reg_write(w, block_reg(c, CHANNEL_CONTROL),
                  (bench_chance(b, 1, 2) ? 1 : 2) | (w.cpu[c].owned ? 4 : 0) |
                      (bench_chance(b, 1, 3) ? CHANNEL_CONTROL_SUSPEND(1u) : 0));
    } else if (!channel.enable) {
        set_up(w, c, false);
        w.cpu[c].owned = !w.cpu[c].broken && bench_chance(b, 1, 5);
        if (w.cpu[c].owned) fill_ring(w, c);
        reg_write(w, block_reg(c, CHANNEL_CONTROL), w.cpu[c].owned ? 5 : 1);
    } else if (bench_chance(b, 1, 3000)) {  // reset out of the blue: refused while tasks run
        reg_write(w, block_reg(c, CHANNEL_CONTROL), 2);
    } else if (bench_chance(b, 1, 1000)) {  // stopped, whatever it does
        reg_write(w, block_reg(c, CHANNEL_CONTROL), CHANNEL_CONTROL_STOP(1u) | (w.cpu[c].owned ? 5 : 1));
        w.stops++;
    } else if (bench_chance(b, 1, 500)) {
        reg_write(w, block_reg(c, CHANNEL_CONTROL), w.cpu[c].owned ? 4 : 0);
    } else if (!w.cpu[c].broken && bench_chance(b, 1, 4)) {
        submit(w, c);
    } else if (bench_chance(b, 1, 60)) {  // a space moves to where it is
        reg_write(w, block_reg(c, CHANNEL_SPACE_BASE), host_outputs(w.model->host)->space[c].base);
    } else if (bench_chance(b, 1, 3)) {
        static const uint32_t places[] = {0x000, 0x040, 0x1000, 0x1038, 0x10040, 0x1008C};
        uint32_t addr = places[bench_below(b, 6)] + (bench_chance(b, 1, 2) ? 4 * bench_below(b, 20) : 0);
        if (addr >= 0x10000)
            addr += c * REG_USERD_STRIDE;
        else if (addr >= 0x1000)
            addr += c * REG_CHANNEL_STRIDE;
        w.registers.push_back({false, addr, 0});
    } else if (bench_chance(b, 1, 10)) {
        static const uint32_t places[] = {REG_MAGIC, REG_SCRATCH, REG_INTR_STATUS, REG_INTR_ENABLE, REG_WARP_SELECT,
                                          0x044,     0xFFC,       0x1038,          0xF000};
        reg_write(w, places[bench_below(b, 9)], static_cast<uint32_t>(bench_random(b)));
    }
}

void register_inputs(world &w) {
    Vhost_interface &t = w.top;
    bench *b = &w.b;
    t.s_axil_bready_i = bench_below(b, 2);
    t.s_axil_rready_i = bench_below(b, 2);
    t.s_axil_awvalid_i = t.s_axil_wvalid_i = t.s_axil_arvalid_i = 0;
    if (w.registers.empty() || w.rd_outstanding != 0) return;
    const reg_access &access = w.registers.front();
    if (access.write) {
        if (w.aw_taken == 0 && bench_chance(b, 1, 2)) w.aw_taken = 1;  // once valid, valid until taken
        if (w.w_taken == 0 && bench_chance(b, 1, 2)) w.w_taken = 1;
        t.s_axil_awvalid_i = w.aw_taken;
        t.s_axil_wvalid_i = w.w_taken;
        t.s_axil_awaddr_i = access.addr;
        t.s_axil_wdata_i = access.data;
        t.s_axil_wstrb_i = 0xF;
    } else {
        t.s_axil_arvalid_i = 1;
        t.s_axil_araddr_i = access.addr;
    }
}

// ---- other agents: threads and CPU cores that write semaphores
void others_write(world &w) {
    bench *b = &w.b;
    if (w.quiet || !bench_chance(b, 1, 60)) return;
    const uint32_t c = bench_below(b, w.channels);
    const host_channel &channel = w.model->host->channel_state[c];
    uint32_t addr = PROGRAM_SEMAPHORES + 4 * bench_below(b, PROGRAM_SEMAPHORE_WORDS);
    uint32_t value = program_payload(b);
    if (channel.blocked && channel.blocked_addr < 4 * PROGRAM_SEMAPHORE_WORDS) {
        addr = channel.blocked_addr;
        if (bench_chance(b, 3, 4)) value = channel.blocked_payload;
    }
    write_memory(w, c, addr, &value, 4);
    if (!w.top.snoop_valid_i && bench_chance(b, 3, 4)) {
        w.top.snoop_valid_i = 1;
        w.top.snoop_addr_i = (host_outputs(w.model->host)->space[c].base + addr) & ~31u;
        w.wakes++;
    }
}

// ---- the task unit
void task_inputs(world &w) {
    Vhost_interface &t = w.top;
    bench *b = &w.b;
    task *tasks = w.model->task;
    if (!w.quiet && bench_chance(b, 1, 500)) tasks->room = bench_below(b, 8);
    t.launch_ready_i = task_can_launch(tasks);
    t.channel_idle_i = 0;
    t.fault_valid_i = 0;
    w.ending.clear();
    for (uint32_t c = 0; c < w.channels; c++) {
        const uint32_t outstanding = tasks->outstanding[c];
        t.channel_idle_i |= static_cast<uint8_t>((outstanding == 0 ? 1u : 0u) << c);
        set_bits(t.tasks_outstanding_i, 24 * c, 24, outstanding);
        if (w.quiet) continue;
        if (outstanding != 0 && bench_chance(b, 1, 60))
            w.ending.push_back({c, false});
        else if (outstanding != 0 && !t.fault_valid_i && bench_chance(b, 1, 20000)) {
            t.fault_valid_i = 1;
            t.fault_channel_i = static_cast<uint8_t>(c);
            t.fault_code_i = static_cast<uint8_t>(FAULT_ILLEGAL_INSTRUCTION + bench_below(b, 6));
            t.fault_info_i = static_cast<uint32_t>(bench_random(b));
            t.fault_pc_i = static_cast<uint32_t>(bench_random(b));
        }
    }
}

void task_events(world &w) {
    const Vhost_interface &t = w.top;
    if (t.fault_valid_i) {
        const struct fault_report fault = {t.fault_channel_i, t.fault_code_i, t.fault_info_i, t.fault_pc_i};
        host_fault(w.model->host, &fault);
    }
    for (const auto &end : w.ending)
        standin_task_end(w.model->task, end.first);
}

// ---- the events of a cycle, in the table's order
void register_events(world &w) {
    const Vhost_interface &t = w.top;
    w.moves = false;
    if (trace_event e; trace_read_reg_write(t, e)) {
        if (w.registers.empty() || e.reg_write.addr != (w.registers.front().addr & ~3u) ||
            e.reg_write.data != w.registers.front().data) {
            bench_fail(&w.b, "REG_WRITE 0x%05x 0x%08x is not what was asked for", e.reg_write.addr, e.reg_write.data);
        }
        follow(w, e);
        for (uint32_t c = 0; c < w.channels; c++)
            w.moves = w.moves || e.reg_write.addr == block_reg(c, CHANNEL_SPACE_BASE);
    }
    if (trace_event e; trace_read_reg_read(t, e)) {
        follow(w, e);
        w.registers.front().data = e.reg_read.data;
    }
}

void host_events(world &w) {
    const Vhost_interface &t = w.top;
    bool forgets = w.moved;  // cached instructions: a space has moved, or a method says so
    w.moved = w.moves;
    if (trace_event e; trace_read_gp_entry(t, e)) {
        follow(w, e);
    }
    if (trace_event e; trace_read_method(t, e)) {
        const uint32_t launches = w.model->task->launches;
        follow(w, e);
        bench_more(&w.b);
        w.last_method = w.cycle;
        const bool launched = w.model->task->launches != launches;
        const task *tasks = w.model->task;
        if (launched != (t.launch_valid_o && t.launch_ready_i)) bench_fail(&w.b, "launch handshake and model differ");
        if (launched && (t.launch_channel_o != tasks->last_channel || t.launch_tmd_o != tasks->last_tmd ||
                         t.launch_region_o != tasks->last_region || t.launch_local_o != tasks->last_local)) {
            bench_fail(&w.b, "launch of TMD 0x%08x region 0x%08x local 0x%08x, the model has 0x%08x 0x%08x 0x%08x",
                       t.launch_tmd_o, t.launch_region_o, t.launch_local_o, tasks->last_tmd, tasks->last_region,
                       tasks->last_local);
        }
        forgets = forgets || e.method.addr == 0x21C / 4;
    } else if (t.launch_valid_o && t.launch_ready_i) {
        bench_fail(&w.b, "a launch without METHOD");
    }
    if (t.icache_invalidate_o != forgets) bench_fail(&w.b, "icache_invalidate_o is %d", t.icache_invalidate_o);
    if (trace_event e; trace_read_semaphore(t, e)) {
        follow(w, e);
    }
    if (trace_event e; trace_read_gp_get(t, e)) {
        follow(w, e);
    }
    if (trace_event e; trace_read_fault(t, e)) {
        follow(w, e);
        w.faults++;
    }
    if (trace_event e; trace_read_interrupt(t, e)) follow(w, e);
}

void register_outputs(world &w) {
    Vhost_interface &t = w.top;
    if (t.s_axil_awvalid_i && t.s_axil_awready_o) {
        if (!(t.s_axil_wvalid_i && t.s_axil_wready_o)) bench_fail(&w.b, "address taken without data");
        w.registers.pop_front();
        w.aw_taken = w.w_taken = 0;
    }
    if (t.s_axil_rvalid_o && t.s_axil_rready_i) {
        if (w.rd_outstanding == 0) bench_fail(&w.b, "read data that nobody asked for");
        if (t.s_axil_rdata_o != w.registers.front().data) bench_fail(&w.b, "rdata is not the event's data");
        w.rd_outstanding = 0;
        w.read = t.s_axil_rdata_o;
        w.registers.pop_front();
    }
    if (t.s_axil_arvalid_i && t.s_axil_arready_o) w.rd_outstanding = 1;
}

void one_cycle(world &w) {
    Vhost_interface &t = w.top;
    w.cycle++;
    cpu_thinks(w);
    register_inputs(w);
    task_inputs(w);
    // Events of the registers come before PERFORM; they depend on inputs that are set by now, so look at them first.
    t.mem_req_ready_i = 0;
    t.mem_rsp_valid_i = 0;
    t.eval();
    register_events(w);
    memory_inputs(w);
    others_write(w);
    t.eval();
    task_events(w);
    host_events(w);
    memory_requests(w);
    register_outputs(w);
    if (w.cycle % 16 == 0) {
        if (t.irq_o != host_irq(w.model->host)) {
            // INTR_STATUS changes at the end of the cycle: looked at only when nothing was raised or cleared.
            if (!t.trace_interrupt_valid_o && !t.trace_reg_write_valid_o) bench_fail(&w.b, "irq_o is %d", t.irq_o);
        }
    }
    const uint64_t now = t.cycle_o;
    tick(t);
    if (t.cycle_o != now + 1) bench_fail(&w.b, "cycle_o is %" PRIu64 " behind %" PRIu64, t.cycle_o, now);
    if (w.cycle - w.last_method > HANG) bench_fail(&w.b, "no method in %" PRIu64 " cycles", HANG);
}

// A write of a semaphore wakes its blocked acquire without waiting for the retry period: the new try's request comes
// WAKE_CYCLES later.
constexpr uint32_t WAKE_CYCLES = 3;
void check_wake(world &w) {
    const uint32_t block[] = {OP_INC << 29 | 4 << 16 | 0x10 / 4, 0, PROGRAM_SEMAPHORES, 7, 1};  // acquire 7
    const uint32_t entry[] = {PROGRAM_BLOCKS, 5 << 10}, value = 7;
    w.quiet = true;
    reg_write(w, block_reg(0, CHANNEL_SPACE_SIZE), PROGRAM_SPACE);
    reg_write(w, block_reg(0, CHANNEL_GP_BASE), PROGRAM_RING);
    reg_write(w, block_reg(0, CHANNEL_GP_ENTRIES), 4);
    reg_write(w, block_reg(0, CHANNEL_ACQUIRE_RETRY), 0x7FFFFFFF);
    reg_write(w, block_reg(0, CHANNEL_CONTROL), 1);
    write_memory(w, 0, PROGRAM_BLOCKS, block, sizeof block);
    write_memory(w, 0, PROGRAM_RING, entry, sizeof entry);
    reg_write(w, userd_reg(0, USERD_GP_PUT), 1);
    for (int i = 0; i < 3000; i++)
        one_cycle(w);
    if (!w.model->host->channel_state[0].blocked || w.top.mem_req_valid_o != 0)
        bench_fail(&w.b, "the acquire does not wait");
    write_memory(w, 0, PROGRAM_SEMAPHORES, &value, 4);
    w.top.snoop_valid_i = 1;
    w.top.snoop_addr_i = PROGRAM_SEMAPHORES;
    tick(w.top);
    w.top.snoop_valid_i = 0;
    w.top.eval();
    uint32_t cycles = 1;
    for (; w.top.mem_req_valid_o != 2 && cycles < 100; cycles++)
        tick(w.top);
    if (cycles != WAKE_CYCLES) bench_fail(&w.b, "a woken acquire asks after %u cycles, not %u", cycles, WAKE_CYCLES);
    while (w.model->host->channel_state[0].gp_get == 0)
        one_cycle(w);
    reg_write(w, block_reg(0, CHANNEL_CONTROL), 2);
    while (!w.registers.empty())
        one_cycle(w);
    w.quiet = false;
}

}  // namespace

int main(int argc, char **argv) {
    static world w;
    const unsigned inject = take_inject(&argc, argv);
    bench_begin(&w.b, argc, argv, 200000);
    const ppu_config *config = bench_config();
    w.model = ppu_create(config, MEMORY, w.b.seed);
    w.memory.assign(MEMORY, 0);
    w.channels = config->channels;
    w.cpu.resize(w.channels);
    w.top.inject_i = static_cast<uint8_t>(inject);
    if (inject >= 100) ppu_inject(w.model, inject);  // a defect of the model
    reset(w.top);
    check_wake(w);
    check_status(w);
    for (uint32_t c = 0; c < w.channels; c++)
        set_up(w, c, true);
    while (w.b.op < w.b.ops)
        one_cycle(w);
    if (memcmp(w.memory.data(), ppu_mem(w.model), MEMORY) != 0) bench_fail(&w.b, "the memories differ");
    printf("%" PRIu64 " cycles, %" PRIu64 " faults, %" PRIu64 " resets, %" PRIu64 " stops, %" PRIu64
           " writes by others\n",
           w.cycle, w.faults, w.resets, w.stops, w.wakes);
    ppu_destroy(w.model);
    return bench_end(&w.b);
}
