// register_file: random reads of three operands, writes that are announced a cycle before, and registers that are forgotten, private and
// shared ones, against an array of rows; a row that nobody wrote since it was forgotten reads as zero. There is no C twin, since the model has
// the array alone. Rows are few, so that they are read soon after they are written and in the same cycle, and masks have holes.
// Compiled with -DTHREADS= -DLANES= -DVGPR_ROWS= as the unit was verilated.
#include <verilated.h>

#include <vector>

#include "Vregister_file.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t P = THREADS / LANES, REGS = VGPR_ROWS / P;
static const uint32_t SHARED = 1u << (index_bits(REGS) + index_bits(P));  // a register's name: one row for all portions

struct row {
    bool written;
    uint32_t lane[LANES];
};
struct operand {
    bool known;  // it has been read
    uint32_t lane[LANES];
};

struct run {
    struct bench bench;
    Vregister_file rtl;
    std::vector<row> rows;
    struct operand a, b, c;
    bool writes[2];                                // a row is announced, of each port
    uint32_t write[2], base;                       // that row; where the registers are that are used for a while
    bool b_none;                                   // B names no register
    uint64_t zeros, partly, beside, both, others;  // beside: a row was read that is written; both: two were written
};

static uint32_t row_of(uint32_t name, uint32_t portion) {
    return name >= SHARED ? name - SHARED : name * P + portion;
}

static uint32_t any(struct run *run) {
    struct bench *bench = &run->bench;
    const uint32_t reg = (run->base + bench_below(bench, 4)) % REGS;
    return bench_chance(bench, 1, 3) ? SHARED + reg * P + bench_below(bench, P) : reg;
}

template <class Data>
static void expect(struct run *run, const char *what, const struct operand &o, const Data &data) {
    for (uint32_t l = 0; o.known && l < LANES; l++) {
        const uint32_t is = (uint32_t)get_bits(data, 32 * l, 32);
        if (is != o.lane[l]) bench_fail(&run->bench, "%s: lane %u is %08x, not %08x", what, l, is, o.lane[l]);
    }
}

// The halves of the file, each of which writes a row a cycle.
static uint32_t half_of(uint32_t row) {
    return (row ^ row / P) & 1;
}

// A row is written.
template <class Data>
static void write(struct run *run, uint32_t row, uint64_t lanes, const Data &data) {
    struct row &to = run->rows[row];
    run->partly += to.written && lanes != 0;
    for (uint32_t l = 0; l < LANES; l++)
        if (!to.written || lanes >> l & 1) to.lane[l] = (uint32_t)get_bits(data, 32 * l, 32);
    to.written = true;
}

template <class Data>
static void choose_data(struct bench *bench, uint64_t lanes, Data &data) {
    for (uint32_t l = 0; l < LANES; l++)
        set_bits(data, 32 * l, 32, lanes >> l & 1 ? bench_random(bench) & 0xFFFFFFFF : 0);
}

// What a port shows from the next cycle on; what is written in this one is there already.
static void take(struct run *run, struct operand *o, uint32_t row, bool zero) {
    *o = {true, {}};
    run->zeros += !run->rows[row].written;
    run->beside += !zero && ((run->rtl.write_i && row == run->write[0]) || (run->rtl.load_i && row == run->write[1]));
    if (run->rows[row].written && !zero) memcpy(o->lane, run->rows[row].lane, sizeof o->lane);
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vregister_file &rtl = run->rtl;
    if (bench_chance(bench, 1, 200)) run->base = bench_chance(bench, 1, 3) ? REGS - 3 : bench_below(bench, REGS);
    const uint32_t portion = bench_below(bench, P), a = any(run), b = any(run), c = any(run);
    const uint32_t d[2] = {any(run), any(run)}, write_portion[2] = {bench_below(bench, P), bench_below(bench, P)};
    rtl.read_portion_i = (uint8_t)portion;
    rtl.reg_a_i = a, rtl.reg_b_i = b, rtl.reg_c_i = c;
    rtl.write_i = run->writes[0] && bench_chance(bench, 7, 8);
    rtl.load_i = run->writes[1] && bench_chance(bench, 7, 8);
    if (rtl.write_i && rtl.load_i && half_of(run->write[0]) == half_of(run->write[1])) {
        rtl.write_i = bench_chance(bench, 1, 2);
        rtl.load_i = !rtl.write_i;
    }
    rtl.read_i = bench_chance(bench, 3, 4);
    rtl.zeros_i = bench_chance(bench, 1, 2) ? bench_below(bench, 8) : 0;
    rtl.prepare_i = bench_chance(bench, 1, 2);
    rtl.prepare_reg_d_i = d[0];
    rtl.prepare_portion_i = (uint8_t)write_portion[0];
    rtl.load_prepare_i = bench_chance(bench, 1, 2);
    rtl.load_prepare_reg_d_i = d[1];
    rtl.load_prepare_portion_i = (uint8_t)write_portion[1];
    rtl.write_lanes_i = bench_mask(bench, LANES);
    rtl.load_lanes_i = bench_mask(bench, LANES);
    choose_data(bench, rtl.write_lanes_i, rtl.write_data_i);
    choose_data(bench, rtl.load_lanes_i, rtl.load_data_i);
    // Where the last read asked for no register, B is what comes here; else nothing does.
    operand b_now = run->b;
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t other = run->b_none ? (uint32_t)bench_random(bench) : 0;
        set_bits(rtl.b_else_i, 32 * l, 32, other);
        b_now.lane[l] |= other;
    }
    rtl.clear_valid_i = bench_chance(bench, 1, 8);
    rtl.clear_group_i = (run->base + bench_below(bench, 4)) % REGS / 4;
    rtl.clear_which_i = (uint8_t)bench_below(bench, 16);
    rtl.eval();
    if (rtl.clear_ready_o != (!rtl.write_i && !rtl.load_i)) bench_fail(bench, "clear_ready_o is %u", rtl.clear_ready_o);
    expect(run, "a", run->a, rtl.a_o);
    expect(run, "b", b_now, rtl.b_o);
    run->others += b_now.known && run->b_none;
    expect(run, "c", run->c, rtl.c_o);
    if (rtl.write_i) write(run, run->write[0], rtl.write_lanes_i, rtl.write_data_i);
    if (rtl.load_i) write(run, run->write[1], rtl.load_lanes_i, rtl.load_data_i);
    run->both += rtl.write_i && rtl.load_i;
    if (rtl.read_i) {
        take(run, &run->a, row_of(a, portion), rtl.zeros_i & 1);
        take(run, &run->b, row_of(b, portion), rtl.zeros_i & 2);
        run->b_none = rtl.zeros_i & 2;
        take(run, &run->c, row_of(c, portion), rtl.zeros_i & 4);
    }
    if (rtl.clear_valid_i && rtl.clear_ready_o)
        for (uint32_t k = 0; k < 4 * P; k++)
            if (rtl.clear_which_i >> k / P & 1) run->rows[rtl.clear_group_i * 4 * P + k].written = false;
    run->writes[0] = rtl.prepare_i;  // in the next cycle, or not at all
    run->writes[1] = rtl.load_prepare_i;
    for (uint32_t k = 0; k < 2; k++)
        if (run->writes[k]) run->write[k] = row_of(d[k], write_portion[k]);
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rows.resize(VGPR_ROWS);
    Vregister_file &rtl = run.rtl;
    rtl.inject_i = rtl.read_i = rtl.prepare_i = rtl.write_i = rtl.load_prepare_i = rtl.load_i = 0;
    // After power-up nothing is known of any register: launching forgets what it gives out.
    for (uint32_t group = 0; group < REGS / 4; group++) {
        rtl.clear_valid_i = 1;
        rtl.clear_group_i = group;
        rtl.clear_which_i = 15;
        tick(rtl);
    }
    while (bench_more(&run.bench))
        step(&run);
    rtl.final();
    if (bench.ops >= 1000 && (run.zeros == 0 || run.partly == 0 || run.beside == 0 || run.both == 0 || run.others == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
