// The SM in tandem, without RTL: reads of a line that is on its way join the read that has asked for it. The events of
// the requests are made here, one by one.
#include "instruction_fetch.h"
#include "sm_bench.h"

#define LINE 0x40000u
#define PORT (MEM_PORT_SM + 1u)
#define STREAM_MAX 4096u

struct followed {
    struct bench bench;
    size_t count;
    struct trace_event events[STREAM_MAX];  // of the model alone
    char why[512];
};

static void keep(void *context, const struct trace_event *event) {
    struct followed *f = context;
    if (f->count < STREAM_MAX) f->events[f->count++] = *event;
}

// Follows an event. True: it was legal, and alike in all fields.
static bool accepts(struct followed *f, const struct trace_event *event) {
    struct trace_event model;
    f->why[0] = 0;
    fetch_before(f->bench.ppu, event, BENCH_REGION);
    if (!ppu_follow(f->bench.ppu, event, &model, f->why, sizeof f->why)) return false;
    const int field = trace_event_compare(event, &model);
    if (field >= 0) snprintf(f->why, sizeof f->why, "field %s", trace_field_name(event->kind, field));
    return field < 0;
}

// Programs here load into R1, R2 and R4.
static bool of_memory(const struct trace_event *e) {
    return e->kind == TRACE_MEM_REQ || (e->kind == TRACE_WB && (e->wb.rd == 1 || e->wb.rd == 2 || e->wb.rd == 4)) ||
           (e->kind == TRACE_PERFORM && e->perform.port == PORT);
}

// `warps` warps of 8 threads on small, one portion each; all have issued their `instructions` before anything is read.
// False: not with this seed.
static bool begin(struct followed *f, const char *body, uint32_t warps, unsigned instructions, uint64_t seed) {
    const struct bench_launch launch = {.grid = {warps}, .cta = {8}};
    struct bench alone;
    unsigned issued[4] = {0}, left = warps * instructions;
    f->count = 0;
    bench_open(&alone, "small", seed);
    ppu_set_trace(alone.ppu, keep, f);
    bench_run(&alone, body, &launch);
    bench_close(&alone);
    bench_open(&f->bench, "small", 1);
    f->bench.ppu->run.following = true;
    bench_launch(&f->bench, body, &launch);
    for (size_t i = 0; i < f->count && left > 0; i++) {
        const struct trace_event *e = &f->events[i];
        const bool instr = e->kind == TRACE_INSTR;
        if (of_memory(e) || (instr && issued[e->instr.warp] == instructions)) continue;
        if (!accepts(f, e)) break;
        if (instr) {
            issued[e->instr.warp]++;
            left--;
        }
    }
    if (left != 0) bench_close(&f->bench);
    return left == 0;
}

static void begin_any(struct followed *f, const char *body, uint32_t warps, unsigned instructions) {
    for (uint64_t seed = 0; seed < 200; seed++)
        if (begin(f, body, warps, instructions, seed)) return;
    cr_assert_fail("no seed in which all warps begin first: %s", f->why);
}

static void end(struct followed *f) {
    bench_close(&f->bench);
}

static bool asks(struct followed *f, uint32_t warp, uint32_t addr, uint64_t threads) {
    return accepts(f,
                   &(struct trace_event){.kind = TRACE_MEM_REQ,
                                         .mem_req = {.warp = warp, .op = MEM_READ, .addr = addr, .threads = threads}});
}

// A word of one thread.
static bool stores(struct followed *f, uint32_t warp, enum trace_kind kind, uint32_t word) {
    struct trace_event e = {.kind = kind};
    if (kind == TRACE_MEM_REQ) {
        e.mem_req = (struct trace_mem_req){.warp = warp, .op = MEM_WRITE, .addr = LINE, .threads = 1, .wstrb = 15};
        memcpy(e.mem_req.wdata, &word, 4);
    } else {
        e.perform = (struct trace_perform){.port = PORT, .op = MEM_WRITE, .addr = LINE, .wstrb = 15};
        memcpy(e.perform.wdata, &word, 4);
    }
    return accepts(f, &e);
}

static bool stays(struct followed *f, uint32_t warp, uint32_t addr, bool joined) {
    return accepts(
        f, &(struct trace_event){.kind = TRACE_L1_HIT, .l1_hit = {.warp = warp, .addr = addr, .joined = joined}});
}

static bool hits(struct followed *f, uint32_t warp, uint32_t addr) {
    return stays(f, warp, addr, false);
}

static bool joins(struct followed *f, uint32_t warp, uint32_t addr) {
    return stays(f, warp, addr, true);
}

static bool performs(struct followed *f, uint32_t addr) {
    return accepts(
        f, &(struct trace_event){.kind = TRACE_PERFORM, .perform = {.port = PORT, .op = MEM_READ, .addr = addr}});
}

// All eight threads of the warp get the word.
static bool writes_back(struct followed *f, uint32_t warp, uint32_t rd, uint32_t word) {
    struct trace_event e = {.kind = TRACE_WB, .wb = {.warp = warp, .rd = rd, .mask = 0xFF}};
    for (unsigned l = 0; l < 8; l++)
        e.wb.data[l] = word;
    return accepts(f, &e);
}

static bool bus_error(struct followed *f, uint32_t after, uint32_t addr) {
    return accepts(f, &(struct trace_event){.kind = TRACE_BUS_ERROR,
                                            .bus_error = {.port = PORT, .after = after, .addr = BENCH_SPACE + addr}});
}

static bool faults(struct followed *f, uint32_t warp, uint32_t pc, uint32_t info) {
    return accepts(
        f, &(struct trace_event){
               .kind = TRACE_WARP_FAULT,
               .warp_fault = {.warp = warp, .code = FAULT_BUS_ERROR, .info = info, .pc = BENCH_OFFSET / 8 + pc}});
}

static const char one_load[] = "LDG.32 R1, [0x40000]\nEXIT";
static const char two_lines[] = "S2R R0, SR_TID_X\nSHL R0, R0, 3\nLDG.32 R1, [R0 + 0x40000]\nEXIT";

#define GOOD(call) cr_assert(call, "%s: %s", #call, f.why)
#define REFUSED(call, reason)                                                         \
    do {                                                                              \
        cr_assert_not(call, "%s", #call);                                             \
        cr_assert_not_null(strstr(f.why, reason), "%s instead of %s", f.why, reason); \
    } while (0)

Test(sm_follow_reads, with_the_read,
     .description = "a read that joins one which is not performed yet sees what that one sees [model]") {
    static struct followed f;
    begin_any(&f, one_load, 3, 1);
    bench_set(&f.bench, LINE, 5);
    GOOD(asks(&f, 0, LINE, 0xFF));
    GOOD(asks(&f, 1, LINE, 0xFF));
    GOOD(joins(&f, 1, LINE));
    GOOD(asks(&f, 2, LINE, 0xFF));
    GOOD(joins(&f, 2, LINE));
    REFUSED(writes_back(&f, 1, 1, 5), "");
    cr_assert_not(ppu_quiescent(f.bench.ppu, f.why, sizeof f.why));
    cr_assert_not_null(strstr(f.why, "due is PERFORM of line 0x40000 for warp 0"), "%s", f.why);
    bench_set(&f.bench, LINE, 6);  // still before the one read of all three
    GOOD(performs(&f, LINE));
    bench_set(&f.bench, LINE, 7);
    for (uint32_t w = 0; w < 3; w++)
        GOOD(writes_back(&f, w, 1, 6));
    REFUSED(performs(&f, LINE), "no request is in flight");
    end(&f);
}

Test(sm_follow_reads, after_the_read,
     .description = "a read that joins one which is performed sees memory as it is now [model]") {
    static struct followed f;
    begin_any(&f, one_load, 2, 1);
    bench_set(&f.bench, LINE, 5);
    GOOD(asks(&f, 0, LINE, 0xFF));
    GOOD(performs(&f, LINE));
    GOOD(asks(&f, 1, LINE, 0xFF));
    GOOD(joins(&f, 1, LINE));
    GOOD(writes_back(&f, 1, 1, 5));
    GOOD(writes_back(&f, 0, 1, 5));
    end(&f);
}

Test(sm_follow_reads, refused,
     .description = "a request joins once, the last one, and only reads of its line [model]") {
    static struct followed f;
    begin_any(&f, one_load, 2, 1);
    GOOD(asks(&f, 0, LINE, 0xFF));
    GOOD(asks(&f, 1, LINE, 0xFF));
    GOOD(joins(&f, 1, LINE));
    REFUSED(joins(&f, 1, LINE), "its last request has had one");
    end(&f);
    begin_any(&f, one_load, 2, 1);
    GOOD(asks(&f, 0, LINE, 0xFF));
    GOOD(asks(&f, 1, LINE, 0xFF));
    REFUSED(joins(&f, 0, LINE), "the last request is that of warp 1");
    end(&f);
    begin_any(&f, one_load, 2, 1);
    GOOD(asks(&f, 0, LINE, 0xFF));
    GOOD(asks(&f, 1, LINE, 0xFF));
    cr_assert_not(joins(&f, 1, LINE + 32));
    end(&f);
    begin_any(&f, one_load, 2, 1);
    GOOD(asks(&f, 0, LINE, 0xFF));
    GOOD(asks(&f, 1, LINE, 0xFF));
    REFUSED(hits(&f, 1, LINE), "an earlier read of it, by warp 0, is not performed, and not joined");
    end(&f);
    begin_any(&f, one_load, 1, 1);
    GOOD(asks(&f, 0, LINE, 0xFF));
    REFUSED(joins(&f, 0, LINE), "no read of it is on its way");
    end(&f);
    begin_any(&f, two_lines, 1, 3);
    GOOD(asks(&f, 0, LINE, 0x0F));
    GOOD(performs(&f, LINE));
    GOOD(asks(&f, 0, LINE + 32, 0xF0));
    REFUSED(joins(&f, 0, LINE + 32), "no read of it is on its way");
    end(&f);
}

Test(sm_follow_reads, beside_a_write,
     .description = "a read never joins one from before a write of its SM, but one behind it [model]") {
    static const char ordered[] =
        "S2R R3, SR_LANEID\nISETP.EQ P0, R3, 0\nMOV R0, 7\nLDG.32 R1, [0x40000]\n@P0 STG.32 [0x40000], R0\n"
        "LDG.32 R2, [0x40000]\nLDG.32 R4, [0x40000]\nEXIT";
    static struct followed f;
    for (unsigned before = 0; before < 2; before++) {
        begin_any(&f, ordered, 1, 7);
        GOOD(asks(&f, 0, LINE, 0xFF));
        GOOD(stores(&f, 0, TRACE_MEM_REQ, 7));
        GOOD(asks(&f, 0, LINE, 0xFF));
        if (before != 0) {
            REFUSED(joins(&f, 0, LINE), "an earlier write of it, by warp 0, is not performed");
            end(&f);
            continue;
        }
        GOOD(asks(&f, 0, LINE, 0xFF));
        GOOD(joins(&f, 0, LINE));
        bench_set(&f.bench, LINE, 3);
        GOOD(performs(&f, LINE));
        GOOD(writes_back(&f, 0, 1, 3));
        GOOD(stores(&f, 0, TRACE_PERFORM, 7));
        GOOD(performs(&f, LINE));
        GOOD(writes_back(&f, 0, 2, 7));
        GOOD(writes_back(&f, 0, 4, 7));
        end(&f);
    }
}

Test(sm_follow_reads, bus_errors,
     .description = "WQ-8 an error of a read is one of all that have joined it, whenever, and of no other [model]") {
    static struct followed f;
    for (unsigned late = 0; late < 2; late++) {
        begin_any(&f, one_load, 3, 1);
        GOOD(asks(&f, 0, LINE, 0xFF));
        if (late != 0) GOOD(performs(&f, LINE));
        GOOD(asks(&f, 1, LINE, 0xFF));
        GOOD(joins(&f, 1, LINE));
        if (late == 0) GOOD(performs(&f, LINE));
        GOOD(asks(&f, 2, LINE, 0xFF));
        GOOD(performs(&f, LINE));  // a read of its own, because it did not join
        GOOD(bus_error(&f, 1, LINE));
        REFUSED(writes_back(&f, 1, 1, 0), "");
        REFUSED(faults(&f, 2, 0, LINE), "");
        end(&f);
        begin_any(&f, one_load, 3, 1);
        GOOD(asks(&f, 0, LINE, 0xFF));
        if (late != 0) GOOD(performs(&f, LINE));
        GOOD(asks(&f, 1, LINE, 0xFF));
        GOOD(joins(&f, 1, LINE));
        if (late == 0) GOOD(performs(&f, LINE));
        GOOD(bus_error(&f, 0, LINE));
        GOOD(faults(&f, 1, 0, LINE));
        GOOD(faults(&f, 0, 0, LINE));
        end(&f);
    }
    begin_any(&f, one_load, 2, 1);
    bench_set(&f.bench, LINE, 5);
    GOOD(asks(&f, 0, LINE, 0xFF));
    GOOD(performs(&f, LINE));
    GOOD(asks(&f, 1, LINE, 0xFF));
    GOOD(hits(&f, 1, LINE));
    GOOD(bus_error(&f, 0, LINE));
    REFUSED(faults(&f, 1, 0, LINE), "");
    end(&f);
    begin_any(&f, one_load, 2, 1);
    bench_set(&f.bench, LINE, 5);
    GOOD(asks(&f, 0, LINE, 0xFF));
    GOOD(performs(&f, LINE));
    GOOD(asks(&f, 1, LINE, 0xFF));
    GOOD(hits(&f, 1, LINE));
    GOOD(bus_error(&f, 0, LINE));
    GOOD(writes_back(&f, 1, 1, 5));
    GOOD(faults(&f, 0, 0, LINE));
    end(&f);
}

Test(sm_follow_reads, first_error,
     .description =
         "WQ-8 of two reads that fail the one handed over first is told, not the one performed first [model]") {
    static struct followed f;
    begin_any(&f, two_lines, 2, 3);
    GOOD(asks(&f, 1, LINE + 32, 0xF0));
    GOOD(performs(&f, LINE + 32));
    GOOD(asks(&f, 0, LINE, 0x0F));
    GOOD(asks(&f, 0, LINE + 32, 0xF0));
    GOOD(joins(&f, 0, LINE + 32));
    GOOD(performs(&f, LINE));
    GOOD(bus_error(&f, 1, LINE + 32));
    GOOD(bus_error(&f, 0, LINE));
    GOOD(faults(&f, 0, 2, LINE));
    end(&f);
}

// A loop of reads of one line in a region: the first goes to memory, of the others `joined` join another read and the rest
// hit. Returns whether the region's window ends with so many misses.
static bool window_has(struct followed *f, uint32_t joined, uint32_t misses) {
    static const char loop[] =
        "MOV R0, 0\nSVSTART.AUTO after\nturn: LDG.32 R1, [0x40000]\nIADD R0, R0, 1\nISETP.LT P0, R0, 100\n"
        "@P0 BRA.TURN turn\nSVEND\nafter: EXIT";
    static const struct bench_launch launch = {.grid = {1}, .cta = {8}};
    const uint32_t window = 2 * ppu_config_find("small")->l1_lines;
    struct bench alone;
    uint32_t reads = 0;
    f->count = 0;
    bench_open(&alone, "small", 1);
    ppu_set_trace(alone.ppu, keep, f);
    bench_run(&alone, loop, &launch);
    bench_close(&alone);
    bench_open(&f->bench, "small", 1);
    f->bench.ppu->run.following = true;
    bench_launch(&f->bench, loop, &launch);
    bool ended = false;
    for (size_t i = 0; i < f->count && !ended; i++) {
        const struct trace_event *e = &f->events[i];
        const bool performed = e->kind == TRACE_PERFORM && e->perform.port == PORT;
        ended = e->kind == TRACE_MEM_REQ && reads == window;
        const bool good = performed && reads > 0 ? stays(f, 0, LINE, reads <= joined) : accepts(f, e);
        cr_assert_eq(good, !ended, "%s after %u reads: %s", trace_kind_name(e->kind), reads, f->why);
        reads += performed;
    }
    cr_assert(ended);
    cr_assert_not_null(strstr(f->why, "due is SV_WINDOW"), "%s", f->why);
    return accepts(f, &(struct trace_event){.kind = TRACE_SV_WINDOW,
                                            .sv_window = {.reads = window, .misses = misses, .cycles = 1000}});
}

Test(sm_follow_reads, rate,
     .description = "SV-20 a read that joins another is a miss of its region, since it waits as one [model]") {
    static struct followed f;
    for (uint32_t joined = 0; joined < 8; joined += 7) {
        cr_assert(window_has(&f, joined, 1 + joined), "%u joined: %s", joined, f.why);
        end(&f);
        cr_assert_not(window_has(&f, joined, 2 + joined));
        cr_assert_not_null(strstr(f.why, "field misses"), "%s", f.why);
        end(&f);
    }
}
