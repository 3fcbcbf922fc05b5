// Command words: methods of the public classes (host class B06F, compute class A0C0) as they stand in command blocks.
#include "driver/command.h"
#include "gen/methods.h"

static enum tandem_status incrementing(struct tandem_channel *channel, uint32_t subchannel, uint32_t method,
                                       const uint32_t *data, uint32_t count) {
    uint32_t words[8] = {DMA_HEADER(DMA_SEC_OP_INC_METHOD, count, subchannel, method)};
    for (uint32_t i = 0; i < count; i++)
        words[1 + i] = data[i];
    return command_words(channel, words, 1 + count);
}

enum tandem_status command_method(struct tandem_channel *channel, uint32_t subchannel, uint32_t method, uint32_t data) {
    if (subchannel > 7 || method % 4 != 0 || method > 0x3FFC) {
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT,
                           "method 0x%x on subchannel %u: a multiple of 4 up to 0x3FFC on subchannel 0 to 7 is needed",
                           method, subchannel);
    }
    return incrementing(channel, subchannel, method, &data, 1);
}

static enum tandem_status semaphore(struct tandem_channel *channel, tandem_addr address, uint32_t payload,
                                    uint32_t operation) {
    const uint32_t data[4] = {0, address, payload, operation};
    return incrementing(channel, 0, HOST_SEMAPHOREA, data, 4);
}

enum tandem_status command_release(struct tandem_channel *channel, tandem_addr address, uint32_t payload,
                                   bool wait_for_idle) {
    const enum tandem_status status =
        semaphore(channel, address, payload,
                  HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_RELEASE) |
                      HOST_SEMAPHORED_RELEASE_SIZE(HOST_SEMAPHORED_RELEASE_SIZE_4BYTE) |
                      HOST_SEMAPHORED_RELEASE_WFI(wait_for_idle ? HOST_SEMAPHORED_RELEASE_WFI_EN
                                                                : HOST_SEMAPHORED_RELEASE_WFI_DIS));
    if (status == TANDEM_OK && wait_for_idle) channel->quiet = true;
    return status;
}

enum tandem_status command_acquire(struct tandem_channel *channel, tandem_addr address, uint32_t payload) {
    return semaphore(channel, address, payload,
                     HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_ACQUIRE) |
                         HOST_SEMAPHORED_ACQUIRE_SWITCH(HOST_SEMAPHORED_ACQUIRE_SWITCH_ENABLED));
}

enum tandem_status command_wfi(struct tandem_channel *channel) {
    const enum tandem_status status = command_method(channel, 0, HOST_WFI, 0);
    if (status == TANDEM_OK) channel->quiet = true;
    return status;
}

enum tandem_status command_time_stamp(struct tandem_channel *channel, tandem_addr address) {
    return semaphore(channel, address, 0,
                     HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_RELEASE) |
                         HOST_SEMAPHORED_RELEASE_SIZE(HOST_SEMAPHORED_RELEASE_SIZE_16BYTE) |
                         HOST_SEMAPHORED_RELEASE_WFI(HOST_SEMAPHORED_RELEASE_WFI_DIS));
}

enum tandem_status channel_prepare(struct tandem_channel *channel) {
    enum tandem_status status = TANDEM_OK;
    if (!channel->prepared) {
        const uint32_t region[2] = {0, 0};
        status = command_method(channel, COMPUTE_SUBCHANNEL, HOST_SET_OBJECT, COMPUTE_CLASS);
        if (status == TANDEM_OK)
            status = incrementing(channel, COMPUTE_SUBCHANNEL, COMPUTE_SET_PROGRAM_REGION_A, region, 2);
        if (status != TANDEM_OK) return status;
        channel->prepared = true;
        channel->region = 0;
        channel->local_set = 0;
    }
    if (channel->code_generation != channel->space->code_generation) {
        status = command_method(
            channel, COMPUTE_SUBCHANNEL, COMPUTE_INVALIDATE_SHADER_CACHES,
            COMPUTE_INVALIDATE_SHADER_CACHES_INSTRUCTION(COMPUTE_INVALIDATE_SHADER_CACHES_INSTRUCTION_TRUE));
        if (status == TANDEM_OK) channel->code_generation = channel->space->code_generation;
    }
    return status;
}

enum tandem_status channel_set_region(struct tandem_channel *channel, tandem_addr region) {
    enum tandem_status status = channel_prepare(channel);
    if (status != TANDEM_OK || channel->region == region) return status;
    const uint32_t data[2] = {0, region};
    status = incrementing(channel, COMPUTE_SUBCHANNEL, COMPUTE_SET_PROGRAM_REGION_A, data, 2);
    if (status == TANDEM_OK) channel->region = region;
    return status;
}

enum tandem_status command_launch_tmd(struct tandem_channel *channel, tandem_addr tmd) {
    if (tmd % 256 != 0) {
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT, "TMD at 0x%08x: must be a multiple of 256", tmd);
    }
    enum tandem_status status = channel_prepare(channel);
    if (status == TANDEM_OK) status = command_method(channel, COMPUTE_SUBCHANNEL, COMPUTE_SEND_PCAS_A, tmd >> 8);
    return status == TANDEM_OK
               ? command_method(channel, COMPUTE_SUBCHANNEL, COMPUTE_SEND_SIGNALING_PCAS_B,
                                COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE(COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE_TRUE))
               : status;
}
