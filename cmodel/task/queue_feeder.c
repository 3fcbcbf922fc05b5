// Tasks of kind queue: what feeds their CTAs: the twin of rtl/task/queue_feeder.sv.
#include <string.h>

#include "gen/registers.h"
#include "task/task_internal.h"

#define COUNTER_MASK 0x7FFFFFFFu  // OUTER_PUT and OUTER_GET count modulo 2^31

static uint32_t entries_between(uint32_t get, uint32_t put) {
    return (put - get) & COUNTER_MASK;
}

void queue_feeder_start(struct running_task *r) {
    r->open = r->task.open;
    r->put = r->task.put;
    r->get = r->task.next[0];
    if (r->task.queue) r->launched = !r->open && r->put == r->next[0];
}

bool queue_feeder_synced(const struct running_task *r) {
    return !r->task.queue || r->get == r->next[0];
}

uint32_t queue_feeder_count(const struct running_task *r) {
    const uint32_t per_cta = r->task.slot.grid[1], there = entries_between(r->next[0], r->put);
    return there < per_cta ? there : per_cta;
}

void queue_feeder_next(struct running_task *r) {
    r->next[0] = (r->next[0] + queue_feeder_count(r)) & COUNTER_MASK;
    r->launched = !r->open && r->put == r->next[0];
}

// Fewer entries than a CTA takes, and more may come.
static bool may_read(const struct running_task *r) {
    return r->task.slot.busy && r->task.queue && r->open && queue_feeder_count(r) < r->task.slot.grid[1];
}

static bool may_write(const struct running_task *r) {
    return r->task.slot.busy && r->running == 0 && !queue_feeder_synced(r);
}

static void fail(struct running_task *r, uint32_t code) {
    r->faulted = r->task.slot.kill = true;
    r->release_code = code;
    r->release_info = r->task.slot.tmd;
}

void queue_feeder_failed(struct running_task *r, bool write) {
    // What it read is nothing: only entries that were there before may have been handed out.
    if (!write && r->release_code == FAULT_NONE) {
        r->put = r->put_before;
        r->open = true;
        r->launched = false;
    }
    fail(r, FAULT_BUS_ERROR);
}

static uint32_t slot_of(const struct task *task, const struct running_task *r) {
    return (uint32_t)(r - task->slots);
}

static void read_request(const struct running_task *r, struct mem_request *request) {
    memset(request, 0, sizeof *request);
    request->op = MEM_READ;
    request->channel = r->task.slot.channel;
    request->addr = r->task.slot.tmd & ~(TMD_BYTES - 1);
}

static void perform_read(struct task *task, struct running_task *r, struct trace_event *model) {
    struct mem_request request;
    struct mem_response response;
    uint32_t words[TMD_WORDS] = {0};
    read_request(r, &request);
    mem_perform_event(task->mem, MEM_PORT_TASK, &request, &response, model);
    mem_note(task->mem, MEM_PORT_TASK, &(struct mem_note){.what = TASK_READS_QUEUE, .number = slot_of(task, r)});
    memcpy(words, response.data, LINE_BYTES);
    if (response.fault != 0) {
        fail(r, FAULT_BUS_ERROR);
        return;
    }
    const uint32_t put = tmd_get(words, TMD_OUTER_PUT, 0), size = r->task.slot.grid[0];
    // PUT may not go back behind what has been handed out, nor lead GET by more than the ring holds.
    if (entries_between(r->get, put) > size || entries_between(r->next[0], put) > size) {
        fail(r, FAULT_TMD_GET_PUT_TOO_LARGE);
        return;
    }
    r->put_before = r->put;
    r->put = put;
    r->open = tmd_get(words, TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE, 0) != 0;
    r->launched = !r->open && r->put == r->next[0];
}

static void write_request(const struct running_task *r, struct mem_request *request) {
    memset(request, 0, sizeof *request);
    request->op = MEM_WRITE;
    request->channel = r->task.slot.channel;
    request->addr = r->task.slot.tmd & ~(TMD_BYTES - 1);
    request->wstrb = 0xFu << 4 * TMD_OUTER_GET_WORD;
    memcpy(request->wdata + 4 * TMD_OUTER_GET_WORD, &r->next[0], 4);
}

static void perform_write(struct task *task, struct running_task *r, struct trace_event *model) {
    struct mem_request request;
    struct mem_response response;
    write_request(r, &request);
    mem_perform_event(task->mem, MEM_PORT_TASK, &request, &response, model);
    mem_note(task->mem, MEM_PORT_TASK, &(struct mem_note){.what = TASK_WRITES_QUEUE, .number = slot_of(task, r)});
    r->get = r->next[0];
    if (response.fault != 0) fail(r, FAULT_BUS_ERROR);
}

bool queue_feeder_follow(struct task *task, const struct trace_event *rtl, struct trace_event *model) {
    const struct trace_perform *event = &rtl->perform;
    for (uint32_t k = 0; k < task->config->task_slots; k++) {
        struct running_task *r = &task->slots[k];
        struct mem_request request;
        const bool reads = event->op == MEM_READ;
        if (reads ? !may_read(r) : !may_write(r)) continue;
        if (reads) {
            read_request(r, &request);
        } else {
            write_request(r, &request);
        }
        if (request.addr != event->addr || request.channel != event->channel || (uint32_t)request.op != event->op)
            continue;
        // The same TMD is launched once more: its first line is read for that.
        if (reads && task->taking && task->taken.lines == 0 && task->taken.tmd == r->task.slot.tmd) continue;
        if (!reads && (request.wstrb != event->wstrb || memcmp(request.wdata, event->wdata, LINE_BYTES) != 0)) continue;
        if (reads) {
            perform_read(task, r, model);
        } else {
            perform_write(task, r, model);
        }
        return true;
    }
    return false;
}

// Would a read show anything new? Alone nothing is read for nothing, so that a device that waits for entries rests.
static bool news(const struct task *task, const struct running_task *r) {
    struct mem_request request;
    uint32_t words[TMD_WORDS] = {0};
    read_request(r, &request);
    if (!mem_look(task->mem, request.channel, request.addr, (uint8_t *)words)) return true;
    return tmd_get(words, TMD_OUTER_PUT, 0) != r->put || tmd_get(words, TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE, 0) == 0;
}

bool queue_feeder_step(struct task *task) {
    struct trace_event event;
    for (uint32_t k = 0; k < task->config->task_slots; k++) {
        struct running_task *r = &task->slots[k];
        if (r->task.slot.kill) continue;
        if (may_write(r)) {
            perform_write(task, r, &event);
        } else if (may_read(r) && !r->evicted && news(task, r)) {
            perform_read(task, r, &event);
        } else {
            continue;
        }
        mem_emit(task->mem, &event);
        return true;
    }
    return false;
}
