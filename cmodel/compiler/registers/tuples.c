// Tuples of registers: see tuples.h.
#include "compiler/registers/tuples.h"

#include <stdlib.h>
#include <string.h>

#include "gen/isa.h"

static bool is_store(const struct machine_instruction *at) {
    return isa_table[at->op].format == FORMAT_ST;
}

// How many words an access moves; 1: it is none or a narrow one.
static unsigned access_words(const struct machine_instruction *at) {
    return is_store(at) ? source_words(at, 1) : result_words(at);
}

static uint32_t access_register(const struct machine_instruction *at) {
    return is_store(at) ? at->src[1] : at->dst;
}

// ---- finding and merging ----

static void add_tuple(struct tuples *to, uint32_t first, unsigned size) {
    if (to->owner[first] != NONE) return;  // of an access as wide or wider: selection lets tuples nest, never cross
    to->list = grow(to->list, to->count, &to->capacity, sizeof *to->list);
    struct tuple *tuple = &to->list[to->count];
    *tuple = (struct tuple){.size = size};
    for (unsigned k = 0; k < size; k++) {
        tuple->lanes[k] = first + k;
        to->owner[first + k] = (uint32_t)to->count;
        to->lane[first + k] = (uint8_t)k;
    }
    to->count++;
}

struct tuples tuples_find(const struct machine_function *function) {
    struct tuples found = {0};
    found.owner = take(function->register_count, sizeof *found.owner);
    found.lane = take(function->register_count, sizeof *found.lane);
    for (size_t r = 0; r < function->register_count; r++)
        found.owner[r] = NONE;
    for (unsigned size = TUPLE_MAX; size > 1; size /= 2) {
        for (size_t b = 0; b < function->block_count; b++) {
            const struct machine_block *block = &function->blocks[b];
            for (size_t k = 0; k < block->count; k++) {
                const struct machine_instruction *at = &block->code[k];
                if (access_words(at) == size && access_register(at) != NONE)
                    add_tuple(&found, access_register(at), size);
            }
        }
    }
    return found;
}

unsigned tuples_accesses(const struct machine_function *function) {
    unsigned count = 0;
    for (size_t b = 0; b < function->block_count; b++)
        for (size_t k = 0; k < function->blocks[b].count; k++)
            count += access_words(&function->blocks[b].code[k]) > 1;
    return count;
}

void tuples_free(struct tuples *tuples) {
    free(tuples->list);
    free(tuples->owner);
    free(tuples->lane);
}

static void merge_one(struct live_range *ranges, uint32_t *merged, uint32_t to, uint32_t from) {
    range_add(&ranges[to], &ranges[from]);
    merged[from] = to;
}

// The lanes of `small` become lanes of `big`, from lane `shift` on.
static bool merge_tuples(struct tuples *tuples, struct live_range *ranges, uint32_t *merged, struct tuple *big,
                         struct tuple *small, unsigned shift) {
    if (shift % small->size != 0 || shift + small->size > big->size) return false;
    for (unsigned k = 0; k < small->size; k++)
        if (ranges_meet(&ranges[big->lanes[shift + k]], &ranges[small->lanes[k]])) return false;
    for (unsigned k = 0; k < small->size; k++) {
        merge_one(ranges, merged, big->lanes[shift + k], small->lanes[k]);
        tuples->owner[small->lanes[k]] = NONE;
    }
    small->size = 0;
    return true;
}

bool tuples_merge(struct tuples *tuples, struct live_range *ranges, uint32_t *merged, uint32_t to, uint32_t from) {
    uint32_t owner_to = tuples->owner[to], owner_from = tuples->owner[from];
    if (owner_to != NONE && owner_from != NONE) {
        if (owner_to == owner_from) return false;
        bool swap = tuples->list[owner_from].size > tuples->list[owner_to].size;
        uint32_t big = swap ? from : to, small = swap ? to : from;
        if (tuples->lane[big] < tuples->lane[small]) return false;
        unsigned shift = (unsigned)tuples->lane[big] - tuples->lane[small];
        return merge_tuples(tuples, ranges, merged, &tuples->list[tuples->owner[big]],
                            &tuples->list[tuples->owner[small]], shift);
    }
    if (ranges_meet(&ranges[to], &ranges[from])) return false;
    merge_one(ranges, merged, to, from);
    if (owner_from == NONE) return true;
    tuples->owner[to] = owner_from;
    tuples->lane[to] = tuples->lane[from];
    tuples->owner[from] = NONE;
    tuples->list[owner_from].lanes[tuples->lane[to]] = to;
    return true;
}

// ---- splitting ----

// What a store of a word would have read had there been no tuple: selection moves the values right in front of the
// store, so nothing is written in between. The word is left alone when it was not moved.
static void take_back_move(struct machine_block *done, struct machine_instruction *store) {
    for (size_t back = done->count; back-- > 0 && done->count - back <= TUPLE_MAX;) {
        const struct machine_instruction *at = &done->code[back];
        if (at->dst != store->src[1]) continue;
        if (at->op == OP_MOV && at->guard == NONE) store->src[1] = at->src[1];
        return;
    }
}

static void split_access(struct machine_block *to, struct machine_instruction at, unsigned words) {
    struct machine_instruction parts[TUPLE_MAX];
    for (unsigned k = 0; k < words; k++) {
        parts[k] = at;
        parts[k].mod = SIZE_32;
        parts[k].imm = at.imm + 4 * k;
        if (is_store(&at) && at.src[1] != NONE) {
            parts[k].src[1] = at.src[1] + k;
            take_back_move(to, &parts[k]);
        } else if (!is_store(&at)) {
            parts[k].dst = at.dst + k;
        }
    }
    for (unsigned k = 0; k < words; k++)
        insert(to, to->count, parts[k]);
}

// Moves that nobody reads any more.
static void drop_unread_moves(struct machine_function *function, const bool *in_tuple) {
    bool *read = take(function->register_count, sizeof *read);
    for (size_t b = 0; b < function->block_count; b++)
        for (size_t k = 0; k < function->blocks[b].count; k++)
            for (unsigned s = 0; s < 3; s++)
                if (function->blocks[b].code[k].src[s] != NONE) read[function->blocks[b].code[k].src[s]] = true;
    for (size_t b = 0; b < function->block_count; b++) {
        struct machine_block *block = &function->blocks[b];
        size_t kept = 0;
        for (size_t k = 0; k < block->count; k++) {
            const struct machine_instruction *at = &block->code[k];
            bool unread = at->op == OP_MOV && in_tuple[at->dst] && !read[at->dst];
            if (!unread) block->code[kept++] = *at;
        }
        block->count = kept;
    }
    free(read);
}

bool tuples_split(struct machine_function *function) {
    bool *in_tuple = take(function->register_count, sizeof *in_tuple), any = false;
    for (size_t b = 0; b < function->block_count; b++) {
        struct machine_block *block = &function->blocks[b], fresh = {0};
        for (size_t k = 0; k < block->count; k++) {
            const struct machine_instruction *at = &block->code[k];
            unsigned words = access_words(at);
            if (words == 1) {
                insert(&fresh, fresh.count, *at);
                continue;
            }
            any = true;
            for (unsigned w = 0; access_register(at) != NONE && w < words; w++)
                in_tuple[access_register(at) + w] = true;
            split_access(&fresh, *at, words);
        }
        free(block->code);
        block->code = fresh.code;
        block->count = fresh.count;
        block->capacity = fresh.capacity;
    }
    if (any) drop_unread_moves(function, in_tuple);
    free(in_tuple);
    return any;
}
