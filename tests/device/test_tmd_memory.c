// What the task unit leaves in memory, on every kind of device: a task that has gone on after it left has its TMD as it
// was, so that it can be launched again; releases go to the space of their channel (rtl/task).
#include <stdio.h>

#include "gen/registers.h"
#include "on_devices.h"
#include "task/tmd.h"

#define DEADLINE 20000000u

// A grid of so many CTAs of one thread, whose program is EXIT alone.
static void make_tmd(uint32_t tmd[TMD_WORDS], tandem_addr code, uint32_t ctas) {
    static const enum tmd_field ones[] = {
        TMD_QMD_MAJOR_VERSION,     TMD_CTA_RASTER_HEIGHT,     TMD_CTA_RASTER_DEPTH, TMD_CTA_THREAD_DIMENSION0,
        TMD_CTA_THREAD_DIMENSION1, TMD_CTA_THREAD_DIMENSION2, TMD_REGISTER_COUNT};
    for (uint32_t i = 0; i < TMD_WORDS; i++)
        tmd[i] = 0;
    for (uint32_t i = 0; i < sizeof ones / sizeof ones[0]; i++)
        tmd_set(tmd, ones[i], 0, 1);
    tmd_set(tmd, TMD_QMD_VERSION, 0, 6);
    tmd_set(tmd, TMD_CTA_RASTER_WIDTH, 0, ctas);
    tmd_set(tmd, TMD_PROGRAM_OFFSET, 0, code);
    tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, 8);
}

static const uint32_t code_words[] = {0x702, 0};  // EXIT, guard PT

// Suspended in the middle of its grid the task stands in memory with the place where it goes on; once it has gone on
// that is 0 again (TANDEM_STATE too), and the TMD can be launched as it is.
static void goes_on(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL;
    uint32_t tmd[TMD_WORDS];
    tandem_addr at = 0, code = 0;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    must(device, TANDEM_OK, tandem_alloc(device, TMD_BYTES, TMD_BYTES, &at));
    must(device, TANDEM_OK, tandem_alloc(device, 32, 32, &code));
    must(device, TANDEM_OK, tandem_write(device, code, code_words, sizeof code_words));
    make_tmd(tmd, code, 2000);
    must(device, TANDEM_OK, tandem_write(device, at, tmd, sizeof tmd));
    for (uint32_t lap = 0; lap < 2; lap++) {
        must(device, TANDEM_OK, tandem_launch_tmd(channel, at));
        must(device, TANDEM_OK, tandem_submit(channel));
        must(device, TANDEM_OK, tandem_run(device, 2000));
        tandem_reg_write(device, REG_CHANNEL_BASE + CHANNEL_CONTROL, 0x11);
        must(device, TANDEM_OK, tandem_run(device, 3000));
        cr_expect_eq(tandem_reg_read(device, REG_CHANNEL_BASE + CHANNEL_STATUS), 1u << 8 | 0x10,
                     "%s: one task, suspended", name);
        must(device, TANDEM_OK, tandem_read(device, at, tmd, sizeof tmd));
        const uint32_t next = tmd_get(tmd, TMD_CTA_RASTER_WIDTH_RESUME, 0);
        cr_expect(next > 0 && next < 2000, "%s: it goes on at %u", name, next);
        cr_expect_eq(tmd_get(tmd, TMD_TANDEM_STATE, 0) & 3, 2, "%s: evicted", name);
        tandem_reg_write(device, REG_CHANNEL_BASE + CHANNEL_CONTROL, 1);
        must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
        must(device, TANDEM_OK, tandem_read(device, at, tmd, sizeof tmd));
        cr_expect_eq(tmd_get(tmd, TMD_CTA_RASTER_WIDTH_RESUME, 0), 0);
        cr_expect_eq(tmd_get(tmd, TMD_CTA_RASTER_HEIGHT_RESUME, 0), 0);
        cr_expect_eq(tmd_get(tmd, TMD_CTA_RASTER_DEPTH_RESUME, 0), 0);
        cr_expect_eq(tmd_get(tmd, TMD_TANDEM_STATE, 0), 0);
        cr_expect_eq(tmd_get(tmd, TMD_TANDEM_SAVED, 0), 0);
    }
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}
ON_DEVICES(tmd_memory, goes_on, "TU-5 TU-14 a task that has gone on leaves its TMD as it was launched")

// The same addresses in two spaces: a release and a reduction reach the one of their channel.
static void own_space(const char *name) {
    char full[64];
    snprintf(full, sizeof full, "%s,mem=4,space=1", name);
    struct tandem_device *device = open_device(full);
    struct tandem_space *space = NULL;
    struct tandem_channel *first = NULL, *channel = NULL;
    uint32_t tmd[TMD_WORDS], words[2];
    tandem_addr at = 0, code = 0, out = 0;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &first));
    must(device, TANDEM_OK, tandem_space_open(device, 2 * TANDEM_SPACE_LEAST, &space));
    must(device, TANDEM_OK, tandem_space_channel_open(space, 8, 0, &channel));
    must(device, TANDEM_OK, tandem_space_alloc(space, TMD_BYTES, TMD_BYTES, &at));
    must(device, TANDEM_OK, tandem_space_alloc(space, 32, 32, &code));
    must(device, TANDEM_OK, tandem_space_alloc(space, 32, 32, &out));
    must(device, TANDEM_OK, tandem_space_write(space, code, code_words, sizeof code_words));
    make_tmd(tmd, code, 3);
    for (uint32_t r = 0; r < 2; r++) {
        tmd_set(tmd, r == 0 ? TMD_SEMAPHORE_RELEASE_ENABLE0 : TMD_SEMAPHORE_RELEASE_ENABLE1, 0, 1);
        tmd_set(tmd, TMD_RELEASE_ADDRESS_LOWER, r, out + 4 * r);
        tmd_set(tmd, TMD_RELEASE_RED_ENABLE, r, r);
        tmd_set(tmd, TMD_RELEASE_STRUCTURE_SIZE, r, 1);
        tmd_set(tmd, TMD_RELEASE_PAYLOAD, r, 0x70 + r);
    }
    must(device, TANDEM_OK, tandem_space_write(space, at, tmd, sizeof tmd));
    static const uint32_t own[2] = {1, 0x500}, others[2] = {0x111, 0x222};
    must(device, TANDEM_OK, tandem_space_write(space, out, own, sizeof own));
    must(device, TANDEM_OK, tandem_read(device, out, tmd, 8));  // what the other space has there
    must(device, TANDEM_OK, tandem_write(device, out, others, sizeof others));
    must(device, TANDEM_OK, tandem_launch_tmd(channel, at));
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    must(device, TANDEM_OK, tandem_space_read(space, out, words, sizeof words));
    cr_expect(words[0] == 0x70 && words[1] == 0x571, "%s: its own space has 0x%x, 0x%x", name, words[0], words[1]);
    must(device, TANDEM_OK, tandem_read(device, out, words, sizeof words));
    cr_expect(words[0] == 0x111 && words[1] == 0x222, "%s: the other space has 0x%x, 0x%x", name, words[0], words[1]);
    must(device, TANDEM_OK, tandem_write(device, out, tmd, 8));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    must(device, TANDEM_OK, tandem_channel_close(first));
    must(device, TANDEM_OK, tandem_space_close(space));
    close_device(device);
}
ON_DEVICES(tmd_memory, own_space, "SP-1 TU-1 releases of a task stay in the space of its channel")
