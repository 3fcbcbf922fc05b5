#include "sm/scalar_unit.h"

#include <string.h>

#include "sm/trap.h"

void scalar_unit_start(struct scalar_unit *unit, uint32_t threads) {
    memset(unit, 0, sizeof *unit);
    unit->threads = threads;
}

bool scalar_executes(uint32_t opcode) {
    return opcode == OP_SMOV || opcode == OP_SMOV_I || opcode == OP_VOTE || opcode == OP_SVLOOP_BEGIN ||
           opcode == OP_SVLOOP_END;
}

static bool exists(uint32_t number) {
    return number < ISA_SCALARS || number == SCALAR_EXEC_LO || number == SCALAR_EXEC_HI;
}

bool scalar_registers_exist(uint64_t word) {
    const uint32_t rd = isa_rd(word), rb = isa_rb(word);
    switch (isa_opcode(word)) {
        case OP_SMOV: return exists(rd) && exists(rb);
        case OP_SMOV_I: return exists(rd);
        case OP_R2S: return rd < ISA_SCALARS || trap_writes(rd);
        case OP_SRD: return exists(rb) || trap_reads(rb);
        case OP_VOTE: return exists(rd) && rd % 2 == 0;
        default: return true;
    }
}

// The low half of a mask, as a scalar register holds it.
static uint32_t low_half(const struct scalar_unit *unit, uint64_t mask) {
    return unit->threads == 64 ? (uint32_t)mask : (uint32_t)mask & 0xFFFFu;
}

static uint64_t join(const struct scalar_unit *unit, uint64_t high, uint64_t low) {
    return (uint64_t)low_half(unit, high) << unit->threads / 2 | low_half(unit, low);
}

uint32_t scalar_read(const struct scalar_unit *unit, uint32_t number, uint64_t active) {
    switch (number) {
        case SCALAR_EXEC_LO: return low_half(unit, active);
        case SCALAR_EXEC_HI: return low_half(unit, active >> unit->threads / 2);
        default: return unit->scalars[number];
    }
}

void scalar_execute(const struct scalar_unit *unit, const struct scalar_request *request,
                    struct scalar_result *result) {
    const uint32_t opcode = isa_opcode(request->word), rd = isa_rd(request->word);
    const uint32_t low = scalar_read(unit, SCALAR_EXEC_LO, request->active);
    const uint32_t high = scalar_read(unit, SCALAR_EXEC_HI, request->active);
    const uint32_t s0 = unit->scalars[0];
    *result = (struct scalar_result){.rd = rd, .wanted = request->active};
    switch (opcode) {
        case OP_SMOV:
        case OP_SMOV_I: {
            const bool immediate = opcode == OP_SMOV_I;
            if (request->exec == 0 && request->active != 0) return;
            const uint32_t value =
                immediate ? isa_imm(request->word) : scalar_read(unit, isa_rb(request->word), request->active);
            result->writes = rd < ISA_SCALARS;
            result->data = value;
            result->writes_exec = !result->writes;
            if (rd == SCALAR_EXEC_LO) result->wanted = join(unit, high, value);
            if (rd == SCALAR_EXEC_HI) result->wanted = join(unit, value, low);
            return;
        }
        case OP_VOTE:
            result->writes = rd < ISA_SCALARS;
            result->pair = true;
            result->data = (uint64_t)scalar_read(unit, SCALAR_EXEC_HI, request->exec) << 32 |
                           scalar_read(unit, SCALAR_EXEC_LO, request->exec);
            result->writes_exec = !result->writes;
            if (result->writes_exec) result->wanted = request->exec;
            return;
        case OP_SVLOOP_BEGIN:
            result->rd = 0;
            result->writes_exec = true;
            if (request->active == 0) {
                result->taken = true;
            } else {
                result->writes = true;
                if (low != 0) {  // the low pass first
                    result->data = high;
                    result->wanted = join(unit, 0, low);
                }
            }
            return;
        case OP_SVLOOP_END:
            result->rd = 0;
            result->writes_exec = true;
            if (high != 0) {  // the second pass, or the only one
                result->wanted = join(unit, high, s0);
            } else if (s0 != 0) {  // the high pass is to come
                result->wanted = join(unit, s0, 0);
                result->writes = true;
                result->data = low;
                result->taken = true;
            }
            return;
        default: return;
    }
}

void scalar_write(struct scalar_unit *unit, const struct scalar_result *result) {
    if (!result->writes) return;
    unit->scalars[result->rd] = (uint32_t)result->data;
    if (result->pair) unit->scalars[result->rd + 1] = (uint32_t)(result->data >> 32);
}
