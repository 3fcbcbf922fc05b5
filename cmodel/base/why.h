// Why an action is not legal now, as text for whoever asked for it.
#ifndef TANDEM_BASE_WHY_H
#define TANDEM_BASE_WHY_H

#include <stdbool.h>
#include <stddef.h>

struct why {
    char *text;
    size_t size;
};

// printf into the buffer; returns false, so that an action can `return why_refuse(...)`.
bool why_refuse(struct why why, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
