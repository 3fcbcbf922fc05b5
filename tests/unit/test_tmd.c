// TMDs: where the fields stand in the 256 bytes, and every check with its fault.
#include <criterion/criterion.h>
#include <string.h>

#include "gen/registers.h"
#include "task/task_internal.h"

#define SPACE_SIZE 0x10000u
#define REGION 0x2000u
#define LOCAL 0x1000u
#define TMD_AT 0x700u

// ---- the format ----
struct golden {
    enum tmd_field field;
    unsigned index;
    uint32_t value;
    unsigned byte;   // where it stands
    unsigned bytes;  // how many of them are shown
    uint8_t expected[5];
};

// Positions of QMD 01_06, written out by hand.
static const struct golden goldens[] = {
    {TMD_SCHEDULER_NEXT_QMD_POINTER, 0, 0x11223344, 20, 4, {0x44, 0x33, 0x22, 0x11}},
    {TMD_QMD_GROUP_ID, 0, 0x2A, 24, 1, {0x2A}},
    {TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE, 0, 1, 25, 1, {0x01}},
    {TMD_ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST, 0, 1, 25, 1, {0x02}},
    {TMD_SEMAPHORE_RELEASE_ENABLE0, 0, 1, 25, 1, {0x04}},
    {TMD_SEMAPHORE_RELEASE_ENABLE1, 0, 1, 25, 1, {0x08}},
    {TMD_OUTER_PUT, 0, 0x12345678, 0, 4, {0x78, 0x56, 0x34, 0x12}},
    {TMD_OUTER_GET, 0, 0x7FFFFFFE, 4, 4, {0xFE, 0xFF, 0xFF, 0x7F}},
    {TMD_CIRCULAR_QUEUE_SIZE, 0, 0x1234567, 28, 4, {0x67, 0x45, 0x23, 0x01}},
    {TMD_CIRCULAR_QUEUE_ADDR_LOWER, 0, 0x11223344, 36, 4, {0x44, 0x33, 0x22, 0x11}},
    {TMD_CIRCULAR_QUEUE_ADDR_UPPER, 0, 0x55, 40, 1, {0x55}},
    {TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 0, 0x1234, 42, 2, {0x34, 0x12}},
    {TMD_QUEUE_ENTRIES_PER_CTA_MINUS_ONE, 0, 0x7F, 200, 1, {0x7F}},
    {TMD_COALESCE_WAITING_PERIOD, 0, 0xFF, 201, 2, {0xFC, 0x03}},
    {TMD_PROGRAM_OFFSET, 0, 0x00001238, 32, 4, {0x38, 0x12, 0x00, 0x00}},
    {TMD_SEQUENTIALLY_RUN_CTAS, 0, 1, 46, 1, {0x04}},
    {TMD_CTA_RASTER_WIDTH, 0, 0x00010002, 48, 4, {0x02, 0x00, 0x01, 0x00}},
    {TMD_CTA_RASTER_HEIGHT, 0, 0x0304, 52, 2, {0x04, 0x03}},
    {TMD_CTA_RASTER_DEPTH, 0, 0x0506, 54, 2, {0x06, 0x05}},
    {TMD_SHARED_MEMORY_SIZE, 0, 0x21234, 68, 3, {0x34, 0x12, 0x02}},
    {TMD_QMD_VERSION, 0, 6, 72, 1, {0x06}},
    {TMD_QMD_MAJOR_VERSION, 0, 1, 72, 1, {0x10}},
    {TMD_CTA_THREAD_DIMENSION0, 0, 0x0708, 74, 2, {0x08, 0x07}},
    {TMD_CTA_THREAD_DIMENSION1, 0, 0x090A, 76, 2, {0x0A, 0x09}},
    {TMD_CTA_THREAD_DIMENSION2, 0, 0x0B0C, 78, 2, {0x0C, 0x0B}},
    {TMD_CONSTANT_BUFFER_VALID, 0, 0x83, 80, 1, {0x83}},
    {TMD_DEPENDENCE_COUNTER, 0, 0x11223344, 244, 4, {0x44, 0x33, 0x22, 0x11}},
    {TMD_DEPENDENT_QMD_POINTER, 0, 0x7F223344, 248, 4, {0x44, 0x33, 0x22, 0x7F}},
    {TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, 0, 1, 251, 1, {0x80}},
    {TMD_DEPENDENT_QMD_POINTER, 1, 0x11223344, 252, 4, {0x44, 0x33, 0x22, 0x11}},
    {TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, 1, 1, 255, 1, {0x80}},
    {TMD_RELEASE_ADDRESS_LOWER, 0, 0x44332210, 92, 4, {0x10, 0x22, 0x33, 0x44}},
    {TMD_RELEASE_ADDRESS_UPPER, 0, 0x55, 96, 1, {0x55}},
    {TMD_RELEASE_RED_OP, 0, 5, 98, 1, {0x50}},
    {TMD_RELEASE_FORMAT, 0, 1, 99, 1, {0x01}},
    {TMD_RELEASE_RED_ENABLE, 0, 1, 99, 1, {0x04}},
    {TMD_RELEASE_STRUCTURE_SIZE, 0, 1, 99, 1, {0x80}},
    {TMD_RELEASE_PAYLOAD, 0, 0xCAFEF00D, 100, 4, {0x0D, 0xF0, 0xFE, 0xCA}},
    {TMD_RELEASE_ADDRESS_LOWER, 1, 0x88776650, 104, 4, {0x50, 0x66, 0x77, 0x88}},
    {TMD_RELEASE_STRUCTURE_SIZE, 1, 1, 111, 1, {0x80}},
    {TMD_RELEASE_PAYLOAD, 1, 0x12345678, 112, 4, {0x78, 0x56, 0x34, 0x12}},
    {TMD_CONSTANT_BUFFER_ADDR_LOWER, 0, 0x0A0B0C00, 116, 4, {0x00, 0x0C, 0x0B, 0x0A}},
    {TMD_CONSTANT_BUFFER_ADDR_UPPER, 0, 0x99, 120, 1, {0x99}},
    {TMD_CONSTANT_BUFFER_SIZE, 0, 0x10001, 121, 3, {0x80, 0x00, 0x80}},
    {TMD_CONSTANT_BUFFER_ADDR_LOWER, 7, 0x0A0B0C00, 172, 4, {0x00, 0x0C, 0x0B, 0x0A}},
    {TMD_CONSTANT_BUFFER_SIZE, 7, 0x1FFFF, 177, 3, {0x80, 0xFF, 0xFF}},
    {TMD_BARRIER_COUNT, 0, 0x1F, 183, 1, {0xF8}},
    {TMD_REGISTER_COUNT, 0, 0x40, 187, 1, {0x40}},
    {TMD_SASS_VERSION, 0, 0x35, 191, 1, {0x35}},
    {TMD_TANDEM_CODE_SIZE, 0, 0x00012340, 220, 4, {0x40, 0x23, 0x01, 0x00}},
    {TMD_TANDEM_SHARED_ROWS, 0, 0x77, 224, 1, {0x77}},
    {TMD_TANDEM_WAVEFRONT, 0, 64, 225, 1, {64}},
    {TMD_TANDEM_SUBVECTOR, 0, 9, 226, 1, {9}},
    {TMD_TANDEM_REGION, 0, 0x12345678, 228, 4, {0x78, 0x56, 0x34, 0x12}},
    {TMD_TANDEM_STATE, 0, 0x9ABCDEF0, 232, 4, {0xF0, 0xDE, 0xBC, 0x9A}},
    {TMD_TANDEM_LOCAL, 0, 0x11223344, 236, 4, {0x44, 0x33, 0x22, 0x11}},
    {TMD_TANDEM_PARENT, 0, 0xC5112233, 240, 4, {0x33, 0x22, 0x11, 0xC5}},
    {TMD_TANDEM_SAVED_LIST, 0, 0x11223344, 212, 4, {0x44, 0x33, 0x22, 0x11}},
    {TMD_TANDEM_SAVE_POOL, 0, 0x55667788, 216, 4, {0x88, 0x77, 0x66, 0x55}},
    {TMD_TANDEM_SAVE_ENABLE, 0, 1, 226, 1, {0x10}},
    {TMD_TANDEM_SAVED, 0, 0x3F, 227, 1, {0x3F}},
};

Test(tmd, golden_bytes,
     .description = "TU-1 TU-13 TU-14 each field stands at the public bit positions, and moves no other bit [model]") {
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++) {
        const struct golden *g = &goldens[i];
        uint32_t tmd[TMD_WORDS] = {0};
        uint8_t bytes[TMD_BYTES], expected[TMD_BYTES] = {0};
        tmd_set(tmd, g->field, g->index, g->value);
        memcpy(expected + g->byte, g->expected, g->bytes);
        memcpy(bytes, tmd, TMD_BYTES);
        cr_assert_eq(memcmp(bytes, expected, TMD_BYTES), 0, "golden %zu", i);
        cr_assert_eq(tmd_get(tmd, g->field, g->index), g->value);
    }
}

static unsigned indices(enum tmd_field field) {
    if (field >= TMD_RELEASE_ADDRESS_LOWER && field <= TMD_RELEASE_PAYLOAD) return 2;
    if (field >= TMD_CONSTANT_BUFFER_ADDR_LOWER && field <= TMD_CONSTANT_BUFFER_SIZE) return 8;
    return 1;
}

Test(tmd, fields_do_not_overlap,
     .description = "TU-1 no two fields share a bit; setting one leaves the others alone [model]") {
    uint32_t seen[TMD_WORDS] = {0};
    for (int f = 0; f < TMD_FIELD_COUNT; f++) {
        for (unsigned i = 0; i < indices((enum tmd_field)f); i++) {
            uint32_t ones[TMD_WORDS] = {0}, holes[TMD_WORDS];
            tmd_set(ones, (enum tmd_field)f, i, UINT32_MAX);
            memset(holes, 0xFF, sizeof holes);
            tmd_set(holes, (enum tmd_field)f, i, 0);
            cr_assert_eq(tmd_get(holes, (enum tmd_field)f, i), 0);
            unsigned bits = 0;
            for (unsigned w = 0; w < TMD_WORDS; w++) {
                cr_assert_eq(seen[w] & ones[w], 0, "field %d of index %u shares bits of word %u", f, i, w);
                cr_assert_eq(holes[w], ~ones[w]);
                seen[w] |= ones[w];
                bits += (unsigned)__builtin_popcount(ones[w]);
            }
            cr_assert_gt(bits, 0);
            cr_assert_leq(bits, 32);
        }
    }
}

// ---- the checks ----
static const struct ppu_config *config(void) {
    return ppu_config_find("nano");
}

// A TMD of one warp with everything right.
static void good(struct launch *launch) {
    memset(launch, 0, sizeof *launch);
    launch->channel = 1;
    launch->tmd = TMD_AT;
    launch->region = REGION;
    launch->local = LOCAL;
    launch->lines = TMD_LINES;
    uint32_t *w = launch->words;
    tmd_set(w, TMD_QMD_VERSION, 0, 6);
    tmd_set(w, TMD_QMD_MAJOR_VERSION, 0, 1);
    tmd_set(w, TMD_PROGRAM_OFFSET, 0, 0x80);
    tmd_set(w, TMD_TANDEM_CODE_SIZE, 0, 0x40);
    tmd_set(w, TMD_CTA_RASTER_WIDTH, 0, 3);
    tmd_set(w, TMD_CTA_RASTER_HEIGHT, 0, 2);
    tmd_set(w, TMD_CTA_RASTER_DEPTH, 0, 1);
    tmd_set(w, TMD_CTA_THREAD_DIMENSION0, 0, 8);
    tmd_set(w, TMD_CTA_THREAD_DIMENSION1, 0, 4);
    tmd_set(w, TMD_CTA_THREAD_DIMENSION2, 0, 1);
    tmd_set(w, TMD_REGISTER_COUNT, 0, 16);
    tmd_set(w, TMD_CONSTANT_BUFFER_VALID, 0, 1);
    tmd_set(w, TMD_CONSTANT_BUFFER_ADDR_LOWER, 0, 0x4000);
    tmd_set(w, TMD_CONSTANT_BUFFER_SIZE, 0, 256);
    tmd_set(w, TMD_SEMAPHORE_RELEASE_ENABLE0, 0, 1);
    tmd_set(w, TMD_RELEASE_ADDRESS_LOWER, 0, 0x5004);
    tmd_set(w, TMD_RELEASE_STRUCTURE_SIZE, 0, 1);
}

Test(tmd, taken_apart, .description = "TU-1 TU-9 what an SM sees of a task is what its TMD says [model]") {
    struct launch launch;
    good(&launch);
    tmd_set(launch.words, TMD_QMD_GROUP_ID, 0, 33);
    tmd_check(config(), SPACE_SIZE, &launch);
    const struct task_slot *slot = &launch.checked.slot;
    cr_assert_eq(launch.code, FAULT_NONE);
    cr_assert_eq(slot->channel, 1);
    cr_assert_eq(slot->tmd, TMD_AT);
    cr_assert_eq(slot->region, REGION);
    cr_assert_eq(slot->code_base, REGION + 0x80);
    cr_assert_eq(slot->code_size, 0x40);
    cr_assert_eq(slot->ntid[0], 8);
    cr_assert_eq(slot->ntid[1], 4);
    cr_assert_eq(slot->ntid[2], 1);
    cr_assert_eq(slot->grid[0], 3);
    cr_assert_eq(slot->grid[1], 2);
    cr_assert_eq(slot->threads, 32);
    cr_assert_eq(slot->registers, 16);
    cr_assert_eq(slot->local, LOCAL);
    cr_assert_eq(slot->const_valid, 1);
    cr_assert_eq(slot->const_addr[0], 0x4000);
    cr_assert_eq(slot->const_size[0], 256);
    cr_assert_eq(launch.checked.group, 33);
    cr_assert_eq(launch.checked.release[0].addr, 0x5004);
    cr_assert_not(launch.checked.release[1].enable);
}

struct change {
    enum tmd_field field;
    unsigned index;
    uint32_t value;
};
struct fault_case {
    struct change changes[3];
    unsigned count;
    uint32_t code, info;
};

#define ONE(field, index, value) {{TMD_##field, index, value}}, 1
#define TWO(f1, i1, v1, f2, i2, v2) {{TMD_##f1, i1, v1}, {TMD_##f2, i2, v2}}, 2
#define THREE(f1, i1, v1, f2, i2, v2, f3, i3, v3) {{TMD_##f1, i1, v1}, {TMD_##f2, i2, v2}, {TMD_##f3, i3, v3}}, 3

// nano: 2 warps of 32 threads, 4 lanes (8 portions), 512 rows, 2 banks.
static const struct fault_case faults[] = {
    {ONE(QMD_VERSION, 0, 7), FAULT_TMD_VERSION, TMD_AT},
    {ONE(QMD_MAJOR_VERSION, 0, 2), FAULT_TMD_VERSION, TMD_AT},
    // pending already, in the epoch of the channel (0)
    {ONE(TANDEM_STATE, 0, 5 << 2 | 1), FAULT_TMD_ACTIVE, TMD_AT},
    {ONE(TANDEM_STATE, 0, 3), FAULT_TMD_ACTIVE, TMD_AT},
    {ONE(SCHEDULE_ON_PUT_UPDATE_ENABLE, 0, 1), FAULT_TMD_KIND, TMD_AT},
    // queues: TWO leaves the ring at 0
    {ONE(CIRCULAR_QUEUE_SIZE, 0, 64), FAULT_TMD_CIRCULAR_QUEUE_SIZE, 64},  // of entries of 0 bytes
    {TWO(CIRCULAR_QUEUE_SIZE, 0, 48, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 4), FAULT_TMD_CIRCULAR_QUEUE_SIZE, 48},
    {TWO(CIRCULAR_QUEUE_SIZE, 0, 0x1FFFFFF, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 4), FAULT_TMD_CIRCULAR_QUEUE_SIZE, 0x1FFFFFF},
    {TWO(CIRCULAR_QUEUE_SIZE, 0, 1u << 24, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 0xFFFF), FAULT_TMD_CIRCULAR_QUEUE_ADDR, 0},
    {TWO(CIRCULAR_QUEUE_SIZE, 0, SPACE_SIZE / 2, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 3), FAULT_TMD_CIRCULAR_QUEUE_ADDR, 0},
    {THREE(CIRCULAR_QUEUE_SIZE, 0, 16, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 4, CIRCULAR_QUEUE_ADDR_LOWER, 0, SPACE_SIZE - 63),
     FAULT_TMD_CIRCULAR_QUEUE_ADDR, SPACE_SIZE - 63},
    {THREE(CIRCULAR_QUEUE_SIZE, 0, 16, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 4, CIRCULAR_QUEUE_ADDR_UPPER, 0, 1),
     FAULT_TMD_CIRCULAR_QUEUE_ADDR, 0},
    {THREE(CIRCULAR_QUEUE_SIZE, 0, 16, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 4, OUTER_PUT, 0, 17), FAULT_TMD_GET_PUT_TOO_LARGE,
     TMD_AT},
    {THREE(CIRCULAR_QUEUE_SIZE, 0, 16, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 4, OUTER_GET, 0, 1), FAULT_TMD_GET_PUT_TOO_LARGE,
     TMD_AT},
    {ONE(CTA_RASTER_WIDTH_RESUME, 0, 1), FAULT_TMD_KIND, TMD_AT},  // it was not evicted
    {ONE(CTA_RASTER_HEIGHT_RESUME, 0, 1), FAULT_TMD_KIND, TMD_AT},
    {ONE(CTA_RASTER_DEPTH_RESUME, 0, 1), FAULT_TMD_KIND, TMD_AT},
    {ONE(LOCAL_MEMORY_HIGH, 0, 16), FAULT_TMD_KIND, TMD_AT},
    {ONE(TANDEM_SUBVECTOR, 0, 1), FAULT_TMD_KIND, TMD_AT},
    {ONE(TANDEM_SAVED, 0, 1), FAULT_TMD_KIND, TMD_AT},  // it has not run
    {TWO(TANDEM_SAVE_ENABLE, 0, 1, TANDEM_SAVED, 0, 1), FAULT_TMD_KIND, TMD_AT},
    {TWO(TANDEM_SAVE_ENABLE, 0, 1, TANDEM_SHARED_ROWS, 0, 1), FAULT_TMD_KIND, TMD_AT},
    {THREE(TANDEM_SAVE_ENABLE, 0, 1, CIRCULAR_QUEUE_SIZE, 0, 16, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 4), FAULT_TMD_KIND,
     TMD_AT},
    {ONE(TANDEM_WAVEFRONT, 0, 64), FAULT_TMD_KIND, TMD_AT},
    {ONE(BARRIER_COUNT, 0, 2), FAULT_TMD_KIND, TMD_AT},
    {ONE(RELEASE_FORMAT, 0, 2), FAULT_TMD_KIND, TMD_AT},
    {TWO(RELEASE_RED_ENABLE, 0, 1, RELEASE_STRUCTURE_SIZE, 0, 0), FAULT_TMD_KIND, TMD_AT},
    {ONE(CTA_THREAD_DIMENSION0, 0, 0), FAULT_TMD_CTA_THREAD_DIMENSION_ZERO, TMD_AT},
    {ONE(CTA_THREAD_DIMENSION1, 0, 0), FAULT_TMD_CTA_THREAD_DIMENSION_ZERO, TMD_AT},
    {ONE(CTA_THREAD_DIMENSION2, 0, 0), FAULT_TMD_CTA_THREAD_DIMENSION_ZERO, TMD_AT},
    {ONE(CTA_RASTER_WIDTH, 0, 0), FAULT_TMD_CTA_THREAD_DIMENSION_ZERO, TMD_AT},
    {ONE(CTA_RASTER_HEIGHT, 0, 0), FAULT_TMD_CTA_THREAD_DIMENSION_ZERO, TMD_AT},
    {ONE(CTA_RASTER_DEPTH, 0, 0), FAULT_TMD_CTA_THREAD_DIMENSION_ZERO, TMD_AT},
    {TWO(CTA_THREAD_DIMENSION0, 0, 65, CTA_THREAD_DIMENSION1, 0, 1), FAULT_TMD_TOTAL_THREADS, 65},
    {ONE(CTA_THREAD_DIMENSION2, 0, 3), FAULT_TMD_TOTAL_THREADS, 96},
    {THREE(CTA_THREAD_DIMENSION0, 0, 0xFFFF, CTA_THREAD_DIMENSION1, 0, 0xFFFF, CTA_THREAD_DIMENSION2, 0, 1),
     FAULT_TMD_TOTAL_THREADS, 0xFFFE0001},
    {THREE(CTA_THREAD_DIMENSION0, 0, 0xFFFF, CTA_THREAD_DIMENSION1, 0, 0xFFFF, CTA_THREAD_DIMENSION2, 0, 0xFFFF),
     FAULT_TMD_TOTAL_THREADS, UINT32_MAX},
    // 0x8000 * 0x8000 * 4 = 2^32: does not count as 0.
    {THREE(CTA_THREAD_DIMENSION0, 0, 0x8000, CTA_THREAD_DIMENSION1, 0, 0x8000, CTA_THREAD_DIMENSION2, 0, 4),
     FAULT_TMD_TOTAL_THREADS, UINT32_MAX},
    {ONE(REGISTER_COUNT, 0, 0), FAULT_TMD_REGISTER_COUNT, 0},
    {ONE(REGISTER_COUNT, 0, 65), FAULT_TMD_REGISTER_COUNT, 65},
    {ONE(TANDEM_SHARED_ROWS, 0, 16), FAULT_TMD_REGISTER_COUNT, 16},  // none private
    {TWO(REGISTER_COUNT, 0, 67, TANDEM_SHARED_ROWS, 0, 3), FAULT_TMD_REGISTER_COUNT, 67},
    {TWO(REGISTER_COUNT, 0, 33, CTA_THREAD_DIMENSION2, 0, 2), FAULT_TMD_REGISTER_COUNT, 33},
    {ONE(SHARED_MEMORY_SIZE, 0, 4097), FAULT_TMD_SHARED_MEMORY_SIZE, 4097},
    {ONE(SHARED_MEMORY_SIZE, 0, 0x3FFFF), FAULT_TMD_SHARED_MEMORY_SIZE, 0x3FFFF},
    {ONE(LOCAL_MEMORY_LOW, 0, 8), FAULT_TMD_LOCAL_MEMORY, 8},
    {ONE(LOCAL_MEMORY_LOW, 0, (SPACE_SIZE - LOCAL) / 64 + 16), FAULT_TMD_LOCAL_MEMORY, (SPACE_SIZE - LOCAL) / 64 + 16},
    {ONE(LOCAL_MEMORY_LOW, 0, 0xFFFFF0), FAULT_TMD_LOCAL_MEMORY, 0xFFFFF0},
    {ONE(PROGRAM_OFFSET, 0, 0x84), FAULT_TMD_PROGRAM_OFFSET, 0x84},
    {ONE(PROGRAM_OFFSET, 0, SPACE_SIZE - REGION - 0x38), FAULT_TMD_PROGRAM_OFFSET, SPACE_SIZE - REGION - 0x38},
    {ONE(PROGRAM_OFFSET, 0, 0xFFFFFFF8), FAULT_TMD_PROGRAM_OFFSET, 0xFFFFFFF8},
    {ONE(TANDEM_CODE_SIZE, 0, 0), FAULT_TMD_PROGRAM_OFFSET, 0x80},
    {ONE(TANDEM_CODE_SIZE, 0, 0x44), FAULT_TMD_PROGRAM_OFFSET, 0x80},
    {ONE(TANDEM_CODE_SIZE, 0, 0xFFFFFFF8), FAULT_TMD_PROGRAM_OFFSET, 0x80},
    {ONE(CONSTANT_BUFFER_VALID, 0, 0x84), FAULT_TMD_CONSTANT_BUFFER, 2},
    {ONE(CONSTANT_BUFFER_ADDR_UPPER, 0, 1), FAULT_TMD_CONSTANT_BUFFER, 0},
    {ONE(CONSTANT_BUFFER_ADDR_LOWER, 0, SPACE_SIZE - 255), FAULT_TMD_CONSTANT_BUFFER, 0},
    {TWO(CONSTANT_BUFFER_VALID, 0, 3, CONSTANT_BUFFER_ADDR_LOWER, 1, 0xFFFFFFFF), FAULT_TMD_CONSTANT_BUFFER, 1},
    {ONE(RELEASE_ADDRESS_LOWER, 0, 0x5002), FAULT_SEMAPHORE, 0x5002},
    {TWO(RELEASE_ADDRESS_LOWER, 0, 0x5008, RELEASE_STRUCTURE_SIZE, 0, 0), FAULT_SEMAPHORE, 0x5008},
    {ONE(RELEASE_ADDRESS_LOWER, 0, SPACE_SIZE), FAULT_SEMAPHORE_ADDRESS, SPACE_SIZE},
    {ONE(RELEASE_ADDRESS_UPPER, 0, 1), FAULT_SEMAPHORE_ADDRESS, 0x5004},
    {TWO(SEMAPHORE_RELEASE_ENABLE1, 0, 1, RELEASE_ADDRESS_LOWER, 1, 0x6001), FAULT_SEMAPHORE, 0x6001},
    {TWO(SEMAPHORE_RELEASE_ENABLE1, 0, 1, RELEASE_ADDRESS_UPPER, 1, 1), FAULT_SEMAPHORE_ADDRESS, 0},
    // RELEASE0 before RELEASE1, whatever it is.
    {THREE(RELEASE_ADDRESS_LOWER, 0, SPACE_SIZE, SEMAPHORE_RELEASE_ENABLE1, 0, 1, RELEASE_ADDRESS_LOWER, 1, 1),
     FAULT_SEMAPHORE_ADDRESS, SPACE_SIZE},
    {TWO(DEPENDENT_QMD_SCHEDULE_ENABLE, 0, 1, DEPENDENT_QMD_POINTER, 0, SPACE_SIZE >> 8), FAULT_TMD_DEPENDENT_QMD,
     SPACE_SIZE},
    {TWO(DEPENDENT_QMD_SCHEDULE_ENABLE, 1, 1, DEPENDENT_QMD_POINTER, 1, 0x7F000012), FAULT_TMD_DEPENDENT_QMD, 0x1200},
    // What a task releases before what it frees.
    {THREE(RELEASE_ADDRESS_LOWER, 0, SPACE_SIZE, DEPENDENT_QMD_SCHEDULE_ENABLE, 1, 1, DEPENDENT_QMD_POINTER, 1, 0xFFFF),
     FAULT_SEMAPHORE_ADDRESS, SPACE_SIZE},
};

Test(tmd, faults, .description = "TU-11 every malformed TMD has its named fault and its info [model]") {
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const struct fault_case *f = &faults[i];
        struct launch launch;
        good(&launch);
        for (unsigned c = 0; c < f->count; c++)
            tmd_set(launch.words, f->changes[c].field, f->changes[c].index, f->changes[c].value);
        tmd_check(config(), SPACE_SIZE, &launch);
        cr_assert_eq(launch.code, f->code, "case %zu: %s, not %s", i, fault_name(launch.code), fault_name(f->code));
        cr_assert_eq(launch.info, f->info, "case %zu: info 0x%x, not 0x%x", i, launch.info, f->info);
    }
}

Test(tmd, unreadable, .description = "TU-11 a TMD that cannot be read: outside the space, or a bus error [model]") {
    struct launch launch;
    good(&launch);
    launch.fault = 1;
    tmd_check(config(), SPACE_SIZE, &launch);
    cr_assert_eq(launch.code, FAULT_TMD_FETCH);
    cr_assert_eq(launch.info, TMD_AT);
    launch.fault = 2;
    tmd_check(config(), SPACE_SIZE, &launch);
    cr_assert_eq(launch.code, FAULT_BUS_ERROR);
}

Test(tmd, local_base, .description = "TU-11 local memory without a base, or with one inside a line [model]") {
    static const uint32_t bases[] = {0, LOCAL + 4, LOCAL + 16, 0xFFFFFFE0};
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        struct launch launch;
        good(&launch);
        launch.local = bases[i];
        tmd_check(config(), SPACE_SIZE, &launch);
        cr_assert_eq(launch.code, FAULT_NONE, "no local memory is asked for");
        tmd_set(launch.words, TMD_LOCAL_MEMORY_LOW, 0, 32);
        tmd_check(config(), SPACE_SIZE, &launch);
        cr_assert_eq(launch.code, FAULT_TMD_LOCAL_MEMORY, "base 0x%x: %s", bases[i], fault_name(launch.code));
        cr_assert_eq(launch.info, 32);
    }
}

// At the limit and not past it.
static const struct fault_case fine[] = {
    {TWO(CTA_THREAD_DIMENSION0, 0, 64, CTA_THREAD_DIMENSION1, 0, 1), FAULT_NONE, 0},
    {ONE(REGISTER_COUNT, 0, 64), FAULT_NONE, 0},
    {TWO(REGISTER_COUNT, 0, 66, TANDEM_SHARED_ROWS, 0, 3), FAULT_NONE, 0},  // 63 private, 1 for 8 shared
    {ONE(TANDEM_SHARED_ROWS, 0, 15), FAULT_NONE, 0},
    {TWO(REGISTER_COUNT, 0, 32, CTA_THREAD_DIMENSION2, 0, 2), FAULT_NONE, 0},
    {ONE(PROGRAM_OFFSET, 0, SPACE_SIZE - REGION - 0x40), FAULT_NONE, 0},
    {ONE(CONSTANT_BUFFER_ADDR_LOWER, 0, SPACE_SIZE - 256), FAULT_NONE, 0},
    {ONE(CONSTANT_BUFFER_VALID, 0, 0), FAULT_NONE, 0},
    {ONE(RELEASE_ADDRESS_LOWER, 0, SPACE_SIZE - 4), FAULT_NONE, 0},
    {TWO(RELEASE_STRUCTURE_SIZE, 0, 0, RELEASE_ADDRESS_LOWER, 0, SPACE_SIZE - 16), FAULT_NONE, 0},
    {TWO(SEMAPHORE_RELEASE_ENABLE0, 0, 0, RELEASE_ADDRESS_LOWER, 0, 3), FAULT_NONE, 0},
    {ONE(TANDEM_WAVEFRONT, 0, 32), FAULT_NONE, 0},
    {THREE(TANDEM_SAVE_ENABLE, 0, 1, TANDEM_SAVED_LIST, 0, 7, TANDEM_SAVE_POOL, 0, 9), FAULT_NONE, 0},
    {TWO(DEPENDENT_QMD_SCHEDULE_ENABLE, 1, 1, DEPENDENT_QMD_POINTER, 1, (SPACE_SIZE >> 8) - 1), FAULT_NONE, 0},
    {TWO(DEPENDENT_QMD_SCHEDULE_ENABLE, 1, 0, DEPENDENT_QMD_POINTER, 1, 0xFFFF), FAULT_NONE, 0},
    {ONE(DEPENDENCE_COUNTER, 0, 5), FAULT_NONE, 0},
    {TWO(CIRCULAR_QUEUE_SIZE, 0, SPACE_SIZE / 4, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 4), FAULT_NONE, 0},
    {THREE(CIRCULAR_QUEUE_SIZE, 0, 16, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 4, OUTER_PUT, 0, 16), FAULT_NONE, 0},
    {THREE(CIRCULAR_QUEUE_SIZE, 0, 16, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 4, CIRCULAR_QUEUE_ADDR_LOWER, 0, SPACE_SIZE - 64),
     FAULT_NONE, 0},
    {THREE(CIRCULAR_QUEUE_SIZE, 0, 16, CIRCULAR_QUEUE_ENTRY_SIZE, 0, 4, CTA_RASTER_WIDTH, 0, 0), FAULT_NONE, 0},
    {ONE(BARRIER_COUNT, 0, 1), FAULT_NONE, 0},
    {ONE(SASS_VERSION, 0, 255), FAULT_NONE, 0},
    {ONE(SHARED_MEMORY_SIZE, 0, 4096), FAULT_NONE, 0},
    // What a launch says about links and earlier epochs means nothing.
    {THREE(SCHEDULER_NEXT_QMD_POINTER, 0, 0x100, TANDEM_STATE, 0, 1 << 8 | 1, TANDEM_REGION, 0, 4), FAULT_NONE, 0},
    {ONE(TANDEM_STATE, 0, 5 << 2), FAULT_NONE, 0},
    {ONE(LOCAL_MEMORY_LOW, 0, (SPACE_SIZE - LOCAL) / 64), FAULT_NONE, 0},
    {THREE(CTA_RASTER_WIDTH, 0, UINT32_MAX, CTA_RASTER_HEIGHT, 0, 0xFFFF, CTA_RASTER_DEPTH, 0, 0xFFFF), FAULT_NONE, 0},
};

Test(tmd, limits, .description = "TU-1 TU-11 what is just inside every limit is taken [model]") {
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        struct launch launch;
        good(&launch);
        for (unsigned c = 0; c < fine[i].count; c++)
            tmd_set(launch.words, fine[i].changes[c].field, fine[i].changes[c].index, fine[i].changes[c].value);
        tmd_check(config(), SPACE_SIZE, &launch);
        cr_assert_eq(launch.code, FAULT_NONE, "case %zu: %s", i, fault_name(launch.code));
    }
}

// A task of the list of level 33, in epoch 7.
static void listed(struct launch *launch) {
    good(launch);
    launch->listed = true;
    launch->level = 33;
    launch->epoch = 7;
    launch->region = launch->local = 0;
    tmd_set(launch->words, TMD_QMD_GROUP_ID, 0, 33);
    tmd_set(launch->words, TMD_TANDEM_LOCAL, 0, LOCAL);
    tmd_set(launch->words, TMD_TANDEM_REGION, 0, REGION);
    tmd_set(launch->words, TMD_TANDEM_STATE, 0, 7 << 8 | 33 << 2 | 1);
}

Test(tmd, from_a_list, .description = "TU-2 TU-11 a link must lead to a task that is pending in this list [model]") {
    struct launch launch;
    listed(&launch);
    tmd_check(config(), SPACE_SIZE, &launch);
    cr_assert_eq(launch.code, FAULT_NONE, "%s", fault_name(launch.code));
    cr_assert_eq(launch.checked.slot.region, REGION);
    cr_assert_eq(launch.checked.slot.local, LOCAL);
    cr_assert_eq(launch.checked.slot.code_base, REGION + 0x80);
    static const struct change wrong[] = {
        {TMD_TANDEM_STATE, 0, 0},                       // not pending
        {TMD_TANDEM_STATE, 0, 7 << 8 | 33 << 2},        // neither
        {TMD_TANDEM_STATE, 0, 7 << 8 | 33 << 2 | 3},    // parked
        {TMD_TANDEM_STATE, 0, 6 << 8 | 33 << 2 | 1},    // was, before a fault
        {TMD_TANDEM_STATE, 0, 7 << 8 | 32 << 2 | 1},    // in another level
        {TMD_QMD_GROUP_ID, 0, 32},                      // says so
        {TMD_SCHEDULER_NEXT_QMD_POINTER, 0, 1u << 24},  // links past 2^32
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        listed(&launch);
        tmd_set(launch.words, wrong[i].field, 0, wrong[i].value);
        tmd_check(config(), SPACE_SIZE, &launch);
        cr_assert_eq(launch.code, FAULT_TMD_LINK, "case %zu: %s", i, fault_name(launch.code));
        cr_assert_eq(launch.info, TMD_AT);
    }
    // Evicted: goes on in its grid of 3 * 2 * 1.
    static const struct {
        uint32_t x, y, z, code;
    } places[] = {
        {2, 1, 0, FAULT_NONE}, {3, 0, 0, FAULT_TMD_RESUME}, {0, 2, 0, FAULT_TMD_RESUME}, {0, 0, 1, FAULT_TMD_RESUME}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        for (uint32_t kind = 1; kind <= 2; kind++) {
            listed(&launch);
            tmd_set(launch.words, TMD_TANDEM_STATE, 0, 7 << 8 | 33 << 2 | kind);
            tmd_set(launch.words, TMD_CTA_RASTER_WIDTH_RESUME, 0, places[i].x);
            tmd_set(launch.words, TMD_CTA_RASTER_HEIGHT_RESUME, 0, places[i].y);
            tmd_set(launch.words, TMD_CTA_RASTER_DEPTH_RESUME, 0, places[i].z);
            tmd_check(config(), SPACE_SIZE, &launch);
            cr_assert_eq(launch.code, kind == 1 ? FAULT_TMD_KIND : places[i].code, "place %zu: %s", i,
                         fault_name(launch.code));
            if (launch.code == FAULT_NONE) cr_assert_eq(launch.checked.next[0], 2);
        }
    }
    // The last one links to nobody.
    listed(&launch);
    tmd_set(launch.words, TMD_SCHEDULER_NEXT_QMD_POINTER, 0, UINT32_MAX);
    launch.last = true;
    tmd_check(config(), SPACE_SIZE, &launch);
    cr_assert_eq(launch.code, FAULT_NONE);
    // Outside the space: the link is to blame.
    listed(&launch);
    launch.fault = 1;
    tmd_check(config(), SPACE_SIZE, &launch);
    cr_assert_eq(launch.code, FAULT_TMD_LINK);
    // What has changed since the launch is found.
    listed(&launch);
    tmd_set(launch.words, TMD_TANDEM_REGION, 0, SPACE_SIZE);
    tmd_check(config(), SPACE_SIZE, &launch);
    cr_assert_eq(launch.code, FAULT_TMD_PROGRAM_OFFSET);
}

// It was evicted, from level 33 in epoch 7, and CTAs of it have left.
static void left(struct launch *launch, uint32_t saved, uint32_t z) {
    listed(launch);
    tmd_set(launch->words, TMD_TANDEM_SAVE_ENABLE, 0, 1);
    tmd_set(launch->words, TMD_TANDEM_SAVED, 0, saved);
    tmd_set(launch->words, TMD_TANDEM_STATE, 0, 7 << 8 | 33 << 2 | TASK_EVICTED);
    tmd_set(launch->words, TMD_CTA_RASTER_DEPTH_RESUME, 0, z);
}

Test(tmd, ctas_that_come_back,
     .description =
         "TU-13 TU-14 TU-11 an evicted task says how many CTAs come back, and whether others are left "
         "[model]") {
    static const struct {
        uint32_t saved, z, save, code;
        bool launched;
    } cases[] = {
        {0, 0, 1, FAULT_NONE, false},        {1, 0, 1, FAULT_NONE, false},
        {2, 1, 1, FAULT_NONE, true},                                              // all are out, two come back
        {0, 1, 1, FAULT_TMD_RESUME, false},                                       // nothing is left
        {2, 2, 1, FAULT_TMD_RESUME, false},                                       // behind the grid
        {3, 0, 1, FAULT_NONE, false},        {4, 0, 1, FAULT_TMD_RESUME, false},  // more than can have left nano
        {63, 1, 1, FAULT_TMD_RESUME, false}, {1, 0, 0, FAULT_TMD_KIND, false},    // it cannot step aside
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct launch launch;
        left(&launch, cases[i].saved, cases[i].z);
        tmd_set(launch.words, TMD_TANDEM_SAVE_ENABLE, 0, cases[i].save);
        tmd_check(config(), SPACE_SIZE, &launch);
        cr_assert_eq(launch.code, cases[i].code, "case %zu: %s", i, fault_name(launch.code));
        if (launch.code != FAULT_NONE) continue;
        cr_assert(launch.resumed && launch.checked.save);
        cr_assert_eq(launch.checked.saved, cases[i].saved);
        cr_assert_eq(launch.checked.launched, cases[i].launched);
    }
}

Test(tmd, whose_children_have_ended,
     .description = "TU-13 TU-11 what left with children is launched by the last of them, if its TMD says so [model]") {
    static const struct {
        uint32_t state, code;
        bool resumed;
    } cases[] = {
        {7 << 8 | 33 << 2 | 3, FAULT_NONE, true},
        {7 << 8 | 32 << 2 | 3, FAULT_TMD_ACTIVE, false},  // in another level
        {7 << 8 | 33 << 2 | 1, FAULT_TMD_ACTIVE, false},  // pending
        {7 << 8 | 33 << 2 | 2, FAULT_TMD_ACTIVE, false},  // evicted, in its list
        {6 << 8 | 33 << 2 | 3, FAULT_TMD_KIND, false},    // parked before a fault: of a new task nothing comes back
        {0, FAULT_TMD_KIND, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct launch launch;
        left(&launch, 2, 1);
        launch.listed = false;
        launch.freed = true;
        tmd_set(launch.words, TMD_TANDEM_STATE, 0, cases[i].state);
        tmd_set(launch.words, TMD_TANDEM_PARENT, 0, 0xFF001234);
        tmd_check(config(), SPACE_SIZE, &launch);
        cr_assert_eq(launch.code, cases[i].code, "case %zu: %s", i, fault_name(launch.code));
        cr_assert_eq(launch.resumed, cases[i].resumed);
        // Of the place of the warp that waits nano keeps one bit: it has one SM of two warps.
        cr_assert_eq(launch.checked.parent, 0xC1001234);
    }
    // Launched by anybody else it is active, or, if the epoch has passed, a new task.
    struct launch launch;
    left(&launch, 2, 1);
    launch.listed = false;
    tmd_set(launch.words, TMD_TANDEM_STATE, 0, 7 << 8 | 33 << 2 | TASK_PARKED);
    tmd_check(config(), SPACE_SIZE, &launch);
    cr_assert_eq(launch.code, FAULT_TMD_ACTIVE, "%s", fault_name(launch.code));
}

Test(tmd, order, .description = "TU-11 of several faults the first in the order of the checks is told [model]") {
    struct launch launch;
    good(&launch);
    static const struct change wrong[] = {
        {TMD_RELEASE_ADDRESS_LOWER, 0, 1},   {TMD_CONSTANT_BUFFER_VALID, 0, 128},
        {TMD_PROGRAM_OFFSET, 0, 1},          {TMD_LOCAL_MEMORY_LOW, 0, 1},
        {TMD_SHARED_MEMORY_SIZE, 0, 4097},   {TMD_REGISTER_COUNT, 0, 0},
        {TMD_CTA_THREAD_DIMENSION0, 0, 999}, {TMD_CTA_RASTER_DEPTH, 0, 0},
        {TMD_BARRIER_COUNT, 0, 9},           {TMD_QMD_VERSION, 0, 0},
    };
    static const uint32_t told[] = {
        FAULT_SEMAPHORE,         FAULT_TMD_CONSTANT_BUFFER,           FAULT_TMD_PROGRAM_OFFSET,
        FAULT_TMD_LOCAL_MEMORY,  FAULT_TMD_SHARED_MEMORY_SIZE,        FAULT_TMD_REGISTER_COUNT,
        FAULT_TMD_TOTAL_THREADS, FAULT_TMD_CTA_THREAD_DIMENSION_ZERO, FAULT_TMD_KIND,
        FAULT_TMD_VERSION};
    // From the last check to the first: each new fault comes before those that are already there.
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tmd_set(launch.words, wrong[i].field, wrong[i].index, wrong[i].value);
        tmd_check(config(), SPACE_SIZE, &launch);
        cr_assert_eq(launch.code, told[i], "%zu: %s, not %s", i, fault_name(launch.code), fault_name(told[i]));
    }
    launch.fault = 1;
    tmd_check(config(), SPACE_SIZE, &launch);
    cr_assert_eq(launch.code, FAULT_TMD_FETCH);
}
