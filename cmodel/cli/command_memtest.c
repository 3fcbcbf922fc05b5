// tandem memtest: the memory of a board, tested over the wire: its data lines, its address lines, and a piece of it word by word.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board_place.h"
#include "cli.h"
#include "gen/board_map.h"

#define PIECE_WORDS 1020u
#define DEFAULT_KIB 64u

static void help(FILE *to) {
    fputs(
        "usage: tandem memtest BOARD [KIB]\n"
        "Tests the memory of a board (uart:PORT[,baud=N] or etherbone:HOST[:PORT]): data lines at one word, address\n"
        "lines at every power of two, then KIB kibibytes (default 64; `all`: everything) with two patterns. The PPU "
        "is\n"
        "reset before, and what memory held is gone.\n",
        to);
}

// An address's own word, the same whoever asks; pass 1 is its complement.
static uint32_t word_of(uint32_t address, unsigned pass) {
    uint32_t x = address * 0x9E3779B1u;
    x ^= x >> 15;
    x *= 0x85EBCA77u;
    x ^= x >> 13;
    return pass == 0 ? x : ~x;
}

static bool wrong(uint32_t address, uint32_t expected, uint32_t found, const char *hint) {
    complain("memtest", "at 0x%08x: 0x%08x was written, 0x%08x came back; %s", address, expected, found, hint);
    return false;
}

// *right: as far as was tested. False: the wire has failed.
static bool test_data_lines(struct board *board, bool *right) {
    for (unsigned i = 0; i < 64 && *right; i++) {
        const uint32_t pattern = i < 32 ? 1u << i : ~(1u << (i - 32));
        uint32_t back;
        if (!board_mem_write(board, 0, &pattern, 4) || !board_mem_read(board, 0, &back, 4)) return false;
        if (back != pattern)
            *right =
                wrong(0, pattern, back, "a data line is open or shorted, or the memory's clock has the wrong phase");
    }
    if (*right) puts("data lines     right");
    return true;
}

static bool test_address_lines(struct board *board, bool *right) {
    const uint32_t end = board->identity.memory_bytes;
    for (uint32_t at = 4; at < end && *right; at *= 2) {
        const uint32_t word = word_of(at, 0);
        if (!board_mem_write(board, at, &word, 4)) return false;
    }
    const uint32_t first = word_of(0, 0);
    if (!board_mem_write(board, 0, &first, 4)) return false;
    for (uint32_t at = 4; at < end && *right; at *= 2) {
        uint32_t back;
        if (!board_mem_read(board, at, &back, 4)) return false;
        if (back != word_of(at, 0))
            *right = wrong(at, word_of(at, 0), back,
                           "an address line is open or shorted, or the memory is smaller than the gateware thinks");
    }
    if (*right) puts("address lines  right");
    return true;
}

static bool test_words(struct board *board, uint32_t bytes, bool *right) {
    uint32_t words[PIECE_WORDS];
    for (unsigned pass = 0; pass < 2 && *right; pass++) {
        for (uint32_t half = 0; half < 2 && *right; half++) {  // all is written before any of it is read
            for (uint32_t at = 0; at < bytes && *right;) {
                const uint32_t count = (bytes - at) / 4 < PIECE_WORDS ? (bytes - at) / 4 : PIECE_WORDS;
                for (uint32_t i = 0; i < count; i++)
                    words[i] = word_of(at + 4 * i, pass);
                if (half == 0 ? !board_mem_write(board, at, words, 4 * count)
                              : !board_mem_read(board, at, words, 4 * count))
                    return false;
                for (uint32_t i = 0; i < count && *right && half == 1; i++) {
                    if (words[i] != word_of(at + 4 * i, pass))
                        *right = wrong(at + 4 * i, word_of(at + 4 * i, pass), words[i],
                                       "a cell, or the timing of the memory, is bad");
                }
                at += 4 * count;
            }
        }
    }
    if (*right) printf("words          %u KiB right, twice\n", bytes >> 10);
    return true;
}

static int memtest_main(int argc, char **argv) {
    uint64_t kib = DEFAULT_KIB;
    if (argc != 2 && argc != 3) return usage_error(&command_memtest, "one board, and how many KiB");
    const bool all = argc == 3 && strcmp(argv[2], "all") == 0;
    if (argc == 3 && !all && (argv[2][0] == '-' || !parse_number(argv[2], &kib) || kib == 0 || kib > 4 << 20))
        return usage_error(&command_memtest, "%s: how many KiB is a number from 1 on, or `all`", argv[2]);
    struct board board;
    if (!open_board_place("memtest", argv[1], &board)) return EXIT_FAILED;
    const uint32_t most = board.identity.memory_bytes;
    const uint32_t bytes = all || kib << 10 > most ? most : (uint32_t)kib << 10;
    bool right = true;
    const bool good = board_reset(&board) && test_data_lines(&board, &right) &&
                      (!right || test_address_lines(&board, &right)) && (!right || test_words(&board, bytes, &right));
    const int result = good ? right ? EXIT_OK : EXIT_FAILED : wire_failed("memtest", &board);
    board_close(&board);
    return result;
}

const struct command command_memtest = {"memtest", "test the memory of a board", help, memtest_main};
