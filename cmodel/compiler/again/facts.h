// What the metadata says about one kernel, and the questions that the improvements ask of it.
#ifndef TANDEM_COMPILER_AGAIN_FACTS_H
#define TANDEM_COMPILER_AGAIN_FACTS_H

#include "compiler/ir/accesses.h"
#include "compiler/ir/module.h"

struct facts {
    struct module *module;
    LLVMValueRef function;
    uint32_t count;  // parameters that are looked at
    // Of parameters: no byte of the one's buffer is in the other's. By facts_apply() also true of the parameters that
    // others have been rewritten to, so a fact of theirs holds only where it holds of all of them.
    bool apart[ALIAS_ARGUMENTS_MAX][ALIAS_ARGUMENTS_MAX];
    uint32_t root[ALIAS_ARGUMENTS_MAX];    // the parameter that this one is written as a distance from; itself: none
    uint32_t offset[ALIAS_ARGUMENTS_MAX];  // that distance
    bool promised;                         // all of it by the program: there is no metadata
    unsigned pairs_apart, pairs_overlapping, accesses, aligned;
};

// Checks the metadata against the function (messages for what is wrong) and puts the facts into the module: how
// pointers are aligned; scoped alias metadata on loads and stores for pairs that are apart; a parameter whose region
// overlaps another's becomes that other one plus the distance, so that LLVM sees exactly how far apart two accesses are.
void facts_apply(struct facts *facts, struct module *module, LLVMValueRef function);

// The same for a kernel of which nothing is known but what it promises itself: a buffer that is reached through a
// `restrict` parameter is apart from those of all other parameters, for one thread and as long as something is stored.
void facts_promise(struct facts *facts, struct module *module, LLVMValueRef function);

uint32_t access_bytes(const struct facts *facts, LLVMValueRef instruction);
// The parameters that the pointer can be made from, a bit each; 0: not known.
uint32_t facts_parameters(const struct facts *facts, LLVMValueRef pointer);
// Two plain accesses never share a byte, whenever and by whomever they are made. Also false when it is not known.
bool buffers_apart(const struct facts *facts, LLVMValueRef a, LLVMValueRef b);
// Two plain accesses of the same pass through their block never share a byte. Also false when it is not known.
bool accesses_apart(const struct facts *facts, LLVMValueRef a, LLVMValueRef b);

#endif
