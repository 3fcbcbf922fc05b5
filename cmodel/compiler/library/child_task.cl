// Tasks that threads make: copies of one that the host has built (tandem_task_build), in memory that the program says.
// A task in memory: its TMD, a line that the driver looks at, constant buffer 0 (driver/launched.h).
#include "child_task.h"

#include "gen/tmd.h"

typedef __global uint *tmd_words;
typedef __global uint4 *quads;

static uint constants_of(uint task) { return ((tmd_words)task)[TMD_CONSTANT_BUFFER_ADDR_LOWER_WORD]; }

// What the driver gave the words that the task unit writes is copied with the others, so the copy is a new task. Nobody
// looks at its end but the thread that waits for it: it has no release.
void tandem_task_copy(uint to, uint from) {
    tmd_words words = (tmd_words)to;
    quads source = (quads)from, target = (quads)to;
    const uint constants = constants_of(from) - from,
               bytes = ((tmd_words)from)[TMD_CONSTANT_BUFFER_SIZE_WORD] >> TMD_CONSTANT_BUFFER_SIZE_LOW;
    for (uint i = 0; i < CHILD_TMD_BYTES / 16; i++)
        target[i] = source[i];
    for (uint i = constants / 16; i < (constants + bytes + 15) / 16; i++)
        target[i] = source[i];
    words[TMD_SEMAPHORE_RELEASE_ENABLE0_WORD] &= ~(1u << TMD_SEMAPHORE_RELEASE_ENABLE0_LOW);
    words[TMD_CONSTANT_BUFFER_ADDR_LOWER_WORD] = to + constants;
}

__global void *tandem_task_arguments(uint task) { return (__global void *)(constants_of(task) + CHILD_ARGUMENTS); }
