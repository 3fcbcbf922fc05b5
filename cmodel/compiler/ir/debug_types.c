// Types of the source: see debug_metadata.h.
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/debug_metadata.h"

// DWARF's tags, as LLVM gives them.
enum {
    TAG_ARRAY = 0x01,
    TAG_ENUM = 0x04,
    TAG_POINTER = 0x0f,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37
};

static uint8_t encoding_of(LLVMContextRef context, LLVMMetadataRef type) {
    static const struct {
        const char *name;
        uint8_t value;
    } known[] = {{"DW_ATE_boolean", 2},     {"DW_ATE_float", 4},    {"DW_ATE_signed", 5},
                 {"DW_ATE_signed_char", 6}, {"DW_ATE_unsigned", 7}, {"DW_ATE_unsigned_char", 8}};
    char text[32];
    if (!metadata_field(context, type, "encoding: ", text, sizeof text)) return 7;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(text, known[k].name) == 0) return known[k].value;
    return 7;
}

// The elements of an array, of which the last dimension is nearest to what they are.
static uint32_t array_of(LLVMContextRef context, struct debug_program *program, LLVMMetadataRef type, uint32_t of,
                         enum debug_kind kind) {
    LLVMMetadataRef elements = metadata_operand(context, type, OPERAND_ELEMENTS);
    const unsigned dimensions = elements != NULL ? LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(context, elements)) : 0;
    for (unsigned d = dimensions; d-- > 0;) {
        LLVMMetadataRef range = metadata_operand(context, elements, d);
        char text[32] = "0";
        if (range != NULL) (void)metadata_field(context, range, "count: ", text, sizeof text);
        const uint32_t count = text[0] == '-' ? 0 : (uint32_t)strtoul(text, NULL, 10);
        const uint32_t each = of != NONE ? program->types[of].size : 0;
        of = debug_add_type(
            program, (struct debug_type){.kind = kind, .name = "", .size = count * each, .of = of, .count = count});
    }
    if (kind == DEBUG_VECTOR && dimensions == 1)  // three elements take the room of four
        program->types[of].size = (uint32_t)(LLVMDITypeGetSizeInBits(type) / 8);
    return of;
}

static void add_members(LLVMContextRef context, struct metadata_numbers *known, struct debug_program *program,
                        LLVMMetadataRef type, uint32_t to) {
    LLVMMetadataRef elements = metadata_operand(context, type, OPERAND_ELEMENTS);
    const unsigned count = elements != NULL ? LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(context, elements)) : 0;
    for (unsigned k = 0; k < count; k++) {
        LLVMMetadataRef member = metadata_operand(context, elements, k);
        if (member == NULL || LLVMGetMetadataKind(member) != LLVMDIDerivedTypeMetadataKind) continue;
        const uint32_t of = debug_type_of(context, known, program, metadata_operand(context, member, OPERAND_OF));
        debug_add_member(&program->types[to], metadata_name(context, member, OPERAND_NAME), of,
                         (uint32_t)(LLVMDITypeGetOffsetInBits(member) / 8));
    }
}

static enum debug_kind kind_of(LLVMMetadataRef type) {
    switch (LLVMGetDINodeTag(type)) {
        case TAG_ARRAY: return (LLVMDITypeGetFlags(type) & LLVMDIFlagVector) != 0 ? DEBUG_VECTOR : DEBUG_ARRAY;
        case TAG_ENUM: return DEBUG_ENUM;
        case TAG_POINTER: return DEBUG_POINTER;
        case TAG_STRUCT: return DEBUG_STRUCT;
        case TAG_TYPEDEF: return DEBUG_TYPEDEF;
        case TAG_UNION: return DEBUG_UNION;
        case TAG_BASE: return DEBUG_BASE;
        case TAG_CONST: return DEBUG_CONST;
        case TAG_VOLATILE: return DEBUG_VOLATILE;
        case TAG_RESTRICT: return DEBUG_RESTRICT;
        default: return DEBUG_UNKNOWN;
    }
}

uint32_t debug_type_of(LLVMContextRef context, struct metadata_numbers *known, struct debug_program *program,
                       LLVMMetadataRef type) {
    if (type == NULL) return NONE;
    uint32_t number = *metadata_number_of(known, type, NULL);
    if (number != NONE) return number;
    const enum debug_kind kind = kind_of(type);
    struct debug_type made = {.kind = kind, .of = NONE, .size = (uint32_t)(LLVMDITypeGetSizeInBits(type) / 8)};
    made.name = metadata_name(context, type, OPERAND_NAME);
    char text[32];
    if (kind == DEBUG_BASE) made.encoding = encoding_of(context, type);
    if (kind == DEBUG_POINTER && metadata_field(context, type, "dwarfAddressSpace: ", text, sizeof text))
        made.space = (uint8_t)strtoul(text, NULL, 10);
    const bool array = kind == DEBUG_ARRAY || kind == DEBUG_VECTOR;
    // What points to itself finds its number: it has one before what it is made of.
    if (!array) number = *metadata_number_of(known, type, NULL) = debug_add_type(program, made);
    uint32_t of = NONE;
    if (kind != DEBUG_BASE && kind != DEBUG_UNKNOWN && kind != DEBUG_STRUCT && kind != DEBUG_UNION)
        of = debug_type_of(context, known, program, metadata_operand(context, type, OPERAND_OF));
    if (array) {
        number = array_of(context, program, type, of, kind);
        *metadata_number_of(known, type, NULL) = number;
        return number;
    }
    program->types[number].of = of;
    const bool same_size =
        kind == DEBUG_TYPEDEF || kind == DEBUG_CONST || kind == DEBUG_VOLATILE || kind == DEBUG_RESTRICT;
    if (same_size && of != NONE) program->types[number].size = program->types[of].size;
    if (kind == DEBUG_STRUCT || kind == DEBUG_UNION) add_members(context, known, program, type, number);
    return number;
}
