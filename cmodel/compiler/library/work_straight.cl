// Straight launches: a kernel that makes no work, launched without a wait list, an event or a wait for this launch, needs
// nothing but the task unit. It counts as a child of its parent, so the channel's WFI waits for it; its memory comes back by
// the release of its own TMD. The compiler (enqueue.c) calls this for kernels that make no work.
#include "straight.h"

// Four words are on their way at a time.
#define FROM_TEMPLATE(a, b, c, d)                                               \
    do {                                                                        \
        const uint first = from[a], second = from[b], third = from[c], fourth = from[d]; \
        words[a] = first, words[b] = second, words[c] = third, words[d] = fourth;        \
    } while (0)

CALLED void tandem_straight_fill(uint piece, uint with, uint tag, uint task) {
    work_words words = (work_words)piece, from = (work_words)with, constants = words + WORK_STRAIGHT_CONSTANTS / 4;
    const uint shared = ((work_kernel_t)with)->straight.shared_bytes;
    FROM_TEMPLATE(TMD_PROGRAM_OFFSET_WORD, TMD_CONSTANT_BUFFER_VALID_WORD, TMD_CONSTANT_BUFFER_SIZE_WORD,
                  TMD_CONSTANT_BUFFER_ADDR_LOWER_WORD + 2);  // of constant buffer 1, and its size:
    FROM_TEMPLATE(TMD_CONSTANT_BUFFER_SIZE_WORD + 2, TMD_LOCAL_MEMORY_LOW_WORD, TMD_REGISTER_COUNT_WORD,
                  TMD_TANDEM_CODE_SIZE_WORD);
    const uint rows = from[TMD_TANDEM_SHARED_ROWS_WORD], region = from[TMD_TANDEM_REGION_WORD],
               base = from[TMD_TANDEM_LOCAL_WORD];
    words[TMD_TANDEM_SHARED_ROWS_WORD] = rows;
    words[TMD_TANDEM_REGION_WORD] = region;
    words[TMD_TANDEM_LOCAL_WORD] = base;
    words[TMD_CIRCULAR_QUEUE_SIZE_WORD] = words[TMD_CIRCULAR_QUEUE_ENTRY_SIZE_WORD] = 0;  // tandem_work_cancel()
    words[TMD_SHARED_MEMORY_SIZE_WORD] = shared;
    words[TMD_RELEASE_PAYLOAD_WORD] = piece | tag;
    constants[1] = 0;
    constants[7] = __tandem_launch_word();
    constants[11] = __tandem_printf_buffer();
    *(work_quads)(constants + 12) = (uint4)(__tandem_work_queue(), task, __tandem_work_kernels(), __tandem_data());
    constants[16] = piece + WORK_STRAIGHT_LITERAL;
}

// A piece for the kernel when the one that was looked at is in use (taken is 0) or filled in for another. 0: the launch goes
// the other way, and nothing is taken. place: where `taken` comes from; scope: of the launch that this thread is part of.
CALLED uint tandem_straight_find(work_words place, uint taken, uint with, uint local_size, uint scope) {
    const work_kernel_t launched = (work_kernel_t)with;
    if (scope != 0 || local_size > launched->straight.threads_max) {
        if (taken != 0) *place = taken;
        return 0;
    }
    work_queue_t q = work_queue();
    for (uint more = LOOKS; taken == 0 && more != 0; more--) {  // that place's launch has not ended: places go round
        const uint next = atomic_add((work_words)&q->straight_next, 1u) & (WORK_STRAIGHT - 1);
        taken = atomic_xchg((work_words)q->straight + next, 0u);
    }
    if (taken == 0) return 0;
    const uint piece = taken & ~WORK_STRAIGHT_TAG, tag = launched->straight.tag;
    if ((taken & WORK_STRAIGHT_TAG) != tag) tandem_straight_fill(piece, with, tag & WORK_STRAIGHT_TAG, 0);
    return piece;
}

int straight(uint queue, uint flags, struct range range, const GENERIC uint *kernel_number, const GENERIC uint *block)
    __asm__("tandem_enqueue_straight");
// What is not of the plain kind, a range that cannot be among it, goes the other way.
int straight(uint queue, uint flags, struct range range, const GENERIC uint *kernel_number, const GENERIC uint *block) {
    const uint global_size = range.global_size[0], offset = range.offset[0], size = block[0];
    const uint local_size = range.local_size[0] == 0 ? global_size : range.local_size[0];
    // Work-groups: one, or of a power of two.
    const uint grid = local_size == global_size ? 1 : global_size >> (31 - __builtin_clz(local_size | 1));
    if (((queue ^ __tandem_work_queue()) | (flags & 3u) | (range.dimensions ^ 1)) != 0 || global_size == 0 ||
        grid * local_size != global_size || grid >= 1u << 26 || offset + (global_size - 1) < offset ||
        size > WORK_STRAIGHT_LITERAL_BYTES) {
        const struct range copy = range;  // written to memory here only
        return tandem_enqueue_linked(queue, flags, &copy, kernel_number, block);
    }
    // Bits 4 to 9 of the clock: launches of a thread that follow each other within 16 to 1008 cycles look at different places.
    // The piece of the one before may be on its way. All that is asked for stands between its steps.
    const uint clock = __tandem_clock(), with = (uint)work_kernel((uint)kernel_number);
    const uint2 known = straight_known(with);
    const uint moving = clock >> 2;
    const uint4 own = ((work_quads)work_task())[10];  // event, unclean, level, scope
    work_words place = straight_place((uint)work_queue()->straight, moving, WORK_QUEUE_ALIGNMENT - 4, 0);
    const uint taken = atomic_xchg(place, 0u);
    uint piece = taken & ~WORK_STRAIGHT_TAG;
    // One comparison when the piece has come: no piece's tag has further bits, as the name of an event and WORK_STRAIGHT_NO_TAG
    // have them, and no kernel has tag 0, so that where no piece has come another one is looked for, too.
    const uint tag = (known.x | own.w) + (local_size > known.y ? WORK_STRAIGHT_NO_TAG : 0);
    if ((taken & WORK_STRAIGHT_TAG) != tag) {
        piece = tandem_straight_find(place, taken, with, local_size, own.w);
        if (piece == 0) {
            const struct range copy = range;
            uint literal[WORK_STRAIGHT_LITERAL_BYTES / 4];  // likewise
            __builtin_memcpy(literal, block, size);
            return tandem_enqueue_linked(queue, flags, &copy, kernel_number, literal);
        }
    }
    const uint asked = flags >> TANDEM_ENQUEUE_LEVEL_LOW, level = asked == 0 ? own.z : asked <= 64u ? asked - 1 : 63u;
    work_words words = (work_words)piece, constants = (work_words)(piece + WORK_STRAIGHT_CONSTANTS);
    // With the words of resume, which the task unit may have written.
    ((work_quads)piece)[TMD_CTA_RASTER_WIDTH_WORD / 4] =
        (uint4)(grid, 1u << TMD_CTA_RASTER_HEIGHT_LOW | 1u << TMD_CTA_RASTER_DEPTH_LOW, 0, 0);
    words[TMD_CTA_THREAD_DIMENSION0_WORD] = TMD_QMD_VERSION_CURRENT << TMD_QMD_VERSION_LOW |
                                            TMD_QMD_MAJOR_VERSION_CURRENT << TMD_QMD_MAJOR_VERSION_LOW |
                                            local_size << TMD_CTA_THREAD_DIMENSION0_LOW;
    words[TMD_QMD_GROUP_ID_WORD] = level << TMD_QMD_GROUP_ID_LOW | 1u << TMD_SEMAPHORE_RELEASE_ENABLE0_LOW;
    if (offset != 0) {  // the next one finds 0 again
        constants[1] = offset;
        words[TMD_RELEASE_PAYLOAD_WORD] = piece;
    }
    __builtin_memcpy((__global uint *)(piece + WORK_STRAIGHT_LITERAL) + HEADER_WORDS, block + HEADER_WORDS,
                     size - 4 * HEADER_WORDS);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    tandem_launch(piece);
    return SUCCESS;
}
