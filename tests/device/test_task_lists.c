// What the task unit promises, seen in what tasks leave behind: slots, ends of a list, levels in turn, grids of three dimensions.
#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 4000000u

// A task that says that it has begun and then waits for its gate; one that takes a ticket and leaves its number there; one whose threads each leave
// their place. The waiting ones look without a pause, as fast as the load/store unit lets them: so the others need their turn (test_turns.c).
static const char program[] =
    ".kernel wait\n.registers 8\n.arg global begun\n.arg global gate\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n"
    "    MOV R3, 1\n    ATOMG.ADD RZ, [R1], R3\n"
    "again:\n    LDG.32 R4, [R2]\n    ISETP.EQ P0, R4, 0\n    @P0 BRA again\n    EXIT\n"
    ".kernel ticket\n.registers 8\n.arg global order\n.arg value number\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n"
    "    MOV R3, 4\n    ATOMG.ADD R4, [R1], R3\n    IADD R1, R1, R4\n    STG.32 [R1 + 4], R2\n    EXIT\n"
    ".kernel place\n.registers 16\n.arg global out\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n"
    "    S2R R2, SR_CTAID_Z\n    S2R R3, SR_NCTAID_Y\n    S2R R4, SR_CTAID_Y\n    IMAD R2, R2, R3, R4\n"
    "    S2R R3, SR_NCTAID_X\n    S2R R4, SR_CTAID_X\n    IMAD R2, R2, R3, R4\n"
    "    S2R R3, SR_NTID_Z\n    S2R R4, SR_TID_Z\n    IMAD R2, R2, R3, R4\n"
    "    S2R R3, SR_NTID_Y\n    S2R R4, SR_TID_Y\n    IMAD R2, R2, R3, R4\n"
    "    S2R R3, SR_NTID_X\n    S2R R4, SR_TID_X\n    IMAD R2, R2, R3, R4\n"
    "    SHL R5, R2, 2\n    IADD R1, R1, R5\n    IADD R2, R2, 1\n    ATOMG.ADD RZ, [R1], R2\n    EXIT\n";

struct lists {
    struct tandem_device *device;
    struct tandem_module *module;
    struct tandem_channel *channel;
    uint32_t slots;
    tandem_addr begun, gates;  // a gate for each slot
};

static struct lists begin(const char *name) {
    struct lists l = {.device = open_device(name)};
    l.module = load_assembly(l.device, program);
    must(l.device, TANDEM_OK, tandem_channel_open(l.device, 64, 0, &l.channel));
    l.slots = REG_CONFIG1_TASK_SLOTS_OF(tandem_reg_read(l.device, REG_CONFIG1));
    l.begun = new_words(l.device, 1);
    l.gates = new_words(l.device, 64);
    return l;
}

static void end(struct lists *l) {
    tandem_module_unload(l->module);
    must(l->device, TANDEM_OK, tandem_channel_close(l->channel));
    close_device(l->device);
}

static void launch(struct lists *l, const char *kernel, uint32_t level, bool at_head, tandem_addr first,
                   uint32_t second) {
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_scheduling scheduling = {.level = level, .at_head = at_head};
    const struct tandem_argument arguments[] = {{&first, 4}, {&second, 4}};
    must(l->device, TANDEM_OK, tandem_launch_scheduled(l->channel, l->module, kernel, &one, &scheduling, arguments, 2));
}

// So many tasks that wait, each for a gate of its own; all that find a slot have begun.
static void fill_slots(struct lists *l, uint32_t tasks) {
    for (uint32_t k = 0; k < tasks; k++)
        launch(l, "wait", 40, false, l->begun, l->gates + 4 * k);
    must(l->device, TANDEM_OK, tandem_submit(l->channel));
    must(l->device, TANDEM_OK, tandem_run(l->device, 20000));
}

static void open_gates(struct lists *l, uint32_t from, uint32_t to) {
    for (uint32_t k = from; k < to; k++)
        write_word(l->device, l->gates + 4 * k, 1);
}

// Three tasks more than there are slots; as many as there are slots begin, on a single multiprocessor too.
static void slots(const char *name) {
    struct lists l = begin(name);
    fill_slots(&l, l.slots + 3);
    cr_expect_eq(read_word(l.device, l.begun), l.slots, "%u tasks run at once, there are %u slots",
                 read_word(l.device, l.begun), l.slots);
    open_gates(&l, 0, 1);
    must(l.device, TANDEM_OK, tandem_run(l.device, 20000));
    cr_expect_eq(read_word(l.device, l.begun), l.slots + 1, "one has ended, so one begins");
    open_gates(&l, 1, l.slots + 3);
    must(l.device, TANDEM_OK, tandem_finish(l.channel, DEADLINE));
    cr_expect_eq(read_word(l.device, l.begun), l.slots + 3);
    end(&l);
}
ON_DEVICES(task_lists, slots, "TU-4 TU-10 as many tasks run at once as there are slots")

// All slots but one stay taken, so that the tasks behind run one after the other: their tickets tell the order.
static void expect_order(struct lists *l, tandem_addr order, const uint32_t *wanted, uint32_t count) {
    open_gates(l, 0, 1);
    for (uint32_t k = 0; k < 100 && read_word(l->device, order) != 4 * count; k++)
        must(l->device, TANDEM_OK, tandem_run(l->device, 5000));
    for (uint32_t k = 0; k < count; k++)
        cr_expect_eq(read_word(l->device, order + 4 + 4 * k), wanted[k], "place %u: task %u, expected %u", k,
                     read_word(l->device, order + 4 + 4 * k), wanted[k]);
    open_gates(l, 1, l->slots);
    must(l->device, TANDEM_OK, tandem_finish(l->channel, DEADLINE));
}

static void ends_of_a_list(const char *name) {
    struct lists l = begin(name);
    const tandem_addr order = new_words(l.device, 8);
    fill_slots(&l, l.slots);
    for (uint32_t k = 1; k <= 6; k++)
        launch(&l, "ticket", 5, k % 2 == 0, order, k);
    must(l.device, TANDEM_OK, tandem_submit(l.channel));
    must(l.device, TANDEM_OK, tandem_run(l.device, 10000));
    expect_order(&l, order, (const uint32_t[]){6, 4, 2, 1, 3, 5}, 6);
    end(&l);
}
ON_DEVICES(task_lists, ends_of_a_list, "TU-2 TU-3 at the head or at the tail of a list")

static void levels(const char *name) {
    struct lists l = begin(name);
    for (uint32_t in_turn = 0; in_turn < 2; in_turn++) {
        const tandem_addr order = new_words(l.device, 8);
        tandem_reg_write(l.device, REG_TASK_SCHEDULE, in_turn);
        cr_assert_eq(tandem_reg_read(l.device, REG_TASK_SCHEDULE), in_turn);
        for (uint32_t k = 0; k < l.slots; k++)
            write_word(l.device, l.gates + 4 * k, 0);
        fill_slots(&l, l.slots);
        // 1, 2, 3 in level 4; 4, 5, 6 in level 9.
        for (uint32_t k = 1; k <= 6; k++)
            launch(&l, "ticket", k <= 3 ? 4 : 9, false, order, k);
        must(l.device, TANDEM_OK, tandem_submit(l.channel));
        must(l.device, TANDEM_OK, tandem_run(l.device, 10000));
        if (in_turn == 0)
            expect_order(&l, order, (const uint32_t[]){4, 5, 6, 1, 2, 3}, 6);
        else
            expect_order(&l, order, (const uint32_t[]){4, 1, 5, 2, 6, 3}, 6);
    }
    end(&l);
}
ON_DEVICES(task_lists, levels, "TU-2 the highest level first, or the levels in turn")

// Every thread of a grid with three dimensions, and of CTAs with three, is there once and knows its place.
static void volume(const char *name) {
    struct lists l = begin(name);
    const tandem_addr out = new_words(l.device, 3 * 2 * 4 * 24);
    const struct tandem_range range = {.dimensions = 3, .global = {9, 4, 16}, .local = {3, 2, 4}};
    const struct tandem_argument argument = {&out, 4};
    must(l.device, TANDEM_OK, tandem_launch(l.channel, l.module, "place", &range, &argument, 1));
    must(l.device, TANDEM_OK, tandem_finish(l.channel, DEADLINE));
    for (uint32_t k = 0; k < 3 * 2 * 4 * 24; k++)
        cr_assert_eq(read_word(l.device, out + 4 * k), k + 1, "place %u: %u", k, read_word(l.device, out + 4 * k));
    end(&l);
}
ON_DEVICES(task_lists, volume, "TU-6 TU-9 a grid and CTAs of three dimensions")
