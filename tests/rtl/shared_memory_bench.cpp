// shared_memory: random LDS, STS and ATOMS of all sizes and operations, by random threads, at addresses that like to
// meet, RTL against the C twin: what is written back, faults, and (by what later loads bring) the memory; rows outside
// the CTA are cleared meanwhile. LD, ST and ATOM too, whose other threads are load_store's (not here): the unit must serve
// its own threads, say which portions are not whole, and end the instruction only if all threads were its own. First, that
// a conflict costs a cycle a row. Compiled with -DTHREADS= -DLANES= -DWARPS= -DSHARED_BYTES= as the unit was verilated.
#include <verilated.h>

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
static const unsigned RA = 0, RB = 1, RC = 2, RD = 4;

struct world {
    struct bench *bench;
    Vshared_memory unit;
    std::vector<uint8_t> memory;
    uint32_t registers[8 * 64];  // [register][thread]
    uint32_t base, size;         // of the CTA: first row, bytes
    struct shared_turns turns;
};

static uint64_t lanes_of(uint64_t exec, uint32_t portion) {
    return exec >> (portion * LANES) & ((UINT64_C(1) << LANES) - 1);
}

// A cycle; a row outside the CTA may be cleared in it.
static void step(world &w) {
    const uint32_t row = bench_below(w.bench, ROWS), last = w.base + (w.size + ROW - 1) / ROW;
    w.unit.clear_valid_i = (row < w.base || row >= last) && bench_chance(w.bench, 1, 4);
    w.unit.clear_row_i = (uint16_t)row;
    w.unit.eval();
    if (w.unit.clear_valid_i && w.unit.clear_ready_o) memset(&w.memory[row * ROW], 0, ROW);
    tick(w.unit);
    w.unit.clear_valid_i = 0;
}

// Hands instruction d over, portion by portion. refuse: load_store says that it faults.
static void send(world &w, const struct decoded *d, uint64_t exec, uint32_t warp, bool refuse) {
    Vshared_memory &u = w.unit;
    const bool write = d->store;
    while (!u.free_o)
        step(w);
    u.start_i = 1;
    u.access_warp_i = (uint8_t)warp;
    u.access_pc_i = 77;
    u.access_exec_i = exec;
    u.access_store_i = write;
    u.access_atomic_i = d->atomic;
    u.access_generic_i = d->generic;
    u.access_mod_i = d->mod;
    u.access_imm_i = d->atomic ? (uint32_t)d->ext : d->imm;
    u.access_rd_i = d->rd;
    u.access_reg_d_i = 100;
    u.base_i = (uint16_t)w.base;
    u.bytes_i = w.size;
    step(w);
    u.start_i = 0;
    const uint32_t passes = write && d->bytes > 4 ? d->bytes / 4 : 1, last = (63 - __builtin_clzll(exec)) / LANES;
    for (uint32_t pass = 0; pass < passes; pass++)
        for (uint32_t p = 0; p < P; p++) {
            if (lanes_of(exec, p) == 0) continue;
            while (bench_chance(w.bench, 1, 5))
                step(w);
            u.in_valid_i = 1;
            u.in_portion_i = (uint8_t)p;
            u.in_lanes_i = lanes_of(exec, p);
            u.in_pass_i = (uint8_t)pass;
            u.in_last_i = pass + 1 == passes && p == last;
            u.refuse_i = u.in_last_i && refuse;
            for (uint32_t l = 0; l < LANES; l++) {
                const uint32_t t = p * LANES + l;
                const uint32_t c = write ? (d->rd == ISA_RZ ? 0 : w.registers[(RD + pass) * THREADS + t])
                                         : w.registers[RC * THREADS + t];
                set_bits(u.in_a_i, 32 * l, 32, w.registers[RA * THREADS + t]);
                set_bits(u.in_b_i, 32 * l, 32, w.registers[RB * THREADS + t]);
                set_bits(u.in_c_i, 32 * l, 32, c);
            }
            step(w);
            u.in_valid_i = 0;
            u.refuse_i = 0;
        }
}

// Waits for its end, compares what comes out with the twin's registers. others: threads that are not this unit's.
// Returns the cycles it took.
static uint32_t receive(world &w, const struct decoded *d, uint64_t exec, uint64_t others, uint32_t warp, bool good,
                        uint32_t code, uint32_t info, bool hurry) {
    Vshared_memory &u = w.unit;
    const uint32_t words = d->store || d->rd == ISA_RZ ? 0 : d->bytes > 4 ? d->bytes / 4 : 1;
    const bool quiet = d->generic && (!good || others != 0);  // load_store tells the end
    uint64_t got[4] = {0, 0, 0, 0};
    uint32_t cycles = 0;
    for (bool ended = false; !ended; cycles++) {
        if (cycles > 10000) bench_fail(w.bench, "opcode %02x does not end", d->opcode);
        u.wb_ready_i = hurry || bench_chance(w.bench, 3, 4);
        u.done_taken_i = hurry || bench_chance(w.bench, 3, 4);
        u.fault_taken_i = bench_chance(w.bench, 3, 4);
        u.eval();
        if (u.wb_valid_o && u.wb_ready_i) {
            const uint32_t reg = (uint32_t)u.wb_rd_o - d->rd, portion = u.wb_portion_o;
            if (!good || reg >= words || portion >= P || u.wb_warp_o != warp || u.wb_reg_d_o != 100 + reg)
                bench_fail(w.bench, "write-back of R%u portion %u warp %u, opcode %02x rd %u", u.wb_rd_o, portion,
                           u.wb_warp_o, d->opcode, d->rd);
            if (u.wb_partial_o != (lanes_of(others, portion) != 0))
                bench_fail(w.bench, "portion %u: partial %u, others %llx", portion, u.wb_partial_o,
                           (unsigned long long)others);
            if (u.wb_lanes_o != lanes_of(exec, portion) || lanes_of(got[reg], portion) != 0)
                bench_fail(w.bench, "portion %u: mask %llx, exec %llx, before %llx", portion,
                           (unsigned long long)u.wb_lanes_o, (unsigned long long)exec, (unsigned long long)got[reg]);
            got[reg] |= (uint64_t)u.wb_lanes_o << (portion * LANES);
            for (uint32_t l = 0; l < LANES; l++) {
                const uint32_t t = portion * LANES + l, model = w.registers[(d->rd + reg) * THREADS + t];
                if ((u.wb_lanes_o >> l & 1) != 0 && get_bits(u.wb_data_o, 32 * l, 32) != model)
                    bench_fail(w.bench, "opcode %02x mod %u thread %u register %u: %08x, model %08x", d->opcode, d->mod,
                               t, reg, (unsigned)get_bits(u.wb_data_o, 32 * l, 32), model);
            }
        }
        if (quiet && (u.fault_valid_o || u.done_valid_o))
            bench_fail(w.bench, "opcode %02x: the end of a generic access is load_store's to tell", d->opcode);
        if (u.fault_valid_o &&
            (good || u.fault_code_o != code || u.fault_info_o != info || u.fault_warp_o != warp || u.fault_pc_o != 77))
            bench_fail(w.bench, "fault %s info %x, model %s info %x", fault_name(u.fault_code_o), u.fault_info_o,
                       good ? "none" : fault_name(code), info);
        ended = (u.done_valid_o && u.done_taken_i) || (u.fault_valid_o && u.fault_taken_i);
        if (quiet && u.free_o) break;
        if (ended && u.fault_valid_o == good)
            bench_fail(w.bench, "fault_valid_o %u, model %s", u.fault_valid_o, fault_name(code));
        step(w);
    }
    for (uint32_t i = 0; i < words && good; i++)
        if (got[i] != exec)
            bench_fail(w.bench, "register %u of threads %llx was written, of %llx must", i, (unsigned long long)got[i],
                       (unsigned long long)exec);
    return cycles;
}

// others_bad: of a generic access, a thread that is not this unit's is bad.
static uint32_t instruction(world &w, uint64_t word, uint64_t all, bool hurry, bool others_bad = false) {
    struct decoded d;
    decode(word, &d);
    uint64_t exec = all;
    bool refuse = others_bad;
    for (uint32_t t = 0; t < THREADS && d.generic; t++) {
        const uint32_t address = w.registers[RA * THREADS + t] + (d.atomic ? (uint32_t)d.ext : d.imm);
        if (address >> 24 != WINDOW_SHARED)
            exec &= ~(UINT64_C(1) << t);
        else if ((all >> t & 1) != 0 && ((address & (d.bytes - 1)) != 0 || (address & 0xFFFFFF) + d.bytes > w.size))
            refuse = true;
    }
    const struct execute_state state = {THREADS, w.registers, NULL, exec};
    const uint32_t warp = bench_below(w.bench, WARPS);
    uint32_t code = FAULT_NONE, info = 0;
    send(w, &d, all, warp, refuse);
    struct shared_turns turns = w.turns;
    shared_memory_turns(&d, &state, LANES, &turns);
    const bool good = !refuse && shared_memory_access(&w.memory[w.base * ROW], w.size, &d, &state, &code, &info);
    const uint32_t cycles = receive(w, &d, exec, all & ~exec, warp, good, code, info, hurry);
    if (good) w.turns = turns;
    if (w.unit.passes_o != w.turns.passes || w.unit.conflicts_o != w.turns.conflicts)
        bench_fail(w.bench, "opcode %02x mod %u: %u passes, %u of them conflicts; model %u, %u", d.opcode, d.mod,
                   w.unit.passes_o, w.unit.conflicts_o, w.turns.passes, w.turns.conflicts);
    return cycles;
}

// One portion that loads with `ways` rows wanted of each bank that is used.
static uint32_t conflict_cycles(world &w, uint32_t ways) {
    for (uint32_t l = 0; l < LANES; l++)
        w.registers[RA * THREADS + l] = (l % ways) * ROW + 4 * (l / ways * ways);
    const uint64_t exec = (UINT64_C(1) << LANES) - 1;
    return instruction(w, isa_encode_imm(OP_LDS, ISA_PT, false, RD, RA, SIZE_32, 0), exec, true);
}

static void random_instruction(world &w) {
    struct bench *b = w.bench;
    uint64_t exec = bench_mask(b, THREADS);
    if (exec == 0) exec = 1;
    if (bench_chance(b, 1, 40)) {  // another CTA
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
        if (generic && at >> 24 == 0) at |= WINDOW_SHARED << 24;
        if (generic && !bench_chance(b, 1, way)) at = bench_chance(b, 1, 2) ? at | 0xFF000000u : at & 0xFFFFFF;
        w.registers[RA * THREADS + t] = at - offset;
        for (unsigned r = RB; r < RD + 4; r++)
            w.registers[r * THREADS + t] =
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
    instruction(w, word, exec, false, generic && bench_chance(b, 1, 50));
}

int main(int argc, char **argv) {
    struct bench bench;
    static world w;
    bench_begin(&bench, argc, argv, 200000);
    w.bench = &bench;
    w.memory.assign(SHARED_BYTES, 0);
    w.size = SHARED_BYTES;
    reset(w.unit);
    for (uint32_t row = 0; row < ROWS; row++) {
        w.unit.clear_valid_i = 1;
        w.unit.clear_row_i = (uint16_t)row;
        tick(w.unit);
    }
    w.unit.clear_valid_i = 0;
    const uint32_t plain = conflict_cycles(w, 1);
    for (uint32_t ways = 2; ways <= LANES; ways *= 2) {
        const uint32_t cycles = conflict_cycles(w, ways);
        if (cycles != plain + ways - 1)
            bench_fail(&bench, "a %u-way conflict takes %u cycles, none takes %u", ways, cycles, plain);
    }
    printf("a portion: %u cycles, with a %u-way conflict %u\n", plain, (unsigned)LANES, plain + LANES - 1);
    while (bench_more(&bench))
        random_instruction(w);
    w.unit.final();
    return bench_end(&bench);
}
