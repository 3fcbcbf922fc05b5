// Instructions of a warp in flight, against a list of them kept beside: what is kept, found, exchanged and forgotten.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"
#include "random_numbers.h"
#include "sm/sm_internal.h"

enum { TURNS = 4000 };

static uint64_t seed;
static struct warp warp;
static uint32_t words[(REGISTERS_MAX + 1) * WARP_THREADS_MAX];

static uint32_t below(uint32_t n) {
    return random_below(&seed, n);
}

static void begin(void) {
    seed = seed_from_environment();
    fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", seed);
    memset(&warp, 0, sizeof warp);
    warp.registers = words;
    cr_assert(in_flight_init(&warp));
}

static void end(void) {
    for (unsigned i = 0; i < IN_FLIGHT_MAX; i++)  // each of its places is one of its own still
        for (unsigned j = 0; j < i; j++)
            cr_assert_neq(warp.older[i], warp.older[j]);
    in_flight_free(&warp);
}

// An instruction of which something is due, or nothing.
static void issue(uint32_t number, bool due) {
    warp.instr_pc = number;
    warp.serial = 1000 + number;
    warp.due = (struct due){.exec = number, .wb = {due ? 1 : 0}};
    warp.access = (struct access){.region = number, .failed = 5};
}

static bool has_pc(const struct in_flight *older, const void *what) {
    return older->pc == *(const uint32_t *)what;
}

static bool follows(const struct in_flight *older, const void *what) {
    return older->pc >= *(const uint32_t *)what;
}

Test(
    in_flight, kept, .init = begin, .fini = end,
    .description = "instructions of which something is due are kept in their order, until all of it has come [model]") {
    uint32_t want[IN_FLIGHT_MAX], count = 0;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        const bool fills = turn / 100 % 2 == 0;
        if (below(8) < (fills ? 6u : 2u)) {
            const bool due = below(4) != 0;
            issue(turn, due);
            const struct warp before = warp;
            const bool kept = in_flight_keep(&warp);
            cr_assert_eq(kept, !due || count < IN_FLIGHT_MAX);
            if (due && kept) {
                want[count++] = turn;
                cr_assert_not(due_of(&warp.due, &warp.access));
                cr_assert_null(warp.access.kept);
                cr_assert(warp.due.exec == 0 && warp.due.wb[0] == 0);
                const struct in_flight *last = warp.older[count - 1];
                cr_assert_eq(memcmp(&last->due, &before.due, sizeof last->due), 0);
                cr_assert_eq(memcmp(&last->access, &before.access, sizeof last->access), 0);
            } else {
                cr_assert_eq(memcmp(&warp, &before, sizeof warp), 0, "nothing is kept");
            }
        } else if (count != 0) {  // something of one of them comes
            const uint32_t which = below(count), last = 1000000 + turn;
            struct in_flight *older = in_flight_find(&warp, has_pc, &want[which]);
            const bool all = below(3) != 0;
            cr_assert_eq(older, warp.older[which]);
            issue(last, true);
            in_flight_exchange(&warp, older);
            cr_assert(warp.instr_pc == want[which] && warp.serial == 1000 + want[which]);
            cr_assert(warp.due.exec == want[which] && warp.access.region == want[which]);
            cr_assert(older->pc == last && older->serial == 1000 + last);
            cr_assert(older->due.exec == last && older->access.region == last);
            if (all) warp.due.wb[0] = 0;
            in_flight_return(&warp, older);
            cr_assert(warp.instr_pc == last && warp.serial == 1000 + last);
            cr_assert(warp.due.exec == last && warp.access.region == last && warp.due.wb[0] == 1);
            if (all) memmove(&want[which], &want[which + 1], (--count - which) * sizeof want[0]);
        }
        cr_assert_eq(warp.older_count, count);
        for (uint32_t i = 0; i < count; i++) {
            cr_assert_eq(warp.older[i]->pc, want[i], "place %u of %u", i, count);
            cr_assert_eq(warp.older[i]->serial, 1000 + want[i]);
            cr_assert_eq(warp.older[i]->due.exec, want[i]);
        }
        const uint32_t from = below(turn + 2);
        uint32_t first = 0;
        while (first < count && want[first] < from)
            first++;
        cr_assert_eq(in_flight_find(&warp, follows, &from), first < count ? warp.older[first] : NULL);
    }
}

Test(in_flight, nobody, .init = begin, .fini = end, .description = "the warp's last one needs no exchange [model]") {
    issue(7, true);
    const struct warp before = warp;
    in_flight_exchange(&warp, NULL);
    cr_assert_eq(memcmp(&warp, &before, sizeof warp), 0);
    in_flight_return(&warp, NULL);
    cr_assert_eq(memcmp(&warp, &before, sizeof warp), 0);
}

// What is due beside write-backs keeps it as well; what is in no request yet goes with it.
Test(in_flight, requests, .init = begin, .fini = end,
     .description = "requests that are to come or under way go with their instruction [model]") {
    for (unsigned which = 0; which < 2; which++) {
        issue(3, false);
        warp.divergence.threads = 32;
        decode(isa_encode_imm(OP_LDG, ISA_PT, false, 1, 0, SIZE_32, 0), &warp.access.decoded);
        warp.access.pending = which == 0 ? 6 : 0;
        warp.access.in_flight = which != 0 ? 9 : 0;
        cr_assert(in_flight_keep(&warp));
        const struct in_flight *older = warp.older[which];
        cr_assert_eq(warp.older_count, which + 1);
        cr_assert(older->access.pending == (which == 0 ? 6 : 0) && older->access.in_flight == (which != 0 ? 9 : 0));
        cr_assert(warp.access.pending == 0 && warp.access.in_flight == 0);
        cr_assert_eq(older->access.kept, which == 0 ? older->kept : NULL, "operands, for requests that are to come");
    }
}

// Operands: rd of so many registers, of an atomic rb, of CAS rc; nothing else is touched.
static void check_operands(unsigned threads, uint64_t word) {
    static uint32_t want[6 * WARP_THREADS_MAX];
    struct in_flight *to = warp.older[0];
    struct decoded *d = &warp.access.decoded;
    issue(1, false);
    decode(word, d);
    cr_assert(d->legal && d->bytes != 0);
    warp.divergence.threads = threads;
    warp.access.pending = 1;
    for (uint32_t i = 0; i < ISA_RZ * threads; i++)
        words[i] = 1 + (uint32_t)random_bits(&seed) / 2;
    for (uint32_t i = 0; i < 6 * threads; i++)
        want[i] = to->kept[i] = 0x99990000u + i;
    const bool atom = isa_table[d->opcode].format == FORMAT_ATOM;
    const uint32_t rows = d->rd == ISA_RZ || d->bytes < 8 ? 1 : d->bytes / 4;
    for (uint32_t t = 0; t < threads; t++) {
        for (uint32_t r = 0; r < rows; r++)
            want[r * threads + t] = d->rd == ISA_RZ ? 0 : words[(d->rd + r) * threads + t];
        if (atom) want[4 * threads + t] = d->rb == ISA_RZ ? 0 : words[d->rb * threads + t];
        if (atom && d->mod == ATOM_CAS) want[5 * threads + t] = d->rc == ISA_RZ ? 0 : words[d->rc * threads + t];
    }
    cr_assert(in_flight_keep(&warp));
    cr_assert_eq(warp.older[0], to);
    cr_assert_eq(to->access.kept, to->kept);
    for (uint32_t t = 0; t < threads; t++)
        words[(d->rd % 8) * threads + t] = 0;
    cr_assert_eq(memcmp(to->kept, want, 6 * threads * sizeof want[0]), 0, "%016" PRIx64, word);
    // It is done.
    in_flight_exchange(&warp, to);
    warp.access.pending = 0;
    in_flight_return(&warp, to);
    cr_assert_eq(warp.older_count, 0);
}

Test(in_flight, operands, .init = begin, .fini = end,
     .description = "what a store or an atomic sends is what its registers held when it was issued [model]") {
    for (unsigned threads = 32; threads <= 64; threads += 32) {
        for (unsigned rz = 0; rz < 2; rz++) {
            const unsigned rd = rz != 0 ? ISA_RZ : 4, other = rz != 0 ? ISA_RZ : 3;
            check_operands(threads, isa_encode_imm(OP_STG, ISA_PT, false, rd, 0, SIZE_U8, 0));
            check_operands(threads, isa_encode_imm(OP_STG, ISA_PT, false, rd, 0, SIZE_32, 0));
            check_operands(threads, isa_encode_imm(OP_STG, ISA_PT, false, rd, 0, SIZE_64, 0));
            check_operands(threads, isa_encode_imm(OP_STG, ISA_PT, false, rd, 0, SIZE_128, 0));
            check_operands(threads, isa_encode_reg(OP_ATOMG, ISA_PT, false, rd, 0, ATOM_ADD, other, 2, 0));
            check_operands(threads, isa_encode_reg(OP_ATOMG, ISA_PT, false, 7, 0, ATOM_CAS, other, 6, 0));
            check_operands(threads, isa_encode_reg(OP_ATOMG, ISA_PT, false, 7, 0, ATOM_CAS, 5, rd, 0));
        }
    }
}

Test(in_flight, memory, .description = "a warp has all its places from the start, and gives them back [model]") {
    static struct {
        struct warp warp;
        void *behind;
    } one;
    one.behind = &one;  // nobody's to write or to free
    const size_t before = mallinfo2().uordblks;
    const bool good = in_flight_init(&one.warp);
    const size_t taken = mallinfo2().uordblks - before;
    in_flight_free(&one.warp);
    const size_t left = mallinfo2().uordblks;
    cr_assert(good);
    cr_assert_eq(one.behind, &one);
#ifndef __SANITIZE_ADDRESS__  // which counts by itself
    cr_assert_geq(taken, IN_FLIGHT_MAX * sizeof(struct in_flight));
#endif
    cr_assert_eq(left, before, "%zu bytes of %zu are left", left - before, taken);
}
