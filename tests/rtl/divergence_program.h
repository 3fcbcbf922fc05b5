// What the bench of divergence_unit asks of it: random control instructions of warps whose programs are like this or
// like that for a while, warps that start, warps in a trap. It is compiled with -DTHREADS= -DLANES= -DWARPS=
// -DDEQUE_ENTRIES=, and includes the headers of the unit and the twin before.
#ifndef TANDEM_TESTS_RTL_DIVERGENCE_PROGRAM_H
#define TANDEM_TESTS_RTL_DIVERGENCE_PROGRAM_H

// Short queues, so that both bounds are reached, and long enough that much of them is in memory.
#define HALF (DEQUE_ENTRIES / 2)
#define SIZE 3
#define PLACES (HALF << SIZE)
#define BYTES (THREADS / 4)
#define BASE 0x3000u

#define ALL (THREADS == 64 ? ~UINT64_C(0) : UINT64_C(0xFFFFFFFF))

// What a warp's program is like at the moment.
enum mood { MOOD_NEST, MOOD_YIELD, MOOD_LEAVE, MOOD_MIXED, MOODS };

struct warp {
    struct divergence model;
    bool alive;   // it may be given instructions
    bool held;    // its tokens must be moved first
    bool starts;  // it was held in an SVSTART that has pushed its first token
    uint32_t pc;
    enum mood mood;
    bool watched, second;  // its sequences are, and stand in the second order
    bool serves;           // software serves it, mostly
    uint32_t deep;         // instructions left that push a token each, until there is no room for any
    uint32_t counting;     // YIELDs left until the counter stands at its end
    bool losing, lost;     // memory has failed with one of its tokens: in this cycle, before
    bool unknown;          // .. while the twin had done more already: nobody asks for its threads until it starts again
};

struct run {
    struct bench bench;
    Vdivergence_unit rtl;
    struct warp warps[WARPS];
    // The request on its way in, and the warp about to start; those that have been taken are in the model already.
    bool request_waits, start_waits;
    uint32_t request_warp, start_warp;
    uint64_t start_mask;
    uint32_t start_seed;
    struct divergence_request request;
    // The request under way in the RTL, done by the model.
    bool busy, serve;
    uint32_t busy_warp, busy_opcode, moves_seen, cycles;
    bool few;                   // the instruction finds hardly a token, so none of memory
    uint32_t yielded, started;  // cycles since a YIELD was done, and since a warp started: counts are written then
    struct divergence_result result;
    // The held warp whose tokens are being moved, by so many places.
    bool soft_busy, soft_valid;
    uint32_t soft_warp;
    int32_t soft_places;
    struct line_memory memory;
    uint64_t moved;  // tokens, to memory or from there
    uint64_t counted, held, split, sequences, portions, divided, joined;
    // The warp that is in a trap, as the RTL is told.
    bool trap_on;
    uint32_t trap_warp;
    struct token popped;  // by the last TPOP
    uint64_t traps, taken, put, set, stops, leaves;
    uint64_t full_front, full_back, really_full, ended, lost, done;
};

static const uint32_t NESTING[] = {OP_SSY, OP_PBRK, OP_PCONT, OP_PEXIT, OP_PLONGJMP, OP_CAL, OP_JCAL, OP_JCALX};
static const uint32_t LEAVING[] = {OP_SYNC, OP_BRK, OP_CONT, OP_RET, OP_LONGJMP, OP_EXIT};
static bool leaves(uint32_t opcode) {
    for (const uint32_t leaving : LEAVING) {
        if (opcode == leaving) return true;
    }
    return false;
}

static const uint32_t BRANCHING[] = {OP_BRA, OP_JMP, OP_BRX, OP_JMX};

static const uint32_t EXEC_WRITERS[] = {OP_SMOV, OP_SMOV_I, OP_VOTE, OP_SVLOOP_BEGIN, OP_SVLOOP_END};

static uint32_t choose_opcode(struct bench *bench, enum mood mood) {
    const uint32_t nest = mood == MOOD_NEST ? 90 : mood == MOOD_MIXED ? 30 : mood == MOOD_YIELD ? 4 : 10;
    const uint32_t leave = mood == MOOD_LEAVE ? 60 : mood == MOOD_NEST ? 2 : mood == MOOD_YIELD ? 1 : 25;
    const uint32_t yield = mood == MOOD_YIELD ? 75 : mood == MOOD_NEST ? 0 : 5;
    const uint32_t dice = bench_below(bench, 100);
    if (dice < nest) return NESTING[bench_below(bench, sizeof NESTING / sizeof NESTING[0])];
    if (dice < nest + leave) {
        const uint32_t leaving = LEAVING[bench_below(bench, sizeof LEAVING / sizeof LEAVING[0])];
        // Most EXITs become SYNCs, or no warp would live long.
        return leaving == OP_EXIT && !bench_chance(bench, 1, 4) ? (uint32_t)OP_SYNC : leaving;
    }
    if (dice < nest + leave + yield) return OP_YIELD;
    return BRANCHING[bench_below(bench, sizeof BRANCHING / sizeof BRANCHING[0])];
}

// A warp in a trap: tokens are taken and put back, reasons set, branches of the whole warp.
static void choose_in_trap(struct bench *bench, struct divergence_request *r) {
    static const uint32_t opcodes[] = {OP_TPOP, OP_TPUSH, OP_TPUSH, OP_TREASON, OP_TREASON, OP_BRA, OP_JMP, OP_TRET};
    r->opcode = opcodes[bench_below(bench, sizeof opcodes / sizeof opcodes[0])];
    if (r->opcode == OP_TRET && bench_chance(bench, 1, 3)) r->opcode = bench_chance(bench, 1, 2) ? OP_TLEAVE : OP_TEXIT;
    const bool some = r->opcode == OP_TPUSH || r->opcode == OP_TREASON;
    r->exec = some ? bench_mask(bench, THREADS) : ALL;
    if (r->exec == 0 || (some && bench_chance(bench, 1, 8))) r->exec = bench_chance(bench, 1, 50) ? 0 : ALL;
    if ((r->opcode == OP_TLEAVE || r->opcode == OP_TEXIT) && bench_chance(bench, 1, 8))
        r->exec = bench_mask(bench, THREADS);
    r->mod = some ? bench_below(bench, KIND_PORTION + 1) : 0;
}

static void choose_request(struct run *run) {
    struct bench *bench = &run->bench;
    const uint32_t w = bench_below(bench, WARPS);
    struct warp *warp = &run->warps[w];
    if (!warp->alive) return;
    // By request it goes into a trap wherever it stands, whoever is active.
    if (!run->busy && !warp->model.resumed && !run->warps[run->trap_warp].model.trapped &&
        bench_chance(bench, 1, 200)) {
        run->trap_warp = w;
        run->trap_on = warp->model.trapped = true;
        run->stops++;
    }
    // Long enough to come to a bound now and then.
    if (bench_chance(bench, 1, 2 * PLACES)) warp->mood = (enum mood)bench_below(bench, MOODS);
    const uint64_t active = divergence_active(&warp->model);
    struct divergence_request *r = &run->request;
    r->opcode = choose_opcode(bench, warp->mood);
    r->pc = warp->pc;
    // Few places, so that threads meet again; the ends of the range now and then.
    if (bench_chance(bench, 1, 3)) r->pc = bench_below(bench, 8);
    if (bench_chance(bench, 1, 50)) r->pc = 0x3FFFFF;
    r->target = bench_chance(bench, 4, 5) ? bench_below(bench, 16) : bench_below(bench, 1u << 22);
    r->mod = bench_chance(bench, 1, 2) ? (uint32_t)YIELD_ALWAYS : bench_below(bench, 3);
    if (r->opcode == OP_YIELD) {
        if (r->mod == YIELD_NTH) r->target = bench_chance(bench, 1, 100) ? 70000 : bench_below(bench, 5);
        if (r->mod == YIELD_RANDOM) r->target = bench_below(bench, 65537);
    }
    r->serve = warp->serves != bench_chance(bench, 1, 20);
    const bool turns = warp->watched && warp->model.inside != 0 && bench_chance(bench, 1, 2);  // of a loop
    if (turns) {
        r->opcode = OP_BRA;
        r->mod = BRA_TURN;
        r->target = bench_chance(bench, 1, 4) ? 0x200003 : 3;
    }
    const bool whole = r->opcode == OP_BRA || r->opcode == OP_JMP || r->opcode == OP_BRX || r->opcode == OP_JMX
                           ? turns || bench_chance(bench, 1, 4)
                           : r->opcode == OP_YIELD || bench_chance(bench, 3, 5);
    r->exec = whole && !bench_chance(bench, 1, 200) ? active : active & bench_mask(bench, THREADS);
    for (uint32_t i = 0; i < sizeof NESTING / sizeof NESTING[0]; i++) {
        if (r->opcode == NESTING[i] && !bench_chance(bench, 1, 200)) r->exec = active;
    }
    r->group = r->exec;
    // A sequence begins now and then, soon when none is open; threads in one end it rather than begin another.
    const bool inside = (active & warp->model.inside) != 0;
    r->second = bench_chance(bench, 7, 8);
    // A watched sequence changes its order now and then; the branches of its loops come to few places.
    if (bench_chance(bench, 1, 10)) warp->second = !warp->second;
    r->watch = warp->watched;
    if (r->watch) r->second = warp->second;
    if (bench_chance(bench, 1, inside ? 5 : 12)) {
        r->opcode = inside && !bench_chance(bench, 1, 300) ? OP_SVEND : OP_SVSTART;
        const bool part = r->opcode == OP_SVEND ? bench_chance(bench, 1, 3) : bench_chance(bench, 1, 200);
        r->exec = part ? active & bench_mask(bench, THREADS) : active;
        if (r->opcode == OP_SVSTART && bench_chance(bench, 1, 16)) r->exec = 0;
    }
    // A YIELD that asks for more turns than its counter has: all threads together, until it stands at its end.
    if (warp->counting == 0 && warp->mood == MOOD_YIELD && bench_chance(bench, 1, 400)) warp->counting = 300;
    if (active == 0) warp->counting = 0;
    if (warp->counting > 0) {
        warp->counting--;
        r->opcode = OP_YIELD;
        r->mod = YIELD_NTH;
        r->target = 70000;
        r->exec = active;
        run->counted += warp->model.yields.count[__builtin_ctzll(active)] == UINT8_MAX;
    }
    // A warp whose tokens have been moved goes on until its deque is really full; then the other end is tried as well.
    if (active == 0) warp->deep = 0;
    if (warp->deep > 0) {
        warp->deep--;
        r->opcode = bench_chance(bench, 1, 60) ? (uint32_t)OP_YIELD : NESTING[bench_below(bench, 7)];
        r->mod = YIELD_ALWAYS;
        r->exec = active;
        r->serve = true;
    }
    // After the moving of tokens an SVSTART, else a JCALX goes on with its next group; seldom threads come to something
    // else by a token that a trap's handler has put there.
    if (warp->model.resumed && (warp->starts || !bench_chance(bench, 1, 8))) {
        r->opcode = warp->starts ? OP_SVSTART : OP_JCALX;
        r->exec = bench_chance(bench, 1, 50) ? active & bench_mask(bench, THREADS) : active;
        r->pc = warp->pc;
        if (warp->starts) r->target = bench_below(bench, 16);
    }
    r->group = r->exec;
    const bool indirect = r->opcode == OP_RET || r->opcode == OP_BRX || r->opcode == OP_JMX || r->opcode == OP_JCALX;
    if (indirect && bench_chance(bench, 1, 2)) {
        r->group &= bench_mask(bench, THREADS);
        r->group |= r->exec & (0 - r->exec);  // the lowest thread is always in it
    }
    // EXEC is written now and then, and soon when nobody is active, or the warp would only go straight on.
    // Not between the groups of a JCALX: nothing else comes there.
    const bool held = warp->model.reason[KIND_HELD] != 0;
    if (!warp->model.resumed && warp->counting == 0 && warp->deep == 0 &&
        bench_chance(bench, 1,
                     active == 0 ? 2
                     : held      ? 8
                                 : 60)) {
        r->opcode = EXEC_WRITERS[bench_below(bench, sizeof EXEC_WRITERS / sizeof EXEC_WRITERS[0])];
        r->exec = active & bench_mask(bench, THREADS);
        r->group = bench_chance(bench, 1, 2) ? ALL : bench_mask(bench, THREADS);
    }
    // Now and then a warp goes into a trap, if none is in one, and stays for some instructions; seldom where yield tokens
    // pile up, for TPOP takes them away and the back bound would never be reached.
    if (warp->model.trapped) {
        choose_in_trap(bench, r);
        r->group = r->exec;
        warp->counting = 0;
    } else if (!warp->model.resumed && warp->counting == 0 && warp->deep == 0 && active != 0 &&
               !run->warps[run->trap_warp].model.trapped &&
               bench_chance(bench, 1, warp->mood == MOOD_YIELD ? 4 * PLACES : 40)) {
        r->opcode = OP_TRAP;
        r->exec = r->group = bench_chance(bench, 1, 50) ? active & bench_mask(bench, THREADS) : active;
    }
    run->request_warp = w;
    run->request_waits = true;
}

static void choose_start(struct run *run) {
    struct bench *bench = &run->bench;
    const uint32_t w = bench_below(bench, WARPS);
    const struct warp *warp = &run->warps[w];
    const bool busy = warp->counting != 0 || warp->deep != 0;
    if ((warp->alive || warp->held) && (busy || !bench_chance(bench, 1, 500)))
        return;  // now and then a living one: its task was stopped
    if (run->request_waits && run->request_warp == w) return;
    if (run->soft_busy && run->soft_warp == w) return;
    run->start_warp = w;
    run->start_mask = bench_mask(bench, THREADS);
    if (run->start_mask == 0) run->start_mask = ALL;
    if (bench_chance(bench, 1, 8)) run->start_mask = bench_chance(bench, 1, 2) ? 1 : UINT64_C(1) << (THREADS - 1);
    run->start_seed = bench_chance(bench, 1, 4) ? 0 : (uint32_t)bench_random(bench);  // 0 would stay 0 for ever
    run->start_waits = true;
    run->warps[w].alive = run->warps[w].held = false;  // nothing is asked of it before it has started
}

#endif
