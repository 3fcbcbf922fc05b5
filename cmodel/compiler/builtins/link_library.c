// The device library: what a program calls and does not define. Our own (library/, OpenCL C, embedded as bitcode; what
// images need, generic pointers, doubles, and halfs, in bitcodes of their own) goes first, libclc gives the rest. All are read lazily
// and hold nothing but linkonce definitions, so that only what is used comes in.
#include "compiler/builtins/link_library.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/builtins/work_items.h"
#include "compiler/ir/module.h"
#include "compiler/ir/names.h"
#include "gen/device_library.h"
#include "gen/generic_library.h"
#include "gen/half_library.h"
#include "gen/image_library.h"
#include "gen/precision_library.h"

// 32-bit pointers, plain names, everything linkonce, no target's own intrinsics: fits (and there is none for spir).
#define LIBCLC "/usr/lib/clc/nvptx--.bc"

// A body of ours that wants libclc's function of the same name calls it by this prefix.
#define LIBCLC_PREFIX "libclc."

// clang's names of the functions of pipes are no mangled ones.
static bool of_pipes(const char *name) {
    return starts(name, "__") && strstr(name, "_pipe") != NULL;
}

static bool is_missing(LLVMValueRef f) {
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    if (!LLVMIsDeclaration(f) || LLVMGetFirstUse(f) == NULL || builtin_given(name)) return false;
    return starts(name, "_Z") || starts(name, LIBRARY_PREFIX) || starts(name, LIBCLC_PREFIX) || of_pipes(name);
}

// Doubles and halfs: helpers on their bits have a name, built-in functions a type.
static bool takes_or_gives(LLVMValueRef f, LLVMTypeKind kind) {
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    for (unsigned k = 0; k <= LLVMCountParams(f); k++) {
        LLVMTypeRef of = k == 0 ? LLVMGetReturnType(type) : LLVMTypeOf(LLVMGetParam(f, k - 1));
        if (LLVMGetTypeKind(of) == LLVMVectorTypeKind) of = LLVMGetElementType(of);
        if (LLVMGetTypeKind(of) == kind) return true;
    }
    return false;
}

static bool of_precision(LLVMValueRef f) {
    if (starts(name_of(f), LIBRARY_PREFIX)) return strstr(name_of(f), "double") != NULL;
    return takes_or_gives(f, LLVMDoubleTypeKind);
}

static bool of_halfs(LLVMValueRef f) {
    if (starts(name_of(f), LIBRARY_PREFIX)) return starts(name_of(f), LIBRARY_PREFIX "half_fma");
    return takes_or_gives(f, LLVMHalfTypeKind);
}

// clang's names of the functions of images have the image's type in them.
static bool of_images(LLVMValueRef f) {
    return strstr(name_of(f), "ocl_image") != NULL;
}

// From OpenCL C 2.0 on clang hands generic pointers to built-in functions.
static bool of_generic(LLVMValueRef f) {
    for (LLVMValueRef parameter = LLVMGetFirstParam(f); parameter != NULL; parameter = LLVMGetNextParam(parameter))
        if (LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind &&
            LLVMGetPointerAddressSpace(LLVMTypeOf(parameter)) == SPACE_GENERIC)
            return true;
    return false;
}

typedef bool which(LLVMValueRef f);

static bool any(LLVMValueRef f) {
    (void)f;
    return true;
}

static bool something_missing(const struct module *module, which *wanted) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f))
        if (is_missing(f) && wanted(f)) return true;
    return false;
}

// Takes the library: it is gone afterwards.
static void link_lazily(struct module *module, LLVMMemoryBufferRef buffer, const char *name) {
    struct compilation *compilation = module->compilation;
    LLVMModuleRef library = NULL;
    const size_t told = compilation->messages.size;
    if (LLVMGetBitcodeModuleInContext2(module->context, buffer, &library) != 0) {
        compilation->messages.size = told;  // the reader's own words do not say which file
        report_fatal(compilation, "%s is no bitcode that LLVM 19 can read", name);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f != NULL; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage)
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *wanted = LLVMGetValueName2(f, &length);
        if (!starts(wanted, LIBCLC_PREFIX)) continue;
        LLVMValueRef other = LLVMGetNamedFunction(library, wanted + strlen(LIBCLC_PREFIX));
        if (other != NULL) LLVMSetValueName2(other, wanted, length);
    }
    LLVMSetTarget(library, LLVMGetTarget(module->module));
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module->module));
    if (LLVMLinkModules2(module->module, library) != 0) report_fatal(compilation, "linking %s failed", name);
}

static void link_own(struct module *module, const unsigned char *bytes, size_t size, const char *name) {
    link_lazily(module, LLVMCreateMemoryBufferWithMemoryRange((const char *)bytes, size, name, 0), name);
}

static void link_libclc(struct module *module) {
    struct compilation *compilation = module->compilation;
    const char *path = compilation->options->libclc != NULL ? compilation->options->libclc : LIBCLC;
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) != 0)
        report_fatal(compilation, "cannot read the OpenCL library %s: %s; install libclc-19", path, message);
    link_lazily(module, buffer, path);
}

void library_link(struct module *module) {
    module->compilation->stage = "linking the library";
    if (!something_missing(module, any)) return;
    if (something_missing(module, of_images))
        link_own(module, image_library, sizeof image_library, "the image library");
    if (something_missing(module, of_generic))
        link_own(module, generic_library, sizeof generic_library, "the library of generic pointers");
    if (something_missing(module, of_halfs))
        link_own(module, half_library, sizeof half_library, "the library of halfs");
    link_own(module, device_library, sizeof device_library, "the device library");
    if (something_missing(module, of_precision))
        link_own(module, precision_library, sizeof precision_library, "the device library of doubles");
    if (something_missing(module, any)) link_libclc(module);
    // Bodies of the library may ask for work-item functions.
    builtins_define(module);
    // Linking may have put other functions in the kernels' place.
    for (size_t k = 0; k < module->kernel_count; k++) {
        LLVMValueRef f = LLVMGetNamedFunction(module->module, module->kernels[k].name);
        if (f != NULL) module->kernels[k].function = f;
    }
}
