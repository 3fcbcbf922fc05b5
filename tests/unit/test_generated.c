// What scripts/generate.py makes of the tables: comparing and printing trace events, registers, configurations.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "gen/config.h"
#include "gen/methods.h"
#include "gen/registers.h"
#include "gen/trace.h"

static struct trace_event event_of(enum trace_kind kind) {
    struct trace_event event;
    memset(&event, 0, sizeof event);
    event.kind = kind;
    return event;
}

Test(trace, equal_events, .description = "every kind of event equals itself, whatever its cycle") {
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++) {
        struct trace_event a = event_of((enum trace_kind)kind), b = a;
        b.cycle = 99;
        cr_expect_eq(trace_event_compare(&a, &b), -1, "%s", trace_kind_name(a.kind));
        cr_expect_gt(trace_field_count(a.kind), 0);
    }
}

Test(trace, each_field_counts, .description = "a difference in a field is found, in a field of choice not") {
    struct trace_event a = event_of(TRACE_INSTR), b = a;
    b.instr.warp = 1;  // choice
    cr_expect_eq(trace_event_compare(&a, &b), -1);
    b.instr.word = 1ull << 63;
    cr_expect_str_eq(trace_field_name(TRACE_INSTR, trace_event_compare(&a, &b)), "word");
    b.instr.pc = 4;
    cr_expect_str_eq(trace_field_name(TRACE_INSTR, trace_event_compare(&a, &b)), "pc", "the first that differs");
    struct trace_event c = event_of(TRACE_PERFORM), d = c;
    d.perform.wdata[31] = 0x80;
    cr_expect_str_eq(trace_field_name(TRACE_PERFORM, trace_event_compare(&c, &d)), "wdata");
    cr_expect_str_eq(trace_field_name(TRACE_INSTR, trace_event_compare(&a, &c)), "kind");
    b = a;
    b.sm = 1;
    cr_expect_str_eq(trace_field_name(TRACE_INSTR, trace_event_compare(&a, &b)), "sm");
    cr_expect(trace_field_choice(TRACE_INSTR, 0));
    cr_expect(!trace_field_choice(TRACE_INSTR, 1));
    cr_expect_str_eq(trace_field_name(TRACE_INSTR, 99), "?");
    cr_expect_str_eq(trace_field_name(TRACE_INSTR, -1), "?");
    cr_expect_str_eq(trace_kind_name((enum trace_kind)1000), "?");
}

Test(trace, lanes_outside_the_mask,
     .description = "data of lanes that are not written is not compared, of the others it is") {
    struct trace_event a = event_of(TRACE_WB), b = a;
    a.wb.mask = b.wb.mask = 0x80000001u;
    a.wb.data[5] = 77;
    cr_expect_eq(trace_event_compare(&a, &b), -1);
    a.wb.data[31] = 1;
    cr_expect_str_eq(trace_field_name(TRACE_WB, trace_event_compare(&a, &b)), "data");
    b.wb.mask = 1;
    cr_expect_str_eq(trace_field_name(TRACE_WB, trace_event_compare(&a, &b)), "mask");
    struct trace_event c = event_of(TRACE_PWB), d = c;
    c.pwb.mask = d.pwb.mask = 0x0F;
    c.pwb.data = 0xF5;
    d.pwb.data = 0x05;
    cr_expect_eq(trace_event_compare(&c, &d), -1);
    d.pwb.data = 0x04;
    cr_expect_str_eq(trace_field_name(TRACE_PWB, trace_event_compare(&c, &d)), "data");
}

Test(trace, registers_of_time,
     .description = "reads of registers that depend on time are not compared, all others are") {
    static const struct {
        uint32_t addr;
        bool compared;
    } cases[] = {
        {REG_MAGIC, true},
        {REG_CYCLES_LO, false},
        {REG_CHANNEL_BASE + CHANNEL_STATUS, false},
        {REG_CHANNEL_BASE + 3 * REG_CHANNEL_STRIDE + CHANNEL_STATUS, false},
        {REG_CHANNEL_BASE + 3 * REG_CHANNEL_STRIDE + CHANNEL_FAULT_CODE, true},
        {REG_USERD_BASE + REG_USERD_STRIDE + USERD_GET, false},
        {REG_USERD_BASE + REG_USERD_STRIDE + USERD_GP_GET, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trace_event a = event_of(TRACE_REG_READ), b;
        a.reg_read.addr = cases[i].addr;
        b = a;
        b.reg_read.data = 1;
        cr_expect_eq(trace_event_compare(&a, &b) == -1, !cases[i].compared, "0x%X", (unsigned)cases[i].addr);
    }
}

Test(trace, printing, .description = "an event is one line; it is cut off when there is no room, never written past") {
    struct trace_event event = event_of(TRACE_WB);
    char line[200], small[20];
    event.cycle = 12;
    event.sm = 3;
    event.wb.warp = 1;
    event.wb.rd = 254;
    event.wb.mask = 5;
    event.wb.data[0] = 0xABC;
    event.wb.data[2] = 7;
    size_t length = trace_event_print(&event, line, sizeof line);
    cr_expect_str_eq(line, "cycle 12 sm 3 WB warp=0x1 rd=0xfe portion=0x0 mask=0x5 data=[0:0xabc 2:0x7]");
    cr_expect_eq(length, strlen(line));
    memset(small, '#', sizeof small);
    cr_expect_eq(trace_event_print(&event, small, 10), length);
    cr_expect_str_eq(small, "cycle 12 ");
    cr_expect_eq(small[10], '#');
    cr_expect_eq(trace_event_print(&event, NULL, 0), length);
    trace_field_print(&event, 1, line, sizeof line);
    cr_expect_str_eq(line, "0xfe");
    trace_field_print(&event, trace_field_count(TRACE_WB), line, sizeof line);
    cr_expect_str_eq(line, "WB");
    trace_field_print(&event, 77, line, sizeof line);
    cr_expect_str_eq(line, "");
    struct trace_event fault = event_of(TRACE_FAULT);
    trace_event_print(&fault, line, sizeof line);
    cr_expect_str_eq(line, "cycle 0 FAULT channel=0x0 code=0x0 info=0x0 pc=0x0");
}

Test(registers, find, .description = "offsets are found in their block; holes and channels that do not exist are not") {
    uint32_t channel;
    const struct register_info *info = register_find(REG_SCRATCH, 2, &channel);
    cr_assert_not_null(info);
    cr_expect_str_eq(info->name, "SCRATCH");
    cr_expect_eq(info->check, CHECK_SAME);
    info = register_find(REG_CHANNEL_BASE + REG_CHANNEL_STRIDE + CHANNEL_GP_BASE, 2, &channel);
    cr_assert_not_null(info);
    cr_expect_str_eq(info->name, "GP_BASE");
    cr_expect_eq(channel, 1u);
    info = register_find(REG_USERD_BASE + USERD_GP_PUT, 2, NULL);
    cr_assert_not_null(info);
    cr_expect_eq(info->block, REGISTER_USERD);
    cr_expect_null(register_find(REG_CHANNEL_BASE + 2 * REG_CHANNEL_STRIDE, 2, &channel));
    cr_expect_null(register_find(0xFFC, 2, &channel));
    cr_expect_null(register_find(REG_SCRATCH + 1, 2, &channel));
    cr_expect_null(register_find(0xFFFFFFFC, 8, &channel));
    size_t found = 0;
    for (uint32_t offset = 0; offset < REG_USERD_BASE + REG_USERD_STRIDE; offset += 4)
        found += register_find(offset, 1, NULL) != NULL;
    cr_expect_eq(found, register_count, "each register once");
}

Test(registers, faults, .description = "fault codes have names and meanings; others are UNKNOWN") {
    cr_expect_str_eq(fault_name(FAULT_GPPTR), "GPPTR");
    cr_expect_str_eq(fault_name(FAULT_BUS_ERROR), "BUS_ERROR");
    cr_expect_str_eq(fault_name(250), "UNKNOWN");
    cr_expect_str_eq(fault_meaning(250), "");
    cr_expect_neq(fault_meaning(FAULT_DEQUE_FULL)[0], 0);
}

Test(registers, states, .description = "what warps and channels do has a name each; a held warp too") {
    static const char *const warps[] = {"idle",         "ready",   "fetching", "executing", "waiting for memory",
                                        "at a barrier", "faulted", "held"};
    for (uint32_t k = 0; k < sizeof warps / sizeof warps[0]; k++)
        cr_expect_str_eq(warp_state_name(k), warps[k]);
    cr_expect_str_eq(warp_state_name(8), "in an unknown state");
    cr_expect_str_eq(channel_state_name(CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE), "blocked on an acquire");
    cr_expect_str_eq(channel_state_name(6), "in an unknown state");
    const uint32_t word = 0xABCDEF37u;
    cr_expect_eq(REG_WARP_STATE_STATE_OF(word), REG_WARP_STATE_STATE_HELD);
    cr_expect_eq(REG_WARP_STATE_TASK_SLOT_OF(word), 0xEFu);
    cr_expect_eq(REG_DEQUE_HELD_HELD(1u) | REG_DEQUE_HELD_SM(2u) | REG_DEQUE_HELD_WARP(3u), 0x80000203u);
}

Test(methods, names,
     .description = "methods have names; whose subchannel is another's, or which are not built, are ?") {
    cr_expect_str_eq(method_name(0, HOST_SEMAPHORED), "SEMAPHORED");
    cr_expect_str_eq(method_name(7, HOST_SET_OBJECT), "SET_OBJECT");
    cr_expect_str_eq(method_name(COMPUTE_SUBCHANNEL, COMPUTE_SEND_PCAS_A), "SEND_PCAS_A");
    cr_expect_str_eq(method_name(0, COMPUTE_SEND_PCAS_A), "?");
    cr_expect_str_eq(method_name(COMPUTE_SUBCHANNEL, 0x104), "?");
    cr_expect_str_eq(method_name(0, 0x04), "?");
    struct trace_event event = event_of(TRACE_METHOD);
    char line[200];
    event.method.subchannel = COMPUTE_SUBCHANNEL;
    event.method.addr = COMPUTE_SEND_SIGNALING_PCAS_B / 4;
    event.method.data = 2;
    trace_event_print(&event, line, sizeof line);
    cr_expect_str_eq(line, "cycle 0 METHOD channel=0x0 subchannel=0x1 addr=0xaf data=0x2 (SEND_SIGNALING_PCAS_B)");
}

Test(methods, words,
     .description = "golden words: a header, a release and an acquire as the driver writes them, a GP entry") {
    cr_expect_eq(DMA_HEADER(DMA_SEC_OP_INC_METHOD, 4u, 0u, HOST_SEMAPHOREA), 0x20040004u);
    cr_expect_eq(DMA_HEADER(DMA_SEC_OP_IMMD_DATA_METHOD, 2u, COMPUTE_SUBCHANNEL, COMPUTE_SEND_SIGNALING_PCAS_B),
                 0x800220AFu);
    cr_expect_eq(HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_RELEASE) |
                     HOST_SEMAPHORED_RELEASE_WFI(HOST_SEMAPHORED_RELEASE_WFI_DIS) |
                     HOST_SEMAPHORED_RELEASE_SIZE(HOST_SEMAPHORED_RELEASE_SIZE_4BYTE),
                 0x01100002u);
    cr_expect_eq(HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_ACQUIRE) |
                     HOST_SEMAPHORED_ACQUIRE_SWITCH(HOST_SEMAPHORED_ACQUIRE_SWITCH_ENABLED),
                 0x1001u);
    cr_expect_eq(HOST_SEMAPHORED_REDUCTION_OF(0x28000010u), HOST_SEMAPHORED_REDUCTION_ADD);
    cr_expect_eq(HOST_SEMAPHORED_FORMAT_OF(0x80000000u), HOST_SEMAPHORED_FORMAT_UNSIGNED);
    cr_expect_eq(GP_ENTRY1_LENGTH(5u) | GP_ENTRY1_SYNC(GP_ENTRY1_SYNC_WAIT), 0x80001400u);
    cr_expect_eq(GP_ENTRY1_LENGTH_OF(0xFFFFFFFFu), 0x1FFFFFu);
    cr_expect_eq(DMA_METHOD_COUNT_OF(0x3FFFFFFFu), 0x1FFFu);
}

Test(config, find, .description = "configurations are found by name, with whole portions") {
    cr_expect_null(ppu_config_find("huge"));
    cr_expect_null(ppu_config_find(""));
    for (size_t i = 0; i < PPU_CONFIG_COUNT; i++) {
        const struct ppu_config *config = ppu_config_find(ppu_config_names[i]);
        cr_assert_not_null(config);
        cr_expect_eq(config, &ppu_configs[i]);
        cr_expect_eq(config->threads % config->lanes, 0u);
        cr_expect_leq(config->lanes, 32u, "trace events have room for 32 lanes");
        cr_expect_leq(config->const_banks, 8u);
    }
    cr_expect_null(ppu_config_names[PPU_CONFIG_COUNT]);
}
