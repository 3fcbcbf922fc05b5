// A port of the memory unit with a memory of its own behind it: takes requests when it likes, answers them in order when it likes, fails when
// it is told to. Of a verilated unit's port p: line_drive(LINE_PORT(unit, p), ..) before the outputs of a cycle are looked at, line_take(..)
// before its edge.
#ifndef TANDEM_TESTS_RTL_LINE_PORT_H
#define TANDEM_TESTS_RTL_LINE_PORT_H

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>

#include "bench.h"
#include "port_bits.h"

struct line_request {
    uint32_t op, addr, wstrb;
    std::array<uint8_t, 32> data;
};

struct line_answer {
    uint64_t due;  // the first cycle in which it may be given
    std::array<uint8_t, 32> data;
    uint32_t fault, tag;
};

struct line_memory {
    std::map<uint32_t, std::array<uint8_t, 32>> lines;  // by address
    std::deque<line_answer> answers;
    uint64_t cycle = 0;
    uint32_t slow = 12;                      // an answer takes up to so many cycles
    uint32_t fail_part = 0, fail_whole = 1;  // so many of so many requests fail
};

// The bytes of a write go to memory. tag: comes back with the answer.
static inline void line_accept(struct bench *bench, struct line_memory *memory, const struct line_request *request,
                               uint32_t tag) {
    std::array<uint8_t, 32> &line = memory->lines[request->addr];
    struct line_answer answer = {memory->cycle + 1 + bench_below(bench, memory->slow + 1), {}, 0, tag};
    if (memory->fail_part != 0 && bench_chance(bench, memory->fail_part, memory->fail_whole))
        answer.fault = 1 + bench_below(bench, 2);
    if (answer.fault == 0 && request->op == 1) {
        for (unsigned b = 0; b < 32; b++)
            if ((request->wstrb >> b & 1u) != 0) line[b] = request->data[b];
    }
    if (request->op == 0 && answer.fault == 0) answer.data = line;
    memory->answers.push_back(answer);
}

// What the port's inputs are in the cycle that begins. The answer that is given, or NULL.
template <class Unit, class Ready, class Valid, class Data, class Fault>
const struct line_answer *line_drive(struct bench *bench, Unit &, struct line_memory *memory, Ready &ready,
                                     Valid &valid, Data &data, Fault &fault) {
    static struct line_answer given;
    memory->cycle++;
    ready = bench_chance(bench, 3, 4);
    valid = 0;
    for (unsigned i = 0; i < 4; i++)
        set_bits(data, 64 * i, 64, bench_random(bench));
    fault = bench_below(bench, 3);
    if (memory->answers.empty() || memory->answers.front().due > memory->cycle) return nullptr;
    given = memory->answers.front();
    memory->answers.pop_front();
    valid = 1;
    fault = given.fault;
    if (given.fault == 0) std::memcpy(&data, given.data.data(), 32);
    return &given;
}

// The request that goes over in this cycle. False: none does.
template <class Valid, class Ready, class Op, class Addr, class Strb, class Data>
bool line_take(Valid valid, Ready ready, Op op, Addr addr, Strb strb, const Data &data, struct line_request *request) {
    if (!valid || !ready) return false;
    *request = {static_cast<uint32_t>(op), static_cast<uint32_t>(addr), static_cast<uint32_t>(strb), {}};
    std::memcpy(request->data.data(), &data, 32);
    return true;
}

#endif
