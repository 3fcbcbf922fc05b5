// tandem probe: who is at the other end of a wire, and how good the wire is.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "board_place.h"
#include "cli.h"
#include "gen/board_map.h"
#include "gen/config.h"
#include "gen/registers.h"

static void help(FILE *to) {
    fputs(
        "usage: tandem probe BOARD\n"
        "Asks a board (uart:PORT[,baud=N] or etherbone:HOST[:PORT]) who it is, writes and reads a word in several\n"
        "patterns, and measures the wire. What runs on the board goes on.\n",
        to);
}

static double seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void print_identity(const struct board *board) {
    const struct board_identity *who = &board->identity;
    const time_t built = (time_t)who->build_time;
    struct tm when;
    char text[40] = "?";
    if (gmtime_r(&built, &when) != NULL) strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &when);
    printf("board      gateware of commit %08x, built %s, map %u.%u\n", who->git_hash, text, who->version >> 16,
           who->version & 0xFFFF);
    printf("clock      %u.%03u MHz\n", who->clock_hz / 1000000, who->clock_hz / 1000 % 1000);
    printf("memory     %u KiB\n", who->memory_bytes >> 10);
}

static bool print_ppu(struct board *board) {
    uint32_t word[5];
    if (!wire_read(&board->wire, BOARD_BASE_PPU + REG_MAGIC, word, 5)) return false;
    if (word[0] != REG_MAGIC_RESET) {
        printf("PPU        says 0x%08x where 0x%08x should stand\n", word[0], REG_MAGIC_RESET);
        return true;
    }
    const struct ppu_config *config = NULL;
    for (size_t i = 0; i < PPU_CONFIG_COUNT; i++) {
        const struct ppu_config *c = &ppu_configs[i];
        if (c->threads == REG_CONFIG0_THREADS_OF(word[2]) && c->lanes == REG_CONFIG0_LANES_OF(word[2]) &&
            c->warps == REG_CONFIG0_WARPS_OF(word[2]))
            config = c;
    }
    printf("PPU        %s: %u threads a warp on %u lanes, %u warps an SM, %u SM, %u channels\n",
           config != NULL ? config->name : "of no known configuration", REG_CONFIG0_THREADS_OF(word[2]),
           REG_CONFIG0_LANES_OF(word[2]), REG_CONFIG0_WARPS_OF(word[2]), REG_CONFIG0_SMS_OF(word[2]),
           REG_CONFIG1_CHANNELS_OF(word[3]));
    return true;
}

// Every bit of a word both ways. False: the wire has failed, or a word came back wrong (which is printed).
static bool check_patterns(struct board *board, bool *right) {
    *right = true;
    for (unsigned i = 0; i < 34; i++) {
        const uint32_t pattern = i < 32 ? 1u << i : i == 32 ? 0x55AA33CCu : 0xAA55CC33u;
        uint32_t back;
        if (!wire_write(&board->wire, BOARD_SCRATCH, &pattern, 1) || !wire_read(&board->wire, BOARD_SCRATCH, &back, 1))
            return false;
        if (back == pattern) continue;
        printf("scratch    0x%08x was written, 0x%08x came back\n", pattern, back);
        *right = false;
    }
    if (*right) puts("scratch    34 patterns came back right");
    return true;
}

static bool measure(struct board *board) {
    enum { ROUNDS = 16, WORDS = 1020 };
    uint32_t words[WORDS];
    double begin = seconds();
    for (unsigned i = 0; i < ROUNDS; i++) {
        if (!wire_read(&board->wire, BOARD_SCRATCH, words, 1)) return false;
    }
    const double round = (seconds() - begin) / ROUNDS;
    begin = seconds();
    if (!wire_read(&board->wire, BOARD_BASE_MEMORY, words, WORDS)) return false;
    printf("wire       %.2f ms there and back, %.1f KiB/s from memory, %llu frames sent again\n", round * 1e3,
           sizeof words / 1024.0 / (seconds() - begin), (unsigned long long)board->wire.ops->repeats(board->wire.self));
    return true;
}

static int probe_main(int argc, char **argv) {
    if (argc != 2) return usage_error(&command_probe, "one board");
    struct board board;
    if (!open_board_place("probe", argv[1], &board)) return EXIT_FAILED;
    bool right = true;
    print_identity(&board);
    const bool good = print_ppu(&board) && check_patterns(&board, &right) && measure(&board);
    const int result = good ? right ? EXIT_OK : EXIT_FAILED : wire_failed("probe", &board);
    board_close(&board);
    return result;
}

const struct command command_probe = {"probe", "tell who is at the other end of a wire, and how good it is", help,
                                      probe_main};
