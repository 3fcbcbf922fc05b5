// Links the parts of a program: LLVM modules into one.
#include "compiler/front/link.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>
#include <string.h>

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
    struct compilation *compilation = context;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
    char *text = LLVMGetDiagInfoDescription(info);
    report_error(compilation, (struct location){.line = 0}, "%s", text);
    LLVMDisposeMessage(text);
}

static LLVMModuleRef read_part(struct compilation *compilation, LLVMContextRef context, const void *data, size_t size) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(data, size, "part");
    LLVMModuleRef module = NULL;
    const bool good = LLVMParseBitcodeInContext2(context, buffer, &module) == 0;
    LLVMDisposeMemoryBuffer(buffer);
    if (!good) report_fatal(compilation, "a part of the program is no bitcode that can be read");
    return module;
}

void bitcode_link(struct compilation *compilation, void **bitcode, size_t *size) {
    const struct compiler_options *options = compilation->options;
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, compilation);
    compilation->stage = "linking";
    LLVMModuleRef whole = read_part(compilation, context, *bitcode, *size);
    for (size_t k = 0; k < options->more_count; k++) {
        LLVMModuleRef part = read_part(compilation, context, options->more[k].data, options->more[k].size);
        const bool failed = LLVMLinkModules2(whole, part) != 0;
        if (failed && compilation->errors == 0) report_fatal(compilation, "the parts of the program do not fit");
        if (failed) compilation_end(compilation);
    }
    LLVMMemoryBufferRef linked = LLVMWriteBitcodeToMemoryBuffer(whole);
    *size = LLVMGetBufferSize(linked);
    *bitcode = take(*size, 1);
    memcpy(*bitcode, LLVMGetBufferStart(linked), *size);
    LLVMDisposeMemoryBuffer(linked);
    LLVMDisposeModule(whole);
    LLVMContextDispose(context);
}
