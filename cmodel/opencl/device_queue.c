// Queues on the device: which there are, and which is the default one.
#include "opencl/device_queue.h"

cl_command_queue device_queue_begin(cl_command_queue queue) {
    struct place *place = queue->place;
    cl_context context = queue->context;
    cl_command_queue found = queue;
    pthread_mutex_lock(&context->lock);
    if ((queue->flags & CL_QUEUE_ON_DEVICE_DEFAULT) != 0) {
        if (place->default_queue != NULL) {
            found = place->default_queue;
            object_retain(found);
        }
        place->default_queue = found;
    }
    if (queue->size > place->queue_bytes) place->queue_bytes = queue->size;
    pthread_mutex_unlock(&context->lock);
    if (found != queue) object_drop(queue);
    return found;
}

struct work_queue_size device_queue_needs(const struct place *place, uint32_t piece_bytes) {
    struct work_queue_size needs = {2 * DEVICE_QUEUE_EVENTS, piece_bytes};
    if (piece_bytes == 0) return (struct work_queue_size){0, 0};
    while ((uint64_t)2 * needs.pieces * piece_bytes <= place->queue_bytes)
        needs.pieces *= 2;
    return needs;
}

bool device_queue_release(cl_command_queue queue) {
    struct place *place = queue->place;
    pthread_mutex_lock(&queue->context->lock);
    const bool last = object_release(queue);
    if (last && place->default_queue == queue) place->default_queue = NULL;
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
    if (!object_lives(context, OBJECT_CONTEXT)) return CL_INVALID_CONTEXT;
    struct place *place = object_is(device, OBJECT_DEVICE) ? context_place(context, device) : NULL;
    if (place == NULL) return CL_INVALID_DEVICE;
    if (!object_is(queue, OBJECT_DEVICE_QUEUE) || queue->context != context || queue->place != place)
        return CL_INVALID_COMMAND_QUEUE;
    pthread_mutex_lock(&context->lock);
    place->default_queue = queue;
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}
