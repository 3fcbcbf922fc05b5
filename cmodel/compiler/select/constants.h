// Numbers that are known while compiling.
#ifndef TANDEM_COMPILER_SELECT_CONSTANTS_H
#define TANDEM_COMPILER_SELECT_CONSTANTS_H

#include "compiler/select/selection.h"

// Zero-extended; addresses of constants too.
bool constant_of(struct selection *s, LLVMValueRef v, uint32_t *value);
bool constant_wide(struct selection *s, LLVMValueRef v, uint64_t *value);
// `width` bits (at most 32) of a constant, vectors' too, that begin at bit `from`.
bool constant_bits(LLVMValueRef v, unsigned from, unsigned width, uint32_t *value);
// The lowest `width` bits set; all 32 from 32 on.
uint32_t low_bits(unsigned width);

#endif
