// Single instructions of the machine program: see instructions.h.
#include "compiler/select/instructions.h"

#include "gen/isa.h"

struct machine_instruction *emit(struct selection *s, struct machine_instruction instruction) {
    instruction.line = s->line;
    instruction.inlined = s->inlined;
    instruction.scope = s->scope;
    instruction.order = s->order;
    return append(s->function, s->block, instruction);
}

uint32_t emit_to_fresh(struct selection *s, struct machine_instruction instruction) {
    instruction.dst = new_register(s->function, CLASS_VECTOR);
    emit(s, instruction);
    return instruction.dst;
}

uint32_t emit_rr(struct selection *s, uint8_t op, uint32_t a, uint32_t b) {
    struct machine_instruction i = make(op);
    i.src[0] = a;
    i.src[1] = b;
    return emit_to_fresh(s, i);
}

uint32_t emit_ri(struct selection *s, uint8_t op, uint32_t a, uint32_t imm) {
    struct machine_instruction i = make((uint8_t)(op | 0x80u));
    i.src[0] = a;
    i.imm = imm;
    return emit_to_fresh(s, i);
}

uint32_t emit_rrr(struct selection *s, uint8_t op, uint32_t a, uint32_t b, uint32_t c) {
    struct machine_instruction i = make(op);
    i.src[0] = a;
    i.src[1] = b;
    i.src[2] = c;
    return emit_to_fresh(s, i);
}

uint32_t emit_rir(struct selection *s, uint8_t op, uint32_t a, uint32_t number, uint32_t c) {
    struct machine_instruction i = make(op);
    i.src[0] = a;
    i.imm = number;
    i.src[2] = c;
    return emit_to_fresh(s, i);
}

uint32_t emit_mod(struct selection *s, uint8_t op, unsigned mod, uint32_t b) {
    struct machine_instruction i = make(op);
    i.mod = (uint8_t)mod;
    i.src[1] = b;
    return emit_to_fresh(s, i);
}

uint32_t emit_constant(struct selection *s, uint32_t value) {
    return value == 0 ? NONE : emit_ri(s, OP_MOV, NONE, value);
}

uint32_t emit_select(struct selection *s, struct predicate p, uint32_t a, uint32_t b) {
    struct machine_instruction i = make(OP_SEL);
    i.src[0] = a;
    i.src[1] = b;
    i.src[2] = p.reg;
    i.negated[2] = p.negated;
    return emit_to_fresh(s, i);
}

uint32_t emit_select_imm(struct selection *s, struct predicate p, uint32_t a, uint32_t imm) {
    struct machine_instruction i = make(OP_SEL_I);
    i.src[0] = a;
    i.imm = imm;
    i.src[2] = p.reg;
    i.negated[2] = p.negated;
    return emit_to_fresh(s, i);
}

static struct predicate emit_predicate(struct selection *s, struct machine_instruction i) {
    i.dst = new_register(s->function, CLASS_PREDICATE);
    emit(s, i);
    return (struct predicate){.reg = i.dst};
}

struct predicate emit_compare(struct selection *s, unsigned comparison, uint32_t a, uint32_t b) {
    struct machine_instruction i = make(OP_ISETP);
    i.mod = (uint8_t)comparison;
    i.src[0] = a;
    i.src[1] = b;
    return emit_predicate(s, i);
}

struct predicate emit_compare_imm(struct selection *s, unsigned comparison, uint32_t a, uint32_t imm) {
    struct machine_instruction i = make(OP_ISETP_I);
    i.mod = (uint8_t)comparison;
    i.src[0] = a;
    i.imm = imm;
    return emit_predicate(s, i);
}

struct predicate emit_logic(struct selection *s, unsigned operation, struct predicate a, struct predicate b) {
    struct machine_instruction i = make(OP_PSETP);
    i.mod = (uint8_t)operation;
    i.src[0] = a.reg;
    i.negated[0] = a.negated;
    i.src[1] = b.reg;
    i.negated[1] = b.negated;
    return emit_predicate(s, i);
}
