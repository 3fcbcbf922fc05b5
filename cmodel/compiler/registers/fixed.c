// Around a call values have to be in certain registers: virtual ones that are fixed to a real one, alive from a move to
// the call or from the call to a move. At the call itself all that the called function uses is taken, so what lives
// across finds its place above. Allocation asks here before it gives a register away.
//
// Values that are alive at a call and need more registers than are left go to memory like others: spill.c counts what
// is reserved as values.
#include "compiler/registers/fixed.h"

#include <stdlib.h>

#include "compiler/machine/callee.h"
#include "gen/isa.h"

static void reserve(struct reserved *reserved, unsigned real, const struct live_range *range) {
    range_add(&reserved->of[real], range);
    if (real + 1 > reserved->count) reserved->count = real + 1;
}

struct reserved *reserved_make(const struct machine_function *function, const struct live_range *ranges,
                               const uint32_t *order, size_t order_count) {
    struct reserved *reserved = take(1, sizeof *reserved);
    reserved->real = take(function->register_count, sizeof *reserved->real);
    for (size_t r = 0; r < function->register_count; r++)
        reserved->real[r] = NOT_FIXED;
    for (size_t k = 0; k < function->fixed_count; k++) {
        const struct machine_fixed *fixed = &function->fixed[k];
        reserved->real[fixed->number] = fixed->real;
        if (ranges[fixed->number].count > 0) reserve(reserved, fixed->real, &ranges[fixed->number]);
    }
    uint32_t position = 0;
    for (size_t k = 0; k < order_count; k++) {
        const struct machine_block *block = &function->blocks[order[k]];
        for (size_t i = 0; i < block->count; i++) {
            if (block->code[i].op != OP_CAL) continue;
            struct stretch at = {.start = position + 2 * (uint32_t)i, .end = position + 2 * (uint32_t)i + 2};
            const struct live_range taken = {.stretches = &at, .count = 1};
            unsigned most = function->callees[block->code[i].imm].registers;
            for (unsigned real = 0; real < most && real < REGISTERS_MAX; real++)
                reserve(reserved, real, &taken);
        }
        position += 2 * (uint32_t)(block->count + 1);
    }
    return reserved;
}

void reserved_free(struct reserved *reserved) {
    for (unsigned k = 0; k < REGISTERS_MAX; k++)
        free(reserved->of[k].stretches);
    free(reserved->real);
    free(reserved);
}

bool reserved_has(const struct reserved *reserved, uint32_t number) {
    return reserved->real[number] != NOT_FIXED;
}

bool reserved_fits(const struct reserved *reserved, unsigned real, const struct live_range *range) {
    return real >= reserved->count || !ranges_meet(&reserved->of[real], range);
}

bool reserved_merge(struct reserved *reserved, const struct machine_function *function, const struct live_range *ranges,
                    uint32_t *to, uint32_t *from, bool alone) {
    if (!reserved_has(reserved, *to) && !reserved_has(reserved, *from)) return true;
    if (reserved_has(reserved, *to) && reserved_has(reserved, *from)) return false;
    if (reserved_has(reserved, *from)) {
        uint32_t held = *to;
        *to = *from;
        *from = held;
    }
    unsigned real = reserved->real[*to];
    bool reload = *from < function->reload_count && function->reloads[*from];
    if ((alone && !reload) || !reserved_fits(reserved, real, &ranges[*from])) return false;
    reserve(reserved, real, &ranges[*from]);
    return true;
}
