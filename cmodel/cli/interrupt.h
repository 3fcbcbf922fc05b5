// SIGINT and SIGTERM while a device is open: what runs on it is ended and the device closed as always, so that the
// files it writes are whole. A second one of a kind ends the program at once.
#ifndef TANDEM_CLI_INTERRUPT_H
#define TANDEM_CLI_INTERRUPT_H

#include "driver/tandem.h"

// From now on a signal interrupts the device. One device at a time.
void interrupt_begin(struct tandem_device *device);
// The device is about to be closed: signals are only noted.
void interrupt_closing(void);
// Signals do again what they did before. The one that came, or 0.
int interrupt_end(void);

// The exit code of a program that a signal has ended.
#define EXIT_SIGNAL(number) (128 + (number))

#endif
