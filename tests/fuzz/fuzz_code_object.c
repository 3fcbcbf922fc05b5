// libFuzzer: any bytes are read as a code object, or refused with one line. What is read can be printed, and written
// and read again without a change.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/code_object.h"
#include "isa/disassembler.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const char *why) {
    fprintf(stderr, "fuzz_code_object: %s: %s\n", what, why);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct code_object object, again;
    char error[512] = "";
    if (!code_object_read(data, size, &object, error, sizeof error)) {
        if (error[0] == '\0' || strchr(error, '\n') != NULL) fail("not one line", error);
        return 0;
    }
    char *text = disassemble(&object);
    if (text == NULL) fail("no disassembly", "");
    free(text);
    void *elf = NULL;
    size_t elf_size = 0;
    if (!code_object_write(&object, &elf, &elf_size, error, sizeof error)) fail("read, but cannot be written", error);
    if (!code_object_read(elf, elf_size, &again, error, sizeof error)) fail("written, but cannot be read", error);
    if (again.text_words != object.text_words ||
        (object.text_words != 0 && memcmp(again.text, object.text, 8 * object.text_words) != 0) ||
        again.kernel_count != object.kernel_count || again.rodata_size != object.rodata_size)
        fail("written and read again", "it is another code object");
    for (size_t k = 0; k < object.kernel_count; k++) {
        if (strcmp(again.kernels[k].name, object.kernels[k].name) != 0 ||
            again.kernels[k].argument_count != object.kernels[k].argument_count)
            fail("written and read again, another kernel", object.kernels[k].name);
    }
    free(elf);
    code_object_free(&again);
    code_object_free(&object);
    return 0;
}
