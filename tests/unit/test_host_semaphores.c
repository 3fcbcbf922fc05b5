// Semaphore operations of the host interface of the model.
#include "host_test.h"

// ---- semaphores
Test(host, acquire_blocks_its_channel_only,
     .description = "WQ-7 WQ-8: GP_GET of a blocked channel stands still, the other one's moves") {
    struct host_test *t = begin(8);
    submit_semaphore(t, 0, SEMAPHORE, 9, SEM_ACQUIRE);
    SUBMIT(t, 0, header(IMMD, 1, 0, 0x08));
    for (uint32_t i = 0; i < 5; i++)
        SUBMIT(t, 1, header(IMMD, i, 0, 0x08));
    run(t);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 0);
    cr_assert_eq(userd(t, 1, USERD_GP_GET), 5);
    cr_assert_eq(channel_read_register(t, 0, CHANNEL_STATUS) & 15, 3);
    cr_assert_eq(channel_read_register(t, 0, CHANNEL_BLOCKED_ADDR), SEMAPHORE);
    cr_assert_eq(channel_read_register(t, 0, CHANNEL_BLOCKED_PAYLOAD), 9);
    poke(t, SEMAPHORE, 8);
    run(t);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 0, "not that value");
    submit_semaphore(t, 1, SEMAPHORE, 9, SEM_RELEASE | SIZE_4_BYTES | NO_WFI);
    run(t);
    cr_assert_eq(userd(t, 0, USERD_GP_GET), 2);
    end(t);
}
Test(host, acquire_conditions,
     .description = "WQ-7: ACQUIRE equal, ACQ_GEQ by signed distance, ACQ_AND by common bits") {
    static const struct {
        uint32_t operation, memory, payload;
        bool passes;
    } cases[] = {
        {SEM_ACQUIRE, 5, 5, true},      {SEM_ACQUIRE, 6, 5, false},      {SEM_GEQ, 5, 5, true},
        {SEM_GEQ, 4, 5, false},         {SEM_GEQ, 1, 0xFFFFFFFF, true},  {SEM_GEQ, 0xFFFFFFFF, 1, false},
        {SEM_GEQ, 0x80000000, 1, true}, {SEM_GEQ, 0x80000001, 1, false}, {SEM_AND, 6, 2, true},
        {SEM_AND, 6, 9, false},         {SEM_AND, 0xFFFFFFFF, 0, false}, {SEM_AND, 6, 12, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct host_test *t = begin(4);
        poke(t, SEMAPHORE + 12, cases[i].memory);
        submit_semaphore(t, 0, SEMAPHORE + 12, cases[i].payload, cases[i].operation | (i % 2 != 0 ? 1u << 12 : 0));
        run(t);
        cr_assert_eq(userd(t, 0, USERD_GP_GET), cases[i].passes ? 1 : 0, "case %zu", i);
        cr_assert_eq(nth(t, TRACE_SEMAPHORE, 0)->semaphore.done, cases[i].passes);
        end(t);
    }
}
Test(host, reductions, .description = "WQ-6: REDUCTION, every operation, signed and unsigned") {
    static const struct {
        uint32_t reduction, is_unsigned, memory, payload, result;
    } cases[] = {
        {0, 0, 0xFFFFFFFF, 1, 0xFFFFFFFF},
        {0, 1, 0xFFFFFFFF, 1, 1},
        {1, 0, 0xFFFFFFFF, 1, 1},
        {1, 1, 0xFFFFFFFF, 1, 0xFFFFFFFF},
        {2, 0, 0xFF00, 0x0FF0, 0xF0F0},
        {3, 0, 0xFF00, 0x0FF0, 0x0F00},
        {4, 1, 0xFF00, 0x0FF0, 0xFFF0},
        {5, 0, 0xFFFFFFFF, 2, 1},
        {6, 1, 3, 4, 4},
        {6, 1, 4, 4, 0},
        {6, 1, 9, 4, 0},
        {7, 1, 3, 4, 2},
        {7, 1, 0, 4, 4},
        {7, 1, 9, 4, 4},
        {7, 0, 4, 4, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct host_test *t = begin(4);
        poke(t, SEMAPHORE + 4, cases[i].memory);
        submit_semaphore(t, 0, SEMAPHORE + 4, cases[i].payload,
                         SEM_REDUCTION | cases[i].reduction << 27 | cases[i].is_unsigned << 31);
        run(t);
        cr_assert_eq(peek(t, SEMAPHORE + 4), cases[i].result, "case %zu: 0x%x", i, peek(t, SEMAPHORE + 4));
        cr_assert_eq(nth(t, TRACE_SEMAPHORE, 0)->semaphore.value, cases[i].memory);
        end(t);
    }
}
Test(host, release_sizes,
     .description = "WQ-6 WQ-7: a release of 4 bytes writes the word; of 16: payload, 0, 64-bit time, in one request") {
    struct host_test *t = begin(4);
    for (uint32_t i = 0; i < 8; i++)
        poke(t, SEMAPHORE + 4 * i, 0xEEEEEEEE);
    submit_semaphore(t, 0, SEMAPHORE + 16, 42, SEM_RELEASE | NO_WFI);
    submit_semaphore(t, 0, SEMAPHORE + 4, 43, SEM_RELEASE | NO_WFI | SIZE_4_BYTES);
    run(t);
    const uint64_t time = nth(t, TRACE_SEMAPHORE, 0)->semaphore.time;
    cr_assert_eq(peek(t, SEMAPHORE + 16), 42);
    cr_assert_eq(peek(t, SEMAPHORE + 20), 0);
    cr_assert_eq(peek(t, SEMAPHORE + 24), (uint32_t)time);
    cr_assert_eq(peek(t, SEMAPHORE + 28), (uint32_t)(time >> 32));
    cr_assert_eq(peek(t, SEMAPHORE + 4), 43);
    cr_assert_eq(peek(t, SEMAPHORE), 0xEEEEEEEE);
    cr_assert_eq(peek(t, SEMAPHORE + 8), 0xEEEEEEEE);
    cr_assert_eq(time % t->ppu->run.config.ns_per_cycle, 0);
    end(t);
}
Test(host, acquire_timeout,
     .description = "WQ-7: an acquire with a timeout faults ACQUIRE when its time is up, the other channel goes on") {
    struct host_test *t = begin(4);
    channel_register(t, 0, CHANNEL_ACQUIRE_TIMEOUT, 500);
    submit_semaphore(t, 0, SEMAPHORE, 1, SEM_ACQUIRE);
    (void)ppu_step(t->ppu, 400);
    check_fault(t, 1, FAULT_NONE, 0);
    cr_assert_eq(channel_read_register(t, 0, CHANNEL_FAULT_CODE), FAULT_NONE);
    (void)ppu_step(t->ppu, 400);
    check_fault(t, 0, FAULT_ACQUIRE, SEMAPHORE);
    SUBMIT(t, 1, header(IMMD, 1, 0, 0x08));
    run(t);
    cr_assert_eq(userd(t, 1, USERD_GP_GET), 1);
    end(t);
}
