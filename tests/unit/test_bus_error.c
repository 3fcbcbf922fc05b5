// Errors of the memory: where the model alone meets them, and how it takes them from the RTL's events in tandem.
#include <criterion/criterion.h>
#include <string.h>

#include "gen/isa.h"
#include "gen/registers.h"
#include "ppu_internal.h"

#define MEMORY 0x4000u

static void channel_register(struct ppu *ppu, uint32_t channel, uint32_t offset, uint32_t value) {
    ppu_reg_write(ppu, REG_CHANNEL_BASE + channel * REG_CHANNEL_STRIDE + offset, value);
}

static struct ppu *begin(bool following) {
    struct ppu *ppu = ppu_create(ppu_config_find("nano"), MEMORY, 1);
    cr_assert_not_null(ppu);
    ppu->run.following = following;
    channel_register(ppu, 0, CHANNEL_SPACE_BASE, 0);
    channel_register(ppu, 0, CHANNEL_SPACE_SIZE, 0x2000);
    channel_register(ppu, 1, CHANNEL_SPACE_BASE, 0x1000);
    channel_register(ppu, 1, CHANNEL_SPACE_SIZE, 0x2000);
    for (uint32_t i = 0; i < MEMORY; i++)
        mem_bytes(ppu->mem)[i] = (uint8_t)(i * 7);
    return ppu;
}

static uint32_t word_at(struct ppu *ppu, uint32_t physical) {
    uint32_t word;
    cr_assert(ppu_mem_read(ppu, physical, &word, 4));
    return word;
}

static uint32_t perform(struct ppu *ppu, uint32_t port, enum mem_op op, uint32_t channel, uint32_t addr) {
    struct mem_request request = {
        .op = op, .atom = ATOM_ADD, .channel = channel, .addr = addr, .wstrb = 0xFF0, .wdata = {1, 0, 0, 0, 5, 6}};
    struct mem_response response;
    struct trace_event event;
    mem_perform_event(ppu->mem, port, &request, &response, &event);
    return response.fault;
}

Test(bus_error, alone, .description = "WQ-8 the model alone: memory that fails, whole or for writes only [model]") {
    for (uint32_t writes_only = 0; writes_only < 2; writes_only++) {
        struct ppu *ppu = begin(false);
        uint8_t before[MEMORY];
        memcpy(before, mem_bytes(ppu->mem), MEMORY);
        ppu_set_bus_errors(ppu, 0x1040, 4, writes_only != 0);
        cr_assert_eq(perform(ppu, 4, MEM_READ, 0, 0x1040), writes_only ? 0 : 2);
        cr_assert_eq(perform(ppu, 4, MEM_READ, 1, 0x40), writes_only ? 0 : 2, "by physical address");
        cr_assert_eq(perform(ppu, 4, MEM_WRITE, 0, 0x1040), 2);
        cr_assert_eq(perform(ppu, 4, MEM_ATOMIC, 1, 0x40), writes_only ? 0 : 2);
        cr_assert_eq(memcmp(before, mem_bytes(ppu->mem), MEMORY), 0);
        char why[200];
        // The atomic was answered: that its line cannot be written is the fault of its channel.
        cr_assert_eq(ppu_quiescent(ppu, why, sizeof why), writes_only == 0, "%s", why);
        if (writes_only) cr_assert_not_null(strstr(why, "channel 1: FAULT BUS_ERROR"), "%s", why);
        cr_assert_eq(perform(ppu, 4, MEM_WRITE, 0, 0x1060), 0, "the line behind");
        ppu_set_bus_errors(ppu, 0, 0, false);
        cr_assert_eq(perform(ppu, 4, MEM_WRITE, 0, 0x1040), 0);
        cr_assert_eq(word_at(ppu, 0x1044), 0x605);
        ppu_destroy(ppu);
    }
}

static bool bus_error(struct ppu *ppu, uint32_t port, uint32_t after, const char *reason) {
    struct trace_event rtl = {.kind = TRACE_BUS_ERROR, .bus_error = {.port = port, .after = after}}, model = rtl;
    char why[200] = "";
    const bool good = mem_follow_bus_error(ppu->mem, &rtl, &model, (struct why){why, sizeof why}) != NULL;
    if (reason != NULL) cr_assert_not_null(strstr(why, reason), "port %u after %u: \"%s\"", port, after, why);
    if (good) cr_assert_eq(model.bus_error.addr, 0x1020 + 32 * (2 - after));
    return good;
}

Test(bus_error, taken_back, .description = "WQ-8 a request that failed is taken back, others stay [tandem]") {
    struct ppu *ppu = begin(true);
    const uint32_t first = word_at(ppu, 0x1024), second = word_at(ppu, 0x1044);
    cr_assert_not(bus_error(ppu, 4, 0, "not performed more than 0"));
    perform(ppu, 4, MEM_WRITE, 0, 0x1020);
    perform(ppu, 4, MEM_WRITE, 0, 0x1040);
    perform(ppu, 4, MEM_READ, 0, 0x1060);
    cr_assert_eq(word_at(ppu, 0x1024), 0x605);
    cr_assert(bus_error(ppu, 4, 1, NULL));
    cr_assert_eq(word_at(ppu, 0x1024), 0x605);
    cr_assert_eq(word_at(ppu, 0x1044), second);
    cr_assert(bus_error(ppu, 4, 2, NULL));
    cr_assert(bus_error(ppu, 4, 0, NULL), "a read");
    cr_assert_eq(word_at(ppu, 0x1024), first);
    ppu_destroy(ppu);
}

Test(bus_error, refused, .description = "WQ-8 errors of what cannot have failed are refused [tandem]") {
    struct ppu *ppu = begin(true);
    cr_assert_eq(perform(ppu, 4, MEM_READ, 0, 0x1060), 0);
    cr_assert(bus_error(ppu, 4, 0, NULL));
    cr_assert_not(bus_error(ppu, 4, 0, "has failed before"));
    cr_assert_not(bus_error(ppu, 4, 1, "has not performed more than 1"));
    cr_assert_not(bus_error(ppu, 3, 0, "has not performed more than 0"));
    cr_assert_not(bus_error(ppu, 200, 0, "port 200"));
    cr_assert_eq(perform(ppu, 4, MEM_READ, 0, 0x2000), 1);
    cr_assert_not(bus_error(ppu, 4, 0, "outside its space"));
    perform(ppu, 4, MEM_ATOMIC, 0, 0x1060);
    perform(ppu, 4, MEM_READ, 0, 0x1060);
    cr_assert_not(bus_error(ppu, 4, 1, "is answered already"));
    ppu_destroy(ppu);
}

static bool lost(struct ppu *ppu, uint32_t addr, uint32_t count, uint32_t channel, uint32_t info) {
    struct trace_event rtl = {.kind = TRACE_WRITE_BACK_ERROR, .write_back_error = {.lost = count, .addr = addr}}, model;
    char why[200] = "";
    memset(&model, 0, sizeof model);
    if (!mem_follow_write_back_error(ppu->mem, &rtl, &model, (struct why){why, sizeof why})) {
        cr_assert_not_null(strstr(why, "atomics are lost"), "%s", why);
        return false;
    }
    cr_assert_eq(model.write_back_error.channel, channel);
    cr_assert_eq(model.write_back_error.info, info);
    return true;
}

Test(bus_error, write_back,
     .description = "WQ-8 a write-back that failed: the line's last atomics are lost, their channel faults [tandem]") {
    struct ppu *ppu = begin(true);
    const uint32_t a = word_at(ppu, 0x1060), b = word_at(ppu, 0x1064), other = word_at(ppu, 0x1080);
    cr_assert_not(lost(ppu, 0x1060, 1, 0, 0));
    perform(ppu, 4, MEM_ATOMIC, 0, 0x1060);  // written back
    for (uint32_t i = 0; i < 3; i++) {
        perform(ppu, 4, MEM_ATOMIC, 1, 0x60);
        perform(ppu, 1, MEM_ATOMIC, 0, 0x1080);
        perform(ppu, 2, MEM_ATOMIC, 1, 0x64);
    }
    cr_assert_not(lost(ppu, 0x1040, 1, 0, 0), "a line without atomics");
    cr_assert(lost(ppu, 0x1060, 6, 1, 0x60));
    cr_assert_eq(word_at(ppu, 0x1060), a + 1);
    cr_assert_eq(word_at(ppu, 0x1064), b);
    cr_assert_eq(word_at(ppu, 0x1080), other + 3, "another line");
    char why[200];
    cr_assert_not(ppu_quiescent(ppu, why, sizeof why));
    cr_assert_not_null(strstr(why, "channel 1: FAULT BUS_ERROR"), "%s", why);
    cr_assert_not(lost(ppu, 0x1060, 2, 0, 0), "one is left, of the other channel");
    ppu_destroy(ppu);
}
