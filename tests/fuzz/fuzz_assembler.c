// libFuzzer: any bytes are assembled, or refused with one line that names file and line. What is assembled, written as
// text by the disassembler and assembled again, is the same code.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/assembler.h"
#include "isa/disassembler.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const char *text) {
    fprintf(stderr, "fuzz_assembler: %s\n%s\n", what, text);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct code_object object, again;
    char error[512] = "";
    if (!assemble((const char *)data, size, "fuzz", &object, error, sizeof error)) {
        if (strncmp(error, "fuzz:", 5) != 0 || strchr(error, '\n') != NULL) fail("not one line with its place", error);
        return 0;
    }
    char *text = disassemble(&object);
    if (text == NULL) fail("no disassembly", "");
    // A comment stands for what cannot be said in assembly; then there is no way back.
    if (strstr(text, "overlap") == NULL) {
        if (!assemble(text, strlen(text), "fuzz", &again, error, sizeof error)) fail(error, text);
        if (again.text_words != object.text_words ||
            (object.text_words != 0 && memcmp(again.text, object.text, 8 * object.text_words) != 0) ||
            again.kernel_count != object.kernel_count)
            fail("assembled again it is another code object", text);
        code_object_free(&again);
    }
    free(text);
    code_object_free(&object);
    return 0;
}
