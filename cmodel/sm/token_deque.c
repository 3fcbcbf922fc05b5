#include "sm/token_deque.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64u

uint32_t token_family(uint32_t kind) {
    switch (kind) {
        case KIND_SYNC:
        case KIND_BRK:
        case KIND_CONT:
        case KIND_EXIT:
        case KIND_SVEND:
        case KIND_LONGJMP: return TOKEN_FLAG_SYNC;
        case KIND_DIV:
        case KIND_PORTION:
        case KIND_CALLX: return TOKEN_FLAG_DIV;
        case KIND_RET: return TOKEN_FLAG_CALL;
        case KIND_YIELD: return TOKEN_FLAG_YIELD;
        default: return 0;
    }
}

static uint32_t asked(uint32_t kind) {
    switch (kind) {
        case KIND_SYNC: return TOKEN_BELOW_SYNC;
        case KIND_BRK: return TOKEN_BELOW_BRK;
        case KIND_CONT: return TOKEN_BELOW_CONT;
        default: return 0;
    }
}

bool token_deque_init(struct token_deque *deque, uint32_t places) {
    memset(deque, 0, sizeof *deque);
    deque->room = places < ROOM_FIRST ? places : ROOM_FIRST;
    deque->list = calloc(deque->room, sizeof *deque->list);
    if (deque->list == NULL) return false;
    token_deque_resize(deque, places, 1);
    token_deque_reset(deque);
    return true;
}

void token_deque_free(struct token_deque *deque) {
    free(deque->list);
    deque->list = NULL;
}

void token_deque_resize(struct token_deque *deque, uint32_t places, uint32_t half) {
    assert(places >= 2 && (places & (places - 1)) == 0 && half >= 1 && half <= places);
    deque->places = places;
    deque->half = half;
}

void token_deque_reset(struct token_deque *deque) {
    deque->head = deque->tail = deque->places / 2;
    memset(deque->held, 0, sizeof deque->held);
    deque->kept = (struct token_kept){.head = deque->head, .tail = deque->tail};
    deque->failed = deque->no_room = false;
}

static struct token *at(const struct token_deque *deque, uint32_t place) {
    return &deque->list[place & (deque->room - 1)];
}

// Room for one token more. Those that are popped and not shown yet are kept: an instruction pushes before it pops.
static bool has_room(struct token_deque *deque) {
    const uint32_t first = deque->kept.head < deque->head ? deque->kept.head : deque->head;
    if (deque->tail - first < deque->room) return true;
    struct token *list = calloc(2 * (size_t)deque->room, sizeof *list);
    deque->no_room = list == NULL;
    if (list == NULL) return false;
    for (uint32_t place = first; place != deque->tail; place++)
        list[place & (2 * deque->room - 1)] = *at(deque, place);
    free(deque->list);
    deque->list = list;
    deque->room *= 2;
    return true;
}

// Of the four flags only the yield flag can change while a token stands: all yield tokens stand at the back end, so there
// is one below this token unless it is the only yield token, or the last.
struct token token_deque_at(const struct token_deque *deque, uint32_t place) {
    struct token token = *at(deque, place);
    const bool yields_below = token.kind == KIND_YIELD ? place != deque->tail - 1 : deque->held[KIND_YIELD] != 0;
    token.flags = (token.flags & ~(uint32_t)TOKEN_FLAG_YIELD) | (yields_below ? (uint32_t)TOKEN_FLAG_YIELD : 0u);
    return token;
}

bool token_deque_front(const struct token_deque *deque, struct token *front) {
    if (token_deque_empty(deque)) return false;
    *front = token_deque_at(deque, deque->head);
    return true;
}

void token_deque_move(struct token_deque *deque, int32_t places) {
    const int64_t head = (int64_t)deque->head + places, tail = (int64_t)deque->tail + places;
    const uint32_t count = token_deque_count(deque);
    if (head < 0 || tail > deque->places) return;
    struct token *moved = calloc(deque->room, sizeof *moved);
    if (moved == NULL) return;  // it finds no room again, and then software gives up
    for (uint32_t i = 0; i < count; i++)
        moved[((uint32_t)head + i) & (deque->room - 1)] = *at(deque, deque->head + i);
    free(deque->list);
    deque->list = moved;
    deque->head = (uint32_t)head;
    deque->tail = (uint32_t)tail;
    deque->kept.head += (uint32_t)places;
    deque->kept.tail += (uint32_t)places;
}

bool token_deque_push_front(struct token_deque *deque, uint32_t kind, uint64_t mask, uint32_t addr,
                            struct token_move *move) {
    assert(kind != KIND_YIELD);
    if (deque->head == 0 || !has_room(deque)) return false;
    struct token front = {0};
    const bool some = token_deque_front(deque, &front);
    move->op = TOKEN_PUSH_FRONT;
    move->token = (struct token){.mask = mask,
                                 .addr = addr,
                                 .kind = kind,
                                 .flags = some ? front.flags | token_family(front.kind) : 0,
                                 .below = some ? front.below | asked(front.kind) : 0};
    move->place = --deque->head;
    *at(deque, move->place) = move->token;
    deque->held[kind]++;
    return true;
}

bool token_deque_push_back(struct token_deque *deque, uint64_t mask, uint32_t addr, struct token_move *move) {
    if (deque->tail == deque->places || !has_room(deque)) return false;
    move->op = TOKEN_PUSH_BACK;
    move->token = (struct token){.mask = mask, .addr = addr, .kind = KIND_YIELD};
    move->place = deque->tail++;
    *at(deque, move->place) = move->token;
    deque->held[KIND_YIELD]++;
    return true;
}

bool token_deque_find_yield(const struct token_deque *deque, uint32_t addr, uint32_t *place) {
    for (uint32_t from_back = 1; from_back <= deque->held[KIND_YIELD]; from_back++) {
        if (at(deque, deque->tail - from_back)->addr == addr) {
            *place = deque->tail - from_back;
            return true;
        }
    }
    return false;
}

bool token_deque_merge(struct token_deque *deque, uint64_t mask, uint32_t addr, struct token_move *move) {
    uint32_t place;
    if (!token_deque_find_yield(deque, addr, &place)) return token_deque_push_back(deque, mask, addr, move);
    move->op = TOKEN_MERGE;
    move->place = place;
    move->before = at(deque, place)->mask;
    at(deque, place)->mask |= mask;
    move->token = token_deque_at(deque, place);
    return true;
}

void token_deque_pop(struct token_deque *deque, bool used, struct token_move *move) {
    assert(!token_deque_empty(deque));
    move->op = used ? TOKEN_POP_USED : TOKEN_POP_THROWN;
    move->token = token_deque_at(deque, deque->head);
    move->place = deque->head++;
    deque->held[move->token.kind]--;
    if (token_deque_empty(deque)) deque->head = deque->tail = deque->places / 2;
}

uint32_t token_deque_first_away(const struct token_deque *deque) {
    return deque->kept.head + 1 + deque->kept.fronts;
}

uint32_t token_deque_away(const struct token_deque *deque) {
    const struct token_kept *kept = &deque->kept;
    return kept->head == kept->tail ? 0 : kept->tail - kept->head - 1 - kept->fronts - kept->backs;
}

bool token_deque_show(struct token_deque *deque, const struct token_move *move) {
    struct token_kept *kept = &deque->kept;
    const bool some = kept->head != kept->tail;
    switch (move->op) {
        case TOKEN_PUSH_FRONT:
            if (some && kept->fronts == deque->half) return false;
            if (some) kept->fronts++;
            kept->head--;
            return true;
        case TOKEN_PUSH_BACK:
            if (some && kept->backs == deque->half) return false;
            if (some) kept->backs++;
            kept->tail++;
            return true;
        case TOKEN_POP_USED:
        case TOKEN_POP_THROWN:
            if (kept->fronts == 0 && token_deque_away(deque) != 0) return false;
            if (kept->tail - kept->head == 1) {
                kept->head = kept->tail = deque->places / 2;
                return true;
            }
            if (kept->fronts != 0) {
                kept->fronts--;
            } else {
                kept->backs--;
            }
            kept->head++;
            return true;
        default: return true;
    }
}

bool token_deque_show_move(struct token_deque *deque, enum token_move_value way, uint32_t *place) {
    struct token_kept *kept = &deque->kept;
    switch (way) {
        case TOKEN_MOVE_OUT_FRONT:
            if (kept->fronts == 0) return false;
            *place = kept->head + kept->fronts--;
            return true;
        case TOKEN_MOVE_OUT_BACK:
            if (kept->backs == 0) return false;
            *place = kept->tail - kept->backs--;
            return true;
        case TOKEN_MOVE_IN:
            if (token_deque_away(deque) == 0 || kept->fronts == deque->half) return false;
            *place = token_deque_first_away(deque);
            kept->fronts++;
            return true;
        default: return false;
    }
}

static void pack(uint32_t threads, const struct token *token, uint32_t flags, uint64_t *lo, uint64_t *hi) {
    if (threads == 64) {
        *lo = token->mask << 32 | token->addr;
        *hi = (uint64_t)flags << 40 | (uint64_t)token->kind << 32 | token->mask >> 32;
    } else {
        *lo = (uint64_t)flags << 58 | (uint64_t)token->addr << 36 | token->mask << 4 | token->kind;
        *hi = 0;
    }
}

void token_pack(uint32_t threads, const struct token *token, uint64_t *lo, uint64_t *hi) {
    pack(threads, token, token->flags, lo, hi);
}

void token_pack_memory(uint32_t threads, const struct token *token, uint64_t *lo, uint64_t *hi) {
    pack(threads, token, (token->flags & ~(uint32_t)TOKEN_FLAG_YIELD) | token->below << 3, lo, hi);
}
