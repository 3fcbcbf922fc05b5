// The platform: there is one in a process, since the loader asks for it by no handle.
#include "opencl/platform.h"

#include <stdio.h>
#include <string.h>

#include "opencl/info.h"

#define VERSION_1_0 CL_MAKE_VERSION(1, 0, 0)

static struct _cl_platform_id platform = {
    .object = {.dispatch = &opencl_dispatch, .kind = OBJECT_PLATFORM, .references = 1, .holds = 1}};

static const cl_name_version extensions[] = {
    {VERSION_1_0, "cl_khr_icd"},
    {VERSION_1_0, "cl_khr_byte_addressable_store"},
    {VERSION_1_0, "cl_khr_global_int32_base_atomics"},
    {VERSION_1_0, "cl_khr_global_int32_extended_atomics"},
    {VERSION_1_0, "cl_khr_local_int32_base_atomics"},
    {VERSION_1_0, "cl_khr_local_int32_extended_atomics"},
    {VERSION_1_0, "cl_khr_3d_image_writes"},
    {VERSION_1_0, "cl_khr_depth_images"},
    {VERSION_1_0, "cl_khr_image2d_from_buffer"},
    {VERSION_1_0, "cl_khr_int64_base_atomics"},
    {VERSION_1_0, "cl_khr_int64_extended_atomics"},
    {VERSION_1_0, "cl_khr_fp16"},
    {VERSION_1_0, "cl_khr_fp64"},
    {VERSION_1_0, "cl_khr_subgroups"},
    {VERSION_1_0, "cl_khr_subgroup_non_uniform_vote"},
    {VERSION_1_0, "cl_khr_subgroup_shuffle"},
    {VERSION_1_0, "cl_khr_subgroup_shuffle_relative"},
    {VERSION_1_0, "cl_khr_extended_versioning"},
    {VERSION_1_0, "cl_khr_priority_hints"},
    {VERSION_1_0, "cl_khr_create_command_queue"},
    {VERSION_1_0, "cl_khr_device_uuid"},
    {0, ""},
};

cl_platform_id platform_get(void) {
    return &platform;
}

bool platform_is(cl_platform_id given) {
    return given == NULL || given == &platform;
}

const cl_name_version *platform_extensions(void) {
    return extensions;
}

void platform_extension_names(char *to, size_t size) {
    size_t used = 0;
    to[0] = '\0';
    for (const cl_name_version *at = extensions; at->name[0] != '\0' && used < size; at++)
        used += (size_t)snprintf(to + used, size - used, "%s%s", used > 0 ? " " : "", at->name);
}

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
    return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
    if ((num_entries == 0 && platforms != NULL) || (platforms == NULL && num_platforms == NULL))
        return CL_INVALID_VALUE;
    if (platforms != NULL) platforms[0] = &platform;
    if (num_platforms != NULL) *num_platforms = 1;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id given, cl_platform_info param_name, size_t param_value_size,
                                     void *param_value, size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    char names[1024];
    if (!platform_is(given)) return CL_INVALID_PLATFORM;
    switch (param_name) {
        case CL_PLATFORM_PROFILE: return answer_text(&answer, "FULL_PROFILE");
        case CL_PLATFORM_VERSION: return answer_text(&answer, "OpenCL 3.0 Tandem");
        case CL_PLATFORM_NUMERIC_VERSION: return answer_uint(&answer, CL_MAKE_VERSION(3, 0, 0));
        case CL_PLATFORM_NAME: return answer_text(&answer, PLATFORM_NAME);
        case CL_PLATFORM_VENDOR: return answer_text(&answer, PLATFORM_VENDOR);
        case CL_PLATFORM_EXTENSIONS: platform_extension_names(names, sizeof names); return answer_text(&answer, names);
        case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
            return answer_bytes(&answer, extensions, sizeof extensions - sizeof *extensions);
        case CL_PLATFORM_HOST_TIMER_RESOLUTION: return answer_ulong(&answer, 1);
        case CL_PLATFORM_ICD_SUFFIX_KHR: return answer_text(&answer, "TANDEM");
        default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL clUnloadCompiler(void) {
    return CL_SUCCESS;
}

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id given) {
    return platform_is(given) && given != NULL ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
