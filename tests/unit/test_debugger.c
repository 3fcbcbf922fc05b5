// The debugger's engine on the model: places, breakpoints, steps, what a stop says, and that watching changes nothing.
#include <criterion/criterion.h>
#include <string.h>

#include "debugger/debugger.h"
#include "driver/tandem.h"
#include "isa/assembler.h"

// Thread 0 of each warp goes another way over words 4 and 5.
static const char program_text[] =
    ".kernel forked\n"          // 1
    ".registers 4\n"            // 2
    "    S2R R0, SR_TID_X\n"    // 3: 0x00
    "    ISETP.EQ P0, R0, 0\n"  // 4: 0x08
    "    SSY joined\n"          // 5: 0x10
    "    @P0 BRA alone\n"       // 6: 0x18
    "    MOV R1, 7\n"           // 7: 0x20
    "    SYNC joined\n"         // 8: 0x28
    "alone:\n"                  // 9
    "    MOV R1, 9\n"           // 10: 0x30
    "    SYNC joined\n"         // 11: 0x38
    "joined:\n"                 // 12
    "    EXIT\n";               // 13: 0x40
static const char bad_text[] = ".kernel outside\n.registers 4\n    MOV R0, 0x7FFFFFF0\n    STG.32 [R0], R0\n    EXIT\n";
static const char endless_text[] = ".kernel endless\n.registers 4\nagain:\n    BRA again\n    EXIT\n";

#define STOPS_MAX 64

// What the debugger is told at each stop, and what came of it.
struct session {
    struct tandem_device *device;
    struct tandem_module *module;
    struct tandem_channel *channel;
    struct code_object object;
    struct debugger *debugger;
    enum debugger_goal goals[STOPS_MAX];  // after the first stop, the second, ..; the last one for all that follow
    size_t goal_count, stop_count;
    struct debugger_thread who;
    struct debugger_stop stops[STOPS_MAX];
    struct warp_place places[STOPS_MAX];
};

static void stopped(void *context, const struct debugger_stop *stop) {
    struct session *session = context;
    cr_assert_lt(session->stop_count, STOPS_MAX, "it stops and stops");
    const size_t n = session->stop_count++;
    session->stops[n] = *stop;
    (void)ppu_look_place(debugger_ppu(session->debugger), stop->sm, stop->warp, &session->places[n]);
    const size_t last = session->goal_count - 1;
    session->who.sm = stop->sm;
    session->who.warp = stop->warp;
    debugger_go(session->debugger, session->goals[n < last ? n : last], &session->who, UINT64_MAX);
}

static struct session begin(const char *text, const char *name) {
    struct session session = {.goals = {DEBUGGER_CONTINUE}, .goal_count = 1};
    char message[512];
    void *elf;
    size_t size;
    cr_assert(assemble(text, strlen(text), "text.s", &session.object, message, sizeof message), "%s", message);
    cr_assert(code_object_write(&session.object, &elf, &size, message, sizeof message), "%s", message);
    cr_assert_eq(tandem_open(name, &session.device, message, sizeof message), TANDEM_OK, "%s", message);
    cr_assert_eq(tandem_module_load(session.device, elf, size, &session.module), TANDEM_OK);
    cr_assert_eq(tandem_channel_open(session.device, 16, 0, &session.channel), TANDEM_OK);
    free(elf);
    return session;
}

static void attach(struct session *session) {
    char why[DEBUGGER_TEXT_MAX];
    const struct debugger_options options = {
        .device = session->device, .object = &session->object, .stopped = stopped, .context = session};
    session->debugger = debugger_create(&options, why, sizeof why);
    cr_assert_not_null(session->debugger, "%s", why);
}

static enum tandem_status run(struct session *session, const char *kernel, uint32_t threads) {
    const struct tandem_range range = {
        .dimensions = 1, .global = {threads, 1, 1}, .local = {threads < 32 ? threads : 32, 1, 1}};
    cr_assert_eq(tandem_launch(session->channel, session->module, kernel, &range, NULL, 0), TANDEM_OK);
    return tandem_finish(session->channel, 1000000);
}

static void end(struct session *session) {
    debugger_destroy(session->debugger);
    tandem_channel_close(session->channel);
    tandem_module_unload(session->module);
    cr_assert_eq(tandem_close(session->device), TANDEM_OK);
    code_object_free(&session->object);
}

static unsigned set(struct session *session, const char *where) {
    char why[DEBUGGER_TEXT_MAX];
    const unsigned number = debugger_break(session->debugger, where, why, sizeof why);
    cr_assert_neq(number, 0, "%s", why);
    return number;
}

Test(debugger, every_warp_stops_before_the_instruction, .description = "DB-1 breakpoints stop each warp [model]") {
    struct session session = begin(program_text, "model:nano");
    attach(&session);
    const unsigned number = set(&session, "10");
    debugger_go(session.debugger, DEBUGGER_CONTINUE, &session.who, UINT64_MAX);
    cr_assert_eq(run(&session, "forked", 64), TANDEM_OK);
    cr_assert_eq(session.stop_count, 2);
    for (unsigned n = 0; n < 2; n++) {
        uint32_t value = 0;
        cr_assert_eq(session.stops[n].event, DEBUGGER_BREAKPOINT);
        cr_assert_eq(session.stops[n].breakpoint, number);
        cr_assert_eq(session.places[n].pc, 6);
        cr_assert_eq(session.places[n].active, 1, "thread 0 alone");
        cr_assert_not(ppu_look_register(debugger_ppu(session.debugger), 0, n, 0, 1, &value), "it has ended");
    }
    struct debugger_breakpoint at;
    cr_assert(debugger_breakpoint_of(session.debugger, number, &at));
    cr_assert_eq(at.hits, 2);
    cr_assert_eq(at.line, 10);
    end(&session);
}

Test(debugger, a_breakpoint_that_is_gone_stops_nothing,
     .description = "DB-1 a deleted breakpoint, one nobody comes to [model]") {
    struct session session = begin(program_text, "model:nano");
    attach(&session);
    cr_assert(debugger_delete(session.debugger, set(&session, "*0x30")));
    cr_assert_not(debugger_delete(session.debugger, 1));
    debugger_go(session.debugger, DEBUGGER_CONTINUE, &session.who, UINT64_MAX);
    cr_assert_eq(run(&session, "forked", 32), TANDEM_OK);
    cr_assert_eq(session.stop_count, 0);
    end(&session);
}

Test(debugger, steps, .description = "DB-2 steps of a warp: one instruction each, to its end [model]") {
    struct session session = begin(program_text, "model:nano");
    attach(&session);
    session.goals[0] = DEBUGGER_INSTRUCTION;
    debugger_go(session.debugger, DEBUGGER_INSTRUCTION, &session.who, UINT64_MAX);
    cr_assert_eq(run(&session, "forked", 32), TANDEM_OK);
    // The first stop is the warp's start, then after each of its nine instructions; the last one ends it.
    cr_assert_eq(session.stop_count, 10);
    cr_assert_eq(session.stops[9].event, DEBUGGER_WARP_ENDED);
    for (unsigned n = 1; n < 9; n++)
        cr_assert_eq(session.stops[n].event, DEBUGGER_STEPPED);
    for (unsigned n = 0; n < 5; n++)
        cr_assert_eq(session.places[n].pc, n < 4 ? n : 6 - (session.places[n].active == 1 ? 0u : 2u), "step %u", n);
    end(&session);
}

Test(debugger, steps_of_a_thread, .description = "DB-2 steps of a thread pass what others do alone [model]") {
    struct session session = begin(program_text, "model:nano");
    attach(&session);
    session.goals[0] = DEBUGGER_THREAD;
    session.who.thread = 5;
    debugger_go(session.debugger, DEBUGGER_THREAD, &session.who, UINT64_MAX);
    cr_assert_eq(run(&session, "forked", 32), TANDEM_OK);
    // Its start, seven instructions of which the last ends the warp; thread 0's two are no stops.
    cr_assert_eq(session.stop_count, 8);
    end(&session);
}

Test(debugger, steps_of_a_line, .description = "DB-2 a step over lines ends on another line [model]") {
    struct session session = begin(program_text, "model:nano");
    attach(&session);
    session.goals[0] = DEBUGGER_LINE;
    (void)set(&session, "forked");
    debugger_go(session.debugger, DEBUGGER_CONTINUE, &session.who, UINT64_MAX);
    cr_assert_eq(run(&session, "forked", 32), TANDEM_OK);
    cr_assert_eq(session.stops[0].event, DEBUGGER_BREAKPOINT);
    for (size_t n = 1; n + 1 < session.stop_count; n++)
        cr_assert_neq(debugger_line(session.debugger, 8 * session.places[n].pc),
                      debugger_line(session.debugger, 8 * session.places[n - 1].pc));
    end(&session);
}

Test(debugger, a_fault_stops, .description = "DB-1 a warp that faults stops, with its fault [model]") {
    struct session session = begin(bad_text, "model:nano");
    attach(&session);
    debugger_go(session.debugger, DEBUGGER_CONTINUE, &session.who, UINT64_MAX);
    cr_assert_eq(run(&session, "outside", 1), TANDEM_CHANNEL_FAULT);
    cr_assert_eq(session.stop_count, 1);
    cr_assert_eq(session.stops[0].event, DEBUGGER_FAULT);
    cr_assert(session.places[0].faulted);
    cr_assert_eq(session.places[0].pc, 1);
    end(&session);
}

static void stop_endless(void *context, const struct debugger_stop *stop) {
    struct session *session = context;
    session->stops[session->stop_count++] = *stop;
    if (session->stop_count == 1) {
        debugger_go(session->debugger, DEBUGGER_CONTINUE, &session->who, UINT64_MAX);
        debugger_interrupt(session->debugger);
    } else {
        debugger_go(session->debugger, DEBUGGER_LEAVE, &session->who, 0);
    }
}

Test(debugger, what_never_ends_is_left,
     .description = "DB-1 a limit, an interruption, and an endless kernel is left [model]") {
    struct session session = begin(endless_text, "model:nano");
    char why[DEBUGGER_TEXT_MAX];
    const struct debugger_options options = {
        .device = session.device, .object = &session.object, .stopped = stop_endless, .context = &session};
    session.debugger = debugger_create(&options, why, sizeof why);
    cr_assert_not_null(session.debugger, "%s", why);
    debugger_go(session.debugger, DEBUGGER_CONTINUE, &session.who, 500);
    cr_assert_eq(run(&session, "endless", 1), TANDEM_INTERRUPTED);
    cr_assert_eq(session.stop_count, 2);
    cr_assert_eq(session.stops[0].event, DEBUGGER_LIMIT);
    cr_assert_eq(session.stops[0].cycles, 500);
    cr_assert_eq(session.stops[1].event, DEBUGGER_INTERRUPTED);
    end(&session);
}

Test(debugger, wrong_places_are_refused, .description = "DB-1 places that are none [model]") {
    static const struct {
        const char *where, *says;
    } wrong[] = {
        {"1", "no code on this line of text.s; the next that has some is 3"},
        {"99", "no code on this line of text.s or behind it"},
        {"0", "lines are numbered from 1"},
        {"*0x48", "the program has only 0x48 bytes"},
        {"*0x4", "multiples of 8"},
        {"*x", "not an address"},
        {"nobody", "no kernel or function of this name"},
        {"other.s:3", "the program has no such file, but text.s"},
        {"text.s:x", "must stand the number of a line"},
        {"99999999999", "no kernel or function"},
    };
    struct session session = begin(program_text, "model:nano");
    attach(&session);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char why[DEBUGGER_TEXT_MAX] = "";
        cr_assert_eq(debugger_break(session.debugger, wrong[k].where, why, sizeof why), 0, "%s", wrong[k].where);
        cr_assert_not_null(strstr(why, wrong[k].says), "%s: %s", wrong[k].where, why);
    }
    for (unsigned n = 1; n <= 255; n++)
        cr_assert_eq(set(&session, "text.s:3"), n);
    char why[DEBUGGER_TEXT_MAX];
    cr_assert_eq(debugger_break(session.debugger, "3", why, sizeof why), 0);
    cr_assert_not_null(strstr(why, "delete some"));
    end(&session);
}
