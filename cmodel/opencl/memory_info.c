// What a memory object says of itself.
#include "opencl/image.h"
#include "opencl/info.h"

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memory, cl_mem_info param_name, size_t param_value_size, void *param_value,
                                      size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    if (!object_is(memory, OBJECT_MEMORY)) return CL_INVALID_MEM_OBJECT;
    switch (param_name) {
        case CL_MEM_TYPE:
            return answer_uint(&answer, memory->image != NULL  ? memory->image->type
                                        : memory->pipe != NULL ? CL_MEM_OBJECT_PIPE
                                                               : CL_MEM_OBJECT_BUFFER);
        case CL_MEM_FLAGS: return answer_ulong(&answer, memory->flags);
        case CL_MEM_SIZE: return answer_size(&answer, memory->size);
        case CL_MEM_HOST_PTR: return answer_pointer(&answer, memory->host_pointer);
        case CL_MEM_MAP_COUNT: {
            pthread_mutex_lock(&memory->lock);
            const cl_uint count = memory->map_count;
            pthread_mutex_unlock(&memory->lock);
            return answer_uint(&answer, count);
        }
        case CL_MEM_REFERENCE_COUNT: return answer_uint(&answer, atomic_load(&memory->object.references));
        case CL_MEM_CONTEXT: return answer_pointer(&answer, memory->context);
        case CL_MEM_ASSOCIATED_MEMOBJECT:
            if (memory->image != NULL) return answer_pointer(&answer, memory->image->from);
            return answer_pointer(&answer, memory->whole != memory ? memory->whole : NULL);
        case CL_MEM_OFFSET: return answer_size(&answer, memory->origin);
        case CL_MEM_USES_SVM_POINTER: return answer_bool(&answer, false);
        case CL_MEM_PROPERTIES:
            return answer_bytes(&answer, memory->properties, memory->has_properties ? sizeof memory->properties : 0);
        default: return CL_INVALID_VALUE;
    }
}
