// In tandem: requests of the SM that the memory has answered with an error. They have been performed here long before,
// as good ones: their instruction, of which nothing may be due any more, now faults. So do those of the reads that have
// joined them.
#include <string.h>

#include "sm_internal.h"

static bool has_serial(const struct in_flight *older, const void *what) {
    return older->serial == *(const uint32_t *)what;
}

// The instruction among the older ones, in its place. NULL: too many.
static struct in_flight *bring_back(struct warp *warp, const struct mem_note *note) {
    if (warp->older_count == IN_FLIGHT_MAX) return NULL;
    uint32_t at = 0;
    while (at < warp->older_count && (int32_t)(warp->older[at]->serial - note->serial) < 0)
        at++;
    struct in_flight *older = warp->older[warp->older_count];
    memmove(&warp->older[at + 1], &warp->older[at], (warp->older_count - at) * sizeof warp->older[0]);
    warp->older[at] = older;
    warp->older_count++;
    older->pc = note->pc;
    older->serial = note->serial;
    older->due = (struct due){.memory = true};
    older->access.pending = older->access.in_flight = older->access.failed = 0;
    older->access.kept = NULL;
    return older;
}

static void failed(const struct sm *sm, struct warp *warp, const struct mem_note *note, uint32_t addr) {
    const uint64_t threads = note->threads;
    struct due *due = &warp->due;
    // No register of the portion has been written: all its requests had to be answered before. (But what shared memory
    // has served is.)
    for (unsigned i = 0; i < REGISTERS_PER_ACCESS_MAX; i++)
        due->wb[i] &= ~portion_mask(sm, (uint32_t)__builtin_ctzll(threads) / sm->config->lanes) | due->shared;
    warp->access.failed |= threads;
    due->memory = true;
    if (warp->faulted || (due->fault && due->fault_order < note->order)) return;
    due->fault = true;
    due->fault_code = FAULT_BUS_ERROR;
    due->fault_info = addr;
    due->fault_order = note->order;
}

static bool request_failed(const struct sm *sm, const struct mem_note *note, uint32_t addr, struct why why) {
    struct warp *warp = &sm->warps[note->number];
    if (!warp->running)
        return why_refuse(why, "BUS_ERROR of a request of warp %u to 0x%x, but the warp has ended", note->number, addr);
    if (warp->serial == note->serial) {
        failed(sm, warp, note, addr);
        return true;
    }
    struct in_flight *older = in_flight_find(warp, has_serial, &note->serial);
    if (older == NULL) older = bring_back(warp, note);
    if (older == NULL)
        return why_refuse(why, "BUS_ERROR of a request of warp %u, of which %u instructions are in flight",
                          note->number, IN_FLIGHT_MAX);
    in_flight_exchange(warp, older);
    failed(sm, warp, note, addr);
    in_flight_return(warp, older);
    return true;
}

bool sm_bus_error(struct sm *sm, bool fetched, const struct mem_record *record, struct why why) {
    if (fetched) {
        fetch_failed(&sm->fetch_cache, record->request.channel, record->request.addr);
        sm->failed_lines[sm->failed_next++ % FAILED_LINES] =
            (struct failed_line){.channel = record->request.channel, .addr = record->request.addr, .valid = true};
        return true;
    }
    if (!request_failed(sm, &record->note, record->request.addr, why)) return false;
    for (uint32_t i = 0; i < JOINED; i++) {
        const struct joined *joined = &sm->joined[i];
        if (joined->with == record->note.order && !request_failed(sm, &joined->note, joined->addr, why)) return false;
    }
    return true;
}

bool bus_error_take(struct sm *sm, const struct warp *warp, uint32_t *info) {
    const struct task_slot *slot = warp_slot(sm, warp);
    const uint64_t byte = (uint64_t)slot->region + 8u * (uint64_t)warp->pc;
    for (uint32_t i = 0; i < FAILED_LINES; i++) {
        struct failed_line *line = &sm->failed_lines[i];
        if (!line->valid || line->channel != slot->channel || line->addr != ((uint32_t)byte & ~(LINE_BYTES - 1u)))
            continue;
        line->valid = false;
        *info = line->addr;
        return true;
    }
    return false;
}
