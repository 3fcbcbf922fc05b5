// The simulated AXI memory: late, out of order where AXI allows it, and strict with its master.
#include <criterion/criterion.h>
#include <string.h>

#include "axi_memory.h"

static struct axi_memory *begin(uint32_t latency, bool reorder) {
    const struct axi_memory_options options = {
        .seed = 3, .data_width = 64, .latency = latency, .reorder = reorder, .error_base = 0x800, .error_size = 32};
    struct axi_memory *memory = axi_memory_create(0x1000, &options);
    cr_assert_not_null(memory);
    const struct axi_memory_in idle = {0};
    axi_memory_clock(memory, &idle);  // the readies come up
    return memory;
}

static struct axi_memory_in read_of(uint32_t id, uint32_t addr) {
    const struct axi_memory_in in = {.arvalid = true,
                                     .arid = id,
                                     .araddr = addr,
                                     .arlen = 3,
                                     .arsize = 3,
                                     .arburst = 1,
                                     .rready = true,
                                     .bready = true};
    return in;
}

static struct axi_memory_in write_of(uint32_t id, uint32_t addr, uint32_t word) {
    const struct axi_memory_in in = {.awvalid = true,
                                     .awid = id,
                                     .awaddr = addr,
                                     .awlen = 3,
                                     .awsize = 3,
                                     .awburst = 1,
                                     .wvalid = true,
                                     .wdata = {word, ~word},
                                     .wstrb = 0x0F,
                                     .rready = true,
                                     .bready = true};
    return in;
}

// A whole write of 4 beats: the first with AW.
static void write_line(struct axi_memory *memory, uint32_t id, uint32_t addr, uint32_t word) {
    struct axi_memory_in in = write_of(id, addr, word);
    for (unsigned beat = 0; beat < 4; beat++) {
        in.wlast = beat == 3;
        in.wdata[0] = word + beat;
        axi_memory_clock(memory, &in);
        in.awvalid = false;
    }
}

static void clock_idle(struct axi_memory *memory, unsigned cycles) {
    const struct axi_memory_in in = {.rready = true, .bready = true};
    for (unsigned i = 0; i < cycles; i++)
        axi_memory_clock(memory, &in);
}

Test(axi_memory, late,
     .description = "WQ-7 a write is in memory only when it is answered; the CPU sees it before [tb]") {
    struct axi_memory *memory = begin(40, true);
    uint32_t word = 0;
    write_line(memory, 1, 0x100, 70);
    memcpy(&word, axi_memory_bytes(memory) + 0x100, 4);
    cr_assert_eq(word, 0, "not performed yet");
    cr_assert_not(axi_memory_idle(memory));
    cr_assert(axi_memory_cpu_read(memory, 0x118, &word, 4));
    cr_assert_eq(word, 73, "but the CPU's access to the line performs it first");
    clock_idle(memory, 100);
    cr_assert(axi_memory_idle(memory));
    cr_assert_null(axi_memory_error(memory));
    memcpy(&word, axi_memory_bytes(memory) + 0x104, 4);
    cr_assert_eq(word, 0, "no strobe, no change");
    axi_memory_destroy(memory);
}

Test(axi_memory, cpu_write_comes_after,
     .description = "WQ-7 a CPU write comes after the reads that were handed over before [tb]") {
    struct axi_memory *memory = begin(20, true);
    uint32_t old = 11, new = 22, got = 0;
    cr_assert(axi_memory_cpu_write(memory, 0x200, &old, 4));
    const struct axi_memory_in in = read_of(2, 0x200);
    axi_memory_clock(memory, &in);
    cr_assert(axi_memory_cpu_write(memory, 0x200, &new, 4));
    for (unsigned i = 0, beats = 0; i < 200; i++) {
        const struct axi_memory_out *out = axi_memory_out(memory);
        if (out->rvalid) {
            if (beats++ == 0) got = out->rdata[0];
            cr_assert_eq(out->rlast, beats == 4);
            cr_assert_eq(out->rid, 2);
        }
        clock_idle(memory, 1);
    }
    cr_assert_eq(got, 11);
    cr_assert_not(axi_memory_cpu_read(memory, 0xFFD, &got, 4), "not all inside");
    axi_memory_destroy(memory);
}

// The order in which reads of four IDs are answered.
static void answers(bool reorder, uint32_t order[4]) {
    struct axi_memory *memory = begin(30, reorder);
    for (uint32_t id = 0; id < 4; id++) {
        const struct axi_memory_in in = read_of(id, 0x40 * id);
        axi_memory_clock(memory, &in);
    }
    unsigned count = 0;
    for (unsigned i = 0; i < 400 && count < 4; i++) {
        const struct axi_memory_out *out = axi_memory_out(memory);
        if (out->rvalid && out->rlast) order[count++] = out->rid;
        clock_idle(memory, 1);
    }
    cr_assert_eq(count, 4);
    axi_memory_destroy(memory);
}

Test(axi_memory, reorders, .description = "WQ-7 answers of different IDs overtake each other only when told to [tb]") {
    uint32_t order[4];
    answers(false, order);
    for (uint32_t i = 0; i < 4; i++)
        cr_assert_eq(order[i], i);
    answers(true, order);
    cr_assert(order[0] != 0 || order[1] != 1 || order[2] != 2, "with this seed they do");
}

Test(axi_memory, errors, .description = "WQ-7 accesses that nobody answers for get an error [tb]") {
    struct axi_memory *memory = begin(0, false);
    const uint32_t where[] = {0x800, 0x1000};
    const uint32_t response[] = {2, 3};  // SLVERR, DECERR
    for (unsigned i = 0; i < 2; i++) {
        bool seen = false;
        const struct axi_memory_in in = read_of(1, where[i]);
        axi_memory_clock(memory, &in);
        for (unsigned c = 0; c < 20; c++) {
            if (axi_memory_out(memory)->rvalid) {
                cr_assert_eq(axi_memory_out(memory)->rresp, response[i]);
                seen = true;
            }
            clock_idle(memory, 1);
        }
        cr_assert(seen);
    }
    axi_memory_destroy(memory);
}

Test(axi_memory, same_line, .description = "WQ-7 a master that writes a line under way is found out [tb]") {
    struct axi_memory *memory = begin(50, true);
    struct axi_memory_in in = read_of(1, 0x100);
    axi_memory_clock(memory, &in);
    in = read_of(2, 0x100);
    axi_memory_clock(memory, &in);
    cr_assert_null(axi_memory_error(memory), "two reads are fine");
    write_line(memory, 3, 0x100, 1);
    cr_assert_not_null(axi_memory_error(memory));
    cr_assert_not_null(strstr(axi_memory_error(memory), "0x100"));
    axi_memory_destroy(memory);
}

Test(axi_memory, valid_kept, .description = "WQ-7 a master that takes a request back is found out [tb]") {
    struct axi_memory_options options = {.seed = 1, .data_width = 64, .backpressure = 90};
    struct axi_memory *memory = axi_memory_create(0x1000, &options);
    // Nothing is ready yet: the request is not taken, and then it changes.
    struct axi_memory_in in = read_of(1, 0x100);
    axi_memory_clock(memory, &in);
    in.araddr = 0x140;
    axi_memory_clock(memory, &in);
    cr_assert_not_null(axi_memory_error(memory));
    axi_memory_destroy(memory);
}

Test(axi_memory, bad_bursts, .description = "WQ-7 malformed bursts are found out [tb]") {
    for (unsigned i = 0; i < 5; i++) {
        struct axi_memory *memory = begin(0, false);
        struct axi_memory_in in = read_of(1, 0x100);
        if (i == 0) in.arburst = 2;
        if (i == 1) in.arsize = 2;
        if (i == 2) in.araddr = 0x104;
        if (i == 3) in.arlen = 31;
        if (i == 4) in.araddr = 0xFF0;  // across a 4 KiB border
        axi_memory_clock(memory, &in);
        cr_assert_not_null(axi_memory_error(memory), "case %u", i);
        axi_memory_destroy(memory);
    }
    struct axi_memory *memory = begin(0, false);
    struct axi_memory_in in = write_of(1, 0x100, 5);
    in.wlast = true;  // in the first of four beats
    axi_memory_clock(memory, &in);
    cr_assert_not_null(axi_memory_error(memory));
    axi_memory_destroy(memory);
}

Test(axi_memory, options, .description = "WQ-7 options out of range are refused [tb]") {
    struct axi_memory_options options = {.data_width = 48};
    cr_assert_null(axi_memory_create(4096, &options));
    options.data_width = 64;
    options.backpressure = 91;
    cr_assert_null(axi_memory_create(4096, &options));
}
