// Puts a code object together, instruction by instruction, without assembler or compiler.
#ifndef TANDEM_TESTS_TANDEM_CODE_BUILDER_H
#define TANDEM_TESTS_TANDEM_CODE_BUILDER_H

#include "gen/isa.h"
#include "isa/code_object.h"

#define BUILDER_WORDS_MAX 4096u
#define BUILDER_KERNELS_MAX 32u
#define BUILDER_REGISTERS 24u  // that every kernel gets
#define RZ ISA_RZ

struct builder {
    uint64_t words[BUILDER_WORDS_MAX];
    size_t count;
    unsigned guard;  // of the next instruction only
    bool negated;
    struct code_kernel kernels[BUILDER_KERNELS_MAX];
    size_t kernel_count;
    struct code_argument arguments[3];
};

// NULL when memory is short; builder_free. Kernels take two pointers, "in" at 0x40 and "out" at 0x44 of constant buffer
// 0, and one 32-bit value at 0x48.
struct builder *builder_create(void);
void builder_free(struct builder *b);

// One instruction; fields that its format does not name become zero. imm: with an immediate, reg: without.
void put(struct builder *b, uint64_t word);
void imm(struct builder *b, unsigned op, unsigned rd, unsigned ra, unsigned mod, uint32_t value);
void reg(struct builder *b, unsigned op, unsigned rd, unsigned ra, unsigned mod, unsigned rb, unsigned rc);
// The next instruction's guard: when(b, 0) is @p0, unless(b, 0) is @!p0. They return b, to be written in front of the
// instruction.
struct builder *when(struct builder *b, unsigned predicate);
struct builder *unless(struct builder *b, unsigned predicate);

// An instruction with a label that comes later: label() puts it here.
size_t to_label(struct builder *b, unsigned op);
void label(struct builder *b, size_t branch);
// One whose label, the index of an instruction, is known.
void back_to(struct builder *b, unsigned op, size_t target);

void begin_kernel(struct builder *b, const char *name);
void end_kernel(struct builder *b);
void finish(struct builder *b);  // EXIT, end_kernel

// r0 = global index, r1 = in, r2 = out, r3 = value; r4 and r5 are used.
enum { GID = 0, IN = 1, OUT = 2, VALUE = 3 };
void preamble(struct builder *b);
// rd = out + gid * bytes
void out_address(struct builder *b, unsigned rd, uint32_t bytes);

// The ELF image, malloc'ed: the caller frees *elf. False with one line in error.
bool builder_write(const struct builder *b, void **elf, size_t *size, char *error, size_t error_size);

#endif
