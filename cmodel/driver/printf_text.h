// The text of a record of printf.
#ifndef TANDEM_DRIVER_PRINTF_TEXT_H
#define TANDEM_DRIVER_PRINTF_TEXT_H

#include <stddef.h>

#include "isa/code_object.h"

// malloc'ed, of a record of format `number` whose arguments begin at words; NULL: memory is short.
char *printf_text(const struct code_object *object, uint32_t number, const uint32_t *words, size_t *size);

#endif
