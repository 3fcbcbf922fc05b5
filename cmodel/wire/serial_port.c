// A serial port in raw mode, on POSIX terminals.
#define _DEFAULT_SOURCE
#include "wire/serial_port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const struct {
    uint32_t baud;
    speed_t code;
} rates[] = {{9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},     {115200, B115200},
             {230400, B230400},   {460800, B460800},   {500000, B500000},   {576000, B576000},   {921600, B921600},
             {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000}, {3000000, B3000000}, {4000000, B4000000}};
#define RATES (sizeof rates / sizeof rates[0])

#define FAIL(port, ...) (snprintf((port)->why, sizeof(port)->why, __VA_ARGS__), false)

static uint64_t now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool set_mode(struct serial_port *port, speed_t code) {
    struct termios mode;
    if (tcgetattr(port->file, &mode) != 0) return FAIL(port, "%s is no serial port (%s)", port->path, strerror(errno));
    cfmakeraw(&mode);
    mode.c_cflag = (mode.c_cflag & ~(tcflag_t)(CSIZE | CSTOPB | PARENB | CRTSCTS)) | CS8 | CLOCAL | CREAD;
    mode.c_cc[VMIN] = 0;
    mode.c_cc[VTIME] = 0;
    if (cfsetispeed(&mode, code) != 0 || cfsetospeed(&mode, code) != 0 || tcsetattr(port->file, TCSANOW, &mode) != 0)
        return FAIL(port, "%s does not take this rate: %s", port->path, strerror(errno));
    return true;
}

bool serial_port_open(struct serial_port *port, const char *path, uint32_t baud) {
    *port = (struct serial_port){.file = -1};
    size_t rate = 0;
    while (rate < RATES && rates[rate].baud != baud)
        rate++;
    if (rate == RATES)
        return FAIL(port,
                    "no serial port has %u baud; there are 9600, 19200, .. 115200, 230400, 460800, 500000, "
                    "576000, 921600, 1000000, 1500000, 2000000, 3000000, 4000000",
                    baud);
    if (strlen(path) >= sizeof port->path)
        return FAIL(port, "the port's name has more than %zu characters", sizeof port->path - 1);
    strcpy(port->path, path);
    port->file = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (port->file < 0)
        return FAIL(port, "%s cannot be opened: %s%s", path, strerror(errno),
                    errno == EACCES   ? "; is the user in the group of the port (dialout)?"
                    : errno == ENOENT ? "; is the cable in, and the board on?"
                                      : "");
    // flock tells programs like this one, TIOCEXCL all others.
    bool good = flock(port->file, LOCK_EX | LOCK_NB) == 0 || FAIL(port, "%s: another program has it open", path);
    good = good && set_mode(port, rates[rate].code);
    if (!good) {
        (void)close(port->file);
        port->file = -1;
        return false;
    }
    (void)ioctl(port->file, TIOCEXCL);
    serial_port_drain(port, 20);
    return true;
}

void serial_port_close(struct serial_port *port) {
    if (port->file < 0) return;
    (void)ioctl(port->file, TIOCNXCL);
    (void)close(port->file);
    port->file = -1;
}

// Until the port can do it, or the time is over (false, and errno 0), or it is gone (false).
static bool ready(struct serial_port *port, short what, uint64_t until) {
    for (;;) {
        const uint64_t now = now_ms();
        struct pollfd wait = {.fd = port->file, .events = what};
        const int n = poll(&wait, 1, now < until ? (int)(until - now) : 0);
        if (n > 0 && (wait.revents & what) != 0) return true;
        if (n > 0) {
            errno = ENODEV;
            return false;
        }
        if (n == 0 || errno != EINTR) {
            if (n == 0) errno = 0;
            return false;
        }
    }
}

bool serial_port_write(struct serial_port *port, const void *from, size_t size, unsigned milliseconds) {
    const uint8_t *bytes = from;
    const uint64_t until = now_ms() + milliseconds;
    while (size > 0) {
        const ssize_t n = write(port->file, bytes, size);
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
            continue;
        }
        if (n < 0 && errno != EAGAIN && errno != EINTR) return FAIL(port, "%s: %s", port->path, strerror(errno));
        if (!ready(port, POLLOUT, until))
            return FAIL(port, "%s: %s", port->path,
                        errno != 0 ? "the port is gone; was the cable pulled?" : "takes no bytes");
    }
    return true;
}

size_t serial_port_read(struct serial_port *port, void *to, size_t size, unsigned milliseconds) {
    uint8_t *bytes = to;
    const uint64_t until = now_ms() + milliseconds;
    size_t got = 0;
    while (got < size) {
        const ssize_t n = read(port->file, bytes + got, size - got);
        if (n > 0) {
            got += (size_t)n;
            continue;
        }
        if ((n < 0 && errno != EAGAIN && errno != EINTR) || (!ready(port, POLLIN, until) && errno != 0)) {
            (void)FAIL(port, "%s: the port is gone (%s); was the cable pulled?", port->path, strerror(errno));
            return SIZE_MAX;
        }
        if (now_ms() >= until) break;
    }
    return got;
}

void serial_port_drain(struct serial_port *port, unsigned milliseconds) {
    const uint64_t until = now_ms() + 1000;
    uint8_t waste[256];
    while (now_ms() < until) {
        const size_t got = serial_port_read(port, waste, sizeof waste, milliseconds);
        if (got == 0 || got == SIZE_MAX) return;
    }
}
