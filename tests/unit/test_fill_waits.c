// Which instructions go first where others wait: blocks with real registers, and the order they come in.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/machine/machine.h"
#include "compiler/registers/fill_waits.h"
#include "gen/isa.h"

enum { LENGTH_MOST = 8, REGISTERS = 16, P0 = REGISTERS, P1, COUNT = REGISTERS + 2 };

// Those that a row is made of. dst, a, b, c: registers, 0: none (R0 is not used); predicates are P0 and P1.
struct short_form {
    uint8_t op, mod;
    uint8_t dst, a, b, c;
    uint8_t guard, carry;
    bool ordered;
};

#define LOAD(to, from) \
    { OP_LDG, SIZE_32, .dst = (to), .a = (from) }
#define WIDE_LOAD(to, from) \
    { OP_LDG, SIZE_128, .dst = (to), .a = (from) }
#define VOLATILE_LOAD(to, from) \
    { OP_LDG, SIZE_32, .dst = (to), .a = (from), .ordered = true }
#define SHARED_LOAD(to, from) \
    { OP_LDS, SIZE_32, .dst = (to), .a = (from) }
#define CONSTANT(to) \
    { OP_LDC, SIZE_32, .dst = (to) }
#define STORE(at, what) \
    { OP_STG, SIZE_32, .a = (at), .b = (what) }
#define WIDE_STORE(at, what) \
    { OP_STG, SIZE_64, .a = (at), .b = (what) }
#define SHARED_STORE(at, what) \
    { OP_STS, SIZE_32, .a = (at), .b = (what) }
#define GENERIC_STORE(at, what) \
    { OP_ST, SIZE_32, .a = (at), .b = (what) }
#define XCHG(to, at, what) \
    { OP_ATOMG, ATOM_XCHG, .dst = (to), .a = (at), .b = (what) }
#define COUNT(at, what) \
    { OP_ATOMG, ATOM_ADD, .a = (at), .b = (what) }
#define ADD(to, x, y) \
    { OP_IADD, 0, .dst = (to), .a = (x), .b = (y) }
#define COMPARE(to, x, y) \
    { OP_ISETP, CMP_EQ, .dst = (to), .a = (x), .b = (y) }
#define GUARDED_ADD(p, to, x, y) \
    { OP_IADD, 0, .dst = (to), .a = (x), .b = (y), .guard = (p) }
#define CARRY_ADD(to, x, y, in, out) \
    { OP_IADDC, 0, .dst = (to), .a = (x), .b = (y), .c = (in), .carry = (out) }
#define SHUFFLE(to, x, y) \
    { OP_SHFL, 0, .dst = (to), .a = (x), .b = (y) }
#define SPECIAL(to, number) \
    { OP_S2R, 0, .dst = (to), .c = (number) }
#define FENCE \
    { .op = OP_MEMBAR }
#define BARRIER \
    { .op = OP_BAR }
#define LAUNCH(task) \
    { .op = OP_LAUNCH, .a = (task) }
#define VOTE \
    { .op = OP_VOTE }

static const struct row {
    const char *name;
    struct short_form code[LENGTH_MOST];
    const char *order;  // the numbers of the instructions as they come out
} rows[] = {
    {"nothing waits, all stays", {ADD(1, 2, 3), ADD(4, 2, 3), STORE(5, 1), ADD(6, 2, 3)}, "0123"},
    {"what needs no load goes in front of what does", {LOAD(1, 2), ADD(3, 1, 1), ADD(4, 5, 6)}, "021"},
    {"of an atomic's answer", {XCHG(1, 2, 3), ADD(4, 1, 1), ADD(5, 6, 7)}, "021"},
    {"of a constant", {CONSTANT(1), ADD(4, 1, 1), ADD(5, 6, 7)}, "021"},
    {"several, in their order", {LOAD(1, 2), ADD(3, 1, 1), ADD(4, 5, 6), ADD(7, 4, 4), STORE(8, 7)}, "02341"},
    {"a further load, too", {LOAD(1, 2), ADD(3, 1, 1), LOAD(4, 5)}, "021"},
    {"not what reads its result", {LOAD(1, 2), ADD(3, 1, 1), ADD(4, 3, 6)}, "012"},
    {"nor what it reads itself", {LOAD(1, 2), ADD(3, 1, 4), ADD(4, 5, 6)}, "012"},
    {"nor what writes the same register", {LOAD(1, 2), ADD(3, 1, 1), ADD(3, 5, 6)}, "012"},
    {"nor what another one in front needs",
     {LOAD(1, 2), ADD(3, 1, 1), ADD(4, 3, 3), ADD(5, 4, 6), ADD(7, 6, 6)},
     "04123"},
    {"a load that waits to be written over waits", {LOAD(1, 2), ADD(1, 3, 4), ADD(5, 6, 7)}, "021"},
    {"words of a wide load: the last", {WIDE_LOAD(4, 2), ADD(3, 7, 1), ADD(8, 5, 9), ADD(10, 11, 12)}, "0312"},
    {"words of a wide load: none behind it", {WIDE_LOAD(4, 2), ADD(3, 8, 1)}, "01"},
    {"words of a wide store: the last", {LOAD(3, 4), ADD(2, 3, 3), WIDE_STORE(6, 1)}, "012"},
    {"a store of one word", {LOAD(3, 4), ADD(2, 3, 3), STORE(6, 1)}, "021"},
    {"a predicate that waits",
     {LOAD(1, 2), COMPARE(P0, 1, 3), GUARDED_ADD(P0, 4, 5, 6), GUARDED_ADD(P1, 7, 5, 6)},
     "0312"},
    {"not what writes a guard in use", {LOAD(1, 2), GUARDED_ADD(P0, 3, 1, 1), COMPARE(P0, 5, 6)}, "012"},
    {"not what reads a value that may stay", {LOAD(1, 2), GUARDED_ADD(P0, 3, 1, 1), ADD(4, 3, 3)}, "012"},
    {"a carry that comes in is lost", {LOAD(1, 2), CARRY_ADD(3, 1, 1, P0, 0), GUARDED_ADD(P0, 4, 5, 6)}, "012"},
    {"a carry that goes out", {LOAD(1, 2), CARRY_ADD(3, 1, 1, P0, P0), COMPARE(P0, 5, 6), COMPARE(P1, 5, 6)}, "0312"},
    {"a shuffle is arithmetic", {LOAD(1, 2), ADD(3, 1, 1), SHUFFLE(4, 5, 6)}, "021"},
    {"nothing passes a store", {LOAD(1, 2), STORE(3, 1), ADD(4, 5, 6), SHARED_LOAD(7, 8)}, "0123"},
    {"nor an atomic that answers nothing", {LOAD(1, 2), COUNT(3, 1), ADD(4, 5, 6), CONSTANT(7)}, "0123"},
    {"a store passes loads of another space", {LOAD(1, 2), LOAD(3, 1), SHARED_STORE(4, 5)}, "021"},
    {"not of its own", {LOAD(1, 2), SHARED_LOAD(3, 1), SHARED_STORE(4, 5)}, "012"},
    {"a generic one may be of any", {LOAD(1, 2), SHARED_LOAD(3, 1), GENERIC_STORE(4, 5)}, "012"},
    {"constants pass what they like", {LOAD(1, 2), XCHG(3, 1, 4), CONSTANT(5)}, "021"},
    {"an access keeps its place behind an atomic", {LOAD(1, 2), XCHG(3, 1, 4), LOAD(5, 6), SHARED_LOAD(7, 8)}, "0123"},
    {"and in front of one", {LOAD(1, 2), LOAD(3, 1), XCHG(4, 5, 6), ADD(7, 8, 8)}, "0312"},
    {"a volatile access likewise", {LOAD(1, 2), LOAD(3, 1), VOLATILE_LOAD(4, 5), ADD(7, 8, 8)}, "0312"},
    {"also for those behind it", {LOAD(1, 2), VOLATILE_LOAD(3, 1), LOAD(4, 5), ADD(7, 8, 8)}, "0312"},
    {"arithmetic passes a fence", {STORE(1, 2), FENCE, ADD(6, 7, 8), ADD(9, 7, 8)}, "0231"},
    {"an access does not", {STORE(1, 2), FENCE, LOAD(3, 4), SHARED_LOAD(5, 6)}, "0123"},
    {"nor does it come behind it", {LOAD(1, 2), LOAD(3, 1), FENCE, ADD(6, 7, 8)}, "0312"},
    {"a launch keeps its place", {LOAD(3, 4), LOAD(5, 3), LAUNCH(6), ADD(9, 1, 2)}, "0312"},
    {"beside what follows, too", {LOAD(3, 4), LAUNCH(3), LOAD(5, 6), ADD(9, 1, 2)}, "0312"},
    {"so does the clock", {LOAD(3, 4), LOAD(5, 3), SPECIAL(6, SR_CLOCK_LO), ADD(9, 1, 2)}, "0312"},
    {"but no other number", {LOAD(3, 4), LOAD(5, 3), SPECIAL(6, SR_LANEID)}, "021"},
    {"nothing passes a barrier", {LOAD(1, 2), ADD(3, 1, 1), BARRIER, ADD(4, 5, 6)}, "0123"},
    {"nor what tells the whole warp", {LOAD(1, 2), ADD(3, 1, 1), VOTE, ADD(4, 5, 6)}, "0123"},
    {"nor comes a barrier early", {LOAD(1, 2), ADD(3, 1, 1), ADD(4, 3, 3), BARRIER}, "0123"},
};

static uint32_t number(uint8_t of) {
    return of == 0 ? NONE : of;
}

static struct machine_instruction long_form(const struct short_form *from, uint32_t order) {
    struct machine_instruction to = make(from->op);
    to.mod = from->mod;
    to.ordered = from->ordered;
    to.dst = number(from->dst);
    to.src[0] = number(from->a);
    to.src[1] = number(from->b);
    to.guard = number(from->guard);
    to.carry = number(from->carry);
    if (from->op == OP_S2R)
        to.imm = from->c;
    else
        to.src[2] = number(from->c);
    to.line = order;
    return to;
}

static void make_registers(struct machine_function *function) {
    for (unsigned r = 0; r < COUNT; r++)
        (void)new_register(function, r < REGISTERS ? CLASS_VECTOR : CLASS_PREDICATE);
    function->assigned = calloc(COUNT, sizeof *function->assigned);
    for (unsigned r = 0; r < COUNT; r++)
        function->assigned[r] = (uint16_t)(r < REGISTERS ? r : r - REGISTERS);
}

static void expect_order(struct machine_function *function, uint32_t block, const struct row *row) {
    for (size_t i = 0; i < strlen(row->order); i++)
        (void)append(function, block, long_form(&row->code[i], (uint32_t)i));
    waits_fill(function);
    char order[LENGTH_MOST + 1] = "";
    for (size_t i = 0; i < function->blocks[block].count; i++)
        order[i] = (char)('0' + function->blocks[block].code[i].line);
    cr_expect_str_eq(order, row->order, "%s: %s, not %s", row->name, order, row->order);
}

static void forget(struct machine_function *function) {
    for (size_t b = 0; b < function->block_count; b++)
        free(function->blocks[b].code);
    free(function->blocks);
    free(function->classes);
    free(function->assigned);
}

Test(fill_waits, table, .description = "what waits for nothing goes first, unless it may not pass what waits") {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct machine_function function = {.name = "row"};
        const uint32_t block = new_block(&function);
        make_registers(&function);
        expect_order(&function, block, &rows[k]);
        forget(&function);
    }
}

// Block 1 is a loop of its own.
Test(fill_waits, loops, .description = "a loop that waits for others stays, one of arithmetic alone is filled more") {
    static const struct {
        struct row row;
        bool waits;
    } loops[] = {
        {{"a loop", {LOAD(1, 2), ADD(3, 1, 1), ADD(4, 5, 6)}, "021"}, false},
        {{"that waits for others", {LOAD(1, 2), ADD(3, 1, 1), ADD(4, 5, 6)}, "012"}, true},
        {{"arithmetic alone", {ADD(1, 2, 3), ADD(4, 1, 1), ADD(5, 6, 7)}, "021"}, false},
        {{"arithmetic beside an access", {ADD(1, 2, 3), ADD(4, 1, 1), ADD(5, 6, 7), LOAD(8, 2)}, "0123"}, false},
        {{"beside an atomic's answer", {ADD(1, 2, 3), ADD(4, 1, 1), ADD(5, 6, 7), XCHG(8, 2, 3)}, "0213"}, false},
    };
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++) {
        struct machine_function function = {.name = "loop"};
        for (unsigned b = 0; b < 3; b++)
            (void)new_block(&function);
        make_registers(&function);
        function.blocks[0].terminator = TERM_BRANCH;
        function.blocks[0].target[0] = 1;
        function.blocks[1].terminator = TERM_CONDITION;
        function.blocks[1].condition = P0;
        function.blocks[1].target[0] = 1;
        function.blocks[1].target[1] = 2;
        function.blocks[1].waits = loops[k].waits;
        function.blocks[2].terminator = TERM_EXIT;
        expect_order(&function, 1, &loops[k].row);
        forget(&function);
    }
}
