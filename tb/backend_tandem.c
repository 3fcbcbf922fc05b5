// The backend "tandem": the verilated ppu leads, the model follows, every event is compared. What the CPU does is done
// to both.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"
#include "rtl_session.h"
#include "tandem_checker.h"

// Between two looks for silence; run() may be asked for far more at once.
#define CHECK_EVERY 1024u
// On closing, the RTL gets a quarter more than this to show what is still on its way: the silence, after which nothing
// comes any more.
static uint64_t silence(const struct backend_options *options) {
    return TANDEM_QUIET_CYCLES + 64ull * options->latency;
}

struct tandem {
    struct rtl_session rtl;
    struct ppu *model;
    struct tandem_checker *checker;
    uint64_t closing_cycles;
    backend_watch *watch;
    void *watch_context;
};

static bool on_event(void *context, const struct trace_event *event) {
    struct tandem *self = context;
    if (!tandem_checker_event(self->checker, event)) return false;
    // While the watcher takes its time the RTL stands in the middle of a cycle, so nothing is passed.
    if (self->watch != NULL) self->watch(self->watch_context, event->cycle);
    return true;
}

static const uint8_t *rtl_memory(void *context) {
    struct tandem *self = context;
    return self->rtl.ops->mem(self->rtl.device);
}

static void describe_rtl(void *context, FILE *to) {
    struct tandem *self = context;
    const struct ppu_config *config = ppu_get_config(self->model);
    for (uint32_t sm = 0; sm < config->sms; sm++) {
        for (uint32_t warp = 0; warp < config->warps; warp++) {
            rtl_session_reg_write(&self->rtl, REG_WARP_SELECT, REG_WARP_SELECT_WARP(warp) | REG_WARP_SELECT_SM(sm));
            uint32_t state = rtl_session_reg_read(&self->rtl, REG_WARP_STATE);
            uint32_t pc = rtl_session_reg_read(&self->rtl, REG_WARP_PC);
            uint32_t low = rtl_session_reg_read(&self->rtl, REG_WARP_MASK_LO);
            uint32_t high = rtl_session_reg_read(&self->rtl, REG_WARP_MASK_HI);
            fprintf(to, "[SM %u warp %u] state %u (%s) task slot %u pc 0x%x active 0x%08x%08x\n", sm, warp,
                    REG_WARP_STATE_STATE_OF(state), warp_state_name(REG_WARP_STATE_STATE_OF(state)),
                    REG_WARP_STATE_TASK_SLOT_OF(state), pc, high, low);
        }
    }
    for (uint32_t channel = 0; channel < config->channels; channel++) {
        uint32_t base = REG_CHANNEL_BASE + channel * REG_CHANNEL_STRIDE,
                 userd = REG_USERD_BASE + channel * REG_USERD_STRIDE;
        uint32_t status = rtl_session_reg_read(&self->rtl, base + CHANNEL_STATUS);
        fprintf(
            to,
            "[channel %u] control 0x%x status %u (%s), %u tasks outstanding; GP_GET %u GP_PUT %u; fault %u (%s) info "
            "0x%x pc 0x%x; "
            "blocked on 0x%x for 0x%x\n",
            channel, rtl_session_reg_read(&self->rtl, base + CHANNEL_CONTROL), CHANNEL_STATUS_STATE_OF(status),
            channel_state_name(CHANNEL_STATUS_STATE_OF(status)), CHANNEL_STATUS_TASKS_OF(status),
            rtl_session_reg_read(&self->rtl, userd + USERD_GP_GET),
            rtl_session_reg_read(&self->rtl, userd + USERD_GP_PUT),
            rtl_session_reg_read(&self->rtl, base + CHANNEL_FAULT_CODE),
            fault_name(rtl_session_reg_read(&self->rtl, base + CHANNEL_FAULT_CODE)),
            rtl_session_reg_read(&self->rtl, base + CHANNEL_FAULT_INFO),
            rtl_session_reg_read(&self->rtl, base + CHANNEL_FAULT_PC),
            rtl_session_reg_read(&self->rtl, base + CHANNEL_BLOCKED_ADDR),
            rtl_session_reg_read(&self->rtl, base + CHANNEL_BLOCKED_PAYLOAD));
    }
}

// After anything that may have clocked the RTL: the report is written between cycles.
static void settle(struct tandem *self) {
    if (self->rtl.failed[0] != '\0') tandem_checker_broken(self->checker, self->rtl.failed);
    tandem_checker_report(self->checker);
}

static void *open_tandem(struct backend_options *options, char *message, size_t message_size) {
    struct tandem *self = calloc(1, sizeof *self);
    if (self == NULL) {
        snprintf(message, message_size, "out of memory");
        return NULL;
    }
    if (!rtl_session_open(&self->rtl, options, message, message_size)) {
        free(self);
        return NULL;
    }
    self->model = ppu_create(options->config, options->mem_bytes, options->seed);
    if (self->model != NULL) {
        struct tandem_checker_options check = {
            .model = self->model,
            .device = options->replay,
            .replay = options->command,
            .seed = options->seed,
            .quiet_cycles = silence(options),
            .rtl_memory = rtl_memory,
            .describe_rtl = describe_rtl,
            .context = self,
        };
        self->checker = tandem_checker_create(&check);
        self->closing_cycles = check.quiet_cycles + check.quiet_cycles / 4;
    }
    if (self->checker == NULL) {
        snprintf(message, message_size, "out of memory for the model (%zu MiB of device memory)",
                 options->mem_bytes >> 20);
        if (self->model != NULL) ppu_destroy(self->model);
        rtl_session_close(&self->rtl);
        free(self);
        return NULL;
    }
    if (options->inject_model != 0) ppu_inject(self->model, options->inject_model);
    self->rtl.listener = on_event;
    self->rtl.listener_context = self;
    return self;
}

static const char *failed(void *context) {
    struct tandem *self = context;
    const char *mismatch = tandem_checker_failed(self->checker);
    if (mismatch == NULL) return self->rtl.failed[0] != '\0' ? self->rtl.failed : NULL;
    return mismatch;
}

static uint64_t run(void *context, uint64_t cycles) {
    struct tandem *self = context;
    uint64_t done = 0;
    while (done < cycles && failed(self) == NULL) {
        uint64_t left = cycles - done;
        done += rtl_session_run(&self->rtl, left < CHECK_EVERY ? left : CHECK_EVERY);
        // Silence is judged between operations on memory; a line held open for ever is noticed by the CPU's accesses.
        if (!self->rtl.ops->rmw_busy(self->rtl.device)) {
            (void)tandem_checker_cycle(self->checker, self->rtl.ops->cycle(self->rtl.device));
        }
        if (self->watch != NULL) self->watch(self->watch_context, self->rtl.ops->cycle(self->rtl.device));
    }
    settle(self);
    return done;
}

static bool close_tandem(void *context) {
    struct tandem *self = context;
    // What is on its way (the last GP_GET, write-backs of a program that is being left) gets its time to be told. Work
    // that goes on for ever is legal: then there is no idle point, and only the memories are compared.
    uint64_t spent = 0;
    while (spent < self->closing_cycles && failed(self) == NULL &&
           (!tandem_checker_told_all(self->checker) || self->rtl.ops->rmw_busy(self->rtl.device))) {
        spent += rtl_session_run(&self->rtl, 16);
        if (!self->rtl.ops->rmw_busy(self->rtl.device)) {
            (void)tandem_checker_cycle(self->checker, self->rtl.ops->cycle(self->rtl.device));
        }
    }
    if (failed(self) == NULL && rtl_session_wait_rmw(&self->rtl))
        (void)tandem_checker_compare_memory(self->checker, true);
    settle(self);
    bool good = failed(self) == NULL;
    if (!good) fprintf(stderr, "tandem: %s\n", failed(self));
    tandem_checker_destroy(self->checker);
    ppu_destroy(self->model);
    rtl_session_close(&self->rtl);
    if (good && self->rtl.failed[0] != '\0') fprintf(stderr, "tandem: %s\n", self->rtl.failed);
    good = good && self->rtl.failed[0] == '\0';
    free(self);
    return good;
}

static uint32_t reg_read(void *context, uint32_t offset) {
    struct tandem *self = context;
    uint32_t value = rtl_session_reg_read(&self->rtl, offset);
    settle(self);
    return value;
}

static void reg_write(void *context, uint32_t offset, uint32_t value) {
    struct tandem *self = context;
    rtl_session_reg_write(&self->rtl, offset, value);
    settle(self);
}

static bool mem_read(void *context, uint64_t addr, void *to, size_t size) {
    struct tandem *self = context;
    bool good = rtl_session_mem_read(&self->rtl, addr, to, size);
    if (good) (void)tandem_checker_cpu_read(self->checker, addr, to, size);
    settle(self);
    return good;
}

static bool mem_write(void *context, uint64_t addr, const void *from, size_t size) {
    struct tandem *self = context;
    bool good = rtl_session_mem_write(&self->rtl, addr, from, size);
    if (good) (void)tandem_checker_cpu_write(self->checker, addr, from, size);
    settle(self);
    return good;
}

static void bus_errors(void *context, uint64_t base, uint64_t size, bool writes_only) {
    struct tandem *self = context;
    // The model is told by the events.
    rtl_session_bus_errors(&self->rtl, base, size, writes_only);
}

static void statistics(void *context, struct tandem_statistics *to) {
    struct tandem *self = context;
    rtl_session_statistics(&self->rtl, to);
    to->events = 0;
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++) {
        if (rtl_session_counts_as_event((enum trace_kind)kind)) {
            to->events += tandem_checker_compared_of(self->checker, (enum trace_kind)kind);
        }
    }
    to->compared = tandem_checker_compared(self->checker);
    to->mismatches = tandem_checker_verdict(self->checker) != VERDICT_AGREED;
}

static bool irq(void *context) {
    const struct tandem *self = context;
    return self->rtl.ops->irq(self->rtl.device);
}

static const struct ppu *watch(void *context, backend_watch *watch, void *watch_context) {
    struct tandem *self = context;
    self->watch = watch;
    self->watch_context = watch_context;
    return self->model;
}

static void image(void *context, struct image *image) {
    struct tandem *self = context;
    rtl_session_image(&self->rtl, image);
    ppu_image(self->model, image);
    tandem_checker_image(self->checker, image);
}

const struct backend_ops backend_tandem = {
    .name = "tandem",
    .cycles_per_second = 300000,
    .open = open_tandem,
    .close = close_tandem,
    .reg_read = reg_read,
    .reg_write = reg_write,
    .mem_read = mem_read,
    .mem_write = mem_write,
    .bus_errors = bus_errors,
    .run = run,
    .statistics = statistics,
    .irq = irq,
    .failed = failed,
    .watch = watch,
    .image = image,
};
