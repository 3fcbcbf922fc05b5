// Numbers of blocks, and messages: see selection.h.
#include "compiler/select/selection.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/base/pointer_set.h"

void unsupported(struct selection *s, const char *format, ...) {
    struct location at = s->instruction != NULL ? location_of(s->instruction) : (struct location){0};
    if (at.line == 0) at = location_of_function(s->source);
    if (s->compilation->errors > 0 && s->last_error.line == at.line && s->last_error.column == at.column) return;
    s->last_error = at;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    report_error(s->compilation, at, "%s %s: %s", s->function->is_called ? "function" : "kernel", s->function->name,
                 text);
}

static size_t block_slot(const struct selection *s, LLVMBasicBlockRef block) {
    size_t at = pointer_hash(block, s->number_slots);
    while (s->numbers[at].key != NULL && s->numbers[at].key != block)
        at = (at + 1) & (s->number_slots - 1);
    return at;
}

uint32_t block_number(const struct selection *s, LLVMBasicBlockRef block) {
    size_t at = block_slot(s, block);
    return s->numbers[at].key == NULL ? NONE : s->numbers[at].number;
}

// Numbers the blocks that can be reached in reverse post-order, so that values are met before their uses.
void number_blocks(struct selection *s) {
    size_t count = LLVMCountBasicBlocks(s->source), depth = 0, post = 0;
    s->number_slots = 16;
    while (s->number_slots < 2 * count)
        s->number_slots *= 2;
    s->numbers = take(s->number_slots, sizeof *s->numbers);
    s->blocks = take(count, sizeof(LLVMBasicBlockRef));
    LLVMBasicBlockRef *stack = take(count, sizeof(LLVMBasicBlockRef)), *order = take(count, sizeof(LLVMBasicBlockRef));
    unsigned *next = take(count, sizeof *next);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(s->source);
    s->numbers[block_slot(s, entry)].key = entry;
    stack[depth++] = entry;
    while (depth > 0) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(stack[depth - 1]);
        unsigned successors = LLVMGetNumSuccessors(end);
        if (next[depth - 1] == successors) {
            order[post++] = stack[--depth];
            continue;
        }
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, successors - 1 - next[depth - 1]++);
        size_t slot = block_slot(s, to);
        if (s->numbers[slot].key != NULL) continue;
        s->numbers[slot].key = to;
        next[depth] = 0;
        stack[depth++] = to;
    }
    for (size_t k = 0; k < post; k++) {
        s->blocks[k] = order[post - 1 - k];
        s->numbers[block_slot(s, s->blocks[k])].number = new_block(s->function);
    }
    s->block_count = post;
    free(stack);
    free(order);
    free(next);
}
