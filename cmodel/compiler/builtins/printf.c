// printf: the format and the strings that it names become entries of the program, the call becomes a record in the
// program's buffer (library/printf.cl): its number and the words of the arguments. The host makes text of it.
//
// This comes behind LLVM's optimizations: by then a format that is handed through functions is known in place.
#include "compiler/builtins/printf.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/module.h"
#include "compiler/ir/names.h"
#include "isa/code_object_internal.h"
#include "isa/printf_format.h"

struct printing {
    struct module *module;
    LLVMBuilderRef b;
    LLVMTypeRef word;
    LLVMValueRef call;
    struct text types;
    LLVMValueRef words[PRINTF_WORDS_MAX];
    unsigned count;
};

static LLVMValueRef number(const struct printing *p, uint64_t value) {
    return LLVMConstInt(p->word, value, 0);
}

// The offset of a constant address computation within its array of bytes.
static bool constant_offset(const struct printing *p, LLVMValueRef gep, uint64_t *offset) {
    *offset = 0;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (int k = 1; k < LLVMGetNumOperands(gep); k++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)k);
        if (!LLVMIsAConstantInt(index)) return false;
        if (k > 1) {
            if (LLVMGetTypeKind(type) != LLVMArrayTypeKind) return false;
            type = LLVMGetElementType(type);
        }
        *offset += LLVMConstIntGetZExtValue(index) * LLVMABISizeOfType(p->module->layout, type);
    }
    return true;
}

// The text that a pointer leads to: malloc'ed, or NULL when it is not known while compiling.
static char *text_of(const struct printing *p, LLVMValueRef pointer) {
    uint64_t start = 0, offset;
    while (!LLVMIsAGlobalVariable(pointer)) {
        if (LLVMIsAAddrSpaceCastInst(pointer) ||
            (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMAddrSpaceCast)) {
            pointer = LLVMGetOperand(pointer, 0);
        } else if ((LLVMIsAGetElementPtrInst(pointer) ||
                    (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr)) &&
                   constant_offset(p, pointer, &offset)) {
            start += offset;
            pointer = LLVMGetOperand(pointer, 0);
        } else {
            return NULL;
        }
    }
    LLVMValueRef contents = LLVMGetInitializer(pointer);
    if (!LLVMIsGlobalConstant(pointer) || contents == NULL) return NULL;
    LLVMTypeRef type = LLVMTypeOf(contents);
    if (LLVMGetTypeKind(type) != LLVMArrayTypeKind || start >= LLVMGetArrayLength2(type)) return NULL;
    if (LLVMIsNull(contents)) return strdup("");
    size_t size = 0;
    const char *bytes = LLVMIsConstantString(contents) ? LLVMGetAsString(contents, &size) : NULL;
    if (bytes == NULL || start >= size || memchr(bytes + start, 0, size - start) == NULL) return NULL;
    return strdup(bytes + start);
}

// The number of an entry, a new one or one that there is.
static uint32_t entry(struct module *module, const char *types, const char *text) {
    struct code_object *printed = module->printed;
    for (size_t k = 0; k < printed->format_count; k++) {
        if (strcmp(printed->formats[k].types, types) == 0 && strcmp(printed->formats[k].text, text) == 0)
            return (uint32_t)k;
    }
    if (!formats_add(printed, types, text)) report_fatal(module->compilation, "out of memory");
    return (uint32_t)printed->format_count - 1;
}

// The number of the string that a pointer leads to, where it is one of several that are all known; NULL: it is not.
static LLVMValueRef string_number(struct printing *p, LLVMValueRef pointer) {
    char *text = text_of(p, pointer);
    if (text != NULL) {
        LLVMValueRef result = number(p, entry(p->module, PRINTF_STRING, text));
        free(text);
        return result;
    }
    if (!LLVMIsASelectInst(pointer)) return NULL;
    LLVMValueRef yes = string_number(p, LLVMGetOperand(pointer, 1));
    LLVMValueRef no = yes != NULL ? string_number(p, LLVMGetOperand(pointer, 2)) : NULL;
    return no != NULL ? LLVMBuildSelect(p->b, LLVMGetOperand(pointer, 0), yes, no, "") : NULL;
}

static void add_word(struct printing *p, LLVMValueRef word) {
    if (p->count < PRINTF_WORDS_MAX) p->words[p->count++] = word;
}

// A scalar or an element of a vector; letter: what it is in the record.
static void add_value(struct printing *p, LLVMValueRef value, char letter, bool is_signed) {
    if (letter == 'p') {
        add_word(p, LLVMBuildPtrToInt(p->b, value, p->word, ""));
    } else if (letter == 'f') {
        if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMHalfTypeKind)
            value = LLVMBuildFPExt(p->b, value, LLVMFloatTypeInContext(p->module->context), "");
        add_word(p, LLVMBuildBitCast(p->b, value, p->word, ""));
    } else if (letter == 'i') {
        const bool narrow = LLVMGetIntTypeWidth(LLVMTypeOf(value)) < 32;
        add_word(p, !narrow     ? value
                    : is_signed ? LLVMBuildSExt(p->b, value, p->word, "")
                                : LLVMBuildZExt(p->b, value, p->word, ""));
    } else {
        if (letter == 'd') value = LLVMBuildBitCast(p->b, value, LLVMInt64TypeInContext(p->module->context), "");
        LLVMValueRef high = LLVMBuildLShr(p->b, value, LLVMConstInt(LLVMTypeOf(value), 32, 0), "");
        add_word(p, LLVMBuildTrunc(p->b, value, p->word, ""));
        add_word(p, LLVMBuildTrunc(p->b, high, p->word, ""));
    }
}

// The letter for a value of this type under the conversion; 0: it does not fit. A half is a float in the record.
static char letter_for(const struct printf_conversion *c, LLVMTypeRef type) {
    const char *letters = printf_letters(c);
    const bool halfs = c->length == LENGTH_SHORT;
    switch (LLVMGetTypeKind(type)) {
        case LLVMHalfTypeKind: return halfs && strchr(letters, 'f') != NULL ? 'f' : 0;
        case LLVMFloatTypeKind: return !halfs && strchr(letters, 'f') != NULL ? 'f' : 0;
        case LLVMDoubleTypeKind: return strchr(letters, 'd') != NULL ? 'd' : 0;
        case LLVMPointerTypeKind: return letters[0] == 'p' || letters[0] == 's' ? letters[0] : 0;
        case LLVMIntegerTypeKind: break;
        default: return 0;
    }
    const unsigned width = LLVMGetIntTypeWidth(type);
    const char letter = width > 32 ? 'l' : 'i';
    if (width > 64 || strchr(letters, letter) == NULL) return 0;
    if (c->vector == 0) return width >= 32 ? letter : 0;
    const unsigned wanted[] = {
        [LENGTH_NONE] = width, [LENGTH_CHAR] = 8, [LENGTH_SHORT] = 16, [LENGTH_VECTOR_INT] = 32, [LENGTH_LONG] = 64};
    return width == wanted[c->length] ? letter : 0;
}

// What C's promotion has made a double of is printed as the float that it was, or that the half is.
static LLVMValueRef unpromoted(const struct printing *p, LLVMValueRef value) {
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMDoubleTypeKind || !LLVMIsAFPExtInst(value)) return value;
    LLVMValueRef from = LLVMGetOperand(value, 0);
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(from));
    if (kind == LLVMFloatTypeKind) return from;
    if (kind != LLVMHalfTypeKind) return value;
    return LLVMBuildFPExt(p->b, from, LLVMFloatTypeInContext(p->module->context), "");
}

// An integer under an integer's conversion of another length: undefined in C, and often written. Its low bits, or
// extended as the conversion reads it.
static LLVMValueRef of_length(const struct printing *p, const struct printf_conversion *c, LLVMValueRef value) {
    const char *letters = printf_letters(c);
    if (c->vector != 0 || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind) return value;
    if (strchr("il", letters[0]) == NULL || letter_for(c, LLVMTypeOf(value)) != 0) return value;
    const bool is_signed = c->letter == 'd' || c->letter == 'i';
    LLVMTypeRef wanted = letters[0] == 'l' ? LLVMInt64TypeInContext(p->module->context) : p->word;
    return LLVMBuildIntCast2(p->b, value, wanted, is_signed, "");
}

static bool add_argument(struct printing *p, const struct printf_conversion *c, unsigned argument) {
    struct compilation *compilation = p->module->compilation;
    struct location at = location_of(p->call);
    LLVMValueRef value = of_length(p, c, unpromoted(p, LLVMGetOperand(p->call, argument)));
    LLVMTypeRef type = LLVMTypeOf(value);
    const bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    const unsigned elements = vector ? LLVMGetVectorSize(type) : 0;
    const char letter = letter_for(c, vector ? LLVMGetElementType(type) : type);
    if (letter == 0 || elements != c->vector) {
        char *have = LLVMPrintTypeToString(type);
        report_error(compilation, at, "printf: '%.*s' does not fit argument %u, which is of type %s", (int)c->size,
                     c->text, argument, have);
        LLVMDisposeMessage(have);
        return false;
    }
    if (letter == 's') {
        value = string_number(p, value);
        if (value == NULL) {
            report_error(compilation, at,
                         "printf: argument %u: %%s takes a string that is known while compiling, a literal or a "
                         "constant of the program",
                         argument);
            return false;
        }
        add_word(p, value);
    }
    if (c->vector != 0) text_format(&p->types, "%u", c->vector);
    text_add(&p->types, &letter, 1);
    const bool is_signed = c->letter == 'd' || c->letter == 'i';
    for (unsigned k = 0; k < elements; k++)
        add_value(p, LLVMBuildExtractElement(p->b, value, number(p, k), ""), letter, is_signed);
    if (elements == 0 && letter != 's') add_value(p, value, letter, is_signed);
    return true;
}

// Every conversion has its argument. Arguments that no conversion takes are left out, as in C.
static bool add_arguments(struct printing *p, const char *format) {
    struct compilation *compilation = p->module->compilation;
    const unsigned given = LLVMGetNumArgOperands(p->call);
    struct printf_conversion c;
    char why[PRINTF_ERROR_SIZE];
    unsigned argument = 1;
    for (const char *at = format;;) {
        const enum printf_step step = printf_next(&at, &c, why);
        if (step == PRINTF_WRONG) {
            report_error(compilation, location_of(p->call), "printf: %s", why);
            return false;
        }
        if (step == PRINTF_END) break;
        if (c.letter == '%') continue;
        if (argument >= given) {
            report_error(compilation, location_of(p->call),
                         "printf: '%.*s' has no argument: the format takes more than the %u given", (int)c.size, c.text,
                         given - 1);
            return false;
        }
        if (!add_argument(p, &c, argument++)) return false;
    }
    text_add(&p->types, "", 0);
    if (printf_record_words(format, p->types.data, why) != 0) return true;
    report_error(compilation, location_of(p->call), "printf: %s", why);
    return false;
}

static LLVMValueRef library_call(struct printing *p, const char *name, unsigned count, LLVMValueRef *arguments) {
    LLVMTypeRef words[2] = {p->word, p->word};
    LLVMTypeRef type = LLVMFunctionType(p->word, words, count, 0);
    LLVMValueRef f = LLVMGetNamedFunction(p->module->module, name);
    if (f == NULL) f = LLVMAddFunction(p->module->module, name, type);
    return LLVMBuildCall2(p->b, type, f, arguments, count, "");
}

static void make_record(struct printing *p, uint32_t format) {
    LLVMValueRef bytes = number(p, 4 * ((uint64_t)p->count + 1));
    LLVMValueRef record = library_call(p, LIBRARY_PREFIX "printf_begin", 1, &bytes);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(p->module->context, SPACE_GLOBAL);
    for (unsigned k = 0; k < p->count; k++) {
        LLVMValueRef address = LLVMBuildAdd(p->b, record, number(p, 4 * ((uint64_t)k + 1)), "");
        LLVMSetAlignment(LLVMBuildStore(p->b, p->words[k], LLVMBuildIntToPtr(p->b, address, pointer, "")), 4);
    }
    LLVMValueRef end[2] = {record, number(p, (uint64_t)format + 1)};
    LLVMReplaceAllUsesWith(p->call, library_call(p, LIBRARY_PREFIX "printf_end", 2, end));
}

static void lower_call(struct module *module, LLVMBuilderRef b, LLVMValueRef call) {
    struct printing *p = take(1, sizeof *p);
    *p = (struct printing){.module = module, .b = b, .word = LLVMInt32TypeInContext(module->context), .call = call};
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    char *format = text_of(p, LLVMGetOperand(call, 0));
    if (format == NULL) {
        report_error(module->compilation, location_of(call),
                     "printf: its format must be known while compiling: a literal or a constant of the program");
    } else if (add_arguments(p, format)) {
        make_record(p, entry(module, p->types.data, format));
    }
    free(format);
    free(p->types.data);
    free(p);
}

static void lower_block(struct module *module, LLVMBuilderRef b, LLVMValueRef f, LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i != NULL; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsACallInst(i) || LLVMGetCalledValue(i) != f) continue;
        lower_call(module, b, i);
        LLVMReplaceAllUsesWith(i, LLVMGetUndef(LLVMTypeOf(i)));
        LLVMInstructionEraseFromParent(i);
    }
}

bool printf_lower(struct module *module) {
    LLVMValueRef f = LLVMGetNamedFunction(module->module, NAME_PRINTF);
    if (f == NULL || LLVMGetFirstUse(f) == NULL) return false;
    module->compilation->stage = "lowering printf";
    LLVMBuilderRef b = LLVMCreateBuilderInContext(module->context);
    for (LLVMValueRef in = LLVMGetFirstFunction(module->module); in != NULL; in = LLVMGetNextFunction(in)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(in); block != NULL; block = LLVMGetNextBasicBlock(block))
            lower_block(module, b, f, block);
    }
    if (LLVMGetFirstUse(f) != NULL)
        report_fatal(module->compilation, "the address of printf is taken; it can only be called");
    LLVMDisposeBuilder(b);
    LLVMDeleteFunction(f);
    if (module->compilation->errors > 0) compilation_end(module->compilation);
    return true;
}
