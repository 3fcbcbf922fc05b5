// What the child process does: front end, LLVM, one kernel after the other through the back end, and the code object.
#include "compiler/child.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/again/promises.h"
#include "compiler/again_section.h"
#include "compiler/front/bitcode.h"
#include "compiler/front/clang.h"
#include "compiler/front/link.h"
#include "compiler/improve/common_subexpressions.h"
#include "compiler/improve/hoist.h"
#include "compiler/improve/peephole.h"
#include "compiler/improve/schedule.h"
#include "compiler/improve/sink.h"
#include "compiler/ir/arguments.h"
#include "compiler/ir/globals.h"
#include "compiler/machine/divergence.h"
#include "compiler/machine/machine.h"
#include "compiler/output/dwarf.h"
#include "compiler/output/encode.h"
#include "compiler/prepare.h"
#include "compiler/registers/allocate.h"
#include "compiler/registers/phis.h"
#include "compiler/registers/predicates.h"
#include "compiler/registers/tuples.h"
#include "compiler/segments/report.h"
#include "compiler/segments/segments.h"
#include "compiler/select/debug_values.h"
#include "compiler/select/select.h"
#include "compiler/tokens/reconverge.h"
#include "gen/save_handler.h"

// A kernel that takes more registers than this is tried once more with fewer (FINISH_LEAN):
// on the larger configurations, 64 registers still let all warps run.
enum { MANY_REGISTERS = 64 };

// The whole program through the back end.
struct attempt {
    struct module module;
    struct globals globals, variables;
    struct code_object object;
    struct debug_records *debug;  // NULL: the source's variables are not asked for
    struct text machine, segments;
    uint32_t most;      // registers of the kernel that takes the most
    uint32_t spilled;   // bytes, of all kernels
    uint32_t allowed;   // registers, of the kernel in hand
    uint32_t *refused;  // for each kernel: the registers allowed, when it takes more; else 0
    bool refuses;       // one of them does
    uint32_t accesses;  // of 64 and 128 bits, of the kernel in hand
    uint32_t wide;      // the same of the kernel that the metadata is about
    enum finish finish;
    const bool *skipped;  // TUNED: kernels that are not, or NULL
};

// As many as the option allows, and as let one warp be resident on the target configuration, or, with a required
// work-group size, that group (the target may have too few warps for it: then the size says nothing of registers).
static uint32_t registers_allowed(const struct compilation *compilation, const uint32_t reqd_local[3]) {
    uint32_t limit = compilation->options->register_limit;
    if (limit == 0 || limit > REGISTERS_MAX) limit = REGISTERS_MAX;
    if (compilation->options->saves) limit -= limit % SAVE_REGISTER_STEP;
    const struct ppu_config *target = subvector_target(&compilation->options->subvector);
    if (target == NULL) return limit;
    const uint64_t threads = (uint64_t)reqd_local[0] * reqd_local[1] * reqd_local[2];
    const bool known = threads != 0 && threads <= (uint64_t)target->warps * target->threads;
    // Of registers that share rows a warp has more, so that what is in sub-vector order is not held to it.
    if (!known && compilation->options->subvector.way != SUBVECTOR_OFF) return limit;
    uint32_t warps = 1;
    if (known) warps = ((uint32_t)threads + target->threads - 1) / target->threads;
    const uint32_t fitting = target->vgpr_rows / (warps * (target->threads / target->lanes));
    return fitting < limit ? fitting : limit;
}

// Whether the kernel in hand takes registers for time.
static bool tuned(const struct attempt *attempt) {
    return attempt->finish == FINISH_TUNED &&
           (attempt->skipped == NULL || !attempt->skipped[attempt->object.kernel_count - 1]);
}

// One function of a kernel's tree, up to the tokens. False: errors, or too many registers.
static bool compile_function(struct attempt *attempt, struct kernel_tree *tree, size_t node) {
    struct compilation *compilation = attempt->module.compilation;
    kernel_tree_begin(tree, node);
    compilation->stage = "selecting instructions";
    struct machine_function *function =
        select_function(&attempt->module, &attempt->globals, &attempt->variables, attempt->debug, tree, node);
    if (function == NULL) return false;
    peephole(function);
    common_subexpressions(function);
    peephole(function);
    if (tuned(attempt)) {
        values_hoist(function);
        loads_schedule(function);
    }
    divergence_analyse(function);
    values_sink(function);
    function->register_limit = attempt->allowed;
    phis_eliminate(function);
    predicates_allocate(function);
    if (node + 1 == tree->graph.count) segments_choose(function);
    registers_allocate(function);
    kernel_tree_end(tree, node, function);
    segments_report(function, &attempt->segments);
    attempt->spilled += function->spill_bytes;
    if (function->registers_used > function->register_limit) {
        attempt->refused[attempt->object.kernel_count - 1] = function->register_limit;
        attempt->refuses = true;
        return false;
    }
    attempt->accesses += tuples_accesses(function);
    reconverge(function);
    return true;
}

static void compile_kernel(struct attempt *attempt, const struct kernel_source *source) {
    struct compilation *compilation = attempt->module.compilation;
    struct code_kernel *kernel = &attempt->object.kernels[attempt->object.kernel_count++];
    strncpy(kernel->name, source->name, sizeof kernel->name - 1);
    arguments_describe(&attempt->module, source->function, kernel);
    if (source->literal_bytes > 0)
        kernel->constant_bytes = ((kernel->constant_bytes + 15) & ~15u) + source->literal_bytes;
    attempt->accesses = 0;
    struct kernel_tree tree;
    attempt->allowed = registers_allowed(compilation, kernel->reqd_local);
    kernel_tree_make(&tree, source->function, attempt->allowed, compilation->options->saves ? SAVE_OWN_BYTES : 0);
    bool good = true;
    for (size_t node = 0; node < tree.graph.count && good; node++) {
        good = compile_function(attempt, &tree, node);
        if (tree.callees[node].registers > kernel->registers) kernel->registers = tree.callees[node].registers;
    }
    if (kernel->registers > attempt->most) attempt->most = kernel->registers;
    for (size_t node = tree.graph.count; node-- > 0 && good && compilation->options->keep_asm;)
        machine_print(tree.callees[node].code, &attempt->machine);
    const struct alias_metadata *metadata = compilation->options->metadata;
    if (metadata != NULL && strcmp(metadata->kernel, kernel->name) == 0) attempt->wide = attempt->accesses;
    debug_place_locals(attempt->debug, &tree);
    if (good && compilation->options->saves) encode_handler(&attempt->object, kernel);
    if (good) encode_kernel(tree.callees, tree.graph.count, &attempt->object, kernel);
    kernel_tree_free(&tree);
}

static void compile_kernels(struct attempt *attempt, enum finish finish, const bool *skipped) {
    struct module *module = &attempt->module;
    attempt->finish = finish;
    attempt->skipped = skipped;
    module_finish(module, finish, skipped);
    attempt->variables.variables = true;
    variables_reserve(&attempt->variables, module);
    attempt->debug = debug_collect(module);
    attempt->object.file = take(strlen(module->compilation->name) + 1, 1);
    strcpy(attempt->object.file, module->compilation->name);
    attempt->object.kernels = take(module->kernel_count, sizeof *attempt->object.kernels);
    attempt->refused = take(module->kernel_count, sizeof *attempt->refused);
    for (size_t k = 0; k < module->kernel_count; k++)
        compile_kernel(attempt, &module->kernels[k]);
    debug_place_globals(attempt->debug, &attempt->globals, DEBUG_SPACE_BUFFER1);
    debug_place_globals(attempt->debug, &attempt->variables, DEBUG_SPACE_PROGRAM);
}

static void report_registers(struct compilation *compilation, const struct attempt *attempt) {
    for (size_t k = 0; k < attempt->object.kernel_count; k++) {
        const struct code_kernel *kernel = &attempt->object.kernels[k];
        if (attempt->refused[k] == 0) continue;
        report_error(compilation, location_of_function(attempt->module.kernels[k].function),
                     "kernel %s needs %u registers at once, even with values kept in memory, a thread has %u: too many "
                     "registers",
                     kernel->name, kernel->registers, attempt->refused[k]);
    }
}

// How many warps of a multiprocessor the registers of a thread let be resident goes by these steps: on every
// configuration groups of all its warps fit with the first.
static unsigned step_of(uint32_t registers) {
    return registers <= MANY_REGISTERS / 2   ? 0
           : registers <= MANY_REGISTERS     ? 1
           : registers <= 2 * MANY_REGISTERS ? 2
                                             : 3;
}

static bool takes_room(const struct attempt *attempt) {
    return step_of(attempt->most) > 0 || attempt->spilled > 0 || attempt->refuses;
}

// Whether one way costs kernel k what it has in the other: room for as many warps, all values in registers.
static bool costs_room(const struct attempt *one, const struct attempt *other, size_t k) {
    const struct code_kernel *now = &one->object.kernels[k], *before = &other->object.kernels[k];
    return (one->refused[k] != 0 && other->refused[k] == 0) || now->spill_bytes > before->spill_bytes ||
           step_of(now->registers) > step_of(before->registers);
}

// Kernels whose tuned form takes too many registers are compiled once more without; all others stay tuned.
static struct attempt *compile_tuned(struct attempt *tuned, struct attempt *again, struct attempt *lavish,
                                     const struct module *prepared) {
    struct compilation *compilation = prepared->compilation;
    tuned->module = module_copy(prepared);
    compile_kernels(tuned, FINISH_TUNED, NULL);
    if (compilation->errors > 0 || !takes_room(tuned)) return tuned;
    lavish->module = module_copy(prepared);
    compile_kernels(lavish, FINISH_LAVISH, NULL);
    if (compilation->errors > 0) return lavish;
    bool *skipped = take(prepared->kernel_count, sizeof *skipped);
    size_t count = 0;
    for (size_t k = 0; k < prepared->kernel_count; k++)
        count += skipped[k] = costs_room(tuned, lavish, k);
    struct attempt *taken = count == 0 ? tuned : lavish;
    if (count > 0 && count < prepared->kernel_count) {
        again->module = module_copy(prepared);
        compile_kernels(again, FINISH_TUNED, skipped);
        taken = again;
        for (size_t k = 0; k < prepared->kernel_count; k++)
            if (costs_room(again, lavish, k)) taken = lavish;
    }
    free(skipped);
    return taken;
}

// The best way to finish a prepared module, which is settled first.
static struct attempt *compile_settled(struct module *prepared) {
    struct compilation *compilation = prepared->compilation;
    module_settle(prepared);
    struct attempt *ways = take(4, sizeof *ways), *taken = compile_tuned(&ways[0], &ways[1], &ways[2], prepared);
    if (compilation->errors > 0 || (taken->most <= MANY_REGISTERS && taken->spilled == 0 && !taken->refuses))
        return taken;
    struct attempt *lean = &ways[3];
    lean->module = module_copy(prepared);
    compile_kernels(lean, FINISH_LEAN, NULL);
    const bool fewer = lean->most < taken->most && lean->spilled <= taken->spilled;
    if (!lean->refuses && (taken->refuses || lean->spilled < taken->spilled || fewer)) return lean;
    return taken;
}

// What was promised may have cost a kernel its room; then none of them uses it.
static struct attempt *compile_plain(struct attempt *taken, struct module *plain) {
    struct compilation *compilation = plain->compilation;
    const struct text calls = compilation->calls, loops = compilation->loops;
    compilation->calls = compilation->loops = (struct text){0};
    struct attempt *without = compile_settled(plain);
    if (compilation->errors > 0) return without;
    for (size_t k = 0; k < plain->kernel_count; k++)
        if (costs_room(taken, without, k)) return without;
    compilation->calls = calls;
    compilation->loops = loops;
    return taken;
}

void compilation_run(struct compilation *compilation) {
    void *bitcode;
    size_t size;
    if (bitcode_given(compilation->source, compilation->source_size)) {
        bitcode_take(compilation, &bitcode, &size);
    } else {
        frontend_run(compilation, &bitcode, &size);
    }
    if (compilation->options->more_count > 0) bitcode_link(compilation, &bitcode, &size);
    if (compilation->options->front_only) {
        send_frame(compilation->to_parent, FRAME_ELF, bitcode, size);
        return;
    }
    struct module prepared, plain;
    module_prepare(&prepared, compilation, bitcode, size);
    const bool promised = promises_use(&prepared, &plain);
    struct attempt *taken = compile_settled(&prepared);
    if (promised && compilation->errors == 0 && takes_room(taken)) taken = compile_plain(taken, &plain);
    report_registers(compilation, taken);
    if (compilation->options->keep_ir) {
        char *ir = LLVMPrintModuleToString(taken->module.module);
        send_frame(compilation->to_parent, FRAME_IR, ir, strlen(ir));
    }
    if (compilation->options->metadata != NULL) {
        text_format(&compilation->report, "done: %u accesses of 64 and 128 bits\n", taken->wide);
        send_frame(compilation->to_parent, FRAME_REPORT, compilation->report.data, compilation->report.size);
    }
    if (compilation->options->keep_asm)
        send_frame(compilation->to_parent, FRAME_MACHINE, taken->machine.data, taken->machine.size);
    if (taken->segments.size > 0)
        send_frame(compilation->to_parent, FRAME_SEGMENTS, taken->segments.data, taken->segments.size);
    if (compilation->calls.size > 0)
        send_frame(compilation->to_parent, FRAME_CALLS, compilation->calls.data, compilation->calls.size);
    if (compilation->loops.size > 0)
        send_frame(compilation->to_parent, FRAME_LOOPS, compilation->loops.data, compilation->loops.size);
    if (compilation->errors > 0) return;
    taken->object.rodata = taken->globals.data;
    taken->object.rodata_size = taken->globals.size;
    taken->object.data = taken->variables.data;
    taken->object.data_size = taken->variables.size;
    taken->object.pointers = taken->variables.pointers;
    taken->object.pointers_size = taken->variables.pointers_size;
    taken->object.formats = taken->module.printed->formats;
    taken->object.format_count = taken->module.printed->format_count;
    if (!compilation->options->once && compilation->options->metadata == NULL)
        taken->object.again =
            again_section_make(compilation->options, compilation->name, bitcode, size, &taken->object.again_size);
    if (taken->debug != NULL) dwarf_write(debug_program_of(taken->debug), &taken->object);
    void *elf;
    size_t elf_size;
    char error[256];
    if (!code_object_write(&taken->object, &elf, &elf_size, error, sizeof error))
        report_fatal(compilation, "the code object cannot be written: %s", error);
    send_frame(compilation->to_parent, FRAME_ELF, elf, elf_size);
}
