// Short ways round become guarded instructions: small graphs of blocks with real registers, and what becomes of them.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "compiler/machine/machine.h"
#include "compiler/registers/guards.h"
#include "gen/isa.h"

enum { REGISTERS = 16, P0 = REGISTERS, P1, ALSO_P0, COUNT };

// Block 0 asks P0. Its ways are blocks 1 and 2, or one of them alone; block 3 is where they meet.
static struct machine_instruction operation(uint8_t op, uint32_t dst, uint32_t a, uint32_t b) {
    struct machine_instruction at = make(op);
    at.dst = dst;
    at.src[0] = a;
    at.src[1] = b;
    return at;
}

static struct machine_instruction add(uint32_t dst) {
    return operation(OP_IADD, dst, 2, 3);
}

static struct machine_instruction load(uint32_t dst) {
    return operation(OP_LDG, dst, 2, NONE);
}

static struct machine_instruction store(void) {
    return operation(OP_STG, NONE, 2, 3);
}

static void put(struct machine_function *f, uint32_t block, unsigned count, struct machine_instruction at) {
    for (unsigned k = 0; k < count; k++)
        (void)append(f, block, at);
}

// The blocks that block 0 goes to; those of 1 and 2 that are named go on to 3.
static void begin(struct machine_function *f, uint32_t when, uint32_t otherwise) {
    *f = (struct machine_function){.name = "graph"};
    for (unsigned b = 0; b < 4; b++)
        (void)new_block(f);
    for (unsigned r = 0; r < COUNT; r++)
        (void)new_register(f, r < REGISTERS ? CLASS_VECTOR : CLASS_PREDICATE);
    f->assigned = calloc(COUNT, sizeof *f->assigned);
    for (unsigned r = 0; r < COUNT; r++)
        f->assigned[r] = (uint16_t)(r < REGISTERS ? r : r == P1 ? 1 : 0);
    f->blocks[0].terminator = TERM_CONDITION;
    f->blocks[0].condition = P0;
    f->blocks[0].divergent = true;
    f->blocks[0].target[0] = when;
    f->blocks[0].target[1] = otherwise;
    for (unsigned b = 1; b < 3; b++) {
        f->blocks[b].terminator = TERM_BRANCH;
        f->blocks[b].target[0] = 3;
    }
    f->blocks[3].terminator = TERM_EXIT;
}

static void end(struct machine_function *f) {
    for (size_t b = 0; b < f->block_count; b++) {
        free(f->blocks[b].code);
        free(f->blocks[b].preds);
    }
    free(f->blocks);
    free(f->classes);
    free(f->assigned);
}

// Whether `count` instructions are in block 0, and it asks nothing any more.
static bool all_moved(const struct machine_function *f, size_t count) {
    const struct machine_block *block = &f->blocks[0];
    return block->count == count && block->terminator == TERM_BRANCH && block->target[0] == 3 && !block->divergent;
}

static bool untouched(const struct machine_function *f) {
    const struct machine_block *block = &f->blocks[0];
    return block->count == 0 && block->terminator == TERM_CONDITION && block->divergent;
}

static void expect_guard(const struct machine_function *f, size_t at, bool negated) {
    const struct machine_instruction *is = &f->blocks[0].code[at];
    cr_expect_eq(is->guard, P0, "instruction %zu", at);
    cr_expect_eq(is->guard_negated, negated, "instruction %zu", at);
}

Test(guards, one_way,
     .description = "a way that some threads go: four instructions at most, guarded by its condition") {
    struct machine_function f;
    for (unsigned way = 1; way < 3; way++)
        for (unsigned negated = 0; negated < 2; negated++) {
            begin(&f, way == 1 ? 1 : 3, way == 1 ? 3 : 2);
            f.blocks[0].condition_negated = negated != 0;
            put(&f, way, 1, load(4));
            put(&f, way, 2, add(5));
            put(&f, way, 1, store());
            ways_guard(&f);
            cr_expect(all_moved(&f, 4), "way %u", way);
            for (size_t k = 0; k < 4 && k < f.blocks[0].count; k++)
                expect_guard(&f, k, (way == 2) != (negated != 0));
            cr_expect_eq(f.blocks[0].code[0].op, OP_LDG);
            cr_expect_eq(f.blocks[0].code[3].op, OP_STG);
            end(&f);
        }
    begin(&f, 1, 3);
    put(&f, 1, 5, add(5));
    ways_guard(&f);
    cr_expect(untouched(&f), "five");
    end(&f);
}

Test(guards, two_ways, .description = "two ways that meet: four instructions at most, with opposite guards") {
    struct machine_function f;
    begin(&f, 1, 2);
    put(&f, 1, 1, store());
    put(&f, 2, 3, add(5));
    ways_guard(&f);
    cr_expect(all_moved(&f, 4));
    expect_guard(&f, 0, false);
    for (size_t k = 1; k < 4; k++)
        expect_guard(&f, k, true);
    end(&f);
    begin(&f, 1, 2);
    put(&f, 1, 3, store());
    put(&f, 2, 3, store());
    ways_guard(&f);
    cr_expect(untouched(&f), "six accesses");
    end(&f);
}

Test(guards, begin_alike, .description = "what both ways begin with is done once, without a guard") {
    struct machine_function f;
    begin(&f, 1, 2);
    for (unsigned way = 1; way < 3; way++) {
        put(&f, way, 1, add(4));
        put(&f, way, 1, add(4 + way));
    }
    ways_guard(&f);
    cr_expect(all_moved(&f, 3));
    cr_expect_eq(f.blocks[0].code[0].guard, NONE);
    cr_expect_not(f.blocks[0].code[0].guard_negated);
    expect_guard(&f, 1, false);
    expect_guard(&f, 2, true);
    end(&f);
}

Test(guards, beside_a_branch, .description = "where the other way stays, or goes elsewhere, so does a short one") {
    struct machine_function f;
    for (unsigned elsewhere = 0; elsewhere < 2; elsewhere++) {
        begin(&f, 1, 2);
        put(&f, 1, 1, add(5));
        put(&f, 2, elsewhere != 0 ? 1 : 9, store());
        if (elsewhere != 0) f.blocks[2].target[0] = new_block(&f);
        ways_guard(&f);
        cr_expect(untouched(&f));
        cr_expect_eq(f.blocks[1].count, 1u);
        end(&f);
    }
}

Test(guards, nothing, .description = "moves that find their values in their places count nothing, and get no guard") {
    struct machine_function f;
    begin(&f, 1, 2);
    put(&f, 1, 5, operation(OP_MOV, 4, NONE, 4));
    put(&f, 2, 4, add(5));
    ways_guard(&f);
    cr_expect(all_moved(&f, 9));
    cr_expect_eq(f.blocks[0].code[0].guard, NONE);
    expect_guard(&f, 8, true);
    end(&f);
}

Test(guards, instructions, .description = "what has no guard to give, or must stay where it is, keeps its branch") {
    struct machine_instruction guarded = add(4), carry = operation(OP_IADDC, 4, 2, 3);
    guarded.guard = P1;
    carry.carry = ALSO_P0;
    const struct {
        const char *name;
        struct machine_instruction at;
        bool moves;
    } rows[] = {
        {"a predicate", operation(OP_ISETP, P1, 2, 3), true},
        {"that of the condition", operation(OP_ISETP, ALSO_P0, 2, 3), false},
        {"a carry into it", carry, false},
        {"an atomic", operation(OP_ATOMG, 4, 2, 3), true},
        {"a constant", operation(OP_LDC, 4, NONE, NONE), true},
        {"one that is guarded", guarded, false},
        {"a shuffle", operation(OP_SHFL, 4, 2, 3), false},
        {"a vote", operation(OP_VOTE, 4, NONE, NONE), false},
        {"a barrier", make(OP_BAR), false},
        {"a fence", make(OP_MEMBAR), false},
        {"a launch", operation(OP_LAUNCH, NONE, 2, NONE), false},
        {"a call", make(OP_CAL), false},
        {"what surrounds a call", operation(OP_NOP, 4, NONE, NONE), false},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct machine_function f;
        begin(&f, 1, 3);
        put(&f, 1, 1, rows[k].at);
        ways_guard(&f);
        cr_expect(rows[k].moves ? all_moved(&f, 1) : untouched(&f), "%s", rows[k].name);
        end(&f);
    }
}

static void another_comes(struct machine_function *f) {
    f->blocks[2].terminator = TERM_CONDITION;
    f->blocks[2].condition = P1;
    f->blocks[2].target[0] = 1;
    f->blocks[2].target[1] = 3;
    f->blocks[0].target[1] = 2;
    put(f, 2, 9, store());
}
static void spins(struct machine_function *f) {
    f->blocks[1].spins = true;
}
static void waits(struct machine_function *f) {
    f->blocks[1].waits = true;
}
static void is_kept(struct machine_function *f) {
    f->blocks[1].kept = true;
}
static void turns(struct machine_function *f) {
    f->blocks[1].turns = true;
}
static void is_of_a_segment(struct machine_function *f) {
    f->blocks[1].segment = 1;
}
static void ends(struct machine_function *f) {
    f->blocks[1].terminator = TERM_EXIT;
}
// Block 0 is in the loop {2, 0}, its way leads out: what moved in would be executed each time.
static void leaves_a_loop(struct machine_function *f) {
    const uint32_t entry = new_block(f);
    f->blocks[2].terminator = TERM_CONDITION;
    f->blocks[2].condition = P0;
    f->blocks[2].divergent = true;
    f->blocks[2].target[0] = 1;
    f->blocks[2].target[1] = entry;
    f->blocks[entry].terminator = TERM_BRANCH;
    f->blocks[entry].target[0] = 2;
    f->blocks[0].terminator = TERM_BRANCH;
    f->blocks[0].condition = NONE;
    f->blocks[0].target[0] = 2;
    put(f, entry, 9, store());
}

Test(guards, blocks, .description = "what others come to, wait in, name, or leave a loop by, keeps its branch") {
    static const struct {
        const char *name;
        void (*change)(struct machine_function *f);
    } rows[] = {
        {"another comes to it", another_comes},
        {"it spins", spins},
        {"it waits", waits},
        {"a token names it", is_kept},
        {"it turns", turns},
        {"of another segment", is_of_a_segment},
        {"it ends the kernel", ends},
        {"out of a loop", leaves_a_loop},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct machine_function f;
        begin(&f, 1, 3);
        put(&f, 1, 1, add(4));
        rows[k].change(&f);
        ways_guard(&f);
        cr_expect_eq(f.blocks[1].count, 1u, "%s", rows[k].name);
        cr_expect_eq(f.blocks[0].count, 0u, "%s", rows[k].name);
        end(&f);
    }
}

// Blocks 1 and 2 are a loop, block 2 is the way back.
Test(guards, back, .description = "the way back of a loop stays, since the other one leaves it") {
    struct machine_function f;
    begin(&f, 1, 3);
    f.blocks[0].terminator = TERM_BRANCH;
    f.blocks[0].condition = NONE;
    f.blocks[1].terminator = TERM_CONDITION;
    f.blocks[1].condition = P0;
    f.blocks[1].target[0] = 2;
    f.blocks[1].target[1] = 3;
    f.blocks[2].target[0] = 1;
    put(&f, 1, 6, store());
    put(&f, 2, 2, add(4));
    ways_guard(&f);
    cr_expect_eq(f.blocks[1].count, 6u);
    cr_expect_eq(f.blocks[2].count, 2u);
    end(&f);
}
