// The world of sm_bench.cpp: one verilated SM, a memory that answers late, a work distributor and a task table; and
// small programs. Compiled with -DTHREADS= and the other parameters of the configuration.
#ifndef TANDEM_TESTS_RTL_SM_WORLD_H
#define TANDEM_TESTS_RTL_SM_WORLD_H

#include <verilated.h>

#include <deque>
#include <vector>

#include "Vsm.h"
#include "bench.h"
#include "inject.h"
#include "line_port.h"
#include "tick.h"

extern "C" {
#include "gen/isa.h"
#include "gen/registers.h"
}

static const uint32_t MEMORY_BYTES = 1u << 20;
static const uint32_t CODE = 0x1000, BANK0 = 0x3000, BANK1 = 0x3400, DATA = 0x8000, LOCAL = 0x80000, LOCAL_BYTES = 16;
static const uint32_t P = THREADS / LANES;

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
    uint32_t fault;
};
struct memory_port {
    std::deque<answer> answers;
};
struct cta {
    uint32_t slot, x, y, z;
};
struct task {
    bool used;
    uint32_t ntid[3], grid[3], registers, shared;
    uint32_t next, total, ended;
};
struct fault {
    uint32_t slot, code, info, pc;
};

struct world {
    struct bench *bench;
    Vsm unit;
    std::vector<uint8_t> memory;
    memory_port fetch, data;
    line_memory tokens;
    std::vector<task> tasks;
    std::vector<fault> faults;
    uint64_t cycle, portions, instructions;  // portions: write-backs
    uint32_t space_size;
    uint32_t latency, ready_percent;
    bool offering, trace;
    uint32_t offered_slot;
    uint32_t ended_warps, killed_warps, barriers;
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

template <class Wstrb, class Wdata>
static void accept(world &w, memory_port &port, uint32_t op, uint32_t atom, uint32_t addr, Wstrb wstrb,
                   const Wdata &wdata) {
    answer a;
    memset(&a, 0, sizeof a);
    a.at = w.cycle + 1 + bench_below(w.bench, w.latency);
    if (!port.answers.empty() && a.at <= port.answers.back().at) a.at = port.answers.back().at + 1;
    if (addr >= w.space_size) {
        a.fault = 1;
    } else if (op == 2) {
        uint32_t old = peek(w, addr);
        poke(w, addr, atomic(atom, old, wdata[0], wdata[1]));
        a.data[0] = old;
        for (int i = 1; i < 8; i++)
            a.data[i] = (uint32_t)bench_random(w.bench);
    } else {
        if (addr % 32) bench_fail(w.bench, "line address %08x", addr);
        if (op == 1)
            for (uint32_t i = 0; i < 32; i++)
                if (wstrb >> i & 1) w.memory[addr + i] = (uint8_t)(wdata[i / 4] >> (i % 4 * 8));
        for (uint32_t i = 0; i < 8; i++)
            a.data[i] = op == 0 ? peek(w, addr + 4 * i) : (uint32_t)bench_random(w.bench);
    }
    port.answers.push_back(a);
}

static void set_slot(world &w, uint32_t k, const task &t, uint32_t code_words) {
    const uint32_t channel_w = CHANNELS > 2 ? (CHANNELS > 4 ? 3 : 2) : 1;
    put(w.unit.slot_channel_i, k * channel_w, channel_w, k % CHANNELS);
    put(w.unit.slot_region_i, k * 32, 32, CODE - 64);
    put(w.unit.slot_code_base_i, k * 32, 32, CODE);
    put(w.unit.slot_code_size_i, k * 32, 32, code_words * 8);
    put(w.unit.slot_ntid_x_i, k * 16, 16, t.ntid[0]);
    put(w.unit.slot_ntid_y_i, k * 16, 16, t.ntid[1]);
    put(w.unit.slot_ntid_z_i, k * 16, 16, t.ntid[2]);
    put(w.unit.slot_grid_x_i, k * 32, 32, t.grid[0]);
    put(w.unit.slot_grid_y_i, k * 16, 16, t.grid[1]);
    put(w.unit.slot_grid_z_i, k * 16, 16, t.grid[2]);
    put(w.unit.slot_threads_i, k * 16, 16, t.ntid[0] * t.ntid[1] * t.ntid[2]);
    put(w.unit.slot_registers_i, k * 8, 8, t.registers);
    put(w.unit.slot_shared_rows_i, k * 8, 8, 0);
    put(w.unit.slot_shared_i, k * 18, 18, t.shared);
    put(w.unit.slot_tmd_i, k * 32, 32, 0x700 + k);
    put(w.unit.slot_local_base_i, k * 32, 32, LOCAL);
    put(w.unit.slot_local_bytes_i, k * 24, 24, LOCAL_BYTES);
    for (uint32_t b = 0; b < CONST_BANKS; b++) {
        put(w.unit.slot_const_valid_i, k * CONST_BANKS + b, 1, b < 2);
        put(w.unit.slot_const_addr_i, (k * CONST_BANKS + b) * 32, 32, b ? BANK1 : BANK0);
        put(w.unit.slot_const_size_i, (k * CONST_BANKS + b) * 17, 17, b ? 68 : 256);
    }
}

static void step(world &w) {
    Vsm &u = w.unit;
    // Answers and readiness of this cycle.
    memory_port *ports[2] = {&w.fetch, &w.data};
    for (int i = 0; i < 2; i++) {
        bool due = !ports[i]->answers.empty() && ports[i]->answers.front().at <= w.cycle;
        answer a;
        memset(&a, 0, sizeof a);
        if (due) {
            a = ports[i]->answers.front();
            ports[i]->answers.pop_front();
        }
        for (uint32_t k = 0; k < 8; k++)
            (i ? u.ls_rsp_data_i : u.if_rsp_data_i)[k] = a.data[k];
        if (i) {
            u.ls_rsp_valid_i = due;
            u.ls_rsp_fault_i = (uint8_t)a.fault;
        } else {
            u.if_rsp_valid_i = due;
            u.if_rsp_fault_i = (uint8_t)a.fault;
        }
    }
    u.if_req_ready_i = bench_below(w.bench, 100) < w.ready_percent;
    u.ls_req_ready_i = bench_below(w.bench, 100) < w.ready_percent;
    line_drive(w.bench, u, &w.tokens, u.token_req_ready_i, u.token_rsp_valid_i, u.token_rsp_data_i,
               u.token_rsp_fault_i);
    u.icache_invalidate_i = bench_chance(w.bench, 1, 500);
    u.sm_index_i = 0;
    u.cycle_i = w.cycle;
    if (!w.offering)
        for (uint32_t k = 0; k < TASK_SLOTS; k++) {
            uint32_t s = (k + (uint32_t)w.cycle) % TASK_SLOTS;
            task &t = w.tasks[s];
            if (t.used && t.next < t.total && !(u.slot_kill_i >> s & 1)) {
                w.offering = true;
                w.offered_slot = s;
                break;
            }
        }
    if (w.offering && (u.slot_kill_i >> w.offered_slot & 1)) w.offering = false;
    u.cta_valid_i = w.offering;
    if (w.offering) {
        task &t = w.tasks[w.offered_slot];
        u.cta_slot_i = (uint8_t)w.offered_slot;
        u.cta_x_i = t.next % t.grid[0];
        u.cta_y_i = (uint16_t)(t.next / t.grid[0] % t.grid[1]);
        u.cta_z_i = (uint16_t)(t.next / t.grid[0] / t.grid[1]);
    }
    u.eval();

    // What happens at the edge.
    if (u.cta_valid_i && u.cta_ready_o) {
        w.tasks[w.offered_slot].next++;
        w.offering = false;
    }
    if (u.cta_done_valid_o) w.tasks[u.cta_done_slot_o].ended++;
    if (u.if_req_valid_o && u.if_req_ready_i) accept(w, w.fetch, 0, 0, u.if_req_addr_o, 0u, u.if_req_wdata_o);
    // What is performed is told in the same cycle.
    u.snoop_valid_i = u.ls_req_valid_o && u.ls_req_ready_i && u.ls_req_op_o != 0 && u.ls_req_addr_o < w.space_size;
    u.snoop_addr_i = u.ls_req_addr_o & ~31u;
    u.eval();
    if (u.ls_req_valid_o && u.ls_req_ready_i)
        accept(w, w.data, u.ls_req_op_o, u.ls_req_atom_o, u.ls_req_addr_o, u.ls_req_wstrb_o, u.ls_req_wdata_o);
    line_request token;
    if (line_take(u.token_req_valid_o, u.token_req_ready_i, u.token_req_op_o, u.token_req_addr_o, u.token_req_wstrb_o,
                  u.token_req_wdata_o, &token))
        line_accept(w.bench, &w.tokens, &token, 0);
    if (u.sm_fault_valid_o) {
        fault f = {u.sm_fault_slot_o, u.sm_fault_code_o, u.sm_fault_info_o, u.sm_fault_pc_o};
        w.faults.push_back(f);
    }
    uint32_t killed_slot = u.sm_fault_valid_o ? 1u << u.sm_fault_slot_o : 0;
    if (u.trace_warp_end_valid_o) {
        w.ended_warps++;
        w.killed_warps += u.trace_warp_end_killed_o;
    }
    w.barriers += u.trace_barrier_valid_o;
    w.instructions += u.trace_instr_valid_o;
    w.portions += (u.trace_wb_valid_o ? 1u : 0u) + (u.trace_pwb_valid_o ? 1u : 0u);
    if (w.trace && u.trace_instr_valid_o)
        printf("%6lu instr warp %u pc %u word %016lx active %lx exec %lx\n", (unsigned long)w.cycle,
               u.trace_instr_warp_o, u.trace_instr_pc_o, (unsigned long)u.trace_instr_word_o,
               (unsigned long)u.trace_instr_active_o, (unsigned long)u.trace_instr_exec_o);
    if (w.trace && u.trace_wb_valid_o)
        printf("%6lu wb warp %u rd %u portion %u mask %x data %08x..\n", (unsigned long)w.cycle, u.trace_wb_warp_o,
               u.trace_wb_rd_o, u.trace_wb_portion_o, (unsigned)u.trace_wb_mask_o, word(u.trace_wb_data_o, 0));
    if (w.trace && u.trace_mem_req_valid_o)
        printf("%6lu mem warp %u op %u addr %08x threads %lx wstrb %08x\n", (unsigned long)w.cycle,
               u.trace_mem_req_warp_o, u.trace_mem_req_op_o, u.trace_mem_req_addr_o,
               (unsigned long)u.trace_mem_req_threads_o, u.trace_mem_req_wstrb_o);
    if (w.trace && u.trace_warp_end_valid_o)
        printf("%6lu end warp %u killed %u\n", (unsigned long)w.cycle, u.trace_warp_end_warp_o,
               u.trace_warp_end_killed_o);
    tick(u);
    u.slot_kill_i |= (decltype(u.slot_kill_i))killed_slot;
    w.cycle++;
}

// Runs one task (or the same in several slots) to its end. Registers and data as the caller has set them.
static void run(world &w, const program &code, task t, uint32_t copies = 1) {
    if (CODE + code.size() * 8 > BANK0) bench_fail(w.bench, "program too long");
    for (size_t i = 0; i < code.size(); i++)
        memcpy(&w.memory[CODE + 8 * i], &code[i], 8);
    w.unit.icache_invalidate_i = 1;
    w.unit.changed_i = 1;
    w.unit.settings_l1_enable_i = bench_chance(w.bench, 3, 4);
    for (uint32_t c = 0; c < CHANNELS; c++) {
        put(w.unit.space_base_i, 32 * c, 32, 0);
        put(w.unit.space_size_i, 32 * c, 32, w.space_size);
    }
    tick(w.unit);
    w.unit.changed_i = 0;
    w.faults.clear();
    w.ended_warps = w.killed_warps = w.barriers = 0;
    t.used = true;
    t.next = t.ended = 0;
    t.total = t.grid[0] * t.grid[1] * t.grid[2];
    w.tasks.assign(TASK_SLOTS, task());
    uint32_t first = bench_below(w.bench, TASK_SLOTS);
    for (uint32_t c = 0; c < copies; c++) {
        uint32_t k = (first + c) % TASK_SLOTS;
        w.tasks[k] = t;
        set_slot(w, k, t, (uint32_t)code.size());
    }
    w.unit.slot_kill_i = 0;
    w.offering = false;
    uint64_t start = w.cycle;
    bool busy = true;
    while (busy) {
        step(w);
        busy = false;
        for (uint32_t k = 0; k < TASK_SLOTS; k++) {
            task &s = w.tasks[k];
            bool stopped = w.unit.slot_kill_i >> k & 1;
            if (s.used && s.ended < (stopped ? s.next : s.total)) busy = true;
        }
        if (w.cycle - start > 2000000) bench_fail(w.bench, "hang after %lu cycles", (unsigned long)(w.cycle - start));
    }
    for (int i = 0; i < 12; i++)
        step(w);
    uint32_t warps = (t.ntid[0] * t.ntid[1] * t.ntid[2] + THREADS - 1) / THREADS;
    uint32_t launched = 0;
    for (uint32_t k = 0; k < TASK_SLOTS; k++)
        launched += w.tasks[k].next;
    if (w.ended_warps != launched * warps)
        bench_fail(w.bench, "%u warps ended, %u started", w.ended_warps, launched * warps);
}

static task grid(uint32_t nx, uint32_t ny, uint32_t nz, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t registers) {
    task t;
    memset(&t, 0, sizeof t);
    t.ntid[0] = nx, t.ntid[1] = ny, t.ntid[2] = nz;
    t.grid[0] = gx, t.grid[1] = gy, t.grid[2] = gz;
    t.registers = registers;
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
