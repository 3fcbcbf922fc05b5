// Selection: blocks and control flow, phis, and what instruction goes to which part.
#include "compiler/select/select.h"

#include <llvm-c/DebugInfo.h>

#include "compiler/ir/arguments.h"
#include "compiler/select/arithmetic.h"
#include "compiler/select/atomics.h"
#include "compiler/select/debug_values.h"
#include "compiler/select/floats.h"
#include "compiler/select/function_calls.h"
#include "compiler/select/intrinsics.h"
#include "compiler/select/memory.h"
#include "compiler/select/values.h"
#include "compiler/select/variables.h"
#include "compiler/select/wide.h"

// What no register can hold.
static bool type_fits(struct selection *s, LLVMTypeRef type) {
    LLVMTypeRef part = part_type(type);
    switch (LLVMGetTypeKind(part)) {
        case LLVMVoidTypeKind:
        case LLVMPointerTypeKind:
        case LLVMLabelTypeKind:
        case LLVMMetadataTypeKind:
        case LLVMFunctionTypeKind:
        case LLVMStructTypeKind: return true;
        case LLVMIntegerTypeKind:
            if (LLVMGetIntTypeWidth(part) <= 64) return true;
            unsupported(s, "integers of more than 64 bits are not supported (a value of %u bits)",
                        LLVMGetIntTypeWidth(part));
            return false;
        case LLVMTargetExtTypeKind:  // event_t: always zero
        case LLVMHalfTypeKind:       // moved about only
        case LLVMDoubleTypeKind:     // as well
        case LLVMFloatTypeKind: return true;
        default: unsupported(s, "a value of this type is not supported"); return false;
    }
}

static bool types_fit(struct selection *s, LLVMValueRef i) {
    if (!type_fits(s, LLVMTypeOf(i))) return false;
    // Markers such as the end of a variable's life count its bytes in 64 bits, copies may too.
    if (LLVMIsACallInst(i) && LLVMIsAIntrinsicInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind)
        return true;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k);
        bool index = LLVMIsAGetElementPtrInst(i) || LLVMIsAInsertElementInst(i) || LLVMIsAExtractElementInst(i);
        if (index && LLVMIsAConstantInt(operand)) continue;
        if (!type_fits(s, LLVMTypeOf(operand))) return false;
    }
    return true;
}

static void declare_phi(struct selection *s, LLVMValueRef phi) {
    s->instruction = phi;
    if (!type_fits(s, LLVMTypeOf(phi))) return;
    struct value *value = value_of(s, phi);
    for (unsigned k = 0; k < value->count; k++)
        value->parts[k] = new_register(s->function, CLASS_VECTOR);
}

static bool from_known(const struct machine_phi *phi, uint32_t block) {
    for (size_t k = 0; k < phi->count; k++)
        if (phi->from[k] == block) return true;
    return false;
}

// Sources may need instructions of their own (constants); they go to the end of the predecessor.
static void complete_phi(struct selection *s, LLVMValueRef source, uint32_t block) {
    unsigned incoming = LLVMCountIncoming(source);
    struct value *value = value_of(s, source);
    for (unsigned part = 0; part < value->count; part++) {
        struct machine_phi phi = {.dst = value->parts[part]};
        if (phi.dst == NONE) continue;
        phi.src = take(incoming, sizeof *phi.src);
        phi.from = take(incoming, sizeof *phi.from);
        for (unsigned k = 0; k < incoming; k++) {
            uint32_t from = block_number(s, LLVMGetIncomingBlock(source, k));
            if (from == NONE || from_known(&phi, from)) continue;
            LLVMValueRef in = LLVMGetIncomingValue(source, k);
            s->block = from;
            s->stretch++;
            s->line = s->function->blocks[from].line;
            s->order = s->scope = 0;
            phi.src[phi.count] = LLVMIsUndef(in) ? UNDEFINED : part_of(s, in, part);
            phi.from[phi.count++] = from;
        }
        struct machine_block *to = &s->function->blocks[block];
        to->phis = grow(to->phis, to->phi_count, &to->phi_capacity, sizeof *to->phis);
        to->phis[to->phi_count++] = phi;
    }
}

static void select_terminator(struct selection *s, LLVMValueRef end) {
    struct machine_block *block = &s->function->blocks[s->block];
    block->line = s->line;
    switch (LLVMGetInstructionOpcode(end)) {
        case LLVMRet:
        case LLVMUnreachable:
            block->terminator = TERM_EXIT;
            if (s->function->is_called) select_return(s, end);
            return;
        case LLVMBr: break;
        default:
            unsupported(s, "control flow of this kind is not supported");
            block->terminator = TERM_EXIT;
            return;
    }
    unsigned count = LLVMGetNumSuccessors(end);
    uint32_t yes = block_number(s, LLVMGetSuccessor(end, 0)),
             no = count > 1 ? block_number(s, LLVMGetSuccessor(end, 1)) : yes;
    struct predicate condition = {.reg = NONE};
    if (yes != no) condition = predicate_of(s, LLVMGetCondition(end));
    block = &s->function->blocks[s->block];
    if (condition.reg == NONE) {
        block->terminator = TERM_BRANCH;
        block->target[0] = condition.negated ? no : yes;
        return;
    }
    block->terminator = TERM_CONDITION;
    block->condition = condition.reg;
    block->condition_negated = condition.negated;
    block->target[0] = yes;
    block->target[1] = no;
}

static bool has_effect(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
        case LLVMStore:
        case LLVMCall:
        case LLVMFence:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg:
        case LLVMBr:
        case LLVMRet:
        case LLVMSwitch:
        case LLVMUnreachable: return true;
        case LLVMLoad: return LLVMGetVolatile(i) != 0;
        default: return LLVMIsATerminatorInst(i) != NULL;
    }
}

// The call in the kernel itself that brought an instruction in, as 1 + its number; 0: none.
static uint32_t inlined_call_of(struct machine_function *function, LLVMValueRef i) {
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i), call = NULL;
    while (at != NULL && (at = LLVMDILocationGetInlinedAt(at)) != NULL)
        call = at;
    if (call == NULL) return 0;
    for (size_t k = 0; k < function->inlined_count; k++)
        if (function->inlined[k].key == call) return (uint32_t)k + 1;
    function->inlined =
        grow(function->inlined, function->inlined_count, &function->inlined_capacity, sizeof *function->inlined);
    function->inlined[function->inlined_count].key = call;
    function->inlined[function->inlined_count].line = LLVMDILocationGetLine(call);
    return (uint32_t)++function->inlined_count;
}

static void select_instruction(struct selection *s, LLVMValueRef i) {
    struct location at = location_of(i);
    s->instruction = i;
    s->inlined = inlined_call_of(s->function, i);
    if (at.line != 0) s->line = at.line;
    s->order++;
    debug_values_before(s, i);
    if (LLVMIsAPHINode(i) || (!has_effect(i) && LLVMGetFirstUse(i) == NULL) || !types_fit(s, i)) return;
    if (LLVMIsATerminatorInst(i)) {
        select_terminator(s, i);
    } else if (LLVMIsACallInst(i)) {
        select_call(s, i);
    } else if (!select_memory(s, i) && !select_atomic(s, i) && !select_float(s, i) && !select_wide(s, i) &&
               !select_arithmetic(s, i)) {
        unsupported(s, "this operation is not supported");
    }
}

static void place_by_value_arguments(struct selection *s) {
    unsigned count = LLVMCountParams(s->source);
    s->offsets = take(count, sizeof *s->offsets);
    argument_offsets(s->module, s->source, s->offsets);
    s->block = 0;
    for (unsigned k = 0; k < count; k++) {
        if (argument_by_value(s->source, k) == NULL || LLVMGetFirstUse(LLVMGetParam(s->source, k)) == NULL) continue;
        define(s, LLVMGetParam(s->source, k), emit_constant(s, s->offsets[k]), 0);
    }
}

static bool has_calls(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL; i = LLVMGetNextInstruction(i))
        if (called_function(i) != NULL) return true;
    return false;
}

struct machine_function *select_function(struct module *module, struct globals *globals, struct globals *variables,
                                         struct debug_records *debug, struct kernel_tree *tree, size_t node) {
    struct selection s = {.compilation = module->compilation,
                          .module = module,
                          .globals = globals,
                          .variables = variables,
                          .debug = debug,
                          .tree = tree,
                          .self = &tree->callees[node],
                          .source = tree->graph.nodes[node].function};
    unsigned errors = module->compilation->errors;
    s.function = take(1, sizeof *s.function);
    s.function->compilation = module->compilation;
    s.function->name = s.self->name;
    s.function->callees = tree->callees;
    s.function->is_called = node + 1 < tree->graph.count;
    s.function->keeps_return = s.function->is_called && s.self->keeps_return;
    s.private_end = s.self->frame;
    s.local_end = tree->local_end;
    number_blocks(&s);
    debug_values_begin(&s);
    for (uint32_t b = 0; b < s.block_count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(s.blocks[b]); i != NULL && LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i))
            declare_phi(&s, i);
    if (s.function->is_called) {
        s.private_end += 4 * call_frame_words(s.self);
        select_parameters(&s);
    } else {
        place_by_value_arguments(&s);
    }
    place_private(&s);
    for (uint32_t b = 0; b < s.block_count; b++) {
        s.block = b;
        s.stretch++;
        s.block_calls = has_calls(s.blocks[b]);
        for (LLVMValueRef i = LLVMGetFirstInstruction(s.blocks[b]); i != NULL; i = LLVMGetNextInstruction(i))
            select_instruction(&s, i);
    }
    s.instruction = NULL;
    debug_values_end(&s);
    s.function->private_bytes = s.private_end;
    s.function->local_bytes = tree->local_end = s.local_end;
    // What the arguments point to lies behind, and not at 0 either.
    if (module->null_local && s.local_end == 0) s.function->local_bytes = NULL_RESERVE;
    if (module->compilation->errors > errors) return NULL;
    for (uint32_t b = 0; b < s.block_count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(s.blocks[b]); i != NULL && LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i))
            if (value_of(&s, i)->parts[0] != NONE) complete_phi(&s, i, b);
    return module->compilation->errors > errors ? NULL : s.function;
}
