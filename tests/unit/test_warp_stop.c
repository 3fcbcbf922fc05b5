// Warps that step aside, in the model of the SM: a stand-in for the task unit stops its slot at random times, takes the
// CTAs that have left, and offers them again. Alone, and followed by a second model.
#include <criterion/criterion.h>
#include <string.h>

#include "common/seed.h"
#include "common/stop_handler.h"
#include "gen/registers.h"
#include "mem/mem.h"
#include "random_numbers.h"
#include "sm/sm_internal.h"

#define MEMORY (8u << 20)
#define REGION 0x1000u
#define CODE 0x1100u
#define CONSTANTS 0x3000u
#define LOCAL 0x80000u
#define OUT 0x10000u
#define OUT_BYTES 0x70000u
#define STEPS 4000000u

// What the stand-in did between events, so that it can be done again.
enum deed { DEED_EVENT, DEED_TAKE, DEED_STOP, DEED_CHILD };
struct note {
    enum deed deed;
    uint32_t x, y, z;  // DEED_TAKE; DEED_STOP: x, on; DEED_CHILD: x, the warp
    bool resumed;
    struct trace_event event;
};

struct world {
    struct run run;
    struct mem *mem;
    struct sm *sm;
    struct mem_space space[8];
    struct task_slot slot;
    const struct task_slot *slots[16];
    struct sm_settings settings;
    uint64_t random;
    uint32_t next, total, running, saved, ended, left, stops, children, waits[64], waiting;
    uint32_t issued;  // instructions of the program
    uint32_t code;    // of the fault
    uint32_t info;
    struct note *notes;
    size_t count, room;
    bool noting;
};

static void add(struct world *w, const struct note *note) {
    if (!w->noting) return;
    if (w->count == w->room) {
        w->room = w->room == 0 ? 4096 : 2 * w->room;
        w->notes = realloc(w->notes, w->room * sizeof *w->notes);
        cr_assert_not_null(w->notes);
    }
    w->notes[w->count++] = *note;
}

static void on_event(void *context, const struct trace_event *event) {
    struct world *w = context;
    w->stops += event->kind == TRACE_WARP_STOP;
    w->issued += event->kind == TRACE_INSTR && REGION + 8 * event->instr.pc - CODE < w->slot.code_size;
    add(w, &(struct note){.deed = DEED_EVENT, .event = *event});
}
static void on_cta_done(void *context, uint32_t sm, uint32_t slot, bool left) {
    struct world *w = context;
    cr_assert(sm == 0 && slot == 0 && w->running != 0);
    w->running--;
    w->left += left;
    if (left) {
        w->saved++;
    } else {
        w->ended++;
    }
}
static void on_fault(void *context, uint32_t slot, uint32_t code, uint32_t info, uint32_t pc) {
    struct world *w = context;
    (void)slot;
    (void)pc;
    w->slot.kill = true;
    w->code = code;
    w->info = info;
}
static bool can_launch(const void *context) {
    (void)context;
    return true;
}
static void on_launch(void *context, const struct sm_child *child) {
    struct world *w = context;
    w->children++;
    if (!child->wait) return;
    cr_assert_lt(w->waiting, 64);
    w->waits[w->waiting++] = child->warp;
}
static void on_held(void *context) {
    (void)context;
}

static void open_world(struct world *w, const char *config, uint64_t seed) {
    memset(w, 0, sizeof *w);
    run_init(&w->run, ppu_config_find(config), seed);
    w->random = seed;
    w->mem = mem_create(&w->run, MEMORY, NULL);
    cr_assert_not_null(w->mem);
    w->sm = sm_create(&w->run, w->mem, 0);
    cr_assert_not_null(w->sm);
    w->space[0].size = MEMORY;
    w->slots[0] = &w->slot;
    w->settings.yield_seed = 1;
    mem_connect(w->mem, &(struct mem_wires){.space = w->space});
    sm_connect(w->sm, &(struct sm_wires){.slot = w->slots,
                                         .settings = &w->settings,
                                         .context = w,
                                         .can_launch_child = can_launch,
                                         .launch_child = on_launch,
                                         .cta_done = on_cta_done,
                                         .warp_fault = on_fault,
                                         .warp_held = on_held});
}

static void close_world(struct world *w) {
    sm_destroy(w->sm);
    mem_destroy(w->mem);
    free(w->notes);
}

struct job {
    const char *body;
    uint32_t grid, cta, shared;
};

static void put(struct world *w, uint32_t at, const void *from, size_t bytes) {
    mem_put(w->mem, at, from, bytes);
}
static uint32_t word(const struct world *w, uint32_t at) {
    uint32_t value;
    mem_get(w->mem, at, &value, sizeof value);
    return value;
}

// The program, the handler in front of which its region begins, the task's slot.
static void prepare(struct world *w, const struct job *job) {
    static struct stop_handler handler;
    struct code_object program, code;
    char source[8192], error[256];
    const int length = snprintf(source, sizeof source, ".kernel test\n%s\n", job->body);
    cr_assert(assemble(source, (size_t)length, "test", &program, error, sizeof error), "%s", error);
    const uint32_t registers =
        program.kernels[0].registers < STOP_REGISTERS ? STOP_REGISTERS : program.kernels[0].registers;
    put(w, CODE, program.text, program.text_words * 8);
    handler.threads = w->run.config.threads;
    handler.registers = registers;
    handler.shared = job->shared;
    handler.warps = (job->cta + w->run.config.threads - 1) / w->run.config.threads;
    stop_handler_make(&handler, &code);
    cr_assert_leq(STOP_HANDLER + 8 * code.text_words, STOP_NEXT_RECORD);
    const uint64_t jump = isa_encode_imm(OP_JMP, 7, false, 0, 0, 0, (STOP_HANDLER - REGION) / 8);
    put(w, REGION, &jump, sizeof jump);
    put(w, STOP_HANDLER, code.text, 8 * code.text_words);
    put(w, STOP_NEXT_RECORD, &(uint32_t){STOP_RECORDS}, 4);
    for (uint32_t i = 0; i < 64; i++)
        put(w, CONSTANTS + 4 * i, &(uint32_t){0x1000 + i}, 4);
    w->slot = (struct task_slot){.busy = true,
                                 .region = REGION,
                                 .code_base = CODE,
                                 .code_size = (uint32_t)program.text_words * 8,
                                 .ntid = {job->cta, 1, 1},
                                 .grid = {job->grid, 1, 1},
                                 .threads = job->cta,
                                 .registers = registers,
                                 .shared_bytes = job->shared,
                                 .local = LOCAL,
                                 .local_bytes = STOP_LOCAL,
                                 .const_valid = 1,
                                 .const_addr = {CONSTANTS},
                                 .const_size = {256}};
    w->total = job->grid;
    code_object_free(&program);
    code_object_free(&code);
}

static void take(struct world *w) {
    if (w->slot.stop || w->slot.kill || !sm_can_take_cta(w->sm, 0)) return;
    const bool back = w->saved != 0;
    if (back ? w->waiting != 0 : w->next == w->total) return;
    const uint32_t x = back ? 0 : w->next;
    add(w, &(struct note){.deed = DEED_TAKE, .x = x, .resumed = back});
    w->running++;
    if (back) {
        w->saved--;
    } else {
        w->next++;
    }
    sm_take_cta(w->sm, 0, x, 0, 0, back);
}

static void set_stop(struct world *w, bool stop) {
    if (w->slot.stop == stop) return;
    w->slot.stop = stop;
    add(w, &(struct note){.deed = DEED_STOP, .x = stop});
}

static void end_child(struct world *w) {
    if (w->waiting == 0 || w->slot.stop || random_below(&w->random, 8) != 0) return;
    const uint32_t warp = w->waits[--w->waiting];
    add(w, &(struct note){.deed = DEED_CHILD, .x = warp});
    sm_child_ended(w->sm, warp, 0);
}

// Alone; stop_every: instructions of the program, at most; 0: nobody is stopped.
static void run_alone(struct world *w, uint32_t stop_every) {
    uint32_t until = 0;
    for (uint32_t step = 0; w->running != 0 || (!w->slot.kill && w->ended < w->total); step++) {
        cr_assert_lt(step, STEPS, "the program does not end: %u running, %u saved", w->running, w->saved);
        take(w);
        end_child(w);
        if (stop_every != 0 && w->running != 0 && w->issued >= until && word(w, STOP_NEXT_RECORD) < MEMORY - 0x200000 &&
            random_below(&w->random, 4) == 0) {
            set_stop(w, true);
            until = w->issued + 1 + random_below(&w->random, stop_every);
        }
        if (w->running == 0 || w->slot.kill) set_stop(w, false);
        w->run.cycles++;
        (void)sm_step(w->sm);
    }
}

static const struct job jobs[] = {
    {"S2R R0, SR_TID_X\nS2R R1, SR_CTAID_X\nIMUL R1, R1, 48\nIADD R0, R0, R1\nSHL R2, R0, 4\nIADD R4, R0, 1\nMOV R5, "
     "-1\n"
     "XOR R6, R4, R5\nUMAX R7, R5, R0\nSTG.128 [R2 + 0x40000], R4\nBAR\nLDG.64 R8, [R2 + 0x40008]\nLDG.S8 R10, [R2 + "
     "0x40003]\nSAR R10, R8, 20\nSHL R11, R0, 1\nAND R11, R11, 0xFE\nLDC.U16 R11, c[0][R11]\nMOV R12, "
     "0x60000\nATOMG.ADD "
     "RZ, [R12], R4\nAND R14, R0, 3\nISETP.EQ P0, R14, 1\nISETP.LT P1, R14, 2\nPSETP.XOR P2, P0, !P1\nP2R R15\nR2P R0, "
     "0x18\nSEL R15, R15, R14, P3\nSSY join\n@P0 BRA other\nCAL R16, function\nSYNC\nother: IADD R15, R15, 0xFFFF\n"
     "SYNC\njoin: MOV R17, 0\nPBRK out\nloop: IADD R17, R17, 1\nISETP.GT P4, R17, R14\n@P4 BRK\nBRA loop\nout: YIELD\n"
     "MEMBAR\nIADD R18, R10, R11\nSTG.U8 [R0 + 0x50000], R17\n@P1 STG.32 [R2 + 0x20000], R15\nSTG.32 [R2 + 0x20004], "
     "R18\nEXIT\nfunction: IADD R15, R15, 7\nRET R16\n",
     6, 48, 0},
    {"S2R R0, SR_TID_X\nSHL R1, R0, 2\nSTS.32 [R1], R0\nSTL.32 [4], R0\nMOV R4, 0\nagain: BAR\nS2R R3, SR_NTID_X\nISUB "
     "R3, R3, "
     "R0\nISUB R3, R3, 1\nSHL R3, R3, 2\nLDS.32 R5, [R3]\nBAR\nIADD R5, R5, R4\nSTS.32 [R1], R5\nIADD R4, R4, 1\n"
     "ISETP.LT P0, R4, 9\n@P0 BRA again\nLDL.32 R6, [4]\nIADD R5, R5, R6\nS2R R2, SR_CTAID_X\nSHL R2, R2, 9\nIADD R1, "
     "R1, "
     "R2\nSTG.32 [R1 + 0x20000], R5\nEXIT\n",
     5, 64, 256},
    // Scalar registers, EXEC, a loop in halves, SVSTART in its second order.
    {"S2R R0, SR_TID_X\nSMOV S3, 77\nR2S S4, R0\nISETP.LT P0, R0, 9\n@P0 VOTE S6\nSRD R1, S6\nSVLOOP_BEGIN "
     "after\nfirst: IADDO "
     "R2, R0, -5, P1\nIADDC R3, R0, R1, P1\nSRD R4, EXEC_HI\nSVLOOP_END first\nafter: SMOV S8, EXEC_LO\nSMOV EXEC_LO, "
     "0\n"
     "SHFL R5, R2, 3\nSMOV EXEC_LO, S8\nSRD R6, S3\nSVSTART done\nIADD R7, R0, R5\nIADD R7, R7, R6\nSVEND\ndone: S2R "
     "R2, SR_CTAID_X\nIMUL R2, R2, 48\nIADD R2, R2, R0\nSHL R2, R2, 2\nSTG.32 [R2 + 0x20000], R7\nSTG.32 [R2 + "
     "0x30000], "
     "R3\nEXIT\n",
     4, 48, 0},
};
#define JOBS (sizeof jobs / sizeof jobs[0])

static void same_memory(const struct world *a, const struct world *b, uint64_t seed) {
    for (uint32_t at = OUT; at < OUT + OUT_BYTES; at += 4)
        cr_assert_eq(word(a, at), word(b, at), "TANDEM_SEED=%llu: [0x%x] is 0x%x, with stops 0x%x",
                     (unsigned long long)seed, at, word(a, at), word(b, at));
}

static void with_and_without(const char *config, uint64_t seed) {
    uint32_t stops = 0, left = 0;
    for (uint32_t j = 0; j < JOBS; j++) {
        struct world plain, stopped;
        open_world(&plain, config, seed);
        open_world(&stopped, config, seed + j);
        prepare(&plain, &jobs[j]);
        prepare(&stopped, &jobs[j]);
        stopped.run.sink = on_event;
        stopped.run.sink_context = &stopped;
        run_alone(&plain, 0);
        run_alone(&stopped, 60);
        cr_assert(!plain.slot.kill && !stopped.slot.kill, "%s", fault_name(stopped.code));
        same_memory(&plain, &stopped, seed);
        stops += stopped.stops;
        left += stopped.left;
        close_world(&plain);
        close_world(&stopped);
    }
    cr_assert(stops > 20 && left > 10, "hardly a stop: %u warps, %u CTAs left", stops, left);
}

Test(warp_stop, alone,
     .description = "TU-12 TU-14 CTAs that leave and come back at any time compute the same [model]") {
    static const char *const configs[] = {"nano", "small", "full"};
    const uint64_t seed = seed_from_environment();
    for (uint32_t i = 0; i < 12; i++)
        with_and_without(configs[i % 3], seed + i);
}

// ---- following ----
static void play(struct world *w, const struct note *note, bool *good, char *text, size_t size) {
    struct trace_event model = {.kind = note->event.kind, .cycle = note->event.cycle};
    struct mem_request request;
    *good = true;
    switch (note->deed) {
        case DEED_TAKE: sm_take_cta(w->sm, 0, note->x, note->y, note->z, note->resumed); return;
        case DEED_STOP: w->slot.stop = note->x != 0; return;
        case DEED_CHILD: sm_child_ended(w->sm, note->x, 0); return;
        case DEED_EVENT: break;
    }
    w->run.cycles = note->event.cycle;
    w->running = UINT32_MAX / 2;
    (void)request;
    *good = sm_follow(w->sm, &note->event, &model, (struct why){text, size}) &&
            trace_event_compare(&note->event, &model) < 0;
}

static void follow_all(struct world *w, const struct note *notes, size_t count) {
    char text[256] = "";
    for (size_t i = 0; i < count; i++) {
        bool good;
        play(w, &notes[i], &good, text, sizeof text);
        cr_assert(good, "event %zu, %s: %s", i, trace_kind_name(notes[i].event.kind), text);
    }
}

static void open_follower(struct world *w, const char *config, const struct job *job) {
    open_world(w, config, 1);
    prepare(w, job);
    w->run.following = w->run.fetches_untold = true;
}

Test(warp_stop, followed, .description = "TU-12 what a stopped warp does is computed alike by who follows [model]") {
    static const char *const configs[] = {"nano", "small", "full"};
    const uint64_t seed = seed_from_environment();
    for (uint32_t i = 0; i < 3 * JOBS; i++) {
        struct world alone, follower;
        char text[256];
        open_world(&alone, configs[i % 3], seed + i);
        prepare(&alone, &jobs[i / 3]);
        alone.noting = true;
        alone.run.sink = on_event;
        alone.run.sink_context = &alone;
        run_alone(&alone, 60);
        open_follower(&follower, configs[i % 3], &jobs[i / 3]);
        follow_all(&follower, alone.notes, alone.count);
        cr_assert(sm_quiescent(follower.sm, (struct why){text, sizeof text}), "%s", text);
        same_memory(&alone, &follower, seed);
        close_world(&alone);
        close_world(&follower);
    }
}

// The stream up to the first WARP_STOP, which is changed and must be refused, with a reason that has this in it.
static void refused(const struct job *job, uint32_t stop_every, void (*change)(struct world *, struct trace_event *),
                    const char *because) {
    struct world alone, follower;
    char text[256] = "";
    bool good;
    size_t at = 0;
    open_world(&alone, "nano", 3);
    prepare(&alone, job);
    alone.noting = true;
    alone.run.sink = on_event;
    alone.run.sink_context = &alone;
    run_alone(&alone, stop_every);
    while (at < alone.count && (alone.notes[at].deed != DEED_EVENT || alone.notes[at].event.kind != TRACE_WARP_STOP))
        at++;
    cr_assert_lt(at, alone.count);
    open_follower(&follower, "nano", job);
    follow_all(&follower, alone.notes, at);
    change(&follower, &alone.notes[at].event);
    play(&follower, &alone.notes[at], &good, text, sizeof text);
    cr_assert(!good, "not refused: %s", because);
    cr_assert_not_null(strstr(text, because), "\"%s\" is not in \"%s\"", because, text);
    close_world(&alone);
    close_world(&follower);
}

static void go_on(struct world *w, struct trace_event *event) {
    (void)event;
    w->slot.stop = false;
}
static void no_such_warp(struct world *w, struct trace_event *event) {
    (void)w;
    event->warp_stop.warp = 9;
}
static void faulted(struct world *w, struct trace_event *event) {
    w->sm->warps[event->warp_stop.warp].faulted = true;
}
static void held(struct world *w, struct trace_event *event) {
    w->sm->warps[event->warp_stop.warp].held = true;
}
static void occupied(struct world *w, struct trace_event *event) {
    (void)event;
    w->sm->trap.on = true;
}
static void in_part(struct world *w, struct trace_event *event) {
    w->sm->warps[event->warp_stop.warp].divergence.resumed = true;
}
static void hands_over(struct world *w, struct trace_event *event) {
    w->sm->warps[event->warp_stop.warp].children.left = 2;
}
static void result_due(struct world *w, struct trace_event *event) {
    struct due *due = &w->sm->warps[event->warp_stop.warp].due;
    due->wb[0] = 1;
}

Test(warp_stop, refused, .description = "TU-12 a warp that may not stop now, or not at all, is named [model]") {
    refused(&jobs[0], 40, go_on, "nobody stops its task");
    refused(&jobs[0], 40, no_such_warp, "names warp 9");
    refused(&jobs[0], 40, faulted, "has faulted");
    refused(&jobs[0], 40, held, "is held");
    refused(&jobs[0], 40, occupied, "is in a trap");
    refused(&jobs[0], 40, in_part, "done in part");
    refused(&jobs[0], 40, hands_over, "CHILD_LAUNCH");
    refused(&jobs[0], 40, result_due, "due is WB");
}

// A warp that comes back executes nothing before it has entered its trap.
Test(warp_stop, comes_back,
     .description = "TU-12 a warp that comes back enters a trap at pc 0 before anything else [model]") {
    struct world w;
    char text[256] = "";
    struct trace_event model = {0};
    const struct job job = {"S2R R0, SR_TID_X\nEXIT\n", 1, 32, 0};
    open_follower(&w, "nano", &job);
    sm_take_cta(w.sm, 0, 0, 0, 0, true);
    w.running = 1;
    const struct trace_event start = {.kind = TRACE_WARP_START, .warp_start = {.warp = 1}};
    cr_assert(sm_follow(w.sm, &start, &model, (struct why){text, sizeof text}), "%s", text);
    cr_assert_eq(model.warp_start.pc, 0);
    const struct trace_event instr = {.kind = TRACE_INSTR, .instr = {.warp = 1}};
    cr_assert(!sm_follow(w.sm, &instr, &model, (struct why){text, sizeof text}));
    cr_assert_not_null(strstr(text, "WARP_STOP"), "%s", text);
    const struct trace_event stop = {.kind = TRACE_WARP_STOP, .warp_stop = {.warp = 1}};
    cr_assert(sm_follow(w.sm, &stop, &model, (struct why){text, sizeof text}), "%s", text);
    cr_assert_eq(model.warp_stop.pc, 0);
    cr_assert_eq(model.warp_stop.active, UINT32_MAX);
    cr_assert_eq(w.sm->trap.pc, 0);
    close_world(&w);
}

// LAUNCH.WAIT: the wait is dropped, the warp goes on behind it when it has come back.
Test(warp_stop, children,
     .description = "TU-13 a warp that waits for children leaves, and comes back behind its LAUNCH [model]") {
    const struct job job = {
        "S2R R0, SR_TID_X\nMOV R1, 5\nISETP.LT P0, R0, 6\n@P0 LAUNCH.WAIT R1\nS2R R2, SR_CTAID_X\nSHL R2, R2, "
        "7\nSHL R0, R0, 2\nIADD R0, R0, R2\nSTG.32 [R0 + 0x20000], R1\nEXIT\n",
        6, 32, 0};
    const uint64_t seed = seed_from_environment();
    uint32_t waited = 0;
    for (uint32_t i = 0; i < 10; i++) {
        struct world w;
        open_world(&w, "nano", seed + i);
        prepare(&w, &job);
        cr_assert(sm_slot_rests(w.sm, 0) && !sm_slot_waits(w.sm, 0));
        for (uint32_t step = 0; w.ended < w.total; step++) {
            cr_assert_lt(step, STEPS);
            take(&w);
            end_child(&w);
            if (sm_slot_rests(w.sm, 0) && sm_slot_waits(w.sm, 0) && random_below(&w.random, 4) == 0) {
                waited++;
                set_stop(&w, true);
            }
            if (w.running == 0) set_stop(&w, false);
            (void)sm_step(w.sm);
        }
        cr_assert_eq(w.children, 36);
        for (uint32_t t = 0; t < 6 * 32; t++)
            cr_assert_eq(word(&w, 0x20000 + 4 * t), 5);
        close_world(&w);
    }
    cr_assert_gt(waited, 10);
}

// A slot that is killed while its warps leave: they end, killed.
Test(warp_stop, killed, .description = "TU-12 a stopped slot that is killed ends [model]") {
    const uint64_t seed = seed_from_environment();
    for (uint32_t i = 0; i < 30; i++) {
        struct world w;
        open_world(&w, i % 2 ? "small" : "nano", seed + i);
        prepare(&w, &jobs[i % JOBS]);
        const uint32_t at = 20 + random_below(&w.random, 400);
        for (uint32_t step = 0; step == 0 || w.running != 0; step++) {
            cr_assert_lt(step, STEPS);
            if (step == 0) take(&w);
            if (step == at / 2) w.slot.stop = true;
            if (step == at) w.slot.kill = true, w.slot.stop = false;
            (void)sm_step(w.sm);
        }
        cr_assert(!w.sm->trap.on && w.sm->ready == 0 && w.sm->held == 0);
        close_world(&w);
    }
}

// Beside a warp that stays in its trap for ever, a TRAP of a part of a warp faults; that of a whole one waits.
Test(warp_stop, trap_of_a_part, .description = "TU-12 a TRAP of a part of a warp waits for nobody: it faults [model]") {
    static const char body[] =
        "S2R R0, SR_CTAID_X\nISETP.EQ P0, R0, 0\n@P0 TRAP handler\nMOV R1, 50\nwait: ISUB R1, R1, 1\nISETP.GT P1, R1, "
        "0\n@P1 BRA wait\nS2R R2, SR_TID_X\nISETP.LT P2, R2, %u\n@P2 TRAP handler\nEXIT\nhandler: BRA handler\n";
    for (uint32_t threads = 1; threads <= 8; threads++) {
        char text[sizeof body + 16];
        (void)snprintf(text, sizeof text, body, threads);
        struct world w;
        open_world(&w, "nano", 1);
        prepare(&w, &(struct job){text, 2, 8, 0});
        for (uint32_t step = 0; step < 5000 && !w.slot.kill; step++) {
            take(&w);
            w.run.cycles++;
            (void)sm_step(w.sm);
        }
        cr_assert_eq(w.slot.kill, threads < 8, "%u of 8 threads", threads);
        cr_assert_eq(w.code, threads < 8 ? FAULT_ILLEGAL_INSTRUCTION : FAULT_NONE);
        close_world(&w);
    }
}
