// Checkpoints: a device in a file. A head that says what it is, the state of the units as base/image.h has it, CRC-32 of
// both.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/image.h"
#include "model/model_internal.h"
#include "trace/trace_binary.h"

// Of the structs that the file holds; the Makefile takes it from the headers.
#ifndef CHECKPOINT_LAYOUT
#define CHECKPOINT_LAYOUT 0u
#endif

#define MAGIC "TANDEMCP"
#define VERSION 1u
#define HEAD_BYTES 96u
enum {
    VERSION_AT = 8,
    LAYOUT_AT = 12,
    TABLE_AT = 16,    // of the events
    POINTER_AT = 20,  // size of a pointer and order of bytes of the machine
    MEMORY_AT = 24,
    SEED_AT = 32,
    STEPS_AT = 40,
    CONFIG_AT = 48,
    SIZE_AT = 64,  // of the state
    STATE_CRC_AT = 72,
    FOLLOWING_AT = 76,
    HEAD_CRC_AT = 92
};
#define STATE_MOST ((uint64_t)6 << 30)

tandem_model_status tandem_model_save(tandem_model *model, const char *path) {
    uint8_t head[HEAD_BYTES] = MAGIC;
    struct image image = {0};
    if (model->checker != NULL && tandem_checker_failed(model->checker) != NULL) return TANDEM_MODEL_DIFFERS;
    ppu_image(model->ppu, &image);
    if (image.failed) {
        free(image.bytes);
        return model_refuse(model, TANDEM_MODEL_NO_MEMORY, "out of memory");
    }
    put_u32(head + VERSION_AT, VERSION);
    put_u32(head + LAYOUT_AT, CHECKPOINT_LAYOUT);
    put_u32(head + TABLE_AT, TRACE_FINGERPRINT);
    put_u32(head + POINTER_AT, image_machine());
    put_u64(head + MEMORY_AT, ppu_mem_size(model->ppu));
    put_u64(head + SEED_AT, model->seed);
    put_u64(head + STEPS_AT, model->steps);
    (void)snprintf((char *)head + CONFIG_AT, SIZE_AT - CONFIG_AT, "%s", ppu_get_config(model->ppu)->name);
    put_u64(head + SIZE_AT, image.size);
    put_u32(head + STATE_CRC_AT, checksum(0, image.bytes, image.size));
    put_u32(head + FOLLOWING_AT, model->checker != NULL || model->has_followed ? 1 : 0);
    put_u32(head + HEAD_CRC_AT, checksum(0, head, HEAD_CRC_AT));
    FILE *file = fopen(path, "wb");
    tandem_model_status status = TANDEM_MODEL_OK;
    if (file == NULL || fwrite(head, 1, sizeof head, file) != sizeof head ||
        fwrite(image.bytes, 1, image.size, file) != image.size)
        status = model_refuse(model, TANDEM_MODEL_FILE, "%.400s: %s", path, strerror(errno));
    if (file != NULL && fclose(file) != 0 && status == TANDEM_MODEL_OK)
        status = model_refuse(model, TANDEM_MODEL_FILE, "%.400s: %s", path, strerror(errno));
    free(image.bytes);
    return status;
}

// One line of what is wrong with the head of the file, or NULL.
static const char *head_wrong(FILE *file, uint8_t head[HEAD_BYTES]) {
    const size_t there = fread(head, 1, HEAD_BYTES, file);
    if (ferror(file) != 0) return strerror(errno);
    if (there < 8 || memcmp(head, MAGIC, 8) != 0) return "it is no checkpoint";
    if (there < HEAD_BYTES) return "it ends within its head";
    if (get_u32(head + VERSION_AT) != VERSION) return "it is of another version";
    if (checksum(0, head, HEAD_CRC_AT) != get_u32(head + HEAD_CRC_AT)) return "its head is damaged";
    if (get_u32(head + LAYOUT_AT) != CHECKPOINT_LAYOUT || get_u32(head + TABLE_AT) != TRACE_FINGERPRINT)
        return "it is of another release of the model";
    if (get_u32(head + POINTER_AT) != image_machine()) return "it is of another kind of machine";
    if (get_u64(head + SIZE_AT) > STATE_MOST) return "its state is larger than one can be";
    return NULL;
}

// The state behind the head; NULL with one line in *wrong.
static uint8_t *read_state(FILE *file, const uint8_t *head, const char **wrong) {
    const size_t size = (size_t)get_u64(head + SIZE_AT);
    // A head may ask for more than there is: that is found before the memory is taken.
    const long at = ftell(file);
    if (at < 0 || fseek(file, 0, SEEK_END) != 0) {
        *wrong = strerror(errno);
        return NULL;
    }
    const long end = ftell(file);
    if (end < at || (uint64_t)(end - at) != size || fseek(file, at, SEEK_SET) != 0) {
        *wrong = end >= at && (uint64_t)(end - at) > size ? "something stands behind its end" : "it is cut off";
        return NULL;
    }
    uint8_t *bytes = malloc(size != 0 ? size : 1);
    *wrong = bytes == NULL ? "out of memory" : NULL;
    if (bytes != NULL && fread(bytes, 1, size, file) != size) *wrong = "it cannot be read whole";
    if (*wrong == NULL && checksum(0, bytes, size) != get_u32(head + STATE_CRC_AT)) *wrong = "its state is damaged";
    if (*wrong == NULL) return bytes;
    free(bytes);
    return NULL;
}

static tandem_model_status restore(FILE *file, const tandem_model_memory *memory, tandem_model **model,
                                   const char **wrong) {
    uint8_t head[HEAD_BYTES] = {0};
    char config[SIZE_AT - CONFIG_AT];
    *wrong = head_wrong(file, head);
    uint8_t *state = *wrong == NULL ? read_state(file, head, wrong) : NULL;
    if (state == NULL) return TANDEM_MODEL_FILE;
    memcpy(config, head + CONFIG_AT, sizeof config);
    config[sizeof config - 1] = '\0';
    const tandem_model_options options = {.size = sizeof options,
                                          .config = config,
                                          .memory_bytes = get_u64(head + MEMORY_AT),
                                          .seed = get_u64(head + SEED_AT),
                                          .memory = memory};
    tandem_model_status status = tandem_model_create(&options, model, NULL, 0);
    if (status == TANDEM_MODEL_INVALID) *wrong = "its configuration, its memory or the memory given cannot be";
    if (status == TANDEM_MODEL_NO_MEMORY) *wrong = "out of memory";
    if (status == TANDEM_MODEL_OK) {
        struct image image = {.loading = true, .bytes = state, .size = (size_t)get_u64(head + SIZE_AT)};
        ppu_image((*model)->ppu, &image);
        (*model)->steps = get_u64(head + STEPS_AT);
        (*model)->has_followed = get_u32(head + FOLLOWING_AT) != 0;
        if (image.failed || image.at != image.size) {
            *wrong = "its state cannot be";
            status = TANDEM_MODEL_FILE;
            tandem_model_destroy(*model);
            *model = NULL;
        }
    }
    free(state);
    return status;
}

tandem_model_status tandem_model_load(const char *path, const tandem_model_memory *memory, tandem_model **model,
                                      char *message, size_t message_size) {
    const char *wrong = NULL;
    if (message != NULL && message_size != 0) message[0] = '\0';
    if (model == NULL || path == NULL) return TANDEM_MODEL_INVALID;
    *model = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) wrong = strerror(errno);
    const tandem_model_status status = file != NULL ? restore(file, memory, model, &wrong) : TANDEM_MODEL_FILE;
    if (file != NULL) (void)fclose(file);
    if (wrong != NULL && message != NULL) (void)snprintf(message, message_size, "%s: %s", path, wrong);
    return status;
}
