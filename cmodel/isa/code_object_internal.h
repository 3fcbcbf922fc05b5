// What the parts of the code object share: the limits, the checks, and the text of .tandem.kernels.
#ifndef TANDEM_ISA_CODE_OBJECT_INTERNAL_H
#define TANDEM_ISA_CODE_OBJECT_INTERNAL_H

#include "code_object.h"

#define MAX_FILE_BYTES (256u << 20)
#define MAX_TEXT_WORDS (1u << 22)  // a program counter has 22 bits
#define MAX_RODATA_BYTES 65536u
#define MAX_DATA_BYTES (16u << 20)
#define MAX_CONSTANT_BYTES 65536u
#define MAX_KERNELS 4096u
#define MAX_ARGUMENTS 1024u  // of a kernel
#define MAX_SYMBOLS 65536u
#define MAX_WAVEFRONT 64u
#define MAX_FORMATS 65536u
#define MAX_FORMAT_BYTES (1u << 20)  // of .tandem.printf
#define MAX_AGAIN_BYTES (64u << 20)

struct message {
    char *text;
    size_t size;
};
// Writes one line into the message; returns false, so that a check can `return refuse(...)`.
bool refuse(struct message message, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Checks everything that must hold in a code object, wherever it comes from.
bool code_object_check(const struct code_object *object, struct message message);

// The text of .tandem.kernels: reading appends to object->kernels; text need not end with 0. Writing returns malloc'ed
// text, or NULL when memory is short.
bool kernels_parse(const char *text, size_t size, struct code_object *object, struct message message);
char *kernels_print(const struct code_object *object, size_t *size);

// code_object_formats.c: the bytes of .tandem.printf, in the same manner. formats_add copies both texts; false: memory
// is short.
bool formats_parse(const char *bytes, size_t size, struct code_object *object, struct message message);
char *formats_print(const struct code_object *object, size_t *size);
bool formats_check(const struct code_object *object, struct message message);
bool formats_add(struct code_object *object, const char *types, const char *text);
void formats_free(struct code_object *object);

#endif
