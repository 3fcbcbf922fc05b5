#include "sm/token_deque.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

bool token_deque_init(struct token_deque *deque, uint32_t entries) {
    assert(entries >= 2 && (entries & (entries - 1)) == 0);
    memset(deque, 0, sizeof *deque);
    deque->ram = calloc(entries, sizeof *deque->ram);
    if (deque->ram == NULL) return false;
    deque->entries = entries;
    token_deque_reset(deque);
    return true;
}

void token_deque_free(struct token_deque *deque) {
    free(deque->ram);
    deque->ram = NULL;
}

void token_deque_reset(struct token_deque *deque) {
    deque->head = deque->entries / 2;
    deque->tail = deque->entries / 2;
    memset(deque->held, 0, sizeof deque->held);
}

// The token of an entry with its flags as they are now. Of the four only the yield flag can change while a token
// stands: all yield tokens stand at the back end, so there is one below this token unless it is the only yield token,
// or the last.
static struct token look(const struct token_deque *deque, uint32_t entry) {
    struct token token = deque->ram[entry];
    const bool yields_below = token.kind == KIND_YIELD ? entry != deque->tail - 1 : deque->held[KIND_YIELD] != 0;
    token.flags = (token.flags & ~(uint32_t)TOKEN_FLAG_YIELD) | (yields_below ? (uint32_t)TOKEN_FLAG_YIELD : 0u);
    return token;
}

bool token_deque_front(const struct token_deque *deque, struct token *front) {
    if (token_deque_empty(deque)) return false;
    *front = look(deque, deque->head);
    return true;
}

void token_deque_load(const struct token_deque *deque, uint32_t entry, struct token *token) {
    entry &= deque->entries - 1;
    *token = (struct token){0};
    if (entry >= deque->head && entry < deque->tail) *token = look(deque, entry);
}

void token_deque_store(struct token_deque *deque, uint32_t entry, const struct token *token) {
    deque->ram[entry & (deque->entries - 1)] = *token;
}

void token_deque_move(struct token_deque *deque, uint32_t head) {
    const uint32_t count = deque->tail - deque->head;
    if (head > deque->entries - count) return;
    deque->head = head;
    deque->tail = head + count;
}

bool token_deque_push_front(struct token_deque *deque, uint32_t kind, uint64_t mask, uint32_t addr,
                            struct token_move *move) {
    assert(kind != KIND_YIELD);
    if (deque->head == 0) return false;
    struct token front;
    const uint32_t flags = token_deque_front(deque, &front) ? front.flags | token_family(front.kind) : 0;
    move->op = TOKEN_PUSH_FRONT;
    move->token = (struct token){.mask = mask, .addr = addr, .kind = kind, .flags = flags};
    deque->head--;
    deque->ram[deque->head] = move->token;
    deque->held[kind]++;
    return true;
}

bool token_deque_push_back(struct token_deque *deque, uint64_t mask, uint32_t addr, struct token_move *move) {
    if (deque->tail == deque->entries) return false;
    move->op = TOKEN_PUSH_BACK;
    move->token = (struct token){.mask = mask, .addr = addr, .kind = KIND_YIELD, .flags = 0};
    deque->ram[deque->tail] = move->token;
    deque->tail++;
    deque->held[KIND_YIELD]++;
    return true;
}

// Where a yield token with this address stands: looked for at the front, then at the back, then between, as the RTL
// does.
static bool find_yield(const struct token_deque *deque, uint32_t addr, uint32_t *entry) {
    if (deque->held[KIND_YIELD] == 0) return false;
    const uint32_t first = deque->tail - deque->held[KIND_YIELD];
    const uint32_t back = deque->tail - 1;
    if (first == deque->head && deque->ram[first].addr == addr) {
        *entry = first;
        return true;
    }
    if (deque->ram[back].addr == addr) {
        *entry = back;
        return true;
    }
    for (uint32_t at = first; at < back; at++) {
        if (deque->ram[at].addr == addr) {
            *entry = at;
            return true;
        }
    }
    return false;
}

bool token_deque_merge(struct token_deque *deque, uint64_t mask, uint32_t addr, struct token_move *move) {
    uint32_t entry;
    if (!find_yield(deque, addr, &entry)) return token_deque_push_back(deque, mask, addr, move);
    deque->ram[entry].mask |= mask;
    move->op = TOKEN_MERGE;
    move->token = look(deque, entry);
    return true;
}

void token_deque_pop(struct token_deque *deque, bool used, struct token_move *move) {
    assert(!token_deque_empty(deque));
    move->op = used ? TOKEN_POP_USED : TOKEN_POP_THROWN;
    move->token = look(deque, deque->head);
    deque->held[move->token.kind]--;
    deque->head++;
    if (token_deque_empty(deque)) {
        deque->head = deque->entries / 2;
        deque->tail = deque->entries / 2;
    }
}

void token_pack(uint32_t threads, const struct token *token, uint64_t *lo, uint64_t *hi) {
    if (threads == 64) {
        *lo = token->mask << 32 | token->addr;
        *hi = (uint64_t)token->flags << 40 | (uint64_t)token->kind << 32 | token->mask >> 32;
    } else {
        *lo = (uint64_t)token->flags << 58 | (uint64_t)token->addr << 36 | token->mask << 4 | token->kind;
        *hi = 0;
    }
}
