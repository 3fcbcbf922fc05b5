// Rows of the register file: who gets which, and shared registers, against the rules said once more. A row is told from
// its neighbours by asking about each of them.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"
#include "random_numbers.h"
#include "sm/sm_internal.h"

enum { WARPS = 4, ROWS = 24, REGISTERS = 6 };

static struct run run;
static struct sm *sm;
static uint64_t seed;
static bool taken[ROWS];

static uint32_t below(uint32_t n) {
    return random_below(&seed, n);
}

static void open_sm(const char *config) {
    run_init(&run, ppu_config_find(config), 1);
    run.config.warps = WARPS + 1;  // nobody may look at the last one
    run.config.vgpr_rows = ROWS;
    sm = sm_create(&run, NULL, 0);
    cr_assert_not_null(sm);
    run.config.warps = WARPS;
    sm->warps[WARPS].running = true;
    sm->warps[WARPS].rows = ROWS;
    seed = seed_from_environment();
    fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", seed);
}

static void close_sm(void) {
    run.config.warps = WARPS + 1;
    sm_destroy(sm);
}

// Warps with pieces that do not overlap, in any order; some have ended.
static void random_pieces(void) {
    uint32_t order[WARPS], row = 0;
    for (uint32_t w = 0; w < WARPS; w++)
        order[w] = w;
    memset(taken, 0, sizeof taken);
    for (uint32_t w = 0; w < WARPS; w++) {
        const uint32_t other = w + below(WARPS - w), swapped = order[w];
        order[w] = order[other];
        order[other] = swapped;
        struct warp *warp = &sm->warps[order[w]];
        row += below(3) == 0 ? below(6) : 0;
        warp->row = row;
        warp->rows = 1 + below(6);
        warp->running = warp->row + warp->rows <= ROWS && below(4) != 0;
        for (uint32_t r = 0; warp->running && r < warp->rows; r++)
            taken[row + r] = true;
        row += warp->rows;
    }
}

static bool is_free(uint32_t row, uint32_t rows) {
    for (uint32_t r = row; r < row + rows; r++) {
        if (r >= ROWS || taken[r]) return false;
    }
    return true;
}

Test(register_file, pieces, .description = "TU-10 warps get rows that nobody has, the lowest ones there are [model]") {
    open_sm("nano");
    for (unsigned turn = 0; turn < 3000; turn++) {
        random_pieces();
        const uint32_t rows = 1 + below(7);
        uint32_t row = 99, first = 0, room = 0;
        for (uint32_t r = 0; r <= ROWS + 1; r++)
            cr_assert_eq(register_file_is_free(sm, r, rows), is_free(r, rows), "%u rows at %u", rows, r);
        while (first < ROWS && !is_free(first, rows))
            first++;
        const bool found = register_file_find(sm, rows, &row);
        cr_assert_eq(found, first < ROWS);
        cr_assert_eq(row, found ? first : 99, "%u rows at %u", rows, row);
        for (uint32_t r = 0, length = 0; r <= ROWS; r++) {
            if (r < ROWS && !taken[r]) {
                length++;
                continue;
            }
            room += length / rows;
            length = 0;
        }
        cr_assert_eq(register_file_room(sm, rows), room);
    }
    cr_assert_not(register_file_is_free(sm, UINT32_MAX, 2), "rows are not counted around");
    close_sm();
}

Test(register_file, whole, .description = "a warp can have the whole file, and no more [model]") {
    uint32_t row = 99;
    open_sm("nano");
    cr_assert(register_file_is_free(sm, 0, ROWS));
    cr_assert_not(register_file_is_free(sm, 0, ROWS + 1));
    cr_assert_not(register_file_is_free(sm, 1, ROWS));
    cr_assert_not(register_file_find(sm, ROWS + 1, &row));
    cr_assert(register_file_find(sm, ROWS, &row));
    cr_assert_eq(row, 0);
    sm->warps[2].running = true;
    sm->warps[2].rows = ROWS;
    cr_assert_not(register_file_find(sm, 1, &row));
    cr_assert_eq(register_file_room(sm, 1), 0);
    close_sm();
}

Test(register_file, given, .description = "a warp's registers are its own, and 0 when it gets them [model]") {
    open_sm("full");
    const uint32_t threads = run.config.threads;
    for (uint32_t i = 0; i < WARPS * REGISTERS_MAX * threads; i++)
        sm->register_file[i] = 1 + i;
    for (uint32_t w = 0; w < WARPS; w++) {
        struct warp *warp = &sm->warps[w];
        register_file_give(sm, warp, 3 + w, 5 + w, REGISTERS + w);
        cr_assert_eq(warp->row, 3 + w);
        cr_assert_eq(warp->rows, 5 + w);
        cr_assert_eq(warp->registers, &sm->register_file[w * REGISTERS_MAX * threads]);
    }
    for (uint32_t i = 0; i < WARPS * REGISTERS_MAX * threads; i++) {
        const uint32_t warp = i / (REGISTERS_MAX * threads), r = i / threads % REGISTERS_MAX;
        cr_assert_eq(sm->register_file[i], r < REGISTERS + warp ? 0 : 1 + i, "warp %u R%u", warp, r);
    }
    close_sm();
}

// What the highest thread of those with the same lane has written is in that lane of every portion.
static void check_share(uint32_t privates, uint32_t first, uint32_t count, uint64_t threads) {
    const uint32_t lanes = run.config.lanes, all = run.config.threads;
    static uint32_t want[REGISTERS_MAX * WARP_THREADS_MAX];
    struct warp *warp = &sm->warps[1];
    register_file_give(sm, warp, 0, 1, 0);
    warp->privates = privates;
    for (uint32_t i = 0; i < REGISTERS_MAX * all; i++)
        warp->registers[i] = want[i] = (uint32_t)random_bits(&seed);
    for (uint32_t r = first; r < first + count && r < REGISTERS_MAX; r++) {
        for (uint32_t t = 0; r >= privates && t < all; t++) {
            for (uint32_t from = t % lanes; from < all; from += lanes) {
                if ((threads >> from & 1u) != 0) want[r * all + t] = warp->registers[r * all + from];
            }
        }
    }
    uint32_t *next = &sm->register_file[2 * REGISTERS_MAX * all];  // behind the last register
    for (uint32_t t = 0; t < all; t++)
        next[t] = 1 + t;
    register_file_share(sm, warp, first, count, threads);
    cr_assert_eq(memcmp(warp->registers, want, REGISTERS_MAX * all * sizeof want[0]), 0,
                 "privates %u, R%u and %u more, threads %" PRIx64, privates, first, count - 1, threads);
    for (uint32_t t = 0; t < all; t++)
        cr_assert_eq(next[t], 1 + t, "RZ is nobody's");
}

Test(register_file, share, .description = "SV-4 of shared registers every portion sees the same [model]") {
    static const char *const configs[] = {"nano", "small", "full"};
    for (unsigned c = 0; c < 3; c++) {
        open_sm(configs[c]);
        const uint64_t portion = run.config.lanes == 64 ? ~UINT64_C(0) : (UINT64_C(1) << run.config.lanes) - 1;
        for (unsigned turn = 0; turn < 150; turn++) {
            const uint64_t some = random_bits(&seed) & sm->all_threads;
            const uint32_t p = below(sm->portions);
            check_share(below(8), below(6), 1 + below(4), some & portion << (p * run.config.lanes));
        }
        check_share(4, 3, 1, 2);
        check_share(4, 4, 1, 2);
        check_share(4, 2, 4, UINT64_C(1) << (run.config.threads - 1));
        check_share(4, ISA_RZ, 1, 1);
        check_share(ISA_RZ, ISA_RZ - 1, 1, 1);
        check_share(4, 4, 1, 0);
        close_sm();
    }
}
