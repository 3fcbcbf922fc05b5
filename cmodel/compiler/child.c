// What the child process does: front end, LLVM, one kernel after the other through the back end, and the code object.
#include <stdlib.h>
#include <string.h>

#include "compiler/arguments.h"
#include "compiler/emit.h"
#include "compiler/globals.h"
#include "compiler/machine.h"
#include "compiler/select.h"

static void compile_kernel(struct module *module, struct globals *globals, const struct kernel_source *source,
                           struct code_object *object, struct text *machine) {
    struct code_kernel *kernel = &object->kernels[object->kernel_count++];
    strncpy(kernel->name, source->name, sizeof kernel->name - 1);
    arguments_describe(module, source->function, kernel);
    module->compilation->stage = "selecting instructions";
    struct machine_function *function = select_kernel(module, globals, source);
    if (function == NULL) return;
    divergence_analyse(function);
    peephole(function);
    values_sink(function);
    phis_eliminate(function);
    predicates_allocate(function);
    if (!registers_allocate(function)) return;
    reconverge(function);
    if (module->compilation->options->keep_asm) machine_print(function, machine);
    emit_function(function, object, kernel);
}

void compilation_run(struct compilation *compilation) {
    void *bitcode;
    size_t size;
    struct module module;
    struct globals globals = {0};
    struct text machine = {0};
    struct code_object object = {.file = (char *)(uintptr_t)compilation->name};
    frontend_run(compilation, &bitcode, &size);
    module_prepare(&module, compilation, bitcode, size);
    if (compilation->options->keep_ir) {
        char *ir = LLVMPrintModuleToString(module.module);
        send_frame(compilation->to_parent, FRAME_IR, ir, strlen(ir));
    }
    object.kernels = take(module.kernel_count, sizeof *object.kernels);
    for (size_t k = 0; k < module.kernel_count; k++) compile_kernel(&module, &globals, &module.kernels[k], &object, &machine);
    if (compilation->options->keep_asm) send_frame(compilation->to_parent, FRAME_MACHINE, machine.data, machine.size);
    if (compilation->errors > 0) return;
    object.rodata = globals.data;
    object.rodata_size = globals.size;
    void *elf;
    size_t elf_size;
    char error[256];
    if (!code_object_write(&object, &elf, &elf_size, error, sizeof error))
        report_fatal(compilation, "the code object cannot be written: %s", error);
    send_frame(compilation->to_parent, FRAME_ELF, elf, elf_size);
}
