// Local memory through the driver: kernels with different needs in flight on one channel, and what does not fit.
#include <stdio.h>
#include <string.h>

#include "gen/registers.h"
#include "on_devices.h"
#include "task/tmd.h"

#define DEADLINE 8000000u
#define THREADS 192u

// A kernel that fills its `words` words with numbers of each thread's own (1000 * global id on), then adds them up.
static struct tandem_module *load_kernel(struct tandem_device *device, uint32_t words, uint32_t local_bytes) {
    char text[1024];
    snprintf(text, sizeof text,
             ".kernel main\n.registers 8\n.local_bytes %u\n.arg global out\n"
             "S2R R0, SR_CTAID_X\nS2R R1, SR_NTID_X\nS2R R2, SR_TID_X\nIMAD R0, R0, R1, R2\nIMUL R1, R0, 1000\n"
             "MOV R2, 0\nfill:\nSHL R3, R2, 2\nSTL.32 [R3], R1\nIADD R1, R1, 1\nIADD R2, R2, 1\n"
             "ISETP.LT P0, R2, %u\n@P0 BRA fill\nMOV R4, 0\nadd:\nISUB R2, R2, 1\nSHL R3, R2, 2\nLDL.32 R5, [R3]\n"
             "IADD R4, R4, R5\nISETP.GT P0, R2, 0\n@P0 BRA add\n"
             "SHL R6, R0, 2\nLDC.32 R7, c[0][0x40]\nIADD R7, R7, R6\nSTG.32 [R7], R4\nEXIT\n",
             local_bytes, words);
    return load_assembly(device, text);
}

static enum tandem_status launch(struct tandem_channel *channel, struct tandem_module *module, tandem_addr out) {
    const struct tandem_range range = {.dimensions = 1, .global = {THREADS}, .local = {48}};
    const struct tandem_argument argument = {&out, 4};
    return tandem_launch(channel, module, "main", &range, &argument, 1);
}

// A kernel that needs more comes while ones that need less still run, and again after it.
static void growing(const char *name) {
    static const uint32_t words[] = {4, 4, 13, 7, 40, 1};
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channels[2] = {NULL, NULL};
    struct tandem_module *modules[6];
    tandem_addr out[2][6];
    for (uint32_t c = 0; c < 2; c++)
        must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channels[c]));
    for (uint32_t i = 0; i < 6; i++)
        modules[i] = load_kernel(device, words[i], words[i] * 4);
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 6; i++) {
            for (uint32_t c = 0; c < 2; c++) {
                if (round == 0) out[c][i] = new_words(device, THREADS);
                must(device, TANDEM_OK, launch(channels[c], modules[i], out[c][i]));
                must(device, TANDEM_OK, tandem_submit(channels[c]));
            }
        }
        for (uint32_t c = 0; c < 2; c++) {
            must(device, TANDEM_OK, tandem_finish(channels[c], DEADLINE));
            for (uint32_t i = 0; i < 6; i++) {
                uint32_t got[THREADS];
                const uint32_t n = words[i], zeros[THREADS] = {0};
                must(device, TANDEM_OK, tandem_read(device, out[c][i], got, sizeof got));
                for (uint32_t t = 0; t < THREADS; t++)
                    cr_assert_eq(got[t], n * 1000 * t + n * (n - 1) / 2, "%u words, thread %u: %u", n, t, got[t]);
                must(device, TANDEM_OK, tandem_write(device, out[c][i], zeros, sizeof zeros));
            }
        }
        // The base does not outlive a reset of the channel: the driver says it again.
        must(device, TANDEM_OK, tandem_channel_reset(channels[0]));
    }
    for (uint32_t c = 0; c < 2; c++)
        must(device, TANDEM_OK, tandem_channel_close(channels[c]));
    for (uint32_t i = 0; i < 6; i++)
        tandem_module_unload(modules[i]);
    close_device(device);
}
ON_DEVICES(local, growing, "TU-1 TU-10 local memory of kernels with different needs, on two channels at once")

// Each access of a thread counts, on every kind of device alike.
static void counted(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL;
    struct tandem_statistics statistics;
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    struct tandem_module *module = load_kernel(device, 5, 20);
    must(device, TANDEM_OK, launch(channel, module, new_words(device, THREADS)));
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    tandem_get_statistics(device, &statistics);
    cr_assert_eq(statistics.local_accesses, 2 * 5 * THREADS, "%llu", (unsigned long long)statistics.local_accesses);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(local, counted, "TU-1 loads and stores of local memory are counted")

// More than there is; a TMD without a base; and the channel works on after each.
static void too_much(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    struct tandem_module *huge = load_kernel(device, 1, 0x7FFFF0), *beyond = load_kernel(device, 1, 0x1000000),
                         *good = load_kernel(device, 3, 12);
    const tandem_addr out = new_words(device, THREADS);
    must(device, TANDEM_NO_MEMORY, launch(channel, huge, out));
    cr_assert(strstr(tandem_message(device), "8388592 bytes each") != NULL, "%s", tandem_message(device));
    must(device, TANDEM_BAD_CODE, launch(channel, beyond, out));
    tandem_addr at = 0;
    must(device, TANDEM_OK, tandem_alloc(device, TMD_BYTES, TMD_BYTES, &at));
    uint32_t tmd[TMD_WORDS] = {0};
    tmd_set(tmd, TMD_QMD_VERSION, 0, 6);
    tmd_set(tmd, TMD_QMD_MAJOR_VERSION, 0, 1);
    tmd_set(tmd, TMD_LOCAL_MEMORY_LOW, 0, 64);
    tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, 64);
    tmd_set(tmd, TMD_REGISTER_COUNT, 0, 8);
    const enum tmd_field ones[] = {TMD_CTA_RASTER_WIDTH,      TMD_CTA_RASTER_HEIGHT,     TMD_CTA_RASTER_DEPTH,
                                   TMD_CTA_THREAD_DIMENSION0, TMD_CTA_THREAD_DIMENSION1, TMD_CTA_THREAD_DIMENSION2};
    for (size_t i = 0; i < sizeof ones / sizeof ones[0]; i++)
        tmd_set(tmd, ones[i], 0, 1);
    must(device, TANDEM_OK, tandem_write(device, at, tmd, sizeof tmd));
    must(device, TANDEM_OK, tandem_launch_tmd(channel, at));
    must(device, TANDEM_OK, tandem_submit(channel));
    must(device, TANDEM_CHANNEL_FAULT, tandem_finish(channel, DEADLINE));
    struct tandem_fault fault;
    cr_assert(tandem_channel_fault(channel, &fault));
    cr_assert_eq(fault.code, FAULT_TMD_LOCAL_MEMORY, "%s", fault.text);
    cr_assert_eq(fault.info, 64);
    must(device, TANDEM_OK, tandem_channel_reset(channel));
    must(device, TANDEM_OK, launch(channel, good, out));
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    cr_assert_eq(read_word(device, out + 4 * 100), 300003);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(huge);
    tandem_module_unload(beyond);
    tandem_module_unload(good);
    close_device(device);
}
ON_DEVICES(local, too_much, "TU-11 local memory: more than there is, a TMD without a base")
