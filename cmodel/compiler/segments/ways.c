// Putting a segment into sub-vector order. All ways make it a stretch with one way in and one way out:
//
//   instructions:  before: SVSTART behind        loop:  before: SVLOOP_BEGIN behind
//                  ..                                   half:   SSY end
//                  end: SVEND                                   ..
//                  behind:                              meet:   SYNC end
//                                                       end:    SVLOOP_END half
//                                                       behind:
//   copies: for each portion a branch around a copy, taken by the threads of the others.
//
// The loop brings all threads of a half together by a token of its own, because SVLOOP_END wants them so whatever
// reconverge.c finds. To the analyses it is no loop: each thread goes through once.
#include "compiler/segments/ways.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/segments/segments.h"
#include "compiler/tokens/level.h"
#include "gen/isa.h"

enum { COPIES_MOST = 2048, PREDICATES = 7 };  // instructions of all copies together

struct placing {
    struct machine_function *function;
    const struct pressure *pressure;
    const bool *set;
    size_t known;
    uint32_t entry, exit;  // exit: where all threads go on that do not end in it
    bool ends;             // threads may end the kernel in it
    size_t instructions;
};

static bool inside(const struct placing *p, uint32_t b) {
    return b < p->known && p->set[b];
}

static uint32_t branch_to(struct machine_function *function, uint32_t target, uint32_t line) {
    uint32_t fresh = new_block(function);
    function->blocks[fresh].terminator = TERM_BRANCH;
    function->blocks[fresh].target[0] = target;
    function->blocks[fresh].line = line;
    return fresh;
}

static void add_token(struct machine_function *function, uint32_t b, uint8_t op, uint8_t mod, uint32_t label) {
    struct machine_block *block = &function->blocks[b];
    block->tokens = grow(block->tokens, block->token_count, &block->token_capacity, sizeof *block->tokens);
    block->tokens[block->token_count++] = (struct machine_token){.op = op, .mod = mod, .label = label};
}

// Finds the exit and checks that there is one entry and one exit.
static const char *check(struct placing *p) {
    struct machine_function *function = p->function;
    static const char several[] = "control flow enters or leaves it at several places";
    uint32_t end = NONE;
    p->exit = NONE;
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct machine_block *block = &function->blocks[b];
        if (inside(p, b)) p->instructions += block->count;
        if (inside(p, b) && block->terminator == TERM_EXIT) p->ends = true;
        for (unsigned s = 0; s < successor_count(block); s++) {
            uint32_t to = block->target[s];
            if (!inside(p, b)) {
                if (inside(p, to) && to != p->entry) return several;
            } else if (inside(p, to)) {
                continue;
            } else if (ends_only(&function->blocks[to])) {
                end = to;
            } else if (p->exit != NONE && p->exit != to) {
                return several;
            } else {
                p->exit = to;
            }
        }
    }
    if (p->exit == NONE) {
        p->exit = end;
    } else if (end != NONE) {
        p->ends = true;
    }
    return p->exit == NONE ? "it has no end" : NULL;
}

static void redirect(const struct placing *p, bool from_inside, uint32_t target, uint32_t to, size_t blocks) {
    for (uint32_t b = 0; b < blocks; b++) {
        if (inside(p, b) != from_inside) continue;
        struct machine_block *block = &p->function->blocks[b];
        for (unsigned s = 0; s < successor_count(block); s++)
            if (block->target[s] == target) block->target[s] = to;
    }
}

static uint32_t first_line(const struct placing *p) {
    const struct machine_block *block = &p->function->blocks[p->entry];
    return block->count > 0 ? block->code[0].line : block->line;
}

static void place_instructions(struct placing *p, uint8_t mod, uint32_t group) {
    struct machine_function *function = p->function;
    size_t blocks = function->block_count;
    uint32_t line = first_line(p);
    uint32_t behind = branch_to(function, p->exit, function->blocks[p->exit].line);
    uint32_t end = branch_to(function, behind, line);
    uint32_t before = branch_to(function, p->entry, line);
    redirect(p, true, p->exit, end, blocks);
    redirect(p, false, p->entry, before, blocks);
    add_token(function, before, OP_SVSTART, mod, behind);
    struct machine_instruction last = make(OP_SVEND);
    last.line = line;
    append(function, end, last);
    function->blocks[behind].kept = true;
    if (mod != SV_ALWAYS && !function->segments->options->shared_rows) return;
    for (uint32_t b = 0; b < p->known; b++)
        if (p->set[b]) function->blocks[b].segment = group;
}

static void place_loop(struct placing *p) {
    struct machine_function *function = p->function;
    size_t blocks = function->block_count;
    uint32_t line = first_line(p);
    uint32_t behind = branch_to(function, p->exit, function->blocks[p->exit].line);
    uint32_t end = branch_to(function, behind, line);
    uint32_t meet = branch_to(function, end, line);
    uint32_t half = branch_to(function, p->entry, line);
    uint32_t before = branch_to(function, half, line);
    redirect(p, true, p->exit, meet, blocks);
    redirect(p, false, p->entry, before, blocks);
    add_token(function, before, OP_SVLOOP_BEGIN, 0, behind);
    add_token(function, half, OP_SSY, 0, end);
    add_token(function, end, OP_SVLOOP_END, 0, half);
    function->blocks[meet].action[0] = EDGE_SYNC;
    function->blocks[meet].kept = function->blocks[behind].kept = true;
}

// ---- copies ----

static uint32_t assigned_register(struct machine_function *function, enum register_class class, unsigned real) {
    size_t count = function->register_count;
    uint32_t fresh = new_register(function, class);
    uint16_t *longer = take(count + 1, sizeof *longer);
    if (function->assigned != NULL) memcpy(longer, function->assigned, count * sizeof *longer);
    free(function->assigned);
    function->assigned = longer;
    function->assigned[fresh] = (uint16_t)real;
    return fresh;
}

// Marks the predicates whose values are needed from block b on. They live inside one original block only, of which b
// may be a later piece.
static void mark_needed(const struct placing *p, uint32_t b, bool *read) {
    const struct machine_function *function = p->function;
    bool written[PREDICATES] = {false};
    for (; b != NONE; b = b < p->pressure->blocks ? p->pressure->next[b] : NONE) {
        const struct machine_block *block = &function->blocks[b];
        for (size_t k = 0; k <= block->count; k++) {
            uint32_t reads[4] = {NONE, NONE, NONE, NONE}, result = NONE;
            if (k == block->count) {
                if (block->terminator == TERM_CONDITION) reads[0] = block->condition;
            } else {
                const struct machine_instruction *at = &block->code[k];
                reads[3] = at->guard;
                for (unsigned s = 0; s < 3; s++)
                    if (source_class(at, s) == CLASS_PREDICATE) reads[s] = at->src[s];
                if (at->guard == NONE) result = predicate_written(at);
            }
            for (unsigned s = 0; s < 4; s++)
                if (reads[s] != NONE && !written[function->assigned[reads[s]]])
                    read[function->assigned[reads[s]]] = true;
            if (result != NONE) written[function->assigned[result]] = true;
        }
    }
}

// One that is needed neither where the segment begins nor behind it. PREDICATES: there is none.
static unsigned free_predicate(const struct placing *p) {
    bool read[PREDICATES] = {false};
    mark_needed(p, p->entry, read);
    uint32_t behind = p->exit;
    while (behind >= p->pressure->blocks)
        behind = p->function->blocks[behind].target[0];
    mark_needed(p, behind, read);
    unsigned number = 0;
    while (number < PREDICATES && read[number])
        number++;
    return number;
}

static bool alive(const struct pressure *pressure, uint32_t number, uint32_t position) {
    if (number >= pressure->range_count) return false;
    const struct live_range *range = &pressure->ranges[number];
    for (size_t k = 0; k < range->count; k++)
        if (range->stretches[k].start <= position && position < range->stretches[k].end) return true;
    return false;
}

// The position of a block, or of the first one behind it that was there when positions were counted.
static uint32_t position_of(const struct placing *p, uint32_t b) {
    while (b >= p->pressure->blocks)
        b = p->function->blocks[b].target[0];
    return p->pressure->start[b];
}

// A result is written in one of the copies, so liveness sees paths on which it is not; without this it would count as
// alive from the beginning of the kernel on.
static void put_undefined(struct placing *p, uint32_t to) {
    struct machine_function *function = p->function;
    uint32_t entry = position_of(p, p->entry), exit = position_of(p, p->exit);
    bool *done = take(function->register_count, sizeof *done);
    for (uint32_t b = 0; b < p->known; b++) {
        if (!p->set[b]) continue;
        for (size_t k = 0; k < function->blocks[b].count; k++) {
            const struct machine_instruction *at = &function->blocks[b].code[k];
            if (at->dst == NONE || writes_predicate(at)) continue;
            for (unsigned w = 0; w < result_words(at); w++) {
                uint32_t number = at->dst + w;
                if (done[number] || alive(p->pressure, number, entry) || !alive(p->pressure, number, exit)) continue;
                done[number] = true;
                struct machine_instruction nothing = make(OP_NOP);
                nothing.dst = number;
                append(function, to, nothing);
            }
        }
    }
    free(done);
}

// The block that sends the threads of one portion on to `to`. Threads that the last one does not name, of warps with
// more portions, go with it, so the code is right on every PPU.
static void put_choice(struct placing *p, uint32_t block, uint32_t portion, uint32_t to, uint32_t others,
                       unsigned predicate) {
    struct machine_function *function = p->function;
    const struct segments *segments = function->segments;
    uint32_t lane = assigned_register(function, CLASS_VECTOR, 0);
    uint32_t own = assigned_register(function, CLASS_PREDICATE, predicate), line = first_line(p);
    struct machine_instruction read = make(OP_S2R), number = make(OP_SHR_I), compare = make(OP_ISETP_I);
    read.dst = number.dst = number.src[0] = compare.src[0] = lane;
    read.imm = SR_LANEID;
    number.imm = (uint32_t)__builtin_ctz(segments->target->lanes);
    compare.dst = own;
    compare.imm = portion;
    compare.mod = portion + 1 == segments->portions ? CMP_UGE : CMP_EQ;
    read.line = number.line = compare.line = line;
    append(function, block, read);
    append(function, block, number);
    append(function, block, compare);
    struct machine_block *end = &function->blocks[block];
    end->terminator = TERM_CONDITION;
    end->condition = own;
    end->divergent = true;
    end->target[0] = to;
    end->target[1] = others;
}

static uint32_t copy_blocks(struct placing *p, uint32_t next) {
    struct machine_function *function = p->function;
    uint32_t *copy = take(p->known, sizeof *copy);
    for (uint32_t b = 0; b < p->known; b++)
        if (p->set[b]) copy[b] = new_block(function);
    for (uint32_t b = 0; b < p->known; b++) {
        if (!p->set[b]) continue;
        const struct machine_block *from = &function->blocks[b];
        struct machine_block *to = &function->blocks[copy[b]];
        *to = *from;
        to->code = take(from->count, sizeof *to->code);
        to->capacity = from->count;
        if (from->count > 0) memcpy(to->code, from->code, from->count * sizeof *to->code);
        to->preds = NULL;
        to->pred_count = to->pred_capacity = 0;
        to->phis = NULL;
        to->phi_capacity = 0;
        for (unsigned s = 0; s < successor_count(from); s++)
            to->target[s] = inside(p, from->target[s])   ? copy[from->target[s]]
                            : from->target[s] == p->exit ? next
                                                         : from->target[s];
    }
    uint32_t entry = copy[p->entry];
    free(copy);
    return entry;
}

static void place_copies(struct placing *p, unsigned predicate) {
    struct machine_function *function = p->function;
    size_t blocks = function->block_count;
    uint32_t portions = function->segments->portions, line = first_line(p);
    uint32_t before = branch_to(function, NONE, line), next = p->exit;
    put_undefined(p, before);
    for (uint32_t portion = portions; portion-- > 1;) {
        uint32_t choice = branch_to(function, next, line);
        put_choice(p, choice, portion, copy_blocks(p, next), next, predicate);
        next = choice;
    }
    redirect(p, true, p->exit, next, blocks);
    redirect(p, false, p->entry, before, blocks);
    put_choice(p, before, 0, p->entry, next, predicate);
}

const char *segment_may(struct machine_function *function, const struct pressure *pressure, const bool *set,
                        size_t known, uint32_t entry) {
    struct placing p = {.function = function, .pressure = pressure, .set = set, .known = known, .entry = entry};
    return check(&p);
}

const char *segment_place(struct machine_function *function, const struct pressure *pressure, const bool *set,
                          size_t known, uint32_t entry) {
    struct placing p = {.function = function, .pressure = pressure, .set = set, .known = known, .entry = entry};
    struct segments *segments = function->segments;
    const char *reason = check(&p);
    if (reason != NULL) return reason;
    switch (segments->options->way) {
        case SUBVECTOR_OFF: return "sub-vector order is off";
        case SUBVECTOR_INSTRUCTIONS: place_instructions(&p, SV_ALWAYS, segments->group_count + 1); break;
        case SUBVECTOR_AUTO: place_instructions(&p, SV_AUTO, segments->group_count + 1); break;
        case SUBVECTOR_LOOP:
            if (p.ends) return "threads may end in it, which a loop over halves does not allow";
            place_loop(&p);
            break;
        case SUBVECTOR_COPIES: {
            if (segments->portions < 2) return "the target has one portion";
            if (p.instructions * segments->portions > COPIES_MOST) return "its copies would be too long";
            unsigned predicate = free_predicate(&p);
            if (predicate == PREDICATES) return "no predicate register is free where it begins";
            place_copies(&p, predicate);
            break;
        }
    }
    segments->rows = grow(segments->rows, segments->group_count, &segments->rows_capacity, sizeof *segments->rows);
    segments->rows[segments->group_count++] = 0;
    return NULL;
}
