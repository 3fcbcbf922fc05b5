// Types of LLVM as registers: see types.h.
#include "compiler/select/types.h"

unsigned part_count(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

LLVMTypeRef part_type(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

unsigned width_of(LLVMTypeRef type) {
    type = part_type(type);
    if (LLVMGetTypeKind(type) == LLVMHalfTypeKind) return 16;
    if (LLVMGetTypeKind(type) == LLVMDoubleTypeKind) return 64;
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 32;
}

unsigned word_count(LLVMTypeRef type) {
    return width_of(type) > 32 ? 2 : 1;
}

bool is_flag(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

unsigned words_of(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVoidTypeKind ? 0 : part_count(type) * word_count(type);
}
