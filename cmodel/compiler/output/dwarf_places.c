// Where variables are, as DWARF says it: expressions, and lists of them by stretches of the program.
//
// Registers of DWARF: 0 to 254 are R0 to R254 of the thread, 256 to 262 its predicates P0 to P6. Memory is named by
// address and space: DW_OP_xderef, as clang writes it for OpenCL; the spaces are those of debug.h.
#include <stdlib.h>

#include "compiler/output/dwarf_bytes.h"

enum {
    OP_PLUS_UCONST = 0x23,
    OP_CONSTU = 0x10,
    OP_CONSTS = 0x11,
    OP_SWAP = 0x16,
    OP_XDEREF = 0x18,
    OP_XOR = 0x27,
    OP_LIT1 = 0x31,
    OP_REGX = 0x90,
    OP_BREGX = 0x92,
    OP_PIECE = 0x93,
    OP_STACK_VALUE = 0x9f,
    FIRST_PREDICATE = 256,
    LOCATION_START_LENGTH = 8,
    RANGE_START_LENGTH = 7,
    INSTRUCTION_BYTES = 8
};

static void put_op(struct text *to, unsigned op, uint32_t number) {
    put_u8(to, op);
    put_uleb(to, number);
}

static uint32_t register_number(const struct debug_place *place) {
    return place->number + (place->where == DEBUG_PREDICATE ? FIRST_PREDICATE : 0);
}

static void put_plain(struct text *to, const struct debug_place *place) {
    switch (place->where) {
        case DEBUG_REGISTER:
        case DEBUG_PREDICATE:
            if (!place->negated) {
                put_op(to, OP_REGX, register_number(place));
                return;
            }
            put_op(to, OP_BREGX, register_number(place));
            put_sleb(to, 0);
            put_u8(to, OP_LIT1);
            put_u8(to, OP_XOR);
            put_u8(to, OP_STACK_VALUE);
            return;
        case DEBUG_NUMBER:
            put_op(to, OP_CONSTU, place->number);
            put_u8(to, OP_STACK_VALUE);
            return;
        case DEBUG_MEMORY:
            put_op(to, OP_CONSTU, place->number);
            put_op(to, OP_CONSTU, place->space);
            put_u8(to, OP_SWAP);
            put_u8(to, OP_XDEREF);
            return;
        case DEBUG_NOWHERE: return;
    }
}

static void put_calculated(struct text *to, const struct debug_value *value) {
    const struct debug_place *place = &value->parts[0];
    if (place->where == DEBUG_NUMBER) {
        put_op(to, OP_CONSTU, place->number);
    } else if (place->where == DEBUG_MEMORY) {
        put_plain(to, place);
    } else {
        put_op(to, OP_BREGX, register_number(place));
        put_sleb(to, 0);
        if (place->negated) {
            put_u8(to, OP_LIT1);
            put_u8(to, OP_XOR);
        }
    }
    for (unsigned k = 0; k < value->operation_count; k++) {
        const struct debug_operation *operation = &value->operations[k];
        put_u8(to, operation->code);
        if (operation->code == OP_CONSTU || operation->code == OP_PLUS_UCONST) put_uleb(to, operation->number);
        if (operation->code == OP_CONSTS) put_sleb(to, (int32_t)operation->number);
    }
    put_u8(to, OP_STACK_VALUE);
}

void dwarf_expression(struct text *to, const struct debug_value *value, uint32_t size) {
    if (value->operation_count > 0) {
        put_calculated(to, value);
    } else if (value->count == 1) {
        put_plain(to, &value->parts[0]);
    } else {
        uint32_t left = size;
        for (unsigned k = 0; k < value->count; k++) {
            put_plain(to, &value->parts[k]);
            put_op(to, OP_PIECE, value->bytes);
            left -= value->bytes <= left ? value->bytes : left;
        }
        if (left > 0) put_op(to, OP_PIECE, left);
        return;
    }
    if (size > 0) put_op(to, OP_PIECE, size);
}

// ---- lists

void dwarf_lists_begin(struct text *lists) {
    put_u32(lists, 0);
    put_u16(lists, 5);
    put_u8(lists, 4);  // bytes of an address
    put_u8(lists, 0);
    put_u32(lists, 0);  // no table of offsets
}

void dwarf_lists_end(struct text *lists) {
    fix_u32(lists, 0, (uint32_t)(lists->size - 4));
}

uint32_t dwarf_range_list(struct text *lists, const struct debug_range *ranges, size_t count) {
    const uint32_t offset = (uint32_t)lists->size;
    for (size_t k = 0; k < count; k++) {
        put_u8(lists, RANGE_START_LENGTH);
        put_u32(lists, ranges[k].from * INSTRUCTION_BYTES);
        put_uleb(lists, (ranges[k].to - ranges[k].from) * INSTRUCTION_BYTES);
    }
    put_u8(lists, 0);
    return offset;
}

struct part {
    uint32_t offset, size;
    const struct debug_value *value;
};

static int by_offset(const void *left, const void *right) {
    const struct part *a = left, *b = right;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

// What is known of the variable from this instruction on. How long that stays so: *end.
static size_t parts_at(const struct debug_program *program, const struct debug_variable *variable, uint32_t at,
                       struct part *parts, uint32_t *end) {
    size_t count = 0;
    for (uint32_t s = variable->first; s != NONE; s = program->slices[s].next) {
        const struct debug_slice *slice = &program->slices[s];
        for (size_t k = 0; k < slice->span_count; k++) {
            const struct debug_span *span = &slice->spans[k];
            if (span->from > at && span->from < *end) *end = span->from;
            if (span->from > at || span->to <= at) continue;
            if (span->to < *end) *end = span->to;
            parts[count++] = (struct part){.offset = slice->offset, .size = slice->size, .value = span->value};
        }
    }
    qsort(parts, count, sizeof *parts, by_offset);
    return count;
}

static void put_parts(struct text *to, const struct part *parts, size_t count) {
    uint32_t at = 0;
    for (size_t k = 0; k < count; k++) {
        if (parts[k].offset > at) put_op(to, OP_PIECE, parts[k].offset - at);  // a gap: nowhere
        dwarf_expression(to, parts[k].value, parts[k].size);
        at = parts[k].offset + parts[k].size;
    }
}

static int by_number(const void *left, const void *right) {
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

uint32_t dwarf_location_list(struct text *lists, const struct debug_program *program,
                             const struct debug_variable *variable) {
    const uint32_t offset = (uint32_t)lists->size;
    uint32_t *starts = NULL;
    size_t count = 0, capacity = 0, slices = 0;
    for (uint32_t s = variable->first; s != NONE; s = program->slices[s].next, slices++) {
        for (size_t k = 0; k < program->slices[s].span_count; k++) {
            starts = grow(starts, count, &capacity, sizeof *starts);
            starts[count++] = program->slices[s].spans[k].from;
            starts = grow(starts, count, &capacity, sizeof *starts);
            starts[count++] = program->slices[s].spans[k].to;
        }
    }
    if (count > 0) qsort(starts, count, sizeof *starts, by_number);
    struct part *parts = take(slices, sizeof *parts);
    for (size_t k = 0; k < count; k++) {
        uint32_t end = NONE;
        if (k > 0 && starts[k] == starts[k - 1]) continue;
        const size_t known = parts_at(program, variable, starts[k], parts, &end);
        if (known == 0) continue;
        struct text expression = {0};
        put_parts(&expression, parts, known);
        put_u8(lists, LOCATION_START_LENGTH);
        put_u32(lists, starts[k] * INSTRUCTION_BYTES);
        put_uleb(lists, (end - starts[k]) * INSTRUCTION_BYTES);
        put_block(lists, &expression);
        free(expression.data);
    }
    put_u8(lists, 0);
    free(starts);
    free(parts);
    return offset;
}
