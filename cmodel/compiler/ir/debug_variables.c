// Variables, scopes and values from LLVM's debug records: see debug_variables.h.
//
// The C interface does not lead from an instruction to its records. Written as calls of llvm.dbg.value and
// llvm.dbg.declare they are instructions, so the module is turned into that form, read, and turned back: nothing that
// comes later meets a call that is none.
#include "compiler/ir/debug_variables.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/pointer_set.h"
#include "compiler/ir/debug_metadata.h"

struct debug_records {
    const struct module *module;
    LLVMContextRef context;
    struct debug_program program;
    struct metadata_numbers types, scopes, variables;
    struct debug_mark *marks;
    size_t mark_count, mark_capacity;
    struct anchor {
        LLVMValueRef instruction;
        uint32_t first, last;  // marks
    } * anchors;               // hash table
    size_t anchor_count, anchor_slots;
    struct debug_global *globals;
    size_t global_count, global_capacity;
};

static uint32_t scope_of(struct debug_records *r, LLVMMetadataRef scope, LLVMMetadataRef inlined) {
    if (scope == NULL) return NONE;
    const LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
    if (kind == LLVMDILexicalBlockFileMetadataKind)
        return scope_of(r, metadata_operand(r->context, scope, OPERAND_SCOPE), inlined);
    const bool function = kind == LLVMDISubprogramMetadataKind;
    if (!function && kind != LLVMDILexicalBlockMetadataKind) return NONE;
    const uint32_t known = *metadata_number_of(&r->scopes, scope, inlined);
    if (known != NONE) return known;
    uint32_t parent = NONE, call = 0;
    if (!function) {
        parent = scope_of(r, metadata_operand(r->context, scope, OPERAND_SCOPE), inlined);
        if (parent == NONE) return NONE;
    } else if (inlined != NULL) {
        parent = scope_of(r, LLVMDILocationGetScope(inlined), LLVMDILocationGetInlinedAt(inlined));
        call = LLVMDILocationGetLine(inlined);
    }
    const uint32_t made =
        debug_add_scope(&r->program, parent, function ? metadata_name(r->context, scope, OPERAND_NAME) : NULL,
                        function ? LLVMDISubprogramGetLine(scope) : 0);
    r->program.scopes[made].call = parent == NONE ? 0 : call;
    *metadata_number_of(&r->scopes, scope, inlined) = made;
    return made;
}

static uint32_t variable_of(struct debug_records *r, LLVMMetadataRef variable, LLVMMetadataRef inlined) {
    const uint32_t known = *metadata_number_of(&r->variables, variable, inlined);
    if (known != NONE) return known;
    struct debug_variable made = {.line = LLVMDIVariableGetLine(variable), .scope = NONE};
    made.scope = scope_of(r, LLVMDIVariableGetScope(variable), inlined);
    made.name = metadata_name(r->context, variable, OPERAND_VARIABLE_NAME);
    made.type = debug_type_of(r->context, &r->types, &r->program, metadata_operand(r->context, variable, OPERAND_OF));
    char text[16];
    if (LLVMGetMetadataKind(variable) == LLVMDILocalVariableMetadataKind &&
        metadata_field(r->context, variable, "arg: ", text, sizeof text))
        made.argument = (uint32_t)strtoul(text, NULL, 10);
    const uint32_t number = debug_add_variable(&r->program, made);
    *metadata_number_of(&r->variables, variable, inlined) = number;
    return number;
}

// ---- marks

static struct anchor *anchor_of(const struct debug_records *r, LLVMValueRef instruction) {
    size_t at = pointer_hash(instruction, r->anchor_slots);
    while (r->anchors[at].instruction != NULL && r->anchors[at].instruction != instruction)
        at = (at + 1) & (r->anchor_slots - 1);
    return &r->anchors[at];
}

static void more_anchors(struct debug_records *r) {
    struct anchor *old = r->anchors;
    const size_t slots = r->anchor_slots;
    r->anchor_slots = slots == 0 ? 256 : 2 * slots;
    r->anchors = take(r->anchor_slots, sizeof *r->anchors);
    for (size_t k = 0; k < slots; k++)
        if (old[k].instruction != NULL) *anchor_of(r, old[k].instruction) = old[k];
    free(old);
}

static void put_mark(struct debug_records *r, LLVMValueRef before, struct debug_mark mark) {
    if (2 * r->anchor_count >= r->anchor_slots) more_anchors(r);
    struct anchor *anchor = anchor_of(r, before);
    const uint32_t number = (uint32_t)r->mark_count;
    mark.next = NONE;
    r->marks = grow(r->marks, r->mark_count, &r->mark_capacity, sizeof *r->marks);
    r->marks[r->mark_count++] = mark;
    if (anchor->instruction == NULL) {
        *anchor = (struct anchor){.instruction = before, .first = number, .last = number};
        r->anchor_count++;
        return;
    }
    r->marks[anchor->last].next = number;
    anchor->last = number;
}

static LLVMValueRef value_in(LLVMValueRef operand) {
    LLVMMetadataRef metadata = LLVMValueAsMetadata(operand);
    const LLVMMetadataKind kind = LLVMGetMetadataKind(metadata);
    if (kind != LLVMConstantAsMetadataMetadataKind && kind != LLVMLocalAsMetadataMetadataKind) return NULL;
    LLVMValueRef value = NULL;
    LLVMGetMDNodeOperands(operand, &value);
    return value == NULL || LLVMIsUndef(value) || LLVMIsPoison(value) ? NULL : value;
}

static void read_call(struct debug_records *r, LLVMValueRef call, LLVMValueRef before) {
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(call);
    if (at == NULL) return;
    LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(call, 1));
    struct debug_expression expression;
    const bool good = debug_expression_read(r->context, LLVMValueAsMetadata(LLVMGetOperand(call, 2)), &expression);
    const uint32_t number = variable_of(r, variable, LLVMDILocationGetInlinedAt(at));
    const uint32_t type = r->program.variables[number].type;
    if (r->program.variables[number].scope == NONE || type == NONE) return;
    if (expression.size == r->program.types[type].size) expression.size = 0;
    struct debug_mark mark = {.slice = debug_slice_of(&r->program, number, expression.offset, expression.size),
                              .value = good ? value_in(LLVMGetOperand(call, 0)) : NULL,
                              .address = expression.address || LLVMIsADbgDeclareInst(call) != NULL,
                              .operations = expression.operations,
                              .operation_count = expression.count};
    put_mark(r, before, mark);
}

static void read_function(struct debug_records *r, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsADbgVariableIntrinsic(i)) continue;
            LLVMValueRef before = LLVMGetNextInstruction(i);
            while (before != NULL && LLVMIsADbgInfoIntrinsic(before))
                before = LLVMGetNextInstruction(before);
            if (before != NULL) read_call(r, i, before);
        }
    }
}

// ---- variables of the program

static void read_global(struct debug_records *r, LLVMValueRef global) {
    const unsigned wanted = LLVMGetMDKindIDInContext(r->context, "dbg", 3);
    size_t entries = 0;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &entries);
    for (unsigned k = 0; k < entries; k++) {
        LLVMMetadataRef both = LLVMValueMetadataEntriesGetMetadata(all, k);
        struct debug_expression expression;
        if (LLVMValueMetadataEntriesGetKind(all, k) != wanted ||
            LLVMGetMetadataKind(both) != LLVMDIGlobalVariableExpressionMetadataKind ||
            !debug_expression_read(r->context, LLVMDIGlobalVariableExpressionGetExpression(both), &expression) ||
            expression.count > 0)
            continue;
        const uint32_t number = variable_of(r, LLVMDIGlobalVariableExpressionGetVariable(both), NULL);
        r->globals = grow(r->globals, r->global_count, &r->global_capacity, sizeof *r->globals);
        r->globals[r->global_count++] = (struct debug_global){
            .global = global, .slice = debug_slice_of(&r->program, number, expression.offset, expression.size)};
    }
    LLVMDisposeValueMetadataEntries(all);
}

struct debug_records *debug_collect(const struct module *module) {
    struct debug_records *r = take(1, sizeof *r);
    r->module = module;
    r->context = module->context;
    r->program.file = module->compilation->name;
    LLVMSetIsNewDbgInfoFormat(module->module, 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f))
        read_function(r, f);
    LLVMSetIsNewDbgInfoFormat(module->module, 1);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module->module); g != NULL; g = LLVMGetNextGlobal(g))
        read_global(r, g);
    if (r->program.variable_count > 0) return r;
    free(r->anchors);
    free(r);
    return NULL;
}

struct debug_program *debug_program_of(struct debug_records *records) {
    return &records->program;
}

const struct debug_mark *debug_marks_before(const struct debug_records *records, LLVMValueRef instruction) {
    if (records->anchor_slots == 0) return NULL;
    const struct anchor *anchor = anchor_of(records, instruction);
    return anchor->instruction != NULL ? &records->marks[anchor->first] : NULL;
}

const struct debug_mark *debug_next_mark(const struct debug_records *records, const struct debug_mark *mark) {
    return mark->next != NONE ? &records->marks[mark->next] : NULL;
}

uint32_t debug_scope_at(struct debug_records *records, LLVMValueRef instruction) {
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    return at == NULL ? NONE : scope_of(records, LLVMDILocationGetScope(at), LLVMDILocationGetInlinedAt(at));
}

const struct debug_global *debug_globals(const struct debug_records *records, size_t *count) {
    *count = records->global_count;
    return records->globals;
}
