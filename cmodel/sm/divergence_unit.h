// Control instructions of a warp: which threads go on, from where. Twin of rtl/sm/divergence_unit.sv.
//
// The RTL unit keeps the state of all warps of an SM and does one instruction at a time; here each warp has a struct of
// its own. The program counter is not part of it: the caller owns it and takes the next one from the result.
#ifndef TANDEM_CMODEL_SM_DIVERGENCE_UNIT_H
#define TANDEM_CMODEL_SM_DIVERGENCE_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sm/token_deque.h"
#include "sm/yield_counts.h"

struct divergence {
    uint32_t threads;     // 32 or 64
    uint32_t lanes;       // threads of a portion
    uint64_t reason[16];  // threads by the reason they are off (table kind); reason[KIND_NONE] is the active mask.
                          // The 16 masks are disjoint and cover all threads. The RTL has 4 bits a thread.
    struct token_deque token_deque;
    struct yield_counts yields;
    bool resumed;              // its JCALX or SVSTART has pushed the first of its tokens
    bool trapped;              // it is in a trap: all its threads execute, whatever they are off for
    uint64_t inside;           // threads in a sub-vector sequence: their SVEND token stands
    struct token_move *moves;  // what the last instruction moved, in order: the events TOKEN that are due; owned
    uint32_t move_count, move_room;
};

struct divergence_request {
    uint32_t opcode;  // a control instruction (divergence_executes())
    uint32_t pc;      // its instruction index
    uint64_t exec;    // active threads whose guard holds
    uint32_t target;  // where it goes, an instruction index: label (REL: pc + 1 + imm; ABS: imm); RET: ra of the lowest
                      // thread of exec
    uint64_t group;   // threads of exec whose target it is. Same label for all: exec. RET, BRX, JMX, JCALX: those whose
                      // ra is that of the lowest thread. Writers of EXEC: the active mask that is asked for; target:
                      // where the warp goes on
    uint32_t mod;     // YIELD: its mode; target is its N or threshold. TPUSH, TREASON: the kind
    bool second;      // in sub-vector order: SVSTART, and what comes later if the order is watched
    bool watch;       // the order of the sequence may change in it
    bool serve;       // software serves a deque that stands at a bound
};

struct divergence_result {
    // FAULT_NONE, FAULT_ILLEGAL_INSTRUCTION, FAULT_DEQUE_FULL, FAULT_DEQUE_MEMORY; not FAULT_NONE: pc and ended mean
    // nothing.
    uint32_t fault;
    bool held;    // a bound is in the way: the instruction is executed again when software has moved the tokens; pc is
                  // its own
    bool ended;   // no active thread and no token: the warp has ended
    uint32_t pc;  // where it goes on
    bool took;    // TPOP: there was a token:
    struct token popped;
};

// threads: 32 or 64; lanes: divides threads; places: of its token queue, as token_deque_init() has them. False when memory
// is short. divergence_free() gives it back.
bool divergence_init(struct divergence *warp, uint32_t threads, uint32_t lanes, uint32_t places);
void divergence_free(struct divergence *warp);

// A warp starts: threads of mask active, the others ABSENT, the deque empty.
void divergence_start(struct divergence *warp, uint64_t mask);
// The seed of its generator, after its start; 0 counts as 1.
void divergence_seed(struct divergence *warp, uint32_t seed);

// True for the control instructions: those that divergence_execute() does by themselves. It also does the part of SMOV,
// VOTE, SVLOOP_BEGIN and SVLOOP_END that writes EXEC, for scalar_unit.
bool divergence_executes(uint32_t opcode);
// .. and does no more than push a token: it changes no threads, so loads and stores may be on their way.
bool divergence_pushes(uint32_t opcode);

// Executes one control instruction. warp->moves[0 .. move_count - 1] are the token movements in order, also when it
// faults.
void divergence_execute(struct divergence *warp, const struct divergence_request *request,
                        struct divergence_result *result);

// True for a YIELD.NTH that does no more than count, by threads exec: nothing of it can fault or stop the warp, so it
// may be issued while something is in flight. The RTL knows it by count_bound of its yield_counts, sometimes later. target: its N.
bool divergence_only_counts(const struct divergence *warp, uint32_t opcode, uint32_t mod, uint32_t target,
                            uint64_t exec);

// All that the warp has room for.
static inline uint64_t divergence_threads(const struct divergence *warp) {
    return warp->threads == 64 ? ~UINT64_C(0) : (UINT64_C(1) << warp->threads) - 1;
}
static inline uint64_t divergence_active(const struct divergence *warp) {
    return warp->trapped ? divergence_threads(warp) : warp->reason[KIND_NONE];
}
// Threads that have been started and have not exited: those that a barrier waits for.
static inline uint64_t divergence_live(const struct divergence *warp) {
    return divergence_threads(warp) & ~warp->reason[KIND_EXIT] & ~warp->reason[KIND_ABSENT];
}

#endif
