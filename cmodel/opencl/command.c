// Commands: enqueued by the application, done by the queue's thread.
#include <stdlib.h>
#include <string.h>

#include "opencl/queue.h"
#include "opencl/timer.h"

void *command_new(cl_command_queue queue, cl_command_type type, size_t size, cl_int (*run)(struct command *command),
                  void (*drop)(struct command *command)) {
    struct command *command = calloc(1, size);
    cl_event event = event_new(queue->context, queue, type);
    if (command == NULL || event == NULL) {
        free(command);
        object_drop(event);
        return NULL;
    }
    atomic_store(&event->object.references, 0);  // the command holds it; the application may get a reference
    command->queue = queue;                      // its event holds it
    command->event = event;
    command->run = run;
    command->drop = drop;
    return command;
}

void command_free(struct command *command) {
    if (command == NULL) return;
    if (command->drop != NULL) command->drop(command);
    for (cl_uint k = 0; command->waits != NULL && k < command->wait_count; k++)
        object_drop(command->waits[k]);
    free(command->waits);
    cl_event event = command->event;
    free(command);
    object_drop(event);
}

cl_int enqueue_check(cl_command_queue queue, cl_context context, cl_uint wait_count, const cl_event *waits) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (context != NULL && context != queue->context) return CL_INVALID_CONTEXT;
    return events_check(queue->context, wait_count, waits);
}

enum readiness { WAITS, READY, FAILED };

static enum readiness look_at(const struct command *command) {
    enum readiness found = READY;
    for (cl_uint k = 0; command->waits != NULL && k < command->wait_count; k++) {
        const cl_int status = command->waits[k]->status;
        if (status > CL_COMPLETE) return WAITS;
        if (status < 0) found = FAILED;
    }
    return found;
}

// Takes the command that is to be done next out of the queue. NULL: all wait.
static struct command *take_next(cl_command_queue queue, enum readiness *ready) {
    const bool ordered = (queue->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    for (struct command **at = &queue->first; *at != NULL; at = &(*at)->next) {
        struct command *command = *at;
        *ready = command->after_all && at != &queue->first ? WAITS : look_at(command);
        if (*ready == WAITS && (ordered || command->before_all)) return NULL;
        if (*ready == WAITS) continue;
        *at = command->next;
        if (queue->end == &command->next) queue->end = at;
        command->next = NULL;
        return command;
    }
    return NULL;
}

static uint64_t now(const struct _cl_command_queue *queue) {
    return (queue->flags & CL_QUEUE_PROFILING_ENABLE) != 0 ? device_time(queue->place->device) : 0;
}

// The context's lock is held, but not while the command is done.
static void perform(cl_command_queue queue, struct command *command, enum readiness ready) {
    cl_context context = queue->context;
    cl_event event = command->event;
    cl_int result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    queue->running = command;
    if (ready == READY) {
        pthread_mutex_unlock(&context->lock);
        const uint64_t start = now(queue);
        pthread_mutex_lock(&context->lock);
        event->times[TIME_SUBMIT] = event->times[TIME_START] = start;
        event_change(event, CL_SUBMITTED);
        event_change(event, CL_RUNNING);
        pthread_mutex_unlock(&context->lock);
        result = command->run(command);
        const uint64_t end = now(queue);
        pthread_mutex_lock(&context->lock);
        // A launch has its own, by the device.
        if (event->times[TIME_END] == 0) event->times[TIME_END] = end;
        if (result != CL_SUCCESS && queue->error == CL_SUCCESS) queue->error = result;
    }
    // What it holds goes before anybody hears of its end.
    pthread_mutex_unlock(&context->lock);
    if (command->drop != NULL) command->drop(command);
    command->drop = NULL;
    pthread_mutex_lock(&context->lock);
    queue->running = NULL;
    event_change(event, result);
    pthread_mutex_unlock(&context->lock);
    command_free(command);
    pthread_mutex_lock(&context->lock);
}

void queue_leave(cl_command_queue queue) {
    if (queue->first != NULL || queue->leaving) return;
    queue->leaving = true;
    worker_leaves();
}

// The thread of a queue.
static void *work(void *argument) {
    cl_command_queue queue = argument;
    cl_context context = queue->context;
    enum readiness ready = WAITS;
    pthread_mutex_lock(&context->lock);
    while (!devices_ending()) {
        struct command *command = take_next(queue, &ready);
        if (command != NULL) {
            perform(queue, command, ready);
        } else if (queue->closing && queue->first == NULL) {
            queue_leave(queue);
            break;
        } else {
            pthread_cond_wait(&context->changed, &context->lock);
        }
    }
    const bool leaving = queue->leaving;
    pthread_mutex_unlock(&context->lock);
    if (!devices_ending()) object_drop(queue);
    worker_ends(leaving);
    return NULL;
}

static bool start_thread(cl_command_queue queue) {
    pthread_t thread;
    pthread_attr_t attributes;
    if (queue->started) return true;
    object_hold(queue);
    worker_begins();
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    queue->started = pthread_create(&thread, &attributes, work, queue) == 0;
    pthread_attr_destroy(&attributes);
    if (!queue->started) {
        worker_ends(false);
        object_drop(queue);
    }
    return queue->started;
}

static cl_int wait_for(cl_command_queue queue, cl_event event) {
    cl_context context = queue->context;
    while (event->status > CL_COMPLETE && !devices_ending())
        pthread_cond_wait(&context->changed, &context->lock);
    cl_int error = event->status < 0 ? event->status : CL_SUCCESS;
    if ((queue->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0 && queue->error != CL_SUCCESS) {
        error = queue->error;
        queue->error = CL_SUCCESS;
    }
    return error;
}

cl_int command_enqueue(struct command *command, cl_uint wait_count, const cl_event *waits, cl_event *event,
                       bool blocking) {
    cl_command_queue queue = command->queue;
    cl_context context = queue->context;
    cl_event own = command->event;
    cl_int error = CL_SUCCESS;
    if (wait_count > 0) {
        command->waits = malloc(wait_count * sizeof *command->waits);
        if (command->waits == NULL) {
            command_free(command);
            return CL_OUT_OF_HOST_MEMORY;
        }
        memcpy(command->waits, waits, wait_count * sizeof *command->waits);
        command->wait_count = wait_count;
        for (cl_uint k = 0; k < wait_count; k++)
            object_hold(waits[k]);
    }
    if (devices_ending()) {
        command_free(command);
        return CL_OUT_OF_RESOURCES;
    }
    own->times[TIME_QUEUED] = now(queue);
    pthread_mutex_lock(&context->lock);
    if (!start_thread(queue)) {
        pthread_mutex_unlock(&context->lock);
        command_free(command);
        return CL_OUT_OF_HOST_MEMORY;
    }
    if (event != NULL) {
        atomic_store(&own->object.references, 1);
        object_hold(own);
        *event = own;
    }
    object_hold(own);
    *queue->end = command;
    queue->end = &command->next;
    pthread_cond_broadcast(&context->changed);
    if (blocking) error = wait_for(queue, own);
    pthread_mutex_unlock(&context->lock);
    object_drop(own);
    return error;
}
