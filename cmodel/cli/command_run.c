// tandem run: launches on one device, buffers from and to files. run_options.c says with what, run_plan.c looks at it
// before there is a device; here it happens.
#include <stdlib.h>
#include <string.h>

#include "driver/recompile.h"
#include "gen/config.h"
#include "gen/registers.h"
#include "interrupt.h"
#include "run.h"

static bool report(struct tandem_device *device, enum tandem_status status) {
    if (status == TANDEM_OK) return true;
    complain("run", "%s: %s", tandem_status_name(status), tandem_message(device));
    return false;
}

static bool make_buffers(struct tandem_device *device, struct run_plan *plan) {
    for (size_t k = 0; k < plan->buffer_count; k++) {
        struct run_buffer *buffer = &plan->buffers[k];
        if (!report(device, tandem_alloc(device, buffer->size, 256, &buffer->address))) return false;
        void *zeros = buffer->bytes == NULL ? calloc(1, buffer->size) : NULL;
        if (buffer->bytes == NULL && zeros == NULL) {
            complain("run", "a buffer of %zu bytes: too large for the host's memory", buffer->size);
            return false;
        }
        const void *from = buffer->bytes != NULL ? buffer->bytes : zeros;
        const bool good = report(device, tandem_write(device, buffer->address, from, buffer->size));
        free(zeros);
        if (!good) return false;
    }
    return true;
}

// path "-": as numbers on standard output.
static bool write_buffer(struct tandem_device *device, const struct run_buffer *buffer, const char *path) {
    uint8_t *bytes = malloc(buffer->size);
    if (bytes == NULL) complain("run", "a buffer of %zu bytes: too large for the host's memory", buffer->size);
    bool good = bytes != NULL && report(device, tandem_read(device, buffer->address, bytes, buffer->size));
    if (good && strcmp(path, "-") == 0) {
        run_print(bytes, buffer->size, buffer->element);
    } else if (good) {
        good = write_file("run", path, bytes, buffer->size);
    }
    free(bytes);
    return good;
}

static bool write_buffers(struct tandem_device *device, const struct run_options *run, const struct run_plan *plan) {
    bool good = true;
    for (size_t k = 0; k < plan->buffer_count; k++)
        if (plan->buffers[k].out != NULL) good &= write_buffer(device, &plan->buffers[k], plan->buffers[k].out);
    for (size_t k = 0; k < run->shown_count; k++)
        good &= write_buffer(device, run_plan_find(plan, run->shown[k], strlen(run->shown[k])), "-");
    for (size_t k = 0; k < run->saved_count; k++) {
        const size_t length = strcspn(run->saved[k], ":");
        good &= write_buffer(device, run_plan_find(plan, run->saved[k], length), run->saved[k] + length + 1);
    }
    return good;
}

static void set_registers(struct tandem_device *device, const struct run_options *run) {
    if (run->sv_order >= 0) tandem_reg_write(device, REG_SV_ORDER, (uint32_t)run->sv_order);
    if (run->sv_miss_share != RUN_NOT_GIVEN) tandem_reg_write(device, REG_SV_THRESHOLD, (uint32_t)run->sv_miss_share);
    if (run->policy >= 0) tandem_reg_write(device, REG_WARP_POLICY, (uint32_t)run->policy);
    if (run->round_robin || run->slice != 0)
        tandem_reg_write(
            device, REG_TASK_SCHEDULE,
            REG_TASK_SCHEDULE_ROUND_ROBIN(run->round_robin ? 1u : 0u) | REG_TASK_SCHEDULE_SLICE((uint32_t)run->slice));
    if (run->l1 >= 0) tandem_reg_write(device, REG_L1_CONTROL, (uint32_t)run->l1);
    if (run->yield_seed != RUN_NOT_GIVEN) tandem_reg_write(device, REG_YIELD_SEED, (uint32_t)run->yield_seed);
}

static bool open_work_queue(struct tandem_device *device, struct tandem_channel *channel,
                            const struct run_options *run) {
    const struct tandem_work_queue sizes = {.entries = (uint32_t)run->work_entries,
                                            .pieces = (uint32_t)run->work_pieces,
                                            .piece_bytes = (uint32_t)run->work_piece_bytes,
                                            .priority = (uint32_t)run->work_priority,
                                            .put = run->work_put < 0    ? TANDEM_PUT_OF_DEVICE
                                                   : run->work_put == 0 ? TANDEM_PUT_HARDWARE
                                                                        : TANDEM_PUT_SOFTWARE};
    if (sizes.entries == 0 && sizes.pieces == 0 && sizes.piece_bytes == 0 && sizes.priority == 0 && run->work_put < 0)
        return true;
    return report(device, tandem_work_queue_open(channel, &sizes));
}

// Sizes as they were given; what is missing is 1, the global size that of a work-group.
static struct tandem_range range_of(const struct run_launch *launch) {
    struct tandem_range range = {.dimensions = 1};
    const struct option_sizes *all[] = {&launch->global, &launch->local, &launch->offset};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k]->count > range.dimensions) range.dimensions = all[k]->count;
    for (uint32_t d = 0; d < range.dimensions; d++) {
        range.offset[d] = launch->offset.size[d];
        range.local[d] = launch->local.size[d];
        if (launch->local.count != 0 && range.local[d] == 0) range.local[d] = 1;
        range.global[d] = launch->global.size[d];
        if (range.global[d] == 0) range.global[d] = range.local[d] != 0 ? range.local[d] : 1;
    }
    return range;
}

static bool launch_one(struct tandem_channel *channel, struct tandem_device *device, struct tandem_module *module,
                       const struct run_launch *launch, const struct run_plan *plan, size_t number) {
    struct tandem_argument arguments[RUN_ARGUMENTS_MAX];
    const struct code_kernel *kernel = plan->launches[number].kernel;
    for (size_t i = 0; i < launch->argument_count; i++) {
        const int buffer = plan->launches[number].arguments[i].buffer;
        if (buffer >= 0) {
            arguments[i] = (struct tandem_argument){&plan->buffers[buffer].address, sizeof(tandem_addr)};
        } else if (kernel->arguments[i].kind == ARG_LOCAL) {
            arguments[i] = (struct tandem_argument){NULL, plan->launches[number].arguments[i].size};
        } else {
            arguments[i] =
                (struct tandem_argument){plan->launches[number].arguments[i].value, kernel->arguments[i].size};
        }
    }
    const struct tandem_range range = range_of(launch);
    const struct tandem_scheduling scheduling = {
        .level = launch->level != RUN_NOT_GIVEN ? (uint32_t)launch->level : TANDEM_LEVEL_OF_CHANNEL,
        .at_head = launch->at_head};
    return report(device, tandem_launch_scheduled(channel, module, kernel->name, &range, &scheduling, arguments,
                                                  launch->argument_count));
}

static bool finish(const struct run_options *run, struct tandem_device *device, struct tandem_channel *channel,
                   const struct run_watch *watch) {
    const enum tandem_status status = tandem_finish(channel, run->deadline);
    return (status == TANDEM_OK || watch == NULL || !watch->left) && report(device, status);
}

static bool run_launches(const struct run_options *run, struct tandem_device *device, const struct code_object *object,
                         struct run_plan *plan, const struct run_watch *watch) {
    if (!make_buffers(device, plan)) return false;
    set_registers(device, run);
    if (run->printf_bytes != 0 && !report(device, tandem_set_printf_bytes(device, (uint32_t)run->printf_bytes)))
        return false;
    void *elf = NULL;
    size_t size = 0;
    char error[512];
    if (!code_object_write(object, &elf, &size, error, sizeof error)) {
        complain("run", "%s", error);
        return false;
    }
    struct tandem_module *module = NULL;
    struct tandem_channel *channel = NULL;
    bool good =
        report(device, tandem_module_load(device, elf, size, &module)) &&
        report(device, tandem_channel_open(device, (uint32_t)run->ring_entries, (uint32_t)run->priority, &channel)) &&
        open_work_queue(device, channel, run);
    free(elf);
    const bool watched = good && watch != NULL;
    good = good && (watch == NULL || watch->begin(watch->context, device, object));
    for (size_t k = 0; good && k < run->launch_count; k++) {
        // Each sees what the ones before it have written.
        good = k == 0 || report(device, tandem_wfi(channel));
        for (uint64_t n = 0; good && n < run->launches[k].repeat; n++) {
            good = (n == 0 || finish(run, device, channel, watch)) &&
                   launch_one(channel, device, module, &run->launches[k], plan, k);
        }
    }
    good = good && finish(run, device, channel, watch) && write_buffers(device, run, plan);
    if (watched) watch->end(watch->context, good);
    if (channel != NULL) tandem_channel_close(channel);
    tandem_module_unload(module);
    return good;
}

// That of the device, NULL: it is not known by name.
static const struct ppu_config *config_of(const struct run_options *run) {
    char name[32] = "small";
    const char *colon = strchr(run->device, ':');
    if (colon != NULL) snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 1, ","), colon + 1);
    return ppu_config_find(name[0] != '\0' ? name : "small");
}

// As many registers as the register file of the device's configuration has for each thread of a work-group, or of as many
// as are resident.
static uint64_t registers_for(const struct run_options *run, const struct ppu_config *config) {
    if (run->compile.registers != 0) return run->compile.registers;
    if (config == NULL) return 0;  // the device says so when it is opened
    uint64_t threads = 1;
    for (size_t k = 0; k < run->launch_count; k++) {
        uint64_t group = 1;
        for (uint32_t d = 0; d < run->launches[k].local.count; d++)
            group *= run->launches[k].local.size[d];
        if (group > threads) threads = group;
    }
    uint64_t warps = (threads + config->threads - 1) / config->threads;
    if (warps > config->warps) warps = config->warps;
    const uint64_t most = config->vgpr_rows / (warps * (config->threads / config->lanes));
    return most < 1 || most > 255 ? 0 : most;
}

static bool open_device(const struct run_options *run, struct tandem_device **device) {
    static const char *const again[] = {"auto", "never", "always"};
    const char *const keys[] = {",wave=", ",trace=", ",timeline=", ",seed=", ",again="};
    const char *const values[] = {run->wave, run->trace, run->timeline, run->seed,
                                  run->again >= 0 ? again[run->again] : NULL};
    char name[1024], message[1024];
    size_t used = (size_t)snprintf(name, sizeof name, "%s", run->device);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (values[k] == NULL || used >= sizeof name) continue;
        used += (size_t)snprintf(name + used, sizeof name - used, "%s%s", keys[k], values[k]);
    }
    if (used >= sizeof name) {
        complain("run", "device name: longer than %zu characters", sizeof name - 1);
        return false;
    }
    if (tandem_open(name, device, message, sizeof message) == TANDEM_OK) return true;
    complain("run", "%s", message);
    return false;
}

static void tell_again(void *context, const char *line) {
    (void)context;
    fprintf(stderr, "tandem run: again: %s\n", line);
}

static int run_on_device(const struct run_options *run, const struct code_object *object, struct run_plan *plan,
                         const struct run_watch *watch) {
    struct tandem_device *device = NULL;
    if (!open_device(run, &device)) return EXIT_FAILED;
    if (run->again_log) tandem_set_recompile_log(device, tell_again, NULL);
    interrupt_begin(device);
    bool good = run_launches(run, device, object, plan, watch);
    struct tandem_statistics s;
    tandem_get_statistics(device, &s);
    if (run->stats && s.warp_instructions != 0) print_run_stats(device);
    interrupt_closing();
    const bool closed = tandem_close(device) == TANDEM_OK;
    good = good && closed;
    const int number = interrupt_end();
    if (watch != NULL && watch->left) return closed ? EXIT_OK : EXIT_FAILED;
    // Where no instruction was executed there are no figures: what went wrong has been said.
    if (good || s.warp_instructions != 0) {
        printf("%s: %s warp-instructions=%llu thread-instructions=%llu events=%llu mismatches=%llu cycles=%llu\n",
               run->device, good ? "PASS" : "FAIL", (unsigned long long)s.warp_instructions,
               (unsigned long long)s.thread_instructions, (unsigned long long)s.events,
               (unsigned long long)s.mismatches, (unsigned long long)s.cycles);
    }
    if (number != 0) return EXIT_SIGNAL(number);
    return good ? EXIT_OK : EXIT_FAILED;
}

int run_file(struct run_options *run, struct run_watch *watch) {
    struct run_plan *plan = calloc(1, sizeof *plan);
    struct code_object object;
    int result = EXIT_FAILED;
    const struct ppu_config *config = config_of(run);
    run->compile.registers = registers_for(run, config);
    if (run->compile.subvector.target == NULL && config != NULL) run->compile.subvector.target = config->name;
    if (plan == NULL) {
        complain("run", "the host has no memory");
    } else if (load_program("run", run->file, &run->compile, &object)) {
        if (run_plan_make(run, &object, plan)) result = run_on_device(run, &object, plan, watch);
        run_plan_free(plan);
        code_object_free(&object);
    }
    free(plan);
    return result;
}

static int run_main(int argc, char **argv) {
    struct run_options *run = calloc(1, sizeof *run);
    if (run == NULL) {
        complain("run", "the host has no memory");
        return EXIT_FAILED;
    }
    int result = run_options_parse(argc, argv, run);
    if (result == EXIT_OK) result = run_file(run, NULL);
    compile_options_free(&run->compile);
    free(run);
    return result;
}

const struct command command_run = {"run", "run kernels on a device", run_options_help, run_main};
