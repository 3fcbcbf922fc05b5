// The divergence unit: each control instruction by itself, and what it must refuse. Whole programs:
// test_divergence_flows.c.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "gen/registers.h"
#include "sm/divergence_unit.h"
#include "sm/scalar_unit.h"

#define ENTRIES 64u

static struct divergence warp;

static void begin(uint64_t mask) {
    cr_assert(divergence_init(&warp, 32, 8, ENTRIES));
    divergence_start(&warp, mask);
}

static void finish(void) {
    divergence_free(&warp);
}

static struct divergence_result run(uint32_t opcode, uint32_t pc, uint64_t exec, uint32_t target) {
    const struct divergence_request request = {
        .opcode = opcode, .pc = pc, .exec = exec, .target = target, .group = exec};
    struct divergence_result result;
    divergence_execute(&warp, &request, &result);
    uint64_t seen = 0;
    for (int kind = 0; kind < 16; kind++) {
        cr_assert_eq(seen & warp.reason[kind], 0, "a thread has two reasons");
        seen |= warp.reason[kind];
    }
    cr_assert_eq(seen, UINT32_MAX, "every thread is active or has a reason");
    return result;
}

static void expect_move(uint32_t number, enum token_value op, uint32_t kind, uint64_t mask, uint32_t addr) {
    cr_assert_lt(number, warp.move_count, "token movement %u is missing", number);
    const struct token_move *move = &warp.moves[number];
    cr_assert_eq(move->op, op, "movement %u: operation %u", number, move->op);
    cr_assert_eq(move->token.kind, kind, "movement %u: kind %u", number, move->token.kind);
    cr_assert_eq(move->token.mask, mask, "movement %u: mask %llx", number, (unsigned long long)move->token.mask);
    cr_assert_eq(move->token.addr, addr, "movement %u: address %u", number, move->token.addr);
}

static void expect_on(struct divergence_result result, uint32_t pc, uint64_t active) {
    cr_assert_eq(result.fault, FAULT_NONE, "fault %u", result.fault);
    cr_assert_not(result.ended);
    cr_assert_eq(result.pc, pc, "goes on at %u", result.pc);
    cr_assert_eq(divergence_active(&warp), active, "active %llx", (unsigned long long)divergence_active(&warp));
}

Test(divergence_unit, pushes, .fini = finish,
     .description = "TD-6: SSY, PBRK, PCONT, PEXIT, PLONGJMP push {active mask, label} of their kind at the front") {
    const struct {
        uint32_t opcode, kind;
    } rows[] = {{OP_SSY, KIND_SYNC},
                {OP_PBRK, KIND_BRK},
                {OP_PCONT, KIND_CONT},
                {OP_PEXIT, KIND_EXIT},
                {OP_PLONGJMP, KIND_LONGJMP}};
    begin(0xF0F);
    for (uint32_t i = 0; i < 5; i++) {
        expect_on(run(rows[i].opcode, 10 + i, 0xF0F, 100 + i), 11 + i, 0xF0F);
        cr_assert_eq(warp.move_count, 1);
        expect_move(0, TOKEN_PUSH_FRONT, rows[i].kind, 0xF0F, 100 + i);
    }
}

Test(divergence_unit, calls, .fini = finish,
     .description = "TD-6: CAL and JCAL push {active mask, next instruction} and go; RET comes back") {
    const uint32_t calls[] = {OP_CAL, OP_JCAL};
    begin(0xFF);
    for (int i = 0; i < 2; i++) {
        expect_on(run(calls[i], 5, 0xFF, 50), 50, 0xFF);
        expect_move(0, TOKEN_PUSH_FRONT, KIND_RET, 0xFF, 6);
        expect_on(run(OP_RET, 50, 0x0F, 999), 51, 0xF0);
        cr_assert_eq(warp.move_count, 0);
        expect_on(run(OP_RET, 51, 0xF0, 999), 6, 0xFF);
        expect_move(0, TOKEN_POP_USED, KIND_RET, 0xFF, 6);
    }
}

Test(divergence_unit, branches, .fini = finish,
     .description =
         "TD-7: threads agree: only the program counter changes; they differ: a divergence token for those that "
         "branch") {
    const uint32_t branches[] = {OP_BRA, OP_JMP};
    begin(0xFF);
    for (int i = 0; i < 2; i++) {
        expect_on(run(branches[i], 5, 0xFF, 50), 50, 0xFF);
        expect_on(run(branches[i], 5, 0, 50), 6, 0xFF);
        cr_assert(token_deque_empty(&warp.token_deque));
        expect_on(run(branches[i], 5, 0x0F, 50), 6, 0xF0);
        expect_move(0, TOKEN_PUSH_FRONT, KIND_DIV, 0x0F, 50);
        cr_assert_eq(warp.reason[KIND_DIV], 0x0F);
        run(OP_SSY, 6, 0xF0, 60);
        run(OP_SYNC, 7, 0xF0, 60);
        expect_on(run(OP_YIELD, 60, 0xF0, 0), 50, 0x0F);
        expect_on(run(OP_YIELD, 50, 0x0F, 0), 61, 0xF0);
        divergence_start(&warp, 0xFF);
    }
}

Test(divergence_unit, if_then_else, .fini = finish,
     .description = "TD-5 TD-8 TD-9: both arms run once, with their own threads, and meet at the SSY's label") {
    begin(0xFFFF);
    expect_on(run(OP_SSY, 0, 0xFFFF, 20), 1, 0xFFFF);
    expect_on(run(OP_BRA, 1, 0x00FF, 10), 2, 0xFF00);
    expect_on(run(OP_SYNC, 3, 0xFF00, 20), 10, 0x00FF);
    cr_assert_eq(warp.reason[KIND_SYNC], 0xFF00);
    expect_move(0, TOKEN_POP_USED, KIND_DIV, 0x00FF, 10);
    expect_on(run(OP_SYNC, 12, 0x00FF, 20), 20, 0xFFFF);
    expect_move(0, TOKEN_POP_USED, KIND_SYNC, 0xFFFF, 20);
    cr_assert(token_deque_empty(&warp.token_deque));
}

Test(divergence_unit, thrown_away, .fini = finish,
     .description = "TD-9: a popped token that no thread waits for is thrown away, and the next is popped") {
    begin(0xFF);
    run(OP_PBRK, 0, 0xFF, 40);
    run(OP_PCONT, 1, 0xFF, 30);
    run(OP_SSY, 2, 0xFF, 20);
    expect_on(run(OP_BRK, 3, 0xFF, 40), 40, 0xFF);
    cr_assert_eq(warp.move_count, 3);
    expect_move(0, TOKEN_POP_THROWN, KIND_SYNC, 0xFF, 20);
    expect_move(1, TOKEN_POP_THROWN, KIND_CONT, 0xFF, 30);
    expect_move(2, TOKEN_POP_USED, KIND_BRK, 0xFF, 40);
}

Test(divergence_unit, end, .fini = finish,
     .description = "TD-8 TD-10: EXIT by and by; the warp has ended when no thread is active and no token is left") {
    begin(0xFFFF0000);
    cr_assert_eq(divergence_live(&warp), 0xFFFF0000);
    expect_on(run(OP_EXIT, 0, 0x00FF0000, 0), 1, 0xFF000000);
    cr_assert_eq(divergence_live(&warp), 0xFF000000);
    expect_on(run(OP_EXIT, 1, 0, 0), 2, 0xFF000000);
    const struct divergence_result result = run(OP_EXIT, 2, 0xFF000000, 0);
    cr_assert_eq(result.fault, FAULT_NONE);
    cr_assert(result.ended);
    cr_assert_eq(divergence_live(&warp), 0);
}

Test(divergence_unit, exit_label, .fini = finish,
     .description = "TD-6 TD-8: PEXIT catches the EXITs, PLONGJMP the long jumps") {
    begin(0xF);
    run(OP_PEXIT, 0, 0xF, 77);
    expect_on(run(OP_EXIT, 1, 0x3, 0), 2, 0xC);
    expect_on(run(OP_EXIT, 2, 0xC, 0), 77, 0xF);
    run(OP_PLONGJMP, 77, 0xF, 88);
    run(OP_SSY, 78, 0xF, 99);
    expect_on(run(OP_LONGJMP, 79, 0x8, 0), 80, 0x7);
    expect_on(run(OP_LONGJMP, 80, 0x7, 0), 88, 0xF);
    cr_assert(token_deque_empty(&warp.token_deque));
}

Test(divergence_unit, yield_merges, .fini = finish,
     .description = "TD-11: threads that yield at the same place meet there again") {
    begin(0xFF);
    run(OP_BRA, 0, 0x0F, 10);
    expect_on(run(OP_YIELD, 20, 0xF0, 0), 10, 0x0F);
    expect_move(0, TOKEN_PUSH_BACK, KIND_YIELD, 0xF0, 21);
    expect_move(1, TOKEN_POP_USED, KIND_DIV, 0x0F, 10);
    expect_on(run(OP_YIELD, 20, 0x0F, 0), 21, 0xFF);
    expect_move(0, TOKEN_MERGE, KIND_YIELD, 0xFF, 21);
    expect_move(1, TOKEN_POP_USED, KIND_YIELD, 0xFF, 21);
}

Test(divergence_unit, leaves_without_token, .fini = finish,
     .description = "TD-12: the SSY token is gone because its threads have yielded: SYNC branches to its label") {
    begin(0xFF);
    run(OP_SSY, 0, 0xFF, 40);
    expect_on(run(OP_YIELD, 1, 0xFF, 0), 2, 0xFF);
    expect_move(1, TOKEN_POP_THROWN, KIND_SYNC, 0xFF, 40);
    expect_on(run(OP_SYNC, 2, 0xFF, 40), 40, 0xFF);
    cr_assert_eq(warp.move_count, 0);
}

Test(divergence_unit, leaves_past_other_kinds, .fini = finish,
     .description =
         "TD-12 TD-18: BRK whose own token is gone leaves an inner SSY region, whose token neither holds it nor wakes "
         "it") {
    begin(0xFF);
    run(OP_PBRK, 0, 0xFF, 40);
    run(OP_YIELD, 1, 0xFF, 0);
    run(OP_SSY, 2, 0xFF, 30);
    expect_on(run(OP_BRK, 3, 0x0F, 40), 4, 0xF0);
    expect_move(0, TOKEN_PUSH_BACK, KIND_YIELD, 0x0F, 40);
    expect_on(run(OP_SYNC, 5, 0xF0, 30), 30, 0xF0);
    expect_on(run(OP_BRK, 31, 0xF0, 40), 40, 0xF0);
    cr_assert_eq(warp.move_count, 0, "a yield token in front: it goes on at once");
    expect_on(run(OP_YIELD, 39, 0xF0, 0), 40, 0xFF);
}

Test(divergence_unit, leaves_while_others_wait, .fini = finish,
     .description =
         "TD-12: tokens nobody waits for are thrown away; a token that others wait for stays, and goes first") {
    begin(0xFF);
    run(OP_YIELD, 0, 0xFF, 0);
    run(OP_BRA, 1, 0x0F, 10);
    run(OP_PCONT, 2, 0xF0, 50);
    expect_on(run(OP_BRK, 3, 0xF0, 40), 10, 0x0F);
    cr_assert_eq(warp.move_count, 3);
    expect_move(0, TOKEN_POP_THROWN, KIND_CONT, 0xF0, 50);
    expect_move(1, TOKEN_PUSH_BACK, KIND_YIELD, 0xF0, 40);
    expect_move(2, TOKEN_POP_USED, KIND_DIV, 0x0F, 10);
    expect_on(run(OP_BRK, 11, 0x0F, 40), 40, 0x0F);
    expect_on(run(OP_YIELD, 39, 0x0F, 0), 40, 0xFF);
}

Test(divergence_unit, returns_to_different_callers, .fini = finish,
     .description =
         "TD-12 TD-18: RET without a call token, each thread with its own return address: group after group") {
    begin(0xFF);
    const struct divergence_request request = {.opcode = OP_RET, .pc = 70, .exec = 0xFF, .target = 5, .group = 0x55};
    struct divergence_result result;
    divergence_execute(&warp, &request, &result);
    expect_move(0, TOKEN_PUSH_BACK, KIND_YIELD, 0xAA, 70);
    expect_on(result, 5, 0x55);
    expect_on(run(OP_YIELD, 5, 0x55, 0), 70, 0xAA);
    expect_on(run(OP_RET, 70, 0xAA, 9), 9, 0xAA);
}

Test(divergence_unit, refuses_parts, .fini = finish,
     .description =
         "TD-6 TD-11: SSY, PBRK, PCONT, PEXIT, PLONGJMP, CAL, JCAL, YIELD by a part of the active threads are illegal; "
         "by none, nothing") {
    const uint32_t opcodes[] = {OP_SSY, OP_PBRK, OP_PCONT, OP_PEXIT, OP_PLONGJMP, OP_CAL, OP_JCAL, OP_YIELD};
    begin(0xFF);
    for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++) {
        cr_assert_eq(run(opcodes[i], 3, 0x7F, 9).fault, FAULT_ILLEGAL_INSTRUCTION, "opcode %02x", opcodes[i]);
        cr_assert_eq(warp.move_count, 0);
        cr_assert_eq(divergence_active(&warp), 0xFF);
        cr_assert(token_deque_empty(&warp.token_deque));
        expect_on(run(opcodes[i], 3, 0, 9), 4, 0xFF);
        cr_assert_eq(warp.move_count, 0);
    }
}

Test(divergence_unit, refuses_other_opcodes, .fini = finish,
     .description = "opcodes that are no control instructions, and those not built, are illegal here") {
    begin(0xFF);
    uint32_t executed = 0;
    for (uint32_t opcode = 0; opcode < 256; opcode++) {
        if (divergence_executes(opcode)) {
            executed++;
            cr_assert(isa_table[opcode].mnemonic != NULL && isa_table[opcode].built, "opcode %02x", opcode);
        } else if (!scalar_executes(opcode)) {  // those may write EXEC here
            cr_assert_eq(run(opcode, 3, 0xFF, 9).fault, FAULT_ILLEGAL_INSTRUCTION);
        }
    }
    cr_assert_eq(executed, 29);
}

Test(divergence_unit, full_front, .fini = finish,
     .description = "too many tokens: DEQUE_FULL, and nothing else has happened") {
    begin(0xFF);
    for (uint32_t i = 0; i < ENTRIES / 2; i++)
        expect_on(run(OP_SSY, i, 0xFF, 500), i + 1, 0xFF);
    cr_assert_eq(run(OP_SSY, 50, 0xFF, 500).fault, FAULT_DEQUE_FULL);
    cr_assert_eq(run(OP_CAL, 50, 0xFF, 500).fault, FAULT_DEQUE_FULL);
    cr_assert_eq(run(OP_BRA, 50, 0x0F, 500).fault, FAULT_DEQUE_FULL);
    cr_assert_eq(warp.move_count, 0);
    cr_assert_eq(divergence_active(&warp), 0xFF);
    cr_assert_eq(token_deque_count(&warp.token_deque), ENTRIES / 2);
}

Test(divergence_unit, full_back, .fini = finish,
     .description = "yields that walk past the back bound: DEQUE_FULL, the threads are still active") {
    begin(0xFF);
    run(OP_BRA, 0, 0x0F, 300);
    uint32_t pc = 100, yields = 0;
    struct divergence_result result;
    do {  // two parts of the warp take turns and never meet, so that the deque is never empty
        result = run(OP_YIELD, pc, divergence_active(&warp), 0);
        pc = result.pc + 1;
        yields++;
        cr_assert_leq(yields, ENTRIES);
    } while (result.fault == FAULT_NONE);
    cr_assert_eq(result.fault, FAULT_DEQUE_FULL);
    cr_assert_eq(warp.move_count, 0);
    cr_assert_neq(divergence_active(&warp), 0);
}

Test(divergence_unit, starts_again, .fini = finish,
     .description = "a warp that starts anew keeps nothing of the one before") {
    begin(0xFF);
    run(OP_SSY, 0, 0xFF, 9);
    run(OP_BRA, 0, 0x0F, 10);
    divergence_start(&warp, 0xF00F);
    cr_assert(token_deque_empty(&warp.token_deque));
    cr_assert_not(token_deque_holds(&warp.token_deque, KIND_SYNC));
    cr_assert_eq(divergence_active(&warp), 0xF00F);
    cr_assert_eq(warp.reason[KIND_ABSENT], 0xFFFF0FF0);
    cr_assert_eq(warp.reason[KIND_DIV], 0);
}

Test(divergence_unit, wraps, .fini = finish, .description = "the instruction after the last of the 22-bit range is 0") {
    begin(1);
    expect_on(run(OP_SSY, 0x3FFFFF, 1, 4), 0, 1);
    expect_on(run(OP_CAL, 0x3FFFFF, 1, 4), 4, 1);
    expect_move(0, TOKEN_PUSH_FRONT, KIND_RET, 1, 0);
}

Test(divergence_unit, wide, .description = "TD-3: 64 threads: the upper half takes part like the lower") {
    cr_assert(divergence_init(&warp, 64, 32, ENTRIES));
    divergence_start(&warp, ~UINT64_C(0));
    const struct divergence_request ssy = {
        .opcode = OP_SSY, .pc = 0, .exec = ~UINT64_C(0), .target = 9, .group = ~UINT64_C(0)};
    const struct divergence_request low = {
        .opcode = OP_SYNC, .pc = 1, .exec = UINT32_MAX, .target = 9, .group = UINT32_MAX};
    const struct divergence_request high = {
        .opcode = OP_SYNC, .pc = 2, .exec = ~UINT64_C(0) << 32, .target = 9, .group = ~UINT64_C(0) << 32};
    struct divergence_result result;
    divergence_execute(&warp, &ssy, &result);
    divergence_execute(&warp, &low, &result);
    cr_assert_eq(divergence_active(&warp), ~UINT64_C(0) << 32);
    divergence_execute(&warp, &high, &result);
    cr_assert_eq(divergence_active(&warp), ~UINT64_C(0));
    cr_assert_eq(result.pc, 9);
    divergence_free(&warp);
}

static struct divergence_result run_group(uint32_t opcode, uint32_t pc, uint64_t exec, uint32_t target,
                                          uint64_t group) {
    const struct divergence_request request = {
        .opcode = opcode, .pc = pc, .exec = exec, .target = target, .group = group};
    struct divergence_result result;
    divergence_execute(&warp, &request, &result);
    return result;
}

Test(divergence_unit, indirect_branch_splits, .fini = finish,
     .description = "TD-7: BRX and JMX leave a divergence token for each group of threads but the last") {
    begin(0xFF);
    expect_on(run_group(OP_BRX, 5, 0xFF, 40, 0x03), 5, 0xFC);
    expect_move(0, TOKEN_PUSH_FRONT, KIND_DIV, 0x03, 40);
    expect_on(run_group(OP_BRX, 5, 0xFC, 50, 0x0C), 5, 0xF0);
    expect_on(run_group(OP_JMX, 5, 0xF0, 60, 0xF0), 60, 0xF0);
    cr_assert_eq(warp.move_count, 0);
    expect_on(run(OP_EXIT, 60, 0xF0, 0), 50, 0x0C);
    // A guard: the last group leaves a token too, the rest goes on at the next instruction.
    expect_on(run_group(OP_BRX, 50, 0x04, 70, 0x04), 51, 0x08);
    expect_on(run(OP_EXIT, 51, 0x08, 0), 70, 0x04);
    expect_on(run(OP_EXIT, 70, 0x04, 0), 40, 0x03);
}

Test(divergence_unit, indirect_call_meets_again, .fini = finish,
     .description = "TD-6 TD-7: JCALX calls group by group with one call token; all threads meet behind it") {
    begin(0xFF);
    expect_on(run_group(OP_JCALX, 5, 0xFF, 40, 0x0F), 40, 0x0F);
    expect_move(0, TOKEN_PUSH_FRONT, KIND_RET, 0xFF, 6);
    expect_move(1, TOKEN_PUSH_FRONT, KIND_CALLX, 0xF0, 5);
    expect_on(run(OP_RET, 41, 0x0F, 6), 5, 0xF0);
    expect_on(run_group(OP_JCALX, 5, 0xF0, 50, 0xC0), 50, 0xC0);
    cr_assert_eq(warp.move_count, 1, "no second call token");
    expect_on(run(OP_RET, 51, 0xC0, 6), 5, 0x30);
    expect_on(run_group(OP_JCALX, 5, 0x30, 60, 0x30), 60, 0x30);
    cr_assert_eq(warp.move_count, 0);
    expect_on(run(OP_RET, 61, 0x30, 6), 6, 0xFF);
    cr_assert(token_deque_empty(&warp.token_deque));
    cr_assert_eq(run(OP_JCALX, 6, 0x0F, 9).fault, FAULT_ILLEGAL_INSTRUCTION, "a part of the threads");
}

static struct divergence_result yield(uint32_t mod, uint32_t argument, uint64_t exec, bool serve) {
    const struct divergence_request request = {
        .opcode = OP_YIELD, .pc = 9, .exec = exec, .target = argument, .group = exec, .mod = mod, .serve = serve};
    struct divergence_result result;
    divergence_execute(&warp, &request, &result);
    return result;
}

Test(divergence_unit, yield_every_nth, .fini = finish,
     .description = "TD-13: YIELD.NTH fires at the N-th time, counts from 0 again, and counts to 256 at most") {
    begin(0xFF);
    for (uint32_t n = 1; n <= 12; n++) {
        yield(YIELD_NTH, 4, 0xFF, false);
        cr_assert_eq(warp.move_count, n % 4 == 0 ? 2u : 0u, "execution %u", n);
    }
    yield(YIELD_NTH, 0, 0xFF, false);
    cr_assert_eq(warp.move_count, 2, "0 counts as 1");
    for (uint32_t n = 1; n <= 512; n++) {
        yield(YIELD_NTH, 1000, 0xFF, false);
        cr_assert_eq(warp.move_count, n % 256 == 0 ? 2u : 0u, "execution %u", n);
    }
    // A count for each set of threads.
    finish();
    begin(0xFF);
    expect_on(run(OP_BRA, 5, 0x0F, 20), 6, 0xF0);
    yield(YIELD_NTH, 3, 0xF0, false);
    yield(YIELD_NTH, 3, 0xF0, false);
    expect_on(run(OP_EXIT, 7, 0xF0, 0), 20, 0x0F);
    yield(YIELD_NTH, 3, 0x0F, false);
    cr_assert_eq(warp.move_count, 0, "the other set's count");
}

static bool only_counts(uint32_t mod, uint32_t target, uint64_t exec) {
    return divergence_only_counts(&warp, OP_YIELD, mod, target, exec);
}

Test(divergence_unit, yield_that_only_counts, .fini = finish,
     .description = "TD-13, TD-17: known before it is executed; the bound of the counts is never below one of them") {
    begin(0xFF);
    for (uint32_t n = 1; n <= 40; n++) {
        cr_assert_eq(only_counts(YIELD_NTH, 4, 0xFF), n % 4 != 0, "execution %u", n);
        yield(YIELD_NTH, 4, 0xFF, false);
        cr_assert_eq(warp.yields.count_bound, n < 3 ? n : 3, "8 of 32 threads: others' counts may be as high");
    }
    cr_assert_not(only_counts(YIELD_ALWAYS, 4, 0xFF));
    cr_assert_not(only_counts(YIELD_RANDOM, 0, 0xFF));
    cr_assert_not(only_counts(YIELD_NTH, 4, 0x7F), "it faults");
    cr_assert_not(only_counts(YIELD_NTH, 4, 0));
    cr_assert_not(divergence_only_counts(&warp, OP_SSY, YIELD_NTH, 4, 0xFF));
    finish();
    begin(UINT32_MAX);
    for (uint32_t n = 1; n <= 520; n++) {
        cr_assert_eq(only_counts(YIELD_NTH, 1000, UINT32_MAX), n % 256 != 0, "execution %u", n);
        yield(YIELD_NTH, 1000, UINT32_MAX, false);
        cr_assert_eq(warp.yields.count_bound, n % 256, "all threads: back to 0 when they fire");
    }
}

Test(divergence_unit, yield_at_random, .fini = finish,
     .description = "TD-13: YIELD.RANDOM fires as often as its threshold says; the same seed gives the same sequence") {
    uint32_t fired[2] = {0, 0};
    for (uint32_t turn = 0; turn < 2; turn++) {
        begin(0xFF);
        divergence_seed(&warp, 4711);
        for (uint32_t n = 0; n < 4096; n++) {
            yield(YIELD_RANDOM, 16384, 0xFF, false);
            fired[turn] += warp.move_count != 0;
        }
        finish();
    }
    cr_assert_eq(fired[0], fired[1]);
    cr_assert(fired[0] > 900 && fired[0] < 1150, "%u of 4096 at a threshold of one in four", fired[0]);
    begin(0xFF);
    for (uint32_t n = 0; n < 100; n++) {
        yield(YIELD_RANDOM, 0, 0xFF, false);
        cr_assert_eq(warp.move_count, 0);
        yield(YIELD_RANDOM, 65536, 0xFF, false);
        cr_assert_eq(warp.move_count, 2);
    }
}

Test(divergence_unit, held_at_a_bound, .fini = finish,
     .description =
         "TD-15: served by software a bound holds the warp and changes nothing; moved, it goes on; really full: a "
         "fault") {
    begin(0xFF);
    struct divergence_request request = {
        .opcode = OP_SSY, .pc = 3, .exec = 0xFF, .target = 90, .group = 0xFF, .serve = true};
    struct divergence_result result;
    for (uint32_t i = 0; i < ENTRIES / 2; i++)
        divergence_execute(&warp, &request, &result);
    cr_assert_not(result.held);
    divergence_execute(&warp, &request, &result);
    cr_assert(result.held && result.fault == FAULT_NONE && result.pc == 3 && warp.move_count == 0);
    struct token_deque *deque = &warp.token_deque;
    token_deque_move(deque, ENTRIES / 2 + 1);
    cr_assert_eq(deque->head, 0, "past the end of the queue: nothing");
    token_deque_move(deque, ENTRIES / 2);
    for (uint32_t i = 0; i < ENTRIES / 2; i++) {
        divergence_execute(&warp, &request, &result);
        cr_assert(!result.held && result.fault == FAULT_NONE, "token %u after the move", i);
    }
    divergence_execute(&warp, &request, &result);
    cr_assert(!result.held && result.fault == FAULT_DEQUE_FULL, "really full");
}

Test(divergence_unit, lost_tokens, .fini = finish,
     .description = "TD-21: when memory has failed whatever moves a token faults, and nothing else does") {
    static const uint32_t moving[] = {OP_SSY, OP_CAL, OP_YIELD, OP_SYNC, OP_EXIT, OP_TPOP};
    for (uint32_t i = 0; i < sizeof moving / sizeof moving[0]; i++) {
        begin(0xFF);
        cr_assert_eq(run(OP_SSY, 1, 0xFF, 90).fault, FAULT_NONE);
        warp.token_deque.failed = true;
        cr_assert_eq(run(OP_JMP, 2, 0xFF, 40).fault, FAULT_NONE);
        cr_assert_eq(run(moving[i], 3, 0xFF, 41).fault, FAULT_DEQUE_MEMORY, "opcode %u", moving[i]);
        cr_assert_eq(warp.move_count, 0);
        cr_assert_eq(token_deque_count(&warp.token_deque), 1);
        divergence_free(&warp);
    }
    begin(0xFF);
    cr_assert_eq(run(OP_SSY, 1, 0xFF, 90).fault, FAULT_NONE, "a warp that starts has lost none");
}

static struct divergence_result start_sequence(uint32_t pc, uint64_t exec, uint32_t label, bool second, bool serve) {
    const struct divergence_request request = {
        .opcode = OP_SVSTART, .pc = pc, .exec = exec, .target = label, .group = exec, .second = second, .serve = serve};
    struct divergence_result result;
    divergence_execute(&warp, &request, &result);
    return result;
}

Test(divergence_unit, sequence_portion_by_portion, .fini = finish,
     .description = "SV-2 SV-6 SV-7: a sequence runs for each portion that has threads, then all go on at the label") {
    begin(0xFF0F003F);  // portions of 8; the second has none
    expect_on(start_sequence(4, 0xFF0F003F, 9, true, false), 5, 0x3F);
    cr_assert_eq(warp.move_count, 2);
    expect_move(0, TOKEN_PUSH_FRONT, KIND_SVEND, 0xFF0F003F, 9);
    expect_move(1, TOKEN_PUSH_FRONT, KIND_PORTION, 0xFF0F0000, 5);
    expect_on(run(OP_BRA, 5, 0x03, 7), 6, 0x3C);  // its threads may differ
    expect_on(run(OP_SVEND, 8, 0x3C, 0), 7, 0x03);
    expect_on(run(OP_SVEND, 8, 0x03, 0), 5, 0x0F0000);
    cr_assert_eq(warp.move_count, 0, "the token of portions stays until the last of them");
    expect_on(run(OP_EXIT, 6, 0x0F0000, 0), 5, 0xFF000000);
    expect_move(0, TOKEN_POP_USED, KIND_PORTION, 0xFF0F0000, 5);
    cr_assert_eq(warp.inside, 0xFF0F003F);
    expect_on(run(OP_SVEND, 8, 0xFF000000, 0), 9, 0xFF00003F);
    expect_move(0, TOKEN_POP_USED, KIND_SVEND, 0xFF0F003F, 9);
    cr_assert_eq(warp.inside, 0);
}

Test(divergence_unit, sequence_in_first_order, .fini = finish,
     .description =
         "SV-1 SV-3: in the first order SVSTART and SVEND do nothing; without an active thread SVSTART skips") {
    begin(0xFFFF);
    expect_on(start_sequence(4, 0xFFFF, 9, false, false), 5, 0xFFFF);
    expect_on(run(OP_SVEND, 8, 0xFFFF, 0), 9, 0xFFFF);
    expect_on(start_sequence(4, 0, 9, true, false), 5, 0xFFFF);
    cr_assert_eq(warp.inside, 0);
    const struct divergence_request none = {.opcode = OP_SMOV_I, .pc = 6, .exec = 0xFFFF, .target = 7, .group = 0};
    struct divergence_result result;
    divergence_execute(&warp, &none, &result);
    expect_on(start_sequence(4, 0, 9, true, false), 9, 0);
    cr_assert(token_deque_empty(&warp.token_deque));
}

Test(divergence_unit, sequence_refused, .fini = finish,
     .description = "SV-7: SVSTART by a part of the threads, or inside a sequence in either order, is illegal") {
    begin(0xFFFF);
    cr_assert_eq(start_sequence(4, 0xFF, 9, true, false).fault, FAULT_ILLEGAL_INSTRUCTION);
    cr_assert_eq(start_sequence(4, 0xFF, 9, false, false).fault, FAULT_ILLEGAL_INSTRUCTION);
    expect_on(start_sequence(4, 0xFFFF, 9, true, false), 5, 0xFF);
    cr_assert_eq(start_sequence(5, 0xFF, 9, true, false).fault, FAULT_ILLEGAL_INSTRUCTION);
    cr_assert_eq(start_sequence(5, 0xFF, 9, false, false).fault, FAULT_ILLEGAL_INSTRUCTION);
}

Test(divergence_unit, sequence_held_between_tokens, .fini = finish,
     .description = "SV-7 TD-15: held between its two tokens SVSTART goes on with the second") {
    begin(0xFFFF);
    for (uint32_t i = 0; i < ENTRIES / 2 - 1; i++)
        run(OP_SSY, i, 0xFFFF, 90);
    struct divergence_result result = start_sequence(40, 0xFFFF, 90, true, true);
    cr_assert(result.held && result.pc == 40 && warp.move_count == 1 && warp.resumed);
    struct token_deque *deque = &warp.token_deque;
    token_deque_move(deque, ENTRIES / 2);
    expect_on(start_sequence(40, 0xFFFF, 90, false, true), 41, 0xFF);
    cr_assert_eq(warp.move_count, 1);
    expect_move(0, TOKEN_PUSH_FRONT, KIND_PORTION, 0xFF00, 41);
}

Test(divergence_unit, sequence_left_by_yield, .fini = finish,
     .description =
         "SV-7 TD-11: a portion that yields lets the next one begin; threads that come back find the "
         "sequence over") {
    begin(0xFFFF);
    expect_on(start_sequence(4, 0xFFFF, 9, true, false), 5, 0xFF);
    expect_on(run(OP_YIELD, 6, 0xFF, 0), 5, 0xFF00);
    expect_on(run(OP_SVEND, 8, 0xFF00, 0), 9, 0xFF00);
    cr_assert_eq(warp.inside, 0);
    expect_on(run(OP_YIELD, 10, 0xFF00, 0), 7, 0xFF);
    expect_on(run(OP_SVEND, 8, 0xFF, 0), 9, 0xFF);
}
