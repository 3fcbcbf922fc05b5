// shared_memory: random LDS, STS and ATOMS of all sizes and operations, by random threads, at addresses that like to
// meet, RTL against the C twin: what is written back, in which order, faults, and (by what later loads bring) the
// memory; rows outside the CTA are cleared meanwhile. As many instructions are inside as the unit takes, or one at a
// time. LD, ST and ATOM too, whose other threads are load_store's (not here): the unit must serve its own threads, say
// which portions are left and which are not whole, and end the instruction only if all threads were its own. First,
// that a conflict costs a cycle a row, that loads and stores without conflicts flow, a portion and word a cycle, and
// that a round of atomics takes three, with one unit as many as it has threads if they are more. Compiled with -DTHREADS= -DLANES= and so on, as the unit was verilated.
#include <verilated.h>

#include <deque>
#include <vector>

#include "Vshared_memory.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "gen/registers.h"
#include "sm/shared_memory.h"
}

static const uint32_t P = THREADS / LANES, ROW = 4 * LANES, ROWS = SHARED_BYTES / ROW;
static const uint32_t TO_PORTIONS = 3;  // cycles from an instruction's start to its first portion, as in the SM
static const unsigned RA = 0, RB = 1, RC = 2, RD = 4;

// An instruction inside the unit; the twin has done it.
struct instruction {
    struct decoded d;
    uint64_t all, exec;            // threads that execute it; of these, those that are this unit's
    uint32_t registers[8 * 64];    // [register][thread]; RD and up: as they were before
    uint32_t result[4 * 64];       // RD and up as they are after
    uint32_t warp, pc, rd, reg_d;  // rd: as the unit is told, any register; the twin has it at RD
    bool good, refuse;
    uint32_t code, info;
    uint64_t started;  // cycle
    uint32_t sent;     // portions
    bool complete;     // all are
    uint64_t got[4];   // threads of which the register has been written
};

struct world {
    struct bench *bench;
    Vshared_memory *up;
    std::vector<uint8_t> memory;
    uint32_t base, size;  // of the CTA: first row, bytes
    struct shared_turns turns;
    std::deque<struct instruction> inside;  // the oldest first
    uint64_t cycle, rows;
    uint64_t first_row, last_row;  // cycles
    bool hurry;                    // no waiting outside the unit
    bool late;                     // a fault is taken once it is seen, not before
    uint32_t cleared;              // row to clear, while clear_valid_i
    uint32_t clear_waits;          // cycles that it has waited
    uint64_t clear_at;             // cycle in which a row is cleared if that is possible at once
};

static uint64_t lanes_of(uint64_t exec, uint32_t portion) {
    return exec >> (portion * LANES) & ((UINT64_C(1) << LANES) - 1);
}

static uint32_t words_of(const struct instruction *i) {
    return i->d.store || i->d.rd == ISA_RZ ? 0 : i->d.bytes > 4 ? i->d.bytes / 4 : 1;
}

// Its end is load_store's to tell.
static bool quiet(const struct instruction *i) {
    return i->d.generic && (!i->good || i->exec != i->all);
}

// ---- what goes in ----
static void drive_start(world &w, const struct instruction *i) {
    Vshared_memory &u = *w.up;
    u.start_i = 1;
    u.access_warp_i = (uint8_t)i->warp;
    u.access_pc_i = i->pc;
    u.access_store_i = i->d.store;
    u.access_atomic_i = i->d.atomic;
    u.access_generic_i = i->d.generic;
    u.access_mod_i = i->d.mod;
    u.access_rd_i = (uint8_t)i->rd;
    u.access_reg_d_i = i->reg_d;
    u.base_i = (uint16_t)w.base;
    u.bytes_i = w.size;
}

// What stands on the wires when nothing comes in.
static void drive_nothing(world &w) {
    Vshared_memory &u = *w.up;
    const uint64_t bits = bench_random(w.bench);
    u.access_generic_i = bits & 1;
    u.access_store_i = bits >> 1 & 1;
    u.access_atomic_i = bits >> 2 & 1;
    u.in_pass_i = bits >> 3 & 3;
    u.in_last_i = bits >> 5 & 1;
    u.refuse_i = bits >> 6 & 1;
    u.in_portion_i = (uint8_t)(bits >> 7 & (P - 1));
    u.in_lanes_i = lanes_of(bits >> 16, 0);
    set_bits(u.in_a_i, 32 * (bits >> 60 & (LANES - 1)), 32, (uint32_t)(bits >> 24));
}

// The next portion of the oldest instruction that is not complete.
static struct instruction *drive_portion(world &w) {
    Vshared_memory &u = *w.up;
    for (struct instruction &i : w.inside) {
        if (i.complete) continue;
        if (w.cycle < i.started + TO_PORTIONS || (!w.hurry && bench_chance(w.bench, 1, 5))) return NULL;
        const uint32_t passes = i.d.store && i.d.bytes > 4 ? i.d.bytes / 4 : 1;
        const uint32_t last = (63 - __builtin_clzll(i.all)) / LANES;
        while (lanes_of(i.all, i.sent % P) == 0)
            i.sent++;
        const uint32_t pass = i.sent / P, p = i.sent % P;
        u.in_valid_i = 1;
        u.in_portion_i = (uint8_t)p;
        u.in_lanes_i = lanes_of(i.all, p);
        u.in_pass_i = (uint8_t)pass;
        u.in_last_i = pass + 1 == passes && p == last;
        if (u.in_last_i && i.d.generic) u.refuse_i = i.refuse;
        const uint32_t offset = i.d.atomic ? (uint32_t)i.d.ext : i.d.imm;        // execute adds it
        const uint32_t other = pass == 0 ? 0 : (uint32_t)bench_random(w.bench);  // addresses come in the first pass
        for (uint32_t l = 0; l < LANES; l++) {
            const uint32_t t = p * LANES + l;
            const uint32_t c = i.d.store ? (i.d.rd == ISA_RZ ? 0 : i.registers[(RD + pass) * THREADS + t])
                                         : i.registers[RC * THREADS + t];
            set_bits(u.in_a_i, 32 * l, 32, (i.registers[RA * THREADS + t] + offset) ^ other);
            set_bits(u.in_b_i, 32 * l, 32, i.registers[RB * THREADS + t]);
            set_bits(u.in_c_i, 32 * l, 32, c);
        }
        i.sent++;
        return &i;
    }
    return NULL;
}

// ---- what comes out ----
static void check_row(world &w, struct instruction *i) {
    const Vshared_memory &u = *w.up;
    const uint32_t reg = (uint32_t)u.wb_rd_o - i->rd, portion = u.wb_portion_o;
    if (!i->good || !i->complete || reg >= words_of(i) || portion >= P || u.wb_warp_o != i->warp ||
        u.wb_reg_d_o != i->reg_d + reg)
        bench_fail(w.bench, "write-back of R%u portion %u warp %u, opcode %02x rd %u", u.wb_rd_o, portion, u.wb_warp_o,
                   i->d.opcode, i->rd);
    if (u.wb_partial_o != (lanes_of(i->all & ~i->exec, portion) != 0))
        bench_fail(w.bench, "portion %u: partial %u, others %llx", portion, u.wb_partial_o,
                   (unsigned long long)(i->all & ~i->exec));
    if (u.wb_lanes_o != lanes_of(i->exec, portion) || lanes_of(i->got[reg], portion) != 0)
        bench_fail(w.bench, "portion %u: mask %llx, exec %llx, before %llx", portion, (unsigned long long)u.wb_lanes_o,
                   (unsigned long long)i->exec, (unsigned long long)i->got[reg]);
    i->got[reg] |= (uint64_t)u.wb_lanes_o << (portion * LANES);
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t t = portion * LANES + l, model = i->result[reg * THREADS + t];
        if ((u.wb_lanes_o >> l & 1) != 0 && get_bits(u.wb_data_o, 32 * l, 32) != model)
            bench_fail(w.bench, "opcode %02x mod %u thread %u register %u: %08x, model %08x", i->d.opcode, i->d.mod, t,
                       reg, (unsigned)get_bits(u.wb_data_o, 32 * l, 32), model);
    }
    if (w.rows++ == 0) w.first_row = w.cycle;
    w.last_row = w.cycle;
}

static void check_end(world &w, const struct instruction *i) {
    for (uint32_t k = 0; k < words_of(i) && i->good; k++)
        if (i->got[k] != i->exec)
            bench_fail(w.bench, "register %u of threads %llx was written, of %llx must", k,
                       (unsigned long long)i->got[k], (unsigned long long)i->exec);
}

// The portions of a generic access that the unit says it has not done.
static void check_left(world &w, const struct instruction *i) {
    for (uint32_t p = 0; p < P; p++) {
        const bool left = (w.up->left_o >> p & 1) != 0;
        const uint64_t own = i->good ? lanes_of(i->exec, p) : 0;
        if (left && own == 0) bench_fail(w.bench, "portion %u is left, which has no threads", p);
        for (uint32_t k = 0; k < words_of(i) && !left; k++)
            if (lanes_of(i->got[k], p) != own)
                bench_fail(w.bench, "portion %u is not left, of register %u threads %llx were written", p, k,
                           (unsigned long long)i->got[k]);
    }
}

// The oldest instruction that must fault: rows of those before it may still wait.
static size_t faulting(const world &w) {
    size_t k = 0;
    while (k + 1 < w.inside.size() && (w.inside[k].good || w.inside[k].d.generic))
        k++;
    return k;
}

static void check_outputs(world &w) {
    Vshared_memory &u = *w.up;
    // One that is refused may end before the rows of those before it have come.
    for (size_t k = 0; u.generic_done_o && k < w.inside.size(); k++)
        if (w.inside[k].complete && quiet(&w.inside[k])) {
            if (k != 0 && w.inside[k].good && w.inside[k].exec != 0)
                bench_fail(w.bench, "a generic access ends before those before it");
            check_end(w, &w.inside[k]);
            w.inside.erase(w.inside.begin() + (long)k--);
        }
    for (const struct instruction &i : w.inside)
        if (i.complete && i.d.generic) check_left(w, &i);
    if (w.inside.empty()) {
        if (u.wb_valid_o || u.fault_valid_o || u.done_valid_o) bench_fail(w.bench, "something of nothing");
        return;
    }
    struct instruction *i = &w.inside.front();
    if (u.wb_valid_o && u.wb_ready_i) check_row(w, i);
    if (u.done_valid_o && (quiet(i) || !i->good || u.done_warp_o != i->warp))
        bench_fail(w.bench, "opcode %02x of warp %u is done; good %u, its end is load_store's to tell %u", i->d.opcode,
                   u.done_warp_o, i->good, quiet(i));
    if (!u.fault_valid_o) return;
    const struct instruction &bad = w.inside[faulting(w)];
    if (bad.good || bad.d.generic || u.fault_code_o != bad.code || u.fault_info_o != bad.info ||
        u.fault_warp_o != bad.warp || u.fault_pc_o != bad.pc)
        bench_fail(w.bench, "fault %s info %x, model %s info %x", fault_name(u.fault_code_o), u.fault_info_o,
                   bad.good ? "none" : fault_name(bad.code), bad.info);
}

// A row outside of the CTA is cleared, and waits for that as long as it must: loads and stores let it go after two cycles,
// a round of atomics is ended before.
static void drive_clear(world &w) {
    Vshared_memory &u = *w.up;
    struct bench *b = w.bench;
    if (u.clear_valid_i) {
        const uint32_t most = 2 + LANES / SHARED_ATOMICS;
        if (++w.clear_waits > most) bench_fail(b, "a row is not cleared within %u cycles", most);
        return;
    }
    const uint32_t row = bench_below(b, ROWS), last = w.base + (w.size + ROW - 1) / ROW;
    w.cleared = row;
    w.clear_waits = 0;
    u.clear_row_i = (uint16_t)row;
    if (w.hurry)
        u.clear_valid_i = w.cycle == w.clear_at && u.clear_ready_o;
    else
        u.clear_valid_i = (row < w.base || row >= last) && bench_chance(b, 1, 4);
}

// A cycle, in which instruction `next` may start (NULL: none). Returns whether it has.
static bool step(world &w, const struct instruction *next) {
    Vshared_memory &u = *w.up;
    struct bench *b = w.bench;
    drive_clear(w);
    u.wb_ready_i = w.hurry || bench_chance(b, 3, 4);
    u.done_taken_i = w.hurry || bench_chance(b, 3, 4);
    u.fault_taken_i = !w.late && bench_chance(b, 3, 4);
    drive_nothing(w);
    u.eval();
    check_outputs(w);
    if (w.late && u.fault_valid_o) u.fault_taken_i = bench_chance(b, 3, 4);
    const bool starts = next != NULL && u.free_o && (!next->d.generic || u.generic_done_o);
    if (starts) drive_start(w, next);
    struct instruction *portion = drive_portion(w);
    u.eval();
    if (u.clear_valid_i && u.clear_ready_o) memset(&w.memory[w.cleared * ROW], 0, ROW);
    const bool done = u.done_valid_o && u.done_taken_i, fault = u.fault_valid_o && u.fault_taken_i;
    const bool clears = u.clear_valid_i && u.clear_ready_o;
    if (portion != NULL && u.in_last_i) portion->complete = true;
    const size_t bad = fault ? faulting(w) : 0;
    tick(u);
    if (fault) w.inside.erase(w.inside.begin() + (long)bad);
    if (done) {
        check_end(w, &w.inside.front());
        w.inside.pop_front();
    }
    if (starts) {
        w.inside.push_back(*next);
        w.inside.back().started = w.cycle;
    }
    u.start_i = 0;
    u.in_valid_i = 0;
    if (clears) u.clear_valid_i = 0;
    w.cycle++;
    return starts;
}

// Until all instructions have ended, and no row is to be cleared; then the counters agree.
static void drain(world &w) {
    for (uint32_t cycles = 0; !w.inside.empty() || w.up->clear_valid_i; cycles++) {
        if (cycles > 20000 && !w.inside.empty())
            bench_fail(w.bench, "opcode %02x does not end", w.inside.front().d.opcode);
        step(w, NULL);
    }
    if (w.up->passes_o != w.turns.passes || w.up->conflicts_o != w.turns.conflicts)
        bench_fail(w.bench, "%u passes, %u of them conflicts; model %u, %u", w.up->passes_o, w.up->conflicts_o,
                   w.turns.passes, w.turns.conflicts);
}

// ---- instructions ----
// The twin does it, and it starts. others_bad: of a generic access, a thread that is not this unit's is bad.
static void issue(world &w, struct instruction &i, uint64_t word, uint64_t all, bool others_bad = false) {
    decode(word, &i.d);
    i.all = i.exec = all;
    i.refuse = others_bad;
    i.warp = bench_below(w.bench, WARPS);
    i.pc = bench_below(w.bench, 1u << 22);
    i.rd = i.d.rd == ISA_RZ ? ISA_RZ : bench_below(w.bench, ISA_RZ - 3);
    i.reg_d = bench_below(w.bench, 252);
    for (uint32_t t = 0; t < THREADS && i.d.generic; t++) {
        const uint32_t address = i.registers[RA * THREADS + t] + (i.d.atomic ? (uint32_t)i.d.ext : i.d.imm);
        if (address >> 24 != WINDOW_SHARED)
            i.exec &= ~(UINT64_C(1) << t);
        else if ((all >> t & 1) != 0 && ((address & (i.d.bytes - 1)) != 0 || (address & 0xFFFFFF) + i.d.bytes > w.size))
            i.refuse = true;
    }
    uint32_t after[9 * 64] = {};  // a row more than is used
    memcpy(after, i.registers, sizeof i.registers);
    const struct execute_state state = {THREADS, after, NULL, i.exec};
    struct shared_turns turns = w.turns;
    shared_memory_turns(&i.d, &state, LANES, SHARED_WORDS, &turns);
    i.good = !i.refuse && shared_memory_access(&w.memory[w.base * ROW], w.size, &i.d, &state, &i.code, &i.info);
    if (i.good) w.turns = turns;
    memcpy(i.result, &after[RD * THREADS], 4 * THREADS * sizeof after[0]);
    const uint32_t words = i.good ? words_of(&i) : 0;
    for (uint32_t k = 0; k < 9 * THREADS; k++) {
        const bool own = k / THREADS >= RD && k / THREADS < RD + words && (i.exec >> k % THREADS & 1) != 0;
        if (!own && after[k] != (k < 8 * THREADS ? i.registers[k] : 0))
            bench_fail(w.bench, "the model writes R%u of thread %u", k / THREADS, k % THREADS);
    }
    for (uint32_t cycles = 0; !step(w, &i); cycles++)
        if (cycles > 20000) bench_fail(w.bench, "the unit does not become free");
}

// ---- what it costs ----
// Cycles from the start to the row of one portion that loads with `ways` rows wanted of each bank that is used.
static uint64_t conflict_cycles(world &w, uint32_t ways) {
    struct instruction i = {};
    for (uint32_t l = 0; l < LANES; l++)
        i.registers[RA * THREADS + l] = (l % ways) * ROW + 4 * (l / ways * ways);
    w.rows = 0;
    const uint64_t begin = w.cycle;
    issue(w, i, isa_encode_imm(OP_LDS, ISA_PT, false, RD, RA, SIZE_32, 0), (UINT64_C(1) << LANES) - 1);
    drain(w);
    return w.last_row - begin;
}

// A row that can be cleared at once holds nobody up.
static void check_clears(world &w, uint64_t plain) {
    for (uint64_t after = 0; after < plain; after++) {
        w.clear_at = w.cycle + after;
        if (conflict_cycles(w, 1) != plain)
            bench_fail(w.bench, "a row cleared after %u cycles costs one", (unsigned)after);
    }
}

// Cycles for an instruction of all threads, each at its own `stride` bytes, where many follow each other; of two, each
// behind the other, for both.
static double flow_cycles(world &w, uint64_t word, uint32_t stride, uint64_t other = 0, uint32_t count = 64) {
    struct instruction i = {};
    for (uint32_t t = 0; t < THREADS; t++)
        i.registers[RA * THREADS + t] = t * stride;
    drain(w);
    const uint64_t begin = w.cycle;
    const uint64_t all = (THREADS == 64 ? 0 : UINT64_C(1) << (THREADS % 64)) - 1;
    for (uint32_t k = 0; k < count; k++) {
        issue(w, i, word, all);
        if (other != 0) issue(w, i, other, all);
    }
    drain(w);
    return (double)(w.cycle - begin) / count;
}

// An instruction comes in in `in` cycles and takes the banks or the rows `out`. It is inside for these and 5 more, and
// SHARED_DEPTH of them are at once. Beside that stands the first one's way through the unit.
static void check_flow(world &w, const char *what, uint64_t word, uint32_t stride, uint32_t in, uint32_t out) {
    const double cycles = flow_cycles(w, word, stride), stay = (double)(in + out + 5) / SHARED_DEPTH;
    const double port = in > out ? in : out, bound = (port > stay ? port : stay) + (double)(in + out + 12) / 64;
    printf("%s, stride %u: %.2f cycles each\n", what, stride, cycles);
    if (cycles > bound) bench_fail(w.bench, "%s: %.2f cycles each, more than %.2f", what, cycles, bound);
}

static uint64_t access_word(uint8_t opcode, uint32_t size) {
    return isa_encode_imm(opcode, ISA_PT, false, RD, RA, size, 0);
}

// Between an access and the atomics behind it stand the cycles in which the banks have it: one of a store, two of a load.
// One unit that is busy in each cycle has nothing between them, but what comes behind its last thread waits two cycles.
// Two threads want each second bank, so that the next instructions are there by then.
static void check_turns(world &w, uint64_t add, uint32_t round) {
    for (uint32_t loads = 0; loads < 2; loads++) {
        const uint64_t word = access_word(loads ? OP_LDS : OP_STS, SIZE_32);
        const double cycles = (64 * flow_cycles(w, word, 8, add, 64) - 32 * flow_cycles(w, word, 8, add, 32)) / 32;
        const uint32_t between = SHARED_ATOMICS == 1 && round > 3 ? 2 : 1 + loads;
        const uint32_t bound = 2 * P + between + 2 * P * round;
        printf("%s and ATOMS.ADD, stride 8: %.2f cycles both\n", loads ? "LDS" : "STS", cycles);
        if (cycles > bound) bench_fail(w.bench, "both take %.2f cycles, more than %u", cycles, bound);
    }
}

static void check_flows(world &w) {
    const uint32_t beats = 4 / SHARED_WORDS, round = SHARED_ATOMICS == 1 && LANES > 3 ? LANES : 3;
    const uint64_t add = isa_encode_reg(OP_ATOMS, ISA_PT, false, RD, RA, ATOM_ADD, RB, ISA_RZ, 0);
    check_flow(w, "LDS.32", access_word(OP_LDS, SIZE_32), 4, P, P);
    check_flow(w, "STS.32", access_word(OP_STS, SIZE_32), 4, P, P);
    check_flow(w, "LDS.64", access_word(OP_LDS, SIZE_64), 8, P, SHARED_WORDS == 1 ? 4 * P : 2 * P);
    check_flow(w, "LDS.128", access_word(OP_LDS, SIZE_128), 16, P, 4 * beats * P);
    check_flow(w, "LDS.128", access_word(OP_LDS, SIZE_128), 0, P, 4 * P);
    check_flow(w, "STS.128", access_word(OP_STS, SIZE_128), 16, 4 * P, 4 * beats * P);
    check_flow(w, "ATOMS.ADD", add, 4, P, round * P);
    check_flow(w, "ATOMS.ADD", add, 0, P, 3 * P * LANES);
    check_turns(w, add, SHARED_ATOMICS == 1 && LANES / 2 > 3 ? LANES / 2 : 3);
}

// A reset, whatever is inside, or of a unit that comes up with registers at random; then rows of zeros.
static void restart(world &w) {
    if (w.up == NULL || bench_chance(w.bench, 1, 2)) {
        delete w.up;
        registers_at_random(bench_random(w.bench));
        w.up = new Vshared_memory();
    }
    Vshared_memory &u = *w.up;
    u.start_i = u.in_valid_i = u.refuse_i = u.clear_valid_i = u.inject_i = 0;
    u.wb_ready_i = u.done_taken_i = u.fault_taken_i = 0;
    reset(u);
    w.inside.clear();
    w.turns = {};
    w.memory.assign(SHARED_BYTES, 0);
    for (uint32_t row = 0; row < ROWS; row++) {
        u.clear_valid_i = 1;
        u.clear_row_i = (uint16_t)row;
        tick(u);
    }
    u.clear_valid_i = 0;
    if (u.passes_o != 0 || u.conflicts_o != 0) bench_fail(w.bench, "something is counted at the reset");
#ifndef BENCH_NETLIST                   // there the counters are not what stands at the outputs
    if (bench_chance(w.bench, 1, 2)) {  // they stand anywhere after a while, just before they start anew too
        u.passes_o = w.turns.passes =
            bench_chance(w.bench, 1, 2) ? 0u - bench_below(w.bench, 99) : (uint32_t)bench_random(w.bench);
        u.conflicts_o = w.turns.conflicts =
            bench_chance(w.bench, 1, 2) ? 0u - bench_below(w.bench, 99) : (uint32_t)bench_random(w.bench);
    }
#endif
}

static void random_instruction(world &w) {
    struct bench *b = w.bench;
    if (bench_chance(b, 1, 2000)) restart(w);
    struct instruction i = {};
    uint64_t exec = bench_mask(b, THREADS);
    if (exec == 0) exec = 1;
    if (bench_chance(b, 1, 40)) {  // another CTA
        drain(w);
        w.hurry = bench_chance(b, 1, 4);
        w.late = bench_chance(b, 1, 2);
        w.base = bench_below(b, ROWS);
        w.size = 1 + bench_below(b, (ROWS - w.base) * ROW);
        if (bench_chance(b, 1, 4)) w.base = 0, w.size = SHARED_BYTES;
    }
    const bool atomic = bench_chance(b, 1, 3), generic = bench_chance(b, 1, 3);
    const uint32_t mod = atomic ? bench_below(b, ATOM_SUB + 1) : bench_below(b, (generic ? SIZE_32 : SIZE_128) + 1);
    const uint32_t bytes = atomic ? 4 : decode_access_bytes(mod);
    // Threads meet in a small window, in one bank, in neighbouring words, or nowhere.
    const uint32_t span = bench_chance(b, 1, 2) && w.size > 64 ? 64 : w.size;
    const uint32_t window = bench_below(b, w.size - span + 1), kind = bench_below(b, 3);
    const uint32_t offset = bench_chance(b, 1, 2) ? 0 : bench_below(b, 256) - 128;
    const uint32_t way = 1 + bench_below(b, 3);  // all threads, half of them, a third of them in shared memory
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t at = window + bench_below(b, span);
        if (kind == 1) at = at / ROW * ROW;
        if (kind == 2) at = window + t * bytes;
        if (!bench_chance(b, 1, 3000)) at &= ~(bytes - 1);
        if (at + bytes > w.size && !bench_chance(b, 1, 400)) at = 0;
        if (bench_chance(b, 1, 20000)) at = (uint32_t)bench_random(b);
        if (!generic && bench_chance(b, 1, 10000)) at ^= 1u << (16 + bench_below(b, 16));  // far outside
        if (generic && at >> 24 == 0) at |= WINDOW_SHARED << 24;
        if (generic && !bench_chance(b, 1, way)) at = bench_chance(b, 1, 2) ? at | 0xFF000000u : at & 0xFFFFFF;
        i.registers[RA * THREADS + t] = at - offset;
        for (unsigned r = RB; r < RD + 4; r++)
            i.registers[r * THREADS + t] =
                bench_chance(b, 1, 3) ? bench_below(b, 4) : (uint32_t)bench_random(b) | bench_below(b, 2) << 31;
    }
    const unsigned rd = bench_chance(b, 1, 10) ? ISA_RZ : RD;
    uint64_t word;
    if (atomic)
        word = isa_encode_reg(generic ? OP_ATOM : OP_ATOMS, ISA_PT, false, rd, RA, mod, RB, RC, (int32_t)offset);
    else if (generic)
        word = isa_encode_imm(bench_chance(b, 1, 2) ? OP_LD : OP_ST, ISA_PT, false, rd, RA, mod, offset);
    else
        word = isa_encode_imm(bench_chance(b, 1, 2) ? OP_LDS : OP_STS, ISA_PT, false, rd, RA, mod, offset);
    if (bench_chance(b, 1, 4)) drain(w);  // it is alone inside
    issue(w, i, word, exec, generic && bench_chance(b, 1, 50));
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 200000);
    static world w;
    w.bench = &bench;
    w.size = SHARED_BYTES;
    restart(w);
    w.hurry = true;
    const uint64_t plain = conflict_cycles(w, 1);
    for (uint32_t ways = 2; ways <= LANES; ways *= 2) {
        const uint64_t cycles = conflict_cycles(w, ways);
        if (cycles != plain + ways - 1)
            bench_fail(&bench, "a %u-way conflict takes %u cycles, none takes %u", ways, (unsigned)cycles,
                       (unsigned)plain);
    }
    printf("a portion: %u cycles, with a %u-way conflict %u\n", (unsigned)plain, (unsigned)LANES,
           (unsigned)plain + LANES - 1);
    check_clears(w, plain);
    check_flows(w);
    w.hurry = false;
    while (bench_more(&bench))
        random_instruction(w);
    drain(w);
    w.up->final();
    delete w.up;
    return bench_end(&bench);
}
