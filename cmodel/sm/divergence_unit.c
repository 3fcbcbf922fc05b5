#include "sm/divergence_unit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"  // FAULT_*

#define PC_MASK 0x3FFFFFu  // program counters have 22 bits

enum control_class {
    CLASS_NONE,
    CLASS_PUSH,
    CLASS_CALL,
    CLASS_CALLX,
    CLASS_BRANCH,
    CLASS_OFF,
    CLASS_YIELD,
    CLASS_EXEC,
    CLASS_SVSTART,
    CLASS_SVEND,
    CLASS_HOP,
    CLASS_TPOP,
    CLASS_TPUSH,
    CLASS_TREASON,
    CLASS_TLEAVE
};

// What the instruction is, and the kind of its token or of the token that its threads wait for.
static enum control_class classify(uint32_t opcode, uint32_t *kind) {
    switch (opcode) {
        case OP_SSY: *kind = KIND_SYNC; return CLASS_PUSH;
        case OP_PBRK: *kind = KIND_BRK; return CLASS_PUSH;
        case OP_PCONT: *kind = KIND_CONT; return CLASS_PUSH;
        case OP_PEXIT: *kind = KIND_EXIT; return CLASS_PUSH;
        case OP_PLONGJMP: *kind = KIND_LONGJMP; return CLASS_PUSH;
        case OP_CAL:
        case OP_JCAL: *kind = KIND_RET; return CLASS_CALL;
        case OP_JCALX: *kind = KIND_RET; return CLASS_CALLX;
        case OP_BRA:
        case OP_BRX:
        case OP_JMX:
        case OP_JMP: *kind = KIND_DIV; return CLASS_BRANCH;
        case OP_SYNC: *kind = KIND_SYNC; return CLASS_OFF;
        case OP_BRK: *kind = KIND_BRK; return CLASS_OFF;
        case OP_CONT: *kind = KIND_CONT; return CLASS_OFF;
        case OP_RET: *kind = KIND_RET; return CLASS_OFF;
        case OP_EXIT: *kind = KIND_EXIT; return CLASS_OFF;
        case OP_LONGJMP: *kind = KIND_LONGJMP; return CLASS_OFF;
        case OP_YIELD: *kind = KIND_YIELD; return CLASS_YIELD;
        case OP_SMOV:
        case OP_SMOV_I:
        case OP_VOTE:
        case OP_SVLOOP_BEGIN:
        case OP_SVLOOP_END: *kind = KIND_HELD; return CLASS_EXEC;
        case OP_SVSTART: *kind = KIND_SVEND; return CLASS_SVSTART;
        case OP_SVEND: *kind = KIND_SVEND; return CLASS_SVEND;
        case OP_TRAP:
        case OP_TRET: *kind = KIND_NONE; return CLASS_HOP;
        case OP_TPOP: *kind = KIND_NONE; return CLASS_TPOP;
        case OP_TPUSH: *kind = KIND_NONE; return CLASS_TPUSH;
        case OP_TREASON: *kind = KIND_NONE; return CLASS_TREASON;
        case OP_TLEAVE:
        case OP_TEXIT: *kind = KIND_NONE; return CLASS_TLEAVE;
        default: *kind = KIND_NONE; return CLASS_NONE;
    }
}

bool divergence_executes(uint32_t opcode) {
    uint32_t kind;
    const enum control_class class = classify(opcode, &kind);
    return (class != CLASS_NONE && class != CLASS_EXEC) || opcode == OP_TFAIL;  // faults before it comes here
}

bool divergence_pushes(uint32_t opcode) {
    uint32_t kind;
    return classify(opcode, &kind) == CLASS_PUSH;
}

#define MOVES_FIRST 16u

bool divergence_init(struct divergence *warp, uint32_t threads, uint32_t lanes, uint32_t places) {
    assert((threads == 32 || threads == 64) && lanes != 0 && threads % lanes == 0);
    memset(warp, 0, sizeof *warp);
    warp->threads = threads;
    warp->lanes = lanes;
    warp->reason[KIND_ABSENT] = threads == 64 ? ~UINT64_C(0) : UINT32_MAX;
    warp->move_room = MOVES_FIRST;
    warp->moves = calloc(warp->move_room, sizeof *warp->moves);
    if (warp->moves == NULL) return false;
    if (!token_deque_init(&warp->token_deque, places)) {
        free(warp->moves);
        warp->moves = NULL;
        return false;
    }
    return true;
}

void divergence_free(struct divergence *warp) {
    token_deque_free(&warp->token_deque);
    free(warp->moves);
    warp->moves = NULL;
}

void divergence_start(struct divergence *warp, uint64_t mask) {
    const uint64_t all = divergence_threads(warp);
    memset(warp->reason, 0, sizeof warp->reason);
    warp->reason[KIND_NONE] = mask & all;
    warp->reason[KIND_ABSENT] = ~mask & all;
    token_deque_reset(&warp->token_deque);
    yield_counts_start(&warp->yields);
    warp->resumed = false;
    warp->trapped = false;
    warp->inside = 0;
    warp->move_count = 0;
}

void divergence_seed(struct divergence *warp, uint32_t seed) {
    yield_counts_seed(&warp->yields, seed);
}

// An instruction pushes or merges at most two tokens, and takes off each token at most once.
static bool has_room_for_moves(struct divergence *warp) {
    const uint32_t most = token_deque_count(&warp->token_deque) + 4;
    if (most <= warp->move_room) return true;
    struct token_move *moves = realloc(warp->moves, 2 * (size_t)most * sizeof *moves);
    if (moves == NULL) return false;
    warp->moves = moves;
    warp->move_room = 2 * most;
    return true;
}

static void switch_off(struct divergence *warp, uint64_t threads, uint32_t reason) {
    warp->reason[KIND_NONE] &= ~threads;
    warp->reason[reason] |= threads;
}

static struct token_move *next_move(struct divergence *warp) {
    return &warp->moves[warp->move_count];
}

// The lowest portion that has threads in mask: those threads.
static uint64_t lowest_portion(const struct divergence *warp, uint64_t mask) {
    if (mask == 0 || warp->lanes == 64) return mask;
    const uint32_t first = (uint32_t)__builtin_ctzll(mask) / warp->lanes * warp->lanes;
    return mask & (((UINT64_C(1) << warp->lanes) - 1) << first);
}

// Tokens of the warp are lost: whatever needs its deque faults.
static bool lost(const struct divergence *warp, struct divergence_result *result) {
    if (warp->token_deque.failed) result->fault = FAULT_DEQUE_MEMORY;
    return warp->token_deque.failed;
}

// The front token goes. False: tokens are lost.
static bool take_front(struct divergence *warp, const struct token *front, bool used,
                       struct divergence_result *result) {
    if (lost(warp, result)) return false;
    token_deque_pop(&warp->token_deque, used, next_move(warp));
    warp->move_count++;
    if (front->kind == KIND_SVEND) warp->inside &= ~front->mask;
    return true;
}

// Takes tokens off the front until one is used, or none is left: then the warp has ended. A portion token wakes one
// portion at a time, and goes with the last one.
static void pop(struct divergence *warp, const struct divergence_request *request, struct divergence_result *result) {
    struct token front;
    while (token_deque_front(&warp->token_deque, &front)) {
        const uint64_t waiting = front.mask & warp->reason[front.kind];
        const bool one = front.kind == KIND_PORTION && !(request->watch && !request->second);
        const uint64_t woken = one ? lowest_portion(warp, waiting) : waiting;
        if (woken == waiting && !take_front(warp, &front, woken != 0, result)) return;
        if (woken != 0) {
            warp->reason[front.kind] &= ~woken;
            warp->reason[KIND_NONE] = woken;
            if (front.kind == KIND_CALLX) warp->resumed = true;
            result->pc = front.addr;
            return;
        }
    }
    // HELD threads wait for the program, not for a token: it goes on, without an active thread, until it switches them
    // on.
    result->ended = warp->reason[KIND_HELD] == 0;
}

// There is no room at one end: software makes it, or the warp faults.
static bool full(const struct divergence *warp, const struct divergence_request *request,
                 struct divergence_result *result) {
    if (request->serve && !token_deque_really_full(&warp->token_deque)) {
        result->held = true;
        result->pc = request->pc;
    } else {
        result->fault = FAULT_DEQUE_FULL;
    }
    return false;
}

static bool push(struct divergence *warp, uint32_t kind, uint64_t mask, uint32_t addr,
                 const struct divergence_request *request, struct divergence_result *result) {
    if (lost(warp, result)) return false;
    if (!token_deque_push_front(&warp->token_deque, kind, mask, addr, next_move(warp)))
        return full(warp, request, result);
    warp->move_count++;
    return true;
}

// The threads wait at the back of the deque and go on at addr.
static bool yield_at(struct divergence *warp, uint64_t threads, uint32_t addr, const struct divergence_request *request,
                     struct divergence_result *result) {
    if (lost(warp, result)) return false;
    if (!token_deque_merge(&warp->token_deque, threads, addr, next_move(warp))) return full(warp, request, result);
    warp->move_count++;
    switch_off(warp, threads, KIND_YIELD);
    return true;
}

// EXEC is written: active threads that are not wanted are held back, held ones that are wanted go on.
static void write_exec(struct divergence *warp, uint64_t wanted) {
    const uint64_t off = divergence_active(warp) & ~wanted, on = warp->reason[KIND_HELD] & wanted;
    warp->reason[KIND_NONE] = (divergence_active(warp) & ~off) | on;
    warp->reason[KIND_HELD] = (warp->reason[KIND_HELD] & ~on) | off;
}

// SYNC, BRK, CONT, RET while no token of the kind stands: nobody will ever wake these threads, so they go to the target
// themselves, at once if no token is left that others wait for and that could wake them too, at a wrong place; else by
// way of the back.
static void go_without_token(struct divergence *warp, const struct divergence_request *request,
                             struct divergence_result *result) {
    const uint64_t others = request->exec & ~request->group;
    if (others != 0 && !yield_at(warp, others, request->pc, request, result)) return;
    if (request->group == divergence_active(warp)) {
        struct token front;
        bool waited_for = false;
        while (token_deque_front(&warp->token_deque, &front) && front.kind != KIND_YIELD) {
            waited_for = (front.mask & warp->reason[front.kind]) != 0;
            if (waited_for) break;
            if (!take_front(warp, &front, false, result)) return;
        }
        if (!waited_for) {
            result->pc = request->target;
            return;
        }
    }
    if (!yield_at(warp, request->group, request->target, request, result)) return;
    if (divergence_active(warp) == 0) pop(warp, request, result);
}

// JCALX: one group of threads with one target.
static void call_group(struct divergence *warp, const struct divergence_request *request, uint32_t next,
                       struct divergence_result *result) {
    const uint64_t others = request->exec & ~request->group;
    if (!warp->resumed) {
        if (!push(warp, KIND_RET, request->exec, next, request, result)) return;
        warp->resumed = true;
    }
    if (others != 0) {
        if (!push(warp, KIND_CALLX, others, request->pc, request, result)) return;
        switch_off(warp, others, KIND_CALLX);
    }
    warp->resumed = false;
    result->pc = request->target;
}

// SVSTART: its token, then one for the portions that have to wait; the first portion goes on. Executed again it
// pushes the second one, whoever waits: nobody does when a token that a trap's handler has put there brings threads of a
// JCALX to it.
static void start_sequence(struct divergence *warp, const struct divergence_request *request, uint32_t next,
                           struct divergence_result *result) {
    const uint64_t active = divergence_active(warp);
    const bool again = warp->resumed;
    const uint64_t others = request->second || again ? active & ~lowest_portion(warp, active) : 0;
    if (!again && !push(warp, KIND_SVEND, active, request->target, request, result)) return;
    warp->resumed = again || others != 0;
    if (warp->resumed) {
        if (!push(warp, KIND_PORTION, others, next, request, result)) return;
        switch_off(warp, others, KIND_PORTION);
    }
    warp->resumed = false;
    warp->inside |= active;
}

// SVEND: threads in a sequence have done their part of it; for others it is nothing.
static void end_sequence(struct divergence *warp, const struct divergence_request *request,
                         struct divergence_result *result) {
    if ((request->exec & warp->inside) == 0) return;
    switch_off(warp, request->exec & warp->inside, KIND_SVEND);
    if (divergence_active(warp) == 0) pop(warp, request, result);
}

// A loop's turn that all active threads take, in a watched sequence: they go on portion by portion, or with the portions
// that wait there. False: there is no room for the token, or tokens are lost.
static bool regroup(struct divergence *warp, const struct divergence_request *request,
                    struct divergence_result *result) {
    const uint64_t active = divergence_active(warp), others = active & ~lowest_portion(warp, active);
    struct token front;
    if (!request->watch || request->opcode != OP_BRA || request->mod != BRA_TURN) return true;
    if (request->second) {
        if (others == 0) return true;
        if (!push(warp, KIND_PORTION, others, request->target, request, result)) return false;
        switch_off(warp, others, KIND_PORTION);
    } else if (token_deque_front(&warp->token_deque, &front) && front.kind == KIND_PORTION &&
               front.addr == request->target) {
        const uint64_t waiting = front.mask & warp->reason[KIND_PORTION];
        if (waiting == 0) return true;
        if (!take_front(warp, &front, true, result)) return false;
        warp->reason[KIND_PORTION] &= ~waiting;
        warp->reason[KIND_NONE] |= waiting;
    }
    return true;
}

// TPOP: the front token leaves, nobody is woken. It is shown even if it cannot leave any more, since tokens are lost.
static void take_token(struct divergence *warp, struct divergence_result *result) {
    struct token front;
    if (!token_deque_front(&warp->token_deque, &front)) return;
    result->took = true;
    result->popped = front;
    take_front(warp, &front, false, result);
}

// TPUSH: a token of any kind comes back to where its kind stands.
static void put_token(struct divergence *warp, const struct divergence_request *request,
                      struct divergence_result *result) {
    if (request->mod == KIND_YIELD) {
        if (lost(warp, result)) return;
        if (!token_deque_merge(&warp->token_deque, request->exec, request->target, next_move(warp))) {
            full(warp, request, result);
        } else {
            warp->move_count++;
        }
        return;
    }
    if (!push(warp, request->mod, request->exec, request->target, request, result)) return;
    if (request->mod == KIND_SVEND) warp->inside |= request->exec;
}

static void set_reason(struct divergence *warp, uint64_t threads, uint32_t reason) {
    for (uint32_t r = 0; r < 16; r++)
        warp->reason[r] &= ~threads;
    warp->reason[reason] |= threads;
}

bool divergence_only_counts(const struct divergence *warp, uint32_t opcode, uint32_t mod, uint32_t target,
                            uint64_t exec) {
    return opcode == OP_YIELD && mod == YIELD_NTH && exec != 0 && exec == divergence_active(warp) &&
           !yield_counts_fire(&warp->yields, mod, target, exec);
}

void divergence_execute(struct divergence *warp, const struct divergence_request *request,
                        struct divergence_result *result) {
    const uint32_t next = (request->pc + 1) & PC_MASK;
    const uint64_t exec = request->exec;
    const uint64_t active = divergence_active(warp);
    const bool uniform = exec == active;
    uint32_t kind;
    const enum control_class class = classify(request->opcode, &kind);

    assert((exec & ~active) == 0 && (class == CLASS_EXEC || (request->group & ~exec) == 0));
    warp->move_count = 0;
    *result = (struct divergence_result){.fault = FAULT_NONE, .ended = false, .pc = next};
    if (!has_room_for_moves(warp)) {
        result->fault = FAULT_DEQUE_FULL;
        return;
    }
    if (class == CLASS_EXEC) {
        write_exec(warp, request->group);
        result->pc = request->target;
        return;
    }
    if (exec == 0) {
        // A group that comes back to its JCALX and is guarded off by then is not called.
        if (class == CLASS_CALLX || class == CLASS_SVSTART) warp->resumed = false;
        if (class == CLASS_SVSTART && active == 0) result->pc = request->target;
        return;
    }
    switch (class) {
        case CLASS_PUSH:
        case CLASS_CALL:
        case CLASS_CALLX:
        case CLASS_YIELD:
            if (!uniform) {
                result->fault = FAULT_ILLEGAL_INSTRUCTION;
                if (class == CLASS_CALLX) warp->resumed = false;
            } else if (class == CLASS_PUSH) {
                push(warp, kind, active, request->target, request, result);
            } else if (class == CLASS_CALL) {
                if (push(warp, kind, active, next, request, result)) result->pc = request->target;
            } else if (class == CLASS_CALLX) {
                call_group(warp, request, next, result);
            } else if (!yield_counts_fire(&warp->yields, request->mod, request->target, exec)) {
                yield_counts_done(&warp->yields, request->mod, exec, divergence_threads(warp), false);
            } else if (yield_at(warp, active, next, request, result)) {
                yield_counts_done(&warp->yields, request->mod, exec, divergence_threads(warp), true);
                pop(warp, request, result);
            }
            return;
        case CLASS_BRANCH:
            if (uniform && request->group == exec) {
                if (regroup(warp, request, result)) result->pc = request->target;
            } else if (push(warp, kind, request->group, request->target, request, result)) {
                switch_off(warp, request->group, kind);
                if (request->group != exec) result->pc = request->pc;  // the others execute it again
            }
            return;
        case CLASS_OFF:
            if (kind != KIND_EXIT && kind != KIND_LONGJMP && !token_deque_holds(&warp->token_deque, kind)) {
                go_without_token(warp, request, result);
            } else {
                switch_off(warp, exec, kind);
                if (uniform) pop(warp, request, result);
            }
            return;
        case CLASS_SVSTART:
            if (!uniform || (exec & warp->inside) != 0) {
                result->fault = FAULT_ILLEGAL_INSTRUCTION;
                warp->resumed = false;
            } else if (request->second || request->watch || warp->resumed) {
                start_sequence(warp, request, next, result);
            }
            return;
        case CLASS_SVEND: end_sequence(warp, request, result); return;
        case CLASS_HOP:
            if (!uniform) {
                result->fault = FAULT_ILLEGAL_INSTRUCTION;
            } else {
                result->pc = request->target;
            }
            return;
        case CLASS_TPOP: take_token(warp, result); return;
        case CLASS_TPUSH: put_token(warp, request, result); return;
        case CLASS_TREASON: set_reason(warp, exec, request->mod); return;
        case CLASS_TLEAVE:
            result->ended = uniform;
            if (!uniform) result->fault = FAULT_ILLEGAL_INSTRUCTION;
            return;
        case CLASS_EXEC:  // done above
        case CLASS_NONE: result->fault = FAULT_ILLEGAL_INSTRUCTION; return;
    }
}
