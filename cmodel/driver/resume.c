// Going over a recorded run again.
#include "driver/resume.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "backend/recording.h"
#include "base/checksum.h"
#include "base/image.h"
#include "driver/device_name.h"

struct replay {
    const struct resume_options *wanted;
    struct resume_result *result;
    struct recording_reader reader;
    struct backend_options options;
    const struct backend_ops *ops;
    void *device;
    uint8_t *bytes;  // of reads
    size_t room;
};

__attribute__((format(printf, 3, 4))) static enum resume_status tell(struct replay *replay, enum resume_status status,
                                                                     const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(replay->result->message, sizeof replay->result->message, format, arguments);
    va_end(arguments);
    return status;
}

static uint64_t cycles(const struct replay *replay) {
    struct tandem_statistics statistics = {0};
    replay->ops->statistics(replay->device, &statistics);
    return statistics.cycles;
}

static bool take_file(struct replay *replay, const char *option, const char *from, char *to, size_t size) {
    to[0] = '\0';
    if (from == NULL) return true;
    if (strlen(from) < size) return strcpy(to, from), true;
    (void)tell(replay, RESUME_OPTIONS, "%s: needs a file name of at most %zu characters", option, size - 1);
    return false;
}

// The device as the program opened it, but for the files that it writes, and the state of the checkpoint.
static enum resume_status open_device(struct replay *replay, const char *path) {
    struct backend_options *options = &replay->options;
    const struct resume_options *wanted = replay->wanted;
    char why[600];
    if (!device_name_parse(replay->reader.device, &replay->ops, options, why, sizeof why) || options->recorded == NULL)
        return tell(replay, RESUME_FILE, "%s: its device \"%.200s\" is none that writes checkpoints", path,
                    replay->reader.device);
    replay->ops = options->recorded;
    if (wanted->rtl_alone) {
        if (replay->ops != &backend_tandem)
            return tell(replay, RESUME_OPTIONS, "%s: is a run of %s:, only one of tandem: has RTL and model", path,
                        replay->ops->name);
        replay->ops = &backend_rtl;
        options->inject_model = 0;
    }
    options->recorded = NULL;
    options->checkpoint[0] = '\0';
    options->command = wanted->command;
    if (!take_file(replay, "wave", wanted->wave, options->wave, sizeof options->wave) ||
        !take_file(replay, "trace", wanted->trace, options->trace, sizeof options->trace) ||
        !take_file(replay, "timeline", wanted->timeline, options->timeline, sizeof options->timeline))
        return RESUME_OPTIONS;
    replay->device = replay->ops->open(options, why, sizeof why);
    if (replay->device == NULL) return tell(replay, RESUME_OPTIONS, "%s", why);
    struct image image = {.loading = true, .bytes = replay->reader.state, .size = replay->reader.state_size};
    replay->ops->image(replay->device, &image);
    if (image.failed || (!wanted->rtl_alone && image.at != image.size))
        return tell(replay, RESUME_FILE, "%s: its state is none of \"%.200s\" in this build of Tandem", path,
                    replay->reader.device);
    free(replay->reader.state);
    replay->reader.state = NULL;
    return RESUME_DONE;
}

static uint64_t read_memory(struct replay *replay, const struct recorded *call) {
    if (call->b > replay->room) {
        uint8_t *bytes = call->b <= replay->options.mem_bytes ? realloc(replay->bytes, (size_t)call->b) : NULL;
        if (bytes == NULL) return 0;
        replay->bytes = bytes;
        replay->room = (size_t)call->b;
    }
    if (!replay->ops->mem_read(replay->device, call->a, replay->bytes, (size_t)call->b)) return 0;
    return RECORDED_DONE | checksum(0, replay->bytes, (size_t)call->b);
}

// A device that writes a trace does not clear, so one of both may have.
static uint64_t clear(struct replay *replay, const struct recorded *call) {
    static const uint8_t zeros[65536];
    if (call->ended && call->result == 0) return 0;
    if (replay->ops->mem_clear != NULL && replay->ops->mem_clear(replay->device, call->a, (size_t)call->b))
        return RECORDED_DONE;
    for (uint64_t at = 0; at < call->b; at += sizeof zeros) {
        const size_t size = call->b - at < sizeof zeros ? (size_t)(call->b - at) : sizeof zeros;
        if (!replay->ops->mem_write(replay->device, call->a + at, zeros, size)) return 0;
    }
    return RECORDED_DONE;
}

// Cycles, not past the one in which it is to stop. *stops: that one has come.
static uint64_t run(struct replay *replay, uint64_t wanted, bool *stops) {
    const uint64_t now = cycles(replay), until = replay->wanted->until;
    const uint64_t left = until > now ? until - now : 0;
    *stops = left < wanted;
    return replay->ops->run(replay->device, *stops ? left : wanted);
}

// What comes of the call.
static uint64_t repeat(struct replay *replay, const struct recorded *call, bool *stops) {
    const struct backend_ops *ops = replay->ops;
    void *device = replay->device;
    switch (call->call) {
        case RECORDED_REG_READ: return ops->reg_read(device, (uint32_t)call->a);
        case RECORDED_REG_WRITE: ops->reg_write(device, (uint32_t)call->a, (uint32_t)call->b); return 0;
        case RECORDED_MEM_READ: return read_memory(replay, call);
        case RECORDED_MEM_WRITE:
            return ops->mem_write(device, call->a, call->bytes, (size_t)call->b) ? RECORDED_DONE : 0;
        case RECORDED_MEM_CLEAR: return clear(replay, call);
        case RECORDED_BUS_ERRORS: ops->bus_errors(device, call->a, call->b, false); return 0;
        case RECORDED_WRITE_ERRORS: ops->bus_errors(device, call->a, call->b, true); return 0;
        case RECORDED_RUN: return run(replay, call->a, stops);
        default: return 0;
    }
}

static const char *name_of(enum recorded_call call) {
    static const char *const names[RECORDED_CALLS] = {
        [RECORDED_REG_READ] = "the read of register",
        [RECORDED_REG_WRITE] = "the write of register",
        [RECORDED_MEM_READ] = "the read of memory at",
        [RECORDED_MEM_WRITE] = "the write of memory at",
        [RECORDED_MEM_CLEAR] = "clearing memory at",
        [RECORDED_BUS_ERRORS] = "setting errors of memory at",
        [RECORDED_WRITE_ERRORS] = "setting errors of memory at",
        [RECORDED_RUN] = "running cycles:",
        [RECORDED_CLOSE] = "closing",
    };
    return names[call];
}

static enum resume_status play(struct replay *replay, const char *path) {
    struct recorded call;
    char why[256];
    bool stops = false;
    int there = 1;
    replay->result->cut_off = true;
    while (!stops && replay->ops->failed(replay->device) == NULL &&
           (there = recording_next(&replay->reader, &call, why, sizeof why)) == 1) {
        if (call.call == RECORDED_CLOSE) {
            replay->result->cut_off = false;
            break;
        }
        if (cycles(replay) >= replay->wanted->until) break;
        const uint64_t result = repeat(replay, &call, &stops);
        replay->result->calls++;
        if (replay->ops->failed(replay->device) != NULL || stops || !call.ended || result == call.result) continue;
        if (replay->wanted->rtl_alone && call.call == RECORDED_RUN) break;
        return tell(replay, RESUME_DIFFERS, "%s: cycle %llu: %s 0x%llx gave 0x%llx, and now 0x%llx", path,
                    (unsigned long long)cycles(replay), name_of(call.call), (unsigned long long)call.a,
                    (unsigned long long)call.result, (unsigned long long)result);
    }
    if (there < 0)
        return tell(replay, RESUME_FILE, "%s: after call %llu of the CPU: %s", path,
                    (unsigned long long)replay->result->calls, why);
    if (!stops && replay->wanted->beyond != 0 && replay->ops->failed(replay->device) == NULL)
        (void)run(replay, replay->wanted->beyond, &stops);
    return RESUME_DONE;
}

enum resume_status resume(const char *path, const struct resume_options *options, struct resume_result *result) {
    struct replay replay = {.wanted = options, .result = result};
    *result = (struct resume_result){0};
    if (!recording_open(&replay.reader, path, result->message, sizeof result->message)) return RESUME_FILE;
    (void)snprintf(result->device, sizeof result->device, "%s", replay.reader.device);
    result->from = replay.reader.cycle;
    enum resume_status status = open_device(&replay, path);
    if (status == RESUME_DONE) {
        status = play(&replay, path);
        result->to = cycles(&replay);
        const char *failed = replay.ops->failed(replay.device);
        if (status == RESUME_DONE && failed != NULL) status = tell(&replay, RESUME_FAILED, "%s", failed);
    }
    // What it has to say when it is closed it says itself.
    if (replay.device != NULL && !replay.ops->close(replay.device) && status == RESUME_DONE)
        status = tell(&replay, RESUME_FAILED, "the device failed when it was closed");
    recording_close(&replay.reader);
    free(replay.bytes);
    return status;
}
