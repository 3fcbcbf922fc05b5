// Kernel arguments: each at its natural alignment in constant buffer 0, from LAUNCH_ARGUMENTS on; their names and types
// come from clang's kernel_arg_* metadata.
#include "compiler/ir/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONSTANT_BUFFER_MAX = 65536 };

LLVMTypeRef argument_by_value(LLVMValueRef function, unsigned index) {
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, index + 1, kind);
    return attribute == NULL ? NULL : LLVMGetTypeAttributeValue(attribute);
}

static LLVMTypeRef argument_type(LLVMValueRef function, unsigned index) {
    LLVMTypeRef by_value = argument_by_value(function, index);
    return by_value != NULL ? by_value : LLVMTypeOf(LLVMGetParam(function, index));
}

uint32_t argument_offsets(const struct module *module, LLVMValueRef function, uint32_t *offsets) {
    uint64_t at = LAUNCH_ARGUMENTS;
    for (unsigned k = 0; k < LLVMCountParams(function); k++) {
        LLVMTypeRef type = argument_type(function, k);
        uint64_t alignment = LLVMABIAlignmentOfType(module->layout, type);
        at = (at + alignment - 1) / alignment * alignment;
        if (offsets != NULL) offsets[k] = (uint32_t)at;
        at += LLVMABISizeOfType(module->layout, type);
    }
    return at > CONSTANT_BUFFER_MAX ? CONSTANT_BUFFER_MAX + 1 : (uint32_t)at;
}

// The operands of a function's metadata node of this name; how many. Room for max.
static unsigned metadata_operands(const struct module *module, LLVMValueRef function, const char *name,
                                  LLVMValueRef *to, unsigned max) {
    unsigned wanted = LLVMGetMDKindIDInContext(module->context, name, (unsigned)strlen(name)), count = 0;
    size_t entries;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(function, &entries);
    for (unsigned k = 0; k < entries; k++) {
        if (LLVMValueMetadataEntriesGetKind(all, k) != wanted) continue;
        LLVMValueRef node = LLVMMetadataAsValue(module->context, LLVMValueMetadataEntriesGetMetadata(all, k));
        count = LLVMGetMDNodeNumOperands(node);
        if (count > max) {
            count = 0;
            continue;
        }
        LLVMGetMDNodeOperands(node, to);
    }
    LLVMDisposeValueMetadataEntries(all);
    return count;
}

bool argument_has_type(const struct module *module, LLVMValueRef function, unsigned index, const char *type) {
    const unsigned count = LLVMCountParams(function);
    LLVMValueRef *types = take(count, sizeof(LLVMValueRef));
    unsigned length = 0;
    const bool told = metadata_operands(module, function, "kernel_arg_base_type", types, count) > index;
    const char *text = told && types[index] != NULL ? LLVMGetMDString(types[index], &length) : "";
    const bool same = length == strlen(type) && strncmp(text, type, length) == 0;
    free(types);
    return same;
}

static void copy_string(LLVMValueRef from, char *to, size_t size) {
    unsigned length = 0;
    const char *text = from != NULL ? LLVMGetMDString(from, &length) : NULL;
    snprintf(to, size, "%.*s", text != NULL ? (int)length : 0, text != NULL ? text : "");
    // The text section of the code object is made of words and lines.
    for (char *at = to; *at != 0; at++)
        if (*at == '\n' || *at == '\r') *at = ' ';
}

// By the names of OpenCL's types of images: they are pointers by now.
static bool is_image(const struct module *module, LLVMValueRef function, unsigned index) {
    static const char *const types[] = {"image1d_t",       "image1d_buffer_t",     "image1d_array_t",
                                        "image2d_t",       "image2d_array_t",      "image3d_t",
                                        "image2d_depth_t", "image2d_array_depth_t"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (argument_has_type(module, function, index, types[k])) return true;
    return false;
}

static enum code_argument_kind argument_kind(const struct module *module, LLVMValueRef function, unsigned index,
                                             const struct code_argument *argument) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, index));
    struct location at = location_of_function(function);
    if (LLVMGetTypeKind(type) == LLVMTargetExtTypeKind) {
        report_error(module->compilation, at, "argument '%s': events are not supported", argument->name);
        return ARG_VALUE;
    }
    if (argument_has_type(module, function, index, "sampler_t")) return ARG_SAMPLER;
    if (is_image(module, function, index)) return ARG_IMAGE;
    if (argument->kind == ARG_PIPE) return ARG_PIPE;
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || argument_by_value(function, index) != NULL) return ARG_VALUE;
    switch (LLVMGetPointerAddressSpace(type)) {
        case SPACE_GLOBAL: return ARG_GLOBAL;
        case SPACE_CONSTANT: return ARG_CONSTANT;
        case SPACE_LOCAL: return ARG_LOCAL;
        case SPACE_GENERIC: return ARG_GLOBAL;  // a block's literal; clang lets no program have such an argument
        default:
            report_error(module->compilation, at, "argument '%s': a pointer into this address space cannot be passed",
                         argument->name);
            return ARG_VALUE;
    }
}

// "const volatile", in any order.
static uint32_t read_qualifiers(LLVMValueRef from) {
    static const struct {
        const char *word;
        enum code_qualifier value;
    } known[] = {{"const", QUALIFIER_CONST}, {"restrict", QUALIFIER_RESTRICT}, {"volatile", QUALIFIER_VOLATILE}};
    char text[64];
    uint32_t found = 0;
    copy_string(from, text, sizeof text);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strstr(text, known[k].word) != NULL) found |= (uint32_t)known[k].value;
    return found;
}

// Its type is that of a packet.
static bool is_pipe(LLVMValueRef qualifiers) {
    char text[64];
    copy_string(qualifiers, text, sizeof text);
    return strcmp(text, "pipe") == 0;
}

// "read_only" and its like; of everything else "none".
static uint32_t read_access(LLVMValueRef from) {
    char text[32];
    copy_string(from, text, sizeof text);
    return strcmp(text, "read_only") == 0    ? QUALIFIER_READ
           : strcmp(text, "write_only") == 0 ? QUALIFIER_WRITE
           : strcmp(text, "read_write") == 0 ? QUALIFIER_READ | QUALIFIER_WRITE
                                             : 0;
}

// The OpenCL C type of an LLVM one, which has no sign; empty when it is none.
static void print_type(LLVMTypeRef type, bool is_signed, char *to, size_t size) {
    unsigned elements = 0;
    const char *name = NULL;
    to[0] = 0;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        elements = LLVMGetVectorSize(type);
        type = LLVMGetElementType(type);
    }
    switch (LLVMGetTypeKind(type)) {
        case LLVMHalfTypeKind: name = "half"; break;
        case LLVMFloatTypeKind: name = "float"; break;
        case LLVMDoubleTypeKind: name = "double"; break;
        case LLVMIntegerTypeKind:
            switch (LLVMGetIntTypeWidth(type)) {
                case 8: name = "uchar"; break;
                case 16: name = "ushort"; break;
                case 32: name = "uint"; break;
                case 64: name = "ulong"; break;
                default: return;
            }
            if (is_signed) name++;
            break;
        default: return;
    }
    if (elements == 0)
        snprintf(to, size, "%s", name);
    else
        snprintf(to, size, "%s%u", name, elements);
}

// vec_type_hint and work_group_size_hint: neither changes what is compiled.
static void describe_hints(const struct module *module, LLVMValueRef function, struct code_kernel *kernel) {
    LLVMValueRef sizes[3], hint[2];
    char type[16] = "", *to = kernel->hints;
    const char *const end = to + sizeof kernel->hints;
    if (metadata_operands(module, function, "work_group_size_hint", sizes, 3) == 3)
        to +=
            snprintf(to, (size_t)(end - to), "work_group_size_hint(%llu,%llu,%llu)", LLVMConstIntGetZExtValue(sizes[0]),
                     LLVMConstIntGetZExtValue(sizes[1]), LLVMConstIntGetZExtValue(sizes[2]));
    if (metadata_operands(module, function, "vec_type_hint", hint, 2) == 2)
        print_type(LLVMTypeOf(hint[0]), LLVMConstIntGetZExtValue(hint[1]) != 0, type, sizeof type);
    if (type[0] != 0) snprintf(to, (size_t)(end - to), "%svec_type_hint(%s)", to == kernel->hints ? "" : " ", type);
}

void arguments_describe(const struct module *module, LLVMValueRef function, struct code_kernel *kernel) {
    unsigned count = LLVMCountParams(function);
    uint32_t *offsets = take(count, sizeof *offsets);
    uint32_t end = argument_offsets(module, function, offsets);
    if (end > CONSTANT_BUFFER_MAX)
        report_error(module->compilation, location_of_function(function),
                     "the arguments of kernel %s take more than %u bytes", kernel->name,
                     (unsigned)(CONSTANT_BUFFER_MAX - LAUNCH_ARGUMENTS));
    kernel->constant_bytes = (end + 3u) & ~3u;
    kernel->argument_count = count;
    kernel->arguments = take(count, sizeof *kernel->arguments);
    LLVMValueRef *names = take(count, sizeof(LLVMValueRef)), *types = take(count, sizeof(LLVMValueRef));
    LLVMValueRef *qualifiers = take(count, sizeof(LLVMValueRef)), *accesses = take(count, sizeof(LLVMValueRef));
    unsigned name_count = metadata_operands(module, function, "kernel_arg_name", names, count);
    unsigned type_count = metadata_operands(module, function, "kernel_arg_type", types, count);
    unsigned qualifier_count = metadata_operands(module, function, "kernel_arg_type_qual", qualifiers, count);
    unsigned access_count = metadata_operands(module, function, "kernel_arg_access_qual", accesses, count);
    for (unsigned k = 0; k < count; k++) {
        struct code_argument *argument = &kernel->arguments[k];
        copy_string(k < name_count ? names[k] : NULL, argument->name, sizeof argument->name);
        copy_string(k < type_count ? types[k] : NULL, argument->type, sizeof argument->type);
        argument->qualifiers = k < qualifier_count ? read_qualifiers(qualifiers[k]) : 0;
        argument->kind = k < qualifier_count && is_pipe(qualifiers[k]) ? ARG_PIPE : ARG_VALUE;
        if (k < access_count) argument->qualifiers |= read_access(accesses[k]);
        argument->offset = offsets[k];
        argument->size = (uint32_t)LLVMABISizeOfType(module->layout, argument_type(function, k));
        argument->kind = argument_kind(module, function, k, argument);
    }
    LLVMValueRef local[3];
    if (metadata_operands(module, function, "reqd_work_group_size", local, 3) == 3)
        for (unsigned d = 0; d < 3; d++)
            kernel->reqd_local[d] = (uint32_t)LLVMConstIntGetZExtValue(local[d]);
    kernel->non_uniform = kernel_non_uniform(module, function);
    describe_hints(module, function, kernel);
}
