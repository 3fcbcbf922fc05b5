// Threads that append to a task that is fed by a ring of entries. Many may at once, from all over the device.
#include "queue_task.h"

#include "gen/tmd.h"
#include "team.h"

#define COUNTER 0x7FFFFFFFu  // OUTER_PUT and OUTER_GET count modulo 2^31

typedef volatile __global uint *tmd_words;

static uint ring_entries(tmd_words tmd) { return tmd[TMD_CIRCULAR_QUEUE_SIZE_WORD] & (1u << 25) - 1; }
static uint entry_bytes(tmd_words tmd) { return tmd[TMD_CIRCULAR_QUEUE_ENTRY_SIZE_WORD] >> TMD_CIRCULAR_QUEUE_ENTRY_SIZE_LOW; }

// One compare-and-swap takes the entries of all threads that are here together, or of as many of the first as there is room
// for.
__global void *tandem_queue_take(uint task) {
    // Threads that append to the same task go together.
    __global void *entry = 0;
    for (bool asked = false; !asked;) {
        asked = task == __tandem_shuffle(task, team_first(team_here()));
        if (asked) {
            tmd_words tmd = (tmd_words)task;
            const team_t team = team_here();
            const uint leader = team_first(team), place = team_before(team), wanted = team_size(team);
            uint got = 0, first = 0;
            if (place == 0) {
                const uint entries = ring_entries(tmd);
                bool taken = false;
                while (!taken) {
                    first = tmd[QUEUE_TASK_TAKEN_WORD];
                    const uint room = entries - ((first - tmd[TMD_OUTER_GET_WORD]) & COUNTER);
                    got = room < wanted ? room : wanted;
                    taken = got == 0 ||
                            atomic_cmpxchg(&tmd[QUEUE_TASK_TAKEN_WORD], first, (first + got) & COUNTER) == first;
                }
            }
            team_meet(team);
            got = __tandem_shuffle(got, leader);
            first = __tandem_shuffle(first, leader);
            if (place < got) {
                const uint number = (first + place) & (ring_entries(tmd) - 1);
                entry = (__global void *)(tmd[TMD_CIRCULAR_QUEUE_ADDR_LOWER_WORD] + number * entry_bytes(tmd));
            }
        }
    }
    return entry;
}

// OUTER_PUT goes over the entries in their order: whoever comes too early waits for the threads before.
void tandem_queue_put(uint task, __global void *entry) {
    tmd_words tmd = (tmd_words)task;
    const uint number = ((uint)entry - tmd[TMD_CIRCULAR_QUEUE_ADDR_LOWER_WORD]) / entry_bytes(tmd);
    const uint last = ring_entries(tmd) - 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    while ((tmd[TMD_OUTER_PUT_WORD] & last) != number) __tandem_yield();
    atomic_inc(&tmd[TMD_OUTER_PUT_WORD]);
}

void tandem_queue_close(uint task) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_and(&((tmd_words)task)[TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE_WORD], ~(1u << TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE_LOW));
}
