// Parents that wait for their children's ends, against the rules said once more on random states of the task table.
#include "task_slots.h"

#define TURNS 20000u
#define PLACES 64u

static void random_parents(void) {
    random_table();
    for (uint32_t s = 0; s < SMS; s++) {
        for (uint32_t w = 0; w < 2 * WARPS; w++) {
            struct warp *warp = &task->sms[s]->warps[w];
            warp->running = !one_of(4);
            warp->slot = below(SLOTS);
            warp->children.running = one_of(4) ? 0 : 1 + below(3);
        }
    }
    // Behind the last slot there is nobody, though it looks like everybody's parent.
    task->slots[SLOTS].task.slot.busy = true;
    look(&wanted);
}

// A task that has ended; often it has a parent in a slot.
static struct running_task random_child(void) {
    struct running_task child = task->slots[below(SLOTS)];
    child.task.parent = (one_of(6) ? 0 : PARENT_WAITS) | (one_of(3) ? 0 : PARENT_SAVES) |
                        (one_of(4) ? below(PLACES) : below(SMS * WARPS)) << 24 |
                        task->slots[below(SLOTS + 1)].task.slot.tmd / 256;
    if (one_of(6)) child.task.parent ^= 1u << below(24);
    child.frees_left[PARENT] = !one_of(3);
    return child;
}

static bool is_parent(const struct running_task *r, const struct running_task *child) {
    return r->task.slot.busy && r->task.slot.channel == child->task.slot.channel &&
           r->task.slot.tmd >> 8 == (child->task.parent & 0xFFFFFF);
}

Test(parents, has, .init = set_up, .fini = tear_down,
     .description = "TU-13 a parent is looked for when it waits and its task can step aside [model]") {
    for (uint32_t i = 0; i < 16; i++) {
        struct running_task child;
        memset(&child, 0, sizeof child);
        child.task.parent = (i & 1 ? 1u << 31 : 0) | (i & 2 ? 1u << 30 : 0) | (i & 4 ? 0x3FFFFFFF : 0);
        cr_assert_eq(parents_has(&child), (i & 3) == 3);
    }
}

Test(parents, launch, .init = set_up, .fini = tear_down,
     .description = "TU-13 a child knows its parent's place and TMD; who can step aside counts it [model]") {
    const uint32_t sms = ppu->run.config.sms;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        random_parents();
        ppu->run.config.sms = turn % 2 != 0 ? sms : 2;
        ppu->run.config.warps = turn % 4 < 2 ? 1 : 2;
        // As many bits as all threads that there are need.
        const uint32_t counts = (ppu->run.config.sms * ppu->run.config.warps * 32u) < 64    ? 64
                                : (ppu->run.config.sms * ppu->run.config.warps * 32u) < 128 ? 128
                                                                                            : 256;
        const struct sm_child child = {.slot = below(SLOTS),
                                       .number = below(1000),
                                       .sm = below(SMS),
                                       .warp = below(ppu->run.config.warps),
                                       .wait = true};
        struct running_task *r = &task->slots[child.slot];
        const bool save = r->task.save;
        const uint32_t children = one_of(2) ? counts - 1 : below(counts);
        r->children = children;
        r->task.slot.tmd = one_of(2) ? UINT32_MAX - 255 : 256 * below(1u << 24);
        look(&wanted);
        if (save) wanted.slots[child.slot].children = children + 1 == counts ? 0 : children + 1;
        const uint32_t parent = parents_launch(task, &child);
        cr_assert_eq(parent >> 30, save ? 3 : 2);
        cr_assert_eq(parent >> 24 & 63, child.sm * ppu->run.config.warps + child.warp);
        cr_assert_eq(parent & 0xFFFFFF, r->task.slot.tmd >> 8);
        check();
    }
    ppu->run.config.sms = sms;
}

Test(parents, here, .init = set_up, .fini = tear_down,
     .description = "TU-13 a parent is in a slot when its TMD and channel are there [model]") {
    uint32_t found_some = 0;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        bool here = false;
        random_parents();
        const struct running_task child = random_child();
        for (uint32_t k = 0; k < SLOTS; k++)
            here |= is_parent(&task->slots[k], &child);
        cr_assert_eq(parents_here(task, &child), here);
        found_some += here;
        check();
    }
    cr_assert(found_some > TURNS / 8 && found_some < TURNS);
}

Test(parents, tell, .init = set_up, .fini = tear_down,
     .description =
         "TU-13 the end of a child is told to the warp that waits, or to the slot of a parent that left [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        uint32_t running[SMS][2 * WARPS];
        random_parents();
        const struct running_task child = random_child();
        const bool waits = child.task.parent >> 31 != 0, saves = (child.task.parent >> 30 & 1) != 0;
        const uint32_t warps = 1u << below(3);
        const uint32_t place = child.task.parent >> 24 & 63, sm = place / warps, w = place % warps;
        bool warp_waits = waits && !saves;
        for (uint32_t k = 0; k < SLOTS && waits && saves && child.frees_left[PARENT]; k++) {
            const struct running_task *r = &task->slots[k];
            if (!is_parent(r, &child)) continue;
            if (r->children != 0) wanted.slots[k].children--;
            wanted.slots[k].woken = ppu->run.cycles;
            if (!r->task.slot.stop) warp_waits = true;
        }
        for (uint32_t s = 0; s < SMS; s++) {
            for (uint32_t i = 0; i < 2 * WARPS; i++)
                running[s][i] = task->sms[s]->warps[i].children.running;
        }
        if (warp_waits && sm < SMS) {
            const struct warp *warp = &task->sms[sm]->warps[w];
            const bool of_channel = task->slots[warp->slot].task.slot.channel == child.task.slot.channel;
            if (warp->running && of_channel && running[sm][w] != 0) running[sm][w]--;
        }
        ppu->run.config.warps = warps;
        parents_tell(task, &child);
        ppu->run.config.warps = WARPS;
        check();
        for (uint32_t s = 0; s < SMS; s++) {
            for (uint32_t i = 0; i < 2 * WARPS; i++)
                cr_assert_eq(task->sms[s]->warps[i].children.running, running[s][i], "SM %u warp %u, place %u", s, i,
                             place);
        }
    }
}
