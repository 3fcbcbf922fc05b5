// The SM in tandem, without RTL: one device runs alone and its events are kept; a second one follows them. What is true
// of every event of a right stream (legal, and computed alike) must fail as soon as an event is changed, lost or
// doubled.
#include "instruction_fetch.h"
#include "sm_bench.h"

struct stream {
    size_t count, room;
    struct trace_event *events;
};

static void keep(void *context, const struct trace_event *event) {
    struct stream *stream = context;
    if (stream->count == stream->room) {
        stream->room = stream->room == 0 ? 1024 : 2 * stream->room;
        stream->events = realloc(stream->events, stream->room * sizeof *stream->events);
        cr_assert_not_null(stream->events);
    }
    stream->events[stream->count++] = *event;
}

struct scene {
    const char *config, *body;
    struct bench_launch launch;
};

// Together: arithmetic, predicates, wide and narrow memory, atomics, constants, barriers, ifs, loops, calls, YIELD, a
// partial warp, two CTAs.
static const char everything[] =
    "S2R R0, SR_TID_X\nS2R R1, SR_CTAID_X\nIMUL R1, R1, 48\nIADD R0, R0, R1\nSHL R2, R0, 4\nIADD R4, R0, 1\nMOV R5, "
    "-1\nXOR R6, R4, R5\n"
    "UMAX R7, R5, R0\nSTG.128 [R2 + 0x40000], R4\nBAR\nLDG.64 R8, [R2 + 0x40008]\nLDG.S8 R10, [R2 + 0x40003]\nSAR R10, "
    "R8, 20\n"
    "SHL R11, R0, 1\nAND R11, R11, 0xFE\nLDC.U16 R11, c[0][R11]\nMOV R12, 0x50000\nATOMG.ADD R13, [R12], R4\nATOMG.CAS "
    "RZ, [R12 + 4], RZ, R4\nAND R14, R0, 3\nISETP.EQ P0, R14, 1\n"
    "ISETP.LT P1, R14, 2\nPSETP.XOR P2, P0, !P1\nP2R R15\nR2P R0, 0x18\nSEL R15, R15, R14, P3\nSSY join\n@P0 BRA "
    "other\nCAL R16, function\nSYNC\n"
    "other: IADD R15, R15, 0xFFFF\nSYNC\njoin: MOV R17, 0\nPBRK out\nloop: IADD R17, R17, 1\nISETP.GT P4, R17, "
    "R14\n@P4 BRK\nBRA loop\n"
    "out: YIELD\nMEMBAR\nS2R R18, SR_CLOCK_LO\nSTG.U8 [R0 + 0x60000], R17\n@P1 STG.32 [R2 + 0x70000], R15\nEXIT\n"
    "function: IADD R15, R15, 7\nRET R16\n";

static const struct scene scenes[] = {
    {"nano", everything, {.grid = {2}, .cta = {48}}},
    {"small", everything, {.grid = {3}, .cta = {48}}},
    {"full", everything, {.grid = {2}, .cta = {80}}},
    {"small",
     "S2R R0, SR_TID_X\nSMOV S3, 77\nR2S S4, R0\nISETP.LT P0, R0, 9\n@P0 VOTE S6\nSRD R1, S6\nSVLOOP_BEGIN after\n"
     "first: IADDO R2, R0, -5, P1\nIADDC R3, R0, R1, P1\nSRD R4, EXEC_HI\nSVLOOP_END first\nafter: SMOV S8, EXEC_LO\n"
     "SMOV EXEC_LO, 0\nSHFL R5, R2, 3\nSMOV EXEC_LO, S8\nSHL R6, R0, 2\nSTG.32 [R6 + 0x40000], R5\nEXIT",
     {.grid = {2}, .cta = {48}}},
    {"full",
     "S2R R0, SR_TID_X\nAND R1, R0, 28\nSTL.32 [R1], R0\nSTL.U8 [R1 + 1], R1\nLDL.S16 R2, [R1]\nLDL.32 R3, "
     "[R1]\nSTL.U16 [30], R3\n"
     "EXIT",
     {.grid = {3}, .cta = {80}, .local = 32}},
    {"small",
     "S2R R0, SR_TID_X\nMOV R1, 0x100000\nISETP.EQ P0, R0, 37\n@P0 LDG.32 R2, [R1]\nBAR\nEXIT",
     {.grid = {5}, .cta = {48}}},
    {"nano", "S2R R0, SR_TID_X\nISETP.EQ P0, R0, 37\n@P0 LDG.32 R2, [0x1]\nBAR\nEXIT", {.grid = {5}, .cta = {48}}},
    {"nano", "MOV R0, 1\n.word 0xFF\nEXIT", {.grid = {1}, .cta = {48}}},
    {"nano", "loop: CAL R1, loop\nEXIT", {.grid = {1}, .cta = {16}}},
};
#define FAULT_SCENES 5u  // from this one on
#define SCENES (sizeof scenes / sizeof scenes[0])

// All events of a scene, which ends without a fault if `good` says so.
static void record_run(const struct scene *scene, uint64_t seed, bool good, struct stream *stream) {
    struct bench bench;
    *stream = (struct stream){0};
    bench_open(&bench, scene->config, seed);
    ppu_set_trace(bench.ppu, keep, stream);
    bench_launch(&bench, scene->body, &scene->launch);
    bench_finish(&bench);
    cr_assert_eq(bench.code == FAULT_NONE, good, "%s info 0x%x pc 0x%x", fault_name(bench.code), bench.info, bench.pc);
    bench_close(&bench);
}

static void record(const struct scene *scene, uint64_t seed, struct stream *stream) {
    record_run(scene, seed, scene < &scenes[FAULT_SCENES], stream);
}

// Follows events[0 .. count - 1], in which event number `without` is left out and number `twice` comes twice (SIZE_MAX:
// none). True: everything was legal, alike, and nothing is due at the end. inject: defect of the follower.
static bool follow(const struct scene *scene, const struct stream *stream, size_t without, size_t twice,
                   const struct trace_event *changed, size_t changed_at, unsigned inject, char *why, size_t why_size) {
    struct bench bench;
    bool good = true;
    bench_open(&bench, scene->config, 1);
    bench.ppu->run.following = true;
    ppu_inject(bench.ppu, inject);
    bench_launch(&bench, scene->body, &scene->launch);
    for (size_t i = 0; good && i < stream->count; i++) {
        const struct trace_event *rtl = i == changed_at ? changed : &stream->events[i];
        for (unsigned times = i == without ? 0 : i == twice ? 2 : 1; good && times > 0; times--) {
            struct trace_event model;
            char text[256];
            fetch_before(bench.ppu, rtl, BENCH_REGION);
            good = ppu_follow(bench.ppu, rtl, &model, text, sizeof text);
            const int field = good ? trace_event_compare(rtl, &model) : -1;
            if (!good) snprintf(why, why_size, "event %zu %s: %s", i, trace_kind_name(rtl->kind), text);
            if (field >= 0) {
                char a[400], b[400];
                trace_event_print(rtl, a, sizeof a);
                trace_event_print(&model, b, sizeof b);
                snprintf(why, why_size, "event %zu, field %s: %s / %s", i, trace_field_name(rtl->kind, field), a, b);
                good = false;
            }
        }
    }
    if (good) good = ppu_quiescent(bench.ppu, why, why_size);
    bench_close(&bench);
    return good;
}

Test(sm_follow, a_right_stream,
     .description = "the model follows its own events: legal, alike, nothing due at the end") {
    for (size_t s = 0; s < SCENES; s++) {
        for (uint64_t seed = 0; seed < 5; seed++) {
            struct stream stream;
            char why[1200] = "";
            record(&scenes[s], seed, &stream);
            cr_assert_gt(stream.count, 10);
            const bool good = follow(&scenes[s], &stream, SIZE_MAX, SIZE_MAX, NULL, SIZE_MAX, 0, why, sizeof why);
            cr_assert(good, "scene %zu seed %u: %s", s, (unsigned)seed, why);
            free(stream.events);
        }
    }
}

static bool is_sm_event(const struct trace_event *event) {
    return trace_kind_per_sm(event->kind) || (event->kind == TRACE_PERFORM && event->perform.port >= MEM_PORT_SM);
}

Test(sm_follow, a_lost_event) {
    for (size_t s = 0; s < SCENES; s++) {
        struct stream stream;
        record(&scenes[s], 3, &stream);
        unsigned tried = 0;
        for (size_t i = 0; i < stream.count; i += s >= FAULT_SCENES ? 1 : 1 + stream.count / 150) {
            char why[1200] = "";
            if (!is_sm_event(&stream.events[i])) continue;
            // What a warp had still to show when its task is stopped is dropped.
            const enum trace_kind kind = stream.events[i].kind;
            if (s >= FAULT_SCENES && kind != TRACE_WARP_START && kind != TRACE_WARP_FAULT && kind != TRACE_WARP_END)
                continue;
            tried++;
            cr_assert_not(follow(&scenes[s], &stream, i, SIZE_MAX, NULL, SIZE_MAX, 0, why, sizeof why),
                          "scene %zu without event %zu, %s", s, i, trace_kind_name(stream.events[i].kind));
        }
        cr_assert_gt(tried, 2);
        free(stream.events);
    }
}

Test(sm_follow, a_doubled_event) {
    for (size_t s = 0; s < SCENES; s++) {
        struct stream stream;
        record(&scenes[s], 4, &stream);
        unsigned accepted = 0, tried = 0;
        for (size_t i = 0; i < stream.count; i += 1 + stream.count / 150) {
            char why[1200] = "";
            if (!is_sm_event(&stream.events[i])) continue;
            tried++;
            accepted += follow(&scenes[s], &stream, SIZE_MAX, i, NULL, SIZE_MAX, 0, why, sizeof why);
        }
        cr_assert_eq(accepted, 0, "scene %zu: %u of %u", s, accepted, tried);
        free(stream.events);
    }
}

// Changes one value that is no choice, by `which`; false: the kind has no such one.
static bool change(struct trace_event *e, unsigned which) {
    switch (e->kind) {
        case TRACE_WARP_START:
            if (which == 0) e->warp_start.mask ^= 1;
            if (which == 1) e->warp_start.pc++;
            if (which == 2) e->warp_start.rows++;
            if (which == 3) e->warp_start.index++;
            if (which == 4) e->warp_start.warp = 200;
            if (which == 5) e->warp_start.row = 65535;
            return which < 6;
        case TRACE_INSTR:
            if (which == 0) e->instr.pc ^= 1;
            if (which == 1) e->instr.word ^= UINT64_C(1) << 40;
            if (which == 2) e->instr.active ^= 2;
            if (which == 3) e->instr.exec ^= 2;
            if (which == 4) e->instr.warp ^= 1;
            return which < 5;
        case TRACE_SV_MODE:
            if (which == 0) e->sv_mode.second ^= 1;
            if (which == 1) e->sv_mode.region ^= 1;
            if (which == 2) e->sv_mode.warp ^= 1;
            return which < 3;
        case TRACE_MEM_REQ:
            if (which == 0) e->mem_req.op ^= 1;
            if (which == 1) e->mem_req.addr ^= 4;
            if (which == 2) e->mem_req.wstrb ^= 0x80000000u;
            if (which == 3) e->mem_req.threads = 0;
            if (which == 4) e->mem_req.threads |= UINT64_C(1) << 63 | 1;
            return which < 5;
        case TRACE_PERFORM:
            if (which == 0) e->perform.op ^= 1;
            if (which == 1) e->perform.addr ^= 4;
            if (which == 2) e->perform.channel ^= 1;
            if (which == 3) e->perform.fault ^= 1;
            if (which == 4) e->perform.port = 77;
            return which < 5;
        case TRACE_WB:
            if (which == 0) e->wb.rd ^= 1;
            if (which == 1) e->wb.mask ^= 1;
            if (which == 2) e->wb.data[__builtin_ctz(e->wb.mask)] ^= 0x10;
            if (which == 3) e->wb.portion = 40;
            return which < 4;
        case TRACE_PWB:
            if (which == 0) e->pwb.pred ^= 1;
            if (which == 1) e->pwb.mask ^= 1;
            if (which == 2) e->pwb.data ^= e->pwb.mask & (0u - e->pwb.mask);
            return which < 3;
        case TRACE_SWB:
            if (which == 0) e->swb.rd ^= 1;
            if (which == 1) e->swb.pair ^= 1;
            if (which == 2) e->swb.data ^= 0x10;
            if (which == 3) e->swb.warp ^= 1;
            return which < 4;
        case TRACE_TOKEN:
            if (which == 0) e->token.op ^= 1;
            if (which == 1) e->token.token_lo ^= 1;
            if (which == 2) e->token.token_lo ^= UINT64_C(1) << 40;
            return which < 3;
        case TRACE_BARRIER: e->barrier.cta += 1; return which < 1;
        case TRACE_WARP_FAULT:
            if (which == 0) e->warp_fault.code ^= 1;
            if (which == 1) e->warp_fault.info ^= 8;
            if (which == 2) e->warp_fault.pc ^= 1;
            return which < 3;
        default: return false;
    }
}

Test(sm_follow, a_changed_event,
     .description = "every value of every kind of event that the model computes is compared") {
    unsigned changed[TRACE_KIND_COUNT] = {0};
    for (size_t s = 0; s < SCENES; s++) {
        struct stream stream;
        record(&scenes[s], 5, &stream);
        for (size_t i = 0; i < stream.count; i += 1 + stream.count / 100) {
            for (unsigned which = 0; which < 8; which++) {
                char why[1200] = "";
                struct trace_event event = stream.events[i];
                // The time is the RTL's own.
                if (event.kind == TRACE_WB && event.wb.rd == 18 && which == 2) continue;
                if (!is_sm_event(&event) || !change(&event, which)) continue;
                changed[event.kind]++;
                cr_assert_not(follow(&scenes[s], &stream, SIZE_MAX, SIZE_MAX, &event, i, 0, why, sizeof why),
                              "scene %zu, event %zu %s, change %u", s, i, trace_kind_name(event.kind), which);
            }
        }
        free(stream.events);
    }
    cr_assert_gt(changed[TRACE_INSTR], 20);
    cr_assert_gt(changed[TRACE_WB], 20);
    cr_assert_gt(changed[TRACE_MEM_REQ], 5);
    cr_assert_gt(changed[TRACE_PERFORM], 5);
    cr_assert_gt(changed[TRACE_WARP_FAULT], 2);
}

// Makes a hit in the level 1 cache of each read that is performed right after it was handed over.
static unsigned make_hits(struct stream *stream) {
    unsigned made = 0;
    for (size_t i = 1; i < stream->count; i++) {
        const struct trace_event *before = &stream->events[i - 1];
        struct trace_event *event = &stream->events[i];
        if (event->kind != TRACE_PERFORM || event->perform.port != MEM_PORT_SM + 1 || event->perform.op != MEM_READ ||
            event->perform.fault != 0 || before->kind != TRACE_MEM_REQ)
            continue;
        *event = (struct trace_event){.kind = TRACE_L1_HIT,
                                      .cycle = event->cycle,
                                      .l1_hit = {.warp = before->mem_req.warp, .addr = before->mem_req.addr}};
        made++;
    }
    return made;
}

Test(sm_follow, hits, .description = "a read may be performed by the level 1 cache: the request handed over last") {
    unsigned hits = 0, refused = 0;
    for (size_t s = 0; s < FAULT_SCENES; s++) {
        struct stream stream;
        char why[1200] = "";
        record(&scenes[s], 7, &stream);
        hits += make_hits(&stream);
        const bool good = follow(&scenes[s], &stream, SIZE_MAX, SIZE_MAX, NULL, SIZE_MAX, 0, why, sizeof why);
        cr_assert(good, "scene %zu: %s", s, why);
        for (size_t i = 0; i < stream.count && refused < 200; i++) {
            struct trace_event event = stream.events[i];
            const bool write = event.kind == TRACE_PERFORM && event.perform.port == MEM_PORT_SM + 1 &&
                               stream.events[i - 1].kind == TRACE_MEM_REQ;
            if (event.kind != TRACE_L1_HIT && !write) continue;
            refused++;
            if (write) {  // what is no read does not hit
                event =
                    (struct trace_event){.kind = TRACE_L1_HIT, .l1_hit = {.warp = stream.events[i - 1].mem_req.warp}};
            } else if (refused % 2 != 0) {
                event.l1_hit.warp ^= 1;
            } else {
                event.l1_hit.addr ^= 32;
            }
            cr_assert_not(follow(&scenes[s], &stream, SIZE_MAX, SIZE_MAX, &event, i, 0, why, sizeof why), "event %zu",
                          i);
            if (write) continue;
            cr_assert_not(follow(&scenes[s], &stream, i, SIZE_MAX, NULL, SIZE_MAX, 0, why, sizeof why), "lost %zu", i);
            cr_assert_not(follow(&scenes[s], &stream, SIZE_MAX, i, NULL, SIZE_MAX, 0, why, sizeof why), "twice %zu", i);
        }
        free(stream.events);
    }
    cr_assert_gt(hits, 20);
    cr_assert_gt(refused, 20);
}

// Warp 0 writes a word, warp 1 reads one. True when the write's PERFORM could be moved behind the read's hit; then
// *good: whether that was accepted.
static bool late_write(const char *body, uint64_t seed, bool *good) {
    const struct scene scene = {"small", body, {.grid = {1}, .cta = {64}}};
    struct stream stream;
    char why[1200] = "";
    size_t write = 0, hit = 0;
    record_run(&scene, seed, true, &stream);
    make_hits(&stream);
    for (size_t i = 0; i < stream.count && hit == 0; i++) {
        const struct trace_event *e = &stream.events[i];
        if (e->kind == TRACE_PERFORM && e->perform.op == MEM_WRITE && e->perform.port == MEM_PORT_SM + 1) write = i;
        if (write != 0 && e->kind == TRACE_INSTR && e->instr.warp == stream.events[write - 1].mem_req.warp && i > write)
            write = 0;
        if (write != 0 && e->kind == TRACE_L1_HIT) hit = i;
    }
    const bool found = hit != 0;
    if (found) {
        const struct trace_event moved = stream.events[write];
        memmove(&stream.events[write], &stream.events[write + 1], (hit - write) * sizeof moved);
        stream.events[hit] = moved;
        *good = follow(&scene, &stream, SIZE_MAX, SIZE_MAX, NULL, SIZE_MAX, 0, why, sizeof why);
    }
    free(stream.events);
    return found;
}

Test(sm_follow, hit_before_a_write,
     .description = "a hit may pass an earlier write of another line, never one of its own line") {
    static const char same[] =
        "S2R R0, SR_WARPID\nISETP.EQ P0, R0, 0\n@P0 STG.32 [0x4000], R0\n@!P0 LDG.32 R1, [0x4010]\nEXIT";
    static const char other[] =
        "S2R R0, SR_WARPID\nISETP.EQ P0, R0, 0\n@P0 STG.32 [0x4000], R0\n@!P0 LDG.32 R1, [0x4020]\nEXIT";
    unsigned found = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        bool good = true;
        if (late_write(same, seed, &good)) {
            cr_assert_not(good, "seed %u: the same line", (unsigned)seed);
            found++;
        }
        if (late_write(other, seed, &good)) cr_assert(good, "seed %u: another line", (unsigned)seed);
    }
    cr_assert_gt(found, 3);
}

// `kind` is told before the result of the MOV in front of it is written. Accepted?
static bool comes_early(const char *kind) {
    char body[64], why[1200] = "";
    snprintf(body, sizeof body, "    MOV R0, 5\n    %s\n    EXIT\n", kind);
    const struct scene scene = {"small", body, {.grid = {1}, .cta = {32}}};
    struct stream stream;
    size_t mov, yield;
    record_run(&scene, 3, true, &stream);
    for (mov = 0; stream.events[mov].kind != TRACE_INSTR;)
        mov++;
    for (yield = mov + 1; stream.events[yield].kind != TRACE_INSTR;)
        yield++;
    cr_assert_gt(yield, mov + 1, "%s: no write in between", kind);
    const struct trace_event moved = stream.events[yield];
    memmove(&stream.events[mov + 2], &stream.events[mov + 1], (yield - mov - 1) * sizeof moved);
    stream.events[mov + 1] = moved;
    const bool good = follow(&scene, &stream, SIZE_MAX, SIZE_MAX, NULL, SIZE_MAX, 0, why, sizeof why);
    free(stream.events);
    return good;
}

Test(sm_follow, beside_what_is_in_flight,
     .description =
         "TD-17 a YIELD that only counts need not wait for what is in flight, nor a push; what may change threads must "
         "[model]") {
    cr_expect(comes_early("YIELD.NTH 2"));
    cr_expect(comes_early("YIELD.NTH 256"));
    cr_expect(comes_early("BRA.NTH +0"));
    cr_expect_not(comes_early("YIELD.NTH 1"));
    cr_expect_not(comes_early("YIELD"));
    cr_expect_not(comes_early("YIELD.RANDOM 0"), "nobody knows before it has rolled the dice");
    static const char *const pushes[] = {"SSY", "PBRK", "PCONT", "PEXIT", "PLONGJMP"};
    for (size_t i = 0; i < sizeof pushes / sizeof *pushes; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s +0", pushes[i]);
        cr_expect(comes_early(text), "%s", text);
    }
    cr_expect_not(comes_early("CAL RZ, +0"), "it goes elsewhere");
    cr_expect_not(comes_early("SVSTART.AUTO +0"), "it chooses an order");
    cr_expect_not(comes_early("MEMBAR"));
    cr_expect_not(comes_early("BAR"));
}

Test(sm_follow, deliberate_defects, .description = "each numbered defect of the SM's model is found") {
    for (unsigned defect = 101; defect <= 108; defect++) {
        bool found = false;
        for (size_t s = 0; s < 3 && !found; s++) {
            struct stream stream;
            char why[1200] = "";
            record(&scenes[s], 6, &stream);
            found = !follow(&scenes[s], &stream, SIZE_MAX, SIZE_MAX, NULL, SIZE_MAX, defect, why, sizeof why);
            free(stream.events);
        }
        cr_assert(found, "defect %u", defect);
    }
}

// ---- which words the RTL may execute ----
// A warp of four instructions in one line of code, at its first one; `to` follows.
static const char one_line[] = "MOV R0, 1\nMOV R0, 2\nMOV R0, 3\nEXIT";
static const struct scene line_scene = {"nano", one_line, {.grid = {1}, .cta = {4}}};

struct followed {
    struct bench bench;
    struct stream stream;
    size_t next;  // event
};

static void fetch_line(struct followed *f) {
    const struct trace_event first = {.kind = TRACE_INSTR, .instr = {.pc = BENCH_OFFSET / 8}};
    fetch_before(f->bench.ppu, &first, BENCH_REGION);
}

static void begin_line(struct followed *f) {
    struct bench alone;
    *f = (struct followed){0};
    bench_open(&alone, line_scene.config, 1);
    ppu_set_trace(alone.ppu, keep, &f->stream);
    bench_run(&alone, one_line, &line_scene.launch);
    bench_close(&alone);
    bench_open(&f->bench, line_scene.config, 1);
    f->bench.ppu->run.following = true;
    bench_launch(&f->bench, one_line, &line_scene.launch);
    for (bool started = false; !started; f->next++) {
        struct trace_event model;
        char text[256];
        started = f->stream.events[f->next].kind == TRACE_WARP_START;
        cr_assert(ppu_follow(f->bench.ppu, &f->stream.events[f->next], &model, text, sizeof text), "%s", text);
    }
}

// Follows up to the next INSTR and this one; new_number: it is a MOV of this number (0: as recorded). Accepted?
static bool next_instruction(struct followed *f, uint32_t new_number) {
    struct trace_event model;
    char text[256];
    for (; f->next < f->stream.count; f->next++) {
        struct trace_event event = f->stream.events[f->next];
        const bool instr = event.kind == TRACE_INSTR;
        if (instr && new_number != 0) event.instr.word = (event.instr.word & UINT32_MAX) | (uint64_t)new_number << 32;
        const bool good = ppu_follow(f->bench.ppu, &event, &model, text, sizeof text);
        if (instr) {
            f->next++;
            return good && trace_event_compare(&event, &model) < 0;
        }
        cr_assert(good, "%s: %s", trace_kind_name(event.kind), text);
    }
    cr_assert_fail("no INSTR is left");
    return false;
}

static void end_line(struct followed *f) {
    bench_close(&f->bench);
    free(f->stream.events);
}

// Instruction number i of the line is MOV R0, number from now on.
static void change_code(struct followed *f, uint32_t i, uint32_t number) {
    bench_set(&f->bench, BENCH_REGION + BENCH_OFFSET + 8 * i + 4, number);
}

Test(sm_follow, words_come_from_the_cache,
     .description = "an instruction is what the instruction cache holds, not what memory holds since [model]") {
    struct followed f;
    begin_line(&f);
    cr_expect_not(next_instruction(&f, 0), "nothing has been fetched");
    end_line(&f);

    begin_line(&f);
    fetch_line(&f);
    change_code(&f, 1, 77);
    cr_expect(next_instruction(&f, 0));
    cr_expect(next_instruction(&f, 0), "the line is there still");
    end_line(&f);

    begin_line(&f);
    fetch_line(&f);
    change_code(&f, 0, 77);
    cr_expect_not(next_instruction(&f, 77), "nobody has fetched that");
    end_line(&f);

    begin_line(&f);
    change_code(&f, 0, 77);
    fetch_line(&f);
    cr_expect_not(next_instruction(&f, 0), "memory held something else when the line was fetched");
    end_line(&f);
}

Test(sm_follow, invalidated_words,
     .description =
         "after an invalidation an instruction that is on its way may be the old one, and one that has been fetched "
         "ahead "
         "behind it, no later one [model]") {
    struct followed f;
    begin_line(&f);
    fetch_line(&f);
    cr_expect(next_instruction(&f, 0));
    sm_icache_invalidate(f.bench.ppu->sm[0]);
    cr_expect(next_instruction(&f, 0), "it may have been on its way");
    cr_expect(next_instruction(&f, 0), "it may have been fetched ahead");
    cr_expect_not(next_instruction(&f, 0), "a whole instruction later the line is gone");
    end_line(&f);

    begin_line(&f);
    fetch_line(&f);
    change_code(&f, 1, 55);
    change_code(&f, 2, 77);
    change_code(&f, 3, 99);
    cr_expect(next_instruction(&f, 0));
    sm_icache_invalidate(f.bench.ppu->sm[0]);
    fetch_line(&f);
    cr_expect(next_instruction(&f, 55), "fetched anew");
    cr_expect(next_instruction(&f, 77), "this too");
    cr_expect_not(next_instruction(&f, 0), "the old word");
    end_line(&f);
}

Test(sm_follow, words_that_leave,
     .description =
         "while a line is on its way the one that it replaces may be used, not after the next fetch [model]") {
    struct followed f;
    begin_line(&f);
    fetch_line(&f);
    change_code(&f, 1, 55);
    change_code(&f, 2, 77);
    cr_expect(next_instruction(&f, 0));
    fetch_line(&f);
    cr_expect(next_instruction(&f, 0), "the new line has not come yet");
    fetch_line(&f);
    fetch_line(&f);
    cr_expect(next_instruction(&f, 77));
    end_line(&f);

    begin_line(&f);
    fetch_line(&f);
    change_code(&f, 2, 77);
    fetch_line(&f);
    fetch_line(&f);
    cr_expect(next_instruction(&f, 0));
    cr_expect(next_instruction(&f, 0));
    cr_expect_not(next_instruction(&f, 0), "two fetches and two instructions ago");
    end_line(&f);
}
