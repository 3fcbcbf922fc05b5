// enqueue_kernel: what clang leaves of it becomes calls of the device library (library/enqueue.cl).
//
// A block's kernel becomes its number among the program's kernels, and each kernel that makes work, or is a block, tells
// at its end that a warp of it is through. Queues and events are words (opaque_types.c).
#include "compiler/builtins/enqueue.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/ir/arguments.h"
#include "compiler/ir/module.h"
#include "compiler/ir/names.h"

// A launch by a thread has memory for what its block captures up to this size; past it the queue must be opened with
// larger pieces.
enum { LITERAL_HEAD = 12, LITERAL_MOST = 16384 };

static bool contains(const char *text, const char *part) {
    return strstr(text, part) != NULL;
}

// What clang calls for device-side enqueue.
bool enqueue_name(const char *name) {
    return starts(name, "__enqueue_kernel_") || starts(name, "__get_kernel_") || contains(name, "get_default_queuev") ||
           contains(name, "create_user_eventv") || contains(name, "ocl_clkevent");
}

static bool is_block_kernel(const char *name) {
    return starts(name, "__") && contains(name, "_block_invoke");
}

bool enqueue_used(const struct module *module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && enqueue_name(name_of(f))) return true;
    return false;
}

// A function's address, cast to a generic pointer, becomes a number.
static void replace_address(LLVMValueRef function, uint32_t number, LLVMTypeRef word) {
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use != NULL; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAConstantExpr(user)) continue;
        LLVMReplaceAllUsesWith(user, LLVMConstIntToPtr(LLVMConstInt(word, number, 0), LLVMTypeOf(user)));
    }
}

// A block that captures nothing is a constant of the program in global memory; the call gets a private one.
static void own_literal(struct module *module, LLVMBuilderRef b, LLVMValueRef call, unsigned operand) {
    LLVMTypeRef word = LLVMInt32TypeInContext(module->context), type = LLVMArrayType2(word, 3);
    if (!LLVMIsAConstant(LLVMGetOperand(call, operand))) return;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMValueRef literal = LLVMBuildAlloca(b, type, "");
    const uint32_t words[3] = {12, 4, 0};  // size, alignment, no address
    LLVMPositionBuilderBefore(b, call);
    for (unsigned k = 0; k < 3; k++) {
        LLVMValueRef index = LLVMConstInt(word, k, 0);
        LLVMValueRef at = LLVMBuildInBoundsGEP2(b, word, literal, &index, 1, "");
        LLVMBuildStore(b, LLVMConstInt(word, words[k], 0), at);
    }
    LLVMTypeRef generic = LLVMPointerTypeInContext(module->context, SPACE_GENERIC);
    LLVMSetOperand(call, operand, LLVMBuildAddrSpaceCast(b, literal, generic, ""));
}

enum { LAUNCHES = 4 };  // the first ones
static const struct {
    const char *name, *ours;
    unsigned block;                 // operand; that before it is the kernel
    const char *works, *works_not;  // where the kernel is known and makes work, or makes none
} functions[] = {
    {"__enqueue_kernel_basic", "tandem_enqueue_kernel_basic", 4, "tandem_enqueue_kernel_basic_working",
     "tandem_enqueue_straight"},
    {"__enqueue_kernel_basic_events", "tandem_enqueue_kernel_basic_events", 7,
     "tandem_enqueue_kernel_basic_events_working", "tandem_enqueue_kernel_basic_events_linked"},
    {"__enqueue_kernel_varargs", "tandem_enqueue_kernel_varargs", 4, "tandem_enqueue_kernel_varargs_working",
     "tandem_enqueue_kernel_varargs_linked"},
    {"__enqueue_kernel_events_varargs", "tandem_enqueue_kernel_events_varargs", 7,
     "tandem_enqueue_kernel_events_varargs_working", "tandem_enqueue_kernel_events_varargs_linked"},
    {"__get_kernel_work_group_size_impl", "tandem_get_kernel_work_group_size_impl", 1, NULL, NULL},
    {"__get_kernel_preferred_work_group_size_multiple_impl",
     "tandem_get_kernel_preferred_work_group_size_multiple_impl", 1, NULL, NULL},
    {"__get_kernel_max_sub_group_size_for_ndrange_impl", "tandem_get_kernel_max_sub_group_size_for_ndrange_impl", 2,
     NULL, NULL},
    {"__get_kernel_sub_group_count_for_ndrange_impl", "tandem_get_kernel_sub_group_count_for_ndrange_impl", 2, NULL,
     NULL},
};

static void rename_calls(struct module *module, LLVMBuilderRef b) {
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
        LLVMValueRef f = LLVMGetNamedFunction(module->module, functions[k].name);
        if (f == NULL) continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f); use != NULL; use = LLVMGetNextUse(use)) {
            LLVMValueRef call = LLVMGetUser(use);
            if (LLVMIsACallInst(call)) own_literal(module, b, call, functions[k].block);
        }
        LLVMSetValueName2(f, functions[k].ours, strlen(functions[k].ours));
    }
}

static LLVMValueRef declare(struct module *module, const char *name, LLVMTypeRef result, LLVMTypeRef parameter) {
    LLVMValueRef known = LLVMGetNamedFunction(module->module, name);
    if (known != NULL) return known;
    LLVMTypeRef type = LLVMFunctionType(result, &parameter, parameter != NULL ? 1 : 0, 0);
    return LLVMAddFunction(module->module, name, type);
}

static bool makes_work(LLVMValueRef kernel) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i))) continue;
            const char *name = name_of(LLVMGetCalledValue(i));
            if (enqueue_name(name) || starts(name, "tandem_enqueue_") || starts(name, "tandem_get_kernel_"))
                return true;
        }
    }
    return false;
}

// At the beginning: which threads the warp has. Before a barrier they come together, which an addition may have parted;
// at the end the warp says that it is through, where that matters.
static void frame_kernel(struct module *module, LLVMBuilderRef b, LLVMValueRef kernel, bool with_end) {
    LLVMTypeRef nothing = LLVMVoidTypeInContext(module->context);
    LLVMTypeRef pair = LLVMVectorType(LLVMInt32TypeInContext(module->context), 2);
    LLVMValueRef warp = declare(module, "tandem_work_warp", pair, NULL);
    LLVMValueRef meet = declare(module, "tandem_work_meet", nothing, pair);
    LLVMValueRef end = declare(module, "tandem_work_end", nothing, pair);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMValueRef threads = LLVMBuildCall2(b, LLVMGlobalGetValueType(warp), warp, NULL, 0, "");
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef call = LLVMIsAReturnInst(i) ? end : is_barrier(i) ? meet : NULL;
            if (call == NULL || (call == end && !with_end)) continue;
            LLVMPositionBuilderBefore(b, i);
            LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
            LLVMBuildCall2(b, LLVMGlobalGetValueType(call), call, &threads, 1, "");
        }
    }
}

// There is one queue: an argument of the type queue_t is the launch's own, whatever the host hands over.
static void take_queues(struct module *module, LLVMBuilderRef b, LLVMValueRef kernel) {
    LLVMTypeRef word = LLVMInt32TypeInContext(module->context);
    for (unsigned k = 0; k < LLVMCountParams(kernel); k++) {
        if (LLVMGetFirstUse(LLVMGetParam(kernel, k)) == NULL || !argument_has_type(module, kernel, k, "queue_t"))
            continue;
        LLVMValueRef f = declare(module, "_Z17get_default_queuev", word, NULL);
        LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
        LLVMSetCurrentDebugLocation2(b, NULL);
        LLVMReplaceAllUsesWith(LLVMGetParam(kernel, k), LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, NULL, 0, ""));
    }
}

// Bytes that a block captures, with the three words before them: its kernel calls its function, which looks into them.
static uint32_t literal_bytes(const struct module *module, LLVMValueRef kernel) {
    uint64_t most = LITERAL_HEAD;
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)); i != NULL;
         i = LLVMGetNextInstruction(i)) {
        LLVMValueRef block = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
        if (block == NULL || LLVMCountParams(block) == 0) continue;
        for (LLVMUseRef use = LLVMGetFirstUse(LLVMGetParam(block, 0)); use != NULL; use = LLVMGetNextUse(use)) {
            LLVMValueRef into = LLVMGetUser(use);
            if (!LLVMIsAGetElementPtrInst(into)) continue;
            const uint64_t size = LLVMABISizeOfType(module->layout, LLVMGetGEPSourceElementType(into));
            if (size > most) most = size;
        }
    }
    return most <= LITERAL_MOST ? ((uint32_t)most + 3) & ~3u : 0;
}

void enqueue_take_calls(struct module *module) {
    LLVMTypeRef word = LLVMInt32TypeInContext(module->context);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(module->context);
    for (size_t k = 0; k < module->kernel_count; k++)
        replace_address(module->kernels[k].function, (uint32_t)k, word);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f))
        if (is_block_kernel(name_of(f))) replace_address(f, 0, word);
    rename_calls(module, b);
    for (size_t k = 0; k < module->kernel_count; k++)
        take_queues(module, b, module->kernels[k].function);
    for (size_t k = 0; k < module->kernel_count; k++)
        if (is_block_kernel(module->kernels[k].name))
            module->kernels[k].literal_bytes = literal_bytes(module, module->kernels[k].function);
    LLVMDisposeBuilder(b);
}

// Whether the function, or one that it calls, has to do with queues, events or pieces.
static bool reaches_work(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
            if (callee == NULL) continue;
            const char *name = name_of(callee);
            if (enqueue_name(name) || starts(name, "tandem_enqueue_") || starts(name, "tandem_get_kernel_") ||
                starts(name, "tandem_work_") || (!LLVMIsDeclaration(callee) && reaches_work(callee)))
                return true;
        }
    }
    return false;
}

static bool makes_no_work(const struct module *module, const struct kernel_source *kernel) {
    return is_block_kernel(kernel->name) && !reaches_work(LLVMGetNamedFunction(module->module, kernel->name));
}

// The block kernel that a call launches, NULL: it is not known.
static const struct kernel_source *launched(const struct module *module, LLVMValueRef number) {
    uint64_t k = 0;  // 0 as an address
    if (!LLVMIsNull(number)) {
        number = LLVMIsAConstantExpr(number) && LLVMGetConstOpcode(number) == LLVMIntToPtr
                     ? LLVMIsAConstantInt(LLVMGetOperand(number, 0))
                     : NULL;
        if (number == NULL) return NULL;
        k = LLVMConstIntGetZExtValue(number);
    }
    return k < module->kernel_count && is_block_kernel(module->kernels[k].name) ? &module->kernels[k] : NULL;
}

// Launches of known kernels are of the kinds that the library has pieces ready for, in which nobody counts ends but the task
// unit: straight ones, without events and local memory of kernels that make no work, linked ones, and linked ones of kernels
// that make work.
// counted: such work is counted, or timed.
static void straighten(struct module *module, bool counted) {
    for (size_t which = 0; which < LAUNCHES; which++) {
        LLVMValueRef f = LLVMGetNamedFunction(module->module, functions[which].ours);
        for (LLVMUseRef use = f != NULL ? LLVMGetFirstUse(f) : NULL, next; use != NULL; use = next) {
            next = LLVMGetNextUse(use);
            LLVMValueRef call = LLVMGetUser(use);
            if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != f) continue;
            const struct kernel_source *kernel = launched(module, LLVMGetOperand(call, functions[which].block - 1));
            if (kernel == NULL) continue;
            const char *name = functions[which].works_not;
            if (!makes_no_work(module, kernel)) {
                if (counted) continue;
                name = functions[which].works;
            }
            LLVMValueRef other = LLVMGetNamedFunction(module->module, name);
            if (other == NULL) other = LLVMAddFunction(module->module, name, LLVMGlobalGetValueType(f));
            LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, other);
        }
    }
}

// Whether the function, or one that it calls, may launch something that waits for its end: with other flags than 0.
static bool may_be_waited_for(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
            if (callee == NULL) continue;
            if (starts(name_of(callee), "tandem_enqueue_")) {
                LLVMValueRef flags = LLVMIsAConstantInt(LLVMGetOperand(i, 1));
                if (flags == NULL || (LLVMConstIntGetZExtValue(flags) & 3) != 0) return true;
            } else if (!LLVMIsDeclaration(callee) && may_be_waited_for(callee)) {
                return true;
            }
        }
    }
    return false;
}

// Whether somebody must know when the last warp of it is through: of what the CPU launches, of what is counted, or timed.
static bool end_matters(const struct module *module, const struct kernel_source *kernel, bool counted) {
    return counted || !is_block_kernel(kernel->name) ||
           may_be_waited_for(LLVMGetNamedFunction(module->module, kernel->name));
}

void enqueue_frame(struct module *module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(module->context);
    const bool timed = LLVMGetNamedFunction(module->module, NAME_CAPTURE) != NULL;
    const bool counted = timed || LLVMGetNamedFunction(module->module, NAME_ADD) != NULL ||
                         LLVMGetNamedFunction(module->module, NAME_ADD_LIST) != NULL;
    if (!timed) straighten(module, counted);
    for (size_t k = 0; k < module->kernel_count; k++) {
        LLVMValueRef kernel = LLVMGetNamedFunction(module->module, module->kernels[k].name);
        const bool is_block = is_block_kernel(module->kernels[k].name);
        if (makes_work(kernel) || (is_block && (counted || reaches_work(kernel))))
            frame_kernel(module, b, kernel, end_matters(module, &module->kernels[k], counted));
    }
    LLVMDisposeBuilder(b);
}
