// The choice of a channel: seven of eight by priority, in turn among equals; each eighth in turn, whatever the priority.
#include "host/channel_choice.h"

enum { CHOICES = 8 };

static bool is_fair(const struct channel_choice *choice) {
    return choice->choice == CHOICES - 1;
}

bool channel_choice_is_good(const struct channel_choice *choice, uint32_t channels) {
    return choice->choice < CHOICES && choice->last < channels && choice->fair < channels;
}

bool channel_choice_pick(const struct channel_choice *choice, uint32_t channels, uint32_t ready,
                         const uint8_t *priority, uint32_t *pick) {
    const bool fair = is_fair(choice);
    uint32_t candidate = fair ? choice->fair : choice->last, pick_priority = 0;
    bool valid = false;
    for (uint32_t i = 0; i < channels; i++) {
        candidate = candidate + 1 == channels ? 0 : candidate + 1;
        if ((ready >> candidate & 1) == 0 || (valid && (fair || priority[candidate] <= pick_priority))) continue;
        valid = true;
        *pick = candidate;
        pick_priority = priority[candidate];
    }
    return valid;
}

void channel_choice_take(struct channel_choice *choice, uint32_t pick) {
    if (is_fair(choice))
        choice->fair = pick;
    else
        choice->last = pick;
    choice->choice = (choice->choice + 1) % CHOICES;
}
