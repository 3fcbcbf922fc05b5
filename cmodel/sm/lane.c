#include "lane.h"

uint32_t lane_execute(unsigned opcode, uint32_t mod, uint32_t a, uint32_t b, uint32_t c) {
    return lane_result(opcode, mod, a, b, c);
}
