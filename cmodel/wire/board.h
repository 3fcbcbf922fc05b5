// A board behind a wire: who it is, registers and memory of its PPU.
#ifndef TANDEM_CMODEL_WIRE_BOARD_H
#define TANDEM_CMODEL_WIRE_BOARD_H

#include "wire/wire.h"

// What a board says of itself (fpga/map.tbl, block board).
struct board_identity {
    uint32_t version, git_hash, build_time, clock_hz, memory_bytes;
};

struct board {
    struct wire wire;
    struct board_identity identity;
};

// Takes the wire over, also when it fails, and closes it then. False with one line in message: it is no board of Tandem's, with the usual reasons
// for what it says (all ones, all zeros, something else), another version, or memory that is not ready.
bool board_open(struct board *board, struct wire wire, char *message, size_t message_size);
void board_close(struct board *board);

// The PPU in reset for a moment: caches, channels and tasks are gone, memory stays.
bool board_reset(struct board *board);
// Registers of the PPU by their offset (cmodel/host/registers.tbl). False: the wire has failed, see wire_why.
bool board_reg_read(struct board *board, uint32_t offset, uint32_t *value);
bool board_reg_write(struct board *board, uint32_t offset, uint32_t value);
// Bytes of memory, [address, address + size) inside it. A write that begins or ends inside a word reads that word before, so nobody else may write
// the rest of it meanwhile. False: the wire has failed.
bool board_mem_read(struct board *board, uint32_t address, void *to, size_t size);
bool board_mem_write(struct board *board, uint32_t address, const void *from, size_t size);

#endif
