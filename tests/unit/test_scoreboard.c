// What instructions in flight have still to write, as the model follows it: an instruction may come a cycle before the
// last row of what it names is written, and no earlier.
#include "instruction_fetch.h"
#include "sm/scoreboard.h"
#include "sm_bench.h"

enum { REGISTERS = 16, PORTIONS = 4, WARPS = 2 };

static const struct scoreboard_request writes_5 = {.names = SCOREBOARD_RD, .reg_d = 5};

Test(scoreboard, early, .description = "a register that is wanted early is pending no more, and late two cycles on") {
    struct scoreboard s;
    uint32_t reg;
    cr_assert(scoreboard_init(&s, REGISTERS, PORTIONS, WARPS));
    scoreboard_set(&s, &writes_5, true, 0, 0, 0x6);
    cr_assert(scoreboard_wait(&s, &writes_5, &reg));
    cr_expect_null(scoreboard_values(&s, 5, 1), "nobody has wanted it");
    struct scoreboard_early *early = scoreboard_early(&s, 5, 1, 100);
    cr_assert_not_null(early);
    early->values[7] = 77;
    cr_expect_not(scoreboard_wait(&s, &writes_5, &reg));
    cr_expect_null(scoreboard_late(&s, 101));
    cr_expect_eq(scoreboard_late(&s, 102), early);
    cr_expect_null(scoreboard_values(&s, 5, 0), "portion 0 is not to be written");
    cr_assert_not_null(scoreboard_values(&s, 5, 2));
    cr_expect_eq(scoreboard_values(&s, 5, 2)[7], 77);
    cr_expect_not(scoreboard_row(&s, 5, 2));
    cr_expect_not_null(scoreboard_late(&s, 102), "portion 1 is not written");
    cr_expect(scoreboard_row(&s, 5, 1));
    cr_expect_null(scoreboard_late(&s, 1000));
    scoreboard_free(&s);
}

Test(scoreboard, early_and_written_again,
     .description = "of a register that is wanted early and written anew both are told apart") {
    struct scoreboard s;
    uint32_t reg;
    cr_assert(scoreboard_init(&s, REGISTERS, PORTIONS, WARPS));
    scoreboard_set(&s, &writes_5, true, 0, 0, 0x1);
    cr_assert_not_null(scoreboard_early(&s, 5, 0, 100));
    scoreboard_set(&s, &writes_5, true, 0, 0, 0x1);
    scoreboard_row(&s, 5, 0);
    cr_expect(scoreboard_wait(&s, &writes_5, &reg), "the second write is still to come");
    cr_expect_null(scoreboard_late(&s, 1000));
    scoreboard_row(&s, 5, 0);
    cr_expect_not(scoreboard_wait(&s, &writes_5, &reg));
    // Shared registers have a bit for all portions.
    const struct scoreboard_request shared = {.names = SCOREBOARD_RA, .reg_a = SCOREBOARD_SHARED | 33};
    const struct scoreboard_request writes = {.names = SCOREBOARD_RD, .reg_d = SCOREBOARD_SHARED | 33};
    scoreboard_set(&s, &writes, true, 0, 0, 0x8);
    cr_assert(scoreboard_wait(&s, &shared, &reg));
    cr_assert_not_null(scoreboard_early(&s, reg, 0, 200));
    cr_expect_not_null(scoreboard_late(&s, 202));
    cr_expect(scoreboard_row(&s, SCOREBOARD_SHARED | 33, 3));
    cr_expect_null(scoreboard_late(&s, 202));
    scoreboard_free(&s);
}

Test(scoreboard, early_has_an_end, .description = "no more rows are wanted early than can be on their way") {
    struct scoreboard s;
    cr_assert(scoreboard_init(&s, REGISTERS, PORTIONS, WARPS));
    for (uint32_t k = 0; k <= SCOREBOARD_EARLY; k++) {
        const struct scoreboard_request writes = {.names = SCOREBOARD_RD, .reg_d = k};
        scoreboard_set(&s, &writes, true, 0, 0, 1);
        cr_expect_eq(scoreboard_early(&s, k, 0, 100) != NULL, k < SCOREBOARD_EARLY);
    }
    scoreboard_free(&s);
}

// ---- in tandem: the second instruction comes before the first one's last row is written ----
struct stream {
    size_t count;
    struct trace_event events[64];
};

static void keep(void *context, const struct trace_event *event) {
    struct stream *stream = context;
    cr_assert_lt(stream->count, sizeof stream->events / sizeof *stream->events);
    stream->events[stream->count++] = *event;
}

// The n-th event of a kind.
static size_t find(const struct stream *stream, enum trace_kind kind, size_t n) {
    size_t i = 0;
    while (stream->events[i].kind != kind || n-- > 0) {
        i++;
        cr_assert_lt(i, stream->count);
    }
    return i;
}

// A warp of one portion executes these. The last one's INSTR is told in cycle 1000, the first one's WB behind it, in the
// cycle `written`. True: the model follows.
static bool follows(const char *first, const char *between, const char *last, uint64_t written, char *why,
                    size_t size) {
    const struct bench_launch launch = {.grid = {1}, .cta = {4}};
    struct stream stream = {0};
    struct bench bench;
    char body[200];
    snprintf(body, sizeof body, "MOV R1, 5\n%s\n%s\n%s\nEXIT", first, between, last);
    bench_open(&bench, "nano", 1);
    ppu_set_trace(bench.ppu, keep, &stream);
    bench_launch(&bench, body, &launch);
    bench_finish(&bench);
    bench_close(&bench);
    const size_t write = find(&stream, TRACE_WB, 1), instr = find(&stream, TRACE_INSTR, between[0] == '\0' ? 2 : 3);
    cr_assert_gt(instr, write);
    const struct trace_event moved = stream.events[write];
    memmove(&stream.events[write], &stream.events[write + 1], (instr - write) * sizeof moved);
    stream.events[instr] = moved;
    for (size_t i = 0; i < stream.count; i++)
        stream.events[i].cycle = i + 1 < instr ? 900 : i + 1 == instr ? 1000 : i == instr ? written : 2000;
    bool good = true;
    bench_open(&bench, "nano", 1);
    bench.ppu->run.following = true;
    bench_launch(&bench, body, &launch);
    for (size_t i = 0; good && i < stream.count; i++) {
        struct trace_event model;
        fetch_before(bench.ppu, &stream.events[i], BENCH_REGION);
        good = ppu_follow(bench.ppu, &stream.events[i], &model, why, size);
        if (good) cr_expect_lt(trace_event_compare(&stream.events[i], &model), 0, "event %zu", i);
    }
    if (good) good = ppu_quiescent(bench.ppu, why, size);
    bench_close(&bench);
    return good;
}

Test(
    scoreboard, a_cycle_before,
    .description = "TD-17 an instruction comes a cycle before what it reads or writes is written, no earlier [model]") {
    char why[300] = "";
    cr_expect(follows("IADD R2, R1, 1", "", "IADD R3, R2, 1", 1001, why, sizeof why), "%s", why);
    cr_expect(follows("IADD R2, R1, 1", "", "IADD R3, R2, 1", 1000, why, sizeof why), "%s", why);
    cr_expect(follows("IADD R2, R1, 1", "", "IADD R2, R2, 1", 1001, why, sizeof why), "its own result is another: %s",
              why);
    cr_expect(follows("IADD R2, R1, 1", "", "IADD R2, R1, 2", 1001, why, sizeof why), "%s", why);
    cr_expect_not(follows("IADD R2, R1, 1", "", "IADD R3, R2, 1", 1002, why, sizeof why));
    cr_expect_not_null(strstr(why, "R2 was still to be written"), "%s", why);
    cr_expect_not(follows("IADD R2, R1, 1", "", "IADD R2, R1, 2", 1002, why, sizeof why));
    cr_expect(follows("IADD R2, R1, 1", "", "IADD R3, R1, 1", 1500, why, sizeof why), "it names nothing of it: %s",
              why);
}

Test(scoreboard, a_time,
     .description = "TD-17 a time that a warp reads is known when it is written: nobody comes before that [model]") {
    char why[300] = "";
    cr_expect_not(follows("S2R R2, SR_CLOCK_LO", "", "IADD R3, R2, 1", 1001, why, sizeof why));
    cr_expect_not_null(strstr(why, "R2 is still to be written"), "%s", why);
    cr_expect(follows("S2R R2, SR_CLOCK_LO", "", "IADD R3, R1, 1", 1001, why, sizeof why), "%s", why);
    cr_expect(follows("IADD R2, R1, 1", "S2R R5, SR_CLOCK_LO", "IADD R3, R2, 1", 1001, why, sizeof why),
              "that time has been written: %s", why);
}
