// Token queues: each warp has one in memory, of which the multiprocessors keep both ends and move tokens in between by
// themselves (TD-21). A queue that has walked to its bound: the device holds the warp and asks; the driver moves the tokens
// to the middle of the queue and resumes the warp (TD-15).
#include "driver/deque.h"

#include <stdio.h>

#include "gen/registers.h"

#define PAGE 4096u

static uint32_t queues_of(const struct ppu_config *config) {
    uint32_t warps = 1;
    while (warps < config->warps)
        warps *= 2;
    return config->sms * warps;
}

static uint32_t bytes_of(const struct ppu_config *config) {
    return config->threads / 4;
}

enum tandem_status driver_choose_queues(struct tandem_device *device, char *message, size_t message_size) {
    const struct ppu_config *config = device->options.config;
    const uint32_t half = config->deque_entries / 2, places = device->options.tokens;
    if (places < half || places > config->deque_most || (places & (places - 1)) != 0) {
        snprintf(message, message_size,
                 "device option tokens=%u: write a power of two from %u to %u (configuration %s)", places, half,
                 config->deque_most, config->name);
        return TANDEM_NO_DEVICE;
    }
    // As many as the multiprocessors keep need no memory.
    const uint64_t bytes = places == half ? 0 : (uint64_t)queues_of(config) * places * bytes_of(config);
    device->queue_places = places;
    device->queue_bytes = (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    if (device->queue_bytes <= device->options.mem_bytes / 2) return TANDEM_OK;
    snprintf(message, message_size,
             "device option tokens=%u: the queues of %u warps take %llu bytes, more than half of the device's %zu",
             places, config->sms * config->warps, (unsigned long long)device->queue_bytes, device->options.mem_bytes);
    return TANDEM_NO_DEVICE;
}

void driver_open_queues(struct tandem_device *device) {
    const uint32_t half = device->options.config->deque_entries / 2;
    uint32_t size = 0;
    while (half << size < device->queue_places)
        size++;
    device->queue_base = device->options.mem_bytes - device->queue_bytes;
    register_write(device, REG_DEQUE_MEMORY,
                   REG_DEQUE_MEMORY_SIZE(size) | REG_DEQUE_MEMORY_BASE((uint32_t)(device->queue_base / PAGE)));
    register_write(device, REG_DEQUE_CONTROL, REG_DEQUE_CONTROL_SERVE(1u));
}

// Tokens from..to of a queue in memory, `places` further to the back: never over one that is still to be moved.
static void move_in_memory(struct tandem_device *device, uint32_t queue, uint32_t from, uint32_t to, int32_t places) {
    const uint32_t bytes = bytes_of(device->options.config);
    const uint64_t start = device->queue_base + (uint64_t)queue * device->queue_places * bytes;
    uint8_t piece[PAGE];
    const uint32_t most = (uint32_t)sizeof piece / bytes;
    while (from < to) {
        const uint32_t count = to - from < most ? to - from : most;
        const uint32_t at = places > 0 ? to - count : from;
        if (memory_read(device, start + (uint64_t)at * bytes, piece, (size_t)count * bytes) != TANDEM_OK ||
            memory_write(device, start + (uint64_t)(at + (uint32_t)places) * bytes, piece, (size_t)count * bytes) !=
                TANDEM_OK)
            return;  // the device is lost
        if (places > 0) {
            to -= count;
        } else {
            from += count;
        }
    }
}

// Moves the tokens of the warp that WARP_SELECT names to the middle, by one place at least: the device holds no warp that
// has no room for that.
static void move_to_middle(struct tandem_device *device, uint32_t queue) {
    const uint32_t places = device->queue_places;
    const uint32_t ends = register_read(device, REG_DEQUE_ENDS), kept = register_read(device, REG_DEQUE_KEPT);
    const uint32_t front = REG_DEQUE_ENDS_FRONT_OF(ends), back = REG_DEQUE_ENDS_BACK_OF(ends);
    const uint32_t first = front + REG_DEQUE_KEPT_FRONT_OF(kept), behind = back + REG_DEQUE_KEPT_BACK_OF(kept);
    if (first + behind > places || front + back == 0) return;  // not a held warp, or a device that has just been lost
    const uint32_t step = (front + back + 1) / 2;
    const int32_t move = front == 0 ? (int32_t)step : -(int32_t)step;
    move_in_memory(device, queue, first, places - behind, move);
    register_write(device, REG_DEQUE_MOVE, (uint32_t)move & 0xFFFFu);
    device->deques_moved++;
}

bool driver_serve_queues(struct tandem_device *device) {
    if (REG_INTR_STATUS_WARP_HELD_OF(register_read(device, REG_INTR_STATUS)) == 0) return false;
    // Cleared first: a warp that is held while others are served raises it again.
    register_write(device, REG_INTR_STATUS, REG_INTR_STATUS_WARP_HELD(1u));
    const uint32_t selected = register_read(device, REG_WARP_SELECT);
    const struct ppu_config *config = device->options.config;
    bool served = false;
    for (uint32_t i = 0; i < config->sms * config->warps && driver_check(device) == TANDEM_OK; i++) {
        const uint32_t held = register_read(device, REG_DEQUE_HELD);
        const uint32_t sm = REG_DEQUE_HELD_SM_OF(held), warp = REG_DEQUE_HELD_WARP_OF(held);
        if (REG_DEQUE_HELD_HELD_OF(held) == 0) break;
        register_write(device, REG_WARP_SELECT, REG_WARP_SELECT_WARP(warp) | REG_WARP_SELECT_SM(sm));
        move_to_middle(device, sm * (queues_of(config) / config->sms) + warp);
        register_write(device, REG_DEQUE_RESUME, 1);
        served = true;
    }
    register_write(device, REG_WARP_SELECT, selected);
    return served;
}
