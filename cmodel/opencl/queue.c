// Command queues: made, asked, flushed, finished, released.
#include "opencl/queue.h"

#include <stdlib.h>
#include <string.h>

#include "opencl/device_queue.h"
#include "opencl/info.h"

static bool queue_is(cl_command_queue queue) {
    return object_is(queue, OBJECT_QUEUE) || object_is(queue, OBJECT_DEVICE_QUEUE);
}

static void destroy(void *object) {
    cl_command_queue queue = object;
    object_drop(queue->context);
    free(queue);
}

static cl_int take_properties(cl_command_queue queue, const cl_queue_properties *properties) {
    const cl_command_queue_properties known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE |
                                              CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    size_t count = 0;
    bool sized = false;
    queue->priority = PRIORITY_MEDIUM;
    if (properties == NULL) return CL_SUCCESS;
    for (const cl_queue_properties *at = properties; *at != 0; at += 2) {
        for (size_t k = 0; k < count; k += 2)
            if (queue->properties[k] == at[0]) return CL_INVALID_VALUE;
        if (at[0] == CL_QUEUE_PROPERTIES) {
            if ((at[1] & ~known) != 0) return CL_INVALID_VALUE;
            queue->flags = at[1];
        } else if (at[0] == CL_QUEUE_PRIORITY_KHR) {
            if (at[1] != CL_QUEUE_PRIORITY_LOW_KHR && at[1] != CL_QUEUE_PRIORITY_MED_KHR &&
                at[1] != CL_QUEUE_PRIORITY_HIGH_KHR)
                return CL_INVALID_VALUE;
            queue->priority = at[1] == CL_QUEUE_PRIORITY_LOW_KHR   ? PRIORITY_LOW
                              : at[1] == CL_QUEUE_PRIORITY_MED_KHR ? PRIORITY_MEDIUM
                                                                   : PRIORITY_HIGH;
        } else if (at[0] == CL_QUEUE_SIZE) {
            queue->size = at[1] > UINT32_MAX ? UINT32_MAX : (cl_uint)at[1];
            sized = true;
        } else {
            return CL_INVALID_VALUE;
        }
        queue->properties[count++] = at[0];
        queue->properties[count++] = at[1];
    }
    queue->properties[count++] = 0;
    queue->property_count = count;
    if ((queue->flags & CL_QUEUE_ON_DEVICE_DEFAULT) != 0 && (queue->flags & CL_QUEUE_ON_DEVICE) == 0)
        return CL_INVALID_VALUE;
    if ((queue->flags & CL_QUEUE_ON_DEVICE) != 0 && (queue->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0)
        return CL_INVALID_VALUE;
    if ((queue->flags & CL_QUEUE_ON_DEVICE) == 0) return sized ? CL_INVALID_VALUE : CL_SUCCESS;
    if (!sized) queue->size = DEVICE_QUEUE_BYTES;
    return queue->size <= DEVICE_QUEUE_BYTES_MAX ? CL_SUCCESS : CL_INVALID_QUEUE_PROPERTIES;
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                                const cl_queue_properties *properties,
                                                                cl_int *errcode_ret) {
    cl_int error = CL_SUCCESS;
    struct _cl_command_queue *queue = NULL;
    if (!object_lives(context, OBJECT_CONTEXT)) {
        error = CL_INVALID_CONTEXT;
    } else if (!object_is(device, OBJECT_DEVICE) || context_place(context, device) == NULL) {
        error = CL_INVALID_DEVICE;
    } else if ((queue = calloc(1, sizeof *queue)) == NULL) {
        error = CL_OUT_OF_HOST_MEMORY;
    } else {
        error = take_properties(queue, properties);
    }
    set_error(errcode_ret, error);
    if (error != CL_SUCCESS) {
        free(queue);
        return NULL;
    }
    const bool on_device = (queue->flags & CL_QUEUE_ON_DEVICE) != 0;
    object_begin(&queue->object, on_device ? OBJECT_DEVICE_QUEUE : OBJECT_QUEUE, destroy);
    object_hold(context);
    queue->context = context;
    queue->place = context_place(context, device);
    queue->end = &queue->first;
    return on_device ? device_queue_begin(queue) : queue;
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties, cl_int *errcode_ret) {
    const cl_command_queue_properties known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    if (object_lives(context, OBJECT_CONTEXT) && object_is(device, OBJECT_DEVICE) && (properties & ~known) != 0) {
        set_error(errcode_ret, CL_INVALID_VALUE);
        return NULL;
    }
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, list, errcode_ret);
    if (queue != NULL) queue->property_count = 0;  // none were given as a list
    return queue;
}

cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties,
                                             cl_bool enable, cl_command_queue_properties *old_properties) {
    (void)properties, (void)enable, (void)old_properties;
    return object_is(queue, OBJECT_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;  // deprecated since 1.1
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue) {
    if (!queue_is(queue)) return CL_INVALID_COMMAND_QUEUE;
    object_retain(queue);
    return CL_SUCCESS;
}

// What is in the queue is still done.
cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue) {
    if (!queue_is(queue)) return CL_INVALID_COMMAND_QUEUE;
    cl_context context = queue->context;
    if ((queue->flags & CL_QUEUE_ON_DEVICE) != 0 ? !device_queue_release(queue) : !object_release(queue))
        return CL_SUCCESS;
    object_hold(context);
    pthread_mutex_lock(&context->lock);
    queue->closing = true;
    if (queue->started && queue->running == NULL) queue_leave(queue);
    pthread_cond_broadcast(&context->changed);
    pthread_mutex_unlock(&context->lock);
    object_drop(queue);
    object_drop(context);
    return CL_SUCCESS;
}

// The queue's thread begins as soon as it can.
cl_int CL_API_CALL clFlush(cl_command_queue queue) {
    return object_is(queue, OBJECT_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL clFinish(cl_command_queue queue) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    cl_context context = queue->context;
    object_hold(queue);
    pthread_mutex_lock(&context->lock);
    // What others add meanwhile is not waited for.
    struct command *last = queue->running;
    for (struct command *at = queue->first; at != NULL; at = at->next)
        last = at;
    const bool ordered = (queue->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    cl_event event = ordered && last != NULL ? last->event : NULL;
    if (event != NULL) object_hold(event);
    while (!devices_ending()) {
        if (event != NULL ? event->status <= CL_COMPLETE : queue->first == NULL && queue->running == NULL) break;
        pthread_cond_wait(&context->changed, &context->lock);
    }
    const cl_int error = queue->error;
    queue->error = CL_SUCCESS;
    pthread_mutex_unlock(&context->lock);
    object_drop(event);
    object_drop(queue);
    return error;
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name,
                                         size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    if (!queue_is(queue)) return CL_INVALID_COMMAND_QUEUE;
    switch (param_name) {
        case CL_QUEUE_CONTEXT: return answer_pointer(&answer, queue->context);
        case CL_QUEUE_DEVICE: return answer_pointer(&answer, queue->place->device);
        case CL_QUEUE_REFERENCE_COUNT: return answer_uint(&answer, atomic_load(&queue->object.references));
        case CL_QUEUE_PROPERTIES: return answer_ulong(&answer, queue->flags);
        case CL_QUEUE_PROPERTIES_ARRAY:
            return answer_bytes(&answer, queue->properties, queue->property_count * sizeof *queue->properties);
        case CL_QUEUE_SIZE:
            return object_is(queue, OBJECT_DEVICE_QUEUE) ? answer_uint(&answer, queue->size) : CL_INVALID_COMMAND_QUEUE;
        case CL_QUEUE_DEVICE_DEFAULT: return answer_pointer(&answer, device_queue_default(queue));
        default: return CL_INVALID_VALUE;
    }
}
