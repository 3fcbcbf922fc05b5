// What every control instruction does to a warp, held against the rules said once more: random threads, tokens and
// requests, deques at their bounds and deques whose tokens are lost.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "gen/registers.h"
#include "random_numbers.h"
#include "sm/divergence_unit.h"

#define TURNS 60000u
#define PLACES 16u
#define PC_MASK 0x3FFFFFu

static uint64_t seed;
static struct divergence is, own;  // the unit's warp, and as the rules have it
static struct divergence_request q;
static struct divergence_result must;

static uint32_t below(uint32_t n) {
    return random_below(&seed, n);
}
static bool one_of(uint32_t n) {
    return below(n) == 0;
}
static uint64_t some_of(uint64_t threads) {
    return threads & random_bits(&seed) & (one_of(2) ? random_bits(&seed) : UINT64_MAX);
}

// ---- random states
static const uint32_t plain[] = {OP_SSY,        OP_PBRK,    OP_PCONT,   OP_PEXIT,  OP_PLONGJMP, OP_CAL,
                                 OP_JCAL,       OP_JCALX,   OP_BRA,     OP_BRA,    OP_BRX,      OP_JMX,
                                 OP_JMP,        OP_SYNC,    OP_BRK,     OP_CONT,   OP_RET,      OP_EXIT,
                                 OP_LONGJMP,    OP_YIELD,   OP_SMOV,    OP_SMOV_I, OP_VOTE,     OP_SVLOOP_BEGIN,
                                 OP_SVLOOP_END, OP_SVSTART, OP_SVSTART, OP_SVEND,  OP_TRAP,     OP_IADD};
static const uint32_t of_traps[] = {OP_TPOP, OP_TPUSH, OP_TREASON, OP_TLEAVE, OP_TEXIT, OP_TRET, OP_BRA};

static bool is_one(const uint32_t *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (list[i] == q.opcode) return true;
    }
    return false;
}
#define IS(...) is_one((const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

static void random_warp(void) {
    static const uint32_t kinds[] = {KIND_SYNC,    KIND_BRK,   KIND_CONT,  KIND_EXIT,  KIND_RET,
                                     KIND_LONGJMP, KIND_DIV,   KIND_HELD,  KIND_CALLX, KIND_SVEND,
                                     KIND_PORTION, KIND_YIELD, KIND_ABSENT};
    const uint32_t calm = below(4);
    struct token_move move;
    const uint64_t all = divergence_threads(&is);
    memset(is.reason, 0, sizeof is.reason);
    for (uint32_t t = 0; t < is.threads; t++) {
        const uint32_t kind = below(4) < calm ? KIND_NONE : kinds[one_of(2) ? 10 : below(13)];
        is.reason[kind] |= UINT64_C(1) << t;
    }
    if (one_of(12)) is.reason[KIND_HELD] |= is.reason[KIND_NONE], is.reason[KIND_NONE] = 0;
    // The first thread alone, off or on.
    if (one_of(8)) {
        const uint64_t others = is.reason[KIND_NONE] & ~UINT64_C(1);
        is.reason[KIND_NONE] -= others;
        is.reason[one_of(2) ? KIND_SVEND : KIND_HELD] |= others;
    }
    token_deque_reset(&is.token_deque);
    for (uint32_t i = below(5); i > 0; i--)
        (void)token_deque_merge(&is.token_deque, random_bits(&seed) & all, below(4), &move);
    for (uint32_t i = below(one_of(2) ? 3 : 10); i > 0; i--)
        (void)token_deque_push_front(&is.token_deque, one_of(2) ? KIND_PORTION : kinds[below(11)],
                                     (one_of(4) ? 1 : random_bits(&seed)) & all, below(4), &move);
    if (one_of(4)) token_deque_move(&is.token_deque, (int32_t)below(PLACES) - (int32_t)PLACES / 2);
    is.token_deque.failed = one_of(10);
    is.inside = one_of(2) ? 0 : one_of(3) ? 1 : some_of(all);
    is.trapped = one_of(4);
    is.move_count = below(4);
    yield_counts_start(&is.yields);
    for (uint32_t t = 0; t < 64; t++)
        is.yields.count[t] = (uint8_t)below(3);
    is.yields.count_bound = (uint8_t)below(4);
    is.yields.random = 1 + below(1000);
}

static void random_request(void) {
    memset(&q, 0, sizeof q);
    q.opcode = is.trapped ? of_traps[below(7)] : plain[below(sizeof plain / sizeof *plain)];
    if (!is.trapped && one_of(6)) q.opcode = of_traps[below(5)];
    is.resumed = (q.opcode == OP_JCALX || q.opcode == OP_SVSTART) && one_of(3);
    q.pc = one_of(8) ? PC_MASK : below(4);
    q.target = below(4);
    const uint64_t active = divergence_active(&is);
    q.exec = one_of(3) ? some_of(active) : one_of(8) ? 0 : active;
    q.group = one_of(2) ? q.exec : some_of(q.exec);
    if (IS(OP_SMOV, OP_SMOV_I, OP_VOTE, OP_SVLOOP_BEGIN, OP_SVLOOP_END)) q.group = some_of(divergence_threads(&is));
    if (q.opcode == OP_YIELD) q.mod = below(3);
    if (q.opcode == OP_YIELD && q.mod == 2) q.target = below(0x10000);
    if (IS(OP_BRA, OP_BRX, OP_JMX, OP_JMP)) q.mod = one_of(4) ? BRA_NTH : BRA_TURN;
    if (q.opcode == OP_TPUSH) q.mod = one_of(3) ? KIND_YIELD : one_of(3) ? KIND_SVEND : 1 + below(7);
    if (q.opcode == OP_TREASON) q.mod = below(16);
    q.second = one_of(2);
    q.watch = one_of(2);
    q.serve = one_of(2);
}

// ---- the rules
static struct token_move *place(void) {
    return &own.moves[own.move_count];
}
static uint64_t active_now(void) {
    return own.trapped ? divergence_threads(&own) : own.reason[KIND_NONE];
}
static bool is_lost(void) {
    if (own.token_deque.failed) must.fault = FAULT_DEQUE_MEMORY;
    return own.token_deque.failed;
}
static bool moved(bool there_was_room) {
    if (there_was_room) {
        own.move_count++;
    } else if (q.serve && token_deque_count(&own.token_deque) < PLACES) {
        must.held = true;
        must.pc = q.pc;
    } else {
        must.fault = FAULT_DEQUE_FULL;
    }
    return there_was_room;
}
static bool pushes(uint32_t kind, uint64_t mask, uint32_t addr) {
    return !is_lost() && moved(token_deque_push_front(&own.token_deque, kind, mask, addr, place()));
}
static void sleep_for(uint64_t threads, uint32_t kind) {
    own.reason[KIND_NONE] &= ~threads;
    own.reason[kind] |= threads;
}
static bool yields(uint64_t threads, uint32_t addr) {
    if (is_lost() || !moved(token_deque_merge(&own.token_deque, threads, addr, place()))) return false;
    sleep_for(threads, KIND_YIELD);
    return true;
}
static bool takes_off(const struct token *front, bool used) {
    if (is_lost()) return false;
    token_deque_pop(&own.token_deque, used, place());
    own.move_count++;
    if (front->kind == KIND_SVEND) own.inside &= ~front->mask;
    return true;
}
// Of the threads those of the portion that the lowest is in.
static uint64_t first_portion(uint64_t threads) {
    uint64_t portion = own.lanes == 64 ? UINT64_MAX : (UINT64_C(1) << own.lanes) - 1;
    for (uint32_t p = 0; p < own.threads / own.lanes; p++) {
        if ((threads & portion) != 0) return threads & portion;
        portion = own.lanes == 64 ? 0 : portion << own.lanes;
    }
    return 0;
}
static void wakes_somebody(void) {
    struct token front;
    while (token_deque_front(&own.token_deque, &front)) {
        const uint64_t all = front.mask & own.reason[front.kind];
        const bool by_portions = front.kind == KIND_PORTION && (q.second || !q.watch);
        const uint64_t threads = by_portions ? first_portion(all) : all;
        if (threads == all && !takes_off(&front, all != 0)) return;
        if (threads == 0) continue;
        own.reason[front.kind] &= ~threads;
        own.reason[KIND_NONE] = threads;
        own.resumed = own.resumed || front.kind == KIND_CALLX;
        must.pc = front.addr;
        return;
    }
    must.ended = own.reason[KIND_HELD] == 0;
}

static void leaves(uint32_t kind) {
    struct token front;
    const bool waits = kind == KIND_EXIT || kind == KIND_LONGJMP || own.token_deque.held[kind] > 0;
    if (waits) {
        const bool all = q.exec == active_now();
        sleep_for(q.exec, kind);
        if (all) wakes_somebody();
        return;
    }
    // No token of its kind: to the target by themselves.
    if (q.exec != q.group && !yields(q.exec & ~q.group, q.pc)) return;
    if (q.group == active_now()) {
        bool awaited = false;
        while (token_deque_front(&own.token_deque, &front) && front.kind != KIND_YIELD && !awaited) {
            awaited = (front.mask & own.reason[front.kind]) != 0;
            if (!awaited && !takes_off(&front, false)) return;
        }
        if (!awaited) {
            must.pc = q.target;
            return;
        }
    }
    if (yields(q.group, q.target) && active_now() == 0) wakes_somebody();
}

static void branches(void) {
    const uint64_t active = active_now(), others = active & ~first_portion(active);
    struct token front;
    if (q.exec != active || q.group != q.exec) {
        if (!pushes(KIND_DIV, q.group, q.target)) return;
        sleep_for(q.group, KIND_DIV);
        if (q.group != q.exec) must.pc = q.pc;
        return;
    }
    if (q.opcode == OP_BRA && q.mod == BRA_TURN && q.watch) {
        const bool any = token_deque_front(&own.token_deque, &front);
        if (q.second && others != 0) {
            if (!pushes(KIND_PORTION, others, q.target)) return;
            sleep_for(others, KIND_PORTION);
        } else if (!q.second && any && front.kind == KIND_PORTION && front.addr == q.target) {
            const uint64_t waiting = front.mask & own.reason[KIND_PORTION];
            if (waiting != 0 && !takes_off(&front, true)) return;
            own.reason[KIND_PORTION] &= ~waiting;
            own.reason[KIND_NONE] |= waiting;
        }
    }
    must.pc = q.target;
}

static void calls_groups(uint32_t next) {
    if (!own.resumed && !pushes(KIND_RET, q.exec, next)) return;
    own.resumed = true;
    if (q.exec != q.group) {
        if (!pushes(KIND_CALLX, q.exec & ~q.group, q.pc)) return;
        sleep_for(q.exec & ~q.group, KIND_CALLX);
    }
    own.resumed = false;
    must.pc = q.target;
}

static void starts_sequence(uint32_t next) {
    const uint64_t active = active_now();
    const bool again = own.resumed;
    const uint64_t others = again || q.second ? active & ~first_portion(active) : 0;
    if (q.exec != active || (q.exec & own.inside) != 0) {
        must.fault = FAULT_ILLEGAL_INSTRUCTION;
        own.resumed = false;
        return;
    }
    if (!q.second && !q.watch && !again) return;
    if (!again && !pushes(KIND_SVEND, active, q.target)) return;
    own.resumed = again || others != 0;
    if (own.resumed && !pushes(KIND_PORTION, others, next)) return;
    if (own.resumed) sleep_for(others, KIND_PORTION);
    own.resumed = false;
    own.inside |= active;
}

static void executes(void) {
    const uint32_t next = (q.pc + 1) & PC_MASK;
    const bool all = q.exec == active_now();
    static const uint32_t tokens[][2] = {{OP_SSY, KIND_SYNC},
                                         {OP_PBRK, KIND_BRK},
                                         {OP_PCONT, KIND_CONT},
                                         {OP_PEXIT, KIND_EXIT},
                                         {OP_PLONGJMP, KIND_LONGJMP}};
    static const uint32_t ends[][2] = {{OP_SYNC, KIND_SYNC}, {OP_BRK, KIND_BRK},   {OP_CONT, KIND_CONT},
                                       {OP_RET, KIND_RET},   {OP_EXIT, KIND_EXIT}, {OP_LONGJMP, KIND_LONGJMP}};
    memset(&must, 0, sizeof must);
    must.pc = next;
    own.move_count = 0;
    if (IS(OP_SMOV, OP_SMOV_I, OP_VOTE, OP_SVLOOP_BEGIN, OP_SVLOOP_END)) {
        const uint64_t both = own.reason[KIND_NONE] | own.reason[KIND_HELD];
        own.reason[KIND_NONE] = both & q.group;
        own.reason[KIND_HELD] = both & ~q.group;
        must.pc = q.target;
        return;
    }
    if (q.exec == 0) {
        if (IS(OP_JCALX, OP_SVSTART)) own.resumed = false;
        if (q.opcode == OP_SVSTART && all) must.pc = q.target;
        return;
    }
    if (!all && (IS(OP_SSY, OP_PBRK, OP_PCONT, OP_PEXIT, OP_PLONGJMP, OP_CAL, OP_JCAL, OP_JCALX, OP_YIELD) ||
                 IS(OP_TRAP, OP_TRET, OP_TLEAVE, OP_TEXIT))) {
        must.fault = FAULT_ILLEGAL_INSTRUCTION;
        if (q.opcode == OP_JCALX) own.resumed = false;
        return;
    }
    for (uint32_t i = 0; i < 5; i++) {
        if (q.opcode == tokens[i][0]) pushes(tokens[i][1], q.exec, q.target);
    }
    for (uint32_t i = 0; i < 6; i++) {
        if (q.opcode == ends[i][0]) leaves(ends[i][1]);
    }
    if (IS(OP_CAL, OP_JCAL) && pushes(KIND_RET, q.exec, next)) must.pc = q.target;
    if (q.opcode == OP_JCALX) calls_groups(next);
    if (IS(OP_BRA, OP_BRX, OP_JMX, OP_JMP)) branches();
    if (q.opcode == OP_YIELD) {
        const bool fires = yield_counts_fire(&own.yields, q.mod, q.target, q.exec);
        if (fires && !yields(q.exec, next)) return;
        yield_counts_done(&own.yields, q.mod, q.exec, divergence_threads(&own), fires);
        if (fires) wakes_somebody();
    }
    if (q.opcode == OP_SVSTART) starts_sequence(next);
    if (q.opcode == OP_SVEND && (q.exec & own.inside) != 0) {
        sleep_for(q.exec & own.inside, KIND_SVEND);
        if (active_now() == 0) wakes_somebody();
    }
    if (IS(OP_TRAP, OP_TRET)) must.pc = q.target;
    if (IS(OP_TLEAVE, OP_TEXIT)) must.ended = true;
    if (q.opcode == OP_TREASON) {
        for (uint32_t r = 0; r < 16; r++)
            own.reason[r] = r == q.mod ? own.reason[r] | q.exec : own.reason[r] & ~q.exec;
    }
    if (q.opcode == OP_TPOP && token_deque_front(&own.token_deque, &must.popped)) {
        must.took = true;
        takes_off(&must.popped, false);
    }
    if (q.opcode == OP_TPUSH && q.mod == KIND_YIELD) {
        if (!is_lost()) moved(token_deque_merge(&own.token_deque, q.exec, q.target, place()));
    } else if (q.opcode == OP_TPUSH && pushes(q.mod, q.exec, q.target) && q.mod == KIND_SVEND) {
        own.inside |= q.exec;
    }
    if (q.opcode == OP_IADD) must.fault = FAULT_ILLEGAL_INSTRUCTION;
}

static void copy_warp(void) {
    struct token *list = own.token_deque.list;
    struct token_move *moves = own.moves;
    own = is;
    own.token_deque.list = list;
    own.moves = moves;
    memcpy(list, is.token_deque.list, is.token_deque.room * sizeof *list);
}

static void check(void) {
    struct divergence_result result;
    memset(&result, 0, sizeof result);
    divergence_execute(&is, &q, &result);
    cr_assert_eq(result.fault, must.fault, "opcode 0x%x: fault %u, not %u", q.opcode, result.fault, must.fault);
    cr_assert(result.took == must.took && result.popped.mask == must.popped.mask);
    cr_assert(result.popped.kind == must.popped.kind && result.popped.addr == must.popped.addr);
    if (must.fault == FAULT_NONE)
        cr_assert(result.pc == must.pc && result.ended == must.ended && result.held == must.held, "opcode 0x%x",
                  q.opcode);
    cr_assert_eq(memcmp(is.reason, own.reason, sizeof own.reason), 0, "opcode 0x%x", q.opcode);
    cr_assert(is.inside == own.inside && is.resumed == own.resumed && is.trapped == own.trapped);
    cr_assert_eq(memcmp(&is.yields, &own.yields, sizeof own.yields), 0);
    cr_assert_eq(is.move_count, own.move_count);
    for (uint32_t i = 0; i < own.move_count; i++) {
        const struct token_move *a = &is.moves[i], *b = &own.moves[i];
        cr_assert(a->op == b->op && a->place == b->place && a->token.mask == b->token.mask);
        cr_assert(a->token.kind == b->token.kind && a->token.addr == b->token.addr);
    }
    cr_assert(is.token_deque.head == own.token_deque.head && is.token_deque.tail == own.token_deque.tail);
}

Test(divergence_rules, random,
     .description =
         "TD-5 TD-6 TD-7 TD-8 TD-9 TD-10 TD-11 TD-12 SV-7 every control instruction in random warps [model]") {
    static const uint32_t widths[][2] = {{32, 4}, {32, 32}, {64, 16}, {64, 64}};
    seed = seed_from_environment();
    fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", seed);
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert(divergence_init(&is, widths[i][0], widths[i][1], PLACES));
        cr_assert(divergence_init(&own, widths[i][0], widths[i][1], PLACES));
        for (uint32_t turn = 0; turn < TURNS / 4; turn++) {
            random_warp();
            random_request();
            copy_warp();
            const bool nth = q.opcode == OP_YIELD && q.mod == YIELD_NTH;
            const bool counts = nth && q.exec != 0 && q.exec == active_now() &&
                                !yield_counts_fire(&own.yields, q.mod, q.target, q.exec);
            cr_assert_eq(divergence_only_counts(&is, q.opcode, q.mod, q.target, q.exec), counts);
            cr_assert_eq(divergence_executes(q.opcode),
                         !IS(OP_IADD, OP_SMOV, OP_SMOV_I, OP_VOTE, OP_SVLOOP_BEGIN, OP_SVLOOP_END));
            executes();
            check();
        }
        divergence_free(&is);
        divergence_free(&own);
    }
}
