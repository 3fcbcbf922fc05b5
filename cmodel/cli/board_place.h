// A board named on the command line: uart:PORT[,baud=N] or etherbone:HOST[:PORT], opened as it stands, without a reset.
#ifndef TANDEM_CLI_BOARD_PLACE_H
#define TANDEM_CLI_BOARD_PLACE_H

#include "wire/board.h"

// False after a complaint in the command's name. The caller closes the board.
bool open_board_place(const char *command, const char *name, struct board *board);
// A complaint about the wire; EXIT_FAILED.
int wire_failed(const char *command, const struct board *board);

#endif
