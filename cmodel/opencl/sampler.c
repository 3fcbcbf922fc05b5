// Samplers: made, asked, released. A kernel gets one as a number.
#include <stdlib.h>
#include <string.h>

#include "compiler/library/image.h"
#include "opencl/image.h"
#include "opencl/info.h"

cl_uint sampler_number(cl_sampler sampler) {
    static const cl_uint modes[] = {SAMPLER_NONE, SAMPLER_CLAMP_TO_EDGE, SAMPLER_CLAMP, SAMPLER_REPEAT,
                                    SAMPLER_MIRRORED_REPEAT};
    return modes[sampler->addressing - CL_ADDRESS_NONE] | (sampler->normalized ? SAMPLER_NORMALIZED : 0) |
           (sampler->filter == CL_FILTER_LINEAR ? SAMPLER_LINEAR : SAMPLER_NEAREST);
}

static void destroy(void *object) {
    cl_sampler sampler = object;
    cl_context context = sampler->context;
    free(sampler);
    object_drop(context);
}

// CL_INVALID_VALUE: an unknown property, or a value that it does not have.
static cl_int take_properties(struct _cl_sampler *sampler, const cl_sampler_properties *properties) {
    for (const cl_sampler_properties *at = properties; at != NULL && *at != 0; at += 2) {
        for (const cl_sampler_properties *before = properties; before != at; before += 2)
            if (*before == *at) return CL_INVALID_VALUE;
        switch (at[0]) {
            case CL_SAMPLER_NORMALIZED_COORDS: sampler->normalized = (cl_bool)at[1]; break;
            case CL_SAMPLER_ADDRESSING_MODE: sampler->addressing = (cl_addressing_mode)at[1]; break;
            case CL_SAMPLER_FILTER_MODE: sampler->filter = (cl_filter_mode)at[1]; break;
            default: return CL_INVALID_VALUE;
        }
        sampler->property_count += 2;
    }
    if (properties != NULL) {
        memcpy(sampler->properties, properties, sampler->property_count * sizeof *properties);
        sampler->property_count++;  // and the 0 at the end
    }
    const bool repeats = sampler->addressing == CL_ADDRESS_REPEAT || sampler->addressing == CL_ADDRESS_MIRRORED_REPEAT;
    if (sampler->normalized > CL_TRUE || sampler->addressing < CL_ADDRESS_NONE ||
        sampler->addressing > CL_ADDRESS_MIRRORED_REPEAT ||
        (sampler->filter != CL_FILTER_NEAREST && sampler->filter != CL_FILTER_LINEAR))
        return CL_INVALID_VALUE;
    return repeats && !sampler->normalized ? CL_INVALID_VALUE : CL_SUCCESS;
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *properties,
                                                     cl_int *errcode_ret) {
    cl_int error = CL_INVALID_CONTEXT;
    struct _cl_sampler *sampler = NULL;
    if (object_lives(context, OBJECT_CONTEXT)) {
        sampler = calloc(1, sizeof *sampler);
        error = CL_OUT_OF_HOST_MEMORY;
    }
    if (sampler != NULL) {
        sampler->normalized = CL_TRUE;
        sampler->addressing = CL_ADDRESS_CLAMP;
        sampler->filter = CL_FILTER_NEAREST;
        error = take_properties(sampler, properties);
    }
    set_error(errcode_ret, error);
    if (error != CL_SUCCESS) {
        free(sampler);
        return NULL;
    }
    object_begin(&sampler->object, OBJECT_SAMPLER, destroy);
    object_hold(context);
    sampler->context = context;
    return sampler;
}

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                       cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
                                       cl_int *errcode_ret) {
    const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                                normalized_coords,
                                                CL_SAMPLER_ADDRESSING_MODE,
                                                addressing_mode,
                                                CL_SAMPLER_FILTER_MODE,
                                                filter_mode,
                                                0};
    cl_sampler sampler = clCreateSamplerWithProperties(context, properties, errcode_ret);
    if (sampler != NULL) sampler->property_count = 0;  // none were given
    return sampler;
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
    if (!object_is(sampler, OBJECT_SAMPLER)) return CL_INVALID_SAMPLER;
    object_retain(sampler);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
    if (!object_is(sampler, OBJECT_SAMPLER)) return CL_INVALID_SAMPLER;
    if (object_release(sampler)) object_drop(sampler);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size,
                                    void *param_value, size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    if (!object_is(sampler, OBJECT_SAMPLER)) return CL_INVALID_SAMPLER;
    switch (param_name) {
        case CL_SAMPLER_REFERENCE_COUNT: return answer_uint(&answer, atomic_load(&sampler->object.references));
        case CL_SAMPLER_CONTEXT: return answer_pointer(&answer, sampler->context);
        case CL_SAMPLER_NORMALIZED_COORDS: return answer_bool(&answer, sampler->normalized);
        case CL_SAMPLER_ADDRESSING_MODE: return answer_uint(&answer, sampler->addressing);
        case CL_SAMPLER_FILTER_MODE: return answer_uint(&answer, sampler->filter);
        case CL_SAMPLER_PROPERTIES:
            return answer_bytes(&answer, sampler->properties, sampler->property_count * sizeof *sampler->properties);
        default: return CL_INVALID_VALUE;
    }
}
