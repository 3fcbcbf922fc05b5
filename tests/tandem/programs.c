#include "programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"
#include "kernels.h"

#define DEADLINE 3000000u

// What a program has open; all of it goes at the end.
struct bench {
    struct tandem_device *device;
    struct tandem_channel *channel, *other;  // other: of the programs that need a second one
    struct tandem_module *module;
    tandem_addr in, out;
    uint32_t value;  // the kernels' third argument
    char *why;
    size_t why_size;
};
#define IN_BYTES 4096u
#define OUT_BYTES 32768u

#define TRY(call)                                                      \
    do {                                                               \
        enum tandem_status try_status = (call);                        \
        if (try_status != TANDEM_OK) return failed(bench, try_status); \
    } while (0)

static enum tandem_status failed(struct bench *bench, enum tandem_status status) {
    if (bench->why[0] == '\0') {
        snprintf(bench->why, bench->why_size, "%s: %s", tandem_status_name(status), tandem_message(bench->device));
    }
    return status;
}

static enum tandem_status wrong(struct bench *bench, const char *what, size_t index, uint32_t got, uint32_t expected) {
    snprintf(bench->why, bench->why_size, "%s[%zu] is 0x%x, expected 0x%x", what, index, got, expected);
    return TANDEM_BAD_CODE;
}

static enum tandem_status close_other(struct bench *bench) {
    enum tandem_status status = tandem_channel_close(bench->other);
    bench->other = NULL;
    return status;
}

static enum tandem_status launch(struct bench *bench, struct tandem_channel *channel, const char *kernel,
                                 uint32_t global, uint32_t local) {
    struct tandem_range range = {.dimensions = 1, .global = {global, 1, 1}, .local = {local, 1, 1}};
    struct tandem_argument arguments[] = {{&bench->in, 4}, {&bench->out, 4}, {&bench->value, 4}};
    return tandem_launch(channel, bench->module, kernel, &range, arguments, 3);
}

static enum tandem_status run_kernel(struct bench *bench, const char *kernel, uint32_t global, uint32_t local) {
    TRY(launch(bench, bench->channel, kernel, global, local));
    TRY(tandem_finish(bench->channel, DEADLINE));
    return TANDEM_OK;
}

static enum tandem_status arithmetic(struct bench *bench) {
    uint32_t in[128];
    uint32_t x = 0x2545F491u;
    for (size_t i = 0; i < 128; i++) {
        x = x * 1664525u + 1013904223u;
        in[i] = i < 16 ? (i % 3 == 0 ? 0x80000000u : i % 3 == 1 ? 0xFFFFFFFFu : (uint32_t)i) : x;
    }
    TRY(tandem_write(bench->device, bench->in, in, sizeof in));
    TRY(run_kernel(bench, "arithmetic", 64, 32));
    uint32_t out[64][32];
    TRY(tandem_read(bench->device, bench->out, out, sizeof out));
    for (size_t i = 0; i < 64; i++) {
        uint32_t a = in[2 * i], b = in[2 * i + 1];
        uint32_t expected[] = {a + b,
                               a - b,
                               a * b,
                               (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32),
                               (uint32_t)((uint64_t)a * b >> 32),
                               a & b,
                               a | b,
                               a ^ b,
                               a << (b & 31),
                               a >> (b & 31)};
        for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
            if (out[i][k] != expected[k]) return wrong(bench, "arithmetic", 32 * i + k, out[i][k], expected[k]);
        }
    }
    return TANDEM_OK;
}

static enum tandem_status loop(struct bench *bench) {
    TRY(run_kernel(bench, "loop", 80, 40));
    uint32_t out[80];
    TRY(tandem_read(bench->device, bench->out, out, sizeof out));
    for (uint32_t i = 0; i < 80; i++) {
        if (out[i] != (i & 7)) return wrong(bench, "loop", i, out[i], i & 7);
    }
    return TANDEM_OK;
}

static enum tandem_status branches(struct bench *bench) {
    uint32_t out[64];
    memset(out, 0xEE, sizeof out);
    TRY(tandem_write(bench->device, bench->out, out, sizeof out));
    TRY(run_kernel(bench, "branches", 64, 32));
    TRY(tandem_read(bench->device, bench->out, out, sizeof out));
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t limit = i & 15, expected = 0;
        for (uint32_t n = 0; n != 6 && n != limit; n++) {
            if ((n & 2) == 0) expected += 10;
        }
        if (limit >= 5) expected += 1000;
        if (limit != 9) expected += 100000;
        if (limit == 11) expected = 0xEEEEEEEEu;
        if (out[i] != expected) return wrong(bench, "branches", i, out[i], expected);
    }
    return TANDEM_OK;
}

static enum tandem_status lock(struct bench *bench) {
    uint32_t words[2] = {0, 0};
    TRY(tandem_write(bench->device, bench->out, words, sizeof words));
    TRY(run_kernel(bench, "lock", 48, 16));
    TRY(tandem_read(bench->device, bench->out, words, sizeof words));
    if (words[0] != 0) return wrong(bench, "lock", 0, words[0], 0);
    if (words[1] != 48) return wrong(bench, "lock", 1, words[1], 48);
    return TANDEM_OK;
}

static enum tandem_status atomics(struct bench *bench) {
    uint32_t zeros[60] = {0}, words[60];
    TRY(tandem_write(bench->device, bench->in, zeros, sizeof zeros));
    TRY(run_kernel(bench, "atomics", 64, 32));
    TRY(tandem_read(bench->device, bench->in, words, sizeof words));
    uint32_t sum[4] = {0};
    for (uint32_t i = 0; i < 64; i++)
        sum[i & 3] += i * 0x9E3779B1u;
    for (size_t k = 0; k < 4; k++) {
        if (words[k] != sum[k]) return wrong(bench, "atomics, sums", k, words[k], sum[k]);
        if (words[52 + k] != 16) return wrong(bench, "atomics, threads", k, words[52 + k], 16);
    }
    return TANDEM_OK;
}

static enum tandem_status sizes(struct bench *bench) {
    uint8_t in[2048];
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(i * 37 + (i >> 8));
    TRY(tandem_write(bench->device, bench->in, in, sizeof in));
    TRY(run_kernel(bench, "sizes", 64, 32));
    uint8_t out[64][64];
    TRY(tandem_read(bench->device, bench->out, out, sizeof out));
    for (size_t i = 0; i < 64; i++) {
        int16_t byte = (int8_t)in[i + 2];
        uint32_t words[2] = {in[i + 1], (uint32_t)(int32_t)byte};
        if (memcmp(out[i], words, 8) != 0) return wrong(bench, "sizes", i, out[i][0], in[i + 1]);
        if (memcmp(out[i] + 16, in + 16 * i + 8, 8) != 0)
            return wrong(bench, "sizes, 128", i, out[i][16], in[16 * i + 8]);
    }
    return TANDEM_OK;
}

static enum tandem_status contention(struct bench *bench) {
    uint32_t words[32];
    TRY(run_kernel(bench, "contention", 64, 8));
    TRY(tandem_read(bench->device, bench->in, words, sizeof words));
    for (size_t i = 0; i < 32; i++) {
        if (words[i] != 23) return wrong(bench, "contention", i, words[i], 23);
    }
    uint32_t written[64], read[64];
    TRY(tandem_read(bench->device, bench->out + 4096, written, sizeof written));
    TRY(tandem_read(bench->device, bench->out + 8192, read, sizeof read));
    for (size_t i = 0; i < 64; i++) {
        if (i % 8 == 0 && written[i] != bench->in) return wrong(bench, "contention, written", i, written[i], bench->in);
        if (read[i] != written[i]) return wrong(bench, "contention, read", i, read[i], written[i]);
    }
    return TANDEM_OK;
}

static enum tandem_status barrier(struct bench *bench) {
    struct tandem_info info;
    tandem_get_info(bench->device, &info);
    uint32_t local = 2 * info.threads;
    TRY(run_kernel(bench, "barrier", 2 * local, local));
    uint32_t out[256];
    TRY(tandem_read(bench->device, bench->out, out, 8u * local));
    for (uint32_t i = 0; i < 2 * local; i++) {
        uint32_t expected = 3 * (i / local * local + local - 1 - i % local);
        if (out[i] != expected) return wrong(bench, "barrier", i, out[i], expected);
    }
    return TANDEM_OK;
}

static enum tandem_status shared(struct bench *bench) {
    TRY(run_kernel(bench, "shared", 64, 32));
    uint32_t out[64][4];
    TRY(tandem_read(bench->device, bench->out, out, sizeof out));
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t expected = 3 * (i / 32 * 32 + 31 - i % 32);
        if (out[i][0] != expected) return wrong(bench, "shared, load", i, out[i][0], expected);
        if (out[i][2] != expected) return wrong(bench, "shared, atomic", i, out[i][2], expected);
        if (out[i][3] != 0) return wrong(bench, "shared, zeros", i, out[i][3], 0);
    }
    return TANDEM_OK;
}

static enum tandem_status special(struct bench *bench) {
    struct tandem_range range = {.dimensions = 3, .global = {6, 4, 6}, .local = {3, 2, 3}};
    struct tandem_argument arguments[] = {{&bench->in, 4}, {&bench->out, 4}, {&bench->value, 4}};
    TRY(tandem_launch(bench->channel, bench->module, "special", &range, arguments, 3));
    TRY(tandem_finish(bench->channel, DEADLINE));
    uint32_t out[144][2];
    TRY(tandem_read(bench->device, bench->out, out, sizeof out));
    for (uint32_t i = 0; i < 144; i++) {
        if (out[i][0] != i) return wrong(bench, "special", 2 * i, out[i][0], i);
        if (out[i][1] != i % 18 + 2) return wrong(bench, "special", 2 * i + 1, out[i][1], i % 18 + 2);
    }
    return TANDEM_OK;
}

// Two channels hand work to each other; kernels of both run at the same time.
static enum tandem_status channels(struct bench *bench) {
    TRY(tandem_channel_open(bench->device, 5, 2, &bench->other));
    struct tandem_channel *other = bench->other;
    tandem_addr gate = bench->out + 16384, back = gate + 32;
    uint32_t zero[16] = {0};
    TRY(tandem_write(bench->device, gate, zero, sizeof zero));
    TRY(tandem_semaphore_acquire(bench->channel, gate, 7));
    TRY(launch(bench, bench->channel, "atomics", 64, 16));
    TRY(tandem_semaphore_release(bench->channel, back, 9, true));
    TRY(tandem_submit(bench->channel));
    TRY(launch(bench, other, "loop", 64, 32));
    TRY(tandem_method(other, 0, 0x50, 0xABCD));  // SET_REFERENCE
    TRY(tandem_semaphore_release(other, gate, 7, true));
    TRY(tandem_submit(other));
    TRY(launch(bench, other, "loop", 64, 8));
    TRY(tandem_semaphore_acquire(other, back, 9));
    TRY(tandem_method(other, 0, 0x20, 0));  // NON_STALL_INTERRUPT
    TRY(tandem_submit(other));
    TRY(tandem_finish(other, DEADLINE));
    TRY(tandem_finish(bench->channel, DEADLINE));
    return close_other(bench);
}

static enum tandem_status semaphore(struct bench *bench, struct tandem_channel *channel, tandem_addr address,
                                    uint32_t payload, uint32_t operation) {
    TRY(tandem_method(channel, 0, 0x10, 0));
    TRY(tandem_method(channel, 0, 0x14, address));
    TRY(tandem_method(channel, 0, 0x18, payload));
    TRY(tandem_method(channel, 0, 0x1C, operation));
    return TANDEM_OK;
}

// Every operation of the semaphore unit: reductions, three ways to acquire (one below zero), releases of 4 and 16
// bytes.
static enum tandem_status semaphores(struct bench *bench) {
    enum {
        EQUAL = 1,
        RELEASE = 2,
        GEQ = 4,
        AND = 8,
        REDUCTION = 16,
        SWITCH = 1 << 12,
        NO_WFI = 1 << 20,
        SMALL = 1 << 24
    };
    TRY(tandem_channel_open(bench->device, 5, 0, &bench->other));
    struct tandem_channel *other = bench->other;
    uint32_t words[8] = {9, 0, 0, 0, 0xFFFFFFF0u, 0, 0, 0};
    TRY(tandem_write(bench->device, bench->in, words, sizeof words));
    for (uint32_t reduction = 0; reduction < 8; reduction++) {
        TRY(semaphore(bench, other, bench->in, 6, REDUCTION | reduction << 27 | NO_WFI));
        TRY(semaphore(bench, other, bench->in, 0xFFFFFFFDu, REDUCTION | reduction << 27 | NO_WFI | 1u << 31));
    }
    TRY(tandem_submit(other));
    TRY(tandem_finish(other, DEADLINE));
    // 0xFFFFFFF0 is below 2: this one waits until it is released. Then one bit of 20 is enough, and 12 is exact.
    TRY(semaphore(bench, bench->channel, bench->in + 16, 2, GEQ | SWITCH));
    TRY(semaphore(bench, bench->channel, bench->in + 16, 20, AND));
    TRY(semaphore(bench, bench->channel, bench->in + 16, 12, EQUAL));
    TRY(semaphore(bench, bench->channel, bench->in + 48, 3, RELEASE));
    TRY(tandem_submit(bench->channel));
    static const uint32_t releases[] = {3, 12, 4};
    for (size_t i = 0; i < 3; i++) {
        TRY(tandem_run(bench->device, 700));
        TRY(semaphore(bench, other, bench->in + 16, releases[i] == 4 ? 12 : releases[i], RELEASE | NO_WFI | SMALL));
        TRY(tandem_submit(other));
    }
    TRY(tandem_finish(bench->channel, DEADLINE));
    TRY(tandem_finish(other, DEADLINE));
    return close_other(bench);
}

// A ring of three entries goes round and round; command blocks as another program would write them, with every kind of
// header.
static enum tandem_status ring(struct bench *bench) {
    TRY(tandem_channel_open(bench->device, 3, 3, &bench->other));
    struct tandem_channel *channel = bench->other;
    const uint32_t semaphore_block[] = {
        0,  // NOP
        3u << 29 | 6u << 16 | 2,
        1,
        2,
        3,
        4,
        5,
        6,                                // NON_INC: six times method NOP
        4u << 29 | 77u << 16 | 0x50 / 4,  // IMMD_DATA: SET_REFERENCE 77
        1u << 29 | 1u << 16 | 0x10 / 4,
        0,  // INC: SEMAPHOREA
        5u << 29 | 3u << 16 | 0x14 / 4,
        bench->out,
        1,
        0xC0FFEE,  // ONE_INC: B, then C twice
        1u << 29 | 1u << 16 | 0x1C / 4,
        2u | 1u << 24,
        1u << 29 | 0u << 16 | 0x1C / 4,  // no words: nothing
        0xE0000000u,                     // the rest of the block is not looked at
        2u << 29,
    };
    TRY(tandem_write(bench->device, bench->in, semaphore_block, sizeof semaphore_block));
    uint32_t zero = 0, got = 0;
    for (unsigned round = 0; round < 5; round++) {
        TRY(tandem_write(bench->device, bench->out, &zero, 4));
        TRY(tandem_submit_entry(channel, bench->in, (uint32_t)(sizeof semaphore_block / 4) << 10));
        TRY(tandem_finish(channel, DEADLINE));
        TRY(tandem_run(bench->device, 2000));  // the semaphore is seen a little before its entry is finished
        TRY(tandem_submit_entry(channel, 0, 0));
        TRY(tandem_finish(channel, DEADLINE));
        TRY(tandem_run(bench->device, 2000));
    }
    TRY(tandem_read(bench->device, bench->out, &got, 4));
    if (got != 0xC0FFEE) return wrong(bench, "ring, released word", 0, got, 0xC0FFEE);
    return close_other(bench);
}

// Other code at an address that instruction caches know.
static enum tandem_status reload(struct bench *bench) {
    for (unsigned nops = 0; nops <= 9; nops += 3) {
        tandem_module_unload(bench->module);
        bench->module = NULL;
        void *elf = NULL;
        size_t size = 0;
        if (!kernels_make(nops, &elf, &size, bench->why, bench->why_size)) return TANDEM_BAD_CODE;
        enum tandem_status status = tandem_module_load(bench->device, elf, size, &bench->module);
        free(elf);
        if (status != TANDEM_OK) return failed(bench, status);
        TRY(run_kernel(bench, "nops", 32, 32));
        enum tandem_status result = loop(bench);
        if (result != TANDEM_OK) return result;
    }
    return TANDEM_OK;
}

// A kernel that faults: the channel stands, its tasks end, after a reset it works again.
static enum tandem_status fault_of(struct bench *bench, const char *kernel, uint32_t code) {
    TRY(tandem_channel_open(bench->device, 4, 0, &bench->other));
    struct tandem_channel *channel = bench->other;
    TRY(launch(bench, channel, kernel, 64, 32));
    enum tandem_status status = tandem_finish(channel, DEADLINE);
    struct tandem_fault fault = {0};
    if (status != TANDEM_CHANNEL_FAULT) return failed(bench, status == TANDEM_OK ? TANDEM_BAD_CODE : status);
    if (!tandem_channel_fault(channel, &fault) || fault.code != code) return wrong(bench, kernel, 0, fault.code, code);
    TRY(tandem_channel_reset(channel));
    TRY(launch(bench, channel, "loop", 8, 8));
    TRY(tandem_finish(channel, DEADLINE));
    return close_other(bench);
}

static enum tandem_status faults(struct bench *bench) {
    static const struct {
        const char *kernel;
        uint32_t code;
    } all[] = {
        {"fault_bounds", FAULT_MEMORY_BOUNDS},        {"fault_alignment", FAULT_MEMORY_ALIGNMENT},
        {"fault_illegal", FAULT_ILLEGAL_INSTRUCTION}, {"fault_register", FAULT_REGISTER_BOUNDS},
        {"fault_constant", FAULT_CONSTANT_BOUNDS},    {"fault_program", FAULT_PROGRAM_BOUNDS},
        {"fault_end", FAULT_MEMORY_BOUNDS},           {"fault_deque", FAULT_DEQUE_FULL},
        {"fault_barrier", FAULT_BARRIER_DIVERGED},
    };
    struct tandem_space_info space;
    tandem_space_get_info(tandem_device_space(bench->device), &space);
    bench->value = (uint32_t)space.bytes;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        TRY(fault_of(bench, all[i].kernel, all[i].code));
    return TANDEM_OK;
}

// Malformed work: entries, headers, methods, semaphores, a TMD; each stops its channel with its own fault.
static enum tandem_status malformed(struct bench *bench) {
    static const struct {
        uint32_t method, data, code;
    } methods[] = {
        {0x04, 0, FAULT_METHOD},
        {0x1C, 3, FAULT_SEMAPHORE},
        {0x3FC, 1, FAULT_DEVICE},
    };
    TRY(tandem_channel_open(bench->device, 4, 1, &bench->other));
    struct tandem_channel *channel = bench->other;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0] + 2; i++) {
        uint32_t code = FAULT_GPENTRY;
        if (i < sizeof methods / sizeof methods[0]) {
            code = methods[i].code;
            TRY(tandem_method(channel, 1, methods[i].method, methods[i].data));
            TRY(tandem_submit(channel));
        } else if (i == 3) {
            TRY(tandem_submit_entry(channel, 0, 1));
        } else {
            code = FAULT_TMD_VERSION;
            uint32_t zero[64] = {0};
            TRY(tandem_write(bench->device, bench->in, zero, sizeof zero));
            TRY(tandem_launch_tmd(channel, bench->in));
            TRY(tandem_submit(channel));
        }
        enum tandem_status status = tandem_finish(channel, DEADLINE);
        if (status != TANDEM_CHANNEL_FAULT) return failed(bench, status == TANDEM_OK ? TANDEM_BAD_CODE : status);
        struct tandem_fault fault = {0};
        if (!tandem_channel_fault(channel, &fault) || fault.code != code)
            return wrong(bench, "malformed", i, fault.code, code);
        TRY(tandem_channel_reset(channel));
    }
    return close_other(bench);
}

// A channel is stopped by a fault while its kernels spin: those that run are killed, those that are pending dropped.
static enum tandem_status killed(struct bench *bench) {
    TRY(tandem_channel_open(bench->device, 4, 1, &bench->other));
    struct tandem_channel *channel = bench->other;
    uint32_t zero = 0;
    TRY(tandem_write(bench->device, bench->in, &zero, sizeof zero));
    for (unsigned i = 0; i < 4; i++)
        TRY(launch(bench, channel, "spin", 32, 32));
    TRY(tandem_submit(channel));
    TRY(tandem_run(bench->device, 2000));
    TRY(tandem_method(channel, 0, 0x04, 0));
    TRY(tandem_submit(channel));
    enum tandem_status status = tandem_wait(channel, bench->in, 1, 100000);
    if (status != TANDEM_CHANNEL_FAULT) return failed(bench, status == TANDEM_OK ? TANDEM_BAD_CODE : status);
    TRY(tandem_channel_reset(channel));
    return close_other(bench);
}

// Every slot is taken by a task with CTAs left when one of a higher level comes: one of them is evicted and goes on
// later.
static enum tandem_status levels(struct bench *bench) {
    TRY(tandem_channel_open(bench->device, 4, 1, &bench->other));
    const struct tandem_range range = {.dimensions = 1, .global = {32, 1, 1}, .local = {32, 1, 1}};
    const struct tandem_argument arguments[] = {{&bench->in, 4}, {&bench->out, 4}, {&bench->value, 4}};
    const struct tandem_scheduling high = {.level = 63};  // above the levels that channels have
    uint32_t word = 0;
    TRY(tandem_write(bench->device, bench->in, &word, sizeof word));
    for (unsigned i = 0; i < 3; i++)
        TRY(launch(bench, bench->channel, "spin", 128, 32));
    TRY(tandem_submit(bench->channel));
    TRY(tandem_run(bench->device, 2000));
    TRY(tandem_launch_scheduled(bench->other, bench->module, "spin", &range, &high, arguments, 3));
    TRY(tandem_submit(bench->other));
    TRY(tandem_run(bench->device, 2000));
    word = 1;
    TRY(tandem_write(bench->device, bench->in, &word, sizeof word));
    TRY(tandem_finish(bench->other, DEADLINE));
    TRY(tandem_finish(bench->channel, DEADLINE));
    return close_other(bench);
}

// A thread's child runs while it waits; then a CTA of parents takes every warp at once, so that no child can start: the
// channel faults.
static enum tandem_status children(struct bench *bench) {
    const uint32_t config = tandem_reg_read(bench->device, REG_CONFIG0);
    const uint32_t warps = config >> 16 & 0xFF, threads = config & 0xFF;
    const struct tandem_range one = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
    const struct tandem_argument arguments[] = {{&bench->in, 4}, {&bench->out, 4}, {&bench->value, 4}};
    const struct tandem_scheduling plain = {0, false};
    static const uint32_t none[IN_BYTES / 4];
    tandem_addr tmd[64] = {0};
    TRY(tandem_write(bench->device, bench->in, none, sizeof none));
    TRY(tandem_channel_open(bench->device, 4, 1, &bench->other));
    struct tandem_channel *channel = bench->other;
    for (uint32_t i = 0; i < warps && i < 64; i++) {
        TRY(tandem_task_build(channel, bench->module, "special", &one, &plain, arguments, 3, &tmd[i]));
        const uint32_t number = tmd[i] >> 8;
        TRY(tandem_write(bench->device, bench->in + 4 * threads * i, &number, sizeof number));
    }
    TRY(launch(bench, channel, "parent", 1, 1));
    TRY(tandem_finish(channel, DEADLINE));
    TRY(launch(bench, channel, "parent", threads * warps, threads * warps));
    TRY(tandem_submit(channel));
    enum tandem_status status = tandem_finish(channel, DEADLINE);
    if (status != TANDEM_CHANNEL_FAULT) return failed(bench, status == TANDEM_OK ? TANDEM_BAD_CODE : status);
    struct tandem_fault fault = {0};
    if (!tandem_channel_fault(channel, &fault) || fault.code != FAULT_CHILD_DEADLOCK)
        return wrong(bench, "children", 0, fault.code, FAULT_CHILD_DEADLOCK);
    TRY(tandem_channel_reset(channel));
    for (uint32_t i = 0; i < warps && i < 64; i++)
        tandem_free(bench->device, tmd[i]);
    return close_other(bench);
}

// A diamond of tasks that wait for the ends of others; the last one, launched first, writes only when all have ended.
static enum tandem_status dependents(struct bench *bench) {
    const struct tandem_range one = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
    const struct tandem_scheduling plain = {0, false};
    const uint32_t untouched = 0x5A5A5A5A;
    tandem_addr tmd[4] = {0};
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const tandem_addr out = bench->out + 256 * i;
        const struct tandem_argument arguments[] = {{&bench->in, 4}, {&out, 4}, {&bench->value, 4}};
        TRY(tandem_task_build(bench->channel, bench->module, "special", &one, &plain, arguments, 3, &tmd[i]));
        TRY(tandem_write(bench->device, out, &untouched, 4));
    }
    const struct tandem_dependence all[] = {{tmd[0], tmd[1]}, {tmd[0], tmd[2]}, {tmd[1], tmd[3]}, {tmd[2], tmd[3]}};
    TRY(tandem_task_dependences(bench->channel, all, 4));
    for (uint32_t i = 4; i-- > 0;) {
        TRY(tandem_read(bench->device, bench->out + 768, &word, 4));
        if (word != untouched) return wrong(bench, "dependents", i, word, untouched);
        TRY(tandem_task_launch(bench->channel, bench->module, tmd[i]));
        TRY(tandem_finish(bench->channel, DEADLINE));
    }
    for (uint32_t i = 0; i < 4; i++) {
        TRY(tandem_read(bench->device, bench->out + 256 * i, &word, 4));
        if (word != 0) return wrong(bench, "dependents", i, word, 0);
        tandem_free(bench->device, tmd[i]);
    }
    return TANDEM_OK;
}

// Memory that answers with errors: loads, stores and atomics that fail, atomics that cannot be written back.
static enum tandem_status bus_errors(struct bench *bench) {
    static const struct {
        const char *kernel;
        bool input, writes_only;
    } all[] = {{"sizes", true, false}, {"loop", false, false}, {"atomics", true, false}, {"atomics", true, true}};
    TRY(tandem_channel_open(bench->device, 4, 0, &bench->other));
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct tandem_fault fault = {0};
        TRY(tandem_set_bus_errors(bench->device, all[i].input ? bench->in : bench->out, 32, all[i].writes_only));
        TRY(launch(bench, bench->other, all[i].kernel, 64, 32));
        TRY(tandem_submit(bench->other));
        // An atomic's line may be written back after the task's end.
        TRY(tandem_run(bench->device, 20000));
        if (!tandem_channel_fault(bench->other, &fault) || fault.code != FAULT_BUS_ERROR)
            return wrong(bench, all[i].kernel, i, fault.code, FAULT_BUS_ERROR);
        TRY(tandem_set_bus_errors(bench->device, 0, 0, false));
        TRY(tandem_channel_reset(bench->other));
    }
    TRY(launch(bench, bench->other, "loop", 8, 8));
    TRY(tandem_finish(bench->other, DEADLINE));
    return close_other(bench);
}

static enum tandem_status with_bench(struct tandem_device *device, char *why, size_t why_size,
                                     enum tandem_status (*body)(struct bench *)) {
    struct bench store = {.device = device, .why = why, .why_size = why_size}, *bench = &store;
    why[0] = '\0';
    void *elf = NULL;
    size_t size = 0;
    if (!kernels_make(0, &elf, &size, why, why_size)) return TANDEM_BAD_CODE;
    enum tandem_status status = tandem_module_load(device, elf, size, &bench->module);
    free(elf);
    if (status != TANDEM_OK) return failed(bench, status);
    status = tandem_channel_open(device, 8, 1, &bench->channel);
    if (status == TANDEM_OK) status = tandem_alloc(device, IN_BYTES, 256, &bench->in);
    if (status == TANDEM_OK) status = tandem_alloc(device, OUT_BYTES, 256, &bench->out);
    status = status == TANDEM_OK ? body(bench) : failed(bench, status);
    tandem_channel_close(bench->other);  // a program that failed has left it open
    tandem_channel_close(bench->channel);
    if (status == TANDEM_OK) {
        tandem_free(device, bench->in);
        tandem_free(device, bench->out);
    }
    tandem_module_unload(bench->module);
    return status;
}

#define PROGRAMS(X) \
    X(arithmetic)   \
    X(loop)         \
    X(branches)     \
    X(sizes)        \
    X(atomics)      \
    X(lock)         \
    X(contention)   \
    X(barrier)      \
    X(shared)       \
    X(special)      \
    X(channels)     \
    X(semaphores) X(ring) X(reload) X(faults) X(malformed) X(killed) X(levels) X(children) X(dependents) X(bus_errors)

#define X(name)                                                                                      \
    static enum tandem_status run_##name(struct tandem_device *device, char *why, size_t why_size) { \
        return with_bench(device, why, why_size, name);                                              \
    }
PROGRAMS(X)
#undef X

const struct named_program fixed_programs[] = {
#define X(name) {#name, run_##name},
    PROGRAMS(X)
#undef X
        {"steps_aside", program_steps_aside},
};
const size_t fixed_program_count = sizeof fixed_programs / sizeof fixed_programs[0];

enum tandem_status fixed_programs_run(const char *device_name, const char *only, char *why, size_t why_size) {
    struct tandem_device *device = NULL;
    enum tandem_status status = tandem_open(device_name, &device, why, why_size);
    if (status != TANDEM_OK) return status;
    for (size_t i = 0; i < fixed_program_count && status == TANDEM_OK; i++) {
        if (only != NULL && strcmp(only, fixed_programs[i].name) != 0) continue;
        char line[1024];
        status = fixed_programs[i].run(device, line, sizeof line);
        if (status != TANDEM_OK) snprintf(why, why_size, "program %s: %s", fixed_programs[i].name, line);
    }
    enum tandem_status closed = tandem_close(device);
    if (status == TANDEM_OK && closed != TANDEM_OK) {
        snprintf(why, why_size, "closing: %s", tandem_status_name(closed));
        status = closed;
    }
    return status;
}
