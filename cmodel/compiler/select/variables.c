// Places of variables in memory: private ones that did not dissolve into registers, in the thread's own memory;
// __local ones of the kernel in the work-group's.
#include "compiler/select/variables.h"

#include "compiler/select/values.h"
#include "gen/config.h"

// The window of generic pointers has room for more, but no device has so much for each of its threads.
enum { PRIVATE_MAX = 1 << 20 };

static uint32_t place(struct selection *s, LLVMValueRef variable, uint32_t *end, uint64_t size, unsigned alignment,
                      uint32_t most) {
    struct value *value = value_of(s, variable);
    if (alignment == 0) alignment = 1;
    uint64_t start = ((uint64_t)*end + alignment - 1) / alignment * alignment;
    value->placed = true;
    value->place = (uint32_t)start;
    // Past the limit nothing is added up any more; it is reported once, when all is known.
    *end = start + size > most ? most + 1 : (uint32_t)(start + size);
    return value->place;
}

void place_private(struct selection *s) {
    struct module *module = s->module;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->source); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAAllocaInst(i) || LLVMGetFirstUse(i) == NULL) continue;
            s->instruction = i;
            if (!LLVMIsAConstantInt(LLVMGetOperand(i, 0))) {
                unsupported(s, "a private array whose size is not constant is not supported");
                continue;
            }
            if (s->private_end == 0 && module->null_private) s->private_end = NULL_RESERVE;
            uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
            uint64_t each = LLVMABISizeOfType(module->layout, LLVMGetAllocatedType(i));
            unsigned long long whole = (unsigned long long)count * each;
            uint64_t size = each != 0 && count > PRIVATE_MAX / each ? PRIVATE_MAX + 1 : count * each;
            bool fitted = s->private_end <= PRIVATE_MAX;
            place(s, i, &s->private_end, size, LLVMGetAlignment(i), PRIVATE_MAX);
            if (fitted && s->private_end > PRIVATE_MAX)
                unsupported(s, "too much private memory: with this variable of %llu bytes it is more than %d bytes",
                            whole, PRIVATE_MAX);
        }
    }
    s->instruction = NULL;
}

// Of the largest configuration. A smaller device says at the launch what it has.
static uint32_t local_most(void) {
    uint32_t most = 0;
    for (size_t k = 0; k < PPU_CONFIG_COUNT; k++)
        if (ppu_configs[k].shared_bytes > most) most = ppu_configs[k].shared_bytes;
    return most;
}

uint32_t place_local(struct selection *s, LLVMValueRef global) {
    uint32_t known;
    if (kernel_tree_local(s->tree, global, &known)) return known;
    if (s->local_end == 0 && s->module->null_local) s->local_end = NULL_RESERVE;
    uint32_t most = local_most();
    uint64_t size = LLVMABISizeOfType(s->module->layout, LLVMGlobalGetValueType(global));
    bool fitted = s->local_end <= most;
    uint32_t before = s->local_end;
    known = place(s, global, &s->local_end, size, LLVMGetAlignment(global), most);
    kernel_tree_add_local(s->tree, global, known);
    size_t length;
    if (fitted && s->local_end > most)
        unsupported(s,
                    "too much local memory: '%s' takes %llu bytes, with the %u bytes of the other variables more than "
                    "the %u bytes that any device has",
                    LLVMGetValueName2(global, &length), (unsigned long long)size, before, most);
    return known;
}
