// Deliberate defects of the SM, so that tests can show that the tandem check finds such things. The table is in
// README.md.
#include "sm_internal.h"

// After the instruction has been executed rightly; a and b are the operands as they were.
void inject_alu(unsigned inject, const struct decoded *d, const struct execute_state *state, const uint32_t *a,
                const uint32_t *b) {
    uint32_t result[WARP_THREADS_MAX];
    switch (inject) {
        case DEFECT_CARRY:
            if (d->opcode != OP_IADD && d->opcode != OP_IADD_I) return;
            for (unsigned i = 0; i < state->threads; i++)
                result[i] = ((a[i] + b[i]) & 0xFFFFu) | ((a[i] & 0xFFFF0000u) + (b[i] & 0xFFFF0000u));
            break;
        case DEFECT_UMAX_SIGNED:
            if (d->opcode != OP_UMAX && d->opcode != OP_UMAX_I) return;
            for (unsigned i = 0; i < state->threads; i++)
                result[i] = (int32_t)a[i] > (int32_t)b[i] ? a[i] : b[i];
            break;
        case DEFECT_SHIFT_AMOUNT:
            if (d->opcode != OP_SAR && d->opcode != OP_SAR_I) return;
            for (unsigned i = 0; i < state->threads; i++)
                result[i] = (uint32_t)((int32_t)a[i] >> (b[i] & 15u));
            break;
        default: return;
    }
    execute_write(state, d->rd, result);
}

void inject_tokens(unsigned inject, struct warp *warp) {
    struct token_deque *deque = &warp->divergence.token_deque;
    if (warp->divergence.move_count == 0) return;
    struct token_move *move = &warp->divergence.moves[warp->divergence.move_count - 1];
    if (inject == DEFECT_TOKEN_FLAG && move->op == TOKEN_PUSH_FRONT) {
        move->token.flags &= ~(uint32_t)TOKEN_FLAG_SYNC;
        deque->list[deque->head & (deque->room - 1)].flags &= ~(uint32_t)TOKEN_FLAG_SYNC;
    }
    if (inject == DEFECT_TOKEN_ADDRESS && move->op == TOKEN_PUSH_FRONT && move->token.kind == KIND_DIV) {
        move->token.addr++;
        deque->list[deque->head & (deque->room - 1)].addr++;
    }
}

void inject_store(unsigned inject, struct mem_request *request) {
    if (inject == DEFECT_STORE_STROBE && request->op == MEM_WRITE && (request->wstrb >> 31) != 0)
        request->wstrb &= ~0x80000000u;
}
