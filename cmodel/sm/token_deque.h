// The token deque of one warp: twin of rtl/sm/token_deque.sv, which keeps the deques of all warps of an SM in one RAM.
//
// Tokens are pushed at the front (nested divergence, as on a stack) and, for YIELD, at the back. Because only yield
// tokens are ever pushed at the back, and everything leaves from the front, all yield tokens stand together at the back
// end.
#ifndef TANDEM_CMODEL_SM_TOKEN_DEQUE_H
#define TANDEM_CMODEL_SM_TOKEN_DEQUE_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/bundles.h"
#include "gen/isa.h"  // KIND_SYNC ..

// Summary flags: what stands below a token. Bit numbers within the flags field.
enum token_flag { TOKEN_FLAG_SYNC = 1, TOKEN_FLAG_DIV = 2, TOKEN_FLAG_CALL = 4, TOKEN_FLAG_YIELD = 8 };

struct token {
    uint64_t mask;   // threads
    uint32_t addr;   // instruction index, 22 bits
    uint32_t kind;   // table kind of the ISA
    uint32_t flags;  // TOKEN_FLAG_*
};

// One event TOKEN, unpacked.
struct token_move {
    enum token_value op;
    struct token token;
};

struct token_deque {
    uint32_t entries;   // room, a power of two
    uint32_t head;      // entry of the front token
    uint32_t tail;      // one past the back token; head == tail: empty
    uint32_t held[16];  // tokens in the deque, by kind
    struct token *ram;  // entries tokens; owned
};

// Gives the deque its room. entries: a power of two, 2 or more. False when memory is short. token_deque_free() gives it
// back.
bool token_deque_init(struct token_deque *deque, uint32_t entries);
void token_deque_free(struct token_deque *deque);

// RESET: empty, head and tail in the middle.
void token_deque_reset(struct token_deque *deque);

// PUSH_FRONT. False when head stands at the bound: nothing is changed. move (may not be NULL): what moved.
bool token_deque_push_front(struct token_deque *deque, uint32_t kind, uint64_t mask, uint32_t addr,
                            struct token_move *move);
// PUSH_BACK of a yield token. False when tail stands at the bound: nothing is changed.
bool token_deque_push_back(struct token_deque *deque, uint64_t mask, uint32_t addr, struct token_move *move);
// MERGE_OR_PUSH_BACK: ORs mask into the yield token with the same address if there is one, else PUSH_BACK.
bool token_deque_merge(struct token_deque *deque, uint64_t mask, uint32_t addr, struct token_move *move);
// POP: takes the front token off; used: whether it is used or thrown away (goes into the event only). The deque must
// not be empty.
void token_deque_pop(struct token_deque *deque, bool used, struct token_move *move);

// LOAD: the token of an entry as software sees it; all zero when none stands there.
void token_deque_load(const struct token_deque *deque, uint32_t entry, struct token *token);
// STORE: the token goes into the entry. Software puts the tokens of the deque elsewhere, in the same order, then moves
// its ends.
void token_deque_store(struct token_deque *deque, uint32_t entry, const struct token *token);
// MOVE: head becomes this entry, tail as many entries behind it as before; nothing when that is past a bound.
void token_deque_move(struct token_deque *deque, uint32_t head);

// The front token with its flags as they are now; false when the deque is empty.
bool token_deque_front(const struct token_deque *deque, struct token *front);
static inline bool token_deque_empty(const struct token_deque *deque) {
    return deque->head == deque->tail;
}
static inline bool token_deque_really_full(const struct token_deque *deque) {
    return deque->tail - deque->head == deque->entries;
}
static inline uint32_t token_deque_count(const struct token_deque *deque) {
    return deque->tail - deque->head;
}
// Does a token of this kind stand anywhere in the deque?
static inline bool token_deque_holds(const struct token_deque *deque, uint32_t kind) {
    return deque->held[kind & 15u] != 0;
}

// The flag of a kind's family: synchronization, divergence, call, yield; 0 for numbers that are no token's kind.
uint32_t token_family(uint32_t kind);
// The token in the format of 32-thread (64 bits, hi zero) or 64-thread warps (128 bits).
void token_pack(uint32_t threads, const struct token *token, uint64_t *lo, uint64_t *hi);

#endif
