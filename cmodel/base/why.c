// Why an action is not legal now.
#include "base/why.h"

#include <stdarg.h>
#include <stdio.h>

bool why_refuse(struct why why, const char *format, ...) {
    va_list arguments;
    if (why.text == NULL || why.size == 0) return false;
    va_start(arguments, format);
    (void)vsnprintf(why.text, why.size, format, arguments);
    va_end(arguments);
    return false;
}
