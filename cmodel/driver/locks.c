// Locks of a space: threads take them and give them back; those of threads that were ended in between are given back here.
#include "driver/locks.h"

#include "compiler/library/wide_atomics.h"

enum tandem_status locks_begin(struct tandem_space *space) {
    static const uint32_t none[LOCKS] = {0};
    return space_write(space, LOCKS_BEGIN, none, sizeof none);
}

enum tandem_status locks_give_back(struct tandem_space *space, unsigned channel) {
    static const uint32_t none = 0;
    uint32_t words[LOCKS];
    enum tandem_status status = space_read(space, LOCKS_BEGIN, words, sizeof words);
    for (uint32_t k = 0; status == TANDEM_OK && k < LOCKS; k++)
        if (words[k] == channel + 1) status = space_write(space, LOCKS_BEGIN + 4 * k, &none, sizeof none);
    return status;
}
