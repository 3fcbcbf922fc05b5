// The world of sm_bench.cpp: one verilated SM and the model that follows it (sm_follow.h), a memory that answers late and
// sometimes with errors, other SMs and a CPU that write to it, a work distributor and a task table, child tasks that end,
// software that serves held warps. Compiled with -DTHREADS= and the other parameters of the configuration.
#ifndef TANDEM_TESTS_RTL_SM_WORLD_H
#define TANDEM_TESTS_RTL_SM_WORLD_H

#include <verilated.h>

#include <deque>
#include <vector>

#include "Vsm.h"
#include "Vsm___024root.h"
#include "bench.h"
#include "inject.h"
#include "sm_follow.h"
#include "tick.h"

extern "C" {
#include "gen/isa.h"
#include "gen/registers.h"
}

static const uint32_t MEMORY_BYTES = 1u << 20;
static const uint32_t CODE = 0x1000, BANK0 = 0x3000, BANK1 = 0x3400, DATA = 0x8000, LOCAL = 0x80000, LOCAL_BYTES = 16;
static const uint32_t P = THREADS / LANES;
// Token queues are behind all that programs reach.
static const uint32_t QUEUES = MEMORY_BYTES, ALL_BYTES = QUEUES + WARPS * (HALF << SIZE_MOST) * TOKEN_BYTES;

// A field of a flat port, whatever type Verilator made of the port.
template <class T>
static void put(T &port, uint32_t bit, uint32_t width, uint64_t value) {
    uint64_t mask = width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
    port = (T)((port & ~(mask << bit)) | ((value & mask) << bit));
}
template <std::size_t N>
static void put(VlWide<N> &port, uint32_t bit, uint32_t width, uint64_t value) {
    for (uint32_t i = 0; i < width; i++) {
        uint32_t at = bit + i;
        port[at / 32] = (port[at / 32] & ~(1u << (at % 32))) | (uint32_t)((value >> i & 1) << (at % 32));
    }
}
template <class T>
static uint32_t word(const T &port, uint32_t i) {
    return (uint32_t)((uint64_t)port >> (32 * i));
}
template <std::size_t N>
static uint32_t word(const VlWide<N> &port, uint32_t i) {
    return port[i];
}

// ---- programs ----
typedef std::vector<uint64_t> program;
static const unsigned RZ = 255, PT = 7;

static uint64_t r3(unsigned op, unsigned rd, unsigned ra, unsigned rb, unsigned rc = RZ, unsigned mod = 0) {
    return isa_encode_reg(op, PT, false, rd, ra, mod, rb, rc, 0);
}
static uint64_t im(unsigned op, unsigned rd, unsigned ra, uint32_t imm, unsigned mod = 0) {
    return isa_encode_imm(op, PT, false, rd, ra, mod, imm);
}
static uint64_t guarded(uint64_t word, unsigned p, bool neg) {
    return (word & ~UINT64_C(0xF00)) | (uint64_t)p << 8 | (uint64_t)neg << 11;
}

// ---- the bench's world ----
struct answer {
    uint64_t at;
    uint32_t data[8];
    uint32_t line;  // physical
    uint32_t fault, op;
};
struct request {
    uint64_t at;  // performed not before
    uint32_t op, atom, channel, addr, wstrb, wdata[8];
};
struct memory_port {
    std::deque<struct request> requests;  // taken, not performed
    std::deque<answer> answers;
};
// Of a slot of the task table.
struct task {
    bool used;
    uint32_t channel, region, code_base, code_size, ntid[3], grid[3], registers, shared_rows, shared, tmd;
    uint32_t local_base, local_bytes, const_valid, const_addr[8], const_size[8];
    uint64_t start, stop;         // cycles: offered from, stopped by the bench at (0: never)
    uint64_t leave;               // cycle: its warps have to leave (0: never)
    bool returns;                 // CTAs that have left come back
    uint32_t next, total, ended;  // CTAs: taken, to be taken in all, that have ended or left
    uint32_t place, back;         // of the grid: the next new one; that are to come back
};
struct child {
    uint64_t at;
    uint32_t warp, channel;
};
struct range {
    uint32_t from, bytes;  // physical; bytes 0: nothing
};
// Software that serves a held warp: register accesses, one after the other.
struct deque_operation {
    uint32_t op, places;
};
struct server {
    bool busy, asked, late;  // asked: the operation is on its way; late: its cycle is over
    uint32_t warp, wait;
    std::deque<deque_operation> todo;
};

struct world {
    struct bench *bench;
    Vsm unit;
    follower follow;
    std::vector<uint8_t> memory;
    memory_port fetch, data, token;
    std::vector<task> tasks;
    std::vector<fault> faults;
    uint64_t cycle, portions, instructions;  // portions: write-backs
    uint64_t token_used;                     // cycle in which a request for tokens, or an answer, was there last
    uint64_t hits, misses;                   // of the level 1 cache
    uint64_t looked;                         // times that all warps were looked at
    uint32_t space_size;
    uint32_t latency, delay, ready_percent;  // most cycles from performed to answered, from taken to performed
    bool offering;
    uint32_t offered_slot;
    uint32_t ended_warps, killed_warps, barriers;
    uint64_t left;  // CTAs of which a warp has ended by TLEAVE, in all programs
    // what happens to it from outside, each 0 for never
    range bad, bad_code, bad_tokens;         // memory that answers with errors
    range foreign;                           // that others write
    uint32_t changes, invalidates, orphans;  // in so many of 1000 cycles
    std::vector<child> children;
    struct server server;
    bool shared_row;     // the last row that went to the write port was one of shared memory; after a reset: yes
    uint64_t rows_meet;  // times that a row went while the other unit had one as well
};

static uint32_t peek(const world &w, uint32_t at) {
    uint32_t value;
    memcpy(&value, &w.memory[at], 4);
    return value;
}
static void poke(world &w, uint32_t at, uint32_t value) {
    memcpy(&w.memory[at], &value, 4);
}

static uint32_t atomic(uint32_t op, uint32_t old, uint32_t b, uint32_t c) {
    switch (op) {
        case ATOM_ADD: return old + b;
        case ATOM_MIN: return (int32_t)old < (int32_t)b ? old : b;
        case ATOM_MAX: return (int32_t)old > (int32_t)b ? old : b;
        case ATOM_UMIN: return old < b ? old : b;
        case ATOM_UMAX: return old > b ? old : b;
        case ATOM_AND: return old & b;
        case ATOM_OR: return old | b;
        case ATOM_XOR: return old ^ b;
        case ATOM_XCHG: return b;
        case ATOM_CAS: return old == b ? c : old;
        case ATOM_INC: return old >= b ? 0 : old + 1;
        case ATOM_DEC: return old == 0 || old > b ? b : old - 1;
        default: return old - b;
    }
}

static bool inside(const range &r, uint32_t at, uint32_t bytes) {
    return at < r.from + r.bytes && r.from < at + bytes;
}

template <class Wdata>
static void accept(world &w, memory_port &port, uint32_t op, uint32_t atom, uint32_t channel, uint32_t addr,
                   uint32_t wstrb, const Wdata &wdata) {
    struct request r = {w.cycle + bench_below(w.bench, w.delay), op, atom, channel, addr, wstrb, {0}};
    for (uint32_t i = 0; i < 8; i++)
        r.wdata[i] = word(wdata, i);
    port.requests.push_back(r);
}

static uint32_t physical(const world &w, const memory_port &port, const struct request &r) {
    return (&port == &w.token ? 0 : w.follow.space[r.channel].base) + r.addr;
}

// The port's oldest request is performed, and answered later. True: others are told of its line.
static bool perform(world &w, memory_port &port, uint32_t *line) {
    const struct request r = port.requests.front();
    port.requests.pop_front();
    const uint32_t bytes = r.op == REQUEST_ATOMIC ? 4 : 32;
    const bool token = &port == &w.token;
    const uint32_t at = physical(w, port, r);
    trace_event e;
    memset(&e, 0, sizeof e);
    e.kind = TRACE_PERFORM;
    e.cycle = w.cycle;
    e.perform.port = &port == &w.fetch ? FETCH_PORT : token ? TOKEN_PORT : DATA_PORT;
    e.perform.op = r.op;
    e.perform.channel = token ? MEM_PHYSICAL : r.channel;
    e.perform.addr = r.addr;
    e.perform.wstrb = r.op == REQUEST_WRITE ? r.wstrb : 0;
    for (uint32_t i = 0; i < 32; i++) {
        if (r.op == REQUEST_WRITE ? (r.wstrb >> i & 1) != 0 : r.op == REQUEST_ATOMIC && i < 8)
            e.perform.wdata[i] = (uint8_t)(r.wdata[i / 4] >> (i % 4 * 8));
    }
    answer a;
    memset(&a, 0, sizeof a);
    a.at = w.cycle + 1 + bench_below(w.bench, w.latency);
    if (!port.answers.empty() && a.at <= port.answers.back().at) a.at = port.answers.back().at + 1;
    if (r.addr % bytes != 0) bench_fail(w.bench, "address %08x of a request", r.addr);
    for (uint32_t i = 0; i < 8; i++)
        a.data[i] = (uint32_t)bench_random(w.bench);
    if (token && (at < QUEUES || at + bytes > ALL_BYTES)) bench_fail(w.bench, "token at %08x", at);
    if (!token && (uint64_t)r.addr + bytes > w.follow.space[r.channel].size) {
        a.fault = e.perform.fault = ANSWER_OUTSIDE;
    } else if (inside(w.bad, at, bytes) || inside(w.bad_code, at, bytes) || inside(w.bad_tokens, at, bytes)) {
        a.fault = ANSWER_BUS_ERROR;
    } else if (r.op == REQUEST_ATOMIC) {
        a.data[0] = peek(w, at);
        poke(w, at, atomic(r.atom, a.data[0], r.wdata[0], r.wdata[1]));
    } else if (r.op == REQUEST_WRITE) {
        for (uint32_t i = 0; i < 32; i++)
            if (r.wstrb >> i & 1) w.memory[at + i] = e.perform.wdata[i];
    } else {
        memcpy(a.data, &w.memory[at], 32);
    }
    a.line = at & ~31u;
    a.op = r.op;
    port.answers.push_back(a);
    w.follow.events.push_back(e);
    *line = a.line;
    return r.op != REQUEST_READ && a.fault != ANSWER_OUTSIDE;
}

// Somebody else writes a byte.
static void foreign_write(world &w, uint32_t at) {
    const uint8_t value = (uint8_t)bench_random(w.bench);
    w.memory[at] = value;
    mem_put(w.follow.mem, at, &value, 1);
}

// Task slot k of the table, as both see it.
static void set_slot(world &w, uint32_t k, const task &t) {
    const uint32_t channel_w = CHANNELS > 2 ? (CHANNELS > 4 ? 3 : 2) : 1;
    put(w.unit.slot_channel_i, k * channel_w, channel_w, t.channel);
    put(w.unit.slot_region_i, k * 32, 32, t.region);
    put(w.unit.slot_code_base_i, k * 32, 32, t.code_base);
    put(w.unit.slot_code_size_i, k * 32, 32, t.code_size);
    put(w.unit.slot_ntid_x_i, k * 16, 16, t.ntid[0]);
    put(w.unit.slot_ntid_y_i, k * 16, 16, t.ntid[1]);
    put(w.unit.slot_ntid_z_i, k * 16, 16, t.ntid[2]);
    put(w.unit.slot_grid_x_i, k * 32, 32, t.grid[0]);
    put(w.unit.slot_grid_y_i, k * 16, 16, t.grid[1]);
    put(w.unit.slot_grid_z_i, k * 16, 16, t.grid[2]);
    put(w.unit.slot_threads_i, k * 16, 16, t.ntid[0] * t.ntid[1] * t.ntid[2]);
    put(w.unit.slot_registers_i, k * 8, 8, t.registers);
    put(w.unit.slot_shared_rows_i, k * 8, 8, t.shared_rows);
    put(w.unit.slot_shared_i, k * 18, 18, t.shared);
    put(w.unit.slot_tmd_i, k * 32, 32, t.tmd);
    put(w.unit.slot_local_base_i, k * 32, 32, t.local_base);
    put(w.unit.slot_local_bytes_i, k * 24, 24, t.local_bytes);
    struct task_slot &s = w.follow.slot[k];
    s = task_slot();
    s.busy = true;
    s.channel = t.channel, s.region = t.region, s.code_base = t.code_base, s.code_size = t.code_size;
    memcpy(s.ntid, t.ntid, sizeof s.ntid);
    memcpy(s.grid, t.grid, sizeof s.grid);
    s.threads = t.ntid[0] * t.ntid[1] * t.ntid[2];
    s.registers = t.registers, s.shared_rows = t.shared_rows, s.shared_bytes = t.shared, s.tmd = t.tmd;
    s.local = t.local_base, s.local_bytes = t.local_bytes, s.const_valid = t.const_valid;
    for (uint32_t b = 0; b < CONST_BANKS; b++) {
        put(w.unit.slot_const_valid_i, k * CONST_BANKS + b, 1, t.const_valid >> b & 1);
        put(w.unit.slot_const_addr_i, (k * CONST_BANKS + b) * 32, 32, t.const_addr[b]);
        put(w.unit.slot_const_size_i, (k * CONST_BANKS + b) * 17, 17, t.const_size[b]);
        s.const_addr[b] = t.const_addr[b], s.const_size[b] = t.const_size[b];
    }
}

static void set_space(world &w, uint32_t channel, uint32_t base, uint32_t size) {
    w.follow.space[channel] = {base, size};
    put(w.unit.space_base_i, 32 * channel, 32, base);
    put(w.unit.space_size_i, 32 * channel, 32, size);
}

// The warps' token queues have HALF << size places each; no warp may be alive.
static void set_queues(world &w, uint32_t size) {
    struct sm_settings &s = w.follow.settings;
    s.deque_size = size;
    // The model has the queues of the SMs in front of this one before them.
    s.deque_base = QUEUES - SM_INDEX * WARPS * (HALF << size) * TOKEN_BYTES;
    w.unit.settings_deque_size_i = (uint8_t)size;
    w.unit.token_memory_i = QUEUES >> 12;
}

#include "sm_step.h"

static task grid(uint32_t nx, uint32_t ny, uint32_t nz, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t registers) {
    task t;
    memset(&t, 0, sizeof t);
    t.ntid[0] = nx, t.ntid[1] = ny, t.ntid[2] = nz;
    t.grid[0] = gx, t.grid[1] = gy, t.grid[2] = gz;
    t.registers = registers;
    t.region = CODE - 64;
    t.code_base = CODE;
    t.local_base = LOCAL;
    t.local_bytes = LOCAL_BYTES;
    t.const_valid = 3;
    t.const_addr[0] = BANK0, t.const_size[0] = 256;
    t.const_addr[1] = BANK1, t.const_size[1] = 68;
    return t;
}

static void no_fault(world &w, const char *what) {
    if (!w.faults.empty())
        bench_fail(w.bench, "%s: fault %s info %08x pc %u", what, fault_name(w.faults[0].code), w.faults[0].info,
                   w.faults[0].pc);
}
static void expect(world &w, const char *what, uint32_t at, uint32_t value) {
    if (peek(w, at) != value) bench_fail(w.bench, "%s: [%08x] is %08x, not %08x", what, at, peek(w, at), value);
}

// r0 = 4 * number of the thread in the grid (one-dimensional), r1 = r0 + DATA.
static program head() {
    program p;
    p.push_back(im(OP_S2R, 0, 0, SR_CTAID_X));
    p.push_back(im(OP_S2R, 1, 0, SR_NTID_X));
    p.push_back(im(OP_S2R, 2, 0, SR_TID_X));
    p.push_back(r3(OP_IMAD, 0, 0, 1, 2));
    p.push_back(im(OP_SHL_I, 0, 0, 2));
    p.push_back(im(OP_IADD_I, 1, 0, DATA));
    return p;
}
static uint32_t load(world &, program &p, unsigned rd, uint32_t offset) {
    p.push_back(im(OP_LDG, rd, 1, offset, SIZE_32));
    return rd;
}
static void store(program &p, unsigned rd, uint32_t offset) {
    p.push_back(im(OP_STG, rd, 1, offset, SIZE_32));
}

struct shape {
    uint32_t threads, ctas, all;
};
static shape random_shape(world &w, uint32_t registers) {
    uint32_t max_warps = VGPR_ROWS / (registers * P);
    if (max_warps > WARPS) max_warps = WARPS;
    shape s;
    s.threads = 1 + bench_below(w.bench, bench_chance(w.bench, 1, 2) ? THREADS : max_warps * THREADS);
    s.ctas = 1 + bench_below(w.bench, 5);
    while (s.threads * s.ctas > 2000)
        s.ctas--;  // their words fit between OUT and OUT + STEP
    s.all = s.threads * s.ctas;
    return s;
}
static void randomize(world &w) {
    for (uint32_t i = 0; i < 0x20000; i += 4) {
        uint32_t value = (uint32_t)bench_random(w.bench);
        switch (bench_below(w.bench, 6)) {
            case 0: value = (uint32_t)((int32_t)value >> 28); break;
            case 1: value &= 31; break;
            case 2: value = bench_chance(w.bench, 1, 2) ? 0x80000000u : 0x7FFFFFFFu; break;
        }
        poke(w, DATA + i, value);
    }
}

// ---- what the lanes must do ----
static int64_t sx(uint32_t v) {
    return (int32_t)v;
}
static uint32_t alu(unsigned op, uint32_t a, uint32_t b) {
    switch (op) {
        case OP_MOV: return b;
        case OP_IADD: return a + b;
        case OP_ISUB: return a - b;
        case OP_IMUL: return a * b;
        case OP_IMULHI: return (uint32_t)((uint64_t)(sx(a) * sx(b)) >> 32);
        case OP_UMULHI: return (uint32_t)((uint64_t)a * b >> 32);
        case OP_AND: return a & b;
        case OP_OR: return a | b;
        case OP_XOR: return a ^ b;
        case OP_SHL: return a << (b & 31);
        case OP_SHR: return a >> (b & 31);
        case OP_SAR: return (uint32_t)(sx(a) >> (b & 31));
        case OP_IMIN: return sx(a) < sx(b) ? a : b;
        case OP_IMAX: return sx(a) > sx(b) ? a : b;
        case OP_UMIN: return a < b ? a : b;
        case OP_UMAX: return a > b ? a : b;
        case OP_POPC: return (uint32_t)__builtin_popcount(b);
        case OP_CLZ: return b ? (uint32_t)__builtin_clz(b) : 32;
        default: {
            uint32_t r = 0;
            for (int i = 0; i < 32; i++)
                r |= (b >> i & 1) << (31 - i);
            return r;
        }
    }
}
static bool compare(unsigned cmp, uint32_t a, uint32_t b) {
    switch (cmp) {
        case CMP_EQ: return a == b;
        case CMP_NE: return a != b;
        case CMP_LT: return sx(a) < sx(b);
        case CMP_LE: return sx(a) <= sx(b);
        case CMP_GT: return sx(a) > sx(b);
        case CMP_GE: return sx(a) >= sx(b);
        case CMP_ULT: return a < b;
        case CMP_ULE: return a <= b;
        case CMP_UGT: return a > b;
        default: return a >= b;
    }
}

#endif
