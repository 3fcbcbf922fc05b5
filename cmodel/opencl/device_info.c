// What a device says of itself: clGetDeviceInfo.
#include <stdio.h>
#include <string.h>

#include "opencl/cache.h"
#include "opencl/device_queue.h"
#include "opencl/hash.h"
#include "opencl/image.h"
#include "opencl/info.h"
#include "opencl/pipe.h"
#include "opencl/platform.h"

#define VERSION(major, minor) CL_MAKE_VERSION(major, minor, 0)
// Said in the Makefile, which gives it here.
#ifndef TANDEM_VERSION
#define TANDEM_VERSION "without version"
#endif
#define VENDOR_ID 0x544D4454u  // no PCI vendor; letters of the name
#define CONSTANT_BYTES 65536u
#define PARAMETER_BYTES 1024u
#define NO_CONFORMANCE "v0000-01-01-00"  // none was passed
#define VARIABLE_BYTES 65536u            // of a program, in global memory

static const cl_name_version c_versions[] = {
    {VERSION(1, 0), "OpenCL C"},
    {VERSION(1, 1), "OpenCL C"},
    {VERSION(1, 2), "OpenCL C"},
    {VERSION(3, 0), "OpenCL C"},
};

static const cl_name_version c_features[] = {
    {VERSION(3, 0), "__opencl_c_atomic_order_acq_rel"},
    {VERSION(3, 0), "__opencl_c_atomic_order_seq_cst"},
    {VERSION(3, 0), "__opencl_c_atomic_scope_device"},
    {VERSION(3, 0), "__opencl_c_3d_image_writes"},
    {VERSION(3, 0), "__opencl_c_device_enqueue"},
    {VERSION(3, 0), "__opencl_c_fp64"},
    {VERSION(3, 0), "__opencl_c_generic_address_space"},
    {VERSION(3, 0), "__opencl_c_images"},
    {VERSION(3, 0), "__opencl_c_int64"},
    {VERSION(3, 0), "__opencl_c_pipes"},
    {VERSION(3, 0), "__opencl_c_program_scope_global_variables"},
    {VERSION(3, 0), "__opencl_c_read_write_images"},
    {VERSION(3, 0), "__opencl_c_subgroups"},
    {VERSION(3, 0), "__opencl_c_work_group_collective_functions"},
};

static cl_int answer_versions(const struct answer *answer, const cl_name_version *list, size_t count) {
    return answer_bytes(answer, list, count * sizeof *list);
}

// Who has compiled the library; with the device's name it makes the two identifiers.
static cl_int answer_uuid(const struct answer *answer, const char *what, const char *which) {
    cl_uchar uuid[CL_UUID_SIZE_KHR];
    uint64_t hash[2];
    hash[0] = hash_bytes(hash_bytes(HASH_START, what, strlen(what)), which, strlen(which));
    hash[1] = hash_bytes(hash[0], which, strlen(which));
    memcpy(uuid, hash, sizeof uuid);
    return answer_bytes(answer, uuid, sizeof uuid);
}

// Texts, versions, what names the device.
static cl_int answer_identity(cl_device_id device, cl_device_info what, const struct answer *answer) {
    char names[1024];
    const cl_uchar luid[CL_LUID_SIZE_KHR] = {0};
    switch (what) {
        case CL_DEVICE_TYPE: return answer_ulong(answer, CL_DEVICE_TYPE_GPU);
        case CL_DEVICE_VENDOR_ID: return answer_uint(answer, VENDOR_ID);
        case CL_DEVICE_NAME: return answer_text(answer, device->title);
        case CL_DEVICE_VENDOR: return answer_text(answer, PLATFORM_VENDOR);
        case CL_DRIVER_VERSION:  // applications keep binaries by it
            snprintf(names, sizeof names, TANDEM_VERSION " (build %08x)", (unsigned)(cache_build() & UINT32_MAX));
            return answer_text(answer, names);
        case CL_DEVICE_PROFILE:
            return answer_text(answer, device_full_profile(device) ? "FULL_PROFILE" : "EMBEDDED_PROFILE");
        case CL_DEVICE_VERSION: return answer_text(answer, "OpenCL 3.0 Tandem");
        case CL_DEVICE_NUMERIC_VERSION: return answer_uint(answer, VERSION(3, 0));
        case CL_DEVICE_OPENCL_C_VERSION: return answer_text(answer, "OpenCL C 1.2 Tandem");
        case CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR: return answer_uint(answer, VERSION(1, 2));
        case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
            return answer_versions(answer, c_versions, sizeof c_versions / sizeof *c_versions);
        case CL_DEVICE_OPENCL_C_FEATURES:
            return answer_versions(answer, c_features, sizeof c_features / sizeof *c_features);
        case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED: return answer_text(answer, NO_CONFORMANCE);
        case CL_DEVICE_EXTENSIONS:
            platform_extension_names(names, sizeof names);
            if (!device_full_profile(device)) strcat(names, " cles_khr_int64");
            return answer_text(answer, names);
        case CL_DEVICE_EXTENSIONS_WITH_VERSION: {
            cl_name_version list[32];
            size_t count = 0;
            for (const cl_name_version *at = platform_extensions(); at->name[0] != '\0'; at++)
                list[count++] = *at;
            if (!device_full_profile(device)) list[count++] = (cl_name_version){VERSION(1, 0), "cles_khr_int64"};
            return answer_versions(answer, list, count);
        }
        case CL_DEVICE_ILS_WITH_VERSION:
        case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION: return answer_bytes(answer, NULL, 0);
        case CL_DEVICE_IL_VERSION:
        case CL_DEVICE_BUILT_IN_KERNELS: return answer_text(answer, "");
        case CL_DEVICE_PLATFORM: return answer_pointer(answer, platform_get());
        case CL_DEVICE_UUID_KHR: return answer_uuid(answer, "device ", device->name);
        case CL_DRIVER_UUID_KHR: return answer_uuid(answer, "driver ", TANDEM_VERSION);
        case CL_DEVICE_LUID_VALID_KHR: return answer_bool(answer, false);
        case CL_DEVICE_LUID_KHR: return answer_bytes(answer, luid, sizeof luid);
        case CL_DEVICE_NODE_MASK_KHR: return answer_uint(answer, 0);
        default: return CL_INVALID_VALUE;
    }
}

// Sizes of the machine.
static cl_int answer_sizes(cl_device_id device, cl_device_info what, const struct answer *answer) {
    const struct tandem_info *info = &device->info;
    const size_t items[3] = {info->group_max, info->group_max, info->group_max};
    switch (what) {
        case CL_DEVICE_MAX_COMPUTE_UNITS: return answer_uint(answer, info->sms);
        case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: return answer_uint(answer, 3);
        case CL_DEVICE_MAX_WORK_ITEM_SIZES: return answer_bytes(answer, items, sizeof items);
        case CL_DEVICE_MAX_WORK_GROUP_SIZE: return answer_size(answer, info->group_max);
        case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: return answer_size(answer, info->threads);
        case CL_DEVICE_MAX_CLOCK_FREQUENCY: return answer_uint(answer, 1000 / info->ns_per_cycle);
        case CL_DEVICE_ADDRESS_BITS: return answer_uint(answer, 32);
        case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return answer_ulong(answer, device->alloc);
        case CL_DEVICE_GLOBAL_MEM_SIZE: return answer_ulong(answer, device->memory);
        case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE: return answer_uint(answer, CL_READ_WRITE_CACHE);
        case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE: return answer_uint(answer, 32);
        case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: return answer_ulong(answer, info->shared_bytes);
        case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: return answer_ulong(answer, CONSTANT_BYTES);
        case CL_DEVICE_MAX_CONSTANT_ARGS: return answer_uint(answer, 8);
        case CL_DEVICE_LOCAL_MEM_TYPE: return answer_uint(answer, CL_LOCAL);
        case CL_DEVICE_LOCAL_MEM_SIZE: return answer_ulong(answer, info->shared_bytes);
        case CL_DEVICE_MAX_PARAMETER_SIZE: return answer_size(answer, PARAMETER_BYTES);
        case CL_DEVICE_MEM_BASE_ADDR_ALIGN: return answer_uint(answer, 1024);
        case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE: return answer_uint(answer, 128);
        case CL_DEVICE_PROFILING_TIMER_RESOLUTION: return answer_size(answer, info->ns_per_cycle);
        case CL_DEVICE_PRINTF_BUFFER_SIZE: return answer_size(answer, device->printf_bytes);
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF: return answer_uint(answer, 1);
        default: return CL_INVALID_VALUE;
    }
}

// What it can do.
static cl_int answer_abilities(cl_device_id device, cl_device_info what, const struct answer *answer) {
    const cl_device_partition_property none = 0;
    switch (what) {
        case CL_DEVICE_SINGLE_FP_CONFIG:
            return answer_ulong(answer, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA);
        // What cl_khr_fp64 asks for: arithmetic rounds to nearest, conversions as they are told.
        case CL_DEVICE_DOUBLE_FP_CONFIG:
            return answer_ulong(answer, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
                                            CL_FP_ROUND_TO_INF | CL_FP_FMA);
        case CL_DEVICE_HALF_FP_CONFIG:
            return answer_ulong(answer, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA);
        case CL_DEVICE_ERROR_CORRECTION_SUPPORT: return answer_bool(answer, false);
        case CL_DEVICE_HOST_UNIFIED_MEMORY: return answer_bool(answer, false);
        case CL_DEVICE_ENDIAN_LITTLE: return answer_bool(answer, true);
        case CL_DEVICE_AVAILABLE: return answer_bool(answer, !atomic_load(&device->lost));
        case CL_DEVICE_COMPILER_AVAILABLE:
        case CL_DEVICE_LINKER_AVAILABLE: return answer_bool(answer, true);
        case CL_DEVICE_EXECUTION_CAPABILITIES: return answer_ulong(answer, CL_EXEC_KERNEL);
        case CL_DEVICE_SVM_CAPABILITIES:
        case CL_DEVICE_PARTITION_AFFINITY_DOMAIN: return answer_ulong(answer, 0);
        case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC: return answer_bool(answer, true);
        case CL_DEVICE_PARENT_DEVICE: return answer_pointer(answer, NULL);
        case CL_DEVICE_PARTITION_MAX_SUB_DEVICES: return answer_uint(answer, 0);
        case CL_DEVICE_PARTITION_PROPERTIES:
        case CL_DEVICE_PARTITION_TYPE: return answer_bytes(answer, &none, sizeof none);
        case CL_DEVICE_REFERENCE_COUNT: return answer_uint(answer, 1);
        case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
        case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
            return answer_ulong(
                answer, CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                            CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                            CL_DEVICE_ATOMIC_SCOPE_DEVICE |
                            (what == CL_DEVICE_ATOMIC_FENCE_CAPABILITIES ? CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM : 0));
        case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT: return answer_bool(answer, true);
        // A sub-group is a warp, and no warp waits for another one to give way.
        case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
        case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
        case CL_DEVICE_PIPE_SUPPORT:
        case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT: return answer_bool(answer, true);
        case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
        case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE: return answer_size(answer, VARIABLE_BYTES);
        case CL_DEVICE_MAX_PIPE_ARGS: return answer_uint(answer, PIPE_ARGUMENTS_MOST);
        case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS: return answer_uint(answer, PIPE_RESERVATIONS_MOST);
        case CL_DEVICE_PIPE_MAX_PACKET_SIZE: return answer_uint(answer, PIPE_PACKET_MOST);
        case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
        case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
        case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT: return answer_uint(answer, 0);
        case CL_DEVICE_MAX_NUM_SUB_GROUPS: return answer_uint(answer, device->info.group_max / device->info.threads);
        default: return CL_INVALID_VALUE;
    }
}

static cl_int answer_queues(cl_device_id device, cl_device_info what, const struct answer *answer) {
    const cl_ulong both = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    (void)device;
    switch (what) {
        case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
        case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES: return answer_ulong(answer, both);
        case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
            return answer_ulong(answer, CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT);
        case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE: return answer_uint(answer, DEVICE_QUEUE_BYTES);
        case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE: return answer_uint(answer, DEVICE_QUEUE_BYTES_MAX);
        case CL_DEVICE_MAX_ON_DEVICE_QUEUES: return answer_uint(answer, DEVICE_QUEUES_MAX);
        case CL_DEVICE_MAX_ON_DEVICE_EVENTS: return answer_uint(answer, DEVICE_QUEUE_EVENTS);
        default: return CL_INVALID_VALUE;
    }
}

// Images, by ../compiler/library/images.cl, on every device.
static cl_int answer_images(cl_device_id device, cl_device_info what, const struct answer *answer) {
    (void)device;
    switch (what) {
        case CL_DEVICE_IMAGE_SUPPORT: return answer_bool(answer, true);
        case CL_DEVICE_IMAGE2D_MAX_WIDTH:
        case CL_DEVICE_IMAGE2D_MAX_HEIGHT: return answer_size(answer, IMAGE_SIDE_MAX);
        case CL_DEVICE_IMAGE3D_MAX_WIDTH:
        case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
        case CL_DEVICE_IMAGE3D_MAX_DEPTH:
        case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE: return answer_size(answer, IMAGE_DEPTH_MAX);
        case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE: return answer_size(answer, IMAGE_BUFFER_MAX);
        case CL_DEVICE_MAX_READ_IMAGE_ARGS:
        case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
        case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS: return answer_uint(answer, IMAGE_ARGUMENTS_MAX);
        case CL_DEVICE_MAX_SAMPLERS: return answer_uint(answer, SAMPLERS_MAX);
        // In texels.
        case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
        case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT: return answer_uint(answer, 1);
        default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size,
                                   void *param_value, size_t *param_value_size_ret) {
    typedef cl_int group(cl_device_id device, cl_device_info what, const struct answer *answer);
    static group *const groups[] = {answer_identity, answer_sizes, answer_images, answer_queues, answer_abilities};
    size_t size = 0;
    const struct answer answer = {param_value_size, param_value, param_value_size_ret}, question = {0, NULL, &size};
    if (!object_is(device, OBJECT_DEVICE)) return CL_INVALID_DEVICE;
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        if (groups[k](device, param_name, &question) == CL_SUCCESS) return groups[k](device, param_name, &answer);
    return CL_INVALID_VALUE;
}
