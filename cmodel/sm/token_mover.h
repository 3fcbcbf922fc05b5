// Tokens that move between the SM and the warps' queues in memory: twin of rtl/sm/token_mover.sv.
#ifndef TANDEM_CMODEL_SM_TOKEN_MOVER_H
#define TANDEM_CMODEL_SM_TOKEN_MOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"
#include "gen/trace.h"
#include "mem/mem.h"

#define TOKEN_WRITES_MAX 8u  // more than the RTL has under way

struct sm;
struct token_deque;

// In tandem: writes that the RTL has still to perform, the oldest first.
struct token_mover {
    uint32_t writes;
    struct {
        uint32_t warp;
        struct mem_request request;
    } write[TOKEN_WRITES_MAX];
};

// A queue of the size that the registers say, for a warp that starts.
void token_mover_size(const struct sm *sm, struct token_deque *deque);
// Alone: shows what the warp's instruction has moved, token by token, and moves tokens to and from memory as the RTL
// would. Memory that fails is a fault of the warp, if the instruction still needs tokens, or of its next one that does.
void token_mover_run(struct sm *sm, uint32_t warp);

// ---- in tandem
// TOKEN of the warp's instruction, the next one that is due.
bool token_mover_show(struct sm *sm, uint32_t warp, struct why why);
// WARP_FAULT: memory failed while the warp's instruction was under way, and which of its tokens still moved is the RTL's
// choice: then nothing is due but the fault.
void token_mover_fault(struct sm *sm, uint32_t warp, const struct trace_warp_fault *rtl);
bool token_mover_follow(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why);
bool token_mover_perform(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why);

#endif
