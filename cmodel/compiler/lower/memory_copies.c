// Copies of areas: a structure argument that the kernel changes gets a copy of its own, and llvm.memcpy, memmove and
// memset of more than a few words become loops.
#include "compiler/lower/memory_copies.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/arguments.h"
#include "compiler/ir/module.h"

struct lowering {
    struct module *module;
    LLVMBuilderRef b;
    LLVMTypeRef word, byte;
};

static LLVMValueRef number(const struct lowering *l, uint32_t value) {
    return LLVMConstInt(l->word, value, 0);
}

static bool is_intrinsic(LLVMValueRef i, const char *name) {
    if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i))) return false;
    size_t length;
    return strncmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), name, strlen(name)) == 0;
}

// ---- structures passed by value ----

// Whether the area is only read, through addresses that are steps from this pointer.
static bool only_read(LLVMValueRef pointer) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) && !LLVMGetVolatile(user)) continue;
        if (LLVMIsAGetElementPtrInst(user) && only_read(user)) continue;
        if (is_intrinsic(user, "llvm.memcpy") && LLVMGetOperand(user, 0) != pointer) continue;
        return false;
    }
    return true;
}

static bool copy_arguments(struct lowering *l, LLVMValueRef f) {
    bool copied = false;
    for (unsigned k = 0; k < LLVMCountParams(f); k++) {
        LLVMValueRef parameter = LLVMGetParam(f, k);
        LLVMTypeRef type = argument_by_value(f, k);
        if (type == NULL || only_read(parameter)) continue;
        unsigned alignment = LLVMABIAlignmentOfType(l->module->layout, type);
        LLVMPositionBuilderBefore(l->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
        LLVMSetCurrentDebugLocation2(l->b, NULL);
        LLVMValueRef own = LLVMBuildAlloca(l->b, type, "");
        if (LLVMGetAlignment(own) < alignment) LLVMSetAlignment(own, alignment);
        LLVMReplaceAllUsesWith(parameter, own);
        LLVMValueRef size = number(l, (uint32_t)LLVMABISizeOfType(l->module->layout, type));
        LLVMBuildMemCpy(l->b, own, alignment, parameter, alignment, size);
        copied = true;
    }
    return copied;
}

// ---- loops ----

enum kind { COPY, MOVE, FILL };

struct area {
    enum kind kind;
    unsigned unit;              // bytes at once
    unsigned to, from;          // address spaces
    LLVMValueRef f, size;       // of the function that is being made
    LLVMValueRef target, what;  // what: source, or the byte in all bytes of a word
};

static LLVMValueRef at(struct lowering *l, LLVMValueRef base, LLVMValueRef offset) {
    return LLVMBuildGEP2(l->b, l->byte, base, &offset, 1, "");
}

static void one(struct lowering *l, const struct area *a, unsigned unit, LLVMValueRef offset) {
    LLVMTypeRef type = LLVMIntTypeInContext(l->module->context, unit * 8);
    LLVMValueRef value;
    if (a->kind == FILL) {
        value = unit == 4 ? a->what : LLVMBuildTrunc(l->b, a->what, type, "");
    } else {
        value = LLVMBuildLoad2(l->b, type, at(l, a->what, offset), "");
        LLVMSetAlignment(value, unit);
    }
    LLVMSetAlignment(LLVMBuildStore(l->b, value, at(l, a->target, offset)), unit);
}

// From the end of block `before`: a loop over [start, end) in steps of unit, upwards or downwards. Returns the block
// behind.
static LLVMBasicBlockRef loop(struct lowering *l, const struct area *a, LLVMBasicBlockRef before, unsigned unit,
                              LLVMValueRef start, LLVMValueRef end, bool down) {
    LLVMContextRef context = l->module->context;
    LLVMBasicBlockRef head = LLVMAppendBasicBlockInContext(context, a->f, ""),
                      body = LLVMAppendBasicBlockInContext(context, a->f, ""),
                      behind = LLVMAppendBasicBlockInContext(context, a->f, "");
    LLVMPositionBuilderAtEnd(l->b, before);
    LLVMBuildBr(l->b, head);
    LLVMPositionBuilderAtEnd(l->b, head);
    LLVMValueRef place = LLVMBuildPhi(l->b, l->word, "");
    LLVMBuildCondBr(l->b, LLVMBuildICmp(l->b, LLVMIntNE, place, down ? start : end, ""), body, behind);
    LLVMPositionBuilderAtEnd(l->b, body);
    LLVMValueRef next =
        down ? LLVMBuildSub(l->b, place, number(l, unit), "") : LLVMBuildAdd(l->b, place, number(l, unit), "");
    one(l, a, unit, down ? next : place);
    LLVMBuildBr(l->b, head);
    LLVMValueRef values[2] = {down ? end : start, next};
    LLVMBasicBlockRef blocks[2] = {before, body};
    LLVMAddIncoming(place, values, blocks, 2);
    return behind;
}

static LLVMValueRef common_address(struct lowering *l, LLVMValueRef pointer) {
    LLVMTypeRef generic = LLVMPointerTypeInContext(l->module->context, SPACE_GENERIC);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != SPACE_GENERIC)
        pointer = LLVMBuildAddrSpaceCast(l->b, pointer, generic, "");
    return LLVMBuildPtrToInt(l->b, pointer, l->word, "");
}

static bool can_overlap(const struct area *a) {
    if (a->kind != MOVE || a->from == SPACE_CONSTANT || a->from == SPACE_ARGUMENTS) return false;
    return a->to == a->from || a->to == SPACE_GENERIC || a->from == SPACE_GENERIC;
}

static void make_body(struct lowering *l, struct area *a) {
    LLVMContextRef context = l->module->context;
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, a->f, "");
    LLVMPositionBuilderAtEnd(l->b, entry);
    if (a->kind == FILL)
        a->what = LLVMBuildMul(l->b, LLVMBuildZExt(l->b, a->what, l->word, ""), number(l, 0x01010101u), "");
    LLVMValueRef zero = number(l, 0), whole = LLVMBuildAnd(l->b, a->size, number(l, ~(a->unit - 1u)), "");
    LLVMBasicBlockRef upwards = entry;
    if (can_overlap(a)) {
        LLVMBasicBlockRef down = LLVMAppendBasicBlockInContext(context, a->f, "");
        upwards = LLVMAppendBasicBlockInContext(context, a->f, "");
        LLVMValueRef above =
            LLVMBuildICmp(l->b, LLVMIntUGT, common_address(l, a->target), common_address(l, a->what), "");
        LLVMBuildCondBr(l->b, above, down, upwards);
        if (a->unit > 1) down = loop(l, a, down, 1, whole, a->size, true);
        down = loop(l, a, down, a->unit, zero, whole, true);
        LLVMPositionBuilderAtEnd(l->b, down);
        LLVMBuildRetVoid(l->b);
    }
    upwards = loop(l, a, upwards, a->unit, zero, whole, false);
    if (a->unit > 1) upwards = loop(l, a, upwards, 1, whole, a->size, false);
    LLVMPositionBuilderAtEnd(l->b, upwards);
    LLVMBuildRetVoid(l->b);
}

static LLVMValueRef function_for(struct lowering *l, struct area *a) {
    static const char *const names[] = {"copy", "move", "fill"};
    char name[64];
    snprintf(name, sizeof name, "tandem.%s.%u.%u.%u", names[a->kind], a->unit, a->to, a->from);
    a->f = LLVMGetNamedFunction(l->module->module, name);
    if (a->f != NULL) return a->f;
    LLVMContextRef context = l->module->context;
    LLVMTypeRef parameters[3] = {LLVMPointerTypeInContext(context, a->to),
                                 a->kind == FILL ? l->byte : LLVMPointerTypeInContext(context, a->from), l->word};
    a->f = LLVMAddFunction(l->module->module, name, LLVMFunctionType(LLVMVoidTypeInContext(context), parameters, 3, 0));
    LLVMSetLinkage(a->f, LLVMInternalLinkage);
    add_attribute(context, a->f, "alwaysinline", 0);
    a->target = LLVMGetParam(a->f, 0);
    a->what = LLVMGetParam(a->f, 1);
    a->size = LLVMGetParam(a->f, 2);
    LLVMSetCurrentDebugLocation2(l->b, NULL);
    make_body(l, a);
    return a->f;
}

static unsigned unit_of(LLVMValueRef i, bool fill) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5), unit = 4;
    for (unsigned k = 1; k <= (fill ? 1u : 2u); k++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(i, k, kind);
        unsigned known = attribute != NULL ? (unsigned)LLVMGetEnumAttributeValue(attribute) : 1;
        if (known < unit) unit = known;
    }
    return unit;
}

static bool replace(struct lowering *l, LLVMValueRef i) {
    bool copy = is_intrinsic(i, "llvm.memcpy"), move = is_intrinsic(i, "llvm.memmove");
    if (!copy && !move && !is_intrinsic(i, "llvm.memset")) return false;
    LLVMValueRef target = LLVMGetOperand(i, 0), what = LLVMGetOperand(i, 1), size = LLVMGetOperand(i, 2);
    unsigned unit = unit_of(i, !copy && !move);
    if (LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) <= (uint64_t)COPY_UNITS * unit) return false;
    struct area area = {.kind = copy   ? COPY
                                : move ? MOVE
                                       : FILL,
                        .unit = unit,
                        .to = LLVMGetPointerAddressSpace(LLVMTypeOf(target)),
                        .from = copy || move ? LLVMGetPointerAddressSpace(LLVMTypeOf(what)) : 0};
    LLVMValueRef f = function_for(l, &area);
    LLVMMetadataRef line = LLVMInstructionGetDebugLoc(i);
    LLVMPositionBuilderBefore(l->b, i);
    LLVMSetCurrentDebugLocation2(l->b, line);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(size));
    if (width > 32) size = LLVMBuildTrunc(l->b, size, l->word, "");
    if (width < 32) size = LLVMBuildZExt(l->b, size, l->word, "");
    LLVMValueRef arguments[3] = {target, what, size};
    LLVMBuildCall2(l->b, LLVMGlobalGetValueType(f), f, arguments, 3, "");
    LLVMInstructionEraseFromParent(i);
    return true;
}

void memory_copies_lower(struct module *module) {
    struct lowering l = {.module = module,
                         .b = LLVMCreateBuilderInContext(module->context),
                         .word = LLVMInt32TypeInContext(module->context),
                         .byte = LLVMInt8TypeInContext(module->context)};
    bool copied = false, replaced = false;
    for (size_t k = 0; k < module->kernel_count; k++)
        copied |= copy_arguments(&l, module->kernels[k].function);
    if (copied) module_run_passes(module, "function(sroa,early-cse)");
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
                next = LLVMGetNextInstruction(i);
                replaced |= replace(&l, i);
            }
        }
    }
    if (replaced) module_run_passes(module, "always-inline,globaldce");
    LLVMDisposeBuilder(l.b);
}
