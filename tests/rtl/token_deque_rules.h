// What token_deque and its mover do in a cycle, by the rules that their heads state, of what the C twin has shown so far. Compiled with -DTHREADS=
// -DWARPS= -DDEQUE_ENTRIES=.
#ifndef TANDEM_TESTS_RTL_TOKEN_DEQUE_RULES_H
#define TANDEM_TESTS_RTL_TOKEN_DEQUE_RULES_H

#include "token_mover_rules.h"

#define HALF (DEQUE_ENTRIES / 2)
#define HIGH (3u * HALF / 4)  // more than that many tokens of a half go out
#define LOW (HALF / 2u)       // fewer than that many at the front: they come in
#define BYTES (THREADS / 4)
#define OF_LINE (32 / BYTES)

// What there is of all warps.
struct deques {
    struct token_deque deques[WARPS];
    bool failed[WARPS];     // an answer that failed was given in an earlier cycle
    bool stopped[WARPS];    // it stands at its bound, or is not there yet
    uint32_t size, places;  // of a queue
    uint64_t base;          // of the first queue
    struct mover mover;
    uint32_t read;       // so many yield tokens of the RAM has the operation read
    bool comes;          // the last one in the cycle before: it is compared, nothing else is done
    bool scanned, none;  // no one there has its address, no one at all
};

// Inputs of a cycle.
struct asked {
    bool look, valid, ready, answer, bad;
    uint32_t op, warp, addr;
};

// What the units do in a cycle.
struct rules {
    bool ready, still, full, failed, done, comes, scanned, none;
    uint32_t read;
    struct mover_in in;
    struct mover_does does;
};

static inline uint64_t address_of(const struct deques *all, uint32_t warp, uint32_t place) {
    return all->base + ((uint64_t)warp * all->places + place) * BYTES;
}

static inline bool is_pop(uint32_t op) {
    return op == TOKEN_POP_USED || op == TOKEN_POP_THROWN;
}

// Yield tokens of the RAM that a merge reads, in their order: those of the back half but for the newest, the oldest first, then those of the front
// half, the last one first. The k-th one.
static inline bool yield_in_ram(const struct token_deque *deque, uint32_t k, struct token *token) {
    const struct token_kept *kept = &deque->kept;
    const uint32_t behind = kept->backs > 1 ? kept->backs - 1 : 0;
    if (kept->head == kept->tail) return false;
    if (k >= behind + kept->fronts) return false;
    *token =
        token_deque_at(deque, k < behind ? kept->tail - kept->backs + k : kept->head + kept->fronts - (k - behind));
    return token->kind == KIND_YIELD;
}

static inline struct rules rules_of(const struct deques *all, const struct asked *asked) {
    const struct mover *mover = &all->mover;
    const uint32_t view = asked->look ? asked->warp : mover->at, op = asked->op, addr = asked->addr;
    const struct token_deque *deque = &all->deques[view];
    const struct token_kept *kept = &deque->kept;
    const bool valid = asked->valid, seen = view == mover->at, some = kept->head != kept->tail;
    const uint32_t away = token_deque_away(deque), first = token_deque_first_away(deque);
    const bool failed = all->failed[view] && op != TOKEN_RESET && op != TOKEN_MOVE, merges = op == TOKEN_MERGE;
    struct rules rules;
    struct mover_in &in = rules.in;
    struct token token, none = {};

    const struct token_deque *its = &all->deques[mover->at];
    const bool stands = mover->place >= its->head && mover->place < its->tail;
    in.here = stands ? token_deque_at(its, mover->place) : none;
    in.outside = mover->phase == MADE && address_of(all, mover->at, mover->place) > UINT32_MAX;
    in.ready = asked->ready;
    in.answer = asked->answer;
    in.bad = asked->bad;
    in.want = addr;

    // A merge: the front token, the newest one at the back, those that are read, those in memory.
    bool match =
        some && token_deque_at(deque, kept->head).kind == KIND_YIELD && token_deque_at(deque, kept->head).addr == addr;
    match |= kept->backs != 0 && token_deque_at(deque, kept->tail - 1).addr == addr;
    const bool comes = valid && all->comes;
    if (valid && all->read != 0 && !comes && yield_in_ram(deque, all->read - 1, &token)) match |= token.addr == addr;
    const bool reads = comes || (!(valid && all->scanned) && yield_in_ram(deque, valid ? all->read : 0, &token));
    const bool yields_away = away != 0 && token_deque_at(deque, first + away - 1).kind == KIND_YIELD;
    const bool nowhere = (valid && all->none) || (!reads && !yields_away);
    const bool seeks = valid && seen && merges && !nowhere;
    in.search = seeks && !failed && all->scanned;
    const bool scan = valid && merges && !failed && !match && !nowhere && reads && !comes;
    const bool finds =
        merges && (match || (seen && mover->phase == LOOKS && in.here.kind == KIND_YIELD && in.here.addr == addr));

    const bool front = op == TOKEN_PUSH_FRONT, back = op == TOKEN_PUSH_BACK || (merges && nowhere);
    const bool bound = (front && kept->head == 0) || (back && kept->tail == deque->places);
    const bool lacks = (front && some && kept->fronts == HALF) || (back && kept->backs == HALF) ||
                       (is_pop(op) && kept->fronts == 0 && away != 0);
    const bool settles = bound || op == TOKEN_RESET || op == TOKEN_MOVE;
    const bool moving = seen && (mover->phase != NOTHING || mover->unanswered != 0);
    const bool stuck = settles ? moving : lacks || (merges && !nowhere);
    const bool waits = !failed && !finds && stuck;
    rules.ready = !waits;
    rules.still = !moving;
    rules.failed = valid && failed;
    rules.done = valid && !waits && !failed;
    rules.full = valid && !failed && bound && !moving && !finds;

    const bool high_front = kept->fronts > HIGH && all->size != 0, high_back = kept->backs > HIGH && all->size != 0;
    const bool due = high_front || high_back || (away != 0 && kept->fronts < LOW);
    const bool wanted = valid ? !settles : !all->stopped[view];
    in.way = high_front ? TOKEN_MOVE_OUT_FRONT : high_back ? TOKEN_MOVE_OUT_BACK : TOKEN_MOVE_IN;
    in.waits = valid && stuck && !failed;  // whether a merge finds its token is known too late
    in.warp = asked->warp;
    in.begin = seen && (in.search || (due && !all->failed[view] && wanted));
    in.may = seen && !(valid && (!stuck || (merges && !all->scanned && !all->none)));
    in.more = !seen || (away != 0 && kept->fronts < HIGH && !all->failed[view]);
    if (mover->phase == LOOKS)
        in.place = first;
    else if (in.search)
        in.place = first + away - 1;
    else
        in.place = high_front ? kept->head + kept->fronts : high_back ? kept->tail - kept->backs : first;
    rules.does = mover_rules(mover, &in);
    rules.comes = scan;
    rules.read = scan ? all->read + 1 : comes && !failed ? all->read : 0;
    rules.scanned = valid && waits && (all->scanned || (merges && !reads));
    rules.none = valid && waits && (all->none || rules.does.none || (merges && nowhere));
    return rules;
}

#endif
