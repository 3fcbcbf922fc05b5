// memory_unit: random requests on all ports over an AXI memory that answers late and in any order, against the C twin,
// which performs each request at once when the RTL's PERFORM event says so. WQ-6, WQ-7: the order of memory; semaphores
// and kernels rest on it. Checked: every event and every answer (data, fault, order in the port), the snoop outputs,
// the rules of AXI (no two transactions of a line but reads), the CPU's accesses in between, and the whole memory at
// the end of a round. In some rounds a part of the memory answers with errors, now this and now that: which
// request is told so, what it leaves in memory, and which atomics a failed write-back loses.
// Compiled with -DCHANNELS= -DSMS= -DAXI_DATA_W= as the unit was verilated, and -DDEFECT= to see
// that a defect on purpose is found.
#include <verilated.h>

#include <algorithm>

#define BENCH_SHOWS "WQ-6"
#include "bench.h"
#include "inject.h"
#include "memory_unit_world.h"
#include "tick.h"

static unsigned inject;  // a defect on purpose; the unit must be verilated with INJECT=1

// Another part of the memory fails from now on, or none does.
static void choose_errors(struct round *round) {
    struct bench *bench = round->bench;
    if (!round->errors) return;
    const uint32_t base = space[bench_below(bench, CHANNELS)].base + bench_below(bench, round->hot_lines) * 32;
    axi_memory_set_errors(round->axi, base, bench_below(bench, 3) * 40, bench_chance(bench, 1, 2));
}

static void check_answers(struct round *round) {
    Vmemory_unit &unit = round->unit;
    for (uint32_t p = 0; p < PORTS; p++) {
        if (get_bits(unit.rsp_valid_o, p, 1) == 0) continue;
        struct port *port = &round->ports[p];
        if (port->open.empty() || !port->open.front().performed)
            bench_fail(round->bench, "port %u is answered although nothing of it is performed", p);
        const struct request r = port->open.front();
        port->open.pop_front();
        const uint32_t fault = static_cast<uint32_t>(get_bits(unit.rsp_fault_o, 2 * p, 2));
        uint8_t data[32];
        memcpy(data, reinterpret_cast<const uint8_t *>(&unit.rsp_data_o) + 32 * p, 32);
        char text[160];
        describe(&r.request, text, sizeof text);
        if (fault != r.response.fault)
            bench_fail(round->bench, "port %u, %s: fault %u, the model has %u", p, text, fault, r.response.fault);
        static const uint8_t zeros[4] = {};
        if (fault != 0 && r.request.op == MEM_ATOMIC && memcmp(data, zeros, sizeof zeros) != 0)
            bench_fail(round->bench, "port %u, %s: fault %u and an old word", p, text, fault);
        const size_t size = fault != 0 || r.request.op == MEM_WRITE ? 0 : r.request.op == MEM_ATOMIC ? 4 : 32;
        for (size_t i = 0; i < size; i++) {
            if (data[i] != r.response.data[i])
                bench_fail(round->bench, "port %u, %s: byte %zu is 0x%02x, the model has 0x%02x", p, text, i, data[i],
                           r.response.data[i]);
        }
        round->last_headway = round->cycle;
    }
}

// The CPU reads or writes a few bytes, when no line is kept changed.
static void cpu_access(struct round *round) {
    struct bench *bench = round->bench;
    uint8_t a[40], b[40];
    const uint32_t size = 1 + bench_below(bench, 40);
    const uint32_t channel = bench_below(bench, CHANNELS);
    uint32_t addr = space[channel].base + bench_below(bench, round->hot_lines * 32);
    if (addr > MEMORY_BYTES - size) addr = bench_below(bench, MEMORY_BYTES - size);
    if (bench_chance(bench, 1, 2)) {
        for (uint32_t i = 0; i < size; i++)
            a[i] = static_cast<uint8_t>(bench_random(bench));
        axi_memory_cpu_write(round->axi, addr, a, size);
        round->unit.changed_i = 1;
        memcpy(mem_bytes(round->mem) + addr, a, size);
    } else {
        axi_memory_cpu_read(round->axi, addr, a, size);
        memcpy(b, mem_bytes(round->mem) + addr, size);
        if (memcmp(a, b, size) != 0)
            bench_fail(bench, "the CPU reads other bytes at 0x%x (size %u) than the model has", addr, size);
    }
}

// A memory may wait for a valid before it is ready; a unit may not wait for a ready.
static void hold_back(struct round *round, struct axi_memory_out *out) {
    if (!round->shy) return;
    out->arready = out->arready && round->unit.m_axi_arvalid_o != 0;
    out->awready = out->awready && round->unit.m_axi_awvalid_o != 0;
    out->wready = out->wready && round->unit.m_axi_wvalid_o != 0;
}

// A memory may take the beats of a write first, and its address some time later.
static void hold_address(struct round *round, struct axi_memory_out *out) {
    if (!round->late) return;
    if (!round->shown)
        round->shown =
            round->unit.m_axi_awvalid_o != 0 && round->bursts > round->addresses && bench_chance(round->bench, 1, 12);
    if (!round->shown) out->awready = false;
}

// No beat goes before the address of the write in front of its own.
static void check_writes(struct round *round, struct axi_memory_in *in, const struct axi_memory_out *out) {
    if (in->wvalid && round->bursts > round->addresses)
        bench_fail(round->bench, "a beat of a write, and the address of the one before has not gone");
    if (round->late && !round->shown) in->awvalid = false;
    if (in->awvalid && out->awready) {
        round->addresses++;
        round->shown = false;
    }
    round->bursts += in->wvalid && out->wready && in->wlast;
}

// What the memory drives; of a burst that it answers with errors mostly one beat alone says so. The unit takes a beat
// in every cycle.
static struct axi_memory_out one_bad_beat(struct round *round) {
    struct axi_memory_out out = *axi_memory_out(round->axi);
    if (!out.rvalid) return out;
    uint32_t *beat = &round->beat[out.rid], *bad = &round->bad_beat[out.rid];
    if (*beat == 0) *bad = bench_below(round->bench, BEATS + 1);
    if (*bad < BEATS && *beat != *bad) out.rresp = 0;
    *beat = out.rlast ? 0 : *beat + 1;
    return out;
}

// A port that writes lines knows late whether it asks: whether it would be ready does not hang on that.
static void check_ready(struct round *round) {
    Vmemory_unit &unit = round->unit;
    for (uint32_t p = 0; p < PORTS; p++) {
        if (!writes_lines(p) || !bench_chance(round->bench, 1, 8)) continue;
        const bool valid = get_bits(unit.req_valid_i, p, 1) != 0, ready = get_bits(unit.req_ready_o, p, 1) != 0;
        set_bits(unit.req_valid_i, p, 1, !valid);
        unit.eval();
        if ((get_bits(unit.req_ready_o, p, 1) != 0) != ready)
            bench_fail(round->bench, "port %u is ready %u, and when it asks it is not so", p, ready);
        set_bits(unit.req_valid_i, p, 1, valid);
        unit.eval();
    }
}

// One clock cycle.
static void cycle(struct round *round, bool more) {
    Vmemory_unit &unit = round->unit;
    struct axi_memory_out out = one_bad_beat(round);
    hold_back(round, &out);
    hold_address(round, &out);
    axi_drive(unit, &out);
    drive_requests(round, more);
    unit.lost_take_i = 0;
    unit.eval();
    unit.lost_take_i = unit.lost_valid_o != 0 && bench_chance(round->bench, 1, 2);
    unit.eval();
    check_ready(round);
    // Taken requests are known before this cycle's PERFORM, though none can be performed in it.
    for (uint32_t p = 0; p < PORTS; p++) {
        struct port *port = &round->ports[p];
        if (!port->valid || get_bits(unit.req_ready_o, p, 1) == 0) continue;
        struct request r;
        memset(&r, 0, sizeof r);
        r.request = port->next;
        port->open.push_back(r);
        port->valid = false;
        round->last_headway = round->cycle;
        bench_more(round->bench);
    }
    check_perform(round);
    check_errors(round);
    check_answers(round);
    struct axi_memory_in in;
    axi_sample(unit, &in);
    check_writes(round, &in, &out);
    note_errors(round, &in, &out);
    round->busy += unit.rmw_busy_o;
    round->reads += in.arvalid && out.arready;
    round->writes += in.awvalid && out.awready;
    tick(unit);
    unit.changed_i = 0;
    axi_memory_clock(round->axi, &in);
    if (axi_memory_error(round->axi) != NULL) bench_fail(round->bench, "%s", axi_memory_error(round->axi));
    round->cycle++;
    if (round->cycle - round->last_headway > SILENCE)
        bench_fail(round->bench, "hangs: nothing happened for %u cycles", SILENCE);
    // With errors everywhere the line that failed last may always be waiting to be told.
    if (!unit.rmw_busy_o || round->errors) round->busy_since = round->cycle;
    if (round->cycle - round->busy_since > BUSY)
        bench_fail(round->bench, "rmw_busy_o does not fall: the CPU is kept out");
    if (!unit.rmw_busy_o && !axi_memory_failing(round->axi) && bench_chance(round->bench, 1, 8)) cpu_access(round);
    if (bench_chance(round->bench, 1, 300)) choose_errors(round);
}

static bool all_answered(const struct round *round) {
    for (const struct port &port : round->ports) {
        if (port.valid || !port.open.empty()) return false;
    }
    return round->unit.rmw_busy_o == 0 && axi_memory_idle(round->axi);
}

static void choose_spaces(struct bench *bench) {
    for (uint32_t c = 0; c < CHANNELS; c++) {
        space[c].base = bench_below(bench, 8) * 4096;
        space[c].size = (1 + bench_below(bench, 4)) * 4096;
    }
    // Spaces overlap, so that channels meet in a line; some are empty, huge, reach past the memory, or past 32 bits.
    const uint32_t odd = bench_below(bench, CHANNELS);
    switch (bench_below(bench, 5)) {
        case 0: space[odd].size = 0; break;
        case 1: space[odd].base = MEMORY_BYTES - 4096; break;
        case 2: space[odd].base = 0xFFFFE000, space[odd].size = 0x4000; break;
        case 3: space[odd].size |= 0x80000000u; break;
        default: break;
    }
}

// one: the port that asks alone, PORTS: all do as they like.
static void begin_round(struct round *round, struct bench *bench, const struct axi_memory_options *fixed,
                        uint32_t one) {
    static const uint32_t latencies[] = {0, 3, 12, 60};
    struct axi_memory_options options;
    memset(&options, 0, sizeof options);
    options.seed = bench_random(bench);
    options.data_width = AXI_DATA_W;
    options.latency = latencies[bench_below(bench, 4)];
    options.backpressure = bench_chance(bench, 1, 2) ? 0 : bench_below(bench, 70);
    options.reorder = bench_chance(bench, 3, 4);
    if (one != PORTS) options.latency = 60, options.backpressure = 0;
    if (fixed != NULL) options = *fixed;
    round->bench = bench;
    round->axi = axi_memory_create(MEMORY_BYTES, &options);
    memset(&round->run, 0, sizeof round->run);
    round->mem = mem_create(&round->run, MEMORY_BYTES, nullptr);
    if (round->axi == NULL || round->mem == NULL) bench_fail(bench, "out of memory");
    const struct mem_wires wires = {space, note_fault, nullptr};
    mem_connect(round->mem, &wires);
    mem_set_pages(round->mem, PAGES);
    for (uint32_t i = 0; i < MEMORY_BYTES; i++)
        axi_memory_bytes(round->axi)[i] = static_cast<uint8_t>(bench_random(bench));
    memcpy(mem_bytes(round->mem), axi_memory_bytes(round->axi), MEMORY_BYTES);
    round->run.following = true;
    choose_spaces(bench);
    round->hot_lines = 1 + bench_below(bench, 12);
    round->errors = fixed == NULL && bench_chance(bench, 1, 3);
    round->shy = bench_chance(bench, 1, 3);
    round->late = fixed == NULL && bench_chance(bench, 1, 4);
    round->shown = false;
    round->addresses = round->bursts = 0;
    choose_errors(round);
    for (uint32_t p = 0; p < PORTS; p++) {
        static const uint32_t rates[] = {0, 5, 30, 100};
        round->ports[p].rate = rates[bench_below(bench, 4)];
        round->ports[p].atomics = bench_chance(bench, 1, 4) ? 90 : bench_below(bench, 40);
        round->ports[p].writes = bench_below(bench, 100 - round->ports[p].atomics);
    }
    round->ports[LINE_PORT].rate = 100;
    // One alone has as much under way as there may be.
    round->alone = one != PORTS;
    for (uint32_t p = 0; p < PORTS && one != PORTS; p++) {
        round->ports[p].rate = p == one ? 100 : 0;
        round->ports[p].atomics = 1 + bench_below(bench, 10);
        round->ports[p].writes = bench_below(bench, 3) * 10;
    }
    for (uint32_t p = TOKEN_PORT; p < PORTS; p++)
        round->ports[p].atomics = 0;
    for (uint32_t c = 0; c < CHANNELS; c++) {
        set_bits(round->unit.space_base_i, 32 * c, 32, space[c].base);
        set_bits(round->unit.space_size_i, 32 * c, 32, space[c].size);
    }
    round->unit.inject_i = static_cast<uint8_t>(inject);
    round->unit.req_valid_i = 0;
    round->unit.changed_i = 0;
    reset(round->unit);
}

static void end_round(struct round *round) {
    while (!all_answered(round))
        cycle(round, false);
    for (const auto &line : round->untold) {
        if (line.second != 0) bench_fail(round->bench, "an error of line 0x%x is never told", line.first);
    }
    axi_memory_settle(round->axi);
    for (uint32_t i = 0; i < MEMORY_BYTES; i++) {
        if (axi_memory_bytes(round->axi)[i] != mem_bytes(round->mem)[i])
            bench_fail(round->bench, "at the end byte 0x%x is 0x%02x, the model has 0x%02x", i,
                       axi_memory_bytes(round->axi)[i], mem_bytes(round->mem)[i]);
    }
    axi_memory_destroy(round->axi);
    mem_destroy(round->mem);
}

// A request a cycle as far as the bus lets it: a line takes 256 / AXI_DATA_W beats, an atomic of a line
// that is kept none: of one line, and of as many as are kept.
static void check_speed(struct bench *bench) {
    // Atomics without a pause for longer than lines may be kept: they are written back all the same. A read after an atomic
    // waits for its answer, and an atomic for those of reads.
    // Lines that are kept need not be read again unless the CPU has written something, which it does when nothing is kept
    // changed: after so many cycles. They are written back then, and when they hold 127 atomics.
    const uint32_t ends = 2 * BUSY / 1024 + 2, again = ends * ATOMIC_LINES, full = 2 * BUSY / 127 + 1;
    const uint64_t line = BEATS * 11 / 10.0 * 2000 + 50, pair = (BEATS > 2 ? BEATS : 2) * 1100 + 50;
    const struct speed kinds[] = {
        {"reads", 2000, 64, 0, 0, false, false, false, line, 2000, 0, true, false},
        {"reads of a line", 2000, 1, 0, 0, false, false, false, line, 2000, 0, true, false},
        {"writes", 2000, 64, 0, 100, false, false, false, line, 0, 2000, false, false},
        {"atomics of a line", 2 * BUSY, 1, 100, 0, false, false, false, 3 * BUSY, ends, full + ends, false, false},
        {"atomics", 2 * BUSY, ATOMIC_LINES, 100, 0, false, false, false, 3 * BUSY, again, full + 2 * again, false,
         false},
        {"reads and writes in turn", 2000, 64, 0, 100, true, false, false, pair, 1000, 1000, false, false},
        {"reads and atomics in turn", 2000, 2, 100, 0, true, false, false, 2000 * (BEATS + 8), 1500, 1000, false,
         false},
        {"reads that fail", 2000, 64, 0, 0, false, true, false, line, 2000, 0, true, false},
        {"atomics that are none", 2000, 1, 100, 0, false, false, true, 3000, ends, 0, false, false},
        // What is lost is told with every write-back: of which channel, and how many atomics.
        {"atomics that are lost", 2000, 2, 100, 0, false, false, false, 6000, 40, 40, false, true},
    };
    for (const struct speed &kind : kinds) {
        struct axi_memory_options options;
        memset(&options, 0, sizeof options);
        options.data_width = AXI_DATA_W;
        options.latency = 2;
        struct round *round = new struct round();
        begin_round(round, bench, &options, PORTS);
        round->straight = &kind;
        for (uint32_t c = 0; c < CHANNELS; c++) {
            space[c].base = 0, space[c].size = 4096;
            set_bits(round->unit.space_base_i, 32 * c, 32, space[c].base);
            set_bits(round->unit.space_size_i, 32 * c, 32, space[c].size);
        }
        if (kind.lost) axi_memory_set_errors(round->axi, 0, 4096, true);
        if (kind.fail) axi_memory_set_errors(round->axi, 0, 4096, false);
        for (uint32_t p = 0; p < PORTS; p++) {
            round->ports[p].rate = p == LINE_PORT ? 100 : 0;
            round->ports[p].atomics = kind.atomics;
            round->ports[p].writes = kind.writes;
        }
        const uint64_t end = bench->op + kind.requests;
        while (bench->op < end && bench->op < bench->ops) {
            cycle(round, true);
            if (round->cycle > kind.cycles)
                bench_fail(bench, "%u %s take more than %" PRIu64 " cycles", kind.requests, kind.name, kind.cycles);
        }
        printf("%u %s: %" PRIu64 " cycles\n", kind.requests, kind.name, round->cycle);
        const uint64_t before = round->cycle;
        end_round(round);
        // What is kept changed is written back soon when nobody asks any more; of reads all may be under way still.
        if (round->cycle - before > 60 + std::max<uint64_t>(ATOMIC_LINES * (BEATS + 2), OUTSTANDING * BEATS))
            bench_fail(bench, "after %s it takes %" PRIu64 " cycles until all is done", kind.name,
                       round->cycle - before);
        if (kind.keeps_free && round->busy != 0) bench_fail(bench, "%s keep others out", kind.name);
        printf("  %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64 " cycles to the end\n", round->reads, round->writes,
               round->cycle - before);
        if (round->reads > kind.most_reads || round->writes > kind.most_writes)
            bench_fail(bench, "%s read %" PRIu64 " lines and write %" PRIu64, kind.name, round->reads, round->writes);
        delete round;
    }
}

// What a unit comes up with: mostly anything, now and then ones everywhere, so that each entry looks taken.
static void come_up(struct bench *bench) {
    registers_at_random(bench_random(bench));
    if (bench_chance(bench, 1, 4)) Verilated::randReset(1);
}

// Whatever a unit comes up with: it says nothing while it is reset.
static void check_resets(struct bench *bench) {
    for (uint32_t i = 0; i < 40; i++) {
        come_up(bench);
        Vmemory_unit *unit = new Vmemory_unit();
        unit->clk_i = 0;
        unit->rst_i = 1;
        memset(&unit->space_base_i, 0, sizeof unit->space_base_i);
        memset(&unit->space_size_i, 0, sizeof unit->space_size_i);
        for (uint32_t k = 0; k < 3; k++) {
            unit->lost_take_i = 1;
            unit->eval();
            if (unit->trace_perform_valid_o || unit->trace_bus_error_valid_o || unit->trace_write_back_error_valid_o)
                bench_fail(bench, "an event in reset");
            tick(*unit);
        }
        delete unit;
    }
}

int main(int argc, char **argv) {
    struct bench bench;
    inject = take_inject(&argc, argv);
    bench_begin(&bench, argc, argv, 200000);
    registers_at_random(bench.seed);
    check_resets(&bench);
    // Most defects show in few requests, so the first rounds are short, each second one of a port alone.
    for (uint32_t k = 0; bench.op < bench.ops; k++) {
        const bool brief = k < 2 * PORTS;
        if (k == 2 * PORTS && inject == 0) check_speed(&bench);
        come_up(&bench);
        struct round *round = new struct round();
        begin_round(round, &bench, NULL, brief && k % 2 != 0 ? k / 2 : PORTS);
        const uint64_t some = bench.op + (round->alone ? 300 : brief ? 100 : REQUESTS_PER_ROUND);
        const uint64_t end = some < bench.ops ? some : bench.ops;
        while (bench.op < end)
            cycle(round, true);
        end_round(round);
        delete round;
    }
    printf("%" PRIu64 " bus errors, %" PRIu64 " write-backs lost\n", failed, lost);
    if (bench.ops >= 100000 && (failed == 0 || lost == 0)) bench_fail(&bench, "no errors were made");
    return bench_end(&bench);
}
