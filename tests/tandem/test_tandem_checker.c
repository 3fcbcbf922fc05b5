// The tandem check against an RTL that can be made to lie. The "RTL" here is a second model that runs alone on its own
// schedule and tells its events; behind struct rtl_ops it looks like a verilated device, so driver, backend, checker
// and report are the real ones.
#define _POSIX_C_SOURCE 200809L

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gen/bundles.h"
#include "gen/registers.h"
#include "ppu.h"
#include "programs.h"
#include "rtl_device.h"
#include "tandem_checker.h"

enum lie { HONEST, FLIP_BYTE, DROP, DROP_ALL, REPEAT, CORRUPT_MEMORY, FALL_SILENT, BREAK_RULE };

// What the next device does wrong, and at which event (Criterion runs each test in a process of its own).
static struct {
    enum lie lie;
    enum trace_kind kind;
    uint64_t occurrence;  // of the kind, from 0
    size_t offset;        // FLIP_BYTE: in struct trace_event
    uint8_t bits;         // FLIP_BYTE
} plan;

// What the honest run told: for each kind how many events, and copies of some of them.
#define KEPT 400u
static struct {
    uint64_t count[TRACE_KIND_COUNT];
    struct trace_event kept[TRACE_KIND_COUNT][KEPT];
    uint64_t fetches;  // told by tell_fetch
} record;

#define CODE_BASE 4096u

struct echo {
    struct ppu *ppu;
    rtl_event_sink *sink;
    void *sink_context;
    uint64_t cycle;
    uint64_t told[TRACE_KIND_COUNT];
    uint32_t channel_of_slot[256], slot_of_warp[256];  // on nano there is one SM
    bool go_on, lied;
};

static void tell(struct echo *self, const struct trace_event *event) {
    if (self->sink != NULL && !self->sink(self->sink_context, event)) self->go_on = false;
}

// The model alone has no instruction cache. What the RTL would have read before an instruction is told here: the program's line, each time. The
// only region here begins where code does.
static void tell_fetch(struct echo *self, uint32_t sm, uint32_t warp, uint32_t pc) {
    struct trace_event fetch = {.kind = TRACE_PERFORM, .cycle = self->cycle};
    fetch.perform.port = 3 + 2 * sm;
    fetch.perform.op = REQUEST_READ;
    fetch.perform.channel = self->channel_of_slot[self->slot_of_warp[warp]];
    fetch.perform.addr = (CODE_BASE + 8 * pc) & ~31u;
    record.fetches++;
    tell(self, &fetch);
}

static void on_event(void *context, const struct trace_event *original) {
    struct echo *self = context;
    if (original->kind == TRACE_TASK_START)
        self->channel_of_slot[original->task_start.slot] = original->task_start.channel;
    if (original->kind == TRACE_WARP_START) self->slot_of_warp[original->warp_start.warp] = original->warp_start.slot;
    if (original->kind == TRACE_INSTR) tell_fetch(self, original->sm, original->instr.warp, original->instr.pc);
    // Of an instruction that cannot be executed there is no other event.
    if (original->kind == TRACE_WARP_FAULT && original->warp_fault.code != FAULT_PROGRAM_BOUNDS)
        tell_fetch(self, original->sm, original->warp_fault.warp, original->warp_fault.pc);
    struct trace_event event = *original;
    event.cycle = self->cycle;
    uint64_t occurrence = self->told[event.kind]++;
    if (record.count[event.kind] <= occurrence && occurrence < KEPT) record.kept[event.kind][occurrence] = event;
    if (record.count[event.kind] <= occurrence) record.count[event.kind] = occurrence + 1;
    bool now = plan.lie != HONEST && !self->lied && event.kind == plan.kind && occurrence == plan.occurrence;
    if (now) self->lied = true;
    if (self->lied && plan.lie == FALL_SILENT) return;
    if (now && plan.lie == DROP) return;
    if (plan.lie == DROP_ALL && event.kind == plan.kind) return;
    if (now && plan.lie == FLIP_BYTE) ((uint8_t *)&event)[plan.offset] ^= plan.bits;
    if (now && plan.lie == CORRUPT_MEMORY) {
        // A byte of the line that this event writes; the channels' spaces start at 0.
        uint8_t byte = (uint8_t)(ppu_mem(self->ppu)[event.perform.addr + plan.offset] ^ plan.bits);
        ppu_mem_write(self->ppu, event.perform.addr + plan.offset, &byte, 1);
    }
    tell(self, &event);
    if (now && plan.lie == REPEAT) tell(self, &event);
}

static void *create(const struct rtl_options *options, char *message, size_t message_size) {
    (void)message;
    (void)message_size;
    struct echo *self = calloc(1, sizeof *self);
    self->ppu = ppu_create(ppu_config_find("nano"), options->mem_bytes, options->seed);
    ppu_set_trace(self->ppu, on_event, self);
    return self;
}
static void destroy(void *context) {
    struct echo *self = context;
    ppu_destroy(self->ppu);
    free(self);
}
static void set_sink(void *context, rtl_event_sink *sink, void *sink_context) {
    struct echo *self = context;
    self->sink = sink;
    self->sink_context = sink_context;
}
static uint64_t run(void *context, uint64_t cycles) {
    struct echo *self = context;
    uint64_t done = 0;
    self->go_on = true;
    while (done < cycles && self->go_on) {
        self->cycle++;
        done++;
        if (!(self->lied && plan.lie == FALL_SILENT)) (void)ppu_step(self->ppu, 1);
    }
    return done;
}
static uint64_t get_cycle(const void *context) {
    return ((const struct echo *)context)->cycle;
}
static bool reg_read(void *context, uint32_t offset, uint32_t *value) {
    struct echo *self = context;
    self->cycle++;
    *value = ppu_reg_read(self->ppu, offset);
    struct trace_event event;
    memset(&event, 0, sizeof event);
    event.kind = TRACE_REG_READ;
    event.reg_read = (struct trace_reg_read){.addr = offset, .data = *value};
    on_event(self, &event);
    return true;
}
static bool reg_write(void *context, uint32_t offset, uint32_t value) {
    struct echo *self = context;
    self->cycle++;
    ppu_reg_write(self->ppu, offset, value);
    struct trace_event event;
    memset(&event, 0, sizeof event);
    event.kind = TRACE_REG_WRITE;
    event.reg_write = (struct trace_reg_write){.addr = offset, .data = value};
    on_event(self, &event);
    return true;
}
static bool irq(const void *context) {
    return ppu_irq(((const struct echo *)context)->ppu);
}
static bool mem_read(void *context, uint64_t addr, void *to, size_t size) {
    return ppu_mem_read(((struct echo *)context)->ppu, addr, to, size);
}
static bool mem_write(void *context, uint64_t addr, const void *from, size_t size) {
    return ppu_mem_write(((struct echo *)context)->ppu, addr, from, size);
}
static const uint8_t *mem(void *context) {
    return ppu_mem(((struct echo *)context)->ppu);
}
static bool rmw_busy(const void *context) {
    (void)context;
    return false;
}
static void bus_errors(void *context, uint64_t base, uint64_t size, bool writes_only) {
    ppu_set_bus_errors(((struct echo *)context)->ppu, base, size, writes_only);
}
static const char *error(const void *context) {
    const struct echo *self = context;
    return self->lied && plan.lie == BREAK_RULE ? "a rule of the test" : NULL;
}
static bool wave(void *context, const char *path, char *why, size_t why_size) {
    (void)why;
    (void)why_size;
    (void)context;
    return path == NULL;
}
static bool inject(void *context, unsigned defect) {
    (void)context;
    return defect == 0;
}

static const struct rtl_ops echo_ops = {
    .name = "nano",
    .config = "nano",
    .create = create,
    .destroy = destroy,
    .set_sink = set_sink,
    .run = run,
    .cycle = get_cycle,
    .reg_read = reg_read,
    .reg_write = reg_write,
    .irq = irq,
    .mem_read = mem_read,
    .mem_write = mem_write,
    .mem = mem,
    .rmw_busy = rmw_busy,
    .bus_errors = bus_errors,
    .error = error,
    .wave = wave,
    .inject = inject,
};
const struct rtl_ops *rtl_ops_find(const char *name) {
    return strcmp(name, "nano") == 0 ? &echo_ops : NULL;
}
const char *rtl_ops_names(void) {
    return "nano ";
}

// Reports go to a folder of the test's own.
static char folder[64];
static void make_folder(void) {
    strcpy(folder, "/tmp/tandem-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    setenv("TANDEM_REPORTS", folder, 1);
}
// Reads the one report (its first bytes); the number of reports found.
static unsigned take_reports(char *text, size_t size) {
    unsigned count = 0;
    DIR *list = opendir(folder);
    cr_assert_not_null(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "r");
        cr_assert_not_null(file);
        size_t length = fread(text, 1, size - 1, file);
        text[length] = '\0';
        fclose(file);
        unlink(path);
        count++;
    }
    closedir(list);
    return count;
}
static void remove_folder(void) {
    char text[16];
    (void)take_reports(text, sizeof text);
    rmdir(folder);
}

static enum tandem_status run_all(const char *only, char *why, size_t why_size) {
    why[0] = '\0';
    return fixed_programs_run("tandem:nano,mem=4,seed=7", only, why, why_size);
}

TestSuite(tandem_checker, .init = make_folder, .fini = remove_folder);

// The lying RTL is a model, and a model alone has no level 1 cache: tests/unit/test_sm_follow.c has wrong hits.
static bool is_told(int kind) {
    return kind != TRACE_L1_HIT && kind != TRACE_SV_WINDOW;
}

Test(tandem_checker, honest_rtl_gives_no_alarm,
     .description = "TD-6 TD-7 TD-8 TD-9 TD-11 WQ-2 WQ-6 TU-1 a model follows another one [model]") {
    for (unsigned seed = 1; seed <= 5; seed++) {
        char name[64], why[1024] = "";
        snprintf(name, sizeof name, "tandem:nano,mem=4,seed=%u", seed);
        enum tandem_status status = fixed_programs_run(name, NULL, why, sizeof why);
        cr_expect_eq(status, TANDEM_OK, "seed %u: %s: %s", seed, tandem_status_name(status), why);
    }
    char text[64];
    cr_expect_eq(take_reports(text, sizeof text), 0);
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++) {
        cr_expect(record.count[kind] > 0 || !is_told(kind), "the programs make no %s",
                  trace_kind_name((enum trace_kind)kind));
    }
}

Test(tandem_checker, statistics_count_what_was_compared, .description = "statistics of a device in tandem") {
    struct tandem_device *device = NULL;
    char why[1024] = "";
    cr_assert_eq(tandem_open("tandem:nano,mem=4", &device, why, sizeof why), TANDEM_OK, "%s", why);
    cr_assert_eq(fixed_programs[0].run(device, why, sizeof why), TANDEM_OK, "%s", why);
    struct tandem_statistics statistics;
    tandem_get_statistics(device, &statistics);
    uint64_t total = record.fetches;
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
        total += record.count[kind];
    cr_expect_eq(statistics.compared, total);
    cr_expect_eq(statistics.warp_instructions, record.count[TRACE_INSTR]);
    cr_expect_gt(statistics.events, 0);
    cr_expect_lt(statistics.events, statistics.compared);
    cr_expect_eq(statistics.mismatches, 0);
    cr_expect_eq(tandem_close(device), TANDEM_OK);
}

// Runs with the plan; the lie must end the run, with a report whose first lines are returned.
static void expect_caught(const char *only, char *text, size_t size, const char *what) {
    char why[1024];
    enum tandem_status status = run_all(only, why, sizeof why);
    cr_expect_eq(status, TANDEM_MISMATCH, "%s: not caught (%s: %s)", what, tandem_status_name(status), why);
    text[0] = '\0';
    cr_expect_eq(take_reports(text, size), 1, "%s: reports", what);
}

// A byte of a request's data that neither a strobe nor an operand uses may hold anything: the check leaves it alone.
static bool is_unused_data(const struct trace_event *event, size_t offset) {
    uint32_t op, strobe;
    size_t data;
    if (event->kind == TRACE_MEM_REQ) {
        op = event->mem_req.op;
        strobe = event->mem_req.wstrb;
        data = offsetof(struct trace_event, mem_req.wdata);
    } else if (event->kind == TRACE_PERFORM) {
        op = event->perform.op;
        strobe = event->perform.wstrb;
        data = offsetof(struct trace_event, perform.wdata);
    } else {
        return false;
    }
    if (offset < data || offset >= data + 32) return false;
    size_t byte = offset - data;
    bool operand = op == 2 && byte < 4;
    bool read = op == 0 && event->kind == TRACE_PERFORM;  // must be zero
    return !read && !operand && (strobe >> byte & 1) == 0;
}

// Every compared field of every kind of event: a flipped bit in it is found at that very event.
Test(tandem_checker, every_flipped_value_is_found, .description = "each field that is not a choice is compared",
     .timeout = 0) {
    static char text[16384];
    char why[1024];
    cr_assert_eq(run_all(NULL, why, sizeof why), TANDEM_OK, "%s", why);
    unsigned fields = 0;
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++) {
        if (!is_told(kind)) continue;
        cr_expect(record.count[kind] > 0, "no %s to flip", trace_kind_name((enum trace_kind)kind));
        bool done[64] = {false};
        uint64_t kept = record.count[kind] < KEPT ? record.count[kind] : KEPT;
        // Which byte is which field the comparison itself says. Data of lanes counts only under a mask, so several
        // events are tried.
        for (uint64_t occurrence = 0; occurrence < kept; occurrence += kept / 5 + 1) {
            const struct trace_event *event = &record.kept[kind][occurrence];
            for (size_t offset = offsetof(struct trace_event, instr); offset < sizeof *event; offset++) {
                struct trace_event flipped = *event;
                ((uint8_t *)&flipped)[offset] ^= 1;
                int field = trace_event_compare(event, &flipped);
                if (field < 0 || field >= 64 || done[field] || is_unused_data(event, offset)) continue;
                done[field] = true;
                fields++;
                plan.lie = FLIP_BYTE;
                plan.kind = (enum trace_kind)kind;
                plan.occurrence = occurrence;
                plan.offset = offset;
                plan.bits = 1;
                char what[128];
                snprintf(what, sizeof what, "%s.%s", trace_kind_name(plan.kind), trace_field_name(plan.kind, field));
                expect_caught(NULL, text, sizeof text, what);
                char line[160];
                snprintf(line, sizeof line, "%s differs", what);
                bool named = strstr(text, line) != NULL;
                snprintf(line, sizeof line, "%s is not legal", trace_kind_name(plan.kind));
                cr_expect(named || strstr(text, line) != NULL, "%s: the report is about something else:\n%.300s", what,
                          text);
                plan.lie = HONEST;
            }
        }
    }
    cr_expect_geq(fields, 60, "only %u fields tried", fields);
}

Test(tandem_checker, wrong_sm_is_found, .description = "an event of another SM") {
    static char text[16384];
    plan.lie = FLIP_BYTE;
    plan.kind = TRACE_INSTR;
    plan.occurrence = 10;
    plan.offset = offsetof(struct trace_event, sm);
    plan.bits = 1;
    expect_caught("loop", text, sizeof text, "INSTR of SM 1");
}

// An event that is not told, or told twice. Choices are not compared, but what comes of them is.
Test(tandem_checker, dropped_and_repeated_events_are_found,
     .description = "completeness: nothing may be missing or too much", .timeout = 0) {
    static char text[16384];
    char why[1024];
    cr_assert_eq(run_all(NULL, why, sizeof why), TANDEM_OK, "%s", why);
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++) {
        // A register read changes nothing, so telling it twice, or not at all, is the same as reading twice, or not at
        // all. A write of the same value twice likewise, and the instruction fetches among PERFORM: the model has no
        // cache.
        if (kind == TRACE_REG_READ || kind == TRACE_REG_WRITE || kind == TRACE_PERFORM || !is_told(kind)) continue;
        for (int repeat = 0; repeat < 2; repeat++) {
            plan.lie = repeat ? REPEAT : DROP;
            plan.kind = (enum trace_kind)kind;
            plan.occurrence = record.count[kind] / 2;
            // Two raises that follow each other may be told as one, so only the last one is surely missed.
            if (kind == TRACE_INTERRUPT) plan.occurrence = record.count[kind] - 1;
            // A lost atomic that had changed nothing leaves the same memory; without any, the fault is surely missed.
            if (kind == TRACE_WRITE_BACK_ERROR && !repeat) plan.lie = DROP_ALL;
            // A try of an acquire that fails may be made once more or less.
            while (kind == TRACE_SEMAPHORE && plan.occurrence < KEPT &&
                   record.kept[kind][plan.occurrence].semaphore.done == 0) {
                plan.occurrence++;
            }
            char what[64];
            snprintf(what, sizeof what, "%s %s", trace_kind_name(plan.kind), repeat ? "repeated" : "dropped");
            expect_caught(NULL, text, sizeof text, what);
        }
    }
}

Test(tandem_checker, last_event_dropped_is_found_at_the_end, .description = "completeness at the end of the device") {
    static char text[16384];
    plan.lie = DROP;
    plan.kind = TRACE_GP_GET;
    plan.occurrence = 0;
    struct tandem_device *device = NULL;
    struct tandem_channel *channel = NULL;
    cr_assert_eq(tandem_open("tandem:nano,mem=4", &device, text, sizeof text), TANDEM_OK, "%s", text);
    cr_assert_eq(tandem_channel_open(device, 4, 0, &channel), TANDEM_OK);
    cr_assert_eq(tandem_submit_entry(channel, 0, 0), TANDEM_OK);
    cr_assert_eq(tandem_run(device, 100), TANDEM_OK);
    // The channel is left open: closing it would end the wait for the event.
    cr_expect_eq(tandem_close(device), TANDEM_MISMATCH);
    cr_expect_eq(take_reports(text, sizeof text), 1);
    cr_expect(strstr(text, "GP_GET after entry 0 is due") != NULL, "%.300s", text);
    tandem_channel_close(channel);
}

Test(tandem_checker, differing_memory_is_found, .description = "a write that reaches memory otherwise than told") {
    static char text[16384];
    char why[1024];
    cr_assert_eq(run_all("loop", why, sizeof why), TANDEM_OK, "%s", why);
    uint64_t kept = record.count[TRACE_PERFORM] < KEPT ? record.count[TRACE_PERFORM] : KEPT, at = 0;
    while (at < kept &&
           !(record.kept[TRACE_PERFORM][at].perform.op == 1 && record.kept[TRACE_PERFORM][at].perform.port == 4))
        at++;
    cr_assert_lt(at, kept, "no store found");
    plan.lie = CORRUPT_MEMORY;
    plan.kind = TRACE_PERFORM;
    plan.occurrence = at;
    plan.offset = 3;
    plan.bits = 0x10;
    expect_caught("loop", text, sizeof text, "memory");
    cr_expect(strstr(text, "verdict    memory") != NULL || strstr(text, "differs") != NULL, "%.300s", text);
}

Test(tandem_checker, silence_with_work_outstanding_is_stuck,
     .description = "a hang is reported, with where everything stands") {
    static char text[65536];
    plan.lie = FALL_SILENT;
    plan.kind = TRACE_CTA_END;
    plan.occurrence = 1;
    expect_caught("loop", text, sizeof text, "silence");
    cr_expect(strstr(text, "verdict    stuck") != NULL || strstr(text, "verdict    missing") != NULL, "%.300s", text);
    cr_expect(strstr(text, "[channel 0]") != NULL);
}

Test(tandem_checker, broken_rule_is_reported, .description = "an assertion of the RTL ends the run with a report") {
    static char text[16384];
    plan.lie = BREAK_RULE;
    plan.kind = TRACE_INSTR;
    plan.occurrence = 20;
    expect_caught("loop", text, sizeof text, "broken rule");
    cr_expect(strstr(text, "verdict    broken") != NULL, "%.300s", text);
    cr_expect(strstr(text, "a rule of the test") != NULL);
}

Test(tandem_checker, report_says_how_to_replay,
     .description = "a report has device, seed, replay command, history and both states") {
    static char text[131072];
    setenv("TANDEM_REPLAY", "the command line", 1);
    plan.lie = FLIP_BYTE;
    plan.kind = TRACE_WB;
    plan.occurrence = 5;
    plan.offset = offsetof(struct trace_event, wb.rd);
    plan.bits = 2;
    expect_caught("loop", text, sizeof text, "WB.rd");
    static const char *const wanted[] = {"verdict    differs",
                                         "device     tandem:nano,mem=4,seed=7",
                                         "seed       7",
                                         "replay     the command line",
                                         "wave=FILE.fst",
                                         "> rd",
                                         "RTL   0x",
                                         "model 0x",
                                         "[the event's warp: SM 0 warp",
                                         "[channel 1]",
                                         "(choice)",
                                         "INSTR",
                                         "pc 0x"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        cr_expect(strstr(text, wanted[i]) != NULL, "the report lacks \"%s\":\n%s", wanted[i], text);
    }
}

Test(tandem_checker, a_defect_of_the_model_is_found,
     .description = "inject_model: the check works in both directions") {
    char why[1024] = "", text[4096];
    unsigned found = 0;
    for (unsigned defect = 101; defect <= 104; defect++) {
        char name[64];
        snprintf(name, sizeof name, "tandem:nano,mem=4,inject_model=%u", defect);
        found += fixed_programs_run(name, NULL, why, sizeof why) == TANDEM_MISMATCH;
        (void)take_reports(text, sizeof text);
    }
    cr_expect_eq(found, 4);
}

Test(tandem_checker, trace_file_has_every_event, .description = "trace=FILE") {
    char name[128], why[1024] = "", path[80];
    snprintf(path, sizeof path, "%s/.trace", folder);
    snprintf(name, sizeof name, "tandem:nano,mem=4,trace=%s", path);
    cr_assert_eq(fixed_programs_run(name, "loop", why, sizeof why), TANDEM_OK, "%s", why);
    uint64_t total = record.fetches, lines = 0;
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
        total += record.count[kind];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    char line[4096];
    while (fgets(line, sizeof line, file) != NULL)
        lines += strncmp(line, "cycle ", 6) == 0;
    fclose(file);
    unlink(path);
    cr_expect_eq(lines, total);
}

Test(tandem_checker, bad_options_are_refused, .description = "one clear line and no device") {
    static const char *const names[] = {"tandem:small", "tandem:nano,inject=1",
                                        "tandem:nano,trace=/no/such/folder/file",
                                        "tandem:nano,wave=/no/such/folder/file", "rtl:nano,inject_model=1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct tandem_device *device = NULL;
        char why[1024] = "";
        cr_expect_eq(tandem_open(names[i], &device, why, sizeof why), TANDEM_NO_DEVICE, "%s", names[i]);
        cr_expect(why[0] != '\0' && strchr(why, '\n') == NULL, "%s: \"%s\"", names[i], why);
    }
}
