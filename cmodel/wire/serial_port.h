// A serial port as a stream of bytes with deadlines. One program at a time has it.
#ifndef TANDEM_CMODEL_WIRE_SERIAL_PORT_H
#define TANDEM_CMODEL_WIRE_SERIAL_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct serial_port {
    int file;
    char path[256];
    char why[512];  // what failed last, one line
};

// path: a device node such as /dev/ttyUSB0, or a pseudo-terminal; baud: one of the usual rates up to 4000000. Raw, 8 data bits, no parity, one stop
// bit, no flow control; what has come in before is thrown away. False with a line in port->why: no such port, not allowed, not serial, another
// program has it, or a rate that there is not. The caller closes it.
bool serial_port_open(struct serial_port *port, const char *path, uint32_t baud);
void serial_port_close(struct serial_port *port);
// All of it within so many milliseconds. False: port->why says what stopped it.
bool serial_port_write(struct serial_port *port, const void *from, size_t size, unsigned milliseconds);
// Returns how many bytes have come before the time was over, size if all; SIZE_MAX: the port is gone (port->why).
size_t serial_port_read(struct serial_port *port, void *to, size_t size, unsigned milliseconds);
// Throws away what comes until nothing has come for so many milliseconds (at most a second in all).
void serial_port_drain(struct serial_port *port, unsigned milliseconds);

#endif
