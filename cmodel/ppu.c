// The device: creation, the CPU's access, the schedule of the model alone, and the way of each event in tandem. The
// units know only those that they stand on; what goes the other way is connected here.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ppu_internal.h"

// ---- what the units tell those above them
static void tell_fault(void *context, const struct fault_report *fault) {
    host_fault(((struct ppu *)context)->host, fault);
}

static bool can_launch_child(const void *context) {
    return task_can_launch(((const struct ppu *)context)->task);
}

static void launch_child(void *context, const struct sm_child *child) {
    task_launch_child(((struct ppu *)context)->task, child);
}

static void cta_done(void *context, uint32_t sm, uint32_t slot, bool left) {
    task_cta_done(((struct ppu *)context)->task, sm, slot, left);
}

static void warp_fault(void *context, uint32_t slot, uint32_t code, uint32_t info, uint32_t pc) {
    task_warp_fault(((struct ppu *)context)->task, slot, code, info, pc);
}

static void warp_held(void *context) {
    host_warp_held(((struct ppu *)context)->host);
}

static void connect(struct ppu *ppu) {
    const struct host_outputs *outputs = host_outputs(ppu->host);
    const struct sm_wires sm_wires = {.slot = task_slots(ppu->task),
                                      .settings = &outputs->sm,
                                      .context = ppu,
                                      .can_launch_child = can_launch_child,
                                      .launch_child = launch_child,
                                      .cta_done = cta_done,
                                      .warp_fault = warp_fault,
                                      .warp_held = warp_held};
    mem_connect(ppu->mem, &(struct mem_wires){.space = outputs->space, .fault = tell_fault, .context = ppu});
    for (uint32_t s = 0; s < ppu->run.config.sms; s++)
        sm_connect(ppu->sm[s], &sm_wires);
    task_connect(ppu->task, &(struct task_wires){.channel_halt = outputs->channel_halt,
                                                 .round_robin = &outputs->round_robin,
                                                 .slice = &outputs->slice,
                                                 .suspend = outputs->suspend,
                                                 .fault = tell_fault,
                                                 .context = ppu});
}

static bool create_units(struct ppu *ppu, size_t mem_bytes_, const struct memory_given *given) {
    const uint32_t sms = ppu->run.config.sms;
    ppu->mem = mem_create(&ppu->run, mem_bytes_, given);
    ppu->sm = calloc(sms, sizeof(struct sm *));
    if (ppu->mem == NULL || ppu->sm == NULL) return false;
    for (uint32_t s = 0; s < sms; s++) {
        ppu->sm[s] = sm_create(&ppu->run, ppu->mem, s);
        if (ppu->sm[s] == NULL) return false;
    }
    ppu->task = task_create(&ppu->run, ppu->mem, ppu->sm);
    if (ppu->task == NULL) return false;
    ppu->host = host_create(&ppu->run, ppu->mem, ppu->sm, ppu->task);
    return ppu->host != NULL;
}

struct ppu *ppu_create(const struct ppu_config *config, size_t mem_bytes_, uint64_t seed) {
    return ppu_create_on(config, mem_bytes_, seed, NULL);
}

struct ppu *ppu_create_on(const struct ppu_config *config, size_t mem_bytes_, uint64_t seed,
                          const struct memory_given *given) {
    struct ppu *ppu = calloc(1, sizeof *ppu);
    if (ppu == NULL) return NULL;
    run_init(&ppu->run, config, seed);
    if (!create_units(ppu, mem_bytes_, given)) {
        ppu_destroy(ppu);
        return NULL;
    }
    connect(ppu);
    return ppu;
}

void ppu_destroy(struct ppu *ppu) {
    if (ppu == NULL) return;
    host_destroy(ppu->host);
    task_destroy(ppu->task);
    for (uint32_t s = 0; ppu->sm != NULL && s < ppu->run.config.sms; s++)
        sm_destroy(ppu->sm[s]);
    free(ppu->sm);
    mem_destroy(ppu->mem);
    free(ppu);
}

const struct ppu_config *ppu_get_config(const struct ppu *ppu) {
    return &ppu->run.config;
}

static bool inside(const struct ppu *ppu, uint64_t addr, size_t size) {
    const size_t all = mem_size(ppu->mem);
    return addr <= all && size <= all - addr;
}

bool ppu_mem_read(const struct ppu *ppu, uint64_t addr, void *to, size_t size) {
    if (!inside(ppu, addr, size)) return false;
    if (size != 0) mem_get(ppu->mem, addr, to, size);
    return true;
}

bool ppu_mem_write(struct ppu *ppu, uint64_t addr, const void *from, size_t size) {
    if (!inside(ppu, addr, size)) return false;
    if (size != 0) mem_put(ppu->mem, addr, from, size);
    return true;
}

bool ppu_mem_clear(struct ppu *ppu, uint64_t addr, size_t size) {
    return inside(ppu, addr, size) && (size == 0 || mem_clear(ppu->mem, addr, size));
}

const uint8_t *ppu_mem(const struct ppu *ppu) {
    return mem_bytes(ppu->mem);
}

size_t ppu_mem_size(const struct ppu *ppu) {
    return mem_size(ppu->mem);
}

uint32_t ppu_reg_read(struct ppu *ppu, uint32_t offset) {
    return host_reg_read(ppu->host, offset);
}

void ppu_reg_write(struct ppu *ppu, uint32_t offset, uint32_t value) {
    host_reg_write(ppu->host, offset, value);
}

void ppu_set_bus_errors(struct ppu *ppu, uint64_t base, uint64_t size, bool writes_only) {
    mem_set_errors(ppu->mem, base, size, writes_only);
}

bool ppu_irq(const struct ppu *ppu) {
    return host_irq(ppu->host);
}

enum { UNIT_HOST = 0, UNIT_TASK = 1, UNIT_SM = 2 };

static bool step_unit(struct ppu *ppu, uint32_t unit) {
    if (unit == UNIT_HOST) return host_step(ppu->host);
    if (unit == UNIT_TASK) return task_step(ppu->task);
    return sm_step(ppu->sm[unit - UNIT_SM]);
}

// Who goes next: mostly an SM, since that is where the work is; the others often enough to keep SMs busy.
static bool choose(struct ppu *ppu) {
    const uint64_t random = run_random(&ppu->run);
    const uint32_t units = UNIT_SM + ppu->run.config.sms;
    const uint32_t first = UNIT_SM + (ppu->run.config.sms > 1 ? (uint32_t)(random / 64 % ppu->run.config.sms) : 0);
    if (random % 8 < 3 && step_unit(ppu, UNIT_HOST)) return true;
    if (random % 8 > 4 && step_unit(ppu, UNIT_TASK)) return true;
    for (uint32_t i = 0; i < units; i++) {
        if (step_unit(ppu, (first + i) % units)) return true;
    }
    return false;
}

// A warp's turn goes on, or else one step of whoever is chosen.
uint64_t ppu_step(struct ppu *ppu, uint64_t quanta) {
    struct run *run = &ppu->run;
    uint64_t done = 0;
    while (done < quanta) {
        if (run->turn != 0) {
            const uint64_t steps = sm_turn(ppu->sm[run->turn_sm], quanta - done);
            done += steps;
            if (steps != 0) continue;
        }
        if (!choose(ppu)) break;
        done++;
        run->cycles++;
    }
    return done;
}

void ppu_set_native(struct ppu *ppu, bool native) {
    ppu->run.native = native;
}

void ppu_set_trace(struct ppu *ppu, ppu_trace_sink *sink, void *context) {
    ppu->run.sink = sink;
    ppu->run.sink_context = context;
}

static bool is_of_tokens(const struct ppu *ppu, uint32_t port) {
    return port >= MEM_PORT_SM + 2 * ppu->run.config.sms;
}

static uint32_t sm_of_port(const struct ppu *ppu, uint32_t port) {
    return is_of_tokens(ppu, port) ? port - MEM_PORT_SM - 2 * ppu->run.config.sms : (port - MEM_PORT_SM) / 2;
}

static bool follow_perform(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const uint32_t port = rtl->perform.port;
    if (port <= MEM_PORT_SEMAPHORE) return host_follow(ppu->host, rtl, model, why);
    if (port == MEM_PORT_TASK) return task_follow(ppu->task, rtl, model, why);
    const uint32_t sm = sm_of_port(ppu, port);
    if (sm >= ppu->run.config.sms)
        return why_refuse(why, "PERFORM names port %u, the last is %u", port,
                          MEM_PORT_SM + 3 * ppu->run.config.sms - 1);
    return sm_follow(ppu->sm[sm], rtl, model, why);
}

static bool follow_bus_error(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                             struct why why) {
    const struct mem_record *record = mem_follow_bus_error(ppu->mem, rtl, model, why);
    const uint32_t port = rtl->bus_error.port;
    if (record == NULL) return false;
    for (uint32_t s = 0; record->request.op != MEM_READ && s < ppu->run.config.sms; s++)
        sm_write_taken_back(ppu->sm[s], record);
    if (port <= MEM_PORT_SEMAPHORE) {
        host_bus_error(ppu->host, port, &record->request);
    } else if (port == MEM_PORT_TASK) {
        task_bus_error(ppu->task, &record->note);
    } else {
        const uint32_t sm = sm_of_port(ppu, port);
        if (sm >= ppu->run.config.sms)
            return why_refuse(why, "BUS_ERROR names SM %u, there are %u", sm, ppu->run.config.sms);
        if (is_of_tokens(ppu, port)) {
            sm_token_error(ppu->sm[sm], record);
            return true;
        }
        return sm_bus_error(ppu->sm[sm], (port - MEM_PORT_SM) % 2 == 0, record, why);
    }
    return true;
}

bool ppu_follow(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model, char *text,
                size_t why_size) {
    const struct why why = {text, why_size};
    if (why_size != 0) text[0] = 0;
    memset(model, 0, sizeof *model);
    model->kind = rtl->kind;
    model->sm = rtl->sm;
    model->cycle = rtl->cycle;
    ppu->run.following = true;
    ppu->run.cycles = rtl->cycle;
    switch (rtl->kind) {
        case TRACE_REG_WRITE:
        case TRACE_REG_READ:
        case TRACE_GP_ENTRY:
        case TRACE_METHOD:
        case TRACE_SEMAPHORE:
        case TRACE_GP_GET:
        case TRACE_FAULT:
        case TRACE_INTERRUPT: return host_follow(ppu->host, rtl, model, why);
        case TRACE_TASK_TAKE:
        case TRACE_TASK_EVICT:
        case TRACE_TASK_START:
        case TRACE_CTA_LAUNCH:
        case TRACE_CTA_END:
        case TRACE_TASK_FREED:
        case TRACE_TASK_END:
        case TRACE_TASK_PENDING:
        case TRACE_TASK_PARKED:
        case TRACE_TASK_STUCK:
        case TRACE_TASK_DROP:
        case TRACE_TASK_REFUSED: return task_follow(ppu->task, rtl, model, why);
        case TRACE_PERFORM: return follow_perform(ppu, rtl, model, why);
        case TRACE_BUS_ERROR: return follow_bus_error(ppu, rtl, model, why);
        case TRACE_WRITE_BACK_ERROR: return mem_follow_write_back_error(ppu->mem, rtl, model, why);
        default: break;
    }
    if (!trace_kind_per_sm(rtl->kind)) return why_refuse(why, "%s is no event of the PPU", trace_kind_name(rtl->kind));
    if (rtl->sm >= ppu->run.config.sms)
        return why_refuse(why, "%s names SM %u, there are %u", trace_kind_name(rtl->kind), rtl->sm,
                          ppu->run.config.sms);
    return sm_follow(ppu->sm[rtl->sm], rtl, model, why);
}

void ppu_follow_without_fetches(struct ppu *ppu) {
    ppu->run.fetches_untold = true;
}

void ppu_follow_from_here(struct ppu *ppu) {
    for (uint32_t s = 0; s < ppu->run.config.sms; s++)
        sm_all_is_shown(ppu->sm[s]);
}

void ppu_image(struct ppu *ppu, struct image *image) {
    struct run copy;
    memcpy(&copy, &ppu->run, sizeof copy);
    memset(&copy.config, 0, sizeof copy.config);
    copy.native = false;
    copy.sink = NULL;
    copy.sink_context = NULL;
    image_part(image, &copy, sizeof copy);
    if (image->loading && !image->failed) {
        image_must(image, copy.turn_sm < ppu->run.config.sms);
        copy.config = ppu->run.config;
        copy.native = ppu->run.native;
        copy.sink = ppu->run.sink;
        copy.sink_context = ppu->run.sink_context;
        memcpy(&ppu->run, &copy, sizeof copy);
    }
    mem_image(ppu->mem, image);
    for (uint32_t s = 0; s < ppu->run.config.sms; s++)
        sm_image(ppu->sm[s], image);
    task_image(ppu->task, image);
    host_image(ppu->host, image);
}

bool ppu_following(const struct ppu *ppu) {
    return ppu->run.following;
}

uint64_t ppu_cycle(const struct ppu *ppu) {
    return ppu->run.cycles;
}

bool ppu_quiescent(const struct ppu *ppu, char *text, size_t why_size) {
    const struct why why = {text, why_size};
    if (why_size != 0) text[0] = 0;
    for (uint32_t s = 0; s < ppu->run.config.sms; s++) {
        if (!sm_quiescent(ppu->sm[s], why)) return false;
    }
    return task_quiescent(ppu->task, why) && host_quiescent(ppu->host, why);
}

void ppu_get_counters(const struct ppu *ppu, struct ppu_counters *to) {
    *to = ppu->run.counters;
}

void ppu_describe_warp(const struct ppu *ppu, unsigned sm, unsigned warp, char *to, size_t size) {
    if (sm < ppu->run.config.sms) {
        sm_describe_warp(ppu->sm[sm], warp, to, size);
    } else {
        (void)snprintf(to, size, "SM %u warp %u: there is none\n", sm, warp);
    }
}

void ppu_describe_channel(const struct ppu *ppu, unsigned channel, char *to, size_t size) {
    host_describe_channel(ppu->host, channel, to, size);
}

static bool has_warp(const struct ppu *ppu, unsigned sm, unsigned warp) {
    return sm < ppu->run.config.sms && warp < ppu->run.config.warps;
}

bool ppu_look_place(const struct ppu *ppu, unsigned sm, unsigned warp, struct warp_place *place) {
    *place = (struct warp_place){0};
    if (!has_warp(ppu, sm, warp)) return false;
    sm_look_place(ppu->sm[sm], warp, place);
    return place->running;
}

bool ppu_look_warp(const struct ppu *ppu, unsigned sm, unsigned warp, struct warp_look *look) {
    *look = (struct warp_look){.state = "idle"};
    return has_warp(ppu, sm, warp) && sm_look_warp(ppu->sm[sm], warp, look);
}

bool ppu_look_register(const struct ppu *ppu, unsigned sm, unsigned warp, unsigned thread, unsigned number,
                       uint32_t *value) {
    return has_warp(ppu, sm, warp) && sm_look_register(ppu->sm[sm], warp, thread, number, value);
}

bool ppu_look_token(const struct ppu *ppu, unsigned sm, unsigned warp, unsigned number, struct token_look *token) {
    return has_warp(ppu, sm, warp) && sm_look_token(ppu->sm[sm], warp, number, token);
}

bool ppu_look_shared(const struct ppu *ppu, unsigned sm, unsigned warp, uint32_t offset, void *to, uint32_t size) {
    return has_warp(ppu, sm, warp) && sm_look_shared(ppu->sm[sm], warp, offset, to, size);
}

bool ppu_look_local(const struct ppu *ppu, unsigned sm, unsigned warp, unsigned thread, uint32_t offset, void *to,
                    uint32_t size) {
    struct warp_place place;
    if (!ppu_look_place(ppu, sm, warp, &place)) return false;
    const uint64_t base = host_outputs(ppu->host)->space[place.channel].base;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t address;
        if (offset + i < offset || !sm_look_local(ppu->sm[sm], warp, thread, offset + i, &address)) return false;
        if (!ppu_mem_read(ppu, base + address, (uint8_t *)to + i, 1)) return false;
    }
    return true;
}

bool ppu_look_channel(const struct ppu *ppu, unsigned channel, struct channel_look *look) {
    *look = (struct channel_look){0};
    if (channel >= ppu->run.config.channels) return false;
    host_look_channel(ppu->host, channel, look);
    return true;
}

void ppu_inject(struct ppu *ppu, unsigned defect) {
    ppu->run.inject = defect;
}
