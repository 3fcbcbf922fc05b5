// The task unit in a checkpoint.
#include <string.h>

#include "task/task_internal.h"

static void own_pointers(struct task *to, const struct task *from) {
    to->run = from->run;
    to->mem = from->mem;
    to->sms = from->sms;
    to->wires = from->wires;
    to->config = from->config;
    to->queue = from->queue;
    to->lists = from->lists;
    to->epoch = from->epoch;
    to->slots = from->slots;
    to->slot = from->slot;
    to->done = from->done;
    to->outstanding = from->outstanding;
}

void task_image(struct task *task, struct image *image) {
    static const struct task none;
    const struct ppu_config *config = task->config;
    struct task copy;
    memcpy(&copy, task, sizeof copy);
    own_pointers(&copy, &none);
    image_part(image, &copy, sizeof copy);
    own_pointers(&copy, task);
    image_must(image, copy.queued <= config->pending_tasks && copy.taken.slot < config->task_slots);
    if (image->failed) return;
    memcpy(task, &copy, sizeof copy);
    image_part(image, task->queue, config->pending_tasks * sizeof task->queue[0]);
    image_part(image, task->lists, (size_t)config->channels * TASK_LEVELS * sizeof task->lists[0]);
    image_part(image, task->epoch, config->channels * sizeof task->epoch[0]);
    image_part(image, task->slots, config->task_slots * sizeof task->slots[0]);
    image_part(image, task->done, (size_t)config->sms * config->task_slots * sizeof task->done[0]);
    image_part(image, task->outstanding, config->channels * sizeof task->outstanding[0]);
}
