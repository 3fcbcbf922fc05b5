// The devices of the process: opened by the first question for them, closed when the library goes.
#include "opencl/device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "opencl/environment.h"
#include "opencl/platform.h"

#define DEFAULT_DEVICES "model:full"
#define MIB ((size_t)1 << 20)
#define CONTEXT_BYTES (1088 * MIB)  // of it an eighth, 8 MiB at most, is for code
#define USUAL_BYTES (1024 * MIB)
#define FULL_LOCAL_BYTES 32768u
#define PRINTF_BYTES (1u << 20)        // the least that the full profile allows
#define PRINTF_BYTES_FEW (256u << 10)  // of other devices, and of those that have little memory
#define LEAVING_MILLISECONDS 200
#define PRINTF_SHARE 16u  // of a context's memory the buffer of one program takes no more than this part

static struct {
    pthread_once_t once;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    struct _cl_device_id places[DEVICES_MAX];  // handles stay what they are, also behind the end
    cl_device_id list[DEVICES_MAX];
    cl_uint count;
    unsigned workers, leaving;
    atomic_bool ending;
} devices = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

// What a context gets of the device's memory, and what it can allocate of that.
static void share_memory(cl_device_id device) {
    const uint64_t bytes = device->info.memory_bytes;
    device->context_bytes = bytes < 2 * CONTEXT_BYTES ? (size_t)bytes / 2 : CONTEXT_BYTES;
    if (device->board) device->context_bytes = (size_t)bytes;
    // Beside code and what channels take.
    const uint64_t usable = device->context_bytes < CONTEXT_BYTES ? device->context_bytes / 4 * 3 : USUAL_BYTES;
    device->memory = usable / MIB * MIB;
    device->alloc = device->memory / 2;
}

// A board of the embedded profile has a buffer that is soon cleared through its cable.
static void share_printf(cl_device_id device) {
    const bool many = device_full_profile(device) && device->context_bytes / PRINTF_SHARE >= PRINTF_BYTES;
    device->printf_bytes = many ? PRINTF_BYTES : PRINTF_BYTES_FEW;
    // A device that was just opened takes such sizes.
    (void)tandem_set_printf_bytes(device->device, device->printf_bytes);
}

// False: it cannot be opened.
static bool open_device(const char *name, unsigned index, struct _cl_device_id *device) {
    char full[2 * DEVICE_NAME_MAX], message[512];
    if (!environment_device_name(name, index, full, sizeof full)) {
        tell_user("device \"%.60s\": its name is too long", name);
        return false;
    }
    const enum tandem_status status = tandem_open(full, &device->device, message, sizeof message);
    if (status != TANDEM_OK) {
        tell_user("TANDEM_DEVICES: %s", message);
        return false;
    }
    object_begin(&device->object, OBJECT_DEVICE, NULL);
    snprintf(device->name, sizeof device->name, "%s", name);
    struct tandem_info info;
    tandem_get_info(device->device, &info);
    snprintf(device->title, sizeof device->title, "Tandem %s:%s", info.backend, info.config);
    device->info = info;
    device->board = strcmp(device->info.backend, "uart") == 0 || strcmp(device->info.backend, "etherbone") == 0;
    share_memory(device);
    share_printf(device);
    pthread_mutex_init(&device->lock, NULL);
    pthread_cond_init(&device->given, NULL);
    log_line("device %s is open", full);
    return true;
}

static void open_all(void) {
    const char *text = environment_text("TANDEM_DEVICES");
    if (text == NULL) text = DEFAULT_DEVICES;
    for (unsigned index = 0; *text != '\0'; index++) {
        const size_t length = strcspn(text, ";");
        char name[DEVICE_NAME_MAX];
        while (*text == ' ')
            text++;
        if (devices.count == DEVICES_MAX) {
            tell_user("TANDEM_DEVICES: more than %u devices", DEVICES_MAX);
            break;
        }
        if (length >= sizeof name) {
            tell_user("TANDEM_DEVICES: \"%.60s..\" is longer than %zu characters", text, sizeof name - 1);
        } else if (length > 0) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ";"), text);
            cl_device_id device = &devices.places[devices.count];
            if (open_device(name, index, device)) devices.list[devices.count++] = device;
        }
        text += strcspn(text, ";");
        text += *text == ';';
    }
}

cl_device_id *devices_open(cl_uint *count) {
    *count = devices.count;
    return devices.list;
}

cl_device_id *devices_all(cl_uint *count) {
    pthread_once(&devices.once, open_all);
    *count = devices.count;
    return devices.list;
}

bool devices_ending(void) {
    return atomic_load(&devices.ending);
}

bool device_full_profile(cl_device_id device) {
    return device->info.shared_bytes >= FULL_LOCAL_BYTES;
}

cl_int device_error(cl_device_id device, enum tandem_status status) {
    if (status == TANDEM_OK) return CL_SUCCESS;
    log_line("%s: %s: %s", device->name, tandem_status_name(status), tandem_message(device->device));
    if (status == TANDEM_MISMATCH || status == TANDEM_LOST || status == TANDEM_CLOSED)
        atomic_store(&device->lost, true);
    return status == TANDEM_NO_MEMORY ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_OUT_OF_RESOURCES;
}

void worker_begins(void) {
    pthread_mutex_lock(&devices.lock);
    devices.workers++;
    pthread_mutex_unlock(&devices.lock);
}

void worker_leaves(void) {
    pthread_mutex_lock(&devices.lock);
    devices.leaving++;
    pthread_mutex_unlock(&devices.lock);
}

void worker_ends(bool leaving) {
    pthread_mutex_lock(&devices.lock);
    devices.workers--;
    if (leaving) devices.leaving--;
    pthread_cond_broadcast(&devices.ended);
    pthread_mutex_unlock(&devices.lock);
}

// The lock is held. False: some are still there then.
static bool wait_none(const unsigned *count, uint64_t milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)(milliseconds / 1000);
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (*count > 0 && pthread_cond_timedwait(&devices.ended, &devices.lock, &until) != ETIMEDOUT)
        continue;
    return *count == 0;
}

void workers_wait_leaving(void) {
    pthread_mutex_lock(&devices.lock);
    (void)wait_none(&devices.leaving, LEAVING_MILLISECONDS);
    pthread_mutex_unlock(&devices.lock);
}

void devices_stop(void) {
    atomic_store(&devices.ending, true);
    for (cl_uint k = 0; k < devices.count; k++)
        tandem_interrupt(devices.list[k]->device);
}

bool devices_wait(cl_uint seconds) {
    pthread_mutex_lock(&devices.lock);
    const bool quiet = wait_none(&devices.workers, (uint64_t)seconds * 1000);
    pthread_mutex_unlock(&devices.lock);
    return quiet;
}

static bool platform_given(cl_platform_id platform) {
    return platform != NULL && platform_is(platform);
}

// What is not a GPU is asked for in vain; the first device is the default one.
static bool type_fits(cl_device_type type, cl_uint index) {
    return (type & CL_DEVICE_TYPE_GPU) != 0 || type == CL_DEVICE_TYPE_ALL ||
           ((type & CL_DEVICE_TYPE_DEFAULT) != 0 && index == 0);
}

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                                  cl_device_id *ids, cl_uint *num_devices) {
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                 CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    cl_uint all = 0, found = 0;
    if (platform != NULL && !platform_given(platform)) return CL_INVALID_PLATFORM;
    if (device_type != CL_DEVICE_TYPE_ALL && (device_type == 0 || (device_type & ~known) != 0))
        return CL_INVALID_DEVICE_TYPE;
    if ((num_entries == 0 && ids != NULL) || (ids == NULL && num_devices == NULL)) return CL_INVALID_VALUE;
    cl_device_id *list = devices_all(&all);
    for (cl_uint k = 0; k < all; k++) {
        if (!type_fits(device_type, k)) continue;
        if (ids != NULL && found < num_entries) ids[found] = list[k];
        found++;
    }
    if (found == 0) return CL_DEVICE_NOT_FOUND;
    if (num_devices != NULL) *num_devices = found;
    return CL_SUCCESS;
}

// Root devices are not counted.
cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
    return object_is(device, OBJECT_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
    return object_is(device, OBJECT_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property *properties,
                                      cl_uint num_devices, cl_device_id *out_devices, cl_uint *num_devices_ret) {
    (void)num_devices, (void)out_devices, (void)num_devices_ret;
    if (!object_is(in_device, OBJECT_DEVICE)) return CL_INVALID_DEVICE;
    (void)properties;
    return CL_INVALID_VALUE;  // no way of partition is supported
}
