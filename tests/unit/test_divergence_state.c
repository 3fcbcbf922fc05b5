// What the divergence unit keeps of a warp: before it starts, for the events of its instructions, between the tokens of
// one. What instructions do: test_divergence_unit.c.
#include <criterion/criterion.h>
#include <malloc.h>

#include "gen/registers.h"
#include "sm/divergence_unit.h"

#define PLACES 256u

static struct divergence warp;

static struct divergence_result run(uint32_t opcode, uint64_t exec, uint32_t target) {
    const struct divergence_request request = {
        .opcode = opcode, .pc = 3, .exec = exec, .target = target, .group = exec, .second = true};
    struct divergence_result result;
    divergence_execute(&warp, &request, &result);
    return result;
}

static void begin(uint32_t threads, uint32_t lanes, uint64_t mask) {
    cr_assert(divergence_init(&warp, threads, lanes, PLACES));
    divergence_start(&warp, mask);
}

static void finish(void) {
    divergence_free(&warp);
}

Test(divergence_state, not_started, .description = "a warp that has not started has no thread, however wide it is") {
    static const uint32_t widths[] = {32, 64};
    for (uint32_t i = 0; i < 2; i++) {
        cr_assert(divergence_init(&warp, widths[i], 8, PLACES));
        for (uint32_t r = 0; r < 16; r++)
            cr_assert_eq(warp.reason[r], r == KIND_ABSENT ? divergence_threads(&warp) : 0, "reason %u", r);
        cr_assert_eq(divergence_active(&warp) | divergence_live(&warp) | warp.inside, 0);
        cr_assert(!warp.resumed && !warp.trapped);
        cr_assert_eq(warp.move_count, 0);
        finish();
    }
}

Test(divergence_state, started, .fini = finish,
     .description = "a start takes no more threads than the warp has, and nothing of the one before is left") {
    begin(32, 8, ~UINT64_C(0));
    cr_assert_eq(divergence_active(&warp), UINT32_MAX);
    cr_assert_eq(warp.reason[KIND_ABSENT], 0);
    cr_assert_eq(run(OP_SVSTART, UINT32_MAX, 9).fault, FAULT_NONE);
    cr_assert_eq(warp.move_count, 2);
    cr_assert_eq(warp.inside, UINT32_MAX);
    warp.resumed = warp.trapped = true;
    divergence_start(&warp, 0xF0);
    cr_assert_eq(divergence_active(&warp), 0xF0);
    cr_assert_eq(warp.reason[KIND_ABSENT], 0xFFFFFF0F);
    cr_assert_eq(warp.reason[KIND_PORTION] | warp.inside | warp.move_count, 0);
    cr_assert(!warp.resumed && !warp.trapped);
}

Test(divergence_state, room_for_moves, .fini = finish,
     .description = "there is room for the events of an instruction that takes all tokens and pushes two") {
    begin(32, 8, 0xFF);
    for (uint32_t i = 0; i < PLACES / 2; i++) {
        cr_assert_eq(run(OP_SSY, 0xFF, 90).fault, FAULT_NONE);
        cr_assert_geq(warp.move_room, token_deque_count(&warp.token_deque) + 1);
        cr_assert_geq(malloc_usable_size(warp.moves), warp.move_room * sizeof *warp.moves);
    }
    const struct divergence_result result = run(OP_EXIT, 0xFF, 0);
    cr_assert(result.fault == FAULT_NONE && result.ended);
    cr_assert_eq(warp.move_count, PLACES / 2);
    cr_assert_geq(warp.move_room, PLACES / 2 + 2);
    for (uint32_t i = 0; i < warp.move_count; i++)
        cr_assert(warp.moves[i].op == TOKEN_POP_THROWN && warp.moves[i].token.kind == KIND_SYNC);
}

Test(divergence_state, one_portion, .fini = finish,
     .description = "SV-2: where all threads of a warp are one portion nobody waits for a turn") {
    begin(64, 64, ~UINT64_C(0));
    cr_assert_eq(run(OP_SVSTART, ~UINT64_C(0), 9).fault, FAULT_NONE);
    cr_assert_eq(warp.move_count, 1);
    cr_assert_eq(divergence_active(&warp), ~UINT64_C(0));
    cr_assert_eq(warp.inside, ~UINT64_C(0));
}

Test(divergence_state, done_in_part, .fini = finish,
     .description =
         "JCALX and SVSTART that are refused, or that nobody executes, are over; other instructions leave it") {
    begin(32, 8, 0xFF);
    static const uint32_t parts[] = {0, 0x0F};
    static const uint32_t fault[] = {FAULT_NONE, FAULT_ILLEGAL_INSTRUCTION};
    for (uint32_t i = 0; i < 2; i++) {
        warp.resumed = true;
        cr_assert_eq(run(OP_SSY, parts[i], 9).fault, fault[i]);
        cr_assert_eq(run(OP_CAL, parts[i], 9).fault, fault[i]);
        cr_assert_eq(run(OP_YIELD, parts[i], 9).fault, fault[i]);
        cr_assert(warp.resumed);
        cr_assert_eq(run(OP_JCALX, parts[i], 9).fault, fault[i]);
        cr_assert_not(warp.resumed);
        warp.resumed = true;
        cr_assert_eq(run(OP_SVSTART, parts[i], 9).fault, fault[i]);
        cr_assert_not(warp.resumed);
    }
    // A token of a handler brings threads of a JCALX to an SVSTART: it pushes the second token, of nobody.
    warp.resumed = true;
    const struct divergence_result result = run(OP_SVSTART, 0xFF, 9);
    cr_assert(result.fault == FAULT_NONE && result.pc == 4 && !warp.resumed);
    cr_assert_eq(warp.move_count, 1);
    cr_assert(warp.moves[0].token.kind == KIND_PORTION && warp.moves[0].token.mask == 0);
}

Test(divergence_state, lost_in_a_trap, .fini = finish,
     .description = "TU-12 TD-21: a TPOP of a warp whose tokens are lost shows the front token, and faults") {
    begin(32, 8, 0xFF);
    cr_assert_eq(run(OP_SSY, 0xFF, 90).fault, FAULT_NONE);
    warp.trapped = true;
    warp.token_deque.failed = true;
    const struct divergence_result result = run(OP_TPOP, UINT32_MAX, 0);
    cr_assert_eq(result.fault, FAULT_DEQUE_MEMORY);
    cr_assert(result.took && result.popped.kind == KIND_SYNC && result.popped.mask == 0xFF && result.popped.addr == 90);
    cr_assert_eq(token_deque_count(&warp.token_deque), 1);
}
