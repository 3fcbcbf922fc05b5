// subvector: warps that begin sequences in a few regions, branch, read and leave, with thresholds and settings that change: the
// order of each SVSTART and of what follows it, every event, every window of a region, RTL against the C twin. The cycles of a
// window, which the twin takes from the RTL, are counted by the bench. Compiled with -DWARPS= -DCHANNELS= -DL1_LINES=
// -DSV_REGIONS= as the unit was verilated.
#include <verilated.h>

#include "Vsubvector.h"
#define BENCH_SHOWS "SV-3 SV-20 SV-21"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "gen/isa.h"
#include "sm/subvector.h"
}

namespace {

struct world {
    struct bench bench;
    Vsubvector rtl;
    struct subvector model;
    uint64_t live;
    uint32_t valid;  // regions, before this cycle's instruction
    uint32_t cycles[SV_REGIONS];
    uint32_t miss[SV_REGIONS + 1][2];  // of 100, in each order, of a region's number
    uint32_t pace[2];                  // in each order: of 100 cycles, so many have a read
    bool was_late[SV_REGIONS];         // a trial had taken too long in the cycle before
    uint32_t replaced_late;            // a region whose trial had taken too long when it was replaced in this cycle
    uint32_t rare;                     // 1 of so many sequences begins anywhere
    uint32_t few;                      // .. the others in so many regions
    bool drifts;                       // orders become slower and quicker
    bool fresh;                        // a region was new in the cycle before
    uint64_t windows, trials, stayed, late, second, looked,
        unjudged;  // unjudged: a warp came into the region meanwhile
};

const uint32_t CYCLES_MOST = 0xFFFFF;

bool present(const world &w, uint32_t region) {
    for (uint32_t k = 0; k < WARPS; k++)
        if (w.model.warp[k].inside && w.model.warp[k].region == region) return true;
    return false;
}

bool strange(const world &w, uint32_t region) {
    for (uint32_t k = 0; k < WARPS; k++) {
        const struct subvector_warp &warp = w.model.warp[k];
        if (warp.inside && warp.region == region && warp.second != w.model.regions[region].second) return true;
    }
    return false;
}

// A trial that has taken as many cycles as the order before.
bool is_late(const struct subvector_region &region, uint32_t cycles) {
    return region.trial && cycles >= (region.steady ? region.cost : region.cost / 2);
}

// The first one is all zeros, as a region is that nobody has made; odd ones are far away.
uint32_t address_of(uint32_t place) {
    return 8 * place + (place % 2 != 0 ? 0xA5A5A000 : 0);
}

// An SVSTART or a branch of a warp, or nothing.
void instruction(world &w) {
    Vsubvector &u = w.rtl;
    struct bench *b = &w.bench;
    const uint32_t warp = bench_below(b, WARPS), place = bench_below(b, SV_REGIONS + 2);
    const bool inside = w.model.warp[warp].inside, alive = (w.live >> warp & 1) != 0;
    const uint32_t dice = bench_below(b, 100);
    u.warp_i = static_cast<uint8_t>(warp);
    u.start_i = alive && !inside && dice < 20;
    u.start_go_i = u.start_i && dice < 16;
    u.turn_go_i = alive && !u.start_i && dice < 60;
    u.split_i = bench_chance(b, 1, 6);
    struct subvector_request request = {};
    request.warp = warp;
    request.channel = place % 2 % CHANNELS;
    // More regions than there is room for, or so few that they stay.
    request.address = address_of(bench_chance(b, 1, w.rare) ? place : place % w.few);
    request.mod = bench_chance(b, 9, 10) ? SV_AUTO : SV_ALWAYS;
    request.setting = u.setting_i;
    request.threshold = u.threshold_i;
    request.shares = bench_chance(b, 1, 16);
    u.channel_i = static_cast<uint8_t>(request.channel);
    u.address_i = request.address;
    u.mod_i = static_cast<uint8_t>(request.mod);
    u.shares_i = request.shares;
    // What is looked at now and then is another: then, and when a region is new, the answer takes a cycle.
    const bool same = bench_chance(b, 1, 2);
    if (!same) {
        u.look_channel_i = static_cast<uint8_t>(bench_below(b, CHANNELS < 2 ? 1 : 2));
        u.look_base_i = address_of(bench_below(b, SV_REGIONS)) ^ (bench_chance(b, 1, 4) ? 0x80000000u : 0);
        u.look_size_i = 8 * bench_below(b, SV_REGIONS) + (bench_chance(b, 1, 4) ? 0x80000000u : 0);
    }
    u.eval();
    const bool first =
        subvector_looks_first(&w.model, u.setting_i, u.threshold_i, u.look_channel_i, u.look_base_i, u.look_size_i);
    if (u.look_known_o == w.fresh) bench_fail(b, "known %u, and a region is new: %u", u.look_known_o, w.fresh);
    if (same && u.look_known_o && u.look_first_o != first)
        bench_fail(b, "a region in the first order: %u, model %u", u.look_first_o, first);
    w.looked += same && u.look_known_o && first;
    w.fresh = false;
    if (u.trace_sv_mode_valid_o != u.start_go_i) bench_fail(b, "event SV_MODE %u", u.trace_sv_mode_valid_o);
    if (!u.start_i) {
        const struct subvector_warp before = w.model.warp[warp];
        const uint32_t region = inside ? 4 | before.region : 0;
        if ((u.region_o & (inside ? 7u : 4u)) != region)
            bench_fail(b, "warp %u: region %u, not %u", warp, u.region_o, region);
        if (u.turn_go_i) subvector_turn(&w.model, warp, u.split_i);
        const struct subvector_answer order = subvector_order(&w.model, warp);
        if (u.watch_o != order.watch || (order.watch && u.second_o != order.second))
            bench_fail(b, "warp %u: watched %u second %u, model %u %u", warp, u.watch_o, u.second_o, order.watch,
                       order.second);
        return;
    }
    if (!u.start_go_i) return;
    const bool watch = u.watch_o, second = u.second_o;
    uint64_t known = 0;
    for (uint32_t r = 0; r < SV_REGIONS; r++)
        known |= static_cast<uint64_t>(w.model.regions[r].valid && w.model.regions[r].address == request.address &&
                                       w.model.regions[r].channel == request.channel)
                 << r;
    bool late[SV_REGIONS];
    for (uint32_t r = 0; r < SV_REGIONS; r++)
        late[r] = w.was_late[r];
    const struct subvector_answer order = subvector_start(&w.model, &request);
    if (watch != order.watch || second != order.second || u.trace_sv_mode_second_o != order.second ||
        u.trace_sv_mode_region_o != order.region || u.trace_sv_mode_warp_o != warp)
        bench_fail(b, "SVSTART of warp %u: watched %u second %u region %u, model %u %u %u", warp, watch, second,
                   u.trace_sv_mode_region_o, order.watch, order.second, order.region);
    w.second += order.second;
    if (order.region != SUBVECTOR_NONE && known == 0) {
        w.fresh = true;
        w.replaced_late = late[order.region] ? order.region : SUBVECTOR_NONE;
        w.cycles[order.region] = UINT32_MAX;  // a new region: it begins with 0
    }
}

// A read of a load that a warp has issued in its region, perhaps some time ago.
void read(world &w) {
    Vsubvector &u = w.rtl;
    uint32_t region = bench_below(&w.bench, SV_REGIONS);
    for (uint32_t i = 0; i < SV_REGIONS && (w.valid >> region & 1) == 0; i++)
        region = (region + 1) % SV_REGIONS;
    const bool second = w.model.regions[region].second;
    u.read_offered_i = (w.valid >> region & 1) != 0 && bench_below(&w.bench, 100) < w.pace[second];
    u.read_i = u.read_offered_i && bench_chance(&w.bench, 3, 4);
    u.read_region_i = static_cast<uint8_t>(region);
    u.read_hit_i = bench_below(&w.bench, 100) >= w.miss[region][second];
    if (!u.read_i) return;
    if (!subvector_read(&w.model, region))
        bench_fail(&w.bench, "region %u: a window has ended, and no event SV_WINDOW came", region);
    if (u.read_hit_i) subvector_hit(&w.model);
}

void window(world &w) {
    Vsubvector &u = w.rtl;
    struct bench *b = &w.bench;
    const bool counted = u.read_i && !strange(w, u.read_region_i);
    bool due = counted && w.model.regions[u.read_region_i].reads == w.model.window;
    // A region that is late goes behind one of which a read is offered; if it has just been replaced, the others wait a cycle.
    uint32_t cycles[SV_REGIONS];
    bool looked = u.read_offered_i;
    for (uint32_t r = 0; r < SV_REGIONS; r++) {
        cycles[r] = w.cycles[r] == UINT32_MAX ? 0 : w.cycles[r];
        const bool late = w.was_late[r] && w.cycles[r] != UINT32_MAX;
        w.was_late[r] = is_late(w.model.regions[r], cycles[r]);
        if (late && (u.read_offered_i ? r == u.read_region_i : !looked)) due = true;
        if (late || r == w.replaced_late) looked = true;
        if (w.cycles[r] == UINT32_MAX)
            w.cycles[r] = 0;
        else
            w.cycles[r] += present(w, r) && !strange(w, r) && w.cycles[r] != CYCLES_MOST;
    }
    // One that has not ended does not end for the twin either.
    const uint32_t other = bench_below(b, SV_REGIONS);
    if (!due && bench_chance(b, 1, 16) && !is_late(w.model.regions[other], cycles[other]) &&
        w.model.regions[other].reads != w.model.window) {
        struct subvector copy = w.model;
        struct subvector_window none;
        if (subvector_window(&copy, other, cycles[other], u.threshold_i, &none))
            bench_fail(b, "region %u: the model's window ends", other);
    }
    if (u.trace_sv_window_valid_o != due)
        bench_fail(b, "event SV_WINDOW %u, it must be %u", u.trace_sv_window_valid_o, due);
    if (!due) return;
    const uint32_t r = u.trace_sv_window_region_o;
    if (r >= SV_REGIONS) bench_fail(b, "SV_WINDOW of region %u", r);
    w.was_late[r] = false;
    const struct subvector_region before = w.model.regions[r];
    struct subvector_window model;
    if (u.trace_sv_window_cycles_o != cycles[r])
        bench_fail(b, "region %u: %u cycles, not %u", r, u.trace_sv_window_cycles_o, cycles[r]);
    if (!subvector_window(&w.model, r, cycles[r], u.threshold_i, &model))
        bench_fail(b, "region %u: its window has not ended", r);
    if (u.trace_sv_window_reads_o != model.reads || u.trace_sv_window_misses_o != model.misses ||
        u.trace_sv_window_second_o != model.second || u.trace_sv_window_trial_o != model.trial)
        bench_fail(b, "region %u: %u reads %u misses, then second %u trial %u, model %u %u %u %u", r,
                   u.trace_sv_window_reads_o, u.trace_sv_window_misses_o, u.trace_sv_window_second_o,
                   u.trace_sv_window_trial_o, model.reads, model.misses, model.second, model.trial);
    w.cycles[r] = 0;
    w.windows++;
    w.trials += model.trial && !before.trial;
    w.stayed += before.trial && before.steady && model.second == before.second;
    w.unjudged += before.trial && before.steady && before.begun && model.second != before.second;
    w.late += before.trial && model.reads != w.model.window;
}

// As it is behind a reset, which may come at any time.
void renew(world &w) {
    w.rtl.live_i = 0;
    w.rtl.start_i = w.rtl.start_go_i = w.rtl.turn_go_i = w.rtl.leave_i = 0;
    w.rtl.read_offered_i = w.rtl.read_i = 0;
    reset(w.rtl);
    subvector_init(&w.model, WARPS, L1_LINES, SV_REGIONS);
    w.live = 0;
    w.fresh = false;
    for (uint32_t r = 0; r < SV_REGIONS; r++) {
        w.cycles[r] = 0;
        w.was_late[r] = false;
    }
}

void step(world &w) {
    Vsubvector &u = w.rtl;
    struct bench *b = &w.bench;
    if (bench_chance(b, 1, 2000)) {
        u.threshold_i = bench_chance(b, 1, 10)   ? 0
                        : bench_chance(b, 1, 10) ? (bench_chance(b, 1, 2) ? 0x10000 + bench_below(b, 2) : 0x1FFFF)
                                                 : bench_below(b, 0x10001);
        u.setting_i = bench_chance(b, 4, 5) ? 0 : static_cast<uint8_t>(bench_below(b, 4));
    }
    if (bench_chance(b, 1, 100000)) renew(w);
    // For long enough that an order is tried several times.
    if (bench_chance(b, 1, 40000)) {
        w.rare = bench_chance(b, 1, 2) ? 8 : 1u << 20;
        w.few = 1 + bench_below(b, SV_REGIONS);
        w.drifts = bench_chance(b, 1, 2);
    }
    if (w.drifts && bench_chance(b, 1, 1000)) {  // an order becomes a little slower or quicker
        uint32_t &pace = w.pace[bench_below(b, 2)];
        pace = (pace + 1) * (70 + bench_below(b, 60)) / 100;
    }
    if (bench_chance(b, 1,
                     w.rare == 8
                         ? 8000
                         : 60000)) {  // for several windows, so that a trial finds an order that really is quicker
        for (uint32_t &pace : w.pace)
            pace = bench_below(b, 100);
        for (auto &region : w.miss)
            for (uint32_t &rate : region)
                rate = bench_below(b, 101);
    }
    set_bits(u.live_i, 0, WARPS, w.live);
    u.start_i = u.start_go_i = u.turn_go_i = 0;
    w.replaced_late = SUBVECTOR_NONE;
    u.read_offered_i = u.read_i = 0;
    w.valid = 0;
    for (uint32_t r = 0; r < SV_REGIONS; r++)
        w.valid |= static_cast<uint32_t>(w.model.regions[r].valid) << r;
    instruction(w);
    read(w);
    u.eval();
    window(w);
    u.leave_warp_i = static_cast<uint8_t>(bench_below(b, WARPS));
    u.leave_i = bench_chance(b, 1, 20) && !(u.start_go_i && u.leave_warp_i == u.warp_i);
    if (u.leave_i) subvector_leave(&w.model, u.leave_warp_i);
    const uint32_t other = bench_below(b, WARPS);
    if (bench_chance(b, 1, 60) && !(u.start_go_i && other == u.warp_i)) {  // it ends, or starts
        w.live ^= UINT64_C(1) << other;
        if ((w.live >> other & 1) == 0) subvector_leave(&w.model, other);
    }
    tick(u);
}

// A cycle without an instruction; a read of region 0, or none.
void only_reads(world &w, bool reads, bool hit) {
    Vsubvector &u = w.rtl;
    u.read_offered_i = u.read_i = reads;
    u.read_region_i = 0;
    u.read_hit_i = hit;
    if (reads && !subvector_read(&w.model, 0)) bench_fail(&w.bench, "a window has ended, and no event SV_WINDOW came");
    if (reads && hit) subvector_hit(&w.model);
    u.eval();
    window(w);
    tick(u);
    u.start_i = u.start_go_i = u.turn_go_i = 0;
}

// A window of region 0 whose last read stands in the cycle of this number, or later if it is too short for all.
void whole_window(world &w, uint32_t cycles, bool hit) {
    const uint64_t before = w.windows;
    for (uint32_t i = w.cycles[0]; i + w.model.window - 1 < cycles && w.windows == before; i++)
        only_reads(w, false, false);
    for (uint32_t i = 0; i < w.model.window && w.windows == before; i++)
        only_reads(w, true, hit);
    if (w.windows != before + 1) bench_fail(&w.bench, "a window of %u cycles does not end", cycles);
}

// A warp comes to a region, which is region 0 or a new one.
void come(world &w, uint32_t warp, uint32_t address, bool fresh) {
    Vsubvector &u = w.rtl;
    struct subvector_request request = {};
    request.warp = warp;
    request.address = address;
    request.mod = SV_AUTO;
    request.threshold = u.threshold_i;
    u.start_i = u.start_go_i = 1;
    u.warp_i = static_cast<uint8_t>(warp);
    u.channel_i = u.shares_i = 0;
    u.address_i = address;
    u.mod_i = SV_AUTO;
    const struct subvector_answer order = subvector_start(&w.model, &request);
    if (fresh) w.cycles[order.region] = UINT32_MAX;
    w.replaced_late = SUBVECTOR_NONE;
    only_reads(w, false, false);
}

// Warp 0 alone, in a new region whose first window is over.
void begin_alone(world &w) {
    renew(w);
    w.rtl.setting_i = 0;
    w.rtl.threshold_i = 0x8000;
    w.live = 3;
    set_bits(w.rtl.live_i, 0, WARPS, w.live);
    come(w, 0, 0, true);
    whole_window(w, 0, true);
}

// The region has changed its order, and the first window of that is over.
void begin_order(world &w) {
    w.rtl.turn_go_i = 1;
    w.rtl.warp_i = w.rtl.split_i = 0;
    subvector_turn(&w.model, 0, false);
    only_reads(w, false, false);
    whole_window(w, 0, false);
}

// Windows that are all alike, and a second order that is never quicker: how long it takes until it is tried again.
void waits(world &w) {
    begin_alone(w);
    whole_window(w, 0, false);
    for (uint32_t trial = 0; trial < 4; trial++) {
        begin_order(w);
        whole_window(w, UINT32_MAX, false);
        if (w.model.regions[0].second) bench_fail(&w.bench, "a trial stays that has taken too long");
        begin_order(w);
        uint32_t windows = 0;
        while (!w.model.regions[0].trial) {
            whole_window(w, 0, false);
            if (++windows > 400) bench_fail(&w.bench, "no trial comes any more");
        }
    }
}

// Windows whose cycles, or the mean of them, have the top bit, or more than there is room for: they are compared as a whole.
void long_windows(world &w) {
    const uint32_t top = CYCLES_MOST / 2 + 1;
    begin_alone(w);
    whole_window(w, CYCLES_MOST + 100, true);
    begin_alone(w);
    whole_window(w, top, true);
    whole_window(w, 0, false);
    begin_order(w);
    whole_window(w, 0, false);
    begin_alone(w);
    whole_window(w, top + 3, false);
    begin_order(w);
    whole_window(w, 0, false);
    begin_alone(w);
    whole_window(w, top + 3, false);
    begin_order(w);
    whole_window(w, UINT32_MAX, false);
}

// The second order is tried after a window of so many cycles, and takes fewer, or as many.
void try_second(world &w, uint32_t cycles, bool quicker) {
    begin_alone(w);
    whole_window(w, cycles, false);
    begin_order(w);
    whole_window(w, quicker ? cycles * 3 / 4 : UINT32_MAX, false);
    if (w.model.regions[0].trial || w.model.regions[0].second != quicker)
        bench_fail(&w.bench, "a trial has not ended as it must");
    if (!quicker) begin_order(w);
}

// Two dear windows make the next trial at once, which is over when it has taken as long as the mean says.
void doubted(world &w, uint32_t cycles, bool quicker) {
    for (uint32_t more = 0; more < 4; more++) {
        try_second(w, cycles, quicker);
        whole_window(w, cycles * 5 / 4 + more, false);
        whole_window(w, cycles * 5 / 4 + more, false);
        if (!w.model.regions[0].trial) bench_fail(&w.bench, "two dear windows, and no trial");
        begin_order(w);
        whole_window(w, UINT32_MAX, false);
    }
}

// A window in which another region begins, or none, while no warp is in its own: as dear as any.
void left_alone(world &w, uint32_t cycles, bool other) {
    try_second(w, cycles, true);
    whole_window(w, cycles * 5 / 4, false);
    for (uint32_t i = 0; i < cycles * 5 / 4; i++)
        only_reads(w, false, false);
    w.rtl.leave_i = 1;
    w.rtl.leave_warp_i = 0;
    only_reads(w, false, false);
    subvector_leave(&w.model, 0);
    w.rtl.leave_i = 0;
    if (other) come(w, 1, address_of(2), true);
    whole_window(w, 0, false);
    if (!w.model.regions[0].trial) bench_fail(&w.bench, "a dear window without a warp, and no trial");
}

// A reset as a trial has taken, or almost, as long as the order before: nothing is left of it.
void reset_in_trial(world &w, uint32_t cycles) {
    for (uint32_t less = 0; less < 4; less++) {
        begin_alone(w);
        whole_window(w, cycles, false);
        begin_order(w);
        while (w.cycles[0] < w.model.regions[0].cost - less)
            only_reads(w, false, false);
        renew(w);
        for (uint32_t i = 0; i < 4; i++)
            only_reads(w, false, false);
    }
}

}  // namespace

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 4000000);
    registers_at_random(bench.seed);
    static world w;
    w.bench = bench;
    w.rtl.threshold_i = 0x2000;
    w.rare = 8;
    w.few = SV_REGIONS;
    w.pace[0] = w.pace[1] = 60;
    renew(w);
    while (bench_more(&w.bench))
        step(w);
    waits(w);
    const uint32_t cycles = 4 * w.model.window;
    doubted(w, cycles, true);
    doubted(w, cycles, false);
    left_alone(w, cycles, false);
    left_alone(w, cycles, true);
    reset_in_trial(w, cycles);
    if (w.bench.ops >= 1000000) long_windows(w);
    w.rtl.final();
    printf("%lu windows, %lu trials: %lu stayed, %lu windows took too long; %lu sequences in the second order\n",
           static_cast<unsigned long>(w.windows), static_cast<unsigned long>(w.trials),
           static_cast<unsigned long>(w.stayed), static_cast<unsigned long>(w.late),
           static_cast<unsigned long>(w.second));
    if (w.bench.ops >= 4000000 && (w.windows == 0 || w.stayed == 0 || w.late == 0 || w.trials <= w.stayed ||
                                   w.second == 0 || w.looked == 0 || w.unjudged == 0))
        bench_fail(&w.bench, "something has never happened");
    return bench_end(&w.bench);
}
