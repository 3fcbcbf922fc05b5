// Binaries: a head that says what follows and which version of Tandem has made it, then the code. A code object as
// `tandem cc` writes it is taken too.
#include <stdlib.h>
#include <string.h>

#include "opencl/hash.h"
#include "opencl/program.h"

#define MAGIC "TandemCL"
#define FORMAT 1u
// Said in the Makefile, which gives it here.
#ifndef TANDEM_VERSION
#define TANDEM_VERSION "without version"
#endif

struct head {
    char magic[8];
    uint32_t format, type;  // type: cl_program_binary_type
    char version[16];
    uint64_t size, hash;  // of the code
};

static struct head make_head(const void *code, size_t size, cl_program_binary_type type) {
    struct head head = {.format = FORMAT, .type = type, .version = TANDEM_VERSION};
    memcpy(head.magic, MAGIC, sizeof head.magic);
    head.size = size;
    head.hash = hash_bytes(HASH_START, code, size);
    return head;
}

size_t binary_size(const struct program_build *build) {
    return build->code != NULL ? sizeof(struct head) + build->size : 0;
}

void binary_write(const struct program_build *build, void *to) {
    if (build->code == NULL) return;
    const struct head head = make_head(build->code, build->size, build->type);
    memcpy(to, &head, sizeof head);
    memcpy((char *)to + sizeof head, build->code, build->size);
}

static bool type_known(uint32_t type) {
    return type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE || type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
           type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
}

bool binary_read(const void *from, size_t size, cl_program_binary_type *type, void **code, size_t *code_size) {
    const char *start = from;
    struct head head;
    *code = NULL;
    *type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    *code_size = size;
    if (size >= 4 && memcmp(start,
                            "\x7F"
                            "ELF",
                            4) != 0) {
        if (size < sizeof head) return false;
        memcpy(&head, from, sizeof head);
        start += sizeof head;
        *code_size = size - sizeof head;
        const struct head wanted = make_head(start, *code_size, head.type);
        if (memcmp(&head, &wanted, sizeof head) != 0 || !type_known(head.type)) return false;
        *type = head.type;
    }
    if (*type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
        struct code_object object;
        char error[256];
        if (!code_object_read(start, *code_size, &object, error, sizeof error)) return false;
        code_object_free(&object);
    }
    *code = *code_size > 0 ? malloc(*code_size) : NULL;
    if (*code == NULL) return false;
    memcpy(*code, start, *code_size);
    return true;
}
