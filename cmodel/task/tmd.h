// Task metadata (TMD): the 256 bytes of a QMD 01_06 of the public compute class, and what ours adds in bits that 01_06
// leaves unused. Bit positions are the public ones; read and write fields only through tmd_get and tmd_set.
#ifndef TANDEM_TASK_TMD_H
#define TANDEM_TASK_TMD_H

#include <stdint.h>

#define TMD_BYTES 256u
#define TMD_WORDS 64u

// X(name, high bit, low bit)
#define TMD_FIELDS(X)                                        \
    X(OUTER_PUT, 30, 0)                                      \
    X(OUTER_GET, 62, 32)                                     \
    X(SCHEDULER_NEXT_QMD_POINTER, 191, 160)                  \
    X(QMD_GROUP_ID, 197, 192)                                \
    X(SCHEDULE_ON_PUT_UPDATE_ENABLE, 200, 200)               \
    X(ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST, 201, 201)        \
    X(SEMAPHORE_RELEASE_ENABLE0, 202, 202)                   \
    X(SEMAPHORE_RELEASE_ENABLE1, 203, 203)                   \
    X(CIRCULAR_QUEUE_SIZE, 248, 224)                         \
    X(PROGRAM_OFFSET, 287, 256)                              \
    X(CIRCULAR_QUEUE_ADDR_LOWER, 319, 288)                   \
    X(CIRCULAR_QUEUE_ADDR_UPPER, 327, 320)                   \
    X(CIRCULAR_QUEUE_ENTRY_SIZE, 351, 336)                   \
    X(SEQUENTIALLY_RUN_CTAS, 370, 370)                       \
    X(CTA_RASTER_WIDTH, 415, 384)                            \
    X(CTA_RASTER_HEIGHT, 431, 416)                           \
    X(CTA_RASTER_DEPTH, 447, 432)                            \
    X(CTA_RASTER_WIDTH_RESUME, 479, 448)                     \
    X(CTA_RASTER_HEIGHT_RESUME, 495, 480)                    \
    X(CTA_RASTER_DEPTH_RESUME, 511, 496)                     \
    X(SHARED_MEMORY_SIZE, 561, 544)                          \
    X(QMD_VERSION, 579, 576)                                 \
    X(QMD_MAJOR_VERSION, 583, 580)                           \
    X(CTA_THREAD_DIMENSION0, 607, 592)                       \
    X(CTA_THREAD_DIMENSION1, 623, 608)                       \
    X(CTA_THREAD_DIMENSION2, 639, 624)                       \
    X(CONSTANT_BUFFER_VALID, 647, 640)                       \
    X(LOCAL_MEMORY_LOW, 1463, 1440)                          \
    X(BARRIER_COUNT, 1471, 1467)                             \
    X(LOCAL_MEMORY_HIGH, 1495, 1472)                         \
    X(REGISTER_COUNT, 1503, 1496)                            \
    X(SASS_VERSION, 1535, 1528)                              \
    X(QUEUE_ENTRIES_PER_CTA_MINUS_ONE, 1606, 1600)           \
    X(COALESCE_WAITING_PERIOD, 1617, 1610)                   \
    /* RELEASE0; RELEASE1 stands 96 bits further */          \
    X(RELEASE_ADDRESS_LOWER, 767, 736)                       \
    X(RELEASE_ADDRESS_UPPER, 775, 768)                       \
    X(RELEASE_RED_OP, 790, 788)                              \
    X(RELEASE_FORMAT, 793, 792)                              \
    X(RELEASE_RED_ENABLE, 794, 794)                          \
    X(RELEASE_STRUCTURE_SIZE, 799, 799)                      \
    X(RELEASE_PAYLOAD, 831, 800)                             \
    /* CONSTANT_BUFFER(i) stands 64 * i bits further */      \
    X(CONSTANT_BUFFER_ADDR_LOWER, 959, 928)                  \
    X(CONSTANT_BUFFER_ADDR_UPPER, 967, 960)                  \
    X(CONSTANT_BUFFER_SIZE, 991, 975)                        \
    /* ours: a block that 01_06 leaves unused, word 55 on */ \
    X(TANDEM_CODE_SIZE, 1791, 1760)                          \
    X(TANDEM_SHARED_ROWS, 1799, 1792)                        \
    X(TANDEM_WAVEFRONT, 1807, 1800)                          \
    X(TANDEM_SUBVECTOR, 1811, 1808)                          \
    /* written by the task unit while the task is pending */ \
    X(TANDEM_REGION, 1855, 1824)                             \
    X(TANDEM_STATE, 1887, 1856)                              \
    X(TANDEM_PARENT, 2047, 2016)                             \
    X(TANDEM_LOCAL, 1919, 1888)

enum tmd_field {
#define X(name, high, low) TMD_##name,
    TMD_FIELDS(X)
#undef X
        TMD_FIELD_COUNT
};

#define TMD_RELEASE_STRIDE 96u
#define TMD_CONSTANT_BUFFER_STRIDE 64u

// index: which RELEASE or CONSTANT_BUFFER; 0 for every other field. Values wider than the field are cut to its low
// bits.
uint32_t tmd_get(const uint32_t tmd[TMD_WORDS], enum tmd_field field, unsigned index);
void tmd_set(uint32_t tmd[TMD_WORDS], enum tmd_field field, unsigned index, uint32_t value);

#endif
