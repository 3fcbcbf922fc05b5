// Token deques that stand at a bound: the device holds the warp and asks; the driver moves the tokens to the middle of
// the space and resumes the warp (TD-15).
#include "driver/deque.h"
#include "gen/registers.h"

// Moves the tokens of the warp that WARP_SELECT names. The bound that the warp stands at gets the odd entry, so one
// free entry is enough to go on.
static void move_to_middle(struct tandem_device *device) {
    const uint32_t entries = device->options.config->deque_entries;
    const uint32_t ends = register_read(device, REG_DEQUE_ENDS);
    const uint32_t head = REG_DEQUE_ENDS_FRONT_OF(ends), tail = REG_DEQUE_ENDS_BACK_OF(ends);
    if (tail > entries || head >= tail) return;  // not a held warp, or a device that has just been lost
    const uint32_t count = tail - head, free = entries - count;
    const uint32_t target = head == 0 ? (free + 1) / 2 : free / 2;
    for (uint32_t i = 0; i < count; i++) {
        // Never over a token that is still to be moved.
        const uint32_t at = target > head ? count - 1 - i : i;
        register_write(device, REG_DEQUE_LOAD, head + at);
        register_write(device, REG_DEQUE_STORE, target + at);
    }
    register_write(device, REG_DEQUE_ENDS, REG_DEQUE_ENDS_FRONT(target));
    device->deques_moved++;
}

void driver_open_deques(struct tandem_device *device) {
    register_write(device, REG_DEQUE_CONTROL, REG_DEQUE_CONTROL_SERVE(1u));
}

bool driver_serve_deques(struct tandem_device *device) {
    if (REG_INTR_STATUS_WARP_HELD_OF(register_read(device, REG_INTR_STATUS)) == 0) return false;
    // Cleared first: a warp that is held while others are served raises it again.
    register_write(device, REG_INTR_STATUS, REG_INTR_STATUS_WARP_HELD(1u));
    const uint32_t selected = register_read(device, REG_WARP_SELECT);
    const uint32_t warps = device->options.config->sms * device->options.config->warps;
    bool served = false;
    for (uint32_t i = 0; i < warps && driver_check(device) == TANDEM_OK; i++) {
        const uint32_t held = register_read(device, REG_DEQUE_HELD);
        if (REG_DEQUE_HELD_HELD_OF(held) == 0) break;
        register_write(
            device, REG_WARP_SELECT,
            REG_WARP_SELECT_WARP(REG_DEQUE_HELD_WARP_OF(held)) | REG_WARP_SELECT_SM(REG_DEQUE_HELD_SM_OF(held)));
        move_to_middle(device);
        register_write(device, REG_DEQUE_RESUME, 1);
        served = true;
    }
    register_write(device, REG_WARP_SELECT, selected);
    return served;
}
