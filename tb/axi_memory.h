// An AXI4 memory for simulation, as unkind as the protocol allows: seeded latency, backpressure on every channel,
// answers of different IDs in any order and interleaved beat by beat. It reads and writes its bytes at the last moment,
// just before the answer, so a master that relies on more order than AXI gives is found out. It also checks the master
// (axi_memory_error).
//
// Plain C, no simulator's types. Once per clock cycle: drive the signals of axi_memory_out() into the master, let it
// settle, then hand its signals to axi_memory_clock(), which is the clock edge: a handshake happens where valid and
// ready were both high.
#ifndef TANDEM_TB_AXI_MEMORY_H
#define TANDEM_TB_AXI_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/memory_outside.h"

#ifdef __cplusplus
extern "C" {
#endif

struct image;

#define AXI_MEMORY_WORDS 8u  // data buses up to 256 bits, as 32-bit words, word 0 = bits 31:0

// What the master drives.
struct axi_memory_in {
    bool awvalid;
    uint32_t awid, awaddr, awlen, awsize, awburst;
    bool wvalid;
    uint32_t wdata[AXI_MEMORY_WORDS], wstrb;
    bool wlast;
    bool bready;
    bool arvalid;
    uint32_t arid, araddr, arlen, arsize, arburst;
    bool rready;
};

// What the memory drives; constant between two calls of axi_memory_clock.
struct axi_memory_out {
    bool awready, wready, arready;
    bool bvalid;
    uint32_t bid, bresp;
    bool rvalid;
    uint32_t rid, rdata[AXI_MEMORY_WORDS], rresp;
    bool rlast;
};

struct axi_memory_options {
    uint64_t seed;
    uint32_t data_width;  // bits: 32, 64, 128 or 256
    uint32_t latency;     // mean number of cycles between a request and its answer; each one is 0.5 to 1.5 times that
    // Percent of cycles in which a ready is low or an answer that could go is held back, 0 to 90.
    uint32_t backpressure;
    bool reorder;  // answers of different IDs overtake each other, and their beats mix
    // Accesses that touch [error_base, error_base + error_size) are answered with SLVERR and change nothing.
    uint64_t error_base, error_size;
    bool error_writes_only;  // only writes are answered so
    // Where the bytes are: every burst goes there when it is performed, and an error there is SLVERR. NULL: its own.
    const struct memory_outside *outside;
};

struct axi_memory;

// bytes: size of the memory, zeroed; accesses past it are answered with DECERR. NULL when memory is short or an option
// is out of range. The caller owns it: axi_memory_destroy.
struct axi_memory *axi_memory_create(size_t bytes, const struct axi_memory_options *options);
void axi_memory_destroy(struct axi_memory *memory);

const struct axi_memory_out *axi_memory_out(const struct axi_memory *memory);
void axi_memory_clock(struct axi_memory *memory, const struct axi_memory_in *in);
// Forgets every transaction (they are performed) and drives all valids low: a reset of the bus. The bytes stay.
void axi_memory_reset(struct axi_memory *memory);

// The CPU's side. An access first performs every pending transaction that touches one of its lines (32 bytes), because
// for the master those happened when they were handed over. False (nothing done): not all inside the memory. While the
// master holds a line open for atomics (rmw_busy_o of the PPU), do not call these.
bool axi_memory_cpu_read(struct axi_memory *memory, uint64_t addr, void *to, size_t size);
bool axi_memory_cpu_write(struct axi_memory *memory, uint64_t addr, const void *from, size_t size);
// Performs everything that is pending, in the order it was handed over: afterwards axi_memory_bytes shows all writes.
void axi_memory_settle(struct axi_memory *memory);
// Where it answers with SLVERR from now on; what is under way is performed before.
void axi_memory_set_errors(struct axi_memory *memory, uint64_t base, uint64_t size, bool writes_only);
// A write is under way that will be answered with an error: who follows the order of memory from outside waits.
bool axi_memory_failing(const struct axi_memory *memory);
uint8_t *axi_memory_bytes(struct axi_memory *memory);  // owned by the memory

// The memory with all that is under way, for a checkpoint (base/image.h); it fails when the bytes are outside.
void axi_memory_image(struct axi_memory *memory, struct image *image);

// True when no transaction is under way.
bool axi_memory_idle(const struct axi_memory *memory);
// NULL while the master keeps the rules; else one line about the first broken one: a valid or its payload dropped
// before ready, a malformed burst, an ID or wlast that does not fit, two transactions of one line under way of which
// one is a write.
const char *axi_memory_error(const struct axi_memory *memory);

#ifdef __cplusplus
}
#endif

#endif
