// A board behind a wire.
#include <stdio.h>
#include <string.h>

#include "gen/board_map.h"
#include "wire/board.h"

#define MAGIC 0x42444E54u  // "TNDB"
#define MAJOR 1u
#define WORDS 512u  // at a time, of memory

static bool refuse(struct board *board, char *message, size_t message_size, const char *text) {
    snprintf(message, message_size, "%s", text);
    board_close(board);
    return false;
}

// What the first word that is read tells when it is not the right one.
static void explain(uint32_t magic, char *text, size_t size) {
    if (magic == UINT32_MAX || magic == 0)
        snprintf(text, size,
                 "the board reads as all %s: the usual reasons are a clock that does not run (missed timing, PLL not "
                 "locked), a reset that is "
                 "held, or gateware without this bus",
                 magic == 0 ? "zeros" : "ones");
    else
        snprintf(text, size,
                 "the board answers 0x%08x where 0x%08x (\"TNDB\") should stand: its gateware is not Tandem's", magic,
                 MAGIC);
}

bool board_open(struct board *board, struct wire wire, char *message, size_t message_size) {
    *board = (struct board){.wire = wire};
    uint32_t word[11];
    char text[300];
    if (!wire_read(&board->wire, BOARD_MAGIC, word, 11))
        return refuse(board, message, message_size, wire_why(&board->wire));
    if (word[0] != MAGIC) {
        explain(word[0], text, sizeof text);
        return refuse(board, message, message_size, text);
    }
    board->identity = (struct board_identity){word[1], word[2], word[3], word[4], word[5]};
    if (word[1] >> 16 != MAJOR) {
        snprintf(text, sizeof text,
                 "the board's map has version %u.%u, this program knows %u: build one of the two anew", word[1] >> 16,
                 word[1] & 0xFFFF, MAJOR);
        return refuse(board, message, message_size, text);
    }
    if (word[9] == 0)
        return refuse(board, message, message_size, "the board's memory is not ready; switch the board off and on");
    return true;
}

void board_close(struct board *board) {
    if (board->wire.ops == NULL) return;
    board->wire.ops->close(board->wire.self);
    board->wire.ops = NULL;
}

bool board_reset(struct board *board) {
    static const uint32_t on = 1, off = 0;
    return wire_write(&board->wire, BOARD_RESET, &on, 1) && wire_write(&board->wire, BOARD_RESET, &off, 1) &&
           wire_flush(&board->wire);
}

bool board_reg_read(struct board *board, uint32_t offset, uint32_t *value) {
    return wire_read(&board->wire, BOARD_BASE_PPU + offset, value, 1);
}

bool board_reg_write(struct board *board, uint32_t offset, uint32_t value) {
    return wire_write(&board->wire, BOARD_BASE_PPU + offset, &value, 1) && wire_flush(&board->wire);
}

bool board_mem_read(struct board *board, uint32_t address, void *to, size_t size) {
    uint8_t *bytes = to;
    while (size > 0) {
        uint32_t words[WORDS];
        const uint32_t skip = address % 4;
        size_t some = sizeof words - skip;
        if (some > size) some = size;
        if (!wire_read(&board->wire, BOARD_BASE_MEMORY + address - skip, words, (skip + some + 3) / 4)) return false;
        memcpy(bytes, (const uint8_t *)words + skip, some);
        address += (uint32_t)some;
        bytes += some;
        size -= some;
    }
    return true;
}

// A piece that does not fill its words at both ends.
static bool write_piece(struct board *board, uint32_t address, const uint8_t *bytes, size_t size) {
    uint32_t words[WORDS];
    const uint32_t skip = address % 4;
    const size_t count = (skip + size + 3) / 4;
    if (skip != 0 && !wire_read(&board->wire, BOARD_BASE_MEMORY + address - skip, words, 1)) return false;
    if ((skip + size) % 4 != 0 && (skip == 0 || count > 1) &&
        !wire_read(&board->wire, BOARD_BASE_MEMORY + address - skip + (uint32_t)(4 * (count - 1)), &words[count - 1],
                   1))
        return false;
    memcpy((uint8_t *)words + skip, bytes, size);
    return wire_write(&board->wire, BOARD_BASE_MEMORY + address - skip, words, count);
}

bool board_mem_write(struct board *board, uint32_t address, const void *from, size_t size) {
    const uint8_t *bytes = from;
    while (size > 0) {
        size_t some = sizeof(uint32_t) * WORDS - address % 4;
        if (some > size) some = size;
        if (!write_piece(board, address, bytes, some)) return false;
        address += (uint32_t)some;
        bytes += some;
        size -= some;
    }
    return true;
}
