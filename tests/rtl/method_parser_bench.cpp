// method_parser: random words of command blocks on all channels, legal methods and all that is not, tasks that end, a task unit that has
// room or not, a semaphore unit that does, blocks or refuses, channels that are reset; results, and all that methods do, against the C twin
// (cmodel/host/method_parser.c). The task unit is a stand-in.
// Compiled with -DCHANNELS= as the unit was verilated.
#include <verilated.h>

#include "Vmethod_parser.h"
#include "bench.h"
#include "bench_config.h"
#include "host_program.h"
#include "port_bits.h"
#include "tick.h"

#include "../unit/host_standins.h"
#include "gen/bundles.h"
#include "gen/methods.h"

enum held { IDLE, LAUNCH, SEMAPHORE };  // HELD_* of rtl/bundles.tbl

struct line {
    struct program work;
    uint32_t place;
    bool held;  // the parser keeps a method
    enum held reason;
    bool young;  // nothing has come since its reset
};

struct parser_run {
    struct bench bench;
    Vmethod_parser rtl;
    ppu *model;
    struct line lines[CHANNELS];
    uint32_t cycles;  // of the semaphore's operation
    uint64_t methods, faults, helds, semaphores;
};

static uint32_t next_word(struct parser_run *run, uint32_t c) {
    struct bench *bench = &run->bench;
    struct line &l = run->lines[c];
    // What the semaphore words are behind a reset.
    if (l.young && bench_chance(bench, 1, 4)) {
        l.young = false;
        return OP_IMMD << 29 | HOST_SEMAPHORED_OPERATION_ACQUIRE << 16 | HOST_SEMAPHORED / 4;
    }
    l.young = false;
    if (bench_chance(bench, 1, 100)) {  // any header, also of very many words
        static const uint32_t ops[] = {OP_INC, OP_NON_INC, OP_ONE_INC, OP_IMMD};
        static const uint32_t methods[] = {0x08, 0x08, 0x2BC, 0x22BC};
        const uint32_t method =
            bench_chance(bench, 2, 3) ? methods[bench_below(bench, 4)] : 4 * bench_below(bench, 0x1000);
        return ops[bench_below(bench, 4)] << 29 | bench_below(bench, 0x2000) << 16 | bench_below(bench, 8) << 13 |
               method / 4;
    }
    if (bench_chance(bench, 1, 300)) return (uint32_t)bench_random(bench);
    while (l.place >= l.work.count) {
        program_block(&l.work);
        l.place = 0;
    }
    return l.work.words[l.place++];
}

static void reset_channel(struct parser_run *run, uint32_t c) {
    struct host_channel *t = &run->model->host->channel_state[c];
    t->semaphore_a |= 1, t->semaphore_b |= 2, t->semaphore_c |= 4, t->pcas_a |= 8, t->region |= 16, t->local |= 32;
    t->blocked_addr = t->blocked_payload = 64;
    method_parser_reset(t);
    if ((t->semaphore_a | t->semaphore_b | t->semaphore_c | t->pcas_a | t->region | t->local) != 0 ||
        (t->blocked_addr | t->blocked_payload) != 0 || t->object || t->count != 0)
        bench_fail(&run->bench, "something of channel %u of the model is left behind a reset", c);
    run->lines[c].held = false;
    run->lines[c].young = true;
    run->lines[c].work.left_over = run->lines[c].work.count = 0;
    run->lines[c].work.object = false;
}

static bool ready(const struct parser_run *run, uint32_t c) {
    switch (run->lines[c].reason) {
        case IDLE: return task_channel_idle(run->model->task, c);
        case LAUNCH: return task_can_launch(run->model->task);
        default: return run->rtl.sem_retry_i >> c & 1;
    }
}

// What stands at the outputs whatever is offered.
static void compare_state(struct parser_run *run) {
    struct bench *bench = &run->bench;
    const Vmethod_parser &rtl = run->rtl;
    for (uint32_t c = 0; c < CHANNELS; c++) {
        const struct line &l = run->lines[c];
        if ((rtl.held_o >> c & 1) != l.held) bench_fail(bench, "channel %u: held %u, not %u", c, !l.held, l.held);
        if (l.held &&
            (get_bits(rtl.held_reason_o, 2 * c, 2) != l.reason || (rtl.held_ready_o >> c & 1) != ready(run, c)))
            bench_fail(bench, "channel %u waits for %u, ready %u, not %u %u", c,
                       (uint32_t)get_bits(rtl.held_reason_o, 2 * c, 2), rtl.held_ready_o >> c & 1, l.reason,
                       ready(run, c));
        const uint32_t signature = run->model->host->channel_state[c].signature;
        if (get_bits(rtl.signature_o, 32 * c, 32) != signature)
            bench_fail(bench, "channel %u: signature %08x, model %08x", c,
                       (uint32_t)get_bits(rtl.signature_o, 32 * c, 32), signature);
    }
}

static void expect_result(struct parser_run *run, uint32_t wanted, const struct host_fault_found &fault) {
    const Vmethod_parser &rtl = run->rtl;
    if (!rtl.run_done_o || rtl.run_result_o != wanted)
        bench_fail(&run->bench, "channel %u word %08x held %u: done %u result %u, not %u", rtl.run_channel_i,
                   rtl.run_word_i, rtl.run_held_i, rtl.run_done_o, rtl.run_result_o, wanted);
    if (wanted == RUN_FAULT && (rtl.run_code_o != fault.code || rtl.run_info_o != fault.info))
        bench_fail(&run->bench, "fault %u info %08x, model %u %08x", rtl.run_code_o, rtl.run_info_o, fault.code,
                   fault.info);
}

// What a method does; m: NULL, none is executed.
static void compare_action(struct parser_run *run, const struct host_method *m, uint32_t c) {
    struct bench *bench = &run->bench;
    const Vmethod_parser &rtl = run->rtl;
    const uint32_t method = m != nullptr ? 4 * m->addr : 0xFFFF;
    if (rtl.trace_method_valid_o != (m != nullptr)) bench_fail(bench, "METHOD %u", rtl.trace_method_valid_o);
    if (m != nullptr && (rtl.trace_method_channel_o != c || rtl.trace_method_subchannel_o != m->subchannel ||
                         rtl.trace_method_addr_o != m->addr || rtl.trace_method_data_o != m->data))
        bench_fail(bench, "METHOD %03x of channel %u data %08x, model %03x %u %08x", rtl.trace_method_addr_o,
                   rtl.trace_method_channel_o, rtl.trace_method_data_o, m->addr, c, m->data);
    const bool reference = method == HOST_SET_REFERENCE, interrupt = method == HOST_NON_STALL_INTERRUPT;
    if (rtl.reference_valid_o != reference || (reference && rtl.reference_value_o != m->data))
        bench_fail(bench, "reference %u of %08x", rtl.reference_valid_o, rtl.reference_value_o);
    if (rtl.interrupt_valid_o != interrupt) bench_fail(bench, "interrupt %u", rtl.interrupt_valid_o);
    if (rtl.icache_invalidate_o != (method == COMPUTE_INVALIDATE_SHADER_CACHES))
        bench_fail(bench, "icache_invalidate_o is %u", rtl.icache_invalidate_o);
}

static void execute(struct parser_run *run, uint32_t c) {
    struct host_channel *channel = &run->model->host->channel_state[c];
    const struct host_method m = channel->method;
    struct trace_event event = {};
    expect_result(run, method_parser_is_yield(&m) ? RUN_YIELD : RUN_METHOD, {});
    compare_action(run, &m, c);
    // Nobody ends tasks here: a launch is looked at, and forgotten.
    struct task kept = *run->model->task;
    run->model->host->raised = 0;
    method_parser_execute(run->model->host, c, &event);
    if (event.kind != TRACE_METHOD || event.method.channel != c || event.method.subchannel != m.subchannel ||
        event.method.addr != m.addr || event.method.data != m.data)
        bench_fail(&run->bench, "the model executes another method");
    if (run->model->host->raised != (4 * m.addr == HOST_NON_STALL_INTERRUPT ? 1u << c : 0))
        bench_fail(&run->bench, "the model raises %08x", run->model->host->raised);
    if (4 * m.addr == HOST_SET_REFERENCE && channel->reference != m.data)
        bench_fail(&run->bench, "the model's reference is %08x", channel->reference);
    const bool launched = run->model->task->launches != kept.launches;
    const Vmethod_parser &rtl = run->rtl;
    if ((rtl.launch_valid_o && rtl.launch_ready_i) != launched)
        bench_fail(&run->bench, "launch %u", rtl.launch_valid_o);
    if (launched &&
        (rtl.launch_channel_o != c || rtl.launch_tmd_o != run->model->task->last_tmd ||
         rtl.launch_region_o != run->model->task->last_region || rtl.launch_local_o != run->model->task->last_local))
        bench_fail(&run->bench, "launch of %08x region %08x local %08x", rtl.launch_tmd_o, rtl.launch_region_o,
                   rtl.launch_local_o);
    *run->model->task = kept;
    run->lines[c].held = false;
    run->methods++;
}

static void stop(struct parser_run *run, uint32_t c, const struct host_fault_found &fault) {
    expect_result(run, RUN_FAULT, fault);
    compare_action(run, nullptr, c);
    run->faults++;
    tick(run->rtl);
    run->rtl.run_valid_i = run->rtl.sem_done_i = 0;
    run->rtl.reset_i = (uint8_t)(1u << c);  // a channel that has stopped goes on behind a reset alone
    run->rtl.eval();
    tick(run->rtl);
    run->rtl.reset_i = 0;
    reset_channel(run, c);
}

static void wait(struct parser_run *run, uint32_t c, enum held reason) {
    expect_result(run, RUN_HELD, {});
    compare_action(run, nullptr, c);
    run->lines[c].held = true;
    run->lines[c].reason = reason;
    run->helds++;
    tick(run->rtl);
}

// The semaphore unit's part: some cycles, then what it says.
static void semaphore(struct parser_run *run, uint32_t c) {
    struct bench *bench = &run->bench;
    Vmethod_parser &rtl = run->rtl;
    const struct semaphore_operation op = host_semaphore_operation(&run->model->host->channel_state[c]);
    run->semaphores++;
    // What the model says of it: a fault by itself, else an access, then what comes of that, then that it is executed.
    struct host_channel *t = &run->model->host->channel_state[c];
    struct host_fault_found fault = {};
    const uint32_t code = semaphore_unit_check(&op);
    const enum host_due due = method_parser_due(run->model->host, c, &fault);
    if (due != (code != FAULT_NONE ? HOST_DUE_FAULT : HOST_DUE_SEMAPHORE_ACCESS) ||
        (code != FAULT_NONE && (fault.code != code || fault.info != (uint32_t)op.addr)))
        bench_fail(bench, "due of a semaphore is %s", host_due_name(due));
    t->tried = true;
    if (method_parser_due(run->model->host, c, &fault) != HOST_DUE_SEMAPHORE) bench_fail(bench, "no SEMAPHORE is due");
    t->tried = false;
    t->passed = true;
    if (method_parser_due(run->model->host, c, &fault) != HOST_DUE_METHOD) bench_fail(bench, "no METHOD is due");
    t->passed = false;
    for (uint32_t left = bench_below(bench, 4);; left--) {
        rtl.sem_done_i = left == 0;
        rtl.sem_result_i = (uint8_t)(bench_chance(bench, 3, 4) ? SEMAPHORE_DONE : bench_below(bench, 3));
        rtl.sem_code_i = (uint8_t)(1 + bench_below(bench, 255));
        rtl.sem_info_i = (uint32_t)bench_random(bench);
        rtl.eval();
        if (!rtl.sem_valid_o || rtl.sem_channel_o != c || rtl.sem_word_o != op.word || rtl.sem_addr_o != op.addr ||
            rtl.sem_payload_o != op.payload)
            bench_fail(bench, "semaphore %u: %08x at %010llx payload %08x, model %08x %010llx %08x", rtl.sem_valid_o,
                       rtl.sem_word_o, (unsigned long long)rtl.sem_addr_o, rtl.sem_payload_o, op.word,
                       (unsigned long long)op.addr, op.payload);
        if (left == 0) break;
        if (rtl.run_done_o) bench_fail(bench, "done before the semaphore");
        compare_action(run, nullptr, c);
        tick(rtl);
    }
    if (rtl.sem_result_i == SEMAPHORE_DONE) {
        execute(run, c);
        tick(rtl);
    } else if (rtl.sem_result_i == SEMAPHORE_BLOCKED) {
        wait(run, c, SEMAPHORE);
    } else {
        stop(run, c, {rtl.sem_code_i, rtl.sem_info_i});
    }
    rtl.sem_done_i = 0;
}

static void method(struct parser_run *run, uint32_t c) {
    struct host_channel *channel = &run->model->host->channel_state[c];
    struct host_fault_found fault = {};
    const bool is_semaphore = 4 * channel->method.addr == HOST_SEMAPHORED;
    if (is_semaphore) {
        const struct semaphore_operation op = host_semaphore_operation(channel);
        if (!semaphore_unit_waits_for_idle(&op) || task_channel_idle(run->model->task, c)) return semaphore(run, c);
    }
    if (run->rtl.sem_valid_o) bench_fail(&run->bench, "a semaphore without SEMAPHORED, or too soon");
    const enum host_due due = method_parser_due(run->model->host, c, &fault);
    const bool asks = 4 * channel->method.addr == COMPUTE_SEND_SIGNALING_PCAS_B &&
                      COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE_OF(channel->method.data) != 0 && due != HOST_DUE_FAULT;
    if (run->rtl.launch_valid_o != asks) bench_fail(&run->bench, "asks for a launch: %u, not %u", !asks, asks);
    switch (due) {
        case HOST_DUE_METHOD:
            execute(run, c);
            tick(run->rtl);
            return;
        case HOST_DUE_FAULT: return stop(run, c, fault);
        default: return wait(run, c, 4 * channel->method.addr == COMPUTE_SEND_SIGNALING_PCAS_B ? LAUNCH : IDLE);
    }
}

static void step(struct parser_run *run) {
    struct bench *bench = &run->bench;
    Vmethod_parser &rtl = run->rtl;
    task *tasks = run->model->task;
    rtl.channel_idle_i = 0;
    for (uint32_t i = 0; i < CHANNELS; i++) {
        tasks->outstanding[i] = bench_chance(bench, 2, 3) ? 0 : 1 + bench_below(bench, 5);
        rtl.channel_idle_i |= (uint8_t)((tasks->outstanding[i] == 0 ? 1u : 0u) << i);
    }
    tasks->room = bench_chance(bench, 2, 3) ? tasks->total + 1 : tasks->total;
    rtl.launch_ready_i = task_can_launch(tasks);
    rtl.sem_retry_i = (uint8_t)bench_mask(bench, CHANNELS);
    const uint32_t c = bench_below(bench, CHANNELS);
    struct line &l = run->lines[c];
    struct host_channel *channel = &run->model->host->channel_state[c];
    rtl.run_channel_i = (uint8_t)c;
    rtl.run_held_i = l.held;
    rtl.run_word_i = (uint32_t)bench_random(bench);
    rtl.sem_done_i = 0;
    if (bench_chance(bench, 1, 8)) {  // nothing is offered; a channel may be reset
        rtl.run_valid_i = 0;
        rtl.run_held_i = bench_below(bench, 2);
        rtl.sem_done_i = bench_below(bench, 2);
        rtl.reset_i = bench_chance(bench, 1, 20) ? (uint8_t)bench_mask(bench, CHANNELS) : 0;
        rtl.rst_i = bench_chance(bench, 1, 2000);
        rtl.eval();
        compare_state(run);
        compare_action(run, nullptr, c);
        if (rtl.sem_valid_o || rtl.launch_valid_o || rtl.run_done_o)
            bench_fail(bench, "something is done with nothing");
        for (uint32_t i = 0; i < CHANNELS; i++) {
            if (rtl.reset_i >> i & 1 || rtl.rst_i) reset_channel(run, i);
            if (rtl.rst_i) run->model->host->channel_state[i].signature = 0;
        }
        tick(rtl);
        rtl.reset_i = rtl.rst_i = 0;
        return;
    }
    rtl.run_valid_i = 1;
    if (l.held) {
        rtl.eval();
        compare_state(run);
        if (ready(run, c)) method(run, c);  // else it is not offered
        rtl.run_valid_i = 0;
        return;
    }
    const uint32_t word = next_word(run, c);
    rtl.run_word_i = word;
    rtl.eval();
    compare_state(run);
    const enum parsed parsed = method_parser_word(channel, word);
    if (parsed != PARSED_METHOD && (rtl.launch_valid_o || rtl.sem_valid_o))
        bench_fail(bench, "a header does something");
    switch (parsed) {
        case PARSED_NOTHING:
            expect_result(run, RUN_NEXT, {});
            compare_action(run, nullptr, c);
            tick(rtl);
            break;
        case PARSED_END:
            expect_result(run, RUN_END, {});
            compare_action(run, nullptr, c);
            l.place = l.work.count;
            tick(rtl);
            break;
        case PARSED_ERROR: stop(run, c, {FAULT_PBENTRY, word}); break;
        case PARSED_METHOD: method(run, c); break;
    }
    rtl.run_valid_i = 0;
}

int main(int argc, char **argv) {
    static struct parser_run run;
    bench_begin(&run.bench, argc, argv, 200000);
    registers_at_random(run.bench.seed);
    run.model = ppu_create(bench_config(), 1u << 20, run.bench.seed);
    Vmethod_parser &rtl = run.rtl;
    rtl.run_valid_i = rtl.reset_i = rtl.inject_i = rtl.sem_done_i = 0;
    for (uint32_t c = 0; c < CHANNELS; c++) {
        run.lines[c].work.bench = &run.bench;
        reset_channel(&run, c);
    }
    reset(rtl);
    while (bench_more(&run.bench))
        step(&run);
    rtl.final();
    printf("%llu methods, %llu faults, %llu that wait, %llu semaphores\n", (unsigned long long)run.methods,
           (unsigned long long)run.faults, (unsigned long long)run.helds, (unsigned long long)run.semaphores);
    ppu_destroy(run.model);
    return bench_end(&run.bench);
}
