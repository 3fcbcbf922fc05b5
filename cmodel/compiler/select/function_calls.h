// Calls of functions that stay functions: see function_calls.c.
#ifndef TANDEM_COMPILER_SELECT_FUNCTION_CALLS_H
#define TANDEM_COMPILER_SELECT_FUNCTION_CALLS_H

#include "compiler/select/selection.h"

// A call of a function with a body; the arguments at a function's beginning; what it returns.
void select_called(struct selection *s, LLVMValueRef i, LLVMValueRef f);
void select_parameters(struct selection *s);
void select_return(struct selection *s, LLVMValueRef end);
uint32_t call_frame_words(const struct machine_callee *callee);  // of arguments and results, in its frame

#endif
