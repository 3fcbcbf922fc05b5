// Queues on the device: which there are, and which is the default one.
#include "opencl/device_queue.h"

cl_int device_queue_begin(cl_command_queue *queue) {
    struct place *place = (*queue)->place;
    cl_command_queue made = *queue;
    cl_context context = made->context;
    const bool first = (made->flags & CL_QUEUE_ON_DEVICE_DEFAULT) != 0;
    pthread_mutex_lock(&context->lock);
    if (first && place->default_queue != NULL) {
        *queue = place->default_queue;
        object_retain(*queue);
    } else if (place->device_queues == DEVICE_QUEUES_MAX) {
        *queue = NULL;
    } else {
        place->device_queues++;
        if (first) place->default_queue = made;
    }
    pthread_mutex_unlock(&context->lock);
    if (*queue != made) object_drop(made);
    return *queue != NULL ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

bool device_queue_release(cl_command_queue queue) {
    struct place *place = queue->place;
    pthread_mutex_lock(&queue->context->lock);
    const bool last = object_release(queue);
    if (last) {
        place->device_queues--;
        if (place->default_queue == queue) place->default_queue = NULL;
    }
    pthread_mutex_unlock(&queue->context->lock);
    return last;
}

cl_command_queue device_queue_default(cl_command_queue queue) {
    pthread_mutex_lock(&queue->context->lock);
    cl_command_queue found = queue->place->default_queue;
    pthread_mutex_unlock(&queue->context->lock);
    return found;
}

cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue queue) {
    if (!object_is(context, OBJECT_CONTEXT)) return CL_INVALID_CONTEXT;
    struct place *place = object_is(device, OBJECT_DEVICE) ? context_place(context, device) : NULL;
    if (place == NULL) return CL_INVALID_DEVICE;
    if (!object_is(queue, OBJECT_DEVICE_QUEUE) || queue->context != context || queue->place != place)
        return CL_INVALID_COMMAND_QUEUE;
    pthread_mutex_lock(&context->lock);
    place->default_queue = queue;
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}
