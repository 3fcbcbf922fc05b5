// Etherbone packets over TCP, as litex_server takes them for whatever wire it has to the board. TCP loses nothing on its part; what happens
// between the server and the board is the server's affair.
#define _DEFAULT_SOURCE
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire/wire.h"

#define BURST 128u  // words of a record; the format has room for 255
#define HEAD 16u    // packet's head, record's head, base address
#define WAIT_MS 10000
#define DEFAULT_PORT "1234"

struct etherbone {
    int socket;
    bool failed;
    char place[256], why[512];
};

static bool fail(struct etherbone *self, const char *what) {
    self->failed = true;
    snprintf(self->why, sizeof self->why, "etherbone:%s: %s", self->place, what);
    return false;
}

static void put_word(uint8_t *to, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t get_word(const uint8_t *from) {
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static bool send_all(struct etherbone *self, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        const ssize_t n = send(self->socket, bytes, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail(self, "the server has closed the connection");
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static bool receive_all(struct etherbone *self, uint8_t *bytes, size_t size) {
    while (size > 0) {
        struct pollfd wait = {.fd = self->socket, .events = POLLIN};
        const int ready = poll(&wait, 1, WAIT_MS);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) return fail(self, "no answer within 10 seconds; does the server reach its board?");
        const ssize_t n = recv(self->socket, bytes, size, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail(self, "the server has closed the connection");
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

// Packet and record in front of `writes` words to write or `reads` addresses to read.
static void put_head(uint8_t *packet, size_t writes, size_t reads, uint32_t base) {
    static const uint8_t head[8] = {0x4E, 0x6F, 0x10, 0x44};
    memcpy(packet, head, sizeof head);
    packet[8] = 0;
    packet[9] = 0x0F;  // all bytes of a word
    packet[10] = (uint8_t)writes;
    packet[11] = (uint8_t)reads;
    put_word(packet + 12, base);
}

static bool write_words(void *context, uint32_t address, const uint32_t *words, size_t count) {
    struct etherbone *self = context;
    while (count > 0 && !self->failed) {
        const size_t some = count < BURST ? count : BURST;
        uint8_t packet[HEAD + 4 * BURST];
        put_head(packet, some, 0, address);
        for (size_t i = 0; i < some; i++)
            put_word(packet + HEAD + 4 * i, words[i]);
        if (!send_all(self, packet, HEAD + 4 * some)) return false;
        address += (uint32_t)(4 * some);
        words += some;
        count -= some;
    }
    return !self->failed;
}

static bool read_words(void *context, uint32_t address, uint32_t *words, size_t count) {
    struct etherbone *self = context;
    while (count > 0 && !self->failed) {
        const size_t some = count < BURST ? count : BURST;
        uint8_t packet[HEAD + 4 * BURST];
        put_head(packet, 0, some, 0);
        for (size_t i = 0; i < some; i++)
            put_word(packet + HEAD + 4 * i, address + (uint32_t)(4 * i));
        if (!send_all(self, packet, HEAD + 4 * some) || !receive_all(self, packet, HEAD + 4 * some)) return false;
        if (packet[0] != 0x4E || packet[1] != 0x6F || packet[10] != some)
            return fail(self, "the server answers with something else than Etherbone; is it litex_server?");
        for (size_t i = 0; i < some; i++)
            words[i] = get_word(packet + HEAD + 4 * i);
        address += (uint32_t)(4 * some);
        words += some;
        count -= some;
    }
    return !self->failed;
}

static bool flush(void *context) {
    return !((struct etherbone *)context)->failed;
}

static const char *why(const void *context) {
    return ((const struct etherbone *)context)->why;
}

static uint64_t repeats(const void *context) {
    (void)context;
    return 0;
}

static void close_wire(void *context) {
    struct etherbone *self = context;
    if (self->socket >= 0) (void)close(self->socket);
    free(self);
}

static const struct wire_ops ops = {write_words, read_words, flush, why, repeats, close_wire};

static bool connect_to(struct etherbone *self, const char *host, const char *port) {
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char text[200];
    const int wrong = getaddrinfo(host, port, &hints, &found);
    if (wrong != 0) {
        snprintf(text, sizeof text, "no such host or port: %s", gai_strerror(wrong));
        return fail(self, text);
    }
    int error = 0;
    for (const struct addrinfo *a = found; a != NULL && self->socket < 0; a = a->ai_next) {
        self->socket = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        if (self->socket < 0) continue;
        if (connect(self->socket, a->ai_addr, a->ai_addrlen) == 0) break;
        error = errno;
        (void)close(self->socket);
        self->socket = -1;
    }
    freeaddrinfo(found);
    if (self->socket >= 0) return true;
    snprintf(text, sizeof text, "%s; does litex_server run there?", strerror(error));
    return fail(self, text);
}

// The server greets with a text of unknown length, which says what wire it has.
static bool greet(struct etherbone *self) {
    const int on = 1;
    (void)setsockopt(self->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    char text[128];
    struct pollfd wait = {.fd = self->socket, .events = POLLIN};
    if (poll(&wait, 1, WAIT_MS) != 1 || recv(self->socket, text, sizeof text, 0) <= 0)
        return fail(self, "the server says nothing; is it litex_server, and is another client connected?");
    return true;
}

bool wire_open_etherbone(struct wire *wire, const char *place, char *message, size_t message_size) {
    struct etherbone *self = calloc(1, sizeof *self);
    if (self == NULL) {
        snprintf(message, message_size, "the host has no memory for a wire");
        return false;
    }
    self->socket = -1;
    snprintf(self->place, sizeof self->place, "%s", place);
    char host[256];
    snprintf(host, sizeof host, "%s", place);
    char *colon = strrchr(host, ':');
    if (colon != NULL) *colon = '\0';
    if (connect_to(self, host, colon != NULL ? colon + 1 : DEFAULT_PORT) && greet(self)) {
        *wire = (struct wire){&ops, self};
        return true;
    }
    snprintf(message, message_size, "%s", self->why);
    close_wire(self);
    return false;
}
