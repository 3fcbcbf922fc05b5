// The second compile, for launches whose arguments are known: what the facts about them make legal. First LLVM's own
// optimizations again, now with the facts; then unrolling and grouping, so that neighbours can become one access. The
// report tells what was allowed and done.
#include "compiler/again/second_compile.h"

#include "compiler/again/coarsen.h"
#include "compiler/again/facts.h"
#include "compiler/again/group_loads.h"
#include "compiler/tune/unroll.h"
#include "compiler/tune/unroll_others.h"

enum { FACTOR_MAX = 4 };  // a power of two, of unrolling

// Where two pointers of the loop overlap at a distance, a round is no longer than that distance: beyond it the accesses
// of one turn meet those of another.
static unsigned allowed_factor(const void *context, const struct counted_loop *loop) {
    const struct facts *facts = context;
    unsigned factor = FACTOR_MAX;
    const struct alias_metadata *metadata = facts->module->compilation->options->metadata;
    uint32_t size = 0;
    bool stores = false;
    if (loop->counts) return 1;
    for (LLVMValueRef i = LLVMGetFirstInstruction(loop->block); i != NULL; i = LLVMGetNextInstruction(i)) {
        if (!access_is_plain(i)) continue;
        stores = stores || LLVMIsAStoreInst(i) != NULL;
        uint32_t bytes = access_bytes(facts, i);
        if (bytes > size) size = bytes;
    }
    for (size_t k = 0; k < metadata->pair_count && stores; k++) {
        const struct alias_pair *pair = &metadata->pairs[k];
        if (pair->relation != ALIAS_OVERLAP) continue;
        uint32_t root = facts->root[pair->second];
        bool used = false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(loop->block); i != NULL && !used; i = LLVMGetNextInstruction(i))
            used = access_is_plain(i) && (facts_parameters(facts, access_pointer(i)) >> root & 1) != 0;
        uint32_t distance = (int32_t)pair->distance < 0 ? 0u - pair->distance : pair->distance;
        while (used && factor > 1 && factor * size > distance)
            factor /= 2;
    }
    return factor;
}

static const struct kernel_source *wanted_kernel(const struct module *module, const char *name) {
    const struct kernel_source *kernel = module_kernel(module, name);
    if (kernel != NULL) return kernel;
    report_fatal(module->compilation, "metadata: the program has no kernel \"%s\"", name);
}

void module_improve(struct module *module) {
    struct compilation *compilation = module->compilation;
    const struct alias_metadata *metadata = compilation->options->metadata;
    const struct kernel_source *kernel = wanted_kernel(module, metadata->kernel);
    struct facts facts;
    facts_apply(&facts, module, kernel->function);
    if (compilation->errors > 0) compilation_end(compilation);
    text_format(&compilation->report,
                "allowed: %u pairs apart, on %u accesses; %u pairs at a known distance; %u pointers aligned\n",
                facts.pairs_apart, facts.accesses, facts.pairs_overlapping, facts.aligned);
    // Short inner loops go altogether, so that the loop around them is one block.
    module_run_passes(module,
                      "function(loop-simplify,lcssa,loop(loop-unroll-full)),default<O2>,"
                      "function(loop-simplify,lcssa)");
    unsigned neighbours, coarsened = coarsen_loops(&facts, &neighbours);
    unsigned factor, loops = unroll_loops(module, kernel->function, allowed_factor, &facts, false, &factor);
    unsigned others = unroll_others(module, kernel->function, false);
    module_run_passes(module, "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,gvn,dce)");
    unsigned moved = group_loads(&facts);
    // For the vectorizer at the end (module_finish()), when the parameters are long gone.
    module_run_passes(module, "function(infer-alignment)");
    text_format(&compilation->report, "done: %u loops with up to %u neighbours in one work-item\n", coarsened,
                neighbours);
    text_format(&compilation->report, "done: %u loops of other forms unrolled by LLVM\n", others);
    text_format(&compilation->report, "done: %u loops unrolled, the most by %u; %u loads moved before stores\n", loops,
                factor, moved);
}
