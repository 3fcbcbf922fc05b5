// The LLVM module of a compilation and what is asked of it in several places.
#ifndef TANDEM_COMPILER_IR_MODULE_H
#define TANDEM_COMPILER_IR_MODULE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/base/compilation.h"

// Names of functions that selection turns into instructions. Those of the first three have no side effects.
#define NAME_SPECIAL "tandem.special"    // i32 (i32 number): special register
#define NAME_CONSTANT "tandem.constant"  // i32 (i32 offset): word of constant buffer 0
#define NAME_UMULHI "tandem.umulhi"      // i32 (i32, i32)
#define NAME_SMULHI "tandem.smulhi"
#define NAME_IABSD "tandem.iabsd"
#define NAME_UABSD "tandem.uabsd"
#define NAME_PRINTF "tandem.printf"  // gone behind printf_lower()
// For the library's OpenCL C, by these names.
#define NAME_YIELD "__tandem_yield"                // the loop around it waits for others
#define NAME_YIELD_SELDOM "__tandem_yield_seldom"  // has no bound, but waits for nobody
#define NAME_CLOCK "__tandem_clock"                // low word of the cycle counter, read anew at every call
#define NAME_EXEC_LO "__tandem_exec_lo"            // the warp's active mask, its halves
#define NAME_EXEC_HI "__tandem_exec_hi"
// Names of the device library's own helpers begin so (NAME_ functions of selection: with "tandem.").
#define LIBRARY_PREFIX "tandem_"

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

// module.c: reads the bitcode, links the math library when something is missing, gives work-item functions their
// bodies, expands the functions that do not stay calls (calls.h), optimizes. What is left is kernels and kept
// functions, which call each other, the functions above, barriers, fences and intrinsics.
void module_prepare(struct module *module, struct compilation *compilation, const void *bitcode, size_t size);
// A copy to try something else with; names stay the first one's.
struct module module_copy(const struct module *module);
// What is left to do before selection: no switches, no irreducible cycles. lavish: what saves time and takes registers
// as well: parts of divisions and other values that a loop does not change move out of it, and every loop gets a single
// exit, so that all its threads can be brought together there. (Not lavish: the threads of a loop with several exits
// meet further out.)
void module_finish(struct module *module, bool lavish);
void module_run_passes(struct module *module, const char *passes);

// work_items.c: bodies of get_global_id and the like. Returns whether the name is one that the compiler gives itself.
bool builtin_given(const char *name);
void builtins_define(struct module *module);
// floats.c: whether the name is one of the single instructions that the library calls.
bool float_own_given(const char *name);
// Declares one of the NAME_ functions (pure ones with the attributes that let LLVM move and merge calls).
LLVMValueRef builtin_declare(struct module *module, const char *name, unsigned parameters);

// recursion.c: ends the compilation with messages when functions call themselves.
void recursion_refuse(struct module *module);
// atomic_functions.c: the atomic functions of OpenCL C 2.0.
void builtins_define_atomics(struct module *module);
// generic_pointers.c: to_global and the like; finds out null_local and null_private.
void generic_define(struct module *module);

// memory_copies.c: structure arguments that are changed get copies; copies of areas of more than COPY_UNITS accesses
// become loops.
enum { COPY_UNITS = 32 };
void lower_memory(struct module *module);
// printf.c: calls of printf become records; what they print goes to module->printed. Ends the compilation with messages
// when a format or an argument cannot be printed. Returns whether there were any; the library is then to be brought in.
bool printf_lower(struct module *module);
// link_library.c: brings in what the module calls and does not define: our own bodies (library/), then libclc's.
void library_link(struct module *module);
// bitcode.c: refuses a module that came as bitcode and is not sound, or is for another target.
void bitcode_check(const struct module *module);

// library_operations.c: operations that no instruction does become calls of the library's helpers, which is then to be
// brought in. Returns whether there were any.
bool lower_operations(struct module *module);

// yields.c: marks the loops that need a YIELD, tells the verdict of each (compilation->loops). Returns whether calls of
// the library came in with that.
bool yields_place(struct module *module);
// Whether an instruction is a call of one of OpenCL's barriers.
bool is_barrier(LLVMValueRef i);
bool is_yield(LLVMValueRef i);

// lower_arithmetic.c: kernel arguments become loads from space 101; division, remainder and high products become what
// the ISA has.
void lower_arguments(struct module *module);
void lower_arithmetic(struct module *module);

// Where an instruction comes from in the source (file NULL, line 0: not known).
struct location location_of(LLVMValueRef instruction);
struct location location_of_function(LLVMValueRef function);
// intrinsics.c: Itanium's "_Z13get_global_idj" as the name inside, for messages.
void readable_name(const char *name, char *to, size_t size);
void remove_attribute(LLVMValueRef function, const char *name);
void add_attribute(LLVMContextRef context, LLVMValueRef function, const char *name, uint64_t value);

// second_compile.c: with metadata in the options, what the facts about the arguments make legal. While arguments are
// still parameters.
void module_improve(struct module *module);

// Chooses the functions that stay calls and expands the others.
void module_inline(struct module *module);

// ---- enqueue.c: device-side enqueue
bool enqueue_name(const char *name);  // of what clang calls
bool enqueue_used(const struct module *module);
void enqueue_read(struct module *module);   // before the kernels are looked for
void enqueue_lower(struct module *module);  // before the library is brought in

#endif
