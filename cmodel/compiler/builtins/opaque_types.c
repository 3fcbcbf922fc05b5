// Opaque types: LLVM's C interface cannot replace a type in a module; so the module is written as text, the types are
// replaced there, and it is read again. Programs without them never come here.
#include "compiler/builtins/opaque_types.h"

#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"

#define TARGET_TYPE "target(\"spirv."

static const struct opaque {
    const char *name;  // behind "spirv."
    const char *as;
    bool image;
} opaque[] = {
    {"Image", "ptr addrspace(2)", true},
    {"Sampler", "i32", true},
    {"Queue", "i32", false},
    {"DeviceEvent", "i32", false},
    {"Pipe", "ptr addrspace(1)", false},
    {"ReserveId", "i32", false},
};

// A type's name begins here; NULL: none of these.
static const struct opaque *find(const char *name) {
    for (size_t k = 0; k < sizeof opaque / sizeof *opaque; k++) {
        const size_t size = strlen(opaque[k].name);
        if (strncmp(name, opaque[k].name, size) == 0 && (name[size] == 0 || name[size] == '"')) return &opaque[k];
    }
    return NULL;
}

static void note(LLVMTypeRef type, bool *any, bool *images) {
    if (LLVMGetTypeKind(type) != LLVMTargetExtTypeKind) return;
    const char *name = LLVMGetTargetExtTypeName(type);
    const struct opaque *found = starts(name, "spirv.") ? find(name + strlen("spirv.")) : NULL;
    *any |= found != NULL;
    *images |= found != NULL && found->image;
}

// In the text of a string quotes are written as \22, so what is found is a type.
static struct text replace_types(const char *from) {
    struct text to = {0};
    for (const char *at = from;;) {
        const char *type = strstr(at, TARGET_TYPE);
        while (type != NULL && find(type + strlen(TARGET_TYPE)) == NULL)
            type = strstr(type + 1, TARGET_TYPE);
        text_add(&to, at, type != NULL ? (size_t)(type - at) : strlen(at));
        if (type == NULL) return to;
        const char *with = find(type + strlen(TARGET_TYPE))->as;
        text_add(&to, with, strlen(with));
        at = type + strcspn(type, ")");
        if (*at == ')') at++;
    }
}

static void read_again(struct module *module, const struct text *text) {
    struct compilation *compilation = module->compilation;
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text->data, text->size, "module");
    LLVMDisposeModule(module->module);
    module->module = NULL;
    if (LLVMParseIRInContext(module->context, buffer, &module->module, &message) != 0)
        report_fatal(compilation, "%s: its opaque types cannot be replaced: %.*s", compilation->stage,
                     (int)strcspn(message, "\n"), message);
    module->layout = LLVMGetModuleDataLayout(module->module);
}

bool opaque_types_replace(struct module *module) {
    bool any = false, images = false;
    // Nobody makes such a value but kernels' arguments and calls: a function has the type.
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        note(LLVMGetReturnType(LLVMGlobalGetValueType(f)), &any, &images);
        for (unsigned k = 0; k < LLVMCountParams(f); k++)
            note(LLVMTypeOf(LLVMGetParam(f, k)), &any, &images);
    }
    if (!any) return false;
    char *ir = LLVMPrintModuleToString(module->module);
    struct text text = replace_types(ir);
    LLVMDisposeMessage(ir);
    read_again(module, &text);
    free(text.data);
    return images;
}
