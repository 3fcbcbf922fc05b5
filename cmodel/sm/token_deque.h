// The token deque of one warp: twin of rtl/sm/token_deque.sv, which has the deques of all warps of an SM.
//
// Tokens are pushed at the front (nested divergence, as on a stack) and, for YIELD, at the back. Because only yield
// tokens are ever pushed at the back, and everything leaves from the front, all yield tokens stand together at the back
// end.
//
// Here a deque is a list of all its tokens, as the instructions that were issued leave it. The RTL keeps both ends in the
// SM and all between them in memory; how much of it is struct token_kept, which goes by what has been shown (events TOKEN
// and TOKEN_MOVE). What stands in memory is what the list has in these places: nobody else writes there.
#ifndef TANDEM_CMODEL_SM_TOKEN_DEQUE_H
#define TANDEM_CMODEL_SM_TOKEN_DEQUE_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/bundles.h"
#include "gen/isa.h"  // KIND_SYNC ..

// Summary flags: what stands below a token. Bit numbers within the flags field.
enum token_flag { TOKEN_FLAG_SYNC = 1, TOKEN_FLAG_DIV = 2, TOKEN_FLAG_CALL = 4, TOKEN_FLAG_YIELD = 8 };
// Kinds below a token that instructions ask for and that no flag tells.
enum token_below { TOKEN_BELOW_SYNC = 1, TOKEN_BELOW_BRK = 2, TOKEN_BELOW_CONT = 4 };

struct token {
    uint64_t mask;   // threads
    uint32_t addr;   // instruction index, 22 bits
    uint32_t kind;   // table kind of the ISA
    uint32_t flags;  // TOKEN_FLAG_*
    uint32_t below;  // TOKEN_BELOW_*
};

// One event TOKEN, unpacked.
struct token_move {
    enum token_value op;
    struct token token;
    uint32_t place;   // of the token, where it stands or stood
    uint64_t before;  // of a MERGE: the mask before
};

// What has been shown of a deque, and how many of its tokens the SM keeps: the front token and `fronts` behind it, and the
// last `backs`. All between them are in memory.
struct token_kept {
    uint32_t head, tail, fronts, backs;
};

struct token_deque {
    uint32_t places;    // of the queue, a power of two
    uint32_t half;      // the SM keeps at most so many tokens behind the front token, and as many at the back
    uint32_t head;      // place of the front token
    uint32_t tail;      // one past the back token; head == tail: empty
    uint32_t held[16];  // tokens in the deque, by kind
    struct token_kept kept;
    bool failed;         // memory has failed: tokens are lost
    bool no_room;        // the host has no memory for another token
    uint32_t room;       // tokens of list, a power of two
    struct token *list;  // by the low bits of their place; owned
};

// Gives the deque its room. places: a power of two, 2 or more; half: until token_deque_resize() the same. False when
// memory is short. token_deque_free() gives it back.
bool token_deque_init(struct token_deque *deque, uint32_t places);
void token_deque_free(struct token_deque *deque);
// Before a reset: the queue has so many places, of which the SM keeps 2 * half and the front token. Powers of two, places
// not less than half.
void token_deque_resize(struct token_deque *deque, uint32_t places, uint32_t half);

// RESET: empty, head and tail in the middle.
void token_deque_reset(struct token_deque *deque);

// PUSH_FRONT. False when head stands at the bound: nothing is changed. move (may not be NULL): what moved.
bool token_deque_push_front(struct token_deque *deque, uint32_t kind, uint64_t mask, uint32_t addr,
                            struct token_move *move);
// PUSH_BACK of a yield token; none with this address may stand in the deque. False when tail stands at the bound: nothing
// is changed.
bool token_deque_push_back(struct token_deque *deque, uint64_t mask, uint32_t addr, struct token_move *move);
// MERGE_OR_PUSH_BACK: ORs mask into the yield token with the same address if there is one, else PUSH_BACK.
bool token_deque_merge(struct token_deque *deque, uint64_t mask, uint32_t addr, struct token_move *move);
// Where a yield token with this address stands: there is one at most. False: there is none.
bool token_deque_find_yield(const struct token_deque *deque, uint32_t addr, uint32_t *place);
// POP: takes the front token off; used: whether it is used or thrown away (goes into the event only). The deque must
// not be empty.
void token_deque_pop(struct token_deque *deque, bool used, struct token_move *move);

// MOVE: software has moved the tokens in memory so many places to the back, the others follow; nothing past a bound.
void token_deque_move(struct token_deque *deque, int32_t places);

// ---- what is shown
// A TOKEN event of the RTL. False: it cannot have been, since the half that it needs is full, or the token is in memory.
bool token_deque_show(struct token_deque *deque, const struct token_move *move);
// A TOKEN_MOVE event, or what is as good as one: its place in *place. False: there is no such token, or no room for it.
bool token_deque_show_move(struct token_deque *deque, enum token_move_value way, uint32_t *place);
// The first place in memory; how many tokens are there.
uint32_t token_deque_first_away(const struct token_deque *deque);
uint32_t token_deque_away(const struct token_deque *deque);

// The front token with its flags as they are now; false when the deque is empty.
bool token_deque_front(const struct token_deque *deque, struct token *front);
// The token of a place, likewise; one that has been popped as it was, while nothing else has been pushed there.
struct token token_deque_at(const struct token_deque *deque, uint32_t place);
static inline bool token_deque_empty(const struct token_deque *deque) {
    return deque->head == deque->tail;
}
static inline uint32_t token_deque_count(const struct token_deque *deque) {
    return deque->tail - deque->head;
}
// Software can make no room at one end by moving the tokens towards the other one.
static inline bool token_deque_really_full(const struct token_deque *deque) {
    return deque->no_room || token_deque_count(deque) == deque->places;
}
// Does a token of this kind stand anywhere in the deque?
static inline bool token_deque_holds(const struct token_deque *deque, uint32_t kind) {
    return deque->held[kind & 15u] != 0;
}

// The flag of a kind's family: synchronization, divergence, call, yield; 0 for numbers that are no token's kind.
uint32_t token_family(uint32_t kind);
// The token in the format of 32-thread (64 bits, hi zero) or 64-thread warps (128 bits).
void token_pack(uint32_t threads, const struct token *token, uint64_t *lo, uint64_t *hi);
// The same as it stands in memory: in the places of the yield flag and the two bits behind it is what stands below.
void token_pack_memory(uint32_t threads, const struct token *token, uint64_t *lo, uint64_t *hi);

#endif
