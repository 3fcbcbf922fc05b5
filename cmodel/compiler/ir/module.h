// The LLVM module of a compilation and what is asked of it in several places.
#ifndef TANDEM_COMPILER_IR_MODULE_H
#define TANDEM_COMPILER_IR_MODULE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/base/compilation.h"

// Address space number that stands for constant buffer 0 in loads of arguments.
enum {
    SPACE_PRIVATE = 0,
    SPACE_GLOBAL = 1,
    SPACE_CONSTANT = 2,
    SPACE_LOCAL = 3,
    SPACE_GENERIC = 4,
    SPACE_ARGUMENTS = 101
};

struct kernel_source {
    LLVMValueRef function;
    const char *name;
    uint32_t literal_bytes;  // of a block, behind its arguments; 0: it is none, or one that captures too much
};

struct module {
    struct compilation *compilation;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    struct kernel_source *kernels;
    size_t kernel_count;
    // A pointer into local (private) memory is compared with null somewhere, or may be null when it becomes a generic
    // one: then no variable may lie at address 0.
    bool null_local, null_private;
    struct code_object *printed;  // its formats are what the program prints
};

// Runs LLVM's passes of these names.
void module_run_passes(struct module *module, const char *passes);
// A copy to try something else with; names stay the first one's.
struct module module_copy(const struct module *module);
// The kernel of this name, or NULL.
const struct kernel_source *module_kernel(const struct module *module, const char *name);

// Where an instruction comes from in the source (file NULL, line 0: not known).
struct location location_of(LLVMValueRef instruction);
struct location location_of_function(LLVMValueRef function);
// Attributes of functions, by LLVM's names.
enum { INACCESSIBLE_MEMORY = 3 << 2 };  // the value of memory(inaccessiblemem: readwrite)
bool has_attribute(LLVMValueRef function, const char *name);
// Whether launches of one of the module's kernels, of this kernel, may have work-groups of different sizes. Those of blocks
// may where others may.
bool module_non_uniform(const struct module *module);
bool kernel_non_uniform(const struct module *module, LLVMValueRef kernel);
void remove_attribute(LLVMValueRef function, const char *name);
void add_attribute(LLVMContextRef context, LLVMValueRef function, const char *name, uint64_t value);

#endif
