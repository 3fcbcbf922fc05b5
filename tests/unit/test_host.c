// The host interface of the model, alone: rings, command blocks, errors, priorities. The RTL does the same by
// tests/rtl/host_interface_bench.
#include "host_test.h"

// ---- the ring
static void laps(uint32_t entries) {
    struct host_test *t = begin(entries);
    const uint32_t total = 3 * entries + 1;
    for (uint32_t i = 0; i < total; i++) {
        t->next_block[0] = BLOCK;
        SUBMIT(t, 0, header(IMMD, i & 0xFFF, 0, 0x08));
        run(t);
        cr_assert_eq(userd(t, 0, USERD_GP_GET), (i + 1) % entries);
        cr_assert_eq(nth(t, TRACE_METHOD, i)->method.data, i & 0xFFF);
        cr_assert_eq(nth(t, TRACE_GP_GET, i)->gp_get.value, (i + 1) % entries);
    }
    end(t);
}
Test(host, ring_wraps_power_of_two,
     .description = "WQ-1 WQ-2 WQ-3 WQ-15: GP_GET goes up by one and to 0 at a count of 2, 4, 16") {
    laps(2);
    laps(4);
    laps(16);
}
Test(host, ring_wraps_any_count,
     .description = "WQ-1 WQ-2 WQ-3 WQ-15: GP_GET goes up by one and to 0 at a count of 3, 5, 31") {
    laps(3);
    laps(5);
    laps(31);
}
Test(host, ring_of_65536, .description = "WQ-15: the largest ring wraps from 65535 to 0") {
    struct host_test *t = begin(65536);
    channel_register(t, 0, CHANNEL_SPACE_SIZE, 0xC0000);
    channel_register(t, 0, CHANNEL_GP_BASE, 0x10000);  // 512 KiB of null entries
    set_put(t, 0, 65535);
    (void)ppu_step(t->ppu, 200000);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 65535);
    set_put(t, 0, 2);
    run(t);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 2);
    check_fault(t, 0, FAULT_NONE, 0);
    end(t);
}
Test(host, full_ring,
     .description = "WQ-2: a ring with all entries but one handed over is worked off, each entry once") {
    for (uint32_t entries = 2; entries <= 9; entries++) {
        struct host_test *t = begin(entries);
        channel_register(t, 0, CHANNEL_CONTROL, 0);
        for (uint32_t i = 0; i + 1 < entries; i++)
            SUBMIT(t, 0, header(IMMD, i, 0, 0x08));
        run(t);
        cr_assert_eq(t->count, 0, "a disabled channel does nothing");
        channel_register(t, 0, CHANNEL_CONTROL, 1);
        run(t);
        cr_assert_eq(number_of(t, TRACE_METHOD, 0), entries - 1);
        for (uint32_t i = 0; i + 1 < entries; i++)
            cr_assert_eq(nth(t, TRACE_METHOD, i)->method.data, i);
        cr_assert_eq(userd(t, 0, USERD_GP_GET), entries - 1);
        end(t);
    }
}
Test(host, entry_is_read_when_its_turn_comes,
     .description = "WQ-2: an entry changed behind a blocked acquire is seen as it is then") {
    struct host_test *t = begin(8);
    submit_semaphore(t, 0, SEMAPHORE, 1, SEM_ACQUIRE);
    SUBMIT(t, 0, header(IMMD, 1, 0, 0x08));  // same line of the ring as the one before
    run(t);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 0);
    poke(t, BLOCK + 0x400, header(IMMD, 2, 0, 0x08));
    poke(t, RING + 8, BLOCK + 0x400);
    poke(t, SEMAPHORE, 1);
    run(t);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 2);
    cr_assert_eq(nth(t, TRACE_METHOD, number_of(t, TRACE_METHOD, 0) - 1)->method.data, 2);
    end(t);
}
Test(host, pointers_belong_to_the_link, .description = "WQ-4: GP_GET cannot be written, by registers or by a method") {
    struct host_test *t = begin(4);
    ppu_reg_write(t->ppu, REG_USERD_BASE + USERD_GP_GET, 3);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 0);
    submit_semaphore(t, 0, SEMAPHORE, 77, SEM_RELEASE | NO_WFI | SIZE_4_BYTES);
    run(t);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 1);
    cr_assert_eq(userd(t, 0, USERD_GP_PUT), 1);
    end(t);
}

// ---- formats, as bytes
Test(host, golden_bytes,
     .description = "WQ-5: GP entries and method headers as other people's decoders have them, byte for byte") {
    static const uint8_t ring[] = {
        0x00, 0x20, 0x00, 0x00, 0x00, 0x34, 0x00, 0x00,  // block of 13 words at 0x2000
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // null entry
        0x41, 0x20, 0x00, 0x00, 0x00, 0x0A, 0x00, 0x80,  // conditional fetch, subroutine, wait; 2 words at 0x2040
    };
    static const uint8_t block[] = {
        0x00, 0x00, 0x00, 0x00,                          // NOP word
        0x02, 0x60, 0x05, 0x80,                          // IMMD_DATA 5, subchannel 3, method 0x008
        0x04, 0x00, 0x02, 0x20,                          // INC 2, method 0x010
        0xAA, 0xBB, 0xCC, 0x00, 0x44, 0x33, 0x22, 0x11,  //
        0x06, 0x00, 0x02, 0x60,                          // NON_INC 2, method 0x018
        0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00,  //
        0x05, 0x20, 0x02, 0xA0,                          // ONE_INC 2, subchannel 1, method 0x014
        0x10, 0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00,  //
        0x00, 0x00, 0x00, 0xE0,                          // END_PB_SEGMENT
        0xFF, 0xFF, 0xFF, 0xFF,                          // not looked at
    };
    static const uint8_t second[] = {0x00, 0x20, 0x01, 0x20,
                                     0xC0, 0xA0, 0x00, 0x00};  // SET_OBJECT A0C0 on subchannel 1
    static const struct trace_method methods[] = {
        {0, 3, 0x08 / 4, 5}, {0, 0, 0x10 / 4, 0x00CCBBAA}, {0, 0, 0x14 / 4, 0x11223344}, {0, 0, 0x18 / 4, 1},
        {0, 0, 0x18 / 4, 2}, {0, 1, 0x14 / 4, 0x10},       {0, 1, 0x18 / 4, 0x20},       {0, 1, 0, 0xA0C0},
    };
    struct host_test *t = begin(4);
    cr_assert(ppu_mem_write(t->ppu, physical(RING), ring, sizeof ring));
    cr_assert(ppu_mem_write(t->ppu, physical(BLOCK), block, sizeof block));
    cr_assert(ppu_mem_write(t->ppu, physical(BLOCK + 0x40), second, sizeof second));
    set_put(t, 0, 3);
    run(t);
    check_fault(t, 0, FAULT_NONE, 0);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 3);
    cr_assert_eq(number_of(t, TRACE_METHOD, 0), 8);
    for (uint32_t i = 0; i < 8; i++)
        cr_assert(memcmp(&nth(t, TRACE_METHOD, i)->method, &methods[i], sizeof methods[i]) == 0, "method %u", i);
    end(t);
}
Test(host, method_over_two_blocks,
     .description = "WQ-5: a method whose data words end with the block goes on in the next one") {
    struct host_test *t = begin(8);
    SUBMIT(t, 0, header(INC, 2, 0, 0x14), 7);
    raw_entry(t, 0, 0, 0);
    SUBMIT(t, 0, 8, header(IMMD, 1, 0, 0x08));
    run(t);
    cr_assert_eq(number_of(t, TRACE_METHOD, 0), 3);
    cr_assert_eq(nth(t, TRACE_METHOD, 1)->method.addr, 0x18 / 4);
    cr_assert_eq(nth(t, TRACE_METHOD, 1)->method.data, 8);
    end(t);
}

// ---- launch, WFI
Test(
    host, launch_and_wfi,
    .description = "WQ-6: a launch names TMD and program region; WFI, SET_REFERENCE and RELEASE_WFI wait for its end") {
    static const uint32_t waits[] = {0x78, 0x50, 0x110};
    for (uint32_t i = 0; i < 4; i++) {
        struct host_test *t = begin(8);
        SUBMIT(t, 0, header(INC, 1, 1, 0x00), 0xA0C0);
        SUBMIT(t, 0, header(INC, 2, 1, 0x1608), 0, 0x4000, header(INC, 2, 1, 0x790), 0, 0x8000,
               header(INC, 1, 1, 0x2B4), 0x123, header(IMMD, 2, 1, 0x2BC));
        run(t);
        cr_assert_eq(t->ppu->task->launches, 1);
        cr_assert_eq(t->ppu->task->last_tmd, 0x12300);
        cr_assert_eq(t->ppu->task->last_region, 0x4000);
        cr_assert_eq(t->ppu->task->last_local, 0x8000);
        if (i < 3)
            SUBMIT(t, 0, header(IMMD, 5, 1, waits[i]));
        else
            submit_semaphore(t, 0, SEMAPHORE, 5, SEM_RELEASE | SIZE_4_BYTES);
        run(t);
        cr_assert_eq(userd(t, 0, USERD_GP_GET), 2, "waits");
        cr_assert_eq(channel_read_register(t, 0, CHANNEL_STATUS), 1u << 8 | 4);
        cr_assert_eq(userd(t, 0, USERD_REFERENCE), 0);
        cr_assert_eq(peek(t, SEMAPHORE), 0);
        SUBMIT(t, 1, header(IMMD, 5, 0, 0x78));  // the other channel has no task: it does not wait
        run(t);
        cr_assert_eq(userd(t, 1, USERD_GP_GET), 1);
        standin_task_end(t->ppu->task, 0);
        run(t);
        cr_assert_eq(userd(t, 0, USERD_GP_GET), 3);
        cr_assert_eq(userd(t, 0, USERD_REFERENCE), i == 1 ? 5 : 0);
        cr_assert_eq(peek(t, SEMAPHORE), i == 3 ? 5 : 0);
        end(t);
    }
}
Test(host, full_task_unit,
     .description = "WQ-6 WQ-8: a launch waits for room in the task unit; the other channel goes on meanwhile") {
    struct host_test *t = begin(8);
    t->ppu->task->room = 0;
    SUBMIT(t, 0, header(INC, 1, 1, 0x00), 0xA0C0, header(IMMD, 1, 1, 0x2B4), header(IMMD, 2, 1, 0x2BC));
    SUBMIT(t, 1, header(IMMD, 5, 0, 0x08));
    run(t);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 0);
    cr_assert_eq(userd(t, 1, USERD_GP_GET), 1);
    cr_assert_eq(channel_read_register(t, 0, CHANNEL_STATUS) & 15, 5);
    t->ppu->task->room = 1;
    run(t);
    cr_assert_eq(t->ppu->task->launches, 1);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 1);
    end(t);
}

// ---- priorities
Test(host, priorities, .description = "WQ-8: the higher priority is served first; the lowest is not starved") {
    struct host_test *t = begin(65);
    channel_register(t, 1, CHANNEL_PRIORITY, 3);
    for (uint32_t c = 0; c < 2; c++)
        channel_register(t, c, CHANNEL_CONTROL, 0);
    for (uint32_t i = 0; i < 64; i++) {
        SUBMIT(t, 0, header(IMMD, i, 0, 0x08));
        SUBMIT(t, 1, header(IMMD, i, 0, 0x08));
    }
    for (uint32_t c = 0; c < 2; c++)
        channel_register(t, c, CHANNEL_CONTROL, 1);
    run(t);
    uint32_t low = 0, high = 0;
    for (uint32_t i = 0; high < 64; i++) {
        const struct trace_event *event = nth(t, TRACE_GP_GET, i);
        if (event->gp_get.channel == 0)
            low++;
        else
            high++;
    }
    cr_assert_leq(low, 12, "%u of the low priority before the last of the high one", low);
    cr_assert_geq(low, 4, "%u: starved", low);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 64);
    end(t);
}

// ---- errors: each stops its own channel with its code
struct error_case {
    const char *name;
    uint32_t code, info;
    uint32_t entry0, entry1;  // raw entry when entry1 is not zero, else a block
    uint32_t words[6], count;
};
static const struct error_case ERRORS[] = {
    {"control entry ILLEGAL", FAULT_GPENTRY, 1, 0, 1, {0}, 0},
    {"control entry GP_CRC", FAULT_GPENTRY, 2, 5, 2, {0}, 0},
    {"control entry, unknown opcode", FAULT_GPENTRY, 0xFF, 5, 0xFF, {0}, 0},
    {"address beyond 32 bits", FAULT_GPENTRY, 1u << 10 | 1, BLOCK, 1u << 10 | 1, {0}, 0},
    {"block outside the space", FAULT_PBFETCH, 0x10000, 0x10000, 1u << 10, {0}, 0},
    {"block far outside", FAULT_PBFETCH, 0xFFFFFFFC, 0xFFFFFFFC, 1u << 10, {0}, 0},
    {"SEC_OP 2", FAULT_PBENTRY, 0x40000000, 0, 0, {0x40000000}, 1},
    {"SEC_OP 6", FAULT_PBENTRY, 0xC0010002, 0, 0, {0xC0010002}, 1},
    {"SEC_OP 0, not a NOP", FAULT_PBENTRY, 0x00010002, 0, 0, {0x00010002}, 1},
    {"END_PB_SEGMENT with more bits", FAULT_PBENTRY, 0xE0000001, 0, 0, {0xE0000001}, 1},
    {"method ILLEGAL", FAULT_METHOD, 0x4, 0, 0, {0x80000001}, 1},
    {"unknown host method", FAULT_METHOD, 3u << 16 | 0x24, 0, 0, {0x80006009}, 1},
    {"wrong class", FAULT_METHOD, 1u << 16, 0, 0, {0x20012000, 0xB0C0}, 2},
    {"compute class on another subchannel", FAULT_METHOD, 2u << 16, 0, 0, {0x20014000, 0xA0C0}, 2},
    {"compute method without object", FAULT_DEVICE, 1, 0, 0, {0x80002040}, 1},
    {"software subchannel", FAULT_DEVICE, 5, 0, 0, {0x8000A040}, 1},
    {"unknown compute method", FAULT_METHOD, 1u << 16 | 0x104, 0, 0, {0x20012000, 0xA0C0, 0x80002041}, 3},
    {"local memory beyond 32 bits", FAULT_METHOD, 1u << 16 | 0x790, 0, 0, {0x20012000, 0xA0C0, 0x800121E4}, 3},
    {"program region beyond 32 bits", FAULT_METHOD, 1u << 16 | 0x1608, 0, 0, {0x20012000, 0xA0C0, 0x80012582}, 3},
    {"TMD beyond 32 bits", FAULT_TMD_FETCH, 0, 0, 0, {0x20012000, 0xA0C0, 0x200120AD, 0x01000000, 0x800220AF}, 5},
    {"semaphore: no operation", FAULT_SEMAPHORE, 0, 0, 0, {0x80000007}, 1},
    {"semaphore: two operations", FAULT_SEMAPHORE, 0, 0, 0, {0x20010007, 3}, 2},
    {"semaphore: reduction 8", FAULT_SEMAPHORE, 0, 0, 0, {0x20010007, 8u << 27 | 16}, 2},
    {"semaphore: not a word",
     FAULT_SEMAPHORE,
     0x3001,
     0,
     0,
     {0x80000005u | 0x3001u % 0x2000 << 16, 0x20010005, 0x3001, 0x80010007},
     4},
    {"semaphore: 16 bytes at 8", FAULT_SEMAPHORE, 0x3008, 0, 0, {0x20010005, 0x3008, 0x20010007, 2}, 4},
    {"semaphore beyond 32 bits", FAULT_SEMAPHORE_ADDRESS, 0, 0, 0, {0x80010004, 0x80010007}, 2},
    {"semaphore outside the space", FAULT_SEMAPHORE_ADDRESS, 0x10000, 0, 0, {0x20010005, 0x10000, 0x80010007}, 3},
};
Test(host, errors,
     .description =
         "WQ-5 WQ-8: every host error stops its channel with code and information; the second channel goes on") {
    for (size_t i = 0; i < sizeof ERRORS / sizeof ERRORS[0]; i++) {
        const struct error_case *e = &ERRORS[i];
        struct host_test *t = begin(4);
        SUBMIT(t, 0, header(IMMD, 1, 0, 0x08));
        if (e->count == 0)
            raw_entry(t, 0, e->entry0, e->entry1);
        else
            submit(t, 0, e->words, e->count);
        SUBMIT(t, 0, header(IMMD, 2, 0, 0x08));
        SUBMIT(t, 1, header(IMMD, 3, 0, 0x08));
        run(t);
        cr_log_info("%s", e->name);
        check_fault(t, 0, e->code, e->info);
        cr_assert_eq(userd(t, 0, USERD_GP_GET), 1, "%s: GP_GET stays at the entry", e->name);
        cr_assert_eq(userd(t, 1, USERD_GP_GET), 1, "%s: the second channel goes on", e->name);
        cr_assert_eq(ppu_reg_read(t->ppu, REG_INTR_STATUS), 1u << 16);
        cr_assert(host_outputs(t->ppu->host)->channel_halt[0]);
        cr_assert_not(host_outputs(t->ppu->host)->channel_halt[1]);
        // Clear it: all is as new.
        channel_register(t, 0, CHANNEL_CONTROL, 3);
        check_fault(t, 0, FAULT_NONE, 0);
        cr_assert_eq(userd(t, 0, USERD_GP_GET), 0);
        cr_assert_eq(userd(t, 0, USERD_GP_PUT), 0);
        t->put[0] = 0;
        SUBMIT(t, 0, header(IMMD, 4, 0, 0x08));
        run(t);
        cr_assert_eq(userd(t, 0, USERD_GP_GET), 1, "%s: works again", e->name);
        end(t);
    }
}
Test(host, ring_errors, .description = "WQ-1 WQ-2: pointers and counts out of range, a ring outside the space") {
    static const struct {
        uint32_t base, entries, put, code, info;
    } cases[] = {
        {RING, 4, 4, FAULT_GPPTR, 4},
        {RING, 4, 0x10001, FAULT_GPPTR, 0x10001},
        {RING, 1, 1, FAULT_GPPTR, 1},
        {RING, 65537, 1, FAULT_GPPTR, 65537},
        {RING, 0, 1, FAULT_GPPTR, 0},
        {0x10000, 4, 1, FAULT_GPFIFO, 0x10000},
        {0xFFFFFFF8, 4, 1, FAULT_GPFIFO, 0xFFFFFFF8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct host_test *t = begin(4);
        channel_register(t, 0, CHANNEL_GP_BASE, cases[i].base);
        channel_register(t, 0, CHANNEL_GP_ENTRIES, cases[i].entries);
        set_put(t, 0, cases[i].put);
        SUBMIT(t, 1, header(IMMD, 3, 0, 0x08));
        run(t);
        check_fault(t, 0, cases[i].code, cases[i].info);
        cr_assert_eq(userd(t, 1, USERD_GP_GET), 1);
        end(t);
    }
}
Test(host, task_faults,
     .description = "WQ-8 TU-11: a channel keeps the first fault; RESET is refused while its tasks run") {
    struct host_test *t = begin(4);
    SUBMIT(t, 0, header(INC, 1, 1, 0x00), 0xA0C0, header(IMMD, 1, 1, 0x2B4), header(IMMD, 2, 1, 0x2BC));
    run(t);
    host_fault(t->ppu->host, &(struct fault_report){0, FAULT_MEMORY_BOUNDS, 0x1234, 7});
    host_fault(t->ppu->host, &(struct fault_report){0, FAULT_PROGRAM_BOUNDS, 1, 1});
    cr_assert_eq(channel_read_register(t, 0, CHANNEL_FAULT_CODE), FAULT_NONE, "shown by FAULT, not before");
    run(t);
    check_fault(t, 0, FAULT_MEMORY_BOUNDS, 0x1234);
    cr_assert_eq(channel_read_register(t, 0, CHANNEL_FAULT_PC), 7);
    channel_register(t, 0, CHANNEL_CONTROL, 3);
    cr_assert_eq(channel_read_register(t, 0, CHANNEL_FAULT_CODE), FAULT_MEMORY_BOUNDS, "a task runs: refused");
    standin_task_end(t->ppu->task, 0);
    channel_register(t, 0, CHANNEL_CONTROL, 3);
    check_fault(t, 0, FAULT_NONE, 0);
    end(t);
}
Test(
    host, interrupts,
    .description =
        "WQ-6: NON_STALL_INTERRUPT raises the channel's bit; irq is status and enable; bits are cleared by writing 1") {
    struct host_test *t = begin(4);
    SUBMIT(t, 1, header(IMMD, 0, 0, 0x20));
    run(t);
    cr_assert_eq(ppu_reg_read(t->ppu, REG_INTR_STATUS), 2);
    cr_assert_not(ppu_irq(t->ppu));
    ppu_reg_write(t->ppu, REG_INTR_ENABLE, 2);
    cr_assert(ppu_irq(t->ppu));
    ppu_reg_write(t->ppu, REG_INTR_STATUS, 1);
    cr_assert(ppu_irq(t->ppu));
    ppu_reg_write(t->ppu, REG_INTR_STATUS, 2);
    cr_assert_not(ppu_irq(t->ppu));
    cr_assert_eq(nth(t, TRACE_INTERRUPT, 0)->interrupt.bits, 2);
    end(t);
}

// ---- following: what is not due is refused
Test(host, follow_refuses, .description = "WQ-2 WQ-7: in tandem an event that is not due is refused with the reason") {
    struct host_test *t = begin(4);
    struct trace_event rtl, model;
    char why[256];
    memset(&rtl, 0, sizeof rtl);
    static const enum trace_kind kinds[] = {TRACE_GP_ENTRY, TRACE_METHOD,    TRACE_SEMAPHORE, TRACE_GP_GET,
                                            TRACE_FAULT,    TRACE_INTERRUPT, TRACE_PERFORM};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        rtl.kind = kinds[i];
        cr_assert_not(ppu_follow(t->ppu, &rtl, &model, why, sizeof why));
        cr_assert(strlen(why) > 10, "%s", why);
        if (kinds[i] != TRACE_INTERRUPT) {
            rtl.method.channel = 99;
            rtl.perform.channel = 99;
            cr_assert_not(ppu_follow(t->ppu, &rtl, &model, why, sizeof why));
            memset(&rtl, 0, sizeof rtl);
        }
    }
    end(t);
}
Test(host, follow_computes_its_own,
     .description = "WQ-2 WQ-5: in tandem the model reads the entry itself: a wrong one of the RTL is seen") {
    struct host_test *t = begin(4);
    struct trace_event rtl, model;
    char why[256];
    SUBMIT(t, 0, header(IMMD, 1, 0, 0x08));
    memset(&rtl, 0, sizeof rtl);
    rtl.kind = TRACE_PERFORM;
    rtl.perform.addr = RING;
    cr_assert(ppu_follow(t->ppu, &rtl, &model, why, sizeof why), "%s", why);
    cr_assert_eq(trace_event_compare(&rtl, &model), -1);
    cr_assert_not(ppu_quiescent(t->ppu, why, sizeof why), "GP_ENTRY is due");
    memset(&rtl, 0, sizeof rtl);
    rtl.kind = TRACE_GP_ENTRY;
    rtl.gp_entry.entry0 = BLOCK + 4;  // wrong
    rtl.gp_entry.entry1 = 1u << 10;
    cr_assert(ppu_follow(t->ppu, &rtl, &model, why, sizeof why));
    cr_assert_str_eq(trace_field_name(TRACE_GP_ENTRY, trace_event_compare(&rtl, &model)), "entry0");
    end(t);
}
