// How units below the host interface tell it of a channel's fault: an action that they are given, and what it is about.
#ifndef TANDEM_BASE_FAULT_H
#define TANDEM_BASE_FAULT_H

#include <stdint.h>

struct fault_report {
    uint32_t channel, code, info, pc;
};
typedef void fault_action(void *context, const struct fault_report *fault);

#endif
