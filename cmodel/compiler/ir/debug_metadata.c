// Nodes of debug metadata and expressions: see debug_metadata.h.
#include "compiler/ir/debug_metadata.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/pointer_set.h"

LLVMMetadataRef metadata_operand(LLVMContextRef context, LLVMMetadataRef node, unsigned index) {
    LLVMValueRef value = LLVMMetadataAsValue(context, node);
    const unsigned count = LLVMGetMDNodeNumOperands(value);
    if (index >= count) return NULL;
    LLVMValueRef *operands = take(count, sizeof(LLVMValueRef));
    LLVMGetMDNodeOperands(value, operands);
    LLVMValueRef operand = operands[index];
    free(operands);
    return operand != NULL ? LLVMValueAsMetadata(operand) : NULL;
}

const char *metadata_name(LLVMContextRef context, LLVMMetadataRef node, unsigned index) {
    LLVMMetadataRef operand = metadata_operand(context, node, index);
    if (operand == NULL || LLVMGetMetadataKind(operand) != LLVMMDStringMetadataKind) return "";
    unsigned length = 0;
    const char *text = LLVMGetMDString(LLVMMetadataAsValue(context, operand), &length);
    char *copy = take((size_t)length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

bool metadata_field(LLVMContextRef context, LLVMMetadataRef node, const char *field, char *to, size_t size) {
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(context, node));
    // A name may hold anything: it stands in quotes, so what follows the last quote of the node is looked through.
    const char *from = strstr(text, field);
    for (; from != NULL; from = strstr(from + 1, field)) {
        size_t quotes = 0;
        for (const char *at = text; at < from; at++)
            quotes += *at == '"';
        if (quotes % 2 == 0) break;
    }
    if (from != NULL) {
        from += strlen(field);
        size_t length = strcspn(from, ",) |");
        if (length >= size) length = size - 1;
        memcpy(to, from, length);
        to[length] = 0;
    }
    LLVMDisposeMessage(text);
    return from != NULL;
}

uint32_t *metadata_number_of(struct metadata_numbers *numbers, LLVMMetadataRef first, LLVMMetadataRef second) {
    for (size_t k = numbers->count; k-- > 0;)
        if (numbers->list[k].first == first && numbers->list[k].second == second) return &numbers->list[k].number;
    numbers->list = grow(numbers->list, numbers->count, &numbers->capacity, sizeof *numbers->list);
    numbers->list[numbers->count] = (struct metadata_number){.first = first, .second = second, .number = NONE};
    return &numbers->list[numbers->count++].number;
}

// ---- expressions

// Those that are told on as they stand: name, DWARF's code, numbers behind it.
static const struct {
    const char *name;
    uint16_t code;
    uint8_t numbers;
} known_operations[] = {
    {"DW_OP_constu", 0x10, 1}, {"DW_OP_consts", 0x11, 1}, {"DW_OP_plus_uconst", 0x23, 1}, {"DW_OP_plus", 0x22, 0},
    {"DW_OP_minus", 0x1c, 0},  {"DW_OP_mul", 0x1e, 0},    {"DW_OP_and", 0x1a, 0},         {"DW_OP_or", 0x21, 0},
    {"DW_OP_xor", 0x27, 0},    {"DW_OP_shl", 0x24, 0},    {"DW_OP_shr", 0x25, 0},         {"DW_OP_shra", 0x26, 0},
    {"DW_OP_not", 0x20, 0},    {"DW_OP_neg", 0x1f, 0},    {"DW_OP_eq", 0x29, 0},          {"DW_OP_ne", 0x2e, 0},
    {"DW_OP_lt", 0x2d, 0},     {"DW_OP_le", 0x2c, 0},     {"DW_OP_gt", 0x2b, 0},          {"DW_OP_ge", 0x2a, 0},
    {"DW_OP_dup", 0x12, 0},    {"DW_OP_swap", 0x16, 0},   {"DW_OP_deref", 0x06, 0},       {"DW_OP_xderef", 0x18, 0},
};

enum {
    OP_CONSTU = 0x10,
    OP_AND = 0x1a,
    OP_SHL = 0x24,
    OP_SHRA = 0x26,
    OP_DEREF = 0x06,
    OP_XDEREF = 0x18,
    OP_SWAP = 0x16,
    MOST = 32
};

struct reader {
    const char *at;
    struct debug_operation list[MOST];
    unsigned count;
};

static bool put(struct reader *r, uint16_t code, uint32_t number) {
    if (r->count == MOST) return false;
    r->list[r->count++] = (struct debug_operation){.code = code, .number = number};
    return true;
}

// The next word: up to a comma or the closing bracket. False: there is none.
static bool word(struct reader *r, char *to, size_t size) {
    r->at += strspn(r->at, " ,");
    const size_t length = strcspn(r->at, ",)");
    if (length == 0 || length >= size) return false;
    memcpy(to, r->at, length);
    to[length] = 0;
    r->at += length;
    return true;
}

static bool number(struct reader *r, uint64_t *value) {
    char text[32];
    if (!word(r, text, sizeof text)) return false;
    *value = strtoull(text, NULL, 10);
    return true;
}

// Bits that are left of a value, and how those above them are filled.
static bool put_conversion(struct reader *r) {
    uint64_t bits;
    char encoding[32];
    if (!number(r, &bits) || !word(r, encoding, sizeof encoding) || bits == 0 || bits > 32) return false;
    if (bits == 32) return true;
    if (strcmp(encoding, "DW_ATE_signed") == 0)
        return put(r, OP_CONSTU, 32 - (uint32_t)bits) && put(r, OP_SHL, 0) && put(r, OP_CONSTU, 32 - (uint32_t)bits) &&
               put(r, OP_SHRA, 0);
    return put(r, OP_CONSTU, (1u << bits) - 1) && put(r, OP_AND, 0);
}

static bool read_operation(struct reader *r, const char *name, struct debug_expression *to) {
    uint64_t value = 0;
    if (strcmp(name, "DW_OP_LLVM_fragment") == 0) {
        uint64_t size;
        if (!number(r, &value) || !number(r, &size) || value % 8 != 0 || size % 8 != 0) return false;
        to->offset = (uint32_t)(value / 8);
        to->size = (uint32_t)(size / 8);
        return true;
    }
    if (strcmp(name, "DW_OP_stack_value") == 0) return true;
    if (strcmp(name, "DW_OP_LLVM_convert") == 0) return put_conversion(r);
    if (starts(name, "DW_OP_lit")) return put(r, OP_CONSTU, (uint32_t)strtoul(name + 9, NULL, 10));
    for (size_t k = 0; k < sizeof known_operations / sizeof *known_operations; k++) {
        if (strcmp(name, known_operations[k].name) != 0) continue;
        if (known_operations[k].numbers == 1 && !number(r, &value)) return false;
        return put(r, known_operations[k].code, (uint32_t)value);
    }
    return false;
}

bool debug_expression_read(LLVMContextRef context, LLVMMetadataRef node, struct debug_expression *to) {
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(context, node)), name[64];
    struct reader r = {.at = strchr(text, '(')};
    *to = (struct debug_expression){0};
    bool good = r.at != NULL;
    if (good) r.at++;
    while (good && word(&r, name, sizeof name))
        good = read_operation(&r, name, to);
    LLVMDisposeMessage(text);
    // clang says the address space of OpenCL's variables so; where the value is tells that already.
    if (r.count >= 3 && r.list[r.count - 1].code == OP_XDEREF && r.list[r.count - 2].code == OP_SWAP) r.count -= 3;
    if (r.count > 0 && r.list[r.count - 1].code == OP_DEREF) {
        to->address = true;
        r.count--;
    }
    for (unsigned k = 0; k < r.count; k++)
        good = good && r.list[k].code != OP_DEREF && r.list[k].code != OP_XDEREF;
    if (!good || r.count == 0) return good;
    to->operations = take(r.count, sizeof *to->operations);
    memcpy(to->operations, r.list, r.count * sizeof *to->operations);
    to->count = (uint8_t)r.count;
    return true;
}
