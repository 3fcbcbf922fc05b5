// Instructions into the time that others wait. A warp issues its instructions in their order, so one that reads what is
// still on its way stops all that follow. Here each block is gone through as the warp does: where the next instruction
// would wait, the first one behind it that would not, and that may come before all it passes, goes first. What would not
// wait keeps its order. So a warp that is alone waits less; many warps fill each other's waits, and for them the order
// should not change without need: what is moved in vain moves their turns about.
//
// Registers are assigned already, so this costs none; what takes registers for time is improve/schedule.c.
#include "compiler/registers/fill_waits.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/machine/flow_graph.h"
#include "compiler/machine/machine.h"
#include "compiler/machine/places.h"
#include "gen/isa.h"

// Times are counted in instructions that a warp issues when it waits for nothing. They are short ones: what comes later
// than that, other warps have mostly filled.
enum {
    SOON = 1,     // the next instruction may read it
    ALONE = 2,    // arithmetic, for a warp that nobody else fills the time of
    LOAD = 4,     // until a load's answer is there, a store is performed
    ATOMIC = 12,  // the same of an atomic
    AHEAD = 48    // instructions that one may pass
};

// Vector registers, then predicates.
enum { PREDICATES_FROM = 256u, NAMES = PREDICATES_FROM + 8, WORDS = (NAMES + 63) / 64 };

// Spaces of memory, a bit each.
enum { GLOBAL = 1, SHARED = 2, PRIVATE = 4, EVERYWHERE = GLOBAL | SHARED | PRIVATE };

struct names {
    uint64_t bits[WORDS];
};

struct use {
    struct names reads, writes;
    uint8_t loads, stores;  // spaces
    bool fence;             // nothing passes it
    bool nothing;           // takes no time
    bool given;             // a store, an atomic without an answer: what stands behind it fills its own time
    bool waits;             // for all accesses to be performed
    uint8_t time;           // from its issue until what it writes is there, or it is performed
};

struct filling {
    const struct machine_function *function;
    struct use *uses;  // of each instruction of the block
    bool *done;
    uint32_t ready[NAMES];  // when what was written is there
    uint32_t performed;     // when all accesses are
    uint32_t now;
};

static void name(struct names *to, unsigned number) {
    to->bits[number / 64] |= UINT64_C(1) << number % 64;
}

static void name_registers(const struct filling *f, struct names *to, uint32_t first, unsigned words, bool predicate) {
    if (first >= UNDEFINED) return;
    for (unsigned w = 0; w < words; w++)
        name(to, (predicate ? PREDICATES_FROM : 0u) + f->function->assigned[first] + w);
}

static bool meet(const struct names *a, const struct names *b) {
    uint64_t both = 0;
    for (unsigned w = 0; w < WORDS; w++)
        both |= a->bits[w] & b->bits[w];
    return both != 0;
}

static void unite(struct names *to, const struct names *from) {
    for (unsigned w = 0; w < WORDS; w++)
        to->bits[w] |= from->bits[w];
}

static uint8_t space_of(const struct machine_instruction *at) {
    switch (at->op) {
        case OP_LDG:
        case OP_STG: return GLOBAL;
        case OP_LDS:
        case OP_STS: return SHARED;
        case OP_LDL:
        case OP_STL: return PRIVATE;
        default: return EVERYWHERE;
    }
}

// What orders accesses counts as a store everywhere, so that no access passes it.
static void find_effect(struct use *use, const struct machine_instruction *at) {
    use->time = SOON;
    if (is_pure(at)) return;
    switch (isa_table[at->op].format) {
        case FORMAT_LDC: use->time = LOAD; break;  // nobody writes there
        case FORMAT_LD:
            use->time = LOAD;
            use->loads = space_of(at);
            break;
        case FORMAT_ST:
            use->time = LOAD;
            use->stores = space_of(at);
            use->given = true;
            break;
        case FORMAT_ATOM:
            use->time = ATOMIC;
            use->stores = EVERYWHERE;
            use->given = at->dst == NONE;
            break;
        case FORMAT_SR: use->stores = EVERYWHERE; break;  // the clock
        default:
            use->stores = EVERYWHERE;
            use->waits = at->op == OP_MEMBAR;
            use->fence = at->op != OP_MEMBAR && at->op != OP_LAUNCH;
            break;
    }
    if (at->ordered) use->stores = EVERYWHERE;
}

static struct use use_of(const struct filling *f, const struct machine_instruction *at) {
    struct use use = {.nothing = is_nothing(f->function, at)};
    find_effect(&use, at);
    name_registers(f, &use.reads, at->guard, 1, true);
    for (unsigned k = 0; k < 3; k++)
        name_registers(f, &use.reads, at->src[k], source_words(at, k), source_class(at, k) == CLASS_PREDICATE);
    name_registers(f, &use.writes, at->dst, result_words(at), writes_predicate(at));
    // One field for the predicates that come in and go out: what comes in is lost.
    if (isa_table[at->op].format == FORMAT_CARRY) {
        name_registers(f, &use.writes, at->src[2], 1, true);
        name_registers(f, &use.reads, at->carry, 1, true);
        name_registers(f, &use.writes, at->carry, 1, true);
    }
    return use;
}

// When all that the instruction names is there: it waits for what it reads, and to write what is still to be written.
static uint32_t ready_at(const struct filling *f, const struct use *use) {
    uint32_t at = use->waits ? f->performed : 0;
    for (unsigned w = 0; w < WORDS; w++)
        for (uint64_t left = use->reads.bits[w] | use->writes.bits[w]; left != 0; left &= left - 1) {
            const uint32_t ready = f->ready[64 * w + (unsigned)__builtin_ctzll(left)];
            if (ready > at) at = ready;
        }
    return at;
}

static bool may_pass(const struct use *use, const struct use *passed) {
    return !meet(&use->reads, &passed->writes) && !meet(&use->writes, &passed->writes) &&
           !meet(&use->writes, &passed->reads) && (use->stores & (passed->loads | passed->stores)) == 0 &&
           (use->loads & passed->stores) == 0;
}

// The instruction that goes next: the first that need not wait, else the one that waits least. from: the first left.
static size_t pick(const struct filling *f, size_t from, size_t count) {
    struct use passed = {0};
    size_t best = from;
    uint32_t least = UINT32_MAX;
    for (size_t k = from, seen = 0; k < count && seen < AHEAD; k++) {
        const struct use *use = &f->uses[k];
        if (f->done[k]) continue;
        if (use->fence && seen > 0) break;
        seen++;
        if (may_pass(use, &passed)) {
            const uint32_t ready = ready_at(f, use);
            if (ready < least) {
                least = ready;
                best = k;
            }
            if (ready <= f->now || use->fence) break;
        }
        if (use->given) break;
        unite(&passed.reads, &use->reads);
        unite(&passed.writes, &use->writes);
        passed.loads |= use->loads;
        passed.stores |= use->stores;
    }
    return best;
}

static void issue(struct filling *f, const struct use *use) {
    const uint32_t ready = ready_at(f, use);
    if (ready > f->now) f->now = ready;
    for (unsigned w = 0; w < WORDS; w++)
        for (uint64_t left = use->writes.bits[w]; left != 0; left &= left - 1)
            f->ready[64 * w + (unsigned)__builtin_ctzll(left)] = use->nothing ? f->now : f->now + use->time;
    if ((use->loads | use->stores) != 0 && f->now + use->time > f->performed) f->performed = f->now + use->time;
    if (!use->nothing) f->now++;
}

// Whether the warp comes to an access again and again, so that it waits for more than arithmetic.
static bool accesses(const struct filling *f, const struct loop *loop) {
    for (size_t b = 0; b < f->function->block_count; b++)
        for (size_t k = 0; loop->blocks[b] && k < f->function->blocks[b].count; k++) {
            const enum isa_format format = isa_table[f->function->blocks[b].code[k].op].format;
            if (format == FORMAT_LD || format == FORMAT_ST || format == FORMAT_ATOM) return true;
        }
    return false;
}

// Where launches are made, and what is wanted of an atomic's answer, one warp mostly goes its way alone.
static bool goes_alone(const struct machine_block *block) {
    for (size_t k = 0; k < block->count; k++) {
        const struct machine_instruction *at = &block->code[k];
        if (at->op == OP_LAUNCH || (isa_table[at->op].format == FORMAT_ATOM && at->dst != NONE)) return true;
    }
    return false;
}

static void fill_block(struct filling *f, struct machine_block *block, bool alone) {
    struct machine_instruction *code = take(block->count, sizeof *code);
    f->uses = take(block->count, sizeof *f->uses);
    f->done = take(block->count, sizeof *f->done);
    memset(f->ready, 0, sizeof f->ready);
    f->now = f->performed = 0;
    for (size_t k = 0; k < block->count; k++) {
        f->uses[k] = use_of(f, &block->code[k]);
        if (alone && f->uses[k].time == SOON) f->uses[k].time = ALONE;
    }
    for (size_t put = 0, from = 0; put < block->count; put++) {
        while (f->done[from])
            from++;
        const size_t next = pick(f, from, block->count);
        issue(f, &f->uses[next]);
        code[put] = block->code[next];
        f->done[next] = true;
    }
    memcpy(block->code, code, block->count * sizeof *code);
    free(code);
    free(f->uses);
    free(f->done);
}

void waits_fill(struct machine_function *function) {
    struct filling f = {.function = function};
    struct loops loops;
    flow_loops(function, &loops);
    for (size_t b = 0; b < function->block_count; b++) {
        struct machine_block *block = &function->blocks[b];
        const struct loop *loop = loops.innermost[b] != NONE ? &loops.loops[loops.innermost[b]] : NULL;
        // A loop that waits for others does so no sooner for waiting less itself, and disturbs them more.
        if (block->count < 2 || (loop != NULL && loop->waits)) continue;
        fill_block(&f, block, goes_alone(block) || (loop != NULL && !accesses(&f, loop)));
    }
    loops_free(&loops);
}
