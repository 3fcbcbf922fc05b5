#include <stdio.h>
#include <string.h>

#include "driver/tandem.h"
#include "opinion.h"

#define DEADLINE 200000000u

static enum tandem_status launch(struct tandem_device *device, struct tandem_module *module,
                                 const struct opinion_job *job, struct tandem_channel **channel) {
    struct tandem_range range = {.dimensions = job->dimensions};
    memcpy(range.global, job->global, sizeof range.global);
    memcpy(range.local, job->local, sizeof range.local);
    tandem_addr in = 0, out = 0;
    const struct tandem_argument arguments[] = {{&in, 4}, {&out, 4}, {&job->n, 4}, {NULL, job->local_bytes}};
    enum tandem_status status = tandem_channel_open(device, 16, 0, channel);
    if (status == TANDEM_OK) status = tandem_alloc(device, 4 * job->in_words, 256, &in);
    if (status == TANDEM_OK) status = tandem_alloc(device, 4 * job->out_words, 256, &out);
    if (status == TANDEM_OK) status = tandem_write(device, in, job->in, 4 * job->in_words);
    if (status == TANDEM_OK) status = tandem_write(device, out, job->out, 4 * job->out_words);
    if (status == TANDEM_OK)
        status = tandem_launch(*channel, module, job->name, &range, arguments, job->local_bytes > 0 ? 4 : 3);
    if (status == TANDEM_OK) status = tandem_finish(*channel, DEADLINE);
    if (status == TANDEM_OK) status = tandem_read(device, out, job->out, 4 * job->out_words);
    return status;
}

bool tandem_opinion(const void *elf, size_t elf_size, const char *device_name, const struct opinion_job *job,
                    char *error, size_t error_size) {
    struct tandem_device *device = NULL;
    struct tandem_module *module = NULL;
    struct tandem_channel *channel = NULL;
    error[0] = '\0';
    memset(job->out, 0, 4 * job->out_words);
    if (tandem_open(device_name, &device, error, error_size) != TANDEM_OK) return false;
    enum tandem_status status = tandem_module_load(device, elf, elf_size, &module);
    if (status == TANDEM_OK) status = launch(device, module, job, &channel);
    if (status != TANDEM_OK)
        snprintf(error, error_size, "%s: %s: %s", device_name, tandem_status_name(status), tandem_message(device));
    tandem_module_unload(module);
    const enum tandem_status closed = tandem_close(device);
    if (channel != NULL) (void)tandem_channel_close(channel);
    if (status == TANDEM_OK && closed != TANDEM_OK)
        snprintf(error, error_size, "%s: closing: %s", device_name, tandem_status_name(closed));
    return status == TANDEM_OK && closed == TANDEM_OK;
}
