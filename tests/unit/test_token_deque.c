// The token deque against a slow model that is right by its looks: a plain array, every question answered by looking at
// all of it.
#include <criterion/criterion.h>
#include <string.h>

#include "random_numbers.h"
#include "sm/token_deque.h"

#define ENTRIES 64u

// ---- the slow model ----
struct slow {
    struct token tokens[ENTRIES];  // 0 is the front
    uint32_t count;
    uint32_t before, behind;  // room at the two ends
};

static void slow_reset(struct slow *slow) {
    slow->count = 0;
    slow->before = slow->behind = ENTRIES / 2;
}

// TD-4 to the letter: which families stand below.
static uint32_t slow_flags(const struct slow *slow, uint32_t at) {
    uint32_t flags = 0;
    for (uint32_t i = at + 1; i < slow->count; i++)
        flags |= token_family(slow->tokens[i].kind);
    return flags;
}

static struct token slow_token(const struct slow *slow, uint32_t at) {
    struct token token = slow->tokens[at];
    token.flags = slow_flags(slow, at);
    return token;
}

static bool slow_push_front(struct slow *slow, uint32_t kind, uint64_t mask, uint32_t addr) {
    if (slow->before == 0) return false;
    memmove(&slow->tokens[1], &slow->tokens[0], slow->count * sizeof slow->tokens[0]);
    slow->tokens[0] = (struct token){.kind = kind, .mask = mask, .addr = addr};
    slow->count++;
    slow->before--;
    return true;
}

static bool slow_push_back(struct slow *slow, uint64_t mask, uint32_t addr) {
    if (slow->behind == 0) return false;
    slow->tokens[slow->count] = (struct token){.kind = KIND_YIELD, .mask = mask, .addr = addr};
    slow->count++;
    slow->behind--;
    return true;
}

static int slow_find(const struct slow *slow, uint32_t addr) {
    for (uint32_t i = 0; i < slow->count; i++) {
        if (slow->tokens[i].kind == KIND_YIELD && slow->tokens[i].addr == addr) return (int)i;
    }
    return -1;
}

static struct token slow_pop(struct slow *slow) {
    const struct token front = slow_token(slow, 0);
    slow->count--;
    memmove(&slow->tokens[0], &slow->tokens[1], slow->count * sizeof slow->tokens[0]);
    slow->before++;
    if (slow->count == 0) slow_reset(slow);
    return front;
}

static void check_token(const struct token *token, const struct token *expect, const char *what) {
    cr_assert_eq(token->kind, expect->kind, "%s: kind %u, not %u", what, token->kind, expect->kind);
    cr_assert_eq(token->mask, expect->mask, "%s: mask", what);
    cr_assert_eq(token->addr, expect->addr, "%s: address %u, not %u", what, token->addr, expect->addr);
    cr_assert_eq(token->flags, expect->flags, "%s: flags %x, not %x", what, token->flags, expect->flags);
}

static void check_all(const struct token_deque *deque, const struct slow *slow) {
    struct token front;
    cr_assert_eq(token_deque_count(deque), slow->count);
    cr_assert_eq(token_deque_empty(deque), slow->count == 0);
    cr_assert_eq(token_deque_front(deque, &front), slow->count != 0);
    if (slow->count != 0) {
        const struct token expect = slow_token(slow, 0);
        check_token(&front, &expect, "front");
    }
    for (uint32_t kind = 0; kind < 16; kind++) {
        bool held = false;
        for (uint32_t i = 0; i < slow->count; i++)
            held = held || slow->tokens[i].kind == kind;
        cr_assert_eq(token_deque_holds(deque, kind), held, "kind %u", kind);
    }
}

static struct token_deque *make(void) {
    static struct token_deque deque;
    cr_assert(token_deque_init(&deque, ENTRIES));
    return &deque;
}

static const uint32_t front_kinds[] = {KIND_SYNC, KIND_BRK, KIND_CONT, KIND_EXIT, KIND_RET, KIND_LONGJMP, KIND_DIV};

Test(token_deque, random_operations,
     .description = "TD-1 TD-4 TD-11: random operations agree with a plain array that is searched whole") {
    struct token_deque *deque = make();
    struct slow slow;
    uint64_t random = 0x1234567;
    uint32_t full_front = 0, full_back = 0, merged_between = 0;
    slow_reset(&slow);
    for (int i = 0; i < 200000; i++) {
        struct token_move move;
        const uint32_t bias = (uint32_t)(i / 500) % 4;  // towards the front, the back, empty, none
        const uint32_t dice = (uint32_t)(random_bits(&random) % 100);
        const uint32_t kind = front_kinds[random_bits(&random) % 7];
        const uint64_t mask = random_bits(&random) | 1;
        const uint32_t addr = (uint32_t)(random_bits(&random) % 40) * 104729 % 0x400000;
        const uint32_t push_front = bias == 0 ? 70 : 20, merge = bias == 1 ? 70 : bias == 2 ? 10 : 30;
        if (dice < push_front) {
            const bool ok = slow_push_front(&slow, kind, mask, addr);
            full_front += !ok;
            cr_assert_eq(token_deque_push_front(deque, kind, mask, addr, &move), ok);
            if (ok) {
                const struct token expect = slow_token(&slow, 0);
                cr_assert_eq(move.op, TOKEN_PUSH_FRONT);
                check_token(&move.token, &expect, "pushed at the front");
            }
        } else if (dice < push_front + merge) {
            const int at = slow_find(&slow, addr);
            if (at >= 0) {
                slow.tokens[at].mask |= mask;
                merged_between += at > 0 && at + 1 < (int)slow.count;
                cr_assert(token_deque_merge(deque, mask, addr, &move));
                const struct token expect = slow_token(&slow, (uint32_t)at);
                cr_assert_eq(move.op, TOKEN_MERGE);
                check_token(&move.token, &expect, "merged");
            } else {
                const bool ok = slow_push_back(&slow, mask, addr);
                full_back += !ok;
                cr_assert_eq(token_deque_merge(deque, mask, addr, &move), ok);
                if (ok) {
                    const struct token expect = slow_token(&slow, slow.count - 1);
                    cr_assert_eq(move.op, TOKEN_PUSH_BACK);
                    check_token(&move.token, &expect, "pushed at the back");
                }
            }
        } else if (slow.count != 0) {
            const bool used = (mask & 2) != 0;
            const struct token expect = slow_pop(&slow);
            token_deque_pop(deque, used, &move);
            cr_assert_eq(move.op, used ? TOKEN_POP_USED : TOKEN_POP_THROWN);
            check_token(&move.token, &expect, "popped");
        }
        if (i % 50000 == 49999) {
            token_deque_reset(deque);
            slow_reset(&slow);
        }
        check_all(deque, &slow);
    }
    cr_assert(full_front > 0 && full_back > 0 && merged_between > 0, "the stream has missed something: %u %u %u",
              full_front, full_back, merged_between);
    token_deque_free(deque);
}

Test(token_deque, starts_in_the_middle,
     .description = "TD-1: head and tail start in the middle, so half the entries are free at each end") {
    struct token_deque *deque = make();
    struct token_move move;
    cr_assert_eq(deque->head, ENTRIES / 2);
    cr_assert_eq(deque->tail, ENTRIES / 2);
    for (uint32_t i = 0; i < ENTRIES / 2; i++)
        cr_assert(token_deque_push_front(deque, KIND_DIV, 1, i, &move));
    for (uint32_t i = 0; i < ENTRIES / 2; i++)
        cr_assert(token_deque_push_back(deque, 1, i, &move));
    cr_assert_eq(token_deque_count(deque), ENTRIES);
    token_deque_free(deque);
}

Test(token_deque, full_at_the_front,
     .description = "a push past the front bound is refused and changes nothing, though the back has room") {
    struct token_deque *deque = make();
    struct token_move move;
    struct token before, after;
    for (uint32_t i = 0; i < ENTRIES / 2; i++)
        cr_assert(token_deque_push_front(deque, KIND_SYNC, 1, i, &move));
    cr_assert(token_deque_front(deque, &before));
    cr_assert_not(token_deque_push_front(deque, KIND_DIV, 3, 99, &move));
    cr_assert(token_deque_front(deque, &after));
    check_token(&after, &before, "front");
    cr_assert_eq(token_deque_count(deque), ENTRIES / 2);
    cr_assert_not(token_deque_holds(deque, KIND_DIV));
    cr_assert(token_deque_push_back(deque, 1, 7, &move), "the other end has room");
    token_deque_pop(deque, true, &move);
    cr_assert(token_deque_push_front(deque, KIND_DIV, 3, 99, &move), "after a pop there is room again");
    token_deque_free(deque);
}

Test(token_deque, full_at_the_back,
     .description = "a yield past the back bound is refused and changes nothing; a merge still goes") {
    struct token_deque *deque = make();
    struct token_move move;
    for (uint32_t i = 0; i < ENTRIES / 2; i++)
        cr_assert(token_deque_merge(deque, 1, 10 + i, &move));
    cr_assert_not(token_deque_merge(deque, 2, 5, &move));
    cr_assert_not(token_deque_push_back(deque, 2, 5, &move));
    cr_assert_eq(token_deque_count(deque), ENTRIES / 2);
    cr_assert(token_deque_merge(deque, 2, 20, &move), "the address is there");
    cr_assert_eq(move.op, TOKEN_MERGE);
    cr_assert_eq(move.token.mask, 3);
    cr_assert(token_deque_push_front(deque, KIND_SYNC, 1, 0, &move), "the other end has room");
    token_deque_free(deque);
}

Test(token_deque, back_to_the_middle,
     .description = "a deque that becomes empty starts in the middle again, so a loop of yields never fills it") {
    struct token_deque *deque = make();
    struct token_move move;
    for (uint32_t i = 0; i < 10 * ENTRIES; i++) {
        cr_assert(token_deque_merge(deque, 1, i, &move));
        token_deque_pop(deque, true, &move);
        cr_assert_eq(move.token.addr, i);
    }
    cr_assert_eq(deque->head, ENTRIES / 2);
    token_deque_free(deque);
}

Test(token_deque, front_is_a_stack_back_a_queue,
     .description =
         "TD-4 TD-6 TD-11: the front gives the newest of its tokens first, then the yield tokens, oldest first") {
    struct token_deque *deque = make();
    struct token_move move;
    const uint32_t expect[] = {3, 1, 2, 4};
    cr_assert(token_deque_push_front(deque, KIND_SYNC, 1, 1, &move));
    cr_assert(token_deque_merge(deque, 1, 2, &move));
    cr_assert(token_deque_push_front(deque, KIND_DIV, 1, 3, &move));
    cr_assert(token_deque_merge(deque, 1, 4, &move));
    for (int i = 0; i < 4; i++) {
        token_deque_pop(deque, true, &move);
        cr_assert_eq(move.token.addr, expect[i]);
    }
    cr_assert(token_deque_empty(deque));
    token_deque_free(deque);
}

Test(token_deque, flag_of_each_kind,
     .description = "TD-4: each kind sets the flag of its family, and no other, in the tokens above it") {
    const struct {
        uint32_t kind, flag;
    } rows[] = {{KIND_SYNC, 1},    {KIND_BRK, 1}, {KIND_CONT, 1}, {KIND_EXIT, 1},
                {KIND_LONGJMP, 1}, {KIND_DIV, 2}, {KIND_RET, 4}};
    struct token_deque *deque = make();
    struct token_move move;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        token_deque_reset(deque);
        cr_assert(token_deque_push_front(deque, rows[i].kind, 1, 1, &move));
        cr_assert_eq(move.token.flags, 0, "nothing is below the first");
        cr_assert(token_deque_push_front(deque, KIND_DIV, 1, 2, &move));
        cr_assert_eq(move.token.flags, rows[i].flag);
    }
    cr_assert_eq(token_family(KIND_YIELD), 8);
    cr_assert_eq(token_family(KIND_NONE), 0);
    cr_assert_eq(token_family(KIND_ABSENT), 0);
    token_deque_free(deque);
}

Test(token_deque, yield_flag_comes_and_goes,
     .description = "TD-4 TD-11: a yield token pushed behind shows in the front token's flags while it stands") {
    struct token_deque *deque = make();
    struct token_move move;
    struct token front;
    cr_assert(token_deque_push_front(deque, KIND_SYNC, 1, 1, &move));
    cr_assert(token_deque_push_front(deque, KIND_DIV, 1, 2, &move));
    cr_assert(token_deque_merge(deque, 4, 9, &move));
    cr_assert(token_deque_front(deque, &front));
    cr_assert_eq(front.flags, TOKEN_FLAG_SYNC | TOKEN_FLAG_YIELD);
    token_deque_pop(deque, true, &move);
    cr_assert_eq(move.token.flags, TOKEN_FLAG_SYNC | TOKEN_FLAG_YIELD);
    token_deque_pop(deque, true, &move);
    cr_assert_eq(move.token.flags, TOKEN_FLAG_YIELD);
    token_deque_pop(deque, true, &move);
    cr_assert_eq(move.token.flags, 0, "the last token has nothing below");
    token_deque_free(deque);
}

Test(token_deque, merge_wherever_it_stands,
     .description =
         "TD-11: a yield merges at the front, in between and at the back; one bit of difference in the address does "
         "not") {
    struct token_deque *deque = make();
    struct token_move move;
    for (uint32_t i = 0; i < 5; i++)
        cr_assert(token_deque_merge(deque, 1u << i, 100 + i, &move));
    cr_assert_eq(token_deque_count(deque), 5);
    for (uint32_t i = 0; i < 5; i++) {
        cr_assert(token_deque_merge(deque, 0x100, 100 + i, &move));
        cr_assert_eq(move.op, TOKEN_MERGE);
        cr_assert_eq(move.token.mask, 0x100u | 1u << i);
        cr_assert_eq(move.before, 1u << i);
    }
    cr_assert_eq(token_deque_count(deque), 5);
    for (uint32_t bit = 4; bit < 22; bit++) {
        cr_assert(token_deque_merge(deque, 1, 100 ^ 1u << bit, &move));
        cr_assert_eq(move.op, TOKEN_PUSH_BACK, "bit %u", bit);
    }
    token_deque_free(deque);
}

Test(token_deque, no_merge_with_other_kinds, .description = "TD-11: only yield tokens merge") {
    struct token_deque *deque = make();
    struct token_move move;
    cr_assert(token_deque_push_front(deque, KIND_SYNC, 1, 50, &move));
    cr_assert(token_deque_merge(deque, 2, 50, &move));
    cr_assert_eq(move.op, TOKEN_PUSH_BACK);
    cr_assert_eq(token_deque_count(deque), 2);
    token_deque_free(deque);
}

Test(token_deque, format_of_64_bits,
     .description = "TD-2: type 3:0, mask 35:4, address 57:36, flags 61:58, 63:62 zero") {
    uint64_t lo, hi;
    const struct token token = {.kind = KIND_YIELD, .mask = 0x80000001, .addr = 0x200001, .flags = 9};
    token_pack(32, &token, &lo, &hi);
    cr_assert_eq(lo, UINT64_C(8) | UINT64_C(0x80000001) << 4 | UINT64_C(0x200001) << 36 | UINT64_C(9) << 58);
    cr_assert_eq(hi, 0);
    const struct token ones = {.kind = 15, .mask = UINT32_MAX, .addr = 0x3FFFFF, .flags = 15};
    token_pack(32, &ones, &lo, &hi);
    cr_assert_eq(lo, UINT64_C(0x3FFFFFFFFFFFFFFF));
}

Test(token_deque, format_of_128_bits,
     .description = "TD-3: 32-bit address, 64-bit mask, 8-bit type, flags, the rest zero") {
    uint64_t lo, hi;
    const struct token token = {.kind = KIND_DIV, .mask = UINT64_C(0x8000000000000001), .addr = 0x3FFFFF, .flags = 5};
    token_pack(64, &token, &lo, &hi);
    cr_assert_eq(lo, UINT64_C(0x00000001003FFFFF));
    cr_assert_eq(hi, UINT64_C(5) << 40 | UINT64_C(7) << 32 | UINT64_C(0x80000000));
}

Test(token_deque, moved_by_software,
     .description = "TD-15: tokens move by any number of places, in their order; past a bound nothing does") {
    struct token_deque *deque = make();
    struct token_move move;
    struct token token;
    token_deque_resize(deque, ENTRIES, 4);
    token_deque_reset(deque);
    for (uint32_t i = 0; i < ENTRIES / 2; i++)
        cr_assert(token_deque_push_front(deque, KIND_DIV, 1, i, &move));
    cr_assert_not(token_deque_push_front(deque, KIND_DIV, 1, 99, &move));
    cr_assert_not(token_deque_really_full(deque));
    static const int32_t nothing[] = {-1, -4, ENTRIES / 2 + 1, ENTRIES};
    for (uint32_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        token_deque_move(deque, nothing[i]);
        cr_assert_eq(deque->head, 0, "%d places", nothing[i]);
    }
    token_deque_move(deque, 5);
    cr_assert(deque->head == 5 && deque->tail == ENTRIES / 2 + 5);
    for (uint32_t i = ENTRIES / 2; i-- > 0;) {
        cr_assert(token_deque_front(deque, &token));
        cr_assert_eq(token.addr, i);
        if (i != 0) token_deque_pop(deque, true, &move);
    }
    token_deque_reset(deque);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        cr_assert_not(token_deque_really_full(deque));
        if (deque->head == 0) token_deque_move(deque, 1);
        cr_assert(token_deque_push_front(deque, KIND_DIV, 1, i, &move));
    }
    cr_assert(token_deque_really_full(deque), "all places are taken");
    token_deque_free(deque);
}

// A plain picture of what the SM keeps: for each token, from the front on, where it is.
enum where { FRONT, AWAY, BACK };
struct picture {
    enum where at[ENTRIES];
    uint32_t count;
};

static uint32_t count_of(const struct picture *picture, enum where where) {
    uint32_t n = 0;
    for (uint32_t i = 1; i < picture->count; i++)
        n += picture->at[i] == where;
    return n;
}

static void pushed(struct picture *picture, bool front) {
    if (front) {
        memmove(&picture->at[1], &picture->at[0], picture->count * sizeof picture->at[0]);
        picture->at[0] = FRONT;
        picture->at[1] = FRONT;  // the token that was in front, wherever it came from
    } else {
        picture->at[picture->count] = picture->count == 0 ? FRONT : BACK;
    }
    picture->count++;
}

static void popped(struct picture *picture) {
    memmove(&picture->at[0], &picture->at[1], --picture->count * sizeof picture->at[0]);
    picture->at[0] = FRONT;
}

Test(token_deque, nothing_in_memory, .description = "TD-21: of no token and of one alone nothing is in memory") {
    struct token_deque *deque = make();
    struct token_move move;
    uint32_t place;
    cr_expect_eq(token_deque_away(deque), 0);
    cr_assert(token_deque_push_front(deque, KIND_SYNC, 1, 1, &move) && token_deque_show(deque, &move));
    cr_expect_eq(token_deque_away(deque), 0);
    token_deque_resize(deque, ENTRIES, 4);
    cr_expect_not(token_deque_show_move(deque, TOKEN_MOVE_IN, &place));
    token_deque_free(deque);
}

Test(token_deque, reset_forgets_failures,
     .description = "TD-21: what went wrong before is none of the next warp's business") {
    struct token_deque *deque = make();
    deque->failed = deque->no_room = true;
    token_deque_reset(deque);
    cr_expect_not(deque->failed);
    cr_expect_not(deque->no_room);
    token_deque_free(deque);
}

// The list grows behind 64 tokens. From the front none is shown; from the back some are popped and not shown, and stay.
Test(token_deque, list_grows, .description = "TD-1: tokens stay where they are when the list of them grows") {
    struct token_deque deque;
    struct token_move move;
    cr_assert(token_deque_init(&deque, 256));
    for (uint32_t i = 0; i < 100; i++)
        cr_assert(token_deque_push_front(&deque, KIND_SYNC, 1, i, &move));
    for (uint32_t i = 0; i < 100; i++)
        cr_assert_eq(token_deque_at(&deque, deque.head + i).addr, 99 - i);
    token_deque_free(&deque);
    cr_assert(token_deque_init(&deque, 256));
    for (uint32_t i = 0; i < 60; i++)
        cr_assert(token_deque_push_back(&deque, 1, i, &move));
    for (uint32_t i = 0; i < 40; i++)
        token_deque_pop(&deque, true, &move);
    for (uint32_t i = 60; i < 70; i++)
        cr_assert(token_deque_push_back(&deque, 1, i, &move));
    for (uint32_t i = 0; i < 70; i++)
        cr_assert_eq(token_deque_at(&deque, 128 + i).addr, i);
    token_deque_free(&deque);
}

Test(token_deque, kept_in_the_sm,
     .description =
         "TD-21: which tokens are in the SM and which in memory, by what is shown; what cannot be is refused") {
    struct token_deque *deque = make();
    struct picture picture = {.count = 0};
    const uint32_t half = 4;
    uint32_t random = 12345, refused = 0, away = 0;
    token_deque_resize(deque, ENTRIES, half);
    token_deque_reset(deque);
    for (uint32_t n = 0; n < 200000; n++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t dice = random >> 16 & 15, fronts = count_of(&picture, FRONT), backs = count_of(&picture, BACK);
        struct token_move move;
        uint32_t place = 0;
        if (dice < 9) {
            const bool some = picture.count != 0;
            bool can = true, done;
            if (dice < 4) {
                can = !some || fronts < half;
                if (!can || deque->head == 0) continue;
                done = token_deque_push_front(deque, KIND_SYNC, 1, n & 0xFFFF, &move);
                pushed(&picture, true);
            } else if (dice < 6) {
                if ((some && backs == half) || deque->tail == deque->places) continue;
                done = token_deque_push_back(deque, 1, n & 0xFFFF, &move);
                pushed(&picture, false);
            } else {
                if (!some) continue;
                if (fronts == 0 && count_of(&picture, AWAY) != 0) {
                    const struct token_kept kept = deque->kept;
                    cr_assert_not(token_deque_show(deque, &(struct token_move){.op = TOKEN_POP_USED}));
                    cr_assert_eq(memcmp(&kept, &deque->kept, sizeof kept), 0);
                    refused++;
                    continue;
                }
                token_deque_pop(deque, true, &move);
                done = true;
                popped(&picture);
            }
            cr_assert(done && token_deque_show(deque, &move));
        } else {
            const enum token_move_value way = (enum token_move_value)(dice % 3);
            uint32_t index = 0;
            for (uint32_t i = 1; i < picture.count && way == TOKEN_MOVE_OUT_FRONT; i++)
                if (picture.at[i] == FRONT) index = i;
            for (uint32_t i = picture.count; i-- > 1 && way != TOKEN_MOVE_OUT_FRONT;)
                if (picture.at[i] == (way == TOKEN_MOVE_IN ? AWAY : BACK)) index = i;
            if (way == TOKEN_MOVE_IN && fronts == half) index = 0;
            cr_assert_eq(token_deque_show_move(deque, way, &place), index != 0);
            if (index == 0) continue;
            cr_assert_eq(place, deque->head + index);
            picture.at[index] = way == TOKEN_MOVE_IN ? FRONT : AWAY;
        }
        cr_assert_eq(deque->kept.fronts, count_of(&picture, FRONT));
        cr_assert_eq(deque->kept.backs, count_of(&picture, BACK));
        cr_assert_eq(token_deque_away(deque), count_of(&picture, AWAY));
        away += token_deque_away(deque) != 0;
    }
    cr_assert(refused > 100 && away > 1000, "%u refused, %u with tokens in memory", refused, away);
    token_deque_free(deque);
}

Test(token_deque, token_in_memory,
     .description =
         "TD-21: in memory a token is what software sees, but for the yield flag, and says which kinds stand below") {
    struct token_deque *deque = make();
    struct token_move move;
    uint64_t lo, hi;
    cr_assert(token_deque_push_front(deque, KIND_SYNC, 1, 1, &move));
    cr_assert(token_deque_push_front(deque, KIND_BRK, 1, 2, &move));
    cr_assert(token_deque_push_front(deque, KIND_CONT, 1, 3, &move));
    cr_assert(token_deque_push_front(deque, KIND_DIV, 0x80000001u, 0x3FFFFF, &move));
    cr_assert(token_deque_merge(deque, 4, 9, &move));
    const struct token token = token_deque_at(deque, deque->head);
    token_pack_memory(32, &token, &lo, &hi);
    cr_assert_eq(lo, UINT64_C(7) << 61 | (uint64_t)TOKEN_FLAG_SYNC << 58 | UINT64_C(0x3FFFFF) << 36 |
                         UINT64_C(0x80000001) << 4 | KIND_DIV);
    cr_assert_eq(hi, 0);
    token_pack_memory(64, &token, &lo, &hi);
    cr_assert_eq(lo, UINT64_C(0x80000001) << 32 | 0x3FFFFF);
    cr_assert_eq(hi, UINT64_C(7) << 43 | (uint64_t)TOKEN_FLAG_SYNC << 40 | (uint64_t)KIND_DIV << 32);
    token_deque_free(deque);
}

// What software does for a held warp (cmodel/driver/deque.c). False: it can do nothing.
static bool serve(struct token_deque *deque) {
    const uint32_t front = deque->head, back = deque->places - deque->tail;
    const uint32_t step = (front + back + 1) / 2;
    if (token_deque_really_full(deque)) return false;
    token_deque_move(deque, front == 0 ? (int32_t)step : -(int32_t)step);
    return true;
}

static bool push_served(struct token_deque *deque, const struct token *token) {
    struct token_move move;
    while (token->kind == KIND_YIELD ? !token_deque_merge(deque, token->mask, token->addr, &move)
                                     : !token_deque_push_front(deque, token->kind, token->mask, token->addr, &move)) {
        if (!serve(deque)) return false;
    }
    return true;
}

// As the handler of CTAs that step aside brings them back: yield tokens from the first on, the others from the last on.
static void check_comes_back(const struct token_deque *deque, struct token_deque *other) {
    token_deque_reset(other);
    for (uint32_t place = deque->head; place != deque->tail; place++) {
        const struct token token = token_deque_at(deque, place);
        if (token.kind == KIND_YIELD) cr_assert(push_served(other, &token), "a yield token finds no room again");
    }
    for (uint32_t place = deque->tail; place-- != deque->head;) {
        const struct token token = token_deque_at(deque, place);
        if (token.kind != KIND_YIELD)
            cr_assert(push_served(other, &token), "%u tokens of %u find no room again", token_deque_count(deque),
                      deque->places);
    }
    cr_assert_eq(token_deque_count(other), token_deque_count(deque));
    for (uint32_t i = 0; i < token_deque_count(deque); i++) {
        const struct token was = token_deque_at(deque, deque->head + i), is = token_deque_at(other, other->head + i);
        check_token(&is, &was, "came back");
    }
}

Test(token_deque, comes_back_to_other_places,
     .description =
         "TD-15 TD-21 TU-12: whatever a queue has taken finds room in an empty one of its size, and no more") {
    enum { HALF = 8, PLACES = 64 };
    struct token_deque deques[2];
    uint64_t random = 0x51CE;
    uint32_t brims = 0, elsewhere = 0;
    for (uint32_t i = 0; i < 2; i++) {
        cr_assert(token_deque_init(&deques[i], PLACES));
        token_deque_resize(&deques[i], PLACES, HALF);
        token_deque_reset(&deques[i]);
    }
    for (uint32_t i = 0; i < 60000; i++) {
        struct token_move move;
        const uint32_t bias = i / 400 % 3, dice = (uint32_t)(random_bits(&random) % 100);
        const struct token token = {.kind = dice % 4 == 0 ? KIND_YIELD : front_kinds[random_bits(&random) % 7],
                                    .mask = random_bits(&random) | 1,
                                    .addr = (uint32_t)(random_bits(&random) % 97)};
        if (dice < (bias == 0 ? 90u : bias == 1 ? 50u : 10u)) {
            if (!push_served(&deques[0], &token)) {
                cr_assert_eq(token_deque_count(&deques[0]), PLACES);
                brims++;
            }
        } else if (!token_deque_empty(&deques[0])) {
            token_deque_pop(&deques[0], true, &move);
        }
        if (i % 8 == 0) {
            check_comes_back(&deques[0], &deques[1]);
            elsewhere += deques[0].head != deques[1].head;
        }
    }
    cr_assert(brims > 0 && elsewhere > 0, "the stream has missed something: %u %u", brims, elsewhere);
    for (uint32_t i = 0; i < 2; i++)
        token_deque_free(&deques[i]);
}
