// Names of functions that the compiler gives a meaning of its own: see names.h.
#include "compiler/ir/names.h"

#include <string.h>

#include "compiler/base/text.h"
#include "gen/isa.h"

static const struct instruction_name instructions[] = {
    {"tandem.rcp", OP_FRCP, 0},
    {"tandem.rsq", OP_FRSQ, 0},
    {"tandem.ex2", OP_FEX2, 0},
    {"tandem.lg2", OP_FLG2, 0},
    {"tandem.f2i.rte", OP_F2I, CVT_RTE},
    {"tandem.f2i.rtz", OP_F2I, CVT_RTZ},
    {"tandem.f2i.rtp", OP_F2I, CVT_RTP},
    {"tandem.f2i.rtn", OP_F2I, CVT_RTN},
    {"tandem.f2i.urte", OP_F2I, CVT_URTE},
    {"tandem.f2i.urtz", OP_F2I, CVT_URTZ},
    {"tandem.f2i.urtp", OP_F2I, CVT_URTP},
    {"tandem.f2i.urtn", OP_F2I, CVT_URTN},
    {"tandem.i2f.rte", OP_I2F, CVT_RTE},
    {"tandem.i2f.rtz", OP_I2F, CVT_RTZ},
    {"tandem.i2f.rtp", OP_I2F, CVT_RTP},
    {"tandem.i2f.rtn", OP_I2F, CVT_RTN},
    {"tandem.i2f.urte", OP_I2F, CVT_URTE},
    {"tandem.i2f.urtz", OP_I2F, CVT_URTZ},
    {"tandem.i2f.urtp", OP_I2F, CVT_URTP},
    {"tandem.i2f.urtn", OP_I2F, CVT_URTN},
};

const struct instruction_name *find_instruction_name(const char *name) {
    for (size_t k = 0; k < sizeof instructions / sizeof *instructions; k++)
        if (strcmp(instructions[k].name, name) == 0) return &instructions[k];
    return NULL;
}

const char *name_of(LLVMValueRef value) {
    size_t length;
    return LLVMGetValueName2(value, &length);
}

void readable_name(const char *name, char *to, size_t size) {
    size_t length = 0;
    const char *at = name;
    if (starts(name, "_Z")) {
        at = name + 2;
        while (*at >= '0' && *at <= '9')
            length = length * 10 + (size_t)(*at++ - '0');
    }
    if (length == 0 || length > strlen(at)) {
        at = name;
        length = strlen(name);
    }
    if (length >= size) length = size - 1;
    memcpy(to, at, length);
    to[length] = 0;
}

static const char *callee(LLVMValueRef i) {
    return LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) ? name_of(LLVMGetCalledValue(i)) : "";
}

bool is_barrier(LLVMValueRef i) {
    const char *name = callee(i);
    return strcmp(name, "_Z7barrierj") == 0 || starts(name, "_Z18work_group_barrierj");
}

bool is_team(LLVMValueRef i) {
    const char *name = callee(i);
    return strcmp(name, NAME_VOTE) == 0 || strcmp(name, NAME_SHUFFLE) == 0 || strcmp(name, NAME_TEAM_LANE) == 0 ||
           strcmp(name, NAME_TEAM_THREADS) == 0;
}

bool is_yield(LLVMValueRef i) {
    return starts(callee(i), NAME_YIELD);
}

bool asks_yield(LLVMValueRef i) {
    return starts(callee(i), NAME_ASKS);
}
