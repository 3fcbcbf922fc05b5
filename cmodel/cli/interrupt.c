#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

// A signal handler knows nothing but what is global.
static struct tandem_device *volatile running;
static volatile sig_atomic_t came;
static const int signals[] = {SIGINT, SIGTERM};
#define SIGNALS (sizeof signals / sizeof signals[0])
static struct sigaction before[SIGNALS];

static void note(int number) {
    struct tandem_device *device = running;
    came = number;
    if (device != NULL) tandem_interrupt(device);
}

void interrupt_begin(struct tandem_device *device) {
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    came = 0;
    running = device;
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        // Who has started the program may want it to go on, as nohup and a shell's background jobs do.
        if (before[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, NULL);
    }
}

void interrupt_closing(void) {
    running = NULL;
}

int interrupt_end(void) {
    running = NULL;
    for (size_t i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    return came;
}
