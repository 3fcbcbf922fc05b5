// Pipes: memory of the context that kernels write packets to and read them from (compiler/library/pipes.cl). The host
// makes them and asks of them, nothing else.
#include <stdlib.h>

#include "compiler/library/pipe.h"
#include "opencl/info.h"
#include "opencl/memory.h"
#include "opencl/pipe.h"

#define PACKETS_ALIGNMENT 128u

// Head, places and packets; 0: they are no 32-bit number.
static size_t bytes_of(cl_uint packet_bytes, cl_uint places, size_t *first) {
    const uint64_t words = PIPE_HEAD_WORDS + (uint64_t)PIPE_PLACE_WORDS * places;
    const uint64_t start = (4 * words + PACKETS_ALIGNMENT - 1) / PACKETS_ALIGNMENT * PACKETS_ALIGNMENT;
    const uint64_t end = start + (uint64_t)packet_bytes * places;
    *first = (size_t)start;
    return end <= UINT32_MAX ? (size_t)end : 0;
}

static cl_int fill(cl_mem memory, cl_uint places, size_t first) {
    cl_uint *words = calloc(1, first);
    if (words == NULL) return CL_OUT_OF_HOST_MEMORY;
    words[PIPE_PACKET_BYTES] = memory->pipe->packet_bytes;
    words[PIPE_PACKETS] = memory->pipe->packets;
    words[PIPE_PLACES] = places;
    words[PIPE_FIRST] = (cl_uint)first;
    cl_int error = memory_allocate(memory, NULL);
    for (cl_uint k = 0; k < memory->context->count && error == CL_SUCCESS; k++)
        error = buffer_write(memory, &memory->context->places[k], 0, words, first);
    free(words);
    return error;
}

static cl_mem new_pipe(cl_context context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint packets, cl_int *error) {
    cl_uint places = 1;
    size_t first = 0;
    while (places < packets && places < PIPE_PLACES_MAX)
        places *= 2;
    const size_t size = places < packets ? 0 : bytes_of(packet_bytes, places, &first);
    *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (!memory_size_good(context, size)) return NULL;
    cl_mem memory = memory_new(context, NULL, flags, size);
    struct pipe *pipe = calloc(1, sizeof *pipe);
    *error = CL_OUT_OF_HOST_MEMORY;
    if (memory != NULL && pipe != NULL) {
        *pipe = (struct pipe){packet_bytes, packets};
        memory->pipe = pipe;
        *error = fill(memory, places, first);
        if (*error == CL_SUCCESS) return memory;
    } else {
        free(pipe);
    }
    object_drop(memory);
    return NULL;
}

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                                cl_uint pipe_max_packets, const cl_pipe_properties *properties, cl_int *errcode_ret) {
    const cl_mem_flags allowed = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
    cl_int error = CL_SUCCESS;
    cl_mem memory = NULL;
    if (!object_lives(context, OBJECT_CONTEXT)) {
        error = CL_INVALID_CONTEXT;
    } else if ((flags & ~allowed) != 0 || properties != NULL) {
        error = CL_INVALID_VALUE;  // there are no properties
    } else if (pipe_packet_size == 0 || pipe_packet_size > PIPE_PACKET_MOST || pipe_max_packets == 0) {
        error = CL_INVALID_PIPE_SIZE;
    } else {
        memory = new_pipe(context, flags != 0 ? flags : allowed, pipe_packet_size, pipe_max_packets, &error);
    }
    set_error(errcode_ret, error);
    return memory;
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size, void *param_value,
                                 size_t *param_value_size_ret) {
    const struct answer answer = {param_value_size, param_value, param_value_size_ret};
    if (!memory_is_pipe(pipe)) return CL_INVALID_MEM_OBJECT;
    switch (param_name) {
        case CL_PIPE_PACKET_SIZE: return answer_uint(&answer, pipe->pipe->packet_bytes);
        case CL_PIPE_MAX_PACKETS: return answer_uint(&answer, pipe->pipe->packets);
        case CL_PIPE_PROPERTIES: return answer_bytes(&answer, NULL, 0);
        default: return CL_INVALID_VALUE;
    }
}
