// Whole programs through the divergence unit: random ones, with everything that control flow can do, against each
// thread run by itself; and a spin lock. A thread must see the same instructions with the same data in both, whatever
// its warp mates do.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"
#include "random_numbers.h"
#include "sm/divergence_unit.h"

enum { MAX_OPS = 600, MAX_LOOPS = 40, MAX_DEPTH = 4, FUNCTIONS = 3, SCALAR_LIMIT = 4000 };

// Instructions of the test's own, beside the control instructions.
enum { OP_WORK = 0x100, OP_PREDICATE, OP_LOOP_SET, OP_LOOP_TEST };
enum guard { GUARD_NONE, GUARD_TRUE, GUARD_FALSE };

struct op {
    uint32_t opcode, target, number;  // number: of a loop or function
    enum guard guard;
    bool together;  // the whole warp must execute it at once
};

struct program {
    struct op ops[MAX_OPS];
    uint32_t size, loops, function_at[FUNCTIONS], seed;
    bool yields, gotos, exits;
    uint64_t random;
};

struct thread {
    uint64_t trace;  // what it has executed, in order
    uint32_t steps;
    bool predicate;
    uint8_t left[MAX_LOOPS];
    uint32_t visits[MAX_OPS];
    uint32_t return_to[FUNCTIONS];
};

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t z =
        (uint64_t)a * 0x9E3779B97F4A7C15u + (uint64_t)b * 0xBF58476D1CE4E5B9u + (uint64_t)c * 0x94D049BB133111EBu;
    z = (z ^ z >> 31) * 0xD6E8FEB86659FD93u;
    return (uint32_t)(z >> 32);
}

// ---- making a program ----
static uint32_t dice(struct program *p, uint32_t sides) {
    return random_below(&p->random, sides);
}

static uint32_t emit(struct program *p, uint32_t opcode, enum guard guard, uint32_t number) {
    cr_assert_lt(p->size, MAX_OPS);
    p->ops[p->size] = (struct op){.opcode = opcode, .guard = guard, .number = number};
    return p->size++;
}

// Where a block stands: the open loop's places to be filled in, the function (FUNCTIONS: main).
struct place {
    uint32_t depth, function;
    uint32_t *breaks, *break_count, *continues, *continue_count;
};

static void block(struct program *p, const struct place *place);

static void choice(struct program *p, const struct place *place) {
    struct place inner = *place;
    inner.depth++;
    emit(p, OP_PREDICATE, GUARD_NONE, 0);
    const uint32_t ssy = emit(p, OP_SSY, GUARD_NONE, 0);
    const uint32_t branch = emit(p, OP_BRA, GUARD_TRUE, 0);
    block(p, &inner);
    const uint32_t sync = emit(p, OP_SYNC, GUARD_NONE, 0);
    p->ops[branch].target = p->size;
    if (dice(p, 2) == 0) block(p, &inner);
    const uint32_t other_sync = emit(p, OP_SYNC, GUARD_NONE, 0);
    p->ops[ssy].target = p->ops[sync].target = p->ops[other_sync].target = p->size;
}

static void loop(struct program *p, const struct place *place) {
    uint32_t breaks[MAX_OPS], continues[MAX_OPS], break_count = 0, continue_count = 0;
    const struct place inner = {place->depth + 1, place->function, breaks, &break_count, continues, &continue_count};
    const uint32_t number = p->loops++;
    cr_assert_lt(number, MAX_LOOPS);
    emit(p, OP_LOOP_SET, GUARD_NONE, number);
    breaks[break_count++] = emit(p, OP_PBRK, GUARD_NONE, 0);
    const uint32_t head = p->size;
    continues[continue_count++] = emit(p, OP_PCONT, GUARD_NONE, 0);
    block(p, &inner);
    continues[continue_count++] = emit(p, OP_CONT, GUARD_NONE, 0);
    for (uint32_t i = 0; i < continue_count; i++)
        p->ops[continues[i]].target = p->size;
    if (p->yields) emit(p, OP_YIELD, GUARD_NONE, 0);
    emit(p, OP_LOOP_TEST, GUARD_NONE, number);
    breaks[break_count++] = emit(p, OP_BRK, GUARD_FALSE, 0);
    p->ops[emit(p, OP_BRA, GUARD_NONE, 0)].target = head;
    for (uint32_t i = 0; i < break_count; i++)
        p->ops[breaks[i]].target = p->size;
}

static void block(struct program *p, const struct place *place) {
    uint32_t gotos[8], goto_count = 0;
    const uint32_t statements = 1 + dice(p, place->depth == 0 ? 5 : 3);
    for (uint32_t i = 0; i < statements; i++) {
        const uint32_t kind = p->size > MAX_OPS - 200 ? 0 : dice(p, 12);
        if (kind <= 1 || place->depth >= MAX_DEPTH) {
            emit(p, OP_WORK, GUARD_NONE, 0);
        } else if (kind <= 4) {
            choice(p, place);
        } else if (kind == 5 && p->loops + MAX_DEPTH < MAX_LOOPS) {
            loop(p, place);
        } else if (kind == 6 && p->yields) {
            emit(p, OP_YIELD, GUARD_NONE, 0);
        } else if (kind == 7 && place->break_count != NULL) {
            emit(p, OP_PREDICATE, GUARD_NONE, 0);
            place->breaks[(*place->break_count)++] = emit(p, OP_BRK, GUARD_TRUE, 0);
        } else if (kind == 8 && place->continue_count != NULL) {
            emit(p, OP_PREDICATE, GUARD_NONE, 0);
            place->continues[(*place->continue_count)++] = emit(p, OP_CONT, GUARD_FALSE, 0);
        } else if (kind == 9 && place->function != 0) {  // main calls all, function f those below f: no recursion
            const uint32_t callee = dice(p, place->function);
            p->ops[emit(p, OP_CAL, GUARD_NONE, callee)].target = p->function_at[callee];
        } else if (kind == 10 && place->function < FUNCTIONS) {
            emit(p, OP_PREDICATE, GUARD_NONE, 0);
            emit(p, OP_RET, GUARD_TRUE, place->function);
        } else if (kind == 11 && p->gotos) {
            emit(p, OP_PREDICATE, GUARD_NONE, 0);
            gotos[goto_count++] = emit(p, OP_BRA, GUARD_TRUE, 0);
        } else if (kind == 2 && p->exits) {
            emit(p, OP_PREDICATE, GUARD_NONE, 0);
            emit(p, OP_EXIT, GUARD_TRUE, 0);
        }
    }
    if (place->depth == 0 && place->function == FUNCTIONS && !p->yields && !p->gotos && !p->exits) {
        p->ops[emit(p, OP_WORK, GUARD_NONE, 0)].together = true;
    }
    for (uint32_t i = 0; i < goto_count; i++)
        p->ops[gotos[i]].target = p->size;
}

// Functions first, main behind them; returns where main begins.
static uint32_t make(struct program *p, uint32_t seed, bool yields, bool gotos, bool exits) {
    memset(p, 0, sizeof *p);
    p->seed = seed;
    p->random = seed;
    p->yields = yields;
    p->gotos = gotos;
    p->exits = exits;
    for (uint32_t f = 0; f < FUNCTIONS; f++) {
        const struct place place = {.depth = 2, .function = f};
        p->function_at[f] = p->size;
        block(p, &place);
        emit(p, OP_RET, GUARD_NONE, f);
    }
    const struct place place = {.depth = 0, .function = FUNCTIONS};
    const uint32_t start = p->size;
    for (int i = 0; i < 3 && p->size < 300; i++)
        block(p, &place);
    emit(p, OP_EXIT, GUARD_NONE, 0);
    return start;
}

// ---- running it ----
static bool guard_holds(const struct op *op, const struct thread *thread) {
    return op->guard == GUARD_NONE || thread->predicate == (op->guard == GUARD_TRUE);
}

// What an instruction does to a thread that executes it, apart from where the thread goes.
static void touch(const struct program *p, uint32_t pc, struct thread *thread, uint32_t number) {
    const struct op *op = &p->ops[pc];
    if (op->opcode < OP_WORK && op->opcode != OP_CAL) return;
    const uint32_t value = mix(p->seed, pc << 8 | number, thread->visits[pc]++);
    thread->trace = (thread->trace ^ pc) * UINT64_C(0x100000001B3);
    switch (op->opcode) {
        case OP_PREDICATE: thread->predicate = value % 3 == 0; break;
        case OP_LOOP_SET: thread->left[op->number] = (uint8_t)(value % 4); break;
        case OP_LOOP_TEST:
            thread->predicate = thread->left[op->number] != 0;
            thread->left[op->number]--;
            break;
        case OP_CAL: thread->return_to[op->number] = pc + 1; break;
        default: break;
    }
}

// One thread by itself: every label is simply where it goes. False: too long, the program is not used.
static bool run_alone(const struct program *p, uint32_t pc, struct thread *thread, uint32_t number) {
    while (thread->steps++ < SCALAR_LIMIT) {
        const struct op *op = &p->ops[pc];
        if (!guard_holds(op, thread)) {
            pc++;
            continue;
        }
        touch(p, pc, thread, number);
        switch (op->opcode) {
            case OP_EXIT: return true;
            case OP_RET: pc = thread->return_to[op->number]; break;
            case OP_BRA:
            case OP_SYNC:
            case OP_BRK:
            case OP_CONT:
            case OP_CAL: pc = op->target; break;
            default: pc++; break;
        }
    }
    return false;
}

static void run_warp(const struct program *p, uint32_t pc, struct thread *threads, uint32_t count, uint64_t mask) {
    struct divergence warp;
    cr_assert(divergence_init(&warp, count, count,
                              1u << 16));  // room for every yield of a program whose deque never gets empty
    divergence_start(&warp, mask);
    for (uint32_t steps = 0;; steps++) {
        cr_assert_lt(steps, SCALAR_LIMIT * 64, "program %u: never ends", p->seed);
        cr_assert_lt(pc, p->size, "program %u: pc %u", p->seed, pc);
        const struct op *op = &p->ops[pc];
        uint64_t exec = 0;
        for (uint32_t t = 0; t < count; t++) {
            if ((divergence_active(&warp) >> t & 1) != 0 && guard_holds(op, &threads[t])) exec |= UINT64_C(1) << t;
        }
        if (op->together) cr_assert_eq(exec, mask, "program %u: the warp is not together at %u", p->seed, pc);
        for (uint32_t t = 0; t < count; t++) {
            if ((exec >> t & 1) != 0) touch(p, pc, &threads[t], t);
        }
        if (!divergence_executes(op->opcode)) {
            pc++;
            continue;
        }
        struct divergence_request request = {
            .opcode = op->opcode, .pc = pc, .exec = exec, .target = op->target, .group = exec};
        if (op->opcode == OP_RET && exec != 0) {
            request.target = threads[__builtin_ctzll(exec)].return_to[op->number];
            for (uint32_t t = 0; t < count; t++) {
                if (threads[t].return_to[op->number] != request.target) request.group &= ~(UINT64_C(1) << t);
            }
        }
        struct divergence_result result;
        divergence_execute(&warp, &request, &result);
        cr_assert_eq(result.fault, FAULT_NONE, "program %u: fault %u at %u", p->seed, result.fault, pc);
        if (result.ended) break;
        pc = result.pc;
    }
    cr_assert_eq(warp.reason[KIND_EXIT], mask, "program %u: threads %llx have not come to their end", p->seed,
                 (unsigned long long)(mask & ~warp.reason[KIND_EXIT]));
    divergence_free(&warp);
}

static void try_programs(uint32_t first, uint32_t number, bool yields, bool gotos, bool exits) {
    static struct program program;
    static struct thread alone[64], together[64];
    uint32_t used = 0;
    for (uint32_t seed = first; seed < first + number; seed++) {
        const uint32_t start = make(&program, seed, yields, gotos, exits);
        const uint32_t count = seed % 2 == 0 ? 32 : 64;
        const uint64_t all = count == 64 ? ~UINT64_C(0) : UINT32_MAX;
        const uint64_t mask = seed % 5 == 0 ? all >> 7 : all;
        bool usable = true;
        memset(alone, 0, sizeof alone);
        memset(together, 0, sizeof together);
        for (uint32_t t = 0; t < count && usable; t++) {
            if ((mask >> t & 1) != 0) usable = run_alone(&program, start, &alone[t], t);
        }
        if (!usable) continue;
        used++;
        run_warp(&program, start, together, count, mask);
        for (uint32_t t = 0; t < count; t++) {
            cr_assert_eq(together[t].trace, alone[t].trace, "program %u: thread %u has gone another way than by itself",
                         seed, t);
        }
    }
    cr_assert_gt(used, number / 2, "only %u programs were short enough", used);
}

Test(divergence_flows, nested,
     .description =
         "TD-6 TD-8 TD-9 TD-10: ifs, loops with break and continue, calls with early return: every thread goes its "
         "way, and the warp is together again after each") {
    try_programs(1000, 1500, false, false, false);
}

Test(divergence_flows, irregular,
     .description = "TD-18: the same with gotos that leave regions at will and threads that end early") {
    try_programs(20000, 1500, false, true, true);
}

Test(divergence_flows, with_yields,
     .description =
         "TD-11 TD-12 TD-18: a YIELD in every loop and at random places throws tokens away; every thread still goes "
         "its way") {
    try_programs(40000, 1500, true, false, false);
}

Test(divergence_flows, with_everything,
     .description =
         "TD-11 TD-12 TD-18: yields, gotos, early ends, early returns from functions called from several places") {
    try_programs(60000, 3000, true, true, true);
}

// ---- a spin lock ----
// Each thread takes the lock in turn. The arm of the thread that has it is the one that waits, so without YIELD the
// others spin for ever.
//   0 SSY 6   1 try   2 @got BRA 5   3 YIELD or nothing   4 BRA 1   5 SYNC 6 (gives the lock back)   6 EXIT
static uint32_t spin(bool with_yield, uint32_t bound) {
    struct divergence warp;
    uint32_t pc = 0, had = 0, steps = 0;
    int owner = -1;
    uint64_t got = 0;
    cr_assert(divergence_init(&warp, 32, 32, 64));
    divergence_start(&warp, UINT32_MAX);
    const uint32_t opcodes[] = {OP_SSY, OP_WORK, OP_BRA, with_yield ? (uint32_t)OP_YIELD : (uint32_t)OP_WORK,
                                OP_BRA, OP_SYNC, OP_EXIT};
    const uint32_t targets[] = {6, 0, 5, 0, 1, 6, 0};
    while (steps++ < bound) {
        uint64_t exec = divergence_active(&warp);
        if (pc == 1 && owner < 0) {
            owner = __builtin_ctzll(exec);
            got |= UINT64_C(1) << owner;
        }
        if (pc == 2) exec &= got;
        if (pc == 5) {
            had++;
            cr_assert_eq(exec, UINT64_C(1) << owner, "only the owner is inside");
            owner = -1;
        }
        if (!divergence_executes(opcodes[pc])) {
            pc++;
            continue;
        }
        const struct divergence_request request = {
            .opcode = opcodes[pc], .pc = pc, .exec = exec, .target = targets[pc], .group = exec};
        struct divergence_result result;
        divergence_execute(&warp, &request, &result);
        cr_assert_eq(result.fault, FAULT_NONE, "fault %u after %u steps", result.fault, steps);
        if (result.ended) break;
        pc = result.pc;
    }
    divergence_free(&warp);
    return had;
}

Test(divergence_flows, spin_lock,
     .description = "TD-11: with YIELD each thread of a warp gets a spin lock in its turn") {
    cr_assert_eq(spin(true, 100000), 32);
}

Test(divergence_flows, spin_lock_hangs,
     .description = "TD-11: the same program without YIELD hangs: after 100000 steps nobody has let the lock go") {
    cr_assert_eq(spin(false, 100000), 0);
}
