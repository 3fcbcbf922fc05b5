// The compilation's child process watches itself. A process forked from one with several threads can inherit a lock
// that another thread held at that moment; nobody will ever open it. glibc's malloc provides for that, other allocators
// (those of sanitizers among them) may not. A child that stands still so ends itself with WATCH_STUCK, and the parent
// starts another one.
#ifndef TANDEM_COMPILER_BASE_WATCH_H
#define TANDEM_COMPILER_BASE_WATCH_H

#include <stdbool.h>

#define WATCH_STUCK 97    // exit status of a child that has stood still
#define WATCH_ATTEMPTS 8  // children that the parent starts one after the other

// Called first thing in the child: from then on the process ends with WATCH_STUCK when it has used no processor time
// for some seconds, unless it is paused.
void watch_begin(void);
// While the child waits for another process.
void watch_pause(bool paused);

#endif
