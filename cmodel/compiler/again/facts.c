// Facts about the arguments, for LLVM and for our own improvements.
#include "compiler/again/facts.h"

#include <string.h>

#include "compiler/ir/addresses.h"
#include "compiler/ir/arguments.h"

enum { VISITS_MAX = 32 };

// ---- accesses ----

uint32_t access_bytes(const struct facts *facts, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(LLVMIsAStoreInst(i) != NULL ? LLVMGetOperand(i, 0) : i);
    return (uint32_t)LLVMStoreSizeOfType(facts->module->layout, type);
}

static unsigned kind_of(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

// ---- which parameters a pointer is made from ----

struct walk {
    LLVMValueRef seen[VISITS_MAX];
    unsigned count;
};

// False: not known.
static bool walk_pointer(const struct facts *facts, LLVMValueRef p, struct walk *walk, uint32_t *found) {
    while (LLVMIsAGetElementPtrInst(p) != NULL)
        p = LLVMGetOperand(p, 0);
    for (uint32_t k = 0; k < facts->count; k++) {
        if (LLVMGetParam(facts->function, k) != p) continue;
        *found |= 1u << k;
        return true;
    }
    bool phi = LLVMIsAPHINode(p) != NULL;
    if (!phi && LLVMIsASelectInst(p) == NULL) return false;
    for (unsigned k = 0; k < walk->count; k++)
        if (walk->seen[k] == p) return true;
    if (walk->count == VISITS_MAX) return false;
    walk->seen[walk->count++] = p;
    unsigned count = phi ? LLVMCountIncoming(p) : 2;
    for (unsigned k = 0; k < count; k++)
        if (!walk_pointer(facts, phi ? LLVMGetIncomingValue(p, k) : LLVMGetOperand(p, k + 1), walk, found))
            return false;
    return true;
}

uint32_t facts_parameters(const struct facts *facts, LLVMValueRef pointer) {
    struct walk walk = {.count = 0};
    uint32_t found = 0;
    return walk_pointer(facts, pointer, &walk, &found) ? found : 0;
}

static bool all_apart(const struct facts *facts, uint32_t a, uint32_t b) {
    if (a == 0 || b == 0) return false;
    for (uint32_t i = 0; i < facts->count; i++)
        for (uint32_t j = 0; j < facts->count; j++)
            if ((a >> i & 1) != 0 && (b >> j & 1) != 0 && !facts->apart[i][j]) return false;
    return true;
}

bool buffers_apart(const struct facts *facts, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef p = access_pointer(a), q = access_pointer(b);
    unsigned space_p = LLVMGetPointerAddressSpace(LLVMTypeOf(p)), space_q = LLVMGetPointerAddressSpace(LLVMTypeOf(q));
    bool global_p = space_p == SPACE_GLOBAL || space_p == SPACE_CONSTANT,
         global_q = space_q == SPACE_GLOBAL || space_q == SPACE_CONSTANT;
    if (space_p != space_q && !(global_p && global_q) && space_p != SPACE_GENERIC && space_q != SPACE_GENERIC)
        return true;
    return all_apart(facts, facts_parameters(facts, p), facts_parameters(facts, q));
}

bool accesses_apart(const struct facts *facts, LLVMValueRef a, LLVMValueRef b) {
    if (buffers_apart(facts, a, b)) return true;
    LLVMValueRef p = access_pointer(a), q = access_pointer(b);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != LLVMGetPointerAddressSpace(LLVMTypeOf(q))) return false;
    uint32_t from_b;  // a lies so far behind b
    if (!addresses_differ(facts->module, p, q, &from_b)) return false;
    return from_b >= access_bytes(facts, b) && 0u - from_b >= access_bytes(facts, a);
}

// ---- into the module ----

static LLVMMetadataRef text_node(LLVMContextRef context, const char *text) {
    return LLVMMDStringInContext2(context, text, strlen(text));
}

static void attach(const struct facts *facts, LLVMValueRef i, const char *kind, LLVMMetadataRef *scopes, size_t count) {
    LLVMContextRef context = facts->module->context;
    LLVMMetadataRef list = LLVMMDNodeInContext2(context, scopes, count);
    LLVMSetMetadata(i, LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind)),
                    LLVMMetadataAsValue(context, list));
}

static bool has_metadata(const struct facts *facts, LLVMValueRef i, const char *kind) {
    return LLVMGetMetadata(i, LLVMGetMDKindIDInContext(facts->module->context, kind, (unsigned)strlen(kind))) != NULL;
}

// A scope for each parameter; an access belongs to those of its parameters and is apart from those that all of its
// parameters are apart from.
static void attach_scopes(struct facts *facts, LLVMValueRef i, LLVMMetadataRef *scopes) {
    uint32_t own = facts_parameters(facts, access_pointer(i));
    if (own == 0 || has_metadata(facts, i, "alias.scope") || has_metadata(facts, i, "noalias")) return;
    LLVMMetadataRef list[ALIAS_ARGUMENTS_MAX];
    size_t count = 0;
    for (uint32_t k = 0; k < facts->count; k++)
        if ((own >> k & 1) != 0) list[count++] = scopes[k];
    attach(facts, i, "alias.scope", list, count);
    count = 0;
    for (uint32_t k = 0; k < facts->count; k++)
        if (all_apart(facts, own, 1u << k)) list[count++] = scopes[k];
    if (count > 0) attach(facts, i, "noalias", list, count);
    facts->accesses++;
}

static void scope_accesses(struct facts *facts) {
    LLVMContextRef context = facts->module->context;
    LLVMMetadataRef name = text_node(context, "tandem.arguments"), domain = LLVMMDNodeInContext2(context, &name, 1);
    LLVMMetadataRef scopes[ALIAS_ARGUMENTS_MAX];
    for (uint32_t k = 0; k < facts->count; k++) {
        struct text label = {0};
        text_format(&label, "tandem.argument.%u", k);
        LLVMMetadataRef parts[2] = {text_node(context, label.data), domain};
        scopes[k] = LLVMMDNodeInContext2(context, parts, 2);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(facts->function); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
            if (access_is_plain(i)) attach_scopes(facts, i, scopes);
}

static bool parameter_has(LLVMValueRef f, uint32_t parameter, const char *name) {
    return LLVMGetEnumAttributeAtIndex(f, parameter + 1, kind_of(name)) != NULL;
}

// `second` becomes `first` + distance. What LLVM found out about either parameter alone is then not true any more.
static void join(struct facts *facts, const struct alias_pair *pair) {
    LLVMValueRef f = facts->function;
    uint32_t root = facts->root[pair->first], distance = facts->offset[pair->first] + pair->distance;
    LLVMValueRef to = LLVMGetParam(f, root), from = LLVMGetParam(f, pair->second);
    if (facts->root[pair->second] != pair->second || LLVMTypeOf(to) != LLVMTypeOf(from)) return;
    // The program has promised something about these that is not so; its own affair, not to be made worse.
    if (parameter_has(f, root, "noalias") || parameter_has(f, pair->second, "noalias")) return;
    static const char *const stale[] = {"readonly", "writeonly", "readnone"};
    for (size_t k = 0; k < sizeof stale / sizeof *stale; k++) {
        LLVMRemoveEnumAttributeAtIndex(f, root + 1, kind_of(stale[k]));
        LLVMRemoveEnumAttributeAtIndex(f, pair->second + 1, kind_of(stale[k]));
    }
    LLVMContextRef context = facts->module->context;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMValueRef step = LLVMConstInt(LLVMInt32TypeInContext(context), distance, 0);
    LLVMReplaceAllUsesWith(from, LLVMBuildGEP2(b, LLVMInt8TypeInContext(context), to, &step, 1, ""));
    LLVMDisposeBuilder(b);
    for (uint32_t k = 0; k < facts->count; k++) {
        bool both = facts->apart[root][k] && facts->apart[pair->second][k];
        facts->apart[root][k] = facts->apart[k][root] = both;
    }
    facts->root[pair->second] = root;
    facts->offset[pair->second] = distance;
    facts->pairs_overlapping++;
}

// Never less than what the program has promised.
static void align_parameter(struct facts *facts, uint32_t index, unsigned alignment) {
    unsigned kind = kind_of("align");
    LLVMAttributeRef known = LLVMGetEnumAttributeAtIndex(facts->function, index + 1, kind);
    if (alignment < 2 || (known != NULL && LLVMGetEnumAttributeValue(known) >= alignment)) return;
    LLVMRemoveEnumAttributeAtIndex(facts->function, index + 1, kind);
    LLVMAddAttributeAtIndex(facts->function, index + 1,
                            LLVMCreateEnumAttribute(facts->module->context, kind, alignment));
    facts->aligned++;
}

static bool is_region(const struct facts *facts, uint32_t index) {
    if (index >= facts->count) return false;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(facts->function, index));
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || argument_by_value(facts->function, index) != NULL) return false;
    unsigned space = LLVMGetPointerAddressSpace(type);
    return space == SPACE_GLOBAL || space == SPACE_CONSTANT;
}

void facts_apply(struct facts *facts, struct module *module, LLVMValueRef function) {
    const struct alias_metadata *metadata = module->compilation->options->metadata;
    *facts = (struct facts){.module = module, .function = function, .count = LLVMCountParams(function)};
    if (facts->count > ALIAS_ARGUMENTS_MAX) facts->count = ALIAS_ARGUMENTS_MAX;
    for (uint32_t k = 0; k < facts->count; k++)
        facts->root[k] = k;
    for (size_t k = 0; k < metadata->pair_count; k++) {
        const struct alias_pair *pair = &metadata->pairs[k];
        if (pair->first >= pair->second || !is_region(facts, pair->first) || !is_region(facts, pair->second)) {
            report_error(module->compilation, location_of_function(function),
                         "metadata of kernel %s: arguments %u and %u are no pair of pointers to global memory, the "
                         "lower index first",
                         metadata->kernel, pair->first, pair->second);
            return;
        }
        if (pair->relation != ALIAS_APART) continue;
        facts->apart[pair->first][pair->second] = facts->apart[pair->second][pair->first] = true;
        facts->pairs_apart++;
    }
    for (uint32_t k = 0; k < facts->count; k++)
        if (is_region(facts, k)) align_parameter(facts, k, metadata->alignment[k]);
    if (facts->pairs_apart > 0) scope_accesses(facts);
    for (size_t k = 0; k < metadata->pair_count; k++)
        if (metadata->pairs[k].relation == ALIAS_OVERLAP) join(facts, &metadata->pairs[k]);
}

void facts_promise(struct facts *facts, struct module *module, LLVMValueRef function) {
    *facts =
        (struct facts){.module = module, .function = function, .count = LLVMCountParams(function), .promised = true};
    if (facts->count > ALIAS_ARGUMENTS_MAX) facts->count = ALIAS_ARGUMENTS_MAX;
    for (uint32_t k = 0; k < facts->count; k++)
        facts->root[k] = k;
    for (uint32_t i = 0; i < facts->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (!is_region(facts, i) || !is_region(facts, j)) continue;
            if (!parameter_has(function, i, "noalias") && !parameter_has(function, j, "noalias")) continue;
            facts->apart[i][j] = facts->apart[j][i] = true;
            facts->pairs_apart++;
        }
    }
    if (facts->pairs_apart > 0) scope_accesses(facts);
}
