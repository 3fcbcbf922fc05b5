// The calls of tandem.h and recompile.h: each takes its turn on the device (lock.h) and leaves the work to the files beneath.
#include <stdatomic.h>

#include "driver/again.h"
#include "driver/command.h"
#include "driver/dependences.h"
#include "driver/kernel_task.h"
#include "driver/launch.h"
#include "driver/printf.h"
#include "driver/save_pool.h"
#include "driver/suspend.h"
#include "driver/turns.h"
#include "driver/variants.h"
#include "driver/wait.h"
#include "driver/work_queue.h"
#include "gen/registers.h"

// Does `call` while it is this thread's turn. calls: the counter of the handle, NULL: none.
#define IN_TURN(on, calls, call) \
    do {                         \
        driver_enter(on, calls); \
        call;                    \
        driver_leave(on, calls); \
    } while (0)
#define RETURN_IN_TURN(type, on, calls, call)   \
    do {                                        \
        struct tandem_device *const on_ = (on); \
        type result_;                           \
        IN_TURN(on_, calls, result_ = (call));  \
        return result_;                         \
    } while (0)
#define DEVICE(call) RETURN_IN_TURN(enum tandem_status, device, NULL, call)
#define SPACE(call) RETURN_IN_TURN(enum tandem_status, space->device, &space->calls, call)
#define CHANNEL(call) RETURN_IN_TURN(enum tandem_status, channel->device, &channel->calls, call)

// ---- the device ----

enum tandem_status tandem_close(struct tandem_device *device) {
    if (device == NULL) return TANDEM_OK;
    DEVICE(device_close(device));
}

const char *tandem_message(const struct tandem_device *device) {
    return driver_lock_last_message(device->lock);
}

void tandem_get_info(const struct tandem_device *device, struct tandem_info *info) {
    driver_lock_enter(device->lock, NULL);
    device_info(device, info);
    (void)driver_lock_leave(device->lock, NULL);
}

void tandem_get_statistics(const struct tandem_device *device, struct tandem_statistics *statistics) {
    driver_lock_enter(device->lock, NULL);
    device_statistics(device, statistics);
    (void)driver_lock_leave(device->lock, NULL);
}

static void set_progress(struct tandem_device *device, tandem_progress *call, void *context) {
    device->progress = call;
    device->progress_context = context;
}

void tandem_set_progress(struct tandem_device *device, tandem_progress *call, void *context) {
    IN_TURN(device, NULL, set_progress(device, call, context));
}

static void set_printf(struct tandem_device *device, tandem_printf *call, void *context) {
    device->print = call;
    device->print_context = context;
}

void tandem_set_printf(struct tandem_device *device, tandem_printf *call, void *context) {
    IN_TURN(device, NULL, set_printf(device, call, context));
}

enum tandem_status tandem_set_printf_bytes(struct tandem_device *device, uint32_t bytes) {
    DEVICE(printf_set_bytes(device, bytes));
}

uint32_t tandem_reg_read(struct tandem_device *device, uint32_t offset) {
    RETURN_IN_TURN(uint32_t, device, NULL, register_read(device, offset));
}

void tandem_reg_write(struct tandem_device *device, uint32_t offset, uint32_t value) {
    IN_TURN(device, NULL, register_write(device, offset, value));
}

// Reading the low word keeps the high one for the next read.
static uint64_t read_time(struct tandem_device *device) {
    const uint32_t low = register_read(device, REG_TIME_LO);
    return low | (uint64_t)register_read(device, REG_TIME_HI) << 32;
}

uint64_t tandem_time(struct tandem_device *device) {
    RETURN_IN_TURN(uint64_t, device, NULL, read_time(device));
}

enum tandem_status tandem_set_bus_errors(struct tandem_device *device, tandem_addr address, size_t size,
                                         bool writes_only) {
    DEVICE(device_set_bus_errors(device, address, size, writes_only));
}

enum tandem_status tandem_run(struct tandem_device *device, uint64_t cycles) {
    DEVICE(device_run(device, cycles));
}

// From a signal handler or while another thread has its turn.
void tandem_interrupt(struct tandem_device *device) {
    atomic_store(&device->interrupted, 1);
}

void tandem_set_recompile(struct tandem_device *device, const struct tandem_recompile_options *options) {
    IN_TURN(device, NULL, again_set_options(device, options));
}

void tandem_set_compiler(struct tandem_device *device, alias_compile *compile, void *context) {
    IN_TURN(device, NULL, again_set_compiler(device, compile, context));
}

void tandem_set_recompile_log(struct tandem_device *device, tandem_recompile_log *call, void *context) {
    IN_TURN(device, NULL, again_set_log(device, call, context));
}

// ---- spaces ----

struct tandem_space *tandem_device_space(struct tandem_device *device) {
    return device->own;
}

enum tandem_status tandem_space_open(struct tandem_device *device, size_t bytes, struct tandem_space **space) {
    DEVICE(space_open(device, bytes, space));
}

enum tandem_status tandem_space_close(struct tandem_space *space) {
    if (space == NULL) return TANDEM_OK;
    RETURN_IN_TURN(enum tandem_status, space->device, NULL, space_close(space));
}

void tandem_space_get_info(struct tandem_space *space, struct tandem_space_info *info) {
    IN_TURN(space->device, NULL, space_info(space, info));
}

enum tandem_status tandem_space_alloc(struct tandem_space *space, size_t size, size_t alignment, tandem_addr *address) {
    SPACE(space_alloc(space, size, alignment, address));
}

enum tandem_status tandem_space_free(struct tandem_space *space, tandem_addr address) {
    SPACE(space_free(space, address));
}

enum tandem_status tandem_space_write(struct tandem_space *space, tandem_addr to, const void *from, size_t size) {
    SPACE(space_write(space, to, from, size));
}

enum tandem_status tandem_space_read(struct tandem_space *space, tandem_addr from, void *to, size_t size) {
    SPACE(space_read(space, from, to, size));
}

enum tandem_status tandem_space_channel_open(struct tandem_space *space, uint32_t entries, uint32_t priority,
                                             struct tandem_channel **channel) {
    SPACE(channel_open(space, entries, priority, false, channel));
}

enum tandem_status tandem_space_module_load(struct tandem_space *space, const void *elf, size_t size,
                                            struct tandem_module **module) {
    SPACE(module_load(space, elf, size, module));
}

enum tandem_status tandem_space_module_load_file(struct tandem_space *space, const char *path,
                                                 struct tandem_module **module) {
    SPACE(module_load_file(space, path, module));
}

enum tandem_status tandem_space_queue_append(struct tandem_space *space, tandem_addr tmd,
                                             const struct tandem_queue *queue, const void *entries, uint32_t count,
                                             uint32_t *appended) {
    SPACE(queue_task_append(space, tmd, queue, entries, count, appended));
}

enum tandem_status tandem_space_queue_close(struct tandem_space *space, tandem_addr tmd) {
    SPACE(queue_task_close(space, tmd));
}

// ---- the device's own space ----

enum tandem_status tandem_alloc(struct tandem_device *device, size_t size, size_t alignment, tandem_addr *address) {
    return tandem_space_alloc(device->own, size, alignment, address);
}

enum tandem_status tandem_free(struct tandem_device *device, tandem_addr address) {
    return tandem_space_free(device->own, address);
}

enum tandem_status tandem_write(struct tandem_device *device, tandem_addr to, const void *from, size_t size) {
    return tandem_space_write(device->own, to, from, size);
}

enum tandem_status tandem_read(struct tandem_device *device, tandem_addr from, void *to, size_t size) {
    return tandem_space_read(device->own, from, to, size);
}

enum tandem_status tandem_channel_open(struct tandem_device *device, uint32_t entries, uint32_t priority,
                                       struct tandem_channel **channel) {
    return tandem_space_channel_open(device->own, entries, priority, channel);
}

enum tandem_status tandem_module_load(struct tandem_device *device, const void *elf, size_t size,
                                      struct tandem_module **module) {
    return tandem_space_module_load(device->own, elf, size, module);
}

enum tandem_status tandem_module_load_file(struct tandem_device *device, const char *path,
                                           struct tandem_module **module) {
    return tandem_space_module_load_file(device->own, path, module);
}

enum tandem_status tandem_queue_append(struct tandem_device *device, tandem_addr tmd, const struct tandem_queue *queue,
                                       const void *entries, uint32_t count, uint32_t *appended) {
    return tandem_space_queue_append(device->own, tmd, queue, entries, count, appended);
}

enum tandem_status tandem_queue_close(struct tandem_device *device, tandem_addr tmd) {
    return tandem_space_queue_close(device->own, tmd);
}

// ---- channels ----

enum tandem_status tandem_channel_close(struct tandem_channel *channel) {
    if (channel == NULL) return TANDEM_OK;
    RETURN_IN_TURN(enum tandem_status, channel->device, NULL, channel_end(channel));
}

enum tandem_status tandem_method(struct tandem_channel *channel, uint32_t subchannel, uint32_t method, uint32_t data) {
    CHANNEL(command_method(channel, subchannel, method, data));
}

enum tandem_status tandem_semaphore_release(struct tandem_channel *channel, tandem_addr address, uint32_t payload,
                                            bool wait_for_idle) {
    CHANNEL(command_release(channel, address, payload, wait_for_idle));
}

enum tandem_status tandem_semaphore_acquire(struct tandem_channel *channel, tandem_addr address, uint32_t payload) {
    CHANNEL(command_acquire(channel, address, payload));
}

enum tandem_status tandem_wfi(struct tandem_channel *channel) {
    CHANNEL(command_wfi(channel));
}

enum tandem_status tandem_time_stamp(struct tandem_channel *channel, tandem_addr address) {
    CHANNEL(command_time_stamp(channel, address));
}

enum tandem_status tandem_launch_tmd(struct tandem_channel *channel, tandem_addr tmd) {
    CHANNEL(command_launch_tmd(channel, tmd));
}

enum tandem_status tandem_submit(struct tandem_channel *channel) {
    CHANNEL(channel_submit(channel));
}

enum tandem_status tandem_submit_entry(struct tandem_channel *channel, uint32_t entry0, uint32_t entry1) {
    CHANNEL(channel_submit_entry(channel, entry0, entry1));
}

enum tandem_status tandem_wait(struct tandem_channel *channel, tandem_addr address, uint32_t value, uint64_t deadline) {
    CHANNEL(channel_wait(channel, address, value, deadline));
}

enum tandem_status tandem_finish(struct tandem_channel *channel, uint64_t deadline) {
    CHANNEL(channel_finish(channel, deadline));
}

bool tandem_channel_fault(struct tandem_channel *channel, struct tandem_fault *fault) {
    RETURN_IN_TURN(bool, channel->device, &channel->calls, channel_any_fault(channel, fault));
}

enum tandem_status tandem_channel_reset(struct tandem_channel *channel) {
    CHANNEL(channel_reset(channel));
}

enum tandem_status tandem_channel_save_memory(struct tandem_channel *channel, size_t bytes) {
    CHANNEL(save_pool_memory(channel, bytes));
}

enum tandem_status tandem_channel_stop(struct tandem_channel *channel, uint64_t deadline) {
    CHANNEL(suspend_stop(channel, deadline));
}

enum tandem_status tandem_channel_continue(struct tandem_channel *channel) {
    CHANNEL(suspend_continue(channel));
}

enum tandem_status tandem_task_look(struct tandem_channel *channel, tandem_addr tmd, struct tandem_task_look *look) {
    CHANNEL(suspend_look(channel, tmd, look));
}

enum tandem_status tandem_task_warp(struct tandem_channel *channel, tandem_addr tmd, uint32_t number,
                                    struct tandem_saved_warp *warp) {
    CHANNEL(suspend_warp(channel, tmd, number, warp));
}

enum tandem_status tandem_task_registers(struct tandem_channel *channel, tandem_addr tmd, uint32_t number,
                                         uint32_t thread, uint32_t *registers, uint32_t count) {
    CHANNEL(suspend_registers(channel, tmd, number, thread, registers, count));
}

enum tandem_status tandem_work_queue_open(struct tandem_channel *channel, const struct tandem_work_queue *sizes) {
    CHANNEL(work_queue_open(channel, sizes));
}

enum tandem_status tandem_work_queue_state(struct tandem_channel *channel, struct tandem_work_queue_state *state) {
    CHANNEL(work_queue_state(channel, state));
}

// ---- programs and launches ----

void tandem_module_unload(struct tandem_module *module) {
    if (module == NULL) return;
    struct tandem_device *const device = module->device;
    IN_TURN(device, NULL, module_unload(module));
}

struct tandem_recompile_counts tandem_recompile_counts(const struct tandem_module *module) {
    RETURN_IN_TURN(struct tandem_recompile_counts, module->device, NULL, variants_counts(module));
}

enum tandem_status tandem_get_kernel_info(const struct tandem_module *module, const char *kernel,
                                          struct tandem_kernel_info *info) {
    RETURN_IN_TURN(enum tandem_status, module->device, NULL, kernel_info(module, kernel, info));
}

enum tandem_status tandem_prepare_group(struct tandem_module *module, const char *kernel, const uint32_t local[3]) {
    RETURN_IN_TURN(enum tandem_status, module->device, NULL, turns_prepare(module, kernel, local));
}

enum tandem_status tandem_launch_scheduled(struct tandem_channel *channel, struct tandem_module *module,
                                           const char *kernel, const struct tandem_range *range,
                                           const struct tandem_scheduling *scheduling,
                                           const struct tandem_argument *arguments, size_t count) {
    CHANNEL(launch_kernel(channel, module, kernel, range, scheduling, arguments, NULL, count));
}

enum tandem_status tandem_launch(struct tandem_channel *channel, struct tandem_module *module, const char *kernel,
                                 const struct tandem_range *range, const struct tandem_argument *arguments,
                                 size_t count) {
    return tandem_launch_scheduled(channel, module, kernel, range, NULL, arguments, count);
}

enum tandem_status tandem_launch_regions(struct tandem_channel *channel, struct tandem_module *module,
                                         const char *kernel, const struct tandem_range *range,
                                         const struct tandem_scheduling *scheduling,
                                         const struct tandem_argument *arguments, const struct tandem_region *regions,
                                         size_t count) {
    CHANNEL(launch_kernel(channel, module, kernel, range, scheduling, arguments, regions, count));
}

enum tandem_status tandem_launch_queue(struct tandem_channel *channel, struct tandem_module *module, const char *kernel,
                                       uint32_t threads, const struct tandem_queue *queue,
                                       const struct tandem_scheduling *scheduling,
                                       const struct tandem_argument *arguments, size_t count, tandem_addr *tmd) {
    CHANNEL(queue_task_launch(channel, module, kernel, threads, queue, scheduling, arguments, count, tmd));
}

enum tandem_status tandem_task_build(struct tandem_channel *channel, struct tandem_module *module, const char *kernel,
                                     const struct tandem_range *range, const struct tandem_scheduling *scheduling,
                                     const struct tandem_argument *arguments, size_t count, tandem_addr *tmd) {
    CHANNEL(launch_build_task(channel, module, kernel, range, scheduling, arguments, count, tmd));
}

enum tandem_status tandem_task_launch(struct tandem_channel *channel, struct tandem_module *module, tandem_addr tmd) {
    CHANNEL(launch_task(channel, module, tmd));
}

enum tandem_status tandem_task_dependences(struct tandem_channel *channel, const struct tandem_dependence *all,
                                           size_t count) {
    CHANNEL(dependences_set(channel, all, count));
}
