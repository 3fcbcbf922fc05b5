// task_unit: random launches of good and malformed TMDs from several channels, with SMs that take CTAs when they
// please, end them at random times and sometimes fault, and a memory that answers late; against the C twin, event by
// event. TU-1, TU-2, TU-3, TU-4, TU-6, TU-11, WQ-6. Checked besides the twin: every CTA of a task that ends well was
// launched exactly once, in order of priority; the fault that was put into a TMD is the one that is told; releases are
// in memory; idle and outstanding counts are exact; the slot fields are those of the TMD. Compiled with -DTHREADS=
// -DLANES= -DWARPS= -DSMS= -DCHANNELS= -DTASK_SLOTS= -DPENDING_TASKS= -DVGPR_ROWS= -DSHARED_BYTES= -DCONST_BANKS=
// -DNS_PER_CYCLE= as the unit was verilated, and -DDEFECT= to see that a defect on purpose is found.
#include <verilated.h>

#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "Vtask_unit.h"
#define BENCH_SHOWS "TU-1 TU-2 TU-3 TU-4 TU-6 TU-11"
#include "bench.h"
#include "inject.h"
#include "port_bits.h"
#include "task_tmds.h"
#include "tick.h"

extern "C" {
#include "mem/mem.h"
#include "task/task.h"
}

double sc_time_stamp() {
    return 0;
}

static const uint32_t SPACE_BYTES = 0x8000;
static const uint32_t MEMORY_BYTES = CHANNELS * SPACE_BYTES;
static const uint32_t TMD_PLACES = 40;  // 256 bytes each, from the start of the space
static const uint32_t REGION = 0x1000;
static const uint32_t LOCAL = 0x20;
static const uint32_t RELEASES = 0x6000;
static const uint32_t SM_CTAS = 3;  // CTAs that a stand-in SM holds
static const uint32_t SILENCE = 30000;

struct fault {
    bool valid;
    uint32_t code, info, pc;
};

struct cta {
    uint32_t slot;
    bool faulty;
};

struct memory_access {
    uint32_t op, atom, channel, addr, wstrb;
    uint8_t wdata[32], data[32];
    uint32_t fault, delay;
    bool performed;
};

// What is known of a task that has been launched, apart from both twins.
struct expected {
    uint32_t local;  // base that goes with the launch
    uint32_t code;
    uint32_t words[TMD_WORDS];
};

struct test {
    struct bench *bench;
    Vtask_unit unit;
    struct ppu ppu;
    uint8_t *memory;  // the RTL's
    uint64_t cycle, last_event;
    // channels
    bool halted[CHANNELS];
    uint32_t halt_delay[CHANNELS];
    struct fault rtl_fault[CHANNELS], model_fault[CHANNELS];
    bool place_used[CHANNELS][TMD_PLACES];
    std::map<std::pair<uint32_t, uint32_t>, struct expected> tasks;  // by channel and TMD address
    bool launching;
    uint32_t launch_channel, launch_tmd, launch_local;
    // SMs
    std::vector<struct cta> ctas[SMS];
    bool done[SMS], faulting[SMS];
    uint32_t done_slot[SMS];
    // what was launched of the task in a slot
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> launched[TASK_SLOTS];
    uint64_t started[TASK_SLOTS];
    std::deque<memory_access> accesses;
    uint64_t ended, refused, dropped, killed;
};

static struct test *the_test;  // for the stand-ins that the C twin calls

// ---- stand-ins for the rest of the model
// -----------------------------------------------------------------------------------------
extern "C" {
void host_space(const struct host *, uint32_t channel, uint32_t *base, uint32_t *size) {
    *base = channel * SPACE_BYTES;
    *size = SPACE_BYTES;
}
bool host_channel_halted(const struct host *, uint32_t channel) {
    return the_test->halted[channel];
}
void host_fault(struct ppu *, uint32_t channel, uint32_t code, uint32_t info, uint32_t pc) {
    struct fault *f = &the_test->model_fault[channel];
    if (!f->valid) *f = {true, code, info, pc};
}
bool sm_can_take_cta(const struct ppu *, unsigned sm, uint32_t) {
    return the_test->ctas[sm].size() < SM_CTAS;
}
void sm_take_cta(struct ppu *, unsigned, uint32_t, uint32_t, uint32_t, uint32_t) {}
void ppu_emit(struct ppu *, const struct trace_event *) {}
bool ppu_refuse(struct why why, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(why.text, why.size, format, list);
    va_end(list);
    return false;
}
}

// ---- events
// ------------------------------------------------------------------------------------------------------------------------
static void follow(struct test *t, struct trace_event *rtl) {
    struct trace_event model;
    char why[200] = "", a[400], b[400];
    rtl->cycle = t->cycle;
    t->ppu.cycles = t->cycle;
    memset(&model, 0, sizeof model);
    model.kind = rtl->kind;
    t->last_event = t->cycle;
    bench_more(t->bench);
    trace_event_print(rtl, a, sizeof a);
    if (!task_follow(&t->ppu, rtl, &model, {why, sizeof why})) bench_fail(t->bench, "%s: %s", a, why);
    const int field = trace_event_compare(rtl, &model);
    if (field < 0) return;
    trace_event_print(&model, b, sizeof b);
    bench_fail(t->bench, "differs in %s:\n  rtl   %s\n  model %s", trace_field_name(rtl->kind, field), a, b);
}

static void event_task_start(struct test *t) {
    Vtask_unit &u = t->unit;
    if (!u.trace_task_start_valid_o) return;
    struct trace_event e;
    memset(&e, 0, sizeof e);
    e.kind = TRACE_TASK_START;
    e.task_start.slot = u.trace_task_start_slot_o;
    e.task_start.channel = u.trace_task_start_channel_o;
    e.task_start.tmd = u.trace_task_start_tmd_o;
    e.task_start.pc = u.trace_task_start_pc_o;
    follow(t, &e);
    const auto found = t->tasks.find({e.task_start.channel, e.task_start.tmd});
    if (found == t->tasks.end() || found->second.code != FAULT_NONE)
        bench_fail(t->bench, "the task at 0x%x of channel %u starts; its TMD is malformed (fault %u)", e.task_start.tmd,
                   e.task_start.channel, found == t->tasks.end() ? 0 : found->second.code);
    t->launched[e.task_start.slot].clear();
    t->started[e.task_start.slot] = t->cycle;
}

// The flat outputs of a slot are what the TMD says.
static void check_slot(struct test *t, uint32_t k) {
    Vtask_unit &u = t->unit;
    const uint32_t channel =
        static_cast<uint32_t>(get_bits(u.slot_channel_o, k * index_bits(CHANNELS), index_bits(CHANNELS)));
    const uint32_t tmd = static_cast<uint32_t>(get_bits(u.slot_tmd_o, 32 * k, 32));
    const auto found = t->tasks.find({channel, tmd});
    if (found == t->tasks.end())
        bench_fail(t->bench, "slot %u shows a task at 0x%x of channel %u, which does not exist", k, tmd, channel);
    const uint32_t *w = found->second.words;
    const uint32_t threads = tmd_get(w, TMD_CTA_THREAD_DIMENSION0, 0) * tmd_get(w, TMD_CTA_THREAD_DIMENSION1, 0) *
                             tmd_get(w, TMD_CTA_THREAD_DIMENSION2, 0);
    const struct {
        const char *name;
        uint64_t rtl, tmd;
    } fields[] = {
        {"region", get_bits(u.slot_region_o, 32 * k, 32), REGION},
        {"local", get_bits(u.slot_local_base_o, 32 * k, 32), LOCAL},
        {"local bytes", get_bits(u.slot_local_bytes_o, 24 * k, 24), tmd_get(w, TMD_LOCAL_MEMORY_LOW, 0)},
        {"code_base", get_bits(u.slot_code_base_o, 32 * k, 32), REGION + tmd_get(w, TMD_PROGRAM_OFFSET, 0)},
        {"code_size", get_bits(u.slot_code_size_o, 32 * k, 32), tmd_get(w, TMD_TANDEM_CODE_SIZE, 0)},
        {"ntid_x", get_bits(u.slot_ntid_x_o, 16 * k, 16), tmd_get(w, TMD_CTA_THREAD_DIMENSION0, 0)},
        {"ntid_y", get_bits(u.slot_ntid_y_o, 16 * k, 16), tmd_get(w, TMD_CTA_THREAD_DIMENSION1, 0)},
        {"ntid_z", get_bits(u.slot_ntid_z_o, 16 * k, 16), tmd_get(w, TMD_CTA_THREAD_DIMENSION2, 0)},
        {"grid_x", get_bits(u.slot_grid_x_o, 32 * k, 32), tmd_get(w, TMD_CTA_RASTER_WIDTH, 0)},
        {"grid_y", get_bits(u.slot_grid_y_o, 16 * k, 16), tmd_get(w, TMD_CTA_RASTER_HEIGHT, 0)},
        {"grid_z", get_bits(u.slot_grid_z_o, 16 * k, 16), tmd_get(w, TMD_CTA_RASTER_DEPTH, 0)},
        {"threads", get_bits(u.slot_threads_o, 16 * k, 16), threads},
        {"registers", get_bits(u.slot_registers_o, 8 * k, 8), tmd_get(w, TMD_REGISTER_COUNT, 0)},
        {"shared", get_bits(u.slot_shared_o, 18 * k, 18), tmd_get(w, TMD_SHARED_MEMORY_SIZE, 0)},
        {"const_valid", get_bits(u.slot_const_valid_o, CONST_BANKS * k, CONST_BANKS),
         tmd_get(w, TMD_CONSTANT_BUFFER_VALID, 0)},
    };
    for (const auto &f : fields) {
        if (f.rtl != f.tmd)
            bench_fail(t->bench, "slot_%s of slot %u is 0x%" PRIx64 ", the TMD says 0x%" PRIx64, f.name, k, f.rtl,
                       f.tmd);
    }
    for (uint32_t b = 0; b < CONST_BANKS; b++) {
        const uint32_t at = k * CONST_BANKS + b;
        if (get_bits(u.slot_const_addr_o, 32 * at, 32) != tmd_get(w, TMD_CONSTANT_BUFFER_ADDR_LOWER, b) ||
            get_bits(u.slot_const_size_o, 17 * at, 17) != tmd_get(w, TMD_CONSTANT_BUFFER_SIZE, b))
            bench_fail(t->bench, "constant buffer %u of slot %u is not the TMD's", b, k);
    }
}

// No task of higher priority, started a while ago, has CTAs left.
static void check_priority(struct test *t, uint32_t slot) {
    const struct task *task = t->ppu.task;
    const uint32_t group = task->slots[slot].task.group;
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        const struct running_task *r = &task->slots[k];
        if (!r->task.slot.busy || r->launched || r->task.slot.kill || t->cycle < t->started[k] + 4) continue;
        if (r->task.sequential || t->halted[r->task.slot.channel]) continue;
        if (r->task.group > group)
            bench_fail(t->bench, "a CTA of slot %u (priority %u) goes before those of slot %u (priority %u)", slot,
                       group, k, r->task.group);
    }
}

static void event_cta_launch(struct test *t) {
    Vtask_unit &u = t->unit;
    uint32_t taken = SMS;
    for (uint32_t s = 0; s < SMS; s++) {
        if (get_bits(u.cta_valid_o, s, 1) != 0 && get_bits(u.cta_ready_i, s, 1) != 0) taken = s;
    }
    if ((taken != SMS) != (u.trace_cta_launch_valid_o != 0))
        bench_fail(t->bench, "CTA_LAUNCH and the handshake with an SM do not fit");
    if (taken == SMS) return;
    struct trace_event e;
    memset(&e, 0, sizeof e);
    e.kind = TRACE_CTA_LAUNCH;
    e.cta_launch.slot = u.trace_cta_launch_slot_o;
    e.cta_launch.sm = u.trace_cta_launch_sm_o;
    e.cta_launch.x = u.trace_cta_launch_x_o;
    e.cta_launch.y = u.trace_cta_launch_y_o;
    e.cta_launch.z = u.trace_cta_launch_z_o;
    const uint32_t slot =
        static_cast<uint32_t>(get_bits(u.cta_slot_o, index_bits(TASK_SLOTS) * taken, index_bits(TASK_SLOTS)));
    if (e.cta_launch.sm != taken || e.cta_launch.slot != slot ||
        e.cta_launch.x != get_bits(u.cta_x_o, 32 * taken, 32) ||
        e.cta_launch.y != get_bits(u.cta_y_o, 16 * taken, 16) || e.cta_launch.z != get_bits(u.cta_z_o, 16 * taken, 16))
        bench_fail(t->bench, "the SM gets another CTA than CTA_LAUNCH says");
    check_slot(t, slot);
    check_priority(t, slot);
    follow(t, &e);
    t->ctas[taken].push_back({slot, bench_chance(t->bench, 1, 1000)});
    t->launched[slot][std::make_tuple(e.cta_launch.x, e.cta_launch.y, e.cta_launch.z)]++;
}

// ---- the memory
// --------------------------------------------------------------------------------------------------------------------
static void perform_access(struct test *t, struct memory_access *a) {
    struct trace_event e;
    memset(&e, 0, sizeof e);
    e.kind = TRACE_PERFORM;
    e.perform.port = MEM_PORT_TASK;
    e.perform.op = a->op;
    e.perform.channel = a->channel;
    e.perform.addr = a->addr;
    e.perform.wstrb = a->wstrb;
    if (a->op != MEM_READ) memcpy(e.perform.wdata, a->wdata, 32);
    a->fault = a->addr >= SPACE_BYTES ? 1 : 0;
    e.perform.fault = a->fault;
    a->performed = true;
    if (a->fault == 0) {
        uint8_t *line = t->memory + a->channel * SPACE_BYTES + a->addr;
        if (a->op == MEM_READ) memcpy(a->data, line, 32);
        for (uint32_t i = 0; a->op == MEM_WRITE && i < 32; i++) {
            if (a->wstrb >> i & 1) line[i] = a->wdata[i];
        }
        if (a->op == MEM_ATOMIC) {
            uint32_t old, operand;
            memcpy(&old, line, 4);
            memcpy(&operand, a->wdata, 4);
            const uint32_t value = atomic_unit_result(a->atom, old, operand, 0);
            memcpy(line, &value, 4);
        }
    }
    follow(t, &e);
}

static void memory_cycle(struct test *t) {
    Vtask_unit &u = t->unit;
    // Requests are performed in order, some time after they came; answered in order, some time after that.
    for (struct memory_access &a : t->accesses) {
        if (a.performed) continue;
        if (bench_chance(t->bench, 1, 3)) perform_access(t, &a);
        break;
    }
    if (!t->accesses.empty() && u.rsp_valid_i) t->accesses.pop_front();
    if (u.req_valid_o && u.req_ready_i) {
        struct memory_access a;
        memset(&a, 0, sizeof a);
        a.op = u.req_op_o;
        a.atom = u.req_atom_o;
        a.channel = static_cast<uint32_t>(get_bits(u.req_channel_o, 0, index_bits(CHANNELS)));
        a.addr = u.req_addr_o;
        a.wstrb = u.req_wstrb_o;
        a.delay = bench_below(t->bench, 12);
        memcpy(a.wdata, &u.req_wdata_o, 32);
        t->accesses.push_back(a);
    }
}

static void memory_drive(struct test *t) {
    Vtask_unit &u = t->unit;
    u.req_ready_i = bench_chance(t->bench, 3, 4);
    u.rsp_valid_i = 0;
    if (t->accesses.empty() || !t->accesses.front().performed) return;
    struct memory_access *a = &t->accesses.front();
    if (a->delay != 0) {
        a->delay--;
        return;
    }
    u.rsp_valid_i = 1;
    u.rsp_fault_i = static_cast<uint8_t>(a->fault);
    memcpy(&u.rsp_data_i, a->data, 32);
}

// ---- SMs
// ---------------------------------------------------------------------------------------------------------------------------
static void sm_drive(struct test *t) {
    Vtask_unit &u = t->unit;
    for (uint32_t s = 0; s < SMS; s++) {
        set_bits(u.cta_ready_i, s, 1, t->ctas[s].size() < SM_CTAS && bench_chance(t->bench, 1, 2));
        t->done[s] = t->faulting[s] = false;
        if (!t->ctas[s].empty()) {
            const uint32_t at = bench_below(t->bench, static_cast<uint32_t>(t->ctas[s].size()));
            struct cta *c = &t->ctas[s][at];
            const bool killed = get_bits(u.slot_kill_o, c->slot, 1) != 0;
            if (c->faulty && !killed && bench_chance(t->bench, 1, 4)) {
                t->faulting[s] = true;
                c->faulty = false;
                set_bits(u.sm_fault_slot_i, index_bits(TASK_SLOTS) * s, index_bits(TASK_SLOTS), c->slot);
                set_bits(u.sm_fault_code_i, 8 * s, 8, 32 + bench_below(t->bench, 8));
                set_bits(u.sm_fault_info_i, 32 * s, 32, static_cast<uint32_t>(bench_random(t->bench)));
                set_bits(u.sm_fault_pc_i, 32 * s, 32, static_cast<uint32_t>(bench_random(t->bench)));
            } else if (!c->faulty && bench_chance(t->bench, 1, killed ? 3 : 12)) {
                t->done[s] = true;
                t->done_slot[s] = c->slot;
                t->ctas[s].erase(t->ctas[s].begin() + at);
            } else if (killed) {
                c->faulty = false;
            }
        }
        set_bits(u.sm_fault_valid_i, s, 1, t->faulting[s]);
        set_bits(u.cta_done_valid_i, s, 1, t->done[s]);
        set_bits(u.cta_done_slot_i, index_bits(TASK_SLOTS) * s, index_bits(TASK_SLOTS),
                 t->done[s] ? t->done_slot[s] : 0);
    }
}

static void events_of_sms(struct test *t) {
    Vtask_unit &u = t->unit;
    for (uint32_t s = 0; s < SMS; s++) {
        if (t->faulting[s]) {
            task_warp_fault(
                &t->ppu,
                static_cast<uint32_t>(get_bits(u.sm_fault_slot_i, index_bits(TASK_SLOTS) * s, index_bits(TASK_SLOTS))),
                static_cast<uint32_t>(get_bits(u.sm_fault_code_i, 8 * s, 8)),
                static_cast<uint32_t>(get_bits(u.sm_fault_info_i, 32 * s, 32)),
                static_cast<uint32_t>(get_bits(u.sm_fault_pc_i, 32 * s, 32)));
        }
        if (t->done[s]) task_cta_done(&t->ppu, s, t->done_slot[s]);
    }
    if (u.trace_cta_end_valid_o) {
        struct trace_event e;
        memset(&e, 0, sizeof e);
        e.kind = TRACE_CTA_END;
        e.cta_end.sm = u.trace_cta_end_sm_o;
        e.cta_end.slot = u.trace_cta_end_slot_o;
        follow(t, &e);
    }
}

// ---- tasks end
// ---------------------------------------------------------------------------------------------------------------------
static void forget_task(struct test *t, uint32_t channel, uint32_t tmd) {
    t->tasks.erase({channel, tmd});
    if (tmd / TMD_BYTES < TMD_PLACES) t->place_used[channel][tmd / TMD_BYTES] = false;
}

static void event_task_end(struct test *t) {
    Vtask_unit &u = t->unit;
    if (!u.trace_task_end_valid_o) return;
    struct trace_event e;
    memset(&e, 0, sizeof e);
    e.kind = TRACE_TASK_END;
    e.task_end.slot = u.trace_task_end_slot_o;
    e.task_end.channel = u.trace_task_end_channel_o;
    e.task_end.tmd = u.trace_task_end_tmd_o;
    e.task_end.killed = u.trace_task_end_killed_o;
    follow(t, &e);
    const struct expected *x = &t->tasks.at({e.task_end.channel, e.task_end.tmd});
    const uint32_t slot = e.task_end.slot;
    for (const auto &c : t->launched[slot]) {
        if (c.second != 1) bench_fail(t->bench, "a CTA of slot %u was launched %u times", slot, c.second);
    }
    const size_t all = static_cast<size_t>(tmd_get(x->words, TMD_CTA_RASTER_WIDTH, 0)) *
                       tmd_get(x->words, TMD_CTA_RASTER_HEIGHT, 0) * tmd_get(x->words, TMD_CTA_RASTER_DEPTH, 0);
    if (!e.task_end.killed && t->launched[slot].size() != all)
        bench_fail(t->bench, "the task of slot %u ends with %zu of %zu CTAs launched", slot, t->launched[slot].size(),
                   all);
    (e.task_end.killed ? t->killed : t->ended)++;
    forget_task(t, e.task_end.channel, e.task_end.tmd);
}

static void event_task_refused(struct test *t) {
    Vtask_unit &u = t->unit;
    if (!u.trace_task_refused_valid_o) return;
    struct trace_event e;
    memset(&e, 0, sizeof e);
    e.kind = TRACE_TASK_REFUSED;
    e.task_refused.channel = u.trace_task_refused_channel_o;
    e.task_refused.tmd = u.trace_task_refused_tmd_o;
    e.task_refused.code = u.trace_task_refused_code_o;
    e.task_refused.info = u.trace_task_refused_info_o;
    follow(t, &e);
    const uint32_t expected = t->tasks.at({e.task_refused.channel, e.task_refused.tmd}).code;
    if (e.task_refused.code != FAULT_NONE && e.task_refused.code != expected)
        bench_fail(t->bench, "the task at 0x%x is refused with fault %u (%s), not %u (%s)", e.task_refused.tmd,
                   e.task_refused.code, fault_name(e.task_refused.code), expected, fault_name(expected));
    (e.task_refused.code == FAULT_NONE ? t->dropped : t->refused)++;
    forget_task(t, e.task_refused.channel, e.task_refused.tmd);
}

// ---- channels
// ------------------------------------------------------------------------------------------------------------------------
static void begin_launch(struct test *t) {
    struct bench *bench = t->bench;
    const uint32_t c = bench_below(bench, CHANNELS), place = bench_below(bench, TMD_PLACES);
    if (t->halted[c] || t->place_used[c][place]) return;
    struct expected x;
    const struct tmd_space space = {SPACE_BYTES, REGION, LOCAL, RELEASES + 256 * (place % 8)};
    tmd_random_good(bench, &t->ppu.config, &space, x.words);
    x.code = FAULT_NONE;
    x.local = LOCAL;
    if (bench_chance(bench, 1, 10)) {
        x.code = tmd_spoil(bench, &t->ppu.config, &space, x.words);
    } else if (tmd_get(x.words, TMD_LOCAL_MEMORY_LOW, 0) != 0 && bench_chance(bench, 1, 10)) {
        x.local = bench_chance(bench, 1, 2) ? 0 : LOCAL + 4;
        x.code = FAULT_TMD_LOCAL_MEMORY;
    }
    t->place_used[c][place] = true;
    t->launching = true;
    t->launch_channel = c;
    t->launch_tmd = place * TMD_BYTES;
    t->launch_local = x.local;
    if (bench_chance(bench, 1, 60)) {  // a TMD outside the space
        t->place_used[c][place] = false;
        t->launch_tmd = SPACE_BYTES + place * TMD_BYTES;
        x.code = FAULT_TMD_FETCH;
        if (t->tasks.count({c, t->launch_tmd}) != 0) {
            t->launching = false;
            return;
        }
    } else {
        memcpy(t->memory + c * SPACE_BYTES + t->launch_tmd, x.words, TMD_BYTES);
        memcpy(mem_bytes(t->ppu.mem) + c * SPACE_BYTES + t->launch_tmd, x.words, TMD_BYTES);
    }
    t->tasks[{c, t->launch_tmd}] = x;
}

static void channels_drive(struct test *t, bool more) {
    Vtask_unit &u = t->unit;
    if (!t->launching && more && bench_chance(t->bench, 1, 20)) begin_launch(t);
    // A launch of a channel that stands faulted is taken back.
    if (t->launching && t->halted[t->launch_channel]) {
        t->launching = false;
        t->tasks.erase({t->launch_channel, t->launch_tmd});
        if (t->launch_tmd / TMD_BYTES < TMD_PLACES) t->place_used[t->launch_channel][t->launch_tmd / TMD_BYTES] = false;
    }
    u.launch_valid_i = t->launching;
    u.launch_channel_i = static_cast<uint8_t>(t->launch_channel);
    u.launch_tmd_i = t->launch_tmd;
    u.launch_region_i = REGION;
    u.launch_local_i = t->launch_local;
    uint32_t halt = 0;
    for (uint32_t c = 0; c < CHANNELS; c++)
        halt |= static_cast<uint32_t>(t->halted[c]) << c;
    u.channel_halt_i = static_cast<uint8_t>(halt);
}

static void events_of_channels(struct test *t) {
    Vtask_unit &u = t->unit;
    if (u.launch_valid_i && u.launch_ready_o) {
        if (!task_can_launch(t->ppu.task)) bench_fail(t->bench, "a launch is taken for which the model has no room");
        task_launch(&t->ppu, t->launch_channel, t->launch_tmd, REGION, t->launch_local);
        t->launching = false;
        t->last_event = t->cycle;
    }
    if (u.fault_valid_o) {
        struct fault *f = &t->rtl_fault[get_bits(u.fault_channel_o, 0, index_bits(CHANNELS))];
        if (!f->valid) *f = {true, u.fault_code_o, u.fault_info_o, u.fault_pc_o};
    }
    for (uint32_t c = 0; c < CHANNELS; c++) {
        struct fault *rtl = &t->rtl_fault[c], *model = &t->model_fault[c];
        // The host takes a fault to heart a while after it was told; sometimes a channel faults for reasons of its own.
        if (!t->halted[c] && (rtl->valid || bench_chance(t->bench, 1, 60000))) {
            if (rtl->valid && t->halt_delay[c]++ < 3 + bench_below(t->bench, 20)) continue;
            if (rtl->valid && SMS == 1 &&
                (!model->valid || rtl->code != model->code || rtl->info != model->info || rtl->pc != model->pc))
                bench_fail(t->bench, "channel %u has fault %u info 0x%x pc 0x%x, the model %u 0x%x 0x%x", c, rtl->code,
                           rtl->info, rtl->pc, model->code, model->info, model->pc);
            t->halted[c] = true;
            t->halt_delay[c] = 0;
        } else if (t->halted[c] && task_channel_idle(t->ppu.task, c) && bench_chance(t->bench, 1, 50)) {
            // Reset by the driver. A fault that one side alone knows of must not be forgotten.
            if (rtl->valid != model->valid && SMS == 1)
                bench_fail(t->bench, "only one side knows of a fault of channel %u", c);
            t->halted[c] = false;
            rtl->valid = model->valid = false;
        }
    }
}

static void check_counts(struct test *t) {
    Vtask_unit &u = t->unit;
    for (uint32_t c = 0; c < CHANNELS; c++) {
        const uint32_t outstanding = task_outstanding(t->ppu.task, c);
        if (get_bits(u.tasks_outstanding_o, 16 * c, 16) != outstanding ||
            get_bits(u.channel_idle_o, c, 1) != (outstanding == 0))
            bench_fail(t->bench, "channel %u: %u tasks outstanding, idle %u; the model has %u", c,
                       static_cast<uint32_t>(get_bits(u.tasks_outstanding_o, 16 * c, 16)),
                       static_cast<uint32_t>(get_bits(u.channel_idle_o, c, 1)), outstanding);
    }
}

static void cycle(struct test *t, bool more) {
    memory_drive(t);
    sm_drive(t);
    channels_drive(t, more);
    t->unit.eval();
    event_task_start(t);
    event_cta_launch(t);
    memory_cycle(t);
    events_of_sms(t);
    event_task_end(t);
    event_task_refused(t);
    events_of_channels(t);
    tick(t->unit);
    check_counts(t);
    t->cycle++;
    if (t->cycle - t->last_event > SILENCE) bench_fail(t->bench, "hangs: nothing happened for %u cycles", SILENCE);
}

int main(int argc, char **argv) {
    struct bench bench;
    const unsigned inject = take_inject(&argc, argv);  // a defect on purpose; the unit must be verilated with INJECT=1
    bench_begin(&bench, argc, argv, 200000);
    struct test *t = new struct test();
    the_test = t;
    t->bench = &bench;
    struct ppu_config *config = &t->ppu.config;
    config->threads = THREADS, config->lanes = LANES, config->warps = WARPS, config->sms = SMS,
    config->channels = CHANNELS;
    config->task_slots = TASK_SLOTS, config->pending_tasks = PENDING_TASKS, config->vgpr_rows = VGPR_ROWS;
    config->shared_bytes = SHARED_BYTES;
    config->const_banks = CONST_BANKS, config->ns_per_cycle = NS_PER_CYCLE;
    t->ppu.mem = mem_create(MEMORY_BYTES);
    t->ppu.task = task_create(config);
    t->memory = static_cast<uint8_t *>(calloc(1, MEMORY_BYTES));
    for (uint32_t c = 0; c < CHANNELS; c++)
        set_bits(t->unit.space_size_i, 32 * c, 32, SPACE_BYTES);
    t->unit.inject_i = static_cast<uint8_t>(inject);
    reset(t->unit);
    while (bench.op < bench.ops)
        cycle(t, true);
    const uint64_t late = t->cycle;
    bool idle = false;
    while (!idle) {
        cycle(t, false);
        idle = !t->launching;
        for (uint32_t c = 0; c < CHANNELS; c++)
            idle = idle && task_channel_idle(t->ppu.task, c);
        if (t->cycle > late + 1000000) bench_fail(&bench, "the tasks do not come to an end");
    }
    for (uint32_t i = 0; i < MEMORY_BYTES; i++) {
        if (t->memory[i] != mem_bytes(t->ppu.mem)[i])
            bench_fail(&bench, "at the end byte 0x%x is 0x%02x, the model has 0x%02x", i, t->memory[i],
                       mem_bytes(t->ppu.mem)[i]);
    }
    printf("%" PRIu64 " tasks ended, %" PRIu64 " refused, %" PRIu64 " dropped, %" PRIu64 " killed\n", t->ended,
           t->refused, t->dropped, t->killed);
    task_destroy(t->ppu.task);
    mem_destroy(t->ppu.mem);
    free(t->memory);
    delete t;
    return bench_end(&bench);
}
