// Answers of the clGet*Info functions.
#ifndef TANDEM_OPENCL_INFO_H
#define TANDEM_OPENCL_INFO_H

#include <stddef.h>

#include "opencl/object.h"

// Where the answer goes, as the application gave it.
struct answer {
    size_t size;  // of value
    void *value;  // NULL: not wanted
    size_t *size_ret;
};

// CL_INVALID_VALUE: there is too little room.
cl_int answer_bytes(const struct answer *answer, const void *bytes, size_t size);
cl_int answer_text(const struct answer *answer, const char *text);
// Of the types that most answers have.
cl_int answer_uint(const struct answer *answer, cl_uint value);
cl_int answer_ulong(const struct answer *answer, cl_ulong value);
cl_int answer_size(const struct answer *answer, size_t value);
cl_int answer_bool(const struct answer *answer, bool value);
cl_int answer_pointer(const struct answer *answer, const void *value);

#endif
