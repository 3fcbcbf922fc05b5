// Lends the device's channels to commands.
#include "opencl/channels.h"

#include <stdlib.h>

#define RING_ENTRIES 16u
#define STAMP_BYTES 16u
#define PIECES_LEAST 64u

static void unlink_lease(struct lease *lease) {
    struct lease **at = &lease->place->device->leases;
    while (*at != lease)
        at = &(*at)->next;
    *at = lease->next;
}

static void close_lease(struct lease *lease) {
    unlink_lease(lease);
    (void)tandem_channel_close(lease->channel);
    (void)tandem_space_free(lease->place->space, lease->stamps);
    free(lease);
}

// The idle channel that was used longest ago; of a place, when one is given, with its priority and a large enough
// work queue.
static struct lease *find_idle(cl_device_id device, const struct place *place, uint32_t priority,
                               struct work_queue_size work) {
    struct lease *oldest = NULL;
    for (struct lease *at = device->leases; at != NULL; at = at->next) {
        if (at->busy || at->work.pieces < work.pieces || at->work.piece_bytes < work.piece_bytes) continue;
        if (place != NULL && (at->place != place || at->priority != priority)) continue;
        if (oldest == NULL || at->used < oldest->used) oldest = at;
    }
    return oldest;
}

static enum tandem_status open_work_queue(const struct lease *lease) {
    struct tandem_work_queue sizes = {
        .pieces = lease->work.pieces, .piece_bytes = lease->work.piece_bytes, .priority = lease->priority};
    enum tandem_status status = TANDEM_OK;
    do {
        if (sizes.pieces != 0) status = tandem_work_queue_open(lease->channel, &sizes);
        sizes.pieces /= 2;
    } while (status == TANDEM_NO_MEMORY && sizes.pieces >= PIECES_LEAST);
    return status;
}

static enum tandem_status open_lease(struct place *place, uint32_t priority, struct work_queue_size work,
                                     struct lease **to) {
    struct lease *lease = calloc(1, sizeof *lease);
    *to = NULL;
    if (lease == NULL) return TANDEM_NO_MEMORY;
    *lease = (struct lease){.place = place, .priority = priority, .work = work};
    enum tandem_status status = tandem_space_channel_open(place->space, RING_ENTRIES, priority, &lease->channel);
    if (status == TANDEM_OK) {
        status = tandem_space_alloc(place->space, 2 * STAMP_BYTES, STAMP_BYTES, &lease->stamps);
        if (status == TANDEM_OK) status = open_work_queue(lease);
        if (status != TANDEM_OK) (void)tandem_channel_close(lease->channel);
        if (status != TANDEM_OK && lease->stamps != 0) (void)tandem_space_free(place->space, lease->stamps);
    }
    if (status != TANDEM_OK) {
        free(lease);
        return status;
    }
    lease->next = place->device->leases;
    place->device->leases = *to = lease;
    return TANDEM_OK;
}

bool leases_busy(cl_device_id device) {
    for (struct lease *at = device->leases; at != NULL; at = at->next)
        if (at->busy) return true;
    return false;
}

cl_int lease_take(struct place *place, uint32_t priority, struct work_queue_size work, struct lease **lease) {
    cl_device_id device = place->device;
    cl_int error = CL_SUCCESS;
    *lease = NULL;
    pthread_mutex_lock(&device->lock);
    while (*lease == NULL && error == CL_SUCCESS) {
        *lease = find_idle(device, place, priority, work);
        enum tandem_status status = TANDEM_OK;
        while (*lease == NULL && (status = open_lease(place, priority, work, lease)) != TANDEM_OK) {
            struct lease *other = find_idle(device, NULL, 0, (struct work_queue_size){0, 0});
            if ((status != TANDEM_NO_DEVICE && status != TANDEM_NO_MEMORY) || other == NULL) break;
            close_lease(other);
        }
        if (*lease != NULL) break;
        if (devices_ending() || status != TANDEM_NO_DEVICE || !leases_busy(device)) {
            error = device_error(device, status);
        } else {
            pthread_cond_wait(&device->given, &device->lock);
        }
    }
    if (*lease != NULL) (*lease)->busy = true;
    pthread_mutex_unlock(&device->lock);
    return error;
}

void lease_give(struct lease *lease, bool broken) {
    cl_device_id device = lease->place->device;
    // Not under the lock: it may take a while.
    const bool whole = !broken || tandem_channel_reset(lease->channel) == TANDEM_OK;
    pthread_mutex_lock(&device->lock);
    lease->busy = false;
    lease->used = ++device->lease_clock;
    if (!whole) close_lease(lease);
    pthread_cond_broadcast(&device->given);
    pthread_mutex_unlock(&device->lock);
}

static void close_where(cl_device_id device, const struct place *place) {
    for (struct lease *at = device->leases, *next; at != NULL; at = next) {
        next = at->next;
        if (place == NULL || at->place == place) close_lease(at);
    }
}

void leases_close(const struct place *place) {
    pthread_mutex_lock(&place->device->lock);
    close_where(place->device, place);
    pthread_cond_broadcast(&place->device->given);
    pthread_mutex_unlock(&place->device->lock);
}

void channels_wake(cl_device_id device) {
    pthread_mutex_lock(&device->lock);
    pthread_cond_broadcast(&device->given);
    pthread_mutex_unlock(&device->lock);
}

void channels_close(cl_device_id device) {
    pthread_mutex_lock(&device->lock);
    close_where(device, NULL);
    pthread_mutex_unlock(&device->lock);
}
