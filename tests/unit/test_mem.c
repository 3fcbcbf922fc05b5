// Memory of the model: address spaces, requests, atomics, and the events they are.
#include <criterion/criterion.h>
#include <string.h>

#include "gen/isa.h"
#include "gen/registers.h"
#include "mem/mem_internal.h"
#include "ppu_internal.h"

#define MEMORY 0x20000u

static void channel_register(struct ppu *ppu, uint32_t channel, uint32_t offset, uint32_t value) {
    ppu_reg_write(ppu, REG_CHANNEL_BASE + channel * REG_CHANNEL_STRIDE + offset, value);
}

// Channel 0: [0x1000, 0x3000), channel 1: [0x2000, 0x4000).
static struct ppu *begin(void) {
    struct ppu *ppu = ppu_create(ppu_config_find("nano"), MEMORY, 1);
    cr_assert_not_null(ppu);
    for (uint32_t c = 0; c < 2; c++) {
        channel_register(ppu, c, CHANNEL_SPACE_BASE, 0x1000 * (c + 1));
        channel_register(ppu, c, CHANNEL_SPACE_SIZE, 0x2000);
    }
    for (uint32_t i = 0; i < MEMORY; i++)
        mem_bytes(ppu->mem)[i] = (uint8_t)(i * 7 + i / 256);
    return ppu;
}

static uint32_t word_at(struct ppu *ppu, uint64_t physical) {
    uint32_t word;
    cr_assert(ppu_mem_read(ppu, physical, &word, 4));
    return word;
}

Test(mem, spaces, .description = "WQ-4 an address reaches its channel's space and nothing else [model]") {
    struct ppu *ppu = begin();
    uint64_t physical;
    cr_assert(address_space_translate(ppu->mem, 0, 0, 32, &physical));
    cr_assert_eq(physical, 0x1000);
    cr_assert(address_space_translate(ppu->mem, 1, 0x1FE0, 32, &physical));
    cr_assert_eq(physical, 0x3FE0);
    cr_assert_not(address_space_translate(ppu->mem, 1, 0x2000, 32, &physical), "the first line outside");
    cr_assert_not(address_space_translate(ppu->mem, 0, 0x1FFC, 8, &physical), "half outside");
    cr_assert_not(address_space_translate(ppu->mem, 0, 0xFFFFFFE0u, 32, &physical), "no wrap to the start");
    channel_register(ppu, 0, CHANNEL_SPACE_SIZE, 0);
    cr_assert_not(address_space_translate(ppu->mem, 0, 0, 1, &physical), "an empty space");
    channel_register(ppu, 0, CHANNEL_SPACE_BASE, 0xFFFFF000u);
    channel_register(ppu, 0, CHANNEL_SPACE_SIZE, 0x2000);
    cr_assert(address_space_translate(ppu->mem, 0, 0xFE0, 32, &physical));
    cr_assert_not(address_space_translate(ppu->mem, 0, 0x1000, 32, &physical), "past 32 bits of physical address");
    ppu_destroy(ppu);
}

Test(mem, faults_change_nothing,
     .description = "WQ-4 requests outside the space or past the memory fault and change nothing [model]") {
    struct ppu *ppu = begin();
    static uint8_t before[MEMORY];
    memcpy(before, mem_bytes(ppu->mem), MEMORY);
    channel_register(ppu, 1, CHANNEL_SPACE_BASE, MEMORY - 0x1000);  // its second page is past the memory
    for (uint32_t op = MEM_READ; op <= MEM_ATOMIC; op++) {
        struct mem_request request = {
            .op = (enum mem_op)op, .atom = ATOM_ADD, .channel = 0, .addr = 0x2000, .wstrb = UINT32_MAX};
        struct mem_response response;
        memset(request.wdata, 0x55, sizeof request.wdata);
        mem_perform(ppu->mem, &request, &response);
        cr_assert_eq(response.fault, 1);
        request.channel = 1;
        request.addr = 0x1000;
        mem_perform(ppu->mem, &request, &response);
        cr_assert_eq(response.fault, 2);
        struct trace_event event;
        mem_perform_event(ppu->mem, 4, &request, &response, &event);
        cr_assert_eq(event.perform.fault, 0, "a bus error is not known yet when a request is performed");
    }
    cr_assert_eq(memcmp(before, mem_bytes(ppu->mem), MEMORY), 0);
    ppu_destroy(ppu);
}

Test(mem, byte_strobes, .description = "WQ-7 a write changes the bytes that wstrb names, and no other [model]") {
    struct ppu *ppu = begin();
    static const uint32_t strobes[] = {0, 1, 0x80000000u, 0x00FF00F0u, 0xAAAAAAAAu, UINT32_MAX};
    for (size_t i = 0; i < sizeof strobes / sizeof strobes[0]; i++) {
        struct mem_request request = {.op = MEM_WRITE, .channel = 0, .addr = 0x40, .wstrb = strobes[i]};
        struct mem_response response;
        struct trace_event event;
        uint8_t before[96], after[96];
        for (unsigned b = 0; b < 32; b++)
            request.wdata[b] = (uint8_t)(0xC0 + b + i);
        ppu_mem_read(ppu, 0x1020, before, sizeof before);
        mem_perform_event(ppu->mem, 1, &request, &response, &event);
        ppu_mem_read(ppu, 0x1020, after, sizeof after);
        cr_assert_eq(response.fault, 0);
        cr_assert_eq(event.perform.port, 1);
        cr_assert_eq(event.perform.wstrb, strobes[i]);
        for (unsigned b = 0; b < 96; b++) {
            const bool named = b >= 32 && b < 64 && (strobes[i] >> (b - 32) & 1) != 0;
            cr_assert_eq(after[b], named ? request.wdata[b - 32] : before[b], "byte %u", b);
            if (b >= 32 && b < 64) cr_assert_eq(event.perform.wdata[b - 32], named ? request.wdata[b - 32] : 0);
        }
    }
    ppu_destroy(ppu);
}

Test(mem, spaces_share,
     .description = "WQ-7 a word is shared where spaces overlap: one writes, the other reads it [model]") {
    struct ppu *ppu = begin();
    struct mem_request write = {.op = MEM_WRITE, .channel = 0, .addr = 0x1000, .wstrb = 0xF, .wdata = {1, 2, 3, 4}};
    struct mem_request read = {.op = MEM_READ, .channel = 1, .addr = 0};
    struct mem_response response;
    struct trace_event event;
    mem_perform(ppu->mem, &write, &response);
    memset(read.wdata, 0xFF, sizeof read.wdata);
    read.wstrb = 5;
    mem_perform_event(ppu->mem, 3, &read, &response, &event);
    cr_assert_eq(memcmp(response.data, write.wdata, 4), 0);
    static const uint8_t zeros[32];
    cr_assert_eq(event.perform.wstrb, 0);
    cr_assert_eq(memcmp(event.perform.wdata, zeros, 32), 0, "a read shows no data");
    ppu_destroy(ppu);
}

struct atomic_case {
    uint32_t atom, old, operand, swap, result;
};

static const struct atomic_case atomics[] = {
    {ATOM_ADD, 5, 7, 0, 12},
    {ATOM_ADD, 0xFFFFFFFF, 2, 0, 1},
    {ATOM_SUB, 5, 7, 0, 0xFFFFFFFE},
    {ATOM_MIN, 0xFFFFFFFF, 1, 0, 0xFFFFFFFF},  // -1 < 1
    {ATOM_MIN, 3, 0x80000000, 0, 0x80000000},
    {ATOM_MAX, 0xFFFFFFFF, 1, 0, 1},
    {ATOM_MAX, 3, 0x80000000, 0, 3},
    {ATOM_UMIN, 0xFFFFFFFF, 1, 0, 1},
    {ATOM_UMAX, 0xFFFFFFFF, 1, 0, 0xFFFFFFFF},
    {ATOM_AND, 0xFF00FF00, 0x0FF00FF0, 0, 0x0F000F00},
    {ATOM_OR, 0xFF00FF00, 0x0FF00FF0, 0, 0xFFF0FFF0},
    {ATOM_XOR, 0xFF00FF00, 0x0FF00FF0, 0, 0xF0F0F0F0},
    {ATOM_XCHG, 1, 2, 3, 2},
    {ATOM_CAS, 4, 4, 9, 9},
    {ATOM_CAS, 4, 5, 9, 4},
    {ATOM_INC, 3, 5, 0, 4},
    {ATOM_INC, 5, 5, 0, 0},
    {ATOM_INC, 6, 5, 0, 0},
    {ATOM_INC, 0, 0, 0, 0},
    {ATOM_DEC, 3, 5, 0, 2},
    {ATOM_DEC, 0, 5, 0, 5},
    {ATOM_DEC, 6, 5, 0, 5},
    {15, 77, 5, 1, 77},  // no such operation
};

Test(mem, atomics, .description = "atomics: the word after, the old word as the answer, neighbours untouched [model]") {
    struct ppu *ppu = begin();
    for (size_t i = 0; i < sizeof atomics / sizeof atomics[0]; i++) {
        const struct atomic_case *c = &atomics[i];
        struct mem_request request = {.op = MEM_ATOMIC, .atom = c->atom, .channel = 0, .addr = 0x104};
        struct mem_response response;
        struct trace_event event;
        uint32_t answer;
        memcpy(request.wdata, &c->operand, 4);
        memcpy(request.wdata + 4, &c->swap, 4);
        memset(request.wdata + 8, 0xEE, 24);
        cr_assert(ppu_mem_write(ppu, 0x1104, &c->old, 4));
        const uint32_t left = word_at(ppu, 0x1100), right = word_at(ppu, 0x1108);
        mem_perform_event(ppu->mem, 4, &request, &response, &event);
        memcpy(&answer, response.data, 4);
        cr_assert_eq(word_at(ppu, 0x1104), c->result, "case %zu", i);
        cr_assert_eq(answer, c->old, "case %zu", i);
        cr_assert_eq(word_at(ppu, 0x1100), left);
        cr_assert_eq(word_at(ppu, 0x1108), right);
        cr_assert_eq(event.perform.op, MEM_ATOMIC);
        cr_assert_eq(event.perform.wdata[8], 0, "an atomic shows operand and new value only");
        cr_assert_eq(memcmp(event.perform.wdata, request.wdata, 8), 0);
    }
    ppu_destroy(ppu);
}

Test(mem, defects, .description = "the model's deliberate defects change what they say [model]") {
    struct ppu *ppu = begin();
    uint64_t physical;
    ppu_inject(ppu, 121);
    cr_assert(address_space_translate(ppu->mem, 0, 0x2000, 32, &physical), "a page too many");
    ppu_inject(ppu, 122);
    const uint32_t one = 1;
    cr_assert(ppu_mem_write(ppu, 0x1000, &one, 4));
    atomic_unit_perform(ppu->mem, 0x1000, ATOM_MAX, 0xFFFFFFFF, 0);
    cr_assert_eq(word_at(ppu, 0x1000), 0xFFFFFFFF, "MAX compares unsigned");
    ppu_destroy(ppu);
}

// Small memory comes from the heap, large memory is mapped: pieces of either, along pages and across them.
Test(mem, cleared, .description = "SP-3 a piece of memory becomes 0, its neighbours stay as they are [model]") {
    static const struct {
        size_t memory;
        uint64_t at;
        size_t size;
    } pieces[] = {{MEMORY, 3, 5},           {MEMORY, 4096, 8192}, {MEMORY, 5000, 20000},   {MEMORY, 0, MEMORY},
                  {16u << 20, 4096, 65536}, {16u << 20, 77, 1},   {16u << 20, 9000, 5000}, {16u << 20, 100, 0}};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        struct ppu *ppu = ppu_create(ppu_config_find("nano"), pieces[k].memory, 1);
        uint8_t *bytes = mem_bytes(ppu->mem);
        memset(bytes, 0xA5, MEMORY);
        cr_assert(ppu_mem_clear(ppu, pieces[k].at, pieces[k].size));
        for (size_t i = 0; i < MEMORY; i++)
            cr_assert_eq(bytes[i], i - pieces[k].at < pieces[k].size ? 0 : 0xA5, "piece %zu, byte %zu: %u", k, i,
                         bytes[i]);
        memset(bytes + pieces[k].at, 1, pieces[k].size);  // it can be written again
        cr_expect_not(ppu_mem_clear(ppu, pieces[k].memory - 4, 5));
        cr_expect_not(ppu_mem_clear(ppu, UINT64_MAX, 1));
        ppu_destroy(ppu);
    }
}
