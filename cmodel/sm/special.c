// Special registers (S2R).
#include "sm_internal.h"

// Threads that were never started, which take part in traps, have no ids.
static void thread_ids(const struct sm *sm, const struct task_slot *slot, uint32_t first, uint32_t number,
                       uint32_t *result) {
    for (uint32_t i = 0; i < sm->config->threads; i++) {
        const uint32_t t = first + i, line = t / slot->ntid[0];
        result[i] = t >= slot->threads   ? 0
                    : number == SR_TID_X ? t % slot->ntid[0]
                    : number == SR_TID_Y ? line % slot->ntid[1]
                                         : line / slot->ntid[1];
    }
}

void special_value(const struct sm *sm, const struct warp *warp, uint32_t number, uint32_t *result) {
    const struct task_slot *slot = warp_slot(sm, warp);
    const struct cta *cta = &sm->ctas[warp->cta];
    const uint32_t first = warp->index * sm->config->threads;
    uint32_t same = 0;
    switch (number) {
        case SR_TID_X:
        case SR_TID_Y:
        case SR_TID_Z: thread_ids(sm, slot, first, number, result); return;
        case SR_LANEID:
            for (uint32_t i = 0; i < sm->config->threads; i++)
                result[i] = i;
            return;
        case SR_CTAID_X: same = cta->x; break;
        case SR_CTAID_Y: same = cta->y; break;
        case SR_CTAID_Z: same = cta->z; break;
        case SR_NTID_X: same = slot->ntid[0]; break;
        case SR_NTID_Y: same = slot->ntid[1]; break;
        case SR_NTID_Z: same = slot->ntid[2]; break;
        case SR_NCTAID_X: same = slot->grid[0]; break;
        case SR_NCTAID_Y: same = slot->grid[1]; break;
        case SR_NCTAID_Z: same = slot->grid[2]; break;
        case SR_WARPID: same = warp->index; break;
        case SR_SMID: same = sm->number; break;
        case SR_TMD: same = slot->tmd; break;
        case SR_CLOCK_LO: same = (uint32_t)sm->run->cycles; break;
        case SR_CLOCK_HI: same = (uint32_t)(sm->run->cycles >> 32); break;
        default: break;
    }
    for (uint32_t i = 0; i < sm->config->threads; i++)
        result[i] = same;
}
