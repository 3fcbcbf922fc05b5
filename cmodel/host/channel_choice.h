// Which of the channels that can go on is served next: the twin of rtl/host/channel_choice.sv.
#ifndef TANDEM_HOST_CHANNEL_CHOICE_H
#define TANDEM_HOST_CHANNEL_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

// All zeros after a reset.
struct channel_choice {
    uint32_t choice;      // modulo 8; each eighth is fair
    uint32_t last, fair;  // chosen last, in an ordinary and in a fair choice
};

// ready: a bit for each of up to 32 channels. priority: of each, 0 to 3. False: none is ready, pick is not written.
bool channel_choice_pick(const struct channel_choice *choice, uint32_t channels, uint32_t ready,
                         const uint8_t *priority, uint32_t *pick);
// Whether a state that comes from outside can be one.
bool channel_choice_is_good(const struct channel_choice *choice, uint32_t channels);
// Makes it: pick is what channel_choice_pick() has told.
void channel_choice_take(struct channel_choice *choice, uint32_t pick);

#endif
