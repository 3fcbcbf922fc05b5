// What STATUS says of every channel while one of them stands at something for as long as it is let: a read, a semaphore, an
// acquire, the task unit, its own tasks. The model's STATUS is compared by nobody, as it does not know what is under way.
#ifndef TANDEM_TESTS_RTL_HOST_INTERFACE_STATUS_H
#define TANDEM_TESTS_RTL_HOST_INTERFACE_STATUS_H

#include "gen/methods.h"
#include "host_interface_world.h"

namespace {

constexpr int SETTLES = 400;  // cycles after which all stands that can

void pass_cycles(world &w, int cycles) {
    for (int i = 0; i < cycles; i++)
        one_cycle(w);
    while (!w.registers.empty())
        one_cycle(w);
}

// STATUS of all channels, of one of them, and of another, as they must be; of the others IDLE.
void expect_status(world &w, const char *when, uint32_t one, uint32_t state, uint32_t other = 0, uint32_t its = 0) {
    for (uint32_t c = 0; c < w.channels; c++) {
        const uint32_t right = c == one ? state : c == other ? its : CHANNEL_STATUS_STATE_IDLE;
        w.registers.push_back({false, block_reg(c, CHANNEL_STATUS), 0});
        pass_cycles(w, 0);
        if (w.read != (CHANNEL_STATUS_STATE(right) | CHANNEL_STATUS_TASKS(w.model->task->outstanding[c])))
            bench_fail(&w.b, "%s of channel %u: STATUS of channel %u is 0x%x, state %u must be", when, one, c, w.read,
                       right);
    }
}

uint32_t method_header(uint32_t subchannel, uint32_t method) {
    return OP_INC << 29 | 1 << 16 | subchannel << 13 | method / 4;
}

uint32_t ring_of(uint32_t c) {
    return PROGRAM_RING + c * 0x40;
}

// The channel is enabled and has an entry of these words; until all stands that can, or it is at the entry.
void hand_over(world &w, uint32_t c, const std::vector<uint32_t> &words, uint32_t control = CHANNEL_CONTROL_ENABLE(1),
               bool settles = true) {
    const uint32_t block = PROGRAM_BLOCKS + c * PROGRAM_BLOCK_BYTES, ring = ring_of(c);
    const uint32_t entry[] = {block, static_cast<uint32_t>(words.size()) << 10};
    reg_write(w, block_reg(c, CHANNEL_SPACE_SIZE), PROGRAM_SPACE);
    reg_write(w, block_reg(c, CHANNEL_GP_BASE), ring);
    reg_write(w, block_reg(c, CHANNEL_GP_ENTRIES), 4);
    reg_write(w, block_reg(c, CHANNEL_ACQUIRE_RETRY), 0x7FFFFFFF);
    write_memory(w, c, block, words.data(), words.size() * 4);
    write_memory(w, c, ring, entry, sizeof entry);
    reg_write(w, userd_reg(c, USERD_GP_PUT), 1);
    reg_write(w, block_reg(c, CHANNEL_CONTROL), control);
    if (settles) pass_cycles(w, SETTLES);
    while (!settles && !w.model->host->channel_state[c].busy)
        one_cycle(w);
}

// Its tasks end, and it starts anew; nothing of it is left.
void clear_away(world &w, uint32_t c) {
    w.silent[0] = w.silent[1] = false;
    pass_cycles(w, SETTLES);
    while (w.model->task->outstanding[c] != 0)
        standin_task_end(w.model->task, c);
    reg_write(w, block_reg(c, CHANNEL_CONTROL), CHANNEL_CONTROL_RESET(1));
    pass_cycles(w, SETTLES);
    expect_status(w, "after the reset", c, CHANNEL_STATUS_STATE_IDLE);
}

std::vector<uint32_t> semaphore(uint32_t operation) {
    return {method_header(0, HOST_SEMAPHOREA), 0, method_header(0, HOST_SEMAPHOREB), PROGRAM_SEMAPHORES,
            method_header(0, HOST_SEMAPHOREC), 7, method_header(0, HOST_SEMAPHORED), operation};
}

// A release without a timestamp that does not wait for tasks, an acquire; the launch of a task.
const uint32_t RELEASE = 2 | 1u << 20 | 1u << 24, ACQUIRE = 1;
const std::vector<uint32_t> LAUNCH = {method_header(COMPUTE_SUBCHANNEL, HOST_SET_OBJECT),
                                      COMPUTE_CLASS,
                                      method_header(COMPUTE_SUBCHANNEL, COMPUTE_SEND_PCAS_A),
                                      0x1234,
                                      method_header(COMPUTE_SUBCHANNEL, COMPUTE_SEND_SIGNALING_PCAS_B),
                                      2};

void check_status_of(world &w, uint32_t c) {
    const uint32_t other = (c + 1) % w.channels, room = w.model->task->room;
    hand_over(w, c, LAUNCH, 0);
    expect_status(w, "disabled, with an entry", c, CHANNEL_STATUS_STATE_IDLE);
    clear_away(w, c);

    w.silent[0] = true;
    hand_over(w, c, semaphore(RELEASE));
    expect_status(w, "a read", c, CHANNEL_STATUS_STATE_FETCHING);
    clear_away(w, c);

    // Another one has entries meanwhile, as many as it may have, or so many that it faults when its turn comes. Nothing is
    // written while a read is under way.
    for (const uint32_t put : {1u, 0x80000000u}) {
        static const uint32_t nothing[2] = {};
        write_memory(w, other, ring_of(other), nothing, sizeof nothing);
        reg_write(w, block_reg(other, CHANNEL_CONTROL), CHANNEL_CONTROL_ENABLE(1));
        hand_over(w, c, std::vector<uint32_t>(60, OP_IMMD << 29 | HOST_NOP / 4), CHANNEL_CONTROL_ENABLE(1), false);
        reg_write(w, userd_reg(other, USERD_GP_PUT), put);
        pass_cycles(w, 0);
        w.silent[0] = true;
        pass_cycles(w, SETTLES);
        expect_status(w, "a read, and an entry of another", c, CHANNEL_STATUS_STATE_FETCHING, other,
                      CHANNEL_STATUS_STATE_FETCHING);
        w.silent[0] = false;
        pass_cycles(w, SETTLES);
        reg_write(w, block_reg(other, CHANNEL_CONTROL), CHANNEL_CONTROL_RESET(1));
        clear_away(w, c);
    }

    w.silent[1] = true;
    hand_over(w, c, semaphore(RELEASE));
    expect_status(w, "a release", c, CHANNEL_STATUS_STATE_EXECUTING);
    w.silent[1] = false;
    pass_cycles(w, SETTLES);
    expect_status(w, "the end of a release", c, CHANNEL_STATUS_STATE_IDLE);
    clear_away(w, c);

    const uint32_t zero = 0;
    write_memory(w, c, PROGRAM_SEMAPHORES, &zero, 4);
    hand_over(w, c, semaphore(ACQUIRE));
    expect_status(w, "an acquire", c, CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE);
    clear_away(w, c);

    w.model->task->room = 0;
    hand_over(w, c, LAUNCH);
    expect_status(w, "a launch", c, CHANNEL_STATUS_STATE_WAITING_FOR_THE_TASK_UNIT);
    clear_away(w, c);
    w.model->task->room = room;

    std::vector<uint32_t> waits = LAUNCH;
    waits.insert(waits.end(), {method_header(0, HOST_WFI), 0});
    hand_over(w, c, waits);
    expect_status(w, "a wait for its task", c, CHANNEL_STATUS_STATE_WAITING_FOR_IDLE);
    clear_away(w, c);
}

// Of all channels, which have their spaces at one place.
void check_status(world &w) {
    w.quiet = true;
    for (uint32_t c = 0; c < w.channels; c++)
        check_status_of(w, c);
    w.quiet = false;
}

}  // namespace

#endif
