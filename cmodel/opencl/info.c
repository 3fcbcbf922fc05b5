// Answers of the clGet*Info functions: size, room, copy.
#include "opencl/info.h"

#include <string.h>

cl_int answer_bytes(const struct answer *answer, const void *bytes, size_t size) {
    if (answer->value != NULL && answer->size < size) return CL_INVALID_VALUE;
    if (answer->value != NULL && size > 0) memcpy(answer->value, bytes, size);
    if (answer->size_ret != NULL) *answer->size_ret = size;
    return CL_SUCCESS;
}

cl_int answer_text(const struct answer *answer, const char *text) {
    return answer_bytes(answer, text, strlen(text) + 1);
}

cl_int answer_uint(const struct answer *answer, cl_uint value) {
    return answer_bytes(answer, &value, sizeof value);
}

cl_int answer_ulong(const struct answer *answer, cl_ulong value) {
    return answer_bytes(answer, &value, sizeof value);
}

cl_int answer_size(const struct answer *answer, size_t value) {
    return answer_bytes(answer, &value, sizeof value);
}

cl_int answer_bool(const struct answer *answer, bool value) {
    return answer_uint(answer, value ? CL_TRUE : CL_FALSE);
}

cl_int answer_pointer(const struct answer *answer, const void *value) {
    return answer_bytes(answer, &value, sizeof(void *));
}
