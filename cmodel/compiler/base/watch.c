#include "compiler/base/watch.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

enum { STUCK_TICKS = 3, LEAST = 1000000 };  // seconds, nanoseconds: who uses less in these stands still

// Who has used how much, and for how many ticks not more than that.
struct watched {
    long long used;
    unsigned quiet;
};

// The state of a signal handler cannot be anywhere else; it belongs to the child process alone.
static volatile sig_atomic_t is_paused;
static volatile pid_t front_end;
static struct watched own, all;
static unsigned limit;

static long long used_of(clockid_t clock) {
    struct timespec now = {0};
    if (clock_gettime(clock, &now) != 0) return 0;
    return now.tv_sec * SECOND + now.tv_nsec;
}

static long long of_time(struct timeval time) {
    return time.tv_sec * SECOND + time.tv_usec * 1000LL;
}

// Of processes that have been waited for, and of the front end.
static long long used_by_others(void) {
    struct rusage ended;
    clockid_t clock;
    long long sum = 0;
    if (getrusage(RUSAGE_CHILDREN, &ended) == 0) sum = of_time(ended.ru_utime) + of_time(ended.ru_stime);
    if (front_end != 0 && clock_getcpuclockid(front_end, &clock) == 0) sum += used_of(clock);
    return sum;
}

static void see(struct watched *who, long long used) {
    who->quiet++;
    if (used - who->used < LEAST) return;
    who->used = used;
    who->quiet = 0;
}

static void tick(int signal) {
    const int kept = errno;
    const long long mine = used_of(CLOCK_PROCESS_CPUTIME_ID), sum = mine + used_by_others();
    (void)signal;
    see(&own, mine);
    see(&all, sum);
    if (is_paused) own.quiet = 0;
    if (front_end == 0) all.quiet = 0;
    if (sum >= limit * SECOND) _exit(WATCH_LATE);
    if (all.quiet >= limit) _exit(WATCH_STILL);
    if (own.quiet >= STUCK_TICKS) _exit(WATCH_STUCK);
    errno = kept;
}

void watch_begin(unsigned seconds) {
    struct sigaction action;
    const struct itimerval every = {{1, 0}, {1, 0}};
    sigset_t alarm;
    limit = seconds;
    own.used = all.used = used_of(CLOCK_PROCESS_CPUTIME_ID);
    memset(&action, 0, sizeof action);
    action.sa_handler = tick;
    action.sa_flags = SA_RESTART;
    (void)sigaction(SIGALRM, &action, NULL);
    // The thread that called the compiler may have kept all signals from itself.
    (void)sigemptyset(&alarm);
    (void)sigaddset(&alarm, SIGALRM);
    (void)sigprocmask(SIG_UNBLOCK, &alarm, NULL);
    (void)setitimer(ITIMER_REAL, &every, NULL);
}

void watch_pause(bool paused) {
    is_paused = paused;
}

void watch_front_end(pid_t process) {
    front_end = process;
}
