// The device's time, and the host's beside it.
#include "opencl/timer.h"

#include <time.h>

#include "opencl/channels.h"

static uint64_t host_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// The device's lock is held. Never while something runs: a launch's time stamps count from where it began.
static uint64_t catch_up(cl_device_id device, uint64_t host) {
    const uint64_t own = tandem_time(device->device);
    if (!leases_busy(device) && own + device->time_ahead < host) device->time_ahead = host - own;
    return own + device->time_ahead;
}

uint64_t device_time(cl_device_id device) {
    pthread_mutex_lock(&device->lock);
    const uint64_t time = catch_up(device, host_time());
    pthread_mutex_unlock(&device->lock);
    return time;
}

uint64_t device_time_of(cl_device_id device, uint64_t stamp) {
    pthread_mutex_lock(&device->lock);
    const uint64_t time = stamp + device->time_ahead;
    pthread_mutex_unlock(&device->lock);
    return time;
}

cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp, cl_ulong *host_timestamp) {
    if (!object_is(device, OBJECT_DEVICE)) return CL_INVALID_DEVICE;
    if (device_timestamp == NULL || host_timestamp == NULL) return CL_INVALID_VALUE;
    pthread_mutex_lock(&device->lock);
    *host_timestamp = host_time();
    *device_timestamp = catch_up(device, *host_timestamp);
    pthread_mutex_unlock(&device->lock);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
    if (!object_is(device, OBJECT_DEVICE)) return CL_INVALID_DEVICE;
    if (host_timestamp == NULL) return CL_INVALID_VALUE;
    *host_timestamp = host_time();
    return CL_SUCCESS;
}
