// Of tasks that can step aside the children that their warps wait for, and where a child's parent is: the twin of
// rtl/task/parents.sv.
#include "task/task_internal.h"

// Its parent is to be told of its end wherever it is.
bool parents_has(const struct running_task *r) {
    return (r->task.parent & PARENT_WAITS) != 0 && (r->task.parent & PARENT_SAVES) != 0;
}

uint32_t parents_launch(struct task *task, const struct sm_child *child) {
    const struct ppu_config *config = task->config;
    struct running_task *r = &task->slots[child->slot];
    const uint32_t place = child->sm << task_bits(config->warps) | child->warp;
    const uint32_t most = config->sms * config->warps * config->threads;
    if (r->task.save) r->children = (r->children + 1) & ((1u << task_bits(most + 1)) - 1);
    return PARENT_WAITS | (r->task.save ? PARENT_SAVES : 0) | place << PARENT_PLACE_LOW |
           (r->task.slot.tmd / TMD_BYTES & PARENT_TMD);
}

// Is it the parent of the child? Its TMD stands at the address that the child's names.
static bool is_parent(const struct running_task *r, const struct running_task *child) {
    const struct task_slot *slot = &r->task.slot;
    return slot->busy && slot->channel == child->task.slot.channel &&
           slot->tmd / TMD_BYTES == (child->task.parent & PARENT_TMD);
}

bool parents_here(const struct task *task, const struct running_task *child) {
    for (uint32_t k = 0; k < task->config->task_slots; k++) {
        if (is_parent(&task->slots[k], child)) return true;
    }
    return false;
}

void parents_tell(struct task *task, const struct running_task *child) {
    const uint32_t warp_bits = task_bits(task->config->warps);
    const uint32_t place = child->task.parent >> PARENT_PLACE_LOW & 63, sm = place >> warp_bits;
    if ((child->task.parent & PARENT_WAITS) == 0) return;
    if (parents_has(child) && !child->frees_left[PARENT]) return;  // it had left, and was told by its counter
    bool waits = !parents_has(child);
    for (uint32_t k = 0; k < task->config->task_slots && parents_has(child); k++) {
        struct running_task *r = &task->slots[k];
        if (!is_parent(r, child)) continue;
        if (r->children != 0) r->children--;
        r->woken = task->run->cycles;
        waits = waits || !r->task.slot.stop;  // who is asked to leave does not wait any more
    }
    // Threads can overwrite what a TMD says about its parent.
    if (!waits || sm >= task->config->sms) return;
    sm_child_ended(task->sms[sm], place & ((1u << warp_bits) - 1), child->task.slot.channel);
}
