// tandem where: where a board stands, looked at while its clock goes on.
#include <stdio.h>
#include <string.h>

#include "board_place.h"
#include "cli.h"
#include "gen/board_map.h"
#include "gen/registers.h"

static void help(FILE *to) {
    fputs(
        "usage: tandem where BOARD\n"
        "What each channel of a board (uart:PORT[,baud=N] or etherbone:HOST[:PORT]) does and waits for, and where its\n"
        "warps are. Nothing is stopped or changed, but for which warp the registers show.\n",
        to);
}

static bool channel_word(struct board *board, uint32_t number, uint32_t offset, uint32_t *value) {
    return board_reg_read(board, REG_CHANNEL_BASE + number * REG_CHANNEL_STRIDE + offset, value);
}

static bool print_channel(struct board *board, uint32_t number) {
    uint32_t control, status, code, get, put;
    const uint32_t userd = REG_USERD_BASE + number * REG_USERD_STRIDE;
    if (!channel_word(board, number, CHANNEL_CONTROL, &control) ||
        !channel_word(board, number, CHANNEL_STATUS, &status) ||
        !channel_word(board, number, CHANNEL_FAULT_CODE, &code) || !board_reg_read(board, userd + USERD_GP_GET, &get) ||
        !board_reg_read(board, userd + USERD_GP_PUT, &put))
        return false;
    const uint32_t state = CHANNEL_STATUS_STATE_OF(status);
    printf("channel %u  %s%s, GP_GET %u, GP_PUT %u, %u tasks outstanding", number,
           (control & 1) != 0 ? "" : "not enabled, ", channel_state_name(state), get, put,
           CHANNEL_STATUS_TASKS_OF(status));
    if (state == CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE) {
        uint32_t address, payload;
        if (!channel_word(board, number, CHANNEL_BLOCKED_ADDR, &address) ||
            !channel_word(board, number, CHANNEL_BLOCKED_PAYLOAD, &payload))
            return false;
        printf(", waits for %u at 0x%08x", payload, address);
    }
    if (code != FAULT_NONE) {
        uint32_t info, pc;
        if (!channel_word(board, number, CHANNEL_FAULT_INFO, &info) ||
            !channel_word(board, number, CHANNEL_FAULT_PC, &pc))
            return false;
        printf("; fault %s at pc %u, info 0x%08x: %s", fault_name(code), pc, info, fault_meaning(code));
    }
    putchar('\n');
    return true;
}

static bool print_warp(struct board *board, uint32_t sm, uint32_t warp, unsigned *live) {
    uint32_t word[4];
    if (!board_reg_write(board, REG_WARP_SELECT, REG_WARP_SELECT_SM(sm) | REG_WARP_SELECT_WARP(warp)) ||
        !wire_read(&board->wire, BOARD_BASE_PPU + REG_WARP_PC, word, 4))
        return false;
    const uint32_t state = REG_WARP_STATE_STATE_OF(word[3]);
    if (state == REG_WARP_STATE_STATE_IDLE) return true;
    (*live)++;
    printf("SM %u warp %u  %s, pc %u, active 0x%08x%08x, task slot %u\n", sm, warp, warp_state_name(state), word[0],
           word[2], word[1], REG_WARP_STATE_TASK_SLOT_OF(word[3]));
    return true;
}

static bool print_all(struct board *board) {
    uint32_t config0, config1, selected;
    if (!board_reg_read(board, REG_CONFIG0, &config0) || !board_reg_read(board, REG_CONFIG1, &config1) ||
        !board_reg_read(board, REG_WARP_SELECT, &selected))
        return false;
    for (uint32_t c = 0; c < REG_CONFIG1_CHANNELS_OF(config1); c++) {
        if (!print_channel(board, c)) return false;
    }
    unsigned live = 0;
    for (uint32_t sm = 0; sm < REG_CONFIG0_SMS_OF(config0); sm++) {
        for (uint32_t warp = 0; warp < REG_CONFIG0_WARPS_OF(config0); warp++) {
            if (!print_warp(board, sm, warp, &live)) return false;
        }
    }
    if (live == 0) puts("no warp is resident");
    return board_reg_write(board, REG_WARP_SELECT, selected);
}

static int where_main(int argc, char **argv) {
    if (argc != 2) return usage_error(&command_where, "one board");
    struct board board;
    if (!open_board_place("where", argv[1], &board)) return EXIT_FAILED;
    const int result = print_all(&board) ? EXIT_OK : wire_failed("where", &board);
    board_close(&board);
    return result;
}

const struct command command_where = {"where", "tell where a board stands, without stopping it", help, where_main};
