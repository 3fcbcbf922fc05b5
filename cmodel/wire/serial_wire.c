// A board's serial line: UARTBone commands in frames with a check and an answer (fpga/checked_wire.py). What gets no good answer is sent again; the
// board carries a frame of writes out once, however often it comes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "gen/board_map.h"
#include "wire/serial_port.h"
#include "wire/wire.h"

enum { FRAME = 5, GOOD = 6, BAD = 21 };
enum kind { WRITES = 0, READS = 1 };
enum { WRITE_BURST = 1, READ_BURST = 2 };
#define ROOM 2048u  // bytes of commands in a frame
#define BURST 255u  // words of a command
#define HEAD 6u     // bytes in front of a command's data
#define TRIES 6u
#define FIRST_WAIT 3000u  // milliseconds for the first answer
#define LEAST_WAIT 400u   // longer than what a board waits before it gives up a broken frame

struct serial_wire {
    struct serial_port port;
    uint8_t commands[ROOM];
    size_t used;
    uint8_t sequence;  // of the last frame of writes
    unsigned wait;     // milliseconds for an answer, above what its bytes take
    uint32_t baud;
    uint64_t repeats;
    bool failed;
    char why[700];
};

static bool fail(struct serial_wire *self, const char *text) {
    self->failed = true;
    snprintf(self->why, sizeof self->why, "%s", text);
    return false;
}

static void put_word(uint8_t *to, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t get_word(const uint8_t *from) {
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static uint32_t crc_of(const uint8_t *bytes, size_t size) {
    return (uint32_t)crc32(0, bytes, (uInt)size);
}

static void put_crc(uint8_t *to, uint32_t crc) {
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(crc >> (8 * i));
}

static bool crc_right(const uint8_t *bytes, size_t size) {
    uint8_t crc[4];
    put_crc(crc, crc_of(bytes, size - 4));
    return memcmp(crc, bytes + size - 4, 4) == 0;
}

// One frame there and one answer back. False: no good answer within the time.
static bool try_frame(struct serial_wire *self, const uint8_t *frame, size_t size, uint8_t *answer,
                      size_t answer_size) {
    // A byte takes ten bits; a board that is simulated takes what it takes, which the first answers tell.
    const unsigned milliseconds = self->wait + (unsigned)((uint64_t)(size + answer_size) * 10 * 1000 / self->baud) +
                                  (unsigned)(size + answer_size) / 2;
    if (!serial_port_write(&self->port, frame, size, milliseconds)) return fail(self, self->port.why);
    size_t got = serial_port_read(&self->port, answer, 6, milliseconds);
    if (got == 6 && answer[0] == GOOD && answer_size > 6) {
        const size_t more = serial_port_read(&self->port, answer + 6, answer_size - 6, milliseconds);
        got = more == SIZE_MAX ? SIZE_MAX : got + more;
    }
    if (got == SIZE_MAX) return fail(self, self->port.why);
    return got == answer_size && answer[0] == GOOD && answer[1] == frame[2] && crc_right(answer, answer_size);
}

// Sends commands until they are answered. answer: room for 6 bytes and what the commands bring, which begins at answer[2].
static bool exchange(struct serial_wire *self, enum kind kind, const uint8_t *commands, size_t size, uint8_t *answer,
                     size_t brings) {
    uint8_t frame[1 + 4 + ROOM + 4] = {FRAME, (uint8_t)kind,
                                       kind == WRITES ? (uint8_t)(self->sequence + 1) : (uint8_t)(self->sequence + 128),
                                       (uint8_t)size, (uint8_t)(size >> 8)};
    if (self->failed) return false;
    memcpy(frame + 5, commands, size);
    put_crc(frame + 5 + size, crc_of(frame + 1, 4 + size));
    for (unsigned n = 0; n < TRIES; n++) {
        if (n != 0) {
            self->repeats++;
            serial_port_drain(&self->port, LEAST_WAIT / 4);
        }
        if (try_frame(self, frame, 5 + size + 4, answer, brings + 6)) {
            if (kind == WRITES) self->sequence++;
            return true;
        }
        if (self->failed) return false;
    }
    char text[600];
    snprintf(text, sizeof text,
             "%s: the board gave no good answer to %u tries; is it on, is its gateware Tandem's, and its rate %u baud?",
             self->port.path, TRIES, self->baud);
    return fail(self, text);
}

static bool flush(void *context) {
    struct serial_wire *self = context;
    if (self->failed) return false;
    if (self->used == 0) return true;
    uint8_t answer[6];
    const size_t size = self->used;
    self->used = 0;
    return exchange(self, WRITES, self->commands, size, answer, 0);
}

static bool write_words(void *context, uint32_t address, const uint32_t *words, size_t count) {
    struct serial_wire *self = context;
    while (count > 0) {
        if (self->used + HEAD + 4 > ROOM && !flush(self)) return false;
        size_t some = (ROOM - self->used - HEAD) / 4;
        if (some > BURST) some = BURST;
        if (some > count) some = count;
        uint8_t *to = self->commands + self->used;
        to[0] = WRITE_BURST;
        to[1] = (uint8_t)some;
        put_word(to + 2, address / 4);
        for (size_t i = 0; i < some; i++)
            put_word(to + HEAD + 4 * i, words[i]);
        self->used += HEAD + 4 * some;
        address += (uint32_t)(4 * some);
        words += some;
        count -= some;
    }
    return !self->failed;
}

static bool read_words(void *context, uint32_t address, uint32_t *words, size_t count) {
    struct serial_wire *self = context;
    enum { BURSTS = 2 };
    if (!flush(self)) return false;
    while (count > 0) {
        uint8_t commands[BURSTS * HEAD], answer[6 + BURSTS * BURST * 4];
        size_t asked = 0, size = 0;
        while (size < sizeof commands && asked < count) {
            const size_t some = count - asked < BURST ? count - asked : BURST;
            commands[size] = READ_BURST;
            commands[size + 1] = (uint8_t)some;
            put_word(commands + size + 2, (address + (uint32_t)(4 * asked)) / 4);
            size += HEAD;
            asked += some;
        }
        if (!exchange(self, READS, commands, size, answer, 4 * asked)) return false;
        for (size_t i = 0; i < asked; i++)
            words[i] = get_word(answer + 2 + 4 * i);
        address += (uint32_t)(4 * asked);
        words += asked;
        count -= asked;
    }
    return true;
}

static const char *why(const void *context) {
    return ((const struct serial_wire *)context)->why;
}

static uint64_t repeats(const void *context) {
    return ((const struct serial_wire *)context)->repeats;
}

static void close_wire(void *context) {
    struct serial_wire *self = context;
    (void)flush(self);
    serial_port_close(&self->port);
    free(self);
}

static const struct wire_ops ops = {write_words, read_words, flush, why, repeats, close_wire};

bool wire_open_serial(struct wire *wire, const char *place, uint32_t baud, char *message, size_t message_size) {
    struct serial_wire *self = calloc(1, sizeof *self);
    if (self == NULL) {
        snprintf(message, message_size, "the host has no memory for a wire");
        return false;
    }
    self->baud = baud;
    self->wait = FIRST_WAIT;
    if (!serial_port_open(&self->port, place, baud)) {
        snprintf(message, message_size, "%s", self->port.why);
        free(self);
        return false;
    }
    // Where the numbers of writes go on, whoever spoke before.
    uint32_t sequence;
    if (!read_words(self, BOARD_WIRE_SEQUENCE, &sequence, 1)) {
        snprintf(message, message_size, "%s", self->why);
        close_wire(self);
        return false;
    }
    self->sequence = (uint8_t)sequence;
    *wire = (struct wire){&ops, self};
    return true;
}
