// Predicate registers. Selection keeps every predicate inside one block (what lives longer is a vector register with 0
// or 1), so each block is done alone. Where more than seven are alive, the one that is needed last goes to a vector
// register: a SEL behind its definition, an ISETP before each use.
#include "compiler/registers/predicates.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/machine/machine.h"
#include "gen/isa.h"

enum { PREDICATES = 7 };

struct span {
    size_t last;  // position of the last use; the terminator's is the block's count
};

static void replace_uses(struct machine_function *function, struct machine_block *block, uint32_t predicate,
                         uint32_t vector, size_t behind) {
    for (size_t k = behind; k <= block->count; k++) {
        bool terminator = k == block->count;
        bool used = terminator ? block->condition == predicate : block->code[k].guard == predicate;
        for (unsigned s = 0; s < 3 && !terminator; s++)
            used |= block->code[k].src[s] == predicate && source_class(&block->code[k], s) == CLASS_PREDICATE;
        if (!used) continue;
        uint32_t fresh = new_register(function, CLASS_PREDICATE);
        struct machine_instruction reload = make(OP_ISETP_I);
        reload.mod = CMP_NE;
        reload.dst = fresh;
        reload.src[0] = vector;
        reload.line = terminator ? block->line : block->code[k].line;
        insert(block, k, reload);
        k++;
        if (terminator) {
            block->condition = fresh;
            break;
        }
        struct machine_instruction *at = &block->code[k];
        if (at->guard == predicate) at->guard = fresh;
        for (unsigned s = 0; s < 3; s++)
            if (at->src[s] == predicate && source_class(at, s) == CLASS_PREDICATE) at->src[s] = fresh;
    }
}

static void spill(struct machine_function *function, struct machine_block *block, uint32_t predicate) {
    size_t at = 0;
    while (predicate_written(&block->code[at]) != predicate)
        at++;
    struct machine_instruction keep = make(OP_SEL_I);  // !p ? 0 : 1
    keep.dst = new_register(function, CLASS_VECTOR);
    keep.src[2] = predicate;
    keep.negated[2] = true;
    keep.imm = 1;
    keep.line = block->code[at].line;
    insert(block, at + 1, keep);
    replace_uses(function, block, predicate, keep.dst, at + 2);
}

static void note_use(struct span *spans, uint32_t predicate, size_t at) {
    if (predicate != NONE) spans[predicate].last = at;
}

// Looks for the first place with too many alive; gives the one to spill, or NONE and the assignment made.
static uint32_t try_block(struct machine_function *function, struct machine_block *block, struct span *spans) {
    for (size_t k = 0; k < block->count; k++) {
        const struct machine_instruction *at = &block->code[k];
        note_use(spans, at->guard, k);
        for (unsigned s = 0; s < 3; s++)
            if (source_class(at, s) == CLASS_PREDICATE) note_use(spans, at->src[s], k);
        if (predicate_written(at) != NONE) spans[predicate_written(at)] = (struct span){.last = k};
    }
    if (block->terminator == TERM_CONDITION) note_use(spans, block->condition, block->count);

    uint32_t holder[PREDICATES];
    for (unsigned p = 0; p < PREDICATES; p++)
        holder[p] = NONE;
    for (size_t k = 0; k < block->count; k++) {
        const struct machine_instruction *at = &block->code[k];
        uint32_t written = predicate_written(at);
        if (written == NONE) continue;
        if (at->carry != NONE && at->src[2] != NONE) {
            // What comes in and what goes out have one field in the word; nothing else reads what comes in.
            function->assigned[written] = function->assigned[at->src[2]];
            holder[function->assigned[written]] = written;
            continue;
        }
        unsigned freed = PREDICATES, latest = 0;
        for (unsigned p = 0; p < PREDICATES; p++) {
            if (holder[p] != NONE && spans[holder[p]].last <= k) holder[p] = NONE;
            if (holder[p] == NONE && freed == PREDICATES) freed = p;
            if (holder[p] != NONE && (holder[latest] == NONE || spans[holder[p]].last > spans[holder[latest]].last))
                latest = p;
        }
        if (freed == PREDICATES) {
            // A fresh reload lives for one instruction and cannot be the one that is needed last.
            return spans[written].last > spans[holder[latest]].last ? written : holder[latest];
        }
        function->assigned[written] = (uint16_t)freed;
        holder[freed] = written;
    }
    return NONE;
}

// Makes the arrays that are indexed by registers long enough for those made by spilling.
static struct span *make_room(struct machine_function *function, struct span *spans, size_t *capacity) {
    if (function->register_count <= *capacity) return spans;
    size_t wanted = function->register_count + function->register_count / 2 + 64;
    struct span *wider = take(wanted, sizeof *wider);
    uint16_t *assigned = take(wanted, sizeof *assigned);
    if (*capacity > 0) {
        memcpy(wider, spans, *capacity * sizeof *wider);
        memcpy(assigned, function->assigned, *capacity * sizeof *assigned);
    }
    free(spans);
    free(function->assigned);
    function->assigned = assigned;
    *capacity = wanted;
    return wider;
}

void predicates_allocate(struct machine_function *function) {
    struct span *spans = NULL;
    size_t capacity = 0;
    for (size_t b = 0; b < function->block_count; b++) {
        uint32_t victim = NONE;
        do {
            spans = make_room(function, spans, &capacity);
            victim = try_block(function, &function->blocks[b], spans);
            if (victim != NONE) spill(function, &function->blocks[b], victim);
        } while (victim != NONE);
    }
    free(spans);
}
