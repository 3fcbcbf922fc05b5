// Events, their callbacks, waits of the application.
#include "opencl/event.h"

#include <stdlib.h>

#include "opencl/info.h"
#include "opencl/queue.h"

static void destroy(void *object) {
    cl_event event = object;
    for (struct event_callback *at = event->callbacks, *next; at != NULL; at = next) {
        next = at->next;
        free(at);
    }
    object_drop(event->queue);
    object_drop(event->context);
    free(event);
}

cl_event event_new(cl_context context, cl_command_queue queue, cl_command_type type) {
    struct _cl_event *event = calloc(1, sizeof *event);
    if (event == NULL) return NULL;
    object_begin(&event->object, OBJECT_EVENT, destroy);
    object_hold(context);
    if (queue != NULL) object_hold(queue);
    event->context = context;
    event->queue = queue;
    event->type = type;
    event->status = queue != NULL ? CL_QUEUED : CL_SUBMITTED;
    return event;
}

// Those whose status has come: the smaller one is the later one, errors are smaller than all.
static struct event_callback *take_callbacks(cl_event event) {
    struct event_callback *taken = NULL, **end = &taken, **at = &event->callbacks;
    while (*at != NULL) {
        if ((*at)->when < event->status) {
            at = &(*at)->next;
            continue;
        }
        *end = *at;
        *at = (*at)->next;
        end = &(*end)->next;
        *end = NULL;
    }
    return taken;
}

static void run_callbacks(cl_event event, struct event_callback *list) {
    while (list != NULL) {
        struct event_callback *next = list->next;
        const cl_int status = event->status < 0 ? event->status : list->when;
        pthread_mutex_unlock(&event->context->lock);
        list->call(event, status, list->user_data);
        pthread_mutex_lock(&event->context->lock);
        free(list);
        list = next;
    }
}

void event_change(cl_event event, cl_int status) {
    cl_context context = event->context;
    event->status = status;
    pthread_cond_broadcast(&context->changed);
    object_hold(event);
    run_callbacks(event, take_callbacks(event));
    object_drop(event);
}

cl_int events_check(cl_context context, cl_uint count, const cl_event *list) {
    if ((list == NULL) != (count == 0)) return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint k = 0; k < count; k++)
        if (!object_is(list[k], OBJECT_EVENT)) return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint k = 0; k < count; k++)
        if (list[k]->context != context) return CL_INVALID_CONTEXT;
    return CL_SUCCESS;
}

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
    if (!object_lives(context, OBJECT_CONTEXT)) {
        set_error(errcode_ret, CL_INVALID_CONTEXT);
        return NULL;
    }
    cl_event event = event_new(context, NULL, CL_COMMAND_USER);
    set_error(errcode_ret, event != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
    return event;
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status) {
    cl_int error = CL_SUCCESS;
    if (!object_is(event, OBJECT_EVENT) || event->queue != NULL) return CL_INVALID_EVENT;
    if (execution_status > CL_COMPLETE) return CL_INVALID_VALUE;
    cl_context context = event->context;
    object_hold(context);
    pthread_mutex_lock(&context->lock);
    if (event->set) {
        error = CL_INVALID_OPERATION;
    } else {
        event->set = true;
        event_change(event, execution_status);
    }
    pthread_mutex_unlock(&context->lock);
    object_drop(context);
    return error;
}

cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event *event_list) {
    cl_int error = CL_SUCCESS;
    if (num_events == 0 || event_list == NULL) return CL_INVALID_VALUE;
    for (cl_uint k = 0; k < num_events; k++)
        if (!object_is(event_list[k], OBJECT_EVENT)) return CL_INVALID_EVENT;
    cl_context context = event_list[0]->context;
    for (cl_uint k = 1; k < num_events; k++)
        if (event_list[k]->context != context) return CL_INVALID_CONTEXT;
    pthread_mutex_lock(&context->lock);
    for (cl_uint k = 0; k < num_events; k++) {
        while (event_list[k]->status > CL_COMPLETE && !devices_ending())
            pthread_cond_wait(&context->changed, &context->lock);
        if (event_list[k]->status != CL_COMPLETE) error = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    pthread_mutex_unlock(&context->lock);
    return error;
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                                      void(CL_CALLBACK *pfn_notify)(cl_event event, cl_int status, void *user_data),
                                      void *user_data) {
    if (!object_is(event, OBJECT_EVENT)) return CL_INVALID_EVENT;
    if (pfn_notify == NULL || command_exec_callback_type < CL_COMPLETE || command_exec_callback_type > CL_SUBMITTED)
        return CL_INVALID_VALUE;
    struct event_callback *callback = malloc(sizeof *callback);
    if (callback == NULL) return CL_OUT_OF_HOST_MEMORY;
    *callback = (struct event_callback){NULL, command_exec_callback_type, pfn_notify, user_data};
    cl_context context = event->context;
    pthread_mutex_lock(&context->lock);
    struct event_callback **end = &event->callbacks;
    while (*end != NULL)
        end = &(*end)->next;
    *end = callback;
    object_hold(event);
    run_callbacks(event, take_callbacks(event));
    pthread_mutex_unlock(&context->lock);
    object_drop(event);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clRetainEvent(cl_event event) {
    if (!object_is(event, OBJECT_EVENT)) return CL_INVALID_EVENT;
    object_retain(event);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clReleaseEvent(cl_event event) {
    if (!object_is(event, OBJECT_EVENT)) return CL_INVALID_EVENT;
    if (object_release(event)) object_drop(event);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    if (!object_is(event, OBJECT_EVENT)) return CL_INVALID_EVENT;
    switch (param_name) {
        case CL_EVENT_COMMAND_QUEUE: return answer_pointer(&answer, event->queue);
        case CL_EVENT_CONTEXT: return answer_pointer(&answer, event->context);
        case CL_EVENT_COMMAND_TYPE: return answer_uint(&answer, event->type);
        case CL_EVENT_COMMAND_EXECUTION_STATUS: {
            pthread_mutex_lock(&event->context->lock);
            const cl_int status = event->status;
            pthread_mutex_unlock(&event->context->lock);
            return answer_bytes(&answer, &status, sizeof status);
        }
        case CL_EVENT_REFERENCE_COUNT: return answer_uint(&answer, atomic_load(&event->object.references));
        default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name, size_t param_value_size,
                                           void *param_value, size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    if (!object_is(event, OBJECT_EVENT)) return CL_INVALID_EVENT;
    pthread_mutex_lock(&event->context->lock);
    const bool known =
        event->queue != NULL && event->status == CL_COMPLETE && (event->queue->flags & CL_QUEUE_PROFILING_ENABLE) != 0;
    pthread_mutex_unlock(&event->context->lock);
    if (!known) return CL_PROFILING_INFO_NOT_AVAILABLE;
    switch (param_name) {
        case CL_PROFILING_COMMAND_QUEUED: return answer_ulong(&answer, event->times[TIME_QUEUED]);
        case CL_PROFILING_COMMAND_SUBMIT: return answer_ulong(&answer, event->times[TIME_SUBMIT]);
        case CL_PROFILING_COMMAND_START: return answer_ulong(&answer, event->times[TIME_START]);
        case CL_PROFILING_COMMAND_END:
        case CL_PROFILING_COMMAND_COMPLETE: return answer_ulong(&answer, event->times[TIME_END]);
        default: return CL_INVALID_VALUE;
    }
}
