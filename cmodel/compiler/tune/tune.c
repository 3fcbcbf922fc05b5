// The order of what tunes a module: loops of few turns go altogether, others get rounds of several turns; then addresses
// are taken apart, so that what a loop does not change is made before it, and what goes on evenly moves.
#include "compiler/tune/tune.h"

#include <string.h>

#include "compiler/ir/ir_graph.h"
#include "compiler/ir/loop_hints.h"
#include "compiler/ir/names.h"
#include "compiler/tune/moving_pointers.h"
#include "compiler/tune/round_steps.h"
#include "compiler/tune/split_addresses.h"
#include "compiler/tune/stores_apart.h"
#include "compiler/tune/unroll.h"
#include "compiler/tune/unroll_others.h"
#include "gen/config.h"

enum { LOCAL_ALIGNMENT = 16, ROUND_TURNS = 4, LINE_WORDS = 8 };

// Loops that are left at several places stay: in copies of them threads that leave would meet the others later.
static void keep_loops(const struct module *module, LLVMValueRef f) {
    struct ir_graph graph;
    ir_graph_make(&graph, f, module->layout);
    for (size_t l = 0; l < graph.loops.count && !graph.loops.irreducible; l++) {
        const struct loop *loop = &graph.loops.loops[l];
        bool keep = false;
        for (uint32_t b = 0; b < graph.block_count; b++) {
            bool jumps_back = false, leaves = false;
            if (!loop->blocks[b]) continue;
            for (size_t k = 0; k < graph.edges.next_count[b]; k++) {
                jumps_back |= graph.edges.next[b][k] == loop->header;
                leaves |= !loop->blocks[graph.edges.next[b][k]];
            }
            keep |= leaves && !jumps_back;
        }
        for (uint32_t b = 0; b < graph.block_count && keep; b++)
            for (size_t k = 0; k < graph.edges.next_count[b]; k++)
                if (loop->blocks[b] && graph.edges.next[b][k] == loop->header)
                    loop_hint(module->context, graph.blocks[b], HINT_NO_UNROLL, 0);
    }
}

static bool reads_local(LLVMValueRef i) {
    return LLVMIsALoadInst(i) != NULL && LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) != SPACE_GLOBAL;
}

// Whether a load of a word by each resident warp is as much as the target has under way: rounds of a loop that stores,
// which bring more of them, would only cost instructions.
static bool warps_suffice(const struct module *module) {
    const struct ppu_config *target = subvector_target(&module->compilation->options->subvector);
    return target != NULL && target->warps * target->threads > LINE_WORDS * target->lsu_depth;
}

// Loops whose loads of a round can all be on their way at once: those that store nothing, or nothing that a load of
// another turn may read. Elsewhere loads behind a store stay behind it; of counts in local memory those of other memory
// are apart.
static unsigned flowing(const void *context, const struct counted_loop *loop) {
    bool stores = false, loads = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(loop->block); i != NULL; i = LLVMGetNextInstruction(i)) {
        stores |= LLVMIsAStoreInst(i) != NULL;
        loads |= LLVMIsALoadInst(i) != NULL;
        if (loop->counts && (stores || reads_local(i))) return 0;
    }
    if (!loads || (stores && (warps_suffice(context) || !stores_apart(context, loop)))) return 0;
    return ROUND_TURNS;
}

// Not where the PPU may change the order of a sequence at each turn of a loop: it would have fewer turns for that.
static void unroll_all(struct module *module) {
    if (module->compilation->options->subvector.way == SUBVECTOR_AUTO) return;
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !has_attribute(f, "optnone")) unroll_others(module, f, true);
    module_run_passes(module, "function(loop-simplify,lcssa)");
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        unsigned most;
        if (!LLVMIsDeclaration(f) && !has_attribute(f, "optnone"))
            unroll_loops(module, f, flowing, module, true, &most);
    }
}

// OpenCL C calls all functions convergent, and so all calls of them; instructions of one thread alone are not.
static void name_instructions(const struct module *module) {
    const unsigned kind = LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f)) continue;
        // A loop with a YIELD stays one.
        if (starts(name_of(f), NAME_YIELD)) add_attribute(module->context, f, "noduplicate", 0);
        if (find_instruction_name(name_of(f)) != NULL)
            remove_attribute(f, "convergent");
        else if (LLVMGetIntrinsicID(f) == 0 || has_attribute(f, "convergent"))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f); use != NULL; use = LLVMGetNextUse(use))
            if (LLVMIsACallInst(LLVMGetUser(use)))
                LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(use), (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    }
}

// Accesses of several words need it. A variable of so many bytes takes no more room by it.
static void align_local(const struct module *module) {
    for (LLVMValueRef v = LLVMGetFirstGlobal(module->module); v != NULL; v = LLVMGetNextGlobal(v)) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != SPACE_LOCAL || LLVMIsDeclaration(v)) continue;
        const unsigned long long size = LLVMABISizeOfType(module->layout, LLVMGlobalGetValueType(v));
        if (size != 0 && size % LOCAL_ALIGNMENT == 0 && LLVMGetAlignment(v) < LOCAL_ALIGNMENT)
            LLVMSetAlignment(v, LOCAL_ALIGNMENT);
    }
}

// LLVM's passes leave out functions of this kind.
static void set_aside(struct module *module, const bool *skipped, bool aside) {
    for (size_t k = 0; k < module->kernel_count && skipped != NULL; k++) {
        LLVMValueRef f = module->kernels[k].function;
        if (!skipped[k]) continue;
        if (aside) {
            add_attribute(module->context, f, "noinline", 0);
            add_attribute(module->context, f, "optnone", 0);
        } else {
            remove_attribute(f, "optnone");
            remove_attribute(f, "noinline");
        }
    }
}

void module_tune(struct module *module, const bool *skipped) {
    set_aside(module, skipped, true);
    name_instructions(module);
    align_local(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !has_attribute(f, "optnone")) keep_loops(module, f);
    module_run_passes(module,
                      "function(loop-simplify,lcssa,loop(loop-rotate),loop(loop-unroll-full),sroa,"
                      "instcombine<no-verify-fixpoint>,simplifycfg,scalarizer,early-cse,loop-simplify,lcssa)");
    unroll_all(module);
    module_run_passes(
        module, "function(instcombine<no-verify-fixpoint>,slsr,gvn<no-pre;no-load-pre;no-split-backedge-load-pre>)");
    addresses_split(module);
    module_run_passes(
        module,
        "function(dce,gvn<no-pre;no-load-pre;no-split-backedge-load-pre>,loop-simplify,lcssa,loop-mssa(licm),dce)");
    pointers_move(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !has_attribute(f, "optnone")) round_steps_join(module, f);
    module_run_passes(module,
                      "function(dce,instsimplify,gvn<no-pre;no-load-pre;no-split-backedge-load-pre>,infer-alignment)");
    set_aside(module, skipped, false);
}
