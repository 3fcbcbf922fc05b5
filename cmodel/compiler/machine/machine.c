// Building and printing machine programs: see machine.h.
#include "compiler/machine/machine.h"

#include <string.h>

#include "compiler/machine/callee.h"
#include "gen/isa.h"

uint32_t new_register(struct machine_function *function, enum register_class class) {
    function->classes = grow(function->classes, function->register_count, &function->register_capacity, 1);
    function->classes[function->register_count] = (uint8_t) class;
    return (uint32_t)function->register_count++;
}

uint32_t new_tuple(struct machine_function *function, unsigned count) {
    uint32_t first = new_register(function, CLASS_VECTOR);
    for (unsigned k = 1; k < count; k++)
        new_register(function, CLASS_VECTOR);
    return first;
}

uint32_t new_fixed_register(struct machine_function *function, unsigned real) {
    function->fixed = grow(function->fixed, function->fixed_count, &function->fixed_capacity, sizeof *function->fixed);
    uint32_t number = new_register(function, CLASS_VECTOR);
    function->fixed[function->fixed_count++] = (struct machine_fixed){.number = number, .real = (uint16_t)real};
    return number;
}

uint32_t new_block(struct machine_function *function) {
    function->blocks =
        grow(function->blocks, function->block_count, &function->block_capacity, sizeof *function->blocks);
    memset(&function->blocks[function->block_count], 0, sizeof *function->blocks);
    function->blocks[function->block_count].condition = NONE;
    return (uint32_t)function->block_count++;
}

struct machine_instruction make(uint8_t op) {
    return (struct machine_instruction){
        .op = op, .guard = NONE, .dst = NONE, .src = {NONE, NONE, NONE}, .carry = NONE, .kept = NONE};
}

void insert(struct machine_block *block, size_t at, struct machine_instruction instruction) {
    block->code = grow(block->code, block->count, &block->capacity, sizeof *block->code);
    memmove(&block->code[at + 1], &block->code[at], (block->count - at) * sizeof *block->code);
    block->code[at] = instruction;
    block->count++;
}

struct machine_instruction *append(struct machine_function *function, uint32_t block,
                                   struct machine_instruction instruction) {
    struct machine_block *to = &function->blocks[block];
    insert(to, to->count, instruction);
    return &to->code[to->count - 1];
}

bool ends_only(const struct machine_block *block) {
    return block->terminator == TERM_EXIT && block->count == 0;
}

enum register_class source_class(const struct machine_instruction *instruction, unsigned index) {
    enum isa_format format = isa_table[instruction->op].format;
    if (format == FORMAT_PLOP) return CLASS_PREDICATE;
    return (format == FORMAT_SELP || format == FORMAT_CARRY) && index == 2 ? CLASS_PREDICATE : CLASS_VECTOR;
}

bool writes_predicate(const struct machine_instruction *instruction) {
    enum isa_format format = isa_table[instruction->op].format;
    return format == FORMAT_PLOP || format == FORMAT_CMP || format == FORMAT_FCMP;
}

static unsigned words_of(const struct machine_instruction *instruction) {
    return instruction->mod == SIZE_128 ? 4 : instruction->mod == SIZE_64 ? 2 : 1;
}

unsigned result_words(const struct machine_instruction *instruction) {
    enum isa_format format = isa_table[instruction->op].format;
    return format == FORMAT_LD || format == FORMAT_LDC ? words_of(instruction) : 1;
}

bool is_pure(const struct machine_instruction *instruction) {
    switch (isa_table[instruction->op].format) {
        case FORMAT_B:
        case FORMAT_B2:
        case FORMAT_R3:
        case FORMAT_R3S:
        case FORMAT_CARRY:
        case FORMAT_CVT:
        case FORMAT_RND:
        case FORMAT_CMP:
        case FORMAT_FCMP:
        case FORMAT_SELP:
        case FORMAT_PLOP: return true;
        case FORMAT_SR: return instruction->imm != SR_CLOCK_LO && instruction->imm != SR_CLOCK_HI;
        default: return false;
    }
}

unsigned source_words(const struct machine_instruction *instruction, unsigned index) {
    return isa_table[instruction->op].format == FORMAT_ST && index == 1 ? words_of(instruction) : 1;
}

bool reads_register(const struct machine_instruction *instruction, uint32_t number) {
    for (unsigned k = 0; k < 3; k++) {
        uint32_t from = instruction->src[k];
        if (from != NONE && source_class(instruction, k) == CLASS_VECTOR && number >= from &&
            number - from < source_words(instruction, k))
            return true;
    }
    return false;
}

uint32_t predicate_written(const struct machine_instruction *instruction) {
    return writes_predicate(instruction) ? instruction->dst : instruction->carry;
}

static void print_register(const struct machine_function *function, struct text *to, uint32_t number, bool predicate) {
    if (number == NONE) {
        text_format(to, predicate ? " PT" : " RZ");
    } else if (function->assigned != NULL) {
        text_format(to, predicate ? " P%u" : " R%u", function->assigned[number]);
    } else {
        text_format(to, predicate ? " p%u" : " v%u", number);
    }
}

static void print_instruction(const struct machine_function *function, struct text *to,
                              const struct machine_instruction *at) {
    const struct isa_info *info = &isa_table[at->op];
    text_format(to, "    ");
    if (at->guard != NONE) {
        text_format(to, at->guard_negated ? "@!" : "@");
        print_register(function, to, at->guard, true);
        text_format(to, " ");
    }
    text_format(to, "%s", info->mnemonic != NULL ? info->mnemonic : "?");
    if (at->op == OP_CAL) {
        text_format(to, " %s  ; line %u\n", function->callees[at->imm].name, at->line);
        return;
    }
    if (info->format == FORMAT_CMP && isa_cmp_names[at->mod] != NULL) text_format(to, ".%s", isa_cmp_names[at->mod]);
    if (info->format == FORMAT_FCMP && isa_fcmp_names[at->mod] != NULL) text_format(to, ".%s", isa_fcmp_names[at->mod]);
    if (info->format == FORMAT_CVT && isa_cvt_names[at->mod] != NULL) text_format(to, ".%s", isa_cvt_names[at->mod]);
    if (info->format == FORMAT_RND && isa_round_names[at->mod] != NULL)
        text_format(to, ".%s", isa_round_names[at->mod]);
    if (info->format == FORMAT_ATOM && isa_atom_names[at->mod] != NULL) text_format(to, ".%s", isa_atom_names[at->mod]);
    if (info->format == FORMAT_LD || info->format == FORMAT_ST || info->format == FORMAT_LDC)
        text_format(to, ".%s", isa_size_names[at->mod] != NULL ? isa_size_names[at->mod] : "?");
    if (at->dst != NONE) {
        print_register(function, to, at->dst, writes_predicate(at));
        if (result_words(at) > 1) text_format(to, "..+%u", result_words(at) - 1);
        text_format(to, " =");
    }
    if (at->carry != NONE) {
        text_format(to, " +");
        print_register(function, to, at->carry, true);
    }
    for (unsigned k = 0; k < 3; k++) {
        if (at->src[k] == NONE) {
            if (k == 2) continue;
            text_format(to, " -");
            continue;
        }
        if (at->negated[k]) text_format(to, " !");
        print_register(function, to, at->src[k], source_class(at, k) == CLASS_PREDICATE);
        if (source_words(at, k) > 1) text_format(to, "..+%u", source_words(at, k) - 1);
    }
    if (info->immediate || info->format == FORMAT_ATOM || at->imm != 0) text_format(to, " 0x%x", at->imm);
    text_format(to, "  ; line %u\n", at->line);
}

static const char *edge_name(const struct machine_block *block, unsigned which) {
    static const char *const names[] = {"", "SYNC ", "BRK ", "EXIT "};
    return block->counts[which] ? "BRA.NTH " : names[block->action[which]];
}

static void print_token(struct text *to, const struct machine_token *token) {
    text_format(to, "    %s -> ", isa_table[token->op].mnemonic);
    if (token->label != NONE)
        text_format(to, "%u\n", token->label);
    else if (token->mod == YIELD_RANDOM)
        text_format(to, "with %u in 65536\n", token->number);
    else
        text_format(to, "every %u\n", token->mod == YIELD_NTH ? token->number : 1u);
}

void machine_print(const struct machine_function *function, struct text *to) {
    text_format(to, "%s: %zu blocks, %zu virtual registers, %u registers\n", function->name, function->block_count,
                function->register_count, function->registers_used);
    for (size_t b = 0; b < function->block_count; b++) {
        const struct machine_block *block = &function->blocks[b];
        if (b != 0 && block->pred_count == 0 && block->count == 0) continue;
        text_format(to, "  block %zu, from", b);
        for (size_t k = 0; k < block->pred_count; k++)
            text_format(to, " %u", block->preds[k]);
        text_format(to, "\n");
        for (size_t k = 0; k < block->phi_count; k++) {
            const struct machine_phi *phi = &block->phis[k];
            text_format(to, "    v%u = phi", phi->dst);
            for (size_t i = 0; i < phi->count; i++)
                text_format(to, " v%d@%u", (int)phi->src[i], phi->from[i]);
            text_format(to, "\n");
        }
        for (size_t k = 0; k < block->count; k++)
            print_instruction(function, to, &block->code[k]);
        for (size_t k = 0; k < block->token_count; k++)
            print_token(to, &block->tokens[k]);
        if (block->terminator == TERM_EXIT) text_format(to, function->is_called ? "    return\n" : "    exit\n");
        if (block->terminator == TERM_BRANCH) text_format(to, "    -> %s%u\n", edge_name(block, 0), block->target[0]);
        if (block->terminator == TERM_CONDITION) {
            text_format(to, "    %s if %s", block->divergent ? "divergent" : "uniform",
                        block->condition_negated ? "!" : "");
            print_register(function, to, block->condition, true);
            text_format(to, " -> %s%u else %s%u\n", edge_name(block, 0), block->target[0], edge_name(block, 1),
                        block->target[1]);
        }
    }
}
