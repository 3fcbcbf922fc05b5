#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void streams_begin(void) {
    for (int stream = 0; stream < 3; stream++) {
        // The lowest free number is the stream's. For reading only: writes fail, and are told.
        if (fcntl(stream, F_GETFD) < 0) (void)!open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    }
}

bool streams_end(const char *program) {
    const bool before = ferror(stdout) == 0;
    errno = 0;
    if (fflush(stdout) == 0 && before) return true;
    fprintf(stderr, "%s: standard output could not be written%s%s\n", program, errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    return false;
}
