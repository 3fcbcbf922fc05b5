#include "compiler/base/watch.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { TICK_SECONDS = 3, TICK_NANOSECONDS_LEAST = 1000000 };

// The state of a signal handler cannot be anywhere else; it belongs to the child process alone.
static volatile sig_atomic_t is_paused;
static volatile long long used_before;

static long long used(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void tick(int signal) {
    (void)signal;
    const long long now = used();
    if (!is_paused && now - used_before < TICK_NANOSECONDS_LEAST) _exit(WATCH_STUCK);
    used_before = now;
}

void watch_begin(void) {
    struct sigaction action;
    const struct itimerval every = {{TICK_SECONDS, 0}, {TICK_SECONDS, 0}};
    memset(&action, 0, sizeof action);
    action.sa_handler = tick;
    action.sa_flags = SA_RESTART;
    used_before = used();
    (void)sigaction(SIGALRM, &action, NULL);
    (void)setitimer(ITIMER_REAL, &every, NULL);
}

void watch_pause(bool paused) {
    is_paused = paused;
}
