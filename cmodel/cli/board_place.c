// A board named on the command line.
#include <string.h>

#include "backend/backend.h"
#include "board_place.h"
#include "cli.h"
#include "driver/device_name.h"

bool open_board_place(const char *command, const char *name, struct board *board) {
    const struct backend_ops *ops;
    struct backend_options options;
    char message[1024];
    if (!device_name_parse(name, &ops, &options, message, sizeof message)) {
        complain(command, "%s", message);
        return false;
    }
    if (!ops->place) {
        complain(command, "%s is no board; write uart:PORT or etherbone:HOST[:PORT]", name);
        return false;
    }
    struct wire wire;
    const bool wired = ops == &backend_uart ? wire_open_serial(&wire, options.place,
                                                               options.baud != 0 ? options.baud : WIRE_DEFAULT_BAUD,
                                                               message, sizeof message)
                                            : wire_open_etherbone(&wire, options.place, message, sizeof message);
    if (wired && board_open(board, wire, message, sizeof message)) return true;
    complain(command, "%s", message);
    return false;
}

int wire_failed(const char *command, const struct board *board) {
    complain(command, "%s", wire_why(&board->wire));
    return EXIT_FAILED;
}
