// semaphore_unit: random operations, legal and malformed, RTL (source or synthesized netlist) against the C twin (pure
// functions of cmodel/host/semaphore_unit.h): requests, results, faults, and when a blocked channel is offered again.
// WQ-6, WQ-7. Compiled with -DCHANNELS= as the unit was verilated. The semaphores live in a small memory here.
#include <verilated.h>

#include "Vsemaphore_unit.h"
#define BENCH_SHOWS "WQ-7"
#include "bench.h"
#include "inject.h"
#include "tick.h"

extern "C" {
#include "gen/isa.h"
#include "gen/methods.h"
#include "gen/registers.h"
#include "host/semaphore_unit.h"
}

#define WORDS 64u
enum { DONE = 0, BLOCKED = 1, FAULT = 2 };

struct wait {
    bool blocked;
    struct semaphore_operation op;
    uint32_t timeout;
    uint64_t since, again;  // cycle of the first failed try; earliest cycle by which the retry period is over
    bool woken;
    uint32_t addr, payload;  // of the acquire that was tried last
};

struct world {
    struct bench bench;
    Vsemaphore_unit unit;
    uint64_t cycle, time;
    bool asks, answered;  // a request is due, the answer is there
    uint32_t memory[WORDS];
    struct wait wait[CHANNELS];
    uint32_t retry[CHANNELS], timeout[CHANNELS], base[CHANNELS];
};

static const uint32_t OPERATIONS[] = {HOST_SEMAPHORED_OPERATION_ACQUIRE, HOST_SEMAPHORED_OPERATION_RELEASE,
                                      HOST_SEMAPHORED_OPERATION_ACQ_GEQ, HOST_SEMAPHORED_OPERATION_ACQ_AND,
                                      HOST_SEMAPHORED_OPERATION_REDUCTION};

static uint32_t interesting(struct bench *b) {
    switch (bench_below(b, 6)) {
        case 0: return bench_below(b, 4);
        case 1: return 0u - bench_below(b, 4);
        case 2: return 0x7FFFFFFEu + bench_below(b, 4);
        case 3: return 1u << bench_below(b, 32);
        default: return (uint32_t)bench_random(b);
    }
}

static struct semaphore_operation choose(struct bench *b) {
    struct semaphore_operation op;
    memset(&op, 0xFF, sizeof op);  // what stands beside its members is not of it
    op.word = (uint32_t)bench_random(b) & ~31u;
    op.word |= bench_chance(b, 1, 20) ? bench_below(b, 32) : OPERATIONS[bench_below(b, 5)];
    if (bench_chance(b, 15, 16)) op.word &= ~(8u << 27);
    op.addr = bench_below(b, WORDS) * 4;
    if (semaphore_unit_release_16(&op) && bench_chance(b, 9, 10)) op.addr &= ~15u;
    if (bench_chance(b, 1, 40)) op.addr |= bench_below(b, 4);
    if (bench_chance(b, 1, 40)) op.addr |= (uint64_t)bench_below(b, 256) << 32;
    if (bench_chance(b, 1, 8)) op.addr |= bench_below(b, 1u << 24) << 8;
    op.payload = interesting(b);
    return op;
}

// ---- the clock, with what the unit may show at any time
static void cycle(struct world *w) {
    w->unit.time_i = w->time;
    w->unit.eval();
    if (w->unit.mem_req_valid_o != w->asks)
        bench_fail(&w->bench, "a request: %u, of %u", w->unit.mem_req_valid_o, w->asks);
    if (w->unit.trace_semaphore_valid_o && !w->answered) bench_fail(&w->bench, "an event without an answer");
    tick(w->unit);
    w->cycle++;
    w->time += 40;
    w->unit.snoop_valid_i = 0;
}

// retry_o of each channel must come when its time has come and not before. A write of the semaphore's line calls at
// once.
static void check_waits(struct world *w) {
    w->unit.eval();
    for (uint32_t c = 0; c < CHANNELS; c++) {
        const struct wait *wait = &w->wait[c];
        const bool blocked = (w->unit.blocked_o >> c & 1) != 0, retry = (w->unit.retry_o >> c & 1) != 0;
        if (blocked != wait->blocked)
            bench_fail(&w->bench, "channel %u: blocked_o is %d, must be %d", c, blocked, wait->blocked);
        uint32_t addr, payload;
        memcpy(&addr, (const uint32_t *)&w->unit.blocked_addr_o + c, 4);
        memcpy(&payload, (const uint32_t *)&w->unit.blocked_payload_o + c, 4);
        if (addr != wait->addr || payload != wait->payload)
            bench_fail(&w->bench, "channel %u: last acquire 0x%08x 0x%08x, must be 0x%08x 0x%08x", c, addr, payload,
                       wait->addr, wait->payload);
        if (!wait->blocked && retry) bench_fail(&w->bench, "channel %u: retry_o without a wait", c);
        if (!wait->blocked) continue;
        const bool late = wait->timeout != 0 && w->cycle - wait->since >= wait->timeout;
        const bool expected = wait->woken || w->cycle >= wait->again || late;
        if (retry != expected) {
            bench_fail(&w->bench, "channel %u: retry_o is %d, must be %d (written %d, period over %d, timed out %d)", c,
                       retry, expected, wait->woken, w->cycle >= wait->again, late);
        }
    }
}

// Somebody else writes a semaphore; shown to the unit as a snoop.
static void write_by_others(struct world *w) {
    const uint32_t c = bench_below(&w->bench, CHANNELS);
    const bool there = w->wait[c].blocked && bench_chance(&w->bench, 1, 2);
    const uint32_t at = there ? (uint32_t)w->wait[c].op.addr & ~3u : bench_below(&w->bench, WORDS) * 4;
    w->memory[at / 4 % WORDS] =
        w->wait[c].blocked && bench_chance(&w->bench, 1, 2) ? w->wait[c].op.payload : interesting(&w->bench);
    uint32_t physical = w->base[c] + at;
    if (bench_chance(&w->bench, 1, 8)) physical ^= 1u << (5 + bench_below(&w->bench, 27));
    w->unit.snoop_valid_i = 1;
    w->unit.snoop_addr_i = physical & ~31u;
    for (uint32_t i = 0; i < CHANNELS; i++) {
        struct wait *wait = &w->wait[i];
        if (wait->blocked && ((w->base[i] + (uint32_t)wait->op.addr) ^ physical) < 32) wait->woken = true;
    }
}

static void perform(struct world *w, const struct mem_request *request, struct mem_response *response) {
    memset(response, 0, sizeof *response);
    // With the answer to a write comes what nobody looks at.
    for (unsigned i = 0; request->op == MEM_WRITE && i < LINE_BYTES; i++)
        response->data[i] = (uint8_t)bench_random(&w->bench);
    uint8_t *line = (uint8_t *)w->memory + (request->addr & (WORDS * 4 - 1) & ~31u);
    if (request->op == MEM_READ) memcpy(response->data, line, LINE_BYTES);
    for (unsigned i = 0; request->op == MEM_WRITE && i < LINE_BYTES; i++) {
        if ((request->wstrb >> i & 1) != 0) line[i] = request->wdata[i];
    }
    if (request->op == MEM_ATOMIC) {
        uint32_t old, operand;
        memcpy(&old, line + request->addr % 32, 4);
        memcpy(&operand, request->wdata, 4);
        memcpy(response->data, &old, 4);
        const uint32_t result = atomic_unit_result(request->atom, old, operand, 0);
        memcpy(line + request->addr % 32, &result, 4);
    }
}

static void check_request(struct world *w, const struct semaphore_operation *op, uint32_t channel, uint64_t time) {
    const struct mem_request twin = semaphore_unit_request(op, channel, time, 0);
    uint8_t wdata[LINE_BYTES];
    memcpy(wdata, &w->unit.mem_req_wdata_o, LINE_BYTES);
    // What nobody looks at may be anything: what is not written, and of an atomic all but its two operands.
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        if (twin.op == MEM_ATOMIC ? i >= 8 : (twin.wstrb >> i & 1) == 0) wdata[i] = 0;
    }
    if (twin.channel != channel || w->unit.mem_req_op_o != (uint32_t)twin.op || w->unit.mem_req_channel_o != channel ||
        w->unit.mem_req_addr_o != twin.addr || w->unit.mem_req_wstrb_o != twin.wstrb ||
        w->unit.mem_req_atom_o != twin.atom || memcmp(wdata, twin.wdata, LINE_BYTES) != 0) {
        bench_fail(&w->bench,
                   "SEMAPHORED 0x%08x at 0x%010" PRIx64
                   ": request op %u atom %u addr 0x%08x wstrb 0x%08x, must be %u %u 0x%08x 0x%08x%s",
                   op->word, op->addr, w->unit.mem_req_op_o, w->unit.mem_req_atom_o, w->unit.mem_req_addr_o,
                   w->unit.mem_req_wstrb_o, (unsigned)twin.op, twin.atom, twin.addr, twin.wstrb,
                   memcmp(wdata, twin.wdata, LINE_BYTES) != 0 ? "; data differ" : "");
    }
}

static void check_event(struct world *w, const struct semaphore_operation *op, uint32_t channel, uint32_t value,
                        bool done, uint64_t time) {
    const Vsemaphore_unit &u = w->unit;
    if (u.trace_semaphore_channel_o != channel || u.trace_semaphore_operation_o != semaphore_unit_kind(op) ||
        u.trace_semaphore_addr_o != op->addr || u.trace_semaphore_payload_o != op->payload ||
        u.trace_semaphore_value_o != value || u.trace_semaphore_done_o != done ||
        u.trace_semaphore_time_o != (semaphore_unit_release_16(op) ? time : 0)) {
        bench_fail(&w->bench, "SEMAPHORED 0x%08x payload 0x%08x: event value 0x%08x done %u, must be 0x%08x %u",
                   op->word, op->payload, u.trace_semaphore_value_o, u.trace_semaphore_done_o, value, done);
    }
}

static void finish(struct world *w, uint32_t channel, uint32_t result, uint32_t code, uint32_t info) {
    cycle(w);
    w->answered = false;
    w->unit.mem_rsp_valid_i = 0;
    w->unit.eval();
    if (!w->unit.op_done_o) bench_fail(&w->bench, "channel %u: no op_done_o", channel);
    if (w->unit.op_result_o != result)
        bench_fail(&w->bench, "channel %u: result %u, must be %u", channel, w->unit.op_result_o, result);
    if (result == FAULT && (w->unit.op_code_o != code || w->unit.op_info_o != info)) {
        bench_fail(&w->bench, "channel %u: fault %u info 0x%08x, must be %s 0x%08x", channel, w->unit.op_code_o,
                   w->unit.op_info_o, fault_name(code), info);
    }
    cycle(w);
    w->unit.op_valid_i = 0;
}

static void run(struct world *w, uint32_t channel, struct semaphore_operation op) {
    struct bench *b = &w->bench;
    struct wait *wait = &w->wait[channel];
    Vsemaphore_unit &u = w->unit;
    u.op_valid_i = 1;
    u.op_channel_i = channel;
    u.op_word_i = op.word;
    u.op_addr_i = op.addr;
    u.op_payload_i = op.payload;
    const uint64_t time = w->time;
    const bool last_try = wait->blocked && wait->timeout != 0 && w->cycle - wait->since >= wait->timeout;
    const uint32_t bad = semaphore_unit_check(&op);
    if (bad != FAULT_NONE) {
        wait->blocked = false;
        return finish(w, channel, FAULT, bad, (uint32_t)op.addr);
    }
    const bool idle = (op.word & 31) == HOST_SEMAPHORED_OPERATION_RELEASE &&
                      HOST_SEMAPHORED_RELEASE_WFI_OF(op.word) == HOST_SEMAPHORED_RELEASE_WFI_EN;
    if (semaphore_unit_waits_for_idle(&op) != idle) bench_fail(b, "SEMAPHORED 0x%08x: waits %d", op.word, !idle);
    if (semaphore_unit_is_acquire(&op)) wait->addr = (uint32_t)op.addr, wait->payload = op.payload;
    // What is written in the cycle in which a try begins, or before, the try sees.
    if (bench_chance(b, 1, 4)) write_by_others(w);
    cycle(w);
    w->asks = true;
    for (u.mem_req_ready_i = 0; !u.mem_req_ready_i;) {
        u.mem_req_ready_i = bench_chance(b, 1, 2);
        u.eval();
        if (!u.mem_req_valid_o) bench_fail(b, "no request");
        check_request(w, &op, channel, time);
        cycle(w);
    }
    w->asks = false;
    u.mem_req_ready_i = 0;
    struct mem_request request = semaphore_unit_request(&op, channel, time, 0);
    struct mem_response response;
    perform(w, &request, &response);
    // Writes of others while the answer is on its way: the try does not see them, but they must not be missed.
    bool written = false;
    for (uint32_t i = bench_below(b, 5); i > 0; i--) {
        if (bench_chance(b, 1, 4)) {
            const uint32_t word = ((uint32_t)op.addr / 4 + bench_below(b, 2) * 8) % WORDS,
                           physical = w->base[channel] + word * 4;
            w->memory[word] = interesting(b);
            u.snoop_valid_i = 1;
            u.snoop_addr_i = physical & ~31u;
            if (((uint32_t)op.addr ^ (word * 4)) < 32) written = true;
            for (uint32_t c = 0; c < CHANNELS; c++) {
                struct wait *other = &w->wait[c];
                if (c != channel && other->blocked && ((w->base[c] + (uint32_t)other->op.addr) ^ physical) < 32)
                    other->woken = true;
            }
        }
        cycle(w);
    }
    u.mem_rsp_valid_i = w->answered = true;
    u.mem_rsp_fault_i = bench_chance(b, 1, 60) ? 1 + bench_below(b, 2) : 0;
    memcpy(&u.mem_rsp_data_i, response.data, LINE_BYTES);
    u.eval();
    if (u.mem_rsp_fault_i != 0) {
        wait->blocked = false;
        if (u.trace_semaphore_valid_o) bench_fail(b, "an event for an access that faulted");
        return finish(w, channel, FAULT, u.mem_rsp_fault_i == 1 ? FAULT_SEMAPHORE_ADDRESS : FAULT_BUS_ERROR,
                      (uint32_t)op.addr);
    }
    const uint32_t value = semaphore_unit_value(&op, &response);
    const bool done = semaphore_unit_done(&op, value, 0);
    if (!u.trace_semaphore_valid_o) bench_fail(b, "no event");
    check_event(w, &op, channel, value, done, time);
    const bool was = wait->blocked;
    wait->blocked = !done && !last_try;
    finish(w, channel, done ? DONE : last_try ? FAULT : BLOCKED, FAULT_ACQUIRE, (uint32_t)op.addr);
    if (wait->blocked) {
        wait->op = op;
        wait->woken = written;
        wait->again = w->cycle + w->retry[channel];
        wait->timeout = w->timeout[channel];
        if (!was) wait->since = w->cycle;
    }
}

static void settings(struct world *w, uint32_t c) {
    w->retry[c] = bench_below(&w->bench, 60);
    w->timeout[c] = bench_chance(&w->bench, 1, 3) ? 1 + bench_below(&w->bench, 300) : 0;
    if (bench_chance(&w->bench, 1, 8)) w->timeout[c] |= 0x80000000u;  // never
    w->base[c] = bench_below(&w->bench, 3) * 0x1000 + bench_below(&w->bench, 2) * 0x80000000u;
    for (uint32_t i = 0; i < CHANNELS; i++) {
        memcpy((uint32_t *)&w->unit.acquire_retry_i + i, &w->retry[i], 4);
        memcpy((uint32_t *)&w->unit.acquire_timeout_i + i, &w->timeout[i], 4);
        memcpy((uint32_t *)&w->unit.space_base_i + i, &w->base[i], 4);
    }
}

int main(int argc, char **argv) {
    const unsigned inject = take_inject(&argc, argv);
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    registers_at_random(bench.seed);
    static struct world world;
    struct world *w = &world;
    w->bench = bench;
    w->unit.inject_i = (uint8_t)inject;
    w->unit.op_valid_i = w->unit.clear_i = w->unit.snoop_valid_i = 0;
    w->unit.mem_req_ready_i = w->unit.mem_rsp_valid_i = 0;
    w->time = bench_random(&w->bench);
    reset(w->unit);
    for (uint32_t c = 0; c < CHANNELS; c++)
        settings(w, c);
    while (bench_more(&w->bench)) {
        const uint32_t c = bench_below(&w->bench, CHANNELS);
        struct wait *wait = &w->wait[c];
        if (!wait->blocked) {
            settings(w, c);
            run(w, c, choose(&w->bench));
        } else if (bench_chance(&w->bench, 1, 100)) {
            w->unit.clear_i = 1u << c;
            cycle(w);
            w->unit.clear_i = 0;
            wait->blocked = false;
            wait->addr = wait->payload = 0;
        } else if (w->unit.retry_o >> c & 1) {
            run(w, c, wait->op);
        }
        for (uint32_t i = bench_below(&w->bench, 4); i > 0; i--) {
            check_waits(w);
            if (bench_chance(&w->bench, 1, 3)) write_by_others(w);
            cycle(w);
        }
        check_waits(w);
    }
    return bench_end(&w->bench);
}
