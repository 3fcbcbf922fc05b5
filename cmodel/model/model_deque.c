// The token deque alone.
#include <stdlib.h>
#include <string.h>

#include "gen/bundles.h"
#include "model/model_internal.h"
#include "sm/token_deque.h"

#define ADDRESS_MASK 0x3FFFFFu
#define ENTRIES_MOST 65536u

struct tandem_model_deque {
    uint32_t threads;
    struct token_deque deque;
};

tandem_model_status tandem_model_deque_create(uint32_t threads, uint32_t entries, tandem_model_deque **deque) {
    if (deque == NULL) return TANDEM_MODEL_INVALID;
    *deque = NULL;
    if ((threads != 32 && threads != 64) || entries < 2 || entries > ENTRIES_MOST || (entries & (entries - 1)) != 0)
        return TANDEM_MODEL_INVALID;
    struct tandem_model_deque *self = calloc(1, sizeof *self);
    if (self == NULL || !token_deque_init(&self->deque, entries)) {
        free(self);
        return TANDEM_MODEL_NO_MEMORY;
    }
    self->threads = threads;
    *deque = self;
    return TANDEM_MODEL_OK;
}

void tandem_model_deque_destroy(tandem_model_deque *deque) {
    if (deque == NULL) return;
    token_deque_free(&deque->deque);
    free(deque);
}

static bool possible(const tandem_model_deque *self, uint32_t op, uint32_t kind, uint64_t mask, uint32_t address) {
    if (op > TOKEN_RESET || address > ADDRESS_MASK || (self->threads == 32 && mask >> 32 != 0)) return false;
    uint32_t place;
    if (op == TOKEN_PUSH_FRONT) return token_family(kind) != 0 && kind != KIND_YIELD;
    if (op == TOKEN_PUSH_BACK) return !token_deque_find_yield(&self->deque, address, &place);
    return (op != TOKEN_POP_USED && op != TOKEN_POP_THROWN) || !token_deque_empty(&self->deque);
}

tandem_model_status tandem_model_deque_do(tandem_model_deque *deque, uint32_t op, uint32_t kind, uint64_t mask,
                                          uint32_t address, tandem_model_move *move) {
    struct token_move moved = {0};
    bool full = false;
    if (move == NULL || !MODEL_HAS(move, high) || !possible(deque, op, kind, mask, address))
        return TANDEM_MODEL_INVALID;
    switch (op) {
        case TOKEN_PUSH_FRONT: full = !token_deque_push_front(&deque->deque, kind, mask, address, &moved); break;
        case TOKEN_PUSH_BACK: full = !token_deque_push_back(&deque->deque, mask, address, &moved); break;
        case TOKEN_MERGE: full = !token_deque_merge(&deque->deque, mask, address, &moved); break;
        case TOKEN_RESET: token_deque_reset(&deque->deque); break;
        default: token_deque_pop(&deque->deque, op == TOKEN_POP_USED, &moved); break;
    }
    move->full = full ? 1 : 0;
    move->op = 0;
    move->low = move->high = 0;
    if (full || op == TOKEN_RESET) return TANDEM_MODEL_OK;
    move->op = (uint32_t)moved.op;
    token_pack(deque->threads, &moved.token, &move->low, &move->high);
    return TANDEM_MODEL_OK;
}

tandem_model_status tandem_model_deque_front(const tandem_model_deque *deque, uint64_t *low, uint64_t *high) {
    struct token front;
    *low = *high = 0;
    if (!token_deque_front(&deque->deque, &front)) return TANDEM_MODEL_IDLE;
    token_pack(deque->threads, &front, low, high);
    return TANDEM_MODEL_OK;
}
