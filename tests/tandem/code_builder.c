#include "code_builder.h"

#include <stdio.h>
#include <stdlib.h>

struct builder *builder_create(void) {
    struct builder *b = calloc(1, sizeof *b);
    if (b == NULL) return NULL;
    b->guard = ISA_PT;
    b->arguments[0] =
        (struct code_argument){.name = "in", .kind = ARG_GLOBAL, .offset = 0x40, .size = 4, .type = "uint*"};
    b->arguments[1] =
        (struct code_argument){.name = "out", .kind = ARG_GLOBAL, .offset = 0x44, .size = 4, .type = "uint*"};
    b->arguments[2] =
        (struct code_argument){.name = "value", .kind = ARG_VALUE, .offset = 0x48, .size = 4, .type = "uint"};
    return b;
}

void builder_free(struct builder *b) {
    free(b);
}

void put(struct builder *b, uint64_t word) {
    if (b->count < BUILDER_WORDS_MAX) b->words[b->count] = word;
    b->count++;
    b->guard = ISA_PT;
    b->negated = false;
}

static bool names_rd(enum isa_format format) {
    return format != FORMAT_NONE && format != FORMAT_REL && format != FORMAT_ABS && format != FORMAT_RETR &&
           format != FORMAT_RP && format != FORMAT_YIELD && format != FORMAT_SV && format != FORMAT_BRA;
}

static bool names_ra(enum isa_format format) {
    return names_rd(format) ? format != FORMAT_B && format != FORMAT_PR && format != FORMAT_SR && format != FORMAT_CALLR
                            : format == FORMAT_RETR || format == FORMAT_RP;
}

void imm(struct builder *b, unsigned op, unsigned rd, unsigned ra, unsigned mod, uint32_t value) {
    enum isa_format format = isa_table[op].format;
    if (!names_rd(format)) rd = 0;
    if (!names_ra(format)) ra = 0;
    put(b, isa_encode_imm(op, b->guard, b->negated, rd, ra, mod, value));
}

void reg(struct builder *b, unsigned op, unsigned rd, unsigned ra, unsigned mod, unsigned rb, unsigned rc) {
    enum isa_format format = isa_table[op].format;
    bool compare_and_swap = format == FORMAT_ATOM && mod == ATOM_CAS;
    if (!names_ra(format)) ra = 0;
    if (format == FORMAT_PR || format == FORMAT_PLOP) rc = 0;
    if (format == FORMAT_PR) rb = 0;
    if (format != FORMAT_R3 && !compare_and_swap) rc = 0;
    put(b, isa_encode_reg(op, b->guard, b->negated, rd, ra, mod, rb, rc, 0));
}

struct builder *when(struct builder *b, unsigned predicate) {
    b->guard = predicate;
    return b;
}

struct builder *unless(struct builder *b, unsigned predicate) {
    b->guard = predicate;
    b->negated = true;
    return b;
}

size_t to_label(struct builder *b, unsigned op) {
    imm(b, op, RZ, RZ, 0, 0);
    return b->count - 1;
}

void label(struct builder *b, size_t branch) {
    uint32_t distance = (uint32_t)(b->count - (branch + 1));
    if (branch < BUILDER_WORDS_MAX) b->words[branch] = (b->words[branch] & 0xFFFFFFFFu) | (uint64_t)distance << 32;
}

void back_to(struct builder *b, unsigned op, size_t target) {
    imm(b, op, RZ, RZ, 0, (uint32_t)(target - (b->count + 1)));
}

void begin_kernel(struct builder *b, const char *name) {
    if (b->kernel_count == BUILDER_KERNELS_MAX) return;
    struct code_kernel *kernel = &b->kernels[b->kernel_count];
    *kernel = (struct code_kernel){
        .entry = (uint32_t)(8 * b->count),
        .registers = BUILDER_REGISTERS,
        .constant_bytes = 0x4C,
        .argument_count = 3,
        .arguments = b->arguments,
    };
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
}

void end_kernel(struct builder *b) {
    if (b->kernel_count == BUILDER_KERNELS_MAX) return;
    struct code_kernel *kernel = &b->kernels[b->kernel_count++];
    kernel->code_size = (uint32_t)(8 * b->count) - kernel->entry;
}

void finish(struct builder *b) {
    imm(b, OP_EXIT, RZ, RZ, 0, 0);
    end_kernel(b);
}

void preamble(struct builder *b) {
    imm(b, OP_S2R, GID, RZ, 0, SR_CTAID_X);
    imm(b, OP_S2R, 4, RZ, 0, SR_NTID_X);
    imm(b, OP_S2R, 5, RZ, 0, SR_TID_X);
    reg(b, OP_IMAD, GID, GID, 0, 4, 5);
    imm(b, OP_LDC, IN, RZ, SIZE_32, 0x40);
    imm(b, OP_LDC, OUT, RZ, SIZE_32, 0x44);
    imm(b, OP_LDC, VALUE, RZ, SIZE_32, 0x48);
}

void out_address(struct builder *b, unsigned rd, uint32_t bytes) {
    imm(b, OP_MOV_I, rd, RZ, 0, bytes);
    reg(b, OP_IMAD, rd, GID, 0, rd, OUT);
}

bool builder_write(const struct builder *b, void **elf, size_t *size, char *error, size_t error_size) {
    if (b->count > BUILDER_WORDS_MAX || b->kernel_count == BUILDER_KERNELS_MAX) {
        snprintf(error, error_size, "the code is longer than its buffer");
        return false;
    }
    struct code_object object = {
        .text = (uint64_t *)b->words,
        .text_words = b->count,
        .kernels = (struct code_kernel *)b->kernels,
        .kernel_count = b->kernel_count,
    };
    return code_object_write(&object, elf, size, error, error_size);
}
