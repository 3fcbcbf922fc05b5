// The second compile, for launches whose arguments are known: what the facts about them make legal. First LLVM's own
// optimizations again, now with the facts; then unrolling and grouping, so that neighbours can become one access. The
// report tells what was allowed and done.
#include "compiler/again/second_compile.h"

#include "compiler/again/coarsen.h"
#include "compiler/again/facts.h"
#include "compiler/again/group_loads.h"
#include "compiler/again/unroll.h"
#include "compiler/again/unroll_others.h"

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
    unsigned factor, loops = unroll_loops(&facts, &factor);
    unsigned others = unroll_others(&facts);
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
