// Appends single instructions to the block in hand; each function returns its fresh result.
#ifndef TANDEM_COMPILER_SELECT_INSTRUCTIONS_H
#define TANDEM_COMPILER_SELECT_INSTRUCTIONS_H

#include "compiler/select/selection.h"

struct machine_instruction *emit(struct selection *s, struct machine_instruction instruction);
uint32_t emit_to_fresh(struct selection *s, struct machine_instruction instruction);  // gives it a result

uint32_t emit_rr(struct selection *s, uint8_t op, uint32_t a, uint32_t b);
uint32_t emit_ri(struct selection *s, uint8_t op, uint32_t a, uint32_t imm);  // op in its register form
uint32_t emit_rrr(struct selection *s, uint8_t op, uint32_t a, uint32_t b, uint32_t c);
uint32_t emit_rir(struct selection *s, uint8_t op, uint32_t a, uint32_t number, uint32_t c);  // format R3S
uint32_t emit_mod(struct selection *s, uint8_t op, unsigned mod, uint32_t b);                 // formats CVT, RND
uint32_t emit_constant(struct selection *s, uint32_t value);
uint32_t emit_select(struct selection *s, struct predicate p, uint32_t a, uint32_t b);  // p ? a : b
uint32_t emit_select_imm(struct selection *s, struct predicate p, uint32_t a, uint32_t imm);
struct predicate emit_compare(struct selection *s, unsigned comparison, uint32_t a, uint32_t b);
struct predicate emit_compare_imm(struct selection *s, unsigned comparison, uint32_t a, uint32_t imm);
struct predicate emit_logic(struct selection *s, unsigned operation, struct predicate a, struct predicate b);

#endif
