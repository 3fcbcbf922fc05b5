// Straight launches: a kernel that makes no work, launched without a wait list, an event or a wait for this launch, needs
// nothing but the task unit. It counts as a child of its parent, so the channel's WFI waits for it; its memory comes back by
// the release of its own TMD. The compiler (enqueue.c) calls this for kernels that make no work.
#include "gen/tmd.h"
#include "work_parts.h"

enum { SUCCESS = 0 };

// What a kernel's launches have in common. Left in the piece for the next one.
CALLED static void fill_in(uint piece, uint with) {
    work_words words = (work_words)piece, from = (work_words)with;
#define FROM_TEMPLATE(k) words[k] = from[k]
    FROM_TEMPLATE(TMD_PROGRAM_OFFSET_WORD);
    FROM_TEMPLATE(TMD_CONSTANT_BUFFER_VALID_WORD);
    FROM_TEMPLATE(TMD_CONSTANT_BUFFER_SIZE_WORD);
    FROM_TEMPLATE(TMD_CONSTANT_BUFFER_ADDR_LOWER_WORD + 2);  // of constant buffer 1
    FROM_TEMPLATE(TMD_CONSTANT_BUFFER_SIZE_WORD + 2);
    FROM_TEMPLATE(TMD_LOCAL_MEMORY_LOW_WORD);
    FROM_TEMPLATE(TMD_REGISTER_COUNT_WORD);
    FROM_TEMPLATE(TMD_TANDEM_CODE_SIZE_WORD);
    FROM_TEMPLATE(TMD_TANDEM_SHARED_ROWS_WORD);
    words[WORK_STRAIGHT_SERIAL] = ((work_kernel_t)with)->straight.serial;
    work_quads constants = (work_quads)(piece + WORK_STRAIGHT_CONSTANTS);
    constants[3] = (uint4)(__tandem_work_queue(), 0, __tandem_work_kernels(), __tandem_data());
    words[WORK_STRAIGHT_CONSTANTS / 4 + 16] = piece + WORK_STRAIGHT_LITERAL;
}

// Kept out of the way: what it needs in registers would push out what the launch itself has there.
CALLED int tandem_enqueue_otherwise(uint queue, uint flags, const __private struct range *range,
                                    const GENERIC uint *kernel_number, const GENERIC uint *block) {
    return tandem_enqueue_basic(queue, flags, *range, kernel_number, block);
}

int straight(uint queue, uint flags, struct range range, const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_enqueue_straight");
// What is not of the plain kind, a range that cannot be among it, goes the other way.
int straight(uint queue, uint flags, struct range range, const GENERIC uint *kernel_number, const GENERIC uint *block) {
    const uint with = (uint)work_kernel((uint)kernel_number);
    const uint4 known = *(work_quads)&((__global struct work_kernel *)with)->straight;
    const uint4 own = ((work_quads)work_task())[2];  // private_memory, level, error, scope
    const uint global_size = range.global_size[0], offset = range.offset[0], size = block[0];
    const uint local_size = range.local_size[0] == 0 ? global_size : range.local_size[0];
    // Work-groups: one, or of a power of two.
    const uint grid = local_size == global_size ? 1 : global_size >> (31 - __builtin_clz(local_size | 1));
    uint piece = 0;
    if (((queue ^ __tandem_work_queue()) | (flags & 3u) | (range.dimensions ^ 1) | own.w) == 0 && global_size != 0 &&
        grid * local_size == global_size && grid < 1u << 26 && local_size <= known.y &&
        offset + (global_size - 1) >= offset && size <= WORK_STRAIGHT_LITERAL_BYTES && known.x != 0) {
        work_queue_t q = work_queue();
        const uint place = atomic_add((work_words)&q->straight_next, 1u) & (WORK_STRAIGHT - 1);
        piece = atomic_xchg((work_words)q->straight + place, 0u);
    }
    if (piece == 0) {
        struct range copy = range;  // written to memory here only
        return tandem_enqueue_otherwise(queue, flags, &copy, kernel_number, block);
    }
    work_quads tmd = (work_quads)piece, constants = (work_quads)(piece + WORK_STRAIGHT_CONSTANTS);
    if (((work_words)piece)[WORK_STRAIGHT_SERIAL] != known.x) fill_in(piece, with);
    const uint asked = flags >> TANDEM_ENQUEUE_LEVEL_LOW, level = asked == 0 ? own.y : asked <= 64u ? asked - 1 : 63u;
    ((work_words)piece)[TMD_QMD_GROUP_ID_WORD] =
        level << TMD_QMD_GROUP_ID_LOW | 1u << TMD_SEMAPHORE_RELEASE_ENABLE0_LOW;
    // The words around: resume, height and depth; version, the other dimensions.
    tmd[TMD_CTA_RASTER_WIDTH_WORD / 4] =
        (uint4)(grid, 1u << TMD_CTA_RASTER_HEIGHT_LOW | 1u << TMD_CTA_RASTER_DEPTH_LOW, 0, 0);
    tmd[TMD_SHARED_MEMORY_SIZE_WORD / 4] =
        (uint4)(0, known.z,
                TMD_QMD_VERSION_CURRENT << TMD_QMD_VERSION_LOW |
                    TMD_QMD_MAJOR_VERSION_CURRENT << TMD_QMD_MAJOR_VERSION_LOW |
                    local_size << TMD_CTA_THREAD_DIMENSION0_LOW,
                1u << TMD_CTA_THREAD_DIMENSION1_LOW | 1u << TMD_CTA_THREAD_DIMENSION2_LOW);
    constants[0] = (uint4)(1, offset, 0, 0);
    constants[1] = (uint4)(global_size, 1, 1, __tandem_launch_word());
    constants[2] = (uint4)(local_size, 1, 1, __tandem_printf_buffer());
    __builtin_memcpy((__global uint *)(piece + WORK_STRAIGHT_LITERAL), block, size);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    tandem_launch(piece);
    return SUCCESS;
}
