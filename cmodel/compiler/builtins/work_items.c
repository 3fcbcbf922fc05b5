// The work-item functions: what clang leaves as external calls gets a body from special registers and constant buffer
// 0.
//
// clang marks them convergent, so that each iteration of a loop would ask again; the functions that the bodies call are
// marked free of side effects instead, and LLVM merges and hoists them.
#include "compiler/builtins/work_items.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/ir/module.h"
#include "compiler/ir/names.h"
#include "compiler/library/range_part.h"
#include "compiler/library/work_queue.h"
#include "gen/isa.h"
#include "isa/code_object.h"

enum { WARPS_PER_GROUP_MAX = 32 };

enum item_value {
    GLOBAL_ID,
    LOCAL_ID,
    GROUP_ID,
    GLOBAL_SIZE,
    LOCAL_SIZE,
    ENQUEUED_LOCAL_SIZE,
    NUM_GROUPS,
    GLOBAL_OFFSET,
    GLOBAL_LINEAR_ID,
    LOCAL_LINEAR_ID,
    WORK_DIM,
    TAKES_TURNS,  // whether a thread is several work-items, one after the other
    PROFILES,     // whether something captures profiling information
    RINGS,        // whether something adds to the ring of a work queue
    GROUP_WORDS,
    CONSTANT_WORD,
    SPECIAL_WORD
};

static const struct item_function {
    const char *name;
    enum item_value value;
    uint32_t otherwise;  // for dimensions past 2; CONSTANT_WORD: offset in constant buffer 0; SPECIAL_WORD: its number
} item_functions[] = {
    {"_Z13get_global_idj", GLOBAL_ID, 0},
    {"_Z12get_local_idj", LOCAL_ID, 0},
    {"_Z12get_group_idj", GROUP_ID, 0},
    {"_Z15get_global_sizej", GLOBAL_SIZE, 1},
    {"_Z14get_local_sizej", LOCAL_SIZE, 1},
    {"_Z23get_enqueued_local_sizej", ENQUEUED_LOCAL_SIZE, 1},
    {"_Z14get_num_groupsj", NUM_GROUPS, 1},
    {"_Z17get_global_offsetj", GLOBAL_OFFSET, 0},
    {"_Z12get_work_dimv", WORK_DIM, 0},
    {"_Z20get_global_linear_idv", GLOBAL_LINEAR_ID, 0},
    {"_Z19get_local_linear_idv", LOCAL_LINEAR_ID, 0},
    {"__tandem_work_profiles", PROFILES, 0},
    {"__tandem_work_rings", RINGS, 0},
    {"__tandem_takes_turns", TAKES_TURNS, 0},
    {"tandem_group_words", GROUP_WORDS, 0},
    {"__tandem_launch_word", CONSTANT_WORD, LAUNCH_WARP_THREADS},
    {"__tandem_work_queue", CONSTANT_WORD, LAUNCH_CONSTANT_QUEUE},
    {"__tandem_work_task", CONSTANT_WORD, LAUNCH_CONSTANT_TASK},
    {"__tandem_work_kernels", CONSTANT_WORD, LAUNCH_CONSTANT_KERNELS},
    {"__tandem_printf_buffer", CONSTANT_WORD, LAUNCH_PRINTF},
    {"__tandem_data", CONSTANT_WORD, LAUNCH_DATA},
    {"__tandem_lane", SPECIAL_WORD, SR_LANEID},
    {"__tandem_warp", SPECIAL_WORD, SR_WARPID},
};

static const char *const selected[] = {
    "_Z7barrierj",
    "_Z18work_group_barrierj",
    "_Z18work_group_barrierj12memory_scope",
    "_Z9mem_fencej",
    "_Z14read_mem_fencej",
    "_Z15write_mem_fencej",
    NAME_PRINTF,
    NAME_SPECIAL,
    NAME_TURN,
    NAME_CONSTANT,
    NAME_UMULHI,
    NAME_SMULHI,
    NAME_IABSD,
    NAME_UABSD,
    NAME_CLOCK,
    NAME_CLOCK_HI,
    NAME_LAUNCH,
    NAME_LAUNCH_WAIT,
    NAME_ASKS,
    NAME_ASKS_NTH,
    NAME_ASKS_RANDOM,
};

static const struct item_function *find_item(const char *name) {
    for (size_t k = 0; k < sizeof item_functions / sizeof *item_functions; k++)
        if (strcmp(item_functions[k].name, name) == 0) return &item_functions[k];
    return NULL;
}

bool builtin_given(const char *name) {
    for (size_t k = 0; k < sizeof selected / sizeof *selected; k++)
        if (strcmp(selected[k], name) == 0) return true;
    return find_item(name) != NULL || find_instruction_name(name) != NULL;
}

// The library declares what selection knows without saying all that LLVM may do with it.
static void know_instructions(struct module *module, LLVMValueRef f) {
    static const char *const attributes[] = {"nounwind", "willreturn", "speculatable", "nosync", "nofree", "memory"};
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
        add_attribute(module->context, f, attributes[k], 0);
}

LLVMValueRef builtin_declare(struct module *module, const char *name, unsigned parameters) {
    LLVMValueRef known = LLVMGetNamedFunction(module->module, name);
    if (known != NULL) return known;
    LLVMTypeRef word = LLVMInt32TypeInContext(module->context), types[2] = {word, word};
    LLVMValueRef f = LLVMAddFunction(module->module, name, LLVMFunctionType(word, types, parameters, 0));
    know_instructions(module, f);
    return f;
}

struct maker {
    struct module *module;
    const struct alias_turns *turns;  // NULL: a thread is one work-item
    bool non_uniform;  // launches may be parts of their range (LAUNCH_GROUPS_BEFORE, LAUNCH_ITEMS_BESIDE)
    LLVMBuilderRef builder;
    LLVMTypeRef word;
};

static LLVMValueRef call1(struct maker *m, const char *name, uint32_t number) {
    LLVMValueRef f = builtin_declare(m->module, name, 1);
    LLVMValueRef argument = LLVMConstInt(m->word, number, 0);
    return LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(f), f, &argument, 1, "");
}

static LLVMValueRef special(struct maker *m, uint32_t number) {
    return call1(m, NAME_SPECIAL, number);
}

static LLVMValueRef constant(struct maker *m, uint32_t offset) {
    return call1(m, NAME_CONSTANT, offset);
}

static LLVMValueRef number(struct maker *m, uint32_t value) {
    return LLVMConstInt(m->word, value, 0);
}

// The place in the group's order, of a thread that takes turns.
static LLVMValueRef item_by_turn(struct maker *m) {
    LLVMValueRef f = builtin_declare(m->module, NAME_TURN, 0);
    LLVMValueRef turn = LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(f), f, NULL, 0, "");
    LLVMValueRef before = LLVMBuildMul(m->builder, turn, number(m, m->turns->resident), "");
    return LLVMBuildAdd(m->builder, before, special(m, SR_TID_X), "");
}

static LLVMValueRef local_size(struct maker *m, uint32_t dimension) {
    return m->turns != NULL ? number(m, m->turns->local[dimension]) : special(m, SR_NTID_X + dimension);
}

static LLVMValueRef local_id(struct maker *m, uint32_t dimension) {
    if (m->turns == NULL) return special(m, SR_TID_X + dimension);
    const uint32_t *local = m->turns->local;
    uint32_t inner = 1, outer = 1;  // items of all dimensions below, and above
    for (uint32_t d = 0; d < 3; d++)
        *(d < dimension ? &inner : &outer) *= d != dimension ? local[d] : 1;
    if (local[dimension] == 1) return number(m, 0);
    LLVMValueRef id = item_by_turn(m);
    if (inner > 1) id = LLVMBuildUDiv(m->builder, id, number(m, inner), "");
    return outer > 1 ? LLVMBuildURem(m->builder, id, number(m, local[dimension]), "") : id;
}

// The place in the launch, without the offset.
static LLVMValueRef in_grid(struct maker *m, uint32_t dimension) {
    LLVMValueRef group = special(m, SR_CTAID_X + dimension), size = local_size(m, dimension);
    return LLVMBuildAdd(m->builder, LLVMBuildMul(m->builder, group, size, ""), local_id(m, dimension), "");
}

static LLVMValueRef groups_before(struct maker *m, uint32_t dimension) {
    return constant(m, LAUNCH_GROUPS_BEFORE + 4 * dimension);
}

static LLVMValueRef items_beside(struct maker *m, uint32_t dimension) {
    return constant(m, LAUNCH_ITEMS_BESIDE + 4 * dimension);
}

// Those beside, where they come before the launch's.
static LLVMValueRef items_before(struct maker *m, uint32_t dimension) {
    LLVMValueRef first = LLVMBuildICmp(m->builder, LLVMIntEQ, groups_before(m, dimension), number(m, 0), "");
    return LLVMBuildSelect(m->builder, first, number(m, 0), items_beside(m, dimension), "");
}

static LLVMValueRef group_id(struct maker *m, uint32_t dimension) {
    LLVMValueRef id = special(m, SR_CTAID_X + dimension);
    return m->non_uniform ? LLVMBuildAdd(m->builder, id, groups_before(m, dimension), "") : id;
}

// Behind full groups there is one more when items are beside.
static LLVMValueRef num_groups(struct maker *m, uint32_t dimension) {
    LLVMValueRef own = special(m, SR_NCTAID_X + dimension);
    if (!m->non_uniform) return own;
    LLVMValueRef before = groups_before(m, dimension);
    LLVMValueRef first = LLVMBuildICmp(m->builder, LLVMIntEQ, before, number(m, 0), "");
    LLVMValueRef beside = LLVMBuildICmp(m->builder, LLVMIntNE, items_beside(m, dimension), number(m, 0), "");
    LLVMValueRef behind = LLVMBuildZExt(m->builder, beside, m->word, "");
    return LLVMBuildAdd(m->builder, own, LLVMBuildSelect(m->builder, first, behind, before, ""), "");
}

static LLVMValueRef global_size(struct maker *m, uint32_t dimension) {
    LLVMValueRef own = LLVMBuildMul(m->builder, local_size(m, dimension), special(m, SR_NCTAID_X + dimension), "");
    return m->non_uniform ? LLVMBuildAdd(m->builder, own, items_beside(m, dimension), "") : own;
}

static LLVMValueRef global_offset(struct maker *m, uint32_t dimension) {
    LLVMValueRef first = constant(m, LAUNCH_GLOBAL_OFFSET + 4 * dimension);
    return m->non_uniform ? LLVMBuildSub(m->builder, first, items_before(m, dimension), "") : first;
}

static LLVMValueRef work_dim(struct maker *m) {
    LLVMValueRef word = constant(m, LAUNCH_WORK_DIM);
    return m->non_uniform ? LLVMBuildAnd(m->builder, word, number(m, (1u << LAUNCH_LOCAL_LOW) - 1), "") : word;
}

static LLVMValueRef enqueued_local_size(struct maker *m, uint32_t dimension) {
    LLVMValueRef own = local_size(m, dimension);
    if (!m->non_uniform) return own;
    const uint32_t low = LAUNCH_LOCAL_LOW + LAUNCH_LOCAL_BITS * dimension;
    LLVMValueRef less = LLVMBuildLShr(m->builder, constant(m, LAUNCH_WORK_DIM), number(m, low), "");
    less = LLVMBuildAnd(m->builder, less, number(m, (1u << LAUNCH_LOCAL_BITS) - 1), "");
    LLVMValueRef same = LLVMBuildICmp(m->builder, LLVMIntEQ, less, number(m, 0), "");
    return LLVMBuildSelect(m->builder, same, own, LLVMBuildAdd(m->builder, less, number(m, 1), ""), "");
}

static LLVMValueRef place_in_range(struct maker *m, uint32_t dimension) {
    LLVMValueRef place = in_grid(m, dimension);
    return m->non_uniform ? LLVMBuildAdd(m->builder, place, items_before(m, dimension), "") : place;
}

// Places and sizes of the dimensions as one number: x + width * (y + height * z).
static LLVMValueRef linear(struct maker *m, bool global) {
    if (!global && m->turns != NULL) return item_by_turn(m);
    LLVMValueRef sum = NULL;
    for (uint32_t d = 3; d-- > 0;) {
        LLVMValueRef place = global ? place_in_range(m, d) : local_id(m, d);
        LLVMValueRef size = global ? global_size(m, d) : local_size(m, d);
        sum = sum == NULL ? place : LLVMBuildAdd(m->builder, LLVMBuildMul(m->builder, sum, size, ""), place, "");
    }
    return sum;
}

// Local memory for what warps of a group tell each other (library/groups.cl): a word of 64 bits for each that there can be.
static LLVMValueRef group_words(struct maker *m) {
    static const char name[] = "work-group functions";
    LLVMValueRef known = LLVMGetNamedGlobal(m->module->module, name);
    if (known != NULL) return known;
    LLVMTypeRef type = LLVMArrayType2(LLVMInt64TypeInContext(m->module->context), WARPS_PER_GROUP_MAX);
    LLVMValueRef words = LLVMAddGlobalInAddressSpace(m->module->module, type, name, SPACE_LOCAL);
    LLVMSetInitializer(words, LLVMGetUndef(type));
    LLVMSetLinkage(words, LLVMInternalLinkage);
    LLVMSetAlignment(words, 8);
    return words;
}

static bool names(const struct maker *m, const char *function) {
    return LLVMGetNamedFunction(m->module->module, function) != NULL;
}

static LLVMValueRef item_value(struct maker *m, enum item_value value, uint32_t dimension) {
    switch (value) {
        case LOCAL_ID: return local_id(m, dimension);
        case GROUP_ID: return group_id(m, dimension);
        case LOCAL_SIZE: return local_size(m, dimension);
        case ENQUEUED_LOCAL_SIZE: return enqueued_local_size(m, dimension);
        case NUM_GROUPS: return num_groups(m, dimension);
        case GLOBAL_OFFSET: return global_offset(m, dimension);
        case WORK_DIM: return work_dim(m);
        case TAKES_TURNS: return number(m, m->turns != NULL);
        case PROFILES: return number(m, names(m, NAME_CAPTURE));
        case RINGS: return number(m, names(m, NAME_ADD) || names(m, NAME_ADD_LIST));
        case CONSTANT_WORD: return constant(m, dimension);
        case SPECIAL_WORD: return special(m, dimension);
        case GLOBAL_SIZE: return global_size(m, dimension);
        case GLOBAL_ID:
            return LLVMBuildAdd(m->builder, in_grid(m, dimension), constant(m, LAUNCH_GLOBAL_OFFSET + 4 * dimension),
                                "");
        case GLOBAL_LINEAR_ID: return linear(m, true);
        case LOCAL_LINEAR_ID: return linear(m, false);
        case GROUP_WORDS: return group_words(m);
    }
    return NULL;
}

static void define(struct maker *m, LLVMValueRef f, const struct item_function *item) {
    LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(m->module->context, f, "entry"));
    LLVMValueRef result;
    if (LLVMCountParams(f) == 0) {
        result = item_value(m, item->value, item->otherwise);
    } else {
        LLVMValueRef dimension = LLVMGetParam(f, 0);
        result = LLVMConstInt(m->word, item->otherwise, 0);
        for (uint32_t d = 3; d-- > 0;) {
            LLVMValueRef is = LLVMBuildICmp(m->builder, LLVMIntEQ, dimension, LLVMConstInt(m->word, d, 0), "");
            result = LLVMBuildSelect(m->builder, is, item_value(m, item->value, d), result, "");
        }
    }
    LLVMBuildRet(m->builder, result);
}

// Calls keep attributes of their own; convergent there would hold the inlined body back no more, but keeps passes
// careful.
static void forget_convergence(LLVMValueRef f) {
    unsigned kind = LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));
    for (LLVMUseRef use = LLVMGetFirstUse(f); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user))
            LLVMRemoveCallSiteEnumAttribute(user, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    }
    remove_attribute(f, "convergent");
}

void builtins_define(struct module *module) {
    struct maker m = {.module = module, .builder = LLVMCreateBuilderInContext(module->context)};
    m.word = LLVMInt32TypeInContext(module->context);
    m.turns = turns_of(module->compilation);
    // Second compiles that are not for turns are for launches that are whole ranges.
    m.non_uniform = (module->compilation->options->metadata == NULL || m.turns != NULL) && module_non_uniform(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        if (!LLVMIsDeclaration(f)) continue;
        const struct item_function *item = find_item(name);
        if (find_instruction_name(name) != NULL || strcmp(name, NAME_UMULHI) == 0 || strcmp(name, NAME_SMULHI) == 0 ||
            strcmp(name, NAME_IABSD) == 0 || strcmp(name, NAME_UABSD) == 0) {
            know_instructions(module, f);
        } else if (item != NULL) {
            forget_convergence(f);
            define(&m, f, item);
        } else if (starts(name, NAME_ASKS)) {
            add_attribute(module->context, f, "nounwind", 0);
            add_attribute(module->context, f, "memory", INACCESSIBLE_MEMORY);
        } else if (strcmp(name, "printf") == 0) {
            // By its own name LLVM would take it for C's and make puts of it.
            // Nor may it make one call with two formats of two calls.
            LLVMSetValueName2(f, NAME_PRINTF, strlen(NAME_PRINTF));
            add_attribute(module->context, f, "nomerge", 0);
        }
    }
    LLVMDisposeBuilder(m.builder);
}
