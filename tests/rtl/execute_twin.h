// The model beside execute: random instructions, what the issue stage makes of them, and by the C model (decode, execute) what comes out of each
// portion; the cycles in which it comes, as the head of rtl/sm/execute.sv says.
#ifndef TANDEM_TESTS_RTL_EXECUTE_TWIN_H
#define TANDEM_TESTS_RTL_EXECUTE_TWIN_H

#include "bench.h"
#include "port_bits.h"

extern "C" {
#include "gen/bundles.h"
#include "gen/isa.h"
#include "sm/decode.h"
#include "sm/execute.h"
#include "sm/scoreboard.h"
}

static const uint32_t P = THREADS / LANES, TURNS = LANES / SPECIALS;
static const uint32_t REGS = VGPR_ROWS / P, REF_W = index_bits(REGS) + index_bits(P) + 1;
static const uint32_t SHARED_REF = 1u << (REF_W - 1), TID_W = index_bits(WARPS * THREADS);
static const uint32_t WINDOWS = 4, REGISTERS = 12;  // places of registers, registers of an instruction
static const uint64_t ALL = THREADS == 64 ? ~UINT64_C(0) : (UINT64_C(1) << THREADS % 64) - 1;
static const uint32_t SOON = 32, OPERATIONS = 128;  // cycles, operations that are remembered

// An operation as it is handed over, and what must come of it.
struct operation {
    uint64_t exec, p1, p2;
    uint32_t warp, op, mod, imm, zero, reg_a, reg_b, reg_c, reg_d, rd, pred, pass, thread_id_of;
    bool b_imm, writes_reg, writes_pred, last_pass, preds_to_b, thread_id, shuffle, to_scalar, memory, shared, generic,
        counted, gather;
    bool special;  // of the units that lanes share
    bool shows_a, shows_b, shows_c;
    uint32_t a[THREADS], b[THREADS], c[THREADS], result[THREADS];
    uint64_t bits;
};

struct instruction {
    struct decoded d;
    enum isa_format format;
    uint32_t warp, passes, reads[3 + 3], read, reg_d;  // places of registers
    uint64_t exec;
    uint32_t base, privates, row_base;
    uint64_t preds[8];                              // after it
    uint32_t registers[(REGISTERS + 4) * THREADS];  // before and after it
    uint32_t a[THREADS], b[THREADS], c[THREADS];
    uint32_t imm;
    bool begun;
};

struct row {
    uint32_t warp, rd, reg_d, portion, lanes, data[LANES];
    bool partial;
};

// What is due in a cycle, of a portion of an operation.
struct piece {
    const struct operation *of;
    uint32_t portion, lanes;
    bool last;
};
struct written {
    bool some, returned;  // .. of a memory unit
    struct row row;
    const struct operation *of;
    uint32_t before[LANES];  // what stands there, until it is written: a reset may come first
};
struct due {
    const struct operation *done, *gathered;
    bool gathers;
    bool held;  // stage L1: the lanes will write a row
    struct row held_row;
    struct piece l1, pred;
    struct written told[2], read[2],
        row[2];  // of the lanes, of a memory unit; told in stage L2; read: from now on; row: stage W
};

struct twin {
    struct bench *bench;
    uint32_t rows[VGPR_ROWS][LANES];
    uint32_t writers[VGPR_ROWS];  // rows that will be written
    uint32_t unread[VGPR_ROWS];   // .. and cannot be read yet
    uint64_t preds[WARPS][8];
    uint32_t ids[WARPS][THREADS][3];
    uint32_t windows[WINDOWS], target;
    enum { ANY, PLAIN, SPECIAL, MOVING, KINDS } kind;  // of instructions, for some time
    // R
    struct operation operations[OPERATIONS];
    uint32_t next;
    const struct operation *now;
    uint64_t left;
    uint32_t hold, waits;
    struct due due[SOON];
    uint64_t cycle, ids_read[4];  // S2R of an id, by its THREAD_ID_*
    // The last targets that were gathered.
    bool known;
    uint32_t target_was;
    uint64_t group_was;

    struct due &at(uint32_t later) {
        return due[(cycle + later) % SOON];
    }
    bool goes() const {
        return left != 0 && hold == 0 && waits != 15;
    }
    uint32_t portion() const {
        return left == 0 ? 0 : (uint32_t)__builtin_ctzll(left) / LANES;
    }
    bool last() const;
    bool ready() const {
        return left == 0 || (goes() && last());
    }
};

static uint64_t portion_of(uint32_t p) {
    return (LANES == 64 ? ~UINT64_C(0) : (UINT64_C(1) << LANES % 64) - 1) << p * LANES;
}

static uint32_t lanes_of(uint64_t threads, uint32_t p) {
    return (uint32_t)((threads & portion_of(p)) >> p * LANES);
}

bool twin::last() const {
    return (left & ~portion_of(portion())) == 0;
}

static uint32_t row_of(uint32_t ref, uint32_t portion) {
    return ref >= SHARED_REF ? (ref - SHARED_REF) % VGPR_ROWS : (ref * P + portion) % VGPR_ROWS;
}

static bool has_row(uint32_t ref, uint32_t row) {
    for (uint32_t p = 0; p < P; p++)
        if (row_of(ref, p) == row) return true;
    return false;
}

static uint32_t place(const struct instruction &i, uint32_t reg) {
    const bool is_private = reg < i.privates;
    return ((is_private ? i.base : i.row_base) + reg) % SHARED_REF + (is_private ? 0 : SHARED_REF);
}

// Numbers that matter to some operation; few different ones as targets of branches.
static uint32_t any_number(struct twin &t) {
    static const uint32_t corners[] = {0,          1,          31,         32,         0x7FFF,
                                       0x8000,     0xFFFF,     0x7FFFFFFF, 0x80000000, 0xFFFFFFFE,
                                       0xFFFFFFFF, 0x3F800000, 0xFF800000, 0x7FC00000};
    struct bench *b = t.bench;
    const uint32_t random = (uint32_t)bench_random(b);
    switch (bench_below(b, 6)) {
        case 0: return corners[bench_below(b, sizeof corners / sizeof corners[0])];
        case 1: return random >> bench_below(b, 32);
        case 2: return (random & 0xFFC00000) | t.target;
        case 3: return (random & 0xFFC00000) | (t.target ^ 1u << bench_below(b, 22));
        default: return random;
    }
}

// ---- instructions ----
static bool is_gathered(enum isa_format format) {
    return format == FORMAT_RETR || format == FORMAT_RELR || format == FORMAT_ABSR || format == FORMAT_CALLX;
}

static bool is_special(uint32_t op) {
    switch (op) {
        case OP_FRCP:
        case OP_FRSQ:
        case OP_FEX2:
        case OP_FLG2:
        case OP_F2I:
        case OP_I2F:
        case OP_FRND:
        case OP_PRMT:
        case OP_POPC:
        case OP_CLZ:
        case OP_BREV:
        case OP_UBFE:
        case OP_IBFE:
        case OP_BFI:
        case OP_FSHL:
        case OP_FSHR:
        case OP_SHFL: return true;
        default: return false;
    }
}

// One that execute has something to do with.
static bool is_wanted(const struct twin &t, const struct decoded &d, enum isa_format format) {
    const bool moves = d.bytes != 0 || d.opcode == OP_LAUNCH, calls = format == FORMAT_CALLR || is_gathered(format);
    if (!d.alu && !moves && !calls && d.opcode != OP_R2S) return false;
    if (d.opcode == OP_R2P && (d.imm & 0x7F) == 0) return false;
    if (t.kind == twin::PLAIN) return d.alu && d.writes && !is_special(d.opcode & 0x7F);
    if (t.kind == twin::SPECIAL) return d.alu && is_special(d.opcode & 0x7F);
    if (t.kind == twin::MOVING) return !d.alu || d.writes_preds != 0;
    return true;
}

static uint32_t any_register(struct bench *b, uint32_t of) {
    return bench_chance(b, 1, 14) ? (uint32_t)ISA_RZ : bench_below(b, REGISTERS) / of * of;
}

static void choose_word(struct twin &t, struct instruction &i) {
    static const uint8_t often[] = {OP_SHFL, OP_FSHL, OP_FSHR, OP_S2R, OP_S2R, OP_P2R, OP_R2S, OP_BRX, OP_ST};
    static const uint32_t ids[] = {SR_TID_X, SR_TID_Y, SR_TID_Z, SR_LANEID};
    struct bench *b = t.bench;
    for (;;) {
        const uint32_t op = bench_chance(b, 1, 10) ? often[bench_below(b, sizeof often)] : bench_below(b, 256);
        const enum isa_format format = isa_table[op].format;
        const uint32_t mod = bench_below(b, 16), ra = any_register(b, 1);
        const uint32_t rd = op == OP_R2S ? bench_below(b, 256) : any_register(b, 4);
        const bool same = (op == OP_FSHL || op == OP_FSHR) && bench_chance(b, 1, 2);
        uint64_t word = isa_encode_imm(op, ISA_PT, false, rd, ra, mod, any_number(t));
        if (op == OP_PSETP)
            word = isa_encode_reg(op, ISA_PT, false, rd, bench_below(b, 16), mod, bench_below(b, 16), 0, 0);
        else if (op == OP_S2R)
            word = isa_encode_imm(op, ISA_PT, false, rd, ra, mod,
                                  bench_chance(b, 3, 4) ? ids[bench_below(b, 4)] : bench_below(b, 20));
        else if ((op & 0x80) == 0)
            word = isa_encode_reg(op, ISA_PT, false, rd, ra, mod, any_register(b, 1), same ? ra : any_register(b, 1),
                                  (int16_t)bench_random(b));
        if (!isa_legal(word)) continue;
        decode(word, &i.d);
        // Only wide accesses have registers behind rd.
        if (op != OP_R2S && i.d.rd != ISA_RZ && i.d.bytes <= 4) {
            word = (word & ~(UINT64_C(0xFF) << 12)) | (uint64_t)bench_below(b, REGISTERS) << 12;
            decode(word, &i.d);
        }
        i.format = format;
        if (is_wanted(t, i.d, format)) return;
    }
}

// The rows that hold a register, as all threads see it.
static void read_register(const struct twin &t, uint32_t ref, bool zero, uint32_t *to) {
    for (uint32_t k = 0; k < THREADS; k++)
        to[k] = zero ? 0 : t.rows[row_of(ref, k / LANES)][k % LANES];
}

static bool is_thread_id(const struct instruction &i) {
    return i.format == FORMAT_SR && (i.d.imm <= SR_TID_Z || i.d.imm == SR_LANEID);
}

static struct instruction choose_instruction(struct twin &t) {
    struct bench *b = t.bench;
    struct instruction i = {};
    choose_word(t, i);
    i.warp = bench_below(b, WARPS);
    i.base = t.windows[bench_below(b, WINDOWS)];
    i.row_base = t.windows[bench_below(b, WINDOWS)] * P + bench_below(b, P);
    i.exec = t.kind == twin::PLAIN && bench_chance(b, 7, 8) ? ALL : bench_mask(b, THREADS) & ALL;
    const bool one = bench_chance(b, 1, 4);
    if (one) i.exec &= portion_of(bench_below(b, P));
    if (i.exec == 0) i.exec = UINT64_C(1) << bench_below(b, THREADS);
    if (i.d.opcode == OP_R2S) i.exec &= 0 - i.exec;
    // Shared registers: of one portion's threads.
    i.privates = (one && bench_chance(b, 1, 2)) ? bench_below(b, REGISTERS) / 4 * 4 : (uint32_t)ISA_RZ;
    i.passes = i.d.opcode == OP_R2P ? i.d.imm & 0x7F : 1;
    if ((i.d.opcode & 0x7F) == OP_SHFL) i.passes = 3;
    if (i.d.store) i.passes = i.d.bytes == 16 ? 15 : i.d.bytes == 8 ? 3 : 1;
    i.reg_d = place(i, i.d.rd);
    const bool c_is_d = i.d.store && i.d.rd != ISA_RZ;
    if ((i.d.names & SCOREBOARD_RA) != 0) i.reads[i.read++] = place(i, i.d.ra);
    if ((i.d.names & SCOREBOARD_RB) != 0) i.reads[i.read++] = place(i, i.d.rb);
    if ((i.d.names & SCOREBOARD_RC) != 0) i.reads[i.read++] = place(i, i.d.rc);
    for (uint32_t k = 0; c_is_d && k <= i.d.more; k++)
        i.reads[i.read++] = place(i, i.d.rd) + k;
    i.imm = any_number(t);  // of S2R, SRD, calls
    return i;
}

static bool writes_rd(const struct instruction &i) {
    const bool calls = i.format == FORMAT_CALLR || i.format == FORMAT_CALLX;
    return (i.d.alu || calls) && i.d.registers != 0;
}

static bool gathers(const struct instruction &i) {
    return is_gathered(i.format) && (i.d.names & SCOREBOARD_RA) != 0;
}

// Does it wait for a row that will be written?
static bool must_wait(const struct twin &t, const struct instruction &i) {
    for (uint32_t p = 0; p < P; p++) {
        for (uint32_t k = 0; k < i.read; k++)
            if (t.unread[row_of(i.reads[k], p)] != 0) return true;
        if (writes_rd(i) && t.unread[row_of(i.reg_d, p)] != 0) return true;
    }
    return false;
}

static bool reads_row(const struct instruction &i, uint32_t row) {
    for (uint32_t k = 0; k < i.read; k++)
        if (has_row(i.reads[k], row)) return true;
    return false;
}

static void will_write(struct twin &t, uint32_t row, uint32_t times) {
    t.writers[row] += times;
    t.unread[row] += times;
}

// What the model makes of it, when nothing that it reads or writes will be written by others.
static void execute_instruction(struct twin &t, struct instruction &i) {
    const struct decoded &d = i.d;
    read_register(t, place(i, d.ra), (d.names & SCOREBOARD_RA) == 0, i.a);
    read_register(t, place(i, d.rb), (d.names & SCOREBOARD_RB) == 0, i.b);
    read_register(t, place(i, d.rc), (d.names & SCOREBOARD_RC) == 0, i.c);
    memcpy(i.preds, t.preds[i.warp], sizeof i.preds);
    const uint32_t numbers[] = {d.ra, d.rb, d.rc, d.rd};
    for (uint32_t k = 0; k < 4; k++)
        if (numbers[k] < REGISTERS) read_register(t, place(i, numbers[k]), false, &i.registers[numbers[k] * THREADS]);
    const struct execute_state state = {THREADS, i.registers, i.preds, i.exec};
    const bool of_lanes = d.alu && d.opcode != OP_S2R && d.opcode != OP_SRD;
    if (of_lanes) execute_alu(&d, &state);
    uint32_t result[THREADS];
    for (uint32_t k = 0; k < THREADS; k++) {
        result[k] = i.imm;
        if (is_thread_id(i)) result[k] = d.imm == SR_LANEID ? k : t.ids[i.warp][k][d.imm];
    }
    if (!of_lanes && writes_rd(i)) execute_write(&state, d.rd, result);
    if (writes_rd(i))
        for (uint32_t p = 0; p < P; p++)
            will_write(t, row_of(i.reg_d, p), lanes_of(i.exec, p) != 0);
    i.begun = true;
}

static uint64_t predicate_of(const struct twin &t, uint32_t warp, uint32_t field) {
    const uint64_t is = t.preds[warp][field & 7];
    return ((field & 8) != 0 ? ~is : is) & ALL;
}

// What the lanes get: predicates, B, what they do.
static void hand_to_lanes(struct twin &t, const struct instruction &i, struct operation &o) {
    const struct decoded &d = i.d;
    o.p1 = bench_random(t.bench) & ALL;
    o.p2 = bench_random(t.bench) & ALL;
    if (i.format == FORMAT_SELP) o.p1 = predicate_of(t, i.warp, d.mod);
    if (i.format == FORMAT_CARRY) o.p1 = predicate_of(t, i.warp, d.mod & 7u);
    if (i.format == FORMAT_PLOP) o.p1 = predicate_of(t, i.warp, d.ra), o.p2 = predicate_of(t, i.warp, d.rb);
    const bool calls = i.format == FORMAT_CALLR || i.format == FORMAT_CALLX;
    o.preds_to_b = d.opcode == OP_P2R;
    if (d.opcode == OP_SRD || d.opcode == OP_S2R || o.preds_to_b || calls) o.op = OP_MOV;
    o.b_imm = d.immediate || d.opcode == OP_SRD;
    o.thread_id = is_thread_id(i);
    if (o.thread_id) o.b_imm = bench_chance(t.bench, 1, 2);
    o.thread_id_of = !o.thread_id ? d.imm & 3 : d.imm == SR_LANEID ? (uint32_t)THREAD_ID_LANE : d.imm & 3;
    if (d.opcode == OP_SRD || d.opcode == OP_S2R || calls) o.imm = o.thread_id && o.b_imm ? 0 : i.imm;
    o.gather = gathers(i);
    o.to_scalar = d.opcode == OP_R2S;
    o.shuffle = (d.opcode & 0x7F) == OP_SHFL;
    o.counted = d.alu && bench_chance(t.bench, 7, 8);
    o.writes_reg = writes_rd(i) && !(o.shuffle && o.pass == 0);
    o.writes_pred = d.alu && d.writes_preds != 0;
    o.pred = i.format == FORMAT_CARRY ? d.mod & 7u : d.opcode == OP_R2P ? o.pass : d.rd & 7u;
    const bool rotates = o.reg_a == o.reg_c && (o.zero & 1) == o.zero >> 2;
    o.special = TURNS > 1 && d.alu && is_special(o.op) && !(o.shuffle && o.pass == 0) &&
                !((o.op == OP_FSHL || o.op == OP_FSHR) && rotates);
}

// .. memory units
static void hand_to_memory(struct twin &t, const struct instruction &i, struct operation &o) {
    const struct decoded &d = i.d;
    o.memory = true;
    o.shared = d.shared;
    o.generic = d.generic;
    o.counted = d.opcode != OP_LAUNCH;
    if (d.opcode == OP_LDC) o.imm &= 0xFFFF;
    if (d.atomic) o.imm = (uint32_t)d.ext;
    o.shows_a = o.pass == 0;
    o.shows_b = d.atomic;
    o.shows_c = d.store || (d.atomic && d.mod == ATOM_CAS);
    for (uint32_t &a : o.a)
        a += d.opcode == OP_LAUNCH ? 0 : o.imm;
}

// The next pass of an instruction.
static struct operation &hand_over(struct twin &t, struct instruction &i) {
    const struct decoded &d = i.d;
    if (!i.begun) execute_instruction(t, i);
    struct operation &o = t.operations[t.next++ % OPERATIONS];
    o = {};
    o.pass = (uint32_t)__builtin_ctz(i.passes);
    o.last_pass = (i.passes & (i.passes - 1)) == 0;
    o.exec = (d.opcode & 0x7F) == OP_SHFL && o.pass == 0 ? ALL : i.exec;
    o.warp = i.warp;
    o.op = d.opcode & 0x7Fu;
    o.mod = d.mod;
    o.imm = d.imm;
    o.b_imm = d.immediate;
    o.rd = d.rd;
    const uint32_t rc = d.store ? d.rd : d.rc;
    o.zero = (uint32_t)(rc == ISA_RZ) << 2 | (uint32_t)(d.rb == ISA_RZ) << 1 | ((d.names & SCOREBOARD_RA) == 0);
    o.reg_a = place(i, d.ra);
    o.reg_b = place(i, d.rb);
    o.reg_c = place(i, rc) + (d.store ? o.pass : 0);
    o.reg_d = i.reg_d;
    // Where a zero stands is not looked at.
    if ((o.zero & 1) != 0 && bench_chance(t.bench, 1, 2)) o.reg_a = o.reg_c;
    if ((o.zero & 4) != 0 && bench_chance(t.bench, 1, 2)) o.reg_c = o.reg_a;
    memcpy(o.a, i.a, sizeof o.a);
    memcpy(o.b, i.b, sizeof o.b);
    memcpy(o.c, i.c, sizeof o.c);
    if (d.store) read_register(t, o.reg_c, rc == ISA_RZ, o.c);
    if (d.rd < REGISTERS) memcpy(o.result, &i.registers[d.rd * THREADS], sizeof o.result);
    const bool moves = d.bytes != 0 || d.opcode == OP_LAUNCH;
    if (moves)
        hand_to_memory(t, i, o);
    else
        hand_to_lanes(t, i, o);
    if (o.writes_pred) o.bits = i.preds[o.pred];
    if (o.memory || o.gather) o.writes_reg = o.writes_pred = bench_chance(t.bench, 1, 2);  // it does not do so here
    i.passes &= i.passes - 1;
    return o;
}

// ---- what is due ----
// A row that is in stage L1 so many cycles from now.
static void row_comes(struct twin &t, uint32_t later, const struct written &written) {
    const uint32_t k = written.returned;
    t.at(later + 1).told[k] = t.at(later + 2).read[k] = t.at(later + 3).row[k] = written;
}

// Rows of one half of the register file are written one a cycle: rows side by side are in both, the first ones of registers by turns.
static uint32_t half_of(const struct row &row) {
    const uint32_t at = row_of(row.reg_d, row.portion);
    return (at ^ at / P) & 1;
}

// Does the row of a memory unit wait?
static bool row_waits(struct twin &t, const struct row &row) {
    const struct due &now = t.at(0);
    return now.held && half_of(now.held_row) == half_of(row);
}

// A portion goes from R to X.
static void portion_goes(struct twin &t) {
    const struct operation *o = t.now;
    const uint32_t p = t.portion(), turns = o->special ? TURNS : 0;
    const bool last = t.last() && o->last_pass;
    const struct piece piece = {o, p, lanes_of(t.left, p), last};
    if (last && !o->memory && !o->gather) t.at(1 + turns).done = o;
    if (o->memory || o->to_scalar) t.at(2).l1 = piece;
    if (o->gather) t.at(3).gathers = true;
    if (o->gather && last) t.at(3).gathered = o;
    if (o->memory || o->gather) return;
    if (o->thread_id) t.ids_read[o->thread_id_of]++;
    if (o->writes_pred) t.at(3 + turns).pred = piece;
    if (!o->writes_reg) return;
    struct row row = {o->warp, o->rd, o->reg_d, p, piece.lanes, {}, false};
    t.at(2 + turns).held = true;
    t.at(2 + turns).held_row = row;
    memcpy(row.data, &o->result[p * LANES], sizeof row.data);
    row_comes(t, turns + 2, {true, false, row, o});
}

static void gathered(struct twin &t, const struct operation &o) {
    t.known = true;
    t.target_was = o.a[__builtin_ctzll(o.exec)] & 0x3FFFFF;
    t.group_was = 0;
    for (uint32_t k = 0; k < THREADS; k++)
        if ((o.exec >> k & 1) != 0 && (o.a[k] & 0x3FFFFF) == t.target_was) t.group_was |= UINT64_C(1) << k;
}

// The cycle begins: what it writes.
static void write_rows(struct twin &t) {
    struct due &now = t.at(0);
    if (now.gathers) t.known = false;
    if (now.gathered != nullptr) gathered(t, *now.gathered);
    for (uint32_t k = 0; k < 2; k++) {
        if (now.read[k].some) {
            const struct row &r = now.read[k].row;
            const uint32_t row = row_of(r.reg_d, r.portion);
            memcpy(t.at(1).row[k].before, t.rows[row], sizeof t.rows[row]);
            for (uint32_t l = 0; l < LANES; l++)
                if ((r.lanes >> l & 1) != 0) t.rows[row][l] = r.data[l];
            t.unread[row]--;
        }
        if (now.row[k].some) t.writers[row_of(now.row[k].row.reg_d, now.row[k].row.portion)]--;
    }
}

struct ends {
    bool reset, taken, waits;  // taken: an operation; waits: a row of a memory unit, or what is to be forgotten
    const struct operation *operation;
    const struct row *row;  // .. that is taken
};

static void end_cycle(struct twin &t, const struct ends &e) {
    const bool goes = t.goes();
    if (goes) portion_goes(t);
    if (e.row != nullptr) row_comes(t, 0, {true, true, *e.row, nullptr});
    t.hold = goes && t.now->special ? TURNS : t.hold - (t.hold != 0);
    if (e.waits)
        t.waits += t.waits != 15;
    else
        t.waits = 0;
    if (goes) t.left &= ~portion_of(t.portion());
    if (e.taken) t.now = e.operation, t.left = e.operation->exec;
    t.at(0) = {};
    t.cycle++;
    if (!e.reset) return;
    for (const struct written &lost : t.at(0).row)
        if (lost.some) memcpy(t.rows[row_of(lost.row.reg_d, lost.row.portion)], lost.before, sizeof lost.before);
    for (struct due &d : t.due)
        d = {};
    t.left = t.hold = t.waits = 0;
    t.known = false;
    memset(t.writers, 0, sizeof t.writers);
    memset(t.unread, 0, sizeof t.unread);
}

#endif
