// Token deques that stand at a bound: the device holds the warp and asks; the driver moves the tokens to the middle of
// the space and resumes the warp (TD-15).
#include "driver/deque.h"
#include "gen/registers.h"

#define INTR_WARP_HELD (1u << 15)
#define HELD_VALID (1u << 31)

// Moves the tokens of the warp that WARP_SELECT names. The bound that the warp stands at gets the odd entry, so one
// free entry is enough to go on.
static void move_to_middle(struct tandem_device *device) {
    const uint32_t entries = device->options.config->deque_entries;
    const uint32_t ends = tandem_reg_read(device, REG_DEQUE_ENDS);
    const uint32_t head = ends & 0xFFFF, tail = ends >> 16;
    if (tail > entries || head >= tail) return;  // not a held warp, or a device that has just been lost
    const uint32_t count = tail - head, free = entries - count;
    const uint32_t target = head == 0 ? (free + 1) / 2 : free / 2;
    for (uint32_t i = 0; i < count; i++) {
        // Never over a token that is still to be moved.
        const uint32_t at = target > head ? count - 1 - i : i;
        tandem_reg_write(device, REG_DEQUE_LOAD, head + at);
        tandem_reg_write(device, REG_DEQUE_STORE, target + at);
    }
    tandem_reg_write(device, REG_DEQUE_ENDS, target);
    device->deques_moved++;
}

void driver_open_deques(struct tandem_device *device) {
    tandem_reg_write(device, REG_DEQUE_CONTROL, 1);
}

bool driver_serve_deques(struct tandem_device *device) {
    if ((tandem_reg_read(device, REG_INTR_STATUS) & INTR_WARP_HELD) == 0) return false;
    // Cleared first: a warp that is held while others are served raises it again.
    tandem_reg_write(device, REG_INTR_STATUS, INTR_WARP_HELD);
    const uint32_t selected = tandem_reg_read(device, REG_WARP_SELECT);
    const uint32_t warps = device->options.config->sms * device->options.config->warps;
    bool served = false;
    for (uint32_t i = 0; i < warps && driver_check(device) == TANDEM_OK; i++) {
        const uint32_t held = tandem_reg_read(device, REG_DEQUE_HELD);
        if ((held & HELD_VALID) == 0) break;
        tandem_reg_write(device, REG_WARP_SELECT, held & 0xFFFF);
        move_to_middle(device);
        tandem_reg_write(device, REG_DEQUE_RESUME, 1);
        served = true;
    }
    tandem_reg_write(device, REG_WARP_SELECT, selected);
    return served;
}
