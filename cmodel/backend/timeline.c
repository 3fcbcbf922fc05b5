// Tracks (a "process" of the format each, its tracks are "threads"):
//   channels    one track a channel: a slice for each GP entry (GP_ENTRY to GP_GET), in it one for each blocked acquire
//               (first failed try to the one that passes), and instants for methods, releases and faults
//   semaphores  one counter track a semaphore word, stepped at releases and passed acquires
//   tasks       one track a slot of the task table: a slice from TASK_START to TASK_END or TASK_EVICT
//   SM s        one track a warp: a slice from WARP_START to WARP_END; one track a CTA slot: from its first warp to its
//               last
// Arrows: a launch to the start of its task, a release (of a channel, or of a thread that writes the word) to the
// acquire that it wakes.
#include "backend/timeline.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/bundles.h"
#include "gen/methods.h"
#include "gen/registers.h"

enum process { PROCESS_CHANNELS = 1, PROCESS_SEMAPHORES, PROCESS_TASKS, PROCESS_SM };

// Arrows under way, by the address that they will be looked for; an old one gives way to a new one.
#define ARROWS 1024u
#define CTA_TRACKS 256u
#define CTAS_QUEUED 256u

struct arrow {
    uint64_t id;  // 0: none
    uint32_t key;
};

struct channel_state {
    bool in_entry, blocked;
    uint32_t tmd;      // of the last SEND_PCAS_A
    uint32_t waits;    // address that it is blocked on
    uint32_t payload;  // what it waits for
};

struct cta_place {
    uint32_t x, y, z, slot;
};

struct sm_state {
    struct cta_place queued[CTAS_QUEUED];  // launched, first warp not started yet
    uint32_t head, count;
    uint32_t warps_of_cta[CTA_TRACKS];  // warps that run, by CTA slot
    uint32_t *cta_of_warp;              // [warps]; UINT32_MAX: the warp is idle
};

struct timeline {
    FILE *file;
    struct ppu_config config;
    bool begun;  // a record has been written: the next one follows a comma
    uint64_t cycle, arrow_id;
    struct channel_state *channels;
    bool *slot_busy;
    struct sm_state *sms;
    struct arrow launches[ARROWS], releases[ARROWS];
};

// ---- records ----
static double microseconds(const struct timeline *timeline, uint64_t cycle) {
    return (double)cycle * timeline->config.ns_per_cycle / 1000.0;
}

// Begins a record: {"ph":..,"pid":..,"tid":..,"ts":.. - the caller writes the rest and the closing brace.
static void begin(struct timeline *timeline, char phase, uint32_t pid, uint32_t tid) {
    fprintf(timeline->file, "%s{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f", timeline->begun ? ",\n" : "", phase,
            pid, tid, microseconds(timeline, timeline->cycle));
    timeline->begun = true;
}

static void slice_end(struct timeline *timeline, uint32_t pid, uint32_t tid) {
    begin(timeline, 'E', pid, tid);
    fputs("}", timeline->file);
}

static void arrow_start(struct timeline *timeline, struct arrow *arrows, uint32_t key, const char *name, uint32_t pid,
                        uint32_t tid) {
    struct arrow *arrow = &arrows[key / 4 % ARROWS];
    *arrow = (struct arrow){.id = ++timeline->arrow_id, .key = key};
    begin(timeline, 's', pid, tid);
    fprintf(timeline->file, ",\"cat\":\"handover\",\"name\":\"%s\",\"id\":%llu}", name, (unsigned long long)arrow->id);
}

static void arrow_finish(struct timeline *timeline, struct arrow *arrows, uint32_t key, const char *name, uint32_t pid,
                         uint32_t tid) {
    struct arrow *arrow = &arrows[key / 4 % ARROWS];
    if (arrow->id == 0 || arrow->key != key) return;
    begin(timeline, 'f', pid, tid);
    fprintf(timeline->file, ",\"bp\":\"e\",\"cat\":\"handover\",\"name\":\"%s\",\"id\":%llu}", name,
            (unsigned long long)arrow->id);
    arrow->id = 0;
}

static void counter(struct timeline *timeline, uint32_t address, uint32_t value) {
    begin(timeline, 'C', PROCESS_SEMAPHORES, 0);
    fprintf(timeline->file, ",\"name\":\"semaphore 0x%x\",\"args\":{\"value\":%u}}", address, value);
}

static void name_track(struct timeline *timeline, const char *what, uint32_t pid, uint32_t tid, const char *name,
                       uint32_t number) {
    begin(timeline, 'M', pid, tid);
    fprintf(timeline->file, ",\"name\":\"%s\",\"args\":{\"name\":\"%s", what, name);
    if (number != UINT32_MAX) fprintf(timeline->file, " %u", number);
    fputs("\"}}", timeline->file);
}

// ---- channels ----
static void end_block(struct timeline *timeline, uint32_t channel) {
    struct channel_state *state = &timeline->channels[channel];
    if (state->blocked) slice_end(timeline, PROCESS_CHANNELS, channel);
    state->blocked = false;
}

static void end_entry(struct timeline *timeline, uint32_t channel) {
    end_block(timeline, channel);
    if (timeline->channels[channel].in_entry) slice_end(timeline, PROCESS_CHANNELS, channel);
    timeline->channels[channel].in_entry = false;
}

static void on_semaphore(struct timeline *timeline, const struct trace_semaphore *event) {
    static const char *const names[] = {[HOST_SEMAPHORED_OPERATION_ACQUIRE] = "acquire",
                                        [HOST_SEMAPHORED_OPERATION_RELEASE] = "release",
                                        [HOST_SEMAPHORED_OPERATION_ACQ_GEQ] = "acquire >=",
                                        [HOST_SEMAPHORED_OPERATION_ACQ_AND] = "acquire &",
                                        [HOST_SEMAPHORED_OPERATION_REDUCTION] = "reduction"};
    struct channel_state *state = &timeline->channels[event->channel];
    uint32_t address = (uint32_t)event->addr;
    const char *name = event->operation < sizeof names / sizeof names[0] && names[event->operation] != NULL
                           ? names[event->operation]
                           : "?";
    bool acquires = event->operation != HOST_SEMAPHORED_OPERATION_RELEASE &&
                    event->operation != HOST_SEMAPHORED_OPERATION_REDUCTION;
    if (!event->done) {
        if (state->blocked) return;
        begin(timeline, 'B', PROCESS_CHANNELS, event->channel);
        fprintf(timeline->file, ",\"name\":\"%s 0x%x\",\"args\":{\"address\":\"0x%x\",\"waits for\":%u,\"value\":%u}}",
                name, address, address, event->payload, event->value);
        *state = (struct channel_state){.in_entry = state->in_entry,
                                        .blocked = true,
                                        .tmd = state->tmd,
                                        .waits = address,
                                        .payload = event->payload};
        return;
    }
    if (acquires) {
        counter(timeline, address, event->value);
        if (state->blocked)
            arrow_finish(timeline, timeline->releases, address, "wakes", PROCESS_CHANNELS, event->channel);
        end_block(timeline, event->channel);
    }
    begin(timeline, 'i', PROCESS_CHANNELS, event->channel);
    fprintf(timeline->file, ",\"s\":\"t\",\"name\":\"%s 0x%x: %u\"}", name, address, event->payload);
    if (acquires) return;
    if (event->operation == HOST_SEMAPHORED_OPERATION_RELEASE) counter(timeline, address, event->payload);
    arrow_start(timeline, timeline->releases, address, "wakes", PROCESS_CHANNELS, event->channel);
}

static void on_method(struct timeline *timeline, const struct trace_method *event) {
    uint32_t method = event->addr * 4;
    const char *name = NULL;
    if (event->subchannel == COMPUTE_SUBCHANNEL && method == COMPUTE_SEND_PCAS_A) {
        timeline->channels[event->channel].tmd = event->data << 8;
        return;
    }
    if (event->subchannel == COMPUTE_SUBCHANNEL && method == COMPUTE_SEND_SIGNALING_PCAS_B) name = "launch";
    if (method == HOST_WFI) name = "WFI";
    if (method == HOST_SEMAPHORED || name == NULL) return;  // semaphores have events of their own
    begin(timeline, 'i', PROCESS_CHANNELS, event->channel);
    fprintf(timeline->file, ",\"s\":\"t\",\"name\":\"%s\"}", name);
    if (method == COMPUTE_SEND_SIGNALING_PCAS_B) {
        arrow_start(timeline, timeline->launches, timeline->channels[event->channel].tmd >> 6, "launch",
                    PROCESS_CHANNELS, event->channel);
    }
}

// A thread that writes to the line of a semaphore that a channel is blocked on may be its release.
static void on_perform(struct timeline *timeline, const struct trace_perform *event) {
    if (event->op == REQUEST_READ || event->port < 4 || event->fault != 0) return;
    for (uint32_t c = 0; c < timeline->config.channels; c++) {
        const struct channel_state *state = &timeline->channels[c];
        if (!state->blocked || (state->waits & ~31u) != (event->addr & ~31u)) continue;
        uint32_t sm = (event->port - 4) / 2;
        begin(timeline, 'i', PROCESS_SM + sm, 0);
        fprintf(timeline->file, ",\"s\":\"p\",\"name\":\"threads write semaphore 0x%x\"}", state->waits);
        arrow_start(timeline, timeline->releases, state->waits, "wakes", PROCESS_SM + sm, 0);
    }
}

// ---- tasks, CTAs, warps ----
static void on_cta_launch(struct timeline *timeline, const struct trace_cta_launch *event) {
    struct sm_state *sm = &timeline->sms[event->sm];
    if (sm->count == CTAS_QUEUED) return;
    sm->queued[(sm->head + sm->count++) % CTAS_QUEUED] =
        (struct cta_place){.x = event->x, .y = event->y, .z = event->z, .slot = event->slot};
}

static void on_warp_start(struct timeline *timeline, uint32_t sm_number, const struct trace_warp_start *event) {
    struct sm_state *sm = &timeline->sms[sm_number];
    uint32_t warps = timeline->config.warps, cta = event->cta % CTA_TRACKS, pid = PROCESS_SM + sm_number;
    if (event->index == 0) {
        struct cta_place place = {.slot = event->slot};
        if (sm->count > 0) {
            place = sm->queued[sm->head];
            sm->head = (sm->head + 1) % CTAS_QUEUED;
            sm->count--;
        }
        begin(timeline, 'B', pid, warps + cta);
        fprintf(timeline->file, ",\"name\":\"CTA %u,%u,%u\",\"args\":{\"task slot\":%u}}", place.x, place.y, place.z,
                place.slot);
    }
    sm->warps_of_cta[cta]++;
    sm->cta_of_warp[event->warp] = cta;
    begin(timeline, 'B', pid, event->warp);
    fprintf(timeline->file, ",\"name\":\"slot %u warp %u\",\"args\":{\"mask\":\"0x%llx\",\"rows\":%u}}", event->slot,
            event->index, (unsigned long long)event->mask, event->rows);
}

static void end_warp(struct timeline *timeline, uint32_t sm_number, uint32_t warp) {
    struct sm_state *sm = &timeline->sms[sm_number];
    uint32_t cta = sm->cta_of_warp[warp], pid = PROCESS_SM + sm_number;
    if (cta == UINT32_MAX) return;
    sm->cta_of_warp[warp] = UINT32_MAX;
    slice_end(timeline, pid, warp);
    if (--sm->warps_of_cta[cta] == 0) slice_end(timeline, pid, timeline->config.warps + cta);
}

static void end_task(struct timeline *timeline, uint32_t slot) {
    if (timeline->slot_busy[slot]) slice_end(timeline, PROCESS_TASKS, slot);
    timeline->slot_busy[slot] = false;
}

static void on_task_start(struct timeline *timeline, const struct trace_task_start *event) {
    end_task(timeline, event->slot);
    begin(timeline, 'B', PROCESS_TASKS, event->slot);
    fprintf(timeline->file, ",\"name\":\"task 0x%x of channel %u\",\"args\":{\"TMD\":\"0x%x\",\"pc\":\"0x%x\"}}",
            event->tmd, event->channel, event->tmd, event->pc);
    arrow_finish(timeline, timeline->launches, event->tmd >> 6, "launch", PROCESS_TASKS, event->slot);
    timeline->slot_busy[event->slot] = true;
}

void timeline_event(struct timeline *timeline, const struct trace_event *event) {
    timeline->cycle = event->cycle;
    switch (event->kind) {
        case TRACE_GP_ENTRY:
            end_entry(timeline, event->gp_entry.channel);
            begin(timeline, 'B', PROCESS_CHANNELS, event->gp_entry.channel);
            fprintf(timeline->file, ",\"name\":\"entry %u\",\"args\":{\"ENTRY0\":\"0x%08x\",\"ENTRY1\":\"0x%08x\"}}",
                    event->gp_entry.gp_get, event->gp_entry.entry0, event->gp_entry.entry1);
            timeline->channels[event->gp_entry.channel].in_entry = true;
            break;
        case TRACE_GP_GET: end_entry(timeline, event->gp_get.channel); break;
        case TRACE_METHOD: on_method(timeline, &event->method); break;
        case TRACE_SEMAPHORE: on_semaphore(timeline, &event->semaphore); break;
        case TRACE_FAULT:
            begin(timeline, 'i', PROCESS_CHANNELS, event->fault.channel);
            fprintf(timeline->file, ",\"s\":\"p\",\"name\":\"fault %s\",\"args\":{\"info\":\"0x%x\",\"pc\":\"0x%x\"}}",
                    fault_name(event->fault.code), event->fault.info, event->fault.pc);
            end_entry(timeline, event->fault.channel);
            break;
        case TRACE_PERFORM: on_perform(timeline, &event->perform); break;
        case TRACE_TASK_START: on_task_start(timeline, &event->task_start); break;
        case TRACE_TASK_EVICT: end_task(timeline, event->task_evict.slot); break;
        case TRACE_TASK_END: end_task(timeline, event->task_end.slot); break;
        case TRACE_CTA_LAUNCH: on_cta_launch(timeline, &event->cta_launch); break;
        case TRACE_WARP_START: on_warp_start(timeline, event->sm, &event->warp_start); break;
        case TRACE_WARP_END: end_warp(timeline, event->sm, event->warp_end.warp); break;
        default: break;
    }
}

// ---- file ----
static void free_timeline(struct timeline *timeline) {
    if (timeline->file != NULL) fclose(timeline->file);
    if (timeline->sms != NULL) {
        for (uint32_t s = 0; s < timeline->config.sms; s++)
            free(timeline->sms[s].cta_of_warp);
    }
    free(timeline->sms);
    free(timeline->channels);
    free(timeline->slot_busy);
    free(timeline);
}

static bool make_state(struct timeline *timeline) {
    const struct ppu_config *config = &timeline->config;
    timeline->channels = calloc(config->channels, sizeof *timeline->channels);
    timeline->slot_busy = calloc(config->task_slots, sizeof *timeline->slot_busy);
    timeline->sms = calloc(config->sms, sizeof *timeline->sms);
    if (timeline->channels == NULL || timeline->slot_busy == NULL || timeline->sms == NULL) return false;
    for (uint32_t s = 0; s < config->sms; s++) {
        timeline->sms[s].cta_of_warp = malloc(config->warps * sizeof(uint32_t));
        if (timeline->sms[s].cta_of_warp == NULL) return false;
        for (uint32_t w = 0; w < config->warps; w++)
            timeline->sms[s].cta_of_warp[w] = UINT32_MAX;
    }
    return true;
}

static void name_tracks(struct timeline *timeline) {
    const struct ppu_config *config = &timeline->config;
    name_track(timeline, "process_name", PROCESS_CHANNELS, 0, "channels", UINT32_MAX);
    name_track(timeline, "process_name", PROCESS_SEMAPHORES, 0, "semaphores", UINT32_MAX);
    name_track(timeline, "process_name", PROCESS_TASKS, 0, "tasks", UINT32_MAX);
    for (uint32_t c = 0; c < config->channels; c++)
        name_track(timeline, "thread_name", PROCESS_CHANNELS, c, "channel", c);
    for (uint32_t k = 0; k < config->task_slots; k++)
        name_track(timeline, "thread_name", PROCESS_TASKS, k, "slot", k);
    for (uint32_t s = 0; s < config->sms; s++) {
        name_track(timeline, "process_name", PROCESS_SM + s, 0, "SM", s);
        for (uint32_t w = 0; w < config->warps; w++) {
            name_track(timeline, "thread_name", PROCESS_SM + s, w, "warp", w);
            name_track(timeline, "thread_name", PROCESS_SM + s, config->warps + w, "CTA slot", w);
        }
    }
}

struct timeline *timeline_open(const char *path, const struct ppu_config *config, char *message, size_t message_size) {
    struct timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline != NULL) timeline->config = *config;
    if (timeline == NULL || !make_state(timeline)) {
        if (timeline != NULL) free_timeline(timeline);
        snprintf(message, message_size, "timeline=%s: out of memory", path);
        return NULL;
    }
    timeline->file = fopen(path, "w");
    if (timeline->file == NULL) {
        snprintf(message, message_size, "timeline=%s: %s", path, strerror(errno));
        free_timeline(timeline);
        return NULL;
    }
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", timeline->file);
    name_tracks(timeline);
    return timeline;
}

bool timeline_close(struct timeline *timeline) {
    if (timeline == NULL) return true;
    for (uint32_t s = 0; s < timeline->config.sms; s++) {
        for (uint32_t w = 0; w < timeline->config.warps; w++)
            end_warp(timeline, s, w);
    }
    for (uint32_t k = 0; k < timeline->config.task_slots; k++)
        end_task(timeline, k);
    for (uint32_t c = 0; c < timeline->config.channels; c++)
        end_entry(timeline, c);
    fputs("\n]}\n", timeline->file);
    bool good = ferror(timeline->file) == 0;
    good = fclose(timeline->file) == 0 && good;
    timeline->file = NULL;
    free_timeline(timeline);
    return good;
}
