// tmd_check alone against its C twin: random TMDs, good ones, ones with a fault, ones with fields at the bounds of what is good and with
// bits turned, of launches, from lists, freed and evicted; lines that come late, lines that memory has refused. The verdict, all fields
// of a good task, and that they stand until the next one. An operation is a TMD.
// Compiled with -DBENCH_CONFIG="name" and the parameters of the configuration that the unit was verilated with.
#include <verilated.h>

#include "Vtmd_check.h"
#include "bench.h"
#include "bench_config.h"
#include "port_bits.h"
#include "task_shown.h"
#include "task_tmds.h"
#include "tick.h"

extern "C" {
#include "task/task_internal.h"
}

namespace {

constexpr uint32_t LATENCY = 60;              // most cycles from the last line to the verdict
constexpr uint32_t SMALL_PROGRAM = 8u << 22;  // what a program counter reaches

struct field {
    enum tmd_field number;
    uint32_t bits, copies;
};
constexpr field fields[] = {
#define X(name, high, low, stride) {TMD_##name, (high) - (low) + 1, (stride) == 0 ? 1u : (stride) == 64 ? 8u : 2u},
    TMD_FIELDS(X)
#undef X
};

struct check_run {
    struct bench b;
    Vtmd_check rtl;
    const ppu_config *config;
    tmd_space space;
    launch given, wanted;
    uint32_t lines;  // that it has been given
    bool told;       // the verdict has been told
    uint32_t code, info;
    uint64_t good, resumed, bad[256], waited;
    uint32_t longest;
    bool slow;       // the last line has come when nothing else was left to do
    uint64_t timed;  // of such ones, how long it took
};

uint32_t word(bench *b) {
    return static_cast<uint32_t>(bench_random(b));
}

// ---- a task
void choose_space(check_run *run) {
    bench *b = &run->b;
    tmd_space &space = run->space;
    switch (bench_below(b, 4)) {
        case 0: space.size = 0xFFFFF000u - 4096 * bench_below(b, 3); break;
        case 1: space.size = 0x20000 + (word(b) & 0xFFFFF000u) % 0xFFFC0000u; break;
        default: space.size = 0x20000 + 4096 * bench_below(b, 64); break;
    }
    space.region = bench_below(b, space.size - 0x1000) & ~7u;
    space.local = 32 + (bench_below(b, space.size - 0x1000) & ~31u);
    if (bench_chance(b, 1, 8)) {  // of one bit
        for (space.local = 0x80000000; space.local > space.size - 0x1000;)
            space.local /= 2;
    }
    space.release_at = bench_chance(b, 1, 2) ? space.size - 128 : bench_below(b, space.size - 128) & ~15u;
    if (space.size > 0x80001000 &&
        bench_chance(b, 1, 2))  // the last place of them is as far from the end as the highest bit says
        space.release_at = space.size - 0x80000000 - 112;
}

// Of a grid task that was evicted: where it goes on, and what comes back.
void evicted(check_run *run, uint32_t *tmd) {
    bench *b = &run->b;
    if (tmd_get(tmd, TMD_CIRCULAR_QUEUE_SIZE, 0) != 0) return;
    static const enum tmd_field grids[] = {TMD_CTA_RASTER_WIDTH, TMD_CTA_RASTER_HEIGHT, TMD_CTA_RASTER_DEPTH};
    static const enum tmd_field nexts[] = {TMD_CTA_RASTER_WIDTH_RESUME, TMD_CTA_RASTER_HEIGHT_RESUME,
                                           TMD_CTA_RASTER_DEPTH_RESUME};
    for (unsigned i = 0; i < 3; i++) {
        if (bench_chance(b, 1, 4)) tmd_set(tmd, grids[i], 0, word(b) | 1);
        const uint32_t grid = tmd_get(tmd, grids[i], 0);
        tmd_set(tmd, nexts[i], 0, bench_chance(b, 1, 3) ? grid - 1 : bench_below(b, grid));
    }
    if (tmd_get(tmd, TMD_TANDEM_SAVE_ENABLE, 0) == 0 || bench_chance(b, 1, 3)) return;
    tmd_set(tmd, TMD_TANDEM_SAVED, 0, 1 + bench_below(b, SMS * WARPS));
    if (bench_chance(b, 1, 2)) tmd_set(tmd, nexts[2], 0, tmd_get(tmd, grids[2], 0));
}

// One field is set to something near what it is, or to anything; or any bit is turned.
void disturb(check_run *run, uint32_t *tmd) {
    bench *b = &run->b;
    if (bench_chance(b, 1, 6)) {
        tmd[bench_below(b, TMD_WORDS)] ^= 1u << bench_below(b, 32);
        return;
    }
    const field &one = fields[bench_below(b, sizeof fields / sizeof fields[0])];
    const unsigned copy = bench_below(b, one.copies);
    const uint32_t was = tmd_get(tmd, one.number, copy);
    uint32_t value = 0;
    switch (bench_below(b, 8)) {
        case 0: value = was + 1; break;
        case 1: value = was - 1; break;
        case 2: value = was ^ 1u << bench_below(b, one.bits); break;
        case 3: value = was ^ 1u << (one.bits - 1); break;
        case 4: value = word(b); break;
        case 5: value = 0xFFFFFFFF; break;
        case 6: value = 1u << bench_below(b, one.bits); break;
        default: break;
    }
    tmd_set(tmd, one.number, copy, value);
}

// Private and shared registers that just fit, or are one too many, of a warp's share of rows.
void fill_registers(check_run *run, uint32_t *tmd) {
    bench *b = &run->b;
    const uint64_t threads = uint64_t{tmd_get(tmd, TMD_CTA_THREAD_DIMENSION0, 0)} *
                             tmd_get(tmd, TMD_CTA_THREAD_DIMENSION1, 0) * tmd_get(tmd, TMD_CTA_THREAD_DIMENSION2, 0);
    if (threads == 0 || threads > WARPS * THREADS || tmd_get(tmd, TMD_TANDEM_SAVE_ENABLE, 0) != 0) return;
    const uint32_t portions = THREADS / LANES, warps = static_cast<uint32_t>(threads + THREADS - 1) / THREADS;
    const uint32_t units = VGPR_ROWS / (warps * portions) + bench_below(b, 2), shared = 1 + bench_below(b, 254);
    const uint32_t whole = (shared + portions - 1) / portions;
    if (units <= whole || units - whole + shared > 255) return;
    tmd_set(tmd, TMD_REGISTER_COUNT, 0, units - whole + shared);
    tmd_set(tmd, TMD_TANDEM_SHARED_ROWS, 0, shared);
}

// Threads in numbers of 48 bits.
void many_threads(check_run *run, uint32_t *tmd) {
    bench *b = &run->b;
    // 2^47 and a few: as few as a CTA may have, but for the highest bit; or with 0 in the middle.
    uint32_t x = 57796, y = 57160, z = 42601;
    if (bench_chance(b, 1, 2)) {
        x = 0xE000 + bench_below(b, 0x2000), y = 0xE000 + bench_below(b, 0x2000);
        z = static_cast<uint32_t>((UINT64_C(1) << 47) / (x * y)) + 1;
    }
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION0, 0, x);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION1, 0, y);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION2, 0, z);
}

// Everything just so that it fits, where a space is large: sums that need all of their bits.
void stretch(check_run *run, uint32_t *tmd) {
    bench *b = &run->b;
    const tmd_space &space = run->space;
    const uint32_t code = tmd_get(tmd, TMD_TANDEM_CODE_SIZE, 0);
    const uint32_t reach = SMALL_PROGRAM < space.size - space.region ? SMALL_PROGRAM : space.size - space.region;
    // A program counter does not reach further, however large the space is.
    if (tmd_get(tmd, TMD_PROGRAM_OFFSET, 0) > reach - code)
        tmd_set(tmd, TMD_PROGRAM_OFFSET, 0,
                (reach & ~7u) - code - (bench_chance(b, 1, 2) ? 0 : 8 * bench_below(b, reach / 16)));
    if (bench_chance(b, 1, 4)) fill_registers(run, tmd);
    if (bench_chance(b, 1, 100)) many_threads(run, tmd);
    if (bench_chance(b, 1, 3)) {
        const unsigned r = bench_below(b, 2);
        tmd_set(tmd, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, r, 1);
        tmd_set(tmd, TMD_DEPENDENT_QMD_POINTER, r,
                bench_chance(b, 1, 2) ? (space.size >> 8) - 1 : bench_below(b, space.size >> 8));
    }
    if (tmd_get(tmd, TMD_CIRCULAR_QUEUE_SIZE, 0) != 0 && bench_chance(b, 1, 2)) {
        uint32_t size = 1u << bench_below(b, 25), entry = 1 + bench_below(b, 0xFFFF);
        while (static_cast<uint64_t>(size) * entry > space.size)
            size > 1 ? size /= 2 : entry /= 2;
        tmd_set(tmd, TMD_CIRCULAR_QUEUE_SIZE, 0, size);
        tmd_set(tmd, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 0, entry);
        tmd_set(tmd, TMD_CIRCULAR_QUEUE_ADDR_LOWER, 0, space.size - size * entry);
        tmd_set(tmd, TMD_QUEUE_ENTRIES_PER_CTA_MINUS_ONE, 0, bench_below(b, 128));
        tmd_set(tmd, TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE, 0, bench_below(b, 2));
        const uint32_t get = word(b);
        tmd_set(tmd, TMD_OUTER_GET, 0, get);
        tmd_set(tmd, TMD_OUTER_PUT, 0, get + (bench_chance(b, 1, 2) ? size : bench_below(b, size + 1)));
    }
    if (tmd_get(tmd, TMD_LOCAL_MEMORY_LOW, 0) != 0 && bench_chance(b, 1, 2)) {
        // The pieces end where the space does.
        const uint32_t most = SMS * WARPS * THREADS, fit = (space.size - 32) / most / 16;
        const uint32_t bytes = 16 * (bench_chance(b, 1, 2) ? (fit < 0xFFFFF ? fit : 0xFFFFF)
                                                           : bench_below(b, fit < 0xFFFFF ? fit : 0xFFFFF));
        const uint32_t local = (space.size - bytes * most) & ~31u;
        tmd_set(tmd, TMD_LOCAL_MEMORY_LOW, 0, bytes);
        run->given.local = local;
        tmd_set(tmd, TMD_TANDEM_LOCAL, 0, local);
    }
}

// A launch, one that was freed, or a task from a list; what stands in its TMD belongs to that, or to something else.
void choose(check_run *run) {
    bench *b = &run->b;
    launch &given = run->given;
    memset(&given, 0, sizeof given);
    uint32_t *tmd = given.words;
    choose_space(run);
    tmd_random_good(b, run->config, &run->space, tmd);
    given.channel = bench_below(b, CHANNELS);
    given.tmd = word(b) & ~255u;
    given.region = run->space.region;
    given.local = run->space.local;
    given.parent = bench_chance(b, 1, 2) ? word(b) : 0;
    given.epoch = bench_chance(b, 1, 2) ? bench_below(b, 3) : word(b) & 0xFFFFFF;
    given.level = bench_chance(b, 7, 8) ? tmd_get(tmd, TMD_QMD_GROUP_ID, 0) : bench_below(b, 64);
    given.listed = bench_chance(b, 1, 3);
    given.freed = !given.listed && bench_chance(b, 1, 3);
    given.last = bench_chance(b, 1, 2);
    uint32_t state = given.listed ? 1 + bench_below(b, 2) : given.freed ? (bench_chance(b, 1, 2) ? 3 : 0) : 0;
    if (bench_chance(b, 1, 12)) state = bench_below(b, 4);
    uint32_t level = given.level, epoch = given.epoch;
    if (bench_chance(b, 1, 16)) level ^= 1u << bench_below(b, 6);
    if (bench_chance(b, 1, 16)) epoch ^= 1u << bench_below(b, 24);
    tmd_set(tmd, TMD_TANDEM_STATE, 0, epoch << 8 | level << 2 | state);
    tmd_set(tmd, TMD_SCHEDULER_NEXT_QMD_POINTER, 0, bench_chance(b, 1, 16) ? word(b) : word(b) & 0xFFFFFF);
    tmd_set(tmd, TMD_TANDEM_REGION, 0, run->space.region);
    tmd_set(tmd, TMD_TANDEM_LOCAL, 0, run->space.local);
    tmd_set(tmd, TMD_TANDEM_PARENT, 0, word(b));
    tmd_set(tmd, TMD_DEPENDENCE_COUNTER, 0, bench_chance(b, 1, 2) ? 0 : bench_mask(b, 32));
    if (bench_chance(b, 1, 4)) {  // one bank, or none
        tmd_set(tmd, TMD_CONSTANT_BUFFER_VALID, 0, 1u << bench_below(b, CONST_BANKS + 1) >> 1);
    }
    if (state >= 2) evicted(run, tmd);
    if (bench_chance(b, 1, 4)) tmd_spoil(b, run->config, &run->space, tmd);
    stretch(run, tmd);
    for (uint32_t count = bench_below(b, 3); count != 0; count--)
        disturb(run, tmd);
    if (bench_chance(b, 1, 12))
        given.region = bench_chance(b, 1, 2) ? word(b) : given.region ^ 1u << bench_below(b, 32);
    if (bench_chance(b, 1, 12)) given.local = bench_chance(b, 1, 2) ? 0 : given.local ^ 1u << bench_below(b, 32);
}

// ---- the unit
void compare_task(check_run *run) {
    const Vtmd_check &rtl = run->rtl;
    const launch &wanted = run->wanted;
    const bool whole = wanted.fault == ANSWER_GOOD;
    const uint32_t link = whole ? tmd_get(run->given.words, TMD_SCHEDULER_NEXT_QMD_POINTER, 0) & 0xFFFFFF : 0;
    const task_shown all[] = {
        {"group", rtl.group_o, wanted.checked.group, true},
        {"add_to_head", rtl.add_to_head_o, wanted.checked.add_to_head, true},
        {"link", rtl.link_o, link, true},
        {"resumed", rtl.resumed_o, wanted.resumed, true},
        {"waits", rtl.waits_o, wanted.checked.waits, true},
    };
    for (const task_shown &one : all)
        one.compare(&run->b, wanted.code == FAULT_NONE);
    task_compare(&run->b, rtl, wanted);
}

// A cycle; whether the verdict comes in it.
bool cycle(check_run *run) {
    bench *b = &run->b;
    Vtmd_check &rtl = run->rtl;
    if (rtl.begin_i) run->told = false;
    tick(rtl);
    rtl.begin_i = rtl.line_valid_i = 0;
    rtl.line_fault_i = static_cast<uint8_t>(bench_below(b, 3));
    for (uint32_t i = 0; i < 8; i++)
        rtl.line_i[i] = word(b);
    // What begin_i has taken, and the last line.
    rtl.channel_i = static_cast<uint8_t>(bench_below(b, CHANNELS));
    rtl.tmd_i = word(b);
    if (run->lines == TMD_LINES) {
        rtl.region_i = word(b);
        rtl.local_i = word(b);
        rtl.parent_i = word(b);
    }
    rtl.eval();
    if (rtl.done_o) {
        if (run->lines != TMD_LINES || run->told) bench_fail(b, "done_o");
        run->told = true;
    }
    const uint32_t info = rtl.info_tmd_o ? run->given.tmd : rtl.info_o;
    if (run->told && (rtl.code_o != run->code || (run->code != FAULT_NONE && info != run->info)))
        bench_fail(b, "code %u info 0x%08x, not %u 0x%08x", rtl.code_o, info, run->code, run->info);
    return rtl.done_o;
}

void begin(check_run *run) {
    Vtmd_check &rtl = run->rtl;
    const launch &given = run->given;
    rtl.begin_i = 1;
    rtl.space_size_i = run->space.size;
    rtl.channel_i = static_cast<uint8_t>(given.channel);
    rtl.tmd_i = given.tmd;
    rtl.region_i = given.region;
    rtl.local_i = given.local;
    rtl.parent_i = given.parent;
    rtl.listed_i = given.listed;
    rtl.freed_i = given.freed;
    rtl.last_i = given.last;
    rtl.epoch_i = given.epoch;
    rtl.level_i = static_cast<uint8_t>(given.level);
    run->lines = 0;
    cycle(run);
}

// The 8 lines. The first that memory has refused is what the model is told; of others the words are anything too.
void lines(check_run *run) {
    bench *b = &run->b;
    Vtmd_check &rtl = run->rtl;
    const bool refused = bench_chance(b, 1, 20);
    run->slow = bench_chance(b, 1, 4);
    for (uint32_t line = 0; line < TMD_LINES; line++) {
        while (bench_chance(b, 1, 3))
            cycle(run);
        for (uint32_t idle = run->slow && line == TMD_LINES - 1 ? LATENCY : 0; idle != 0; idle--)
            cycle(run);
        const uint32_t fault = refused && bench_chance(b, 1, 3) ? 1 + bench_below(b, 2) : uint32_t{ANSWER_GOOD};
        if (run->given.fault == ANSWER_GOOD) run->given.fault = fault;
        rtl.line_valid_i = 1;
        rtl.line_fault_i = static_cast<uint8_t>(fault);
        for (uint32_t i = 0; i < 8; i++)
            rtl.line_i[i] = run->given.words[8 * line + i];
        run->lines++;
        cycle(run);
    }
    run->wanted = run->given;
    run->wanted.code = word(b), run->wanted.info = word(b);  // of what was taken before
    tmd_check(run->config, run->space.size, &run->wanted);
    run->code = run->wanted.code, run->info = run->wanted.info;
}

// A good grid with one bank, or none, whose program has come to the last line and waited there: how many steps are left. Banks behind the valid
// one are passed over in one step (none is left behind the eighth).
void compare_time(check_run *run, uint32_t waited) {
    const uint32_t *tmd = run->given.words;
    const uint32_t valid = tmd_get(tmd, TMD_CONSTANT_BUFFER_VALID, 0);
    if (run->wanted.code != FAULT_NONE || tmd_get(tmd, TMD_CIRCULAR_QUEUE_SIZE, 0) != 0 || (valid & (valid - 1)) != 0)
        return;
    uint32_t steps = 18;
    if (tmd_get(tmd, TMD_LOCAL_MEMORY_LOW, 0) != 0) steps += 4;
    steps += 2 * tmd_get(tmd, TMD_SEMAPHORE_RELEASE_ENABLE0, 0) + 2 * tmd_get(tmd, TMD_SEMAPHORE_RELEASE_ENABLE1, 0);
    for (uint32_t i = 0; i < 2; i++)
        steps += 2 * tmd_get(tmd, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, i);
    for (uint32_t bank = 0; bank < 8; bank++)
        if (valid == 1u << bank) steps += bank + (bank == 7 ? 1 : 2);
    if (waited != steps) bench_fail(&run->b, "%u cycles from the last line, not %u", waited, steps);
    run->timed++;
}

void one_task(check_run *run) {
    bench *b = &run->b;
    choose(run);
    begin(run);
    lines(run);
    uint32_t waited = 1;
    while (!cycle(run))
        if (++waited > LATENCY) bench_fail(b, "no verdict in %u cycles", LATENCY);
    run->longest = waited > run->longest ? waited : run->longest;
    run->waited += waited;
    compare_task(run);
    if (run->slow) compare_time(run, waited);
    // All of it stands until the next one begins.
    for (uint32_t idle = bench_below(b, 3); idle != 0; idle--)
        cycle(run);
    compare_task(run);
    run->good += run->wanted.code == FAULT_NONE;
    run->resumed += run->wanted.code == FAULT_NONE && run->wanted.resumed;
    run->bad[run->wanted.code & 255]++;
}

// A reset in the middle of a task, at any step of it, or the beginning of the next one.
void end_anywhere(check_run *run) {
    bench *b = &run->b;
    choose(run);
    begin(run);
    if (bench_chance(b, 3, 4)) lines(run);
    for (uint32_t cycles = bench_below(b, LATENCY); cycles != 0; cycles--)
        cycle(run);
    if (bench_chance(b, 1, 2)) return;
    run->rtl.rst_i = 1;
    run->told = false;
    run->lines = 0;
    cycle(run);
    run->rtl.rst_i = 0;
    for (uint32_t cycles = bench_below(b, LATENCY); cycles != 0; cycles--)
        cycle(run);
}

}  // namespace

int main(int argc, char **argv) {
    static check_run *run;
    struct bench given;
    bench_begin(&given, argc, argv, 60000);
    registers_at_random(given.seed);
    run = new check_run();
    run->b = given;
    run->config = bench_config();
    run->rtl.begin_i = run->rtl.line_valid_i = 0;
    reset(run->rtl);
    while (bench_more(&run->b)) {
        one_task(run);
        if (bench_chance(&run->b, 1, 20)) end_anywhere(run);
    }
    printf("%" PRIu64 " good tasks, %" PRIu64 " of them go on; refused:", run->good, run->resumed);
    for (uint32_t code = 1; code < 256; code++)
        if (run->bad[code] != 0) printf(" %s %" PRIu64, fault_name(code), run->bad[code]);
    printf("; %.1f cycles from the last line, at most %u\n",
           static_cast<double>(run->waited) / static_cast<double>(run->b.ops), run->longest);
    if (run->b.ops >= 10000 && (run->good < run->b.ops / 10 || run->resumed == 0 || run->timed < run->b.ops / 100))
        bench_fail(&run->b, "the stream has missed something");
    const int status = bench_end(&run->b);
    delete run;
    return status;
}
