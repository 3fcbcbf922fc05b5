// The file of a recorded run: a head with the device's name, its state, calls. Numbers are little-endian. Head, state and
// each part of a call have a CRC-32: what is called, the bytes that it writes, and, once it is done, its result.
#include "backend/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/image.h"
#include "trace/trace_binary.h"

// Of what the state holds; the Makefile takes it from the sources.
#ifndef RECORDING_LAYOUT
#define RECORDING_LAYOUT 0u
#endif

#define MAGIC "TANDEMRN"
#define VERSION 1u
#define HEAD_BYTES (48u + RECORDING_NAME)
enum { VERSION_AT = 8, LAYOUT_AT = 12, POINTER_AT = 16, STATE_CRC_AT = 20, CYCLE_AT = 24, SIZE_AT = 32, NAME_AT = 40 };
#define HEAD_CRC_AT (HEAD_BYTES - 4)
#define CALL_BYTES 24u    // call, a, b, CRC
#define RESULT_BYTES 12u  // result, CRC
#define STATE_MOST ((uint64_t)12 << 30)

// ---- writing
static bool write_head(FILE *file, const struct recording_writer *writer, uint64_t cycle, const uint8_t *state,
                       size_t size) {
    uint8_t head[HEAD_BYTES] = MAGIC;
    put_u32(head + VERSION_AT, VERSION);
    put_u32(head + LAYOUT_AT, RECORDING_LAYOUT);
    put_u32(head + POINTER_AT, image_machine());
    put_u32(head + STATE_CRC_AT, checksum(0, state, size));
    put_u64(head + CYCLE_AT, cycle);
    put_u64(head + SIZE_AT, size);
    (void)snprintf((char *)head + NAME_AT, RECORDING_NAME, "%s", writer->device);
    put_u32(head + HEAD_CRC_AT, checksum(0, head, HEAD_CRC_AT));
    return fwrite(head, 1, sizeof head, file) == sizeof head && fwrite(state, 1, size, file) == size &&
           fflush(file) == 0;
}

bool recording_begin(struct recording_writer *writer, uint64_t cycle, const uint8_t *state, size_t size, char *why,
                     size_t why_size) {
    char path[sizeof writer->path + 8];
    (void)snprintf(path, sizeof path, "%s.new", writer->path);
    FILE *file = fopen(path, "wb");
    const bool good = file != NULL && write_head(file, writer, cycle, state, size) && rename(path, writer->path) == 0;
    if (!good) {
        (void)snprintf(why, why_size, "%s: %s", path, strerror(errno));
        if (file != NULL) {
            (void)fclose(file);
            (void)remove(path);
        }
        return false;
    }
    if (writer->file != NULL) (void)fclose(writer->file);
    writer->file = file;
    return true;
}

// What cannot be written ends the file: from then on nothing is.
static void put(struct recording_writer *writer, const void *bytes, size_t size) {
    if (writer->file == NULL || fwrite(bytes, 1, size, writer->file) == size) return;
    (void)fclose(writer->file);
    writer->file = NULL;
}

void recording_call(struct recording_writer *writer, enum recorded_call call, uint64_t a, uint64_t b,
                    const void *bytes) {
    uint8_t record[CALL_BYTES];
    put_u32(record, (uint32_t)call);
    put_u64(record + 4, a);
    put_u64(record + 12, b);
    writer->crc = checksum(0, record, CALL_BYTES - 4);
    put_u32(record + CALL_BYTES - 4, writer->crc);
    put(writer, record, sizeof record);
    if (call == RECORDED_MEM_WRITE) {
        uint8_t crc[4];
        writer->crc = checksum(writer->crc, bytes, (size_t)b);
        put_u32(crc, writer->crc);
        put(writer, bytes, (size_t)b);
        put(writer, crc, sizeof crc);
    }
    if (writer->file != NULL) (void)fflush(writer->file);
}

void recording_result(struct recording_writer *writer, uint64_t result) {
    uint8_t record[RESULT_BYTES];
    put_u64(record, result);
    put_u32(record + RESULT_BYTES - 4, checksum(writer->crc, record, RESULT_BYTES - 4));
    put(writer, record, sizeof record);
}

bool recording_end(struct recording_writer *writer) {
    const bool good = writer->file != NULL && fclose(writer->file) == 0;
    writer->file = NULL;
    return good;
}

// ---- reading
static const char *head_wrong(FILE *file, uint8_t head[HEAD_BYTES]) {
    const size_t there = fread(head, 1, HEAD_BYTES, file);
    if (ferror(file) != 0) return strerror(errno);
    if (there < 8 || memcmp(head, MAGIC, 8) != 0) return "it is no recorded run";
    if (there < HEAD_BYTES) return "it ends within its head";
    if (get_u32(head + VERSION_AT) != VERSION) return "it is of another version";
    if (checksum(0, head, HEAD_CRC_AT) != get_u32(head + HEAD_CRC_AT)) return "its head is damaged";
    if (get_u32(head + LAYOUT_AT) != RECORDING_LAYOUT) return "it is of another release of Tandem";
    if (get_u32(head + POINTER_AT) != image_machine()) return "it is of another kind of machine";
    if (get_u64(head + SIZE_AT) > STATE_MOST) return "its state is larger than one can be";
    return NULL;
}

// A head may ask for more than there is: that is found before the memory is taken.
static uint64_t left_in(FILE *file) {
    const long at = ftell(file);
    if (at < 0 || fseek(file, 0, SEEK_END) != 0) return 0;
    const long end = ftell(file);
    return fseek(file, at, SEEK_SET) != 0 || end < at ? 0 : (uint64_t)(end - at);
}

static const char *state_wrong(struct recording_reader *reader, const uint8_t *head) {
    reader->state_size = (size_t)get_u64(head + SIZE_AT);
    if (left_in(reader->file) < reader->state_size) return "it ends within its state";
    reader->state = malloc(reader->state_size != 0 ? reader->state_size : 1);
    if (reader->state == NULL) return "the host has no memory for its state";
    if (fread(reader->state, 1, reader->state_size, reader->file) != reader->state_size)
        return "its state cannot be read";
    return checksum(0, reader->state, reader->state_size) != get_u32(head + STATE_CRC_AT) ? "its state is damaged"
                                                                                          : NULL;
}

bool recording_open(struct recording_reader *reader, const char *path, char *why, size_t why_size) {
    uint8_t head[HEAD_BYTES] = {0};
    *reader = (struct recording_reader){.file = fopen(path, "rb")};
    const char *wrong = reader->file == NULL ? strerror(errno) : head_wrong(reader->file, head);
    if (wrong == NULL) wrong = state_wrong(reader, head);
    if (wrong != NULL) {
        (void)snprintf(why, why_size, "%s: %s", path, wrong);
        recording_close(reader);
        return false;
    }
    reader->cycle = get_u64(head + CYCLE_AT);
    memcpy(reader->device, head + NAME_AT, sizeof reader->device);
    reader->device[sizeof reader->device - 1] = '\0';
    return true;
}

static int damaged(char *why, size_t why_size) {
    (void)snprintf(why, why_size, "it is damaged");
    return -1;
}

// The bytes of a MEM_WRITE, and their CRC behind that of the call. 1: they are there.
static int read_bytes(struct recording_reader *reader, struct recorded *call, uint32_t *crc, char *why,
                      size_t why_size) {
    uint8_t sum[4];
    if (call->b + sizeof sum > left_in(reader->file)) return 0;
    if (call->b > reader->room) {
        uint8_t *bytes = realloc(reader->bytes, (size_t)call->b);
        if (bytes == NULL) {
            (void)snprintf(why, why_size, "the host has no memory for a write of %llu bytes",
                           (unsigned long long)call->b);
            return -1;
        }
        reader->bytes = bytes;
        reader->room = (size_t)call->b;
    }
    call->bytes = reader->bytes;
    if (fread(reader->bytes, 1, (size_t)call->b, reader->file) != call->b ||
        fread(sum, 1, sizeof sum, reader->file) != sizeof sum)
        return 0;
    *crc = checksum(*crc, call->bytes, (size_t)call->b);
    return *crc == get_u32(sum) ? 1 : damaged(why, why_size);
}

int recording_next(struct recording_reader *reader, struct recorded *call, char *why, size_t why_size) {
    uint8_t record[CALL_BYTES], result[RESULT_BYTES];
    if (fread(record, 1, sizeof record, reader->file) != sizeof record) return 0;
    *call = (struct recorded){
        .call = (enum recorded_call)get_u32(record), .a = get_u64(record + 4), .b = get_u64(record + 12)};
    uint32_t crc = checksum(0, record, CALL_BYTES - 4);
    if (crc != get_u32(record + CALL_BYTES - 4) || get_u32(record) - 1 >= RECORDED_CALLS - 1)
        return damaged(why, why_size);
    if (call->call == RECORDED_MEM_WRITE) {
        const int there = read_bytes(reader, call, &crc, why, why_size);
        if (there != 1) return there;
    }
    call->ended = fread(result, 1, sizeof result, reader->file) == sizeof result;
    if (call->ended && checksum(crc, result, RESULT_BYTES - 4) != get_u32(result + RESULT_BYTES - 4))
        return damaged(why, why_size);
    call->result = call->ended ? get_u64(result) : 0;
    return 1;
}

void recording_close(struct recording_reader *reader) {
    if (reader->file != NULL) (void)fclose(reader->file);
    free(reader->state);
    free(reader->bytes);
    *reader = (struct recording_reader){0};
}
