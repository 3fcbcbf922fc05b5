// Live ranges: for each virtual vector register the stretches of the program (blocks in reverse post-order, two
// positions an instruction: reads at 2k, the write at 2k + 1) in which its value is still needed.
#include "compiler/machine/liveness.h"

#include <stdlib.h>
#include <string.h>

#include "gen/isa.h"

// Registers that are used in a block other than their only definition's: only they take part in the equations.
struct crossing {
    uint32_t *index;  // of each register, or NONE
    uint32_t *registers;
    size_t count, capacity, words;
    uint64_t *in, *out;  // words for each block
};

typedef void visit_register(void *context, uint32_t number, bool write);

static void visit(const struct machine_instruction *at, visit_register *call, void *context) {
    for (unsigned s = 0; s < 3; s++) {
        if (at->src[s] == NONE || source_class(at, s) != CLASS_VECTOR) continue;
        for (unsigned w = 0; w < source_words(at, s); w++)
            call(context, at->src[s] + w, false);
    }
    if (at->dst == NONE || writes_predicate(at)) return;
    for (unsigned w = 0; w < result_words(at); w++)
        call(context, at->dst + w, true);
}

struct finder {
    struct crossing *crossing;
    uint32_t *written_in;  // block that wrote it last
    uint32_t block;
};

static void find_crossing(void *context, uint32_t number, bool write) {
    struct finder *finder = context;
    struct crossing *crossing = finder->crossing;
    if (write) {
        if (finder->written_in[number] == NONE) finder->written_in[number] = finder->block;
        if (finder->written_in[number] == finder->block) return;
    } else if (finder->written_in[number] == finder->block) {
        return;
    }
    // Read or written in a block other than the first that writes it, or read before anything is written.
    if (crossing->index[number] != NONE) return;
    crossing->index[number] = (uint32_t)crossing->count;
    crossing->registers = grow(crossing->registers, crossing->count, &crossing->capacity, sizeof *crossing->registers);
    crossing->registers[crossing->count++] = number;
}

struct killer {
    const struct crossing *crossing;
    uint64_t *uses, *kills;
};

static void find_kills(void *context, uint32_t number, bool write) {
    struct killer *killer = context;
    uint32_t index = killer->crossing->index[number];
    if (index == NONE) return;
    uint64_t bit = (uint64_t)1 << (index & 63u);
    if (write) {
        killer->kills[index >> 6] |= bit;
    } else if ((killer->kills[index >> 6] & bit) == 0) {
        killer->uses[index >> 6] |= bit;
    }
}

static void solve(const struct machine_function *function, struct crossing *crossing, const uint32_t *order,
                  size_t order_count) {
    size_t blocks = function->block_count;
    uint32_t *written_in = take(function->register_count, sizeof *written_in);
    crossing->index = take(function->register_count, sizeof *crossing->index);
    for (size_t r = 0; r < function->register_count; r++)
        written_in[r] = crossing->index[r] = NONE;
    for (size_t k = 0; k < order_count; k++) {
        struct finder finder = {.crossing = crossing, .written_in = written_in, .block = order[k]};
        const struct machine_block *block = &function->blocks[order[k]];
        for (size_t i = 0; i < block->count; i++)
            visit(&block->code[i], find_crossing, &finder);
    }
    size_t words = crossing->words = (crossing->count + 63) / 64;
    uint64_t *uses = take(blocks * words, sizeof *uses), *kills = take(blocks * words, sizeof *kills);
    crossing->in = take(blocks * words, sizeof *crossing->in);
    crossing->out = take(blocks * words, sizeof *crossing->out);
    for (size_t b = 0; b < blocks; b++) {
        struct killer killer = {.crossing = crossing, .uses = uses + b * words, .kills = kills + b * words};
        const struct machine_block *block = &function->blocks[b];
        for (size_t i = 0; i < block->count; i++)
            visit(&block->code[i], find_kills, &killer);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = order_count; k-- > 0;) {
            size_t b = order[k] * words;
            const struct machine_block *block = &function->blocks[order[k]];
            for (size_t w = 0; w < words; w++) {
                uint64_t out = 0;
                for (unsigned s = 0; s < successor_count(block); s++)
                    out |= crossing->in[block->target[s] * words + w];
                uint64_t in = uses[b + w] | (out & ~kills[b + w]);
                changed |= in != crossing->in[b + w];
                crossing->out[b + w] = out;
                crossing->in[b + w] = in;
            }
        }
    }
    free(uses);
    free(kills);
    free(written_in);
}

// Ranges are found from the end of the program to its start, so each list is kept in falling order and turned round at
// the end.
static void add_range(struct live_range *range, uint32_t start, uint32_t end) {
    if (range->stretches != NULL && range->count > 0 && range->stretches[range->count - 1].start <= end) {
        struct stretch *last = &range->stretches[range->count - 1];
        if (start < last->start) last->start = start;
        if (end > last->end) last->end = end;
        return;
    }
    range->stretches = grow(range->stretches, range->count, &range->capacity, sizeof *range->stretches);
    range->stretches[range->count++] = (struct stretch){.start = start, .end = end};
}

static void written_at(struct live_range *range, uint32_t start, uint32_t position, bool always) {
    struct stretch *last = range->count > 0 ? &range->stretches[range->count - 1] : NULL;
    if (last == NULL || last->start > position + 1) {
        add_range(range, position + 1, position + 2);  // nobody reads it, it still needs a place
    } else if (always) {
        last->start = position + 1;
    } else {
        add_range(range, start, position + 1);
    }
}

static void block_ranges(const struct machine_block *block, struct live_range *ranges, uint32_t start) {
    for (size_t i = block->count; i-- > 0;) {
        const struct machine_instruction *at = &block->code[i];
        uint32_t position = start + 2 * (uint32_t)i;
        if (at->dst != NONE && !writes_predicate(at))
            for (unsigned w = 0; w < result_words(at); w++)
                written_at(&ranges[at->dst + w], start, position, at->guard == NONE);
        for (unsigned s = 0; s < 3; s++)
            if (at->src[s] != NONE && source_class(at, s) == CLASS_VECTOR)
                for (unsigned w = 0; w < source_words(at, s); w++)
                    add_range(&ranges[at->src[s] + w], start, position + 1);
    }
}

struct live_range *live_ranges(const struct machine_function *function, const uint32_t *order, size_t order_count) {
    struct crossing crossing = {0};
    solve(function, &crossing, order, order_count);
    struct live_range *ranges = take(function->register_count, sizeof *ranges);
    uint32_t end = 0;
    for (size_t k = 0; k < order_count; k++)
        end += 2 * (uint32_t)(function->blocks[order[k]].count + 1);
    for (size_t k = order_count; k-- > 0;) {
        const struct machine_block *block = &function->blocks[order[k]];
        uint32_t start = end - 2 * (uint32_t)(block->count + 1);
        const uint64_t *out = crossing.out + order[k] * crossing.words;
        for (size_t w = 0; w < crossing.words; w++)
            for (uint64_t left = out[w]; left != 0; left &= left - 1)
                add_range(&ranges[crossing.registers[w * 64 + (unsigned)__builtin_ctzll(left)]], start, end);
        block_ranges(block, ranges, start);
        end = start;
    }
    for (size_t r = 0; r < function->register_count; r++) {
        struct live_range *range = &ranges[r];
        for (size_t i = 0; i < range->count / 2; i++) {
            struct stretch held = range->stretches[i];
            range->stretches[i] = range->stretches[range->count - 1 - i];
            range->stretches[range->count - 1 - i] = held;
        }
    }
    free(crossing.index);
    free(crossing.registers);
    free(crossing.in);
    free(crossing.out);
    return ranges;
}

bool ranges_meet(const struct live_range *a, const struct live_range *b) {
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        if (a->stretches[i].end <= b->stretches[k].start) {
            i++;
        } else if (b->stretches[k].end <= a->stretches[i].start) {
            k++;
        } else {
            return true;
        }
    }
    return false;
}

void range_add(struct live_range *to, const struct live_range *from) {
    struct live_range both = {0};
    for (size_t i = 0, k = 0; i < to->count || k < from->count;) {
        bool first = k >= from->count || (i < to->count && to->stretches[i].start < from->stretches[k].start);
        struct stretch next = first ? to->stretches[i++] : from->stretches[k++];
        if (both.count > 0 && both.stretches[both.count - 1].end >= next.start) {
            if (next.end > both.stretches[both.count - 1].end) both.stretches[both.count - 1].end = next.end;
            continue;
        }
        both.stretches = grow(both.stretches, both.count, &both.capacity, sizeof *both.stretches);
        both.stretches[both.count++] = next;
    }
    free(to->stretches);
    *to = both;
}
