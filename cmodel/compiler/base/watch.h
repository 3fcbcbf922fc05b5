// The compilation's child process watches itself, because nobody else knows what it and the front end that it starts use.
//
// It ends when both have used the processor time that they may, however busy the machine is; when the front end stands
// still for as long; and when it stands still itself: a process forked from one with several threads can inherit a lock
// that another thread held at that moment, and nobody will ever open it. glibc's malloc provides for that, other
// allocators (those of sanitizers among them) may not. The parent then starts another child.
#ifndef TANDEM_COMPILER_BASE_WATCH_H
#define TANDEM_COMPILER_BASE_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

#define WATCH_STUCK 97    // exit status of a child that has stood still
#define WATCH_LATE 98     // the processor time is used up
#define WATCH_STILL 99    // the front end has stood still for so many seconds
#define WATCH_ATTEMPTS 8  // children that the parent starts one after the other

// Called first thing in the child. seconds: how long it may go on, at least 1; seen once a second.
void watch_begin(unsigned seconds);
// While the child waits for another process it does not stand still itself.
void watch_pause(bool paused);
// From the front end's start until it has been waited for. 0: it has ended.
void watch_front_end(pid_t process);

#endif
