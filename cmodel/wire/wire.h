// A wire to a board: words read and written at addresses of its bus (fpga/map.tbl). Over a serial port in checked frames (serial_wire.c), or over
// Etherbone (etherbone.c). Writes may be kept back until wire_flush or the next read; their order is kept. No call is made from two threads at once.
#ifndef TANDEM_CMODEL_WIRE_WIRE_H
#define TANDEM_CMODEL_WIRE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_DEFAULT_BAUD 1000000u

// What a kind of wire does. All return false once the wire has failed, with a line in wire_why.
struct wire_ops {
    bool (*write)(void *self, uint32_t address, const uint32_t *words, size_t count);
    bool (*read)(void *self, uint32_t address, uint32_t *words, size_t count);
    bool (*flush)(void *self);
    const char *(*why)(const void *self);
    uint64_t (*repeats)(const void *self);  // frames or packets that had to be sent again
    void (*close)(void *self);
};

struct wire {
    const struct wire_ops *ops;
    void *self;
};

// place: what stands behind "uart:" (a port's name) or "etherbone:" (HOST or HOST:PORT). False with one line in message. The caller closes the wire.
bool wire_open_serial(struct wire *wire, const char *place, uint32_t baud, char *message, size_t message_size);
bool wire_open_etherbone(struct wire *wire, const char *place, char *message, size_t message_size);

// address: a multiple of 4; any number of words, at addresses that go up by 4.
static inline bool wire_write(struct wire *wire, uint32_t address, const uint32_t *words, size_t count) {
    return wire->ops->write(wire->self, address, words, count);
}
static inline bool wire_read(struct wire *wire, uint32_t address, uint32_t *words, size_t count) {
    return wire->ops->read(wire->self, address, words, count);
}
static inline bool wire_flush(struct wire *wire) {
    return wire->ops->flush(wire->self);
}
static inline const char *wire_why(const struct wire *wire) {
    return wire->ops->why(wire->self);
}

#endif
