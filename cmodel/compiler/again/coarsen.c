// Loops in which work-items walk side by side, each to the place that its neighbours leave for it:
//
//     for (i = base + rank; i < end; i += ranks) body(i)      rank: 0 .. ranks - 1, of a work-group or of a launch
//
// become rounds in which each work-item takes `factor` neighbouring elements, and the old loop for what is left over:
//
//     for (u = base; end - u >= factor * ranks; u += factor * ranks)
//         body(u + factor * rank), body(u + factor * rank + 1), ..
//     for (i = u + rank; i < end; i += ranks) body(i)
//
// So neighbours become one access of 64 or 128 bits, and the threads of a warp together need fewer, whole lines.
//
// Other work-items than before do the work of an element. That nobody can tell holds where
//   - all work-items come to the loop, with the same base, end and step, and nothing else in the loop is a
//     work-item's own (shared_values.c);
//   - turns do not depend on each other: what the loop stores lies apart from all else that it accesses, by the facts
//     or because both go up with the counter, each turn in its own bytes;
//   - what is accessed before and behind the loop lies apart from it too, or a barrier is in between (barriers.c).
// The setup asks when the code runs whether there is a whole round and whether the first addresses are aligned; else
// the old loop does it all.
#include "compiler/again/coarsen.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/again/barriers.h"
#include "compiler/again/shared_values.h"
#include "compiler/base/text.h"
#include "compiler/ir/addresses.h"
#include "compiler/ir/loop_hints.h"
#include "compiler/ir/names.h"
#include "compiler/tune/counted_loop.h"
#include "gen/isa.h"

enum {
    ACCESSES_MAX = 24,
    FACTOR_MAX = 8,
    CODE_MAX = 160,          // instructions of a round
    WIDEST = 16,             // bytes of an access
    RANKS_MAX = 0x07FFFFFF,  // so that no product of the setup wraps
    STRIDE_MASK = 0x3FFFFFFF
};

struct access {
    LLVMValueRef instruction;
    uint32_t bytes;
    bool affine;      // the address goes up by `stride` in each turn
    uint32_t stride;  // bytes
    bool row;         // it begins a row of neighbours that become one access
};

struct candidate {
    const struct facts *facts;
    const struct ir_graph *graph;
    struct counted_loop loop;
    LLVMBasicBlockRef guard;  // jumps round the loop when there is no turn
    LLVMValueRef also;        // what else must be true for a turn; NULL: nothing
    LLVMValueRef start;       // of the counter
    enum scope scope;
    struct access accesses[ACCESSES_MAX];
    unsigned count, factor;
};

// ---- what kind of loop ----

static bool find_scope(struct candidate *c) {
    if (is_special(c->loop.step, SR_NTID_X)) {
        c->scope = SCOPE_GROUP;
        return true;
    }
    c->scope = SCOPE_LAUNCH;
    return is_special_product(c->loop.step, SR_NTID_X, SR_NCTAID_X);
}

// start = rank + what all work-items share.
static bool is_ranked(const struct candidate *c) {
    struct sum sum;
    sum_of_number(&sum, c->start);
    unsigned item = 0, group = 0;
    for (unsigned k = 0; k < sum.count; k++) {
        LLVMValueRef part = sum.part[k];
        if (sum.factor[k] == 1 && is_special(part, SR_TID_X)) {
            item++;
        } else if (sum.factor[k] == 1 && c->scope == SCOPE_LAUNCH && is_special_product(part, SR_NTID_X, SR_CTAID_X)) {
            group++;
        } else if (sum.factor[k] != 0 && !value_is_shared(part, c->scope)) {
            return false;
        }
    }
    return !sum.lost && item == 1 && group == (c->scope == SCOPE_LAUNCH);
}

static LLVMIntPredicate less_of(const struct candidate *c) {
    return c->loop.form == TEST_LESS_SIGNED ? LLVMIntSLT : LLVMIntULT;
}

static bool asks_for_turn(const struct candidate *c, LLVMValueRef test) {
    if (LLVMIsAICmpInst(test) == NULL) return false;
    const LLVMIntPredicate less = less_of(c), predicate = LLVMGetICmpPredicate(test);
    const LLVMIntPredicate greater = less == LLVMIntSLT ? LLVMIntSGT : LLVMIntUGT;
    LLVMValueRef a = LLVMGetOperand(test, 0), b = LLVMGetOperand(test, 1);
    return (predicate == less && a == c->start && b == c->loop.end) ||
           (predicate == greater && b == c->start && a == c->loop.end);
}

// Both sides of "and", however it is written.
static bool is_both(LLVMValueRef test, LLVMValueRef sides[2]) {
    if (LLVMIsAInstruction(test) == NULL) return false;
    const bool select = LLVMIsASelectInst(test) != NULL;
    if (!select && LLVMGetInstructionOpcode(test) != LLVMAnd) return false;
    sides[0] = LLVMGetOperand(test, 0);
    sides[1] = LLVMGetOperand(test, 1);
    return !select || LLVMIsNull(LLVMGetOperand(test, 2));
}

// The block before the loop is reached from one block, which asks whether start < end, and perhaps something more that
// is the same for all.
static bool find_guard(struct candidate *c) {
    const uint32_t before = ir_graph_index(c->graph, c->loop.before);
    if (c->graph->back.next_count[before] != 1) return false;
    c->guard = c->graph->blocks[c->graph->back.next[before][0]];
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(c->guard), sides[2];
    if (LLVMGetInstructionOpcode(jump) != LLVMBr || !LLVMIsConditional(jump)) return false;
    if (LLVMGetSuccessor(jump, 0) != c->loop.before) return false;
    LLVMValueRef test = LLVMGetCondition(jump);
    if (asks_for_turn(c, test)) return true;
    if (!is_both(test, sides)) return false;
    const unsigned turn = asks_for_turn(c, sides[0]) ? 0 : 1;
    c->also = sides[1 - turn];
    return asks_for_turn(c, sides[turn]) && value_is_shared(c->also, c->scope);
}

// Arithmetic that may be done where the loop is not entered, too.
static bool may_come_early(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL; i = LLVMGetNextInstruction(i)) {
        const LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if (!touches_no_memory(i) || LLVMIsAPHINode(i) != NULL || op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem ||
            op == LLVMSRem)
            return false;
    }
    return true;
}

static bool used_outside(LLVMValueRef i, LLVMBasicBlockRef block) {
    for (LLVMUseRef use = LLVMGetFirstUse(i); use != NULL; use = LLVMGetNextUse(use))
        if (LLVMGetInstructionParent(LLVMGetUser(use)) != block) return true;
    return false;
}

static bool inside(const struct candidate *c, LLVMValueRef v) {
    return LLVMIsAInstruction(v) != NULL && LLVMGetInstructionParent(v) == c->loop.block;
}

// Nothing but the counter differs between work-items, or goes from turn to turn, or out.
static bool turns_are_anybodys(const struct candidate *c) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->loop.block); i != NULL; i = LLVMGetNextInstruction(i)) {
        if (used_outside(i, c->loop.block)) return false;
        if (i == c->loop.phi || LLVMIsATerminatorInst(i) != NULL) continue;
        if (LLVMIsAPHINode(i) != NULL) return false;
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
            LLVMValueRef operand = LLVMGetOperand(i, k);
            if (!inside(c, operand) && !value_is_shared(operand, c->scope)) return false;
        }
    }
    return value_is_shared(c->loop.end, c->scope);
}

// ---- its accesses ----

static unsigned fence_of(LLVMValueRef access) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(access_pointer(access))) == SPACE_LOCAL ? FENCE_LOCAL : FENCE_GLOBAL;
}

static bool space_is_good(const struct candidate *c, LLVMValueRef access) {
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(access_pointer(access)))) {
        case SPACE_GLOBAL:
        case SPACE_CONSTANT: return true;
        case SPACE_LOCAL: return c->scope == SCOPE_GROUP;
        default: return false;
    }
}

static void find_stride(const struct candidate *c, struct access *access) {
    struct sum sum;
    sum_of_address(&sum, c->facts->module, access_pointer(access->instruction));
    access->affine = !sum.lost;
    for (unsigned k = 0; k < sum.count; k++) {
        if (sum.part[k] == c->loop.phi) {
            access->stride = sum.factor[k];
        } else if (inside(c, sum.part[k])) {
            access->affine = false;
        }
    }
}

static bool find_accesses(struct candidate *c) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->loop.block); i != NULL; i = LLVMGetNextInstruction(i)) {
        if (!access_is_plain(i)) continue;
        if (c->count == ACCESSES_MAX || !space_is_good(c, i)) return false;
        struct access *access = &c->accesses[c->count++];
        *access = (struct access){.instruction = i, .bytes = access_bytes(c->facts, i)};
        find_stride(c, access);
        if (LLVMIsAStoreInst(i) != NULL && (!access->affine || access->stride < access->bytes)) return false;
    }
    return true;
}

// No byte that the one accesses in some turn does the other access in another turn.
static bool turns_apart(const struct candidate *c, const struct access *a, const struct access *b) {
    if (LLVMIsAStoreInst(a->instruction) == NULL && LLVMIsAStoreInst(b->instruction) == NULL) return true;
    if (buffers_apart(c->facts, a->instruction, b->instruction)) return true;
    uint32_t distance;
    if (!a->affine || !b->affine || a->stride != b->stride ||
        LLVMTypeOf(access_pointer(a->instruction)) != LLVMTypeOf(access_pointer(b->instruction)) ||
        !addresses_differ(c->facts->module, access_pointer(a->instruction), access_pointer(b->instruction), &distance))
        return false;
    // Together they lie within a stride, and what other turns access within other ones.
    const bool behind = (int32_t)distance >= 0;
    const uint64_t reach = behind ? (uint64_t)distance + a->bytes : (uint64_t)(0u - distance) + b->bytes;
    const uint32_t other = behind ? b->bytes : a->bytes;
    return reach <= a->stride && other <= a->stride && a->stride <= INT32_MAX;
}

static bool accesses_are_apart(const struct candidate *c) {
    for (unsigned i = 0; i < c->count; i++)
        for (unsigned j = i; j < c->count; j++)
            if (!turns_apart(c, &c->accesses[i], &c->accesses[j])) return false;
    return true;
}

// ---- what is accessed before and behind ----

static bool is_harmless(LLVMValueRef i) {
    if (touches_no_memory(i) || LLVMIsAAllocaInst(i) != NULL || is_barrier(i)) return true;
    if (LLVMIsACallInst(i) == NULL || LLVMIsAFunction(LLVMGetCalledValue(i)) == NULL) return false;
    const char *name = name_of(LLVMGetCalledValue(i));
    return starts(name, "llvm.lifetime.") || starts(name, "llvm.assume") || starts(name, "llvm.experimental.noalias");
}

static bool may_meet(const struct candidate *c, LLVMValueRef other) {
    if (!access_is_plain(other)) return true;
    for (unsigned k = 0; k < c->count; k++) {
        LLVMValueRef own = c->accesses[k].instruction;
        if (LLVMIsAStoreInst(own) == NULL && LLVMIsAStoreInst(other) == NULL) continue;
        if (!buffers_apart(c->facts, own, other)) return true;
    }
    return false;
}

static bool others_are_apart(const struct candidate *c) {
    // A barrier holds a group together, never a launch.
    unsigned fences = c->scope == SCOPE_LAUNCH ? FENCE_NEVER : 0;
    for (unsigned k = 0; k < c->count; k++)
        fences |= fence_of(c->accesses[k].instruction);
    LLVMValueRef first = LLVMGetBasicBlockTerminator(c->loop.before), last = LLVMGetBasicBlockTerminator(c->loop.block);
    for (size_t b = 0; b < c->graph->block_count; b++) {
        if (c->graph->blocks[b] == c->loop.block) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->graph->blocks[b]); i != NULL; i = LLVMGetNextInstruction(i)) {
            if (is_harmless(i) || !may_meet(c, i)) continue;
            if (way_without_barrier(c->graph, i, first, fences) || way_without_barrier(c->graph, last, i, fences))
                return false;
        }
    }
    return true;
}

// ---- how many neighbours ----

static bool is_aligned_enough(const struct candidate *c, const struct access *access, uint32_t needed) {
    if (c->facts->promised) return true;
    const struct alias_metadata *metadata = c->facts->module->compilation->options->metadata;
    const uint32_t own = facts_parameters(c->facts, access_pointer(access->instruction));
    for (uint32_t k = 0; k < c->facts->count; k++)
        if ((own >> k & 1) != 0 && metadata->alignment[k] != 0 && metadata->alignment[k] < needed) return false;
    return true;
}

static uint32_t row_bytes(const struct candidate *c, const struct access *access) {
    const uint32_t bytes = access->bytes * c->factor;
    return bytes < WIDEST ? bytes : WIDEST;
}

// Rows are worth it when each is at least a word and none is known to begin at an odd place.
static bool find_rows(struct candidate *c) {
    unsigned rows = 0;
    for (unsigned k = 0; k < c->count; k++) {
        struct access *access = &c->accesses[k];
        struct sum sum;
        sum_of_address(&sum, c->facts->module, access_pointer(access->instruction));
        access->row = access->affine && access->stride == access->bytes && row_bytes(c, access) >= 4 &&
                      sum.constant % row_bytes(c, access) == 0;
        if (access->row && !is_aligned_enough(c, access, row_bytes(c, access))) return false;
        // Stores that do not become wide take more lines than before.
        if (!access->row && LLVMIsAStoreInst(access->instruction) != NULL && access->stride == access->bytes)
            return false;
        rows += access->row;
    }
    return rows > 0;
}

static bool choose_factor(struct candidate *c) {
    uint32_t widest = 1;
    for (unsigned k = 0; k < c->count; k++)
        if (c->accesses[k].affine && c->accesses[k].bytes > widest) widest = c->accesses[k].bytes;
    c->factor = FACTOR_MAX;
    while (c->factor > 1 && (c->factor * widest > WIDEST || c->factor * c->loop.size > CODE_MAX))
        c->factor /= 2;
    return c->factor > 1 && find_rows(c);
}

// What a program promises is of its buffers; a loop over local memory, which has no lines, gains little.
static bool is_promised(const struct candidate *c) {
    bool found = !c->facts->promised;
    for (unsigned k = 0; k < c->count && !found; k++)
        found = facts_parameters(c->facts, access_pointer(c->accesses[k].instruction)) != 0;
    return found;
}

static bool find_candidate(struct candidate *c, LLVMBasicBlockRef block) {
    if (!counted_loop_find(&c->loop, block) || c->loop.counts) return false;
    if (c->loop.form == TEST_UNEQUAL || !find_scope(c)) return false;
    const unsigned entry = LLVMGetIncomingBlock(c->loop.phi, 0) == c->loop.before ? 0 : 1;
    c->start = LLVMGetIncomingValue(c->loop.phi, entry);
    return is_ranked(c) && find_guard(c) && may_come_early(c->loop.before) && turns_are_anybodys(c) &&
           block_is_shared(c->graph, ir_graph_index(c->graph, c->guard), c->scope) && find_accesses(c) &&
           is_promised(c) && accesses_are_apart(c) && others_are_apart(c) && choose_factor(c);
}

// ---- the transformation ----

struct copies {
    LLVMBuilderRef b;
    LLVMBasicBlockRef block, before;  // instructions of these are copied, all others stand
    LLVMValueRef counter, value;      // stands for the counter
};

static LLVMValueRef word(const struct candidate *c, uint32_t value) {
    return LLVMConstInt(LLVMInt32TypeInContext(c->facts->module->context), value, 0);
}

// A value of the loop, or of the block before it, as it is when the counter is `value`. Of arithmetic alone.
static LLVMValueRef copy_value(const struct copies *to, LLVMValueRef v) {
    if (v == to->counter) return to->value;
    if (LLVMIsAInstruction(v) == NULL) return v;
    LLVMBasicBlockRef parent = LLVMGetInstructionParent(v);
    if (parent != to->block && parent != to->before) return v;
    LLVMValueRef operands[8];
    const unsigned count = (unsigned)LLVMGetNumOperands(v);
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (unsigned k = 0; k < count && k < 8; k++)
        operands[k] = copy_value(to, LLVMGetOperand(v, k));
    for (unsigned k = 0; k < count && k < 8; k++)
        LLVMSetOperand(copy, k, operands[k]);
    LLVMInsertIntoBuilder(to->b, copy);
    return copy;
}

// Whether each row begins at a multiple of its bytes.
static LLVMValueRef build_aligned(const struct candidate *c, LLVMBuilderRef b, LLVMValueRef base) {
    LLVMTypeRef type = LLVMInt32TypeInContext(c->facts->module->context);
    const struct copies at_base = {b, c->loop.block, c->loop.before, c->loop.phi, base};
    LLVMValueRef low = word(c, 0);
    for (unsigned k = 0; k < c->count; k++) {
        const struct access *access = &c->accesses[k];
        if (!access->row) continue;
        LLVMValueRef address =
            LLVMBuildPtrToInt(b, copy_value(&at_base, access_pointer(access->instruction)), type, "");
        low = LLVMBuildOr(b, low, LLVMBuildAnd(b, address, word(c, row_bytes(c, access) - 1), ""), "");
    }
    return LLVMBuildICmp(b, LLVMIntEQ, low, word(c, 0), "");
}

// The instructions of a block but its jump go to the builder's place.
static void move_instructions(LLVMBasicBlockRef block, LLVMBuilderRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i != end; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
        LLVMInsertIntoBuilder(b, i);
    }
}

static uint32_t lowest_bit(uint32_t value) {
    return value & (0u - value);
}

// The body for one of a work-item's neighbours.
static void build_body(const struct candidate *c, LLVMBuilderRef b, LLVMValueRef counter, unsigned neighbour) {
    LLVMValueRef from[CODE_MAX], to[CODE_MAX];
    unsigned count = 0;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(c->loop.block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->loop.block); i != end; i = LLVMGetNextInstruction(i)) {
        if (i == c->loop.phi || i == c->loop.next || i == c->loop.test) continue;
        LLVMValueRef copy = LLVMInstructionClone(i);
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(copy); k++) {
            LLVMValueRef operand = LLVMGetOperand(copy, k), now = operand;
            if (operand == c->loop.phi) now = counter;
            for (unsigned n = 0; n < count && now == operand; n++)
                if (from[n] == operand) now = to[n];
            if (now != operand) LLVMSetOperand(copy, k, now);
        }
        for (unsigned k = 0; k < c->count; k++) {
            const struct access *access = &c->accesses[k];
            if (access->instruction != i || !access->row) continue;
            const uint32_t known = lowest_bit(neighbour * access->bytes | row_bytes(c, access));
            if (known > LLVMGetAlignment(copy)) LLVMSetAlignment(copy, known);
        }
        LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
        LLVMInsertIntoBuilder(b, copy);
        from[count] = i;
        to[count++] = copy;
    }
}

static void coarsen(const struct candidate *c) {
    LLVMContextRef context = c->facts->module->context;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMBasicBlockRef guard = c->guard;
    // What stood in the guard stands before the rounds now, of the guard only the question is left.
    LLVMBasicBlockRef setup = LLVMInsertBasicBlockInContext(context, guard, "setup");
    LLVMBasicBlockRef rounds = LLVMInsertBasicBlockInContext(context, guard, "rounds");
    const uint32_t index = ir_graph_index(c->graph, guard);
    for (size_t k = 0; k < c->graph->back.next_count[index]; k++) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(c->graph->blocks[c->graph->back.next[index][k]]);
        for (unsigned n = 0; n < LLVMGetNumSuccessors(jump); n++)
            if (LLVMGetSuccessor(jump, n) == guard) LLVMSetSuccessor(jump, n, setup);
    }
    LLVMPositionBuilderAtEnd(b, setup);
    move_instructions(guard, b);
    move_instructions(c->loop.before, b);
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(guard);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(jump));

    LLVMTypeRef type = LLVMInt32TypeInContext(context);
    LLVMValueRef special = LLVMGetNamedFunction(c->facts->module->module, NAME_SPECIAL), tid = word(c, SR_TID_X);
    LLVMValueRef rank = LLVMBuildCall2(b, LLVMGlobalGetValueType(special), special, &tid, 1, "");
    if (c->scope == SCOPE_LAUNCH) {
        LLVMValueRef numbers[2] = {word(c, SR_CTAID_X), word(c, SR_NTID_X)};
        LLVMValueRef group = LLVMBuildCall2(b, LLVMGlobalGetValueType(special), special, &numbers[0], 1, "");
        LLVMValueRef size = LLVMBuildCall2(b, LLVMGlobalGetValueType(special), special, &numbers[1], 1, "");
        rank = LLVMBuildAdd(b, rank, LLVMBuildMul(b, group, size, ""), "");
    }
    LLVMValueRef base = LLVMBuildSub(b, c->start, rank, ""), end = c->loop.end;
    LLVMValueRef stride = LLVMBuildMul(b, c->loop.step, word(c, c->factor), "");
    stride = LLVMBuildAnd(b, stride, word(c, STRIDE_MASK), "");  // as `few` says; so that it is known to be positive
    LLVMValueRef few =
        LLVMBuildICmp(b, LLVMIntULT, LLVMBuildSub(b, c->loop.step, word(c, 1), ""), word(c, RANKS_MAX), "");
    LLVMValueRef some = LLVMBuildICmp(b, less_of(c), base, end, "");
    LLVMValueRef whole = LLVMBuildICmp(b, LLVMIntUGE, LLVMBuildSub(b, end, base, ""), stride, "");
    LLVMValueRef aligned = build_aligned(c, b, base);
    LLVMValueRef enter = LLVMBuildAnd(b, LLVMBuildAnd(b, few, some, ""), LLVMBuildAnd(b, whole, aligned, ""), "");
    // Where no whole round begins any more.
    LLVMValueRef limit = LLVMBuildAdd(b, LLVMBuildSub(b, end, stride, ""), word(c, 1), "");
    LLVMValueRef first = LLVMBuildMul(b, rank, word(c, c->factor), "");
    if (c->also != NULL) enter = LLVMBuildAnd(b, enter, c->also, "");
    LLVMBuildCondBr(b, enter, rounds, guard);

    LLVMPositionBuilderAtEnd(b, rounds);
    LLVMValueRef place = LLVMBuildPhi(b, type, ""), mine = LLVMBuildAdd(b, place, first, "");
    for (unsigned k = 0; k < c->factor; k++)
        build_body(c, b, k == 0 ? mine : LLVMBuildAdd(b, mine, word(c, k), ""), k);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(c->loop.block)));
    LLVMValueRef next = LLVMBuildAdd(b, place, stride, "");
    LLVMValueRef more = LLVMBuildICmp(b, less_of(c), next, limit, "");
    LLVMBuildCondBr(b, more, rounds, guard);
    LLVMValueRef places[2] = {base, next};
    LLVMBasicBlockRef blocks[2] = {setup, rounds};
    LLVMAddIncoming(place, places, blocks, 2);

    LLVMPositionBuilderBefore(b, jump);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(jump));
    LLVMValueRef left = LLVMBuildPhi(b, type, "");
    LLVMAddIncoming(left, places, blocks, 2);
    LLVMValueRef start = LLVMBuildAdd(b, left, rank, "");
    LLVMValueRef turn = LLVMBuildICmp(b, less_of(c), start, end, "");
    LLVMSetCondition(jump, c->also == NULL ? turn : LLVMBuildAnd(b, turn, c->also, ""));
    const unsigned entry = LLVMGetIncomingBlock(c->loop.phi, 0) == c->loop.before ? 0 : 1;
    LLVMSetOperand(c->loop.phi, entry, start);
    loop_hint(context, rounds, HINT_NO_UNROLL, 0);
    loop_hint(context, c->loop.block, HINT_NO_UNROLL, 0);  // it has few turns now
    LLVMDisposeBuilder(b);
}

unsigned coarsen_loops(const struct facts *facts, unsigned *most) {
    unsigned done = 0;
    *most = 0;
    // Each changes the graph, and leaves a loop that is not one again: what it is entered from is a round.
    for (bool found = true; found;) {
        struct ir_graph graph;
        ir_graph_make(&graph, facts->function, facts->module->layout);
        found = false;
        for (size_t k = 0; k < graph.block_count && !found; k++) {
            struct candidate c = {.facts = facts, .graph = &graph};
            found = find_candidate(&c, graph.blocks[k]);
            if (!found) continue;
            coarsen(&c);
            if (c.factor > *most) *most = c.factor;
            done++;
        }
    }
    return done;
}
