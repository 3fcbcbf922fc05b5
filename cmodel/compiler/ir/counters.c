// Counters of loops: what every way round adds to a phi, and whether it meets the limit.
#include "compiler/ir/counters.h"

enum { TRIPS_SOON = 1 << 16 };  // more iterations than this are no end to wait for

// ---- what is added ----

static struct distance distance(struct loop_search *s, LLVMValueRef v, LLVMValueRef phi);

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
static bool addend(struct loop_search *s, LLVMValueRef v, struct ir_range *by) {
    if (LLVMIsAConstantInt(v)) {
        *by = ir_range(v, true);
        return true;
    }
    if (!loop_keeps(s, v, LOOP_INVARIANT_DEPTH)) return false;
    *by = ir_range(v, false);
    return by->lowest > 0 || by->highest < power_of_two(ir_width(v) - 1);
}

static struct distance over_addition(struct loop_search *s, LLVMValueRef v, LLVMValueRef phi) {
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

static struct distance over_address(struct loop_search *s, LLVMValueRef v, LLVMValueRef phi) {
    LLVMTypeRef element = LLVMGetGEPSourceElementType(v);
    LLVMValueRef index = LLVMGetOperand(v, 1);
    struct ir_range by;
    if (LLVMGetNumOperands(v) != 2 || !LLVMTypeIsSized(element) || !addend(s, index, &by)) return (struct distance){0};
    wide_number size = (wide_number)LLVMABISizeOfType(s->graph->layout, element);
    by.lowest *= size;
    by.highest *= size;
    return moved(distance(s, LLVMGetOperand(v, 0), phi), by, LLVMIsInBounds(v), false);
}

static struct distance distance(struct loop_search *s, LLVMValueRef v, LLVMValueRef phi) {
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

// ---- counters ----

static bool step_of(struct loop_search *s, LLVMValueRef phi, struct distance *step) {
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

bool counter_of(struct loop_search *s, const struct loop_test *test, struct counter *c) {
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
        s->budget = LOOP_BUDGET;
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

// What an address was reckoned from; *zeros falls to the zeros below all that was added on the way.
static LLVMValueRef address_root(const struct loop_search *s, LLVMValueRef v, unsigned *zeros) {
    for (int steps = 0; steps < LOOP_BUDGET && LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2; steps++) {
        uint64_t size = LLVMABISizeOfType(s->graph->layout, LLVMGetGEPSourceElementType(v));
        unsigned here = ir_zeros_below(LLVMGetOperand(v, 1)) + (size == 0 ? 64 : (unsigned)__builtin_ctzll(size));
        if (here < *zeros) *zeros = here;
        v = LLVMGetOperand(v, 0);
    }
    return v;
}

// Whether steps of this size hit the limit exactly: what lies between is a multiple of the step's power of two (the
// rest of the step is odd, and comes by every number in the end).
static bool hits(const struct loop_search *s, const struct counter *c, LLVMValueRef limit, uint64_t step) {
    unsigned needed = (unsigned)__builtin_ctzll(step);
    if (needed == 0) return true;
    LLVMValueRef start = loop_start(s, c->phi);
    if (start == NULL || c->extended || (uint64_t)c->ahead.lowest << (64 - needed) != 0) return false;
    if (ir_zeros_below(start) >= needed && ir_zeros_below(limit) >= needed) return true;
    unsigned zeros = 64;
    return address_root(s, start, &zeros) == address_root(s, limit, &zeros) && zeros >= needed;
}

// How many values, at least, end the loop, all at one end of the ring.
static wide_number ending_values(const struct loop_test *test, const struct counter *c) {
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

static enum trip_count ends(const struct loop_search *s, const struct loop_test *test, const struct counter *c) {
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

// How many iterations there are at least, as far as one look at start and limit tells.
static wide_number least_trips(const struct loop_search *s, const struct loop_test *test, const struct counter *c) {
    LLVMValueRef start = loop_start(s, c->phi);
    bool is_signed = c->extended ? c->ring_is_signed : is_signed_relation(test->relation);
    if (start == NULL || c->narrowed) return 0;
    struct ir_range from = ir_range(start, is_signed), to = ir_range(test->limit, is_signed);
    return c->step.lowest > 0 ? (to.lowest - from.highest) / c->step.highest
                              : (from.lowest - to.highest) / -c->step.lowest;
}

enum trip_count counter_verdict(const struct loop_search *s, const struct loop_test *test, const struct counter *c) {
    enum trip_count verdict = ends(s, test, c);
    return trip_count_bounded(verdict) && least_trips(s, test, c) > TRIPS_SOON ? TRIP_LARGE : verdict;
}
