// Contexts: made of devices, with a space in each.
#include "opencl/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/environment.h"
#include "opencl/info.h"
#include "opencl/platform.h"

#define SPACE_LEAST ((size_t)4 << 20)
#define PAGE 4096u

// All contexts of the process, so that its end can wake their threads.
static struct {
    pthread_mutex_t lock;
    cl_context first;
} contexts = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void link_context(cl_context context) {
    pthread_mutex_lock(&contexts.lock);
    context->next = contexts.first;
    context->link = &contexts.first;
    if (context->next != NULL) context->next->link = &context->next;
    contexts.first = context;
    pthread_mutex_unlock(&contexts.lock);
}

static void unlink_context(cl_context context) {
    pthread_mutex_lock(&contexts.lock);
    *context->link = context->next;
    if (context->next != NULL) context->next->link = context->link;
    pthread_mutex_unlock(&contexts.lock);
}

void contexts_wake(void) {
    pthread_mutex_lock(&contexts.lock);
    for (cl_context at = contexts.first; at != NULL; at = at->next) {
        pthread_mutex_lock(&at->lock);
        pthread_cond_broadcast(&at->changed);
        pthread_mutex_unlock(&at->lock);
    }
    pthread_mutex_unlock(&contexts.lock);
}

void set_error(cl_int *errcode_ret, cl_int error) {
    if (errcode_ret != NULL) *errcode_ret = error;
}

struct place *context_place(cl_context context, cl_device_id device) {
    for (cl_uint k = 0; k < context->count; k++)
        if (context->places[k].device == device) return &context->places[k];
    return NULL;
}

cl_uint context_index(cl_context context, const struct place *place) {
    return (cl_uint)(place - context->places);
}

void context_tell(cl_context context, const char *text) {
    log_line("%s", text);
    if (context->notify != NULL) context->notify(text, NULL, 0, context->user_data);
}

cl_int context_error(cl_context context, cl_device_id device, const char *what, enum tandem_status status) {
    char text[1024];
    if (status == TANDEM_OK) return CL_SUCCESS;
    snprintf(text, sizeof text, "%s: %s: %s", device->name, what, tandem_message(device->device));
    const cl_int error = device_error(device, status);
    context_tell(context, text);
    return error;
}

// As much as contexts usually have. Behind the first one a third of what is left at most, of the last eighth of memory a
// small piece, so that a process can have dozens.
static size_t next_share(const struct _cl_device_id *device) {
    const size_t all = (size_t)device->info.memory_bytes, left = all - device->given_bytes;
    size_t most = device->given_bytes == 0 ? left : left / (left < all / 8 ? 32 : 3);
    if (most < SPACE_LEAST) most = left < SPACE_LEAST ? left : SPACE_LEAST;
    return most < device->context_bytes ? most / PAGE * PAGE : device->context_bytes;
}

// Contexts that ended leave gaps: less than the share may be there in one piece.
static enum tandem_status open_space(struct place *place) {
    cl_device_id device = place->device;
    if (device->board) {
        place->space = tandem_device_space(device->device);
        place->shared = true;
        return TANDEM_OK;
    }
    workers_wait_leaving();
    pthread_mutex_lock(&device->lock);
    enum tandem_status status = TANDEM_NO_MEMORY;
    for (place->bytes = next_share(device); status == TANDEM_NO_MEMORY && place->bytes >= SPACE_LEAST;) {
        status = tandem_space_open(device->device, place->bytes, &place->space);
        if (status == TANDEM_NO_MEMORY) place->bytes = place->bytes / 2 / PAGE * PAGE;
    }
    if (status == TANDEM_OK) device->given_bytes += place->bytes;
    pthread_mutex_unlock(&device->lock);
    return status;
}

static void close_space(struct place *place) {
    if (place->shared || place->space == NULL) return;
    (void)tandem_space_close(place->space);
    pthread_mutex_lock(&place->device->lock);
    place->device->given_bytes -= place->bytes;
    pthread_mutex_unlock(&place->device->lock);
}

static void close_places(cl_context context) {
    for (cl_uint k = 0; k < context->count; k++) {
        struct place *place = &context->places[k];
        leases_close(place);
        close_space(place);
    }
}

static void destroy(void *object) {
    cl_context context = object;
    for (struct destructor *at = context->destructors, *next; at != NULL; at = next) {
        next = at->next;
        at->call(context, at->user_data);
        free(at);
    }
    unlink_context(context);
    if (!devices_ending()) close_places(context);
    pthread_mutex_destroy(&context->lock);
    pthread_cond_destroy(&context->changed);
    free(context);
}

// Copies what is known; the platform is the one.
static cl_int take_properties(cl_context context, const cl_context_properties *properties) {
    size_t count = 0;
    if (properties == NULL) return CL_SUCCESS;
    for (const cl_context_properties *at = properties; *at != 0; at += 2) {
        const cl_context_properties key = at[0];
        for (size_t k = 0; k < count; k += 2)
            if (context->properties[k] == key) return CL_INVALID_PROPERTY;
        if (key == CL_CONTEXT_PLATFORM) {
            if (at[1] != (cl_context_properties)platform_get()) return CL_INVALID_PLATFORM;
        } else if (key == CL_CONTEXT_INTEROP_USER_SYNC) {
            if (at[1] != CL_TRUE && at[1] != CL_FALSE) return CL_INVALID_PROPERTY;
        } else {
            return CL_INVALID_PROPERTY;
        }
        context->properties[count++] = at[0];
        context->properties[count++] = at[1];
    }
    context->properties[count++] = 0;
    context->property_count = count;
    return CL_SUCCESS;
}

static cl_int take_devices(cl_context context, cl_uint num_devices, const cl_device_id *list) {
    for (cl_uint k = 0; k < num_devices; k++) {
        if (!object_is(list[k], OBJECT_DEVICE)) return CL_INVALID_DEVICE;
        if (atomic_load(&list[k]->lost)) return CL_DEVICE_NOT_AVAILABLE;
        if (context_place(context, list[k]) != NULL) continue;
        struct place *place = &context->places[context->count];
        place->device = list[k];
        const enum tandem_status status = open_space(place);
        if (status != TANDEM_OK) {
            log_line("%s: no memory for a context", list[k]->name);
            return CL_OUT_OF_RESOURCES;
        }
        context->count++;
    }
    return CL_SUCCESS;
}

cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                       const cl_device_id *list, context_notify pfn_notify, void *user_data,
                                       cl_int *errcode_ret) {
    struct _cl_context *context = calloc(1, sizeof *context);
    cl_int error = context == NULL ? CL_OUT_OF_HOST_MEMORY : take_properties(context, properties);
    if (error == CL_SUCCESS && (list == NULL || num_devices == 0 || (pfn_notify == NULL && user_data != NULL)))
        error = CL_INVALID_VALUE;
    if (error == CL_SUCCESS) error = take_devices(context, num_devices, list);
    set_error(errcode_ret, error);
    if (error != CL_SUCCESS) {
        if (context != NULL) close_places(context);
        free(context);
        return NULL;
    }
    object_begin(&context->object, OBJECT_CONTEXT, destroy);
    context->notify = pfn_notify;
    context->user_data = user_data;
    pthread_mutex_init(&context->lock, NULL);
    pthread_cond_init(&context->changed, NULL);
    link_context(context);
    return context;
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties, cl_device_type device_type,
                                               context_notify pfn_notify, void *user_data, cl_int *errcode_ret) {
    cl_device_id list[DEVICES_MAX];
    cl_uint count = 0;
    const cl_int error = clGetDeviceIDs(platform_get(), device_type, DEVICES_MAX, list, &count);
    if (error == CL_SUCCESS) return clCreateContext(properties, count, list, pfn_notify, user_data, errcode_ret);
    set_error(errcode_ret, error);
    return NULL;
}

cl_int CL_API_CALL clRetainContext(cl_context context) {
    if (!object_lives(context, OBJECT_CONTEXT)) return CL_INVALID_CONTEXT;
    object_retain(context);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clReleaseContext(cl_context context) {
    if (!object_is(context, OBJECT_CONTEXT)) return CL_INVALID_CONTEXT;
    if (object_release(context)) object_drop(context);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                  void(CL_CALLBACK *pfn_notify)(cl_context context, void *user_data),
                                                  void *user_data) {
    if (!object_lives(context, OBJECT_CONTEXT)) return CL_INVALID_CONTEXT;
    if (pfn_notify == NULL) return CL_INVALID_VALUE;
    struct destructor *destructor = malloc(sizeof *destructor);
    if (destructor == NULL) return CL_OUT_OF_HOST_MEMORY;
    pthread_mutex_lock(&context->lock);
    *destructor = (struct destructor){context->destructors, pfn_notify, user_data};
    context->destructors = destructor;
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size,
                                    void *param_value, size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    cl_device_id list[DEVICES_MAX];
    if (!object_lives(context, OBJECT_CONTEXT)) return CL_INVALID_CONTEXT;
    switch (param_name) {
        case CL_CONTEXT_REFERENCE_COUNT: return answer_uint(&answer, atomic_load(&context->object.references));
        case CL_CONTEXT_NUM_DEVICES: return answer_uint(&answer, context->count);
        case CL_CONTEXT_DEVICES:
            for (cl_uint k = 0; k < context->count; k++)
                list[k] = context->places[k].device;
            return answer_bytes(&answer, list, context->count * sizeof *list);
        case CL_CONTEXT_PROPERTIES:
            return answer_bytes(&answer, context->properties, context->property_count * sizeof *context->properties);
        default: return CL_INVALID_VALUE;
    }
}
