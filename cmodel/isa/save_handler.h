// The handler that stores a warp and brings it back (save_handler.s), as instructions. It stands at the beginning of the
// text of a program whose kernels may step aside (`saves` of struct code_kernel), since warps that are stopped go to
// instruction 0 of their program region (rtl/sm/trap.md).
#ifndef TANDEM_ISA_SAVE_HANDLER_H
#define TANDEM_ISA_SAVE_HANDLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code_object.h"

#ifdef __cplusplus
extern "C" {
#endif

// *count instructions in malloc'ed memory, which the caller frees; NULL: there is no memory.
uint64_t *save_handler_make(size_t *count);

// How many of the first instructions of the object's text are the handler: 0 or all. 0, too, when there is no memory to
// look.
size_t save_handler_words(const struct code_object *object);

// As many vector registers as a kernel that saves has when it needs so many.
uint32_t save_registers(uint32_t needed);

// Bytes of a record for a CTA of `warps` warps of `threads` threads each, which have `registers` vector registers and
// `local` bytes of local memory (both as the TMD says, local a multiple of 16), with room for `tokens` tokens of each
// warp and `shared` bytes of shared memory.
uint64_t save_record_bytes(uint32_t warps, uint32_t threads, uint32_t registers, uint32_t local, uint32_t tokens,
                           uint32_t shared);

#ifdef __cplusplus
}
#endif

#endif
