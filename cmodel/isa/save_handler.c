#include "save_handler.h"

#include <stdlib.h>
#include <string.h>

#include "assembler.h"
#include "gen/save_handler.h"
#include "gen/save_handler_text.h"

#define TOKEN_BYTES 16u

uint64_t *save_handler_make(size_t *count) {
    struct code_object object;
    char error[256];
    *count = 0;
    if (!assemble(save_handler, sizeof save_handler - 1, "save_handler.s", &object, error, sizeof error)) return NULL;
    uint64_t *words = object.text;
    *count = object.text_words;
    object.text = NULL;
    code_object_free(&object);
    return words;
}

size_t save_handler_words(const struct code_object *object) {
    size_t count;
    uint64_t *words = save_handler_make(&count);
    const bool same =
        words != NULL && object->text_words >= count && memcmp(words, object->text, count * sizeof *words) == 0;
    free(words);
    return same ? count : 0;
}

uint32_t save_registers(uint32_t needed) {
    if (needed < SAVE_LEAST_REGISTERS) needed = SAVE_LEAST_REGISTERS;
    return (needed + SAVE_REGISTER_STEP - 1) / SAVE_REGISTER_STEP * SAVE_REGISTER_STEP;
}

uint64_t save_record_bytes(uint32_t warps, uint32_t threads, uint32_t registers, uint32_t local, uint32_t tokens,
                           uint32_t shared) {
    const uint64_t thread = SAVE_REGISTERS + (4u * registers + 15u) / 16u * 16u + local - SAVE_OWN_BYTES;
    const uint64_t warp = SAVE_WARP_BYTES + (uint64_t)tokens * TOKEN_BYTES + threads * thread;
    return SAVE_SHARED + (shared + 15u) / 16u * 16u + warps * warp;
}
