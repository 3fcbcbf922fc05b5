// Where kernel arguments lie in constant buffer 0 and what the driver is told about them: see arguments.c.
#ifndef TANDEM_COMPILER_IR_ARGUMENTS_H
#define TANDEM_COMPILER_IR_ARGUMENTS_H

#include "compiler/ir/module.h"
#include "isa/code_object.h"

// Offsets of the parameters of a kernel, one each, in *offsets (may be NULL). Returns the end of the last one.
uint32_t argument_offsets(const struct module *module, LLVMValueRef function, uint32_t *offsets);
// The type of a parameter passed as `ptr byval`, or NULL.
LLVMTypeRef argument_by_value(LLVMValueRef function, unsigned index);
// Whether the source says that a parameter has this type, behind typedefs.
bool argument_has_type(const struct module *module, LLVMValueRef function, unsigned index, const char *type);
// Fills in the arguments, constant_bytes, reqd_local and hints of a kernel. Reports arguments that cannot be passed.
void arguments_describe(const struct module *module, LLVMValueRef function, struct code_kernel *kernel);

#endif
