// A device whose signatures are asked for.
#define _POSIX_C_SOURCE 200809L
#include "backend/signed_device.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gen/registers.h"

#define STEP_CYCLES 256u
#define REST_SECONDS 120u
#define LOOK_STEPS 65536u
#define BLOCKED_STEPS 16u

const struct signed_choice signed_everything = {
    .kinds = REG_SIGNATURE_KINDS_INSTR(1u) | REG_SIGNATURE_KINDS_RESULT(1u) | REG_SIGNATURE_KINDS_STORE(1u) |
             REG_SIGNATURE_KINDS_PC(1u) | REG_SIGNATURE_KINDS_ACTIVE(1u) | REG_SIGNATURE_KINDS_EXEC(1u),
    .limit = UINT32_MAX};

bool signed_device_open(struct signed_device *device) {
    device->selected = 0;
    device->why[0] = '\0';
    device->backend = device->ops->open(&device->options, device->why, sizeof device->why);
    device->config = device->options.config;
    return device->backend != NULL;
}

bool signed_device_close(struct signed_device *device) {
    if (device->backend == NULL) return true;
    const bool good = device->ops->close(device->backend);
    device->backend = NULL;
    return good;
}

uint32_t signed_device_reg_read(struct signed_device *device, uint32_t offset) {
    return device->ops->reg_read(device->backend, offset);
}

void signed_device_reg_write(struct signed_device *device, uint32_t offset, uint32_t value) {
    if (offset == REG_WARP_SELECT) device->selected = value;
    device->ops->reg_write(device->backend, offset, value);
}

// blocked: channels that wait for a semaphore rest too.
static bool rests(struct signed_device *device, bool blocked, bool *faulted) {
    *faulted = false;
    for (uint32_t c = 0; c < device->config->channels; c++) {
        const uint32_t status =
            signed_device_reg_read(device, REG_CHANNEL_BASE + c * REG_CHANNEL_STRIDE + CHANNEL_STATUS);
        const uint32_t state = CHANNEL_STATUS_STATE_OF(status);
        if (CHANNEL_STATUS_TASKS_OF(status) != 0) return false;
        *faulted |= state == CHANNEL_STATUS_STATE_FAULTED;
        if (state != CHANNEL_STATUS_STATE_IDLE && state != CHANNEL_STATUS_STATE_FAULTED &&
            (!blocked || state != CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE))
            return false;
    }
    return true;
}

bool signed_device_rests(struct signed_device *device, bool *faulted) {
    return rests(device, false, faulted);  // a blocked acquire may get its value at its next try
}

void signed_device_choose(struct signed_device *device, const struct signed_choice *choice) {
    const struct backend_ops *ops = device->ops;
    ops->reg_write(device->backend, REG_SIGNATURE_KINDS, choice->kinds);
    ops->reg_write(device->backend, REG_SIGNATURE_NAME, choice->name);
    ops->reg_write(device->backend, REG_SIGNATURE_NAME_MASK, choice->name_mask);
    ops->reg_write(device->backend, REG_SIGNATURE_PLACE, choice->place);
    ops->reg_write(device->backend, REG_SIGNATURE_LIMIT, choice->limit);
}

void signed_device_read(struct signed_device *device, const struct signed_choice *choice, struct signatures *to) {
    const struct backend_ops *ops = device->ops;
    *to = (struct signatures){0};
    for (uint32_t sm = 0; sm < device->config->sms; sm++) {
        if (device->config->sms > 1)
            ops->reg_write(device->backend, REG_WARP_SELECT, REG_WARP_SELECT_SM(sm));
        else if (REG_WARP_SELECT_SM_OF(device->selected) != 0)
            ops->reg_write(device->backend, REG_WARP_SELECT, 0);
        to->sum += ops->reg_read(device->backend, REG_SIGNATURE);
        to->count += choice->limit - ops->reg_read(device->backend, REG_SIGNATURE_LIMIT);
    }
    ops->reg_write(device->backend, REG_WARP_SELECT, device->selected);
    for (uint32_t c = 0; c < device->config->channels && c < SIGNED_CHANNELS_MAX; c++)
        to->methods[c] = ops->reg_read(device->backend, REG_CHANNEL_BASE + c * REG_CHANNEL_STRIDE + CHANNEL_SIGNATURE);
}

// ---- playing a journal
struct player {
    struct signed_device *device;
    time_t deadline;
    bool late;
    uint64_t steps, blocked;
};

static time_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

static uint32_t play_reg_read(void *context, uint32_t offset) {
    return signed_device_reg_read(((struct player *)context)->device, offset);
}

static void play_reg_write(void *context, uint32_t offset, uint32_t value) {
    signed_device_reg_write(((struct player *)context)->device, offset, value);
}

static bool play_mem_read(void *context, uint64_t address, void *to, size_t size) {
    struct signed_device *device = ((struct player *)context)->device;
    return device->ops->mem_read(device->backend, address, to, size);
}

static bool play_mem_write(void *context, uint64_t address, const void *from, size_t size) {
    struct signed_device *device = ((struct player *)context)->device;
    return device->ops->mem_write(device->backend, address, from, size);
}

static bool play_step(void *context) {
    struct player *player = context;
    struct signed_device *device = player->device;
    bool faulted;
    // The model goes step by step, so that nothing that is waited for is passed; it says itself when it has come to rest.
    if (device->ops->run(device->backend, device->is_model ? 1 : STEP_CYCLES) == 0) return false;
    if (!device->is_model || ++player->steps % LOOK_STEPS == 0) player->late = player->late || now() > player->deadline;
    if (device->is_model) return !player->late;
    // Who is blocked for long waits for the program.
    player->blocked = rests(device, true, &faulted) ? player->blocked + 1 : 0;
    return !player->late && player->blocked < BLOCKED_STEPS && !signed_device_rests(device, &faulted);
}

static bool play_failed(void *context) {
    struct player *player = context;
    return player->late || player->device->ops->failed(player->device->backend) != NULL;
}

bool signed_device_play(struct signed_device *device, const struct journal *journal, size_t from, size_t to) {
    struct player player = {
        .device = device,
        .deadline = now() + (time_t)(device->rest_seconds != 0 ? device->rest_seconds : REST_SECONDS)};
    const struct journal_device played = {.context = &player,
                                          .reg_read = play_reg_read,
                                          .reg_write = play_reg_write,
                                          .mem_read = play_mem_read,
                                          .mem_write = play_mem_write,
                                          .step = play_step,
                                          .failed = play_failed};
    if (journal_play(journal, from, to, &played)) return true;
    const char *failure = device->ops->failed(device->backend);
    snprintf(device->why, sizeof device->why, "%s",
             failure != NULL ? failure : "it does not come to rest when the program is run again");
    return false;
}
