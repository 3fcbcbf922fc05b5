// The first compile of kernels with `restrict` parameters: their accesses get the scopes that say which buffers are apart,
// for what tunes loops later, and neighbours in loops in which work-items walk side by side go to one work-item
// (coarsen.c), where that pays on the target: where its lanes do not store a line at once. Other lanes have whole lines
// in any case, and what the new loop needs to begin with only costs them (`full`: 7 % of a loop of eight turns).
#include "compiler/again/promises.h"

#include <stdlib.h>

#include "compiler/again/coarsen.h"
#include "compiler/again/facts.h"
#include "compiler/again/turns.h"
#include "gen/config.h"

enum { LINE_WORDS = 8 };

// A loop whose order may change at each of its turns keeps its turns.
static bool lets_coarsen(const struct module *module) {
    const struct subvector_options *options = &module->compilation->options->subvector;
    const struct ppu_config *target = subvector_target(options);
    return target != NULL && target->store_lanes < LINE_WORDS && options->way != SUBVECTOR_AUTO;
}

bool promises_use(struct module *module, struct module *plain) {
    if (module->compilation->options->metadata != NULL || turns_of(module->compilation) != NULL) return false;
    struct facts *facts = take(module->kernel_count, sizeof *facts);
    unsigned promised = 0, coarsened = 0, neighbours;
    for (size_t k = 0; k < module->kernel_count; k++) {
        facts_promise(&facts[k], module, module->kernels[k].function);
        promised += facts[k].pairs_apart;
    }
    if (promised > 0 && lets_coarsen(module)) {
        *plain = module_copy(module);
        module_run_passes(module, "function(loop-simplify,lcssa)");
        for (size_t k = 0; k < module->kernel_count; k++)
            if (facts[k].pairs_apart > 0) coarsened += coarsen_loops(&facts[k], &neighbours);
        if (coarsened == 0) *module = *plain;
    }
    if (coarsened > 0)
        module_run_passes(module,
                          "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,gvn,dce,infer-alignment)");
    free(facts);
    return coarsened > 0;
}
