// Images and samplers. clang gives both opaque types, which LLVM's C interface cannot replace in a module; so the module
// is written as text, its types replaced there, and read again. Programs without images never come here.
#include "compiler/builtins/images.h"

#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"

#define IMAGE "target(\"spirv.Image\""
#define SAMPLER "target(\"spirv.Sampler\""
#define TRANSLATE "__translate_sampler_initializer"  // of a number: clang's call in each place that names a sampler

static bool is_image(LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) != LLVMTargetExtTypeKind) return false;
    const char *name = LLVMGetTargetExtTypeName(type);
    return strcmp(name, "spirv.Image") == 0 || strcmp(name, "spirv.Sampler") == 0;
}

// Nobody makes an image or a sampler but kernels' arguments and TRANSLATE: a function has the type.
static bool has_images(const struct module *module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (is_image(LLVMGetReturnType(LLVMGlobalGetValueType(f)))) return true;
        for (unsigned k = 0; k < LLVMCountParams(f); k++)
            if (is_image(LLVMTypeOf(LLVMGetParam(f, k)))) return true;
    }
    return false;
}

// In the text of a string quotes are written as \22, so what is found is a type.
static struct text replace_types(const char *from) {
    struct text to = {0};
    for (const char *at = from;;) {
        const char *type = strstr(at, "target(\"spirv.");
        while (type != NULL && !starts(type, IMAGE) && !starts(type, SAMPLER))
            type = strstr(type + 1, "target(\"spirv.");
        text_add(&to, at, type != NULL ? (size_t)(type - at) : strlen(at));
        if (type == NULL) return to;
        const char *with = starts(type, IMAGE) ? "ptr addrspace(2)" : "i32";
        text_add(&to, with, strlen(with));
        at = type + strcspn(type, ")");
        if (*at == ')') at++;
    }
}

static void read_again(struct module *module, const struct text *text) {
    struct compilation *compilation = module->compilation;
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text->data, text->size, "images");
    LLVMDisposeModule(module->module);
    module->module = NULL;
    if (LLVMParseIRInContext(module->context, buffer, &module->module, &message) != 0)
        report_fatal(compilation, "%s: images cannot be replaced: %.*s", compilation->stage,
                     (int)strcspn(message, "\n"), message);
}

static void translate_samplers(struct module *module) {
    LLVMValueRef translate = LLVMGetNamedFunction(module->module, TRANSLATE);
    if (translate == NULL) return;
    for (LLVMUseRef use = LLVMGetFirstUse(translate); use != NULL; use = LLVMGetFirstUse(translate)) {
        LLVMValueRef call = LLVMGetUser(use);
        LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0));
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(translate);
}

bool images_lower(struct module *module) {
    if (!has_images(module)) return false;
    char *ir = LLVMPrintModuleToString(module->module);
    struct text text = replace_types(ir);
    LLVMDisposeMessage(ir);
    read_again(module, &text);
    free(text.data);
    module->layout = LLVMGetModuleDataLayout(module->module);
    translate_samplers(module);
    return true;
}

void images_settle(struct module *module) {
    static const char name[] = "invariant.load";
    const unsigned kind = LLVMGetMDKindIDInContext(module->context, name, sizeof name - 1);
    LLVMValueRef empty = LLVMMetadataAsValue(module->context, LLVMMDNodeInContext2(module->context, NULL, 0));
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
                if (LLVMIsALoadInst(i) != NULL && !LLVMGetVolatile(i) &&
                    LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) == SPACE_CONSTANT)
                    LLVMSetMetadata(i, kind, empty);
}
