// The world of load_store's bench: random memory instructions, each with what the model makes of it
// (cmodel/sm/load_store.c: every thread's address, requests, values), a memory that performs requests and answers them
// late, or not at all well, and others that write to it.
#ifndef TANDEM_TESTS_RTL_LOAD_STORE_WORLD_H
#define TANDEM_TESTS_RTL_LOAD_STORE_WORLD_H

#include <array>
#include <deque>
#include <list>
#include <unordered_map>

#include "Vload_store.h"
#include "bench.h"
#include "bench_config.h"
#include "port_bits.h"

#include "gen/bundles.h"
#include "gen/registers.h"

extern "C" {
#include "base/run.h"
#include "mem/mem.h"
#include "sm/sm_internal.h"
}

static const uint32_t P = THREADS / LANES, REF_W = 8, PAGE = 4096;  // REF_W: as the unit has it that is verilated alone
static const uint64_t ALL_THREADS = ~UINT64_C(0) >> (64 - THREADS), NEVER = UINT64_MAX;
static const unsigned RA = 0, RB = 1, RC = 2, RD = 4;  // of the model; the unit is told any rd
static const uint32_t SLOTS = 64;                      // more instructions than can be inside

struct instruction {
    struct decoded d;
    struct warp twin;  // the model's
    struct task_slot slot;
    uint32_t registers[8 * THREADS], given[8 * THREADS];  // the model's; as the unit is given them
    uint32_t before[8 * THREADS];                         // the model's before the first answer
    uint32_t kept[6 * THREADS];                           // of the model, when its warp has gone on
    uint64_t exec, own;                                   // own: those of its threads that this unit serves
    uint32_t warp, pc, rd, reg_d, region, bank_size, bank_addr;
    bool bank_valid, good;
    uint32_t code, info;                   // of its fault, when it is not good
    uint64_t born, in;                     // cycles of its start and of its last portion
    uint32_t pass, portion;                // that come in next
    uint64_t fails;                        // order of its first request that fails
    bool gone;                             // nothing more is to come of it
    bool lazy;                             // shared memory does its part as late as it may
    uint64_t shared_done[P], shared_ends;  // first cycle in which that has done its part of a portion, and all
    // of load_store_split.h
    uint64_t untaken;  // threads of portions that wait to be split
    bool served, left_intake;
};

// A request that the unit has handed over, until the model has had its answer.
struct flying {
    struct instruction *of;
    uint64_t threads;
    struct mem_request request;
    uint32_t line;  // physical, in lines
    bool outside, memory, known, answered;
    struct flying *with;  // it is performed with this one
    struct mem_response response;
    uint64_t due;
};

// How busy everybody is, in eighths, for some time.
struct mood {
    uint32_t start, in, ready, wb, perform, taken, shared, others;
    uint32_t slow;  // cycles that an answer may take
};

struct world {
    struct bench bench;
    Vload_store *up;
    uint64_t cycle, moved;  // moved: the last cycle in which something went on
    uint64_t served_last;   // .. in which an instruction left that makes no request
    struct mood mood;
    // the model
    struct run device;
    struct sm sm;
    struct warp warps[WARPS];
    const struct task_slot *slots[SLOTS];
    uint32_t next_slot;
    // memory
    uint32_t base[CHANNELS], size[CHANNELS], page, hot;
    std::unordered_map<uint32_t, std::array<uint8_t, 32>> lines;
    std::list<instruction> inside;        // the oldest first
    std::list<flying> flights;            // those whose answer the model has not had, the oldest first
    struct flying *between;               // a read between unit and memory (REQUEST_CYCLES 2)
    std::deque<struct flying *> waiting;  // to be performed
    std::deque<struct flying *> answers;  // performed, not answered
    struct instruction *generic;          // the one that shared memory has inside
    uint32_t left;                        // its portions that are left
    uint32_t hits, misses;
    uint64_t answered;  // requests of which the model has had the answer
    bool offered;       // a read of a region waits to be taken
    // of load_store_split.h: whether it looks, requests that the window still has; the portion that is split, how many
    // groups of a store are merged, how many requests stand there and what they are
    bool exact, closing;
    uint32_t budget, misfits;
    struct instruction *split_of;
    uint64_t split_left;
    uint32_t merged;
    uint32_t stands;
    bool portion_last, stands_reads[2], stands_write;
    // what has been seen
    uint64_t requests, rows, done, check_faults, answer_faults, all_hits, joins, generics, exact_cycles, resets, merges,
        full;
};

static uint64_t portion_of(uint32_t p) {
    return (LANES == 64 ? ~UINT64_C(0) : (UINT64_C(1) << LANES % 64) - 1) << p * LANES;
}

static uint32_t lanes_of(uint64_t threads, uint32_t p) {
    return (uint32_t)((threads & portion_of(p)) >> p * LANES);
}

static uint32_t first_portion(uint64_t threads) {
    return (uint32_t)__builtin_ctzll(threads) / LANES;
}

static uint32_t passes_of(const struct instruction &i) {
    return i.d.store && i.d.bytes > 4 ? i.d.bytes / 4 : 1;
}

// Groups of STORE_LANES lanes that some threads of a portion are in: a store takes a cycle for each.
static uint32_t groups_of(uint64_t threads) {
    uint32_t count = 0;
    for (uint32_t first = 0; first < THREADS; first += STORE_LANES) {
        uint64_t group = threads >> first;
        if (STORE_LANES < 64) group &= (UINT64_C(1) << STORE_LANES % 64) - 1;
        count += group != 0;
    }
    return count;
}

static uint32_t requests_of(const struct world &w, const struct instruction &i) {
    struct warp twin = i.twin;
    uint32_t count = 0;
    for (; twin.access.pending != 0; count++)
        twin.access.pending &= ~load_store_next(&w.sm, &twin);
    return count;
}

// ---- memory ----
static std::array<uint8_t, 32> &line_of(struct world &w, uint32_t line) {
    const auto found = w.lines.find(line);
    if (found != w.lines.end()) return found->second;
    std::array<uint8_t, 32> fresh;
    for (uint8_t &byte : fresh)
        byte = (uint8_t)bench_random(&w.bench);
    return w.lines.emplace(line, fresh).first->second;
}

static uint32_t physical(const struct world &w, uint32_t channel, uint32_t addr, bool *outside) {
    const uint64_t sum = (uint64_t)w.base[channel] + (addr & ~(PAGE - 1));
    *outside = addr >= w.size[channel] || sum > UINT32_MAX;
    return (w.base[channel] + addr) / 32;
}

// The first channel sees all of memory but its last page; the others some pages of the same.
static void place_memory(struct world &w) {
    struct bench *b = &w.bench;
    w.page = 0x100 + bench_below(b, 0xFFE00);
    for (uint32_t c = 0; c < CHANNELS; c++) {
        w.base[c] = c == 0 ? 0 : (w.page - bench_below(b, 3)) * PAGE;
        w.size[c] = c == 0 ? ~(PAGE - 1) : (3 + bench_below(b, 6)) * PAGE;
        set_bits(w.up->space_base_i, 32 * c, 32, w.base[c]);
        set_bits(w.up->space_size_i, 32 * c, 32, w.size[c]);
    }
    w.hot = bench_below(b, PAGE / 32);
}

// An address of a line that is much asked for, in the channel's space.
static uint32_t hot_address(struct world &w, uint32_t channel) {
    struct bench *b = &w.bench;
    if (bench_chance(b, 1, 200)) w.hot = bench_below(b, PAGE / 32);
    const uint32_t far = bench_chance(b, 1, 8) ? bench_below(b, 64) : bench_below(b, 6);
    return w.page * PAGE - w.base[channel] + (w.hot + far) % (PAGE / 32) * 32;
}

static void change_line(struct world &w, uint32_t line) {
    line_of(w, line)[bench_below(&w.bench, 32)] = (uint8_t)bench_random(&w.bench);
}

static void know(struct world &w, struct flying &f, const struct mem_response &response) {
    f.response = response;
    f.known = true;
    for (struct flying &other : w.flights) {
        if (other.with != &f) continue;
        other.response = response;
        other.known = true;
    }
}

static void perform(struct world &w, struct flying &f) {
    struct bench *b = &w.bench;
    struct mem_response response = {};
    response.fault = f.outside ? ANSWER_OUTSIDE : bench_chance(b, 1, 150) ? ANSWER_BUS_ERROR : ANSWER_GOOD;
    for (uint8_t &byte : response.data)
        byte = (uint8_t)bench_random(b);
    if (response.fault == ANSWER_GOOD) {
        uint8_t *line = line_of(w, f.line).data();
        const struct mem_request &r = f.request;
        if (r.op == MEM_READ) memcpy(response.data, line, 32);
        for (uint32_t k = 0; r.op == MEM_WRITE && k < 32; k++)
            if ((r.wstrb >> k & 1) != 0) line[k] = r.wdata[k];
        if (r.op == MEM_ATOMIC) {
            uint32_t old, operand, swap;
            memcpy(&old, line + (r.addr & 28), 4);
            memcpy(&operand, r.wdata, 4);
            memcpy(&swap, r.wdata + 4, 4);
            memcpy(response.data, &old, 4);
            const uint32_t value = atomic_unit_result(r.atom, old, operand, swap);
            memcpy(line + (r.addr & 28), &value, 4);
        }
    }
    know(w, f, response);
    f.due = w.cycle + 1 + bench_below(b, w.mood.slow + 1);
    w.answers.push_back(&f);
}

// ---- instructions ----
static uint64_t choose_word(struct bench *b) {
    static const uint8_t ops[] = {OP_LDG, OP_LDG, OP_STG, OP_STG, OP_STG, OP_ATOMG,
                                  OP_LDC, OP_LDL, OP_STL, OP_LD,  OP_ST,  OP_ATOM};
    for (;;) {
        const uint32_t op = ops[bench_below(b, sizeof ops)], mod = bench_below(b, 16);
        const uint32_t rd = bench_chance(b, 1, 12) ? ISA_RZ : RD;
        uint64_t word = isa_encode_imm(op, ISA_PT, false, rd, RA, mod, (uint32_t)bench_random(b));
        if (op == OP_LDC)
            word = isa_encode_imm(op, ISA_PT, false, rd, RA, mod,
                                  (bench_chance(b, 1, 40) ? (uint32_t)bench_random(b) : bench_below(b, CONST_BANKS))
                                          << 16 |
                                      bench_below(b, 1u << 16));
        if (op == OP_ATOMG || op == OP_ATOM)
            word = isa_encode_reg(op, ISA_PT, false, rd, RA, mod, RB, RC, (int16_t)bench_random(b));
        if (isa_legal(word)) return word;
    }
}

// Where the threads go: a pattern around a place, `bytes` each.
static uint32_t place_of(struct world &w, uint32_t pattern, uint32_t thread, uint32_t bytes, uint32_t from) {
    struct bench *b = &w.bench;
    const uint32_t some = bench_below(b, 256) & ~(bytes - 1);
    switch (pattern) {
        case 0: return from + thread * bytes;
        case 1: return from + (some & 31);
        case 2: return from + (some & 127);
        case 3: return from;
        case 4: return from + thread * 32;
        case 5: return from + (thread / (LANES / 2) * 32) + (some & 31);
        case 6: return from ^ (bench_chance(b, 1, 4) ? 1u << (5 + bench_below(b, 27)) : 0);
        default: return from + (thread * 5 % 8) * 32 + (some & 31);
    }
}

// An address at or past a bound, or one that is not aligned; it may be good all the same.
static void choose_bad(struct world &w, struct instruction &i, uint32_t thread, uint32_t offset) {
    struct bench *b = &w.bench;
    const struct task_slot &s = i.slot;
    uint32_t &word = i.registers[RA * THREADS + thread];
    const uint32_t to = word + offset, near = (bench_below(b, 3) - 1) * i.d.bytes;
    const bool shared = bench_chance(b, 1, 2);
    switch (bench_below(b, 5)) {
        case 0: word += 1u << bench_below(b, 4); break;
        case 1:
            word = (i.d.opcode == OP_LDC ? i.bank_size : s.local_bytes) + near - offset;
            if (!i.d.generic) break;
            word = ((uint32_t)(shared ? WINDOW_SHARED : WINDOW_LOCAL) << 24) +
                   (shared ? s.shared_bytes : s.local_bytes) + near - offset;
            break;
        case 2: word = (to ^ 1u << (16 + bench_below(b, 16))) - offset; break;
        case 3: word = 0 - 16 * bench_below(b, 4) - offset; break;
        default: word = ((uint32_t)bench_random(b) & ~15u) - offset; break;
    }
}

// In a buffer that has room for one access alone sometimes the place of the next one.
static uint32_t constant_place(struct world &w, const struct instruction &i, uint32_t some) {
    const uint32_t bytes = i.d.bytes;
    if (i.bank_size < 2 * bytes) return bench_chance(&w.bench, 1, 100) ? bytes : 0;
    return some % (i.bank_size & ~(bytes - 1)) & ~(bytes - 1);
}

static void choose_addresses(struct world &w, struct instruction &i) {
    struct bench *b = &w.bench;
    struct task_slot &s = i.slot;
    const uint32_t bytes = i.d.bytes, pattern = bench_below(b, 8);
    const uint32_t offset = i.d.opcode == OP_LDC ? i.d.imm & 0xFFFF : i.d.atomic ? (uint32_t)i.d.ext : i.d.imm;
    const uint32_t hot = hot_address(w, s.channel), mix = bench_below(b, 6);
    const uint32_t place = (w.sm.number * WARPS + i.warp) * THREADS * s.local_bytes;
    // Most local memory is small, and lies among what else is asked for.
    s.local = (hot_address(w, s.channel) & ~(PAGE - 1)) - place;
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t to = place_of(w, pattern, t, bytes, hot);
        const uint32_t inside = place_of(w, pattern, t, bytes, 0) & 0xFFFFFF;
        if (i.d.opcode == OP_LDC) to = constant_place(w, i, inside);
        const bool shared = i.d.generic && (mix == 0 || (mix > 2 && bench_chance(b, 1, 2)));
        if (shared) to = (uint32_t)WINDOW_SHARED << 24 | (inside % (s.shared_bytes & ~15u) & ~(bytes - 1));
        if (i.d.local) to = inside % s.local_bytes & ~(bytes - 1);
        if (i.d.generic && !shared && (mix == 1 || (mix == 3 && bench_chance(b, 1, 2))))
            to = (uint32_t)WINDOW_LOCAL << 24 | (inside % s.local_bytes & ~(bytes - 1));
        i.registers[RA * THREADS + t] = to - offset;
    }
    for (uint32_t bad = bench_chance(b, 1, 12) ? 1 + bench_below(b, 2) : 0; bad > 0; bad--)
        choose_bad(w, i, bench_below(b, THREADS), offset);
}

// Its warp has gone on: its operands are kept, its registers may be written.
static void keep(struct world &w, struct instruction &i) {
    for (uint32_t row = 0; row < 6; row++) {
        const uint32_t from = row < 4 ? RD + row : row == 4 ? RB : RC;
        memcpy(&i.kept[row * THREADS], &i.registers[from * THREADS], THREADS * sizeof i.kept[0]);
    }
    if (i.d.rd == ISA_RZ) memset(i.kept, 0, THREADS * sizeof i.kept[0]);
    i.twin.access.kept = i.kept;
    for (uint32_t &word : i.registers)
        word = (uint32_t)bench_random(&w.bench);
}

// What the model makes of it.
static void begin(struct world &w, struct instruction &i) {
    w.slots[w.next_slot] = &i.slot;
    struct warp &twin = w.warps[i.warp];
    memset(&twin, 0, sizeof twin);
    twin.slot = w.next_slot;
    twin.privates = REGISTERS_MAX;
    twin.registers = i.registers;
    twin.divergence.threads = THREADS;
    twin.due.exec = i.exec;
    // What is left of the instruction before must not matter.
    twin.access.pending = twin.access.in_flight = twin.access.failed = bench_random(&w.bench);
    i.good = load_store_begin(&w.sm, &twin, &i.d, i.exec, &i.code, &i.info);
    i.twin = twin;
    if (!i.good) i.twin.access.pending = i.twin.due.shared = 0;
    i.twin.faulted = bench_chance(&w.bench, 1, 16);
    memcpy(i.given, i.registers, sizeof i.given);
    if (bench_chance(&w.bench, 1, 2)) keep(w, i);
    memcpy(i.before, i.registers, sizeof i.before);
    i.own = i.untaken = i.twin.access.pending;
}

// Its constant buffer, perhaps one that the task, or the unit, does not have.
static void choose_bank(struct world &w, struct instruction &i) {
    struct bench *b = &w.bench;
    struct task_slot &s = i.slot;
    const uint32_t bank = i.d.imm >> 16 & 15;
    i.bank_size = bench_chance(b, 1, 4) ? i.d.bytes + bench_below(b, i.d.bytes) : 16 + bench_below(b, 256);
    i.bank_addr = hot_address(w, s.channel) + 16 * bench_below(b, 2);
    s.const_valid = bench_chance(b, 1, 2) ? 0xFF : bench_below(b, 0x100);
    if (bank < 8) {
        s.const_size[bank] = i.bank_size;
        s.const_addr[bank] = i.bank_addr;
        if (bench_chance(b, 7, 8)) s.const_valid |= 1u << bank;
    }
    i.bank_valid = bank < CONST_BANKS && (s.const_valid >> bank & 1) != 0;
}

static struct instruction choose_instruction(struct world &w) {
    struct bench *b = &w.bench;
    struct instruction i = {};
    do
        decode(choose_word(b), &i.d);
    while (i.d.generic && w.generic != nullptr);
    i.warp = bench_below(b, WARPS);
    i.pc = bench_below(b, 1u << 22);
    i.rd = i.d.rd == ISA_RZ ? (uint32_t)ISA_RZ : bench_below(b, ISA_RZ - 3);
    i.reg_d = bench_below(b, (1u << REF_W) - 3);
    i.region = bench_below(b, 8);
    i.exec = bench_mask(b, THREADS);
    if (i.exec == 0) i.exec = UINT64_C(1) << bench_below(b, THREADS);
    i.lazy = bench_chance(b, 1, 2);
    i.in = i.shared_ends = i.fails = NEVER;
    for (uint64_t &done : i.shared_done)
        done = NEVER;
    for (uint32_t &word : i.registers)
        word = (uint32_t)bench_random(b);
    struct task_slot &s = i.slot;
    s.channel = bench_chance(b, 1, 2) ? 0 : bench_below(b, CHANNELS);
    s.local_bytes = 16 * (1 + bench_below(b, bench_chance(b, 1, 8) ? 0xFFFF : 2));
    s.shared_bytes = 16 + bench_below(b, 1024);
    choose_bank(w, i);
    choose_addresses(w, i);
    return i;
}

#endif
