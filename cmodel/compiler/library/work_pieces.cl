// Work made by the PPU's own threads: memory of launches, and what is written into it.
#include "gen/tmd.h"
#include "range_part.h"
#include "work_parts.h"

// ---- memory ----

// Each piece has a place of its own, a word: it has the piece's address while this is free. An exchange takes the piece; it
// comes back by the release of its own TMD, or by a store.
uint tandem_work_take(__private uint *place) {
    work_queue_t q = work_queue();
    const uint rows = (q->pieces + 3) / 4;  // of four places; a power of two
    uint row = work_first_look();
    *place = q->places + 4 * (row & (q->pieces - 1));
    uint piece = atomic_xchg((work_words)*place, 0u);
    for (uint k = 0; piece == 0 && k < rows; k++, row++) {
        work_words places = (work_words)q->places + 4 * (row & (rows - 1));
        for (uint i = 0; i < 4 && piece == 0; i++) {
            if (places[i] == 0) continue;
            piece = atomic_xchg(&places[i], 0u);
            *place = (uint)&places[i];
        }
    }
    return piece;
}

// ---- making a piece ----

// The driver's template has nothing in that word: kernel_fill_tmd() of cmodel/driver/kernel_task.c.
void tandem_work_level(uint piece, uint level) {
    const uint wanted = level < 63u ? level : 63u;
    ((work_words)piece)[TMD_QMD_GROUP_ID_WORD] = wanted << TMD_QMD_GROUP_ID_LOW | 1u << TMD_SEMAPHORE_RELEASE_ENABLE0_LOW;
    work_task_of(piece)->level = wanted;
}

// Each size for itself first: a product may wrap.
bool tandem_work_fits(uint3 local_size, uint most) {
    return local_size.x <= most && local_size.y <= most && local_size.z <= most && local_size.x * local_size.y <= most &&
           local_size.x * local_size.y * local_size.z <= most;
}

uint tandem_work_make(uint number, uint dimensions, uint3 offset, uint3 global_size, uint3 local_size, uint shared,
                      __private int *why) {
    work_queue_t q = work_queue();
    work_kernel_t with = work_kernel(number);
    const uint3 grid = global_size / local_size;
    *why = WORK_BAD;
    if (!tandem_work_fits(local_size, with->threads_max) || shared > with->shared_max || grid.y > 0xFFFFu ||
        grid.z > 0xFFFFu || WORK_CONSTANTS + with->constant_bytes > q->piece_bytes)
        return 0;
    const team_t team = team_here();
    uint place;
    const uint piece = tandem_work_take(&place);
    if (__tandem_work_rings() != 0) team_meet(team);  // so that they add to the ring together
    *why = piece == 0 ? WORK_NO_MEMORY : WORK_OK;
    if (piece == 0) return 0;
    // Four words at a time: this is most of what a launch by a thread costs. Nobody else looks at the piece before
    // the release of the ring's next entry or a list's atomic, with fences before them.
    work_quads tmd = (work_quads)piece, constants = (work_quads)(piece + WORK_CONSTANTS);
    work_quads from = (work_quads)with->tmd;
    // One after the other, which a read of EXEC in between sees to: two at once would take more registers than work-groups
    // of two warps of the smallest device have.
#define COPY(k) tmd[k] = from[k], (void)__tandem_exec_lo()
#define COPY_4(k) COPY(k), COPY((k) + 1), COPY((k) + 2), COPY((k) + 3)
    COPY_4(0), COPY_4(4), COPY_4(8), COPY_4(12);
    work_words word = (work_words)piece;
    const uint threads = local_size.x * local_size.y * local_size.z;
    word[TMD_CTA_RASTER_WIDTH_WORD] = grid.x;
    word[TMD_CTA_RASTER_HEIGHT_WORD] = grid.y << TMD_CTA_RASTER_HEIGHT_LOW | grid.z << TMD_CTA_RASTER_DEPTH_LOW;
    word[TMD_SHARED_MEMORY_SIZE_WORD] = shared;
    // QMD_VERSION stands beside the first dimension.
    word[TMD_CTA_THREAD_DIMENSION0_WORD] =
        with->tmd[TMD_CTA_THREAD_DIMENSION0_WORD] | local_size.x << TMD_CTA_THREAD_DIMENSION0_LOW;
    word[TMD_CTA_THREAD_DIMENSION1_WORD] =
        local_size.y << TMD_CTA_THREAD_DIMENSION1_LOW | local_size.z << TMD_CTA_THREAD_DIMENSION2_LOW;
    word[TMD_CONSTANT_BUFFER_ADDR_LOWER_WORD] = piece + WORK_CONSTANTS;
    const uint warp_threads = __tandem_team_threads();  // a power of two
    const uint warps = grid.x * grid.y * grid.z * ((threads + warp_threads - 1) >> (31 - __builtin_clz(warp_threads)));
    tmd[9] = (uint4)(warps, 0, 0, 0);                 // warps, children, counted, link
    tmd[10] = (uint4)(0);                             // event, unclean, level, scope
    tmd[15] = (uint4)(0);                             // parent, counter, dependents
    work_task_of(piece)->leaves = 0;
    tandem_work_level(piece, work_task()->level);
    word[TMD_RELEASE_ADDRESS_LOWER_WORD] = place;
    word[TMD_RELEASE_STRUCTURE_SIZE_WORD] = 1u << TMD_RELEASE_STRUCTURE_SIZE_LOW;
    word[TMD_RELEASE_PAYLOAD_WORD] = piece;
    // Constant buffer 0, see code_object.h.
    constants[0] = (uint4)(dimensions, offset);
    constants[1] = (uint4)(0, 0, 0, __tandem_launch_word());
    constants[2] = (uint4)(0, 0, 0, __tandem_printf_buffer());
    constants[3] = (uint4)((uint)q, piece, __tandem_work_kernels(), __tandem_data());
    return piece;
}

void tandem_work_part(uint piece, uint dimension, uint local_size, struct range_part part) {
    work_words constants = (work_words)(piece + WORK_CONSTANTS);
    constants[0] |= (local_size - 1) << (LAUNCH_LOCAL_LOW + LAUNCH_LOCAL_BITS * dimension);
    constants[4 + dimension] = part.before;
    constants[8 + dimension] = part.beside;
}

void tandem_work_argument(uint piece, uint at, uint value) { *(work_words)(piece + WORK_CONSTANTS + at) = value; }

void tandem_work_drop(uint piece) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);  // whoever takes it next writes behind what was written here
    work_words words = (work_words)piece;
    *(work_words)words[TMD_RELEASE_ADDRESS_LOWER_WORD] = words[TMD_RELEASE_PAYLOAD_WORD];
}

