// What task_unit_bench knows of the world around the unit, and the stand-ins for the rest of the model.
#ifndef TANDEM_TESTS_RTL_TASK_UNIT_WORLD_H
#define TANDEM_TESTS_RTL_TASK_UNIT_WORLD_H

static const uint32_t SPACE_BYTES = 0x8000;
static const uint32_t MEMORY_BYTES = CHANNELS * SPACE_BYTES;
static const uint32_t TMD_PLACES = 80;  // 256 bytes each, from the start of the space
static const uint32_t REGION = 0x1000;
static const uint32_t LOCAL = 0x20;
static const uint32_t RELEASES = 0x6000;
static const uint32_t NO_TASK = 0x5800;                 // a TMD that no task has: its counter has counted nobody
static const uint32_t SM_CTAS = WARPS < 3 ? WARPS : 3;  // CTAs that a stand-in SM holds, each in a place of a warp
static const uint32_t SILENCE = 30000;

struct fault {
    bool valid;
    uint32_t code, info, pc;
};

// A fault on its way to the host.
struct told_fault {
    uint32_t channel, code, info, pc;
};

struct cta {
    uint32_t slot, warp;
    bool faulty;
    uint32_t to_launch, child;  // children still to be handed over; the TMD of the next one
    bool wait;                  // it will wait for them
    uint32_t waits;             // for so many that have not ended
    bool must_leave;            // it has waited, and does not any more: it has been asked to leave
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
    // what was launched of it
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> launched;
    uint32_t saved;     // CTAs that have left and are to come back
    uint32_t children;  // for which its CTAs wait, or waited when they left
    bool away;          // it has left, until its children have ended
    bool returning;     // they have
    bool parent;        // its CTAs launch children
    uint32_t depth;
    // of a child: who waits for it
    bool awaited;
    uint32_t parent_tmd, parent_sm, parent_warp;
    bool parent_saves;
};

// Who has the memory port.
enum holder { HAS_NOBODY, HAS_RELEASES, HAS_TMDS, HAS_QUEUES };

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
    bool done[SMS], faulting[SMS], left[SMS];
    uint32_t done_slot[SMS];
    std::pair<uint32_t, uint32_t> in_slot[TASK_SLOTS];  // channel and TMD of the task
    uint64_t started[TASK_SLOTS];                       // or a CTA of it left
    // which warps are told of the ends of their children: by the unit, by its twin, and as is known here
    std::multiset<std::tuple<uint32_t, uint32_t, uint32_t>> told, model_told, known;
    // pending lists: what the tasks said when they were put in
    std::deque<uint32_t> pending[CHANNELS][64];
    bool corrupted[CHANNELS];
    bool round_robin;
    uint32_t slice;  // in 1024 cycles
    struct task_suspend suspend[CHANNELS];
    size_t longest;
    bool taken_evicted;  // the task that is taken comes from a slot
    uint32_t taken_slot;
    uint64_t suspensions, stopped, turns, evictions, leavings, returns, away, deepest, stuck;
    // Faults: of TMDs, releases and stuck tasks, that the model has told in this cycle; of warps, that wait for their turn, and whose are known.
    std::vector<told_fault> unit_faults;
    std::deque<told_fault> warp_faults[SMS];
    bool warp_told[SMS][TASK_SLOTS], telling_warp;
    enum holder holder;
    bool freed_last;  // what has gone to task_management last, of what is freed and children
    std::deque<memory_access> accesses;
    uint64_t ended, refused, dropped, killed, taken, corruptions, linked_wrong, parks, frees;
};

static struct test *the_test;  // for the stand-ins that the C twin calls

// ---- stand-ins for the rest of the model ----
static void note_fault(void *, const struct fault_report *report) {
    if (!the_test->telling_warp)
        the_test->unit_faults.push_back({report->channel, report->code, report->info, report->pc});
    struct fault *f = &the_test->model_fault[report->channel];
    if (!f->valid) *f = {true, report->code, report->info, report->pc};
}

struct sm {
    uint32_t number;
};

// No CTA of the slot (or of any, TASK_SLOTS) goes on by itself; one waits.
static bool slot_rests(const struct test *t, uint32_t sm, uint32_t slot) {
    for (const struct cta &c : t->ctas[sm]) {
        if ((slot == TASK_SLOTS || c.slot == slot) && (c.to_launch != 0 || c.waits == 0)) return false;
    }
    return true;
}
static bool slot_waits(const struct test *t, uint32_t sm, uint32_t slot) {
    for (const struct cta &c : t->ctas[sm]) {
        if ((slot == TASK_SLOTS || c.slot == slot) && c.to_launch == 0 && c.waits != 0) return true;
    }
    return false;
}

extern "C" {
bool sm_can_take_cta(const struct sm *sm, uint32_t) {
    return the_test->ctas[sm->number].size() < SM_CTAS;
}
void sm_take_cta(struct sm *, uint32_t, uint32_t, uint32_t, uint32_t, bool) {}
void sm_child_ended(struct sm *sm, uint32_t warp, uint32_t channel) {
    the_test->model_told.insert(std::make_tuple(sm->number, warp, channel));
}
bool sm_waiting(const struct sm *sm) {
    return slot_waits(the_test, sm->number, TASK_SLOTS);
}
bool sm_stuck(const struct sm *sm) {
    return slot_rests(the_test, sm->number, TASK_SLOTS);
}
bool sm_slot_rests(const struct sm *sm, uint32_t slot) {
    return slot_rests(the_test, sm->number, slot);
}
bool sm_slot_waits(const struct sm *sm, uint32_t slot) {
    return slot_waits(the_test, sm->number, slot);
}
// When is the RTL's choice.
bool sm_slot_trapped(const struct sm *, uint32_t) {
    return false;
}
}

#endif
