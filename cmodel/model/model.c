// A device of the library: creation, what the CPU does, running alone, state.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_internal.h"

#define REGISTER_SPACE 0x100000u

uint32_t tandem_model_version(void) {
    return TANDEM_MODEL_MAJOR << 16 | TANDEM_MODEL_MINOR;
}

uint32_t tandem_model_events_version(void) {
    return TRACE_FINGERPRINT;
}

const char *tandem_model_config_name(unsigned number) {
    return number < PPU_CONFIG_COUNT ? ppu_config_names[number] : NULL;
}

tandem_model_status model_refuse(struct tandem_model *model, tandem_model_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(model->message, sizeof model->message, format, arguments);
    va_end(arguments);
    return status;
}

// ---- creation
// One line of what is wrong with the options, or NULL.
static const char *options_wrong(const tandem_model_options *options) {
    if (options == NULL || !MODEL_HAS(options, seed)) return "options: size is not sizeof(tandem_model_options)";
    if (options->config == NULL || ppu_config_find(options->config) == NULL)
        return "options: there is no such configuration (tandem_model_config_name lists them)";
    if (options->memory_bytes % 4096 != 0 || options->memory_bytes > MODEL_MEMORY_MOST)
        return "options: memory_bytes must be a multiple of 4096, at most 4 GiB - 4096";
    if (!MODEL_HAS(options, memory) || options->memory == NULL) return NULL;
    const tandem_model_memory *memory = options->memory;
    if (!MODEL_HAS(memory, write)) return "memory: size is not sizeof(tandem_model_memory)";
    if ((memory->bytes != NULL) == (memory->read != NULL) || (memory->read != NULL) != (memory->write != NULL))
        return "memory: either bytes, or both read and write";
    return NULL;
}

tandem_model_status tandem_model_create(const tandem_model_options *options, tandem_model **model, char *message,
                                        size_t message_size) {
    if (message != NULL && message_size != 0) message[0] = '\0';
    if (model == NULL) return TANDEM_MODEL_INVALID;
    *model = NULL;
    const char *wrong = options_wrong(options);
    struct tandem_model *self = wrong == NULL ? calloc(1, sizeof *self) : NULL;
    if (self != NULL) {
        const tandem_model_memory *memory = MODEL_HAS(options, memory) ? options->memory : NULL;
        struct memory_given given = {0};
        if (memory != NULL)
            given = (struct memory_given){
                .bytes = memory->bytes, .context = memory->context, .read = memory->read, .write = memory->write};
        const uint64_t bytes = options->memory_bytes != 0 ? options->memory_bytes : MODEL_MEMORY_DEFAULT;
        self->seed = options->seed;
        self->wanted = TANDEM_MODEL_NO_KIND;
        self->ppu = ppu_create_on(ppu_config_find(options->config), (size_t)bytes, options->seed,
                                  memory != NULL ? &given : NULL);
    }
    if (self != NULL && self->ppu != NULL) {
        *model = self;
        return TANDEM_MODEL_OK;
    }
    free(self);
    if (message != NULL) (void)snprintf(message, message_size, "%s", wrong != NULL ? wrong : "out of memory");
    return wrong != NULL ? TANDEM_MODEL_INVALID : TANDEM_MODEL_NO_MEMORY;
}

void tandem_model_destroy(tandem_model *model) {
    if (model == NULL) return;
    tandem_checker_destroy(model->checker);
    ppu_destroy(model->ppu);
    free(model);
}

const char *tandem_model_message(const tandem_model *model) {
    return model->message;
}

#define PROPERTY(member) \
    { #member, offsetof(struct ppu_config, member) }
tandem_model_status tandem_model_property(const tandem_model *model, const char *name, uint64_t *value) {
    static const struct {
        const char *name;
        size_t offset;
    } properties[] = {PROPERTY(threads),       PROPERTY(lanes),        PROPERTY(warps),       PROPERTY(sms),
                      PROPERTY(channels),      PROPERTY(task_slots),   PROPERTY(vgpr_rows),   PROPERTY(pending_tasks),
                      PROPERTY(deque_entries), PROPERTY(shared_bytes), PROPERTY(const_banks), PROPERTY(icache_lines),
                      PROPERTY(l1_lines),      PROPERTY(ns_per_cycle)};
    const struct ppu_config *config = ppu_get_config(model->ppu);
    if (strcmp(name, "memory_bytes") == 0) {
        *value = ppu_mem_size(model->ppu);
        return TANDEM_MODEL_OK;
    }
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) {
        uint32_t number;
        if (strcmp(name, properties[i].name) != 0) continue;
        memcpy(&number, (const char *)config + properties[i].offset, sizeof number);
        *value = number;
        return TANDEM_MODEL_OK;
    }
    return TANDEM_MODEL_INVALID;
}

// ---- the CPU
static tandem_model_status outside(struct tandem_model *model, uint64_t address, size_t bytes) {
    return model_refuse(model, TANDEM_MODEL_INVALID, "%zu bytes at 0x%llx are not all inside the memory", bytes,
                        (unsigned long long)address);
}

tandem_model_status tandem_model_memory_read(tandem_model *model, uint64_t address, void *to, size_t bytes) {
    return ppu_mem_read(model->ppu, address, to, bytes) ? TANDEM_MODEL_OK : outside(model, address, bytes);
}

tandem_model_status tandem_model_memory_write(tandem_model *model, uint64_t address, const void *from, size_t bytes) {
    if (model->checker == NULL)
        return ppu_mem_write(model->ppu, address, from, bytes) ? TANDEM_MODEL_OK : outside(model, address, bytes);
    if (tandem_checker_failed(model->checker) != NULL) return TANDEM_MODEL_DIFFERS;
    return tandem_checker_cpu_write(model->checker, address, from, bytes) ? TANDEM_MODEL_OK
                                                                          : outside(model, address, bytes);
}

static bool is_follower(const struct tandem_model *model) {
    return model->checker != NULL || model->has_followed;
}

static bool is_register(uint32_t offset) {
    return offset % 4 == 0 && offset < REGISTER_SPACE;
}

static void tell_access(struct tandem_model *model, enum trace_kind kind, uint32_t offset, uint32_t value) {
    struct trace_event event = {.kind = kind, .cycle = model->steps};
    if (model->listener == NULL) return;
    if (kind == TRACE_REG_WRITE) {
        event.reg_write = (struct trace_reg_write){.addr = offset, .data = value};
    } else {
        event.reg_read = (struct trace_reg_read){.addr = offset, .data = value};
    }
    tandem_model_event out;
    model_event_out(&event, &out);
    model->listener(model->listener_context, &out);
}

tandem_model_status tandem_model_register_read(tandem_model *model, uint32_t offset, uint32_t *value) {
    if (!is_register(offset)) return model_refuse(model, TANDEM_MODEL_INVALID, "0x%x is no register", offset);
    *value = ppu_reg_read(model->ppu, offset);
    if (model->checker == NULL) tell_access(model, TRACE_REG_READ, offset, *value);
    return TANDEM_MODEL_OK;
}

tandem_model_status tandem_model_register_write(tandem_model *model, uint32_t offset, uint32_t value) {
    if (!is_register(offset)) return model_refuse(model, TANDEM_MODEL_INVALID, "0x%x is no register", offset);
    if (is_follower(model))
        return model_refuse(model, TANDEM_MODEL_STATE, "the device follows: registers are written by REG_WRITE");
    tell_access(model, TRACE_REG_WRITE, offset, value);
    ppu_reg_write(model->ppu, offset, value);
    return TANDEM_MODEL_OK;
}

int tandem_model_interrupt(const tandem_model *model) {
    return ppu_irq(model->ppu) ? 1 : 0;
}

// ---- running alone
static void on_event(void *context, const struct trace_event *event) {
    struct tandem_model *model = context;
    tandem_model_event out;
    const bool first = (uint32_t)event->kind == model->wanted && !model->has_found;
    if (model->listener == NULL && !first) return;
    model_event_out(event, &out);
    if (first) {
        model->found = out;
        model->has_found = true;
    }
    if (model->listener != NULL) model->listener(model->listener_context, &out);
}

static void hear(struct tandem_model *model) {
    const bool wanted = model->listener != NULL || model->wanted != TANDEM_MODEL_NO_KIND;
    ppu_set_trace(model->ppu, wanted ? on_event : NULL, model);
}

static tandem_model_status follows(struct tandem_model *model) {
    return model_refuse(model, TANDEM_MODEL_STATE, "the device follows: it does not run alone");
}

tandem_model_status tandem_model_listen(tandem_model *model, tandem_model_listener *listener, void *context) {
    if (is_follower(model)) return follows(model);
    model->listener = listener;
    model->listener_context = context;
    hear(model);
    return TANDEM_MODEL_OK;
}

tandem_model_status tandem_model_step(tandem_model *model, uint64_t steps, uint64_t *done) {
    if (done != NULL) *done = 0;
    if (is_follower(model)) return follows(model);
    const uint64_t count = ppu_step(model->ppu, steps);
    model->steps += count;
    if (done != NULL) *done = count;
    return count == steps ? TANDEM_MODEL_OK : TANDEM_MODEL_IDLE;
}

tandem_model_status tandem_model_run_until_idle(tandem_model *model, uint64_t most, uint64_t *done) {
    return tandem_model_step(model, most, done);
}

tandem_model_status tandem_model_run_until_event(tandem_model *model, uint32_t kind, uint64_t most,
                                                 tandem_model_event *event) {
    if (is_follower(model)) return follows(model);
    if (kind >= TRACE_KIND_COUNT) return model_refuse(model, TANDEM_MODEL_INVALID, "there is no event %u", kind);
    model->wanted = kind;
    model->has_found = false;
    hear(model);
    tandem_model_status status = TANDEM_MODEL_OK;
    for (uint64_t i = 0; i < most && status == TANDEM_MODEL_OK && !model->has_found; i++)
        status = tandem_model_step(model, 1, NULL);
    model->wanted = TANDEM_MODEL_NO_KIND;
    hear(model);
    if (!model->has_found) {
        if (status == TANDEM_MODEL_IDLE) return status;
        return model_refuse(model, TANDEM_MODEL_STATE, "no %s within %llu steps",
                            trace_kind_name((enum trace_kind)kind), (unsigned long long)most);
    }
    if (event != NULL) *event = model->found;
    return TANDEM_MODEL_OK;
}

// ---- state
void tandem_model_describe_warp(const tandem_model *model, unsigned sm, unsigned warp, char *to, size_t bytes) {
    if (bytes == 0) return;
    to[0] = '\0';
    if (warp < ppu_get_config(model->ppu)->warps) {
        ppu_describe_warp(model->ppu, sm, warp, to, bytes);
    } else {
        (void)snprintf(to, bytes, "SM %u warp %u: there is none\n", sm, warp);
    }
}

void tandem_model_describe_channel(const tandem_model *model, unsigned channel, char *to, size_t bytes) {
    if (bytes != 0) ppu_describe_channel(model->ppu, channel, to, bytes);
}

tandem_model_status tandem_model_counter(const tandem_model *model, const char *name, uint64_t *value) {
    struct ppu_counters counters;
    ppu_get_counters(model->ppu, &counters);
    const struct {
        const char *name;
        uint64_t value;
    } all[] = {{"steps", model->steps},
               {"warp_instructions", counters.warp_instructions},
               {"thread_instructions", counters.thread_instructions},
               {"tasks", counters.tasks},
               {"ctas", counters.ctas},
               {"warps", counters.warps},
               {"gp_entries", counters.gp_entries},
               {"methods", counters.methods},
               {"semaphores", counters.semaphores},
               {"memory_requests", counters.memory_requests}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(name, all[i].name) != 0) continue;
        *value = all[i].value;
        return TANDEM_MODEL_OK;
    }
    return TANDEM_MODEL_INVALID;
}
