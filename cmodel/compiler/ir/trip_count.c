// Whether a loop comes to an end by itself, whatever memory holds and other threads do.
//
// It does when an exit that every iteration passes compares a counter with a value that the loop does not change, and
// the counter cannot miss that value. A counter is a phi of the loop's header to which every way round adds a number of
// one sign. Numbers of w bits form a ring; the values at which the loop ends are a stretch of it. A counter whose steps
// are no longer than the shortest that the stretch can be, cannot jump over it, wherever it starts: so neither its
// start nor whether it goes round before has to be known. Where an overflow is undefined (signed numbers, pointers) the
// counter cannot go round at all, and a number that only moves one way comes to the end of its range.
//
// Taken on trust is one thing: that a counter which steps towards a limit finds room for its last step below the end of
// its range (for (i = get_global_id(0); i < n; i += get_global_size(0)): n is not within a step of 2^32). A number of
// things in memory never is, because addresses end before.
//
// The other kind is a value that every iteration brings nearer to 0 (x >>= 1, x /= 10, x &= x - 1, a % x, x <<= 1): it
// stays there, so the loop ends if the comparison ends it there.
#include "compiler/ir/trip_count.h"

#include "compiler/ir/ir_range.h"

enum { BUDGET = 200, INVARIANT_DEPTH = 6, CONDITION_DEPTH = 6 };

struct search {
    const struct ir_graph *graph;
    const struct loop *loop;
    int budget;  // of values looked at, against walks that never end
};

// ---- what does not change ----

static bool fixed(const struct search *s, LLVMValueRef v, unsigned depth) {
    if (!ir_graph_inside(s->graph, s->loop, v)) return LLVMIsABasicBlock(v) == NULL;
    if (depth == 0) return false;
    if (!LLVMIsABinaryOperator(v) && !LLVMIsACastInst(v) && !LLVMIsAGetElementPtrInst(v) && !LLVMIsASelectInst(v) &&
        !LLVMIsAICmpInst(v))
        return false;
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
        if (!fixed(s, LLVMGetOperand(v, (unsigned)k), depth - 1)) return false;
    return true;
}

// ---- what is added ----

// v = phi + [lowest, highest], on every way that leads here.
struct distance {
    bool known;
    bool keeps_signed, keeps_unsigned;  // an overflow in this reading would be undefined
    wide_number lowest, highest;
};

static struct distance distance(struct search *s, LLVMValueRef v, LLVMValueRef phi);

static struct distance moved(struct distance d, struct ir_range by, bool keeps_signed, bool keeps_unsigned) {
    d.lowest += by.lowest;
    d.highest += by.highest;
    d.keeps_signed &= keeps_signed;
    d.keeps_unsigned &= keeps_unsigned;
    return d;
}

static struct distance either(struct distance a, struct distance b) {
    return (struct distance){.known = a.known && b.known,
                             .keeps_signed = a.keeps_signed && b.keeps_signed,
                             .keeps_unsigned = a.keeps_unsigned && b.keeps_unsigned,
                             .lowest = a.lowest < b.lowest ? a.lowest : b.lowest,
                             .highest = a.highest > b.highest ? a.highest : b.highest};
}

// The number that an addition adds: a constant, or a fixed value that is known to be small and positive.
static bool addend(struct search *s, LLVMValueRef v, struct ir_range *by) {
    if (LLVMIsAConstantInt(v)) {
        *by = ir_range(v, true);
        return true;
    }
    if (!fixed(s, v, INVARIANT_DEPTH)) return false;
    *by = ir_range(v, false);
    return by->lowest > 0 || by->highest < power_of_two(ir_width(v) - 1);
}

static struct distance over_addition(struct search *s, LLVMValueRef v, LLVMValueRef phi) {
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    bool sum = LLVMGetInstructionOpcode(v) == LLVMAdd;
    struct ir_range by;
    if (sum && addend(s, a, &by)) {
        LLVMValueRef held = a;
        a = b;
        b = held;
    }
    if (!addend(s, b, &by)) return (struct distance){0};
    if (!sum) by = (struct ir_range){-by.highest, -by.lowest};
    return moved(distance(s, a, phi), by, LLVMGetNSW(v), LLVMGetNUW(v));
}

static struct distance over_address(struct search *s, LLVMValueRef v, LLVMValueRef phi) {
    LLVMTypeRef element = LLVMGetGEPSourceElementType(v);
    LLVMValueRef index = LLVMGetOperand(v, 1);
    struct ir_range by;
    if (LLVMGetNumOperands(v) != 2 || !LLVMTypeIsSized(element) || !addend(s, index, &by)) return (struct distance){0};
    wide_number size = (wide_number)LLVMABISizeOfType(s->graph->layout, element);
    by.lowest *= size;
    by.highest *= size;
    return moved(distance(s, LLVMGetOperand(v, 0), phi), by, LLVMIsInBounds(v), false);
}

static struct distance distance(struct search *s, LLVMValueRef v, LLVMValueRef phi) {
    struct distance none = {0};
    if (v == phi) return (struct distance){.known = true, .keeps_signed = true, .keeps_unsigned = true};
    if (s->budget-- <= 0 || !ir_graph_inside(s->graph, s->loop, v)) return none;
    if (LLVMIsAFreezeInst(v)) return distance(s, LLVMGetOperand(v, 0), phi);
    if (LLVMIsASelectInst(v))
        return either(distance(s, LLVMGetOperand(v, 1), phi), distance(s, LLVMGetOperand(v, 2), phi));
    if (LLVMIsAGetElementPtrInst(v)) return over_address(s, v, phi);
    if (LLVMIsAPHINode(v)) {
        // Ways through this iteration that join. An inner loop's phi would be many steps.
        uint32_t block = ir_graph_index(s->graph, LLVMGetInstructionParent(v)),
                 inner = s->graph->loops.innermost[block];
        if (block == s->loop->header || (inner != NONE && s->graph->loops.loops[inner].header == block)) return none;
        struct distance all = distance(s, LLVMGetIncomingValue(v, 0), phi);
        for (unsigned k = 1; k < LLVMCountIncoming(v) && all.known; k++)
            all = either(all, distance(s, LLVMGetIncomingValue(v, k), phi));
        return all;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMAdd || op == LLVMSub ? over_addition(s, v, phi) : none;
}

// ---- comparisons ----

// The loop goes on while `value` stands in this relation to `limit`.
struct test {
    LLVMIntPredicate relation;
    LLVMValueRef value, limit;
};

static LLVMIntPredicate opposite(LLVMIntPredicate p) {
    static const LLVMIntPredicate table[] = {
        [LLVMIntEQ] = LLVMIntNE,   [LLVMIntNE] = LLVMIntEQ,   [LLVMIntUGT] = LLVMIntULE, [LLVMIntULE] = LLVMIntUGT,
        [LLVMIntUGE] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGE, [LLVMIntSGT] = LLVMIntSLE, [LLVMIntSLE] = LLVMIntSGT,
        [LLVMIntSGE] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGE};
    return table[p];
}

static LLVMIntPredicate turned(LLVMIntPredicate p) {
    static const LLVMIntPredicate table[] = {
        [LLVMIntEQ] = LLVMIntEQ,   [LLVMIntNE] = LLVMIntNE,   [LLVMIntUGT] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGT,
        [LLVMIntUGE] = LLVMIntULE, [LLVMIntULE] = LLVMIntUGE, [LLVMIntSGT] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGT,
        [LLVMIntSGE] = LLVMIntSLE, [LLVMIntSLE] = LLVMIntSGE};
    return table[p];
}

static bool is_signed_relation(LLVMIntPredicate p) {
    return p == LLVMIntSGT || p == LLVMIntSGE || p == LLVMIntSLT || p == LLVMIntSLE;
}

// ---- counters ----

struct counter {
    LLVMValueRef phi;
    struct distance step, ahead;  // ahead: of what is compared
    bool ring_is_signed, extended, narrowed;
    unsigned width;  // of the ring
    bool is_next;    // compared is what the phi becomes, whichever way the loop goes round
    bool keeps;      // going round would be undefined
};

static bool step_of(struct search *s, LLVMValueRef phi, struct distance *step) {
    bool first = true;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        uint32_t from = ir_graph_index(s->graph, LLVMGetIncomingBlock(phi, k));
        if (from == NONE || !s->loop->blocks[from]) continue;
        struct distance way = distance(s, LLVMGetIncomingValue(phi, k), phi);
        *step = first ? way : either(*step, way);
        first = false;
        if (!step->known) return false;
    }
    return !first;
}

static bool counter_of(struct search *s, const struct test *test, struct counter *c) {
    LLVMValueRef v = test->value;
    *c = (struct counter){.ring_is_signed = is_signed_relation(test->relation)};
    while (LLVMIsAFreezeInst(v))
        v = LLVMGetOperand(v, 0);
    c->width = ir_width(v);
    if (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v)) {
        c->ring_is_signed = LLVMIsASExtInst(v) != NULL;
        c->extended = true;
        v = LLVMGetOperand(v, 0);
        c->width = ir_width(v);
    } else if (LLVMIsATruncInst(v)) {
        c->narrowed = true;
        v = LLVMGetOperand(v, 0);
    }
    if (ir_width(v) == 0) return false;
    LLVMBasicBlockRef header = s->graph->blocks[s->loop->header];
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); i != NULL && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        if (LLVMTypeOf(i) != LLVMTypeOf(v)) continue;
        s->budget = BUDGET;
        c->ahead = distance(s, v, i);
        if (!c->ahead.known || !step_of(s, i, &c->step)) continue;
        c->phi = i;
        c->is_next = true;
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            uint32_t from = ir_graph_index(s->graph, LLVMGetIncomingBlock(i, k));
            if (from != NONE && s->loop->blocks[from]) c->is_next &= LLVMGetIncomingValue(i, k) == v;
        }
        c->keeps = !c->narrowed && (c->step.keeps_signed || c->step.keeps_unsigned);
        return true;
    }
    return false;
}

// The value that the counter has when the loop begins, or NULL when there are several.
static LLVMValueRef start_of(const struct search *s, LLVMValueRef phi) {
    LLVMValueRef start = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        uint32_t from = ir_graph_index(s->graph, LLVMGetIncomingBlock(phi, k));
        if (from != NONE && s->loop->blocks[from]) continue;
        if (start != NULL && start != LLVMGetIncomingValue(phi, k)) return NULL;
        start = LLVMGetIncomingValue(phi, k);
    }
    return start;
}

// What an address was reckoned from; *zeros falls to the zeros below all that was added on the way.
static LLVMValueRef address_root(const struct search *s, LLVMValueRef v, unsigned *zeros) {
    for (int steps = 0; steps < BUDGET && LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2; steps++) {
        uint64_t size = LLVMABISizeOfType(s->graph->layout, LLVMGetGEPSourceElementType(v));
        unsigned here = ir_zeros_below(LLVMGetOperand(v, 1)) + (size == 0 ? 64 : (unsigned)__builtin_ctzll(size));
        if (here < *zeros) *zeros = here;
        v = LLVMGetOperand(v, 0);
    }
    return v;
}

// Whether steps of this size hit the limit exactly: what lies between is a multiple of the step's power of two (the
// rest of the step is odd, and comes by every number in the end).
static bool hits(const struct search *s, const struct counter *c, LLVMValueRef limit, uint64_t step) {
    unsigned needed = (unsigned)__builtin_ctzll(step);
    if (needed == 0) return true;
    LLVMValueRef start = start_of(s, c->phi);
    if (start == NULL || c->extended || (uint64_t)c->ahead.lowest << (64 - needed) != 0) return false;
    if (ir_zeros_below(start) >= needed && ir_zeros_below(limit) >= needed) return true;
    unsigned zeros = 64;
    return address_root(s, start, &zeros) == address_root(s, limit, &zeros) && zeros >= needed;
}

// How many values, at least, end the loop, all at one end of the ring.
static wide_number ending_values(const struct test *test, const struct counter *c) {
    struct ir_range ring = ir_range_full(c->width, c->ring_is_signed);
    struct ir_range limit = ir_range(test->limit, is_signed_relation(test->relation));
    switch (test->relation) {
        case LLVMIntULT:
        case LLVMIntSLT: return ring.highest - limit.highest + 1;
        case LLVMIntULE:
        case LLVMIntSLE: return ring.highest - limit.highest;
        case LLVMIntUGT:
        case LLVMIntSGT: return limit.lowest - ring.lowest + 1;
        case LLVMIntUGE:
        case LLVMIntSGE: return limit.lowest - ring.lowest;
        default: return 0;
    }
}

static enum trip_count counts(const struct search *s, const struct test *test, const struct counter *c) {
    wide_number low = c->step.lowest, high = c->step.highest;
    if (low <= 0 && high >= 0) return TRIP_STEP;
    if (c->keeps) return TRIP_COUNTED;
    wide_number longest = high > 0 ? high : -low;
    if (longest >= power_of_two(c->width - (c->narrowed ? 1u : 0u)) ||
        (c->ahead.lowest != c->ahead.highest && !c->is_next))
        return TRIP_PAST;
    if (test->relation == LLVMIntEQ) return TRIP_COUNTED;
    if (test->relation == LLVMIntNE) {
        struct ir_range ring = ir_range_full(c->width, c->ring_is_signed);
        struct ir_range limit = ir_range(test->limit, c->ring_is_signed);
        if (c->extended && (limit.lowest < ring.lowest || limit.highest > ring.highest)) return TRIP_PAST;
        return low == high && hits(s, c, test->limit, (uint64_t)longest) ? TRIP_COUNTED : TRIP_PAST;
    }
    // A sign-extended counter that is compared as unsigned lies at both ends.
    if (c->extended && c->ring_is_signed && !is_signed_relation(test->relation)) return TRIP_PAST;
    if (longest <= ending_values(test, c)) return TRIP_COUNTED;
    bool is_below = test->relation == LLVMIntULT || test->relation == LLVMIntSLT;
    bool is_above = test->relation == LLVMIntUGT || test->relation == LLVMIntSGT;
    return !c->extended && ((is_below && low > 0) || (is_above && high < 0)) ? TRIP_TOWARDS : TRIP_PAST;
}

// ---- values that shrink ----

enum shrinking { GROWS_NOT = 0, TO_ZERO = 1, TO_ZERO_OR_MINUS_ONE = 2, SHIFTS_OUT = 4, MULTIPLIES = 8, OTHERWISE = 16 };

static LLVMValueRef thawed(LLVMValueRef v) {
    while (LLVMIsAFreezeInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

static bool is_less_one(LLVMValueRef v, LLVMValueRef than) {
    return LLVMIsABinaryOperator(v) != NULL && LLVMGetInstructionOpcode(v) == LLVMAdd &&
           thawed(LLVMGetOperand(v, 0)) == than && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) != NULL &&
           LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1)) == -1;
}

static unsigned shrinking_step(LLVMValueRef v, LLVMValueRef phi) {
    LLVMValueRef a = thawed(LLVMGetOperand(v, 0)), b = thawed(LLVMGetOperand(v, 1));
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMAnd && ((a == phi && is_less_one(b, phi)) || (b == phi && is_less_one(a, phi)))) return TO_ZERO;
    if ((op == LLVMURem || op == LLVMSRem) && b == phi) return TO_ZERO;
    if (a != phi || LLVMIsAConstantInt(b) == NULL) return OTHERWISE;
    uint64_t number = LLVMConstIntGetZExtValue(b);
    int64_t with_sign = LLVMConstIntGetSExtValue(b);
    bool shifts = number >= 1 && number < ir_width(v),
         keeps = LLVMIsABinaryOperator(v) && (op == LLVMShl || op == LLVMMul) && (LLVMGetNSW(v) || LLVMGetNUW(v));
    switch (op) {
        case LLVMLShr: return shifts ? TO_ZERO : OTHERWISE;
        case LLVMAShr: return shifts ? TO_ZERO_OR_MINUS_ONE : OTHERWISE;
        case LLVMUDiv: return number >= 2 ? TO_ZERO : OTHERWISE;
        case LLVMSDiv: return with_sign >= 2 || with_sign <= -2 ? TO_ZERO : OTHERWISE;
        case LLVMShl: return !shifts ? OTHERWISE : keeps ? MULTIPLIES : SHIFTS_OUT;
        case LLVMMul: return keeps && with_sign >= 2 ? MULTIPLIES : OTHERWISE;
        default: return OTHERWISE;
    }
}

static unsigned shrinking(struct search *s, LLVMValueRef v, LLVMValueRef phi) {
    if (s->budget-- <= 0 || !ir_graph_inside(s->graph, s->loop, v)) return OTHERWISE;
    if (LLVMIsAFreezeInst(v)) return shrinking(s, LLVMGetOperand(v, 0), phi);
    if (LLVMIsASelectInst(v)) return shrinking(s, LLVMGetOperand(v, 1), phi) | shrinking(s, LLVMGetOperand(v, 2), phi);
    if (LLVMIsAPHINode(v)) {
        if (ir_graph_index(s->graph, LLVMGetInstructionParent(v)) == s->loop->header) return OTHERWISE;
        unsigned all = GROWS_NOT;
        for (unsigned k = 0; k < LLVMCountIncoming(v); k++)
            all |= shrinking(s, LLVMGetIncomingValue(v, k), phi);
        return all;
    }
    return LLVMIsABinaryOperator(v) != NULL ? shrinking_step(v, phi) : OTHERWISE;
}

// Whether the loop may go on with this value for ever.
static bool goes_on_at(const struct test *test, wide_number v) {
    unsigned width = ir_width(test->limit);
    bool is_signed = is_signed_relation(test->relation);
    struct ir_range limit = ir_range(test->limit, is_signed), ring = ir_range_full(width, is_signed);
    if (v < ring.lowest) v += power_of_two(width);
    if (v > ring.highest) v -= power_of_two(width);
    switch (test->relation) {
        case LLVMIntEQ: return limit.lowest <= v && v <= limit.highest;
        case LLVMIntNE: return limit.lowest != v || limit.highest != v;
        case LLVMIntULT:
        case LLVMIntSLT: return v < limit.highest;
        case LLVMIntULE:
        case LLVMIntSLE: return v <= limit.highest;
        case LLVMIntUGT:
        case LLVMIntSGT: return v > limit.lowest;
        default: return v >= limit.lowest;
    }
}

static enum trip_count shrinks(struct search *s, const struct test *test) {
    // LLVM makes (unsigned)(x + 9) > 18 of x / 10 != 0.
    LLVMValueRef value = thawed(test->value);
    wide_number more = 0;
    if (LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAdd &&
        LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL) {
        more = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
        value = thawed(LLVMGetOperand(value, 0));
    }
    LLVMBasicBlockRef header = s->graph->blocks[s->loop->header];
    enum trip_count best = TRIP_DATA;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); phi != NULL && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        if (ir_width(phi) == 0 || LLVMTypeOf(phi) != LLVMTypeOf(value)) continue;
        unsigned kind = GROWS_NOT;
        bool compared = value == phi;
        s->budget = BUDGET;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            uint32_t from = ir_graph_index(s->graph, LLVMGetIncomingBlock(phi, k));
            if (from == NONE || !s->loop->blocks[from]) continue;
            kind |= shrinking(s, LLVMGetIncomingValue(phi, k), phi);
            compared |= value == thawed(LLVMGetIncomingValue(phi, k));
        }
        if (!compared || (kind & OTHERWISE) != 0) continue;
        best = TRIP_PAST;
        if (kind == SHIFTS_OUT || kind == TO_ZERO) {
            if (!goes_on_at(test, more)) return TRIP_SHRINKS;
        } else if ((kind & (unsigned)~(TO_ZERO | TO_ZERO_OR_MINUS_ONE)) == 0) {
            if (!goes_on_at(test, more) && !goes_on_at(test, more - 1)) return TRIP_SHRINKS;
        } else if (kind == MULTIPLIES) {
            LLVMValueRef start = start_of(s, phi);
            if (start != NULL && ir_range(start, true).lowest >= 1) return TRIP_COUNTED;
        }
    }
    return best;
}

// ---- exits ----

static enum trip_count of_test(struct search *s, struct test test) {
    if (ir_width(test.value) == 0) return TRIP_DATA;
    if (!fixed(s, test.limit, INVARIANT_DEPTH)) {
        LLVMValueRef held = test.value;
        test = (struct test){turned(test.relation), test.limit, held};
    }
    struct counter counter;
    if (!fixed(s, test.limit, INVARIANT_DEPTH))
        return counter_of(s, &test, &counter) ||
                       counter_of(s, &(struct test){test.relation, test.limit, test.value}, &counter)
                   ? TRIP_BOUND
                   : TRIP_DATA;
    if (counter_of(s, &test, &counter)) return counts(s, &test, &counter);
    return shrinks(s, &test);
}

// A flag of the loop that says "the first time".
static bool only_once(const struct search *s, LLVMValueRef flag, bool goes_on) {
    if (!LLVMIsAPHINode(flag) || ir_graph_index(s->graph, LLVMGetInstructionParent(flag)) != s->loop->header)
        return false;
    for (unsigned k = 0; k < LLVMCountIncoming(flag); k++) {
        uint32_t from = ir_graph_index(s->graph, LLVMGetIncomingBlock(flag, k));
        LLVMValueRef value = LLVMGetIncomingValue(flag, k);
        if (from == NONE || !s->loop->blocks[from]) continue;
        if (LLVMIsAConstantInt(value) == NULL || (LLVMConstIntGetZExtValue(value) != 0) == goes_on) return false;
    }
    return true;
}

// The loop goes on while the condition has this value.
static enum trip_count of_condition(struct search *s, LLVMValueRef condition, bool goes_on, unsigned depth) {
    if (depth == 0 || !LLVMIsAInstruction(condition)) return TRIP_DATA;
    if (LLVMIsAFreezeInst(condition)) return of_condition(s, LLVMGetOperand(condition, 0), goes_on, depth - 1);
    if (only_once(s, condition, goes_on)) return TRIP_COUNTED;
    if (LLVMIsAPHINode(condition)) return TRIP_DATA;
    if (LLVMIsAICmpInst(condition)) {
        LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
        return of_test(
            s, (struct test){goes_on ? p : opposite(p), LLVMGetOperand(condition, 0), LLVMGetOperand(condition, 1)});
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(condition);
    if (op == LLVMXor && LLVMIsAConstantInt(LLVMGetOperand(condition, 1)))
        return of_condition(s, LLVMGetOperand(condition, 0), !goes_on, depth - 1);
    // a && b: one of the two ends the loop; a || b the same for what leaves it.
    LLVMValueRef a = LLVMGetOperand(condition, 0),
                 b = LLVMGetNumOperands(condition) > 1 ? LLVMGetOperand(condition, 1) : NULL;
    bool either_ends = goes_on ? op == LLVMAnd : op == LLVMOr;
    if (op == LLVMSelect) {
        LLVMValueRef otherwise = LLVMGetOperand(condition, 2);
        bool is_and = LLVMIsAConstantInt(otherwise) && LLVMConstIntGetZExtValue(otherwise) == 0;
        bool is_or = LLVMIsAConstantInt(b) && LLVMConstIntGetZExtValue(b) != 0;
        either_ends = goes_on ? is_and : is_or;
        if (is_or) b = otherwise;
    }
    if (!either_ends) return TRIP_DATA;
    enum trip_count one = of_condition(s, a, goes_on, depth - 1), other = of_condition(s, b, goes_on, depth - 1);
    return one > other ? one : other;
}

enum trip_count trip_count(const struct ir_graph *graph, const struct loop *loop) {
    struct search s = {.graph = graph, .loop = loop};
    enum trip_count best = TRIP_NO_EXIT;
    for (uint32_t b = 0; b < graph->block_count; b++) {
        if (!loop->blocks[b]) continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->blocks[b]);
        bool leaves = false;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            leaves |= !loop->blocks[ir_graph_index(graph, LLVMGetSuccessor(end, k))];
        if (!leaves) continue;
        enum trip_count here = TRIP_DATA;
        if (LLVMIsABranchInst(end) && LLVMIsConditional(end) && ir_graph_every_time(graph, loop, b)) {
            bool goes_on = loop->blocks[ir_graph_index(graph, LLVMGetSuccessor(end, 0))];
            here = of_condition(&s, LLVMGetCondition(end), goes_on, CONDITION_DEPTH);
        }
        if (here > best) best = here;
    }
    return best;
}
