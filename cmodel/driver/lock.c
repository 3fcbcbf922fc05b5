// One call at a time works on a device. The calls of several threads take turns by number, so that a thread which waits
// for the device to do something (driver_lock_yield() between two short runs) never keeps the others out.
#include "driver/lock.h"

#include <stdlib.h>

struct driver_lock *driver_lock_new(void) {
    struct driver_lock *lock = calloc(1, sizeof *lock);
    if (lock == NULL) return NULL;
    pthread_mutex_init(&lock->mutex, NULL);
    pthread_cond_init(&lock->passed, NULL);
    lock->references = 1;
    return lock;
}

void driver_lock_free(struct driver_lock *lock) {
    if (lock == NULL) return;
    while (lock->messages != NULL) {
        struct driver_message *message = lock->messages;
        lock->messages = message->next;
        free(message);
    }
    pthread_cond_destroy(&lock->passed);
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
}

// The mutex is held.
static void take_turn(struct driver_lock *lock, unsigned depth) {
    const uint64_t number = lock->next++;
    while (lock->serving != number)
        pthread_cond_wait(&lock->passed, &lock->mutex);
    lock->owner = pthread_self();
    lock->depth = depth;
}

static void pass_turn(struct driver_lock *lock) {
    lock->depth = 0;
    lock->serving++;
    pthread_cond_broadcast(&lock->passed);
}

void driver_lock_enter(struct driver_lock *lock, unsigned *calls) {
    pthread_mutex_lock(&lock->mutex);
    lock->references++;
    if (calls != NULL) ++*calls;
    if (lock->depth != 0 && pthread_equal(lock->owner, pthread_self())) {
        lock->depth++;
    } else {
        take_turn(lock, 1);
    }
    pthread_mutex_unlock(&lock->mutex);
}

bool driver_lock_leave(struct driver_lock *lock, unsigned *calls) {
    pthread_mutex_lock(&lock->mutex);
    if (calls != NULL) --*calls;
    if (lock->depth > 1) {
        lock->depth--;
    } else {
        pass_turn(lock);
    }
    const bool last = --lock->references == 0;
    pthread_mutex_unlock(&lock->mutex);
    return last;
}

// The number after the one that is served is given out as soon as somebody waits.
static bool wanted(const struct driver_lock *lock) {
    return lock->next - lock->serving > 1;
}

bool driver_lock_yield(struct driver_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    const bool others = wanted(lock);
    if (others) {
        const unsigned depth = lock->depth;
        pass_turn(lock);
        take_turn(lock, depth);
    }
    pthread_mutex_unlock(&lock->mutex);
    return others;
}

bool driver_lock_wanted(struct driver_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    const bool others = wanted(lock);
    pthread_mutex_unlock(&lock->mutex);
    return others;
}

unsigned driver_lock_calls(struct driver_lock *lock, const unsigned *calls) {
    pthread_mutex_lock(&lock->mutex);
    const unsigned count = *calls;
    pthread_mutex_unlock(&lock->mutex);
    return count;
}

void driver_lock_hold(struct driver_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    lock->references++;
    pthread_mutex_unlock(&lock->mutex);
}

bool driver_lock_release(struct driver_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    const bool last = --lock->references == 0;
    pthread_mutex_unlock(&lock->mutex);
    return last;
}

// The mutex is held.
static struct driver_message *own_message(const struct driver_lock *lock) {
    struct driver_message *message = lock->messages;
    while (message != NULL && !pthread_equal(message->thread, pthread_self()))
        message = message->next;
    return message;
}

char *driver_lock_message(struct driver_lock *lock, size_t size) {
    pthread_mutex_lock(&lock->mutex);
    struct driver_message *message = own_message(lock);
    if (message == NULL) {
        message = calloc(1, sizeof *message + size);
        if (message != NULL) {
            message->thread = pthread_self();
            message->next = lock->messages;
            lock->messages = message;
        }
    }
    pthread_mutex_unlock(&lock->mutex);
    return message != NULL ? message->text : NULL;
}

const char *driver_lock_last_message(struct driver_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    const struct driver_message *message = own_message(lock);
    pthread_mutex_unlock(&lock->mutex);
    return message != NULL ? message->text : "";
}
