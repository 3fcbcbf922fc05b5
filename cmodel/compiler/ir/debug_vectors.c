// See debug_vectors.h.
#include "compiler/ir/debug_vectors.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/debug_metadata.h"

enum {
    OP_CONSTU = 0x10,
    OP_STACK_VALUE = 0x9f,
    OP_FRAGMENT = 0x1000,
    MARK = 0x7A000000,  // and above them the vector's number, times ELEMENTS_MAX, and the element's
    ELEMENTS_MAX = 16,
    VECTORS_MAX = 1 << 18,
    CHAIN_MAX = 64
};
#define NAME "debug.vector."

struct record {  // one to be written
    LLVMValueRef value, before;
    LLVMMetadataRef variable, at;
    uint32_t mark;          // 0: none
    unsigned offset, bits;  // of the part of the variable
};

struct records {
    struct record *list;
    size_t count, capacity;
};

static void add_record(struct records *to, struct record record) {
    to->list = grow(to->list, to->count, &to->capacity, sizeof *to->list);
    to->list[to->count++] = record;
}

static void write_records(struct module *module, const struct records *records) {
    LLVMDIBuilderRef builder = LLVMCreateDIBuilderDisallowUnresolved(module->module);
    for (size_t k = 0; k < records->count; k++) {
        const struct record *record = &records->list[k];
        uint64_t words[6], count = 0;
        if (record->mark != 0) {
            words[count++] = OP_CONSTU;
            words[count++] = record->mark;
            words[count++] = OP_STACK_VALUE;
        }
        words[count++] = OP_FRAGMENT;
        words[count++] = record->offset;
        words[count++] = record->bits;
        LLVMDIBuilderInsertDbgValueRecordBefore(builder, record->value, record->variable,
                                                LLVMDIBuilderCreateExpression(builder, words, count), record->at,
                                                record->before);
    }
    LLVMDisposeDIBuilder(builder);
}

// The next instruction that is one.
static LLVMValueRef instruction_behind(LLVMValueRef i) {
    do
        i = LLVMGetNextInstruction(i);
    while (i != NULL && LLVMIsADbgInfoIntrinsic(i));
    return i;
}

typedef void visit_call(struct records *to, LLVMContextRef context, LLVMValueRef call, uint32_t *number);

// Calls the visitor for each llvm.dbg.value; it erases those whose records it adds.
static void visit_values(struct module *module, visit_call *visit) {
    struct records records = {0};
    uint32_t number = 0;
    LLVMSetIsNewDbgInfoFormat(module->module, 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMIsADbgVariableIntrinsic(i) && !LLVMIsADbgDeclareInst(i))
                    visit(&records, module->context, i, &number);
            }
        }
    }
    LLVMSetIsNewDbgInfoFormat(module->module, 1);
    if (records.count > 0) write_records(module, &records);
    free(records.list);
}

static struct record record_of(LLVMValueRef call) {
    return (struct record){.before = instruction_behind(call),
                           .variable = LLVMValueAsMetadata(LLVMGetOperand(call, 1)),
                           .at = LLVMInstructionGetDebugLoc(call)};
}

// ---- before

// The scalar that is element n of the vector; else NULL, with the vector that has it in *vector and *n, or NULL there: none.
static LLVMValueRef element_of(LLVMValueRef *vector, unsigned *n) {
    for (unsigned steps = 0; steps < CHAIN_MAX; steps++) {
        LLVMValueRef v = *vector;
        if (LLVMIsConstant(v)) {
            *vector = NULL;
            LLVMValueRef element = LLVMGetAggregateElement(v, *n);
            return element != NULL && !LLVMIsUndef(element) && !LLVMIsPoison(element) ? element : NULL;
        }
        if (LLVMIsAInsertElementInst(v)) {
            LLVMValueRef index = LLVMGetOperand(v, 2);
            if (!LLVMIsAConstantInt(index)) return NULL;
            if (LLVMConstIntGetZExtValue(index) == *n) return LLVMGetOperand(v, 1);
            *vector = LLVMGetOperand(v, 0);
        } else if (LLVMIsAShuffleVectorInst(v)) {
            const int from = LLVMGetMaskValue(v, *n);
            const unsigned first = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(v, 0)));
            *vector = from < 0 ? NULL : LLVMGetOperand(v, (unsigned)from < first ? 0 : 1);
            if (from < 0) return NULL;
            *n = (unsigned)from < first ? (unsigned)from : (unsigned)from - first;
        } else {
            return NULL;
        }
    }
    *vector = NULL;
    return NULL;
}

// The number in the name of the value, which it gets when it has none.
static uint32_t number_of(LLVMValueRef v, uint32_t *number) {
    size_t length = 0;
    const char *name = LLVMGetValueName2(v, &length);
    if (length > strlen(NAME) && starts(name, NAME)) return (uint32_t)strtoul(name + strlen(NAME), NULL, 10);
    char text[32];
    (void)snprintf(text, sizeof text, NAME "%u", *number);
    LLVMSetValueName2(v, text, strlen(text));
    return (*number)++;
}

static void mark(struct records *to, LLVMContextRef context, LLVMValueRef call, uint32_t *number) {
    LLVMValueRef operand = LLVMGetOperand(call, 0), value = NULL;
    struct debug_expression expression;
    struct record record = record_of(call);
    const LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(operand));
    if (kind != LLVMLocalAsMetadataMetadataKind && kind != LLVMConstantAsMetadataMetadataKind) return;
    LLVMGetMDNodeOperands(operand, &value);
    if (value == NULL || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind || record.before == NULL) return;
    if (LLVMIsUndef(value) || LLVMIsPoison(value) || *number >= VECTORS_MAX) return;
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(value));
    const unsigned count = LLVMGetVectorSize(LLVMTypeOf(value));
    const LLVMTypeKind element = LLVMGetTypeKind(type);
    record.bits = element == LLVMIntegerTypeKind  ? LLVMGetIntTypeWidth(type)
                  : element == LLVMHalfTypeKind   ? 16
                  : element == LLVMDoubleTypeKind ? 64
                                                  : 32;
    if (count > ELEMENTS_MAX || record.bits % 8 != 0 ||
        !debug_expression_read(context, LLVMValueAsMetadata(LLVMGetOperand(call, 2)), &expression) ||
        expression.count > 0 || expression.address)
        return;
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef vector = value;
        unsigned n = k;
        record.value = element_of(&vector, &n);
        record.mark = 0;
        record.offset = 8 * expression.offset + k * record.bits;
        if (record.value == NULL) {
            record.value = LLVMGetPoison(type);
            if (vector != NULL && n < ELEMENTS_MAX) record.mark = MARK + number_of(vector, number) * ELEMENTS_MAX + n;
        }
        add_record(to, record);
    }
    LLVMInstructionEraseFromParent(call);
}

void debug_vectors_mark(struct module *module) {
    visit_values(module, mark);
}

// ---- afterwards

// The part of the vector that the function of the call has, or NULL.
static LLVMValueRef part_named(LLVMValueRef call, uint32_t vector, uint32_t n) {
    char wanted[48];
    (void)snprintf(wanted, sizeof wanted, NAME "%u.i%u", vector, n);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            size_t length = 0;
            const char *name = LLVMGetValueName2(i, &length);
            if (length == strlen(wanted) && memcmp(name, wanted, length) == 0) return i;
        }
    }
    return NULL;
}

static void settle(struct records *to, LLVMContextRef context, LLVMValueRef call, uint32_t *number) {
    struct debug_expression expression;
    struct record record = record_of(call);
    (void)number;
    if (!debug_expression_read(context, LLVMValueAsMetadata(LLVMGetOperand(call, 2)), &expression) ||
        expression.count != 1 || expression.operations[0].code != OP_CONSTU || expression.operations[0].number < MARK ||
        expression.size == 0 || record.before == NULL)
        return;
    const uint32_t which = expression.operations[0].number - MARK;
    record.value = part_named(call, which / ELEMENTS_MAX, which % ELEMENTS_MAX);
    if (record.value == NULL) return;  // the mark says: nowhere
    record.offset = 8 * expression.offset;
    record.bits = 8 * expression.size;
    add_record(to, record);
    LLVMInstructionEraseFromParent(call);
}

void debug_vectors_settle(struct module *module) {
    visit_values(module, settle);
}
