// The lock of a device: who calls the driver takes turns, in the order in which they came (lock.c).
#ifndef TANDEM_DRIVER_LOCK_H
#define TANDEM_DRIVER_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The line that a thread's last call that failed has left.
struct driver_message {
    struct driver_message *next;
    pthread_t thread;
    char text[];
};

struct driver_lock {
    pthread_mutex_t mutex;  // of what follows; held for moments only
    pthread_cond_t passed;  // the turn has gone on
    uint64_t next, serving;
    pthread_t owner;
    unsigned depth;  // calls of the owner, one in the other; 0: nobody's turn
    unsigned references;
    struct driver_message *messages;
};

struct driver_lock *driver_lock_new(void);
void driver_lock_free(struct driver_lock *lock);

// Waits for its turn; a thread that has it goes on. *calls (may be NULL) counts the calls on a handle, those that wait
// included.
void driver_lock_enter(struct driver_lock *lock, unsigned *calls);
// True: the last reference is gone.
bool driver_lock_leave(struct driver_lock *lock, unsigned *calls);
// Lets those that wait go first. False: nobody waits.
bool driver_lock_yield(struct driver_lock *lock);
bool driver_lock_wanted(struct driver_lock *lock);
// Calls on a handle, counted by driver_lock_enter().
unsigned driver_lock_calls(struct driver_lock *lock, const unsigned *calls);

// What keeps the device: itself, its handles, calls that are under way.
void driver_lock_hold(struct driver_lock *lock);
bool driver_lock_release(struct driver_lock *lock);

// Room for a message of the calling thread; NULL: the host has no memory.
char *driver_lock_message(struct driver_lock *lock, size_t size);
// The calling thread's, "" when none of its calls has failed.
const char *driver_lock_last_message(struct driver_lock *lock);

#endif
