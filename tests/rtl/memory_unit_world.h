// What memory_unit_bench knows of a round: the requests of all ports, and what the unit says of them, against the C twin.
#ifndef TANDEM_TESTS_RTL_MEMORY_UNIT_WORLD_H
#define TANDEM_TESTS_RTL_MEMORY_UNIT_WORLD_H

#include <deque>
#include <map>

#include "Vmemory_unit.h"
#include "axi_signals.h"
#include "bench.h"
#include "gen/trace_ports.h"
#include "port_bits.h"

extern "C" {
#include "mem/mem.h"
}

static const uint32_t PORTS = 4 + 3 * SMS;
static const uint32_t TOKEN_PORT = 3 + 2 * SMS;    // of the first SM: from here on physical addresses, no atomics
static const uint32_t LINE_PORT = TOKEN_PORT - 1;  // the last one that writes lines
static const uint32_t MEMORY_BYTES = 0x40000;
// What the unit knows of it: in nano that memory has an end (scripts/verilate-unit), else that 32 bits have one.
static const uint32_t PAGES = strcmp(BENCH_CONFIG, "nano") == 0 ? MEMORY_BYTES / 4096 : 0;
static const uint32_t REQUESTS_PER_ROUND = 4000;
static const uint32_t BUSY = 4000;  // cycles for which lines may be kept changed, with the slowest memory here
static const uint32_t BEATS = 256 / AXI_DATA_W;
static const uint32_t AXI_IDS = 256;
static const uint32_t SILENCE = 20000;  // cycles without any headway that count as a hang

// ---- what the C twin needs of the rest of the model ----
static struct mem_space space[CHANNELS];

// The fault that a failed write-back is to its channel.
static uint32_t told_channel, told_info;
static uint64_t failed, lost;  // requests, write-backs

static void note_fault(void *, const struct fault_report *report) {
    told_channel = report->channel;
    told_info = report->info;
}

struct request {
    struct mem_request request;
    bool performed;
    struct mem_response response;
};

struct port {
    bool valid;  // drives a request that has not been taken
    struct mem_request next;
    std::deque<request> open;  // taken and not answered
    uint32_t rate;             // percent of cycles in which it has a request
    uint32_t atomics, writes;  // percent of its requests
};

struct round {
    struct bench *bench;
    Vmemory_unit unit;
    struct run run;
    struct mem *mem;
    struct axi_memory *axi;
    struct port ports[PORTS];
    uint64_t cycle, last_headway;
    uint64_t busy_since;  // cycle in which rmw_busy_o was last low
    uint32_t hot_lines;
    bool alone;  // one port asks alone, for line 0 by atomics and for others by all else, so that the line is kept
    uint32_t beat[AXI_IDS], bad_beat[AXI_IDS];  // of the burst that is read under each ID
    bool errors;                                // the memory answers with errors now and then
    bool shy;                                   // it is ready only for what is there
    bool late, shown;            // .. for a write's address only behind its beats and some time later; it is now
    uint64_t addresses, bursts;  // of writes that have gone: addresses, last beats
    // What was asked for under each ID, whether a beat of it was an error, and errors of lines that nobody was told of.
    uint32_t read_line[AXI_IDS], write_line[AXI_IDS];
    bool bad_read[AXI_IDS];
    std::map<uint32_t, uint32_t> untold;
    uint64_t busy, reads, writes;  // cycles with rmw_busy_o, transactions
    // The last port alone asks, for line after line of so many: to see how fast it goes.
    const struct speed *straight;
    uint32_t next_line;
};

// Requests of one kind, how fast they must go, and what they may not do.
struct speed {
    const char *name;
    uint32_t requests, lines;
    uint32_t atomics, writes;  // percent
    bool in_turn;              // every second one is a read
    bool fail;                 // the memory answers with errors
    bool none;                 // atomics that change nothing: no operation has their number
    uint64_t cycles;           // at most, and so many transactions
    uint32_t most_reads, most_writes;
    bool keeps_free;  // nobody else is kept out (rmw_busy_o)
    bool lost;        // of one channel and then another, and memory answers each write with an error
};

static void describe(const struct mem_request *r, char *to, size_t size) {
    static const char *const names[] = {"READ", "WRITE", "ATOMIC", "?"};
    snprintf(to, size, "%s channel %u address 0x%x wstrb 0x%x", names[r->op & 3], r->channel, r->addr, r->wstrb);
}

// Mostly few lines, so that requests meet; now and then the edges of the space.
static uint32_t choose_line(struct round *round, uint32_t channel) {
    struct bench *bench = round->bench;
    const uint32_t size = channel == MEM_PHYSICAL ? MEMORY_BYTES : space[channel].size;
    switch (bench_below(bench, 40)) {
        case 0: return size;                       // the first line outside
        case 1: return size == 0 ? 0 : size - 32;  // the last inside
        case 2: return static_cast<uint32_t>(bench_random(bench)) & ~31u;
        case 3:
        case 4:
        case 5:
        case 6: return size == 0 ? 0 : bench_below(bench, size / 32) * 32;
        // Others with the place of a hot one among the lines that atomics keep.
        case 7:
        case 8:
        case 9: return bench_below(bench, round->hot_lines) * 32 + bench_below(bench, 2) * ATOMIC_LINES * 32;
        case 10: return bench_below(bench, round->hot_lines) * 32 | 0x80000000u;  // a hot one but for the top bit
        case 11: return 0xFFFFFFE0u;                                              // the last line that can be named
        default: return bench_below(bench, round->hot_lines) * 32;
    }
}

// What a port may ask: GP fetch and the fetch of instructions only read, and whole lines are written by loads and stores alone.
static bool only_reads(uint32_t p) {
    return p == 0 || (p > 1 && p < TOKEN_PORT && p % 2 != 0);
}

static bool writes_lines(uint32_t p) {
    return p > 2 && p < TOKEN_PORT && p % 2 == 0;
}

// Small numbers make comparisons, wraps and successful CAS come up; some differ from others in the top bit alone.
static uint32_t choose_word(struct bench *bench, uint32_t part, uint32_t whole) {
    if (!bench_chance(bench, part, whole)) return static_cast<uint32_t>(bench_random(bench));
    return bench_below(bench, 4) | (bench_chance(bench, 1, 4) ? 0x80000000u : 0u);
}

static void choose_request(struct round *round, const struct port *port, struct mem_request *r) {
    struct bench *bench = round->bench;
    memset(r, 0, sizeof *r);
    // What an operation has no use for is anything.
    r->wstrb = static_cast<uint32_t>(bench_random(bench));
    for (uint32_t i = 0; i < 32; i += 4) {
        const uint32_t word = static_cast<uint32_t>(bench_random(bench));
        memcpy(r->wdata + i, &word, 4);
    }
    const struct speed *straight = round->straight;
    r->channel = bench_below(bench, CHANNELS);
    if (straight != NULL) r->channel = straight->lost ? round->next_line / 300 % CHANNELS : 0;
    if (round->alone) r->channel = 0;
    if (port >= &round->ports[TOKEN_PORT]) r->channel = MEM_PHYSICAL;
    r->addr = straight != NULL ? round->next_line++ % straight->lines * 32 : choose_line(round, r->channel);
    const uint32_t index = static_cast<uint32_t>(port - round->ports);
    const bool reads = only_reads(index) || (straight != NULL && straight->in_turn && round->next_line % 2 != 0);
    const uint32_t kind = reads ? 100 : bench_below(bench, 100);
    if (round->alone && r->addr == 0) r->addr = 32;
    if (kind < port->atomics) {
        r->op = MEM_ATOMIC;
        // 13 and above are none: the word stays.
        r->atom = straight != NULL && straight->none ? 13 + bench_below(bench, 3) : bench_below(bench, 16);
        if (round->alone) r->addr = 0;
        r->addr += bench_below(bench, 8) * 4;
        const uint32_t operand = choose_word(bench, 1, 2);
        memcpy(r->wdata, &operand, 4);
    } else if (kind < port->atomics + port->writes) {
        r->op = MEM_WRITE;
        r->wstrb = static_cast<uint32_t>(bench_mask(bench, 32));
        for (uint32_t i = 0; i < 32; i += 4) {
            const uint32_t word = choose_word(bench, 1, 3);
            memcpy(r->wdata + i, &word, 4);
        }
        if (!writes_lines(index)) memcpy(r->wdata + 16, r->wdata, 16);
    } else {
        r->op = MEM_READ;
    }
}

static void drive_requests(struct round *round, bool more) {
    Vmemory_unit &unit = round->unit;
    for (uint32_t p = 0; p < PORTS; p++) {
        struct port *port = &round->ports[p];
        if (!port->valid && more && bench_chance(round->bench, port->rate, 100)) {
            choose_request(round, port, &port->next);
            port->valid = true;
        }
        set_bits(unit.req_valid_i, p, 1, port->valid);
        // The port of tokens shows zeros while it does not ask, when there is one alone.
        static const struct mem_request none = {};
        if (!port->valid && (p != TOKEN_PORT || SMS != 1)) continue;
        const struct mem_request *r = port->valid ? &port->next : &none;
        set_bits(unit.req_op_i, 2 * p, 2, r->op);
        set_bits(unit.req_atom_i, 4 * p, 4, r->atom);
        set_bits(unit.req_channel_i, index_bits(CHANNELS) * p, index_bits(CHANNELS),
                 r->channel == MEM_PHYSICAL ? 0 : r->channel);
        set_bits(unit.req_addr_i, 32 * p, 32, r->addr);
        set_bits(unit.req_wstrb_i, 32 * p, 32, r->wstrb);
        memcpy(reinterpret_cast<uint8_t *>(&unit.req_wdata_i) + 32 * p, r->wdata, 32);
    }
}

static void check_perform(struct round *round) {
    Vmemory_unit &unit = round->unit;
    struct trace_event rtl, model;
    if (!trace_read_perform(unit, rtl)) {
        if (unit.snoop_valid_o)
            bench_fail(round->bench, "snoop of 0x%x without a performed request", unit.snoop_addr_o);
        return;
    }
    if (rtl.perform.port >= PORTS) bench_fail(round->bench, "PERFORM on port %u", rtl.perform.port);
    struct port *port = &round->ports[rtl.perform.port];
    for (struct request &r : port->open) {
        if (r.performed) continue;
        r.performed = true;
        mem_perform_event(round->mem, rtl.perform.port, &r.request, &r.response, &model);
        const int field = trace_event_compare(&rtl, &model);
        if (field >= 0) {
            char a[400], b[400];
            trace_event_print(&rtl, a, sizeof a);
            trace_event_print(&model, b, sizeof b);
            bench_fail(round->bench, "PERFORM differs in %s:\n  rtl   %s\n  model %s",
                       trace_field_name(TRACE_PERFORM, field), a, b);
        }
        const bool snoop = r.request.op != MEM_READ && model.perform.fault == 0;
        const uint32_t base = r.request.channel == MEM_PHYSICAL ? 0 : space[r.request.channel].base;
        const uint32_t line = (base + r.request.addr) & ~31u;
        if (snoop != (unit.snoop_valid_o != 0) || (snoop && unit.snoop_addr_o != line))
            bench_fail(round->bench, "snoop %u 0x%x, should be %u 0x%x", unit.snoop_valid_o, unit.snoop_addr_o, snoop,
                       line);
        round->last_headway = round->cycle;
        return;
    }
    bench_fail(round->bench, "PERFORM on port %u, which has nothing to perform", rtl.perform.port);
}

static void compare(struct round *round, const struct trace_event *rtl, const struct trace_event *model) {
    if (trace_event_compare(rtl, model) < 0) return;
    char a[400], b[400];
    trace_event_print(rtl, a, sizeof a);
    trace_event_print(model, b, sizeof b);
    bench_fail(round->bench, "differs:\n  rtl   %s\n  model %s", a, b);
}

// What the memory answers with an error is told once, and nothing else is.
static void note_errors(struct round *round, const struct axi_memory_in *in, const struct axi_memory_out *out) {
    if (in->arvalid && out->arready) round->read_line[in->arid] = in->araddr;
    if (in->awvalid && out->awready) round->write_line[in->awid] = in->awaddr;
    if (out->rvalid) {
        bool *bad = &round->bad_read[out->rid];
        *bad = *bad || out->rresp != 0;
        if (out->rlast) {
            if (*bad) round->untold[round->read_line[out->rid]]++;
            *bad = false;
        }
    }
    if (out->bvalid && out->bresp != 0) round->untold[round->write_line[out->bid]]++;
}

static void is_told(struct round *round, uint32_t line) {
    if (round->untold[line] == 0)
        bench_fail(round->bench, "an error of line 0x%x is told, which memory has not answered with", line);
    round->untold[line]--;
}

static void check_errors(struct round *round) {
    Vmemory_unit &unit = round->unit;
    struct trace_event rtl, model;
    char text[200] = "";
    const struct why why = {text, sizeof text};
    memset(&model, 0, sizeof model);
    if (trace_read_bus_error(unit, rtl)) {
        model.kind = TRACE_BUS_ERROR;
        if (mem_follow_bus_error(round->mem, &rtl, &model, why) == NULL) bench_fail(round->bench, "%s", text);
        compare(round, &rtl, &model);
        is_told(round, rtl.bus_error.addr);
        failed++;
        std::deque<request> &open = round->ports[rtl.bus_error.port].open;
        size_t performed = 0;
        for (const struct request &r : open)
            performed += r.performed;
        if (rtl.bus_error.after >= performed)
            bench_fail(round->bench, "BUS_ERROR of a request of port %u that is answered", rtl.bus_error.port);
        open[performed - 1 - rtl.bus_error.after].response.fault = 2;
    }
    memset(&model, 0, sizeof model);
    if (trace_read_write_back_error(unit, rtl)) {
        model.kind = TRACE_WRITE_BACK_ERROR;
        if (!mem_follow_write_back_error(round->mem, &rtl, &model, why)) bench_fail(round->bench, "%s", text);
        compare(round, &rtl, &model);
        is_told(round, rtl.write_back_error.addr);
        lost++;
        if (unit.lost_channel_o != told_channel || unit.lost_addr_o != told_info)
            bench_fail(round->bench, "a write-back of channel %u at 0x%x is lost, the model has channel %u, 0x%x",
                       unit.lost_channel_o, unit.lost_addr_o, told_channel, told_info);
        round->last_headway = round->cycle;
    }
}

#endif
