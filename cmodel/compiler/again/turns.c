// Work-groups of more items than threads (alias_turns): the kernel becomes
//
//     part = the first
//     do {
//         next = the end
//         for (turn = 0; turn < turns; turn++)
//             if (the item has not ended)
//                 switch (part) ...   what an item does up to its next barrier (next = what comes behind it), or its end
//         part = next
//         if (part == the end) return
//         barrier
//     }
//
// so that a barrier parts the work of all turns before it from that of all turns behind it. OpenCL wants all items of a
// group at the same barrier, so that one `part` serves for all turns; items that have ended before the others are known
// by a bit, where the control flow allows that. What an item keeps over a barrier goes to an array
// in private memory, with an element for each turn, and comes back behind it: values that are alive there (found by
// liveness), and private variables whose address is taken. What is cheap to compute from ids and arguments is computed
// in each turn instead.
#include "compiler/again/turns.h"

#include <string.h>

#include "compiler/again/turner.h"
#include "compiler/ir/loop_hints.h"
#include "compiler/ir/names.h"
#include "gen/isa.h"

enum {
    CONVENTION_FUNCTION = 0,    // C's, as expand.c gives all functions
    TURNS_APART = 8,            // turns with code of their own
    INSTRUCTIONS_APART = 4000,  // of LLVM, of all of them
    PRIVATE_MOST = 1 << 20,     // bytes of a thread: more is a mistake of the program
};

// Functions of the library that take it that the warp's threads are together.
static bool uses_shuffles(const struct module *module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f)) continue;
        const char *name = name_of(f);
        if (strstr(name, "sub_group_shuffle") != NULL || strstr(name, "sub_group_non_uniform") != NULL ||
            strstr(name, "sub_group_elect") != NULL)
            return true;
    }
    return false;
}

// A turn's work may part the threads of a warp, and no barrier stands between it and the next turn's.
static void meet_in_turns(const struct module *module, LLVMValueRef kernel) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(module->context), NULL, 0, 0);
    LLVMValueRef meet = LLVMAddFunction(module->module, NAME_TURN_MEET, type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(module->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL; block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), after; i != NULL; i = after) {
                after = LLVMGetNextInstruction(i);
                if (!is_barrier(i)) continue;
                LLVMPositionBuilderBefore(b, after);
                LLVMBuildCall2(b, type, meet, NULL, 0, "");
            }
        }
    }
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(b, first);
    LLVMBuildCall2(b, type, meet, NULL, 0, "");
    LLVMDisposeBuilder(b);
}

void turns_alone(struct module *module) {
    const struct alias_turns *turns = turns_of(module->compilation);
    if (turns == NULL) return;
    const char *name = module->compilation->options->metadata->kernel;
    const struct kernel_source *wanted = module_kernel(module, name);
    if (wanted == NULL) report_fatal(module->compilation, "metadata: the program has no kernel \"%s\"", name);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || f == wanted->function) continue;
        LLVMSetFunctionCallConv(f, CONVENTION_FUNCTION);
        LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    module->kernels[0] = *wanted;
    module->kernel_count = 1;
    module_run_passes(module, "globaldce");
    if (uses_shuffles(module)) meet_in_turns(module, wanted->function);
}

// ---- what cannot be turned ----

static bool refuse(const struct turner *t) {
    struct compilation *compilation = t->module->compilation;
    LLVMValueRef asks = LLVMGetNamedFunction(t->module->module, NAME_TURN);
    for (LLVMUseRef use = asks != NULL ? LLVMGetFirstUse(asks) : NULL; use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        if (f == t->function) continue;
        report_error(
            compilation, location_of(user),
            "function %s stays a call and asks for the work-item's place: with work-groups larger than what is "
            "resident it must be expanded; take noinline away",
            name_of(f));
        return true;
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAAllocaInst(i) || LLVMIsAConstantInt(LLVMGetOperand(i, 0))) continue;
            report_error(compilation, location_of(i),
                         "a private array of a size that is not constant: a kernel with one cannot run in work-groups "
                         "larger than what is resident");
            return true;
        }
    }
    return false;
}

// ---- the loops around ----

static LLVMValueRef load_word(const struct turner *t, LLVMValueRef variable) {
    return LLVMBuildLoad2(t->b, t->word, variable, "");
}

// The blocks, empty but for `head`, and a way from `entry` through the kernel, so that it is a function all the time.
static void make_blocks(struct turner *t) {
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(t->function);
    t->entry = LLVMInsertBasicBlockInContext(t->module->context, first, "turns");
    t->outer = turner_block(t, "phase");
    t->head = turner_block(t, "turn");
    LLVMPositionBuilderAtEnd(t->b, t->entry);
    t->turn = LLVMBuildAlloca(t->b, t->word, "turn");
    t->part = LLVMBuildAlloca(t->b, t->word, "part");
    t->next = LLVMBuildAlloca(t->b, t->word, "next");
    LLVMPositionBuilderAtEnd(t->b, t->head);
    t->turn_now = load_word(t, t->turn);
}

static LLVMValueRef special_register(const struct turner *t) {
    LLVMValueRef known = LLVMGetNamedFunction(t->module->module, NAME_SPECIAL);
    if (known != NULL) return known;
    LLVMTypeRef word = t->word;
    return LLVMAddFunction(t->module->module, NAME_SPECIAL, LLVMFunctionType(t->word, &word, 1, 0));
}

static void close_loops(struct turner *t, LLVMBasicBlockRef first) {
    const uint32_t end = (uint32_t)t->site_count + 1;
    const uint32_t *local = t->turns->local, items = local[0] * local[1] * local[2];
    t->dispatch = turner_block(t, "dispatch");
    t->latch = turner_block(t, "turned");
    t->done = turner_block(t, "done");
    t->end = turner_block(t, "end");
    LLVMBasicBlockRef around = t->site_count > 0 ? turner_block(t, "meet") : t->end;
    LLVMBuildStore(t->b, turner_number(t, 0), t->part);
    LLVMPositionBuilderAtEnd(t->b, t->outer);
    LLVMBuildStore(t->b, turner_number(t, 0), t->turn);
    LLVMBuildStore(t->b, turner_number(t, end), t->next);
    LLVMBuildBr(t->b, t->head);
    LLVMBasicBlockRef into = t->ended != NULL ? turner_block(t, "ended") : t->dispatch;
    if (t->ended != NULL) skip_ended(t, into);
    // The last turn may have fewer items.
    LLVMPositionBuilderAtEnd(t->b, t->head);
    if (items % t->turns->resident != 0) {
        LLVMValueRef f = special_register(t), tid = turner_number(t, SR_TID_X);
        tid = LLVMBuildCall2(t->b, LLVMGlobalGetValueType(f), f, &tid, 1, "");
        LLVMValueRef item = LLVMBuildMul(t->b, t->turn_now, turner_number(t, t->turns->resident), "");
        item = LLVMBuildAdd(t->b, item, tid, "");
        LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntULT, item, turner_number(t, items), ""), into, t->latch);
    } else {
        LLVMBuildBr(t->b, into);
    }
    LLVMPositionBuilderAtEnd(t->b, t->dispatch);
    LLVMValueRef parts = LLVMBuildSwitch(t->b, load_word(t, t->part), first, (unsigned)t->site_count);
    for (size_t s = 0; s < t->site_count; s++) {
        LLVMAddCase(parts, turner_number(t, s + 1), t->sites[s].resumed);
        LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(t->sites[s].before));
        LLVMPositionBuilderAtEnd(t->b, t->sites[s].before);
        LLVMBuildStore(t->b, turner_number(t, s + 1), t->next);
        LLVMBuildBr(t->b, t->latch);
    }
    end_items(t);
    LLVMPositionBuilderAtEnd(t->b, t->latch);
    LLVMValueRef turned = LLVMBuildAdd(t->b, load_word(t, t->turn), turner_number(t, 1), "");
    LLVMBuildStore(t->b, turned, t->turn);
    LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntULT, turned, turner_number(t, t->count), ""), t->head, t->done);
    LLVMPositionBuilderAtEnd(t->b, t->done);
    LLVMValueRef part = load_word(t, t->next);
    LLVMBuildStore(t->b, part, t->part);
    if (t->site_count > 0) {
        LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntEQ, part, turner_number(t, end), ""), t->end, around);
        LLVMPositionBuilderAtEnd(t->b, around);
        LLVMInsertIntoBuilder(t->b, t->barrier);
        LLVMBuildBr(t->b, t->outer);
    } else {
        LLVMBuildBr(t->b, t->end);
    }
    LLVMPositionBuilderAtEnd(t->b, t->end);
    LLVMBuildRet(t->b, NULL);
}

static void take_turns(struct turner *t) {
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(t->function);
    make_blocks(t);
    if (has_barrier(t)) {
        phis_to_variables(t);
        part_at_barriers(t);
    }
    private_variables(t);
    cheap_to_head(t);
    // For the graph: entry, phase and head lead into the kernel.
    LLVMPositionBuilderAtEnd(t->b, t->outer);
    LLVMValueRef ways[2] = {LLVMBuildBr(t->b, t->head), NULL};
    LLVMPositionBuilderAtEnd(t->b, t->head);
    ways[1] = LLVMBuildBr(t->b, first);
    if (t->site_count > 0) values_to_variables(t);
    LLVMPositionBuilderAtEnd(t->b, t->entry);
    LLVMBuildBr(t->b, t->outer);
    if (t->site_count > 0) {
        know_ended(t, first);
        keep_over_barriers(t);
    }
    LLVMInstructionEraseFromParent(ways[0]);
    LLVMInstructionEraseFromParent(ways[1]);
    LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(t->entry));
    close_loops(t, first);
}

// Whether each turn gets code of its own: places of what is kept are then constants, so that registers can have it.
static bool is_short(const struct turner *t) {
    unsigned count = 0;
    if (t->site_count == 0 || t->count > TURNS_APART) return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
            count++;
    return count * t->count <= INSTRUCTIONS_APART;
}

void turns_take(struct module *module) {
    const struct alias_turns *turns = turns_of(module->compilation);
    const uint32_t items = turns->local[0] * turns->local[1] * turns->local[2];
    struct turner t = {.module = module, .turns = turns, .function = module->kernels[0].function};
    t.count = (items + turns->resident - 1) / turns->resident;
    t.word = LLVMInt32TypeInContext(module->context);
    if (refuse(&t)) compilation_end(module->compilation);
    t.b = LLVMCreateBuilderInContext(module->context);
    take_turns(&t);
    LLVMDisposeBuilder(t.b);
    if (t.bytes > PRIVATE_MOST) {
        report_error(module->compilation, location_of_function(t.function),
                     "kernel %s: a work-group of %u items is done in %u turns, and what they keep over barriers takes "
                     "%llu bytes of private memory a thread, at most %u",
                     module->kernels[0].name, items, t.count, (unsigned long long)t.bytes, (unsigned)PRIVATE_MOST);
        compilation_end(module->compilation);
    }
    text_format(&module->compilation->report,
                "turns: %u of %u threads; %zu barriers; %llu bytes of private memory kept over them\n", t.count,
                turns->resident, t.site_count, (unsigned long long)t.bytes);
    module_run_passes(module, "function(sroa)");
    if (is_short(&t)) {
        loop_hint(module->context, t.latch, HINT_UNROLL_FULLY, 0);
        module_run_passes(module, "function(loop-simplify,lcssa,loop-unroll<O2;full-unroll-max=8>,sroa)");
    }
    module_run_passes(module, "function(sroa,instcombine<no-verify-fixpoint>,simplifycfg,early-cse<memssa>,sink,dce)");
}
