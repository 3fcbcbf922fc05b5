// A run that can be gone over again from its last checkpoint: a file with the device's name, its whole state, and what the CPU has done to it
// since, with what came of each. Time stands still between two calls of a backend, so the same calls on the same state are the same run.
#ifndef TANDEM_BACKEND_RECORDING_H
#define TANDEM_BACKEND_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Calls of struct backend_ops.
enum recorded_call {
    RECORDED_REG_READ = 1,  // a: offset; result: value
    RECORDED_REG_WRITE,     // a: offset, b: value
    RECORDED_MEM_READ,      // a: address, b: bytes; result: CRC-32 of them, RECORDED_DONE
    RECORDED_MEM_WRITE,     // a: address, b: bytes, which follow; result: RECORDED_DONE
    RECORDED_MEM_CLEAR,     // a: address, b: bytes; result: RECORDED_DONE
    RECORDED_BUS_ERRORS,    // a: base, b: size
    RECORDED_WRITE_ERRORS,  // the same, of writes only
    RECORDED_RUN,           // a: cycles; result: those done
    RECORDED_CLOSE,
    RECORDED_CALLS,
};
#define RECORDED_DONE (UINT64_C(1) << 32)

struct recorded {
    enum recorded_call call;
    bool ended;  // its result is there; else the program ended in it
    uint64_t a, b, result;
    const uint8_t *bytes;  // of MEM_WRITE; the reader's, until its next call
};

#define RECORDING_NAME 512u

// ---- writing
struct recording_writer {
    char path[256], device[RECORDING_NAME];
    void *file;    // FILE; NULL: it could not be written
    uint32_t crc;  // of the call that is under way
};

// A new file with this state and no calls takes the place of the one before, which stands until it is whole. False with one line in why.
bool recording_begin(struct recording_writer *writer, uint64_t cycle, const uint8_t *state, size_t size, char *why,
                     size_t why_size);
// A call, before it is done, so that it is in the file if it does not return, and what came of it.
void recording_call(struct recording_writer *writer, enum recorded_call call, uint64_t a, uint64_t b,
                    const void *bytes);
void recording_result(struct recording_writer *writer, uint64_t result);
// False: not all of it could be written.
bool recording_end(struct recording_writer *writer);

// ---- reading
struct recording_reader {
    char device[RECORDING_NAME];
    uint64_t cycle;  // of the checkpoint
    uint8_t *state;
    size_t state_size;
    void *file;
    uint8_t *bytes;
    size_t room;
};

// False with one line in why: no such file, another release, damaged. A file whose last call was cut off is good.
bool recording_open(struct recording_reader *reader, const char *path, char *why, size_t why_size);
// 1: a call; 0: there is none any more; -1: the file is damaged, or the host has no memory, one line in why.
int recording_next(struct recording_reader *reader, struct recorded *call, char *why, size_t why_size);
void recording_close(struct recording_reader *reader);

#endif
