// Tasks of sm_bench that run random programs (sm_random_programs.h), with all that may happen to them from outside.
#ifndef TANDEM_TESTS_RTL_SM_RANDOM_TASKS_H
#define TANDEM_TESTS_RTL_SM_RANDOM_TASKS_H

static const uint32_t HANDLER_MOST = 48;  // instructions of a request_handler, and more

// A task for the slot: a program in its area, and what goes with it. False: the program does not fit.
static bool make_task(world &w, uint32_t k, uint32_t start_by, bool loops = false) {
    struct bench *b = w.bench;
    task &t = w.tasks[k];
    t = task();
    t.channel = bench_below(b, CHANNELS);
    const uint32_t area = AREAS + k * AREA_BYTES - w.follow.space[t.channel].base;
    maker m = {.w = w};
    m.first = 4;
    m.pool = 4 + bench_below(b, bench_chance(b, 1, 4) ? 20 : 6);
    const unsigned room = VGPR_ROWS / P - 9 - m.pool - 8;
    if (bench_chance(b, 1, 3)) m.first += bench_below(b, room < 200 ? room : 200);
    m.counters = m.first + m.pool;
    m.link = m.counters + DEPTH_MAX;
    m.privates = m.link + 1;
    m.shares = bench_chance(b, 1, 3) ? 1 + bench_below(b, 8) : 0;
    t.registers = m.privates + m.shares;
    t.shared_rows = m.shares;
    const uint32_t units = m.privates + (m.shares + P - 1) / P, most = VGPR_ROWS / (units * P);
    const uint32_t warps = 1 + bench_below(b, most < WARPS ? most : WARPS);
    // CTAs of one, two or three dimensions.
    const uint32_t threads = loops ? warps * THREADS : 1 + bench_below(b, warps * THREADS);
    t.ntid[0] = threads, t.ntid[1] = t.ntid[2] = 1;
    if (bench_chance(b, 1, 3))
        t.ntid[0] = 1 + bench_below(b, 40 < threads ? 40 : threads), t.ntid[1] = threads / t.ntid[0];
    if (bench_chance(b, 1, 2) && t.ntid[1] > 1) t.ntid[2] = 1 + bench_below(b, t.ntid[1]), t.ntid[1] /= t.ntid[2];
    for (uint32_t i = 0; i < 3; i++)
        t.grid[i] = 1 + (bench_chance(b, 1, 2) ? bench_below(b, 2 + (i == 0)) : 0);
    t.total = t.grid[0] * t.grid[1] * t.grid[2];
    m.shared_mask = (16u << bench_below(b, 7)) - 1;
    t.shared = bench_chance(b, 1, 6) ? 0 : m.shared_mask + 1 + 16 * bench_below(b, 3);
    m.local_mask = (16u << bench_below(b, 3)) - 1;
    t.local_bytes = bench_chance(b, 1, 8) ? 16 : m.local_mask + 1;
    t.local_base = area + AREA_LOCAL - SM_INDEX * WARPS * THREADS * t.local_bytes;
    m.bank_mask = 0x7F;
    for (uint32_t i = 0; i < CONST_BANKS; i++) {
        t.const_valid |= (bench_chance(b, 1, 12) ? 0u : 1u) << i;
        t.const_addr[i] = area + AREA_BANKS + i * 0x200 + 4 * bench_below(b, 64) * bench_below(b, 2);
        t.const_size[i] = bench_chance(b, 1, 8) ? 4 * bench_below(b, 64) : 0x90;
    }
    t.code_base = area;
    m.start = bench_chance(b, 1, 4) ? 0x3FF000u + bench_below(b, 0x800) : bench_below(b, 64);
    if (bench_chance(b, 1, 8)) m.start = bench_below(b, 0x400000);
    const bool leaves = bench_chance(b, 1, 3);
    // One that loops would keep the others waiting as its own handler.
    if (leaves && (loops || !bench_chance(b, 1, 8))) m.start = HANDLER_MOST + bench_below(b, 8);
    t.region = t.code_base - 8 * m.start;
    t.tmd = (uint32_t)bench_random(b);
    for (unsigned &weight : m.weights)
        weight = bench_chance(b, 1, 2) ? 0 : bench_chance(b, 1, 2) ? 1 : 4;
    m.weights[LANE_OP] += 6;
    m.weights[MEMORY_OP] += bench_chance(b, 1, 4) ? 12 : 3;
    m.weights[BARS] = bench_chance(b, 1, 3) ? 2 : 0;
    if (m.weights[BARS] != 0 && bench_chance(b, 4, 5)) m.weights[YIELDS] = m.weights[LEAVES] = m.weights[JUMPS] = 0;
    m.weights[WILD] = bench_chance(b, 1, 6) ? 1 : 0;
    if (bench_chance(b, 1, 24)) m.weights[WILD] = 40;
    if (loops)
        make_loops(m, area + AREA_WINDOW, warps);
    else
        make_program(m, area + AREA_WINDOW);
    if (m.p.size() * 8 > AREA_BANKS) return false;
    t.code_size = (uint32_t)m.p.size() * 8;
    for (size_t i = 0; i < m.p.size(); i++)
        memcpy(&w.memory[AREAS + k * AREA_BYTES + 8 * i], &m.p[i], 8);
    t.used = true;
    if (leaves) {
        const std::vector<uint64_t> handler = request_handler(m);
        if (m.start >= HANDLER_MOST && m.start < 2 * HANDLER_MOST)
            memcpy(&w.memory[AREAS + k * AREA_BYTES - 8 * m.start], &handler[0], 8 * handler.size());
        t.leave = w.cycle + 1 + bench_below(b, 2000);
        t.returns = bench_chance(b, 3, 4);
    }
    t.start = w.cycle + bench_below(b, start_by);
    t.stop = w.cycle + (loops ? 2 * SILENCE : bench_chance(b, 1, 5) ? bench_below(b, 3000) : 40000);
    return true;
}

// What counts in the signature, written while nothing runs.
static void choose_signature(world &w) {
    struct bench *b = w.bench;
    const bool limited = bench_chance(b, 1, 2);  // exact for one kind
    const uint32_t kinds = limited ? 1u << bench_below(b, 3) : bench_below(b, 8);
    const struct {
        uint32_t place, offset, value;
    } writes[] = {{SIGNING_PLACE_KINDS, REG_SIGNATURE_KINDS, kinds | ((uint32_t)bench_random(b) & ~7u)},
                  {SIGNING_PLACE_NAME, REG_SIGNATURE_NAME, (uint32_t)bench_random(b) & 3},
                  {SIGNING_PLACE_NAME_MASK, REG_SIGNATURE_NAME_MASK, bench_chance(b, 2, 3) ? 0 : bench_below(b, 4)},
                  {SIGNING_PLACE_PLACE, REG_SIGNATURE_PLACE,
                   bench_chance(b, 1, 2) ? 0 : (uint32_t)bench_random(b) & (uint32_t)bench_random(b)},
                  {SIGNING_PLACE_LIMIT, REG_SIGNATURE_LIMIT, limited ? bench_below(b, 300) : 0xFFFFFFFF}};
    for (const auto &write : writes) {
        w.unit.signing_write_i = 1;
        w.unit.signing_place_i = (uint8_t)write.place;
        w.unit.signing_data_i = write.value;
        step(w);
        sm_signature_write(w.follow.sm, write.offset, write.value);
        w.unit.signing_write_i = 0;
    }
}

// Memory, spaces and settings of a random run.
static void choose_world(world &w) {
    struct bench *b = w.bench;
    for (uint32_t at = AREAS; at < AREAS + TASK_SLOTS * AREA_BYTES; at += 4)
        poke(w, at, (uint32_t)bench_random(b) & (bench_chance(b, 1, 3) ? 0x1F : 0xFFFFFFFF));
    const bool apart = bench_chance(b, 1, 2);
    for (uint32_t c = 0; c < CHANNELS; c++) {
        const uint32_t base = apart ? 0x1000 * bench_below(b, 16) : 0;
        set_space(w, c, base, MEMORY_BYTES - base);
    }
    struct sm_settings &s = w.follow.settings;
    s.yield_seed = bench_chance(b, 1, 2) ? bench_below(b, 4) : (uint32_t)bench_random(b);
    s.deque_serve = bench_chance(b, 1, 2);
    s.warp_policy = bench_below(b, 2);
    set_queues(w, 1 + bench_below(b, SIZE_MOST));
    s.sv_order = bench_chance(b, 1, 2) ? REG_SV_ORDER_ORDER_PROGRAM : bench_below(b, 3);
    static const uint32_t thresholds[] = {0, 0x1000, 0x2000, 0x8000, 0x10000, 0x1FFFF};
    s.sv_threshold = thresholds[bench_below(b, 6)];
    w.tasks.assign(TASK_SLOTS, task());
    choose_signature(w);
}

static void settings_of_directed_tests(world &w) {
    w.foreign = w.bad = w.bad_code = w.bad_tokens = range();
    w.orphans = 0;
    w.follow.settings = sm_settings();
    w.follow.settings.yield_seed = REG_YIELD_SEED_RESET;
    w.follow.settings.sv_threshold = REG_SV_THRESHOLD_RESET;
    set_queues(w, SIZE_MOST);
}

// Several tasks at once, of which the model says what they do.
static void test_random(world &w) {
    struct bench *b = w.bench;
    choose_world(w);
    uint32_t tasks = 1 + bench_below(b, TASK_SLOTS);
    if (tasks > 4) tasks = 4;
    for (uint32_t k = bench_below(b, TASK_SLOTS), i = 0; i < tasks; i++, k = (k + 1) % TASK_SLOTS)
        while (!make_task(w, k, 400)) {
        }
    uint32_t k = bench_below(b, TASK_SLOTS);
    while (!w.tasks[k].used)
        k = (k + 1) % TASK_SLOTS;
    const uint32_t area = AREAS + k * AREA_BYTES, window = area + AREA_WINDOW;
    if (bench_chance(b, 1, 3)) w.foreign = {window, bench_chance(b, 1, 2) ? 64u : WINDOW_MASK};
    if (bench_chance(b, 1, 6)) w.bad = {window + 32 * bench_below(b, 96), 32};
    if (bench_chance(b, 1, 16)) w.bad_code = {area + 32 * bench_below(b, w.tasks[k].code_size / 32 + 1), 32};
    if (bench_chance(b, 1, 12)) w.bad_tokens = {QUEUES + 32 * bench_below(b, (ALL_BYTES - QUEUES) / 32), 32};
    w.orphans = bench_chance(b, 1, 3) ? 30 : 0;
    run_tasks(w);
    settings_of_directed_tests(w);
}

// All warps that there are want the same units all the time, and nobody is passed over for long (check_patience).
static void test_fair(world &w) {
    choose_world(w);
    while (!make_task(w, bench_below(w.bench, TASK_SLOTS), 1, true)) {
    }
    run_tasks(w);
    settings_of_directed_tests(w);
}

#endif
