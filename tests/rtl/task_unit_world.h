// What task_unit_bench knows of the world around the unit, and the stand-ins for the rest of the model.
#ifndef TANDEM_TESTS_RTL_TASK_UNIT_WORLD_H
#define TANDEM_TESTS_RTL_TASK_UNIT_WORLD_H

static const uint32_t SPACE_BYTES = 0x8000;
static const uint32_t MEMORY_BYTES = CHANNELS * SPACE_BYTES;
static const uint32_t TMD_PLACES = 80;  // 256 bytes each, from the start of the space
static const uint32_t REGION = 0x1000;
static const uint32_t LOCAL = 0x20;
static const uint32_t RELEASES = 0x6000;
static const uint32_t NO_TASK = 0x5800;  // a TMD that no task has: its counter has counted nobody
static const uint32_t SM_CTAS = 3;       // CTAs that a stand-in SM holds
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
    std::set<uint32_t> waits_for;  // TMDs of the tasks that must have ended before it starts
    bool miscounted;               // it frees one that does not wait
};

struct test {
    struct bench *bench;
    Vtask_unit unit;
    struct run run;
    struct mem *mem;
    struct task *task;
    struct mem_space space[CHANNELS];
    uint8_t *memory;  // the RTL's
    uint64_t cycle, last_event;
    // channels
    bool halted[CHANNELS];
    uint32_t halt_delay[CHANNELS];
    struct fault rtl_fault[CHANNELS], model_fault[CHANNELS];
    bool place_used[CHANNELS][TMD_PLACES];
    std::map<std::pair<uint32_t, uint32_t>, struct expected> tasks;  // by channel and TMD address
    std::vector<uint32_t> prepared[CHANNELS];  // TMDs that are in memory and have not been launched
    std::set<uint32_t> parked[CHANNELS];       // that have been launched and wait
    bool launching;
    uint32_t launch_channel, launch_tmd, launch_local;
    // SMs
    std::vector<struct cta> ctas[SMS];
    bool done[SMS], faulting[SMS];
    uint32_t done_slot[SMS];
    // what was launched of the task in a slot
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> launched[TASK_SLOTS];
    uint64_t started[TASK_SLOTS];
    // pending lists: what the tasks said when they were put in
    std::deque<uint32_t> pending[CHANNELS][64];
    bool corrupted[CHANNELS];
    bool round_robin;
    size_t longest;
    bool taken_evicted;  // the task that is taken comes from a slot
    uint32_t taken_slot;
    // what was launched of evicted tasks before
    std::map<std::pair<uint32_t, uint32_t>, std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t>> evicted;
    uint64_t evictions;
    std::deque<memory_access> accesses;
    uint64_t ended, refused, dropped, killed, taken, corruptions, linked_wrong, parks, frees;
};

static struct test *the_test;  // for the stand-ins that the C twin calls

// ---- stand-ins for the rest of the model ----
static void note_fault(void *, const struct fault_report *report) {
    struct fault *f = &the_test->model_fault[report->channel];
    if (!f->valid) *f = {true, report->code, report->info, report->pc};
}

struct sm {
    uint32_t number;
};
extern "C" {
bool sm_can_take_cta(const struct sm *sm, uint32_t) {
    return the_test->ctas[sm->number].size() < SM_CTAS;
}
void sm_take_cta(struct sm *, uint32_t, uint32_t, uint32_t, uint32_t, bool) {}
void sm_child_ended(struct sm *, uint32_t, uint32_t) {}
bool sm_waiting(const struct sm *) {
    return false;
}
bool sm_stuck(const struct sm *) {
    return false;
}
bool sm_slot_rests(const struct sm *, uint32_t) {
    return false;
}
bool sm_slot_waits(const struct sm *, uint32_t) {
    return false;
}
}

#endif
