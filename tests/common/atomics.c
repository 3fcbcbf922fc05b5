#include "common/atomics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/library/work_queue.h"

// The number behind `name`= in the line.
static uint32_t field(const char *line, const char *name) {
    const char *at = strstr(line, name);
    return at == NULL ? 0 : (uint32_t)strtoul(at + strlen(name), NULL, 16);
}

static void count_one(struct atomics *a, uint32_t address, uint32_t record, uint32_t places, uint32_t pieces) {
    const uint32_t at = address - record;
    if (address - places < 4 * pieces) {
        a->places++;
    } else if (at == offsetof(struct work_queue, soft_put)) {
        a->soft_put++;
    } else if (at < sizeof(struct work_queue)) {
        a->other++;
    }
}

bool atomics_count(const char *trace, const struct tandem_work_queue_state *queue, tandem_addr places, uint32_t pieces,
                   bool whole, struct atomics *counts, size_t count) {
    const uint32_t end =
        queue->record + (uint32_t)(whole ? offsetof(struct work_queue, y) : offsetof(struct work_queue, x));
    char line[4096];
    size_t launches = 0;
    bool counting = false, within = false;  // a launch and its children: what starts meanwhile is one of them
    FILE *file = fopen(trace, "r");
    if (file == NULL) return false;
    while (fgets(line, sizeof line, file) != NULL) {
        if (!within && strstr(line, " TASK_START ") != NULL && strstr(line, "channel=0x0 ") != NULL) {
            within = true;
            if (launches < count) counts[launches] = (struct atomics){0};
            counting = launches < count;
            launches++;
        } else if (strstr(line, " SEMAPHORE ") != NULL && field(line, "operation=") == 2 &&
                   field(line, "addr=") == end) {
            counting = within = false;
        } else if (counting && strstr(line, " PERFORM ") != NULL && field(line, " op=") == 2) {
            count_one(&counts[launches - 1], field(line, "addr="), queue->record, places, pieces);
        }
    }
    fclose(file);
    return launches == count;
}
