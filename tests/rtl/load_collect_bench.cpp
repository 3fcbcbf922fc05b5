// load_collect: random loads and stores of several portions, whose requests are noted, asked for and answered whenever it pleases the
// others, some by the answer of another request, some refused; rows that have to wait, faults that nobody takes for long, resets; every
// output in every cycle against the rules that its head states. The C twin knows what a load brings (load_store.c), and no cycles; here
// notes, places and the portion that is collected are records.
// Compiled with -DLANES= -DWARPS= -DLSU_DEPTH= -DLOAD_WORDS= -DLOAD_LANES= as the unit was verilated.
#include <verilated.h>

#include <algorithm>
#include <deque>

#include "Vload_collect.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

#include "gen/bundles.h"
#include "gen/isa.h"
#include "gen/registers.h"

static const uint32_t PORTIONS = 4, REFS = 256;  // as the unit has them that is verilated alone
static const uint32_t GROUPS = LANES / LOAD_LANES;

struct note {
    uint32_t warp, pc, portion, lanes, low[LANES], size, rd, reg_d, addr, place;
    bool keeps, last_of_portion, last;
};
struct place {
    bool held, answered;
    uint32_t data[8], fault;
};
// A portion that waits for its rows to be taken, and what its instruction found.
struct row {
    bool busy, last;
    uint32_t word, last_word, warp, portion, lanes, rd, reg_d;
};

struct run {
    struct bench bench;
    Vload_collect rtl;
    std::deque<struct note> noted;  // by age; the first `asked` have a place, the first of these is worked off
    uint32_t asked, read;           // of them; read: 1 when the answer of the first is at hand
    struct place places[LSU_DEPTH];
    uint32_t data[8], fault;  // .. that answer
    uint32_t served, beat, lanes;
    uint32_t words[4][LANES];
    struct row row;
    bool portion_fault, found, waits;
    uint32_t rest;  // cycles until a fault that waits may be told
    uint32_t found_kind, found_addr, fault_warp, fault_pc;
    // the instruction that is being noted
    struct note next;
    uint32_t left;  // lanes of its portion
    bool begun, portion_begun;
    uint64_t added, rows, done, faults, joined, full, crowded;
};

static uint32_t bytes_of(uint32_t size) {
    return size == SIZE_128 ? 16 : size == SIZE_64 ? 8 : size == SIZE_32 ? 4 : size >= SIZE_U16 ? 2 : 1;
}

// The next request: some lanes of a portion, and whether it is the last of that or of the instruction.
static void choose_next(struct run *run) {
    struct bench *bench = &run->bench;
    struct note &n = run->next;
    const uint32_t all = LANES == 32 ? UINT32_MAX : (1u << LANES) - 1;
    if (!run->begun) {
        n = {};
        n.warp = bench_below(bench, WARPS);
        n.pc = bench_below(bench, 1u << 22);
        n.size = bench_below(bench, 7);
        n.rd = bench_below(bench, 256);
        n.reg_d = bench_below(bench, REFS);
        n.keeps = bench_chance(bench, 4, 5);
        n.portion = bench_below(bench, PORTIONS);
        run->begun = true;
        run->left = 0;
    }
    if (run->left == 0) {
        run->left = (uint32_t)bench_mask(bench, LANES);
        if (run->left == 0) run->left = all;
    }
    const bool rest = bench_chance(bench, 1, 2);
    n.lanes = rest ? run->left : run->left & (uint32_t)bench_mask(bench, LANES);
    if (n.lanes == 0) n.lanes = run->left;
    const bool alike = bench_chance(bench, 1, 4);
    const uint32_t bytes = bytes_of(n.size), same = bench_below(bench, 32 / bytes) * bytes;
    for (uint32_t &low : n.low)
        low = alike ? same : bench_below(bench, 32 / bytes) * bytes;
    n.addr = (uint32_t)bench_random(bench);
    n.last_of_portion = n.lanes == run->left;
    n.last = n.last_of_portion && bench_chance(bench, 1, 2);
}

static void note_goes(struct run *run) {
    const struct note &n = run->next;
    run->noted.push_back(n);
    run->left &= ~n.lanes;
    run->added++;
    if (n.last) {
        run->begun = false;
    } else if (n.last_of_portion) {
        run->next.portion = (n.portion + 1) % PORTIONS;
    }
}

static uint32_t lowest_free(const struct run *run) {
    for (uint32_t p = 0; p < LSU_DEPTH; p++) {
        if (!run->places[p].held) return p;
    }
    return LSU_DEPTH;
}

static void inputs(struct run *run) {
    struct bench *bench = &run->bench;
    Vload_collect &rtl = run->rtl;
    rtl.rst_i = bench_chance(bench, 1, 3000);
    choose_next(run);
    const struct note &n = run->next;
    rtl.add_i = run->noted.size() < LSU_DEPTH && bench_chance(bench, 2, 3);
    rtl.add_warp_i = (uint8_t)n.warp;
    rtl.add_pc_i = n.pc;
    rtl.add_portion_i = (uint8_t)n.portion;
    rtl.add_lanes_i = n.lanes;
    for (uint32_t l = 0; l < LANES; l++)
        set_bits(rtl.add_low_i, l * 5, 5, n.low[l]);
    rtl.add_size_i = (uint8_t)n.size;
    rtl.add_rd_i = (uint8_t)n.rd;
    rtl.add_reg_d_i = (uint8_t)n.reg_d;
    rtl.add_keeps_i = n.keeps;
    rtl.add_addr_i = n.addr;
    rtl.add_last_of_portion_i = n.last_of_portion;
    rtl.add_last_i = n.last;

    // A place whose answer is on its way; one that the next request joins.
    uint32_t on_its_way[LSU_DEPTH], count = 0;
    for (uint32_t p = 0; p < LSU_DEPTH; p++) {
        if (run->places[p].held && !run->places[p].answered) on_its_way[count++] = p;
    }
    const uint32_t slow = run->bench.op >> 9 & 1 ? 2 : 7;
    rtl.rsp_valid_i = count != 0 && bench_chance(bench, 1, slow);
    rtl.rsp_place_i =
        (uint8_t)(rtl.rsp_valid_i ? on_its_way[bench_below(bench, count)] : bench_below(bench, LSU_DEPTH));
    rtl.rsp_hit_i = bench_chance(bench, 1, 3);
    for (uint32_t i = 0; i < 8; i++) {
        rtl.rsp_data_i[i] = (uint32_t)bench_random(bench);
        rtl.rsp_hit_data_i[i] = (uint32_t)bench_random(bench);
    }
    rtl.rsp_fault_i = (uint8_t)(bench_chance(bench, 1, 16) ? bench_below(bench, 3) : (uint32_t)ANSWER_GOOD);

    // In some stretches hardly any joins another, so that every place is held at once.
    const bool joins = count != 0 && bench_chance(bench, 1, run->bench.op >> 11 & 1 ? 64 : 3);
    const bool may_ask = run->asked < run->noted.size() && (joins || lowest_free(run) != LSU_DEPTH);
    rtl.ask_i = may_ask && bench_chance(bench, 2, 3);
    rtl.ask_joins_i = rtl.ask_i ? joins : bench_chance(bench, 1, 2);
    rtl.ask_place_i = (uint8_t)(joins ? on_its_way[bench_below(bench, count)] : bench_below(bench, LSU_DEPTH));

    rtl.wb_ready_i = bench_chance(bench, run->bench.op >> 10 & 1 ? 7 : 2, 8);
    rtl.fault_taken_i = bench_chance(bench, 1, 4);
    rtl.eval();
}

// The lanes of the answer that are worked off in this cycle, and whether these are all that are left.
static uint32_t turn_of(const struct run *run, const struct note &n, bool *all) {
    const uint32_t wanted = n.keeps ? n.lanes & ~run->served : 0;
    const uint32_t wide = LOAD_LANES == 32 ? UINT32_MAX : (1u << LOAD_LANES) - 1;
    uint32_t group = 0, turn = 0;
    while (group < GROUPS - 1 && (wanted >> group * LOAD_LANES & wide) == 0)
        group++;
    for (uint32_t l = 0; l < LANES; l++) {
        const bool same = GROUPS == 1 || n.low[l] == n.low[group * LOAD_LANES + l % LOAD_LANES];
        if ((wanted >> l & 1) != 0 && same) turn |= 1u << l;
    }
    *all = turn == wanted;
    return turn;
}

// What a lane takes out of the line for a word of its access.
static uint32_t value_of(const uint32_t *line, const struct note &n, uint32_t lane, uint32_t word) {
    const uint32_t low = n.low[lane], all = line[low / 4 + word];
    switch (n.size) {
        case SIZE_U8: return all >> 8 * (low % 4) & 0xFF;
        case SIZE_S8: return (uint32_t)(int8_t)(all >> 8 * (low % 4));
        case SIZE_U16: return all >> 8 * (low % 4) & 0xFFFF;
        case SIZE_S16: return (uint32_t)(int16_t)(all >> 8 * (low % 4));
        default: return all;
    }
}

static void compare_rows(struct run *run) {
    struct bench *bench = &run->bench;
    const Vload_collect &rtl = run->rtl;
    const struct row &row = run->row;
    if (rtl.wb_valid_o != row.busy) bench_fail(bench, "row %u, not %u", rtl.wb_valid_o, row.busy);
    if (!row.busy) return;
    if (rtl.wb_warp_o != row.warp || rtl.wb_rd_o != (uint8_t)(row.rd + row.word) || rtl.wb_partial_o != 0 ||
        rtl.wb_reg_d_o != (row.reg_d + row.word) % REFS || rtl.wb_portion_o != row.portion ||
        rtl.wb_lanes_o != row.lanes)
        bench_fail(bench, "row of warp %u R%u at %u portion %u lanes %x, not %u %u %u %u %x", rtl.wb_warp_o,
                   rtl.wb_rd_o, rtl.wb_reg_d_o, rtl.wb_portion_o, rtl.wb_lanes_o, row.warp, row.rd + row.word,
                   row.reg_d + row.word, row.portion, row.lanes);
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t value = (uint32_t)get_bits(rtl.wb_data_o, l * 32, 32), wanted = run->words[row.word][l];
        if ((row.lanes >> l & 1) != 0 && value != wanted)
            bench_fail(bench, "lane %u word %u is %08x, not %08x", l, row.word, value, wanted);
    }
}

static void compare_end(struct run *run, bool done, uint32_t warp) {
    struct bench *bench = &run->bench;
    const Vload_collect &rtl = run->rtl;
    if (rtl.done_valid_o != done || (done && rtl.done_warp_o != warp))
        bench_fail(bench, "done %u of warp %u, not %u of %u", rtl.done_valid_o, rtl.done_warp_o, done, warp);
    run->done += done;
    const bool told = run->waits && run->rest == 0;
    if (rtl.fault_valid_o != told) bench_fail(bench, "fault %u, not %u", rtl.fault_valid_o, told);
    if (!told) return;
    const uint32_t code = run->found_kind == ANSWER_OUTSIDE ? FAULT_MEMORY_BOUNDS : FAULT_BUS_ERROR;
    if (rtl.fault_code_o != code || rtl.fault_info_o != run->found_addr || rtl.fault_warp_o != run->fault_warp ||
        rtl.fault_pc_o != run->fault_pc)
        bench_fail(bench, "fault %u at %08x of warp %u pc %x, not %u %08x %u %x", rtl.fault_code_o, rtl.fault_info_o,
                   rtl.fault_warp_o, rtl.fault_pc_o, code, run->found_addr, run->fault_warp, run->fault_pc);
}

// The first note has had its last lane: what becomes of its portion, and of its instruction.
static void take_note(struct run *run, bool writes) {
    const struct note n = run->noted.front();
    const bool bad = run->fault != ANSWER_GOOD;
    const uint32_t lanes = run->lanes | n.lanes;
    if (bad && !run->found) {
        run->found = true;
        run->found_kind = run->fault;
        run->found_addr = n.addr;
    }
    if (n.last) {
        run->fault_warp = n.warp;
        run->fault_pc = n.pc;
    }
    if (writes) {
        const uint32_t words = n.size == SIZE_128 ? 4 : n.size == SIZE_64 ? 2 : 1;
        run->row = {true, n.last, 0, words - 1, n.warp, n.portion, lanes, n.rd, n.reg_d};
        run->rows++;
    }
    run->portion_fault = (run->portion_fault || bad) && !n.last_of_portion;
    run->lanes = n.last_of_portion ? 0 : lanes;
    run->noted.pop_front();
    run->asked--;
    run->read = 0;
    run->beat = run->served = 0;
}

static void clear(struct run *run) {
    run->noted.clear();
    run->asked = run->read = run->served = run->beat = run->lanes = 0;
    for (struct place &p : run->places)
        p.held = false;
    run->row.busy = run->portion_fault = run->found = run->waits = run->begun = false;
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vload_collect &rtl = run->rtl;
    inputs(run);
    const uint32_t free = lowest_free(run);
    if (rtl.add_ready_o != (run->noted.size() < LSU_DEPTH)) bench_fail(bench, "add_ready_o is %u", rtl.add_ready_o);
    if (rtl.place_o != free % LSU_DEPTH) bench_fail(bench, "place %u, not %u", rtl.place_o, free);
    compare_rows(run);

    const struct row row = run->row;
    const bool row_goes = row.busy && rtl.wb_ready_i, row_ends = row_goes && row.word == row.last_word;
    const bool end_of_rows = row_ends && row.last;
    const bool work = run->read != 0 && !run->waits && (!row.busy || (row_ends && !row.last));
    bool take = false, writes = false, end_now = false;
    uint32_t turn = 0;
    const struct note n = run->noted.empty() ? note() : run->noted.front();
    const uint32_t words = !n.keeps ? 1 : n.size == SIZE_128 ? 4 : n.size == SIZE_64 ? 2 : 1;
    const uint32_t beats = (words + LOAD_WORDS - 1) / LOAD_WORDS;
    bool all = false;
    if (work) {
        turn = turn_of(run, n, &all);
        const bool collects = n.keeps && !run->portion_fault && run->fault == ANSWER_GOOD;
        take = !collects || (all && run->beat == beats - 1);
        writes = collects && n.last_of_portion;
        end_now = take && n.last && !writes;
    }
    const bool any_fault = run->found || run->fault != ANSWER_GOOD;
    compare_end(run, (end_now && !any_fault) || (end_of_rows && !run->found), end_of_rows ? row.warp : n.warp);

    // What the edge changes; the next answer is read when this one has gone.
    const bool asks_for = run->asked > run->read;
    const struct note second = asks_for ? run->noted[run->read] : note();
    struct place &from = run->places[second.place];
    const bool read = asks_for && from.answered && (run->read == 0 || take);
    const uint32_t shares = (uint32_t)std::count_if(run->noted.begin(), run->noted.begin() + run->asked,
                                                    [&](const note &o) { return o.place == n.place; });
    uint32_t line[8];
    memcpy(line, from.data, sizeof line);
    const uint32_t fault = from.fault;

    if (row_goes) run->row.word++;
    if (row_ends) run->row.busy = false;
    for (uint32_t k = 0; work && k < LOAD_WORDS && run->beat * LOAD_WORDS + k < words; k++) {
        for (uint32_t l = 0; l < LANES; l++) {
            const uint32_t word = run->beat * LOAD_WORDS + k;
            if ((turn >> l & 1) != 0) run->words[word][l] = value_of(run->data, n, l, word);
        }
    }
    if (work) {
        run->served = all ? 0 : run->served | turn;
        if (all) run->beat++;
    }
    const bool waits = (end_now && any_fault) || (end_of_rows && run->found);
    if (run->waits && run->rest == 0 && rtl.fault_taken_i) {
        run->waits = run->found = false;
        run->faults++;
    }
    run->rest = waits ? 2 : run->rest - (run->rest != 0);
    if (waits) run->waits = true;
    // The last that has the place gives it away.
    if (take && shares == 1) run->places[n.place].held = false;
    if (take) take_note(run, writes);
    if (read) {
        run->read = 1;
        memcpy(run->data, line, sizeof line);
        run->fault = fault;
    }
    if (rtl.rsp_valid_i) {
        struct place &to = run->places[rtl.rsp_place_i];
        to.answered = true;
        to.fault = rtl.rsp_fault_i;
        for (uint32_t i = 0; i < 8; i++)
            to.data[i] = rtl.rsp_hit_i ? rtl.rsp_hit_data_i[i] : rtl.rsp_data_i[i];
    }
    if (rtl.ask_i) {
        run->noted[run->asked].place = rtl.ask_joins_i ? rtl.ask_place_i : free;
        run->asked++;
        run->joined += rtl.ask_joins_i;
        if (!rtl.ask_joins_i) {
            run->places[free].held = true;
            run->places[free].answered = false;
            run->crowded += lowest_free(run) == LSU_DEPTH;
        }
    }
    if (rtl.add_i) note_goes(run);
    run->full += run->noted.size() == LSU_DEPTH;
    if (rtl.rst_i) clear(run);
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 200000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.add_i = run.rtl.ask_i = run.rtl.rsp_valid_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    printf("%llu requests, %llu rows, %llu done, %llu faults, %llu joined, %llu cycles full, %llu times all places\n",
           (unsigned long long)run.added, (unsigned long long)run.rows, (unsigned long long)run.done,
           (unsigned long long)run.faults, (unsigned long long)run.joined, (unsigned long long)run.full,
           (unsigned long long)run.crowded);
    if (bench.ops >= 10000 &&
        (run.rows == 0 || run.done == 0 || run.faults == 0 || run.joined == 0 || run.full == 0 || run.crowded == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
