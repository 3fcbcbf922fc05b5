// host_port: random reads and writes of a CPU, whose channels come when they like, in front of a memory that takes requests and answers when it
// likes, and fails: every output in every cycle, and the words that are read, against words that are kept here. There is no C twin: the
// model's CPU has memory in its hands. Compiled with -DCHANNELS= as the unit was verilated.
#include <verilated.h>

#include <cstring>

#include "Vhost_port.h"
#include "bench.h"
#include "line_port.h"
#include "tick.h"

#include "gen/bundles.h"

enum stage { IDLE, ASKING, WAITING, ANSWERED };

struct run {
    struct bench bench;
    Vhost_port rtl;
    enum stage stage;
    // the access under way, what is said of it in the end, and for how long it has not gone on
    bool write;
    uint32_t addr, data, strb, read, resp;
    struct line_memory memory;
    std::map<uint32_t, uint32_t> words;
    // what the CPU holds until it is taken
    bool aw, w, ar;
    uint64_t together, failed, good;
};

static uint32_t random_address(struct bench *bench) {
    const uint32_t high = bench_chance(bench, 1, 2) ? 0u : 0xFFFFFF00u;
    return (high + bench_below(bench, 256)) & ~3u;
}

// The low bits of an address say nothing.
static void ask(struct run *run) {
    struct bench *bench = &run->bench;
    Vhost_port &rtl = run->rtl;
    if (!run->aw) {
        run->aw = bench_chance(bench, 1, 6);
        rtl.h_axil_awaddr_i = random_address(bench) + bench_below(bench, 4);
    }
    if (!run->w) {
        run->w = bench_chance(bench, 1, 6);
        rtl.h_axil_wdata_i = (uint32_t)bench_random(bench);
        rtl.h_axil_wstrb_i = (uint8_t)bench_mask(bench, 4);
    }
    if (!run->ar) {
        run->ar = bench_chance(bench, 1, 4);
        rtl.h_axil_araddr_i = random_address(bench) + bench_below(bench, 4);
    }
    rtl.h_axil_awvalid_i = run->aw;
    rtl.h_axil_wvalid_i = run->w;
    rtl.h_axil_arvalid_i = run->ar;
    rtl.h_axil_bready_i = bench_chance(bench, 1, 2);
    rtl.h_axil_rready_i = bench_chance(bench, 1, 2);
}

static void check_request(struct run *run) {
    const Vhost_port &rtl = run->rtl;
    const uint32_t at = run->addr / 4 % 8;
    if (rtl.req_op_o != (run->write ? REQUEST_WRITE : REQUEST_READ) || rtl.req_addr_o != (run->addr & ~31u) ||
        rtl.req_wstrb_o != (run->write ? run->strb << 4 * at : 0u) || rtl.req_atom_o != 0 || rtl.req_channel_o != 0)
        bench_fail(&run->bench, "%s of %x: the request is %u of %x, bytes %08x", run->write ? "write" : "read",
                   run->addr, rtl.req_op_o, rtl.req_addr_o, rtl.req_wstrb_o);
    if (run->write && get_bits(rtl.req_wdata_o, 32 * at, 32) != run->data)
        bench_fail(&run->bench, "write of %x: %08x, not %08x", run->addr,
                   (uint32_t)get_bits(rtl.req_wdata_o, 32 * at, 32), run->data);
}

static void check(struct run *run) {
    const Vhost_port &rtl = run->rtl;
    const bool writes = run->stage == IDLE && run->aw && run->w, reads = run->stage == IDLE && run->ar && !writes;
    const bool ends = run->stage == ANSWERED;
    if (rtl.h_axil_awready_o != writes || rtl.h_axil_wready_o != writes || rtl.h_axil_arready_o != reads)
        bench_fail(&run->bench, "takes %u %u %u, not %u %u", rtl.h_axil_awready_o, rtl.h_axil_wready_o,
                   rtl.h_axil_arready_o, writes, reads);
    if (rtl.req_valid_o != (run->stage == ASKING)) bench_fail(&run->bench, "req_valid_o is %u", rtl.req_valid_o);
    if (rtl.h_axil_bvalid_o != (ends && run->write) || rtl.h_axil_rvalid_o != (ends && !run->write))
        bench_fail(&run->bench, "answers %u %u", rtl.h_axil_bvalid_o, rtl.h_axil_rvalid_o);
    if (run->stage == ASKING) check_request(run);
    if (!ends) return;
    const uint32_t resp = run->write ? rtl.h_axil_bresp_o : rtl.h_axil_rresp_o;
    if (resp != run->resp) bench_fail(&run->bench, "answers %u, not %u", resp, run->resp);
    if (!run->write && resp == 0 && rtl.h_axil_rdata_o != run->read)
        bench_fail(&run->bench, "read of %x: %08x, not %08x", run->addr, rtl.h_axil_rdata_o, run->read);
}

// An access is taken: of a read, what stands there now is what it gives, as nothing else is under way.
static void take(struct run *run) {
    Vhost_port &rtl = run->rtl;
    run->write = run->aw && run->w;
    if (!run->write && !run->ar) return;
    run->together += run->write && run->ar;
    run->addr = (run->write ? rtl.h_axil_awaddr_i : rtl.h_axil_araddr_i) & ~3u;
    run->data = rtl.h_axil_wdata_i;
    run->strb = rtl.h_axil_wstrb_i;
    run->stage = ASKING;
    if (run->write) run->aw = run->w = false;
    if (!run->write) run->ar = false;
}

static void write_word(struct run *run) {
    uint32_t &word = run->words[run->addr];
    for (uint32_t b = 0; b < 4; b++)
        if (run->strb >> b & 1) word = (word & ~(0xFFu << 8 * b)) | (run->data & 0xFFu << 8 * b);
}

static void answered(struct run *run, bool good) {
    run->stage = ANSWERED;
    run->resp = good ? 0 : 2;
    run->good += good;
    run->failed += !good;
    run->read = run->words[run->addr];
    if (run->write && good) write_word(run);
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vhost_port &rtl = run->rtl;
    ask(run);
    const struct line_answer *answer =
        line_drive(bench, rtl, &run->memory, rtl.req_ready_i, rtl.rsp_valid_i, rtl.rsp_data_i, rtl.rsp_fault_i);
    rtl.rst_i = bench_chance(bench, 1, 500);
    rtl.eval();
    check(run);
    switch (run->stage) {
        case IDLE: take(run); break;
        case ASKING: {
            struct line_request request;
            if (!line_take(rtl.req_valid_o, rtl.req_ready_i, rtl.req_op_o, rtl.req_addr_o, rtl.req_wstrb_o,
                           rtl.req_wdata_o, &request))
                break;
            if (!rtl.rst_i) line_accept(bench, &run->memory, &request, 0);
            run->stage = WAITING;
            break;
        }
        case WAITING:
            if (answer != nullptr) answered(run, answer->fault == ANSWER_GOOD);
            break;
        case ANSWERED:
            if (run->write ? rtl.h_axil_bready_i : rtl.h_axil_rready_i) run->stage = IDLE;
            break;
    }
    if (rtl.rst_i) {  // whoever resets it resets memory_unit as well; what has been written is written
        if (run->write && !run->memory.answers.empty() && run->memory.answers.front().fault == 0) write_word(run);
        run->memory.answers.clear();
        run->stage = IDLE;
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.memory.fail_part = 1;
    run.memory.fail_whole = 10;
    run.rtl.rsp_valid_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops > 10000 && (run.together == 0 || run.failed == 0 || run.good == 0))
        bench_fail(&run.bench, "no read waited for a write, or none failed");
    return bench_end(&run.bench);
}
