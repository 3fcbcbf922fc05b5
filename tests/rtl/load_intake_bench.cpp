// load_intake: random loads, stores and atomics in all spaces, with addresses at and beyond every bound, that are begun, come in portion by
// portion, are taken and end whenever the others please; every output in every cycle against the rules that its head states, which here are
// said again thread by thread. The C twin's rules of addresses are in load_store.c.
// Compiled with -DTHREADS= -DLANES= -DWARPS= -DCHANNELS= -DLSU_INTAKE= as the unit was verilated.
#include <verilated.h>

#include <deque>

#include "Vload_intake.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

#include "gen/bundles.h"
#include "gen/isa.h"
#include "gen/registers.h"

static const uint32_t P = THREADS / LANES, REF_W = 8;  // as the unit has it that is verilated alone
static const uint32_t WARP_W = WARPS > 1 ? index_bits(WARPS) : 1, THREAD_W = index_bits(THREADS);
static const uint32_t ALL_LANES = LANES == 32 ? UINT32_MAX : (1u << LANES) - 1;

struct portion {
    bool in;                                    // something of it is to be served
    uint32_t own, addr[LANES], data[5][LANES];  // data[4]: operands of an atomic
};
struct access {
    uint32_t warp, pc, mod, rd, reg_d, channel, bank_addr, bank_size, local_base, local_bytes, shared_bytes, region;
    bool store, atomic, generic, constant, bank_valid, local;
    uint64_t exec;
    uint32_t slot;  // where the unit has it
    uint64_t born;  // cycle of its start
    // what has come in
    bool bad;
    uint32_t code, info;
    struct portion portions[P];
};

struct run {
    struct bench bench;
    Vload_intake rtl;
    uint64_t cycle;
    std::deque<struct access> all;  // the oldest first: served, in, begun
    uint32_t served, in;            // how many of them
    uint32_t starts;
    bool waits[LSU_INTAKE];
    // the stream of portions of the one that comes in
    uint64_t stream_of;
    uint32_t pass, portion;
    // the portion that is being served
    bool busy, busy_last, shows, taken_atomic;
    struct portion taken;
    uint32_t taken_words, group;  // whose words stand
    uint64_t taken_count, faults[256], skipped, full, generic_own, waited;
};

static uint32_t size_of(const struct access &a) {
    const uint32_t size = a.atomic ? (uint32_t)SIZE_32 : a.mod;
    return size == SIZE_128 ? 16 : size == SIZE_64 ? 8 : size == SIZE_32 ? 4 : size >= SIZE_U16 ? 2 : 1;
}

static uint32_t words_of(const struct access &a) {
    return a.store ? (size_of(a) + 3) / 4 : 1;
}

static uint32_t limit_of(struct bench *bench, uint32_t bits) {
    return (uint32_t)bench_random(bench) & ((1u << (4 + bench_below(bench, bits - 3))) - 1);
}

static struct access choose_access(struct run *run) {
    struct bench *bench = &run->bench;
    struct access a = {};
    a.warp = bench_below(bench, WARPS);
    a.pc = bench_below(bench, 1u << 22);
    a.rd = bench_below(bench, 256);
    a.reg_d = bench_below(bench, 1u << REF_W);
    a.channel = bench_below(bench, CHANNELS);
    a.bank_valid = bench_chance(bench, 7, 8);
    a.bank_addr = (uint32_t)bench_random(bench) & (bench_chance(bench, 3, 4) ? ~15u : UINT32_MAX);
    a.bank_size = bench_chance(bench, 1, 6) ? 1u << 16 : limit_of(bench, 16);
    a.local_base = (uint32_t)bench_random(bench) & ~31u;
    a.local_bytes = limit_of(bench, 24) & ~15u;
    a.shared_bytes = bench_chance(bench, 1, 6) ? 1u << 17 : limit_of(bench, 17);
    a.region = bench_below(bench, 8);
    switch (bench_below(bench, 4)) {
        case 0: a.constant = true; break;
        case 1: a.local = true; break;
        case 2: a.generic = true; break;
        default: break;
    }
    a.atomic = !a.constant && !a.local && bench_chance(bench, 1, 4);
    a.store = !a.constant && !a.atomic && bench_chance(bench, 1, 2);
    a.mod = a.atomic ? bench_below(bench, 16) : bench_below(bench, 7);
    a.exec = bench_mask(bench, THREADS);
    if (a.exec == 0) a.exec = UINT64_C(1) << bench_below(bench, THREADS);
    a.slot = run->starts % LSU_INTAKE;
    a.born = run->cycle;
    return a;
}

// A thread's address: mostly good addresses, and those beside the bounds.
static uint32_t choose_address(struct run *run, const struct access &a) {
    struct bench *bench = &run->bench;
    const uint32_t size = size_of(a);
    uint32_t limit = 0, window = 0;
    if (a.constant) limit = a.bank_size;
    if (a.local) limit = a.local_bytes;
    if (a.generic) {
        window = bench_chance(bench, 1, 3) ? WINDOW_SHARED : bench_chance(bench, 1, 2) ? WINDOW_LOCAL : 0;
        limit = window == WINDOW_SHARED ? a.shared_bytes : a.local_bytes;
    }
    uint32_t to = (uint32_t)bench_random(bench);
    if (limit != 0) to %= limit;
    if (limit != 0 && bench_chance(bench, 1, 40)) to = limit - size + bench_below(bench, 3) - 1;
    if (bench_chance(bench, 1, 60)) to = 0 - bench_below(bench, 20);
    if (!bench_chance(bench, 1, 60)) to &= ~(size - 1);
    if (limit > size && to > limit - size && !bench_chance(bench, 1, 20)) to = 0;
    if ((a.constant || a.local) && bench_chance(bench, 1, 60)) to |= 1u << (17 + bench_below(bench, 15));
    if (window != 0) to = window << 24 | (to & 0xFFFFFF);
    if (a.generic && window == 0 && bench_chance(bench, 1, 8)) to = bench_below(bench, 256) << 24;
    return to;
}

// A thread's access: whose it is, where it goes, and what is wrong with it.
struct checked {
    bool shared, bad;
    uint32_t addr, code, info;
};
static struct checked check(const struct run *run, const struct access &a, uint32_t thread, uint32_t sum) {
    const uint32_t size = size_of(a), window = sum >> 24;
    const bool windowed = a.generic && (window == WINDOW_SHARED || window == WINDOW_LOCAL);
    struct checked c = {};
    c.shared = a.generic && window == WINDOW_SHARED;
    const bool local = a.local || (windowed && !c.shared);
    const uint32_t reach = windowed ? sum & 0xFFFFFF : sum, address = sum + (a.constant ? a.bank_addr : 0);
    c.addr = address;
    if (local) {  // word i of all threads side by side
        const uint32_t place = (run->rtl.sm_index_i * WARPS + a.warp) * a.local_bytes << THREAD_W;
        c.addr = a.local_base + place + (reach / 4 * THREADS + thread) * 4 + reach % 4;
    }
    const uint64_t end = (uint64_t)reach + size;
    if (a.constant && !a.bank_valid) {
        c.code = FAULT_CONSTANT_BOUNDS;
    } else if (address % size != 0) {
        c.code = FAULT_MEMORY_ALIGNMENT;
    } else if (a.constant && end > a.bank_size) {
        c.code = FAULT_CONSTANT_BOUNDS;
    } else if (local && end > a.local_bytes) {
        c.code = FAULT_LOCAL_BOUNDS;
    } else if (c.shared && end > a.shared_bytes) {
        c.code = FAULT_SHARED_BOUNDS;
    }
    c.bad = c.code != 0;
    c.info = c.code == FAULT_MEMORY_ALIGNMENT ? address : sum;
    return c;
}

static uint32_t lanes_of(const struct access &a, uint32_t portion) {
    return (uint32_t)(a.exec >> portion * LANES) & ALL_LANES;
}

static uint32_t portion_behind(const struct access &a, uint32_t portion) {
    while (portion < P && lanes_of(a, portion) == 0)
        portion++;
    return portion;
}

// ---- inputs ----
static void drive_start(struct run *run, struct access *a) {
    struct bench *bench = &run->bench;
    Vload_intake &rtl = run->rtl;
    rtl.start_i = run->all.size() < LSU_INTAKE && bench_chance(bench, 1, 2);
    *a = choose_access(run);
    rtl.access_warp_i = (uint8_t)a->warp;
    rtl.access_pc_i = a->pc;
    rtl.access_exec_i = a->exec;
    rtl.access_store_i = a->store;
    rtl.access_atomic_i = a->atomic;
    rtl.access_generic_i = a->generic;
    rtl.access_mod_i = (uint8_t)a->mod;
    rtl.access_rd_i = (uint8_t)a->rd;
    rtl.access_reg_d_i = (uint8_t)a->reg_d;
    rtl.access_channel_i = (uint8_t)a->channel;
    rtl.access_constant_i = a->constant;
    rtl.access_bank_valid_i = a->bank_valid;
    rtl.access_bank_addr_i = a->bank_addr;
    rtl.access_bank_size_i = a->bank_size;
    rtl.access_local_i = a->local;
    rtl.access_local_base_i = a->local_base;
    rtl.access_local_bytes_i = a->local_bytes;
    rtl.shared_bytes_i = a->shared_bytes;
    rtl.region_i = (uint8_t)a->region;
}

static void drive_portion(struct run *run) {
    struct bench *bench = &run->bench;
    Vload_intake &rtl = run->rtl;
    const bool comes = run->in < run->all.size() && run->all[run->in].born + 2 <= run->cycle;
    if (comes && run->stream_of != run->all[run->in].born) {
        run->stream_of = run->all[run->in].born;
        run->pass = 0;
        run->portion = portion_behind(run->all[run->in], 0);
    }
    rtl.in_valid_i = comes && bench_chance(bench, 3, 4);
    rtl.in_pass_i = (uint8_t)bench_below(bench, 8);
    rtl.in_portion_i = (uint8_t)bench_below(bench, P);
    rtl.in_last_i = bench_chance(bench, 1, 2);
    rtl.in_lanes_i = bench_below(bench, 2) != 0 ? ALL_LANES : (uint32_t)bench_random(bench) & ALL_LANES;
    for (uint32_t l = 0; l < LANES; l++) {
        set_bits(rtl.in_a_i, l * 32, 32, bench_random(bench));
        set_bits(rtl.in_b_i, l * 32, 32, bench_random(bench));
        set_bits(rtl.in_c_i, l * 32, 32, bench_random(bench));
    }
    if (!rtl.in_valid_i) return;
    const struct access &a = run->all[run->in];
    rtl.in_pass_i = (uint8_t)run->pass;
    rtl.in_portion_i = (uint8_t)run->portion;
    rtl.in_lanes_i = lanes_of(a, run->portion);
    rtl.in_last_i = portion_behind(a, run->portion + 1) == P && run->pass + 1 == words_of(a);
    const uint32_t alike = choose_address(run, a);
    const bool same = bench_chance(bench, 1, 4);
    for (uint32_t l = 0; run->pass == 0 && l < LANES; l++)
        set_bits(rtl.in_a_i, l * 32, 32, same ? alike : choose_address(run, a));
}

// ---- what it says ----
static void compare_next(struct run *run, const struct access *first, uint32_t portion) {
    struct bench *bench = &run->bench;
    const Vload_intake &rtl = run->rtl;
    const bool valid = portion < P && !first->bad;
    if (rtl.next_valid_o != valid) bench_fail(bench, "next_valid_o is %u", rtl.next_valid_o);
    if (!valid) return;
    bool last = true;
    for (uint32_t p = portion + 1; p < P; p++)
        last = last && !first->portions[p].in;
    if (rtl.next_last_o != last || rtl.next_portion_o != portion || rtl.next_lanes_o != first->portions[portion].own ||
        rtl.next_channel_o != first->channel || rtl.next_region_o != (first->constant ? 0 : first->region))
        bench_fail(bench, "portion %u lanes %x last %u channel %u region %u, not %u %x %u %u %u", rtl.next_portion_o,
                   rtl.next_lanes_o, rtl.next_last_o, rtl.next_channel_o, rtl.next_region_o, portion,
                   first->portions[portion].own, last, first->channel, first->constant ? 0 : first->region);
    const struct {
        uint32_t bits, value;
    } parts[] = {{REF_W, first->reg_d}, {8, first->rd},  {4, first->mod},      {1, first->atomic},
                 {1, first->store},     {22, first->pc}, {WARP_W, first->warp}};
    uint32_t at = 0;
    for (const auto &part : parts) {
        const uint32_t value = (uint32_t)get_bits(rtl.next_access_o, at, part.bits);
        if (value != part.value) bench_fail(bench, "bit %u of the access: %x, not %x", at, value, part.value);
        at += part.bits;
    }
}

static void compare_fault(struct run *run, const struct access *first, bool tells) {
    struct bench *bench = &run->bench;
    const Vload_intake &rtl = run->rtl;
    if (rtl.fault_valid_o != tells) bench_fail(bench, "fault %u, not %u", rtl.fault_valid_o, tells);
    if (tells && (rtl.fault_code_o != first->code || rtl.fault_info_o != first->info ||
                  rtl.fault_warp_o != first->warp || rtl.fault_pc_o != first->pc))
        bench_fail(bench, "fault %u %08x of warp %u pc %x, not %u %08x %u %x", rtl.fault_code_o, rtl.fault_info_o,
                   rtl.fault_warp_o, rtl.fault_pc_o, first->code, first->info, first->warp, first->pc);
}

static void compare_taken(struct run *run) {
    if (!run->shows) return;
    const Vload_intake &rtl = run->rtl;
    const struct portion &t = run->taken;
    for (uint32_t l = 0; l < LANES; l++) {
        if ((t.own >> l & 1) == 0) continue;
        const uint32_t addr = (uint32_t)get_bits(rtl.addr_o, l * 32, 32);
        if (addr != t.addr[l]) bench_fail(&run->bench, "lane %u: address %08x, not %08x", l, addr, t.addr[l]);
        if (l / STORE_LANES != run->group) continue;
        const uint32_t at = l % STORE_LANES * 32;
        const uint32_t data[5] = {(uint32_t)get_bits(rtl.data0_o, at, 32), (uint32_t)get_bits(rtl.data1_o, at, 32),
                                  (uint32_t)get_bits(rtl.data2_o, at, 32), (uint32_t)get_bits(rtl.data3_o, at, 32),
                                  (uint32_t)get_bits(rtl.operand_o, at, 32)};
        if (run->taken_atomic && data[4] != t.data[4][l])
            bench_fail(&run->bench, "lane %u: operand %08x, not %08x", l, data[4], t.data[4][l]);
        for (uint32_t w = 0; w < run->taken_words; w++) {
            if (data[w] != t.data[w][l])
                bench_fail(&run->bench, "lane %u: word %u %08x, not %08x", l, w, data[w], t.data[w][l]);
        }
    }
}

// A portion that comes in now: what becomes of its access, whether it is bad.
static bool take_in(struct run *run, struct access *a) {
    Vload_intake &rtl = run->rtl;
    struct portion &portion = a->portions[run->portion];
    bool bad = false;
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t b = (uint32_t)get_bits(rtl.in_b_i, l * 32, 32), c = (uint32_t)get_bits(rtl.in_c_i, l * 32, 32);
        if (run->pass == 0 && (rtl.in_lanes_i >> l & 1) != 0) {
            const struct checked t =
                check(run, *a, run->portion * LANES + l, (uint32_t)get_bits(rtl.in_a_i, l * 32, 32));
            portion.addr[l] = t.addr;
            if (!t.shared) portion.own |= 1u << l;
            if (t.bad && !bad && !a->bad) {
                a->code = t.code;
                a->info = t.info;
            }
            bad = bad || t.bad;
        }
        if (run->pass == 0) portion.data[4][l] = b;
        portion.data[run->pass][l] = c;
    }
    if (run->pass == 0) portion.in = portion.own != 0;
    return bad;
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vload_intake &rtl = run->rtl;
    struct access next;
    rtl.rst_i = bench_chance(bench, 1, 3000);
    drive_start(run, &next);
    drive_portion(run);
    rtl.fault_taken_i = bench_chance(bench, 1, 3);
    rtl.shared_done_i = bench_chance(bench, 1, 6);

    // Who is served next.
    const struct access *first = run->served < run->in ? &run->all[run->served] : nullptr;
    uint32_t portion = P;
    for (uint32_t p = P; first != nullptr && p-- > 0;)
        if (first->portions[p].in) portion = p;
    const bool ends = run->busy && bench_chance(bench, 1, 3);
    const bool ready = first != nullptr && !first->bad && portion < P;
    rtl.busy_i = run->busy;
    rtl.ended_i = ends && run->busy_last;
    rtl.take_i = ready && (!run->busy || ends) && bench_chance(bench, 3, 4);
    rtl.on_i = !rtl.take_i && (run->busy || bench_chance(bench, 1, 2));
    rtl.words_i = rtl.take_i || (run->busy && bench_chance(bench, 1, 2));
    rtl.group_i = (uint8_t)bench_below(bench, LANES / STORE_LANES);
    rtl.eval();

    struct access *comes = run->in < run->all.size() ? &run->all[run->in] : nullptr;
    const bool bad_before = comes != nullptr && comes->bad;
    const bool bad = rtl.in_valid_i && take_in(run, comes);
    const bool none = first != nullptr && !run->busy && (first->bad || portion == P);
    const bool skip = none && (!first->bad || rtl.fault_taken_i);
    if (rtl.free_o != (run->all.size() < LSU_INTAKE)) bench_fail(bench, "free_o is %u", rtl.free_o);
    if (rtl.refuse_o != (bad || bad_before)) bench_fail(bench, "refuse_o is %u", rtl.refuse_o);
    const uint32_t oldest = (run->starts - (uint32_t)run->all.size()) % LSU_INTAKE;
    if (rtl.waits_o != run->waits[oldest]) bench_fail(bench, "waits_o is %u", rtl.waits_o);
    compare_next(run, first, portion);
    compare_fault(run, first, none && first->bad);
    compare_taken(run);
    run->waited += rtl.waits_o;

    // The edge.
    if (rtl.shared_done_i)
        for (bool &waits : run->waits)
            waits = false;
    if (rtl.words_i) run->group = rtl.group_i;
    if (rtl.take_i) {
        run->taken = first->portions[portion];
        run->taken_words = words_of(*first);
        run->taken_atomic = first->atomic;
        run->shows = run->busy = true;
        run->busy_last = rtl.next_last_o;
        run->all[run->served].portions[portion].in = false;
        run->taken_count++;
        run->generic_own += first->generic;
        if (rtl.next_last_o) run->served++;
    } else if (ends) {
        run->busy = false;
    }
    if (skip) {
        run->faults[first->bad ? first->code : 0]++;
        run->skipped += !first->bad;
    }
    if (rtl.in_valid_i) {
        comes->bad = comes->bad || bad;
        const uint32_t shared = rtl.in_lanes_i & ~comes->portions[run->portion].own;
        if (run->pass == 0 && shared != 0) run->waits[comes->slot] = true;
        run->portion = portion_behind(*comes, run->portion + 1);
        if (rtl.in_last_i) {
            run->in++;
        } else if (run->portion == P) {
            run->pass++;
            run->portion = portion_behind(*comes, 0);
        }
    }
    // One that is skipped is the oldest: nothing is served.
    if (skip || rtl.ended_i) {
        run->all.pop_front();
        run->in--;
        if (rtl.ended_i) run->served--;
    }
    if (rtl.start_i) {
        run->waits[next.slot] = false;
        run->all.push_back(next);
        run->starts++;
        run->full += run->all.size() == LSU_INTAKE;
    }
    if (rtl.rst_i) {
        run->all.clear();
        run->served = run->in = run->starts = 0;
        run->busy = run->shows = false;
        for (bool &waits : run->waits)
            waits = false;
    }
    run->cycle++;
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 200000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.stream_of = UINT64_MAX;
    run.rtl.start_i = run.rtl.in_valid_i = run.rtl.take_i = run.rtl.ended_i = 0;
    run.rtl.sm_index_i = (uint8_t)bench_below(&run.bench, 256);
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    const uint64_t *faults = run.faults;
    printf(
        "%llu portions taken, %llu of generic accesses, %llu left to shared memory, %llu cycles full; faults: "
        "alignment %llu, constant %llu, local %llu, shared %llu\n",
        (unsigned long long)run.taken_count, (unsigned long long)run.generic_own, (unsigned long long)run.skipped,
        (unsigned long long)run.full, (unsigned long long)faults[FAULT_MEMORY_ALIGNMENT],
        (unsigned long long)faults[FAULT_CONSTANT_BOUNDS], (unsigned long long)faults[FAULT_LOCAL_BOUNDS],
        (unsigned long long)faults[FAULT_SHARED_BOUNDS]);
    if (bench.ops >= 20000 &&
        (run.taken_count == 0 || run.generic_own == 0 || run.skipped == 0 || run.full == 0 || run.waited == 0 ||
         faults[FAULT_MEMORY_ALIGNMENT] == 0 || faults[FAULT_CONSTANT_BOUNDS] == 0 || faults[FAULT_LOCAL_BOUNDS] == 0 ||
         faults[FAULT_SHARED_BOUNDS] == 0))
        bench_fail(&run.bench, "the stream has missed something");
    return bench_end(&run.bench);
}
