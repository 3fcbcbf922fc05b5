// load_store with all that is in it: random memory instructions of all spaces and sizes, several inside at a time, whose
// portions, answers, rows and faults come and go when others please, in an SM whose shared memory serves its part of
// generic accesses as late as it may, and whose memory is written by others. What is to be asked for, in which order,
// and what comes out says the C twin (load_store.c), thread by thread. In windows of at most LSU_DEPTH requests, which
// nothing behind the requests holds up, load_store_split.h says the cycle in which each stands there, as well.
// Compiled with -DTHREADS= -DLANES= and so on, as the unit was verilated, and -DBENCH_CONFIG=.
#define BENCH_SHOWS "SP-2"
#include <verilated.h>

#include "load_store_split.h"
#include "load_store_world.h"
#include "tick.h"

static const uint64_t PATIENCE = 3000;  // cycles in which something must go on

// ---- what goes in ----
static void choose_mood(struct world &w) {
    struct bench *b = &w.bench;
    struct mood &m = w.mood;
    for (uint32_t *part : {&m.start, &m.in, &m.ready, &m.wb, &m.perform, &m.taken, &m.shared})
        *part = bench_chance(b, 1, 2) ? 8 : 1 + bench_below(b, 7);
    m.others = bench_below(b, 3);
    m.slow = bench_chance(b, 1, 2) ? 0 : bench_below(b, 20);
    w.up->l1_enable_i = bench_chance(b, 2, 3);
}

static bool may(struct world &w, uint32_t part) {
    return bench_chance(&w.bench, part, 8);
}

// What stands on the wires when nothing comes in.
static void drive_nothing(struct world &w) {
    struct bench *b = &w.bench;
    Vload_store &u = *w.up;
    u.start_i = u.in_valid_i = 0;
    u.access_store_i = bench_below(b, 2);
    u.access_atomic_i = bench_below(b, 2);
    u.access_warp_i = (uint8_t)bench_below(b, WARPS);
    u.access_channel_i = (uint8_t)bench_below(b, CHANNELS);
    u.region_i = (uint8_t)bench_below(b, 8);
    u.in_pass_i = (uint8_t)bench_below(b, 4);
    u.in_last_i = bench_below(b, 2);
    u.in_portion_i = (uint8_t)bench_below(b, P);
    u.in_lanes_i = (uint32_t)lanes_of(bench_random(b), 0);
    for (uint32_t l = 0; l < LANES; l++) {
        set_bits(u.in_a_i, 32 * l, 32, bench_random(b));
        set_bits(u.in_b_i, 32 * l, 32, bench_random(b));
        set_bits(u.in_c_i, 32 * l, 32, bench_random(b));
    }
}

// The next instruction, in a list of its own; none: it stays away.
static std::list<instruction> drive_start(struct world &w) {
    Vload_store &u = *w.up;
    std::list<instruction> next;
    if (!u.free_o || w.closing || !may(w, w.mood.start)) return next;
    next.push_back(choose_instruction(w));
    struct instruction &i = next.back();
    begin(w, i);
    if (w.exact) {
        const uint32_t count = requests_of(w, i);
        if (count > w.budget) {
            w.closing = ++w.misfits > 4;
            return {};
        }
        w.budget -= count;
    }
    u.start_i = 1;
    u.access_warp_i = (uint8_t)i.warp;
    u.access_pc_i = i.pc;
    u.access_exec_i = i.exec;
    u.access_store_i = i.d.store;
    u.access_atomic_i = i.d.atomic;
    u.access_generic_i = i.d.generic;
    u.access_mod_i = i.d.mod;
    u.access_rd_i = (uint8_t)i.rd;
    u.access_reg_d_i = (uint8_t)i.reg_d;
    u.access_channel_i = (uint8_t)i.slot.channel;
    u.access_constant_i = i.d.opcode == OP_LDC;
    u.access_bank_valid_i = i.bank_valid;
    u.access_bank_addr_i = i.bank_addr;
    u.access_bank_size_i = i.bank_size;
    u.access_local_i = i.d.local;
    u.access_local_base_i = i.slot.local;
    u.access_local_bytes_i = i.slot.local_bytes;
    u.shared_bytes_i = i.slot.shared_bytes;
    u.region_i = (uint8_t)i.region;
    return next;
}

// The next portion of the oldest instruction that is not all in. NULL: none comes.
static struct instruction *drive_portion(struct world &w) {
    Vload_store &u = *w.up;
    for (struct instruction &i : w.inside) {
        if (i.in != NEVER) continue;
        if (w.cycle < i.born + 2 || !may(w, w.mood.in)) return nullptr;
        while (lanes_of(i.exec, i.portion) == 0)
            i.portion++;
        const uint32_t last = (63 - (uint32_t)__builtin_clzll(i.exec)) / LANES;
        u.in_valid_i = 1;
        u.in_portion_i = (uint8_t)i.portion;
        u.in_lanes_i = lanes_of(i.exec, i.portion);
        u.in_pass_i = (uint8_t)i.pass;
        u.in_last_i = i.portion == last && i.pass + 1 == passes_of(i);
        const uint32_t offset = i.d.opcode == OP_LDC ? i.d.imm & 0xFFFF : i.d.atomic ? (uint32_t)i.d.ext : i.d.imm;
        const uint32_t row = i.d.store ? RD + i.pass : RC;
        for (uint32_t l = 0; l < LANES; l++) {
            const uint32_t t = i.portion * LANES + l;
            if (i.pass == 0) set_bits(u.in_a_i, 32 * l, 32, i.given[RA * THREADS + t] + offset);  // execute adds it
            set_bits(u.in_b_i, 32 * l, 32, i.given[RB * THREADS + t]);
            set_bits(u.in_c_i, 32 * l, 32, i.d.store && i.d.rd == ISA_RZ ? 0 : i.given[row * THREADS + t]);
        }
        return &i;
    }
    return nullptr;
}

static void drive_memory(struct world &w) {
    struct bench *b = &w.bench;
    Vload_store &u = *w.up;
    u.changed_i = bench_chance(b, 1, 400);
    for (uint32_t k = 0; u.changed_i && k < 8; k++)
        change_line(w, w.page * (PAGE / 32) + w.hot + k);
    u.req_ready_i = may(w, w.mood.ready);
    u.rsp_valid_i = !w.answers.empty() && w.answers.front()->due <= w.cycle;
    u.rsp_fault_i = (uint8_t)(u.rsp_valid_i ? w.answers.front()->response.fault : bench_below(b, 3));
    for (uint32_t k = 0; k < 8; k++)
        u.rsp_data_i[k] = (uint32_t)bench_random(b);
    if (u.rsp_valid_i) memcpy(&u.rsp_data_i, w.answers.front()->response.data, 32);
    u.wb_ready_i = may(w, w.mood.wb);
    u.check_fault_taken_i = may(w, w.mood.taken);
    u.answer_fault_taken_i = may(w, w.mood.taken);
    u.shared_done_i = w.generic == nullptr;
    u.shared_left_i = w.left;
}

// What memory performs in this cycle; true: a request of the unit.
static bool choose_performed(struct world &w) {
    struct bench *b = &w.bench;
    Vload_store &u = *w.up;
    u.snoop_valid_i = 0;
    u.snoop_addr_i = (uint32_t)bench_random(b);
    if (!w.waiting.empty() && may(w, w.mood.perform)) {
        const struct flying &f = *w.waiting.front();
        u.snoop_valid_i = f.request.op != MEM_READ && !f.outside;
        if (u.snoop_valid_i) u.snoop_addr_i = f.line * 32;
        return true;
    }
    if (bench_chance(b, w.mood.others, 16)) {
        u.snoop_valid_i = 1;
        u.snoop_addr_i = (w.page * (PAGE / 32) + (w.hot + bench_below(b, 6)) % (PAGE / 32)) * 32;
    }
    return false;
}

// ---- what comes out: requests ----
// The oldest instruction of which a request, or the fault of its check, is to come.
static struct instruction *next_served(struct world &w) {
    for (struct instruction &i : w.inside)
        if (!i.gone && (i.in == NEVER || !i.good || i.twin.access.pending != 0)) return &i;
    return nullptr;
}

static void look_at_threads(struct world &w, const struct instruction &i, uint64_t threads) {
    struct bench *b = &w.bench;
    const uint64_t pending = i.twin.access.pending, wanted = load_store_next(&w.sm, &i.twin);
    const uint32_t p = first_portion(wanted);
    if (threads != wanted)
        bench_fail(b, "a request of threads %llx, not %llx of %llx", (unsigned long long)threads,
                   (unsigned long long)wanted, (unsigned long long)pending);
    if ((i.twin.due.shared & portion_of(p)) != 0 && (pending & portion_of(p)) == threads && w.cycle <= i.shared_done[p])
        bench_fail(b, "the last request of portion %u before shared memory has done its part of it", p);
    if (i.twin.due.shared != 0 && pending == threads && w.cycle <= i.shared_ends)
        bench_fail(b, "the last request of a generic access before shared memory has done its part");
}

static void look_at_region(struct world &w, bool asked, const struct instruction *i, bool read) {
    const Vload_store &u = *w.up;
    const bool counts = asked && read && i->d.opcode != OP_LDC && (i->region & 4) != 0;
    if (u.read_o != counts || (w.offered && !u.read_offered_o) || (counts && !u.read_offered_o) ||
        (asked && u.read_offered_o && !counts))
        bench_fail(&w.bench, "a read of a region: offered %u, done %u, not %u", u.read_offered_o, u.read_o, counts);
    if (counts &&
        (u.read_region_o != (i->region & 3) || u.read_hit_o != (u.trace_l1_hit_valid_o && !u.trace_l1_hit_joined_o)))
        bench_fail(&w.bench, "a read of region %u, hit %u, not of %u", u.read_region_o, u.read_hit_o, i->region & 3);
    w.offered = u.read_offered_o && !u.read_o;
}

// A request that does not go to memory: it is performed in the cache, or with another one.
static void look_at_hit(struct world &w, struct flying &f) {
    Vload_store &u = *w.up;
    if (f.request.op != MEM_READ || f.outside || u.trace_l1_hit_warp_o != f.of->warp ||
        u.trace_l1_hit_addr_o != f.request.addr)
        bench_fail(&w.bench, "a hit of warp %u at %08x, not %u at %08x", u.trace_l1_hit_warp_o, u.trace_l1_hit_addr_o,
                   f.of->warp, f.request.addr);
    w.hits++;
    w.all_hits++;
    if (!u.trace_l1_hit_joined_o) {
        for (const struct flying &other : w.flights)
            if (&other != &f && other.memory && !other.known && !other.outside && other.line == f.line)
                bench_fail(&w.bench, "a hit of line %08x before an earlier request of it", f.request.addr);
        memcpy(f.response.data, line_of(w, f.line).data(), 32);
        f.known = f.answered = true;
        return;
    }
    w.joins++;
    for (auto other = w.flights.rbegin(); other != w.flights.rend(); ++other)
        if (f.with == nullptr && &*other != &f && other->memory && !other->answered && !other->outside &&
            other->line == f.line)
            f.with = &*other;
    if (f.with == nullptr || f.with->request.op != MEM_READ)
        bench_fail(&w.bench, "nothing of line %08x is on its way to be joined", f.request.addr);
    f.known = f.with->known;
    f.response = f.with->response;
}

static void look_at_port(struct world &w, const struct flying *asked) {
    struct bench *b = &w.bench;
    const Vload_store &u = *w.up;
    const struct flying *wanted = asked != nullptr && asked->memory ? asked : nullptr;
    const bool later = REQUEST_CYCLES > 1 && wanted != nullptr && wanted->request.op == MEM_READ;
    if (later) wanted = nullptr;
    if (w.between != nullptr && !u.req_valid_o) bench_fail(b, "a read is not handed on");
    if (w.between != nullptr && wanted != nullptr) bench_fail(b, "two requests go to memory at once");
    if (w.between != nullptr && later) bench_fail(b, "a read takes the place of another one");
    if (w.between != nullptr) wanted = w.between;
    const bool goes = u.req_valid_o && u.req_ready_i;
    if (goes != (wanted != nullptr && (wanted != w.between || u.req_ready_i)))
        bench_fail(b, "a request goes to memory: %u", goes);
    if (!u.req_valid_o || wanted == nullptr) return;
    const struct mem_request &r = wanted->request;
    if (u.req_op_o != r.op || u.req_channel_o != r.channel || u.req_addr_o != r.addr ||
        (r.op == MEM_ATOMIC && u.req_atom_o != r.atom))
        bench_fail(b, "request %u of channel %u at %08x, not %u of %u at %08x", u.req_op_o, u.req_channel_o,
                   u.req_addr_o, r.op, r.channel, r.addr);
    if (r.op != MEM_READ && u.req_wstrb_o != r.wstrb) bench_fail(b, "strobes %08x, not %08x", u.req_wstrb_o, r.wstrb);
    for (uint32_t k = 0; k < 32; k++) {
        const uint32_t byte = (uint32_t)get_bits(u.req_wdata_o, 8 * k, 8);
        if (((r.wstrb >> k & 1) != 0 || (r.op == MEM_ATOMIC && k < 8)) && byte != r.wdata[k])
            bench_fail(b, "byte %u is %02x, not %02x", k, byte, r.wdata[k]);
    }
}

// The request that the unit hands over in this cycle, if it does.
static struct flying *look_at_request(struct world &w) {
    struct bench *b = &w.bench;
    const Vload_store &u = *w.up;
    struct instruction *i = next_served(w);
    if (!u.trace_mem_req_valid_o) {
        look_at_region(w, false, i, false);
        if (u.trace_l1_hit_valid_o) bench_fail(b, "a hit without a request");
        return nullptr;
    }
    if (i == nullptr || i->in == NEVER || !i->good)
        bench_fail(b, "a request at %08x of nothing", u.trace_mem_req_addr_o);
    look_at_threads(w, *i, u.trace_mem_req_threads_o);
    w.flights.push_back({});
    struct flying &f = w.flights.back();
    f.of = i;
    f.threads = u.trace_mem_req_threads_o;
    load_store_request(&w.sm, &i->twin, f.threads, &f.request);
    const struct mem_request &r = f.request;
    if (u.trace_mem_req_warp_o != i->warp || u.trace_mem_req_op_o != r.op || u.trace_mem_req_addr_o != r.addr ||
        u.trace_mem_req_wstrb_o != r.wstrb || u.trace_mem_req_atom_o != r.atom ||
        memcmp(&u.trace_mem_req_wdata_o, r.wdata, 32) != 0)
        bench_fail(b, "request %u.%u of warp %u at %08x %08x, not %u.%u of %u at %08x %08x, or its bytes",
                   u.trace_mem_req_op_o, u.trace_mem_req_atom_o, u.trace_mem_req_warp_o, u.trace_mem_req_addr_o,
                   u.trace_mem_req_wstrb_o, r.op, r.atom, i->warp, r.addr, r.wstrb);
    f.line = physical(w, r.channel, r.addr, &f.outside);
    look_at_region(w, true, i, r.op == MEM_READ);
    if (u.trace_l1_hit_valid_o)
        look_at_hit(w, f);
    else
        f.memory = true;
    w.misses += f.memory && r.op == MEM_READ;
    w.requests++;
    w.generics += i->d.generic;
    w.merges += r.op == MEM_WRITE && groups_of(f.threads) > 1;
    return &f;
}

static void look_at_check_fault(struct world &w) {
    const Vload_store &u = *w.up;
    if (!u.check_fault_valid_o) return;
    // It may come while the last REQUEST_CYCLES requests of those before still stand there.
    uint32_t left = 0;
    for (struct instruction &i : w.inside) {
        if (i.in != NEVER && i.good) left += requests_of(w, i);
        if (i.gone || (i.in != NEVER && i.good && left <= REQUEST_CYCLES)) continue;
        if (i.in == NEVER || i.good || u.check_fault_code_o != i.code || u.check_fault_info_o != i.info ||
            u.check_fault_warp_o != i.warp || u.check_fault_pc_o != i.pc)
            bench_fail(&w.bench, "fault %s info %08x of warp %u, model %s info %08x of %u",
                       fault_name(u.check_fault_code_o), u.check_fault_info_o, u.check_fault_warp_o,
                       i.in == NEVER || i.good ? "none" : fault_name(i.code), i.info, i.warp);
        if (!u.check_fault_taken_i) return;
        i.gone = true;
        w.check_faults++;
        w.moved = w.served_last = w.cycle;
        return;
    }
    bench_fail(&w.bench, "fault %s of nothing", fault_name(u.check_fault_code_o));
}

// ---- what comes out: rows and ends ----
// The oldest instruction that this unit ends.
static struct instruction *oldest(struct world &w) {
    for (struct instruction &i : w.inside)
        if (!i.gone && i.own != 0) return &i;
    return nullptr;
}

static void look_at_row(struct world &w, struct instruction *i) {
    struct bench *b = &w.bench;
    const Vload_store &u = *w.up;
    if (!u.wb_valid_o) return;
    uint64_t due = 0;
    for (uint32_t k = 0; i != nullptr && k < REGISTERS_PER_ACCESS_MAX; k++)
        due |= i->twin.due.wb[k];
    if (due == 0) bench_fail(b, "a row of nothing");
    const uint32_t p = first_portion(due);
    uint32_t k = 0;
    while ((i->twin.due.wb[k] & portion_of(p)) == 0)
        k++;
    if (u.wb_warp_o != i->warp || u.wb_rd_o != i->rd + k || u.wb_reg_d_o != i->reg_d + k || u.wb_portion_o != p ||
        u.wb_partial_o != 0 || u.wb_lanes_o != lanes_of(i->twin.due.wb[k], p))
        bench_fail(b, "row of warp %u R%u at %u portion %u lanes %x, not %u %u %u %u %x", u.wb_warp_o, u.wb_rd_o,
                   u.wb_reg_d_o, u.wb_portion_o, u.wb_lanes_o, i->warp, i->rd + k, i->reg_d + k, p,
                   lanes_of(i->twin.due.wb[k], p));
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t value = (uint32_t)get_bits(u.wb_data_o, 32 * l, 32),
                       model = i->registers[(RD + k) * THREADS + p * LANES + l];
        if ((u.wb_lanes_o >> l & 1) != 0 && value != model)
            bench_fail(b, "opcode %02x mod %u lane %u register %u: %08x, model %08x", i->d.opcode, i->d.mod, l, k,
                       value, model);
    }
    if (!u.wb_ready_i) return;
    i->twin.due.wb[k] &= ~portion_of(p);
    w.rows++;
    w.moved = w.cycle;
}

static bool all_answered(const struct instruction *i) {
    uint64_t due = 0;
    for (uint32_t k = 0; i != nullptr && k < REGISTERS_PER_ACCESS_MAX; k++)
        due |= i->twin.due.wb[k];
    return i != nullptr && i->in != NEVER && (i->twin.access.pending | i->twin.access.in_flight | due) == 0;
}

// The fault that memory answered; that of a warp that has faulted before is not the model's business.
static void look_at_fault(struct world &w, const struct instruction &i) {
    const Vload_store &u = *w.up;
    const struct due &due = i.twin.due;
    if (i.twin.access.failed == 0 || due.fault == i.twin.faulted || u.answer_fault_warp_o != i.warp ||
        u.answer_fault_pc_o != i.pc)
        bench_fail(&w.bench, "fault of warp %u pc %x, not %u %x", u.answer_fault_warp_o, u.answer_fault_pc_o, i.warp,
                   i.pc);
    if (due.fault && (u.answer_fault_code_o != due.fault_code || u.answer_fault_info_o != due.fault_info ||
                      due.fault_order != i.fails))
        bench_fail(&w.bench, "fault %s at %08x, model %s at %08x, or another request's",
                   fault_name(u.answer_fault_code_o), u.answer_fault_info_o, fault_name(due.fault_code),
                   due.fault_info);
}

static void look_at_end(struct world &w, struct instruction *i) {
    struct bench *b = &w.bench;
    const Vload_store &u = *w.up;
    if (!u.done_valid_o && !u.answer_fault_valid_o) return;
    if (!all_answered(i)) bench_fail(b, "an instruction ends that is not all done");
    const bool fails = i->twin.access.failed != 0;
    if (u.done_valid_o && (fails || u.done_warp_o != i->warp))
        bench_fail(b, "the end of warp %u, not %u, fault %u", u.done_warp_o, i->warp, fails);
    if (u.answer_fault_valid_o) look_at_fault(w, *i);
    for (uint32_t k = 0; k < 8; k++)
        if ((k < RD || k >= RD + i->d.registers) &&
            memcmp(&i->registers[k * THREADS], &i->before[k * THREADS], THREADS * sizeof i->before[0]) != 0)
            bench_fail(b, "the model writes R%u of opcode %02x", k, i->d.opcode);
    i->gone = u.done_valid_o || u.answer_fault_taken_i;
    w.done += u.done_valid_o;
    w.answer_faults += u.answer_fault_valid_o && u.answer_fault_taken_i;
    w.moved = w.cycle;
}

// ---- the world goes on ----
static void look_at_free(struct world &w) {
    const Vload_store &u = *w.up;
    uint32_t least = 0, most = 0, left = 0;
    for (const struct instruction &i : w.inside) {
        if (w.exact) {
            least += !i.left_intake;
            most += !i.left_intake;
            continue;
        }
        const bool comes = i.in == NEVER || (!i.good && !i.gone);
        // REQUEST_CYCLES requests may have been made that the unit has not handed over.
        left += requests_of(w, i);
        least += least != 0 || comes || left > REQUEST_CYCLES;
        most += comes || i.twin.access.pending != 0 || (i.own == 0 && !i.gone);
    }
    if ((u.free_o && least >= LSU_INTAKE) || (!u.free_o && most < LSU_INTAKE))
        bench_fail(&w.bench, "free is %u with %u to %u inside, exact %u", u.free_o, least, most, w.exact);
    w.full += !u.free_o;
}

// All before the instruction have made their requests.
static bool is_served(const struct world &w, const struct instruction *until) {
    for (const struct instruction &i : w.inside) {
        if (&i == until) return true;
        if (!i.gone && (i.in == NEVER || !i.good || i.twin.access.pending != 0)) return false;
    }
    return true;
}

// What shared memory does of its generic access; where it is lazy it leaves this unit nothing to do but what has to
// wait.
static void serve_shared(struct world &w) {
    struct instruction *i = w.generic;
    if (i == nullptr || i->in == NEVER || !may(w, w.mood.shared)) return;
    const uint64_t pending = i->twin.access.pending, next = pending == 0 ? 0 : load_store_next(&w.sm, &i->twin);
    if (i->good && i->lazy && !is_served(w, i)) return;
    for (uint32_t p = 0; p < P; p++) {
        if ((w.left >> p & 1) == 0) continue;
        const bool waits = pending == next || first_portion(pending) > p || next == (pending & portion_of(p));
        if (i->lazy && !waits) return;
        w.left &= ~(1u << p);
        i->shared_done[p] = w.cycle + 1;
        return;
    }
    if (i->good && i->lazy && pending != next) return;
    i->shared_ends = w.cycle + 1;
    w.generic = nullptr;
}

static void take_in(struct world &w, struct instruction *i) {
    const Vload_store &u = *w.up;
    if (u.in_last_i && u.refuse_o != !i->good)
        bench_fail(&w.bench, "opcode %02x is refused: %u", i->d.opcode, u.refuse_o);
    if (i->pass == 0 && (i->twin.due.shared & portion_of(i->portion)) != 0) w.left |= 1u << i->portion;
    if (u.in_last_i) i->in = w.cycle;
    do
        i->portion++;
    while (i->portion < P && lanes_of(i->exec, i->portion) == 0);
    if (i->portion == P) {
        i->portion = 0;
        i->pass++;
    }
    w.moved = w.cycle;
}

static void answer(struct world &w) {
    if (w.up->rsp_valid_i) {
        struct flying *f = w.answers.front();
        w.answers.pop_front();
        f->answered = true;
        for (struct flying &other : w.flights) {
            if (other.with != f) continue;
            other.answered = true;
            other.with = nullptr;
        }
    }
    while (!w.flights.empty() && w.flights.front().answered) {
        struct flying &f = w.flights.front();
        f.response.order = ++w.answered;
        if (f.response.fault != ANSWER_GOOD && f.of->fails == NEVER) f.of->fails = w.answered;
        load_store_answer(&w.sm, &f.of->twin, f.threads, &f.request, &f.response, 0);
        w.flights.pop_front();
    }
}

static void clear(struct world &w) {
    w.inside.clear();
    w.flights.clear();
    w.waiting.clear();
    w.answers.clear();
    w.between = nullptr;
    w.generic = nullptr;
    w.left = 0;
    w.offered = w.closing = w.stands_write = false;
    w.stands = 0;
    w.split_of = nullptr;
    w.merged = w.misfits = 0;
    w.exact = bench_chance(&w.bench, 7, 8);
    w.budget = LSU_DEPTH;
    w.moved = w.cycle;
}

// Instructions of which nothing more is to come; those without threads of their own one a cycle, when those before them
// are served.
static void forget(struct world &w) {
    for (struct instruction &i : w.inside) {
        if (i.gone || i.in >= w.cycle || !i.good || i.own != 0) continue;
        i.gone = w.served_last < w.cycle && is_served(w, &i);
        if (i.gone) w.served_last = w.cycle;
        break;
    }
    while (!w.inside.empty()) {
        const struct instruction &i = w.inside.front();
        if (!i.gone || w.generic == &i || (w.exact && !i.left_intake)) break;
        w.inside.pop_front();
    }
    if (w.exact ? w.budget == 0 : bench_chance(&w.bench, 1, 400)) w.closing = true;
    if (w.closing && w.inside.empty()) clear(w);
}

static void step(struct world &w) {
    struct bench *b = &w.bench;
    Vload_store &u = *w.up;
    if (bench_chance(b, 1, 300)) choose_mood(w);
    if (u.l1_hits_o != w.hits || u.l1_misses_o != w.misses)
        bench_fail(b, "%u hits, %u misses, not %u, %u", u.l1_hits_o, u.l1_misses_o, w.hits, w.misses);
    look_at_free(w);
    u.rst_i = bench_chance(b, 1, 2000);
    drive_nothing(w);
    std::list<instruction> next = drive_start(w);
    struct instruction *portion = drive_portion(w);
    drive_memory(w);
    const bool own = choose_performed(w);
    u.eval();
    look_at_check_fault(w);
    struct instruction *first = oldest(w);
    look_at_row(w, first);
    look_at_end(w, first);
    struct flying *asked = look_at_request(w);
    look_at_port(w, asked);
    if (w.exact) follow_split(w, asked != nullptr);
    w.exact_cycles += w.exact;
    if (asked != nullptr) w.moved = w.cycle;

    // The edge.
    serve_shared(w);
    if (portion != nullptr) take_in(w, portion);
    answer(w);
    if (own) {
        struct flying *f = w.waiting.front();
        w.waiting.pop_front();
        perform(w, *f);
    } else if (u.snoop_valid_i) {
        change_line(w, u.snoop_addr_i / 32);
    }
    if (u.req_valid_o && u.req_ready_i) w.waiting.push_back(w.between != nullptr ? w.between : asked);
    if (w.between != nullptr && u.req_ready_i) w.between = nullptr;
    if (REQUEST_CYCLES > 1 && asked != nullptr && asked->memory && asked->request.op == MEM_READ) w.between = asked;
    if (u.start_i) {
        struct instruction &i = next.front();
        i.born = w.moved = w.cycle;
        w.next_slot = (w.next_slot + 1) % SLOTS;
        w.inside.splice(w.inside.end(), next);
        if (i.d.generic) w.generic = &i;
    }
    forget(w);
    if (!w.inside.empty() && w.cycle - w.moved > PATIENCE) bench_fail(b, "nothing goes on");
    if (u.rst_i) {
        clear(w);
        w.hits = w.misses = 0;
        w.resets++;
    }
    w.cycle++;
    tick(u);
}

// A unit whose registers are anything, and memory elsewhere.
static void come_up(struct world &w) {
    delete w.up;
    registers_at_random(bench_random(&w.bench));
    w.up = new Vload_store();
    w.up->sm_index_i = (uint8_t)(w.sm.number = bench_below(&w.bench, 256));
    w.up->inject_i = 0;
    w.up->start_i = w.up->in_valid_i = w.up->rsp_valid_i = w.up->snoop_valid_i = w.up->changed_i = 0;
    place_memory(w);
    choose_mood(w);
    reset(*w.up);
    w.hits = w.misses = 0;
    clear(w);
}

int main(int argc, char **argv) {
    static struct world w;
    bench_begin(&w.bench, argc, argv, 200000);
    run_init(&w.device, bench_config(), w.bench.seed);
    w.sm.run = &w.device;
    w.sm.config = &w.device.config;
    w.sm.warps = w.warps;
    w.sm.wires.slot = w.slots;
    w.sm.portions = P;
    w.sm.all_threads = ALL_THREADS;
    while (bench_more(&w.bench)) {
        if (w.bench.op % 20000 == 1) come_up(w);
        step(w);
    }
    w.up->final();
    delete w.up;
    printf(
        "%llu requests (%llu of generic accesses, %llu stores in turns), %llu hits, %llu of them join, %llu rows, %llu "
        "ends, %llu and %llu faults, %llu cycles full, %llu exact\n",
        (unsigned long long)w.requests, (unsigned long long)w.generics, (unsigned long long)w.merges,
        (unsigned long long)w.all_hits, (unsigned long long)w.joins, (unsigned long long)w.rows,
        (unsigned long long)w.done, (unsigned long long)w.check_faults, (unsigned long long)w.answer_faults,
        (unsigned long long)w.full, (unsigned long long)w.exact_cycles);
    if (w.bench.ops >= 100000 && (w.generics == 0 || w.rows == 0 || w.all_hits == w.joins || w.joins == 0 ||
                                  w.check_faults == 0 || w.answer_faults == 0 || w.full == 0 || w.exact_cycles == 0 ||
                                  w.resets == 0 || (LANES > STORE_LANES && w.merges == 0)))
        bench_fail(&w.bench, "the stream has missed something");
    return bench_end(&w.bench);
}
