// Looks for functions that call themselves, directly or through others: OpenCL C has no recursion, and functions
// have their memory in places that are fixed along the calls.
#include "compiler/lower/recursion.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/ir/module.h"

struct visit {
    LLVMValueRef f;
    LLVMBasicBlockRef block;
    LLVMValueRef next;  // instruction to look at
};

struct search {
    struct module *module;
    LLVMValueRef *done;  // functions from which no cycle can be reached any more
    size_t done_count, done_capacity;
    struct visit *path;
    size_t depth, capacity;
};

static bool is_done(const struct search *s, LLVMValueRef f) {
    for (size_t k = 0; k < s->done_count; k++)
        if (s->done[k] == f) return true;
    return false;
}

static void enter(struct search *s, LLVMValueRef f) {
    s->path = grow(s->path, s->depth, &s->capacity, sizeof *s->path);
    LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(f);
    s->path[s->depth++] = (struct visit){.f = f, .block = block, .next = LLVMGetFirstInstruction(block)};
}

// The next instruction of the innermost function, or NULL behind its last.
static LLVMValueRef step(struct visit *at) {
    while (at->next == NULL) {
        at->block = LLVMGetNextBasicBlock(at->block);
        if (at->block == NULL) return NULL;
        at->next = LLVMGetFirstInstruction(at->block);
    }
    LLVMValueRef i = at->next;
    at->next = LLVMGetNextInstruction(i);
    return i;
}

static void report_cycle(struct search *s, size_t first, LLVMValueRef call) {
    struct text names = {0};
    size_t length;
    text_format(&names, "%s", LLVMGetValueName2(s->path[first].f, &length));
    for (size_t k = first + 1; k < s->depth; k++)
        text_format(&names, " calls %s", LLVMGetValueName2(s->path[k].f, &length));
    text_format(&names, " calls %s", LLVMGetValueName2(s->path[first].f, &length));
    report_error(s->module->compilation, location_of(call), "recursion is not supported: %s", names.data);
    free(names.data);
}

static void look_at_call(struct search *s, LLVMValueRef call) {
    LLVMValueRef f = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(f) || LLVMIsDeclaration(f) || is_done(s, f)) return;
    for (size_t k = 0; k < s->depth; k++) {
        if (s->path[k].f != f) continue;
        report_cycle(s, k, call);
        return;
    }
    enter(s, f);
}

void recursion_refuse(struct module *module) {
    struct search s = {.module = module};
    for (size_t k = 0; k < module->kernel_count; k++) {
        if (is_done(&s, module->kernels[k].function)) continue;
        enter(&s, module->kernels[k].function);
        while (s.depth > 0) {
            LLVMValueRef i = step(&s.path[s.depth - 1]);
            if (i != NULL) {
                if (LLVMIsACallInst(i)) look_at_call(&s, i);
                continue;
            }
            s.done = grow(s.done, s.done_count, &s.done_capacity, sizeof(LLVMValueRef));
            s.done[s.done_count++] = s.path[--s.depth].f;
        }
    }
    free(s.path);
    free(s.done);
    if (module->compilation->errors > 0) compilation_end(module->compilation);
}
