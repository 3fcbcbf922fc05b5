// Random TMDs, good ones and ones with a single fault, for task_unit_bench and tmd_check_bench.
#ifndef TANDEM_TESTS_RTL_TASK_TMDS_H
#define TANDEM_TESTS_RTL_TASK_TMDS_H

#include "bench.h"

extern "C" {
#include "gen/config.h"
#include "gen/registers.h"
#include "task/tmd.h"
}

// Where things of a channel's space are, for the TMDs: TMDs in the first half, releases in the last quarter.
struct tmd_space {
    uint32_t size;    // of the channel's space
    uint32_t region;  // program region
    uint32_t local;   // base of local memory
    uint32_t release_at;
};

static inline void tmd_random_release(struct bench *bench, const struct tmd_space *space, uint32_t tmd[TMD_WORDS],
                                      unsigned r) {
    const bool one_word = bench_chance(bench, 1, 2);
    tmd_set(tmd, r == 0 ? TMD_SEMAPHORE_RELEASE_ENABLE0 : TMD_SEMAPHORE_RELEASE_ENABLE1, 0, 1);
    tmd_set(tmd, TMD_RELEASE_ADDRESS_LOWER, r,
            space->release_at + 16 * bench_below(bench, 8) + (one_word ? 4 * bench_below(bench, 4) : 0));
    tmd_set(tmd, TMD_RELEASE_STRUCTURE_SIZE, r, one_word);
    tmd_set(tmd, TMD_RELEASE_RED_ENABLE, r, one_word && bench_chance(bench, 1, 2));
    tmd_set(tmd, TMD_RELEASE_RED_OP, r, bench_below(bench, 8));
    tmd_set(tmd, TMD_RELEASE_FORMAT, r, bench_below(bench, 2));
    tmd_set(tmd, TMD_RELEASE_PAYLOAD, r,
            bench_chance(bench, 1, 2) ? bench_below(bench, 5) : (uint32_t)bench_random(bench));
}

static inline void tmd_random_good(struct bench *bench, const struct ppu_config *config, const struct tmd_space *space,
                                   uint32_t tmd[TMD_WORDS]) {
    // Bits that nothing is said about are anything.
    memset(tmd, 0, TMD_BYTES);
    tmd[11] = (uint32_t)bench_random(bench) & 0x0000FFFFu;
    tmd[47] = (uint32_t)bench_random(bench) & 0xFF000000u;  // SASS_VERSION
    tmd_set(tmd, TMD_QMD_VERSION, 0, 6);
    tmd_set(tmd, TMD_QMD_MAJOR_VERSION, 0, 1);
    tmd_set(tmd, TMD_QMD_GROUP_ID, 0, bench_chance(bench, 1, 4) ? bench_below(bench, 64) : bench_below(bench, 3));
    tmd_set(tmd, TMD_ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST, 0, bench_chance(bench, 1, 4));
    tmd_set(tmd, TMD_SEQUENTIALLY_RUN_CTAS, 0, bench_chance(bench, 1, 8));
    tmd_set(tmd, TMD_CTA_RASTER_WIDTH, 0, 1 + bench_below(bench, 5));
    tmd_set(tmd, TMD_CTA_RASTER_HEIGHT, 0, 1 + bench_below(bench, 3));
    tmd_set(tmd, TMD_CTA_RASTER_DEPTH, 0, 1 + bench_below(bench, 3));
    const uint32_t most = config->threads * config->warps, portions = config->threads / config->lanes;
    uint32_t x = 1 + bench_below(bench, most), y = 1 + bench_below(bench, 4), z = 1 + bench_below(bench, 4);
    if (x * y > most) y = 1;
    if (x * y * z > most) z = 1;
    if (bench_chance(bench, 1, 8)) x = most, y = z = 1;
    const uint32_t warps = (x * y * z + config->threads - 1) / config->threads;
    uint32_t registers = config->vgpr_rows / (warps * portions);
    if (registers > 255) registers = 255;
    if (!bench_chance(bench, 1, 4)) registers = 1 + bench_below(bench, registers);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION0, 0, x);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION1, 0, y);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION2, 0, z);
    tmd_set(tmd, TMD_REGISTER_COUNT, 0, registers);
    if (bench_chance(bench, 1, 3)) tmd_set(tmd, TMD_TANDEM_SHARED_ROWS, 0, bench_below(bench, registers));
    if (bench_chance(bench, 1, 2))
        tmd_set(tmd, TMD_SHARED_MEMORY_SIZE, 0, bench_below(bench, config->shared_bytes + 1));
    if (bench_chance(bench, 1, 3)) {
        const uint32_t fit = (space->size - space->local) / (config->sms * most) / 16;
        tmd_set(tmd, TMD_LOCAL_MEMORY_LOW, 0, 16 * (bench_chance(bench, 1, 4) ? fit : bench_below(bench, fit + 1)));
    }
    const uint32_t code_size = 8 * (1 + bench_below(bench, 64));
    const uint32_t room = space->size - space->region - code_size;
    tmd_set(tmd, TMD_PROGRAM_OFFSET, 0, bench_chance(bench, 1, 8) ? room : bench_below(bench, room / 8) * 8);
    tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, code_size);
    tmd_set(tmd, TMD_TANDEM_WAVEFRONT, 0, bench_chance(bench, 1, 2) ? config->threads : 0);
    tmd_set(tmd, TMD_BARRIER_COUNT, 0, bench_below(bench, 2));
    tmd_set(tmd, TMD_CONSTANT_BUFFER_VALID, 0, bench_below(bench, 1u << config->const_banks));
    for (uint32_t b = 0; b < 8; b++) {
        const uint32_t size =
            bench_chance(bench, 1, 4) ? 0 : bench_below(bench, space->size < 65536 ? space->size : 65536);
        tmd_set(tmd, TMD_CONSTANT_BUFFER_SIZE, b, size);
        tmd_set(tmd, TMD_CONSTANT_BUFFER_ADDR_LOWER, b,
                bench_chance(bench, 1, 4) ? space->size - size : bench_below(bench, space->size - size));
    }
    if (bench_chance(bench, 1, 2)) tmd_random_release(bench, space, tmd, 0);
    if (bench_chance(bench, 1, 3)) tmd_random_release(bench, space, tmd, 1);
    tmd[53] = (uint32_t)bench_random(bench);  // the handler's
    if (tmd_get(tmd, TMD_TANDEM_SHARED_ROWS, 0) == 0)
        tmd_set(tmd, TMD_TANDEM_SAVE_ENABLE, 0, bench_chance(bench, 1, 2));
    if (!bench_chance(bench, 1, 4)) return;
    // A closed queue, empty to full, its counters anywhere; it has no grid.
    const uint32_t size = 1u << bench_below(bench, 6), entry = 1 + bench_below(bench, 8);
    const uint32_t get = bench_chance(bench, 1, 2) ? 0x7FFFFFFFu - bench_below(bench, 32) : bench_below(bench, 99);
    tmd_set(tmd, TMD_CIRCULAR_QUEUE_SIZE, 0, size);
    tmd_set(tmd, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 0, entry);
    tmd_set(tmd, TMD_CIRCULAR_QUEUE_ADDR_LOWER, 0, space->size - size * entry);
    tmd_set(tmd, TMD_QUEUE_ENTRIES_PER_CTA_MINUS_ONE, 0, bench_below(bench, 6));
    tmd_set(tmd, TMD_COALESCE_WAITING_PERIOD, 0, bench_below(bench, 256));
    tmd_set(tmd, TMD_OUTER_GET, 0, get);
    tmd_set(tmd, TMD_OUTER_PUT, 0, get + bench_below(bench, size + 1));
    tmd_set(tmd, TMD_CTA_RASTER_WIDTH, 0, 0);
    tmd_set(tmd, TMD_TANDEM_SAVE_ENABLE, 0, 0);
}

// Makes one thing wrong in a good TMD; returns the fault that must come of it.
static inline uint32_t tmd_spoil(struct bench *bench, const struct ppu_config *config, const struct tmd_space *space,
                                 uint32_t tmd[TMD_WORDS]) {
    static const enum tmd_field dimensions[] = {TMD_CTA_THREAD_DIMENSION0, TMD_CTA_THREAD_DIMENSION1,
                                                TMD_CTA_THREAD_DIMENSION2, TMD_CTA_RASTER_WIDTH,
                                                TMD_CTA_RASTER_HEIGHT,     TMD_CTA_RASTER_DEPTH};
    static const enum tmd_field kinds[] = {
        TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE, TMD_CTA_RASTER_WIDTH_RESUME, TMD_CTA_RASTER_HEIGHT_RESUME,
        TMD_CTA_RASTER_DEPTH_RESUME,       TMD_LOCAL_MEMORY_HIGH,       TMD_TANDEM_SUBVECTOR};
    const uint32_t most = config->threads * config->warps;
    const unsigned r = bench_below(bench, 2);
    const uint32_t bit = 1u << bench_below(bench, 3);
    tmd_set(tmd, TMD_CIRCULAR_QUEUE_SIZE, 0, 0);
    tmd_set(tmd, TMD_TANDEM_SAVE_ENABLE, 0, 0);
    tmd_set(tmd, TMD_CTA_RASTER_WIDTH, 0, 1);
    if (bench_chance(bench, 1, 6)) {
        const uint32_t size = 1u << bench_below(bench, 6), entry = 1 + bench_below(bench, 8);
        tmd_set(tmd, TMD_CIRCULAR_QUEUE_SIZE, 0, size);
        tmd_set(tmd, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 0, entry);
        tmd_set(tmd, TMD_CIRCULAR_QUEUE_ADDR_LOWER, 0, space->size - size * entry);
        tmd_set(tmd, TMD_CIRCULAR_QUEUE_ADDR_UPPER, 0, 0);
        tmd_set(tmd, TMD_OUTER_GET, 0, 0x7FFFFFF0u);
        tmd_set(tmd, TMD_OUTER_PUT, 0, (0x7FFFFFF0u + size) & 0x7FFFFFFFu);
        switch (bench_below(bench, 5)) {
            case 0: tmd_set(tmd, TMD_CIRCULAR_QUEUE_SIZE, 0, 3 * size); return FAULT_TMD_CIRCULAR_QUEUE_SIZE;
            case 1: tmd_set(tmd, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 0, 0); return FAULT_TMD_CIRCULAR_QUEUE_SIZE;
            case 2:
                tmd_set(tmd, TMD_CIRCULAR_QUEUE_ADDR_LOWER, 0, space->size - size * entry + 1);
                return FAULT_TMD_CIRCULAR_QUEUE_ADDR;
            case 3:
                tmd_set(tmd, TMD_CIRCULAR_QUEUE_ADDR_UPPER, 0, 1u << bench_below(bench, 8));
                return FAULT_TMD_CIRCULAR_QUEUE_ADDR;
            default: tmd_set(tmd, TMD_OUTER_GET, 0, 0x7FFFFFEFu); return FAULT_TMD_GET_PUT_TOO_LARGE;
        }
    }
    switch (bench_below(bench, 21)) {
        case 0: tmd_set(tmd, TMD_QMD_VERSION, 0, 6 ^ bit); return FAULT_TMD_VERSION;
        case 1: tmd_set(tmd, TMD_QMD_MAJOR_VERSION, 0, 1 ^ bit); return FAULT_TMD_VERSION;
        case 2: tmd_set(tmd, kinds[bench_below(bench, sizeof kinds / sizeof kinds[0])], 0, 1); return FAULT_TMD_KIND;
        case 3: tmd_set(tmd, TMD_TANDEM_WAVEFRONT, 0, config->threads ^ bit); return FAULT_TMD_KIND;
        case 4: tmd_set(tmd, TMD_BARRIER_COUNT, 0, 2 + bench_below(bench, 30)); return FAULT_TMD_KIND;
        case 5:
            tmd_random_release(bench, space, tmd, r);
            tmd_set(tmd, TMD_RELEASE_FORMAT, r, 2 + bench_below(bench, 2));
            return FAULT_TMD_KIND;
        case 6:
            tmd_random_release(bench, space, tmd, r);
            tmd_set(tmd, TMD_RELEASE_STRUCTURE_SIZE, r, 0);
            tmd_set(tmd, TMD_RELEASE_RED_ENABLE, r, 1);
            return FAULT_TMD_KIND;
        case 7: tmd_set(tmd, dimensions[bench_below(bench, 6)], 0, 0); return FAULT_TMD_CTA_THREAD_DIMENSION_ZERO;
        case 8: tmd_set(tmd, TMD_CTA_THREAD_DIMENSION0, 0, most + 1); return FAULT_TMD_TOTAL_THREADS;
        case 9:
            tmd_set(tmd, TMD_CTA_THREAD_DIMENSION0, 0, 0x8000u | bench_below(bench, 0x8000));
            tmd_set(tmd, TMD_CTA_THREAD_DIMENSION1, 0, 0x8000u | bench_below(bench, 0x8000));
            tmd_set(tmd, TMD_CTA_THREAD_DIMENSION2, 0, bench_chance(bench, 1, 2) ? 1 : 0xFFFF);
            return FAULT_TMD_TOTAL_THREADS;
        case 10: {
            const uint32_t x = tmd_get(tmd, TMD_CTA_THREAD_DIMENSION0, 0),
                           y = tmd_get(tmd, TMD_CTA_THREAD_DIMENSION1, 0);
            const uint32_t warps =
                (x * y * tmd_get(tmd, TMD_CTA_THREAD_DIMENSION2, 0) + config->threads - 1) / config->threads;
            const uint32_t fit = config->vgpr_rows / (warps * (config->threads / config->lanes));
            tmd_set(tmd, TMD_REGISTER_COUNT, 0, fit < 255 ? fit + 1 : 0);
            tmd_set(tmd, TMD_TANDEM_SHARED_ROWS, 0, bench_chance(bench, 1, 2) ? 0 : fit + 1 > 255 ? 255 : fit + 1);
            return FAULT_TMD_REGISTER_COUNT;
        }
        case 11: tmd_set(tmd, TMD_REGISTER_COUNT, 0, 0); return FAULT_TMD_REGISTER_COUNT;
        case 12:
            tmd_set(tmd, TMD_SHARED_MEMORY_SIZE, 0,
                    bench_chance(bench, 1, 2) ? config->shared_bytes + 1 : 0x3FFFF - bench_below(bench, 0x10000));
            return FAULT_TMD_SHARED_MEMORY_SIZE;
        case 17: {
            const uint32_t fit = (space->size - space->local) / (config->sms * most) / 16;
            tmd_set(tmd, TMD_LOCAL_MEMORY_LOW, 0,
                    bench_chance(bench, 1, 2) ? 16 * (fit + 1 + bench_below(bench, 3)) : 1 + bench_below(bench, 15));
            if (bench_chance(bench, 1, 3)) tmd_set(tmd, TMD_LOCAL_MEMORY_LOW, 0, 0xFFFFF0);
            return FAULT_TMD_LOCAL_MEMORY;
        }
        case 18: {
            const uint32_t end = space->size >> 8;
            tmd_set(tmd, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, r, 1);
            tmd_set(tmd, TMD_DEPENDENT_QMD_POINTER, r,
                    bench_chance(bench, 1, 2) ? end : end + bench_below(bench, 0x7FFFFFFF - end));
            return FAULT_TMD_DEPENDENT_QMD;
        }
        case 19:
            tmd_set(tmd, TMD_TANDEM_SAVED, 0, 1 + bench_below(bench, 63));
            tmd_set(tmd, TMD_TANDEM_SAVE_ENABLE, 0, bench_below(bench, 2));
            return FAULT_TMD_KIND;
        case 20:
            tmd_set(tmd, TMD_TANDEM_SAVE_ENABLE, 0, 1);
            if (bench_chance(bench, 1, 2)) {
                tmd_set(tmd, TMD_CIRCULAR_QUEUE_SIZE, 0, 1);
                tmd_set(tmd, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 0, 1);
            } else {
                tmd_set(tmd, TMD_TANDEM_SHARED_ROWS, 0, 1 + bench_below(bench, 255));
            }
            return FAULT_TMD_KIND;
        case 13:
            if (bench_chance(bench, 1, 3))
                tmd_set(tmd, TMD_PROGRAM_OFFSET, 0, tmd_get(tmd, TMD_PROGRAM_OFFSET, 0) + 4);
            else if (bench_chance(bench, 1, 2))
                tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, 0);
            else
                tmd_set(tmd, TMD_PROGRAM_OFFSET, 0,
                        space->size - space->region - tmd_get(tmd, TMD_TANDEM_CODE_SIZE, 0) + 8);
            return FAULT_TMD_PROGRAM_OFFSET;
        case 14: {
            const uint32_t b = bench_below(bench, 8);
            tmd_set(tmd, TMD_CONSTANT_BUFFER_VALID, 0, 1u << b);
            if (bench_chance(bench, 1, 2))
                tmd_set(tmd, TMD_CONSTANT_BUFFER_ADDR_UPPER, b, 1);
            else
                tmd_set(tmd, TMD_CONSTANT_BUFFER_ADDR_LOWER, b,
                        space->size - tmd_get(tmd, TMD_CONSTANT_BUFFER_SIZE, b) + 1);
            return FAULT_TMD_CONSTANT_BUFFER;
        }
        case 15:
            tmd_random_release(bench, space, tmd, r);
            tmd_set(tmd, TMD_RELEASE_ADDRESS_LOWER, r,
                    tmd_get(tmd, TMD_RELEASE_ADDRESS_LOWER, r) + 1 + bench_below(bench, 3));
            return FAULT_SEMAPHORE;
        default:
            tmd_random_release(bench, space, tmd, r);
            if (bench_chance(bench, 1, 2))
                tmd_set(tmd, TMD_RELEASE_ADDRESS_UPPER, r, 1);
            else
                tmd_set(tmd, TMD_RELEASE_ADDRESS_LOWER, r, space->size);
            return FAULT_SEMAPHORE_ADDRESS;
    }
}

#endif
